/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-hook-code.h - writes the code of one hook
 *
 * Threads: only the plan's thread.
 */
#pragma once

#include "core/emit/gilk-asm.h"
#include "core/emit/gilk-patch-plan.h"

G_BEGIN_DECLS

/* Returns the flags that the hook changes. A counter changes fewer, because its inc instruction
 * preserves the carry flag. */
guint    gilk_hook_flags_clobbered (const GilkWant *want);
/* Returns the registers and flags that are live before instruction @index, which may be one past
 * the block's last instruction. */
GilkLive gilk_hook_live_at         (const GilkSplicePlan *plan, guint block, guint index);

/*
 * Returns whether the direction flag can be set in the function. If so, a hook must clear the flag
 * before it calls a function.
 */
gboolean gilk_hook_backward        (const GilkCfg *cfg);

/* A writer of the hooks of a patch or a clone. It collects the rarely taken paths of all hooks,
 * which are written last. */
typedef struct {
  GilkAsm               *as;
  const GilkSplicePlan  *plan;
  const struct ilk_info *info;
  const GilkBinding     *bindings;     /* one binding for each requested hook of the plan */
  gboolean               has_std;      /* the direction flag may be set in the function */
  GArray                *rare;
  GArray                *exits;        /* jumps by which programs leave their hooks, to other
                                        * instructions of the function */
} GilkHookWriter;

void  gilk_hook_writer_init   (GilkHookWriter *writer, GilkAsm *as, const GilkSplicePlan *plan,
                               const struct ilk_info *info, const GilkBinding *bindings);
/* Writes the rarely taken paths of all hooks, and frees @writer. */
void  gilk_hook_writer_finish (GilkHookWriter *writer);
/* Do the two steps of gilk_hook_writer_finish(): write the rarely taken paths, and free @writer. A
 * caller that writes the code several times must empty @rare between the two steps. */
void  gilk_hook_writer_write_rare   (const GilkHookWriter *writer);
void  gilk_hook_writer_clear  (GilkHookWriter *writer);
/*
 * Sets the targets of the jumps by which programs leave their hooks. @copy_of returns the offset of
 * the copy of the target instruction; if it returns G_MAXSIZE, the jump leads to the original
 * instruction. Must be called before gilk_hook_writer_finish().
 */
void  gilk_hook_writer_link_exits   (GilkHookWriter *writer, gsize (*copy_of) (uint64_t addr, gpointer data), gpointer data);
/* Writes the hook in front of instruction @index, which may be one past the hook's block. Returns:
 * number of instructions that the hook adds */
guint gilk_hook_writer_hook   (const GilkHookWriter *writer, guint want, guint index);
/* Returns the number of instructions that the hook, a counter, would add in front of instruction
 * @index. */
guint gilk_hook_writer_count_cost (const GilkHookWriter *writer, guint want, guint index);

G_END_DECLS

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-hook-code.h - the code of one hook, wherever it is written
 *
 * Threads: that of the plan.
 */
#pragma once

#include "core/emit/gilk-asm.h"
#include "core/emit/gilk-patch-plan.h"

G_BEGIN_DECLS

/* Flags that the hook changes; inc leaves the carry alone. */
guint    gilk_hook_flags_clobbered (const GilkWant *want);
/* What is live before instruction @index of the block, which may be one past its last. */
GilkLive gilk_hook_live_at         (const GilkSplicePlan *plan, guint block, guint index);

/* May the direction flag be set where the function runs? Whoever calls there clears it. */
gboolean gilk_hook_backward        (const GilkCfg *cfg);

/* For those who write hooks among other code; their rare paths go where it is finished. */
typedef struct {
  GilkAsm               *as;
  const GilkSplicePlan  *plan;
  const struct ilk_info *info;
  const GilkBinding     *bindings;     /* one per want of the plan */
  gboolean               has_std;      /* the function may run with DF set */
  GArray                *rare;
  GArray                *ways;         /* jumps of programs to other instructions of the function */
} GilkHookWriter;

void  gilk_hook_writer_init   (GilkHookWriter *writer, GilkAsm *as, const GilkSplicePlan *plan,
                               const struct ilk_info *info, const GilkBinding *bindings);
/* Writes the rare paths of all that was written, and is done. */
void  gilk_hook_writer_finish (GilkHookWriter *writer);
/* The two apart, for who writes all of it again: begin_again() of theirs empties @rare. */
void  gilk_hook_writer_rare   (const GilkHookWriter *writer);
void  gilk_hook_writer_clear  (GilkHookWriter *writer);
/* They lead to the originals, unless @copy_of has the offset of a copy; G_MAXSIZE: there is none. Before finish(). */
void  gilk_hook_writer_lead   (GilkHookWriter *writer, gsize (*copy_of) (uint64_t addr, gpointer data), gpointer data);
/* Writes the hook as it is to be before instruction @index, which may be one past the
 * want's block. Returns: the instructions it adds. */
guint gilk_hook_writer_hook   (const GilkHookWriter *writer, guint want, guint index);
/* Instructions that a counter would add there. */
guint gilk_hook_writer_count_cost (const GilkHookWriter *writer, guint want, guint index);

G_END_DECLS

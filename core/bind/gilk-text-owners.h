/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-text-owners.h - reads the current text of a function, and finds out who owns the bytes that
 * have changed
 *
 * A control flow graph is built from the original text of a function. The text in memory may
 * differ, because ilk (jumps and int3s), ftrace, static keys, static calls, kprobes and others
 * patch it.
 *
 * Threads: any; gilk_text_owners_read() blocks on the target. Results are immutable.
 */
#pragma once

#include "core/cfg/gilk-cfg.h"
#include "core/cfg/gilk-point.h"
#include "core/image/gilk-text-owners.h"
#include "core/link/gilk-target.h"

G_BEGIN_DECLS

typedef enum {
  GILK_OWNER_NONE,
  GILK_OWNER_ILK,              /* a hook by this or another client of the driver */
  GILK_OWNER_FTRACE,           /* an ftrace site */
  GILK_OWNER_STATIC_KEY,
  GILK_OWNER_STATIC_CALL,
  GILK_OWNER_KPROBE,           /* a kprobe, even a disabled one */
  GILK_OWNER_OTHER,            /* changed by an unknown patcher */
  GILK_N_OWNERS
} GilkTextOwner;

#define GILK_CURRENT_TEXT_BYTES 16

typedef struct {
  GilkTextOwner owner;         /* what owns at least one byte of the instruction, and so may patch
                                * it, whether it has or not */
  gboolean      changed;       /* the instruction's bytes differ from those in the graph */
  /* current text from the instruction's address on */
  uint8_t       bytes[GILK_CURRENT_TEXT_BYTES];
  /* with GILK_OWNER_ILK: process id of the agent whose client has the hook */
  uint32_t      pid;
  GilkFtraceUsers users;  /* with GILK_OWNER_FTRACE: what the ftrace site calls, such as BPF; 0:
                           * nothing */
} GilkCurrentText;

/* Returns one entry per instruction of @cfg, without ftrace users. @hooks: (element-type struct
 * ilk_patch_status): all hooks of the driver; @kprobes: (element-type GilkKprobe): all kprobes of
 * the kernel;
 * @text: for each instruction, GILK_CURRENT_TEXT_BYTES from its address on; NULL: unknown.
 * (transfer full) */
GilkCurrentText *gilk_text_owners_of   (const GilkCfg *cfg, const GArray *hooks, const GArray *kprobes,
                                        const uint8_t *const *text);
/*
 * Works like gilk_text_owners_of(), but reads the arguments other than @cfg, and the ftrace users,
 * from the target. Returns NULL if the target fails, or if the graph does not come from a connected
 * target. (transfer full)
 */
GilkCurrentText *gilk_text_owners_read (const GilkCfg *cfg, GCancellable *cancellable, GError **error);

/* Returns the owner's name, such as "ilk, 4711", "livepatch, BPF" or "static key"; "" for no owner.
 * Names are not translated. (transfer full) */
char *gilk_current_text_owner_name (const GilkCurrentText *now);
/* Returns the current instruction as text, such as "jmp 0xffffffffc0401000". (transfer full) */
char *gilk_current_text_format     (const GilkCfg *cfg, guint insn, const GilkCurrentText *now, GilkDecoder *decoder);

/*
 * Finds hooks that other clients of the driver have in a function.
 *
 * While a function runs as a clone, new calls do not enter the original. So a function must not
 * have a clone and hooks in the original at the same time, even if they belong to different
 * clients.
 *
 * Threads: any; blocks on the target.
 */

typedef enum {
  GILK_OTHERS_NONE,
  GILK_OTHERS_HOOKS,            /* hooks in the original function, live or scheduled */
  GILK_OTHERS_CLONE,
} GilkOthers;

/**
 * gilk_bound_others_new:
 * @n_own: (out) (optional): number of patches that this client has
 * Returns: (transfer full) (element-type struct ilk_patch_status): other clients' patches, live or
 *   scheduled; empty without a driver, NULL if the target fails
 */
GArray    *gilk_bound_others_new (GilkTarget *target, guint *n_own, GCancellable *cancellable, GError **error);
GilkOthers gilk_bound_others_in_function  (const GArray *others, const GilkFunction *function);
/* Returns a patch by another client of the driver that covers bytes in [@start, @end); NULL:
 * none. */
const struct ilk_patch_status *gilk_bound_others_in_range (const GArray *others, uint64_t start, uint64_t end);
/* Returns another client's patch with a hook at the point (@block, @where), or another client's
 * clone of the function; NULL: none. */
const struct ilk_patch_status *gilk_bound_others_at_point  (const GArray *others, const GilkCfg *cfg, guint block,
                                                            GilkWhere where);

G_END_DECLS

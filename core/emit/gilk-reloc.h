/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-reloc.h - relocation: rewrites instructions so that they can run at another address
 *
 * Threads: any; a GilkAsm belongs to the caller.
 */
#pragma once

#include "core/cfg/gilk-cfg.h"
#include "core/emit/gilk-asm.h"

G_BEGIN_DECLS

/**
 * gilk_reloc_check:
 * Returns: the GilkRefusal that prevents instructions [first, first + n) of one block from running
 *   in a patch; 0 if there is none
 */
guint    gilk_reloc_check (const GilkCfg *cfg, guint first, guint n);

/**
 * gilk_reloc_emit:
 * Writes code that does what instruction @index does at its own address.
 * Returns: TRUE if control falls through
 */
gboolean gilk_reloc_emit  (GilkAsm *as, const GilkCfg *cfg, guint index);

/* Writes a copy of instruction @index with the same effect. The instruction must not be a direct
 * branch. */
void     gilk_reloc_copy  (GilkAsm *as, const GilkCfg *cfg, guint index);

/* Returns TRUE if function @name switches stacks, or if idle tasks never return from it: a return
 * address into such a function may be used at any later time. */
gboolean gilk_reloc_never_left (const char *name);
/* Returns the index of an instruction by which the function returns, a ret or a jump to the return
 * thunk; -1 if there is none. */
int      gilk_reloc_return   (const GilkCfg *cfg);
/* Returns whether the copy of call @index in a patch can be a real call, which returns into the
 * patch. */
gboolean gilk_reloc_may_call (const GilkCfg *cfg, guint index);
/* Writes the copy of call @index as a real call, which returns to the code after it. */
void     gilk_reloc_call  (GilkAsm *as, const GilkCfg *cfg, guint index);
/* Returns whether the kernel has removed the lock prefix of instruction @index, because there is
 * only one CPU. */
gboolean gilk_reloc_lost_lock (const GilkCfg *cfg, guint index);
/* Returns whether the kernel has a fixup for a fault of instruction @index. */
gboolean gilk_reloc_may_fault (const GilkCfg *cfg, guint index);
/* Adds a fixup for the copy of instruction @index; the copy must be written next. After a fault,
 * the fixup continues in the original code. */
void     gilk_reloc_note_fault (GilkAsm *as, const GilkCfg *cfg, guint index);

/* Returns how many bytes of padding the copy of instruction @index may need, so that it is in the
 * required half of a cache line. */
guint    gilk_reloc_slack (const GilkCfg *cfg, guint index);

G_END_DECLS

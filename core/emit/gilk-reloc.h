/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-reloc.h - running instructions somewhere else than where they stand
 *
 * Threads: any; a GilkAsm is the caller's.
 */
#pragma once

#include "core/cfg/gilk-cfg.h"
#include "core/emit/gilk-asm.h"

G_BEGIN_DECLS

/**
 * gilk_reloc_check:
 * Returns: GilkRefusal that keeps instructions [first, first + n) of one block
 *   from running in a patch instead, 0 if nothing does
 */
guint    gilk_reloc_check (const GilkCfg *cfg, guint first, guint n);

/**
 * gilk_reloc_emit:
 * Writes what instruction @index does when run where it stands.
 * Returns: TRUE if control goes on behind what was written
 */
gboolean gilk_reloc_emit  (GilkAsm *as, const GilkCfg *cfg, guint index);

/* Writes instruction @index, which is no direct branch, to do the same from there. */
void     gilk_reloc_copy  (GilkAsm *as, const GilkCfg *cfg, guint index);

/* Does function @name switch stacks, or do idle tasks never leave it? Then nobody can
 * tell when a return address in it is gone. */
gboolean gilk_reloc_never_left (const char *name);
/* An instruction of the function by which it returns; -1: it has none */
int      gilk_reloc_return   (const GilkCfg *cfg);
/* May the call @index return to a patch? */
gboolean gilk_reloc_may_call (const GilkCfg *cfg, guint index);
/* Writes the call @index as one that returns behind what was written. */
void     gilk_reloc_call  (GilkAsm *as, const GilkCfg *cfg, guint index);
/* Does instruction @index run without its lock prefix, as long as there is one CPU? */
gboolean gilk_reloc_lost_lock (const GilkCfg *cfg, guint index);
/* Does the kernel have a fix-up for when instruction @index faults? */
gboolean gilk_reloc_may_fault (const GilkCfg *cfg, guint index);
/* Notes that for a copy of it which is written next; it goes on in the original. */
void     gilk_reloc_note_fault (GilkAsm *as, const GilkCfg *cfg, guint index);

/* Bytes that keeping instruction @index in its half of a cache line may cost. */
guint    gilk_reloc_slack (const GilkCfg *cfg, guint index);

G_END_DECLS

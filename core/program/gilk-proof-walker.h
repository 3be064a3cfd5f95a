/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-proof-walker.h - verifier: the effect of one instruction, and whether it is allowed
 *
 * Threads: one at a time for each walker.
 */
#pragma once

#include "core/program/gilk-proof-decode.h"
#include "core/program/gilk-proof-spot.h"
#include "core/program/gilk-proof-state.h"
#include "core/program/gilk-proof.h"

G_BEGIN_DECLS

typedef struct {
  const GilkProofCase *what;
  const GilkStep      *step;
  uint64_t             next;       /* address of the next instruction */
  GilkState           *state;      /* before the instruction; afterwards, after it */
  gboolean             has_fault;  /* it has a fault entry, so it must be a load or a store */
  gboolean             may_load;   /* its form may read kernel memory */
  gboolean             loads;      /* it reads kernel memory, and may fault */
  gboolean             replaces;   /* it calls one of the functions allowed as a replacement */
  gboolean             stores;     /* it writes kernel memory, and may fault */
  const char          *broken;     /* the first rule broken: untranslated */
} GilkWalker;

/* Applies the instruction, except for branches and faults. FALSE with the reason in @broken */
gboolean  gilk_walker_step    (GilkWalker *walker);
/* Checks the state at the end of a hook: gilk-proof-end.c */
gboolean  gilk_walker_finish  (GilkWalker *walker);
/*
 * Check the state where the code is left by an exit; and where a replacement is called, after which
 * caller-saved registers are unknown.
 */
gboolean  gilk_walker_leave   (GilkWalker *walker, GilkProofLeaves how);
gboolean  gilk_walker_replace (GilkWalker *walker);

/* ---- for the verifier's parts ---- */

/* Records the first rule that is broken. Returns: FALSE */
gboolean  gilk_walker_refuse  (GilkWalker *walker, const char *rule);
GilkSpot  gilk_walker_spot    (const GilkWalker *walker, guint size);

/*
 * Check an access and read or write a value: gilk-proof-memory.c. A value has a tag only if @size
 * is that of the tagged variable.
 */
gboolean  gilk_walker_read    (GilkWalker *walker, const GilkSpot *spot, GilkValue *value);
gboolean  gilk_walker_write   (GilkWalker *walker, const GilkSpot *spot, GilkValue value);
/* Checks an instruction that both reads and writes memory. */
gboolean  gilk_walker_change  (GilkWalker *walker, const GilkSpot *spot);

/* Checks a call: gilk-proof-call.c. */
gboolean  gilk_walker_call    (GilkWalker *walker);

/* Returns the lowest @size bytes, with the tag that they have then. */
GilkValue gilk_walker_narrow  (GilkValue value, guint size);

G_END_DECLS

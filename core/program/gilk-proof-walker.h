/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-proof-walker.h - what one instruction does, and whether it may
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
  uint64_t             next;       /* address behind it */
  GilkState           *state;      /* before it; then behind it */
  gboolean             has_fault;  /* it has an entry for its fault: so it is meant to be a load */
  gboolean             may_load;   /* it is a form that may read the kernel's memory, */
  gboolean             loads;      /* and does: it may fault */
  gboolean             replaces;   /* it calls one of the functions that it may call in place of others */
  gboolean             stores;     /* it writes the kernel's memory, and may fault */
  const char          *broken;     /* the first rule that is: untranslated */
} GilkWalker;

/* All but branches and where a fault leads. FALSE: @broken says why */
gboolean  gilk_walker_step    (GilkWalker *walker);
/* Is all as it has to be where the hook is over? gilk-proof-end.c */
gboolean  gilk_walker_finish  (GilkWalker *walker);
/* The same, where it leaves by another way; and where it calls, which changes what callees do. */
gboolean  gilk_walker_leave   (GilkWalker *walker, GilkProofLeaves how);
gboolean  gilk_walker_replace (GilkWalker *walker);

/* ---- for its parts ---- */

/* Remembers the first rule that is broken. Returns: FALSE */
gboolean  gilk_walker_refuse  (GilkWalker *walker, const char *rule);
GilkSpot  gilk_walker_spot    (const GilkWalker *walker, guint size);

/* What memory holds: gilk-proof-memory.c. By name only where @size is that of what has one. */
gboolean  gilk_walker_read    (GilkWalker *walker, const GilkSpot *spot, GilkValue *value);
gboolean  gilk_walker_write   (GilkWalker *walker, const GilkSpot *spot, GilkValue value);
/* Reads and writes it in one instruction. */
gboolean  gilk_walker_change  (GilkWalker *walker, const GilkSpot *spot);

/* A call: gilk-proof-call.c. */
gboolean  gilk_walker_call    (GilkWalker *walker);

/* The lowest @size bytes, by the name that they have then. */
GilkValue gilk_walker_narrow  (GilkValue value, guint size);

G_END_DECLS

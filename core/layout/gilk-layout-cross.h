/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-layout-cross.h - number of crossings of an order, and swaps of neighbours that reduce it
 *
 * Threads: one at a time; the layered graph is borrowed, and its order may change between calls.
 */
#pragma once

#include "core/layout/gilk-layout-private.h"

G_BEGIN_DECLS

#define CROSSED   16         /* cost of a crossing of two lines */
#define SWAPPED   1          /* cost of two edges that leave a block on swapped sides */

/* A turn of a back rail between a block and a dummy in the same layer, seen from one of the two. */
typedef struct {
  guint    partner;
  gboolean below;
} GilkTurn;

typedef struct {
  Layered  *l;
  guint    *port;           /* per link: position, from left to right,
                             * at which it leaves its upper node */
  guint    *turn_first;     /* per node: start in @turns */
  GilkTurn *turns;
  guint    *tree, *sums;    /* scratch, longer than the widest layer */
} GilkCrossings;

GilkCrossings *gilk_crossings_new   (Layered *layered);
void           gilk_crossings_free  (GilkCrossings *crossings);
uint64_t       gilk_crossings_count (GilkCrossings *crossings);
/* Returns the position at which @link leaves the layer above: order and port. */
double         gilk_crossings_upper (const GilkCrossings *crossings, guint link);
/* Swaps neighbours while that reduces the cost, for at most
 * @rounds passes; with @even also if the cost stays the same. */
void           gilk_crossings_swap  (GilkCrossings *crossings, gboolean even, guint rounds);
/* Returns the number of links of @node in the channel above or below. */
guint          gilk_crossings_degree (const Layered *layered, guint node, gboolean below);
/* gilk-layout-strand.c: moves lines and blocks through several layers at
 * once where that reduces the cost. @work: (inout): limit on the number
 * of steps; what is left of it. Returns: the reduction of the cost */
int            gilk_crossings_move_strands (GilkCrossings *crossings, guint64 *work, GCancellable *cancellable);

G_END_DECLS

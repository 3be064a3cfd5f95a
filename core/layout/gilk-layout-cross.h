/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-layout-cross.h - counts the crossings of an order, and swaps neighbours for fewer crossings
 *
 * Threads: one at a time; the layered graph is borrowed, and its order may change between calls.
 */
#pragma once

#include "core/layout/gilk-layout-private.h"

G_BEGIN_DECLS

#define CROSSED   16         /* cost of a crossing of two lines */
#define SWAPPED   1          /* cost of two edges that leave a block on swapped sides */

/* A turn of a back rail between a block and a dummy in the same layer, stored for both nodes. */
typedef struct {
  guint    partner;
  gboolean below;
} GilkTurn;

typedef struct {
  Layered  *l;
  guint    *port;           /* position of each link among the links that leave its upper node, from
                             * left to right */
  guint    *turn_first;     /* each node's start in @turns */
  GilkTurn *turns;
  guint    *tree, *sums;    /* scratch arrays, longer than the widest layer */
} GilkCrossings;

GilkCrossings *gilk_crossings_new   (Layered *layered);
void           gilk_crossings_free  (GilkCrossings *crossings);
uint64_t       gilk_crossings_count (GilkCrossings *crossings);
/* Returns the position at which @link leaves the layer above, computed from order and port. */
double         gilk_crossings_upper (const GilkCrossings *crossings, guint link);
/* Swaps neighbours as long as that reduces the cost, in at most @rounds passes. With @even, also
 * swaps neighbours if the cost stays the same. */
void           gilk_crossings_swap  (GilkCrossings *crossings, gboolean even, guint rounds);
/* Returns the number of links of @node in the channel above or below. */
guint          gilk_crossings_degree (const Layered *layered, guint node, gboolean below);
/* gilk-layout-strand.c: moves lines and blocks through several layers at once if that reduces the
 * cost. @work: (inout): maximum number of steps; set to the remaining number. Returns: reduction of
 * the cost */
int            gilk_crossings_move_strands (GilkCrossings *crossings, guint64 *work, GCancellable *cancellable);

G_END_DECLS

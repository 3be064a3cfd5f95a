/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-layout-cross.h - how many lines cross in an order, and swaps of neighbours that make it fewer
 *
 * Threads: one at a time; the layered graph is borrowed, and its order may change meanwhile.
 */
#pragma once

#include "core/layout/gilk-layout-private.h"

G_BEGIN_DECLS

#define CROSSED   16         /* what it costs that two lines cross */
#define SWAPPED   1          /* that the sides of a block are the other way round */

/* Of a node and a dummy of a back rail in its layer, either of the two. */
typedef struct {
  guint    partner;
  gboolean below;
} GilkTurn;

typedef struct {
  Layered  *l;
  guint    *port;           /* per link: where it leaves its upper node, from left to right */
  guint    *turn_first;     /* per node */
  GilkTurn *turns;
  guint    *tree, *sums;    /* scratch, longer than the widest layer */
} GilkCrossings;

GilkCrossings *gilk_crossings_new   (Layered *layered);
void           gilk_crossings_free  (GilkCrossings *crossings);
uint64_t       gilk_crossings_count (GilkCrossings *crossings);
/* Where @link leaves the layer above it: order and side. */
double         gilk_crossings_upper (const GilkCrossings *crossings, guint link);
/* Swaps neighbours while that helps, at most @rounds times through all; with @even also where it is all the same. */
void           gilk_crossings_swap  (GilkCrossings *crossings, gboolean even, guint rounds);
/* Links of @node in the channel above or below. */
guint          gilk_crossings_degree (const Layered *layered, guint node, gboolean below);
/* gilk-layout-strand.c: threads lines and blocks through their layers anew where fewer lines are crossed then.
 * @work: about how many steps it may take; those that are left. Returns: by how much less it costs */
int            gilk_crossings_thread (GilkCrossings *crossings, guint64 *work, GCancellable *cancellable);

G_END_DECLS

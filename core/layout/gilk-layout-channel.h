/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-layout-channel.h - lines between two layers: counts their crossings, and assigns them to
 * lanes
 *
 * Threads: one at a time; the layered graph is borrowed, and its order may change between calls.
 */
#pragma once

#include <glib.h>

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
  guint    *turn_first;     /* index in @turns of each node's first turn */
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

/*
 * Assigns horizontal lanes to nets between two layers.
 *
 * Threads: one at a time; pointers to ends are borrowed until the nets are freed.
 */

typedef struct _GilkNets GilkNets;

GilkNets *gilk_nets_new     (guint n_channels);
void      gilk_nets_free    (GilkNets *nets);
/* Returns: index of the new net, from 0 upwards */
guint     gilk_nets_add     (GilkNets *nets, guint channel);
/* Adds a fixed end of @net above the channel. */
void      gilk_nets_above   (GilkNets *nets, guint net, int x);
/* Adds an end below the channel; gilk_nets_untangle() may change *@x. */
void      gilk_nets_below   (GilkNets *nets, guint net, int *x);
void      gilk_nets_assign  (GilkNets *nets);
/**
 * gilk_nets_untangle: Two nets may each be required to be above the other, which is impossible.
 * Moves the ends of such nets a little.
 * Returns: number of ends moved; if not 0, the nets must be built again from the moved ends
 */
guint     gilk_nets_untangle (GilkNets *nets);

/* Returns the number of lanes; valid after gilk_nets_assign(). */
guint     gilk_nets_lanes   (const GilkNets *nets, guint channel);
guint     gilk_nets_lane    (const GilkNets *nets, guint net);
guint     gilk_nets_channel (const GilkNets *nets, guint net);

G_END_DECLS

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-layout-channel.h - handles the lines between two layers of a drawing: counts their
 * crossings, and assigns their horizontal parts to lanes
 *
 * Threads: one at a time; the layered graph is borrowed, and the order of its nodes may change
 * between calls.
 */
#pragma once

#include <glib.h>

#include "core/layout/gilk-layout-private.h"

G_BEGIN_DECLS

#define CROSSED   16         /* cost of a crossing of two lines */
#define SWAPPED   1          /* cost of two edges that leave a block on swapped sides */

/* The place where a back rail (the line that all edges back to a loop's header share) turns between
 * a block and a dummy node in the same layer. It is stored for both nodes. */
typedef struct {
  guint    partner;
  gboolean below;
} GilkTurn;

typedef struct {
  Layered  *l;
  guint    *port;           /* position of each link among the links that leave its upper node, from
                             * left to right */
  guint    *turn_first;     /* for each node: index in @turns of its first turn */
  GilkTurn *turns;
  guint    *tree, *sums;    /* scratch arrays, longer than the widest layer */
} GilkCrossings;

GilkCrossings *gilk_crossings_new   (Layered *layered);
void           gilk_crossings_free  (GilkCrossings *crossings);
uint64_t       gilk_crossings_count (GilkCrossings *crossings);
/* Returns the position at which @link leaves the layer above, computed from the order of the nodes
 * and the link's port. */
double         gilk_crossings_upper (const GilkCrossings *crossings, guint link);
/* Swaps neighbours as long as that reduces the cost, in at most @rounds passes. With @even, also
 * swaps neighbours if the cost stays the same. */
void           gilk_crossings_swap  (GilkCrossings *crossings, gboolean even, guint rounds);
/* Returns the number of links that @node has to the layer below, if @below is TRUE, or to the layer
 * above. */
guint          gilk_crossings_degree (const Layered *layered, guint node, gboolean below);
/* Moves lines and blocks through several layers at once if that reduces the cost. In
 * gilk-layout-strand.c. @work: (inout): maximum number of steps; reduced by the number of steps
 * taken. Returns: reduction of the cost */
int            gilk_crossings_move_strands (GilkCrossings *crossings, guint64 *work, GCancellable *cancellable);

/*
 * Assigns horizontal lanes to nets: sets of lines that join between two layers
 *
 * Threads: one at a time; pointers to ends are borrowed until the nets are freed.
 */

typedef struct _GilkNets GilkNets;

GilkNets *gilk_nets_new     (guint n_channels);
void      gilk_nets_free    (GilkNets *nets);
/* Adds a net, a set of lines that join in the channel. Returns: index of the new net; indices start
 * at 0 */
guint     gilk_nets_add     (GilkNets *nets, guint channel);
/* Adds to @net a line end above the channel, which stays at @x. */
void      gilk_nets_above   (GilkNets *nets, guint net, int x);
/* Adds to @net a line end below the channel; gilk_nets_untangle() may change *@x. */
void      gilk_nets_below   (GilkNets *nets, guint net, int *x);
void      gilk_nets_assign  (GilkNets *nets);
/**
 * gilk_nets_untangle: Moves some ends of nets a little if each of two nets would have to be above
 * the other, which is impossible.
 * Returns: number of ends moved; if it is not 0, the caller must build the nets again from the
 * moved ends
 */
guint     gilk_nets_untangle (GilkNets *nets);

/* Returns the number of lanes in @channel; valid after gilk_nets_assign(). */
guint     gilk_nets_lanes   (const GilkNets *nets, guint channel);
guint     gilk_nets_lane    (const GilkNets *nets, guint net);
guint     gilk_nets_channel (const GilkNets *nets, guint net);

G_END_DECLS

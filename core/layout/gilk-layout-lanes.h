/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-layout-lanes.h - assigns horizontal lanes to nets between two layers
 *
 * Threads: one at a time; pointers to ends are borrowed until the nets are freed.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

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
 * gilk_nets_untangle:
 * Two nets may each have to be above the other. Moves the ends of such nets a little.
 * Returns: number of ends moved; if not 0, the nets must be built again from the moved ends
 */
guint     gilk_nets_untangle (GilkNets *nets);

/* Returns the number of lanes; valid after gilk_nets_assign(). */
guint     gilk_nets_lanes   (const GilkNets *nets, guint channel);
guint     gilk_nets_lane    (const GilkNets *nets, guint net);
guint     gilk_nets_channel (const GilkNets *nets, guint net);

G_END_DECLS

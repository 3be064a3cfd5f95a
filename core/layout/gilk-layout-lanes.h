/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-layout-lanes.h - horizontal lanes for what is joined between two layers
 *
 * Threads: one at a time; ends given as a pointer are borrowed until the nets are freed.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct _GilkNets GilkNets;

GilkNets *gilk_nets_new     (guint n_channels);
void      gilk_nets_free    (GilkNets *nets);
/* Returns: the number of a new net, counted up from 0 */
guint     gilk_nets_add     (GilkNets *nets, guint channel);
/* An end of @net that is fixed, above the channel */
void      gilk_nets_above   (GilkNets *nets, guint net, int x);
/* An end below the channel; gilk_nets_untangle() may change *@x */
void      gilk_nets_below   (GilkNets *nets, guint net, int *x);
void      gilk_nets_assign  (GilkNets *nets);
/**
 * gilk_nets_untangle:
 * Two nets may each have to be above the other. Moves ends of such nets a little.
 * Returns: how many; if any, the nets have to be built anew from the moved ends
 */
guint     gilk_nets_untangle (GilkNets *nets);

/* After gilk_nets_assign() */
guint     gilk_nets_lanes   (const GilkNets *nets, guint channel);
guint     gilk_nets_lane    (const GilkNets *nets, guint net);
guint     gilk_nets_channel (const GilkNets *nets, guint net);

G_END_DECLS

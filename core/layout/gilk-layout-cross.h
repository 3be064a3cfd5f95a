/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-layout-cross.h - how many lines cross in an order, and swaps of neighbours that make it fewer
 *
 * Threads: one at a time; the layered graph is borrowed, and its order may change meanwhile.
 */
#pragma once

#include "core/layout/gilk-layout-private.h"

G_BEGIN_DECLS

typedef struct _GilkCrossings GilkCrossings;

GilkCrossings *gilk_crossings_new   (Layered *layered);
void           gilk_crossings_free  (GilkCrossings *crossings);
uint64_t       gilk_crossings_count (GilkCrossings *crossings);
/* Where @link leaves the layer above it: order and side. */
double         gilk_crossings_upper (const GilkCrossings *crossings, guint link);
/* Swaps neighbours while that helps, at most @rounds times through all; with @even also where it is all the same. */
void           gilk_crossings_swap  (GilkCrossings *crossings, gboolean even, guint rounds);

G_END_DECLS

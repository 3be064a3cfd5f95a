/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-listing-view.h - listing of a function: the contents of the graph in address order
 *
 * The current row is the graph's current instruction, and input is reported by the graph's signals.
 * Own signal: "toggle-view" (return to the graph).
 */
#pragma once

#include "gui/graph/gilk-graph-view.h"

G_BEGIN_DECLS

#define GILK_TYPE_LISTING_VIEW (gilk_listing_view_get_type ())
G_DECLARE_FINAL_TYPE (GilkListingView, gilk_listing_view, GILK, LISTING_VIEW, GtkScrolledWindow)

GtkWidget *gilk_listing_view_new    (GilkGraphView *view);
/* Must be called when marks, counts or search matches changed. */
void       gilk_listing_view_update (GilkListingView *self);
void       gilk_listing_view_focus  (GilkListingView *self);

G_END_DECLS

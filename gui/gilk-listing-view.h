/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-listing-view.h - the function as a listing: what the graph shows, in the order of addresses
 *
 * Its current row is the graph's current instruction; the graph's signals tell what is wanted of it. Its own:
 * "toggle-view" (back to the graph).
 */
#pragma once

#include "gui/gilk-graph-view.h"

G_BEGIN_DECLS

#define GILK_TYPE_LISTING_VIEW (gilk_listing_view_get_type ())
G_DECLARE_FINAL_TYPE (GilkListingView, gilk_listing_view, GILK, LISTING_VIEW, GtkScrolledWindow)

GtkWidget *gilk_listing_view_new    (GilkGraphView *view);
/* Marks, counts or what was found have changed. */
void       gilk_listing_view_update (GilkListingView *self);
void       gilk_listing_view_focus  (GilkListingView *self);

G_END_DECLS

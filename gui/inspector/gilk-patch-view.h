/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-patch-view.h - the code of one hook as a picture: the text before and after, and the patch beside them
 */
#pragma once

#include <gtk/gtk.h>

#include "core/splice/gilk-patch-listing.h"

G_BEGIN_DECLS

#define GILK_TYPE_PATCH_VIEW (gilk_patch_view_get_type ())
G_DECLARE_FINAL_TYPE (GilkPatchView, gilk_patch_view, GILK, PATCH_VIEW, GtkDrawingArea)

GtkWidget *gilk_patch_view_new  (void);
/* @listing: (transfer full): of a hook in @cfg. Returns the picture's size in @width
 * and @height, in pixels. */
void       gilk_patch_view_show (GilkPatchView *self, GilkPatchListing *listing, GilkCfg *cfg, int *width, int *height);

G_END_DECLS

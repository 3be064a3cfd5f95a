/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-patch-paint.h - how a hook gets into the text: before, after, and the patch
 *
 * Draws a listing of core/splice in three columns, with the ways in and back. What a
 * line is there for is said by a sign at its left as well as by its colour.
 *
 * Threads: that of the cairo_t.
 */
#pragma once

#include <cairo.h>

#include "core/plot/gilk-plot.h"
#include "core/splice/gilk-patch-listing.h"

G_BEGIN_DECLS

typedef struct {
  const GilkPatchListing *listing;
  const GilkCfg          *cfg;
  const GilkPlotStyle    *style;
  const char             *title;      /* nullable */
} GilkPatchPicture;

/* How large it wants to be. */
void gilk_patch_picture_size (const GilkPatchPicture *picture, double *width, double *height);
/* A GilkPaintFunc over a GilkPatchPicture. */
void gilk_patch_paint        (cairo_t *cr, double width, double height, gpointer picture);

G_END_DECLS

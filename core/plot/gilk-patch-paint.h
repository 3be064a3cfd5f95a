/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-patch-paint.h - draws a splice: the text before and after, and the patch
 *
 * Draws a listing of core/splice in three columns, with arrows for the jumps to the patch and back.
 * A sign to the left of each line, and the line's colour, show the purpose of the line.
 *
 * Threads: only the cairo_t's thread.
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

/* Computes the natural size of the picture. */
void gilk_patch_picture_size (const GilkPatchPicture *picture, double *width, double *height);
/* Paints @picture, a GilkPatchPicture; this is a GilkPaintFunc. */
void gilk_patch_paint        (cairo_t *cr, double width, double height, gpointer picture);

G_END_DECLS

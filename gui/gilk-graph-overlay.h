/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-graph-overlay.h - what is beside a drawn graph: the map in a corner, the legend below
 *
 * All coordinates are the widget's.
 */
#pragma once

#include "core/plot/gilk-graph-paint.h"
#include "gui/gilk-viewport.h"

G_BEGIN_DECLS

#define GILK_OVERLAY_STRIP 32      /* pixels below the drawing, which has none of them: the legend, and buttons */

/*
 * gilk_overlay_place_map:
 * @map: (inout): where it is
 *
 * Puts the map into a corner where no block is, small if it has to be; it stays where it is as long as that is
 * free. FALSE: all of the drawing is in view, or there is no such corner.
 */
gboolean gilk_overlay_place_map (const GilkViewport *port, const GilkGraph *graph, GdkRectangle *map);
void     gilk_overlay_map      (cairo_t *cr, const GdkRectangle *map, const GilkGraph *graph,
                                const GilkPlotStyle *style, const GilkGraphLook *look, const GilkBox *visible);
/* From a place of the map to the place of the drawing that is shown there. */
void     gilk_overlay_from_map (const GdkRectangle *map, const GilkLayout *layout, double *x, double *y);
/* Fills the strip below the drawing. */
void     gilk_overlay_legend   (cairo_t *cr, const GilkViewport *port, const GilkPlotStyle *style,
                                const GilkGraphLook *look);
/* Drawn around what is to be chosen; nothing without a width. */
void     gilk_overlay_band     (cairo_t *cr, const GilkPlotStyle *style, const GdkRectangle *band);

G_END_DECLS

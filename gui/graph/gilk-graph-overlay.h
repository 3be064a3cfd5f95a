/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-graph-overlay.h - minimap in a corner of the graph, and the legend below it
 *
 * All coordinates are widget coordinates.
 */
#pragma once

#include "core/plot/gilk-graph-paint.h"
#include "gui/base/gilk-canvas.h"

G_BEGIN_DECLS

#define GILK_OVERLAY_STRIP 32      /* pixels below the drawing for the legend and buttons */

/*
 * gilk_overlay_place_map:
 * @map: (inout): current position.
 *
 * Puts the minimap into a corner without blocks, at reduced size if necessary. It stays in its
 * corner as long as that corner is free. Returns FALSE if the whole graph is visible, or if no
 * corner is free.
 */
gboolean gilk_overlay_place_map (const GilkViewport *port, const GilkGraph *graph, GdkRectangle *map);
void     gilk_overlay_draw_map      (cairo_t *cr, const GdkRectangle *map, const GilkGraph *graph,
                                     const GilkPlotStyle *style, const GilkGraphLook *look, const GilkBox *visible);
/* Converts a position on the minimap to a position in the drawing. */
void     gilk_overlay_from_map (const GdkRectangle *map, const GilkLayout *layout, double *x, double *y);
/* Draws the legend in the strip below the drawing. */
void     gilk_overlay_draw_legend   (cairo_t *cr, const GilkViewport *port, const GilkPlotStyle *style,
                                     const GilkGraphLook *look);
/* Draws the rubber band of a selection; nothing if its width is 0. */
void     gilk_overlay_draw_band     (cairo_t *cr, const GilkPlotStyle *style, const GdkRectangle *band);

G_END_DECLS

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-graph-overlay.h - what lies above a drawn graph: the map in a corner, the legend
 *
 * All coordinates are the widget's.
 */
#pragma once

#include "core/plot/gilk-graph-paint.h"
#include "gui/gilk-viewport.h"

G_BEGIN_DECLS

#define GILK_OVERLAY_LEGEND 44     /* pixels that the legend takes at the lower end */
#define GILK_OVERLAY_COVERS 4      /* at most as many things lie above a graph, with the map */

/* Nothing in a view that is not twice as high as the map. */
void     gilk_overlay_map      (cairo_t *cr, const GilkViewport *port, const GilkGraph *graph,
                                const GilkPlotStyle *style, const GilkGraphLook *look,
                                const GilkBox *visible);
gboolean gilk_overlay_map_place (const GilkViewport *port, GdkRectangle *map);
gboolean gilk_overlay_on_map   (const GilkViewport *port, double x, double y);
/* From a place of the map to the place of the drawing that is shown there. */
void     gilk_overlay_from_map (const GilkViewport *port, const GilkLayout *layout, double *x, double *y);
void     gilk_overlay_legend   (cairo_t *cr, const GilkViewport *port, const GilkPlotStyle *style,
                                const GilkGraphLook *look);
/* Drawn around what is to be chosen; nothing without a width. */
void     gilk_overlay_band     (cairo_t *cr, const GilkPlotStyle *style, const GdkRectangle *band);

G_END_DECLS

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-calls-canvas.h - drawing of a call graph: pan, zoom and selection of a function
 *
 * The functions are accessible children. Signal "activated" (int node): a function to open, or a
 * node for further callers or callees to expand.
 */
#pragma once

#include <gtk/gtk.h>

#include "core/plot/gilk-calls-picture.h"

G_BEGIN_DECLS

#define GILK_TYPE_CALLS_CANVAS (gilk_calls_canvas_get_type ())
G_DECLARE_FINAL_TYPE (GilkCallsCanvas, gilk_calls_canvas, GILK, CALLS_CANVAS, GtkDrawingArea)

GtkWidget        *gilk_calls_canvas_new         (void);
/* @picture: (nullable); @keep: the picture shows the same function, so the current node keeps its
 * position */
void              gilk_calls_canvas_set_picture (GilkCallsCanvas *self, GilkCallsPicture *picture, gboolean keep);
GilkCallsPicture *gilk_calls_canvas_picture     (GilkCallsCanvas *self);
/* Zooms by @factor around the centre. These constants are special factors: scale 1, and the scale
 * at which the whole graph fits. */
#define GILK_CALLS_ZOOM_ONE -1
#define GILK_CALLS_ZOOM_FIT 0
void  gilk_calls_canvas_zoom     (GilkCallsCanvas *self, double factor);

G_END_DECLS

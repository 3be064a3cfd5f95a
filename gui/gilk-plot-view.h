/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-plot-view.h - one plot with a read-out under the pointer, zoom and pan
 *
 * Owns the data it shows; painting is core/plot's. Signals "read-out" (string), and "zoomed" (two
 * doubles): what of the x axis is wanted now, NaN for all of it; whoever can, brings a figure of
 * that. Until then what is there is drawn stretched. "marked" (two doubles): what was dragged over, to
 * be given back by gilk_plot_view_set_mark(). "undo", "enter" (what is marked), "alone",
 * "note".
 *
 * Wheel: zoom at the pointer. Drag, or Shift and arrows: mark, or zoom where there are no marks. Middle button, or
 * Shift and drag: pan. Double click, 0, Escape: all; double click above the plot, F: alone. Enter: zoom to what is
 * marked. Shift and Z: undo. + and -: zoom. Ctrl and arrows: pan. Arrows: read-out. N: note.
 */
#pragma once

#include <gtk/gtk.h>

#include "core/analysis/gilk-look.h"
#include "gui/gilk-plot-data.h"

G_BEGIN_DECLS

#define GILK_TYPE_PLOT_VIEW (gilk_plot_view_get_type ())
G_DECLARE_FINAL_TYPE (GilkPlotView, gilk_plot_view, GILK, PLOT_VIEW, GtkDrawingArea)

/* (transfer full). @whole: it shows all of its x axis, which is as far as one can zoom out. */
void     gilk_plot_view_take_data (GilkPlotView *self, GilkPlotData *data, gboolean whole);
/* That part of its x axis; NaN: all. Nobody is told. */
void     gilk_plot_view_look      (GilkPlotView *self, double from, double to);
/* A part of its x axis stands out, its count and share are said; NaN: none. */
void     gilk_plot_view_set_mark  (GilkPlotView *self, double from, double to);
/* So many pixels at the right of its head lie under something else. */
void     gilk_plot_view_set_corner (GilkPlotView *self, double corner);
/* Does a drag mark? Else it zooms. */
void     gilk_plot_view_set_marks (GilkPlotView *self, gboolean marks);
/* What is marked, or else where the read-out or the pointer is; NaN: nowhere. */
GilkLookSpan gilk_plot_view_place (GilkPlotView *self);
/* What all of the x axis is, where more is known of it than the data tell. */
void     gilk_plot_view_set_whole (GilkPlotView *self, double from, double to);
/* Pictures of it say whose it is; what is around it in the window does not come with them. NULL: that is plain. */
void     gilk_plot_view_set_source (GilkPlotView *self, const char *source);
/* @words come first in the caption of the figure that is shown, and describe it until something is read out. */
void     gilk_plot_view_say       (GilkPlotView *self, const char *words);
gboolean gilk_plot_view_has_plot  (GilkPlotView *self);
/* Of a plot of bars, the one at @y of the widget; -1: none. */
int      gilk_plot_view_bar_at    (GilkPlotView *self, double y);
/* (transfer none) (nullable) */
GilkPlotData *gilk_plot_view_data (GilkPlotView *self);
/* Its data are otherwise now. */
void     gilk_plot_view_changed   (GilkPlotView *self);
/* As if 0 had been pressed. */
void     gilk_plot_view_show_all  (GilkPlotView *self);
/* Pixels of the screen that a plot of this size has, about. */
void     gilk_plot_view_pixels    (GilkPlotView *self, guint *columns, guint *rows);
/* What a picture of it has for a size, which is that of the widget, at least 100 by 80. */
void     gilk_plot_view_picture   (GilkPlotView *self, guint *width, guint *height);
/* In light colours, as for paper. */
void     gilk_plot_view_paint     (GilkPlotView *self, cairo_t *cr, double width, double height);

G_END_DECLS

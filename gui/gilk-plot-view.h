/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-plot-view.h - one plot with a read-out under the pointer, zoom and pan
 *
 * Owns the data it shows; painting is core/plot's. Signals "read-out" (string), and "zoomed" (two
 * doubles): what of the x axis is wanted now, NaN for all of it; whoever can, brings a figure of
 * that. Until then what is there is drawn stretched.
 *
 * Wheel: zoom at the pointer. Drag: zoom to what is dragged over. Middle button, or Shift and drag:
 * pan. Double click, 0, Escape: all. + and -: zoom. Ctrl and arrows: pan. Arrows: read-out.
 */
#pragma once

#include <gtk/gtk.h>

#include "core/plot/gilk-plot.h"

G_BEGIN_DECLS

typedef struct {
  GilkFigure *figure;          /* or: */
  GArray     *bars;            /* GilkBar with owned labels and notes */
  char       *title, *subtitle, *loss_note;   /* of bars */
  char       *message;         /* shown instead of bars */
} GilkPlotData;

GilkPlotData *gilk_plot_data_new  (void);
void          gilk_plot_data_free (GilkPlotData *data);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkPlotData, gilk_plot_data_free)
void          gilk_plot_data_add_bar (GilkPlotData *data, const char *label, double value, const char *note);

#define GILK_TYPE_PLOT_VIEW (gilk_plot_view_get_type ())
G_DECLARE_FINAL_TYPE (GilkPlotView, gilk_plot_view, GILK, PLOT_VIEW, GtkDrawingArea)

/* (transfer full). @whole: it shows all of its x axis, which is as far as one can zoom out. */
void     gilk_plot_view_take_data (GilkPlotView *self, GilkPlotData *data, gboolean whole);
/* @words come first in the caption of the figure that is shown, and describe it until something is read out. */
void     gilk_plot_view_say       (GilkPlotView *self, const char *words);
gboolean gilk_plot_view_has_plot  (GilkPlotView *self);
/* As if 0 had been pressed. */
void     gilk_plot_view_show_all  (GilkPlotView *self);
/* Pixels of the screen that a plot of this size has, about. */
void     gilk_plot_view_pixels    (GilkPlotView *self, guint *columns, guint *rows);
/* What an export of it has for a size, which is that of the widget, at least 100 by 80. */
void     gilk_plot_view_picture   (GilkPlotView *self, guint *width, guint *height);
/* Always in light colours, as for paper. */
gboolean gilk_plot_view_export    (GilkPlotView *self, const char *path, GilkPlotFormat format,
                                   GError **error);

G_END_DECLS

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-plot-view.h - one plot with a read-out under the pointer
 *
 * Owns the data it shows; painting is core/plot's. Signal "read-out" (string).
 */
#pragma once

#include <gtk/gtk.h>

#include "core/plot/gilk-plot.h"

G_BEGIN_DECLS

typedef enum {
  GILK_PLOT_VIEW_EMPTY,
  GILK_PLOT_VIEW_HISTOGRAM,
  GILK_PLOT_VIEW_SERIES,       /* values over time */
  GILK_PLOT_VIEW_RATE,         /* events a second over time */
  GILK_PLOT_VIEW_BARS,
} GilkPlotViewKind;

typedef struct {
  GilkPlotViewKind kind;
  GArray  *times, *values;     /* double; values NULL for a rate */
  GArray  *gaps;               /* GilkGap: where these were not measured; NULL: nowhere */
  GilkHistogram *histogram;
  GArray  *bars;               /* GilkBar with owned labels and notes */
  uint64_t cut;                /* intervals left out because of gaps */
  double   duration;           /* seconds shown by series and rate */
  char    *title, *subtitle, *x_label, *x_unit, *y_label, *loss_note;
  gboolean log_y;
  char    *message;            /* shown instead of a plot */
} GilkPlotData;

GilkPlotData *gilk_plot_data_new  (void);
void          gilk_plot_data_free (GilkPlotData *data);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkPlotData, gilk_plot_data_free)
/* For bars: the colour is filled in when painted. */
void          gilk_plot_data_add_bar (GilkPlotData *data, const char *label, double value, const char *note);

#define GILK_TYPE_PLOT_VIEW (gilk_plot_view_get_type ())
G_DECLARE_FINAL_TYPE (GilkPlotView, gilk_plot_view, GILK, PLOT_VIEW, GtkDrawingArea)

/* (transfer full) */
void     gilk_plot_view_take_data (GilkPlotView *self, GilkPlotData *data);
gboolean gilk_plot_view_has_plot  (GilkPlotView *self);
/* Always in light colours, as for paper. */
gboolean gilk_plot_view_export    (GilkPlotView *self, const char *path, GilkPlotFormat format,
                                   GError **error);

G_END_DECLS

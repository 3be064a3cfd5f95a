/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-plot-private.h - definitions shared by the painting and input code of a plot
 */
#pragma once

#include "core/figure/gilk-selection.h"
#include "gui/plot/gilk-cached-picture.h"
#include "gui/plot/gilk-plot-view.h"

G_BEGIN_DECLS

typedef enum { GILK_PLOT_DRAG_NONE, GILK_PLOT_DRAG_SELECT, GILK_PLOT_DRAG_PAN } GilkPlotDrag;

typedef enum {
  GILK_PLOT_VIEW_READ_OUT,
  GILK_PLOT_VIEW_ZOOMED,
  GILK_PLOT_VIEW_MARKED,
  GILK_PLOT_VIEW_UNDO,            /* the following only forward a key press */
  GILK_PLOT_VIEW_ENTER,
  GILK_PLOT_VIEW_SHOW_ALONE,
  GILK_PLOT_VIEW_NOTE,
  GILK_PLOT_VIEW_N_SIGNALS,
} GilkPlotViewSignal;
extern guint gilk_plot_view_signals[GILK_PLOT_VIEW_N_SIGNALS];

struct _GilkPlotView {
  GtkDrawingArea  parent_instance;

  GilkPlotData   *data;
  GilkCachedPicture picture;      /* without dragged range, mark and read-out */
  int             stop;           /* index of the read-out; -1: none */
  double          all_from, all_to;
  GilkPlotDrag    drag;
  double          drag_from, drag_to;   /* px */
  double          header_reserve; /* px at the right of the heading covered by other widgets */
  gboolean        can_mark;       /* a drag marks rather than zooms */
  gboolean        marking;        /* by arrow keys, starting at @mark_at */
  double          mark_at;
  GilkSelectionRange    mark;
  char           *marked;         /* description of the mark */
  char           *source;         /* origin of the data, shown in pictures; nullable */
  double          at;             /* x under the pointer; NaN: the pointer is elsewhere */
};

/* Returns the figure that is drawn; NULL: none, or a message in its place. */
GilkFigure *gilk_plot_view_figure     (GilkPlotView *self);
/* Returns the text shown instead of a plot. */
const char *gilk_plot_view_message   (GilkPlotView *self);
/* Returns FALSE if nothing is plotted. */
gboolean    gilk_plot_view_frame      (GilkPlotView *self, GilkPlotFrame *frame);
/* Converts @value to axis units, in which equal distances have equal width: its
 * logarithm on a log axis. */
double      gilk_plot_view_to_axis_units    (const GilkFigure *figure, double value);
void        gilk_plot_view_zoom_to    (GilkPlotView *self, double from, double to);
/* Scales the visible range by @times, around the fraction @at (0 to 1) of it. */
void        gilk_plot_view_zoom       (GilkPlotView *self, double times, double at);
void        gilk_plot_view_pan        (GilkPlotView *self, double share);
void        gilk_plot_view_show_stop  (GilkPlotView *self, int stop);
/* Shows the read-out for a pixel. */
void        gilk_plot_view_show_read_out_at (GilkPlotView *self, double x, double y);
/* Handlers of the widget class: gilk-plot-paint.c, gilk-plot-pointer.c. */
gboolean    gilk_plot_view_draw           (GtkWidget *widget, cairo_t *cr);
gboolean    gilk_plot_view_motion         (GtkWidget *widget, GdkEventMotion *event);
gboolean    gilk_plot_view_leave          (GtkWidget *widget, GdkEventCrossing *event);
gboolean    gilk_plot_view_button_press   (GtkWidget *widget, GdkEventButton *event);
gboolean    gilk_plot_view_button_release (GtkWidget *widget, GdkEventButton *event);
gboolean    gilk_plot_view_scroll         (GtkWidget *widget, GdkEventScroll *event);
gboolean    gilk_plot_view_key_press      (GtkWidget *widget, GdkEventKey *event);

G_END_DECLS

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-plot-private.h - what draws a plot and what moves it share
 */
#pragma once

#include "core/analysis/gilk-look.h"
#include "gui/gilk-kept-picture.h"
#include "gui/gilk-plot-view.h"

G_BEGIN_DECLS

typedef enum { GILK_PLOT_DRAG_NONE, GILK_PLOT_DRAG_SELECT, GILK_PLOT_DRAG_PAN } GilkPlotDrag;

typedef enum {
  GILK_PLOT_VIEW_READ_OUT,
  GILK_PLOT_VIEW_ZOOMED,
  GILK_PLOT_VIEW_MARKED,
  GILK_PLOT_VIEW_UNDO,            /* these say nothing but that they were wished */
  GILK_PLOT_VIEW_ENTER,
  GILK_PLOT_VIEW_ALONE,
  GILK_PLOT_VIEW_NOTE,
  GILK_PLOT_VIEW_N_SIGNALS,
} GilkPlotViewSignal;
extern guint gilk_plot_view_signals[GILK_PLOT_VIEW_N_SIGNALS];

struct _GilkPlotView {
  GtkDrawingArea  parent_instance;

  GilkPlotData   *data;
  GilkKeptPicture picture;        /* without what is dragged over, marked or read out */
  int             stop;           /* of the read-out, -1 none */
  double          all_from, all_to;
  GilkPlotDrag    drag;
  double          drag_from, drag_to;   /* px */
  double          corner;         /* px of the head that are not its own */
  gboolean        marks;          /* a drag marks */
  gboolean        marking;        /* with the arrows, from mark_at on */
  double          mark_at;
  GilkLookSpan    mark;
  char           *marked;         /* what was said of it */
  char           *source;         /* whose it is, in pictures; nullable */
  double          at;             /* of the x axis, under the pointer; NaN: it is elsewhere */
};

/* The figure that is drawn; NULL: none, or why there is none. */
GilkFigure *gilk_plot_view_figure     (GilkPlotView *self);
/* What is said instead of a plot. */
const char *gilk_plot_view_why_none   (GilkPlotView *self);
/* FALSE: nothing is plotted. */
gboolean    gilk_plot_view_frame      (GilkPlotView *self, GilkPlotFrame *frame);
/* In its axis' measure, in which equal distances are equally wide. */
double      gilk_plot_view_measure    (const GilkFigure *figure, double value);
void        gilk_plot_view_look_at    (GilkPlotView *self, double from, double to);
/* @times of what is seen now, around @at, 0 to 1 of it. */
void        gilk_plot_view_zoom       (GilkPlotView *self, double times, double at);
void        gilk_plot_view_pan        (GilkPlotView *self, double share);
void        gilk_plot_view_show_stop  (GilkPlotView *self, int stop);
/* Reads out what is at a pixel. */
void        gilk_plot_view_show_place (GilkPlotView *self, double x, double y);
/* Of the widget's class: gilk-plot-paint.c, gilk-plot-pointer.c. */
gboolean    gilk_plot_view_draw           (GtkWidget *widget, cairo_t *cr);
gboolean    gilk_plot_view_motion         (GtkWidget *widget, GdkEventMotion *event);
gboolean    gilk_plot_view_leave          (GtkWidget *widget, GdkEventCrossing *event);
gboolean    gilk_plot_view_button_press   (GtkWidget *widget, GdkEventButton *event);
gboolean    gilk_plot_view_button_release (GtkWidget *widget, GdkEventButton *event);
gboolean    gilk_plot_view_scroll         (GtkWidget *widget, GdkEventScroll *event);
gboolean    gilk_plot_view_key_press      (GtkWidget *widget, GdkEventKey *event);

G_END_DECLS

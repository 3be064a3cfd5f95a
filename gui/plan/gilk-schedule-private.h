/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-schedule-private.h - definitions shared by the schedule's source files
 *
 * gilk-schedule-rows.c computes rows and geometry, -edit.c handles pointer and keyboard, -arrows.c
 * and -draw.c paint, and gilk-schedule-view.c is the widget. Each file uses only files named before
 * it.
 */
#pragma once

#include "core/plan/gilk-plan-rows.h"
#include "core/plot/gilk-plot.h"
#include "gui/plan/gilk-plan-views.h"

#define GILK_SCHEDULE_AXIS 26          /* pixels: height of the axis, fixed at the top */
#define GILK_SCHEDULE_ROW  26
#define GILK_SCHEDULE_BAR  16          /* height of a hook's bar, pixels */
#define GILK_SCHEDULE_PAD  12

struct _GilkScheduleView {
  GtkDrawingArea  parent_instance;

  GilkPlanModel  *model;
  GilkPlanRows   *rows;
  gboolean        stale;                 /* the rows are out of date */
  GArray         *leaders;               /* for each hook: index of the hook after whose stop it
                                          * starts, or G_MAXUINT; NULL: no hook starts after another
                                          * one */
  uint64_t        last_ns;               /* latest start or stop of a hook */
  uint64_t        duration_ns;
  double          elapsed;
  GHashTable     *colours;               /* instrument -> a number, which selects its colour */

  GtkAdjustment  *hadjustment, *vadjustment;
  guint           hpolicy, vpolicy;
  double          zoom;                  /* zoom factor; 1: the whole time axis is visible */

  GtkGesture     *drag, *press;
  int             row;                    /* row that keys act on; -1: none yet */
  gboolean        dragging;
  int             drag_row;
  GilkTimesPart   part;                   /* part of the bar being dragged */
  int64_t         by_ns;                  /* time by which the bar was dragged so far */
  gboolean        making_follower;        /* the drag chooses the hook to start when the dragged
                                           * hook stops */
  double          follower_x, follower_y; /* position of the dragged arrowhead */
  GilkPlan       *preview_plan;           /* preview of the plan after the drag; NULL: none */
};

/* gilk-schedule-rows.c */
/* Rebuilds the rows if needed; must be called before rows are used. */
void     gilk_schedule_view_refresh   (GilkScheduleView *self);
guint    gilk_schedule_view_n_rows    (GilkScheduleView *self);
uint64_t gilk_schedule_view_span      (GilkScheduleView *self);
/* Returns the x at which the time axis starts. */
double   gilk_schedule_view_left      (GilkScheduleView *self);
double   gilk_schedule_view_right     (GilkScheduleView *self);
double   gilk_schedule_view_x         (GilkScheduleView *self, uint64_t ns);
double   gilk_schedule_view_time      (GilkScheduleView *self, double x);
double   gilk_schedule_view_row_y     (GilkScheduleView *self, guint row);
/* Returns the row at @y; -1: outside of all rows. */
int      gilk_schedule_view_row_at    (GilkScheduleView *self, double y);
/* Returns the step between labels of the time axis. Dragged bars snap to a tenth of the step. */
double   gilk_schedule_view_step      (GilkScheduleView *self);
uint64_t gilk_schedule_view_snap      (GilkScheduleView *self);
/* Shows @plan (transfer full) (nullable) in the same rows instead of the
 * model's plan; NULL ends the preview. */
void     gilk_schedule_view_preview   (GilkScheduleView *self, GilkPlan *plan);
/* Return the times of a hook, or of all hooks of a row, in the displayed plan. */
GilkPlanTimes gilk_schedule_view_times     (GilkScheduleView *self, guint hook);
GilkPlanTimes gilk_schedule_view_row_times (GilkScheduleView *self, guint row);
void     gilk_schedule_view_zoom      (GilkScheduleView *self, double factor, double x);
void     gilk_schedule_view_select_row    (GilkScheduleView *self, int row);
void     gilk_schedule_view_fold      (GilkScheduleView *self, guint row, gboolean folded);
/* Describes a row, such as "pipe_write +0x2b1 pre, count: 1s to 5s". (transfer full) */
char    *gilk_schedule_view_describe_row       (GilkScheduleView *self, guint row);
/* Rebuilds the rows, now or when the widget is shown. */
void     gilk_schedule_view_make_stale  (GilkScheduleView *self);
/* Sets the ranges of the scroll bars according to the number of rows and the zoom. */
void     gilk_schedule_view_set_ranges  (GilkScheduleView *self);

/* gilk-schedule-draw.c */
void gilk_schedule_draw (GilkScheduleView *self, cairo_t *cr);

/* gilk-schedule-arrows.c. Draws the arrows between hooks that are visible above the y coordinate
 * @bottom. */
void gilk_schedule_view_draw_arrows       (GilkScheduleView *self, cairo_t *cr, const GilkColour *colour, double bottom);
/* Draws an arrow from the dragged bar to the hook that would start after it. */
void gilk_schedule_view_draw_follow_arrow (GilkScheduleView *self, cairo_t *cr, const GilkColour *colour);

/* gilk-schedule-edit.c */
/* Returns the hook under the pointer, which would start when the dragged hook stops; -1: there is
 * none. */
int  gilk_schedule_view_get_follower (GilkScheduleView *self);
void gilk_schedule_edit_class_init (GtkWidgetClass *widget_class);
void gilk_schedule_edit_init       (GilkScheduleView *self);

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-schedule-private.h - what the schedule's source files share
 *
 * gilk-schedule-view.c is the widget and where things are in it, -draw.c and -arrows.c paint, -edit.c has
 * pointer and keys.
 */
#pragma once

#include "core/plot/gilk-plot.h"
#include "core/run/gilk-plan-rows.h"
#include "gui/gilk-schedule-view.h"

G_BEGIN_DECLS

#define GILK_SCHEDULE_AXIS 26          /* pixels: the height of the axis, which stays at the top */
#define GILK_SCHEDULE_ROW  26
#define GILK_SCHEDULE_BAR  16          /* of a hook */
#define GILK_SCHEDULE_PAD  12

struct _GilkScheduleView {
  GtkDrawingArea  parent_instance;

  GilkPlanModel  *model;
  GilkPlanRows   *rows;
  gboolean        stale;                 /* the rows are not yet those of the plan */
  GArray         *leaders;               /* of each hook the one that it follows (gilk_plan_leader_of()); NULL: none does */
  uint64_t        last_ns;               /* at which a hook of the model starts or stops */
  uint64_t        duration_ns;
  double          elapsed;
  GHashTable     *colours;               /* instrument -> its number, in the order they came */

  GtkAdjustment  *hadjustment, *vadjustment;
  guint           hpolicy, vpolicy;
  double          zoom;                  /* 1: all of the time is in view */

  GtkGesture     *drag, *press;
  int             row;                   /* for keys; -1: none yet */
  gboolean        dragging;
  int             drag_row;
  GilkTimesPart   part;                  /* of it that is dragged, */
  int64_t         by_ns;                 /* and how far: */
  gboolean        tying;                 /* not its time is dragged, but what is to start when it stops */
  double          tie_x, tie_y;          /* to where */
  GilkPlan       *what_if;               /* the plan that it would be if it was let go now; NULL: as it is */
};

/* gilk-schedule-view.c */
/* Makes the rows if need be; to be called before they are looked at. */
void     gilk_schedule_view_refresh   (GilkScheduleView *self);
guint    gilk_schedule_view_n_rows    (GilkScheduleView *self);
uint64_t gilk_schedule_view_span      (GilkScheduleView *self);
double   gilk_schedule_view_left      (GilkScheduleView *self);      /* where the time begins */
double   gilk_schedule_view_right     (GilkScheduleView *self);
double   gilk_schedule_view_x         (GilkScheduleView *self, uint64_t ns);
double   gilk_schedule_view_time      (GilkScheduleView *self, double x);
double   gilk_schedule_view_row_y     (GilkScheduleView *self, guint row);
/* -1: none */
int      gilk_schedule_view_row_at    (GilkScheduleView *self, double y);
/* Of the axis; bars snap to a tenth of it. */
double   gilk_schedule_view_step      (GilkScheduleView *self);
uint64_t gilk_schedule_view_snap      (GilkScheduleView *self);
/* @plan: (transfer full) (nullable): shown instead of the model's, by the same rows; NULL: the model's is shown */
void     gilk_schedule_view_imagine   (GilkScheduleView *self, GilkPlan *plan);
/* Times of a hook, or of all of a function, in the plan that is shown. */
GilkPlanTimes gilk_schedule_view_times     (GilkScheduleView *self, guint hook);
GilkPlanTimes gilk_schedule_view_row_times (GilkScheduleView *self, guint row);
void     gilk_schedule_view_zoom      (GilkScheduleView *self, double factor, double x);
void     gilk_schedule_view_choose    (GilkScheduleView *self, int row);
void     gilk_schedule_view_fold      (GilkScheduleView *self, guint row, gboolean folded);
/* "pipe_write +0x2b1 pre, count: 1s to 5s". (transfer full) */
char    *gilk_schedule_view_say       (GilkScheduleView *self, guint row);
void     gilk_schedule_view_open      (GilkScheduleView *self, int hook);
void     gilk_schedule_view_fail      (GilkScheduleView *self, const GError *error);
/* The hook there, other than the one that is dragged, that would start when that one stops; -1: none */
int      gilk_schedule_view_tie_to    (GilkScheduleView *self);

/* gilk-schedule-draw.c */
gboolean gilk_schedule_view_draw      (GtkWidget *widget, cairo_t *cr);

/* gilk-schedule-arrows.c: of those in view, above @bottom */
void     gilk_schedule_view_draw_arrows (GilkScheduleView *self, cairo_t *cr, const GilkColour *colour, double bottom);
/* From what is dragged to what would follow it. */
void     gilk_schedule_view_draw_tie    (GilkScheduleView *self, cairo_t *cr, const GilkColour *colour);

/* gilk-schedule-edit.c */
void     gilk_schedule_edit_class_init (GtkWidgetClass *widget_class);
void     gilk_schedule_edit_init       (GilkScheduleView *self);

G_END_DECLS

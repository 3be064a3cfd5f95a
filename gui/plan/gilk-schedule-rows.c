/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-schedule-rows.c - rows and time axis of the schedule: geometry, selection, visible part
 */
#include "gui/plan/gilk-schedule-private.h"

#include <glib/gi18n.h>
#include <math.h>

#include "core/plan/gilk-plan-schedule.h"
#include "gui/base/gilk-text.h"

#define LABELS_MAX_PX  250
#define ZOOM_MAX    1e6
#define SPAN_MIN_NS   (10 * G_GUINT64_CONSTANT (1000000000))

/* ---- positions of times and rows ---- */

uint64_t
gilk_schedule_view_span (GilkScheduleView *self)
{
  uint64_t span = MAX (self->duration_ns, self->last_ns);

  if (self->duration_ns == 0)
    span = MAX (MAX (span + span / 4, (uint64_t) (MAX (self->elapsed, 0) * 1.1e9)), SPAN_MIN_NS);

  return span;
}

double
gilk_schedule_view_left (GilkScheduleView *self)
{
  return CLAMP (gtk_widget_get_allocated_width (GTK_WIDGET (self)) * 0.36, 60, LABELS_MAX_PX);
}

double
gilk_schedule_view_right (GilkScheduleView *self)
{
  return gtk_widget_get_allocated_width (GTK_WIDGET (self)) - GILK_SCHEDULE_PAD - 8;
}

/* Returns the width of the whole time axis in pixels. */
static double
get_time_width (GilkScheduleView *self)
{
  return MAX (gilk_schedule_view_right (self) - gilk_schedule_view_left (self), 1) * self->zoom;
}

static double
get_offset (GtkAdjustment *adjustment)
{
  return adjustment != NULL ? gtk_adjustment_get_value (adjustment) : 0;
}

double
gilk_schedule_view_x (GilkScheduleView *self,
                      uint64_t          ns)
{
  return gilk_schedule_view_left (self) - get_offset (self->hadjustment) +
         get_time_width (self) * ((double) ns / (double) gilk_schedule_view_span (self));
}

double
gilk_schedule_view_time (GilkScheduleView *self,
                         double            x)
{
  return (x - gilk_schedule_view_left (self) + get_offset (self->hadjustment)) / get_time_width (self) *
         (double) gilk_schedule_view_span (self);
}

double
gilk_schedule_view_row_y (GilkScheduleView *self,
                          guint             row)
{
  return GILK_SCHEDULE_AXIS + row * (double) GILK_SCHEDULE_ROW - get_offset (self->vadjustment);
}

int
gilk_schedule_view_row_at (GilkScheduleView *self,
                           double            y)
{
  int row = (int) floor ((y - GILK_SCHEDULE_AXIS + get_offset (self->vadjustment)) / GILK_SCHEDULE_ROW);

  return y >= GILK_SCHEDULE_AXIS && row >= 0 && row < (int) gilk_schedule_view_n_rows (self) ? row : -1;
}

double
gilk_schedule_view_step (GilkScheduleView *self)
{
  double raw = (double) gilk_schedule_view_span (self) / self->zoom / 8, unit = pow (10, floor (log10 (raw)));
  double step = raw / unit > 5 ? 10 * unit : raw / unit > 2 ? 5 * unit : raw / unit > 1 ? 2 * unit : unit;

  return MAX (step, 1);
}

uint64_t
gilk_schedule_view_snap (GilkScheduleView *self)
{
  return (uint64_t) MAX (gilk_schedule_view_step (self) / 10, 1);
}

/* ---- computing the rows ---- */

static void
update_last_time (GilkScheduleView *self)
{
  const GilkPlan *plan = gilk_plan_model_plan (self->model);

  self->last_ns = 0;
  for (guint i = 0; i < plan->hooks->len; i++)
    {
      const GilkPlanHook *hook = g_ptr_array_index (plan->hooks, i);

      self->last_ns = MAX (self->last_ns, MAX (hook->start_ns, hook->stop_ns));
    }
}

static void
set_range (GtkAdjustment *adjustment, double upper, double page, double step)
{
  if (adjustment == NULL)
    return;
  upper = MAX (upper, page);
  gtk_adjustment_configure (adjustment, CLAMP (gtk_adjustment_get_value (adjustment), 0, upper - page), 0, upper, step,
                            page * 0.9, page);
}

void
gilk_schedule_view_set_ranges (GilkScheduleView *self)
{
  double rows = MAX (gtk_widget_get_allocated_height (GTK_WIDGET (self)) - GILK_SCHEDULE_AXIS, 1);

  set_range (self->vadjustment, gilk_plan_rows_count (self->rows) * (double) GILK_SCHEDULE_ROW + 8, rows, GILK_SCHEDULE_ROW);
  set_range (self->hadjustment, get_time_width (self), get_time_width (self) / self->zoom, 40);
}

void
gilk_schedule_view_refresh (GilkScheduleView *self)
{
  if (!self->stale || self->model == NULL)
    return;

  self->stale = FALSE;
  update_last_time (self);
  gilk_schedule_view_preview (self, NULL);
  gilk_plan_rows_update (self->rows, gilk_plan_model_plan (self->model));
  if (self->row >= (int) gilk_plan_rows_count (self->rows))
    self->row = (int) gilk_plan_rows_count (self->rows) - 1;
  gilk_schedule_view_set_ranges (self);
}

guint
gilk_schedule_view_n_rows (GilkScheduleView *self)
{
  gilk_schedule_view_refresh (self);

  return gilk_plan_rows_count (self->rows);
}

static const GilkPlan *
get_shown_plan (GilkScheduleView *self)
{
  return self->preview_plan != NULL ? self->preview_plan : gilk_plan_model_plan (self->model);
}

void
gilk_schedule_view_preview (GilkScheduleView *self,
                            GilkPlan         *plan)
{
  g_clear_pointer (&self->preview_plan, gilk_plan_unref);
  self->preview_plan = plan;
  g_clear_pointer (&self->leaders, g_array_unref);
  self->leaders = gilk_plan_leader_indices (get_shown_plan (self));
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

GilkPlanTimes
gilk_schedule_view_times (GilkScheduleView *self,
                          guint             hook)
{
  const GilkPlanHook *planned = g_ptr_array_index (get_shown_plan (self)->hooks, hook);

  return (GilkPlanTimes) { planned->start_ns, planned->stop_ns };
}

/* Returns the earliest start and the latest stop of @hooks. */
static GilkPlanTimes
join_times (GilkScheduleView *self,
            const GArray     *hooks)
{
  GilkPlanTimes all = { G_MAXUINT64, 1 };

  for (guint i = 0; i < hooks->len; i++)
    {
      GilkPlanTimes times = gilk_schedule_view_times (self, g_array_index (hooks, guint, i));

      all.start_ns = MIN (all.start_ns, times.start_ns);
      all.stop_ns = times.stop_ns == 0 || all.stop_ns == 0 ? 0 : MAX (all.stop_ns, times.stop_ns);
    }

  return all;
}

GilkPlanTimes
gilk_schedule_view_row_times (GilkScheduleView *self,
                              guint             row)
{
  const GilkPlanGroup *group = gilk_plan_rows_group (self->rows, row);
  g_autoptr(GArray) hooks = NULL;

  if (gilk_plan_rows_get (self->rows, row)->hook >= 0)
    return gilk_schedule_view_times (self, gilk_plan_rows_get (self->rows, row)->hook);
  if (self->preview_plan == NULL)
    return (GilkPlanTimes) { group->start_ns, group->stop_ns };
  hooks = gilk_plan_rows_hooks (self->rows, row);

  return join_times (self, hooks);
}

static char *
describe_follower (const GilkPlanHook *hook, const char *what, const char *start, const char *stop)
{
  g_autofree char *later = gilk_format_duration (hook->leader_delay_ns);

  if (hook->leader_delay_ns == 0)
    return g_strdup_printf (_("%s: %s to %s; starts when %s stops"), what, start, stop, hook->leader);

  return g_strdup_printf (_("%s: %s to %s; starts when %s stops, delayed by %s"), what, start, stop, hook->leader, later);
}

char *
gilk_schedule_view_describe_row (GilkScheduleView *self,
                                 guint             row)
{
  const GilkPlanGroup *group = gilk_plan_rows_group (self->rows, row);
  const GilkPlanTimes times = gilk_schedule_view_row_times (self, row);
  int index = gilk_plan_rows_get (self->rows, row)->hook;
  g_autofree char *start = gilk_text_format_duration (times.start_ns, "0s");
  g_autofree char *stop = times.stop_ns != 0 ? gilk_format_duration (times.stop_ns) : g_strdup (_("the end of the run"));
  g_autofree char *what = NULL;

  if (index >= 0)
    {
      const GilkPlanHook *hook = gilk_plan_model_hook (self->model, index);
      g_autofree char *name = gilk_text_hook (hook);

      what = g_strdup_printf ("%s %s, %s", name, gilk_text_edge (hook), hook->instrument);
    }
  else
    what = g_strdup_printf (g_dngettext (NULL, "%s, %u hook", "%s, %u hooks", group->n_hooks), group->function,
                            group->n_hooks);

  if (index >= 0 && gilk_plan_model_hook (self->model, index)->leader != NULL)
    return describe_follower (gilk_plan_model_hook (self->model, index), what, start, stop);

  return g_strdup_printf (_("%s: %s to %s"), what, start, stop);
}

/* ---- selecting, zooming and folding rows ---- */

void
gilk_schedule_view_select_row (GilkScheduleView *self,
                               int               row)
{
  AtkObject *accessible = gtk_widget_get_accessible (GTK_WIDGET (self));

  self->row = CLAMP (row, -1, (int) gilk_schedule_view_n_rows (self) - 1);
  if (self->row >= 0)
    {
      g_autofree char *said = gilk_schedule_view_describe_row (self, self->row);

      atk_object_set_description (accessible, said);
      if (self->vadjustment != NULL)
        gtk_adjustment_clamp_page (self->vadjustment, self->row * (double) GILK_SCHEDULE_ROW,
                                   (self->row + 1) * (double) GILK_SCHEDULE_ROW);
    }
  else
    atk_object_set_description (accessible, "");
  gtk_widget_queue_draw (GTK_WIDGET (self));
  if (self->row >= 0 && gilk_plan_rows_get (self->rows, self->row)->hook >= 0)
    g_signal_emit_by_name (self, "chosen", gilk_plan_rows_get (self->rows, self->row)->hook);
}

void
gilk_schedule_view_zoom (GilkScheduleView *self,
                         double            factor,
                         double            x)
{
  double at = gilk_schedule_view_time (self, x), zoom = CLAMP (self->zoom * factor, 1, ZOOM_MAX);

  if (zoom == self->zoom)
    return;
  self->zoom = zoom;
  gilk_schedule_view_set_ranges (self);
  if (self->hadjustment != NULL)
    gtk_adjustment_set_value (self->hadjustment, gtk_adjustment_get_value (self->hadjustment) +
                              gilk_schedule_view_x (self, (uint64_t) MAX (at, 0)) - x);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
gilk_schedule_view_make_stale (GilkScheduleView *self)
{
  self->stale = TRUE;
  /* The plan has changed, so drop the preview of a drag, which was made from the plan before the
   * change. */
  g_clear_pointer (&self->preview_plan, gilk_plan_unref);
  if (gtk_widget_get_mapped (GTK_WIDGET (self)))
    gilk_schedule_view_refresh (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
gilk_schedule_view_fold (GilkScheduleView *self,
                         guint             row,
                         gboolean          folded)
{
  gilk_plan_rows_fold (self->rows, gilk_plan_rows_get (self->rows, row)->group, folded);
  gilk_schedule_view_make_stale (self);
}

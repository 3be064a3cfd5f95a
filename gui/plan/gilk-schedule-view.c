/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-schedule-view.c - the schedule: a bar per hook, moved by pointer and keys
 *
 * A plan may have tens of thousands of hooks: rows are rebuilt lazily, only visible ones are
 * painted, and the widget implements scrolling itself, because an X window cannot be as high as all
 * of them.
 */
#include "gui/plan/gilk-schedule-private.h"

#include <glib/gi18n.h>
#include <math.h>

#include "core/plan/gilk-plan-leader.h"
#include "gui/base/gilk-text.h"

#define LABELS_MAX_PX  250
#define ZOOM_MAX    1e6
#define SPAN_MIN_NS   (10 * G_GUINT64_CONSTANT (1000000000))

G_DEFINE_TYPE_WITH_CODE (GilkScheduleView, gilk_schedule_view, GTK_TYPE_DRAWING_AREA,
                         G_IMPLEMENT_INTERFACE (GTK_TYPE_SCROLLABLE, NULL))

enum { PROP_0, PROP_HADJUSTMENT, PROP_VADJUSTMENT, PROP_HSCROLL_POLICY, PROP_VSCROLL_POLICY };
enum { OPENED, FAILED, CHOSEN, N_SIGNALS };
static guint signals[N_SIGNALS];

/* ---- geometry ---- */

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

/* Returns the width of the whole time in pixels. */
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

/* ---- rows ---- */

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

static void
set_ranges (GilkScheduleView *self)
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
  set_ranges (self);
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

/* Returns the first start and the last stop. */
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

/* ---- selection and view ---- */

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
    g_signal_emit (self, signals[CHOSEN], 0, gilk_plan_rows_get (self->rows, self->row)->hook);
}

void
gilk_schedule_view_select_hook (GilkScheduleView *self,
                                int               hook)
{
  const int n = (int) gilk_schedule_view_n_rows (self);

  if (self->row >= 0 && self->row < n && gilk_plan_rows_get (self->rows, self->row)->hook == hook)
    return;
  for (int row = 0; row < n; row++)
    if (gilk_plan_rows_get (self->rows, row)->hook == hook)
      {
        gilk_schedule_view_select_row (self, row);
        return;
      }
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
  set_ranges (self);
  if (self->hadjustment != NULL)
    gtk_adjustment_set_value (self->hadjustment, gtk_adjustment_get_value (self->hadjustment) +
                              gilk_schedule_view_x (self, (uint64_t) MAX (at, 0)) - x);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
make_stale (GilkScheduleView *self)
{
  self->stale = TRUE;
  g_clear_pointer (&self->preview_plan, gilk_plan_unref);     /* the preview is of another plan */
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
  make_stale (self);
}

void
gilk_schedule_view_fold_all (GilkScheduleView *self,
                             gboolean          folded)
{
  gilk_plan_rows_fold_all (self->rows, folded);
  make_stale (self);
}

void
gilk_schedule_view_search (GilkScheduleView *self,
                           const char       *text)
{
  gilk_plan_rows_search (self->rows, text);
  make_stale (self);
}

void
gilk_schedule_view_emit_opened (GilkScheduleView *self,
                                int               hook)
{
  g_signal_emit (self, signals[OPENED], 0, hook);
}

void
gilk_schedule_view_emit_failed (GilkScheduleView *self,
                                const GError     *error)
{
  g_signal_emit (self, signals[FAILED], 0, error);
}

void
gilk_schedule_view_share_selection (GilkScheduleView *self,
                                    GilkPlanTable    *table)
{
  g_signal_connect_object (table, "selected", G_CALLBACK (gilk_schedule_view_select_hook), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self, "chosen", G_CALLBACK (gilk_plan_table_select), table, G_CONNECT_SWAPPED);
}

void
gilk_schedule_view_set_model (GilkScheduleView *self,
                              GilkPlanModel    *model)
{
  self->model = g_object_ref (model);
  g_signal_connect_object (model, "changed", G_CALLBACK (make_stale), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (model, "status-changed", G_CALLBACK (gtk_widget_queue_draw), self, G_CONNECT_SWAPPED);
  make_stale (self);
}

void
gilk_schedule_view_set_time (GilkScheduleView *self,
                             uint64_t          duration_ns,
                             double            elapsed)
{
  if (self->duration_ns == duration_ns && self->elapsed == elapsed)
    return;
  self->duration_ns = duration_ns;
  self->elapsed = elapsed;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

/* ---- widget ---- */

static void
set_adjustment (GilkScheduleView *self,
                GtkAdjustment   **where,
                GtkAdjustment    *adjustment)
{
  if (*where != NULL)
    g_signal_handlers_disconnect_by_func (*where, gtk_widget_queue_draw, self);
  g_set_object (where, adjustment);
  if (adjustment != NULL)
    g_signal_connect_object (adjustment, "value-changed", G_CALLBACK (gtk_widget_queue_draw), self, G_CONNECT_SWAPPED);
  set_ranges (self);
}

static void
gilk_schedule_view_set_property (GObject      *object,
                                 guint         id,
                                 const GValue *value,
                                 GParamSpec   *spec)
{
  GilkScheduleView *self = GILK_SCHEDULE_VIEW (object);

  if (id == PROP_HADJUSTMENT)
    set_adjustment (self, &self->hadjustment, g_value_get_object (value));
  else if (id == PROP_VADJUSTMENT)
    set_adjustment (self, &self->vadjustment, g_value_get_object (value));
  else if (id == PROP_HSCROLL_POLICY)
    self->hpolicy = (guint) g_value_get_enum (value);
  else
    self->vpolicy = (guint) g_value_get_enum (value);
}

static void
gilk_schedule_view_get_property (GObject    *object,
                                 guint       id,
                                 GValue     *value,
                                 GParamSpec *spec)
{
  GilkScheduleView *self = GILK_SCHEDULE_VIEW (object);

  if (id == PROP_HADJUSTMENT)
    g_value_set_object (value, self->hadjustment);
  else if (id == PROP_VADJUSTMENT)
    g_value_set_object (value, self->vadjustment);
  else
    g_value_set_enum (value, (int) (id == PROP_HSCROLL_POLICY ? self->hpolicy : self->vpolicy));
}

static void
gilk_schedule_view_size_allocate (GtkWidget     *widget,
                                  GtkAllocation *allocation)
{
  GTK_WIDGET_CLASS (gilk_schedule_view_parent_class)->size_allocate (widget, allocation);
  set_ranges (GILK_SCHEDULE_VIEW (widget));
}

static void
gilk_schedule_view_map (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (gilk_schedule_view_parent_class)->map (widget);
  gilk_schedule_view_refresh (GILK_SCHEDULE_VIEW (widget));
}

static gboolean
gilk_schedule_view_query_tooltip (GtkWidget  *widget,
                                  int         x,
                                  int         y,
                                  gboolean    keyboard,
                                  GtkTooltip *tooltip)
{
  GilkScheduleView *self = GILK_SCHEDULE_VIEW (widget);
  int row = keyboard ? self->row : gilk_schedule_view_row_at (self, y);
  g_autofree char *said = row >= 0 && row < (int) gilk_schedule_view_n_rows (self) && !self->dragging
    ? gilk_schedule_view_describe_row (self, row) : NULL;

  gtk_tooltip_set_text (tooltip, said);

  return said != NULL;
}

static void
gilk_schedule_view_finalize (GObject *object)
{
  GilkScheduleView *self = GILK_SCHEDULE_VIEW (object);

  g_clear_object (&self->model);
  g_clear_object (&self->drag);
  g_clear_object (&self->press);
  g_clear_object (&self->hadjustment);
  g_clear_object (&self->vadjustment);
  gilk_plan_rows_free (self->rows);
  g_clear_pointer (&self->leaders, g_array_unref);
  g_clear_pointer (&self->preview_plan, gilk_plan_unref);
  g_hash_table_unref (self->colours);
  G_OBJECT_CLASS (gilk_schedule_view_parent_class)->finalize (object);
}

static void
gilk_schedule_view_class_init (GilkScheduleViewClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->finalize = gilk_schedule_view_finalize;
  object_class->set_property = gilk_schedule_view_set_property;
  object_class->get_property = gilk_schedule_view_get_property;
  widget_class->draw = gilk_schedule_view_draw;
  widget_class->size_allocate = gilk_schedule_view_size_allocate;
  widget_class->map = gilk_schedule_view_map;
  widget_class->query_tooltip = gilk_schedule_view_query_tooltip;
  gilk_schedule_edit_class_init (widget_class);
  g_object_class_override_property (object_class, PROP_HADJUSTMENT, "hadjustment");
  g_object_class_override_property (object_class, PROP_VADJUSTMENT, "vadjustment");
  g_object_class_override_property (object_class, PROP_HSCROLL_POLICY, "hscroll-policy");
  g_object_class_override_property (object_class, PROP_VSCROLL_POLICY, "vscroll-policy");
  signals[FAILED] = g_signal_new ("failed", GILK_TYPE_SCHEDULE_VIEW, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1,
                                  G_TYPE_ERROR);
  signals[CHOSEN] = g_signal_new ("chosen", GILK_TYPE_SCHEDULE_VIEW, G_SIGNAL_RUN_LAST,
                                  0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_INT);
  signals[OPENED] = g_signal_new ("opened", GILK_TYPE_SCHEDULE_VIEW, G_SIGNAL_RUN_LAST,
                                  0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_INT);
}

static void
gilk_schedule_view_init (GilkScheduleView *self)
{
  GtkWidget *widget = GTK_WIDGET (self);

  self->elapsed = -1;
  self->zoom = 1;
  self->row = -1;
  self->rows = gilk_plan_rows_new ();
  self->colours = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  gtk_widget_set_can_focus (widget, TRUE);
  gtk_widget_set_has_tooltip (widget, TRUE);
  atk_object_set_name (gtk_widget_get_accessible (widget), _("Schedule of the planned hooks"));
  gilk_schedule_edit_init (self);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-schedule-view.c - the schedule: a bar per hook, moved by pointer and keys
 *
 * A plan may have tens of thousands of hooks: rows are rebuilt lazily, only visible ones are
 * painted, and the widget implements scrolling itself, because an X window cannot be as high as all
 * rows.
 */
#include "gui/plan/gilk-schedule-private.h"

#include <glib/gi18n.h>

#include "gui/base/gilk-object.h"

G_DEFINE_TYPE_WITH_CODE (GilkScheduleView, gilk_schedule_view, GTK_TYPE_DRAWING_AREA,
                         G_IMPLEMENT_INTERFACE (GTK_TYPE_SCROLLABLE, NULL))

enum { PROP_0, PROP_HADJUSTMENT, PROP_VADJUSTMENT, PROP_HSCROLL_POLICY, PROP_VSCROLL_POLICY };
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
gilk_schedule_view_fold_all (GilkScheduleView *self,
                             gboolean          folded)
{
  gilk_plan_rows_fold_all (self->rows, folded);
  gilk_schedule_view_make_stale (self);
}

void
gilk_schedule_view_search (GilkScheduleView *self,
                           const char       *text)
{
  gilk_plan_rows_search (self->rows, text);
  gilk_schedule_view_make_stale (self);
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
  g_signal_connect_object (model, "changed", G_CALLBACK (gilk_schedule_view_make_stale), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (model, "status-changed", G_CALLBACK (gtk_widget_queue_draw), self, G_CONNECT_SWAPPED);
  gilk_schedule_view_make_stale (self);
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

/* ---- GtkWidget and GObject methods ---- */

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
  gilk_schedule_view_set_ranges (self);
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
  gilk_schedule_view_set_ranges (GILK_SCHEDULE_VIEW (widget));
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

static gboolean
gilk_schedule_view_draw (GtkWidget *widget,
                         cairo_t   *cr)
{
  gilk_schedule_draw (GILK_SCHEDULE_VIEW (widget), cr);

  return GDK_EVENT_PROPAGATE;
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
  gilk_add_signal (klass, "failed", 1, G_TYPE_ERROR);
  gilk_add_signal (klass, "chosen", 1, G_TYPE_INT);
  gilk_add_signal (klass, "opened", 1, G_TYPE_INT);
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

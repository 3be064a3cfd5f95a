/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-schedule-page.c - page of the window: the plan's schedule in full size, and its settings
 */
#include "gui/plan/gilk-plan-panel.h"

#include <glib/gi18n.h>

#include "gui/base/gilk-object.h"
#include "gui/base/gilk-windows.h"
#include "gui/plan/gilk-plan-dialogs.h"
#include "gui/plan/gilk-plan-file.h"
#include "gui/plan/gilk-plan-views.h"

struct _GilkSchedulePage {
  GtkPaned parent_instance;

  GilkPlanModel      *model;
  GilkBanner         *banner;
  GilkStopPopover    *stop_popover;
  char               *conflict;            /* result of gilk_schedule_page_conflict() */

  GtkEntry           *search, *intervals_entry;
  GilkPlanFileButton *file;
  GtkMenuButton      *arrange_button, *conditions_button;
  GtkLabel           *conditions_label;
  GilkLengthEntry    *length;
  GilkScheduleView   *schedule;
  GilkPlanTable      *table;
};

G_DEFINE_FINAL_TYPE (GilkSchedulePage, gilk_schedule_page, GTK_TYPE_PANED)

static void
emit_opened (GilkSchedulePage *self,
             int               hook)
{
  g_signal_emit_by_name (self, "opened", hook);
}

static void
search_changed (GilkSchedulePage *self)
{
  const char *text = gtk_entry_get_text (self->search);

  gilk_schedule_view_search (self->schedule, text);
  gilk_plan_table_search (self->table, text);
}

/* ---- entry for the A/B intervals ---- */

static void
mark_intervals_entry (GilkSchedulePage *self,
                      const char       *problem)
{
  gilk_entry_show_problem (self->intervals_entry, problem,
                           _("Measure the effect of the hooks on the kernel: hooks are switched "
                             "off in a random half of the intervals. Enter the length of an "
                             "interval, such as 100ms, or 100ms,42 with a seed. Control hooks stay "
                             "on; the results show what control hooks recorded."));
}

/* Stores why the A/B intervals conflict with the plan, and reports a new conflict; NULL: no
 * conflict. While there is a conflict, Run and Save are disabled. */
static void
set_conflict (GilkSchedulePage *self,
              const char       *problem)
{
  if (problem != NULL && g_strcmp0 (self->conflict, problem) != 0)
    gilk_banner_show (self->banner, "conflict", GTK_MESSAGE_WARNING, problem, NULL, NULL);
  else if (problem == NULL)
    gilk_banner_withdraw (self->banner, "conflict");
  g_free (self->conflict);
  self->conflict = g_strdup (problem);
  mark_intervals_entry (self, problem);
}

static void
show_intervals (GilkSchedulePage *self)
{
  const GilkPlan *plan = gilk_plan_model_plan (self->model);
  g_autofree char *text = plan->interleave.period_ns > 0 ? gilk_format_interleave (&plan->interleave) : g_strdup ("");
  g_autoptr(GError) error = NULL;

  if (plan->hooks->len > 0)
    gilk_plan_check_interleave (plan, &error);
  gtk_entry_set_text (self->intervals_entry, text);
  set_conflict (self, error != NULL ? error->message : NULL);
}

void
gilk_schedule_page_enter_intervals (GilkSchedulePage *self)
{
  g_autofree char *text = g_strstrip (g_strdup (gtk_entry_get_text (self->intervals_entry)));
  g_autoptr(GError) error = NULL;
  GilkPlanInterleave interleave = { 0 };

  if (text[0] != '\0' && !gilk_parse_interleave (text, &interleave, &error))
    set_conflict (self, error->message);
  else
    {
      gilk_plan_model_set_intervals (self->model, &interleave);
      show_intervals (self);
    }
  g_signal_emit_by_name (self, "checked");
}

/* Marks the entry as invalid while the user types, if its text is. The text is set in the plan only
 * when the entry loses the focus. */
static void
intervals_typed (GilkSchedulePage *self)
{
  g_autofree char *text = g_strstrip (g_strdup (gtk_entry_get_text (self->intervals_entry)));
  g_autoptr(GError) error = NULL;
  GilkPlanInterleave interleave = { 0 };

  if (text[0] != '\0')
    gilk_parse_interleave (text, &interleave, &error);
  mark_intervals_entry (self, error != NULL ? error->message : NULL);
}

static gboolean
intervals_left (GilkSchedulePage *self)
{
  /* While the window is being closed, the entry may lose the focus after @model was dropped. */
  if (self->model != NULL)
    gilk_schedule_page_enter_intervals (self);

  return GDK_EVENT_PROPAGATE;
}

/* ---- the page and its widgets ---- */

const char *
gilk_schedule_page_conflict (GilkSchedulePage *self)
{
  return self->conflict;
}

void
gilk_schedule_page_set_bound (GilkSchedulePage    *self,
                              const GilkBoundPlan *bound)
{
  gilk_stop_popover_set_bound (self->stop_popover, bound);
}

void
gilk_schedule_page_set_time (GilkSchedulePage *self,
                             uint64_t          duration_ns,
                             double            elapsed)
{
  gilk_schedule_view_set_time (self->schedule, duration_ns, elapsed);
}

void
gilk_schedule_page_panes (GilkSchedulePage *self,
                          GtkWidget       **schedule,
                          GtkWidget       **table)
{
  *schedule = GTK_WIDGET (self->schedule);
  *table = GTK_WIDGET (self->table);
}

void
gilk_schedule_page_set_model (GilkSchedulePage *self,
                              GActionMap       *actions,
                              GilkPlanModel    *model,
                              GilkPlanAutosave *autosave,
                              GilkConnection   *connection,
                              GilkBanner       *banner,
                              GtkEntryBuffer   *length)
{
  self->model = g_object_ref (model);
  self->banner = g_object_ref (banner);
  gtk_entry_set_buffer (GTK_ENTRY (self->length), length);
  gilk_length_entry_set_model (self->length, model);
  gilk_plan_table_set_model (self->table, model, connection);
  gilk_schedule_view_set_model (self->schedule, model);
  gilk_schedule_view_share_selection (self->schedule, self->table);
  gilk_arrange_popover_new (self->arrange_button, model);
  self->stop_popover = gilk_stop_popover_new (self->conditions_button, self->conditions_label, model, actions);
  gilk_plan_file_button_follow (self->file, autosave);
  g_signal_connect_object (self->table, "failed", G_CALLBACK (gilk_banner_show_error), banner, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->schedule, "failed", G_CALLBACK (gilk_banner_show_error), banner, G_CONNECT_SWAPPED);
  g_signal_connect_object (model, "changed", G_CALLBACK (show_intervals), self, G_CONNECT_SWAPPED);
  show_intervals (self);
}

static void
gilk_schedule_page_dispose (GObject *object)
{
  GilkSchedulePage *self = GILK_SCHEDULE_PAGE (object);

  if (self->model != NULL)
    g_signal_handlers_disconnect_by_data (self->model, self);
  g_clear_object (&self->model);
  g_clear_object (&self->banner);
  g_clear_pointer (&self->conflict, g_free);
  G_OBJECT_CLASS (gilk_schedule_page_parent_class)->dispose (object);
}

static void
gilk_schedule_page_class_init (GilkSchedulePageClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = gilk_schedule_page_dispose;
  gilk_add_signal (klass, "opened", 1, G_TYPE_INT);
  gilk_add_signal (klass, "checked", 0);
  g_type_ensure (GILK_TYPE_HINT);
  g_type_ensure (GILK_TYPE_LENGTH_ENTRY);
  g_type_ensure (GILK_TYPE_PLAN_FILE_BUTTON);
  g_type_ensure (GILK_TYPE_PLAN_TABLE);
  g_type_ensure (GILK_TYPE_SCHEDULE_VIEW);
  gtk_widget_class_set_template_from_resource (widget_class, "/org/gilk/Workbench/ui/schedule-page.ui");
#define BIND(name) gtk_widget_class_bind_template_child (widget_class, GilkSchedulePage, name)
  BIND (search);
  BIND (file);
  BIND (intervals_entry);
  BIND (arrange_button);
  BIND (conditions_button);
  BIND (conditions_label);
  BIND (length);
  BIND (schedule);
  BIND (table);
#undef BIND
#define CALLBACK(name) gtk_widget_class_bind_template_callback (widget_class, name)
  CALLBACK (emit_opened);
  CALLBACK (search_changed);
  CALLBACK (gilk_schedule_page_enter_intervals);
  CALLBACK (intervals_typed);
  CALLBACK (intervals_left);
#undef CALLBACK
}

static void
gilk_schedule_page_init (GilkSchedulePage *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

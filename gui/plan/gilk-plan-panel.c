/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-plan-panel.c - the plan below the graph: table, schedule, and the settings of its runs
 */
#include "gui/plan/gilk-plan-panel.h"

#include <glib/gi18n.h>

#include "gui/base/gilk-object.h"
#include "gui/base/gilk-panes.h"
#include "gui/base/gilk-windows.h"
#include "gui/plan/gilk-plan-dialogs.h"
#include "gui/plan/gilk-plan-file.h"
#include "gui/plan/gilk-plan-views.h"

#define PANEL_HEAD 34            /* pixels: height of the schedule's axis and a space below it */
#define PANEL_ROW  26
#define PANEL_ROWS 5             /* minimum number of visible rows; rows that show functions count
                                  * as well */

struct _GilkPlanPanel {
  GtkBox parent_instance;

  GilkPlanModel      *model;
  GtkLabel           *label;
  GilkPlanFileButton *file;
  GtkMenuButton      *check_button;
  GtkLabel           *check_label;
  GtkWidget          *undo_button, *redo_button, *remove_button, *watchpoint_button;
  GtkWidget          *hint, *body;         /* @hint replaces @body while the plan is empty */
  GtkEntry           *runs_entry;
  GilkLengthEntry    *length;
  GilkPlanTable      *table;
  GilkScheduleView   *schedule;
};

G_DEFINE_FINAL_TYPE (GilkPlanPanel, gilk_plan_panel, GTK_TYPE_BOX)

static void
emit_opened (GilkPlanPanel *self,
             int            hook)
{
  g_signal_emit_by_name (self, "opened", hook);
}

/* Shrinks the panel to one line for an empty plan; otherwise makes it high enough for the first
 * hooks, or as high as the user has made it. */
static void
update_height (GilkPlanPanel *self,
               guint          n)
{
  gtk_widget_set_visible (self->hint, n == 0);
  gtk_widget_set_visible (self->body, n > 0);
  if (n == 0)
    g_object_set (gtk_widget_get_parent (GTK_WIDGET (self)), "position-set", FALSE, NULL);
  gtk_widget_set_size_request (self->body, -1, PANEL_HEAD + PANEL_ROW * (int) CLAMP (n + 1, 1, PANEL_ROWS));
}

static void
plan_changed (GilkPlanPanel *self)
{
  guint n = gilk_plan_model_n_hooks (self->model);
  g_autofree char *text = n == 0 ? g_strdup (_("Plan"))
                          : g_strdup_printf (g_dngettext (NULL, "Plan · %u hook", "Plan · %u hooks", n), n);

  gtk_label_set_text (self->label, text);
  update_height (self, n);
}

GilkLengthEntry *
gilk_plan_panel_length (GilkPlanPanel *self)
{
  return self->length;
}

guint
gilk_plan_panel_n_runs (GilkPlanPanel *self)
{
  return MAX (1, g_ascii_strtoull (gtk_entry_get_text (self->runs_entry), NULL, 10));
}

void
gilk_plan_panel_set_time (GilkPlanPanel *self,
                          uint64_t       duration_ns,
                          double         elapsed)
{
  gilk_schedule_view_set_time (self->schedule, duration_ns, elapsed);
}

void
gilk_plan_panel_remove_selected (GilkPlanPanel *self)
{
  gilk_plan_table_remove_selected (self->table);
}

void
gilk_plan_panel_set_model (GilkPlanPanel    *self,
                           GtkWindow        *window,
                           GilkPlanModel    *model,
                           GilkPlanAutosave *autosave,
                           GilkConnection   *connection,
                           GilkBanner       *banner)
{
  self->model = g_object_ref (model);
  gilk_panes_show_by_width (window, self->watchpoint_button, GILK_PANES_WORDS_WIDTH, TRUE);
  gilk_panes_set_icon_and_label (window, self->undo_button, "edit-undo-symbolic", _("Undo"));
  gilk_panes_set_icon_and_label (window, self->redo_button, "edit-redo-symbolic", _("Redo"));
  gilk_panes_set_icon_and_label (window, self->remove_button, "user-trash-symbolic", _("Remove"));
  gilk_length_entry_set_model (self->length, model);
  gilk_plan_table_set_model (self->table, model, connection);
  gilk_schedule_view_set_model (self->schedule, model);
  gilk_schedule_view_share_selection (self->schedule, self->table);
  gilk_check_popover_new (self->check_button, self->check_label, model);
  gilk_plan_file_button_follow (self->file, autosave);
  g_signal_connect_object (self->table, "failed", G_CALLBACK (gilk_banner_show_error), banner, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->schedule, "failed", G_CALLBACK (gilk_banner_show_error), banner, G_CONNECT_SWAPPED);
  g_signal_connect_object (model, "changed", G_CALLBACK (plan_changed), self, G_CONNECT_SWAPPED);
  plan_changed (self);
}

static void
gilk_plan_panel_dispose (GObject *object)
{
  GilkPlanPanel *self = GILK_PLAN_PANEL (object);

  if (self->model != NULL)
    g_signal_handlers_disconnect_by_data (self->model, self);
  g_clear_object (&self->model);
  G_OBJECT_CLASS (gilk_plan_panel_parent_class)->dispose (object);
}

static void
gilk_plan_panel_class_init (GilkPlanPanelClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = gilk_plan_panel_dispose;
  gilk_add_signal (klass, "opened", 1, G_TYPE_INT);
  g_type_ensure (GILK_TYPE_HINT);
  g_type_ensure (GILK_TYPE_LENGTH_ENTRY);
  g_type_ensure (GILK_TYPE_PLAN_FILE_BUTTON);
  g_type_ensure (GILK_TYPE_PLAN_TABLE);
  g_type_ensure (GILK_TYPE_SCHEDULE_VIEW);
  gtk_widget_class_set_template_from_resource (widget_class, "/org/gilk/Workbench/ui/plan-panel.ui");
#define BIND(name) gtk_widget_class_bind_template_child (widget_class, GilkPlanPanel, name)
  BIND (label);
  BIND (file);
  BIND (check_button);
  BIND (check_label);
  BIND (undo_button);
  BIND (redo_button);
  BIND (remove_button);
  BIND (watchpoint_button);
  BIND (hint);
  BIND (body);
  BIND (runs_entry);
  BIND (length);
  BIND (table);
  BIND (schedule);
#undef BIND
  gtk_widget_class_bind_template_callback (widget_class, emit_opened);
}

static void
gilk_plan_panel_init (GilkPlanPanel *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-target-list.c - quick list of targets: running labs, and machines connected before
 */
#include "gui/fleet/gilk-fleet-window.h"

#include <glib/gi18n.h>

#include "core/link/gilk-lab.h"
#include "gui/base/gilk-settings.h"

#define MACHINES_MAX 5
#define WAYS_MAX    64

struct _GilkTargetList {
  GtkBox     parent;
  GSettings *settings;        /* NULL: the schema is missing */
  GtkBox    *labs, *machines;
};

G_DEFINE_TYPE (GilkTargetList, gilk_target_list, GTK_TYPE_BOX)

/* Returns whether the target has a button outside of the list, so that the list can omit it. */
static gboolean
is_always_there (const char *spec)
{
  static const char *const specs[] = { "lab", "lab:6.1", "lab:6.12", "local", NULL };

  return g_strv_contains (specs, spec);
}

void
gilk_target_list_remember (GSettings  *settings,
                           const char *spec)
{
  g_auto(GStrv) before = g_settings_get_strv (settings, "targets");
  g_autoptr(GPtrArray) kept = g_ptr_array_new ();

  if (is_always_there (spec) || gilk_lab_name (spec) != NULL)
    return;
  g_ptr_array_add (kept, (gpointer) spec);
  for (guint i = 0; before[i] != NULL && kept->len < MACHINES_MAX; i++)
    if (!g_str_equal (before[i], spec))
      g_ptr_array_add (kept, before[i]);
  g_ptr_array_add (kept, NULL);
  g_settings_set_strv (settings, "targets", (const char *const *) kept->pdata);
}

/* ---- way to hook each target's kernel: driver or BPF ---- */

enum gilk_way
gilk_target_list_way (GSettings  *settings,
                      const char *spec)
{
  g_auto(GStrv) by_bpf = g_settings_get_strv (settings, "targets-by-bpf");

  return g_strv_contains ((const char *const *) by_bpf, spec) ? GILK_WAY_BPF : GILK_WAY_ILK;
}

void
gilk_target_list_remember_way (GSettings    *settings,
                               const char   *spec,
                               enum gilk_way way)
{
  g_auto(GStrv) before = g_settings_get_strv (settings, "targets-by-bpf");
  g_autoptr(GPtrArray) kept = g_ptr_array_new ();

  if (way == GILK_WAY_BPF)
    g_ptr_array_add (kept, (gpointer) spec);
  for (guint i = 0; before[i] != NULL && kept->len < WAYS_MAX; i++)
    if (!g_str_equal (before[i], spec))
      g_ptr_array_add (kept, before[i]);
  g_ptr_array_add (kept, NULL);
  g_settings_set_strv (settings, "targets-by-bpf", (const char *const *) kept->pdata);
}

/* ---- rows of labs and machines ---- */

static void
add_row (GtkBox     *box,
         const char *spec)
{
  GtkWidget *row = gtk_model_button_new ();

  g_object_set (row, "text", spec, NULL);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (row), "win.connect");
  gtk_actionable_set_action_target_value (GTK_ACTIONABLE (row), g_variant_new_string (spec));
  gtk_widget_show (row);
  gtk_container_add (GTK_CONTAINER (box), row);
}

static void
destroy_row (GtkWidget *row,
             gpointer   user_data)
{
  gtk_widget_destroy (row);
}

static void
clear_section (GtkBox     *box,
               const char *title)
{
  GtkWidget *label = gtk_label_new (title);

  gtk_container_foreach (GTK_CONTAINER (box), destroy_row, NULL);
  gtk_label_set_xalign (GTK_LABEL (label), 0.0f);
  gtk_style_context_add_class (gtk_widget_get_style_context (label), "section");
  gtk_widget_set_margin_top (label, 6);
  gtk_widget_show (label);
  gtk_container_add (GTK_CONTAINER (box), label);
  gtk_widget_hide (GTK_WIDGET (box));
}

static void
show_machines (GilkTargetList *self)
{
  g_auto(GStrv) specs = self->settings != NULL ? g_settings_get_strv (self->settings, "targets") : g_new0 (char *, 1);

  clear_section (self->machines, _("Recent targets"));
  for (guint i = 0; specs[i] != NULL; i++)
    add_row (self->machines, specs[i]);
  gtk_widget_set_visible (GTK_WIDGET (self->machines), specs[0] != NULL);
}

static void
find_labs (GTask        *task,
           gpointer      source,
           gpointer      task_data,
           GCancellable *cancellable)
{
  g_task_return_pointer (task, gilk_lab_list_running (), (GDestroyNotify) g_strfreev);
}

static void
labs_found (GObject      *object,
            GAsyncResult *result,
            gpointer      user_data)
{
  GilkTargetList *self = GILK_TARGET_LIST (object);
  g_auto(GStrv) names = g_task_propagate_pointer (G_TASK (result), NULL);

  if (gtk_widget_in_destruction (GTK_WIDGET (self)))
    return;
  clear_section (self->labs, _("Running labs"));
  for (guint i = 0; names[i] != NULL; i++)
    {
      g_autofree char *spec = g_strconcat ("lab:", names[i], NULL);

      if (is_always_there (spec))
        continue;
      add_row (self->labs, spec);
      gtk_widget_show (GTK_WIDGET (self->labs));
    }
}

static void
gilk_target_list_map (GtkWidget *widget)
{
  g_autoptr(GTask) task = g_task_new (widget, NULL, labs_found, NULL);

  GTK_WIDGET_CLASS (gilk_target_list_parent_class)->map (widget);
  show_machines (GILK_TARGET_LIST (widget));
  g_task_run_in_thread (task, find_labs);
}

/* ---- GObject life cycle ---- */

static void
gilk_target_list_finalize (GObject *object)
{
  g_clear_object (&GILK_TARGET_LIST (object)->settings);

  G_OBJECT_CLASS (gilk_target_list_parent_class)->finalize (object);
}

static void
gilk_target_list_class_init (GilkTargetListClass *class)
{
  G_OBJECT_CLASS (class)->finalize = gilk_target_list_finalize;
  GTK_WIDGET_CLASS (class)->map = gilk_target_list_map;
}

static GtkBox *
new_section (GilkTargetList *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 4);

  gtk_container_add (GTK_CONTAINER (self), box);

  return GTK_BOX (box);
}

static void
gilk_target_list_init (GilkTargetList *self)
{
  gtk_orientable_set_orientation (GTK_ORIENTABLE (self), GTK_ORIENTATION_VERTICAL);
  self->settings = gilk_settings_new (NULL);
  self->labs = new_section (self);
  self->machines = new_section (self);
}

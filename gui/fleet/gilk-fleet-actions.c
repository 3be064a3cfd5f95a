/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-fleet-actions.c - actions on the results of a fleet run, and its equivalent command
 */
#include "gui/fleet/gilk-fleet-window-private.h"

#include "gui/run/gilk-recorder.h"
#include "gui/base/gilk-settings.h"
#include "gui/base/gilk-text.h"

guint
gilk_fleet_n_rows (const GilkFleetWindow *self)
{
  return (guint) gtk_tree_model_iter_n_children (GTK_TREE_MODEL (self->store), NULL);
}

void
gilk_fleet_show_error (GilkFleetWindow *self, const GError *error)
{
  gtk_label_set_text (self->problems, error->message);
  gtk_widget_show (self->problems_box);
}

/* ---- results ---- */

/* Looks up the run of @row; returns FALSE if its target has recorded none. Targets may have been removed since. */
static gboolean
find_recorded_run (GilkFleetWindow *self, guint row, GilkFleetMember *member)
{
  GtkTreeModel *rows = GTK_TREE_MODEL (self->store);
  GtkTreeIter iter;
  guint number;

  if (self->fleet == NULL || !gtk_tree_model_iter_nth_child (rows, &iter, NULL, (int) row))
    return FALSE;
  gtk_tree_model_get (rows, &iter, COLUMN_MEMBER, &number, -1);
  if (number == 0 || number > gilk_fleet_n_members (self->fleet))
    return FALSE;
  gilk_fleet_member (self->fleet, number - 1, member);

  return member->run_number > 0;
}

void
gilk_fleet_open_session (GilkFleetWindow *self, guint row, const char *action)
{
  GilkFleetMember member;

  if (find_recorded_run (self, row, &member))
    g_action_group_activate_action (G_ACTION_GROUP (self->parent), action, g_variant_new_string (member.path));
}

/* Returns the selected row, or the first with a recorded run; the number of rows if none has. */
static guint
choose_row (GilkFleetWindow *self)
{
  GtkTreeIter iter;
  g_autoptr(GtkTreePath) path = NULL;
  GilkFleetMember member;
  guint row = 0;

  if (gtk_tree_selection_get_selected (gtk_tree_view_get_selection (self->tree), NULL, &iter))
    path = gtk_tree_model_get_path (GTK_TREE_MODEL (self->store), &iter);
  if (path != NULL && find_recorded_run (self, (guint) gtk_tree_path_get_indices (path)[0], &member))
    return (guint) gtk_tree_path_get_indices (path)[0];
  while (row < gilk_fleet_n_rows (self) && !find_recorded_run (self, row, &member))
    row++;

  return row;
}

void
gilk_fleet_open_results (GilkFleetWindow *self)
{
  gilk_fleet_open_session (self, choose_row (self), "open-path");
}

/* Opens the results, and those of the next recorded member in a column beside them. */
void
gilk_fleet_open_comparison (GilkFleetWindow *self)
{
  const guint n_rows = gilk_fleet_n_rows (self), row = choose_row (self);
  GilkFleetMember member;

  gilk_fleet_open_session (self, row, "open-path");
  for (guint step = 1; step < n_rows; step++)
    if (find_recorded_run (self, (row + step) % n_rows, &member))
      {
        gilk_fleet_open_session (self, (row + step) % n_rows, "open-beside");
        break;
      }
}

/* ---- command ---- */

/* Returns the equivalent gilk command. (transfer full) (nullable) */
static char *
format_command (GilkFleetWindow *self, GError **error)
{
  g_autofree char *path = gilk_run_command_save_plan (self->plan, error), *session = NULL;
  g_autoptr(GPtrArray) targets = g_ptr_array_new_with_free_func (g_free);
  GtkTreeIter iter;
  gboolean more = gtk_tree_model_get_iter_first (GTK_TREE_MODEL (self->store), &iter);

  for (; more; more = gtk_tree_model_iter_next (GTK_TREE_MODEL (self->store), &iter))
    {
      char *spec;

      gtk_tree_model_get (GTK_TREE_MODEL (self->store), &iter, COLUMN_SPEC, &spec, -1);
      g_ptr_array_add (targets, spec);
    }
  g_ptr_array_add (targets, NULL);
  session = path != NULL ? gilk_settings_new_session_path (self->settings, error) : NULL;

  return session == NULL ? NULL
         : gilk_fleet_command (path, (char *const *) targets->pdata, gtk_entry_get_text (self->length),
                               gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (self->partial)), session);
}

void
gilk_fleet_copy_command (GilkFleetWindow *self)
{
  g_autoptr(GError) error = NULL;
  g_autofree char *command = format_command (self, &error), *folded = NULL;

  if (command == NULL)
    {
      gilk_fleet_show_error (self, error);
      return;
    }
  gtk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self->window), GDK_SELECTION_CLIPBOARD), command, -1);
  folded = gilk_text_fold_commands (command, 100);
  gtk_label_set_text (self->command, folded);
  gtk_widget_show (GTK_WIDGET (self->command));
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-fleet-acts.c - actions on the results of a fleet run, and its equivalent command
 */
#include "gui/gilk-fleet-parts.h"

#include "gui/gilk-run-command.h"
#include "gui/gilk-settings.h"
#include "gui/gilk-text.h"

guint
gilk_fleet_n_rows (const GilkFleetParts *self)
{
  return (guint) gtk_tree_model_iter_n_children (GTK_TREE_MODEL (self->store), NULL);
}

void
gilk_fleet_show_error (GilkFleetParts *self, const GError *error)
{
  gtk_label_set_text (self->told, error->message);
  gtk_widget_show (self->told_box);
}

/* ---- results ---- */

/* Looks up the run of @row; returns FALSE if its target has recorded none. Targets may have been removed since. */
static gboolean
recorded_run (GilkFleetParts *self, guint row, GilkFleetMember *member)
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
gilk_fleet_open_session (GilkFleetParts *self, guint row, const char *action)
{
  GilkFleetMember member;

  if (recorded_run (self, row, &member))
    g_action_group_activate_action (G_ACTION_GROUP (self->parent), action, g_variant_new_string (member.path));
}

/* Returns the selected row, or the first with a recorded run; the number of rows if none has. */
static guint
row_to_open (GilkFleetParts *self)
{
  GtkTreeIter iter;
  g_autoptr(GtkTreePath) path = NULL;
  GilkFleetMember member;
  guint row = 0;

  if (gtk_tree_selection_get_selected (gtk_tree_view_get_selection (self->tree), NULL, &iter))
    path = gtk_tree_model_get_path (GTK_TREE_MODEL (self->store), &iter);
  if (path != NULL && recorded_run (self, (guint) gtk_tree_path_get_indices (path)[0], &member))
    return (guint) gtk_tree_path_get_indices (path)[0];
  while (row < gilk_fleet_n_rows (self) && !recorded_run (self, row, &member))
    row++;

  return row;
}

void
gilk_fleet_open_results (GilkFleetParts *self)
{
  gilk_fleet_open_session (self, row_to_open (self), "open-path");
}

/* Opens the results, and those of the next recorded member in a column beside them. */
void
gilk_fleet_open_beside (GilkFleetParts *self)
{
  const guint n_rows = gilk_fleet_n_rows (self), row = row_to_open (self);
  GilkFleetMember member;

  gilk_fleet_open_session (self, row, "open-path");
  for (guint step = 1; step < n_rows; step++)
    if (recorded_run (self, (row + step) % n_rows, &member))
      {
        gilk_fleet_open_session (self, (row + step) % n_rows, "open-beside");
        break;
      }
}

/* ---- command ---- */

/* Returns the equivalent gilk command. (transfer full) (nullable) */
static char *
command_of (GilkFleetParts *self, GError **error)
{
  g_autofree char *path = gilk_run_command_keep (self->plan, error), *session = NULL;
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
gilk_fleet_copy_command (GilkFleetParts *self)
{
  g_autoptr(GError) error = NULL;
  g_autofree char *command = command_of (self, &error), *folded = NULL;

  if (command == NULL)
    {
      gilk_fleet_show_error (self, error);
      return;
    }
  gtk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self->window), GDK_SELECTION_CLIPBOARD), command, -1);
  folded = gilk_text_folded (command, 100);
  gtk_label_set_text (self->command, folded);
  gtk_widget_show (GTK_WIDGET (self->command));
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-window-plan-file.c - the plan's file: open, save, revert
 *
 * A plan without a file is saved automatically as well (gui/plan/gilk-plan-autosave.h). Replacing a
 * changed plan asks first.
 */
#include "gui/window/gilk-window-private.h"

#include <glib/gi18n.h>

#include "gui/base/gilk-file-dialog.h"
#include "gui/base/gilk-recent-files.h"
#include "gui/run/gilk-run-command.h"

#define NAME_CHARS 28

/* ---- saving ---- */

static void
save_to_path (gpointer    object,
              const char *path,
              const char *word)
{
  GilkWindow *self = object;

  gilk_plan_model_set_origin (self->model, gilk_connection_release (self->connection),
                              gilk_connection_build_id (self->connection));
  gilk_plan_autosave_save (self->autosave, path);
}

static void
save_plan_as (GSimpleAction *action,
              GVariant      *parameter,
              gpointer       user_data)
{
  GilkWindow *self = user_data;
  const char *file = gilk_plan_autosave_file (self->autosave);
  g_autofree char *name = file != NULL ? g_path_get_basename (file) : g_strdup ("hooks.plan");

  g_clear_pointer (&self->next_plan_path, g_free);
  gilk_file_dialog_save (GTK_WINDOW (self), _("Save the plan"), _("_Save"), name, save_to_path, self, NULL);
}

static void
save_plan (GSimpleAction *action,
           GVariant      *parameter,
           gpointer       user_data)
{
  GilkWindow *self = user_data;
  const char *file = gilk_plan_autosave_file (self->autosave);

  g_clear_pointer (&self->next_plan_path, g_free);
  if (file != NULL)
    save_to_path (self, file, NULL);
  else
    save_plan_as (action, parameter, user_data);
}

static void
plan_saved (GilkWindow *self,
            const char *path)
{
  g_autofree char *command = gilk_run_command (path, gilk_connection_spec (self->connection),
                                               gtk_entry_get_text (self->length_entry), NULL);
  g_autofree char *text = g_strdup_printf (_("Saved. The same run as a command: %s"), command);
  g_autofree char *next = g_steal_pointer (&self->next_plan_path);

  gilk_recent_files_add (self->settings, path);
  if (next != NULL)
    gilk_plan_autosave_open (self->autosave, next);
  else
    gilk_banner_remark (self->banner, GTK_MESSAGE_INFO, text, NULL, NULL);
}

/* ---- replacing the plan ---- */

enum { OPEN_ANYWAY = 1, SAVE_FIRST };

static void
question_answered (GtkDialog *dialog,
                   int        response,
                   gpointer   user_data)
{
  GilkWindow *self = user_data;
  const char *file = gilk_plan_autosave_file (self->autosave);
  g_autofree char *path = g_strdup (g_object_get_data (G_OBJECT (dialog), "path"));

  gtk_widget_destroy (GTK_WIDGET (dialog));
  if (response == OPEN_ANYWAY)
    gilk_plan_autosave_open (self->autosave, path);
  else if (response == SAVE_FIRST)
    {
      if (file != NULL)
        save_to_path (self, file, NULL);
      else
        gilk_file_dialog_save (GTK_WINDOW (self), _("Save the plan"), _("_Save"), "hooks.plan", save_to_path, self, NULL);
      g_free (self->next_plan_path);
      self->next_plan_path = g_steal_pointer (&path);
    }
}

static void
ask_about_changes (GilkWindow *self,
                   const char *path)
{
  const char *file = gilk_plan_autosave_file (self->autosave);
  g_autofree char *old = file != NULL ? g_path_get_basename (file) : NULL;
  g_autofree char *new = g_path_get_basename (path);
  g_autofree char *text = old != NULL ? g_strdup_printf (_("The plan has changed since it was saved as %s."), old)
                                      : g_strdup (_("The plan is not saved to a file."));
  GtkWidget *dialog = gtk_message_dialog_new (GTK_WINDOW (self), GTK_DIALOG_MODAL | GTK_DIALOG_DESTROY_WITH_PARENT,
                                              GTK_MESSAGE_QUESTION, GTK_BUTTONS_NONE, "%s", text);

  gtk_message_dialog_format_secondary_text (GTK_MESSAGE_DIALOG (dialog), _("%s will replace it. Undo restores it."), new);
  gtk_dialog_add_buttons (GTK_DIALOG (dialog), _("_Cancel"), GTK_RESPONSE_CANCEL, _("_Open Without Saving"), OPEN_ANYWAY,
                          _("_Save First"), SAVE_FIRST, NULL);
  gtk_dialog_set_default_response (GTK_DIALOG (dialog), SAVE_FIRST);
  g_object_set_data_full (G_OBJECT (dialog), "path", g_strdup (path), g_free);
  g_signal_connect_object (dialog, "response", G_CALLBACK (question_answered), self, 0);
  gtk_window_present (GTK_WINDOW (dialog));
}

void
gilk_window_open_plan (GilkWindow *self,
                       const char *path)
{
  if (gilk_plan_autosave_is_modified (self->autosave) && gilk_plan_model_n_hooks (self->model) > 0)
    ask_about_changes (self, path);
  else
    gilk_plan_autosave_open (self->autosave, path);
}

static void
plan_opened (GilkWindow *self)
{
  gtk_stack_set_visible_child_name (self->mode_stack, "schedule");
}

static void
revert_plan (GSimpleAction *action,
             GVariant      *parameter,
             gpointer       user_data)
{
  GilkWindow *self = user_data;

  if (gilk_plan_autosave_file (self->autosave) != NULL)
    gilk_plan_autosave_open (self->autosave, gilk_plan_autosave_file (self->autosave));
}

static void
new_plan (GSimpleAction *action,
          GVariant      *parameter,
          gpointer       user_data)
{
  GilkWindow *self = user_data;

  if (gilk_plan_model_n_hooks (self->model) > 0)
    gilk_plan_model_replace_plan (self->model, gilk_plan_new ());
  gilk_plan_autosave_detach_file (self->autosave);
}

/* ---- file name ---- */

static GMenuModel *
new_file_menu (void)
{
  GMenu *menu = g_menu_new ();

  g_menu_append (menu, _("_Save Plan"), "win.save-plan");
  g_menu_append (menu, _("Sa_ve Plan As…"), "win.save-plan-as");
  g_menu_append (menu, _("Revert to Saved _File"), "win.revert-plan");

  return G_MENU_MODEL (menu);
}

/* Adds a menu button after @before. Returns its label, which shows the file name. */
static GtkLabel *
add_button (GtkWidget *before)
{
  GtkWidget *box = gtk_widget_get_parent (before);
  GtkWidget *button = gtk_menu_button_new ();
  GtkLabel *label = GTK_LABEL (gtk_label_new (NULL));
  g_autoptr(GMenuModel) menu = new_file_menu ();
  int position;

  gtk_label_set_ellipsize (label, PANGO_ELLIPSIZE_MIDDLE);
  gtk_label_set_max_width_chars (label, NAME_CHARS);
  gtk_widget_show (GTK_WIDGET (label));
  gtk_container_add (GTK_CONTAINER (button), GTK_WIDGET (label));
  gtk_button_set_relief (GTK_BUTTON (button), GTK_RELIEF_NONE);
  gtk_menu_button_set_menu_model (GTK_MENU_BUTTON (button), menu);
  gtk_widget_set_no_show_all (button, TRUE);
  gtk_container_child_get (GTK_CONTAINER (box), before, "position", &position, NULL);
  gtk_box_pack_start (GTK_BOX (box), button, FALSE, FALSE, 0);
  gtk_box_reorder_child (GTK_BOX (box), button, position + 1);

  return label;
}

static void
show_name (GilkWindow *self)
{
  const char *file = gilk_plan_autosave_file (self->autosave);
  gboolean differs = gilk_plan_autosave_is_modified (self->autosave);
  GAction *revert_action = g_action_map_lookup_action (G_ACTION_MAP (self), "revert-plan");
  g_autofree char *name = file != NULL ? g_path_get_basename (file) : NULL;
  g_autofree char *text = name != NULL ? g_strdup_printf (differs ? "%s ●" : "%s", name) : NULL;
  g_autofree char *tip = file == NULL ? NULL : differs ? g_strdup_printf (_("%s: changed since it was saved"), file)
                                                       : g_strdup_printf (_("%s: no unsaved changes"), file);

  g_simple_action_set_enabled (G_SIMPLE_ACTION (revert_action), file != NULL && differs);
  for (guint i = 0; i < G_N_ELEMENTS (self->plan_names); i++)
    {
      GtkWidget *button = gtk_widget_get_parent (GTK_WIDGET (self->plan_names[i]));

      gtk_label_set_text (self->plan_names[i], text != NULL ? text : "");
      gtk_widget_set_visible (button, file != NULL);
      gtk_widget_set_tooltip_text (button, tip);
      if (tip != NULL)
        atk_object_set_name (gtk_widget_get_accessible (button), tip);
    }
}

void
gilk_window_plan_file_init (GilkWindow *self)
{
  static const GActionEntry entries[] = {
    { "save-plan", save_plan }, { "save-plan-as", save_plan_as }, { "revert-plan", revert_plan }, { "new-plan", new_plan },
  };

  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
  self->plan_names[0] = add_button (GTK_WIDGET (self->plan_label));
  self->plan_names[1] = add_button (GTK_WIDGET (self->schedule_search));
  g_signal_connect_object (self->autosave, "opened", G_CALLBACK (plan_opened), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->autosave, "saved", G_CALLBACK (plan_saved), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->autosave, "changed", G_CALLBACK (show_name), self, G_CONNECT_SWAPPED);
  show_name (self);
}

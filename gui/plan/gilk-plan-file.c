/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-plan-file.c - the plan's file: open, save, revert
 */
#include "gui/plan/gilk-plan-file.h"

#include <glib/gi18n.h>

#include "gui/base/gilk-files.h"
#include "gui/base/gilk-object.h"
#include "gui/run/gilk-recorder.h"

struct _GilkPlanFile {
  GObject parent_instance;

  GtkWindow        *window;              /* unowned; outlives this object */
  GtkEntry         *length;              /* entry for the length of runs (unowned) */
  GilkPlanAutosave *autosave;
  GilkPlanModel    *model;
  GilkConnection   *connection;
  GSettings        *settings;
  GilkBanner       *banner;
  GSimpleAction    *revert_action;
  char             *next_path;           /* path of the plan to open once the current plan is saved;
                                          * NULL: none */
};

G_DEFINE_FINAL_TYPE (GilkPlanFile, gilk_plan_file, G_TYPE_OBJECT)

/* ---- saving the plan ---- */

static void
save_to_path (gpointer    object,
              const char *path,
              const char *word)
{
  GilkPlanFile *self = object;

  gilk_plan_model_set_origin (self->model, gilk_connection_release (self->connection),
                              gilk_connection_build_id (self->connection));
  gilk_plan_autosave_save (self->autosave, path);
}

static void
save_plan_as (GSimpleAction *action,
              GVariant      *parameter,
              gpointer       user_data)
{
  GilkPlanFile *self = user_data;
  const char *file = gilk_plan_autosave_file (self->autosave);
  g_autofree char *name = file != NULL ? g_path_get_basename (file) : g_strdup ("hooks.plan");

  g_clear_pointer (&self->next_path, g_free);
  gilk_file_dialog_save (self->window, _("Save the plan"), _("_Save"), name, save_to_path, self, NULL);
}

static void
save_plan (GSimpleAction *action,
           GVariant      *parameter,
           gpointer       user_data)
{
  GilkPlanFile *self = user_data;
  const char *file = gilk_plan_autosave_file (self->autosave);

  g_clear_pointer (&self->next_path, g_free);
  if (file != NULL)
    save_to_path (self, file, NULL);
  else
    save_plan_as (action, parameter, user_data);
}

static void
plan_saved (GilkPlanFile *self,
            const char *path)
{
  g_autofree char *command = gilk_run_command (path, gilk_connection_spec (self->connection), gilk_connection_way (self->connection),
                                               gtk_entry_get_text (self->length), NULL);
  g_autofree char *text = g_strdup_printf (_("Saved. The same run as a command: %s"), command);
  g_autofree char *next = g_steal_pointer (&self->next_path);

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
  GilkPlanFile *self = user_data;
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
        gilk_file_dialog_save (self->window, _("Save the plan"), _("_Save"), "hooks.plan", save_to_path, self, NULL);
      g_free (self->next_path);
      self->next_path = g_steal_pointer (&path);
    }
}

static void
ask_about_changes (GilkPlanFile *self,
                   const char *path)
{
  const char *file = gilk_plan_autosave_file (self->autosave);
  g_autofree char *old = file != NULL ? g_path_get_basename (file) : NULL;
  g_autofree char *new = g_path_get_basename (path);
  g_autofree char *text = old != NULL ? g_strdup_printf (_("The plan has changed since it was saved as %s."), old)
                                      : g_strdup (_("The plan is not saved to a file."));
  GtkWidget *dialog = gtk_message_dialog_new (self->window, GTK_DIALOG_MODAL | GTK_DIALOG_DESTROY_WITH_PARENT,
                                              GTK_MESSAGE_QUESTION, GTK_BUTTONS_NONE, "%s", text);

  gtk_message_dialog_format_secondary_text (GTK_MESSAGE_DIALOG (dialog),
                                            _("%s will replace this plan. “Undo” brings this plan back."),
                                            new);
  gtk_dialog_add_buttons (GTK_DIALOG (dialog), _("_Cancel"), GTK_RESPONSE_CANCEL, _("_Open Without Saving"), OPEN_ANYWAY,
                          _("_Save First"), SAVE_FIRST, NULL);
  gtk_dialog_set_default_response (GTK_DIALOG (dialog), SAVE_FIRST);
  g_object_set_data_full (G_OBJECT (dialog), "path", g_strdup (path), g_free);
  g_signal_connect_object (dialog, "response", G_CALLBACK (question_answered), self, 0);
  gtk_window_present (GTK_WINDOW (dialog));
}

void
gilk_plan_file_open (GilkPlanFile *self,
                       const char *path)
{
  if (gilk_plan_autosave_is_modified (self->autosave) && gilk_plan_model_n_hooks (self->model) > 0)
    ask_about_changes (self, path);
  else
    gilk_plan_autosave_open (self->autosave, path);
}

static void
revert_plan (GSimpleAction *action,
             GVariant      *parameter,
             gpointer       user_data)
{
  GilkPlanFile *self = user_data;

  if (gilk_plan_autosave_file (self->autosave) != NULL)
    gilk_plan_autosave_open (self->autosave, gilk_plan_autosave_file (self->autosave));
}

static void
new_plan (GSimpleAction *action,
          GVariant      *parameter,
          gpointer       user_data)
{
  GilkPlanFile *self = user_data;

  if (gilk_plan_model_n_hooks (self->model) > 0)
    gilk_plan_model_replace_plan (self->model, gilk_plan_new ());
  gilk_plan_autosave_detach_file (self->autosave);
}

/* ---- construction and GObject life cycle ---- */

static void
emit_opened (GilkPlanFile *self)
{
  g_signal_emit_by_name (self, "opened");
}

static void
update_revert (GilkPlanFile *self)
{
  g_simple_action_set_enabled (self->revert_action, gilk_plan_autosave_file (self->autosave) != NULL &&
                               gilk_plan_autosave_is_modified (self->autosave));
}

GilkPlanFile *
gilk_plan_file_new (GtkApplicationWindow *window,
                    GilkPlanAutosave     *autosave,
                    GilkPlanModel        *model,
                    GilkConnection       *connection,
                    GSettings            *settings,
                    GilkBanner           *banner,
                    GtkEntry             *length)
{
  static const GActionEntry entries[] = {
    { "save-plan", save_plan }, { "save-plan-as", save_plan_as }, { "revert-plan", revert_plan }, { "new-plan", new_plan },
  };
  GilkPlanFile *self = g_object_new (GILK_TYPE_PLAN_FILE, NULL);

  self->window = GTK_WINDOW (window);
  self->length = length;
  self->autosave = g_object_ref (autosave);
  self->model = g_object_ref (model);
  self->connection = g_object_ref (connection);
  self->settings = g_object_ref (settings);
  self->banner = g_object_ref (banner);
  g_action_map_add_action_entries (G_ACTION_MAP (window), entries, G_N_ELEMENTS (entries), self);
  self->revert_action = g_object_ref (G_SIMPLE_ACTION (g_action_map_lookup_action (G_ACTION_MAP (window), "revert-plan")));
  g_signal_connect_object (autosave, "opened", G_CALLBACK (emit_opened), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (autosave, "saved", G_CALLBACK (plan_saved), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (autosave, "changed", G_CALLBACK (update_revert), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (autosave, "failed", G_CALLBACK (gilk_banner_show_error), banner, G_CONNECT_SWAPPED);
  update_revert (self);

  return self;
}

static void
gilk_plan_file_dispose (GObject *object)
{
  GilkPlanFile *self = GILK_PLAN_FILE (object);

  if (self->autosave != NULL)
    {
      g_signal_handlers_disconnect_by_data (self->autosave, self);
      gilk_plan_autosave_flush (self->autosave);
    }
  g_clear_object (&self->autosave);
  g_clear_object (&self->model);
  g_clear_object (&self->connection);
  g_clear_object (&self->settings);
  g_clear_object (&self->banner);
  g_clear_object (&self->revert_action);
  g_clear_pointer (&self->next_path, g_free);
  G_OBJECT_CLASS (gilk_plan_file_parent_class)->dispose (object);
}

static void
gilk_plan_file_class_init (GilkPlanFileClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = gilk_plan_file_dispose;
  gilk_add_signal (klass, "opened", 0);
}

static void
gilk_plan_file_init (GilkPlanFile *self)
{
}

/* ---- button with the name of the plan's file and a menu to save or revert ---- */

#define NAME_CHARS 28

struct _GilkPlanFileButton {
  GtkMenuButton parent_instance;

  GtkLabel *label;
};

G_DEFINE_FINAL_TYPE (GilkPlanFileButton, gilk_plan_file_button, GTK_TYPE_MENU_BUTTON)

static void
show_name (GilkPlanFileButton *self,
           GilkPlanAutosave   *autosave)
{
  const char *file = gilk_plan_autosave_file (autosave);
  gboolean differs = gilk_plan_autosave_is_modified (autosave);
  g_autofree char *name = file != NULL ? g_path_get_basename (file) : NULL;
  g_autofree char *text = name != NULL ? g_strdup_printf (differs ? "%s ●" : "%s", name) : NULL;
  g_autofree char *tip = file == NULL ? NULL : differs ? g_strdup_printf (_("%s: changed since it was saved"), file)
                                                       : g_strdup_printf (_("%s: no unsaved changes"), file);

  gtk_label_set_text (self->label, text != NULL ? text : "");
  gtk_widget_set_visible (GTK_WIDGET (self), file != NULL);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self), tip);
  if (tip != NULL)
    atk_object_set_name (gtk_widget_get_accessible (GTK_WIDGET (self)), tip);
}

void
gilk_plan_file_button_follow (GilkPlanFileButton *self,
                              GilkPlanAutosave   *autosave)
{
  g_signal_connect_object (autosave, "changed", G_CALLBACK (show_name), self, G_CONNECT_SWAPPED);
  show_name (self, autosave);
}

static void
gilk_plan_file_button_class_init (GilkPlanFileButtonClass *klass)
{
}

static void
gilk_plan_file_button_init (GilkPlanFileButton *self)
{
  g_autoptr(GMenu) menu = g_menu_new ();

  g_menu_append (menu, _("_Save Plan"), "win.save-plan");
  g_menu_append (menu, _("Sa_ve Plan As…"), "win.save-plan-as");
  g_menu_append (menu, _("Revert to Saved _File"), "win.revert-plan");
  self->label = GTK_LABEL (gtk_label_new (NULL));
  gtk_label_set_ellipsize (self->label, PANGO_ELLIPSIZE_MIDDLE);
  gtk_label_set_max_width_chars (self->label, NAME_CHARS);
  gtk_widget_show (GTK_WIDGET (self->label));
  gtk_container_add (GTK_CONTAINER (self), GTK_WIDGET (self->label));
  gtk_button_set_relief (GTK_BUTTON (self), GTK_RELIEF_NONE);
  gtk_menu_button_set_menu_model (GTK_MENU_BUTTON (self), G_MENU_MODEL (menu));
  gtk_widget_set_no_show_all (GTK_WIDGET (self), TRUE);
}

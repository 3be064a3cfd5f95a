/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-watchpoint-dialog.c - dialog for adding or changing a watchpoint of the plan
 *
 * Each change of the text looks up matching names, and after a short delay checks the whole
 * watchpoint. If there is a problem, it is shown below the entries, and the watchpoint cannot be
 * added. If the text is a complete watchpoint, such as "jiffies_64:w,limit=1000", the other choices
 * in the dialog are ignored.
 */
#include "gui/plan/gilk-plan-dialogs.h"

#include <glib/gi18n.h>
#include <inttypes.h>
#include <string.h>

#include "gui/base/gilk-object.h"
#include "gui/base/gilk-text.h"

#define CHECK_DELAY_MS 200

struct _GilkWatchpointDialog {
  GtkDialog        parent_instance;

  GilkConnection  *connection;
  GilkPlanModel   *model;
  char            *label;          /* label of the watchpoint to change; NULL: add a new
                                    * watchpoint */
  GtkListStore    *store;
  GCancellable    *choosing, *checking;
  guint            check_source;
  GilkWatchpointCheck  *check;     /* result for the current input; NULL: none yet */
  gboolean         down_pressed;   /* Down was pressed before the choices for the text arrived */
  gboolean         accepted;       /* Enter was pressed before the choices or the check arrived */
  gboolean         filling;

  /* Objects that the .ui template creates */
  GtkButton       *add;
  GtkEntry        *what, *most;
  GtkTreeView     *choices;
  GtkTreeViewColumn *choice_column, *note_column;
  GtkCellRenderer *choice_cell, *note_cell;
  GtkToggleButton *writes, *accesses, *executes, *own, *one;
  GtkComboBox     *bytes;
  GtkSpinButton   *cpu;
  GtkWidget       *cpu_label, *cpu_box, *notice;
  GtkLabel        *verdict, *command;
};

G_DEFINE_TYPE (GilkWatchpointDialog, gilk_watchpoint_dialog, GTK_TYPE_DIALOG)

enum { TEXT, NOTE, MATCHED, N_COLUMNS };

/* ---- reading what the user entered ---- */

static char *
get_typed_text (GilkWatchpointDialog *self)
{
  return g_strstrip (g_strdup (gtk_entry_get_text (self->what)));
}

/* Returns whether the typed text contains the kind of access (":w"). If it does, the choices below
 * the entry are ignored. */
static gboolean
has_access_suffix (const char *text)
{
  return strchr (text, ':') != NULL;
}

/* Returns the watchpoint in plan syntax. Omits the CPU, even if the watchpoint needs one. (transfer
 * full) */
static char *
compose_watchpoint (GilkWatchpointDialog *self)
{
  g_autofree char *what = get_typed_text (self);
  g_autofree char *most = g_strstrip (g_strdup (gtk_entry_get_text (self->most)));
  gboolean executes = gtk_toggle_button_get_active (self->executes);
  const char *bytes = gtk_combo_box_get_active_id (self->bytes);

  if (has_access_suffix (what))
    return g_steal_pointer (&what);

  return g_strdup_printf ("%s:%s%s%s%s", what,
                          executes ? "x" : gtk_toggle_button_get_active (self->accesses) ? "rw" : "w",
                          executes || g_strcmp0 (bytes, "0") == 0 ? "" : bytes, *most != '\0' ? ",limit=" : "", most);
}

static int
get_chosen_cpu (GilkWatchpointDialog *self)
{
  return gtk_toggle_button_get_active (self->own) ? GILK_WATCHPOINT_EACH_CPU : gtk_spin_button_get_value_as_int (self->cpu);
}

static int
get_changed_index (GilkWatchpointDialog *self)
{
  return self->label != NULL ? gilk_plan_model_index (self->model, self->label) : -1;
}

/* ---- showing the result of the check ---- */

static void
show_verdict (GilkWatchpointDialog *self, const char *words, const char *style, const char *text)
{
  static const char *const styles[] = { "notice-info", "notice-bad" };
  GtkStyleContext *context = gtk_widget_get_style_context (self->notice);
  g_autofree char *quoted = text != NULL ? gilk_text_quote (text) : NULL;
  g_autofree char *command = quoted != NULL ? g_strdup_printf ("gilk run --watchpoint %s", quoted) : NULL;

  for (guint i = 0; i < G_N_ELEMENTS (styles); i++)
    gtk_style_context_remove_class (context, styles[i]);
  gtk_style_context_add_class (context, style);
  gtk_label_set_text (self->verdict, words);
  atk_object_set_description (gtk_widget_get_accessible (GTK_WIDGET (self->what)), words);
  gtk_label_set_text (self->command, command != NULL ? command : "");
  gtk_widget_set_visible (GTK_WIDGET (self->command), command != NULL);
}

/* Returns whether there are matching names other than the typed text. */
static gboolean
has_other_matches (GilkWatchpointDialog *self)
{
  g_autofree char *what = get_typed_text (self), *text = NULL;
  GtkTreeIter iter;

  if (!gtk_tree_model_get_iter_first (GTK_TREE_MODEL (self->store), &iter))
    return FALSE;
  gtk_tree_model_get (GTK_TREE_MODEL (self->store), &iter, TEXT, &text, -1);

  return g_strcmp0 (text, what) != 0;
}

static void
show_check (GilkWatchpointDialog *self)
{
  const GilkWatchpointCheck *check = self->check;

  if (check->problem != NULL && (check->unknown || g_str_has_suffix (gtk_entry_get_text (self->what), ".")) && has_other_matches (self))
    show_verdict (self, _("Keep typing, or choose a matching name."), "notice-info", NULL);
  else if (check->problem != NULL)
    show_verdict (self, check->problem, "notice-bad", NULL);
  else
    show_verdict (self, check->facts != NULL ? check->facts
               : _("No kernel is connected. The name is resolved as soon as a "
                   "kernel is connected."), "notice-info", check->text);
}

static void
accept_input (GilkWatchpointDialog *self)
{
  g_autoptr(GError) error = NULL;
  int index = get_changed_index (self);
  gboolean good;

  gilk_plan_model_set_origin (self->model, gilk_connection_release (self->connection),
                              gilk_connection_build_id (self->connection));
  good = index >= 0 ? gilk_plan_model_set_watchpoint (self->model, (guint) index, self->check->text, &error)
                    : gilk_plan_model_add_watchpoint (self->model, self->check->text, &error) >= 0;
  if (good)
    gtk_widget_destroy (GTK_WIDGET (self));
  else
    show_verdict (self, error->message, "notice-bad", NULL);
}

static void
update_controls (GilkWatchpointDialog *self)
{
  g_autofree char *what = get_typed_text (self);
  gboolean whole = has_access_suffix (what), data = !gtk_toggle_button_get_active (self->executes);
  gboolean wants_cpu = self->check != NULL && self->check->wants_cpu;

  gtk_widget_set_sensitive (GTK_WIDGET (self->writes), !whole);
  gtk_widget_set_sensitive (GTK_WIDGET (self->accesses), !whole);
  gtk_widget_set_sensitive (GTK_WIDGET (self->executes), !whole);
  gtk_widget_set_sensitive (GTK_WIDGET (self->bytes), !whole && data);
  gtk_widget_set_sensitive (GTK_WIDGET (self->most), !whole);
  gtk_widget_set_sensitive (GTK_WIDGET (self->cpu), gtk_toggle_button_get_active (self->one));
  if (self->check != NULL || !data)
    {
      gtk_widget_set_visible (self->cpu_label, wants_cpu);
      gtk_widget_set_visible (self->cpu_box, wants_cpu);
    }
  gtk_widget_set_sensitive (GTK_WIDGET (self->add), self->check != NULL && self->check->problem == NULL);
}

/* ---- looking up names and starting checks ---- */

/* Replaces the typed text by the first matching name. Returns FALSE if there is none, or if the
 * text is that name already. */
static gboolean
choose_first_match (GilkWatchpointDialog *self)
{
  g_autofree char *text = NULL;
  GtkTreeIter iter;

  if (!gtk_tree_model_get_iter_first (GTK_TREE_MODEL (self->store), &iter))
    return FALSE;
  gtk_tree_model_get (GTK_TREE_MODEL (self->store), &iter, TEXT, &text, -1);
  if (g_strcmp0 (text, gtk_entry_get_text (self->what)) == 0)
    return FALSE;
  gtk_entry_set_text (self->what, text);
  gtk_editable_set_position (GTK_EDITABLE (self->what), -1);

  return TRUE;
}

static void
focus_choices (GilkWatchpointDialog *self)
{
  g_autoptr(GtkTreePath) first = gtk_tree_path_new_first ();

  gtk_widget_grab_focus (GTK_WIDGET (self->choices));
  gtk_tree_view_set_cursor (self->choices, first, NULL, FALSE);
}

static void
what_activated (GilkWatchpointDialog *self)
{
  if (self->check == NULL || self->choosing != NULL)
    self->accepted = *gtk_entry_get_text (self->what) != '\0';
  else if (self->check->problem == NULL)
    accept_input (self);
  else if (!self->check->unknown || !choose_first_match (self))
    gtk_widget_error_bell (GTK_WIDGET (self));
}

/* Handles Down and Enter if they were pressed before the lookups that they need were complete. */
static void
handle_pending_keys (GilkWatchpointDialog *self)
{
  gboolean accepted = self->accepted;

  if (self->choosing != NULL)
    return;
  if (self->down_pressed)
    {
      self->down_pressed = self->accepted = FALSE;
      if (accepted)
        choose_first_match (self);
      else if (gtk_tree_model_iter_n_children (GTK_TREE_MODEL (self->store), NULL) > 0)
        focus_choices (self);
    }
  else if (accepted && self->check != NULL)
    {
      self->accepted = FALSE;
      what_activated (self);
    }
}

static void
check_cb (GObject      *object,
          GAsyncResult *result,
          gpointer      user_data)
{
  g_autoptr(GilkWatchpointDialog) self = user_data;
  g_autoptr(GError) error = NULL;
  g_autoptr(GilkWatchpointCheck) check = gilk_watchpoint_check_finish (result, &error);

  if (g_task_get_cancellable (G_TASK (result)) != self->checking)
    return;
  g_clear_object (&self->checking);
  if (check == NULL)
    {
      self->accepted = FALSE;
      show_verdict (self, error->message, "notice-bad", NULL);
      return;
    }
  self->check = g_steal_pointer (&check);
  show_check (self);
  update_controls (self);
  handle_pending_keys (self);
}

static gboolean
start_check (gpointer user_data)
{
  GilkWatchpointDialog *self = user_data;
  g_autofree char *text = compose_watchpoint (self);

  self->check_source = 0;
  self->checking = g_cancellable_new ();
  gilk_watchpoint_check_async (self->connection, gilk_plan_model_plan (self->model), get_changed_index (self), text, get_chosen_cpu (self),
                               self->checking, check_cb, g_object_ref (self));

  return G_SOURCE_REMOVE;
}

static void
schedule_check (GilkWatchpointDialog *self)
{
  g_autofree char *what = get_typed_text (self);

  gilk_cancel (&self->checking);
  g_clear_handle_id (&self->check_source, g_source_remove);
  g_clear_pointer (&self->check, gilk_watchpoint_check_free);
  self->accepted = self->down_pressed = FALSE;
  if (*what != '\0')
    self->check_source = g_timeout_add (CHECK_DELAY_MS, start_check, self);
  else
    show_verdict (self, _("A watchpoint records who writes a variable. It uses one of the four debug registers of each CPU and "
                          "changes no kernel code. Members follow a dot; \"(struct TYPE) NAME.MEMBER\" and addresses work, too."),
                  "notice-info", NULL);
  update_controls (self);
}

static void
choices_cb (GObject      *object,
            GAsyncResult *result,
            gpointer      user_data)
{
  g_autoptr(GilkWatchpointDialog) self = user_data;
  g_autoptr(GPtrArray) choices = gilk_watchpoint_choices_finish (result, NULL);

  if (g_task_get_cancellable (G_TASK (result)) != self->choosing)
    return;
  g_clear_object (&self->choosing);
  gtk_list_store_clear (self->store);
  for (guint i = 0; choices != NULL && i < choices->len; i++)
    {
      const GilkWatchpointChoice *choice = g_ptr_array_index (choices, i);
      const char *note = choice->note != NULL ? choice->note : choice->per_cpu ? _("per CPU") : "";

      gtk_list_store_insert_with_values (self->store, NULL, -1, TEXT, choice->text, NOTE, note, MATCHED,
                                         (guint64) choice->matched, -1);
    }
  if (choices != NULL && choices->len > 0)
    gtk_tree_view_scroll_to_point (self->choices, 0, 0);
  if (self->check != NULL)
    show_check (self);
  handle_pending_keys (self);
}

static void
look_up_choices (GilkWatchpointDialog *self)
{
  g_autofree char *what = get_typed_text (self);

  gilk_cancel (&self->choosing);
  self->choosing = g_cancellable_new ();
  if (has_access_suffix (what))
    *strrchr (what, ':') = '\0';
  gilk_watchpoint_choices_async (self->connection, what, gtk_toggle_button_get_active (self->executes), self->choosing, choices_cb,
                                 g_object_ref (self));
}

/* ---- handlers of user input ---- */

static void
what_changed (GilkWatchpointDialog *self)
{
  if (self->filling)
    return;
  look_up_choices (self);
  schedule_check (self);
}

static void
option_changed (GilkWatchpointDialog *self)
{
  if (!self->filling)
    schedule_check (self);
}

static void
kind_changed (GilkWatchpointDialog *self, GtkToggleButton *button)
{
  if (self->filling || !gtk_toggle_button_get_active (button))
    return;
  gtk_entry_set_placeholder_text (self->what, gtk_toggle_button_get_active (self->executes)
                                              ? _("An instruction, such as vfs_write+0x10")
                                              : _("A variable, such as jiffies_64 or net.count"));
  what_changed (self);
}

static gboolean
what_key (GilkWatchpointDialog *self, GdkEventKey *event)
{
  if (event->keyval != GDK_KEY_Down && event->keyval != GDK_KEY_KP_Down)
    return GDK_EVENT_PROPAGATE;
  self->down_pressed = TRUE;
  handle_pending_keys (self);

  return GDK_EVENT_STOP;
}

static gboolean
choices_key (GilkWatchpointDialog *self, GdkEventKey *event)
{
  g_autoptr(GtkTreePath) path = NULL;

  gtk_tree_view_get_cursor (self->choices, &path, NULL);
  if ((event->keyval != GDK_KEY_Up && event->keyval != GDK_KEY_KP_Up) || path == NULL || gtk_tree_path_prev (path))
    return GDK_EVENT_PROPAGATE;
  gtk_entry_grab_focus_without_selecting (self->what);

  return GDK_EVENT_STOP;
}

static void
choice_activated (GilkWatchpointDialog *self, GtkTreePath *path)
{
  g_autofree char *text = NULL;
  GtkTreeIter iter;

  if (!gtk_tree_model_get_iter (GTK_TREE_MODEL (self->store), &iter, path))
    return;
  gtk_tree_model_get (GTK_TREE_MODEL (self->store), &iter, TEXT, &text, -1);
  gtk_entry_set_text (self->what, text);
  gtk_entry_grab_focus_without_selecting (self->what);
  gtk_editable_set_position (GTK_EDITABLE (self->what), -1);
}

/* ---- building the dialog ---- */

static void
render_cell (GtkTreeViewColumn *column,
             GtkCellRenderer   *cell,
             GtkTreeModel      *model,
             GtkTreeIter       *iter,
             gpointer           user_data)
{
  GilkWatchpointDialog *self = user_data;
  g_autofree char *text = NULL, *note = NULL, *markup = NULL;
  guint64 matched;

  gtk_tree_model_get (model, iter, TEXT, &text, NOTE, &note, MATCHED, &matched, -1);
  if (cell == self->note_cell)
    {
      markup = g_markup_printf_escaped ("<span alpha=\"65%%\">%s</span>", note);
      g_object_set (cell, "markup", markup, NULL);
      return;
    }
  markup = gilk_text_highlight_matches (text, matched);
  g_object_set (cell, "markup", markup, NULL);
}

/* Sets the choices from a watchpoint of the plan. */
static void
fill_from_hook (GilkWatchpointDialog *self, const GilkPlanHook *hook)
{
  const GilkPlanWatchpoint *watch = hook->watch;
  g_autofree char *bytes = g_strdup_printf ("%u", watch->bytes);
  g_autofree char *most = watch->rate_limit != 0 ? g_strdup_printf ("%" PRIu64, watch->rate_limit) : g_strdup ("");

  self->filling = TRUE;
  gtk_toggle_button_set_active (watch->access == GILK_WATCH_EXECUTE ? self->executes
                                : watch->access == GILK_WATCH_ACCESS ? self->accesses : self->writes, TRUE);
  gtk_combo_box_set_active_id (self->bytes, bytes);
  gtk_entry_set_text (self->most, most);
  gtk_toggle_button_set_active (watch->cpu >= 0 ? self->one : self->own, TRUE);
  if (watch->cpu >= 0)
    gtk_spin_button_set_value (self->cpu, watch->cpu);
  gtk_entry_set_text (self->what, hook->function);
  self->filling = FALSE;
}

void
gilk_watchpoint_dialog_show (GtkWindow      *parent,
                             GilkConnection *connection,
                             GilkPlanModel  *model,
                             int             index)
{
  GilkWatchpointDialog *self = g_object_new (GILK_TYPE_WATCHPOINT_DIALOG, "use-header-bar", 1, "transient-for", parent, NULL);

  self->connection = g_object_ref (connection);
  self->model = g_object_ref (model);
  gtk_window_set_title (GTK_WINDOW (self), index >= 0 ? _("Edit watchpoint") : _("Watch a variable"));
  if (index >= 0)
    {
      self->label = g_strdup (gilk_plan_model_hook (model, (guint) index)->label);
      gtk_button_set_label (self->add, _("_Change"));
      fill_from_hook (self, gilk_plan_model_hook (model, (guint) index));
    }
  look_up_choices (self);
  schedule_check (self);
  gtk_window_present (GTK_WINDOW (self));
}

static void
gilk_watchpoint_dialog_response (GtkDialog *dialog, int response)
{
  GilkWatchpointDialog *self = GILK_WATCHPOINT_DIALOG (dialog);

  if (response != GTK_RESPONSE_OK)
    gtk_widget_destroy (GTK_WIDGET (dialog));
  else
    what_activated (self);
}

static void
gilk_watchpoint_dialog_dispose (GObject *object)
{
  GilkWatchpointDialog *self = GILK_WATCHPOINT_DIALOG (object);

  gilk_cancel (&self->choosing);
  gilk_cancel (&self->checking);
  g_clear_handle_id (&self->check_source, g_source_remove);
  g_clear_pointer (&self->check, gilk_watchpoint_check_free);
  g_clear_pointer (&self->label, g_free);
  g_clear_object (&self->connection);
  g_clear_object (&self->model);
  g_clear_object (&self->store);
  G_OBJECT_CLASS (gilk_watchpoint_dialog_parent_class)->dispose (object);
}

static void
gilk_watchpoint_dialog_class_init (GilkWatchpointDialogClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = gilk_watchpoint_dialog_dispose;
  GTK_DIALOG_CLASS (klass)->response = gilk_watchpoint_dialog_response;

  gtk_widget_class_set_template_from_resource (widget_class, "/org/gilk/Workbench/ui/watchpoint-dialog.ui");
#define BIND(field) gtk_widget_class_bind_template_child (widget_class, GilkWatchpointDialog, field)
  BIND (add);
  BIND (what);
  BIND (most);
  BIND (choices);
  BIND (choice_column);
  BIND (note_column);
  BIND (choice_cell);
  BIND (note_cell);
  BIND (writes);
  BIND (accesses);
  BIND (executes);
  BIND (own);
  BIND (one);
  BIND (bytes);
  BIND (cpu);
  BIND (cpu_label);
  BIND (cpu_box);
  BIND (notice);
  BIND (verdict);
  BIND (command);
#undef BIND
#define CALLBACK(name) gtk_widget_class_bind_template_callback (widget_class, name)
  CALLBACK (what_changed);
  CALLBACK (what_activated);
  CALLBACK (what_key);
  CALLBACK (choice_activated);
  CALLBACK (choices_key);
  CALLBACK (kind_changed);
  CALLBACK (option_changed);
#undef CALLBACK
}

static void
gilk_watchpoint_dialog_init (GilkWatchpointDialog *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  self->store = gtk_list_store_new (N_COLUMNS, G_TYPE_STRING, G_TYPE_STRING, G_TYPE_UINT64);
  gtk_tree_view_column_set_cell_data_func (self->choice_column, self->choice_cell, render_cell, self, NULL);
  gtk_tree_view_column_set_cell_data_func (self->note_column, self->note_cell, render_cell, self, NULL);
  gtk_tree_view_set_model (self->choices, GTK_TREE_MODEL (self->store));
  gtk_style_context_add_class (gtk_widget_get_style_context (GTK_WIDGET (self->add)), GTK_STYLE_CLASS_SUGGESTED_ACTION);
  gtk_dialog_set_default_response (GTK_DIALOG (self), GTK_RESPONSE_OK);
}

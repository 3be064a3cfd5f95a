/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-fleet-window.c - fleet window: one plan recorded on several targets at once
 */
#include "gui/fleet/gilk-fleet-window.h"

#include <glib/gi18n.h>
#include <gtk/gtk.h>

#include "core/fleet/gilk-fleet.h"
#include "gui/base/gilk-files.h"
#include "gui/base/gilk-object.h"
#include "gui/base/gilk-settings.h"
#include "gui/base/gilk-text.h"
#include "gui/fleet/gilk-fleet-text.h"
#include "gui/plan/gilk-plan-dialogs.h"
#include "gui/run/gilk-recorder.h"

enum { COLUMN_SPEC, COLUMN_KERNEL, COLUMN_STATE, COLUMN_START, COLUMN_SAMPLES, COLUMN_RATE, COLUMN_LOST, COLUMN_REFUSED,
       COLUMN_MEMBER,            /* uint: 1 + index of the target in @fleet; 0: the target was added
                                  * after the run started */
       N_COLUMNS };

typedef struct {
  GtkWindow    *parent, *window;     /* (unowned) */
  GSettings    *settings;
  GilkPlan     *plan;
  GilkFleet    *fleet;               /* the targets that record; NULL: no run was started yet */
  guint         refresh;
  GtkEntry     *target, *length;
  GtkWidget    *add, *remove, *run, *open, *compare, *copy, *partial;
  GtkListStore *store;
  GtkTreeView  *tree, *hits;
  GtkWidget    *hits_box;
  GtkLabel     *problems, *command;
  GtkWidget    *problems_box;        /* scrolled window around @problems */
  GHashTable   *last_outputs;        /* target -> last console output; NULL: not received yet */
  GCancellable *cancellable;
} GilkFleetWindow;

#define REFRESH_MS  250
#define PROBLEMS_HEIGHT 132

/* ---- table of hits: one row per hook, one column per target ---- */

/* Adds a text column in the style of the fleet's tables; @column: index in the model */
static void
add_text_column (GtkTreeView *tree, const char *title, int column, gboolean is_number)
{
  GtkCellRenderer *cell = gtk_cell_renderer_text_new ();
  GtkTreeViewColumn *new = gtk_tree_view_column_new_with_attributes (title, cell, "text", column, NULL);

  g_object_set (cell, "xalign", is_number ? 1.0 : 0.0, "xpad", 8, NULL);
  gtk_tree_view_column_set_alignment (new, is_number ? 1.0f : 0.0f);
  gtk_tree_view_column_set_resizable (new, TRUE);
  gtk_tree_view_column_set_expand (new, !is_number);
  gtk_tree_view_append_column (tree, new);
}

/* Returns the hits of hook @label on the target @member as text; "refused" if the target refused
 * the hook; NULL if neither is known. (transfer full) (nullable) */
static char *
format_hits (const GilkFleetMember *member, const GilkRunFigures *figures, const char *label)
{
  const GArray *hooks = gilk_run_plan (member->run)->hooks;

  for (guint i = 0; i < figures->n_hooks; i++)
    if (g_str_equal (g_array_index (hooks, GilkBoundHook, i).hook->label, label))
      return gilk_text_hits_if_known (figures->hooks[i].hits_known, figures->hooks[i].hits);
  for (guint i = 0; i < member->refusals->len; i++)
    if (g_str_equal (((GilkFleetRefusal *) member->refusals->pdata[i])->label, label))
      return g_strdup (_("refused"));

  return NULL;
}

/* Fills @store with a row per hook and a column per target. @at: indices of the targets that ran
 * the plan */
static void
fill_rows (GilkFleet *fleet, const GilkPlan *plan, GtkListStore *store, const GArray *at)
{
  for (guint k = 0; k < plan->hooks->len; k++)
    {
      const char *label = ((GilkPlanHook *) plan->hooks->pdata[k])->label;

      gtk_list_store_insert_with_values (store, NULL, -1, 0, label, -1);
    }
  for (guint c = 0; c < at->len; c++)
    {
      GilkRunFigures figures = { 0 };
      GilkFleetMember member;
      GtkTreeIter iter;
      gboolean more = gtk_tree_model_get_iter_first (GTK_TREE_MODEL (store), &iter);

      gilk_fleet_member (fleet, g_array_index (at, guint, c), &member);
      gilk_run_figures (member.run, &figures);
      for (guint k = 0; more && k < plan->hooks->len; k++)
        {
          g_autofree char *hits = format_hits (&member, &figures, ((GilkPlanHook *) plan->hooks->pdata[k])->label);

          gtk_list_store_set (store, &iter, (int) c + 1, hits, -1);
          more = gtk_tree_model_iter_next (GTK_TREE_MODEL (store), &iter);
        }
      gilk_run_figures_clear (&figures);
    }
}

/* Fills @tree. Returns FALSE if no target ran. */
static gboolean
show_hits (GtkTreeView    *tree,
           GilkFleet      *fleet,
           const GilkPlan *plan)
{
  g_autoptr(GArray) at = g_array_new (FALSE, FALSE, sizeof (guint));
  g_autofree GType *types = g_new (GType, gilk_fleet_n_members (fleet) + 1);
  g_autoptr(GtkListStore) store = NULL;

  /* Detach the model: otherwise GTK would update each row for each column. */
  gtk_tree_view_set_model (tree, NULL);
  while (gtk_tree_view_get_n_columns (tree) > 0)
    gtk_tree_view_remove_column (tree, gtk_tree_view_get_column (tree, 0));
  add_text_column (tree, _("Hook"), 0, FALSE);
  types[0] = G_TYPE_STRING;
  for (guint i = 0; i < gilk_fleet_n_members (fleet); i++)
    {
      GilkFleetMember member;

      gilk_fleet_member (fleet, i, &member);
      if (member.run == NULL)
        continue;
      g_array_append_val (at, i);
      types[at->len] = G_TYPE_STRING;
      add_text_column (tree, member.spec, (int) at->len, TRUE);
    }
  store = gtk_list_store_newv ((int) at->len + 1, types);
  fill_rows (fleet, plan, store, at);
  gtk_tree_view_set_model (tree, GTK_TREE_MODEL (store));

  return at->len > 0;
}

/* ---- actions on the chosen targets ---- */

static guint
count_rows (const GilkFleetWindow *self)
{
  return (guint) gtk_tree_model_iter_n_children (GTK_TREE_MODEL (self->store), NULL);
}

/* Shows @error in the message area. */
static void
show_error (GilkFleetWindow *self, const GError *error)
{
  gtk_label_set_text (self->problems, error->message);
  gtk_widget_show (self->problems_box);
}

/* ---- opening recorded sessions ---- */

/* Looks up the run of @row. Returns FALSE if the target recorded no run or was removed since
 * then. */
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

/* Opens the session that the target of @row recorded. @action: "open-path", or "open-beside" to
   compare */
static void
open_session (GilkFleetWindow *self, guint row, const char *action)
{
  GilkFleetMember member;

  if (find_recorded_run (self, row, &member))
    g_action_group_activate_action (G_ACTION_GROUP (self->parent), action, g_variant_new_string (member.path));
}

/* Returns the index of the selected row, or else of the first row with a recorded run; returns the
 * number of rows if no row has one. */
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
  while (row < count_rows (self) && !find_recorded_run (self, row, &member))
    row++;

  return row;
}

/* Opens the session of the selected row, or else the first recorded session. */
static void
open_results (GilkFleetWindow *self)
{
  open_session (self, choose_row (self), "open-path");
}

/* Like open_results(), but also opens the session of the next target that recorded one, in a second
 * column. */
static void
open_comparison (GilkFleetWindow *self)
{
  const guint n_rows = count_rows (self), row = choose_row (self);
  GilkFleetMember member;

  open_session (self, row, "open-path");
  for (guint step = 1; step < n_rows; step++)
    if (find_recorded_run (self, (row + step) % n_rows, &member))
      {
        open_session (self, (row + step) % n_rows, "open-beside");
        break;
      }
}

/* ---- the equivalent gilk command ---- */

/* Returns the shell command that records the plan on the same targets. (transfer full)
 * (nullable) */
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

/* Copies the equivalent shell command to the clipboard, and shows it. */
static void
copy_command (GilkFleetWindow *self)
{
  g_autoptr(GError) error = NULL;
  g_autofree char *command = format_command (self, &error), *folded = NULL;

  if (command == NULL)
    {
      show_error (self, error);
      return;
    }
  gtk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self->window), GDK_SELECTION_CLIPBOARD), command, -1);
  folded = gilk_text_fold_commands (command, 100);
  gtk_label_set_text (self->command, folded);
  gtk_widget_show (GTK_WIDGET (self->command));
}

static gboolean
is_running (const GilkFleetWindow *self)
{
  return self->fleet != NULL && gilk_fleet_state (self->fleet) != GILK_FLEET_DONE;
}

/* ---- updating the window ---- */

static void
update_buttons (GilkFleetWindow *self)
{
  const gboolean going = is_running (self);
  GtkTreeIter iter;

  gtk_button_set_label (GTK_BUTTON (self->run), going ? _("_Stop") : _("_Run"));
  gtk_widget_set_sensitive (self->copy, count_rows (self) > 0 && self->plan->hooks->len > 0);
  gtk_widget_set_sensitive (self->run, going || (count_rows (self) > 0 && self->plan->hooks->len > 0));
  gtk_widget_set_sensitive (GTK_WIDGET (self->target), !going);
  gtk_widget_set_sensitive (GTK_WIDGET (self->length), !going);
  gtk_widget_set_sensitive (self->add, !going && gtk_entry_get_text_length (self->target) > 0);
  gtk_widget_set_sensitive (self->partial, !going);
  gtk_widget_set_sensitive (self->remove, !going && gtk_tree_selection_get_selected (gtk_tree_view_get_selection (self->tree), NULL, &iter));
}

static void
update_row (GilkFleetWindow *self, guint i)
{
  g_autofree char *state = NULL, *samples = NULL, *rate = NULL, *lost = NULL, *refused = NULL, *began = NULL;
  GilkRunFigures figures = { 0 };
  GilkFleetMember member;
  GtkTreeIter iter;
  double after, off;

  gilk_fleet_member (self->fleet, i, &member);
  if (!gtk_tree_model_iter_nth_child (GTK_TREE_MODEL (self->store), &iter, NULL, (int) i))
    return;
  state = gilk_fleet_state_text (self->fleet, i, &member);
  refused = member.refusals->len > 0 ? g_strdup_printf ("%u", member.refusals->len) : NULL;
  if (member.run != NULL)
    {
      gilk_run_figures (member.run, &figures);
      samples = gilk_text_count (figures.samples);
      lost = gilk_text_count (figures.lost);
      rate = g_strdup_printf (_("%.0f/s"), figures.samples_per_second);
    }
  if (gilk_fleet_start_delay (self->fleet, i, &after, &off))
    began = after == 0 && off == 0 ? g_strdup (C_("begin", "first")) : g_strdup_printf (_("%+.2f ms ±%.2f"), 1e3 * after, 1e3 * off);
  gtk_list_store_set (self->store, &iter, COLUMN_KERNEL, member.release, COLUMN_STATE, state, COLUMN_START, began,
                      COLUMN_SAMPLES, samples, COLUMN_RATE, rate, COLUMN_LOST, lost, COLUMN_REFUSED, refused, -1);
  gilk_run_figures_clear (&figures);
}


/* Shows the problems of all targets, even while some targets are still recording. */
static void
show_problems (GilkFleetWindow *self)
{
  g_autofree char *text = gilk_fleet_problems_text (self->fleet, self->last_outputs);

  if (!g_str_equal (text, gtk_label_get_text (self->problems)))
    gtk_label_set_text (self->problems, text);
  gtk_widget_set_visible (self->problems_box, text[0] != '\0');
}

static void
last_output_cb (GObject *object, GAsyncResult *result, gpointer user_data)
{
  GilkFleetWindow *self = user_data;
  const char *spec;
  char *words = gilk_fleet_last_output_finish (result, &spec);

  if (words == NULL)
    return;
  g_hash_table_insert (self->last_outputs, g_strdup (spec), words);
  show_problems (self);
}

/* Requests the last console output of the target @member if it has failed, once per target. */
static void
request_last_output (GilkFleetWindow *self, const GilkFleetMember *member)
{
  if (member->error == NULL || g_hash_table_contains (self->last_outputs, member->spec))
    return;
  g_hash_table_insert (self->last_outputs, g_strdup (member->spec), NULL);
  gilk_fleet_last_output_async (member->spec, self->cancellable, last_output_cb, self);
}

static gboolean
update_rows (gpointer data)
{
  GilkFleetWindow *self = data;

  for (guint i = 0; i < gilk_fleet_n_members (self->fleet); i++)
    {
      GilkFleetMember member;

      update_row (self, i);
      gilk_fleet_member (self->fleet, i, &member);
      request_last_output (self, &member);
    }
  show_problems (self);

  return G_SOURCE_CONTINUE;
}

/* ---- starting and ending the runs ---- */

static void
stop_refreshing (GilkFleetWindow *self)
{
  if (self->refresh != 0)
    g_source_remove (self->refresh);
  self->refresh = 0;
}

static void
consent_given (GilkConsent granted, gpointer user_data)
{
  g_autoptr(GilkFleet) fleet = user_data;

  if (granted != GILK_CONSENT_NONE)
    gilk_fleet_start (fleet, granted);
  else
    gilk_fleet_stop (fleet);
}

/* Starts the runs on all targets. If the plan needs consent, first asks for it in one dialog for
 * all targets. */
static void
start_with_consent (GilkFleetWindow *self)
{
  g_autoptr(GPtrArray) items = gilk_fleet_consent_items (self->fleet);

  if (items->len == 0)
    gilk_fleet_start (self->fleet, GILK_CONSENT_NONE);
  else
    gilk_consent_dialog_show (self->window, items, _("each target"), consent_given, g_object_ref (self->fleet));
}

static void
on_prepared (GilkFleet *fleet, GilkFleetWindow *self)
{
  update_rows (self);
  if (gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (self->partial)) || gilk_fleet_is_complete (fleet))
    start_with_consent (self);
  else
    gilk_fleet_stop (fleet);
}

static void
on_ended (GilkFleet *fleet, GilkFleetWindow *self)
{
  guint n = 0;

  stop_refreshing (self);
  update_rows (self);
  gtk_widget_set_visible (self->hits_box, show_hits (self->hits, fleet, self->plan));
  for (guint i = gilk_fleet_n_members (fleet); i-- > 0;)
    {
      GilkFleetMember member;

      gilk_fleet_member (fleet, i, &member);
      if (member.run_number == 0)
        continue;
      n++;
      gilk_recent_files_add (self->settings, member.path);
    }
  gtk_widget_set_sensitive (self->open, n > 0);
  gtk_widget_set_sensitive (self->compare, n > 1);
  update_buttons (self);
}

/* Releases the GApplication hold that keeps the program running until the fleet has ended. */
static void
release_application (GilkFleet *fleet, gpointer user_data)
{
  g_application_release (g_application_get_default ());
}

static gboolean
make_fleet (GilkFleetWindow *self, GError **error)
{
  g_autofree char *base = gilk_settings_new_session_path (self->settings, error);
  const char *typed = gtk_entry_get_text (self->length);
  uint64_t length = 0;
  guint number = 0;
  GtkTreeIter iter;
  gboolean more = gtk_tree_model_get_iter_first (GTK_TREE_MODEL (self->store), &iter);

  if (base == NULL || (*typed != '\0' && !gilk_parse_length (typed, &length, error)))
    return FALSE;
  self->plan->run_length_ns = length;
  g_clear_object (&self->fleet);
  self->fleet = gilk_fleet_new (self->plan, length);
  for (; more; more = gtk_tree_model_iter_next (GTK_TREE_MODEL (self->store), &iter))
    {
      g_autofree char *spec = NULL, *path = NULL;

      gtk_tree_model_get (GTK_TREE_MODEL (self->store), &iter, COLUMN_SPEC, &spec, -1);
      path = gilk_fleet_path (base, spec);
      if (!gilk_fleet_add (self->fleet, spec, path, error))
        return FALSE;
      gtk_list_store_set (self->store, &iter, COLUMN_MEMBER, ++number, -1);
    }

  return TRUE;
}

static void
run_clicked (GilkFleetWindow *self)
{
  g_autoptr(GError) error = NULL;

  if (is_running (self))
    {
      gilk_fleet_stop (self->fleet);
      return;
    }
  gtk_widget_hide (self->problems_box);
  gtk_widget_hide (self->hits_box);
  gtk_widget_set_sensitive (self->open, FALSE);
  gtk_widget_set_sensitive (self->compare, FALSE);
  g_hash_table_remove_all (self->last_outputs);
  if (!make_fleet (self, &error))
    {
      g_clear_object (&self->fleet);
      show_error (self, error);
      return;
    }
  g_application_hold (g_application_get_default ());
  g_signal_connect (self->fleet, "ended", G_CALLBACK (release_application), NULL);
  g_signal_connect (self->fleet, "prepared", G_CALLBACK (on_prepared), self);
  g_signal_connect (self->fleet, "ended", G_CALLBACK (on_ended), self);
  self->refresh = g_timeout_add (REFRESH_MS, update_rows, self);
  gilk_fleet_prepare (self->fleet);
  update_buttons (self);
}

static void
fleet_free (gpointer data)
{
  GilkFleetWindow *self = data;

  stop_refreshing (self);
  if (self->fleet != NULL)
    {
      g_signal_handlers_disconnect_by_data (self->fleet, self);
      if (is_running (self))
        {
          g_signal_connect (self->fleet, "ended", G_CALLBACK (g_object_unref), NULL);
          gilk_fleet_stop (self->fleet);
        }
      else
        g_object_unref (self->fleet);
    }
  gilk_cancel (&self->cancellable);
  g_hash_table_unref (self->last_outputs);
  gilk_plan_unref (self->plan);
  g_object_unref (self->store);
  g_object_unref (self->settings);
  g_free (self);
}

/* ---- adding and removing targets ---- */

static void
add_target (GilkFleetWindow *self, const char *spec)
{
  gtk_list_store_insert_with_values (self->store, NULL, -1, COLUMN_SPEC, spec, -1);
  update_buttons (self);
}

static void
add_clicked (GilkFleetWindow *self)
{
  g_autofree char *spec = g_strstrip (g_strdup (gtk_entry_get_text (self->target)));

  if (*spec == '\0')
    return;
  add_target (self, spec);
  gtk_entry_set_text (self->target, "");
}

static void
remove_clicked (GilkFleetWindow *self)
{
  GtkTreeIter iter;

  if (!is_running (self) && gtk_tree_selection_get_selected (gtk_tree_view_get_selection (self->tree), NULL, &iter))
    gtk_list_store_remove (self->store, &iter);
  update_buttons (self);
}

static gboolean
tree_key_pressed (GilkFleetWindow *self, GdkEventKey *event)
{
  if (event->keyval != GDK_KEY_Delete)
    return GDK_EVENT_PROPAGATE;
  remove_clicked (self);

  return GDK_EVENT_STOP;
}

static void
row_activated (GtkTreeView *tree, GtkTreePath *path, GtkTreeViewColumn *column, GilkFleetWindow *self)
{
  open_session (self, (guint) gtk_tree_path_get_indices (path)[0], "open-path");
}

/* ---- building the window ---- */

static GtkWidget *
make_tree (GtkTreeView **tree, const char *name, int height)
{
  GtkWidget *scroller = gtk_scrolled_window_new (NULL, NULL);

  *tree = GTK_TREE_VIEW (gtk_tree_view_new ());
  atk_object_set_name (gtk_widget_get_accessible (GTK_WIDGET (*tree)), name);
  gtk_scrolled_window_set_shadow_type (GTK_SCROLLED_WINDOW (scroller), GTK_SHADOW_IN);
  gtk_scrolled_window_set_min_content_height (GTK_SCROLLED_WINDOW (scroller), height);
  gtk_container_add (GTK_CONTAINER (scroller), GTK_WIDGET (*tree));

  return scroller;
}

static GtkWidget *
make_targets (GilkFleetWindow *self)
{
  static const struct { const char *title; int column; gboolean is_number; } columns[] = {
    { N_("Target"), COLUMN_SPEC, FALSE }, { N_("Kernel"), COLUMN_KERNEL, FALSE }, { N_("State"), COLUMN_STATE, FALSE },
    { N_("Start"), COLUMN_START, TRUE }, { N_("Samples"), COLUMN_SAMPLES, TRUE }, { N_("Rate"), COLUMN_RATE, TRUE },
    { N_("Lost"), COLUMN_LOST, TRUE }, { N_("Refused"), COLUMN_REFUSED, TRUE },
  };
  GtkWidget *scroller = make_tree (&self->tree, _("Targets"), 130);

  self->store = gtk_list_store_new (N_COLUMNS, G_TYPE_STRING, G_TYPE_STRING, G_TYPE_STRING, G_TYPE_STRING, G_TYPE_STRING,
                                    G_TYPE_STRING, G_TYPE_STRING, G_TYPE_STRING, G_TYPE_UINT);
  gtk_tree_view_set_model (self->tree, GTK_TREE_MODEL (self->store));
  for (guint i = 0; i < G_N_ELEMENTS (columns); i++)
    add_text_column (self->tree, _(columns[i].title), columns[i].column, columns[i].is_number);
  g_signal_connect (self->tree, "row-activated", G_CALLBACK (row_activated), self);
  g_signal_connect_swapped (self->tree, "key-press-event", G_CALLBACK (tree_key_pressed), self);
  g_signal_connect_swapped (gtk_tree_view_get_selection (self->tree), "changed", G_CALLBACK (update_buttons), self);

  return scroller;
}

static GtkEntry *
make_entry (GtkWidget *box, const char *label, int chars)
{
  GtkWidget *name = gtk_label_new_with_mnemonic (label), *entry = gtk_entry_new ();

  gtk_label_set_mnemonic_widget (GTK_LABEL (name), entry);
  gtk_entry_set_width_chars (GTK_ENTRY (entry), chars);
  gtk_box_pack_start (GTK_BOX (box), name, FALSE, FALSE, 0);
  gtk_box_pack_start (GTK_BOX (box), entry, chars > 12, chars > 12, 0);

  return GTK_ENTRY (entry);
}

static GtkWidget *
make_button (GilkFleetWindow *self, GtkWidget *box, const char *label, void (*clicked) (GilkFleetWindow *self))
{
  GtkWidget *button = gtk_button_new_with_mnemonic (label);

  g_signal_connect_swapped (button, "clicked", G_CALLBACK (clicked), self);
  gtk_box_pack_start (GTK_BOX (box), button, FALSE, FALSE, 0);

  return button;
}

static GtkWidget *
make_entries (GilkFleetWindow *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);

  self->target = make_entry (box, _("Another _target"), 22);
  gtk_entry_set_placeholder_text (self->target, _("lab:6.12, ssh:HOST"));
  g_signal_connect_swapped (self->target, "changed", G_CALLBACK (update_buttons), self);
  g_signal_connect_swapped (self->target, "activate", G_CALLBACK (add_clicked), self);
  self->add = make_button (self, box, _("_Add"), add_clicked);
  self->remove = make_button (self, box, _("Re_move"), remove_clicked);
  self->length = make_entry (box, _("Run _for"), 9);
  gtk_entry_set_placeholder_text (self->length, _("until Stop"));

  return box;
}

static GtkWidget *
make_hits (GilkFleetWindow *self)
{
  GtkWidget *title = gtk_label_new (_("Hits by target"));

  self->hits_box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  gtk_label_set_xalign (GTK_LABEL (title), 0);
  gtk_style_context_add_class (gtk_widget_get_style_context (title), "section");
  gtk_box_pack_start (GTK_BOX (self->hits_box), title, FALSE, FALSE, 0);
  gtk_box_pack_start (GTK_BOX (self->hits_box), make_tree (&self->hits, _("Hits by target"), 150), TRUE, TRUE, 0);
  gtk_widget_show_all (self->hits_box);
  gtk_widget_set_no_show_all (self->hits_box, TRUE);
  gtk_widget_hide (self->hits_box);

  return self->hits_box;
}

/* Makes the box for problems. It grows with its text up to PROBLEMS_HEIGHT, so that the window fits
 * on any screen. */
static GtkWidget *
make_problems (GilkFleetWindow *self)
{
  GtkScrolledWindow *scroller = GTK_SCROLLED_WINDOW (gtk_scrolled_window_new (NULL, NULL));

  self->problems_box = GTK_WIDGET (scroller);
  self->problems = GTK_LABEL (gtk_label_new (NULL));
  gtk_label_set_line_wrap (self->problems, TRUE);
  gtk_label_set_line_wrap_mode (self->problems, PANGO_WRAP_WORD_CHAR);
  gtk_label_set_selectable (self->problems, TRUE);
  gtk_label_set_xalign (self->problems, 0);
  gtk_label_set_yalign (self->problems, 0);
  gtk_widget_show (GTK_WIDGET (self->problems));
  gtk_scrolled_window_set_policy (scroller, GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_propagate_natural_height (scroller, TRUE);
  gtk_scrolled_window_set_max_content_height (scroller, PROBLEMS_HEIGHT);
  gtk_container_add (GTK_CONTAINER (scroller), GTK_WIDGET (self->problems));
  gtk_widget_set_no_show_all (self->problems_box, TRUE);
  atk_object_set_name (gtk_widget_get_accessible (self->problems_box), _("Target messages"));
  gtk_style_context_add_class (gtk_widget_get_style_context (self->problems_box), "notice");
  gtk_style_context_add_class (gtk_widget_get_style_context (self->problems_box), "notice-bad");

  return self->problems_box;
}

/* Makes the label that shows the copied command. */
static GtkWidget *
make_command (GilkFleetWindow *self)
{
  self->command = GTK_LABEL (gtk_label_new (NULL));
  gtk_label_set_selectable (self->command, TRUE);
  gtk_label_set_line_wrap (self->command, TRUE);
  gtk_label_set_xalign (self->command, 0);
  gtk_widget_set_no_show_all (GTK_WIDGET (self->command), TRUE);
  gtk_style_context_add_class (gtk_widget_get_style_context (GTK_WIDGET (self->command)), "code-box");
  atk_object_set_name (gtk_widget_get_accessible (GTK_WIDGET (self->command)), _("Copied command"));

  return GTK_WIDGET (self->command);
}

static GtkWidget *
make_content (GilkFleetWindow *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 10), *targets = make_targets (self);
  g_autofree char *plan = self->plan->hooks->len == 0
    ? g_strdup (_("The plan is empty: plan hooks in the main window first."))
    : g_strdup_printf (ngettext ("The plan has %u hook. On each kernel, function entries are found by name and other "
                                 "blocks by their instructions, if these are unchanged.",
                                 "The plan has %u hooks. On each kernel, function entries are found by name and other "
                                 "blocks by their instructions, if these are unchanged.",
                                 self->plan->hooks->len), self->plan->hooks->len);
  GtkWidget *facts = gtk_label_new (plan);

  g_object_set (box, "margin", 12, NULL);
  gtk_label_set_xalign (GTK_LABEL (facts), 0);
  gtk_label_set_line_wrap (GTK_LABEL (facts), TRUE);
  self->partial = gtk_check_button_new_with_mnemonic (_("_Start on the available targets, with the "
                                                        "hooks that each target accepts"));
  gtk_box_pack_start (GTK_BOX (box), facts, FALSE, FALSE, 0);
  gtk_box_pack_start (GTK_BOX (box), make_entries (self), FALSE, FALSE, 0);
  gtk_box_pack_start (GTK_BOX (box), targets, TRUE, TRUE, 0);
  gtk_box_pack_start (GTK_BOX (box), self->partial, FALSE, FALSE, 0);
  gtk_box_pack_start (GTK_BOX (box), make_command (self), FALSE, FALSE, 0);
  gtk_box_pack_start (GTK_BOX (box), make_problems (self), FALSE, FALSE, 0);
  gtk_box_pack_start (GTK_BOX (box), make_hits (self), TRUE, TRUE, 0);

  return box;
}

static GtkWidget *
make_header (GilkFleetWindow *self)
{
  GtkWidget *bar = gtk_header_bar_new (), *buttons = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);

  self->copy = make_button (self, buttons, _("Copy as _Command"), copy_command);
  self->open = make_button (self, buttons, _("_Open Results"), open_results);
  self->compare = make_button (self, buttons, _("S_ide by Side"), open_comparison);
  gtk_widget_set_tooltip_text (self->compare, _("Open the results of two targets side by side"));
  self->run = make_button (self, buttons, _("_Run"), run_clicked);
  gtk_widget_set_sensitive (self->open, FALSE);
  gtk_widget_set_sensitive (self->compare, FALSE);
  gtk_style_context_add_class (gtk_widget_get_style_context (self->run), "suggested-action");
  gtk_button_set_use_underline (GTK_BUTTON (self->run), TRUE);
  gtk_header_bar_set_title (GTK_HEADER_BAR (bar), _("Run on Several Targets"));
  gtk_header_bar_set_show_close_button (GTK_HEADER_BAR (bar), TRUE);
  gtk_header_bar_pack_end (GTK_HEADER_BAR (bar), buttons);

  return bar;
}

static gboolean
key_pressed (GtkWidget *window, GdkEventKey *event, GilkFleetWindow *self)
{
  if (event->keyval != GDK_KEY_Escape || is_running (self))
    return GDK_EVENT_PROPAGATE;
  gtk_window_close (GTK_WINDOW (window));

  return GDK_EVENT_STOP;
}

void
gilk_fleet_window_show (GtkWindow      *parent,
                        GSettings      *settings,
                        const GilkPlan *plan,
                        const char     *target,
                        const char     *length)
{
  GilkFleetWindow *self = g_new0 (GilkFleetWindow, 1);

  self->parent = parent;
  self->settings = g_object_ref (settings);
  self->plan = gilk_plan_copy (plan);
  self->last_outputs = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  self->cancellable = g_cancellable_new ();
  self->window = GTK_WINDOW (gtk_window_new (GTK_WINDOW_TOPLEVEL));
  gtk_window_set_titlebar (self->window, make_header (self));
  gtk_window_set_title (self->window, _("Run on Several Targets"));
  gtk_window_set_transient_for (self->window, parent);
  gtk_window_set_destroy_with_parent (self->window, TRUE);
  gtk_window_set_default_size (self->window, 960, 440);
  gtk_container_add (GTK_CONTAINER (self->window), make_content (self));
  gtk_entry_set_text (self->length, length);
  if (target != NULL)
    add_target (self, target);
  update_buttons (self);
  g_signal_connect (self->window, "key-press-event", G_CALLBACK (key_pressed), self);
  g_object_set_data_full (G_OBJECT (self->window), "fleet", self, fleet_free);
  gtk_widget_show_all (GTK_WIDGET (self->window));
  gtk_widget_grab_focus (GTK_WIDGET (self->target));
}

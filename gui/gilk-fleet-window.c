/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-fleet-window.c - one plan recorded on several targets at once, side by side
 */
#include "gui/gilk-fleet-window.h"

#include <glib/gi18n.h>

#include "gui/gilk-fleet-hits.h"
#include "gui/gilk-recent-files.h"
#include "gui/gilk-settings.h"
#include "gui/gilk-text.h"

#define REFRESH_MS 250

enum { COLUMN_SPEC, COLUMN_KERNEL, COLUMN_STATE, COLUMN_BEGAN, COLUMN_SAMPLES, COLUMN_RATE, COLUMN_LOST, COLUMN_REFUSED, N_COLUMNS };

typedef struct {
  GtkWindow    *parent, *window;     /* (unowned) */
  GSettings    *settings;
  GilkPlan     *plan;
  GilkFleet    *fleet;               /* NULL: none was begun */
  guint         refresh;
  GtkEntry     *target, *length;
  GtkWidget    *add, *remove, *run, *open, *partial;
  GtkListStore *store;
  GtkTreeView  *tree, *hits;
  GtkWidget    *hits_box;
  GtkLabel     *told;
} Fleet;

static gboolean
is_going (const Fleet *self)
{
  return self->fleet != NULL && gilk_fleet_state (self->fleet) != GILK_FLEET_DONE;
}

static guint
n_rows (const Fleet *self)
{
  return (guint) gtk_tree_model_iter_n_children (GTK_TREE_MODEL (self->store), NULL);
}

/* ---- what is shown ---- */

static void
update_buttons (Fleet *self)
{
  const gboolean going = is_going (self);
  GtkTreeIter iter;

  gtk_button_set_label (GTK_BUTTON (self->run), going ? _("_Stop") : _("_Run"));
  gtk_widget_set_sensitive (self->run, going || (n_rows (self) > 0 && self->plan->hooks->len > 0));
  gtk_widget_set_sensitive (GTK_WIDGET (self->target), !going);
  gtk_widget_set_sensitive (GTK_WIDGET (self->length), !going);
  gtk_widget_set_sensitive (self->add, !going && gtk_entry_get_text_length (self->target) > 0);
  gtk_widget_set_sensitive (self->partial, !going);
  gtk_widget_set_sensitive (self->remove, !going && gtk_tree_selection_get_selected (gtk_tree_view_get_selection (self->tree), NULL, &iter));
}

static const char *
run_words (GilkRunState state)
{
  switch (state)
    {
    case GILK_RUN_RUNNING:
      return _("recording");
    case GILK_RUN_STOPPING:
      return _("stopping");
    case GILK_RUN_DONE:
    case GILK_RUN_FAILED:
      return _("ended");
    case GILK_RUN_IDLE:
    case GILK_RUN_ARMING:
    default:
      return _("arming");
    }
}

/* (transfer full) */
static char *
state_of (Fleet *self, guint i, const GilkFleetMember *member)
{
  g_autofree char *doing = NULL;
  double fraction;

  switch (member->state)
    {
    case GILK_MEMBER_READY:
      return g_strdup (_("ready"));
    case GILK_MEMBER_RUNNING:
      return g_strdup (run_words (member->run != NULL ? gilk_run_state (member->run) : GILK_RUN_ARMING));
    case GILK_MEMBER_DONE:
      return g_strdup (_("done"));
    case GILK_MEMBER_FAILED:
      return g_strdup (_("failed"));
    case GILK_MEMBER_IDLE:
    case GILK_MEMBER_PREPARING:
    default:
      doing = gilk_fleet_doing (self->fleet, i, &fraction);
      return g_strdup_printf ("%s…", doing != NULL ? doing : _("Connecting"));
    }
}

static void
update_row (Fleet *self, guint i)
{
  g_autofree char *state = NULL, *samples = NULL, *rate = NULL, *lost = NULL, *refused = NULL, *began = NULL;
  GilkRunFigures figures = { 0 };
  GilkFleetMember member;
  GtkTreeIter iter;
  double after, off;

  gilk_fleet_member (self->fleet, i, &member);
  if (!gtk_tree_model_iter_nth_child (GTK_TREE_MODEL (self->store), &iter, NULL, (int) i))
    return;
  state = state_of (self, i, &member);
  refused = member.refusals->len > 0 ? g_strdup_printf ("%u", member.refusals->len) : NULL;
  if (member.run != NULL)
    {
      gilk_run_figures (member.run, &figures);
      samples = gilk_text_count (figures.samples);
      lost = gilk_text_count (figures.lost);
      rate = g_strdup_printf (_("%.0f/s"), figures.samples_per_second);
    }
  if (gilk_fleet_began (self->fleet, i, &after, &off))
    began = after == 0 && off == 0 ? g_strdup (C_("begin", "first")) : g_strdup_printf (_("%+.2f ms ±%.2f"), 1e3 * after, 1e3 * off);
  gtk_list_store_set (self->store, &iter, COLUMN_KERNEL, member.release, COLUMN_STATE, state, COLUMN_BEGAN, began,
                      COLUMN_SAMPLES, samples, COLUMN_RATE, rate, COLUMN_LOST, lost, COLUMN_REFUSED, refused, -1);
  gilk_run_figures_clear (&figures);
}

static gboolean
update_rows (gpointer data)
{
  Fleet *self = data;

  for (guint i = 0; i < gilk_fleet_n_members (self->fleet); i++)
    update_row (self, i);

  return G_SOURCE_CONTINUE;
}

/* Why each that is not well is not, and what each refuses. */
static void
tell (Fleet *self)
{
  g_autoptr(GString) text = g_string_new (NULL);

  for (guint i = 0; i < gilk_fleet_n_members (self->fleet); i++)
    {
      GilkFleetMember member;

      gilk_fleet_member (self->fleet, i, &member);
      if (member.error != NULL)
        g_string_append_printf (text, "%s%s: %s", text->len > 0 ? "\n" : "", member.spec, member.error->message);
      for (guint k = 0; k < member.refusals->len; k++)
        {
          const GilkFleetRefusal *refusal = member.refusals->pdata[k];
          g_autofree char *line = g_strdup_printf (_("%s refuses %s: %s"), member.spec, refusal->point, refusal->text);

          g_string_append_printf (text, "%s%s", text->len > 0 ? "\n" : "", line);
        }
    }
  gtk_label_set_text (self->told, text->str);
  gtk_widget_set_visible (GTK_WIDGET (self->told), text->len > 0);
}

/* ---- the runs ---- */

static void
stop_refreshing (Fleet *self)
{
  if (self->refresh != 0)
    g_source_remove (self->refresh);
  self->refresh = 0;
}

static void
show_error (Fleet *self, const GError *error)
{
  gtk_label_set_text (self->told, error->message);
  gtk_widget_show (GTK_WIDGET (self->told));
}

static void
on_prepared (GilkFleet *fleet, Fleet *self)
{
  update_rows (self);
  tell (self);
  if (gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (self->partial)) || gilk_fleet_is_whole (fleet))
    gilk_fleet_start (fleet);
  else
    gilk_fleet_stop (fleet);
}

static void
on_ended (GilkFleet *fleet, Fleet *self)
{
  gboolean any = FALSE;

  stop_refreshing (self);
  update_rows (self);
  tell (self);
  gtk_widget_set_visible (self->hits_box, gilk_fleet_hits_show (self->hits, fleet, self->plan));
  for (guint i = gilk_fleet_n_members (fleet); i-- > 0;)
    {
      GilkFleetMember member;

      gilk_fleet_member (fleet, i, &member);
      if (member.run_number == 0)
        continue;
      any = TRUE;
      gilk_recent_files_add (self->settings, member.path);
    }
  gtk_widget_set_sensitive (self->open, any);
  update_buttons (self);
}

/* The program goes on as long as anything is armed by it. */
static void
let_go (GilkFleet *fleet, gpointer user_data)
{
  g_application_release (g_application_get_default ());
}

static gboolean
make_fleet (Fleet *self, GError **error)
{
  g_autofree char *base = gilk_settings_new_session_path (self->settings, error);
  const char *typed = gtk_entry_get_text (self->length);
  uint64_t length = 0;
  GtkTreeIter iter;
  gboolean more = gtk_tree_model_get_iter_first (GTK_TREE_MODEL (self->store), &iter);

  if (base == NULL || (*typed != '\0' && !gilk_parse_duration (typed, &length, error)))
    return FALSE;
  self->plan->lasts_ns = length;
  g_clear_object (&self->fleet);
  self->fleet = gilk_fleet_new (self->plan, length);
  for (; more; more = gtk_tree_model_iter_next (GTK_TREE_MODEL (self->store), &iter))
    {
      g_autofree char *spec = NULL, *path = NULL;

      gtk_tree_model_get (GTK_TREE_MODEL (self->store), &iter, COLUMN_SPEC, &spec, -1);
      path = gilk_fleet_path (base, spec);
      if (!gilk_fleet_add (self->fleet, spec, path, error))
        return FALSE;
    }

  return TRUE;
}

static void
run_clicked (Fleet *self)
{
  g_autoptr(GError) error = NULL;

  if (is_going (self))
    {
      gilk_fleet_stop (self->fleet);
      return;
    }
  gtk_widget_hide (GTK_WIDGET (self->told));
  gtk_widget_hide (self->hits_box);
  gtk_widget_set_sensitive (self->open, FALSE);
  if (!make_fleet (self, &error))
    {
      g_clear_object (&self->fleet);
      show_error (self, error);
      return;
    }
  g_application_hold (g_application_get_default ());
  g_signal_connect (self->fleet, "ended", G_CALLBACK (let_go), NULL);
  g_signal_connect (self->fleet, "prepared", G_CALLBACK (on_prepared), self);
  g_signal_connect (self->fleet, "ended", G_CALLBACK (on_ended), self);
  self->refresh = g_timeout_add (REFRESH_MS, update_rows, self);
  gilk_fleet_prepare (self->fleet);
  update_buttons (self);
}

static void
fleet_free (gpointer data)
{
  Fleet *self = data;

  stop_refreshing (self);
  if (self->fleet != NULL)
    {
      g_signal_handlers_disconnect_by_data (self->fleet, self);
      if (is_going (self))
        {
          g_signal_connect (self->fleet, "ended", G_CALLBACK (g_object_unref), NULL);
          gilk_fleet_stop (self->fleet);
        }
      else
        g_object_unref (self->fleet);
    }
  gilk_plan_unref (self->plan);
  g_object_unref (self->store);
  g_object_unref (self->settings);
  g_free (self);
}

/* ---- the list of targets ---- */

static void
add_target (Fleet *self, const char *spec)
{
  gtk_list_store_insert_with_values (self->store, NULL, -1, COLUMN_SPEC, spec, -1);
  update_buttons (self);
}

static void
add_clicked (Fleet *self)
{
  g_autofree char *spec = g_strstrip (g_strdup (gtk_entry_get_text (self->target)));

  if (*spec == '\0')
    return;
  add_target (self, spec);
  gtk_entry_set_text (self->target, "");
}

static void
remove_clicked (Fleet *self)
{
  GtkTreeIter iter;

  if (!is_going (self) && gtk_tree_selection_get_selected (gtk_tree_view_get_selection (self->tree), NULL, &iter))
    gtk_list_store_remove (self->store, &iter);
  update_buttons (self);
}

static gboolean
tree_key (Fleet *self, GdkEventKey *event)
{
  if (event->keyval != GDK_KEY_Delete)
    return GDK_EVENT_PROPAGATE;
  remove_clicked (self);

  return GDK_EVENT_STOP;
}

static void
open_session (Fleet *self, guint i)
{
  GilkFleetMember member;

  if (self->fleet == NULL || i >= gilk_fleet_n_members (self->fleet))
    return;
  gilk_fleet_member (self->fleet, i, &member);
  if (member.run_number > 0)
    g_action_group_activate_action (G_ACTION_GROUP (self->parent), "open-path", g_variant_new_string (member.path));
}

static void
row_activated (GtkTreeView *tree, GtkTreePath *path, GtkTreeViewColumn *column, Fleet *self)
{
  open_session (self, (guint) gtk_tree_path_get_indices (path)[0]);
}

/* That of the row that is chosen, or the first that there is. */
static void
open_clicked (Fleet *self)
{
  GtkTreeIter iter;
  g_autoptr(GtkTreePath) path = NULL;

  if (gtk_tree_selection_get_selected (gtk_tree_view_get_selection (self->tree), NULL, &iter))
    path = gtk_tree_model_get_path (GTK_TREE_MODEL (self->store), &iter);
  open_session (self, path != NULL ? (guint) gtk_tree_path_get_indices (path)[0] : 0);
}

/* ---- made ---- */

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
make_targets (Fleet *self)
{
  static const struct { const char *title; int column; gboolean is_number; } columns[] = {
    { N_("Target"), COLUMN_SPEC, FALSE }, { N_("Kernel"), COLUMN_KERNEL, FALSE }, { N_("State"), COLUMN_STATE, FALSE },
    { N_("Began"), COLUMN_BEGAN, TRUE }, { N_("Samples"), COLUMN_SAMPLES, TRUE }, { N_("Rate"), COLUMN_RATE, TRUE },
    { N_("Lost"), COLUMN_LOST, TRUE }, { N_("Refused"), COLUMN_REFUSED, TRUE },
  };
  GtkWidget *scroller = make_tree (&self->tree, _("Targets"), 130);

  self->store = gtk_list_store_new (N_COLUMNS, G_TYPE_STRING, G_TYPE_STRING, G_TYPE_STRING, G_TYPE_STRING, G_TYPE_STRING,
                                    G_TYPE_STRING, G_TYPE_STRING, G_TYPE_STRING);
  gtk_tree_view_set_model (self->tree, GTK_TREE_MODEL (self->store));
  for (guint i = 0; i < G_N_ELEMENTS (columns); i++)
    gilk_fleet_add_column (self->tree, _(columns[i].title), columns[i].column, columns[i].is_number);
  g_signal_connect (self->tree, "row-activated", G_CALLBACK (row_activated), self);
  g_signal_connect_swapped (self->tree, "key-press-event", G_CALLBACK (tree_key), self);
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
make_button (Fleet *self, GtkWidget *box, const char *label, void (*clicked) (Fleet *self))
{
  GtkWidget *button = gtk_button_new_with_mnemonic (label);

  g_signal_connect_swapped (button, "clicked", G_CALLBACK (clicked), self);
  gtk_box_pack_start (GTK_BOX (box), button, FALSE, FALSE, 0);

  return button;
}

static GtkWidget *
make_entries (Fleet *self)
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
make_hits (Fleet *self)
{
  GtkWidget *title = gtk_label_new (_("Hits, side by side"));

  self->hits_box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  gtk_label_set_xalign (GTK_LABEL (title), 0);
  gtk_style_context_add_class (gtk_widget_get_style_context (title), "section");
  gtk_box_pack_start (GTK_BOX (self->hits_box), title, FALSE, FALSE, 0);
  gtk_box_pack_start (GTK_BOX (self->hits_box), make_tree (&self->hits, _("Hits, side by side"), 150), TRUE, TRUE, 0);
  gtk_widget_show_all (self->hits_box);
  gtk_widget_set_no_show_all (self->hits_box, TRUE);
  gtk_widget_hide (self->hits_box);

  return self->hits_box;
}

static GtkWidget *
make_told (Fleet *self)
{
  self->told = GTK_LABEL (gtk_label_new (NULL));
  gtk_label_set_line_wrap (self->told, TRUE);
  gtk_label_set_selectable (self->told, TRUE);
  gtk_label_set_xalign (self->told, 0);
  gtk_widget_set_no_show_all (GTK_WIDGET (self->told), TRUE);
  gtk_style_context_add_class (gtk_widget_get_style_context (GTK_WIDGET (self->told)), "refusal");

  return GTK_WIDGET (self->told);
}

static GtkWidget *
make_content (Fleet *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 10), *targets = make_targets (self);
  g_autofree char *plan = self->plan->hooks->len == 0
    ? g_strdup (_("The plan is empty: plan hooks in the window first."))
    : g_strdup_printf (ngettext ("The plan has %u hook. It is found by name on each kernel, whatever its build.",
                                 "The plan has %u hooks. They are found by name on each kernel, whatever its build.",
                                 self->plan->hooks->len), self->plan->hooks->len);
  GtkWidget *facts = gtk_label_new (plan);

  g_object_set (box, "margin", 12, NULL);
  gtk_label_set_xalign (GTK_LABEL (facts), 0);
  gtk_label_set_line_wrap (GTK_LABEL (facts), TRUE);
  self->partial = gtk_check_button_new_with_mnemonic (_("_Begin on those that can be had, with the hooks that each takes"));
  gtk_box_pack_start (GTK_BOX (box), facts, FALSE, FALSE, 0);
  gtk_box_pack_start (GTK_BOX (box), make_entries (self), FALSE, FALSE, 0);
  gtk_box_pack_start (GTK_BOX (box), targets, TRUE, TRUE, 0);
  gtk_box_pack_start (GTK_BOX (box), self->partial, FALSE, FALSE, 0);
  gtk_box_pack_start (GTK_BOX (box), make_told (self), FALSE, FALSE, 0);
  gtk_box_pack_start (GTK_BOX (box), make_hits (self), TRUE, TRUE, 0);

  return box;
}

static GtkWidget *
make_header (Fleet *self)
{
  GtkWidget *bar = gtk_header_bar_new (), *buttons = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);

  self->open = make_button (self, buttons, _("_Open Results"), open_clicked);
  self->run = make_button (self, buttons, _("_Run"), run_clicked);
  gtk_widget_set_sensitive (self->open, FALSE);
  gtk_style_context_add_class (gtk_widget_get_style_context (self->run), "suggested-action");
  gtk_button_set_use_underline (GTK_BUTTON (self->run), TRUE);
  gtk_header_bar_set_title (GTK_HEADER_BAR (bar), _("Run on Several Targets"));
  gtk_header_bar_set_show_close_button (GTK_HEADER_BAR (bar), TRUE);
  gtk_header_bar_pack_end (GTK_HEADER_BAR (bar), buttons);

  return bar;
}

static gboolean
key_pressed (GtkWidget *window, GdkEventKey *event, Fleet *self)
{
  if (event->keyval != GDK_KEY_Escape || is_going (self))
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
  Fleet *self = g_new0 (Fleet, 1);

  self->parent = parent;
  self->settings = g_object_ref (settings);
  self->plan = gilk_plan_copy (plan);
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

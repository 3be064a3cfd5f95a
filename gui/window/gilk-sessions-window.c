/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-sessions-window.c - searchable list of the user's sessions
 */
#include "gui/window/gilk-menu-windows.h"

#include <glib/gi18n.h>
#include <string.h>

#include "gui/base/gilk-object.h"
#include "gui/base/gilk-text.h"
#include "gui/base/gilk-windows.h"
#include "gui/session/gilk-session-summaries.h"

enum { COLUMN_PATH, COLUMN_NAME, COLUMN_WHEN, COLUMN_RUNS, COLUMN_SIZE, COLUMN_KERNEL, COLUMN_TITLE, COLUMN_GOOD, N_COLUMNS };

typedef struct {
  GtkWidget    *window;
  GtkEntry     *search;
  GtkTreeView  *tree;
  GtkListStore *store;
  GtkTreeModel *filter;
  GtkStack     *stack;
  GtkLabel     *empty, *footer;
  GCancellable *cancellable;
  char         *action;
} Sessions;

static void
sessions_free (gpointer data)
{
  Sessions *self = data;

  gilk_cancel (&self->cancellable);
  g_object_unref (self->store);
  g_object_unref (self->filter);
  g_free (self->action);
  g_free (self);
}

/* ---- rows of sessions ---- */

static gboolean
is_wanted (GtkTreeModel *model,
           GtkTreeIter  *iter,
           gpointer      user_data)
{
  static const int columns[] = { COLUMN_NAME, COLUMN_KERNEL, COLUMN_TITLE, COLUMN_WHEN };
  Sessions *self = user_data;
  g_autofree char *wanted = g_utf8_casefold (gtk_entry_get_text (self->search), -1);

  for (guint i = 0; i < G_N_ELEMENTS (columns); i++)
    {
      g_autofree char *text = NULL, *folded = NULL;

      gtk_tree_model_get (model, iter, columns[i], &text, -1);
      folded = g_utf8_casefold (text != NULL ? text : "", -1);
      if (strstr (folded, wanted) != NULL)
        return TRUE;
    }

  return FALSE;
}

static void
show_count (Sessions *self)
{
  guint shown = gtk_tree_model_iter_n_children (self->filter, NULL);
  guint all = gtk_tree_model_iter_n_children (GTK_TREE_MODEL (self->store), NULL);
  g_autofree char *text = shown == all ? g_strdup_printf (g_dngettext (NULL, "%u session", "%u sessions", all), all)
                                       : g_strdup_printf (_("%u of %u sessions"), shown, all);

  gtk_label_set_text (self->footer, text);
}

static void
add_summary (const GilkSessionSummary *head,
             gpointer                  user_data)
{
  Sessions *self = user_data;
  g_autofree char *base = g_path_get_basename (head->path);
  g_autofree char *size = g_format_size (head->bytes);
  g_autofree char *when = head->started != NULL ? gilk_text_date (head->started, FALSE) : g_strdup ("–");
  g_autofree char *runs = head->problem != NULL ? g_strdup ("–") : g_strdup_printf ("%u", head->runs);

  gtk_list_store_insert_with_values (self->store, NULL, -1, COLUMN_PATH, head->path, COLUMN_NAME, base, COLUMN_WHEN, when,
                                     COLUMN_RUNS, runs, COLUMN_SIZE, size,
                                     COLUMN_KERNEL, head->kernel != NULL ? head->kernel : "–",
                                     COLUMN_TITLE, head->problem != NULL ? head->problem : head->title,
                                     COLUMN_GOOD, head->problem == NULL, -1);
  gtk_stack_set_visible_child_name (self->stack, "list");
  show_count (self);
}

static void
reading_done (GObject      *object,
              GAsyncResult *result,
              gpointer      user_data)
{
  Sessions *self = user_data;
  g_autoptr(GError) error = NULL;
  gssize n = gilk_session_summaries_finish (result, &error);

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;                              /* the window was closed while sessions were being read */
  gtk_label_set_text (self->empty, n < 0 ? error->message
                                         : _("No sessions yet. Each run of the workbench creates one."));
}

/* ---- opening a session ---- */

static void
open_path (Sessions    *self,
           GtkTreePath *path)
{
  GtkWindow *parent = gtk_window_get_transient_for (GTK_WINDOW (self->window));
  g_autofree char *file = NULL;
  GtkTreeIter iter;

  if (!gtk_tree_model_get_iter (self->filter, &iter, path))
    return;
  gtk_tree_model_get (self->filter, &iter, COLUMN_PATH, &file, -1);
  g_action_group_activate_action (G_ACTION_GROUP (parent), self->action, g_variant_new_string (file));
  gtk_widget_destroy (self->window);
}

static void
row_activated (GtkTreeView       *tree,
               GtkTreePath       *path,
               GtkTreeViewColumn *column,
               Sessions          *self)
{
  open_path (self, path);
}

static void
search_activated (Sessions *self)
{
  g_autoptr(GtkTreePath) first = gtk_tree_path_new_first ();

  open_path (self, first);
}

static void
search_changed (Sessions *self)
{
  gtk_tree_model_filter_refilter (GTK_TREE_MODEL_FILTER (self->filter));
  show_count (self);
}

/* ---- building the window ---- */

static void
add_column (Sessions   *self,
            const char *title,
            int         column,
            gboolean    number)
{
  GtkCellRenderer *cell = gtk_cell_renderer_text_new ();
  GtkTreeViewColumn *view = gtk_tree_view_column_new_with_attributes (title, cell, "text", column, "sensitive", COLUMN_GOOD, NULL);

  g_object_set (cell, "xpad", 6, "ypad", 4, "xalign", number ? 1.0 : 0.0, "ellipsize", column == COLUMN_TITLE ? PANGO_ELLIPSIZE_END : PANGO_ELLIPSIZE_NONE,
                NULL);
  gtk_tree_view_column_set_alignment (view, number ? 1.0 : 0.0);
  gtk_tree_view_column_set_expand (view, column == COLUMN_TITLE);
  gtk_tree_view_column_set_resizable (view, TRUE);
  gtk_tree_view_append_column (self->tree, view);
}

static GtkWidget *
make_list (Sessions *self)
{
  GtkWidget *scroller = gtk_scrolled_window_new (NULL, NULL);

  self->store = gtk_list_store_new (N_COLUMNS, G_TYPE_STRING, G_TYPE_STRING, G_TYPE_STRING, G_TYPE_STRING, G_TYPE_STRING,
                                    G_TYPE_STRING, G_TYPE_STRING, G_TYPE_BOOLEAN);
  self->filter = gtk_tree_model_filter_new (GTK_TREE_MODEL (self->store), NULL);
  gtk_tree_model_filter_set_visible_func (GTK_TREE_MODEL_FILTER (self->filter), is_wanted, self, NULL);
  self->tree = GTK_TREE_VIEW (gtk_tree_view_new_with_model (self->filter));
  gtk_tree_view_set_enable_search (self->tree, FALSE);
  add_column (self, _("Session"), COLUMN_NAME, FALSE);
  add_column (self, _("Last run"), COLUMN_WHEN, FALSE);
  add_column (self, _("Runs"), COLUMN_RUNS, TRUE);
  add_column (self, _("Size"), COLUMN_SIZE, TRUE);
  add_column (self, _("Kernel"), COLUMN_KERNEL, FALSE);
  add_column (self, _("Title"), COLUMN_TITLE, FALSE);
  atk_object_set_name (gtk_widget_get_accessible (GTK_WIDGET (self->tree)), _("Sessions"));
  g_signal_connect (self->tree, "row-activated", G_CALLBACK (row_activated), self);
  gtk_container_add (GTK_CONTAINER (scroller), GTK_WIDGET (self->tree));

  return scroller;
}

static GtkWidget *
make_header (Sessions *self)
{
  GtkWidget *bar = gtk_header_bar_new ();
  GtkWidget *search = gtk_search_entry_new ();

  self->search = GTK_ENTRY (search);
  gtk_entry_set_placeholder_text (self->search, _("Search name, title or kernel"));
  gtk_entry_set_width_chars (self->search, 34);
  atk_object_set_name (gtk_widget_get_accessible (search), _("Search sessions"));
  g_signal_connect_swapped (search, "search-changed", G_CALLBACK (search_changed), self);
  g_signal_connect_swapped (search, "activate", G_CALLBACK (search_activated), self);
  gtk_header_bar_set_custom_title (GTK_HEADER_BAR (bar), search);
  gtk_header_bar_set_show_close_button (GTK_HEADER_BAR (bar), TRUE);

  return bar;
}

static GtkWidget *
make_content (Sessions *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *footer = gtk_label_new (NULL);
  GtkWidget *empty = gtk_label_new (_("Reading…"));

  self->stack = GTK_STACK (gtk_stack_new ());
  self->footer = GTK_LABEL (footer);
  self->empty = GTK_LABEL (empty);
  gtk_style_context_add_class (gtk_widget_get_style_context (empty), "dim-label");
  gtk_style_context_add_class (gtk_widget_get_style_context (footer), "panel-footer");
  gtk_label_set_xalign (self->footer, 0);
  gtk_stack_add_named (self->stack, empty, "empty");
  gtk_stack_add_named (self->stack, make_list (self), "list");
  gtk_box_pack_start (GTK_BOX (box), GTK_WIDGET (self->stack), TRUE, TRUE, 0);
  gtk_box_pack_start (GTK_BOX (box), footer, FALSE, FALSE, 0);

  return box;
}

void
gilk_sessions_window_show (GtkWindow  *parent,
                           const char *folder,
                           const char *action)
{
  Sessions *self = g_new0 (Sessions, 1);

  self->window = gtk_window_new (GTK_WINDOW_TOPLEVEL);
  self->action = g_strdup (action);
  self->cancellable = g_cancellable_new ();
  gtk_window_set_titlebar (GTK_WINDOW (self->window), make_header (self));
  gtk_window_set_title (GTK_WINDOW (self->window), _("Sessions"));
  gtk_window_set_transient_for (GTK_WINDOW (self->window), parent);
  gtk_window_set_destroy_with_parent (GTK_WINDOW (self->window), TRUE);
  gtk_window_set_default_size (GTK_WINDOW (self->window), 860, 460);
  gtk_container_add (GTK_CONTAINER (self->window), make_content (self));
  gilk_side_window_set_keys (GTK_WINDOW (self->window), GTK_WIDGET (self->search), GTK_WIDGET (self->tree));
  g_object_set_data_full (G_OBJECT (self->window), "sessions", self, sessions_free);
  gtk_widget_show_all (self->window);
  gilk_session_summaries_read (folder, self->cancellable, add_summary, reading_done, self);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-keys-window.c - searchable list of keyboard shortcuts
 *
 * Shows the shortcuts in one tree view, whose rows cost nothing until they are visible. Does not
 * use GtkShortcutsWindow, because it creates several widgets for each shortcut and reports all of
 * them to screen readers at once.
 */
#include "gui/window/gilk-menu-windows.h"

#include <glib/gi18n.h>
#include <string.h>

#include "gui/base/gilk-actions.h"
#include "gui/base/gilk-windows.h"

#define WIDTH  620
#define HEIGHT 640

#define GROUP_HEIGHT   36    /* height of a row with a group's name, pixels */
#define INDENT 12            /* indentation of the rows of a group, pixels */

enum { COLUMN_TITLE, COLUMN_KEYS, COLUMN_IS_GROUP, N_COLUMNS };

typedef struct {
  GtkWindow    *window;
  GtkEntry     *search;
  GtkTreeView  *tree;
  GtkListStore *store;
  GtkStack     *stack;
} KeysWindow;

static char *
fold_case (const char *text)
{
  g_autofree char *normal = g_utf8_normalize (text, -1, G_NORMALIZE_ALL);

  return g_utf8_casefold (normal != NULL ? normal : "", -1);
}

/* Returns whether the group, title and keys of an action together contain all of @words. */
static gboolean
matches_words (const char  *group,
               const char  *title,
               const char  *keys,
               char *const *words)
{
  g_autofree char *all = g_strjoin ("\n", group, title, keys, NULL), *text = fold_case (all);

  for (guint i = 0; words[i] != NULL; i++)
    if (strstr (text, words[i]) == NULL)
      return FALSE;

  return TRUE;
}

static void
add_row (KeysWindow *self,
         const char *title,
         const char *keys,
         gboolean    is_group)
{
  gtk_list_store_insert_with_values (self->store, NULL, -1, COLUMN_TITLE, title, COLUMN_KEYS, keys, COLUMN_IS_GROUP, is_group, -1);
}

/* Lists the matching actions, each group below its name. */
static void
fill_rows (KeysWindow *self)
{
  g_autofree char *typed = fold_case (gtk_entry_get_text (self->search));
  g_auto(GStrv) words = g_strsplit (typed, " ", -1);
  const char *group, *above = NULL, *action, *title, *accel;

  gtk_list_store_clear (self->store);
  for (guint i = 0; gilk_actions_nth (i, &action, &title, &accel); i++)
    {
      g_autofree char *keys = gilk_actions_keys (i);

      group = gilk_actions_group (i);
      if (keys == NULL || !matches_words (group, title, keys, words))
        continue;
      if (g_strcmp0 (group, above) != 0)
        add_row (self, group, NULL, TRUE);
      above = group;
      add_row (self, title, keys, FALSE);
    }
  gtk_stack_set_visible_child_name (self->stack, above != NULL ? "list" : "none");
}

static void
render_title (GtkTreeViewColumn *column,
              GtkCellRenderer   *cell,
              GtkTreeModel      *model,
              GtkTreeIter       *iter,
              gpointer           user_data)
{
  g_autofree char *title = NULL;
  gboolean is_group;

  gtk_tree_model_get (model, iter, COLUMN_TITLE, &title, COLUMN_IS_GROUP, &is_group, -1);
  g_object_set (cell, "text", title, "weight", is_group ? PANGO_WEIGHT_BOLD : PANGO_WEIGHT_NORMAL,
                "xpad", is_group ? 2 : 2 + INDENT, "height", is_group ? GROUP_HEIGHT : -1, "yalign", is_group ? 0.8 : 0.5, NULL);
}

static void
add_column (KeysWindow *self,
            const char *title,
            int         column)
{
  GtkCellRenderer *cell = gtk_cell_renderer_text_new ();
  GtkTreeViewColumn *view = gtk_tree_view_column_new_with_attributes (title, cell, "text", column, NULL);

  g_object_set (cell, "ypad", 3, "ellipsize", column == COLUMN_TITLE ? PANGO_ELLIPSIZE_END : PANGO_ELLIPSIZE_NONE, NULL);
  if (column == COLUMN_TITLE)
    gtk_tree_view_column_set_cell_data_func (view, cell, render_title, NULL, NULL);
  gtk_tree_view_column_set_expand (view, column == COLUMN_TITLE);
  gtk_tree_view_append_column (self->tree, view);
}

static GtkWidget *
make_list (KeysWindow *self)
{
  GtkWidget *scroller = gtk_scrolled_window_new (NULL, NULL);

  self->store = gtk_list_store_new (N_COLUMNS, G_TYPE_STRING, G_TYPE_STRING, G_TYPE_BOOLEAN);
  self->tree = GTK_TREE_VIEW (gtk_tree_view_new_with_model (GTK_TREE_MODEL (self->store)));
  g_object_unref (self->store);
  gtk_tree_view_set_enable_search (self->tree, FALSE);
  add_column (self, _("Action"), COLUMN_TITLE);
  add_column (self, _("Keys"), COLUMN_KEYS);
  atk_object_set_name (gtk_widget_get_accessible (GTK_WIDGET (self->tree)), _("Keys"));
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scroller), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_container_add (GTK_CONTAINER (scroller), GTK_WIDGET (self->tree));

  return scroller;
}

static GtkWidget *
make_content (KeysWindow *self)
{
  GtkWidget *none = gtk_label_new (_("No action or key matches"));

  gtk_style_context_add_class (gtk_widget_get_style_context (none), "dim-label");
  self->stack = GTK_STACK (gtk_stack_new ());
  gtk_stack_add_named (self->stack, make_list (self), "list");
  gtk_stack_add_named (self->stack, none, "none");

  return GTK_WIDGET (self->stack);
}

static GtkWidget *
make_header (KeysWindow *self)
{
  GtkWidget *bar = gtk_header_bar_new (), *search = gtk_search_entry_new ();

  self->search = GTK_ENTRY (search);
  gtk_entry_set_placeholder_text (self->search, _("Search actions and keys"));
  gtk_entry_set_width_chars (self->search, 34);
  atk_object_set_name (gtk_widget_get_accessible (search), _("Search actions and keys"));
  g_signal_connect_swapped (search, "search-changed", G_CALLBACK (fill_rows), self);
  gtk_header_bar_set_custom_title (GTK_HEADER_BAR (bar), search);
  gtk_header_bar_set_show_close_button (GTK_HEADER_BAR (bar), TRUE);

  return bar;
}

void
gilk_keys_window_show (GtkWindow *parent)
{
  KeysWindow *self = g_new0 (KeysWindow, 1);
  GtkWidget *window = gtk_window_new (GTK_WINDOW_TOPLEVEL);

  self->window = GTK_WINDOW (window);
  gtk_window_set_titlebar (self->window, make_header (self));
  gtk_window_set_title (self->window, _("Keyboard shortcuts"));
  gtk_window_set_transient_for (self->window, parent);
  gtk_window_set_destroy_with_parent (self->window, TRUE);
  gtk_window_set_modal (self->window, TRUE);
  gtk_window_set_default_size (self->window, WIDTH, HEIGHT);
  gtk_container_add (GTK_CONTAINER (window), make_content (self));
  gtk_widget_show_all (window);
  fill_rows (self);
  gilk_side_window_set_keys (self->window, GTK_WIDGET (self->search), GTK_WIDGET (self->tree));
  g_object_set_data_full (G_OBJECT (window), "keys", self, g_free);
  gtk_widget_grab_focus (GTK_WIDGET (self->search));
  gtk_window_present (self->window);
}

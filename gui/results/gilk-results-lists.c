/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-results-lists.c - lists of a session: runs, recorded graphs, hooks
 */
#include "gui/results/gilk-results-lists.h"

#include <glib/gi18n.h>

#include "core/samples/gilk-store-accesses.h"
#include "gui/base/gilk-text.h"

static void
destroy_child (GtkWidget *child,
               gpointer   user_data)
{
  gtk_widget_destroy (child);
}

static void
clear_list (GtkListBox *list)
{
  gtk_container_foreach (GTK_CONTAINER (list), destroy_child, NULL);
}

static void
add_row (GtkListBox *list,
         const char *title,
         const char *subtitle)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 1);
  GtkWidget *top = gtk_label_new (title);
  GtkWidget *bottom = gtk_label_new (subtitle);
  g_autofree char *name = g_strdup_printf ("%s, %s", title, subtitle);

  gtk_label_set_xalign (GTK_LABEL (top), 0);
  gtk_label_set_xalign (GTK_LABEL (bottom), 0);
  gtk_label_set_ellipsize (GTK_LABEL (top), PANGO_ELLIPSIZE_MIDDLE);
  gtk_label_set_ellipsize (GTK_LABEL (bottom), PANGO_ELLIPSIZE_END);
  gtk_style_context_add_class (gtk_widget_get_style_context (top), "row-title");
  gtk_style_context_add_class (gtk_widget_get_style_context (bottom), "dim-label");
  gtk_style_context_add_class (gtk_widget_get_style_context (bottom), "row-subtitle");
  gtk_container_add (GTK_CONTAINER (box), top);
  gtk_container_add (GTK_CONTAINER (box), bottom);
  gtk_style_context_add_class (gtk_widget_get_style_context (box), "list-row");
  gtk_widget_show_all (box);
  gtk_list_box_insert (list, box, -1);
  atk_object_set_name (gtk_widget_get_accessible (gtk_widget_get_parent (box)), name);
}

char *
gilk_results_name_run (const GilkStoredRun *run)
{
  g_autofree char *title = run->title != NULL ? gilk_text_sanitise (run->title) : NULL;

  return title != NULL && *title != '\0' ? g_strdup_printf (_("Run %ld: %s"), run->id, title) : g_strdup_printf (_("Run %ld"), run->id);
}

void
gilk_results_fill_runs (GtkListBox        *list,
                        const GilkSession *session)
{
  clear_list (list);
  for (guint i = 0; i < session->runs->len; i++)
    {
      const GilkStoredRun *run = &g_array_index (session->runs, GilkSessionRun, i).run;
      g_autofree char *title = g_strdup_printf (_("Run %ld"), run->id);
      g_autofree char *called = run->title != NULL ? gilk_text_sanitise (run->title) : g_strdup ("");
      g_autofree char *started = gilk_text_date (run->started, FALSE);
      g_autofree char *subtitle = g_strdup_printf ("%s · %.1f s%s%s", started, run->duration, *called != '\0' ? "\n" : "", called);

      add_row (list, title, subtitle);
    }
}

/* ---- lists with many rows ---- */

enum { TITLE, SUBTITLE, ROW, N_COLUMNS };

static void
render_cell (GtkTreeViewColumn *column,
             GtkCellRenderer   *cell,
             GtkTreeModel      *model,
             GtkTreeIter       *iter,
             gpointer           user_data)
{
  g_autofree char *title = NULL, *subtitle = NULL, *markup = NULL;

  gtk_tree_model_get (model, iter, TITLE, &title, SUBTITLE, &subtitle, -1);
  markup = g_markup_printf_escaped ("<b>%s</b>\n<span size=\"87%%\" alpha=\"70%%\">%s</span>", title, subtitle);
  g_object_set (cell, "markup", markup, NULL);
}

void
gilk_results_set_up_list (GtkTreeView *list)
{
  GtkTreeViewColumn *column = gtk_tree_view_column_new ();
  GtkCellRenderer *cell = gtk_cell_renderer_text_new ();

  g_object_set (cell, "ellipsize", PANGO_ELLIPSIZE_MIDDLE, "xpad", 14, "ypad", 6, NULL);
  gtk_tree_view_column_pack_start (column, cell, TRUE);
  gtk_tree_view_column_set_cell_data_func (column, cell, render_cell, NULL, NULL);
  gtk_tree_view_column_set_sizing (column, GTK_TREE_VIEW_COLUMN_FIXED);
  gtk_tree_view_column_set_expand (column, TRUE);
  gtk_tree_view_append_column (list, column);
  gtk_tree_view_set_fixed_height_mode (list, TRUE);
}

/* Rows are added before a view is attached to the model. */
static GtkListStore *
new_list_store (void)
{
  return gtk_list_store_new (N_COLUMNS, G_TYPE_STRING, G_TYPE_STRING, G_TYPE_INT);
}

static void
append_row (GtkListStore *rows,
            int           row,
            const char   *title,
            const char   *subtitle)
{
  g_autofree char *tame_title = gilk_text_sanitise (title), *tame_subtitle = gilk_text_sanitise (subtitle);

  gtk_list_store_insert_with_values (rows, NULL, -1, TITLE, tame_title, SUBTITLE, tame_subtitle, ROW, row, -1);
}

void
gilk_results_fill_functions (GtkTreeView          *list,
                             const GilkSessionRun *run)
{
  g_autoptr(GtkListStore) rows = new_list_store ();

  for (guint i = 0; i < run->functions->len; i++)
    {
      const GilkStoredFunction *function = &g_array_index (run->functions, GilkStoredFunction, i);
      g_autofree char *blocks = g_strdup_printf (g_dngettext (NULL, "graph of %u block", "graph of %u blocks",
                                                              function->n_blocks), function->n_blocks);

      append_row (rows, (int) i, function->name, blocks);
    }
  gtk_tree_view_set_model (list, GTK_TREE_MODEL (rows));
}

static int
compare_hits (gconstpointer a,
              gconstpointer b)
{
  const GilkStoredHook *x = *(const GilkStoredHook *const *) a, *y = *(const GilkStoredHook *const *) b;

  if (x->hits_known != y->hits_known)
    return y->hits_known - x->hits_known;
  if (x->hits != y->hits && x->hits_known)
    return x->hits < y->hits ? 1 : -1;

  return (x > y) - (x < y);
}

static GPtrArray *
sort_hooks (const GilkSessionRun *run,
            gboolean              by_hits)
{
  GPtrArray *order = g_ptr_array_sized_new (run->hooks->len);

  for (guint i = 0; i < run->hooks->len; i++)
    g_ptr_array_add (order, &g_array_index (run->hooks, GilkStoredHook, i));
  if (by_hits)
    g_ptr_array_sort (order, compare_hits);

  return order;
}

void
gilk_results_fill_hooks (GtkTreeView          *list,
                         const GilkSessionRun *run,
                         gboolean              by_hits)
{
  g_autoptr(GPtrArray) order = sort_hooks (run, by_hits);
  g_autoptr(GtkListStore) rows = new_list_store ();

  append_row (rows, 0, _("All hooks"), _("hits side by side"));
  for (guint i = 0; i < order->len; i++)
    {
      const GilkStoredHook *hook = g_ptr_array_index (order, i);
      g_autofree char *hits = gilk_text_count (hook->hits);
      g_autofree char *subtitle = gilk_stored_hook_is_watchpoint (hook)
                                  ? g_strdup_printf (g_dngettext (NULL, "watchpoint · %s access", "watchpoint · %s accesses", hook->hits), hits)
                                  : hook->hits_known
                                  ? g_strdup_printf (g_dngettext (NULL, "%s · %s · %s hit", "%s · %s · %s hits", hook->hits),
                                                     hook->where, hook->instrument, hits)
                                  : g_strdup_printf (_("%s · %s · hits not counted"), hook->where, hook->instrument);

      append_row (rows, (int) (hook - (const GilkStoredHook *) (gpointer) run->hooks->data) + 1, hook->label, subtitle);
    }
  gtk_tree_view_set_model (list, GTK_TREE_MODEL (rows));
}

/* ---- rows in any order ---- */

static int
get_row (GtkTreeModel *model,
         GtkTreeIter  *iter)
{
  int row;

  gtk_tree_model_get (model, iter, ROW, &row, -1);

  return row;
}

/* (transfer full); NULL if there is no such row */
static GtkTreePath *
find_path (GtkTreeView *list,
           int          row)
{
  GtkTreeModel *model = gtk_tree_view_get_model (list);
  GtkTreeIter iter;
  gboolean more;

  if (model == NULL || row < 0)
    return NULL;
  if (gtk_tree_model_iter_nth_child (model, &iter, NULL, row) && get_row (model, &iter) == row)
    return gtk_tree_path_new_from_indices (row, -1);
  for (more = gtk_tree_model_get_iter_first (model, &iter); more; more = gtk_tree_model_iter_next (model, &iter))
    if (get_row (model, &iter) == row)
      return gtk_tree_model_get_path (model, &iter);

  return NULL;
}

GArray *
gilk_results_get_selected_rows (GtkTreeView *list)
{
  GArray *chosen = g_array_new (FALSE, FALSE, sizeof (int));
  GtkTreeModel *model;
  GList *paths = gtk_tree_selection_get_selected_rows (gtk_tree_view_get_selection (list), &model);

  for (GList *path = paths; path != NULL; path = path->next)
    {
      GtkTreeIter iter;
      int row;

      gtk_tree_model_get_iter (model, &iter, path->data);
      row = get_row (model, &iter);
      g_array_append_val (chosen, row);
    }
  g_list_free_full (paths, (GDestroyNotify) gtk_tree_path_free);

  return chosen;
}

void
gilk_results_select_row (GtkTreeView *list,
                         int          row)
{
  GtkTreeSelection *selection = gtk_tree_view_get_selection (list);
  g_autoptr(GtkTreePath) path = find_path (list, row);

  gtk_tree_selection_unselect_all (selection);
  if (path != NULL)
    gtk_tree_selection_select_path (selection, path);
}

void
gilk_results_add_selected_rows (GtkTreeView  *list,
                                const GArray *rows)
{
  GtkTreeSelection *selection = gtk_tree_view_get_selection (list);
  GtkTreeModel *model = gtk_tree_view_get_model (list);
  g_autoptr(GHashTable) wanted = g_hash_table_new (NULL, NULL);
  GtkTreeIter iter;
  gboolean more = model != NULL && gtk_tree_model_get_iter_first (model, &iter);

  for (guint i = 0; i < rows->len; i++)
    g_hash_table_add (wanted, GINT_TO_POINTER (g_array_index (rows, int, i)));
  for (; more; more = gtk_tree_model_iter_next (model, &iter))
    if (g_hash_table_contains (wanted, GINT_TO_POINTER (get_row (model, &iter))))
      gtk_tree_selection_select_iter (selection, &iter);
}

void
gilk_results_scroll_to_row (GtkTreeView *list,
                            int          row)
{
  g_autoptr(GtkTreePath) path = find_path (list, row);

  if (path != NULL)
    gtk_tree_view_scroll_to_cell (list, path, NULL, FALSE, 0, 0);
}

int
gilk_results_find_row (GtkTreeView *list,
                       const char  *title)
{
  GtkTreeModel *model = gtk_tree_view_get_model (list);
  GtkTreeIter iter;
  gboolean more = model != NULL && gtk_tree_model_get_iter_first (model, &iter);

  for (; more; more = gtk_tree_model_iter_next (model, &iter))
    {
      g_autofree char *name = NULL;

      gtk_tree_model_get (model, &iter, TITLE, &name, -1);
      if (g_str_equal (name, title))
        return get_row (model, &iter);
    }

  return -1;
}

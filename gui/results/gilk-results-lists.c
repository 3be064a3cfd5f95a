/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-results-lists.c - lists of a session: runs, recorded graphs, hooks
 */
#include "gui/results/gilk-results-toolbar.h"

#include <glib/gi18n.h>

#include "gui/base/gilk-panes.h"
#include "gui/base/gilk-text.h"

struct _GilkResultsLists {
  GtkBox             parent_instance;

  GilkResultsChoice *choice;       /* not owned */
  gboolean           filling;      /* the program itself, not the user, is selecting rows */
  GtkLabel          *file_label;
  GtkListBox        *runs;
  GtkWidget         *functions_label, *functions_scroll;
  /* The model stores a row number that sorting does not change. In @functions, row number i is
   * function i. In @hooks, number 0 is the whole run and number i + 1 is hook i. */
  GtkTreeView       *functions, *hooks;
  GtkToggleButton   *by_hits;      /* if active, sorts hooks by descending hits */
};

G_DEFINE_TYPE (GilkResultsLists, gilk_results_lists, GTK_TYPE_BOX)

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

static void
fill_runs (GtkListBox        *list,
           const GilkSession *session)
{
  gilk_panes_clear (GTK_CONTAINER (list));
  for (guint i = 0; i < session->runs->len; i++)
    {
      const GilkStoredRun *run = &g_array_index (session->runs, GilkSessionRun, i).run;
      g_autofree char *title = g_strdup_printf (_("Run %ld"), run->id);
      g_autofree char *called = run->title != NULL ? gilk_text_sanitise (run->title) : g_strdup ("");
      g_autofree char *started = gilk_text_date (run->started, FALSE);
      g_autofree char *subtitle = g_strdup_printf ("%s · %.1f s%s%s%s", started, run->duration,
                                                   run->by_bpf ? _(" · by BPF") : "", *called != '\0' ? "\n" : "", called);

      add_row (list, title, subtitle);
    }
}

/* ---- lists with many thousands of rows, drawn only when visible ---- */

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

static void
set_up_list (GtkTreeView *list)
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

/* Creates an empty model. Rows must be added before a view is attached to it. */
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

static void
fill_functions (GtkTreeView          *list,
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

static void
fill_hooks (GtkTreeView          *list,
            const GilkSessionRun *run,
            gboolean              by_hits)
{
  g_autoptr(GPtrArray) order = sort_hooks (run, by_hits);
  g_autoptr(GtkListStore) rows = new_list_store ();

  append_row (rows, 0, _("All hooks"), _("compare the hits of all hooks"));
  for (guint i = 0; i < order->len; i++)
    {
      const GilkStoredHook *hook = g_ptr_array_index (order, i);
      g_autofree char *hits = gilk_text_count (hook->hits);
      const char *edge = gilk_stored_hook_is_event (hook) ? hook->tactic : hook->where;
      g_autofree char *subtitle = gilk_stored_hook_is_watchpoint (hook)
                                  ? g_strdup_printf (g_dngettext (NULL, "watchpoint · %s access", "watchpoint · %s accesses", hook->hits), hits)
                                  : hook->hits_known
                                  ? g_strdup_printf (g_dngettext (NULL, "%s · %s · %s hit", "%s · %s · %s hits", hook->hits),
                                                     edge, hook->instrument, hits)
                                  : g_strdup_printf (_("%s · %s · hits not counted"), edge, hook->instrument);

      append_row (rows, (int) (hook - (const GilkStoredHook *) (gpointer) run->hooks->data) + 1, hook->label, subtitle);
    }
  gtk_tree_view_set_model (list, GTK_TREE_MODEL (rows));
}

/* ---- lookup and selection of rows, independent of their order ---- */

static int
get_row (GtkTreeModel *model,
         GtkTreeIter  *iter)
{
  int row;

  gtk_tree_model_get (model, iter, ROW, &row, -1);

  return row;
}

/* Returns the path of the row; NULL: no such row. (transfer full) */
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

/* Returns the selected rows (element-type int), in display order. (transfer full) */
static GArray *
get_selected_rows (GtkTreeView *list)
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

/* Selects only @row; -1 selects none. */
static void
select_row (GtkTreeView *list,
            int          row)
{
  GtkTreeSelection *selection = gtk_tree_view_get_selection (list);
  g_autoptr(GtkTreePath) path = find_path (list, row);

  gtk_tree_selection_unselect_all (selection);
  if (path != NULL)
    gtk_tree_selection_select_path (selection, path);
}

/* Adds @rows (element-type int) to the selection. */
static void
add_selected_rows (GtkTreeView  *list,
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

static void
scroll_to_row (GtkTreeView *list,
               int          row)
{
  g_autoptr(GtkTreePath) path = find_path (list, row);

  if (path != NULL)
    gtk_tree_view_scroll_to_cell (list, path, NULL, FALSE, 0, 0);
}

/* Returns the first displayed row with title @title; -1: none. */
static int
find_row (GtkTreeView *list,
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

/* ---- applying the user's selection ---- */

static void
run_selected (GilkResultsLists *self,
              GtkListBoxRow    *row)
{
  GilkResultsChoice *choice = self->choice;
  GilkSessionRun *run;

  if (row == NULL)
    return;
  choice->run = gtk_list_box_row_get_index (row);
  choice->function = choice->hook = -1;
  g_array_set_size (choice->overlaid, 0);
  gilk_selection_reset (choice->selection);
  run = gilk_results_run (choice);
  self->filling = TRUE;
  fill_functions (self->functions, run);
  fill_hooks (self->hooks, run, gtk_toggle_button_get_active (self->by_hits));
  gtk_widget_set_visible (self->functions_label, run->functions->len > 0);
  gtk_widget_set_visible (self->functions_scroll, run->functions->len > 0);
  select_row (self->hooks, 0);
  self->filling = FALSE;
  gilk_results_choice_changed (choice);
}

/* Sorts the hooks again. The selected hooks stay selected, and their plots stay. */
static void
order_hooks (GilkResultsLists *self)
{
  g_autoptr(GArray) chosen = NULL;

  if (gilk_results_run (self->choice) == NULL)
    return;
  chosen = get_selected_rows (self->hooks);
  self->filling = TRUE;
  fill_hooks (self->hooks, gilk_results_run (self->choice), gtk_toggle_button_get_active (self->by_hits));
  select_row (self->hooks, -1);
  add_selected_rows (self->hooks, chosen);
  if (chosen->len > 0)
    scroll_to_row (self->hooks, g_array_index (chosen, int, 0));
  self->filling = FALSE;
}

static void
unselect_all (GilkResultsLists *self,
              GtkTreeView      *list)
{
  self->filling = TRUE;
  select_row (list, -1);
  self->filling = FALSE;
}

/* Applies the selection of hooks. The first selected hook determines which views can be chosen; the
 * other hooks are drawn over it. */
static void
hooks_selected (GilkResultsLists *self)
{
  GilkResultsChoice *choice = self->choice;
  g_autoptr(GArray) rows = self->filling ? NULL : get_selected_rows (self->hooks);
  guint first;

  if (rows == NULL || rows->len == 0)
    return;
  first = g_array_index (rows, int, 0) == 0 && rows->len > 1;
  choice->hook = g_array_index (rows, int, first) - 1;
  choice->function = -1;
  g_array_set_size (choice->overlaid, 0);
  for (guint i = first + 1; i < rows->len; i++)
    {
      int hook = g_array_index (rows, int, i) - 1;

      if (hook >= 0)
        g_array_append_val (choice->overlaid, hook);
    }
  unselect_all (self, self->functions);
  gilk_results_choice_changed (choice);
}

static void
function_selected (GilkResultsLists *self)
{
  g_autoptr(GArray) rows = self->filling ? NULL : get_selected_rows (self->functions);

  if (rows == NULL || rows->len == 0)
    return;
  self->choice->function = g_array_index (rows, int, 0);
  self->choice->hook = -1;
  unselect_all (self, self->hooks);
  gilk_results_choice_changed (self->choice);
}

void
gilk_results_lists_select_hook (GilkResultsLists *self,
                                int               hook)
{
  select_row (self->hooks, hook + 1);
  scroll_to_row (self->hooks, hook + 1);
}

void
gilk_results_lists_select_name (GilkResultsLists *self,
                                const char       *name)
{
  int function = find_row (self->functions, name);
  int hook = find_row (self->hooks, name);

  if (function >= 0)
    select_row (self->functions, function);
  else if (hook >= 0)
    select_row (self->hooks, hook);
}

void
gilk_results_lists_show_session (GilkResultsLists *self)
{
  const GilkSession *session = self->choice->session;
  g_autofree char *name = g_path_get_basename (session->path);

  gtk_label_set_text (self->file_label, name);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->file_label), session->path);
  fill_runs (self->runs, session);
  gtk_list_box_select_row (self->runs, gtk_list_box_get_row_at_index (self->runs, 0));
}

/* ---- building the lists ---- */

void
gilk_results_lists_set_choice (GilkResultsLists  *self,
                               GilkResultsChoice *choice)
{
  self->choice = choice;
}

static void
gilk_results_lists_class_init (GilkResultsListsClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  gtk_widget_class_set_template_from_resource (widget_class, "/org/gilk/Workbench/ui/results-lists.ui");
  gtk_widget_class_bind_template_child (widget_class, GilkResultsLists, file_label);
  gtk_widget_class_bind_template_child (widget_class, GilkResultsLists, runs);
  gtk_widget_class_bind_template_child (widget_class, GilkResultsLists, functions);
  gtk_widget_class_bind_template_child (widget_class, GilkResultsLists, functions_label);
  gtk_widget_class_bind_template_child (widget_class, GilkResultsLists, functions_scroll);
  gtk_widget_class_bind_template_child (widget_class, GilkResultsLists, hooks);
  gtk_widget_class_bind_template_child (widget_class, GilkResultsLists, by_hits);
  gtk_widget_class_bind_template_callback (widget_class, run_selected);
  gtk_widget_class_bind_template_callback (widget_class, hooks_selected);
  gtk_widget_class_bind_template_callback (widget_class, order_hooks);
  gtk_widget_class_bind_template_callback (widget_class, function_selected);
}

static void
gilk_results_lists_init (GilkResultsLists *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  set_up_list (self->functions);
  set_up_list (self->hooks);
}

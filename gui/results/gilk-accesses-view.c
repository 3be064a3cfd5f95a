/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-accesses-view.c - accesses to a watched variable: a list of the blocks that made them, and
 * the selected block in its function's graph
 *
 * Selecting a row selects its block and vice versa; Enter moves the focus from the list to the
 * graph, and Escape moves it back.
 */
#include "gui/results/gilk-results-tables.h"

#include <glib/gi18n.h>
#include <inttypes.h>
#include <string.h>

#include "core/base/gilk-error.h"
#include "core/samples/gilk-store-accesses.h"
#include "gui/base/gilk-files.h"
#include "gui/base/gilk-object.h"
#include "gui/base/gilk-rows.h"
#include "gui/base/gilk-settings.h"
#include "gui/base/gilk-text.h"
#include "gui/base/gilk-windows.h"
#include "gui/graph/gilk-graph-menu.h"
#include "gui/results/gilk-recorded-graph.h"
#include "gui/session/gilk-session.h"

struct _GilkAccessesView {
  GtkBox                parent_instance;

  char                 *path;
  const GilkSessionRun *run;         /* the run that is shown; NULL: none */
  const GilkStoredHook *hook;
  GilkAccessesRows      *rows;
  GCancellable         *reading, *drawing;
  char                 *drawn;       /* function whose graph is shown or being loaded */
  gboolean              log_heat, syncing;

  /* Objects that the .ui template creates */
  GtkStack             *stack, *below;
  GtkLabel             *message, *summary, *place, *no_graph;
  GtkSearchEntry       *search;
  GtkTreeView          *tree;
  GtkTreeViewColumn    *block_column, *count_column, *share_column, *last_column, *context_column, *processes_column;
  GtkTreeViewColumn    *insn_column;
  GtkCellRenderer      *block_cell, *count_cell, *share_cell, *last_cell, *context_cell, *processes_cell, *insn_cell;
  GilkGraphView        *graph;
};

G_DEFINE_TYPE (GilkAccessesView, gilk_accesses_view, GTK_TYPE_BOX)

static const GilkAccessor *
get_selected (GilkAccessesView *self)
{
  GtkTreeIter iter;

  return gtk_tree_selection_get_selected (gtk_tree_view_get_selection (self->tree), NULL, &iter)
         ? gilk_accesses_rows_get (self->rows, &iter) : NULL;
}

/* ---- graph of the selected access ---- */

static int
find_block (const GilkGraphData *data, const char *block)
{
  for (guint i = 0; data != NULL && i < data->cfg->n_blocks; i++)
    if (g_strcmp0 (data->graph->titles[i], block) == 0)
      return (int) i;

  return -1;
}

static void
select_block (GilkAccessesView *self)
{
  const GilkAccessor *accessor = get_selected (self);
  int block = accessor != NULL ? find_block (gilk_graph_view_data (self->graph), accessor->block) : -1;

  if (block < 0 || self->syncing)
    return;
  self->syncing = TRUE;
  gilk_graph_view_select (self->graph, 2 * block, TRUE);
  self->syncing = FALSE;
}

static void
graph_cb (GObject      *object,
          GAsyncResult *result,
          gpointer      user_data)
{
  g_autoptr(GilkAccessesView) self = user_data;
  g_autoptr(GError) error = NULL;
  g_autoptr(GilkGraphData) data = gilk_recorded_graph_finish (result, &error);

  if (g_task_get_cancellable (G_TASK (result)) != self->drawing)
    return;
  g_clear_object (&self->drawing);
  if (data == NULL)
    {
      gtk_label_set_text (self->no_graph, error->message);
      gtk_stack_set_visible_child_name (self->below, "none");
      g_clear_pointer (&self->drawn, g_free);
      return;
    }
  gilk_graph_view_set_data (self->graph, data, FALSE);
  gilk_graph_view_set_marks (self->graph, data->marks, data->hits, self->log_heat);
  gtk_stack_set_visible_child_name (self->below, "graph");
  select_block (self);
}

static const GilkStoredFunction *
find_function (GilkAccessesView *self, const GilkAccessor *accessor)
{
  for (guint i = 0; accessor->function != NULL && i < self->run->functions->len; i++)
    {
      const GilkStoredFunction *function = &g_array_index (self->run->functions, GilkStoredFunction, i);

      if (g_strcmp0 (function->name, accessor->function) == 0)
        return function;
    }

  return NULL;
}

static void
draw_graph (GilkAccessesView *self, const GilkStoredFunction *function)
{
  GilkPlotStyle style;

  if (g_strcmp0 (self->drawn, function->name) == 0)
    {
      select_block (self);
      return;
    }
  gilk_cancel (&self->drawing);
  g_free (self->drawn);
  self->drawn = g_strdup (function->name);
  self->drawing = g_cancellable_new ();
  gilk_style_fill (GTK_WIDGET (self->graph), &style);
  gilk_recorded_graph_async (self->path, function, self->run, gilk_accesses_rows_all (self->rows), NULL, &style, self->drawing, graph_cb,
                             g_object_ref (self));
}

static void
drop_graph (GilkAccessesView *self, const char *why)
{
  gilk_cancel (&self->drawing);
  g_clear_pointer (&self->drawn, g_free);
  gilk_graph_view_set_data (self->graph, NULL, FALSE);
  gtk_label_set_text (self->no_graph, why);
  gtk_stack_set_visible_child_name (self->below, "none");
}

static void
row_selected (GilkAccessesView *self)
{
  const GilkAccessor *accessor = self->run != NULL ? get_selected (self) : NULL;
  const GilkStoredFunction *function = accessor != NULL ? find_function (self, accessor) : NULL;
  g_autofree char *place = accessor == NULL ? g_strdup ("")
                           : accessor->insn == NULL ? g_strdup (accessor->name)
                           : g_strdup_printf ("%s   %s", accessor->name, accessor->insn);

  gtk_label_set_text (self->place, place);
  if (function != NULL)
    draw_graph (self, function);
  else
    drop_graph (self, accessor == NULL ? _("Choose a location to see its block in the graph.")
                      : _("The session has no graph of this location: it is not in a function that can be drawn, or "
                          "its name was not resolved before the run ended."));
  if (self->run != NULL)
    g_signal_emit_by_name (self, "chosen", accessor);
}

/* Selects the row of the block, if there is one. */
static void
block_selected (GilkAccessesView *self, int point)
{
  const GilkGraphData *data = gilk_graph_view_data (self->graph);
  GtkTreeModel *model = gilk_accesses_rows_model (self->rows);
  GtkTreeIter iter;

  if (self->syncing || data == NULL || !gtk_tree_model_get_iter_first (model, &iter))
    return;
  do
    {
      const GilkAccessor *accessor = gilk_accesses_rows_get (self->rows, &iter);

      if (accessor == NULL || g_strcmp0 (accessor->function, self->drawn) != 0 ||
          g_strcmp0 (accessor->block, data->graph->titles[point / 2]) != 0)
        continue;
      self->syncing = TRUE;
      gtk_tree_selection_select_iter (gtk_tree_view_get_selection (self->tree), &iter);
      self->syncing = FALSE;
      return;
    }
  while (gtk_tree_model_iter_next (model, &iter));
}

/* ---- list of accesses ---- */

static void
show_message (GilkAccessesView *self, const char *words)
{
  gtk_label_set_text (self->message, words);
  gtk_stack_set_visible_child_name (self->stack, "message");
}

static void
select_first (GilkAccessesView *self)
{
  GtkTreeIter iter;
  g_autoptr(GtkTreePath) first = gtk_tree_path_new_first ();

  if (gtk_tree_model_get_iter_first (gilk_accesses_rows_model (self->rows), &iter) && get_selected (self) == NULL)
    {
      gtk_tree_view_set_cursor (self->tree, first, NULL, FALSE);
      gtk_tree_view_scroll_to_cell (self->tree, first, NULL, TRUE, 0.0, 0.0);
    }
}

static void
show_summary (GilkAccessesView *self)
{
  const GArray *all = gilk_accesses_rows_all (self->rows);
  guint n = (guint) gtk_tree_model_iter_n_children (gilk_accesses_rows_model (self->rows), NULL);
  uint64_t count = gilk_accessors_total (all);
  g_autofree char *total = gilk_text_count (count);
  g_autofree char *accesses = g_strdup_printf (g_dngettext (NULL, "%s access", "%s accesses", count), total);
  g_autofree char *counted = n < all->len ? g_strdup_printf (_("%u of %u locations"), n, all->len)
                             : g_strdup_printf (g_dngettext (NULL, "%u location", "%u locations", n), n);
  g_autofree char *words = n < all->len ? g_strdup (counted) : g_strdup_printf ("%s · %s", counted, accesses);

  gtk_label_set_text (self->summary, words);
}

static void
set_accesses (GilkAccessesView *self, GArray *accesses)
{
  /* Detach the model: otherwise GTK would update the view for each row. */
  gtk_tree_view_set_model (self->tree, NULL);
  gilk_accesses_rows_set (self->rows, accesses);
  gtk_tree_view_set_model (self->tree, gilk_accesses_rows_model (self->rows));
  if (accesses->len == 0)
    {
      g_autofree char *words = g_strdup_printf (_("There was no access to %s%s during the run."), self->hook->function, self->hook->block);

      show_message (self, words);
      g_signal_emit_by_name (self, "chosen", NULL);
      return;
    }
  show_summary (self);
  gtk_stack_set_visible_child_name (self->stack, "accesses");
  select_first (self);
}

static void
accesses_cb (GObject      *object,
             GAsyncResult *result,
             gpointer      user_data)
{
  g_autoptr(GilkAccessesView) self = user_data;
  g_autoptr(GError) error = NULL;
  GArray *accesses = gilk_session_accesses_finish (result, &error);

  if (g_task_get_cancellable (G_TASK (result)) != self->reading)
    {
      g_clear_pointer (&accesses, g_array_unref);
      return;
    }
  g_clear_object (&self->reading);
  if (accesses != NULL)
    {
      set_accesses (self, accesses);
      return;
    }
  show_message (self, error->message);
  g_signal_emit_by_name (self, "failed", error);
}

void
gilk_accesses_view_show (GilkAccessesView     *self,
                         const GilkSession    *session,
                         const GilkSessionRun *run,
                         const GilkStoredHook *hook)
{
  gilk_cancel (&self->reading);
  /* Set @run to NULL first, so that changes of the selection emit no signal. */
  self->run = NULL;
  gilk_accesses_rows_set (self->rows, NULL);
  drop_graph (self, "");
  gtk_entry_set_text (GTK_ENTRY (self->search), "");
  self->run = run;
  self->hook = hook;
  if (run == NULL)
    return;
  g_free (self->path);
  self->path = g_strdup (session->path);
  show_message (self, _("Reading samples…"));
  self->reading = g_cancellable_new ();
  gilk_session_accesses_async (self->path, hook, self->reading, accesses_cb, g_object_ref (self));
}

const GArray *
gilk_accesses_view_all (GilkAccessesView *self)
{
  return gilk_accesses_rows_all (self->rows);
}

GilkGraphView *
gilk_accesses_view_graph (GilkAccessesView *self)
{
  return self->graph;
}

void
gilk_accesses_view_set_log_heat (GilkAccessesView *self,
                                 gboolean          log_heat)
{
  const GilkGraphData *data = gilk_graph_view_data (self->graph);

  self->log_heat = log_heat;
  if (data != NULL)
    gilk_graph_view_set_marks (self->graph, data->marks, data->hits, log_heat);
}

/* ---- handlers of user input ---- */

static void
search_changed (GilkAccessesView *self)
{
  gilk_accesses_rows_search (self->rows, gtk_entry_get_text (GTK_ENTRY (self->search)));
  if (gilk_accesses_rows_all (self->rows) == NULL)
    return;
  show_summary (self);
  select_first (self);
}

static void
search_stopped (GilkAccessesView *self)
{
  gtk_entry_set_text (GTK_ENTRY (self->search), "");
  gtk_widget_grab_focus (GTK_WIDGET (self->tree));
}

static void
search_activated (GilkAccessesView *self)
{
  gtk_widget_grab_focus (GTK_WIDGET (self->tree));
}

static void
go_to_graph (GilkAccessesView *self)
{
  if (g_strcmp0 (gtk_stack_get_visible_child_name (self->below), "graph") == 0)
    gtk_widget_grab_focus (GTK_WIDGET (self->graph));
}

static void
back_to_list (GilkAccessesView *self)
{
  gtk_widget_grab_focus (GTK_WIDGET (self->tree));
}

static gboolean
graph_key (GilkAccessesView *self, GdkEventKey *event)
{
  if (event->keyval != GDK_KEY_Escape)
    return GDK_EVENT_PROPAGATE;
  back_to_list (self);

  return GDK_EVENT_STOP;
}

static void
copy_rows (GilkAccessesView *self)
{
  g_autoptr(GArray) rows = gilk_accesses_rows_in_view (self->rows);
  g_autofree char *text = gilk_accessors_to_tabs (rows);

  gtk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self), GDK_SELECTION_CLIPBOARD), text, -1);
}

static void
save_rows_to (gpointer    object,
              const char *path,
              const char *word)
{
  GilkAccessesView *self = object;
  g_autoptr(GArray) rows = gilk_accesses_rows_in_view (self->rows);
  g_autofree char *text = gilk_accessors_to_csv (rows);
  g_autoptr(GError) why = NULL, error = NULL;

  if (!g_file_set_contents (path, text, -1, &why) && !gilk_unwritable_by (path, why, &error))
    g_signal_emit_by_name (self, "failed", error);
}

static void
save_rows (GilkAccessesView *self)
{
  g_autofree char *name = g_strconcat (self->hook->label, ".csv", NULL);

  gilk_file_dialog_save (GTK_WINDOW (gtk_widget_get_toplevel (GTK_WIDGET (self))), _("Export accesses"), _("_Export"),
                         name, save_rows_to, self, NULL);
}

static gboolean
tree_key (GilkAccessesView *self, GdkEventKey *event)
{
  if ((event->state & GDK_CONTROL_MASK) != 0 && event->keyval == GDK_KEY_c)
    copy_rows (self);
  else if ((event->state & GDK_CONTROL_MASK) != 0 && event->keyval == GDK_KEY_f)
    gtk_widget_grab_focus (GTK_WIDGET (self->search));
  else if (event->keyval == GDK_KEY_space || !gtk_search_entry_handle_event (self->search, (GdkEvent *) event))
    return GDK_EVENT_PROPAGATE;
  else
    gtk_entry_grab_focus_without_selecting (GTK_ENTRY (self->search));

  return GDK_EVENT_STOP;
}

static gboolean
query_tooltip (GilkAccessesView *self,
               int               x,
               int               y,
               gboolean          keyboard,
               GtkTooltip       *tooltip)
{
  GtkTreePath *path = NULL;
  GtkTreeIter iter;
  const GilkAccessor *accessor;
  g_autofree char *processes = NULL, *text = NULL;

  if (!gtk_tree_view_get_tooltip_context (self->tree, &x, &y, keyboard, NULL, &path, &iter))
    return FALSE;
  gtk_tree_view_set_tooltip_row (self->tree, tooltip, path);
  gtk_tree_path_free (path);
  accessor = gilk_accesses_rows_get (self->rows, &iter);
  if (accessor == NULL)
    return FALSE;
  processes = gilk_accessor_processes_text (accessor, 12);
  text = g_strdup_printf ("%s\n%s\n%s", accessor->name, accessor->insn != NULL ? accessor->insn : "–", processes);
  gtk_tooltip_set_text (tooltip, text);

  return TRUE;
}

/* ---- GObject life cycle ---- */

static void
gilk_accesses_view_dispose (GObject *object)
{
  GilkAccessesView *self = GILK_ACCESSES_VIEW (object);

  gilk_cancel (&self->reading);
  gilk_cancel (&self->drawing);
  self->run = NULL;
  g_clear_pointer (&self->path, g_free);
  g_clear_pointer (&self->drawn, g_free);
  G_OBJECT_CLASS (gilk_accesses_view_parent_class)->dispose (object);
}

static void
gilk_accesses_view_finalize (GObject *object)
{
  gilk_accesses_rows_free (GILK_ACCESSES_VIEW (object)->rows);
  G_OBJECT_CLASS (gilk_accesses_view_parent_class)->finalize (object);
}

static void
gilk_accesses_view_class_init (GilkAccessesViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = gilk_accesses_view_dispose;
  G_OBJECT_CLASS (klass)->finalize = gilk_accesses_view_finalize;
  gilk_add_signal (klass, "chosen", 1, G_TYPE_POINTER);
  gilk_add_signal (klass, "failed", 1, G_TYPE_ERROR);

  g_type_ensure (GILK_TYPE_GRAPH_CANVAS);
  g_type_ensure (GILK_TYPE_HINT);
  g_type_ensure (GILK_TYPE_SHARE_CELL);
  gtk_widget_class_set_template_from_resource (widget_class, "/org/gilk/Workbench/ui/accesses-view.ui");
#define BIND(field) gtk_widget_class_bind_template_child (widget_class, GilkAccessesView, field)
  BIND (stack);
  BIND (below);
  BIND (message);
  BIND (summary);
  BIND (place);
  BIND (no_graph);
  BIND (search);
  BIND (tree);
  BIND (block_column);
  BIND (count_column);
  BIND (share_column);
  BIND (last_column);
  BIND (context_column);
  BIND (processes_column);
  BIND (insn_column);
  BIND (block_cell);
  BIND (count_cell);
  BIND (share_cell);
  BIND (last_cell);
  BIND (context_cell);
  BIND (processes_cell);
  BIND (insn_cell);
  BIND (graph);
#undef BIND
#define CALLBACK(name) gtk_widget_class_bind_template_callback (widget_class, name)
  CALLBACK (search_changed);
  CALLBACK (search_stopped);
  CALLBACK (search_activated);
  CALLBACK (copy_rows);
  CALLBACK (save_rows);
  CALLBACK (row_selected);
  CALLBACK (go_to_graph);
  CALLBACK (back_to_list);
  CALLBACK (block_selected);
  CALLBACK (graph_key);
  CALLBACK (tree_key);
  CALLBACK (query_tooltip);
#undef CALLBACK
}

static void
set_up_columns (GilkAccessesView *self)
{
  const struct { GtkTreeViewColumn *column; GtkCellRenderer *cell; } columns[GILK_ACCESSES_N_COLUMNS] = {
    [GILK_ACCESSES_BLOCK] = { self->block_column, self->block_cell },
    [GILK_ACCESSES_COUNT] = { self->count_column, self->count_cell },
    [GILK_ACCESSES_SHARE] = { self->share_column, self->share_cell },
    [GILK_ACCESSES_LAST] = { self->last_column, self->last_cell },
    [GILK_ACCESSES_CONTEXT] = { self->context_column, self->context_cell },
    [GILK_ACCESSES_PROCESSES] = { self->processes_column, self->processes_cell },
    [GILK_ACCESSES_INSN] = { self->insn_column, self->insn_cell },
  };

  for (guint i = 0; i < GILK_ACCESSES_N_COLUMNS; i++)
    gilk_accesses_rows_set_up (self->rows, i, columns[i].column, columns[i].cell);
}

static void
gilk_accesses_view_init (GilkAccessesView *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  self->rows = gilk_accesses_rows_new ();
  set_up_columns (self);
  gilk_graph_menu_add_recorded (self->graph, self->place);
  gtk_tree_view_set_model (self->tree, gilk_accesses_rows_model (self->rows));
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-writers-view.c - accesses to a variable: a list of blocks, and the selected one in its graph
 *
 * Selecting a row selects its block and vice versa; Enter moves from the list to the graph, Escape
 * back.
 */
#include "gui/gilk-writers-view.h"

#include <glib/gi18n.h>
#include <math.h>
#include <inttypes.h>
#include <string.h>

#include "core/base/gilk-file-error.h"
#include "core/export/gilk-writers-table.h"
#include "gui/gilk-file-dialog.h"
#include "gui/gilk-graph-menu.h"
#include "gui/gilk-hint.h"
#include "gui/gilk-recorded-graph.h"
#include "gui/gilk-session-writers.h"
#include "gui/gilk-share-cell.h"
#include "gui/gilk-style.h"
#include "gui/gilk-text.h"
#include "gui/gilk-writers-rows.h"

struct _GilkWritersView {
  GtkBox                parent_instance;

  char                 *path;
  const GilkSessionRun *run;         /* NULL: shows nothing */
  const GilkStoredHook *hook;
  GilkWritersRows      *rows;
  GCancellable         *reading, *drawing;
  char                 *drawn;       /* function whose graph is shown or being loaded */
  gboolean              log_heat, following;

  /* Template objects */
  GtkStack             *stack, *below;
  GtkLabel             *message, *summary, *place, *no_graph;
  GtkSearchEntry       *search;
  GtkTreeView          *tree;
  GtkTreeViewColumn    *block_column, *count_column, *share_column, *last_column, *context_column, *processes_column;
  GtkTreeViewColumn    *insn_column;
  GtkCellRenderer      *block_cell, *count_cell, *share_cell, *last_cell, *context_cell, *processes_cell, *insn_cell;
  GilkGraphView        *graph;
};

G_DEFINE_TYPE (GilkWritersView, gilk_writers_view, GTK_TYPE_BOX)

enum { CHOSEN, FAILED, N_SIGNALS };
static guint signals[N_SIGNALS];

static void
forget (GCancellable **cancellable)
{
  if (*cancellable != NULL)
    g_cancellable_cancel (*cancellable);
  g_clear_object (cancellable);
}

static const GilkWriter *
chosen (GilkWritersView *self)
{
  GtkTreeIter iter;

  return gtk_tree_selection_get_selected (gtk_tree_view_get_selection (self->tree), NULL, &iter)
         ? gilk_writers_rows_at (self->rows, &iter) : NULL;
}

/* ---- graph ---- */

static int
block_named (const GilkGraphData *data, const char *block)
{
  for (guint i = 0; data != NULL && i < data->cfg->n_blocks; i++)
    if (g_strcmp0 (data->graph->titles[i], block) == 0)
      return (int) i;

  return -1;
}

static void
choose_block (GilkWritersView *self)
{
  const GilkWriter *writer = chosen (self);
  int block = writer != NULL ? block_named (gilk_graph_view_data (self->graph), writer->block) : -1;

  if (block < 0 || self->following)
    return;
  self->following = TRUE;
  gilk_graph_view_select (self->graph, 2 * block, TRUE);
  self->following = FALSE;
}

static void
graph_cb (GObject      *object,
          GAsyncResult *result,
          gpointer      user_data)
{
  g_autoptr(GilkWritersView) self = user_data;
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
  gilk_graph_view_set_data (self->graph, data);
  gilk_graph_view_set_marks (self->graph, data->marks, data->hits, self->log_heat);
  gtk_stack_set_visible_child_name (self->below, "graph");
  choose_block (self);
}

static const GilkStoredFunction *
function_of (GilkWritersView *self, const GilkWriter *writer)
{
  for (guint i = 0; writer->function != NULL && i < self->run->functions->len; i++)
    {
      const GilkStoredFunction *function = &g_array_index (self->run->functions, GilkStoredFunction, i);

      if (g_strcmp0 (function->name, writer->function) == 0)
        return function;
    }

  return NULL;
}

static void
draw_graph (GilkWritersView *self, const GilkStoredFunction *function)
{
  GilkPlotStyle style;

  if (g_strcmp0 (self->drawn, function->name) == 0)
    {
      choose_block (self);
      return;
    }
  forget (&self->drawing);
  g_free (self->drawn);
  self->drawn = g_strdup (function->name);
  self->drawing = g_cancellable_new ();
  gilk_style_fill (GTK_WIDGET (self->graph), &style);
  gilk_recorded_graph_async (self->path, function, self->run, gilk_writers_rows_all (self->rows), NULL, &style, self->drawing, graph_cb,
                             g_object_ref (self));
}

static void
drop_graph (GilkWritersView *self, const char *why)
{
  forget (&self->drawing);
  g_clear_pointer (&self->drawn, g_free);
  gilk_graph_view_set_data (self->graph, NULL);
  gtk_label_set_text (self->no_graph, why);
  gtk_stack_set_visible_child_name (self->below, "none");
}

static void
selected (GilkWritersView *self)
{
  const GilkWriter *writer = self->run != NULL ? chosen (self) : NULL;
  const GilkStoredFunction *function = writer != NULL ? function_of (self, writer) : NULL;
  g_autofree char *place = writer == NULL ? g_strdup ("")
                           : writer->insn == NULL ? g_strdup (writer->name)
                           : g_strdup_printf ("%s   %s", writer->name, writer->insn);

  gtk_label_set_text (self->place, place);
  if (function != NULL)
    draw_graph (self, function);
  else
    drop_graph (self, writer == NULL ? _("Choose a location to see its block in the graph.")
                      : _("The session has no graph of this location: it is not in a function that can be drawn, or "
                          "its name was not resolved before the run ended."));
  if (self->run != NULL)
    g_signal_emit (self, signals[CHOSEN], 0, writer);
}

/* Selects the row of the block, if it has one. */
static void
block_selected (GilkWritersView *self, int point)
{
  const GilkGraphData *data = gilk_graph_view_data (self->graph);
  GtkTreeModel *model = gilk_writers_rows_model (self->rows);
  GtkTreeIter iter;

  if (self->following || data == NULL || !gtk_tree_model_get_iter_first (model, &iter))
    return;
  do
    {
      const GilkWriter *writer = gilk_writers_rows_at (self->rows, &iter);

      if (writer == NULL || g_strcmp0 (writer->function, self->drawn) != 0 ||
          g_strcmp0 (writer->block, data->graph->titles[point / 2]) != 0)
        continue;
      self->following = TRUE;
      gtk_tree_selection_select_iter (gtk_tree_view_get_selection (self->tree), &iter);
      self->following = FALSE;
      return;
    }
  while (gtk_tree_model_iter_next (model, &iter));
}

/* ---- list ---- */

static void
show_message (GilkWritersView *self, const char *words)
{
  gtk_label_set_text (self->message, words);
  gtk_stack_set_visible_child_name (self->stack, "message");
}

static void
choose_first (GilkWritersView *self)
{
  GtkTreeIter iter;
  g_autoptr(GtkTreePath) first = gtk_tree_path_new_first ();

  if (gtk_tree_model_get_iter_first (gilk_writers_rows_model (self->rows), &iter) && chosen (self) == NULL)
    {
      gtk_tree_view_set_cursor (self->tree, first, NULL, FALSE);
      gtk_tree_view_scroll_to_cell (self->tree, first, NULL, TRUE, 0.0, 0.0);
    }
}

static void
summarise (GilkWritersView *self)
{
  const GArray *all = gilk_writers_rows_all (self->rows);
  guint n = (guint) gtk_tree_model_iter_n_children (gilk_writers_rows_model (self->rows), NULL);
  uint64_t count = gilk_writers_total (all);
  g_autofree char *total = gilk_text_count (count);
  g_autofree char *accesses = g_strdup_printf (g_dngettext (NULL, "%s access", "%s accesses", count), total);
  g_autofree char *counted = n < all->len ? g_strdup_printf (_("%u of %u locations"), n, all->len)
                             : g_strdup_printf (g_dngettext (NULL, "%u location", "%u locations", n), n);
  g_autofree char *words = n < all->len ? g_strdup (counted) : g_strdup_printf ("%s · %s", counted, accesses);

  gtk_label_set_text (self->summary, words);
}

static void
take_writers (GilkWritersView *self, GArray *writers)
{
  gtk_tree_view_set_model (self->tree, NULL);           /* otherwise it would update for each row */
  gilk_writers_rows_take (self->rows, writers);
  gtk_tree_view_set_model (self->tree, gilk_writers_rows_model (self->rows));
  if (writers->len == 0)
    {
      g_autofree char *words = g_strdup_printf (_("There was no access to %s%s during the run."), self->hook->function, self->hook->block);

      show_message (self, words);
      g_signal_emit (self, signals[CHOSEN], 0, NULL);
      return;
    }
  summarise (self);
  gtk_stack_set_visible_child_name (self->stack, "writers");
  choose_first (self);
}

static void
writers_cb (GObject      *object,
            GAsyncResult *result,
            gpointer      user_data)
{
  g_autoptr(GilkWritersView) self = user_data;
  g_autoptr(GError) error = NULL;
  GArray *writers = gilk_session_writers_finish (result, &error);

  if (g_task_get_cancellable (G_TASK (result)) != self->reading)
    {
      g_clear_pointer (&writers, g_array_unref);
      return;
    }
  g_clear_object (&self->reading);
  if (writers != NULL)
    {
      take_writers (self, writers);
      return;
    }
  show_message (self, error->message);
  g_signal_emit (self, signals[FAILED], 0, error);
}

void
gilk_writers_view_show (GilkWritersView      *self,
                        const GilkSession    *session,
                        const GilkSessionRun *run,
                        const GilkStoredHook *hook)
{
  forget (&self->reading);
  self->run = NULL;                       /* selection changes below emit no signal */
  gilk_writers_rows_take (self->rows, NULL);
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
  gilk_session_writers_async (self->path, hook, self->reading, writers_cb, g_object_ref (self));
}

const GArray *
gilk_writers_view_all (GilkWritersView *self)
{
  return gilk_writers_rows_all (self->rows);
}

GilkGraphView *
gilk_writers_view_graph (GilkWritersView *self)
{
  return self->graph;
}

void
gilk_writers_view_set_log_heat (GilkWritersView *self,
                                gboolean         log_heat)
{
  const GilkGraphData *data = gilk_graph_view_data (self->graph);

  self->log_heat = log_heat;
  if (data != NULL)
    gilk_graph_view_set_marks (self->graph, data->marks, data->hits, log_heat);
}

/* ---- user actions ---- */

static void
search_changed (GilkWritersView *self)
{
  gilk_writers_rows_search (self->rows, gtk_entry_get_text (GTK_ENTRY (self->search)));
  if (gilk_writers_rows_all (self->rows) == NULL)
    return;
  summarise (self);
  choose_first (self);
}

static void
search_stopped (GilkWritersView *self)
{
  gtk_entry_set_text (GTK_ENTRY (self->search), "");
  gtk_widget_grab_focus (GTK_WIDGET (self->tree));
}

static void
search_activated (GilkWritersView *self)
{
  gtk_widget_grab_focus (GTK_WIDGET (self->tree));
}

static void
go_to_graph (GilkWritersView *self)
{
  if (g_strcmp0 (gtk_stack_get_visible_child_name (self->below), "graph") == 0)
    gtk_widget_grab_focus (GTK_WIDGET (self->graph));
}

static void
back_to_list (GilkWritersView *self)
{
  gtk_widget_grab_focus (GTK_WIDGET (self->tree));
}

static gboolean
graph_key (GilkWritersView *self, GdkEventKey *event)
{
  if (event->keyval != GDK_KEY_Escape)
    return GDK_EVENT_PROPAGATE;
  back_to_list (self);

  return GDK_EVENT_STOP;
}

static void
copy_rows (GilkWritersView *self)
{
  g_autoptr(GArray) rows = gilk_writers_rows_in_view (self->rows);
  g_autofree char *text = gilk_writers_to_tabs (rows);

  gtk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self), GDK_SELECTION_CLIPBOARD), text, -1);
}

static void
save_rows_to (gpointer    object,
              const char *path,
              const char *word)
{
  GilkWritersView *self = object;
  g_autoptr(GArray) rows = gilk_writers_rows_in_view (self->rows);
  g_autofree char *text = gilk_writers_to_csv (rows);
  g_autoptr(GError) why = NULL, error = NULL;

  if (!g_file_set_contents (path, text, -1, &why) && !gilk_unwritable_by (path, why, &error))
    g_signal_emit (self, signals[FAILED], 0, error);
}

static void
save_rows (GilkWritersView *self)
{
  g_autofree char *name = g_strconcat (self->hook->label, ".csv", NULL);

  gilk_file_dialog_save (GTK_WINDOW (gtk_widget_get_toplevel (GTK_WIDGET (self))), _("Export accesses"), _("_Export"),
                         name, save_rows_to, self, NULL);
}

static gboolean
tree_key (GilkWritersView *self, GdkEventKey *event)
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
query_tooltip (GilkWritersView *self,
               int              x,
               int              y,
               gboolean         keyboard,
               GtkTooltip      *tooltip)
{
  GtkTreePath *path = NULL;
  GtkTreeIter iter;
  const GilkWriter *writer;
  g_autofree char *processes = NULL, *text = NULL;

  if (!gtk_tree_view_get_tooltip_context (self->tree, &x, &y, keyboard, NULL, &path, &iter))
    return FALSE;
  gtk_tree_view_set_tooltip_row (self->tree, tooltip, path);
  gtk_tree_path_free (path);
  writer = gilk_writers_rows_at (self->rows, &iter);
  if (writer == NULL)
    return FALSE;
  processes = gilk_writer_processes (writer, 12);
  text = g_strdup_printf ("%s\n%s\n%s", writer->name, writer->insn != NULL ? writer->insn : "–", processes);
  gtk_tooltip_set_text (tooltip, text);

  return TRUE;
}

/* ---- widget ---- */

static void
gilk_writers_view_dispose (GObject *object)
{
  GilkWritersView *self = GILK_WRITERS_VIEW (object);

  forget (&self->reading);
  forget (&self->drawing);
  self->run = NULL;
  g_clear_pointer (&self->path, g_free);
  g_clear_pointer (&self->drawn, g_free);
  G_OBJECT_CLASS (gilk_writers_view_parent_class)->dispose (object);
}

static void
gilk_writers_view_finalize (GObject *object)
{
  gilk_writers_rows_free (GILK_WRITERS_VIEW (object)->rows);
  G_OBJECT_CLASS (gilk_writers_view_parent_class)->finalize (object);
}

static void
gilk_writers_view_class_init (GilkWritersViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = gilk_writers_view_dispose;
  G_OBJECT_CLASS (klass)->finalize = gilk_writers_view_finalize;
  signals[CHOSEN] = g_signal_new ("chosen", GILK_TYPE_WRITERS_VIEW, G_SIGNAL_RUN_LAST,
                                  0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_POINTER);
  signals[FAILED] = g_signal_new ("failed", GILK_TYPE_WRITERS_VIEW, G_SIGNAL_RUN_LAST,
                                  0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_ERROR);

  g_type_ensure (GILK_TYPE_GRAPH_VIEW);
  g_type_ensure (GILK_TYPE_HINT);
  g_type_ensure (GILK_TYPE_SHARE_CELL);
  gtk_widget_class_set_template_from_resource (widget_class, "/org/gilk/Workbench/ui/writers-view.ui");
#define BIND(field) gtk_widget_class_bind_template_child (widget_class, GilkWritersView, field)
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
  CALLBACK (selected);
  CALLBACK (go_to_graph);
  CALLBACK (back_to_list);
  CALLBACK (block_selected);
  CALLBACK (graph_key);
  CALLBACK (tree_key);
  CALLBACK (query_tooltip);
#undef CALLBACK
}

static void
set_up_columns (GilkWritersView *self)
{
  const struct { GtkTreeViewColumn *column; GtkCellRenderer *cell; } columns[GILK_WRITERS_N_COLUMNS] = {
    [GILK_WRITERS_BLOCK] = { self->block_column, self->block_cell },
    [GILK_WRITERS_COUNT] = { self->count_column, self->count_cell },
    [GILK_WRITERS_SHARE] = { self->share_column, self->share_cell },
    [GILK_WRITERS_LAST] = { self->last_column, self->last_cell },
    [GILK_WRITERS_CONTEXT] = { self->context_column, self->context_cell },
    [GILK_WRITERS_PROCESSES] = { self->processes_column, self->processes_cell },
    [GILK_WRITERS_INSN] = { self->insn_column, self->insn_cell },
  };

  for (guint i = 0; i < GILK_WRITERS_N_COLUMNS; i++)
    gilk_writers_rows_set_up (self->rows, i, columns[i].column, columns[i].cell);
}

static void
gilk_writers_view_init (GilkWritersView *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  self->rows = gilk_writers_rows_new ();
  set_up_columns (self);
  gilk_graph_menu_recorded (self->graph, self->place);
  gtk_tree_view_set_model (self->tree, gilk_writers_rows_model (self->rows));
}

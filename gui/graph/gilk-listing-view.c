/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-listing-view.c - listing of a function: the contents of the graph in address order
 */
#include "gui/graph/gilk-listing-view.h"

#include <glib/gi18n.h>

#include "gui/base/gilk-object.h"
#include "gui/graph/gilk-graph-input.h"

#define READ_MS 700        /* minimum interval in ms between reads of the current kernel text */

struct _GilkListingView {
  GtkScrolledWindow parent_instance;

  GilkGraphView    *view;            /* a sibling widget; not owned */
  GtkTreeView      *tree;
  GtkTreeViewColumn *source_column, *now_column;
  GilkGraphData    *data;            /* the function whose instructions are the rows */
  gboolean          following;       /* the view itself, not the user, is moving the cursor to the
                                      * graph's position */
  GCancellable     *reading;         /* cancels reading the current text */
  guint             read_source;
};

G_DEFINE_FINAL_TYPE (GilkListingView, gilk_listing_view, GTK_TYPE_SCROLLED_WINDOW)

static int
get_current_row (GilkListingView *self)
{
  g_autoptr(GtkTreePath) path = NULL;

  gtk_tree_view_get_cursor (self->tree, &path, NULL);

  return path != NULL ? gtk_tree_path_get_indices (path)[0] : -1;
}

/* ---- loading the function of the graph ---- */

void
gilk_listing_view_show_source (GilkListingView *self)
{
  gtk_tree_view_column_set_visible (self->source_column, self->data != NULL && self->data->source != NULL);
  gtk_widget_queue_draw (GTK_WIDGET (self->tree));
}

static void
load_data (GilkListingView *self)
{
  GilkGraphData *data = gilk_graph_view_data (self->view);
  g_autoptr(GilkListingModel) model = data != NULL ? gilk_listing_model_new (self->view) : NULL;

  self->following = TRUE;
  gtk_tree_view_set_model (self->tree, GTK_TREE_MODEL (model));
  self->following = FALSE;
  g_clear_pointer (&self->data, gilk_graph_data_unref);
  self->data = data != NULL ? gilk_graph_data_ref (data) : NULL;
  gilk_listing_view_show_source (self);
}

/* ---- reading the current kernel text ---- */

static void
read_thread (GTask        *task,
             gpointer      source,
             gpointer      task_data,
             GCancellable *cancellable)
{
  GilkGraphData *data = task_data;
  GError *error = NULL;
  GilkCurrentText *now = gilk_text_owners_read (data->cfg, cancellable, &error);

  if (now != NULL)
    g_task_return_pointer (task, now, g_free);
  else
    g_task_return_error (task, error);
}

static void
read_cb (GObject      *object,
         GAsyncResult *result,
         gpointer      user_data)
{
  GilkListingView *self = GILK_LISTING_VIEW (object);
  g_autofree GilkCurrentText *now = g_task_propagate_pointer (G_TASK (result), NULL);
  GtkTreeModel *model;

  if (g_task_get_cancellable (G_TASK (result)) == self->reading)
    g_clear_object (&self->reading);
  /* @now is NULL on error, and after the view was destroyed: the tree no longer exists then. */
  if (now == NULL || g_task_get_task_data (G_TASK (result)) != self->data)
    return;
  model = gtk_tree_view_get_model (self->tree);
  if (model == NULL)
    return;
  gilk_listing_model_set_current (GILK_LISTING_MODEL (model), g_steal_pointer (&now));
  gtk_tree_view_column_set_visible (self->now_column, gilk_listing_model_has_changes (GILK_LISTING_MODEL (model)));
  gtk_widget_queue_draw (GTK_WIDGET (self->tree));
}

static gboolean
read_text (gpointer user_data)
{
  GilkListingView *self = user_data;
  g_autoptr(GTask) task = NULL;

  self->read_source = 0;
  if (self->data == NULL || self->data->choices == NULL || self->reading != NULL || !gtk_widget_get_mapped (GTK_WIDGET (self)))
    return G_SOURCE_REMOVE;

  self->reading = g_cancellable_new ();
  task = g_task_new (self, self->reading, read_cb, NULL);
  g_task_set_task_data (task, gilk_graph_data_ref (self->data), (GDestroyNotify) gilk_graph_data_unref);
  g_task_run_in_thread (task, read_thread);

  return G_SOURCE_REMOVE;
}

static void
schedule_read (GilkListingView *self)
{
  if (self->read_source == 0)
    self->read_source = g_timeout_add (READ_MS, read_text, self);
}

static void
follow_graph (GilkListingView *self)
{
  int block, row;
  g_autoptr(GtkTreePath) path = NULL;

  if (!gtk_widget_get_mapped (GTK_WIDGET (self)))
    return;
  if (gilk_graph_view_data (self->view) != self->data)
    {
      load_data (self);
      schedule_read (self);
    }
  if (self->data == NULL)
    return;

  block = gilk_graph_view_look (self->view)->block;
  row = gilk_graph_view_insn (self->view);
  if (row < 0 && block >= 0)
    row = self->data->cfg->blocks[block].first_insn;
  if (row < 0 || row == get_current_row (self))
    return;

  path = gtk_tree_path_new_from_indices (row, -1);
  self->following = TRUE;
  gtk_tree_view_set_cursor (self->tree, path, NULL, FALSE);
  gtk_tree_view_scroll_to_cell (self->tree, path, NULL, FALSE, 0, 0);
  self->following = FALSE;
}

/* Scrolls again in an idle handler, because a tree view gets its size only some time after it is
 * first shown. */
static gboolean
reveal_row (gpointer user_data)
{
  GilkListingView *self = user_data;
  const int row = get_current_row (self);

  if (row >= 0 && gtk_widget_get_mapped (GTK_WIDGET (self)))
    {
      g_autoptr(GtkTreePath) path = gtk_tree_path_new_from_indices (row, -1);

      gtk_tree_view_scroll_to_cell (self->tree, path, NULL, FALSE, 0, 0);
    }

  return G_SOURCE_REMOVE;
}

static void
on_map (GilkListingView *self)
{
  follow_graph (self);
  g_idle_add_full (G_PRIORITY_DEFAULT_IDLE, reveal_row, g_object_ref (self), g_object_unref);
  schedule_read (self);
}

void
gilk_listing_view_update (GilkListingView *self)
{
  if (!gtk_widget_get_mapped (GTK_WIDGET (self)))
    return;
  if (gtk_tree_view_get_model (self->tree) != NULL && gilk_graph_view_data (self->view) == self->data)
    gilk_listing_model_update (GILK_LISTING_MODEL (gtk_tree_view_get_model (self->tree)));
  gtk_widget_queue_draw (GTK_WIDGET (self->tree));
  schedule_read (self);
}

void
gilk_listing_view_focus (GilkListingView *self)
{
  gtk_widget_grab_focus (GTK_WIDGET (self->tree));
}

static void
cursor_changed (GilkListingView *self)
{
  int row = get_current_row (self);

  if (!self->following && row >= 0 && gilk_graph_view_data (self->view) == self->data)
    gilk_graph_view_select_insn (self->view, row, TRUE);
}

static void
row_activated (GilkListingView *self)
{
  int row = get_current_row (self);

  if (row >= 0)
    g_signal_emit_by_name (self->view, "follow", (guint) row);
}

/* ---- keyboard input ---- */

static void
move_cursor (GilkListingView *self,
             int              by)
{
  int row = get_current_row (self) + by;

  if (self->data != NULL && row >= 0 && row < (int) self->data->cfg->n_insns)
    gilk_graph_view_select_insn (self->view, row, TRUE);
}

static gboolean
key_pressed (GilkListingView *self,
             GdkEventKey     *event)
{
  if (self->data == NULL || event->state & GDK_MOD1_MASK)
    return GDK_EVENT_PROPAGATE;

  switch (event->keyval)
    {
    case GDK_KEY_space:
      g_signal_emit_by_name (self, "toggle-view");
      return GDK_EVENT_STOP;
    case GDK_KEY_j: move_cursor (self, 1);  return GDK_EVENT_STOP;
    case GDK_KEY_k: move_cursor (self, -1); return GDK_EVENT_STOP;
    case GDK_KEY_Up: case GDK_KEY_Down: case GDK_KEY_Left: case GDK_KEY_Right: case GDK_KEY_Home: case GDK_KEY_End:
      return GDK_EVENT_PROPAGATE;      /* GtkTreeView handles these keys */
    default:
      return gilk_graph_keys_handle (self->view, event);
    }
}

/* ---- construction and destruction ---- */

static GtkTreeViewColumn *
add_column (GilkListingView *self,
            const char      *title,
            const char      *attribute,
            int              column,
            int              width)
{
  GtkCellRenderer *cell = gtk_cell_renderer_text_new ();
  GtkTreeViewColumn *view_column = gtk_tree_view_column_new_with_attributes (title, cell, attribute, column, NULL);

  g_object_set (cell, "family", "monospace", "ypad", 1, "xpad", 5, NULL);
  gtk_tree_view_column_add_attribute (view_column, cell, "cell-background-rgba",
                                      column == GILK_LISTING_HITS ? GILK_LISTING_HEAT : GILK_LISTING_FOUND);
  gtk_tree_view_column_set_sizing (view_column, GTK_TREE_VIEW_COLUMN_FIXED);
  gtk_tree_view_column_set_fixed_width (view_column, width);
  gtk_tree_view_column_set_resizable (view_column, TRUE);
  if (column == GILK_LISTING_HITS)
    {
      g_object_set (cell, "xalign", 1.0, NULL);
      gtk_tree_view_column_add_attribute (view_column, cell, "foreground-rgba", GILK_LISTING_INK);
    }
  if (column == GILK_LISTING_SOURCE)
    g_object_set (cell, "ellipsize", PANGO_ELLIPSIZE_START, NULL);
  gtk_tree_view_append_column (self->tree, view_column);

  return view_column;
}

static void
graph_changed (GilkListingView *self)
{
  follow_graph (self);
  gilk_listing_view_update (self);
}

GtkWidget *
gilk_listing_view_new (GilkGraphView *view)
{
  GilkListingView *self = g_object_new (GILK_TYPE_LISTING_VIEW, "visible", TRUE, NULL);

  self->view = view;
  g_signal_connect_object (view, "selected", G_CALLBACK (follow_graph), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (view, "chosen", G_CALLBACK (graph_changed), self, G_CONNECT_SWAPPED);

  return GTK_WIDGET (self);
}

static void
gilk_listing_view_destroy (GtkWidget *widget)
{
  GilkListingView *self = GILK_LISTING_VIEW (widget);

  g_clear_handle_id (&self->read_source, g_source_remove);
  g_cancellable_cancel (self->reading);
  GTK_WIDGET_CLASS (gilk_listing_view_parent_class)->destroy (widget);
}

static void
gilk_listing_view_finalize (GObject *object)
{
  g_clear_pointer (&GILK_LISTING_VIEW (object)->data, gilk_graph_data_unref);
  g_clear_object (&GILK_LISTING_VIEW (object)->reading);
  G_OBJECT_CLASS (gilk_listing_view_parent_class)->finalize (object);
}

static void
gilk_listing_view_class_init (GilkListingViewClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = gilk_listing_view_finalize;
  GTK_WIDGET_CLASS (klass)->destroy = gilk_listing_view_destroy;
  gilk_add_signal (klass, "toggle-view", 0);
}

static void
gilk_listing_view_init (GilkListingView *self)
{
  self->tree = GTK_TREE_VIEW (gtk_tree_view_new ());
  add_column (self, "", "text", GILK_LISTING_MARK, 54);
  add_column (self, _("Hits"), "text", GILK_LISTING_HITS, 70);
  add_column (self, _("Offset"), "markup", GILK_LISTING_OFFSET, 74);
  add_column (self, _("Bytes"), "text", GILK_LISTING_BYTES, 160);
  gtk_tree_view_column_set_expand (add_column (self, _("Instruction"), "markup", GILK_LISTING_TEXT, 200), TRUE);
  add_column (self, _("Owner"), "text", GILK_LISTING_OWNER, 84);
  self->now_column = add_column (self, _("Now"), "text", GILK_LISTING_CURRENT, 260);
  gtk_tree_view_column_set_visible (self->now_column, FALSE);
  self->source_column = add_column (self, _("Source"), "text", GILK_LISTING_SOURCE, 240);
  gtk_tree_view_set_fixed_height_mode (self->tree, TRUE);
  gtk_tree_view_set_enable_search (self->tree, FALSE);
  gtk_tree_view_set_tooltip_column (self->tree, GILK_LISTING_TOOLTIP);
  atk_object_set_name (gtk_widget_get_accessible (GTK_WIDGET (self->tree)), _("Listing"));
  g_signal_connect_swapped (self->tree, "cursor-changed", G_CALLBACK (cursor_changed), self);
  g_signal_connect_swapped (self->tree, "row-activated", G_CALLBACK (row_activated), self);
  g_signal_connect_swapped (self->tree, "key-press-event", G_CALLBACK (key_pressed), self);
  g_signal_connect_swapped (self, "map", G_CALLBACK (on_map), self);
  gtk_widget_show (GTK_WIDGET (self->tree));
  gtk_container_add (GTK_CONTAINER (self), GTK_WIDGET (self->tree));
}

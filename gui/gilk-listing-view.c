/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-listing-view.c - the function as a listing: what the graph shows, in the order of addresses
 */
#include "gui/gilk-listing-view.h"

#include <glib/gi18n.h>

#include "gui/gilk-graph-keys.h"
#include "gui/gilk-listing-model.h"

struct _GilkListingView {
  GtkScrolledWindow parent_instance;

  GilkGraphView    *view;            /* not owned: it is beside */
  GtkTreeView      *tree;
  GtkTreeViewColumn *source_column;
  GilkGraphData    *data;            /* whose rows there are */
  gboolean          following;       /* the cursor is put where the graph is */
};

G_DEFINE_FINAL_TYPE (GilkListingView, gilk_listing_view, GTK_TYPE_SCROLLED_WINDOW)

enum { TOGGLE_VIEW, N_SIGNALS };
static guint signals[N_SIGNALS];

static int
current_row (GilkListingView *self)
{
  g_autoptr(GtkTreePath) path = NULL;

  gtk_tree_view_get_cursor (self->tree, &path, NULL);

  return path != NULL ? gtk_tree_path_get_indices (path)[0] : -1;
}

/* ---- with the graph ---- */

static void
take_data (GilkListingView *self)
{
  GilkGraphData *data = gilk_graph_view_data (self->view);
  g_autoptr(GilkListingModel) model = data != NULL ? gilk_listing_model_new (self->view) : NULL;

  self->following = TRUE;
  gtk_tree_view_set_model (self->tree, GTK_TREE_MODEL (model));
  self->following = FALSE;
  g_clear_pointer (&self->data, gilk_graph_data_unref);
  self->data = data != NULL ? gilk_graph_data_ref (data) : NULL;
  gtk_tree_view_column_set_visible (self->source_column, data != NULL && data->source != NULL);
}

static void
follow_graph (GilkListingView *self)
{
  int block, row;
  g_autoptr(GtkTreePath) path = NULL;

  if (!gtk_widget_get_mapped (GTK_WIDGET (self)))
    return;
  if (gilk_graph_view_data (self->view) != self->data)
    take_data (self);
  if (self->data == NULL)
    return;

  block = gilk_graph_view_look (self->view)->block;
  row = gilk_graph_view_insn (self->view);
  if (row < 0 && block >= 0)
    row = self->data->cfg->blocks[block].first_insn;
  if (row < 0 || row == current_row (self))
    return;

  path = gtk_tree_path_new_from_indices (row, -1);
  self->following = TRUE;
  gtk_tree_view_set_cursor (self->tree, path, NULL, FALSE);
  gtk_tree_view_scroll_to_cell (self->tree, path, NULL, FALSE, 0, 0);
  self->following = FALSE;
}

void
gilk_listing_view_show (GilkListingView *self)
{
  follow_graph (self);
}

void
gilk_listing_view_update (GilkListingView *self)
{
  if (gtk_widget_get_mapped (GTK_WIDGET (self)))
    gtk_widget_queue_draw (GTK_WIDGET (self->tree));
}

void
gilk_listing_view_focus (GilkListingView *self)
{
  gtk_widget_grab_focus (GTK_WIDGET (self->tree));
}

static void
cursor_changed (GilkListingView *self)
{
  int row = current_row (self);

  if (!self->following && row >= 0 && gilk_graph_view_data (self->view) == self->data)
    gilk_graph_view_select_insn (self->view, row, TRUE);
}

static void
row_activated (GilkListingView *self)
{
  int row = current_row (self);

  if (row >= 0)
    g_signal_emit_by_name (self->view, "follow", (guint) row);
}

/* ---- keys ---- */

static void
step (GilkListingView *self,
      int              by)
{
  int row = current_row (self) + by;

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
      g_signal_emit (self, signals[TOGGLE_VIEW], 0);
      return GDK_EVENT_STOP;
    case GDK_KEY_j: step (self, 1);  return GDK_EVENT_STOP;
    case GDK_KEY_k: step (self, -1); return GDK_EVENT_STOP;
    case GDK_KEY_Up: case GDK_KEY_Down: case GDK_KEY_Left: case GDK_KEY_Right: case GDK_KEY_Home: case GDK_KEY_End:
      return GDK_EVENT_PROPAGATE;      /* the table's own */
    default:
      return gilk_graph_keys_handle (self->view, event);
    }
}

/* ---- made ---- */

static GtkTreeViewColumn *
add_column (GilkListingView *self,
            const char      *title,
            const char      *attribute,
            int              column,
            int              width)
{
  GtkCellRenderer *cell = gtk_cell_renderer_text_new ();
  GtkTreeViewColumn *made = gtk_tree_view_column_new_with_attributes (title, cell, attribute, column, NULL);

  g_object_set (cell, "family", "monospace", "ypad", 1, "xpad", 5, NULL);
  gtk_tree_view_column_add_attribute (made, cell, "cell-background-rgba",
                                      column == GILK_LISTING_HITS ? GILK_LISTING_HEAT : GILK_LISTING_FOUND);
  gtk_tree_view_column_set_sizing (made, GTK_TREE_VIEW_COLUMN_FIXED);
  gtk_tree_view_column_set_fixed_width (made, width);
  gtk_tree_view_column_set_resizable (made, TRUE);
  if (column == GILK_LISTING_HITS)
    g_object_set (cell, "xalign", 1.0, "foreground", "#1e2128", NULL);     /* on heat, which is pale in either theme */
  if (column == GILK_LISTING_SOURCE)
    g_object_set (cell, "ellipsize", PANGO_ELLIPSIZE_START, NULL);
  gtk_tree_view_append_column (self->tree, made);

  return made;
}

static void
pointed_out (GilkListingView *self)
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
  g_signal_connect_object (view, "chosen", G_CALLBACK (pointed_out), self, G_CONNECT_SWAPPED);

  return GTK_WIDGET (self);
}

static void
gilk_listing_view_finalize (GObject *object)
{
  g_clear_pointer (&GILK_LISTING_VIEW (object)->data, gilk_graph_data_unref);
  G_OBJECT_CLASS (gilk_listing_view_parent_class)->finalize (object);
}

static void
gilk_listing_view_class_init (GilkListingViewClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = gilk_listing_view_finalize;
  signals[TOGGLE_VIEW] = g_signal_new ("toggle-view", GILK_TYPE_LISTING_VIEW, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                       G_TYPE_NONE, 0);
}

static void
gilk_listing_view_init (GilkListingView *self)
{
  self->tree = GTK_TREE_VIEW (gtk_tree_view_new ());
  add_column (self, "", "text", GILK_LISTING_MARK, 52);
  add_column (self, _("Hits"), "text", GILK_LISTING_HITS, 96);
  add_column (self, _("Place"), "markup", GILK_LISTING_PLACE, 96);
  add_column (self, _("Bytes"), "text", GILK_LISTING_BYTES, 200);
  gtk_tree_view_column_set_expand (add_column (self, _("Instruction"), "markup", GILK_LISTING_TEXT, 330), TRUE);
  self->source_column = add_column (self, _("Source"), "text", GILK_LISTING_SOURCE, 240);
  gtk_tree_view_set_fixed_height_mode (self->tree, TRUE);
  gtk_tree_view_set_enable_search (self->tree, FALSE);
  gtk_tree_view_set_tooltip_column (self->tree, GILK_LISTING_SAID);
  atk_object_set_name (gtk_widget_get_accessible (GTK_WIDGET (self->tree)), _("Listing"));
  g_signal_connect_swapped (self->tree, "cursor-changed", G_CALLBACK (cursor_changed), self);
  g_signal_connect_swapped (self->tree, "row-activated", G_CALLBACK (row_activated), self);
  g_signal_connect_swapped (self->tree, "key-press-event", G_CALLBACK (key_pressed), self);
  g_signal_connect_swapped (self, "map", G_CALLBACK (follow_graph), self);
  gtk_widget_show (GTK_WIDGET (self->tree));
  gtk_container_add (GTK_CONTAINER (self), GTK_WIDGET (self->tree));
}

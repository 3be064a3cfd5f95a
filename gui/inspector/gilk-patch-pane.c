/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-patch-pane.c - pane below the listing that shows the code before and after the selected hook
 * is armed, and the hook's patch
 */

#include <glib/gi18n.h>

#include "core/bind/gilk-bound-listing.h"
#include "gui/base/gilk-object.h"
#include "gui/run/gilk-connection.h"
#include "gui/inspector/gilk-patch-view.h"

#define SHOW_MS 250
#define HEIGHT  170

struct _GilkPatchPane {
  GtkBox          parent_instance;

  GilkGraphView  *view;            /* a sibling widget; not owned */
  GilkPlanModel  *model;
  GilkConnection *connection;
  char           *label;           /* label of the shown hook; NULL: none */
  GilkBoundPlan  *bound;           /* result of binding the hooks of @function; NULL: not bound
                                    * yet */
  char           *function;        /* function whose hooks are in @bound */
  GCancellable   *binding;
  guint           source;

  GtkLabel       *title, *problem;
  GtkWidget      *scrolled;
  GilkPatchView  *patch;
};

G_DEFINE_FINAL_TYPE (GilkPatchPane, gilk_patch_pane, GTK_TYPE_BOX)

/* ---- finding the selected hook ---- */

/* Returns the index of the planned hook at the selected point of a block (pre-hook or post-hook),
 * or else at the block's other point; -1: none. */
static int
find_selected_hook (GilkPatchPane *self)
{
  const GilkGraphData *data = gilk_graph_view_data (self->view);
  int point = gilk_graph_view_point (self->view);

  for (int edge = 0; data != NULL && data->choices != NULL && point >= 0 && edge < 2; edge++, point ^= 1)
    {
      int index = gilk_plan_model_find (self->model, data->name, data->graph->titles[point / 2],
                                        data->cfg->blocks[point / 2].start,
                                        point % 2 == 0 ? GILK_WHERE_PRE : GILK_WHERE_POST);

      if (index >= 0)
        return index;
    }

  return -1;
}

/* ---- binding and showing the hook's code ---- */

static void
show_text (GilkPatchPane *self, const char *title, const char *problem)
{
  gtk_label_set_text (self->title, title);
  gtk_label_set_text (self->problem, problem != NULL ? problem : "");
  gtk_widget_set_visible (GTK_WIDGET (self->problem), problem != NULL);
  gtk_widget_set_visible (self->scrolled, problem == NULL);
  gtk_widget_show (GTK_WIDGET (self));
}

static void
show_bound (GilkPatchPane *self)
{
  g_autoptr(GilkDecoder) decoder = gilk_decoder_new ();

  for (guint i = 0; i < self->bound->hooks->len; i++)
    {
      const GilkBoundHook *hook = &g_array_index (self->bound->hooks, GilkBoundHook, i);
      g_autoptr(GError) error = NULL;
      g_autofree char *cost = NULL, *title = NULL;
      GilkPatchListing *listing;
      int width, height;

      if (g_strcmp0 (hook->hook->label, self->label) != 0)
        continue;
      listing = gilk_bound_listing_new (self->bound, i, decoder, &error);
      if (listing == NULL)
        {
          show_text (self, self->label, error->message);
          return;
        }
      cost = g_strdup_printf (_("the patch replaces %u bytes of kernel text and adds %u instructions"),
                              listing->footprint, listing->cost);
      title = g_strdup_printf ("%s · %s", self->label, cost);
      gilk_patch_view_show (self->patch, listing, hook->cfg, &width, &height);
      show_text (self, title, NULL);
      return;
    }
  gtk_widget_hide (GTK_WIDGET (self));
}

static void
bound_cb (GObject      *object,
          GAsyncResult *result,
          gpointer      user_data)
{
  g_autoptr(GilkPatchPane) self = user_data;
  g_autoptr(GError) error = NULL;
  g_autoptr(GilkBoundPlan) bound = gilk_connection_bind_finish (GILK_CONNECTION (object), result, &error);

  if (g_task_get_cancellable (G_TASK (result)) != self->binding)
    return;
  g_clear_object (&self->binding);
  if (bound == NULL)
    {
      show_text (self, self->label, error->message);
      return;
    }
  self->bound = g_steal_pointer (&bound);
  show_bound (self);
}

static void
drop_bound_plan (GilkPatchPane *self)
{
  gilk_cancel (&self->binding);
  g_clear_pointer (&self->bound, gilk_bound_plan_free);
}

/* Binds only this function's hooks, because hooks of other functions do not affect them. */
static void
bind_function (GilkPatchPane *self, const char *function)
{
  const GilkPlan *all = gilk_plan_model_plan (self->model);
  g_autoptr(GilkPlan) plan = gilk_plan_share (all);

  drop_bound_plan (self);
  g_free (self->function);
  self->function = g_strdup (function);
  g_ptr_array_set_size (plan->hooks, 0);
  for (guint i = 0; i < all->hooks->len; i++)
    {
      GilkPlanHook *hook = g_ptr_array_index (all->hooks, i);

      if (gilk_plan_hook_has_graph (hook) && gilk_function_is_named (hook->function, function))
        g_ptr_array_add (plan->hooks, gilk_plan_hook_ref (hook));
    }
  self->binding = g_cancellable_new ();
  gilk_connection_bind_async (self->connection, plan, self->binding, bound_cb, g_object_ref (self));
}

static gboolean
update_pane (gpointer user_data)
{
  GilkPatchPane *self = user_data;
  GtkWidget *parent = gtk_widget_get_parent (GTK_WIDGET (self));
  const GilkGraphData *data = gilk_graph_view_data (self->view);
  int index = find_selected_hook (self);

  self->source = 0;
  if (parent == NULL || !gtk_widget_get_mapped (parent))
    return G_SOURCE_REMOVE;
  g_free (self->label);
  self->label = index >= 0 ? g_strdup (gilk_plan_model_hook (self->model, (guint) index)->label) : NULL;
  if (self->label == NULL || gilk_connection_target (self->connection) == NULL)
    gtk_widget_hide (GTK_WIDGET (self));
  else if (self->bound != NULL && g_strcmp0 (self->function, data->name) == 0)
    show_bound (self);
  else
    bind_function (self, data->name);

  return G_SOURCE_REMOVE;
}

static void
schedule_update (GilkPatchPane *self)
{
  if (self->source == 0)
    self->source = g_timeout_add (SHOW_MS, update_pane, self);
}

/* Updates the pane whenever the listing becomes visible, because the pane is not updated while it
 * is hidden. */
static void
parent_changed (GilkPatchPane *self)
{
  GtkWidget *parent = gtk_widget_get_parent (GTK_WIDGET (self));

  if (parent != NULL)
    g_signal_connect_object (parent, "map", G_CALLBACK (schedule_update), self, G_CONNECT_SWAPPED);
}

static void
plan_changed (GilkPatchPane *self)
{
  drop_bound_plan (self);
  schedule_update (self);
}

/* ---- GObject life cycle ---- */

static void
gilk_patch_pane_dispose (GObject *object)
{
  GilkPatchPane *self = GILK_PATCH_PANE (object);

  g_clear_handle_id (&self->source, g_source_remove);
  drop_bound_plan (self);
  g_clear_object (&self->model);
  g_clear_object (&self->connection);
  g_clear_pointer (&self->label, g_free);
  g_clear_pointer (&self->function, g_free);
  G_OBJECT_CLASS (gilk_patch_pane_parent_class)->dispose (object);
}

static void
gilk_patch_pane_class_init (GilkPatchPaneClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = gilk_patch_pane_dispose;
}

static void
gilk_patch_pane_init (GilkPatchPane *self)
{
  gtk_orientable_set_orientation (GTK_ORIENTABLE (self), GTK_ORIENTATION_VERTICAL);
  self->title = GTK_LABEL (gtk_label_new (NULL));
  gtk_label_set_xalign (self->title, 0);
  gtk_label_set_ellipsize (self->title, PANGO_ELLIPSIZE_END);
  gtk_widget_set_margin_start (GTK_WIDGET (self->title), 10);
  gtk_widget_set_margin_top (GTK_WIDGET (self->title), 6);
  gtk_style_context_add_class (gtk_widget_get_style_context (GTK_WIDGET (self->title)), "section");
  self->problem = GTK_LABEL (gtk_label_new (NULL));
  gtk_label_set_xalign (self->problem, 0);
  gtk_label_set_line_wrap (self->problem, TRUE);
  g_object_set (self->problem, "margin", 10, NULL);
  self->patch = GILK_PATCH_VIEW (gilk_patch_view_new ());
  self->scrolled = gtk_scrolled_window_new (NULL, NULL);
  gtk_scrolled_window_set_min_content_height (GTK_SCROLLED_WINDOW (self->scrolled), HEIGHT);
  gtk_container_add (GTK_CONTAINER (self->scrolled), GTK_WIDGET (self->patch));
  gtk_widget_show (GTK_WIDGET (self->title));
  gtk_box_pack_start (GTK_BOX (self), GTK_WIDGET (self->title), FALSE, FALSE, 0);
  gtk_box_pack_start (GTK_BOX (self), GTK_WIDGET (self->problem), FALSE, FALSE, 0);
  gtk_box_pack_start (GTK_BOX (self), self->scrolled, TRUE, TRUE, 0);
  gtk_widget_set_no_show_all (GTK_WIDGET (self), TRUE);
}

GtkWidget *
gilk_patch_pane_new (GilkGraphView  *view,
                     GilkPlanModel  *model,
                     GilkConnection *connection)
{
  GilkPatchPane *self = g_object_new (GILK_TYPE_PATCH_PANE, NULL);

  self->view = view;
  self->model = g_object_ref (model);
  self->connection = g_object_ref (connection);
  g_signal_connect (self, "parent-set", G_CALLBACK (parent_changed), NULL);
  g_signal_connect_object (view, "selected", G_CALLBACK (schedule_update), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (view, "shown", G_CALLBACK (schedule_update), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (model, "changed", G_CALLBACK (plan_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (connection, "changed", G_CALLBACK (schedule_update), self, G_CONNECT_SWAPPED);

  return GTK_WIDGET (self);
}

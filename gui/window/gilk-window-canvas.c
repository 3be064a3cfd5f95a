/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-window-canvas.c - actions of the window on blocks selected in the graph
 *
 * Adding or removing the hooks of several blocks is one edit of the plan, one undo step.
 */
#include "gui/window/gilk-window-private.h"

#include <glib/gi18n.h>

#include "core/cfg/gilk-cfg-pick.h"
#include "gui/graph/gilk-selection-bar.h"
#include "gui/graph/gilk-graph-selection.h"
#include "gui/graph/gilk-graph-dim.h"
#include "gui/graph/gilk-graph-menu.h"
#include "gui/graph/gilk-graph-search.h"
#include "gui/graph/gilk-listing-model.h"
#include "gui/graph/gilk-listing-view.h"
#include "gui/inspector/gilk-patch-pane.h"
#include "gui/plan/gilk-callees-dialog.h"

static void
select_blocks (GSimpleAction *action,
               GVariant      *parameter,
               gpointer       user_data)
{
  static const struct { const char *name; GilkPick rule; } rules[] = {
    { "all", GILK_PICK_ALL }, { "ends", GILK_PICK_ENDS }, { "loops", GILK_PICK_LOOP_HEADS },
    { "reached", GILK_PICK_REACHED }, { "reaching", GILK_PICK_REACHING },
  };
  GilkWindow *self = user_data;
  GilkGraphView *view = self->graph_view;
  const char *name = g_variant_get_string (parameter, NULL);

  for (gsize i = 0; i < G_N_ELEMENTS (rules); i++)
    if (g_str_equal (name, rules[i].name))
      gilk_graph_selection_set_by_rule (view, rules[i].rule);
  if (g_str_equal (name, "fewest"))
    gilk_graph_selection_set_fewest (view);
  else if (g_str_equal (name, "none"))
    gilk_graph_selection_clear (view);
  else if (g_str_equal (name, "way") && gilk_graph_view_data (view) != NULL && !gilk_graph_selection_set_hottest_path (view))
    gilk_banner_remark (self->banner, GTK_MESSAGE_INFO, _("This block was never executed during the run, so there is no path "
                                                   "to show."), NULL, NULL);
}

static void
dim_changed (GSimpleAction *action,
             GVariant      *state,
             gpointer       user_data)
{
  GilkWindow *self = user_data;
  const char *word = g_variant_get_string (state, NULL);

  if (!gilk_graph_dim_set (gilk_window_graph_in_view (self), word) && !g_str_equal (word, "none"))
    gilk_banner_remark (self->banner, GTK_MESSAGE_INFO, _("Nothing to dim: every block matches."), NULL, NULL);
  g_simple_action_set_state (action, state);
}

static void
plan_callees (GSimpleAction *action,
              GVariant      *parameter,
              gpointer       user_data)
{
  GilkWindow *self = user_data;
  g_autofree char *name = NULL;

  if (self->function == NULL || self->functions == NULL)
    {
      gilk_banner_remark (self->banner, GTK_MESSAGE_INFO, _("No function is shown yet: choose one."), NULL, NULL);
      return;
    }
  name = gilk_functions_name (self->functions, self->function);
  gilk_callees_dialog_show (GTK_WINDOW (self), self->connection, self->model, name);
}

static void
show_info (gpointer    object,
           const char *text)
{
  gilk_banner_remark (GILK_WINDOW (object)->banner, GTK_MESSAGE_INFO, text, NULL, NULL);
}

/* ---- graph and listing ---- */

static gboolean
is_listing_wanted (GilkWindow *self)
{
  g_autoptr(GVariant) state = g_action_group_get_action_state (G_ACTION_GROUP (self), "listing");

  return state != NULL && g_variant_get_boolean (state);
}

const char *
gilk_window_canvas_page (GilkWindow *self)
{
  if (gilk_window_calls_enabled (self))
    return "calls";

  return is_listing_wanted (self) ? "listing" : "graph";
}

void
gilk_window_canvas_focus (GilkWindow *self)
{
  if (gilk_window_calls_enabled (self))
    gilk_calls_view_focus (GILK_CALLS_VIEW (self->calls_view));
  else if (is_listing_wanted (self))
    gilk_listing_view_focus (GILK_LISTING_VIEW (self->listing));
  else
    gtk_widget_grab_focus (GTK_WIDGET (self->graph_view));
}

static void
listing_changed (GSimpleAction *action,
                 GVariant      *state,
                 gpointer       user_data)
{
  GilkWindow *self = user_data;

  g_simple_action_set_state (action, state);
  if (gilk_window_calls_enabled (self))
    g_action_group_change_action_state (G_ACTION_GROUP (self), "call-graph", g_variant_new_boolean (FALSE));
  gilk_window_show_page (self);
  gilk_window_canvas_focus (self);
}

static void
toggle_listing (GilkWindow *self)
{
  g_action_group_activate_action (G_ACTION_GROUP (self), "listing", NULL);
}

static gboolean
graph_key_pressed (GilkWindow  *self,
                   GdkEventKey *event)
{
  if (event->keyval != GDK_KEY_space || event->state & gtk_accelerator_get_default_mod_mask () ||
      gilk_graph_view_data (self->graph_view) == NULL)
    return GDK_EVENT_PROPAGATE;
  toggle_listing (self);

  return GDK_EVENT_STOP;
}

/* Goes to the target block in this function, or to the called function. */
static void
follow_target (GilkWindow *self,
               guint       insn)
{
  const GilkGraphData *data = gilk_graph_view_data (self->graph_view);
  int block = gilk_listing_target (data, insn);
  g_autofree char *name = gilk_listing_target_function (data, insn);

  if (block >= 0)
    gilk_graph_view_jump_insn (self->graph_view, data->cfg->blocks[block].first_insn);
  else if (name != NULL)
    gilk_window_show_function (self, name);
  else
    gtk_widget_error_bell (GTK_WIDGET (self));
}

static void
find_in_function (GSimpleAction *action,
                  GVariant      *parameter,
                  gpointer       user_data)
{
  gilk_graph_search_start (GILK_GRAPH_SEARCH (GILK_WINDOW (user_data)->search_in));
}

/* Enables Ctrl+F for the function only in its view; the view of accesses has its own. */
static void
update_find (GilkWindow *self)
{
  GAction *action = g_action_map_lookup_action (G_ACTION_MAP (self), "find-in-function");
  gboolean explore = g_strcmp0 (gtk_stack_get_visible_child_name (self->mode_stack), "explore") == 0;

  g_simple_action_set_enabled (G_SIMPLE_ACTION (action), explore && gilk_graph_view_data (self->graph_view) != NULL);
}

static void
add_views (GilkWindow *self)
{
  GtkWidget *box = gtk_widget_get_parent (self->canvas_bar);
  GtkWidget *paned = gtk_paned_new (GTK_ORIENTATION_VERTICAL);

  self->search_in = gilk_graph_search_new (self->graph_view);
  gtk_container_add (GTK_CONTAINER (box), self->search_in);
  gtk_box_reorder_child (GTK_BOX (box), self->search_in, 1);
  g_signal_connect_object (self->search_in, "closed", G_CALLBACK (gilk_window_canvas_focus), self, G_CONNECT_SWAPPED);

  self->listing = gilk_listing_view_new (self->graph_view);
  gtk_paned_pack1 (GTK_PANED (paned), self->listing, TRUE, FALSE);
  gtk_paned_pack2 (GTK_PANED (paned), gilk_patch_pane_new (self->graph_view, self->model, self->connection), FALSE, FALSE);
  gtk_widget_show (paned);
  gtk_stack_add_named (self->canvas_stack, paned, "listing");
  g_signal_connect_object (self->listing, "toggle-view", G_CALLBACK (toggle_listing), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->model, "changed", G_CALLBACK (gilk_listing_view_update), self->listing, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->model, "status-changed", G_CALLBACK (gilk_listing_view_update), self->listing,
                           G_CONNECT_SWAPPED);
}

/* The bar has room for only one of them. */
static void
selection_changed (GilkWindow *self)
{
  gtk_widget_set_visible (GTK_WIDGET (self->function_facts), gilk_graph_selection_count (self->graph_view) == 0);
}

static void
graph_changed (GilkWindow *self)
{
  g_simple_action_set_state (G_SIMPLE_ACTION (g_action_map_lookup_action (G_ACTION_MAP (self), "dim")), g_variant_new_string ("none"));
  gilk_graph_search_repeat (GILK_GRAPH_SEARCH (self->search_in));
  update_find (self);
}

void
gilk_window_canvas_init (GilkWindow *self)
{
  static const GActionEntry entries[] = {
    { "listing", NULL, NULL, "false", listing_changed }, { "find-in-function", find_in_function },
    { "choose", select_blocks, "s" }, { "dim", NULL, "s", "'none'", dim_changed },
    { "plan-reached", plan_callees },
  };

  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
  gtk_box_pack_end (GTK_BOX (self->canvas_bar), gilk_selection_bar_new (self->graph_view, GTK_WINDOW (self)), FALSE, FALSE, 0);
  g_signal_connect_object (self->graph_view, "selected", G_CALLBACK (gilk_window_update_actions), self, G_CONNECT_SWAPPED);
  add_views (self);
  g_signal_connect_object (self->graph_view, "key-press-event", G_CALLBACK (graph_key_pressed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->graph_view, "follow", G_CALLBACK (follow_target), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->graph_view, "chosen", G_CALLBACK (selection_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->graph_view, "shown", G_CALLBACK (graph_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->mode_stack, "notify::visible-child", G_CALLBACK (update_find), self, G_CONNECT_SWAPPED);
  update_find (self);
  gilk_graph_menu_add (self->graph_view, gilk_selection_bar_canvas_menu, show_info, self);
  /* Makes the graph's actions available to the command palette, which searches the window's. */
  gtk_widget_insert_action_group (GTK_WIDGET (self), "canvas",
                                  gtk_widget_get_action_group (GTK_WIDGET (self->graph_view), "canvas"));
}

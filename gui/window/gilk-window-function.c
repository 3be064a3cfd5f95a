/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-window-function.c - search for functions, loading, and history
 */
#include "gui/window/gilk-window-private.h"

#include <glib/gi18n.h>

#include "core/base/gilk-refusal.h"
#include "gui/window/gilk-breadcrumb.h"
#include "gui/base/gilk-style.h"

/* ---- graph ---- */

/* Appends the number of points of a kind, such as a tactic, unless it is 0, to leave
 * room for the breadcrumb. */
static void
add_points (GString    *text,
            guint       n,
            const char *what)
{
  if (n == 0)
    return;
  g_string_append (text, strstr (text->str, ": ") != NULL ? ", " : ": ");
  g_string_append_printf (text, "%u %s", n, what);
}

void
gilk_window_show_facts (GilkWindow *self)
{
  GilkGraphData *data = gilk_graph_view_data (self->graph_view);
  g_autoptr(GString) text = g_string_new (NULL);

  gtk_widget_set_visible (self->canvas_bar, data != NULL);
  if (data == NULL)
    return;

  g_string_printf (text, _("%u blocks · %u points"), data->cfg->n_blocks, 2 * data->cfg->n_blocks);
  add_points (text, data->n_splice, _("splice"));
  add_points (text, data->n_bounce, _("bounce"));
  add_points (text, data->n_clone, _("clone"));
  add_points (text, data->n_trap, _("trap"));
  add_points (text, data->n_refused, _("refused"));
  gtk_label_set_text (self->function_facts, text->str);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->function_facts), text->str);
}

static void
show_path (GilkWindow *self)
{
  GilkGraphData *data = gilk_graph_view_data (self->graph_view);
  int point = gilk_graph_view_point (self->graph_view);

  if (data != NULL && gilk_window_calls_enabled (self))
    gilk_breadcrumb_show_calls (self->function_label, data);
  else if (data != NULL && point >= 0)
    gilk_breadcrumb_show (self->function_label, data, (guint) point / 2);
}

void
gilk_window_show_page (GilkWindow *self)
{
  const char *page = "connect";

  if (gilk_graph_view_data (self->graph_view) != NULL)
    page = gilk_window_canvas_page (self);
  else if (gilk_connection_functions (self->connection) != NULL)
    page = "find";
  else if (gilk_connection_state (self->connection) == GILK_CONNECTION_CONNECTING)
    page = "connecting";
  gilk_window_calls_update (self);
  gtk_stack_set_visible_child_name (self->canvas_stack, page);
  /* The focused widget, such as the start page's button, disappeared with its page. */
  if (gtk_window_get_focus (GTK_WINDOW (self)) == NULL && gtk_widget_get_mapped (GTK_WIDGET (self->canvas_stack)))
    gtk_widget_grab_focus (GTK_WIDGET (self->search));
  show_path (self);
}

static void
source_read (GObject      *object,
             GAsyncResult *result,
             gpointer      user_data)
{
  g_autoptr(GilkWindow) self = user_data;
  GilkGraphData *data = gilk_graph_data_source_finish (result, NULL);

  if (data != NULL && data == gilk_graph_view_data (self->graph_view))
    gilk_inspector_show (self->inspector, data, gilk_graph_view_point (self->graph_view));
}

static void
show_data (GilkWindow    *self,
           GilkGraphData *data)
{
  gilk_graph_view_set_data (self->graph_view, data);
  g_clear_pointer (&self->graph_functions, gilk_functions_unref);
  if (data != NULL)
    self->graph_functions = gilk_functions_ref (self->functions);
  gilk_inspector_show (self->inspector, data, data != NULL ? gilk_graph_view_point (self->graph_view) : -1);
  gilk_window_show_facts (self);
  show_path (self);
  gilk_window_show_page (self);
  gilk_window_update_actions (self);
}

static void
graph_loaded (GObject      *object,
              GAsyncResult *result,
              gpointer      user_data)
{
  g_autoptr(GilkWindow) self = user_data;
  g_autoptr(GError) error = NULL;
  g_autoptr(GilkGraphData) data = gilk_graph_data_load_finish (result, &error);

  if (g_task_get_cancellable (G_TASK (result)) != self->loading)
    return;

  g_clear_object (&self->loading);
  gilk_progress_box_set_loading (self->progress, FALSE);
  gilk_window_update_actions (self);
  if (data == NULL)
    {
      gilk_banner_show_error (self->banner, error);
      return;
    }
  show_data (self, data);
  gilk_graph_data_source_async (data, NULL, source_read, g_object_ref (self));
  if (self->returning)
    gilk_graph_view_restore_position (self->graph_view);
  if (self->wanted_addr != 0 && gilk_cfg_block_around (data->cfg, self->wanted_addr) >= 0)
    gilk_graph_view_select (self->graph_view, 2 * gilk_cfg_block_around (data->cfg, self->wanted_addr), TRUE);
  /* Do not take the focus back if the user has moved on in the meantime. */
  if (gtk_window_get_focus (GTK_WINDOW (self)) == self->focus_at_load)
    gilk_window_canvas_focus (self);
  if (data->cfg->refusal != 0 && data->cfg->refusal != ILK_REFUSAL_MODULE_GONE)       /* the message on modules has it */
    {
      g_autofree char *text = g_strdup_printf ("%s: %s %s", data->name,
                                               gilk_refusal_cause (data->cfg->refusal),
                                               gilk_refusal_remedy (data->cfg->refusal));

      gilk_banner_remark (self->banner, GTK_MESSAGE_WARNING, text, NULL, NULL);
    }
  gilk_window_restore_location (self);
  gilk_window_save_location (self);
  if (self->wanted_hook != NULL)
    {
      g_autofree char *label = g_steal_pointer (&self->wanted_hook);

      gilk_graph_planner_select_hook (self->planner, label);
    }
}

static void
remember_function (GilkWindow         *self,
                   const GilkFunction *function)
{
  if (self->history_at > 0 && g_ptr_array_index (self->history, self->history_at - 1) == function)
    return;

  g_ptr_array_set_size (self->history, self->history_at);
  g_ptr_array_add (self->history, (gpointer) function);
  self->history_at = self->history->len;
}

static void
stop_loading (GilkWindow *self)
{
  if (self->loading != NULL)
    g_cancellable_cancel (self->loading);
  g_clear_object (&self->loading);
  gilk_progress_box_set_loading (self->progress, FALSE);
}

/* @focus: the widget that loses the focus to the graph if it still has it after loading */
static void
start_load (GilkWindow         *self,
            const GilkFunction *function,
            gconstpointer       focus)
{
  GilkPlotStyle style;

  self->wanted_addr = 0;
  stop_loading (self);
  self->function = function;
  self->focus_at_load = focus;
  self->loading = g_cancellable_new ();
  gilk_progress_box_set_loading (self->progress, TRUE);
  gilk_function_list_set_current (self->function_list, function);
  gilk_style_fill (GTK_WIDGET (self), &style);
  gilk_graph_data_load_async (gilk_connection_functions (self->connection),
                              gilk_connection_image (self->connection), function, &style,
                              self->loading, graph_loaded, g_object_ref (self));
  gilk_window_update_actions (self);
}

void
gilk_window_load_function (GilkWindow         *self,
                           const GilkFunction *function,
                           gboolean            remember)
{
  self->returning = !remember;
  if (remember)
    remember_function (self, function);
  gilk_banner_clear_remark (self->banner);
  gilk_window_clear_vanished (self);
  gtk_stack_set_visible_child_name (self->mode_stack, "explore");
  start_load (self, function, gtk_window_get_focus (GTK_WINDOW (self)));
}

/* Loads the same function again and selects the same block, without taking the focus. */
void
gilk_window_reload_function (GilkWindow         *self,
                             const GilkFunction *function)
{
  self->returning = TRUE;
  start_load (self, function, self);
}

void
gilk_window_show_function (GilkWindow *self,
                           const char *name)
{
  g_autoptr(GError) error = NULL;
  const GilkFunction *function;
  GilkFunctions *functions = gilk_connection_functions (self->connection);

  if (functions == NULL)
    {
      g_free (self->requested_function);
      self->requested_function = g_strdup (name);
      return;
    }
  function = gilk_functions_lookup (functions, name, &error);
  if (function == NULL)
    gilk_banner_show_error (self->banner, error);
  else
    gilk_window_load_function (self, function, TRUE);
}

void
gilk_window_function_activated (GilkWindow *self,
                                gpointer    function,
                                uint64_t    addr)
{
  gilk_window_load_function (self, function, TRUE);
  self->wanted_addr = addr;
}

void
gilk_window_point_selected (GilkWindow *self,
                            int         point)
{
  gilk_inspector_show (self->inspector, gilk_graph_view_data (self->graph_view), point);
  gilk_window_save_location (self);
  show_path (self);
}

void
gilk_window_point_opened (GilkWindow *self)
{
  gtk_widget_show (GTK_WIDGET (self->inspector));
  gtk_widget_child_focus (GTK_WIDGET (self->inspector), GTK_DIR_TAB_FORWARD);
}

/* ---- search ---- */

void
gilk_window_search_changed (GilkWindow *self)
{
  const char *typed = gtk_entry_get_text (self->search);

  gilk_palette_show (self->palette, *typed == '>' ? typed + 1 : NULL);
  if (*typed == '>')
    return;
  gilk_function_list_set_pattern (self->function_list, typed);
  g_action_group_change_action_state (G_ACTION_GROUP (self), "function-list", g_variant_new_boolean (TRUE));
  gtk_stack_set_visible_child_name (self->mode_stack, "explore");
}

void
gilk_window_search_activated (GilkWindow *self)
{
  if (*gtk_entry_get_text (self->search) == '>')
    gilk_palette_activate (self->palette);
  else if (gilk_connection_functions (self->connection) == NULL)
    gilk_banner_remark (self->banner, GTK_MESSAGE_INFO, _("No kernel is connected: choose a target first."), NULL, NULL);
  else
    gilk_function_list_activate_first (self->function_list);
}

void
gilk_window_search_stopped (GilkWindow *self)
{
  gtk_entry_set_text (self->search, "");
  if (gtk_widget_get_mapped (GTK_WIDGET (self->graph_view)))
    gtk_widget_grab_focus (GTK_WIDGET (self->graph_view));
}

gboolean
gilk_window_search_key (GilkWindow  *self,
                        GdkEventKey *event)
{
  gboolean down = event->keyval == GDK_KEY_Down || event->keyval == GDK_KEY_KP_Down;
  gboolean up = event->keyval == GDK_KEY_Up || event->keyval == GDK_KEY_KP_Up;

  if ((down || up) && gilk_palette_is_shown (self->palette))
    {
      gilk_palette_move_selection (self->palette, down ? 1 : -1);
      return GDK_EVENT_STOP;
    }
  if (!down)
    return GDK_EVENT_PROPAGATE;
  gilk_function_list_focus (self->function_list);

  return GDK_EVENT_STOP;
}

/* ---- change of functions ---- */

/* Looks up the function's name in the new table; NULL: not found. */
static const GilkFunction *
find_again (GilkWindow         *self,
            GilkFunctions      *functions,
            const GilkFunction *function)
{
  g_autofree char *name = gilk_functions_name (self->functions, function);

  return gilk_functions_lookup (functions, name, NULL);
}

static void
convert_history (GilkWindow    *self,
                 GilkFunctions *functions)
{
  guint kept = 0, at = 0;

  for (guint i = 0; i < self->history->len; i++)
    {
      const GilkFunction *function = find_again (self, functions, g_ptr_array_index (self->history, i));

      if (function == NULL)
        continue;
      self->history->pdata[kept++] = (gpointer) function;
      at = i < self->history_at ? kept : at;
    }
  g_ptr_array_set_size (self->history, kept);
  self->history_at = at;
}

/* Keeps the graph until the same function is loaded from the new kernel's text. Reports a function
 * that no longer exists; it is shown again when it returns. */
static void
switch_functions (GilkWindow    *self,
                  GilkFunctions *functions)
{
  g_autofree char *name = self->function != NULL ? gilk_functions_name (self->functions, self->function)
                          : g_strdup (self->vanished_function);
  const GilkFunction *function = name != NULL ? gilk_functions_lookup (functions, name, NULL) : NULL;

  stop_loading (self);
  convert_history (self, functions);
  self->function = NULL;
  g_clear_pointer (&self->functions, gilk_functions_unref);
  self->functions = gilk_functions_ref (functions);
  if (function != NULL)
    {
      gilk_window_clear_vanished (self);
      gilk_window_reload_function (self, function);
      return;
    }
  if (gilk_graph_view_data (self->graph_view) != NULL)
    show_data (self, NULL);
  if (name != NULL)
    gilk_window_show_vanished (self, name);
}

void
gilk_window_set_functions (GilkWindow *self)
{
  GilkFunctions *functions = gilk_connection_functions (self->connection);

  if (functions == self->functions)
    return;
  if (functions != NULL && self->functions != NULL)
    {
      switch_functions (self, functions);
      return;
    }
  stop_loading (self);
  self->function = NULL;
  gilk_window_clear_vanished (self);
  g_ptr_array_set_size (self->history, 0);
  self->history_at = 0;
  if (gilk_graph_view_data (self->graph_view) != NULL)
    show_data (self, NULL);
  g_clear_pointer (&self->functions, gilk_functions_unref);
  if (functions != NULL)
    self->functions = gilk_functions_ref (functions);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-navigator.c - manages the function that is shown as a graph: loading, history, and looking
 * it up in another kernel
 */
#include "gui/window/gilk-navigator.h"

#include <glib/gi18n.h>

#include "core/base/gilk-refusal.h"
#include "core/splice/gilk-preview.h"
#include "gui/base/gilk-object.h"
#include "gui/base/gilk-settings.h"

struct _GilkNavigator {
  GObject parent_instance;

  GilkGraphView    *view;
  GilkGraphPlanner *planner;
  GilkPlanModel    *model;
  GilkConnection   *connection;
  GSettings        *settings;
  GilkBanner       *banner;

  GilkFunctions    *functions;           /* function table that contains @function and @history */
  GilkFunctions    *graph_functions;     /* function table that the shown graph points into */
  const GilkFunction *function;          /* function that is shown or being loaded */
  GPtrArray        *history;             /* const GilkFunction */
  guint             history_at;          /* index in @history of the current entry, plus one; 0: no
                                          * entry */
  char             *vanished;            /* name of the function that was shown but does not exist
                                          * in the connected kernel; NULL: none */

  GCancellable     *loading;             /* cancels loading the graph */
  gconstpointer     focus_at_load;       /* widget that had the focus when loading started; the
                                          * pointer is only compared */
  GtkGesture       *presses;             /* sees each press of a pointer's button in the window */
  gboolean          returning;           /* after loading, select the block that was last selected
                                          * in the function */
  uint64_t          wanted_addr;         /* address to select after loading; 0: none */
  char             *wanted_place;        /* block and point to select after loading, such as
                                          * "+0x77:0" */
  char             *wanted_hook;         /* label of the hook to select after loading */
  /* Name of the function to open once a target is connected. */
  char             *requested;
};

G_DEFINE_FINAL_TYPE (GilkNavigator, gilk_navigator, G_TYPE_OBJECT)

/* ---- saving and restoring the location ---- */

/* Saves the selected block and point in the settings, such as "+0x77:0" for a pre-hook. */
void
gilk_navigator_save_location (GilkNavigator *self)
{
  GilkGraphData *data = gilk_graph_view_data (self->view);
  int point = gilk_graph_view_point (self->view);
  g_autofree char *place = NULL;

  if (data == NULL || point < 0)
    return;
  place = g_strdup_printf ("%s:%d", data->graph->titles[point / 2], point % 2);
  g_settings_set_string (self->settings, "function", data->name);
  g_settings_set_string (self->settings, "place", place);
}

void
gilk_navigator_restore_location (GilkNavigator *self)
{
  g_autofree char *function = g_settings_get_string (self->settings, "function");

  if (function[0] == '\0')
    return;
  g_free (self->wanted_place);
  self->wanted_place = g_settings_get_string (self->settings, "place");
  g_free (self->requested);
  self->requested = g_steal_pointer (&function);
}

static void
select_wanted_place (GilkNavigator *self)
{
  g_autofree char *place = g_steal_pointer (&self->wanted_place);
  GilkGraphData *data = gilk_graph_view_data (self->view);
  g_auto(GStrv) parts = g_strsplit (place != NULL ? place : "", ":", 2);

  if (data == NULL || g_strv_length (parts) != 2)
    return;
  for (guint block = 0; block < data->cfg->n_blocks; block++)
    if (g_str_equal (data->graph->titles[block], parts[0]))
      {
        gilk_graph_view_select (self->view, 2 * (int) block + (parts[1][0] == '1'), TRUE);
        return;
      }
}

/* ---- message that the shown function no longer exists ---- */

static void
show_vanished (GilkNavigator *self,
               const char    *name)
{
  g_autofree char *text = g_strdup_printf (_("%s is no longer in the kernel: its module was unloaded. To hook it "
                                             "again, load the module, then read the kernel's functions again."),
                                           name);
  char *vanished = g_strdup (name);
  gboolean planned = FALSE;

  g_free (self->vanished);
  self->vanished = vanished;
  for (guint i = 0; i < gilk_plan_model_n_hooks (self->model) && !planned; i++)
    planned = gilk_function_is_named (gilk_plan_model_hook (self->model, i)->function, vanished);
  gilk_banner_show (self->banner, "vanished", GTK_MESSAGE_WARNING, text, &(GilkRemedy) { _("Read again"), "win.reconnect" },
                    planned ? &(GilkRemedy) { _("Remove its hooks"), "win.drop-refused" } : NULL);
}

static void
clear_vanished (GilkNavigator *self)
{
  g_clear_pointer (&self->vanished, g_free);
  gilk_banner_withdraw (self->banner, "vanished");
}

/* ---- loading a graph ---- */

static GtkWindow *
get_window (GilkNavigator *self)
{
  return GTK_WINDOW (gtk_widget_get_toplevel (GTK_WIDGET (self->view)));
}

static void
source_read (GObject      *object,
             GAsyncResult *result,
             gpointer      user_data)
{
  g_autoptr(GilkNavigator) self = user_data;
  GilkGraphData *data = gilk_graph_data_source_finish (result, NULL);

  if (self->view != NULL && data != NULL && data == gilk_graph_view_data (self->view))
    g_signal_emit_by_name (self, "source-read");
}

/* Shows @data. The view does not hold a reference to the functions to which @data points, so @self
 * holds one. */
static void
show_data (GilkNavigator *self,
           GilkGraphData *data)
{
  g_autoptr(GilkFunctions) before = g_steal_pointer (&self->graph_functions);

  if (data != NULL)
    self->graph_functions = gilk_functions_ref (self->functions);
  gilk_graph_view_set_data (self->view, data, self->returning);
}

static void
report_refused (GilkNavigator       *self,
                const GilkGraphData *data)
{
  const guint refusal = gilk_preview_refusal (data->cfg);
  g_autofree char *text = NULL;

  if (refusal == 0 || refusal == ILK_REFUSAL_MODULE_GONE)       /* GilkModuleNotices reports an
                                                                 * unloaded module */
    return;
  text = g_strdup_printf ("%s: %s %s", data->name, gilk_refusal_cause (refusal), gilk_refusal_remedy (refusal));
  gilk_banner_remark (self->banner, GTK_MESSAGE_WARNING, text, NULL, NULL);
}

static void
graph_loaded (GObject      *object,
              GAsyncResult *result,
              gpointer      user_data)
{
  g_autoptr(GilkNavigator) self = user_data;
  g_autoptr(GError) error = NULL;
  g_autoptr(GilkGraphData) data = gilk_graph_data_load_finish (result, &error);
  g_autofree char *label = NULL;

  if (g_task_get_cancellable (G_TASK (result)) != self->loading)
    return;

  g_clear_object (&self->loading);
  g_signal_emit_by_name (self, "changed");
  if (data == NULL)
    {
      gilk_banner_show_error (self->banner, error);
      return;
    }
  show_data (self, data);
  gilk_graph_data_source_async (data, NULL, source_read, g_object_ref (self));
  if (self->returning)
    gilk_graph_view_restore_position (self->view);
  if (self->wanted_addr != 0 && gilk_cfg_block_around (data->cfg, self->wanted_addr) >= 0)
    gilk_graph_view_select (self->view, 2 * gilk_cfg_block_around (data->cfg, self->wanted_addr), TRUE);
  g_signal_emit_by_name (self, "loaded", gtk_window_get_focus (get_window (self)) == self->focus_at_load);
  report_refused (self, data);
  select_wanted_place (self);
  gilk_navigator_save_location (self);
  label = g_steal_pointer (&self->wanted_hook);
  if (label != NULL)
    gilk_graph_planner_select_hook (self->planner, label);
}

void
gilk_navigator_cancel (GilkNavigator *self)
{
  gilk_cancel (&self->loading);
  g_signal_emit_by_name (self, "changed");
}

/* Handles a press of a mouse button while a graph is being loaded: the graph will not take the
 * focus, so that the focus stays where the user has pressed. */
static void
keep_focus (GilkNavigator *self)
{
  self->focus_at_load = self;
}

static void
watch_presses (GilkNavigator *self)
{
  if (self->presses != NULL)
    return;
  self->presses = gtk_gesture_multi_press_new (GTK_WIDGET (get_window (self)));
  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (self->presses), 0);
  gtk_event_controller_set_propagation_phase (GTK_EVENT_CONTROLLER (self->presses), GTK_PHASE_CAPTURE);
  g_signal_connect_object (self->presses, "pressed", G_CALLBACK (keep_focus), self, G_CONNECT_SWAPPED);
}

/* Starts loading @function. @asked: the user asked for it, so the graph takes the focus unless the
 * focus moves, or a button is pressed, during loading */
static void
start_load (GilkNavigator      *self,
            const GilkFunction *function,
            gboolean            asked)
{
  GilkPlotStyle style;

  self->wanted_addr = 0;
  gilk_navigator_cancel (self);
  watch_presses (self);
  self->function = function;
  self->focus_at_load = asked ? (gconstpointer) gtk_window_get_focus (get_window (self)) : self;
  self->loading = g_cancellable_new ();
  g_signal_emit_by_name (self, "opened", function, asked);
  gilk_style_fill (GTK_WIDGET (get_window (self)), &style);
  gilk_graph_data_load_async (gilk_connection_functions (self->connection), gilk_connection_image (self->connection),
                              function, &style, self->loading, graph_loaded, g_object_ref (self));
  g_signal_emit_by_name (self, "changed");
}

void
gilk_navigator_reload (GilkNavigator *self)
{
  if (self->function == NULL)
    return;
  self->returning = TRUE;
  start_load (self, self->function, FALSE);
}

/* ---- history of shown functions ---- */

static void
remember_function (GilkNavigator      *self,
                   const GilkFunction *function)
{
  if (self->history_at > 0 && g_ptr_array_index (self->history, self->history_at - 1) == function)
    return;

  g_ptr_array_set_size (self->history, self->history_at);
  g_ptr_array_add (self->history, (gpointer) function);
  self->history_at = self->history->len;
}

gboolean
gilk_navigator_can_step (GilkNavigator *self,
                         int            step)
{
  guint at = self->history_at + step;

  return at >= 1 && at <= self->history->len;
}

void
gilk_navigator_step (GilkNavigator *self,
                     int            step)
{
  if (!gilk_navigator_can_step (self, step))
    return;
  self->history_at += step;
  self->returning = TRUE;
  clear_vanished (self);
  start_load (self, g_ptr_array_index (self->history, self->history_at - 1), TRUE);
}

void
gilk_navigator_open (GilkNavigator      *self,
                     const GilkFunction *function,
                     uint64_t            addr)
{
  self->returning = FALSE;
  remember_function (self, function);
  clear_vanished (self);
  start_load (self, function, TRUE);
  self->wanted_addr = addr;
}

void
gilk_navigator_open_name (GilkNavigator *self,
                          const char    *name)
{
  g_autoptr(GError) error = NULL;
  const GilkFunction *function;
  GilkFunctions *functions = gilk_connection_functions (self->connection);

  if (functions == NULL)
    {
      g_free (self->requested);
      self->requested = g_strdup (name);
      return;
    }
  function = gilk_functions_lookup (functions, name, &error);
  if (function == NULL)
    gilk_banner_show_error (self->banner, error);
  else
    gilk_navigator_open (self, function, 0);
}

void
gilk_navigator_open_hook (GilkNavigator      *self,
                          const GilkPlanHook *hook)
{
  GilkGraphData *data = gilk_graph_view_data (self->view);

  if (data != NULL && gilk_function_is_named (hook->function, data->name))
    {
      gilk_graph_planner_select_hook (self->planner, hook->label);
      return;
    }
  g_free (self->wanted_hook);
  self->wanted_hook = g_strdup (hook->label);
  gilk_navigator_open_name (self, hook->function);
}

void
gilk_navigator_open_requested (GilkNavigator *self)
{
  g_autofree char *name = NULL;

  if (self->requested == NULL || gilk_connection_state (self->connection) != GILK_CONNECTION_READY)
    return;
  name = g_steal_pointer (&self->requested);
  gilk_navigator_open_name (self, name);
}

/* ---- switching to another kernel's functions ---- */

static void
convert_history (GilkNavigator *self,
                 GilkFunctions *functions)
{
  guint kept = 0, at = 0;

  for (guint i = 0; i < self->history->len; i++)
    {
      g_autofree char *name = gilk_functions_name (self->functions, g_ptr_array_index (self->history, i));
      const GilkFunction *function = gilk_functions_lookup (functions, name, NULL);

      if (function == NULL)
        continue;
      self->history->pdata[kept++] = (gpointer) function;
      at = i < self->history_at ? kept : at;
    }
  g_ptr_array_set_size (self->history, kept);
  self->history_at = at;
}

/* Switches to the connection's functions, or to none. */
static void
set_functions (GilkNavigator *self,
               GilkFunctions *functions)
{
  gilk_navigator_cancel (self);
  self->function = NULL;
  g_clear_pointer (&self->functions, gilk_functions_unref);
  if (functions != NULL)
    self->functions = gilk_functions_ref (functions);
}

static void
clear_data (GilkNavigator *self)
{
  if (gilk_graph_view_data (self->view) != NULL)
    show_data (self, NULL);
}

/* Keeps the graph until the same function is loaded from the new kernel's text. Reports a function
 * that no longer exists; the function is shown again when it exists again. */
static void
switch_functions (GilkNavigator *self,
                  GilkFunctions *functions)
{
  g_autofree char *name = self->function != NULL ? gilk_functions_name (self->functions, self->function)
                          : g_strdup (self->vanished);
  const GilkFunction *function = name != NULL ? gilk_functions_lookup (functions, name, NULL) : NULL;

  convert_history (self, functions);
  set_functions (self, functions);
  if (function != NULL)
    {
      clear_vanished (self);
      self->function = function;
      gilk_navigator_reload (self);
      return;
    }
  clear_data (self);
  if (name != NULL)
    show_vanished (self, name);
}

void
gilk_navigator_update_functions (GilkNavigator *self)
{
  GilkFunctions *functions = gilk_connection_functions (self->connection);

  if (functions == self->functions)
    return;
  if (functions != NULL && self->functions != NULL)
    {
      switch_functions (self, functions);
      return;
    }
  clear_vanished (self);
  g_ptr_array_set_size (self->history, 0);
  self->history_at = 0;
  set_functions (self, functions);
  clear_data (self);
}

/* ---- getters and GObject life cycle ---- */

const GilkFunction *
gilk_navigator_function (GilkNavigator *self)
{
  return self->function;
}

GilkFunctions *
gilk_navigator_functions (GilkNavigator *self)
{
  return self->functions;
}

GilkGraphData *
gilk_navigator_graph (GilkNavigator *self)
{
  return gilk_graph_view_data (self->view);
}

gboolean
gilk_navigator_is_loading (GilkNavigator *self)
{
  return self->loading != NULL;
}

GilkNavigator *
gilk_navigator_new (GilkGraphView    *view,
                    GilkGraphPlanner *planner,
                    GilkPlanModel    *model,
                    GilkConnection   *connection,
                    GSettings        *settings,
                    GilkBanner       *banner)
{
  GilkNavigator *self = g_object_new (GILK_TYPE_NAVIGATOR, NULL);

  self->view = g_object_ref (view);
  self->planner = g_object_ref (planner);
  self->model = g_object_ref (model);
  self->connection = g_object_ref (connection);
  self->settings = g_object_ref (settings);
  self->banner = g_object_ref (banner);
  g_signal_connect_object (view, "selected", G_CALLBACK (gilk_navigator_save_location), self, G_CONNECT_SWAPPED);

  return self;
}

static void
gilk_navigator_dispose (GObject *object)
{
  GilkNavigator *self = GILK_NAVIGATOR (object);

  gilk_cancel (&self->loading);
  g_clear_object (&self->presses);
  if (self->view != NULL)
    g_signal_handlers_disconnect_by_data (self->view, self);
  g_clear_object (&self->view);
  g_clear_object (&self->planner);
  g_clear_object (&self->model);
  g_clear_object (&self->connection);
  g_clear_object (&self->settings);
  g_clear_object (&self->banner);
  g_clear_pointer (&self->functions, gilk_functions_unref);
  g_clear_pointer (&self->graph_functions, gilk_functions_unref);
  self->function = NULL;
  g_clear_pointer (&self->vanished, g_free);
  g_clear_pointer (&self->wanted_place, g_free);
  g_clear_pointer (&self->wanted_hook, g_free);
  g_clear_pointer (&self->requested, g_free);
  G_OBJECT_CLASS (gilk_navigator_parent_class)->dispose (object);
}

static void
gilk_navigator_finalize (GObject *object)
{
  g_ptr_array_unref (GILK_NAVIGATOR (object)->history);
  G_OBJECT_CLASS (gilk_navigator_parent_class)->finalize (object);
}

static void
gilk_navigator_class_init (GilkNavigatorClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = gilk_navigator_dispose;
  G_OBJECT_CLASS (klass)->finalize = gilk_navigator_finalize;
  gilk_add_signal (klass, "opened", 2, G_TYPE_POINTER, G_TYPE_BOOLEAN);
  gilk_add_signal (klass, "changed", 0);
  gilk_add_signal (klass, "loaded", 1, G_TYPE_BOOLEAN);
  gilk_add_signal (klass, "source-read", 0);
}

static void
gilk_navigator_init (GilkNavigator *self)
{
  self->history = g_ptr_array_new ();
}

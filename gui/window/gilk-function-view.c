/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-function-view.c - the shown function as graph, listing, or call graph
 */
#include "gui/window/gilk-function-view.h"

#include <glib/gi18n.h>

#include "core/cfg/gilk-cfg-pick.h"
#include "gui/base/gilk-files.h"
#include "gui/base/gilk-panes.h"
#include "gui/base/gilk-text.h"
#include "gui/base/gilk-windows.h"
#include "gui/graph/gilk-calls.h"
#include "gui/graph/gilk-graph-data.h"
#include "gui/graph/gilk-graph-menu.h"
#include "gui/graph/gilk-graph-search.h"
#include "gui/graph/gilk-graph-selection.h"
#include "gui/graph/gilk-listing-view.h"
#include "gui/inspector/gilk-patch-view.h"

struct _GilkFunctionView {
  GtkBox parent_instance;

  GtkApplicationWindow *window;          /* unowned; contains this widget */
  GilkNavigator    *navigator;
  GilkConnection   *connection;
  GilkResultsView  *results;             /* results view of the window (unowned) */
  GilkBanner       *banner;

  GtkWidget        *bar;                 /* bar above the graph, listing or call graph */
  GtkLabel         *label, *facts;       /* @facts: numbers of blocks and points */
  GtkStack         *stack;
  GilkStartPage    *start_page;
  GilkGraphView    *graph_view;
  GtkWidget        *search, *listing;    /* GilkGraphSearch, GilkListingView */
  GilkCallsSource  *calls_source;
  GilkCallsPopover *calls;
  GtkWidget        *calls_view;          /* GilkCallsView */
};

G_DEFINE_FINAL_TYPE (GilkFunctionView, gilk_function_view, GTK_TYPE_BOX)

/* ---- updating the bar and the visible page ---- */

/* Appends the number of points of one kind, such as those hooked by a trap. Appends nothing if the
 * number is 0, to leave space for the breadcrumb. */
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

static void
show_facts (GilkFunctionView *self)
{
  GilkGraphData *data = gilk_graph_view_data (self->graph_view);
  g_autoptr(GString) text = g_string_new (NULL);

  gtk_widget_set_visible (self->bar, data != NULL);
  if (data == NULL)
    return;

  g_string_printf (text, _("%u blocks · %u points"), data->cfg->n_blocks, 2 * data->cfg->n_blocks);
  add_points (text, data->n_splice, _("splice"));
  add_points (text, data->n_bounce, _("bounce"));
  add_points (text, data->n_clone, _("clone"));
  add_points (text, data->n_trap, _("trap"));
  add_points (text, data->n_fentry, gilk_text_tactic (GILK_TACTIC_FENTRY));
  add_points (text, data->n_kprobe, gilk_text_tactic (GILK_TACTIC_KPROBE));
  add_points (text, data->n_uprobe, gilk_text_tactic (GILK_TACTIC_UPROBE));
  add_points (text, data->n_refused, _("refused"));
  gtk_label_set_text (self->facts, text->str);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->facts), text->str);
}

static gboolean
is_call_graph_wanted (GilkFunctionView *self)
{
  g_autoptr(GVariant) state = g_action_group_get_action_state (G_ACTION_GROUP (self->window), "call-graph");

  return state != NULL && g_variant_get_boolean (state);
}

static void
show_path (GilkFunctionView *self)
{
  GilkGraphData *data = gilk_graph_view_data (self->graph_view);
  int point = gilk_graph_view_point (self->graph_view);

  if (data != NULL && is_call_graph_wanted (self))
    gilk_breadcrumb_show_calls (self->label, data);
  else if (data != NULL && point >= 0)
    gilk_breadcrumb_show (self->label, data, (guint) point / 2);
}

static gboolean
is_listing_wanted (GilkFunctionView *self)
{
  g_autoptr(GVariant) state = g_action_group_get_action_state (G_ACTION_GROUP (self->window), "listing");

  return state != NULL && g_variant_get_boolean (state);
}

static const char *
choose_page (GilkFunctionView *self)
{
  if (is_call_graph_wanted (self))
    return "calls";

  return is_listing_wanted (self) ? "listing" : "graph";
}

static void
focus_page (GilkFunctionView *self)
{
  if (is_call_graph_wanted (self))
    gilk_calls_view_focus (GILK_CALLS_VIEW (self->calls_view));
  else if (is_listing_wanted (self))
    gilk_listing_view_focus (GILK_LISTING_VIEW (self->listing));
  else
    gtk_widget_grab_focus (GTK_WIDGET (self->graph_view));
}

static void
update_source (GilkFunctionView *self)
{
  GilkImage *image = gilk_connection_image (self->connection);

  gilk_calls_source_set_kernel (self->calls_source, image != NULL ? gilk_navigator_functions (self->navigator) : NULL, image);
  gilk_calls_source_set_session (self->calls_source, gilk_results_view_path (self->results));
}

static void
update_calls (GilkFunctionView *self)
{
  GilkCallsView *view = self->calls_view != NULL ? GILK_CALLS_VIEW (self->calls_view) : NULL;

  if (view == NULL)
    return;
  if (gilk_navigator_functions (self->navigator) != gilk_calls_source_functions (self->calls_source))
    gilk_calls_view_set_function (view, NULL);
  update_source (self);
  gilk_calls_view_set_function (view, gilk_calls_source_functions (self->calls_source) != NULL
                                      ? gilk_navigator_function (self->navigator) : NULL);
}

void
gilk_function_view_update (GilkFunctionView *self)
{
  const char *page = "connect";

  if (gilk_graph_view_data (self->graph_view) != NULL)
    page = choose_page (self);
  else if (gilk_connection_functions (self->connection) != NULL)
    page = "find";
  else if (gilk_connection_state (self->connection) == GILK_CONNECTION_CONNECTING)
    page = "connecting";
  update_calls (self);
  gtk_stack_set_visible_child_name (self->stack, page);
  /* Focus the search entry if no widget has the focus: the focused widget, such as a button of the
   * start page, has disappeared with its page. */
  if (gtk_window_get_focus (GTK_WINDOW (self->window)) == NULL && gtk_widget_get_mapped (GTK_WIDGET (self->stack)))
    g_action_group_activate_action (G_ACTION_GROUP (self->window), "find", NULL);
  show_path (self);
}

/* ---- the graph and the listing ---- */

static void
select_blocks (GSimpleAction *action,
               GVariant      *parameter,
               gpointer       user_data)
{
  static const struct { const char *name; GilkPick rule; } rules[] = {
    { "all", GILK_PICK_ALL }, { "ends", GILK_PICK_ENDS }, { "loops", GILK_PICK_LOOP_HEADS },
    { "reached", GILK_PICK_REACHED }, { "reaching", GILK_PICK_REACHING },
  };
  GilkFunctionView *self = user_data;
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
listing_changed (GSimpleAction *action,
                 GVariant      *state,
                 gpointer       user_data)
{
  GilkFunctionView *self = user_data;

  g_simple_action_set_state (action, state);
  if (is_call_graph_wanted (self))
    g_action_group_change_action_state (G_ACTION_GROUP (self->window), "call-graph", g_variant_new_boolean (FALSE));
  gilk_function_view_update (self);
  focus_page (self);
}

static void
toggle_listing (GilkFunctionView *self)
{
  g_action_group_activate_action (G_ACTION_GROUP (self->window), "listing", NULL);
}

static gboolean
graph_key_pressed (GilkFunctionView *self,
                   GdkEventKey      *event)
{
  if (event->keyval != GDK_KEY_space || event->state & gtk_accelerator_get_default_mod_mask () ||
      gilk_graph_view_data (self->graph_view) == NULL)
    return GDK_EVENT_PROPAGATE;
  toggle_listing (self);

  return GDK_EVENT_STOP;
}

/* Goes to the target of a jump in this function, or to the called function. */
static void
follow_target (GilkFunctionView *self,
               guint             insn)
{
  const GilkGraphData *data = gilk_graph_view_data (self->graph_view);
  int block = gilk_listing_target (data, insn);
  g_autofree char *name = gilk_listing_target_function (data, insn);

  if (block >= 0)
    gilk_graph_view_jump_insn (self->graph_view, data->cfg->blocks[block].first_insn);
  else if (name != NULL)
    gilk_navigator_open_name (self->navigator, name);
  else
    gtk_widget_error_bell (GTK_WIDGET (self));
}

static void
find_in_function (GSimpleAction *action,
                  GVariant      *parameter,
                  gpointer       user_data)
{
  gilk_graph_search_start (GILK_GRAPH_SEARCH (GILK_FUNCTION_VIEW (user_data)->search));
}

/* Enables the action of Ctrl+F, search in the function, only while this view is visible: the view
 * of accesses uses the same key for its own search. */
static void
update_find (GilkFunctionView *self)
{
  GAction *action = g_action_map_lookup_action (G_ACTION_MAP (self->window), "find-in-function");

  g_simple_action_set_enabled (G_SIMPLE_ACTION (action), gtk_widget_get_mapped (GTK_WIDGET (self)) &&
                               gilk_graph_view_data (self->graph_view) != NULL);
}

/* Hides the numbers of points while the bar shows the number of selected blocks, because both would
 * not fit. */
static void
selection_changed (GilkFunctionView *self)
{
  gtk_widget_set_visible (GTK_WIDGET (self->facts), gilk_graph_selection_count (self->graph_view) == 0);
}

static void
graph_changed (GilkFunctionView *self)
{
  gilk_graph_search_repeat (GILK_GRAPH_SEARCH (self->search));
  update_find (self);
  show_facts (self);
  gilk_function_view_update (self);
}

static void
show_info (gpointer    banner,
           const char *text)
{
  gilk_banner_remark (banner, GTK_MESSAGE_INFO, text, NULL, NULL);
}

static void
add_views (GilkFunctionView *self,
           GilkPlanModel    *model)
{
  GtkWidget *paned = gtk_paned_new (GTK_ORIENTATION_VERTICAL);

  self->search = gilk_graph_search_new (self->graph_view);
  gtk_container_add (GTK_CONTAINER (self), self->search);
  gtk_box_reorder_child (GTK_BOX (self), self->search, 1);
  g_signal_connect_object (self->search, "closed", G_CALLBACK (focus_page), self, G_CONNECT_SWAPPED);

  self->listing = gilk_listing_view_new (self->graph_view);
  gtk_paned_pack1 (GTK_PANED (paned), self->listing, TRUE, FALSE);
  gtk_paned_pack2 (GTK_PANED (paned), gilk_patch_pane_new (self->graph_view, model, self->connection), FALSE, FALSE);
  gtk_widget_show (paned);
  gtk_stack_add_named (self->stack, paned, "listing");
  g_signal_connect_object (self->listing, "toggle-view", G_CALLBACK (toggle_listing), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (model, "changed", G_CALLBACK (gilk_listing_view_update), self->listing, G_CONNECT_SWAPPED);
  g_signal_connect_object (model, "status-changed", G_CALLBACK (gilk_listing_view_update), self->listing,
                           G_CONNECT_SWAPPED);
}

/* ---- callers, callees, and the call graph ---- */

/* Returns whether a function is shown; otherwise shows a message. */
static gboolean
has_function (GilkFunctionView *self)
{
  if (gilk_navigator_function (self->navigator) != NULL && gilk_connection_image (self->connection) != NULL)
    return TRUE;
  gilk_banner_remark (self->banner, GTK_MESSAGE_INFO, _("No function is shown yet: choose one."), NULL, NULL);

  return FALSE;
}

static void
show_calls (GSimpleAction *action,
            GVariant      *parameter,
            gpointer       user_data)
{
  GilkFunctionView *self = user_data;

  if (!has_function (self))
    return;
  g_action_group_activate_action (G_ACTION_GROUP (self->window), "mode", g_variant_new_string ("explore"));
  update_source (self);
  gilk_calls_popover_show (self->calls, gilk_navigator_function (self->navigator));
}

static void
call_graph_changed (GSimpleAction *action,
                    GVariant      *state,
                    gpointer       user_data)
{
  GilkFunctionView *self = user_data;

  if (g_variant_get_boolean (state) && !has_function (self))
    return;
  g_simple_action_set_state (action, state);
  g_action_group_activate_action (G_ACTION_GROUP (self->window), "mode", g_variant_new_string ("explore"));
  gilk_function_view_update (self);
  focus_page (self);
}

static void
close_call_graph (GilkFunctionView *self)
{
  g_action_group_change_action_state (G_ACTION_GROUP (self->window), "call-graph", g_variant_new_boolean (FALSE));
}

static void
open_function (GilkFunctionView *self,
               gpointer          function)
{
  gilk_navigator_open (self->navigator, function, 0);
}

static GilkCallsCanvas *
get_visible_calls (GilkFunctionView *self)
{
  return gtk_widget_get_mapped (self->calls_view) ? gilk_calls_view_canvas (GILK_CALLS_VIEW (self->calls_view)) : NULL;
}

gboolean
gilk_function_view_zoom_calls (GilkFunctionView *self,
                               double            factor)
{
  GilkCallsCanvas *canvas = get_visible_calls (self);

  if (canvas != NULL)
    gilk_calls_canvas_zoom (canvas, factor);

  return canvas != NULL;
}

static gboolean
link_activated (GilkFunctionView *self,
                const char       *uri)
{
  GilkGraphData *data = gilk_graph_view_data (self->graph_view);
  int block = gilk_breadcrumb_block (uri);

  if (data == NULL || block < 0 || block >= (int) data->cfg->n_blocks)
    return GDK_EVENT_PROPAGATE;
  close_call_graph (self);
  gilk_graph_view_select (self->graph_view, 2 * block, TRUE);
  gtk_widget_grab_focus (GTK_WIDGET (self->graph_view));

  return GDK_EVENT_STOP;
}

static void
add_toggle (GilkFunctionView *self)
{
  GtkWidget *button = gtk_toggle_button_new ();

  gilk_panes_set_icon_and_label (GTK_WINDOW (self->window), button, "emblem-shared-symbolic", _("Call graph"));
  gtk_actionable_set_detailed_action_name (GTK_ACTIONABLE (button), "win.call-graph");
  gtk_widget_set_tooltip_text (button, _("Call graph around this function (Ctrl+Shift+G)"));
  atk_object_set_name (gtk_widget_get_accessible (button), _("Show the call graph"));
  gtk_widget_show_all (button);
  gtk_box_pack_end (GTK_BOX (self->bar), button, FALSE, FALSE, 0);
}

static void
add_calls (GilkFunctionView *self,
           GilkPlanModel    *model,
           GSettings        *settings)
{
  GtkWidget *button = gtk_button_new ();

  gilk_panes_set_icon_and_label (GTK_WINDOW (self->window), button, "object-flip-horizontal-symbolic", _("Callers"));
  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), "win.calls");
  gtk_widget_set_tooltip_text (button, _("Callers and callees (Alt+Down)"));
  atk_object_set_name (gtk_widget_get_accessible (button), _("Callers and callees"));
  gtk_widget_show (button);
  gtk_box_pack_end (GTK_BOX (self->bar), button, FALSE, FALSE, 0);
  add_toggle (self);
  self->calls_source = gilk_calls_source_new ();
  self->calls = gilk_calls_popover_new (button, self->calls_source);
  self->calls_view = gilk_calls_view_new (self->calls_source, model, settings);
  gtk_stack_add_named (self->stack, self->calls_view, "calls");
  g_signal_connect_object (self->calls_view, "open", G_CALLBACK (open_function), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->calls_view, "close", G_CALLBACK (close_call_graph), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->calls, "open", G_CALLBACK (gilk_navigator_open), self->navigator, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->label, "activate-link", G_CALLBACK (link_activated), self, G_CONNECT_SWAPPED);
}

/* ---- exporting the graph or call graph ---- */

static void
graph_written (GObject      *object,
               GAsyncResult *result,
               gpointer      user_data)
{
  g_autoptr(GilkFunctionView) self = user_data;
  g_autoptr(GError) error = NULL;
  g_autofree char *text = gilk_graph_export_finish (result, &error);

  if (text == NULL)
    gilk_banner_show_error (self->banner, error);
  else
    gilk_banner_remark (self->banner, GTK_MESSAGE_INFO, text, NULL, NULL);
}

static void
write_graph (gpointer    object,
             const char *path,
             const char *format)
{
  GilkFunctionView *self = object;

  gilk_graph_export_async (gilk_graph_view_data (self->graph_view), gilk_graph_view_look (self->graph_view), path,
                           gilk_graph_data_format (format), graph_written, g_object_ref (self));
}

static void
export_graph (GilkFunctionView *self,
              const char       *format)
{
  GilkGraphData *data = gilk_graph_view_data (self->graph_view);
  g_autofree char *name = NULL;

  if (data == NULL)
    {
      gilk_banner_remark (self->banner, GTK_MESSAGE_INFO, _("No graph to export yet: choose a function."), NULL, NULL);
      return;
    }
  name = g_strdup_printf ("%s.%s", data->cfg->function->name, format);
  gilk_file_dialog_save (GTK_WINDOW (self->window), _("Export the graph"), _("_Export"), name, write_graph, self, format);
}

typedef struct {
  GilkCallsPicture *picture;
  char             *path;
  GilkPlotFormat    format;
} Export;

static void
export_free (gpointer data)
{
  Export *export = data;

  gilk_calls_picture_unref (export->picture);
  g_free (export->path);
  g_free (export);
}

static void
export_thread (GTask        *task,
               gpointer      source,
               gpointer      task_data,
               GCancellable *cancellable)
{
  const Export *export = task_data;
  GilkCallsSheet sheet = { export->picture, &gilk_plot_light };
  double width = export->picture->layout->width + 2 * GILK_CALLS_MARGIN;
  double height = export->picture->layout->height + 2 * GILK_CALLS_MARGIN;
  GError *error = NULL;

  gilk_plot_fit (export->format, &width, &height);
  if (gilk_plot_to_file (export->path, export->format, width, height, gilk_calls_paint_sheet, &sheet, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

static void
exported_cb (GObject      *object,
             GAsyncResult *result,
             gpointer      user_data)
{
  g_autoptr(GError) error = NULL;
  const Export *export = g_task_get_task_data (G_TASK (result));
  g_autofree char *text = g_strdup_printf (_("Wrote %s."), export->path);

  if (g_task_propagate_boolean (G_TASK (result), &error))
    gilk_banner_remark (GILK_FUNCTION_VIEW (object)->banner, GTK_MESSAGE_INFO, text, NULL, NULL);
  else
    gilk_banner_show_error (GILK_FUNCTION_VIEW (object)->banner, error);
}

static void
export_to (gpointer    object,
           const char *path,
           const char *format)
{
  GilkFunctionView *self = object;
  GilkCallsPicture *picture = gilk_calls_canvas_picture (gilk_calls_view_canvas (GILK_CALLS_VIEW (self->calls_view)));
  g_autoptr(GTask) task = g_task_new (self, NULL, exported_cb, NULL);
  Export *export;

  if (picture == NULL)
    return;
  export = g_new0 (Export, 1);
  export->picture = gilk_calls_picture_ref (picture);
  export->path = g_strdup (path);
  export->format = gilk_graph_data_format (format);
  g_task_set_task_data (task, export, export_free);
  g_task_run_in_thread (task, export_thread);
}

void
gilk_function_view_export (GilkFunctionView *self,
                           const char       *format)
{
  GilkCallsCanvas *canvas = get_visible_calls (self);
  g_autofree char *name = NULL;

  if (canvas == NULL || gilk_calls_canvas_picture (canvas) == NULL)
    {
      export_graph (self, format);
      return;
    }
  name = g_strdup_printf ("%s-calls.%s", gilk_calls_canvas_picture (canvas)->around->nodes[0].function->name, format);
  gilk_file_dialog_save (GTK_WINDOW (self->window), _("Export the call graph"), _("_Export"), name, export_to, self, format);
}

/* ---- construction and GObject life cycle ---- */

GilkGraphView *
gilk_function_view_graph (GilkFunctionView *self)
{
  return self->graph_view;
}

GilkStartPage *
gilk_function_view_start_page (GilkFunctionView *self)
{
  return self->start_page;
}

void
gilk_function_view_panes (GilkFunctionView *self,
                          GtkWidget       **graph,
                          GtkWidget       **listing,
                          GtkWidget       **calls)
{
  *graph = GTK_WIDGET (self->graph_view);
  *listing = self->listing;
  *calls = self->calls_view;
}

static void
function_loaded (GilkFunctionView *self,
                 gboolean          focus)
{
  if (focus)
    focus_page (self);
}

void
gilk_function_view_set_model (GilkFunctionView     *self,
                              GtkApplicationWindow *window,
                              GilkNavigator        *navigator,
                              GilkPlanModel        *model,
                              GilkConnection       *connection,
                              GilkResultsView      *results,
                              GSettings            *settings,
                              GilkBanner           *banner)
{
  static const GActionEntry entries[] = {
    { "listing", NULL, NULL, "false", listing_changed }, { "find-in-function", find_in_function },
    { "choose", select_blocks, "s" }, { "calls", show_calls }, { "call-graph", NULL, NULL, "false", call_graph_changed },
  };

  self->window = window;
  self->navigator = g_object_ref (navigator);
  self->connection = g_object_ref (connection);
  self->results = results;
  self->banner = g_object_ref (banner);
  g_action_map_add_action_entries (G_ACTION_MAP (window), entries, G_N_ELEMENTS (entries), self);
  gtk_box_pack_end (GTK_BOX (self->bar), gilk_selection_bar_new (self->graph_view, GTK_WINDOW (window)), FALSE, FALSE, 0);
  add_views (self, model);
  add_calls (self, model, settings);
  g_signal_connect_object (self->graph_view, "key-press-event", G_CALLBACK (graph_key_pressed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->graph_view, "follow", G_CALLBACK (follow_target), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->graph_view, "chosen", G_CALLBACK (selection_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->graph_view, "selected", G_CALLBACK (show_path), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->graph_view, "shown", G_CALLBACK (graph_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (navigator, "loaded", G_CALLBACK (function_loaded), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (navigator, "source-read", G_CALLBACK (gilk_listing_view_show_source), self->listing, G_CONNECT_SWAPPED);
  g_signal_connect_object (self, "map", G_CALLBACK (update_find), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self, "unmap", G_CALLBACK (update_find), self, G_CONNECT_SWAPPED);
  update_find (self);
  show_facts (self);
  gilk_graph_menu_add (self->graph_view, gilk_selection_bar_canvas_menu, show_info, self->banner);
  /* The command palette searches only the window's actions: add the graph's actions. */
  gtk_widget_insert_action_group (GTK_WIDGET (window), "canvas",
                                  gtk_widget_get_action_group (GTK_WIDGET (self->graph_view), "canvas"));
}

static void
gilk_function_view_dispose (GObject *object)
{
  GilkFunctionView *self = GILK_FUNCTION_VIEW (object);

  if (self->navigator != NULL)
    g_signal_handlers_disconnect_by_data (self->navigator, self);
  g_clear_object (&self->navigator);
  g_clear_object (&self->connection);
  g_clear_object (&self->calls_source);
  G_OBJECT_CLASS (gilk_function_view_parent_class)->dispose (object);
}

static void
gilk_function_view_finalize (GObject *object)
{
  /* Release the banner here and not in dispose(), because tasks in progress still use it. */
  g_clear_object (&GILK_FUNCTION_VIEW (object)->banner);
  G_OBJECT_CLASS (gilk_function_view_parent_class)->finalize (object);
}

static void
gilk_function_view_class_init (GilkFunctionViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = gilk_function_view_dispose;
  G_OBJECT_CLASS (klass)->finalize = gilk_function_view_finalize;
  g_type_ensure (GILK_TYPE_GRAPH_CANVAS);
  g_type_ensure (GILK_TYPE_SPINNER);
  g_type_ensure (GILK_TYPE_START_PAGE);
  gtk_widget_class_set_template_from_resource (widget_class, "/org/gilk/Workbench/ui/function-view.ui");
#define BIND(name) gtk_widget_class_bind_template_child (widget_class, GilkFunctionView, name)
  BIND (bar);
  BIND (label);
  BIND (facts);
  BIND (stack);
  BIND (start_page);
  BIND (graph_view);
#undef BIND
}

static void
gilk_function_view_init (GilkFunctionView *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

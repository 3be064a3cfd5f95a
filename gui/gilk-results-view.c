/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-results-view.c - a session file: its runs, recorded graphs, hooks, plots and figures
 *
 * Choosing anything starts a job and cancels the one before it; the old plot
 * stays until the new one is there. Of a run one thing is shown: a function's
 * graph, or a plot of one hook or of all.
 */
#include "gui/gilk-results-private.h"

#include <glib/gi18n.h>

#include "core/base/gilk-error.h"
#include "core/emit/gilk-inline.h"
#include "gui/gilk-recorded-graph.h"
#include "gui/gilk-results-figures.h"
#include "gui/gilk-results-lists.h"
#include "gui/gilk-style.h"
#include "gui/gilk-text.h"

G_DEFINE_TYPE (GilkResultsView, gilk_results_view, GTK_TYPE_BOX)

enum { FAILED, N_SIGNALS };
static guint signals[N_SIGNALS];

GilkSessionRun *
gilk_results_run (GilkResultsView *self)
{
  if (self->session == NULL || self->run < 0 || self->run >= (int) self->session->runs->len)
    return NULL;

  return &g_array_index (self->session->runs, GilkSessionRun, self->run);
}

const GilkStoredHook *
gilk_results_hook (GilkResultsView *self)
{
  GilkSessionRun *run = gilk_results_run (self);

  if (run == NULL || self->hook < 0 || self->hook >= (int) run->hooks->len)
    return NULL;

  return &g_array_index (run->hooks, GilkStoredHook, self->hook);
}

const GilkStoredFunction *
gilk_results_function (GilkResultsView *self)
{
  GilkSessionRun *run = gilk_results_run (self);

  if (run == NULL || self->function < 0 || self->function >= (int) run->functions->len)
    return NULL;

  return &g_array_index (run->functions, GilkStoredFunction, self->function);
}

void
gilk_results_report (GilkResultsView *self,
                     const GError    *error)
{
  if (!g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED) &&
      !g_error_matches (error, GILK_ERROR, GILK_ERROR_CANCELLED))
    g_signal_emit (self, signals[FAILED], 0, error);
}

/* ---- the panel on the right ---- */

static void
show_loss (GilkResultsView *self,
           uint64_t         lost)
{
  g_autofree char *count = gilk_text_count (lost);
  g_autofree char *text = g_strdup_printf (_("%s samples were lost because the rings were full. "
                                             "Counts stay exact; times and distributions miss them."), count);

  gtk_label_set_text (self->loss_label, text);
  gtk_widget_set_visible (self->loss_box, lost > 0);
}

static const GilkStoredField *
chosen_field (GilkResultsView *self,
              const char      *id)
{
  GArray *fields = g_ptr_array_index (gilk_results_run (self)->fields, self->hook);
  guint index = id[1] == ':' ? g_ascii_strtoull (id + 2, NULL, 10) : G_MAXUINT;

  return index < fields->len ? &g_array_index (fields, GilkStoredField, index) : NULL;
}

static void
show_command (GilkResultsView *self)
{
  static const char *const options[] = { "--rate", "--histogram", "--histogram", "--series", "--groups" };
  const GilkStoredHook *hook = gilk_results_hook (self);
  g_autofree char *name = g_path_get_basename (self->session->path);
  g_autofree char *quoted = gilk_text_word (name);
  g_autofree char *text = NULL;
  const char *id = gtk_combo_box_get_active_id (GTK_COMBO_BOX (self->quantity));

  if (hook == NULL || id == NULL)
    text = g_strdup_printf ("gilk report %s", quoted);
  else
    {
      const GilkStoredField *field = chosen_field (self, id);
      int quantity = g_ascii_digit_value (id[0]);

      text = g_strdup_printf ("gilk plot %s --hook %s %s%s%s --svg plot.svg", quoted, hook->label,
                              options[quantity], quantity == GILK_QUANTITY_RATE ? "" : " ",
                              quantity == GILK_QUANTITY_RATE ? ""
                              : field != NULL ? field->name : "interval");
    }
  gtk_label_set_text (self->command, text);
}

/* ---- plot ---- */

static void
plot_cb (GObject      *object,
         GAsyncResult *result,
         gpointer      user_data)
{
  g_autoptr(GilkResultsView) self = user_data;
  g_autoptr(GError) error = NULL;
  GilkPlotData *plot = gilk_session_plot_finish (result, &error);

  if (plot == NULL)
    {
      gilk_results_report (self, error);
      return;
    }
  if (g_task_get_cancellable (G_TASK (result)) != self->plotting || gilk_results_hook (self) == NULL)
    {
      gilk_plot_data_free (plot);
      return;
    }
  plot->log_y = gtk_toggle_button_get_active (self->log_y);
  gilk_figures_clear (self->figures);
  gtk_label_set_text (self->figures_title, gilk_results_hook (self)->label);
  gilk_figures_hook (self->figures, gilk_results_hook (self));
  gilk_figures_histogram (self->figures, plot->histogram, plot->x_unit);
  gilk_plot_view_take_data (self->plot, plot);
}

static void
show_overview (GilkResultsView *self)
{
  GilkSessionRun *run = gilk_results_run (self);
  GilkPlotData *plot = gilk_plot_data_new ();

  for (guint i = 0; i < run->hooks->len; i++)
    {
      const GilkStoredHook *hook = &g_array_index (run->hooks, GilkStoredHook, i);
      g_autofree char *lost = gilk_text_count (hook->lost);
      g_autofree char *note = !hook->hits_known ? g_strdup (_("not counted"))
                              : hook->lost > 0 ? g_strdup_printf (_("%s lost"), lost) : g_strdup ("");

      gilk_plot_data_add_bar (plot, hook->label, hook->hits, note);
    }
  plot->kind = GILK_PLOT_VIEW_BARS;
  plot->title = g_strdup (_("Hits of every hook"));
  plot->subtitle = g_strdup_printf (_("run %ld · %.1f s"), run->run.id, run->run.duration);
  if (run->hooks->len == 0)
    plot->message = g_strdup (_("This run has no hooks."));
  gilk_figures_clear (self->figures);
  gtk_label_set_text (self->figures_title, run->run.title != NULL && run->run.title[0] != '\0'
                                           ? run->run.title : _("This run"));
  gilk_figures_run (self->figures, &run->run);
  show_loss (self, run->run.lost);
  gilk_plot_view_take_data (self->plot, plot);
}

/* ---- recorded graph ---- */

static void
graph_cb (GObject      *object,
          GAsyncResult *result,
          gpointer      user_data)
{
  g_autoptr(GilkResultsView) self = user_data;
  g_autoptr(GError) error = NULL;
  g_autoptr(GilkGraphData) data = gilk_recorded_graph_finish (result, &error);

  if (data == NULL)
    {
      gilk_results_report (self, error);
      return;
    }
  if (g_task_get_cancellable (G_TASK (result)) != self->plotting || gilk_results_function (self) == NULL)
    return;

  gilk_figures_clear (self->figures);
  gtk_label_set_text (self->figures_title, data->name);
  gilk_figures_graph (self->figures, gilk_results_function (self), data);
  gilk_graph_view_set_data (self->graph, data);
  gilk_graph_view_set_marks (self->graph, data->marks, data->hits, self->log_heat);
  gtk_stack_set_visible_child_name (self->picture, "graph");
}

GilkGraphView *
gilk_results_view_graph (GilkResultsView *self)
{
  return self->graph;
}

void
gilk_results_view_set_log_heat (GilkResultsView *self,
                                gboolean         log_heat)
{
  GilkGraphData *data = gilk_graph_view_data (self->graph);

  self->log_heat = log_heat;
  if (data != NULL)
    gilk_graph_view_set_marks (self->graph, data->marks, data->hits, log_heat);
}

static void
show_graph (GilkResultsView *self)
{
  GilkPlotStyle style;

  gilk_style_fill (GTK_WIDGET (self->graph), &style);
  show_loss (self, 0);
  self->plotting = g_cancellable_new ();
  gilk_recorded_graph_async (self->session->path, gilk_results_function (self), gilk_results_run (self)->hooks,
                             &style, self->plotting, graph_cb, g_object_ref (self));
}

static void
block_selected (GilkResultsView *self,
                int              point)
{
  GilkGraphData *data = gilk_graph_view_data (self->graph);
  const char *title = data->graph->titles[point / 2];
  g_autofree char *hits = gilk_text_count (data->hits[point / 2]);
  g_autofree char *text = data->hits[point / 2] == GILK_HITS_UNKNOWN
                          ? g_strdup_printf (_("Block %s was not measured"), title)
                          : g_strdup_printf (_("Block %s: %s hits"), title, hits);

  gtk_label_set_text (self->read_out, text);
}

static void
update_plot (GilkResultsView *self)
{
  const GilkStoredHook *hook = gilk_results_hook (self);
  const char *id = gtk_combo_box_get_active_id (GTK_COMBO_BOX (self->quantity));
  GilkQuantity quantity;

  if (self->filling || gilk_results_run (self) == NULL)
    return;
  if (self->plotting != NULL)
    g_cancellable_cancel (self->plotting);
  g_clear_object (&self->plotting);
  gtk_widget_set_visible (self->toolbar, hook != NULL);
  show_command (self);
  gtk_label_set_text (self->read_out, "");
  if (gilk_results_function (self) != NULL)
    {
      show_graph (self);
      return;
    }
  gtk_stack_set_visible_child_name (self->picture, "plot");
  if (hook == NULL)
    {
      show_overview (self);
      return;
    }
  if (id == NULL)
    return;

  quantity = g_ascii_digit_value (id[0]);
  gtk_widget_set_sensitive (GTK_WIDGET (self->log_x),
                            quantity == GILK_QUANTITY_INTERVAL || quantity == GILK_QUANTITY_FIELD);
  gtk_widget_set_sensitive (GTK_WIDGET (self->log_y),
                            quantity == GILK_QUANTITY_INTERVAL || quantity == GILK_QUANTITY_FIELD);
  show_loss (self, hook->lost);
  self->plotting = g_cancellable_new ();
  gilk_session_plot_async (self->session, hook, gilk_results_run (self)->run.duration, quantity,
                           chosen_field (self, id), gtk_toggle_button_get_active (self->log_x),
                           self->plotting, plot_cb, g_object_ref (self));
}

/* ---- choices ---- */

static void
add_quantity (GilkResultsView *self,
              GilkQuantity     quantity,
              guint            field,
              const char      *format,
              const char      *name)
{
  g_autofree char *id = g_strdup_printf ("%d:%u", quantity, field);
  g_autofree char *text = name != NULL ? g_strdup_printf ("%s %s", format, name) : g_strdup (format);

  gtk_combo_box_text_append (self->quantity, id, text);
}

static void
fill_quantities (GilkResultsView *self)
{
  const GilkStoredHook *hook = gilk_results_hook (self);
  GArray *fields;

  gtk_combo_box_text_remove_all (self->quantity);
  if (hook == NULL)
    return;

  fields = g_ptr_array_index (gilk_results_run (self)->fields, self->hook);
  if (!gilk_inline_is (hook->instrument, GILK_INLINE_COUNT))
    add_quantity (self, GILK_QUANTITY_INTERVAL, G_MAXUINT, _("Time between hits"), NULL);
  add_quantity (self, GILK_QUANTITY_RATE, G_MAXUINT, _("Hits over time"), NULL);
  for (guint i = 0; i < fields->len; i++)
    {
      const GilkStoredField *field = &g_array_index (fields, GilkStoredField, i);

      add_quantity (self, GILK_QUANTITY_GROUPS, i, _("Hits by"), field->name);
      if (field->type == ILK_FIELD_TEXT)
        continue;
      add_quantity (self, GILK_QUANTITY_FIELD, i, _("Distribution of"), field->name);
      add_quantity (self, GILK_QUANTITY_FIELD_SERIES, i, _("Over time:"), field->name);
    }
  gtk_combo_box_set_active (GTK_COMBO_BOX (self->quantity), 0);
}

static void
fill_run (GilkResultsView *self)
{
  GilkSessionRun *run = gilk_results_run (self);

  self->filling = TRUE;
  self->function = self->hook = -1;
  gilk_results_fill_functions (self->functions, run);
  gilk_results_fill_hooks (self->hooks, run);
  gtk_widget_set_visible (self->functions_label, run->functions->len > 0);
  gtk_widget_set_visible (self->functions_scroll, run->functions->len > 0);
  gtk_list_box_select_row (self->hooks, gtk_list_box_get_row_at_index (self->hooks, 0));
  self->filling = FALSE;
  update_plot (self);
}

static void
show_session (GilkResultsView *self)
{
  g_autofree char *name = g_path_get_basename (self->session->path);

  gtk_label_set_text (self->file_label, name);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->file_label), self->session->path);
  gilk_results_fill_runs (self->runs, self->session);
  gtk_stack_set_visible_child_name (self->stack, self->session->runs->len > 0 ? "session" : "no-runs");
  gtk_list_box_select_row (self->runs, gtk_list_box_get_row_at_index (self->runs, 0));
}

static void
run_selected (GilkResultsView *self,
              GtkListBoxRow   *row)
{
  if (row == NULL)
    return;
  self->run = gtk_list_box_row_get_index (row);
  fill_run (self);
}

static void
hook_selected (GilkResultsView *self,
               GtkListBoxRow   *row)
{
  if (row == NULL || self->filling)
    return;
  self->hook = gtk_list_box_row_get_index (row) - 1;
  self->function = -1;
  self->filling = TRUE;
  gtk_list_box_unselect_all (self->functions);
  fill_quantities (self);
  self->filling = FALSE;
  update_plot (self);
}

static void
function_selected (GilkResultsView *self,
                   GtkListBoxRow   *row)
{
  if (row == NULL || self->filling)
    return;
  self->function = gtk_list_box_row_get_index (row);
  self->hook = -1;
  self->filling = TRUE;
  gtk_list_box_unselect_all (self->hooks);
  self->filling = FALSE;
  update_plot (self);
}

static void
read_out_changed (GilkResultsView *self,
                  const char      *text)
{
  gtk_label_set_text (self->read_out, text);
}

/* ---- files ---- */

static void
opened_cb (GObject      *object,
           GAsyncResult *result,
           gpointer      user_data)
{
  g_autoptr(GilkResultsView) self = user_data;
  g_autoptr(GError) error = NULL;
  GilkSession *session = gilk_session_open_finish (result, &error);

  if (session == NULL)
    {
      gilk_results_report (self, error);
      return;
    }
  g_clear_pointer (&self->session, gilk_session_free);
  self->session = session;
  show_session (self);
}

void
gilk_results_view_open (GilkResultsView *self,
                        const char      *path)
{
  if (self->opening != NULL)
    g_cancellable_cancel (self->opening);
  g_clear_object (&self->opening);
  self->opening = g_cancellable_new ();
  gilk_session_open_async (path, self->opening, opened_cb, g_object_ref (self));
}

const char *
gilk_results_view_path (GilkResultsView *self)
{
  return self->session != NULL ? self->session->path : NULL;
}

static void
gilk_results_view_dispose (GObject *object)
{
  GilkResultsView *self = GILK_RESULTS_VIEW (object);

  if (self->opening != NULL)
    g_cancellable_cancel (self->opening);
  if (self->plotting != NULL)
    g_cancellable_cancel (self->plotting);
  g_clear_object (&self->opening);
  g_clear_object (&self->plotting);
  g_clear_pointer (&self->session, gilk_session_free);
  G_OBJECT_CLASS (gilk_results_view_parent_class)->dispose (object);
}

static void
gilk_results_view_class_init (GilkResultsViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = gilk_results_view_dispose;
  signals[FAILED] = g_signal_new ("failed", GILK_TYPE_RESULTS_VIEW, G_SIGNAL_RUN_LAST,
                                  0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_ERROR);

  g_type_ensure (GILK_TYPE_PLOT_VIEW);
  g_type_ensure (GILK_TYPE_GRAPH_VIEW);
  gtk_widget_class_set_template_from_resource (widget_class, "/org/gilk/Workbench/ui/results-view.ui");
  gtk_widget_class_bind_template_child (widget_class, GilkResultsView, stack);
  gtk_widget_class_bind_template_child (widget_class, GilkResultsView, file_label);
  gtk_widget_class_bind_template_child (widget_class, GilkResultsView, runs);
  gtk_widget_class_bind_template_child (widget_class, GilkResultsView, hooks);
  gtk_widget_class_bind_template_child (widget_class, GilkResultsView, functions);
  gtk_widget_class_bind_template_child (widget_class, GilkResultsView, functions_label);
  gtk_widget_class_bind_template_child (widget_class, GilkResultsView, functions_scroll);
  gtk_widget_class_bind_template_child (widget_class, GilkResultsView, picture);
  gtk_widget_class_bind_template_child (widget_class, GilkResultsView, graph);
  gtk_widget_class_bind_template_child (widget_class, GilkResultsView, quantity);
  gtk_widget_class_bind_template_child (widget_class, GilkResultsView, log_x);
  gtk_widget_class_bind_template_child (widget_class, GilkResultsView, log_y);
  gtk_widget_class_bind_template_child (widget_class, GilkResultsView, toolbar);
  gtk_widget_class_bind_template_child (widget_class, GilkResultsView, plot);
  gtk_widget_class_bind_template_child (widget_class, GilkResultsView, read_out);
  gtk_widget_class_bind_template_child (widget_class, GilkResultsView, figures);
  gtk_widget_class_bind_template_child (widget_class, GilkResultsView, figures_title);
  gtk_widget_class_bind_template_child (widget_class, GilkResultsView, command);
  gtk_widget_class_bind_template_child (widget_class, GilkResultsView, loss_box);
  gtk_widget_class_bind_template_child (widget_class, GilkResultsView, loss_label);
  gtk_widget_class_bind_template_callback (widget_class, run_selected);
  gtk_widget_class_bind_template_callback (widget_class, hook_selected);
  gtk_widget_class_bind_template_callback (widget_class, function_selected);
  gtk_widget_class_bind_template_callback (widget_class, block_selected);
  gtk_widget_class_bind_template_callback (widget_class, update_plot);
  gtk_widget_class_bind_template_callback (widget_class, read_out_changed);
}

static void
gilk_results_view_init (GilkResultsView *self)
{
  self->run = self->hook = self->function = -1;
  gtk_widget_init_template (GTK_WIDGET (self));
}

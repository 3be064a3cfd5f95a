/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-results-view.c - a session file: its runs, recorded graphs, hooks, plots and figures
 *
 * Whenever the user chooses something else, a job to compute it is started, and the previous job is
 * cancelled. The old plot stays until the new plot is ready. The view shows either a function's
 * graph, or a plot of one hook or of all hooks of a run.
 */
#include "gui/results/gilk-results-private.h"

#include <glib/gi18n.h>

#include "gui/base/gilk-object.h"
#include "gui/base/gilk-settings.h"
#include "gui/base/gilk-text.h"
#include "gui/graph/gilk-graph-menu.h"
#include "gui/results/gilk-plot-panel.h"
#include "gui/results/gilk-recorded-graph.h"

#define COMMAND_CHARS 32          /* number of characters at which lines of the shown command are
                                   * broken */

G_DEFINE_TYPE (GilkResultsView, gilk_results_view, GTK_TYPE_BOX)

void
gilk_results_emit_failed (GilkResultsView *self,
                          const GError    *error)
{
  if (!gilk_plot_panel_is_cancelled (error))
    g_signal_emit_by_name (self, "failed", error);
}

void
gilk_results_emit_written (GilkResultsView *self,
                           const char      *path)
{
  g_signal_emit_by_name (self, "written", path);
}

void
gilk_results_view_set_notices (GilkResultsView *self,
                               GtkBox          *notices)
{
  self->notices = notices;
}

void
gilk_results_view_panels (GilkResultsView *self,
                          GtkWidget      **lists,
                          GtkWidget      **picture,
                          GtkWidget      **figures)
{
  const char *page = gtk_stack_get_visible_child_name (self->picture);

  *lists = GTK_WIDGET (self->lists);
  *picture = g_strcmp0 (page, "plot") == 0 ? GTK_WIDGET (gilk_results_page_first_plot (self->page))
             : g_strcmp0 (page, "graph") == 0 ? GTK_WIDGET (self->graph) : GTK_WIDGET (self->picture);
  *figures = self->figures_panel;
}

GilkGraphView *
gilk_results_view_graph (GilkResultsView *self)
{
  return gilk_results_shown (self->choice) == GILK_RESULTS_ACCESSES ? gilk_accesses_view_graph (self->accesses) : self->graph;
}

void
gilk_results_view_set_minimap (GilkResultsView *self,
                               gboolean         shown)
{
  gilk_graph_view_set_minimap (self->graph, shown);
  gilk_graph_view_set_minimap (gilk_accesses_view_graph (self->accesses), shown);
}

void
gilk_results_view_set_log_heat (GilkResultsView *self,
                                gboolean         log_heat)
{
  GilkGraphData *data = gilk_graph_view_data (self->graph);

  self->log_heat = log_heat;
  if (data != NULL)
    gilk_graph_view_set_marks (self->graph, data->marks, data->hits, log_heat);
  gilk_accesses_view_set_log_heat (self->accesses, log_heat);
}

/* ---- copying the shell command and the figures ---- */

/* Returns the shell commands that draw the current view. (transfer full) */
static char *
make_command (GilkResultsView *self)
{
  guint width, height;

  gilk_plot_view_picture_size (gilk_results_page_first_plot (self->page), &width, &height);

  return gilk_results_make_command (self->choice, width, height, gilk_samples_view_condition (self->samples));
}

static void
show_command (GilkResultsView *self)
{
  g_autofree char *command = make_command (self), *folded = gilk_text_fold_commands (command, COMMAND_CHARS);
  g_autofree char *bounded = gilk_text_sanitise_long (folded);

  gtk_label_set_text (self->command, bounded);
  atk_object_set_description (gtk_widget_get_accessible (GTK_WIDGET (self->command)), command);
}

static void
copy_text (GilkResultsView *self,
           const char      *text)
{
  if (gilk_results_run (self->choice) != NULL)
    gtk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self), GDK_SELECTION_CLIPBOARD), text, -1);
}

static void
copy_command (GilkResultsView *self)
{
  g_autofree char *command = make_command (self);

  copy_text (self, command);
}

/* Copies the texts of the whole panel to the clipboard. */
static void
copy_figures (GilkResultsView *self)
{
  g_autoptr(GString) text = g_string_new (NULL);

  gilk_figures_panel_append_text (self->figures, text);
  gilk_times_panel_append_text (self->times, text);
  copy_text (self, text->str);
}

/* ---- the recorded graph of a function ---- */

static void
stop_drawing (GilkResultsView *self)
{
  gilk_cancel (&self->drawing);
}

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
      gilk_results_emit_failed (self, error);
      return;
    }
  if (g_task_get_cancellable (G_TASK (result)) != self->drawing || gilk_results_shown (self->choice) != GILK_RESULTS_GRAPH)
    return;

  gilk_figures_panel_show_graph (self->figures, data);
  gilk_graph_view_set_data (self->graph, data, FALSE);
  gilk_graph_view_set_marks (self->graph, data->marks, data->hits, self->log_heat);
  gtk_stack_set_visible_child_name (self->picture, "graph");
}

static void
show_graph (GilkResultsView *self)
{
  GilkResultsChoice *choice = self->choice;
  GilkPlotStyle style;

  gilk_style_fill (GTK_WIDGET (self->graph), &style);
  self->drawing = g_cancellable_new ();
  gilk_recorded_graph_async (choice->session->path, gilk_results_function (choice), gilk_results_run (choice), NULL,
                             choice->selection, &style, self->drawing, graph_cb, g_object_ref (self));
}

/* ---- showing what the user has chosen ---- */

static void
show_samples (GilkResultsView *self)
{
  GilkResultsChoice *choice = self->choice;
  const GilkSelectionRange time = gilk_selection_time (choice->selection);
  g_autofree char *condition = gilk_results_value_condition (choice);
  const char *const conditions[] = { condition, NULL };

  gtk_stack_set_visible_child_name (self->picture, "samples");
  gilk_figures_panel_show_hook (self->figures, NULL);
  gilk_samples_view_show (self->samples, choice->session->path, gilk_results_hook (choice), gilk_results_hook_fields (choice),
                          time.from, time.to, conditions);
}

static void
show_accesses (GilkResultsView *self)
{
  gtk_stack_set_visible_child_name (self->picture, "accesses");
  gilk_figures_panel_show_access (self->figures, NULL, NULL);
  gilk_accesses_view_show (self->accesses, self->choice->session, gilk_results_run (self->choice), gilk_results_hook (self->choice));
}

static void
show_plots (GilkResultsView *self,
            gboolean         range_only)
{
  gtk_stack_set_visible_child_name (self->picture, "plot");
  if (gilk_results_shown (self->choice) == GILK_RESULTS_OVERVIEW)
    gilk_figures_panel_show_run (self->figures);
  gilk_results_page_update (self->page, range_only);
}

static void
show_picture (GilkResultsView *self,
              gboolean         range_only)
{
  GilkResultsShown shown = gilk_results_shown (self->choice);

  if (shown == GILK_RESULTS_GRAPH || shown == GILK_RESULTS_ACCESSES || shown == GILK_RESULTS_SAMPLES)
    gilk_results_page_cancel (self->page);
  if (shown == GILK_RESULTS_GRAPH)
    show_graph (self);
  else if (shown == GILK_RESULTS_ACCESSES)
    show_accesses (self);
  else if (shown == GILK_RESULTS_SAMPLES)
    show_samples (self);
  else
    show_plots (self, range_only);
}

/* Shows the new choice. With @range_only, keeps the current plots, and updates only their visible
 * range and marks. */
static void
choice_changed (GilkResultsView *self,
                gboolean         range_only)
{
  g_autofree const char **fields = NULL;

  if (gilk_results_run (self->choice) == NULL)
    return;
  stop_drawing (self);
  gilk_results_toolbar_update (self->toolbar, range_only);
  show_command (self);
  gilk_figures_panel_show_differences (self->figures, NULL);
  gilk_figures_panel_show_loss (self->figures);
  gtk_label_set_text (self->read_out, "");
  gilk_notes_panel_update (self->notes);
  gilk_times_panel_update (self->times);
  show_picture (self, range_only);
  fields = gilk_results_page_fields (self->page);
  if (gilk_results_toolbar_show_ranges (self->toolbar, fields))
    gtk_widget_grab_focus (GTK_WIDGET (gilk_results_page_current_plot (self->page)));
}

/* ---- handlers of the parts' signals ---- */

static void
part_failed (GilkResultsView *self,
             const GError    *error)
{
  gilk_results_emit_failed (self, error);
}

static void
plot_shown (GilkResultsView    *self,
            const GilkPlotData *plot)
{
  gilk_figures_panel_show_hook (self->figures, plot);
}

static void
plot_compared (GilkResultsView          *self,
               const GilkFigureCompared *compared)
{
  gilk_figures_panel_show_differences (self->figures, compared);
}

static void
show_read_out (GilkResultsView *self,
               const char      *text)
{
  gtk_label_set_text (self->read_out, text);
}

static void
note_requested (GilkResultsView *self,
                GtkWidget       *plot,
                double           from,
                double           to)
{
  gilk_notes_panel_add (self->notes, plot, (GilkSelectionRange) { from, to });
}

/* Computes all figures again after a change of notes, because figures show notes as flags. */
static void
notes_written (GilkResultsView *self)
{
  gilk_results_page_forget (self->page);
  gilk_results_choice_range_changed (self->choice);
}

static void
note_steps_changed (GilkResultsView *self)
{
  g_signal_emit_by_name (self, "notes-changed");
}

static void
hook_clicked (GilkResultsView *self,
              int              hook)
{
  gilk_results_lists_select_hook (self->lists, hook);
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
access_selected (GilkResultsView *self,
                 gpointer         access)
{
  if (gilk_results_shown (self->choice) == GILK_RESULTS_ACCESSES)
    gilk_figures_panel_show_access (self->figures, access, gilk_accesses_view_all (self->accesses));
}

/* ---- opening and closing sessions ---- */

/* Handles a session that cannot be opened. If another session is open, reports the error; otherwise
 * shows the error in place of a session. */
static void
show_broken (GilkResultsView *self,
             const GError    *error)
{
  g_autofree char *name = g_path_get_basename (self->requested_path);
  g_autofree char *title = g_strdup_printf (_("Cannot read %s"), name);

  if (self->choice->session != NULL || gilk_plot_panel_is_cancelled (error))
    {
      gilk_results_emit_failed (self, error);
      return;
    }
  gtk_label_set_text (self->broken_title, title);
  gtk_label_set_text (self->broken_text, error->message);
  gtk_stack_set_visible_child_name (self->stack, "broken");
}

/* Drops everything that belongs to the session before the session is closed. */
static void
forget_session (GilkResultsView *self)
{
  gilk_times_panel_clear (self->times);
  gilk_accesses_view_show (self->accesses, NULL, NULL, NULL);
}

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
      show_broken (self, error);
      return;
    }
  g_signal_emit_by_name (self, "opened");     /* emit this signal first, because the code below may
                                               * emit "failed" */
  forget_session (self);
  gilk_results_page_forget (self->page);
  gilk_results_choice_set_session (self->choice, session);
  gilk_notes_panel_reset (self->notes);
  gtk_stack_set_visible_child_name (self->stack, session->runs->len > 0 ? "session" : "no-runs");
  gilk_results_lists_show_session (self->lists);
}

void
gilk_results_view_open (GilkResultsView *self,
                        const char      *path)
{
  gilk_cancel (&self->opening);
  self->opening = g_cancellable_new ();
  if (path != self->requested_path)
    {
      g_free (self->requested_path);
      self->requested_path = g_strdup (path);
    }
  gilk_session_open_async (path, self->opening, opened_cb, g_object_ref (self));
}

static void
open_again (GilkResultsView *self)
{
  gilk_results_view_open (self, self->requested_path);
}

const char *
gilk_results_view_path (GilkResultsView *self)
{
  return self->choice->session != NULL ? self->choice->session->path : NULL;
}

void
gilk_results_view_select_name (GilkResultsView *self,
                               const char      *name)
{
  gilk_results_lists_select_name (self->lists, name);
}

void
gilk_results_view_choose_comparison (GilkResultsView *self)
{
  gilk_results_page_choose_comparison (self->page);
}

void
gilk_results_view_open_comparison (GilkResultsView *self,
                                   const char      *path)
{
  gilk_results_page_open_comparison (self->page, path);
}

gboolean
gilk_results_view_can_undo (GilkResultsView *self)
{
  return gilk_notes_panel_can_step (self->notes, GILK_NOTE_UNDO);
}

gboolean
gilk_results_view_can_redo (GilkResultsView *self)
{
  return gilk_notes_panel_can_step (self->notes, GILK_NOTE_REDO);
}

void
gilk_results_view_undo (GilkResultsView *self)
{
  gilk_notes_panel_step (self->notes, GILK_NOTE_UNDO);
}

void
gilk_results_view_redo (GilkResultsView *self)
{
  gilk_notes_panel_step (self->notes, GILK_NOTE_REDO);
}

/* ---- release, and GObject life cycle ---- */

void
gilk_results_view_release (GilkResultsView *self)
{
  gilk_cancel (&self->opening);
  stop_drawing (self);
  g_clear_pointer (&self->requested_path, g_free);
  if (self->page == NULL)
    return;
  g_signal_handlers_disconnect_by_data (self->choice, self);
  gilk_results_page_release (self->page);
  forget_session (self);
  gilk_results_choice_set_compared (self->choice, NULL);
  gilk_results_choice_set_session (self->choice, NULL);
  self->page = NULL;
}

static void
gilk_results_view_dispose (GObject *object)
{
  gilk_results_view_release (GILK_RESULTS_VIEW (object));
  G_OBJECT_CLASS (gilk_results_view_parent_class)->dispose (object);
}

static void
gilk_results_view_finalize (GObject *object)
{
  g_clear_object (&GILK_RESULTS_VIEW (object)->choice);
  G_OBJECT_CLASS (gilk_results_view_parent_class)->finalize (object);
}

static void
gilk_results_view_class_init (GilkResultsViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = gilk_results_view_dispose;
  G_OBJECT_CLASS (klass)->finalize = gilk_results_view_finalize;
  gilk_add_signal (klass, "notes-changed", 0);
  gilk_add_signal (klass, "opened", 0);
  gilk_add_signal (klass, "written", 1, G_TYPE_STRING);
  gilk_add_signal (klass, "failed", 1, G_TYPE_ERROR);

  g_type_ensure (GILK_TYPE_RESULTS_LISTS);
  g_type_ensure (GILK_TYPE_RESULTS_TOOLBAR);
  g_type_ensure (GILK_TYPE_RESULTS_PAGE);
  g_type_ensure (GILK_TYPE_GRAPH_CANVAS);
  g_type_ensure (GILK_TYPE_ACCESSES_VIEW);
  g_type_ensure (GILK_TYPE_SAMPLES_VIEW);
  g_type_ensure (GILK_TYPE_FIGURES_PANEL);
  g_type_ensure (GILK_TYPE_NOTES_PANEL);
  g_type_ensure (GILK_TYPE_TIMES_PANEL);
  gtk_widget_class_set_template_from_resource (widget_class, "/org/gilk/Workbench/ui/results-view.ui");
  gtk_widget_class_bind_template_child (widget_class, GilkResultsView, stack);
  gtk_widget_class_bind_template_child (widget_class, GilkResultsView, broken_title);
  gtk_widget_class_bind_template_child (widget_class, GilkResultsView, broken_text);
  gtk_widget_class_bind_template_child (widget_class, GilkResultsView, lists);
  gtk_widget_class_bind_template_child (widget_class, GilkResultsView, toolbar);
  gtk_widget_class_bind_template_child (widget_class, GilkResultsView, picture);
  gtk_widget_class_bind_template_child (widget_class, GilkResultsView, page);
  gtk_widget_class_bind_template_child (widget_class, GilkResultsView, graph);
  gtk_widget_class_bind_template_child (widget_class, GilkResultsView, accesses);
  gtk_widget_class_bind_template_child (widget_class, GilkResultsView, samples);
  gtk_widget_class_bind_template_child (widget_class, GilkResultsView, read_out);
  gtk_widget_class_bind_template_child (widget_class, GilkResultsView, figures_panel);
  gtk_widget_class_bind_template_child (widget_class, GilkResultsView, figures);
  gtk_widget_class_bind_template_child (widget_class, GilkResultsView, notes);
  gtk_widget_class_bind_template_child (widget_class, GilkResultsView, times);
  gtk_widget_class_bind_template_child (widget_class, GilkResultsView, command);
  gtk_widget_class_bind_template_callback (widget_class, show_command);
  gtk_widget_class_bind_template_callback (widget_class, copy_command);
  gtk_widget_class_bind_template_callback (widget_class, copy_figures);
  gtk_widget_class_bind_template_callback (widget_class, part_failed);
  gtk_widget_class_bind_template_callback (widget_class, plot_shown);
  gtk_widget_class_bind_template_callback (widget_class, plot_compared);
  gtk_widget_class_bind_template_callback (widget_class, show_read_out);
  gtk_widget_class_bind_template_callback (widget_class, note_requested);
  gtk_widget_class_bind_template_callback (widget_class, notes_written);
  gtk_widget_class_bind_template_callback (widget_class, note_steps_changed);
  gtk_widget_class_bind_template_callback (widget_class, hook_clicked);
  gtk_widget_class_bind_template_callback (widget_class, block_selected);
  gtk_widget_class_bind_template_callback (widget_class, access_selected);
  gtk_widget_class_bind_template_callback (widget_class, open_again);
}

static void
gilk_results_view_init (GilkResultsView *self)
{
  self->choice = gilk_results_choice_new ();
  gtk_widget_init_template (GTK_WIDGET (self));
  gilk_results_lists_set_choice (self->lists, self->choice);
  gilk_results_toolbar_set_choice (self->toolbar, self->choice);
  gilk_results_page_set_choice (self->page, self->choice);
  gilk_figures_panel_set_choice (self->figures, self->choice);
  gilk_notes_panel_set_choice (self->notes, self->choice);
  gilk_times_panel_set_choice (self->times, self->choice);
  gilk_graph_menu_add_recorded (self->graph, self->read_out);
  g_signal_connect_object (self->choice, "changed", G_CALLBACK (choice_changed), self, G_CONNECT_SWAPPED);
}

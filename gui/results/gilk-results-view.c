/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-results-view.c - a session file: its runs, recorded graphs, hooks, plots and figures
 *
 * Every new choice starts a job and cancels the previous one; the old plot stays until the new one
 * is ready. One thing is shown of a run: a function's graph, or a plot of one hook or of all hooks.
 */
#include "gui/results/gilk-results-private.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#include "core/base/gilk-error.h"
#include "core/plot/gilk-plot-name.h"
#include "gui/graph/gilk-graph-menu.h"
#include "gui/base/gilk-panes.h"
#include "gui/results/gilk-results-comparison.h"
#include "gui/results/gilk-results-figures.h"
#include "gui/results/gilk-results-lists.h"
#include "gui/base/gilk-text.h"

G_DEFINE_TYPE (GilkResultsView, gilk_results_view, GTK_TYPE_BOX)

enum { FAILED, NOTES_CHANGED, OPENED, WRITTEN, N_SIGNALS };
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

gboolean
gilk_results_is_cancelled (const GError *error)
{
  return g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED) || g_error_matches (error, GILK_ERROR, GILK_ERROR_CANCELLED);
}

void
gilk_results_emit_failed (GilkResultsView *self,
                          const GError    *error)
{
  if (!gilk_results_is_cancelled (error))
    g_signal_emit (self, signals[FAILED], 0, error);
}

void
gilk_results_emit_notes_changed (GilkResultsView *self)
{
  g_signal_emit (self, signals[NOTES_CHANGED], 0);
}

void
gilk_results_emit_written (GilkResultsView *self,
                           const char      *path)
{
  g_signal_emit (self, signals[WRITTEN], 0, path);
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

  *lists = self->lists_panel;
  *picture = g_strcmp0 (page, "plot") == 0 ? GTK_WIDGET (self->plot)
             : g_strcmp0 (page, "graph") == 0 ? GTK_WIDGET (self->graph) : GTK_WIDGET (self->picture);
  *figures = self->figures_panel;
}

static void
stop_drawing (GilkResultsView *self)
{
  if (self->drawing != NULL)
    g_cancellable_cancel (self->drawing);
  g_clear_object (&self->drawing);
}

static gboolean
is_plot (GilkResultsView *self)
{
  return gilk_results_hook (self) != NULL && !gilk_results_shows_accesses (self) && !gilk_results_shows_samples (self);
}

static void
show_unless_range (GtkWidget *child,
                   gpointer   user_data)
{
  GilkResultsView *self = user_data;
  GilkFigureKind kind;

  if (child != GTK_WIDGET (self->chips) && child != self->whole)
    gtk_widget_set_visible (child, is_plot (self) && gilk_results_kind (self, &kind));
}

static gboolean
has_axes (GilkResultsView *self)
{
  return is_plot (self) && (!gilk_results_shows_map (self) || gilk_results_shows_map_histogram (self));
}

/* Shows the second toolbar also if it has nothing but selected ranges. */
void
gilk_results_show_range_row (GilkResultsView *self)
{
  gtk_widget_set_visible (self->toolbar2,
                          has_axes (self) || (gilk_results_has_range (self) && !gilk_selection_is_empty (self->selection)));
}

/* Shows only the choices that apply to the current view. */
static void
show_choices (GilkResultsView *self)
{
  gboolean plot = is_plot (self), axes = has_axes (self);

  gtk_widget_set_visible (GTK_WIDGET (self->quantity), plot);
  gtk_widget_set_visible (GTK_WIDGET (self->subtract), plot);
  gilk_results_show_range_row (self);
  gtk_container_foreach (GTK_CONTAINER (self->toolbar2), show_unless_range, self);
  gtk_widget_set_visible (GTK_WIDGET (self->log_x), axes);
  gtk_widget_set_visible (GTK_WIDGET (self->log_y), axes);
}

static void
update_plot (GilkResultsView *self)
{
  const GilkStoredHook *hook = gilk_results_hook (self);
  gboolean plots = gilk_results_function (self) == NULL && !gilk_results_shows_accesses (self) && !gilk_results_shows_samples (self);

  if (self->filling || gilk_results_run (self) == NULL)
    return;
  stop_drawing (self);
  gtk_widget_set_visible (self->toolbar, hook != NULL);
  /* Kinds of view apply to hooks, not to a recorded graph. */
  gtk_widget_set_visible (gtk_widget_get_parent (GTK_WIDGET (self->views_scroll)), hook != NULL);
  show_choices (self);
  gilk_results_show_command (self);
  gilk_results_show_differences (self, NULL);
  gtk_label_set_text (self->read_out, "");
  gilk_results_show_times (self);
  gilk_results_show_notes (self);
  gilk_results_show_effect (self);
  if (!plots)
    gilk_results_cancel_panels (self);
  if (gilk_results_function (self) != NULL)
    gilk_results_show_graph (self);
  else if (gilk_results_shows_accesses (self))
    gilk_results_show_accesses (self);
  else if (gilk_results_shows_samples (self))
    gilk_results_show_samples (self);
  else
    gtk_stack_set_visible_child_name (self->picture, "plot");
  if (plots && hook == NULL)
    gilk_results_show_overview (self);
  if (plots)
    gilk_results_update_panels (self);
  gilk_results_show_range (self);
}

/* Keeps the selected time range and values. */
void
gilk_results_choice_changed (GilkResultsView *self)
{
  if (self->filling)
    return;
  gilk_selection_reset_zoom_only (self->selection);
  self->filling = TRUE;
  gilk_results_fill_choices (self);
  self->filling = FALSE;
  update_plot (self);
}

/* Keeps current plots, and updates only their visible range and marks. */
void
gilk_results_selection_changed (GilkResultsView *self)
{
  self->range_only = TRUE;
  update_plot (self);
  self->range_only = FALSE;
}

void
gilk_results_undo_selection (GilkResultsView *self)
{
  if (gilk_selection_undo (self->selection))
    gilk_results_selection_changed (self);
  else
    gtk_label_set_text (self->read_out, _("No previous zoom to return to."));
}

static void
show_whole (GilkResultsView *self)
{
  gilk_selection_clear_all (self->selection);
  gilk_results_selection_changed (self);
}

/* ---- selection ---- */

/* Adds the run to the hook's name if another run is overlaid. (transfer full) */
static char *
make_hook_name (GilkResultsView      *self,
                const GilkStoredHook *hook,
                const GilkStoredRun  *run)
{
  const char *other = gtk_combo_box_get_active_id (GTK_COMBO_BOX (self->compare));

  return other != NULL && *other != '\0' ? gilk_plot_name_in_run (hook, run) : g_strdup (hook->label);
}

guint
gilk_results_selected_hooks (GilkResultsView *self,
                             GilkSessionPick *picks,
                             guint            room)
{
  GilkSessionRun *run = gilk_results_run (self);
  g_autoptr(GArray) rows = gilk_results_get_selected_rows (self->hooks);
  const char *other = gtk_combo_box_get_active_id (GTK_COMBO_BOX (self->compare));
  const GilkStoredHook *first = gilk_results_hook (self);
  guint n = 0;

  picks[n++] = (GilkSessionPick) { first, make_hook_name (self, first, &run->run) };
  for (guint row = 0; row < rows->len && n < room; row++)
    {
      int i = g_array_index (rows, int, row) - 1;
      const GilkStoredHook *hook = i >= 0 ? &g_array_index (run->hooks, GilkStoredHook, i) : first;

      if (hook != first)
        picks[n++] = (GilkSessionPick) { hook, make_hook_name (self, hook, &run->run) };
    }
  for (guint r = 0; other != NULL && r < self->session->runs->len && n < room; r++)
    {
      const GilkSessionRun *one = &g_array_index (self->session->runs, GilkSessionRun, r);

      if (one->run.id != g_ascii_strtoll (other, NULL, 10))
        continue;
      for (guint i = 0; i < one->hooks->len && n < room; i++)
        {
          const GilkStoredHook *hook = &g_array_index (one->hooks, GilkStoredHook, i);

          if (strcmp (hook->label, first->label) == 0)
            picks[n++] = (GilkSessionPick) { hook, gilk_plot_name_in_run (hook, &one->run) };
        }
    }

  return n;
}

void
gilk_results_selected_hooks_clear (GilkSessionPick *picks,
                                   guint            n)
{
  for (guint i = 0; i < n; i++)
    g_free ((char *) picks[i].name);
}

static void
fill_run (GilkResultsView *self)
{
  GilkSessionRun *run = gilk_results_run (self);

  self->filling = TRUE;
  self->function = self->hook = -1;
  gilk_results_fill_functions (self->functions, run);
  gilk_results_fill_hooks (self->hooks, run, gtk_toggle_button_get_active (self->by_hits));
  gtk_widget_set_visible (self->functions_label, run->functions->len > 0);
  gtk_widget_set_visible (self->functions_scroll, run->functions->len > 0);
  gilk_results_select_row (self->hooks, 0);
  self->filling = FALSE;
  gilk_results_choice_changed (self);
}

/* Keeps the selection and its plots. */
static void
order_hooks (GilkResultsView *self)
{
  g_autoptr(GArray) chosen = NULL;

  if (self->run < 0 || self->session == NULL)
    return;
  chosen = gilk_results_get_selected_rows (self->hooks);
  self->filling = TRUE;
  gilk_results_fill_hooks (self->hooks, gilk_results_run (self), gtk_toggle_button_get_active (self->by_hits));
  gilk_results_select_row (self->hooks, -1);
  gilk_results_add_selected_rows (self->hooks, chosen);
  if (chosen->len > 0)
    gilk_results_scroll_to_row (self->hooks, g_array_index (chosen, int, 0));
  self->filling = FALSE;
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
  gilk_selection_reset (self->selection);
  fill_run (self);
}

/* The first selected row determines the choices; the others are overlaid. */
static void
hooks_selected (GilkResultsView *self)
{
  g_autoptr(GArray) rows = NULL;
  guint first;

  if (self->filling)
    return;
  rows = gilk_results_get_selected_rows (self->hooks);
  if (rows->len == 0)
    return;
  first = g_array_index (rows, int, 0) == 0 && rows->len > 1;
  self->hook = g_array_index (rows, int, first) - 1;
  self->function = -1;
  self->filling = TRUE;
  gilk_results_select_row (self->functions, -1);
  self->filling = FALSE;
  gilk_results_choice_changed (self);
}

static void
function_selected (GilkResultsView *self)
{
  g_autoptr(GArray) rows = NULL;

  if (self->filling)
    return;
  rows = gilk_results_get_selected_rows (self->functions);
  if (rows->len == 0)
    return;
  self->function = g_array_index (rows, int, 0);
  self->hook = -1;
  self->filling = TRUE;
  gilk_results_select_row (self->hooks, -1);
  self->filling = FALSE;
  update_plot (self);
}

static void
access_selected (GilkResultsView *self,
                 gpointer         writer)
{
  gilk_results_access_selected (self, writer);
}

static void
accesses_failed (GilkResultsView *self,
                 const GError    *error)
{
  gilk_results_emit_failed (self, error);
}

/* ---- files ---- */

/* Reports the error while a session is open; otherwise shows it in place of a session. */
static void
show_broken (GilkResultsView *self,
             const GError    *error)
{
  g_autofree char *name = g_path_get_basename (self->requested_path);
  g_autofree char *title = g_strdup_printf (_("Cannot read %s"), name);

  if (self->session != NULL || gilk_results_is_cancelled (error))
    {
      gilk_results_emit_failed (self, error);
      return;
    }
  gtk_label_set_text (self->broken_title, title);
  gtk_label_set_text (self->broken_text, error->message);
  gtk_stack_set_visible_child_name (self->stack, "broken");
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
  gilk_results_clear_effect (self);
  gilk_results_clear_accesses (self);
  gilk_results_reset_notes (self);
  gilk_plot_cache_clear (self->plot_cache);
  g_clear_pointer (&self->session, gilk_session_free);
  self->session = session;
  gilk_results_emit_notes_changed (self);
  show_session (self);
  g_signal_emit (self, signals[OPENED], 0);
}

void
gilk_results_view_open (GilkResultsView *self,
                        const char      *path)
{
  if (self->opening != NULL)
    g_cancellable_cancel (self->opening);
  g_clear_object (&self->opening);
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
  return self->session != NULL ? self->session->path : NULL;
}

void
gilk_results_view_release (GilkResultsView *self)
{
  if (self->opening != NULL)
    g_cancellable_cancel (self->opening);
  g_clear_object (&self->opening);
  stop_drawing (self);
  gilk_results_free_panels (self);
  g_clear_pointer (&self->plot_cache, gilk_plot_cache_free);
  g_clear_pointer (&self->notes, gilk_note_steps_free);
  g_clear_pointer (&self->selection, gilk_selection_free);
  g_clear_pointer (&self->requested_path, g_free);
  g_clear_handle_id (&self->resizing, g_source_remove);
  gilk_results_clear_effect (self);
  gilk_results_clear_accesses (self);
  self->writers = NULL;
  g_clear_pointer (&self->session, gilk_session_free);
}

static void
gilk_results_view_dispose (GObject *object)
{
  gilk_results_view_release (GILK_RESULTS_VIEW (object));
  G_OBJECT_CLASS (gilk_results_view_parent_class)->dispose (object);
}

static void
gilk_results_view_class_init (GilkResultsViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = gilk_results_view_dispose;
  signals[NOTES_CHANGED] = g_signal_new ("notes-changed", GILK_TYPE_RESULTS_VIEW, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                         G_TYPE_NONE, 0);
  signals[OPENED] = g_signal_new ("opened", GILK_TYPE_RESULTS_VIEW, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[WRITTEN] = g_signal_new ("written", GILK_TYPE_RESULTS_VIEW, G_SIGNAL_RUN_LAST,
                                   0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
  signals[FAILED] = g_signal_new ("failed", GILK_TYPE_RESULTS_VIEW, G_SIGNAL_RUN_LAST,
                                  0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_ERROR);

  g_type_ensure (GILK_TYPE_GRAPH_VIEW);
  g_type_ensure (GILK_TYPE_ACCESSES_VIEW);
  g_type_ensure (GILK_TYPE_SAMPLES_VIEW);
  gtk_widget_class_set_template_from_resource (widget_class, "/org/gilk/Workbench/ui/results-view.ui");
  gtk_widget_class_bind_template_child (widget_class, GilkResultsView, stack);
  gtk_widget_class_bind_template_child (widget_class, GilkResultsView, lists_panel);
  gtk_widget_class_bind_template_child (widget_class, GilkResultsView, figures_panel);
  gtk_widget_class_bind_template_child (widget_class, GilkResultsView, file_label);
  gtk_widget_class_bind_template_child (widget_class, GilkResultsView, broken_title);
  gtk_widget_class_bind_template_child (widget_class, GilkResultsView, broken_text);
  gtk_widget_class_bind_template_child (widget_class, GilkResultsView, runs);
  gtk_widget_class_bind_template_child (widget_class, GilkResultsView, hooks);
  gtk_widget_class_bind_template_child (widget_class, GilkResultsView, by_hits);
  gtk_widget_class_bind_template_child (widget_class, GilkResultsView, functions);
  gtk_widget_class_bind_template_child (widget_class, GilkResultsView, functions_label);
  gtk_widget_class_bind_template_child (widget_class, GilkResultsView, functions_scroll);
  gtk_widget_class_bind_template_child (widget_class, GilkResultsView, picture);
  gtk_widget_class_bind_template_child (widget_class, GilkResultsView, graph);
  gtk_widget_class_bind_template_child (widget_class, GilkResultsView, writers);
  gtk_widget_class_bind_template_child (widget_class, GilkResultsView, samples);
  gtk_widget_class_bind_template_child (widget_class, GilkResultsView, kind);
  gtk_widget_class_bind_template_child (widget_class, GilkResultsView, quantity);
  gtk_widget_class_bind_template_child (widget_class, GilkResultsView, split);
  gtk_widget_class_bind_template_child (widget_class, GilkResultsView, compare);
  gtk_widget_class_bind_template_child (widget_class, GilkResultsView, whole);
  gtk_widget_class_bind_template_child (widget_class, GilkResultsView, log_x);
  gtk_widget_class_bind_template_child (widget_class, GilkResultsView, log_y);
  gtk_widget_class_bind_template_child (widget_class, GilkResultsView, toolbar);
  gtk_widget_class_bind_template_child (widget_class, GilkResultsView, toolbar2);
  gtk_widget_class_bind_template_child (widget_class, GilkResultsView, page);
  gtk_widget_class_bind_template_child (widget_class, GilkResultsView, below);
  gtk_widget_class_bind_template_child (widget_class, GilkResultsView, views);
  gtk_widget_class_bind_template_child (widget_class, GilkResultsView, views_scroll);
  gtk_widget_class_bind_template_child (widget_class, GilkResultsView, views_more);
  gtk_widget_class_bind_template_child (widget_class, GilkResultsView, chips);
  gtk_widget_class_bind_template_child (widget_class, GilkResultsView, read_out);
  gtk_widget_class_bind_template_child (widget_class, GilkResultsView, figures);
  gtk_widget_class_bind_template_child (widget_class, GilkResultsView, compared);
  gtk_widget_class_bind_template_child (widget_class, GilkResultsView, figures_title);
  gtk_widget_class_bind_template_child (widget_class, GilkResultsView, command);
  gtk_widget_class_bind_template_child (widget_class, GilkResultsView, loss_box);
  gtk_widget_class_bind_template_child (widget_class, GilkResultsView, loss_label);
  gtk_widget_class_bind_template_child (widget_class, GilkResultsView, subtract);
  gtk_widget_class_bind_template_child (widget_class, GilkResultsView, times);
  gtk_widget_class_bind_template_child (widget_class, GilkResultsView, notes_box);
  gtk_widget_class_bind_template_child (widget_class, GilkResultsView, effect_box);
  gtk_widget_class_bind_template_child (widget_class, GilkResultsView, effect_plot);
  gtk_widget_class_bind_template_child (widget_class, GilkResultsView, effect_figures);
  gtk_widget_class_bind_template_child (widget_class, GilkResultsView, effect_note);
  gtk_widget_class_bind_template_callback_full (widget_class, "copy_figures", G_CALLBACK (gilk_results_copy_figures));
  gtk_widget_class_bind_template_callback_full (widget_class, "show_command", G_CALLBACK (gilk_results_show_command));
  gtk_widget_class_bind_template_callback_full (widget_class, "copy_command", G_CALLBACK (gilk_results_copy_command));
  gtk_widget_class_bind_template_callback_full (widget_class, "draw_effect", G_CALLBACK (gilk_results_draw_effect));
  gtk_widget_class_bind_template_callback (widget_class, run_selected);
  gtk_widget_class_bind_template_callback (widget_class, hooks_selected);
  gtk_widget_class_bind_template_callback (widget_class, order_hooks);
  gtk_widget_class_bind_template_callback (widget_class, function_selected);
  gtk_widget_class_bind_template_callback_full (widget_class, "block_selected", G_CALLBACK (gilk_results_block_selected));
  gtk_widget_class_bind_template_callback (widget_class, access_selected);
  gtk_widget_class_bind_template_callback (widget_class, accesses_failed);
  gtk_widget_class_bind_template_callback_full (widget_class, "choice_changed", G_CALLBACK (gilk_results_choice_changed));
  gtk_widget_class_bind_template_callback (widget_class, show_whole);
  gtk_widget_class_bind_template_callback (widget_class, open_again);
}

static void
gilk_results_view_init (GilkResultsView *self)
{
  self->run = self->hook = self->function = -1;
  self->selection = gilk_selection_new ();
  self->plot_cache = gilk_plot_cache_new ();
  gtk_widget_init_template (GTK_WIDGET (self));
  gilk_results_make_panels (self);
  gilk_results_overview_init (self);
  gilk_graph_menu_add_recorded (self->graph, self->read_out);
  gilk_results_set_up_list (self->functions);
  gilk_results_set_up_list (self->hooks);
  gilk_panes_ellipsize_combo (GTK_WIDGET (self->quantity));
  gilk_panes_ellipsize_combo (GTK_WIDGET (self->split));
  gilk_panes_ellipsize_combo (GTK_WIDGET (self->compare));
  gilk_results_set_up_views (self);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-results-plot.c - the first plot of the selection, and the panel beside it
 */
#include "gui/results/gilk-plot-panel.h"

#include <glib/gi18n.h>

#include "core/plan/gilk-plan.h"
#include "gui/results/gilk-results-figures.h"
#include "gui/session/gilk-session.h"
#include "gui/base/gilk-text.h"

/* ---- panel ---- */

/* Returns whether the run's plan asked for old samples to be overwritten. */
static gboolean
run_overwrites (GilkResultsView *self,
                gint64           id)
{
  for (guint i = 0; self->session != NULL && i < self->session->stored->len; i++)
    {
      const GilkStoredRun *run = &g_array_index (self->session->stored, GilkStoredRun, i);

      if (run->id == id)
        return gilk_plan_text_overwrites (run->plan);
    }

  return FALSE;
}

void
gilk_results_show_loss (GilkResultsView *self,
                        gint64           run,
                        uint64_t         lost)
{
  g_autofree char *count = gilk_text_count (lost);
  g_autofree char *text =
    g_strdup_printf (lost > 0 && run_overwrites (self, run)
                     ? _("The oldest %s samples were overwritten, because the plan keeps the latest. Hit counts "
                         "are exact.")
                     : _("%s samples were lost because the rings were full. Hit counts are exact; times and "
                         "distributions lack these samples."), count);

  gtk_label_set_text (self->loss_label, text);
  gtk_widget_set_visible (self->loss_box, lost > 0);
}

void
gilk_results_show_hook_loss (GilkResultsView      *self,
                             const GilkStoredHook *hook)
{
  g_autofree char *words = NULL, *both = NULL;
  const char *lost;

  gilk_results_show_loss (self, hook->run, hook->lost);
  if (!gilk_stored_hook_is_watchpoint (hook) || hook->missed == 0)
    return;
  words = gilk_text_pauses (hook->missed);
  lost = hook->lost > 0 ? gtk_label_get_text (self->loss_label) : "";
  both = g_strconcat (lost, *lost != '\0' ? "\n\n" : "", words, NULL);
  gtk_label_set_text (self->loss_label, both);
  gtk_widget_set_visible (self->loss_box, TRUE);
}

void
gilk_results_show_figures (GilkResultsView    *self,
                           const GilkPlotData *plot)
{
  const GilkStoredHook *hook = gilk_results_hook (self);

  gilk_figures_clear (self->figures);
  gtk_label_set_text (self->figures_title, hook->label);
  gilk_figures_hook (self->figures, hook, gilk_results_run (self)->costs);
  if (plot->figure != NULL)
    gilk_figures_histogram (self->figures, plot->figure->histogram, plot->figure->x.unit);
  gilk_results_show_differences (self, plot->compared);
}

/* ---- plots other than figures ---- */

static void
groups_cb (GObject      *object,
           GAsyncResult *result,
           gpointer      user_data)
{
  g_autoptr(GilkResultsView) self = user_data;
  g_autoptr(GError) error = NULL;
  GilkPlotData *plot = gilk_session_groups_finish (result, &error);

  if (plot != NULL && plot->comparison == NULL && gilk_results_hook (self) != NULL && gilk_results_comparison_run (self->comparison) != NULL)
    plot->comparison = gilk_results_comparison_missing_plot (self->comparison);
  gilk_plot_panel_finish (self, result, plot, error);
}

static void
draw_groups (GilkResultsView *self)
{
  GilkPlotPanel *first = self->panels[0];
  const GilkStoredHook *hook = gilk_results_hook (self);
  const GilkSelectionRange time = gilk_selection_time (self->selection);
  const char *field = gilk_results_quantity (self);
  g_autofree char *condition = gilk_results_value_condition (self);
  GilkSession *comparison = gilk_results_comparison_session (self->comparison);
  GilkSessionPick there = { NULL, NULL };
  guint n = gilk_results_comparison_hooks (self->comparison, &there, 1);
  g_autofree char *key = g_strdup_printf ("groups %" G_GINT64_FORMAT " %s %.17g %.17g %s beside %s %" G_GINT64_FORMAT, hook->id, field,
                                          time.from, time.to, condition != NULL ? condition : "",
                                          comparison != NULL ? comparison->path : "", n > 0 ? there.hook->id : -1);

  if (gilk_plot_panel_request (first, key))
    gilk_session_groups_async (self->session, hook, field, time.from, time.to, condition, comparison, there.hook,
                               gilk_plot_panel_start (first, NULL, 0), groups_cb, g_object_ref (self));
  gilk_results_selected_hooks_clear (&there, n);
}

static void
map_cb (GObject      *object,
        GAsyncResult *result,
        gpointer      user_data)
{
  g_autoptr(GilkResultsView) self = user_data;
  g_autoptr(GError) error = NULL;
  GilkPlotData *plot = gilk_session_map_finish (result, &error);

  gilk_plot_panel_finish (self, result, plot, error);
}

static void
draw_map (GilkResultsView *self)
{
  GilkPlotPanel *first = self->panels[0];
  const GilkStoredHook *hook = gilk_results_hook (self);
  const char *name = gilk_results_quantity (self);
  g_autofree char *key = g_strdup_printf ("kept %" G_GINT64_FORMAT " %s %d", hook->id, name, first->log_x);

  if (gilk_plot_panel_request (first, key))
    gilk_session_map_async (self->session, hook, name, first->log_x, first->log_y, gilk_plot_panel_start (first, NULL, 0), map_cb,
                            g_object_ref (self));
}

void
gilk_results_draw_first_plot (GilkResultsView *self)
{
  if (gilk_results_quantity (self) == NULL)
    return;
  gilk_results_show_hook_loss (self, gilk_results_hook (self));
  if (self->panels[0]->kind != GILK_FIGURE_N_KINDS)
    gilk_plot_panel_draw (self->panels[0]);
  else if (gilk_results_shows_map (self))
    draw_map (self);
  else
    draw_groups (self);
}

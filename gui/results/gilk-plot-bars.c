/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-plot-bars.c - draws plots that are not figures of samples: the overview of a run, hits by
 * value, maps
 */
#include "gui/results/gilk-plot-panel.h"

#include <glib/gi18n.h>

#include "gui/base/gilk-text.h"

/* ---- overview: a bar for each hook of a run ---- */

#define IN_ORDER_MAX 24           /* maximum number of hooks shown in the plan's order */

static int
compare_by_hits (gconstpointer one,
                 gconstpointer other)
{
  const GilkStoredHook *a = *(const GilkStoredHook *const *) one, *b = *(const GilkStoredHook *const *) other;

  return a->hits != b->hits ? (a->hits < b->hits) - (a->hits > b->hits) : (a > b) - (a < b);
}

/* Returns the hooks in the plan's order; if there are too many, by descending hits.
 * (transfer container) */
static GPtrArray *
list_overview_hooks (const GilkSessionRun *run)
{
  GPtrArray *hooks = g_ptr_array_sized_new (run->hooks->len);

  for (guint i = 0; i < run->hooks->len; i++)
    g_ptr_array_add (hooks, &g_array_index (run->hooks, GilkStoredHook, i));
  if (hooks->len > IN_ORDER_MAX)
    g_ptr_array_sort (hooks, compare_by_hits);

  return hooks;
}

/* (transfer full) */
static GilkPlotData *
new_overview (const GilkSessionRun *run)
{
  g_autoptr(GPtrArray) hooks = list_overview_hooks (run);
  GilkPlotData *plot = gilk_plot_data_new ();

  for (guint i = 0; i < hooks->len; i++)
    {
      const GilkStoredHook *hook = g_ptr_array_index (hooks, i);
      g_autofree char *lost = gilk_text_count (hook->lost);
      g_autofree char *note = !hook->hits_known ? g_strdup (_("not counted"))
                              : hook->lost > 0 ? g_strdup_printf (_("%s lost"), lost) : g_strdup ("");

      gilk_plot_data_add_bar (plot, hook->label, hook->hits, note);
    }
  plot->title = g_strdup (hooks->len > IN_ORDER_MAX ? _("Hooks with most hits") : _("Hits of every hook"));
  plot->subtitle = g_strdup_printf (_("run %ld · %.1f s"), run->run.id, run->run.duration);
  if (run->hooks->len == 0)
    plot->message = g_strdup (_("This run has no hooks."));

  return plot;
}

static void
draw_overview (GilkPlotPanel *first)
{
  const GilkSessionRun *there = gilk_results_compared_run (first->shared->choice);
  GilkPlotData *plot = new_overview (gilk_results_run (first->shared->choice));

  if (there != NULL)
    plot->comparison = new_overview (there);
  gilk_plot_panel_show_plot (first, plot);
}

int
gilk_plot_panel_hook_at (GilkPlotPanel *first,
                         double         y)
{
  const GilkSessionRun *run = gilk_results_run (first->shared->choice);
  const int bar = gilk_results_shown (first->shared->choice) == GILK_RESULTS_OVERVIEW ? gilk_plot_view_bar_at (first->plot, y) : -1;
  g_autoptr(GPtrArray) hooks = bar >= 0 ? list_overview_hooks (run) : NULL;

  if (hooks == NULL || (guint) bar >= hooks->len)
    return -1;

  return (int) ((const GilkStoredHook *) g_ptr_array_index (hooks, bar) - (const GilkStoredHook *) (gpointer) run->hooks->data);
}

/* ---- bars of hits by value, and plots of maps ---- */

static void
groups_cb (GObject      *object,
           GAsyncResult *result,
           gpointer      user_data)
{
  g_autoptr(GilkPlotPanels) shared = user_data;
  g_autoptr(GError) error = NULL;
  GilkPlotData *plot = gilk_session_groups_finish (result, &error);

  if (plot != NULL && plot->comparison == NULL && gilk_results_hook (shared->choice) != NULL && gilk_results_compared_run (shared->choice) != NULL)
    plot->comparison = gilk_plot_panel_new_missing (shared->choice);
  gilk_plot_panel_finish (shared, result, plot, error);
}

static void
draw_groups (GilkPlotPanel *first)
{
  GilkResultsChoice *choice = first->shared->choice;
  const GilkStoredHook *hook = gilk_results_hook (choice);
  const GilkSelectionRange time = gilk_selection_time (choice->selection);
  const char *field = choice->quantity;
  g_autofree char *condition = gilk_results_value_condition (choice);
  GilkSession *comparison = choice->compared;
  GilkSessionPick there = { NULL, NULL };
  guint n = gilk_results_compared_hooks (choice, &there, 1);
  g_autofree char *key = g_strdup_printf ("groups %" G_GINT64_FORMAT " %s %.17g %.17g %s beside %s %" G_GINT64_FORMAT, hook->id, field,
                                          time.from, time.to, condition != NULL ? condition : "",
                                          comparison != NULL ? comparison->path : "", n > 0 ? there.hook->id : -1);

  if (gilk_plot_panel_request (first, key))
    gilk_session_groups_async (choice->session, hook, field, time.from, time.to, condition, comparison, there.hook,
                               gilk_plot_panel_start (first, NULL, 0), groups_cb, g_rc_box_acquire (first->shared));
  gilk_results_hooks_clear (&there, n);
}

static void
map_cb (GObject      *object,
        GAsyncResult *result,
        gpointer      user_data)
{
  g_autoptr(GilkPlotPanels) shared = user_data;
  g_autoptr(GError) error = NULL;
  GilkPlotData *plot = gilk_session_map_finish (result, &error);

  gilk_plot_panel_finish (shared, result, plot, error);
}

static void
draw_map (GilkPlotPanel *first)
{
  GilkResultsChoice *choice = first->shared->choice;
  const GilkStoredHook *hook = gilk_results_hook (choice);
  const char *name = choice->quantity;
  g_autofree char *key = g_strdup_printf ("kept %" G_GINT64_FORMAT " %s %d", hook->id, name, first->log_x);

  if (gilk_plot_panel_request (first, key))
    gilk_session_map_async (choice->session, hook, name, first->log_x, first->log_y, gilk_plot_panel_start (first, NULL, 0), map_cb,
                            g_rc_box_acquire (first->shared));
}

void
gilk_plot_panel_draw_bars (GilkPlotPanel *first)
{
  GilkResultsChoice *choice = first->shared->choice;
  GilkResultsShown shown = gilk_results_shown (choice);

  if (shown == GILK_RESULTS_OVERVIEW)
    draw_overview (first);
  else if (shown == GILK_RESULTS_MAP && choice->quantity != NULL)
    draw_map (first);
  else if (shown == GILK_RESULTS_GROUPS && choice->quantity != NULL)
    draw_groups (first);
}

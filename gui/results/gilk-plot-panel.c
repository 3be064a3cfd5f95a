/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-plot-panel.c - one plot panel of the results page, computed by a task of its own
 */
#include "gui/results/gilk-plot-panel.h"

#include <glib/gi18n.h>
#include <math.h>

#include "core/analysis/gilk-hook-samples.h"
#include "core/base/gilk-error.h"
#include "gui/base/gilk-object.h"
#include "gui/base/gilk-text.h"

#define LOG_X    'x'                /* first character of the cache key of a plot with a logarithmic
                                     * x axis */
#define LINEAR_X '-'
#define PASSES   2                  /* usual number of passes over a histogram's samples */

/* ---- composing the request for a figure ---- */

static GilkFigureAsk
make_query (GilkPlotPanel *panel)
{
  GilkFigureAsk ask = gilk_figure_ask (panel->kind, panel->field);

  ask.log_x = panel->log_x;
  ask.log_y = panel->log_y;
  gilk_plot_view_pixel_size (panel->plot, &ask.columns, &ask.rows);
  gilk_selection_apply (panel->shared->choice->selection, &ask);

  return ask;
}

gboolean
gilk_plot_panel_zoom_axis (GilkPlotPanel     *panel,
                           GilkSelectionAxis *axis)
{
  if (panel->kind != GILK_FIGURE_N_KINDS)
    *axis = gilk_selection_axis (panel->kind);
  else if (panel->index == 0 && gilk_results_is_map_histogram (panel->shared->choice))
    *axis = GILK_SELECTION_ZOOM_ONLY;
  else
    return FALSE;

  return TRUE;
}

/* (nullable) */
static const char *
get_split (GilkPlotPanel *panel,
           guint          n)
{
  return n == 1 && panel->kind != GILK_FIGURE_HEAT && g_strcmp0 (panel->field, GILK_ELAPSED) != 0 &&
         gilk_results_compared_run (panel->shared->choice) == NULL ? gilk_results_split (panel->shared->choice) : NULL;
}

static void
add_picks (GString               *key,
           const GilkSessionPick *picks,
           guint                  n)
{
  for (guint i = 0; i < n; i++)
    g_string_append_printf (key, " %" G_GINT64_FORMAT ".%" G_GINT64_FORMAT, picks[i].hook->run, picks[i].hook->id);
}

/* Returns the key under which the plot is cached: a text with all settings that the plot depends
 * on. (transfer full) */
static char *
make_cache_key (GilkPlotPanel               *panel,
                const GilkFigureAsk         *ask,
                const GilkSessionPick       *picks,
                guint                        n,
                const GilkSessionComparison *comparison,
                const char                  *condition)
{
  const char *split = get_split (panel, n);
  gboolean one = panel->kind == GILK_FIGURE_HISTOGRAM && n == 1 && split == NULL && comparison->n == 0;
  GString *key = g_string_new (NULL);

  g_string_printf (key, "%c%c %u %u %s %ux%u %.17g %.17g %.17g %.17g %s %d %s", ask->log_x ? LOG_X : LINEAR_X,
                   ask->log_y && !one ? 'y' : '-', panel->index, ask->kind, ask->field != NULL ? ask->field : "", ask->columns, ask->rows,
                   ask->from, ask->to, ask->low, ask->high, split != NULL ? split : "", gilk_results_subtracts_cost (panel->shared->choice),
                   condition != NULL ? condition : "");
  add_picks (key, picks, n);
  if (comparison->session != NULL)
    g_string_append_printf (key, " beside %s", comparison->session->path);
  add_picks (key, comparison->picks, comparison->n);

  return g_string_free (key, FALSE);
}

/* Returns the key of the x axis, made from hook, kind, field and scale. As long as the key is the
 * same, the axis keeps its full extent. (transfer full) */
static char *
make_axis_key (GilkPlotPanel *panel)
{
  return g_strdup_printf ("%" G_GINT64_FORMAT " %u %s %d", gilk_results_hook (panel->shared->choice)->id, panel->kind, panel->field, panel->log_x);
}

static void
add_span (GPtrArray                *words,
          const char               *what,
          const GilkSelectionRange *span,
          const char               *unit)
{
  g_autofree char *from = gilk_format_si (span->from, unit != NULL ? unit : "", 3);
  g_autofree char *to = gilk_format_si (span->to, unit != NULL ? unit : "", 3);

  g_ptr_array_add (words, what != NULL ? g_strdup_printf (_("%s %s to %s"), what, from, to)
                                       : g_strdup_printf (_("%s to %s"), from, to));
}

/* Returns a text with the ranges selected in other panels, by which the data of this panel are
 * limited; NULL: there are none. (transfer full) (nullable) */
static char *
describe_ranges (GilkPlotPanel *panel,
                 GilkFigure    *figure)
{
  GilkResultsChoice *choice = panel->shared->choice;
  const GilkSelection *selection = choice->selection;
  GilkSelectionAxis axis = gilk_selection_axis (panel->kind);
  GilkSelectionRange time = gilk_selection_time (selection);
  gboolean calls = g_strcmp0 (panel->field, GILK_ELAPSED) == 0;
  g_autoptr(GPtrArray) words = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *all = NULL, *count = gilk_text_samples (figure->samples);
  const char *field;

  if (axis != GILK_SELECTION_TIME && gilk_selection_is_set (&time))
    add_span (words, NULL, &time, "s");
  for (guint i = 0; (field = gilk_selection_nth_field (selection, i)) != NULL; i++)
    {
      GilkSelectionRange values = gilk_selection_values (selection, field);
      gboolean own = g_strcmp0 (field, panel->field) == 0;

      if (!own && !calls && gilk_results_range_applies (choice, field))
        add_span (words, field, &values, gilk_results_unit (choice, field));
      else if (own && axis != GILK_SELECTION_VALUES)
        add_span (words, NULL, &values, gilk_results_unit (choice, field));
    }
  if (words->len == 0)
    return NULL;
  g_ptr_array_add (words, NULL);
  all = g_strjoinv (", ", (char **) words->pdata);

  return g_strdup_printf (_("only %s: %s"), all, count);
}

/* ---- making panels read samples one after the other ---- */

static gboolean
waits_for_earlier (const GilkPlotPanel *panel)
{
  for (guint i = 0; i < panel->index; i++)
    if (panel->shared->panels[i] != NULL && (panel->shared->panels[i]->reading || panel->shared->panels[i]->must_wait))
      return TRUE;

  return FALSE;
}

/* Returns whether the panel must wait until earlier panels of the page have read their samples. If
 * so, drops the key of the requested plot, so that the next draw requests it again. */
static gboolean
must_wait (GilkPlotPanel *panel)
{
  if (!waits_for_earlier (panel))
    return FALSE;
  g_clear_pointer (&panel->key, g_free);
  panel->must_wait = TRUE;
  gilk_plot_progress_start (panel->progress, NULL, 0);

  return TRUE;
}

static gboolean
can_start (const GilkPlotPanels *shared,
           guint                 i)
{
  return shared->panels[i] != NULL && shared->panels[i]->must_wait && !waits_for_earlier (shared->panels[i]);
}

static gboolean
start_next_idle (gpointer user_data)
{
  GilkPlotPanels *shared = user_data;

  shared->next_source = 0;
  for (guint i = 1; i < GILK_PLOT_PANELS; i++)
    if (can_start (shared, i))
      {
        gilk_plot_panel_draw (shared->panels[i]);
        break;
      }

  return G_SOURCE_REMOVE;
}

/* Starts the next panel in an idle handler, so that the plot just computed is painted first. */
static void
start_next_panel (GilkPlotPanels *shared)
{
  for (guint i = 1; i < GILK_PLOT_PANELS && shared->next_source == 0; i++)
    if (can_start (shared, i))
      shared->next_source = g_idle_add (start_next_idle, shared);
}

/* ---- showing a computed plot ---- */

static void
clear_shared (gpointer data)
{
  g_clear_object (&((GilkPlotPanels *) data)->choice);
}

void
gilk_plot_panels_unref (GilkPlotPanels *shared)
{
  g_rc_box_release_full (shared, clear_shared);
}

gboolean
gilk_plot_panel_is_cancelled (const GError *error)
{
  return g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED) || g_error_matches (error, GILK_ERROR, GILK_ERROR_CANCELLED);
}

GilkPlotData *
gilk_plot_panel_new_missing (GilkResultsChoice *choice)
{
  GilkPlotData *plot = gilk_plot_data_new ();

  plot->message = g_strdup_printf (_("This run has no hook “%s”. Choose a hook that both runs have."), gilk_results_hook (choice)->label);

  return plot;
}

static gboolean
is_one_histogram (const GilkFigure *figure)
{
  return figure != NULL && figure->histogram != NULL && figure->curves->len == 0;
}

static void
show_ranges_in (GilkPlotPanel            *panel,
                GilkPlotView             *plot,
                GilkSelectionAxis         axis,
                const GilkSelectionRange *seen,
                const GilkSelectionRange *mark)
{
  if (axis == GILK_SELECTION_ZOOM_ONLY && panel->index == 0)
    gilk_plot_view_set_range (plot, seen->from, seen->to);
  gilk_plot_view_set_can_mark (plot, axis != GILK_SELECTION_ZOOM_ONLY);
  gilk_plot_view_set_mark (plot, mark->from, mark->to);
}

/* Shows the zoomed and the marked range without computing the plot again. */
static void
show_ranges (GilkPlotPanel *panel)
{
  GilkSelectionRange seen, mark;
  GilkSelectionAxis axis;

  if (!gilk_plot_panel_zoom_axis (panel, &axis))
    return;
  seen = gilk_selection_zoomed (panel->shared->choice->selection, axis, panel->field);
  mark = gilk_selection_marked (panel->shared->choice->selection, axis, panel->field);
  show_ranges_in (panel, panel->plot, axis, &seen, &mark);
  show_ranges_in (panel, panel->compared_plot, axis, &seen, &mark);
}

/* If a session is compared, fills the plot of that session. If the corresponding plot does not
 * exist, shows a message instead. */
static void
set_compared_data (GilkPlotPanel *panel,
                   GilkPlotData  *plot,
                   gboolean       whole)
{
  GilkSession *session = panel->shared->choice->compared;
  g_autofree char *file = session != NULL ? g_path_get_basename (session->path) : NULL;
  const GilkPlotData *there;
  const char *title;
  g_autofree char *name = NULL;

  if (session == NULL)
    return;
  if (plot->comparison == NULL)
    {
      plot->comparison = gilk_plot_data_new ();
      plot->comparison->message = g_strdup (plot->message != NULL ? plot->message
                                            : _("Only plots of samples can be compared side by side. Choose one above."));
    }
  there = plot->comparison;
  gilk_plot_view_set_data (panel->compared_plot, gilk_plot_data_ref (plot->comparison), whole);
  title = there->figure != NULL ? there->figure->title : there->title;
  name = g_strdup_printf ("%s, %s", title != NULL ? title : _("Plot"), file);
  atk_object_set_name (gtk_widget_get_accessible (GTK_WIDGET (panel->compared_plot)), name);
}

/* Returns the longer of the two runs' durations. */
static double
get_longest_duration (GilkPlotPanel *panel)
{
  const GilkSessionRun *there = gilk_results_compared_run (panel->shared->choice);
  double here = gilk_results_run (panel->shared->choice)->run.duration;

  return there != NULL ? MAX (here, there->run.duration) : here;
}

/* Makes the y axis of a single histogram logarithmic or linear. The counts are the same on both
 * scales, so no samples are read again. */
static void
scale_counts (GilkPlotPanel *panel,
              GilkPlotData  *plot)
{
  if (is_one_histogram (plot->figure))
    plot->figure->y.scale = panel->log_y ? GILK_SCALE_LOG : GILK_SCALE_WHOLE;
}

static void
show_plot (GilkPlotPanel *panel,
           GilkPlotData  *plot)
{
  GilkSelectionAxis axis = GILK_SELECTION_ZOOM_ONLY;
  GilkSelectionRange seen = { NAN, NAN };
  g_autofree char *now = make_axis_key (panel);
  gboolean whole;

  if (gilk_plot_panel_zoom_axis (panel, &axis) && axis != GILK_SELECTION_ZOOM_ONLY)
    seen = gilk_selection_zoomed (panel->shared->choice->selection, axis, panel->field);
  gilk_plot_progress_stop (panel->progress);
  scale_counts (panel, plot);
  whole = !gilk_selection_is_set (&seen) || g_strcmp0 (now, panel->axis) != 0;
  gilk_plot_view_set_data (panel->plot, plot, whole);
  set_compared_data (panel, plot, whole);
  if (axis == GILK_SELECTION_TIME && gilk_selection_is_set (&seen))
    {
      gilk_plot_view_set_full_range (panel->plot, 0.0, get_longest_duration (panel));
      gilk_plot_view_set_full_range (panel->compared_plot, 0.0, get_longest_duration (panel));
    }
  g_free (panel->axis);
  panel->axis = g_steal_pointer (&now);
  panel->failed = FALSE;
  show_ranges (panel);
  if (panel->index == 0)
    g_signal_emit_by_name (panel->shared->page, "plot-shown", plot);
  panel->reading = FALSE;
  start_next_panel (panel->shared);
}

/* Caches the plot. If the same plot with the other scale (linear or logarithmic) of the x axis was
 * computed as well, caches that one, too. */
static void
cache_plot (GilkPlotPanel *panel,
            GilkPlotData  *plot)
{
  g_autofree char *key = g_strdup (panel->key);
  GilkPlotData *other;

  gilk_plot_cache_put (panel->shared->cache, key, plot);
  if (plot->figure == NULL || plot->figure->other == NULL)
    return;
  other = gilk_plot_data_new ();
  other->figure = g_steal_pointer (&plot->figure->other);
  *key = *key == LOG_X ? LINEAR_X : LOG_X;
  gilk_plot_cache_put (panel->shared->cache, key, other);
  gilk_plot_data_free (other);
}

static GilkPlotPanel *
find_panel (GilkPlotPanels *shared,
            GCancellable   *making)
{
  for (guint i = 0; i < GILK_PLOT_PANELS; i++)
    if (shared->panels[i] != NULL && shared->panels[i]->cancellable == making)
      return shared->panels[i];

  return NULL;
}

/* Replaces the old plot, which belongs to another request, with the error. */
static void
show_failure (GilkPlotPanel *panel,
              const GError  *error)
{
  GilkPlotData *plot = gilk_plot_data_new ();

  plot->message = g_strdup (error->message);
  show_plot (panel, plot);
  panel->failed = TRUE;
}

void
gilk_plot_panel_finish (GilkPlotPanels *shared,
                        GAsyncResult   *result,
                        GilkPlotData   *plot,
                        const GError   *error)
{
  GilkPlotPanel *panel = find_panel (shared, g_task_get_cancellable (G_TASK (result)));

  if (panel == NULL || (plot == NULL && gilk_plot_panel_is_cancelled (error)))
    {
      g_clear_pointer (&plot, gilk_plot_data_free);
      return;
    }
  if (plot == NULL)
    {
      show_failure (panel, error);
      return;
    }
  cache_plot (panel, plot);
  show_plot (panel, plot);
}

/* ---- computing figures of samples ---- */

/* Makes a plot of @figure (transfer full). Returns: (transfer full) */
static GilkPlotData *
new_plot (GilkPlotPanel *panel,
          GilkFigure    *figure)
{
  GilkPlotData *plot = gilk_plot_data_new ();
  g_autofree char *words = panel->index > 0 ? describe_ranges (panel, figure) : NULL;

  if (words != NULL)
    {
      g_free (figure->subtitle);
      figure->subtitle = g_steal_pointer (&words);
    }
  plot->figure = figure;

  return plot;
}

/* Makes a plot of @figure (transfer full). If a session is compared, adds a plot of @comparison
 * (transfer full) (nullable). If @comparison is NULL, the added plot has only a message: the
 * message of @figure or, if there is none, that the other run lacks the hook. Returns:
 * (transfer full) */
static GilkPlotData *
new_plot_pair (GilkPlotPanel *panel,
               GilkFigure    *figure,
               GilkFigure    *comparison)
{
  GilkPlotData *plot;

  plot = new_plot (panel, figure);
  if (gilk_results_compared_run (panel->shared->choice) == NULL)
    return plot;
  if (comparison != NULL)
    plot->comparison = new_plot (panel, comparison);
  else if (figure->message == NULL)
    plot->comparison = gilk_plot_panel_new_missing (panel->shared->choice);
  else
    {
      plot->comparison = gilk_plot_data_new ();
      plot->comparison->message = g_strdup (figure->message);
    }

  return plot;
}

/* Shows a preliminary figure, computed before all samples were read. */
static void
preview_ready (GCancellable *cancellable,
               GilkFigure   *figure,
               gpointer      user_data)
{
  GilkPlotPanel *panel = find_panel (user_data, cancellable);

  if (panel == NULL)
    {
      gilk_figure_free (figure);
      return;
    }
  show_plot (panel, new_plot (panel, figure));
  panel->reading = TRUE;
  gilk_plot_progress_move_to_corner (panel->progress);
}

/* Shows the distance (difference of the distributions) between the two series of the first plot. It
 * arrives after the figure, because computing it takes longer, but it belongs to the figure that is
 * still shown, because a new figure would have cancelled the computation. */
static void
distance_cb (GObject      *object,
             GAsyncResult *result,
             gpointer      user_data)
{
  g_autoptr(GilkPlotPanels) shared = user_data;
  g_autoptr(GError) error = NULL;
  GilkFigureCompared *compared = gilk_session_distance_finish (result, &error);
  GilkPlotPanel *panel = find_panel (shared, g_task_get_cancellable (G_TASK (result)));
  GilkPlotData *plot;

  if (error != NULL && shared->page != NULL)
    g_signal_emit_by_name (shared->page, "failed", error);
  if (panel == NULL || error != NULL)
    {
      g_clear_pointer (&compared, gilk_figure_compared_free);
      return;
    }
  plot = gilk_plot_view_data (panel->plot);
  plot->compared = compared;
  if (compared != NULL)
    {
      gilk_plot_view_add_caption (panel->plot, compared->words);
      if (plot->comparison != NULL)
        gilk_plot_view_add_caption (panel->compared_plot, compared->words);
    }
  g_signal_emit_by_name (shared->page, "compared", compared);
  gilk_plot_cache_put (shared->cache, panel->key, plot);
}

static void
figure_cb (GObject      *object,
           GAsyncResult *result,
           gpointer      user_data)
{
  g_autoptr(GilkPlotPanels) shared = user_data;
  g_autoptr(GError) error = NULL;
  g_autoptr(GilkFigure) comparison = NULL, figure = gilk_session_figure_finish (result, &comparison, &error);
  GilkPlotPanel *panel = find_panel (shared, g_task_get_cancellable (G_TASK (result)));
  gboolean two;

  if (panel == NULL || figure == NULL)
    {
      gilk_plot_panel_finish (shared, result, NULL, error);
      return;
    }
  two = figure->curves->len + (comparison != NULL ? comparison->curves->len : 0) == 2;
  if (panel->index > 0 || !two)
    gilk_plot_panel_finish (shared, result, new_plot_pair (panel, g_steal_pointer (&figure), g_steal_pointer (&comparison)), NULL);
  else
    {
      show_plot (panel, new_plot_pair (panel, g_steal_pointer (&figure), g_steal_pointer (&comparison)));
      gilk_session_distance_async (result, distance_cb, g_rc_box_acquire (shared));
    }
}

/* Returns the number of samples to read, used to show progress; 0: unknown, because the plot is
 * split by a field, or uses only the samples that meet a condition. */
static uint64_t
count_samples_to_read (GilkPlotPanel         *panel,
                       const GilkFigureAsk   *ask,
                       const GilkSessionPick *picks,
                       guint                  n,
                       const char            *condition)
{
  double duration = gilk_results_run (panel->shared->choice)->run.duration, all = 0.0, part = 1.0;

  for (guint i = 0; i < n; i++)
    all += (double) picks[i].hook->stored;
  if (duration > 0.0 && (!isnan (ask->from) || !isnan (ask->to)))
    part = CLAMP (((isnan (ask->to) ? duration : ask->to) - (isnan (ask->from) ? 0.0 : ask->from)) / duration, 0.0, 1.0);
  if (ask->kind == GILK_FIGURE_HISTOGRAM && n == 1)
    all *= PASSES;

  return get_split (panel, n) == NULL && condition == NULL ? (uint64_t) (all * part) : 0;
}

static void
start_figure (GilkPlotPanel               *panel,
              GilkFigureAsk               *ask,
              const GilkSessionPick       *picks,
              guint                        n,
              const GilkSessionComparison *comparison,
              const char                  *condition)
{
  GilkResultsChoice *choice = panel->shared->choice;
  gboolean lasts = gilk_field_is_duration (ask->field);
  GCancellable *making;

  ask->read = g_atomic_rc_box_new0 (gsize);
  making = gilk_plot_panel_start (panel, ask->read, count_samples_to_read (panel, ask, picks, n, condition) +
                                  count_samples_to_read (panel, ask, comparison->picks, comparison->n, condition));
  gilk_session_figure_async (choice->session, ask, picks, n, comparison->n > 0 ? comparison : NULL, get_split (panel, n), condition,
                             lasts && gilk_results_subtracts_cost (choice), making, preview_ready, figure_cb, g_rc_box_acquire (panel->shared));
}

/* Draws the plot, or computes it first if it is not available. Does nothing until the plot has a
 * size. */
void
gilk_plot_panel_draw (GilkPlotPanel *panel)
{
  GilkResultsChoice *choice = panel->shared->choice;
  GilkSessionPick picks[GILK_RESULTS_HOOKS_MAX], others[GILK_RESULTS_HOOKS_MAX];
  GilkFigureAsk ask = make_query (panel);
  GilkSessionComparison comparison = { choice->compared, others, 0 };
  g_autofree char *condition = gilk_selection_remaining_condition (choice->selection, gilk_results_hook_fields (choice), &ask), *key = NULL;
  guint all, n, there;

  if (gtk_widget_get_allocated_width (GTK_WIDGET (panel->plot)) <= 1)
    return;
  all = gilk_results_hooks (choice, picks, GILK_RESULTS_HOOKS_MAX);
  there = gilk_results_compared_hooks (choice, others, GILK_RESULTS_HOOKS_MAX);
  n = panel->index > 0 && panel->kind == GILK_FIGURE_HEAT ? 1 : all;
  comparison.n = MIN (n, there);
  key = make_cache_key (panel, &ask, picks, n, &comparison, condition);
  if (gilk_plot_panel_request (panel, key) && !must_wait (panel))
    start_figure (panel, &ask, picks, n, &comparison, condition);
  gilk_results_hooks_clear (picks, all);
  gilk_results_hooks_clear (others, there);
}

/* ---- starting and cancelling computations ---- */

/* Updates only the axes and marks of a plot that is already shown or being computed. */
static void
keep_plot (GilkPlotPanel *panel)
{
  if (!gilk_plot_view_has_plot (panel->plot))
    return;
  scale_counts (panel, gilk_plot_view_data (panel->plot));
  gilk_plot_view_changed (panel->plot);
  show_ranges (panel);
  if (panel->index == 0 && panel->shared->range_only)
    g_signal_emit_by_name (panel->shared->page, "compared", gilk_plot_view_data (panel->plot)->compared);
  else if (panel->index == 0)
    g_signal_emit_by_name (panel->shared->page, "plot-shown", gilk_plot_view_data (panel->plot));
}

gboolean
gilk_plot_panel_request (GilkPlotPanel *panel,
                         const char    *key)
{
  GilkPlotData *before;

  if (g_strcmp0 (key, panel->key) == 0 && (panel->shared->range_only || !panel->failed))
    {
      keep_plot (panel);
      return FALSE;
    }
  gilk_plot_panel_cancel (panel);
  panel->key = g_strdup (key);
  before = gilk_plot_cache_get (panel->shared->cache, key);
  if (before != NULL)
    show_plot (panel, before);

  return before == NULL;
}

GCancellable *
gilk_plot_panel_start (GilkPlotPanel *panel,
                       gsize         *read,
                       uint64_t       to_read)
{
  g_clear_object (&panel->cancellable);
  panel->cancellable = g_cancellable_new ();
  panel->reading = TRUE;
  gilk_plot_progress_start (panel->progress, read, to_read);

  return panel->cancellable;
}

void
gilk_plot_panel_cancel (GilkPlotPanel *panel)
{
  gilk_cancel (&panel->cancellable);
  g_clear_pointer (&panel->key, g_free);
  gilk_plot_progress_stop (panel->progress);
  panel->reading = panel->must_wait = FALSE;
  start_next_panel (panel->shared);
}

void
gilk_plot_panel_show_plot (GilkPlotPanel *panel,
                           GilkPlotData  *plot)
{
  gilk_plot_panel_cancel (panel);
  gilk_plot_view_set_mark (panel->plot, NAN, NAN);
  gilk_plot_view_set_mark (panel->compared_plot, NAN, NAN);
  gilk_plot_view_set_data (panel->plot, plot, TRUE);
  set_compared_data (panel, plot, TRUE);
}

void
gilk_plot_panel_show_message (GilkPlotPanel *panel,
                              const char    *message)
{
  GilkPlotData *plot = gilk_plot_data_new ();

  plot->message = g_strdup (message);
  gilk_plot_panel_show_plot (panel, plot);
}

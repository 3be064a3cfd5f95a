/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-results-card.c - one plot panel of the results page, computed by a task of its own
 */
#include "gui/gilk-results-card.h"

#include <glib/gi18n.h>
#include <math.h>

#include "core/analysis/gilk-hook-field.h"
#include "gui/gilk-text.h"

#define LOG_X    'x'                /* first character of a single histogram's key */
#define LINEAR_X '-'
#define PASSES   2                  /* passes over a histogram's samples; there may be one more */

/* ---- the request ---- */

GilkFigureAsk
gilk_results_card_ask (GilkResultsCard *card)
{
  GilkFigureAsk ask = gilk_figure_ask (card->kind, card->field);

  ask.log_x = card->log_x;
  ask.log_y = card->log_y;
  gilk_plot_view_pixels (card->plot, &ask.columns, &ask.rows);
  gilk_look_narrow (card->view->look, &ask);

  return ask;
}

gboolean
gilk_results_card_axis (GilkResultsCard *card,
                        GilkLookAxis    *axis)
{
  if (card->kind != GILK_FIGURE_N_KINDS)
    *axis = gilk_look_axis (card->kind);
  else if (card->index == 0 && gilk_results_is_kept_histogram (card->view))
    *axis = GILK_LOOK_CLOSER;
  else
    return FALSE;

  return TRUE;
}

/* (nullable) */
static const char *
split_of (GilkResultsCard *card,
          guint            n)
{
  return n == 1 && card->kind != GILK_FIGURE_HEAT && g_strcmp0 (card->field, GILK_ELAPSED) != 0 &&
         gilk_results_beside_run (card->view->beside) == NULL ? gilk_results_split (card->view) : NULL;
}

static void
add_picks (GString               *key,
           const GilkSessionPick *picks,
           guint                  n)
{
  for (guint i = 0; i < n; i++)
    g_string_append_printf (key, " %" G_GINT64_FORMAT ".%" G_GINT64_FORMAT, picks[i].hook->run, picks[i].hook->id);
}

/* Returns the cache key. (transfer full) */
static char *
make_key (GilkResultsCard         *card,
          const GilkFigureAsk     *ask,
          const GilkSessionPick   *picks,
          guint                    n,
          const GilkSessionBeside *beside,
          const char              *condition)
{
  const char *split = split_of (card, n);
  gboolean one = card->kind == GILK_FIGURE_HISTOGRAM && n == 1 && split == NULL && beside->n == 0;
  GString *key = g_string_new (NULL);

  g_string_printf (key, "%c%c %u %u %s %ux%u %.17g %.17g %.17g %.17g %s %d %s", ask->log_x ? LOG_X : LINEAR_X,
                   ask->log_y && !one ? 'y' : '-', card->index, ask->kind, ask->field != NULL ? ask->field : "", ask->columns, ask->rows,
                   ask->from, ask->to, ask->low, ask->high, split != NULL ? split : "", gilk_results_subtract (card->view),
                   condition != NULL ? condition : "");
  add_picks (key, picks, n);
  if (beside->session != NULL)
    g_string_append_printf (key, " beside %s", beside->session->path);
  add_picks (key, beside->picks, beside->n);

  return g_string_free (key, FALSE);
}

/* Returns what the x axis depends on, such as "asleep histogram x", to keep its full extent while
 * it is the same. (transfer full) */
static char *
axis_words (GilkResultsCard *card)
{
  return g_strdup_printf ("%" G_GINT64_FORMAT " %u %s %d", gilk_results_hook (card->view)->id, card->kind, card->field, card->log_x);
}

static void
add_span (GPtrArray          *words,
          const char         *what,
          const GilkLookSpan *span,
          const char         *unit)
{
  g_autofree char *from = gilk_format_si (span->from, unit != NULL ? unit : "", 3);
  g_autofree char *to = gilk_format_si (span->to, unit != NULL ? unit : "", 3);

  g_ptr_array_add (words, what != NULL ? g_strdup_printf (_("%s %s to %s"), what, from, to)
                                       : g_strdup_printf (_("%s to %s"), from, to));
}

/* Returns the text of a small panel: the ranges marked in other panels. (transfer
 * full) (nullable): none */
static char *
narrowed_words (GilkResultsCard *card,
                GilkFigure      *figure)
{
  GilkLook *look = card->view->look;
  GilkLookAxis axis = gilk_look_axis (card->kind);
  GilkLookSpan time = gilk_look_time (look);
  gboolean calls = g_strcmp0 (card->field, GILK_ELAPSED) == 0;
  g_autoptr(GPtrArray) words = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *all = NULL, *count = gilk_text_samples (figure->samples);
  const char *field;

  if (axis != GILK_LOOK_TIME && gilk_look_is_set (&time))
    add_span (words, NULL, &time, "s");
  for (guint i = 0; (field = gilk_look_nth_field (look, i)) != NULL; i++)
    {
      GilkLookSpan values = gilk_look_values (look, field);
      gboolean own = g_strcmp0 (field, card->field) == 0;

      if (!own && !calls && gilk_results_narrows (card->view, field))
        add_span (words, field, &values, gilk_results_unit (card->view, field));
      else if (own && axis != GILK_LOOK_VALUES)
        add_span (words, NULL, &values, gilk_results_unit (card->view, field));
    }
  if (words->len == 0)
    return NULL;
  g_ptr_array_add (words, NULL);
  all = g_strjoinv (", ", (char **) words->pdata);

  return g_strdup_printf (_("only %s: %s"), all, count);
}

/* ---- results ---- */

static gboolean
is_one_histogram (const GilkFigure *figure)
{
  return figure != NULL && figure->histogram != NULL && figure->curves->len == 0;
}

static void
show_look_in (GilkResultsCard    *card,
              GilkPlotView       *plot,
              GilkLookAxis        axis,
              const GilkLookSpan *seen,
              const GilkLookSpan *mark)
{
  if (axis == GILK_LOOK_CLOSER && card->index == 0)
    gilk_plot_view_look (plot, seen->from, seen->to);
  gilk_plot_view_set_marks (plot, axis != GILK_LOOK_CLOSER);
  gilk_plot_view_set_mark (plot, mark->from, mark->to);
}

/* Shows the zoomed and the marked range without computing the plot again. */
static void
show_look (GilkResultsCard *card)
{
  GilkLookSpan seen, mark;
  GilkLookAxis axis;

  if (!gilk_results_card_axis (card, &axis))
    return;
  seen = gilk_look_seen (card->view->look, axis, card->field);
  mark = gilk_look_marked (card->view->look, axis, card->field);
  show_look_in (card, card->plot, axis, &seen, &mark);
  show_look_in (card, card->twin, axis, &seen, &mark);
}

/* Fills the comparison plot, if a session is compared; a plot without a
 * counterpart gets a message. */
static void
take_twin (GilkResultsCard *card,
           GilkPlotData    *plot,
           gboolean         whole)
{
  GilkSession *session = gilk_results_beside_session (card->view->beside);
  g_autofree char *file = session != NULL ? g_path_get_basename (session->path) : NULL;
  const GilkPlotData *there;
  const char *title;
  g_autofree char *name = NULL;

  if (session == NULL)
    return;
  if (plot->beside == NULL)
    {
      plot->beside = gilk_plot_data_new ();
      plot->beside->message = g_strdup (plot->message != NULL ? plot->message
                                        : _("Only plots of samples can be compared side by side. Choose one above."));
    }
  there = plot->beside;
  gilk_plot_view_take_data (card->twin, gilk_plot_data_ref (plot->beside), whole);
  title = there->figure != NULL ? there->figure->title : there->title;
  name = g_strdup_printf ("%s, %s", title != NULL ? title : _("Plot"), file);
  atk_object_set_name (gtk_widget_get_accessible (GTK_WIDGET (card->twin)), name);
}

/* Returns the longer of the two runs' durations. */
static double
longest (GilkResultsCard *card)
{
  const GilkSessionRun *there = gilk_results_beside_run (card->view->beside);
  double here = gilk_results_run (card->view)->run.duration;

  return there != NULL ? MAX (here, there->run.duration) : here;
}

/* Switches the y axis of a single histogram: its counts are the same on both, so
 * nothing is read again. */
static void
scale_counts (GilkResultsCard *card,
              GilkPlotData    *plot)
{
  if (is_one_histogram (plot->figure))
    plot->figure->y.scale = card->log_y ? GILK_SCALE_LOG : GILK_SCALE_WHOLE;
}

static void
take (GilkResultsCard *card,
      GilkPlotData    *plot)
{
  GilkLookAxis axis = GILK_LOOK_CLOSER;
  GilkLookSpan seen = { NAN, NAN };
  g_autofree char *now = axis_words (card);
  gboolean whole;

  if (gilk_results_card_axis (card, &axis) && axis != GILK_LOOK_CLOSER)
    seen = gilk_look_seen (card->view->look, axis, card->field);
  gilk_plot_waiting_end (card->waiting);
  scale_counts (card, plot);
  whole = !gilk_look_is_set (&seen) || g_strcmp0 (now, card->axis) != 0;
  gilk_plot_view_take_data (card->plot, plot, whole);
  take_twin (card, plot, whole);
  if (axis == GILK_LOOK_TIME && gilk_look_is_set (&seen))
    {
      gilk_plot_view_set_whole (card->plot, 0.0, longest (card));
      gilk_plot_view_set_whole (card->twin, 0.0, longest (card));
    }
  g_free (card->axis);
  card->axis = g_steal_pointer (&now);
  card->failed = FALSE;
  show_look (card);
  if (card->index == 0)
    gilk_results_show_panel (card->view, plot);
  card->reading = FALSE;
  gilk_results_go_on (card->view);
}

/* Caches the plot, and the variant with the other x axis if it was computed as well. */
static void
shelve (GilkResultsCard *card,
        GilkPlotData    *plot)
{
  g_autofree char *key = g_strdup (card->key);
  GilkPlotData *other;

  gilk_plot_shelf_put (card->view->shelf, key, plot);
  if (plot->figure == NULL || plot->figure->other == NULL)
    return;
  other = gilk_plot_data_new ();
  other->figure = g_steal_pointer (&plot->figure->other);
  *key = *key == LOG_X ? LINEAR_X : LOG_X;
  gilk_plot_shelf_put (card->view->shelf, key, other);
  gilk_plot_data_free (other);
}

static GilkResultsCard *
card_of (GilkResultsView *self,
         GCancellable    *making)
{
  for (guint i = 0; i < GILK_RESULTS_CARDS; i++)
    if (self->cards[i] != NULL && self->cards[i]->making == making)
      return self->cards[i];

  return NULL;
}

/* Replaces the old plot, which belongs to another request, by the error. */
static void
take_failure (GilkResultsCard *card,
              const GError    *error)
{
  GilkPlotData *plot = gilk_plot_data_new ();

  plot->message = g_strdup (error->message);
  take (card, plot);
  card->failed = TRUE;
}

void
gilk_results_card_made (GilkResultsView *self,
                        GAsyncResult    *result,
                        GilkPlotData    *plot,
                        const GError    *error)
{
  GilkResultsCard *card = card_of (self, g_task_get_cancellable (G_TASK (result)));

  if (card == NULL || (plot == NULL && gilk_results_is_cancelled (error)))
    {
      g_clear_pointer (&plot, gilk_plot_data_free);
      return;
    }
  if (plot == NULL)
    {
      take_failure (card, error);
      return;
    }
  shelve (card, plot);
  take (card, plot);
}

/* ---- figures ---- */

/* @figure: (transfer full). Returns: (transfer full) */
static GilkPlotData *
new_plot (GilkResultsCard *card,
          GilkFigure      *figure)
{
  GilkPlotData *plot = gilk_plot_data_new ();
  g_autofree char *words = card->index > 0 ? narrowed_words (card, figure) : NULL;

  if (words != NULL)
    {
      g_free (figure->subtitle);
      figure->subtitle = g_steal_pointer (&words);
    }
  plot->figure = figure;

  return plot;
}

/* @beside: (transfer full) (nullable): no such hook in the other run, or neither can be drawn.
 * Returns: (transfer full) */
static GilkPlotData *
new_pair (GilkResultsCard *card,
          GilkFigure      *figure,
          GilkFigure      *beside)
{
  GilkPlotData *plot;

  plot = new_plot (card, figure);
  if (gilk_results_beside_run (card->view->beside) == NULL)
    return plot;
  if (beside != NULL)
    plot->beside = new_plot (card, beside);
  else if (figure->message == NULL)
    plot->beside = gilk_results_beside_missing (card->view->beside);
  else
    {
      plot->beside = gilk_plot_data_new ();
      plot->beside->message = g_strdup (figure->message);
    }

  return plot;
}

/* Shows a preliminary figure while reading continues. */
static void
figure_soon (GCancellable *cancellable,
             GilkFigure   *figure,
             gpointer      user_data)
{
  GilkResultsCard *card = card_of (user_data, cancellable);

  if (card == NULL)
    {
      gilk_figure_free (figure);
      return;
    }
  take (card, new_plot (card, figure));
  card->reading = TRUE;
  gilk_plot_waiting_go_on (card->waiting);
}

/* Shows the distance between the two series of the first plot, which takes longer than the figure.
 * The plot is still the one it was computed for: another one would have cancelled the task. */
static void
distance_cb (GObject      *object,
             GAsyncResult *result,
             gpointer      user_data)
{
  g_autoptr(GilkResultsView) self = user_data;
  g_autoptr(GError) error = NULL;
  GilkFigureCompared *compared = gilk_session_distance_finish (result, &error);
  GilkResultsCard *card = card_of (self, g_task_get_cancellable (G_TASK (result)));
  GilkPlotData *plot;

  if (error != NULL)
    gilk_results_report (self, error);
  if (card == NULL || error != NULL)
    {
      g_clear_pointer (&compared, gilk_figure_compared_free);
      return;
    }
  plot = gilk_plot_view_data (card->plot);
  plot->compared = compared;
  if (compared != NULL)
    {
      gilk_plot_view_say (card->plot, compared->words);
      if (plot->beside != NULL)
        gilk_plot_view_say (card->twin, compared->words);
    }
  gilk_results_show_compared (self, compared);
  gilk_plot_shelf_put (self->shelf, card->key, plot);
}

static void
figure_cb (GObject      *object,
           GAsyncResult *result,
           gpointer      user_data)
{
  g_autoptr(GilkResultsView) self = user_data;
  g_autoptr(GError) error = NULL;
  g_autoptr(GilkFigure) beside = NULL, figure = gilk_session_figure_finish (result, &beside, &error);
  GilkResultsCard *card = card_of (self, g_task_get_cancellable (G_TASK (result)));
  gboolean two;

  if (card == NULL || figure == NULL)
    {
      gilk_results_card_made (self, result, NULL, error);
      return;
    }
  two = figure->curves->len + (beside != NULL ? beside->curves->len : 0) == 2;
  if (card->index > 0 || !two)
    gilk_results_card_made (self, result, new_pair (card, g_steal_pointer (&figure), g_steal_pointer (&beside)), NULL);
  else
    {
      take (card, new_pair (card, g_steal_pointer (&figure), g_steal_pointer (&beside)));
      gilk_session_distance_async (result, distance_cb, g_object_ref (self));
    }
}

/* Returns the number of samples to read, for the progress; 0: unknown. The samples are read once
 * per part of a split, and those excluded by a condition are not counted. */
static uint64_t
samples_to_read (GilkResultsCard       *card,
                 const GilkFigureAsk   *ask,
                 const GilkSessionPick *picks,
                 guint                  n,
                 const char            *condition)
{
  double duration = gilk_results_run (card->view)->run.duration, all = 0.0, part = 1.0;

  for (guint i = 0; i < n; i++)
    all += (double) picks[i].hook->stored;
  if (duration > 0.0 && (!isnan (ask->from) || !isnan (ask->to)))
    part = CLAMP (((isnan (ask->to) ? duration : ask->to) - (isnan (ask->from) ? 0.0 : ask->from)) / duration, 0.0, 1.0);
  if (ask->kind == GILK_FIGURE_HISTOGRAM && n == 1)
    all *= PASSES;

  return split_of (card, n) == NULL && condition == NULL ? (uint64_t) (all * part) : 0;
}

static void
make (GilkResultsCard         *card,
      GilkFigureAsk           *ask,
      const GilkSessionPick   *picks,
      guint                    n,
      const GilkSessionBeside *beside,
      const char              *condition)
{
  GilkResultsView *self = card->view;
  gboolean lasts = gilk_field_is_duration (ask->field);
  GCancellable *making;

  ask->read = g_atomic_rc_box_new0 (gsize);
  making = gilk_results_card_begin (card, ask->read, samples_to_read (card, ask, picks, n, condition) +
                                    samples_to_read (card, ask, beside->picks, beside->n, condition));
  gilk_session_figure_async (self->session, ask, picks, n, beside->n > 0 ? beside : NULL, split_of (card, n), condition,
                             lasts && gilk_results_subtract (self), making, figure_soon, figure_cb, g_object_ref (self));
}

/* A plot without a size is computed once it has one. */
void
gilk_results_card_draw (GilkResultsCard *card)
{
  GilkSessionPick picks[GILK_RESULTS_PICKS_MAX], others[GILK_RESULTS_PICKS_MAX];
  GilkFigureAsk ask = gilk_results_card_ask (card);
  GilkSessionBeside beside = { gilk_results_beside_session (card->view->beside), others, 0 };
  g_autofree char *condition = gilk_look_others (card->view->look, gilk_results_fields (card->view), &ask), *key = NULL;
  guint all, n, there;

  if (gtk_widget_get_allocated_width (GTK_WIDGET (card->plot)) <= 1)
    return;
  all = gilk_results_picks (card->view, picks, GILK_RESULTS_PICKS_MAX);
  there = gilk_results_beside_picks (card->view->beside, others, GILK_RESULTS_PICKS_MAX);
  n = card->index > 0 && card->kind == GILK_FIGURE_HEAT ? 1 : all;
  beside.n = MIN (n, there);
  key = make_key (card, &ask, picks, n, &beside, condition);
  if (gilk_results_card_want (card, key) && !gilk_results_wait_turn (card))
    make (card, &ask, picks, n, &beside, condition);
  gilk_results_picks_clear (picks, all);
  gilk_results_picks_clear (others, there);
}

/* ---- requests and cancellation ---- */

/* Updates only axes and marks: the plot is already shown or being computed. */
static void
keep (GilkResultsCard *card)
{
  if (!gilk_plot_view_has_plot (card->plot))
    return;
  scale_counts (card, gilk_plot_view_data (card->plot));
  gilk_plot_view_changed (card->plot);
  show_look (card);
  if (card->index == 0 && card->view->only_look)
    gilk_results_show_compared (card->view, gilk_plot_view_data (card->plot)->compared);
  else if (card->index == 0)
    gilk_results_show_panel (card->view, gilk_plot_view_data (card->plot));
}

gboolean
gilk_results_card_want (GilkResultsCard *card,
                        const char      *key)
{
  GilkPlotData *before;

  if (g_strcmp0 (key, card->key) == 0 && (card->view->only_look || !card->failed))
    {
      keep (card);
      return FALSE;
    }
  gilk_results_card_stop (card);
  card->key = g_strdup (key);
  before = gilk_plot_shelf_get (card->view->shelf, key);
  if (before != NULL)
    take (card, before);

  return before == NULL;
}

GCancellable *
gilk_results_card_begin (GilkResultsCard *card,
                         gsize           *read,
                         uint64_t         to_read)
{
  g_clear_object (&card->making);
  card->making = g_cancellable_new ();
  card->reading = TRUE;
  gilk_plot_waiting_begin (card->waiting, read, to_read);

  return card->making;
}

void
gilk_results_card_stop (GilkResultsCard *card)
{
  if (card->making != NULL)
    g_cancellable_cancel (card->making);
  g_clear_object (&card->making);
  g_clear_pointer (&card->key, g_free);
  gilk_plot_waiting_end (card->waiting);
  card->reading = card->waits = FALSE;
  gilk_results_go_on (card->view);
}

void
gilk_results_card_put (GilkResultsCard *card,
                       GilkPlotData    *plot)
{
  gilk_results_card_stop (card);
  gilk_plot_view_set_mark (card->plot, NAN, NAN);
  gilk_plot_view_set_mark (card->twin, NAN, NAN);
  gilk_plot_view_take_data (card->plot, plot, TRUE);
  take_twin (card, plot, TRUE);
}

void
gilk_results_card_say (GilkResultsCard *card,
                       const char      *message)
{
  GilkPlotData *plot = gilk_plot_data_new ();

  plot->message = g_strdup (message);
  gilk_results_card_put (card, plot);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-results-plot.c - what is plotted of a session: drawn, and what is missing of it
 */
#include "gui/gilk-results-private.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#include "core/run/gilk-plan.h"
#include "gui/gilk-results-figures.h"
#include "gui/gilk-results-lists.h"
#include "gui/gilk-session-kept.h"
#include "gui/gilk-text.h"

#define LOG_X      'x'              /* what the key of one histogram begins with */
#define LINEAR_X   '-'
#define RESIZED_MS 150              /* between two sizes of a window that is being dragged */

/* ---- the panel on the right ---- */

/* Was it the plan's wish that old samples are given up? */
static gboolean
overwrites (GilkResultsView *self,
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
    g_strdup_printf (lost > 0 && overwrites (self, run)
                     ? _("%s samples, the oldest, were given up: the plan keeps the last ones. Counts stay exact.")
                     : _("%s samples were lost because the rings were full. "
                         "Counts stay exact; times and distributions miss them."), count);

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
  if (!gilk_stored_hook_is_watch (hook) || hook->dropped == 0)
    return;
  words = gilk_text_pauses (hook->dropped);
  lost = hook->lost > 0 ? gtk_label_get_text (self->loss_label) : "";
  both = g_strconcat (lost, *lost != '\0' ? "\n\n" : "", words, NULL);
  gtk_label_set_text (self->loss_label, both);
  gtk_widget_set_visible (self->loss_box, TRUE);
}

/* ---- drawing ---- */

static gboolean
is_one_histogram (const GilkFigure *figure)
{
  return figure != NULL && figure->histogram != NULL && figure->curves->len == 0;
}

/* @command without an option and its value. (transfer full) */
static char *
without (const char *command,
         const char *option)
{
  const char *at = strstr (command, option);
  const char *end = at != NULL ? strstr (at + strlen (option), " --") : NULL;

  return at == NULL ? g_strdup (command) : g_strdup_printf ("%.*s%s", (int) (at - command), command, end != NULL ? end : "");
}

/* All that a plot depends on, which is what its command says: but for the part that is only looked at, and the y axis of
 * one histogram, whose counts are the same. (transfer full) */
static char *
make_key (GilkResultsView *self)
{
  g_autofree char *command = gilk_results_make_command (self);
  g_autofree char *key = without (command, " --show");
  g_autoptr(GArray) rows = gilk_results_chosen (self->hooks);
  g_autofree char *counts = NULL;
  const char *other = gtk_combo_box_get_active_id (GTK_COMBO_BOX (self->compare));
  GilkFigureKind kind;

  if (!gilk_results_kind (self, &kind) || kind != GILK_FIGURE_HISTOGRAM || rows->len > 1 || gilk_results_split (self) != NULL ||
      (other != NULL && *other != '\0'))
    return g_steal_pointer (&key);
  counts = without (key, " --log");

  return g_strdup_printf ("%c %s", gilk_results_axis (self->log_x) ? LOG_X : LINEAR_X, counts);
}

/* What its x axis has at most is known where all of it was seen, or where it is the run's time. */
static void
set_whole (GilkResultsView *self,
           gboolean         whole)
{
  const GilkSessionRun *run = gilk_results_run (self);
  GilkFigureKind kind;

  if (!whole && gilk_results_kind (self, &kind) &&
      (kind == GILK_FIGURE_SERIES || kind == GILK_FIGURE_RATE || kind == GILK_FIGURE_HEAT))
    gilk_plot_view_set_whole (self->plot, 0.0, run->run.duration);
}

/* "asleep interval histogram 1": of what an axis is. (transfer full) */
static char *
axis_of (GilkResultsView *self)
{
  return g_strdup_printf ("%" G_GINT64_FORMAT " %s %s %d", gilk_results_hook (self)->id, gilk_results_quantity (self),
                          gtk_combo_box_get_active_id (GTK_COMBO_BOX (self->kind)), gilk_results_axis (self->log_x));
}

static void
show_mark (GilkResultsView *self)
{
  const GilkLookSpan mark = gilk_results_marked (self);
  GilkFigureKind kind;

  gilk_plot_view_set_marks (self->plot, gilk_results_kind (self, &kind) && gilk_look_axis (kind) != GILK_LOOK_CLOSER);
  gilk_plot_view_set_mark (self->plot, mark.from, mark.to);
}

static void
take (GilkResultsView *self,
      GilkPlotData    *plot)
{
  const GilkLookSpan closer = gilk_results_closer (self);
  g_autofree char *axis = axis_of (self);
  const GilkLookSpan span = gilk_results_seen (self);
  gboolean all = !gilk_look_is_set (&span);
  gboolean seen = g_strcmp0 (axis, self->whole_of) == 0;

  gilk_results_stop_waiting (self, FALSE);
  gilk_figures_clear (self->figures);
  gtk_label_set_text (self->figures_title, gilk_results_hook (self)->label);
  gilk_figures_hook (self->figures, gilk_results_hook (self), gilk_results_run (self)->costs);
  if (is_one_histogram (plot->figure))
    plot->figure->y.scale = gilk_results_axis (self->log_y) ? GILK_SCALE_LOG : GILK_SCALE_WHOLE;
  if (plot->figure != NULL)
    gilk_figures_histogram (self->figures, plot->figure->histogram, plot->figure->x.unit);
  gilk_results_show_compared (self, plot->compared);
  gilk_plot_view_take_data (self->plot, plot, all || !seen);
  set_whole (self, all);
  show_mark (self);
  if (gilk_look_is_set (&closer))
    gilk_plot_view_look (self->plot, closer.from, closer.to);
  g_free (self->whole_of);
  self->whole_of = g_steal_pointer (&axis);
  g_free (self->drawn_key);
  self->drawn_key = make_key (self);
}

/* So that it is there when it is wanted again. */
static void
take_new (GilkResultsView *self,
          GilkPlotData    *plot)
{
  g_autofree char *key = make_key (self);

  gilk_plot_shelf_put (self->shelf, key, plot);
  if (plot->figure != NULL && plot->figure->other != NULL)
    {
      GilkPlotData *other = gilk_plot_data_new ();

      other->figure = g_steal_pointer (&plot->figure->other);
      *key = *key == LOG_X ? LINEAR_X : LOG_X;
      gilk_plot_shelf_put (self->shelf, key, other);
      gilk_plot_data_free (other);
    }
  take (self, plot);
}

/* Another one was asked for meanwhile. */
static gboolean
is_late (GilkResultsView *self,
         GAsyncResult    *result)
{
  return g_task_get_cancellable (G_TASK (result)) != self->plotting || gilk_results_hook (self) == NULL;
}

/* In place of the plot: what was there before is of something else. */
static void
take_failure (GilkResultsView *self,
              GAsyncResult    *result,
              const GError    *error)
{
  GilkPlotData *plot;

  if (gilk_results_is_cancelled (error) || is_late (self, result))
    return;
  plot = gilk_plot_data_new ();
  plot->message = g_strdup (error->message);
  take (self, plot);
}

/* What is shown is what it was asked for: another plot would have cancelled it. */
static void
distance_cb (GObject      *object,
             GAsyncResult *result,
             gpointer      user_data)
{
  g_autoptr(GilkResultsView) self = user_data;
  g_autoptr(GError) error = NULL;
  GilkFigureCompared *compared = gilk_session_distance_finish (result, &error);
  GilkPlotData *plot = gilk_plot_view_data (self->plot);
  g_autofree char *key = NULL;

  if (error != NULL)
    {
      gilk_results_report (self, error);
      return;
    }
  if (is_late (self, result))
    {
      g_clear_pointer (&compared, gilk_figure_compared_free);
      return;
    }
  plot->compared = compared;
  if (compared != NULL)
    gilk_plot_view_say (self->plot, compared->words);
  gilk_results_show_compared (self, compared);
  key = make_key (self);
  gilk_plot_shelf_put (self->shelf, key, plot);
}

static void
figure_cb (GObject      *object,
           GAsyncResult *result,
           gpointer      user_data)
{
  g_autoptr(GilkResultsView) self = user_data;
  g_autoptr(GError) error = NULL;
  g_autoptr(GilkFigure) figure = gilk_session_figure_finish (result, &error);
  GilkPlotData *plot;

  if (figure == NULL)
    {
      take_failure (self, result, error);
      return;
    }
  if (is_late (self, result))
    return;
  plot = gilk_plot_data_new ();
  plot->figure = g_steal_pointer (&figure);
  if (plot->figure->curves->len != 2)
    {
      take_new (self, plot);
      return;
    }
  /* How far the two are apart belongs to it, and takes longer. */
  take (self, plot);
  gilk_session_distance_async (result, distance_cb, g_object_ref (self));
}

/* It goes on: what is shown meanwhile is not what was asked for. */
static void
figure_soon (GCancellable *cancellable,
             GilkFigure   *figure,
             gpointer      user_data)
{
  GilkResultsView *self = user_data;
  GilkPlotData *plot;

  if (cancellable != self->plotting || gilk_results_hook (self) == NULL)
    {
      gilk_figure_free (figure);
      return;
    }
  plot = gilk_plot_data_new ();
  plot->figure = figure;
  take (self, plot);
  g_clear_pointer (&self->drawn_key, g_free);
  gilk_results_wait_on (self);
}

static void
groups_cb (GObject      *object,
           GAsyncResult *result,
           gpointer      user_data)
{
  g_autoptr(GilkResultsView) self = user_data;
  g_autoptr(GError) error = NULL;
  g_autoptr(GilkPlotData) plot = gilk_session_groups_finish (result, &error);

  if (plot == NULL)
    take_failure (self, result, error);
  else if (!is_late (self, result))
    take_new (self, g_steal_pointer (&plot));
}

static void
kept_cb (GObject      *object,
         GAsyncResult *result,
         gpointer      user_data)
{
  g_autoptr(GilkResultsView) self = user_data;
  g_autoptr(GError) error = NULL;
  g_autoptr(GilkPlotData) plot = gilk_session_kept_finish (result, &error);

  if (plot == NULL)
    take_failure (self, result, error);
  else if (!is_late (self, result))
    take_new (self, g_steal_pointer (&plot));
}

static void
draw_kept (GilkResultsView *self)
{
  gilk_session_kept_async (self->session, gilk_results_hook (self), gilk_results_quantity (self), gilk_results_axis (self->log_x),
                           gilk_results_axis (self->log_y), gilk_results_begin_waiting (self), kept_cb, g_object_ref (self));
}

static void
draw_figure (GilkResultsView *self,
             GilkFigureKind   kind)
{
  GilkFigureAsk ask = gilk_results_ask (self, kind);
  GilkSessionPick picks[GILK_RESULTS_PICKS_MAX];
  guint n = gilk_results_picks (self, picks, GILK_RESULTS_PICKS_MAX);

  GCancellable *cancellable = gilk_results_begin_waiting (self);

  ask.read = gilk_results_reading (self, &ask, picks, n);
  gilk_session_figure_async (self->session, &ask, picks, n, n == 1 ? gilk_results_split (self) : NULL, gilk_results_subtract (self),
                             cancellable, figure_soon, figure_cb, g_object_ref (self));
  gilk_results_picks_clear (picks, n);
}

/* Another part of it is looked at or stands out: it is there. */
static gboolean
is_there (GilkResultsView *self)
{
  g_autofree char *key = make_key (self);

  return self->only_look && g_strcmp0 (key, self->drawn_key) == 0 && gilk_plot_view_has_plot (self->plot);
}

void
gilk_results_draw (GilkResultsView *self)
{
  const GilkStoredHook *hook = gilk_results_hook (self);
  const GilkLookSpan time = gilk_look_time (self->look);
  g_autofree char *key = NULL;
  GilkPlotData *before;
  GilkFigureKind kind;

  if (gilk_results_quantity (self) == NULL)
    return;
  gilk_results_stop_waiting (self, TRUE);
  gilk_plot_view_pixels (self->plot, &self->drawn_width, &self->drawn_height);
  gilk_results_show_hook_loss (self, hook);
  if (is_there (self))
    {
      show_mark (self);
      return;
    }
  key = make_key (self);
  before = gilk_plot_shelf_get (self->shelf, key);
  if (before != NULL)
    take (self, before);
  else if (gilk_results_is_kept (self))
    draw_kept (self);
  else if (gilk_results_kind (self, &kind))
    draw_figure (self, kind);
  else
    gilk_session_groups_async (self->session, hook, gilk_results_quantity (self), time.from, time.to,
                               gilk_results_begin_waiting (self), groups_cb,
                               g_object_ref (self));
}

static gboolean
redraw (gpointer user_data)
{
  GilkResultsView *self = user_data;
  guint width, height;

  self->resizing = 0;
  gilk_plot_view_pixels (self->plot, &width, &height);
  if (gilk_results_run (self) == NULL || gilk_results_hook (self) == NULL || gilk_results_is_writers (self) ||
      gilk_results_is_samples (self) ||
      (width == self->drawn_width && height == self->drawn_height))
    return G_SOURCE_REMOVE;
  gilk_results_show_command (self);
  if (gilk_plot_view_has_plot (self->plot))
    gilk_results_draw (self);

  return G_SOURCE_REMOVE;
}

void
gilk_results_resized (GilkResultsView *self)
{
  g_clear_handle_id (&self->resizing, g_source_remove);
  self->resizing = g_timeout_add (RESIZED_MS, redraw, self);
}

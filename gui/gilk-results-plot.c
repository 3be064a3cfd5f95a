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
#include "gui/gilk-session-kept.h"
#include "gui/gilk-text.h"

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

static void
take (GilkResultsView *self,
      GilkPlotData    *plot)
{
  gtk_widget_set_sensitive (self->whole, !isnan (self->zoom_from));
  gilk_figures_clear (self->figures);
  gtk_label_set_text (self->figures_title, gilk_results_hook (self)->label);
  gilk_figures_hook (self->figures, gilk_results_hook (self), gilk_results_run (self)->costs);
  if (plot->figure != NULL)
    gilk_figures_histogram (self->figures, plot->figure->histogram, plot->figure->x.unit);
  gilk_plot_view_take_data (self->plot, plot, isnan (self->zoom_from));
}

/* Another one was asked for meanwhile. */
static gboolean
is_late (GilkResultsView *self,
         GAsyncResult    *result)
{
  return g_task_get_cancellable (G_TASK (result)) != self->plotting || gilk_results_hook (self) == NULL;
}

/* What is shown is what it was asked for: another plot would have cancelled it. */
static void
distance_cb (GObject      *object,
             GAsyncResult *result,
             gpointer      user_data)
{
  g_autoptr(GilkResultsView) self = user_data;
  g_autoptr(GError) error = NULL;
  g_autofree char *words = gilk_session_distance_finish (result, &error);

  if (error != NULL)
    gilk_results_report (self, error);
  else if (words != NULL && !is_late (self, result))
    gilk_plot_view_say (self->plot, words);
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
      gilk_results_report (self, error);
      return;
    }
  if (is_late (self, result))
    return;
  plot = gilk_plot_data_new ();
  if (figure->curves->len == 2)
    gilk_session_distance_async (result, distance_cb, g_object_ref (self));
  plot->figure = g_steal_pointer (&figure);
  take (self, plot);
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
    gilk_results_report (self, error);
  else if (!is_late (self, result))
    take (self, g_steal_pointer (&plot));
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
    gilk_results_report (self, error);
  else if (!is_late (self, result))
    take (self, g_steal_pointer (&plot));
}

/* Its buckets are what they are: zooming looks at them more closely. */
static void
draw_kept (GilkResultsView *self)
{
  gtk_widget_set_sensitive (self->whole, !isnan (self->zoom_from));
  if (gilk_results_is_kept_histogram (self) && !isnan (self->zoom_from))
    return;
  self->plotting = g_cancellable_new ();
  gilk_session_kept_async (self->session, gilk_results_hook (self), gilk_results_quantity (self), gilk_results_axis (self->log_x),
                           gilk_results_axis (self->log_y), self->plotting, kept_cb, g_object_ref (self));
}

void
gilk_results_draw (GilkResultsView *self)
{
  const GilkStoredHook *hook = gilk_results_hook (self);
  GilkSessionPick picks[GILK_RESULTS_PICKS_MAX];
  GilkFigureKind kind;
  GilkFigureAsk ask;
  guint n;

  if (gilk_results_quantity (self) == NULL)
    return;
  if (self->plotting != NULL)
    g_cancellable_cancel (self->plotting);
  g_clear_object (&self->plotting);
  gilk_plot_view_pixels (self->plot, &self->drawn_width, &self->drawn_height);
  gilk_results_show_hook_loss (self, hook);
  if (gilk_results_is_kept (self))
    {
      draw_kept (self);
      return;
    }
  if (!gilk_results_kind (self, &kind))
    {
      self->plotting = g_cancellable_new ();
      gilk_session_groups_async (self->session, hook, gilk_results_quantity (self), self->plotting, groups_cb,
                                 g_object_ref (self));
      return;
    }
  gtk_widget_set_sensitive (self->whole, !isnan (self->zoom_from));
  if (gilk_results_is_only_looked_at (kind) && !isnan (self->zoom_from))
    return;
  ask = gilk_results_ask (self, kind);
  n = gilk_results_picks (self, picks, GILK_RESULTS_PICKS_MAX);
  self->plotting = g_cancellable_new ();
  gilk_session_figure_async (self->session, &ask, picks, n, n == 1 ? gilk_results_split (self) : NULL, gilk_results_subtract (self),
                             self->plotting, figure_cb, g_object_ref (self));
  gilk_results_picks_clear (picks, n);
}

static gboolean
redraw (gpointer user_data)
{
  GilkResultsView *self = user_data;
  guint width, height;

  self->resizing = 0;
  gilk_plot_view_pixels (self->plot, &width, &height);
  if (gilk_results_run (self) == NULL || gilk_results_hook (self) == NULL || gilk_results_is_writers (self) ||
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

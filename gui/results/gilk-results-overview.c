/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-results-overview.c - overview of all hooks of a run, as bars
 */
#include "gui/results/gilk-plot-panel.h"

#include <glib/gi18n.h>

#include "gui/results/gilk-results-figures.h"
#include "gui/results/gilk-results-lists.h"
#include "gui/base/gilk-text.h"

#define IN_ORDER_MAX 24           /* maximum number of hooks shown in their order */

static int
compare_by_hits (gconstpointer one,
                 gconstpointer other)
{
  const GilkStoredHook *a = *(const GilkStoredHook *const *) one, *b = *(const GilkStoredHook *const *) other;

  return a->hits != b->hits ? (a->hits < b->hits) - (a->hits > b->hits) : (a > b) - (a < b);
}

/* Returns the hooks in their order; if there are too many, those with most hits first.
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
new_plot (const GilkSessionRun *run)
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

void
gilk_results_show_overview (GilkResultsView *self)
{
  const GilkSessionRun *run = gilk_results_run (self), *there = gilk_results_comparison_run (self->comparison);
  GilkPlotData *plot = new_plot (run);

  if (there != NULL)
    plot->comparison = new_plot (there);
  gilk_figures_clear (self->figures);
  gtk_label_set_text (self->figures_title, run->run.title != NULL && run->run.title[0] != '\0'
                                           ? run->run.title : _("This run"));
  gilk_figures_run (self->figures, &run->run);
  gilk_results_show_loss (self, run->run.id, run->run.lost);
  gilk_plot_panel_show_plot (self->panels[0], plot);
}

/* ---- selecting a hook by its bar ---- */

/* Returns the list row of the bar's hook; -1: there is no bar of the overview. */
static int
find_row (GilkResultsView *self,
          double           y)
{
  const gboolean shown = self->run >= 0 && self->hook < 0 && self->function < 0;
  const int bar = shown ? gilk_plot_view_bar_at (self->panels[0]->plot, y) : -1;
  const GilkSessionRun *run = bar >= 0 ? gilk_results_run (self) : NULL;
  g_autoptr(GPtrArray) hooks = run != NULL ? list_overview_hooks (run) : NULL;

  if (hooks == NULL || (guint) bar >= hooks->len)
    return -1;

  return (int) ((const GilkStoredHook *) g_ptr_array_index (hooks, bar) - (const GilkStoredHook *) (gpointer) run->hooks->data) + 1;
}

static gboolean
plot_pressed (GilkResultsView *self,
              GdkEventButton  *event)
{
  const int row = event->type == GDK_BUTTON_PRESS && event->button == GDK_BUTTON_PRIMARY ? find_row (self, event->y) : -1;

  if (row < 0)
    return GDK_EVENT_PROPAGATE;
  gilk_results_select_row (self->hooks, row);
  gilk_results_scroll_to_row (self->hooks, row);

  return GDK_EVENT_STOP;
}

/* Shows a hand pointer over bars, which can be clicked. */
static gboolean
pointer_moved (GilkResultsView *self,
               GdkEventMotion  *event)
{
  GtkWidget *plot = GTK_WIDGET (self->panels[0]->plot);
  g_autoptr(GdkCursor) hand = find_row (self, event->y) >= 0
    ? gdk_cursor_new_from_name (gtk_widget_get_display (plot), "pointer") : NULL;

  gdk_window_set_cursor (gtk_widget_get_window (plot), hand);

  return GDK_EVENT_PROPAGATE;
}

void
gilk_results_overview_init (GilkResultsView *self)
{
  g_signal_connect_object (self->panels[0]->plot, "button-press-event", G_CALLBACK (plot_pressed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->panels[0]->plot, "motion-notify-event", G_CALLBACK (pointer_moved), self, G_CONNECT_SWAPPED);
}

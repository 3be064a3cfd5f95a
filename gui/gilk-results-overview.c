/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-results-overview.c - all hooks of a run side by side
 */
#include "gui/gilk-results-card.h"

#include <glib/gi18n.h>

#include "gui/gilk-results-figures.h"
#include "gui/gilk-text.h"

#define IN_ORDER_MAX 24           /* hooks that have room side by side */

static int
by_hits (gconstpointer one,
         gconstpointer other)
{
  const GilkStoredHook *a = *(const GilkStoredHook *const *) one, *b = *(const GilkStoredHook *const *) other;

  return a->hits != b->hits ? (a->hits < b->hits) - (a->hits > b->hits) : (a > b) - (a < b);
}

/* In their order; of more than there is room for, those with most hits come first. (transfer container) */
static GPtrArray *
overview_hooks (const GilkSessionRun *run)
{
  GPtrArray *hooks = g_ptr_array_sized_new (run->hooks->len);

  for (guint i = 0; i < run->hooks->len; i++)
    g_ptr_array_add (hooks, &g_array_index (run->hooks, GilkStoredHook, i));
  if (hooks->len > IN_ORDER_MAX)
    g_ptr_array_sort (hooks, by_hits);

  return hooks;
}

/* (transfer full) */
static GilkPlotData *
new_plot (const GilkSessionRun *run)
{
  g_autoptr(GPtrArray) hooks = overview_hooks (run);
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
  const GilkSessionRun *run = gilk_results_run (self), *there = gilk_results_beside_run (self->beside);
  GilkPlotData *plot = new_plot (run);

  if (there != NULL)
    plot->beside = new_plot (there);
  gilk_figures_clear (self->figures);
  gtk_label_set_text (self->figures_title, run->run.title != NULL && run->run.title[0] != '\0'
                                           ? run->run.title : _("This run"));
  gilk_figures_run (self->figures, &run->run);
  gilk_results_show_loss (self, run->run.id, run->run.lost);
  gilk_results_card_put (self->cards[0], plot);
}

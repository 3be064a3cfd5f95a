/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-results-plot.c - the first plot of the selection, and the panel beside it
 */
#include "gui/gilk-results-card.h"

#include <glib/gi18n.h>

#include "core/run/gilk-plan.h"
#include "gui/gilk-results-figures.h"
#include "gui/gilk-session-kept.h"
#include "gui/gilk-text.h"

/* ---- panel ---- */

/* Returns whether the run's plan asked for old samples to be overwritten. */
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
  if (!gilk_stored_hook_is_watch (hook) || hook->dropped == 0)
    return;
  words = gilk_text_pauses (hook->dropped);
  lost = hook->lost > 0 ? gtk_label_get_text (self->loss_label) : "";
  both = g_strconcat (lost, *lost != '\0' ? "\n\n" : "", words, NULL);
  gtk_label_set_text (self->loss_label, both);
  gtk_widget_set_visible (self->loss_box, TRUE);
}

void
gilk_results_show_panel (GilkResultsView    *self,
                         const GilkPlotData *plot)
{
  const GilkStoredHook *hook = gilk_results_hook (self);

  gilk_figures_clear (self->figures);
  gtk_label_set_text (self->figures_title, hook->label);
  gilk_figures_hook (self->figures, hook, gilk_results_run (self)->costs);
  if (plot->figure != NULL)
    gilk_figures_histogram (self->figures, plot->figure->histogram, plot->figure->x.unit);
  gilk_results_show_compared (self, plot->compared);
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

  if (plot != NULL && plot->beside == NULL && gilk_results_hook (self) != NULL && gilk_results_beside_run (self->beside) != NULL)
    plot->beside = gilk_results_beside_missing (self->beside);
  gilk_results_card_made (self, result, plot, error);
}

static void
draw_groups (GilkResultsView *self)
{
  GilkResultsCard *first = self->cards[0];
  const GilkStoredHook *hook = gilk_results_hook (self);
  const GilkLookSpan time = gilk_look_time (self->look);
  const char *field = gilk_results_quantity (self);
  g_autofree char *condition = gilk_results_condition (self);
  GilkSession *beside = gilk_results_beside_session (self->beside);
  GilkSessionPick there = { NULL, NULL };
  guint n = gilk_results_beside_picks (self->beside, &there, 1);
  g_autofree char *key = g_strdup_printf ("groups %" G_GINT64_FORMAT " %s %.17g %.17g %s beside %s %" G_GINT64_FORMAT, hook->id, field,
                                          time.from, time.to, condition != NULL ? condition : "",
                                          beside != NULL ? beside->path : "", n > 0 ? there.hook->id : -1);

  if (gilk_results_card_want (first, key))
    gilk_session_groups_async (self->session, hook, field, time.from, time.to, condition, beside, there.hook,
                               gilk_results_card_begin (first, NULL, 0), groups_cb, g_object_ref (self));
  gilk_results_picks_clear (&there, n);
}

static void
kept_cb (GObject      *object,
         GAsyncResult *result,
         gpointer      user_data)
{
  g_autoptr(GilkResultsView) self = user_data;
  g_autoptr(GError) error = NULL;
  GilkPlotData *plot = gilk_session_kept_finish (result, &error);

  gilk_results_card_made (self, result, plot, error);
}

static void
draw_kept (GilkResultsView *self)
{
  GilkResultsCard *first = self->cards[0];
  const GilkStoredHook *hook = gilk_results_hook (self);
  const char *name = gilk_results_quantity (self);
  g_autofree char *key = g_strdup_printf ("kept %" G_GINT64_FORMAT " %s %d", hook->id, name, first->log_x);

  if (gilk_results_card_want (first, key))
    gilk_session_kept_async (self->session, hook, name, first->log_x, first->log_y, gilk_results_card_begin (first, NULL, 0), kept_cb,
                             g_object_ref (self));
}

void
gilk_results_draw (GilkResultsView *self)
{
  if (gilk_results_quantity (self) == NULL)
    return;
  gilk_results_show_hook_loss (self, gilk_results_hook (self));
  if (self->cards[0]->kind != GILK_FIGURE_N_KINDS)
    gilk_results_card_draw (self->cards[0]);
  else if (gilk_results_is_kept (self))
    draw_kept (self);
  else
    draw_groups (self);
}

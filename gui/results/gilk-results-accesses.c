/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-results-accesses.c - the page of accesses seen by a watchpoint, and its panel
 */
#include "gui/results/gilk-results-private.h"

#include "gui/results/gilk-results-figures.h"

void
gilk_results_show_accesses (GilkResultsView *self)
{
  const GilkStoredHook *hook = gilk_results_hook (self);

  gtk_stack_set_visible_child_name (self->picture, "writers");
  gilk_results_show_hook_loss (self, hook);
  gilk_results_access_selected (self, NULL);
  gilk_accesses_view_show (self->writers, self->session, gilk_results_run (self), hook);
}

void
gilk_results_clear_accesses (GilkResultsView *self)
{
  if (self->writers != NULL)
    gilk_accesses_view_show (self->writers, NULL, NULL, NULL);
}

void
gilk_results_access_selected (GilkResultsView    *self,
                              const GilkAccessor *writer)
{
  const GilkStoredHook *hook = gilk_results_hook (self);
  const GArray *all = gilk_accesses_view_all (self->writers);

  if (hook == NULL || !gilk_results_shows_accesses (self))
    return;
  gilk_figures_clear (self->figures);
  gtk_label_set_text (self->figures_title, hook->label);
  gilk_figures_hook (self->figures, hook, gilk_results_run (self)->costs);
  if (writer != NULL && all != NULL)
    gilk_figures_accesses (self->figures, writer, all);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-results-samples.c - the page of single samples within the selected time and values
 */
#include "gui/results/gilk-results-private.h"

#include "gui/results/gilk-results-figures.h"
#include "gui/results/gilk-samples-view.h"

char *
gilk_results_value_condition (GilkResultsView *self)
{
  return gilk_selection_condition (self->selection, gilk_results_hook_fields (self), NULL);
}

void
gilk_results_show_samples (GilkResultsView *self)
{
  const GilkStoredHook *hook = gilk_results_hook (self);
  const GilkSelectionRange time = gilk_selection_time (self->selection);
  g_autofree char *condition = gilk_results_value_condition (self);
  const char *const conditions[] = { condition, NULL };

  gtk_stack_set_visible_child_name (self->picture, "samples");
  gilk_results_show_hook_loss (self, hook);
  gilk_figures_clear (self->figures);
  gtk_label_set_text (self->figures_title, hook->label);
  gilk_figures_hook (self->figures, hook, gilk_results_run (self)->costs);
  gilk_samples_view_show (self->samples, self->session->path, hook, gilk_results_hook_fields (self), time.from, time.to,
                          conditions);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-results-writers.c - the page of accesses seen by a watchpoint, and its panel
 */
#include "gui/gilk-results-private.h"

#include "gui/gilk-results-figures.h"

void
gilk_results_show_writers (GilkResultsView *self)
{
  const GilkStoredHook *hook = gilk_results_hook (self);

  gtk_stack_set_visible_child_name (self->picture, "writers");
  gilk_results_show_hook_loss (self, hook);
  gilk_results_writer_chosen (self, NULL);
  gilk_writers_view_show (self->writers, self->session, gilk_results_run (self), hook);
}

void
gilk_results_forget_writers (GilkResultsView *self)
{
  if (self->writers != NULL)
    gilk_writers_view_show (self->writers, NULL, NULL, NULL);
}

void
gilk_results_writer_chosen (GilkResultsView  *self,
                            const GilkWriter *writer)
{
  const GilkStoredHook *hook = gilk_results_hook (self);
  const GArray *all = gilk_writers_view_all (self->writers);

  if (hook == NULL || !gilk_results_is_writers (self))
    return;
  gilk_figures_clear (self->figures);
  gtk_label_set_text (self->figures_title, hook->label);
  gilk_figures_hook (self->figures, hook, gilk_results_run (self)->costs);
  if (writer != NULL && all != NULL)
    gilk_figures_writer (self->figures, writer, all);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-results-comparison.h - comparison with another session: a second column of the same plots, on
 * the same axes
 *
 * Hooks are matched by label with those of one run of the other session, chosen above the column.
 */
#pragma once

#include "gui/results/gilk-results-private.h"

G_BEGIN_DECLS

/* Creates the bar above the plots, which is hidden while no session is compared. */
GilkResultsComparison *gilk_results_comparison_new  (GilkResultsView *view);
void                   gilk_results_comparison_free (GilkResultsComparison *beside);

/* (nullable): no session is compared */
GilkSessionRun *gilk_results_comparison_run   (GilkResultsComparison *beside);
GilkSession    *gilk_results_comparison_session (GilkResultsComparison *beside);
/* Returns the other run's counterparts of the hooks selected here: the first @n of at most @room. */
guint           gilk_results_comparison_hooks (GilkResultsComparison *beside, GilkSessionPick *picks, guint room);
/* Returns the message shown instead of a plot if the other run has no such hook. (transfer full) */
GilkPlotData   *gilk_results_comparison_missing_plot (GilkResultsComparison *beside);
/* Must be called when the selection here has changed. */
void            gilk_results_comparison_update  (GilkResultsComparison *beside);

G_END_DECLS

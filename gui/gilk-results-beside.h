/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-results-beside.h - comparison with another session: a second column of the same plots, on
 * the same axes
 *
 * Hooks are matched by label with those of one run of the other session, chosen above the column.
 */
#pragma once

#include "gui/gilk-results-private.h"

G_BEGIN_DECLS

/* Creates the bar above the plots, which is hidden while no session is compared. */
GilkResultsBeside *gilk_results_beside_new  (GilkResultsView *view);
void               gilk_results_beside_free (GilkResultsBeside *beside);

/* (nullable): no session is compared */
GilkSessionRun    *gilk_results_beside_run   (GilkResultsBeside *beside);
GilkSession       *gilk_results_beside_session (GilkResultsBeside *beside);
/* Returns the other run's counterparts of the hooks selected here: the first @n of at most @room. */
guint              gilk_results_beside_picks (GilkResultsBeside *beside, GilkSessionPick *picks, guint room);
/* Returns the message shown instead of a plot if the other run has no such hook. (transfer full) */
GilkPlotData      *gilk_results_beside_missing (GilkResultsBeside *beside);
/* Must be called when the selection here has changed. */
void               gilk_results_beside_show  (GilkResultsBeside *beside);

G_END_DECLS

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-results-beside.h - another session beside the one that is open: a second column of the same plots, on the same axes
 *
 * Its hooks are those of the same names, in a run of it that is chosen above the column.
 */
#pragma once

#include "gui/gilk-results-private.h"

G_BEGIN_DECLS

/* A bar above the plots, not seen while nothing is beside them. */
GilkResultsBeside *gilk_results_beside_new  (GilkResultsView *view);
void               gilk_results_beside_free (GilkResultsBeside *beside);

/* (nullable): nothing is beside */
GilkSessionRun    *gilk_results_beside_run   (GilkResultsBeside *beside);
GilkSession       *gilk_results_beside_session (GilkResultsBeside *beside);
/* The hooks there that are called as those chosen here: the first @n of at most @room. */
guint              gilk_results_beside_picks (GilkResultsBeside *beside, GilkSessionPick *picks, guint room);
/* What is there instead of a plot, if none of its hooks is called so. (transfer full) */
GilkPlotData      *gilk_results_beside_missing (GilkResultsBeside *beside);
/* What is chosen here has changed. */
void               gilk_results_beside_show  (GilkResultsBeside *beside);

G_END_DECLS

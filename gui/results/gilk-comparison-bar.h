/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-comparison-bar.h - bar with the names of two compared runs, above the columns of their plots
 *
 * Both columns show the same plots on the same axes. The user chooses a run of the other session in
 * the bar; hooks are matched by label with the hooks of that run. The bar is hidden while no
 * session is compared.
 *
 * Signals: "closed": the comparison was ended; "failed" (GError).
 */
#pragma once

#include <gtk/gtk.h>

#include "gui/results/gilk-results-choice.h"

G_BEGIN_DECLS

#define GILK_TYPE_COMPARISON_BAR (gilk_comparison_bar_get_type ())
G_DECLARE_FINAL_TYPE (GilkComparisonBar, gilk_comparison_bar, GILK, COMPARISON_BAR, GtkBox)

GtkWidget *gilk_comparison_bar_new    (GilkResultsChoice *choice);
/* Opens another session to be compared; the first function asks for the file. */
void       gilk_comparison_bar_choose (GilkComparisonBar *self);
void       gilk_comparison_bar_open   (GilkComparisonBar *self, const char *path);
/* Cancels opening. */
void       gilk_comparison_bar_stop   (GilkComparisonBar *self);
/* Shows the names of both runs, and sets @here and @there to them (transfer none). Sets @here to
 * NULL if no session is compared. */
void       gilk_comparison_bar_update (GilkComparisonBar *self, const char **here, const char **there);

G_END_DECLS

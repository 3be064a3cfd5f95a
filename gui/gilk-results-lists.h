/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-results-lists.h - the rows of a session: runs, recorded graphs, hooks
 */
#pragma once

#include <gtk/gtk.h>

#include "gui/gilk-session-data.h"

G_BEGIN_DECLS

/* Each replaces all rows; row i is the i-th of the array. */
void gilk_results_fill_runs      (GtkListBox *list, const GilkSession *session);
void gilk_results_fill_functions (GtkListBox *list, const GilkSessionRun *run);
/* The first row stands for all hooks; the i-th hook is row i + 1. */
void gilk_results_fill_hooks     (GtkListBox *list, const GilkSessionRun *run);

G_END_DECLS

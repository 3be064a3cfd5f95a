/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-results-lists.h - the rows of a session: runs, recorded graphs, hooks
 */
#pragma once

#include <gtk/gtk.h>

#include "gui/gilk-session-data.h"

G_BEGIN_DECLS

/* "Run 2", or "Run 2: after the patch" where it has a title. (transfer full) */
char *gilk_results_name_run    (const GilkStoredRun *run);
/* Each replaces all rows; row i is the i-th of the array, wherever it is shown. */
void gilk_results_fill_runs      (GtkListBox *list, const GilkSession *session);

/* Of functions and hooks there may be many thousand: these are drawn as they come into view. */
void gilk_results_set_up_list    (GtkTreeView *list);
void gilk_results_fill_functions (GtkTreeView *list, const GilkSessionRun *run);
/* Row 0, above the others, stands for all hooks; the i-th hook is row i + 1. In their order, or with most hits first. */
void gilk_results_fill_hooks     (GtkTreeView *list, const GilkSessionRun *run, gboolean by_hits);
/* The rows chosen, as they are shown from above (element-type int). (transfer full) */
GArray *gilk_results_chosen      (GtkTreeView *list);
/* That row alone; none of -1. */
void gilk_results_choose         (GtkTreeView *list, int row);
/* These (element-type int) too. */
void gilk_results_choose_more    (GtkTreeView *list, const GArray *rows);
void gilk_results_reveal         (GtkTreeView *list, int row);
/* The row of that title that is shown first; -1 if there is none. */
int  gilk_results_row_named      (GtkTreeView *list, const char *title);

G_END_DECLS

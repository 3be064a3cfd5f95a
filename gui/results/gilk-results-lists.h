/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-results-lists.h - lists of a session: runs, recorded graphs, hooks
 */
#pragma once

#include <gtk/gtk.h>

#include "gui/session/gilk-session.h"

G_BEGIN_DECLS

/* Returns "Run 2", or "Run 2: after the patch" if the run has a title. (transfer full) */
char *gilk_results_name_run    (const GilkStoredRun *run);
/* Each function replaces all rows; row i stands for element i of the array, wherever it is shown. */
void gilk_results_fill_runs      (GtkListBox *list, const GilkSession *session);

/* There may be many thousands of functions and hooks: rows are drawn only when visible. */
void gilk_results_set_up_list          (GtkTreeView *list);
void gilk_results_fill_functions       (GtkTreeView *list, const GilkSessionRun *run);
/* Row 0, at the top, stands for all hooks; hook i is row i + 1. @by_hits: most hits first,
 * otherwise in order. */
void gilk_results_fill_hooks           (GtkTreeView *list, const GilkSessionRun *run, gboolean by_hits);
/* Returns the selected rows (element-type int), in display order. (transfer full) */
GArray *gilk_results_get_selected_rows (GtkTreeView *list);
/* Selects only @row; -1 selects none. */
void gilk_results_select_row           (GtkTreeView *list, int row);
/* Adds these rows (element-type int) to the selection. */
void gilk_results_add_selected_rows    (GtkTreeView *list, const GArray *rows);
void gilk_results_scroll_to_row        (GtkTreeView *list, int row);
/* Returns the first displayed row with this title; -1 if there is none. */
int  gilk_results_find_row             (GtkTreeView *list, const char *title);

G_END_DECLS

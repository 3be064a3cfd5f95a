/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-graph-selection.h - selection of several blocks of the graph and its bar, the highlighted
 * path, dimmed blocks
 *
 * The selection is independent of the current block. It is made by Shift-click, by a rubber band
 * drawn with Shift, or by a rule, such as all blocks that the current block reaches. The view emits
 * "chosen" at each change.
 */
#pragma once

#include "core/cfg/gilk-cfg-pick.h"
#include "gui/graph/gilk-graph-view.h"

guint    gilk_graph_selection_count            (GilkGraphView *view);
gboolean gilk_graph_selection_has              (GilkGraphView *view, guint block);
void     gilk_graph_selection_toggle           (GilkGraphView *view, guint block);
void     gilk_graph_selection_add              (GilkGraphView *view, guint block);
/* Selects blocks. @picked: for each block, whether to select it; @more: adds these blocks to the
 * selection instead of replacing it */
void     gilk_graph_selection_set              (GilkGraphView *view, const gboolean *picked, gboolean more);
/* Selects the blocks that match @rule. Some rules refer to the current block. */
void     gilk_graph_selection_set_by_rule      (GilkGraphView *view, GilkPick rule);
/* Adds to the selection the blocks that the rubber band @band touches; @band is in widget
 * coordinates. */
void     gilk_graph_selection_add_band         (GilkGraphView *view, const GdkRectangle *band);
/* Selects the fewest blocks whose counts determine the counts of all edges. */
void     gilk_graph_selection_set_fewest       (GilkGraphView *view);
/* Selects and highlights the most frequent path to the current block. Returns FALSE if the block
   was never executed. */
gboolean gilk_graph_selection_set_hottest_path (GilkGraphView *view);
/* Clears selection and path. Returns FALSE if both were empty. */
gboolean gilk_graph_selection_clear            (GilkGraphView *view);

/* Dims blocks. @word: "from": blocks not reachable from the current block; "to": blocks that cannot
   reach the current block; "ran": blocks that were never executed, updated when the counts change;
   any other word: no blocks. Returns FALSE if no block is dimmed. */
gboolean gilk_graph_dim_set (GilkGraphView *view, const char *word);

/* ---- bar with the number of selected blocks and the actions on them ---- */

#define GILK_TYPE_SELECTION_BAR (gilk_selection_bar_get_type ())
G_DECLARE_FINAL_TYPE (GilkSelectionBar, gilk_selection_bar, GILK, SELECTION_BAR, GtkBox)

/* Shows the selection of @view. The buttons activate actions of @window, the bar's toplevel. */
GtkWidget *gilk_selection_bar_new (GilkGraphView *view, GtkWindow *window);

/* gilk_selection_bar_menu() returns the menu that selects blocks by rule.
 * gilk_selection_bar_canvas_menu() returns the graph's context menu, which contains the former as a
 * submenu. (transfer full) */
GMenuModel *gilk_selection_bar_menu        (void);
GMenuModel *gilk_selection_bar_canvas_menu (void);

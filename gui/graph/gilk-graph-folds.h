/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-graph-folds.h - folded regions of the graph, kept per function while the window exists
 *
 * The new layout is computed in a worker thread. The current block keeps its position on screen.
 */
#pragma once

#include "gui/graph/gilk-graph-view.h"

G_BEGIN_DECLS

typedef enum {
  GILK_FOLD_TOGGLE,          /* unfolds the block; else folds the loop around it, or else what it dominates */
  GILK_FOLD_LOOP,
  GILK_FOLD_DOMINATED,       /* the block and all blocks it dominates */
  GILK_FOLD_SELECTED,        /* selected blocks */
  GILK_FOLD_LOOPS,           /* all loops */
  GILK_FOLD_OPEN_ALL,
} GilkFoldAction;

/* Applies @act to the current block. Returns FALSE if nothing changed. */
gboolean gilk_graph_folds_apply   (GilkGraphView *view, GilkFoldAction act);
/* Unfolds everything around @point, then selects it, or instruction @insn (-1: none). Returns
   TRUE if that needs no new layout. */
gboolean gilk_graph_folds_show    (GilkGraphView *view, int point, int insn);
/* To be called when another function is shown, and before the view is destroyed. */
void     gilk_graph_folds_restore (GilkGraphView *view);
void     gilk_graph_folds_free    (GilkGraphView *view);

G_END_DECLS

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-graph-folds.h - regions of the graph in view that are folded, kept by function while the window lives
 *
 * What is laid out anew is, off the main thread; the block one is at stays where it is in the window.
 */
#pragma once

#include "gui/gilk-graph-view.h"

G_BEGIN_DECLS

typedef enum {
  GILK_FOLD_TOGGLE,          /* opens what is folded; else folds the loop around the block, or what only it leads to */
  GILK_FOLD_LOOP,
  GILK_FOLD_DOMINATED,       /* the block and what only it leads to */
  GILK_FOLD_CHOSEN,          /* blocks that are chosen */
  GILK_FOLD_LOOPS,           /* all */
  GILK_FOLD_OPEN_ALL,
} GilkFoldAct;

/* At the current block. FALSE: there is nothing to be folded or opened. */
gboolean gilk_graph_folds_act     (GilkGraphView *view, GilkFoldAct act);
/* Opens all around @point, and selects it, or instruction @insn, when that is done; -1: none. TRUE: it is done now. */
gboolean gilk_graph_folds_show    (GilkGraphView *view, int point, int insn);
/* To be told when another function is shown, and before the view goes. */
void     gilk_graph_folds_restore (GilkGraphView *view);
void     gilk_graph_folds_free    (GilkGraphView *view);

G_END_DECLS

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-graph-folds.h - folded regions of graphs, kept per function while the view exists
 *
 * The new layout is computed in a worker thread; a later request replaces it.
 */
#pragma once

#include "gui/graph/gilk-graph-data.h"

G_BEGIN_DECLS

typedef enum {
  GILK_FOLD_TOGGLE,          /* unfolds a fold, folds a loop, and folds any other block together
                              * with the blocks that it dominates */
  GILK_FOLD_LOOP,
  GILK_FOLD_DOMINATED,       /* the block and all blocks it dominates */
  GILK_FOLD_SELECTED,        /* selected blocks */
  GILK_FOLD_LOOPS,           /* all loops */
  GILK_FOLD_OPEN_ALL,
} GilkFoldAction;

typedef struct _GilkGraphFolds GilkGraphFolds;

/* Called with the graph after folding or unfolding. */
typedef void (*GilkGraphFoldedFunc) (gpointer owner, GilkGraph *graph);

/* @owner: (type GObject): passed to @folded; kept alive while a layout is computed */
GilkGraphFolds *gilk_graph_folds_new   (gpointer owner, GilkGraphFoldedFunc folded);
void            gilk_graph_folds_free  (GilkGraphFolds *self);

/* Applies @act to the current block or the selected blocks. Returns FALSE if nothing changed. */
gboolean gilk_graph_folds_apply        (GilkGraphFolds *self, const GilkGraphData *data, const GilkGraphLook *look,
                                        GilkFoldAction act);
/* Unfolds all folds that contain @block. */
void     gilk_graph_folds_show         (GilkGraphFolds *self, const GilkGraphData *data, guint block);
/* Switches to another function, and restores the folds that it had when it was last shown. @data:
 * (nullable): NULL: no function */
void     gilk_graph_folds_restore      (GilkGraphFolds *self, const GilkGraphData *data);
/* Returns whether a layout is being computed. */
gboolean gilk_graph_folds_is_busy      (const GilkGraphFolds *self);

G_END_DECLS

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-graph-view.h - a drawn graph: folds, contents, visible part, history
 */
#pragma once

#include <gtk/gtk.h>

#include "gui/graph/gilk-graph-data.h"

/*
 * Folds of a graph: parts, such as loops, that are each drawn as a single block.
 *
 * A change of the folds starts computing a new layout in a worker thread; a later change replaces
 * the earlier one.
 */

typedef enum {
  GILK_FOLD_TOGGLE,          /* unfolds a fold, folds a loop, and folds any other block together
                              * with the blocks that it dominates */
  GILK_FOLD_LOOP,
  GILK_FOLD_DOMINATED,       /* folds the block and all blocks that it dominates */
  GILK_FOLD_SELECTED,        /* selected blocks */
  GILK_FOLD_LOOPS,           /* all loops */
  GILK_FOLD_OPEN_ALL,
} GilkFoldAction;

typedef struct _GilkGraphFolds GilkGraphFolds;

/* Called with the graph after folding or unfolding. */
typedef void (*GilkGraphFoldedFunc) (gpointer owner, GilkGraph *graph);

/* Creates an object without folds. @owner: (type GObject): passed to @folded; a reference to it is
   held while a layout is computed */
GilkGraphFolds *gilk_graph_folds_new   (gpointer owner, GilkGraphFoldedFunc folded);
void            gilk_graph_folds_free  (GilkGraphFolds *self);

/* Folds or unfolds blocks as @act says: the current block, the selected blocks, or all. Returns
 * FALSE if nothing changed. */
gboolean gilk_graph_folds_apply        (GilkGraphFolds *self, const GilkGraphData *data, const GilkGraphLook *look,
                                        GilkFoldAction act);
/* Unfolds all folds that contain @block. */
void     gilk_graph_folds_show         (GilkGraphFolds *self, const GilkGraphData *data, guint block);
/* Switches to another function, and restores the folds that it had when it was last shown. @data:
 * (nullable): NULL: no function */
void     gilk_graph_folds_restore      (GilkGraphFolds *self, const GilkGraphData *data);
/* Returns whether a layout is being computed. */
gboolean gilk_graph_folds_is_busy      (const GilkGraphFolds *self);

/*
 * A drawn graph: contents, visible part, folds, history.
 *
 * GilkGraphCanvas, the widget, adds input, tooltips and accessibility.
 *
 * The index of a probe point is 2 * (index of its block), plus 1 for the post-hook. Signals:
 * "selected" (int point): the point became current; "toggle" (int point): add the point to the plan
 * or remove it; "open": show the inspector; "chosen": the selection or the search matches changed;
 * "counted": marks and counts were set; "menu" (GdkEvent): show the context menu for the current
 * block; "follow" (guint instruction): go to the target of the instruction; "shown": another
 * function or none is shown.
 */

#define GILK_TYPE_GRAPH_VIEW (gilk_graph_view_get_type ())
#define GILK_GRAPH_VIEW(object) (G_TYPE_CHECK_INSTANCE_CAST ((object), GILK_TYPE_GRAPH_VIEW, GilkGraphView))
#define GILK_GRAPH_VIEW_CLASS(klass) (G_TYPE_CHECK_CLASS_CAST ((klass), GILK_TYPE_GRAPH_VIEW, GilkGraphViewClass))
#define GILK_GRAPH_VIEW_GET_CLASS(object) (G_TYPE_INSTANCE_GET_CLASS ((object), GILK_TYPE_GRAPH_VIEW, GilkGraphViewClass))

typedef struct _GilkGraphView GilkGraphView;

typedef struct {
  GtkDrawingAreaClass parent_class;

  /* Called after each change. @whole: another graph or another layout is shown; otherwise marks,
   * counts, selections, or the current block or instruction have changed. */
  void (*changed) (GilkGraphView *self, gboolean whole);
} GilkGraphViewClass;

GType          gilk_graph_view_get_type  (void);

/* Shows @data (nullable). @again: the function was loaded again without a request by the user;
 * keeps the selection and the position if the code is the same */
void           gilk_graph_view_set_data  (GilkGraphView *self, GilkGraphData *data, gboolean again);
/* Restores the current block and the scroll position saved when the function was last shown. */
void           gilk_graph_view_restore_position    (GilkGraphView *self);
GilkGraphData *gilk_graph_view_data      (GilkGraphView *self);
/* Shows marks and counts. @marks: a GilkMark for each point; @hits: (nullable): hits of each block.
 * Both are copied. */
void           gilk_graph_view_set_marks (GilkGraphView *self, const uint8_t *marks,
                                          const uint64_t *hits, gboolean log_heat);
/* Shows @known (nullable): counts inferred from the hits given to gilk_graph_view_set_marks(). */
void           gilk_graph_view_set_known (GilkGraphView *self, GilkKnownCounts *known);
/* Sets by what blocks are coloured. @layer: "heat" (hits), "tactic" or "cost" */
void           gilk_graph_view_set_layer (GilkGraphView *self, const char *layer);
GilkMark       gilk_graph_view_mark      (GilkGraphView *self, int point);
const GilkGraphLook *gilk_graph_view_look (GilkGraphView *self);

int      gilk_graph_view_point     (GilkGraphView *self);       /* -1: none */
void     gilk_graph_view_select    (GilkGraphView *self, int point, gboolean reveal);
/* Selects @block and scrolls to it; gilk_graph_view_back() returns to the previous position. */
void     gilk_graph_view_jump      (GilkGraphView *self, int block);
gboolean gilk_graph_view_can_back  (GilkGraphView *self);
void     gilk_graph_view_back      (GilkGraphView *self);
/* Returns the current instruction, -1: none. Selecting an instruction also selects its block. */
int      gilk_graph_view_insn        (GilkGraphView *self);
void     gilk_graph_view_select_insn (GilkGraphView *self, guint insn, gboolean reveal);
/* Like gilk_graph_view_jump(), but to an instruction. */
void     gilk_graph_view_jump_insn   (GilkGraphView *self, guint insn);
/* Marks search matches. @found: (transfer full) (nullable): for each instruction, whether it
 * matches */
void     gilk_graph_view_set_found   (GilkGraphView *self, uint8_t *found);
/* Sets the selection and the highlighted path. @selected: (transfer full) (nullable): a flag per
   block; @highlighted: (transfer full) (nullable): a flag per edge. See gilk-graph-selection.h. */
void     gilk_graph_view_set_selected (GilkGraphView *self, uint8_t *selected, uint8_t *highlighted);
/* Dims blocks until another function is shown. @dimmed: (transfer full) (nullable): a flag per
 * block; @reason: (transfer full) (nullable): why they are dimmed. See gilk-graph-selection.h. */
void     gilk_graph_view_set_dimmed  (GilkGraphView *self, uint8_t *dimmed, char *reason);
/* Folds or unfolds as @act says, and scrolls so that the current block keeps its position on
 * screen. Returns FALSE if nothing changed. */
gboolean gilk_graph_view_fold      (GilkGraphView *self, GilkFoldAction act);
void     gilk_graph_view_toggle    (GilkGraphView *self, int point);

void gilk_graph_view_zoom      (GilkGraphView *self, double factor);   /* zooms around the centre */
void gilk_graph_view_zoom_one  (GilkGraphView *self);
void gilk_graph_view_fit       (GilkGraphView *self);
void gilk_graph_view_set_minimap (GilkGraphView *self, gboolean shown);

/* These functions get rectangles in widget coordinates. The width of @map is 0 if the minimap is
 * not drawn. */
void gilk_graph_view_areas         (GilkGraphView *self, GdkRectangle *drawing, GdkRectangle *map);
void gilk_graph_view_block_extents (GilkGraphView *self, int block, GdkRectangle *extents);
void gilk_graph_view_point_extents (GilkGraphView *self, int point, GdkRectangle *extents);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkGraphView, g_object_unref)

/* gilk-graph-canvas.c */
#define GILK_TYPE_GRAPH_CANVAS (gilk_graph_canvas_get_type ())
G_DECLARE_FINAL_TYPE (GilkGraphCanvas, gilk_graph_canvas, GILK, GRAPH_CANVAS, GilkGraphView)

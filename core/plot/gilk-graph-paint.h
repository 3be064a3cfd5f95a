/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-graph-paint.h - a control-flow graph with disassembly, heat and hook marks
 *
 * GilkGraph is the immutable picture: text, sizes and layout of one function, made on a worker
 * thread. GilkGraphLook is the state that changes during display. The painter only draws; the
 * workbench and the CLI's --svg share it.
 *
 * Threads: any for making and sharing a graph, which is immutable; painting: only the cairo_t's
 * thread. Outputs are untouched on failure.
 */
#pragma once

#include <cairo.h>
#include <glib.h>

#include "core/base/gilk-cancellable.h"
#include "core/cfg/gilk-cfg-fold.h"
#include "core/cfg/gilk-cfg-source.h"
#include "core/cfg/gilk-cfg.h"
#include "core/dataflow/gilk-circulation.h"
#include "core/layout/gilk-layout.h"
#include "core/plot/gilk-plot.h"

G_BEGIN_DECLS

typedef struct {
  char *mnemonic;
  char *operands;              /* operands, with branch targets as names: "mutex_lock", "+0x5f" */
  char *note;                  /* meaning of the operands, such as "jiffies" or "iov_iter.count";
                                * NULL: unknown */
} GilkGraphLine;

typedef struct GilkGraph {
  GilkCfg       *cfg;
  GilkLayout    *layout;
  char         **titles;       /* title of each block, such as "+0x1f" */
  GilkGraphLine *lines;        /* one line of text for each instruction of the cfg */
  guint         *columns;      /* per block: number of characters before the operands */
  GilkPlotStyle  style;        /* fonts and size used for measuring */
  double         advance;      /* width of one character of code */
  GilkCfgFold   *fold;         /* folded regions; NULL: the graph is not folded */
  /* private: */
  gatomicrefcount ref_count;
  struct GilkGraph *whole;     /* the unfolded graph, which owns the text; NULL: this graph is not
                                * folded */
  guint         *joined;       /* per edge: index of the next edge that is drawn as the same line,
                                * or G_MAXUINT; NULL: this graph is not folded */
} GilkGraph;

/* Makes a graph. @style: only fonts and size are used. @notes: (nullable): for each instruction of
 * the cfg, a note to show instead of the meaning of the operands; an element may be NULL. Returns
 * NULL if cancelled, or if text cannot be read. */
GilkGraph *gilk_graph_new   (GilkCfg *cfg, GilkDecoder *decoder, const GilkPlotStyle *style,
                             const char *const *notes, GCancellable *cancellable, GError **error);
/* Makes a graph of a recorded function. @cfg: from gilk_cfg_new_recorded(); @titles, @texts: one
 * for each block, each text with an instruction per line; @notes: as in gilk_graph_new(). */
GilkGraph *gilk_graph_new_recorded (GilkCfg *cfg, const char *const *titles,
                                    const char *const *texts, const GilkPlotStyle *style, const char *const *notes,
                                    GCancellable *cancellable, GError **error);
/* Returns the graph with folded regions, or NULL on cancel. @whole: must not be folded. */
GilkGraph *gilk_graph_fold  (GilkGraph *whole, const GilkCfgFold *fold, GCancellable *cancellable, GError **error);
GilkGraph *gilk_graph_ref   (GilkGraph *graph);
void       gilk_graph_unref (GilkGraph *graph);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkGraph, gilk_graph_unref)

/* State of a probe point, drawn as a shape, because colour must not be the only sign. */
typedef enum {
  GILK_MARK_FREE,              /* hollow */
  GILK_MARK_PLANNED,           /* filled */
  GILK_MARK_LIVE,              /* a filled shape with a ring around it */
  GILK_MARK_REFUSED,           /* crossed */
  GILK_MARK_OTHER,             /* a square: another client has a hook at the point */
} GilkMark;

/* Meaning of a block's colour. */
typedef enum {
  GILK_LAYER_HEAT,             /* number of executions */
  GILK_LAYER_TACTIC,           /* tactic (technique) by which a hook reaches the block */
  GILK_LAYER_COST,             /* cost of a counter of the block's executions */
} GilkGraphLayer;

#define GILK_HITS_UNKNOWN GILK_COUNT_UNKNOWN

typedef struct {
  const uint8_t  *marks;       /* GilkMark of each probe point, at index 2 * block + post (1 for a
                                * post-hook); NULL: all points are free */
  const uint64_t *hits;        /* hits per block, GILK_HITS_UNKNOWN if not measured; NULL: no hits
                                * are known */
  const GilkKnownCounts *known; /* derived counts of edges, and of blocks that are not measured;
                                 * NULL: none */
  uint64_t        hits_max;
  gboolean        log_heat;
  GilkGraphLayer  layer;
  const uint8_t  *tactics;     /* per block: enum ilk_tactic of its start or its end, whichever is
                                * cheaper to hook; 0: refused; NULL: only heat is shown */
  guint           bpf_tactics; /* if hooks are BPF programs: set of the bits 1 << tactic of all
                                * tactics that points have; 0: the driver sets the hooks */
  const guint    *costs;       /* per block: number of instructions that a counter adds */
  guint           costs_max;
  int             block;       /* current block; -1: none */
  int             point;       /* current probe point, as 2 * block + post; -1: none */
  int             hover;       /* probe point under the mouse pointer, as @point; -1: none */
  gboolean        focus;       /* the graph has keyboard focus */
  gboolean        others;      /* some marks show hooks of other clients, so the legend explains
                                * that mark */
  gboolean        recorded;    /* the run has ended: only points that had a hook are marked */
  /* The fields from here on are highlights, painted by gilk-graph-highlight.c. */
  const uint8_t  *selected;    /* per block: whether it is selected; NULL: no selection of several
                                * blocks */
  const uint8_t  *highlighted; /* per edge: whether it is on the path that is shown; NULL: no
                                * path */
  gboolean        has_edge;    /* the pointer is on edge @edge */
  guint           edge;        /* edge under the pointer; valid if @has_edge */
  const uint8_t  *dimmed;      /* per block: whether it is dimmed; NULL: none */
  const char     *dim_reason;  /* reason for dimming, shown in the legend; NULL: none */
  const uint8_t  *found;       /* per instruction: whether it matches the search; NULL: no search */
  int             insn;        /* current instruction; -1: none */
} GilkGraphLook;

/**
 * gilk_graph_paint:
 * @visible: visible part of the drawing, in its units; NULL for all
 * @scale: pixels per unit; text too small to read is drawn as bars
 */
void gilk_graph_paint         (cairo_t *cr, const GilkGraph *graph, const GilkPlotStyle *style,
                               const GilkGraphLook *look, const GilkBox *visible, double scale);
/* Paints the minimap: the blocks only, scaled to fit @width x @height at the origin, with a frame
 * around @visible. */
void gilk_graph_paint_minimap (cairo_t *cr, const GilkGraph *graph, const GilkPlotStyle *style,
                               const GilkGraphLook *look, const GilkBox *visible,
                               double width, double height);
/* Sets @x and @y to the horizontal and the vertical scale of the minimap: narrow graphs are
 * widened, and flat ones made taller. */
void gilk_graph_minimap_scale (const GilkLayout *layout, double width, double height, double *x, double *y);
/* Paints the legend and returns its width. @cr may be a recording surface, to measure. */
double gilk_graph_paint_legend (cairo_t *cr, const GilkPlotStyle *style, const GilkGraphLook *look,
                                double height);

/* Paints one mark, centred at @x, @y. */
void gilk_graph_paint_mark    (cairo_t *cr, const GilkPlotStyle *style, GilkMark mark,
                               double x, double y, double radius);

/* Sets @x and @y to the position of a point's mark, in drawing units. */
void gilk_graph_point_xy      (const GilkGraph *graph, int point, double *x, double *y);
/* gilk_graph_point_at() returns the point within @within units of x,y, and gilk_graph_block_at()
 * the block at x,y; -1: none. */
int  gilk_graph_point_at      (const GilkGraph *graph, double x, double y, double within);
int  gilk_graph_block_at      (const GilkGraph *graph, double x, double y);
/* Returns TRUE if @block is hidden: another block stands for it, and both have the same box. */
gboolean gilk_graph_is_hidden (const GilkGraph *graph, guint block);
/* Returns how many blocks @block stands for: all blocks of a folded region, or 1 if @block is not
 * folded. */
guint    gilk_graph_folded    (const GilkGraph *graph, guint block);

/* Facts about the blocks of a folded region, which one block, the fold, stands for. */
typedef struct {
  guint    blocks, hooks, found;   /* @found: number of instructions that match the search */
  uint64_t hits;                   /* maximum hits of a block in the fold, or GILK_HITS_UNKNOWN */
} GilkFoldFacts;

void     gilk_graph_fold_facts (const GilkGraph *graph, const GilkGraphLook *look, guint head, GilkFoldFacts *facts);
/* Describes a fold as text. If @all is FALSE, mentions only hooks and found instructions, and
 * returns "" if there are none. (transfer full) */
char    *gilk_graph_fold_text (const GilkFoldFacts *facts, gboolean all);
/* One line stands for all edges between the same two blocks if one of the blocks is a fold (a block
 * that stands for a folded region). gilk_graph_edge_joined() returns the number of edges on the
 * line that shows @edge. gilk_graph_edge_hits() gets the sum of their counts; FALSE: one of the
 * counts is unknown. gilk_graph_edge_is_highlighted() returns whether any edge of the line is
 * highlighted. */
guint    gilk_graph_edge_joined (const GilkGraph *graph, guint edge);
gboolean gilk_graph_edge_hits   (const GilkGraph *graph, const GilkGraphLook *look, guint edge, uint64_t *hits);
gboolean gilk_graph_edge_is_highlighted (const GilkGraph *graph, const GilkGraphLook *look, guint edge);
/* Returns the fill colour for @hits, between heat_low and heat_high of the style. */
GilkColour gilk_graph_heat    (const GilkPlotStyle *style, uint64_t hits, uint64_t max, gboolean log_heat);
/* Returns black or white, whichever has more contrast to @fill:
 * at least 4.58 : 1, more than the 4.5 : 1 of WCAG 2 (AA). */
GilkColour gilk_graph_ink_on  (const GilkColour *fill);

/* User data of gilk_graph_paint_picture(), a GilkPaintFunc, which paints the whole picture with a
 * margin. */
typedef struct {
  const GilkGraph     *graph;
  const GilkPlotStyle *style;
  const GilkGraphLook *look;
} GilkGraphPicture;

#define GILK_GRAPH_MARGIN 24

void gilk_graph_paint_picture (cairo_t *cr, double width, double height, gpointer picture);

/*
 * Searches a function's instructions by text
 *
 * Threads: one at a time; the graph and the lines of source are borrowed for
 * gilk_graph_finder_new() only.
 */

typedef struct _GilkGraphFinder GilkGraphFinder;

/* Makes a finder for the instructions of @graph. @source: (nullable): the function's source
 * lines */
GilkGraphFinder *gilk_graph_finder_new  (const GilkGraph *graph, const GilkCfgSource *source);
void             gilk_graph_finder_free (GilkGraphFinder *finder);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkGraphFinder, gilk_graph_finder_free)

/**
 * gilk_graph_finder_find:
 * @text: words. An instruction matches if its description contains each word, ignoring case. The
 *   description consists of the instruction's text, the meaning of its operands, its address, the
 *   block that it starts, and the instruction's source line with the names of inlined functions
 * @found: (out): for each instruction, whether it matches
 *
 * Returns: number of matches; 0 for an empty @text
 */
guint            gilk_graph_finder_find (const GilkGraphFinder *finder, const char *text, uint8_t *found);

/*
 * Finds edges and instructions in a drawn graph by position, and paints highlights
 *
 * Threads: any; painting: only the cairo_t's thread.
 */

/* Returns the edge nearest to x,y within @within, or -1. Edges to one block may share a line:
 * @n_shared (nullable) is set to the number of edges on that line. */
int  gilk_graph_edge_at        (const GilkGraph *graph, double x, double y, double within, guint *n_shared);

/* gilk_graph_insn_block() returns the block that contains instruction @insn (-1: none),
 * gilk_graph_insn_box() gets the box of the instruction's line, and gilk_graph_insn_at() returns
 * the instruction of @block at y (-1: none). */
int  gilk_graph_insn_block (const GilkGraph *graph, guint insn);
void gilk_graph_insn_box   (const GilkGraph *graph, guint insn, GilkBox *box);
int  gilk_graph_insn_at    (const GilkGraph *graph, guint block, double y);

/* The painter calls these functions: gilk_graph_paint_highlighted() paints the highlights of edges,
 * before the edges themselves; gilk_graph_paint_selected() paints the highlights of a block and of
 * its instructions. */
void gilk_graph_paint_highlighted (cairo_t *cr, const GilkGraph *graph, const GilkPlotStyle *style,
                                   const GilkGraphLook *look, double scale);
void gilk_graph_paint_selected    (cairo_t *cr, const GilkGraph *graph, const GilkPlotStyle *style,
                                   const GilkGraphLook *look, guint block, double scale);
/* Paints the background of instruction @insn if it was
 * found: its line starts at @x and is centred at @middle. */
void gilk_graph_paint_found       (cairo_t *cr, const GilkPlotStyle *style, const GilkGraphLook *look, guint insn,
                                   double x, double middle, double width);

/*
 * Converts a function's graph to the form that the layout takes
 *
 * Threads: any.
 */

/* Initialises @shape from the graph of @cfg, with branches not taken and fall-through edges on the
 * left, taken branches and jumps on the right, and rare edges last. @shape borrows its name from
 * @cfg. */
void gilk_graph_shape_init  (GilkLayoutGraph *shape, const GilkCfg *cfg);
void gilk_graph_shape_clear (GilkLayoutGraph *shape);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (GilkLayoutGraph, gilk_graph_shape_clear)

G_END_DECLS

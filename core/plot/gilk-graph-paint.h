/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-graph-paint.h - a control-flow graph with disassembly, heat and hook marks
 *
 * GilkGraph is the immutable picture: text, sizes and layout of one function,
 * made on a worker thread. GilkGraphLook is what changes while one watches.
 * The painter only draws; the workbench and the CLI's --svg share it.
 *
 * Threads: any for making and sharing a graph, which is immutable; painting is for that of
 * the cairo_t. Outputs are untouched on failure.
 */
#pragma once

#include <cairo.h>
#include <gio/gio.h>

#include "core/cfg/gilk-cfg-fold.h"
#include "core/dataflow/gilk-known-counts.h"
#include "core/layout/gilk-layout.h"
#include "core/plot/gilk-plot.h"

G_BEGIN_DECLS

typedef struct {
  char *mnemonic;
  char *operands;              /* targets as names: "mutex_lock", "+0x5f" */
  char *note;                  /* what they mean: "jiffies", "iov_iter.count"; NULL: not known */
} GilkGraphLine;

typedef struct GilkGraph {
  GilkCfg       *cfg;
  GilkLayout    *layout;
  char         **titles;       /* per block: "+0x1f" */
  GilkGraphLine *lines;        /* per instruction of the cfg */
  guint         *columns;      /* per block: characters before the operands */
  GilkPlotStyle  style;        /* fonts and size it was measured with */
  double         advance;      /* width of one character of code */
  GilkCfgFold   *fold;         /* what is folded; NULL: nothing */
  /* private: */
  gatomicrefcount ref_count;
  struct GilkGraph *whole;     /* that it was made of, which has the text; NULL: it is whole */
  guint         *joined;       /* per edge: another one that the same line stands for, or G_MAXUINT; NULL: it is whole */
} GilkGraph;

/* @style: only fonts and size matter here. @notes: (nullable) per instruction of the cfg, (nullable), and before what
 * operands mean. NULL on cancel or if text cannot be read. */
GilkGraph *gilk_graph_new   (GilkCfg *cfg, GilkDecoder *decoder, const GilkPlotStyle *style,
                             const char *const *notes, GCancellable *cancellable, GError **error);
/* @cfg from gilk_cfg_new_recorded(); @titles and @texts (an instruction a line) per block; @notes likewise. */
GilkGraph *gilk_graph_new_recorded (GilkCfg *cfg, const char *const *titles,
                                    const char *const *texts, const GilkPlotStyle *style, const char *const *notes,
                                    GCancellable *cancellable, GError **error);
/* The same function with regions of it folded. @whole: is not folded. NULL on cancel. */
GilkGraph *gilk_graph_fold  (GilkGraph *whole, const GilkCfgFold *fold, GCancellable *cancellable, GError **error);
GilkGraph *gilk_graph_ref   (GilkGraph *graph);
void       gilk_graph_unref (GilkGraph *graph);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkGraph, gilk_graph_unref)

/* State of a probe point, drawn as a shape so that colour is never alone. */
typedef enum {
  GILK_MARK_FREE,              /* hollow */
  GILK_MARK_PLANNED,           /* filled */
  GILK_MARK_LIVE,              /* filled and ringed */
  GILK_MARK_REFUSED,           /* crossed */
  GILK_MARK_OTHER,             /* square: another client has a hook there */
} GilkMark;

/* What colours a block. */
typedef enum {
  GILK_LAYER_HEAT,             /* how often it ran */
  GILK_LAYER_TACTIC,           /* how a hook would be placed */
  GILK_LAYER_COST,             /* what a count would cost */
} GilkGraphLayer;

#define GILK_HITS_UNKNOWN GILK_COUNT_UNKNOWN

typedef struct {
  const uint8_t  *marks;       /* GilkMark, [2 * block + post]; NULL: all free */
  const uint64_t *hits;        /* per block, GILK_HITS_UNKNOWN if not measured; NULL: none */
  const GilkKnownCounts *known; /* of blocks that are not measured, and of edges; NULL: none */
  uint64_t        hits_max;
  gboolean        log_heat;
  GilkGraphLayer  layer;
  const uint8_t  *tactics;     /* per block: enum ilk_tactic of its cheaper point, 0 refused; NULL: no layer but heat */
  const guint    *costs;       /* per block: instructions that a count adds */
  guint           costs_max;
  int             block;       /* current block, -1 none */
  int             point;       /* current point, 2 * block + post, -1 none */
  int             hover;       /* point under the pointer, -1 none */
  gboolean        focus;       /* the graph has the keyboard */
  gboolean        others;      /* some marks are of other clients */
  gboolean        recorded;    /* of a run that is over: a hook was there, or there is no mark */
  /* Pointed out; see gilk-graph-highlight.h. */
  const uint8_t  *chosen;      /* per block: one of several that are chosen; NULL: none */
  const uint8_t  *lit;         /* per edge: of a way that is shown; NULL: none */
  gboolean        has_edge;    /* the pointer is on an edge, */
  guint           edge;        /* this one */
  const uint8_t  *faint;       /* per block: of no concern now; NULL: none */
  const char     *faint_why;   /* said in the legend; NULL: none is */
  const uint8_t  *found;       /* per instruction: what was searched for; NULL: nothing */
  int             insn;        /* current instruction, -1 none */
} GilkGraphLook;

/**
 * gilk_graph_paint:
 * @visible: part of the drawing that is seen, in its units; NULL for all
 * @scale: pixels a unit, so that text too small to read is drawn as bars
 */
void gilk_graph_paint         (cairo_t *cr, const GilkGraph *graph, const GilkPlotStyle *style,
                               const GilkGraphLook *look, const GilkBox *visible, double scale);
/* Blocks only, fitted into @width x @height at the origin; @visible is framed. */
void gilk_graph_paint_minimap (cairo_t *cr, const GilkGraph *graph, const GilkPlotStyle *style,
                               const GilkGraphLook *look, const GilkBox *visible,
                               double width, double height);
/* How much smaller the map is than the drawing: narrow graphs are made wider in it, and flat ones taller. */
void gilk_graph_minimap_scale (const GilkLayout *layout, double width, double height, double *x, double *y);
/* The legend; returns its width. @cr may be a recording surface to measure. */
double gilk_graph_paint_legend (cairo_t *cr, const GilkPlotStyle *style, const GilkGraphLook *look,
                                double height);

/* One mark, centred at @x, @y. */
void gilk_graph_paint_mark    (cairo_t *cr, const GilkPlotStyle *style, GilkMark mark,
                               double x, double y, double radius);

/* Where a point's mark is, in drawing units. */
void gilk_graph_point_xy      (const GilkGraph *graph, int point, double *x, double *y);
/* Point @within units of x,y (else -1), and the block that covers it (else -1). */
int  gilk_graph_point_at      (const GilkGraph *graph, double x, double y, double within);
int  gilk_graph_block_at      (const GilkGraph *graph, double x, double y);
/* Another block stands for it. Its box is that one's. */
gboolean gilk_graph_is_hidden (const GilkGraph *graph, guint block);
/* How many blocks it stands for; 1: it is not folded. */
guint    gilk_graph_folded    (const GilkGraph *graph, guint block);

/* What is in a fold. */
typedef struct {
  guint    blocks, hooks, found;   /* found: instructions that were searched for */
  uint64_t hits;                   /* the most of a block; or GILK_HITS_UNKNOWN */
} GilkFoldFacts;

void     gilk_graph_fold_facts (const GilkGraph *graph, const GilkGraphLook *look, guint head, GilkFoldFacts *facts);
/* @all: or hooks and places alone, which may be none: "". (transfer full) */
char    *gilk_graph_fold_words (const GilkFoldFacts *facts, gboolean all);
/* Of several edges between the same two, of which one is a fold, one has a line, which stands for all. How many they are,
 * how often all of them were gone along (FALSE: not known of each), and whether one is lit. */
guint    gilk_graph_edge_joined (const GilkGraph *graph, guint edge);
gboolean gilk_graph_edge_hits   (const GilkGraph *graph, const GilkGraphLook *look, guint edge, uint64_t *hits);
gboolean gilk_graph_edge_is_lit (const GilkGraph *graph, const GilkGraphLook *look, guint edge);
/* Fill for @hits, in [low, high] of the style. */
GilkColour gilk_graph_heat    (const GilkPlotStyle *style, uint64_t hits, uint64_t max, gboolean log_heat);
/* Black or white, whichever has more contrast to @fill: at least 4.5 : 1, as WCAG 2 asks (AA), for of the two one always has 4.58. */
GilkColour gilk_graph_ink_on  (const GilkColour *fill);

/* Whole picture with a margin; a GilkPaintFunc over a GilkGraphPicture. */
typedef struct {
  const GilkGraph     *graph;
  const GilkPlotStyle *style;
  const GilkGraphLook *look;
} GilkGraphPicture;

#define GILK_GRAPH_MARGIN 24

void gilk_graph_paint_picture (cairo_t *cr, double width, double height, gpointer picture);

G_END_DECLS

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-flow.h - all block and edge counts of a function from few hooks
 *
 * What enters a block leaves it: counts are a circulation through the graph,
 * closed by a virtual edge from the exits to the entry. Blocks are counted, edges
 * cannot be; so some edges may not follow even if every block is counted, and
 * those are named. Pure: knows nothing of targets and runs.
 */
#pragma once

#include "core/splice/gilk-splice.h"

G_BEGIN_DECLS

/* Whether a count can be known, and if not, why. */
typedef enum {
  GILK_FLOW_FOLLOWS,       /* measured, or follows from what is */
  GILK_FLOW_PARALLEL,      /* several edges join the same two blocks */
  GILK_FLOW_CROSSING,      /* several blocks share several successors: block counts cannot tell */
  GILK_FLOW_UNHOOKED,      /* would follow from a block that cannot be hooked */
} GilkFlowFate;

/* Where a block may be counted. */
typedef struct {
  gboolean  possible;
  GilkWhere where;
  guint     cost;          /* of one hit, above 0; any unit */
} GilkFlowPoint;

typedef enum {
  GILK_FLOW_FEWEST  = 0,
  /* Also hook where the function is entered and left, as far as possible: threads still
   * inside then show as an imbalance instead of as slightly wrong counts. */
  GILK_FLOW_CHECKED = 1 << 0,
  /* Hook every block that may be: the choice was made before, or all are to check each other. */
  GILK_FLOW_ALL     = 1 << 1,
} GilkFlowFlags;

typedef struct {
  GilkCfg       *cfg;
  guint          refusal;       /* GilkRefusal of the function: nothing is chosen or follows */
  GilkFlowPoint *points;        /* per block */
  gboolean      *hooked;        /* per block: chosen to be counted */
  guint          n_hooked;
  uint8_t       *block_fates;   /* GilkFlowFate per block */
  uint8_t       *edge_fates;    /* per edge */
  uint8_t       *exit_fates;    /* per block: of the count that leaves the function there */
  guint          n_open_blocks, n_open_edges;   /* those that do not follow */
  guint          n_checks;      /* independent ways in which wrong counts show */
  /* private: */
  struct _GilkFlowGraph *graph;
} GilkFlowPlan;

/* TRUE if the end of the block is reached as often as its beginning: no fault leaves its middle. */
gboolean       gilk_flow_runs_through (const GilkCfg *cfg, guint block);

/* How each block would be counted, by asking the planner: at its pre-point, else at its
 * post-point if nothing leaves its middle. A trap is dear. (transfer full) */
GilkFlowPoint *gilk_flow_points   (GilkCfg *cfg, GilkDecoder *decoder);

/**
 * gilk_flow_new:
 * @points: per block; NULL if each may be counted, all at the same cost
 *
 * Chooses the smallest set of blocks from which all follows that follows from any
 * set; among those the one cheapest by cost and depth of loops.
 */
GilkFlowPlan  *gilk_flow_new      (GilkCfg *cfg, const GilkFlowPoint *points,
                                   GilkFlowFlags flags);
void           gilk_flow_free     (GilkFlowPlan *flow);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkFlowPlan, gilk_flow_free)

typedef enum {
  GILK_FLOW_NEGATIVE_BLOCK,     /* a block would have run less than never */
  GILK_FLOW_NEGATIVE_EDGE,
  GILK_FLOW_NEGATIVE_EXIT,      /* @index: the block; likewise an entry from outside */
  GILK_FLOW_UNBALANCED,         /* more went in than came out, or the reverse */
} GilkFlowFaultKind;

typedef struct {
  GilkFlowFaultKind kind;
  guint   index;           /* of the block or edge. UNBALANCED: a block of the part where it
                            * shows, G_MAXUINT: the function as a whole */
  int64_t amount;          /* the negative count; or how many more came out than went in */
} GilkFlowFault;

typedef struct {
  uint64_t *blocks;        /* 0 where it does not follow: see the fates */
  uint64_t *edges;
  uint64_t *exits;         /* per block */
  GArray   *faults;        /* GilkFlowFault; empty: no contradiction found */
} GilkFlowCounts;

/**
 * gilk_flow_solve:
 * @measured: per block; only those of hooked blocks are read
 *
 * Exact if every thread that came in went out again. With faults no count is to be
 * trusted to the last hit. Without GILK_FLOW_CHECKED threads still inside, and those
 * that never return from a call, may go unseen.
 */
GilkFlowCounts *gilk_flow_solve       (const GilkFlowPlan *flow, const uint64_t *measured);
void            gilk_flow_counts_free (GilkFlowCounts *counts);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkFlowCounts, gilk_flow_counts_free)

/* Stable name, "crossing"; and one sentence, why. Never NULL. */
const char *gilk_flow_fate_name  (guint fate);
const char *gilk_flow_fate_cause (guint fate);
/* One sentence with cause and remedy. (transfer full) */
char       *gilk_flow_describe   (const GilkFlowPlan *flow, const GilkFlowFault *fault);

G_END_DECLS

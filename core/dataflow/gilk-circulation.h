/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-circulation.h - all block and edge counts of a function from few hooks
 *
 * What enters a block leaves it: counts are a circulation through the graph,
 * closed by a virtual edge from the exits to the entry. Blocks are counted, edges
 * cannot be; so some edges may not follow even if every block is counted, and
 * those are named. Pure: knows nothing of targets and runs.
 *
 * Threads: any; what was made is not changed any more.
 */
#pragma once

#include "core/cfg/gilk-point.h"

G_BEGIN_DECLS

/* Whether a count can be known, and if not, why. */
typedef enum {
  GILK_CIRCULATION_FOLLOWS,       /* measured, or follows from what is */
  GILK_CIRCULATION_PARALLEL,      /* several edges join the same two blocks */
  GILK_CIRCULATION_CROSSING,      /* several blocks share successors: counts cannot tell */
  GILK_CIRCULATION_UNHOOKED,      /* would follow from a block that cannot be hooked */
} GilkCirculationFate;

/* Where a block may be counted. */
typedef struct {
  gboolean  possible;
  GilkWhere where;
  guint     cost;          /* of one hit, above 0; any unit */
} GilkCirculationPoint;

typedef enum {
  GILK_CIRCULATION_FEWEST  = 0,
  /* Also hook where the function is entered and left, as far as possible: threads still
   * inside then show as an imbalance instead of as slightly wrong counts. */
  GILK_CIRCULATION_CHECKED = 1 << 0,
  /* Hook every block that may be: the choice was made before, or all are to check each other. */
  GILK_CIRCULATION_ALL     = 1 << 1,
} GilkCirculationFlags;

typedef struct {
  GilkCfg       *cfg;
  guint          refusal;       /* GilkRefusal of the function: nothing is chosen or follows */
  GilkCirculationPoint *points;        /* per block */
  gboolean      *hooked;        /* per block: chosen to be counted */
  guint          n_hooked;
  uint8_t       *block_fates;   /* GilkCirculationFate per block */
  uint8_t       *edge_fates;    /* per edge */
  uint8_t       *exit_fates;    /* per block: of the count that leaves the function there */
  guint          n_open_blocks, n_open_edges;   /* those that do not follow */
  guint          n_checks;      /* independent ways in which wrong counts show */
  /* private: */
  struct _GilkCirculationGraph *graph;
} GilkCirculation;

/* TRUE if the end of the block is reached as often as its beginning: no fault leaves its middle. */
gboolean       gilk_circulation_runs_through (const GilkCfg *cfg, guint block);

/**
 * gilk_circulation_new:
 * @points: per block; NULL if each may be counted, all at the same cost
 *
 * Chooses the smallest set of blocks from which all follows that follows from any
 * set; among those the one cheapest by cost and depth of loops.
 */
GilkCirculation  *gilk_circulation_new      (GilkCfg *cfg, const GilkCirculationPoint *points,
                                   GilkCirculationFlags flags);
void           gilk_circulation_free     (GilkCirculation *circulation);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkCirculation, gilk_circulation_free)

typedef enum {
  GILK_CIRCULATION_NEGATIVE_BLOCK,     /* a block would have run less than never */
  GILK_CIRCULATION_NEGATIVE_EDGE,
  GILK_CIRCULATION_NEGATIVE_EXIT,      /* @index: the block; likewise an entry from outside */
  GILK_CIRCULATION_UNBALANCED,         /* more went in than came out, or the reverse */
} GilkCirculationFaultKind;

typedef struct {
  GilkCirculationFaultKind kind;
  guint   index;           /* of the block or edge. UNBALANCED: a block of the part where it
                            * shows, G_MAXUINT: the function as a whole */
  int64_t amount;          /* the negative count; or how many more came out than went in */
} GilkCirculationFault;

typedef struct {
  uint64_t *blocks;        /* 0 where it does not follow: see the fates */
  uint64_t *edges;
  uint64_t *exits;         /* per block */
  GArray   *faults;        /* GilkCirculationFault; empty: no contradiction found */
} GilkCirculationCounts;

/**
 * gilk_circulation_solve:
 * @measured: per block; only those of hooked blocks are read
 *
 * Exact if every thread that came in went out again. With faults no count is to be
 * trusted to the last hit. Without GILK_CIRCULATION_CHECKED threads still inside, and those
 * that never return from a call, may go unseen.
 */
GilkCirculationCounts *gilk_circulation_solve (const GilkCirculation *circulation,
                                               const uint64_t *measured);
void            gilk_circulation_counts_free (GilkCirculationCounts *counts);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkCirculationCounts, gilk_circulation_counts_free)

/* Stable name, "crossing"; and one sentence, why. Never NULL. */
const char *gilk_circulation_fate_name  (guint fate);
const char *gilk_circulation_fate_cause (guint fate);
/* One sentence with cause and remedy. (transfer full) */
char       *gilk_circulation_describe   (const GilkCirculation *circulation,
                                         const GilkCirculationFault *fault);

G_END_DECLS

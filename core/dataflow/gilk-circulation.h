/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-circulation.h - computes block and edge counts of a function from few hooks: exact counts,
 * or approximate ones while the counters still change
 *
 * A block is entered as often as it is left: the counts are a circulation (a flow without sources
 * or sinks) in the graph, closed by a virtual edge from the exits to the entry. Blocks can be
 * counted, edges cannot. So the counts of some edges cannot be derived even if every block is
 * counted; for each of them, a GilkCountStatus has the reason. Pure: independent of targets and
 * runs.
 *
 * Threads: any; immutable once made.
 */
#pragma once

#include "core/cfg/gilk-point.h"

G_BEGIN_DECLS

/* Whether a count of a block or edge follows from measured counts, or why it does not. */
typedef enum {
  GILK_COUNT_STATUS_FOLLOWS,      /* measured, or implied by measured counts */
  GILK_COUNT_STATUS_PARALLEL,     /* several edges join the same two blocks */
  GILK_COUNT_STATUS_CROSSING,     /* several blocks share successors, so block counts cannot
                                   * separate their edges */
  GILK_COUNT_STATUS_UNHOOKED,     /* would follow from the count of a block that cannot be hooked */
} GilkCountStatus;

/* Whether and where a hook can count a block, and the cost of such a hook. */
typedef struct {
  gboolean  possible;
  GilkWhere where;
  guint     cost;          /* cost of one hit, above 0, in any unit that is the same for all
                            * blocks */
} GilkCirculationPoint;

typedef enum {
  GILK_CIRCULATION_FEWEST  = 0,
  /* Also hook the places where the function is entered and left, as far as possible. An imbalance
   * then reveals that threads are still inside the function, so that counts are slightly wrong. */
  GILK_CIRCULATION_CHECKED = 1 << 0,
  /*
   * Hook every block that can be hooked. Use this flag to let counts check each other, or if the
   * blocks were chosen already.
   */
  GILK_CIRCULATION_ALL     = 1 << 1,
} GilkCirculationFlags;

typedef struct {
  GilkCfg       *cfg;
  guint          refusal;        /* GilkRefusal of the function; if not 0, no blocks are chosen */
  GilkCirculationPoint *points;        /* for each block: whether it can be counted, where, and at
                                        * what cost */
  gboolean      *hooked;         /* for each block: whether it is counted */
  guint          n_hooked;
  uint8_t       *block_statuses; /* GilkCountStatus of each block's count */
  uint8_t       *edge_statuses;  /* GilkCountStatus of each edge's count */
  uint8_t       *exit_statuses;  /* GilkCountStatus of the count of exits from each block */
  guint          n_open_blocks, n_open_edges;   /* numbers of blocks and of edges whose counts
                                                 * cannot be derived from measured counts */
  guint          n_checks;       /* number of independent sums of counts that must agree; if they do
                                  * not, counts are wrong */
  /* private: */
  struct _GilkCirculationGraph *graph;
} GilkCirculation;

/* Returns whether the block's end is reached as often as its start, that is, whether no fault can
 * leave the block in its middle. */
gboolean       gilk_circulation_runs_through (const GilkCfg *cfg, guint block);

/**
 * gilk_circulation_new:
 * @points: one per block; NULL if each block can be counted, at equal cost
 *
 * Some counts cannot be derived from any set of counted blocks. Chooses the smallest set from
 * which all other counts can be derived; of several such sets, the cheapest by cost and loop
 * depth.
 */
GilkCirculation  *gilk_circulation_new      (GilkCfg *cfg, const GilkCirculationPoint *points,
                                   GilkCirculationFlags flags);
void           gilk_circulation_free     (GilkCirculation *circulation);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkCirculation, gilk_circulation_free)

typedef enum {
  GILK_CIRCULATION_NEGATIVE_BLOCK,     /* a block would have run a negative number of times: its
                                        * derived count is below 0 */
  GILK_CIRCULATION_NEGATIVE_EDGE,
  GILK_CIRCULATION_NEGATIVE_EXIT,      /* the number of exits from, or entries into, block @index
                                        * would be negative */
  GILK_CIRCULATION_UNBALANCED,         /* the numbers of entries into and exits from a part of the
                                        * function differ */
} GilkCirculationFaultKind;

typedef struct {
  GilkCirculationFaultKind kind;
  guint   index;           /* index of the block or edge; for UNBALANCED, a block of the unbalanced
                            * part, or G_MAXUINT for the whole function */
  int64_t amount;          /* for a negative count: the count; for UNBALANCED: number of exits minus
                            * number of entries */
} GilkCirculationFault;

typedef struct {
  uint64_t *blocks;        /* count of each block; 0 if it cannot be derived, see
                            * GilkCirculation.block_statuses */
  uint64_t *edges;
  uint64_t *exits;         /* number of exits from each block */
  GArray   *faults;        /* (element-type GilkCirculationFault); empty if the counts are
                            * consistent */
} GilkCirculationCounts;

/**
 * gilk_circulation_solve:
 * @measured: count of each block; only those of hooked blocks are read
 *
 * Derives all counts from the measured ones. Counts are exact if every thread that entered the
 * function has left it. If counts contradict each other (@faults), no count is exact to the last
 * hit. Without GILK_CIRCULATION_CHECKED, threads that are still inside, and threads that never
 * return from a call, may go unnoticed.
 */
GilkCirculationCounts *gilk_circulation_solve (const GilkCirculation *circulation,
                                               const uint64_t *measured);
void            gilk_circulation_counts_free (GilkCirculationCounts *counts);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkCirculationCounts, gilk_circulation_counts_free)

/* Return a stable name of a GilkCountStatus, such as "crossing", and a sentence with its reason.
 * Never return NULL. */
const char *gilk_count_status_name    (guint status);
const char *gilk_count_status_cause   (guint status);
/* Returns a sentence with the cause and remedy of a fault. (transfer full) */
char       *gilk_circulation_describe (const GilkCirculation *circulation,
                                       const GilkCirculationFault *fault);

/*
 * Derives block and edge counts from measured counts that still change.
 *
 * For live display: counters are read one after the other while threads are inside the function, so
 * a derived count may be wrong by up to the number of calls under way. Use gilk_circulation_new()
 * for exact counts and to find contradictions.
 */

#define GILK_COUNT_UNKNOWN G_MAXUINT64

typedef struct {
  uint64_t *blocks;        /* measured or derived count of each block, or GILK_COUNT_UNKNOWN */
  uint64_t *edges;         /* derived count of each edge, or GILK_COUNT_UNKNOWN */
  uint8_t  *inferred;      /* for each block: whether its count is derived, not measured */
  gboolean  contradictory; /* counts contradict each other, because threads were inside the function
                            * while they were read */
  guint     n_blocks, n_edges;
  /* private: */
  gatomicrefcount ref_count;
} GilkKnownCounts;

/**
 * gilk_known_counts_new:
 * @measured: count of each block, from hooks that all counted over the same interval;
 *   GILK_COUNT_UNKNOWN: not measured. A count at a block's end is valid for the block only if
 *   gilk_circulation_runs_through() returns TRUE.
 * Returns: NULL if nothing was measured, or the function is refused
 */
GilkKnownCounts *gilk_known_counts_new   (GilkCfg *cfg, const uint64_t *measured);
GilkKnownCounts *gilk_known_counts_ref   (GilkKnownCounts *known);
void             gilk_known_counts_unref (GilkKnownCounts *known);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkKnownCounts, gilk_known_counts_unref)

G_END_DECLS

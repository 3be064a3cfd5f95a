/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-code-layout.h - computes the best order of a function's blocks from execution counts, and
 * its expected benefit
 *
 * Figures are per call, averaged over the counted calls. They are as exact as the counts, because a
 * layout changes only where instructions are, not which instructions run.
 *
 * Threads: any; immutable once made.
 */
#pragma once

#include <glib.h>
#include <stdint.h>

#include "core/dataflow/gilk-circulation.h"
#include "core/splice/gilk-splice.h"

G_BEGIN_DECLS

#define GILK_CACHE_LINE 64    /* size of an instruction cache line, in bytes */

typedef struct {
  double taken;            /* number of taken jumps and branches per call, without calls and
                            * returns */
  double insns;
  double lines;            /* number of cache lines touched per call */
  guint  hot_bytes;        /* total size of hot blocks, in bytes */
  guint  hot_lines;        /* number of cache lines with hot blocks */
  guint  span;             /* number of bytes from the start of the first hot block to the end of
                            * the last hot block */
} GilkLayoutFigures;

typedef struct {
  GilkCfg  *cfg;
  uint64_t  calls;         /* number of calls; 0: there are no figures */
  uint64_t *blocks;        /* for each block: its execution count */
  uint64_t *edges;         /* for each edge: its count, or an estimate if the counts of blocks do
                            * not determine it */
  gboolean *hot;           /* for each block: whether it is hot */
  guint    *order;         /* blocks in the best order, for gilk_clone_set_order() */
  guint     n_order;
  GilkLayoutFigures before;
} GilkCodeLayout;

GilkCodeLayout *gilk_code_layout_new  (const GilkCirculation *circulation, const GilkCirculationCounts *counts);
void            gilk_code_layout_free (GilkCodeLayout *layout);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkCodeLayout, gilk_code_layout_free)

/**
 * gilk_code_layout_after:
 * @code: code of a clone without hooks, in any order
 * @slot: address of that code, real or planned
 * @entered: number of calls that reach the clone through the jump at the original's entry; calls
 *   from other clones do not go through it
 */
void          gilk_code_layout_after (const GilkCodeLayout *layout, const GilkCode *code, uint64_t slot,
                                      uint64_t entered, GilkLayoutFigures *after);

/* Returns how often the function calls @target, or ends in a jump to it. */
uint64_t      gilk_code_layout_calls (const GilkCodeLayout *layout, uint64_t target);

/*
 * Finds the best code layout for the blocks of a function.
 *
 * Pettis and Hansen (1990) chain blocks along the heaviest edges. Newell and Pupyrev (2020) score a
 * chain: each edge adds to the score (ExtTSP): with full weight if it falls through, with a small
 * weight if it is a short jump, which stays within few cache lines, and with none if it is a long
 * jump. Chains are joined, at their ends or in the middle of one of them, as long as the score
 * improves. Cold blocks follow hot ones, and blocks that never run come last.
 *
 * Pure: it depends on neither instructions nor a kernel.
 *
 * Threads: any.
 */

typedef struct {
  guint    bytes;
  uint64_t count;
} GilkOrderBlock;

typedef struct {
  guint    from, to;
  uint64_t count;
} GilkOrderEdge;

/* Blocks that run less often than once in this many calls are cold. */
#define GILK_ORDER_SELDOM 64

/* Returns the score of @order, a sequence of @n of the @n_blocks blocks. */
double gilk_order_score (const GilkOrderBlock *blocks, guint n_blocks, const GilkOrderEdge *edges, guint n_edges,
                         const guint *order, guint n);

/**
 * gilk_order_new:
 * @entry: block that comes first, whatever its count
 * @is_hot: (out) (nullable): array with an element for each block: whether the block is hot
 * Returns: (transfer full): all @n blocks in order, each once
 */
guint *gilk_order_new   (const GilkOrderBlock *blocks, guint n, guint entry, const GilkOrderEdge *edges,
                         guint n_edges, gboolean *is_hot);

G_END_DECLS

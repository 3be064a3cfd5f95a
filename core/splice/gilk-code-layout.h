/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-code-layout.h - computes the code layout of a function from its counts, and the expected
 * benefit
 *
 * Figures are per call, averaged over the counted calls. They are as exact as the counts, because a
 * layout changes only where instructions are, not which instructions run.
 *
 * Threads: any; immutable once made.
 */
#pragma once

#include "core/dataflow/gilk-circulation.h"
#include "core/splice/gilk-splice.h"

G_BEGIN_DECLS

#define GILK_CACHE_LINE 64    /* size of an instruction cache line */

typedef struct {
  double taken;            /* number of taken jumps and branches, without calls and returns */
  double insns;
  double lines;            /* cache lines touched */
  guint  hot_bytes;        /* total size of hot blocks */
  guint  hot_lines;        /* number of cache lines with hot blocks */
  guint  span;             /* number of bytes from the start of the first hot block to the end of
                            * the last */
} GilkLayoutFigures;

typedef struct {
  GilkCfg  *cfg;
  uint64_t  calls;         /* number of calls; 0: there are no figures */
  uint64_t *blocks;        /* execution count of each block */
  uint64_t *edges;         /* count of each edge, an estimate if the counts do not determine it */
  gboolean *hot;           /* for each block: whether it is hot */
  guint    *order;         /* block order for gilk_clone_set_order() */
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
 * @entered: number of calls that go through the jump at the original's entry; calls from clones do
 *   not
 */
void          gilk_code_layout_after (const GilkCodeLayout *layout, const GilkCode *code, uint64_t slot,
                                      uint64_t entered, GilkLayoutFigures *after);

/* Returns how often the function calls @target, or ends in a jump to it. */
uint64_t      gilk_code_layout_calls (const GilkCodeLayout *layout, uint64_t target);

G_END_DECLS

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-code-layout.h - code layout of a function from its counts, and the expected benefit
 *
 * Figures are per call, averaged over the counted calls. They are as exact as the counts, because a
 * layout changes only where instructions are, not which ones run.
 *
 * Threads: any; immutable once made.
 */
#pragma once

#include "core/dataflow/gilk-circulation.h"
#include "core/splice/gilk-splice.h"

G_BEGIN_DECLS

#define GILK_CACHE_LINE 64    /* bytes of an instruction cache line */

typedef struct {
  double taken;            /* jumps and branches taken, without calls and returns */
  double insns;
  double lines;            /* cache lines touched */
  guint  hot_bytes;        /* size of hot blocks */
  guint  hot_lines;        /* cache lines that they are in */
  guint  span;             /* bytes from the start of the first to the end of the last */
} GilkLayoutFigures;

typedef struct {
  GilkCfg  *cfg;
  uint64_t  calls;         /* 0: it was never called, and no figures are known */
  uint64_t *blocks;        /* by block: how often it ran */
  uint64_t *edges;         /* by edge; where the counts do not determine it, an estimate */
  gboolean *hot;           /* by block: whether it is hot */
  guint    *order;         /* for gilk_clone_set_order() */
  guint     n_order;
  GilkLayoutFigures before;
} GilkCodeLayout;

GilkCodeLayout *gilk_code_layout_new  (const GilkCirculation *circulation, const GilkCirculationCounts *counts);
void            gilk_code_layout_free (GilkCodeLayout *layout);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkCodeLayout, gilk_code_layout_free)

/**
 * gilk_code_layout_after:
 * @code: of a clone without hooks, in any order
 * @slot: its address, real or planned
 * @entered: how many of the calls pass the jump at the original's entry; calls from clones do not
 */
void          gilk_code_layout_after (const GilkCodeLayout *layout, const GilkCode *code, uint64_t slot,
                                      uint64_t entered, GilkLayoutFigures *after);

/* Returns how often the function calls @target, or ends in a jump to it. */
uint64_t      gilk_code_layout_calls (const GilkCodeLayout *layout, uint64_t target);

G_END_DECLS

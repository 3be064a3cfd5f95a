/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-position.h - a function's blocks in the order that its counts suggest, and what that is good for
 *
 * Figures are of one call, averaged over those that were counted: exact as far as counts are, for what is run
 * does not change, only where it stands.
 *
 * Threads: any; what was made is not changed any more.
 */
#pragma once

#include "core/dataflow/gilk-circulation.h"
#include "core/splice/gilk-splice.h"

G_BEGIN_DECLS

#define GILK_POSITION_LINE 64    /* bytes of a line of the instruction cache */

typedef struct {
  double taken;            /* jumps and branches that are taken; calls and returns are not among them */
  double insns;
  double lines;            /* of the cache that are touched */
  guint  hot_bytes;        /* of the blocks that run often */
  guint  hot_lines;        /* that they lie in */
  guint  span;             /* bytes from the first of them to the end of the last */
} GilkPositionFigures;

typedef struct {
  GilkCfg  *cfg;
  uint64_t  calls;         /* 0: it was never called, and nothing of all this is known */
  uint64_t *blocks;        /* per block: how often it ran */
  uint64_t *edges;         /* per edge; what does not follow from the counts is shared out by where it leads */
  gboolean *hot;           /* per block: it runs often */
  guint    *order;         /* as gilk_clone_set_order() wants it */
  guint     n_order;
  GilkPositionFigures before;
} GilkPosition;

GilkPosition *gilk_position_new   (const GilkCirculation *circulation, const GilkCirculationCounts *counts);
void          gilk_position_free  (GilkPosition *position);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkPosition, gilk_position_free)

/**
 * gilk_position_after:
 * @code: of a clone without hooks, in any order
 * @slot: where it is, or would be
 * @entered: how many of the calls come by the jump at the original's entry; clones call it without
 */
void          gilk_position_after (const GilkPosition *position, const GilkCode *code, uint64_t slot,
                                   uint64_t entered, GilkPositionFigures *after);

/* How often the function calls, or ends in a jump to, @target. */
uint64_t      gilk_position_calls (const GilkPosition *position, uint64_t target);

G_END_DECLS

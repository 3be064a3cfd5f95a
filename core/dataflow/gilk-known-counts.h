/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-known-counts.h - derives block and edge counts from measured counts that still change
 *
 * For live display: counts are read one after the other while threads are inside, so derived counts
 * have an error of up to the number of calls under way. Use gilk-circulation.h for exact counts and
 * to find contradictions.
 *
 * Threads: any; immutable once made.
 */
#pragma once

#include "core/dataflow/gilk-circulation.h"

G_BEGIN_DECLS

#define GILK_COUNT_UNKNOWN G_MAXUINT64

typedef struct {
  uint64_t *blocks;        /* measured or derived count of each block, or GILK_COUNT_UNKNOWN */
  uint64_t *edges;         /* derived count of each edge, or GILK_COUNT_UNKNOWN */
  uint8_t  *inferred;      /* for each block: whether its count is derived, not measured */
  gboolean  contradictory; /* counts contradict each other, because threads were inside the
                            * function */
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

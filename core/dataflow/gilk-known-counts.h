/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-known-counts.h - the counts of all blocks and edges that follow from those that were measured
 *
 * For what is looked at while it is counted: counts are read one after the other, and threads are inside, so that
 * what follows is right to the few that were under way. gilk-circulation.h has what is exact, and says what is not.
 *
 * Threads: any; immutable once made.
 */
#pragma once

#include "core/dataflow/gilk-circulation.h"

G_BEGIN_DECLS

#define GILK_COUNT_UNKNOWN G_MAXUINT64

typedef struct {
  uint64_t *blocks;        /* measured or inferred, GILK_COUNT_UNKNOWN: does not follow */
  uint64_t *edges;         /* inferred: none is measured */
  uint8_t  *inferred;      /* per block: it was not measured, but follows */
  gboolean  doubted;       /* counts contradict each other: threads were inside */
  guint     n_blocks, n_edges;
  /* private: */
  gatomicrefcount ref_count;
} GilkKnownCounts;

/**
 * gilk_known_counts_new:
 * @measured: per block, of hooks that all counted from the same moment to the same moment; GILK_COUNT_UNKNOWN: not
 *   measured. A count at a block's end stands for the block only if gilk_circulation_runs_through().
 * Returns: NULL if nothing was measured, or the function is refused
 */
GilkKnownCounts *gilk_known_counts_new   (GilkCfg *cfg, const uint64_t *measured);
GilkKnownCounts *gilk_known_counts_ref   (GilkKnownCounts *known);
void             gilk_known_counts_unref (GilkKnownCounts *known);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkKnownCounts, gilk_known_counts_unref)

G_END_DECLS

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-sweep-ranks.h - the numbers at given ranks of a sweep of one side
 *
 * Threads: that of the sweep.
 */
#pragma once

#include "core/stats/gilk-ranks.h"
#include "core/stats/gilk-sweep.h"

G_BEGIN_DECLS

typedef struct {
  /* Called after the first pass: requests from @ranks those wanted of @side, which may be empty. */
  void     (*ask) (GilkRanks *ranks, const GilkSweepSummary *side, gpointer data);
  gpointer   data;
  GilkRanks *ranks;         /* holds the numbers when the sweep is over; borrowed */
  uint64_t   below;         /* must be 0 at the start */
} GilkSweepRanks;

/* Returns a viewer for gilk_sweep_new(), with a GilkSweepRanks as data. */
const GilkSweepViewer *gilk_sweep_ranks_viewer (void);

G_END_DECLS

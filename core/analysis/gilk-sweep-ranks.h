/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-sweep-ranks.h - the numbers at some ranks of a sweep of one kind
 *
 * Threads: that of the sweep.
 */
#pragma once

#include "core/analysis/gilk-ranks.h"
#include "core/analysis/gilk-sweep.h"

G_BEGIN_DECLS

typedef struct {
  /* The first pass is over: asks @ranks for those wanted of @side, which may have no number. */
  void     (*ask) (GilkRanks *ranks, const GilkSweepSide *side, gpointer data);
  gpointer   data;
  GilkRanks *ranks;         /* that know them when the sweep is over; borrowed */
  uint64_t   below;         /* 0 */
} GilkSweepRanks;

/* For gilk_sweep_new(), with a GilkSweepRanks as data. */
const GilkSweepViewer *gilk_sweep_ranks_viewer (void);

G_END_DECLS

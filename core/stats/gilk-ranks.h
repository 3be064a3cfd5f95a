/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-ranks.h - finds the values at given ranks of numbers that are passed in ascending order;
 * pure numerics
 *
 * Threads: one thread at a time.
 */
#pragma once

#include <glib.h>
#include <stdint.h>

#include "core/stats/gilk-sweep.h"

G_BEGIN_DECLS

typedef struct _GilkRanks GilkRanks;

GilkRanks *gilk_ranks_new  (void);
void       gilk_ranks_free (GilkRanks *ranks);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkRanks, gilk_ranks_free)

/* Requests the number at @rank, 0 for the smallest. Returns a handle for gilk_ranks_value(). Must
 * be called before the first step. */
guint      gilk_ranks_request      (GilkRanks *ranks, uint64_t rank);
/* Handle of a requested quantile, which is interpolated linearly between the numbers at two ranks
 * (type 7 of Hyndman and Fan). */
typedef struct { guint low, high; double fraction; } GilkRankedQuantile;
/* Requests a quantile. @n: count of all numbers, at least one; @p: 0 to 1 */
GilkRankedQuantile gilk_ranks_request_quantile (GilkRanks *ranks, uint64_t n, double p);

/* Returns TRUE if a requested rank is in [@below,
 * @below + @n). No ranks may be requested afterwards. */
gboolean gilk_ranks_within (GilkRanks *ranks, uint64_t below, uint64_t n);
/* Passes @n numbers equal to @value, after @below smaller ones. Numbers at ranks that were not
 * requested may be skipped. */
void     gilk_ranks_step   (GilkRanks *ranks, uint64_t below, uint64_t n, double value);

/* Returns the requested ranks, ascending, each once, for callers that look up the numbers
 * themselves, without gilk_ranks_step(). (transfer full) (element-type uint64_t) */
GArray    *gilk_ranks_list     (GilkRanks *ranks);

/* Return a requested number or quantile; valid after all numbers were passed. @asked, @quantile:
 * handle returned by the request */
double gilk_ranks_value    (const GilkRanks *ranks, guint asked);
double gilk_ranks_quantile (const GilkRanks *ranks, const GilkRankedQuantile *quantile);

/*
 * Collects the numbers at given ranks from a sweep of one side
 *
 * Threads: only the sweep's thread.
 */

typedef struct {
  /* Called after the first pass, to request the wanted ranks of @side, which may be empty. */
  void     (*ask) (GilkRanks *ranks, const GilkSweepSummary *side, gpointer data);
  gpointer   data;
  GilkRanks *ranks;         /* receives the requests, and has the numbers after the sweep;
                             * borrowed */
  uint64_t   below;         /* number of numbers passed so far; must be 0 at the start */
} GilkSweepRanks;

/* Returns the viewer to pass to gilk_sweep_new(), together with a GilkSweepRanks as its data. */
const GilkSweepViewer *gilk_sweep_ranks_viewer (void);

G_END_DECLS

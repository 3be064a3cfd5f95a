/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-arrivals.h - computes intervals and rates of events that passed a point
 *
 * Threads: any. Times are nanoseconds, ascending; arrays belong to the caller. Results are
 * (transfer full).
 */
#pragma once

#include "core/stats/gilk-gaps.h"

G_BEGIN_DECLS

typedef struct {
  gsize    n;               /* number of events in the range */
  gsize    n_intervals;
  double  *intervals;       /* seconds, ascending */
  gsize    zero;            /* number of intervals of length zero */
  uint64_t cut;             /* number of intervals left out because events may be missing */
} GilkArrivals;

/**
 * gilk_arrivals_new:
 * @gaps: (nullable): normalised GilkGaps, in seconds
 * Collects the intervals between the times in [from_ns, to_ns].
 */
GilkArrivals *gilk_arrivals_new  (const gint64 *times, gsize n, gint64 from_ns, gint64 to_ns,
                                  const GArray *gaps);
void          gilk_arrivals_free (GilkArrivals *arrivals);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkArrivals, gilk_arrivals_free)

/**
 * gilk_arrivals_rates:
 * Returns events per second in each whole bin of [from_ns, to_ns); NaN for a bin that touches a
 * gap.
 */
double       *gilk_arrivals_rates (const gint64 *times, gsize n, gint64 from_ns, gint64 to_ns,
                                   gint64 bin_ns, const GArray *gaps, gsize *n_bins);

G_END_DECLS

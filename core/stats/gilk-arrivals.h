/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-arrivals.h - computes rates and burstiness of events, and times between them
 *
 * Threads: any. Times are nanoseconds, ascending; arrays belong to the caller. Results are
 * (transfer full).
 */
#pragma once

#include <glib.h>

#include "core/stats/gilk-gaps.h"

G_BEGIN_DECLS

typedef struct {
  gsize    n;               /* number of events in the time range */
  gsize    n_intervals;
  double  *intervals;       /* times between successive events: seconds, ascending */
  gsize    zero;            /* number of @intervals that are zero */
  uint64_t cut;             /* number of intervals left out because events may be missing in them */
} GilkArrivals;

/**
 * gilk_arrivals_new:
 * @gaps: (nullable): times in which events may be missing, normalised (gilk_gaps_normalise())
 * Collects the differences of successive times in [from_ns, to_ns].
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

/*
 * Long-range dependence of a series: two estimates of the Hurst exponent.
 *
 * An exponent of 0.5 means no long-range dependence; a larger one means bursts on all time scales
 * (Leland, Taqqu, Willinger and Wilson, 1994).
 */

typedef struct {
  double  h;                /* Hurst exponent, from the slope of the fitted line: 1 + slope / 2 for
                             * variances, the slope itself for ranges; NaN if there are too few
                             * values, or if they hardly change */
  guint   n;                /* number of points to which the line is fitted */
  double *log_size, *log_value;   /* base 10 */
} GilkHurst;

void gilk_hurst_clear (GilkHurst *hurst);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (GilkHurst, gilk_hurst_clear)

/* The next two functions estimate the Hurst exponent H. Both use blocks of 10, 20, 40 ... values,
 * with at least 10 blocks of each size. */

/* Estimates H from the variance of block means. The variance is proportional to the block size to
 * the power 2H - 2. */
void gilk_hurst_variance (const double *values, gsize n, GilkHurst *hurst);
/* Estimates H from the range of a block's cumulative sums, divided by the block's standard
 * deviation. This quotient is proportional to the block size to the power H (Mandelbrot and Wallis,
 * 1969). */
void gilk_hurst_rescaled (const double *values, gsize n, GilkHurst *hurst);

G_END_DECLS

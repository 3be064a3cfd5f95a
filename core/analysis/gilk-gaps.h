/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-gaps.h - where a hook was not measured; pure numerics
 *
 * A hook's figures hold where it was on and nothing of it was lost. Pairs, intervals,
 * rates and plots all end at a gap.
 *
 * Threads: any. Arrays are the caller's; those returned are (transfer full).
 */
#pragma once

#include <glib.h>
#include <stdint.h>

G_BEGIN_DECLS

typedef enum {
  GILK_GAP_OFF,             /* the hook was not in the text: nothing was measured */
  GILK_GAP_LOST,            /* hits are counted, and some of their samples are missing */
} GilkGapKind;

typedef struct {
  double      from, to;     /* seconds since the run's start */
  GilkGapKind kind;
  double      lost;         /* samples that are missing in it */
} GilkGap;

/* Arrays of gaps are ascending and do not overlap, once tidied. NULL is one without gaps. */

/* Sorts, cuts to [0, @duration], and lets parts that overlap count once: where a hook was
 * off nothing was lost, and a later loss begins where an earlier one ends. */
void     gilk_gaps_tidy     (GArray *gaps, double duration);
/* Those of either. Tidy. (transfer full) */
GArray  *gilk_gaps_join     (const GArray *a, const GArray *b, double duration);
/* TRUE if something may be missing between the two moments. */
gboolean gilk_gaps_touch    (const GArray *gaps, double from, double to);
/* Seconds of [from, to] in which the hook was on. */
double   gilk_gaps_measured (const GArray *gaps, double from, double to);
/* Samples missing in [from, to], as if each loss were spread evenly over its gap. */
double   gilk_gaps_lost     (const GArray *gaps, double from, double to);

/**
 * gilk_count_rates:
 * @counts: cumulative, as read at @times
 * Hits per second from reading to reading, for the part of it in which the hook was on, at
 * the end of that part. A NaN stands where a line has to end.
 */
void     gilk_count_rates   (const double *times, const double *counts, gsize count,
                             const GArray *gaps, GArray **at, GArray **rates);
/* In place: how many events were seen in each of @n_bins slices, between @edges, n_bins + 1, becomes events
 * per second, those among them whose samples were lost. NaN where nothing was measured for the greater
 * part of a slice. */
void     gilk_rate_of_counts (double *rates, const double *edges, guint n_bins, const GArray *gaps);

G_END_DECLS

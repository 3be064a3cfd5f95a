/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-gaps.h - times in which a hook has incomplete data; pure numerics
 *
 * A hook's figures are valid while it was on and no sample was lost. No pair, interval, rate or
 * curve extends across a gap.
 *
 * Threads: any. Arrays belong to the caller; returned ones are (transfer full).
 */
#pragma once

#include <glib.h>
#include <stdint.h>

G_BEGIN_DECLS

typedef enum {
  GILK_GAP_OFF,             /* the hook was disarmed or switched off: nothing was measured */
  GILK_GAP_LOST,            /* hits are counted, but some of their samples are missing */
} GilkGapKind;

typedef struct {
  double      from, to;     /* seconds since the start of the run */
  GilkGapKind kind;
  double      lost;         /* number of samples missing in the gap */
} GilkGap;

/* The functions below need normalised gaps: in ascending order, without overlaps, as
 * gilk_gaps_normalise() makes them. NULL: no gaps. */

/* Sorts the gaps, clips them to [0, @duration], and resolves overlaps: the times in which the hook
 * was off are cut out of a loss, and a later loss starts where an earlier one ends. */
void     gilk_gaps_normalise (GArray *gaps, double duration);
/* Returns TRUE if samples may be missing between @from and @to. */
gboolean gilk_gaps_touch     (const GArray *gaps, double from, double to);
/* Returns how many seconds of [from, to] the hook was on. */
double   gilk_gaps_measured  (const GArray *gaps, double from, double to);
/* Returns the number of samples lost in [from, to], with each loss spread evenly over its gap. */
double   gilk_gaps_lost      (const GArray *gaps, double from, double to);

/**
 * gilk_count_rates:
 * @counts: cumulative counts, as read at @times
 * Computes hits per second between consecutive readings. A rate covers only the part between two
 * readings in which the hook was on; its time is the end of that part. A rate of NaN ends a
 * plotted line.
 */
void gilk_count_rates   (const double *times, const double *counts, gsize count,
                         const GArray *gaps, GArray **at, GArray **rates);
/* Converts the counts of events in @n_bins slices of time to events per second, in place, including
 * events whose samples were lost. @edges: n_bins + 1 edges of slices. The rate is NaN where the
 * hook was off for most of a slice. */
void gilk_rate_of_counts (double *rates, const double *edges, guint n_bins, const GArray *gaps);

G_END_DECLS

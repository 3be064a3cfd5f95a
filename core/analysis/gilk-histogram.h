/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-histogram.h - bins and order statistics; pure numerics
 *
 * Threads: any; immutable once made.
 */
#pragma once

#include <glib.h>
#include <stdint.h>

G_BEGIN_DECLS

typedef struct {
  double    min, max;          /* of the data, finite values only */
  gboolean  log;               /* bins are equal in log10(x) */
  guint     n_bins;
  double   *edges;             /* n_bins + 1, ascending */
  uint64_t *counts;
  uint64_t  n, ignored;        /* ignored: NaN, infinite, or <= 0 with log */
  double    mean, stddev, median, p90, p99, p999;
} GilkHistogram;

/* @bins 0: Freedman-Diaconis, at most 200. Never NULL; n may be 0. */
GilkHistogram *gilk_histogram_new  (const double *values, gsize count, guint bins, gboolean log);
void           gilk_histogram_free (GilkHistogram *histogram);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkHistogram, gilk_histogram_free)

G_END_DECLS

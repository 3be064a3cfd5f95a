/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-hook-histogram.h - makes histograms of a hook's numbers, for any number of samples
 *
 * Takes about 20 MiB of memory and two or three passes over the numbers, or zero passes where
 * sketches suffice.
 *
 * Threads: only the store's thread.
 */
#pragma once

#include "core/analysis/gilk-hook-stream.h"
#include "core/stats/gilk-histogram.h"

G_BEGIN_DECLS

typedef struct {
  GilkHookAsk of;           /* selects the numbers; in_order is ignored */
  double      scale;        /* factor applied to the numbers */
  double      low, high;    /* bounds of scaled numbers; numbers outside them are left out; NaN: no
                             * bound */
  guint       bins;         /* number of bins, as in gilk_histogram_new() */
  gboolean    log;
} GilkHistogramAsk;

/**
 * gilk_hook_histogram:
 * @ask: only used during the call
 * @cut: (out) (nullable): number of intervals left out because samples may be missing in them
 */
GilkHistogram *gilk_hook_histogram (GilkStore *store, const GilkStoredHook *hook,
                                    const GilkHistogramAsk *ask, uint64_t *cut, GError **error);

/* Makes a histogram with a linear x axis and one with a logarithmic x axis, so that the user can
 * switch between them. Ignores @ask->log. Costs little more than a single histogram. */
gboolean       gilk_hook_histograms (GilkStore *store, const GilkStoredHook *hook, const GilkHistogramAsk *ask,
                                     GilkHistogram **linear, GilkHistogram **log, uint64_t *cut, GError **error);

/* How a preliminary histogram was made. */
typedef struct {
  gboolean exact;             /* the histogram is the same as that of gilk_hook_histogram() */
  uint64_t read;              /* number of values that were read, and whose counts were scaled up;
                               * 0: sketches of all numbers were used */
} GilkHistogramPreview;

/**
 * gilk_hook_histogram_preview:
 * Makes a preliminary histogram of many numbers in about 10 ms, to show until all numbers are read.
 * Uses the field's sketches and the bins of the final histogram. Without sketches, reads some of
 * the numbers. Returns NULL without an error if none can be made, or if reading all numbers is as
 * fast.
 */
GilkHistogram *gilk_hook_histogram_preview (GilkStore *store, const GilkStoredHook *hook, const GilkHistogramAsk *ask,
                                            GilkHistogramPreview *preview, GError **error);

G_END_DECLS

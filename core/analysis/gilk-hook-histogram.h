/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-hook-histogram.h - the histogram of a hook's numbers, of however many
 *
 * Some 20 MiB of memory, whatever there is; two or three times all numbers are read, or none of them where sketches tell
 * it all.
 *
 * Threads: that of the store.
 */
#pragma once

#include "core/analysis/gilk-histogram.h"
#include "core/analysis/gilk-hook-stream.h"

G_BEGIN_DECLS

typedef struct {
  GilkHookAsk of;           /* whether in order does not matter */
  double      scale;        /* what numbers are multiplied by */
  double      low, high;    /* then: those below and above are left out; NaN: none */
  guint       bins;         /* as of gilk_histogram_new() */
  gboolean    log;
} GilkHistogramAsk;

/**
 * gilk_hook_histogram:
 * @ask: read in this call only
 * @cut: (out) (nullable): intervals that were left out, because something may be missing in them
 */
GilkHistogram *gilk_hook_histogram (GilkStore *store, const GilkStoredHook *hook,
                                    const GilkHistogramAsk *ask, uint64_t *cut, GError **error);

/* Both of its axes, whatever @ask says of one, for little more than one takes: who looks at the one may turn to the other. */
gboolean       gilk_hook_histograms (GilkStore *store, const GilkStoredHook *hook, const GilkHistogramAsk *ask,
                                     GilkHistogram **linear, GilkHistogram **log, uint64_t *cut, GError **error);

/* Of how many numbers, and how well they are known. */
typedef struct {
  gboolean exact;             /* it is that of gilk_hook_histogram() */
  uint64_t read;              /* 0: of all, by their sketches; else of so many, whose counts stand for those of all */
} GilkHistogramHaste;

/**
 * gilk_hook_histogram_soon:
 * What can be told of many numbers in some 10 ms, for who looks at it until all are read: of a field by its sketches, in the
 * bins there will be; else from some of them. NULL without an error: there is no such thing, or all are read as soon.
 */
GilkHistogram *gilk_hook_histogram_soon (GilkStore *store, const GilkStoredHook *hook, const GilkHistogramAsk *ask,
                                         GilkHistogramHaste *haste, GError **error);

G_END_DECLS

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-hook-histogram.h - the histogram of a hook's numbers, of however many
 *
 * Some 20 MiB of memory, whatever there is; two or three times all numbers are read.
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

G_END_DECLS

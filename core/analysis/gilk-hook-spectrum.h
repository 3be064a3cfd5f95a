/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-hook-spectrum.h - how a hook's hits or values come back in time: spectrum, autocorrelation
 *
 * Hits become hits per second in even slices; slices that something may be missing in have no
 * value, and what needs values without holes is made of what lies between them (gilk-loss-rule.h).
 *
 * Threads: that of the store.
 */
#pragma once

#include "core/analysis/gilk-hook-stream.h"
#include "core/analysis/gilk-peaks.h"

G_BEGIN_DECLS

/* Evenly spaced; NaN where something may be missing. Constant memory: at most 2^20 values. */
typedef struct {
  gsize    n;
  double  *values;
  double   rate;            /* values a second; 0: one a sample, which are not even in time */
  uint64_t samples;         /* that they were made of */
  uint64_t beyond;          /* samples that there was no room for */
} GilkEven;

void      gilk_even_free    (GilkEven *even);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkEven, gilk_even_free)
/**
 * gilk_hook_even:
 * @ask: field NULL: hits per second in even slices, about four to a hit; else the values one by one,
 *   of the longest part between gaps
 * @duration: of the run, seconds
 * (transfer full)
 */
GilkEven *gilk_hook_even    (GilkStore *store, const GilkStoredHook *hook, const GilkHookAsk *ask,
                             double duration, GError **error);
/* The longest part without NaN: its length, and where it begins. */
gsize     gilk_even_longest (const GilkEven *even, gsize *first);

typedef struct {
  GilkSpectrum *spectrum;   /* NULL: there are too few samples, without loss */
  char         *method;     /* a sentence without its full stop */
  GArray       *peaks;      /* GilkPeak */
  double        slope, slope_error;   /* of log power over log frequency, with its standard error */
  uint64_t      samples;
} GilkHookSpectrum;

void     gilk_hook_spectrum_clear (GilkHookSpectrum *spectrum);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (GilkHookSpectrum, gilk_hook_spectrum_clear)
/* @ask: field NULL: of hits per second, in (1/s)²/Hz; else of the values. Refused with
 * GILK_ERROR_FAILED where loss leaves no part that is long enough. */
gboolean gilk_hook_spectrum (GilkStore *store, const GilkStoredHook *hook, const GilkHookAsk *ask,
                             double duration, GilkHookSpectrum *spectrum, GError **error);

G_END_DECLS

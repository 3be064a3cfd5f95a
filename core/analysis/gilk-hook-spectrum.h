/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-hook-spectrum.h - periodicity of a hook's hits or values: spectrum, autocorrelation
 *
 * Hits become hits per second in equal slices; a slice in which samples may be missing is left
 * empty, and methods that need values without holes use the parts between the holes
 * (gilk-loss-rule.h).
 *
 * Threads: only the store's thread.
 */
#pragma once

#include "core/analysis/gilk-hook-stream.h"
#include "core/stats/gilk-peaks.h"

G_BEGIN_DECLS

/* Evenly spaced values; NaN where samples may be missing. Constant memory: at most 2^20 values. */
typedef struct {
  gsize    n;
  double  *values;
  double   rate;            /* values per second; 0: there is one value per sample, and samples are
                             * unevenly spaced in time */
  uint64_t samples;         /* number of samples used */
  uint64_t beyond;          /* number of samples left out because there were too many values */
} GilkEven;

void      gilk_even_free    (GilkEven *even);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkEven, gilk_even_free)
/**
 * gilk_hook_even:
 * @ask: selects the values; if its field is NULL, they are hits per second in equal slices of time,
 *   about four slices per hit
 * @duration: duration of the run, seconds
 * Reads the hook's values. If @ask has a field, the result has only the longest part between gaps.
 * (transfer full)
 */
GilkEven *gilk_hook_even    (GilkStore *store, const GilkStoredHook *hook, const GilkHookAsk *ask,
                             double duration, GError **error);
/* Returns the length of the longest part without NaN. @first: (out): index of its first value */
gsize     gilk_even_longest (const GilkEven *even, gsize *first);

typedef struct {
  GilkSpectrum *spectrum;   /* NULL: no samples were lost, but there are too few for a spectrum */
  char         *method;     /* describes the method: a sentence without a full stop */
  GArray       *peaks;      /* GilkPeak */
  double        slope, slope_error;   /* slope of log power over log frequency, and its standard
                                       * error */
  uint64_t      samples;
} GilkHookSpectrum;

void     gilk_hook_spectrum_clear (GilkHookSpectrum *spectrum);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (GilkHookSpectrum, gilk_hook_spectrum_clear)
/* Computes the spectrum of hits per second, in (1/s)²/Hz, if the field of @ask is NULL; else the
 * spectrum of the values. Fails with GILK_ERROR_FAILED if gaps leave no part that is long
 * enough. */
gboolean gilk_hook_spectrum (GilkStore *store, const GilkStoredHook *hook, const GilkHookAsk *ask,
                             double duration, GilkHookSpectrum *spectrum, GError **error);

G_END_DECLS

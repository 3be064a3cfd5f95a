/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-capture-comparison.h - compares a packet capture with hooks that the same packets pass
 *
 * The capture has a clock of its own, and only the packets relate it to the run's clock
 * (gilk-pairs.h). Therefore, the comparison cannot detect a constant delay between hook and
 * capture. All times below are on the run's clock.
 *
 * Threads: only the store's thread. Spectra are computed from events per millisecond, by Welch's method.
 */
#pragma once

#include "core/stats/gilk-arrivals.h"
#include "core/stats/gilk-pairs.h"
#include "core/stats/gilk-peaks.h"
#include "core/capture/gilk-capture.h"
#include "core/store/gilk-store.h"

G_BEGIN_DECLS

typedef struct {
  const GilkStoredHook *hook;
  gint64        from_ns, to_ns;         /* common time, in which both the hook and the capture were
                                         * active */
  gint64        capture_from_ns, capture_to_ns;   /* times of the first and the last captured packet
                                                   * that has a pair in the common time */
  gsize         before_hook, after_hook;        /* number of samples before and after the time in
                                                 * which both hook and capture were active; these
                                                 * samples are not compared */
  gsize         before_capture, after_capture;  /* number of packets before and after the time in
                                                 * which both hook and capture were active */
  gsize         matched, late;          /* matched: number of pairs; late: number of these pairs
                                         * whose two times differ more than those of other pairs,
                                         * as if the packet was delayed */
  gsize         only_hook, only_capture;  /* number of samples without a matching packet, and of
                                           * packets without a matching sample; those near the ends
                                           * of the common time are not counted */
  gint64        delay_ns;               /* median delay from a packet's capture to its sample, both
                                         * on the run's clock */
  gint64        spread_ns;              /* the delays of 99 % of the pairs differ from delay_ns by
                                         * at most this time */
  gsize         zero_on_one_cpu;        /* number of pairs of successive samples of one CPU that
                                         * have the same time */
  GilkArrivals *of_hook, *of_capture;
  double        ks;                     /* Kolmogorov-Smirnov distance between two distributions of
                                         * times between packets, the hook's and the capture's; NaN
                                         * if either is empty */
} GilkCaptureHook;

#define GILK_CAPTURE_MAX_DELAY_NS G_GINT64_CONSTANT (100000000)   /* ns; default */

typedef struct {
  GilkClockRelation  clocks;               /* relates the run's clock (A) to the capture's clock
                                            * (B) */
  GPtrArray         *hooks;             /* (element-type GilkCaptureHook): one for each hook; the
                                         * spectra and all members below are those of the first
                                         * hook */
  GilkArrivals      *coarse;               /* times between packets, from the capture's times
                                            * truncated to microseconds, the default resolution of
                                            * tcpdump */
  GilkSpectrum      *of_hook, *of_capture; /* spectra of the hook and of the capture; NULL if there
                                            * are too few values */
  GArray            *peaks;                /* GilkPeak: peaks of the hook's spectrum, by
                                            * frequency */
  double             difference_db, difference_max_db;   /* median and maximum difference of the
                                                          * spectra, dB; NaN: no spectra */
  double             hurst_hook, hurst_capture;   /* Hurst exponents, computed from events per 10
                                                   * ms */
} GilkCaptureComparison;

/**
 * gilk_capture_comparison_new:
 * @hooks: (element-type GilkStoredHook): pointers to hooks of one run that take samples, at least
 *   one; the first one determines the relation of the clocks; must outlive the result
 * @duration: duration of the run, seconds
 * @unix_ns: start of the run by the clock of the recording host
 * @max_delay_ns: maximum delay of a packet between hook and capture, for instance across a pause of
 *   the machine; must be above 0; partners are searched within twice this time
 * Compares the capture with each of the hooks. Fails with GILK_ERROR_NOT_FOUND if the capture does
 * not show what the first hook saw. (transfer full)
 */
GilkCaptureComparison *gilk_capture_comparison_new  (GilkStore *store, const GPtrArray *hooks, double duration,
                                                     gint64 unix_ns, gint64 max_delay_ns, const GilkCapture *capture,
                                                     GCancellable *cancellable, GError **error);
void                   gilk_capture_comparison_free (GilkCaptureComparison *comparison);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkCaptureComparison, gilk_capture_comparison_free)

G_END_DECLS

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-against.h - hooks that packets pass, beside a capture of the same packets
 *
 * The capture's clock is another one, so what relates them is found by the packets themselves
 * (gilk-pairs.h): what a hook and the capture differ by as a rule is not told by this. All times
 * below are on the run's clock.
 *
 * Threads: that of the store. Spectra are of events a millisecond, by Welch's method.
 */
#pragma once

#include "core/analysis/gilk-arrivals.h"
#include "core/analysis/gilk-pairs.h"
#include "core/analysis/gilk-peaks.h"
#include "core/store/gilk-capture.h"
#include "core/store/gilk-store.h"

G_BEGIN_DECLS

typedef struct {
  const GilkStoredHook *hook;
  gint64        from_ns, to_ns;         /* both were watching */
  gint64        their_from_ns, their_to_ns;   /* the capture's times of the packets of that */
  gsize         before_hook, after_hook;        /* samples before and after that, which are not compared */
  gsize         before_capture, after_capture;  /* packets */
  gsize         matched, late;          /* late: of the matched, apart by more than others */
  gsize         only_hook, only_capture;  /* in the range, without its edges */
  gint64        after_ns;               /* median of how much later than in the capture, as clocks are related */
  gint64        spread_ns;              /* 99 % of the pairs are so near to that */
  gsize         zero_one_cpu;           /* intervals of nothing between samples of one CPU */
  GilkArrivals *own, *theirs;
  double        ks;                     /* greatest distance of the intervals' distributions; NaN: none */
} GilkAgainstHook;

#define GILK_AGAINST_HELD_UP G_GINT64_CONSTANT (100000000)   /* ns; what a busy machine does */

typedef struct {
  GilkClockRelation  clocks;            /* A: the run, B: the capture */
  GPtrArray         *hooks;             /* GilkAgainstHook; spectra and all below are of the first */
  GilkArrivals      *coarse;            /* the capture, cut to microseconds, which is tcpdump's default */
  GilkSpectrum      *own, *theirs;      /* NULL: too short for one */
  GArray            *peaks;             /* GilkPeak, of the hook's spectrum, by frequency */
  double             apart_db, apart_most_db;   /* of the spectra: median, greatest; NaN: none */
  double             hurst_own, hurst_theirs;   /* of events each 10 ms; NaN: too few */
} GilkAgainst;

/**
 * gilk_against_new:
 * @hooks: (element-type GilkStoredHook): pointers; of one run, that take samples; the first is the
 *   one by which clocks are related; must outlive the result
 * @duration: of the run, seconds; @unix_ns: when it began by the clock of who recorded it
 * @held_up_ns: a packet may be held up by so long between the hook and the capture, as where their machine
 *   is stopped: partners are looked for within twice that; above 0
 * GILK_ERROR_NOT_FOUND if the capture does not show what the first hook saw. (transfer full)
 */
GilkAgainst *gilk_against_new  (GilkStore *store, const GPtrArray *hooks, double duration,
                                gint64 unix_ns, gint64 held_up_ns, const GilkCapture *capture,
                                GCancellable *cancellable, GError **error);
void         gilk_against_free (GilkAgainst *against);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkAgainst, gilk_against_free)

G_END_DECLS

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-run-clock.h - measures the times of a run: clocks of the target, time zero, intervals of A/B
 * runs
 *
 * Threads: only the run's thread.
 */
#pragma once

#include "core/plan/gilk-plan.h"
#include "core/run/gilk-run.h"
#include "core/run/gilk-run-rows.h"

G_BEGIN_DECLS

typedef struct {
  GilkRunSession *session;           /* (unowned) */
  GilkTarget     *target;            /* (unowned) */
  gint64          arming_us;         /* time when ARM was sent, by this machine's clock */
  gint64          zero_us;           /* time when ARM was answered; 0: not armed yet */
  uint64_t        zero_mono_ns;      /* time zero, by the target's clock */
  gint64          stopped_us;        /* time when the hooks were disarmed; 0: not disarmed yet */
  GArray         *cpus;              /* (element-type struct ilk_cpu_clock): offsets of the CPUs'
                                      * TSCs before ARM; NULL: not read yet */
  guint           reference;         /* CPU that all offsets and times of the run relate to */
  struct gilk_clocks end;            /* readings of the target's clocks at the run's end */
  GArray         *end_cpus;          /* (element-type struct ilk_cpu_clock): offsets of the CPUs'
                                      * TSCs at the run's end; NULL: not read */
} GilkRunClock;

void        gilk_run_clock_init      (GilkRunClock *clock, GilkRunSession *session, GilkTarget *target);
void        gilk_run_clock_clear     (GilkRunClock *clock);
/* Compares the TSCs of the target's CPUs. Call right before ARM. */
gboolean    gilk_run_clock_compare   (GilkRunClock *clock, GCancellable *cancellable, GError **error);
/* Records that the run was armed. @arming_us: time of the request */
void        gilk_run_clock_start     (GilkRunClock *clock, gint64 arming_us, const struct ilk_arm *arm);
/* Finds time zero by this machine's clock. Call once, after ARM. @narrow: reduce the
 * error by further requests */
GilkRunZero gilk_run_clock_find_zero (const GilkRunClock *clock, const struct ilk_arm *arm, gboolean narrow);
/* Stores time zero, the TSC's rate, and the CPUs' TSC offsets. The store must be locked. */
gboolean    gilk_run_clock_store     (GilkRunClock *clock, const struct ilk_arm *arm, const GilkRunZero *zero,
                                      GError **error);
/* Return the time since time zero, in seconds and in ns. It is 0 before time zero, and does not
 * grow once the hooks are disarmed. */
double      gilk_run_clock_elapsed   (const GilkRunClock *clock);
uint64_t    gilk_run_clock_now_ns    (const GilkRunClock *clock);
/* Reads the target's clocks and its CPUs' TSC offsets at the run's end, if the target supports
 * it. */
void        gilk_run_clock_read_end  (GilkRunClock *clock);
/* Stores the clocks and TSC offsets that were read at the run's end. The store must be locked. */
gboolean    gilk_run_clock_store_end (GilkRunClock *clock, GError **error);

/* ---- A/B runs: hooks are switched off and on ---- */

typedef struct {
  const GilkRunClock *clock;         /* (unowned) */
  const GilkPlanInterleave   *interleave;            /* (unowned): the A/B settings in the run's
                                                      * plan */
  guint               n;             /* number of planned intervals; 0: hooks are not switched */
  GArray             *starts;        /* (element-type uint64_t): start times of the intervals, by
                                      * the target's clock; NULL: unknown */
} GilkRunIntervals;

/* Sends the driver the intervals, and whether hooks are on in each. Call before ARM. @switch_iid:
 * iid of the hook whose gate byte turns the hooks on and off */
gboolean    gilk_run_intervals_set   (GilkRunIntervals *intervals, uint32_t switch_iid, uint64_t duration_ns,
                                      GCancellable *cancellable, GError **error);
/* Reads the start times of the intervals, if the target recorded them. */
void        gilk_run_intervals_read  (GilkRunIntervals *intervals);
/* Stores the intervals. The store must be locked. */
gboolean    gilk_run_intervals_store (GilkRunIntervals *intervals, uint64_t duration_ns, GError **error);

G_END_DECLS

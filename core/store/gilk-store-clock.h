/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-store-clock.h - what a run's times are worth: readings of clocks, and counters compared
 *
 * A sample's time is that of its CPU's time stamp counter. A rate turns it into nanoseconds; where
 * the counter of a CPU is ahead of the reference's by more than the error of that measurement, it is
 * set back before, when the sample is stored. So what holds for whoever reads samples in the
 * order of their times: two of one CPU are in the order in which they were made, and two of
 * different CPUs are if their times are further apart than GilkStoredClock.order_ns. All errors
 * are bounds, for time zero and the run's end; in between the counters are taken to go evenly.
 *
 * Threads: that of the store. On failure outputs are untouched.
 */
#pragma once

#include "core/base/gilk-moment.h"
#include "core/store/gilk-store.h"

G_BEGIN_DECLS

/* Where a reading stands in a run. */
typedef enum { GILK_MOMENT_BEFORE, GILK_MOMENT_ZERO, GILK_MOMENT_END } GilkMomentPlace;

/* A CPU's counter against the reference's. Ticks. */
typedef struct {
  gint64   ahead;
  uint64_t error;                     /* at most, either way */
  gboolean known;
} GilkCpuOffset;

/* The rate at which times of the run are to be made, from time zero on; before any record. 0: the
 * kernel's figure. */
gboolean gilk_store_set_rate    (GilkStore *store, gint64 run, uint64_t hz, GError **error);
gboolean gilk_store_add_moment  (GilkStore *store, gint64 run, GilkMomentPlace place,
                                 const GilkMoment *moment, GError **error);
/* @place: GILK_MOMENT_ZERO, which sets back the clocks of CPUs that are ahead and is to come behind
 * gilk_store_set_zero() and the rate, before any record; or GILK_MOMENT_END.
 * @offsets: of CPUs 0 to @n - 1 */
gboolean gilk_store_add_offsets (GilkStore *store, gint64 run, GilkMomentPlace place,
                                 const GilkCpuOffset *offsets, guint n, GError **error);

typedef struct {
  guint    cpu;
  double   ahead_ns, error_ns;        /* at time zero */
  double   left_ns;                   /* its samples' times may be off the reference's, at most */
  gboolean taken_off;
} GilkStoredCpuClock;

typedef struct {
  uint64_t hz;                        /* by which times were made */
  gboolean measured;                  /* FALSE: it is the kernel's figure */
  double   rate_error;                /* if measured: of hz, as a part, at most */
  gboolean has_zero, has_end;
  double   zero_error_ns;             /* time zero may be off, of CLOCK_MONOTONIC; if has_zero */
  /* over the run; if has_end: */
  double   run_error;                 /* of the rate measured over the run, as a part, at most */
  double   drift;                     /* what times gain on CLOCK_MONOTONIC, as a part */
  double   end_error_ns;              /* a time at the run's end may be off, at most */
  GArray  *cpus;                      /* GilkStoredCpuClock, by cpu; those that were measured */
  guint    n_cpus;                    /* of the target */
  double   order_ns;                  /* of the CPUs measured, see above; 0: there is but one */
  gboolean order_at_end;              /* it takes in what the end of the run showed */
} GilkStoredClock;

gboolean gilk_store_clock        (GilkStore *store, gint64 run, GilkStoredClock *clock,
                                  GError **error);
void     gilk_stored_clock_clear (GilkStoredClock *clock);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (GilkStoredClock, gilk_stored_clock_clear)

G_END_DECLS

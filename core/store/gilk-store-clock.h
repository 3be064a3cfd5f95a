/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-store-clock.h - stores timestamp pairs and TSC offsets, and derives the accuracy of a run's
 * times
 *
 * A sample's time is read from the TSC of its CPU. A rate converts it to nanoseconds. If a CPU's
 * TSC is ahead of the reference CPU's by more than the measurement error, the offset is
 * subtracted when the sample is stored. Readers can therefore rely on the order of times: always
 * for two samples of one CPU, and for samples of different CPUs if their times differ by more than
 * GilkStoredClock.order_ns. All errors are upper bounds. They hold for time zero and the end of
 * the run; in between, the TSCs are assumed to run evenly.
 *
 * Threads: only the store's thread. On failure outputs are untouched.
 */
#pragma once

#include "core/base/gilk-clock.h"
#include "core/store/gilk-store.h"

G_BEGIN_DECLS

/* When a timestamp pair (TSC and CLOCK_MONOTONIC together) was read: before the run, at time zero,
 * or at the run's end. */
typedef enum { GILK_TIMESTAMP_BEFORE, GILK_TIMESTAMP_ZERO, GILK_TIMESTAMP_END } GilkTimestampPosition;

/* Offset of a CPU's TSC from the reference CPU's, in ticks. */
typedef struct {
  gint64   ahead;
  uint64_t error;                     /* maximum error of the offset, in either direction */
  gboolean known;
} GilkCpuOffset;

/* Sets the TSC rate used to compute the run's times; must be called before any record is added.
 * @hz: 0: use the kernel's rate. */
gboolean gilk_store_set_rate           (GilkStore *store, gint64 run, uint64_t hz, GError **error);
gboolean gilk_store_add_timestamp_pair (GilkStore *store, gint64 run, GilkTimestampPosition place,
                                        const GilkTimestampPair *pair, GError **error);
/* Stores the offsets of CPUs 0 to @n - 1. @place: GILK_TIMESTAMP_ZERO or GILK_TIMESTAMP_END.
 * Offsets at time zero are also subtracted from times; they must be added after
 * gilk_store_set_zero() and gilk_store_set_rate(), but before all records. */
gboolean gilk_store_add_offsets        (GilkStore *store, gint64 run, GilkTimestampPosition place,
                                        const GilkCpuOffset *offsets, guint n, GError **error);

typedef struct {
  guint    cpu;
  double   ahead_ns, error_ns;        /* offset of the TSC at time zero, and maximum error of that
                                       * offset */
  double   left_ns;                   /* maximum error of the times of samples due to this CPU's
                                       * offset */
  gboolean subtracted_offset;
} GilkStoredCpuClock;

typedef struct {
  uint64_t hz;                        /* TSC rate that was used to compute times */
  gboolean measured;                  /* hz was measured; FALSE: hz is the kernel's rate */
  double   rate_error;                /* maximum relative error of hz, if measured */
  gboolean has_zero, has_end;
  double   zero_error_ns;             /* maximum error of time zero against CLOCK_MONOTONIC; valid
                                       * if has_zero */
  /* The fields up to end_error_ns are for the whole run, and valid if has_end: */
  double   run_error;                 /* maximum relative error of the rate over the run */
  double   drift;                     /* relative rate at which the run's times gain on
                                       * CLOCK_MONOTONIC */
  double   end_error_ns;              /* maximum error of a time at the run's end */
  GArray  *cpus;                      /* (element-type GilkStoredCpuClock): sorted by CPU; only
                                       * measured CPUs */
  guint    n_cpus;                    /* number of CPUs of the target */
  double   order_ns;                  /* the order of samples is certain if their times differ by
                                       * more than this; 0: only one CPU */
  gboolean order_at_end;              /* order_ns includes the offsets between the CPUs' clocks that
                                       * were measured at the run's end */
} GilkStoredClock;

gboolean gilk_store_clock        (GilkStore *store, gint64 run, GilkStoredClock *clock,
                                  GError **error);
void     gilk_stored_clock_clear (GilkStoredClock *clock);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (GilkStoredClock, gilk_stored_clock_clear)

G_END_DECLS

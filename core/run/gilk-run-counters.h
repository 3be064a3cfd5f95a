/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-run-counters.h - reads and stores the counters of a run's hooks: hits, lost and missed
 * samples, rates
 *
 * Threads: only the run's thread.
 */
#pragma once

#include "core/link/gilk-target.h"
#include "core/run/gilk-ingest.h"
#include "core/run/gilk-run-clock.h"
#include "core/run/gilk-run-rows.h"

G_BEGIN_DECLS

#define GILK_RUN_RATE_TICKS 10     /* number of ticks that rates are averaged over */

/* Samples that a hook lost on a CPU. If @open is set, the loss continues, and started at
 * @from_ns. */
typedef struct {
  uint64_t lost, missed;         /* totals in the target's last reply */
  gboolean open;
  gint64   from_ns;
  uint64_t lost_before, missed_before;
} GilkOpenLoss;

typedef struct {
  struct ilk_counter counter;     /* the stored count, if @is_stored */
  gboolean           is_stored;
} GilkStoredCount;

typedef struct {
  uint64_t count;                 /* count in the last point that was stored, if @is_stored */
  uint64_t still_ns;              /* time of the last reading with the same count; 0: none */
  gboolean is_stored;
} GilkPoint;

typedef struct {
  GilkTarget         *target;     /* (unowned) */
  GilkRunSession     *session;    /* (unowned) */
  const GilkRunRows  *rows;       /* (unowned) */
  const GilkRunClock *clock;      /* (unowned) */
  gint64              asked_us;   /* time of the last request for counters; 0: none yet */
  gint64              answered_us;  /* time of the target's last reply */
  struct ilk_counter *now;        /* [row][cpu]: counters in the target's last reply */
  GilkOpenLoss       *losses;     /* [row][cpu] */
  GilkStoredCount    *stored;     /* [row][cpu] */
  GilkPoint          *points;     /* [row] */
  uint64_t           *history;    /* [GILK_RUN_RATE_TICKS][row]: hits at past ticks */
  gint64              history_us[GILK_RUN_RATE_TICKS];
  guint               tick;       /* index of the current tick in @history */
} GilkRunCounters;

/* Initialises the counters. Fails if there is not enough memory. @rows and @clock must outlive
 * @counters. */
gboolean gilk_run_counters_init  (GilkRunCounters *counters, GilkTarget *target, GilkRunSession *session,
                                  const GilkRunRows *rows, const GilkRunClock *clock, GError **error);
void     gilk_run_counters_clear (GilkRunCounters *counters);
/* Allocates counters for the new rows, which start at row @before. */
void     gilk_run_counters_grow  (GilkRunCounters *counters, guint before);
/* Requests the counters from the target. On failure nothing changes. */
gboolean gilk_run_counters_read  (GilkRunCounters *counters, GError **error);

/* Stores losses since the previous request, according to the counters that were just read.
 * @asked_us: time when they were requested; @oldest: rings are in overwrite mode, which loses the
 * oldest samples */
gboolean gilk_run_counters_record_losses (GilkRunCounters *counters, gint64 asked_us, gboolean oldest,
                                          GError **error);
/* Ends the losses that continue: samples lost from now on are a new loss. */
void     gilk_run_counters_close_losses  (GilkRunCounters *counters);

/* Returns the hook's totals on a CPU. Samples taken by inline code lack a hit counter, so the
 * number of hits is the sum of received and lost samples. If an instrument also counts hits, its
 * count is used instead. @failed: the run has failed, so samples that were received but not stored
 * are lost */
struct ilk_counter gilk_run_counters_totals (const GilkRunCounters *counters, GilkIngest *ingest, guint row, guint cpu,
                                             gboolean failed);
/* Stores points of the counters' series. @last: the counters have their final values */
gboolean gilk_run_counters_store_points  (GilkRunCounters *counters, uint64_t at_ns, gboolean last, GError **error);
/* Stores the totals. @failed: as in gilk_run_counters_totals() */
gboolean gilk_run_counters_store_totals  (GilkRunCounters *counters, GilkIngest *ingest, uint64_t at_ns, gboolean last,
                                          gboolean failed, GError **error);
/* Checks that every sample is stored or counted as lost. Call after all samples have come in. */
gboolean gilk_run_counters_check_totals  (const GilkRunCounters *counters, GilkIngest *ingest,
                                          const struct gilk_samples_end *end, GError **error);

/* gilk_run_counters_start_rates() starts the rates at time zero, gilk_run_counters_next_tick()
 * moves on to the next tick. Rates are hits per second over the last GILK_RUN_RATE_TICKS ticks, or
 * since time zero if that is later. */
void     gilk_run_counters_start_rates (GilkRunCounters *counters);
void     gilk_run_counters_next_tick   (GilkRunCounters *counters);
/* Records the hits of a row's hook at this tick, and returns the hook's rate. After all rows, call
 * gilk_run_counters_note_time() to record the time. */
double   gilk_run_counters_note_hits   (GilkRunCounters *counters, guint row, uint64_t hits);
void     gilk_run_counters_note_time   (GilkRunCounters *counters);

G_END_DECLS

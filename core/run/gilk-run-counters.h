/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-run-counters.h - counters of a run's hooks: hits, lost and missed samples, rates
 *
 * Threads: the run's own.
 */
#pragma once

#include "core/link/gilk-target.h"
#include "core/run/gilk-ingest.h"
#include "core/run/gilk-run-clock.h"
#include "core/run/gilk-run-rows.h"

G_BEGIN_DECLS

#define GILK_RUN_RATE_TICKS 10     /* ticks that a rate averages over */

/* Samples that a hook lost on a CPU, and since when, while the loss continues. */
typedef struct {
  uint64_t lost, missed;         /* as of the target's last answer */
  gboolean open;
  gint64   from_ns;
  uint64_t lost_before, missed_before;
} GilkOpenLoss;

typedef struct {
  struct ilk_counter counter;     /* as stored, if @is_stored */
  gboolean           is_stored;
} GilkStoredCount;

typedef struct {
  uint64_t count;                 /* of the last stored point, if @is_stored */
  uint64_t still_ns;              /* latest time with the same count; 0: none */
  gboolean is_stored;
} GilkPoint;

typedef struct {
  GilkTarget         *target;     /* (unowned) */
  GilkRunSession     *session;    /* (unowned) */
  const GilkRunRows  *rows;       /* (unowned) */
  const GilkRunClock *clock;      /* (unowned) */
  gint64              asked_us;   /* when the counters were requested; 0: at time zero */
  gint64              answered_us;  /* when the target last answered */
  struct ilk_counter *now;        /* [row][cpu], as last reported */
  GilkOpenLoss       *losses;     /* [row][cpu] */
  GilkStoredCount    *stored;     /* [row][cpu] */
  GilkPoint          *points;     /* [row] */
  uint64_t           *history;    /* [GILK_RUN_RATE_TICKS][row]: hits at past ticks */
  gint64              history_us[GILK_RUN_RATE_TICKS];
  guint               tick;       /* index into the history */
} GilkRunCounters;

/* Fails if there is not enough memory. @rows and @clock must outlive @counters. */
gboolean gilk_run_counters_init  (GilkRunCounters *counters, GilkTarget *target, GilkRunSession *session,
                                  const GilkRunRows *rows, const GilkRunClock *clock, GError **error);
void     gilk_run_counters_clear (GilkRunCounters *counters);
/* Makes room for the rows from @before on. */
void     gilk_run_counters_grow  (GilkRunCounters *counters, guint before);
/* Requests the counters. Nothing changes on failure. */
gboolean gilk_run_counters_read  (GilkRunCounters *counters, GError **error);

/* Stores what the counters lost since the previous request. They were requested at @asked_us and
 * have been answered. @oldest: rings in overwrite mode lose the oldest samples */
gboolean gilk_run_counters_record_losses (GilkRunCounters *counters, gint64 asked_us, gboolean oldest,
                                          GError **error);
/* Ends the open losses: samples lost from now on are a new loss. */
void     gilk_run_counters_close_losses  (GilkRunCounters *counters);

/* Returns the hook's totals on a CPU. Inline samples are not counted separately, so hits are the
 * received and the lost ones. If an instrument counts as well, its count is used. @failed: the run
 * has failed, so samples that were received and not stored are lost */
struct ilk_counter gilk_run_counters_totals (const GilkRunCounters *counters, GilkIngest *ingest, guint row, guint cpu,
                                             gboolean failed);
/* Stores points of the counters' series. @last: these are the final values */
gboolean gilk_run_counters_store_points  (GilkRunCounters *counters, uint64_t at_ns, gboolean last, GError **error);
/* Stores the totals. @failed: as above */
gboolean gilk_run_counters_store_totals  (GilkRunCounters *counters, GilkIngest *ingest, uint64_t at_ns, gboolean last,
                                          gboolean failed, GError **error);
/* Checks that every sample is stored or counted as lost. Call after all samples have come in. */
gboolean gilk_run_counters_check_totals  (const GilkRunCounters *counters, GilkIngest *ingest,
                                          const struct gilk_samples_end *end, GError **error);

/* Rates: hits per second over the last ticks, from time zero on. */
void     gilk_run_counters_start_rates (GilkRunCounters *counters);
void     gilk_run_counters_next_tick   (GilkRunCounters *counters);
/* Notes the hits of a row at this tick and returns its rate; then the time of all of them. */
double   gilk_run_counters_note_hits   (GilkRunCounters *counters, guint row, uint64_t hits);
void     gilk_run_counters_note_time   (GilkRunCounters *counters);

G_END_DECLS

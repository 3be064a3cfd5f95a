/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-run.h - run control: arm a bound plan, flush samples into a session, stop
 *
 *   IDLE -start-> ARMING -> RUNNING -stop/time/error-> STOPPING -> DONE
 *                    \-> FAILED (nothing armed)            \-> FAILED (data kept)
 *
 * A GObject with the signals "changed", "ended" and "notice", which passes a message of one of the
 * plan's programs to the user, each once. start() spawns the run's own thread; signals are emitted
 * in the main context that was thread-default when the run was made. However a run ends, hooks are
 * disarmed and the recorded data are in the file.
 *
 * Threads: start(), set_barrier(), change(), live_plan() and plan() may only be called by the thread that made the
 * run, everything else by any. The run uses @store until it has ended.
 */
#pragma once

#include <gio/gio.h>

#include "core/bind/gilk-bound-plan.h"
#include "core/bind/gilk-consent.h"
#include "core/pack/gilk-sketch.h"
#include "core/plan/gilk-start-barrier.h"
#include "core/run/gilk-field-stats.h"
#include "core/store/gilk-store.h"

G_BEGIN_DECLS

typedef enum {
  GILK_RUN_IDLE, GILK_RUN_ARMING, GILK_RUN_RUNNING, GILK_RUN_STOPPING,
  GILK_RUN_DONE, GILK_RUN_FAILED,
} GilkRunState;

/* Figures of a hook at one time. */
typedef struct {
  uint32_t iid;
  uint32_t state;            /* enum ilk_state of its patch */
  uint32_t tactic;
  uint64_t hits;             /* from a counter, or samples produced */
  gboolean hits_known;       /* FALSE: nothing counts them, or samples go to another program */
  uint64_t stored;           /* samples in the file */
  uint64_t lost;
  uint64_t missed;           /* missed: hits while the hook was running */
  uint64_t failed_reads;     /* failed reads and computations of its program */
  double   rate;             /* hits per second over the last second or so */
  struct ilk_watch_status watch;   /* as last reported; iid 0: not a watchpoint, or no status yet */
} GilkHookFigures;

/* Totals of all hooks on one CPU. */
typedef struct {
  uint64_t hits, lost;
} GilkCpuFigures;

typedef struct {
  GilkRunState state;
  double   elapsed;         /* seconds since time zero */
  double   duration;        /* planned, in seconds; 0: until stopped */
  uint64_t samples, lost;
  double   samples_per_second;
  uint64_t bytes;           /* size of the session file */
  uint64_t ring_bytes;      /* per CPU; 0: no hook takes samples */
  uint64_t ring_used;       /* bytes used in the fullest ring */
  uint64_t ring_used_max;   /* the most since time zero */
  guint    hooks_live;
  guint    n_hooks;
  GilkHookFigures *hooks;   /* in the order of gilk_run_plan() */
  guint    n_cpus;          /* 0: not known yet */
  GilkCpuFigures *cpus;
} GilkRunFigures;

void gilk_run_figures_clear (GilkRunFigures *figures);

/* Time zero by this machine's monotonic clock, with the maximum error. */
typedef struct {
  gint64 us, error_us;
} GilkRunZero;

#define GILK_TYPE_RUN (gilk_run_get_type ())
G_DECLARE_FINAL_TYPE (GilkRun, gilk_run, GILK, RUN, GObject)

/* Signals: "changed" (new figures or state, at most 10 per second), "ended" (once). */

/**
 * gilk_run_new:
 * @bound: (transfer full): checked plan
 * @store: (transfer none): open session; the run is added to it
 * @duration_ns: 0 = until gilk_run_stop()
 * @granted: the user's consent; a plan that needs more fails with GILK_ERROR_CONSENT, and nothing
 *   is armed
 */
GilkRun *gilk_run_new    (GilkBoundPlan *bound, GilkImage *image, GilkStore *store, uint64_t duration_ns,
                          GilkConsent granted);
/* Sums up at most @max numeric fields of the hooks' samples, and the intervals between them, from
 * the first sample on, for gilk_run_sketch(). Must be called before gilk_run_start(). Fields in
 * stop conditions of the plan are summed up in any case. */
void     gilk_run_set_tracked_max (GilkRun *run, guint max);
/* Sums up one more field from now on, one of gilk_bound_fields() or gilk_bound_interval(). Does
 * nothing before state RUNNING. */
void     gilk_run_track_field (GilkRun *run, guint hook, const struct ilk_field *field);
/* For runs on several targets that start at the same time: the run prepares everything, waits at the
 * barrier, then arms. Call before gilk_run_start(). */
void     gilk_run_set_barrier (GilkRun *run, GilkStartBarrier *gate);
/* Returns FALSE if it is not armed yet. */
gboolean gilk_run_zero   (GilkRun *run, GilkRunZero *zero);
/* Returns at once. Errors set state FAILED and gilk_run_error(). */
void     gilk_run_start  (GilkRun *run);
void     gilk_run_stop   (GilkRun *run);
/**
 * gilk_run_change:
 * @bound: (transfer full): follows gilk_run_live_plan()
 * @granted: as in gilk_run_new(), for the hooks that it adds
 * Makes the hooks of @bound the live ones and blocks until that is done: hooks that were live
 * already stay armed without a missed or doubled hit, new hooks work, removed ones are disarmed.
 * After an error the hooks are as before. Only the thread that uses gilk_run_plan() may call it.
 */
gboolean gilk_run_change (GilkRun *run, GilkBoundPlan *bound, GilkConsent granted, GError **error);
/* Returns the hooks that are live or scheduled. (transfer none) */
const GilkBoundPlan *gilk_run_live_plan (GilkRun *run);
/* Copies consistent figures. Free them with gilk_run_figures_clear(). */
void     gilk_run_figures (GilkRun *run, GilkRunFigures *figures);
GilkRunState gilk_run_state (GilkRun *run);
/* Returns the sums of a field so far. @history: (out) (nullable): its course over time. (transfer
 * full) (nullable): NULL if the field is not summed up */
GilkSketch *gilk_run_sketch (GilkRun *run, guint hook, const char *field, GilkValueHistory **history);
/* Replaces the stop conditions (gilk-stop-condition.h) from the next tick on. A run starts with those of
 * its plan. NULL: none. Check the names in @until with gilk_bound_check_conditions() first. */
void     gilk_run_set_until (GilkRun *run, const char *until);
/* Returns how the conditions stand, one line each: "p99 writer.elapsed > 2ms: 1.3ms, n = 5210".
 * (transfer full) (nullable): NULL if there are none */
char    *gilk_run_condition_status (GilkRun *run);
/* Returns why it ended, as stored in the session: gilk_store_end_reason_text(). NULL until then.
 * (transfer none) (nullable) */
const char *gilk_run_end_reason (GilkRun *run);
/* Returns the error that made it fail. (transfer none) (nullable) */
const GError *gilk_run_error (GilkRun *run);
/* Returns the driver's refusal of a hook when its plan was armed; 0: none. Valid after the end. */
guint    gilk_run_refusal (GilkRun *run, guint hook);
gint64   gilk_run_session_run_id (GilkRun *run);
/* Returns, in one or two sentences, what others did to its hooks. A run whose hooks another client
 * disarmed ends at once; one that lost a module ends when none of its hooks is left. Both are DONE.
 * NULL until it has ended. (transfer none) (nullable) */
const char *gilk_run_cut_short (GilkRun *run);
/* Returns all hooks there have been; those added by changes are at the end. (transfer none) */
GilkBoundPlan *gilk_run_plan (GilkRun *run);

G_END_DECLS

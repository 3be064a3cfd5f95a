/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-run.h - run control: arm a bound plan, flush samples into a session, stop
 *
 *   IDLE -start-> ARMING -> RUNNING -stop/time/error-> STOPPING -> DONE
 *                    \-> FAILED (nothing armed)            \-> FAILED (data kept)
 *
 * A GObject with the signals "changed", "ended" and "notice"; "notice" passes a message from a
 * program of the plan to the user, each message once. gilk_run_start() spawns the run's own thread;
 * signals are emitted in the main context that was thread-default when the run was made. However a
 * run ends, hooks are disarmed and the recorded data are in the file.
 *
 * Threads: only the thread that made the run may call gilk_run_start(), gilk_run_set_barrier(),
 * gilk_run_change(), gilk_run_live_plan() and gilk_run_plan(); any thread may call the others. The
 * run uses @store until it has ended.
 */
#pragma once

#include <glib-object.h>

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
  uint32_t state;            /* enum ilk_state of the hook's patch */
  uint32_t tactic;
  uint64_t hits;             /* value of a counter, or number of samples produced */
  gboolean hits_known;       /* FALSE: hits are not counted, or another program reads the samples */
  uint64_t stored;           /* number of samples in the file */
  uint64_t lost;
  uint64_t missed;           /* number of hits that were dropped because they occurred inside
                              * another hit, of any hook */
  uint64_t failed_reads;     /* number of failed reads and computations of the hook's program */
  double   rate;             /* hits per second over the last second or so */
  struct gilk_watch_status watch;   /* last status of a watchpoint; iid 0: no watchpoint, or no
                                    * status yet */
} GilkHookFigures;

/* Totals of all hooks on one CPU. */
typedef struct {
  uint64_t hits, lost;
} GilkCpuFigures;

typedef struct {
  GilkRunState state;
  double   elapsed;         /* seconds since time zero */
  double   duration;        /* planned duration in seconds; 0: until stopped */
  uint64_t samples, lost;
  double   samples_per_second;
  uint64_t bytes;           /* size of the session file */
  uint64_t ring_bytes;      /* ring size per CPU; 0: no hook takes samples */
  uint64_t ring_used;       /* bytes used in the fullest ring */
  uint64_t ring_used_max;   /* maximum of @ring_used since time zero */
  guint    hooks_live;
  guint    n_hooks;
  GilkHookFigures *hooks;   /* figures of each hook, in the order of gilk_run_plan() */
  guint    n_cpus;          /* number of CPUs of the target; 0: not known yet */
  GilkCpuFigures *cpus;
} GilkRunFigures;

void gilk_run_figures_clear (GilkRunFigures *figures);

/* Time zero, by this machine's monotonic clock, with its maximum error. */
typedef struct {
  gint64 us, error_us;
} GilkRunZero;

#define GILK_TYPE_RUN (gilk_run_get_type ())
G_DECLARE_FINAL_TYPE (GilkRun, gilk_run, GILK, RUN, GObject)

/* Signals: "changed" (new figures or state, at most 10 per second), "notice" (message of a
 * program), "ended" (once). */

/**
 * gilk_run_new:
 * @bound: (transfer full): checked plan
 * @store: (transfer none): open session; the run is added to it
 * @duration_ns: if 0, the run lasts until gilk_run_stop()
 * @granted: the user's consent; if the plan needs more, the run fails with GILK_ERROR_CONSENT
 *   before anything is armed
 */
GilkRun *gilk_run_new    (GilkBoundPlan *bound, GilkImage *image, GilkStore *store, uint64_t duration_ns,
                          GilkConsent granted);
/* Starts statistics of at most @max numeric fields of the hooks' samples, from the first sample on:
 * see gilk_run_sketch(). The interval between samples counts as a field. Must be called before
 * gilk_run_start(). Fields in stop conditions of the plan have statistics in any case. */
void     gilk_run_set_tracked_max (GilkRun *run, guint max);
/* Starts statistics of one more field, from gilk_bound_fields() or gilk_bound_interval(). Does
 * nothing before state RUNNING. */
void     gilk_run_track_field (GilkRun *run, guint hook, const struct ilk_field *field);
/* Lets runs on several targets start at the same time: each run prepares everything, waits at the
 * barrier, then arms. Call before gilk_run_start(). */
void     gilk_run_set_barrier (GilkRun *run, GilkStartBarrier *gate);
/* Gets time zero. Returns FALSE if the run is not armed yet. */
gboolean gilk_run_zero   (GilkRun *run, GilkRunZero *zero);
/* Starts the run and returns at once. On errors the state is FAILED, and gilk_run_error() has the
 * error. */
void     gilk_run_start  (GilkRun *run);
void     gilk_run_stop   (GilkRun *run);
/**
 * gilk_run_change:
 * @bound: (transfer full): the new plan, which follows gilk_run_live_plan()
 * @granted: as in gilk_run_new(): consent to the hooks that @bound adds
 * Makes the hooks of @bound the live hooks, and blocks until this is done: hooks that are live
 * already stay armed without missing or doubling a hit, new hooks are armed, removed hooks are
 * disarmed. After an error the hooks are as before. Only the thread that uses gilk_run_plan() may
 * call this function.
 */
gboolean gilk_run_change (GilkRun *run, GilkBoundPlan *bound, GilkConsent granted, GError **error);
/* Returns the hooks that are live or scheduled. (transfer none) */
const GilkBoundPlan *gilk_run_live_plan (GilkRun *run);
/* Copies the current figures, which are consistent. Free them with gilk_run_figures_clear(). */
void     gilk_run_figures (GilkRun *run, GilkRunFigures *figures);
GilkRunState gilk_run_state (GilkRun *run);
/* Returns a field's distribution so far. @history: (out) (nullable): its history.
 * (transfer full) (nullable): NULL for a field without statistics */
GilkSketch *gilk_run_sketch (GilkRun *run, guint hook, const char *field, GilkValueHistory **history);
/* Replaces the stop conditions (gilk-stop-condition.h) from the next tick on. A run starts with the
 * conditions of its plan. If @until is NULL, no conditions remain; else check its names with
 * gilk_bound_check_conditions() first. */
void     gilk_run_set_until (GilkRun *run, const char *until);
/* Returns the status of the stop conditions, one per line, such as "p99 writer.elapsed > 2ms:
 * 1.3ms, n = 5210". (transfer full) (nullable): NULL without conditions */
char    *gilk_run_condition_status (GilkRun *run);
/* Returns why the run ended, as stored in the session; for display use
 * gilk_store_end_reason_text(). NULL until the run has ended. (transfer none) (nullable) */
const char *gilk_run_end_reason (GilkRun *run);
/* Returns the error that made the run fail. (transfer none) (nullable) */
const GError *gilk_run_error (GilkRun *run);
/* Returns why the driver refused a hook when the plan was armed; 0: the hook was not refused. Valid
 * after the run has ended. */
guint    gilk_run_refusal (GilkRun *run, guint hook);
gint64   gilk_run_session_run_id (GilkRun *run);
/* Returns one or two sentences about what other programs did to the run's hooks. If another client
 * disarms the run's hooks, the run ends at once; if a hooked module is unloaded, the run ends when
 * no hook is left. The state is DONE in both cases. NULL until the run has ended. (transfer none)
 * (nullable) */
const char *gilk_run_cut_short (GilkRun *run);
/* Returns all hooks that the run ever had; hooks added by changes are at the end.
 * (transfer none) */
GilkBoundPlan *gilk_run_plan (GilkRun *run);

G_END_DECLS

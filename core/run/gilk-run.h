/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-run.h - run control: arm a bound plan, flush samples into a session, stop
 *
 *   IDLE -start-> ARMING -> RUNNING -stop/time/error-> STOPPING -> DONE
 *                    \-> FAILED (nothing armed)            \-> FAILED (data kept)
 *
 * A GObject because GUI and CLI watch it: "changed", "ended", and "notice" with a text that a program of the plan has for the
 * user, once each. start() spawns the run's own thread;
 * signals and property changes are delivered in the main context that was
 * thread-default when the run was made. However a run ends, hooks are disarmed
 * and what was recorded is in the file.
 *
 * Threads: start(), change(), live_plan() and plan() are for the one that made the run, all
 * else is for any. @store is the run's until it has ended.
 */
#pragma once

#include <gio/gio.h>

#include "core/run/gilk-bound-plan.h"
#include "core/run/gilk-consent.h"
#include "core/run/gilk-value-history.h"
#include "core/store/gilk-sketch.h"
#include "core/store/gilk-store.h"

G_BEGIN_DECLS

typedef enum {
  GILK_RUN_IDLE, GILK_RUN_ARMING, GILK_RUN_RUNNING, GILK_RUN_STOPPING,
  GILK_RUN_DONE, GILK_RUN_FAILED,
} GilkRunState;

/* One hook's figures at one moment. */
typedef struct {
  uint32_t iid;
  uint32_t state;            /* enum ilk_state of its patch */
  uint32_t tactic;
  uint64_t hits;             /* counter, or samples produced */
  gboolean hits_known;       /* FALSE: a module that takes no samples tells of no hit */
  uint64_t stored;           /* samples in the file */
  uint64_t lost;
  uint64_t dropped;          /* re-entries not taken */
  uint64_t bad;              /* what its program could not read, or compute */
  double   rate;             /* hits per second over the last second or so */
  struct ilk_watch_status watch;   /* as last told; iid 0: it is none, or it was not told yet */
} GilkHookFigures;

/* Of all hooks together, on one processor. */
typedef struct {
  uint64_t hits, lost;
} GilkCpuFigures;

typedef struct {
  GilkRunState state;
  double   elapsed;          /* seconds since time zero */
  double   duration;         /* planned, 0 = until stopped */
  uint64_t samples, lost;
  double   samples_per_second;
  uint64_t bytes;            /* of the session file */
  uint64_t ring_bytes;       /* of a processor's ring; 0: no hook takes samples */
  uint64_t ring_used;        /* of these, in the fullest */
  uint64_t ring_used_most;   /* since time zero */
  guint    hooks_live;
  guint    n_hooks;
  GilkHookFigures *hooks;    /* in the order of gilk_run_plan() */
  guint    n_cpus;           /* 0: the target did not tell yet */
  GilkCpuFigures *cpus;
} GilkRunFigures;

void gilk_run_figures_clear (GilkRunFigures *figures);

#define GILK_TYPE_RUN (gilk_run_get_type ())
G_DECLARE_FINAL_TYPE (GilkRun, gilk_run, GILK, RUN, GObject)

/* Signals: "changed" (figures or state are new, at most 10 a second), "ended" (once). */

/**
 * gilk_run_new:
 * @bound: (transfer full): checked plan
 * @store: (transfer none): open session; the run is added to it
 * @duration_ns: 0 = until gilk_run_stop()
 * @granted: what the user has allowed; a plan that needs more fails with GILK_ERROR_CONSENT, and nothing is armed
 */
GilkRun *gilk_run_new    (GilkBoundPlan *bound, GilkImage *image, GilkStore *store, uint64_t duration_ns,
                          GilkConsent granted);
/* At most @most of the numbers that samples of its hooks have, and of the intervals between them, are summed up from their
 * first sample on, for gilk_run_sketch(). Before it is started; those that conditions of its plan ask for are in any case. */
void     gilk_run_measure (GilkRun *run, guint most);
/* One more, from now on: a field of gilk_bound_fields() or gilk_bound_interval(). */
void     gilk_run_measure_field (GilkRun *run, guint hook, const struct ilk_field *field);
/* Returns at once; errors show as state FAILED and gilk_run_error(). */
void     gilk_run_start  (GilkRun *run);
void     gilk_run_stop   (GilkRun *run);
/**
 * gilk_run_change:
 * @bound: (transfer full): follows gilk_run_live_plan()
 * @granted: as of gilk_run_new(), for the hooks that it adds
 * Blocks until its hooks are those that are live: hooks that were there go on without a
 * missed or doubled hit, new ones work, removed ones have ended. After an error they are
 * as before. To be called by one thread, the one that looks at gilk_run_plan().
 */
gboolean gilk_run_change (GilkRun *run, GilkBoundPlan *bound, GilkConsent granted, GError **error);
/* Those hooks that are live or scheduled. (transfer none) */
const GilkBoundPlan *gilk_run_live_plan (GilkRun *run);
/* A consistent copy; clear it after use. */
void     gilk_run_figures (GilkRun *run, GilkRunFigures *figures);
GilkRunState gilk_run_state (GilkRun *run);
/* What came of a field so far, and how it went: @history (out) (nullable). (transfer full) (nullable): it is not summed up */
GilkSketch *gilk_run_sketch (GilkRun *run, guint hook, const char *field, GilkValueHistory **history);
/* Conditions that end it (gilk-run-limit.h) instead of those it has, from the next tick on; of its plan they are when it
 * starts. NULL: none. What they name is to be checked before: gilk_bound_check_limits(). */
void     gilk_run_set_until (GilkRun *run, const char *until);
/* How they stand, a line each: "p99 writer.elapsed > 2ms: 1.3ms, n = 5210". (transfer full) (nullable): there are none */
char    *gilk_run_tell_until (GilkRun *run);
/* Why it ended, in the words of its session: gilk_store_ended_words(). NULL until it has. (transfer none) (nullable) */
const char *gilk_run_ended (GilkRun *run);
/* (transfer none) (nullable): what made it fail */
const GError *gilk_run_error (GilkRun *run);
/* What the driver refused a hook of its plan by when it was to be armed, 0: nothing. Once it has ended. */
guint    gilk_run_refusal (GilkRun *run, guint hook);
gint64   gilk_run_store_id (GilkRun *run);
/* What others did to its hooks: one or two sentences. A run they took hooks from ends at
 * once, one that lost a module ends when none of its hooks is left; both are DONE.
 * NULL until it has ended. (transfer none) (nullable) */
const char *gilk_run_cut_short (GilkRun *run);
/* All hooks there have been: those that changes added are at the end. (transfer none) */
GilkBoundPlan *gilk_run_plan (GilkRun *run);

G_END_DECLS

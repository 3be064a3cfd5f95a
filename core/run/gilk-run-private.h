/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-run-private.h - the run itself: its parts, and what it shares with other threads
 *
 * Threads: the target's reader thread puts samples into the ingest queue; the writer thread takes
 * them out and stores them; the run's own thread sends requests to the target and writes everything
 * else. The run's thread never waits for the queue, so that answers can always get through after
 * samples. The functions that rely on a thread or a state assert it.
 *
 * Parts have headers of their own, and each uses only those in front of it: armed; rows and session;
 * ingest, clock; counters, patches, rings, maps, names, costs; end. Only four files know the run:
 * gilk-run-state.c, -change.c, -thread.c and gilk-run.c, in that order.
 */
#pragma once

#include "core/run/gilk-run-costs.h"
#include "core/run/gilk-run-end.h"
#include "core/run/gilk-run-maps.h"
#include "core/run/gilk-run-names.h"
#include "core/run/gilk-run-patches.h"
#include "core/run/gilk-run-rings.h"

/* The live plan after a change. */
typedef struct {
  GilkBoundPlan *bound;
  GilkArmed      armed;
  guint         *rows;     /* row of each of its hooks in the run's plan */
} GilkLivePlan;

void     gilk_live_plan_free (GilkLivePlan *live);

/* A change that another thread waits for. */
typedef struct {
  GilkBoundPlan *bound;    /* (transfer full), taken by the run's thread */
  GilkConsent    granted;
  gboolean       done;
  GError        *error;
} GilkRunChange;

struct _GilkRun {
  GObject           parent_instance;

  GilkBoundPlan    *bound;
  GilkImage        *image;
  GilkTarget       *target;
  uint64_t          duration_ns;
  GilkConsent       granted;       /* for the plan that it starts with */
  guint             tracked_max;   /* how many fields are summed up, without stop conditions */
  GMainContext     *context;
  GCancellable     *arming;
  GilkStartBarrier *barrier;       /* to wait at before ARM; NULL: none, or no longer */

  /* run's thread only, from its start on: gilk_run_assert_own() */
  GilkRunSession    session;
  GilkArmed         armed;         /* the plan that it starts with, as first armed */
  GilkLivePlan     *current;       /* the live plan; NULL: as first armed */
  GPtrArray        *past;          /* (element-type GilkLivePlan): earlier ones, used by rows */
  GilkRunRows       rows;
  GilkIngest       *ingest;        /* from the first driver reply until the run's end */
  GilkRunClock      clock;
  GilkRunIntervals  intervals;
  GilkRunCounters   counters;
  GilkRunPatches    patches;
  GilkRunRings      rings;
  GilkRunMaps       maps;
  GilkRunNames      names;
  GilkRunCosts      costs;
  GilkRunEnd        end;

  GMutex            lock;          /* protects everything below */
  GCond             changed;
  GilkRunState      state;
  gboolean          stop_asked, finished, notified;
  GilkRunChange    *change;        /* (unowned): to be applied between two ticks */
  GError           *lost;          /* of the target; set by its reader thread */
  GError           *error;
  GArray           *refusals;      /* uint16_t, of its hooks, once the run has finished */
  GQueue            notices;       /* (element-type utf8): not emitted yet */
  struct {
    char    *until;                /* as requested; NULL: none */
    gboolean is_new;
    char    *status;               /* how they stand; NULL: not known */
  } conditions;
  char             *ended;         /* why the run ended; NULL: not yet */
  GilkRunFigures    figures;
  GilkRunZero       zero;          /* us 0: not yet */
};

/* Aborts unless called on the run's own thread. */
static inline void
gilk_run_assert_own (const GilkRun *run)
{
  gilk_run_session_assert_own (&run->session);
}

/* ---- gilk-run-state.c ---- */

/* Any thread, as long as it holds none of the locks: state, errors (the first is kept), signals.
 * States change as drawn in gilk-run.h. */
void     gilk_run_set_state        (GilkRun *run, GilkRunState state);
void     gilk_run_notify_changed   (GilkRun *run);
void     gilk_run_set_error        (GilkRun *run, GError *error);
gboolean gilk_run_has_error        (GilkRun *run);
void     gilk_run_target_lost      (GilkTarget *target, const GError *error, gpointer run);
gboolean gilk_run_is_lost          (GilkRun *run);
/* Marks the target as lost if @error says that it does not answer. */
void     gilk_run_note_target_loss (GilkRun *run, const GError *error);
/* Emits "notice" with @text, a single line. */
void     gilk_run_emit_notice      (GilkRun *run, const char *text);
/* Last call of the run's thread: sets state DONE or FAILED. */
void     gilk_run_finish           (GilkRun *run);

/* ---- gilk-run-change.c: run's thread only. Applies the change that another thread waits for, if
 * any ---- */
void     gilk_run_apply_pending    (GilkRun *run);

/* ---- gilk-run-thread.c ---- */
gpointer gilk_run_thread           (gpointer run);

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-run-private.h - the run itself: its parts, and data that it shares with other threads
 *
 * Threads: the target's reader thread puts samples into the ingest queue; the writer thread takes
 * them out and stores them; the run's own thread sends requests to the target and writes everything
 * else. The run's thread never waits for the queue. Functions that rely on a thread or a state
 * assert it.
 *
 * Parts have headers of their own. Each part uses only earlier ones of this list: armed; rows and
 * session; ingest, clock; counters, patches, rings, maps, names, costs; end. Only four files use
 * GilkRun: gilk-run-state.c, -change.c, -thread.c and gilk-run.c; each uses only the files before
 * it.
 */
#pragma once

#include "core/run/gilk-ingest.h"
#include "core/run/gilk-run-costs.h"
#include "core/run/gilk-run-end.h"
#include "core/run/gilk-run-metadata.h"
#include "core/run/gilk-run-patches.h"

/* The live plan (the hooks in the kernel and their patches) after a change. */
typedef struct {
  GilkBoundPlan *bound;
  GilkArmed      armed;
  guint         *rows;     /* for each hook of @armed: its row in the run's plan */
} GilkLivePlan;

void     gilk_live_plan_free (GilkLivePlan *live);

/* A change of the plan during the run; another thread waits until it is made. */
typedef struct {
  GilkBoundPlan *bound;    /* (transfer full): the new plan, which the run's thread takes over */
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
  GilkConsent       granted;       /* the user's consent to the plan that the run starts with */
  guint             tracked_max;   /* maximum number of fields with statistics:
                                    * gilk_run_set_tracked_max() */
  GMainContext     *context;
  GCancellable     *arming;
  GilkStartBarrier *barrier;       /* the run waits at this barrier before ARM; NULL: no barrier, or
                                    * passed already */

  /* Once the run's thread has started, only that thread uses the members from here to @lock;
   * gilk_run_assert_own() checks this. */
  GilkRunSession    session;
  GilkArmed         armed;         /* state of the plan that the run starts with, as first armed */
  GilkLivePlan     *current;       /* the live plan after a change; NULL: @armed is live */
  GPtrArray        *past;          /* (element-type GilkLivePlan): plans that were live before;
                                    * @rows still refer to their hooks */
  GilkRunRows       rows;
  GilkIngest       *ingest;        /* ingest queue; exists from the first driver reply until the
                                    * run's end */
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
  GilkRunChange    *change;        /* (unowned): change to apply between two ticks */
  GError           *lost;          /* why the target was lost; set by the target's reader thread */
  GError           *error;
  GArray           *refusals;      /* (element-type uint16_t): for each hook, why the driver refused
                                    * it; set when the run ends */
  GQueue            notices;       /* (element-type utf8): messages of programs, not yet passed on
                                    * by signal "notice" */
  struct {
    char    *until;                /* stop conditions as requested by the user; NULL: none */
    gboolean is_new;
    char    *status;               /* status of the stop conditions; NULL: unknown */
  } conditions;
  char             *ended;         /* why the run ended; NULL: it has not ended */
  GilkRunFigures    figures;
  GilkRunZero       zero;          /* time zero; unknown while zero.us is 0 */
};

/* Aborts unless called on the run's own thread. */
static inline void
gilk_run_assert_own (const GilkRun *run)
{
  gilk_run_session_assert_own (&run->session);
}

/* ---- gilk-run-state.c ---- */

/* These functions set the run's state, record errors (only the first one is kept) and emit signals.
 * Any thread that holds none of the run's locks may call them. gilk-run.h has a diagram of state
 * changes. */
void     gilk_run_set_state        (GilkRun *run, GilkRunState state);
void     gilk_run_notify_changed   (GilkRun *run);
void     gilk_run_set_error        (GilkRun *run, GError *error);
gboolean gilk_run_has_error        (GilkRun *run);
void     gilk_run_target_lost      (GilkTarget *target, const GError *error, gpointer run);
gboolean gilk_run_is_lost          (GilkRun *run);
/* Marks the target as lost if @error means that it does not reply. */
void     gilk_run_note_target_loss (GilkRun *run, const GError *error);
/* Emits the signal "notice" with @text, a single line. */
void     gilk_run_emit_notice      (GilkRun *run, const char *text);
/* Sets state DONE or FAILED. Must be the last call of the run's thread. */
void     gilk_run_finish           (GilkRun *run);

/* ---- gilk-run-change.c: run's thread only. Applies the change that another thread waits for, if
 * any ---- */
void     gilk_run_apply_pending    (GilkRun *run);

/* ---- gilk-run-thread.c ---- */
gpointer gilk_run_thread           (gpointer run);

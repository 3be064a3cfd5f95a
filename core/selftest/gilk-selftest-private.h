/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-selftest-private.h - interfaces between the files of the self-test
 *
 * Each file uses only those in front of it here: case, trial, parts.
 *
 * Threads: only that of the test.
 */
#pragma once

#include "core/run/gilk-run.h"
#include "core/selftest/gilk-selftest.h"

G_BEGIN_DECLS

struct _GilkSelftest {
  char          *spec, *release, *build_id;
  GilkProgress   progress;
  GCancellable  *cancellable;
  GilkSelftestFunc func;
  gpointer       user_data;
  GilkTarget    *target;       /* NULL after it was lost */
  GilkImage     *image;
  GilkFunctions *functions;
  char          *folder;       /* for temporary sessions */
  GHashTable    *facts;
  GPtrArray     *cases;
  gint64         begun_us, ended_us, case_us;
  double         fraction;     /* of the test, for progress */
  gboolean       brief;        /* make a tenth of the calls */
  gboolean       had_driver;
  char          *sum, *modules;    /* checksum of text before the first hook; modules loaded then */
};

/* ---- gilk-selftest-case.c ---- */

/* Starts a case. @what: for progress, a phrase such as "Loading the driver" */
void gilk_selftest_begin_case  (GilkSelftest *test, const char *what, double fraction);
/* @sentence: (transfer full) */
GilkSelftestCase *gilk_selftest_case_new (const char *name, GilkVerdict verdict, char *sentence);
void gilk_selftest_case_add_figure (GilkSelftestCase *ended, const char *name, double value);
void gilk_selftest_case_free (GilkSelftestCase *ended);
/* @ended: (transfer full) */
void gilk_selftest_end_case    (GilkSelftest *test, GilkSelftestCase *ended);

/* ---- gilk-selftest-trial.c: a run, with a known number of calls under its hooks ---- */

/* A system call that is rarely made. */
typedef struct {
  const char *function;
  guint       path;            /* enum gilk_calls_path */
} GilkTrialPath;

typedef struct {
  uint64_t made, wrong;        /* made by the agent; with a wrong result */
  double   call_ns, bare_ns;   /* duration of a call with and without the hooks */
  guint    threads;
  uint64_t before;             /* hits before the first call, caused by other programs */
  gboolean as_planned;         /* all hooks used their planned tactic */
  guint    n_hooks;
  struct {
    uint64_t hits, stored, lost, missed;
    double   cost_ns, low_ns, high_ns;    /* measured in place; NaN: not measured */
  } hooks[3];
} GilkTrial;

/* Binds @plan. NULL with GILK_ERROR_REFUSED if a hook cannot be placed. (transfer full) */
GilkBoundPlan *gilk_trial_bind (GilkSelftest *test, const char *plan, GError **error);
/**
 * gilk_trial_run:
 * @bound: (transfer full)
 * Arms, makes up to @calls calls of @path, and disarms. FALSE: the run or the target failed.
 */
gboolean gilk_trial_run (GilkSelftest *test, GilkBoundPlan *bound, guint path, uint64_t calls, GilkTrial *trial,
                         GError **error);
/**
 * gilk_trial_kill:
 * @bound: (transfer full)
 * @died_us: (out): when the loss was noticed, by g_get_monotonic_time()
 * Arms, and makes calls of @path during which the agent kills itself. If it returns TRUE,
 * @test->target was lost and is closed.
 */
gboolean gilk_trial_kill (GilkSelftest *test, GilkBoundPlan *bound, guint path, gint64 *died_us, GError **error);

/* Returns the available paths, best first. */
const GilkTrialPath *gilk_trial_paths (guint *count);

/* ---- parts of the test; FALSE: it cannot continue ---- */

gboolean gilk_selftest_test_refusals   (GilkSelftest *test, GError **error); /* -refused.c */
gboolean gilk_selftest_test_counts     (GilkSelftest *test, GError **error); /* -counts.c */
gboolean gilk_selftest_test_agent_kill (GilkSelftest *test, GError **error); /* -death.c */

G_END_DECLS

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-selftest-private.h - what the files of the self-test share
 *
 * Each file sees those above it here: the test over its parts over a trial over a case.
 *
 * Threads: that of the test.
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
  GilkTarget    *target;       /* NULL once it was lost */
  GilkImage     *image;
  GilkFunctions *functions;
  char          *folder;       /* for sessions, which nobody keeps */
  GHashTable    *facts;
  GPtrArray     *cases;
  gint64         begun_us, ended_us, case_us;
  double         fraction;     /* of the test, for progress */
  gboolean       brief;        /* a tenth of the calls */
  gboolean       had_driver;
  char          *sum, *modules;    /* of text before the first hook; what was loaded then */
};

/* ---- gilk-selftest-case.c ---- */

/* From now on it is this one that takes time. @what: a present participle. */
void gilk_selftest_begin  (GilkSelftest *test, const char *what, double fraction);
/* @sentence: (transfer full) */
GilkSelftestCase *gilk_selftest_case (const char *name, GilkVerdict verdict, char *sentence);
void gilk_selftest_figure (GilkSelftestCase *ended, const char *name, double value);
void gilk_selftest_case_free (GilkSelftestCase *ended);
/* @ended: (transfer full) */
void gilk_selftest_end    (GilkSelftest *test, GilkSelftestCase *ended);

/* ---- gilk-selftest-trial.c: a run, and calls of known count under its hooks ---- */

/* A system call that hardly anyone makes. */
typedef struct {
  const char *function;
  guint       path;            /* enum gilk_calls_path */
} GilkTrialPath;

typedef struct {
  uint64_t made, wrong;        /* calls of ours */
  double   call_ns, bare_ns;   /* of a call, with and without the hooks */
  guint    threads;
  uint64_t before;             /* hits before the first of them: somebody else's */
  gboolean settled;            /* all hooks were reached as they were planned to be */
  guint    n_hooks;
  struct {
    uint64_t hits, stored, lost, dropped;
    double   cost_ns, low_ns, high_ns;    /* measured in place; NaN: not */
  } hooks[3];
} GilkTrial;

/* Binds @plan; NULL with GILK_ERROR_REFUSED where a hook cannot be placed. (transfer full) */
GilkBoundPlan *gilk_trial_bind (GilkSelftest *test, const char *plan, GError **error);
/**
 * gilk_trial_run:
 * @bound: (transfer full)
 * Arms, makes up to @calls of @path, disarms. FALSE: the run or the target failed.
 */
gboolean gilk_trial_run (GilkSelftest *test, GilkBoundPlan *bound, guint path, uint64_t calls, GilkTrial *trial,
                         GError **error);
/**
 * gilk_trial_kill:
 * @bound: (transfer full)
 * @died_us: (out): when that was seen, by g_get_monotonic_time()
 * Arms, makes calls of @path, and has the agent kill itself meanwhile. @target is lost, and closed, when it
 * returns TRUE.
 */
gboolean gilk_trial_kill (GilkSelftest *test, GilkBoundPlan *bound, guint path, gint64 *died_us, GError **error);

/* Those that there are, best first. */
const GilkTrialPath *gilk_trial_paths (guint *count);

/* ---- the parts; FALSE: the test cannot go on ---- */

gboolean gilk_selftest_refused (GilkSelftest *test, GError **error);    /* -refused.c */
gboolean gilk_selftest_counts  (GilkSelftest *test, GError **error);    /* -counts.c */
gboolean gilk_selftest_death   (GilkSelftest *test, GError **error);    /* -death.c */

G_END_DECLS

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-selftest-private.h - interfaces between the files of the self-test
 *
 * The files form layers: trial, then the parts of the test. A file uses only lower layers.
 *
 * Threads: only the test's thread.
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
  GilkTarget    *target;       /* the machine under test; NULL if the connection to it was lost */
  GilkImage     *image;
  GilkFunctions *functions;
  char          *folder;       /* folder for temporary sessions */
  GHashTable    *facts;
  GPtrArray     *cases;
  gint64         begun_us, ended_us, case_us;
  double         fraction;     /* completed fraction of the test, for progress */
  gboolean       brief;        /* make only a tenth of the usual number of calls */
  gboolean       had_driver;
  /* checksum of the kernel's text, and list of modules, from before the first hook */
  char          *sum, *modules;
};

/* ---- gilk-selftest-trial.c: results of cases ---- */

/* Starts a case, one check of the self-test. @what: phrase for progress, such as "Loading the
 * driver" */
void gilk_selftest_begin_case  (GilkSelftest *test, const char *what, double fraction);
/* Makes the result of a case. @sentence: (transfer full) */
GilkSelftestCase *gilk_selftest_case_new (const char *name, GilkVerdict verdict, char *sentence);
void gilk_selftest_case_add_figure (GilkSelftestCase *ended, const char *name, double value);
void gilk_selftest_case_free (GilkSelftestCase *ended);
/* Adds the result of a case to the results. @ended: (transfer full) */
void gilk_selftest_end_case    (GilkSelftest *test, GilkSelftestCase *ended);

/* ---- gilk-selftest-trial.c: a run, with a known number of hooked calls ---- */

/* A rare system call that the agent can make, and the kernel function to hook. */
typedef struct {
  const char *function;
  guint       path;            /* which system call (enum gilk_calls_path) */
} GilkTrialPath;

typedef struct {
  uint64_t made, wrong;        /* number of calls made by the agent, and of calls that returned a
                                * wrong result */
  double   call_ns, bare_ns;   /* duration of a call with and without hooks */
  guint    threads;
  uint64_t before;             /* number of hits before the first call, caused by other programs */
  gboolean as_planned;         /* all hooks used the tactic (way of hooking) that was planned for
                                * them */
  guint    n_hooks;
  struct {
    uint64_t hits, stored, lost, missed;
    /* cost of a hit and its bounds, measured at the point; NaN: not measured */
    double   cost_ns, low_ns, high_ns;
  } hooks[3];
} GilkTrial;

/* Binds @plan to the target's kernel. Returns NULL with GILK_ERROR_REFUSED if a hook cannot be
 * placed. (transfer full) */
GilkBoundPlan *gilk_trial_bind (GilkSelftest *test, const char *plan, GError **error);
/**
 * gilk_trial_run:
 * @bound: (transfer full)
 * Arms the hooks, makes up to @calls system calls of @path, and disarms the hooks. Returns FALSE if
 * the run or the target failed.
 */
gboolean gilk_trial_run (GilkSelftest *test, GilkBoundPlan *bound, guint path, uint64_t calls, GilkTrial *trial,
                         GError **error);
/**
 * gilk_trial_kill:
 * @bound: (transfer full)
 * @died_us: (out): time when the loss was noticed, by g_get_monotonic_time()
 * Arms the hooks, and makes system calls of @path during which the agent kills itself. If this
 * returns TRUE, @test->target was lost and is closed.
 */
gboolean gilk_trial_kill (GilkSelftest *test, GilkBoundPlan *bound, guint path, gint64 *died_us, GError **error);

/* Returns the system calls to use, best first. */
const GilkTrialPath *gilk_trial_paths (guint *count);

/* ---- parts of the test; they return FALSE if the test cannot continue ---- */

gboolean gilk_selftest_test_refusals   (GilkSelftest *test, GError **error); /* -refused.c */
gboolean gilk_selftest_test_counts     (GilkSelftest *test, GError **error); /* -counts.c */
gboolean gilk_selftest_test_agent_kill (GilkSelftest *test, GError **error); /* -agent-kill.c */

G_END_DECLS

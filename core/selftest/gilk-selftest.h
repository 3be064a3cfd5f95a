/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-selftest.h - checks that Gilk works on this machine
 *
 * For users of a machine that Gilk was not tested on: takes two minutes, restores everything, and
 * makes a report for the developers. Each case hooks rare system calls, lets the agent make a known
 * number of them, and compares that number with the hits. Reports contain no personal data and no
 * host names.
 *
 * Threads: only one, which blocks; its default main context is not used.
 */
#pragma once

#include "core/link/gilk-target.h"

G_BEGIN_DECLS

typedef enum {
  GILK_VERDICT_OK,
  GILK_VERDICT_NOTE,           /* the case passed, with a note for the user */
  GILK_VERDICT_SKIPPED,        /* the case was not run, because the kernel lacks a suitable probe
                                * point */
  GILK_VERDICT_FAILED,
} GilkVerdict;

typedef struct {
  const char *name;            /* name such as "cost_ns" */
  double      value;
} GilkSelftestFigure;

typedef struct {
  const char *name;            /* stable name, such as "count-splice" */
  GilkVerdict verdict;
  char       *sentence;        /* sentence that describes the result */
  double      seconds;
  GArray     *figures;         /* (element-type GilkSelftestFigure) */
} GilkSelftestCase;

typedef struct _GilkSelftest GilkSelftest;

/* Called at the end of each case, on the thread that runs the cases. */
typedef void (*GilkSelftestFunc) (const GilkSelftestCase *ended, gpointer user_data);

/* Returns "ok", "note", "skipped" or "failed". */
const char *gilk_verdict_name (GilkVerdict verdict);

/* Connects, and requests the machine's facts. @brief: make only a tenth of the calls.
 * (transfer full) */
GilkSelftest *gilk_selftest_new (const char *spec, gboolean brief, const GilkProgress *progress,
                                 GCancellable *cancellable, GError **error);
void          gilk_selftest_free (GilkSelftest *test);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkSelftest, gilk_selftest_free)

/**
 * gilk_selftest_run:
 * @func: (nullable)
 * Runs all cases. Call once. Returns FALSE if the test had to stop; the results so far are
 * available. A failed case is not an error. When this function returns, the kernel's text is
 * restored in any case, and the driver is unloaded unless it was loaded before.
 */
gboolean gilk_selftest_run (GilkSelftest *test, GilkSelftestFunc func, gpointer user_data, GError **error);

/* Returns the machine's facts, from gilk_target_doctor(). (transfer none) */
GHashTable      *gilk_selftest_facts  (const GilkSelftest *test);
/* Returns the results so far. (transfer none) (element-type GilkSelftestCase) */
const GPtrArray *gilk_selftest_cases  (const GilkSelftest *test);
guint            gilk_selftest_n_failed (const GilkSelftest *test);
double           gilk_selftest_seconds  (const GilkSelftest *test);
const char      *gilk_selftest_release  (const GilkSelftest *test);
const char      *gilk_selftest_build_id (const GilkSelftest *test);

G_END_DECLS

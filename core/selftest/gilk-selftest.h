/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-selftest.h - checks that Gilk works on this machine
 *
 * For the first user of a machine that Gilk has not been tried on: takes two minutes, restores
 * everything, and makes a report that can be sent. Each case hooks system calls that are rarely
 * made, lets the agent make a known number of them, and compares. Reports contain no personal data
 * and no host names.
 *
 * Threads: one, which blocks; its default main context is not used.
 */
#pragma once

#include "core/link/gilk-target.h"

G_BEGIN_DECLS

typedef enum {
  GILK_VERDICT_OK,
  GILK_VERDICT_NOTE,           /* as expected, but worth knowing */
  GILK_VERDICT_SKIPPED,        /* the kernel lacks a suitable probe point */
  GILK_VERDICT_FAILED,
} GilkVerdict;

typedef struct {
  const char *name;            /* "cost_ns" */
  double      value;
} GilkSelftestFigure;

typedef struct {
  const char *name;            /* stable: "count-splice" */
  GilkVerdict verdict;
  char       *sentence;        /* the result */
  double      seconds;
  GArray     *figures;         /* GilkSelftestFigure */
} GilkSelftestCase;

typedef struct _GilkSelftest GilkSelftest;

/* Called at the end of a case, on the thread that runs them. */
typedef void (*GilkSelftestFunc) (const GilkSelftestCase *ended, gpointer user_data);

/* "ok", "note", "skipped", "failed" */
const char *gilk_verdict_name (GilkVerdict verdict);

/* Connects, and requests the facts. @brief: make only a tenth of the calls. (transfer full) */
GilkSelftest *gilk_selftest_new (const char *spec, gboolean brief, const GilkProgress *progress,
                                 GCancellable *cancellable, GError **error);
void          gilk_selftest_free (GilkSelftest *test);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkSelftest, gilk_selftest_free)

/**
 * gilk_selftest_run:
 * @func: (nullable)
 * Runs all cases. Call once. FALSE: it had to stop; the results so far are available. A failed case
 * is not an error. In any case nothing is left in the kernel's text, and a driver that was not
 * loaded before is unloaded.
 */
gboolean gilk_selftest_run (GilkSelftest *test, GilkSelftestFunc func, gpointer user_data, GError **error);

/* Returns the agent's facts: gilk_target_doctor(). (transfer none) */
GHashTable      *gilk_selftest_facts  (const GilkSelftest *test);
/* (transfer none) (element-type GilkSelftestCase) */
const GPtrArray *gilk_selftest_cases  (const GilkSelftest *test);
guint            gilk_selftest_n_failed (const GilkSelftest *test);
double           gilk_selftest_seconds  (const GilkSelftest *test);
const char      *gilk_selftest_release  (const GilkSelftest *test);
const char      *gilk_selftest_build_id (const GilkSelftest *test);

G_END_DECLS

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-selftest.h - does Gilk do on this machine what it promises?
 *
 * For the first person with a machine that nobody has tried: two minutes, everything restored,
 * and a report that can be sent. Each case hooks system calls that hardly anyone makes, lets the
 * agent make a known number of them, and compares. Nothing of a person or a host is in a report.
 *
 * Threads: one, which blocks; the default main context of that thread is not used.
 */
#pragma once

#include "core/target/gilk-target.h"

G_BEGIN_DECLS

typedef enum {
  GILK_VERDICT_OK,
  GILK_VERDICT_NOTE,           /* as it should be, but something is to be known */
  GILK_VERDICT_SKIPPED,        /* this kernel offers no place for it */
  GILK_VERDICT_FAILED,
} GilkVerdict;

typedef struct {
  const char *name;            /* "cost_ns" */
  double      value;
} GilkSelftestFigure;

typedef struct {
  const char *name;            /* stable: "count-splice" */
  GilkVerdict verdict;
  char       *sentence;        /* what was found */
  double      seconds;
  GArray     *figures;         /* GilkSelftestFigure */
} GilkSelftestCase;

typedef struct _GilkSelftest GilkSelftest;

/* Called when a case has ended, on the thread that runs them. */
typedef void (*GilkSelftestFunc) (const GilkSelftestCase *ended, gpointer user_data);

/* "ok", "note", "skipped", "failed" */
const char *gilk_verdict_name (GilkVerdict verdict);

/* Connects, and asks for the facts. @brief: a tenth of the calls are enough. (transfer full) */
GilkSelftest *gilk_selftest_new (const char *spec, gboolean brief, const GilkProgress *progress,
                                 GCancellable *cancellable, GError **error);
void          gilk_selftest_free (GilkSelftest *test);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkSelftest, gilk_selftest_free)

/**
 * gilk_selftest_run:
 * @func: (nullable)
 * Runs all cases, once. FALSE: it could not go on; the cases until then are there. That a case
 * failed is no error. However it ends, nothing of it is left in the kernel's text; a driver that
 * was not loaded before is unloaded.
 */
gboolean gilk_selftest_run (GilkSelftest *test, GilkSelftestFunc func, gpointer user_data, GError **error);

/* Of the agent: gilk_target_doctor(). (transfer none) */
GHashTable      *gilk_selftest_facts  (const GilkSelftest *test);
/* (transfer none) (element-type GilkSelftestCase) */
const GPtrArray *gilk_selftest_cases  (const GilkSelftest *test);
guint            gilk_selftest_failed (const GilkSelftest *test);
double           gilk_selftest_seconds  (const GilkSelftest *test);
const char      *gilk_selftest_release  (const GilkSelftest *test);
const char      *gilk_selftest_build_id (const GilkSelftest *test);

G_END_DECLS

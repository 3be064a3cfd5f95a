/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-remote-runs.h - lists the runs and hooks of all hosts in a store, and reads counters'
 * readings
 *
 * Threads: only the GilkRemote's thread.
 */
#pragma once

#include "core/clickhouse/gilk-remote.h"

G_BEGIN_DECLS

typedef struct {
  uint64_t id;
  guint    number;                /* number of the run in the session that it was pushed from */
  char    *host, *target, *title, *release, *started, *ended;
  double   duration;              /* in seconds */
  guint    hooks;
  uint64_t samples, lost;         /* numbers of recorded and lost samples, according to the
                                   * session */
  uint64_t stored_samples;        /* number of the run's samples that are in the store */
  uint64_t readings;              /* number of the run's counter readings that are in the store */
  gboolean complete;              /* the store has all of the run's data */
} GilkRemoteRun;

typedef struct {
  uint64_t run;
  guint    hook;                  /* number of the hook in the run */
  char    *label, *function, *block, *place, *instrument, *tactic;
  uint64_t hits, stored, lost, missed;
  gboolean hits_known;
} GilkRemoteHook;

/* Returns runs in order of their start. (transfer full) (element-type GilkRemoteRun) */
GArray *gilk_remote_runs  (GilkRemote *remote, GError **error);
/* Returns the hooks of the runs in @runs, such as "1, 2", or of all runs if @runs is NULL; sorted
 * by run and number. (transfer full) (element-type GilkRemoteHook) */
GArray *gilk_remote_hooks (GilkRemote *remote, const char *runs, GError **error);

/**
 * gilk_remote_readings:
 * Gets the readings of a counter, and the times when its hook was not measuring: the same data as
 * gilk_store_count_series() and gilk_hook_gaps() return for the pushed session, so that
 * gilk_count_rates() computes the same rates.
 * @run: the run of @hook
 * @times, @counts: (out) (transfer full): doubles, seconds and hits since the run started
 * @off: (out) (transfer full): GilkGap, sorted and disjoint: times when the hook was not measuring
 * Fails with GILK_ERROR_STORE if rows in the ledger are missing; outputs are then untouched.
 */
gboolean gilk_remote_readings (GilkRemote *remote, const GilkRemoteRun *run, const GilkRemoteHook *hook,
                               GArray **times, GArray **counts, GArray **off, GError **error);

G_END_DECLS

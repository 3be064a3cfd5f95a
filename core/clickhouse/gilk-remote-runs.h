/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-remote-runs.h - lists the runs and hooks of all hosts in a store
 *
 * Threads: only that of the GilkRemote.
 */
#pragma once

#include "core/clickhouse/gilk-remote.h"

G_BEGIN_DECLS

typedef struct {
  uint64_t id;
  guint    number;                /* in its session */
  char    *host, *target, *title, *release, *started, *ended;
  double   duration;              /* seconds */
  guint    hooks;
  uint64_t samples, lost;         /* according to the session */
  uint64_t stored_samples;        /* number of samples in the store */
  uint64_t readings;              /* number of counter readings in the store */
  gboolean complete;              /* the store has all of the run */
} GilkRemoteRun;

typedef struct {
  uint64_t run;
  guint    hook;                  /* its number in the run */
  char    *label, *function, *block, *place, *instrument, *tactic;
  uint64_t hits, stored, lost, missed;
  gboolean hits_known;
} GilkRemoteHook;

/* Returns runs in order of their start. (transfer full) (element-type GilkRemoteRun) */
GArray *gilk_remote_runs  (GilkRemote *remote, GError **error);
/* Returns the hooks of all runs, or of those in @runs, "1, 2"; by run and number. (transfer full)
 * (element-type GilkRemoteHook) */
GArray *gilk_remote_hooks (GilkRemote *remote, const char *runs, GError **error);

G_END_DECLS

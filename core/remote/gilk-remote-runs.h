/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-remote-runs.h - what a store has: runs and hooks of all hosts
 *
 * Threads: that of the GilkRemote.
 */
#pragma once

#include "core/remote/gilk-remote.h"

G_BEGIN_DECLS

typedef struct {
  uint64_t id;
  guint    number;                /* in the session it came from */
  char    *host, *target, *title, *release, *started, *ended;
  double   duration;              /* seconds */
  guint    hooks;
  uint64_t samples, lost;         /* as the session has them */
  uint64_t there;                 /* of the samples */
  uint64_t readings;              /* of counters, that are there */
  gboolean whole;                 /* all of it is there */
} GilkRemoteRun;

typedef struct {
  uint64_t run;
  guint    hook;                  /* its number in the run */
  char    *label, *function, *block, *place, *instrument, *tactic;
  uint64_t hits, stored, lost, dropped;
  gboolean hits_known;
} GilkRemoteHook;

/* By the time they began. (transfer full) (element-type GilkRemoteRun) */
GArray *gilk_remote_runs  (GilkRemote *remote, GError **error);
/* Of all runs, or of those that @runs lists, as "1, 2"; by run and number. (transfer full)
 * (element-type GilkRemoteHook) */
GArray *gilk_remote_hooks (GilkRemote *remote, const char *runs, GError **error);

G_END_DECLS

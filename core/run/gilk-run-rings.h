/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-run-rings.h - the rings that samples come from
 *
 * When the rings end a run, by the plan's ring mode:
 *
 *   drop        never: samples that find no room are lost
 *   stop        when one of them is full: the agent freezes all, and each CPU has the samples from
 *               before that
 *   overwrite   never; when the run ends, or a hook triggers its end, they are frozen before
 *               anything else, so that they hold the last samples
 *   fifo        never: another program reads them
 *
 * Threads: the run's own.
 */
#pragma once

#include "core/run/gilk-ingest.h"
#include "core/run/gilk-run-rows.h"

G_BEGIN_DECLS

typedef struct {
  GilkTarget       *target;       /* (unowned) */
  GilkRunSession   *session;      /* (unowned) */
  guint             mode;         /* as planned at the start */
  uint64_t          window_ns;
  gboolean          is_claimed;   /* since a hook first took samples */
  gboolean          is_frozen;    /* in overwrite mode */
  struct gilk_rings now;          /* as last reported */
} GilkRunRings;

/* TRUE if the oldest samples are being overwritten. */
gboolean gilk_run_rings_overwrite (const GilkRunRings *rings);
/* Claims the rings if a hook of @bound takes samples and the run does not have them yet. */
gboolean gilk_run_rings_claim     (GilkRunRings *rings, const GilkBoundPlan *bound, const struct ilk_info *info,
                                   GilkIngest *ingest, GCancellable *cancellable, GError **error);
/* Reads how full the rings are. */
gboolean gilk_run_rings_read      (GilkRunRings *rings, GError **error);
/* Freezes them, so that they keep the last samples. Must be called before the hooks are disarmed. */
gboolean gilk_run_rings_freeze    (GilkRunRings *rings, GError **error);
/* Waits for the last samples. @end: (out): the totals, if the rings were claimed */
gboolean gilk_run_rings_release   (GilkRunRings *rings, struct gilk_samples_end *end, GError **error);
/* Stops receiving samples at once; the target may still send some. */
void     gilk_run_rings_abandon   (GilkRunRings *rings);

G_END_DECLS

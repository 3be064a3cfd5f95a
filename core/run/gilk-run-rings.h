/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-run-rings.h - claims the rings that samples come from, reads their state, and releases them
 *
 * Whether the rings end a run depends on the plan's ring mode:
 *
 *   drop        never: samples that do not fit are lost
 *   stop        when one ring is full: the agent freezes all rings, and each ring has the samples
 *   from before that time
 *   overwrite   never; when the run ends, or a hook triggers its end, the rings are frozen before
 *               anything else, so that they hold the last samples
 *   fifo        never: another program reads the rings
 *
 * Threads: only the run's thread.
 */
#pragma once

#include "core/run/gilk-ingest.h"
#include "core/run/gilk-run-rows.h"

G_BEGIN_DECLS

typedef struct {
  GilkTarget       *target;       /* (unowned) */
  GilkRunSession   *session;      /* (unowned) */
  guint             mode;         /* mode in the plan that the run starts with */
  uint64_t          window_ns;
  gboolean          is_claimed;   /* the run has claimed the rings: it does so for the first hook
                                   * that takes samples */
  gboolean          is_frozen;    /* the rings were frozen, in overwrite mode */
  struct gilk_rings now;          /* state in the target's last reply */
} GilkRunRings;

/* Returns TRUE if the rings currently overwrite the oldest samples. */
gboolean gilk_run_rings_overwrite (const GilkRunRings *rings);
/* Claims the rings if a hook of @bound takes samples, unless the run has claimed them already. */
gboolean gilk_run_rings_claim     (GilkRunRings *rings, const GilkBoundPlan *bound, const struct ilk_info *info,
                                   GilkIngest *ingest, GCancellable *cancellable, GError **error);
/* Reads how full the rings are. */
gboolean gilk_run_rings_read      (GilkRunRings *rings, GError **error);
/* Freezes the rings, so that they keep the last samples. Must be called before disarming. */
gboolean gilk_run_rings_freeze    (GilkRunRings *rings, GError **error);
/* Releases the rings and waits for their last samples. @end: (out): totals, if the rings were
 * claimed */
gboolean gilk_run_rings_release   (GilkRunRings *rings, struct gilk_samples_end *end, GError **error);
/* Stops receiving samples at once; the target may still send some. */
void     gilk_run_rings_abandon   (GilkRunRings *rings);

G_END_DECLS

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-run-costs.h - measures what a run's hooks cost: before it, during it and at its end
 *
 * The cost of a hit changes with time: with the CPU's frequency, with caches, with load on the
 * sibling thread. It also differs with the place of the code. So copies of each kind of hook are
 * measured repeatedly, and the confidence interval comes from the spread between copies and between
 * measurements (gilk_median_over_time()). Before the run this is done in rounds, so that a run that
 * is killed early has a figure too: its interval then predicts the result of another round.
 *
 * If the target cannot do this, the run continues without costs.
 *
 * Threads: the run's own.
 */
#pragma once

#include "core/run/gilk-run-clock.h"
#include "core/run/gilk-run-rows.h"

G_BEGIN_DECLS

#define GILK_RUN_COSTS_COPIES 7   /* of each kind; a round before the run measures one of them */

typedef struct {
  GilkTarget         *target;     /* (unowned) */
  GilkRunSession     *session;    /* (unowned) */
  const GilkRunClock *clock;      /* (unowned) */
  GArray             *kinds;      /* Cost; NULL: not measured yet */
  guint               n_stored;   /* kinds whose first measurement is stored */
  uint32_t            tsc_khz;
  gboolean            prepared;   /* the stubs are in the driver */
  gint64              since_us;   /* time zero, or when the latest kinds were added */
  gint64              measured_us, distance_us;  /* end of the last one, 0: none; time to the next one */
  double              taken_us;   /* time that the calls of the last measurement took */
} GilkRunCosts;

void     gilk_run_costs_clear     (GilkRunCosts *costs);
/* Prepares calibration stubs for the kinds of hooks in @bound that have none, and measures them, as
 * far as the target can. Must be called before anything else of the run is prepared, and again once
 * hooks were added. */
void     gilk_run_costs_measure   (GilkRunCosts *costs, const GilkBoundPlan *bound, GCancellable *cancellable);
/* Frees the stubs. Not needed if all that the run has in the driver is freed. */
void     gilk_run_costs_free_stubs (GilkRunCosts *costs);
/* Stores the first measurements of kinds. The store must be locked. */
gboolean gilk_run_costs_store     (GilkRunCosts *costs, GError **error);
/* Called at each tick: measures and stores the costs again when that is due. */
gboolean gilk_run_costs_remeasure (GilkRunCosts *costs, GError **error);
/* Measures once more. The hooks must be disarmed and not yet freed. */
gboolean gilk_run_costs_finish    (GilkRunCosts *costs, GError **error);

G_END_DECLS

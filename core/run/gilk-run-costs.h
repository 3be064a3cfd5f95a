/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-run-costs.h - measures the costs of a run's hooks: before the run, during it and at its end
 *
 * The cost of a hit changes with time, because of the CPU's frequency, caches, and load on the
 * sibling thread. It also depends on the address of the code. So several copies of each kind of
 * hook are measured repeatedly, and the confidence interval comes from the spread between copies
 * and between measurements (gilk_median_over_time()). Before the run, several rounds are measured,
 * so that even a run that is killed early has a figure. The interval of this figure predicts the
 * result of another round.
 *
 * If the target cannot measure costs, the run continues without them.
 *
 * Threads: only the run's thread.
 */
#pragma once

#include "core/run/gilk-run-clock.h"
#include "core/run/gilk-run-rows.h"

G_BEGIN_DECLS

#define GILK_RUN_COSTS_COPIES 7   /* number of copies of the code of each kind of hook; each round
                                   * of measurements before the run uses one copy */

typedef struct {
  GilkTarget         *target;     /* (unowned) */
  GilkRunSession     *session;    /* (unowned) */
  const GilkRunClock *clock;      /* (unowned) */
  GArray             *kinds;      /* (element-type Cost): one for each kind of hook; NULL: not
                                   * measured yet */
  guint               n_stored;   /* number of kinds of hooks whose first measurement is stored */
  uint32_t            tsc_khz;
  gboolean            prepared;   /* the calibration stubs are in the driver */
  gint64              since_us;   /* start of the run, or the last time that hooks of a new kind
                                   * were added, in µs */
  /* Time when the last measurement ended (0: none yet), and delay until the next one, both in
   * µs. */
  gint64              measured_us, distance_us;
  double              taken_us;   /* time that the calls of the last measurement took, in µs */
} GilkRunCosts;

void     gilk_run_costs_clear     (GilkRunCosts *costs);
/* Prepares calibration stubs (copies of hooks' code, which are called to measure its cost) for the
 * kinds of hooks in @bound that still lack stubs, and measures the stubs if the target can. Must be
 * called before anything else of the run is prepared, and again after hooks were added. */
void     gilk_run_costs_measure   (GilkRunCosts *costs, const GilkBoundPlan *bound, GCancellable *cancellable);
/* Frees the calibration stubs (copies of hooks' code, for measuring). Not needed if the driver
 * frees everything that belongs to the run. */
void     gilk_run_costs_free_stubs (GilkRunCosts *costs);
/* Stores the first measurement of each kind of hook. The store must be locked. */
gboolean gilk_run_costs_store     (GilkRunCosts *costs, GError **error);
/* Must be called at each tick: measures and stores the costs again if that is due. */
gboolean gilk_run_costs_remeasure (GilkRunCosts *costs, GError **error);
/* Measures all kinds of hooks once more, at the run's end. The hooks must be disarmed, and the
 * stubs not yet freed. */
gboolean gilk_run_costs_finish    (GilkRunCosts *costs, GError **error);

G_END_DECLS

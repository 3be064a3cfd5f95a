/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-store-cost.h - stores the cost of a hit, as measured for each kind of hook on a run's
 * machine
 *
 * Threads: only the store's thread. On failure outputs are untouched.
 */
#pragma once

#include "core/store/gilk-store.h"

G_BEGIN_DECLS

typedef struct {
  const char *instrument, *tactic;
  guint       instructions;           /* number of instructions that the hook adds per hit, as in
                                       * GilkStoreHook.cost */
  double      ns, low_ns, high_ns;    /* median cost of a hit in ns, and its 95 % confidence
                                       * interval: gilk-median.h */
  double      min_ns;
} GilkStoreCost;

/* One of the measurements from which a cost is computed. */
typedef struct {
  guint   position;                   /* index of the measurement; 0: the one before the run */
  int64_t t_ns;                       /* time of the measurement since time zero; negative: before
                                       * time zero */
  double  ns, min_ns;
} GilkCostMeasurement;

/* Stores the cost of a kind of hook. Replaces a stored cost of the same code. */
gboolean gilk_store_add_cost (GilkStore *store, gint64 run, const GilkStoreCost *cost, GError **error);
gboolean gilk_store_add_cost_measurement (GilkStore *store, gint64 run, const GilkStoreCost *of,
                                          const GilkCostMeasurement *measurement, GError **error);

typedef struct {
  char   *instrument, *tactic;
  guint   instructions;
  double  ns, low_ns, high_ns, min_ns;
  guint   n_measurements;             /* number of measurements; 1: only the measurement before the
                                       * run */
} GilkStoredCost;

/* Returns the costs of all kinds of hooks in @run; empty: they were not measured. (transfer full)
 * (element-type GilkStoredCost) */
GArray  *gilk_store_costs    (GilkStore *store, gint64 run, GError **error);
/* Returns the entry of @costs for a hook's code. (transfer none) (nullable) */
const GilkStoredCost *gilk_costs_of (const GArray *costs, const GilkStoredHook *hook);

G_END_DECLS

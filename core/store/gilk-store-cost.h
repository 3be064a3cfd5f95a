/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-store-cost.h - what a hit of a run's hooks cost on their machine, as it was measured
 *
 * Threads: that of the store. On failure outputs are untouched.
 */
#pragma once

#include "core/store/gilk-store.h"

G_BEGIN_DECLS

typedef struct {
  const char *instrument, *tactic;
  guint       instructions;           /* GilkStoreHook.cost */
  double      ns, low_ns, high_ns;    /* median, and its 95 % interval: gilk-median.h */
  double      least_ns;
} GilkStoreCost;

/* One of those that a cost is made of. */
typedef struct {
  guint   position;                   /* 0: before the run */
  int64_t t_ns;                       /* since time zero; negative: before it */
  double  ns, least_ns;
} GilkCostMeasurement;

/* In place of what is there for the same code. */
gboolean gilk_store_add_cost (GilkStore *store, gint64 run, const GilkStoreCost *cost, GError **error);
gboolean gilk_store_add_cost_measurement (GilkStore *store, gint64 run, const GilkStoreCost *of,
                                          const GilkCostMeasurement *measurement, GError **error);

typedef struct {
  char   *instrument, *tactic;
  guint   instructions;
  double  ns, low_ns, high_ns, least_ns;
  guint   n_measurements;             /* over the run; 1: before it alone */
} GilkStoredCost;

/* (transfer full) (element-type GilkStoredCost): none: they were not measured */
GArray  *gilk_store_costs    (GilkStore *store, gint64 run, GError **error);
/* That of a hook. (transfer none) (nullable) */
const GilkStoredCost *gilk_costs_of (const GArray *costs, const GilkStoredHook *hook);

G_END_DECLS

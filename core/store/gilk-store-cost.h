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
  double      ns, low_ns, high_ns;    /* median, and the 95 % interval for another round's */
  double      least_ns;
} GilkStoreCost;

gboolean gilk_store_add_cost (GilkStore *store, gint64 run, const GilkStoreCost *cost, GError **error);

typedef struct {
  char   *instrument, *tactic;
  guint   instructions;
  double  ns, low_ns, high_ns, least_ns;
} GilkStoredCost;

/* (transfer full) (element-type GilkStoredCost): none: they were not measured */
GArray  *gilk_store_costs    (GilkStore *store, gint64 run, GError **error);
/* That of a hook. (transfer none) (nullable) */
const GilkStoredCost *gilk_costs_of (const GArray *costs, const GilkStoredHook *hook);

G_END_DECLS

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-cost-history.h - costs and hit rates that a session's runs measured, for forecasts
 *
 * A run measures the code of each kind of its hooks (core/run/gilk-run-cost.c) and counts their
 * hits. The latest run with a figure is used. Runs on another kernel or machine than the last run's
 * are ignored.
 *
 * Threads: reading is for the thread of the store; the result is immutable and for any.
 */
#pragma once

#include "core/store/gilk-store.h"

G_BEGIN_DECLS

typedef struct _GilkCostHistory GilkCostHistory;

/* Fails with GILK_ERROR_NOT_FOUND if no run has ended. */
GilkCostHistory *gilk_cost_history_read  (GilkStore *store, GError **error);
GilkCostHistory *gilk_cost_history_ref   (GilkCostHistory *self);
void             gilk_cost_history_unref (GilkCostHistory *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkCostHistory, gilk_cost_history_unref)

/* Describe the last run. Names are (transfer none), and "" if unknown. */
const char *gilk_cost_history_release  (const GilkCostHistory *self);
const char *gilk_cost_history_build_id (const GilkCostHistory *self);
const char *gilk_cost_history_hostname (const GilkCostHistory *self);
gint64      gilk_cost_history_unix     (const GilkCostHistory *self); /* time zero, seconds since 1970 */
guint       gilk_cost_history_n_costs  (const GilkCostHistory *self); /* kinds of hooks with a measured cost */

/* Source of a cost. */
typedef enum {
  GILK_COST_SOURCE_ASSUMED,    /* nothing similar was measured */
  GILK_COST_SOURCE_DERIVED,    /* from its instructions, and the cost of others */
  GILK_COST_SOURCE_MEASURED,   /* the same code was measured */
} GilkCostSource;

/* Returns the cost of a hit in nanoseconds. @self: (nullable): nothing was measured. @tactic: as in
 * gilk_tactic_name() */
double gilk_cost_history_ns (const GilkCostHistory *self, const char *instrument, const char *tactic, guint instructions,
                             GilkCostSource *price);
/**
 * gilk_cost_history_rate:
 * @function: (nullable): with @block (nullable) and @where the probe point; hooks without a block
 *   are looked up by @label
 *
 * Returns: hits per second while the hook was on; negative: unknown
 */
double gilk_cost_history_rate (const GilkCostHistory *self, const char *label, const char *function, const char *block,
                               const char *where);

G_END_DECLS

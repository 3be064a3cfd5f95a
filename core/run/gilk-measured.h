/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-measured.h - costs and hit rates that a session's runs measured, for forecasts
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

typedef struct _GilkMeasured GilkMeasured;

/* Fails with GILK_ERROR_NOT_FOUND if no run has ended. */
GilkMeasured *gilk_measured_read  (GilkStore *store, GError **error);
GilkMeasured *gilk_measured_ref   (GilkMeasured *self);
void          gilk_measured_unref (GilkMeasured *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkMeasured, gilk_measured_unref)

/* Describe the last run. Names are (transfer none), and "" if unknown. */
const char *gilk_measured_release  (const GilkMeasured *self);
const char *gilk_measured_build_id (const GilkMeasured *self);
const char *gilk_measured_hostname (const GilkMeasured *self);
gint64      gilk_measured_unix     (const GilkMeasured *self);      /* time zero, seconds since 1970 */
guint       gilk_measured_n_costs  (const GilkMeasured *self);      /* kinds of hooks with a measured cost */

/* Source of a cost. */
typedef enum {
  GILK_PRICE_ASSUMED,          /* nothing similar was measured */
  GILK_PRICE_DERIVED,          /* from its instructions, and the cost of others */
  GILK_PRICE_MEASURED,         /* the same code was measured */
} GilkPrice;

/* Returns the cost of a hit in nanoseconds. @self: (nullable): nothing was measured. @tactic: as in
 * gilk_tactic_name() */
double gilk_measured_ns (const GilkMeasured *self, const char *instrument, const char *tactic, guint instructions,
                         GilkPrice *price);
/**
 * gilk_measured_rate:
 * @function: (nullable): with @block (nullable) and @where the probe point; hooks without a block
 *   are looked up by @label
 *
 * Returns: hits per second while the hook was on; negative: unknown
 */
double gilk_measured_rate (const GilkMeasured *self, const char *label, const char *function, const char *block,
                           const char *where);

G_END_DECLS

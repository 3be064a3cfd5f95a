/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-measured.h - what the runs of a session measured that forecasts are made of: what hits cost, and how often they came
 *
 * A run measures the code of each kind of its hooks (core/run/gilk-run-cost.c) and counts their hits. Of several runs the
 * last word counts. Runs on another kernel or machine than the last one are left out: they tell of that.
 *
 * Threads: reading is for that of the store; what was read does not change, and is for any.
 */
#pragma once

#include "core/store/gilk-store.h"

G_BEGIN_DECLS

typedef struct _GilkMeasured GilkMeasured;

/* No run that ended: NULL, as if it could not be read, with GILK_ERROR_NOT_FOUND. */
GilkMeasured *gilk_measured_read  (GilkStore *store, GError **error);
GilkMeasured *gilk_measured_ref   (GilkMeasured *self);
void          gilk_measured_unref (GilkMeasured *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkMeasured, gilk_measured_unref)

/* Of the last run. Names are (transfer none), and "" where they were not kept. */
const char *gilk_measured_release  (const GilkMeasured *self);
const char *gilk_measured_build_id (const GilkMeasured *self);
const char *gilk_measured_hostname (const GilkMeasured *self);
gint64      gilk_measured_unix     (const GilkMeasured *self);      /* seconds */
guint       gilk_measured_n_costs  (const GilkMeasured *self);      /* kinds of hooks whose code was measured */

/* From where a price is. */
typedef enum {
  GILK_PRICE_ASSUMED,          /* nothing like it was measured */
  GILK_PRICE_DERIVED,          /* by its instructions, from what others took */
  GILK_PRICE_MEASURED,         /* the same code */
} GilkPrice;

/* Nanoseconds of a hit. @self is nullable: nothing was measured. @tactic: as gilk_tactic_name() has it */
double gilk_measured_ns (const GilkMeasured *self, const char *instrument, const char *tactic, guint instructions,
                         GilkPrice *price);
/**
 * gilk_measured_rate:
 * @function: (nullable): and @block (nullable), @where: the point; without a block hooks are known by their @label
 *
 * Returns: hits a second while the hook worked; negative: not known
 */
double gilk_measured_rate (const GilkMeasured *self, const char *label, const char *function, const char *block,
                           const char *where);

G_END_DECLS

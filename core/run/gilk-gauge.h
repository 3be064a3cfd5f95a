/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-gauge.h - sums up a numeric field of a hook's samples as they come in: distribution and
 * history
 *
 * The field "interval" is the time between consecutive hits on any CPU, in nanoseconds, 1 at least.
 * Samples arrive CPU by CPU, so times are held back for a moment until those of the other CPUs have
 * arrived; where samples are lost, the interval around them is too long.
 *
 * Threads: one at a time. Nothing fails.
 */
#pragma once

#include "core/base/gilk-clock.h"
#include "core/pack/gilk-sketch.h"
#include "core/run/gilk-value-history.h"
#include "ilk/ilk-abi.h"

G_BEGIN_DECLS

typedef struct _GilkGauge GilkGauge;

GilkGauge  *gilk_gauge_new  (const struct ilk_field *field);
void        gilk_gauge_free (GilkGauge *gauge);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkGauge, gilk_gauge_free)

/* (transfer none) */
const char *gilk_gauge_name (const GilkGauge *gauge);
/* Takes a sample. @bytes: of @payload that are there */
void        gilk_gauge_take (GilkGauge *gauge, const GilkClock *clock, uint64_t tsc, const void *payload, gsize bytes);

/* Return copies of the results so far. (transfer full) */
GilkSketch       *gilk_gauge_sketch  (GilkGauge *gauge);
GilkValueHistory *gilk_gauge_history (const GilkGauge *gauge);

G_END_DECLS

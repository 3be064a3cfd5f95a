/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-gauge.h - a number that samples of a hook have, summed up as they come in: how it is spread, and how it went
 *
 * The field "interval" is the time from one hit to the next, on whatever processor, in nanoseconds, 1 at least. Samples come by
 * processor, so its times wait a moment until those of the others are there; where samples are lost, the interval around
 * them is too long.
 *
 * Threads: one at a time. Nothing fails.
 */
#pragma once

#include "core/base/gilk-clock.h"
#include "core/run/gilk-value-history.h"
#include "core/store/gilk-sketch.h"
#include "ilk/ilk-abi.h"

G_BEGIN_DECLS

typedef struct _GilkGauge GilkGauge;

GilkGauge  *gilk_gauge_new  (const struct ilk_field *field);
void        gilk_gauge_free (GilkGauge *gauge);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkGauge, gilk_gauge_free)

/* (transfer none) */
const char *gilk_gauge_name (const GilkGauge *gauge);
/* A sample: @bytes of its payload are there. */
void        gilk_gauge_take (GilkGauge *gauge, const GilkClock *clock, uint64_t tsc, const void *payload, gsize bytes);

/* Copies of all that came. (transfer full) */
GilkSketch       *gilk_gauge_sketch  (GilkGauge *gauge);
GilkValueHistory *gilk_gauge_history (const GilkGauge *gauge);

G_END_DECLS

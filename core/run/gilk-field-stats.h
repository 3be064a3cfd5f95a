/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-field-stats.h - sums up a numeric field of a hook's samples as they come in: distribution and
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

typedef struct _GilkFieldStats GilkFieldStats;

GilkFieldStats *gilk_field_stats_new  (const struct ilk_field *field);
void            gilk_field_stats_free (GilkFieldStats *stats);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkFieldStats, gilk_field_stats_free)

/* (transfer none) */
const char *gilk_field_stats_name (const GilkFieldStats *stats);
/* Takes a sample. @bytes: of @payload that are there */
void        gilk_field_stats_add  (GilkFieldStats *stats, const GilkClock *clock, uint64_t tsc, const void *payload, gsize bytes);

/* Return copies of the results so far. (transfer full) */
GilkSketch       *gilk_field_stats_sketch  (GilkFieldStats *stats);
GilkValueHistory *gilk_field_stats_history (const GilkFieldStats *stats);

G_END_DECLS

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-field-stats.h - updates statistics of a numeric field of a hook's samples as they arrive:
 * distribution and history, in little memory
 *
 * The field "interval" is the time between consecutive hits on any CPU, in nanoseconds, at least 1.
 * Samples arrive CPU by CPU, so timestamps are held back until samples of the other CPUs have
 * arrived. If samples are lost, the interval around them is too long.
 *
 * Threads: one at a time. No function fails.
 */
#pragma once

#include "core/base/gilk-clock.h"
#include "core/pack/gilk-sketch.h"
#include "ilk/ilk-abi.h"

G_BEGIN_DECLS

/*
 * History of values: time from 0 on is divided into at most GILK_VALUES_SLICES slices of equal
 * length; when all are in use, pairs of slices are merged. In a slice, values are counted in rows
 * of a sixteenth of an octave, so that the error of quantiles is at most 3 %; minimum and maximum
 * are exact.
 */
#define GILK_VALUES_SLICES 120

typedef struct _GilkValueHistory GilkValueHistory;

GilkValueHistory *gilk_value_history_new  (void);
void              gilk_value_history_free (GilkValueHistory *history);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkValueHistory, gilk_value_history_free)
/* Copies the history. (transfer full) */
GilkValueHistory *gilk_value_history_copy (const GilkValueHistory *history);

/* Adds a value. @value: an integer; magnitudes below 1 count as 0; @seconds: time of the value.
 * Values may be added in any order of time */
void     gilk_value_history_add      (GilkValueHistory *history, double seconds, double value);
/* Returns the number of slices in use. */
guint    gilk_value_history_n        (const GilkValueHistory *history);
/* Returns the length of a slice, in seconds. */
double   gilk_value_history_length   (const GilkValueHistory *history);
uint64_t gilk_value_history_count    (const GilkValueHistory *history, guint slice);
/* Returns the quantile @p of a slice's values (0: minimum, 1: maximum); NaN: the slice is empty */
double   gilk_value_history_quantile (const GilkValueHistory *history, guint slice, double p);

/* ---- a field ---- */

typedef struct _GilkFieldStats GilkFieldStats;

GilkFieldStats *gilk_field_stats_new  (const struct ilk_field *field);
void            gilk_field_stats_free (GilkFieldStats *stats);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkFieldStats, gilk_field_stats_free)

/* Returns the field's name. (transfer none) */
const char *gilk_field_stats_name (const GilkFieldStats *stats);
/* Adds a sample. @bytes: size of @payload */
void        gilk_field_stats_add  (GilkFieldStats *stats, const GilkClock *clock, uint64_t tsc, const void *payload, gsize bytes);

/* Return copies of the distribution and the history of the values so far. (transfer full) */
GilkSketch       *gilk_field_stats_sketch  (GilkFieldStats *stats);
GilkValueHistory *gilk_field_stats_history (const GilkFieldStats *stats);

G_END_DECLS

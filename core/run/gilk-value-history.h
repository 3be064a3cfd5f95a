/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-value-history.h - how values went over time, in little memory
 *
 * Time is cut into at most GILK_VALUES_SLICES slices of equal length from 0 on; when they are full, each two become one. In
 * a slice values are counted in rows of a sixteenth of an octave, so that quantiles are 3 % off at most; the least and the
 * greatest are exact.
 *
 * Threads: one at a time. Nothing fails.
 */
#pragma once

#include <glib.h>
#include <stdint.h>

G_BEGIN_DECLS

#define GILK_VALUES_SLICES 120

typedef struct _GilkValueHistory GilkValueHistory;

GilkValueHistory *gilk_value_history_new  (void);
void              gilk_value_history_free (GilkValueHistory *history);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkValueHistory, gilk_value_history_free)
/* (transfer full) */
GilkValueHistory *gilk_value_history_copy (const GilkValueHistory *history);

/* @value: whole; those whose size is below 1 count as 0. In any order of times. */
void     gilk_value_history_add      (GilkValueHistory *history, double seconds, double value);
guint    gilk_value_history_n        (const GilkValueHistory *history);        /* slices, up to the last with a value */
double   gilk_value_history_length   (const GilkValueHistory *history);        /* of one, seconds */
uint64_t gilk_value_history_count    (const GilkValueHistory *history, guint slice);
/* The value that a share @p of those of a slice are below, 0: the least, 1: the greatest; NaN: it has none */
double   gilk_value_history_quantile (const GilkValueHistory *history, guint slice, double p);

G_END_DECLS

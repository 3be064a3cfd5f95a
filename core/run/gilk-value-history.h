/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-value-history.h - history of a field's values in little memory
 *
 * Time is divided into at most GILK_VALUES_SLICES slices of equal length from 0 on; when they are
 * full, each two are merged. In a slice, values are counted in rows of a sixteenth of an octave, so
 * that quantiles are off by 3 % at most; minimum and maximum are exact.
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

/* @value: an integer; those with a magnitude below 1 count as 0. @seconds may come in any order */
void     gilk_value_history_add      (GilkValueHistory *history, double seconds, double value);
guint    gilk_value_history_n        (const GilkValueHistory *history);        /* slices in use */
double   gilk_value_history_length   (const GilkValueHistory *history);        /* of a slice, in seconds */
uint64_t gilk_value_history_count    (const GilkValueHistory *history, guint slice);
/* Returns the quantile @p of a slice's values, 0 for the minimum, 1 for the maximum; NaN: none */
double   gilk_value_history_quantile (const GilkValueHistory *history, guint slice, double p);

G_END_DECLS

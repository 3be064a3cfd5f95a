/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-hook-columns.h - a hook's samples reduced to columns of pixels
 *
 * The cost depends on the number of columns: where thousands of samples fall within two columns,
 * their tile is read instead of the samples.
 *
 * Threads: that of the store.
 */
#pragma once

#include "core/store/gilk-store.h"

G_BEGIN_DECLS

/* Extrema, last value and number of the column's values; n is 0 if it has none. */
typedef struct { double min, max, last; guint n; } GilkColumn;

/**
 * gilk_hook_columns:
 * @field: a numeric field, or "time"
 * @from, @to: seconds since time zero
 * @columns: array of @n_columns. A tile on the border of two columns adds its extrema to both, and
 *   its count to one; the last value of a column made of tiles alone is the middle of the last
 *   tile's range.
 */
gboolean gilk_hook_columns (GilkStore *store, const GilkStoredHook *hook, const char *field,
                            double from, double to, GilkColumn *columns, guint n_columns,
                            GError **error);

G_END_DECLS

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-hook-columns.h - a hook's samples as so many columns of pixels
 *
 * The cost is that of what is seen: where some thousand samples lie within two columns, their tile
 * is read and not they.
 *
 * Threads: that of the store.
 */
#pragma once

#include "core/store/gilk-store.h"

G_BEGIN_DECLS

/* Of all values in it; empty: n is 0. */
typedef struct { double min, max, last; guint n; } GilkColumn;

/**
 * gilk_hook_columns:
 * @field: of numbers, or "time"
 * @from, @to: seconds since time zero
 * @columns: room for @n_columns; the least and greatest of a tile on the border of two columns are in both, its number in one, and the last value of a column of
 *   tiles alone is the middle of the last tile's
 */
gboolean gilk_hook_columns (GilkStore *store, const GilkStoredHook *hook, const char *field,
                            double from, double to, GilkColumn *columns, guint n_columns,
                            GError **error);

G_END_DECLS

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-rows-table.h - the first samples of a hook that meet some conditions, as text by row and column
 *
 * The same columns and texts as gilk export has (gilk-rows.h).
 *
 * Threads: that of the store; the table is then whoever's it is given to.
 */
#pragma once

#include "core/store/gilk-rows.h"

G_BEGIN_DECLS

typedef struct {
  GStrv      columns;
  GPtrArray *rows;              /* GStrv, as long as @columns */
  gboolean   more;              /* there are others behind them */
} GilkRowsTable;

/* @choice: of which samples. @most: rows. (transfer full) */
GilkRowsTable *gilk_rows_table_read (GilkStore *store, const GilkRowsChoice *choice, guint most, GError **error);
void             gilk_rows_table_free (GilkRowsTable *table);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkRowsTable, gilk_rows_table_free)

G_END_DECLS

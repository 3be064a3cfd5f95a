/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-rows-table.h - the first samples that meet some conditions, as a table of texts
 *
 * Columns and texts are those of gilk export (gilk-rows.h).
 *
 * Threads: only the store's; the result belongs to the caller.
 */
#pragma once

#include "core/samples/gilk-rows.h"

G_BEGIN_DECLS

typedef struct {
  GStrv      columns;
  GPtrArray *rows;              /* GStrv: one row, as many texts as @columns */
  gboolean   more;              /* there are more samples than the table has */
} GilkRowsTable;

/* Reads the table. @choice: selects samples; @most: maximum number of rows. (transfer full) */
GilkRowsTable *gilk_rows_table_read (GilkStore *store, const GilkRowsChoice *choice, guint most, GError **error);
void             gilk_rows_table_free (GilkRowsTable *table);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkRowsTable, gilk_rows_table_free)

G_END_DECLS

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-query.h - SQL on a session, by whoever reads it
 *
 * One statement that changes nothing: on the session's tables and views, and on its samples as
 * tables (gilk-samples-sql.h). The file is trusted as little as ever; how long a statement
 * takes is up to who asks.
 *
 * Threads: one at a time.
 */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

typedef struct _GilkQuery GilkQuery;

typedef enum { GILK_CELL_NULL, GILK_CELL_INTEGER, GILK_CELL_REAL, GILK_CELL_TEXT } GilkCellKind;

GilkQuery  *gilk_query_new   (const char *path, const char *sql, GCancellable *cancellable,
                              GError **error);
void        gilk_query_free  (GilkQuery *query);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkQuery, gilk_query_free)

guint       gilk_query_columns (GilkQuery *query);
const char *gilk_query_name    (GilkQuery *query, guint column);

/* TRUE with a row; FALSE at the end, or with @error. */
gboolean     gilk_query_next (GilkQuery *query, GError **error);
/* Of the row it stands at: what a cell is, and as text, blobs as x'..'. (transfer full) */
GilkCellKind gilk_query_kind (GilkQuery *query, guint column);
char        *gilk_query_text (GilkQuery *query, guint column);

G_END_DECLS

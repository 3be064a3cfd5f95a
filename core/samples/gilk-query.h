/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-query.h - runs a user's SQL statement on a session, and makes the session's samples
 * available to SQL
 *
 * Runs one read-only statement on the session's tables and views, and on its samples in the form of
 * tables. The file is untrusted. The running time of a statement is not limited, but a statement
 * can be cancelled.
 *
 * Threads: one thread at a time.
 */
#pragma once

#include <glib.h>
#include <sqlite3.h>

#include "core/base/gilk-cancellable.h"

G_BEGIN_DECLS

typedef struct _GilkQuery GilkQuery;

typedef enum { GILK_CELL_NULL, GILK_CELL_INTEGER, GILK_CELL_REAL, GILK_CELL_TEXT } GilkCellKind;

GilkQuery  *gilk_query_new   (const char *path, const char *sql, GCancellable *cancellable,
                              GError **error);
void        gilk_query_free  (GilkQuery *query);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkQuery, gilk_query_free)

guint       gilk_query_columns (GilkQuery *query);
const char *gilk_query_name    (GilkQuery *query, guint column);

/* Steps to the next row. Returns FALSE at the end, or with @error. */
gboolean     gilk_query_next (GilkQuery *query, GError **error);
/* gilk_query_kind() returns the kind of a cell of the current row, gilk_query_text() the cell as
 * text; a blob has the text x'..'. (transfer full) */
GilkCellKind gilk_query_kind (GilkQuery *query, guint column);
char        *gilk_query_text (GilkQuery *query, guint column);

/*
 * Makes the samples of a session available to SQL, as tables.
 *
 * Provides a virtual table for each instrument that took samples in any run:
 *
 *   samples_<instrument> (run, hook, function, block, place, cpu, t, t_ns, <fields>)
 *
 * The tables use GilkSamples, which gets a query's constraints on run, hook, cpu, t and t_ns, and
 * the columns that the query uses. So only the chunks and columns needed are read.
 *
 * Threads: only the database connection's thread.
 */

/**
 * gilk_samples_make_tables:
 * @db: any connection; the tables are temporary tables of that connection
 * @path: path of the session
 * @cancellable: (nullable): interrupts queries
 */
gboolean gilk_samples_make_tables (sqlite3 *db, const char *path, GCancellable *cancellable,
                                   GError **error);

G_END_DECLS

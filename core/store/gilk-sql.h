/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-sql.h - runs SQL statements on a session, and reads rows of a file that is not trusted
 *
 * In a string of parameter types, i is a gint64, d a double, s a text or NULL, b a pointer and an
 * int (its size).
 *
 * Threads: only the store's thread. On failure outputs are untouched.
 */
#pragma once

#include <sqlite3.h>

#include "core/base/gilk-error.h"
#include "core/store/gilk-store.h"

sqlite3_stmt *gilk_sql_prepare   (GilkStore *store, GError **error, const char *sql, const char *types, ...);
gboolean      gilk_sql_run       (GilkStore *store, GError **error, const char *sql, const char *types, ...);
gboolean      gilk_sql_run_args  (GilkStore *store, GError **error, const char *sql, const char *types, va_list args);
/* Sets @out to the single value that the statement yields, or to @otherwise if it yields no row. */
gboolean      gilk_sql_value     (GilkStore *store, GError **error, gint64 *out, gint64 otherwise, const char *sql,
                                  const char *types, ...);

/* Prepares a statement at the first call, and stores it in *@kept for later calls. The caller
 * finalizes it. */
gboolean      gilk_sql_keep      (GilkStore *store, sqlite3_stmt **kept, GError **error, const char *sql);
/* Runs and resets statement @kept, which gilk_sql_keep() prepared, and whose parameters are
 * bound. */
gboolean      gilk_sql_finish    (GilkStore *store, sqlite3_stmt *kept, GError **error);
/* Does the work of gilk_sql_keep() and gilk_sql_finish(): prepares a statement at the first call,
 * stores it in *@kept, binds the parameters, and runs it. */
gboolean      gilk_sql_run_often (GilkStore *store, sqlite3_stmt **kept, GError **error, const char *sql,
                                  const char *types, ...);

/* Steps to the next row. Returns FALSE at the end, on failure, or if @error (not NULL) is already
 * set. So a statement that could not be prepared (@stmt is NULL then) yields no row, and an error
 * within a loop ends the loop. Stepping again after the end restarts the statement. */
gboolean      gilk_sql_next      (GilkStore *store, sqlite3_stmt *stmt, GError **error);
/**
 * gilk_sql_row:
 * @kinds: one letter per column, for the value that the column must hold and the type of its
 *   argument: i integer, gint64 *; n non-negative integer, uint64_t *; N like n, but NULL yields 0;
 *   a any 64-bit integer, uint64_t *; u 32-bit integer, guint *; f boolean, gboolean *; s one line
 *   of text, char ** (transfer full); S like s, or NULL; t text or NULL
 * Reads the columns of a row. Returns FALSE with @error if the file is damaged.
 */
gboolean      gilk_sql_row       (GilkStore *store, sqlite3_stmt *stmt, GError **error, const char *kinds, ...);
/* Returns a text cell as valid UTF-8, whatever bytes it holds. (transfer full) */
char         *gilk_sql_text      (sqlite3_stmt *stmt, int column);

/* Sets @error to SQLite's last error, and returns FALSE. */
gboolean      gilk_sql_fail            (GilkStore *store, GError **error);
/* Returns FALSE and sets @error if the store's cancellable is cancelled. */
gboolean      gilk_sql_check_cancelled (GilkStore *store, GError **error);

/* Returns @name changed to a valid name of a table, view or column. (transfer full) */
char         *gilk_sql_plain_name (const char *name);
/* Returns the id of the row inserted last. */
gint64        gilk_sql_last_id    (GilkStore *store);
/* Returns the connection, for SQLite's own functions. (transfer none) */
sqlite3      *gilk_sql_db         (GilkStore *store);

static inline void
gilk_sql_finalize (sqlite3_stmt **stmt)
{
  sqlite3_finalize (*stmt);
}

#define GILK_AUTO_STMT __attribute__ ((cleanup (gilk_sql_finalize))) sqlite3_stmt *

/* SQL condition that is true if a hook's number of hits is known: its instrument counts or samples
 * hits, or some hits were counted. The condition uses tables h (hooks) and c (counts), grouped by
 * hook; the view of hooks in data/schema.sql repeats it. The inline instruments are spelled out
 * because a schema is text; tests/unit/test-store-names.c compares both copies with the table in
 * core/emit/gilk-inline.c. */
#define GILK_HITS_KNOWN \
  "coalesce (sum (c.hits), 0) > 0 OR h.instrument IN ('count', 'stamp', 'span') OR NOT EXISTS " \
  "(SELECT 1 FROM instrument i WHERE i.run = h.run AND i.name = h.instrument " \
  "AND i.sample_bytes = 0)"

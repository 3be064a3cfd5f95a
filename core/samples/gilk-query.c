/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-query.c - runs a user's statement on a session opened for reading
 */
#include "core/samples/gilk-query.h"

#include <gio/gio.h>
#include <glib/gi18n.h>
#include <string.h>

#include "core/store/gilk-store-private.h"

struct _GilkQuery {
  GilkStore    *store;
  sqlite3_stmt *stmt;
  gboolean      ended;            /* all rows were read; one more sqlite3_step() would restart the
                                   * statement */
};

/* Allows a statement only to read, without side effects and without opening other files. This is an
 * authorizer callback of SQLite. */
static int
authorize_action (gpointer data, int action, const char *first, const char *second, const char *database,
                  const char *inner)
{
  static const char *const pragmas[] = { "table_info", "table_xinfo", "table_list", "index_list",
                                         "user_version", "application_id", NULL };

  switch (action)
    {
    case SQLITE_SELECT:
    case SQLITE_READ:
    case SQLITE_RECURSIVE:
      return SQLITE_OK;
    case SQLITE_FUNCTION:
      return strcmp (second, "load_extension") == 0 ? SQLITE_DENY : SQLITE_OK;
    case SQLITE_PRAGMA:
      return g_strv_contains (pragmas, first) ? SQLITE_OK : SQLITE_DENY;
    default:
      return SQLITE_DENY;
    }
}

static int
on_progress (gpointer data)
{
  return g_cancellable_is_cancelled (data);
}

static gboolean
open_tables (GilkQuery *query, const char *path, GCancellable *cancellable, GError **error)
{
  GilkStore *store = query->store;

  sqlite3_set_authorizer (store->db, NULL, NULL);
  sqlite3_db_config (store->db, SQLITE_DBCONFIG_ENABLE_VIEW, 1, NULL);
  if (sqlite3_exec (store->db, "PRAGMA query_only = 0; PRAGMA temp_store = MEMORY", NULL, NULL, NULL)
      != SQLITE_OK)
    return gilk_sql_fail (store, error);
  if (!gilk_samples_make_tables (store->db, path, cancellable, error))
    return FALSE;
  if (sqlite3_exec (store->db, "PRAGMA query_only = 1", NULL, NULL, NULL) != SQLITE_OK)
    return gilk_sql_fail (store, error);
  gilk_sql_trust (store);
  sqlite3_progress_handler (store->db, 1000, cancellable != NULL ? on_progress : NULL, cancellable);
  sqlite3_set_authorizer (store->db, authorize_action, NULL);

  return TRUE;
}

/* Sets @error to SQLite's message and a remedy. Returns FALSE. */
static gboolean
set_sql_error (GilkQuery *query, GError **error)
{
  int code = sqlite3_errcode (query->store->db) & 0xff;
  g_autofree char *says = g_utf8_make_valid (sqlite3_errmsg (query->store->db), -1);

  if (code == SQLITE_AUTH)
    g_set_error (error, GILK_ERROR, GILK_ERROR_USAGE,
                 _("The statement would do more than read (%s). Sessions are opened read-only here; use SELECT."), says);
  else if (code == SQLITE_ERROR || code == SQLITE_MISMATCH || code == SQLITE_RANGE)
    g_set_error (error, GILK_ERROR, GILK_ERROR_USAGE,
                 _("SQL: %s. gilk schema shows the tables; samples are in samples_<instrument>."), says);
  else
    gilk_sql_fail (query->store, error);

  return FALSE;
}

static gboolean
prepare_statement (GilkQuery *query, const char *sql, GError **error)
{
  const char *rest = NULL;

  if (sqlite3_prepare_v2 (query->store->db, sql, -1, &query->stmt, &rest) != SQLITE_OK)
    return set_sql_error (query, error);
  if (query->stmt == NULL || rest[strspn (rest, " \t\n;")] != '\0')
    return gilk_fail (error, GILK_ERROR_USAGE, query->stmt == NULL
                      ? _("No statement given. Give one, such as 'SELECT * FROM hooks'.")
                      : _("More than one statement given. Give one at a time."));

  return TRUE;
}

GilkQuery *
gilk_query_new (const char   *path,
                const char   *sql,
                GCancellable *cancellable,
                GError      **error)
{
  g_autoptr(GilkQuery) query = g_new0 (GilkQuery, 1);

  query->store = gilk_store_open_read (path, cancellable, error);
  if (query->store == NULL || !open_tables (query, path, cancellable, error) ||
      !prepare_statement (query, sql, error))
    return NULL;

  return g_steal_pointer (&query);
}

void
gilk_query_free (GilkQuery *query)
{
  if (query == NULL)
    return;
  sqlite3_finalize (query->stmt);
  gilk_store_free (query->store);
  g_free (query);
}

guint
gilk_query_columns (GilkQuery *query)
{
  return (guint) sqlite3_column_count (query->stmt);
}

const char *
gilk_query_name (GilkQuery *query,
                 guint      column)
{
  return sqlite3_column_name (query->stmt, (int) column);
}

gboolean
gilk_query_next (GilkQuery *query,
                 GError   **error)
{
  int result;

  if (query->ended)
    return FALSE;
  result = sqlite3_step (query->stmt);
  query->ended = result != SQLITE_ROW;

  return result == SQLITE_ROW || (result != SQLITE_DONE && set_sql_error (query, error));
}

GilkCellKind
gilk_query_kind (GilkQuery *query,
                 guint      column)
{
  switch (sqlite3_column_type (query->stmt, (int) column))
    {
    case SQLITE_NULL:
      return GILK_CELL_NULL;
    case SQLITE_INTEGER:
      return GILK_CELL_INTEGER;
    case SQLITE_FLOAT:
      return GILK_CELL_REAL;
    default:
      return GILK_CELL_TEXT;
    }
}

char *
gilk_query_text (GilkQuery *query,
                 guint      column)
{
  const uint8_t *bytes;
  GString *text;
  int n;

  if (sqlite3_column_type (query->stmt, (int) column) != SQLITE_BLOB)
    return gilk_sql_text (query->stmt, (int) column);
  bytes = sqlite3_column_blob (query->stmt, (int) column);
  n = sqlite3_column_bytes (query->stmt, (int) column);
  text = g_string_new ("x'");
  for (int i = 0; i < n; i++)
    g_string_append_printf (text, "%02x", bytes[i]);
  g_string_append_c (text, '\'');

  return g_string_free (text, FALSE);
}

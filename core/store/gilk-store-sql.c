/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-store-sql.c - helpers for SQL statements, and messages for SQLite's errors
 */
#include "core/store/gilk-store-private.h"

#include <errno.h>
#include <glib/gi18n.h>
#include <string.h>

/* Returns the errno of a failure. After a failed commit sqlite3_system_errno() is 0, but the WAL
 * file has it. */
static int
get_system_errno (GilkStore *store)
{
  int os = sqlite3_system_errno (store->db);
  sqlite3_file *log = NULL;

  if (os == 0 && sqlite3_file_control (store->db, "main", SQLITE_FCNTL_JOURNAL_POINTER, &log) == SQLITE_OK &&
      log != NULL && log->pMethods != NULL)
    log->pMethods->xFileControl (log, SQLITE_FCNTL_LAST_ERRNO, &os);

  return os;
}

static gboolean
is_full (GilkStore *store)
{
  int code = sqlite3_extended_errcode (store->db);
  int os = (code & 0xff) == SQLITE_IOERR ? get_system_errno (store) : 0;

  if ((code & 0xff) == SQLITE_FULL)
    return TRUE;

  return (code & 0xff) == SQLITE_IOERR && (os == ENOSPC || os == EDQUOT || os == EFBIG);
}

gboolean
gilk_sql_fail (GilkStore *store,
               GError   **error)
{
  int code = sqlite3_errcode (store->db) & 0xff;
  g_autofree char *says = g_utf8_make_valid (sqlite3_errmsg (store->db), -1);  /* quotes the file */

  if (code == SQLITE_INTERRUPT)
    gilk_guard_interrupted (store, error);
  else if (is_full (store))
    {
      gilk_store_release_reserve (store);
      g_set_error (error, GILK_ERROR, GILK_ERROR_STORE,
                   _("The disk is full: %s cannot grow. It keeps everything recorded until then. Free some space, or "
                     "record to another disk."), store->path);
    }
  else if (code == SQLITE_BUSY || code == SQLITE_LOCKED)
    g_set_error (error, GILK_ERROR, GILK_ERROR_STORE,
                 _("%s is in use by another program. Close it there and try again."), store->path);
  else if (code == SQLITE_CORRUPT || code == SQLITE_NOTADB)
    g_set_error (error, GILK_ERROR, GILK_ERROR_FORMAT,
                 _("%s is damaged (%s). Use a backup; sqlite3's .recover may save part of it."),
                 store->path, says);
  else if (store->reading && sqlite3_extended_errcode (store->db) == SQLITE_READONLY_ROLLBACK)
    g_set_error (error, GILK_ERROR, GILK_ERROR_FORMAT,
                 _("Writing to %s was interrupted, and %s-journal holds the rest. Record to it once, in a folder that "
                   "you may write to."), store->path,
                 store->path);
  else if (store->reading && (code == SQLITE_ERROR || code == SQLITE_AUTH || code == SQLITE_TOOBIG ||
                              code == SQLITE_MISMATCH))
    g_set_error (error, GILK_ERROR, GILK_ERROR_FORMAT,
                 _("%s is not a Gilk session, or damaged (%s). Use a backup, or name another file."),
                 store->path, says);
  else if (code == SQLITE_READONLY || code == SQLITE_PERM || code == SQLITE_AUTH)
    g_set_error (error, GILK_ERROR, GILK_ERROR_PERMISSION,
                 _("%s cannot be written. Change its permissions, or record to another file."),
                 store->path);
  else if (code == SQLITE_CANTOPEN)
    g_set_error (error, GILK_ERROR, GILK_ERROR_STORE,
                 _("%s cannot be opened, or a file cannot be created beside it. Check the permissions of its folder."),
                 store->path);
  else
    g_set_error (error, GILK_ERROR, GILK_ERROR_STORE,
                 _("%s cannot be used: %s. Check the disk, or record to another file."),
                 store->path, says);

  return FALSE;
}

/* Returns FALSE if out of memory for a value; the statement must not run with NULL in its place. */
static gboolean
bind_values (sqlite3_stmt *stmt, const char *types, va_list args)
{
  int result = SQLITE_OK;

  for (int i = 1; result == SQLITE_OK && *types != '\0'; i++, types++)
    switch (*types)
      {
      case 'i':
        result = sqlite3_bind_int64 (stmt, i, va_arg (args, gint64));
        break;
      case 'd':
        result = sqlite3_bind_double (stmt, i, va_arg (args, double));
        break;
      case 's':
        result = sqlite3_bind_text (stmt, i, va_arg (args, const char *), -1, SQLITE_TRANSIENT);
        break;
      case 'b':
        {
          const void *data = va_arg (args, const void *);

          result = sqlite3_bind_blob (stmt, i, data, va_arg (args, int), SQLITE_TRANSIENT);
          break;
        }
      default:
        g_assert_not_reached ();
      }

  return result == SQLITE_OK;
}

static sqlite3_stmt *
prepare_statement (GilkStore *store, GError **error, const char *sql)
{
  sqlite3_stmt *stmt = NULL;

  gilk_guard_new_statement (store);
  if (sqlite3_prepare_v2 (store->db, sql, -1, &stmt, NULL) != SQLITE_OK)
    gilk_sql_fail (store, error);

  return stmt;
}

sqlite3_stmt *
gilk_sql_prepare (GilkStore  *store,
                  GError    **error,
                  const char *sql,
                  const char *types,
                  ...)
{
  sqlite3_stmt *stmt = prepare_statement (store, error, sql);
  va_list args;

  va_start (args, types);
  if (stmt != NULL && !bind_values (stmt, types, args))
    {
      gilk_sql_fail (store, error);
      g_clear_pointer (&stmt, sqlite3_finalize);
    }
  va_end (args);

  return stmt;
}

gboolean
gilk_sql_next (GilkStore    *store,
               sqlite3_stmt *stmt,
               GError      **error)
{
  int result;

  if (*error != NULL)
    return FALSE;
  result = sqlite3_step (stmt);
  if (result == SQLITE_DONE)
    return FALSE;
  if (result != SQLITE_ROW)
    return gilk_sql_fail (store, error);

  return ++store->rows_read <= store->rows_max || gilk_sql_refuse_excess (store, error);
}

gboolean
gilk_sql_check_end (GError **local,
                    GError **error)
{
  if (*local == NULL)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (local));

  return FALSE;
}

static gboolean
run_to_end (GilkStore *store, sqlite3_stmt *stmt, GError **error)
{
  int result;

  while ((result = sqlite3_step (stmt)) == SQLITE_ROW)
    ;

  return result == SQLITE_DONE || gilk_sql_fail (store, error);
}

gboolean
gilk_sql_run (GilkStore  *store,
              GError    **error,
              const char *sql,
              const char *types,
              ...)
{
  GILK_AUTO_STMT stmt = prepare_statement (store, error, sql);
  gboolean bound;
  va_list args;

  if (stmt == NULL)
    return FALSE;
  va_start (args, types);
  bound = bind_values (stmt, types, args);
  va_end (args);

  return bound ? run_to_end (store, stmt, error) : gilk_sql_fail (store, error);
}

gboolean
gilk_sql_run_often (GilkStore     *store,
                    sqlite3_stmt **kept,
                    GError       **error,
                    const char    *sql,
                    const char    *types,
                    ...)
{
  gboolean good;
  va_list args;

  if (*kept == NULL)
    *kept = prepare_statement (store, error, sql);
  if (*kept == NULL)
    return FALSE;
  va_start (args, types);
  good = bind_values (*kept, types, args);
  va_end (args);
  good = good ? run_to_end (store, *kept, error) : gilk_sql_fail (store, error);
  sqlite3_reset (*kept);

  return good;
}

gboolean
gilk_sql_value (GilkStore  *store,
                GError    **error,
                gint64     *out,
                gint64      otherwise,
                const char *sql,
                const char *types,
                ...)
{
  GILK_AUTO_STMT stmt = prepare_statement (store, error, sql);
  gboolean bound;
  va_list args;
  int result;

  if (stmt == NULL)
    return FALSE;
  va_start (args, types);
  bound = bind_values (stmt, types, args);
  va_end (args);

  result = bound ? sqlite3_step (stmt) : SQLITE_NOMEM;
  if (result != SQLITE_ROW && result != SQLITE_DONE)
    return gilk_sql_fail (store, error);
  *out = result == SQLITE_ROW && sqlite3_column_type (stmt, 0) != SQLITE_NULL
         ? sqlite3_column_int64 (stmt, 0) : otherwise;

  return TRUE;
}

char *
gilk_sql_text (sqlite3_stmt *stmt,
               int           column)
{
  const char *text = (const char *) sqlite3_column_text (stmt, column);

  return text != NULL ? g_utf8_make_valid (text, (gssize) strlen (text)) : g_strdup ("");
}

char *
gilk_sql_quote (const char *identifier)
{
  g_auto(GStrv) parts = g_strsplit (identifier, "\"", -1);
  g_autofree char *doubled = g_strjoinv ("\"\"", parts);

  return g_strconcat ("\"", doubled, "\"", NULL);
}

char *
gilk_store_plain_name (const char *name)
{
  char *clean = g_ascii_strdown (name, -1);

  g_strcanon (clean, "abcdefghijklmnopqrstuvwxyz0123456789_", '_');
  if (*clean == '\0' || g_ascii_isdigit (*clean))
    {
      char *prefixed = g_strconcat ("f_", clean, NULL);

      g_free (clean);
      return prefixed;
    }

  return clean;
}

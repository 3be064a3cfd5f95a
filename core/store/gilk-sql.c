/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-sql.c - runs SQL statements on a session, checks rows of an untrusted file, and turns
 * SQLite's errors into messages
 *
 * The caller states what each column of a row must hold, and gets a value of that kind or an error:
 * an integer in its range; a text that is valid UTF-8 without NUL and, if it is a name, a single
 * line. Other code may trust these values. The amount of data is limited by the size of the file,
 * so that a few pages that refer to each other cannot yield billions of rows.
 */
#include "core/store/gilk-sql.h"

#include <errno.h>
#include <gio/gio.h>
#include <glib/gi18n.h>
#include <string.h>

#include "core/store/gilk-store-private.h"

/* Size in bytes of the smallest row that SQLite can store: a two-byte cell pointer, payload size,
 * rowid, header size and one type. */
#define ROW_BYTES_MIN   6
#define OPS_AT_ONCE     1000     /* number of SQLite bytecode instructions between checks of the
                                  * cancellable */
#define ROWS_FREE       1000
#define OPS_FREE        1000000
#define OPS_PER_ROW     256      /* maximum number of SQLite bytecode instructions per row; a row
                                  * with all fields takes fewer */
#define BYTES_FREE      (1 << 20)

/* ---- limits the work of a statement ---- */

static int
on_progress (gpointer data)
{
  GilkStore *store = data;

  store->ops += OPS_AT_ONCE;

  return g_cancellable_is_cancelled (store->cancellable) || store->ops > store->ops_max;
}

void
gilk_sql_limit (GilkStore *store)
{
  uint64_t bytes = gilk_store_bytes (store);

  store->rows_max = bytes / ROW_BYTES_MIN + ROWS_FREE;
  store->bytes_max = 8 * bytes + BYTES_FREE;
  store->ops_max = OPS_FREE + store->rows_max * OPS_PER_ROW;
  sqlite3_progress_handler (store->db, OPS_AT_ONCE, on_progress, store);
}

void
gilk_sql_trust (GilkStore *store)
{
  sqlite3_progress_handler (store->db, 0, NULL, NULL);
  store->ops_max = store->rows_max = store->bytes_max = G_MAXUINT64;
}

static void
start_limits (GilkStore *store)
{
  store->ops = store->rows_read = store->bytes_read = 0;
}

/* Sets @error: the file claims to hold more data than its size allows. Always returns FALSE. */
static gboolean
refuse_excess (GilkStore *store, GError **error)
{
  return gilk_fail (error, GILK_ERROR_FORMAT,
      _("%s is damaged: it seems to hold more than a file of its size can. Use a backup."),
      store->path);
}

/* Sets @error to the reason why a statement was interrupted. Always returns FALSE. */
static gboolean
explain_interruption (GilkStore *store, GError **error)
{
  if (store->ops > store->ops_max)
    return refuse_excess (store, error);
  return gilk_fail (error, GILK_ERROR_CANCELLED, _("Reading %s was cancelled."), store->path);
}

/* ---- errors ---- */

/* Returns the errno of SQLite's last failure. After a failed commit sqlite3_system_errno() is 0,
 * but the file object of the write-ahead log (WAL) has the errno. */
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
  /* SQLite's message may quote bytes of the file that are not valid UTF-8. */
  g_autofree char *says = g_utf8_make_valid (sqlite3_errmsg (store->db), -1);

  if (code == SQLITE_INTERRUPT)
    explain_interruption (store, error);
  else if (is_full (store))
    {
      gilk_store_release_reserve (store);
      g_set_error (error, GILK_ERROR, GILK_ERROR_STORE,
                   _("The disk is full: %s cannot grow. Everything recorded until then is kept. "
                     "Free some space, or record to another disk."), store->path);
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
                 _("Writing to %s was interrupted, and %s-journal is needed to repair it. Make "
                   "sure that you may write to their folder, then record one run into the "
                   "session: that repairs it."), store->path,
                 store->path);
  else if (store->reading && (code == SQLITE_ERROR || code == SQLITE_AUTH || code == SQLITE_TOOBIG ||
                              code == SQLITE_MISMATCH))
    g_set_error (error, GILK_ERROR, GILK_ERROR_FORMAT,
                 _("%s is not a Gilk session, or is damaged (%s). Use a backup, or name another "
                   "file."),
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

/* ---- statements ---- */

/* Binds the statement's parameters. Returns FALSE if memory for a value runs out: SQLite would bind
 * NULL in its place. */
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

  start_limits (store);
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

  return ++store->rows_read <= store->rows_max || refuse_excess (store, error);
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
gilk_sql_run_args (GilkStore  *store,
                   GError    **error,
                   const char *sql,
                   const char *types,
                   va_list     args)
{
  GILK_AUTO_STMT stmt = prepare_statement (store, error, sql);

  if (stmt == NULL)
    return FALSE;

  return bind_values (stmt, types, args) ? run_to_end (store, stmt, error) : gilk_sql_fail (store, error);
}

gboolean
gilk_sql_run (GilkStore  *store,
              GError    **error,
              const char *sql,
              const char *types,
              ...)
{
  gboolean good;
  va_list args;

  va_start (args, types);
  good = gilk_sql_run_args (store, error, sql, types, args);
  va_end (args);

  return good;
}

gboolean
gilk_sql_keep (GilkStore     *store,
               sqlite3_stmt **kept,
               GError       **error,
               const char    *sql)
{
  if (*kept != NULL)
    return TRUE;
  start_limits (store);

  return sqlite3_prepare_v3 (store->db, sql, -1, SQLITE_PREPARE_PERSISTENT, kept, NULL) == SQLITE_OK ||
         gilk_sql_fail (store, error);
}

gboolean
gilk_sql_finish (GilkStore    *store,
                 sqlite3_stmt *kept,
                 GError      **error)
{
  const gboolean good = run_to_end (store, kept, error);

  sqlite3_reset (kept);
  sqlite3_clear_bindings (kept);

  return good;
}

gboolean
gilk_sql_run_often (GilkStore     *store,
                    sqlite3_stmt **kept,
                    GError       **error,
                    const char    *sql,
                    const char    *types,
                    ...)
{
  gboolean bound;
  va_list args;

  if (!gilk_sql_keep (store, kept, error, sql))
    return FALSE;
  va_start (args, types);
  bound = bind_values (*kept, types, args);
  va_end (args);

  return bound ? gilk_sql_finish (store, *kept, error) : gilk_sql_fail (store, error);
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
gilk_sql_plain_name (const char *name)
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

sqlite3 *
gilk_sql_db (GilkStore *store)
{
  return store->db;
}

gint64
gilk_sql_last_id (GilkStore *store)
{
  return sqlite3_last_insert_rowid (store->db);
}

gboolean
gilk_sql_check_cancelled (GilkStore *store,
                          GError   **error)
{
  return !g_cancellable_is_cancelled (store->cancellable) || explain_interruption (store, error);
}

/* ---- cells: integers ---- */

static gboolean
refuse_damaged (GilkStore *store, sqlite3_stmt *stmt, int column, const char *wanted, GError **error)
{
  static const char *const types[] = { N_("nothing"), N_("an integer"), N_("a number"), N_("text"), N_("a blob"),
                                       N_("nothing") };
  const char *name = sqlite3_column_name (stmt, column);

  return gilk_fail (error, GILK_ERROR_FORMAT,
                    _("%s is damaged: expected %s in column %s, found %s. Use a backup."),
                    store->path, wanted, name != NULL ? name : "?",
                    _(types[CLAMP (sqlite3_column_type (stmt, column), 0, 5)]));
}

static gboolean
check_integer (GilkStore *store, sqlite3_stmt *stmt, int column, char kind, GError **error)
{
  gint64 value = sqlite3_column_int64 (stmt, column);

  if (sqlite3_column_type (stmt, column) != SQLITE_INTEGER)
    return refuse_damaged (store, stmt, column, _("an integer"), error);
  if (value < 0 && strchr ("nNu", kind) != NULL)
    return refuse_damaged (store, stmt, column, _("a count or time of at least 0"), error);
  if (kind == 'u' && value > (gint64) G_MAXUINT32)
    return refuse_damaged (store, stmt, column, _("a 32-bit number"), error);

  return TRUE;
}

/* ---- cells: text ---- */

static gboolean
check_text (GilkStore *store, sqlite3_stmt *stmt, int column, GError **error)
{
  const char *text;
  gsize bytes;

  if (sqlite3_column_type (stmt, column) != SQLITE_TEXT)
    return refuse_damaged (store, stmt, column, _("text"), error);
  text = (const char *) sqlite3_column_text (stmt, column);
  bytes = (gsize) sqlite3_column_bytes (stmt, column);
  if (text == NULL || memchr (text, '\0', bytes) != NULL)
    return refuse_damaged (store, stmt, column, _("valid text"), error);

  store->bytes_read += bytes;
  return store->bytes_read <= store->bytes_max || refuse_excess (store, error);
}

/* Returns a copy of a text cell with invalid bytes, and in names also control characters, replaced
 * by U+FFFD. */
static char *
read_text (sqlite3_stmt *stmt, int column, gboolean is_name)
{
  g_autofree char *valid = g_utf8_make_valid ((const char *) sqlite3_column_text (stmt, column),
                                              sqlite3_column_bytes (stmt, column));
  GString *clean;

  if (!is_name)
    return g_steal_pointer (&valid);
  clean = g_string_sized_new (strlen (valid));
  for (const char *c = valid; *c != '\0'; c = g_utf8_next_char (c))
    {
      gunichar letter = g_utf8_get_char (c);

      g_string_append_unichar (clean, g_unichar_iscntrl (letter) ? 0xfffd : letter);
    }

  return g_string_free (clean, FALSE);
}

/* ---- rows ---- */

static gboolean
check_cell (GilkStore *store, sqlite3_stmt *stmt, int column, char kind, GError **error)
{
  gboolean is_null = sqlite3_column_type (stmt, column) == SQLITE_NULL;

  switch (kind)
    {
    case 'S':
    case 't':
      return is_null || check_text (store, stmt, column, error);
    case 's':
      return check_text (store, stmt, column, error);
    case 'N':
      return is_null || check_integer (store, stmt, column, kind, error);
    default:
      return check_integer (store, stmt, column, kind, error);
    }
}

gboolean
gilk_sql_row (GilkStore    *store,
              sqlite3_stmt *stmt,
              GError      **error,
              const char   *kinds,
              ...)
{
  va_list out;

  for (int i = 0; kinds[i] != '\0'; i++)
    if (!check_cell (store, stmt, i, kinds[i], error))
      return FALSE;

  va_start (out, kinds);
  for (int i = 0; kinds[i] != '\0'; i++)
    switch (kinds[i])
      {
      case 'i':
        *va_arg (out, gint64 *) = sqlite3_column_int64 (stmt, i);
        break;
      case 'n':
      case 'N':
      case 'a':
        *va_arg (out, uint64_t *) = (uint64_t) sqlite3_column_int64 (stmt, i);
        break;
      case 'u':
        *va_arg (out, guint *) = (guint) sqlite3_column_int64 (stmt, i);
        break;
      case 'f':
        *va_arg (out, gboolean *) = sqlite3_column_int64 (stmt, i) != 0;
        break;
      default:
        *va_arg (out, char **) = sqlite3_column_type (stmt, i) == SQLITE_NULL ? NULL
                                 : read_text (stmt, i, kinds[i] != 't');
        break;
      }
  va_end (out);

  return TRUE;
}

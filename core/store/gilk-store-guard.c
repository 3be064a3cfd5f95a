/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-store-guard.c - opens untrusted files with SQLite
 *
 * A database is also a program: views, triggers, virtual tables, generated columns and defaults run
 * when it is used, its pages may form cycles, and files beside it are used as parts of it.
 * Therefore every session is opened here:
 *
 *   1. a session opened for reading is neither written nor repaired, and no file is left
 *      beside it, not even a lock file
 *   2. SQLite is configured to distrust the schema; views and triggers do not run
 *   3. each of Gilk's tables must be a plain table with the known columns; nothing else
 *      can be read
 *   4. the work of a statement is limited by the size of the file, and it
 *      ends when cancelled
 */
#include "core/store/gilk-store-private.h"

#include <gio/gio.h>
#include <glib/gi18n.h>
#include <string.h>
#include <sys/stat.h>

#include "core/store/gilk-store-transaction.h"

#define TEXT_MAX        (64 << 20)

static const char schema[] =
#include "core/store/gilk-schema.inc"
  ;

static const char *const our_tables[] = {
  "run", "instrument", "field", "hook", "counts", "loss", "count_point", "chunk", "chunk_column",
  "chunk_groups", "chunk_tiles", "chunk_sketch", "gap", "timestamp_pair", "cpu_clock", "cost", "cost_measurement", "interval", "patch", "function", "block", "edge",
  "note", "program", "map", "map_value", "address", "stack", "value_name", "line",
  "row_checksum", "chunk_checksum", NULL
};

/* ---- opening ---- */

static gboolean
has_bytes (const char *path, const char *suffix)
{
  g_autofree char *beside = g_strconcat (path, suffix, NULL);
  struct stat st;

  return stat (beside, &st) == 0 && st.st_size > 0;
}

/*
 * Opens the file read-only. While a run is recorded, the WAL is shared, and its locks protect it. A
 * WAL that remains after a crash is read in place, with its index in memory instead of in a file:
 * SQLite does this if it cannot lock files ("unix-none"). A file whose header mentions a WAL that
 * does not exist (such a file is a copy) is opened as immutable: SQLite would otherwise create an
 * empty WAL beside it.
 */
int
gilk_guard_open (GilkStore *store,
                 gboolean   logged)
{
  gboolean recording = gilk_store_is_recording (store);
  gboolean left = logged && !recording && has_bytes (store->path, "-wal");
  g_autofree char *escaped = g_uri_escape_string (store->path, "/", TRUE);
  g_autofree char *uri = NULL;
  int result;

  uri = g_strdup_printf ("file:%s%s%s", g_path_is_absolute (store->path) ? "//" : "", escaped,
                         logged && !recording && !left ? "?immutable=1" : "");
  result = sqlite3_open_v2 (uri, &store->db, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI,
                            left ? "unix-none" : NULL);
  if (result == SQLITE_OK && left)
    result = sqlite3_exec (store->db, "PRAGMA locking_mode = EXCLUSIVE", NULL, NULL, NULL);

  return result;
}

/* ---- restrictions ---- */

static void
configure_connection (GilkStore *store)
{
  static const struct { int limit, value; } limits[] = {
    { SQLITE_LIMIT_LENGTH, TEXT_MAX }, { SQLITE_LIMIT_SQL_LENGTH, 16 << 20 },
    { SQLITE_LIMIT_EXPR_DEPTH, 100 }, { SQLITE_LIMIT_VDBE_OP, 100000 },
    { SQLITE_LIMIT_ATTACHED, 0 }, { SQLITE_LIMIT_TRIGGER_DEPTH, 1 },
    { SQLITE_LIMIT_WORKER_THREADS, 0 }, { SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 100 },
  };
  static const struct { int what, on; } switches[] = {
    { SQLITE_DBCONFIG_DEFENSIVE, 1 }, { SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0 },
    { SQLITE_DBCONFIG_ENABLE_TRIGGER, 0 }, { SQLITE_DBCONFIG_ENABLE_VIEW, 0 },
    { SQLITE_DBCONFIG_ENABLE_FTS3_TOKENIZER, 0 }, { SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (limits); i++)
    sqlite3_limit (store->db, limits[i].limit, limits[i].value);
  for (guint i = 0; i < G_N_ELEMENTS (switches); i++)
    sqlite3_db_config (store->db, switches[i].what, switches[i].on, NULL);
  sqlite3_extended_result_codes (store->db, 1);
}

static gboolean
is_ours (const char *table)
{
  return g_strv_contains (our_tables, table);
}

/* Allows Gilk's statements to use only Gilk's tables, and the SQL functions that Gilk needs. This
 * is an authorizer callback of SQLite. */
static int
authorize_action (gpointer data, int action, const char *first, const char *second, const char *database,
                  const char *inner)
{
  static const char *const functions[] = { "count", "sum", "max", "min", "coalesce", "abs", "hex",
                                           "lower", NULL };
  static const char *const pragmas[] = { "user_version", "table_xinfo", "integrity_check", "cache_size", NULL };

  switch (action)
    {
    case SQLITE_SELECT:
      return SQLITE_OK;
    case SQLITE_READ:
      return inner == NULL && (is_ours (first) || strcmp (first, "sqlite_master") == 0)
             ? SQLITE_OK : SQLITE_DENY;
    case SQLITE_FUNCTION:
      return g_strv_contains (functions, second) ? SQLITE_OK : SQLITE_DENY;
    case SQLITE_PRAGMA:
      return g_strv_contains (pragmas, first) ? SQLITE_OK : SQLITE_DENY;
    default:
      return SQLITE_DENY;
    }
}

/* ---- the schema ---- */

static gboolean
refuse_foreign (GilkStore *store, const char *what, GError **error)
{
  return gilk_fail (error, GILK_ERROR_FORMAT,
                    _("%s is not a Gilk session, or is damaged: %s. Use a backup, or name another "
                      "file."),
                    store->path, what);
}

/* Returns the columns of a table as text, "name:type name:type ", with "!" after the type of a
 * generated column. (transfer full) */
static char *
describe_columns (GilkStore *store, const char *table, GError **error)
{
  g_autofree char *sql = g_strdup_printf ("PRAGMA table_xinfo (\"%s\")", table);
  g_autoptr(GError) local = NULL;
  GILK_AUTO_STMT stmt = gilk_sql_prepare (store, &local, sql, "");
  g_autoptr(GString) text = g_string_new (NULL);

  while (gilk_sql_next (store, stmt, &local))
    g_string_append_printf (text, "%s:%s%s ", (const char *) sqlite3_column_text (stmt, 1),
                            (const char *) sqlite3_column_text (stmt, 2),
                            sqlite3_column_int (stmt, 6) != 0 ? "!" : "");

  return gilk_check_end (&local, error) ? g_string_free (g_steal_pointer (&text), FALSE) : NULL;
}

/* Reads the tables of the compiled-in schema: names and types of their columns, in order. */
static GHashTable *
read_known (void)
{
  g_autoptr(GHashTable) known = g_hash_table_new_full (g_str_hash, g_str_equal, NULL,
                                                       (GDestroyNotify) g_ptr_array_unref);
  sqlite3 *db = NULL;
  gboolean good = sqlite3_open (":memory:", &db) == SQLITE_OK &&
                  sqlite3_exec (db, schema, NULL, NULL, NULL) == SQLITE_OK;

  for (guint i = 0; good && our_tables[i] != NULL; i++)
    {
      g_autofree char *sql = g_strdup_printf ("PRAGMA table_xinfo (\"%s\")", our_tables[i]);
      GPtrArray *columns = g_ptr_array_new_with_free_func (g_free);
      sqlite3_stmt *stmt = NULL;

      g_hash_table_insert (known, (char *) our_tables[i], columns);
      good = sqlite3_prepare_v2 (db, sql, -1, &stmt, NULL) == SQLITE_OK;
      while (good && sqlite3_step (stmt) == SQLITE_ROW)
        for (int column = 1; column <= 2; column++)
          g_ptr_array_add (columns, g_strdup ((const char *) sqlite3_column_text (stmt, column)));
      good = sqlite3_finalize (stmt) == SQLITE_OK && good;
    }
  sqlite3_close (db);

  return good ? g_steal_pointer (&known) : NULL;
}

/* Returns the compiled-in schema. It is read when the first session is opened, and again only if
 * that failed. */
static GHashTable *
get_known (void)
{
  static GHashTable *known;
  static GMutex lock;
  GHashTable *result;

  g_mutex_lock (&lock);
  if (known == NULL)
    known = read_known ();
  result = known;
  g_mutex_unlock (&lock);

  return result;
}

/* Describes a table of the compiled-in schema in the form of describe_columns(). */
static char *
describe_known (GHashTable *known, const char *table)
{
  const GPtrArray *columns = g_hash_table_lookup (known, table);
  GString *text = g_string_new (NULL);

  for (guint i = 0; i + 1 < columns->len; i += 2)
    g_string_append_printf (text, "%s:%s ", (const char *) columns->pdata[i], (const char *) columns->pdata[i + 1]);

  return g_string_free (text, FALSE);
}

static gboolean
check_tables (GilkStore *store, GError **error)
{
  GHashTable *known = get_known ();
  gboolean good = known != NULL;

  if (!good)
    g_set_error (error, GILK_ERROR, GILK_ERROR_FAILED,
                 _("SQLite cannot create an in-memory database. Update SQLite, or free some "
                   "memory."));
  for (guint i = 0; good && our_tables[i] != NULL; i++)
    {
      g_autofree char *wanted = describe_known (known, our_tables[i]);
      g_autofree char *found = describe_columns (store, our_tables[i], error);
      g_autofree char *what = g_strdup_printf (_("the table %s has the wrong structure"), our_tables[i]);

      good = found != NULL && (strcmp (wanted, found) == 0 || refuse_foreign (store, what, error));
    }

  return good;
}

/* Returns whether @sql creates a plain @type ("table", "index" or "view"). SQLite stores the
 * statements of a schema with a normalised start. */
static gboolean
is_plain (const char *type, const char *sql)
{
  if (strcmp (type, "table") == 0)
    return g_str_has_prefix (sql, "CREATE TABLE ");
  if (strcmp (type, "index") == 0)
    return *sql == '\0' || g_str_has_prefix (sql, "CREATE INDEX ") ||
           g_str_has_prefix (sql, "CREATE UNIQUE INDEX ");

  return strcmp (type, "view") == 0 && g_str_has_prefix (sql, "CREATE VIEW ");
}

/* Refuses triggers and virtual tables: only plain tables, indices and views are permitted. */
static gboolean
check_objects (GilkStore *store, GError **error)
{
  g_autoptr(GError) local = NULL;
  GILK_AUTO_STMT stmt = gilk_sql_prepare (store, &local,
    "SELECT type, name, coalesce (sql, '') FROM sqlite_master", "");

  while (gilk_sql_next (store, stmt, &local))
    {
      g_autofree char *type = NULL, *name = NULL, *sql = NULL;

      if (!gilk_sql_row (store, stmt, error, "sst", &type, &name, &sql))
        return FALSE;
      if (!is_plain (type, sql))
        return refuse_foreign (store, _("the file has a trigger or a virtual table"), error);
    }

  return gilk_check_end (&local, error);
}

gboolean
gilk_guard_set_up (GilkStore    *store,
                   GCancellable *cancellable,
                   GError      **error)
{
  g_set_object (&store->cancellable, cancellable);
  gilk_sql_limit (store);
  configure_connection (store);
  if (sqlite3_exec (store->db, "PRAGMA cell_size_check = 1; PRAGMA mmap_size = 0", NULL, NULL, NULL)
      != SQLITE_OK)
    return gilk_sql_fail (store, error);

  return TRUE;
}

gboolean
gilk_guard_check (GilkStore *store,
                  GError   **error)
{
  gilk_sql_limit (store);

  return check_objects (store, error) && check_tables (store, error);
}

gboolean
gilk_guard_read_only (GilkStore *store,
                      GError   **error)
{
  sqlite3_db_config (store->db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
  if (sqlite3_exec (store->db, "PRAGMA query_only = 1", NULL, NULL, NULL) != SQLITE_OK)
    return gilk_sql_fail (store, error);
  sqlite3_set_authorizer (store->db, authorize_action, store);

  return TRUE;
}

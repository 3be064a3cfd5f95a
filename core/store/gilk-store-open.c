/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-store-open.c - finds, opens, checks and closes sessions, and repairs one that is opened for
 * recording
 *
 * The file's header is checked before the file is used as a database, so that any other file gets a
 * specific error. Only opening for recording repairs a session after a crash.
 */
#include "core/base/gilk-error.h"
#include "core/base/gilk-array.h"
#include "core/store/gilk-store-checksum.h"
#include "core/store/gilk-store-private.h"
#include "core/store/gilk-store-transaction.h"

#include <errno.h>
#include <fcntl.h>
#include <gio/gio.h>
#include <glib/gi18n.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define BUSY_MS 5000

static const char schema[] =
#include "core/store/gilk-schema.inc"
  ;

/* ---- checks a file before it is used as a database ---- */

typedef struct {
  uint8_t       bytes[100];    /* first bytes of the file: the header in section 1.3 of SQLite's
                                * file format */
  sqlite3_int64 size;          /* size of the file */
} Header;

static uint32_t
read_big_endian (const uint8_t *bytes, guint count)
{
  uint32_t value = 0;

  for (guint i = 0; i < count; i++)
    value = value << 8 | bytes[i];

  return value;
}

/*
 * Reads the header of @db's file. Reads it through SQLite, because closing a descriptor of our own
 * would release all POSIX locks of this process on the file, and another program that opens the
 * session could then delete a recording's WAL ("How To Corrupt An SQLite Database File", 2.2).
 */
static gboolean
read_header (sqlite3 *db, Header *header)
{
  sqlite3_file *file = NULL;
  int result;

  if (sqlite3_file_control (db, "main", SQLITE_FCNTL_FILE_POINTER, &file) != SQLITE_OK || file == NULL ||
      file->pMethods == NULL)
    return FALSE;
  result = file->pMethods->xRead (file, header->bytes, sizeof header->bytes, 0);

  return (result == SQLITE_OK || result == SQLITE_IOERR_SHORT_READ) &&
         file->pMethods->xFileSize (file, &header->size) == SQLITE_OK;
}

/* Reads the header of the file at @path through SQLite, without reading the database. Returns FALSE
 * if the file cannot be read. */
static gboolean
peek_header (const char *path, Header *header)
{
  sqlite3 *db = NULL;
  const gboolean good = sqlite3_open_v2 (path, &db, SQLITE_OPEN_READONLY, NULL) == SQLITE_OK && read_header (db, header);

  sqlite3_close (db);

  return good;
}

static gboolean
check_header (const char *path, const Header *header, gboolean *logged, GError **error)
{
  if (header->size < (sqlite3_int64) sizeof header->bytes || memcmp (header->bytes, "SQLite format 3", 16) != 0)
    return gilk_fail (error, GILK_ERROR_FORMAT,
                      _("%s is not a Gilk session. Name a file written by gilk run "
                        "or the workbench."), path);
  if (read_big_endian (header->bytes + 68, 4) != GILK_STORE_APPLICATION_ID)
    return gilk_fail (error, GILK_ERROR_FORMAT,
        _("%s is a database of another program, not a Gilk session. Name a file written by gilk "
          "run or the workbench."), path);
  *logged = header->bytes[18] == 2 || header->bytes[19] == 2;

  return TRUE;
}

/* Checks that @path, a regular file that is not empty, is a session. */
static gboolean
check_content (const char *path, gboolean create, gboolean *logged, GError **error)
{
  Header header = { { 0 } };

  if (peek_header (path, &header))
    return check_header (path, &header, logged, error);
  if (access (path, R_OK) != 0)
    return create ? gilk_unwritable (path, errno, error) : gilk_unreadable (path, errno, error);

  return gilk_unreadable (path, EIO, error);
}

/* Checks the file. @empty: (out): the file is empty or does not exist. @logged: (out): the header
 * states that the file has a WAL. */
static gboolean
check_file (const char *path, gboolean create, gboolean *empty, gboolean *logged, GError **error)
{
  struct stat st;

  *empty = *logged = FALSE;
  if (stat (path, &st) != 0 && errno == ENOENT && create)
    {
      *empty = TRUE;
      return gilk_check_writable (path, error);
    }
  if (stat (path, &st) != 0)
    return create ? gilk_unwritable (path, errno, error) : gilk_unreadable (path, errno, error);
  if (S_ISDIR (st.st_mode))
    return gilk_fail (error, GILK_ERROR_FORMAT,
                      _("%s is a folder, not a session. Name a file in it."), path);
  if (!S_ISREG (st.st_mode))
    return gilk_fail (error, GILK_ERROR_FORMAT,
                      _("%s is a device or pipe, not a session. Name an "
                        "ordinary file."), path);
  *empty = st.st_size == 0;
  if (*empty && !create)
    return gilk_fail (error, GILK_ERROR_FORMAT,
                      _("%s is empty: nothing was recorded to it. Name another "
                        "session."), path);

  return *empty || check_content (path, create, logged, error);
}

/*
 * If SQLite reported corruption and the file is truncated, replaces the error by one about the
 * truncation. While a WAL exists, a short file need not be truncated: the WAL may hold the missing
 * pages. SQLite checks the length under its locks.
 */
static void
explain_damage (GilkStore *store, GError **error)
{
  Header header;
  uint64_t page, wanted;

  if (error == NULL || (sqlite3_errcode (store->db) & 0xff) != SQLITE_CORRUPT || !read_header (store->db, &header))
    return;
  page = read_big_endian (header.bytes + 16, 2) == 1 ? 65536 : read_big_endian (header.bytes + 16, 2);
  wanted = page * read_big_endian (header.bytes + 28, 4);
  if (read_big_endian (header.bytes + 24, 4) != read_big_endian (header.bytes + 92, 4) || (uint64_t) header.size >= wanted)
    return;
  g_clear_error (error);
  gilk_fail (error, GILK_ERROR_FORMAT,
             _("%s is truncated: it has %lld of %llu bytes. Use a complete copy of "
               "it."), store->path, (long long) header.size, (unsigned long long) wanted);
}

/* ---- repairs a session after a crash ---- */

static gboolean
close_run (GilkStore *store, const GilkStoredRun *run, GError **error)
{
  return gilk_sql_run (store, error,
                       "UPDATE run SET end_reason = 'cut off', duration_ns = ? WHERE id = ?",
                       "ii", (gint64) (run->duration * 1e9), run->id);
}

static gboolean
has_end (GilkStore *store, gint64 run, gboolean *ended, GError **error)
{
  gint64 n;

  if (!gilk_sql_value (store, error, &n, 0, "SELECT count (*) FROM run WHERE id = ? AND "
                       "end_reason IS NOT NULL", "i", run))
    return FALSE;
  *ended = n > 0;

  return TRUE;
}

/* Adds end reasons and checksums to runs that lack them, unless another process is recording. */
static gboolean
repair_runs (GilkStore *store, GError **error)
{
  g_autoptr(GArray) runs = gilk_store_runs (store, error);
  gboolean good = runs != NULL, ended = FALSE, has = FALSE;

  if (good && !gilk_store_lock (store, NULL))
    return TRUE;
  for (guint i = 0; good && i < runs->len; i++)
    {
      const GilkStoredRun *run = &g_array_index (runs, GilkStoredRun, i);

      good = has_end (store, run->id, &ended, error) &&
             (ended || close_run (store, run, error)) &&
             gilk_store_has_sums (store, run->id, &has, error) &&
             (has || (gilk_store_ensure_transaction (store, error) && gilk_store_sum_run (store, run->id, NULL, error)));
    }
  if (good)
    good = gilk_store_flush (store, error);
  else
    gilk_store_roll_back (store);
  gilk_store_unlock (store);

  return good;
}

/* ---- open and close ---- */

static gboolean
make_schema (GilkStore *store, GError **error)
{
  if (sqlite3_exec (store->db, "BEGIN IMMEDIATE", NULL, NULL, NULL) != SQLITE_OK ||
      sqlite3_exec (store->db, schema, NULL, NULL, NULL) != SQLITE_OK)
    gilk_sql_fail (store, error);
  else if (gilk_store_sum_schema (store, error) && gilk_sql_run (store, error, "COMMIT", ""))
    return TRUE;
  sqlite3_exec (store->db, "ROLLBACK", NULL, NULL, NULL);

  return FALSE;
}

static gboolean
check_version (GilkStore *store, GError **error)
{
  gint64 version;

  if (!gilk_sql_value (store, error, &version, 0, "PRAGMA user_version", ""))
    return FALSE;
  if (version > GILK_STORE_VERSION)
    return gilk_fail (error, GILK_ERROR_FORMAT,
        _("%s was written by a newer Gilk (format %lld, this one supports up to %d). Update "
          "Gilk."), store->path, (long long) version, GILK_STORE_VERSION);
  if (version < 1)
    return gilk_fail (error, GILK_ERROR_FORMAT,
                      _("%s is damaged: it has no format number. Use a backup."), store->path);

  return TRUE;
}

static GilkStore *
store_new (const char *path)
{
  GilkStore *store = g_new0 (GilkStore, 1);

  store->path = g_strdup (path);
  store->lock_fd = -1;

  return store;
}

static void
store_discard (GilkStore *store)
{
  gilk_store_stop_recording (store);
  sqlite3_close_v2 (store->db);
  g_clear_object (&store->cancellable);
  g_free (store->path);
  g_free (store);
}

/* Sets the size of the page cache. It must hold many tiles (summaries of up to 256 samples): a zoom
 * step reads tiles from all over the file, and the next step reads mostly the same tiles. */
static gboolean
set_page_cache (GilkStore *store, guint kilobytes, GError **error)
{
  g_autofree char *sql = g_strdup_printf ("PRAGMA cache_size = -%u", kilobytes);

  return gilk_sql_run (store, error, sql, "");
}

static gboolean
set_up_to_record (GilkStore *store, gboolean empty, GError **error)
{
  sqlite3_busy_timeout (store->db, BUSY_MS);
  if (!gilk_guard_set_up (store, NULL, error) || (empty && !make_schema (store, error)) ||
      !check_version (store, error) || !gilk_guard_check (store, error))
    return FALSE;
  if (sqlite3_db_readonly (store->db, "main") != 0)
    return gilk_fail (error, GILK_ERROR_PERMISSION,
                      _("%s cannot be written. Change its "
                        "permissions, or record to another file."), store->path);
  if (!repair_runs (store, error))
    return FALSE;
  gilk_sql_trust (store);

  return set_page_cache (store, 16000, error);
}

GilkStore *
gilk_store_open (const char *path,
                 GError    **error)
{
  gboolean empty, logged;
  GilkStore *store;

  if (!check_file (path, TRUE, &empty, &logged, error))
    return NULL;

  store = store_new (path);
  if (sqlite3_open_v2 (path, &store->db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, NULL)
      != SQLITE_OK)
    gilk_sql_fail (store, error);
  else if (set_up_to_record (store, empty, error))
    return store;
  else
    explain_damage (store, error);
  store_discard (store);

  return NULL;
}

GilkStore *
gilk_store_open_read (const char   *path,
                      GCancellable *cancellable,
                      GError      **error)
{
  gboolean empty, logged;
  GilkStore *store;

  if (!check_file (path, FALSE, &empty, &logged, error))
    return NULL;

  store = store_new (path);
  store->reading = TRUE;
  if (gilk_guard_open (store, logged) != SQLITE_OK)
    gilk_sql_fail (store, error);
  else if (sqlite3_busy_timeout (store->db, BUSY_MS) == SQLITE_OK &&
           gilk_guard_set_up (store, cancellable, error) && check_version (store, error) &&
           gilk_guard_check (store, error) && set_page_cache (store, 12000, error) &&
           gilk_guard_read_only (store, error))
    return store;
  else
    explain_damage (store, error);
  store_discard (store);

  return NULL;
}

GilkStore *
gilk_store_open_again (const GilkStore *store,
                       GError         **error)
{
  GilkStore *again = gilk_store_open_read (store->path, store->cancellable, error);

  /* A second store of the same session reads the file only once or twice: a small page cache is
   * enough. */
  if (again != NULL)
    sqlite3_exec (again->db, "PRAGMA cache_size = -2000", NULL, NULL, NULL);

  return again;
}

/* Removes the WAL if no other process reads the session, so that the single file can be copied, and
 * read from media without write access. */
static gboolean
make_self_contained (GilkStore *store, GError **error)
{
  if (store->reading)
    return TRUE;
  if (sqlite3_wal_checkpoint_v2 (store->db, NULL, SQLITE_CHECKPOINT_TRUNCATE, NULL, NULL)
      != SQLITE_OK)
    {
      if ((sqlite3_errcode (store->db) & 0xff) == SQLITE_BUSY)
        return TRUE;
      return gilk_fail (error, GILK_ERROR_STORE,
          _("The disk is full, so %s needs the file %s-wal beside it: %s. Free some space, then "
            "open the session once."), store->path, store->path, sqlite3_errmsg (store->db));
    }
  sqlite3_busy_timeout (store->db, 0);
  sqlite3_exec (store->db, "PRAGMA journal_mode = DELETE", NULL, NULL, NULL);

  return TRUE;
}

gboolean
gilk_store_close (GilkStore *store,
                  GError   **error)
{
  gboolean kept;

  if (store == NULL)
    return TRUE;

  kept = gilk_store_flush (store, error);
  gilk_store_stop_recording (store);
  gilk_store_release_reserve (store);
  kept = make_self_contained (store, kept ? error : NULL) && kept;
  sqlite3_close_v2 (g_steal_pointer (&store->db));
  gilk_store_unlock (store);
  store_discard (store);

  return kept;
}

void
gilk_store_free (GilkStore *store)
{
  gilk_store_close (store, NULL);
}

/* ---- lists the sessions of a folder ---- */

GPtrArray *
gilk_store_list_folder (const char *folder, GError **error)
{
  g_autoptr(GError) local = NULL;
  g_autoptr(GDir) dir = g_dir_open (folder, 0, &local);
  GPtrArray *paths;
  const char *name;

  if (dir == NULL)
    return gilk_fail_null (error, GILK_ERROR_NOT_FOUND,
                           _("%s. Name a folder that can be read."), local->message);
  paths = g_ptr_array_new_with_free_func (g_free);
  while ((name = g_dir_read_name (dir)) != NULL)
    if (g_str_has_suffix (name, GILK_STORE_SUFFIX))
      g_ptr_array_add (paths, strcmp (folder, ".") == 0 ? g_strdup (name) : g_build_filename (folder, name, NULL));
  g_ptr_array_sort (paths, gilk_order_text);

  return paths;
}

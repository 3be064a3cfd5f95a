/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-store-open.c - opens, checks, repairs and closes a session
 *
 * A session is looked at before SQLite is: what is no session gets a sentence of
 * its own. While a run is recorded, FILE-recording lies beside the session. It is
 * locked, so that others can tell a recording from one whose program died, and it
 * keeps some disk space, so that on a full disk the last words can be written.
 */
#include "core/store/gilk-store-private.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define RESERVE_BYTES (4 << 20)
#define BUSY_MS       5000

static const char schema[] =
#include "core/store/gilk-schema.inc"
  ;

/* ---- the file, before SQLite sees it ---- */

static gboolean G_GNUC_PRINTF (3, 4)
refuse (GError **error, GilkErrorCode code, const char *format, ...)
{
  va_list args;

  va_start (args, format);
  if (error != NULL)
    *error = g_error_new_valist (GILK_ERROR, (int) code, format, args);
  va_end (args);

  return FALSE;
}

static uint32_t
big_endian (const uint8_t *bytes, guint count)
{
  uint32_t value = 0;

  for (guint i = 0; i < count; i++)
    value = value << 8 | bytes[i];

  return value;
}

/* Offsets are those of SQLite's file format, section 1.3. A log beside the file may
 * hold pages that the file does not have yet; then its length says nothing. */
static gboolean
check_header (const char *path, const uint8_t head[100], off_t size, GError **error)
{
  uint64_t page = big_endian (head + 16, 2) == 1 ? 65536 : big_endian (head + 16, 2);
  uint64_t wanted = page * big_endian (head + 28, 4);
  g_autofree char *wal = g_strconcat (path, "-wal", NULL);
  gboolean size_valid = big_endian (head + 24, 4) == big_endian (head + 92, 4);
  struct stat st;

  if (memcmp (head, "SQLite format 3", 16) != 0)
    return refuse (error, GILK_ERROR_FORMAT, "%s is not a Gilk session. Name a file that gilk run "
                   "or the workbench has written.", path);
  if (big_endian (head + 68, 4) != GILK_STORE_APPLICATION_ID)
    return refuse (error, GILK_ERROR_FORMAT, "%s is a database of another program, not a Gilk "
                   "session. Name a file that gilk run or the workbench has written.", path);
  if (size_valid && (uint64_t) size < wanted && (stat (wal, &st) != 0 || st.st_size == 0))
    return refuse (error, GILK_ERROR_FORMAT, "%s is cut short: %lld of %llu bytes are there. Use "
                   "a complete copy of it.", path, (long long) size, (unsigned long long) wanted);

  return TRUE;
}

/* @empty: there is nothing in the file, or no file. */
static gboolean
check_file (const char *path, GilkStoreMode mode, gboolean *empty, GError **error)
{
  uint8_t head[100] = { 0 };
  struct stat st;
  gssize n;
  int fd = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);

  *empty = FALSE;
  if (fd < 0 && errno == ENOENT && mode == GILK_STORE_CREATE)
    {
      *empty = TRUE;
      return TRUE;
    }
  if (fd < 0)
    return errno == ENOENT
           ? refuse (error, GILK_ERROR_NOT_FOUND, "There is no session %s. Check the path.", path)
           : errno == EACCES
           ? refuse (error, GILK_ERROR_PERMISSION, "%s may not be read by you. Change its "
                     "permissions, or copy it.", path)
           : refuse (error, GILK_ERROR_STORE, "%s cannot be opened: %s. Check the path.", path,
                     g_strerror (errno));

  n = fstat (fd, &st) == 0 && S_ISREG (st.st_mode) ? pread (fd, head, sizeof head, 0) : -1;
  close (fd);
  if (S_ISDIR (st.st_mode))
    return refuse (error, GILK_ERROR_FORMAT, "%s is a folder, not a session. Name a file in it.",
                   path);
  if (!S_ISREG (st.st_mode))
    return refuse (error, GILK_ERROR_FORMAT, "%s is a device or pipe, not a session. Name an "
                   "ordinary file.", path);
  if (n == 0 && mode == GILK_STORE_CREATE)
    {
      *empty = TRUE;
      return TRUE;
    }
  if (n == 0)
    return refuse (error, GILK_ERROR_FORMAT, "%s is empty: nothing was recorded in it. Name "
                   "another session.", path);
  if (n < (gssize) sizeof head)
    return refuse (error, GILK_ERROR_FORMAT, "%s is not a Gilk session. Name a file that gilk run "
                   "or the workbench has written.", path);

  return check_header (path, head, st.st_size, error);
}

/* ---- the lock file ---- */

static char *
lock_path (GilkStore *store)
{
  return g_strconcat (store->path, "-recording", NULL);
}

/* Opens and locks it; a lock file that its owner removed meanwhile is tried again. */
static int
take_lock (const char *path, int flags)
{
  for (;;)
    {
      int fd = open (path, O_RDWR | O_CLOEXEC | flags, 0600);
      struct stat st;

      if (fd < 0)
        return -1;
      if (flock (fd, LOCK_EX | LOCK_NB) != 0)
        {
          int saved = errno;

          close (fd);
          errno = saved;
          return -1;
        }
      if (fstat (fd, &st) == 0 && st.st_nlink > 0)
        return fd;
      close (fd);
    }
}

gboolean
gilk_store_lock (GilkStore *store,
                 GError   **error)
{
  g_autofree char *path = lock_path (store);
  int problem;

  store->lock_fd = take_lock (path, O_CREAT);
  if (store->lock_fd < 0)
    return errno == EWOULDBLOCK
           ? refuse (error, GILK_ERROR_STORE, "%s is being recorded by another program. Wait for "
                     "it, or record to another file.", store->path)
           : refuse (error, errno == EACCES || errno == EROFS ? GILK_ERROR_PERMISSION
                     : GILK_ERROR_STORE,
                     "No file can be made beside %s: %s. Record to another folder.", store->path,
                     g_strerror (errno));

  problem = posix_fallocate (store->lock_fd, 0, RESERVE_BYTES);
  if (problem == ENOSPC || problem == EDQUOT || problem == EFBIG)
    {
      gilk_store_unlock (store);
      return refuse (error, GILK_ERROR_STORE, "The disk is full: %s could not even begin. Make "
                     "room, or record to another disk.", store->path);
    }

  return TRUE;
}

void
gilk_store_release_reserve (GilkStore *store)
{
  if (store->lock_fd >= 0 && ftruncate (store->lock_fd, 0) != 0)
    g_debug ("%s: reserve kept: %s", store->path, g_strerror (errno));
}

/* Removed before it is unlocked, so that nobody locks a file about to vanish. */
void
gilk_store_unlock (GilkStore *store)
{
  g_autofree char *path = lock_path (store);

  if (store->lock_fd < 0)
    return;
  unlink (path);
  close (store->lock_fd);
  store->lock_fd = -1;
}

gboolean
gilk_store_is_recording (GilkStore *store)
{
  g_autofree char *path = lock_path (store);
  int fd;

  if (store->lock_fd >= 0)
    return TRUE;
  fd = take_lock (path, 0);
  if (fd < 0)
    return errno == EWOULDBLOCK;
  close (fd);

  return FALSE;
}

/* ---- runs whose program died ---- */

static gboolean
sample_tables (GilkStore *store, gint64 run, GPtrArray *names, GError **error)
{
  GILK_AUTO_STMT stmt = gilk_sql_prepare (store, error,
    "SELECT sample_table FROM instrument WHERE run = ? AND sample_table IS NOT NULL", "i", run);
  g_autoptr(GError) local = NULL;

  if (stmt == NULL)
    return FALSE;
  while (gilk_sql_step (store, stmt, &local))
    g_ptr_array_add (names, g_strdup ((const char *) sqlite3_column_text (stmt, 0)));

  return gilk_sql_ended (&local, error);
}

/* Its duration is the last moment that something is known about. */
static gboolean
close_run (GilkStore *store, gint64 run, GError **error)
{
  g_autoptr(GPtrArray) tables = g_ptr_array_new_with_free_func (g_free);
  gint64 last, from_samples;

  if (!sample_tables (store, run, tables, error) ||
      !gilk_sql_value (store, error, &last, 0,
                       "SELECT max (0, coalesce (max (c.at_ns), 0)) FROM counts c "
                       "JOIN hook h ON h.id = c.hook WHERE h.run = ?", "i", run))
    return FALSE;
  for (guint i = 0; i < tables->len; i++)
    {
      g_autofree char *table = gilk_sql_quote (g_ptr_array_index (tables, i));
      g_autofree char *sql = g_strdup_printf ("SELECT max (t_ns) FROM %s", table);

      if (!gilk_sql_value (store, error, &from_samples, 0, sql, ""))
        return FALSE;
      last = MAX (last, from_samples);
    }

  return gilk_sql_run (store, error,
                       "UPDATE run SET end_reason = 'cut off', duration_ns = ? WHERE id = ?",
                       "ii", last, run) &&
         gilk_store_make_indexes (store, run, error);
}

/* Nothing to do, nothing to do it with, or somebody records: all is well. */
static gboolean
close_cut_off_runs (GilkStore *store, GError **error)
{
  gint64 run;

  if (!gilk_sql_value (store, error, &run, 0, "SELECT min (id) FROM run WHERE end_reason IS NULL",
                       ""))
    return FALSE;
  if (run == 0 || sqlite3_db_readonly (store->db, "main") != 0)
    return TRUE;
  if (!gilk_store_lock (store, NULL))
    return TRUE;

  while (run != 0)
    if (!close_run (store, run, error) ||
        !gilk_sql_value (store, error, &run, 0,
                         "SELECT min (id) FROM run WHERE end_reason IS NULL", ""))
      {
        gilk_store_unlock (store);
        return FALSE;
      }
  gilk_store_unlock (store);

  return TRUE;
}

/* ---- open and close ---- */

static gboolean
make_schema (GilkStore *store, GError **error)
{
  if (sqlite3_exec (store->db, "BEGIN IMMEDIATE", NULL, NULL, NULL) == SQLITE_OK &&
      sqlite3_exec (store->db, schema, NULL, NULL, NULL) == SQLITE_OK &&
      sqlite3_exec (store->db, "COMMIT", NULL, NULL, NULL) == SQLITE_OK)
    return TRUE;

  gilk_sql_fail (store, error);
  sqlite3_exec (store->db, "ROLLBACK", NULL, NULL, NULL);

  return FALSE;
}

/* The journal before ARM came with version 2. The view is as in the schema. */
static gboolean
upgrade (GilkStore *store, GError **error)
{
  const char *view = strstr (schema, "CREATE VIEW patches");
  g_autofree char *sql = g_strdup_printf (
    "BEGIN IMMEDIATE;"
    "ALTER TABLE run ADD COLUMN boot_id TEXT;"
    "ALTER TABLE patch ADD COLUMN batch INTEGER NOT NULL DEFAULT 1;"
    "ALTER TABLE patch ADD COLUMN refusal TEXT;"
    "DROP VIEW IF EXISTS patches; %.*s;"
    "PRAGMA user_version = 2;"
    "COMMIT", (int) strcspn (view, ";"), view);

  if (sqlite3_exec (store->db, sql, NULL, NULL, NULL) == SQLITE_OK)
    {
      store->version = 2;
      return TRUE;
    }
  gilk_sql_fail (store, error);
  sqlite3_exec (store->db, "ROLLBACK", NULL, NULL, NULL);

  return FALSE;
}

/* A session of an older version is read as it is, and taken to ours where it is written to. */
static gboolean
check_version (GilkStore *store, GError **error)
{
  if (!gilk_sql_value (store, error, &store->version, 0, "PRAGMA user_version", ""))
    return FALSE;
  if (store->version > GILK_STORE_VERSION)
    return refuse (error, GILK_ERROR_FORMAT, "%s was written by a newer Gilk (format %lld, this "
                   "one reads up to %d). Update Gilk.", store->path, (long long) store->version,
                   GILK_STORE_VERSION);
  if (store->version < 1)
    return refuse (error, GILK_ERROR_FORMAT, "%s is damaged: it names no format. Use a copy of "
                   "it.", store->path);

  return TRUE;
}

static gboolean
set_up (GilkStore *store, gboolean empty, GError **error)
{
  sqlite3_busy_timeout (store->db, BUSY_MS);
  sqlite3_extended_result_codes (store->db, 1);
  if (empty && !make_schema (store, error))
    return FALSE;
  if (!check_version (store, error) || !close_cut_off_runs (store, error))
    return FALSE;
  if (store->mode == GILK_STORE_READ)
    return gilk_sql_run (store, error, "PRAGMA query_only = 1", "");
  if (sqlite3_db_readonly (store->db, "main") != 0)
    return refuse (error, GILK_ERROR_PERMISSION, "%s cannot be written. Change its permissions, "
                   "or record to another file.", store->path);
  if (store->version < GILK_STORE_VERSION && !upgrade (store, error))
    return FALSE;

  return gilk_sql_run (store, error, "PRAGMA cache_size = -16000", "");
}

GilkStore *
gilk_store_open (const char   *path,
                 GilkStoreMode mode,
                 GError      **error)
{
  GilkStore *store;
  gboolean empty;
  int flags = SQLITE_OPEN_READWRITE | (mode == GILK_STORE_CREATE ? SQLITE_OPEN_CREATE : 0);

  if (!check_file (path, mode, &empty, error))
    return NULL;

  store = g_new0 (GilkStore, 1);
  store->path = g_strdup (path);
  store->mode = mode;
  store->lock_fd = -1;
  if (sqlite3_open_v2 (path, &store->db, flags, NULL) != SQLITE_OK)
    gilk_sql_fail (store, error);
  else if (set_up (store, empty, error))
    return store;

  sqlite3_close (store->db);
  g_free (store->path);
  g_free (store);

  return NULL;
}

/* Back from log to plain file where nobody else reads it, so that one file can be
 * copied, sent and read from a disk without write access. */
static gboolean
make_self_contained (GilkStore *store, GError **error)
{
  if (store->mode == GILK_STORE_READ)
    return TRUE;
  if (sqlite3_wal_checkpoint_v2 (store->db, NULL, SQLITE_CHECKPOINT_TRUNCATE, NULL, NULL)
      != SQLITE_OK)
    {
      if ((sqlite3_errcode (store->db) & 0xff) == SQLITE_BUSY)
        return TRUE;
      return refuse (error, GILK_ERROR_STORE, "%s and %s-wal belong together until there is room: "
                     "%s. Make room, then open the session once.", store->path, store->path,
                     sqlite3_errmsg (store->db));
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
  gilk_store_forget_run (store);
  gilk_store_release_reserve (store);
  kept = make_self_contained (store, kept ? error : NULL) && kept;
  sqlite3_close_v2 (store->db);
  gilk_store_unlock (store);
  g_free (store->path);
  g_free (store);

  return kept;
}

void
gilk_store_free (GilkStore *store)
{
  gilk_store_close (store, NULL);
}

const char *
gilk_store_path (GilkStore *store)
{
  return store->path;
}

uint64_t
gilk_store_bytes (GilkStore *store)
{
  g_autofree char *wal = g_strconcat (store->path, "-wal", NULL);
  uint64_t bytes = 0;
  struct stat st;

  if (stat (store->path, &st) == 0)
    bytes += (uint64_t) st.st_size;
  if (stat (wal, &st) == 0)
    bytes += (uint64_t) st.st_size;

  return bytes;
}

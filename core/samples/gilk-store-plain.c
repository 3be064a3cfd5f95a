/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-store-plain.c - exports a session as a plain SQLite file, with samples as rows, for any
 * program
 */
#include "core/base/gilk-error.h"
#include "core/samples/gilk-query.h"
#include "core/store/gilk-sql.h"

#include <gio/gio.h>
#include <glib/gi18n.h>
#include <glib/gstdio.h>

/* Tables, then views, of the session to copy; a view becomes a table. Chunks are left out, because
 * samples are copied as rows. */
static const char *const copied[] = {
  "run", "timestamp_pair", "cpu_clock", "cost", "cost_measurement", "interval", "instrument", "field", "hook", "counts", "loss", "count_point",
  "patch", "function", "block", "edge", "note", "program", "map", "map_value", "address", "stack", "value_name", "line",
  "hooks", "runs", "patches",
  "programs", "maps", "targets", NULL
};

static gboolean
run_sql (sqlite3 *db, const char *out, GCancellable *cancellable, const char *sql, GError **error)
{
  if (sqlite3_exec (db, sql, NULL, NULL, NULL) == SQLITE_OK)
    return TRUE;
  if (g_cancellable_is_cancelled (cancellable))
    return gilk_fail (error, GILK_ERROR_CANCELLED, _("Writing %s was cancelled."), out);

  return gilk_fail (error, GILK_ERROR_STORE,
                    _("%s cannot be written: %s. Check the disk, or name another "
                      "file."), out, sqlite3_errmsg (db));
}

static gboolean
copy_tables (sqlite3 *db, const char *path, const char *out, GCancellable *cancellable, GError **error)
{
  g_autofree char *escaped = g_uri_escape_string (path, "/", TRUE);
  g_autofree char *uri = g_strdup_printf ("file:%s%s?mode=ro", g_path_is_absolute (path) ? "//" : "",
                                          escaped);
  char *attach = sqlite3_mprintf ("ATTACH %Q AS session", uri);
  gboolean good = run_sql (db, out, cancellable, attach, error);

  sqlite3_free (attach);
  for (guint i = 0; good && copied[i] != NULL; i++)
    {
      g_autofree char *sql = g_strdup_printf ("CREATE TABLE main.\"%s\" AS SELECT * FROM session.\"%s\"",
                                              copied[i], copied[i]);

      good = run_sql (db, out, cancellable, sql, error);
    }

  return good;
}

static gboolean
copy_samples (sqlite3 *db, GilkStore *store, const char *out, const GilkProgress *progress,
              GCancellable *cancellable, GError **error)
{
  g_autoptr(GPtrArray) instruments = gilk_store_sampling_instruments (store, error);

  for (guint i = 0; instruments != NULL && i < instruments->len; i++)
    {
      g_autofree char *clean = gilk_sql_plain_name (g_ptr_array_index (instruments, i));
      g_autofree char *sql =
        g_strdup_printf ("CREATE TABLE main.\"samples_%s\" AS SELECT * FROM temp.\"samples_%s\"", clean,
                         clean);

      gilk_progress (progress, _("Writing samples"), (double) i / instruments->len);
      if (!run_sql (db, out, cancellable, sql, error))
        return FALSE;
    }

  return instruments != NULL;
}

static int
on_progress (gpointer cancellable)
{
  return g_cancellable_is_cancelled (cancellable);
}

/* Fills the new file @out with the session's tables and samples. @db: an open connection to @out */
static gboolean
write_plain (sqlite3 *db, const char *path, const char *out, const GilkProgress *progress,
             GCancellable *cancellable, GError **error)
{
  g_autoptr(GilkStore) store = gilk_store_open_read (path, cancellable, error);

  if (store == NULL)
    return FALSE;
  sqlite3_db_config (db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
  if (cancellable != NULL)
    sqlite3_progress_handler (db, 1000, on_progress, cancellable);

  /* No journal is needed: the file is new, and is deleted on failure. */
  return run_sql (db, out, cancellable, "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN",
                  error) &&
         gilk_samples_make_tables (db, path, cancellable, error) &&
         copy_samples (db, store, out, progress, cancellable, error) &&
         run_sql (db, out, cancellable, "COMMIT", error) &&
         copy_tables (db, path, out, cancellable, error);
}

gboolean
gilk_store_export_plain (const char         *path,
                         const char         *out,
                         const GilkProgress *progress,
                         GCancellable       *cancellable,
                         GError            **error)
{
  sqlite3 *db = NULL;
  gboolean good;

  if (g_file_test (out, G_FILE_TEST_EXISTS))
    return gilk_fail (error, GILK_ERROR_STORE,
                      _("%s already exists. Name another file, or remove it."), out);
  if (sqlite3_open_v2 (out, &db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_URI, NULL)
      != SQLITE_OK)
    {
      gilk_unwritable (out, sqlite3_system_errno (db), error);
      sqlite3_close (db);
      return FALSE;
    }
  good = write_plain (db, path, out, progress, cancellable, error);
  sqlite3_close (db);
  if (!good)
    g_unlink (out);

  return good;
}

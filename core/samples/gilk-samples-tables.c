/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-samples-tables.c - declares a session's instruments as tables of a database
 */
#include "core/samples/gilk-samples-sql.h"

#include <glib/gi18n.h>

#include "core/base/gilk-error.h"
#include "core/samples/gilk-samples-private.h"

static gboolean
make_table (sqlite3 *db, const char *instrument, GError **error)
{
  g_autofree char *clean = gilk_store_plain_name (instrument);
  char *sql = sqlite3_mprintf ("CREATE VIRTUAL TABLE temp.\"samples_%w\" USING gilk_samples (%Q)", clean,
                               instrument);
  gboolean good = sqlite3_exec (db, sql, NULL, NULL, NULL) == SQLITE_OK;

  sqlite3_free (sql);
  if (!good)
    g_set_error (error, GILK_ERROR, GILK_ERROR_STORE,
                 _("Cannot show the samples of %s as a table: %s. Use gilk export."), instrument,
                 sqlite3_errmsg (db));

  return good;
}

gboolean
gilk_samples_make_tables (sqlite3      *db,
                          const char   *path,
                          GCancellable *cancellable,
                          GError      **error)
{
  GilkStore *store = gilk_store_open_read (path, cancellable, error);
  g_autoptr(GPtrArray) instruments = store != NULL ? gilk_store_sampling_instruments (store, error) : NULL;

  if (instruments == NULL)
    {
      gilk_store_free (store);
      return FALSE;
    }
  if (sqlite3_create_module_v2 (db, "gilk_samples", &gilk_samples_module, store,
                                (void (*) (void *)) gilk_store_free) != SQLITE_OK)
    {
      g_set_error (error, GILK_ERROR, GILK_ERROR_STORE, _("SQLite does not support virtual tables: %s. Update it."),
                   sqlite3_errmsg (db));
      return FALSE;
    }
  for (guint i = 0; i < instruments->len; i++)
    if (!make_table (db, g_ptr_array_index (instruments, i), error))
      return FALSE;

  return TRUE;
}

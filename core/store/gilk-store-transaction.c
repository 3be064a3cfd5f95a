/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-store-transaction.c - the transaction in which a session is written
 *
 * Rows are collected in one transaction, which is committed when it has become large or when the
 * caller flushes it. Samples are collected in memory, and are written as chunks at the
 * transaction's end. The totals of stored samples are written in the same transaction as the
 * samples, so that totals and samples agree after any crash.
 */
#include "core/store/gilk-store-transaction.h"

#include <glib/gi18n.h>

#include "core/store/gilk-store-recorder.h"
#include "core/store/gilk-store-private.h"

#define TRANSACTION_ROWS 50000

gboolean
gilk_store_ensure_transaction (GilkStore *store,
                               GError   **error)
{
  if (store->in_transaction)
    return TRUE;
  if (!gilk_sql_run (store, error, "BEGIN IMMEDIATE", ""))
    return FALSE;
  store->in_transaction = TRUE;
  store->pending = 0;

  return TRUE;
}

gboolean
gilk_store_count_written (GilkStore *store,
                          guint      rows,
                          GError   **error)
{
  store->pending += rows;

  return store->pending < TRANSACTION_ROWS || gilk_store_flush (store, error);
}

void
gilk_store_roll_back (GilkStore *store)
{
  if (store->in_transaction)
    sqlite3_exec (store->db, "ROLLBACK", NULL, NULL, NULL);
  store->in_transaction = FALSE;
  store->pending = 0;
  if (store->recorder != NULL)
    gilk_store_recorder_discard (store->recorder);
}

static gboolean
write_args (GilkStore *store, GError **error, const char *sql, const char *types, va_list args)
{
  if (!gilk_store_ensure_transaction (store, error))
    return FALSE;
  if (gilk_sql_run_args (store, error, sql, types, args))
    return TRUE;
  gilk_store_roll_back (store);

  return FALSE;
}

gboolean
gilk_store_write (GilkStore  *store,
                  GError    **error,
                  const char *sql,
                  const char *types,
                  ...)
{
  gboolean good;
  va_list args;

  va_start (args, types);
  good = write_args (store, error, sql, types, args);
  va_end (args);

  return good;
}

gboolean
gilk_store_write_row (GilkStore  *store,
                      gint64      run,
                      GError    **error,
                      const char *sql,
                      const char *types,
                      ...)
{
  gboolean good;
  va_list args;

  va_start (args, types);
  good = gilk_store_check_run (store, run, error) && write_args (store, error, sql, types, args);
  va_end (args);

  return good && gilk_store_count_written (store, 1, error);
}

gboolean
gilk_store_flush (GilkStore *store,
                  GError   **error)
{
  if (!store->in_transaction)
    return TRUE;
  if ((store->recorder != NULL && !gilk_store_recorder_write (store->recorder, error)) ||
      !gilk_sql_run (store, error, "COMMIT", ""))
    {
      gilk_store_roll_back (store);
      return FALSE;
    }

  store->in_transaction = FALSE;
  store->pending = 0;
  if (store->recorder != NULL)
    gilk_store_recorder_confirm (store->recorder);

  return TRUE;
}

/* Syncs the session through SQLite, which also syncs the folder if needed. */
gboolean
gilk_store_sync (GilkStore *store,
                 GError   **error)
{
  sqlite3_file *log = NULL;

  if (!gilk_store_flush (store, error))
    return FALSE;
  if (sqlite3_file_control (store->db, "main", SQLITE_FCNTL_JOURNAL_POINTER, &log) != SQLITE_OK ||
      log == NULL || log->pMethods == NULL ||
      log->pMethods->xSync (log, SQLITE_SYNC_NORMAL) == SQLITE_OK)
    return TRUE;
  return gilk_fail (error, GILK_ERROR_STORE,
      _("The disk lost data written to %s. Check the disk, or record to another one."), store->path);
}

gboolean
gilk_store_check_run (GilkStore *store,
                      gint64     run,
                      GError   **error)
{
  return gilk_store_recorder_get (store, run, error) != NULL;
}

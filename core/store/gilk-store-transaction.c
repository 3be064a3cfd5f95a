/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-store-transaction.c - transactions of a run being recorded
 *
 * Rows are collected in one transaction, which is committed when it is large or when the caller
 * flushes. Samples are collected in memory, and are written as chunks at its end. Totals of stored
 * samples are written in the same transaction, so that both agree after any crash.
 */
#include "core/store/gilk-store-private.h"

#include <glib/gi18n.h>
#include <inttypes.h>
#include <string.h>

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
  store->chunk = 0;
  g_clear_pointer (&store->noted, g_hash_table_unref);
  if (store->chunks != NULL)
    gilk_chunks_discard (store->chunks);

  for (guint i = 0; store->slots != NULL && i < store->slots->len; i++)
    {
      GilkStoreSlot *slot = g_ptr_array_index (store->slots, i);

      if (slot != NULL)
        memcpy (slot->stored, slot->committed, store->n_cpus * sizeof *slot->stored);
    }
}

static gboolean
write_stored (GilkStore *store, const GilkStoreSlot *slot, GError **error)
{
  for (guint cpu = 0; cpu < store->n_cpus; cpu++)
    if (slot->stored[cpu] != slot->committed[cpu] &&
        !gilk_sql_run (store, error,
                       "INSERT INTO counts (hook, cpu, stored) VALUES (?, ?, ?) "
                       "ON CONFLICT DO UPDATE SET stored = excluded.stored", "iii",
                       slot->id, (gint64) cpu, (gint64) slot->stored[cpu]))
      return FALSE;

  return TRUE;
}

static gboolean
commit_transaction (GilkStore *store, GError **error)
{
  if ((store->chunks != NULL && !gilk_chunks_write (store, error)) || !gilk_chunk_sum_write (store, error))
    return FALSE;
  for (guint i = 0; store->slots != NULL && i < store->slots->len; i++)
    {
      const GilkStoreSlot *slot = g_ptr_array_index (store->slots, i);

      if (slot != NULL && !write_stored (store, slot, error))
        return FALSE;
    }

  return gilk_sql_run (store, error, "COMMIT", "");
}

gboolean
gilk_store_flush (GilkStore *store,
                  GError   **error)
{
  if (!store->in_transaction)
    return TRUE;
  if (!commit_transaction (store, error))
    {
      gilk_store_roll_back (store);
      return FALSE;
    }

  store->in_transaction = FALSE;
  store->pending = 0;
  for (guint i = 0; store->slots != NULL && i < store->slots->len; i++)
    {
      GilkStoreSlot *slot = g_ptr_array_index (store->slots, i);

      if (slot != NULL)
        memcpy (slot->committed, slot->stored, store->n_cpus * sizeof *slot->stored);
    }

  return TRUE;
}

/* Syncs through SQLite, which also syncs the folder if needed. */
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
  g_set_error (error, GILK_ERROR, GILK_ERROR_STORE,
               _("The disk lost data written to %s. Check the disk, or record to another one."), store->path);

  return FALSE;
}

/* ---- the run ---- */

void
gilk_store_reset_run (GilkStore *store)
{
  g_clear_pointer (&store->chunks, gilk_chunks_free);
  g_clear_pointer (&store->clocks, g_free);
  g_clear_pointer (&store->instruments, g_hash_table_unref);
  g_clear_pointer (&store->slots, g_ptr_array_unref);
  g_clear_pointer (&store->noted, g_hash_table_unref);
  store->batch = 0;
  store->run = 0;
}

gboolean
gilk_store_check_run (GilkStore *store,
                      gint64     run,
                      GError   **error)
{
  if (run != 0 && run == store->run)
    return TRUE;
  g_set_error (error, GILK_ERROR, GILK_ERROR_STORE,
               _("Run %" PRId64 " of %s is not being recorded. Start a new run."), run,
               store->path);

  return FALSE;
}

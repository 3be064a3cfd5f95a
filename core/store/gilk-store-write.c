/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-store-write.c - writes a run into a session
 */
#include "core/store/gilk-store-recorder.h"

#include <glib/gi18n.h>

#include "core/store/gilk-store-checksum.h"
#include "core/store/gilk-store-private.h"
#include "core/store/gilk-store-transaction.h"

/* ---- start and end ---- */

static char *
format_iso_time (uint64_t unix_ns)
{
  g_autoptr(GDateTime) when = unix_ns != 0
    ? g_date_time_new_from_unix_utc ((gint64) (unix_ns / 1000000000u))
    : g_date_time_new_now_utc ();

  return g_date_time_format (when, "%Y-%m-%dT%H:%M:%SZ");
}

static gboolean
insert_run (GilkStore *store, const GilkStoreRun *run, GError **error)
{
  g_autofree char *started = format_iso_time (run->zero_unix_ns);

  return gilk_store_write (store, error,
                           "INSERT INTO run (title, target, hostname, release, build_id, boot_id, plan, "
                           "started, zero_tsc, zero_mono_ns, zero_unix_ns, tsc_khz, n_cpus) "
                           "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", "ssssssssiiiii",
                           run->title, run->target != NULL ? run->target : "", run->hostname, run->release,
                           run->build_id, run->boot_id, run->plan_text != NULL ? run->plan_text : "", started,
                           (gint64) run->zero_tsc, (gint64) run->zero_mono_ns, (gint64) run->zero_unix_ns,
                           (gint64) run->tsc_khz, (gint64) run->n_cpus);
}

/* Turns on the WAL. If that is impossible (some network file systems), each commit is synced. */
static gboolean
begin_log (GilkStore *store, GError **error)
{
  GILK_AUTO_STMT stmt = gilk_sql_prepare (store, error, "PRAGMA journal_mode = WAL", "");
  gboolean log;

  if (stmt == NULL)
    return FALSE;
  if (sqlite3_step (stmt) != SQLITE_ROW)
    return gilk_sql_fail (store, error);
  log = g_strcmp0 ((const char *) sqlite3_column_text (stmt, 0), "wal") == 0;
  sqlite3_reset (stmt);

  return gilk_sql_run (store, error, log ? "PRAGMA synchronous = NORMAL"
                                         : "PRAGMA synchronous = FULL", "");
}

gint64
gilk_store_begin_run (GilkStore          *store,
                      const GilkStoreRun *run,
                      GError            **error)
{
  if (store->recorder != NULL || store->reading)
    {
      g_set_error (error, GILK_ERROR, GILK_ERROR_STORE, store->recorder != NULL
                   ? _("A run is already being recorded to %s. Stop it first.")
                   : _("%s was opened read-only. Open it for recording."), store->path);
      return 0;
    }
  if (run->tsc_khz == 0)
    {
      g_set_error (error, GILK_ERROR, GILK_ERROR_DRIVER,
                   _("The driver does not know the rate of the time-stamp counter, so samples "
                     "would have no times. Use a machine with a constant time-stamp counter."));
      return 0;
    }
  if (!gilk_store_lock (store, error))
    return 0;
  if (!begin_log (store, error) ||
      !insert_run (store, run, error))
    {
      gilk_store_unlock (store);
      return 0;
    }

  store->recorder = gilk_store_recorder_new (store, run);

  return store->recorder->run;
}

gboolean
gilk_store_set_zero (GilkStore *store,
                     gint64     run,
                     uint64_t   zero_tsc,
                     uint64_t   zero_mono_ns,
                     uint64_t   zero_unix_ns,
                     GError   **error)
{
  g_autofree char *started = format_iso_time (zero_unix_ns);
  GilkStoreRecorder *recorder = gilk_store_recorder_get (store, run, error);

  if (recorder == NULL ||
      !gilk_store_write (store, error,
                         "UPDATE run SET zero_tsc = ?, zero_mono_ns = ?, zero_unix_ns = ?, started = ? "
                         "WHERE id = ?", "iiisi", (gint64) zero_tsc, (gint64) zero_mono_ns,
                         (gint64) zero_unix_ns, started, run))
    return FALSE;
  recorder->zero_tsc = zero_tsc;
  gilk_store_recorder_start_clocks (recorder, NULL);
  recorder->zero_mono_ns = zero_mono_ns;

  return TRUE;
}

static gboolean
write_end (GilkStore *store, gint64 run, uint64_t duration_ns, const char *end_reason, gboolean sums, GError **error)
{
  if (gilk_store_write (store, error, "UPDATE run SET duration_ns = ?, end_reason = ? WHERE id = ?", "isi",
                        (gint64) duration_ns, end_reason, run) &&
      (!sums || gilk_store_sum_run (store, run, NULL, error)))
    return gilk_store_flush (store, error);
  gilk_store_roll_back (store);

  return FALSE;
}

gboolean
gilk_store_end_run (GilkStore  *store,
                    gint64      run,
                    uint64_t    duration_ns,
                    const char *end_reason,
                    GError    **error)
{
  gboolean kept;

  if (!gilk_store_check_run (store, run, error))
    return FALSE;

  /* Checksums cover the rows in the file, so pending rows are flushed first. If the checksums fail,
   * the run's end is still written. */
  kept = gilk_store_flush (store, error);
  kept = (write_end (store, run, duration_ns, end_reason, TRUE, NULL) ||
          write_end (store, run, duration_ns, end_reason, FALSE, kept ? error : NULL)) && kept;
  gilk_store_stop_recording (store);
  gilk_store_unlock (store);

  return kept;
}

void
gilk_store_enable_compression (GilkStore *store)
{
  g_assert (!store->reading && store->recorder == NULL);
  store->compress = TRUE;
}

/* ---- hooks and functions ---- */

gboolean
gilk_store_add_hook (GilkStore           *store,
                     gint64               run,
                     const GilkStoreHook *hook,
                     gint64              *id,
                     GError             **error)
{
  GilkStoreRecorder *recorder = gilk_store_recorder_get (store, run, error);
  const GilkStoreSlot *slot;

  if (recorder == NULL ||
      !gilk_store_write (store, error,
                         "INSERT INTO hook (run, iid, label, function, module, block, place, instrument, "
                         "tactic, addr, site, start_ns, stop_ns, cost, fingerprint, switched) "
                         "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", "iisssssssiiiiisi",
                         run, (gint64) hook->iid, hook->label, hook->function, hook->module, hook->block,
                         hook->where, hook->instrument, hook->tactic, (gint64) hook->addr,
                         (gint64) hook->site, (gint64) hook->start_ns, (gint64) hook->stop_ns,
                         (gint64) hook->cost, hook->fingerprint, (gint64) hook->switched))
    return FALSE;

  slot = gilk_store_recorder_add_slot (recorder, hook->iid, gilk_sql_last_id (store), hook->instrument);
  if (id != NULL)
    *id = slot->id;

  return TRUE;
}

gboolean
gilk_store_add_function (GilkStore            *store,
                         gint64                run,
                         const char           *function,
                         const char           *module,
                         uint64_t              entry,
                         const GilkStoreBlock *blocks,
                         guint                 n_blocks,
                         const GilkStoreEdge  *edges,
                         guint                 n_edges,
                         GError              **error)
{
  gint64 id;

  if (!gilk_store_check_run (store, run, error) ||
      !gilk_store_write (store, error, "INSERT INTO function (run, name, module, entry) VALUES (?, ?, ?, ?)",
                         "issi", run, function, module, (gint64) entry))
    return FALSE;

  id = gilk_sql_last_id (store);
  for (guint i = 0; i < n_blocks; i++)
    if (!gilk_store_write (store, error, "INSERT INTO block VALUES (?, ?, ?, ?, ?, ?, ?)", "iisiiis",
                           id, (gint64) i, blocks[i].name, (gint64) blocks[i].start, (gint64) blocks[i].end,
                           (gint64) (blocks[i].cold != FALSE), blocks[i].text))
      return FALSE;
  for (guint i = 0; i < n_edges; i++)
    if (!gilk_store_write (store, error, "INSERT INTO edge VALUES (?, ?, ?, ?, ?, ?)", "iiiiii",
                           id, (gint64) i, (gint64) edges[i].from, (gint64) edges[i].to,
                           (gint64) edges[i].kind, (gint64) (edges[i].back != FALSE)))
      return FALSE;

  return gilk_store_count_written (store, 1 + n_blocks + n_edges, error);
}

/* ---- samples ---- */

gboolean
gilk_store_add_records (GilkStore  *store,
                        gint64      run,
                        guint       cpu,
                        const void *cells,
                        gsize       bytes,
                        guint      *stored,
                        GError    **error)
{
  GilkStoreRecorder *recorder = gilk_store_recorder_get (store, run, NULL);
  gboolean many = FALSE;

  *stored = 0;
  if (recorder == NULL || cpu >= recorder->n_cpus || bytes > GILK_CHUNKS_ONCE_BYTES)
    return gilk_store_refuse (error, GILK_ERROR_STORE,
                              _("Got samples of a run or CPU that is not being recorded to %s, or too many at once. "
                                "Please report this."),
                              store->path);
  if (!gilk_store_ensure_transaction (store, error))
    return FALSE;
  if (!gilk_chunks_add (recorder, cpu, cells, bytes, stored, &many, error))
    {
      gilk_store_roll_back (store);
      return FALSE;
    }

  return !many || gilk_store_flush (store, error);
}

/* ---- counts ---- */

/* Works like gilk_store_write(), with a statement that the recorder keeps. */
#define WRITE_OFTEN(store, kept, error, ...) \
  (gilk_store_ensure_transaction (store, error) && \
   (gilk_sql_run_often (store, kept, error, __VA_ARGS__) || (gilk_store_roll_back (store), FALSE)))

uint64_t
gilk_store_stored (GilkStore *store,
                   uint32_t   iid,
                   guint      cpu)
{
  const GilkStoreRecorder *recorder = store->recorder;
  const GilkStoreSlot *slot = recorder != NULL ? gilk_store_recorder_find_slot (recorder, iid) : NULL;

  return slot != NULL && cpu < recorder->n_cpus ? slot->stored[cpu] : 0;
}

gboolean
gilk_store_end_hook (GilkStore *store,
                     gint64     run,
                     uint32_t   iid,
                     uint64_t   stop_ns,
                     GError   **error)
{
  const GilkStoreSlot *slot = gilk_store_recorder_get_slot (store, run, iid, error);

  return slot != NULL &&
         gilk_store_write_row (store, run, error, "UPDATE hook SET stop_ns = ? WHERE id = ?", "ii", (gint64) stop_ns,
                               slot->id);
}

gboolean
gilk_store_put_counts (GilkStore                *store,
                       gint64                    run,
                       uint32_t                  iid,
                       guint                     cpu,
                       const struct ilk_counter *counter,
                       uint64_t                  at_ns,
                       GError                  **error)
{
  const GilkStoreSlot *slot = gilk_store_recorder_get_slot (store, run, iid, error);

  return slot != NULL &&
         WRITE_OFTEN (store, &store->recorder->put_counts, error,
                      "INSERT INTO counts (hook, cpu, hits, lost, missed, at_ns) "
                      "VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET hits = excluded.hits, "
                      "lost = excluded.lost, missed = excluded.missed, at_ns = excluded.at_ns",
                      "iiiiii", slot->id, (gint64) cpu, (gint64) counter->count,
                      (gint64) counter->lost, (gint64) counter->missed, (gint64) at_ns) &&
         gilk_store_count_written (store, 1, error);
}

gboolean
gilk_store_add_count_point (GilkStore *store,
                            gint64     run,
                            uint32_t   iid,
                            uint64_t   at_ns,
                            uint64_t   count,
                            GError   **error)
{
  const GilkStoreSlot *slot = gilk_store_recorder_get_slot (store, run, iid, error);

  return slot != NULL &&
         WRITE_OFTEN (store, &store->recorder->add_point, error, "INSERT OR REPLACE INTO count_point VALUES (?, ?, ?)",
                      "iii", slot->id, (gint64) at_ns, (gint64) count) &&
         gilk_store_count_written (store, 1, error);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-store-recorder.c - keeps the state of the run being recorded
 */
#include "core/store/gilk-store-recorder.h"

#include <glib/gi18n.h>
#include <inttypes.h>
#include <string.h>

#include "core/base/gilk-memory.h"
#include "core/store/gilk-store-private.h"
#include "core/store/gilk-store-write.h"

void
gilk_store_recorder_instrument_free (gpointer data)
{
  GilkStoreInstrument *instrument = data;

  g_free (instrument->name);
  g_free (instrument);
}

static void
slot_free (gpointer data)
{
  GilkStoreSlot *slot = data;

  if (slot == NULL)
    return;
  gilk_free_all (slot->stored, slot->committed, slot);
}

GilkStoreRecorder *
gilk_store_recorder_new (GilkStore          *store,
                         const GilkStoreRun *run)
{
  GilkStoreRecorder *recorder = g_new0 (GilkStoreRecorder, 1);

  recorder->store = store;
  recorder->run = gilk_sql_last_id (store);
  recorder->n_cpus = MAX (run->n_cpus, 1);
  recorder->clocks = g_new (GilkClock, recorder->n_cpus);
  recorder->tsc_hz = MIN (run->tsc_khz, G_MAXUINT64 / 1000) * 1000;
  recorder->zero_tsc = run->zero_tsc;
  recorder->zero_mono_ns = run->zero_mono_ns;
  gilk_store_recorder_start_clocks (recorder, NULL);
  recorder->chunks = gilk_chunks_new (recorder->n_cpus);
  recorder->writer = gilk_chunk_writer_new (store, store->compress);
  recorder->instruments = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, gilk_store_recorder_instrument_free);
  recorder->slots = g_ptr_array_new_with_free_func (slot_free);

  return recorder;
}

void
gilk_store_stop_recording (GilkStore *store)
{
  GilkStoreRecorder *recorder = g_steal_pointer (&store->recorder);

  if (recorder == NULL)
    return;
  gilk_chunks_free (recorder->chunks);
  gilk_chunk_writer_free (recorder->writer);
  sqlite3_finalize (recorder->put_counts);
  sqlite3_finalize (recorder->add_point);
  sqlite3_finalize (recorder->put_value);
  g_hash_table_unref (recorder->instruments);
  g_ptr_array_unref (recorder->slots);
  g_clear_pointer (&recorder->noted, g_hash_table_unref);
  g_free (recorder->clocks);
  g_free (recorder);
}

const GilkStoreSlot *
gilk_store_recorder_add_slot (GilkStoreRecorder *recorder,
                              uint32_t           iid,
                              gint64             id,
                              const char        *instrument)
{
  GilkStoreSlot *slot = g_new0 (GilkStoreSlot, 1);

  slot->id = id;
  slot->instrument = g_hash_table_lookup (recorder->instruments, instrument);
  slot->stored = g_new0 (uint64_t, recorder->n_cpus);
  slot->committed = g_new0 (uint64_t, recorder->n_cpus);
  if (iid >= recorder->slots->len)
    g_ptr_array_set_size (recorder->slots, (int) iid + 1);
  slot_free (g_ptr_array_index (recorder->slots, iid));
  g_ptr_array_index (recorder->slots, iid) = slot;

  return slot;
}

/* ---- transactions ---- */

static gboolean
write_stored (GilkStoreRecorder *recorder, const GilkStoreSlot *slot, GError **error)
{
  for (guint cpu = 0; cpu < recorder->n_cpus; cpu++)
    if (slot->stored[cpu] != slot->committed[cpu] &&
        !gilk_sql_run (recorder->store, error,
                       "INSERT INTO counts (hook, cpu, stored) VALUES (?, ?, ?) "
                       "ON CONFLICT DO UPDATE SET stored = excluded.stored", "iii",
                       slot->id, (gint64) cpu, (gint64) slot->stored[cpu]))
      return FALSE;

  return TRUE;
}

gboolean
gilk_store_recorder_write (GilkStoreRecorder *recorder,
                           GError           **error)
{
  if (!gilk_chunks_write (recorder, error) || !gilk_chunk_finish (recorder->writer, error))
    return FALSE;
  for (guint i = 0; i < recorder->slots->len; i++)
    {
      const GilkStoreSlot *slot = g_ptr_array_index (recorder->slots, i);

      if (slot != NULL && !write_stored (recorder, slot, error))
        return FALSE;
    }

  return TRUE;
}

static void
copy_totals (GilkStoreRecorder *recorder, gboolean back)
{
  for (guint i = 0; i < recorder->slots->len; i++)
    {
      GilkStoreSlot *slot = g_ptr_array_index (recorder->slots, i);

      if (slot != NULL)
        memcpy (back ? slot->stored : slot->committed, back ? slot->committed : slot->stored,
                recorder->n_cpus * sizeof *slot->stored);
    }
}

void
gilk_store_recorder_confirm (GilkStoreRecorder *recorder)
{
  copy_totals (recorder, FALSE);
}

void
gilk_store_recorder_discard (GilkStoreRecorder *recorder)
{
  gilk_chunk_discard (recorder->writer);
  gilk_chunks_discard (recorder->chunks);
  g_clear_pointer (&recorder->noted, g_hash_table_unref);
  copy_totals (recorder, TRUE);
}

/* ---- the run ---- */

GilkStoreRecorder *
gilk_store_recorder_get (GilkStore *store,
                         gint64     run,
                         GError   **error)
{
  if (store->recorder != NULL && run == store->recorder->run)
    return store->recorder;
  return gilk_fail_null (error, GILK_ERROR_STORE,
                         _("Run %" PRId64 " of %s is not being recorded. Start a new run."), run,
                         store->path);
}

GilkStoreRecorder *
gilk_store_recorder_get_any (GilkStore *store,
                             GError   **error)
{
  return gilk_store_recorder_get (store, store->recorder != NULL ? store->recorder->run : 0, error);
}

GilkStoreSlot *
gilk_store_recorder_get_slot (GilkStore *store,
                              gint64     run,
                              uint32_t   iid,
                              GError   **error)
{
  const GilkStoreRecorder *recorder = gilk_store_recorder_get (store, run, error);
  GilkStoreSlot *slot = recorder != NULL ? gilk_store_recorder_find_slot (recorder, iid) : NULL;

  if (recorder != NULL && slot == NULL)
    g_set_error (error, GILK_ERROR, GILK_ERROR_STORE,
                 _("Hook %u does not belong to this run. Please report this."), iid);

  return slot;
}

void
gilk_store_recorder_start_clocks (GilkStoreRecorder *recorder,
                                  const gint64      *subtracted_offset)
{
  for (guint cpu = 0; cpu < recorder->n_cpus; cpu++)
    recorder->clocks[cpu] = gilk_clock_at (recorder->zero_tsc + (subtracted_offset != NULL
                                                                 ? (uint64_t) subtracted_offset[cpu] : 0),
                                           recorder->tsc_hz);
}

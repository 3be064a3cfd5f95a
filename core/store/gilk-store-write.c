/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-store-write.c - writes a run into a session: the run, its instruments, hooks, records and
 * counts
 */
#include "core/store/gilk-store-recorder.h"

#include <glib/gi18n.h>
#include <string.h>

#include "core/emit/gilk-inline.h"
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

/* Turns on SQLite's write-ahead log (WAL). If that is impossible (some network file systems), each
 * commit is synced. */
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

  /* Flush pending rows first, because checksums cover only rows in the file. If the checksums fail,
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
    return gilk_fail (error, GILK_ERROR_STORE,
        _("Got samples of a run or CPU that is not being recorded to %s, or too many at once. "
          "Please report this."), store->path);
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

/* Works like gilk_store_write(), but prepares the statement only once, and keeps it in the recorder
 * as @kept. */
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

/*
 * Checks and stores the description of an instrument.
 *
 * Each run has its own instruments, so different versions of an instrument can coexist in a
 * session.
 */

/* ---- names ---- */

/* Makes a column name for a field. Appends "_" until the name differs from the fixed columns and
 * from those of earlier fields. */
static char *
make_column_name (const char *field, const GPtrArray *taken)
{
  static const char *const ours[] = { "run", "hook", "function", "block", "place", "cpu", "t",
                                      "t_ns", NULL };
  char *name = gilk_sql_plain_name (field);

  while (g_strv_contains (ours, name) ||
         g_ptr_array_find_with_equal_func ((GPtrArray *) taken, name, g_str_equal, NULL))
    {
      char *longer = g_strconcat (name, "_", NULL);

      g_free (name);
      name = longer;
    }

  return name;
}

/* ---- descriptions ---- */

static guint
get_type_size (const struct ilk_field *field)
{
  switch (field->type)
    {
    case ILK_FIELD_U64:
    case ILK_FIELD_S64:
    case ILK_FIELD_HEX64:
      return 8;
    case ILK_FIELD_U32:
    case ILK_FIELD_S32:
      return 4;
    case ILK_FIELD_TEXT:
      return field->size;
    default:
      return 0;
    }
}

static gboolean
is_terminated (const char *text, gsize size)
{
  return memchr (text, '\0', size) != NULL;
}

static gboolean
is_valid_field (const struct ilk_field *field, guint sample_bytes)
{
  return is_terminated (field->name, sizeof field->name) &&
         is_terminated (field->unit, sizeof field->unit) &&
         is_terminated (field->help, sizeof field->help) &&
         field->size > 0 && field->size == get_type_size (field) &&
         (guint) field->offset + field->size <= sample_bytes;
}

static gboolean
is_valid_desc (const struct ilk_instrument_desc *desc)
{
  if (!is_terminated (desc->name, sizeof desc->name) || desc->name[0] == '\0' ||
      !is_terminated (desc->help, sizeof desc->help) ||
      desc->sample_bytes > ILK_SAMPLE_MAX || desc->field_count > ILK_FIELDS_MAX)
    return FALSE;
  for (guint i = 0; i < desc->field_count; i++)
    if (!is_valid_field (&desc->fields[i], desc->sample_bytes))
      return FALSE;

  return TRUE;
}

/* Returns the value for the column field.meaning. An enum's name and the names of its constants
 * are stored later. */
static const char *
get_meaning (const struct ilk_field *field)
{
  static const char *const meanings[] = {
    [ILK_MEANING_SYMBOL] = "symbol", [ILK_MEANING_STACK] = "stack", [ILK_MEANING_ERRNO] = "errno",
  };

  return field->meaning < G_N_ELEMENTS (meanings) ? meanings[field->meaning] : NULL;
}

static gboolean
insert_fields (GilkStore *store, gint64 instrument, const struct ilk_instrument_desc *desc,
               const GPtrArray *columns, GError **error)
{
  for (guint i = 0; i < desc->field_count; i++)
    {
      const struct ilk_field *field = &desc->fields[i];

      if (!gilk_store_write (store, error, "INSERT INTO field VALUES (?, ?, ?, ?, ?, ?, ?, ?)", "iissssis",
                             instrument, (gint64) i, field->name, g_ptr_array_index (columns, i),
                             field->unit, field->help, (gint64) field->type, get_meaning (field)))
        return FALSE;
    }

  return TRUE;
}

static gboolean
insert_instrument (GilkStore *store, gint64 run, const struct ilk_instrument_desc *desc,
                   GilkStoreInstrument *instrument, GError **error)
{
  g_autoptr(GPtrArray) columns = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < desc->field_count; i++)
    g_ptr_array_add (columns, make_column_name (desc->fields[i].name, columns));
  if (!gilk_store_write (store, error,
                         "INSERT INTO instrument (run, name, help, version, sample_bytes, "
                         "takes_samples) VALUES (?, ?, ?, ?, ?, ?)", "issiii", run, desc->name,
                         desc->help, (gint64) desc->version, (gint64) desc->sample_bytes,
                         (gint64) instrument->samples))
    return FALSE;
  instrument->id = gilk_sql_last_id (store);

  return insert_fields (store, instrument->id, desc, columns, error);
}

/* Stores an instrument. Pure counters do not take samples. Other instruments without fields take
 * samples that have only a time. */
gboolean
gilk_store_add_instrument (GilkStore                        *store,
                           gint64                            run,
                           const struct ilk_instrument_desc *desc,
                           GError                          **error)
{
  GilkStoreRecorder *recorder = gilk_store_recorder_get (store, run, error);
  GilkStoreInstrument *instrument;

  if (recorder == NULL)
    return FALSE;
  if (!is_valid_desc (desc))
    return gilk_fail (error, GILK_ERROR_PROTOCOL,
        _("Instrument “%.31s” describes its samples wrongly: a field lies outside of the sample or has no name. "
          "Correct the instrument."), desc->name);
  if (g_hash_table_contains (recorder->instruments, desc->name))
    return TRUE;

  instrument = g_new0 (GilkStoreInstrument, 1);
  instrument->name = g_strdup (desc->name);
  instrument->samples = !gilk_inline_is (desc->name, GILK_INLINE_COUNT);
  instrument->n_fields = desc->field_count;
  memcpy (instrument->fields, desc->fields, desc->field_count * sizeof *instrument->fields);

  if (!insert_instrument (store, run, desc, instrument, error))
    {
      gilk_store_recorder_instrument_free (instrument);
      return FALSE;
    }
  g_hash_table_insert (recorder->instruments, instrument->name, instrument);

  return TRUE;
}

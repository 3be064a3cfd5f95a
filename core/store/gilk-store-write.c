/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-store-write.c - one run going into a session
 *
 * Rows gather in one transaction that is committed when it is large or when the
 * caller flushes. Totals of stored samples are written in the same transaction as
 * the samples, so that both agree after any crash.
 */
#include "core/store/gilk-store-private.h"

#include <string.h>

#define TRANSACTION_ROWS 50000

/* ---- transactions ---- */

gboolean
gilk_store_want_transaction (GilkStore *store,
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
gilk_store_wrote (GilkStore *store,
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
commit (GilkStore *store, GError **error)
{
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
  if (!commit (store, error))
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

/* Runs one statement within the transaction; an error takes it back as a whole. */
#define WRITE(store, error, ...) \
  (gilk_store_want_transaction (store, error) && \
   (gilk_sql_run (store, error, __VA_ARGS__) || (gilk_store_roll_back (store), FALSE)))

/* ---- begin and end ---- */

static void
slot_free (gpointer data)
{
  GilkStoreSlot *slot = data;

  if (slot == NULL)
    return;
  g_free (slot->stored);
  g_free (slot->committed);
  g_free (slot);
}

void
gilk_store_forget_run (GilkStore *store)
{
  g_clear_pointer (&store->tables, g_hash_table_unref);
  g_clear_pointer (&store->slots, g_ptr_array_unref);
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
               "Run %" G_GINT64_FORMAT " of %s is not being recorded. Begin a new run.", run,
               store->path);

  return FALSE;
}

static char *
iso_time (uint64_t unix_ns)
{
  g_autoptr(GDateTime) when = unix_ns != 0
    ? g_date_time_new_from_unix_utc ((gint64) (unix_ns / 1000000000u))
    : g_date_time_new_now_utc ();

  return g_date_time_format (when, "%Y-%m-%dT%H:%M:%SZ");
}

static gboolean
insert_run (GilkStore *store, const GilkStoreRun *run, GError **error)
{
  g_autofree char *started = iso_time (run->zero_unix_ns);

  return WRITE (store, error,
                "INSERT INTO run (title, target, hostname, release, build_id, plan, started, "
                "zero_tsc, zero_mono_ns, zero_unix_ns, tsc_khz, n_cpus) "
                "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", "sssssssiiiii",
                run->title, run->target != NULL ? run->target : "", run->hostname, run->release,
                run->build_id, run->plan_text != NULL ? run->plan_text : "", started,
                (gint64) run->zero_tsc, (gint64) run->zero_mono_ns, (gint64) run->zero_unix_ns,
                (gint64) run->tsc_khz, (gint64) run->n_cpus);
}

gint64
gilk_store_begin_run (GilkStore          *store,
                      const GilkStoreRun *run,
                      GError            **error)
{
  if (store->run != 0 || store->mode == GILK_STORE_READ)
    {
      g_set_error (error, GILK_ERROR, GILK_ERROR_STORE, store->run != 0
                   ? "A run is already being recorded to %s. End it first."
                   : "%s was opened for reading only. Open it for recording.", store->path);
      return 0;
    }
  if (run->tsc_khz == 0)
    {
      g_set_error (error, GILK_ERROR, GILK_ERROR_DRIVER,
                   "The driver does not know the rate of the time stamp counter, so samples would "
                   "have no times. Use a machine with a constant one.");
      return 0;
    }
  if (!gilk_store_lock (store, error))
    return 0;
  if (!gilk_sql_run (store, error, "PRAGMA journal_mode = WAL", "") ||
      !gilk_sql_run (store, error, "PRAGMA synchronous = NORMAL", "") ||
      !insert_run (store, run, error))
    {
      gilk_store_unlock (store);
      return 0;
    }

  store->run = sqlite3_last_insert_rowid (store->db);
  store->zero_tsc = run->zero_tsc;
  store->zero_mono_ns = run->zero_mono_ns;
  store->tsc_khz = run->tsc_khz;
  store->n_cpus = MAX (run->n_cpus, 1);
  store->tables = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, gilk_store_table_free);
  store->slots = g_ptr_array_new_with_free_func (slot_free);

  return store->run;
}

gboolean
gilk_store_set_zero (GilkStore *store,
                     gint64     run,
                     uint64_t   zero_tsc,
                     uint64_t   zero_mono_ns,
                     uint64_t   zero_unix_ns,
                     GError   **error)
{
  g_autofree char *started = iso_time (zero_unix_ns);

  if (!gilk_store_check_run (store, run, error) ||
      !WRITE (store, error,
              "UPDATE run SET zero_tsc = ?, zero_mono_ns = ?, zero_unix_ns = ?, started = ? "
              "WHERE id = ?", "iiisi", (gint64) zero_tsc, (gint64) zero_mono_ns,
              (gint64) zero_unix_ns, started, run))
    return FALSE;
  store->zero_tsc = zero_tsc;
  store->zero_mono_ns = zero_mono_ns;

  return TRUE;
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

  kept = WRITE (store, error, "UPDATE run SET duration_ns = ?, end_reason = ? WHERE id = ?", "isi",
                (gint64) duration_ns, end_reason, run) &&
         gilk_store_flush (store, error);
  gilk_store_forget_run (store);
  kept = kept && gilk_store_make_indexes (store, run, error);
  gilk_store_unlock (store);

  return kept;
}

/* ---- what is hooked ---- */

gboolean
gilk_store_add_hook (GilkStore           *store,
                     gint64               run,
                     const GilkStoreHook *hook,
                     gint64              *id,
                     GError             **error)
{
  GilkStoreSlot *slot;

  if (!gilk_store_check_run (store, run, error) ||
      !WRITE (store, error,
              "INSERT INTO hook (run, iid, label, function, module, block, place, instrument, "
              "tactic, addr, site, start_ns, stop_ns, cost, fingerprint) "
              "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", "iisssssssiiiiis",
              run, (gint64) hook->iid, hook->label, hook->function, hook->module, hook->block,
              hook->where, hook->instrument, hook->tactic, (gint64) hook->addr,
              (gint64) hook->site, (gint64) hook->start_ns, (gint64) hook->stop_ns,
              (gint64) hook->cost, hook->fingerprint))
    return FALSE;

  slot = g_new0 (GilkStoreSlot, 1);
  slot->id = sqlite3_last_insert_rowid (store->db);
  slot->table = g_hash_table_lookup (store->tables, hook->instrument);
  slot->stored = g_new0 (uint64_t, store->n_cpus);
  slot->committed = g_new0 (uint64_t, store->n_cpus);
  if (hook->iid >= store->slots->len)
    g_ptr_array_set_size (store->slots, (int) hook->iid + 1);
  slot_free (g_ptr_array_index (store->slots, hook->iid));
  g_ptr_array_index (store->slots, hook->iid) = slot;
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
      !WRITE (store, error, "INSERT INTO function (run, name, module, entry) VALUES (?, ?, ?, ?)",
              "issi", run, function, module, (gint64) entry))
    return FALSE;

  id = sqlite3_last_insert_rowid (store->db);
  for (guint i = 0; i < n_blocks; i++)
    if (!WRITE (store, error, "INSERT INTO block VALUES (?, ?, ?, ?, ?, ?, ?)", "iisiiis",
                id, (gint64) i, blocks[i].name, (gint64) blocks[i].start, (gint64) blocks[i].end,
                (gint64) (blocks[i].cold != FALSE), blocks[i].text))
      return FALSE;
  for (guint i = 0; i < n_edges; i++)
    if (!WRITE (store, error, "INSERT INTO edge VALUES (?, ?, ?, ?, ?, ?)", "iiiiii",
                id, (gint64) i, (gint64) edges[i].from, (gint64) edges[i].to,
                (gint64) edges[i].kind, (gint64) (edges[i].back != FALSE)))
      return FALSE;

  return gilk_store_wrote (store, 1 + n_blocks + n_edges, error);
}

/* ---- journal ---- */

static const char *
tactic_name (guint tactic)
{
  static const char *const names[] = { "none", "splice", "bounce", "clone", "trap" };

  return tactic < G_N_ELEMENTS (names) ? names[tactic] : "unknown";
}

static const char *
state_name (guint state)
{
  static const char *const names[] = { "reserved", "prepared", "trapped", "armed", "restored",
                                       "retired", "failed", "gone", "lent" };

  return state < G_N_ELEMENTS (names) ? names[state] : "unknown";
}

/* A moment of the target's clock as text for SQL: NULL where it never came. */
static void
bind_moment (sqlite3_stmt *stmt, int index, uint64_t mono_ns, uint64_t zero_ns)
{
  if (mono_ns != 0)
    sqlite3_bind_int64 (stmt, index, (gint64) (mono_ns - zero_ns));
}

typedef struct {
  gint64         number;
  uint64_t       addr, armed_ns, spliced_ns, restored_ns, trap_hits;
  guint          state;
  const uint8_t *before, *after;
  int            length;
} Change;

static gboolean
add_change (GilkStore *store, gint64 run, const struct ilk_patch_status *patch,
            const Change *change, GError **error)
{
  GILK_AUTO_STMT stmt = NULL;

  stmt = gilk_sql_prepare (store, error,
                           "INSERT OR REPLACE INTO patch VALUES "
                           "(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", "iiiissbbi",
                           run, change->number, (gint64) change->addr, (gint64) patch->slot,
                           tactic_name (patch->tactic), state_name (change->state),
                           change->before, change->length, change->after, change->length,
                           (gint64) change->trap_hits);
  if (stmt == NULL)
    return FALSE;
  bind_moment (stmt, 10, change->armed_ns, store->zero_mono_ns);
  bind_moment (stmt, 11, change->spliced_ns, store->zero_mono_ns);
  bind_moment (stmt, 12, change->restored_ns, store->zero_mono_ns);
  if (sqlite3_step (stmt) != SQLITE_DONE)
    {
      gilk_sql_fail (store, error);
      gilk_store_roll_back (store);
      return FALSE;
    }

  return gilk_store_wrote (store, 1, error);
}

gboolean
gilk_store_add_patch (GilkStore                     *store,
                      gint64                         run,
                      const struct ilk_patch_status *patch,
                      GError                       **error)
{
  const Change site = {
    .number = patch->id, .addr = patch->site, .state = patch->state,
    .armed_ns = patch->armed_mono_ns, .spliced_ns = patch->spliced_mono_ns,
    .restored_ns = patch->restored_mono_ns, .trap_hits = patch->trap_hits,
    .before = patch->old, .after = patch->new_,
    .length = (int) MIN (patch->len, (uint32_t) ILK_FOOTPRINT_MAX),
  };
  const Change bounce = {
    .number = -(gint64) patch->id, .addr = patch->aux,
    .state = patch->aux_laid_mono_ns == 0 ? patch->state :
             patch->aux_restored_mono_ns == 0 ? ILK_STATE_ARMED : ILK_STATE_RESTORED,
    .armed_ns = patch->aux_laid_mono_ns, .spliced_ns = patch->aux_laid_mono_ns,
    .restored_ns = patch->aux_restored_mono_ns,
    .before = patch->aux_old, .after = patch->aux_new, .length = ILK_BOUNCE_BYTES,
  };

  if (!gilk_store_check_run (store, run, error) || !gilk_store_want_transaction (store, error) ||
      !add_change (store, run, patch, &site, error))
    return FALSE;

  return patch->aux == 0 || add_change (store, run, patch, &bounce, error);
}

/* ---- counts ---- */

static GilkStoreSlot *
find_slot (GilkStore *store, gint64 run, uint32_t iid, GError **error)
{
  GilkStoreSlot *slot;

  if (!gilk_store_check_run (store, run, error))
    return NULL;
  slot = iid < store->slots->len ? g_ptr_array_index (store->slots, iid) : NULL;
  if (slot == NULL)
    g_set_error (error, GILK_ERROR, GILK_ERROR_STORE,
                 "Hook %u does not belong to this run. Please report this.", iid);

  return slot;
}

uint64_t
gilk_store_stored (GilkStore *store,
                   uint32_t   iid,
                   guint      cpu)
{
  const GilkStoreSlot *slot = NULL;

  if (store->slots != NULL && iid < store->slots->len)
    slot = g_ptr_array_index (store->slots, iid);

  return slot != NULL && cpu < store->n_cpus ? slot->stored[cpu] : 0;
}

gboolean
gilk_store_end_hook (GilkStore *store,
                     gint64     run,
                     uint32_t   iid,
                     uint64_t   stop_ns,
                     GError   **error)
{
  const GilkStoreSlot *slot = find_slot (store, run, iid, error);

  return slot != NULL &&
         WRITE (store, error, "UPDATE hook SET stop_ns = ? WHERE id = ?", "ii", (gint64) stop_ns,
                slot->id) &&
         gilk_store_wrote (store, 1, error);
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
  const GilkStoreSlot *slot = find_slot (store, run, iid, error);

  return slot != NULL &&
         WRITE (store, error,
                "INSERT INTO counts (hook, cpu, hits, lost, dropped, at_ns) "
                "VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET hits = excluded.hits, "
                "lost = excluded.lost, dropped = excluded.dropped, at_ns = excluded.at_ns",
                "iiiiii", slot->id, (gint64) cpu, (gint64) counter->count, (gint64) counter->lost,
                (gint64) counter->dropped, (gint64) at_ns) &&
         gilk_store_wrote (store, 1, error);
}

gboolean
gilk_store_add_count_point (GilkStore *store,
                            gint64     run,
                            uint32_t   iid,
                            uint64_t   at_ns,
                            uint64_t   count,
                            GError   **error)
{
  const GilkStoreSlot *slot = find_slot (store, run, iid, error);

  return slot != NULL &&
         WRITE (store, error, "INSERT OR REPLACE INTO count_point VALUES (?, ?, ?)", "iii",
                slot->id, (gint64) at_ns, (gint64) count) &&
         gilk_store_wrote (store, 1, error);
}

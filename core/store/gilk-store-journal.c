/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-store-journal.c - the journal of changes to kernel text, written to disk before the changes
 * are made
 *
 *   1. PREPARE                     the driver has the new bytes; kernel text is unchanged
 *   2. gilk_store_plan_patches()   writes a row for each footprint (the bytes overwritten at a
 *                                  point) and each bounce (the 5-byte jump near it); synced to disk
 *   3. ARM
 *   4. gilk_store_note_patches()   updates states and times, as reported by the driver; if nothing
 *                                  was changed, gilk_store_drop_planned() is called instead
 *
 * Whichever process dies between steps 2 and 4, the rows contain every byte that may have been
 * changed. The bytes in a row never change; each time is set once. Step 4 is not synced: after a
 * crash an older state may be found, which is less complete but not wrong.
 */
#include "core/store/gilk-store-write.h"

#include <string.h>

#include "core/base/gilk-refusal.h"
#include "core/base/gilk-tactic.h"
#include "core/store/gilk-store-recorder.h"
#include "core/store/gilk-store-transaction.h"

/* A change of kernel text: the bytes overwritten at a probe point (the footprint), or the 5-byte
 * jump of a bounce. @number is the id of the patch; for the jump of a bounce, minus the id. */
typedef struct {
  gint64         number;
  uint64_t       addr, slot, armed_ns, spliced_ns, restored_ns, trap_hits;
  const char    *state;
  guint          refusal, tactic;
  const uint8_t *before, *after;
  int            length;
} Change;

/* State of a patch in the journal, to detect changes. */
typedef struct {
  guint    state;
  uint64_t moments[5];
} Noted;

static const char *
get_state_name (guint state)
{
  static const char *const names[] = { "planned", "planned", "trapped", "armed", "restored",
                                       "retired", "failed", "gone", "lending" };

  return state < G_N_ELEMENTS (names) ? names[state] : "unknown";
}

static Change
make_site_change (const struct ilk_patch_status *patch)
{
  return (Change) {
    .number = patch->id, .addr = patch->site, .slot = patch->slot, .tactic = patch->tactic,
    .state = get_state_name (patch->state), .refusal = patch->refusal,
    .armed_ns = patch->armed_mono_ns, .spliced_ns = patch->spliced_mono_ns,
    .restored_ns = patch->restored_mono_ns, .trap_hits = patch->trap_hits,
    .before = patch->old, .after = patch->new_,
    .length = (int) MIN (patch->len, (uint32_t) ILK_FOOTPRINT_MAX),
  };
}

static Change
make_bounce_change (const struct ilk_patch_status *patch)
{
  return (Change) {
    .number = -(gint64) patch->id, .addr = patch->aux, .slot = patch->slot,
    .tactic = patch->tactic, .refusal = patch->refusal,
    .state = patch->aux_laid_mono_ns == 0 ? get_state_name (patch->state) :
             patch->aux_restored_mono_ns == 0 ? "armed" : "restored",
    .armed_ns = patch->aux_laid_mono_ns, .spliced_ns = patch->aux_laid_mono_ns,
    .restored_ns = patch->aux_restored_mono_ns,
    .before = patch->aux_old, .after = patch->aux_new, .length = ILK_BOUNCE_BYTES,
  };
}

/* ---- one row ---- */

/* Binds the time of an event, from the target's clock to ns since time zero; binds NULL if the
 * event has not occurred (@mono_ns is 0). */
static void
bind_moment (sqlite3_stmt *stmt, int index, uint64_t mono_ns, uint64_t zero_ns)
{
  if (mono_ns != 0)
    sqlite3_bind_int64 (stmt, index, (gint64) (mono_ns - zero_ns));
  else
    sqlite3_bind_null (stmt, index);
}

static sqlite3_stmt *
prepare_write (GilkStore *store, GError **error)
{
  return gilk_sql_prepare (store, error,
    "INSERT INTO patch (run, patch, site, slot, tactic, state, old_bytes, new_bytes, trap_hits, "
    "armed_ns, spliced_ns, restored_ns, batch, refusal) "
    "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET "
    "state = excluded.state, trap_hits = excluded.trap_hits, "
    "armed_ns = coalesce (armed_ns, excluded.armed_ns), "
    "spliced_ns = coalesce (spliced_ns, excluded.spliced_ns), "
    "restored_ns = coalesce (restored_ns, excluded.restored_ns), "
    "refusal = coalesce (refusal, excluded.refusal)", "");
}

static gboolean
write_change (GilkStoreRecorder *recorder, sqlite3_stmt *stmt, const Change *change, GError **error)
{
  sqlite3_bind_int64 (stmt, 1, recorder->run);
  sqlite3_bind_int64 (stmt, 2, change->number);
  sqlite3_bind_int64 (stmt, 3, (gint64) change->addr);
  sqlite3_bind_int64 (stmt, 4, (gint64) change->slot);
  sqlite3_bind_text (stmt, 5, gilk_tactic_name (change->tactic), -1, SQLITE_STATIC);
  sqlite3_bind_text (stmt, 6, change->state, -1, SQLITE_STATIC);
  sqlite3_bind_blob (stmt, 7, change->before, change->length, SQLITE_STATIC);
  sqlite3_bind_blob (stmt, 8, change->after, change->length, SQLITE_STATIC);
  sqlite3_bind_int64 (stmt, 9, (gint64) change->trap_hits);
  bind_moment (stmt, 10, change->armed_ns, recorder->zero_mono_ns);
  bind_moment (stmt, 11, change->spliced_ns, recorder->zero_mono_ns);
  bind_moment (stmt, 12, change->restored_ns, recorder->zero_mono_ns);
  sqlite3_bind_int64 (stmt, 13, (gint64) MAX (recorder->batch, 1));
  if (change->refusal != 0)
    sqlite3_bind_text (stmt, 14, gilk_refusal_name (change->refusal), -1, SQLITE_STATIC);
  else
    sqlite3_bind_null (stmt, 14);

  return gilk_sql_finish (recorder->store, stmt, error);
}

/* Returns whether the patch's status differs from the journal, and records the new status. */
static gboolean
has_status_changed (GilkStoreRecorder *recorder, const struct ilk_patch_status *patch)
{
  const Noted now = {
    .state = patch->state,
    .moments = { patch->armed_mono_ns, patch->spliced_mono_ns, patch->restored_mono_ns,
                 patch->aux_laid_mono_ns, patch->aux_restored_mono_ns },
  };
  Noted *noted;

  if (recorder->noted == NULL)
    recorder->noted = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  noted = g_hash_table_lookup (recorder->noted, GUINT_TO_POINTER (patch->id));
  if (noted != NULL && noted->state == now.state &&
      memcmp (noted->moments, now.moments, sizeof now.moments) == 0)
    return FALSE;
  if (noted == NULL)
    {
      noted = g_new (Noted, 1);
      g_hash_table_insert (recorder->noted, GUINT_TO_POINTER (patch->id), noted);
    }
  *noted = now;

  return TRUE;
}

static gboolean
write_patches (GilkStoreRecorder *recorder, const struct ilk_patch_status *patches, guint n, gboolean all, GError **error)
{
  GilkStore *store = recorder->store;
  GILK_AUTO_STMT stmt = NULL;
  guint n_written = 0;

  for (guint i = 0; i < n; i++)
    {
      Change site = make_site_change (&patches[i]), bounce = make_bounce_change (&patches[i]);

      if (!has_status_changed (recorder, &patches[i]) && !(all && patches[i].trap_hits != 0))
        continue;
      if (stmt == NULL)
        stmt = gilk_store_ensure_transaction (store, error) ? prepare_write (store, error) : NULL;
      if (stmt == NULL || !write_change (recorder, stmt, &site, error) ||
          (bounce.addr != 0 && !write_change (recorder, stmt, &bounce, error)))
        {
          gilk_store_roll_back (store);
          return FALSE;
        }
      n_written++;
    }

  return gilk_store_count_written (store, n_written, error);
}

/* ---- public ---- */

gboolean
gilk_store_plan_patches (GilkStore                     *store,
                         gint64                         run,
                         const struct ilk_patch_status *patches,
                         guint                          n,
                         GError                       **error)
{
  GilkStoreRecorder *recorder = gilk_store_recorder_get (store, run, error);

  if (recorder == NULL)
    return FALSE;
  recorder->batch++;

  return write_patches (recorder, patches, n, FALSE, error) && gilk_store_sync (store, error);
}

gboolean
gilk_store_note_patches (GilkStore                     *store,
                         gint64                         run,
                         const struct ilk_patch_status *patches,
                         guint                          n,
                         gboolean                       all,
                         GError                       **error)
{
  GilkStoreRecorder *recorder = gilk_store_recorder_get (store, run, error);

  return recorder != NULL && write_patches (recorder, patches, n, all, error);
}

gboolean
gilk_store_drop_planned (GilkStore  *store,
                         gint64      run,
                         gboolean    refused,
                         const char *why,
                         GError    **error)
{
  const GilkStoreRecorder *recorder = gilk_store_recorder_get (store, run, error);

  return recorder != NULL &&
         gilk_store_write (store, error, "UPDATE patch SET state = ?, refusal = ? "
                           "WHERE run = ? AND batch = ? AND state = 'planned'", "ssii",
                           refused ? "refused" : "restored", why, run, (gint64) recorder->batch) &&
         gilk_store_count_written (store, 1, error);
}

/* ---- reading ---- */

void
gilk_stored_journal_clear (GilkStoredJournal *journal)
{
  g_clear_pointer (&journal->boot_id, g_free);
  g_clear_pointer (&journal->tactic, g_free);
  g_clear_pointer (&journal->state, g_free);
  g_clear_pointer (&journal->point, g_free);
  g_clear_pointer (&journal->before, g_free);
  g_clear_pointer (&journal->after, g_free);
}

static void
count_state (GilkStoredJournal *journal, const char *state, guint n)
{
  static const char *const in_text[] = { "trapped", "armed", "lending", NULL };
  static const char *const undone[] = { "restored", "retired", "gone", NULL };
  static const char *const refused[] = { "refused", "failed", NULL };

  journal->n += n;
  if (g_strv_contains (in_text, state))
    journal->n_in_text += n;
  else if (g_strv_contains (undone, state))
    journal->n_undone += n;
  else if (g_strv_contains (refused, state))
    journal->n_refused += n;
  else
    journal->n_planned += n;
}

static gboolean
read_states (GilkStore *store, gint64 run, GilkStoredJournal *journal, GError **error)
{
  g_autoptr(GError) local = NULL;
  GILK_AUTO_STMT stmt = gilk_sql_prepare (store, &local,
    "SELECT state, count (*) FROM patch WHERE run = ? GROUP BY state", "i", run);

  while (gilk_sql_next (store, stmt, &local))
    {
      g_autofree char *state = NULL;
      guint n;

      if (gilk_sql_row (store, stmt, &local, "su", &state, &n))
        count_state (journal, state, n);
    }

  return gilk_check_end (&local, error);
}

/* Finds the last change of a run. All changes of a batch are planned before any of them is made, so
 * planned rows are the last. Without planned rows, the row with the latest time is the last. */
static gboolean
read_last (GilkStore *store, gint64 run, GilkStoredJournal *journal, GError **error)
{
  g_autoptr(GError) local = NULL;
  GILK_AUTO_STMT stmt = gilk_sql_prepare (store, &local,
    "SELECT p.tactic, p.state, p.site, p.slot, lower (hex (p.old_bytes)), "
    "lower (hex (p.new_bytes)), (SELECT h.function || h.block FROM hook h WHERE h.run = p.run "
    "AND h.site = p.site ORDER BY h.id LIMIT 1) FROM patch p WHERE p.run = ? ORDER BY "
    "p.state = 'planned' DESC, max (coalesce (p.armed_ns, 0), coalesce (p.spliced_ns, 0), "
    "coalesce (p.restored_ns, 0)) DESC, abs (p.patch) DESC, p.patch DESC LIMIT 1", "i", run);

  if (gilk_sql_next (store, stmt, &local))
    journal->has_last = gilk_sql_row (store, stmt, &local, "ssaassS", &journal->tactic,
                                      &journal->state, &journal->site, &journal->slot,
                                      &journal->before, &journal->after, &journal->point);

  return gilk_check_end (&local, error);
}

static gboolean
read_boot_id (GilkStore *store, gint64 run, GilkStoredJournal *journal, GError **error)
{
  g_autoptr(GError) local = NULL;
  GILK_AUTO_STMT stmt = gilk_sql_prepare (store, &local,
    "SELECT boot_id FROM run WHERE id = ?", "i", run);

  if (gilk_sql_next (store, stmt, &local))
    gilk_sql_row (store, stmt, &local, "S", &journal->boot_id);
  if (journal->boot_id == NULL)
    journal->boot_id = g_strdup ("");

  return gilk_check_end (&local, error);
}

gboolean
gilk_store_journal (GilkStore         *store,
                    gint64             run,
                    GilkStoredJournal *journal,
                    GError           **error)
{
  g_auto(GilkStoredJournal) read = { 0 };

  if (!read_states (store, run, &read, error) || !read_last (store, run, &read, error) ||
      !read_boot_id (store, run, &read, error))
    return FALSE;
  *journal = read;
  read = (GilkStoredJournal) { 0 };

  return TRUE;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-store-loss.c - records and reads when a hook was on, and when its samples were lost
 *
 * A loss is computed from the counters in two answers of the target. It happened between the
 * request for the first answer and the arrival of the second; no more precise time is known.
 */
#include "core/store/gilk-store-loss.h"

#include <glib/gi18n.h>
#include <inttypes.h>

#include "core/base/gilk-array.h"
#include "core/store/gilk-store-recorder.h"
#include "core/store/gilk-store-transaction.h"

/* ---- losses ---- */

gboolean
gilk_store_put_loss (GilkStore            *store,
                     gint64                run,
                     uint32_t              iid,
                     guint                 cpu,
                     const GilkStoredLoss *loss,
                     GError              **error)
{
  const GilkStoreSlot *slot = gilk_store_recorder_get_slot (store, run, iid, error);

  return slot != NULL &&
         gilk_store_write_row (store, run, error,
                               "INSERT INTO loss (hook, cpu, from_ns, to_ns, lost, missed) "
                               "VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET "
                               "to_ns = excluded.to_ns, lost = excluded.lost, missed = excluded.missed",
                               "iiiiii", slot->id, (gint64) cpu, loss->from_ns, loss->to_ns,
                               (gint64) loss->lost, (gint64) loss->missed);
}

/* Narrows the time ranges of losses on CPUs that have a gap only before their first sample. Pending
 * rows are flushed first, because they may include the first sample of a CPU. */
gboolean
gilk_store_narrow_losses (GilkStore *store,
                          gint64     run,
                          GError   **error)
{
  return gilk_store_check_run (store, run, error) && gilk_store_flush (store, error) &&
         gilk_store_write (store, error,
                           "UPDATE loss SET to_ns = min (to_ns, coalesce ((SELECT min (c.first_ns) "
                           "FROM chunk c JOIN instrument i ON i.id = c.instrument "
                           "WHERE i.run = ? AND c.cpu = loss.cpu), to_ns)) "
                           "WHERE from_ns = 0 AND hook IN (SELECT id FROM hook WHERE run = ?) AND NOT EXISTS "
                           "(SELECT 1 FROM gap g WHERE g.run = ? AND g.cpu = loss.cpu AND g.to_ns > "
                           "(SELECT min (c.first_ns) FROM chunk c JOIN instrument i ON i.id = c.instrument "
                           "WHERE i.run = ? AND c.cpu = loss.cpu))",
                           "iiii", run, run, run, run);
}

GArray *
gilk_store_losses (GilkStore            *store,
                   const GilkStoredHook *hook,
                   GError              **error)
{
  g_autoptr(GArray) losses = g_array_new (FALSE, FALSE, sizeof (GilkStoredLoss));
  g_autoptr(GError) local = NULL;
  GILK_AUTO_STMT stmt = gilk_sql_prepare (store, &local,
    "SELECT from_ns, to_ns, lost, missed FROM loss WHERE hook = ? ORDER BY from_ns", "i", hook->id);
  uint64_t told = 0;

  while (gilk_sql_next (store, stmt, &local))
    {
      GilkStoredLoss loss;

      if (!gilk_sql_row (store, stmt, &local, "iinn", &loss.from_ns, &loss.to_ns, &loss.lost, &loss.missed))
        break;
      told += MIN (loss.lost, G_MAXUINT64 - told);
      g_array_append_val (losses, loss);
    }
  if (!gilk_check_end (&local, error))
    return NULL;

  /* Add the losses whose time was not recorded: they may have happened at any time of the run. */
  if (hook->lost > told)
    {
      const GilkStoredLoss rest = { 0, G_MAXINT64, hook->lost - told, 0 };

      g_array_prepend_val (losses, rest);
    }

  return g_steal_pointer (&losses);
}

/* ---- losses by CPU ---- */

static int
compare_losses (gconstpointer a, gconstpointer b)
{
  const GilkStoredCpuLoss *x = a, *y = b;

  return GILK_ORDER (x->cpu, y->cpu) ?: GILK_ORDER (x->from_ns, y->from_ns) ?:
         GILK_ORDER (x->hook, y->hook);
}

/* Adds the hook's losses whose time was recorded. */
static gboolean
add_noted (GilkStore *store, const GilkStoredHook *hook, guint at, GArray *losses, GError **error)
{
  g_autoptr(GError) local = NULL;
  GILK_AUTO_STMT stmt = gilk_sql_prepare (store, &local,
    "SELECT cpu, from_ns, to_ns, lost FROM loss WHERE hook = ? AND lost > 0 ORDER BY cpu", "i", hook->id);

  while (gilk_sql_next (store, stmt, &local))
    {
      GilkStoredCpuLoss loss = { .hook = at };

      if (!gilk_sql_row (store, stmt, &local, "uiin", &loss.cpu, &loss.from_ns, &loss.to_ns, &loss.lost))
        break;
      g_array_append_val (losses, loss);
    }

  return gilk_check_end (&local, error);
}

/* For each CPU, compares the counter of lost samples with the sum of the losses that @losses has
 * from @first on. If the counter is higher, adds the difference as a loss at an unknown time. */
static gboolean
add_rest (GilkStore *store, const GilkStoredHook *hook, guint at, guint first, GArray *losses, GError **error)
{
  g_autoptr(GError) local = NULL;
  GILK_AUTO_STMT stmt = gilk_sql_prepare (store, &local,
    "SELECT cpu, lost FROM counts WHERE hook = ? AND lost > 0 ORDER BY cpu", "i", hook->id);
  guint noted = first, end = losses->len;

  while (gilk_sql_next (store, stmt, &local))
    {
      GilkStoredCpuLoss rest = { .hook = at, .to_ns = G_MAXINT64 };
      uint64_t told = 0;

      if (!gilk_sql_row (store, stmt, &local, "un", &rest.cpu, &rest.lost))
        break;
      for (; noted < end && g_array_index (losses, GilkStoredCpuLoss, noted).cpu <= rest.cpu; noted++)
        if (g_array_index (losses, GilkStoredCpuLoss, noted).cpu == rest.cpu)
          told += MIN (g_array_index (losses, GilkStoredCpuLoss, noted).lost, G_MAXUINT64 - told);
      if (rest.lost <= told)
        continue;
      rest.lost -= told;
      g_array_append_val (losses, rest);
    }

  return gilk_check_end (&local, error);
}

GArray *
gilk_store_losses_by_cpu (GilkStore            *store,
                          const GilkStoredHook *hooks,
                          guint                 n_hooks,
                          GError              **error)
{
  g_autoptr(GArray) losses = g_array_new (FALSE, FALSE, sizeof (GilkStoredCpuLoss));

  for (guint i = 0; i < n_hooks; i++)
    {
      guint first = losses->len;

      if (hooks[i].lost == 0)
        continue;
      if (!add_noted (store, &hooks[i], i, losses, error) ||
          !add_rest (store, &hooks[i], i, first, losses, error))
        return NULL;
    }
  g_array_sort (losses, compare_losses);

  return g_steal_pointer (&losses);
}

GArray *
gilk_store_gaps (GilkStore *store,
                 gint64     run,
                 GError   **error)
{
  g_autoptr(GArray) gaps = g_array_new (FALSE, FALSE, sizeof (GilkStoredGap));
  g_autoptr(GError) local = NULL;
  GILK_AUTO_STMT stmt = gilk_sql_prepare (store, &local,
    "SELECT cpu, from_ns, to_ns, lost FROM gap WHERE run = ? ORDER BY id", "i",
    run);

  while (gilk_sql_next (store, stmt, &local))
    {
      GilkStoredGap gap;

      if (!gilk_sql_row (store, stmt, &local, "uiin", &gap.cpu, &gap.from_ns, &gap.to_ns, &gap.lost))
        break;
      g_array_append_val (gaps, gap);
    }

  return gilk_check_end (&local, error) ? g_steal_pointer (&gaps) : NULL;
}

/* ---- reads when hooks were on ---- */

gboolean
gilk_store_hook_active_time (GilkStore            *store,
                             const GilkStoredHook *hook,
                             gint64               *from_ns,
                             gint64               *to_ns,
                             GError              **error)
{
  static const char sql[] =
    "SELECT coalesce (p.armed_ns, 9223372036854775807), coalesce (p.restored_ns, 9223372036854775807) "
    "FROM patch p JOIN hook h ON h.run = p.run AND h.site = p.site WHERE h.id = ? AND p.patch > 0";
  gint64 armed = G_MAXINT64, restored = G_MININT64;
  g_autoptr(GError) local = NULL;
  GILK_AUTO_STMT stmt = gilk_sql_prepare (store, &local, sql, "i", hook->id);

  /* The rows are for the hook's patch, and for patches that replaced it when the run's plan was
   * changed. */
  while (gilk_sql_next (store, stmt, &local))
    {
      gint64 first, last;

      if (!gilk_sql_row (store, stmt, &local, "ii", &first, &last))
        break;
      armed = MIN (armed, first);
      restored = MAX (restored, last);
    }
  if (!gilk_check_end (&local, error))
    return FALSE;

  *from_ns = (gint64) MIN (hook->start_ns, G_MAXINT64);
  *to_ns = hook->stop_ns != 0 ? (gint64) MIN (hook->stop_ns, G_MAXINT64) : G_MAXINT64;
  if (restored != G_MININT64)
    {
      *from_ns = MAX (*from_ns, armed);
      *to_ns = MIN (*to_ns, restored);
    }

  return TRUE;
}

gboolean
gilk_store_add_interval (GilkStore                *store,
                         gint64                    run,
                         guint                     position,
                         const GilkStoredInterval *interval,
                         GError                  **error)
{
  return gilk_store_write_row (store, run, error,
                               "INSERT INTO interval (run, position, from_ns, to_ns, hooks_on, complete) "
                               "VALUES (?, ?, ?, ?, ?, ?)", "iiiiii", run, (gint64) position, interval->from_ns,
                               interval->to_ns, (gint64) interval->on, (gint64) interval->complete);
}

GArray *
gilk_store_intervals (GilkStore *store,
                      gint64     run,
                      GError   **error)
{
  g_autoptr(GArray) intervals = g_array_new (FALSE, FALSE, sizeof (GilkStoredInterval));
  g_autoptr(GError) local = NULL;
  GILK_AUTO_STMT stmt = gilk_sql_prepare (store, &local,
    "SELECT position, from_ns, to_ns, hooks_on, complete FROM interval "
    "WHERE run = ? ORDER BY position", "i", run);
  gint64 last_ns = 0;

  while (gilk_sql_next (store, stmt, &local))
    {
      GilkStoredInterval interval;
      guint position;

      if (!gilk_sql_row (store, stmt, &local, "uiiff", &position, &interval.from_ns, &interval.to_ns, &interval.on,
                         &interval.complete))
        break;
      if (position != intervals->len || interval.from_ns < last_ns || interval.to_ns < interval.from_ns)
        {
          gilk_fail (&local, GILK_ERROR_FORMAT,
              _("%s is damaged: interval %u of run %" PRId64 " is not after the previous one. Use a "
                "backup."), gilk_store_path (store), position, run);
          break;
        }
      last_ns = interval.to_ns;
      g_array_append_val (intervals, interval);
    }

  return gilk_check_end (&local, error) ? g_steal_pointer (&intervals) : NULL;
}

gboolean
gilk_store_last_jump_time (GilkStore *store,
                           gint64     run,
                           gint64    *ns,
                           GError   **error)
{
  return gilk_sql_value (store, error, ns, 0, "SELECT coalesce (max (spliced_ns), 0) FROM patch WHERE run = ?", "i",
                         run);
}

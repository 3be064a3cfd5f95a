/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-store-loss.c - when a hook was on, and when its samples were lost
 *
 * A loss is computed from the counters in two answers of the target. It happened between the
 * request for the first answer and the arrival of the second; no more precise time is known.
 */
#include "core/store/gilk-store-private.h"

gboolean
gilk_store_put_loss (GilkStore            *store,
                     gint64                run,
                     uint32_t              iid,
                     guint                 cpu,
                     const GilkStoredLoss *loss,
                     GError              **error)
{
  gint64 hook;

  return gilk_store_check_run (store, run, error) &&
         gilk_sql_value (store, error, &hook, 0, "SELECT id FROM hook WHERE run = ? AND iid = ?",
                         "ii", run, (gint64) iid) &&
         gilk_store_ensure_transaction (store, error) &&
         gilk_sql_run (store, error,
                       "INSERT INTO loss (hook, cpu, from_ns, to_ns, lost, missed) "
                       "VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET "
                       "to_ns = excluded.to_ns, lost = excluded.lost, missed = excluded.missed",
                       "iiiiii", hook, (gint64) cpu, loss->from_ns, loss->to_ns,
                       (gint64) loss->lost, (gint64) loss->missed) &&
         gilk_store_count_written (store, 1, error);
}

gboolean
gilk_store_narrow_losses (GilkStore *store,
                          gint64     run,
                          GError   **error)
{
  return gilk_store_check_run (store, run, error) && gilk_store_ensure_transaction (store, error) &&
         gilk_chunks_write (store, error) &&
         gilk_sql_run (store, error,
                       "UPDATE loss SET to_ns = min (to_ns, coalesce ((SELECT min (c.first_ns) "
                       "FROM chunk c JOIN instrument i ON i.id = c.instrument "
                       "WHERE i.run = ? AND c.cpu = loss.cpu), to_ns)) "
                       "WHERE from_ns = 0 AND hook IN (SELECT id FROM hook WHERE run = ?)",
                       "ii", run, run);
}

GArray *
gilk_store_losses (GilkStore            *store,
                   const GilkStoredHook *hook,
                   GError              **error)
{
  g_autoptr(GArray) losses = g_array_new (FALSE, FALSE, sizeof (GilkStoredLoss));
  GILK_AUTO_STMT stmt = gilk_sql_prepare (store, error,
    "SELECT from_ns, to_ns, lost, missed FROM loss WHERE hook = ? ORDER BY from_ns", "i", hook->id);
  g_autoptr(GError) local = NULL;
  uint64_t told = 0;

  if (stmt == NULL)
    return NULL;
  while (gilk_sql_next (store, stmt, &local))
    {
      GilkStoredLoss loss;

      if (!gilk_sql_row (store, stmt, &local, "iinn", &loss.from_ns, &loss.to_ns, &loss.lost, &loss.missed))
        break;
      told += MIN (loss.lost, G_MAXUINT64 - told);
      g_array_append_val (losses, loss);
    }
  if (!gilk_sql_check_end (&local, error))
    return NULL;

  /* Losses without a recorded time may have happened at any time of the run. */
  if (hook->lost > told)
    {
      const GilkStoredLoss rest = { 0, G_MAXINT64, hook->lost - told, 0 };

      g_array_prepend_val (losses, rest);
    }

  return g_steal_pointer (&losses);
}

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
  GILK_AUTO_STMT stmt = gilk_sql_prepare (store, error, sql, "i", hook->id);
  g_autoptr(GError) local = NULL;

  if (stmt == NULL)
    return FALSE;
  /* The hook's patch, and patches that replaced it when the plan of the run was changed. */
  while (gilk_sql_next (store, stmt, &local))
    {
      gint64 first, last;

      if (!gilk_sql_row (store, stmt, &local, "ii", &first, &last))
        break;
      armed = MIN (armed, first);
      restored = MAX (restored, last);
    }
  if (!gilk_sql_check_end (&local, error))
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

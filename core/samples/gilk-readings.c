/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-readings.c - a cursor that returns the readings of hooks' hit counters, ordered by time
 *
 * A counter that does not change gets no new reading until it changes again, or the run ends. If a
 * run was cut off, or is being recorded, some counters lack a reading at the end. Their final
 * reading comes from table "counts", which has the last value read from every counter.
 *
 * SQLite sorts the readings, on disk if there are many.
 */
#include "core/samples/gilk-readings.h"
#include "core/store/gilk-sql.h"
#include "core/store/gilk-store.h"

struct _GilkReadings {
  GilkStore     *store;
  GilkHookIndex *index;
  sqlite3_stmt  *rows;
  gboolean       ended;           /* all rows were read; another step would restart the
                                   * statement */
};

GilkReadings *
gilk_readings_new (GilkStore            *store,
                   const GilkStoredHook *hooks,
                   guint                 n_hooks,
                   gint64                from_ns,
                   gint64                to_ns,
                   GError              **error)
{
  static const char sql[] =
    "SELECT t_ns, hook, hits FROM (SELECT t_ns, hook, hits FROM count_point WHERE hook >= ?1 AND hook <= ?2 "
    "UNION ALL SELECT ?5, p.hook, sum (c.hits) FROM (SELECT hook, max (t_ns) AS t_ns FROM count_point "
    "WHERE hook >= ?1 AND hook <= ?2 GROUP BY hook) p JOIN counts c ON c.hook = p.hook WHERE p.t_ns < ?5 "
    "GROUP BY p.hook) WHERE t_ns >= ?3 AND t_ns < ?4 ORDER BY t_ns, hook";
  GilkReadings *readings = g_new0 (GilkReadings, 1);
  gint64 looked_ns;

  g_assert (n_hooks > 0);
  readings->store = store;
  readings->index = gilk_hook_index_new (hooks, n_hooks);
  if (gilk_sql_value (store, error, &looked_ns, 0, "SELECT max (c.at_ns) FROM run r JOIN hook h ON h.run = r.id "
                      "JOIN counts c ON c.hook = h.id WHERE r.id = ? AND (r.end_reason IS NULL OR r.end_reason = "
                      "'cut off')", "i", hooks[0].run))
    readings->rows = gilk_sql_prepare (store, error, sql, "iiiii", hooks[0].id, hooks[n_hooks - 1].id, from_ns, to_ns,
                                       looked_ns);
  if (readings->rows != NULL)
    return readings;
  gilk_readings_free (readings);

  return NULL;
}

void
gilk_readings_free (GilkReadings *readings)
{
  if (readings == NULL)
    return;
  sqlite3_finalize (readings->rows);
  gilk_hook_index_free (readings->index);
  g_free (readings);
}

gboolean
gilk_readings_next (GilkReadings *readings,
                    GilkReading  *reading,
                    GError      **error)
{
  GError *local = NULL;
  uint64_t hits;
  gint64 t_ns, hook;

  while (!readings->ended && gilk_sql_next (readings->store, readings->rows, &local))
    {
      int at;

      if (!gilk_sql_row (readings->store, readings->rows, &local, "iin", &t_ns, &hook, &hits))
        break;
      at = gilk_hook_index_find (readings->index, hook);
      if (at < 0)
        continue;
      *reading = (GilkReading) { t_ns, (guint) at, hits };
      return TRUE;
    }
  readings->ended = TRUE;
  if (local != NULL)
    g_propagate_error (error, local);

  return FALSE;
}

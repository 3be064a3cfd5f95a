/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-readings.c - a cursor over the readings of hooks' counters, by time
 *
 * SQLite sorts them, on disk where they are many.
 */
#include "core/store/gilk-readings.h"
#include "core/store/gilk-store-hooks.h"
#include "core/store/gilk-store-private.h"

struct _GilkReadings {
  GilkStore     *store;
  GilkHookIndex *index;
  sqlite3_stmt  *rows;
  gboolean       ended;           /* a statement that is stepped on would begin anew */
};

GilkReadings *
gilk_readings_new (GilkStore            *store,
                   const GilkStoredHook *hooks,
                   guint                 n_hooks,
                   gint64                from_ns,
                   gint64                to_ns,
                   GError              **error)
{
  GilkReadings *readings = g_new0 (GilkReadings, 1);

  g_assert (n_hooks > 0);
  readings->store = store;
  readings->index = gilk_hook_index_new (hooks, n_hooks);
  readings->rows = gilk_sql_prepare (store, error,
    "SELECT t_ns, hook, hits FROM count_point WHERE hook >= ? AND hook <= ? AND t_ns >= ? AND t_ns < ? "
    "ORDER BY t_ns, hook", "iiii", hooks[0].id, hooks[n_hooks - 1].id, from_ns, to_ns);
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

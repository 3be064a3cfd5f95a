/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-store-cost.c - writes and reads the cost of hooks
 */
#include "core/store/gilk-store-cost.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#include "core/base/gilk-array.h"
#include "core/base/gilk-memory.h"
#include "core/store/gilk-store-transaction.h"

gboolean
gilk_store_add_cost (GilkStore           *store,
                     gint64               run,
                     const GilkStoreCost *cost,
                     GError             **error)
{
  return gilk_store_write_row (store, run, error, "INSERT OR REPLACE INTO cost (run, instrument, tactic, instructions, "
                               "ns, low_ns, high_ns, min_ns) VALUES (?, ?, ?, ?, ?, ?, ?, ?)", "issidddd", run,
                               cost->instrument, cost->tactic, (gint64) cost->instructions, cost->ns, cost->low_ns,
                               cost->high_ns, cost->min_ns);
}

gboolean
gilk_store_add_cost_measurement (GilkStore                 *store,
                                 gint64                     run,
                                 const GilkStoreCost       *of,
                                 const GilkCostMeasurement *measurement,
                                 GError                   **error)
{
  return gilk_store_write_row (store, run, error, "INSERT INTO cost_measurement (run, instrument, tactic, instructions, "
                               "position, t_ns, ns, min_ns) VALUES (?1, ?2, ?3, ?4, ?5, CASE WHEN ?6 >= 0 THEN ?6 END, "
                               "?7, ?8)", "issiiidd", run, of->instrument, of->tactic, (gint64) of->instructions,
                               (gint64) measurement->position, (gint64) measurement->t_ns, measurement->ns,
                               measurement->min_ns);
}

GILK_DEFINE_CLEAR (clear_cost, GilkStoredCost, cost, gilk_free_all (cost->instrument, cost->tactic))

static gboolean
read_number (GilkStore *store, sqlite3_stmt *stmt, int column, double *value, GError **error)
{
  int type = sqlite3_column_type (stmt, column);

  *value = sqlite3_column_double (stmt, column);
  if ((type == SQLITE_FLOAT || type == SQLITE_INTEGER) && isfinite (*value))
    return TRUE;

  return gilk_fail (error, GILK_ERROR_FORMAT,
                    _("%s is damaged: a cost is not a number. Use a backup."),
                    gilk_store_path (store));
}

GArray *
gilk_store_costs (GilkStore *store,
                  gint64     run,
                  GError   **error)
{
  g_autoptr(GArray) costs = gilk_array_new (sizeof (GilkStoredCost), clear_cost);
  static const char sql[] = "SELECT c.instrument, c.tactic, c.instructions, c.ns, c.low_ns, c.high_ns, c.min_ns, "
                            "max (1, count (m.position)) FROM cost c LEFT JOIN cost_measurement m ON m.run = c.run AND "
                            "m.instrument = c.instrument AND m.tactic = c.tactic AND m.instructions = c.instructions "
                            "WHERE c.run = ? GROUP BY 1, 2, 3 ORDER BY 1, 2, 3";
  g_autoptr(GError) local = NULL;
  GILK_AUTO_STMT stmt = gilk_sql_prepare (store, &local, sql, "i", run);

  while (gilk_sql_next (store, stmt, &local))
    {
      GilkStoredCost cost = { 0 };

      if (!read_number (store, stmt, 3, &cost.ns, &local) ||
          !read_number (store, stmt, 4, &cost.low_ns, &local) ||
          !read_number (store, stmt, 5, &cost.high_ns, &local) ||
          !read_number (store, stmt, 6, &cost.min_ns, &local) ||
          !gilk_sql_row (store, stmt, &local, "ssu", &cost.instrument, &cost.tactic, &cost.instructions))
        break;
      cost.n_measurements = (guint) sqlite3_column_int64 (stmt, 7);
      g_array_append_val (costs, cost);
    }

  return gilk_check_end (&local, error) ? g_steal_pointer (&costs) : NULL;
}

const GilkStoredCost *
gilk_costs_of (const GArray         *costs,
               const GilkStoredHook *hook)
{
  for (guint i = 0; i < costs->len; i++)
    {
      const GilkStoredCost *cost = &g_array_index (costs, GilkStoredCost, i);

      if (strcmp (cost->instrument, hook->instrument) == 0 && strcmp (cost->tactic, hook->tactic) == 0 &&
          cost->instructions == hook->cost)
        return cost;
    }

  return NULL;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-store-intervals.c - writes and reads the intervals in which switched hooks were on
 */
#include "core/store/gilk-store-intervals.h"

#include <glib/gi18n.h>
#include <inttypes.h>
#include "core/store/gilk-store-private.h"

gboolean
gilk_store_add_interval (GilkStore                *store,
                         gint64                    run,
                         guint                     position,
                         const GilkStoredInterval *interval,
                         GError                  **error)
{
  if (!gilk_store_check_run (store, run, error) || !gilk_store_ensure_transaction (store, error))
    return FALSE;
  if (gilk_sql_run (store, error, "INSERT INTO interval (run, position, from_ns, to_ns, hooks_on, complete) "
                    "VALUES (?, ?, ?, ?, ?, ?)", "iiiiii", run, (gint64) position, interval->from_ns, interval->to_ns,
                    (gint64) interval->on, (gint64) interval->complete))
    return TRUE;
  gilk_store_roll_back (store);

  return FALSE;
}

GArray *
gilk_store_intervals (GilkStore *store,
                      gint64     run,
                      GError   **error)
{
  g_autoptr(GArray) intervals = g_array_new (FALSE, FALSE, sizeof (GilkStoredInterval));
  GILK_AUTO_STMT stmt = NULL;
  g_autoptr(GError) local = NULL;
  gint64 last_ns = 0;

  stmt = gilk_sql_prepare (store, error, "SELECT position, from_ns, to_ns, hooks_on, complete FROM interval "
                           "WHERE run = ? ORDER BY position", "i", run);
  if (stmt == NULL)
    return NULL;
  while (gilk_sql_next (store, stmt, &local))
    {
      GilkStoredInterval interval;
      guint position;

      if (!gilk_sql_row (store, stmt, &local, "uiiff", &position, &interval.from_ns, &interval.to_ns, &interval.on,
                         &interval.complete))
        break;
      if (position != intervals->len || interval.from_ns < last_ns || interval.to_ns < interval.from_ns)
        {
          gilk_store_refuse (&local, GILK_ERROR_FORMAT,
                             _("%s is damaged: interval %u of run %" PRId64 " is not after the previous one. Use a copy "
                               "of it."), store->path, position, run);
          break;
        }
      last_ns = interval.to_ns;
      g_array_append_val (intervals, interval);
    }

  return gilk_sql_check_end (&local, error) ? g_steal_pointer (&intervals) : NULL;
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

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-store-blocks.c - writes and reads the intervals in which switched hooks were on
 */
#include "core/store/gilk-store-blocks.h"

#include <glib/gi18n.h>
#include <inttypes.h>
#include "core/store/gilk-store-private.h"

gboolean
gilk_store_add_block (GilkStore                    *store,
                      gint64                        run,
                      guint                         position,
                      const GilkStoredBlockOfTime  *block,
                      GError                      **error)
{
  if (!gilk_store_check_run (store, run, error) || !gilk_store_want_transaction (store, error))
    return FALSE;
  if (gilk_sql_run (store, error, "INSERT INTO ab_block (run, position, from_ns, to_ns, hooks_on, whole) "
                    "VALUES (?, ?, ?, ?, ?, ?)", "iiiiii", run, (gint64) position, block->from_ns, block->to_ns,
                    (gint64) block->on, (gint64) block->whole))
    return TRUE;
  gilk_store_roll_back (store);

  return FALSE;
}

GArray *
gilk_store_blocks (GilkStore  *store,
                   gint64      run,
                   GError    **error)
{
  g_autoptr(GArray) blocks = g_array_new (FALSE, FALSE, sizeof (GilkStoredBlockOfTime));
  GILK_AUTO_STMT stmt = NULL;
  g_autoptr(GError) local = NULL;
  gint64 last_ns = 0;

  stmt = gilk_sql_prepare (store, error, "SELECT position, from_ns, to_ns, hooks_on, whole FROM ab_block "
                           "WHERE run = ? ORDER BY position", "i", run);
  if (stmt == NULL)
    return NULL;
  while (gilk_sql_next (store, stmt, &local))
    {
      GilkStoredBlockOfTime block;
      guint position;

      if (!gilk_sql_row (store, stmt, &local, "uiiff", &position, &block.from_ns, &block.to_ns, &block.on,
                         &block.whole))
        break;
      if (position != blocks->len || block.from_ns < last_ns || block.to_ns < block.from_ns)
        {
          gilk_store_refuse (&local, GILK_ERROR_FORMAT,
                             _("%s is damaged: interval %u of run %" PRId64 " is not after the previous one. Use a copy "
                               "of it."), store->path, position, run);
          break;
        }
      last_ns = block.to_ns;
      g_array_append_val (blocks, block);
    }

  return gilk_sql_ended (&local, error) ? g_steal_pointer (&blocks) : NULL;
}

gboolean
gilk_store_settled (GilkStore  *store,
                    gint64      run,
                    gint64     *ns,
                    GError    **error)
{
  return gilk_sql_value (store, error, ns, 0, "SELECT coalesce (max (spliced_ns), 0) FROM patch WHERE run = ?", "i",
                         run);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-store-graph.c - reads a run's hooked functions as recorded: blocks, edges, disassembly
 *
 * Checks the values of each row; callers check whether blocks and edges form a graph.
 */
#include "core/store/gilk-sql.h"

static void
clear_function (gpointer data)
{
  GilkStoredFunction *function = data;

  g_free (function->name);
  g_free (function->module);
}

static void
clear_block (gpointer data)
{
  GilkStoredBlock *block = data;

  g_free (block->name);
  g_free (block->text);
}

GArray *
gilk_store_functions (GilkStore *store,
                      gint64     run,
                      GError   **error)
{
  GILK_AUTO_STMT stmt = gilk_sql_prepare (store, error,
    "SELECT f.id, f.name, f.module, f.entry, count (b.position) "
    "FROM function f LEFT JOIN block b ON b.function = f.id WHERE f.run = ? "
    "GROUP BY f.id ORDER BY f.id", "i", run);
  g_autoptr(GArray) functions = g_array_new (FALSE, TRUE, sizeof (GilkStoredFunction));
  g_autoptr(GError) local = NULL;

  if (stmt == NULL)
    return NULL;
  g_array_set_clear_func (functions, clear_function);
  while (gilk_sql_next (store, stmt, &local))
    {
      GilkStoredFunction function = { .run = run };

      if (gilk_sql_row (store, stmt, &local, "isSau", &function.id, &function.name,
                        &function.module, &function.entry, &function.n_blocks))
        g_array_append_val (functions, function);
    }

  return gilk_sql_check_end (&local, error) ? g_steal_pointer (&functions) : NULL;
}

static GArray *
read_blocks (GilkStore *store, gint64 function, GError **error)
{
  GILK_AUTO_STMT stmt = gilk_sql_prepare (store, error,
    "SELECT name, start, end, cold, text FROM block WHERE function = ? ORDER BY position",
    "i", function);
  g_autoptr(GArray) blocks = g_array_new (FALSE, TRUE, sizeof (GilkStoredBlock));
  g_autoptr(GError) local = NULL;

  if (stmt == NULL)
    return NULL;
  g_array_set_clear_func (blocks, clear_block);
  while (gilk_sql_next (store, stmt, &local))
    {
      GilkStoredBlock block = { NULL };

      if (gilk_sql_row (store, stmt, &local, "saaft", &block.name, &block.start, &block.end,
                        &block.cold, &block.text))
        g_array_append_val (blocks, block);
    }

  return gilk_sql_check_end (&local, error) ? g_steal_pointer (&blocks) : NULL;
}

static GArray *
read_edges (GilkStore *store, gint64 function, GError **error)
{
  GILK_AUTO_STMT stmt = gilk_sql_prepare (store, error,
    "SELECT from_block, to_block, kind, back FROM edge WHERE function = ? ORDER BY position",
    "i", function);
  g_autoptr(GArray) edges = g_array_new (FALSE, TRUE, sizeof (GilkStoreEdge));
  g_autoptr(GError) local = NULL;

  if (stmt == NULL)
    return NULL;
  while (gilk_sql_next (store, stmt, &local))
    {
      GilkStoreEdge edge;
      guint kind;

      if (!gilk_sql_row (store, stmt, &local, "uuuf", &edge.from, &edge.to, &kind, &edge.back))
        break;
      edge.kind = (uint8_t) MIN (kind, G_MAXUINT8);      /* invalid kinds become G_MAXUINT8, which
                                                          * is invalid too */
      g_array_append_val (edges, edge);
    }

  return gilk_sql_check_end (&local, error) ? g_steal_pointer (&edges) : NULL;
}

gboolean
gilk_store_function (GilkStore                *store,
                     const GilkStoredFunction *function,
                     GArray                  **blocks,
                     GArray                  **edges,
                     GError                  **error)
{
  g_autoptr(GArray) b = read_blocks (store, function->id, error);
  g_autoptr(GArray) e = b != NULL ? read_edges (store, function->id, error) : NULL;

  if (e == NULL)
    return FALSE;
  *blocks = g_steal_pointer (&b);
  *edges = g_steal_pointer (&e);

  return TRUE;
}

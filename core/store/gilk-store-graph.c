/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-store-graph.c - the hooked functions of a run as they were: blocks, edges, disassembly
 *
 * What is read may come from anyone's file; it is handed on as it is, and whoever
 * makes a graph of it checks it.
 */
#include "core/store/gilk-store-private.h"

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
  while (gilk_sql_step (store, stmt, &local))
    {
      GilkStoredFunction function = {
        .id = sqlite3_column_int64 (stmt, 0), .run = run,
        .name = gilk_sql_text (stmt, 1), .module = gilk_sql_text (stmt, 2),
        .entry = (uint64_t) sqlite3_column_int64 (stmt, 3),
        .n_blocks = (guint) sqlite3_column_int64 (stmt, 4),
      };

      g_array_append_val (functions, function);
    }

  return gilk_sql_ended (&local, error) ? g_steal_pointer (&functions) : NULL;
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
  while (gilk_sql_step (store, stmt, &local))
    {
      GilkStoredBlock block = {
        .name = gilk_sql_text (stmt, 0),
        .start = (uint64_t) sqlite3_column_int64 (stmt, 1),
        .end = (uint64_t) sqlite3_column_int64 (stmt, 2),
        .cold = sqlite3_column_int64 (stmt, 3) != 0,
        .text = gilk_sql_text (stmt, 4),
      };

      g_array_append_val (blocks, block);
    }

  return gilk_sql_ended (&local, error) ? g_steal_pointer (&blocks) : NULL;
}

/* What is too small or too large becomes @most, which is no block's number and no kind. */
static uint32_t
small_number (sqlite3_stmt *stmt, int column, uint32_t most)
{
  gint64 value = sqlite3_column_int64 (stmt, column);

  return value < 0 || value > (gint64) most ? most : (uint32_t) value;
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
  while (gilk_sql_step (store, stmt, &local))
    {
      GilkStoreEdge edge = {
        .from = small_number (stmt, 0, G_MAXUINT32), .to = small_number (stmt, 1, G_MAXUINT32),
        .kind = (uint8_t) small_number (stmt, 2, G_MAXUINT8),
        .back = sqlite3_column_int64 (stmt, 3) != 0,
      };

      g_array_append_val (edges, edge);
    }

  return gilk_sql_ended (&local, error) ? g_steal_pointer (&edges) : NULL;
}

gboolean
gilk_store_function (GilkStore                *store,
                     const GilkStoredFunction *function,
                     GArray                  **blocks,
                     GArray                  **edges,
                     GError                  **error)
{
  g_autoptr(GArray) read = read_blocks (store, function->id, error);

  if (read == NULL)
    return FALSE;
  *edges = read_edges (store, function->id, error);
  if (*edges == NULL)
    return FALSE;
  *blocks = g_steal_pointer (&read);

  return TRUE;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-store-lines.c - writes and reads the source lines of addresses
 */
#include "core/store/gilk-store-lines.h"

#include <glib/gi18n.h>

#include "core/store/gilk-store-private.h"

#define ROWS_MAX (1u << 20)               /* maximum number of rows read from a file */

gboolean
gilk_store_add_lines (GilkStore           *store,
                      gint64               run,
                      uint64_t             address,
                      const GilkStoreLine *lines,
                      guint                n,
                      GError             **error)
{
  for (guint i = 0; i < MIN (n, GILK_LINES_DEEP); i++)
    {
      if (!gilk_store_check_run (store, run, error) || !gilk_store_ensure_transaction (store, error))
        return FALSE;
      if (!gilk_sql_run (store, error, "INSERT OR IGNORE INTO line (run, address, depth, function, file, line) "
                         "VALUES (?, ?, ?, ?, ?, ?)", "iiissi", run, (gint64) address, (gint64) i, lines[i].function,
                         lines[i].file, (gint64) lines[i].line))
        {
          gilk_store_roll_back (store);
          return FALSE;
        }
      if (!gilk_store_count_written (store, 1, error))
        return FALSE;
    }

  return TRUE;
}

GHashTable *
gilk_store_lines (GilkStore *store,
                  gint64     run,
                  GError   **error)
{
  g_autoptr(GHashTable) lines = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, g_free);
  GILK_AUTO_STMT stmt = NULL;
  g_autoptr(GError) local = NULL;
  guint n = 0;

  stmt = gilk_sql_prepare (store, error, "SELECT address, depth, file, line FROM line WHERE run = ? "
                           "ORDER BY address, depth", "i", run);
  if (stmt == NULL)
    return NULL;
  while (gilk_sql_next (store, stmt, &local))
    {
      g_autofree char *file = NULL;
      g_autoptr(GString) text = NULL;
      uint64_t address, depth;
      uint32_t line;
      const char *before;
      gint64 *key;

      if (!gilk_sql_row (store, stmt, &local, "ansu", &address, &depth, &file, &line))
        break;
      before = gilk_stored_line (lines, address);
      if ((before == NULL) != (depth == 0) || depth >= GILK_LINES_DEEP || ++n > ROWS_MAX)
        {
          gilk_store_refuse (error, GILK_ERROR_FORMAT, _("%s is damaged: an address lacks source lines. Use a copy of "
                                                         "it."), store->path);
          return NULL;
        }
      text = g_string_new (before);
      g_string_append_printf (text, "%s%s:%u", before != NULL ? _(", from ") : "", file, line);
      key = g_new (gint64, 1);
      *key = (gint64) address;
      g_hash_table_insert (lines, key, g_string_free (g_steal_pointer (&text), FALSE));
    }

  return gilk_sql_check_end (&local, error) ? g_steal_pointer (&lines) : NULL;
}

const char *
gilk_stored_line (GHashTable *lines,
                  uint64_t    address)
{
  const gint64 key = (gint64) address;

  return lines != NULL ? g_hash_table_lookup (lines, &key) : NULL;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-store-tables.c - the sample tables of sessions before version 4
 *
 * Each run had a table for each instrument, and an index on it that was made when the run ended.
 */
#include "core/store/gilk-store-private.h"

/* CPUs were stored in turns, so the latest sample is among this many last rows. */
#define LAST_SAMPLES 4096

static GPtrArray *
collect_texts (GilkStore *store, GError **error, const char *sql, gint64 run)
{
  GILK_AUTO_STMT stmt = gilk_sql_prepare (store, error, sql, "i", run);
  g_autoptr(GPtrArray) texts = g_ptr_array_new_with_free_func (g_free);
  g_autoptr(GError) local = NULL;
  char *text;

  if (stmt == NULL)
    return NULL;
  while (gilk_sql_next (store, stmt, &local))
    if (gilk_sql_row (store, stmt, &local, "s", &text))
      g_ptr_array_add (texts, text);

  return gilk_sql_ended (&local, error) ? g_steal_pointer (&texts) : NULL;
}

GPtrArray *
gilk_store_sample_tables (GilkStore *store,
                          gint64     run,
                          GError   **error)
{
  return collect_texts (store, error, "SELECT sample_table FROM instrument WHERE run = ? AND "
                        "sample_table <> '" GILK_CHUNKED "'", run);
}

char *
gilk_store_index_name (const char *table)
{
  return g_strconcat (table, "_by_hook", NULL);
}

gboolean
gilk_store_last_sample (GilkStore  *store,
                        const char *table,
                        gint64     *t_ns,
                        GError    **error)
{
  g_autofree char *quoted = gilk_sql_quote (table);
  g_autofree char *sql = g_strdup_printf ("SELECT max (t_ns) FROM (SELECT t_ns FROM %s "
                                          "ORDER BY rowid DESC LIMIT %d)", quoted, LAST_SAMPLES);

  return gilk_sql_value (store, error, t_ns, 0, sql, "");
}

/* The index only speeds up reading: without disk space it is left out. */
static gboolean
make_index (GilkStore *store, const char *table, GError **error)
{
  g_autofree char *name = gilk_store_index_name (table);
  g_autofree char *quoted = gilk_sql_quote (table);
  g_autofree char *quoted_name = gilk_sql_quote (name);
  g_autofree char *sql = g_strdup_printf ("CREATE INDEX IF NOT EXISTS %s ON %s (hook, t_ns)",
                                          quoted_name, quoted);
  GError *local = NULL;

  if (gilk_sql_run (store, &local, sql, ""))
    return TRUE;
  if (g_error_matches (local, GILK_ERROR, GILK_ERROR_STORE))
    {
      g_error_free (local);
      return TRUE;
    }
  g_propagate_error (error, local);

  return FALSE;
}

gboolean
gilk_store_make_indexes (GilkStore *store,
                         gint64     run,
                         GError   **error)
{
  g_autoptr(GPtrArray) tables = gilk_store_sample_tables (store, run, error);

  for (guint i = 0; tables != NULL && i < tables->len; i++)
    if (!make_index (store, g_ptr_array_index (tables, i), error))
      return FALSE;

  return tables != NULL;
}

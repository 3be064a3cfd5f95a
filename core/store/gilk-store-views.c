/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-store-views.c - views over the samples of all runs, and the indexes of a run's
 *
 * Views are for people with SQL; nothing of ours reads them.
 */
#include "core/store/gilk-store-private.h"

/* Compound SELECTs of SQLite have at most 500 terms; views cover the latest runs. */
#define VIEW_RUNS_MAX 400
/* CPUs are stored in turns: the latest sample is among so many last ones. */
#define LAST_SAMPLES  4096

/* ---- views over all runs ---- */

/* How a column is shown: as people expect, not as SQLite keeps it. */
static char *
shown_column (const char *column, gint64 type)
{
  if (type == ILK_FIELD_U64)
    return g_strdup_printf ("CASE WHEN s.\"%s\" < 0 THEN printf ('%%llu', s.\"%s\") "
                            "ELSE s.\"%s\" END",
                            column, column, column);
  if (type == ILK_FIELD_HEX64)
    return g_strdup_printf ("printf ('0x%%016x', s.\"%s\")", column);

  return g_strdup_printf ("s.\"%s\"", column);
}

/* Column names over all runs of an instrument, in order of appearance. */
static gboolean
all_columns (GilkStore *store, const char *instrument, GPtrArray *columns, GError **error)
{
  GILK_AUTO_STMT stmt = gilk_sql_prepare (store, error,
    "SELECT f.column_name FROM field f JOIN instrument i ON i.id = f.instrument "
    "WHERE i.name = ? GROUP BY 1 ORDER BY min (i.id), min (f.position)", "s", instrument);
  g_autoptr(GError) local = NULL;
  char *column;

  if (stmt == NULL)
    return FALSE;
  while (gilk_sql_next (store, stmt, &local))
    if (gilk_sql_row (store, stmt, &local, "s", &column))
      g_ptr_array_add (columns, column);

  return gilk_sql_ended (&local, error);
}

/* One run's share: its columns where it has them, NULL where it has not. */
static gboolean
append_share (GilkStore *store, gint64 instrument, const char *table, const GPtrArray *columns,
              GString *sql, GError **error)
{
  g_autofree char *quoted = gilk_sql_quote (table);

  g_string_append (sql, sql->len > 0 ? " UNION ALL " : "");
  g_string_append (sql, "SELECT h.run AS run, h.label AS hook, h.function AS function, "
                   "h.block AS block, h.place AS place, s.cpu AS cpu, s.t_ns / 1e9 AS t");
  for (guint i = 0; i < columns->len; i++)
    {
      const char *column = g_ptr_array_index (columns, i);
      g_autofree char *shown = NULL;
      gint64 type;

      if (!gilk_sql_value (store, error, &type, -1,
                           "SELECT type FROM field WHERE instrument = ? AND column_name = ?", "is",
                           instrument, column))
        return FALSE;
      shown = type < 0 ? g_strdup ("NULL") : shown_column (column, type);
      g_string_append_printf (sql, ", %s AS \"%s\"", shown, column);
    }
  g_string_append_printf (sql, " FROM %s s JOIN hook h ON h.id = s.hook", quoted);

  return TRUE;
}

static gboolean
make_view (GilkStore *store, const char *instrument, GError **error)
{
  GILK_AUTO_STMT stmt = gilk_sql_prepare (store, error,
    "SELECT id, sample_table FROM (SELECT id, sample_table FROM instrument "
    "WHERE name = ? AND sample_table IS NOT NULL ORDER BY id DESC LIMIT ?) ORDER BY id", "si",
    instrument, (gint64) VIEW_RUNS_MAX);
  g_autoptr(GPtrArray) columns = g_ptr_array_new_with_free_func (g_free);
  g_autoptr(GString) body = g_string_new (NULL);
  g_autofree char *clean = gilk_store_plain_name (instrument);
  g_autofree char *drop = g_strdup_printf ("DROP VIEW IF EXISTS \"samples_%s\"", clean);
  g_autofree char *create = NULL;
  g_autoptr(GError) local = NULL;

  if (stmt == NULL || !all_columns (store, instrument, columns, error))
    return FALSE;
  while (gilk_sql_next (store, stmt, &local))
    {
      g_autofree char *table = NULL;
      gint64 id;

      if (gilk_sql_row (store, stmt, &local, "is", &id, &table))
        append_share (store, id, table, columns, body, &local);
    }
  if (!gilk_sql_ended (&local, error))
    return FALSE;
  sqlite3_reset (stmt);
  create = g_strdup_printf ("CREATE VIEW \"samples_%s\" AS %s", clean, body->str);

  return gilk_sql_run (store, error, drop, "") && gilk_sql_run (store, error, create, "");
}

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

/* Of the run that is being recorded; those of other instruments stay as they are. */
gboolean
gilk_store_make_views (GilkStore *store,
                       GError   **error)
{
  g_autoptr(GPtrArray) names =
    collect_texts (store, error, "SELECT name FROM instrument WHERE run = ? AND "
                   "sample_table IS NOT NULL", store->run);

  for (guint i = 0; names != NULL && i < names->len; i++)
    if (!make_view (store, g_ptr_array_index (names, i), error))
      return FALSE;

  return names != NULL;
}

/* ---- tables and indexes ---- */

GPtrArray *
gilk_store_sample_tables (GilkStore *store,
                          gint64     run,
                          GError   **error)
{
  return collect_texts (store, error, "SELECT sample_table FROM instrument WHERE run = ? AND "
                        "sample_table IS NOT NULL", run);
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

/* An index only makes reading faster: on a full disk there is none. */
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

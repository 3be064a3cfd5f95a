/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-store-checksum.c - computes and verifies checksums of a session's contents, to find silent
 * corruption
 *
 * SQLite notices a malformed page, but not a changed value in a well-formed one. Therefore each
 * chunk of samples has a checksum over its rows in all tables, written with the chunk, and each run
 * has a checksum for each table over its other rows, written when the run ends.
 *
 * A row's checksum processes its values word by word. Each step is a bijection, so two rows that
 * differ in one word always have different checksums. Checksums of several rows are added: their
 * order does not matter, and a row can be replaced without reading the others.
 */
#include "core/store/gilk-store-checksum.h"

#include <glib/gi18n.h>
#include <inttypes.h>
#include <string.h>

#include "core/store/gilk-sql.h"
#include "core/store/gilk-store-chunk.h"

#define OF_INSTRUMENT  "instrument IN (SELECT id FROM instrument WHERE run = ?1)"
#define OF_HOOK        "hook IN (SELECT id FROM hook WHERE run = ?1)"
#define OF_FUNCTION    "function IN (SELECT id FROM function WHERE run = ?1)"

/* Tables and columns that a run's checksums cover. Chunks (stored batches of samples) have
 * checksums of their own; a run's checksums cover only which chunks exist. */
static const struct { const char *name, *columns, *where; } tables[] = {
  { "run", "*", "id = ?1" }, { "timestamp_pair", "*", "run = ?1" }, { "cpu_clock", "*", "run = ?1" }, { "cost", "*", "run = ?1" },
  { "cost_measurement", "*", "run = ?1" },
  { "instrument", "*", "run = ?1" }, { "field", "*", OF_INSTRUMENT }, { "hook", "*", "run = ?1" }, { "program", "*", OF_HOOK },
  { "map", "*", OF_HOOK }, { "map_value", "*", "map IN (SELECT id FROM map WHERE " OF_HOOK ")" },
  { "interval", "*", "run = ?1" }, { "counts", "*", OF_HOOK }, { "loss", "*", OF_HOOK }, { "gap", "*", "run = ?1" },
  { "count_point", "*", OF_HOOK }, { "patch", "*", "run = ?1" }, { "function", "*", "run = ?1" }, { "block", "*", OF_FUNCTION },
  { "edge", "*", OF_FUNCTION }, { "address", "*", "run = ?1" }, { "stack", "*", "run = ?1" }, { "line", "*", "run = ?1" },
  { "value_name", "*", "run = ?1" }, { "note", "*", "run = ?1" },
  { "chunk_checksum", "id", "id IN (SELECT id FROM chunk WHERE " OF_INSTRUMENT ")" },
};

/* Tables that hold the rows of a chunk, a stored batch of samples. Rows of the first table are
 * keyed by the chunk's id, rows of the others by the column's id. */
static const char *const chunk_tables[] = {
  [GILK_SUM_CHUNK] = "chunk", [GILK_SUM_COLUMN] = "chunk_column", [GILK_SUM_GROUPS] = "chunk_groups",
  [GILK_SUM_TILES] = "chunk_tiles", [GILK_SUM_SKETCH] = "chunk_sketch",
};

typedef struct {
  uint64_t rows, sum;
} Total;

/* ---- a row ---- */

uint64_t
gilk_sum_integer (uint64_t sum,
                  gint64   value)
{
  sum = (sum ^ (uint64_t) value) * 0x9e3779b97f4a7c15u;

  return sum ^ sum >> 32;
}

uint64_t
gilk_sum_bytes (uint64_t    sum,
                const void *bytes,
                gsize       size)
{
  const uint8_t *at = bytes;
  gint64 word;

  sum = gilk_sum_integer (sum, (gint64) size);
  for (; size >= sizeof word; at += sizeof word, size -= sizeof word)
    {
      memcpy (&word, at, sizeof word);
      sum = gilk_sum_integer (sum, GINT64_FROM_LE (word));
    }
  word = 0;
  if (size > 0)
    memcpy (&word, at, size);

  return gilk_sum_integer (sum, GINT64_FROM_LE (word));
}

/* Returns @sum updated with all values of the statement's current row. The sum is inverted before
 * floats and NULL, to distinguish them from integers. */
static uint64_t
sum_row (uint64_t sum, sqlite3_stmt *stmt)
{
  for (int i = 0, n = sqlite3_column_count (stmt); i < n; i++)
    switch (sqlite3_column_type (stmt, i))
      {
      case SQLITE_INTEGER:
        sum = gilk_sum_integer (sum, sqlite3_column_int64 (stmt, i));
        break;
      case SQLITE_FLOAT:
        {
          double value = sqlite3_column_double (stmt, i);
          gint64 bits;

          memcpy (&bits, &value, sizeof bits);
          sum = gilk_sum_integer (~sum, bits);
          break;
        }
      case SQLITE_NULL:
        sum = gilk_sum_null (sum);
        break;
      default:
        {
          const void *bytes = sqlite3_column_blob (stmt, i);

          sum = gilk_sum_bytes (sum, bytes, (gsize) sqlite3_column_bytes (stmt, i));
          break;
        }
      }

  return sum;
}

/* ---- chunks ---- */

gboolean
gilk_chunk_sum_replace (GilkStore *store,
                        gint64     chunk,
                        uint64_t   before,
                        uint64_t   after,
                        GError   **error)
{
  gint64 sum, there;

  if (!gilk_sql_value (store, error, &there, 0, "SELECT count (*) FROM chunk_checksum WHERE id = ?", "i", chunk))
    return FALSE;

  return there == 0 ||
         (gilk_sql_value (store, error, &sum, 0, "SELECT checksum FROM chunk_checksum WHERE id = ?", "i", chunk) &&
          gilk_sql_run (store, error, "UPDATE chunk_checksum SET checksum = ? WHERE id = ?", "ii",
                        (gint64) ((uint64_t) sum - before + after), chunk));
}

static gboolean
add_chunk_rows (GilkStore *store, guint table, GHashTable *sums, GError **error)
{
  g_autofree char *sql = g_strdup_printf ("SELECT * FROM %s", chunk_tables[table]);
  g_autoptr(GError) local = NULL;
  GILK_AUTO_STMT stmt = gilk_sql_prepare (store, &local, sql, "");

  while (gilk_sql_next (store, stmt, &local))
    {
      gint64 chunk = sqlite3_column_int64 (stmt, 0) / (table == GILK_SUM_CHUNK ? 1 : GILK_CHUNK_COLUMNS);
      uint64_t *sum = g_hash_table_lookup (sums, &chunk);

      if (sum == NULL)
        {
          gint64 *entry = g_new0 (gint64, 2);     /* entry of the hash table: a chunk's id, then its
                                                   * checksum */

          *entry = chunk;
          g_hash_table_insert (sums, entry, entry + 1);
          sum = (uint64_t *) (entry + 1);
        }
      *sum += sum_row (table, stmt);
    }

  return gilk_check_end (&local, error);
}

/* Computes the checksums of all chunks. Returns a table from chunk id to checksum. */
static GHashTable *
sum_chunks (GilkStore *store, GError **error)
{
  g_autoptr(GHashTable) sums = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);

  for (guint i = 0; i < G_N_ELEMENTS (chunk_tables); i++)
    if (!add_chunk_rows (store, i, sums, error))
      return NULL;

  return g_steal_pointer (&sums);
}

/* Counts chunks that do not match their checksum, and checksums without a chunk. */
static gboolean
compare_chunks (GilkStore *store, uint64_t *wrong, GError **error)
{
  g_autoptr(GHashTable) sums = sum_chunks (store, error);
  g_autoptr(GError) local = NULL;
  GILK_AUTO_STMT stmt = gilk_sql_prepare (store, &local,
    "SELECT id, checksum FROM chunk_checksum", "");
  gint64 missing;

  if (sums == NULL)
    return FALSE;
  while (gilk_sql_next (store, stmt, &local))
    {
      gint64 id = sqlite3_column_int64 (stmt, 0);
      const uint64_t *sum = g_hash_table_lookup (sums, &id);

      *wrong += sum == NULL || sqlite3_column_type (stmt, 1) != SQLITE_INTEGER ||
                *sum != (uint64_t) sqlite3_column_int64 (stmt, 1);
    }
  if (!gilk_check_end (&local, error) ||
      !gilk_sql_value (store, error, &missing, 0, "SELECT count (*) FROM chunk c WHERE NOT EXISTS "
                       "(SELECT 1 FROM chunk_checksum s WHERE s.id = c.id)", ""))
    return FALSE;
  *wrong += (uint64_t) missing;

  return TRUE;
}

/* ---- computes checksums of a run's rows outside of chunks ---- */

static gboolean
sum_rows (GilkStore *store, const char *sql, gint64 run, Total *total, GError **error)
{
  g_autoptr(GError) local = NULL;
  GILK_AUTO_STMT stmt = gilk_sql_prepare (store, &local, sql, run != 0 ? "i" : "", run);

  *total = (Total) { 0 };
  while (gilk_sql_next (store, stmt, &local))
    {
      total->rows++;
      total->sum += sum_row (0, stmt);
    }

  return gilk_check_end (&local, error);
}

static gboolean
sum_table (GilkStore *store, guint table, gint64 run, Total *total, GError **error)
{
  g_autofree char *sql = g_strdup_printf ("SELECT %s FROM %s WHERE %s", tables[table].columns, tables[table].name,
                                          tables[table].where);

  return sum_rows (store, sql, run, total, error);
}

static gboolean
put_total (GilkStore *store, gint64 run, const char *name, const Total *total, GError **error)
{
  return gilk_sql_run (store, error, "INSERT OR REPLACE INTO row_checksum (run, name, n, checksum) VALUES (?, ?, ?, ?)",
                       "isii", run, name, (gint64) total->rows, (gint64) total->sum);
}

gboolean
gilk_store_sum_run (GilkStore  *store,
                    gint64      run,
                    const char *table,
                    GError    **error)
{
  Total total;

  for (guint i = 0; i < G_N_ELEMENTS (tables); i++)
    if ((table == NULL || strcmp (table, tables[i].name) == 0) &&
        !(sum_table (store, i, run, &total, error) && put_total (store, run, tables[i].name, &total, error)))
      return FALSE;

  return TRUE;
}

/* The schema's text has a checksum, too: it is stored as the checksum of a run with id 0. */
#define SCHEMA     "SELECT type, name, tbl_name, sql FROM sqlite_master"
#define SCHEMA_RUN 0

gboolean
gilk_store_sum_schema (GilkStore *store,
                       GError   **error)
{
  Total total;

  return sum_rows (store, SCHEMA, 0, &total, error) && put_total (store, SCHEMA_RUN, "schema", &total, error);
}

gboolean
gilk_store_has_sums (GilkStore *store,
                     gint64     run,
                     gboolean  *has,
                     GError   **error)
{
  gint64 n;

  if (!gilk_sql_value (store, error, &n, 0, "SELECT count (*) FROM row_checksum WHERE run = ?", "i", run))
    return FALSE;
  *has = n > 0;

  return TRUE;
}

/* ---- verifying ---- */

static gboolean
compare_total (GilkStore *store, gint64 run, const char *name, const Total *total, gboolean *same, GError **error)
{
  gint64 n, sum;

  if (!gilk_sql_value (store, error, &n, -1, "SELECT n FROM row_checksum WHERE run = ? AND name = ?", "is", run, name) ||
      !gilk_sql_value (store, error, &sum, 0, "SELECT checksum FROM row_checksum WHERE run = ? AND name = ?", "is", run, name))
    return FALSE;
  *same = n >= 0 && (uint64_t) n == total->rows && (uint64_t) sum == total->sum;

  return TRUE;
}

static gboolean
verify_run (GilkStore *store, gint64 run, GPtrArray *problems, GError **error)
{
  for (guint i = 0; i < G_N_ELEMENTS (tables); i++)
    {
      gboolean same;
      Total total;

      if (!sum_table (store, i, run, &total, error) || !compare_total (store, run, tables[i].name, &total, &same, error))
        return FALSE;
      if (!same)
        g_ptr_array_add (problems, g_strdup_printf (_("run %" PRId64 ": the rows of table %s differ from those that were "
                                                      "written"),
                                                    run, tables[i].name));
    }

  return TRUE;
}

/* Verifies the checksums of runs. A run whose recorder crashed gets its checksums only when the
 * session is repaired. */
static gboolean
verify_runs (GilkStore *store, const GArray *runs, GPtrArray *problems, GError **error)
{
  gint64 strays, n;

  for (guint i = 0; i < runs->len; i++)
    {
      gint64 run = g_array_index (runs, GilkStoredRun, i).id;
      gboolean has;

      if (!gilk_store_has_sums (store, run, &has, error) ||
          !gilk_sql_value (store, error, &n, 0, "SELECT count (*) FROM run WHERE id = ? AND end_reason IS NULL", "i", run) ||
          ((has || n == 0) && !verify_run (store, run, problems, error)))
        return FALSE;
    }
  if (!gilk_sql_value (store, error, &strays, 0, "SELECT count (*) FROM row_checksum WHERE run <> 0 AND "
                       "run NOT IN (SELECT id FROM run)", ""))
    return FALSE;
  if (strays > 0)
    g_ptr_array_add (problems, g_strdup_printf (_("%" PRId64 " checksums belong to no run"), strays));

  return TRUE;
}

gboolean
gilk_store_verify_sums (GilkStore    *store,
                        const GArray *runs,
                        GPtrArray    *problems,
                        GError      **error)
{
  uint64_t wrong = 0;
  gboolean same;
  Total total;

  if (!sum_rows (store, SCHEMA, 0, &total, error) || !compare_total (store, SCHEMA_RUN, "schema", &total, &same, error) ||
      !verify_runs (store, runs, problems, error) || !compare_chunks (store, &wrong, error))
    return FALSE;
  if (!same)
    g_ptr_array_add (problems, g_strdup (_("the tables and views were changed after the file was created")));
  if (wrong > 0)
    g_ptr_array_add (problems, g_strdup_printf (_("%" PRIu64 " chunks of samples differ from those that were written"),
                                                (guint64) wrong));

  return TRUE;
}

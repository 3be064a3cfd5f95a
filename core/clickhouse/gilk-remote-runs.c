/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-remote-runs.c - lists the runs and hooks of all hosts in a store, and reads counters'
 * readings
 */
#include "core/clickhouse/gilk-remote-runs.h"

#include <glib/gi18n.h>
#include <inttypes.h>

#include "core/base/gilk-error.h"
#include "core/clickhouse/gilk-remote-ledger.h"
#include "core/stats/gilk-gaps.h"

/* Type of the struct member that a column fills: 64-bit or 32-bit number, flag, real number,
 * text. */
typedef enum { LONG, NUMBER, FLAG, REAL, TEXT } Kind;

typedef struct {
  const char *expression;           /* SQL expression that gives the value of the member */
  Kind        kind;
  gsize       offset;
} Column;

/* A table of rows that belong to runs; each row is read into a struct of @size bytes. */
typedef struct {
  const char    *table, *order;
  gsize          size;
  const Column  *columns;
  guint          n;
  GDestroyNotify clear;
} Table;

#define AT(type, member) offsetof (type, member)

static const Column run_columns[] = {
  { "run", LONG, AT (GilkRemoteRun, id) },
  { "toUInt64(number)", NUMBER, AT (GilkRemoteRun, number) },
  { "host", TEXT, AT (GilkRemoteRun, host) },
  { "target", TEXT, AT (GilkRemoteRun, target) },
  { "title", TEXT, AT (GilkRemoteRun, title) },
  { "release", TEXT, AT (GilkRemoteRun, release) },
  { "started", TEXT, AT (GilkRemoteRun, started) },
  { "ended", TEXT, AT (GilkRemoteRun, ended) },
  { "duration_ns / 1e9", REAL, AT (GilkRemoteRun, duration) },
  { "toUInt64(hooks)", NUMBER, AT (GilkRemoteRun, hooks) },
  { "samples", LONG, AT (GilkRemoteRun, samples) },
  { "lost", LONG, AT (GilkRemoteRun, lost) },
};

static const Column hook_columns[] = {
  { "run", LONG, AT (GilkRemoteHook, run) },
  { "toUInt64(hook)", NUMBER, AT (GilkRemoteHook, hook) },
  { "label", TEXT, AT (GilkRemoteHook, label) },
  { "function", TEXT, AT (GilkRemoteHook, function) },
  { "block", TEXT, AT (GilkRemoteHook, block) },
  { "place", TEXT, AT (GilkRemoteHook, place) },
  { "instrument", TEXT, AT (GilkRemoteHook, instrument) },
  { "tactic", TEXT, AT (GilkRemoteHook, tactic) },
  { "hits", LONG, AT (GilkRemoteHook, hits) },
  { "toUInt64(hits_known)", FLAG, AT (GilkRemoteHook, hits_known) },
  { "stored", LONG, AT (GilkRemoteHook, stored) },
  { "lost", LONG, AT (GilkRemoteHook, lost) },
  { "missed", LONG, AT (GilkRemoteHook, missed) },
};

static void
clear_texts (gpointer data, const Column *columns, guint n)
{
  for (guint i = 0; i < n; i++)
    if (columns[i].kind == TEXT)
      g_free (*(char **) ((char *) data + columns[i].offset));
}

static void
clear_run (gpointer data)
{
  clear_texts (data, run_columns, G_N_ELEMENTS (run_columns));
}

static void
clear_hook (gpointer data)
{
  clear_texts (data, hook_columns, G_N_ELEMENTS (hook_columns));
}

static const Table run_table = {
  "gilk_run", "started, zero_unix_ns, run", sizeof (GilkRemoteRun), run_columns, G_N_ELEMENTS (run_columns), clear_run,
};

static const Table hook_table = {
  "gilk_hook", "run, hook", sizeof (GilkRemoteHook), hook_columns, G_N_ELEMENTS (hook_columns), clear_hook,
};

static void
read_member (const Column *column, const GilkRemoteRows *rows, guint row, guint i, void *member)
{
  switch (column->kind)
    {
    case LONG:
      *(uint64_t *) member = gilk_remote_rows_uint (rows, row, i);
      break;
    case NUMBER:
      *(guint *) member = (guint) gilk_remote_rows_uint (rows, row, i);
      break;
    case FLAG:
      *(gboolean *) member = gilk_remote_rows_uint (rows, row, i) != 0;
      break;
    case REAL:
      *(double *) member = gilk_remote_rows_double (rows, row, i);
      break;
    case TEXT:
    default:
      *(char **) member = g_strdup (gilk_remote_rows_text (rows, row, i));
    }
}

/* Reads the rows of the runs in @of, such as "1, 2", or of all runs if @of is NULL. */
static GArray *
read_table (GilkRemote *remote, const Table *table, const char *of, GError **error)
{
  static const char types[] = { [LONG] = 'u', [NUMBER] = 'u', [FLAG] = 'u', [REAL] = 'd', [TEXT] = 's' };
  g_autofree char *counted = gilk_ledger_valid_attempts_sql (remote, GILK_LEDGER_METADATA, of);
  g_autoptr(GString) sql = g_string_new ("SELECT "), kinds = g_string_new (NULL);
  g_autoptr(GArray) list = g_array_new (FALSE, TRUE, (guint) table->size);
  g_autoptr(GilkRemoteRows) rows = NULL;

  for (guint i = 0; i < table->n; i++)
    {
      g_string_append_printf (sql, "%s%s", i > 0 ? ", " : "", table->columns[i].expression);
      g_string_append_c (kinds, types[table->columns[i].kind]);
    }
  g_string_append_printf (sql, " FROM %s.%s WHERE (run, attempt) %s ORDER BY %s", gilk_remote_url (remote)->database,
                          table->table, counted, table->order);
  rows = gilk_remote_query (remote, kinds->str, sql->str, error);
  if (rows == NULL)
    return NULL;
  g_array_set_clear_func (list, table->clear);
  g_array_set_size (list, rows->n);
  for (guint row = 0; row < rows->n; row++)
    for (guint i = 0; i < table->n; i++)
      read_member (&table->columns[i], rows, row, i, list->data + row * table->size + table->columns[i].offset);

  return g_steal_pointer (&list);
}

static GilkRemoteRun *
find_run (GArray *runs, uint64_t id)
{
  for (guint i = 0; i < runs->len; i++)
    if (g_array_index (runs, GilkRemoteRun, i).id == id)
      return &g_array_index (runs, GilkRemoteRun, i);

  return NULL;
}

/* Sets each run's number of rows in complete blocks, and whether its push was completed. */
static gboolean
add_ledger (GilkRemote *remote, GArray *runs, GError **error)
{
  g_autofree char *sql = g_strdup_printf (
    "SELECT run, sumIf(rows, kind = %d), sumIf(rows, kind = %d), sumIf(rows, kind = %d), countIf(kind = %d) FROM "
    "(SELECT run, kind, block, max(rows) AS rows FROM (SELECT run, kind, block, attempt, max(rows) AS rows FROM "
    "%s.gilk_ledger GROUP BY run, kind, block, attempt HAVING min(complete) = 1) GROUP BY run, kind, block) GROUP BY run",
    GILK_LEDGER_SAMPLES, GILK_LEDGER_READINGS, GILK_LEDGER_END, GILK_LEDGER_END, gilk_remote_url (remote)->database);
  g_autoptr(GilkRemoteRows) rows = gilk_remote_query (remote, "uuuuu", sql, error);

  if (rows == NULL)
    return FALSE;
  for (guint i = 0; i < rows->n; i++)
    {
      GilkRemoteRun *run = find_run (runs, gilk_remote_rows_uint (rows, i, 0));

      if (run == NULL)
        continue;
      run->stored_samples = gilk_remote_rows_uint (rows, i, 1);
      run->readings = gilk_remote_rows_uint (rows, i, 2);
      run->complete = gilk_remote_rows_uint (rows, i, 4) > 0 &&
                   gilk_remote_rows_uint (rows, i, 3) == run->stored_samples + run->readings;
    }

  return TRUE;
}

GArray *
gilk_remote_runs (GilkRemote *remote,
                  GError    **error)
{
  g_autoptr(GArray) runs = read_table (remote, &run_table, NULL, error);

  return runs != NULL && add_ledger (remote, runs, error) ? g_steal_pointer (&runs) : NULL;
}

GArray *
gilk_remote_hooks (GilkRemote *remote,
                   const char *of,
                   GError    **error)
{
  return read_table (remote, &hook_table, of, error);
}

/* ---- reads a counter's readings from a store ---- */

/* Checks that the server has all rows. Without rows that were lost, or have not arrived yet, rates
 * would be wrong. */
static gboolean
check_rows (GilkRemote *remote, const GilkRemoteRun *run, const char *from, GError **error)
{
  g_autofree char *sql = g_strdup_printf ("SELECT count() %s", from);
  g_autoptr(GilkRemoteRows) rows = gilk_remote_query (remote, "u", sql, error);
  uint64_t found;

  if (rows == NULL)
    return FALSE;
  found = rows->n == 1 ? gilk_remote_rows_uint (rows, 0, 0) : 0;
  if (found == run->readings)
    return TRUE;
  return gilk_fail (error, GILK_ERROR_STORE,
      _("The store at %s has %" PRIu64 " counter readings of this run, but its ledger lists %" PRIu64 ": a server "
        "has lost some, or has not caught up with the others. Try again later; if that does not help, push "
        "the session again."), gilk_remote_name (remote), found, run->readings);
}

static GArray *
read_off_times (GilkRemote *remote, const GilkRemoteHook *hook, GError **error)
{
  g_autofree char *of = g_strdup_printf ("%" G_GUINT64_FORMAT, hook->run);
  g_autofree char *counted = gilk_ledger_valid_attempts_sql (remote, GILK_LEDGER_METADATA, of);
  g_autofree char *sql = g_strdup_printf ("SELECT from_ns, to_ns FROM %s.gilk_off WHERE run = %s AND hook = %u AND "
                                          "(run, attempt) %s ORDER BY from_ns", gilk_remote_url (remote)->database, of,
                                          hook->hook, counted);
  g_autoptr(GilkRemoteRows) rows = gilk_remote_query (remote, "ii", sql, error);
  GArray *off;

  if (rows == NULL)
    return NULL;
  off = g_array_new (FALSE, FALSE, sizeof (GilkGap));
  for (guint i = 0; i < rows->n; i++)
    {
      const GilkGap gap = { .from = (double) gilk_remote_rows_int (rows, i, 0) / 1e9,
                            .to = (double) gilk_remote_rows_int (rows, i, 1) / 1e9, .kind = GILK_GAP_OFF };

      g_array_append_val (off, gap);
    }

  return off;
}

gboolean
gilk_remote_readings (GilkRemote           *remote,
                      const GilkRemoteRun  *run,
                      const GilkRemoteHook *hook,
                      GArray              **times,
                      GArray              **counts,
                      GArray              **off,
                      GError              **error)
{
  g_autofree char *of = g_strdup_printf ("%" G_GUINT64_FORMAT, hook->run);
  g_autofree char *counted = gilk_ledger_valid_attempts_sql (remote, GILK_LEDGER_READINGS, of);
  g_autofree char *from = g_strdup_printf ("FROM %s.gilk_count_point WHERE run = %s AND (run, block, attempt) %s",
                                           gilk_remote_url (remote)->database, of, counted);
  g_autofree char *sql = g_strdup_printf ("SELECT t_ns, hits %s AND hook = %u ORDER BY t_ns", from, hook->hook);
  g_autoptr(GilkRemoteRows) rows = NULL;
  g_autoptr(GArray) gaps = check_rows (remote, run, from, error) ? read_off_times (remote, hook, error) : NULL;

  rows = gaps != NULL ? gilk_remote_query (remote, "iu", sql, error) : NULL;
  if (rows == NULL)
    return FALSE;
  gilk_gaps_normalise (gaps, run->duration);
  *times = g_array_new (FALSE, FALSE, sizeof (double));
  *counts = g_array_new (FALSE, FALSE, sizeof (double));
  for (guint i = 0; i < rows->n; i++)
    {
      double seconds = (double) gilk_remote_rows_int (rows, i, 0) / 1e9;
      double hits = (double) gilk_remote_rows_uint (rows, i, 1);

      g_array_append_val (*times, seconds);
      g_array_append_val (*counts, hits);
    }
  *off = g_steal_pointer (&gaps);

  return TRUE;
}

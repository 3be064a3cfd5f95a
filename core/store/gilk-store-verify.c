/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-store-verify.c - is all there that a session says it holds?
 *
 *   - SQLite finds its pages in order;
 *   - each sample can be read;
 *   - of each hook and CPU there are as many samples as its counts say were stored;
 *   - hits = stored + lost where an instrument samples each hit;
 *   - what hooks lost on a CPU is missing in gaps of it, where the run knew of gaps, and no
 *     chunk tells of more than these.
 */
#include "core/emit/gilk-inline.h"
#include "core/store/gilk-samples-private.h"

#include <string.h>

typedef struct {
  GilkStore          *store;
  const GilkProgress *progress;
  GPtrArray          *problems;
} Check;

static void
add_problem (Check *check, const char *format, ...) G_GNUC_PRINTF (2, 3);

static void
add_problem (Check *check, const char *format, ...)
{
  va_list args;

  va_start (args, format);
  g_ptr_array_add (check->problems, g_strdup_vprintf (format, args));
  va_end (args);
}

/* ---- pages ---- */

static gboolean
check_pages (Check *check, GError **error)
{
  GILK_AUTO_STMT stmt = gilk_sql_prepare (check->store, error, "PRAGMA integrity_check (10)", "");
  g_autoptr(GError) local = NULL;

  if (stmt == NULL)
    return FALSE;
  while (gilk_sql_next (check->store, stmt, &local))
    {
      g_autofree char *says = gilk_sql_text (stmt, 0);

      if (strcmp (says, "ok") != 0)
        add_problem (check, "SQLite: %s", says);
    }

  return gilk_sql_ended (&local, error);
}

/* ---- samples ---- */

/* CPU -> number, of what is there. */
static gboolean
count_samples (GilkStore *store, const GilkStoredHook *hook, GHashTable *found, GError **error)
{
  g_autoptr(GilkSamples) samples = gilk_samples_new (store, hook, 1, error);
  GilkSampleBlock block;
  GError *local = NULL;
  guint number, type;

  if (samples == NULL)
    return FALSE;
  for (guint f = 0; f < samples->fields->len; f++)
    if (!gilk_samples_add_field (samples, g_array_index (samples->fields, GilkSampleField, f).name,
                                 &number, &type, error))
      return FALSE;
  while (gilk_samples_next (samples, &block, &local))
    for (guint i = 0; i < block.n; i++)
      {
        gpointer cpu = GUINT_TO_POINTER (block.cpu[i]);

        g_hash_table_insert (found, cpu, GSIZE_TO_POINTER (GPOINTER_TO_SIZE (
                             g_hash_table_lookup (found, cpu)) + 1));
      }

  return gilk_sql_ended (&local, error);
}

static gboolean
compare_counts (Check *check, const GilkStoredHook *hook, GHashTable *found, GError **error)
{
  GILK_AUTO_STMT stmt = gilk_sql_prepare (check->store, error,
    "SELECT cpu, stored, hits, lost FROM counts WHERE hook = ? ORDER BY cpu", "i", hook->id);
  g_autoptr(GError) local = NULL;
  uint64_t stored, hits, lost;
  guint cpu;

  if (stmt == NULL)
    return FALSE;
  while (gilk_sql_next (check->store, stmt, &local) &&
         gilk_sql_row (check->store, stmt, &local, "unnn", &cpu, &stored, &hits, &lost))
    {
      gsize n = GPOINTER_TO_SIZE (g_hash_table_lookup (found, GUINT_TO_POINTER (cpu)));

      if (n != stored)
        add_problem (check, "run %" G_GINT64_FORMAT ", hook %s, processor %u: %" G_GSIZE_FORMAT
                     " samples are there, %" G_GUINT64_FORMAT " were stored", hook->run, hook->label,
                     cpu, n, (guint64) stored);
      g_hash_table_remove (found, GUINT_TO_POINTER (cpu));
    }
  if (!gilk_sql_ended (&local, error))
    return FALSE;
  if (g_hash_table_size (found) > 0)
    add_problem (check, "run %" G_GINT64_FORMAT ", hook %s: samples are there of %u processors without "
                 "counts", hook->run, hook->label, g_hash_table_size (found));

  return TRUE;
}

static gboolean
check_hook (Check *check, const GilkStoredHook *hook, GError **error)
{
  g_autoptr(GHashTable) found = g_hash_table_new (NULL, NULL);
  GError *local = NULL;

  if (count_samples (check->store, hook, found, &local))
    return compare_counts (check, hook, found, error);
  if (!g_error_matches (local, GILK_ERROR, GILK_ERROR_FORMAT))
    {
      g_propagate_error (error, local);
      return FALSE;
    }
  add_problem (check, "run %" G_GINT64_FORMAT ", hook %s: %s", hook->run, hook->label, local->message);
  g_error_free (local);

  return TRUE;
}

/* A run that ended in order was told of all that is missing, by all hooks of the target. */
static gboolean
check_gaps (Check *check, const GilkStoredRun *run, GError **error)
{
  GILK_AUTO_STMT stmt = check->store->version < 4 ? NULL : gilk_sql_prepare (check->store, error,
    "SELECT g.cpu, g.lost, min (g.ordered), "
    " (SELECT coalesce (sum (c.lost), 0) FROM counts c JOIN hook h ON h.id = c.hook "
    "   WHERE h.run = ?1 AND c.cpu = g.cpu), "
    " (SELECT coalesce (max (c.lost_before), 0) FROM chunk c JOIN instrument i ON i.id = c.instrument "
    "   WHERE i.run = ?1 AND c.cpu = g.cpu), "
    " (SELECT r.end_reason IN ('stopped', 'time is up') FROM run r WHERE r.id = ?1) "
    "FROM (SELECT cpu, sum (lost) AS lost, min (from_ns <= to_ns AND lost > 0) AS ordered FROM gap "
    "       WHERE run = ?1 GROUP BY cpu) g GROUP BY g.cpu", "i", run->id);
  g_autoptr(GError) local = NULL;
  uint64_t missing, lost, before;
  gint64 ordered, ended;
  guint cpu;

  if (check->store->version < 4)
    return TRUE;
  if (stmt == NULL)
    return FALSE;
  while (gilk_sql_next (check->store, stmt, &local) &&
         gilk_sql_row (check->store, stmt, &local, "uninni", &cpu, &missing, &ordered, &lost, &before,
                       &ended))
    if (!ordered || before > missing || (ended && lost > missing))
      add_problem (check, "run %" G_GINT64_FORMAT ", processor %u: its gaps tell of %" G_GUINT64_FORMAT
                   " samples, its hooks lost %" G_GUINT64_FORMAT ", and a chunk has %" G_GUINT64_FORMAT
                   " missing before it", run->id, cpu, (guint64) missing, (guint64) lost,
                   (guint64) before);

  return gilk_sql_ended (&local, error);
}

static gboolean
takes_samples (GilkStore *store, const GilkStoredHook *hook, gboolean *takes, GError **error)
{
  gint64 n;

  if (!gilk_sql_value (store, error, &n, 0, "SELECT count (*) FROM instrument WHERE run = ? AND "
                       "name = ? AND sample_table IS NOT NULL", "is", hook->run, hook->instrument))
    return FALSE;
  *takes = n > 0;

  return TRUE;
}

static gboolean
check_run (Check *check, const GilkStoredRun *run, GError **error)
{
  g_autoptr(GArray) hooks = gilk_store_hooks (check->store, run->id, error);
  gboolean good = hooks != NULL, takes = FALSE;

  for (guint i = 0; good && i < hooks->len; i++)
    {
      const GilkStoredHook *hook = &g_array_index (hooks, GilkStoredHook, i);

      gilk_progress (check->progress, "Reading samples", (double) i / hooks->len);
      good = takes_samples (check->store, hook, &takes, error) &&
             (!takes || check_hook (check, hook, error));
    }

  return good && check_gaps (check, run, error);
}

GPtrArray *
gilk_store_verify (const char         *path,
                   const GilkProgress *progress,
                   GCancellable       *cancellable,
                   GError            **error)
{
  g_autoptr(GilkStore) store = gilk_store_open_read (path, cancellable, error);
  g_autoptr(GPtrArray) problems = g_ptr_array_new_with_free_func (g_free);
  Check check = { store, progress, problems };
  g_autoptr(GArray) runs = NULL;

  if (store == NULL)
    return NULL;
  gilk_progress (progress, "Looking at pages", -1.0);
  if (!check_pages (&check, error) || (runs = gilk_store_runs (store, error)) == NULL)
    return NULL;
  for (guint i = 0; i < runs->len; i++)
    if (!check_run (&check, &g_array_index (runs, GilkStoredRun, i), error))
      return NULL;

  return g_steal_pointer (&problems);
}

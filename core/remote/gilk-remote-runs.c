/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-remote-runs.c - what a store has: runs and hooks of all hosts
 */
#include "core/remote/gilk-remote-runs.h"

#include "core/base/gilk-error.h"
#include "core/remote/gilk-remote-ledger.h"

static void
clear_run (gpointer data)
{
  GilkRemoteRun *run = data;

  g_free (run->host);
  g_free (run->target);
  g_free (run->title);
  g_free (run->release);
  g_free (run->started);
  g_free (run->ended);
}

static void
clear_hook (gpointer data)
{
  GilkRemoteHook *hook = data;

  g_free (hook->label);
  g_free (hook->function);
  g_free (hook->block);
  g_free (hook->place);
  g_free (hook->instrument);
  g_free (hook->tactic);
}

static char *
text_at (const GilkRemoteRows *rows, guint row, guint column)
{
  return g_strdup (gilk_remote_rows_text (rows, row, column));
}

static GilkRemoteRun *
find_run (GArray *runs, uint64_t id)
{
  for (guint i = 0; i < runs->len; i++)
    if (g_array_index (runs, GilkRemoteRun, i).id == id)
      return &g_array_index (runs, GilkRemoteRun, i);

  return NULL;
}

/* Whole blocks of each, and whether its push came to the end. */
static gboolean
add_ledger (GilkRemote *remote, GArray *runs, GError **error)
{
  g_autofree char *sql = g_strdup_printf (
    "SELECT run, sumIf(rows, kind = %d), sumIf(rows, kind = %d), countIf(kind = %d) FROM (SELECT run, kind, block, "
    "max(rows) AS rows FROM (SELECT run, kind, block, attempt, max(rows) AS rows FROM %s.gilk_ledger GROUP BY run, kind, "
    "block, attempt HAVING min(whole) = 1) GROUP BY run, kind, block) GROUP BY run", GILK_LEDGER_SAMPLES,
    GILK_LEDGER_END, GILK_LEDGER_END, gilk_remote_url (remote)->database);
  g_autoptr(GilkRemoteRows) rows = gilk_remote_ask (remote, "uuuu", sql, error);

  if (rows == NULL)
    return FALSE;
  for (guint i = 0; i < rows->n; i++)
    {
      GilkRemoteRun *run = find_run (runs, gilk_remote_rows_uint (rows, i, 0));

      if (run == NULL)
        continue;
      run->there = gilk_remote_rows_uint (rows, i, 1);
      run->whole = gilk_remote_rows_uint (rows, i, 3) > 0 && gilk_remote_rows_uint (rows, i, 2) == run->there;
    }

  return TRUE;
}

GArray *
gilk_remote_runs (GilkRemote *remote,
                  GError    **error)
{
  g_autofree char *counted = gilk_ledger_counted (remote, GILK_LEDGER_HEAD, NULL);
  g_autofree char *sql = g_strdup_printf (
    "SELECT run, toUInt64(number), host, target, title, release, started, ended, duration_ns / 1e9, toUInt64(hooks), "
    "samples, lost FROM %s.gilk_run WHERE (run, attempt) %s ORDER BY started, zero_unix_ns, run",
    gilk_remote_url (remote)->database, counted);
  g_autoptr(GilkRemoteRows) rows = gilk_remote_ask (remote, "uussssssduuu", sql, error);
  g_autoptr(GArray) runs = g_array_new (FALSE, TRUE, sizeof (GilkRemoteRun));

  g_array_set_clear_func (runs, clear_run);
  if (rows == NULL)
    return NULL;
  for (guint i = 0; i < rows->n; i++)
    {
      GilkRemoteRun run = {
        .id = gilk_remote_rows_uint (rows, i, 0), .number = (guint) gilk_remote_rows_uint (rows, i, 1),
        .host = text_at (rows, i, 2), .target = text_at (rows, i, 3), .title = text_at (rows, i, 4),
        .release = text_at (rows, i, 5), .started = text_at (rows, i, 6), .ended = text_at (rows, i, 7),
        .duration = gilk_remote_rows_double (rows, i, 8), .hooks = (guint) gilk_remote_rows_uint (rows, i, 9),
        .samples = gilk_remote_rows_uint (rows, i, 10), .lost = gilk_remote_rows_uint (rows, i, 11),
      };

      g_array_append_val (runs, run);
    }

  return add_ledger (remote, runs, error) ? g_steal_pointer (&runs) : NULL;
}

GArray *
gilk_remote_hooks (GilkRemote *remote,
                   const char *of,
                   GError    **error)
{
  g_autofree char *counted = gilk_ledger_counted (remote, GILK_LEDGER_HEAD, of);
  g_autofree char *sql = g_strdup_printf (
    "SELECT run, toUInt64(hook), label, function, block, place, instrument, tactic, hits, toUInt64(hits_known), stored, "
    "lost, dropped FROM %s.gilk_hook WHERE (run, attempt) %s ORDER BY run, hook", gilk_remote_url (remote)->database,
    counted);
  g_autoptr(GilkRemoteRows) rows = gilk_remote_ask (remote, "uussssssuuuuu", sql, error);
  g_autoptr(GArray) hooks = g_array_new (FALSE, TRUE, sizeof (GilkRemoteHook));

  g_array_set_clear_func (hooks, clear_hook);
  if (rows == NULL)
    return NULL;
  for (guint i = 0; i < rows->n; i++)
    {
      GilkRemoteHook hook = {
        .run = gilk_remote_rows_uint (rows, i, 0), .hook = (guint) gilk_remote_rows_uint (rows, i, 1),
        .label = text_at (rows, i, 2), .function = text_at (rows, i, 3), .block = text_at (rows, i, 4),
        .place = text_at (rows, i, 5), .instrument = text_at (rows, i, 6), .tactic = text_at (rows, i, 7),
        .hits = gilk_remote_rows_uint (rows, i, 8), .hits_known = gilk_remote_rows_uint (rows, i, 9) != 0,
        .stored = gilk_remote_rows_uint (rows, i, 10), .lost = gilk_remote_rows_uint (rows, i, 11),
        .dropped = gilk_remote_rows_uint (rows, i, 12),
      };

      g_array_append_val (hooks, hook);
    }

  return g_steal_pointer (&hooks);
}

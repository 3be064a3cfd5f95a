/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cmd-push.c - gilk push: sends runs of sessions to a store that many hosts share
 */
#include <glib/gi18n.h>

#include "cli/base/output.h"
#include "cli/base/session.h"
#include "core/clickhouse/gilk-remote-push.h"

typedef struct {
  int         run;                /* 0: all */
  GilkRemote *remote;
  CliTable   *table;
} Push;

static void
pushed_to_json (CliJson *json, const char *path, guint number, const GilkRemotePushed *pushed)
{
  g_autofree char *id = g_strdup_printf ("%016" G_GINT64_MODIFIER "x", pushed->id);

  cli_json_row (json, NULL);
  cli_json_string (json, "session", path);
  cli_json_uint (json, "number", number);
  cli_json_string (json, "run", id);
  cli_json_uint (json, "hooks", pushed->hooks);
  cli_json_uint (json, "samples", pushed->samples);
  cli_json_uint (json, "sent", pushed->samples_sent.sent);
  cli_json_uint (json, "already_stored", pushed->samples_sent.already_stored);
  cli_json_uint (json, "count_points_sent", pushed->readings_sent.sent);
  cli_json_uint (json, "count_points_already_stored", pushed->readings_sent.already_stored);
  cli_json_end (json);
}

static void
add_pushed_row (CliTable *table, const char *path, guint number, const GilkRemotePushed *pushed)
{
  cli_table_cell (table, path);
  cli_table_cellf (table, "%u", number);
  cli_table_cellf (table, "%016" G_GINT64_MODIFIER "x", pushed->id);
  cli_table_cellf (table, "%u", pushed->hooks);
  cli_table_cellf (table, "%" G_GUINT64_FORMAT, pushed->samples);
  cli_table_cellf (table, "%" G_GUINT64_FORMAT, pushed->samples_sent.sent);
  cli_table_cellf (table, "%" G_GUINT64_FORMAT, pushed->samples_sent.already_stored);
  cli_table_cellf (table, "%" G_GUINT64_FORMAT, pushed->readings_sent.sent + pushed->readings_sent.already_stored);
}

static gboolean
push_run (Cli *cli, const Push *push, const CliSession *session, const GilkStoredRun *run, guint number, GError **error)
{
  const char *path = gilk_store_path (session->store);
  GilkRemotePushed pushed;
  gboolean ok = gilk_remote_push (push->remote, session->store, run, number, cli_progress_for_core (cli->progress),
                                  &pushed, error);

  cli_progress_clear (cli->progress);
  if (!ok)
    return FALSE;
  if (cli->doc != NULL)
    pushed_to_json (cli->doc, path, number, &pushed);
  else
    add_pushed_row (push->table, path, number, &pushed);

  return TRUE;
}

static gboolean
push_session (Cli *cli, const Push *push, const char *path, GError **error)
{
  g_auto(CliSession) session = { 0 };

  if (!cli_session_open (cli, path, push->run, &session, error))
    return FALSE;
  for (guint i = 0; i < session.runs->len; i++)
    if ((push->run == 0 || (guint) push->run == i + 1) &&
        !push_run (cli, push, &session, &g_array_index (session.runs, GilkStoredRun, i), i + 1, error))
      return FALSE;

  return TRUE;
}

static gboolean
push_all (Cli *cli, const Push *push, char *const *paths, guint n, GError **error)
{
  gboolean ok = TRUE;

  cli_json_array (cli->doc, "pushed");
  for (guint i = 0; i < n && ok; i++)
    ok = push_session (cli, push, paths[i], error);
  /* List the runs that were sent to the store, even if sending a later run failed. */
  cli_json_end (cli->doc);
  if (cli_table_n_rows (push->table) > 0)
    cli_print_table (cli, push->table);
  cli->keep_doc = !ok;

  return ok;
}

static gboolean
check_arguments (char *const *words, guint n, GError **error)
{
  if (n < 2 || !gilk_remote_url_is (words[n - 1]))
    return gilk_fail (error, GILK_ERROR_USAGE,
                      _("No store given. Write: gilk push SESSION… clickhouse://HOST."));
  for (guint i = 0; i + 1 < n; i++)
    if (gilk_remote_url_is (words[i]))
      return gilk_fail (error, GILK_ERROR_USAGE,
                        _("One store at a time: give the sessions first and one URL last."));
  return TRUE;
}

gboolean
cmd_push (Cli *cli, int argc, char **argv, GError **error)
{
  Push push = { 0 };
  const GOptionEntry entries[] = {
    { "run", 'r', 0, G_OPTION_ARG_INT, &push.run, N_("Select one run of each session (default: all)"), N_("N") },
    { NULL },
  };
  g_auto(GilkRemoteUrl) url = { 0 };
  g_autoptr(GilkRemote) remote = NULL;
  g_autoptr(CliTable) table = cli_table_new (_("<SESSION|>NUMBER|<RUN|>HOOKS|>SAMPLES|>SENT|>SENT BEFORE|>READINGS"));
  char **words;
  guint n;

  if (!cli_parse (cli, argc, argv, entries,
                  _("Copies runs, hooks, samples, counter readings and losses into a ClickHouse server or cluster, "
                    "over its HTTP interface: clickhouse://[USER[:PASSWORD]@]HOST[:PORT][/DATABASE][?cluster=NAME], "
                    "clickhouses:// for TLS. Each sample and reading is stored once, however often a run is pushed and "
                    "wherever a push was interrupted. \"gilk report --store\" reads it."),
                  0, -1, &words, error))
    return FALSE;
  n = g_strv_length (words);
  if (!check_arguments (words, n, error) || !gilk_remote_url_parse (words[n - 1], &url, error))
    return FALSE;
  cli_interrupts_may_end (TRUE);
  remote = gilk_remote_open (&url, cli->cancellable, error);
  if (remote == NULL || !gilk_remote_schema_make (remote, error))
    return FALSE;
  push.remote = remote;
  push.table = table;

  return push_all (cli, &push, words, n - 1, error);
}

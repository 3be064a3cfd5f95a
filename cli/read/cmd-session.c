/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cmd-session.c - gilk session, gilk sessions, gilk runs: compresses, verifies and lists
 * sessions
 */
#include <errno.h>
#include <glib/gi18n.h>
#include <string.h>

#include "cli/base/output.h"
#include "cli/base/session.h"
#include "core/base/gilk-error.h"
#include "core/store/gilk-store.h"

/* Opens an existing session for writing. */
static GilkStore *
open_session (const char *path, GError **error)
{
  if (g_file_test (path, G_FILE_TEST_EXISTS))
    return gilk_store_open (path, error);
  gilk_unreadable (path, ENOENT, error);

  return NULL;
}

static gboolean
print_sizes (Cli *cli, const char *path, uint64_t before, GError **error)
{
  g_autoptr(GilkStore) store = gilk_store_open_read (path, NULL, error);

  if (store == NULL)
    return FALSE;
  if (cli->doc != NULL)
    {
      cli_json_string (cli->doc, "session", path);
      cli_json_uint (cli->doc, "bytes_before", before);
      cli_json_uint (cli->doc, "bytes", gilk_store_bytes (store));
    }
  else
    {
      g_autofree char *was = g_format_size (before), *is = g_format_size (gilk_store_bytes (store));

      cli_print (cli, _("%s was compressed: its size is %s now, and "
                        "was %s before.\n"), path, is, was);
    }

  return TRUE;
}

static gboolean
compress_session (Cli *cli, const char *path, GError **error)
{
  g_autoptr(GilkStore) store = open_session (path, error);
  uint64_t before = store != NULL ? gilk_store_bytes (store) : 0;

  return store != NULL &&
    gilk_store_compress (store, cli_progress_for_core (cli->progress), cli->cancellable, error) &&
    gilk_store_close (g_steal_pointer (&store), error) &&
    print_sizes (cli, path, before, error);
}

static gboolean
verify_session (Cli *cli, const char *path, GError **error)
{
  g_autoptr(GPtrArray) problems = NULL;

  cli_interrupts_may_end (TRUE);
  problems = gilk_store_verify (path, cli_progress_for_core (cli->progress), cli->cancellable, error);
  if (problems == NULL)
    return FALSE;
  if (cli->doc != NULL)
    {
      cli_json_string (cli->doc, "session", path);
      cli_json_array (cli->doc, "problems");
      for (guint i = 0; i < problems->len; i++)
        cli_json_string (cli->doc, NULL, g_ptr_array_index (problems, i));
      cli_json_end (cli->doc);
      cli->keep_doc = TRUE;
    }
  else
    for (guint i = 0; i < problems->len; i++)
      cli_print (cli, "%s\n", (const char *) g_ptr_array_index (problems, i));
  if (problems->len > 0)
    return gilk_fail (error, GILK_ERROR_FORMAT,
                      ngettext ("%s is damaged (%u problem). Use a backup.",
                                "%s is damaged (%u problems). Use a backup.", problems->len),
                      path, problems->len);
  if (cli->doc == NULL)
    cli_print (cli, _("%s is complete and undamaged.\n"), path);

  return TRUE;
}

gboolean
cmd_session (Cli *cli, int argc, char **argv, GError **error)
{
  char **words;

  if (!cli_parse (cli, argc, argv, NULL,
                  _("compress FILE: store samples in less space; reading takes somewhat longer.\n"
                    "verify FILE: check that all samples are there and can be read."), 2, 2, &words,
                  error))
    return FALSE;
  if (strcmp (words[0], "compress") == 0)
    return compress_session (cli, words[1], error);
  if (strcmp (words[0], "verify") == 0)
    return verify_session (cli, words[1], error);
  return gilk_fail (error, GILK_ERROR_USAGE,
                    _("Unknown action \"gilk session %s\". Use compress or verify."), words[0]);
}

/* ---- gilk sessions and gilk runs: list recorded sessions and runs ---- */

static void
runs_to_json (CliJson *json, const GArray *runs)
{
  cli_json_array (json, "runs");
  for (guint i = 0; i < runs->len; i++)
    {
      const GilkStoredRun *run = &g_array_index (runs, GilkStoredRun, i);

      cli_json_row (json, NULL);
      cli_session_run_members (json, i + 1, run);
      cli_json_end (json);
    }
  cli_json_end (json);
}

static void
print_runs (Cli *cli, const GArray *runs)
{
  g_autoptr(CliTable) table =
    cli_table_new (_(">RUN|~TITLE|<TARGET|<KERNEL|<BY|<STARTED|>SECONDS|>SAMPLES|>LOST|<ENDED"));

  for (guint i = 0; i < runs->len; i++)
    {
      const GilkStoredRun *run = &g_array_index (runs, GilkStoredRun, i);
      g_autofree char *ended = gilk_store_end_reason_text (run->end_reason);

      cli_table_cellf (table, "%u", i + 1);
      cli_table_cell (table, run->title);
      cli_table_cell (table, run->target);
      cli_table_cell (table, run->release);
      cli_table_cell (table, gilk_stored_run_way (run));
      cli_table_cell (table, run->started);
      cli_table_cellf (table, "%.1f", run->duration);
      cli_table_cellf (table, "%" G_GUINT64_FORMAT, (guint64) run->samples);
      cli_table_cellf (table, "%" G_GUINT64_FORMAT, (guint64) run->lost);
      if (run->lost > 0)
        cli_table_tint (table, CLI_TINT_WARN);
      cli_table_cell (table, ended);
    }
  cli_print_table (cli, table);
}

gboolean
cmd_runs (Cli *cli, int argc, char **argv, GError **error)
{
  g_autoptr(GilkStore) store = NULL;
  g_autoptr(GArray) runs = NULL;
  char **words;

  if (!cli_parse (cli, argc, argv, NULL,
                  _("A session holds any number of runs. Commands that read one run take the last, unless --run "
                    "selects another."), 1, 1, &words, error))
    return FALSE;
  cli_interrupts_may_end (TRUE);
  store = gilk_store_open_read (words[0], cli->cancellable, error);
  if (store == NULL)
    return FALSE;
  runs = gilk_store_runs (store, error);
  if (runs == NULL)
    return FALSE;

  if (cli->doc != NULL)
    {
      cli_json_string (cli->doc, "session", words[0]);
      runs_to_json (cli->doc, runs);
    }
  else if (runs->len == 0)
    cli_print (cli, _("%s has no runs yet.\n"), words[0]);
  else
    print_runs (cli, runs);
  return TRUE;
}

static void
show_session (Cli *cli, CliTable *table, const char *path)
{
  g_autoptr(GError) local = NULL;
  g_autoptr(GilkStore) store = gilk_store_open_read (path, cli->cancellable, &local);
  g_autoptr(GArray) runs = store != NULL ? gilk_store_runs (store, &local) : NULL;
  const GilkStoredRun *last;
  g_autofree char *size = NULL;

  if (runs == NULL)
    {
      cli_json_row (cli->doc, NULL);
      cli_json_string (cli->doc, "session", path);
      cli_json_string (cli->doc, "problem", local->message);
      cli_json_end (cli->doc);
      cli_note (cli, "%s", local->message);
      return;
    }

  if (cli->doc != NULL)
    {
      cli_json_object (cli->doc, NULL);
      cli_json_string (cli->doc, "session", path);
      cli_json_uint (cli->doc, "bytes", gilk_store_bytes (store));
      runs_to_json (cli->doc, runs);
      cli_json_end (cli->doc);
      return;
    }
  last = runs->len > 0 ? &g_array_index (runs, GilkStoredRun, runs->len - 1) : NULL;
  size = cli_format_bytes (gilk_store_bytes (store));
  cli_table_cell (table, path);
  cli_table_cellf (table, "%u", runs->len);
  cli_table_cell (table, size);
  cli_table_cell (table, last != NULL ? last->started : "-");
  cli_table_cell (table, last != NULL ? last->release : "-");
  cli_table_cell (table, last != NULL ? last->title : "-");
}

gboolean
cmd_sessions (Cli *cli, int argc, char **argv, GError **error)
{
  static const char *const here[] = { ".", NULL };
  g_autoptr(CliTable) table = cli_table_new (_("<SESSION|>RUNS|>SIZE|<LAST RUN|<KERNEL|~TITLE"));
  const char *const *folders;
  char **words;

  if (!cli_parse (cli, argc, argv, NULL,
                  _("Lists the files named *.gilk in each FOLDER, or in the current folder."),
                  0, -1, &words, error))
    return FALSE;

  cli_json_array (cli->doc, "sessions");
  folders = words[0] != NULL ? (const char *const *) words : here;
  for (guint i = 0; folders[i] != NULL; i++)
    {
      g_autoptr(GPtrArray) paths = gilk_store_list_folder (folders[i], error);

      if (paths == NULL)
        return FALSE;
      for (guint j = 0; j < paths->len; j++)
        show_session (cli, table, paths->pdata[j]);
    }

  if (cli->doc != NULL)
    cli_json_end (cli->doc);
  else if (cli_table_n_rows (table) == 0)
    cli_note (cli, _("No sessions here. \"gilk run FILE -o NAME.gilk\" records one."));
  else
    cli_print_table (cli, table);
  return TRUE;
}

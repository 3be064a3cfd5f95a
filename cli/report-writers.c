/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * report-writers.c - reports the code that made the accesses seen by watchpoints
 */
#include "cli/report-writers.h"

#include <glib/gi18n.h>
#include <inttypes.h>
#include <string.h>

#include "cli/output.h"
#include "core/base/gilk-error.h"
#include "core/store/gilk-store-lines.h"
#include "core/store/gilk-store-writers.h"

#define WRITERS_SHOWN   20
#define PROCESSES_SHOWN 3

static uint64_t
sum (const GArray *writers)
{
  uint64_t total = 0;

  for (guint i = 0; i < writers->len; i++)
    total += g_array_index (writers, GilkWriter, i).count;

  return total;
}

/* Returns "sshd (12) 3, bash (40) 1, …". */
static char *
processes_text (const GilkWriter *writer)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < MIN (writer->processes->len, PROCESSES_SHOWN); i++)
    {
      const GilkWriterProcess *process = &g_array_index (writer->processes, GilkWriterProcess, i);

      g_string_append_printf (text, "%s%s (%" PRId64 ") %" PRIu64, i > 0 ? ", " : "", process->comm, process->pid,
                              process->count);
    }
  if (writer->processes->len > PROCESSES_SHOWN || writer->others > 0)
    g_string_append (text, ", …");

  return g_string_free (text, FALSE);
}

static char *
contexts_text (const GilkWriter *writer)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < GILK_WRITER_CONTEXTS; i++)
    if (writer->contexts[i] > 0)
      g_string_append_printf (text, "%s%s", text->len > 0 ? ", " : "", gilk_writer_context (i));

  return g_string_free (text, FALSE);
}

static void
print_writers (Cli *cli, const GilkStoredHook *hook, const GArray *writers, GHashTable *lines)
{
  g_autoptr(CliTable) table = cli_table_new (_("^BLOCK|>COUNT|>SHARE|>LAST VALUE|~INSTRUCTION|<CONTEXT|~PROCESSES"));
  uint64_t total = sum (writers), rest = 0;

  for (guint i = 0; i < writers->len; i++)
    {
      const GilkWriter *writer = &g_array_index (writers, GilkWriter, i);
      g_autofree char *processes = processes_text (writer), *contexts = contexts_text (writer);

      if (i >= WRITERS_SHOWN)
        {
          rest += writer->count;
          continue;
        }
      if (gilk_stored_line (lines, writer->ip) != NULL)
        cli_table_cellf (table, "%s (%s)", writer->name, gilk_stored_line (lines, writer->ip));
      else
        cli_table_cell (table, writer->name);
      cli_table_cellf (table, "%" PRIu64, writer->count);
      cli_table_cellf (table, "%.1f %%", 100.0 * (double) writer->count / (double) total);
      cli_table_cellf (table, "0x%" PRIx64, writer->last);
      cli_table_cell (table, writer->insn);
      cli_table_cell (table, contexts);
      cli_table_cell (table, processes);
    }
  if (rest > 0)
    {
      cli_table_cellf (table, _("(%u more)"), writers->len - WRITERS_SHOWN);
      cli_table_cellf (table, "%" PRIu64, rest);
      cli_table_cellf (table, "%.1f %%", 100.0 * (double) rest / (double) total);
      for (guint i = 0; i < 4; i++)
        cli_table_cell (table, "");
    }
  cli_print_tinted (cli, CLI_TINT_BOLD, _("\n%s: accesses to %s%s\n"), hook->label, hook->function, hook->block);
  cli_print_table (cli, table);
  if (hook->dropped > 0)
    cli_print (cli, _("It paused %" PRIu64 " times because a CPU exceeded the limit (most=); accesses during pauses are "
                      "not counted.\n"), hook->dropped);
}

static void
writer_to_json (CliJson *json, const GilkWriter *writer, uint64_t total, const char *line)
{
  cli_json_object (json, NULL);
  cli_json_string (json, "writer", writer->name);
  cli_json_string (json, "function", writer->function);
  cli_json_string (json, "block", writer->block);
  cli_json_string (json, "instruction", writer->insn);
  cli_json_address (json, "ip", writer->ip);
  if (line != NULL)
    cli_json_string (json, "line", line);
  cli_json_uint (json, "count", writer->count);
  cli_json_double (json, "share", (double) writer->count / (double) total);
  cli_json_uint (json, "last", writer->last);
  cli_json_uint (json, "least", writer->least);
  cli_json_uint (json, "greatest", writer->greatest);
  cli_json_int (json, "first_ns", writer->first_ns);
  cli_json_int (json, "last_ns", writer->last_ns);
  cli_json_row (json, "contexts");
  for (guint i = 0; i < GILK_WRITER_CONTEXTS; i++)
    cli_json_uint (json, gilk_writer_context (i), writer->contexts[i]);
  cli_json_end (json);
  cli_json_array (json, "processes");
  for (guint i = 0; i < writer->processes->len; i++)
    {
      const GilkWriterProcess *process = &g_array_index (writer->processes, GilkWriterProcess, i);

      cli_json_row (json, NULL);
      cli_json_string (json, "comm", process->comm);
      cli_json_int (json, "pid", process->pid);
      cli_json_uint (json, "count", process->count);
      cli_json_end (json);
    }
  cli_json_end (json);
  cli_json_end (json);
}

static void
writers_to_json (Cli *cli, const GilkStoredHook *hook, const GArray *writers, GHashTable *lines)
{
  CliJson *json = cli->doc;
  uint64_t total = sum (writers);

  cli_json_object (json, NULL);
  cli_json_string (json, "hook", hook->label);
  cli_json_string (json, "variable", hook->function);
  cli_json_uint (json, "pauses", hook->dropped);
  cli_json_array (json, "writers");
  for (guint i = 0; i < writers->len; i++)
    {
      const GilkWriter *writer = &g_array_index (writers, GilkWriter, i);

      writer_to_json (json, writer, total, gilk_stored_line (lines, writer->ip));
    }
  cli_json_end (json);
  cli_json_end (json);
}

static gboolean
report_hook (Cli *cli, const CliSession *session, const GilkStoredHook *hook, gboolean asked, GError **error)
{
  g_autoptr(GArray) writers = gilk_store_writers (session->store, hook, error);

  g_autoptr(GHashTable) lines = writers != NULL ? gilk_store_lines (session->store, hook->run, error) : NULL;

  if (lines == NULL)
    return FALSE;
  if (cli->doc != NULL)
    writers_to_json (cli, hook, writers, lines);
  else if (writers->len > 0)
    print_writers (cli, hook, writers, lines);
  else if (asked)
    cli_print (cli, _("%s: no accesses to %s%s during the run.\n"), hook->label, hook->function, hook->block);

  return TRUE;
}

static gboolean
is_meant (const GilkStoredHook *hook, char *const *labels)
{
  return gilk_stored_hook_is_watch (hook) &&
         (labels == NULL || g_strv_contains ((const char *const *) labels, hook->label));
}

gboolean
cli_writers_report (Cli               *cli,
                    const CliSession  *session,
                    char *const       *labels,
                    gboolean           asked,
                    GError           **error)
{
  guint n = 0;

  for (guint i = 0; i < cli_session_n_hooks (session); i++)
    n += is_meant (cli_session_hook (session, i), labels);
  if (n == 0 && asked)
    {
      g_set_error_literal (error, GILK_ERROR, GILK_ERROR_NOT_FOUND,
                           _("This run has no such watchpoints. Set one with gilk run --watch NAME:w."));
      return FALSE;
    }
  if (n == 0)
    return TRUE;
  if (cli->doc != NULL)
    cli_json_array (cli->doc, "writers");
  for (guint i = 0; i < cli_session_n_hooks (session); i++)
    if (is_meant (cli_session_hook (session, i), labels) &&
        !report_hook (cli, session, cli_session_hook (session, i), asked, error))
      return FALSE;
  if (cli->doc != NULL)
    cli_json_end (cli->doc);

  return TRUE;
}

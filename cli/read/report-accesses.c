/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * report-accesses.c - reports which code accessed the data that watchpoints watch
 */
#include "cli/read/report.h"

#include <glib/gi18n.h>
#include <inttypes.h>

#include "cli/base/output.h"
#include "core/base/gilk-error.h"
#include "core/samples/gilk-store-accesses.h"
#include "core/store/gilk-store-names.h"

#define ACCESSORS_SHOWN   20
#define PROCESSES_SHOWN 3

static uint64_t
sum_counts (const GArray *accessors)
{
  uint64_t total = 0;

  for (guint i = 0; i < accessors->len; i++)
    total += g_array_index (accessors, GilkAccessor, i).count;

  return total;
}

/* Returns "sshd (12) 3, bash (40) 1, …". */
static char *
format_processes (const GilkAccessor *accessor)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < MIN (accessor->processes->len, PROCESSES_SHOWN); i++)
    {
      const GilkAccessorProcess *process = &g_array_index (accessor->processes, GilkAccessorProcess, i);

      g_string_append_printf (text, "%s%s (%" PRId64 ") %" PRIu64, i > 0 ? ", " : "", process->comm, process->pid,
                              process->count);
    }
  if (accessor->processes->len > PROCESSES_SHOWN || accessor->others > 0)
    g_string_append (text, ", …");

  return g_string_free (text, FALSE);
}

static char *
format_contexts (const GilkAccessor *accessor)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < GILK_ACCESSOR_CONTEXTS; i++)
    if (accessor->contexts[i] > 0)
      g_string_append_printf (text, "%s%s", text->len > 0 ? ", " : "", gilk_accessor_context (i));

  return g_string_free (text, FALSE);
}

static void
print_accessors (Cli *cli, const GilkStoredHook *hook, const GArray *accessors, GHashTable *lines)
{
  g_autoptr(CliTable) table = cli_table_new (_("^BLOCK|>COUNT|>SHARE|>LAST VALUE|~INSTRUCTION|<CONTEXT|~PROCESSES"));
  uint64_t total = sum_counts (accessors), rest = 0;

  for (guint i = 0; i < accessors->len; i++)
    {
      const GilkAccessor *accessor = &g_array_index (accessors, GilkAccessor, i);
      g_autofree char *processes = format_processes (accessor), *contexts = format_contexts (accessor);

      if (i >= ACCESSORS_SHOWN)
        {
          rest += accessor->count;
          continue;
        }
      if (gilk_stored_line (lines, accessor->ip) != NULL)
        cli_table_cellf (table, "%s (%s)", accessor->name, gilk_stored_line (lines, accessor->ip));
      else
        cli_table_cell (table, accessor->name);
      cli_table_cellf (table, "%" PRIu64, accessor->count);
      cli_table_cellf (table, "%.1f %%", 100.0 * (double) accessor->count / (double) total);
      cli_table_cellf (table, "0x%" PRIx64, accessor->last);
      cli_table_cell (table, accessor->insn);
      cli_table_cell (table, contexts);
      cli_table_cell (table, processes);
    }
  if (rest > 0)
    {
      cli_table_cellf (table, _("(%u more)"), accessors->len - ACCESSORS_SHOWN);
      cli_table_cellf (table, "%" PRIu64, rest);
      cli_table_cellf (table, "%.1f %%", 100.0 * (double) rest / (double) total);
      for (guint i = 0; i < 4; i++)
        cli_table_cell (table, "");
    }
  cli_print_tinted (cli, CLI_TINT_BOLD, _("\nWatchpoint %s: accesses to %s%s\n"),
                    hook->label, hook->function, hook->block);
  cli_print_table (cli, table);
  if (hook->missed > 0)
    cli_print (cli, _("Missed: %" PRIu64 ". Each pause of a CPU that exceeded the limit (limit=) counts once, and so "
                      "does each access while another BPF program ran.\n"), hook->missed);
}

static void
accessor_to_json (CliJson *json, const GilkAccessor *accessor, uint64_t total, const char *line)
{
  cli_json_object (json, NULL);
  cli_json_string (json, "accessor", accessor->name);
  cli_json_string (json, "function", accessor->function);
  cli_json_string (json, "block", accessor->block);
  cli_json_string (json, "instruction", accessor->insn);
  cli_json_address (json, "ip", accessor->ip);
  if (line != NULL)
    cli_json_string (json, "line", line);
  cli_json_uint (json, "count", accessor->count);
  cli_json_double (json, "share", (double) accessor->count / (double) total);
  cli_json_uint (json, "last", accessor->last);
  cli_json_uint (json, "min", accessor->least);
  cli_json_uint (json, "max", accessor->greatest);
  cli_json_int (json, "first_ns", accessor->first_ns);
  cli_json_int (json, "last_ns", accessor->last_ns);
  cli_json_row (json, "contexts");
  for (guint i = 0; i < GILK_ACCESSOR_CONTEXTS; i++)
    cli_json_uint (json, gilk_accessor_context (i), accessor->contexts[i]);
  cli_json_end (json);
  cli_json_array (json, "processes");
  for (guint i = 0; i < accessor->processes->len; i++)
    {
      const GilkAccessorProcess *process = &g_array_index (accessor->processes, GilkAccessorProcess, i);

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
accessors_to_json (Cli *cli, const GilkStoredHook *hook, const GArray *accessors, GHashTable *lines)
{
  CliJson *json = cli->doc;
  uint64_t total = sum_counts (accessors);

  cli_json_object (json, NULL);
  cli_json_string (json, "hook", hook->label);
  cli_json_string (json, "variable", hook->function);
  cli_json_uint (json, "missed", hook->missed);
  cli_json_array (json, "accessors");
  for (guint i = 0; i < accessors->len; i++)
    {
      const GilkAccessor *accessor = &g_array_index (accessors, GilkAccessor, i);

      accessor_to_json (json, accessor, total, gilk_stored_line (lines, accessor->ip));
    }
  cli_json_end (json);
  cli_json_end (json);
}

static gboolean
report_hook (Cli *cli, const CliSession *session, const GilkStoredHook *hook, gboolean asked, GError **error)
{
  g_autoptr(GArray) accessors = gilk_store_accessors (session->store, hook, error);

  g_autoptr(GHashTable) lines = accessors != NULL ? gilk_store_lines (session->store, hook->run, error) : NULL;

  if (lines == NULL)
    return FALSE;
  if (cli->doc != NULL)
    accessors_to_json (cli, hook, accessors, lines);
  else if (accessors->len > 0)
    print_accessors (cli, hook, accessors, lines);
  else if (asked)
    cli_print (cli, _("Watchpoint %s: no accesses to %s%s during the run.\n"),
               hook->label, hook->function, hook->block);

  return TRUE;
}

static gboolean
is_selected (const GilkStoredHook *hook, char *const *labels)
{
  return gilk_stored_hook_is_watchpoint (hook) &&
         (labels == NULL || g_strv_contains ((const char *const *) labels, hook->label));
}

gboolean
cli_accesses_report (Cli              *cli,
                     const CliSession *session,
                     char *const       *labels,
                     gboolean           asked,
                     GError           **error)
{
  guint n = 0;

  for (guint i = 0; i < cli_session_n_hooks (session); i++)
    n += is_selected (cli_session_hook (session, i), labels);
  if (n == 0 && asked)
    return gilk_fail (error, GILK_ERROR_NOT_FOUND,
                      _("No watchpoint of this run matches. To set one, use \"gilk run "
                        "--watchpoint NAME:w\"."));
  if (n == 0)
    return TRUE;
  cli_json_array (cli->doc, "accesses");
  for (guint i = 0; i < cli_session_n_hooks (session); i++)
    if (is_selected (cli_session_hook (session, i), labels) &&
        !report_hook (cli, session, cli_session_hook (session, i), asked, error))
      return FALSE;
  cli_json_end (cli->doc);

  return TRUE;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cmd-selftest.c - gilk selftest: tests Gilk on this machine, and writes a report
 *
 * The checks of "gilk doctor" run first; if they find that hooks cannot be armed, no test case is
 * run. The report written with -o and the one printed with --json have the same contents, without
 * names of hosts or persons.
 */
#include <gio/gio.h>
#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#include "cli/base/kernel.h"
#include "cli/base/output.h"
#include "cli/look/doctor.h"
#include "core/base/gilk-error.h"
#include "core/selftest/gilk-selftest.h"

#define REPORT_VERSION 1

typedef struct {
  char *output;
  gboolean brief;
} Options;

static const CliTint tints[] = { CLI_TINT_GOOD, CLI_TINT_WARN, CLI_TINT_DIM, CLI_TINT_BAD };

/* ---- the report as JSON ---- */

static void
case_to_json (CliJson *json, const GilkSelftestCase *ended)
{
  cli_json_row (json, NULL);
  cli_json_string (json, "case", ended->name);
  cli_json_string (json, "verdict", gilk_verdict_name (ended->verdict));
  cli_json_string (json, "message", ended->sentence);
  cli_json_double (json, "seconds", ended->seconds);
  for (guint i = 0; i < ended->figures->len; i++)
    {
      const GilkSelftestFigure *figure = &g_array_index (ended->figures, GilkSelftestFigure, i);

      if (figure->value == floor (figure->value) && figure->value >= 0)
        cli_json_uint (json, figure->name, (uint64_t) figure->value);
      else
        cli_json_double (json, figure->name, figure->value);
    }
  cli_json_end (json);
}

/* Removes host names from an error: the report must not contain them. (transfer full) (nullable) */
static char *
remove_names (const GilkSelftest *test, const char *target, const char *why)
{
  const char *hostname = g_hash_table_lookup (gilk_selftest_facts (test), "hostname");
  g_autoptr(GString) text = g_string_new (why);

  if (why == NULL)
    return NULL;
  g_string_replace (text, target, "TARGET", 0);
  if (hostname != NULL && *hostname != '\0')
    g_string_replace (text, hostname, "HOST", 0);

  return g_string_free (g_steal_pointer (&text), FALSE);
}

/* Writes the report as members of the open object. @why: (nullable): why the test stopped early */
static void
report_to_json (CliJson *json, const GilkSelftest *test, const GArray *checks, const char *why)
{
  static const char *const private[] = { "hostname", "driver_signer", NULL };
  const GPtrArray *cases = gilk_selftest_cases (test);
  const guint failed = gilk_selftest_n_failed (test);

  cli_json_uint (json, "selftest", REPORT_VERSION);
  cli_json_string (json, "gilk", GILK_VERSION);
  cli_json_uint (json, "wire", GILK_WIRE_VERSION);
  cli_json_uint (json, "abi", ILK_ABI_VERSION);
  cli_json_string (json, "release", gilk_selftest_release (test));
  cli_json_string (json, "build_id", gilk_selftest_build_id (test));
  cli_json_bool (json, "passed", failed == 0 && why == NULL && cases->len > 0);
  cli_json_uint (json, "failed", failed);
  cli_json_string (json, "stopped", why);
  cli_json_double (json, "seconds", gilk_selftest_seconds (test));
  cli_json_array (json, "cases");
  for (guint i = 0; i < cases->len; i++)
    case_to_json (json, cases->pdata[i]);
  cli_json_end (json);
  cli_doctor_to_json (json, "checks", checks);
  cli_doctor_facts_to_json (json, "facts", gilk_selftest_facts (test), private);
}

static gboolean
write_report (const char *path, const GilkSelftest *test, const GArray *checks, const char *why, GError **error)
{
  g_autoptr(GFile) file = g_file_new_for_path (path);
  g_autoptr(CliJson) json = cli_json_new ();
  g_autoptr(GError) local = NULL;
  g_autofree char *text = NULL;

  cli_json_object (json, NULL);
  report_to_json (json, test, checks, why);
  cli_json_end (json);
  text = g_strconcat (cli_json_text (json), "\n", NULL);
  if (g_file_replace_contents (file, text, strlen (text), NULL, FALSE, G_FILE_CREATE_NONE, NULL, NULL, &local))
    return TRUE;

  return gilk_unwritable_by (path, local, error);
}

/* ---- the report as text ---- */

static void
show_case (const GilkSelftestCase *ended, gpointer user_data)
{
  Cli *cli = user_data;

  cli_progress_clear (cli->progress);
  cli_print_tinted (cli, tints[ended->verdict], "  %-8s", gilk_verdict_name (ended->verdict));
  cli_print (cli, "%-14s%s\n", ended->name, ended->sentence);
  fflush (stdout);
}

static double
get_figure (const GilkSelftestCase *ended, const char *name)
{
  for (guint i = 0; i < ended->figures->len; i++)
    if (strcmp (g_array_index (ended->figures, GilkSelftestFigure, i).name, name) == 0)
      return g_array_index (ended->figures, GilkSelftestFigure, i).value;
  return NAN;
}

static void
add_ns_cell (CliTable *table, double ns)
{
  if (isnan (ns))
    cli_table_cell (table, "-");
  else
    cli_table_cellf (table, "%.1f", ns);
}

/* Prints measured times in ns for each test case: the cost of a hit as the driver measured it, and
 * the duration of a call with and without the hook. */
static void
show_costs (Cli *cli, const GPtrArray *cases)
{
  g_autoptr(CliTable) table = cli_table_new (_("<HOOK|>NS/HIT|>FROM|>TO|>CALL|>BARE CALL"));

  for (guint i = 0; i < cases->len; i++)
    {
      const GilkSelftestCase *ended = cases->pdata[i];

      if (isnan (get_figure (ended, "hooked_call_ns")))
        continue;
      cli_table_cell (table, ended->name);
      add_ns_cell (table, get_figure (ended, "cost_ns"));
      add_ns_cell (table, get_figure (ended, "cost_low_ns"));
      add_ns_cell (table, get_figure (ended, "cost_high_ns"));
      add_ns_cell (table, get_figure (ended, "hooked_call_ns"));
      add_ns_cell (table, get_figure (ended, "bare_call_ns"));
    }
  if (cli_table_n_rows (table) == 0)
    return;
  cli_print (cli, "\n");
  cli_print_table (cli, table);
}

static void
show_heading (Cli *cli, const GilkSelftest *test)
{
  GHashTable *facts = gilk_selftest_facts (test);
  const char *model = g_hash_table_lookup (facts, "cpu_model"), *cpus = g_hash_table_lookup (facts, "cpus");

  cli_print_tinted (cli, CLI_TINT_BOLD, _("Self-test of %s: kernel %s, CPUs: %s x %s\n"), cli->target,
                    gilk_selftest_release (test), cpus != NULL ? cpus : "?", model != NULL ? model : "x86-64");
}

/* ---- running the command ---- */

static gboolean
run_cases (Cli *cli, GilkSelftest *test, const GArray *checks, GError **error)
{
  gboolean ok;

  if (!cli_doctor_check (checks, cli->target, error))
    {
      cli_doctor_print (cli, _("Doctor's findings"), checks);
      return FALSE;
    }
  show_heading (cli, test);
  cli_interrupts_hold (_("Already stopping: restoring kernel text. Please wait."));
  ok = gilk_selftest_run (test, show_case, cli, error);
  cli_interrupts_hold (NULL);
  cli_progress_clear (cli->progress);
  show_costs (cli, gilk_selftest_cases (test));
  fflush (stdout);

  return ok;
}

static gboolean
set_failed_error (const GilkSelftest *test, const char *output, GError **error)
{
  const guint failed = gilk_selftest_n_failed (test), n = gilk_selftest_cases (test)->len;

  if (failed == 0)
    return TRUE;
  if (output != NULL)
    g_set_error (error, GILK_ERROR, GILK_ERROR_FAILED,
                 ngettext ("%u of %u cases failed. Please send %s.", "%u of %u cases failed. Please send %s.", failed),
                 failed, n, output);
  else
    g_set_error (error, GILK_ERROR, GILK_ERROR_FAILED,
                 ngettext ("%u of %u cases failed. Please run the self-test again with -o FILE, "
                           "and send that file.",
                           "%u of %u cases failed. Please run the self-test again with -o FILE, "
                           "and send that file.", failed),
                 failed, n);
  return FALSE;
}

/* Sets @error to the messages of both errors; one of them may be NULL. */
static void
set_both_errors (const GError *why, const GError *unwritten, GError **error)
{
  const GError *first = why != NULL ? why : unwritten;

  g_set_error (error, first->domain, first->code, "%s%s%s", first->message,
               why != NULL && unwritten != NULL ? " " : "",
               why != NULL && unwritten != NULL ? unwritten->message : "");
}

static void
report_success (Cli *cli, const GilkSelftest *test, const char *output)
{
  const GPtrArray *cases = gilk_selftest_cases (test);
  g_autofree char *skip = NULL;
  guint skipped = 0;

  for (guint i = 0; i < cases->len; i++)
    skipped += ((const GilkSelftestCase *) cases->pdata[i])->verdict == GILK_VERDICT_SKIPPED;
  if (skipped > 0)
    skip = g_strdup_printf (ngettext (", except for %u case that was skipped", ", except for %u cases that were skipped",
                                      skipped), skipped);
  cli_note (cli, _("All cases passed in %.0f s%s, and everything was restored."), gilk_selftest_seconds (test),
            skip != NULL ? skip : "");
  if (output != NULL)
    cli_note (cli, _("Please send %s: it names no host and no person."), output);
}

gboolean
cmd_selftest (Cli *cli, int argc, char **argv, GError **error)
{
  Options options = { 0 };
  const GOptionEntry entries[] = {
    { "output", 'o', 0, G_OPTION_ARG_FILENAME, &options.output,
      N_("Write the results to FILE, which you can send: it names no host "
         "and no person"), N_("FILE") },
    { "brief", 0, 0, G_OPTION_ARG_NONE, &options.brief,
      N_("Make only a tenth of the calls, for example on a busy machine"), NULL },
    { NULL },
  };
  g_autoptr(GilkSelftest) test = NULL;
  g_autoptr(GArray) checks = NULL;
  g_autoptr(GError) why = NULL;
  g_autoptr(GError) unwritten = NULL;
  g_autofree char *output = NULL;
  g_autofree char *stopped = NULL;
  char **words;

  if (!cli_parse (cli, argc, argv, entries,
                  _("Takes about two minutes and restores everything. Exit code 0: Gilk works as promised on the "
                    "target. The agent is killed once and started twice: the second start may ask for a password "
                    "again."), 0, 0, &words, error))
    return FALSE;

  output = g_steal_pointer (&options.output);
  if (!cli_choose_default_target (cli, error))
    return FALSE;
  test = gilk_selftest_new (cli->target, options.brief, cli_progress_for_core (cli->progress), cli->cancellable, error);
  cli_progress_clear (cli->progress);
  if (test == NULL)
    return FALSE;
  cli->keep_doc = TRUE;
  checks = gilk_doctor_run_checks (gilk_selftest_facts (test));
  if (!run_cases (cli, test, checks, &why))
    stopped = remove_names (test, cli->target, why->message);
  else
    set_failed_error (test, output, &why);
  if (cli->doc != NULL)
    report_to_json (cli->doc, test, checks, stopped);
  if (output != NULL)
    write_report (output, test, checks, stopped, &unwritten);
  if (why != NULL || unwritten != NULL)
    {
      set_both_errors (why, unwritten, error);
      return FALSE;
    }
  report_success (cli, test, output);

  return TRUE;
}

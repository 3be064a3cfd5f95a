/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * main.c - gilk: runs all actions of the workbench from scripts
 *
 * Finds the command and runs it; only this file exits. Exit codes are those of
 * gilk_error_exit_code() and are part of the contract (gilk.1).
 */
#include <errno.h>
#include <gio/gio.h>
#include <glib/gi18n.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/base/cli.h"
#include "cli/base/output.h"
#include "core/base/gilk-error.h"
#include "core/base/gilk-strings.h"

#define EXIT_PIPE (128 + SIGPIPE)

typedef struct {
  const char       *title;
  const CliCommand *commands;
} Section;

static const CliCommand examine_commands[] = {
  { "doctor", "", N_("check a machine or target, with a remedy for each thing that is missing"), cmd_doctor },
  { "selftest", "", N_("test that Gilk works on a target and write a report"), cmd_selftest },
  { "find", N_("PATTERN"), N_("find functions by part of their name"), cmd_find },
  { "cfg", N_("FUNCTION"), N_("show a function's blocks, instructions, edges and probe points"), cmd_cfg },
  { "scan", "", N_("summarise the blocks of a whole kernel, and what cannot be hooked"), cmd_scan },
  { "survey", "", N_("survey how each probe point of a kernel can be hooked, or why it cannot"), cmd_survey },
  { "instruments", "", N_("list the instruments that can run at hooks, with their fields and parameters"), cmd_instruments },
  { "instrument", N_("new NAME | test|install|remove FOLDER"), N_("create, test or install an instrument of your own"), cmd_instrument },
  { "targets", "", N_("list the kernels that can be reached from this machine"), cmd_targets },
  { NULL },
};

static const CliCommand record_commands[] = {
  { "plan", N_("check FILE | renew FILE | new POINT…"), N_("check a plan against a kernel, or write one"), cmd_plan },
  { "run", N_("[FILE]"), N_("arm a plan, record a session, restore the kernel"), cmd_run },
  { "inject", N_("FILE COMMAND…"), N_("run a command once for each hook of a plan that changes the kernel"), cmd_inject },
  { "coverage", N_("FUNCTION…"),
    N_("record which blocks run, removing each counter after its first hit"), cmd_coverage },
  { "layout", N_("FUNCTION…"), N_("reorder the blocks of functions for the current load, and measure the effect"), cmd_layout },
  { "status", "", N_("show what is armed now, by any client"), cmd_status },
  { "disarm", "", N_("disarm all hooks of all clients, now"), cmd_disarm },
  { NULL },
};

static const CliCommand read_commands[] = {
  { "report", N_("SESSION"), N_("report on a run: hits, losses, groups, the bottleneck of a pipeline"), cmd_report },
  { "plot", N_("SESSION"), N_("draw a histogram, series, rate or groups as SVG, PNG or PDF"), cmd_plot },
  { "export", N_("SESSION"), N_("export a run in the formats of other programs"), cmd_export },
  { "push", N_("SESSION… URL"), N_("copy runs into a ClickHouse store that many hosts share"), cmd_push },
  { "runs", N_("SESSION"), N_("list the runs of a session"), cmd_runs },
  { "note", N_("SESSION [TEXT]"), N_("show, add or change notes on a run"), cmd_note },
  { "session", N_("compress|verify FILE"), N_("compress or verify a session file"), cmd_session },
  { "sessions", N_("[FOLDER…]"), N_("list the sessions in a folder"), cmd_sessions },
  { "sql", N_("SESSION SELECT"), N_("run an SQL query on a session, with samples as tables"), cmd_sql },
  { "schema", "", N_("print the tables and views of a session file, as SQL"), cmd_schema },
  { NULL },
};

static const Section sections[] = {
  { N_("Look around"), examine_commands },
  { N_("Hook and record"), record_commands },
  { N_("Read recorded data"), read_commands },
};

static const CliCommand *
find_command (const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (sections); i++)
    for (const CliCommand *command = sections[i].commands; command->name != NULL; command++)
      if (strcmp (command->name, name) == 0)
        return command;
  return NULL;
}

static void
print_help (void)
{
  g_print ("%s", _("Usage: gilk COMMAND [OPTION…] [WORD…]\n\n"
                   "Look into a stock, running Linux kernel, one basic block at a time.\n"));
  for (guint i = 0; i < G_N_ELEMENTS (sections); i++)
    {
      g_print ("\n%s:\n", _(sections[i].title));
      for (const CliCommand *command = sections[i].commands; command->name != NULL; command++)
        g_print ("  %-12s %s\n", command->name, _(command->summary));
    }
  g_print ("%s", _("\nOptions of every command:\n"
                   "  -t, --target=TARGET  lab, lab:6.1, lab:6.12, local, ssh:HOST, unix:PATH or file:VMLINUX\n"
                   "                       (default: $GILK_TARGET, else the last one used, else a running lab)\n"
                   "  --json               print one JSON document, including errors\n"
                   "  -q, --quiet          hide progress and notes\n"
                   "  -h, --help           show help on a command\n"
                   "  --version            show the version\n\n"
                   "Exit codes and examples: man gilk\n"));
}

static void
set_unknown_error (GError **error, const char *name)
{
  g_autoptr(GPtrArray) names = g_ptr_array_new ();
  g_autofree char *near = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (sections); i++)
    for (const CliCommand *command = sections[i].commands; command->name != NULL; command++)
      g_ptr_array_add (names, (gpointer) command->name);

  near = gilk_nearest (name, (const char *const *) names->pdata, names->len);
  if (near != NULL)
    g_set_error (error, GILK_ERROR, GILK_ERROR_USAGE,
                 _("Unknown command \"%s\". Did you mean %s?"), name, near);
  else
    g_set_error (error, GILK_ERROR, GILK_ERROR_USAGE,
                 _("Unknown command \"%s\". \"gilk --help\" lists all commands."), name);
}

/* Parses the options in front of the command; the remaining arguments start with its name. */
static gboolean
parse_leading (Cli *cli, int *argc, char ***argv, gboolean *version, GError **error)
{
  g_autoptr(GOptionContext) context = g_option_context_new (NULL);
  g_autoptr(GError) local = NULL;
  GOptionGroup *group = g_option_group_new ("gilk", "", "", NULL, NULL);
  const GOptionEntry entries[] = {
    { "version", 0, 0, G_OPTION_ARG_NONE, version, NULL, NULL },
    { NULL },
  };

  g_option_group_add_entries (group, entries);
  cli_add_shared_options (cli, group);
  g_option_context_set_main_group (context, group);
  g_option_context_set_help_enabled (context, FALSE);
  g_option_context_set_strict_posix (context, TRUE);
  if (g_option_context_parse (context, argc, argv, &local))
    return TRUE;

  return gilk_fail (error, GILK_ERROR_USAGE, _("%s. See \"gilk --help\"."), local->message);
}

/* Looks for --json before any option is parsed, so that parse errors are printed as JSON, too. */
static gboolean
asks_for_json (char **argv)
{
  for (guint i = 1; argv[i] != NULL && strcmp (argv[i], "--") != 0; i++)
    if (strcmp (argv[i], "--json") == 0)
      return TRUE;
  return FALSE;
}

static void
run_command (Cli *cli, int argc, char **argv, GError **error)
{
  gboolean version = FALSE;
  gboolean parsed;

  cli->json = asks_for_json (argv);
  parsed = parse_leading (cli, &argc, &argv, &version, error);
  cli_apply_options (cli);
  if (!parsed)
    return;
  if (version)
    {
      g_print ("gilk %s\n", GILK_VERSION);
      return;
    }
  if (argc > 1 && strcmp (argv[1], "help") == 0)
    {
      cli->help = TRUE;
      argc--;
      argv++;
    }
  if (argc < 2)
    {
      if (cli->help)
        print_help ();
      else
        g_set_error (error, GILK_ERROR, GILK_ERROR_USAGE,
                     _("Missing command. \"gilk --help\" lists all commands."));
      return;
    }

  cli->command = find_command (argv[1]);
  if (cli->command == NULL)
    set_unknown_error (error, argv[1]);
  else
    cli->command->run (cli, argc - 1, argv + 1, error);
}

static int
finish_output (int code)
{
  int why;

  fflush (stdout);
  why = cli_output_error ();
  if (why == 0)
    return code;
  if (why == EPIPE)
    return EXIT_PIPE;       /* the reader closed the pipe: not an error */

  g_printerr (_("gilk: Cannot write the output: %s. Free some space or write elsewhere.\n"),
              g_strerror (why));
  return code != 0 ? code : EXIT_FAILURE;
}

int
main (int argc, char **argv)
{
  g_autoptr(GCancellable) cancellable = g_cancellable_new ();
  g_autoptr(GError) error = NULL;
  Cli cli = { .cancellable = cancellable };
  int code;

  gilk_locale_init (asks_for_json (argv));
  cli_output_init ();
  signal (SIGPIPE, SIG_IGN);
  cli_interrupts_init (cancellable);

  run_command (&cli, argc, argv, &error);

  if (error != NULL)
    cli_report_error (&cli, error);
  cli_finish_document (&cli);
  code = finish_output (gilk_error_exit_code (error));

  g_clear_pointer (&cli.progress, cli_progress_free);
  g_clear_pointer (&cli.doc, cli_json_free);
  g_strfreev (cli.targets);
  g_free (cli.by);
  g_free (cli.target);
  return code;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cli.h - declares the context and the helpers that all gilk commands share
 *
 * A command is a function that parses its arguments, does its work through libgilk and either
 * prints its result or sets an error. Only main() exits.
 */
#pragma once

#include <glib.h>

#include "cli/base/json.h"
#include "cli/base/terminal.h"
#include "core/base/gilk-cancellable.h"
#include "core/base/gilk-error.h"

typedef struct _CliCommand CliCommand;

typedef struct {
  char            **targets;       /* all arguments of --target; NULL: not given */
  char             *by;            /* argument of --by, the way to hook the kernel: "ilk" (the
                                    * driver) or "bpf"; NULL: not given */
  gboolean          takes_way;     /* the command accepts --by, and may choose BPF if
                                    * --by is not given */
  char             *target;        /* the last --target, else $GILK_TARGET or "lab" */
  gboolean          target_named;  /* @target was named by --target or $GILK_TARGET, or was chosen
                                    * by cli_choose_default_target() */
  gboolean          takes_many_targets;   /* the command accepts several targets */
  char             *debug;         /* --debug: path of debug data; NULL: not given */
  gboolean          json;
  gboolean          quiet;
  gboolean          help;          /* --help was given, and the help was printed */
  gboolean          colour;
  GCancellable     *cancellable;   /* cancelled by Ctrl-C, SIGTERM, SIGHUP */
  CliJson          *doc;           /* the JSON document; NULL without --json */
  gboolean          keep_doc;      /* TRUE: an error is added to the contents of @doc; FALSE: it
                                    * replaces them */
  guint             refusal;       /* GilkRefusal that caused the error; 0: none */
  CliProgress      *progress;
  const CliCommand *command;       /* the command that runs */
  gpointer          option_data;   /* data for callbacks of the command's own options */
} Cli;

/* Runs a command. @argv: its arguments; argv[0] is its name. Returns FALSE with @error set on
 * failure. */
typedef gboolean (*CliCommandFunc) (Cli *cli, int argc, char **argv, GError **error);

struct _CliCommand {
  const char    *name;
  const char    *arguments;        /* positional arguments as --help shows them: "PATTERN",
                                    * "S.gilk [DIR…]" */
  const char    *summary;
  CliCommandFunc run;
};

/**
 * cli_parse:
 * @entries: the command's own options, ended by a zero entry
 * @description: paragraph for --help; may be NULL
 * @least, @most: minimum and maximum number of positional arguments; @most < 0: no limit
 * @words: (out) (transfer none): the positional arguments, NULL-terminated, inside @argv.
 *
 * Parses the command's own options and the options that all commands share. Prints the help if
 * requested.
 * Returns: FALSE if the help was printed, or with @error set
 */
gboolean cli_parse (Cli *cli, int argc, char **argv, const GOptionEntry *entries,
                    const char *description, int least, int most, char ***words,
                    GError **error);
/* Frees the strings that cli_parse() stored for @entries, and sets them to NULL. */
void     cli_options_free (const GOptionEntry *entries);
/* Returns whether --target was given more than once. */
gboolean cli_has_many_targets (const Cli *cli);
/* Adds the options that all commands share to @group. */
void cli_add_shared_options (Cli *cli, GOptionGroup *group);
/* Sets up the JSON document, the colours and the progress line according to the options. */
void cli_apply_options (Cli *cli);

/* Makes Ctrl-C cancel @cancellable. A second Ctrl-C kills the program, unless interrupts are
 * held. */
void cli_interrupts_init (GCancellable *cancellable);
/* Sets whether Ctrl-C may kill the program. TRUE: the first Ctrl-C cancels the command, and kills
 * the program if it does not stop soon; use this only while no data would be lost. FALSE (the
 * default): the first Ctrl-C only cancels the command. */
void cli_interrupts_may_end (gboolean may);
/* Makes Ctrl-C, while a cancelled command stops, only print @message (a static string).
 * cli_interrupts_hold (NULL) restores the normal behaviour. */
void cli_interrupts_hold  (const char *message);

gboolean cmd_cfg         (Cli *cli, int argc, char **argv, GError **error);
gboolean cmd_inject      (Cli *cli, int argc, char **argv, GError **error);
gboolean cmd_coverage    (Cli *cli, int argc, char **argv, GError **error);
gboolean cmd_survey      (Cli *cli, int argc, char **argv, GError **error);
gboolean cmd_disarm      (Cli *cli, int argc, char **argv, GError **error);
gboolean cmd_doctor      (Cli *cli, int argc, char **argv, GError **error);
gboolean cmd_export      (Cli *cli, int argc, char **argv, GError **error);
gboolean cmd_find        (Cli *cli, int argc, char **argv, GError **error);
gboolean cmd_instrument  (Cli *cli, int argc, char **argv, GError **error);
gboolean cmd_instruments (Cli *cli, int argc, char **argv, GError **error);
gboolean cmd_plan        (Cli *cli, int argc, char **argv, GError **error);
gboolean cmd_plot        (Cli *cli, int argc, char **argv, GError **error);
gboolean cmd_layout      (Cli *cli, int argc, char **argv, GError **error);
gboolean cmd_push        (Cli *cli, int argc, char **argv, GError **error);
gboolean cmd_report      (Cli *cli, int argc, char **argv, GError **error);
gboolean cmd_run         (Cli *cli, int argc, char **argv, GError **error);
gboolean cmd_runs        (Cli *cli, int argc, char **argv, GError **error);
gboolean cmd_scan        (Cli *cli, int argc, char **argv, GError **error);
gboolean cmd_schema      (Cli *cli, int argc, char **argv, GError **error);
gboolean cmd_sql         (Cli *cli, int argc, char **argv, GError **error);
gboolean cmd_selftest    (Cli *cli, int argc, char **argv, GError **error);
gboolean cmd_note        (Cli *cli, int argc, char **argv, GError **error);
gboolean cmd_session     (Cli *cli, int argc, char **argv, GError **error);
gboolean cmd_sessions    (Cli *cli, int argc, char **argv, GError **error);
gboolean cmd_status      (Cli *cli, int argc, char **argv, GError **error);
gboolean cmd_targets     (Cli *cli, int argc, char **argv, GError **error);

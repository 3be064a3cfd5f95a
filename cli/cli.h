/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cli.h - what every command of gilk works with
 *
 * A command is a function that parses its own words, does its work through
 * libgilk and either prints its result or sets an error. Only main() exits.
 */
#pragma once

#include <gio/gio.h>

#include "cli/json.h"
#include "cli/progress.h"
#include "core/base/gilk-error.h"

G_BEGIN_DECLS

typedef struct _CliCommand CliCommand;

typedef struct {
  char            **targets;       /* --target, as often as it was given; NULL: not at all */
  char             *target;        /* the last of them, $GILK_TARGET or "lab" */
  gboolean          target_named;  /* by one of the first two; see cli_settle_target() */
  gboolean          takes_many_targets;   /* the command does */
  char             *debug;         /* --debug: where debug data are, NULL: not said */
  gboolean          json;
  gboolean          quiet;
  gboolean          help;          /* --help was given and printed */
  gboolean          colour;
  GCancellable     *cancellable;   /* cancelled by Ctrl-C, SIGTERM, SIGHUP */
  CliJson          *doc;           /* the one document, NULL without --json */
  gboolean          keep_doc;      /* an error is added to the document instead of replacing it */
  guint             refusal;       /* GilkRefusal behind the error, 0 none known */
  CliProgress      *progress;
  const CliCommand *command;       /* the one that runs */
  gpointer          option_data;   /* given to the callbacks of a command's own options */
} Cli;

/* @argv: the command's words, argv[0] its name. Success is an unset @error. */
typedef gboolean (*CliCommandFunc) (Cli *cli, int argc, char **argv, GError **error);

struct _CliCommand {
  const char    *name;
  const char    *arguments;        /* "PATTERN", "S.gilk [DIR…]" */
  const char    *summary;
  CliCommandFunc run;
};

/**
 * cli_parse:
 * @entries: the command's own options, ended by a zero entry
 * @description: paragraph for --help; may be NULL
 * @least, @most: how many words may follow; @most < 0 = any number
 * @words: (out) (transfer none): the words left, NULL-terminated, inside @argv
 *
 * Also takes the options all commands share. Prints the help if asked for.
 * Returns: FALSE if there is nothing to do, or with @error set
 */
gboolean cli_parse (Cli *cli, int argc, char **argv, const GOptionEntry *entries,
                    const char *description, int least, int most, char ***words,
                    GError **error);
/* Was --target given more than once? */
gboolean cli_has_many_targets (const Cli *cli);
/* Adds the options all commands share to @group. */
void cli_add_shared_options (Cli *cli, GOptionGroup *group);
/* What depends on the options: the document, colours, progress. */
void cli_apply_options (Cli *cli);

/* Makes Ctrl-C cancel @cancellable; a second one ends the program, unless held. */
void cli_interrupts_begin (GCancellable *cancellable);
/* From now on nothing would be lost: what has not ended soon after the first Ctrl-C is ended. Or not so any more. */
void cli_interrupts_may_end (gboolean may);
/* While held, further interrupts only print @message (static text). NULL lets go. */
void cli_interrupts_hold  (const char *message);

gboolean cmd_cfg         (Cli *cli, int argc, char **argv, GError **error);
gboolean cmd_campaign    (Cli *cli, int argc, char **argv, GError **error);
gboolean cmd_cover       (Cli *cli, int argc, char **argv, GError **error);
gboolean cmd_coverage    (Cli *cli, int argc, char **argv, GError **error);
gboolean cmd_disarm      (Cli *cli, int argc, char **argv, GError **error);
gboolean cmd_doctor      (Cli *cli, int argc, char **argv, GError **error);
gboolean cmd_export      (Cli *cli, int argc, char **argv, GError **error);
gboolean cmd_find        (Cli *cli, int argc, char **argv, GError **error);
gboolean cmd_instrument  (Cli *cli, int argc, char **argv, GError **error);
gboolean cmd_instruments (Cli *cli, int argc, char **argv, GError **error);
gboolean cmd_plan        (Cli *cli, int argc, char **argv, GError **error);
gboolean cmd_plot        (Cli *cli, int argc, char **argv, GError **error);
gboolean cmd_position    (Cli *cli, int argc, char **argv, GError **error);
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

G_END_DECLS

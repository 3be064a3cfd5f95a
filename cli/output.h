/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * output.h - where words go: results to standard output, notes to standard error
 *
 * Results for people and the JSON document never mix: with --json the printing
 * functions below do nothing, and without it there is no document.
 */
#pragma once

#include <stdio.h>

#include "cli/cli.h"
#include "cli/table.h"

G_BEGIN_DECLS

/* Before anything is printed, by GLib too: text is converted to the charset of the locale. */
void cli_output_begin (void);

/* A result, for people. */
void cli_print (Cli *cli, const char *format, ...) G_GNUC_PRINTF (2, 3);
void cli_print_tinted (Cli *cli, CliTint tint, const char *format, ...) G_GNUC_PRINTF (3, 4);
void cli_print_table (Cli *cli, const CliTable *table);
/* Raw result bytes, in JSON mode too (plan text, CSV, NDJSON). FALSE once output has failed. */
gboolean cli_write (const char *text, gsize length);
/* Why standard output failed, 0 if it has not. To be asked soon after writing. */
int cli_output_error (void);
/* Beside the result: silent with --quiet and --json. */
void cli_note (Cli *cli, const char *format, ...) G_GNUC_PRINTF (2, 3);

/* "1.2 MB" */
char *cli_format_bytes (uint64_t bytes);
/* "12.3", "0.04", "1234": three figures or all the whole ones. (transfer full) */
char *cli_format_rate  (double rate);

/* Prints the error as a sentence, or as the JSON document's "error". */
void cli_report_error (Cli *cli, const GError *error);
/* Prints the document if there is one. */
void cli_finish_document (Cli *cli);

G_END_DECLS

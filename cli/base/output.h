/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * output.h - prints results to standard output, notes to standard error
 *
 * Text and JSON never mix: with --json the printing functions below do nothing, and without --json
 * no JSON document is made.
 */
#pragma once

#include <stdio.h>

#include "cli/base/cli.h"
#include "cli/base/table.h"
#include "core/base/gilk-fact.h"

/* Sets up the conversion of printed text to the locale's charset. Must be called before anything,
 * including GLib, prints. */
void cli_output_init (void);

/* These functions print results as text to standard output; they do nothing with --json. */
void cli_print (Cli *cli, const char *format, ...) G_GNUC_PRINTF (2, 3);
void cli_print_tinted (Cli *cli, CliTint tint, const char *format, ...) G_GNUC_PRINTF (3, 4);
void cli_print_table (Cli *cli, const CliTable *table);
/* Prints a title, a row for each fact, and remarks on the facts; nothing if @facts is empty. */
void cli_print_facts (Cli *cli, const GilkFacts *facts);
/* Writes bytes of a result unchanged, such as plan text, CSV or NDJSON. Unlike cli_print(), also
 * writes with --json. Returns FALSE if this or an earlier write failed. */
gboolean cli_write (const char *text, gsize length);
/* Returns the errno of the first failed write to standard output; 0: none failed. Must be called
 * right after a failed write, because it reads errno. */
int cli_output_error (void);
/* Prints a note to standard error; silent with --quiet and --json. */
void cli_note (Cli *cli, const char *format, ...) G_GNUC_PRINTF (2, 3);

/* Formats a number of bytes: "1.2 MB". (transfer full) */
char *cli_format_bytes (uint64_t bytes);
/* Formats a number: "12.3", "0.04", "1234": three significant digits, or all integer digits.
 * (transfer full) */
char *cli_format_rate  (double rate);

/* Prints the error as a sentence, or adds it to the JSON document as "error". */
void cli_report_error (Cli *cli, const GError *error);
/* Write the numbers of @fact, or of all @facts, as members of the open JSON object. */
void cli_json_fact   (CliJson *json, const GilkFact *fact);
void cli_json_facts  (CliJson *json, const GilkFacts *facts);
/* Prints the JSON document if there is one. */
void cli_finish_document (Cli *cli);

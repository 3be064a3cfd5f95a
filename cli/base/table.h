/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * table.h - formats text in aligned columns
 *
 * Handles wide characters and the width of the terminal: on a narrow terminal the shrinkable
 * columns are cut with an ellipsis; output to a file or pipe is never cut.
 */
#pragma once

#include <glib.h>

typedef enum {
  CLI_TINT_NONE, CLI_TINT_BOLD, CLI_TINT_DIM, CLI_TINT_GOOD, CLI_TINT_WARN, CLI_TINT_BAD,
  CLI_TINT_ACCENT,
} CliTint;

/* Returns the escape sequence that starts @tint; "" for CLI_TINT_NONE. */
const char *cli_tint_start (CliTint tint);
#define CLI_TINT_END "\033[0m"

typedef struct _CliTable CliTable;

/**
 * cli_table_new:
 * @columns: titles separated by '|', as in "<HOOK|>HITS|~WHY". The character in front of a title
 * sets the alignment of the column. '<': left; '>': right; '~': left, cut at the end on a narrow
 * terminal; '^': left, cut at the start on a narrow terminal.
 *
 * Creates an empty table. If no column has a title, the line of titles is omitted.
 */
CliTable *cli_table_new  (const char *columns);
void      cli_table_free (CliTable *table);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (CliTable, cli_table_free)

/* Cells fill rows from left to right; NULL is an empty cell. */
void cli_table_cell  (CliTable *table, const char *text);
void cli_table_cellf (CliTable *table, const char *format, ...) G_GNUC_PRINTF (2, 3);
/* Colours the last added cell. */
void cli_table_tint  (CliTable *table, CliTint tint);
guint cli_table_n_rows (const CliTable *table);

/**
 * cli_table_to_text:
 * @width: columns of the terminal, 0 for no limit
 * Returns: (transfer full): the table with a newline after each line
 */
char *cli_table_to_text (const CliTable *table, guint width, gboolean colour);

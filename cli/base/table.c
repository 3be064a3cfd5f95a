/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * table.c - formats text in aligned columns
 *
 * The first pass determines the widths of the columns, and narrows shrinkable columns to fit the
 * terminal. The second pass formats the text.
 */
#include "cli/base/table.h"

#include <string.h>

#include "core/base/gilk-strings.h"

#define GAP        2
#define CUT_WIDTH_MIN 12  /* minimum width of a column whose texts are cut at the end */
#define END_WIDTH_MIN 32  /* minimum width of a column whose texts are cut at the start */

typedef struct {
  char  *title;
  char   kind;            /* alignment: '<', '>', '~' or '^', see cli_table_new() */
} Column;

typedef struct {
  char   *text;
  CliTint tint;
} Cell;

struct _CliTable {
  GArray *columns;        /* Column */
  GArray *cells;          /* (element-type Cell): all cells, row by row */
};

const char *
cli_tint_start (CliTint tint)
{
  switch (tint)
    {
    case CLI_TINT_BOLD:   return "\033[1m";
    case CLI_TINT_DIM:    return "\033[2m";
    case CLI_TINT_GOOD:   return "\033[32m";
    case CLI_TINT_WARN:   return "\033[33m";
    case CLI_TINT_BAD:    return "\033[31m";
    case CLI_TINT_ACCENT: return "\033[36m";
    case CLI_TINT_NONE:
    default:              return "";
    }
}

static gboolean
may_shrink (const Column *column)
{
  return column->kind == '~' || column->kind == '^';
}

static guint
get_min_width (const Column *column)
{
  return column->kind == '^' ? END_WIDTH_MIN : CUT_WIDTH_MIN;
}

static void
clear_column (gpointer data)
{
  g_free (((Column *) data)->title);
}

static void
clear_cell (gpointer data)
{
  g_free (((Cell *) data)->text);
}

/* Returns @text without control characters, as one line. (transfer full) */
static char *
clean_text (const char *text)
{
  g_autofree char *printable = gilk_printable (text != NULL ? text : "", "");

  return gilk_for_charset (printable);
}

CliTable *
cli_table_new (const char *columns)
{
  CliTable *table = g_new0 (CliTable, 1);
  g_auto(GStrv) specs = g_strsplit (columns, "|", -1);

  table->columns = g_array_new (FALSE, FALSE, sizeof (Column));
  table->cells = g_array_new (FALSE, FALSE, sizeof (Cell));
  g_array_set_clear_func (table->columns, clear_column);
  g_array_set_clear_func (table->cells, clear_cell);
  for (guint i = 0; specs[i] != NULL; i++)
    {
      Column column = { clean_text (specs[i] + 1), specs[i][0] };

      g_array_append_val (table->columns, column);
    }
  return table;
}

void
cli_table_free (CliTable *table)
{
  if (table == NULL)
    return;

  g_array_unref (table->columns);
  g_array_unref (table->cells);
  g_free (table);
}

void
cli_table_cell (CliTable *table, const char *text)
{
  Cell cell = { clean_text (text), CLI_TINT_NONE };

  g_array_append_val (table->cells, cell);
}

void
cli_table_cellf (CliTable *table, const char *format, ...)
{
  g_autofree char *text = NULL;
  va_list args;

  va_start (args, format);
  text = g_strdup_vprintf (format, args);
  va_end (args);
  cli_table_cell (table, text);
}

void
cli_table_tint (CliTable *table, CliTint tint)
{
  g_return_if_fail (table->cells->len > 0);

  g_array_index (table->cells, Cell, table->cells->len - 1).tint = tint;
}

guint
cli_table_n_rows (const CliTable *table)
{
  return table->cells->len / table->columns->len;
}

static guint
get_char_width (gunichar c)
{
  if (g_unichar_iszerowidth (c))
    return 0;
  return g_unichar_iswide (c) ? 2 : 1;
}

static guint
get_text_width (const char *text)
{
  guint width = 0;

  for (const char *c = text; *c != '\0'; c = g_utf8_next_char (c))
    width += get_char_width (g_utf8_get_char (c));
  return width;
}

static const Column *
get_column (const CliTable *table, guint i)
{
  return &g_array_index (table->columns, Column, i);
}

static const Cell *
get_cell (const CliTable *table, guint row, guint column)
{
  return &g_array_index (table->cells, Cell, row * table->columns->len + column);
}

/* Narrows the widest shrinkable column, again and again, until the table fits. */
static void
shrink_columns (const CliTable *table, guint *widths, guint limit)
{
  for (;;)
    {
      guint total = 0, widest = G_MAXUINT;

      for (guint i = 0; i < table->columns->len; i++)
        {
          total += widths[i] + (i > 0 ? GAP : 0);
          if (may_shrink (get_column (table, i)) && widths[i] > get_min_width (get_column (table, i)) &&
              (widest == G_MAXUINT || widths[i] > widths[widest]))
            widest = i;
        }
      if (total <= limit || widest == G_MAXUINT)
        return;
      widths[widest]--;
    }
}

static guint *
measure_columns (const CliTable *table, guint limit)
{
  guint *widths = g_new0 (guint, table->columns->len);

  for (guint i = 0; i < table->columns->len; i++)
    {
      widths[i] = get_text_width (get_column (table, i)->title);
      for (guint row = 0; row < cli_table_n_rows (table); row++)
        widths[i] = MAX (widths[i], get_text_width (get_cell (table, row, i)->text));
    }
  if (limit > 0)
    shrink_columns (table, widths, limit);
  return widths;
}

/* Cuts the end or start of @text, so that it fits with an ellipsis. (transfer full) */
static char *
fit_text (const char *text, guint width, gboolean keep_end)
{
  const char *from = text, *to = text + strlen (text), *ellipsis = gilk_charset_is_utf8 () ? "…" : "~";
  guint left = get_text_width (text);

  if (left <= width)
    return g_strdup (text);

  while (left + 1 > width && from < to)
    {
      const char *dropped = keep_end ? from : g_utf8_prev_char (to);

      left -= get_char_width (g_utf8_get_char (dropped));
      if (keep_end)
        from = g_utf8_next_char (from);
      else
        to = dropped;
    }
  return g_strdup_printf ("%s%.*s%s", keep_end ? ellipsis : "", (int) (to - from), from,
                          keep_end ? "" : ellipsis);
}

static void
append_spaces (GString *out, guint count)
{
  for (guint i = 0; i < count; i++)
    g_string_append_c (out, ' ');
}

static void
append_cell (GString *out, const char *text, char kind, guint width, CliTint tint)
{
  g_autofree char *fitted = fit_text (text, width, kind == '^');
  guint used = get_text_width (fitted);
  guint space = used < width ? width - used : 0;

  if (kind == '>')
    append_spaces (out, space);
  if (tint != CLI_TINT_NONE)
    g_string_append (out, cli_tint_start (tint));
  g_string_append (out, fitted);
  if (tint != CLI_TINT_NONE)
    g_string_append (out, CLI_TINT_END);
  if (kind != '>')
    append_spaces (out, space);
}

static void
trim_spaces (GString *out)
{
  while (out->len > 0 && out->str[out->len - 1] == ' ')
    g_string_truncate (out, out->len - 1);
  g_string_append_c (out, '\n');
}

static gboolean
has_titles (const CliTable *table)
{
  for (guint i = 0; i < table->columns->len; i++)
    if (*get_column (table, i)->title != '\0')
      return TRUE;

  return FALSE;
}

char *
cli_table_to_text (const CliTable *table, guint width, gboolean colour)
{
  g_autofree guint *widths = measure_columns (table, width);
  GString *out = g_string_new (NULL);

  for (guint i = 0; has_titles (table) && i < table->columns->len; i++)
    {
      const Column *column = get_column (table, i);

      append_spaces (out, i > 0 ? GAP : 0);
      append_cell (out, column->title, column->kind, widths[i],
                   colour ? CLI_TINT_BOLD : CLI_TINT_NONE);
    }
  if (out->len > 0)
    trim_spaces (out);

  for (guint row = 0; row < cli_table_n_rows (table); row++)
    {
      for (guint i = 0; i < table->columns->len; i++)
        {
          const Cell *cell = get_cell (table, row, i);

          append_spaces (out, i > 0 ? GAP : 0);
          append_cell (out, cell->text, get_column (table, i)->kind, widths[i],
                       colour ? cell->tint : CLI_TINT_NONE);
        }
      trim_spaces (out);
    }
  return g_string_free (out, FALSE);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-rows-table.c - the first samples of a hook as a table of texts
 */
#include "core/samples/gilk-rows-table.h"

#include <string.h>

/* Returns the CSV field at @at and moves @at to the comma or line end after it. (transfer full) */
static char *
parse_field (const char **at)
{
  GString *text = g_string_new (NULL);
  const char *c = *at;

  if (*c == '"')
    {
      for (c++; *c != '\0' && (c[0] != '"' || c[1] == '"'); c++)
        {
          c += *c == '"';
          g_string_append_c (text, *c);
        }
      c += *c == '"';
    }
  else
    {
      g_string_append_len (text, c, (gssize) strcspn (c, ",\r\n"));
      c += strcspn (c, ",\r\n");
    }
  *at = c;

  return g_string_free (text, FALSE);
}

/* Returns the fields of the line at @at and moves @at to the next line. (transfer full) */
static GStrv
parse_line (const char **at)
{
  GPtrArray *fields = g_ptr_array_new ();

  g_ptr_array_add (fields, parse_field (at));
  while (**at == ',')
    {
      (*at)++;
      g_ptr_array_add (fields, parse_field (at));
    }
  *at += strspn (*at, "\r\n");
  g_ptr_array_add (fields, NULL);

  return (GStrv) g_ptr_array_free (fields, FALSE);
}

static void
add_lines (GilkRowsTable *table, const char *lines, guint most)
{
  guint n_columns = g_strv_length (table->columns);

  while (*lines != '\0' && table->rows->len < most)
    {
      GStrv row = parse_line (&lines);

      if (g_strv_length (row) == n_columns)
        g_ptr_array_add (table->rows, row);
      else
        g_strfreev (row);
    }
  table->more |= *lines != '\0';
}

GilkRowsTable *
gilk_rows_table_read (GilkStore            *store,
                        const GilkRowsChoice *choice,
                        guint                 most,
                        GError              **error)
{
  g_autoptr(GilkRowsTable) table = g_new0 (GilkRowsTable, 1);
  g_autoptr(GilkRows) rows = gilk_rows_new (store, choice, GILK_ROWS_CSV, error);
  g_autoptr(GString) lines = g_string_new (NULL);
  GError *local = NULL;
  const char *header;

  if (rows == NULL)
    return NULL;
  gilk_rows_header (rows, lines);
  header = lines->str;
  table->columns = parse_line (&header);
  table->rows = g_ptr_array_new_with_free_func ((GDestroyNotify) g_strfreev);
  g_string_truncate (lines, 0);
  while (!table->more && gilk_rows_next (rows, lines, NULL, &local))
    {
      add_lines (table, lines->str, most);
      g_string_truncate (lines, 0);
    }
  if (local != NULL)
    {
      g_propagate_error (error, local);
      return NULL;
    }

  return g_steal_pointer (&table);
}

void
gilk_rows_table_free (GilkRowsTable *table)
{
  g_clear_pointer (&table->columns, g_strfreev);
  g_clear_pointer (&table->rows, g_ptr_array_unref);
  g_free (table);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-csv.c - writes comma-separated values
 */
#include "core/base/gilk-strings.h"

#include <string.h>

void
gilk_csv_append_cell (GString    *lines,
                      const char *cell)
{
  if (strpbrk (cell, ",\"\r\n") == NULL)
    {
      g_string_append (lines, cell);
      return;
    }
  g_string_append_c (lines, '"');
  for (const char *c = cell; *c != '\0'; c++)
    {
      if (*c == '"')
        g_string_append_c (lines, '"');
      g_string_append_c (lines, *c);
    }
  g_string_append_c (lines, '"');
}

void
gilk_csv_append_row (GString           *lines,
                     guint              n,
                     const char *const *cells)
{
  for (guint i = 0; i < n; i++)
    {
      if (i > 0)
        g_string_append_c (lines, ',');
      if (cells[i] != NULL)
        gilk_csv_append_cell (lines, cells[i]);
    }
  g_string_append (lines, "\r\n");
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-remote-rows.c - parses a server's answer
 */
#include "core/clickhouse/gilk-remote-rows.h"

#include <errno.h>
#include <glib/gi18n.h>
#include <string.h>

#include "core/base/gilk-error.h"
#include "core/base/gilk-strings.h"

typedef union {
  uint64_t u;
  int64_t  i;
  double   d;
  char    *s;
} Cell;

void
gilk_remote_rows_free (GilkRemoteRows *rows)
{
  if (rows == NULL)
    return;

  g_clear_pointer (&rows->cells, g_array_unref);
  g_free (rows->text);
  g_free (rows);
}

static gboolean
set_row_error (GError **error, guint row, const char *what)
{
  g_set_error (error, GILK_ERROR, GILK_ERROR_PROTOCOL,
               _("Invalid answer from the store: row %u %s. The server may be something other than ClickHouse, or an "
                 "incompatible version of it."),
               row + 1, what);
  return FALSE;
}

/* Replaces escapes in place. Returns FALSE if an escape is invalid, or is \0, which would end the
 * text. */
static gboolean
unescape_cell (char *cell)
{
  char *to = cell;

  for (const char *from = cell; *from != '\0'; from++)
    {
      static const char letters[] = "bfrnt'\\", means[] = "\b\f\r\n\t'\\";
      const char *at;

      if (*from != '\\')
        {
          *to++ = *from;
          continue;
        }
      from++;
      at = *from != '\0' ? strchr (letters, *from) : NULL;
      if (at == NULL)
        return FALSE;
      *to++ = means[at - letters];
    }
  *to = '\0';

  return TRUE;
}

static gboolean
read_double (const char *text, double *value)
{
  char *end;

  if (*text == '\0' || g_ascii_isspace (*text))
    return FALSE;
  *value = g_ascii_strtod (text, &end);

  return *end == '\0';
}

static gboolean
read_cell (char *text, char type, Cell *cell)
{
  switch (type)
    {
    case 'u':
      return gilk_parse_unsigned (text, 10, 0, G_MAXUINT64, &cell->u);
    case 'i':
      return gilk_parse_signed (text, &cell->i);
    case 'd':
      return read_double (text, &cell->d);
    default:
      cell->s = text;
      return unescape_cell (text) && g_utf8_validate (text, -1, NULL);
    }
}

static gboolean
read_row (GilkRemoteRows *rows, char *line, const char *types, GError **error)
{
  for (guint column = 0; column < rows->n_columns; column++)
    {
      char *end = strchr (line, '\t');
      Cell cell;

      if ((end != NULL) != (column + 1 < rows->n_columns))
        return set_row_error (error, rows->n, _("has the wrong number of columns"));
      if (end != NULL)
        *end = '\0';
      if (!read_cell (line, types[column], &cell))
        return set_row_error (error, rows->n, _("has a value of the wrong type"));
      g_array_append_val (rows->cells, cell);
      line = end != NULL ? end + 1 : line;
    }
  rows->n++;

  return TRUE;
}

GilkRemoteRows *
gilk_remote_rows_parse (char       *text,
                        gsize       size,
                        const char *types,
                        GError    **error)
{
  g_autoptr(GilkRemoteRows) rows = g_new0 (GilkRemoteRows, 1);
  char *line = text;

  rows->text = text;
  rows->n_columns = (guint) strlen (types);
  rows->cells = g_array_new (FALSE, FALSE, sizeof (Cell));
  if (memchr (text, '\0', size) != NULL)
    {
      set_row_error (error, 0, _("is not text"));
      return NULL;
    }
  while (*line != '\0')
    {
      char *end = strchr (line, '\n');

      if (end == NULL)
        {
          set_row_error (error, rows->n, _("is cut off"));
          return NULL;
        }
      *end = '\0';
      if (!read_row (rows, line, types, error))
        return NULL;
      line = end + 1;
    }

  return g_steal_pointer (&rows);
}

static const Cell *
get_cell (const GilkRemoteRows *rows, guint row, guint column)
{
  g_assert (row < rows->n && column < rows->n_columns);

  return &g_array_index (rows->cells, Cell, (gsize) row * rows->n_columns + column);
}

uint64_t
gilk_remote_rows_uint (const GilkRemoteRows *rows, guint row, guint column)
{
  return get_cell (rows, row, column)->u;
}

int64_t
gilk_remote_rows_int (const GilkRemoteRows *rows, guint row, guint column)
{
  return get_cell (rows, row, column)->i;
}

double
gilk_remote_rows_double (const GilkRemoteRows *rows, guint row, guint column)
{
  return get_cell (rows, row, column)->d;
}

const char *
gilk_remote_rows_text (const GilkRemoteRows *rows, guint row, guint column)
{
  return get_cell (rows, row, column)->s;
}

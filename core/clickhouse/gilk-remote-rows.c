/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-remote-rows.c - parses rows of a server's answer, and encodes rows to be inserted
 */
#include "core/clickhouse/gilk-remote-rows.h"

#include <errno.h>
#include <glib/gi18n.h>
#include <string.h>

#include "core/base/gilk-array.h"
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
  return gilk_fail (error, GILK_ERROR_PROTOCOL,
      _("Invalid answer from the store: in row %u, %s. The server may be something other than ClickHouse, or an "
        "incompatible version of it."), row + 1, what);
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
        return set_row_error (error, rows->n, _("the number of columns is wrong"));
      if (end != NULL)
        *end = '\0';
      if (!read_cell (line, types[column], &cell))
        return set_row_error (error, rows->n, _("a value has the wrong type"));
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
      set_row_error (error, 0, _("a value is not text"));
      return NULL;
    }
  while (*line != '\0')
    {
      char *end = strchr (line, '\n');

      if (end == NULL)
        {
          set_row_error (error, rows->n, _("the end is missing"));
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

/* ---- encodes rows to be inserted, column by column ---- */

typedef struct {
  char          *name;
  GilkNativeType type;
  GByteArray    *values;
} Column;

struct _GilkNative {
  GArray *columns;
};

static const struct { const char *name; guint bytes; } types[] = {
  [GILK_NATIVE_U8] = { "UInt8", 1 }, [GILK_NATIVE_U16] = { "UInt16", 2 }, [GILK_NATIVE_U32] = { "UInt32", 4 },
  [GILK_NATIVE_U64] = { "UInt64", 8 }, [GILK_NATIVE_I64] = { "Int64", 8 }, [GILK_NATIVE_TEXT] = { "String", 0 },
  [GILK_NATIVE_DAY] = { "Date", 2 },
};

static void
clear_column (gpointer data)
{
  Column *column = data;

  g_free (column->name);
  g_byte_array_unref (column->values);
}

static Column *
get_column (const GilkNative *native, guint i)
{
  return &g_array_index (native->columns, Column, i);
}

GilkNative *
gilk_native_new (void)
{
  GilkNative *native = g_new0 (GilkNative, 1);

  native->columns = gilk_array_new (sizeof (Column), clear_column);

  return native;
}

void
gilk_native_free (GilkNative *native)
{
  if (native == NULL)
    return;

  g_array_unref (native->columns);
  g_free (native);
}

guint
gilk_native_column (GilkNative    *native,
                    const char    *name,
                    GilkNativeType type)
{
  const Column column = { g_strdup (name), type, g_byte_array_new () };

  g_array_append_val (native->columns, column);

  return native->columns->len - 1;
}

static void
put_length (GByteArray *bytes, uint64_t value)
{
  guint8 part[10];
  guint n = 0;

  while (value >= 0x80)
    {
      part[n++] = (guint8) (value | 0x80);
      value >>= 7;
    }
  part[n++] = (guint8) value;
  g_byte_array_append (bytes, part, n);
}

static void
put_bytes (GByteArray *bytes, const char *text)
{
  gsize n = strlen (text);

  put_length (bytes, n);
  g_byte_array_append (bytes, (const guint8 *) text, (guint) n);
}

void
gilk_native_put (GilkNative *native,
                 guint       column,
                 uint64_t    value)
{
  const Column *to = get_column (native, column);

  value = GUINT64_TO_LE (value);
  g_byte_array_append (to->values, (const guint8 *) &value, types[to->type].bytes);
}

void
gilk_native_put_text (GilkNative *native,
                      guint       column,
                      const char *text)
{
  put_bytes (get_column (native, column)->values, text != NULL ? text : "");
}

void
gilk_native_put_all (GilkNative *native,
                     guint       column,
                     uint64_t    value,
                     guint       n)
{
  for (guint i = 0; i < n; i++)
    gilk_native_put (native, column, value);
}

void
gilk_native_clear (GilkNative *native)
{
  for (guint i = 0; i < native->columns->len; i++)
    g_byte_array_set_size (get_column (native, i)->values, 0);
}

void
gilk_native_write (const GilkNative *native,
                   guint             n,
                   GByteArray       *bytes)
{
  g_byte_array_set_size (bytes, 0);
  put_length (bytes, native->columns->len);
  put_length (bytes, n);
  for (guint i = 0; i < native->columns->len; i++)
    {
      const Column *column = get_column (native, i);

      g_assert (types[column->type].bytes == 0 || column->values->len == types[column->type].bytes * n);
      put_bytes (bytes, column->name);
      put_bytes (bytes, types[column->type].name);
      g_byte_array_append (bytes, column->values->data, column->values->len);
    }
}

char *
gilk_native_names (const GilkNative *native)
{
  GString *names = g_string_new ("(");

  for (guint i = 0; i < native->columns->len; i++)
    g_string_append_printf (names, "%s%s", i > 0 ? ", " : "", get_column (native, i)->name);
  g_string_append_c (names, ')');

  return g_string_free (names, FALSE);
}

char *
gilk_native_digest (const GilkNative *native)
{
  g_autoptr(GChecksum) sum = g_checksum_new (G_CHECKSUM_SHA256);

  for (guint i = 0; i < native->columns->len; i++)
    {
      const Column *column = get_column (native, i);
      const guint64 size = GUINT64_TO_LE ((guint64) column->values->len);

      g_checksum_update (sum, (const guchar *) column->name, (gssize) strlen (column->name) + 1);
      g_checksum_update (sum, (const guchar *) &size, sizeof size);
      g_checksum_update (sum, column->values->data, column->values->len);
    }

  return g_strdup (g_checksum_get_string (sum));
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-remote-native.c - encodes rows to be inserted, column by column
 */
#include "core/clickhouse/gilk-remote-native.h"

#include <string.h>

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

  native->columns = g_array_new (FALSE, FALSE, sizeof (Column));
  g_array_set_clear_func (native->columns, clear_column);

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
gilk_native_clear_column (GilkNative *native,
                          guint       column)
{
  g_byte_array_set_size (get_column (native, column)->values, 0);
}

void
gilk_native_clear (GilkNative *native)
{
  for (guint i = 0; i < native->columns->len; i++)
    gilk_native_clear_column (native, i);
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

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-strings.c - appends numbers, JSON strings and CSV cells to text, and parses integers
 */
#include "core/base/gilk-strings.h"

#include <errno.h>
#include <string.h>

void
gilk_append_uint (GString *text,
                       uint64_t value)
{
  char digits[20], *at = digits + sizeof digits;

  do
    *--at = (char) ('0' + value % 10);
  while ((value /= 10) != 0);
  g_string_append_len (text, at, digits + sizeof digits - at);
}

void
gilk_append_int (GString *text,
                      int64_t  value)
{
  if (value < 0)
    g_string_append_c (text, '-');
  gilk_append_uint (text, value < 0 ? -(uint64_t) value : (uint64_t) value);
}

void
gilk_append_hex (GString *text,
                      uint64_t value)
{
  char digits[18] = "0x";

  for (guint i = 0; i < 16; i++)
    digits[2 + i] = "0123456789abcdef"[value >> (60 - 4 * i) & 15];
  g_string_append_len (text, digits, sizeof digits);
}

void
gilk_append_json (GString    *text,
                       const char *value)
{
  g_autofree char *valid = g_utf8_validate (value, -1, NULL) ? NULL : g_utf8_make_valid (value, -1);

  g_string_append_c (text, '"');
  for (const char *c = valid != NULL ? valid : value; *c != '\0'; c++)
    {
      if (*c == '"' || *c == '\\')
        g_string_append_printf (text, "\\%c", *c);
      else if (*c == '\n')
        g_string_append (text, "\\n");
      else if (*c == '\t')
        g_string_append (text, "\\t");
      else if ((guchar) *c < 0x20 || *c == 0x7f)
        g_string_append_printf (text, "\\u%04x", (guchar) *c);
      else
        g_string_append_c (text, *c);
    }
  g_string_append_c (text, '"');
}

/* ---- writes comma-separated values ---- */

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

/* ---- parses integers strictly ---- */

gboolean
gilk_parse_unsigned (const char *text,
                     guint       base,
                     guint64     least,
                     guint64     most,
                     guint64    *number)
{
  const char *digits = base == 16 ? "0123456789abcdefABCDEF" : "0123456789";
  guint64 value;

  g_return_val_if_fail (base == 10 || base == 16, FALSE);
  if (*text == '\0' || text[strspn (text, digits)] != '\0')
    return FALSE;
  errno = 0;
  value = g_ascii_strtoull (text, NULL, base);
  if (errno == ERANGE || value < least || value > most)
    return FALSE;
  *number = value;

  return TRUE;
}

gboolean
gilk_parse_signed (const char *text,
                   gint64     *number)
{
  gboolean minus = *text == '-';
  guint64 value;

  if (!gilk_parse_unsigned (text + minus, 10, 0, (guint64) G_MAXINT64 + minus, &value))
    return FALSE;
  *number = (gint64) (minus ? -value : value);

  return TRUE;
}

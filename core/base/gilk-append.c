/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-append.c - appends numbers and strings to text, for millions of rows
 */
#include "core/base/gilk-strings.h"

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

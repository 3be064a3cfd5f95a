/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-printable.c - sanitises untrusted text for a terminal
 */
#include "core/base/gilk-strings.h"

#include <string.h>

#define BARS_FIRST 0x2580      /* first code point of the Unicode block "Block Elements" */
#define BARS_LAST  0x259f

static gboolean
steers_terminal (gunichar letter, const char *keep)
{
  if (letter < 0x80 && strchr (keep, (int) letter) != NULL)
    return FALSE;

  return g_unichar_iscntrl (letter) || letter == 0x200e || letter == 0x200f || (letter >= 0x202a && letter <= 0x202e) ||
         (letter >= 0x2066 && letter <= 0x2069);
}

char *
gilk_printable (const char *text,
                const char *keep)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);
  GString *clean = g_string_sized_new (strlen (valid));

  for (const char *c = valid; *c != '\0'; c = g_utf8_next_char (c))
    g_string_append_unichar (clean, steers_terminal (g_utf8_get_char (c), keep) ? 0xfffd : g_utf8_get_char (c));

  return g_string_free (clean, FALSE);
}

gboolean
gilk_charset_is_utf8 (void)
{
  return g_get_charset (NULL);
}

static const char *
find_ascii (gunichar letter)
{
  static const struct { gunichar letter; const char *ascii; } known[] = {
    { 0x00b5, "u" }, { 0x03bc, "u" }, { 0x2212, "-" }, { 0x2010, "-" }, { 0x2011, "-" }, { 0x2013, "-" }, { 0x2014, "--" },
    { 0x2026, "..." }, { 0x00d7, "x" }, { 0x00b1, "+-" }, { 0x2018, "'" }, { 0x2019, "'" }, { 0x201c, "\"" }, { 0x201d, "\"" },
    { 0x201e, "\"" }, { 0x00a0, " " }, { 0x2009, " " }, { 0x202f, " " }, { 0x2192, "->" }, { 0x2190, "<-" }, { 0x2191, "^" },
    { 0x2193, "v" }, { 0x221e, "inf" }, { 0x2264, "<=" }, { 0x2265, ">=" }, { 0x2260, "!=" }, { 0x2248, "~" }, { 0x0394, "d" },
    { 0x03b4, "d" }, { 0x03c3, "s" }, { 0x00b2, "^2" }, { 0x00b0, " deg" }, { 0x00b7, "." }, { 0x2022, "*" }, { 0x2502, "|" },
    { 0x2500, "-" }, { 0x2514, "`" }, { 0x251c, "|" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (known); i++)
    if (known[i].letter == letter)
      return known[i].ascii;

  return letter >= BARS_FIRST && letter <= BARS_LAST ? "#" : NULL;
}

char *
gilk_for_charset (const char *text)
{
  GString *plain;

  if (gilk_charset_is_utf8 ())
    return g_strdup (text);
  plain = g_string_sized_new (strlen (text));
  for (const char *c = text; *c != '\0'; c = g_utf8_next_char (c))
    {
      const char *ascii = find_ascii (g_utf8_get_char (c));

      if (ascii != NULL)
        g_string_append (plain, ascii);
      else
        g_string_append_unichar (plain, g_utf8_get_char (c));
    }

  return g_string_free (plain, FALSE);
}

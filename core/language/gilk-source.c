/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-source.c - the text of a program, and its first error
 */
#include "core/language/gilk-source.h"

#include <glib/gi18n.h>
#include <string.h>

#define QUOTE_MAX 40

GilkTextPart
gilk_text_join (GilkTextPart first, GilkTextPart last)
{
  return (GilkTextPart) { first.offset, last.offset + last.length - first.offset };
}

/* Finds line and column of @at. Columns count characters: UTF-8 continuation bytes are skipped. */
static void
locate_part (const char *text, GilkTextPart at, GilkProgramError *where)
{
  *where = (GilkProgramError) { .line = 1, .column = 1, .offset = at.offset, .length = at.length };
  for (uint32_t i = 0; i < at.offset; i++)
    if (text[i] == '\n')
      {
        where->line++;
        where->column = 1;
      }
    else if (((uint8_t) text[i] & 0xc0) != 0x80)
      where->column++;
}

gboolean
gilk_source_fail (GilkSource  *source,
                  GilkTextPart at,
                  const char  *format,
                  ...)
{
  g_autofree char *what = NULL;
  va_list args;

  if (source->error != NULL)
    return FALSE;
  va_start (args, format);
  what = g_strdup_vprintf (format, args);
  va_end (args);
  locate_part (source->text, at, &source->where);
  source->error = g_error_new (GILK_ERROR, GILK_ERROR_USAGE, _("Line %u, column %u: %s"),
                               source->where.line, source->where.column, what);

  return FALSE;
}

char *
gilk_source_quote (const GilkSource *source,
                   GilkTextPart      part)
{
  GString *out = g_string_new (NULL);

  for (uint32_t i = 0; i < MIN (part.length, QUOTE_MAX); i++)
    {
      const char c = source->text[part.offset + i];

      if (g_ascii_isprint (c))
        g_string_append_c (out, c);
      else if (g_ascii_isspace (c))
        g_string_append_c (out, ' ');
      else
        g_string_append_printf (out, "\\x%02x", (uint8_t) c);
    }
  if (part.length > QUOTE_MAX)
    g_string_append (out, "..");

  return g_string_free (out, FALSE);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-source-line.c - parses a source line given on the command line
 */
#include "core/debug/gilk-source-line.h"

#include <string.h>

#include "core/base/gilk-strings.h"

void
gilk_source_line_clear (GilkSourceLine *line)
{
  g_free (line->module);
  g_free (line->file);
}

gboolean
gilk_source_line_parse (const char *text, GilkSourceLine *line)
{
  static const char *const endings[] = { ".c", ".h", ".S", ".s", ".rs" };
  const char *colon = strrchr (text, ':'), *first = strchr (text, ':');
  gboolean source = FALSE;
  guint64 number = 0;

  if (colon == NULL || colon == text || !gilk_parse_unsigned (colon + 1, 10, 1, 1 << 24, &number))
    return FALSE;
  *line = (GilkSourceLine) { .line = (guint) number };
  if (first != colon)
    line->module = g_strndup (text, (gsize) (first - text));
  first = first != colon ? first + 1 : text;
  line->file = g_strndup (first, (gsize) (colon - first));
  for (guint i = 0; i < G_N_ELEMENTS (endings); i++)
    source |= g_str_has_suffix (line->file, endings[i]);
  if (!source || strchr (line->file, ':') != NULL || g_strcmp0 (line->module, "user") == 0)
    {
      gilk_source_line_clear (line);
      *line = (GilkSourceLine) { 0 };
      return FALSE;
    }

  return TRUE;
}

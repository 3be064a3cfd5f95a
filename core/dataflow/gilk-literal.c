/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-literal.c - recognises string literals in memory, and quotes them
 *
 * Compilers place strings next to each other. A number or a struct among constants may look like a
 * short string.
 */
#include "core/dataflow/gilk-operand.h"

#include <string.h>

#define SURE_LENGTH   4          /* shorter strings are accepted only next to other strings */
#define NEIGHBOURHOOD 32         /* bytes checked on each side of a shorter string */
#define LETTERS_MIN 8            /* minimum number of letters in the bytes before a shorter
                                  * string */

static gboolean
is_text (uint8_t byte)
{
  return (byte >= ' ' && byte <= '~') || byte == '\n' || byte == '\t' || byte == '\r';
}

/* Returns the length of a kernel log level at the start of the string. */
static gsize
get_level_length (const uint8_t *bytes, gsize length)
{
  return length >= 2 && bytes[0] == 1 && (g_ascii_isdigit (bytes[1]) || bytes[1] == 'c') ? 2 : 0;
}

/*
 * Returns whether the bytes consist only of strings and their terminators. @letters: number of
 * bytes that are not terminators
 */
static gboolean
are_texts (const uint8_t *bytes, gsize length, guint *letters)
{
  *letters = 0;
  for (gsize i = 0; i < length; i++)
    {
      if (!is_text (bytes[i]) && bytes[i] > 1)
        return FALSE;
      *letters += bytes[i] > 1;
    }

  return TRUE;
}

static gboolean
is_among_texts (const uint8_t *bytes, gsize length, gsize at, gsize end)
{
  const gsize before = MIN (at, NEIGHBOURHOOD), behind = MIN (length - end, NEIGHBOURHOOD);
  guint letters, others;

  return before == NEIGHBOURHOOD && are_texts (bytes + at - before, before, &letters) && letters >= LETTERS_MIN &&
         are_texts (bytes + end, behind, &others);
}

static void
append_escaped (GString *text, uint8_t byte)
{
  switch (byte)
    {
    case '\n': g_string_append (text, "\\n"); break;
    case '\t': g_string_append (text, "\\t"); break;
    case '\r': g_string_append (text, "\\r"); break;
    case '"':  g_string_append (text, "\\\""); break;
    case '\\': g_string_append (text, "\\\\"); break;
    case 1:    g_string_append (text, "\\001"); break;
    default:   g_string_append_c (text, (char) byte); break;
    }
}

char *
gilk_literal (const uint8_t *bytes, gsize length, gsize at)
{
  const uint8_t *end = at < length ? memchr (bytes + at, '\0', length - at) : NULL;
  gsize size, level;
  GString *text;

  if (end == NULL || (at > 0 && !is_text (bytes[at - 1]) && bytes[at - 1] != '\0'))
    return NULL;
  size = (gsize) (end - (bytes + at));
  level = get_level_length (bytes + at, size);
  for (gsize i = level; i < size; i++)
    if (!is_text (bytes[at + i]))
      return NULL;
  if (size == level || (size < SURE_LENGTH && !is_among_texts (bytes, length, at, at + size)))
    return NULL;

  text = g_string_new ("\"");
  for (gsize i = 0; i < MIN (size, GILK_LITERAL_SHOWN); i++)
    append_escaped (text, bytes[at + i]);
  g_string_append (text, size > GILK_LITERAL_SHOWN ? "\"..." : "\"");

  return g_string_free (text, FALSE);
}

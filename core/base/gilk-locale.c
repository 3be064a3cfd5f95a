/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-locale.c - sets the language of a program, and translates messages that arrive in English
 */
#include "core/base/gilk-error.h"

#include <glib/gi18n.h>
#include <locale.h>
#include <string.h>

#include "core/base/gilk-build-dir.h"
#include "core/base/gilk-strings.h"

#define DOMAIN "gilk"

void
gilk_locale_init (gboolean for_programs)
{
  g_autofree char *built = gilk_build_dir_path ("po");

  setlocale (LC_ALL, "");
  setlocale (LC_NUMERIC, "C");
  if (for_programs)
    setlocale (LC_MESSAGES, "C");
  bindtextdomain (DOMAIN, built != NULL ? built : GILK_LOCALEDIR);
  bind_textdomain_codeset (DOMAIN, "UTF-8");
  textdomain (DOMAIN);
}

/* ---- translates messages that arrive in English ---- */

#define WORDS_MAX 8
#define DEPTH_MAX 2         /* maximum recursion depth for translating a message and its arguments,
                             * because the text is untrusted */

typedef struct {
  const char *start;
  gsize       length;
} Word;

/* Returns the rest of @format after the conversion at its start. @position: (out): 2 for "%2$s",
 * the second argument; 0 for "%s", which does not state a position */
static const char *
skip_conversion (const char *format, guint *position)
{
  char *end;
  guint64 n = g_ascii_strtoull (++format, &end, 10);

  *position = *end == '$' ? (guint) n : 0;
  format = *end == '$' ? end + 1 : format;
  format += strspn (format, "-+ #0123456789.*hlzjt");

  return *format != '\0' ? format + 1 : format;
}

/* Finds the first occurrence of the @length bytes at @part in @text. */
static const char *
find_part (const char *text, const char *part, gsize length)
{
  g_autofree char *wanted = g_strndup (part, length);

  return strstr (text, wanted);
}

/* Finds the arguments in @text for the conversions of @format. Returns FALSE if @text does not
 * match @format. */
static gboolean
match_format (const char *text, const char *format, Word *words, guint *n)
{
  gsize length = strcspn (format, "%");

  *n = 0;
  if (strncmp (text, format, length) != 0)
    return FALSE;
  text += length;
  format += length;
  while (*format != '\0')
    {
      const char *end;
      guint position;

      format = skip_conversion (format, &position);
      length = strcspn (format, "%");
      end = *format == '\0' ? text + strlen (text)
            : format[length] == '\0' && g_str_has_suffix (text, format) ? text + strlen (text) - length
            : find_part (text, format, length);
      if (end == NULL || *n == WORDS_MAX)
        return FALSE;
      words[(*n)++] = (Word) { text, (gsize) (end - text) };
      text = end + length;
      format += length;
    }

  return *text == '\0';
}

static char *translate_text (const char *text, const char *const *formats, guint depth);

static char *
fill_format (const char *format, const Word *words, guint n, const char *const *formats, guint depth)
{
  GString *text = g_string_new (NULL);
  guint next = 0;

  while (*format != '\0')
    {
      gsize length = strcspn (format, "%");
      guint position;

      g_string_append_len (text, format, (gssize) length);
      format += length;
      if (*format == '\0')
        break;
      format = skip_conversion (format, &position);
      position = position != 0 ? position - 1 : next++;
      if (position < n)
        {
          g_autofree char *word = g_strndup (words[position].start, words[position].length);
          g_autofree char *own = translate_text (word, formats, depth + 1);

          g_string_append (text, own);
        }
    }

  return g_string_free (text, FALSE);
}

static char *
translate_text (const char *text, const char *const *formats, guint depth)
{
  for (guint i = 0; depth < DEPTH_MAX && formats[i] != NULL; i++)
    {
      Word words[WORDS_MAX];
      guint n;

      if (match_format (text, formats[i], words, &n))
        return fill_format (*formats[i] != '\0' ? gettext (formats[i]) : "", words, n, formats, depth);
    }

  return g_strdup (text);
}

char *
gilk_phrase_translate (const char        *text,
                       const char *const *formats)
{
  return translate_text (text, formats, 0);
}

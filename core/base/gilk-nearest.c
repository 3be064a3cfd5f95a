/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-nearest.c - suggests words that resemble a misspelled word, by edit distance
 */
#include "core/base/gilk-strings.h"

#include <glib/gi18n.h>
#include <string.h>

#define OFFERS_MAX 3

/* Returns the edit distance of @candidate and @word; 0, the best, if @candidate starts with
 * @word. */
static guint
score_candidate (const char *word, const char *candidate)
{
  if (strlen (word) >= 2 && g_str_has_prefix (candidate, word))
    return 0;
  return gilk_distance (word, candidate);
}

char *
gilk_nearest (const char *word, const char *const *words, guint count)
{
  g_autoptr(GString) offers = g_string_new (NULL);
  guint limit = strlen (word) <= 4 ? 2 : 3;
  guint best = limit + 1, found = 0;

  for (guint i = 0; i < count; i++)
    best = MIN (best, score_candidate (word, words[i]));
  for (guint i = 0; i < count && best <= limit && found < OFFERS_MAX; i++)
    if (score_candidate (word, words[i]) == best)
      g_string_append_printf (offers, "%s\"%s\"", found++ == 0 ? "" : _(" or "), words[i]);

  return found > 0 ? g_strdup (offers->str) : NULL;
}

char *
gilk_nearest_hint (const char *word, const char *const *words, guint count)
{
  g_autofree char *near = gilk_nearest (word, words, count);

  return near != NULL ? g_strdup_printf (_(" Did you mean %s?"), near) : g_strdup ("");
}

/* ---- computes the edit distance of two words ---- */

#define WORD_MAX 63

guint
gilk_distance (const char *a, const char *b)
{
  guint rows[3][WORD_MAX + 1];
  const gsize n = MIN (strlen (a), WORD_MAX), m = MIN (strlen (b), WORD_MAX);
  guint *before = rows[0], *above = rows[1], *row = rows[2];

  for (gsize j = 0; j <= m; j++)
    above[j] = j;
  for (gsize i = 1; i <= n; i++)
    {
      guint *oldest = before;

      row[0] = i;
      for (gsize j = 1; j <= m; j++)
        {
          row[j] = MIN (above[j - 1] + (a[i - 1] != b[j - 1]), MIN (above[j], row[j - 1]) + 1);
          if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
            row[j] = MIN (row[j], before[j - 2] + 1);
        }
      before = above;
      above = row;
      row = oldest;
    }

  return above[m];
}

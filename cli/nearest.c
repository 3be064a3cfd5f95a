/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * nearest.c - the words one may have meant
 *
 * Edit distance with swapped neighbours counted as one slip, as fingers do.
 */
#include "cli/nearest.h"

#include <glib/gi18n.h>
#include <string.h>

#define WORD_MAX 63
#define OFFERS_MAX 3

static guint
distance (const char *a, const char *b)
{
  guint rows[3][WORD_MAX + 1];
  gsize n = MIN (strlen (a), WORD_MAX), m = MIN (strlen (b), WORD_MAX);
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

/* 0 for a word that begins with what was typed: nothing is nearer. */
static guint
score (const char *word, const char *candidate)
{
  if (strlen (word) >= 2 && g_str_has_prefix (candidate, word))
    return 0;
  return distance (word, candidate);
}

char *
cli_nearest (const char *word, const char *const *words, guint count)
{
  g_autoptr(GString) offers = g_string_new (NULL);
  guint limit = strlen (word) <= 4 ? 2 : 3;
  guint best = limit + 1, found = 0;

  for (guint i = 0; i < count; i++)
    best = MIN (best, score (word, words[i]));
  for (guint i = 0; i < count && best <= limit && found < OFFERS_MAX; i++)
    if (score (word, words[i]) == best)
      g_string_append_printf (offers, "%s\"%s\"", found++ == 0 ? "" : _(" or "), words[i]);

  return found > 0 ? g_strdup (offers->str) : NULL;
}

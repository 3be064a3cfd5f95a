/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-nearest.c - suggests words that resemble a misspelled word
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

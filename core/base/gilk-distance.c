/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-distance.c - computes the edit distance of two words
 */
#include "core/base/gilk-strings.h"

#include <string.h>

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

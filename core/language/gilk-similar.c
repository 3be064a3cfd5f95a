/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-similar.c - finds the most similar name, to suggest it in place of an unknown one
 */
#include "core/language/gilk-similar.h"

#include <string.h>

#include "core/base/gilk-strings.h"

void
gilk_similar_init (GilkSimilar *near,
                   const char  *wanted)
{
  const gsize length = strlen (wanted);

  *near = (GilkSimilar) { .wanted = wanted, .distance = length <= 3 ? 2 : length <= 7 ? 3 : 4 };
}

void
gilk_similar_add (GilkSimilar *near,
                  const char  *name)
{
  const guint far = gilk_distance (near->wanted, name);

  if (far >= near->distance || far >= strlen (name))
    return;
  g_free (near->best);
  near->best = g_strdup (name);
  near->distance = far;
}

char *
gilk_similar_finish (GilkSimilar *near)
{
  return g_steal_pointer (&near->best);
}

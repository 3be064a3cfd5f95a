/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-figure-distance.c - how far the two of an overlay are apart, in words
 *
 * It takes longer than the overlay, so it is told apart from it.
 */
#include "core/analysis/gilk-figure-private.h"

#include <glib/gi18n.h>
#include <math.h>

#include "core/analysis/gilk-hook-compare.h"

/* Kolmogorov and Smirnov, and Cliff's delta, of all values looked at. (transfer full) */
static char *
words_of (const GilkHookCompared *compared, const char *a, const char *b)
{
  const GilkCompared *found = &compared->found;
  g_autofree char *p = isnan (found->ks.p) ? g_strdup (_("no p, for loss alone could make this distance"))
                       : found->ks.p < 1e-12 ? g_strdup (_("p below 1e-12")) : g_strdup_printf ("p %.3g", found->ks.p);

  return g_strdup_printf (_("Kolmogorov and Smirnov: D %.4f, %s; Cliff's delta %+.3f (%s) of %s over %s"), found->ks.d, p,
                          rint (1000.0 * found->delta) / 1000.0 + 0.0, gilk_delta_word (found->delta), b, a);
}

gboolean
gilk_figure_distance (const GilkFigureAsk    *ask,
                      const GilkFigureSource *sources,
                      guint                   n,
                      char                  **words,
                      GError                **error)
{
  gboolean is_of_values = ask->kind == GILK_FIGURE_HISTOGRAM || ask->kind == GILK_FIGURE_ECDF, good = TRUE;
  g_auto(GilkHookCompared) compared = { .n = { 0, 0 } };
  GilkFigurePart parts[2] = { 0 };
  GilkHookSide sides[2];

  *words = NULL;
  if (n != 2 || !is_of_values || !isnan (ask->low) || !isnan (ask->high))
    return TRUE;
  for (guint i = 0; good && i < n; i++)
    {
      good = gilk_figure_part_init (&parts[i], &sources[i], ask, error);
      sides[i] = (GilkHookSide) { sources[i].store, sources[i].hook, gilk_figure_part_ask (&parts[i], ask) };
    }
  good = good && gilk_hook_compare (sides, NULL, 0, &compared, error);
  if (good && compared.n[0] > 0 && compared.n[1] > 0)
    *words = words_of (&compared, sources[0].name, sources[1].name);
  for (guint i = 0; i < n; i++)
    gilk_figure_part_clear (&parts[i]);

  return good;
}

void
gilk_figure_say (GilkFigure *figure,
                 const char *words)
{
  char *caption = figure->caption;

  figure->caption = caption != NULL ? g_strconcat (words, ". ", caption, NULL) : g_strdup (words);
  g_free (caption);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-hook-sorted.c - a hook's values in ascending order
 */
#include "core/analysis/gilk-hook-sorted.h"

#include <math.h>
#include <stdlib.h>

static int
compare (const void *a, const void *b)
{
  double x = *(const double *) a, y = *(const double *) b;

  return (x > y) - (x < y);
}

void
gilk_sorted_clear (GilkSorted *sorted)
{
  g_clear_pointer (&sorted->values, g_free);
}

gboolean
gilk_hook_sorted (GilkStore            *store,
                  const GilkStoredHook *hook,
                  const GilkHookAsk    *ask,
                  GilkSorted           *sorted,
                  GError              **error)
{
  g_autoptr(GilkHookStream) stream = gilk_hook_stream_new (store, hook, ask, error);
  g_autoptr(GArray) values = g_array_new (FALSE, FALSE, sizeof (double));
  guint every = (guint) (hook->stored / GILK_SORTED_MAX + 1);
  uint64_t seen = 0;
  GError *local = NULL;
  GilkHookBlock block;
  double mean = 0.0;

  if (stream == NULL)
    return FALSE;
  while (gilk_hook_stream_next (stream, &block, &local))
    for (guint i = 0; i < block.n; i++)
      if (isfinite (block.values[i]) && seen++ % every == 0 && values->len < GILK_SORTED_MAX)
        {
          g_array_append_val (values, block.values[i]);
          mean += (block.values[i] - mean) / values->len;
        }
  if (local != NULL)
    {
      g_propagate_error (error, local);
      return FALSE;
    }
  g_array_sort (values, compare);
  sorted->n = values->len;
  sorted->every = every;
  sorted->cut = gilk_hook_stream_cut (stream);
  sorted->mean = mean;
  sorted->values = (double *) (gpointer) g_array_free (g_steal_pointer (&values), FALSE);

  return TRUE;
}

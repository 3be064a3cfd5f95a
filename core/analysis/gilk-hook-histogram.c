/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-hook-histogram.c - a hook's numbers into a tally, pass by pass
 */
#include "core/analysis/gilk-hook-histogram.h"

#include <math.h>

#include "core/analysis/gilk-hook-numbers.h"

#define HINTS 16384
#define BATCH 1024

typedef struct {
  GilkTally *tally;
  double     low, high;
} Share;

static void
add_numbers (const double *values, gsize n, gpointer data)
{
  const Share *share = data;
  double batch[BATCH];

  if (isnan (share->low) && isnan (share->high))
    {
      gilk_tally_add (share->tally, values, n);
      return;
    }
  for (gsize at = 0; at < n; at += BATCH)
    {
      guint left = 0;

      for (gsize i = at; i < MIN (n, at + BATCH); i++)
        {
          batch[left] = values[i];
          left += !(values[i] < share->low) && !(values[i] > share->high);
        }
      gilk_tally_add (share->tally, batch, left);
    }
}

static gboolean
pass (GilkHookNumbers *numbers, const GilkHistogramAsk *ask, GilkTally *tally, GError **error)
{
  guint n = gilk_hook_numbers_shares (numbers);
  g_autofree Share *shares = g_new (Share, n);
  g_autofree gpointer *pointers = g_new (gpointer, n);
  gboolean good;

  for (guint i = 0; i < n; i++)
    {
      shares[i] = (Share) { i == 0 ? tally : gilk_tally_fork (tally), ask->low, ask->high };
      pointers[i] = &shares[i];
    }
  good = gilk_hook_numbers_pass (numbers, add_numbers, pointers, error);
  for (guint i = 1; i < n; i++)
    gilk_tally_join (tally, shares[i].tally);

  return good;
}

GilkHistogram *
gilk_hook_histogram (GilkStore              *store,
                     const GilkStoredHook   *hook,
                     const GilkHistogramAsk *ask,
                     uint64_t               *cut,
                     GError                **error)
{
  g_autoptr(GilkHookNumbers) numbers = gilk_hook_numbers_new (store, hook, &ask->of, ask->scale, error);
  g_autofree double *hint = g_new (double, HINTS);
  g_autoptr(GilkTally) tally = NULL;

  if (numbers == NULL)
    return NULL;
  tally = gilk_histogram_tally (hook->stored, ask->bins, ask->log, hint,
                                gilk_hook_numbers_peek (numbers, hint, HINTS));
  do
    if (!pass (numbers, ask, tally, error))
      return NULL;
  while (gilk_tally_again (tally));
  if (cut != NULL)
    *cut = gilk_hook_numbers_cut (numbers);

  return gilk_histogram_of_tally (tally, ask->log);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-hook-histogram.c - a hook's numbers into a tally, pass by pass
 */
#include "core/analysis/gilk-hook-histogram.h"

#include <math.h>
#include <string.h>

#include "core/analysis/gilk-histogram-sketch.h"
#include "core/analysis/gilk-hook-numbers.h"
#include "core/store/gilk-samples-sketch.h"

#define HINTS 16384
#define BATCH 1024
#define MANY         200000       /* samples: fewer are read in no time */
#define READ_MOST    1000000      /* samples that no sketch tells of */
#define MANY_TO_READ 2000000
#define SOME         400000       /* of these, in so many parts of the run */
#define PARTS        16

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

/* ---- without reading all ---- */

static gboolean
is_time (const char *field)
{
  return strcmp (field, "interval") == 0 || strcmp (field, "time") == 0;
}

/* Of all numbers, where sketches are kept and tell them apart. NULL without an error: they do not. */
static GilkHistogram *
of_sketches (GilkStore *store, const GilkStoredHook *hook, const GilkHistogramAsk *ask, gboolean *exact, GilkBins *bins,
             GError **error)
{
  g_autoptr(GilkSketch) sketch = NULL;

  if (hook->stored < MANY || ask->of.condition != NULL || ask->scale != 1.0 || is_time (ask->of.field))
    return NULL;
  sketch = gilk_samples_sketch (store, hook, ask->of.field, gilk_hook_ask_ns (ask->of.from, G_MININT64),
                                gilk_hook_ask_ns (ask->of.to, G_MAXINT64), READ_MOST, error);

  return sketch != NULL ? gilk_histogram_of_sketch (sketch, ask->low, ask->high, ask->bins, ask->log, exact, bins) : NULL;
}

/* Counts of @n become those of @all. */
static void
stand_for (GilkHistogram *h, uint64_t n, uint64_t all)
{
  double times = (double) all / (double) n;

  for (guint i = 0; i < h->n_bins; i++)
    h->counts[i] = (uint64_t) rint ((double) h->counts[i] * times);
  h->n = (uint64_t) rint ((double) h->n * times);
  h->ignored = (uint64_t) rint ((double) h->ignored * times);
}

static gsize
keep_within (double *values, gsize n, double low, double high)
{
  gsize left = 0;

  for (gsize i = 0; i < n; i++)
    {
      values[left] = values[i];
      left += !(values[i] < low) && !(values[i] > high);
    }

  return left;
}

/* Of some numbers from all over. */
static GilkHistogram *
of_some (GilkStore *store, const GilkStoredHook *hook, const GilkHistogramAsk *ask, uint64_t *read, GError **error)
{
  g_autoptr(GilkHookNumbers) numbers = NULL;
  g_autofree double *values = NULL;
  GilkHistogram *h;
  gsize left;

  /* Who looks for what is rare may have to read all; and a part of the time may be read soon. */
  if (hook->stored < MANY_TO_READ || ask->of.condition != NULL || !isnan (ask->of.from) || !isnan (ask->of.to))
    return NULL;
  numbers = gilk_hook_numbers_new (store, hook, &ask->of, ask->scale, error);
  if (numbers == NULL)
    return NULL;
  values = g_new (double, SOME);
  *read = gilk_hook_numbers_sample (numbers, PARTS, values, SOME, error);
  left = keep_within (values, *read, ask->low, ask->high);
  if (*read == 0 || left < SOME / 100)
    return NULL;
  h = gilk_histogram_new (values, left, ask->bins, ask->log);
  stand_for (h, *read, hook->stored);

  return h;
}

GilkHistogram *
gilk_hook_histogram_soon (GilkStore              *store,
                          const GilkStoredHook   *hook,
                          const GilkHistogramAsk *ask,
                          GilkHistogramHaste     *haste,
                          GError                **error)
{
  GError *local = NULL;
  GilkHistogram *h;

  *haste = (GilkHistogramHaste) { 0 };
  h = of_sketches (store, hook, ask, &haste->exact, NULL, &local);
  if (h == NULL && local == NULL)
    h = of_some (store, hook, ask, &haste->read, &local);
  if (local != NULL)
    g_propagate_error (error, local);

  return h;
}

/* ---- of all ---- */

/* @bins: (nullable): those that there are to be */
static GilkHistogram *
of_all (GilkHookNumbers *numbers, const GilkStoredHook *hook, const GilkHistogramAsk *ask, const GilkBins *bins,
        GError **error)
{
  g_autofree double *hint = g_new (double, HINTS);
  g_autoptr(GilkTally) tally = gilk_histogram_tally (hook->stored, ask->bins, ask->log, hint,
                                                     gilk_hook_numbers_peek (numbers, hint, HINTS));

  if (bins != NULL)
    gilk_tally_set_bins (tally, bins);
  do
    if (!pass (numbers, ask, tally, error))
      return NULL;
  while (gilk_tally_again (tally));

  return gilk_histogram_of_tally (tally, ask->log);
}

GilkHistogram *
gilk_hook_histogram (GilkStore              *store,
                     const GilkStoredHook   *hook,
                     const GilkHistogramAsk *ask,
                     uint64_t               *cut,
                     GError                **error)
{
  g_autoptr(GilkHistogram) sketched = NULL;
  g_autoptr(GilkHookNumbers) numbers = NULL;
  GilkHistogram *h;
  GError *local = NULL;
  gboolean exact = FALSE;
  GilkBins bins;

  if (cut != NULL)
    *cut = 0;
  sketched = of_sketches (store, hook, ask, &exact, &bins, &local);
  if (exact)
    return g_steal_pointer (&sketched);
  if (local != NULL)
    {
      g_propagate_error (error, local);
      return NULL;
    }
  numbers = gilk_hook_numbers_new (store, hook, &ask->of, ask->scale, error);
  if (numbers == NULL)
    return NULL;
  /* Who has seen these bins will not see others. */
  h = of_all (numbers, hook, ask, sketched != NULL && sketched->n > 0 ? &bins : NULL, error);
  if (cut != NULL)
    *cut = gilk_hook_numbers_cut (numbers);

  return h;
}

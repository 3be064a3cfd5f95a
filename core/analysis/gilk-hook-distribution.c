/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-hook-distribution.c - computes the distribution of a hook's numbers: histograms,
 * quantiles, shares
 */
#include "core/analysis/gilk-hook-distribution.h"

#include <math.h>

#include "core/analysis/gilk-hook-numbers.h"
#include "core/analysis/gilk-hook-samples.h"
#include "core/stats/gilk-histogram.h"
#include "core/stats/gilk-loss-rule.h"
#include "core/stats/gilk-ranks.h"

#define HINTS 16384
#define BATCH 1024
#define MANY_TO_READ 2000000      /* minimum number of samples for a preliminary histogram: with
                                   * fewer, reading all of them is as fast */
#define SOME         400000       /* maximum number of numbers read for a preliminary histogram */
#define PARTS        16           /* a preliminary histogram reads numbers from the start of each of
                                   * this many parts of the run */

enum { LINEAR, LOG, AXES };

/* Counts of values per bin, by one thread. A tally is NULL if the histogram with this axis was not
 * requested, or is complete. */
typedef struct {
  GilkTally *tallies[AXES];
  double     low, high;
} Share;

static void
add_to_tallies (const Share *share, const double *values, gsize n)
{
  for (guint axis = 0; axis < AXES; axis++)
    if (share->tallies[axis] != NULL)
      gilk_tally_add (share->tallies[axis], values, n);
}

static void
add_numbers (const double *values, gsize n, gpointer data)
{
  const Share *share = data;
  double batch[BATCH];

  if (isnan (share->low) && isnan (share->high))
    {
      add_to_tallies (share, values, n);
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
      add_to_tallies (share, batch, left);
    }
}

static gboolean
fill_tallies (GilkHookNumbers *numbers, const GilkHistogramAsk *ask, GilkTally *const *tallies, GError **error)
{
  guint n = gilk_hook_numbers_shares (numbers);
  g_autofree Share *shares = g_new0 (Share, n);
  g_autofree gpointer *pointers = g_new (gpointer, n);
  gboolean good;

  for (guint i = 0; i < n; i++)
    {
      shares[i] = (Share) { .low = ask->low, .high = ask->high };
      for (guint axis = 0; axis < AXES; axis++)
        if (tallies[axis] != NULL)
          shares[i].tallies[axis] = i == 0 ? tallies[axis] : gilk_tally_fork (tallies[axis]);
      pointers[i] = &shares[i];
    }
  good = gilk_hook_numbers_pass (numbers, add_numbers, pointers, error);
  for (guint i = 1; i < n; i++)
    for (guint axis = 0; axis < AXES; axis++)
      if (tallies[axis] != NULL)
        gilk_tally_join (tallies[axis], shares[i].tallies[axis]);

  return good;
}

/* ---- makes a preliminary histogram without reading all numbers ---- */

/* Scales up the histogram's counts of @n values so that they stand for @all values. */
static void
scale_counts (GilkHistogram *h, uint64_t n, uint64_t all)
{
  double times = (double) all / (double) n;

  for (guint i = 0; i < h->n_bins; i++)
    h->counts[i] = (uint64_t) rint ((double) h->counts[i] * times);
  h->n = (uint64_t) rint ((double) h->n * times);
  h->ignored = (uint64_t) rint ((double) h->ignored * times);
}

static gsize
filter_range (double *values, gsize n, double low, double high)
{
  gsize left = 0;

  for (gsize i = 0; i < n; i++)
    {
      values[left] = values[i];
      left += !(values[i] < low) && !(values[i] > high);
    }

  return left;
}

/* Makes a histogram of at most SOME numbers, from the start of each of PARTS parts of the run.
 * Returns NULL without an error if all numbers should be read instead. */
static GilkHistogram *
make_sampled (GilkStore *store, const GilkStoredHook *hook, const GilkHistogramAsk *ask, uint64_t *read, GError **error)
{
  g_autoptr(GilkHookNumbers) numbers = NULL;
  g_autofree double *values = NULL;
  GilkHistogram *h;
  gsize left;

  /* Makes no preliminary histogram if there is a condition or a range of time: too few of the
   * samples read might match the condition, and a short range can be read completely. */
  if (hook->stored < MANY_TO_READ || ask->of.condition != NULL || !isnan (ask->of.from) || !isnan (ask->of.to))
    return NULL;
  numbers = gilk_hook_numbers_new (store, hook, &ask->of, ask->scale, error);
  if (numbers == NULL)
    return NULL;
  values = g_new (double, SOME);
  *read = gilk_hook_numbers_sample (numbers, PARTS, values, SOME, error);
  left = filter_range (values, *read, ask->low, ask->high);
  if (*read == 0 || left < SOME / 100)
    return NULL;
  h = gilk_histogram_new (values, left, ask->bins, ask->log);
  scale_counts (h, *read, hook->stored);

  return h;
}

GilkHistogram *
gilk_hook_histogram_preview (GilkStore              *store,
                             const GilkStoredHook   *hook,
                             const GilkHistogramAsk *ask,
                             GilkHistogramPreview   *preview,
                             GError                **error)
{
  g_autoptr(GilkSketch) sketch = NULL;
  GError *local = NULL;
  GilkHistogram *h = NULL;

  *preview = (GilkHistogramPreview) { 0 };
  sketch = ask->scale == 1.0 ? gilk_hook_sketch (store, hook, &ask->of, &local) : NULL;
  if (sketch != NULL)
    h = gilk_histogram_of_sketch (sketch, ask->low, ask->high, ask->bins, ask->log, &preview->exact, NULL);
  if (h == NULL && local == NULL)
    h = make_sampled (store, hook, ask, &preview->read, &local);
  if (local != NULL)
    g_propagate_error (error, local);

  return h;
}

/* ---- makes histograms from all numbers ---- */

/* State of the histogram with one scale of the x axis, linear or logarithmic. */
typedef struct {
  gboolean       wanted, exact;
  GilkHistogram *h;             /* the histogram: made from sketches (stored summaries) first, and
                                 * later from all numbers */
  GilkBins       bins;          /* bins of the histogram made from sketches */
} Axis;

static void
axes_clear (Axis *axes)
{
  for (guint i = 0; i < AXES; i++)
    gilk_histogram_free (axes[i].h);
}

/* Reads all numbers for those axes whose histogram, made from sketches (stored summaries), is not
 * exact. Keeps the bins of that histogram, because the user may have seen them. */
static gboolean
read_exact (GilkHookNumbers *numbers, const GilkStoredHook *hook, const GilkHistogramAsk *ask, Axis *axes, GError **error)
{
  g_autofree double *hint = g_new (double, HINTS);
  gsize hints = gilk_hook_numbers_peek (numbers, hint, HINTS);
  GilkTally *tallies[AXES] = { NULL }, *open[AXES] = { NULL };
  gboolean good = TRUE;

  for (guint i = 0; i < AXES; i++)
    if (axes[i].wanted && !axes[i].exact)
      {
        tallies[i] = open[i] = gilk_histogram_tally (hook->stored, ask->bins, i == LOG, hint, hints);
        if (axes[i].h != NULL && axes[i].h->n > 0)
          gilk_tally_set_bins (tallies[i], &axes[i].bins);
        g_clear_pointer (&axes[i].h, gilk_histogram_free);
      }
  while (good && (open[LINEAR] != NULL || open[LOG] != NULL))
    {
      good = fill_tallies (numbers, ask, open, error);
      for (guint i = 0; good && i < AXES; i++)
        if (open[i] != NULL && !gilk_tally_again (open[i]))
          open[i] = NULL;
    }
  for (guint i = 0; i < AXES; i++)
    {
      if (good && tallies[i] != NULL)
        axes[i].h = gilk_histogram_of_tally (tallies[i], i == LOG);
      gilk_tally_free (tallies[i]);
    }

  return good;
}

static gboolean
make_axes (GilkStore *store, const GilkStoredHook *hook, const GilkHistogramAsk *ask, Axis *axes, uint64_t *cut,
           GError **error)
{
  g_autoptr(GilkHookNumbers) numbers = NULL;
  g_autoptr(GilkSketch) sketch = NULL;
  GError *local = NULL;
  gboolean good, exact = TRUE;

  *cut = 0;
  sketch = ask->scale == 1.0 ? gilk_hook_sketch (store, hook, &ask->of, &local) : NULL;
  for (guint i = 0; i < AXES; i++)
    if (axes[i].wanted)
      {
        if (sketch != NULL)
          axes[i].h = gilk_histogram_of_sketch (sketch, ask->low, ask->high, ask->bins, i == LOG, &axes[i].exact, &axes[i].bins);
        axes[i].exact &= axes[i].h != NULL;
        exact &= axes[i].exact;
      }
  if (local != NULL)
    g_propagate_error (error, local);
  if (local != NULL || exact)
    return local == NULL;
  numbers = gilk_hook_numbers_new (store, hook, &ask->of, ask->scale, error);
  good = numbers != NULL && read_exact (numbers, hook, ask, axes, error);
  if (good)
    *cut = gilk_hook_numbers_cut (numbers);

  return good;
}

GilkHistogram *
gilk_hook_histogram (GilkStore              *store,
                     const GilkStoredHook   *hook,
                     const GilkHistogramAsk *ask,
                     uint64_t               *cut,
                     GError                **error)
{
  Axis axes[AXES] = { [LINEAR] = { .wanted = !ask->log }, [LOG] = { .wanted = ask->log } };
  GilkHistogram *h = NULL;
  uint64_t own;

  if (make_axes (store, hook, ask, axes, cut != NULL ? cut : &own, error))
    h = g_steal_pointer (&axes[ask->log ? LOG : LINEAR].h);
  axes_clear (axes);

  return h;
}

gboolean
gilk_hook_histograms (GilkStore              *store,
                      const GilkStoredHook   *hook,
                      const GilkHistogramAsk *ask,
                      GilkHistogram         **linear,
                      GilkHistogram         **log,
                      uint64_t               *cut,
                      GError                **error)
{
  Axis axes[AXES] = { [LINEAR] = { .wanted = TRUE }, [LOG] = { .wanted = TRUE } };
  gboolean good = make_axes (store, hook, ask, axes, cut, error);

  if (good)
    {
      *linear = g_steal_pointer (&axes[LINEAR].h);
      *log = g_steal_pointer (&axes[LOG].h);
    }
  axes_clear (axes);

  return good;
}

/* ---- computes quantiles and shares of a hook's distribution ---- */

#define SIZES_APART 20.0      /* if the maximum is more than this many times the minimum, shares are
                               * computed at 1, 2 and 5 times powers of ten */
#define STEPS       10

void
gilk_hook_quantiles_clear (GilkHookQuantiles *quantiles)
{
  g_clear_pointer (&quantiles->list, g_array_unref);
}

/* ---- quantiles ---- */

typedef struct {
  GilkRankedQuantile value, low, high;
  gboolean           has_low, has_high;
} Asked;

typedef struct {
  const double *at;
  guint         n_at;
  uint64_t      lost;
  GilkSweepSummary side;
  Asked        *asked;
} Quantiles;

static void
request_quantiles (GilkRanks *ranks, const GilkSweepSummary *side, gpointer data)
{
  Quantiles *q = data;

  q->side = *side;
  for (guint i = 0; q->side.n > 0 && i < q->n_at; i++)
    {
      Asked *asked = &q->asked[i];
      double low, high;

      gilk_loss_ranks (q->at[i], q->side.n, q->lost, &low, &high);
      asked->has_low = !isnan (low);
      asked->has_high = !isnan (high);
      asked->value = gilk_ranks_request_quantile (ranks, q->side.n, q->at[i]);
      if (asked->has_low)
        asked->low = gilk_ranks_request_quantile (ranks, q->side.n, low);
      if (asked->has_high)
        asked->high = gilk_ranks_request_quantile (ranks, q->side.n, high);
    }
}

gboolean
gilk_hook_quantiles (const GilkHookSide *side,
                     const double       *at,
                     guint               n_at,
                     GilkHookQuantiles  *quantiles,
                     GError            **error)
{
  g_autoptr(GilkRanks) ranks = gilk_ranks_new ();
  g_autofree Asked *asked = g_new0 (Asked, n_at + 1);
  Quantiles q = { .at = at, .n_at = n_at, .lost = side->hook->lost, .asked = asked };
  GilkSweepRanks look = { request_quantiles, &q, ranks, 0 };
  uint64_t cut;

  if (!gilk_hook_sweep (side, 1, gilk_sweep_ranks_viewer (), &look, &cut, error))
    return FALSE;
  *quantiles = (GilkHookQuantiles) { q.side.n, cut, q.side.mean,
                                     g_array_new (FALSE, FALSE, sizeof (GilkHookQuantile)) };
  for (guint i = 0; q.side.n > 0 && i < n_at; i++)
    {
      const GilkHookQuantile one = {
        at[i], gilk_ranks_quantile (ranks, &asked[i].value),
        asked[i].has_low ? gilk_ranks_quantile (ranks, &asked[i].low) : NAN,
        asked[i].has_high ? gilk_ranks_quantile (ranks, &asked[i].high) : NAN,
      };

      g_array_append_val (quantiles->list, one);
    }

  return TRUE;
}

/* ---- shares ---- */

typedef struct {
  GilkSweepSummary side;
  GArray       *steps;        /* (element-type GilkHookQuantile): @value is a count until all
                               * numbers are read, then a share */
  guint         next;         /* index of the first step that is not below the last number read */
  uint64_t      below;
} Shares;

static void
add_step (GArray *steps, double at)
{
  const GilkHookQuantile step = { .at = at };

  g_array_append_val (steps, step);
}

static void
begin_shares (const GilkSweepSummary *sides, gpointer data)
{
  static const double digits[] = { 1.0, 2.0, 5.0 };
  Shares *s = data;
  double low = sides[0].min, high = sides[0].max;

  s->side = sides[0];
  if (s->side.n == 0)
    return;
  if (low > 0.0 && high / low > SIZES_APART)
    {
      for (int decade = (int) floor (log10 (low)); decade <= (int) ceil (log10 (high)); decade++)
        for (guint i = 0; i < G_N_ELEMENTS (digits); i++)
          {
            double at = digits[i] * pow (10.0, decade);

            if (at >= low && at < high)
              add_step (s->steps, at);
          }
    }
  else
    for (guint i = 0; i < STEPS && high > low; i++)
      add_step (s->steps, low + (high - low) * i / STEPS);
  add_step (s->steps, high);
}

static gboolean
wants_shares (double low, double high, const uint64_t *below, const uint64_t *n, gpointer data)
{
  const Shares *s = data;

  (void) below;
  (void) n;
  for (guint i = 0; i < s->steps->len; i++)
    {
      double at = g_array_index (s->steps, GilkHookQuantile, i).at;

      if (at >= low && at < high)
        return TRUE;
    }

  return FALSE;
}

static void
skip_shares (double low, double high, const uint64_t *n, gpointer data)
{
  Shares *s = data;

  (void) high;
  for (; s->next < s->steps->len && g_array_index (s->steps, GilkHookQuantile, s->next).at < low; s->next++)
    g_array_index (s->steps, GilkHookQuantile, s->next).value = (double) s->below;
  s->below += n[0];
}

static void
step_shares (double value, const uint64_t *n, gpointer data)
{
  skip_shares (value, value, n, data);
}

gboolean
gilk_hook_shares (const GilkHookSide *side,
                  GilkHookQuantiles  *shares,
                  GError            **error)
{
  static const GilkSweepViewer viewer = { begin_shares, wants_shares, step_shares, skip_shares };
  g_autoptr(GArray) steps = g_array_new (FALSE, FALSE, sizeof (GilkHookQuantile));
  Shares s = { .steps = steps };
  double lost = (double) side->hook->lost, n;
  uint64_t cut;

  if (!gilk_hook_sweep (side, 1, &viewer, &s, &cut, error))
    return FALSE;
  n = (double) s.side.n;
  for (guint i = 0; i < steps->len; i++)
    {
      GilkHookQuantile *step = &g_array_index (steps, GilkHookQuantile, i);
      double up_to = i < s.next ? step->value : n;

      *step = (GilkHookQuantile) { step->at, up_to / n, up_to / (n + lost), (up_to + lost) / (n + lost) };
    }
  *shares = (GilkHookQuantiles) { s.side.n, cut, s.side.mean, g_steal_pointer (&steps) };

  return TRUE;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-hook-quantiles.c - computes quantiles and shares of a hook's distribution
 */
#include "core/analysis/gilk-hook-quantiles.h"

#include <math.h>

#include "core/stats/gilk-loss-rule.h"
#include "core/stats/gilk-ranks.h"

#define SIZES_APART 20.0      /* ratio of maximum to minimum above which shares are given at powers
                               * of ten */
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
  GArray       *steps;        /* GilkHookQuantile, whose value member is the count so far */
  guint         next;         /* index of the first step that is not below the last number */
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

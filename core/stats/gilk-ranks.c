/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-ranks.c - finds the numbers at given ranks, among numbers in ascending order or in a sweep
 */
#include "core/stats/gilk-ranks.h"

#include "core/base/gilk-array.h"

typedef struct {
  uint64_t rank;
  guint    asked;
} Wanted;

struct _GilkRanks {
  GArray  *wanted;            /* (element-type Wanted): requested ranks, ascending once sorted */
  GArray  *values;            /* (element-type double): numbers at the requested ranks, in order of
                               * request */
  gboolean sorted;
  guint    next;              /* index of the first rank not reached yet */
};

GilkRanks *
gilk_ranks_new (void)
{
  GilkRanks *ranks = g_new0 (GilkRanks, 1);

  ranks->wanted = g_array_new (FALSE, FALSE, sizeof (Wanted));
  ranks->values = g_array_new (FALSE, TRUE, sizeof (double));

  return ranks;
}

void
gilk_ranks_free (GilkRanks *ranks)
{
  if (ranks == NULL)
    return;
  g_array_unref (ranks->wanted);
  g_array_unref (ranks->values);
  g_free (ranks);
}

guint
gilk_ranks_request (GilkRanks *ranks,
                    uint64_t   rank)
{
  const Wanted wanted = { rank, ranks->wanted->len };

  g_assert (!ranks->sorted);
  g_array_append_val (ranks->wanted, wanted);

  return wanted.asked;
}

GilkRankedQuantile
gilk_ranks_request_quantile (GilkRanks *ranks,
                             uint64_t   n,
                             double     p)
{
  double position = p * (double) (n - 1);
  uint64_t rank = MIN ((uint64_t) position, n - 1);
  GilkRankedQuantile quantile = { .fraction = position - (double) rank };

  quantile.low = gilk_ranks_request (ranks, rank);
  quantile.high = quantile.fraction > 0.0 && rank + 1 < n ? gilk_ranks_request (ranks, rank + 1) : quantile.low;

  return quantile;
}

GILK_DEFINE_ORDER (compare_ranks, Wanted, rank)

static void
sort_ranks (GilkRanks *ranks)
{
  if (ranks->sorted)
    return;
  g_array_sort (ranks->wanted, compare_ranks);
  g_array_set_size (ranks->values, ranks->wanted->len);
  ranks->sorted = TRUE;
}

gboolean
gilk_ranks_within (GilkRanks *ranks,
                   uint64_t   below,
                   uint64_t   n)
{
  guint low;

  sort_ranks (ranks);
  low = GILK_BISECT (ranks->wanted->len, i, g_array_index (ranks->wanted, Wanted, i).rank < below);

  return low < ranks->wanted->len && g_array_index (ranks->wanted, Wanted, low).rank - below < n;
}

void
gilk_ranks_step (GilkRanks *ranks,
                 uint64_t   below,
                 uint64_t   n,
                 double     value)
{
  sort_ranks (ranks);
  for (; ranks->next < ranks->wanted->len; ranks->next++)
    {
      const Wanted *wanted = &g_array_index (ranks->wanted, Wanted, ranks->next);

      if (wanted->rank >= below + n)
        return;
      g_array_index (ranks->values, double, wanted->asked) = value;
    }
}

GArray *
gilk_ranks_list (GilkRanks *ranks)
{
  GArray *list = g_array_new (FALSE, FALSE, sizeof (uint64_t));

  sort_ranks (ranks);
  for (guint i = 0; i < ranks->wanted->len; i++)
    {
      uint64_t rank = g_array_index (ranks->wanted, Wanted, i).rank;

      if (list->len == 0 || g_array_index (list, uint64_t, list->len - 1) != rank)
        g_array_append_val (list, rank);
    }

  return list;
}

double
gilk_ranks_value (const GilkRanks *ranks,
                  guint            asked)
{
  return g_array_index (ranks->values, double, asked);
}

double
gilk_ranks_quantile (const GilkRanks          *ranks,
                     const GilkRankedQuantile *quantile)
{
  double low = gilk_ranks_value (ranks, quantile->low);

  return low + quantile->fraction * (gilk_ranks_value (ranks, quantile->high) - low);
}

/* ---- collects the numbers at given ranks from a sweep ---- */

static void
begin_sweep (const GilkSweepSummary *sides, gpointer data)
{
  GilkSweepRanks *sweep_ranks = data;

  sweep_ranks->ask (sweep_ranks->ranks, &sides[0], sweep_ranks->data);
}

static gboolean
wants_range (double low, double high, const uint64_t *below, const uint64_t *n, gpointer data)
{
  GilkSweepRanks *sweep_ranks = data;

  (void) low;
  (void) high;
  return gilk_ranks_within (sweep_ranks->ranks, below[0], n[0]);
}

static void
step_value (double value, const uint64_t *n, gpointer data)
{
  GilkSweepRanks *sweep_ranks = data;

  gilk_ranks_step (sweep_ranks->ranks, sweep_ranks->below, n[0], value);
  sweep_ranks->below += n[0];
}

static void
skip_range (double low, double high, const uint64_t *n, gpointer data)
{
  GilkSweepRanks *sweep_ranks = data;

  (void) low;
  (void) high;
  sweep_ranks->below += n[0];
}

const GilkSweepViewer *
gilk_sweep_ranks_viewer (void)
{
  static const GilkSweepViewer viewer = { begin_sweep, wants_range, step_value, skip_range };

  return &viewer;
}

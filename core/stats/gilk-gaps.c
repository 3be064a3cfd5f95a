/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-gaps.c - times in which a hook has incomplete data; pure numerics
 */
#include "core/stats/gilk-gaps.h"

#include <math.h>

#include "core/base/gilk-array.h"

static const GilkGap *
get_gap (const GArray *gaps, guint i)
{
  return &g_array_index (gaps, GilkGap, i);
}

static guint
count_gaps (const GArray *gaps)
{
  return gaps != NULL ? gaps->len : 0;
}

/* Returns the index of the first gap that ends after @when. */
static guint
find_first_after (const GArray *gaps, double when)
{
  return GILK_BISECT (count_gaps (gaps), i, get_gap (gaps, i)->to <= when);
}

static int
compare_gaps (gconstpointer a, gconstpointer b)
{
  const GilkGap *x = a, *y = b;

  return GILK_ORDER (x->from, y->from) ?: GILK_ORDER (x->to, y->to);
}

/* Returns the gaps of one kind, trimmed so that each starts no earlier than the previous one
 * ends. */
static GArray *
select_kind (const GArray *gaps, GilkGapKind kind, double duration)
{
  GArray *picked = g_array_new (FALSE, FALSE, sizeof (GilkGap));

  for (guint i = 0; i < gaps->len; i++)
    {
      GilkGap gap = *get_gap (gaps, i), *last;

      last = picked->len > 0 ? &g_array_index (picked, GilkGap, picked->len - 1) : NULL;
      gap.from = MAX (gap.from, 0.0);
      gap.to = MIN (gap.to, duration);
      if (gap.kind != kind)
        continue;
      if (last != NULL && gap.from < last->to)
        {
          gap.from = last->to;
          if (!(gap.to > gap.from))
            last->lost += gap.lost;
        }
      if (gap.to > gap.from)
        g_array_append_val (picked, gap);
    }

  return picked;
}

/* Appends to @out the parts of @gap that are outside @holes. The first part gets all lost samples
 * of @gap. */
static void
append_outside (GArray *out, GilkGap gap, const GArray *holes)
{
  for (guint i = find_first_after (holes, gap.from); i < count_gaps (holes); i++)
    {
      const GilkGap *hole = get_gap (holes, i);
      GilkGap part = gap;

      if (hole->from >= gap.to)
        break;
      part.to = hole->from;
      gap.from = hole->to;
      if (part.to > part.from)
        {
          g_array_append_val (out, part);
          gap.lost = 0;
        }
    }
  if (gap.to > gap.from)
    g_array_append_val (out, gap);
}

void
gilk_gaps_normalise (GArray *gaps,
                     double  duration)
{
  g_autoptr(GArray) off = NULL, lost = NULL;

  g_array_sort (gaps, compare_gaps);
  off = select_kind (gaps, GILK_GAP_OFF, duration);
  lost = select_kind (gaps, GILK_GAP_LOST, duration);
  g_array_set_size (gaps, 0);
  g_array_append_vals (gaps, off->data, off->len);
  for (guint i = 0; i < lost->len; i++)
    append_outside (gaps, *get_gap (lost, i), off);
  g_array_sort (gaps, compare_gaps);
}

gboolean
gilk_gaps_touch (const GArray *gaps,
                 double        from,
                 double        to)
{
  guint i = find_first_after (gaps, from);

  return i < count_gaps (gaps) && get_gap (gaps, i)->from < to;
}

/* Returns the length of the part of [from, to] that @gap covers. */
static double
get_overlap (const GilkGap *gap, double from, double to)
{
  return MAX (0.0, MIN (gap->to, to) - MAX (gap->from, from));
}

double
gilk_gaps_measured (const GArray *gaps,
                    double        from,
                    double        to)
{
  double seconds = to - from;

  for (guint i = find_first_after (gaps, from); i < count_gaps (gaps) && get_gap (gaps, i)->from < to; i++)
    if (get_gap (gaps, i)->kind == GILK_GAP_OFF)
      seconds -= get_overlap (get_gap (gaps, i), from, to);

  return MAX (seconds, 0.0);
}

double
gilk_gaps_lost (const GArray *gaps,
                double        from,
                double        to)
{
  double lost = 0.0;

  for (guint i = find_first_after (gaps, from); i < count_gaps (gaps) && get_gap (gaps, i)->from < to; i++)
    {
      const GilkGap *gap = get_gap (gaps, i);

      lost += gap->lost * get_overlap (gap, from, to) / (gap->to - gap->from);
    }

  return lost;
}

/* ---- computes rates ---- */

static void
append_double (GArray *array, double value)
{
  g_array_append_val (array, value);
}

/* Returns the end of the last part of [from, to] during which the hook was on. */
static double
find_last_on (const GArray *gaps, double from, double to)
{
  for (guint i = count_gaps (gaps); i-- > 0;)
    {
      const GilkGap *gap = get_gap (gaps, i);

      if (gap->kind == GILK_GAP_OFF && gap->from < to && gap->to >= to)
        to = MAX (from, gap->from);
    }

  return to;
}

void
gilk_count_rates (const double *times,
                  const double *counts,
                  gsize         count,
                  const GArray *gaps,
                  GArray      **at,
                  GArray      **rates)
{
  gboolean broken = TRUE;

  *at = g_array_new (FALSE, FALSE, sizeof (double));
  *rates = g_array_new (FALSE, FALSE, sizeof (double));
  for (gsize i = 1; i < count; i++)
    {
      double seconds = gilk_gaps_measured (gaps, times[i - 1], times[i]);
      gboolean whole = seconds >= times[i] - times[i - 1];

      if (!whole && !broken && seconds <= 0.0)
        {
          append_double (*at, times[i]);
          append_double (*rates, NAN);
        }
      broken = seconds <= 0.0;
      if (broken)
        continue;
      append_double (*at, find_last_on (gaps, times[i - 1], times[i]));
      append_double (*rates, (counts[i] - counts[i - 1]) / seconds);
    }
}

void
gilk_rate_of_counts (double       *rates,
                     const double *edges,
                     guint         n_bins,
                     const GArray *gaps)
{
  for (guint i = 0; i < n_bins; i++)
    {
      double seconds = gilk_gaps_measured (gaps, edges[i], edges[i + 1]);

      rates[i] = seconds < 0.5 * (edges[i + 1] - edges[i])
                 ? NAN : (rates[i] + gilk_gaps_lost (gaps, edges[i], edges[i + 1])) / seconds;
    }
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-span.c - how long calls took, from samples at a function's entry and exits
 *
 * Each frame is followed on its own. Nothing is guessed: an entry behind an entry
 * leaves the first one open, an exit behind an exit is stray.
 */
#include "core/analysis/gilk-span.h"

#include <stdlib.h>

static int
compare_marks (const void *a, const void *b)
{
  const GilkSpanMark *x = a, *y = b;

  if (x->frame != y->frame)
    return x->frame < y->frame ? -1 : 1;
  if (x->t_ns != y->t_ns)
    return x->t_ns < y->t_ns ? -1 : 1;

  return x->order < y->order ? -1 : x->order > y->order;
}

static int
compare_durations (const void *a, const void *b)
{
  const uint64_t *x = a, *y = b;

  return *x < *y ? -1 : *x > *y;
}

/* The value that @percent of all are not above. */
static uint64_t
percentile (const GArray *sorted, guint percent)
{
  guint rank = (guint) (((uint64_t) sorted->len * percent + 99) / 100);

  return sorted->len > 0 ? g_array_index (sorted, uint64_t, MAX (rank, 1) - 1) : 0;
}

void
gilk_spans_pair (GilkSpanMark *marks,
                 guint         n,
                 GilkSpans    *spans)
{
  const GilkSpanMark *entry = NULL;

  *spans = (GilkSpans) { .durations = g_array_new (FALSE, FALSE, sizeof (uint64_t)) };
  if (n > 0)
    qsort (marks, n, sizeof *marks, compare_marks);

  for (guint i = 0; i < n; i++)
    {
      const GilkSpanMark *mark = &marks[i];
      gboolean fits = entry != NULL && entry->frame == mark->frame;

      if (mark->is_exit && fits)
        {
          uint64_t duration = (uint64_t) (mark->t_ns - entry->t_ns);

          g_array_append_val (spans->durations, duration);
          entry = NULL;
          continue;
        }
      spans->open += entry != NULL;
      spans->stray += mark->is_exit;
      entry = mark->is_exit ? NULL : mark;
    }
  spans->open += entry != NULL;

  if (spans->durations->len > 0)
    g_array_sort (spans->durations, compare_durations);
  spans->calls = spans->durations->len;
  spans->min = percentile (spans->durations, 0);
  spans->median = percentile (spans->durations, 50);
  spans->p90 = percentile (spans->durations, 90);
  spans->p99 = percentile (spans->durations, 99);
  spans->max = percentile (spans->durations, 100);
}

void
gilk_spans_clear (GilkSpans *spans)
{
  g_clear_pointer (&spans->durations, g_array_unref);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-span.c - how long calls took, from samples at a function's entry and exits
 *
 * Each frame is followed on its own. Nothing is guessed: an entry behind an entry
 * leaves the first one open, an exit behind an exit is stray.
 */
#include "core/analysis/gilk-span.h"

#include <math.h>
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

static gboolean
is_cut (const GArray *gaps, double from_ns, double to_ns)
{
  return gilk_gaps_touch (gaps, from_ns / 1e9, to_ns / 1e9);
}

/* Both of one frame, nothing of it between them. */
static void
take_pair (const GilkSpanMark *entry, const GilkSpanMark *exit, const GArray *gaps,
           GilkSpans *spans)
{
  double cost = (entry->cost_ns + exit->cost_ns) / 2;
  double left = (double) (exit->t_ns - entry->t_ns) - cost;
  uint64_t duration = cost > 0 ? (uint64_t) rint (MAX (left, 0.0)) : (uint64_t) (exit->t_ns - entry->t_ns);

  if (is_cut (gaps, (double) entry->t_ns, (double) exit->t_ns))
    spans->cut++;
  else
    {
      g_array_append_val (spans->durations, duration);
      spans->clamped += cost > 0 && left < 0;
    }
}

void
gilk_spans_pair (GilkSpanMark *marks,
                 guint         n,
                 const GArray *gaps,
                 GilkSpans    *spans)
{
  const GilkSpanMark *entry = NULL, *before = NULL;

  *spans = (GilkSpans) { .durations = g_array_new (FALSE, FALSE, sizeof (uint64_t)) };
  if (n > 0)
    qsort (marks, n, sizeof *marks, compare_marks);

  /* One turn more, for the entry that may be left. */
  for (guint i = 0; i <= n; i++)
    {
      const GilkSpanMark *mark = i < n ? &marks[i] : NULL;
      gboolean same = before != NULL && mark != NULL && before->frame == mark->frame;

      if (entry != NULL && same && mark->is_exit)
        take_pair (entry, mark, gaps, spans);
      else
        {
          if (entry != NULL && is_cut (gaps, (double) entry->t_ns, same ? (double) mark->t_ns : INFINITY))
            spans->cut++;
          else
            spans->open += entry != NULL;
          if (mark != NULL && mark->is_exit &&
              is_cut (gaps, same ? (double) before->t_ns : -INFINITY, (double) mark->t_ns))
            spans->cut++;
          else
            spans->stray += mark != NULL && mark->is_exit;
        }
      entry = mark == NULL || mark->is_exit ? NULL : mark;
      before = mark;
    }

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

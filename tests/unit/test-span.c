/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test-span.c - tests that entries and exits are paired by frame and time alone
 */
#include <math.h>
#include <stdlib.h>

#include "core/stats/gilk-span.h"

#define ENTRY(frame, t) { frame, t, FALSE, 0 }
#define EXIT(frame, t)  { frame, t, TRUE, 0 }

/* Returns: (element-type uint64_t): durations in the order in which calls ended */
static GArray *
pair_marks (const GilkSpanMark *marks, guint n, const GArray *gaps, GilkSpanCounts *counts)
{
  g_autoptr(GilkSpans) spans = gilk_spans_new (gaps);
  GArray *durations = g_array_new (FALSE, FALSE, sizeof (uint64_t));

  for (guint i = 0; i < n; i++)
    {
      uint64_t ns;

      if (gilk_spans_add (spans, &marks[i], &ns))
        g_array_append_val (durations, ns);
    }
  *counts = gilk_spans_end (spans);
  g_assert_cmpuint (counts->calls, ==, durations->len);

  return durations;
}

static void
test_nested (void)
{
  /* Two threads, each with a nested call inside a call. */
  const GilkSpanMark marks[] = {
    ENTRY (0x1000, 10), ENTRY (0x2000, 15), ENTRY (0x0fc0, 20), ENTRY (0x1fc0, 22), EXIT (0x0fc0, 25),
    ENTRY (0x0fc0, 30), EXIT (0x0fc0, 37), EXIT (0x1fc0, 82), EXIT (0x1000, 90), EXIT (0x2000, 115),
  };
  const uint64_t expected[] = { 5, 7, 60, 80, 100 };
  GilkSpanCounts counts;
  g_autoptr(GArray) durations = pair_marks (marks, G_N_ELEMENTS (marks), NULL, &counts);

  g_assert_cmpmem (durations->data, durations->len * 8, expected, sizeof expected);
  g_assert_cmpuint (counts.open + counts.stray + counts.cut, ==, 0);
}

static void
test_unmatched (void)
{
  const GilkSpanMark marks[] = {
    EXIT (0x1000, 5),                                              /* stray */
    ENTRY (0x1000, 10), ENTRY (0x1000, 20), EXIT (0x1000, 21),     /* the first entry stays open */
    EXIT (0x1000, 22),                                             /* stray */
    ENTRY (0x2000, 30),                                            /* open */
  };
  GilkSpanCounts counts;
  g_autoptr(GArray) durations = pair_marks (marks, G_N_ELEMENTS (marks), NULL, &counts);

  g_assert_cmpuint (counts.calls, ==, 1);
  g_assert_cmpuint (counts.open, ==, 2);
  g_assert_cmpuint (counts.stray, ==, 2);
  g_assert_cmpuint (g_array_index (durations, uint64_t, 0), ==, 1);
}

/* Tests that samples with the same time are processed in order of arrival. */
static void
test_ties (void)
{
  const GilkSpanMark marks[] = { ENTRY (0x1000, 7), EXIT (0x1000, 7), ENTRY (0x1000, 7), EXIT (0x1000, 7) };
  GilkSpanCounts counts;
  g_autoptr(GArray) durations = pair_marks (marks, G_N_ELEMENTS (marks), NULL, &counts);

  g_assert_cmpuint (counts.calls, ==, 2);
  g_assert_cmpuint (counts.open + counts.stray, ==, 0);
  g_assert_cmpuint (g_array_index (durations, uint64_t, 1), ==, 0);
}

static void
test_cost (void)
{
  const GilkSpanMark marks[] = { { 1, 1000, FALSE, 20 }, { 1, 1100, TRUE, 40 }, { 2, 1200, FALSE, 20 }, { 2, 1225, TRUE, 40 } };
  GilkSpanCounts counts;
  g_autoptr(GArray) durations = pair_marks (marks, G_N_ELEMENTS (marks), NULL, &counts);

  g_assert_cmpuint (counts.calls, ==, 2);
  g_assert_cmpuint (counts.clamped, ==, 1);
  g_assert_cmpuint (g_array_index (durations, uint64_t, 0), ==, 70);
  g_assert_cmpuint (g_array_index (durations, uint64_t, 1), ==, 0);
}

/* Tests calls that take 1 ms, start every 10 ms and use one frame; some marks are lost. */
static void
test_gaps (void)
{
  g_autoptr(GArray) marks = g_array_new (FALSE, FALSE, sizeof (GilkSpanMark));
  g_autoptr(GArray) gaps = g_array_new (FALSE, FALSE, sizeof (GilkGap)), durations = NULL;
  const GilkGap gap = { 0.305, 0.358, GILK_GAP_LOST, 11 };
  GilkSpanCounts counts;

  g_array_append_val (gaps, gap);
  for (gint64 i = 0; i < 100; i++)
    {
      const GilkSpanMark entry = ENTRY (0x1000, i * 10000000 + 1), exit = EXIT (0x1000, i * 10000000 + 1000001);

      /* Call 30 lacks its exit, calls 31 to 34 lack both, and call 35 lacks its entry. */
      if (i < 31 || i > 35)
        g_array_append_val (marks, entry);
      if (i < 30 || i > 34)
        g_array_append_val (marks, exit);
    }
  durations = pair_marks ((const GilkSpanMark *) (const void *) marks->data, marks->len, gaps, &counts);
  for (guint i = 0; i < durations->len; i++)
    g_assert_cmpuint (g_array_index (durations, uint64_t, i), ==, 1000000);
  g_assert_cmpuint (counts.calls, ==, 94);
  g_assert_cmpuint (counts.open + counts.stray, ==, 0);
  g_assert_cmpuint (counts.cut, ==, 1);
}

/* ---- test that compares pairing with a full evaluation of each frame ---- */

static int
by_frame (gconstpointer a, gconstpointer b)
{
  const GilkSpanMark *x = a, *y = b;

  return x->frame != y->frame ? (x->frame < y->frame ? -1 : 1) : (x->t_ns > y->t_ns) - (x->t_ns < y->t_ns);
}

static gboolean
is_cut (const GArray *gaps, const GilkSpanMark *from, const GilkSpanMark *to)
{
  return gilk_gaps_touch (gaps, from != NULL ? (double) from->t_ns / 1e9 : -INFINITY,
                          to != NULL ? (double) to->t_ns / 1e9 : INFINITY);
}

static GilkSpanCounts
count_by_frame (const GArray *marks, const GArray *gaps, uint64_t *sum)
{
  g_autoptr(GArray) sorted = g_array_copy ((GArray *) marks);
  GilkSpanCounts counts = { 0 };

  g_array_sort (sorted, by_frame);
  *sum = 0;
  for (guint i = 0; i < sorted->len; i++)
    {
      const GilkSpanMark *mark = &g_array_index (sorted, GilkSpanMark, i);
      const GilkSpanMark *before = i > 0 && mark[-1].frame == mark->frame ? mark - 1 : NULL;
      const GilkSpanMark *after = i + 1 < sorted->len && mark[1].frame == mark->frame ? mark + 1 : NULL;

      if (mark->is_exit && before != NULL && !before->is_exit)
        {
          counts.calls += !is_cut (gaps, before, mark);
          *sum += is_cut (gaps, before, mark) ? 0 : (uint64_t) (mark->t_ns - before->t_ns);
          counts.cut += is_cut (gaps, before, mark);
        }
      else if (mark->is_exit)
        {
          counts.stray += !is_cut (gaps, before, mark);
          counts.cut += is_cut (gaps, before, mark);
        }
      else if (after == NULL || !after->is_exit)
        {
          counts.open += !is_cut (gaps, mark, after);
          counts.cut += is_cut (gaps, mark, after);
        }
    }

  return counts;
}

/* Draws random events of more frames than the pairing can store; most frames become inactive, some
 * of them inside a call. */
static GArray *
draw_marks (GRand *rand, guint n)
{
  GArray *marks = g_array_new (FALSE, FALSE, sizeof (GilkSpanMark));
  g_autofree gboolean *inside = g_new0 (gboolean, n);

  for (guint i = 0; i < n; i++)
    {
      guint first = i / 20, frame = first + (guint) g_rand_int_range (rand, 0, g_rand_int_range (rand, 0, 50) == 0 ? 2000 : 40);
      GilkSpanMark mark = { 0x1000 + 64 * (uint64_t) frame, 10 * (gint64) i, FALSE, 0 };

      mark.is_exit = inside[MIN (frame, n - 1)];
      inside[MIN (frame, n - 1)] = !mark.is_exit;
      if (g_rand_int_range (rand, 0, 10) > 0)
        g_array_append_val (marks, mark);
    }

  return marks;
}

static void
test_streams (void)
{
  g_autoptr(GRand) rand = g_rand_new_with_seed (11);

  for (guint round = 0; round < 12; round++)
    {
      g_autoptr(GArray) marks = draw_marks (rand, 60000), gaps = g_array_new (FALSE, FALSE, sizeof (GilkGap));
      g_autoptr(GArray) durations = NULL;
      GilkSpanCounts counts, expected;
      uint64_t sum, found = 0;

      for (guint i = 0; i < round * round; i++)
        {
          double from = g_rand_double_range (rand, 0.0, 600e-6);
          const GilkGap gap = { from, from + g_rand_double_range (rand, 0.0, 1e-6), GILK_GAP_LOST, 1 };

          g_array_append_val (gaps, gap);
        }
      gilk_gaps_normalise (gaps, INFINITY);
      durations = pair_marks ((const GilkSpanMark *) (const void *) marks->data, marks->len, gaps, &counts);
      for (guint i = 0; i < durations->len; i++)
        found += g_array_index (durations, uint64_t, i);
      expected = count_by_frame (marks, gaps, &sum);
      g_assert_cmpuint (counts.calls, ==, expected.calls);
      g_assert_cmpuint (counts.open, ==, expected.open);
      g_assert_cmpuint (counts.stray, ==, expected.stray);
      g_assert_cmpuint (counts.cut, ==, expected.cut);
      g_assert_cmpuint (found, ==, sum);
      g_assert_true (counts.open > 0 && counts.stray > 0 && (counts.cut > 0) == (gaps->len > 0));
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/span/nested", test_nested);
  g_test_add_func ("/span/unmatched", test_unmatched);
  g_test_add_func ("/span/ties", test_ties);
  g_test_add_func ("/span/cost", test_cost);
  g_test_add_func ("/span/gaps", test_gaps);
  g_test_add_func ("/span/streams", test_streams);

  return g_test_run ();
}

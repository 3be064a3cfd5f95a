/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test-span.c - entries and exits are paired by frame and time, and nothing else
 */
#include "core/analysis/gilk-span.h"

#define ENTRY(frame, t) { frame, t, 0, FALSE }
#define EXIT(frame, t)  { frame, t, 0, TRUE }

static void
test_nested (void)
{
  /* Two threads, each with a call in a call; given in no order. */
  GilkSpanMark marks[] = {
    EXIT (0x1000, 90), ENTRY (0x1000, 10), ENTRY (0x0fc0, 20), EXIT (0x0fc0, 25),
    ENTRY (0x2000, 15), ENTRY (0x1fc0, 22), EXIT (0x1fc0, 82), EXIT (0x2000, 115),
    ENTRY (0x0fc0, 30), EXIT (0x0fc0, 37),
  };
  g_auto(GilkSpans) spans = { 0 };

  gilk_spans_pair (marks, G_N_ELEMENTS (marks), NULL, &spans);
  g_assert_cmpuint (spans.calls, ==, 5);
  g_assert_cmpuint (spans.open + spans.stray, ==, 0);
  g_assert_cmpuint (spans.min, ==, 5);
  g_assert_cmpuint (spans.median, ==, 60);
  g_assert_cmpuint (spans.max, ==, 100);
}

static void
test_unmatched (void)
{
  GilkSpanMark marks[] = {
    EXIT (0x1000, 5),                                              /* stray */
    ENTRY (0x1000, 10), ENTRY (0x1000, 20), EXIT (0x1000, 21),     /* one open */
    EXIT (0x1000, 22),                                             /* stray */
    ENTRY (0x2000, 30),                                            /* open */
  };
  g_auto(GilkSpans) spans = { 0 };

  gilk_spans_pair (marks, G_N_ELEMENTS (marks), NULL, &spans);
  g_assert_cmpuint (spans.calls, ==, 1);
  g_assert_cmpuint (spans.open, ==, 2);
  g_assert_cmpuint (spans.stray, ==, 2);
  g_assert_cmpuint (spans.max, ==, 1);
}

/* Samples of one nanosecond keep the order they were recorded in. */
static void
test_ties (void)
{
  GilkSpanMark marks[] = {
    { 0x1000, 7, 4, TRUE }, { 0x1000, 7, 3, FALSE }, { 0x1000, 7, 2, TRUE }, { 0x1000, 7, 1, FALSE },
  };
  g_auto(GilkSpans) spans = { 0 };

  gilk_spans_pair (marks, G_N_ELEMENTS (marks), NULL, &spans);
  g_assert_cmpuint (spans.calls, ==, 2);
  g_assert_cmpuint (spans.open + spans.stray, ==, 0);
  g_assert_cmpuint (spans.max, ==, 0);
}

static void
test_percentiles (void)
{
  GilkSpanMark marks[400];
  g_auto(GilkSpans) spans = { 0 };
  g_auto(GilkSpans) none = { 0 };

  for (guint i = 0; i < 200; i++)
    {
      marks[2 * i] = (GilkSpanMark) ENTRY (0x1000, 1000 * i);
      marks[2 * i + 1] = (GilkSpanMark) EXIT (0x1000, 1000 * i + 200 - i);
    }
  gilk_spans_pair (marks, G_N_ELEMENTS (marks), NULL, &spans);
  g_assert_cmpuint (spans.min, ==, 1);
  g_assert_cmpuint (spans.median, ==, 100);
  g_assert_cmpuint (spans.p90, ==, 180);
  g_assert_cmpuint (spans.p99, ==, 198);
  g_assert_cmpuint (spans.max, ==, 200);

  gilk_spans_pair (NULL, 0, NULL, &none);
  g_assert_cmpuint (none.calls + none.max, ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/span/nested", test_nested);
  g_test_add_func ("/span/unmatched", test_unmatched);
  g_test_add_func ("/span/ties", test_ties);
  g_test_add_func ("/span/percentiles", test_percentiles);

  return g_test_run ();
}

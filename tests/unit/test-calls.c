/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test-calls.c - tests that entries and exits of calls are paired by the rules of gilk-span.h, and
 * that nested calls are reported correctly
 */
#include "core/stats/gilk-span.h"

#define BASE 0xffffc90000100000u

typedef struct {
  GArray  *durations;           /* uint64_t */
  guint    paired, cut, open, stray, begun;
  uint64_t inner_ns;
  GString *paths;               /* nesting paths of the calls whose entry and exit were paired, in
                                   the order in which the calls ended */
} Seen;

static void
on_begin (const GilkCallMark *entry, guint depth, gpointer data)
{
  ((Seen *) data)->begun++;
}

static void
on_end (const GilkCall *call, gint64 now_ns, gpointer data)
{
  Seen *seen = data;
  uint64_t duration;

  seen->cut += call->end == GILK_CALL_CUT;
  seen->open += call->end == GILK_CALL_OPEN;
  if (call->end != GILK_CALL_PAIRED)
    return;
  g_assert_true (call->has_exit && call->exit.t_ns == now_ns);
  seen->paired++;
  seen->inner_ns += call->inner_ns;
  duration = (uint64_t) (call->exit.t_ns - call->entry.t_ns);
  g_array_append_val (seen->durations, duration);
  for (guint i = 0; i <= call->depth; i++)
    g_string_append_printf (seen->paths, "%u%s", call->outer[i], i == call->depth ? " " : ";");
}

static void
on_stray (const GilkCallMark *exit, gpointer data)
{
  ((Seen *) data)->stray++;
}

static const GilkCallsHandler handler = { on_begin, on_end, on_stray };

static void
seen_init (Seen *seen)
{
  *seen = (Seen) { .durations = g_array_new (FALSE, FALSE, sizeof (uint64_t)), .paths = g_string_new (NULL) };
}

static void
seen_clear (Seen *seen)
{
  g_array_unref (seen->durations);
  g_string_free (seen->paths, TRUE);
}

static void
add_call (GilkCalls *calls, guint function, guint depth, gint64 t_ns, gboolean is_exit)
{
  const GilkCallMark mark = { .frame = BASE + 0x3000 - depth * 64, .t_ns = t_ns, .function = function,
                              .is_exit = is_exit };

  gilk_calls_add (calls, &mark);
}

static void
test_nesting (void)
{
  GilkCalls *calls;
  Seen seen;

  seen_init (&seen);
  calls = gilk_calls_new (&handler, &seen, NULL);
  add_call (calls, 0, 0, 0, FALSE);
  add_call (calls, 1, 1, 10, FALSE);
  add_call (calls, 2, 2, 20, FALSE);
  add_call (calls, 2, 2, 30, TRUE);
  add_call (calls, 1, 1, 50, TRUE);
  add_call (calls, 2, 1, 60, FALSE);
  add_call (calls, 2, 1, 65, TRUE);
  add_call (calls, 0, 0, 100, TRUE);
  gilk_calls_end (calls);
  g_assert_cmpstr (seen.paths->str, ==, "0;1;2 0;1 0;2 0 ");
  g_assert_cmpuint (seen.inner_ns, ==, 10 + 40 + 5);
  g_assert_cmpuint (seen.begun, ==, 4);
  gilk_calls_free (calls);
  seen_clear (&seen);
}

/* Tests that a call whose exit is missing ends at the next event, and that an exit without an entry
 * is counted as stray. */
static void
test_missing (void)
{
  GilkCalls *calls;
  Seen seen;

  seen_init (&seen);
  calls = gilk_calls_new (&handler, &seen, NULL);
  add_call (calls, 0, 0, 0, FALSE);
  add_call (calls, 1, 1, 10, FALSE);
  add_call (calls, 0, 0, 20, TRUE);
  add_call (calls, 1, 1, 30, TRUE);
  add_call (calls, 0, 0, 40, FALSE);
  add_call (calls, 0, 0, 50, FALSE);
  gilk_calls_end (calls);
  g_assert_cmpuint (seen.paired, ==, 1);
  g_assert_cmpuint (seen.cut, ==, 2);
  g_assert_cmpuint (seen.stray, ==, 1);
  g_assert_cmpuint (seen.open, ==, 1);
  gilk_calls_free (calls);
  seen_clear (&seen);
}

static void
test_gaps (void)
{
  const GilkGap gap = { 15e-9, 16e-9, GILK_GAP_LOST, 1 };
  g_autoptr(GArray) one = g_array_new (FALSE, FALSE, sizeof (GilkGap));
  g_autoptr(GPtrArray) gaps = g_ptr_array_new ();
  GilkCalls *calls;
  Seen seen;

  g_array_append_val (one, gap);
  g_ptr_array_add (gaps, one);
  seen_init (&seen);
  calls = gilk_calls_new (&handler, &seen, gaps);
  add_call (calls, 0, 0, 10, FALSE);
  add_call (calls, 0, 0, 20, TRUE);
  add_call (calls, 0, 0, 30, FALSE);
  add_call (calls, 0, 0, 40, TRUE);
  g_assert_cmpuint (seen.cut, ==, 1);
  g_assert_cmpuint (seen.paired, ==, 1);
  gilk_calls_free (calls);
  seen_clear (&seen);
}

/* Tests that for one function that many threads call, with random losses, the durations equal those
 * that gilk-span.h computes. */
static void
test_like_spans (void)
{
  g_autoptr(GArray) durations = g_array_new (FALSE, FALSE, sizeof (uint64_t));
  g_autoptr(GilkSpans) spans = gilk_spans_new (NULL);
  g_autoptr(GRand) dice = g_rand_new_with_seed (7);
  gboolean inside[40] = { FALSE };
  GilkSpanCounts counts;
  GilkCalls *calls;
  Seen seen;

  seen_init (&seen);
  calls = gilk_calls_new (&handler, &seen, NULL);
  for (gint64 t = 1; t < 20000; t++)
    {
      guint k = (guint) g_rand_int_range (dice, 0, G_N_ELEMENTS (inside));
      const GilkSpanMark mark = { BASE + k * GILK_CALLS_STACK_BYTES + 64, t, inside[k], 0 };
      const GilkCallMark call = { .frame = mark.frame, .t_ns = t, .is_exit = inside[k] };

      uint64_t ns;

      inside[k] = !inside[k];
      if (g_rand_int_range (dice, 0, 20) == 0)
        continue;
      if (gilk_spans_add (spans, &mark, &ns))
        g_array_append_val (durations, ns);
      gilk_calls_add (calls, &call);
    }
  gilk_calls_end (calls);
  counts = gilk_spans_end (spans);
  g_assert_cmpmem (seen.durations->data, seen.durations->len * 8, durations->data, durations->len * 8);
  g_assert_cmpuint (seen.stray, ==, counts.stray);
  g_assert_cmpuint (seen.cut + seen.open, ==, counts.open);
  gilk_calls_free (calls);
  seen_clear (&seen);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/calls/nesting", test_nesting);
  g_test_add_func ("/calls/missing", test_missing);
  g_test_add_func ("/calls/gaps", test_gaps);
  g_test_add_func ("/calls/like-spans", test_like_spans);

  return g_test_run ();
}

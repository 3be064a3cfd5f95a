/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test-clock.c - converts ticks to nanoseconds as exactly as a division, and estimates rates within
 * their errors
 */
#include "core/base/gilk-clock.h"

static void
test_exact (void)
{
  static const uint64_t rates[] = { 1, 1000, 62499999, 62500000, 62500001, 999999999, 1000000000, 2100001234,
                                    2500000000, 3333333333, 5800000000, 100000000000 };
  g_autoptr(GRand) rand = g_rand_new_with_seed (1);

  for (guint r = 0; r < G_N_ELEMENTS (rates); r++)
    for (guint i = 0; i < 200000; i++)
      {
        uint64_t zero = (uint64_t) g_rand_int (rand) << 8;
        uint64_t ticks = ((uint64_t) g_rand_int (rand) << 32 | g_rand_int (rand)) >> (i % 64);
        const GilkClock clock = gilk_clock_at (zero, rates[r]);
        unsigned __int128 ns = (unsigned __int128) ticks * 1000000000 / rates[r];

        if (ns >> 63 != 0 || zero + ticks < zero)
          continue;
        g_assert_cmpint (gilk_clock_ns (&clock, zero + ticks), ==, (gint64) ns);
        if (ticks <= zero)
          g_assert_cmpint (gilk_clock_ns (&clock, zero - ticks), ==, -(gint64) ns);
      }
}

/* Tests that if all readings are right within their errors, the estimated rate is right within its
 * own error. */
static void
test_rate (void)
{
  g_autoptr(GRand) rand = g_rand_new_with_seed (2);

  for (guint i = 0; i < 100000; i++)
    {
      uint64_t hz = (uint64_t) 1000000000 + g_rand_int (rand) % 4000000000u;
      uint64_t span_ns = (uint64_t) 100000000 + g_rand_int (rand) % 4000000000u;
      gint most = 1 + g_rand_int_range (rand, 0, 5000);
      GilkTimestampPair a = { .tsc = (uint64_t) g_rand_int (rand) << 20, .mono_ns = 77, .error = (uint64_t) most };
      GilkTimestampPair b = { .mono_ns = 77 + span_ns, .error = (uint64_t) most };
      GilkRate rate;

      b.tsc = a.tsc + (uint64_t) ((unsigned __int128) span_ns * hz / 1000000000) +
              (uint64_t) (gint64) g_rand_int_range (rand, -most, most + 1);
      a.tsc += (uint64_t) (gint64) g_rand_int_range (rand, -most, most + 1);
      g_assert_true (gilk_rate_between (&a, &b, &rate));
      g_assert_cmpfloat (ABS ((double) rate.hz - (double) hz), <=, rate.error * (double) hz + 1.0);
    }
}

static void
test_no_rate (void)
{
  const GilkTimestampPair a = { 1000, 1000, 10 }, same = { 2000, 1000, 10 }, back = { 900, 2000, 10 },
                   wide = { 2000, 2000, 600 };
  GilkRate rate = { .hz = 42 };

  g_assert_false (gilk_rate_between (&a, &same, &rate));
  g_assert_false (gilk_rate_between (&a, &back, &rate));
  g_assert_false (gilk_rate_between (&wide, &a, &rate));
  g_assert_false (gilk_rate_between (&a, &wide, &rate) && rate.error < 0.6);
  g_assert_true (gilk_rate_between (&a, &(GilkTimestampPair) { 3000, 2000, 10 }, &rate));
  g_assert_cmpuint (rate.hz, ==, 2000000000);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/clock/exact", test_exact);
  g_test_add_func ("/clock/rate", test_rate);
  g_test_add_func ("/clock/no-rate", test_no_rate);

  return g_test_run ();
}

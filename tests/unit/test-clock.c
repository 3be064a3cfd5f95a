/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test-clock.c - a reading is as many nanoseconds as a division says
 */
#include "core/base/gilk-clock.h"

static void
test_exact (void)
{
  static const uint64_t rates[] = { 1, 62499, 62500, 62501, 999999, 1000000, 2100001, 2500000, 3333333,
                                    5800000, 100000000 };
  g_autoptr(GRand) rand = g_rand_new_with_seed (1);

  for (guint r = 0; r < G_N_ELEMENTS (rates); r++)
    for (guint i = 0; i < 200000; i++)
      {
        uint64_t zero = (uint64_t) g_rand_int (rand) << 8;
        uint64_t ticks = ((uint64_t) g_rand_int (rand) << 32 | g_rand_int (rand)) >> (i % 64);
        const GilkClock clock = gilk_clock_at (zero, rates[r]);
        unsigned __int128 ns = (unsigned __int128) ticks * 1000000 / rates[r];

        if (ns >> 63 != 0 || zero + ticks < zero)
          continue;
        g_assert_cmpint (gilk_clock_ns (&clock, zero + ticks), ==, (gint64) ns);
        if (ticks <= zero)
          g_assert_cmpint (gilk_clock_ns (&clock, zero - ticks), ==, -(gint64) ns);
      }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/clock/exact", test_exact);

  return g_test_run ();
}

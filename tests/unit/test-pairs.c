/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test-pairs.c - relates the clocks of two observers, and pairs their events by the cheapest
 * alignment
 */
/* Promise: clocks of two observers are related, and their events paired at least cost */
#include "core/stats/gilk-pairs.h"

#include <gio/gio.h>
#include <math.h>
#include <stdlib.h>

#include "core/base/gilk-error.h"

#define SECOND G_GINT64_CONSTANT (1000000000)

static int
compare_times (const void *one, const void *other)
{
  gint64 x = *(const gint64 *) one, y = *(const gint64 *) other;

  return (x > y) - (x < y);
}

/* Returns the cost of the cheapest alignment, computed from the full dynamic-programming table. */
static gint64
least_cost (const gint64 *a, gsize n_a, const gint64 *b, gsize n_b, gint64 gap)
{
  gint64 cost[24][24];

  for (gsize i = 0; i <= n_a; i++)
    for (gsize j = 0; j <= n_b; j++)
      {
        cost[i][j] = (gint64) (i + j) * gap;
        if (i > 0)
          cost[i][j] = MIN (cost[i][j], cost[i - 1][j] + gap);
        if (j > 0)
          cost[i][j] = MIN (cost[i][j], cost[i][j - 1] + gap);
        if (i > 0 && j > 0)
          cost[i][j] = MIN (cost[i][j], cost[i - 1][j - 1] + ABS (a[i - 1] - b[j - 1]));
      }

  return cost[n_a][n_b];
}

static gint64
cost_of (const GilkPairs *pairs, const gint64 *a, gsize n_a, const gint64 *b, gint64 gap)
{
  gint64 cost = (gint64) (pairs->only_a + pairs->only_b) * gap;
  gsize last = 0;

  for (gsize i = 0; i < n_a; i++)
    if (pairs->of_a[i] != GILK_PAIRS_NONE)
      {
        g_assert_cmpuint (pairs->of_a[i], >=, last);
        last = pairs->of_a[i] + 1;
        cost += ABS (a[i] - b[pairs->of_a[i]]);
      }

  return cost;
}

static gsize
draw_times (GRand *random, gint64 *times, gsize most, int range)
{
  gsize n = (gsize) g_rand_int_range (random, 0, (int) most);

  for (gsize i = 0; i < n; i++)
    times[i] = g_rand_int_range (random, -range, range);
  qsort (times, n, sizeof *times, compare_times);

  return n;
}

static void
test_cheapest (void)
{
  g_autoptr(GRand) random = g_rand_new_with_seed (8);
  const GilkClockRelation same = { 0 };
  gint64 a[24], b[24];

  for (guint round = 0; round < 20000; round++)
    {
      int range = g_rand_int_range (random, 1, 200);
      gint64 gap = g_rand_int_range (random, 1, 40);
      gsize n_a = draw_times (random, a, 23, range), n_b = draw_times (random, b, 23, range);
      g_autoptr(GError) error = NULL;
      g_autoptr(GilkPairs) pairs = gilk_pairs_new (a, n_a, b, n_b, &same, gap, 0, NULL, &error);

      g_assert_no_error (error);
      g_assert_cmpint (cost_of (pairs, a, n_a, b, gap), ==, least_cost (a, n_a, b, n_b, gap));
      g_assert_cmpuint (pairs->n_pairs + pairs->only_a, ==, n_a);
      g_assert_cmpuint (pairs->n_pairs + pairs->only_b, ==, n_b);
    }
}

/* Returns the largest number of events that can have a partner less than @apart away. Searches
 * the sorted times greedily. */
static gsize
most_pairs (const gint64 *a, gsize n_a, const gint64 *b, gsize n_b, gint64 apart)
{
  gsize j = 0, n = 0;

  for (gsize i = 0; i < n_a; i++)
    {
      while (j < n_b && b[j] <= a[i] - apart)
        j++;
      if (j < n_b && b[j] < a[i] + apart)
        {
          j++;
          n++;
        }
    }

  return n;
}

static void
check_partners (const GilkPairs *pairs, const gint64 *a, gsize n_a, const gint64 *b, gsize n_b, gint64 apart)
{
  g_autofree guint8 *taken = g_new0 (guint8, n_b + 1);
  gsize n = 0;

  for (gsize i = 0; i < n_a; i++)
    if (pairs->of_a[i] != GILK_PAIRS_NONE)
      {
        g_assert_cmpuint (pairs->of_a[i], <, n_b);
        g_assert_cmpint (ABS (a[i] - b[pairs->of_a[i]]), <, apart);
        g_assert_false (taken[pairs->of_a[i]]);
        taken[pairs->of_a[i]] = 1;
        n++;
      }
  g_assert_cmpuint (pairs->n_pairs, ==, n);
  g_assert_cmpuint (pairs->only_a, ==, n_a - n);
  g_assert_cmpuint (pairs->only_b, ==, n_b - n);
}

/* Stores in @left the events of A without a partner in @pairs. */
static gsize
left_of_a (const GilkPairs *pairs, const gint64 *a, gsize n_a, gint64 *left)
{
  gsize n = 0;

  for (gsize i = 0; i < n_a; i++)
    if (pairs->of_a[i] == GILK_PAIRS_NONE)
      left[n++] = a[i];

  return n;
}

static gsize
left_of_b (const GilkPairs *pairs, gsize n_a, const gint64 *b, gsize n_b, gint64 *left)
{
  guint8 taken[60] = { 0 };
  gsize n = 0;

  for (gsize i = 0; i < n_a; i++)
    if (pairs->of_a[i] != GILK_PAIRS_NONE)
      taken[pairs->of_a[i]] = 1;
  for (gsize j = 0; j < n_b; j++)
    if (!taken[j])
      left[n++] = b[j];

  return n;
}

/* Tests that events that the first pass does not pair, because they are too far apart, are paired
 * by a second pass as late events, and that as many pairs as possible are found. */
static void
test_fewest_alone (void)
{
  g_autoptr(GRand) random = g_rand_new_with_seed (9);
  const GilkClockRelation same = { 0 };
  gint64 a[60], b[60], of_a[60], of_b[60];

  for (guint round = 0; round < 20000; round++)
    {
      int range = g_rand_int_range (random, 1, 1000);
      gint64 gap = g_rand_int_range (random, 1, 20), late = g_rand_int_range (random, 1, 60);
      gsize n_a = draw_times (random, a, 60, range), n_b = draw_times (random, b, 60, range);
      g_autoptr(GilkPairs) near = gilk_pairs_new (a, n_a, b, n_b, &same, gap, 0, NULL, NULL);
      g_autoptr(GilkPairs) pairs = gilk_pairs_new (a, n_a, b, n_b, &same, gap, late, NULL, NULL);
      gsize n_of_a = left_of_a (near, a, n_a, of_a), n_of_b = left_of_b (near, n_a, b, n_b, of_b);

      check_partners (pairs, a, n_a, b, n_b, 2 * MAX (gap, late));
      g_assert_cmpuint (pairs->n_late, ==, most_pairs (of_a, n_of_a, of_b, n_of_b, 2 * late));
      g_assert_cmpuint (pairs->n_pairs, ==, near->n_pairs + pairs->n_late);
    }
}

/* Tests events that are late in a row: each event of A is 50 after its partner in B, and very close
 * to the next event of B. Pairing it with the next event would be cheapest, but would leave the
 * first event of B and the last event of A without partners. */
static void
test_held_up_in_a_row (void)
{
  static const gint64 b[] = { 0, 45, 90, 135, 180 }, a[] = { 50, 95, 140, 185, 230 };
  const GilkClockRelation same = { 0 };
  g_autoptr(GilkPairs) pairs = gilk_pairs_new (a, G_N_ELEMENTS (a), b, G_N_ELEMENTS (b), &same, 1, 50, NULL, NULL);

  g_assert_cmpuint (pairs->n_pairs, ==, G_N_ELEMENTS (a));
  check_partners (pairs, a, G_N_ELEMENTS (a), b, G_N_ELEMENTS (b), 100);
}

/* Events of a Poisson process, as seen by two observers. The clock of observer B has an offset and
 * runs fast; B notes events slightly late, sometimes very late, and misses some. */
typedef struct {
  gint64 *a, *b;
  gsize   n_a, n_b;
  gsize   missed;
} Traffic;

static void
make_traffic (Traffic *traffic, GRand *random, gsize n, double rate_hz, gint64 offset, double ppm,
              double miss, gint64 held_up)
{
  gint64 at = 5 * SECOND;

  *traffic = (Traffic) { .a = g_new (gint64, n), .b = g_new (gint64, n), .n_a = n };
  for (gsize i = 0; i < n; i++)
    {
      at += (gint64) (-log (1.0 - g_rand_double (random)) / rate_hz * 1e9) + 1000;
      traffic->a[i] = at;
      if (g_rand_double (random) < miss)
        {
          traffic->missed++;
          continue;
        }
      traffic->b[traffic->n_b++] = at + offset + llrint (ppm * 1e-6 * (double) at) +
        g_rand_int_range (random, 0, 5000) + (i % 1000 == 500 ? held_up : 0);
    }
  qsort (traffic->b, traffic->n_b, sizeof (gint64), compare_times);
}

static void
clear_traffic (Traffic *traffic)
{
  g_free (traffic->a);
  g_free (traffic->b);
}

static void
test_clocks (void)
{
  static const double ppms[] = { 0, 17, -80, 200 };
  g_autoptr(GRand) random = g_rand_new_with_seed (1);

  for (guint i = 0; i < G_N_ELEMENTS (ppms); i++)
    {
      g_autoptr(GError) error = NULL;
      g_autoptr(GilkPairs) pairs = NULL;
      GilkClockRelation clocks;
      Traffic traffic;

      make_traffic (&traffic, random, 60000, 800, 1700000000 * SECOND + 123456789, ppms[i], 0, 15000000);
      g_assert_true (gilk_pairs_clocks (traffic.a, traffic.n_a, traffic.b, traffic.n_b,
                                        1700000003 * SECOND, &clocks, NULL, &error));
      g_assert_no_error (error);
      g_assert_cmpfloat (fabs (1e6 * clocks.rate - ppms[i]), <, 0.1);
      g_assert_cmpint (ABS (gilk_clock_relation_back (&clocks, gilk_clock_relation_forth (&clocks, SECOND)) -
                            SECOND), <=, 1);
      pairs = gilk_pairs_new (traffic.a, traffic.n_a, traffic.b, traffic.n_b, &clocks, SECOND / 1000,
                              SECOND / 10, NULL, &error);
      g_assert_no_error (error);
      g_assert_cmpuint (pairs->n_pairs, ==, traffic.n_a);
      g_assert_cmpuint (pairs->n_late, >, 0);
      clear_traffic (&traffic);
    }
}

/* Tests a second observer that started earlier and ended later: several offsets have to be
 * tried. */
static void
test_part (void)
{
  g_autoptr(GRand) random = g_rand_new_with_seed (2);
  g_autoptr(GError) error = NULL;
  GilkClockRelation clocks;
  Traffic traffic;

  make_traffic (&traffic, random, 200000, 5000, -3 * SECOND, 5, 0.02, 0);
  g_assert_true (gilk_pairs_clocks (traffic.a + 50000, 20000, traffic.b, traffic.n_b, 0, &clocks, NULL, &error));
  g_assert_cmpfloat (fabs (1e6 * clocks.rate - 5), <, 1);
  g_assert_cmpint (ABS (clocks.offset_ns + 3 * SECOND), <, 1000000);
  clear_traffic (&traffic);
}

/* Checks that the clocks of two observers can be related by common events if one observer started
 * late or ended early. */
static void
expect_overlap (const Traffic *traffic, gsize a_from, gsize a_to, gsize b_from, gsize b_to, gint64 offset)
{
  gsize from = MAX (a_from, b_from), both = MIN (a_to, b_to) - from;
  g_autoptr(GilkPairs) pairs = NULL;
  g_autoptr(GError) error = NULL;
  GilkClockRelation clocks;
  gsize right = 0;

  if (!gilk_pairs_clocks (traffic->a + a_from, a_to - a_from, traffic->b + b_from, b_to - b_from, 0, &clocks, NULL, &error))
    g_error ("not found: %zu to %zu of A, %zu to %zu of B", a_from, a_to, b_from, b_to);
  g_assert_no_error (error);
  /* The offset is accurate for the time when both observers were active. The rate is not accurate,
   * because it comes from few events. */
  if (ABS (gilk_clock_relation_forth (&clocks, traffic->a[from]) - traffic->a[from] - offset) > 1000000)
    g_error ("%zu in common from %zu: off by %ld", both, from,
             (long) (gilk_clock_relation_forth (&clocks, traffic->a[from]) - traffic->a[from] - offset));
  pairs = gilk_pairs_new (traffic->a + a_from, a_to - a_from, traffic->b + b_from, b_to - b_from, &clocks, SECOND / 1000, 0,
                          NULL, &error);
  for (gsize i = 0; i < a_to - a_from; i++)
    right += pairs->of_a[i] != GILK_PAIRS_NONE && pairs->of_a[i] + b_from == i + a_from;
  g_assert_cmpuint (right, >=, both * 9 / 10);
}

static void
test_late (void)
{
  static const gsize common[] = { 100, 150, 500, 3000, 20000 };
  const gsize n = 40000;
  g_autoptr(GRand) random = g_rand_new_with_seed (7);

  for (guint rate = 100; rate <= 10000; rate *= 10)
    {
      const gint64 offset = -77 * SECOND + 123456;
      Traffic traffic;

      make_traffic (&traffic, random, n, rate, offset, 0, 0, 0);
      g_assert_cmpuint (traffic.n_b, ==, n);
      for (guint i = 0; i < G_N_ELEMENTS (common); i++)
        {
          gsize m = common[i];

          expect_overlap (&traffic, 0, n, n - m, n, offset);                /* the capture starts late */
          expect_overlap (&traffic, 0, n, 0, m, offset);                    /* capture ends early */
          expect_overlap (&traffic, 0, n, n / 3, n / 3 + m, offset);  /* capture of the middle */
          expect_overlap (&traffic, n - m, n, 0, n, offset);                /* the hook starts late */
          expect_overlap (&traffic, n / 2, n / 2 + m, 0, n, offset);
          /* Observer A ends soon after observer B starts. */
          expect_overlap (&traffic, 0, n / 2, n / 2 - m, n, offset);
          expect_overlap (&traffic, n / 2, n, 0, n / 2 + m, offset);
        }
      clear_traffic (&traffic);
    }
}

/* Tests that no relation is found if each event was seen by only one observer. */
static void
test_apart (void)
{
  g_autoptr(GRand) random = g_rand_new_with_seed (8);
  g_autoptr(GError) error = NULL;
  GilkClockRelation clocks;
  Traffic traffic;

  make_traffic (&traffic, random, 40000, 1000, SECOND, 0, 0, 0);
  g_assert_false (gilk_pairs_clocks (traffic.a, 20000, traffic.b + 20000, 20000, 0, &clocks, NULL, &error));
  g_assert_false (gilk_pairs_clocks (traffic.a + 30000, 10000, traffic.b, 30000, 0, &clocks, NULL, &error));
  g_assert_no_error (error);
  clear_traffic (&traffic);
}

/* Tests that two periodic series are not related: they match at each offset of a period, so no
 * offset is better than the others. */
static void
test_even_pace (void)
{
  gint64 a[90], b[400];
  GilkClockRelation clocks;

  for (guint i = 0; i < G_N_ELEMENTS (b); i++)
    b[i] = (7 + i) * SECOND / 10 + i % 7 * 1000;
  for (guint i = 0; i < G_N_ELEMENTS (a); i++)
    a[i] = i * SECOND / 10 + i % 5 * 1000;
  g_assert_false (gilk_pairs_clocks (a, G_N_ELEMENTS (a), b, G_N_ELEMENTS (b), 500 * SECOND, &clocks, NULL, NULL));
  for (guint i = 0; i < G_N_ELEMENTS (b); i++)
    b[i] = (7 + i) * SECOND / 25;
  g_assert_false (gilk_pairs_clocks (a, G_N_ELEMENTS (a), b, G_N_ELEMENTS (b), 500 * SECOND, &clocks, NULL, NULL));
  for (guint i = 0; i < G_N_ELEMENTS (a); i++)
    a[i] = i / 3 * 2 * SECOND / 10 + i % 3 * SECOND / 15;
  g_assert_false (gilk_pairs_clocks (a, G_N_ELEMENTS (a), b, G_N_ELEMENTS (b), 500 * SECOND, &clocks, NULL, NULL));
}

static void
test_missed (void)
{
  g_autoptr(GRand) random = g_rand_new_with_seed (3);
  g_autoptr(GError) error = NULL;
  g_autoptr(GilkPairs) pairs = NULL;
  GilkClockRelation clocks;
  Traffic traffic;

  make_traffic (&traffic, random, 50000, 1000, SECOND, 0, 0.05, 0);
  g_assert_true (gilk_pairs_clocks (traffic.a, traffic.n_a, traffic.b, traffic.n_b, 0, &clocks, NULL, &error));
  pairs = gilk_pairs_new (traffic.a, traffic.n_a, traffic.b, traffic.n_b, &clocks, SECOND / 1000, 0, NULL,
                          &error);
  g_assert_cmpuint (pairs->only_b, ==, 0);
  g_assert_cmpuint (pairs->only_a, ==, traffic.missed);
  clear_traffic (&traffic);
}

static void
test_strangers (void)
{
  g_autoptr(GRand) random = g_rand_new_with_seed (4);
  g_autoptr(GError) error = NULL;
  GilkClockRelation clocks = { 1, 2, 3 };
  Traffic one, other;

  make_traffic (&one, random, 5000, 800, 0, 0, 0, 0);
  make_traffic (&other, random, 5000, 800, 0, 0, 0, 0);
  g_assert_false (gilk_pairs_clocks (one.a, one.n_a, other.b, other.n_b, 0, &clocks, NULL, &error));
  g_assert_no_error (error);
  g_assert_false (gilk_pairs_clocks (one.a, 3, other.b, other.n_b, 0, &clocks, NULL, &error));
  g_assert_false (gilk_pairs_clocks (one.a, 0, other.b, 0, 0, &clocks, NULL, &error));
  g_assert_cmpint (clocks.offset_ns, ==, 2);
  clear_traffic (&one);
  clear_traffic (&other);
}

/* Tests that absurd times, which files may contain, give a result or an error, but use bounded
 * memory. */
static void
test_extremes (void)
{
  const gint64 year = G_GINT64_CONSTANT (366) * 86400 * SECOND;
  GilkClockRelation clocks;
  gint64 a[40], b[40];

  for (guint i = 0; i < G_N_ELEMENTS (a); i++)
    {
      a[i] = i == 0 ? -100 * year : i < 30 ? (gint64) i : (i - 30) * 10 * year;
      b[i] = i < 20 ? 0 : i * 3 * year;
    }
  gilk_pairs_clocks (a, 40, b, 40, 0, &clocks, NULL, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (a); i++)
    a[i] = b[i] = 7;
  gilk_pairs_clocks (a, 40, b, 40, 0, &clocks, NULL, NULL);
}

/* Tests that even if all events are so close that each could be paired with many others, the size
 * of the dynamic-programming table is bounded. */
static void
test_dense (void)
{
  const GilkClockRelation same = { 0 };
  g_autoptr(GError) error = NULL;
  g_autoptr(GilkPairs) pairs = NULL;
  g_autofree gint64 *times = g_new (gint64, 40000);

  for (guint i = 0; i < 40000; i++)
    times[i] = i * 20;
  pairs = gilk_pairs_new (times, 40000, times, 40000, &same, SECOND / 1000, 0, NULL, &error);
  g_assert_cmpuint (pairs->n_pairs, ==, 40000);
  gilk_pairs_free (g_steal_pointer (&pairs));
  /* A third of the events do not find a partner at first, and are processed a second time. */
  pairs = gilk_pairs_new (times, 40000, times + 13000, 27000, &same, SECOND / 1000, SECOND / 10, NULL, &error);
  g_assert_cmpuint (pairs->only_a, ==, 13000);
  g_assert_cmpuint (pairs->only_b, ==, 0);
}

static void
test_cancelled (void)
{
  const GilkClockRelation same = { 0 };
  g_autoptr(GCancellable) cancellable = g_cancellable_new ();
  g_autoptr(GError) error = NULL;
  const gint64 times[] = { 1, 2, 3 };

  g_cancellable_cancel (cancellable);
  g_assert_null (gilk_pairs_new (times, 3, times, 3, &same, 1, 0, cancellable, &error));
  g_assert_error (error, GILK_ERROR, GILK_ERROR_CANCELLED);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/pairs/cheapest", test_cheapest);
  g_test_add_func ("/pairs/fewest-alone", test_fewest_alone);
  g_test_add_func ("/pairs/held-up-in-a-row", test_held_up_in_a_row);
  g_test_add_func ("/pairs/clocks", test_clocks);
  g_test_add_func ("/pairs/part", test_part);
  g_test_add_func ("/pairs/late", test_late);
  g_test_add_func ("/pairs/apart", test_apart);
  g_test_add_func ("/pairs/even-pace", test_even_pace);
  g_test_add_func ("/pairs/missed", test_missed);
  g_test_add_func ("/pairs/strangers", test_strangers);
  g_test_add_func ("/pairs/extremes", test_extremes);
  g_test_add_func ("/pairs/dense", test_dense);
  g_test_add_func ("/pairs/cancelled", test_cancelled);
  return g_test_run ();
}

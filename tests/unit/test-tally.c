/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test-tally.c - tests that quantiles and bins found in several passes equal the results from
 * sorting all numbers
 */
#include "core/stats/gilk-tally.h"
#include "tests/unit/number-shapes.h"

#define FORKS 3
#define HINT  5000

static const double at[] = { 0.0, 0.001, 0.25, 0.5, 0.9, 0.99, 0.9999, 1.0 };

static double
sorted_quantile (const double *sorted, gsize n, double q)
{
  double position = q * (double) (n - 1);
  gsize i = (gsize) position;

  return i + 1 < n ? sorted[i] + (position - (double) i) * (sorted[i + 1] - sorted[i]) : sorted[i];
}

/* Copies the numbers that are not ignored and sorts them. */
static gsize
sort_counted (const double *values, gsize n, gboolean log, double *sorted)
{
  gsize left = 0;

  for (gsize i = 0; i < n; i++)
    if (isfinite (values[i]) && (!log || values[i] > 0.0))
      sorted[left++] = values[i];
  qsort (sorted, left, sizeof *sorted, compare_doubles);

  return left;
}

static void
check_bins (const GilkTallied *tallied, const double *sorted, gsize n)
{
  uint64_t sum = 0;
  gsize i = 0;

  for (guint b = 0; b < tallied->bins.n; b++)
    {
      uint64_t in = 0;

      g_assert_true (tallied->edges[b] < tallied->edges[b + 1]);
      for (; i < n && (b + 1 == tallied->bins.n || sorted[i] < tallied->edges[b + 1]); i++)
        in++;
      g_assert_cmpuint (in, ==, tallied->counts[b]);
      sum += in;
    }
  g_assert_cmpuint (sum, ==, n);
}

static guint
count_passes (GilkTally *tally, const double *values, gsize n, guint forks)
{
  guint passes = 0;

  do
    {
      GilkTally *others[FORKS] = { NULL };
      gsize share = n / (forks + 1);

      for (guint f = 0; f < forks; f++)
        {
          others[f] = gilk_tally_fork (tally);
          gilk_tally_add (others[f], values + share * f, share);
        }
      gilk_tally_add (tally, values + share * forks, n - share * forks);
      for (guint f = 0; f < forks; f++)
        gilk_tally_join (tally, others[f]);
      passes++;
    }
  while (gilk_tally_again (tally));

  return passes;
}

static void
check_tally (const double *values, gsize n, guint bins, gboolean log, guint forks)
{
  g_autofree double *sorted = g_new (double, n + 1);
  gsize count = sort_counted (values, n, log, sorted);
  g_autoptr(GilkTally) tally = gilk_tally_new (n, bins, log, at, G_N_ELEMENTS (at), values, MIN (n, HINT));
  guint passes = count_passes (tally, values, n, forks);
  const GilkTallied tallied = gilk_tally_result (tally);

  g_assert_cmpuint (passes, <=, 6);
  g_assert_cmpuint (tallied.spread.n, ==, count);
  g_assert_cmpuint (tallied.ignored, ==, n - count);
  if (count == 0)
    return;
  g_assert_true (tallied.spread.min == sorted[0] && tallied.spread.max == sorted[count - 1]);
  for (guint q = 0; q < G_N_ELEMENTS (at); q++)
    g_assert_true (tallied.quantiles[q] == sorted_quantile (sorted, count, at[q]));
  g_assert_true (tallied.spread.q25 == sorted_quantile (sorted, count, 0.25));
  g_assert_true (tallied.spread.q75 == sorted_quantile (sorted, count, 0.75));
  check_bins (&tallied, sorted, count);
}

static void
test_shapes (void)
{
  static const gsize sizes[] = { 0, 1, 2, 3, 7, 1000, 100000 };

  for (Shape shape = 0; shape < N_SHAPES; shape++)
    for (guint s = 0; s < G_N_ELEMENTS (sizes); s++)
      {
        g_autoptr(GRand) rand = g_rand_new_with_seed (shape * 100 + s);
        g_autofree double *values = g_new (double, sizes[s] + 1);

        for (gsize i = 0; i < sizes[s]; i++)
          values[i] = draw_number (rand, shape, i, HINT);
        for (guint log = 0; log < 2; log++)
          {
            check_tally (values, sizes[s], 0, log != 0, 0);
            check_tally (values, sizes[s], 0, log != 0, FORKS);
            check_tally (values, sizes[s], 17, log != 0, 1);
          }
      }
}

/* Tests a case in which one cell of a tally gets more numbers than a tally can store. */
static void
test_many (void)
{
  const gsize n = 6000000;
  g_autofree double *values = g_new (double, n);
  g_autoptr(GRand) rand = g_rand_new_with_seed (1);

  for (gsize i = 0; i < n; i++)
    values[i] = i % 4 == 0 ? 1e-300 * (double) i : 1000.0 + g_rand_double (rand) * 1e-6;
  check_tally (values, n, 0, FALSE, 1);
}

static void
test_moments (void)
{
  const double values[] = { 1e9 + 4, 1e9 + 7, 1e9 + 13, 1e9 + 16 };
  g_autoptr(GilkTally) tally = gilk_tally_new (4, 0, FALSE, NULL, 0, NULL, 0);
  GilkTallied tallied;

  count_passes (tally, values, G_N_ELEMENTS (values), 1);
  tallied = gilk_tally_result (tally);
  g_assert_true (tallied.mean == 1e9 + 10);
  g_assert_cmpfloat_with_epsilon (tallied.spread.stddev, sqrt (30.0), 1e-12);
  g_assert_true (tallied.spread.whole);
}

/* Tests that means of numbers near +-2^63 are exact to a double's precision there, in any order and
 * for any parts. */
static void
test_far_means (void)
{
  const gsize n = 60000;
  g_autofree double *values = g_new (double, n);
  g_autoptr(GRand) rand = g_rand_new_with_seed (63);

  for (guint mixed = 0; mixed < 3; mixed++)
    for (guint forks = 0; forks < 2; forks++)
      {
        g_autoptr(GilkTally) tally = gilk_tally_new (n, 0, FALSE, NULL, 0, NULL, 0);
        __int128 sum = 0;
        GilkTallied tallied;

        for (gsize i = 0; i < n; i++)
          {
            const double size = 0x1p63 - 1024.0 * g_rand_int_range (rand, 1, 1 << 20);

            values[i] = mixed == 0 ? -size : (mixed == 1 ? i % 2 : i / (n / 2)) != 0 ? size : -size;
            sum += (__int128) values[i];
          }
        count_passes (tally, values, n, forks != 0 ? FORKS : 1);
        tallied = gilk_tally_result (tally);
        g_assert_cmpfloat (fabs (tallied.mean - (double) ((long double) sum / n)), <=, 1024.0);
      }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/tally/shapes", test_shapes);
  g_test_add_func ("/tally/many", test_many);
  g_test_add_func ("/tally/moments", test_moments);
  g_test_add_func ("/tally/far-means", test_far_means);

  return g_test_run ();
}

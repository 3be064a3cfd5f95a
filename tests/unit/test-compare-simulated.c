/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test-compare-simulated.c - tests that the confidence intervals of a comparison have their stated
 * coverage for autocorrelated series, drifting runs and heavy tails, and that equal runs are not
 * reported as different
 *
 * GILK_TRIALS=5000 makes the test longer (tests/soak/run compare).
 */
#include <math.h>
#include <stdlib.h>

#include "core/stats/gilk-bootstrap.h"
#include "core/stats/gilk-compare.h"
#include "tests/unit/number-shapes.h"

#define TRIALS     200
#define REPLICATES 300
#define N_AT       3

static const double at[N_AT] = { 0.25, 0.5, 0.9 };

static guint
count_trials (void)
{
  const char *text = g_getenv ("GILK_TRIALS");

  return text != NULL ? (guint) g_ascii_strtoull (text, NULL, 10) : TRIALS;
}

/* Checks that the coverage is 93 to 97 %. Unless GILK_TRIALS is set, three standard deviations of
 * the coverage are tolerated in addition. */
static void
expect_held (const char *what, guint held, guint shown)
{
  double share = (double) held / shown, off = g_getenv ("GILK_TRIALS") != NULL ? 0.0 : 3.0 * sqrt (0.05 * 0.95 / shown) - 0.01;

  g_test_message ("%s: %.4f of %u", what, share, shown);
  g_assert_cmpfloat (share, >=, 0.93 - MAX (off, 0.0));
  g_assert_cmpfloat (share, <=, 0.97 + MAX (off, 0.0));
}

static double
draw_normal (GRand *rand)
{
  return sqrt (-2 * log (1 - g_rand_double (rand))) * cos (2 * G_PI * g_rand_double (rand));
}

typedef struct {
  const char *name;
  double      phi;            /* autoregressive coefficient */
  guint       n;
  gboolean    heavy;          /* TRUE: values are exp (3 x), with practically infinite variance */
  gboolean    whole;          /* TRUE: values are rounded to few numbers, like sizes */
} Series;

static double *
sorted_copy (const double *values, guint n)
{
  double *copy = g_memdup2 (values, n * sizeof *values);

  qsort (copy, n, sizeof *copy, compare_doubles);

  return copy;
}

static double *
draw_series (const Series *of, double level, double slope, GRand *rand)
{
  double *values = g_new (double, of->n), x = draw_normal (rand), fresh = sqrt (1 - of->phi * of->phi);

  for (guint i = 0; i < of->n; i++)
    {
      values[i] = level + slope * ((double) i / of->n - 0.5) + x;
      if (of->heavy)
        values[i] = exp (3 * values[i]);
      if (of->whole)
        values[i] = rint (2 * values[i]);
      x = of->phi * x + fresh * draw_normal (rand);
    }

  return values;
}

/* ---- simulations with one run per side ---- */

static double **
draw_shares (const double *values, const double *sorted, guint n, GRand *rand)
{
  g_autoptr(GilkBootstrap) bootstrap = gilk_bootstrap_new (N_AT);
  double **shares = g_new0 (double *, N_AT + 1), quantiles[N_AT], tracks[N_AT];

  for (guint k = 0; k < N_AT; k++)
    quantiles[k] = gilk_quantile (sorted, n, at[k]);
  for (guint i = 0; i < n; i++)
    {
      for (guint k = 0; k < N_AT; k++)
        tracks[k] = values[i] <= quantiles[k];
      gilk_bootstrap_add (bootstrap, tracks);
    }
  for (guint k = 0; k < N_AT; k++)
    {
      shares[k] = g_new (double, REPLICATES);
      if (!gilk_bootstrap_shares (bootstrap, k, at[k], rand, shares[k], REPLICATES))
        g_clear_pointer (&shares[k], g_free);
    }

  return shares;
}

static void
free_shares (double **shares)
{
  for (guint k = 0; k < N_AT; k++)
    g_free (shares[k]);
  g_free (shares);
}

/* Passes the sorted values of both sides to @comparison, each distinct value once. */
static void
compare_sorted (GilkComparison *comparison, const double *x, const double *y, guint n)
{
  for (guint i = 0, j = 0; i < n || j < n;)
    {
      double value = i < n && (j == n || x[i] <= y[j]) ? x[i] : y[j];
      uint64_t counts[2] = { 0, 0 };

      for (; i < n && x[i] == value; i++)
        counts[0]++;
      for (; j < n && y[j] == value; j++)
        counts[1]++;
      gilk_comparison_step (comparison, value, counts);
    }
}

/* Compares two series of the same kind. Adds the number of reported intervals to
 * @shown, and the number of reported intervals that contain 0 to @held. */
static void
try_null (const Series *of, GRand *rand, guint *held, guint *shown)
{
  g_autofree double *x = draw_series (of, 0, 0, rand), *y = draw_series (of, 0, 0, rand);
  g_autofree double *sorted_x = sorted_copy (x, of->n), *sorted_y = sorted_copy (y, of->n);
  double **shares[2] = { draw_shares (x, sorted_x, of->n, rand), draw_shares (y, sorted_y, of->n, rand) };
  g_autoptr(GilkComparison) comparison = gilk_comparison_new ((const uint64_t[]) { of->n, of->n }, at, N_AT, 0.95, REPLICATES,
                                                              (double *const *[]) { shares[0], shares[1] });
  GilkCompared found;

  compare_sorted (comparison, sorted_x, sorted_y, of->n);
  found = gilk_comparison_end (comparison);
  for (guint k = 0; k < N_AT; k++)
    {
      if (isnan (found.differences[k].low))
        continue;
      shown[k]++;
      held[k] += found.differences[k].low <= 0 && found.differences[k].high >= 0;
    }
  free_shares (shares[0]);
  free_shares (shares[1]);
}

static void
test_within (gconstpointer data)
{
  const Series *of = data;
  g_autoptr(GRand) rand = g_rand_new_with_seed (33);
  guint held[N_AT] = { 0 }, shown[N_AT] = { 0 };

  for (guint i = 0; i < count_trials (); i++)
    try_null (of, rand, held, shown);
  for (guint k = 0; k < N_AT; k++)
    {
      g_autofree char *what = g_strdup_printf ("%s, quantile %g", of->name, at[k]);

      if (shown[k] > count_trials () / 2)
        expect_held (what, held[k], shown[k]);
    }
  g_assert_cmpuint (shown[1], >, count_trials () / 2);
}

/* Tests that a series that is equivalent to only a handful of independent values gets no interval
 * rather than a wrong one. */
static void
test_too_few (void)
{
  const Series slow = { "slow", 0.999, 2000, FALSE, FALSE }, few = { "few", 0, 9, FALSE, FALSE };
  g_autoptr(GRand) rand = g_rand_new_with_seed (34);
  guint held[N_AT] = { 0 }, shown[N_AT] = { 0 };

  for (guint i = 0; i < 50; i++)
    try_null (&slow, rand, held, shown);
  g_assert_cmpuint (shown[1], <=, 5);
  shown[1] = 0;
  try_null (&few, rand, held, shown);
  g_assert_cmpuint (shown[1], ==, 0);
}

/* Tests that the effective sample size of a long autocorrelated series is n / 9, as in theory. */
static void
test_spread (void)
{
  const Series of = { "long", 0.8, 200000, FALSE, FALSE };
  g_autoptr(GRand) rand = g_rand_new_with_seed (35);
  g_autofree double *values = draw_series (&of, 0, 0, rand);
  g_autoptr(GilkBootstrap) bootstrap = gilk_bootstrap_new (1);
  GilkMeanSpread spread;

  for (guint i = 0; i < of.n; i++)
    gilk_bootstrap_add (bootstrap, &values[i]);
  spread = gilk_bootstrap_spread (bootstrap, 0);
  g_assert_cmpuint (spread.n, ==, of.n);
  g_assert_cmpfloat_with_epsilon (spread.mean, 0, 4 * spread.deviation);
  g_assert_cmpfloat (spread.n_effective, >, of.n / 9.0 * 0.85);
  g_assert_cmpfloat (spread.n_effective, <, of.n / 9.0 * 1.15);
}

/* ---- simulations with several runs per side ---- */

typedef struct {
  const char *name;
  guint       n_a, n_b;
  double      between;        /* standard deviation of the runs' levels */
  gboolean    heavy;          /* TRUE: levels have Student's t distribution, 3 degrees of freedom */
  double      drift;          /* change of the level per run; runs of A and B alternate */
} Runs;

static GilkRunDigest
digest_of (const double *sorted, guint n)
{
  GilkRunDigest digest = { 0, g_new (double, N_AT), g_new (double, GILK_RUN_GRID) };

  for (guint k = 0; k < N_AT; k++)
    digest.quantiles[k] = gilk_quantile (sorted, n, at[k]);
  for (guint i = 0; i < GILK_RUN_GRID; i++)
    digest.grid[i] = gilk_quantile (sorted, n, (i + 0.5) / GILK_RUN_GRID);

  return digest;
}

static double
draw_level (const Runs *of, guint when, GRand *rand)
{
  double level = draw_normal (rand), squares = 0;

  for (guint i = 0; of->heavy && i < 3; i++)
    squares += pow (draw_normal (rand), 2) / 3;

  return of->between * (of->heavy ? level / sqrt (squares) : level) + of->drift * when;
}

static void
try_runs (const Runs *of, GRand *rand, guint *held, guint *alarms)
{
  const Series series = { "run", 0.7, 300, FALSE, FALSE };
  guint n = of->n_a + of->n_b;
  g_autofree GilkRunDigest *digests = g_new (GilkRunDigest, n);
  g_autofree double *medians = g_new (double, n);
  GilkInterval interval;

  for (guint i = 0; i < n; i++)
    {
      guint when = i < of->n_a ? 2 * i : 2 * (i - of->n_a) + 1;
      g_autofree double *values = draw_series (&series, draw_level (of, when, rand), draw_normal (rand), rand);
      g_autofree double *sorted = sorted_copy (values, series.n);

      digests[i] = digest_of (sorted, series.n);
      medians[i] = digests[i].quantiles[1];
    }
  interval = gilk_runs_interval (medians, of->n_a, medians + of->n_a, of->n_b, 0.95);
  *held += interval.low <= of->drift && interval.high >= of->drift;
  *alarms += gilk_runs_delta (digests, of->n_a, of->n_b).p <= 0.05;
  for (guint i = 0; i < n; i++)
    {
      g_free (digests[i].quantiles);
      g_free (digests[i].grid);
    }
}

static void
test_runs (gconstpointer data)
{
  const Runs *of = data;
  g_autoptr(GRand) rand = g_rand_new_with_seed (36);
  guint held = 0, alarms = 0;

  for (guint i = 0; i < count_trials (); i++)
    try_runs (of, rand, &held, &alarms);
  g_test_message ("%s: alarms %.4f", of->name, (double) alarms / count_trials ());
  g_assert_cmpfloat ((double) alarms / count_trials (), <=, 0.05 + (g_getenv ("GILK_TRIALS") != NULL ? 0.005 : 0.02));
  /* Intervals are too wide, never too narrow, if levels are heavy-tailed or drift. */
  if (of->heavy || of->drift != 0)
    g_assert_cmpfloat ((double) held / count_trials (), >=, 0.93);
  else
    expect_held (of->name, held, count_trials ());
}

static void
test_deal (void)
{
  double grid[8][GILK_RUN_GRID], quantile = 0;
  GilkRunDigest runs[8];
  GilkRunsDelta found;

  for (guint r = 0; r < 8; r++)
    {
      for (guint i = 0; i < GILK_RUN_GRID; i++)
        grid[r][i] = 10 * r + (double) i / GILK_RUN_GRID;
      runs[r] = (GilkRunDigest) { 0, &quantile, grid[r] };
    }
  found = gilk_runs_delta (runs, 4, 4);                     /* each value of A < each value of B */
  g_assert_true (found.exact && found.delta == 1.0);
  g_assert_cmpfloat_with_epsilon (found.p, 2.0 / 70, 1e-12);
  g_assert_cmpfloat (found.p, ==, found.p_min);
  found = gilk_runs_delta (runs, 3, 3);
  g_assert_cmpfloat_with_epsilon (found.p, 0.1, 1e-12);
  found = gilk_runs_delta (runs, 1, 3);
  /* One run on one side and three on the other: the lowest rank is as extreme as the highest, so
   * p is 2/4. */
  g_assert_cmpfloat_with_epsilon (found.p, 0.5, 1e-12);
  for (guint i = 0; i < GILK_RUN_GRID; i++)
    for (guint r = 0; r < 8; r++)
      grid[r][i] = 7;
  found = gilk_runs_delta (runs, 4, 4);
  g_assert_true (found.delta == 0.0 && found.p == 1.0);
}

static void
test_interval (void)
{
  const double a[] = { 1, 2, 3, 4 }, b[] = { 3, 5, 7, 9 };
  GilkInterval interval = gilk_runs_interval (a, 4, b, 4, 0.95);

  /* Welch's interval, with 4.41 degrees of freedom */
  g_assert_cmpfloat_with_epsilon (interval.value, 3.5, 1e-12);
  g_assert_cmpfloat_with_epsilon (interval.low, -0.36417, 1e-4);
  g_assert_cmpfloat_with_epsilon (interval.low + interval.high, 7.0, 1e-9);
  interval = gilk_runs_interval (a, 1, b, 1, 0.95);
  g_assert_true (isnan (interval.low) && interval.value == 2);
  interval = gilk_runs_interval (a, 1, b, 4, 0.95);
  /* One side has a single run: Student's t with the spread of the other side's runs. */
  g_assert_cmpfloat (interval.low, <, -4.0);
  g_assert_cmpfloat (interval.high, >, 14.0);
}

int
main (int argc, char **argv)
{
  static const Series series[] = {
    { "independent", 0, 1000, FALSE, FALSE }, { "phi 0.5", 0.5, 1500, FALSE, FALSE }, { "phi 0.9", 0.9, 2000, FALSE, FALSE },
    { "phi 0.97", 0.97, 5000, FALSE, FALSE }, { "heavy, phi 0.9", 0.9, 2000, TRUE, FALSE },
    { "negative", -0.4, 1500, FALSE, FALSE },
  };
  static const Runs runs[] = {
    { "3 and 3", 3, 3, 0.5, FALSE, 0 }, { "4 and 4", 4, 4, 0.5, FALSE, 0 }, { "5 and 5, alike", 5, 5, 0, FALSE, 0 },
    { "3 and 6", 3, 6, 0.5, FALSE, 0 }, { "4 and 4, heavy", 4, 4, 0.5, TRUE, 0 }, { "4 and 4, drift", 4, 4, 0.3, FALSE, 0.4 },
  };

  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (series); i++)
    {
      g_autofree char *path = g_strdup_printf ("/compare/within/%s", series[i].name);

      g_test_add_data_func (path, &series[i], test_within);
    }
  for (guint i = 0; i < G_N_ELEMENTS (runs); i++)
    {
      g_autofree char *path = g_strdup_printf ("/compare/runs/%s", runs[i].name);

      g_test_add_data_func (path, &runs[i], test_runs);
    }
  g_test_add_func ("/compare/too-few", test_too_few);
  g_test_add_func ("/compare/spread", test_spread);
  g_test_add_func ("/compare/deal", test_deal);
  g_test_add_func ("/compare/interval", test_interval);

  return g_test_run ();
}

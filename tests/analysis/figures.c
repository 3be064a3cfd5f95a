/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * figures.c - prints the results of core/analysis for two columns of numbers, to compare them with
 * other programs
 *
 *   figures A B
 *
 * A and B are files of binary doubles. Each line of output has a name and numbers.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/stats/gilk-arrivals.h"
#include "core/stats/gilk-bootstrap.h"
#include "core/stats/gilk-compare.h"
#include "core/stats/gilk-ecdf.h"
#include "core/stats/gilk-heat.h"
#include "core/stats/gilk-histogram.h"
#include "core/stats/gilk-perturbation.h"
#include "core/stats/gilk-spectrum.h"
#include "core/stats/gilk-sweep.h"

static int
compare_doubles (const void *a, const void *b)
{
  double x = *(const double *) a, y = *(const double *) b;

  return (x > y) - (x < y);
}

static double *
copy_sorted (const double *values, gsize n)
{
  double *copy = g_memdup2 (values, n * sizeof *values);

  qsort (copy, n, sizeof *copy, compare_doubles);

  return copy;
}

static void
print_all (const char *name, const double *values, gsize n)
{
  printf ("%s", name);
  for (gsize i = 0; i < n; i++)
    printf (" %.17g", values[i]);
  printf ("\n");
}

/* Repeats the columns eight times, a thousand seconds apart. */
static void
print_long_lomb (const double *x, gsize n, const double *times)
{
  g_autofree double *long_x = g_new (double, 8 * n), *long_times = g_new (double, 8 * n);
  g_autoptr(GilkSpectrum) lomb = NULL;

  for (gsize i = 0; i < 8 * n; i++)
    {
      long_x[i] = x[i % n] + (double) (i / n);
      long_times[i] = times[i % n] + 1000.0 * (double) (i / n);
    }
  lomb = gilk_spectrum_lomb (long_times, long_x, 8 * n, 0.037, 0.011, 400, NULL);
  print_all ("lomb-long", lomb->power, lomb->n);
}

static void
print_spectra (const double *x, gsize n, const double *times)
{
  static const char *const names[] = { "welch-boxcar", "welch-hann", "welch-hamming", "welch-blackman" };
  g_autoptr(GilkSpectrum) lomb = NULL;

  for (guint window = 0; window < G_N_ELEMENTS (names); window++)
    {
      g_autoptr(GilkSpectrum) spectrum =
        gilk_spectrum_welch (x, n, 50.0, 100 + window, (GilkWindowFunction) window);

      print_all (names[window], spectrum->power, spectrum->n);
    }
  lomb = gilk_spectrum_lomb (times, x, n, 0.05, 0.05, 200, NULL);
  print_all ("lomb", lomb->power, lomb->n);
  print_long_lomb (x, n, times);
}

static void
print_one (const double *x, gsize n)
{
  static const double at[] = { 0.0, 0.01, 0.25, 0.5, 0.9, 0.99, 0.999, 1.0 };
  g_autofree double *sorted = copy_sorted (x, n), *r = gilk_autocorrelation (x, n, 50);
  g_autoptr(GilkHistogram) histogram = gilk_histogram_new (x, n, 37, FALSE);
  g_autofree double *counts = g_new (double, histogram->n_bins);
  double quantiles[G_N_ELEMENTS (at)];
  g_auto(GilkHurst) variance = { 0 }, rescaled = { 0 };

  for (guint i = 0; i < G_N_ELEMENTS (at); i++)
    quantiles[i] = gilk_quantile (sorted, n, at[i]);
  print_all ("quantiles", quantiles, G_N_ELEMENTS (at));
  print_all ("moments", (const double[]) { histogram->mean, histogram->stddev }, 2);
  for (guint i = 0; i < histogram->n_bins; i++)
    counts[i] = (double) histogram->counts[i];
  print_all ("edges", histogram->edges, histogram->n_bins + 1);
  print_all ("counts", counts, histogram->n_bins);
  print_all ("autocorrelation", r, 51);
  gilk_hurst_variance (x, n, &variance);
  gilk_hurst_rescaled (x, n, &rescaled);
  print_all ("hurst", (const double[]) { variance.h, rescaled.h }, 2);
}

/* A comparison of two columns of numbers. It is made by a sweep, which visits all values in
 * ascending order, like a comparison of two hooks. The sweep gets so little memory that it needs
 * several passes. */
typedef struct {
  GilkComparison *comparison;
  double        **shares[2];
} Two;

static const double both_at[] = { 0.5, 0.9 };

static void
start_sweep (const GilkSweepSummary *sides, gpointer data)
{
  Two *two = data;

  two->comparison = gilk_comparison_new ((const uint64_t[]) { sides[0].n, sides[1].n }, both_at, 2, 0.95, 20000,
                                         (double *const *[]) { two->shares[0], two->shares[1] });
}

static void
add_value (double value, const uint64_t *n, gpointer data)
{
  gilk_comparison_step (((Two *) data)->comparison, value, n);
}

/* Bootstraps the fraction of values at or below each quantile, as if the values were
 * independent. */
static double **
draw_shares (const double *values, gsize n, GRand *rand)
{
  g_autofree double *sorted = copy_sorted (values, n);
  double **shares = g_new0 (double *, 2);

  for (guint i = 0; i < 2; i++)
    {
      g_autoptr(GilkBootstrap) bootstrap = gilk_bootstrap_new (1);
      double quantile = gilk_quantile (sorted, n, both_at[i]);

      for (gsize k = 0; k < n; k++)
        gilk_bootstrap_add (bootstrap, &(double) { values[k] <= quantile });
      shares[i] = g_new (double, 20000);
      if (!gilk_bootstrap_shares (bootstrap, 0, both_at[i], rand, shares[i], 20000))
        g_clear_pointer (&shares[i], g_free);
    }

  return shares;
}

static void
print_two (const double *x, gsize n_x, const double *y, gsize n_y)
{
  static const GilkSweepViewer viewer = { start_sweep, NULL, add_value, NULL };
  static const char *const names[] = { "median-difference", "p90-difference" };
  g_autoptr(GRand) rand = g_rand_new_with_seed (1);
  Two two = { NULL, { draw_shares (x, n_x, rand), draw_shares (y, n_y, rand) } };
  g_autoptr(GilkSweep) sweep = gilk_sweep_new (1.0, 700, x, MIN (n_x, 100), &viewer, &two);
  GilkCompared found;

  do
    {
      gilk_sweep_add (sweep, 0, x, n_x);
      gilk_sweep_add (sweep, 1, y, n_y);
    }
  while (gilk_sweep_again (sweep));
  found = gilk_comparison_end (two.comparison);
  print_all ("ks", (const double[]) { found.ks.d, found.ks.p }, 2);
  print_all ("delta", &found.delta, 1);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    print_all (names[i], (const double[]) { found.differences[i].value, found.differences[i].low,
                                            found.differences[i].high }, 3);
  gilk_comparison_free (two.comparison);
  for (guint side = 0; side < 2; side++)
    {
      for (guint i = 0; i < 2; i++)
        g_free (two.shares[side][i]);
      g_free (two.shares[side]);
    }
}

static double *
read_file (const char *path, gsize *n)
{
  char *bytes;

  if (!g_file_get_contents (path, &bytes, n, NULL))
    {
      fprintf (stderr, "figures: %s cannot be read\n", path);
      exit (2);
    }
  *n /= sizeof (double);

  return (double *) (void *) bytes;
}

/* Prints a heat map: the boundaries of the rows, then the counts of the cells, column by column.
 * Times are from 0 to 10 s. */
static void
print_heat (const char *name, const double *x, gsize n, GilkScale scale)
{
  g_autoptr(GilkHeat) heat = gilk_heat_new (7, 40, 0.0, 10.0, scale);
  g_autofree double *times = g_new (double, n), *out = NULL;
  g_autofree char *edges = g_strconcat (name, "-edges", NULL);
  gsize k = 0;

  for (gsize i = 0; i < n; i++)
    times[i] = 10.0 * ((double) ((i * 7919) % n) + 0.5) / (double) n;
  gilk_heat_add (heat, times, x, (guint) n);
  out = g_new (double, 8 * (heat->rows + 1));
  for (guint r = 0; r <= heat->rows; r++)
    out[r] = gilk_heat_edge (heat, r);
  print_all (edges, out, heat->rows + 1);
  for (guint c = 0; c < 7; c++)
    for (guint r = 0; r < heat->rows; r++)
      out[k++] = (double) gilk_heat_at (heat, c, r);
  print_all (name, out, k);
}

static void
print_ecdf (const double *x, gsize n, GilkScale scale)
{
  g_autoptr(GilkEcdfMaker) maker = gilk_ecdf_maker_new (scale);
  g_autoptr(GilkEcdf) ecdf = NULL;

  /* Add the numbers several times: there must be too many for an ECDF that stores one step per
   * number. */
  for (guint i = 0; i < 4; i++)
    gilk_ecdf_maker_add (maker, x, (guint) n);
  ecdf = gilk_ecdf_maker_end (maker);
  print_all (ecdf->exact ? "ecdf-exact" : "ecdf-below", ecdf->x, ecdf->n);
  print_all ("ecdf-share", ecdf->share, ecdf->n);
}

/* Prints the difference between paired values, @on less @off: first of at most 12 pairs, then of
 * all pairs. */
static void
print_pairs (const double *on, const double *off, guint n)
{
  const struct { const char *name; guint n; } of[] = { { "pairs-few", MIN (n, 12) }, { "pairs", n } };

  for (guint i = 0; i < G_N_ELEMENTS (of); i++)
    {
      GilkPerturbation found;

      g_assert_true (gilk_perturbation_of (on, off, of[i].n, 0.95, &found, NULL));
      print_all (of[i].name, (const double[]) { found.difference, found.low, found.high, found.t, found.p,
                                                found.relative, found.relative_low, found.relative_high }, 8);
    }
}

int
main (int argc, char **argv)
{
  g_autofree double *x = NULL, *y = NULL;
  gsize n_x, n_y;

  if (argc != 3)
    {
      fprintf (stderr, "usage: figures A B\n");
      return 2;
    }
  x = read_file (argv[1], &n_x);
  y = read_file (argv[2], &n_y);
  print_one (x, n_x);
  print_spectra (x, MIN (n_x, n_y), y);
  print_two (x, n_x, y, n_y);
  print_heat ("heat", x, n_x, GILK_SCALE_LINEAR);
  print_heat ("heat-log", x, n_x, GILK_SCALE_LOG);
  print_ecdf (x, n_x, GILK_SCALE_LINEAR);
  print_pairs (x, y, (guint) MIN (n_x, n_y));

  return 0;
}

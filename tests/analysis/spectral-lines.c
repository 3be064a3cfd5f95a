/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * spectral-lines.c - prints spectral lines that core/analysis finds in series, to compare them
 * with other programs
 *
 *   lines RUN SEGMENT    reads doubles as series of RUN values. Computes the spectrum of each
 *                        series by Welch's method, with Hann's window and segments of SEGMENT
 *                        values. If SEGMENT is 0, computes it by Lomb's method, with uneven
 *                        times. Prints one line of text per series: the distribution of the power,
 *                        then frequency and height of each spectral line
 *   lines gamma          prints values of gamma distributions: shape, x, both tails; then shape,
 *                        probability, both quantiles
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/stats/gilk-peaks.h"

static void
print_gamma (void)
{
  static const double shapes[] = { 0.5, 1, 1.5, 2.89, 13.3, 100, 1999.5, 32768 };
  static const double at[] = { 1e-6, 0.01, 0.5, 0.9, 0.999, 1, 1.001, 1.1, 2, 5, 20 };
  static const double chances[] = { 1e-30, 1e-10, 0.01, 0.25, 0.5, 0.9, 0.999999 };

  for (guint s = 0; s < G_N_ELEMENTS (shapes); s++)
    for (guint i = 0; i < G_N_ELEMENTS (at); i++)
      printf ("tails %.17g %.17g %.17g %.17g\n", shapes[s], shapes[s] * at[i],
              gilk_gamma_below (shapes[s], shapes[s] * at[i]), gilk_gamma_above (shapes[s], shapes[s] * at[i]));
  for (guint s = 0; s < G_N_ELEMENTS (shapes); s++)
    for (guint i = 0; i < G_N_ELEMENTS (chances); i++)
      printf ("quantiles %.17g %.17g %.17g %.17g\n", shapes[s], chances[i],
              gilk_gamma_quantile (shapes[s], chances[i]), gilk_gamma_quantile_above (shapes[s], chances[i]));
}

/* Computes a spectrum with times about 1 s apart. */
static GilkSpectrum *
compute_uneven (const double *values, gsize n)
{
  g_autofree double *times = g_new (double, n);
  double step;

  for (gsize i = 0; i < n; i++)
    times[i] = (double) i + 0.45 * sin (12.9898 * (double) (i * i));
  step = 1.0 / (times[n - 1] - times[0]);

  return gilk_spectrum_lomb (times, values, n, step, step, (guint) (n / 2), NULL);
}

static void
print_lines (const double *values, gsize run, gsize segment)
{
  g_autoptr(GilkSpectrum) spectrum =
    segment == 0 ? compute_uneven (values, run) : gilk_spectrum_welch (values, run, 1.0, segment, GILK_WINDOW_FUNCTION_HANN);
  g_autoptr(GArray) peaks = gilk_spectrum_peaks (spectrum, G_MAXUINT);

  printf ("%.17g %.17g", spectrum->n_effective, spectrum->bins_per_independent);
  for (guint i = 0; i < peaks->len; i++)
    {
      const GilkPeak *peak = &g_array_index (peaks, GilkPeak, i);

      printf (" %.17g %.17g", peak->hz, peak->times);
    }
  printf ("\n");
}

int
main (int argc, char **argv)
{
  g_autofree double *values = NULL;
  gsize run, segment;

  if (argc == 2 && strcmp (argv[1], "gamma") == 0)
    {
      print_gamma ();
      return 0;
    }
  if (argc != 3)
    {
      fprintf (stderr, "usage: lines RUN SEGMENT | lines gamma\n");
      return 2;
    }
  run = strtoul (argv[1], NULL, 10);
  segment = strtoul (argv[2], NULL, 10);
  values = g_new (double, run);
  while (fread (values, sizeof *values, run, stdin) == run)
    print_lines (values, run, segment);

  return 0;
}

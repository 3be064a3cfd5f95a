/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-ecdf.c - computes the empirical distribution function of values, in a few thousand steps
 */
#include "core/stats/gilk-ecdf.h"

#include <math.h>
#include <stdlib.h>

#include "core/base/gilk-array.h"
#include "core/base/gilk-memory.h"

#define COARSE_MAX 0.005          /* maximum share of all values between two steps of an ECDF made
                                   * from a sketch */
#define ROWS 8192                 /* maximum number of rows of the grid that counts values; if more
                                   * are needed, rows are joined in pairs, so that at least half of
                                   * this number are in use */

struct _GilkEcdfMaker {
  GilkHeat *heat;
  double    first[GILK_ECDF_EXACT];   /* the first values, in order of arrival */
  guint     n_first;                  /* number of values so far; only the first GILK_ECDF_EXACT are
                                       * stored */
};

GilkEcdfMaker *
gilk_ecdf_maker_new (GilkScale scale)
{
  GilkEcdfMaker *maker = g_new0 (GilkEcdfMaker, 1);

  maker->heat = gilk_heat_new (1, ROWS, 0.0, 1.0, scale);

  return maker;
}

void
gilk_ecdf_maker_free (GilkEcdfMaker *maker)
{
  if (maker == NULL)
    return;

  gilk_heat_free (maker->heat);
  g_free (maker);
}

void
gilk_ecdf_maker_add (GilkEcdfMaker *maker,
                     const double  *values,
                     guint          n)
{
  gboolean above = maker->heat->scale == GILK_SCALE_LOG;

  for (guint i = 0; i < n && maker->n_first <= GILK_ECDF_EXACT; i++)
    {
      if (!isfinite (values[i]) || (above && !(values[i] > 0.0)))
        continue;
      if (maker->n_first < GILK_ECDF_EXACT)
        maker->first[maker->n_first] = values[i];
      maker->n_first++;
    }
  gilk_heat_add (maker->heat, NULL, values, n);
}

static void
finish_exact (GilkEcdfMaker *maker, GilkEcdf *ecdf)
{
  guint n = maker->n_first;

  qsort (maker->first, n, sizeof (double), gilk_order_double);
  for (guint i = 0; i < n; i++)
    {
      if (i + 1 < n && maker->first[i + 1] == maker->first[i])
        continue;
      ecdf->x[ecdf->n] = maker->first[i];
      ecdf->share[ecdf->n++] = (double) (i + 1) / n;
    }
}

/* Makes the steps from the rows of the grid. The first step is at the smallest value and has share
 * 0. */
static void
finish_rows (GilkEcdfMaker *maker, GilkEcdf *ecdf)
{
  const GilkHeat *heat = maker->heat;
  uint64_t below = 0;

  ecdf->x[ecdf->n++] = heat->min;
  for (guint r = 0; r < heat->rows; r++)
    {
      uint64_t here = gilk_heat_row (heat, r);

      if (here == 0)
        continue;
      below += here;
      ecdf->step = MAX (ecdf->step, (double) here / (double) heat->n);
      ecdf->x[ecdf->n] = gilk_heat_edge (heat, r + 1);
      ecdf->share[ecdf->n++] = (double) below / (double) heat->n;
    }
}

GilkEcdf *
gilk_ecdf_maker_end (GilkEcdfMaker *maker)
{
  GilkEcdf *ecdf = g_new0 (GilkEcdf, 1);

  ecdf->exact = maker->n_first <= GILK_ECDF_EXACT;
  ecdf->samples = maker->heat->n;
  ecdf->ignored = maker->heat->ignored;
  ecdf->x = g_new0 (double, MAX (ROWS, GILK_ECDF_EXACT) + 1);
  ecdf->share = g_new0 (double, MAX (ROWS, GILK_ECDF_EXACT) + 1);
  if (maker->heat->n == 0)
    return ecdf;
  if (ecdf->exact)
    finish_exact (maker, ecdf);
  else
    finish_rows (maker, ecdf);

  return ecdf;
}

/* ---- makes a distribution function from a sketch ---- */

/* Returns the number of non-empty cells of the sketch from cell @first on, and sets @numbers to the
 * sum of their counts. */
static guint
count_cells (const GilkSketch *sketch, guint first, uint64_t *numbers)
{
  guint cells = 0;

  *numbers = 0;
  for (guint i = first; i <= sketch->last && i < GILK_SKETCH_CELLS; i++)
    {
      cells += sketch->cells[i] > 0;
      *numbers += sketch->cells[i];
    }

  return cells;
}

/* Adds a step after every @apart non-empty cells of the sketch. */
static void
add_steps (GilkEcdf *ecdf, const GilkSketch *sketch, guint first, guint apart)
{
  uint64_t below = 0, here = 0;
  guint cells = 0, since = first;

  for (guint i = first; i <= sketch->last; i++)
    {
      if (sketch->cells[i] == 0)
        continue;
      since = cells++ == 0 ? i : since;
      here += sketch->cells[i];
      if (cells < apart && i < sketch->last)
        continue;
      if (gilk_sketch_low (since) < gilk_sketch_high (i))
        {
          if (ecdf->n == 0)               /* the first step, with share 0, is at the smallest
                                           * number */
            ecdf->x[ecdf->n++] = fmax (gilk_sketch_low (since), sketch->min);
          ecdf->step = fmax (ecdf->step, (double) here / (double) ecdf->samples);
        }
      below += here;
      ecdf->x[ecdf->n] = fmin (gilk_sketch_high (i), sketch->max);
      ecdf->share[ecdf->n++] = (double) below / (double) ecdf->samples;
      here = 0;
      cells = 0;
    }
}

GilkEcdf *
gilk_ecdf_of_sketch (const GilkSketch *sketch,
                     gboolean          log)
{
  g_autoptr(GilkEcdf) ecdf = g_new0 (GilkEcdf, 1);
  guint first = log ? MAX (sketch->first, GILK_SKETCH_SIDE + 1) : sketch->first;
  guint cells = count_cells (sketch, first, &ecdf->samples);

  ecdf->ignored = sketch->ignored + sketch->n - ecdf->samples;
  ecdf->x = g_new0 (double, ROWS + 2);
  ecdf->share = g_new0 (double, ROWS + 2);
  if (ecdf->samples > 0)
    add_steps (ecdf, sketch, first, (cells + ROWS - 1) / ROWS);
  ecdf->exact = ecdf->step == 0.0;

  return ecdf->step <= COARSE_MAX ? g_steal_pointer (&ecdf) : NULL;
}

void
gilk_ecdf_free (GilkEcdf *ecdf)
{
  if (ecdf == NULL)
    return;

  gilk_free_all (ecdf->x, ecdf->share, ecdf);
}

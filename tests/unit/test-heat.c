/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test-heat.c - compares the cells and steps of a heat map, and the effect of losses, with a slow
 * but simple count
 */
/* Promise: heat maps agree with a slow recount, and show losses */
#include <math.h>
#include <stdlib.h>

#include "core/stats/gilk-ecdf.h"
#include "core/stats/gilk-heat.h"
#include "core/stats/gilk-loss-rule.h"
#include "tests/unit/number-shapes.h"

enum { N = 20000, COLUMNS = 17, ROWS = 64 };

static void
draw_picture (double *times, double *values, GilkScale scale, guint32 seed)
{
  g_autoptr(GRand) rand = g_rand_new_with_seed (seed);

  for (guint i = 0; i < N; i++)
    {
      double u = g_rand_double (rand);

      times[i] = g_rand_double_range (rand, -0.1, 10.1);
      values[i] = scale == GILK_SCALE_LOG ? pow (10.0, 20.0 * u - 9.0)
                  : scale == GILK_SCALE_WHOLE ? floor (3000.0 * u * u) - 500.0 : tan (3.0 * (u - 0.5));
    }
}

/* Checks that each cell counts all values within its edges, and no others. */
static void
assert_cells (const GilkHeat *heat, const double *times, const double *values)
{
  uint64_t all = 0;

  for (guint c = 0; c < heat->columns; c++)
    for (guint r = 0; r < heat->rows; r++)
      {
        double low = gilk_heat_edge (heat, r), high = gilk_heat_edge (heat, r + 1);
        uint64_t right = 0;

        for (guint i = 0; i < N; i++)
          {
            guint column = MIN ((guint) (times[i] / 10.0 * heat->columns), heat->columns - 1);

            right += times[i] >= 0.0 && times[i] <= 10.0 && column == c && values[i] >= low && values[i] < high;
          }
        g_assert_cmpuint (gilk_heat_at (heat, c, r), ==, right);
        all += right;
      }
  g_assert_cmpuint (heat->n, ==, all);
}

static void
test_cells (gconstpointer data)
{
  GilkScale scale = (GilkScale) GPOINTER_TO_INT (data);
  g_autofree double *times = g_new (double, N), *values = g_new (double, N);
  g_autoptr(GilkHeat) heat = gilk_heat_new (COLUMNS, ROWS, 0.0, 10.0, scale);

  draw_picture (times, values, scale, 7 + scale);
  for (guint i = 0; i < N; i += 100)
    gilk_heat_add (heat, times + i, values + i, 100);
  g_assert_cmpuint (heat->rows, <=, ROWS);
  g_assert_cmpuint (heat->rows, >=, ROWS / 2 - 1);
  assert_cells (heat, times, values);
  gilk_heat_limit (heat, 9);
  g_assert_cmpuint (heat->rows, <=, 9);
  assert_cells (heat, times, values);
}

static void
test_odd_values (void)
{
  static const double odd[] = { 0.0, -1.0, NAN, INFINITY, 1e-300, 1e300, 5e-324, 1.7e308, -1.7e308 };
  g_autoptr(GilkHeat) linear = gilk_heat_new (1, 16, 0.0, 1.0, GILK_SCALE_LINEAR);
  g_autoptr(GilkHeat) logarithmic = gilk_heat_new (1, 16, 0.0, 1.0, GILK_SCALE_LOG);
  g_autoptr(GilkHeat) whole = gilk_heat_new (1, 16, 0.0, 1.0, GILK_SCALE_WHOLE);
  uint64_t n = 0;

  gilk_heat_add (linear, NULL, odd, G_N_ELEMENTS (odd));
  gilk_heat_add (logarithmic, NULL, odd, G_N_ELEMENTS (odd));
  gilk_heat_add (whole, NULL, odd, 2);
  g_assert_cmpuint (linear->n, ==, 7);
  g_assert_cmpuint (linear->ignored, ==, 2);
  g_assert_cmpuint (logarithmic->n, ==, 4);
  g_assert_cmpuint (logarithmic->ignored, ==, 5);
  for (guint r = 0; r < linear->rows; r++)
    n += gilk_heat_row (linear, r);
  g_assert_cmpuint (n, ==, 7);
  g_assert_cmpfloat (gilk_heat_edge (whole, 0), ==, -1.5);
  g_assert_cmpuint (gilk_heat_row (whole, 0), ==, 1);
  g_assert_cmpuint (gilk_heat_row (whole, 1), ==, 1);
}

/* Tests that a heat map of a single value has a visible row, too. */
static void
test_one_value (void)
{
  static const double values[] = { 4200.0, 0.0, -3e-9 };

  for (guint i = 0; i < G_N_ELEMENTS (values); i++)
    {
      g_autoptr(GilkHeat) heat = gilk_heat_new (1, 64, 0.0, 1.0, GILK_SCALE_LINEAR);
      double low, high;

      gilk_heat_add (heat, NULL, &values[i], 1);
      gilk_heat_widen_single_value (heat);
      low = gilk_heat_edge (heat, 0);
      high = gilk_heat_edge (heat, 1);
      g_assert_cmpuint (heat->rows, ==, 1);
      g_assert_true (low <= values[i] && values[i] < high);
      g_assert_cmpfloat (high - low, >=, fabs (values[i]) / 100.0);
    }
}

static void
assert_share (const double *sorted, guint n, double x, double share, gboolean at_most)
{
  guint i = 0;

  while (i < n && (at_most ? sorted[i] <= x : sorted[i] < x))
    i++;
  g_assert_cmpfloat_with_epsilon (share, (double) i / n, 1e-12);
}

static void
test_steps (void)
{
  g_autofree double *times = g_new (double, N), *values = g_new (double, N);

  for (guint pass = 0; pass < 4; pass++)
    {
      GilkScale scale = pass % 2 ? GILK_SCALE_LOG : GILK_SCALE_WHOLE;
      guint n = pass < 2 ? 1000 : N;
      g_autoptr(GilkEcdfMaker) maker = gilk_ecdf_maker_new (scale);
      g_autoptr(GilkEcdf) ecdf = NULL;

      draw_picture (times, values, scale, pass);
      gilk_ecdf_maker_add (maker, values, n / 2);
      gilk_ecdf_maker_add (maker, values + n / 2, n - n / 2);
      ecdf = gilk_ecdf_maker_end (maker);
      qsort (values, n, sizeof *values, compare_doubles);
      g_assert_cmpint (ecdf->exact, ==, pass < 2);
      g_assert_cmpuint (ecdf->samples, ==, n);
      g_assert_cmpfloat (ecdf->share[ecdf->n - 1], ==, 1.0);
      for (guint i = 0; i < ecdf->n; i += 13)
        assert_share (values, n, ecdf->x[i], ecdf->share[i], ecdf->exact);
      for (guint i = 1; i < ecdf->n; i++)
        {
          g_assert_cmpfloat (ecdf->x[i], >, ecdf->x[i - 1]);
          g_assert_cmpfloat (ecdf->share[i], >, ecdf->share[i - 1]);
          if (!ecdf->exact)
            g_assert_cmpfloat (ecdf->share[i] - ecdf->share[i - 1], <=, ecdf->step + 1e-12);
        }
    }
}

static void
test_no_steps (void)
{
  static const double none[] = { 0.0, -1.0 };
  g_autoptr(GilkEcdfMaker) maker = gilk_ecdf_maker_new (GILK_SCALE_LOG);
  g_autoptr(GilkEcdf) ecdf = NULL;

  gilk_ecdf_maker_add (maker, none, 2);
  ecdf = gilk_ecdf_maker_end (maker);
  g_assert_cmpuint (ecdf->n, ==, 0);
  g_assert_cmpuint (ecdf->ignored, ==, 2);
}

/* Tests that whatever values the lost samples had, each quantile of all samples is within the
 * bounds computed for it. */
static void
test_bounds (void)
{
  g_autoptr(GRand) rand = g_rand_new_with_seed (3);

  for (guint round = 0; round < 300; round++)
    {
      guint n = (guint) g_rand_int_range (rand, 1, 200), lost = (guint) g_rand_int_range (rand, 0, 80);
      g_autofree double *all = g_new (double, n + lost), *stored = NULL;
      double p = g_rand_double (rand), low, high, value;
      guint below = 0, up_to = 0;

      for (guint i = 0; i < n + lost; i++)
        all[i] = g_rand_double (rand) + (i >= n ? g_rand_double_range (rand, -2.0, 2.0) : 0.0);
      stored = g_memdup2 (all, n * sizeof (double));
      qsort (all, n + lost, sizeof *all, compare_doubles);
      value = all[(guint) MIN (ceil (p * (n + lost)), n + lost - 1.0)];
      for (guint i = 0; i < n; i++)
        {
          below += stored[i] < value;
          up_to += stored[i] <= value;
        }
      gilk_loss_ranks (p, n, lost, &low, &high);
      if (!isnan (low))
        g_assert_cmpfloat (up_to, >=, low * n - 1.0 - 1e-9);
      if (!isnan (high))
        g_assert_cmpfloat (below, <=, high * n + 1.0 + 1e-9);
      if (lost == 0)
        g_assert_true (fabs (low - p) < 1e-12 && fabs (high - p) < 1e-12);
    }
}

static void
test_words (void)
{
  g_autofree char *one = gilk_loss_text (GILK_LOSS_OF_SHARES, 9999, 1, 0);
  g_autofree char *both = gilk_loss_text (GILK_LOSS_OF_TIMES, 10, 1, 2);
  g_autofree char *cut = gilk_loss_text (GILK_LOSS_OF_TIMES, 10, 0, 30);

  g_assert_cmpstr (one, ==, "1 lost: shares of samples may be off by 0.01 %");
  g_assert_cmpstr (both, ==, "1 lost: times of loss are hatched; 2 times between samples skipped because of gaps");
  g_assert_cmpstr (cut, ==, "30 times between samples skipped: the hook was off or missed hits during them");
  g_assert_null (gilk_loss_text (GILK_LOSS_OF_RATES, 10, 0, 0));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/heat/linear", GINT_TO_POINTER (GILK_SCALE_LINEAR), test_cells);
  g_test_add_data_func ("/heat/whole", GINT_TO_POINTER (GILK_SCALE_WHOLE), test_cells);
  g_test_add_data_func ("/heat/log", GINT_TO_POINTER (GILK_SCALE_LOG), test_cells);
  g_test_add_func ("/heat/odd-values", test_odd_values);
  g_test_add_func ("/heat/one-value", test_one_value);
  g_test_add_func ("/ecdf/steps", test_steps);
  g_test_add_func ("/ecdf/none", test_no_steps);
  g_test_add_func ("/loss/bounds", test_bounds);
  g_test_add_func ("/loss/words", test_words);

  return g_test_run ();
}

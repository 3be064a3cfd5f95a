/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test-map-sums.c - sums maps of programs over all CPUs, merges their buckets into coarser ones,
 * and plots them
 */
#include <math.h>
#include <string.h>

#include "core/analysis/gilk-map-sums.h"
#include "core/base/gilk-error.h"
#include "core/base/gilk-format.h"
#include "core/figure/gilk-figure.h"

static GilkStoredMap
make_map (GilkMapKind kind, guint bits, const GilkStoreValue *values, guint n)
{
  GilkStoredMap kept = { .name = (char *) "thing", .kind = kind, .bits = bits,
                          .values = g_array_new (FALSE, FALSE, sizeof *values) };

  if (n > 0)
    g_array_append_vals (kept.values, values, n);

  return kept;
}

static void
test_sums (void)
{
  const GilkStoreValue values[] = { { -3, 0, 5 }, { -3, 1, -7 }, { 1, 2, 9 }, { 4, 0, 1 }, { 4, 3, 8 }, { 9, 0, -1 } };
  GilkStoredMap map = make_map (GILK_MAP_HASH, 0, values, G_N_ELEMENTS (values));
  g_autoptr(GArray) sums = gilk_map_sums (&map);
  static const GilkMapSum wanted[] = { { 1, 9, 2, 1 }, { 4, 9, 3, 2 }, { 9, -1, 5, 1 }, { -3, -2, 0, 2 } };

  gilk_map_sort_by_value (sums);
  g_assert_cmpmem (sums->data, sums->len * sizeof (GilkMapSum), wanted, sizeof wanted);
  g_array_unref (map.values);
}

/* Tests that the sum of a number over all CPUs wraps around at 64 bits, like the counter of a CPU,
 * and that a missing value counts as 0. */
static void
test_number (void)
{
  const GilkStoreValue values[] = { { 0, 0, -1 }, { 0, 1, 3 } };
  GilkStoredMap counter = make_map (GILK_MAP_COUNTER, 0, values, 2), none = make_map (GILK_MAP_COUNTER, 0, NULL, 0);

  g_assert_cmpint (gilk_map_number (&counter), ==, 2);
  g_assert_cmpint (gilk_map_number (&none), ==, 0);
  g_array_unref (counter.values);
  g_array_unref (none.values);
}

/* Tests that merging buckets puts each value into the coarser bucket that contains its original
 * bucket. */
static void
test_coarser (void)
{
  for (guint bits = 0; bits <= GILK_OPS_BUCKET_BITS; bits++)
    {
      GilkStoredMap kept = make_map (GILK_MAP_HISTOGRAM, GILK_OPS_BUCKET_BITS, NULL, 0);
      g_autoptr(GilkMapBuckets) buckets = NULL;
      guint n = gilk_ops_buckets (GILK_OPS_BUCKET_BITS);
      g_autofree char *end = NULL;

      for (guint i = 0; i < n; i++)
        {
          const GilkStoreValue value = { i, i % 3, 1 + i };

          g_array_append_val (kept.values, value);
        }
      buckets = gilk_map_buckets (&kept, bits);
      g_assert_cmpuint (buckets->n, ==, gilk_ops_buckets (bits));
      g_assert_cmpuint (buckets->total, ==, n * (n + 1) / 2);
      for (guint b = 0; b < buckets->n; b++)
        {
          uint64_t sum = 0;

          for (guint i = 0; i < n; i++)
            {
              double least = (double) gilk_ops_bucket_least (i, GILK_OPS_BUCKET_BITS);

              if (least >= gilk_map_edge (buckets, b) && least < gilk_map_edge (buckets, b + 1))
                sum += 1 + i;
            }
          g_assert_cmpuint (buckets->counts[b], ==, sum);
        }
      end = gilk_map_edge_text (buckets, buckets->n);
      g_assert_cmpstr (end, ==, "18446744073709551616");
      g_array_unref (kept.values);
    }
}

static void
test_quantile (void)
{
  const GilkStoreValue values[] = { { 2, 0, 50 }, { 5, 0, 30 }, { 5, 1, 19 }, { 9, 0, 1 } };
  GilkStoredMap kept = make_map (GILK_MAP_HISTOGRAM, 3, values, G_N_ELEMENTS (values));
  g_autoptr(GilkMapBuckets) buckets = gilk_map_buckets (&kept, 3);

  g_assert_cmpuint (buckets->first + gilk_map_quantile (buckets, 0.0), ==, 2);
  g_assert_cmpuint (buckets->first + gilk_map_quantile (buckets, 0.5), ==, 2);
  g_assert_cmpuint (buckets->first + gilk_map_quantile (buckets, 0.51), ==, 5);
  g_assert_cmpuint (buckets->first + gilk_map_quantile (buckets, 0.99), ==, 5);
  g_assert_cmpuint (buckets->first + gilk_map_quantile (buckets, 1.0), ==, 9);
  g_array_unref (kept.values);
}

/* Tests that the area under the plot is the number of values, and that a logarithmic x axis leaves
 * out zeros. */
static void
test_figure (void)
{
  const GilkStoreValue values[] = { { 0, 0, 7 }, { 1, 0, 2 }, { 9, 0, 10 }, { 9, 1, 5 }, { 40, 0, 8 } };
  GilkStoredMap kept = make_map (GILK_MAP_HISTOGRAM, 2, values, G_N_ELEMENTS (values));
  const GilkMapSource one = { "h", &kept }, two[] = { one, one };
  GilkMapSource many[GILK_FIGURE_CURVES_MAX + 1];
  g_autoptr(GError) error = NULL;

  for (guint log_x = 0; log_x <= 1; log_x++)
    for (guint n = 1; n <= 2; n++)
      {
        g_autoptr(GilkFigure) figure = gilk_map_figure (two, n, log_x, FALSE, &error);
        const GilkCurve *curve = g_ptr_array_index (figure->curves, 0);
        double area = 0.0;

        g_assert_no_error (error);
        g_assert_cmpuint (figure->curves->len, ==, n);
        for (guint i = 0; i < curve->n; i++)
          if (isfinite (curve->y[i]))
            area += curve->y[i] * (log_x ? log2 (curve->x[i + 1] / curve->x[i]) : curve->x[i + 1] - curve->x[i]);
        g_assert_cmpfloat_with_epsilon (area, (log_x ? 25.0 : 32.0) * (n == 1 ? 1.0 : 100.0 / 32.0), 1e-9);
        g_assert_cmpfloat (curve->x[curve->n], ==, (double) gilk_ops_bucket_least (41, 2) - (log_x ? 0.0 : 0.5));
        g_assert_cmpuint (curve->samples, ==, log_x ? 25 : 32);
        g_assert_true ((figure->caption != NULL && strstr (figure->caption, "0 not shown") != NULL) == log_x);
        g_assert_true ((figure->subtitle != NULL) == (n == 1));
        g_assert_null (figure->x.unit);
      }
  for (guint mixed = 0; mixed <= 1; mixed++)
    {
      GilkStoredMap times = kept;
      const GilkMapSource both[] = { { "h", &times }, mixed != 0 ? one : (GilkMapSource) { "h", &times } };
      g_autoptr(GilkFigure) figure = NULL;
      char unit[] = GILK_MEANING_NS;

      times.meaning = unit;
      figure = gilk_map_figure (both, 2, TRUE, FALSE, &error);
      g_assert_no_error (error);
      g_assert_cmpstr (figure->x.unit, ==, mixed != 0 ? NULL : "ns");
    }
  g_assert_false (gilk_map_is_small (&one, 1));
  for (guint i = 0; i < G_N_ELEMENTS (many); i++)
    many[i] = one;
  g_assert_null (gilk_map_figure (many, G_N_ELEMENTS (many), TRUE, FALSE, &error));
  g_assert_error (error, GILK_ERROR, GILK_ERROR_USAGE);
  g_array_unref (kept.values);
}

/* Tests that a message explains why nothing is drawn: no values, or only zeros on a logarithmic
 * axis. */
static void
test_nothing (void)
{
  const GilkStoreValue zero = { 0, 0, 4 };
  GilkStoredMap none = make_map (GILK_MAP_HISTOGRAM, 2, NULL, 0), zeros = make_map (GILK_MAP_HISTOGRAM, 2, &zero, 1);
  const GilkMapSource of_none = { "h", &none }, of_zeros = { "h", &zeros };
  g_autoptr(GilkFigure) empty = gilk_map_figure (&of_none, 1, FALSE, FALSE, NULL);
  g_autoptr(GilkFigure) left_out = gilk_map_figure (&of_zeros, 1, TRUE, FALSE, NULL);
  g_autoptr(GilkFigure) shown = gilk_map_figure (&of_zeros, 1, FALSE, TRUE, NULL);

  g_assert_nonnull (empty->message);
  g_assert_nonnull (left_out->message);
  g_assert_null (shown->message);
  g_assert_true (shown->x.to > shown->x.from && shown->y.to > shown->y.from && shown->y.from > 0.0);
  g_assert_true (gilk_map_is_small (&of_none, 1) && gilk_map_is_small (&of_zeros, 1));
  g_array_unref (none.values);
  g_array_unref (zeros.values);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/kept-sums/sums", test_sums);
  g_test_add_func ("/kept-sums/number", test_number);
  g_test_add_func ("/kept-sums/coarser", test_coarser);
  g_test_add_func ("/kept-sums/quantile", test_quantile);
  g_test_add_func ("/kept-sums/figure", test_figure);
  g_test_add_func ("/kept-sums/nothing", test_nothing);

  return g_test_run ();
}

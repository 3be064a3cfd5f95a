/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test-hook-columns.c - tests that columns computed from tiles, which summarise consecutive
 * samples, equal columns computed from all samples
 */
#include <math.h>
#include <string.h>

#include "core/analysis/gilk-hook-samples.h"
#include "core/samples/gilk-samples-tiles.h"
#include "tests/store-fixture.h"

enum { SAMPLES = 400000, CPUS = 2 };

/* Records samples whose values are a random walk with peaks; the second half is ten times slower,
 * and there is a long pause. @pause_each: number of samples between short pauses, or 0 for no short
 * pauses */
static void
record_session (const char *path, GArray *times, GArray *values, guint pause_each)
{
  struct ilk_instrument_desc desc = { .id = 1, .name = "walk", .sample_bytes = 8, .field_count = 1,
                                      .fields = { { "size", "B", "", ILK_FIELD_S64, 0, 8, 0 } } };
  g_autoptr(GRand) rand = g_rand_new_with_seed (11);
  g_autoptr(GError) error = NULL;
  GilkStore *store = fixture_open (path);
  gint64 run = fixture_begin (store, CPUS), t = 0, value = 0;

  g_assert_true (gilk_store_add_instrument (store, run, &desc, &error));
  fixture_add_hook (store, run, 1, "h", "walk");
  for (guint i = 0; i < SAMPLES; i++)
    {
      guint cpu = (guint) g_rand_int_range (rand, 0, CPUS);
      double seconds, number;

      t += g_rand_int_range (rand, 1, i < SAMPLES / 2 ? 2000 : 20000);
      t += i == SAMPLES / 3 ? 500000000 : 0;
      t += pause_each > 0 && i % pause_each == 1 ? 50000000 : 0;
      value += g_rand_int_range (rand, -10, 11) + (i % 70001 == 7 ? 5000 : 0);
      fixture_add_sample (store, run, cpu, 1, t, &value, 8);
      seconds = (double) t / 1e9;
      number = (double) value;
      g_array_append_val (times, seconds);
      g_array_append_val (values, number);
      if (i % 90000 == 89999)
        g_assert_true (gilk_store_flush (store, &error));
    }
  fixture_end (store, run, (uint64_t) t);
}

static double
least_around (const GilkColumn *columns, guint n, guint c)
{
  double least = INFINITY;

  for (guint i = c > 0 ? c - 1 : 0; i <= MIN (c + 1, n - 1); i++)
    if (columns[i].n > 0)
      least = MIN (least, columns[i].min);

  return least;
}

static double
greatest_around (const GilkColumn *columns, guint n, guint c)
{
  double greatest = -INFINITY;

  for (guint i = c > 0 ? c - 1 : 0; i <= MIN (c + 1, n - 1); i++)
    if (columns[i].n > 0)
      greatest = MAX (greatest, columns[i].max);

  return greatest;
}

/* Computes the columns from single samples, as the reference. Samples at the time @to belong to the
 * last column. */
static void
find_columns (const GArray *times, const GArray *values, double from, double to, GilkColumn *columns, guint n)
{
  memset (columns, 0, n * sizeof *columns);
  for (guint i = 0; i < times->len; i++)
    {
      double t = g_array_index (times, double, i), value = g_array_index (values, double, i);
      GilkColumn *column = &columns[(guint) CLAMP ((t - from) * (n / (to - from)), 0.0, n - 1.0)];

      if (t < from || t > to)
        continue;
      if (column->n++ == 0)
        column->min = column->max = value;
      column->min = MIN (column->min, value);
      column->max = MAX (column->max, value);
      column->last = value;
    }
}

static void
check_columns (GilkStore *store, const GilkStoredHook *hook, const GArray *times, const GArray *values,
               double from, double to, guint n, gboolean exact)
{
  g_autofree GilkColumn *found = g_new (GilkColumn, n), *wanted = g_new (GilkColumn, n);
  g_autoptr(GError) error = NULL;

  find_columns (times, values, from, to, wanted, n);
  g_assert_true (gilk_hook_columns (store, hook, "size", from, to, found, n, &error));
  for (guint c = 0; c < n; c++)
    {
      if (wanted[c].n > 0)
        {
          g_assert_cmpuint (found[c].n, >, 0);
          g_assert_cmpfloat (found[c].min, <=, wanted[c].min);
          g_assert_cmpfloat (found[c].max, >=, wanted[c].max);
        }
      if (found[c].n > 0)
        {
          g_assert_cmpfloat (found[c].min, >=, least_around (wanted, n, c));
          g_assert_cmpfloat (found[c].max, <=, greatest_around (wanted, n, c));
        }
      if (exact && wanted[c].n > 0)
        {
          g_assert_cmpfloat (found[c].min, ==, wanted[c].min);
          g_assert_cmpfloat (found[c].max, ==, wanted[c].max);
          g_assert_cmpfloat (found[c].last, ==, wanted[c].last);
        }
    }
}

/* Checks that a time range that is empty or reversed contains nothing. */
static void
check_nothing (GilkStore *store, const GilkStoredHook *hook)
{
  static const double ranges[][2] = { { 1.0, 1.0 }, { 0.2, 0.1 } };
  g_autoptr(GError) error = NULL;
  GilkColumn columns[3];

  for (guint i = 0; i < G_N_ELEMENTS (ranges); i++)
    {
      g_assert_true (gilk_hook_columns (store, hook, "size", ranges[i][0], ranges[i][1], columns, 3, &error));
      g_assert_cmpuint (columns[0].n + columns[1].n + columns[2].n, ==, 0);
    }
}

/* Numbers of samples that a reader gets in tiles and as single samples, if it accepts tiles
 * (summaries of consecutive samples) of up to @wide ns. */
typedef struct {
  gint64   wide;
  uint64_t in_tiles, alone;
} Afar;

static gboolean
see_tile (const GilkSampleTile *tile, gpointer data)
{
  Afar *afar = data;

  if (tile->to_ns - tile->from_ns > afar->wide)
    return FALSE;
  afar->in_tiles += tile->n;

  return TRUE;
}

static void
see_samples (const gint64 *t_ns, const double *values, guint n, gpointer data)
{
  ((Afar *) data)->alone += n;
}

static void
check_afar (GilkStore *store, const GilkStoredHook *hook)
{
  static const GilkSampleViewer viewer = { see_tile, see_samples };
  Afar afar = { .wide = 20000000 };
  g_autoptr(GError) error = NULL;

  g_assert_true (gilk_samples_view (store, hook, "size", G_MININT64, G_MAXINT64, &viewer, &afar, &error));
  g_assert_cmpuint (afar.in_tiles + afar.alone, ==, SAMPLES);
  g_assert_cmpuint (afar.alone, <, SAMPLES / 200);
}

static void
test_columns (gconstpointer data)
{
  guint pause_each = GPOINTER_TO_UINT (data);
  g_auto(StoreFixture) at = fixture_new ();
  g_autoptr(GArray) times = g_array_new (FALSE, FALSE, sizeof (double));
  g_autoptr(GArray) values = g_array_new (FALSE, FALSE, sizeof (double));
  g_autoptr(GilkStore) store = NULL;
  g_autoptr(GArray) hooks = NULL;
  const GilkStoredHook *hook;
  double end;

  record_session (at.path, times, values, pause_each);
  end = g_array_index (times, double, times->len - 1);
  store = fixture_read (at.path);
  hooks = fixture_hooks (store);
  hook = &g_array_index (hooks, GilkStoredHook, 0);
  check_columns (store, hook, times, values, 0.0, end, 10, FALSE);
  check_columns (store, hook, times, values, 0.0, end, 60, FALSE);
  check_columns (store, hook, times, values, 0.1, end / 2, 200, FALSE);
  check_columns (store, hook, times, values, 0.0, end, 1600, FALSE);
  check_columns (store, hook, times, values, 0.02, 0.03, 1600, TRUE);
  check_columns (store, hook, times, values, end * 2, end * 3, 100, TRUE);
  check_nothing (store, hook);
  check_afar (store, hook);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/hook-columns/dense", GUINT_TO_POINTER (0), test_columns);
  g_test_add_data_func ("/hook-columns/pauses", GUINT_TO_POINTER (4000), test_columns);

  return g_test_run ();
}

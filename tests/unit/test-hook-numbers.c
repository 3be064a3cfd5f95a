/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test-hook-numbers.c - tests that a hook's values, read in parts by several threads, equal those
 * in one array of all samples
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <glib/gstdio.h>

#include "core/analysis/gilk-hook-compare.h"
#include "core/analysis/gilk-hook-distribution.h"
#include "core/analysis/gilk-hook-gaps.h"
#include "core/analysis/gilk-hook-numbers.h"
#include "core/base/gilk-error.h"
#include "core/samples/gilk-samples.h"
#include "core/store/gilk-store-loss.h"
#include "tests/store-fixture.h"
#include "tests/unit/number-shapes.h"

enum { SAMPLES = 4200000, FEW = 3000, CPUS = 2, BATCH = 5000 };

/* Records batches from alternating CPUs, so that threads read parts whose ends are inside chunks of
 * samples. */
static void
record_session (const char *path, guint n)
{
  struct ilk_instrument_desc desc = { .id = 1, .name = "sizes", .sample_bytes = 8, .field_count = 2,
                                      .fields = { { "size", "B", "", ILK_FIELD_U32, 0, 4, 0 },
                                                  { "name", "", "", ILK_FIELD_TEXT, 4, 4, 0 } } };
  g_autofree struct ilk_record *batch = g_new0 (struct ilk_record, BATCH);
  g_autoptr(GRand) rand = g_rand_new_with_seed (n);
  g_autoptr(GError) error = NULL;
  GilkStore *store = fixture_open (path);
  gint64 run = fixture_begin (store, CPUS), t[CPUS] = { 0 };
  guint stored;

  g_assert_true (gilk_store_add_instrument (store, run, &desc, &error));
  fixture_add_hook (store, run, 1, "h", "sizes");
  for (guint at = 0, turn = 0; at < n; at += BATCH, turn++)
    {
      guint cpu = turn % CPUS, count = MIN (n - at, BATCH);

      for (guint i = 0; i < count; i++)
        {
          uint32_t size = (uint32_t) (1 << g_rand_int_range (rand, 0, 12)) + i % 7;

          t[cpu] += g_rand_int_range (rand, 1, 4000);
          batch[i] = (struct ilk_record) { .commit = 1, .iid = 1, .tsc = (uint64_t) t[cpu], .len = 8 };
          memcpy (batch[i].data, &size, 4);
          memcpy ((uint8_t *) batch[i].data + 4, "abc", 4);
        }
      g_assert_true (gilk_store_add_records (store, run, cpu, batch, count * sizeof *batch, &stored,
                                             &error));
      g_assert_cmpuint (stored, ==, count);
    }
  for (gint64 i = 1; i < 4; i++)
    {
      const GilkStoredLoss loss = { t[0] / 5 * i, t[0] / 5 * i + 50000, 3, 0 };

      g_assert_true (gilk_store_put_loss (store, run, 1, 0, &loss, &error));
    }
  fixture_end (store, run, (uint64_t) MAX (t[0], t[1]) + 1);
}

/* All values of a hook in order of time, read one by one; @cut: number of intervals that contain a
 * gap. */
typedef struct {
  GArray  *times, *values, *gaps;
  uint64_t cut;
} Measured;

static void
measured_clear (Measured *measured)
{
  g_array_unref (measured->times);
  g_array_unref (measured->values);
  g_array_unref (measured->gaps);
}

static gboolean
touches_gap (const GArray *gaps, double from, double to)
{
  for (guint i = 0; i < gaps->len; i++)
    if (g_array_index (gaps, GilkGap, i).from < to && g_array_index (gaps, GilkGap, i).to > from)
      return TRUE;

  return FALSE;
}

static void
measure_numbers (Measured *measured, GilkStore *store, const GilkStoredHook *hook, double duration, const char *field)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(GilkSamples) samples = gilk_samples_new (store, hook, 1, &error);
  gboolean of_field = strcmp (field, "size") == 0, begun = FALSE;
  GilkSampleBlock block;
  guint number = 0, type;
  double before = 0.0;

  *measured = (Measured) { g_array_new (FALSE, FALSE, sizeof (double)), g_array_new (FALSE, FALSE, sizeof (double)),
                           gilk_hook_gaps (store, hook, duration, &error), 0 };
  g_assert_true (!of_field || gilk_samples_add_field (samples, field, &number, &type, &error));
  gilk_samples_in_order (samples);
  while (gilk_samples_next (samples, &block, &error))
    for (guint i = 0; i < block.n; i++)
      {
        double t = (double) block.t_ns[i] / 1e9;
        double value = of_field ? (double) block.values[number][i] : strcmp (field, "time") == 0 ? t : t - before;
        gboolean interval = strcmp (field, "interval") == 0;
        gboolean cut = interval && begun && touches_gap (measured->gaps, before, t);

        measured->cut += cut;
        before = t;
        if (!cut && (begun || !interval))
          {
            g_array_append_val (measured->times, t);
            g_array_append_val (measured->values, value);
          }
        begun = TRUE;
      }
  g_assert_no_error (error);
}

static void
assert_near (double a, double b)
{
  g_assert_true (fabs (a - b) <= 1e-6 * MAX (fabs (a), fabs (b)));
}

/* Checks that the ordered stream returns exactly the values @wanted. */
static void
compare_stream (GilkStore *store, const GilkStoredHook *hook, const char *field, const Measured *wanted)
{
  const GilkHookAsk ask = { .field = field, .gaps = wanted->gaps, .from = NAN, .to = NAN, .in_order = TRUE };
  g_autoptr(GError) error = NULL;
  g_autoptr(GilkHookStream) stream = gilk_hook_stream_new (store, hook, &ask, &error);
  GilkHookBlock block;
  guint n = 0;

  while (gilk_hook_stream_next (stream, &block, &error))
    for (guint i = 0; i < block.n; i++, n++)
      if (n >= wanted->times->len || block.times[i] != g_array_index (wanted->times, double, n) ||
          block.values[i] != g_array_index (wanted->values, double, n))
        g_error ("value %u of %s is another one", n, field);
  g_assert_no_error (error);
  g_assert_cmpuint (n, ==, wanted->times->len);
  g_assert_cmpuint (gilk_hook_stream_cut (stream), ==, wanted->cut);
}

/* Checks quantiles and proportions, which are computed in bounded memory, against the sorted
 * values. Also compares the hook with itself. */
static void
compare_quantiles (GilkStore *store, const GilkStoredHook *hook, const char *field, const Measured *wanted)
{
  static const double at[] = { 0.0, 0.25, 0.5, 0.99, 1.0 };
  const GilkHookSide side = { store, hook, { .field = field, .gaps = wanted->gaps, .from = NAN, .to = NAN } };
  const GilkHookRuns sides[] = { { &side, 1 }, { &side, 1 } };
  g_auto(GilkHookQuantiles) quantiles = { 0 }, shares = { 0 };
  g_auto(GilkHookCompared) compared = { 0 };
  g_autoptr(GError) error = NULL;
  gsize n = wanted->values->len, up_to = 0;
  g_autofree double *sorted = g_memdup2 (wanted->values->data, n * sizeof (double));

  qsort (sorted, n, sizeof *sorted, compare_doubles);
  g_assert_true (gilk_hook_quantiles (&side, at, G_N_ELEMENTS (at), &quantiles, &error));
  g_assert_true (gilk_hook_shares (&side, &shares, &error));
  g_assert_true (gilk_hook_compare (sides, at, G_N_ELEMENTS (at), &compared, &error));
  g_assert_cmpuint (quantiles.n, ==, n);
  g_assert_cmpuint (quantiles.cut, ==, wanted->cut);
  for (guint i = 0; i < G_N_ELEMENTS (at); i++)
    {
      double value = g_array_index (quantiles.list, GilkHookQuantile, i).value;

      assert_near (value, gilk_quantile (sorted, n, at[i]));
      g_assert_cmpfloat (compared.found.a[i], ==, value);
      g_assert_cmpfloat (compared.found.differences[i].value, ==, 0.0);
    }
  for (guint i = 0; i < shares.list->len; i++)
    {
      const GilkHookQuantile *share = &g_array_index (shares.list, GilkHookQuantile, i);

      while (up_to < n && sorted[up_to] <= share->at)
        up_to++;
      /* The expected intervals are differences of rounded times, so an interval close to the
       * threshold may be counted on the wrong side of it. */
      g_assert_cmpfloat_with_epsilon (share->value, (double) up_to / (double) n,
                                      strcmp (field, "interval") == 0 ? 1e-3 : 1e-12);
    }
  g_assert_cmpfloat (compared.found.ks.d, ==, 0.0);
  g_assert_cmpfloat (compared.found.delta, ==, 0.0);
}

static void
compare_numbers (GilkStore *store, const GilkStoredHook *hook, double duration, const char *field, gboolean log)
{
  g_autoptr(GilkHistogram) wanted = NULL, found = NULL;
  g_autoptr(GError) error = NULL;
  uint64_t cut = 0;
  Measured series;

  measure_numbers (&series, store, hook, duration, field);
  wanted = gilk_histogram_new ((const double *) (void *) series.values->data, series.values->len, 50, log);
  found = gilk_hook_histogram (store, hook, &(GilkHistogramAsk) {
                                 .of = { .field = field, .gaps = series.gaps, .from = NAN, .to = NAN },
                                 .scale = 1.0, .low = NAN, .high = NAN, .bins = 50, .log = log }, &cut,
                               &error);
  g_assert_no_error (error);
  g_assert_cmpuint (found->n, ==, wanted->n);
  g_assert_cmpuint (found->ignored, ==, wanted->ignored);
  g_assert_cmpuint (cut, ==, series.cut);
  g_assert_cmpuint (found->n_bins, ==, wanted->n_bins);
  assert_near (found->min, wanted->min);
  assert_near (found->max, wanted->max);
  assert_near (found->mean, wanted->mean);
  assert_near (found->stddev, wanted->stddev);
  assert_near (found->median, wanted->median);
  assert_near (found->p90, wanted->p90);
  assert_near (found->p99, wanted->p99);
  assert_near (found->p999, wanted->p999);
  if (strcmp (field, "size") == 0)
    g_assert_cmpmem (found->counts, found->n_bins * 8, wanted->counts, wanted->n_bins * 8);
  compare_stream (store, hook, field, &series);
  compare_quantiles (store, hook, field, &series);
  measured_clear (&series);
}

static GilkHistogram *
numbers_of (GilkStore *store, const GilkStoredHook *hook, const char *field, GError **error)
{
  const GilkHistogramAsk ask = { .of = { .field = field, .from = NAN, .to = NAN }, .scale = 1.0,
                                 .low = NAN, .high = NAN };

  return gilk_hook_histogram (store, hook, &ask, NULL, error);
}

/* Tests the combination of a time range, a value range and a condition. */
static void
compare_part (GilkStore *store, const GilkStoredHook *hook, double duration)
{
  const GilkHistogramAsk ask = {
    .of = { .field = "size", .condition = "size != 4", .from = duration / 4, .to = duration / 2 },
    .scale = 2.0, .low = 6.0, .high = 1000.0,
  };
  g_autoptr(GilkHistogram) found = NULL;
  g_autoptr(GError) error = NULL;
  uint64_t wanted = 0;
  Measured series;

  measure_numbers (&series, store, hook, duration, "size");
  for (guint i = 0; i < series.values->len; i++)
    {
      double t = g_array_index (series.times, double, i), v = g_array_index (series.values, double, i);

      wanted += t >= duration / 4 && t < duration / 2 && v != 4.0 && v >= 3.0 && v <= 500.0;
    }
  measured_clear (&series);
  found = gilk_hook_histogram (store, hook, &ask, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (found->n, ==, wanted);
  g_assert_true (found->min >= 6.0 && found->max <= 1000.0);
}

static void
test_session (gconstpointer data)
{
  guint n = GPOINTER_TO_UINT (data);
  g_auto(StoreFixture) at = fixture_new ();
  g_autoptr(GError) error = NULL;
  g_autoptr(GArray) runs = NULL, hooks = NULL;
  g_autoptr(GilkStore) store = NULL;
  const GilkStoredHook *hook;
  double duration;

  record_session (at.path, n);
  store = fixture_read (at.path);
  g_assert_no_error (error);
  runs = gilk_store_runs (store, &error);
  duration = g_array_index (runs, GilkStoredRun, 0).duration;
  hooks = fixture_hooks (store);
  hook = &g_array_index (hooks, GilkStoredHook, 0);
  g_assert_cmpuint (hook->stored, ==, n);
  compare_numbers (store, hook, duration, "size", FALSE);
  compare_numbers (store, hook, duration, "size", TRUE);
  compare_numbers (store, hook, duration, "interval", TRUE);
  compare_numbers (store, hook, duration, "time", FALSE);
  compare_part (store, hook, duration);

  g_assert_null (numbers_of (store, hook, "name", &error));
  g_assert_error (error, GILK_ERROR, GILK_ERROR_USAGE);
  g_clear_error (&error);
  g_assert_null (numbers_of (store, hook, "weight", &error));
  g_assert_error (error, GILK_ERROR, GILK_ERROR_NOT_FOUND);
}

static void
add_up (const double *values, gsize n, gpointer data)
{
  (void) values;
  *(gsize *) data += n;
}

/* Tests that a thread reads its part of a hook's samples completely or fails: if the session
 * disappears during reading, this is an error. */
static void
test_gone (void)
{
  g_auto(StoreFixture) at = fixture_new ();
  g_autoptr(GError) error = NULL;
  g_autoptr(GArray) hooks = NULL;
  g_autoptr(GilkStore) store = NULL;
  g_autoptr(GilkHookNumbers) numbers = NULL;
  gsize counts[16] = { 0 };
  gpointer shares[16];

  record_session (at.path, SAMPLES);
  store = fixture_read (at.path);
  hooks = fixture_hooks (store);
  numbers = gilk_hook_numbers_new (store, &g_array_index (hooks, GilkStoredHook, 0),
                                   &(GilkHookAsk) { .field = "size", .from = NAN, .to = NAN }, 1.0,
                                   &error);
  g_assert_no_error (error);
  for (guint i = 0; i < G_N_ELEMENTS (shares); i++)
    shares[i] = &counts[i];
  g_unlink (at.path);
  if (gilk_hook_numbers_shares (numbers) > 1)
    {
      g_assert_false (gilk_hook_numbers_pass (numbers, add_up, shares, &error));
      g_assert_nonnull (error);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/hook-numbers/few", GUINT_TO_POINTER (FEW), test_session);
  g_test_add_data_func ("/hook-numbers/many", GUINT_TO_POINTER (SAMPLES), test_session);
  g_test_add_func ("/hook-numbers/gone", test_gone);

  return g_test_run ();
}

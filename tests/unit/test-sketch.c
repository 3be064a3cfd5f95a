/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test-sketch.c - tests that sketches of chunks agree with their samples, and corrupt sketches are
 * detected
 */
/* Promise: sketches agree with their samples, and corrupt ones are detected */
#include <math.h>
#include <string.h>

#include "core/analysis/gilk-hook-distribution.h"
#include "core/samples/gilk-samples-tiles.h"
#include "core/stats/gilk-ecdf.h"
#include "core/stats/gilk-histogram.h"
#include "tests/store-fixture.h"

enum { NUMBERS = 60000, SAMPLES = 300000, CPUS = 2 };

/* Width of a cell of the sketch relative to the numbers that it counts. */
#define WIDE (1.0 / 1024.0)

/* Draws random numbers that are at least @least, spread over some octaves. */
static double *
draw_numbers (guint n, double least, double octaves, guint32 seed)
{
  g_autoptr(GRand) rand = g_rand_new_with_seed (seed);
  double *values = g_new (double, n);

  for (guint i = 0; i < n; i++)
    values[i] = rint (least * exp2 (octaves * g_rand_double (rand) * g_rand_double (rand)));

  return values;
}

static GilkSketch *
sketch_of (const double *values, guint n)
{
  GilkSketch *sketch = gilk_sketch_new ();

  gilk_sketch_add (sketch, values, n);

  return sketch;
}

static void
test_cells (void)
{
  static const double some[] = { 0, 1, 2, 2047, 2048, 2049, 4095, 1e9, 0x1p53, 0x1p63, 0x1p64, -1, -2048, -2049, -0x1p63 };

  for (guint i = 0; i + 1 < GILK_SKETCH_CELLS; i++)
    if (i > 0 && fabs (gilk_sketch_high (i)) < 0x1p53)
      g_assert_cmpfloat (gilk_sketch_low (i), <=, gilk_sketch_high (i) + 1.0);
  for (guint i = 0; i < G_N_ELEMENTS (some); i++)
    {
      g_autoptr(GilkSketch) sketch = sketch_of (&some[i], 1);

      g_assert_cmpuint (sketch->first, ==, sketch->last);
      g_assert_cmpfloat (gilk_sketch_low (sketch->first), <=, some[i]);
      g_assert_cmpfloat (gilk_sketch_high (sketch->first), >=, some[i]);
      g_assert_cmpfloat (gilk_sketch_high (sketch->first) - gilk_sketch_low (sketch->first), <=, fabs (some[i]) * WIDE);
      if (fabs (some[i]) < 2048)
        g_assert_cmpfloat (gilk_sketch_low (sketch->first), ==, gilk_sketch_high (sketch->first));
    }
}

/* Tests that a sketch merged from the serialised sketches of parts equals the sketch of all
 * numbers. */
static void
test_merge (void)
{
  g_autofree double *values = draw_numbers (NUMBERS, 3, 30, 1);
  g_autoptr(GilkSketch) whole = NULL, merged = gilk_sketch_new ();

  for (guint i = 0; i < NUMBERS; i += 7)
    values[i] = -values[i];
  whole = sketch_of (values, NUMBERS);
  for (guint at = 0; at < NUMBERS; at += 9973)
    {
      guint n = MIN (NUMBERS - at, 9973);
      g_autoptr(GilkSketch) part = sketch_of (values + at, n);
      g_autoptr(GByteArray) bytes = g_byte_array_new ();

      gilk_sketch_write (part, bytes);
      g_assert_true (gilk_sketch_read (merged, bytes->data, bytes->len, n));
    }
  g_assert_true (gilk_sketch_equal (whole, merged));
  g_assert_true (gilk_sketch_sound (merged));
  gilk_sketch_clear (merged);
  g_assert_cmpuint (merged->n, ==, 0);
  g_assert_true (gilk_sketch_sound (merged));
  gilk_sketch_add (merged, values, NUMBERS);
  g_assert_true (gilk_sketch_equal (whole, merged));
}

/* Tests that means of numbers near +-2^63 are as exact as a double can be there, also if the parts
 * were written and read. */
static void
test_far_means (void)
{
  const double both[] = { -0x1p63, 0x1p63 - 1024.0 };
  g_autofree double *values = g_new (double, NUMBERS);
  g_autoptr(GRand) rand = g_rand_new_with_seed (63);
  g_autoptr(GilkSketch) pair = sketch_of (both, 2);

  g_assert_true (pair->mean == -512.0L);
  for (guint mixed = 0; mixed < 3; mixed++)
    {
      g_autoptr(GilkSketch) whole = NULL, read = gilk_sketch_new ();
      __int128 sum = 0;

      for (guint i = 0; i < NUMBERS; i++)
        {
          const double size = 0x1p63 - 1024.0 * g_rand_int_range (rand, 1, 1 << 20);

          values[i] = mixed == 0 ? -size : (mixed == 1 ? i % 2 : i / (NUMBERS / 2)) != 0 ? size : -size;
          sum += (__int128) values[i];
        }
      whole = sketch_of (values, NUMBERS);
      for (guint at = 0; at < NUMBERS; at += 9973)
        {
          const guint n = MIN (NUMBERS - at, 9973);
          g_autoptr(GilkSketch) part = sketch_of (values + at, n);
          g_autoptr(GByteArray) bytes = g_byte_array_new ();

          gilk_sketch_write (part, bytes);
          g_assert_true (gilk_sketch_read (read, bytes->data, bytes->len, n));
        }
      g_assert_cmpfloat (fabs ((double) (whole->mean - (long double) sum / NUMBERS)), <=, 1024.0);
      g_assert_cmpfloat (fabs ((double) (read->mean - (long double) sum / NUMBERS)), <=, 1024.0);
      g_assert_true (gilk_sketch_equal (whole, read));
      g_assert_true (gilk_sketch_sound (read));
    }
}

static gboolean
can_read (const GByteArray *bytes, gsize size, uint64_t n)
{
  g_autoptr(GilkSketch) sketch = gilk_sketch_new ();

  return gilk_sketch_read (sketch, bytes->data, size, n) && gilk_sketch_sound (sketch);
}

static void
test_spoilt (void)
{
  g_autofree double *values = draw_numbers (NUMBERS, 10, 20, 2);
  g_autoptr(GilkSketch) sketch = sketch_of (values, NUMBERS);
  g_autoptr(GByteArray) bytes = g_byte_array_new ();
  g_autoptr(GRand) rand = g_rand_new_with_seed (3);
  guint told = 0;

  gilk_sketch_write (sketch, bytes);
  g_assert_true (can_read (bytes, bytes->len, NUMBERS));
  g_assert_false (can_read (bytes, bytes->len, NUMBERS + 1));
  g_assert_false (can_read (bytes, bytes->len, NUMBERS - 1));
  g_assert_false (can_read (bytes, bytes->len, 0));
  for (gsize size = 0; size < bytes->len; size++)
    g_assert_false (can_read (bytes, size, NUMBERS));
  /* A changed bit in means or sums is always detected; elsewhere the result may be a valid sketch
   * of other numbers. */
  for (guint i = 0; i < 4000; i++)
    {
      guint at = (guint) g_rand_int_range (rand, 0, (gint32) bytes->len), bit = 1u << g_rand_int_range (rand, 0, 8);

      bytes->data[at] ^= (guint8) bit;
      told += !can_read (bytes, bytes->len, NUMBERS);
      bytes->data[at] ^= (guint8) bit;
    }
  g_assert_cmpuint (told, >, 3000);
  sketch->mean *= 1.01;
  g_assert_false (gilk_sketch_sound (sketch));
  sketch->mean /= 1.01;
  sketch->squares *= 1.1;
  g_assert_false (gilk_sketch_sound (sketch));
}

/* ---- tests of histograms made from sketches ---- */

static void
assert_close (double found, double wanted)
{
  g_assert_cmpfloat (fabs (found - wanted), <=, WIDE * fabs (wanted) + 1e-9);
}

/* Checks the cumulative count at each edge of a bin. If an edge divides a cell of the sketch, the
 * error may be as large as the count of that cell. */
static void
compare_bins (const GilkHistogram *h, const double *values, guint n, double low, double high)
{
  uint64_t sum = 0;

  for (guint b = 0; b + 1 < h->n_bins; b++)
    {
      double edge = h->edges[b + 1];
      uint64_t least = 0, most = 0;

      sum += h->counts[b];
      for (guint i = 0; i < n; i++)
        if (!(values[i] < low) && !(values[i] > high) && (!h->log || values[i] > 0.0))
          {
            least += values[i] < edge * (1.0 - WIDE);
            most += values[i] < edge * (1.0 + WIDE);
          }
      /* The ends of the histogram's range divide cells of the sketch, too. */
      g_assert_cmpuint (sum, >=, least - MIN (least, 40));
      g_assert_cmpuint (sum, <=, most + 40);
    }
}

static void
test_histogram (gconstpointer data)
{
  gboolean log = GPOINTER_TO_UINT (data);
  g_autofree double *values = draw_numbers (NUMBERS, 100, 16, 4);
  g_autoptr(GilkSketch) sketch = sketch_of (values, NUMBERS);
  g_autoptr(GilkHistogram) wanted = gilk_histogram_new (values, NUMBERS, 50, log), found = NULL, part = NULL;
  gboolean exact;

  found = gilk_histogram_of_sketch (sketch, NAN, NAN, 50, log, &exact, NULL);
  g_assert_false (exact);
  g_assert_cmpuint (found->n, ==, NUMBERS);
  g_assert_cmpfloat (found->min, ==, wanted->min);
  g_assert_cmpfloat (found->max, ==, wanted->max);
  g_assert_cmpfloat_with_epsilon (found->mean, wanted->mean, 1e-6);
  g_assert_cmpfloat_with_epsilon (found->stddev / wanted->stddev, 1.0, 1e-9);
  assert_close (found->median, wanted->median);
  assert_close (found->p999, wanted->p999);
  g_assert_cmpmem (found->edges, (found->n_bins + 1) * 8, wanted->edges, (wanted->n_bins + 1) * 8);
  compare_bins (found, values, NUMBERS, NAN, NAN);
  part = gilk_histogram_of_sketch (sketch, 777, 54321, 50, log, &exact, NULL);
  g_assert_false (exact);
  g_assert_cmpfloat (part->min, >=, 777);
  g_assert_cmpfloat (part->max, <=, 54321);
  compare_bins (part, values, NUMBERS, 777, 54321);
}

/* Tests that a histogram of small numbers is exact, because each small number has a cell of its
 * own. */
static void
test_exact (gconstpointer data)
{
  gboolean log = GPOINTER_TO_UINT (data);
  g_autofree double *values = draw_numbers (NUMBERS, 1, 10.99, 5);
  g_autoptr(GilkSketch) sketch = NULL;
  g_autoptr(GilkHistogram) wanted = NULL, found = NULL;
  gboolean exact;

  for (guint i = 0; i < NUMBERS; i += 9)
    values[i] = 0.0;
  sketch = sketch_of (values, NUMBERS);
  wanted = gilk_histogram_new (values, NUMBERS, 0, log);
  found = gilk_histogram_of_sketch (sketch, NAN, NAN, 0, log, &exact, NULL);
  g_assert_true (exact);
  g_assert_cmpuint (found->n, ==, wanted->n);
  g_assert_cmpuint (found->ignored, ==, wanted->ignored);
  g_assert_cmpfloat_with_epsilon (found->mean, wanted->mean, 1e-9);
  g_assert_cmpfloat (found->median, ==, wanted->median);
  g_assert_cmpfloat (found->p90, ==, wanted->p90);
  g_assert_cmpfloat (found->p99, ==, wanted->p99);
  g_assert_cmpfloat (found->p999, ==, wanted->p999);
  g_assert_cmpmem (found->edges, (found->n_bins + 1) * 8, wanted->edges, (wanted->n_bins + 1) * 8);
  g_assert_cmpmem (found->counts, found->n_bins * 8, wanted->counts, wanted->n_bins * 8);
}

/* Tests that large numbers that are close to each other get no histogram: they share one cell,
 * which is too coarse for a plot. */
static void
test_coarse (void)
{
  g_autofree double *values = draw_numbers (NUMBERS, 1000, 1, 6);
  g_autoptr(GilkSketch) sketch = NULL;
  gboolean exact;

  for (guint i = 0; i < NUMBERS; i++)
    values[i] += 1e12;
  sketch = sketch_of (values, NUMBERS);
  g_assert_null (gilk_histogram_of_sketch (sketch, NAN, NAN, 0, FALSE, &exact, NULL));
}

/* Checks that each step of the ECDF has the right proportion of the numbers. */
static void
compare_steps (const double *values, guint n, gboolean log, gboolean exact)
{
  g_autoptr(GilkSketch) sketch = sketch_of (values, n);
  g_autoptr(GilkEcdf) ecdf = gilk_ecdf_of_sketch (sketch, log);
  guint samples = 0;

  for (guint i = 0; i < n; i++)
    samples += !log || values[i] > 0.0;
  g_assert_cmpuint (ecdf->samples, ==, samples);
  g_assert_cmpuint (ecdf->ignored, ==, n - samples);
  g_assert_true (ecdf->exact == exact);
  g_assert_cmpfloat (ecdf->share[ecdf->n - 1], ==, 1.0);
  g_assert_cmpfloat (ecdf->x[ecdf->n - 1], ==, sketch->max);
  for (guint k = exact ? 0 : 1; k < ecdf->n; k += MAX (1, ecdf->n / 97))
    {
      guint up_to = 0;

      for (guint i = 0; i < n; i++)
        up_to += (!log || values[i] > 0.0) && values[i] <= ecdf->x[k];
      g_assert_cmpfloat_with_epsilon (ecdf->share[k], (double) up_to / samples, 1e-12);
      g_assert_true (k == 0 || ecdf->x[k] > ecdf->x[k - 1]);
      g_assert_true (k == 0 || ecdf->share[k] - ecdf->share[k - 1] <= ecdf->step || exact);
    }
}

static void
test_steps (void)
{
  g_autofree double *small = draw_numbers (NUMBERS, 1, 10.99, 8), *great = draw_numbers (NUMBERS, 5000, 12, 9);
  g_autofree double *near = draw_numbers (NUMBERS, 1000, 1, 10);
  g_autoptr(GilkSketch) sketch = NULL;

  for (guint i = 0; i < NUMBERS; i++)
    {
      small[i] = i % 11 == 0 ? -small[i] : small[i];
      near[i] += 1e12;
    }
  compare_steps (small, NUMBERS, FALSE, TRUE);
  compare_steps (small, NUMBERS, TRUE, TRUE);
  compare_steps (great, NUMBERS, FALSE, FALSE);
  compare_steps (great, NUMBERS, TRUE, FALSE);
  sketch = sketch_of (near, NUMBERS);
  g_assert_null (gilk_ecdf_of_sketch (sketch, FALSE));
}

/* ---- test of the sketches in a session ---- */

/* Records samples of two CPUs, flushed often enough for chunks of a few thousand samples. */
static double *
record_session (const char *path)
{
  struct ilk_instrument_desc desc = { .id = 1, .name = "walk", .sample_bytes = 8, .field_count = 1,
                                      .fields = { { "size", "B", "", ILK_FIELD_S64, 0, 8, 0 } } };
  double *values = draw_numbers (SAMPLES, 100, 14, 7);
  g_autoptr(GError) error = NULL;
  GilkStore *store = fixture_open (path);
  gint64 run = fixture_begin (store, CPUS);

  g_assert_true (gilk_store_add_instrument (store, run, &desc, &error));
  fixture_add_hook (store, run, 1, "h", "walk");
  for (guint i = 0; i < SAMPLES; i++)
    {
      const gint64 value = (gint64) values[i];

      fixture_add_sample (store, run, i % CPUS, 1, (gint64) (i + 1) * 1000, &value, 8);
      if (i % 20011 == 20010)
        g_assert_true (gilk_store_flush (store, &error));
    }
  fixture_end (store, run, SAMPLES * 1000);

  return values;
}

static guint
problems_of (const char *path)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(GPtrArray) problems = gilk_store_verify (path, NULL, NULL, &error);

  g_assert_no_error (error);

  return problems->len;
}

typedef struct {
  GilkStore *store;
  GArray    *runs, *hooks;
  const GilkStoredHook *hook;
} Session;

static Session
open_session (const char *path)
{
  g_autoptr(GError) error = NULL;
  Session s = { .store = fixture_read (path) };

  s.runs = gilk_store_runs (s.store, &error);
  s.hooks = gilk_store_hooks (s.store, g_array_index (s.runs, GilkStoredRun, 0).id, &error);
  g_assert_no_error (error);
  s.hook = &g_array_index (s.hooks, GilkStoredHook, 0);

  return s;
}

static void
session_close (Session *s)
{
  g_array_unref (s->runs);
  g_array_unref (s->hooks);
  gilk_store_free (s->store);
}

/* Checks the sketch of the samples with the numbers @first to @last - 1 against these samples. */
static void
compare_range (Session *s, const double *values, guint first, guint last, gboolean few)
{
  g_autoptr(GilkSketch) wanted = sketch_of (values + first, last - first), found = NULL;
  g_autoptr(GError) error = NULL;

  found = gilk_samples_sketch (s->store, s->hook, "size", (first + 1) * 1000, (last + 1) * 1000, 50000, &error);
  g_assert_no_error (error);
  g_assert_true (gilk_sketch_equal (found, wanted));
  gilk_sketch_free (g_steal_pointer (&found));
  found = gilk_samples_sketch (s->store, s->hook, "size", (first + 1) * 1000, (last + 1) * 1000, few ? 0 : 10, &error);
  g_assert_no_error (error);
  g_assert_true ((found != NULL) == few);
}

/* Checks that the preview of a histogram, made from sketches, has the bins of the final
 * histogram. */
static void
compare_soon (Session *s)
{
  const GilkHistogramAsk ask = { .of = { .field = "size", .from = NAN, .to = NAN }, .scale = 1.0, .low = NAN, .high = NAN };
  g_autoptr(GError) error = NULL;
  g_autoptr(GilkHistogram) soon = NULL, all = NULL;
  GilkHistogramPreview haste;
  uint64_t off = 0;

  soon = gilk_hook_histogram_preview (s->store, s->hook, &ask, &haste, &error);
  g_assert_no_error (error);
  g_assert_true (soon != NULL && !haste.exact && haste.read == 0);
  all = gilk_hook_histogram (s->store, s->hook, &ask, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (all->n, ==, SAMPLES);
  g_assert_cmpuint (soon->n, ==, SAMPLES);
  g_assert_cmpmem (soon->edges, (soon->n_bins + 1) * 8, all->edges, (all->n_bins + 1) * 8);
  for (guint b = 0; b < all->n_bins; b++)
    off += soon->counts[b] > all->counts[b] ? soon->counts[b] - all->counts[b] : all->counts[b] - soon->counts[b];
  g_assert_cmpuint (off, <, SAMPLES / 50);
  assert_close (soon->p99, all->p99);
}

/* Checks that two histograms, for two axes, computed in one pass equal the histograms computed
 * separately. */
static void
compare_axes (Session *s, const char *field)
{
  GilkHistogramAsk ask = { .of = { .field = field, .from = NAN, .to = NAN }, .scale = 1.0, .low = NAN, .high = NAN };
  GilkHistogram *axes[2];
  uint64_t cut;
  g_autoptr(GError) error = NULL;

  g_assert_true (gilk_hook_histograms (s->store, s->hook, &ask, &axes[0], &axes[1], &cut, &error));
  for (guint i = 0; i < 2; i++)
    {
      g_autoptr(GilkHistogram) alone = NULL;

      ask.log = i > 0;
      alone = gilk_hook_histogram (s->store, s->hook, &ask, NULL, &error);
      g_assert_no_error (error);
      g_assert_cmpuint (axes[i]->log, ==, alone->log);
      g_assert_cmpuint (axes[i]->n, ==, alone->n);
      g_assert_cmpfloat (axes[i]->median, ==, alone->median);
      g_assert_cmpmem (axes[i]->edges, (axes[i]->n_bins + 1) * 8, alone->edges, (alone->n_bins + 1) * 8);
      g_assert_cmpmem (axes[i]->counts, axes[i]->n_bins * 8, alone->counts, alone->n_bins * 8);
      gilk_histogram_free (axes[i]);
    }
}

static void
test_session (void)
{
  g_auto(StoreFixture) at = fixture_new ();
  const char *path = at.path;
  g_autofree double *values = record_session (path);
  g_autoptr(GError) error = NULL;
  Session s = open_session (path);

  compare_range (&s, values, 0, SAMPLES, TRUE);
  compare_range (&s, values, 12345, 250001, FALSE);
  compare_range (&s, values, 70, 71, FALSE);
  compare_soon (&s);
  compare_axes (&s, "size");
  compare_axes (&s, "interval");
  session_close (&s);
  g_assert_cmpuint (problems_of (path), ==, 0);

  /* A sketch from another chunk is detected by verifying the session, but not by reading the
   * sketch. */
  fixture_run_sql (path, "UPDATE chunk_sketch SET data = (SELECT b.data FROM chunk_sketch b, chunk c, chunk d WHERE c.id = b.id / 16 "
                "AND d.id = chunk_sketch.id / 16 AND c.n = d.n AND b.id <> chunk_sketch.id LIMIT 1) "
                "WHERE id = (SELECT 16 * d.id + 2 FROM chunk c, chunk d WHERE c.n = d.n AND c.id < d.id LIMIT 1)");
  g_assert_cmpuint (problems_of (path), ==, 2);     /* the checksum of the chunk is wrong, too */
  fixture_run_sql (path, "UPDATE chunk_sketch SET data = substr (data, 1, 40) WHERE id = (SELECT min (id) FROM chunk_sketch)");
  s = open_session (path);
  g_assert_null (gilk_samples_sketch (s.store, s.hook, "size", G_MININT64, G_MAXINT64, 50000, &error));
  g_assert_nonnull (error);
  session_close (&s);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/sketch/cells", test_cells);
  g_test_add_func ("/sketch/merge", test_merge);
  g_test_add_func ("/sketch/far-means", test_far_means);
  g_test_add_func ("/sketch/spoilt", test_spoilt);
  g_test_add_data_func ("/sketch/histogram", GUINT_TO_POINTER (FALSE), test_histogram);
  g_test_add_data_func ("/sketch/histogram-log", GUINT_TO_POINTER (TRUE), test_histogram);
  g_test_add_data_func ("/sketch/exact", GUINT_TO_POINTER (FALSE), test_exact);
  g_test_add_data_func ("/sketch/exact-log", GUINT_TO_POINTER (TRUE), test_exact);
  g_test_add_func ("/sketch/coarse", test_coarse);
  g_test_add_func ("/sketch/steps", test_steps);
  g_test_add_func ("/sketch/session", test_session);

  return g_test_run ();
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test-filters.c - tests that figures, splits and bars contain exactly the matching samples for
 * selections by several fields
 */
#include <math.h>

#include "core/analysis/gilk-hook-samples.h"
#include "core/figure/gilk-figure.h"
#include "core/plot/gilk-plot-name.h"
#include "core/samples/gilk-samples.h"
#include "tests/store-fixture.h"

enum { N = 12000, CPUS = 3 };

typedef struct {
  StoreFixture home;
  GilkStore *store;
  GArray    *hooks;
  gint64     at[N];                 /* nanoseconds */
  uint64_t   took[N], size[N];
} Fixture;

static void
record_session (Fixture *f)
{
  const struct ilk_counter counter = { N, 0, 0 };
  struct ilk_instrument_desc desc = { .id = 1, .version = 1, .sample_bytes = 16, .field_count = 2, .name = "two" };
  g_autoptr(GRand) rand = g_rand_new_with_seed (7);
  g_autoptr(GError) error = NULL;
  GilkStore *store = fixture_open (f->home.path);
  gint64 run = fixture_begin (store, CPUS), now = 0;

  desc.fields[0] = (struct ilk_field) { "took", "ns", "", ILK_FIELD_U64, 0, 8, 0 };
  desc.fields[1] = (struct ilk_field) { "size", "B", "", ILK_FIELD_U64, 8, 8, 0 };
  g_assert_true (gilk_store_add_instrument (store, run, &desc, &error));
  fixture_add_hook (store, run, 1, "h", "two");
  g_assert_true (gilk_store_put_counts (store, run, 1, 0, &counter, 12000000000, &error));
  for (guint i = 0; i < N; i++)
    {
      now += g_rand_int_range (rand, 1000, 2000000);
      f->at[i] = now;
      f->took[i] = (uint64_t) exp (10.0 * g_rand_double (rand));
      f->size[i] = (uint64_t) g_rand_int_range (rand, 0, 10);
      fixture_add_sample (store, run, i % CPUS, 1, now, (uint64_t[]) { f->took[i], f->size[i] }, 16);
    }
  fixture_end (store, run, (uint64_t) now + 1);
}

static void
set_up (Fixture *f, gconstpointer unused)
{
  f->home = fixture_new ();
  record_session (f);
  f->store = fixture_read (f->home.path);
  f->hooks = fixture_hooks (f->store);
}

static void
tear_down (Fixture *f, gconstpointer unused)
{
  g_array_unref (f->hooks);
  gilk_store_free (f->store);
  fixture_clear (&f->home);
}

static const GilkStoredHook *
hook_of (Fixture *f)
{
  return &g_array_index (f->hooks, GilkStoredHook, 0);
}

/* ---- tests of conditions on fields and intervals ---- */

#define FIELDS "took >= 200 and took <= 9000 and cpu != 1 and size < 7"

static gboolean
matches_filters (const Fixture *f, guint i)
{
  return f->took[i] >= 200 && f->took[i] <= 9000 && i % CPUS != 1 && f->size[i] < 7;
}

/* Marks the samples between @from and @to that match all conditions, including conditions on
 * intervals. */
static void
filter_slowly (const Fixture *f, gboolean intervals, gint64 from, gint64 to, gboolean *met)
{
  gint64 before = -1;

  for (guint i = 0; i < N; i++)
    {
      gboolean fields = matches_filters (f, i) && f->at[i] >= from && f->at[i] < to;
      gint64 interval = f->at[i] - before;

      met[i] = fields && (!intervals || (before >= 0 && interval >= 3000000 && interval <= 20000000));
      if (fields)
        before = f->at[i];
    }
}

static void
check_bins (const Fixture *f, const GilkHistogram *h, const gboolean *met)
{
  for (guint b = 0; b < h->n_bins; b++)
    {
      uint64_t within = 0;

      for (guint i = 0; i < N; i++)
        within += met[i] && (double) f->took[i] >= h->edges[b] &&
                  ((double) f->took[i] < h->edges[b + 1] || (b + 1 == h->n_bins && (double) f->took[i] <= h->edges[b + 1]));
      g_assert_cmpuint (h->counts[b], ==, within);
    }
}

static void
check_figures (Fixture *f, const char *condition, gboolean intervals, double from, double to)
{
  const GilkFigureSource source = { .store = f->store, .hook = hook_of (f), .duration = (double) (f->at[N - 1] + 1) / 1e9,
                                    .name = "h", .condition = condition };
  g_autofree gboolean *met = g_new (gboolean, N);
  uint64_t wanted = 0;

  filter_slowly (f, intervals, isnan (from) ? 0 : (gint64) (from * 1e9), isnan (to) ? G_MAXINT64 : (gint64) (to * 1e9), met);
  for (guint i = 0; i < N; i++)
    wanted += met[i];
  g_assert_cmpuint (wanted, >, 100);
  for (guint kind = 0; kind < GILK_FIGURE_N_KINDS; kind++)
    {
      GilkFigureAsk ask = gilk_figure_ask (kind, kind == GILK_FIGURE_RATE ? NULL : "took");
      g_autoptr(GError) error = NULL;
      g_autoptr(GilkFigure) figure = NULL;

      ask.from = from;
      ask.to = to;
      figure = gilk_figure_make (&ask, &source, 1, &error);
      g_assert_no_error (error);
      g_assert_cmpuint (figure->samples, ==, wanted);
      if (figure->histogram != NULL)
        check_bins (f, figure->histogram, met);
    }
}

static void
test_fields (Fixture *f, gconstpointer unused)
{
  check_figures (f, FIELDS, FALSE, NAN, NAN);
  check_figures (f, FIELDS, FALSE, 2.0, 7.0);
}

/* Tests that an interval is the time between two samples that match the other conditions; the first
 * sample does not have one. */
static void
test_intervals (Fixture *f, gconstpointer unused)
{
  check_figures (f, "interval >= 0.003 and " FIELDS " and interval <= 0.02", TRUE, NAN, NAN);
  check_figures (f, FIELDS " and interval >= 0.003 and interval <= 0.02", TRUE, 2.0, 7.0);
  g_assert_true (gilk_samples_condition_has_interval (FIELDS " and  interval > 2"));
  g_assert_false (gilk_samples_condition_has_interval (FIELDS));
}

/* ---- tests of splits and bars ---- */

static void
test_splits (Fixture *f, gconstpointer unused)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(GArray) found = NULL;
  g_autofree gboolean *met = g_new (gboolean, N);
  uint64_t left, wanted = 0, samples = 0;

  filter_slowly (f, FALSE, 0, G_MAXINT64, met);
  for (guint i = 0; i < N; i++)
    wanted += met[i];
  found = gilk_hook_split (f->store, hook_of (f), "cpu", FIELDS, 5, &left, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (found->len, ==, 2);
  for (guint i = 0; i < found->len; i++)
    {
      const GilkSplit *one = &g_array_index (found, GilkSplit, i);

      samples += one->samples;
      g_assert_true (g_str_has_prefix (one->condition, FIELDS " and cpu == "));
    }
  g_assert_cmpuint (samples, ==, wanted);
}

static void
test_bars (Fixture *f, gconstpointer unused)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(GArray) found = gilk_group_bars_new ();
  uint64_t wanted[10] = { 0 };

  for (guint i = 0; i < N; i++)
    wanted[f->size[i]] += matches_filters (f, i);
  g_assert_true (gilk_group_bars_add (found, f->store, hook_of (f), "size", NAN, NAN, FIELDS, 10, &error));
  g_assert_cmpuint (found->len, ==, 7);
  for (guint i = 0; i < found->len; i++)
    {
      const GilkBar *bar = &g_array_index (found, GilkBar, i);

      g_assert_cmpfloat (bar->value, ==, (double) wanted[g_ascii_strtoull (bar->label, NULL, 10)]);
    }
}

#define ADD(path, func) g_test_add ("/conditions/" path, Fixture, NULL, set_up, func, tear_down)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD ("fields", test_fields);
  ADD ("intervals", test_intervals);
  ADD ("splits", test_splits);
  ADD ("bars", test_bars);

  return g_test_run ();
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test-figure.c - tests that figures of a session agree with its samples, and all figures can be
 * painted
 */
#include <gio/gio.h>
#include <math.h>
#include <string.h>

#include "core/analysis/gilk-hook-samples.h"
#include "core/analysis/gilk-outliers.h"
#include "core/base/gilk-error.h"
#include "core/figure/gilk-figure-compare.h"
#include "core/plot/gilk-plot.h"
#include "core/store/gilk-store-loss.h"
#include "tests/store-fixture.h"

enum { N = 12000, CPUS = 3 };       /* N: number of samples, which are 1 ms apart */

typedef struct {
  StoreFixture at;
  GilkStore *store;
  GArray    *hooks;
  double     values[N];
} Fixture;

/* Returns whether sample @i is one of those lost between 5 and 6 s. */
static gboolean
is_lost (guint i)
{
  return i >= 5000 && i < 6000;
}

static void
record_session (Fixture *f)
{
  const GilkStoredLoss loss = { 5000000000, 6000000000, 1000, 0 };
  struct ilk_instrument_desc desc = { .id = 1, .version = 1, .sample_bytes = 8, .field_count = 1, .name = "took" };
  g_autoptr(GRand) rand = g_rand_new_with_seed (4);
  g_autoptr(GError) error = NULL;
  GilkStore *store = fixture_open (f->at.path);
  gint64 run = fixture_begin (store, CPUS);

  desc.fields[0] = (struct ilk_field) { "took", "ns", "", ILK_FIELD_U64, 0, 8, 0 };
  g_assert_true (gilk_store_add_instrument (store, run, &desc, &error));
  for (uint32_t iid = 1; iid <= 3; iid++)
    {
      g_autofree char *label = g_strdup_printf ("h%u", iid);
      struct ilk_counter counter = { N, iid == 1 ? 1000 : 0, 0 };

      fixture_add_hook (store, run, iid, label, "took");
      g_assert_true (gilk_store_put_counts (store, run, iid, 0, &counter, 12000000000, &error));
    }
  for (guint i = 0; i < N; i++)
    {
      uint64_t took[2];

      f->values[i] = floor (exp (10.0 * g_rand_double (rand)));
      took[0] = (uint64_t) f->values[i];
      took[1] = 2 * took[0];
      for (guint h = is_lost (i) ? 1 : 0; h < 2; h++)
        fixture_add_sample (store, run, i % CPUS, h + 1, (gint64) i * 1000000, &took[h], 8);
    }
  g_assert_true (gilk_store_put_loss (store, run, 1, 0, &loss, &error));
  fixture_end (store, run, 12000000000);
}

static void
set_up (Fixture *f, gconstpointer unused)
{
  f->at = fixture_new ();
  record_session (f);
  f->store = fixture_read (f->at.path);
  f->hooks = fixture_hooks (f->store);
}

static void
tear_down (Fixture *f, gconstpointer unused)
{
  g_array_unref (f->hooks);
  gilk_store_free (f->store);
  fixture_clear (&f->at);
}

static GilkFigureSource
make_source (Fixture *f, guint i)
{
  const GilkStoredHook *hook = &g_array_index (f->hooks, GilkStoredHook, i);

  return (GilkFigureSource) { .store = f->store, .hook = hook, .duration = 12.0, .name = hook->label };
}

static GilkFigure *
make_figure (Fixture *f, const GilkFigureAsk *ask, guint first, guint n)
{
  GilkFigureSource sources[3];
  g_autoptr(GError) error = NULL;
  GilkFigure *figure;

  for (guint i = 0; i < n; i++)
    sources[i] = make_source (f, first + i);
  figure = gilk_figure_make (ask, sources, n, &error);
  g_assert_no_error (error);

  return figure;
}

/* ---- tests of the contents of figures ---- */

static void
test_histogram (Fixture *f, gconstpointer unused)
{
  GilkFigureAsk ask = gilk_figure_ask (GILK_FIGURE_HISTOGRAM, "took");
  g_autoptr(GilkFigure) one = NULL, both = NULL, part = NULL;
  double shares = 0.0;

  ask.log_x = TRUE;
  one = make_figure (f, &ask, 0, 1);
  g_assert_cmpuint (one->histogram->n, ==, N - 1000);
  g_assert_cmpuint (one->lost, ==, 1000);
  both = make_figure (f, &ask, 0, 2);
  g_assert_null (both->histogram);
  for (guint c = 0; c < 2; c++)
    {
      const GilkCurve *curve = g_ptr_array_index (both->curves, c);

      shares = 0.0;
      for (guint i = 0; i < curve->n; i++)
        {
          shares += curve->y[i];
          g_assert_cmpfloat (curve->x[i + 1], >, curve->x[i]);
        }
      g_assert_cmpfloat_with_epsilon (shares, 100.0, 1e-9);
    }
  ask.low = 100.0;
  ask.high = 200.0;
  ask.from = 1.0;
  ask.to = 2.0;
  part = make_figure (f, &ask, 1, 1);
  for (guint i = 1000; i < 2000; i++)
    shares += 2.0 * f->values[i] >= 100.0 && 2.0 * f->values[i] <= 200.0;
  g_assert_cmpfloat_with_epsilon ((double) part->histogram->n, shares - 100.0, 1e-6);
}

/* Tests that the confidence interval of a difference of quantiles contains the true difference. One
 * hook's values are twice as large as the other's. */
static void
test_compared (Fixture *f, gconstpointer unused)
{
  const GilkFigureSource sources[] = { make_source (f, 0), make_source (f, 1) };
  GilkFigureAsk ask = gilk_figure_ask (GILK_FIGURE_HISTOGRAM, "took");
  g_autoptr(GilkFigureCompared) found = NULL;
  g_autoptr(GError) error = NULL;
  GilkFigureCompared *none;

  g_assert_true (gilk_figure_compare (&ask, sources, 2, &found, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (found->rows->len, ==, 5);
  for (guint i = 0; i < 2; i++)
    {
      const GilkComparedRow *row = gilk_compared_row (found->rows, i);

      g_assert_cmpfloat (row->difference.low, <=, row->b - row->a);
      g_assert_cmpfloat (row->difference.high, >=, row->b - row->a);
      g_assert_cmpfloat (row->b, >, 1.5 * row->a);
    }
  g_assert_cmpstr (gilk_compared_row (found->rows, 0)->name, ==, "Median");
  g_assert_true (gilk_figure_compare (&ask, sources, 1, &none, &error));
  g_assert_null (none);
}

static char *
compute_distance (Fixture *f, const GilkFigureAsk *ask, guint n)
{
  const GilkFigureSource sources[] = { make_source (f, 0), make_source (f, 1), make_source (f, 0) };
  g_autoptr(GError) error = NULL;
  char *words;

  g_assert_true (gilk_figure_distance (ask, sources, n, &words, &error));
  g_assert_no_error (error);

  return words;
}

/* Tests that the distance between distributions is displayed for two hooks, but not for one or
 * three hooks, nor with a selection of values. */
static void
test_distance (Fixture *f, gconstpointer unused)
{
  for (guint i = 0; i < 2; i++)
    {
      GilkFigureAsk ask = gilk_figure_ask (i == 0 ? GILK_FIGURE_HISTOGRAM : GILK_FIGURE_ECDF, "took");
      g_autoptr(GilkFigure) both = make_figure (f, &ask, 0, 2);
      g_autofree char *words = compute_distance (f, &ask, 2), *caption = g_strdup (both->caption);

      g_assert_nonnull (strstr (words, "Kolmogorov–Smirnov D 0."));
      g_assert_nonnull (strstr (words, "of h2 over h1"));
      gilk_figure_prepend_caption (both, words);
      g_assert_true (g_str_has_prefix (both->caption, words));
      g_assert_true (caption == NULL || g_str_has_suffix (both->caption, caption));
      g_assert_null (compute_distance (f, &ask, 1));
      g_assert_null (compute_distance (f, &ask, 3));
      ask.high = 100.0;
      g_assert_null (compute_distance (f, &ask, 2));
      ask = gilk_figure_ask (GILK_FIGURE_SERIES, "took");
      g_assert_null (compute_distance (f, &ask, 2));
    }
}

/* Tests that the computation of a distance ends at once if it is cancelled. */
static void
test_distance_cancelled (Fixture *f, gconstpointer unused)
{
  const GilkFigureAsk ask = gilk_figure_ask (GILK_FIGURE_ECDF, "took");
  GilkFigureSource sources[] = { make_source (f, 0), make_source (f, 1) };
  g_autoptr(GCancellable) cancellable = g_cancellable_new ();
  g_autoptr(GError) error = NULL;
  g_autoptr(GilkStore) store = gilk_store_open_read (f->at.path, cancellable, &error);
  char *words;

  g_assert_no_error (error);
  sources[0].store = sources[1].store = store;
  g_cancellable_cancel (cancellable);
  g_assert_false (gilk_figure_distance (&ask, sources, 2, &words, &error));
  g_assert_error (error, GILK_ERROR, GILK_ERROR_CANCELLED);
}

/* Tests that rates computed from tiles, which summarise consecutive samples, equal rates computed
 * from single samples, for slices of any length. */
static void
test_rate_by_tiles (Fixture *f, gconstpointer unused)
{
  GilkFigureAsk ask = gilk_figure_ask (GILK_FIGURE_RATE, NULL);
  GilkFigureSource sources[2] = { make_source (f, 0), make_source (f, 0) };

  sources[1].condition = "time >= 0";
  for (guint round = 0; round < 4; round++)
    {
      g_autoptr(GilkFigure) figure = NULL;
      g_autoptr(GError) error = NULL;
      const GilkCurve *a, *b;

      ask.bins = 1 + 37 * round * round;
      ask.from = round % 2 ? 3.3333 : NAN;
      ask.to = round > 1 ? 7.77 : NAN;
      figure = gilk_figure_make (&ask, sources, 2, &error);
      g_assert_no_error (error);
      a = g_ptr_array_index (figure->curves, 0);
      b = g_ptr_array_index (figure->curves, 1);
      g_assert_cmpuint (a->n, ==, b->n);
      g_assert_cmpuint (a->samples, ==, b->samples);
      g_assert_cmpmem (a->y, a->n * sizeof *a->y, b->y, b->n * sizeof *b->y);
    }
}

/* Tests that figures side by side have the same axes and bins, but their own samples and losses. */
static void
test_pair (Fixture *f, gconstpointer unused)
{
  const GilkFigureSource sources[] = { make_source (f, 0), make_source (f, 1) };

  for (guint kind = 0; kind < GILK_FIGURE_N_KINDS; kind++)
    {
      GilkFigureAsk ask = gilk_figure_ask (kind, kind == GILK_FIGURE_RATE ? NULL : "took");
      g_autoptr(GilkFigure) left = NULL, right = NULL;
      g_autoptr(GError) error = NULL;
      const GilkCurve *one, *other;

      g_assert_true (gilk_figure_make_pair (&ask, sources, 2, 1, &left, &right, &error));
      g_assert_no_error (error);
      g_assert_null (left->message);
      g_assert_null (right->message);
      g_assert_cmpfloat (left->x.from, ==, right->x.from);
      g_assert_cmpfloat (left->x.to, ==, right->x.to);
      g_assert_cmpfloat (left->y.from, ==, right->y.from);
      g_assert_cmpfloat (left->y.to, ==, right->y.to);
      g_assert_cmpstr (left->neighbour_caption, ==, right->caption);
      g_assert_cmpstr (right->neighbour_caption, ==, left->caption);
      g_assert_cmpuint (left->lost, ==, 1000);
      g_assert_nonnull (left->loss_note);
      g_assert_cmpuint (right->lost, ==, 0);
      g_assert_null (right->loss_note);
      if (kind != GILK_FIGURE_HISTOGRAM)
        continue;
      g_assert_cmpuint (left->samples, ==, N - 1000);
      g_assert_cmpuint (right->samples, ==, N);
      g_assert_cmpuint (left->curves->len, ==, 1);
      g_assert_cmpuint (right->curves->len, ==, 1);
one = g_ptr_array_index (left->curves, 0);
      other = g_ptr_array_index (right->curves, 0);
      g_assert_cmpfloat_with_epsilon (one->x[1] - one->x[0], other->x[1] - other->x[0], 1e-9);
    }
}

static void
test_rate (Fixture *f, gconstpointer unused)
{
  GilkFigureAsk ask = gilk_figure_ask (GILK_FIGURE_RATE, NULL);
  g_autoptr(GilkFigure) figure = NULL;
  const GilkCurve *curve;

  ask.bins = 12;
  figure = make_figure (f, &ask, 0, 1);
  curve = g_ptr_array_index (figure->curves, 0);
  g_assert_cmpuint (curve->n, ==, 12);
  /* Lost samples count in the rate, because their number is known. */
  for (guint i = 0; i < 12; i++)
    g_assert_cmpfloat_with_epsilon (curve->y[i], 1000.0, 1.5);
  /* The plot covers only the time in which the hook was armed. */
  GilkFigureSource of = make_source (f, 1);
  GilkStoredHook staggered = *of.hook;
  staggered.start_ns = 3000000000u;
  of.hook = &staggered;
  g_autoptr(GilkFigure) cropped = gilk_figure_make (&ask, &of, 1, NULL);
  g_assert_true (cropped != NULL && cropped->x.from == 3 && cropped->x.to == 12);
}

/* Tests that the maximum rate does not depend on the size of the plot; the caption states the bin
 * width. */
static void
test_rate_of_any_size (Fixture *f, gconstpointer unused)
{
  GilkFigureAsk ask = gilk_figure_ask (GILK_FIGURE_RATE, NULL);
  g_autoptr(GilkFigure) small = NULL, large = NULL;
  const GilkCurve *a, *b;

  ask.columns = 200;
  small = make_figure (f, &ask, 0, 1);
  ask.columns = 3000;
  large = make_figure (f, &ask, 0, 1);
  a = g_ptr_array_index (small->curves, 0);
  b = g_ptr_array_index (large->curves, 0);
  g_assert_cmpuint (a->n, ==, b->n);
  g_assert_cmpmem (a->y, a->n * sizeof *a->y, b->y, b->n * sizeof *b->y);
  g_assert_cmpfloat_with_epsilon (a->x[1] - a->x[0], 0.05, 1e-12);     /* bins of 50 ms, as the run
                                                                          takes 12 s */
  g_assert_true (g_str_has_prefix (small->caption, "Rate in bins of 50 ms; maximum "));
}

static void
test_series (Fixture *f, gconstpointer unused)
{
  GilkFigureAsk ask = gilk_figure_ask (GILK_FIGURE_SERIES, "took");
  g_autoptr(GilkFigure) figure = NULL;
  const GilkCurve *curve;

  ask.columns = 120;
  figure = make_figure (f, &ask, 0, 1);
  curve = g_ptr_array_index (figure->curves, 0);
  g_assert_cmpuint (curve->n, ==, 120);
  for (guint c = 0; c < 120; c++)
    {
      double low = INFINITY, high = -INFINITY;

      for (guint i = c * 100; i < (c + 1) * 100; i++)
        {
          low = fmin (low, f->values[i]);
          high = fmax (high, f->values[i]);
        }
      g_assert_cmpint (isnan (curve->y[c]), ==, c >= 50 && c < 60);
      if (isnan (curve->y[c]))
        continue;
      g_assert_cmpfloat (curve->y[c], <=, low);
      g_assert_cmpfloat (curve->y2[c], >=, high);
      if (c == 0 || c == 60)      /* no line connects points across a gap */
        {
          g_assert_cmpfloat (curve->y[c], ==, low);
          g_assert_cmpfloat (curve->y2[c], ==, high);
        }
    }
}

static void
test_heat (Fixture *f, gconstpointer unused)
{
  GilkFigureAsk ask = gilk_figure_ask (GILK_FIGURE_HEAT, "took");
  g_autoptr(GilkFigure) figure = NULL;
  uint64_t n = 0;

  ask.columns = 180;
  ask.log_y = TRUE;
  figure = make_figure (f, &ask, 0, 1);
  g_assert_cmpuint (figure->heat->columns, ==, 60);
  for (guint c = 0; c < 60; c++)
    {
      uint64_t here = 0;

      for (guint r = 0; r < figure->heat->rows; r++)
        here += gilk_heat_at (figure->heat, c, r);
      g_assert_cmpuint (here, ==, c >= 25 && c < 30 ? 0 : 200);
      n += here;
    }
  g_assert_cmpuint (n, ==, N - 1000);
  g_assert_nonnull (strstr (figure->caption, "1000 lost"));
}

/* Tests that one interval between samples, the one that spans the gap of lost samples, is left
 * out. */
static void
test_intervals (Fixture *f, gconstpointer unused)
{
  const GilkFigureAsk ask = gilk_figure_ask (GILK_FIGURE_ECDF, "interval");
  g_autoptr(GilkFigure) figure = make_figure (f, &ask, 0, 1);
  const GilkCurve *curve = g_ptr_array_index (figure->curves, 0);

  g_assert_cmpuint (figure->cut, ==, 1);
  g_assert_cmpuint (figure->samples, ==, N - 1000 - 2);
  for (guint i = 0; i < curve->n; i++)
    g_assert_cmpfloat (curve->x[i], <, 0.0011);
  g_assert_nonnull (strstr (figure->caption, "1 time between samples skipped because of gaps"));
}

static void
test_spectrum (Fixture *f, gconstpointer unused)
{
  GilkFigureAsk ask = gilk_figure_ask (GILK_FIGURE_SPECTRUM, NULL);
  g_autoptr(GilkFigure) lossy = make_figure (f, &ask, 0, 1), whole = NULL, none = NULL;

  whole = make_figure (f, &ask, 1, 1);
  g_assert_null (lossy->message);
  g_assert_null (whole->message);
  g_assert_nonnull (strstr (lossy->caption, "skipped because of gaps"));
  g_assert_null (strstr (whole->caption, "skipped because of gaps"));
  /* If several frequencies share a horizontal pixel, the curve has only one power there, because
   * several powers would draw a vertical line. */
  for (guint k = 1; k < ((const GilkCurve *) whole->curves->pdata[0])->n; k++)
    g_assert_cmpfloat (((const GilkCurve *) whole->curves->pdata[0])->x[k], >, ((const GilkCurve *) whole->curves->pdata[0])->x[k - 1]);
  none = make_figure (f, &ask, 2, 1);
  g_assert_nonnull (none->message);
}

static void
test_refusals (Fixture *f, gconstpointer unused)
{
  GilkFigureSource sources[GILK_FIGURE_CURVES_MAX + 1];
  GilkFigureAsk ask = gilk_figure_ask (GILK_FIGURE_ECDF, "took");
  g_autoptr(GError) error = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (sources); i++)
    sources[i] = make_source (f, 0);
  g_assert_null (gilk_figure_make (&ask, sources, G_N_ELEMENTS (sources), &error));
  g_assert_error (error, GILK_ERROR, GILK_ERROR_USAGE);
  g_clear_error (&error);
  ask.kind = GILK_FIGURE_HEAT;
  g_assert_null (gilk_figure_make (&ask, sources, 2, &error));
  g_assert_error (error, GILK_ERROR, GILK_ERROR_USAGE);
  g_clear_error (&error);
  ask.field = "colour";
  g_assert_null (gilk_figure_make (&ask, sources, 1, &error));
  g_assert_error (error, GILK_ERROR, GILK_ERROR_NOT_FOUND);
}

static void
test_cancelled (Fixture *f, gconstpointer unused)
{
  g_autoptr(GCancellable) cancellable = g_cancellable_new ();
  g_autoptr(GError) error = NULL;
  g_autoptr(GilkStore) store = gilk_store_open_read (f->at.path, cancellable, &error);
  GilkFigureSource one = make_source (f, 0);
  const GilkFigureAsk ask = gilk_figure_ask (GILK_FIGURE_HEAT, "took");

  one.store = store;
  g_cancellable_cancel (cancellable);
  g_assert_null (gilk_figure_make (&ask, &one, 1, &error));
  g_assert_error (error, GILK_ERROR, GILK_ERROR_CANCELLED);
}

/* ---- tests of splits and outliers ---- */

static void
test_split (Fixture *f, gconstpointer unused)
{
  g_autoptr(GError) error = NULL;
  uint64_t left;
  g_autoptr(GArray) splits = gilk_hook_split (f->store, &g_array_index (f->hooks, GilkStoredHook, 1), "cpu", NULL, 2,
                                              &left, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (splits->len, ==, 2);
  g_assert_cmpuint (g_array_index (splits, GilkSplit, 0).samples, ==, N / CPUS);
  g_assert_cmpuint (left, ==, N / CPUS);
  g_assert_cmpstr (g_array_index (splits, GilkSplit, 0).condition, ==, "cpu == 0");
}

static void
test_outliers (Fixture *f, gconstpointer unused)
{
  const GilkHookAsk ask = { .field = "took", .from = NAN, .to = NAN };
  g_autoptr(GError) error = NULL;
  g_autoptr(GArray) found = gilk_hook_outliers (f->store, &g_array_index (f->hooks, GilkStoredHook, 1), &ask, 5,
                                                &error);

  g_assert_no_error (error);
  g_assert_cmpuint (found->len, ==, 5);
  for (guint k = 0; k < 5; k++)
    {
      const GilkOutlier *one = &g_array_index (found, GilkOutlier, k);
      guint greater = 0, i = (guint) lrint (one->time * 1000.0);
      g_autoptr(GArray) before = gilk_samples_before (f->store, f->hooks, one->time, one->cpu, 3, &error);

      g_assert_no_error (error);
      g_assert_cmpfloat (one->value, ==, 2.0 * f->values[i]);
      g_assert_cmpuint (one->cpu, ==, i % CPUS);
      for (guint j = 0; j < N; j++)
        greater += 2.0 * f->values[j] > one->value;
      g_assert_cmpuint (greater, <=, k);
      g_assert_cmpuint (before->len, ==, 3);
      for (guint b = 0; b < 3; b++)
        g_assert_cmpfloat (g_array_index (before, GilkBefore, b).time, <, one->time);
      g_assert_cmpfloat_with_epsilon (g_array_index (before, GilkBefore, 2).time, one->time - 0.003, 1e-9);
    }
}

/* ---- test that every figure can be painted ---- */

static gboolean
has_ink (cairo_surface_t *image, const GilkPlotFrame *frame, const GilkColour *ground)
{
  const uint32_t *data = (const uint32_t *) (gpointer) cairo_image_surface_get_data (image);
  int stride = cairo_image_surface_get_stride (image) / 4;
  uint32_t paper = (uint32_t) lrint (ground->r * 255) << 16 | (uint32_t) lrint (ground->g * 255) << 8 |
                   (uint32_t) lrint (ground->b * 255);
  guint n = 0;

  for (int y = (int) frame->y + 2; y < (int) (frame->y + frame->height) - 2; y++)
    for (int x = (int) frame->x + 2; x < (int) (frame->x + frame->width) - 2; x++)
      n += (data[y * stride + x] & 0xffffff) != paper;

  return n > 50;
}

/* Paints figures of every kind: linear and logarithmic, with one and two hooks, light and dark,
 * large and small. */
static void
test_painted (Fixture *f, gconstpointer unused)
{
  for (guint round = 0; round < GILK_FIGURE_N_KINDS * 16; round++)
    {
      GilkFigureKind kind = (GilkFigureKind) (round / 16);
      GilkFigureAsk ask = gilk_figure_ask (kind, kind == GILK_FIGURE_RATE ? NULL : "took");
      const GilkPlotStyle *style = round & 4 ? &gilk_plot_dark : &gilk_plot_light;
      int width = round & 8 ? 1000 : 360, height = round & 8 ? 500 : 260;
      cairo_surface_t *image = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, width, height);
      cairo_t *cr = cairo_create (image);
      g_autoptr(GilkFigure) figure = NULL;
      GilkPlotFrame frame;

      ask.log_x = round & 1;
      ask.log_y = round & 2;
      figure = make_figure (f, &ask, 0, kind == GILK_FIGURE_HEAT || round & 4 ? 1 : 2);
      figure->title = g_strdup ("A title that is far longer than there is room for in a plot of this size");
      gilk_plot_figure (cr, width, height, style, figure);
      g_assert_cmpint (cairo_status (cr), ==, CAIRO_STATUS_SUCCESS);
      g_assert_true (gilk_plot_figure_frame (width, height, style, figure, &frame));
      g_assert_cmpfloat_with_epsilon (gilk_plot_frame_px (&frame, gilk_plot_frame_x (&frame, 200.0)), 200.0, 1e-6);
      cairo_destroy (cr);
      cairo_surface_flush (image);
      if (!has_ink (image, &frame, &style->background))
        g_error ("round %u: an empty plot", round);
      cairo_surface_destroy (image);
    }
}

#define ADD(path, func) g_test_add ("/figure/" path, Fixture, NULL, set_up, func, tear_down)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD ("beside", test_pair);
  ADD ("histogram", test_histogram);
  ADD ("compared", test_compared);
  ADD ("rate", test_rate);
  ADD ("rate-of-any-size", test_rate_of_any_size);
  ADD ("rate-by-tiles", test_rate_by_tiles);
  ADD ("distance", test_distance);
  ADD ("distance-cancelled", test_distance_cancelled);
  ADD ("series", test_series);
  ADD ("heat", test_heat);
  ADD ("intervals", test_intervals);
  ADD ("spectrum", test_spectrum);
  ADD ("refusals", test_refusals);
  ADD ("cancelled", test_cancelled);
  ADD ("split", test_split);
  ADD ("outliers", test_outliers);
  ADD ("painted", test_painted);

  return g_test_run ();
}

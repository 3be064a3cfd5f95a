/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test-plot.c - tests that plots stay inside their sheet, numbers are readable, files are complete
 * or absent
 *
 * With GILK_TEST_PICTURES=DIR the pictures are kept in DIR for inspection.
 */
/* Promise: plots stay on their sheet, and files are complete or absent */
#include <math.h>
#include <string.h>

#include <glib/gstdio.h>

#include "core/base/gilk-error.h"
#include "core/plot/gilk-plot.h"

#define WIDTH  760.0
#define HEIGHT 360.0

typedef struct {
  const GilkPlotStyle *style;
  GilkPlotText         text;
  GilkHistogram       *histogram;
  GilkFigure          *figure;
  const GilkBar       *bars;
  guint                n_bars;
} Scene;

static void
paint_histogram (cairo_t *cr, double width, double height, gpointer data)
{
  Scene *s = data;

  gilk_plot_histogram (cr, width, height, s->style, &s->text, s->histogram);
}

static void
paint_figure (cairo_t *cr, double width, double height, gpointer data)
{
  Scene *s = data;

  gilk_plot_figure (cr, width, height, s->style, s->figure);
}

static void
paint_bars (cairo_t *cr, double width, double height, gpointer data)
{
  Scene *s = data;

  gilk_plot_bars (cr, width, height, s->style, &s->text, s->bars, s->n_bars);
}

static void
save_picture (const char *name, GilkPaintFunc paint, Scene *scene)
{
  const char *dir = g_getenv ("GILK_TEST_PICTURES");
  g_autofree char *path = NULL;
  g_autoptr(GError) error = NULL;

  if (dir == NULL)
    return;
  path = g_strdup_printf ("%s/%s.png", dir, name);
  gilk_plot_to_file (path, GILK_PLOT_PNG, WIDTH, HEIGHT, paint, scene, &error);
  g_assert_no_error (error);
}

/* Checks that the outermost pixels have the background's colour, so nothing is clipped. */
static void
assert_margin_clean (GilkPaintFunc paint, Scene *scene, int width, int height)
{
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, width, height);
  cairo_t *cr = cairo_create (surface);
  const unsigned char *data;
  int stride;

  paint (cr, width, height, scene);
  g_assert_cmpint (cairo_status (cr), ==, CAIRO_STATUS_SUCCESS);
  cairo_destroy (cr);
  cairo_surface_flush (surface);
  data = cairo_image_surface_get_data (surface);
  stride = cairo_image_surface_get_stride (surface);
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++)
      if (x < 2 || y < 2 || x >= width - 2 || y >= height - 2)
        g_assert_cmpmem (data + y * stride + x * 4, 3, data, 3);
  cairo_surface_destroy (surface);
}

static void
check_plot (const char *name, GilkPaintFunc paint, Scene *scene)
{
  static const int sizes[][2] = { { 760, 360 }, { 400, 220 }, { 240, 160 }, { 1600, 900 } };

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    assert_margin_clean (paint, scene, sizes[i][0], sizes[i][1]);
  save_picture (name, paint, scene);
}

static double
draw_normal (GRand *rand)
{
  double u = g_rand_double_range (rand, 1e-12, 1.0), v = g_rand_double (rand);

  return sqrt (-2.0 * log (u)) * cos (2 * G_PI * v);
}

/* Draws random sleep times in ns, with modes at 2 µs and 90 µs. */
static double *
sleep_times (gsize n)
{
  GRand *rand = g_rand_new_with_seed (7);
  double *v = g_new (double, n);

  for (gsize i = 0; i < n; i++)
    v[i] = g_rand_double (rand) < 0.7 ? 2200.0 * exp (0.35 * draw_normal (rand))
                                      : 90000.0 * exp (0.6 * draw_normal (rand));
  g_rand_free (rand);

  return v;
}

static void
test_histograms (void)
{
  g_autofree double *v = sleep_times (200000);
  g_autoptr(GilkHistogram) logarithmic = gilk_histogram_new (v, 200000, 0, TRUE);
  g_autoptr(GilkHistogram) linear = gilk_histogram_new (v, 200000, 0, FALSE);
  g_autoptr(GilkHistogram) nothing = gilk_histogram_new (NULL, 0, 0, FALSE);
  Scene s = {
    .style = &gilk_plot_light,
    .text = { .title = "Time asleep in pipe_write", .x_label = "time asleep", .x_unit = "ns" },
    .histogram = logarithmic,
  };

  check_plot ("histogram-log", paint_histogram, &s);
  s.text.loss_note = "312 lost";
  s.style = &gilk_plot_dark;
  s.text.log_y = TRUE;
  check_plot ("histogram-dark-log-y", paint_histogram, &s);
  s.style = &gilk_plot_light;
  s.text.log_y = FALSE;
  s.histogram = linear;
  check_plot ("histogram-linear", paint_histogram, &s);
  s.histogram = nothing;
  check_plot ("histogram-empty", paint_histogram, &s);
}

static void
test_odd_histograms (void)
{
  static const double same[] = { 4711, 4711, 4711 };
  static const double pids[] = { 301, 301, 302, 303, 303, 303, 304, 304, 303, 303, 302 };
  static const double wide[] = { 1e-3, 1.0, 1e18 };
  static const double near[] = { 1000000.1, 1000000.2, 1000000.25, 1000000.3 };
  Scene s = { .style = &gilk_plot_light, .text = { .title = "pid" } };
  const struct { const char *name; const double *v; gsize n; gboolean log; } cases[] = {
    { "odd-same", same, 3, FALSE }, { "odd-same-log", same, 3, TRUE },
    { "odd-pids", pids, 11, FALSE }, { "odd-wide-log", wide, 3, TRUE },
    { "odd-near", near, 4, FALSE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      s.histogram = gilk_histogram_new (cases[i].v, cases[i].n, 0, cases[i].log);
      check_plot (cases[i].name, paint_histogram, &s);
      gilk_histogram_free (s.histogram);
    }
}

/* ---- tests of figures over time, and of writing files ---- */

enum { COLUMNS = 600, BINS = 200 };

static GilkFigure *
figure_of (const char *title, double to)
{
  GilkFigure *figure = gilk_figure_new (GILK_FIGURE_SERIES);

  figure->title = g_strdup (title);
  figure->x = (GilkFigureAxis) { g_strdup ("time since the run began"), g_strdup ("s"), GILK_SCALE_LINEAR, 0.0, to };
  figure->y = (GilkFigureAxis) { NULL, NULL, GILK_SCALE_LINEAR, INFINITY, -INFINITY };

  return figure;
}

/* Returns a figure of the minimum and maximum in each column. */
static GilkFigure *
series_of (const char *title, const double *times, const double *values, gsize n, double to)
{
  GilkFigure *figure = figure_of (title, to);
  GilkCurve *curve = gilk_figure_add_curve (figure, GILK_CURVE_RANGE, "h", COLUMNS);

  for (guint c = 0; c < COLUMNS; c++)
    {
      curve->x[c] = (c + 0.5) * to / COLUMNS;
      curve->y[c] = curve->y2[c] = NAN;
    }
  for (gsize i = 0; i < n; i++)
    {
      guint c = (guint) CLAMP (times[i] / to * COLUMNS, 0.0, COLUMNS - 1.0);

      curve->y[c] = fmin (curve->y[c], values[i]);
      curve->y2[c] = fmax (curve->y2[c], values[i]);
      figure->y.from = fmin (figure->y.from, values[i]);
      figure->y.to = fmax (figure->y.to, values[i]);
    }
  figure->y.label = g_strdup ("time asleep");
  figure->y.unit = g_strdup ("ns");

  return figure;
}

/* Returns a figure of a rate. @gaps: (nullable): gaps to shade, whose time does not count in the
 * rate */
static GilkFigure *
rate_of (const char *title, const double *times, gsize n, double to, GArray *gaps)
{
  GilkFigure *figure = figure_of (title, to);
  GilkCurve *curve = gilk_figure_add_curve (figure, GILK_CURVE_STEPS, "h", BINS);

  for (guint k = 0; k <= BINS; k++)
    curve->x[k] = k * to / BINS;
  for (gsize i = 0; i < n; i++)
    curve->y[(guint) CLAMP (times[i] / to * BINS, 0.0, BINS - 1.0)] += 1.0;
  gilk_rate_of_counts (curve->y, curve->x, BINS, gaps);
  for (guint k = 0; k < BINS; k++)
    figure->y.to = fmax (figure->y.to, curve->y[k]);
  figure->y.from = 0.0;
  figure->y.label = g_strdup ("hits per second");
  figure->gaps = gaps != NULL ? g_array_ref (gaps) : NULL;

  return figure;
}

static GilkCurve *
curve_of (GilkFigure *figure)
{
  return g_ptr_array_index (figure->curves, 0);
}

/* Returns the total darkness of the column at @time between heights @top and @bottom; 0 is the top
 * of the plot. */
static guint
ink_at (Scene *scene, double time, double top, double bottom)
{
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, WIDTH, HEIGHT);
  cairo_t *cr = cairo_create (surface);
  GilkPlotFrame frame;
  guint ink = 0;

  gilk_plot_figure (cr, WIDTH, HEIGHT, scene->style, scene->figure);
  g_assert_true (gilk_plot_figure_frame (WIDTH, HEIGHT, scene->style, scene->figure, &frame));
  cairo_surface_flush (surface);
  for (guint y = (guint) (frame.y + top * frame.height); y < (guint) (frame.y + bottom * frame.height); y++)
    {
      const uint8_t *row = cairo_image_surface_get_data (surface) +
                           (gsize) y * (gsize) cairo_image_surface_get_stride (surface);

      ink += 255u - row[4 * (gsize) gilk_plot_frame_px (&frame, time) + 1];
    }
  cairo_destroy (cr);
  cairo_surface_destroy (surface);

  return ink;
}

static gsize
draw_gaps (double *times, double *values)
{
  GRand *rand = g_rand_new_with_seed (3);
  gsize n = 0;

  for (double t = 0; t < 10; t += 0.0005 * (1 + 0.8 * sin (t)))
    if (t < 8 || t > 9.5 || g_rand_int_range (rand, 0, 3) == 0)
      {
        times[n] = t;
        values[n++] = 40 + 10 * sin (t * 2) + 2 * draw_normal (rand);
      }
  g_rand_free (rand);

  return n;
}

/* Tests that times when the hook was off are marked as not measured, and losses are hatched;
 * neither is drawn as zero. */
static void
test_gaps (void)
{
  static const GilkGap all[] = {
    { 8.0, 9.5, GILK_GAP_LOST, 3000 }, { 10.0, 20.0, GILK_GAP_OFF, 0 },
  };
  g_autoptr(GArray) gaps = g_array_new (FALSE, FALSE, sizeof (GilkGap));
  g_autofree double *times = g_new (double, 60000), *values = g_new (double, 60000);
  gsize n = draw_gaps (times, values);
  g_autoptr(GilkFigure) unknown = rate_of ("writer-sleeps", times, n, 20.0, NULL), rate = NULL, series = NULL;
  g_autoptr(GilkFigure) before = NULL, zero = NULL;
  Scene without = { .style = &gilk_plot_light, .figure = unknown }, with = without, as_zero = without;

  g_array_append_vals (gaps, all, 2);
  rate = rate_of ("writer-sleeps", times, n, 20.0, gaps);
  rate->subtitle = g_strdup ("pipe_write+0x2b1 pre, task, 6.1.0-56-amd64");
  rate->loss_note = g_strdup ("3,000 lost");
  with.figure = rate;
  check_plot ("gaps-unknown", paint_figure, &without);
  check_plot ("gaps-rate", paint_figure, &with);
  g_assert_cmpuint (ink_at (&with, 15.0, 0.1, 0.6), >, ink_at (&without, 15.0, 0.1, 0.6));
  g_assert_cmpuint (ink_at (&with, 8.7, 0.0, 0.2), >, ink_at (&without, 8.7, 0.0, 0.2));
  zero = rate_of ("writer-sleeps", times, n, 20.0, gaps);
  for (guint k = 0; k < BINS; k++)
    if (isnan (curve_of (zero)->y[k]))
      curve_of (zero)->y[k] = 0.0;
  g_assert_true (isnan (curve_of (rate)->y[BINS * 3 / 4]));
  as_zero.figure = zero;
  g_assert_cmpuint (ink_at (&as_zero, 15.0, 0.97, 1.0), >, ink_at (&with, 15.0, 0.97, 1.0));
  with.style = &gilk_plot_dark;
  check_plot ("gaps-rate-dark", paint_figure, &with);
  with.style = &gilk_plot_light;
  with.figure = series = series_of ("writer-sleeps", times, values, n, 20.0);
  series->gaps = g_array_ref (gaps);
  check_plot ("gaps-values", paint_figure, &with);
  with.figure = before = series_of ("writer-sleeps", times, values, 200, times[199]);
  before->gaps = g_array_ref (gaps);
  check_plot ("gaps-none-in-view", paint_figure, &with);
}

static void
test_series (void)
{
  GRand *rand = g_rand_new_with_seed (11);
  gsize n = 300000;
  g_autofree double *times = g_new (double, n);
  g_autofree double *values = g_new (double, n);
  g_autoptr(GilkFigure) dense = NULL, sparse = NULL, rate = NULL, empty = NULL;
  Scene s = { .style = &gilk_plot_light };

  for (gsize i = 0; i < n; i++)
    {
      times[i] = 20.0 * pow ((double) i / (double) n, 0.8);
      values[i] = 90000 + 30000 * sin (times[i] * 0.9) + 9000 * draw_normal (rand);
    }
  s.figure = dense = series_of ("Time asleep, over time", times, values, n, 20.0);
  check_plot ("series-dense", paint_figure, &s);
  s.figure = sparse = series_of ("Time asleep, over time", times, values, 40, times[39]);
  check_plot ("series-sparse", paint_figure, &s);
  s.figure = rate = rate_of ("Hits of pipe_write+0x2b1", times, n, 20.0, NULL);
  check_plot ("series-rate", paint_figure, &s);
  s.style = &gilk_plot_dark;
  rate->loss_note = g_strdup ("1,204 lost");
  check_plot ("series-rate-dark", paint_figure, &s);
  s.figure = empty = series_of ("Time asleep, over time", times, values, 0, 20.0);
  empty->message = g_strdup ("No samples.");
  check_plot ("series-empty", paint_figure, &s);
  g_rand_free (rand);
}

static void
test_bars (void)
{
  const GilkBar bars[] = {
    { NULL, 0, { 0 }, "waits for room: pipe_write" },
    { "cat", 18231, { 0 }, "62 %" },
    { "tr", 10422, { 0 }, "35 %" },
    { "sed", 912, { 0 }, "3 %" },
    { NULL, 0, { 0 }, "waits for data: pipe_read" },
    { "grep", 30877, gilk_plot_light.accent2, "97 %" },
    { "tr", 0, gilk_plot_light.accent2, NULL },
    { "a-process-with-a-very-long-name-indeed", 940, gilk_plot_light.accent2, "3 %" },
  };
  Scene s = {
    .style = &gilk_plot_light,
    .text = { .title = "How often each process slept where",
              .subtitle = "run 1 · 20 s · 61,382 samples", .loss_note = "7 lost" },
    .bars = bars, .n_bars = G_N_ELEMENTS (bars),
  };

  check_plot ("bars", paint_bars, &s);
  for (int y = 0, before = -1; y < HEIGHT; y++)
    {
      int at = gilk_plot_bar_at (WIDTH, HEIGHT, s.style, &s.text, bars, G_N_ELEMENTS (bars), y);

      g_assert_true (at < 0 || (at >= before && bars[at].label != NULL));
      before = MAX (at, before);
      g_assert_true (y < HEIGHT - 1 || before == G_N_ELEMENTS (bars) - 1);
    }
  g_assert_cmpint (gilk_plot_bar_at (WIDTH, HEIGHT, s.style, &s.text, bars, G_N_ELEMENTS (bars), 2), ==, -1);
  g_assert_cmpint (gilk_plot_bar_at (WIDTH, HEIGHT, s.style, &s.text, bars, 0, HEIGHT / 2), ==, -1);
  s.n_bars = 0;
  check_plot ("bars-empty", paint_bars, &s);
}

static void
test_numbers (void)
{
  const struct { double value; const char *unit; int digits; const char *text; } cases[] = {
    { 2310, "ns", 3, "2.31 µs" }, { 100, "ns", 3, "100 ns" }, { 0, "ns", 3, "0 s" },
    { 1e9, "ns", 3, "1 s" }, { 90.5, "s", 3, "90.5 s" }, { 12345, "s", 3, "12,345 s" },
    { 0.0000025, "s", 2, "2.5 µs" }, { 1284113, NULL, 3, "1.28 M" }, { 6000, "", 3, "6,000" },
    { 12345, NULL, 3, "12,345" }, { 4096, "B", 3, "4.1 kB" }, { -5, NULL, 2, "−5" },
    { 1e3, "Hz", 3, "1 kHz" }, { 0.25, NULL, 3, "0.25" }, { 100, NULL, 1, "100" },
    { NAN, "s", 3, "–" }, { INFINITY, "s", 3, "∞" }, { 999.96e-9, "s", 3, "1 µs" },
    { 999.6, "ns", 4, "999.6 ns" }, { 999900, "ns", 4, "999.9 µs" }, { 999960, "ns", 4, "1 ms" },
    { 0.99999e6, NULL, 4, "1 M" }, { 9999.5, "Hz", 3, "10 kHz" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *text = gilk_format_si (cases[i].value, cases[i].unit, cases[i].digits);

      g_assert_cmpstr (text, ==, cases[i].text);
    }
}

static void
test_frame (void)
{
  g_autofree double *v = sleep_times (1000);
  g_autoptr(GilkHistogram) h = gilk_histogram_new (v, 1000, 0, TRUE);
  GilkPlotText text = { .title = "t", .x_unit = "ns" };
  GilkPlotFrame f;

  gilk_plot_histogram_frame (WIDTH, HEIGHT, &text, &gilk_plot_light, h, &f);
  g_assert_cmpfloat (f.x, >, 10.0);
  g_assert_cmpfloat (f.x + f.width, <, WIDTH);
  g_assert_cmpfloat (fabs (gilk_plot_frame_x (&f, f.x) / h->edges[0] - 1.0), <, 1e-9);
  g_assert_cmpfloat (fabs (gilk_plot_frame_x (&f, f.x + f.width) / h->edges[h->n_bins] - 1.0),
                     <, 1e-9);
}

static void
test_files (void)
{
  g_autofree char *dir = g_dir_make_tmp ("gilk-plot-XXXXXX", NULL);
  g_autoptr(GilkHistogram) h = gilk_histogram_new (NULL, 0, 0, FALSE);
  Scene s = { .style = &gilk_plot_light, .text = { .title = "t" }, .histogram = h };
  const struct { GilkPlotFormat format; const char *name, *magic; } cases[] = {
    { GILK_PLOT_SVG, "p.svg", "<?xml" }, { GILK_PLOT_PNG, "p.png", "\x89PNG" },
    { GILK_PLOT_PDF, "p.pdf", "%PDF" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = g_build_filename (dir, cases[i].name, NULL);
      g_autofree char *content = NULL;
      g_autoptr(GError) error = NULL;
      gsize length;

      gilk_plot_to_file (path, cases[i].format, 300, 200, paint_histogram, &s, &error);
      g_assert_no_error (error);
      g_assert_true (g_file_get_contents (path, &content, &length, NULL));
      g_assert_true (g_str_has_prefix (content, cases[i].magic));
      g_assert_cmpint (g_unlink (path), ==, 0);
    }
  g_assert_cmpint (g_rmdir (dir), ==, 0);
}

static void
test_file_errors (void)
{
  g_autoptr(GilkHistogram) h = gilk_histogram_new (NULL, 0, 0, FALSE);
  Scene s = { .style = &gilk_plot_light, .text = { .title = "t" }, .histogram = h };
  const struct { const char *path; double width; int code; const char *says; } cases[] = {
    { "/dev/full", 300, GILK_ERROR_FAILED, "space" },
    { "/", 300, GILK_ERROR_FAILED, "is a folder" },
    { "/nonexistent/p.svg", 300, GILK_ERROR_NOT_FOUND, "folder /nonexistent does not exist" },
    { "/tmp/p.svg", 0, GILK_ERROR_USAGE, "Cannot make a plot" },
    { "/tmp/p.svg", NAN, GILK_ERROR_USAGE, "Cannot make a plot" },
    { "/tmp/p.svg", 1e6, GILK_ERROR_USAGE, "Cannot make a plot" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr(GError) error = NULL;

      g_assert_false (gilk_plot_to_file (cases[i].path, GILK_PLOT_SVG, cases[i].width, 200,
                                         paint_histogram, &s, &error));
      g_assert_error (error, GILK_ERROR, cases[i].code);
      g_assert_nonnull (strstr (error->message, cases[i].says));
    }
}

/* Tests that a graph as tall as that of a large kernel function is scaled down to the size limit of
 * each file format, and no further. */
static void
test_file_fit (void)
{
  double width = 3150, height = 31627;

  g_assert_cmpfloat (gilk_plot_fit (GILK_PLOT_SVG, &width, &height), ==, 1);
  g_assert_cmpfloat (gilk_plot_fit (GILK_PLOT_PDF, &width, &height), <, 0.46);
  g_assert_cmpfloat_with_epsilon (height, 14400, 1e-6);
  g_assert_cmpfloat_with_epsilon (width / height, 3150 / 31627.0, 1e-9);
  width = 3150;
  height = 31627;
  g_assert_cmpfloat (gilk_plot_fit (GILK_PLOT_PNG, &width, &height), <, 0.41);
  g_assert_cmpfloat (width * height, <=, 16.1e6);
  width = height = 500;
  g_assert_cmpfloat (gilk_plot_fit (GILK_PLOT_PNG, &width, &height), ==, 1);
}

/* ---- measurement of the speed, with -m perf ---- */

static void
time_painting (const char *what, GilkPaintFunc paint, Scene *scene)
{
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, 1600, 600);
  cairo_t *cr = cairo_create (surface);
  double ms;

  paint (cr, 1600, 600, scene);
  g_test_timer_start ();
  paint (cr, 1600, 600, scene);
  ms = g_test_timer_elapsed () * 1000;
  g_test_minimized_result (ms, "%s: %.1f ms", what, ms);
  cairo_destroy (cr);
  cairo_surface_destroy (surface);
}

static void
test_speed (void)
{
  gsize n = g_test_perf () ? 1000000 : 20000;
  g_autofree double *v = sleep_times (n);
  g_autofree double *times = g_new (double, n);
  GilkHistogram *h;
  double ms;
  g_autoptr(GilkFigure) series = NULL, rate = NULL;
  Scene s = { .style = &gilk_plot_light, .text = { .title = "t" } };

  for (gsize i = 0; i < n; i++)
    times[i] = (double) i / (double) n;
  series = series_of ("t", times, v, n, 1.0);
  rate = rate_of ("t", times, n, 1.0, NULL);
  g_test_timer_start ();
  h = gilk_histogram_new (v, n, 0, TRUE);
  ms = g_test_timer_elapsed () * 1000;
  g_test_minimized_result (ms, "histogram of %zu: %.1f ms", n, ms);
  s.histogram = h;
  time_painting ("paint histogram", paint_histogram, &s);
  s.figure = series;
  time_painting ("paint series", paint_figure, &s);
  s.figure = rate;
  time_painting ("paint rate", paint_figure, &s);
  gilk_histogram_free (h);
}

/* Counts the vertical strokes in the row of a plot that shows an interval, in a plot of width
 * @width, and checks that nothing is clipped at the sides. */
static guint
strokes_of (double low, double value, double high, const char *unit, int width)
{
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, width, 52);
  cairo_t *cr = cairo_create (surface);
  const uint32_t *row;
  guint strokes = 0;

  gilk_plot_interval (cr, width, 52, &gilk_plot_light, low, value, high, unit);
  g_assert_cmpint (cairo_status (cr), ==, CAIRO_STATUS_SUCCESS);
  cairo_surface_flush (surface);
  for (int y = 0; y < 52; y++)
    {
      row = (const uint32_t *) (gconstpointer) (cairo_image_surface_get_data (surface) + y * cairo_image_surface_get_stride (surface));
      g_assert_true (row[0] == 0 && row[width - 1] == 0);
      for (int x = 1; y == 15 && x < width; x++)
        strokes += row[x] != 0 && row[x - 1] == 0;
    }
  cairo_destroy (cr);
  cairo_surface_destroy (surface);

  return strokes;
}

/* Tests that if an interval contains zero, the strokes of the interval and the zero line are joined
 * to one stroke. */
static void
test_interval (void)
{
  g_assert_cmpuint (strokes_of (-12, -10, -8, "%", 252), ==, 2);
  g_assert_cmpuint (strokes_of (0.002, 0.003, 0.004, "s", 252), ==, 2);
  g_assert_cmpuint (strokes_of (-1, 0.5, 2, "%", 252), ==, 1);
  g_assert_cmpuint (strokes_of (0, 0, 0, "hits/s", 252), ==, 1);
  g_assert_cmpuint (strokes_of (-123456, 7, 234567, "hits/s", 252), ==, 1);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/plot/histograms", test_histograms);
  g_test_add_func ("/plot/odd-histograms", test_odd_histograms);
  g_test_add_func ("/plot/series", test_series);
  g_test_add_func ("/plot/gaps", test_gaps);
  g_test_add_func ("/plot/bars", test_bars);
  g_test_add_func ("/plot/interval", test_interval);
  g_test_add_func ("/plot/numbers", test_numbers);
  g_test_add_func ("/plot/frame", test_frame);
  g_test_add_func ("/plot/files", test_files);
  g_test_add_func ("/plot/file-errors", test_file_errors);
  g_test_add_func ("/plot/file/fit", test_file_fit);
  g_test_add_func ("/plot/speed", test_speed);

  return g_test_run ();
}

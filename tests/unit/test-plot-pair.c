/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test-plot-pair.c - tests that bars of two plots side by side share a scale
 */
#include <math.h>

#include "core/plot/gilk-plot.h"

#define WIDTH  640
#define HEIGHT 320

/* Returns the length in pixels of the longest bar painted. */
static int
bar_length (const GilkBar *bars, guint n, const GilkBar *beside, guint n_beside)
{
  const GilkPlotText text = { .title = "Hits by comm", .neighbour_bars = beside, .n_neighbour_bars = n_beside };
  cairo_surface_t *image = cairo_image_surface_create (CAIRO_FORMAT_RGB24, WIDTH, HEIGHT);
  cairo_t *cr = cairo_create (image);
  int longest = 0;

  cairo_set_source_rgb (cr, 1, 1, 1);
  cairo_paint (cr);
  gilk_plot_bars (cr, WIDTH, HEIGHT, &gilk_plot_light, &text, bars, n);
  cairo_surface_flush (image);
  for (int y = 0; y < HEIGHT; y++)
    {
      const guint32 *row = (const guint32 *) (gpointer) (cairo_image_surface_get_data (image) + y * cairo_image_surface_get_stride (image));
      int red = 0;

      for (int x = 0; x < WIDTH; x++)
        red += (row[x] >> 16 & 0xff) > 200 && (row[x] >> 8 & 0xff) < 90 && (row[x] & 0xff) < 90;
      longest = MAX (longest, red);
    }
  cairo_destroy (cr);
  cairo_surface_destroy (image);

  return longest;
}

/* Tests that in two plots side by side, the bar of 4,178 is shorter than the bar of 11,556, however
 * long the labels are. */
static void
test_bars_beside (void)
{
  const GilkColour red = { 1, 0, 0, 1 };
  const GilkBar here[] = { { "cat", 11556, red, "93 %" }, { "tr", 800, red, "7 %" } };
  const GilkBar there[] = { { "a-process-with-a-long-name", 4178, red, "100 %" } };
  int one = bar_length (here, 2, there, 1), other = bar_length (there, 1, here, 2);

  g_assert_cmpint (one, >, 100);
  g_assert_cmpfloat (fabs (other - one * 4178.0 / 11556.0), <, 2.0);
  g_assert_cmpint (bar_length (there, 1, NULL, 0), >, 2 * other);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/plot/bars-beside", test_bars_beside);

  return g_test_run ();
}

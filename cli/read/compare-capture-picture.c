/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * compare-capture-picture.c - draws figure 3 of the GILK paper: histogram and spectrum of a hook
 * and of a capture
 */
#include "cli/read/report.h"

#include "core/figure/gilk-figure.h"

#define WIDTH  1240
#define HEIGHT 720
/* Share of the picture's height for the two upper panels, which show values. The rest is for the
 * two lower panels, which show differences. */
#define UPPER  0.6

typedef struct {
  const GilkPlotStyle *style;
  GilkFigure          *figures[GILK_CAPTURE_N_PANELS];
} Panels;

static void
paint_panels (cairo_t *cr, double width, double height, gpointer data)
{
  const Panels *panels = data;

  for (guint i = 0; i < GILK_CAPTURE_N_PANELS; i++)
    {
      double top = i < 2 ? 0.0 : height * UPPER, panel = i < 2 ? height * UPPER : height * (1.0 - UPPER);

      cairo_save (cr);
      cairo_rectangle (cr, (i % 2) * width / 2, top, width / 2, panel);
      cairo_clip (cr);
      cairo_translate (cr, (i % 2) * width / 2, top);
      gilk_plot_figure (cr, width / 2, panel, panels->style, panels->figures[i]);
      cairo_restore (cr);
    }
}

gboolean
cli_compare_capture_draw (Cli *cli, const CliPicture *picture, const GilkCaptureComparison *comparison, GError **error)
{
  Panels panels = { .style = picture->dark ? &gilk_plot_dark : &gilk_plot_light };
  gboolean ok;

  for (guint i = 0; i < GILK_CAPTURE_N_PANELS; i++)
    panels.figures[i] = gilk_capture_figure (comparison, (GilkCapturePanel) i);
  ok = cli_picture_write (cli, picture, WIDTH, HEIGHT, paint_panels, &panels, error);
  for (guint i = 0; i < GILK_CAPTURE_N_PANELS; i++)
    gilk_figure_free (panels.figures[i]);

  return ok;
}

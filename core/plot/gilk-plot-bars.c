/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-plot-bars.c - draws horizontal bars in groups, with a number next to each bar
 *
 * Made for counts such as how often each process slept at each place: a group is a place, a bar is
 * a process. The numbers replace an axis.
 */
#include "core/plot/gilk-plot-private.h"

#include <glib/gi18n.h>
#include <math.h>

#define ROW_MAX   2.1             /* row heights, in multiples of the text size */
#define ROW_MIN   1.45
#define LABEL_MAX 0.35            /* maximum share of the width for labels */

typedef struct {
  double top, row, left, bar, figures;   /* @figures: width reserved to the right of the bars, for
                                          * numbers */
  guint  shown;
} BarsLayout;

static gboolean
is_heading (const GilkBar *bar)
{
  return bar->label == NULL;
}

static void
measure_bars (BarsLayout *l, GilkPainter *p, const GilkBar *bars, guint n_bars, double *labels)
{
  double size = p->style->size;

  for (guint i = 0; i < n_bars; i++)
    {
      g_autofree char *figure = gilk_format_count (bars[i].value);
      double note = 0.0;

      if (is_heading (&bars[i]))
        continue;
      if (bars[i].note != NULL)
        note = gilk_painter_text_width (p, bars[i].note, 1.0, FALSE) + 0.7 * size;
      *labels = MAX (*labels, gilk_painter_text_width (p, bars[i].label, 1.0, FALSE));
      l->figures = MAX (l->figures, gilk_painter_text_width (p, figure, 1.0, TRUE) + note);
    }
}

/* Measures only the bars that are shown, because there may be 50,000 bars. */
static void
lay_out_bars (BarsLayout *l, GilkPainter *p, const GilkPlotText *text, const GilkBar *bars, guint n_bars, double top)
{
  double size = p->style->size, labels = 0.0, room;
  guint most = MAX (n_bars, text->n_neighbour_bars);

  *l = (BarsLayout) { .top = top + 0.6 * size };
  room = p->height - l->top - 1.2 * size;
  l->row = CLAMP (room / MAX (most, 1), ROW_MIN * size, ROW_MAX * size);
  l->shown = n_bars;
  if (l->row * n_bars > room)
    l->shown = (guint) MAX (0.0, floor (room / l->row) - 1.0);
  measure_bars (l, p, bars, l->shown, &labels);
  measure_bars (l, p, text->neighbour_bars, MIN (text->n_neighbour_bars, (guint) MAX (0.0, floor (room / l->row))), &labels);
  labels = MIN (ceil (labels), p->width * LABEL_MAX);
  l->left = 1.2 * size + labels + 0.8 * size;
  l->bar = MAX (1.0, p->width - l->left - l->figures - 2.2 * size);
}

static void
draw_heading (GilkPainter *p, const BarsLayout *l, const GilkBar *bar, double y, gboolean first)
{
  double size = p->style->size;

  if (!first)
    {
      gilk_painter_line (p, 1.2 * size, y + 0.1 * l->row, p->width - 1.2 * size, y + 0.1 * l->row);
      gilk_painter_colour (p, &p->style->grid, 1.0);
      cairo_stroke (p->cr);
    }
  gilk_painter_text (p, 1.2 * size, y + 0.62 * l->row, 0.0, bar->note, 1.0, TRUE,
                     p->width - 2.4 * size, &p->style->text);
}

static void
draw_bar (GilkPainter *p, const BarsLayout *l, const GilkBar *bar, double y, double greatest)
{
  const GilkPlotStyle *style = p->style;
  const GilkColour *colour = bar->colour.a > 0.0 ? &bar->colour : &style->accent;
  g_autofree char *figure = gilk_format_count (bar->value);
  double size = style->size, middle = y + l->row / 2, x = l->left;
  double length = greatest > 0.0 ? rint (l->bar * MAX (bar->value, 0.0) / greatest) : 0.0;
  double thick = rint (MIN (l->row * 0.62, 1.3 * size)), top = rint (middle - thick / 2);

  gilk_painter_text (p, x - 0.8 * size, middle, 1.0, bar->label, 1.0, FALSE,
                     l->left - 2.0 * size, &style->text);
  if (bar->value > 0.0)
    length = MAX (length, 1.0);
  cairo_rectangle (p->cr, rint (x), top, length, thick);
  gilk_painter_blend (p, colour, 0.9);
  cairo_fill (p->cr);

  x = rint (x) + length + 0.6 * size;
  gilk_painter_text (p, x, middle, 0.0, figure, 1.0, TRUE, 0.0,
                     bar->value > 0.0 ? &style->text : &style->dim);
  x += gilk_painter_text_width (p, figure, 1.0, TRUE) + 0.7 * size;
  gilk_painter_text (p, x, middle, 0.0, bar->note, 1.0, FALSE, 0.0, &style->dim);
}

/* Draws the baseline of the bars, one piece per group. */
static void
draw_base (GilkPainter *p, const BarsLayout *l, const GilkBar *bars)
{
  double x = rint (l->left);

  for (guint i = 0; i < l->shown; i++)
    if (!is_heading (&bars[i]))
      gilk_painter_line (p, x - 1, l->top + i * l->row, x - 1, l->top + (i + 1) * l->row);
  gilk_painter_colour (p, &p->style->dim, 0.6);
  cairo_stroke (p->cr);
}

static double
find_greatest (const GilkBar *bars, guint n_bars)
{
  double greatest = 0.0;

  for (guint i = 0; i < n_bars; i++)
    greatest = MAX (greatest, is_heading (&bars[i]) ? 0.0 : bars[i].value);

  return greatest;
}

void
gilk_plot_bars (cairo_t             *cr,
                double               width,
                double               height,
                const GilkPlotStyle *style,
                const GilkPlotText  *text,
                const GilkBar       *bars,
                guint                n_bars)
{
  g_auto(GilkPainter) p = { NULL };
  double greatest, top;
  BarsLayout l;

  gilk_painter_init (&p, cr, width, height, style);
  top = gilk_painter_header (&p, text, text->subtitle);
  if (n_bars == 0)
    {
      gilk_painter_empty (&p, top, _("No samples"));
      return;
    }

  greatest = MAX (find_greatest (bars, n_bars), find_greatest (text->neighbour_bars, text->n_neighbour_bars));
  lay_out_bars (&l, &p, text, bars, n_bars, top);
  cairo_set_line_width (cr, 1.0);
  for (guint i = 0; i < l.shown; i++)
    {
      double y = l.top + i * l.row;

      if (is_heading (&bars[i]))
        draw_heading (&p, &l, &bars[i], y, i == 0);
      else
        draw_bar (&p, &l, &bars[i], y, greatest);
    }
  draw_base (&p, &l, bars);
  if (l.shown < n_bars)
    {
      g_autofree char *count = gilk_format_count (n_bars - l.shown);
      g_autofree char *more = g_strdup_printf (_("and %s more"), count);

      gilk_painter_text (&p, 1.2 * style->size, l.top + (l.shown + 0.5) * l.row, 0.0, more, 1.0,
                         FALSE, 0.0, &style->dim);
    }
}

int
gilk_plot_bar_at (double               width,
                  double               height,
                  const GilkPlotStyle *style,
                  const GilkPlotText  *text,
                  const GilkBar       *bars,
                  guint                n_bars,
                  double               y)
{
  cairo_surface_t *nothing = cairo_recording_surface_create (CAIRO_CONTENT_COLOR_ALPHA, NULL);
  cairo_t *cr = cairo_create (nothing);
  BarsLayout l = { .shown = 0 };
  double row;

  {
    g_auto(GilkPainter) p = { NULL };

    gilk_painter_init (&p, cr, width, height, style);
    if (n_bars > 0)
      lay_out_bars (&l, &p, text, bars, n_bars, gilk_painter_header (&p, text, text->subtitle));
  }
  cairo_destroy (cr);
  cairo_surface_destroy (nothing);
  row = l.shown > 0 ? floor ((y - l.top) / l.row) : -1.0;

  return row >= 0.0 && row < l.shown && !is_heading (&bars[(guint) row]) ? (int) row : -1;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-plot-heat.c - draws the cells of a heat map, and the colour bar that maps colours to counts
 *
 * Cells are one small image, so that the SVG of a day is not a hundred thousand rectangles.
 */
#include "core/plot/gilk-plot-private.h"

#include <glib/gi18n.h>
#include <math.h>

#define BAR_PX     12.0
#define LOG_FROM   20             /* the colour scale is logarithmic if the maximum count is above
                                   * this */
#define MAGNIFIED  4              /* size of a cell of the map in files, in pixels: large, because
                                   * viewers may smooth images */

static uint64_t
find_greatest (const GilkFigure *figure)
{
  return MAX (MAX (gilk_heat_greatest (figure->heat), figure->neighbour_max), 1);
}

/* Maps a count of 1 to 0, and the maximum count to 1. */
static double
scale_count (uint64_t count, uint64_t most)
{
  if (most <= 1)
    return 1.0;
  if (most > LOG_FROM)
    return log ((double) count) / log ((double) most);

  return (double) (count - 1) / (double) (most - 1);
}

static GilkColour
interpolate_colour (const GilkPlotStyle *style, double t)
{
  double at = CLAMP (t, 0.0, 1.0) * (GILK_PLOT_RAMP - 1);
  guint i = MIN ((guint) at, GILK_PLOT_RAMP - 2);
  const GilkColour *a = &style->ramp[i], *b = &style->ramp[i + 1];
  double share = at - i;

  return (GilkColour) { a->r + share * (b->r - a->r), a->g + share * (b->g - a->g),
                        a->b + share * (b->b - a->b), 1.0 };
}

static uint32_t
colour_to_pixel (const GilkColour *colour)
{
  return 0xff000000u | (uint32_t) lrint (colour->r * 255) << 16 | (uint32_t) lrint (colour->g * 255) << 8 |
         (uint32_t) lrint (colour->b * 255);
}

static cairo_surface_t *
make_image (const GilkFigure *figure, const GilkPlotStyle *style, guint times)
{
  const GilkHeat *heat = figure->heat;
  cairo_surface_t *image = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, (int) (heat->columns * times),
                                                       (int) (heat->rows * times));
  guchar *data = cairo_image_surface_get_data (image);
  int stride = cairo_image_surface_get_stride (image);
  uint64_t most = find_greatest (figure);

  if (data == NULL)
    return image;
  for (guint y = 0; y < heat->rows * times; y++)
    {
      uint32_t *line = (uint32_t *) (gpointer) (data + (gsize) y * (gsize) stride);

      for (guint x = 0; x < heat->columns * times; x++)
        {
          uint64_t count = gilk_heat_at (heat, x / times, heat->rows - 1 - y / times);
          GilkColour colour;

          if (count == 0)
            continue;
          colour = interpolate_colour (style, scale_count (count, most));
          line[x] = colour_to_pixel (&colour);
        }
    }
  cairo_surface_mark_dirty (image);

  return image;
}

void
gilk_painter_cells (GilkPainter        *p,
                    const GilkPlotArea *area,
                    const GilkFigure   *figure)
{
  const GilkHeat *heat = figure->heat;
  gboolean in_file = cairo_surface_get_type (cairo_get_target (p->cr)) != CAIRO_SURFACE_TYPE_IMAGE &&
                     cairo_surface_get_type (cairo_get_target (p->cr)) != CAIRO_SURFACE_TYPE_XLIB;
  guint times = in_file ? MAGNIFIED : 1;
  double left = gilk_plot_area_x (area, heat->from), right = gilk_plot_area_x (area, heat->to);
  double top = gilk_plot_area_y (area, gilk_heat_edge (heat, heat->rows));
  double bottom = gilk_plot_area_y (area, gilk_heat_edge (heat, 0));
  cairo_surface_t *image = make_image (figure, p->style, times);

  cairo_save (p->cr);
  cairo_rectangle (p->cr, area->left, area->top, area->right - area->left, area->bottom - area->top);
  cairo_clip (p->cr);
  cairo_translate (p->cr, left, top);
  cairo_scale (p->cr, (right - left) / (heat->columns * times), (bottom - top) / (heat->rows * times));
  cairo_set_source_surface (p->cr, image, 0, 0);
  cairo_pattern_set_filter (cairo_get_source (p->cr), CAIRO_FILTER_NEAREST);
  cairo_paint (p->cr);
  cairo_restore (p->cr);
  cairo_surface_destroy (image);
}

/* ---- colour bar ---- */

static const char *
get_counted_name (const GilkFigure *figure)
{
  return figure->counted != NULL ? figure->counted : _("samples");
}

double
gilk_painter_ramp_width (GilkPainter      *p,
                         const GilkFigure *figure)
{
  g_autofree char *most = gilk_format_count ((double) find_greatest (figure));

  return BAR_PX + 2.6 * p->style->size +
         MAX (gilk_painter_text_width (p, most, 1.0, FALSE), gilk_painter_text_width (p, get_counted_name (figure), 0.95, FALSE) - BAR_PX);
}

static void
draw_ticks (GilkPainter *p, const GilkAxis *axis, double x, double top, double bottom)
{
  double size = p->style->size;

  for (guint i = 0; i < axis->ticks->len; i++)
    {
      const GilkTick *tick = &g_array_index (axis->ticks, GilkTick, i);
      double y = bottom - gilk_axis_position (axis, tick->value) * (bottom - top);

      if (tick->label == NULL)
        continue;
      gilk_painter_line (p, x, y, x + 0.35 * size, y);
      gilk_painter_colour (p, &p->style->dim, 0.7);
      cairo_stroke (p->cr);
      gilk_painter_text (p, x + 0.7 * size, y, 0.0, tick->label, 1.0, FALSE, 0.0, &p->style->dim);
    }
}

void
gilk_painter_ramp (GilkPainter        *p,
                   const GilkPlotArea *area,
                   const GilkFigure   *figure)
{
  g_auto(GilkAxis) axis = { 0 };
  uint64_t most = find_greatest (figure);
  double x = area->right + 1.4 * p->style->size, size = p->style->size;
  double top = area->top, bottom = area->bottom;

  gilk_painter_text (p, x, area->top - 1.2 * size, 0.0, get_counted_name (figure), 0.95, FALSE, 0.0, &p->style->dim);
  if (most == 1)
    bottom = top + BAR_PX;
  for (double y = top; y < bottom; y += 1.0)
    {
      GilkColour colour = interpolate_colour (p->style, 1.0 - (y - top) / MAX (bottom - top - 1.0, 1.0));

      if (most == 1)
        colour = interpolate_colour (p->style, 1.0);
      cairo_rectangle (p->cr, x, y, BAR_PX, MIN (1.0, bottom - y));
      cairo_set_source_rgb (p->cr, colour.r, colour.g, colour.b);
      cairo_fill (p->cr);
    }
  if (most == 1)
    {
      gilk_painter_text (p, x + BAR_PX + 0.7 * size, (top + bottom) / 2, 0.0, "1", 1.0, FALSE, 0.0, &p->style->dim);
      return;
    }
  gilk_axis_init (&axis, p, 1.0, (double) most, most > LOG_FROM ? GILK_AXIS_LOG : GILK_AXIS_WHOLE, NULL,
                  bottom - top, TRUE);
  draw_ticks (p, &axis, x + BAR_PX, top, bottom);
}

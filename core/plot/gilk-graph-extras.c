/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-graph-extras.c - what stands beside a graph: its minimap and its legend; and a picture of it alone
 */
#include <glib/gi18n.h>
#include <math.h>

#include "core/plot/gilk-graph-paint.h"
#include "core/plot/gilk-graph-private.h"

static void
set_colour (cairo_t          *cr,
            const GilkColour *colour)
{
  cairo_set_source_rgba (cr, colour->r, colour->g, colour->b, colour->a);
}

void
gilk_graph_paint_minimap (cairo_t             *cr,
                          const GilkGraph     *graph,
                          const GilkPlotStyle *style,
                          const GilkGraphLook *look,
                          const GilkBox       *visible,
                          double               width,
                          double               height)
{
  const GilkLayout *layout = graph->layout;
  double scale = MIN (width / MAX (layout->width, 1), height / MAX (layout->height, 1));

  cairo_save (cr);
  cairo_translate (cr, (width - scale * layout->width) / 2,
                   (height - scale * layout->height) / 2);
  cairo_scale (cr, scale, scale);
  for (guint i = 0; i < layout->n_blocks; i++)
    {
      const GilkBox *box = &layout->blocks[i];
      GilkColour fill = style->dim;

      fill.a = 0.5;
      if (look->hits != NULL && look->hits[i] != GILK_HITS_UNKNOWN)
        fill = gilk_graph_heat (style, look->hits[i], look->hits_max, look->log_heat);
      if (look->block == (int) i)
        fill = style->accent;
      set_colour (cr, &fill);
      cairo_rectangle (cr, box->x, box->y, MAX (box->width, 1.5 / scale),
                       MAX (box->height, 1.5 / scale));
      cairo_fill (cr);
    }
  if (visible != NULL)
    {
      double left = MAX (visible->x, 0), top = MAX (visible->y, 0);
      double right = MIN (visible->x + visible->width, layout->width);
      double bottom = MIN (visible->y + visible->height, layout->height);

      cairo_rectangle (cr, left, top, MAX (right - left, 0), MAX (bottom - top, 0));
      cairo_set_source_rgba (cr, style->accent.r, style->accent.g, style->accent.b, 0.1);
      cairo_fill_preserve (cr);
      set_colour (cr, &style->accent);
      cairo_set_line_width (cr, 1.2 / scale);
      cairo_stroke (cr);
    }
  cairo_restore (cr);
}

static double
legend_text (cairo_t             *cr,
             const GilkPlotStyle *style,
             const char          *text,
             double               x,
             double               middle)
{
  g_autoptr(PangoLayout) layout = pango_cairo_create_layout (cr);
  g_autoptr(PangoFontDescription) font = pango_font_description_new ();
  int width, height;

  pango_font_description_set_family (font, style->font);
  pango_font_description_set_absolute_size (font, style->size * PANGO_SCALE);
  pango_layout_set_font_description (layout, font);
  pango_layout_set_text (layout, text, -1);
  pango_layout_get_pixel_size (layout, &width, &height);
  set_colour (cr, &style->text);
  cairo_move_to (cr, x, middle - height / 2.0);
  pango_cairo_show_layout (cr, layout);

  return x + width;
}

static double
legend_scale (cairo_t             *cr,
              const GilkPlotStyle *style,
              const GilkGraphLook *look,
              double               x,
              double               middle)
{
  const double length = 72;
  cairo_pattern_t *ramp;
  g_autofree char *most = gilk_format_si (look->hits_max, "", 3);
  g_autofree char *label = look->log_heat ? g_strdup_printf (_("%s (log)"), g_strchomp (most))
                                             : g_strdup (g_strchomp (most));

  x = legend_text (cr, style, _("hits 0"), x, middle) + 6;
  ramp = cairo_pattern_create_linear (x, 0, x + length, 0);
  cairo_pattern_add_color_stop_rgb (ramp, 0, style->heat_low.r, style->heat_low.g, style->heat_low.b);
  cairo_pattern_add_color_stop_rgb (ramp, 1, style->heat_high.r, style->heat_high.g, style->heat_high.b);
  cairo_rectangle (cr, x, middle - 5, length, 10);
  cairo_set_source (cr, ramp);
  cairo_fill_preserve (cr);
  set_colour (cr, &style->grid);
  cairo_set_line_width (cr, 1);
  cairo_stroke (cr);
  cairo_pattern_destroy (ramp);

  return legend_text (cr, style, label, x + length + 6, middle) + 18;
}

typedef struct {
  GilkMark    mark;
  const char *label;
} Key;

double
gilk_graph_paint_legend (cairo_t             *cr,
                         const GilkPlotStyle *style,
                         const GilkGraphLook *look,
                         double               height)
{
  static const Key keys[] = {
    { GILK_MARK_FREE, N_("free") },
    { GILK_MARK_PLANNED, N_("planned") },
    { GILK_MARK_LIVE, N_("live") },
    { GILK_MARK_REFUSED, N_("refused") },
    { GILK_MARK_OTHER, N_("another client's") },
  };
  static const Key hooked = { GILK_MARK_PLANNED, N_("hooked") };
  const Key *key = look->recorded ? &hooked : keys;
  guint n = look->recorded ? 1 : G_N_ELEMENTS (keys) - !look->others;
  double x = 12, middle = height / 2;

  if (look->hits != NULL && look->hits_max > 0)
    x = legend_scale (cr, style, look, x, middle);
  for (guint i = 0; i < n; i++)
    {
      gilk_graph_paint_mark (cr, style, key[i].mark, x + 7, middle, GILK_GRAPH_NOTCH_R * 0.95);
      x = legend_text (cr, style, _(key[i].label), x + 20, middle) + 16;
    }

  return x - 4;
}

void
gilk_graph_paint_picture (cairo_t  *cr,
                          double    width,
                          double    height,
                          gpointer  picture)
{
  const GilkGraphPicture *p = picture;
  double w = p->graph->layout->width + 2 * GILK_GRAPH_MARGIN;
  double h = p->graph->layout->height + 2 * GILK_GRAPH_MARGIN;
  double scale = MIN (width / w, height / h);

  set_colour (cr, &p->style->background);
  cairo_paint (cr);
  cairo_save (cr);
  cairo_translate (cr, (width - scale * w) / 2, (height - scale * h) / 2);
  cairo_scale (cr, scale, scale);
  cairo_translate (cr, GILK_GRAPH_MARGIN, GILK_GRAPH_MARGIN);
  gilk_graph_paint (cr, p->graph, p->style, p->look, NULL, 1);
  cairo_restore (cr);
}

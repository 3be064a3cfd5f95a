/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-graph-extras.c - paints the minimap and the legend of a graph, and the graph alone as a
 * picture
 */
#include <glib/gi18n.h>
#include <math.h>

#include "core/plot/gilk-graph-paint.h"
#include "core/plot/gilk-graph-private.h"

#define STRETCH 3.0        /* maximum ratio between the horizontal
                            * and the vertical scale of the minimap */
#define STAMP   10         /* px: size of a hook's mark in the minimap, with a margin */
#define STAMP_MARK 2.6     /* px: radius of a hook's mark */

void
gilk_graph_minimap_scale (const GilkLayout *layout,
                          double            width,
                          double            height,
                          double           *x,
                          double           *y)
{
  *x = width / MAX (layout->width, 1);
  *y = height / MAX (layout->height, 1);
  *x = MIN (*x, *y * STRETCH);
  *y = MIN (*y, *x * STRETCH);
}

static void
paint_map_block (cairo_t             *cr,
                 const GilkGraph     *graph,
                 const GilkPlotStyle *style,
                 const GilkGraphLook *look,
                 guint                block,
                 double               sx,
                 double               sy)
{
  const GilkBox *box = &graph->layout->blocks[block];
  GilkColour fill = style->dim;
  gboolean inferred;
  uint64_t hits;

  if (gilk_graph_is_hidden (graph, block))
    return;
  fill.a = 0.5;
  if (!gilk_graph_layer_strip (style, look, block, &fill) && gilk_graph_block_hits (look, block, &hits, &inferred))
    fill = gilk_graph_heat (style, hits, look->hits_max, look->log_heat);
  if (gilk_graph_is_dimmed (graph, look, block))
    fill.a *= 0.3;
  if (look->block == (int) block)
    fill = style->accent;
  gilk_graph_set_colour (cr, &fill);
  cairo_rectangle (cr, box->x * sx, box->y * sy, MAX (box->width * sx, 1.5), MAX (box->height * sy, 1.5));
  cairo_fill (cr);
}

/* Returns an image of a diamond, to be copied: drawing a diamond for each of a thousand hooks takes
 * longer than the rest of a frame. (transfer full) */
static cairo_surface_t *
make_hook_stamp (cairo_t             *cr,
                 const GilkPlotStyle *style)
{
  cairo_surface_t *stamp = cairo_surface_create_similar (cairo_get_target (cr), CAIRO_CONTENT_COLOR_ALPHA, STAMP, STAMP);
  cairo_t *on = cairo_create (stamp);

  gilk_graph_paint_mark (on, style, GILK_MARK_PLANNED, STAMP / 2.0, STAMP / 2.0, STAMP_MARK);
  cairo_destroy (on);

  return stamp;
}

/* Marks a block that has a hook. The mark has the same size in every minimap, and is at whole
 * pixels, so that painting is a plain copy. */
static void
paint_map_hook (cairo_t             *cr,
                const GilkGraph     *graph,
                const GilkGraphLook *look,
                guint                block,
                cairo_surface_t     *stamp,
                double               sx,
                double               sy)
{
  const GilkBox *box = &graph->layout->blocks[block];
  const GilkMark mark = look->marks[2 * block] == GILK_MARK_LIVE ? GILK_MARK_LIVE : look->marks[2 * block + 1];
  gboolean planned = look->marks[2 * block] == GILK_MARK_PLANNED || mark == GILK_MARK_PLANNED;
  double x = (box->x + box->width) * sx - STAMP / 2.0, y = (box->y + box->height / 2.0) * sy - STAMP / 2.0;

  if (!planned && mark != GILK_MARK_LIVE)
    return;
  cairo_user_to_device (cr, &x, &y);
  x = round (x);
  y = round (y);
  cairo_device_to_user (cr, &x, &y);
  cairo_set_source_surface (cr, stamp, x, y);
  cairo_rectangle (cr, x, y, STAMP, STAMP);
  cairo_fill (cr);
}

static void
paint_map_hooks (cairo_t             *cr,
                 const GilkGraph     *graph,
                 const GilkPlotStyle *style,
                 const GilkGraphLook *look,
                 double               sx,
                 double               sy)
{
  cairo_surface_t *stamp = make_hook_stamp (cr, style);

  for (guint i = 0; i < graph->layout->n_blocks; i++)
    paint_map_hook (cr, graph, look, i, stamp, sx, sy);
  cairo_surface_destroy (stamp);
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
  double sx, sy;

  gilk_graph_minimap_scale (layout, width, height, &sx, &sy);
  cairo_save (cr);
  cairo_translate (cr, (width - sx * layout->width) / 2, (height - sy * layout->height) / 2);
  for (guint i = 0; i < layout->n_blocks; i++)
    paint_map_block (cr, graph, style, look, i, sx, sy);
  if (look->marks != NULL)
    paint_map_hooks (cr, graph, style, look, sx, sy);
  if (visible != NULL)
    {
      double left = MAX (visible->x, 0), top = MAX (visible->y, 0);
      double right = MIN (visible->x + visible->width, layout->width);
      double bottom = MIN (visible->y + visible->height, layout->height);

      cairo_rectangle (cr, left * sx, top * sy, MAX (right - left, 0) * sx, MAX (bottom - top, 0) * sy);
      cairo_set_source_rgba (cr, style->accent.r, style->accent.g, style->accent.b, 0.1);
      cairo_fill_preserve (cr);
      gilk_graph_set_colour (cr, &style->accent);
      cairo_set_line_width (cr, 1.2);
      cairo_stroke (cr);
    }
  cairo_restore (cr);
}

static double
paint_legend_scale (cairo_t             *cr,
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

  x = gilk_graph_legend_text (cr, style, _("hits 0"), x, middle) + 6;
  ramp = cairo_pattern_create_linear (x, 0, x + length, 0);
  cairo_pattern_add_color_stop_rgb (ramp, 0, style->heat_low.r, style->heat_low.g, style->heat_low.b);
  cairo_pattern_add_color_stop_rgb (ramp, 1, style->heat_high.r, style->heat_high.g, style->heat_high.b);
  cairo_rectangle (cr, x, middle - 5, length, 10);
  cairo_set_source (cr, ramp);
  cairo_fill_preserve (cr);
  gilk_graph_set_colour (cr, &style->grid);
  cairo_set_line_width (cr, 1);
  cairo_stroke (cr);
  cairo_pattern_destroy (ramp);

  return gilk_graph_legend_text (cr, style, label, x + length + 6, middle) + 18;
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

  x = gilk_graph_layer_legend (cr, style, look, x, middle);
  if (look->layer == GILK_LAYER_HEAT && look->hits != NULL && look->hits_max > 0)
    x = paint_legend_scale (cr, style, look, x, middle);
  /* Leave out the legend of marks if colours show tactics or costs: their legend needs the
   * space. */
  if (look->layer != GILK_LAYER_HEAT && look->tactics != NULL)
    n = 0;
  for (guint i = 0; i < n; i++)
    {
      gilk_graph_paint_mark (cr, style, key[i].mark, x + 7, middle, GILK_GRAPH_NOTCH_R * 0.95);
      x = gilk_graph_legend_text (cr, style, _(key[i].label), x + 20, middle) + 16;
    }

  if (look->dim_reason != NULL)
    x = gilk_graph_legend_text (cr, style, look->dim_reason, x, middle) + 16;

  return x - 4;
}

void
gilk_graph_paint_picture (cairo_t *cr,
                          double   width,
                          double   height,
                          gpointer picture)
{
  const GilkGraphPicture *p = picture;
  double w = p->graph->layout->width + 2 * GILK_GRAPH_MARGIN;
  double h = p->graph->layout->height + 2 * GILK_GRAPH_MARGIN;
  double scale = MIN (width / w, height / h);

  gilk_graph_set_colour (cr, &p->style->background);
  cairo_paint (cr);
  cairo_save (cr);
  cairo_translate (cr, (width - scale * w) / 2, (height - scale * h) / 2);
  cairo_scale (cr, scale, scale);
  cairo_translate (cr, GILK_GRAPH_MARGIN, GILK_GRAPH_MARGIN);
  gilk_graph_paint (cr, p->graph, p->style, p->look, NULL, 1);
  cairo_restore (cr);
}

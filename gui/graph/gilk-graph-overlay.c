/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-graph-overlay.c - minimap in a corner of the graph, and the legend below it
 */
#include "gui/graph/gilk-graph-view-private.h"

#define MAP_WIDTH     132
#define MAP_HEIGHT    168
#define MAP_SMALL     0.6         /* scale of the minimap if it does not fit at full size */
#define MAP_PADDING   6
#define INSET         14          /* distance from the edges of the drawing, pixels */
#define MAP_GAP       4           /* pixels between minimap and blocks */
#define CORNERS       4

static gboolean
is_all_visible (const GilkViewport *port,
                const GilkLayout   *layout)
{
  return port->x <= 0 && port->y <= 0 && port->x + port->width / port->scale >= layout->width &&
         port->y + port->height / port->scale >= layout->height;
}

static gboolean
is_free (const GilkViewport *port,
         const GilkGraph    *graph,
         const GdkRectangle *place)
{
  const GdkRectangle room = { place->x - MAP_GAP, place->y - MAP_GAP, place->width + 2 * MAP_GAP, place->height + 2 * MAP_GAP };
  GdkRectangle block;

  if (place->y < INSET || place->height > port->height / 2 || place->x < INSET ||
      place->x + place->width > port->width - INSET || place->y + place->height > port->height - INSET)
    return FALSE;
  for (guint i = 0; i < graph->layout->n_blocks; i++)
    {
      gilk_viewport_extents (port, &graph->layout->blocks[i], &block);
      if (!gilk_graph_is_hidden (graph, i) && gdk_rectangle_intersect (&room, &block, NULL))
        return FALSE;
    }

  return TRUE;
}

static GdkRectangle
find_corner (const GilkViewport *port,
             guint               corner,
             double              size)
{
  const int width = (int) (size * MAP_WIDTH), height = (int) (size * MAP_HEIGHT);
  const gboolean left = corner & 1, top = corner & 2;

  return (GdkRectangle) { left ? INSET : port->width - width - INSET, top ? INSET : port->height - height - INSET, width, height };
}

gboolean
gilk_overlay_place_map (const GilkViewport *port,
                        const GilkGraph    *graph,
                        GdkRectangle       *map)
{
  if (is_all_visible (port, graph->layout))
    return FALSE;
  for (guint i = 0; i < CORNERS; i++)
    {
      const GdkRectangle corner = find_corner (port, i, 1);

      if (gdk_rectangle_equal (&corner, map) && is_free (port, graph, &corner))
        return TRUE;
    }
  for (guint i = 0; i < 2 * CORNERS; i++)
    {
      const GdkRectangle corner = find_corner (port, i % CORNERS, i < CORNERS ? 1 : MAP_SMALL);

      if (is_free (port, graph, &corner))
        {
          *map = corner;
          return TRUE;
        }
    }

  return FALSE;
}

void
gilk_overlay_from_map (const GdkRectangle *map,
                       const GilkLayout   *layout,
                       double             *x,
                       double             *y)
{
  const double width = map->width - 2 * MAP_PADDING, height = map->height - 2 * MAP_PADDING;
  double sx, sy;

  gilk_graph_minimap_scale (layout, width, height, &sx, &sy);
  *x = (*x - map->x - MAP_PADDING - (width - sx * layout->width) / 2) / sx;
  *y = (*y - map->y - MAP_PADDING - (height - sy * layout->height) / 2) / sy;
}

static void
draw_panel (cairo_t             *cr,
            const GilkPlotStyle *style,
            double               x,
            double               y,
            double               width,
            double               height)
{
  cairo_rectangle (cr, x + 0.5, y + 0.5, width - 1, height - 1);
  cairo_set_source_rgba (cr, style->surface.r, style->surface.g, style->surface.b, 0.94);
  cairo_fill_preserve (cr);
  cairo_set_source_rgba (cr, style->dim.r, style->dim.g, style->dim.b, 0.45);
  cairo_set_line_width (cr, 1);
  cairo_stroke (cr);
}

void
gilk_overlay_draw_map (cairo_t             *cr,
                       const GdkRectangle  *map,
                       const GilkGraph     *graph,
                       const GilkPlotStyle *style,
                       const GilkGraphLook *look,
                       const GilkBox       *visible)
{
  draw_panel (cr, style, map->x, map->y, map->width, map->height);
  cairo_save (cr);
  cairo_translate (cr, map->x + MAP_PADDING, map->y + MAP_PADDING);
  gilk_graph_paint_minimap (cr, graph, style, look, visible, map->width - 2 * MAP_PADDING, map->height - 2 * MAP_PADDING);
  cairo_restore (cr);
}

void
gilk_overlay_draw_legend (cairo_t             *cr,
                          const GilkViewport  *port,
                          const GilkPlotStyle *style,
                          const GilkGraphLook *look)
{
  cairo_save (cr);
  cairo_translate (cr, 0, port->height);
  cairo_rectangle (cr, 0, 0, port->width, GILK_OVERLAY_STRIP);
  cairo_clip (cr);
  cairo_set_source_rgb (cr, style->surface.r, style->surface.g, style->surface.b);
  cairo_paint (cr);
  cairo_rectangle (cr, 0, 0, port->width, 1);
  cairo_set_source_rgba (cr, style->dim.r, style->dim.g, style->dim.b, 0.35);
  cairo_fill (cr);
  gilk_graph_paint_legend (cr, style, look, GILK_OVERLAY_STRIP);
  cairo_restore (cr);
}

void
gilk_overlay_draw_band (cairo_t             *cr,
                        const GilkPlotStyle *style,
                        const GdkRectangle  *band)
{
  if (band->width == 0)
    return;

  cairo_rectangle (cr, band->x + 0.5, band->y + 0.5, band->width - 1, band->height - 1);
  cairo_set_source_rgba (cr, style->accent.r, style->accent.g, style->accent.b, 0.14);
  cairo_fill_preserve (cr);
  cairo_set_source_rgba (cr, style->accent.r, style->accent.g, style->accent.b, 0.9);
  cairo_set_line_width (cr, 1);
  cairo_stroke (cr);
}

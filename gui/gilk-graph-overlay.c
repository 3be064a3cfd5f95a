/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-graph-overlay.c - what lies above a drawn graph: the map in a corner, the legend
 */
#include "gui/gilk-graph-overlay.h"

#define MAP_WIDTH     132
#define MAP_HEIGHT    168
#define MAP_PADDING   6
#define INSET         14          /* from the edges of the widget */
#define LEGEND_HEIGHT (GILK_OVERLAY_LEGEND - INSET)

gboolean
gilk_overlay_map_place (const GilkViewport *port,
                        GdkRectangle       *map)
{
  *map = (GdkRectangle) { port->width - MAP_WIDTH - INSET, port->height - MAP_HEIGHT - INSET,
                          MAP_WIDTH, MAP_HEIGHT };

  return port->height >= 2 * MAP_HEIGHT;
}

gboolean
gilk_overlay_on_map (const GilkViewport *port,
                     double              x,
                     double              y)
{
  GdkRectangle map;

  return gilk_overlay_map_place (port, &map) &&
         x >= map.x && y >= map.y && x < map.x + map.width && y < map.y + map.height;
}

void
gilk_overlay_from_map (const GilkViewport *port,
                       const GilkLayout   *layout,
                       double             *x,
                       double             *y)
{
  const double width = MAP_WIDTH - 2 * MAP_PADDING, height = MAP_HEIGHT - 2 * MAP_PADDING;
  double sx, sy;
  GdkRectangle map;

  gilk_graph_minimap_scale (layout, width, height, &sx, &sy);
  gilk_overlay_map_place (port, &map);
  *x = (*x - map.x - MAP_PADDING - (width - sx * layout->width) / 2) / sx;
  *y = (*y - map.y - MAP_PADDING - (height - sy * layout->height) / 2) / sy;
}

static void
draw_card (cairo_t             *cr,
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
gilk_overlay_map (cairo_t             *cr,
                  const GilkViewport  *port,
                  const GilkGraph     *graph,
                  const GilkPlotStyle *style,
                  const GilkGraphLook *look,
                  const GilkBox       *visible)
{
  GdkRectangle map;

  if (!gilk_overlay_map_place (port, &map))
    return;

  draw_card (cr, style, map.x, map.y, map.width, map.height);
  cairo_save (cr);
  cairo_translate (cr, map.x + MAP_PADDING, map.y + MAP_PADDING);
  gilk_graph_paint_minimap (cr, graph, style, look, visible,
                            map.width - 2 * MAP_PADDING, map.height - 2 * MAP_PADDING);
  cairo_restore (cr);
}

void
gilk_overlay_legend (cairo_t             *cr,
                     const GilkViewport  *port,
                     const GilkPlotStyle *style,
                     const GilkGraphLook *look)
{
  cairo_surface_t *surface = cairo_recording_surface_create (CAIRO_CONTENT_COLOR_ALPHA, NULL);
  cairo_t *record = cairo_create (surface);
  double width = gilk_graph_paint_legend (record, style, look, LEGEND_HEIGHT);
  double y = port->height - LEGEND_HEIGHT - INSET;

  cairo_destroy (record);
  cairo_surface_destroy (surface);
  draw_card (cr, style, INSET, y, width, LEGEND_HEIGHT);
  cairo_save (cr);
  cairo_translate (cr, INSET, y);
  gilk_graph_paint_legend (cr, style, look, LEGEND_HEIGHT);
  cairo_restore (cr);
}

void
gilk_overlay_band (cairo_t             *cr,
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

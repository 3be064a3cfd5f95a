/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-graph-ink.c - what the painters of a graph's parts have in common
 */
#include "core/plot/gilk-graph-private.h"

void
gilk_graph_set_colour (cairo_t          *cr,
                       const GilkColour *colour)
{
  cairo_set_source_rgba (cr, colour->r, colour->g, colour->b, colour->a);
}

double
gilk_graph_show_text (cairo_t     *cr,
                      PangoLayout *layout,
                      const char  *text,
                      double       x,
                      double       y)
{
  int width, height;

  pango_layout_set_text (layout, text, -1);
  pango_layout_get_size (layout, &width, &height);
  cairo_move_to (cr, x, y - height / (2.0 * PANGO_SCALE));
  pango_cairo_show_layout (cr, layout);

  return width / (double) PANGO_SCALE;
}

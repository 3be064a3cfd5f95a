/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-graph-edges.c - draws the edges of a graph
 *
 * Kinds of edge differ by dash, width and letter as well as by colour.
 */
#include <glib/gi18n.h>
#include <math.h>

#include "core/plot/gilk-graph-paint.h"
#include "core/plot/gilk-graph-private.h"

#define CORNER    6.0
#define SLACK     40             /* margin around the visible part, in the drawing's units, for
                                  * arrow heads, letters and line widths */
#define THIN      0.3            /* scale, in pixels per unit, below which edges are drawn one pixel
                                  * wide */
#define FAINT     0.25           /* opacity of edges that are dimmed */
#define GAP       0.7            /* space between dashes, relative to the length of a dash */

typedef struct {
  const GilkColour *colour;
  const char       *letter;
  double            width;
  double            dash;
} EdgeStyle;

/* Returns the style of edge @index. If the edge's line stands for several edges, its style is that
 * of a fall-through edge. */
static EdgeStyle
get_edge_style (const GilkGraphPainter *painter,
                guint                   index)
{
  const GilkPlotStyle *style = painter->style;
  const GilkEdge *edge = &painter->graph->cfg->edges[index];
  EdgeStyle look = { &style->dim, NULL, 1.4, 0 };

  switch (gilk_graph_edge_joined (painter->graph, index) > 1 ? GILK_EDGE_FALL : (GilkEdgeKind) edge->kind)
    {
    case GILK_EDGE_TAKEN:
      look.colour = &style->good;
      look.letter = "T";
      break;
    case GILK_EDGE_NOT_TAKEN:
      look.colour = &style->bad;
      look.letter = "F";
      look.dash = 5;
      break;
    case GILK_EDGE_STATIC_KEY:
    case GILK_EDGE_FIXUP:
      look.colour = &style->warn;
      look.letter = edge->kind == GILK_EDGE_FIXUP ? C_("edge", "fault") : C_("edge", "key");
      look.dash = 2;
      break;
    case GILK_EDGE_FALL:
    case GILK_EDGE_JUMP:
      break;
    }
  if (edge->back)
    {
      look.width = 2.8;
      if (look.letter == NULL)
        look.letter = C_("edge", "loop");
    }

  return look;
}

/* Formats a count as text with a "~" in front, because counts of edges are derived from counts of
 * blocks. Counts above 9999 get an SI prefix: there is little room next to a line. */
static char *
format_short_count (uint64_t hits)
{
  g_autofree char *text = NULL;

  if (hits < 10000)
    return g_strdup_printf ("~%" G_GUINT64_FORMAT, hits);
  text = gilk_format_si ((double) hits, "", 3);

  return g_strconcat ("~", g_strchomp (text), NULL);
}

/* Clips the piece of a route between @from and @to to the visible part. Returns FALSE if nothing is
 * visible. Moves the start back to a multiple of @period, so that dashes do not depend on the
 * clipping. */
static gboolean
cut_piece (GilkXY        *from,
           GilkXY        *to,
           const GilkBox *visible,
           double         period)
{
  const GilkXY a = *from, b = *to;
  int left, right, top, bottom, off;

  if (visible == NULL)
    return TRUE;
  left = visible->x - SLACK;
  right = visible->x + visible->width + SLACK;
  top = visible->y - SLACK;
  bottom = visible->y + visible->height + SLACK;
  if (MAX (a.x, b.x) < left || MIN (a.x, b.x) > right || MAX (a.y, b.y) < top || MIN (a.y, b.y) > bottom)
    return FALSE;

  *from = (GilkXY) { CLAMP (a.x, left, right), CLAMP (a.y, top, bottom) };
  *to = (GilkXY) { CLAMP (b.x, left, right), CLAMP (b.y, top, bottom) };
  off = ABS (from->x - a.x) + ABS (from->y - a.y);
  if (off > 0 && period > 0)
    {
      int back = off - (int) (floor (off / period) * period);

      from->x -= b.x > a.x ? back : b.x < a.x ? -back : 0;
      from->y -= b.y > a.y ? back : b.y < a.y ? -back : 0;
    }

  return TRUE;
}

/* Returns the radius of the corner at the end of the route's piece @i. */
static double
get_corner_radius (const GilkRoute *route,
                   guint            i)
{
  const GilkXY *p = &route->points[i];
  double before = hypot (p[1].x - p[0].x, p[1].y - p[0].y);
  double after = i + 2 < route->n_points ? hypot (p[2].x - p[1].x, p[2].y - p[1].y) : 0;

  return MIN (CORNER, MIN (before, after) / 2);
}

static GilkXY
move_towards (const GilkXY *from,
              const GilkXY *to,
              double        far)
{
  double length = hypot (to->x - from->x, to->y - from->y);

  return length <= 0 ? *from : (GilkXY) { from->x + round ((to->x - from->x) / length * far),
                                          from->y + round ((to->y - from->y) / length * far) };
}

/* Adds only the visible parts of a route to the path, because the drawing of a function may be ten
 * thousand units high. */
static void
trace_route (cairo_t         *cr,
             const GilkRoute *route,
             const GilkBox   *visible,
             double           period)
{
  const GilkXY *p = route->points;
  gboolean drawn = FALSE;

  for (guint i = 0; i + 1 < route->n_points; i++)
    {
      gboolean last = i + 2 == route->n_points;
      double r = get_corner_radius (route, i);
      GilkXY from = p[i], to = p[i + 1], before, behind;

      if (!cut_piece (&from, &to, visible, period))
        {
          drawn = FALSE;
          continue;
        }
      if (!drawn)
        cairo_move_to (cr, from.x, from.y);
      drawn = to.x == p[i + 1].x && to.y == p[i + 1].y;
      if (last && drawn)
        cairo_line_to (cr, to.x, to.y - 5);
      else if (last || !drawn || r <= 0)
        cairo_line_to (cr, to.x, to.y);
      else
        {
          before = move_towards (&to, &p[i], r);
          behind = move_towards (&to, &p[i + 2], r);
          cairo_line_to (cr, before.x, before.y);
          cairo_curve_to (cr, to.x, to.y, to.x, to.y, behind.x, behind.y);
        }
    }
}

static void
paint_head (cairo_t      *cr,
            const GilkXY *tip,
            double        half)
{
  cairo_move_to (cr, tip->x, tip->y);
  cairo_line_to (cr, tip->x - half, tip->y - 2 * half);
  cairo_line_to (cr, tip->x + half, tip->y - 2 * half);
  cairo_close_path (cr);
  cairo_fill (cr);
}

static gboolean
is_edge_dimmed (const GilkGraphPainter *painter,
                guint                   index)
{
  const GilkEdge *edge = &painter->graph->cfg->edges[index];

  return gilk_graph_is_dimmed (painter->graph, painter->look, edge->from) ||
         gilk_graph_is_dimmed (painter->graph, painter->look, edge->to);
}

/* Puts the letter of the edge's kind and its count next to the line where it leaves the block, on
 * the side away from the block's middle. */
static void
paint_label (GilkGraphPainter *painter,
             const GilkRoute  *route,
             const EdgeStyle  *look)
{
  const GilkEdge *edge = &painter->graph->cfg->edges[route->edge];
  const GilkBox *box = &painter->graph->layout->blocks[edge->from];
  uint64_t hits;
  g_autofree char *count = gilk_graph_edge_hits (painter->graph, painter->look, route->edge, &hits) ? format_short_count (hits) : NULL;
  const char *letter = look->letter != NULL && gilk_graph_folded (painter->graph, edge->from) == 1 ? look->letter : "";
  g_autofree char *text = g_strconcat (letter, letter[0] != '\0' && count != NULL ? " " : "", count, NULL);
  double x = route->points[0].x + 4;
  int width;

  if (text[0] == '\0')
    return;
  if (count != NULL && route->points[0].x < box->x + box->width / 2)
    {
      pango_layout_set_text (painter->bold, text, -1);
      pango_layout_get_size (painter->bold, &width, NULL);
      x = route->points[0].x - 4 - width / (double) PANGO_SCALE;
    }
  gilk_graph_show_text (painter->cr, painter->bold, text, x, route->points[0].y + 8);
}

static void
paint_edge (GilkGraphPainter *painter,
            const GilkRoute  *route,
            const GilkBox    *visible,
            gboolean          strong)
{
  EdgeStyle look = get_edge_style (painter, route->edge);
  GilkColour colour;
  cairo_t *cr = painter->cr;

  if (route->n_points < 2)
    return;

  colour = *look.colour;
  if (is_edge_dimmed (painter, route->edge))
    colour.a *= FAINT;
  gilk_graph_set_colour (cr, &colour);
  cairo_set_line_width (cr, MAX (look.width + (strong ? 1.2 : 0), 0.8 / painter->scale));
  /* Keeps dashes at a constant size on the screen when zoomed
   * out: shorter dashes would be invisible, and each dash takes time to draw. */
  look.dash /= MIN (painter->scale, 1);
  if (look.dash > 0)
    cairo_set_dash (cr, (double[]) { look.dash, look.dash * GAP }, 2, 0);
  trace_route (cr, route, visible, look.dash * (1 + GAP));
  cairo_stroke (cr);
  cairo_set_dash (cr, NULL, 0, 0);
  paint_head (cr, &route->points[route->n_points - 1], 3.6 + look.width / 2);

  if (painter->text)
    paint_label (painter, route, &look);
}

static gboolean
is_route_visible (const GilkRoute *route,
                  const GilkBox   *visible)
{
  int left = G_MAXINT, right = G_MININT, top = G_MAXINT, bottom = G_MININT;

  if (visible == NULL)
    return TRUE;
  for (guint i = 0; i < route->n_points; i++)
    {
      left = MIN (left, route->points[i].x);
      right = MAX (right, route->points[i].x);
      top = MIN (top, route->points[i].y);
      bottom = MAX (bottom, route->points[i].y);
    }

  return left - 40 < visible->x + visible->width && right + 40 > visible->x &&
         top - 20 < visible->y + visible->height && bottom + 20 > visible->y;
}

static gboolean
is_strong (const GilkGraphPainter *painter,
           const GilkRoute        *route)
{
  const GilkEdge *edge = &painter->graph->cfg->edges[route->edge];
  int current = painter->look->block;

  return (int) edge->from == current || (int) edge->to == current || gilk_graph_edge_is_highlighted (painter->graph, painter->look, route->edge);
}

/* Draws all lines of one colour in one stroke, a pixel wide and without dashes, corners and arrow
 * heads: these would be invisible, and a frame may have a thousand lines across the drawing. */
static void
paint_thin (GilkGraphPainter *painter,
            const GilkBox    *visible)
{
  const GilkPlotStyle *style = painter->style;
  const GilkColour *colours[] = { &style->dim, &style->good, &style->bad, &style->warn };
  const GilkLayout *layout = painter->graph->layout;
  cairo_t *cr = painter->cr;

  cairo_save (cr);
  cairo_set_antialias (cr, CAIRO_ANTIALIAS_NONE);
  cairo_set_line_width (cr, 1 / painter->scale);
  for (guint c = 0; c < 2 * G_N_ELEMENTS (colours); c++)
    {
      gboolean dimmed = c % 2 == 0;
      GilkColour colour = *colours[c / 2];

      if (dimmed && painter->look->dimmed == NULL)
        continue;
      colour.a *= dimmed ? FAINT : 1;
      gilk_graph_set_colour (cr, &colour);
      for (guint i = 0; i < layout->n_routes; i++)
        {
          const GilkRoute *route = &layout->routes[i];

          if (get_edge_style (painter, route->edge).colour != colours[c / 2] || is_strong (painter, route) ||
              is_edge_dimmed (painter, route->edge) != dimmed)
            continue;
          for (guint p = 0; p + 1 < route->n_points; p++)
            {
              GilkXY from = route->points[p], to = route->points[p + 1];

              if (!cut_piece (&from, &to, visible, 0))
                continue;
              cairo_move_to (cr, from.x, from.y);
              cairo_line_to (cr, to.x, to.y);
            }
        }
      cairo_stroke (cr);
    }
  cairo_restore (cr);
}

void
gilk_graph_paint_edges (GilkGraphPainter *painter,
                        const GilkBox    *visible)
{
  const GilkLayout *layout = painter->graph->layout;
  gboolean thin = painter->scale < THIN;

  if (thin)
    paint_thin (painter, visible);
  /* Paints the edges of the current block last, so that nothing crosses over them. */
  for (int strong = thin; strong < 2; strong++)
    for (guint i = 0; i < layout->n_routes; i++)
      {
        const GilkRoute *route = &layout->routes[i];

        if (is_strong (painter, route) == strong && is_route_visible (route, visible))
          paint_edge (painter, route, visible, strong);
      }
}

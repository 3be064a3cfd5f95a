/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-calls-picture.c - lays out the call graph around a function, from left to right
 *
 * The layout algorithm works from top to bottom: it gets boxes with width and height swapped, and
 * its result is transposed.
 */
#include "core/plot/gilk-calls-picture.h"

#include <glib/gi18n.h>
#include <math.h>
#include <pango/pangocairo.h>
#include <string.h>

#include "core/base/gilk-memory.h"
#include "core/plot/gilk-graph-private.h"

#define GILK_CALLS_OFTEN 200     /* a node with more callers than this shows their number */

#define HEIGHT    42           /* height of a box, px */
#define CLOSER    20           /* the space between boxes is this many px smaller than the space
                                * between blocks of a control-flow graph */
#define PAD       12
#define LEAST     96           /* minimum width of a box, px */
#define MODULE    0.85         /* size of a box's second line (the module), relative to the first
                                * line */

/* ---- text in the boxes ---- */

static char *
make_node_name (GilkFunctions *functions, const GilkAroundNode *node)
{
  guint ordinal = gilk_functions_ordinal (functions, node->function);

  if (node->more > 0)
    return g_strdup_printf (g_dngettext (NULL, "%u more", "%u more", node->more), node->more);

  return ordinal == 0 ? g_strdup (node->function->name) : g_strdup_printf ("%s@%u", node->function->name, ordinal);
}

static void
fill_texts (GilkCallsPicture *self, GilkFunctions *functions, GilkImage *image, GHashTable *hits)
{
  guint n = self->around->n_nodes;

  self->names = g_new0 (char *, n + 1);
  self->modules = g_new0 (char *, n + 1);
  self->hits = g_new0 (uint64_t, n + 1);
  for (guint i = 0; i < n; i++)
    {
      const GilkAroundNode *node = &self->around->nodes[i];

      self->names[i] = make_node_name (functions, node);
      self->modules[i] = g_strdup (node->more == 0 ? gilk_symbols_module (gilk_image_symbols (image), node->function->module) : "");
      if (node->more == 0 && gilk_call_hits_get (hits, node->function, &self->hits[i]))
        self->hits_max = MAX (self->hits_max, self->hits[i]);
      else
        self->hits[i] = GILK_CALLS_UNKNOWN;
    }
}

/* Returns the text next to the name of a module in a box: number of hits, or of callers. (transfer
 * full) (nullable) */
static char *
make_note (const GilkCallsPicture *self, guint node)
{
  const GilkAroundNode *at = &self->around->nodes[node];
  g_autofree char *count = gilk_format_count (self->hits[node] != GILK_CALLS_UNKNOWN ? (double) self->hits[node] : at->n_callers);

  if (self->hits[node] != GILK_CALLS_UNKNOWN)
    return g_steal_pointer (&count);

  return at->more == 0 && at->n_callers > GILK_CALLS_OFTEN ? g_strdup_printf (_("%s callers"), count) : NULL;
}

/* ---- layout ---- */

/* Makes a layout for text. @code: TRUE for the font of names, FALSE for the font of a box's second
 * line */
static PangoLayout *
new_text_layout (cairo_t *cr, const GilkPlotStyle *style, gboolean code, gboolean bold)
{
  PangoLayout *layout = pango_cairo_create_layout (cr);
  g_autoptr(PangoFontDescription) font = gilk_graph_code_font (style, bold);

  if (!code)
    {
      pango_font_description_set_family (font, style->font);
      pango_font_description_set_absolute_size (font, style->size * MODULE * PANGO_SCALE);
    }
  pango_layout_set_font_description (layout, font);

  return layout;
}

static int
measure_width (PangoLayout *layout, const char *text)
{
  int width;

  pango_layout_set_text (layout, text, -1);
  pango_layout_get_size (layout, &width, NULL);

  return (int) ceil (width / (double) PANGO_SCALE);
}

/* Measures the boxes, with width and height swapped. */
static void
measure_boxes (GilkCallsPicture *self, GilkBox *sizes)
{
  cairo_surface_t *surface = cairo_recording_surface_create (CAIRO_CONTENT_ALPHA, NULL);
  cairo_t *cr = cairo_create (surface);
  g_autoptr(PangoLayout) code = new_text_layout (cr, &self->style, TRUE, TRUE);
  g_autoptr(PangoLayout) plain = new_text_layout (cr, &self->style, FALSE, FALSE);

  for (guint i = 0; i < self->around->n_nodes; i++)
    {
      g_autofree char *note = make_note (self, i);
      int second = measure_width (plain, self->modules[i]) + (note != NULL ? PAD + measure_width (plain, note) : 0);

      sizes[i].width = HEIGHT - CLOSER;
      sizes[i].height = MAX (MAX (measure_width (code, self->names[i]), second) + 2 * PAD, LEAST);
    }
  cairo_destroy (cr);
  cairo_surface_destroy (surface);
}

/* Adds an isolated block on top as the entry that the layout needs. If one of the functions were
 * the entry, the layout would place it apart from its neighbours. */
static void
make_shape (const GilkCallsPicture *self, GilkLayoutGraph *shape, GilkBox *sizes)
{
  const GilkCallAround *around = self->around;

  *shape = (GilkLayoutGraph) {
    .name = self->names[0],
    .entry = around->n_nodes,
    .blocks = g_new0 (GilkLayoutBlock, around->n_nodes + 1), .n_blocks = around->n_nodes + 1,
    .edges = g_new0 (GilkLayoutEdge, around->n_edges + 1), .n_edges = around->n_edges,
  };
  for (guint i = 0; i < around->n_edges; i++)
    {
      const GilkAroundEdge *edge = &around->edges[i];

      shape->edges[i] = (GilkLayoutEdge) { edge->from, edge->to, GILK_SIDE_LEFT, edge->back };
      if (shape->blocks[edge->from].n_out++ == 0)
        shape->blocks[edge->from].first_out = i;
      shape->blocks[edge->to].n_in++;
    }
  sizes[around->n_nodes] = (GilkBox) { .width = 1, .height = 1 };
}

static void
transpose_layout (GilkLayout *layout, guint n_nodes)
{
  int left = G_MAXINT, top = G_MAXINT, right = 0, bottom = 0;

  for (guint i = 0; i < n_nodes; i++)
    {
      const GilkBox was = layout->blocks[i];
      const GilkBox box = { was.y, was.x - CLOSER / 2, was.height, was.width + CLOSER };

      layout->blocks[i] = box;
      left = MIN (left, box.x);
      top = MIN (top, box.y);
    }
  for (guint i = 0; i < layout->n_routes; i++)
    for (guint p = 0; p < layout->routes[i].n_points; p++)
      {
        const GilkXY was = layout->routes[i].points[p];

        layout->routes[i].points[p] = (GilkXY) { was.y, was.x };
        left = MIN (left, was.y);
        top = MIN (top, was.x);
      }
  for (guint i = 0; i < n_nodes; i++)
    {
      layout->blocks[i].x -= left;
      layout->blocks[i].y -= top;
      right = MAX (right, layout->blocks[i].x + layout->blocks[i].width);
      bottom = MAX (bottom, layout->blocks[i].y + layout->blocks[i].height);
    }
  for (guint i = 0; i < layout->n_routes; i++)
    for (guint p = 0; p < layout->routes[i].n_points; p++)
      {
        GilkXY *point = &layout->routes[i].points[p];

        *point = (GilkXY) { point->x - left, point->y - top };
        right = MAX (right, point->x);
        bottom = MAX (bottom, point->y);
      }
  layout->n_blocks = n_nodes;
  layout->width = right;
  layout->height = bottom;
}

static gboolean
lay_out_picture (GilkCallsPicture *self, GCancellable *cancellable, GError **error)
{
  g_autofree GilkBox *sizes = g_new0 (GilkBox, self->around->n_nodes + 1);
  GilkLayoutGraph shape;

  measure_boxes (self, sizes);
  make_shape (self, &shape, sizes);
  self->layout = gilk_layout_new (&shape, sizes, cancellable, error);
  g_free (shape.blocks);
  g_free (shape.edges);
  if (self->layout == NULL)
    return FALSE;
  transpose_layout (self->layout, self->around->n_nodes);

  return TRUE;
}

/* ---- making, freeing and querying a picture ---- */

GilkCallsPicture *
gilk_calls_picture_new (GilkCallAround      *around,
                        GilkFunctions       *functions,
                        GilkImage           *image,
                        GHashTable          *hits,
                        const GilkPlotStyle *style,
                        GCancellable        *cancellable,
                        GError             **error)
{
  g_autoptr(GilkCallsPicture) self = g_new0 (GilkCallsPicture, 1);

  g_atomic_ref_count_init (&self->ref_count);
  self->around = gilk_call_around_ref (around);
  self->style = *style;
  fill_texts (self, functions, image, hits);

  return lay_out_picture (self, cancellable, error) ? g_steal_pointer (&self) : NULL;
}

GILK_DEFINE_REF (GilkCallsPicture, gilk_calls_picture, ref_count)

void
gilk_calls_picture_unref (GilkCallsPicture *picture)
{
  if (picture == NULL || !g_atomic_ref_count_dec (&picture->ref_count))
    return;
  g_strfreev (picture->names);
  g_strfreev (picture->modules);
  g_free (picture->hits);
  gilk_layout_unref (picture->layout);
  gilk_call_around_unref (picture->around);
  g_free (picture);
}

int
gilk_calls_node_at (const GilkCallsPicture *picture, double x, double y)
{
  for (guint i = 0; i < picture->layout->n_blocks; i++)
    {
      const GilkBox *box = &picture->layout->blocks[i];

      if (x >= box->x && x < box->x + box->width && y >= box->y && y < box->y + box->height)
        return (int) i;
    }

  return -1;
}

/* ---- helpers for painting ---- */

#define RADIUS  6
#define HEAD    4.5
#define CORNER  7
#define STUB    24             /* px; lines bend within this distance of a column of boxes */

typedef struct {
  cairo_t                *cr;
  const GilkCallsPicture *picture;
  const GilkPlotStyle    *style;
  const GilkCallsLook    *look;
  PangoLayout            *code, *bold, *plain;
} Painter;

static void
set_translucent (cairo_t *cr, const GilkColour *colour, double alpha)
{
  cairo_set_source_rgba (cr, colour->r, colour->g, colour->b, colour->a * alpha);
}

static void
trace_rounded_box (cairo_t *cr, const GilkBox *box)
{
  gilk_graph_rounded_box (cr, box->x, box->y, box->width, box->height, RADIUS);
}

/* ---- painting of edges ---- */

static void
trace_bend (cairo_t *cr, double x, double y)
{
  double from_x, from_y, middle;

  cairo_get_current_point (cr, &from_x, &from_y);
  middle = (from_x + x) / 2;
  cairo_curve_to (cr, middle, from_y, middle, y, x, y);
}

/* Returns the right edge of the widest box in the column of @box: a line that is horizontal up to
 * this edge touches no other box. */
static double
find_column_end (const GilkLayout *layout, const GilkBox *box)
{
  int end = box->x + box->width;

  for (guint i = 0; i < layout->n_blocks; i++)
    if (layout->blocks[i].x == box->x)
      end = MAX (end, layout->blocks[i].x + layout->blocks[i].width);

  return end;
}

/* Returns TRUE if boxes start between @from and @to, so that a line must pass between them. */
static gboolean
passes_boxes (const GilkLayout *layout, double from, double to)
{
  for (guint i = 0; i < layout->n_blocks; i++)
    if (layout->blocks[i].x > from && layout->blocks[i].x < to)
      return TRUE;

  return FALSE;
}

/* Makes a route horizontal where it passes other boxes, and bends it elsewhere. The first and the
 * last piece of a route usually pass no box. */
static void
trace_forward (cairo_t *cr, const GilkLayout *layout, const GilkRoute *route, const GilkBox *from, const GilkBox *to)
{
  const GilkXY *p = route->points;

  double left = find_column_end (layout, from);

  cairo_move_to (cr, from->x + from->width, from->y + from->height / 2.0);
  cairo_line_to (cr, left, from->y + from->height / 2.0);
  for (guint i = 0; i + 1 < route->n_points; i++)
    {
      gboolean inner = i > 0 && i + 2 < route->n_points;
      double start = i == 0 ? left + STUB : p[i].x, end = i + 2 == route->n_points ? p[i + 1].x - STUB : p[i + 1].x;

      if (p[i].y != p[i + 1].y || end <= start || (!inner && !passes_boxes (layout, start, end)))
        continue;
      trace_bend (cr, start, p[i].y);
      cairo_line_to (cr, end, p[i].y);
    }
  trace_bend (cr, to->x - 2 * HEAD, to->y + to->height / 2.0);
  cairo_line_to (cr, to->x - HEAD, to->y + to->height / 2.0);
}

static void
trace_back (cairo_t *cr, const GilkRoute *route)
{
  const GilkXY *p = route->points;

  cairo_move_to (cr, p[0].x, p[0].y);
  for (guint i = 1; i + 1 < route->n_points; i++)
    {
      double before = hypot (p[i].x - p[i - 1].x, p[i].y - p[i - 1].y);
      double behind = hypot (p[i + 1].x - p[i].x, p[i + 1].y - p[i].y);
      double r = MIN (CORNER, MIN (before, behind) / 2);

      if (before <= 0 || behind <= 0)
        continue;
      cairo_line_to (cr, p[i].x + (p[i - 1].x - p[i].x) * r / before, p[i].y + (p[i - 1].y - p[i].y) * r / before);
      cairo_curve_to (cr, p[i].x, p[i].y, p[i].x, p[i].y,
                      p[i].x + (p[i + 1].x - p[i].x) * r / behind, p[i].y + (p[i + 1].y - p[i].y) * r / behind);
    }
  cairo_line_to (cr, p[route->n_points - 1].x - HEAD, p[route->n_points - 1].y);
}

static void
paint_head (cairo_t *cr, double x, double y)
{
  cairo_move_to (cr, x, y);
  cairo_line_to (cr, x - 2 * HEAD, y - HEAD);
  cairo_line_to (cr, x - 2 * HEAD, y + HEAD);
  cairo_close_path (cr);
  cairo_fill (cr);
}

static gboolean
touches_node (const GilkAroundEdge *edge, int node)
{
  return (int) edge->from == node || (int) edge->to == node;
}

static void
paint_edge (Painter *painter, guint index, gboolean strong)
{
  const GilkCallsPicture *picture = painter->picture;
  const GilkAroundEdge *edge = &picture->around->edges[index];
  const GilkRoute *route = &picture->layout->routes[index];
  const GilkBox *from = &picture->layout->blocks[edge->from], *to = &picture->layout->blocks[edge->to];
  gboolean indirect = edge->n == 0 && edge->seen > 0;
  double x = to->x, y = edge->back ? route->points[route->n_points - 1].y : to->y + to->height / 2.0;
  cairo_t *cr = painter->cr;

  gilk_graph_set_colour (cr, strong ? &painter->style->accent : indirect ? &painter->style->warn : &painter->style->dim);
  cairo_set_line_width (cr, edge->back ? 2.4 : strong ? 2 : 1.3);
  if (indirect)
    cairo_set_dash (cr, (double[]) { 1.5, 3 }, 2, 0);
  else if (edge->n > 0 && edge->n == edge->n_tail)
    cairo_set_dash (cr, (double[]) { 6, 4 }, 2, 0);
  if (edge->back)
    trace_back (cr, route);
  else
    trace_forward (cr, picture->layout, route, from, to);
  cairo_stroke (cr);
  cairo_set_dash (cr, NULL, 0, 0);
  paint_head (cr, x, y);

  if (edge->seen > 0)
    {
      g_autofree char *count = gilk_format_count ((double) edge->seen);
      int width;

      pango_layout_set_text (painter->plain, count, -1);
      pango_layout_get_size (painter->plain, &width, NULL);
      gilk_graph_show_text (cr, painter->plain, count, x - 2 * HEAD - 4 - width / (double) PANGO_SCALE, y - 9);
    }
}

static void
paint_edges (Painter *painter)
{
  const GilkCallAround *around = painter->picture->around;
  int pointed = painter->look->hover >= 0 ? painter->look->hover : painter->look->current;

  /* Paints the edges of the current node last, so that nothing crosses over them. */
  for (int strong = 0; strong < 2; strong++)
    for (guint i = 0; i < around->n_edges; i++)
      if (painter->picture->layout->routes[i].n_points >= 2 && (pointed > 0 && touches_node (&around->edges[i], pointed)) == strong)
        paint_edge (painter, i, strong);
}

/* ---- painting of functions' boxes ---- */

static void
paint_frame (Painter *painter, guint index)
{
  const GilkAroundNode *node = &painter->picture->around->nodes[index];
  gboolean current = painter->look->current == (int) index;
  cairo_t *cr = painter->cr;

  trace_rounded_box (cr, &painter->picture->layout->blocks[index]);
  if (node->level == 0 || current || painter->look->hover == (int) index)
    gilk_graph_set_colour (cr, &painter->style->accent);
  else
    set_translucent (cr, &painter->style->dim, 0.55);
  cairo_set_line_width (cr, current && painter->look->focus ? 2.8 : node->level == 0 || current ? 2 : 1);
  if (node->more > 0)
    cairo_set_dash (cr, (double[]) { 4, 3 }, 2, 0);
  cairo_stroke (cr);
  cairo_set_dash (cr, NULL, 0, 0);
}

static void
paint_second_line (Painter *painter, guint index, const GilkColour *ink, double y)
{
  const GilkBox *box = &painter->picture->layout->blocks[index];
  g_autofree char *note = make_note (painter->picture, index);
  int width;

  set_translucent (painter->cr, ink, 0.78);
  gilk_graph_show_text (painter->cr, painter->plain, painter->picture->modules[index], box->x + PAD, y);
  if (note == NULL)
    return;
  pango_layout_set_text (painter->plain, note, -1);
  pango_layout_get_size (painter->plain, &width, NULL);
  gilk_graph_show_text (painter->cr, painter->plain, note, box->x + box->width - PAD - width / (double) PANGO_SCALE, y);
}

static void
paint_node (Painter *painter, guint index)
{
  const GilkCallsPicture *picture = painter->picture;
  const GilkAroundNode *node = &picture->around->nodes[index];
  const GilkBox *box = &picture->layout->blocks[index];
  gboolean hot = picture->hits[index] != GILK_CALLS_UNKNOWN;
  GilkColour fill = hot ? gilk_graph_heat (painter->style, picture->hits[index], picture->hits_max, TRUE) : painter->style->surface;
  GilkColour ink = hot ? gilk_graph_ink_on (&fill) : painter->style->text;
  cairo_t *cr = painter->cr;

  trace_rounded_box (cr, box);
  gilk_graph_set_colour (cr, node->more > 0 ? &painter->style->background : &fill);
  cairo_fill (cr);
  gilk_graph_set_colour (cr, node->more > 0 ? &painter->style->dim : &ink);
  if (node->more > 0)
    gilk_graph_show_text (cr, painter->plain, picture->names[index], box->x + PAD, box->y + box->height / 2.0);
  else
    {
      gilk_graph_show_text (cr, node->level == 0 ? painter->bold : painter->code, picture->names[index], box->x + PAD,
                            box->y + box->height * 0.34);
      paint_second_line (painter, index, &ink, box->y + box->height * 0.72);
    }
  paint_frame (painter, index);
}

void
gilk_calls_paint (cairo_t                *cr,
                  const GilkCallsPicture *picture,
                  const GilkPlotStyle    *style,
                  const GilkCallsLook    *look)
{
  g_autoptr(PangoLayout) code = new_text_layout (cr, &picture->style, TRUE, FALSE);
  g_autoptr(PangoLayout) bold = new_text_layout (cr, &picture->style, TRUE, TRUE);
  g_autoptr(PangoLayout) plain = new_text_layout (cr, &picture->style, FALSE, FALSE);
  Painter painter = { cr, picture, style, look, code, bold, plain };

  paint_edges (&painter);
  for (guint i = 0; i < picture->around->n_nodes; i++)
    paint_node (&painter, i);
}

void
gilk_calls_paint_sheet (cairo_t *cr, double width, double height, gpointer data)
{
  const GilkCallsSheet *sheet = data;
  const GilkLayout *layout = sheet->picture->layout;
  const GilkCallsLook look = { -1, -1, FALSE };
  double scale = MIN (width / (layout->width + 2 * GILK_CALLS_MARGIN), height / (layout->height + 2 * GILK_CALLS_MARGIN));

  gilk_graph_set_colour (cr, &sheet->style->background);
  cairo_paint (cr);
  cairo_scale (cr, scale, scale);
  cairo_translate (cr, GILK_CALLS_MARGIN, GILK_CALLS_MARGIN);
  gilk_calls_paint (cr, sheet->picture, sheet->style, &look);
}

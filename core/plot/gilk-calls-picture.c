/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-calls-picture.c - layout of the call graph around a function, from left to right
 *
 * The layout goes from top to bottom: it gets boxes with width and height swapped, and its result
 * is transposed.
 */
#include "core/plot/gilk-calls-picture.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#include "core/plot/gilk-calls-private.h"
#include "core/plot/gilk-graph-private.h"

#define HEIGHT    42           /* of a box */
#define CLOSER    20           /* boxes are closer together by this than blocks of a control-flow
                                * graph */
#define PAD       12
#define LEAST     96           /* minimum width of a box */
#define MODULE    0.85         /* size of the second line relative to the first */

/* ---- text ---- */

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

char *
gilk_calls_note (const GilkCallsPicture *self, guint node)
{
  const GilkAroundNode *at = &self->around->nodes[node];
  g_autofree char *count = gilk_format_count (self->hits[node] != GILK_CALLS_UNKNOWN ? (double) self->hits[node] : at->n_callers);

  if (self->hits[node] != GILK_CALLS_UNKNOWN)
    return g_steal_pointer (&count);

  return at->more == 0 && at->n_callers > GILK_CALLS_OFTEN ? g_strdup_printf (_("%s callers"), count) : NULL;
}

/* ---- layout ---- */

PangoLayout *
gilk_calls_new_text (cairo_t *cr, const GilkPlotStyle *style, gboolean code, gboolean bold)
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
  g_autoptr(PangoLayout) code = gilk_calls_new_text (cr, &self->style, TRUE, TRUE);
  g_autoptr(PangoLayout) plain = gilk_calls_new_text (cr, &self->style, FALSE, FALSE);

  for (guint i = 0; i < self->around->n_nodes; i++)
    {
      g_autofree char *note = gilk_calls_note (self, i);
      int second = measure_width (plain, self->modules[i]) + (note != NULL ? PAD + measure_width (plain, note) : 0);

      sizes[i].width = HEIGHT - CLOSER;
      sizes[i].height = MAX (MAX (measure_width (code, self->names[i]), second) + 2 * PAD, LEAST);
    }
  cairo_destroy (cr);
  cairo_surface_destroy (surface);
}

/* Adds an isolated entry block on top, so that no function
 * is placed apart from its neighbours as the entry would be. */
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

/* ---- object ---- */

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

GilkCallsPicture *
gilk_calls_picture_ref (GilkCallsPicture *picture)
{
  g_atomic_ref_count_inc (&picture->ref_count);
  return picture;
}

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

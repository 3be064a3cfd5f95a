/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-layout-ports.c - computes where lines leave the bottom and reach the top of a block
 *
 * Branches not taken leave on the left and taken ones on the right, unless lines that leave one
 * block would cross: then they leave in the order of their targets. Letters and dashes in the
 * drawing distinguish taken and not taken branches. The positions at the top of a block are also
 * computed here.
 */
#include "core/layout/gilk-layout-private.h"

#include "core/base/gilk-array.h"

/* An edge that leaves a block. Edges are sorted from left to right by @goes: the position of the
 * edge's other end in the layer below. If the edge runs upwards, @goes is -1 if the edge's upward
 * line is on the left of the block, G_MAXINT if it is on the right */
typedef struct {
  int      goes;
  GilkSide side;
  guint    edge, link;
} Leaving;

static int
compare_leaving (const void *a, const void *b)
{
  const Leaving *x = a, *y = b;

  return GILK_ORDER (x->goes, y->goes) ?: GILK_ORDER (x->side, y->side) ?:
         GILK_ORDER (x->edge, y->edge);
}

static int
get_target_order (const Layered *l, guint edge, guint link)
{
  const GilkLayoutEdge *e = &l->graph->edges[edge];
  guint dummy;

  if (l->layers == NULL)
    return 0;
  if (link != NO_EDGE)
    return (int) NODE (l, LINK (l, link)->lower)->order;

  dummy = l->rails[e->to].back + (NODE (l, e->from)->layer - NODE (l, e->to)->layer);

  return NODE (l, dummy)->order > NODE (l, e->from)->order ? G_MAXINT : -1;
}

/* Sorts the edges that leave a block, and the block's links, from left to right. */
static void
order_block (Layered *l, guint block, guint *links, Leaving *leaving)
{
  const GilkLayoutBlock *b = &l->graph->blocks[block];
  guint n = 0, at = l->down_first[block];

  for (guint k = b->first_out; k < b->first_out + b->n_out; k++)
    leaving[n++] = (Leaving) { get_target_order (l, k, links[k]), l->graph->edges[k].side, k, links[k] };
  qsort (leaving, n, sizeof *leaving, compare_leaving);
  for (guint k = 0; k < n; k++)
    {
      l->ports[leaving[k].edge] = k;
      if (leaving[k].link != NO_EDGE)
        l->down[at++] = leaving[k].link;
    }
}

void
gilk_layout_ports (Layered *layered)
{
  const GilkLayoutGraph *graph = layered->graph;
  g_autofree guint *links = g_new (guint, graph->n_edges + 1);
  g_autofree Leaving *leaving = g_new (Leaving, graph->n_edges + 1);

  for (guint i = 0; i < graph->n_edges; i++)
    links[i] = NO_EDGE;
  for (guint i = 0; i < layered->links->len; i++)
    if (LINK (layered, i)->edge != NO_EDGE)
      links[LINK (layered, i)->edge] = i;
  for (guint i = 0; i < graph->n_blocks; i++)
    order_block (layered, i, links, leaving);

  for (guint i = 0; i < layered->links->len; i++)
    {
      Link *link = LINK (layered, i);

      if (link->edge == NO_EDGE)
        continue;
      link->out = gilk_layout_out_port (layered, link->edge);
      link->slant = NODE (layered, link->lower)->block == NO_NODE ? link->out : 0;
    }
}

int
gilk_layout_out_port (const Layered *layered, guint edge)
{
  guint from = layered->graph->edges[edge].from;
  int width = layered->sizes[from].width, n = (int) layered->graph->blocks[from].n_out;
  int place = (int) layered->ports[edge], step = CLAMP (width / 5, 14, 40), middle = n / 2;

  if (n <= 2)
    return n == 1 || place == 1 ? step : -step;

  step = MAX ((width / 2 - 22) / (n - middle), 1);
  return place < middle ? -12 - (middle - 1 - place) * step : 12 + (place - middle) * step;
}

/* ---- positions of lines at the top of a block ---- */

static int
compare_arrivals (const void *a, const void *b)
{
  const Arrival *x = a, *y = b;

  return GILK_ORDER (x->x, y->x) ?: GILK_ORDER (x->port, y->port);
}

/* Returns @x, or the nearest x to it that keeps a line out of the middle of a block's upper edge,
 * where the mark of a hook is drawn. */
static int
move_off_handle (int x, int middle, gboolean from_left)
{
  if (ABS (x - middle) >= HANDLE)
    return x;

  return x < middle || (x == middle && from_left) ? middle - HANDLE : middle + HANDLE;
}

void
gilk_layout_spread (int middle, int width, Arrival *arrivals, guint n)
{
  int left = middle - width / 2 + PORT_EDGE, right = middle + width / 2 - PORT_EDGE;
  int apart = n > 1 ? MIN (PORT_APART, (right - left) / (int) (n - 1)) : 0;

  qsort (arrivals, n, sizeof *arrivals, compare_arrivals);
  for (guint i = 0; i < n; i++)
    {
      int x = move_off_handle (CLAMP (arrivals[i].x, left, right), middle, arrivals[i].x < middle);

      if (i > 0)
        x = move_off_handle (MAX (x, *arrivals[i - 1].port + apart), middle, FALSE);
      *arrivals[i].port = x;
    }

  for (guint i = n; i-- > 0; )
    {
      int limit = i + 1 < n ? *arrivals[i + 1].port - apart : right;

      if (*arrivals[i].port > limit)
        *arrivals[i].port = limit;
    }
}

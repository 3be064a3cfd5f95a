/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-layout-route.c - ports, lanes and lines of the edges
 *
 * Between two layers is a channel. All that has to be joined in it (an edge from
 * block to block, the next piece of a rail with the edges that enter it there)
 * is a net: vertical lines down from its upper ends and up from its lower ends
 * to one horizontal line in a lane. Nets that overlap get different lanes, in an
 * order that makes few crossings. A line that passes a layer runs in its own
 * dummy's column, so that no line meets a block.
 */
#include "core/layout/gilk-layout-private.h"

#include "core/layout/gilk-layout-lanes.h"

#define MARGIN     24
#define LEAVE      14       /* from the bottom of a layer to the first lane */
#define ARRIVE     20       /* from the last lane to the top of a layer: the arrow head */
#define LANE       9
#define UNTANGLE_ROUNDS 8
#define PORT_EDGE  10       /* from the corner of a block */
#define PORT_APART 10       /* between two ports */
#define HANDLE     12       /* half of what the hook in the middle of an edge takes */

/* Where lines arrive at the top of a block: one port per direct edge, one per rail. */
typedef struct {
  int  x;                   /* of the other end */
  int *port;
} Arrival;

typedef struct {
  Layered  *l;
  int      *in_port;        /* per edge, for those that run in no rail */
  int      *forward_port, *back_port;    /* per block */
  GilkNets *nets;
  guint    *edge_net;       /* per edge: of direct ones */
  guint    *forward_net;    /* per block: first net of its rail; the others follow */
  guint    *back_net;       /* the one above the block; the others follow */
  int      *channel_y;      /* top of the channel above each layer, and below the last */
  int      *layer_y;
} Router;

static int
out_x (const Router *r, guint edge)
{
  return NODE (r->l, r->l->graph->edges[edge].from)->x + gilk_layout_out_port (r->l, edge);
}

static gboolean
is_direct (const Layered *l, guint edge)
{
  const GilkLayoutEdge *e = &l->graph->edges[edge];

  return !l->turned[edge] && NODE (l, e->from)->layer + 1 == NODE (l, e->to)->layer;
}

/* ---- ports ---- */

static int
compare_arrivals (const void *a, const void *b)
{
  const Arrival *x = a, *y = b;

  if (x->x != y->x)
    return (x->x > y->x) - (x->x < y->x);
  return (x->port > y->port) - (x->port < y->port);
}

/* Keeps clear of the hook in the middle. */
static int
beside_handle (int x, int middle, gboolean from_left)
{
  if (ABS (x - middle) >= HANDLE)
    return x;

  return x < middle || (x == middle && from_left) ? middle - HANDLE : middle + HANDLE;
}

/* Spreads @n arrivals over the top of @node, each as near to straight as may be. */
static void
spread_arrivals (const Node *node, Arrival *arrivals, guint n)
{
  int left = node->x - node->width / 2 + PORT_EDGE, right = node->x + node->width / 2 - PORT_EDGE;
  int apart = n > 1 ? MIN (PORT_APART, (right - left) / (int) (n - 1)) : 0;

  qsort (arrivals, n, sizeof *arrivals, compare_arrivals);
  for (guint i = 0; i < n; i++)
    {
      int x = beside_handle (CLAMP (arrivals[i].x, left, right), node->x,
                             arrivals[i].x < node->x);

      if (i > 0)
        x = beside_handle (MAX (x, *arrivals[i - 1].port + apart), node->x, FALSE);
      *arrivals[i].port = x;
    }

  for (guint i = n; i-- > 0; )
    {
      int limit = i + 1 < n ? *arrivals[i + 1].port - apart : right;

      if (*arrivals[i].port > limit)
        *arrivals[i].port = limit;
    }
}

static void
assign_in_ports (Router *r)
{
  const GilkLayoutGraph *graph = r->l->graph;
  g_autofree guint *first = g_new0 (guint, graph->n_blocks + 2);
  g_autofree guint *edges = g_new (guint, graph->n_edges + 1);
  g_autofree Arrival *arrivals = g_new (Arrival, graph->n_edges + 2);

  for (guint i = 0; i < graph->n_edges; i++)
    first[graph->edges[i].to + 2]++;
  for (guint i = 1; i < graph->n_blocks + 2; i++)
    first[i] += first[i - 1];
  for (guint i = 0; i < graph->n_edges; i++)
    edges[first[graph->edges[i].to + 1]++] = i;

  for (guint i = 0; i < graph->n_blocks; i++)
    {
      const Rail *rail = &r->l->rails[i];
      guint n = 0;

      for (guint k = first[i]; k < first[i + 1]; k++)
        if (is_direct (r->l, edges[k]))
          arrivals[n++] = (Arrival) { out_x (r, edges[k]), &r->in_port[edges[k]] };
      if (rail->n_forward)
        arrivals[n++] = (Arrival) { NODE (r->l, rail->forward + rail->n_forward - 1)->x,
                                    &r->forward_port[i] };
      if (rail->n_back)
        arrivals[n++] = (Arrival) { NODE (r->l, rail->back)->x, &r->back_port[i] };
      spread_arrivals (NODE (r->l, i), arrivals, n);
    }
}

/* ---- nets ---- */

/* Rail of dummies from @first on: the piece in the channel below dummy k. */
static void
add_rail_nets (Router *r, guint block)
{
  Layered *l = r->l;
  const Rail *rail = &l->rails[block];
  guint layer = NODE (l, block)->layer;

  if (rail->n_forward)
    {
      guint top = layer - rail->n_forward;

      r->forward_net[block] = gilk_nets_add (r->nets, top);
      for (guint k = 1; k <= rail->n_forward; k++)
        gilk_nets_add (r->nets, top + k);
      for (guint k = 0; k < rail->n_forward; k++)
        {
          int *x = &NODE (l, rail->forward + k)->x;

          gilk_nets_below (r->nets, r->forward_net[block] + k, x);
          gilk_nets_above (r->nets, r->forward_net[block] + k + 1, *x);
        }
      gilk_nets_below (r->nets, r->forward_net[block] + rail->n_forward,
                       &r->forward_port[block]);
    }

  if (rail->n_back)
    {
      r->back_net[block] = gilk_nets_add (r->nets, layer);
      for (guint k = 1; k <= rail->n_back; k++)
        gilk_nets_add (r->nets, layer + k);
      gilk_nets_below (r->nets, r->back_net[block], &r->back_port[block]);
      for (guint k = 0; k < rail->n_back; k++)
        {
          int *x = &NODE (l, rail->back + k)->x;

          gilk_nets_below (r->nets, r->back_net[block] + k, x);
          gilk_nets_above (r->nets, r->back_net[block] + k + 1, *x);
        }
    }
}

/* The net in which @edge leaves its block. */
static guint
leaving_net (const Router *r, guint edge)
{
  const GilkLayoutEdge *e = &r->l->graph->edges[edge];
  guint from = NODE (r->l, e->from)->layer, to = NODE (r->l, e->to)->layer;

  if (r->l->turned[edge])
    return r->back_net[e->to] + (from - to) + 1;
  if (is_direct (r->l, edge))
    return r->edge_net[edge];

  return r->forward_net[e->to] + r->l->rails[e->to].n_forward - (to - from - 1);
}

static void
build_nets (Router *r)
{
  const GilkLayoutGraph *graph = r->l->graph;

  r->nets = gilk_nets_new (r->l->n_layers + 1);
  for (guint i = 0; i < graph->n_blocks; i++)
    add_rail_nets (r, i);
  for (guint i = 0; i < graph->n_edges; i++)
    {
      if (is_direct (r->l, i))
        {
          r->edge_net[i] = gilk_nets_add (r->nets, NODE (r->l, graph->edges[i].to)->layer);
          gilk_nets_below (r->nets, r->edge_net[i], &r->in_port[i]);
        }
      gilk_nets_above (r->nets, leaving_net (r, i), out_x (r, i));
    }
}

/* Builds and orders the nets, again while ends have to be moved. */
static void
settle_nets (Router *r)
{
  build_nets (r);
  gilk_nets_assign (r->nets);
  for (guint round = 0; round < UNTANGLE_ROUNDS && gilk_nets_untangle (r->nets) > 0; round++)
    {
      gilk_nets_free (r->nets);
      build_nets (r);
      gilk_nets_assign (r->nets);
    }
}

/* ---- heights ---- */

static void
assign_heights (Router *r, GilkLayout *layout)
{
  Layered *l = r->l;
  int y = MARGIN;

  for (guint i = 0; i <= l->n_layers; i++)
    {
      guint lanes = gilk_nets_lanes (r->nets, i);
      int tallest = 0;

      r->channel_y[i] = y;
      if (i > 0 && i < l->n_layers)
        y += LEAVE + ARRIVE;
      else if (lanes > 0)
        y += i == 0 ? ARRIVE : LEAVE;
      y += LANE * (int) lanes;
      if (i == l->n_layers)
        break;

      r->layer_y[i] = y;
      for (guint k = 0; k < l->layer_sizes[i]; k++)
        {
          const Node *node = NODE (l, l->layers[i][k]);

          if (node->block != NO_NODE)
            tallest = MAX (tallest, l->sizes[node->block].height);
        }
      y += tallest;
    }

  layout->height = y + MARGIN;
}

static int
net_y (const Router *r, guint net)
{
  guint channel = gilk_nets_channel (r->nets, net);

  return r->channel_y[channel] + (channel > 0 ? LEAVE : 0) +
         LANE * (int) gilk_nets_lane (r->nets, net) + LANE / 2;
}

/* ---- lines ---- */

static void
add_point (GArray *points, int x, int y)
{
  GilkXY point = { x, y };
  guint n = points->len;

  if (n >= 1)
    {
      const GilkXY *last = &g_array_index (points, GilkXY, n - 1);

      if (last->x == x && last->y == y)
        return;
    }
  if (n >= 2)
    {
      GilkXY *last = &g_array_index (points, GilkXY, n - 1);
      const GilkXY *before = &g_array_index (points, GilkXY, n - 2);

      if ((before->x == x && last->x == x) || (before->y == y && last->y == y))
        {
          *last = point;
          return;
        }
    }

  g_array_append_val (points, point);
}

/* Along the lane of @net from where the line is to @x. */
static void
cross_to (const Router *r, GArray *points, guint net, int x)
{
  int from = g_array_index (points, GilkXY, points->len - 1).x, y = net_y (r, net);

  if (from == x)
    return;
  add_point (points, from, y);
  add_point (points, x, y);
}

static void
route_edge (const Router *r, guint index, const GilkLayout *layout, GilkRoute *route)
{
  const Layered *l = r->l;
  const GilkLayoutEdge *e = &l->graph->edges[index];
  const Rail *rail = &l->rails[e->to];
  guint from = NODE (l, e->from)->layer, to = NODE (l, e->to)->layer;
  const GilkBox *source = &layout->blocks[e->from];
  g_autoptr(GArray) points = g_array_new (FALSE, FALSE, sizeof (GilkXY));
  int end = r->in_port[index];

  add_point (points, out_x (r, index), source->y + source->height);
  if (l->turned[index])
    {
      for (guint k = from - to + 1; k-- > 0; )
        cross_to (r, points, r->back_net[e->to] + k + 1, NODE (l, rail->back + k)->x);
      end = r->back_port[e->to];
      cross_to (r, points, r->back_net[e->to], end);
    }
  else if (is_direct (l, index))
    cross_to (r, points, r->edge_net[index], end);
  else
    {
      for (guint k = rail->n_forward - (to - from - 1); k < rail->n_forward; k++)
        cross_to (r, points, r->forward_net[e->to] + k, NODE (l, rail->forward + k)->x);
      end = r->forward_port[e->to];
      cross_to (r, points, r->forward_net[e->to] + rail->n_forward, end);
    }
  add_point (points, end, layout->blocks[e->to].y);

  route->edge = index;
  route->n_points = points->len;
  route->points = (GilkXY *) (void *) g_array_free (g_steal_pointer (&points), FALSE);
}

/* ---- all of it ---- */

static void
shift_to_margin (Layered *l, GilkLayout *layout)
{
  int low = G_MAXINT, high = G_MININT;

  for (guint i = 0; i < l->nodes->len; i++)
    {
      const Node *node = NODE (l, i);

      low = MIN (low, node->x - node->width / 2);
      high = MAX (high, node->x - node->width / 2 + node->width);
    }
  for (guint i = 0; i < l->nodes->len; i++)
    NODE (l, i)->x += MARGIN - low;

  layout->width = high - low + 2 * MARGIN;
}

static void
place_blocks (const Router *r, GilkLayout *layout)
{
  for (guint i = 0; i < layout->n_blocks; i++)
    {
      const Node *node = NODE (r->l, i);
      const GilkBox *size = &r->l->sizes[i];

      layout->blocks[i] = (GilkBox) { node->x - node->width / 2, r->layer_y[node->layer],
                                      size->width, size->height };
    }
}

void
gilk_layout_route (Layered *layered, GilkLayout *layout)
{
  guint n_edges = layered->graph->n_edges, n_blocks = layered->graph->n_blocks;
  g_autofree int *ports = g_new0 (int, n_edges + 2 * n_blocks + 1);
  g_autofree guint *nets = g_new0 (guint, n_edges + 2 * n_blocks + 1);
  g_autofree int *heights = g_new0 (int, 2 * (layered->n_layers + 1));
  Router r = {
    .l = layered, .in_port = ports, .forward_port = ports + n_edges,
    .back_port = ports + n_edges + n_blocks, .edge_net = nets,
    .forward_net = nets + n_edges, .back_net = nets + n_edges + n_blocks,
    .channel_y = heights, .layer_y = heights + layered->n_layers + 1,
  };

  shift_to_margin (layered, layout);
  assign_in_ports (&r);
  settle_nets (&r);
  assign_heights (&r, layout);
  place_blocks (&r, layout);
  for (guint i = 0; i < n_edges; i++)
    route_edge (&r, i, layout, &layout->routes[i]);

  gilk_nets_free (r.nets);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-layout-route.c - computes ports, lanes and lines of the edges
 *
 * Between two layers is a channel. Lines that join in a channel form a net, for instance a segment
 * of a rail and the edges that enter the rail there; an edge from block to block is a net of its
 * own. A net has one horizontal line, in a lane of the channel, and a vertical line from the lane
 * to each upper or lower end of the net. Nets that overlap get different lanes, in an order with
 * few crossings. A line that passes a layer runs in the column of its own dummy node, so that no
 * line touches a block.
 */
#include "core/layout/gilk-layout-private.h"

#include "core/layout/gilk-layout-channel.h"

#define MARGIN     24
#define LEAVE      14       /* distance from the bottom of a layer to the first lane */
#define ARRIVE     20       /* distance from the last lane to the top of a layer, enough for the
                             * arrow head */
#define LANE       9
#define UNTANGLE_ROUNDS 8

typedef struct {
  Layered  *l;
  guint    *first;          /* first link of each edge; NO_EDGE if the edge runs upwards */
  int      *in_port;        /* for each link that ends at a block: x at which the link arrives */
  int      *back_port;      /* for each block: x at which its back rail (the line of edges back to a
                             * loop header) arrives */
  GilkNets *nets;
  guint    *block_net;      /* for each link that ends at a block: its net, the lines that it joins
                             * between the layers */
  guint    *dummy_net;      /* for each dummy node of a chain or forward rail: the net just above
                             * it */
  guint    *back_net;       /* for each block: index of the net above the block that belongs to its
                             * back rail; the rail's other nets have the next indices */
  int      *channel_y;      /* for each layer: top of the channel, the space for lines, above it;
                             * and top of the channel below the last layer */
  int      *layer_y;
} Router;

static int
get_out_x (const Router *r, guint edge)
{
  return NODE (r->l, r->l->graph->edges[edge].from)->x + gilk_layout_out_port (r->l, edge);
}

/* Returns the x at which @link starts. */
static int
get_upper_x (const Router *r, guint link)
{
  const Link *k = LINK (r->l, link);

  return k->edge != NO_EDGE ? get_out_x (r, k->edge) : NODE (r->l, k->upper)->x;
}

static void
find_first_links (Router *r)
{
  for (guint i = 0; i < r->l->graph->n_edges; i++)
    r->first[i] = NO_EDGE;
  for (guint i = 0; i < r->l->links->len; i++)
    if (LINK (r->l, i)->edge != NO_EDGE)
      r->first[LINK (r->l, i)->edge] = i;
}

/* ---- ports at the tops of blocks ---- */

static void
assign_in_ports (Router *r)
{
  Layered *l = r->l;
  g_autofree Arrival *arrivals = g_new (Arrival, l->links->len + 1);

  for (guint i = 0; i < l->graph->n_blocks; i++)
    {
      guint n = 0;

      for (guint k = l->up_first[i]; k < l->up_first[i + 1]; k++)
        arrivals[n++] = (Arrival) { get_upper_x (r, l->up[k]), &r->in_port[l->up[k]] };
      if (l->rails[i].n_back)
        arrivals[n++] = (Arrival) { NODE (l, l->rails[i].back)->x, &r->back_port[i] };
      gilk_layout_spread (NODE (l, i)->x, NODE (l, i)->width, arrivals, n);
    }
}

/* ---- nets of lines that join in a channel ---- */

/* Adds the nets (sets of joining lines) of @block's back rail: one above the block, and one below
 * each dummy node of the rail. */
static void
add_back_nets (Router *r, guint block)
{
  Layered *l = r->l;
  const Rail *rail = &l->rails[block];
  guint layer = NODE (l, block)->layer;

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

/* Adds the nets of the links into @node: if @node is a dummy node, one net for all links; if it is
 * a block, one net per link. */
static void
add_nets_into (Router *r, guint node)
{
  Layered *l = r->l;
  guint layer = NODE (l, node)->layer;

  if (NODE (l, node)->block == NO_NODE)
    {
      r->dummy_net[node] = gilk_nets_add (r->nets, layer);
      gilk_nets_below (r->nets, r->dummy_net[node], &NODE (l, node)->x);
      for (guint k = l->up_first[node]; k < l->up_first[node + 1]; k++)
        gilk_nets_above (r->nets, r->dummy_net[node], get_upper_x (r, l->up[k]));
      return;
    }

  for (guint k = l->up_first[node]; k < l->up_first[node + 1]; k++)
    {
      guint link = l->up[k];

      r->block_net[link] = gilk_nets_add (r->nets, layer);
      gilk_nets_below (r->nets, r->block_net[link], &r->in_port[link]);
      gilk_nets_above (r->nets, r->block_net[link], get_upper_x (r, link));
    }
}

static void
build_nets (Router *r)
{
  const GilkLayoutGraph *graph = r->l->graph;

  r->nets = gilk_nets_new (r->l->n_layers + 1);
  for (guint i = 0; i < graph->n_blocks; i++)
    if (r->l->rails[i].n_back)
      add_back_nets (r, i);
  for (guint i = 0; i < r->l->nodes->len; i++)
    if (!NODE (r->l, i)->back)
      add_nets_into (r, i);

  for (guint i = 0; i < graph->n_edges; i++)
    if (r->l->turned[i])
      {
        const GilkLayoutEdge *e = &graph->edges[i];
        guint up = NODE (r->l, e->from)->layer - NODE (r->l, e->to)->layer;

        gilk_nets_above (r->nets, r->back_net[e->to] + up + 1, get_out_x (r, i));
      }
}

/* Builds the nets and assigns lanes, and repeats this as long as ends of nets must be moved. */
static void
assign_nets (Router *r)
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

/* ---- y coordinates of layers and lanes ---- */

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
get_net_y (const Router *r, guint net)
{
  guint channel = gilk_nets_channel (r->nets, net);

  return r->channel_y[channel] + (channel > 0 ? LEAVE : 0) +
         LANE * (int) gilk_nets_lane (r->nets, net) + LANE / 2;
}

/* ---- polylines of edges ---- */

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

/* Adds to a line a horizontal segment in the lane of @net, from the line's current end to @x. */
static void
add_crossing (const Router *r, GArray *points, guint net, int x)
{
  int from = g_array_index (points, GilkXY, points->len - 1).x, y = get_net_y (r, net);

  if (from == x)
    return;
  add_point (points, from, y);
  add_point (points, x, y);
}

/* Adds the points of an edge that runs up along a back rail. Returns: x at the target block */
static int
route_back (const Router *r, guint index, GArray *points)
{
  const Layered *l = r->l;
  const GilkLayoutEdge *e = &l->graph->edges[index];
  guint up = NODE (l, e->from)->layer - NODE (l, e->to)->layer;

  for (guint k = up + 1; k-- > 0; )
    add_crossing (r, points, r->back_net[e->to] + k + 1, NODE (l, l->rails[e->to].back + k)->x);
  add_crossing (r, points, r->back_net[e->to], r->back_port[e->to]);

  return r->back_port[e->to];
}

/* Adds the points of an edge that runs down from dummy node to dummy node. Returns: x at the target
 * block */
static int
route_down (const Router *r, guint index, GArray *points)
{
  const Layered *l = r->l;
  guint link = r->first[index];

  for (; NODE (l, LINK (l, link)->lower)->block == NO_NODE; link = ONWARD (l, LINK (l, link)->lower))
    add_crossing (r, points, r->dummy_net[LINK (l, link)->lower], NODE (l, LINK (l, link)->lower)->x);
  add_crossing (r, points, r->block_net[link], r->in_port[link]);

  return r->in_port[link];
}

static void
route_edge (const Router *r, guint index, const GilkLayout *layout, GilkRoute *route)
{
  const GilkLayoutEdge *e = &r->l->graph->edges[index];
  const GilkBox *source = &layout->blocks[e->from];
  g_autoptr(GArray) points = g_array_new (FALSE, FALSE, sizeof (GilkXY));
  int end;

  add_point (points, get_out_x (r, index), source->y + source->height);
  end = r->l->turned[index] ? route_back (r, index, points) : route_down (r, index, points);
  add_point (points, end, layout->blocks[e->to].y);

  route->edge = index;
  route->n_points = points->len;
  route->points = (GilkXY *) (void *) g_array_free (g_steal_pointer (&points), FALSE);
}

/* ---- the complete layout ---- */

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
  guint n_links = layered->links->len, n_nodes = layered->nodes->len;
  g_autofree int *ports = g_new0 (int, n_links + n_blocks + 1);
  g_autofree guint *nets = g_new0 (guint, n_edges + n_links + n_blocks + n_nodes + 1);
  g_autofree int *heights = g_new0 (int, 2 * (layered->n_layers + 1));
  Router r = {
    .l = layered, .in_port = ports, .back_port = ports + n_links,
    .first = nets, .block_net = nets + n_edges, .back_net = nets + n_edges + n_links,
    .dummy_net = nets + n_edges + n_links + n_blocks,
    .channel_y = heights, .layer_y = heights + layered->n_layers + 1,
  };

  shift_to_margin (layered, layout);
  find_first_links (&r);
  assign_in_ports (&r);
  assign_nets (&r);
  assign_heights (&r, layout);
  place_blocks (&r, layout);
  for (guint i = 0; i < n_edges; i++)
    route_edge (&r, i, layout, &layout->routes[i]);

  gilk_nets_free (r.nets);
}

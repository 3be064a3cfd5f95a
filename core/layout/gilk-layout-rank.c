/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-layout-rank.c - assigns each block to a layer by the longest path to it, and adds dummy
 * nodes for edges that span several layers
 */
#include "core/layout/gilk-layout-private.h"

#include "core/base/gilk-memory.h"

#define DUMMIES_MAX 2000000
#define CHAINS_MAX  3000        /* maximum number of dummy nodes for a layout in which each edge has
                                 * its own chain of them; with more dummies the layout would be too
                                 * slow, so edges to one block share a chain instead */
#define LONE_ROW    4           /* minimum number of isolated blocks (without edges) that are put in
                                 * one row */

/*
 * A switch with hundreds of cases, compiled to comparisons or to one jump, is a tree whose leaves
 * would all be in a few layers. A block with a single incoming edge is a child of that edge's
 * source. The children of a block are put in rows of limited width; edges to the second row and
 * below pass the rows above. The width limit is found by trying several values.
 */

#define LAYER_HEIGHT 110        /* approximate height of a layer with its lanes */
#define TRIES        14
#define SHRINK       0.72       /* each try reduces the width limit by this factor */

typedef struct {
  const Layered *l;
  const guint   *order;         /* topological */
  guint         *parent;        /* for each block: the edge from its parent, the source of its only
                                 * incoming edge; NO_EDGE: none */
  guint         *lengths;       /* for each edge: number of layers that it spans */
  double        *width;         /* width of each block with its descendants */
  guint         *height;        /* height of each block with its descendants, in layers */
  guint         *children;      /* scratch array: edges to the children of one block */
} Stack;

static double
get_own_width (const Stack *s, guint block)
{
  return s->l->sizes[block].width + APART_BLOCKS;
}

static void
find_parents (Stack *s)
{
  const GilkLayoutGraph *graph = s->l->graph;
  g_autofree guint *n_in = g_new0 (guint, graph->n_blocks + 1);

  for (guint i = 0; i < graph->n_blocks; i++)
    s->parent[i] = NO_EDGE;
  for (guint e = 0; e < graph->n_edges; e++)
    {
      const guint to = graph->edges[e].to;

      if (!s->l->turned[e])
        s->parent[to] = n_in[to]++ == 0 ? e : NO_EDGE;
    }
}

/* Compares edges by the height of the subtrees to which they lead: low subtrees come first, in the
 * upper rows, so that the edges that pass these rows stay short. */
static int
compare_heights (gconstpointer a, gconstpointer b, gpointer user_data)
{
  const Stack *s = user_data;
  const guint one = *(const guint *) a, other = *(const guint *) b;
  const guint x = s->height[s->l->graph->edges[one].to], y = s->height[s->l->graph->edges[other].to];

  return x != y ? (x < y ? -1 : 1) : (one > other) - (one < other);
}

/* Puts the children of @block in rows, if possible with a width of at most @most. */
static void
stack_block (Stack *s, guint block, double most)
{
  const GilkLayoutBlock *b = &s->l->graph->blocks[block];
  double row = 0, widest = get_own_width (s, block);
  guint n = 0, top = 1, high = 0, below = 0;

  for (guint e = b->first_out; e < b->first_out + b->n_out; e++)
    if (s->parent[s->l->graph->edges[e].to] == e)
      s->children[n++] = e;
  g_qsort_with_data (s->children, (int) n, sizeof *s->children, compare_heights, s);
  for (guint i = 0; i < n; i++)
    {
      const guint child = s->l->graph->edges[s->children[i]].to;

      if (row > 0 && row + s->width[child] > most)
        {
          top += high;
          below = n - i;
          widest = MAX (widest, row + APART_RAIL * below);
          row = high = 0;
        }
      s->lengths[s->children[i]] = top;
      row += s->width[child];
      high = MAX (high, s->height[child]);
    }
  s->width[block] = MAX (widest, row);
  s->height[block] = top + high;
}

/* Puts the children of every block in rows, no wider than @most if possible, and so computes how
 * many layers each edge spans. Returns the approximate ratio of the graph's width to its height. */
static double
stack_blocks (Stack *s, double most)
{
  const GilkLayoutGraph *graph = s->l->graph;
  double width = 0;
  guint height = 1;

  for (guint e = 0; e < graph->n_edges; e++)
    s->lengths[e] = 1;
  for (guint at = graph->n_blocks; at-- > 0; )
    stack_block (s, s->order[at], most);
  for (guint i = 0; i < graph->n_blocks; i++)
    if (s->parent[i] == NO_EDGE)
      {
        width = MAX (width, s->width[i]);
        height = MAX (height, s->height[i]);
      }

  return width / (height * LAYER_HEIGHT);
}

/* Returns for each edge the minimum number of layers that it must span. If the graph would be far
 * too wide, puts the children of a block in several rows, so that edges to the lower rows span
 * several layers. @order: blocks in topological order. (transfer full) */
static guint *
count_spanned_layers (Layered *layered, const guint *order)
{
  const guint n = layered->graph->n_blocks;
  g_autofree guint *parent = g_new (guint, n + 1), *height = g_new0 (guint, n + 1);
  g_autofree guint *children = g_new (guint, layered->graph->n_edges + 1);
  g_autofree double *width = g_new0 (double, n + 1);
  guint *lengths = g_new (guint, layered->graph->n_edges + 1);
  Stack s = { layered, order, parent, lengths, width, height, children };
  double aspect, most = 0, best = 0, nearest;

  find_parents (&s);
  layered->estimate = stack_blocks (&s, G_MAXDOUBLE);
  aspect = layered->estimate * layered->widening;
  if (aspect <= TOO_WIDE)
    return lengths;
  for (guint i = 0; i < n; i++)
    most = MAX (most, width[i]);
  nearest = aspect / TARGET_RATIO;
  for (guint i = 0; i < TRIES; i++)
    {
      double now, off;

      most *= SHRINK;
      now = stack_blocks (&s, most) * layered->widening;
      off = MAX (now / TARGET_RATIO, TARGET_RATIO / now);
      if (off < nearest)
        {
          nearest = off;
          best = most;
        }
    }
  layered->estimate = stack_blocks (&s, best > 0 ? best : G_MAXDOUBLE);

  return lengths;
}

/* Returns the blocks in topological order, ignoring back edges. */
static guint *
sort_topologically (const Layered *l)
{
  const GilkLayoutGraph *graph = l->graph;
  guint *order = g_new (guint, graph->n_blocks + 1), n = 0;
  g_autofree guint *waiting = g_new0 (guint, graph->n_blocks + 1);

  for (guint i = 0; i < graph->n_edges; i++)
    if (!l->turned[i])
      waiting[graph->edges[i].to]++;
  for (guint i = 0; i < graph->n_blocks; i++)
    if (waiting[i] == 0)
      order[n++] = i;

  for (guint at = 0; at < n; at++)
    {
      const GilkLayoutBlock *block = &graph->blocks[order[at]];

      for (guint k = block->first_out; k < block->first_out + block->n_out; k++)
        if (!l->turned[k] && --waiting[graph->edges[k].to] == 0)
          order[n++] = graph->edges[k].to;
    }

  g_assert (n == graph->n_blocks);
  return order;
}

/* Moves blocks with more outgoing than incoming edges down as far as possible, which makes lines
 * shorter. */
static void
sink_blocks (Layered *l, const guint *order)
{
  const GilkLayoutGraph *graph = l->graph;
  g_autofree guint *n_in = g_new0 (guint, graph->n_blocks + 1);

  for (guint i = 0; i < graph->n_edges; i++)
    if (!l->turned[i])
      n_in[graph->edges[i].to]++;

  for (guint at = graph->n_blocks; at-- > 0; )
    {
      const GilkLayoutBlock *block = &graph->blocks[order[at]];
      guint nearest = G_MAXUINT, n_out = 0;

      for (guint k = block->first_out; k < block->first_out + block->n_out; k++)
        if (!l->turned[k])
          {
            nearest = MIN (nearest, NODE (l, graph->edges[k].to)->layer);
            n_out++;
          }
      if (order[at] != graph->entry && n_out > n_in[order[at]])
        NODE (l, order[at])->layer = MAX (NODE (l, order[at])->layer, nearest - 1);
    }
}

/* Puts isolated blocks (blocks without edges) in rows. */
static void
stack_lone_blocks (Layered *l)
{
  const GilkLayoutGraph *graph = l->graph;
  g_autofree guint *lone = g_new (guint, graph->n_blocks + 1);
  guint n = 0, row = LONE_ROW;

  for (guint i = 0; i < graph->n_blocks; i++)
    if (i != graph->entry && graph->blocks[i].n_in == 0 && graph->blocks[i].n_out == 0)
      lone[n++] = i;
  while (2 * row * row < n)
    row++;
  for (guint i = 0; i < n; i++)
    NODE (l, lone[i])->layer = 1 + i / row;
}

/* Sets the layer of each block: the entry is alone on top, other blocks without incoming edges are
 * just above their targets. */
static void
assign_layers (Layered *l)
{
  const GilkLayoutGraph *graph = l->graph;
  g_autofree guint *order = sort_topologically (l);
  g_autofree guint *lengths = count_spanned_layers (l, order);
  guint deepest = 0;

  for (guint i = 0; i < graph->n_blocks; i++)
    NODE (l, i)->layer = i == graph->entry ? 0 : 1;

  for (guint at = 0; at < graph->n_blocks; at++)
    {
      const GilkLayoutBlock *block = &graph->blocks[order[at]];

      for (guint k = block->first_out; k < block->first_out + block->n_out; k++)
        {
          const GilkLayoutEdge *edge = &graph->edges[k];

          if (!l->turned[k])
            NODE (l, edge->to)->layer = MAX (NODE (l, edge->to)->layer,
                                             NODE (l, edge->from)->layer + lengths[k]);
        }
    }

  for (guint at = graph->n_blocks; at-- > 0; )
    {
      const GilkLayoutBlock *block = &graph->blocks[order[at]];
      guint nearest = G_MAXUINT;

      if (block->n_in > 0 || order[at] == graph->entry)
        continue;
      for (guint k = block->first_out; k < block->first_out + block->n_out; k++)
        if (!l->turned[k])
          nearest = MIN (nearest, NODE (l, graph->edges[k].to)->layer);
      if (nearest != G_MAXUINT && nearest > 1)
        NODE (l, order[at])->layer = nearest - 1;
    }

  sink_blocks (l, order);
  stack_lone_blocks (l);
  for (guint i = 0; i < graph->n_blocks; i++)
    deepest = MAX (deepest, NODE (l, i)->layer);
  l->n_layers = deepest + 1;
}

static guint
add_dummy (Layered *l, guint layer, gboolean back, guint target)
{
  Node node = { .block = NO_NODE, .layer = layer, .back = back, .mate = NO_NODE, .target = target, .width = 2 };

  g_array_append_val (l->nodes, node);
  return l->nodes->len - 1;
}

static void
add_link (Layered *l, guint upper, guint lower, int slant, guint edge)
{
  Link link = { upper, lower, slant, 0, edge };

  g_array_append_val (l->links, link);
}

/* Adds the dummy nodes of @block's rails, the chains that the edges to @block share; see Rail. */
static void
add_rail (Layered *l, guint block, guint top, guint bottom_back)
{
  guint layer = NODE (l, block)->layer;
  Rail *rail = &l->rails[block];

  if (top + 1 < layer)
    {
      rail->n_forward = layer - top - 1;
      for (guint k = top + 1; k < layer; k++)
        {
          guint dummy = add_dummy (l, k, FALSE, block);

          if (k == top + 1)
            rail->forward = dummy;
          else
            add_link (l, dummy - 1, dummy, 0, NO_EDGE);
        }
      add_link (l, l->nodes->len - 1, block, -RAIL_PORT, NO_EDGE);
    }

  if (bottom_back == G_MAXUINT)
    return;
  rail->n_back = bottom_back - layer + 1;
  for (guint k = layer; k <= bottom_back; k++)
    {
      guint dummy = add_dummy (l, k, TRUE, block);

      if (k == layer)
        {
          rail->back = dummy;
          NODE (l, dummy)->mate = block;
        }
      else
        add_link (l, dummy - 1, dummy, 0, NO_EDGE);
    }
}

/* Returns FALSE if there would be more dummy nodes than the graph of any kernel function needs. A
 * recorded graph may be malicious. */
static gboolean
has_few_dummies (const Layered *l, const guint *top, const guint *bottom)
{
  uint64_t dummies = 0;

  for (guint i = 0; i < l->graph->n_blocks; i++)
    {
      guint layer = NODE (l, i)->layer;

      if (top[i] + 1 < layer)
        dummies += layer - top[i] - 1;
      if (bottom[i] != G_MAXUINT)
        dummies += bottom[i] - layer + 1;
    }

  return dummies <= DUMMIES_MAX;
}

/* Returns how many dummy nodes are needed so that each edge leads to the next layer. */
static uint64_t
count_dummies (const Layered *l)
{
  uint64_t dummies = 0;

  for (guint i = 0; i < l->graph->n_edges; i++)
    if (!l->turned[i])
      dummies += NODE (l, l->graph->edges[i].to)->layer - NODE (l, l->graph->edges[i].from)->layer - 1;

  return dummies;
}

static gboolean
add_rails (Layered *l, gboolean shared)
{
  const GilkLayoutGraph *graph = l->graph;
  g_autofree guint *top = g_new (guint, graph->n_blocks + 1);
  g_autofree guint *bottom = g_new (guint, graph->n_blocks + 1);

  for (guint i = 0; i < graph->n_blocks; i++)
    {
      top[i] = G_MAXUINT - 1;
      bottom[i] = G_MAXUINT;
    }
  for (guint i = 0; i < graph->n_edges; i++)
    {
      const GilkLayoutEdge *edge = &graph->edges[i];
      guint layer = NODE (l, edge->from)->layer;

      if (!l->turned[i] && shared)
        top[edge->to] = MIN (top[edge->to], layer);
      else if (l->turned[i] && (bottom[edge->to] == G_MAXUINT || bottom[edge->to] < layer))
        bottom[edge->to] = layer;
    }

  if (!has_few_dummies (l, top, bottom) || (!shared && count_dummies (l) > CHAINS_MAX))
    return FALSE;
  for (guint i = 0; i < graph->n_blocks; i++)
    add_rail (l, i, top[i], bottom[i]);

  return TRUE;
}

/* Adds a chain of dummy nodes for one edge, one in each layer between the edge's two blocks. */
static void
add_chain (Layered *l, guint edge)
{
  const GilkLayoutEdge *e = &l->graph->edges[edge];
  guint from = NODE (l, e->from)->layer, to = NODE (l, e->to)->layer;

  for (guint k = from + 1; k < to; k++)
    {
      guint dummy = add_dummy (l, k, FALSE, e->to);

      add_link (l, k == from + 1 ? e->from : dummy - 1, dummy, 0, k == from + 1 ? edge : NO_EDGE);
    }
  add_link (l, l->nodes->len - 1, e->to, -RAIL_PORT, NO_EDGE);
}

/* Links the source of each edge to its target if that is in the next layer, or else to the edge's
 * rail or chain of dummy nodes. */
static void
link_edges (Layered *l)
{
  const GilkLayoutGraph *graph = l->graph;

  for (guint i = 0; i < graph->n_edges; i++)
    {
      const GilkLayoutEdge *edge = &graph->edges[i];
      const Rail *rail = &l->rails[edge->to];
      guint from = NODE (l, edge->from)->layer, to = NODE (l, edge->to)->layer;

      if (l->turned[i])
        {
          guint dummy = rail->back + (from - to);

          if (dummy + 1 == rail->back + rail->n_back && NODE (l, dummy)->mate == NO_NODE)
            NODE (l, dummy)->mate = edge->from;
        }
      else if (from + 1 == to)
        add_link (l, edge->from, edge->to, 0, i);
      else if (rail->n_forward > 0)
        add_link (l, edge->from, rail->forward + rail->n_forward - (to - from - 1), 0, i);
      else
        add_chain (l, i);
    }
}

void
gilk_layout_index (Layered *l)
{
  guint n = l->nodes->len;

  gilk_free_all (l->up_first, l->up, l->down_first, l->down);

  l->up_first = g_new0 (guint, n + 2);
  l->down_first = g_new0 (guint, n + 2);
  l->up = g_new (guint, l->links->len + 1);
  l->down = g_new (guint, l->links->len + 1);

  for (guint i = 0; i < l->links->len; i++)
    {
      l->up_first[LINK (l, i)->lower + 2]++;
      l->down_first[LINK (l, i)->upper + 2]++;
    }
  for (guint i = 1; i < n + 2; i++)
    {
      l->up_first[i] += l->up_first[i - 1];
      l->down_first[i] += l->down_first[i - 1];
    }
  for (guint i = 0; i < l->links->len; i++)
    {
      l->up[l->up_first[LINK (l, i)->lower + 1]++] = i;
      l->down[l->down_first[LINK (l, i)->upper + 1]++] = i;
    }
}

gboolean
gilk_layout_rank (Layered *layered, gboolean shared)
{
  for (guint i = 0; i < layered->graph->n_blocks; i++)
    {
      Node node = { .block = i, .mate = NO_NODE, .width = layered->sizes[i].width };

      g_array_append_val (layered->nodes, node);
    }

  layered->turned = g_new (gboolean, layered->graph->n_edges + 1);
  for (guint i = 0; i < layered->graph->n_edges; i++)
    layered->turned[i] = layered->graph->edges[i].back ||
                         layered->graph->edges[i].to == layered->graph->entry;

  assign_layers (layered);
  if (!add_rails (layered, shared))
    return FALSE;

  link_edges (layered);
  gilk_layout_index (layered);
  layered->ports = g_new0 (guint, layered->graph->n_edges + 1);
  gilk_layout_ports (layered);
  return TRUE;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-layout-place.c - computes x coordinates after Brandes and Köpf
 *
 * "Fast and simple horizontal coordinate assignment" (Graph Drawing 2001): nodes are chained to
 * their median neighbours, in four variants (down or up, left or right first), and each variant is
 * packed tightly; the x of a node is the average of the middle two of its four values. Rails, the
 * lines that edges to one block share, are straight. Unlike in the paper, which shifts classes of
 * chains, chains are packed from the left by longest paths, and gaps are then closed from the
 * right.
 */
#include <string.h>

#include "core/base/gilk-array.h"
#include "core/layout/gilk-layout-private.h"

typedef struct {
  Layered  *l;
  gboolean *conflict;       /* for each link: whether the nodes at its ends must not be in one
                             * chain */
  guint    *root, *align;
  int      *shift;          /* for each node: its x minus that of the root of its chain */
  guint    *position;       /* for each node: its position in its row, counted from the side from
                             * which chains are packed */
  guint   **rows;           /* the layers, in the direction in which this pass visits them */
  guint    *memory;         /* memory block that holds the arrays of @rows */
} Chains;

int
gilk_layout_separation (const Node *left, const Node *right)
{
  int apart = left->block == NO_NODE || right->block == NO_NODE ? APART_RAIL : APART_BLOCKS;

  if (left->block == NO_NODE && right->block == NO_NODE)
    apart = APART_RAIL * 2 / 3;

  return (left->width + right->width + 1) / 2 + apart;
}

/* Forbids each chain, a vertical line of nodes, that would contain a link which crosses an inner
 * segment of a rail: rails must stay straight. */
static void
mark_layer (Chains *c, guint layer)
{
  Layered *l = c->l;
  guint lower_n = l->layer_sizes[layer], from = 0, left = 0;

  for (guint i = 0; i < lower_n; i++)
    {
      guint node = l->layers[layer][i], right = l->layer_sizes[layer - 1];
      guint inner = NO_NODE;

      if (NODE (l, node)->block == NO_NODE)
        for (guint k = l->up_first[node]; k < l->up_first[node + 1]; k++)
          if (NODE (l, UP (l, k))->block == NO_NODE)
            inner = UP (l, k);
      if (inner == NO_NODE && i + 1 < lower_n)
        continue;
      if (inner != NO_NODE)
        right = NODE (l, inner)->order;

      for (; from <= i; from++)
        {
          guint lower = l->layers[layer][from];

          for (guint k = l->up_first[lower]; k < l->up_first[lower + 1]; k++)
            {
              guint order = NODE (l, UP (l, k))->order;
              gboolean is_inner = NODE (l, lower)->block == NO_NODE &&
                                  NODE (l, UP (l, k))->block == NO_NODE;

              if (!is_inner && (order < left || order > right))
                c->conflict[l->up[k]] = TRUE;
            }
        }
      left = inner != NO_NODE ? right : left;
    }
}

/* Returns the number of dummy nodes in a straight line that ends with @node, including @node. */
static guint
count_above (const Layered *l, const guint *above, guint node)
{
  return NODE (l, node)->block == NO_NODE ? above[node] + 1 : 0;
}

/* Keeps the longest line straight where lines join: forbids the chains, vertical lines of nodes,
 * that contain links of the shorter lines. */
static void
mark_joining (Chains *c, guint *above)
{
  Layered *l = c->l;

  for (guint layer = 1; layer < l->n_layers; layer++)
    for (guint i = 0; i < l->layer_sizes[layer]; i++)
      {
        guint node = l->layers[layer][i], main = NO_EDGE, longest = 0;

        if (NODE (l, node)->block != NO_NODE)
          continue;
        for (guint k = l->up_first[node]; k < l->up_first[node + 1]; k++)
          if (count_above (l, above, UP (l, k)) > longest)
            {
              longest = count_above (l, above, UP (l, k));
              main = l->up[k];
            }
        above[node] = longest;
        for (guint k = l->up_first[node]; longest > 0 && k < l->up_first[node + 1]; k++)
          c->conflict[l->up[k]] |= l->up[k] != main;
      }
}

/* A neighbour of a node in the previous row, and the link to it. */
typedef struct {
  guint node, link, position;
} Neighbour;

GILK_DEFINE_ORDER (compare_neighbours, Neighbour, position)

static void
chain_node (Chains *c, guint node, const Neighbour *to, gboolean down, gboolean mirrored)
{
  int slant = LINK (c->l, to->link)->slant;

  if (down == mirrored)
    slant = -slant;
  c->align[to->node] = node;
  c->root[node] = c->root[to->node];
  c->align[node] = c->root[node];
  c->shift[node] = c->shift[to->node] + slant;
}

/* Chains each node of a row to a median neighbour in the previous row, so that both get the same
 * x. */
static void
chain_nodes (Chains *c, gboolean down, gboolean mirrored, Neighbour *neighbours)
{
  Layered *l = c->l;
  const guint *first = down ? l->up_first : l->down_first;
  const guint *list = down ? l->up : l->down;

  for (guint i = 0; i < l->nodes->len; i++)
    {
      c->root[i] = c->align[i] = i;
      c->shift[i] = 0;
    }

  for (guint r = 0; r < l->n_layers; r++)
    {
      guint layer = down ? r : l->n_layers - 1 - r;
      int limit = -1;

      for (guint i = 0; i < l->layer_sizes[layer]; i++)
        {
          guint node = c->rows[layer][i], n = 0;

          for (guint k = first[node]; k < first[node + 1]; k++)
            {
              const Link *link = LINK (l, list[k]);
              guint other = down ? link->upper : link->lower;

              if (!c->conflict[list[k]])
                neighbours[n++] = (Neighbour) { other, list[k], c->position[other] };
            }
          qsort (neighbours, n, sizeof *neighbours, compare_neighbours);
          for (guint m = (n - 1) / 2; n > 0 && m <= n / 2 && c->align[node] == node; m++)
            if (limit < (int) neighbours[m].position)
              {
                chain_node (c, node, &neighbours[m], down, mirrored);
                limit = (int) neighbours[m].position;
              }
        }
    }
}

/* A constraint between the chains of two neighbours in a row: they must keep a minimum distance. */
typedef struct {
  guint from, to;
  int   apart;
} Arc;

GILK_DEFINE_ORDER (compare_arcs, Arc, from)

static guint
collect_arcs (const Chains *c, Arc *arcs)
{
  const Layered *l = c->l;
  guint n = 0;

  for (guint layer = 0; layer < l->n_layers; layer++)
    for (guint i = 1; i < l->layer_sizes[layer]; i++)
      {
        guint left = c->rows[layer][i - 1], right = c->rows[layer][i];

        arcs[n++] = (Arc) { c->root[left], c->root[right],
                            gilk_layout_separation (NODE (l, left), NODE (l, right)) +
                            c->shift[left] - c->shift[right] };
      }

  qsort (arcs, n, sizeof *arcs, compare_arcs);
  return n;
}

/* Packs the chains, vertical lines of nodes, as tightly as possible. @x: (out): x of each node;
 * during the call, it is valid only for the root (first node) of each chain */
static void
pack_chains (const Chains *c, int *x)
{
  const Layered *l = c->l;
  guint n = l->nodes->len, done = 0, n_arcs;
  g_autofree Arc *arcs = g_new (Arc, n + 1);
  g_autofree guint *first = g_new0 (guint, n + 2);
  g_autofree guint *waiting = g_new0 (guint, n + 1);
  g_autofree guint *order = g_new (guint, n + 1);

  n_arcs = collect_arcs (c, arcs);
  for (guint i = 0; i < n_arcs; i++)
    {
      first[arcs[i].from + 1]++;
      waiting[arcs[i].to]++;
    }
  for (guint i = 1; i < n + 2; i++)
    first[i] += first[i - 1];

  memset (x, 0, n * sizeof *x);
  for (guint i = 0; i < n; i++)
    if (c->root[i] == i && waiting[i] == 0)
      order[done++] = i;
  for (guint at = 0; at < done; at++)
    for (guint k = first[order[at]]; k < first[order[at] + 1]; k++)
      {
        x[arcs[k].to] = MAX (x[arcs[k].to], x[order[at]] + arcs[k].apart);
        if (--waiting[arcs[k].to] == 0)
          order[done++] = arcs[k].to;
      }

  for (guint at = done; at-- > 0; )
    {
      guint root = order[at];
      int most = G_MAXINT;

      for (guint k = first[root]; k < first[root + 1]; k++)
        most = MIN (most, x[arcs[k].to] - arcs[k].apart);
      if (most != G_MAXINT)
        x[root] = MAX (x[root], most);
    }

  for (guint i = 0; i < n; i++)
    x[i] = i == c->root[i] ? x[i] : x[c->root[i]] + c->shift[i];
}

/* Computes one of the four placements of the nodes. @right: whether chains are packed from the
 * right */
static void
compute_placement (Chains *c, gboolean down, gboolean right, Neighbour *neighbours, int *x)
{
  Layered *l = c->l;

  for (guint layer = 0; layer < l->n_layers; layer++)
    for (guint i = 0; i < l->layer_sizes[layer]; i++)
      {
        guint node = l->layers[layer][right ? l->layer_sizes[layer] - 1 - i : i];

        c->rows[layer][i] = node;
        c->position[node] = i;
      }

  chain_nodes (c, down, right, neighbours);
  pack_chains (c, x);
  if (right)
    for (guint i = 0; i < l->nodes->len; i++)
      x[i] = -x[i];
}

static void
measure_extent (const Layered *l, const int *x, int *low, int *high)
{
  *low = G_MAXINT;
  *high = G_MININT;
  for (guint i = 0; i < l->nodes->len; i++)
    {
      *low = MIN (*low, x[i] - NODE (l, i)->width / 2);
      *high = MAX (*high, x[i] + NODE (l, i)->width / 2);
    }
}

/* Aligns the four placements with the narrowest, and sets x of each node to the average of its
 * middle two values. */
static void
average_placements (Layered *l, int *x[4])
{
  int low[4], high[4];
  guint narrow = 0;

  for (guint k = 0; k < 4; k++)
    {
      measure_extent (l, x[k], &low[k], &high[k]);
      if (high[k] - low[k] < high[narrow] - low[narrow])
        narrow = k;
    }

  for (guint i = 0; i < l->nodes->len; i++)
    {
      int v[4];

      for (guint k = 0; k < 4; k++)
        {
          int value = x[k][i] + (k % 2 ? high[narrow] - high[k] : low[narrow] - low[k]);
          guint at = k;

          for (; at > 0 && v[at - 1] > value; at--)
            v[at] = v[at - 1];
          v[at] = value;
        }
      NODE (l, i)->x = (v[1] + v[2]) / 2;
    }
}

void
gilk_layout_place (Layered *layered)
{
  guint n = layered->nodes->len, at = 0;
  g_autofree gboolean *conflict = g_new0 (gboolean, layered->links->len + 1);
  g_autofree guint *memory = g_new (guint, 4 * (n + 1));
  g_autofree Neighbour *neighbours = g_new (Neighbour, layered->links->len + 1);
  g_autofree guint **rows = g_new (guint *, layered->n_layers);
  g_autofree int *coordinates = g_new (int, 5 * (n + 1));
  Chains c = {
    .l = layered, .conflict = conflict, .root = memory, .align = memory + n + 1,
    .shift = coordinates + 4 * (n + 1), .position = memory + 2 * (n + 1),
    .rows = rows, .memory = memory + 3 * (n + 1),
  };
  int *x[4];

  for (guint i = 0; i < layered->n_layers; i++)
    {
      rows[i] = c.memory + at;
      at += layered->layer_sizes[i];
    }
  for (guint i = 1; i < layered->n_layers; i++)
    mark_layer (&c, i);
  mark_joining (&c, memory);

  for (guint k = 0; k < 4; k++)
    {
      x[k] = coordinates + k * (n + 1);
      compute_placement (&c, k < 2, k % 2, neighbours, x[k]);
    }
  average_placements (layered, x);
}

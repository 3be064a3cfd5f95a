/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-layout-stack.c - splits graphs that would be far wider than high into parts below each
 * other
 *
 * A switch with hundreds of cases, as comparisons or as one jump, is a tree whose leaves would all
 * be in a few layers. A block with a single incoming edge is a child of that edge's source. The
 * children of a block are put in rows of limited width; edges to the second row and below pass the
 * rows above. The limit is found by trying several.
 */
#include "core/layout/gilk-layout-private.h"

#define LAYER_HEIGHT 110        /* approximate height of a layer with its lanes */
#define TOO_WIDE     4.0        /* ratio of width to height from which a graph is split */
#define TARGET_RATIO       2.2
#define TRIES        14
#define SHRINK       0.72       /* factor for the next width to try */

typedef struct {
  const Layered *l;
  const guint   *order;         /* topological */
  guint         *parent;        /* each block's edge from its parent; NO_EDGE: none */
  guint         *lengths;       /* number of layers that each edge spans */
  double        *width;         /* width of each block with its descendants */
  guint         *height;        /* height of each block with its descendants, in layers */
  guint         *children;      /* edges to the children of one block */
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

/* Sorts low subtrees first, because long edges pass them. */
static int
compare_heights (gconstpointer a, gconstpointer b, gpointer user_data)
{
  const Stack *s = user_data;
  const guint one = *(const guint *) a, other = *(const guint *) b;
  const guint x = s->height[s->l->graph->edges[one].to], y = s->height[s->l->graph->edges[other].to];

  return x != y ? (x < y ? -1 : 1) : (one > other) - (one < other);
}

/* Puts the children of @block in rows, no wider than @most if possible. */
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

/* Returns: approximate ratio of width to height if no part is wider than @most */
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

guint *
gilk_layout_stack (const Layered *layered, const guint *order)
{
  const guint n = layered->graph->n_blocks;
  g_autofree guint *parent = g_new (guint, n + 1), *height = g_new0 (guint, n + 1);
  g_autofree guint *children = g_new (guint, layered->graph->n_edges + 1);
  g_autofree double *width = g_new0 (double, n + 1);
  guint *lengths = g_new (guint, layered->graph->n_edges + 1);
  Stack s = { layered, order, parent, lengths, width, height, children };
  double aspect, most = 0, best = 0, nearest;

  find_parents (&s);
  aspect = stack_blocks (&s, G_MAXDOUBLE);
  if (aspect <= TOO_WIDE)
    return lengths;
  for (guint i = 0; i < n; i++)
    most = MAX (most, width[i]);
  nearest = aspect / TARGET_RATIO;
  for (guint i = 0; i < TRIES; i++)
    {
      double now, off;

      most *= SHRINK;
      now = stack_blocks (&s, most);
      off = MAX (now / TARGET_RATIO, TARGET_RATIO / now);
      if (off < nearest)
        {
          nearest = off;
          best = most;
        }
    }
  stack_blocks (&s, best > 0 ? best : G_MAXDOUBLE);

  return lengths;
}

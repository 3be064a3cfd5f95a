/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-layout-order.c - order of nodes within their layers, for few crossings
 *
 * Starts from a depth-first walk that takes the not-taken side first, so that
 * it stays left where nothing speaks against it; then barycentre sweeps down
 * and up, keeping the best order seen.
 */
#include <string.h>

#include "core/layout/gilk-layout-private.h"

#define SWEEPS      24
#define SWEEP_WORK  6000000   /* nodes and links in all sweeps together */

/* ---- first order ---- */

static void
append_to_layer (Layered *l, guint node)
{
  guint layer = NODE (l, node)->layer;

  NODE (l, node)->order = l->layer_sizes[layer];
  l->layers[layer][l->layer_sizes[layer]++] = node;
}

static void
walk (Layered *l, guint root, gboolean *seen, guint *stack)
{
  guint depth = 0;

  if (seen[root])
    return;

  stack[depth++] = root;
  while (depth > 0)
    {
      guint at = stack[--depth];

      if (seen[at])
        continue;
      seen[at] = TRUE;
      append_to_layer (l, at);
      /* pushed in reverse, so that the first edge is walked first */
      for (guint k = l->down_first[at + 1]; k-- > l->down_first[at]; )
        if (!seen[DOWN (l, k)])
          stack[depth++] = DOWN (l, k);
    }
}

static void
first_order (Layered *l)
{
  guint n = l->nodes->len;
  g_autofree gboolean *seen = g_new0 (gboolean, n + 1);
  g_autofree guint *stack = g_new (guint, l->links->len + n + 1);
  g_autofree guint *sizes = g_new0 (guint, l->n_layers);

  for (guint i = 0; i < n; i++)
    sizes[NODE (l, i)->layer]++;
  l->layers = g_new (guint *, l->n_layers);
  l->layer_sizes = g_new0 (guint, l->n_layers);
  for (guint i = 0; i < l->n_layers; i++)
    l->layers[i] = g_new (guint, sizes[i] + 1);

  walk (l, l->graph->entry, seen, stack);
  for (guint i = 0; i < n; i++)
    walk (l, i, seen, stack);
}

/* ---- crossings ---- */

static int
compare_uints (const void *a, const void *b)
{
  guint x = *(const guint *) a, y = *(const guint *) b;

  return (x > y) - (x < y);
}

/* Links between @layer and the next that cross: inversions, by a Fenwick tree. */
static uint64_t
count_layer (const Layered *l, guint layer, guint *tree, guint *ends)
{
  guint width = l->layer_sizes[layer + 1];
  uint64_t crossings = 0;
  guint placed = 0;

  memset (tree, 0, (width + 1) * sizeof *tree);
  for (guint i = 0; i < l->layer_sizes[layer]; i++)
    {
      guint node = l->layers[layer][i], n = 0;

      for (guint k = l->down_first[node]; k < l->down_first[node + 1]; k++)
        ends[n++] = NODE (l, DOWN (l, k))->order;
      qsort (ends, n, sizeof *ends, compare_uints);
      for (guint k = 0; k < n; k++)
        {
          guint before = 0;

          for (guint at = ends[k] + 1; at > 0; at -= at & -at)
            before += tree[at];
          crossings += placed - before;
        }
      for (guint k = 0; k < n; k++, placed++)
        for (guint at = ends[k] + 1; at <= width; at += at & -at)
          tree[at]++;
    }

  return crossings;
}

static uint64_t
count_crossings (const Layered *l, guint *tree, guint *ends)
{
  uint64_t sum = 0;

  for (guint i = 0; i + 1 < l->n_layers; i++)
    sum += count_layer (l, i, tree, ends);

  return sum;
}

/* ---- sweeps ---- */

typedef struct {
  double key;
  guint  node, old;
} Ranked;

static int
compare_ranked (const void *a, const void *b)
{
  const Ranked *x = a, *y = b;

  if (x->key != y->key)
    return x->key < y->key ? -1 : 1;
  return (x->old > y->old) - (x->old < y->old);
}

/* Mean place of @node's neighbours in the layer above or below. Edges pull a
 * little towards the side they leave their block on. */
static double
barycentre (const Layered *l, guint node, gboolean down)
{
  const guint *first = down ? l->up_first : l->down_first;
  guint n = first[node + 1] - first[node];
  double sum = 0;

  if (n == 0)
    return -1;

  for (guint k = first[node]; k < first[node + 1]; k++)
    if (down)
      {
        guint upper = UP (l, k), place = 0, out = l->down_first[upper + 1] - l->down_first[upper];

        while (l->down[l->down_first[upper] + place] != l->up[k])
          place++;
        sum += NODE (l, upper)->order + 0.2 * (place + 0.5) / out;
      }
    else
      sum += NODE (l, DOWN (l, k))->order;

  return sum / n;
}

/* Nodes without a neighbour on that side keep their place among the others. */
static void
sort_layer (Layered *l, guint layer, gboolean down, Ranked *ranked)
{
  guint n = l->layer_sizes[layer];
  guint width = down ? (layer ? l->layer_sizes[layer - 1] : 1)
                     : (layer + 1 < l->n_layers ? l->layer_sizes[layer + 1] : 1);

  for (guint i = 0; i < n; i++)
    {
      guint node = l->layers[layer][i];
      double key = barycentre (l, node, down);

      ranked[i] = (Ranked) { key >= 0 ? key : -1, node, i };
    }
  for (guint i = 0; i < n; i++)
    if (ranked[i].key < 0)
      ranked[i].key = i > 0 ? ranked[i - 1].key : (double) i * width / n;

  /* the end of a back rail belongs to the right of its block */
  for (guint i = 0; i < n; i++)
    {
      guint mate = NODE (l, ranked[i].node)->mate;

      if (mate == NO_NODE ||
          barycentre (l, ranked[i].node, down) >= 0)
        continue;
      for (guint k = 0; k < n; k++)
        if (ranked[k].node == mate)
          ranked[i].key = ranked[k].key + 0.3;
    }

  qsort (ranked, n, sizeof *ranked, compare_ranked);
  for (guint i = 0; i < n; i++)
    {
      l->layers[layer][i] = ranked[i].node;
      NODE (l, ranked[i].node)->order = i;
    }
}

static void
save_order (const Layered *l, guint *saved)
{
  for (guint i = 0; i < l->nodes->len; i++)
    saved[i] = NODE (l, i)->order;
}

static void
restore_order (Layered *l, const guint *saved)
{
  for (guint i = 0; i < l->nodes->len; i++)
    {
      Node *node = NODE (l, i);

      node->order = saved[i];
      l->layers[node->layer][saved[i]] = i;
    }
}

gboolean
gilk_layout_order (Layered *layered, GCancellable *cancellable)
{
  guint n = layered->nodes->len, work = n + layered->links->len + 1;
  guint sweeps = CLAMP (SWEEP_WORK / work, 4, SWEEPS), stale = 0;
  g_autofree guint *tree = g_new (guint, n + 2);
  g_autofree guint *ends = g_new (guint, layered->links->len + 1);
  g_autofree guint *best = g_new (guint, n + 1);
  g_autofree Ranked *ranked = g_new (Ranked, n + 1);
  uint64_t least;

  first_order (layered);
  least = count_crossings (layered, tree, ends);
  save_order (layered, best);

  for (guint sweep = 0; sweep < sweeps && least > 0 && stale < 6; sweep++)
    {
      gboolean down = sweep % 2 == 0;
      uint64_t crossings;

      if (g_cancellable_is_cancelled (cancellable))
        return FALSE;
      for (guint i = 0; i < layered->n_layers; i++)
        sort_layer (layered, down ? i : layered->n_layers - 1 - i, down, ranked);

      crossings = count_crossings (layered, tree, ends);
      stale = crossings < least ? 0 : stale + 1;
      if (crossings < least)
        {
          least = crossings;
          save_order (layered, best);
        }
    }

  restore_order (layered, best);
  return TRUE;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-layout-cross.c - counts the line crossings that an order of nodes causes, and swaps
 * neighbours to reduce them
 *
 * Edges may leave a block on swapped sides at a small cost. A back rail (the line that all edges
 * back to a loop's header share) turns beside a block, in the channel above or below: it crosses
 * all lines that enter or leave nodes between the block and the rail in that channel.
 */
#include "core/layout/gilk-layout-channel.h"

#include <string.h>

#include "core/base/gilk-memory.h"

#define PORT_BITS 8
/* ---- construction of GilkCrossings ---- */

static void
number_ports (GilkCrossings *c)
{
  const Layered *l = c->l;

  for (guint i = 0; i < l->nodes->len; i++)
    {
      guint n = l->down_first[i + 1] - l->down_first[i];

      for (guint k = 0; k < n; k++)
        c->port[l->down[l->down_first[i] + k]] = (k << PORT_BITS) / n;
    }
}

static void
add_turn (GilkCrossings *c, guint a, guint b, gboolean below, gboolean count)
{
  if (count)
    {
      c->turn_first[a + 2]++;
      c->turn_first[b + 2]++;
      return;
    }
  c->turns[c->turn_first[a + 1]++] = (GilkTurn) { b, below };
  c->turns[c->turn_first[b + 1]++] = (GilkTurn) { a, below };
}

/* Adds the turns of all back rails, the lines back to loop headers. Must first be called with
 * @count set: then it only counts the turns, to find where each node's turns start in the array. */
static void
add_turns (GilkCrossings *c, gboolean count)
{
  const Layered *l = c->l;

  for (guint i = 0; i < l->graph->n_blocks; i++)
    if (l->rails[i].n_back)
      add_turn (c, i, l->rails[i].back, FALSE, count);
  for (guint i = 0; i < l->graph->n_edges; i++)
    if (l->turned[i])
      {
        const GilkLayoutEdge *edge = &l->graph->edges[i];
        guint down = NODE (l, edge->from)->layer - NODE (l, edge->to)->layer;

        add_turn (c, edge->from, l->rails[edge->to].back + down, TRUE, count);
      }
}

GilkCrossings *
gilk_crossings_new (Layered *layered)
{
  GilkCrossings *c = g_new0 (GilkCrossings, 1);
  guint n = layered->nodes->len;

  c->l = layered;
  c->port = g_new (guint, layered->links->len + 1);
  c->turn_first = g_new0 (guint, n + 2);
  c->turns = g_new (GilkTurn, 2 * (layered->graph->n_blocks + layered->graph->n_edges) + 1);
  c->tree = g_new (guint, n + 2);
  c->sums = g_new (guint, n + 2);
  number_ports (c);
  add_turns (c, TRUE);
  for (guint i = 1; i < n + 2; i++)
    c->turn_first[i] += c->turn_first[i - 1];
  add_turns (c, FALSE);

  return c;
}

void
gilk_crossings_free (GilkCrossings *c)
{
  gilk_free_all (c->port, c->turn_first, c->turns, c->tree, c->sums, c);
}

double
gilk_crossings_upper (const GilkCrossings *c, guint link)
{
  return NODE (c->l, LINK (c->l, link)->upper)->order + (double) c->port[link] / (1 << PORT_BITS);
}

/* ---- counting of crossings ---- */

guint
gilk_crossings_degree (const Layered *l, guint node, gboolean below)
{
  return below ? l->down_first[node + 1] - l->down_first[node] : l->up_first[node + 1] - l->up_first[node];
}

/* Counts the crossings of links between @layer and the next layer, by counting inversions with a
 * Fenwick tree. */
static uint64_t
count_links (GilkCrossings *c, guint layer)
{
  const Layered *l = c->l;
  guint width = l->layer_sizes[layer + 1], placed = 0;
  uint64_t crossings = 0;

  memset (c->tree, 0, (width + 1) * sizeof *c->tree);
  for (guint i = 0; i < l->layer_sizes[layer]; i++)
    {
      guint node = l->layers[layer][i], from = l->down_first[node], to = l->down_first[node + 1];

      for (guint k = from; k < to; k++)
        {
          guint before = 0;

          for (guint at = NODE (l, DOWN (l, k))->order + 1; at > 0; at -= at & -at)
            before += c->tree[at];
          crossings += (uint64_t) (placed - before) * CROSSED;
        }
      for (guint k = from; k < to; k++)
        for (guint at = NODE (l, DOWN (l, k))->order + 1; at <= width; at += at & -at)
          c->tree[at]++;
      placed += to - from;
      if (to - from == 2 && NODE (l, DOWN (l, from))->order > NODE (l, DOWN (l, from + 1))->order)
        crossings += SWAPPED;
    }

  return crossings;
}

static uint64_t
count_turns (GilkCrossings *c, guint layer, gboolean below)
{
  const Layered *l = c->l;
  guint n = l->layer_sizes[layer];
  uint64_t crossings = 0;

  c->sums[0] = 0;
  for (guint i = 0; i < n; i++)
    c->sums[i + 1] = c->sums[i] + gilk_crossings_degree (l, l->layers[layer][i], below);
  for (guint i = 0; i < n; i++)
    {
      guint node = l->layers[layer][i];

      for (guint k = c->turn_first[node]; k < c->turn_first[node + 1]; k++)
        {
          guint other = NODE (l, c->turns[k].partner)->order;

          if (c->turns[k].below == below && other > i)
            crossings += (uint64_t) (c->sums[other] - c->sums[i + 1]) * CROSSED;
        }
    }

  return crossings;
}

uint64_t
gilk_crossings_count (GilkCrossings *c)
{
  uint64_t sum = 0;

  for (guint i = 0; i < c->l->n_layers; i++)
    {
      sum += count_turns (c, i, FALSE) + count_turns (c, i, TRUE);
      if (i + 1 < c->l->n_layers)
        sum += count_links (c, i);
    }

  return sum;
}

/* ---- swapping of neighbours ---- */

/* Returns by how much the cost of @node's turns, where back rails turn beside it, decreases if
 * @node moves past its neighbour @other. @right: TRUE if @other is to the right of @node */
static int
get_turns_saved (const GilkCrossings *c, guint node, guint other, gboolean right)
{
  const Layered *l = c->l;
  int saved = 0;

  for (guint k = c->turn_first[node]; k < c->turn_first[node + 1]; k++)
    {
      const GilkTurn *turn = &c->turns[k];
      gboolean nearer = (NODE (l, turn->partner)->order > NODE (l, node)->order) == right;

      if (turn->partner != other)
        saved += (nearer ? CROSSED : -CROSSED) * (int) gilk_crossings_degree (l, other, turn->below);
    }

  return saved;
}

static int
get_links_saved (const GilkCrossings *c, guint left, guint right)
{
  const Layered *l = c->l;
  int saved = 0;

  for (guint i = l->up_first[left]; i < l->up_first[left + 1]; i++)
    for (guint k = l->up_first[right]; k < l->up_first[right + 1]; k++)
      {
        guint a = NODE (l, UP (l, i))->order, b = NODE (l, UP (l, k))->order;

        if (a != b)
          saved += a > b ? CROSSED : -CROSSED;
        else
          saved += c->port[l->up[i]] > c->port[l->up[k]] ? SWAPPED : -SWAPPED;
      }
  for (guint i = l->down_first[left]; i < l->down_first[left + 1]; i++)
    for (guint k = l->down_first[right]; k < l->down_first[right + 1]; k++)
      {
        guint a = NODE (l, DOWN (l, i))->order, b = NODE (l, DOWN (l, k))->order;

        saved += ((a > b) - (a < b)) * CROSSED;
      }

  return saved;
}

static int
swap_layer (GilkCrossings *c, guint layer, gboolean even)
{
  Layered *l = c->l;
  guint *row = l->layers[layer];
  int saved = 0;

  for (guint i = 0; i + 1 < l->layer_sizes[layer]; i++)
    {
      guint left = row[i], right = row[i + 1];
      int gain = get_links_saved (c, left, right) + get_turns_saved (c, left, right, TRUE) +
                 get_turns_saved (c, right, left, FALSE);

      if (gain < 0 || (gain == 0 && !even))
        continue;
      row[i] = right;
      row[i + 1] = left;
      NODE (l, right)->order = i;
      NODE (l, left)->order = i + 1;
      saved += gain;
    }

  return saved;
}

void
gilk_crossings_swap (GilkCrossings *c, gboolean even, guint rounds)
{
  int saved = 1;

  while (saved > 0 && rounds-- > 0)
    {
      saved = 0;
      for (guint i = 0; i < c->l->n_layers; i++)
        saved += swap_layer (c, i, even);
    }
}

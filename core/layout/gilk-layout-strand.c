/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-layout-strand.c - finds the best places for a path of nodes through several layers at once
 *
 * Sweeps and swaps move one node past another, and fail where a line would have to move in
 * several layers before it has fewer crossings. A strand is one node in each of several consecutive
 * layers: the dummies of a line, a block, or a block with lines above and below it. The strand is
 * removed, and the path through the remaining nodes with the fewest crossings is found layer by
 * layer, by dynamic programming over the gaps between neighbours.
 */
#include "core/layout/gilk-layout-channel.h"

#include <gio/gio.h>
#include <string.h>

#define LINKS_TRIED 3           /* maximum number of links above a block, and below it, that are
                                 * tried as parts of a strand (a path of nodes that are moved
                                 * together) */
#define TABLE_MAX   1000000     /* maximum product of the number of gaps between nodes above a
                                 * channel and the number below it; paths of nodes through larger
                                 * channels are not moved */

typedef struct {
  GilkCrossings *c;
  Layered *l;
  guint   *nodes, top, n;       /* the strand, the path of nodes that is moved: nodes[i] is in layer
                                 * top + i */
  guint    above, below;        /* numbers of nodes in the layers above and below a channel, without
                                 * those of the strand */
  int     *table;               /* for each pair of a gap between nodes above a channel and one
                                 * below it: number of links to the left of both gaps */
  int     *cost, *next;         /* for each gap of a layer: lowest cost of the strand from its top
                                 * down to this layer, if it ends in this gap */
  int     *own, *left;          /* scratch arrays, one item per gap between neighbours in a
                                 * layer */
  guint   *came_from;           /* for each gap of each layer: the best gap in the layer above from
                                 * which to reach it */
  guint   *first_gap;           /* start of each layer in @came_from */
  int      now;                 /* cost of the strand in its current place, summed over the layers
                                 * processed so far */
  guint64  work;
} Strands;

/* ---- gaps between the nodes of a layer ---- */

static guint
get_moving (const Strands *s, guint layer)
{
  return layer >= s->top && layer - s->top < s->n ? s->nodes[layer - s->top] : NO_NODE;
}

/* Returns the position of a node that stays among the nodes that stay. For a node that moves,
 * returns the position of the gap that it leaves. */
static guint
get_position (const Strands *s, guint node)
{
  const Node *n = NODE (s->l, node);
  guint taken = get_moving (s, n->layer);

  return n->order - (taken != NO_NODE && n->order > NODE (s->l, taken)->order);
}

/* ---- crossings in one channel ---- */

#define AT(s, p, q) ((s)->table[(p) * ((s)->below + 1) + (q)])

/* Fills the table of the numbers of links for the channel below @layer. Returns FALSE if the table
 * would be too large. */
static gboolean
fill_table (Strands *s, guint layer)
{
  const Layered *l = s->l;
  guint upper = get_moving (s, layer), lower = get_moving (s, layer + 1), size = (s->above + 1) * (s->below + 1);

  if (size > TABLE_MAX)
    return FALSE;
  memset (s->table, 0, size * sizeof *s->table);
  for (guint i = 0; i < l->layer_sizes[layer]; i++)
    {
      guint node = l->layers[layer][i];

      for (guint k = l->down_first[node]; node != upper && k < l->down_first[node + 1]; k++)
        if (DOWN (l, k) != lower)
          AT (s, get_position (s, node) + 1, get_position (s, DOWN (l, k)) + 1)++;
    }
  for (guint p = 1; p <= s->above; p++)
    {
      int row = 0;

      for (guint q = 1; q <= s->below; q++)
        {
          row += AT (s, p, q);
          AT (s, p, q) = row + AT (s, p - 1, q);
        }
    }
  s->work += size;

  return TRUE;
}

/* For each gap that @upper could move into, adds to @cost the cost of crossings with links that go
 * down from @upper to nodes other than @lower. */
static void
add_downs (const Strands *s, guint upper, guint lower, int *cost)
{
  const Layered *l = s->l;

  for (guint k = l->down_first[upper]; k < l->down_first[upper + 1]; k++)
    {
      guint x;

      if (DOWN (l, k) == lower)
        continue;
      x = get_position (s, DOWN (l, k));
      for (guint p = 0; p <= s->above; p++)
        cost[p] += CROSSED * (AT (s, p, s->below) - AT (s, p, x + 1) + AT (s, s->above, x) - AT (s, p, x));
    }
}

/* Adds the cost of a branch's two edges if they would leave the block on swapped sides. */
static void
add_sides (const Strands *s, guint above, guint lower, int *cost)
{
  const Layered *l = s->l;
  guint first = l->down_first[above], x;
  gboolean left;

  if (l->down_first[above + 1] - first != 2)
    return;
  left = DOWN (l, first) == lower;
  x = DOWN (l, left ? first + 1 : first);
  if (x == lower)
    return;
  x = get_position (s, x);
  for (guint q = 0; q <= s->below; q++)
    cost[q] += (left ? q > x : q <= x) * SWAPPED;
}

/* For each gap that @lower could move into, adds to @cost the cost of crossings with links that
 * come down to @lower from nodes other than @upper. */
static void
add_ups (const Strands *s, guint upper, guint lower, int *cost)
{
  const Layered *l = s->l;

  for (guint k = l->up_first[lower]; k < l->up_first[lower + 1]; k++)
    {
      guint u;

      add_sides (s, UP (l, k), lower, cost);
      if (UP (l, k) == upper)
        continue;
      u = get_position (s, UP (l, k));
      for (guint q = 0; q <= s->below; q++)
        cost[q] += CROSSED * (AT (s, u, s->below) - AT (s, u, q) + AT (s, s->above, q) - AT (s, u + 1, q));
    }
}

/* Adds the cost of crossings with @node's own turns, where a back rail turns beside it: a turn
 * crosses all links of the nodes between its two ends. */
static void
add_own_turns (const Strands *s, guint node, gboolean below, int *cost)
{
  const Layered *l = s->l;
  guint layer = NODE (l, node)->layer, n = 0, *sums = s->c->sums;

  sums[0] = 0;
  for (guint i = 0; i < l->layer_sizes[layer]; i++)
    if (l->layers[layer][i] != node)
      {
        sums[n + 1] = sums[n] + gilk_crossings_degree (l, l->layers[layer][i], below);
        n++;
      }

  for (guint k = s->c->turn_first[node]; k < s->c->turn_first[node + 1]; k++)
    if (s->c->turns[k].below == below)
      {
        guint beside = get_position (s, s->c->turns[k].partner);

        for (guint p = 0; p <= n; p++)
          cost[p] += CROSSED * (int) (p > beside ? sums[p] - sums[beside + 1] : sums[beside] - sums[p]);
      }
}

/* Adds the cost of crossings with other nodes' turns, where back rails turn beside blocks, for gaps
 * of @node between the two ends of a turn. */
static void
add_others_turns (const Strands *s, guint node, int *cost)
{
  const Layered *l = s->l;
  guint layer = NODE (l, node)->layer;

  for (guint i = 0; i < l->layer_sizes[layer]; i++)
    {
      guint other = l->layers[layer][i];

      for (guint k = s->c->turn_first[other]; other != node && k < s->c->turn_first[other + 1]; k++)
        {
          const GilkTurn *turn = &s->c->turns[k];

          for (guint p = get_position (s, other) + 1; turn->partner != node && p <= get_position (s, turn->partner); p++)
            cost[p] += CROSSED * (int) gilk_crossings_degree (l, node, turn->below);
        }
    }
}

/* ---- search for the best place of a strand ---- */

typedef struct {
  int links;                    /* number of links between the upper and the lower node, both of
                                 * which move */
  int downs, ups;               /* number of other links of the upper node, and of the lower node,
                                 * in this channel */
} Between;

/* Returns the cost of the crossings that depend on both the gap @p of the upper node and the gap @q
 * of the lower node. @a: number of other links to the lower node that start to the left of gap @p;
 * @c: number of other links from the upper node that end to the left of gap @q */
static int
compute_joint_cost (const Strands *s, const Between *b, guint p, guint q, int a, int c)
{
  int crossed = b->links * (AT (s, p, s->below) + AT (s, s->above, q) - 2 * AT (s, p, q));

  return CROSSED * (crossed + a * c + (b->ups - a) * (b->downs - c));
}

static void
count_left (const Strands *s, guint node, guint except, gboolean down, int *left, guint n)
{
  const Layered *l = s->l;
  const guint *first = down ? l->down_first : l->up_first;

  memset (left, 0, (n + 1) * sizeof *left);
  for (guint k = first[node]; k < first[node + 1]; k++)
    {
      guint other = down ? DOWN (l, k) : UP (l, k);

      for (guint p = other == except ? n + 1 : get_position (s, other) + 1; p <= n; p++)
        left[p]++;
    }
}

/* Finds, for each gap into which @lower may move, the gap of @upper with the lowest total cost. */
static void
join_gaps (Strands *s, guint upper, guint lower, guint *came_from)
{
  const Layered *l = s->l;
  int *a = s->left, *c = s->left + s->above + 1;
  guint p_now = get_position (s, upper), q_now = get_position (s, lower);
  Between b = { 0 };

  for (guint k = l->down_first[upper]; k < l->down_first[upper + 1]; k++)
    b.links += DOWN (l, k) == lower;
  b.downs = (int) gilk_crossings_degree (l, upper, TRUE) - b.links;
  b.ups = (int) gilk_crossings_degree (l, lower, FALSE) - b.links;
  count_left (s, lower, upper, FALSE, a, s->above);
  count_left (s, upper, lower, TRUE, c, s->below);

  s->now += compute_joint_cost (s, &b, p_now, q_now, a[p_now], c[q_now]);
  for (guint q = 0; q <= s->below; q++)
    {
      s->next[q] = G_MAXINT;
      for (guint p = 0; p <= s->above; p++)
        {
          int cost = s->cost[p] + compute_joint_cost (s, &b, p, q, a[p], c[q]);

          if (cost < s->next[q] || (cost == s->next[q] && p == p_now))
            {
              s->next[q] = cost;
              came_from[q] = p;
            }
        }
    }
  s->work += 2 * (s->above + 1) * (s->below + 1);
}

/* Adds the costs in @s->own, which depend only on the gap of @node itself, to @cost and to the cost
 * of the current place. */
static void
add_own (Strands *s, guint node, int *cost, guint n)
{
  for (guint p = 0; p <= n; p++)
    cost[p] += s->own[p];
  s->now += s->own[get_position (s, node)];
}

/* Adds the cost of the channel above the layer of nodes[@i], and of that layer itself. Returns
 * FALSE if the channel is too wide. */
static gboolean
process_channel (Strands *s, guint i)
{
  Layered *l = s->l;
  guint layer = s->top + i, upper = i > 0 ? s->nodes[i - 1] : NO_NODE, lower = i < s->n ? s->nodes[i] : NO_NODE;
  int *passed = s->cost;

  if (layer == l->n_layers)
    return TRUE;
  s->above = layer > 0 ? l->layer_sizes[layer - 1] - (upper != NO_NODE) : 0;
  s->below = l->layer_sizes[layer] - (lower != NO_NODE);
  if (layer > 0 && !fill_table (s, layer - 1))
    return FALSE;

  if (upper != NO_NODE)
    {
      memset (s->own, 0, (s->above + 1) * sizeof *s->own);
      add_downs (s, upper, lower, s->own);
      add_own (s, upper, s->cost, s->above);
    }
  if (lower == NO_NODE)
    return TRUE;

  if (upper != NO_NODE)
    join_gaps (s, upper, lower, s->came_from + s->first_gap[layer]);
  else
    memset (s->next, 0, (s->below + 1) * sizeof *s->next);
  memset (s->own, 0, (s->below + 1) * sizeof *s->own);
  add_ups (s, upper, lower, s->own);
  add_own_turns (s, lower, FALSE, s->own);
  add_own_turns (s, lower, TRUE, s->own);
  add_others_turns (s, lower, s->own);
  add_own (s, lower, s->next, s->below);
  s->cost = s->next;
  s->next = passed;

  return TRUE;
}

static void
move_node (Layered *l, guint node, guint gap)
{
  Node *n = NODE (l, node);
  guint *row = l->layers[n->layer], from = n->order;

  if (gap > from)
    memmove (row + from, row + from + 1, (gap - from) * sizeof *row);
  else
    memmove (row + gap + 1, row + gap, (from - gap) * sizeof *row);
  row[gap] = node;
  for (guint i = MIN (from, gap); i <= MAX (from, gap); i++)
    NODE (l, row[i])->order = i;
}

/* Moves the strand, a path of nodes through several layers, to its best place. Returns: by how much
 * the cost of the order decreases */
static int
move_strand (Strands *s)
{
  guint last = s->nodes[s->n - 1], best = get_position (s, last);
  int saved;

  s->now = 0;
  for (guint i = 0; i <= s->n; i++)
    if (!process_channel (s, i))
      return 0;

  for (guint p = 0; p < s->l->layer_sizes[NODE (s->l, last)->layer]; p++)
    if (s->cost[p] < s->cost[best])
      best = p;
  saved = s->now - s->cost[best];
  if (saved <= 0)
    return 0;

  for (guint i = s->n; i-- > 0; )
    {
      guint above = i > 0 ? s->came_from[s->first_gap[s->top + i] + best] : 0;

      move_node (s->l, s->nodes[i], best);
      best = above;
    }

  return saved;
}

/* ---- choice of the strands to move ---- */

static gboolean
is_dummy (const Strands *s, guint node)
{
  return NODE (s->l, node)->block == NO_NODE;
}

/* Appends the dummy nodes below @link to the strand, the path of nodes to move. */
static void
add_below (Strands *s, guint link)
{
  const Layered *l = s->l;
  guint node = LINK (l, link)->lower;

  while (is_dummy (s, node))
    {
      s->nodes[s->n++] = node;
      if (l->down_first[node] == l->down_first[node + 1])
        break;
      node = DOWN (l, l->down_first[node]);
    }
}

/* Puts the dummy nodes above @link in front of the strand, the path of nodes to move, which must
 * contain only the block below @link. Where lines join, follows only one of them. */
static void
add_above (Strands *s, guint link)
{
  const Layered *l = s->l;
  guint node = LINK (l, link)->upper;

  while (is_dummy (s, node))
    {
      guint next = NO_NODE;

      s->nodes[s->n++] = node;
      for (guint k = l->up_first[node]; k < l->up_first[node + 1] && next == NO_NODE; k++)
        if (is_dummy (s, UP (l, k)))
          next = UP (l, k);
      if (next == NO_NODE)
        break;
      node = next;
    }

  s->top -= s->n - 1;
  for (guint i = 0; i < s->n / 2; i++)
    {
      guint other = s->nodes[i];

      s->nodes[i] = s->nodes[s->n - 1 - i];
      s->nodes[s->n - 1 - i] = other;
    }
}

/* Moves a block to its best place: first alone, and then together with lines above and below it. */
static int
move_block_strands (Strands *s, guint block)
{
  const Layered *l = s->l;
  guint ups = MIN (gilk_crossings_degree (l, block, FALSE), LINKS_TRIED);
  guint downs = MIN (gilk_crossings_degree (l, block, TRUE), LINKS_TRIED);
  int saved = 0;

  for (guint i = 0; i <= ups; i++)
    for (guint k = 0; k <= downs; k++)
      {
        guint n;

        s->top = NODE (l, block)->layer;
        s->n = n = 1;
        s->nodes[0] = block;
        if (i > 0)
          add_above (s, l->up[l->up_first[block] + i - 1]);
        if (i > 0 && s->n == n)
          continue;
        n = s->n;
        if (k > 0)
          add_below (s, l->down[l->down_first[block] + k - 1]);
        if (k == 0 || s->n > n)
          saved += move_strand (s);
      }

  return saved;
}

static int
move_line_strand (Strands *s, guint dummy)
{
  const Layered *l = s->l;

  for (guint k = l->up_first[dummy]; k < l->up_first[dummy + 1]; k++)
    if (is_dummy (s, UP (l, k)))
      return 0;

  s->top = NODE (l, dummy)->layer;
  s->n = 1;
  s->nodes[0] = dummy;
  if (l->down_first[dummy] < l->down_first[dummy + 1])
    add_below (s, l->down[l->down_first[dummy]]);

  return move_strand (s);
}

int
gilk_crossings_move_strands (GilkCrossings *crossings, guint64 *work, GCancellable *cancellable)
{
  Layered *l = crossings->l;
  guint n_gaps = l->nodes->len + l->n_layers, widest = 0, at = 0;
  g_autofree guint *memory = g_new0 (guint, 2 * l->n_layers + n_gaps + 1);
  g_autofree int *costs = NULL, *table = NULL;
  Strands s = {
    .c = crossings, .l = l, .nodes = memory, .first_gap = memory + l->n_layers, .came_from = memory + 2 * l->n_layers,
  };
  int saved = 0;

  for (guint i = 0; i < l->n_layers; i++)
    {
      s.first_gap[i] = at;
      at += l->layer_sizes[i] + 1;
      widest = MAX (widest, l->layer_sizes[i] + 1);
    }
  costs = g_new0 (int, 5 * widest);
  table = g_new (int, MIN ((gsize) widest * widest, TABLE_MAX));
  s.table = table;
  s.cost = costs;
  s.next = costs + widest;
  s.own = costs + 2 * widest;
  s.left = costs + 3 * widest;

  for (guint i = 0; i < l->nodes->len && s.work < *work && !g_cancellable_is_cancelled (cancellable); i++)
    saved += is_dummy (&s, i) ? move_line_strand (&s, i) : move_block_strands (&s, i);
  *work -= MIN (*work, s.work);

  return saved;
}

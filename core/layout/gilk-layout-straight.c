/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-layout-straight.c - moves blocks and lines a little to remove bends
 */
#include "core/layout/gilk-layout-private.h"

#define NUDGE  120         /* maximum distance by which a block is moved */
#define ROUNDS 2
#define LINKS_TRIED 16      /* maximum number of links above a node, and below it, for each of which
                             * a move of the node is tried */

/* ---- moving of blocks ---- */

/* Returns by how much @node must move in addition to @by, so that a vertical line at @x ends at the
 * node's top, but not in its middle, where a hook's mark is drawn. Returns 0 if no further move is
 * needed. */
static int
get_distance_to (const Node *node, int by, int x)
{
  int at = x - node->x - by, reach = node->width / 2 - PORT_EDGE;

  if (ABS (at) < HANDLE)
    return at < 0 ? at + HANDLE : at - RAIL_PORT + 4;
  if (ABS (at) > reach)
    return at < 0 ? at + reach : at - reach;

  return 0;
}

/* Returns the horizontal distance from @link's upper end to its lower end, once the upper end has
 * moved by @by. */
static int
get_distance_down (const Layered *l, const Link *link, int by)
{
  const Node *lower = NODE (l, link->lower);
  int x = NODE (l, link->upper)->x + by + link->out;

  return lower->block == NO_NODE ? lower->x - x : -get_distance_to (lower, 0, x);
}

/* Returns the horizontal distance from @link's lower end to its upper end, once the lower end has
 * moved by @by. */
static int
get_distance_up (const Layered *l, const Link *link, int by)
{
  const Node *lower = NODE (l, link->lower);
  int x = NODE (l, link->upper)->x + link->out;

  return lower->block == NO_NODE ? x - lower->x - by : get_distance_to (lower, by, x);
}

/* Counts the straight lines that reach the top of @block, if @block moves by @by, and the upper end
 * of @link by @link_by. @reached: (out): whether @link is one of these straight lines */
static guint
count_reaching (const Layered *l, guint block, int by, guint link, int link_by, gboolean *reached)
{
  const Rail *rail = &l->rails[block];
  Arrival arrivals[LINKS_TRIED + 1];
  int from[LINKS_TRIED + 1], ports[LINKS_TRIED + 1];
  guint first = l->up_first[block], n_links = l->up_first[block + 1] - first, n = 0, straight = 0;

  for (; n < n_links; n++)
    from[n] = NODE (l, UP (l, first + n))->x + LINK (l, l->up[first + n])->out + (l->up[first + n] == link ? link_by : 0);
  if (rail->n_back)
    from[n++] = NODE (l, rail->back)->x;
  for (guint i = 0; i < n; i++)
    arrivals[i] = (Arrival) { from[i], &ports[i] };
  gilk_layout_spread (NODE (l, block)->x + by, NODE (l, block)->width, arrivals, n);

  *reached = FALSE;
  for (guint i = 0; i < n; i++)
    {
      straight += ports[i] == from[i];
      *reached |= ports[i] == from[i] && i < n_links && l->up[first + i] == link;
    }

  return straight;
}

/* Returns TRUE if @node has few enough links to compute where each link arrives. */
static gboolean
has_few (const Layered *l, guint node)
{
  return l->up_first[node + 1] - l->up_first[node] <= LINKS_TRIED;
}

/* Returns TRUE if @link is straight once its upper end has moved by @by. */
static gboolean
is_straight (const Layered *l, guint link, int by)
{
  guint lower = LINK (l, link)->lower;
  gboolean reached;

  if (NODE (l, lower)->block == NO_NODE || !has_few (l, lower))
    return get_distance_down (l, LINK (l, link), by) == 0;
  count_reaching (l, lower, 0, link, by, &reached);

  return reached;
}

static gboolean
has_room (const Layered *l, const Node *node, int by)
{
  guint *row = l->layers[node->layer];
  guint n = l->layer_sizes[node->layer];

  if (by < 0 && node->order > 0)
    {
      const Node *left = NODE (l, row[node->order - 1]);

      return node->x + by - left->x >= gilk_layout_separation (left, node);
    }
  if (by > 0 && node->order + 1 < n)
    {
      const Node *right = NODE (l, row[node->order + 1]);

      return right->x - node->x - by >= gilk_layout_separation (node, right);
    }

  return TRUE;
}

static guint
count_straight (const Layered *l, guint node, int by)
{
  guint straight = 0;
  gboolean reached;

  if (has_few (l, node))
    straight = count_reaching (l, node, by, NO_EDGE, 0, &reached);
  else
    for (guint k = l->up_first[node]; k < l->up_first[node + 1]; k++)
      straight += get_distance_up (l, LINK (l, l->up[k]), by) == 0;
  for (guint k = l->down_first[node]; k < l->down_first[node + 1]; k++)
    straight += is_straight (l, l->down[k], by);

  return straight;
}

/* Stores @by in *@best if a move of the node by @by makes more lines straight than the best move so
 * far, or as many with a smaller move. */
static void
consider_move (const Layered *l, guint node, int by, int *best, guint *straight)
{
  guint count;

  if (by == 0 || ABS (by) > NUDGE || !has_room (l, NODE (l, node), by))
    return;
  count = count_straight (l, node, by);
  if (count > *straight || (count == *straight && ABS (by) < ABS (*best)))
    {
      *straight = count;
      *best = by;
    }
}

/* Tries to move a node by @by, or by a little more or less. */
static void
consider_moves_near (const Layered *l, guint node, int by, int *best, guint *straight)
{
  consider_move (l, node, by, best, straight);
  consider_move (l, node, by - PORT_APART, best, straight);
  consider_move (l, node, by + PORT_APART, best, straight);
}

static void
nudge_block (Layered *l, guint node)
{
  guint straight = count_straight (l, node, 0), up = l->up_first[node], down = l->down_first[node];
  int best = 0;

  for (guint k = up; k < MIN (l->up_first[node + 1], up + LINKS_TRIED); k++)
    consider_moves_near (l, node, get_distance_up (l, LINK (l, l->up[k]), 0), &best, &straight);
  for (guint k = down; k < MIN (l->down_first[node + 1], down + LINKS_TRIED); k++)
    consider_moves_near (l, node, get_distance_down (l, LINK (l, l->down[k]), 0), &best, &straight);
  NODE (l, node)->x += best;
}

/* ---- moving of lines ---- */

/* Returns the link that leads straight down from @node to a dummy node; NO_EDGE if there is
 * none. */
static guint
find_straight_link (const Layered *l, guint node)
{
  guint link;

  if (l->down_first[node] == l->down_first[node + 1])
    return NO_EDGE;
  link = ONWARD (l, node);

  return NODE (l, LINK (l, link)->lower)->block == NO_NODE && NODE (l, LINK (l, link)->lower)->x == NODE (l, node)->x
         ? link : NO_EDGE;
}

/* Follows straight links down from @top to dummy nodes, and returns the last node. */
static guint
find_bottom (const Layered *l, guint top)
{
  guint link;

  while ((link = find_straight_link (l, top)) != NO_EDGE)
    top = LINK (l, link)->lower;

  return top;
}

/* Counts the straight links at the two ends of a line of dummy nodes, if the line moves by @by. */
static guint
count_ends (const Layered *l, guint top, guint bottom, int by)
{
  guint straight = 0;

  for (guint k = l->up_first[top]; k < l->up_first[top + 1]; k++)
    straight += get_distance_up (l, LINK (l, l->up[k]), by) == 0;
  if (l->down_first[bottom] < l->down_first[bottom + 1])
    straight += is_straight (l, ONWARD (l, bottom), by);

  return straight;
}

static gboolean
line_has_room (const Layered *l, guint top, guint bottom, int by)
{
  for (guint node = top; has_room (l, NODE (l, node), by); node = LINK (l, ONWARD (l, node))->lower)
    if (node == bottom)
      return TRUE;

  return FALSE;
}

static void
move_line (Layered *l, guint top, guint bottom, int by)
{
  for (guint node = top; ; node = LINK (l, ONWARD (l, node))->lower)
    {
      NODE (l, node)->x += by;
      if (node == bottom)
        return;
    }
}

static void
consider_line (const Layered *l, guint top, guint bottom, int by, int *best, guint *straight)
{
  guint count = by != 0 ? count_ends (l, top, bottom, by) : 0;

  if (count > *straight && line_has_room (l, top, bottom, by))
    {
      *straight = count;
      *best = by;
    }
}

/* Moves the straight segment of a line that starts at @top, if there is one. */
static void
move_piece (Layered *l, guint top)
{
  guint bottom = find_bottom (l, top), straight = count_ends (l, top, bottom, 0);
  guint last = MIN (l->up_first[top + 1], l->up_first[top] + LINKS_TRIED);
  int best = 0;

  for (guint k = l->up_first[top]; k < l->up_first[top + 1]; k++)
    if (NODE (l, UP (l, k))->block == NO_NODE && NODE (l, UP (l, k))->x == NODE (l, top)->x)
      return;

  for (guint k = l->up_first[top]; k < last; k++)
    consider_line (l, top, bottom, get_distance_up (l, LINK (l, l->up[k]), 0), &best, &straight);
  if (l->down_first[bottom] < l->down_first[bottom + 1])
    consider_line (l, top, bottom, get_distance_down (l, LINK (l, ONWARD (l, bottom)), 0), &best, &straight);
  if (best != 0)
    move_line (l, top, bottom, best);
}

void
gilk_layout_straighten (Layered *layered)
{
  for (guint round = 0; round < ROUNDS; round++)
    for (guint layer = 0; layer < layered->n_layers; layer++)
      for (guint i = 0; i < layered->layer_sizes[layer]; i++)
        {
          guint node = layered->layers[layer][i];

          if (NODE (layered, node)->block != NO_NODE)
            nudge_block (layered, node);
          else
            move_piece (layered, node);
        }
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-layout-rank.c - layers by longest path, rails of dummies for long edges
 */
#include "core/cfg/gilk-layout-private.h"

#define DUMMIES_MAX 2000000

/* Blocks in an order in which each comes after all that lead to it, back edges
 * left aside. */
static guint *
topological_order (const Layered *l)
{
  const GilkCfg *cfg = l->cfg;
  guint *order = g_new (guint, cfg->n_blocks + 1), n = 0;
  g_autofree guint *waiting = g_new0 (guint, cfg->n_blocks + 1);

  for (guint i = 0; i < cfg->n_edges; i++)
    if (!l->turned[i])
      waiting[cfg->edges[i].to]++;
  for (guint i = 0; i < cfg->n_blocks; i++)
    if (waiting[i] == 0)
      order[n++] = i;

  for (guint at = 0; at < n; at++)
    {
      const GilkBlock *block = &cfg->blocks[order[at]];

      for (guint k = block->first_out; k < block->first_out + block->n_out; k++)
        if (!l->turned[k] && --waiting[cfg->edges[k].to] == 0)
          order[n++] = cfg->edges[k].to;
    }

  g_assert (n == cfg->n_blocks);
  return order;
}

/* The entry alone is on top; blocks that nothing leads to sit just above what
 * they lead to. */
static void
assign_layers (Layered *l)
{
  const GilkCfg *cfg = l->cfg;
  g_autofree guint *order = topological_order (l);
  guint deepest = 0;

  for (guint i = 0; i < cfg->n_blocks; i++)
    NODE (l, i)->layer = i == cfg->entry ? 0 : 1;

  for (guint at = 0; at < cfg->n_blocks; at++)
    {
      const GilkBlock *block = &cfg->blocks[order[at]];

      for (guint k = block->first_out; k < block->first_out + block->n_out; k++)
        {
          const GilkEdge *edge = &cfg->edges[k];

          if (!l->turned[k])
            NODE (l, edge->to)->layer = MAX (NODE (l, edge->to)->layer,
                                             NODE (l, edge->from)->layer + 1);
        }
    }

  for (guint at = cfg->n_blocks; at-- > 0; )
    {
      const GilkBlock *block = &cfg->blocks[order[at]];
      guint nearest = G_MAXUINT;

      if (block->n_in > 0 || order[at] == cfg->entry)
        continue;
      for (guint k = block->first_out; k < block->first_out + block->n_out; k++)
        if (!l->turned[k])
          nearest = MIN (nearest, NODE (l, cfg->edges[k].to)->layer);
      if (nearest != G_MAXUINT && nearest > 1)
        NODE (l, order[at])->layer = nearest - 1;
    }

  for (guint i = 0; i < cfg->n_blocks; i++)
    deepest = MAX (deepest, NODE (l, i)->layer);
  l->n_layers = deepest + 1;
}

static guint
add_dummy (Layered *l, guint layer, gboolean back)
{
  Node node = { .block = NO_NODE, .layer = layer, .back = back, .mate = NO_NODE, .width = 2 };

  g_array_append_val (l->nodes, node);
  return l->nodes->len - 1;
}

/* Not taken and falling through left, taken and jumps right, rare ways last. */
static guint
side (const GilkEdge *edge)
{
  static const guint sides[] = {
    [GILK_EDGE_FALL] = 0, [GILK_EDGE_NOT_TAKEN] = 0, [GILK_EDGE_TAKEN] = 1,
    [GILK_EDGE_JUMP] = 1, [GILK_EDGE_STATIC_KEY] = 2, [GILK_EDGE_FIXUP] = 3,
  };

  return sides[edge->kind];
}

int
gilk_layout_out_port (const Layered *layered, guint edge)
{
  const GilkEdge *edges = layered->cfg->edges;
  const GilkBlock *block = &layered->cfg->blocks[edges[edge].from];
  int width = layered->sizes[edges[edge].from].width, n = (int) block->n_out, place = 0;
  int step = CLAMP (width / 5, 14, 40), middle = n / 2;

  for (guint k = block->first_out; k < block->first_out + block->n_out; k++)
    if (side (&edges[k]) < side (&edges[edge]) ||
        (side (&edges[k]) == side (&edges[edge]) && k < edge))
      place++;

  if (n <= 2)
    return n == 1 || place == 1 ? step : -step;

  step = MAX ((width / 2 - 22) / (n - middle), 1);
  return place < middle ? -12 - (middle - 1 - place) * step : 12 + (place - middle) * step;
}

static void
add_link (Layered *l, guint upper, guint lower, int slant, int out)
{
  Link link = { upper, lower, slant, out };

  g_array_append_val (l->links, link);
}

/* Dummies for the edges to @block: see Rail. */
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
          guint dummy = add_dummy (l, k, FALSE);

          if (k == top + 1)
            rail->forward = dummy;
          else
            add_link (l, dummy - 1, dummy, 0, 0);
        }
      add_link (l, l->nodes->len - 1, block, -RAIL_PORT, 0);
    }

  if (bottom_back == G_MAXUINT)
    return;
  rail->n_back = bottom_back - layer + 1;
  for (guint k = layer; k <= bottom_back; k++)
    {
      guint dummy = add_dummy (l, k, TRUE);

      if (k == layer)
        {
          rail->back = dummy;
          NODE (l, dummy)->mate = block;
        }
      else
        add_link (l, dummy - 1, dummy, 0, 0);
    }
}

/* FALSE if there would be more dummies than any function of a kernel needs: a
 * recorded graph may be anyone's. */
static gboolean
fits (const Layered *l, const guint *top, const guint *bottom)
{
  uint64_t dummies = 0;

  for (guint i = 0; i < l->cfg->n_blocks; i++)
    {
      guint layer = NODE (l, i)->layer;

      if (top[i] + 1 < layer)
        dummies += layer - top[i] - 1;
      if (bottom[i] != G_MAXUINT)
        dummies += bottom[i] - layer + 1;
    }

  return dummies <= DUMMIES_MAX;
}

static gboolean
add_rails (Layered *l)
{
  const GilkCfg *cfg = l->cfg;
  g_autofree guint *top = g_new (guint, cfg->n_blocks + 1);
  g_autofree guint *bottom = g_new (guint, cfg->n_blocks + 1);

  for (guint i = 0; i < cfg->n_blocks; i++)
    {
      top[i] = G_MAXUINT - 1;
      bottom[i] = G_MAXUINT;
    }
  for (guint i = 0; i < cfg->n_edges; i++)
    {
      const GilkEdge *edge = &cfg->edges[i];
      guint layer = NODE (l, edge->from)->layer;

      if (!l->turned[i])
        top[edge->to] = MIN (top[edge->to], layer);
      else if (bottom[edge->to] == G_MAXUINT || bottom[edge->to] < layer)
        bottom[edge->to] = layer;
    }

  if (!fits (l, top, bottom))
    return FALSE;
  for (guint i = 0; i < cfg->n_blocks; i++)
    add_rail (l, i, top[i], bottom[i]);

  return TRUE;
}

/* From each source to the block below, or into the rail. */
static void
link_edges (Layered *l)
{
  const GilkCfg *cfg = l->cfg;

  for (guint i = 0; i < cfg->n_edges; i++)
    {
      const GilkEdge *edge = &cfg->edges[i];
      const Rail *rail = &l->rails[edge->to];
      guint from = NODE (l, edge->from)->layer, to = NODE (l, edge->to)->layer;
      int out = gilk_layout_out_port (l, i);

      if (l->turned[i])
        {
          guint dummy = rail->back + (from - to);

          if (dummy + 1 == rail->back + rail->n_back && NODE (l, dummy)->mate == NO_NODE)
            NODE (l, dummy)->mate = edge->from;
        }
      else if (from + 1 == to)
        add_link (l, edge->from, edge->to, 0, out);
      else
        add_link (l, edge->from, rail->forward + rail->n_forward - (to - from - 1),
                  out, out);
    }
}

static void
index_links (Layered *l)
{
  guint n = l->nodes->len;

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
gilk_layout_rank (Layered *layered)
{
  for (guint i = 0; i < layered->cfg->n_blocks; i++)
    {
      Node node = { .block = i, .mate = NO_NODE, .width = layered->sizes[i].width };

      g_array_append_val (layered->nodes, node);
    }

  layered->turned = g_new (gboolean, layered->cfg->n_edges + 1);
  for (guint i = 0; i < layered->cfg->n_edges; i++)
    layered->turned[i] = layered->cfg->edges[i].back ||
                         layered->cfg->edges[i].to == layered->cfg->entry;

  assign_layers (layered);
  if (!add_rails (layered))
    return FALSE;

  link_edges (layered);
  index_links (layered);
  return TRUE;
}

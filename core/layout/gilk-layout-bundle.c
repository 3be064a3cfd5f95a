/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-layout-bundle.c - merges chains that lead to one block and run side by side
 *
 * Works from the bottom up: two neighbours are merged if their successors are the same node or were
 * merged. So lines that have joined do not separate again.
 */
#include "core/layout/gilk-layout-private.h"

static gboolean
is_chain (const Node *node)
{
  return node->block == NO_NODE && !node->back;
}

static gboolean
are_parallel (const Layered *l, const guint *stands_for, guint a, guint b)
{
  return is_chain (NODE (l, a)) && is_chain (NODE (l, b)) && NODE (l, a)->target == NODE (l, b)->target &&
         stands_for[LINK (l, ONWARD (l, a))->lower] == stands_for[LINK (l, ONWARD (l, b))->lower];
}

/* Returns for each node the node into which it is merged, or the node itself. */
static guint *
find_bundles (const Layered *l)
{
  guint *stands_for = g_new (guint, l->nodes->len + 1);

  for (guint i = 0; i < l->nodes->len; i++)
    stands_for[i] = i;
  for (guint layer = l->n_layers; layer-- > 0; )
    for (guint i = 1; i < l->layer_sizes[layer]; i++)
      {
        guint left = l->layers[layer][i - 1], node = l->layers[layer][i];

        if (are_parallel (l, stands_for, left, node))
          stands_for[node] = stands_for[left];
      }

  return stands_for;
}

/* Removes merged nodes; sets @places to the new index of each node. */
static void
compact_nodes (Layered *l, const guint *stands_for, guint *places)
{
  guint n = 0;

  for (guint i = 0; i < l->nodes->len; i++)
    if (stands_for[i] == i)
      {
        *NODE (l, n) = *NODE (l, i);
        places[i] = n++;
      }
  for (guint i = 0; i < l->nodes->len; i++)
    places[i] = places[stands_for[i]];

  for (guint layer = 0; layer < l->n_layers; layer++)
    {
      guint kept = 0;

      for (guint i = 0; i < l->layer_sizes[layer]; i++)
        {
          guint node = l->layers[layer][i];

          if (stands_for[node] != node)
            continue;
          NODE (l, places[node])->order = kept;
          l->layers[layer][kept++] = places[node];
        }
      l->layer_sizes[layer] = kept;
    }
  g_array_set_size (l->nodes, n);
}

static void
compact_links (Layered *l, const guint *stands_for, const guint *places)
{
  guint n = 0;

  for (guint i = 0; i < l->links->len; i++)
    {
      Link link = *LINK (l, i);

      if (stands_for[link.upper] != link.upper)
        continue;
      link.upper = places[link.upper];
      link.lower = places[link.lower];
      *LINK (l, n++) = link;
    }
  g_array_set_size (l->links, n);
}

void
gilk_layout_bundle (Layered *layered)
{
  g_autofree guint *stands_for = find_bundles (layered);
  g_autofree guint *places = g_new0 (guint, layered->nodes->len + 1);

  compact_nodes (layered, stands_for, places);
  compact_links (layered, stands_for, places);
  for (guint i = 0; i < layered->graph->n_blocks; i++)
    {
      Rail *rail = &layered->rails[i];

      /* the nodes of a rail were consecutive, and none is merged into another */
      if (rail->n_forward)
        rail->forward = places[rail->forward];
      if (rail->n_back)
        rail->back = places[rail->back];
    }
  gilk_layout_index (layered);
}

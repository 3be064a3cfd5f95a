/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-layout.c - layered layout of a graph
 *
 * The method is that of Sugiyama, Tagawa and Toda: it makes layers, orders the nodes in each,
 * computes their positions, and routes the lines; each step has its own file. In contrast to that
 * method, edges to the same block share a line, so that the layout of any kernel function is fast,
 * and all lines are vertical or horizontal.
 */
#include "core/layout/gilk-layout.h"

#include <gio/gio.h>
#include <glib/gi18n.h>

#include "core/base/gilk-error.h"
#include "core/base/gilk-memory.h"
#include "core/layout/gilk-layout-private.h"

/*
 * Chains of dummy nodes are merged from the bottom up: two neighbours in a layer are merged if they
 * lead to the same node in the layer below, or to nodes that were merged. So lines that have joined
 * do not separate again.
 */

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

/* Removes the nodes that were merged into others; sets @places[i] to the new index of node i. */
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

/* Merges chains of dummy nodes that lead to the same block and run side by side. */
static void
bundle_chains (Layered *layered)
{
  g_autofree guint *stands_for = find_bundles (layered);
  g_autofree guint *places = g_new0 (guint, layered->nodes->len + 1);

  compact_nodes (layered, stands_for, places);
  compact_links (layered, stands_for, places);
  for (guint i = 0; i < layered->graph->n_blocks; i++)
    {
      Rail *rail = &layered->rails[i];

      /* The nodes of a rail, a chain shared by edges from the start, are consecutive and are never
       * merged into other nodes. */
      if (rail->n_forward)
        rail->forward = places[rail->forward];
      if (rail->n_back)
        rail->back = places[rail->back];
    }
  gilk_layout_index (layered);
}

void
gilk_layered_clear (Layered *l)
{
  g_array_free (l->nodes, TRUE);
  g_array_free (l->links, TRUE);
  gilk_free_all (l->turned, l->ports, l->rails);
  for (guint i = 0; l->layers != NULL && i < l->n_layers; i++)
    g_free (l->layers[i]);
  gilk_free_all (l->layers, l->layer_sizes, l->up_first, l->up, l->down_first, l->down);
}

static GilkLayout *
layout_new (const GilkLayoutGraph *graph)
{
  GilkLayout *layout = g_new0 (GilkLayout, 1);

  g_atomic_ref_count_init (&layout->ref_count);
  layout->n_blocks = graph->n_blocks;
  layout->n_routes = graph->n_edges;
  layout->blocks = g_new0 (GilkBox, graph->n_blocks + 1);
  layout->routes = g_new0 (GilkRoute, graph->n_edges + 1);
  return layout;
}

void
gilk_layered_init (Layered *l, const GilkLayoutGraph *graph, const GilkBox *sizes)
{
  *l = (Layered) {
    .graph = graph,
    .sizes = sizes,
    .nodes = g_array_new (FALSE, FALSE, sizeof (Node)),
    .links = g_array_new (FALSE, FALSE, sizeof (Link)),
    .rails = g_new0 (Rail, graph->n_blocks + 1),
    .widening = 1,
  };
}

/* Makes the layers and orders their nodes. Returns FALSE if the graph is too large, or if the
 * layout was cancelled. */
static gboolean
arrange_layers (Layered *l, gboolean shared, GCancellable *cancellable)
{
  if (!gilk_layout_rank (l, shared))
    return FALSE;
  gilk_layout_order (l, cancellable);
  bundle_chains (l);
  gilk_layout_reorder (l, cancellable);
  bundle_chains (l);

  return !g_cancellable_is_cancelled (cancellable);
}

/* Arranges the nodes twice, with a shared rail for all edges to one block and with a separate chain
 * for each edge, unless separate chains need too many dummy nodes. Uses the arrangement with fewer
 * crossings. */
static gboolean
choose_arrangement (Layered *l, GCancellable *cancellable)
{
  Layered other;

  if (!arrange_layers (l, TRUE, cancellable))
    return FALSE;
  if (gilk_layout_crossings (l) == 0)
    return TRUE;

  gilk_layered_init (&other, l->graph, l->sizes);
  other.widening = l->widening;
  if (arrange_layers (&other, FALSE, cancellable) && gilk_layout_crossings (&other) < gilk_layout_crossings (l))
    {
      Layered worse = *l;

      *l = other;
      other = worse;
    }
  gilk_layered_clear (&other);

  return TRUE;
}

#define NARROWINGS    3         /* maximum number of times that a layout which is too wide is
                                 * computed again */
#define WIDENING_STEP 1.3       /* minimum factor by which Layered.widening, the correction of the
                                 * expected width, changes from one try to the next */

/* Makes a layout. @widening, @estimate: (out): see the members of Layered. Returns NULL if the
 * graph is too large, or if the layout was cancelled. */
static GilkLayout *
lay_out (const GilkLayoutGraph *graph, const GilkBox *sizes, double widening, double *estimate, GCancellable *cancellable)
{
  g_autoptr(GilkLayout) layout = layout_new (graph);
  Layered layered;
  gboolean made;

  gilk_layered_init (&layered, graph, sizes);
  layered.widening = widening;
  made = choose_arrangement (&layered, cancellable) && !g_cancellable_is_cancelled (cancellable);
  if (made)
    {
      gilk_layout_ports (&layered);
      gilk_layout_place (&layered);
      gilk_layout_straighten (&layered);
      gilk_layout_route (&layered, layout);
    }
  *estimate = layered.estimate;
  gilk_layered_clear (&layered);

  return made ? g_steal_pointer (&layout) : NULL;
}

static double
get_ratio (const GilkLayout *layout)
{
  return layout->width / (double) layout->height;
}

/* Returns the factor by which the layout's ratio of width to height differs from TARGET_RATIO. */
static double
get_excess (const GilkLayout *layout)
{
  const double ratio = get_ratio (layout);

  return MAX (ratio / TARGET_RATIO, TARGET_RATIO / ratio);
}

/* Replaces a layout that is too wide by a narrower one, now that it is known how much wider than
 * estimated the graph becomes. Keeps the layout whose ratio of width to height is nearest to
 * TARGET_RATIO. */
static void
narrow (GilkLayout **layout, const GilkLayoutGraph *graph, const GilkBox *sizes, double estimate, GCancellable *cancellable)
{
  double widening = get_ratio (*layout) / estimate;

  for (guint i = 0; i < NARROWINGS && get_ratio (*layout) > TOO_WIDE; i++)
    {
      g_autoptr(GilkLayout) narrower = lay_out (graph, sizes, widening, &estimate, cancellable);

      if (narrower == NULL)
        return;
      if (get_ratio (narrower) > TOO_WIDE)
        widening *= MAX (get_ratio (narrower) / TOO_WIDE, WIDENING_STEP);
      else
        widening /= WIDENING_STEP;
      if (get_excess (narrower) < get_excess (*layout))
        {
          gilk_layout_unref (*layout);
          *layout = g_steal_pointer (&narrower);
        }
    }
}

GilkLayout *
gilk_layout_new (const GilkLayoutGraph *graph,
                 const GilkBox         *sizes,
                 GCancellable          *cancellable,
                 GError               **error)
{
  GilkLayout *layout;
  double estimate;

  if (graph->n_blocks == 0)
    return layout_new (graph);

  layout = lay_out (graph, sizes, 1, &estimate, cancellable);
  if (layout != NULL && get_ratio (layout) > TOO_WIDE)
    narrow (&layout, graph, sizes, estimate, cancellable);
  if (layout != NULL)
    return layout;

  if (g_cancellable_is_cancelled (cancellable))
    g_set_error (error, GILK_ERROR, GILK_ERROR_CANCELLED,
                 _("The layout of %s was cancelled."), graph->name);
  else
    g_set_error (error, GILK_ERROR, GILK_ERROR_FAILED,
                 _("The graph of %s has %u blocks, too many to draw. Its blocks can still be listed."), graph->name, graph->n_blocks);

  return NULL;
}

void
gilk_layout_unref (GilkLayout *layout)
{
  if (layout == NULL || !g_atomic_ref_count_dec (&layout->ref_count))
    return;

  for (guint i = 0; i < layout->n_routes; i++)
    g_free (layout->routes[i].points);
  gilk_free_all (layout->routes, layout->blocks, layout);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-circulation-graph.c - builds the circulation graph of a function's counts, and finds its
 * bridges
 */
#include "core/dataflow/gilk-circulation-private.h"

/* The arcs of each node, in both directions. */
typedef struct {
  guint *first;
  guint *arcs;
} Adjacency;

static void
add_arc (GArray *arcs, guint from, guint to, guint block)
{
  GilkCirculationArc arc = { from, to, block };

  g_array_append_val (arcs, arc);
}

/* Returns whether control can leave @block other than by an edge. */
static gboolean
may_leave (const GilkCfg *cfg, guint block)
{
  const GilkBlock *b = &cfg->blocks[block];

  if (b->flags & GILK_BLOCK_LEAVES)
    return TRUE;

  switch ((GilkBlockEnd) b->ending)
    {
    case GILK_END_RETURN:
    case GILK_END_TAIL_CALL:
    case GILK_END_NORETURN:
    case GILK_END_TRAP:
    case GILK_END_INDIRECT:
      return TRUE;
    case GILK_END_JCC:             /* a conditional tail call has no edge of its own */
      for (guint i = b->first_out; i < b->first_out + b->n_out; i++)
        if (cfg->edges[i].kind == GILK_EDGE_TAKEN)
          return FALSE;
      return TRUE;
    case GILK_END_FALL:
    case GILK_END_JUMP:
      break;
    }

  return b->n_out == 0;
}

/* Returns for each block whether control can enter it other than by an edge. */
static gboolean *
find_entered_blocks (const GilkCfg *cfg)
{
  gboolean *entered = g_new0 (gboolean, cfg->n_blocks + 1);

  for (guint i = 0; i < cfg->n_blocks; i++)
    entered[i] = i == cfg->entry || cfg->blocks[i].n_in == 0 ||
                 (cfg->blocks[i].flags & GILK_BLOCK_INBOUND) != 0;

  /* calls into the function itself; recorded graphs have no instructions */
  for (guint i = 0; cfg->insns != NULL && i < cfg->n_insns; i++)
    if (cfg->insns[i].branch == GILK_BRANCH_CALL)
      {
        int block = gilk_cfg_block_at (cfg, cfg->insns[i].target);

        if (block >= 0)
          entered[block] = TRUE;
      }

  return entered;
}

GilkCirculationGraph *
gilk_circulation_graph_new (const GilkCfg *cfg)
{
  GilkCirculationGraph *graph = g_new0 (GilkCirculationGraph, 1);
  GArray *arcs = g_array_sized_new (FALSE, FALSE, sizeof (GilkCirculationArc),
                                    2 * cfg->n_blocks + cfg->n_edges);
  g_autofree gboolean *entered = find_entered_blocks (cfg);

  graph->outside = 2 * cfg->n_blocks;
  graph->n_nodes = graph->outside + 1;
  for (guint i = 0; i < cfg->n_blocks; i++)
    add_arc (arcs, GILK_CIRCULATION_IN (i), GILK_CIRCULATION_OUT (i), i);
  for (guint i = 0; i < cfg->n_edges; i++)
    add_arc (arcs, GILK_CIRCULATION_OUT (cfg->edges[i].from),
             GILK_CIRCULATION_IN (cfg->edges[i].to), i);
  for (guint i = 0; i < cfg->n_blocks; i++)
    {
      if (may_leave (cfg, i))
        add_arc (arcs, GILK_CIRCULATION_OUT (i), graph->outside, i);
      if (entered[i])
        add_arc (arcs, graph->outside, GILK_CIRCULATION_IN (i), i);
    }

  graph->n_arcs = arcs->len;
  graph->arcs = (GilkCirculationArc *) (void *) g_array_free (arcs, FALSE);
  graph->uncounted = g_new0 (gboolean, graph->n_arcs + 1);
  graph->bridge = g_new0 (gboolean, graph->n_arcs + 1);
  graph->order = g_new0 (guint, graph->n_nodes);
  graph->parent = g_new0 (guint, graph->n_nodes);
  graph->parent_arc = g_new0 (guint, graph->n_nodes);

  return graph;
}

void
gilk_circulation_graph_free (GilkCirculationGraph *graph)
{
  if (graph == NULL)
    return;

  g_free (graph->arcs);
  g_free (graph->uncounted);
  g_free (graph->bridge);
  g_free (graph->order);
  g_free (graph->parent);
  g_free (graph->parent_arc);
  g_free (graph);
}

static void
adjacency_init (const GilkCirculationGraph *graph, Adjacency *near)
{
  near->first = g_new0 (guint, graph->n_nodes + 2);
  near->arcs = g_new (guint, 2 * graph->n_arcs + 1);

  for (guint i = 0; i < graph->n_arcs; i++)
    if (graph->uncounted[i])
      {
        near->first[graph->arcs[i].from + 2]++;
        near->first[graph->arcs[i].to + 2]++;
      }
  for (guint i = 1; i < graph->n_nodes + 2; i++)
    near->first[i] += near->first[i - 1];
  for (guint i = 0; i < graph->n_arcs; i++)
    if (graph->uncounted[i])
      {
        near->arcs[near->first[graph->arcs[i].from + 1]++] = i;
        near->arcs[near->first[graph->arcs[i].to + 1]++] = i;
      }
}

/* State of the search. seen: 1 + the position in @order, 0 if not visited; low: as in Tarjan. */
typedef struct {
  GilkCirculationGraph *graph;
  Adjacency      near;
  guint         *seen, *low, *next, *stack;
  guint          count;
} Search;

static void
enter_node (Search *s, guint node, guint parent, guint arc)
{
  GilkCirculationGraph *graph = s->graph;

  graph->parent[node] = parent;
  graph->parent_arc[node] = arc;
  graph->order[s->count++] = node;
  s->seen[node] = s->low[node] = s->count;
  s->next[node] = s->near.first[node];
}

static void
search_tree (Search *s, guint root)
{
  GilkCirculationGraph *graph = s->graph;
  guint depth = 0;

  enter_node (s, root, GILK_CIRCULATION_NONE, GILK_CIRCULATION_NONE);
  s->stack[depth++] = root;
  while (depth > 0)
    {
      guint at = s->stack[depth - 1];

      if (s->next[at] == s->near.first[at + 1])
        {
          guint parent = graph->parent[at];

          depth--;
          if (parent == GILK_CIRCULATION_NONE)
            continue;
          s->low[parent] = MIN (s->low[parent], s->low[at]);
          graph->bridge[graph->parent_arc[at]] = s->low[at] > s->seen[parent];
        }
      else
        {
          guint arc = s->near.arcs[s->next[at]++];
          guint to = graph->arcs[arc].from == at ? graph->arcs[arc].to : graph->arcs[arc].from;

          if (arc == graph->parent_arc[at])
            continue;
          if (s->seen[to] != 0)
            {
              s->low[at] = MIN (s->low[at], s->seen[to]);
              continue;
            }
          enter_node (s, to, at, arc);
          s->stack[depth++] = to;
        }
    }
}

guint
gilk_circulation_graph_search (GilkCirculationGraph *graph)
{
  guint n = graph->n_nodes, trees = 0;
  g_autofree guint *memory = g_new0 (guint, 4 * n);
  Search s = { graph, { NULL, NULL }, memory, memory + n, memory + 2 * n, memory + 3 * n, 0 };

  adjacency_init (graph, &s.near);
  for (guint i = 0; i < graph->n_arcs; i++)
    graph->bridge[i] = FALSE;

  search_tree (&s, graph->outside);
  trees++;
  for (guint i = 0; i < n; i++)
    if (s.seen[i] == 0)
      {
        search_tree (&s, i);
        trees++;
      }

  g_free (s.near.first);
  g_free (s.near.arcs);

  return trees;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-circulation.c - chooses which blocks to count, and derives all other counts from the
 * measured counts
 *
 * Blocks and edges are the arcs of a graph. The arcs that are not counted are a maximum spanning
 * forest of that graph: all edges, and then as many blocks as possible without closing a cycle,
 * starting with the blocks that are most expensive to count. All other blocks are hooked.
 */
#include "core/dataflow/gilk-circulation.h"

#include <glib/gi18n.h>
#include <string.h>

#include "core/base/gilk-array.h"
#include "core/base/gilk-memory.h"

/*
 * Each block is two nodes of the graph, in and out, joined by the block's arc. Only the arcs of
 * blocks can be counted. Edges join the out-node of one block to the in-node of another. One more
 * node stands for the callers: calls come from it, and exits lead to it.
 *
 * The count of an uncounted arc follows from the counted arcs if and only if no cycle of uncounted
 * arcs contains it, that is, if it is a bridge: then whatever enters the part of the graph beyond
 * the bridge must cross it.
 */
#define GILK_CIRCULATION_IN(block)  (2 * (block))
#define GILK_CIRCULATION_OUT(block) (2 * (block) + 1)
#define GILK_CIRCULATION_NONE       G_MAXUINT

typedef struct {
  guint from, to;          /* nodes */
  guint block;             /* block where the function is left or entered, if this is an arc of
                            * exits or entries */
} GilkCirculationArc;

/* The graph's arcs are sorted: first one per block, then one per edge, then those of exits and
 * entries. */
typedef struct _GilkCirculationGraph {
  guint        n_nodes, n_arcs, outside;
  GilkCirculationArc *arcs;
  gboolean    *uncounted;  /* for each arc: whether it is not counted */
  /* A spanning forest of the arcs that are not counted, in the order in which it was found. */
  guint       *order;      /* nodes; parents come first */
  guint       *parent;     /* parent of each node; GILK_CIRCULATION_NONE: a root */
  guint       *parent_arc;
  gboolean    *bridge;     /* for each arc that is not counted: whether it is a bridge, so that its
                            * count follows from others */
} GilkCirculationGraph;

#define LOOP_FACTOR 8      /* assumed number of iterations of a loop */
#define DEPTH_MAX   12

__extension__ typedef __int128 Wide;      /* 128 bits, so that sums of counts cannot overflow */

typedef struct {
  guint   block;
  guint64 weight;
} Candidate;

/* The arcs of each node of the graph, in both directions. */
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

/* Returns whether control can leave the function from @block without following an edge of the
 * graph. */
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
    case GILK_END_JCC:             /* a conditional tail call lacks an edge of its own */
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

/* Returns for each block whether control can enter the function there: if it is the entry, if a
 * call or another function leads to it, or if no edge does. */
static gboolean *
find_entered_blocks (const GilkCfg *cfg)
{
  gboolean *entered = g_new0 (gboolean, cfg->n_blocks + 1);

  for (guint i = 0; i < cfg->n_blocks; i++)
    entered[i] = i == cfg->entry || cfg->blocks[i].n_in == 0 ||
                 (cfg->blocks[i].flags & GILK_BLOCK_INBOUND) != 0;

  /* A recursive call enters a block, too. Recorded graphs lack instructions, so their calls are
   * unknown. */
  for (guint i = 0; cfg->insns != NULL && i < cfg->n_insns; i++)
    if (cfg->insns[i].branch == GILK_BRANCH_CALL)
      {
        int block = gilk_cfg_block_at (cfg, cfg->insns[i].target);

        if (block >= 0)
          entered[block] = TRUE;
      }

  return entered;
}

static GilkCirculationGraph *
new_graph (const GilkCfg *cfg)
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

static void
free_graph (GilkCirculationGraph *graph)
{
  if (graph == NULL)
    return;

  gilk_free_all (graph->arcs, graph->uncounted, graph->bridge, graph->order, graph->parent,
                 graph->parent_arc, graph);
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

/* State of the search for bridges among the arcs that are not counted. @seen: 1 + position of a
 * node in @order; 0 if not visited. @low: low-link of a node, as in Tarjan's algorithm. */
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

/* Finds a spanning forest of the arcs that are not counted, and the bridges among these arcs.
 * Returns: the number of trees */
static guint
search_graph (GilkCirculationGraph *graph)
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

/* ---- blocks that can be counted ---- */

gboolean
gilk_circulation_runs_through (const GilkCfg *cfg, guint block)
{
  const GilkBlock *b = &cfg->blocks[block];

  for (guint i = b->first_out; i < b->first_out + b->n_out; i++)
    if (cfg->edges[i].kind == GILK_EDGE_FIXUP)
      return FALSE;

  return (b->flags & GILK_BLOCK_LEAVES) == 0;
}

/* ---- chooses the blocks to count ---- */

static guint
find_set (guint *set, guint node)
{
  while (set[node] != node)
    node = set[node] = set[set[node]];

  return node;
}

/* Merges the sets that contain the two ends of @arc. Returns FALSE if both ends are in one set
 * already, so that the arc closes a cycle. */
static gboolean
join_sets (guint *set, const GilkCirculationArc *arc)
{
  guint a = find_set (set, arc->from), b = find_set (set, arc->to);

  set[a] = b;
  return a != b;
}

static guint64
get_weight (const GilkCirculation *circulation, guint block)
{
  const GilkBlock *b = &circulation->cfg->blocks[block];
  guint64 weight = MAX (circulation->points[block].cost, 1);

  for (guint i = 0; i < MIN (b->loop_depth, DEPTH_MAX); i++)
    weight *= LOOP_FACTOR;

  return b->flags & GILK_BLOCK_COLD ? weight : weight * LOOP_FACTOR;
}

static int
compare_by_weight (gconstpointer a, gconstpointer b)
{
  const Candidate *x = a, *y = b;

  return GILK_ORDER (y->weight, x->weight) ?: GILK_ORDER (x->block, y->block);
}

/*
 * Marks the blocks at which the function is entered or left. Their arcs come after those of blocks
 * and edges.
 */
static void
mark_ends (const GilkCirculation *circulation, gboolean *ends)
{
  const GilkCirculationGraph *graph = circulation->graph;

  for (guint i = circulation->cfg->n_blocks + circulation->cfg->n_edges; i < graph->n_arcs; i++)
    ends[graph->arcs[i].block] = TRUE;
}

static void
choose_blocks (GilkCirculation *circulation, GilkCirculationFlags flags)
{
  GilkCirculationGraph *graph = circulation->graph;
  guint n = circulation->cfg->n_blocks;
  g_autofree guint *set = g_new (guint, graph->n_nodes);
  g_autofree gboolean *ends = g_new0 (gboolean, n + 1);
  g_autoptr(GArray) candidates = g_array_new (FALSE, FALSE, sizeof (Candidate));

  for (guint i = 0; i < graph->n_nodes; i++)
    set[i] = i;
  for (guint i = n; i < graph->n_arcs; i++)
    join_sets (set, &graph->arcs[i]);
  if (flags & GILK_CIRCULATION_CHECKED)
    mark_ends (circulation, ends);

  for (guint i = 0; i < n; i++)
    {
      Candidate candidate = { i, get_weight (circulation, i) };

      circulation->hooked[i] = circulation->points[i].possible;
      graph->uncounted[i] = !circulation->hooked[i];
      if (graph->uncounted[i])
        join_sets (set, &graph->arcs[i]);
      else if (!ends[i] && !(flags & GILK_CIRCULATION_ALL))
        g_array_append_val (candidates, candidate);
    }

  g_array_sort (candidates, compare_by_weight);
  for (guint i = 0; i < candidates->len; i++)
    {
      guint block = g_array_index (candidates, Candidate, i).block;

      if (!join_sets (set, &graph->arcs[block]))
        continue;
      circulation->hooked[block] = FALSE;
      graph->uncounted[block] = TRUE;
    }
  for (guint i = 0; i < n; i++)
    circulation->n_hooked += circulation->hooked[i];
}

/* ---- finds which counts follow from other counts ---- */

static uint8_t *
get_arc_status (const GilkCirculation *circulation, guint arc)
{
  guint n = circulation->cfg->n_blocks, m = circulation->cfg->n_edges;
  const GilkCirculationArc *a = &circulation->graph->arcs[arc];

  if (arc < n)
    return &circulation->block_statuses[arc];
  if (arc < n + m)
    return &circulation->edge_statuses[arc - n];
  return a->to == circulation->graph->outside ? &circulation->exit_statuses[a->block] : NULL;
}

static gboolean
has_parallel_arc (const GilkCirculation *circulation, guint arc)
{
  const GilkCfg *cfg = circulation->cfg;
  guint edge = arc - cfg->n_blocks;
  const GilkBlock *from;

  if (arc < cfg->n_blocks || edge >= cfg->n_edges)
    return FALSE;

  from = &cfg->blocks[cfg->edges[edge].from];
  for (guint i = from->first_out; i < from->first_out + from->n_out; i++)
    if (i != edge && cfg->edges[i].to == cfg->edges[edge].to)
      return TRUE;

  return FALSE;
}

/* Changes the status of each arc whose count cannot be derived, because it is on a cycle of arcs
 * that are not counted, from FOLLOWS to @status. Sets PARALLEL instead of CROSSING if another edge
 * joins the same two blocks. */
static void
set_open_arcs (GilkCirculation *circulation, GilkCountStatus status)
{
  const GilkCirculationGraph *graph = circulation->graph;

  for (guint i = 0; i < graph->n_arcs; i++)
    {
      uint8_t *slot = get_arc_status (circulation, i);

      if (slot == NULL || *slot != GILK_COUNT_STATUS_FOLLOWS || !graph->uncounted[i] ||
          graph->bridge[i])
        continue;
      *slot = status == GILK_COUNT_STATUS_CROSSING && has_parallel_arc (circulation, i)
              ? GILK_COUNT_STATUS_PARALLEL : status;
    }
}

/* Finds the counts that cannot be derived from measured counts: first with every block counted,
 * then with the chosen blocks. If only the second search cannot determine a count, the cause is a
 * block that cannot be hooked. */
static void
find_statuses (GilkCirculation *circulation)
{
  GilkCirculationGraph *graph = circulation->graph;
  guint n = circulation->cfg->n_blocks, trees, whole;
  g_autofree gboolean *chosen = g_memdup2 (graph->uncounted, (n + 1) * sizeof (gboolean));

  for (guint i = 0; i < graph->n_arcs; i++)
    graph->uncounted[i] = TRUE;
  whole = search_graph (graph);

  for (guint i = 0; i < n; i++)
    graph->uncounted[i] = FALSE;
  search_graph (graph);
  set_open_arcs (circulation, GILK_COUNT_STATUS_CROSSING);

  for (guint i = 0; i < n; i++)
    graph->uncounted[i] = chosen[i];
  trees = search_graph (graph);
  set_open_arcs (circulation, GILK_COUNT_STATUS_UNHOOKED);
  circulation->n_checks = trees - whole;
}

static void
refuse_all (GilkCirculation *circulation)
{
  memset (circulation->block_statuses, GILK_COUNT_STATUS_UNHOOKED, circulation->cfg->n_blocks);
  memset (circulation->edge_statuses, GILK_COUNT_STATUS_UNHOOKED, circulation->cfg->n_edges);
  memset (circulation->exit_statuses, GILK_COUNT_STATUS_UNHOOKED, circulation->cfg->n_blocks);
}

GilkCirculation *
gilk_circulation_new (GilkCfg *cfg, const GilkCirculationPoint *points, GilkCirculationFlags flags)
{
  GilkCirculation *circulation = g_new0 (GilkCirculation, 1);
  guint n = cfg->n_blocks;

  circulation->cfg = gilk_cfg_ref (cfg);
  circulation->refusal = cfg->refusal != 0 ? cfg->refusal : cfg->function->refusal;
  circulation->points = g_new0 (GilkCirculationPoint, n + 1);
  circulation->hooked = g_new0 (gboolean, n + 1);
  circulation->block_statuses = g_new0 (uint8_t, n + 1);
  circulation->edge_statuses = g_new0 (uint8_t, cfg->n_edges + 1);
  circulation->exit_statuses = g_new0 (uint8_t, n + 1);
  for (guint i = 0; i < n; i++)
    circulation->points[i] = points != NULL ? points[i]
                                     : (GilkCirculationPoint) { TRUE, GILK_WHERE_PRE, 1 };

  if (circulation->refusal != 0)
    refuse_all (circulation);
  else
    {
      circulation->graph = new_graph (cfg);
      choose_blocks (circulation, flags);
      for (guint i = n; i < circulation->graph->n_arcs; i++)
        circulation->graph->uncounted[i] = TRUE;
      find_statuses (circulation);
    }

  for (guint i = 0; i < n; i++)
    circulation->n_open_blocks += circulation->block_statuses[i] != GILK_COUNT_STATUS_FOLLOWS;
  for (guint i = 0; i < cfg->n_edges; i++)
    circulation->n_open_edges += circulation->edge_statuses[i] != GILK_COUNT_STATUS_FOLLOWS;

  return circulation;
}

void
gilk_circulation_free (GilkCirculation *circulation)
{
  if (circulation == NULL)
    return;

  free_graph (circulation->graph);
  gilk_cfg_unref (circulation->cfg);
  gilk_free_all (circulation->points, circulation->hooked, circulation->block_statuses,
                 circulation->edge_statuses, circulation->exit_statuses, circulation);
}

/* ---- derives counts from measured counts ---- */

static void
add_fault (GilkCirculationCounts *counts, GilkCirculationFaultKind kind, guint index, Wide amount)
{
  GilkCirculationFault fault = {
    kind, index, (int64_t) CLAMP (amount, (Wide) -G_MAXINT64, (Wide) G_MAXINT64),
  };

  g_array_append_val (counts->faults, fault);
}

static void
set_count (const GilkCirculation *circulation, guint arc, Wide amount, GilkCirculationCounts *counts)
{
  guint n = circulation->cfg->n_blocks, m = circulation->cfg->n_edges;
  const GilkCirculationArc *a = &circulation->graph->arcs[arc];
  uint64_t count = amount > 0 ? (uint64_t) amount : 0;

  if (arc < n)
    counts->blocks[arc] = count;
  else if (arc < n + m)
    counts->edges[arc - n] = count;
  else if (a->to == circulation->graph->outside)
    counts->exits[a->block] = count;

  if (amount < 0)
    add_fault (counts, arc < n ? GILK_CIRCULATION_NEGATIVE_BLOCK :
                       arc < n + m ? GILK_CIRCULATION_NEGATIVE_EDGE : GILK_CIRCULATION_NEGATIVE_EXIT,
               arc >= n && arc < n + m ? arc - n : a->block, amount);
}

/* Walks from the leaves of the spanning forest to the roots and sets the count of each bridge so
 * that the part of the graph beyond the bridge is entered as often as it is left. */
static void
sum_bridges (const GilkCirculation *circulation, Wide *surplus, GilkCirculationCounts *counts)
{
  const GilkCirculationGraph *graph = circulation->graph;

  for (guint i = graph->n_nodes; i-- > 0; )
    {
      guint node = graph->order[i], parent = graph->parent[node], arc = graph->parent_arc[node];

      if (parent == GILK_CIRCULATION_NONE)
        {
          if (surplus[node] != 0 && node == graph->outside)
            add_fault (counts, GILK_CIRCULATION_UNBALANCED, G_MAXUINT, surplus[node]);
          else if (surplus[node] != 0)
            add_fault (counts, GILK_CIRCULATION_UNBALANCED, node / 2, -surplus[node]);
          continue;
        }
      if (graph->bridge[arc])
        set_count (circulation, arc, graph->arcs[arc].from == node ? surplus[node] : -surplus[node],
                   counts);
      surplus[parent] += surplus[node];
    }
}

GilkCirculationCounts *
gilk_circulation_solve (const GilkCirculation *circulation, const uint64_t *measured)
{
  GilkCirculationCounts *counts = g_new0 (GilkCirculationCounts, 1);
  g_autofree Wide *surplus = NULL;
  guint n = circulation->cfg->n_blocks;

  counts->blocks = g_new0 (uint64_t, n + 1);
  counts->edges = g_new0 (uint64_t, circulation->cfg->n_edges + 1);
  counts->exits = g_new0 (uint64_t, n + 1);
  counts->faults = g_array_new (FALSE, TRUE, sizeof (GilkCirculationFault));
  if (circulation->graph == NULL)
    return counts;

  surplus = g_new0 (Wide, circulation->graph->n_nodes);
  for (guint i = 0; i < n; i++)
    if (circulation->hooked[i])
      {
        counts->blocks[i] = measured[i];
        surplus[GILK_CIRCULATION_IN (i)] -= measured[i];
        surplus[GILK_CIRCULATION_OUT (i)] += measured[i];
      }
  sum_bridges (circulation, surplus, counts);

  return counts;
}

void
gilk_circulation_counts_free (GilkCirculationCounts *counts)
{
  if (counts == NULL)
    return;

  gilk_free_all (counts->blocks, counts->edges, counts->exits);
  g_array_free (counts->faults, TRUE);
  g_free (counts);
}

/* ---- names and messages ---- */

const char *
gilk_count_status_name (guint status)
{
  static const char *const names[] = {
    [GILK_COUNT_STATUS_FOLLOWS] = "follows", [GILK_COUNT_STATUS_PARALLEL] = "parallel",
    [GILK_COUNT_STATUS_CROSSING] = "crossing", [GILK_COUNT_STATUS_UNHOOKED] = "unhooked",
  };

  return status < G_N_ELEMENTS (names) ? names[status] : "unknown";
}

const char *
gilk_count_status_cause (guint status)
{
  switch (status)
    {
    case GILK_COUNT_STATUS_FOLLOWS:
      return _("The count is measured, or derived from measured counts.");
    case GILK_COUNT_STATUS_PARALLEL:
      return _("Several edges join the same two blocks; only their sum is known.");
    case GILK_COUNT_STATUS_CROSSING:
      return _("Several blocks share several successors, so block counts cannot distinguish their edges.");
    case GILK_COUNT_STATUS_UNHOOKED:
      return _("The count would be derived from a block that cannot be hooked.");
    default:
      return _("This release does not know the reason.");
    }
}

char *
gilk_circulation_describe (const GilkCirculation *circulation, const GilkCirculationFault *fault)
{
  const GilkCfg *cfg = circulation->cfg;
  guint block = fault->kind == GILK_CIRCULATION_NEGATIVE_EDGE ? cfg->edges[fault->index].from
                                                       : fault->index;
  g_autofree char *offset = block < cfg->n_blocks
    ? gilk_cfg_offset_name (cfg, cfg->blocks[block].start) : g_strdup (cfg->function->name);
  gboolean stayed = fault->amount < 0;

  if (fault->kind != GILK_CIRCULATION_UNBALANCED)
    return g_strdup_printf (_("The counts around the block at %s contradict each other by %ld: threads were inside when "
                              "counting started or stopped, or a call never returned. Count while the function is idle."),
                            offset, -fault->amount);

  return g_strdup_printf (stayed
    ? _("%ld more calls entered %s than left it: threads were still inside when counting "
        "stopped, or a call never returned. Stop counting when the function is idle.")
    : _("%ld more calls left %s than entered it: threads were inside when counting started. "
        "Start counting when the function is idle."), ABS (fault->amount), offset);
}

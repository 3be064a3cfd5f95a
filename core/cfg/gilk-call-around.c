/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-call-around.c - computes the part of the call graph that is near one function
 */
#include "core/cfg/gilk-call-graph.h"

#include <string.h>

#include "core/base/gilk-array.h"
#include "core/base/gilk-memory.h"

#define HUB           200      /* a function with more callers than this is a hub */
#define UNFOLDED_LIMIT 80
#define NODES_MAX     600

typedef struct {
  const GilkAroundOptions *options;
  GilkCallGraph *graph;
  GArray        *nodes, *edges;
  GHashTable    *at;           /* maps a function (const GilkFunction *) to the index of its node,
                                * plus 1 */
} Builder;

/* A caller or callee for which a node may be added, and the values by which it is ranked. */
typedef struct {
  GilkCallPartner partner;
  uint64_t        weight;      /* number of hits of the function's hook; without a hook: number of
                                * indirect calls seen in a run */
  guint           n_callers;
} Candidate;

/* ---- counts of calls ---- */

typedef struct {
  uint64_t offset, count;
} Hits;

GHashTable *
gilk_call_hits_new (void)
{
  return g_hash_table_new_full (NULL, NULL, NULL, g_free);
}

/* Converts the offset of a hook's block, such as "+0x41", to a sort key. Offsets in the cold part
 * of the function (".cold+0x10") come last. */
static uint64_t
parse_offset (const char *place)
{
  const char *plus = place != NULL ? strchr (place, '+') : NULL;

  if (plus == NULL)
    return G_MAXUINT64;

  return g_ascii_strtoull (plus + 1, NULL, 16) + (plus == place ? 0 : G_MAXINT32);
}

void
gilk_call_hits_add (GHashTable *hits, const GilkFunction *function, const char *place, uint64_t count)
{
  Hits *known = g_hash_table_lookup (hits, function);
  const Hits one = { parse_offset (place), count };

  if (known == NULL)
    g_hash_table_insert (hits, (gpointer) function, g_memdup2 (&one, sizeof one));
  else if (one.offset < known->offset || (one.offset == known->offset && one.count > known->count))
    *known = one;
}

gboolean
gilk_call_hits_get (GHashTable *hits, const GilkFunction *function, uint64_t *count)
{
  const Hits *known = hits != NULL ? g_hash_table_lookup (hits, function) : NULL;

  if (known != NULL)
    *count = known->count;

  return known != NULL;
}

/* ---- nodes of the graph ---- */

static int
find_node (Builder *b, const GilkFunction *function)
{
  return (int) GPOINTER_TO_UINT (g_hash_table_lookup (b->at, function)) - 1;
}

static guint
add_node (Builder *b, const GilkFunction *function, int level, guint more, guint n_callers)
{
  const GilkAroundNode node = { function, level, more, n_callers };

  g_array_append_val (b->nodes, node);
  if (more == 0)
    g_hash_table_insert (b->at, (gpointer) function, GUINT_TO_POINTER (b->nodes->len));

  return b->nodes->len - 1;
}

static void
add_edge (Builder *b, gboolean up, guint near, guint far, const GilkCallPartner *partner)
{
  GilkAroundEdge edge = { .from = up ? far : near, .to = up ? near : far };

  if (partner != NULL)
    {
      edge.n = partner->n;
      edge.n_tail = partner->n_tail;
      edge.site = partner->site;
      edge.seen = partner->seen;
    }
  for (guint i = 0; i < b->edges->len; i++)
    {
      const GilkAroundEdge *other = &g_array_index (b->edges, GilkAroundEdge, i);

      if (other->from == edge.from && other->to == edge.to)
        return;
    }
  g_array_append_val (b->edges, edge);
}

/* ---- selection of functions ---- */

static int
compare_candidates (gconstpointer one, gconstpointer other)
{
  const Candidate *a = one, *b = other;

  return GILK_ORDER (b->weight, a->weight) ?: GILK_ORDER (a->n_callers, b->n_callers) ?:
         strcmp (a->partner.function->name, b->partner.function->name);
}

/* Lists a function's callers if @up, else its callees, best first. (transfer full)
 * (element-type Candidate) */
static GArray *
list_candidates (Builder *b, const GilkFunction *function, gboolean up)
{
  g_autoptr(GArray) partners = gilk_call_graph_partners (b->graph, function, up, b->options->seen);
  GArray *all = g_array_sized_new (FALSE, FALSE, sizeof (Candidate), partners->len);

  for (guint i = 0; i < partners->len; i++)
    {
      const GilkCallPartner *partner = &g_array_index (partners, GilkCallPartner, i);
      Candidate one = { *partner, 0, gilk_call_graph_n_callers (b->graph, partner->function) };

      if (!gilk_call_hits_get (b->options->hits, partner->function, &one.weight))
        one.weight = partner->seen;
      g_array_append_val (all, one);
    }
  g_array_sort (all, compare_candidates);

  return all;
}

static gboolean
is_hub (const Candidate *one)
{
  return one->n_callers > HUB && one->weight == 0;
}

static guint
get_limit (Builder *b, const GilkFunction *function, gboolean up)
{
  GHashTable *unfolded = up ? b->options->unfolded_up : b->options->unfolded_down;

  if (unfolded != NULL && g_hash_table_contains (unfolded, function))
    return UNFOLDED_LIMIT;

  return b->options->limit != 0 ? b->options->limit : GILK_AROUND_LIMIT;
}

static void
show_partner (Builder *b, guint index, gboolean up, const Candidate *one)
{
  int there = find_node (b, one->partner.function);

  if (there < 0)
    there = (int) add_node (b, one->partner.function, g_array_index (b->nodes, GilkAroundNode, index).level + (up ? -1 : 1), 0,
                            one->n_callers);
  add_edge (b, up, index, (guint) there, &one->partner);
}

/* Adds nodes for the best-ranked partners (callers or callees) of a node, up to the limit.
 * Functions that already have a node do not count towards the limit. If the limit would leave out
 * only one partner, adds that partner, too, because a node that says "1 more" would need as much
 * space. */
static void
expand_node (Builder *b, guint index, gboolean up)
{
  const GilkAroundNode node = g_array_index (b->nodes, GilkAroundNode, index);
  g_autoptr(GArray) all = list_candidates (b, node.function, up);
  guint limit = get_limit (b, node.function, up), n = 0, left = 0;
  gboolean drop_hubs = !up && node.level != 0 && limit < UNFOLDED_LIMIT;
  const Candidate *last_left = NULL;

  for (guint i = 0; i < all->len; i++)
    {
      const Candidate *one = &g_array_index (all, Candidate, i);
      gboolean is_new = find_node (b, one->partner.function) < 0;

      if (is_new && ((drop_hubs && is_hub (one)) || n >= limit || b->nodes->len >= NODES_MAX))
        {
          left++;
          last_left = one;
          continue;
        }
      n += is_new;
      show_partner (b, index, up, one);
    }
  if (left == 1)
    show_partner (b, index, up, last_left);
  else if (left > 0)
    add_edge (b, up, index, add_node (b, node.function, node.level + (up ? -1 : 1), left, 0), NULL);
}

static void
expand_levels (Builder *b, gboolean up, guint levels)
{
  int sign = up ? -1 : 1;

  for (int level = 0; level < (int) MIN (levels, GILK_AROUND_LEVELS); level++)
    for (guint i = 0, n = b->nodes->len; i < n; i++)
      {
        const GilkAroundNode *node = &g_array_index (b->nodes, GilkAroundNode, i);

        if (node->level == sign * level && node->more == 0 && (level == 0 || up || node->n_callers <= HUB))
          expand_node (b, i, up);
      }
}

/* ---- builds the graph ---- */

static int
compare_edges (gconstpointer one, gconstpointer other)
{
  const GilkAroundEdge *a = one, *b = other;

  return GILK_ORDER (a->from, b->from) ?: GILK_ORDER (a->to, b->to);
}

/* Marks edges that close cycles: edges to a node on the current path of the depth-first walk. */
static void
mark_back_edges (GilkCallAround *self, guint node, const guint *first, uint8_t *state)
{
  state[node] = 1;
  for (guint i = first[node]; i < first[node + 1]; i++)
    if (state[self->edges[i].to] == 1)
      self->edges[i].back = TRUE;
    else if (state[self->edges[i].to] == 0)
      mark_back_edges (self, self->edges[i].to, first, state);
  state[node] = 2;
}

/* Marks the edges that close cycles. Starts at the outermost callers, so that each caller comes
 * before its callees if possible. */
static void
find_cycles (GilkCallAround *self)
{
  g_autofree guint *first = g_new0 (guint, self->n_nodes + 2);
  g_autofree uint8_t *state = g_new0 (uint8_t, self->n_nodes + 1);

  for (guint i = 0; i < self->n_edges; i++)
    first[self->edges[i].from + 1]++;
  for (guint i = 0; i < self->n_nodes; i++)
    first[i + 1] += first[i];
  for (int level = -GILK_AROUND_LEVELS; level <= GILK_AROUND_LEVELS; level++)
    for (guint i = 0; i < self->n_nodes; i++)
      if (self->nodes[i].level == level && state[i] == 0)
        mark_back_edges (self, i, first, state);
}

GilkCallAround *
gilk_call_around_new (GilkCallGraph           *graph,
                      const GilkFunction      *function,
                      const GilkAroundOptions *options)
{
  g_autoptr(GHashTable) at = g_hash_table_new (NULL, NULL);
  Builder b = {
    .options = options, .graph = graph, .at = at,
    .nodes = g_array_new (FALSE, FALSE, sizeof (GilkAroundNode)),
    .edges = g_array_new (FALSE, FALSE, sizeof (GilkAroundEdge)),
  };
  GilkCallAround *self = g_new0 (GilkCallAround, 1);

  add_node (&b, function, 0, 0, gilk_call_graph_n_callers (graph, function));
  expand_levels (&b, TRUE, options->up);
  expand_levels (&b, FALSE, options->down);
  g_array_sort (b.edges, compare_edges);

  g_atomic_ref_count_init (&self->ref_count);
  self->graph = gilk_call_graph_ref (graph);
  self->n_nodes = b.nodes->len;
  self->n_edges = b.edges->len;
  self->nodes = (GilkAroundNode *) (gpointer) g_array_free (b.nodes, FALSE);
  self->edges = (GilkAroundEdge *) (gpointer) g_array_free (b.edges, FALSE);
  find_cycles (self);

  return self;
}

GILK_DEFINE_REF (GilkCallAround, gilk_call_around, ref_count)

void
gilk_call_around_unref (GilkCallAround *around)
{
  if (around == NULL || !g_atomic_ref_count_dec (&around->ref_count))
    return;
  g_free (around->nodes);
  g_free (around->edges);
  gilk_call_graph_unref (around->graph);
  g_free (around);
}

char *
gilk_call_around_to_dot (const GilkCallAround *around)
{
  GilkFunctions *functions = gilk_call_graph_functions (around->graph);
  GString *dot = g_string_new ("digraph calls {\n  rankdir=LR;\n  node [shape=box, fontname=monospace];\n");

  for (guint i = 0; i < around->n_nodes; i++)
    {
      const GilkAroundNode *node = &around->nodes[i];
      g_autofree char *name = gilk_functions_name (functions, node->function);

      if (node->more > 0)
        g_string_append_printf (dot, "  n%u [label=\"%u more\", style=dashed];\n", i, node->more);
      else
        g_string_append_printf (dot, "  n%u [label=\"%s\"%s];\n", i, name, node->level == 0 ? ", style=bold" : "");
    }
  for (guint i = 0; i < around->n_edges; i++)
    {
      const GilkAroundEdge *edge = &around->edges[i];

      g_string_append_printf (dot, "  n%u -> n%u", edge->from, edge->to);
      if (edge->seen > 0)
        g_string_append_printf (dot, " [style=dotted, label=\"%" G_GUINT64_FORMAT "\"]", (guint64) edge->seen);
      else if (edge->n > 1)
        g_string_append_printf (dot, " [label=\"%u\"]", edge->n);
      g_string_append (dot, ";\n");
    }

  return g_string_free (g_string_append (dot, "}\n"), FALSE);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-layout-order.c - orders nodes within their layers, with few crossings
 *
 * Starts from several initial orders. The first is a depth-first walk that visits branches not
 * taken first, so that these are on the left unless this causes crossings. Each order is improved
 * by barycentre sweeps down and up and by swaps of neighbours; the best order is used. Finally,
 * whole lines are moved at once.
 */
#include "core/layout/gilk-layout-channel.h"

#include <gio/gio.h>

#include "core/base/gilk-array.h"

#define SWEEPS      24
#define STALE       8         /* the search stops after this number of barycentre sweeps without a
                               * better order */
#define ROUNDS      8         /* maximum number of rounds in which neighbours are swapped after each
                               * sweep */
#define SWEEP_WORK  6000000   /* maximum number of nodes and links visited in all sweeps together */
#define STRAND_WORK 4000000   /* maximum work for moving lines through several layers: the sum, over
                               * the channels between layers, of the number of gaps above times the
                               * number of gaps below */

/* ---- initial order ---- */

/* Kinds of initial orders of the nodes. It is not known in advance which kind gives the best
 * result. */
typedef enum {
  START_LEFT_FIRST,             /* depth first, branches not taken before taken ones */
  START_RIGHT_FIRST,
  START_UPWARDS,                /* depth first, from the exits */
  START_BREADTH,
  START_UPWARDS_RIGHT,
  N_STARTS,
} Start;

static void
append_to_layer (Layered *l, guint node)
{
  guint layer = NODE (l, node)->layer;

  NODE (l, node)->order = l->layer_sizes[layer];
  l->layers[layer][l->layer_sizes[layer]++] = node;
}

/* Appends the nodes that can be reached from @root to their layers, in the order of the walk that
 * @start selects. @queue: pending nodes, used as a stack or, for START_BREADTH, as a queue */
static void
walk_nodes (Layered *l, Start start, guint root, gboolean *seen, guint *queue)
{
  gboolean upwards = start == START_UPWARDS || start == START_UPWARDS_RIGHT;
  gboolean reversed = start == START_LEFT_FIRST || start == START_UPWARDS_RIGHT;
  const guint *first = upwards ? l->up_first : l->down_first;
  guint begin = 0, end = 0;

  if (seen[root])
    return;

  queue[end++] = root;
  while (end > begin)
    {
      guint at = start == START_BREADTH ? queue[begin++] : queue[--end];
      guint n = first[at + 1] - first[at];

      if (seen[at])
        continue;
      seen[at] = TRUE;
      append_to_layer (l, at);
      /* The node pushed last is visited first, unless @queue is used as a queue. */
      for (guint k = 0; k < n; k++)
        {
          guint link = first[at] + (reversed ? n - 1 - k : k);
          guint next = upwards ? UP (l, link) : DOWN (l, link);

          if (!seen[next])
            queue[end++] = next;
        }
    }
}

static void
make_first_order (Layered *l, Start start)
{
  guint n = l->nodes->len;
  g_autofree gboolean *seen = g_new0 (gboolean, n + 1);
  g_autofree guint *queue = g_new (guint, l->links->len + n + 1);

  for (guint i = 0; i < l->n_layers; i++)
    l->layer_sizes[i] = 0;
  if (start == START_UPWARDS || start == START_UPWARDS_RIGHT)
    {
      for (guint i = n; i-- > 0; )
        if (l->down_first[i] == l->down_first[i + 1])
          walk_nodes (l, start, i, seen, queue);
    }
  else
    walk_nodes (l, start, l->graph->entry, seen, queue);
  for (guint i = 0; i < n; i++)
    walk_nodes (l, start, i, seen, queue);
}

static void
make_layers (Layered *l)
{
  g_autofree guint *sizes = g_new0 (guint, l->n_layers);

  for (guint i = 0; i < l->nodes->len; i++)
    sizes[NODE (l, i)->layer]++;
  l->layers = g_new (guint *, l->n_layers);
  l->layer_sizes = g_new0 (guint, l->n_layers);
  for (guint i = 0; i < l->n_layers; i++)
    l->layers[i] = g_new (guint, sizes[i] + 1);
}

/* ---- barycentre sweeps, and the search for the best order ---- */

typedef struct {
  double key;
  guint  node, old;
} Ranked;

static int
compare_ranked (const void *a, const void *b)
{
  const Ranked *x = a, *y = b;

  return GILK_ORDER (x->key, y->key) ?: GILK_ORDER (x->old, y->old);
}

/* Returns the mean position of @node's neighbours in the layer above or below; -1 if it has none.
 * The position of a neighbour above includes the position at which the line leaves that
 * neighbour. */
static double
compute_barycentre (const Layered *l, const GilkCrossings *crossings, guint node, gboolean down)
{
  const guint *first = down ? l->up_first : l->down_first;
  guint n = first[node + 1] - first[node];
  double sum = 0;

  if (n == 0)
    return -1;

  for (guint k = first[node]; k < first[node + 1]; k++)
    sum += down ? gilk_crossings_upper (crossings, l->up[k]) : NODE (l, DOWN (l, k))->order;

  return sum / n;
}

/* Sorts a layer by barycentre. Nodes without neighbours in the layer from which barycentres are
 * computed keep their relative order. */
static void
sort_layer (Layered *l, const GilkCrossings *crossings, guint layer, gboolean down, Ranked *ranked)
{
  guint n = l->layer_sizes[layer];
  guint width = down ? (layer ? l->layer_sizes[layer - 1] : 1)
                     : (layer + 1 < l->n_layers ? l->layer_sizes[layer + 1] : 1);

  for (guint i = 0; i < n; i++)
    {
      guint node = l->layers[layer][i];
      double key = compute_barycentre (l, crossings, node, down);

      ranked[i] = (Ranked) { key >= 0 ? key : -1, node, i };
    }
  for (guint i = 0; i < n; i++)
    if (ranked[i].key < 0)
      ranked[i].key = i > 0 ? ranked[i - 1].key : (double) i * width / n;

  /* the lower end of a back edge must be to the right of its block */
  for (guint i = 0; i < n; i++)
    {
      guint mate = NODE (l, ranked[i].node)->mate;

      if (mate == NO_NODE ||
          compute_barycentre (l, crossings, ranked[i].node, down) >= 0)
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

typedef struct {
  Layered       *l;
  GilkCrossings *crossings;
  guint         *best;          /* for each node: its position in the best order found so far */
  uint64_t       least;
  Ranked        *ranked;
} Search;

/* Records the current order and returns TRUE if it has fewer crossings than the best order so
 * far. */
static gboolean
record_order (Search *s)
{
  uint64_t crossings = gilk_crossings_count (s->crossings);

  if (crossings >= s->least)
    return FALSE;
  s->least = crossings;
  save_order (s->l, s->best);

  return TRUE;
}

/* Improves the current order by barycentre sweeps and by swaps of neighbours, and records the best
 * order. */
static void
improve_order (Search *s, guint sweeps, GCancellable *cancellable)
{
  Layered *l = s->l;
  guint stale = 0;

  gilk_crossings_swap (s->crossings, FALSE, ROUNDS);
  record_order (s);
  for (guint sweep = 0; sweep < sweeps && s->least > 0 && stale < STALE; sweep++)
    {
      gboolean down = sweep % 2 == 0;

      if (g_cancellable_is_cancelled (cancellable))
        return;
      for (guint i = 0; i < l->n_layers; i++)
        sort_layer (l, s->crossings, down ? i : l->n_layers - 1 - i, down, s->ranked);
      gilk_crossings_swap (s->crossings, sweep % 4 < 2, ROUNDS);
      stale = record_order (s) ? 0 : stale + 1;
    }
}

/* Moves lines and blocks through several layers at once, which swaps of neighbours cannot do. */
static void
move_strands (GilkCrossings *crossings, GCancellable *cancellable)
{
  guint64 work = STRAND_WORK;

  while (work > 0 && gilk_crossings_move_strands (crossings, &work, cancellable) > 0)
    gilk_crossings_swap (crossings, FALSE, ROUNDS);
}

/* Searches the order of nodes with the fewest crossings. @starts: number of initial orders to try;
 * 0 to start from the current order */
static void
search_orders (Layered *l, guint starts, GCancellable *cancellable)
{
  guint n = l->nodes->len, work = n + l->links->len + 1, sweeps = CLAMP (SWEEP_WORK / work, 4, SWEEPS);
  g_autofree guint *best = g_new (guint, n + 1);
  g_autofree Ranked *ranked = g_new (Ranked, n + 1);
  GilkCrossings *crossings = gilk_crossings_new (l);
  Search s = { l, crossings, best, G_MAXUINT64, ranked };

  if (starts == 0)
    {
      record_order (&s);
      improve_order (&s, sweeps, cancellable);
    }
  for (guint start = 0; start < starts && s.least > 0; start++)
    {
      if (start > 0 && (start + 1) * work * SWEEPS > SWEEP_WORK)
        break;
      make_first_order (l, start);
      improve_order (&s, sweeps, cancellable);
    }
  restore_order (l, best);
  if (s.least > 0)
    move_strands (crossings, cancellable);
  gilk_crossings_free (crossings);
}

void
gilk_layout_init_order (Layered *layered)
{
  make_layers (layered);
  make_first_order (layered, START_LEFT_FIRST);
}

void
gilk_layout_order (Layered *layered, GCancellable *cancellable)
{
  make_layers (layered);
  search_orders (layered, N_STARTS, cancellable);
}

void
gilk_layout_reorder (Layered *layered, GCancellable *cancellable)
{
  search_orders (layered, 0, cancellable);
}

uint64_t
gilk_layout_crossings (Layered *layered)
{
  GilkCrossings *crossings = gilk_crossings_new (layered);
  uint64_t count = gilk_crossings_count (crossings);

  gilk_crossings_free (crossings);

  return count;
}

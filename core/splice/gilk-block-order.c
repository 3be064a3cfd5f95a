/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-block-order.c - finds the best code layout for the blocks of a function
 *
 * A chain is a sequence of blocks. For each pair of chains with an edge between them, the best way
 * to join the two chains is cached with its gain in the score. The joint with the highest gain is
 * applied, and then the joints that it affects are computed again.
 */
#include "core/splice/gilk-code-layout.h"

#include <string.h>

#define FORWARD_BYTES  1024
#define BACKWARD_BYTES 640
#define JUMP_WORTH     0.1
#define SPLIT_MAX      96       /* a chain with more blocks than this is not split when it is joined
                                 * to another chain */
#define CHAINS_MAX     600      /* maximum number of hot blocks that are ordered; if there are more,
                                 * the hottest ones are chosen */

/* How to join chain X with chain Y. In the last four ways, X is split into X1 and X2. */
typedef enum { JOIN_X_Y, JOIN_X1_Y_X2, JOIN_Y_X2_X1, JOIN_X2_X1_Y, JOIN_X2_Y_X1, N_JOINS } Join;

typedef struct {
  double gain;             /* increase of the score by this joint; 0: no way to join the chains
                            * increases it */
  Join   join;
  guint  cut;              /* number of blocks in X1, if X is split */
  gboolean stale;
} Joint;

typedef struct {
  guint   *blocks;
  guint    n;
  double   score;
} Chain;

typedef struct {
  const GilkOrderBlock *blocks;
  guint                 n_blocks, entry;
  const GilkOrderEdge  *edges;
  guint                *first;      /* for each block: index in @sorted of its first edge; one more
                                     * element, at the end, has the number of edges */
  guint                *sorted;     /* edges, sorted by source */
  Chain                *chains;
  guint                 n_chains;   /* number of chains, including empty ones, which were joined to
                                     * other chains */
  Joint                *joints;     /* at [x * n_chains + y]: the best way to join chains x and y */
  gboolean             *linked;     /* at [x * n_chains + y]: whether an edge joins chains x and
                                     * y */
  guint                *chain_of;   /* for each block: index of its chain; G_MAXUINT: none */
  uint64_t             *at;         /* for each block: its offset in bytes in the sequence that is
                                     * being scored */
  guint                *seen;       /* for each block: the value of @sequence when the block was
                                     * last in a sequence */
  guint                 sequence;
  guint                *scratch;    /* buffer in which a sequence of blocks is built */
} Order;

static double
compute_worth (uint64_t from_end, uint64_t to, uint64_t count)
{
  if (to == from_end)
    return (double) count;
  if (to > from_end)
    return to - from_end < FORWARD_BYTES
           ? JUMP_WORTH * (double) count * (1.0 - (double) (to - from_end) / FORWARD_BYTES) : 0;

  return from_end - to < BACKWARD_BYTES
         ? JUMP_WORTH * (double) count * (1.0 - (double) (from_end - to) / BACKWARD_BYTES) : 0;
}

/* Returns the score of a sequence of blocks: the sum of the scores of all edges between them. */
static double
compute_score (Order *o, const guint *sequence, guint n)
{
  uint64_t at = 0;
  double score = 0;

  o->sequence++;
  for (guint i = 0; i < n; i++)
    {
      o->seen[sequence[i]] = o->sequence;
      o->at[sequence[i]] = at;
      at += o->blocks[sequence[i]].bytes;
    }
  for (guint i = 0; i < n; i++)
    for (guint k = o->first[sequence[i]]; k < o->first[sequence[i] + 1]; k++)
      {
        const GilkOrderEdge *edge = &o->edges[o->sorted[k]];

        if (o->seen[edge->to] == o->sequence)
          score += compute_worth (o->at[edge->from] + o->blocks[edge->from].bytes, o->at[edge->to], edge->count);
      }

  return score;
}

static guint
append_blocks (guint *out, guint at, const guint *blocks, guint n)
{
  memcpy (out + at, blocks, n * sizeof *out);

  return at + n;
}

static guint
join_chains (guint *out, const Chain *x, const Chain *y, Join how, guint cut)
{
  const guint *x1 = x->blocks, *x2 = x->blocks + cut;
  guint n1 = cut, n2 = x->n - cut, at = 0;
  const struct { const guint *blocks; guint n; } part[N_JOINS][3] = {
    [JOIN_X_Y]     = { { x1, n1 }, { x2, n2 }, { y->blocks, y->n } },
    [JOIN_X1_Y_X2] = { { x1, n1 }, { y->blocks, y->n }, { x2, n2 } },
    [JOIN_Y_X2_X1] = { { y->blocks, y->n }, { x2, n2 }, { x1, n1 } },
    [JOIN_X2_X1_Y] = { { x2, n2 }, { x1, n1 }, { y->blocks, y->n } },
    [JOIN_X2_Y_X1] = { { x2, n2 }, { y->blocks, y->n }, { x1, n1 } },
  };

  for (guint i = 0; i < 3; i++)
    at = append_blocks (out, at, part[how][i].blocks, part[how][i].n);

  return at;
}

static void
try_join (Order *o, const Chain *x, const Chain *y, Join how, guint cut, Joint *best)
{
  guint n = join_chains (o->scratch, x, y, how, cut);
  gboolean has_entry = x->blocks[0] == o->entry || y->blocks[0] == o->entry;
  double gain;

  if (has_entry && o->scratch[0] != o->entry)
    return;
  gain = compute_score (o, o->scratch, n) - x->score - y->score;
  if (gain > best->gain * (1 + 1e-9) + 1e-9)
    *best = (Joint) { .gain = gain, .join = how, .cut = cut };
}

static const Joint *
find_joint (Order *o, guint x, guint y)
{
  Joint *joint = &o->joints[(gsize) x * o->n_chains + y];

  if (!joint->stale)
    return joint;
  *joint = (Joint) { .gain = 0 };
  try_join (o, &o->chains[x], &o->chains[y], JOIN_X_Y, o->chains[x].n, joint);
  for (guint cut = 1; o->chains[x].n <= SPLIT_MAX && cut < o->chains[x].n; cut++)
    for (Join how = JOIN_X1_Y_X2; how < N_JOINS; how++)
      try_join (o, &o->chains[x], &o->chains[y], how, cut, joint);

  return joint;
}

/* Joins chain Y into chain X; Y becomes empty. */
static void
merge_chains (Order *o, guint x, guint y, const Joint *joint)
{
  guint n = join_chains (o->scratch, &o->chains[x], &o->chains[y], joint->join, joint->cut);

  g_free (o->chains[x].blocks);
  g_clear_pointer (&o->chains[y].blocks, g_free);
  o->chains[y].n = 0;
  o->chains[x].blocks = g_memdup2 (o->scratch, n * sizeof *o->scratch);
  o->chains[x].n = n;
  o->chains[x].score = compute_score (o, o->chains[x].blocks, n);
  for (guint i = 0; i < n; i++)
    o->chain_of[o->chains[x].blocks[i]] = x;
  for (guint z = 0; z < o->n_chains; z++)
    {
      gboolean both = o->linked[(gsize) x * o->n_chains + z] || o->linked[(gsize) y * o->n_chains + z];

      o->linked[(gsize) x * o->n_chains + z] = o->linked[(gsize) z * o->n_chains + x] = both;
      o->joints[(gsize) x * o->n_chains + z].stale = o->joints[(gsize) z * o->n_chains + x].stale = TRUE;
    }
}

static gboolean
merge_best (Order *o)
{
  Joint best = { .gain = 0 };
  guint best_x = 0, best_y = 0;

  for (guint x = 0; x < o->n_chains; x++)
    for (guint y = 0; y < o->n_chains; y++)
      {
        const Joint *joint;

        if (x == y || o->chains[x].n == 0 || o->chains[y].n == 0 || !o->linked[(gsize) x * o->n_chains + y])
          continue;
        joint = find_joint (o, x, y);
        if (joint->gain > best.gain)
          {
            best = *joint;
            best_x = x;
            best_y = y;
          }
      }
  if (best.gain <= 0)
    return FALSE;
  merge_chains (o, best_x, best_y, &best);

  return TRUE;
}

/* ---- the whole function ---- */

static void
sort_edges (Order *o, guint n_edges)
{
  o->first = g_new0 (guint, o->n_blocks + 2);
  o->sorted = g_new0 (guint, n_edges + 1);
  for (guint i = 0; i < n_edges; i++)
    o->first[o->edges[i].from + 2]++;
  for (guint b = 2; b < o->n_blocks + 2; b++)
    o->first[b] += o->first[b - 1];
  for (guint i = 0; i < n_edges; i++)
    o->sorted[o->first[o->edges[i].from + 1]++] = i;
}

static void
order_init (Order *o, const GilkOrderBlock *blocks, guint n_blocks, guint entry, const GilkOrderEdge *edges,
            guint n_edges)
{
  *o = (Order) {
    .blocks = blocks, .n_blocks = n_blocks, .entry = entry, .edges = edges,
    .chain_of = g_new (guint, n_blocks + 1), .at = g_new0 (uint64_t, n_blocks + 1),
    .seen = g_new0 (guint, n_blocks + 1), .scratch = g_new0 (guint, n_blocks + 1),
  };
  for (guint i = 0; i < n_blocks; i++)
    o->chain_of[i] = G_MAXUINT;
  sort_edges (o, n_edges);
}

static void
order_clear (Order *o)
{
  for (guint i = 0; i < o->n_chains; i++)
    g_free (o->chains[i].blocks);
  g_free (o->chains);
  g_free (o->joints);
  g_free (o->linked);
  g_free (o->first);
  g_free (o->sorted);
  g_free (o->chain_of);
  g_free (o->at);
  g_free (o->seen);
  g_free (o->scratch);
}

/* Starts with one chain for each hot block. */
static void
init_chains (Order *o, const guint *hot, guint n, guint n_edges)
{
  o->chains = g_new0 (Chain, n + 1);
  o->n_chains = n;
  o->joints = g_new0 (Joint, (gsize) n * n + 1);
  o->linked = g_new0 (gboolean, (gsize) n * n + 1);
  for (guint i = 0; i < n; i++)
    {
      o->chains[i] = (Chain) { g_memdup2 (&hot[i], sizeof hot[i]), 1, 0 };
      o->chain_of[hot[i]] = i;
    }
  for (gsize i = 0; i < (gsize) n * n; i++)
    o->joints[i].stale = TRUE;
  for (guint i = 0; i < n_edges; i++)
    {
      guint x = o->chain_of[o->edges[i].from], y = o->chain_of[o->edges[i].to];

      if (x != G_MAXUINT && y != G_MAXUINT && x != y)
        o->linked[(gsize) x * n + y] = o->linked[(gsize) y * n + x] = TRUE;
    }
}

static double
compute_density (const Order *o, const Chain *chain)
{
  double counts = 0, bytes = 1;

  for (guint i = 0; i < chain->n; i++)
    {
      counts += (double) o->blocks[chain->blocks[i]].count * o->blocks[chain->blocks[i]].bytes;
      bytes += o->blocks[chain->blocks[i]].bytes;
    }

  return counts / bytes;
}

/* Writes the blocks of all chains to @out: first the chain of the function's entry, then the other
 * chains, those with the most executions per byte first. */
static guint
put_chains (Order *o, guint *out)
{
  guint at = 0;

  for (;;)
    {
      guint best = G_MAXUINT;
      double most = -1;

      for (guint i = 0; i < o->n_chains; i++)
        {
          double dense = o->chains[i].n == 0 ? -1 : o->chains[i].blocks[0] == o->entry ? G_MAXDOUBLE
                         : compute_density (o, &o->chains[i]);

          if (dense > most)
            {
              most = dense;
              best = i;
            }
        }
      if (best == G_MAXUINT)
        return at;
      at = append_blocks (out, at, o->chains[best].blocks, o->chains[best].n);
      o->chains[best].n = 0;
    }
}

static guint
order_subset (const GilkOrderBlock *blocks, guint n_blocks, guint entry, const GilkOrderEdge *edges, guint n_edges,
              const guint *some, guint n, guint *out)
{
  Order o;
  guint put;

  order_init (&o, blocks, n_blocks, entry, edges, n_edges);
  init_chains (&o, some, n, n_edges);
  while (merge_best (&o))
    ;
  put = put_chains (&o, out);
  order_clear (&o);

  return put;
}

static int
compare_counts (gconstpointer a, gconstpointer b, gpointer blocks)
{
  uint64_t x = ((const GilkOrderBlock *) blocks)[*(const guint *) a].count;
  uint64_t y = ((const GilkOrderBlock *) blocks)[*(const guint *) b].count;

  return x > y ? -1 : x < y;
}

/* Reduces @list to the CHAINS_MAX blocks that run most often, without changing their order. */
static guint
keep_hottest (const GilkOrderBlock *blocks, guint *list, guint n, guint entry)
{
  g_autofree guint *sorted = g_memdup2 (list, n * sizeof *list);
  guint kept = 0;
  uint64_t least;

  if (n <= CHAINS_MAX)
    return n;
  g_qsort_with_data (sorted, (gint) n, sizeof *sorted, compare_counts, (gpointer) blocks);
  least = blocks[sorted[CHAINS_MAX]].count;
  for (guint i = 0; i < n; i++)
    if (blocks[list[i]].count > least || list[i] == entry)
      list[kept++] = list[i];

  return kept;
}

guint *
gilk_order_new (const GilkOrderBlock *blocks,
                guint                 n,
                guint                 entry,
                const GilkOrderEdge  *edges,
                guint                 n_edges,
                gboolean             *is_hot)
{
  g_autofree guint *some = g_new (guint, n + 1);
  g_autofree gboolean *put = g_new0 (gboolean, n + 1);
  guint *order = g_new (guint, n + 1);
  guint at = 0;

  for (guint seldom = 0; seldom < 2; seldom++)
    {
      guint n_some = 0;

      for (guint i = 0; i < n; i++)
        if (!put[i] && (i == entry || (blocks[i].count > 0 &&
                                       (seldom || blocks[i].count >= blocks[entry].count / GILK_ORDER_SELDOM))))
          some[n_some++] = i;
      n_some = keep_hottest (blocks, some, n_some, entry);
      for (guint i = 0; i < n_some; i++)
        put[some[i]] = TRUE;
      at += order_subset (blocks, n, entry, edges, n_edges, some, n_some, order + at);
      if (is_hot != NULL && !seldom)
        memcpy (is_hot, put, n * sizeof *put);
    }
  for (guint i = 0; i < n; i++)
    if (!put[i])
      order[at++] = i;
  g_assert (at == n && (n == 0 || order[0] == entry));

  return order;
}

double
gilk_order_score (const GilkOrderBlock *blocks,
                  guint                 n_blocks,
                  const GilkOrderEdge  *edges,
                  guint                 n_edges,
                  const guint          *order,
                  guint                 n)
{
  double score;
  Order o;

  order_init (&o, blocks, n_blocks, order[0], edges, n_edges);
  score = compute_score (&o, order, n);
  order_clear (&o);

  return score;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-cfg-loops.c - finds the loops of a graph, and the loops around a block
 *
 * A back edge leads to a block on the current path of a depth-first walk. The body of a loop
 * consists of all blocks that reach its back edges without leaving the header's subtree of the walk
 * (Havlak). Loops may have several entries.
 */
#include "core/cfg/gilk-cfg-private.h"

#include <string.h>

#include "core/base/gilk-array.h"
#include "core/cfg/gilk-cfg.h"

typedef struct {
  GilkCfg  *cfg;
  uint32_t *pre, *last;     /* @pre: position of a block in the walk, counted from 1; 0 if not
                             * visited. @last: highest position in the block's subtree of the
                             * walk */
  uint32_t *next;           /* for each block: number of outgoing edges walked so far */
  uint32_t *stack;
  uint32_t  count;
} Walk;

static void
walk_depth_first (Walk *w, guint root)
{
  guint depth = 0;

  if (w->pre[root])
    return;

  w->pre[root] = ++w->count;
  w->stack[depth++] = root;
  while (depth > 0)
    {
      guint at = w->stack[depth - 1];
      GilkBlock *block = &w->cfg->blocks[at];
      GilkEdge *edge;

      if (w->next[at] == block->n_out)
        {
          w->last[at] = w->count;
          depth--;
          continue;
        }
      edge = &w->cfg->edges[block->first_out + w->next[at]++];
      if (!w->pre[edge->to])
        {
          w->pre[edge->to] = ++w->count;
          w->stack[depth++] = edge->to;
        }
      else if (!w->last[edge->to])      /* the target is on the current path, so the edge closes a
                                         * loop */
        {
          edge->back = TRUE;
          w->cfg->blocks[edge->to].flags |= GILK_BLOCK_LOOP_HEAD;
        }
    }
}

/* Increments the depth of each block in the loop whose header is @head. */
static void
count_body (Walk *w, guint head, const uint32_t *in_first, const uint32_t *in_edges,
            uint32_t *mark)
{
  guint depth = 0;

  mark[head] = head + 1;
  w->cfg->blocks[head].loop_depth++;
  w->stack[depth++] = head;
  while (depth > 0)
    {
      guint at = w->stack[--depth];

      for (guint i = in_first[at]; i < in_first[at + 1]; i++)
        {
          const GilkEdge *edge = &w->cfg->edges[in_edges[i]];
          guint from = edge->from;

          if ((at == head && !edge->back) || mark[from] == head + 1 ||
              w->pre[from] < w->pre[head] || w->pre[from] > w->last[head])
            continue;
          mark[from] = head + 1;
          w->cfg->blocks[from].loop_depth++;
          w->stack[depth++] = from;
        }
    }
}

static void
count_depths (Walk *w)
{
  GilkCfg *cfg = w->cfg;
  g_autofree uint32_t *first = g_new0 (uint32_t, cfg->n_blocks + 2);
  g_autofree uint32_t *edges = g_new (uint32_t, cfg->n_edges + 1);
  g_autofree uint32_t *mark = g_new0 (uint32_t, cfg->n_blocks + 1);

  /* sort the edges by target, with a counting sort */
  for (guint i = 0; i < cfg->n_edges; i++)
    first[cfg->edges[i].to + 2]++;
  for (guint i = 1; i < cfg->n_blocks + 2; i++)
    first[i] += first[i - 1];
  for (guint i = 0; i < cfg->n_edges; i++)
    edges[first[cfg->edges[i].to + 1]++] = i;

  for (guint i = 0; i < cfg->n_blocks; i++)
    if (cfg->blocks[i].flags & GILK_BLOCK_LOOP_HEAD)
      count_body (w, i, first, edges, mark);
}

void
gilk_cfg_find_loops (GilkCfg *cfg)
{
  guint n = cfg->n_blocks + 1;
  g_autofree uint32_t *memory = g_new0 (uint32_t, 4 * n);
  Walk w = { cfg, memory, memory + n, memory + 2 * n, memory + 3 * n, 0 };
  gboolean loops = FALSE;

  if (cfg->n_blocks == 0)
    return;

  walk_depth_first (&w, cfg->entry);
  for (guint i = 0; i < cfg->n_blocks; i++)
    walk_depth_first (&w, i);

  for (guint i = 0; i < cfg->n_edges && !loops; i++)
    loops = cfg->edges[i].back;
  if (loops)
    count_depths (&w);
}

/*
 * Finds the loops around a block.
 *
 * The header of a loop is the target of a back edge. The loop consists of all paths from its header
 * to the source of that edge. Of two nested loops, the inner one has fewer blocks.
 */

typedef struct {
  guint head, size;
} Loop;

static gboolean
has_head (const GilkCfg *cfg, guint head)
{
  for (guint e = 0; e < cfg->n_edges; e++)
    if (cfg->edges[e].back && cfg->edges[e].to == head)
      return TRUE;

  return FALSE;
}

/* Finds the blocks that are reachable from @head. */
static void
mark_reachable (const GilkCfg *cfg, guint head, gboolean *reached)
{
  gboolean more = TRUE;

  reached[head] = TRUE;
  while (more)
    {
      more = FALSE;
      for (guint e = 0; e < cfg->n_edges; e++)
        if (reached[cfg->edges[e].from] && !reached[cfg->edges[e].to])
          reached[cfg->edges[e].to] = more = TRUE;
    }
}

/* Finds the blocks of a loop. Leaves out blocks that lead into the loop but cannot be reached from
 * its header, as in an irreducible loop. */
guint
gilk_cfg_loop_blocks (const GilkCfg *cfg, guint head, gboolean *in)
{
  g_autofree gboolean *reached = g_new0 (gboolean, cfg->n_blocks + 1);
  guint size = 1;
  gboolean more = TRUE;

  mark_reachable (cfg, head, reached);
  memset (in, 0, cfg->n_blocks * sizeof in[0]);
  in[head] = TRUE;
  while (more)
    {
      more = FALSE;
      for (guint e = cfg->n_edges; e-- > 0;)
        {
          const GilkEdge *edge = &cfg->edges[e];
          gboolean leads = edge->to == head ? edge->back : in[edge->to];

          if (!leads || in[edge->from] || !reached[edge->from])
            continue;
          in[edge->from] = more = TRUE;
          size++;
        }
    }

  return size;
}

static int
compare_loops (gconstpointer a, gconstpointer b)
{
  const Loop *x = a, *y = b;

  return GILK_ORDER (y->size, x->size) ?: GILK_ORDER (x->head, y->head);
}

GArray *
gilk_cfg_loops_around (const GilkCfg *cfg, guint block)
{
  GArray *heads = g_array_new (FALSE, FALSE, sizeof (guint));
  g_autoptr(GArray) loops = g_array_new (FALSE, FALSE, sizeof (Loop));
  g_autofree gboolean *in = g_new0 (gboolean, cfg->n_blocks + 1);

  for (guint head = 0; block < cfg->n_blocks && cfg->blocks[block].loop_depth > 0 && head < cfg->n_blocks; head++)
    {
      Loop loop = { .head = head };

      if ((cfg->blocks[head].flags & GILK_BLOCK_LOOP_HEAD) == 0 || !has_head (cfg, head))
        continue;
      loop.size = gilk_cfg_loop_blocks (cfg, head, in);
      if (in[block])
        g_array_append_val (loops, loop);
    }
  g_array_sort (loops, compare_loops);
  for (guint i = 0; i < loops->len; i++)
    g_array_append_val (heads, g_array_index (loops, Loop, i).head);

  return heads;
}

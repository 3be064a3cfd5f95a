/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-cfg-loops-around.c - finds the loops around a block
 *
 * The header of a loop is the target of a back edge. The loop consists of all paths from its header
 * to the source of that edge. An inner loop has fewer blocks than the loop around it.
 */
#include "core/cfg/gilk-cfg.h"

#include <string.h>

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

/* Leaves out blocks that lead into the loop but cannot be reached from its header, as in an
 * irreducible loop. */
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

  return x->size != y->size ? (x->size < y->size) - (x->size > y->size) : (x->head > y->head) - (x->head < y->head);
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

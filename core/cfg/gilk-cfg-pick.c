/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-cfg-pick.c - selects blocks by a rule, and finds the most frequent path to a block
 */
#include "core/cfg/gilk-cfg-pick.h"

#include <string.h>

/* Returns whether control may leave the function from this block. */
static gboolean
may_leave (const GilkCfg *cfg, guint block)
{
  const GilkBlock *b = &cfg->blocks[block];

  return b->ending == GILK_END_RETURN || b->ending == GILK_END_TAIL_CALL || b->ending == GILK_END_NORETURN ||
         b->ending == GILK_END_TRAP || (b->ending == GILK_END_INDIRECT && b->n_out == 0) ||
         b->flags & GILK_BLOCK_LEAVES;
}

/* Picks all blocks that are reachable from picked blocks, or, if @forward is not set, all blocks
 * that reach picked blocks. Passes over all edges are repeated until nothing changes; a graph has
 * few edges, so this is fast enough. */
static void
propagate_picked (const GilkCfg *cfg,
                  gboolean       forward,
                  gboolean      *picked)
{
  gboolean more = TRUE;

  while (more)
    {
      more = FALSE;
      for (guint i = 0; i < cfg->n_edges; i++)
        {
          const GilkEdge *edge = &cfg->edges[forward ? i : cfg->n_edges - 1 - i];
          guint from = forward ? edge->from : edge->to, to = forward ? edge->to : edge->from;

          if (picked[from] && !picked[to])
            picked[to] = more = TRUE;
        }
    }
}

static gboolean
follows_rule (const GilkCfg *cfg,
              GilkPick       rule,
              guint          block)
{
  const GilkBlock *b = &cfg->blocks[block];

  switch (rule)
    {
    case GILK_PICK_ALL:        return TRUE;
    case GILK_PICK_ENDS:       return block == cfg->entry || b->flags & GILK_BLOCK_INBOUND || may_leave (cfg, block);
    case GILK_PICK_LOOP_HEADS: return (b->flags & GILK_BLOCK_LOOP_HEAD) != 0;
    default:                   return FALSE;
    }
}

gboolean
gilk_cfg_returns (const GilkCfg *cfg,
                  guint          block)
{
  const uint8_t ending = cfg->blocks[block].ending;

  return ending == GILK_END_RETURN || ending == GILK_END_TAIL_CALL || ending == GILK_END_INDIRECT;
}

guint
gilk_cfg_pick (const GilkCfg *cfg,
               GilkPick       rule,
               guint          block,
               gboolean      *picked)
{
  guint n = 0;

  for (guint i = 0; i < cfg->n_blocks; i++)
    picked[i] = follows_rule (cfg, rule, i);
  if (rule == GILK_PICK_REACHED || rule == GILK_PICK_REACHING)
    {
      picked[block] = TRUE;
      propagate_picked (cfg, rule == GILK_PICK_REACHED, picked);
    }
  for (guint i = 0; i < cfg->n_blocks; i++)
    n += picked[i];

  return n;
}

/* ---- path to a block ---- */

typedef struct {
  uint64_t width;          /* execution count of the path's rarest step; 0: no path known */
  guint    steps;
  guint    by;             /* last edge of the most frequent path to the block */
  gboolean settled;
} Reached;

static uint64_t
get_width (const GilkCfg  *cfg,
           guint           edge,
           const uint64_t *block_counts,
           const uint64_t *edge_counts)
{
  uint64_t width = GILK_COUNT_UNKNOWN;

  if (edge_counts != NULL && edge_counts[edge] != GILK_COUNT_UNKNOWN)
    return edge_counts[edge];
  if (block_counts != NULL)
    width = MIN (block_counts[cfg->edges[edge].from], block_counts[cfg->edges[edge].to]);

  return width == GILK_COUNT_UNKNOWN ? 1 : width;         /* a step with an unknown count counts as
                                                           * taken once */
}

static int
find_widest (const Reached *reached,
             guint          n)
{
  int best = -1;

  for (guint i = 0; i < n; i++)
    if (!reached[i].settled && reached[i].width > 0 &&
        (best < 0 || reached[i].width > reached[best].width ||
         (reached[i].width == reached[best].width && reached[i].steps < reached[best].steps)))
      best = i;

  return best;
}

static void
relax_edges (const GilkCfg  *cfg,
             guint           block,
             const uint64_t *block_counts,
             const uint64_t *edge_counts,
             Reached        *reached)
{
  const GilkBlock *b = &cfg->blocks[block];

  reached[block].settled = TRUE;
  for (guint e = b->first_out; e < b->first_out + b->n_out; e++)
    {
      Reached *to = &reached[cfg->edges[e].to];
      uint64_t width = MIN (reached[block].width, get_width (cfg, e, block_counts, edge_counts));
      guint steps = reached[block].steps + 1;

      if (!to->settled && (width > to->width || (width == to->width && width > 0 && steps < to->steps)))
        *to = (Reached) { width, steps, e, FALSE };
    }
}

guint
gilk_cfg_path (const GilkCfg  *cfg,
               guint           block,
               const uint64_t *block_counts,
               const uint64_t *edge_counts,
               gboolean       *blocks,
               gboolean       *edges)
{
  g_autofree Reached *reached = g_new0 (Reached, cfg->n_blocks);
  guint n = 0;
  int at;

  memset (blocks, 0, cfg->n_blocks * sizeof *blocks);
  memset (edges, 0, cfg->n_edges * sizeof *edges);
  reached[cfg->entry] = (Reached) { G_MAXUINT64, 0, G_MAXUINT, FALSE };
  if (block_counts != NULL)
    reached[cfg->entry].width = block_counts[cfg->entry];
  while (!reached[block].settled && (at = find_widest (reached, cfg->n_blocks)) >= 0)
    relax_edges (cfg, at, block_counts, edge_counts, reached);
  if (!reached[block].settled)
    return 0;

  for (guint b = block; ; b = cfg->edges[reached[b].by].from)
    {
      blocks[b] = TRUE;
      n++;
      if (b == cfg->entry)
        return n;
      edges[reached[b].by] = TRUE;
    }
}

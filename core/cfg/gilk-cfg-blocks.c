/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-cfg-blocks.c - lookup of blocks by address, and reachability from the entry
 */
#include "core/cfg/gilk-cfg.h"

int
gilk_cfg_block_around (const GilkCfg *cfg, uint64_t addr)
{
  guint low = 0, high = cfg->n_blocks;

  while (low < high)
    {
      guint middle = (low + high) / 2;

      if (cfg->blocks[middle].start <= addr)
        low = middle + 1;
      else
        high = middle;
    }

  return low > 0 && addr < cfg->blocks[low - 1].end ? (int) low - 1 : -1;
}

int
gilk_cfg_block_at (const GilkCfg *cfg, uint64_t start)
{
  int block = gilk_cfg_block_around (cfg, start);

  return block >= 0 && cfg->blocks[block].start == start ? block : -1;
}

gboolean *
gilk_cfg_reached (const GilkCfg *cfg)
{
  gboolean *reached = g_new0 (gboolean, cfg->n_blocks + 1);
  g_autofree guint *work = g_new (guint, cfg->n_blocks + 1);
  guint n = 0;

  if (cfg->n_blocks == 0)
    return reached;
  reached[cfg->entry] = TRUE;
  work[n++] = cfg->entry;
  while (n > 0)
    {
      const GilkBlock *b = &cfg->blocks[work[--n]];

      for (guint i = b->first_out; i < b->first_out + b->n_out; i++)
        {
          guint to = cfg->edges[i].to;

          if (!reached[to])
            work[n++] = to;
          reached[to] = TRUE;
        }
    }

  return reached;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-cfg-exits.c - finds the blocks that leave a function: returns and tail calls
 */
#include "core/cfg/gilk-cfg.h"

#include "core/image/gilk-image-user.h"

gboolean
gilk_cfg_may_leave_early (const GilkCfg *cfg,
                          guint          block)
{
  const GilkBlock *b = &cfg->blocks[block];

  return (b->flags & GILK_BLOCK_LEAVES) != 0 || (b->ending == GILK_END_JCC && b->n_out < 2);
}

static gboolean
may_be_reached (const GilkCfg *cfg, guint block)
{
  return cfg->blocks[block].n_in > 0 || block == cfg->entry || gilk_image_user_path (cfg->image) != NULL;
}

GArray *
gilk_cfg_exits (const GilkCfg *cfg,
                gboolean      *whole)
{
  GArray *exits = g_array_new (FALSE, FALSE, sizeof (GilkCfgExit));
  gboolean sure = cfg->refusal == 0;
  guint number = 0;

  for (guint cold = 0; cold <= 1; cold++)
    for (guint i = 0; i < cfg->n_blocks; i++)
      {
        const GilkBlock *block = &cfg->blocks[i];
        const gboolean returns = block->ending == GILK_END_RETURN;
        const GilkCfgExit found = { i, returns ? number + 1 : 0 };

        if (((block->flags & GILK_BLOCK_COLD) != 0) != cold)
          continue;
        number += returns;
        if (!may_be_reached (cfg, i))
          continue;
        sure = sure && block->ending != GILK_END_INDIRECT && !gilk_cfg_may_leave_early (cfg, i);
        if (returns || block->ending == GILK_END_TAIL_CALL)
          g_array_append_val (exits, found);
      }
  if (whole != NULL)
    *whole = sure && exits->len > 0;

  return exits;
}

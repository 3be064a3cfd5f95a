/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-point.c - finds the instruction before which a hook of a block runs
 */
#include "core/cfg/gilk-point.h"

int
gilk_point_terminator (const GilkCfg *cfg,
                       guint          block)
{
  const GilkBlock *b = &cfg->blocks[block];

  if (b->ending == GILK_END_FALL || b->n_insns == 0)
    return -1;

  return (int) (b->first_insn + b->n_insns - 1);
}

guint
gilk_point_first (const GilkCfg *cfg,
                  guint          block)
{
  const GilkBlock *b = &cfg->blocks[block];
  guint first = b->first_insn, count = 0;
  const GilkSite *sites = gilk_image_sites (cfg->image, b->start, b->end, &count);

  if (b->n_insns > 0 && cfg->insns[first].flags & GILK_INSN_ENDBR)
    first++;

  for (guint i = 0; i < count && sites[i].addr <= b->start + 4; i++)
    if (sites[i].kind == GILK_SITE_FENTRY)
      while (first < b->first_insn + b->n_insns && cfg->insns[first].addr <= sites[i].addr)
        first++;

  return first;
}

guint
gilk_point_boundary (const GilkCfg *cfg,
                     guint          block,
                     GilkWhere      where)
{
  const GilkBlock *b = &cfg->blocks[block];
  int terminator = gilk_point_terminator (cfg, block);

  if (where == GILK_WHERE_PRE)
    return gilk_point_first (cfg, block);
  if (terminator >= 0)
    return (guint) terminator;

  return b->first_insn + b->n_insns;
}

gboolean
gilk_point_edge (const GilkCfg *cfg,
                 uint64_t       addr,
                 guint         *block,
                 GilkWhere     *where)
{
  int around = gilk_cfg_block_around (cfg, addr);
  const GilkBlock *b;
  guint first, end;

  if (around < 0)
    return FALSE;
  b = &cfg->blocks[around];
  end = b->first_insn + b->n_insns;
  first = gilk_point_first (cfg, (guint) around);
  if (addr == b->start || (first < end && addr <= cfg->insns[first].addr))
    *where = GILK_WHERE_PRE;
  else if (gilk_point_terminator (cfg, (guint) around) >= 0 && addr == cfg->insns[end - 1].addr)
    *where = GILK_WHERE_POST;
  else
    return FALSE;
  *block = (guint) around;

  return TRUE;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-cfg-cut.c - graphs with blocks cut in two, for hooks at any instruction
 */
#include "core/cfg/gilk-cfg.h"

#include "core/cfg/gilk-cfg-private.h"

const GilkCfg *
gilk_cfg_whole (const GilkCfg *cfg)
{
  const GilkCfg *whole = ((const GilkCfgFull *) cfg)->whole;

  return whole != NULL ? whole : cfg;
}

GilkCfg *
gilk_cfg_new_cut (const GilkCfg  *cfg,
                  GilkDecoder    *decoder,
                  const uint64_t *at,
                  guint           n)
{
  const GilkCfgFull *whole = (const GilkCfgFull *) gilk_cfg_whole (cfg);
  GilkCfgFull *full = g_new0 (GilkCfgFull, 1);

  g_atomic_ref_count_init (&full->cfg.ref_count);
  full->cfg.functions = gilk_functions_ref (whole->cfg.functions);
  full->cfg.image = gilk_image_ref (whole->cfg.image);
  full->cfg.function = whole->cfg.function;
  full->cfg.refusal = whole->cfg.refusal;
  full->cfg.refusal_addr = whole->cfg.refusal_addr;
  full->whole = gilk_cfg_ref ((GilkCfg *) &whole->cfg);
  for (guint i = 0; i < whole->n_texts; i++)
    full->texts[i] = whole->texts[i];
  full->n_texts = whole->n_texts;

  gilk_cfg_build (full, decoder, at, n);
  gilk_cfg_find_loops (&full->cfg);

  return &full->cfg;
}

int
gilk_cfg_insn_at (const GilkCfg *cfg, uint64_t addr)
{
  int around = gilk_cfg_block_around (cfg, addr);
  const GilkBlock *block;

  if (around < 0 || cfg->insns == NULL)
    return -1;
  block = &cfg->blocks[around];
  for (guint i = block->first_insn; i < block->first_insn + block->n_insns; i++)
    if (cfg->insns[i].addr == addr)
      return (int) i;

  return -1;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-kprobe-cost.c - predicts what a kprobe adds to a hit
 *
 * Some time after a kprobe was registered, the kernel replaces its int3 by a 5-byte jump if it can
 * (can_optimize() in arch/x86/kernel/kprobes/opt.c). This file makes the same checks, except those
 * of alternatives and of a few rare instructions.
 */
#include "core/emit/gilk-kprobe-cost.h"

#define JUMP_BYTES 5

typedef struct {
  uint64_t start, end;
} Range;

static Range
get_part (const GilkCfg *cfg, uint64_t site)
{
  const GilkFunction *function = cfg->function;

  if (site >= function->hot.start && site < function->hot.end)
    return (Range) { function->hot.start, function->hot.end };

  return (Range) { function->cold.start, function->cold.end };
}

/* Returns whether @part of the function has an instruction with a fix-up, or an indirect jump.
 * Either may lead into the middle of the kprobe's 5-byte jump. */
static gboolean
has_hidden_targets (const GilkCfg *cfg, Range part)
{
  guint n;
  const GilkSite *sites = gilk_image_sites (cfg->image, part.start, part.end, &n);

  for (guint i = 0; i < n; i++)
    if (sites[i].kind == GILK_SITE_EXTABLE)
      return TRUE;
  for (guint i = 0; i < cfg->n_blocks; i++)
    if (cfg->blocks[i].ending == GILK_END_INDIRECT && cfg->blocks[i].start >= part.start && cfg->blocks[i].start < part.end)
      return TRUE;

  return FALSE;
}

/* Returns whether the kernel itself may change bytes in the range, at a static key, static call or
 * ftrace site. */
static gboolean
has_patched_bytes (const GilkCfg *cfg, uint64_t start, uint64_t end)
{
  guint n;
  const GilkSite *sites = gilk_image_sites (cfg->image, start, end, &n);

  for (guint i = 0; i < n; i++)
    if (sites[i].kind == GILK_SITE_JUMP_LABEL || sites[i].kind == GILK_SITE_STATIC_CALL || sites[i].kind == GILK_SITE_FENTRY)
      return TRUE;

  return FALSE;
}

/* Returns whether any jump of the function leads into the range, to an instruction after the first
 * one. */
static gboolean
has_target (const GilkCfg *cfg, uint64_t start, uint64_t end)
{
  for (int i = gilk_cfg_block_around (cfg, start) + 1; i > 0 && i < (int) cfg->n_blocks && cfg->blocks[i].start < end; i++)
    if (cfg->blocks[i].n_in != 1 || cfg->blocks[i - 1].ending != GILK_END_FALL)
      return TRUE;

  return FALSE;
}

gboolean
gilk_kprobe_is_optimised (const GilkCfg *cfg, guint insn)
{
  const uint64_t site = insn < cfg->n_insns ? cfg->insns[insn].addr : 0;
  const Range part = get_part (cfg, site);
  uint64_t end = site;

  for (guint i = insn; end < site + JUMP_BYTES; i++)
    {
      if (i >= cfg->n_insns || cfg->insns[i].addr != end || cfg->insns[i].branch != GILK_BRANCH_NONE)
        return FALSE;
      end += cfg->insns[i].len;
    }

  return end <= part.end && !has_patched_bytes (cfg, site, end) && !has_target (cfg, site, end) && !has_hidden_targets (cfg, part);
}

guint
gilk_kprobe_cost (const GilkCfg *cfg, guint insn)
{
  return gilk_kprobe_is_optimised (cfg, insn) ? GILK_KPROBE_COST : GILK_KPROBE_INT3_COST;
}

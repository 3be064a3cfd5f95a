/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-splice-check.c - checks which requested hooks can be placed at all
 */
#include "core/base/gilk-refusal.h"
#include "core/splice/gilk-splice-private.h"

static guint
get_boundary_uaccess (const GilkSplicePlan *plan, const GilkWant *want)
{
  const GilkCfg *cfg = plan->cfg;
  const GilkBlock *b = &cfg->blocks[want->block];
  guint index = gilk_point_boundary (cfg, want->block, want->where);
  guint last = b->first_insn + b->n_insns - 1;

  if (index <= last)
    return plan->liveness->uaccess[index];
  if (cfg->insns[last].flags & (GILK_INSN_STAC | GILK_INSN_CLAC))
    return (cfg->insns[last].flags & GILK_INSN_STAC) != 0;

  return plan->liveness->uaccess[last];
}

static gboolean
boundary_has_frame (const GilkSplicePlan *plan, const GilkWant *want)
{
  const GilkCfg *cfg = plan->cfg;
  const GilkBlock *b = &cfg->blocks[want->block];
  guint index = gilk_point_boundary (cfg, want->block, want->where), reg;
  uint64_t addr = index < b->first_insn + b->n_insns ? cfg->insns[index].addr : b->end;
  int32_t offset;

  return gilk_orc_return_slot (cfg->image, addr, 0, &reg, &offset);
}

guint
gilk_splice_check (const GilkSplicePlan *plan, const GilkWant *want)
{
  const GilkCfg *cfg = plan->cfg;
  const GilkBlock *b;

  if (cfg->refusal != 0)
    return cfg->refusal;
  if (cfg->function->refusal != 0)
    return cfg->function->refusal;
  if (want->block >= cfg->n_blocks)
    return GILK_REFUSAL_UNREACHED;

  b = &cfg->blocks[want->block];
  if (b->n_insns == 0 || (b->n_in == 0 && want->block != cfg->entry))
    return GILK_REFUSAL_UNREACHED;
  if (want->force > ILK_TACTIC_TRAP)
    return ILK_REFUSAL_UNSUPPORTED;
  if (want->kind != GILK_INLINE_COUNT && get_boundary_uaccess (plan, want))
    return GILK_REFUSAL_UACCESS;
  if (want->kind == GILK_INLINE_SPAN && !boundary_has_frame (plan, want))
    return GILK_REFUSAL_STACK_UNKNOWN;

  return 0;
}

void
gilk_splice_refuse (GilkSplicePlan *plan, guint want, guint refusal, guint why_not_splice)
{
  plan->choices[want] = (GilkChoice) {
    .patch = G_MAXUINT,
    .refusal = refusal,
    .why_not_splice = why_not_splice,
  };
}

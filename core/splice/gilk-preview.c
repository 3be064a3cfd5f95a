/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-preview.c - plans a hook at one point alone, for a target that hooks by the driver or by BPF
 */
#include "core/splice/gilk-preview.h"

#include "core/base/gilk-refusal.h"
#include "core/splice/gilk-clone.h"

guint
gilk_preview_refusal (const GilkCfg *cfg)
{
  const guint refusal = cfg->refusal != 0 ? cfg->refusal : cfg->function->refusal;

  return gilk_bpf_plan_is (cfg) && gilk_bpf_plan_ignores (refusal) ? GILK_REFUSAL_NONE : refusal;
}

void
gilk_preview_point (GilkCfg            *cfg,
                    const GilkLiveness *liveness,
                    GilkDecoder        *decoder,
                    const GilkWant     *want,
                    GilkChoice         *choice)
{
  const guint refusal = gilk_preview_refusal (cfg);

  *choice = (GilkChoice) { .refusal = refusal };
  if (gilk_bpf_plan_is (cfg))
    gilk_bpf_plan_preview (cfg, want, choice);
  else if (refusal == 0)
    {
      gilk_splice_preview (cfg, liveness, decoder, want->block, want->where, want->kind, choice, NULL);
      gilk_clone_preview (cfg, liveness, want, choice);
    }
}

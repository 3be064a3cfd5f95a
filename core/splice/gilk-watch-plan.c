/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-watch-plan.c - makes a plan for the program of a watchpoint
 */
#include "core/splice/gilk-splice.h"

#include "core/cfg/gilk-cfg.h"
#include "core/image/gilk-image-user.h"
#include "core/splice/gilk-splice-size.h"

static GilkCfg *
make_graph (GilkImage *kernel)
{
  const GilkRecordedBlock block = { .start = 1, .end = 2, .n_insns = 1, .ending = GILK_END_RETURN };
  GilkCfg *cfg = gilk_cfg_new_recorded ("watch", block.start, &block, 1, NULL, 0, NULL);

  cfg->image = gilk_image_ref (kernel);
  cfg->insns = g_new0 (GilkInsn, 1);

  return cfg;
}

/* Computes size and cost as if the code were within reach of the kernel's text. */
static void
compute_size (GilkSplicePlan *plan, GilkImage *kernel)
{
  GilkPatchPlan *patch = &plan->patches[0];

  patch->site = gilk_image_frameless_function (kernel);
  gilk_splice_size_patch (plan, patch);
  patch->site = 0;
}

GilkSplicePlan *
gilk_watch_plan_new (GilkImage      *kernel,
                     const GilkWant *want,
                     gboolean        stays)
{
  GilkSplicePlan *plan = g_new0 (GilkSplicePlan, 1);

  plan->is_watch = TRUE;
  plan->cfg = make_graph (kernel);
  plan->wants = g_memdup2 (want, sizeof *want);
  plan->wants[0].block = 0;
  plan->wants[0].where = GILK_WHERE_PRE;
  plan->n_wants = 1;
  plan->choices = g_new0 (GilkChoice, 1);
  plan->choices[0].tactic = ILK_TACTIC_WATCH;
  plan->patches = g_new0 (GilkPatchPlan, 1);
  plan->n_patches = 1;
  plan->patches[0] = (GilkPatchPlan) {
    .tactic = ILK_TACTIC_WATCH, .flags = ILK_PATCH_CALLED, .n_insns = 1,
    .hooks = g_new0 (guint, 1), .n_hooks = 1, .next = stays ? GILK_PATCH_STAYS : GILK_PATCH_NEW,
  };
  plan->n_live = stays ? 1 : 0;
  compute_size (plan, kernel);

  return plan;
}

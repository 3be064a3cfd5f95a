/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-splice-plan.c - frees plans, of all tactics
 */
#include "core/splice/gilk-splice.h"

#include "core/splice/gilk-splice-private.h"

void
gilk_splice_plan_free_patches (GilkSplicePlan *plan)
{
  for (guint i = 0; i < plan->n_patches; i++)
    gilk_patch_plan_clear (&plan->patches[i]);
  g_free (plan->patches);
}

void
gilk_splice_plan_free (GilkSplicePlan *plan)
{
  if (plan == NULL)
    return;

  gilk_splice_plan_free_patches (plan);
  gilk_rooms_free (plan->rooms);
  g_free (plan->done);
  gilk_liveness_free (plan->liveness);
  gilk_cfg_unref (plan->cfg);
  g_free (plan->wants);
  g_free (plan->choices);
  g_free (plan);
}

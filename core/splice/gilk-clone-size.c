/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-clone-size.c - computes size and cost of a clone
 *
 * Both are found by writing the clone, as in gilk-splice-size.c.
 */
#include "core/emit/gilk-clone-code.h"
#include "core/emit/gilk-reloc.h"
#include "core/splice/gilk-splice-size.h"

/* Writes the clone for a mock driver, with everything within range of the function. */
static void
write_trial (const GilkSplicePlan *plan, const GilkPatchPlan *patch, gboolean far, GilkAsm *as,
             guint *added)
{
  const struct ilk_info info = { .ring_bytes = 1 << 20, .gates = patch->site, .reschedule = far ? patch->site : 0, .preempt_bytes = 8 };
  GilkBinding *bindings = gilk_splice_trial_new (plan, far, patch->site);

  *as = (GilkAsm) {
    .base = patch->site & ~(uint64_t) (ILK_GRANULE - 1),
    .bound_only = far && gilk_splice_has_programs (plan), .only_near = far, .code = g_byte_array_new (),
    .orc = g_array_new (FALSE, TRUE, sizeof (struct ilk_orc)),
    .faults = g_array_new (FALSE, TRUE, sizeof (struct ilk_fault)),
  };
  gilk_clone_code (as, plan, patch, &info, bindings, NULL, added);
  gilk_splice_trial_free (bindings);
}

static void
clear_trial (GilkAsm *as)
{
  g_byte_array_unref (as->code);
  g_array_unref (as->orc);
  g_array_unref (as->faults);
}

guint
gilk_clone_bound_code (const GilkSplicePlan *plan, const GilkPatchPlan *patch)
{
  guint bytes, granules;
  GilkAsm as;

  write_trial (plan, patch, TRUE, &as, NULL);
  bytes = as.code->len + gilk_splice_widest_slack (&as);
  for (guint i = 0; i < plan->cfg->n_insns; i++)
    bytes += gilk_reloc_slack (plan->cfg, i);
  granules = (bytes + ILK_GRANULE - 1) / ILK_GRANULE;
  granules = MAX (granules, (as.orc->len + ILK_ORC_PER_GRANULE - 1) / ILK_ORC_PER_GRANULE);
  granules = MAX (granules,
                  (as.faults->len + ILK_FAULTS_PER_GRANULE - 1) / ILK_FAULTS_PER_GRANULE);
  clear_trial (&as);

  return granules * ILK_GRANULE;
}

void
gilk_clone_cost (const GilkSplicePlan *plan, const GilkPatchPlan *patch, guint *added)
{
  GilkAsm as;

  write_trial (plan, patch, FALSE, &as, added);
  clear_trial (&as);
}

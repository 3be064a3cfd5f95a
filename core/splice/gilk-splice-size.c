/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-splice-size.c - computes sizes and costs of patches and clones, by trial emission
 *
 * Both are found by writing the patch for a mock driver: the cost with counters within reach of
 * 32-bit displacements, the size with counters out of reach, so that the code fits whatever
 * addresses the driver assigns later.
 */
#include "core/splice/gilk-splice-size.h"

#include "core/emit/gilk-clone-code.h"
#include "core/emit/gilk-emit.h"
#include "core/emit/gilk-reloc.h"

#define FAR (G_GUINT64_CONSTANT (1) << 40)

/*
 * Allocates bindings (addresses for the emitted code) for all requested hooks, and after them the
 * arrays to which the bindings of programs refer, large enough for any of the programs.
 */
GilkBinding *
gilk_splice_trial_new (const GilkSplicePlan *plan,
                       gboolean              far,
                       uint64_t              fn)
{
  uint64_t offset = far ? FAR : 0;
  guint n_gates = 0;
  GilkBinding *bindings;
  uint64_t *areas;

  for (guint i = 0; i < plan->n_wants; i++)
    if (plan->wants[i].ops != NULL)
      n_gates = MAX (n_gates, plan->wants[i].ops->n_gates);
  bindings = g_malloc0 ((plan->n_wants + 1) * sizeof *bindings + GILK_OPS_AREAS * sizeof *areas +
                        n_gates * sizeof (uint32_t));
  areas = (uint64_t *) (bindings + plan->n_wants + 1);
  for (guint i = 0; i < GILK_OPS_AREAS; i++)
    areas[i] = FAR;
  for (guint i = 0; i < plan->n_wants; i++)
    bindings[i] = (GilkBinding) {
      .counter = offset, .lost = offset, .missed = offset, .fn = fn,
      .areas = areas, .gates = (const uint32_t *) (areas + GILK_OPS_AREAS),
    };

  return bindings;
}

void
gilk_splice_trial_free (GilkBinding *bindings)
{
  g_free (bindings);
}

gboolean
gilk_splice_has_programs (const GilkSplicePlan *plan)
{
  for (guint i = 0; i < plan->n_wants; i++)
    if (plan->wants[i].kind == GILK_INLINE_PROGRAM)
      return TRUE;

  return FALSE;
}

/*
 * Returns by how many bytes the code may exceed the code written with GilkAsm.bound_only. The
 * encoding of an instruction depends on which memory areas are within reach: it may need a prefix
 * byte and, without a base register, one more byte than bound_only assumes.
 */
guint
gilk_splice_widest_slack (const GilkAsm *as)
{
  return as->bound_only ? 2 * as->insns : 0;
}

/* Counts the bytes of padding that may be needed to keep a plain return within one half of a cache
 * line. */
guint
gilk_splice_exits_slack (const GilkSplicePlan *plan,
                         const GilkPatchPlan  *patch)
{
  int index = -1;
  guint slack = 0;

  for (guint i = 0; i < patch->n_hooks; i++)
    {
      const GilkOps *ops = plan->wants[patch->hooks[i]].ops;

      for (guint k = 0; ops != NULL && k < ops->ops->len; k++)
        {
          const GilkOp *op = &g_array_index (ops->ops, GilkOp, k);

          if (op->kind != GILK_OP_EXIT || op->imm != GILK_EXIT_RETURN)
            continue;
          index = index < 0 ? gilk_reloc_return (plan->cfg) : index;
          slack += index >= 0 ? gilk_reloc_slack (plan->cfg, (guint) index) : 0;
        }
    }

  return slack;
}

/* Writes the patch for a mock driver, with all code that it calls within range of the patch's site.
 * @far: counters are out of reach of 32-bit displacements */
static void
write_trial (const GilkSplicePlan *plan, const GilkPatchPlan *patch, gboolean far,
             GilkAsm *as, guint *added)
{
  /* Some hooks need one more instruction in a preemptible kernel. Sizes include it, costs do
   * not. */
  const struct ilk_info info = { .ring_bytes = 1 << 20, .gates = patch->site, .reschedule = far ? patch->site : 0, .preempt_bytes = 8 };
  GilkBinding *bindings = gilk_splice_trial_new (plan, far, patch->site);

  *as = (GilkAsm) {
    .base = patch->site & ~(uint64_t) (ILK_GRANULE - 1),
    .bound_only = far && gilk_splice_has_programs (plan), .code = g_byte_array_new (),
    .orc = g_array_new (FALSE, TRUE, sizeof (struct ilk_orc)),
    .faults = g_array_new (FALSE, TRUE, sizeof (struct ilk_fault)),
  };
  gilk_emit_patch (as, plan, patch, &info, bindings, added);
  if (gilk_emit_has_bare (patch))
    gilk_emit_bare (as, plan, patch);
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
gilk_splice_bound_code (const GilkSplicePlan *plan,
                        const GilkPatchPlan  *patch)
{
  guint bytes, for_orc, for_faults;
  GilkAsm as;

  write_trial (plan, patch, TRUE, &as, NULL);
  bytes = as.code->len + gilk_splice_widest_slack (&as) +
          gilk_reloc_slack (plan->cfg, patch->first_insn + patch->n_insns - 1) *
          (gilk_emit_has_bare (patch) ? 2 : 1) + gilk_splice_exits_slack (plan, patch);
  for_orc = as.orc->len * ILK_GRANULE / ILK_ORC_PER_GRANULE;
  for_faults = as.faults->len * ILK_GRANULE / ILK_FAULTS_PER_GRANULE;
  clear_trial (&as);

  return (MAX (MAX (bytes, for_orc), for_faults) + ILK_GRANULE - 1) & ~(guint) (ILK_GRANULE - 1);
}

static void
compute_cost (const GilkSplicePlan *plan, GilkPatchPlan *patch)
{
  g_autofree guint *added = g_new0 (guint, patch->n_hooks);
  GilkAsm as;

  write_trial (plan, patch, FALSE, &as, added);
  for (guint i = 0; i < patch->n_hooks; i++)
    {
      plan->choices[patch->hooks[i]].cost = added[i];
      patch->cost += added[i];
    }
  clear_trial (&as);
}

/* Sets the flags that describe the patch's hooks to the driver. */
static void
set_flags (const GilkSplicePlan *plan, GilkPatchPlan *patch)
{
  const guint of_hooks = ILK_PATCH_CHANGES | (patch->after_call ? 0 : ILK_PATCH_RETURNS);

  if (patch->tactic != ILK_TACTIC_CLONE)
    patch->flags &= ~of_hooks;
  patch->flags |= gilk_splice_hook_flags (plan, patch);
}

guint
gilk_splice_hook_flags (const GilkSplicePlan *plan,
                        const GilkPatchPlan  *patch)
{
  guint flags = 0;

  for (guint i = 0; i < patch->n_hooks; i++)
    {
      const GilkOps *ops = plan->wants[patch->hooks[i]].ops;

      if (ops != NULL && gilk_ops_changes (ops))
        flags |= ILK_PATCH_CHANGES | (gilk_ops_replaces (ops) ? ILK_PATCH_RETURNS : 0);
    }

  return flags;
}

void
gilk_splice_size_patch (const GilkSplicePlan *plan,
                        GilkPatchPlan        *patch)
{
  set_flags (plan, patch);
  patch->code_bound = gilk_splice_bound_code (plan, patch);
  patch->cost = 0;
  compute_cost (plan, patch);
}

/*
 * Computes size and cost of a clone.
 *
 * Both are found by writing the clone.
 */

/* Writes the clone for a mock driver, with everything within range of the function. */
static void
write_clone_trial (const GilkSplicePlan *plan, const GilkPatchPlan *patch, gboolean far, GilkAsm *as,
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
clear_clone_trial (GilkAsm *as)
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

  write_clone_trial (plan, patch, TRUE, &as, NULL);
  bytes = as.code->len + gilk_splice_widest_slack (&as);
  for (guint i = 0; i < plan->cfg->n_insns; i++)
    bytes += gilk_reloc_slack (plan->cfg, i);
  granules = (bytes + ILK_GRANULE - 1) / ILK_GRANULE;
  granules = MAX (granules, (as.orc->len + ILK_ORC_PER_GRANULE - 1) / ILK_ORC_PER_GRANULE);
  granules = MAX (granules,
                  (as.faults->len + ILK_FAULTS_PER_GRANULE - 1) / ILK_FAULTS_PER_GRANULE);
  clear_clone_trial (&as);

  return granules * ILK_GRANULE;
}

void
gilk_clone_cost (const GilkSplicePlan *plan, const GilkPatchPlan *patch, guint *added)
{
  GilkAsm as;

  write_clone_trial (plan, patch, FALSE, &as, added);
  clear_clone_trial (&as);
}

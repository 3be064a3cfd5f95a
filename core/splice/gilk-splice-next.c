/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-splice-next.c - plans hooks next to live ones
 *
 * The footprint of a live patch, the bytes that its jump overwrites, cannot move without a moment
 * at which its hooks are missed or run twice. So it stays, and if its hooks change, its whole patch
 * is replaced. If a patch ends, its bytes become free only after it is disarmed, which happens
 * after planning. All live patches are put into the plan first, and new patches avoid their bytes.
 *
 * If the jump of a bounce is in a splice's footprint, neither of the two patches can be replaced:
 * each stays with exactly the hooks it has, or ends.
 *
 * While a function is cloned all of its hooks are in the clone, so a clone can be replaced only by
 * another clone.
 */
#include "core/splice/gilk-splice-private.h"
#include "core/splice/gilk-splice-size.h"

#include <string.h>

#include "core/base/gilk-refusal.h"
#include "core/emit/gilk-emit.h"
#include "core/splice/gilk-clone.h"

gboolean
gilk_splice_is_free (const GilkSplicePlan *plan, const GilkFootprint *footprint)
{
  for (guint i = 0; i < plan->n_live; i++)
    {
      const GilkPatchPlan *live = &plan->patches[i];

      if (gilk_footprint_covers (plan->cfg, footprint, live->site, live->len) ||
          (live->bounce != 0 &&
           gilk_footprint_covers (plan->cfg, footprint, live->bounce, ILK_BOUNCE_BYTES)))
        return FALSE;
    }

  return TRUE;
}

gboolean
gilk_splice_is_cloned (const GilkSplicePlan *live)
{
  for (guint i = 0; i < live->n_patches; i++)
    if (live->patches[i].tactic == ILK_TACTIC_CLONE && live->patches[i].next != GILK_PATCH_ENDS)
      return TRUE;

  return FALSE;
}

/* ---- chooses the hooks of a live patch ---- */

/*
 * Returns whether the hook's point is within the patch, and every execution of the point runs the
 * patch's code there.
 */
static gboolean
can_join (const GilkSplicePlan *plan, const GilkPatchPlan *patch, const GilkWant *want)
{
  const GilkBlock *b = &plan->cfg->blocks[want->block];
  guint end = patch->first_insn + patch->n_insns, boundary;
  const GilkInsn *last = &plan->cfg->insns[end - 1];

  if (want->force != 0 && want->force != patch->tactic)
    return FALSE;
  if (patch->first_insn < b->first_insn || end > b->first_insn + b->n_insns)
    return FALSE;

  boundary = gilk_point_boundary (plan->cfg, want->block, want->where);
  if (boundary >= patch->first_insn && boundary < end)
    return TRUE;

  return boundary == end && want->where == GILK_WHERE_POST &&
         (last->branch == GILK_BRANCH_NONE || patch->after_call);
}

static void
add_hook (GilkPatchPlan *patch, guint want)
{
  patch->hooks = g_renew (guint, patch->hooks, patch->n_hooks + 1);
  patch->hooks[patch->n_hooks++] = want;
}

static gboolean
is_inside (const GilkPatchPlan *guest, const GilkPatchPlan *host)
{
  return guest->bounce >= host->site && guest->bounce < host->site + host->len;
}

/* Returns whether the patch and another patch depend on each other: one is a bounce, and its 5-byte
 * jump is in the footprint of the other. */
static gboolean
is_tied (const GilkSplicePlan *live, const GilkPatchPlan *patch)
{
  for (guint i = 0; i < live->n_patches; i++)
    if (is_inside (patch, &live->patches[i]) || is_inside (&live->patches[i], patch))
      return TRUE;

  return FALSE;
}

/* Adds to @patch those hooks of the live patch @live that stay, in the same order, and then new
 * hooks that can share the patch. */
static void
take_hooks (GilkSplicePlan *plan, GilkPatchPlan *patch, const GilkPatchPlan *live,
            const guint *was, gboolean may_join)
{
  for (guint h = 0; h < live->n_hooks; h++)
    for (guint i = 0; i < plan->n_wants; i++)
      if (was[i] == live->hooks[h])
        add_hook (patch, i);
  for (guint i = 0; may_join && i < plan->n_wants; i++)
    if (was[i] == G_MAXUINT && plan->choices[i].tactic == 0 &&
        gilk_splice_check (plan, &plan->wants[i]) == 0 &&
        can_join (plan, patch, &plan->wants[i]))
      add_hook (patch, i);
}

/* Returns whether the live patch @before ends, stays, or is replaced by @patch: this depends on
 * whether both have the same hooks. */
static GilkPatchNext
compare_hooks (const GilkSplicePlan *plan, const GilkPatchPlan *patch, const GilkSplicePlan *live,
               const GilkPatchPlan *before, const guint *was)
{
  if (patch->n_hooks == 0)
    return GILK_PATCH_ENDS;
  if (patch->n_hooks != before->n_hooks)
    return GILK_PATCH_FOLLOWS;

  for (guint i = 0; i < patch->n_hooks; i++)
    if (was[patch->hooks[i]] != before->hooks[i] ||
        plan->wants[patch->hooks[i]].gated != live->wants[before->hooks[i]].gated)
      return GILK_PATCH_FOLLOWS;

  return GILK_PATCH_STAYS;
}

static void
seed_patch (GilkSplicePlan *plan, guint index, const GilkSplicePlan *live, guint live_index,
            const guint *was)
{
  GilkPatchPlan *patch = &plan->patches[index];
  const GilkPatchPlan *before = &live->patches[live_index];
  gboolean tied = is_tied (live, before);

  *patch = *before;
  patch->hooks = patch->order = NULL;
  patch->n_hooks = 0;
  patch->live = live_index;
  take_hooks (plan, patch, before, was, !tied);
  patch->next = compare_hooks (plan, patch, live, before, was);
  if (patch->n_hooks == 0)
    return;

  for (guint i = 0; i < patch->n_hooks; i++)
    plan->choices[patch->hooks[i]] = (GilkChoice) { .patch = index, .tactic = patch->tactic };
  gilk_splice_size_patch (plan, patch);
  for (guint i = 0; tied && patch->next == GILK_PATCH_FOLLOWS && i < patch->n_hooks; i++)
    plan->choices[patch->hooks[i]] = (GilkChoice) {
      .patch = G_MAXUINT, .refusal = GILK_REFUSAL_LIVE_BYTES,
    };
}

/* Keeps live splices without hooks if the 5-byte jump of a bounce is among their bytes. */
static void
keep_rooms (GilkSplicePlan *plan, const GilkSplicePlan *live)
{
  for (guint i = 0; i < plan->n_patches; i++)
    for (guint k = 0; k < plan->n_patches; k++)
      if (live->patches[plan->patches[i].live].n_hooks == 0 &&
          plan->patches[k].next != GILK_PATCH_ENDS &&
          is_inside (&plan->patches[k], &plan->patches[i]))
        plan->patches[i].next = GILK_PATCH_STAYS;
}

void
gilk_splice_seed (GilkSplicePlan *plan, const GilkSplicePlan *live, const guint *was)
{
  plan->patches = g_new0 (GilkPatchPlan, live->n_patches + 1);
  for (guint i = 0; i < live->n_patches; i++)
    if (live->patches[i].next != GILK_PATCH_ENDS)
      seed_patch (plan, plan->n_patches++, live, i, was);
  plan->n_live = plan->n_patches;
  keep_rooms (plan, live);
}

/* ---- clones ---- */

static void
refuse_all (GilkSplicePlan *plan)
{
  for (guint i = 0; i < plan->n_wants; i++)
    if (plan->choices[i].refusal == 0)
      plan->choices[i] = (GilkChoice) {
        .patch = G_MAXUINT, .refusal = GILK_REFUSAL_LIVE_BYTES,
      };
}

/* Returns the index of the live clone. All other patches of a cloned function have ended. */
static guint
find_clone (const GilkSplicePlan *live)
{
  guint i = 0;

  while (live->patches[i].tactic != ILK_TACTIC_CLONE || live->patches[i].next == GILK_PATCH_ENDS)
    i++;

  return i;
}

static gboolean
is_followed (const GilkSplicePlan *plan, const GilkPatchPlan *before)
{
  return plan->n_patches == 1 && plan->patches[0].tactic == ILK_TACTIC_CLONE &&
         before->len > 0 && plan->patches[0].site == before->site &&
         plan->patches[0].len == before->len;
}

void
gilk_splice_clone_again (GilkSplicePlan *plan, const GilkSplicePlan *live, const guint *was)
{
  guint index = find_clone (live);
  const GilkPatchPlan *before = &live->patches[index];

  for (guint i = 0; i < plan->n_wants; i++)
    if (plan->wants[i].force == 0)
      plan->wants[i].force = ILK_TACTIC_CLONE;
  gilk_clone_plan (plan, TRUE);
  if (!is_followed (plan, before))
    {
      refuse_all (plan);
      for (guint i = 0; i < plan->n_patches; i++)
        gilk_patch_plan_clear (&plan->patches[i]);
      plan->patches = g_renew (GilkPatchPlan, plan->patches, 1);
      plan->patches[0] = *before;
      plan->patches[0].hooks = plan->patches[0].order = NULL;
      plan->patches[0].n_hooks = 0;
      plan->n_patches = 1;
    }

  plan->patches[0].live = index;
  plan->patches[0].next = compare_hooks (plan, &plan->patches[0], live, before, was);
  plan->n_live = 1;
}

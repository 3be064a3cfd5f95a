/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-clone.c - checks which functions can be cloned, and plans clones
 *
 * No thread enters the original function while a clone, an instrumented copy of it, is armed. So
 * either all hooks of the function are in the clone or none is. A hook that the user has forced
 * into the original prevents a clone.
 *
 * Counts are exact only if the function is entered only at its start, and a clone can be freed
 * only if every thread leaves it eventually. Both are checked here.
 */
#include "core/splice/gilk-clone.h"

#include <string.h>

#include "core/base/gilk-refusal.h"
#include "core/emit/gilk-clone-code.h"
#include "core/emit/gilk-reloc.h"
#include "core/splice/gilk-footprint.h"
#include "core/splice/gilk-splice-size.h"

/* ---- checks ---- */

static gboolean
leaves_function (const GilkBlock *b)
{
  switch ((GilkBlockEnd) b->ending)
    {
    case GILK_END_RETURN:
    case GILK_END_TAIL_CALL:
    case GILK_END_INDIRECT:
      return TRUE;
    case GILK_END_JCC:
      return b->n_out < 2 || b->flags & GILK_BLOCK_LEAVES;
    default:
      return (b->flags & GILK_BLOCK_LEAVES) != 0;
    }
}

static guint
check_insn (const GilkCfg *cfg, const GilkInsn *insn)
{
  int inside;

  if (!gilk_orc_usable (cfg->image, insn->addr))
    return GILK_REFUSAL_STACK_UNKNOWN;
  if (gilk_reloc_lost_lock (cfg, (guint) (insn - cfg->insns)))
    return ILK_REFUSAL_SMP_LOCK;

  switch ((GilkBranch) insn->branch)
    {
    case GILK_BRANCH_UD:
    case GILK_BRANCH_INT3:
      return 0;
    case GILK_BRANCH_CALL:
      /* A call to an address within the function may be there to read the return address. */
      inside = gilk_cfg_block_around (cfg, insn->target);
      return inside >= 0 && insn->target != cfg->function->hot.start
             ? GILK_REFUSAL_NOT_RELOCATABLE : 0;
    case GILK_BRANCH_NONE:
      if (insn->rel_offset >= 0)
        return GILK_REFUSAL_NOT_RELOCATABLE;
      break;
    default:
      break;
    }

  return insn->flags & GILK_INSN_PINNED ? GILK_REFUSAL_NOT_RELOCATABLE : 0;
}

/*
 * Returns whether the bytes are an instruction that the kernel writes at the site of a static call
 * (arch/x86/kernel/static_call.c).
 */
static gboolean
is_static_call_code (const GilkCfg *cfg, const GilkInsn *insn)
{
  const uint8_t *bytes = gilk_cfg_bytes (cfg, insn);

  switch (bytes[0])
    {
    case 0xe8:
    case 0xe9:
    case 0xc3:
      return TRUE;
    case 0x0f:
      return bytes[1] == 0x1f || (bytes[1] & 0xf0) == 0x80;
    case 0x2e:
      return insn->len == 5 && bytes[3] == 0x31 && bytes[4] == 0xc0;
    default:
      return FALSE;
    }
}

static guint
check_block (const GilkCfg *cfg, const GilkBlock *b)
{
  guint count = 0, refusal = 0;
  const GilkSite *sites = gilk_image_sites (cfg->image, b->start, b->end, &count);

  if (b->flags & GILK_BLOCK_INBOUND)
    return GILK_REFUSAL_CLONE_INBOUND;
  for (guint i = b->first_insn; i < b->first_insn + b->n_insns && refusal == 0; i++)
    {
      refusal = check_insn (cfg, &cfg->insns[i]);
      for (guint s = 0; s < count && refusal == 0; s++)
        if (sites[s].kind == GILK_SITE_STATIC_CALL && sites[s].addr == cfg->insns[i].addr &&
            (!is_static_call_code (cfg, &cfg->insns[i]) ||
             gilk_clone_trampoline (cfg, &sites[s]) == 0))
          refusal = GILK_REFUSAL_CLONE_STATIC_CALL;
    }

  return refusal;
}

/* Functions that the driver refuses to clone, but that gilk_reloc_never_left() does not list. The
 * driver's own list in ilk/ilk-denied.c is authoritative. */
static const struct {
  const char *name;
  GilkRefusal refusal;
} never_cloned[] = {
  { "schedule", GILK_REFUSAL_CLONE_SWITCHES },
  { "preempt_schedule_common", GILK_REFUSAL_CLONE_SWITCHES },
  { "kthread_exit", GILK_REFUSAL_CLONE_SWITCHES },
  { "kthread_do_exit", GILK_REFUSAL_CLONE_SWITCHES },
  { "cpuhp_report_idle_dead", GILK_REFUSAL_CLONE_SWITCHES },
  { "arch_cpu_idle_dead", GILK_REFUSAL_CLONE_SWITCHES },
  { "idle_task_exit", GILK_REFUSAL_CLONE_SWITCHES },
  { "play_dead_common", GILK_REFUSAL_CLONE_SWITCHES },
  { "native_play_dead", GILK_REFUSAL_CLONE_SWITCHES },
  { "hlt_play_dead", GILK_REFUSAL_CLONE_SWITCHES },
  { "mwait_play_dead", GILK_REFUSAL_CLONE_SWITCHES },
  { "acpi_idle_play_dead", GILK_REFUSAL_CLONE_SWITCHES },
  { "cpuidle_play_dead", GILK_REFUSAL_CLONE_SWITCHES },
  { "smp_kick_mwait_play_dead", GILK_REFUSAL_CLONE_SWITCHES },
  { "sev_es_play_dead", GILK_REFUSAL_CLONE_SWITCHES },
  { "acpi_mp_play_dead", GILK_REFUSAL_CLONE_SWITCHES },
  { "xen_pv_play_dead", GILK_REFUSAL_CLONE_SWITCHES },
  { "acpi_processor_ffh_play_dead", GILK_REFUSAL_CLONE_SWITCHES },
  { "intel_idle_enter_dead", GILK_REFUSAL_CLONE_SWITCHES },
  { "kprobe_optimizer_thread", GILK_REFUSAL_CLONE_NEVER_RETURNS },
  { "kthread", GILK_REFUSAL_CLONE_NEVER_RETURNS },
  { "kthreadd", GILK_REFUSAL_CLONE_NEVER_RETURNS },
  { "kthread_worker_fn", GILK_REFUSAL_CLONE_NEVER_RETURNS },
  { "worker_thread", GILK_REFUSAL_CLONE_NEVER_RETURNS },
  { "rescuer_thread", GILK_REFUSAL_CLONE_NEVER_RETURNS },
  { "smpboot_thread_fn", GILK_REFUSAL_CLONE_NEVER_RETURNS },
  { "irq_thread", GILK_REFUSAL_CLONE_NEVER_RETURNS },
  { "rcu_gp_kthread", GILK_REFUSAL_CLONE_NEVER_RETURNS },
  { "rcu_tasks_kthread", GILK_REFUSAL_CLONE_NEVER_RETURNS },
  { "kswapd", GILK_REFUSAL_CLONE_NEVER_RETURNS },
  { "kcompactd", GILK_REFUSAL_CLONE_NEVER_RETURNS },
  { "khugepaged", GILK_REFUSAL_CLONE_NEVER_RETURNS },
};

static guint
find_name_refusal (const char *name)
{
  gsize length = name != NULL ? strcspn (name, ".") : 0;

  for (gsize i = 0; i < G_N_ELEMENTS (never_cloned); i++)
    if (length == strlen (never_cloned[i].name) &&
        strncmp (name, never_cloned[i].name, length) == 0)
      return never_cloned[i].refusal;

  return gilk_reloc_never_left (name) ? GILK_REFUSAL_CLONE_SWITCHES : 0;
}

guint
gilk_clone_check (const GilkCfg *cfg,
                  gboolean       inner)
{
  g_autofree gboolean *reached = NULL;
  guint refusal = cfg->refusal != 0 ? cfg->refusal : cfg->function->refusal;
  gboolean ends = FALSE;
  GilkFootprint footprint;

  if (refusal == 0)
    refusal = find_name_refusal (cfg->function->name);
  if (refusal != 0)
    return refusal;

  reached = gilk_cfg_reached (cfg);
  for (guint i = 0; i < cfg->n_blocks && refusal == 0; i++)
    {
      if (cfg->blocks[i].flags & GILK_BLOCK_INBOUND)
        refusal = GILK_REFUSAL_CLONE_INBOUND;
      else if (reached[i])
        refusal = check_block (cfg, &cfg->blocks[i]);
      ends |= reached[i] && leaves_function (&cfg->blocks[i]);
    }
  if (refusal == 0 && !ends)
    refusal = GILK_REFUSAL_CLONE_NEVER_RETURNS;
  if (refusal == 0 && !inner && !gilk_clone_entry (cfg, &footprint))
    refusal = GILK_REFUSAL_CLONE_ENTRY;

  return refusal;
}

/* ---- finds the instructions that the jump at the entry replaces ---- */

/* Returns whether the kernel itself patches the instruction's bytes, or looks up their address in a
 * table. */
static gboolean
is_claimed (const GilkCfg *cfg, const GilkInsn *insn)
{
  guint count = 0;

  gilk_image_sites (cfg->image, insn->addr, insn->addr + insn->len, &count);

  return count > 0;
}

/* Returns the block that @block falls through to, if no other block leads there; else -1. */
static int
find_sole_fallthrough (const GilkCfg *cfg, guint block)
{
  const GilkBlock *b = &cfg->blocks[block];
  int next = gilk_cfg_block_at (cfg, b->end);

  if (next < 0 || cfg->blocks[next].n_in != 1 || cfg->blocks[next].flags & GILK_BLOCK_INBOUND)
    return -1;
  for (guint i = b->first_out; i < b->first_out + b->n_out; i++)
    if (cfg->edges[i].to == (guint) next && (cfg->edges[i].kind == GILK_EDGE_FALL ||
                                             cfg->edges[i].kind == GILK_EDGE_NOT_TAKEN))
      return next;

  return -1;
}

/* Adds instructions of @block to the footprint, the bytes that the jump to the clone overwrites,
 * until the jump fits or the block ends. Returns FALSE if an instruction cannot be moved. */
static gboolean
add_insns (const GilkCfg *cfg, guint block, GilkFootprint *footprint)
{
  const GilkBlock *b = &cfg->blocks[block];

  for (guint i = footprint->first + footprint->n; i < b->first_insn + b->n_insns; i++)
    {
      const GilkInsn *insn = &cfg->insns[i];
      gboolean calls = insn->branch == GILK_BRANCH_CALL ||
                       insn->branch == GILK_BRANCH_CALL_INDIRECT;

      if (is_claimed (cfg, insn))
        return FALSE;
      footprint->n++;
      if (gilk_footprint_bytes (cfg, footprint) >= GILK_JUMP_BYTES)
        return gilk_footprint_bytes (cfg, footprint) <= ILK_FOOTPRINT_MAX;
      /* A footprint cannot extend beyond a call: a callee that sleeps would return into the middle
       * of the new jump. */
      if (calls)
        return FALSE;
    }

  return TRUE;
}

gboolean
gilk_clone_entry (const GilkCfg *cfg,
                  GilkFootprint    *footprint)
{
  const GilkBlock *b = &cfg->blocks[cfg->entry];
  guint first = gilk_point_first (cfg, cfg->entry);
  /* If a loop starts just after the ftrace site, the entry block ends there, and no instruction in
   * it can be moved. */
  gboolean bare = first == b->first_insn + b->n_insns;
  int block = bare ? gilk_cfg_block_at (cfg, b->end) : (int) cfg->entry, last = -1;

  *footprint = (GilkFootprint) { .first = first, .tactic = ILK_TACTIC_CLONE };
  for (; block >= 0; block = find_sole_fallthrough (cfg, (guint) block))
    {
      if (!add_insns (cfg, (guint) block, footprint))
        return FALSE;
      if (gilk_footprint_bytes (cfg, footprint) >= GILK_JUMP_BYTES)
        return TRUE;
      last = block;
    }

  return last >= 0 && gilk_footprint_fill (cfg, (guint) last, footprint);
}

/* ---- the plan ---- */

/* Returns FALSE if hook @want was refused for a reason that would prevent it in a clone, too. */
static gboolean
is_open (const GilkSplicePlan *plan, guint want)
{
  switch (plan->choices[want].refusal)
    {
    case GILK_REFUSAL_UNREACHED:
    case GILK_REFUSAL_UACCESS:
    case GILK_REFUSAL_STACK_UNKNOWN:
    case ILK_REFUSAL_UNSUPPORTED:
      return FALSE;
    default:
      return TRUE;
    }
}

/*
 * Drafts a clone with all hooks that it can contain, and computes the cost of each hook. Returns
 * FALSE if the clone would be too large.
 */
static gboolean
draft_clone (const GilkSplicePlan *plan, gboolean inner, GilkPatchPlan *patch, guint **added)
{
  g_autofree gboolean *reached = gilk_cfg_reached (plan->cfg);
  GilkFootprint footprint = { .first = gilk_point_first (plan->cfg, plan->cfg->entry) };

  if (!inner)
    gilk_clone_entry (plan->cfg, &footprint);
  *patch = (GilkPatchPlan) {
    .site = plan->cfg->insns[footprint.first].addr,
    .len = inner ? 0 : gilk_footprint_bytes (plan->cfg, &footprint),
    .tactic = ILK_TACTIC_CLONE,
    .first_insn = footprint.first,
    .n_insns = footprint.n,
    .hooks = g_new0 (guint, plan->n_wants + 1),
    .flags = ILK_PATCH_RETURNS | (inner ? ILK_PATCH_INNER : 0),
  };
  for (guint where = GILK_WHERE_PRE; where <= GILK_WHERE_POST; where++)
    for (guint i = 0; i < plan->n_wants; i++)
      if (plan->wants[i].where == where && is_open (plan, i) && reached[plan->wants[i].block])
        patch->hooks[patch->n_hooks++] = i;
  patch->flags |= gilk_splice_hook_flags (plan, patch);

  *added = g_new0 (guint, patch->n_hooks + 1);
  patch->order = gilk_clone_stress_order (plan->cfg);
  patch->code_bound = gilk_clone_bound_code (plan, patch);
  if (patch->code_bound > ILK_SLOT_MAX)
    return FALSE;
  if (!inner)
    gilk_footprint_copy (plan->cfg, &footprint, patch->old);
  gilk_clone_cost (plan, patch, *added);
  if (!inner && patch->n_hooks > 0)
    (*added)[0] += GILK_SPLICE_COST;
  for (guint i = 0; i < patch->n_hooks; i++)
    patch->cost += (*added)[i];

  return TRUE;
}

/* Returns the refusal because of which @want is not a splice; 0 if no splice was tried, because a
 * clone was requested. */
static guint
get_splice_refusal (const GilkSplicePlan *plan, guint want)
{
  const GilkChoice *choice = &plan->choices[want];

  if (plan->wants[want].force == ILK_TACTIC_CLONE)
    return 0;

  return choice->refusal != 0 ? choice->refusal : choice->why_not_splice;
}

/* Replaces all patches of the plan by the clone @patch. */
static void
adopt_clone (GilkSplicePlan *plan, const GilkPatchPlan *patch, const guint *added)
{
  for (guint i = 0; i < plan->n_patches; i++)
    gilk_patch_plan_clear (&plan->patches[i]);
  plan->patches = g_renew (GilkPatchPlan, plan->patches, 1);
  plan->patches[0] = *patch;
  plan->n_patches = 1;

  for (guint i = 0; i < patch->n_hooks; i++)
    plan->choices[patch->hooks[i]] = (GilkChoice) {
      .tactic = ILK_TACTIC_CLONE,
      .cost = added[i],
      .why_not_splice = get_splice_refusal (plan, patch->hooks[i]),
    };
  for (guint i = 0; i < plan->n_wants; i++)
    if (is_open (plan, i) && plan->choices[i].tactic != ILK_TACTIC_CLONE)
      plan->choices[i] = (GilkChoice) { .patch = G_MAXUINT, .refusal = GILK_REFUSAL_UNREACHED };
}

static void
refuse_forced (GilkSplicePlan *plan, guint refusal)
{
  for (guint i = 0; i < plan->n_wants; i++)
    if (plan->wants[i].force == ILK_TACTIC_CLONE && is_open (plan, i))
      plan->choices[i] = (GilkChoice) { .patch = G_MAXUINT, .refusal = refusal };
}

/* Returns whether, without a clone, some hook would be a trap or would be refused. */
static gboolean
is_clone_needed (const GilkSplicePlan *plan)
{
  for (guint i = 0; i < plan->n_wants; i++)
    if (is_open (plan, i) && (plan->choices[i].refusal != 0 ||
                              plan->choices[i].tactic == ILK_TACTIC_TRAP))
      return TRUE;

  return FALSE;
}

/*
 * Returns whether the function is the main loop of kernel threads. Such threads are in the function
 * when a clone is armed and never enter it again, so hooks in the clone would never run.
 */
static gboolean
is_kthread_main (const GilkCfg *cfg)
{
  static const char *const asked[] = {
    "kthread_should_stop", "kthread_should_park", "kthread_freezable_should_stop",
    "kthread_parkme", "kthread_exit", "kthread_do_exit", "set_pf_worker",
  };
  GilkSymbols *symbols = gilk_image_symbols (cfg->image);

  for (guint a = 0; symbols != NULL && a < G_N_ELEMENTS (asked); a++)
    {
      uint64_t addr = gilk_symbols_address (symbols, asked[a]);

      for (guint i = 0; addr != 0 && i < cfg->n_insns; i++)
        if (cfg->insns[i].target == addr && cfg->insns[i].branch == GILK_BRANCH_CALL)
          return TRUE;
    }

  return FALSE;
}

/* Returns whether most blocks are hooked. Then most calls run hooks, so that the jump to a clone is
 * worth its cost. */
static gboolean
is_dense (const GilkSplicePlan *plan)
{
  g_autofree gboolean *hooked = g_new0 (gboolean, plan->cfg->n_blocks + 1);
  guint blocks = 0;

  for (guint i = 0; i < plan->n_wants; i++)
    if (is_open (plan, i))
      {
        blocks += !hooked[plan->wants[i].block];
        hooked[plan->wants[i].block] = TRUE;
      }

  return blocks > 1 && 2 * blocks > plan->cfg->n_blocks;
}

static guint
sum_patch_costs (const GilkSplicePlan *plan)
{
  guint cost = 0;

  for (guint i = 0; i < plan->n_patches; i++)
    cost += plan->patches[i].cost;

  return cost;
}

/* Returns whether a clone would run the hook's program at another place, where registers that the
 * program reads may have other values. */
static gboolean
must_not_move (const GilkSplicePlan *plan, guint want)
{
  return plan->wants[want].kind == GILK_INLINE_PROGRAM && gilk_clone_moves (plan->cfg, &plan->wants[want]);
}

void
gilk_clone_plan (GilkSplicePlan *plan,
                 gboolean        may_choose)
{
  gboolean asked = FALSE, mixed = FALSE, inner = FALSE, needed, fits;
  g_autofree guint *added = NULL;
  GilkPatchPlan patch;
  guint refusal;

  for (guint i = 0; i < plan->n_wants; i++)
    {
      gboolean forced = plan->wants[i].force == ILK_TACTIC_CLONE;

      if (!is_open (plan, i))
        continue;
      asked |= forced;
      inner |= forced && plan->wants[i].inner;
      mixed |= (plan->wants[i].force != 0 && !forced) || must_not_move (plan, i);
    }
  needed = is_clone_needed (plan);
  if (!asked && (!may_choose || mixed || !(needed || is_dense (plan)) ||
                 is_kthread_main (plan->cfg)))
    return;

  refusal = mixed ? GILK_REFUSAL_CLONE_MIXED : gilk_clone_check (plan->cfg, inner);
  if (refusal != 0)
    {
      if (asked)
        refuse_forced (plan, refusal);
      return;
    }

  fits = draft_clone (plan, inner, &patch, &added);
  if (fits && patch.n_hooks > 0 &&
      (asked || needed || patch.cost < sum_patch_costs (plan)))
    {
      adopt_clone (plan, &patch, added);
      return;
    }
  gilk_patch_plan_clear (&patch);
  if (asked && !fits)
    refuse_forced (plan, GILK_REFUSAL_CLONE_TOO_LARGE);
}

guint
gilk_clone_plan_bare (GilkSplicePlan *plan,
                      gboolean        inner)
{
  guint refusal = gilk_clone_check (plan->cfg, inner);
  g_autofree guint *added = NULL;
  GilkPatchPlan patch;

  g_assert (plan->n_wants == 0 && plan->n_patches == 0);
  if (refusal != 0)
    return refusal;
  if (!draft_clone (plan, inner, &patch, &added))
    {
      gilk_patch_plan_clear (&patch);
      return GILK_REFUSAL_CLONE_TOO_LARGE;
    }
  adopt_clone (plan, &patch, added);

  return 0;
}

void
gilk_clone_preview (GilkCfg            *cfg,
                    const GilkLiveness *liveness,
                    const GilkWant     *want,
                    GilkChoice         *choice)
{
  GilkWant copy = *want;
  GilkSplicePlan plan = {
    .cfg = cfg,
    .liveness = (GilkLiveness *) liveness,
    .wants = &copy,
    .n_wants = 1,
    .choices = choice,
  };

  gilk_clone_plan (&plan, TRUE);
  for (guint i = 0; i < plan.n_patches; i++)
    gilk_patch_plan_clear (&plan.patches[i]);
  g_free (plan.patches);
}

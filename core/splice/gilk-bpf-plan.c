/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-bpf-plan.c - plans hooks that are BPF programs, at kprobes, uprobes, tracepoints, timers and
 * watchpoints
 */
#include "core/splice/gilk-splice.h"

#include <string.h>

#include "core/base/gilk-refusal.h"
#include "agent/gilk-wire.h"
#include "core/cfg/gilk-cfg.h"
#include "core/emit/gilk-bpf-code.h"
#include "core/emit/gilk-bpf-hook.h"
#include "core/emit/gilk-emit.h"
#include "core/emit/gilk-orc.h"
#include "core/image/gilk-elf.h"
#include "core/image/gilk-image-user.h"

enum { FENTRY_BYTES = 5, FENTRY_REACH = 4 + FENTRY_BYTES };   /* size of a call of ftrace in bytes,
                                                               * and the same with an ENDBR in front
                                                               * of the call */

/* ---- points ---- */

static gboolean
is_function_start (const GilkCfg *cfg, guint insn)
{
  return insn < cfg->n_insns && cfg->insns[insn].addr == cfg->function->hot.start;
}

/* Returns whether control falls through from the block to the next block, and the block is the only
 * predecessor of the next one. Returns FALSE if an indirect jump with unknown targets might lead to
 * the next block. */
static gboolean
runs_on_alone (const GilkCfg *cfg, guint block)
{
  const GilkBlock *b = &cfg->blocks[block];
  const GilkBlock *next = block + 1 < cfg->n_blocks ? b + 1 : NULL;

  return cfg->refusal != GILK_REFUSAL_INDIRECT_JUMP && next != NULL && next->start == b->end && next->n_in == 1 && (next->flags & GILK_BLOCK_INBOUND) == 0;
}

/* Sets @insn to the instruction in front of which the hook runs. Returns a refusal if there is no
 * such instruction. */
static guint
find_insn (const GilkCfg *cfg, const GilkWant *want, guint *insn)
{
  const GilkBlock *b = &cfg->blocks[want->block];

  *insn = want->at != 0 ? want->at - 1 : gilk_point_boundary (cfg, want->block, want->where);
  if (*insn < b->first_insn + b->n_insns)
    return GILK_REFUSAL_NONE;

  return want->where == GILK_WHERE_POST && runs_on_alone (cfg, want->block) ? GILK_REFUSAL_NONE : GILK_REFUSAL_RUNS_ON;
}

/*
 * Returns the function's refusal if it is not certain that an instruction starts at instruction
 * @insn of the graph; 0 if it is certain. An instruction certainly starts at the function's symbol.
 * Elsewhere this is certain if all decoded code is consistent; an indirect jump with unknown
 * targets does not change that.
 */
static guint
check_place (const GilkCfg *cfg, guint insn)
{
  if (is_function_start (cfg, insn) || cfg->refusal == 0 || cfg->refusal == GILK_REFUSAL_INDIRECT_JUMP)
    return GILK_REFUSAL_NONE;

  return cfg->refusal;
}

/* Returns a refusal if the function's returns cannot be hooked: the kernel hooks returns by
 * replacing the return address on the stack at the function's entry. */
static guint
check_returns (const GilkCfg *cfg)
{
  switch (gilk_image_user_runtime (cfg->image))
    {
    case GILK_ELF_GO:
      return GILK_REFUSAL_USER_GO;
    case GILK_ELF_UNWINDS:
      return GILK_REFUSAL_USER_UNWINDS;
    case GILK_ELF_RETURNS:
    default:
      return GILK_REFUSAL_NONE;
    }
}

gboolean
gilk_bpf_plan_is (const GilkCfg *cfg)
{
  GilkTarget *target = gilk_image_target (cfg->image);

  if (gilk_image_user_path (cfg->image) != NULL)
    return TRUE;

  return target != NULL && gilk_target_way (target) == GILK_WAY_BPF;
}

gboolean
gilk_bpf_plan_ignores (guint refusal)
{
  return refusal == GILK_REFUSAL_OWN_PATH || refusal == GILK_REFUSAL_INDIRECT_JUMP;
}

/* Returns a refusal if the kernel cannot have a kprobe at the instruction. Functions that only the
 * driver must not hook can have kprobes. Areas of code that the kernel keeps free of probes cannot,
 * not even at the start of a function. */
static guint
check_kernel_place (const GilkCfg *cfg, guint insn)
{
  if (gilk_bpf_plan_ignores (cfg->refusal))
    return GILK_REFUSAL_NONE;
  if (gilk_refusal_is_area (cfg->refusal))
    return cfg->refusal;

  return check_place (cfg, insn);
}

/* Returns whether ftrace can trace the function. In other functions the kernel refuses kprobes that
 * run programs (within_notrace_func() in kernel/trace/trace_kprobe.c). */
static gboolean
is_traceable (const GilkCfg *cfg)
{
  guint n;
  const GilkSite *sites = gilk_image_sites (cfg->image, cfg->function->hot.start, cfg->function->hot.end, &n);

  for (guint i = 0; i < n; i++)
    if (sites[i].kind == GILK_SITE_FENTRY)
      return TRUE;

  return FALSE;
}

/* Returns a refusal if the kernel itself patches the instruction or looks it up by its address: the
 * kernel refuses kprobes there (check_kprobe_address_safe() in kernel/kprobes.c). */
static guint
check_kernel_insn (const GilkCfg *cfg, uint64_t addr)
{
  guint n;
  const GilkSite *sites = gilk_image_sites (cfg->image, addr, addr + 1, &n);

  for (guint i = 0; i < n; i++)
    switch (sites[i].kind)
      {
      case GILK_SITE_JUMP_LABEL:  return ILK_REFUSAL_JUMP_LABEL;
      case GILK_SITE_STATIC_CALL: return ILK_REFUSAL_STATIC_CALL;
      case GILK_SITE_BUG:
      case GILK_SITE_WARN:        return ILK_REFUSAL_BUG;
      case GILK_SITE_EXTABLE:
      case GILK_SITE_FENTRY:
      default:                    break;
      }

  return GILK_REFUSAL_NONE;
}

static uint64_t
get_site (const GilkCfg *cfg, guint block, guint insn)
{
  return insn < cfg->n_insns ? cfg->insns[insn].addr : cfg->blocks[block].end;
}

/*
 * Returns whether stack traces taken at a kprobe are right. The kernel unwinds the stack with the
 * address one byte after the site. If the instruction at the site is a push or pop of one byte,
 * that address is after it, so the kernel takes the unwind entry of a stack frame that the push or
 * pop has not made yet.
 */
static gboolean
are_stacks_right (const GilkCfg *cfg, const GilkWant *want, guint insn)
{
  const uint64_t site = get_site (cfg, want->block, insn);

  return gilk_orc_same (cfg->image, site, site, 2);
}

/* Moves a hook at the instruction @insn, which follows the call of ftrace, to the function's start,
 * where it runs for the same calls. Returns FALSE if the hook is elsewhere. */
static gboolean
move_to_start (const GilkCfg *cfg, const GilkWant *want, guint *insn)
{
  const GilkBlock *b = &cfg->blocks[want->block];

  if (want->at != 0 || want->where != GILK_WHERE_PRE || b->n_in != 0 || !is_function_start (cfg, b->first_insn))
    return FALSE;
  *insn = b->first_insn;

  return TRUE;
}

/* Returns a refusal if stack traces taken by the hook's program would be wrong. If they would be
 * right only at the function's start, moves the hook to that place. */
static guint
check_stacks (const GilkCfg *cfg, const GilkWant *want, guint *insn)
{
  if (!gilk_ops_calls_service (want->ops, ILK_SERVICE_STACK) || are_stacks_right (cfg, want, *insn))
    return GILK_REFUSAL_NONE;
  if (!move_to_start (cfg, want, insn) || !are_stacks_right (cfg, want, *insn))
    return GILK_REFUSAL_BPF_STACK;

  return GILK_REFUSAL_NONE;
}

/* Returns whether @insn is the conditional jump in a check of an indirect call (kCFI): over a ud2, or
 * one that raises #UD itself. */
static gboolean
is_call_check (const GilkCfg *cfg, guint insn)
{
  const GilkInsn *jump = &cfg->insns[insn];

  if (insn + 1 >= cfg->n_insns || jump->branch != GILK_BRANCH_JCC)
    return FALSE;

  return jump->flags & GILK_INSN_PINNED || (cfg->insns[insn + 1].flags & GILK_INSN_UD2 && jump->target == jump->addr + 4);
}

/* Returns whether the kernel allows no kprobe at the instruction, because it reads from it the type
 * that a check of an indirect call expects: mov $TYPE,%r10d, add OFFSET(%REG),%r10d and the check.
 * Source: can_probe() in arch/x86/kernel/kprobes/core.c of Linux */
static gboolean
has_call_type (const GilkCfg *cfg, guint insn)
{
  const uint8_t *bytes = gilk_cfg_bytes (cfg, &cfg->insns[insn]);

  if (cfg->insns[insn].len == 6 && bytes[0] == 0x41 && bytes[1] == 0xba)
    return is_call_check (cfg, insn + 2);

  return cfg->insns[insn].len == 4 && bytes[1] == 0x03 && is_call_check (cfg, insn + 1);
}

static guint
check_uprobe (const GilkCfg *cfg, const GilkWant *want, guint *insn)
{
  guint refusal = find_insn (cfg, want, insn);

  if (want->kind == GILK_INSTRUMENT_MODULE)
    return GILK_REFUSAL_BPF_MODULE;
  if (want->force != 0)
    return GILK_REFUSAL_USER_TACTIC;
  if (refusal == 0)
    refusal = check_place (cfg, *insn);
  if (refusal == 0 && want->returns)
    refusal = check_returns (cfg);

  return refusal;
}

static guint
check_kprobe (const GilkCfg *cfg, const GilkWant *want, guint *insn)
{
  guint refusal = find_insn (cfg, want, insn);

  if (refusal == 0)
    refusal = check_kernel_place (cfg, *insn);
  if (want->kind == GILK_INSTRUMENT_MODULE)
    return GILK_REFUSAL_BPF_MODULE;
  if (want->force != 0 || want->inner)
    return GILK_REFUSAL_BPF_TACTIC;
  if (refusal == 0 && !is_traceable (cfg))
    refusal = GILK_REFUSAL_BPF_UNTRACED;
  if (refusal == 0 && *insn < cfg->n_insns)
    refusal = check_kernel_insn (cfg, cfg->insns[*insn].addr);
  if (refusal == 0 && *insn < cfg->n_insns && has_call_type (cfg, *insn))
    refusal = move_to_start (cfg, want, insn) ? GILK_REFUSAL_NONE : GILK_REFUSAL_BPF_CALL_TYPE;

  return refusal;
}

/* Returns the refusal of a hook that cannot be a BPF program at a kprobe or uprobe; 0 if it can be
 * one. */
static guint
check_bpf (const GilkCfg *cfg, const GilkWant *want, guint tactic, guint *insn)
{
  guint refusal = tactic == GILK_TACTIC_UPROBE ? check_uprobe (cfg, want, insn) : check_kprobe (cfg, want, insn);

  if (refusal == 0 && want->ops != NULL)
    refusal = gilk_bpf_refusal (want->ops);
  if (refusal == 0 && want->ops != NULL && tactic == GILK_TACTIC_KPROBE)
    refusal = check_stacks (cfg, want, insn);

  return refusal;
}

/* ---- patches ---- */

static GilkPatchPlan *
add_patch (GilkSplicePlan *plan, guint tactic)
{
  plan->patches = g_renew (GilkPatchPlan, plan->patches, plan->n_patches + 1);
  plan->patches[plan->n_patches] = (GilkPatchPlan) { .tactic = tactic };

  return &plan->patches[plan->n_patches++];
}

static void
take_hook (GilkPatchPlan *patch, guint want)
{
  patch->hooks = g_renew (guint, patch->hooks, 1);
  patch->hooks[0] = want;
  patch->n_hooks = 1;
}

/* Returns whether the instruction directly follows the call of ftrace at the function's entry, and
 * runs once in each call. The kernel can attach one program to the entries of many such functions
 * at the same time. */
static gboolean
follows_fentry (const GilkCfg *cfg, guint block, guint insn)
{
  const uint64_t start = cfg->function->hot.start;
  const GilkBlock *b = &cfg->blocks[block];
  const GilkSite *sites;
  guint count;

  if (!is_function_start (cfg, b->first_insn) || b->n_in != 0 || (b->flags & GILK_BLOCK_INBOUND) != 0 ||
      insn >= cfg->n_insns || cfg->insns[insn].addr - start > FENTRY_REACH)
    return FALSE;
  sites = gilk_image_sites (cfg->image, start, start + FENTRY_REACH, &count);
  for (guint i = 0; i < count; i++)
    if (sites[i].kind == GILK_SITE_FENTRY && sites[i].addr + FENTRY_BYTES == cfg->insns[insn].addr)
      return TRUE;

  return FALSE;
}

/* Returns whether a program calls no service, and reads only argument registers and the stack
 * pointer: a program that is attached to many functions does not get the other registers. */
static gboolean
reads_only_arguments (const GilkOps *ops)
{
  const guint known = 1 << 1 | 1 << 2 | 1 << 4 | 1 << 6 | 1 << 7 | 1 << 8 | 1 << 9;    /* rcx rdx rsp rsi rdi r8 r9 */

  for (guint i = 0; ops != NULL && i < ops->ops->len; i++)
    {
      const GilkOp *op = &g_array_index (ops->ops, GilkOp, i);

      if (op->kind == GILK_OP_CALL || (op->kind == GILK_OP_REGISTER && (known >> op->imm & 1) == 0))
        return FALSE;
    }

  return TRUE;
}

/* Marks the hook's patch, if possible, as one that joins: one BPF program then serves this hook and
 * other hooks of the plan. */
static void
join_hook (GilkSplicePlan *plan, guint want, GilkPatchPlan *patch)
{
  if (!plan->wants[want].joins || !follows_fentry (plan->cfg, plan->wants[want].block, patch->first_insn) ||
      !reads_only_arguments (plan->wants[want].ops))
    return;
  patch->flags |= GILK_PATCH_JOINS;
  patch->site = plan->cfg->function->hot.start;
  plan->wants[want].gated = TRUE;
}

/* Attaches the hook's program to the function's entry, if possible, which costs a third of a
 * kprobe. The program then gets the function's arguments, but no registers. */
static void
attach_to_entry (GilkSplicePlan *plan, guint want, GilkPatchPlan *patch)
{
  const GilkWant *wanted = &plan->wants[want];
  guint arguments = 0;

  if (wanted->entry_type == 0 || wanted->kind == GILK_INLINE_SPAN || !follows_fentry (plan->cfg, wanted->block, patch->first_insn) ||
      (wanted->ops != NULL && !gilk_bpf_reads_arguments (wanted->ops, &arguments)) || (arguments & ~wanted->entry_words) != 0)
    return;
  patch->tactic = plan->choices[want].tactic = GILK_TACTIC_FENTRY;
  patch->site = plan->cfg->function->hot.start;
  patch->entry_type = wanted->entry_type;
}

static void
plan_want (GilkSplicePlan *plan, guint want, guint tactic)
{
  GilkPatchPlan *patch;
  guint insn, refusal = check_bpf (plan->cfg, &plan->wants[want], tactic, &insn);

  if (refusal != 0)
    {
      plan->choices[want] = (GilkChoice) { .patch = G_MAXUINT, .refusal = refusal };
      return;
    }
  patch = add_patch (plan, tactic);
  patch->first_insn = insn;
  patch->n_insns = 1;
  patch->site = get_site (plan->cfg, plan->wants[want].block, insn);
  take_hook (patch, want);
  plan->choices[want] = (GilkChoice) { .patch = plan->n_patches - 1, .tactic = tactic };
  if (tactic == GILK_TACTIC_KPROBE)
    join_hook (plan, want, patch);
  if (tactic == GILK_TACTIC_KPROBE && patch->flags == 0)
    attach_to_entry (plan, want, patch);
  refusal = gilk_bpf_hook_size (plan, patch);
  if (refusal == 0)
    return;
  gilk_patch_plan_clear (patch);
  plan->n_patches--;
  plan->choices[want] = (GilkChoice) { .patch = G_MAXUINT, .refusal = refusal };
}

/* Adds the patches of the live plan to the new one, all marked as ending. keep_live_hook() then
 * removes the mark from each patch whose hook stays. */
static void
seed_live (GilkSplicePlan *plan, const GilkSplicePlan *live)
{
  for (guint i = 0; i < live->n_patches; i++)
    {
      GilkPatchPlan *patch = add_patch (plan, live->patches[i].tactic);

      *patch = live->patches[i];
      patch->hooks = NULL;
      patch->n_hooks = 0;
      patch->next = GILK_PATCH_ENDS;
      patch->live = i;
    }
  plan->n_live = live->n_patches;
}

static gboolean
keep_live_hook (GilkSplicePlan *plan, const GilkSplicePlan *live, guint want, guint was)
{
  guint patch = was != G_MAXUINT ? live->choices[was].patch : G_MAXUINT;

  if (patch == G_MAXUINT)
    return FALSE;
  take_hook (&plan->patches[patch], want);
  plan->patches[patch].next = GILK_PATCH_STAYS;
  plan->choices[want] = live->choices[was];

  return TRUE;
}

GilkSplicePlan *
gilk_bpf_plan_new (GilkCfg              *cfg,
                   const GilkWant       *wants,
                   guint                 n_wants,
                   const GilkSplicePlan *live,
                   const guint          *was)
{
  const guint tactic = gilk_image_user_path (cfg->image) != NULL ? GILK_TACTIC_UPROBE : GILK_TACTIC_KPROBE;
  GilkSplicePlan *plan = g_new0 (GilkSplicePlan, 1);

  plan->cfg = gilk_cfg_ref (cfg);
  plan->wants = g_new0 (GilkWant, n_wants + 1);
  plan->n_wants = n_wants;
  plan->choices = g_new0 (GilkChoice, n_wants + 1);
  if (n_wants > 0)
    memcpy (plan->wants, wants, n_wants * sizeof *wants);
  if (live != NULL)
    seed_live (plan, live);
  for (guint i = 0; i < n_wants; i++)
    if (live == NULL || !keep_live_hook (plan, live, i, was[i]))
      plan_want (plan, i, tactic);

  return plan;
}

void
gilk_bpf_plan_preview (GilkCfg *cfg, const GilkWant *want, GilkChoice *choice)
{
  g_autoptr(GilkSplicePlan) plan = gilk_bpf_plan_new (cfg, want, 1, NULL, NULL);

  *choice = plan->choices[0];
  choice->patch = G_MAXUINT;
}

/* ---- makes a plan for a hook that is in no function ---- */

static GilkCfg *
make_graph (GilkImage *kernel)
{
  const GilkRecordedBlock block = { .start = 1, .end = 2, .n_insns = 1, .ending = GILK_END_RETURN };
  GilkCfg *cfg = gilk_cfg_new_recorded ("event", block.start, &block, 1, NULL, 0, NULL);

  cfg->image = gilk_image_ref (kernel);
  cfg->insns = g_new0 (GilkInsn, 1);

  return cfg;
}

/* Makes a plan with one hook, which has one patch without an address. */
static GilkSplicePlan *
make_lone_plan (GilkImage *kernel, const GilkWant *want, guint tactic, gboolean stays)
{
  GilkSplicePlan *plan = g_new0 (GilkSplicePlan, 1);

  plan->cfg = make_graph (kernel);
  plan->wants = g_memdup2 (want, sizeof *want);
  plan->wants[0].block = 0;
  plan->wants[0].where = GILK_WHERE_PRE;
  plan->n_wants = 1;
  plan->choices = g_new0 (GilkChoice, 1);
  plan->choices[0].tactic = tactic;
  plan->patches = g_new0 (GilkPatchPlan, 1);
  plan->n_patches = 1;
  plan->patches[0] = (GilkPatchPlan) {
    .tactic = tactic, .n_insns = 1, .hooks = g_new0 (guint, 1), .n_hooks = 1,
    .next = stays ? GILK_PATCH_STAYS : GILK_PATCH_NEW,
  };
  plan->n_live = stays ? 1 : 0;

  return plan;
}

GilkSplicePlan *
gilk_event_plan_new (GilkImage      *kernel,
                     const GilkWant *want,
                     guint           tactic,
                     gboolean        stays)
{
  GilkSplicePlan *plan = make_lone_plan (kernel, want, tactic, stays);
  guint refusal = want->kind == GILK_INSTRUMENT_MODULE ? GILK_REFUSAL_BPF_MODULE
                  : want->ops != NULL ? gilk_bpf_refusal (want->ops) : GILK_REFUSAL_NONE;

  plan->is_watch = tactic == GILK_TACTIC_BREAKPOINT;
  plan->is_event = !plan->is_watch;
  if (refusal == 0)
    refusal = gilk_bpf_hook_size (plan, &plan->patches[0]);
  if (refusal == 0)
    return plan;
  plan->choices[0] = (GilkChoice) { .patch = G_MAXUINT, .refusal = refusal };
  gilk_patch_plan_clear (&plan->patches[0]);
  plan->n_patches = 0;

  return plan;
}

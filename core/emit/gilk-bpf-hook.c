/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-bpf-hook.c - writes the BPF program of one hook
 */
#include "core/emit/gilk-bpf-hook.h"

#include "agent/gilk-wire.h"
#include "core/base/gilk-refusal.h"
#include "core/cfg/gilk-cfg.h"
#include "core/emit/gilk-asm.h"
#include "core/emit/gilk-bpf-code.h"
#include "core/emit/gilk-kprobe-cost.h"
#include "core/emit/gilk-orc.h"

enum { NONE = GILK_NO_VALUE, DRAFT_RING = 65536 };

static void
add (GilkOps *ops, GilkOp op)
{
  op.index = NONE;
  gilk_ops_add (ops, &op);
}

/* Adds the operations that compute the payload of a "span" sample: the stack address of the
 * function's return address. */
static guint
add_frame (GilkOps *ops, const GilkCfg *cfg, uint64_t addr)
{
  const guint frame = gilk_ops_value (ops);
  guint reg = 4;                       /* rsp */
  int32_t offset = 0;

  gilk_orc_return_slot (cfg->image, addr, 0, &reg, &offset);
  add (ops, (GilkOp) { .kind = GILK_OP_REGISTER, .to = (uint16_t) frame, .a = NONE, .b = NONE, .imm = reg });
  add (ops, (GilkOp) { .kind = GILK_OP_ADD, .to = (uint16_t) frame, .a = (uint16_t) frame, .b = NONE, .imm = offset });

  return frame;
}

/* Returns the operations that do what the inline instrument @kind does at @addr. (transfer full) */
static GilkOps *
make_inline_ops (GilkInstrumentKind kind, const GilkCfg *cfg, uint64_t addr)
{
  GilkOps *ops = gilk_ops_new ();
  const gboolean is_span = kind == GILK_INLINE_SPAN;
  guint full, frame = NONE;

  if (kind == GILK_INLINE_COUNT)
    {
      add (ops, (GilkOp) { .kind = GILK_OP_COUNT, .to = NONE, .a = NONE, .b = NONE });
      return ops;
    }
  ops->payload = is_span ? 8 : 0;
  full = gilk_ops_label (ops);
  if (is_span)
    frame = add_frame (ops, cfg, addr);
  add (ops, (GilkOp) { .kind = GILK_OP_ENTER, .to = NONE, .a = NONE, .b = NONE });
  add (ops, (GilkOp) { .kind = GILK_OP_RESERVE, .to = NONE, .a = NONE, .b = NONE, .imm = ops->payload, .label = (uint16_t) full });
  if (is_span)
    add (ops, (GilkOp) { .kind = GILK_OP_FIELD, .to = NONE, .a = (uint16_t) frame, .b = NONE, .size = 8 });
  add (ops, (GilkOp) { .kind = GILK_OP_COMMIT, .to = NONE, .a = NONE, .b = NONE });
  add (ops, (GilkOp) { .kind = GILK_OP_LABEL, .to = NONE, .a = NONE, .b = NONE, .label = (uint16_t) full });
  add (ops, (GilkOp) { .kind = GILK_OP_LEAVE, .to = NONE, .a = NONE, .b = NONE });

  return ops;
}

static gboolean
write_insns (const GilkSplicePlan *plan, const GilkPatchPlan *patch, const GilkBpfPlace *place, GArray *insns, GError **error)
{
  const GilkWant *want = &plan->wants[patch->hooks[0]];
  GilkOps *own = want->ops == NULL ? make_inline_ops (want->kind, plan->cfg, patch->site) : NULL;
  const gboolean good = gilk_bpf_code (own != NULL ? own : want->ops, place, insns, error);

  g_clear_pointer (&own, gilk_ops_free);

  return good;
}

/* Returns the address that replaces the first address of a stack trace, so that traces are the same
 * as with the driver: the address of the instruction after the hook, even if the kprobe is at the
 * start of the function. Returns 0 if the kernel's first address is to be kept. */
static uint64_t
get_point (const GilkSplicePlan *plan, const GilkWant *want)
{
  const GilkCfg *cfg = plan->cfg;
  const GilkBlock *b = &cfg->blocks[want->block];
  const guint insn = want->at != 0 ? want->at - 1 : gilk_point_boundary (cfg, want->block, want->where);

  if (!gilk_splice_plan_has_graph (plan))
    return 0;

  return insn < b->first_insn + b->n_insns ? cfg->insns[insn].addr : b->end;
}

/* Returns the address of the hooked function; 0: the hook is in none. */
static uint64_t
get_function (const GilkSplicePlan *plan)
{
  return plan->cfg != NULL ? plan->cfg->function->hot.start : 0;
}

gboolean
gilk_bpf_hook_code (const GilkSplicePlan  *plan,
                    const GilkPatchPlan   *patch,
                    const struct ilk_info *info,
                    const GilkBinding     *bindings,
                    GilkCode              *code,
                    GError               **error)
{
  const GilkWant *want = &plan->wants[patch->hooks[0]];
  const GilkBinding *binding = &bindings[patch->hooks[0]];
  const GilkBpfPlace place = {
    .iid = binding->iid, .n_cpus = info->nr_cpus, .ring_bytes = info->ring_bytes, .areas = binding->areas,
    .gates = binding->gates, .gate = binding->gate != 0 ? binding->gate : want->gated ? binding->iid : 0,
    .is_shared = (patch->flags & GILK_PATCH_JOINS) != 0, .point = get_point (plan, want), .function = get_function (plan),
    .is_user = patch->tactic == GILK_TACTIC_UPROBE, .returns = want->returns && patch->tactic == GILK_TACTIC_UPROBE,
    .slots = binding->slots, .watch = want->watch, .is_entry = patch->tactic == GILK_TACTIC_FENTRY,
  };
  g_autoptr(GArray) insns = g_array_new (FALSE, TRUE, sizeof (struct bpf_insn));

  code->code = g_byte_array_new ();
  code->programs = g_array_new (FALSE, TRUE, sizeof (GilkCodeProgram));
  if (!write_insns (plan, patch, &place, insns, error))
    return FALSE;
  g_byte_array_append (code->code, (const guint8 *) insns->data, insns->len * sizeof (struct bpf_insn));
  code->added[0] = patch->cost;

  return TRUE;
}

/* Returns how many instructions a hit executes before the BPF program starts. */
static guint
base_cost (const GilkSplicePlan *plan, const GilkPatchPlan *patch)
{
  switch (patch->tactic)
    {
    case GILK_TACTIC_UPROBE:     return GILK_UPROBE_COST;
    case GILK_TACTIC_TRACEPOINT: return GILK_TRACEPOINT_COST;
    case GILK_TACTIC_FENTRY:     return GILK_FENTRY_COST;
    case GILK_TACTIC_TIMER:      return GILK_TIMER_COST;
    case GILK_TACTIC_BREAKPOINT: return GILK_BREAKPOINT_COST;
    default:                     return gilk_kprobe_cost (plan->cfg, patch->first_insn);
    }
}

guint
gilk_bpf_hook_size (const GilkSplicePlan *plan,
                    GilkPatchPlan        *patch)
{
  static const uint64_t areas[GILK_OPS_AREAS] = { 0 };
  const GilkOps *ops = plan->wants[patch->hooks[0]].ops;
  g_autofree uint32_t *gates = g_new0 (uint32_t, ops != NULL ? ops->n_gates + 1 : 1);
  g_autofree guint *slots = g_new0 (guint, ops != NULL ? ops->n_gates + 1 : 1);
  const GilkBpfPlace place = {
    .iid = 1, .n_cpus = 2, .ring_bytes = DRAFT_RING, .areas = areas, .gates = gates,
    .gate = plan->wants[patch->hooks[0]].gated ? 1 : 0,
    .is_shared = (patch->flags & GILK_PATCH_JOINS) != 0, .point = get_point (plan, &plan->wants[patch->hooks[0]]), .function = get_function (plan),
    .is_user = patch->tactic == GILK_TACTIC_UPROBE, .returns = plan->wants[patch->hooks[0]].returns,
    .slots = slots, .watch = plan->wants[patch->hooks[0]].watch, .is_entry = patch->tactic == GILK_TACTIC_FENTRY,
  };
  g_autoptr(GArray) insns = g_array_new (FALSE, TRUE, sizeof (struct bpf_insn));

  if (!write_insns (plan, patch, &place, insns, NULL))
    return GILK_REFUSAL_BPF_LONG;
  patch->code_bound = (guint) sizeof (struct bpf_insn) * insns->len;
  patch->cost = plan->choices[patch->hooks[0]].cost = base_cost (plan, patch) + insns->len;

  return GILK_REFUSAL_NONE;
}

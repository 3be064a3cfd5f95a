/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-emit.c - the code of hooks and patches
 *
 * A patch is: for each instruction of the footprint, the hooks that run before
 * it, then the instruction; hooks behind the last one; the way back; and out of
 * line, what happens rarely (ring full, re-entry).
 *
 * Registers and flags are saved only if live. All pushes of a hook are popped
 * before the next original instruction, which so never sees a moved stack.
 * Each hook counts what it adds, because that is the figure Gilk is measured by.
 */
#include "core/splice/gilk-emit.h"

#include <string.h>

#include "core/base/gilk-error.h"
#include "core/splice/gilk-clone.h"
#include "core/splice/gilk-reloc.h"

enum {
  CALLER_SAVED = GILK_REG_BIT (0) | GILK_REG_BIT (1) | GILK_REG_BIT (2) | GILK_REG_BIT (6) |
                 GILK_REG_BIT (7) | GILK_REG_BIT (8) | GILK_REG_BIT (9) | GILK_REG_BIT (10) |
                 GILK_REG_BIT (11),
};

/* struct ilk_regs from its end: the order in which a full frame is pushed. */
static const uint8_t frame_order[] = {
  GILK_RAX, GILK_RCX, GILK_RDX, GILK_RSI, GILK_RDI, 8, 9, 10, 11,
};

/* Registers to take for scratch: the first dead one. */
static const uint8_t scratch_order[] = {
  10, 11, 9, 8, GILK_RDI, GILK_RSI, GILK_RCX, GILK_RDX, GILK_RAX,
  GILK_RBX, GILK_RBP, 12, 13, 14, 15,
};

/* A rare path: counts something, then joins the main path again. */
typedef struct {
  gsize    branch;            /* forward branch that leads to it */
  uint64_t counter;           /* per-CPU offset */
  uint64_t back;
  guint    scratch;           /* register free there */
  guint    depth;
  uint64_t unwind_as;
} Rare;

typedef struct {
  GilkAsm               *as;
  const struct ilk_info *info;
  const GilkWant        *want;
  const GilkBinding     *binding;
  GilkLive               live;
  gboolean               has_std;      /* the function may run with DF set */
  GArray                *rare;
} Hook;

guint
gilk_emit_first (const GilkCfg *cfg,
                 guint          block)
{
  const GilkBlock *b = &cfg->blocks[block];
  guint first = b->first_insn, count = 0;
  const GilkSite *sites = gilk_image_sites (cfg->image, b->start, b->end, &count);

  if (b->n_insns > 0 && cfg->insns[first].flags & GILK_INSN_ENDBR)
    first++;

  for (guint i = 0; i < count && sites[i].addr <= b->start + 4; i++)
    if (sites[i].kind == GILK_SITE_FENTRY)
      while (first < b->first_insn + b->n_insns && cfg->insns[first].addr <= sites[i].addr)
        first++;

  return first;
}

guint
gilk_emit_boundary (const GilkCfg  *cfg,
                    const GilkWant *want)
{
  const GilkBlock *b = &cfg->blocks[want->block];
  int terminator = gilk_block_terminator (cfg, want->block);

  if (want->where == GILK_WHERE_PRE)
    return gilk_emit_first (cfg, want->block);
  if (terminator >= 0)
    return (guint) terminator;

  return b->first_insn + b->n_insns;
}

static gboolean
is_near (uint64_t offset)
{
  return (int64_t) offset == (int32_t) offset;
}

/* A register that may be lost here and is not in @taken; -1 if all are needed. */
static int
dead_register (const Hook *hook, guint taken)
{
  for (gsize i = 0; i < G_N_ELEMENTS (scratch_order); i++)
    if (!(GILK_REG_BIT (scratch_order[i]) & (hook->live.regs | taken)))
      return scratch_order[i];

  return -1;
}

/* incq %gs:counter, by way of @scratch if the offset needs 64 bits */
static void
emit_increment (GilkAsm *as, uint64_t counter, guint scratch)
{
  if (is_near (counter))
    {
      gilk_asm_mem (as, TRUE, 0xff, 0, gilk_mem_gs (GILK_NO_BASE, (int32_t) counter));
      return;
    }

  gilk_asm_mov_imm64 (as, scratch, counter);
  gilk_asm_mem (as, TRUE, 0xff, 0, gilk_mem_gs ((int) scratch, 0));
}

static void
branch_to_rare (Hook *hook, guint cc, uint64_t counter, guint scratch)
{
  Rare rare = {
    .branch = gilk_asm_jcc_ahead (hook->as, cc),
    .counter = counter,
    .scratch = scratch,
    .depth = hook->as->depth,
    .unwind_as = hook->as->unwind_as,
  };

  g_array_append_val (hook->rare, rare);
}

/* The rare path begun last joins the main path here. */
static void
rejoin_from_rare (Hook *hook)
{
  g_array_index (hook->rare, Rare, hook->rare->len - 1).back = gilk_asm_here (hook->as);
}

static void
emit_rare (GilkAsm *as, const GArray *rare)
{
  for (guint i = 0; i < rare->len; i++)
    {
      const Rare *one = &g_array_index (rare, Rare, i);

      as->depth = one->depth;
      as->unwind_as = one->unwind_as;
      gilk_asm_land (as, one->branch);
      emit_increment (as, one->counter, one->scratch);
      gilk_asm_jmp (as, one->back);
    }
}

/* ---- count ---- */

static void
emit_count (Hook *hook)
{
  int scratch = is_near (hook->binding->counter) ? GILK_RAX : dead_register (hook, 0);

  if (scratch >= 0)
    {
      emit_increment (hook->as, hook->binding->counter, (guint) scratch);
      return;
    }

  gilk_asm_push (hook->as, GILK_RAX);
  emit_increment (hook->as, hook->binding->counter, GILK_RAX);
  gilk_asm_pop (hook->as, GILK_RAX);
}

/* ---- stamp and span: the producer's steps of ilk-abi.h, one cell ---- */

/* The payload of a span: where the return address of the hooked function is. */
static void
fill_frame (Hook *hook, guint cell)
{
  GilkAsm *as = hook->as;
  int32_t offset = 0;
  guint reg = GILK_RSP;

  gilk_orc_return_slot (as->image, as->unwind_as, as->depth, &reg, &offset);
  gilk_asm_mem (as, TRUE, 0x8d, GILK_RAX, gilk_mem ((int) reg, offset));
  gilk_asm_mem (as, TRUE, 0x89, GILK_RAX, gilk_mem ((int) cell, 24));
}

static void
emit_stamp_body (Hook *hook, guint head, guint cell)
{
  const struct ilk_info *info = hook->info;
  GilkAsm *as = hook->as;

  gilk_asm_mem (as, FALSE, 0xff, 0, gilk_mem_gs (GILK_NO_BASE, info->gs_preempt_count));

  /* 1. full? */
  gilk_asm_mem (as, TRUE, 0x8b, head, gilk_mem_gs (GILK_NO_BASE, info->gs_ring_head));
  gilk_asm_mem (as, TRUE, 0x3b, head, gilk_mem_gs (GILK_NO_BASE, info->gs_ring_limit));
  branch_to_rare (hook, GILK_CC_AE, hook->binding->lost, head);

  /* 2. reserve */
  gilk_asm_mov_imm32 (as, head, ILK_CELL);
  gilk_asm_mem (as, TRUE, 0x0fc1, head, gilk_mem_gs (GILK_NO_BASE, info->gs_ring_head));
  gilk_asm_reg32 (as, 0x89, head, cell);
  gilk_asm_imm32 (as, 4, cell, (uint32_t) info->ring_bytes - ILK_CELL);
  gilk_asm_mem (as, TRUE, 0x03, cell, gilk_mem_gs (GILK_NO_BASE, info->gs_ring_base));

  /* 3. fill; the wide store of iid clears len, a span's payload makes it 8 */
  gilk_asm_raw (as, (const uint8_t[]) { 0x0f, 0x31 }, 2);
  gilk_asm_mem (as, FALSE, 0x89, GILK_RAX, gilk_mem ((int) cell, 8));
  gilk_asm_mem (as, FALSE, 0x89, GILK_RDX, gilk_mem ((int) cell, 12));
  gilk_asm_store_imm (as, TRUE, (int32_t) hook->binding->iid, gilk_mem ((int) cell, 16));
  if (hook->want->kind == GILK_INLINE_SPAN)
    {
      gilk_asm_store_imm (as, FALSE, 8, gilk_mem ((int) cell, 20));
      fill_frame (hook, cell);
    }

  /* 4. commit */
  gilk_asm_mem (as, TRUE, 0x89, head, gilk_mem ((int) cell, 0));

  rejoin_from_rare (hook);
  gilk_asm_mem (as, FALSE, 0xff, 1, gilk_mem_gs (GILK_NO_BASE, info->gs_preempt_count));
}

static void
emit_stamp (Hook *hook)
{
  guint taken = GILK_REG_BIT (GILK_RAX) | GILK_REG_BIT (GILK_RDX) | GILK_REG_BIT (GILK_RSP) |
                GILK_REG_BIT (GILK_RBP);
  guint saved[4], n_saved = 0, temps[2];

  for (guint i = 0; i < G_N_ELEMENTS (temps); i++)
    {
      int dead = dead_register (hook, taken);
      guint spare = taken & GILK_REG_BIT (GILK_RCX) ? GILK_RSI : GILK_RCX;

      temps[i] = dead >= 0 ? (guint) dead : spare;
      if (dead < 0)
        saved[n_saved++] = temps[i];
      taken |= GILK_REG_BIT (temps[i]);
    }
  if (hook->live.regs & GILK_REG_BIT (GILK_RAX))
    saved[n_saved++] = GILK_RAX;
  if (hook->live.regs & GILK_REG_BIT (GILK_RDX))
    saved[n_saved++] = GILK_RDX;

  for (guint i = 0; i < n_saved; i++)
    gilk_asm_push (hook->as, saved[i]);
  emit_stamp_body (hook, temps[0], temps[1]);
  while (n_saved > 0)
    gilk_asm_pop (hook->as, saved[--n_saved]);
}

/* ---- module: a call ---- */

static void
emit_module_body (Hook *hook)
{
  const struct ilk_info *info = hook->info;
  GilkAsm *as = hook->as;
  GilkMem guard = gilk_mem_gs (GILK_NO_BASE, info->gs_guard);

  gilk_asm_mem (as, FALSE, 0xff, 0, gilk_mem_gs (GILK_NO_BASE, info->gs_preempt_count));

  /* Drop the hit if an instrument of this very context was interrupted by it. */
  gilk_asm_mem (as, FALSE, 0x8b, GILK_RAX,
                gilk_mem_gs (GILK_NO_BASE, info->gs_preempt_count));
  gilk_asm_imm32 (as, 4, GILK_RAX, info->context_mask);
  gilk_asm_mem (as, TRUE, 0x39, GILK_RAX, guard);
  branch_to_rare (hook, GILK_CC_E, hook->binding->dropped, GILK_RAX);

  gilk_asm_push_mem (as, guard);
  gilk_asm_mem (as, TRUE, 0x89, GILK_RAX, guard);
  gilk_asm_mov_imm32 (as, GILK_RDI, hook->binding->iid);
  if (hook->want->needs_regs)
    gilk_asm_mem (as, TRUE, 0x8d, GILK_RSI, gilk_mem (GILK_RSP, 8));
  gilk_asm_call (as, hook->binding->fn);
  gilk_asm_pop_mem (as, guard);

  rejoin_from_rare (hook);
  gilk_asm_mem (as, FALSE, 0xff, 1, gilk_mem_gs (GILK_NO_BASE, info->gs_preempt_count));
}

/* Pops what was pushed; runs of values that nobody needs are dropped in one step. */
static void
restore_frame (Hook *hook, guint saved)
{
  guint unneeded = 0;

  for (guint i = G_N_ELEMENTS (frame_order); i-- > 0;)
    {
      guint bit = GILK_REG_BIT (frame_order[i]);

      if (!(saved & bit))
        continue;
      if (!(hook->live.regs & bit))
        {
          unneeded += 8;
          continue;
        }
      if (unneeded > 0)
        gilk_asm_drop (hook->as, unneeded);
      unneeded = 0;
      gilk_asm_pop (hook->as, frame_order[i]);
    }

  if (unneeded > 0)
    gilk_asm_drop (hook->as, unneeded);
}

static void
emit_module (Hook *hook)
{
  guint saved = hook->want->needs_regs ? CALLER_SAVED : hook->live.regs & CALLER_SAVED;

  for (gsize i = 0; i < G_N_ELEMENTS (frame_order); i++)
    if (saved & GILK_REG_BIT (frame_order[i]))
      gilk_asm_push (hook->as, frame_order[i]);
  if (hook->has_std)
    gilk_asm_raw (hook->as, (const uint8_t[]) { 0xfc }, 1);
  emit_module_body (hook);
  restore_frame (hook, saved);
}

/* ---- one hook ---- */

/* Flags that the hook changes; inc leaves the carry alone. */
static guint
flags_clobbered (const GilkWant *want)
{
  if (want->kind == GILK_INLINE_COUNT && !want->gated)
    return GILK_FLAGS_ARITH & ~(guint) GILK_FLAG_CF;

  return GILK_FLAGS_ARITH;
}

static gboolean
flags_in_the_way (const Hook *hook)
{
  if (hook->want->kind == GILK_INSTRUMENT_MODULE && hook->has_std)
    return TRUE;

  return (hook->live.flags & flags_clobbered (hook->want)) != 0;
}

static void
write_hook (Hook *hook)
{
  gboolean in_the_way = flags_in_the_way (hook);
  gboolean frame = hook->want->kind == GILK_INSTRUMENT_MODULE && hook->want->needs_regs;
  gsize gate = 0;

  if (in_the_way || frame)
    gilk_asm_pushf (hook->as);
  if (hook->want->gated)
    {
      gilk_asm_test_byte (hook->as, hook->info->gates + hook->binding->iid);
      gate = gilk_asm_jcc_ahead (hook->as, GILK_CC_E);
    }

  switch (hook->want->kind)
    {
    case GILK_INLINE_COUNT:
      emit_count (hook);
      break;
    case GILK_INLINE_STAMP:
    case GILK_INLINE_SPAN:
      emit_stamp (hook);
      break;
    case GILK_INSTRUMENT_MODULE:
      emit_module (hook);
      break;
    }

  if (hook->want->gated)
    gilk_asm_land (hook->as, gate);
  if (in_the_way)
    gilk_asm_popf (hook->as);
  else if (frame)
    gilk_asm_drop (hook->as, 8);
}

static GilkLive
live_at (const GilkSplicePlan *plan, guint block, guint index)
{
  const GilkBlock *b = &plan->cfg->blocks[block];

  if (index < b->first_insn + b->n_insns)
    return plan->liveness->before[index];

  return plan->liveness->after[block];
}

static gboolean
function_has_std (const GilkCfg *cfg)
{
  for (guint i = 0; i < cfg->n_insns; i++)
    if (cfg->insns[i].flags & GILK_INSN_STD)
      return TRUE;

  return FALSE;
}

/* ---- hooks, for whoever lays out the code around them ---- */

void
gilk_hook_writer_init (GilkHookWriter        *writer,
                       GilkAsm               *as,
                       const GilkSplicePlan  *plan,
                       const struct ilk_info *info,
                       const GilkBinding     *bindings)
{
  *writer = (GilkHookWriter) {
    .as = as, .plan = plan, .info = info, .bindings = bindings,
    .has_std = function_has_std (plan->cfg),
    .rare = g_array_new (FALSE, TRUE, sizeof (Rare)),
  };
}

void
gilk_hook_writer_finish (GilkHookWriter *writer)
{
  emit_rare (writer->as, writer->rare);
  g_array_unref (writer->rare);
}

static Hook
hook_for (const GilkHookWriter *writer, guint want, guint index)
{
  const GilkWant *wanted = &writer->plan->wants[want];

  return (Hook) {
    .as = writer->as, .info = writer->info, .rare = writer->rare, .has_std = writer->has_std,
    .want = wanted, .binding = &writer->bindings[want],
    .live = live_at (writer->plan, wanted->block, index),
  };
}

guint
gilk_emit_hook (const GilkHookWriter *writer,
                guint                 want,
                guint                 index)
{
  Hook hook = hook_for (writer, want, index);
  guint before = writer->as->insns;

  write_hook (&hook);

  return writer->as->insns - before;
}

guint
gilk_emit_count_cost (const GilkHookWriter *writer,
                      guint                 want,
                      guint                 index)
{
  const Hook hook = hook_for (writer, want, index);
  guint cost = flags_in_the_way (&hook) ? 3 : 1;

  if (!is_near (hook.binding->counter))
    cost += dead_register (&hook, 0) < 0 ? 3 : 1;

  return cost;
}

/* ---- a whole patch ---- */

/* Are all instructions between the two passed together? */
static gboolean
may_move (const GilkCfg *cfg, guint a, guint b)
{
  for (guint i = MIN (a, b); i < MAX (a, b); i++)
    if (cfg->insns[i].flow == GILK_FLOW_CALL || cfg->insns[i].flow == GILK_FLOW_CALL_INDIRECT ||
        gilk_reloc_may_fault (cfg, i))
      return FALSE;

  return TRUE;
}

/*
 * Where in the footprint the hook's code goes. A counter does not care before
 * which of the instructions that run together it counts, so it goes where the
 * flags are free: before the compare rather than between compare and branch. It
 * does not go past what may fault, for the block may be left there. A footprint
 * that ends with a call before the boundary has it right behind that.
 */
static guint
place_hook (const GilkSplicePlan *plan, guint first, guint n, const GilkWant *want)
{
  guint boundary = gilk_emit_boundary (plan->cfg, want);
  int terminator = gilk_block_terminator (plan->cfg, want->block);
  guint last = first + n - 1, clobbered = flags_clobbered (want);

  boundary = MIN (boundary, first + n);

  if (want->kind != GILK_INLINE_COUNT ||
      !(live_at (plan, want->block, boundary).flags & clobbered))
    return boundary;

  for (guint i = first; i <= last && (terminator < 0 || i <= (guint) terminator); i++)
    if (!(plan->liveness->before[i].flags & clobbered) && may_move (plan->cfg, boundary, i))
      return i;

  return boundary;
}

guint
gilk_emit_flags_in_the_way (const GilkSplicePlan *plan,
                            guint                 first,
                            guint                 n,
                            guint                 want)
{
  const GilkWant *wanted = &plan->wants[want];
  guint place = place_hook (plan, first, n, wanted);

  return live_at (plan, wanted->block, place).flags & flags_clobbered (wanted)
         ? flags_clobbered (wanted) : 0;
}

/* Hooks that run before instruction @index, in the order they were asked for. */
static void
emit_hooks_at (const GilkHookWriter *writer, const GilkPatchPlan *patch, guint index,
               guint *added)
{
  for (guint i = 0; i < patch->n_hooks; i++)
    {
      guint insns, want = patch->hooks[i];

      if (place_hook (writer->plan, patch->first_insn, patch->n_insns,
                      &writer->plan->wants[want]) != index)
        continue;
      insns = gilk_emit_hook (writer, want, index);
      if (added != NULL)
        added[i] = insns;
    }
}

static guint
way_in (guint tactic)
{
  return tactic == ILK_TACTIC_SPLICE ? GILK_SPLICE_COST :
         tactic == ILK_TACTIC_BOUNCE ? GILK_BOUNCE_COST : GILK_TRAP_COST;
}

/* The jumps to and from the patch are shared out among its hooks, the rest to the first. */
static void
share_jumps (const GilkPatchPlan *patch, guint jumps, guint *added)
{
  for (guint i = 0; i < patch->n_hooks; i++)
    added[i] += jumps / patch->n_hooks + (i < jumps % patch->n_hooks ? 1 : 0);
}

void
gilk_emit_patch (GilkAsm               *as,
                 const GilkSplicePlan  *plan,
                 const GilkPatchPlan   *patch,
                 const struct ilk_info *info,
                 const GilkBinding     *bindings,
                 guint                 *added)
{
  const GilkCfg *cfg = plan->cfg;
  GilkHookWriter writer;
  guint end = patch->first_insn + patch->n_insns;
  gboolean goes_on = TRUE;

  as->image = cfg->image;
  gilk_hook_writer_init (&writer, as, plan, info, bindings);
  for (guint i = patch->first_insn; i < end; i++)
    {
      as->unwind_as = cfg->insns[i].addr;
      emit_hooks_at (&writer, patch, i, added);
      gilk_reloc_note_fault (as, cfg, i);
      if (i == end - 1 && patch->flags & ILK_PATCH_RETURNS)
        gilk_reloc_call (as, cfg, i);
      else
        goes_on = gilk_reloc_emit (as, cfg, i);
    }

  as->unwind_as = patch->site + patch->len;
  if (goes_on)
    {
      emit_hooks_at (&writer, patch, end, added);
      gilk_asm_jmp (as, patch->site + patch->len);
    }
  if (added != NULL && patch->n_hooks > 0)
    share_jumps (patch, way_in (patch->tactic) + (goes_on ? 1 : 0), added);

  gilk_hook_writer_finish (&writer);
}

gboolean
gilk_emit_has_bare (const GilkPatchPlan *patch)
{
  return patch->houses && patch->n_hooks > 0;
}

void
gilk_emit_bare (GilkAsm              *as,
                const GilkSplicePlan *plan,
                const GilkPatchPlan  *patch)
{
  gboolean goes_on = TRUE;

  for (guint i = patch->first_insn; i < patch->first_insn + patch->n_insns; i++)
    {
      as->unwind_as = plan->cfg->insns[i].addr;
      gilk_reloc_note_fault (as, plan->cfg, i);
      goes_on = gilk_reloc_emit (as, plan->cfg, i);
    }
  as->unwind_as = patch->site + patch->len;
  if (goes_on)
    gilk_asm_jmp (as, patch->site + patch->len);
}

void
gilk_code_clear (GilkCode *code)
{
  g_clear_pointer (&code->code, g_byte_array_unref);
  g_clear_pointer (&code->orc, g_array_unref);
  g_clear_pointer (&code->faults, g_array_unref);
  memset (code->added, 0, sizeof code->added);
}

gboolean
gilk_splice_emit (const GilkSplicePlan  *plan,
                  guint                  patch,
                  uint64_t               slot,
                  const struct ilk_info *info,
                  const GilkBinding     *bindings,
                  GilkCode              *code,
                  GError               **error)
{
  return gilk_splice_emit_linked (plan, patch, slot, info, bindings, NULL, code, error);
}

gboolean
gilk_splice_emit_linked (const GilkSplicePlan  *plan,
                         guint                  patch,
                         uint64_t               slot,
                         const struct ilk_info *info,
                         const GilkBinding     *bindings,
                         GHashTable            *links,
                         GilkCode              *code,
                         GError               **error)
{
  const GilkPatchPlan *planned = &plan->patches[patch];
  g_autofree guint *added = g_new0 (guint, planned->n_hooks + 1);
  GilkAsm as = { .base = slot };

  code->code = as.code = g_byte_array_new ();
  code->orc = as.orc = g_array_new (FALSE, TRUE, sizeof (struct ilk_orc));
  code->faults = as.faults = g_array_new (FALSE, TRUE, sizeof (struct ilk_fault));
  if (planned->tactic == ILK_TACTIC_CLONE)
    gilk_clone_emit (&as, plan, planned, info, bindings, links, added);
  else
    gilk_emit_patch (&as, plan, planned, info, bindings, added);
  if (gilk_emit_has_bare (planned))
    {
      code->bare = as.code->len;
      gilk_emit_bare (&as, plan, planned);
    }

  for (guint i = 0; i < planned->n_hooks && i < GILK_CODE_HOOKS; i++)
    code->added[i] = added[i];

  if (!as.too_far && as.code->len <= planned->code_bound &&
      as.orc->len <= planned->code_bound / ILK_GRANULE * ILK_ORC_PER_GRANULE &&
      as.faults->len <= planned->code_bound / ILK_GRANULE * ILK_FAULTS_PER_GRANULE)
    return TRUE;

  g_set_error (error, GILK_ERROR, GILK_ERROR_FAILED,
               as.too_far
               ? "The code of the hook at %#" G_GINT64_MODIFIER "x would lie out of reach "
                 "at %#" G_GINT64_MODIFIER "x; this is a mistake in Gilk, please report it."
               : "The code of the hook at %#" G_GINT64_MODIFIER "x does not fit the room at "
                 "%#" G_GINT64_MODIFIER "x; this is a mistake in Gilk, please report it.",
               planned->site, slot);
  gilk_code_clear (code);

  return FALSE;
}

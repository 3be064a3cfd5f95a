/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-hook-code.c - writes the code of one hook
 *
 * Registers and flags are saved only if live. A hook pops all that it has pushed before the next
 * original instruction runs, so that this instruction finds the stack unchanged. The file also
 * computes the number of instructions that each hook adds, because Gilk reports it. For a program,
 * only the instructions on its shortest path are counted.
 */
#include "core/emit/gilk-hook-code.h"

#include "core/emit/gilk-emit.h"
#include "core/emit/gilk-ops-code.h"
#include "core/emit/gilk-reloc.h"

enum {
  CALLER_SAVED = GILK_REG_BIT (0) | GILK_REG_BIT (1) | GILK_REG_BIT (2) | GILK_REG_BIT (6) |
                 GILK_REG_BIT (7) | GILK_REG_BIT (8) | GILK_REG_BIT (9) | GILK_REG_BIT (10) |
                 GILK_REG_BIT (11),
};

/* The registers in struct ilk_regs, in the order in which they are pushed: the struct's last member
 * first. */
static const uint8_t frame_order[] = {
  GILK_RAX, GILK_RCX, GILK_RDX, GILK_RSI, GILK_RDI, 8, 9, 10, 11,
};

/* Registers that a hook may use as scratch, in order of preference: the first one that is dead is
 * taken. */
static const uint8_t scratch_order[] = {
  10, 11, 9, 8, GILK_RDI, GILK_RSI, GILK_RCX, GILK_RDX, GILK_RAX,
  GILK_RBX, GILK_RBP, 12, 13, 14, 15,
};

/* A rarely taken path: increments a counter, then returns to the main path. */
typedef struct {
  gsize    branch;            /* offset of the forward branch that leads to this path */
  uint64_t counter;           /* per-CPU offset of the counter that this path increments */
  gboolean is_loss;           /* this path also increments the CPU's counter of lost samples */
  uint64_t back;
  guint    scratch;           /* register that this path may change */
  guint    depth;
  uint64_t unwind_as;
} Rare;

/* A jump by which a program leaves its hook. */
typedef struct {
  gsize    end;               /* offset of the end of the jump's rel32 */
  uint64_t addr;
  guint    program;           /* index in GilkAsm.programs of the program that has this jump;
                               * G_MAXUINT: not recorded */
  guint    where;             /* GilkExit */
} ExitJump;

typedef struct {
  GilkAsm               *as;
  const GilkCfg         *cfg;
  const struct ilk_info *info;
  const GilkWant        *want;
  const GilkBinding     *binding;
  guint                  index;        /* index of the instruction in front of which the hook is */
  GilkLive               live;
  uint64_t               point;        /* address of the probe point in the original function */
  gboolean               has_std;      /* the function may run with DF set */
  GArray                *rare, *exits;
  guint                  program;      /* index of the hook's program in GilkAsm.programs */
  uint64_t               thunk;        /* address of the return thunk that the hook's program
                                        * uses */
} Hook;

static gboolean
is_near (uint64_t offset)
{
  return (int64_t) offset == (int32_t) offset;
}

/* Returns a register that is dead at the hook and not in @taken, a set of registers; -1 if there is
 * none. */
static int
find_dead_register (const Hook *hook, guint taken)
{
  for (gsize i = 0; i < G_N_ELEMENTS (scratch_order); i++)
    if (!(GILK_REG_BIT (scratch_order[i]) & (hook->live.regs | taken)))
      return scratch_order[i];

  return -1;
}

/* Writes incq %gs:counter. If the offset needs 64 bits, the code loads it into @scratch first. */
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
emit_rare_branch (Hook *hook, guint cc, uint64_t counter, gboolean is_loss, guint scratch)
{
  Rare rare = {
    .branch = gilk_asm_jcc_ahead (hook->as, cc),
    .counter = counter,
    .is_loss = is_loss,
    .scratch = scratch,
    .depth = hook->as->depth,
    .unwind_as = hook->as->unwind_as,
  };

  g_array_append_val (hook->rare, rare);
}

/* Makes the rare path that was added last return to the current end of the code. */
static void
set_rare_return (Hook *hook)
{
  g_array_index (hook->rare, Rare, hook->rare->len - 1).back = gilk_asm_here (hook->as);
}

static void
emit_rare (GilkAsm *as, const struct ilk_info *info, const GArray *rare)
{
  for (guint i = 0; i < rare->len; i++)
    {
      const Rare *one = &g_array_index (rare, Rare, i);

      as->depth = one->depth;
      as->unwind_as = one->unwind_as;
      gilk_asm_land (as, one->branch);
      emit_increment (as, one->counter, one->scratch);
      if (one->is_loss)
        emit_increment (as, (uint64_t) (int64_t) info->gs_ring_lost, one->scratch);
      gilk_asm_jmp (as, one->back);
    }
}

/* ---- code of the instrument "count" ---- */

static void
emit_count (Hook *hook)
{
  int scratch = is_near (hook->binding->counter) ? GILK_RAX : find_dead_register (hook, 0);

  if (scratch >= 0)
    {
      emit_increment (hook->as, hook->binding->counter, (guint) scratch);
      return;
    }

  gilk_asm_push (hook->as, GILK_RAX);
  emit_increment (hook->as, hook->binding->counter, GILK_RAX);
  gilk_asm_pop (hook->as, GILK_RAX);
}

/* ---- code of "stamp" and "span", which write a sample of one cell: ilk-abi-ring.h ---- */

/* Writes code that stores the payload of a "span" sample: the stack address of the hooked
 * function's return address. */
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

  gilk_emit_preempt_disable (as, info);

  /* 1. full? */
  gilk_asm_mem (as, TRUE, 0x8b, head, gilk_mem_gs (GILK_NO_BASE, info->gs_ring_head));
  gilk_asm_mem (as, TRUE, 0x3b, head, gilk_mem_gs (GILK_NO_BASE, info->gs_ring_limit));
  emit_rare_branch (hook, GILK_CC_AE, hook->binding->lost, TRUE, head);

  /* 2. reserve */
  gilk_asm_mov_imm32 (as, head, ILK_CELL);
  gilk_asm_mem (as, TRUE, 0x0fc1, head, gilk_mem_gs (GILK_NO_BASE, info->gs_ring_head));
  gilk_asm_reg32 (as, 0x89, head, cell);
  gilk_asm_mem (as, FALSE, 0x23, cell, gilk_mem_gs (GILK_NO_BASE, info->gs_ring_mask));
  gilk_asm_mem (as, TRUE, 0x03, cell, gilk_mem_gs (GILK_NO_BASE, info->gs_ring_base));

  /* Step 3, fill the cell: the 64-bit store of the iid also clears len, which a span then sets to
   * 8. */
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

  set_rare_return (hook);
  gilk_emit_preempt_enable (as, info, hook->has_std);
}

static void
emit_stamp (Hook *hook)
{
  guint taken = GILK_REG_BIT (GILK_RAX) | GILK_REG_BIT (GILK_RDX) | GILK_REG_BIT (GILK_RSP) |
                GILK_REG_BIT (GILK_RBP);
  guint saved[4], n_saved = 0, temps[2];

  for (guint i = 0; i < G_N_ELEMENTS (temps); i++)
    {
      int dead = find_dead_register (hook, taken);
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

/* ---- code that calls a module's function ---- */

static void
emit_module_body (Hook *hook)
{
  const struct ilk_info *info = hook->info;
  GilkAsm *as = hook->as;
  GilkMem guard = gilk_mem_gs (GILK_NO_BASE, info->gs_guard);

  gilk_emit_preempt_disable (as, info);

  /* A hit that has interrupted an instrument in the same context (task, softirq, hardirq, NMI)
   * counts as missed. */
  gilk_asm_mem (as, FALSE, 0x8b, GILK_RAX,
                gilk_mem_gs (GILK_NO_BASE, info->gs_preempt_count));
  gilk_asm_imm32 (as, 4, GILK_RAX, info->context_mask);
  gilk_asm_mem (as, TRUE, 0x39, GILK_RAX, guard);
  emit_rare_branch (hook, GILK_CC_E, hook->binding->missed, FALSE, GILK_RAX);

  gilk_asm_push_mem (as, guard);
  gilk_asm_mem (as, TRUE, 0x89, GILK_RAX, guard);
  gilk_asm_mov_imm32 (as, GILK_RDI, hook->binding->iid);
  if (hook->want->needs_regs)
    gilk_asm_mem (as, TRUE, 0x8d, GILK_RSI, gilk_mem (GILK_RSP, 8));
  gilk_asm_call (as, hook->binding->fn);
  gilk_asm_pop_mem (as, guard);

  set_rare_return (hook);
  gilk_emit_preempt_enable (as, info, hook->has_std);
}

/* Writes code that pops the registers of a frame. Skips consecutive dead registers in one step. */
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

/* ---- code of a program ---- */

static void
emit_return (Hook *hook)
{
  int index = gilk_reloc_return (hook->cfg);

  g_assert (index >= 0);
  if (hook->cfg->insns[index].branch == GILK_BRANCH_RET)
    {
      gilk_reloc_copy (hook->as, hook->cfg, (guint) index);
      return;
    }
  hook->thunk = hook->cfg->insns[index].target;
  gilk_asm_jmp (hook->as, hook->thunk);
}

/* Writes the code of an EXIT operation, by which a program leaves its hook; implements the callback
 * GilkOpsExits.leave. */
static void
emit_exit (GilkAsm *as, GilkExit where, gpointer data)
{
  Hook *hook = data;
  const GilkInsn *insn = &hook->cfg->insns[hook->index];
  ExitJump jump = { .addr = insn->addr + insn->len, .program = hook->program, .where = where };

  if (where == GILK_EXIT_RETURN)
    {
      emit_return (hook);
      return;
    }
  if (where == GILK_EXIT_TARGET)
    jump.addr = insn->target;
  gilk_asm_jmp (as, jump.addr);
  jump.end = as->code->len;
  g_array_append_val (hook->exits, jump);
}

/*
 * Writes the hook's program. @flags_saved: live flags have been pushed. Returns how many of the
 * program's instructions are not on its shortest path.
 */
static guint
emit_program (Hook *hook, gboolean flags_saved)
{
  const GilkOpsBinding binding = {
    .counter = hook->binding->counter, .lost = hook->binding->lost, .missed = hook->binding->missed,
    .iid = hook->binding->iid, .areas = hook->binding->areas, .gates = hook->binding->gates,
    .kernel_end = GILK_OPS_KERNEL_END,
  };
  const GilkOpsExits exits = { emit_exit, hook };
  const GilkOpsPlace place = {
    .live = { hook->live.regs, flags_saved ? 0 : hook->live.flags }, .info = hook->info, .binding = &binding,
    .point = hook->point, .backward = hook->has_std,
    .exits = &exits, .pushed = flags_saved,
  };
  guint before = hook->as->insns, least = gilk_ops_code (hook->as, hook->want->ops, &place);

  return hook->as->insns - before - least;
}

/* ---- code of one hook of any kind ---- */

guint
gilk_hook_flags_clobbered (const GilkWant *want)
{
  if (want->kind == GILK_INLINE_COUNT && !want->gated)
    return GILK_FLAGS_ARITH & ~(guint) GILK_FLAG_CF;
  if (want->kind == GILK_INLINE_PROGRAM && !want->gated)
    return gilk_ops_flags (want->ops);

  return GILK_FLAGS_ARITH;
}

static gboolean
clobbers_live_flags (const Hook *hook)
{
  gboolean calls = hook->want->kind == GILK_INSTRUMENT_MODULE ||
                   (hook->want->kind == GILK_INLINE_PROGRAM && gilk_ops_calls (hook->want->ops));

  if (calls && hook->has_std)
    return TRUE;

  return (hook->live.flags & gilk_hook_flags_clobbered (hook->want)) != 0;
}

/* Writes the code of the hook. Returns the minimum number of instructions that a hit executes. */
static guint
write_hook (Hook *hook)
{
  gboolean in_the_way = clobbers_live_flags (hook);
  gboolean frame = hook->want->kind == GILK_INSTRUMENT_MODULE && hook->want->needs_regs;
  guint before = hook->as->insns, passed_over = 0;
  gsize gate = 0;

  if (in_the_way || frame)
    gilk_asm_pushf (hook->as);
  if (hook->want->gated)
    {
      gilk_asm_test_byte (hook->as, hook->info->gates + (hook->binding->gate != 0 ? hook->binding->gate
                                                                                  : hook->binding->iid));
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
    case GILK_INLINE_PROGRAM:
      passed_over = emit_program (hook, in_the_way);
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

  return hook->as->insns - before - passed_over;
}

GilkLive
gilk_hook_live_at (const GilkSplicePlan *plan, guint block, guint index)
{
  const GilkBlock *b = &plan->cfg->blocks[block];

  if (index < b->first_insn + b->n_insns)
    return plan->liveness->before[index];

  return plan->liveness->after[block];
}

gboolean
gilk_hook_backward (const GilkCfg *cfg)
{
  for (guint i = 0; i < cfg->n_insns; i++)
    if (cfg->insns[i].flags & GILK_INSN_STD)
      return TRUE;

  return FALSE;
}

/* ---- writes all hooks of a patch or clone ---- */

void
gilk_hook_writer_init (GilkHookWriter        *writer,
                       GilkAsm               *as,
                       const GilkSplicePlan  *plan,
                       const struct ilk_info *info,
                       const GilkBinding     *bindings)
{
  *writer = (GilkHookWriter) {
    .as = as, .plan = plan, .info = info, .bindings = bindings,
    .has_std = gilk_hook_backward (plan->cfg),
    .rare = g_array_new (FALSE, TRUE, sizeof (Rare)), .exits = g_array_new (FALSE, TRUE, sizeof (ExitJump)),
  };
}

void
gilk_hook_writer_link_exits (GilkHookWriter *writer,
                             gsize         (*copy_of) (uint64_t addr, gpointer data),
                             gpointer        data)
{
  GilkAsm *as = writer->as;

  for (guint i = 0; i < writer->exits->len; i++)
    {
      const ExitJump *jump = &g_array_index (writer->exits, ExitJump, i);
      gsize copy = copy_of (jump->addr, data);

      if (copy != G_MAXSIZE)
        gilk_asm_land_at (as, jump->end - 4, copy);
      if (jump->program != G_MAXUINT)
        g_array_index (as->programs, GilkCodeProgram, jump->program).exits[jump->where] =
          copy != G_MAXSIZE ? as->base + copy : jump->addr;
    }
}

void
gilk_hook_writer_write_rare (const GilkHookWriter *writer)
{
  emit_rare (writer->as, writer->info, writer->rare);
}

void
gilk_hook_writer_clear (GilkHookWriter *writer)
{
  g_array_unref (writer->rare);
  g_array_unref (writer->exits);
}

void
gilk_hook_writer_finish (GilkHookWriter *writer)
{
  gilk_hook_writer_write_rare (writer);
  gilk_hook_writer_clear (writer);
}

/* Returns the address of instruction @index, or of the block's end after the last one. */
static uint64_t
get_point_address (const GilkCfg *cfg, guint block, guint index)
{
  const GilkBlock *b = &cfg->blocks[block];

  return index < b->first_insn + b->n_insns ? cfg->insns[index].addr : b->end;
}

static Hook
make_hook (const GilkHookWriter *writer, guint want, guint index)
{
  const GilkWant *wanted = &writer->plan->wants[want];

  return (Hook) {
    .cfg = writer->plan->cfg, .index = index, .exits = writer->exits,
    .program = writer->as->programs != NULL ? writer->as->programs->len : G_MAXUINT,
    .as = writer->as, .info = writer->info, .rare = writer->rare, .has_std = writer->has_std,
    .want = wanted, .binding = &writer->bindings[want],
    .live = gilk_hook_live_at (writer->plan, wanted->block, index),
    .point = get_point_address (writer->plan->cfg, wanted->block, index),
  };
}

guint
gilk_hook_writer_hook (const GilkHookWriter *writer,
                       guint                 want,
                       guint                 index)
{
  Hook hook = make_hook (writer, want, index);
  GilkCodeProgram program = { .want = want, .index = index, .offset = writer->as->code->len };
  guint insns = write_hook (&hook);

  program.length = writer->as->code->len - program.offset;
  program.exits[GILK_EXIT_RETURN] = hook.thunk;
  if (hook.want->kind == GILK_INLINE_PROGRAM && writer->as->programs != NULL)
    g_array_append_val (writer->as->programs, program);

  return insns;
}

guint
gilk_hook_writer_count_cost (const GilkHookWriter *writer,
                             guint                 want,
                             guint                 index)
{
  const Hook hook = make_hook (writer, want, index);
  guint cost = clobbers_live_flags (&hook) ? 3 : 1;

  if (!is_near (hook.binding->counter))
    cost += find_dead_register (&hook, 0) < 0 ? 3 : 1;

  return cost;
}

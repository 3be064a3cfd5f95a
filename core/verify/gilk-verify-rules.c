/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-verify-rules.c - verifier: applies the effect of each instruction to what is known about
 * registers and memory
 */
#include <glib/gi18n.h>

#include "core/verify/gilk-verify-step.h"

/* ---- operands ---- */

static GilkValue
get_reg (const GilkVerifyContext *context,
         int                      reg,
         guint                    size)
{
  return gilk_verify_narrow (context->state->regs[reg], size);
}

/* Sets register @reg after a write of @size bytes. A 32-bit write clears the upper half, a
 * narrower write leaves the other bits unchanged. */
static gboolean
set_reg (GilkVerifyContext *context,
         int                reg,
         GilkValue          value,
         guint              size)
{
  if (reg == GILK_STATE_RSP)
    return gilk_verify_refuse (context, N_("this instruction must not change the stack pointer"));

  gilk_state_set_reg (context->state, (guint) reg, size >= 4 ? gilk_verify_narrow (value, size) : gilk_value_any ());

  return TRUE;
}

/* Reads the operand that the ModRM byte's r/m field names: a register or memory. */
static gboolean
read_rm (GilkVerifyContext *context,
         guint              size,
         GilkValue         *value)
{
  GilkMemRef ref;

  if (!context->step->has_mem)
    {
      *value = get_reg (context, context->step->rm, size);
      return TRUE;
    }
  ref = gilk_verify_mem_ref (context, size);

  return gilk_verify_read (context, &ref, value);
}

/* Returns the operand that is not the r/m operand: the immediate, or register @reg. */
static GilkValue
get_other_operand (const GilkVerifyContext *context)
{
  const GilkStep *step = context->step;

  if (step->has_imm)
    return gilk_verify_narrow (gilk_value_number ((uint64_t) step->imm), step->size);

  return get_reg (context, step->reg, step->size);
}

static gboolean
change_mem (GilkVerifyContext *context)
{
  GilkMemRef ref = gilk_verify_mem_ref (context, context->step->size);

  return gilk_verify_change (context, &ref);
}

static void
clobber_flags (GilkVerifyContext *context)
{
  gilk_state_clobber_flags (context->state, GILK_STATE_FLAGS);
}

/* ---- arithmetic ---- */

static GilkValue
set_tag (GilkValue    value,
         GilkValueTag tag,
         guint        which,
         int64_t      n)
{
  value.tag = (uint8_t) tag;
  value.which = (uint8_t) which;
  value.n = (int32_t) n;

  return value;
}

static GilkValue
add_values (GilkValue a,
            GilkValue b)
{
  GilkValue sum = gilk_value_add (a, b);
  uint64_t number;
  gboolean near = gilk_value_is_number (&b, &number) && number + 65536 <= 131072 && ABS (a.n) <= 65536;

  if (a.tag == GILK_VALUE_OFFSET && b.tag == GILK_VALUE_BASE)
    return set_tag (sum, GILK_VALUE_CELL, a.which, 0);
  if (near && (a.tag == GILK_VALUE_HEAD || a.tag == GILK_VALUE_CELL || a.tag == GILK_VALUE_STACK))
    return set_tag (sum, (GilkValueTag) a.tag, a.which, a.n + (int64_t) number);

  return sum;
}

static GilkValue
and_values (const GilkVerifyContext *context,
            GilkValue                a,
            GilkValue                b)
{
  GilkValue both = gilk_value_and (a, b);
  uint64_t number;

  if (a.tag == GILK_VALUE_HEAD && b.tag == GILK_VALUE_MASK && a.n >= 0 && a.n % ILK_CELL == 0 &&
      (guint) a.n / ILK_CELL < context->state->cells)
    return set_tag (both, GILK_VALUE_OFFSET, (guint) a.n / ILK_CELL, 0);
  if (a.tag == GILK_VALUE_PREEMPT && gilk_value_is_number (&b, &number) && number == context->what->info->context_mask)
    return set_tag (both, GILK_VALUE_CONTEXT, 0, 0);

  return both;
}

static GilkValue
compute_alu (const GilkVerifyContext *context,
             GilkValue                a,
             GilkValue                b)
{
  const GilkStep *step = context->step;
  gboolean same = !step->has_mem && !step->has_imm && step->reg == step->rm;

  if (same && (step->op == GILK_STEP_XOR || step->op == GILK_STEP_SUB))
    return gilk_value_number (0);

  switch (step->op)
    {
    case GILK_STEP_ADD:
      return a.tag == GILK_VALUE_BASE ? add_values (b, a) : add_values (a, b);
    case GILK_STEP_SUB:
      return add_values (a, gilk_value_negate (b));
    case GILK_STEP_AND:
      return a.tag == GILK_VALUE_MASK ? and_values (context, b, a) : and_values (context, a, b);
    case GILK_STEP_OR:
    case GILK_STEP_XOR:
      return gilk_value_or (a, b);
    default:
      return gilk_value_any ();
    }
}

/*
 * Returns the location of the r/m operand in the form of GilkFlagsFact.where; -1 if it is in memory
 * whose comparisons are not tracked (only aligned 8-byte stack slots are).
 */
static int
find_rm_location (const GilkVerifyContext *context)
{
  GilkMemRef ref;

  if (!context->step->has_mem)
    return context->step->rm;
  ref = gilk_verify_mem_ref (context, context->step->size);

  return ref.kind == GILK_MEM_REF_STACK && ref.size == 8 && ref.n % 8 == 0 ? 16 - ref.n / 8 - 1 : -1;
}

/* Records that the flags now hold the result of comparing @left with @right. */
static void
record_comparison (GilkVerifyContext *context,
                   GilkValue          left,
                   GilkValue          right)
{
  const GilkStep *step = context->step;
  int rm = find_rm_location (context), reg = step->has_imm ? -1 : step->reg;
  int on_left = step->to_reg ? reg : rm, on_right = step->to_reg ? rm : reg;
  GilkFlagsFact *fact = &context->state->fact;
  uint64_t number;

  *fact = (GilkFlagsFact) { .size = step->size };
  if (step->size == 8 && left.tag == GILK_VALUE_READ_HEAD && right.tag == GILK_VALUE_LIMIT)
    fact->kind = GILK_FLAGS_FACT_ROOM;
  else if (step->size == 8 && left.tag == GILK_VALUE_LIMIT && right.tag == GILK_VALUE_READ_HEAD)
    *fact = (GilkFlagsFact) { .kind = GILK_FLAGS_FACT_ROOM, .swapped = TRUE };
  else if (step->size == 8 && ((left.tag == GILK_VALUE_GUARD && right.tag == GILK_VALUE_CONTEXT) ||
                               (left.tag == GILK_VALUE_CONTEXT && right.tag == GILK_VALUE_GUARD)))
    fact->kind = GILK_FLAGS_FACT_CONTEXT;
  else if (on_left >= 0 && gilk_value_is_number (&right, &number))
    *fact = (GilkFlagsFact) { GILK_FLAGS_FACT_NUMBER, step->size, FALSE, (guint) on_left, number };
  else if (on_right >= 0 && gilk_value_is_number (&left, &number))
    *fact = (GilkFlagsFact) { GILK_FLAGS_FACT_NUMBER, step->size, TRUE, (guint) on_right, number };
}

static gboolean
step_compare (GilkVerifyContext *context)
{
  const GilkStep *step = context->step;
  GilkValue rm, other = get_other_operand (context);

  if (!read_rm (context, step->size, &rm))
    return FALSE;
  clobber_flags (context);
  if (step->kind == GILK_STEP_ALU)
    record_comparison (context, step->to_reg ? other : rm, step->to_reg ? rm : other);
  else if (!step->has_mem && !step->has_imm && step->reg == step->rm)
    record_comparison (context, rm, gilk_value_number (0));

  return TRUE;
}

static gboolean
step_alu (GilkVerifyContext *context)
{
  const GilkStep *step = context->step;
  GilkValue rm, other = get_other_operand (context), result;

  if (step->op == GILK_STEP_CMP)
    return step_compare (context);
  clobber_flags (context);
  if (step->has_mem && !step->to_reg)
    return change_mem (context);
  if (!read_rm (context, step->size, &rm))
    return FALSE;
  result = compute_alu (context, step->to_reg ? other : rm, step->to_reg ? rm : other);

  return set_reg (context, step->to_reg ? step->reg : step->rm, result, step->size);
}

static gboolean
step_one (GilkVerifyContext *context)
{
  const GilkStep *step = context->step;
  uint64_t by = step->kind == GILK_STEP_INC ? 1 : UINT64_MAX;
  GilkValue number = gilk_verify_narrow (gilk_value_number (by), step->size);

  gilk_state_clobber_flags (context->state, GILK_STATE_FLAGS & ~GILK_STATE_CARRY);
  if (step->has_mem)
    return change_mem (context);

  return set_reg (context, step->rm, add_values (get_reg (context, step->rm, step->size), number), step->size);
}

static gboolean
step_negate (GilkVerifyContext *context)
{
  const GilkStep *step = context->step;
  int of = step->rm == context->state->copy ? context->state->copied : -1;
  gboolean negates = step->kind == GILK_STEP_NEG;
  GilkValue value;

  if (negates)
    clobber_flags (context);
  if (step->has_mem)
    return change_mem (context);
  value = get_reg (context, step->rm, step->size);
  if (!set_reg (context, step->rm, negates ? gilk_value_negate (value) : gilk_value_any (), step->size))
    return FALSE;
  if (negates && step->size == 8 && of >= 0)
    context->state->fact = (GilkFlagsFact) { .kind = GILK_FLAGS_FACT_NEGATED, .where = (guint) of };

  return TRUE;
}

static gboolean
step_shift (GilkVerifyContext *context)
{
  const GilkStep *step = context->step;
  guint count = (guint) step->imm & (step->size == 8 ? 63 : 31);
  GilkValue value, result = gilk_value_any ();

  clobber_flags (context);
  if (step->has_mem)
    return change_mem (context);
  value = get_reg (context, step->rm, step->size);
  if (step->has_imm && step->size >= 4 && step->op == GILK_STEP_SHL)
    result = gilk_value_shift_left (value, count);
  else if (step->has_imm && step->size >= 4 &&
           (step->op == GILK_STEP_SHR ||
            (step->op == GILK_STEP_SAR && gilk_value_is_within (&value, 0, step->size == 8 ? INT64_MAX : INT32_MAX))))
    result = gilk_value_shift_right (value, count);

  return set_reg (context, step->rm, result, step->size);
}

/* ---- products and quotients ---- */

static gboolean
set_rax_rdx (GilkVerifyContext *context,
             GilkValue          value)
{
  return set_reg (context, GILK_STATE_RAX, value, 8) && set_reg (context, GILK_STATE_RDX, value, 8);
}

static gboolean
step_multiply (GilkVerifyContext *context)
{
  const GilkStep *step = context->step;
  GilkValue value;

  if (!read_rm (context, step->size, &value))
    return FALSE;
  clobber_flags (context);
  if (step->kind == GILK_STEP_IMUL)
    return set_reg (context, step->reg, gilk_value_any (), step->size);

  return set_rax_rdx (context, gilk_value_any ());
}

static gboolean
step_divide (GilkVerifyContext *context)
{
  const GilkStep *step = context->step;
  GilkState *state = context->state;
  GilkValue divisor, upper = get_reg (context, GILK_STATE_RDX, step->size);
  gboolean is_known = step->size == 8 && !step->has_mem && gilk_state_is_never (state, (guint) step->rm, GILK_NEVER_0);
  uint64_t number;
  gboolean fits;

  if (!read_rm (context, step->size, &divisor))
    return FALSE;
  if (!is_known && gilk_value_may_be (&divisor, 0))
    return gilk_verify_refuse (context, N_("the divisor of a division may be 0"));
  if (step->kind == GILK_STEP_DIV)
    fits = gilk_value_is_number (&upper, &number) && number == 0;
  else
    fits = step->size == 8 && !step->has_mem && state->extended &&
           gilk_state_quotient_fits (state, GILK_STATE_RAX, (guint) step->rm);
  if (!fits)
    return gilk_verify_refuse (context, N_("the quotient may overflow"));
  clobber_flags (context);

  return set_rax_rdx (context, gilk_value_any ());
}

/* ---- moves ---- */

static gboolean
step_move (GilkVerifyContext *context)
{
  const GilkStep *step = context->step;
  GilkState *state = context->state;
  GilkValue value = gilk_value_any ();
  GilkMemRef ref;

  if (step->has_mem && !step->to_reg)
    {
      ref = gilk_verify_mem_ref (context, step->size);
      return gilk_verify_write (context, &ref, get_other_operand (context));
    }

  context->may_load = step->has_mem;
  if (step->has_imm || !step->to_reg)
    {
      value = get_other_operand (context);
      if (!set_reg (context, step->rm, value, step->size))
        return FALSE;
      if (!step->has_imm && step->size == 8 && step->reg != step->rm && step->reg != GILK_STATE_RSP)
        {
          state->copy = step->rm;
          state->copied = step->reg;
        }
      return TRUE;
    }

  return read_rm (context, step->size, &value) && set_reg (context, step->reg, value, step->size);
}

static gboolean
step_extend (GilkVerifyContext *context)
{
  const GilkStep *step = context->step;
  GilkValue value;

  context->may_load = step->has_mem;
  if (!read_rm (context, step->from, &value))
    return FALSE;
  if (step->kind == GILK_STEP_MOVSX)
    value = gilk_value_signed (value, step->from);

  return set_reg (context, step->reg, gilk_value_plain (value), step->size);
}

static gboolean
step_lea (GilkVerifyContext *context)
{
  const GilkStep *step = context->step;
  GilkValue value = gilk_mem_ref_address (context->state, &step->mem, context->next);

  if (step->reg != GILK_STATE_RSP)
    return set_reg (context, step->reg, value, step->size);
  if (step->size != 8 || value.tag != GILK_VALUE_STACK || value.n > 0 || value.n % 8 != 0 ||
      value.n < -8 * (int32_t) GILK_STATE_SLOTS)
    return gilk_verify_refuse (context, N_("the code moves the stack pointer outside of what the hook pushed"));
  gilk_state_set_depth (context->state, (guint) (-value.n / 8));

  return TRUE;
}

static gboolean
step_conditional (GilkVerifyContext *context)
{
  const GilkStep *step = context->step;
  GilkValue value;

  if (step->kind == GILK_STEP_SETCC)
    return step->has_mem ? gilk_verify_refuse (context, N_("the code writes memory that is not the hook's"))
                         : set_reg (context, step->rm, gilk_value_any (), 1);
  if (!read_rm (context, step->size, &value))
    return FALSE;
  value = gilk_value_join (value, get_reg (context, step->reg, step->size));

  return set_reg (context, step->reg, value, step->size);
}

/* ---- the stack ---- */

static gboolean
push_value (GilkVerifyContext *context,
            GilkValue          value)
{
  GilkState *state = context->state;

  if (state->depth == GILK_STATE_SLOTS)
    return gilk_verify_refuse (context, N_("the code pushes too many values onto the stack"));
  gilk_state_set_depth (state, state->depth + 1);
  gilk_state_set_slot (state, state->depth - 1, value);

  return TRUE;
}

static gboolean
step_push (GilkVerifyContext *context)
{
  GilkState *state = context->state;
  GilkValue value;

  if (context->step->kind == GILK_STEP_PUSHF)
    return push_value (context, gilk_value_tagged (GILK_VALUE_FLAGS, state->flags, (int32_t) state->depth));
  if (context->step->has_imm)
    value = get_other_operand (context);
  else if (!read_rm (context, 8, &value))
    return FALSE;

  return push_value (context, value);
}

static gboolean
step_pop (GilkVerifyContext *context)
{
  const GilkStep *step = context->step;
  GilkState *state = context->state;
  GilkValue value;
  GilkMemRef ref;

  if (state->depth == 0)
    return gilk_verify_refuse (context, N_("the code pops more values than it pushed"));
  value = state->slots[state->depth - 1];
  gilk_state_set_depth (state, state->depth - 1);
  if (step->kind == GILK_STEP_POPF)
    {
      if (value.tag != GILK_VALUE_FLAGS || value.n != (int32_t) state->depth)
        return gilk_verify_refuse (context, N_("the code pops flags from a slot where none were pushed"));
      clobber_flags (context);
      state->flags = value.which;
      state->forward = FALSE;
      return TRUE;
    }
  if (!step->has_mem)
    return set_reg (context, step->rm, value, 8);

  ref = gilk_verify_mem_ref (context, 8);
  if (ref.kind == GILK_MEM_REF_STACK)
    return gilk_verify_refuse (context, N_("the code pops a stack slot into another one"));

  return gilk_verify_write (context, &ref, value);
}

/* ---- atomic operations ---- */

static gboolean
step_exchange (GilkVerifyContext *context)
{
  const GilkStep *step = context->step;
  GilkValue a, b;

  if (step->has_mem)
    return change_mem (context) && set_reg (context, step->reg, gilk_value_any (), step->size);
  a = get_reg (context, step->reg, step->size);
  b = get_reg (context, step->rm, step->size);

  return set_reg (context, step->reg, b, step->size) && set_reg (context, step->rm, a, step->size);
}

static gboolean
step_fetch (GilkVerifyContext *context)
{
  const GilkStep *step = context->step;
  gboolean reserves;
  guint cells = context->state->cells;

  clobber_flags (context);
  if (!step->has_mem)
    return gilk_verify_refuse (context, N_("this form of the instruction is not allowed in a hook"));
  if (!change_mem (context))
    return FALSE;
  if (step->kind == GILK_STEP_CMPXCHG)
    return set_reg (context, GILK_STATE_RAX, gilk_value_any (), 8);
  reserves = context->state->cells != cells;

  return set_reg (context, step->reg, reserves ? gilk_value_tagged (GILK_VALUE_HEAD, 0, 0) : gilk_value_any (),
                  step->size);
}

static gboolean
step_scan (GilkVerifyContext *context)
{
  GilkValue value;

  if (!read_rm (context, context->step->size, &value))
    return FALSE;
  clobber_flags (context);
  value = gilk_value_may_be (&value, 0) ? gilk_value_any () : gilk_value_between (0, 63);

  return set_reg (context, context->step->reg, value, context->step->size);
}

static gboolean
step_plain (GilkVerifyContext *context)
{
  guint size = context->step->size;

  switch (context->step->kind)
    {
    case GILK_STEP_CONVERT:
      set_reg (context, GILK_STATE_RDX, gilk_value_any (), size);
      context->state->extended = size == 8;
      return TRUE;
    case GILK_STEP_WIDEN:
      return set_reg (context, GILK_STATE_RAX, gilk_value_any (), size);
    case GILK_STEP_FORWARD:
      gilk_state_clobber_flags (context->state, GILK_STATE_DIRECTION);
      context->state->forward = TRUE;
      return TRUE;
    case GILK_STEP_CLOCK:
      return set_rax_rdx (context, gilk_value_between (0, UINT32_MAX));
    default:
      return TRUE;
    }
}

gboolean
gilk_verify_step (GilkVerifyContext *context)
{
  switch (context->step->kind)
    {
    case GILK_STEP_ALU:     return step_alu (context);
    case GILK_STEP_TEST:    return step_compare (context);
    case GILK_STEP_MOV:     return step_move (context);
    case GILK_STEP_MOVZX:
    case GILK_STEP_MOVSX:   return step_extend (context);
    case GILK_STEP_LEA:     return step_lea (context);
    case GILK_STEP_PUSH:
    case GILK_STEP_PUSHF:   return step_push (context);
    case GILK_STEP_POP:
    case GILK_STEP_POPF:    return step_pop (context);
    case GILK_STEP_INC:
    case GILK_STEP_DEC:     return step_one (context);
    case GILK_STEP_NOT:
    case GILK_STEP_NEG:     return step_negate (context);
    case GILK_STEP_MUL:
    case GILK_STEP_IMUL:    return step_multiply (context);
    case GILK_STEP_DIV:
    case GILK_STEP_IDIV:    return step_divide (context);
    case GILK_STEP_SHIFT:   return step_shift (context);
    case GILK_STEP_XCHG:    return step_exchange (context);
    case GILK_STEP_XADD:
    case GILK_STEP_CMPXCHG: return step_fetch (context);
    case GILK_STEP_SCAN:    return step_scan (context);
    case GILK_STEP_SETCC:
    case GILK_STEP_CMOV:    return step_conditional (context);
    case GILK_STEP_CALL:    return context->replaces ? gilk_verify_replace (context) : gilk_verify_call (context);
    case GILK_STEP_FILL:    return gilk_verify_refuse (context, N_("this instruction is not allowed in a hook"));
    default:                return step_plain (context);
    }
}

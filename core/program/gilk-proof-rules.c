/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-proof-rules.c - verifier: the effect of each instruction on the known state
 */
#include <glib/gi18n.h>

#include "core/program/gilk-proof-walker.h"

/* ---- operands ---- */

static GilkValue
reg_value (const GilkWalker *walker,
           int               reg,
           guint             size)
{
  return gilk_walker_narrow (walker->state->regs[reg], size);
}

/* A 32-bit write clears the upper half of a register, a narrower one keeps the rest. */
static gboolean
set_reg (GilkWalker *walker,
         int         reg,
         GilkValue   value,
         guint       size)
{
  if (reg == GILK_STATE_RSP)
    return gilk_walker_refuse (walker, N_("this instruction must not change the stack pointer"));

  gilk_state_set_reg (walker->state, (guint) reg, size >= 4 ? gilk_walker_narrow (value, size) : gilk_value_any ());

  return TRUE;
}

/* Reads the r/m operand. */
static gboolean
read_rm (GilkWalker *walker,
         guint       size,
         GilkValue  *value)
{
  GilkSpot spot;

  if (!walker->step->has_mem)
    {
      *value = reg_value (walker, walker->step->rm, size);
      return TRUE;
    }
  spot = gilk_walker_spot (walker, size);

  return gilk_walker_read (walker, &spot, value);
}

/* Returns the other operand: the immediate, or @reg. */
static GilkValue
other_value (const GilkWalker *walker)
{
  const GilkStep *step = walker->step;

  if (step->has_imm)
    return gilk_walker_narrow (gilk_value_number ((uint64_t) step->imm), step->size);

  return reg_value (walker, step->reg, step->size);
}

static gboolean
change_mem (GilkWalker *walker)
{
  GilkSpot spot = gilk_walker_spot (walker, walker->step->size);

  return gilk_walker_change (walker, &spot);
}

static void
lose_flags (GilkWalker *walker)
{
  gilk_state_lose_flags (walker->state, GILK_STATE_FLAGS);
}

/* ---- arithmetic ---- */

static GilkValue
named (GilkValue    value,
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
    return named (sum, GILK_VALUE_CELL, a.which, 0);
  if (near && (a.tag == GILK_VALUE_HEAD || a.tag == GILK_VALUE_CELL || a.tag == GILK_VALUE_STACK))
    return named (sum, (GilkValueTag) a.tag, a.which, a.n + (int64_t) number);

  return sum;
}

static GilkValue
and_values (const GilkWalker *walker,
            GilkValue         a,
            GilkValue         b)
{
  GilkValue both = gilk_value_and (a, b);
  uint64_t number;

  if (a.tag == GILK_VALUE_HEAD && b.tag == GILK_VALUE_MASK && a.n >= 0 && a.n % ILK_CELL == 0 &&
      (guint) a.n / ILK_CELL < walker->state->cells)
    return named (both, GILK_VALUE_OFFSET, (guint) a.n / ILK_CELL, 0);
  if (a.tag == GILK_VALUE_PREEMPT && gilk_value_is_number (&b, &number) && number == walker->what->info->context_mask)
    return named (both, GILK_VALUE_CONTEXT, 0, 0);

  return both;
}

/* Returns whether the kernel gave the result: it gave both operands, one not as a mere number. */
static gboolean
are_given (const GilkValue *a,
           const GilkValue *b)
{
  return gilk_value_is_given (a) && gilk_value_is_given (b) &&
         (a->tag == GILK_VALUE_GIVEN || b->tag == GILK_VALUE_GIVEN);
}

static GilkValue
alu_value (const GilkWalker *walker,
           GilkValue         a,
           GilkValue         b)
{
  const GilkStep *step = walker->step;
  gboolean same = !step->has_mem && !step->has_imm && step->reg == step->rm;
  gboolean given = are_given (&a, &b);

  if (same && (step->op == GILK_STEP_XOR || step->op == GILK_STEP_SUB))
    return gilk_value_number (0);

  switch (step->op)
    {
    case GILK_STEP_ADD:
      return gilk_value_given (a.tag == GILK_VALUE_BASE ? add_values (b, a) : add_values (a, b), given);
    case GILK_STEP_SUB:
      return gilk_value_given (add_values (a, gilk_value_minus (b)), given);
    case GILK_STEP_AND:
      return gilk_value_given (a.tag == GILK_VALUE_MASK ? and_values (walker, b, a) : and_values (walker, a, b), given);
    case GILK_STEP_OR:
    case GILK_STEP_XOR:
      return gilk_value_or (a, b);
    default:
      return gilk_value_any ();
    }
}

/* Returns where the r/m operand is, as GilkWatchFact.where; -1 if facts are not tracked there. */
static int
place_of_rm (const GilkWalker *walker)
{
  GilkSpot spot;

  if (!walker->step->has_mem)
    return walker->step->rm;
  spot = gilk_walker_spot (walker, walker->step->size);

  return spot.kind == GILK_SPOT_STACK && spot.size == 8 && spot.n % 8 == 0 ? 16 - spot.n / 8 - 1 : -1;
}

/* Records what the flags now say about @left and @right, the operands of a cmp. */
static void
learn (GilkWalker *walker,
       GilkValue   left,
       GilkValue   right)
{
  const GilkStep *step = walker->step;
  int rm = place_of_rm (walker), reg = step->has_imm ? -1 : step->reg;
  int on_left = step->to_reg ? reg : rm, on_right = step->to_reg ? rm : reg;
  GilkWatchFact *fact = &walker->state->fact;
  uint64_t number;

  *fact = (GilkWatchFact) { .size = step->size };
  if (step->size == 8 && left.tag == GILK_VALUE_SEEN && right.tag == GILK_VALUE_LIMIT)
    fact->kind = GILK_FACT_ROOM;
  else if (step->size == 8 && left.tag == GILK_VALUE_LIMIT && right.tag == GILK_VALUE_SEEN)
    *fact = (GilkWatchFact) { .kind = GILK_FACT_ROOM, .turned = TRUE };
  else if (step->size == 8 && ((left.tag == GILK_VALUE_GUARD && right.tag == GILK_VALUE_CONTEXT) ||
                               (left.tag == GILK_VALUE_CONTEXT && right.tag == GILK_VALUE_GUARD)))
    fact->kind = GILK_FACT_CONTEXT;
  else if (on_left >= 0 && gilk_value_is_number (&right, &number))
    *fact = (GilkWatchFact) { GILK_FACT_NUMBER, step->size, FALSE, (guint) on_left, number };
  else if (on_right >= 0 && gilk_value_is_number (&left, &number))
    *fact = (GilkWatchFact) { GILK_FACT_NUMBER, step->size, TRUE, (guint) on_right, number };
}

static gboolean
compare (GilkWalker *walker)
{
  const GilkStep *step = walker->step;
  GilkValue rm, other = other_value (walker);

  if (!read_rm (walker, step->size, &rm))
    return FALSE;
  lose_flags (walker);
  if (step->kind == GILK_STEP_ALU)
    learn (walker, step->to_reg ? other : rm, step->to_reg ? rm : other);
  else if (!step->has_mem && !step->has_imm && step->reg == step->rm)
    learn (walker, rm, gilk_value_number (0));

  return TRUE;
}

static gboolean
step_alu (GilkWalker *walker)
{
  const GilkStep *step = walker->step;
  GilkValue rm, other = other_value (walker), result;

  if (step->op == GILK_STEP_CMP)
    return compare (walker);
  lose_flags (walker);
  if (step->has_mem && !step->to_reg)
    return change_mem (walker);
  if (!read_rm (walker, step->size, &rm))
    return FALSE;
  result = alu_value (walker, step->to_reg ? other : rm, step->to_reg ? rm : other);

  return set_reg (walker, step->to_reg ? step->reg : step->rm, result, step->size);
}

static gboolean
step_one (GilkWalker *walker)
{
  const GilkStep *step = walker->step;
  uint64_t by = step->kind == GILK_STEP_INC ? 1 : UINT64_MAX;
  GilkValue number = gilk_walker_narrow (gilk_value_number (by), step->size);

  gilk_state_lose_flags (walker->state, GILK_STATE_FLAGS & ~GILK_STATE_CARRY);
  if (step->has_mem)
    return change_mem (walker);

  return set_reg (walker, step->rm, add_values (reg_value (walker, step->rm, step->size), number), step->size);
}

static gboolean
step_negate (GilkWalker *walker)
{
  const GilkStep *step = walker->step;
  int of = step->rm == walker->state->copy ? walker->state->copied : -1;
  gboolean negates = step->kind == GILK_STEP_NEG;
  GilkValue value;

  if (negates)
    lose_flags (walker);
  if (step->has_mem)
    return change_mem (walker);
  value = reg_value (walker, step->rm, step->size);
  if (!set_reg (walker, step->rm, negates ? gilk_value_minus (value) : gilk_value_any (), step->size))
    return FALSE;
  if (negates && step->size == 8 && of >= 0)
    walker->state->fact = (GilkWatchFact) { .kind = GILK_FACT_NEGATED, .where = (guint) of };

  return TRUE;
}

static gboolean
step_shift (GilkWalker *walker)
{
  const GilkStep *step = walker->step;
  guint count = (guint) step->imm & (step->size == 8 ? 63 : 31);
  GilkValue value, result = gilk_value_any ();
  gboolean given = step->op == GILK_STEP_SHL && (step->has_imm || gilk_value_is_given (&walker->state->regs[GILK_STATE_RCX]));

  lose_flags (walker);
  if (step->has_mem)
    return change_mem (walker);
  value = reg_value (walker, step->rm, step->size);
  if (step->has_imm && step->size >= 4 && step->op == GILK_STEP_SHL)
    result = gilk_value_left (value, count);
  else if (step->has_imm && step->size >= 4 &&
           (step->op == GILK_STEP_SHR ||
            (step->op == GILK_STEP_SAR && gilk_value_is_within (&value, 0, step->size == 8 ? INT64_MAX : INT32_MAX))))
    result = gilk_value_right (value, count);

  return set_reg (walker, step->rm, gilk_value_given (result, given && value.tag == GILK_VALUE_GIVEN), step->size);
}

/* ---- products and quotients ---- */

static gboolean
set_rax_rdx (GilkWalker *walker,
             GilkValue   value)
{
  return set_reg (walker, GILK_STATE_RAX, value, 8) && set_reg (walker, GILK_STATE_RDX, value, 8);
}

static gboolean
step_multiply (GilkWalker *walker)
{
  const GilkStep *step = walker->step;
  GilkValue value, other;

  if (!read_rm (walker, step->size, &value))
    return FALSE;
  lose_flags (walker);
  other = other_value (walker);
  if (step->kind == GILK_STEP_IMUL)
    return set_reg (walker, step->reg, gilk_value_given (gilk_value_any (), are_given (&value, &other)), step->size);

  return set_rax_rdx (walker, gilk_value_any ());
}

static gboolean
step_divide (GilkWalker *walker)
{
  const GilkStep *step = walker->step;
  GilkState *state = walker->state;
  GilkValue divisor, upper = reg_value (walker, GILK_STATE_RDX, step->size);
  gboolean is_known = step->size == 8 && !step->has_mem && gilk_state_is_never (state, (guint) step->rm, GILK_NEVER_0);
  uint64_t number;
  gboolean fits;

  if (!read_rm (walker, step->size, &divisor))
    return FALSE;
  if (!is_known && gilk_value_may_be (&divisor, 0))
    return gilk_walker_refuse (walker, N_("the divisor may be 0"));
  if (step->kind == GILK_STEP_DIV)
    fits = gilk_value_is_number (&upper, &number) && number == 0;
  else
    fits = step->size == 8 && !step->has_mem && state->extended &&
           gilk_state_divides (state, GILK_STATE_RAX, (guint) step->rm);
  if (!fits)
    return gilk_walker_refuse (walker, N_("the quotient may overflow"));
  lose_flags (walker);

  return set_rax_rdx (walker, gilk_value_any ());
}

/* ---- moves ---- */

static gboolean
step_move (GilkWalker *walker)
{
  const GilkStep *step = walker->step;
  GilkState *state = walker->state;
  GilkValue value = gilk_value_any ();
  GilkSpot spot;

  if (step->has_mem && !step->to_reg)
    {
      spot = gilk_walker_spot (walker, step->size);
      return gilk_walker_write (walker, &spot, other_value (walker));
    }

  walker->may_load = step->has_mem;
  if (step->has_imm || !step->to_reg)
    {
      value = other_value (walker);
      if (!set_reg (walker, step->rm, value, step->size))
        return FALSE;
      if (!step->has_imm && step->size == 8 && step->reg != step->rm && step->reg != GILK_STATE_RSP)
        {
          state->copy = step->rm;
          state->copied = step->reg;
        }
      return TRUE;
    }

  return read_rm (walker, step->size, &value) && set_reg (walker, step->reg, value, step->size);
}

static gboolean
step_extend (GilkWalker *walker)
{
  const GilkStep *step = walker->step;
  GilkValue value;
  gboolean given;

  walker->may_load = step->has_mem;
  if (!read_rm (walker, step->from, &value))
    return FALSE;
  given = value.tag == GILK_VALUE_GIVEN;
  if (step->kind == GILK_STEP_MOVSX)
    value = gilk_value_signed (value, step->from);

  return set_reg (walker, step->reg, gilk_value_given (gilk_value_plain (value), given), step->size);
}

static gboolean
step_lea (GilkWalker *walker)
{
  const GilkStep *step = walker->step;
  GilkValue value = gilk_spot_address (walker->state, &step->mem, walker->next);

  if (step->reg != GILK_STATE_RSP)
    return set_reg (walker, step->reg, value, step->size);
  if (step->size != 8 || value.tag != GILK_VALUE_STACK || value.n > 0 || value.n % 8 != 0 ||
      value.n < -8 * (int32_t) GILK_STATE_SLOTS)
    return gilk_walker_refuse (walker, N_("it moves the stack pointer outside of what the hook pushed"));
  gilk_state_set_depth (walker->state, (guint) (-value.n / 8));

  return TRUE;
}

static gboolean
step_conditional (GilkWalker *walker)
{
  const GilkStep *step = walker->step;
  GilkValue value;

  if (step->kind == GILK_STEP_SETCC)
    return step->has_mem ? gilk_walker_refuse (walker, N_("it writes memory that is not the hook's"))
                         : set_reg (walker, step->rm, gilk_value_any (), 1);
  if (!read_rm (walker, step->size, &value))
    return FALSE;
  value = gilk_value_join (value, reg_value (walker, step->reg, step->size));

  return set_reg (walker, step->reg, value, step->size);
}

/* ---- the stack ---- */

static gboolean
push (GilkWalker *walker,
      GilkValue   value)
{
  GilkState *state = walker->state;

  if (state->depth == GILK_STATE_SLOTS)
    return gilk_walker_refuse (walker, N_("it pushes too many values"));
  gilk_state_set_depth (state, state->depth + 1);
  gilk_state_set_slot (state, state->depth - 1, value);

  return TRUE;
}

static gboolean
step_push (GilkWalker *walker)
{
  GilkState *state = walker->state;
  GilkValue value;

  if (walker->step->kind == GILK_STEP_PUSHF)
    return push (walker, gilk_value_tagged (GILK_VALUE_FLAGS, state->flags, (int32_t) state->depth));
  if (walker->step->has_imm)
    value = other_value (walker);
  else if (!read_rm (walker, 8, &value))
    return FALSE;

  return push (walker, value);
}

static gboolean
step_pop (GilkWalker *walker)
{
  const GilkStep *step = walker->step;
  GilkState *state = walker->state;
  GilkValue value;
  GilkSpot spot;

  if (state->depth == 0)
    return gilk_walker_refuse (walker, N_("it pops more than it pushed"));
  value = state->slots[state->depth - 1];
  gilk_state_set_depth (state, state->depth - 1);
  if (step->kind == GILK_STEP_POPF)
    {
      if (value.tag != GILK_VALUE_FLAGS || value.n != (int32_t) state->depth)
        return gilk_walker_refuse (walker, N_("it pops flags from a slot where none were pushed"));
      lose_flags (walker);
      state->flags = value.which;
      state->forward = FALSE;
      return TRUE;
    }
  if (!step->has_mem)
    return set_reg (walker, step->rm, value, 8);

  spot = gilk_walker_spot (walker, 8);
  if (spot.kind == GILK_SPOT_STACK)
    return gilk_walker_refuse (walker, N_("it pops a stack slot into another one"));

  return gilk_walker_write (walker, &spot, value);
}

/* ---- atomic operations ---- */

static gboolean
step_exchange (GilkWalker *walker)
{
  const GilkStep *step = walker->step;
  GilkValue a, b;

  if (step->has_mem)
    return change_mem (walker) && set_reg (walker, step->reg, gilk_value_any (), step->size);
  a = reg_value (walker, step->reg, step->size);
  b = reg_value (walker, step->rm, step->size);

  return set_reg (walker, step->reg, b, step->size) && set_reg (walker, step->rm, a, step->size);
}

static gboolean
step_fetch (GilkWalker *walker)
{
  const GilkStep *step = walker->step;
  gboolean reserves;
  guint cells = walker->state->cells;

  lose_flags (walker);
  if (!step->has_mem)
    return gilk_walker_refuse (walker, N_("this form of the instruction is not allowed in a hook"));
  if (!change_mem (walker))
    return FALSE;
  if (step->kind == GILK_STEP_CMPXCHG)
    return set_reg (walker, GILK_STATE_RAX, gilk_value_any (), 8);
  reserves = walker->state->cells != cells;

  return set_reg (walker, step->reg, reserves ? gilk_value_tagged (GILK_VALUE_HEAD, 0, 0) : gilk_value_any (),
                  step->size);
}

static gboolean
step_scan (GilkWalker *walker)
{
  GilkValue value;

  if (!read_rm (walker, walker->step->size, &value))
    return FALSE;
  lose_flags (walker);
  value = gilk_value_may_be (&value, 0) ? gilk_value_any () : gilk_value_between (0, 63);

  return set_reg (walker, walker->step->reg, value, walker->step->size);
}

static gboolean
step_plain (GilkWalker *walker)
{
  guint size = walker->step->size;

  switch (walker->step->kind)
    {
    case GILK_STEP_CONVERT:
      set_reg (walker, GILK_STATE_RDX, gilk_value_any (), size);
      walker->state->extended = size == 8;
      return TRUE;
    case GILK_STEP_WIDEN:
      return set_reg (walker, GILK_STATE_RAX, gilk_value_any (), size);
    case GILK_STEP_FORWARD:
      gilk_state_lose_flags (walker->state, GILK_STATE_DIRECTION);
      walker->state->forward = TRUE;
      return TRUE;
    case GILK_STEP_CLOCK:
      return set_rax_rdx (walker, gilk_value_between (0, UINT32_MAX));
    default:
      return TRUE;
    }
}

gboolean
gilk_walker_step (GilkWalker *walker)
{
  switch (walker->step->kind)
    {
    case GILK_STEP_ALU:     return step_alu (walker);
    case GILK_STEP_TEST:    return compare (walker);
    case GILK_STEP_MOV:     return step_move (walker);
    case GILK_STEP_MOVZX:
    case GILK_STEP_MOVSX:   return step_extend (walker);
    case GILK_STEP_LEA:     return step_lea (walker);
    case GILK_STEP_PUSH:
    case GILK_STEP_PUSHF:   return step_push (walker);
    case GILK_STEP_POP:
    case GILK_STEP_POPF:    return step_pop (walker);
    case GILK_STEP_INC:
    case GILK_STEP_DEC:     return step_one (walker);
    case GILK_STEP_NOT:
    case GILK_STEP_NEG:     return step_negate (walker);
    case GILK_STEP_MUL:
    case GILK_STEP_IMUL:    return step_multiply (walker);
    case GILK_STEP_DIV:
    case GILK_STEP_IDIV:    return step_divide (walker);
    case GILK_STEP_SHIFT:   return step_shift (walker);
    case GILK_STEP_XCHG:    return step_exchange (walker);
    case GILK_STEP_XADD:
    case GILK_STEP_CMPXCHG: return step_fetch (walker);
    case GILK_STEP_SCAN:    return step_scan (walker);
    case GILK_STEP_SETCC:
    case GILK_STEP_CMOV:    return step_conditional (walker);
    case GILK_STEP_CALL:    return walker->replaces ? gilk_walker_replace (walker) : gilk_walker_call (walker);
    case GILK_STEP_FILL:    return gilk_walker_refuse (walker, N_("this instruction is not allowed in a hook"));
    default:                return step_plain (walker);
    }
}

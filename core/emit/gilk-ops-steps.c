/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-ops-steps.c - writes the instructions of operations on values
 */
#include "core/emit/gilk-ops-writer.h"

#include "ilk/ilk-abi.h"

enum { EX_TYPE_DEFAULT = 1 };           /* type of exception-table entries that have a fixup */

/* ---- code of moves and arithmetic ---- */

static void
emit_move (GilkOpsWriter *w, guint to, guint from)
{
  if (to != from)
    gilk_asm_mov (w->as, to, from);
}

static void
step_register (GilkOpsWriter *w)
{
  const GilkLiveRange *range = gilk_ops_range (w->frame, w->has->to);
  guint reg = (guint) w->op->imm;
  GilkMem saved;

  if (range->held)
    return;
  if (reg == GILK_RSP)
    gilk_asm_mem (w->as, TRUE, 0x8d, gilk_ops_out (w), gilk_mem (GILK_RSP, (int32_t) w->as->depth));
  else if (gilk_ops_saved_at (w, reg, &saved))
    gilk_asm_load (w->as, 8, FALSE, gilk_ops_out (w), saved);
  else
    emit_move (w, gilk_ops_out (w), reg);
}

static void
step_clock (GilkOpsWriter *w)
{
  guint to = gilk_ops_out (w);

  gilk_asm_raw (w->as, (const uint8_t[]) { 0x0f, 0x31 }, 2);
  gilk_asm_shift (w->as, TRUE, GILK_SHL, GILK_RDX, 32);
  gilk_asm_reg (w->as, TRUE, 0x09, to == GILK_RDX ? GILK_RAX : GILK_RDX, to == GILK_RDX ? GILK_RDX : GILK_RAX);
  if (to != GILK_RDX)
    emit_move (w, to, GILK_RAX);
}

static void
step_move (GilkOpsWriter *w)
{
  int64_t number;

  if (gilk_ops_constant (w, w->has->a, &number))
    gilk_asm_mov_imm (w->as, gilk_ops_out (w), (uint64_t) number);
  else
    emit_move (w, gilk_ops_out (w), gilk_ops_in_a (w));
}

static void
step_add (GilkOpsWriter *w)
{
  guint a = gilk_ops_in_a (w), to;
  GilkMem sum = gilk_mem ((int) a, (int32_t) w->op->imm);

  if (w->has->b >= 0)
    {
      guint b = gilk_ops_in_b (w);

      to = gilk_ops_out (w);
      emit_move (w, to, to == b ? b : a);
      gilk_asm_reg (w->as, TRUE, 0x01, to == b ? a : b, to);
      return;
    }

  to = gilk_ops_out (w);
  if (to == a)
    gilk_asm_imm (w->as, TRUE, GILK_ADD, to, (int32_t) w->op->imm);
  else
    gilk_asm_mem (w->as, TRUE, 0x8d, to, sum);
}

static guint
get_digit (const GilkOp *op)
{
  switch (op->kind)
    {
    case GILK_OP_SUB: return GILK_SUB;
    case GILK_OP_AND: return GILK_AND;
    case GILK_OP_OR:  return GILK_OR;
    case GILK_OP_XOR: return GILK_XOR;
    case GILK_OP_SHL: return GILK_SHL;
    case GILK_OP_SHR: return GILK_SHR;
    case GILK_OP_SAR:
    default:          return GILK_SAR;
    }
}

static void
step_bits (GilkOpsWriter *w)
{
  guint a = gilk_ops_in_a (w), digit = get_digit (w->op), b, to;

  if (w->has->b < 0)
    {
      to = gilk_ops_out (w);
      emit_move (w, to, a);
      gilk_asm_imm (w->as, TRUE, digit, to, (int32_t) w->op->imm);
      return;
    }

  b = gilk_ops_in_b (w);
  to = gilk_ops_out (w);
  if (to == b && to != a)
    {
      if (w->op->kind == GILK_OP_SUB)
        gilk_asm_unary (w->as, GILK_NEG, to);
      gilk_asm_reg (w->as, TRUE, w->op->kind == GILK_OP_SUB ? 0x01 : digit << 3 | 1, a, to);
      return;
    }
  emit_move (w, to, a);
  gilk_asm_reg (w->as, TRUE, digit << 3 | 1, b, to);
}

static void
step_mul (GilkOpsWriter *w)
{
  guint a = gilk_ops_in_a (w), b, to;

  if (w->has->b < 0)
    {
      gilk_asm_imul_imm (w->as, gilk_ops_out (w), a, (int32_t) w->op->imm);
      return;
    }

  b = gilk_ops_in_b (w);
  to = gilk_ops_out (w);
  emit_move (w, to, to == b ? b : a);
  gilk_asm_reg (w->as, TRUE, 0x0faf, to, to == b ? a : b);
}

static void
step_shift (GilkOpsWriter *w)
{
  guint a = gilk_ops_in_a (w), to;

  if (w->has->b >= 0)
    emit_move (w, GILK_RCX, gilk_ops_in_b (w));
  to = gilk_ops_out (w);
  emit_move (w, to, a);
  if (w->has->b >= 0)
    gilk_asm_shift_cl (w->as, get_digit (w->op), to);
  else if ((w->op->imm & 63) != 0)
    gilk_asm_shift (w->as, TRUE, get_digit (w->op), to, (guint) (w->op->imm & 63));
}

/* ---- code of divisions and buckets ---- */

/* Writes code that checks for INT64_MIN / -1, which overflows and would trap. */
static void
emit_overflow_check (GilkOpsWriter *w, guint a, guint b)
{
  gsize other;

  gilk_asm_imm (w->as, TRUE, GILK_CMP, b, -1);
  other = gilk_asm_jcc_ahead (w->as, GILK_CC_NE);
  gilk_asm_mov (w->as, GILK_RAX, a);
  gilk_asm_unary (w->as, GILK_NEG, GILK_RAX);
  gilk_ops_goto (w, gilk_asm_jcc_ahead (w->as, GILK_CC_O));
  gilk_asm_land (w->as, other);
}

static void
step_divide (GilkOpsWriter *w)
{
  guint a = gilk_ops_in_a (w), b = gilk_ops_temp (w, 2);
  gboolean by_number = w->has->b < 0;

  if (by_number)
    gilk_asm_mov_imm (w->as, b, (uint64_t) w->op->imm);
  else
    b = gilk_ops_in_b (w);
  if (!by_number || w->op->imm == 0)
    {
      gilk_asm_reg (w->as, TRUE, 0x85, b, b);
      gilk_ops_goto (w, gilk_asm_jcc_ahead (w->as, GILK_CC_E));
    }
  if (w->op->is_signed && (!by_number || w->op->imm == -1))
    emit_overflow_check (w, a, b);

  gilk_asm_mov (w->as, GILK_RAX, a);
  if (w->op->is_signed)
    gilk_asm_raw (w->as, (const uint8_t[]) { 0x48, 0x99 }, 2);
  else
    gilk_asm_mov_imm (w->as, GILK_RDX, 0);
  gilk_asm_unary (w->as, w->op->is_signed ? GILK_IDIV : GILK_DIV, b);
  emit_move (w, gilk_ops_out (w), w->op->kind == GILK_OP_DIV ? GILK_RAX : GILK_RDX);
}

/* Writes code that computes gilk_ops_bucket() without a branch. */
static void
step_bucket (GilkOpsWriter *w)
{
  guint bits = (guint) w->op->imm, a = gilk_ops_in_a (w), to = gilk_ops_out (w);

  gilk_asm_mov (w->as, GILK_RCX, a);
  gilk_asm_imm (w->as, TRUE, GILK_OR, GILK_RCX, 1 << bits);
  gilk_asm_reg (w->as, TRUE, 0x0fbd, GILK_RCX, GILK_RCX);
  if (bits > 0)
    gilk_asm_imm (w->as, FALSE, GILK_SUB, GILK_RCX, (int32_t) bits);
  emit_move (w, to, a);
  gilk_asm_shift_cl (w->as, GILK_SHR, to);
  if (bits > 0)
    gilk_asm_shift (w->as, FALSE, GILK_SHL, GILK_RCX, bits);
  gilk_asm_reg (w->as, TRUE, 0x01, GILK_RCX, to);
}

/* ---- code of conditional branches ---- */

static guint
get_condition (GilkCompare compare)
{
  static const uint8_t conditions[] = {
    [GILK_IF_EQ] = GILK_CC_E, [GILK_IF_NE] = GILK_CC_NE,
    [GILK_IF_BELOW] = GILK_CC_B, [GILK_IF_NOT_ABOVE] = GILK_CC_BE,
    [GILK_IF_ABOVE] = GILK_CC_A, [GILK_IF_NOT_BELOW] = GILK_CC_AE,
    [GILK_IF_LESS] = GILK_CC_L, [GILK_IF_NOT_GREATER] = GILK_CC_LE,
    [GILK_IF_GREATER] = GILK_CC_G, [GILK_IF_NOT_LESS] = GILK_CC_GE,
    [GILK_IF_BITS] = GILK_CC_NE, [GILK_IF_NO_BITS] = GILK_CC_E,
  };

  return conditions[compare];
}

static void
test_bits (GilkOpsWriter *w, guint a)
{
  int32_t imm = (int32_t) w->op->imm;

  gilk_asm_test_imm (w->as, imm < 0, a, imm);
}

static void
step_branch (GilkOpsWriter *w)
{
  gboolean bits = w->op->compare == GILK_IF_BITS || w->op->compare == GILK_IF_NO_BITS;
  guint a = gilk_ops_in_a (w);

  if (w->has->b >= 0)
    gilk_asm_reg (w->as, TRUE, bits ? 0x85 : 0x39, gilk_ops_in_b (w), a);
  else if (bits)
    test_bits (w, a);
  else if (w->op->imm == 0)
    gilk_asm_reg (w->as, TRUE, 0x85, a, a);
  else
    gilk_asm_imm (w->as, TRUE, GILK_CMP, a, (int32_t) w->op->imm);
  gilk_ops_goto (w, gilk_asm_jcc_ahead (w->as, get_condition ((GilkCompare) w->op->compare)));
}

/* ---- code of loads and stores of kernel memory ---- */

static gboolean
is_known (const GilkOpsWriter *w, const GilkOpsKnown *wanted)
{
  for (guint i = 0; i < w->known->len; i++)
    {
      const GilkOpsKnown *known = &g_array_index (w->known, GilkOpsKnown, i);

      if (known->value == wanted->value && known->bound <= wanted->bound)
        return TRUE;
    }

  return FALSE;
}

static void
drop_known (GilkOpsWriter *w, guint value)
{
  for (guint i = w->known->len; i-- > 0;)
    if (g_array_index (w->known, GilkOpsKnown, i).value == value)
      g_array_remove_index_fast (w->known, i);
}

/* Writes code that branches to the operation's label unless address @a is below the bound in
 * @wanted. The comparison is signed. */
static void
emit_bound_check (GilkOpsWriter *w, guint a, const GilkOpsKnown *wanted)
{
  if (wanted->bound != (int32_t) wanted->bound)
    w->as->too_far = TRUE;
  gilk_asm_imm (w->as, TRUE, GILK_CMP, a, (int32_t) wanted->bound);
  gilk_ops_goto (w, gilk_asm_jcc_ahead (w->as, GILK_CC_GE));
}

/* Writes a load or a store. The code branches to the operation's label if the access fails. */
static void
step_load (GilkOpsWriter *w)
{
  const gboolean stores = w->op->kind == GILK_OP_STORE;
  const GilkOpsKnown known = {
    w->op->a, gilk_ops_load_bound (w->frame->place->binding->kernel_end, w->op->imm, w->op->size),
  };
  const GilkOpsBranch fault = {
    .branch = G_MAXSIZE, .fault = w->as->faults != NULL ? w->as->faults->len : 0, .label = w->op->label, .from = w->i,
  };
  guint a = gilk_ops_in_a (w), other = stores ? gilk_ops_in_b (w) : gilk_ops_out (w);
  GilkMem mem = gilk_mem ((int) a, (int32_t) w->op->imm);
  struct ilk_fault entry = { .data = EX_TYPE_DEFAULT };

  if (!is_known (w, &known) || w->has->in_a >= 0)
    {
      emit_bound_check (w, a, &known);
      g_array_append_val (w->known, known);
    }
  if (w->as->faults != NULL)
    {
      entry.offset = w->as->code->len;
      g_array_append_val (w->as->faults, entry);
      g_array_append_val (w->branches, fault);
    }
  if (stores)
    gilk_asm_store (w->as, w->op->size, other, mem);
  else
    gilk_asm_load (w->as, w->op->size, w->op->is_signed, other, mem);
}

/* ---- code of all other operations ---- */

static void
step_cpu_load (GilkOpsWriter *w)
{
  GilkMem mem = gilk_ops_mem_gs (w, (uint64_t) w->op->imm, gilk_ops_temp (w, 0));

  gilk_asm_load (w->as, w->op->size, w->op->is_signed, gilk_ops_out (w), mem);
}

static void
step_count (GilkOpsWriter *w)
{
  gilk_asm_mem (w->as, TRUE, 0xff, 0, gilk_ops_mem_gs (w, w->frame->place->binding->counter, gilk_ops_temp (w, 0)));
}

static void
step_gate (GilkOpsWriter *w)
{
  uint32_t iid = w->frame->place->binding->gates[w->op->imm];

  gilk_asm_set_byte (w->as, w->frame->place->info->gates + iid, (uint8_t) w->op->imm2);
}

static void
step_register_set (GilkOpsWriter *w)
{
  guint reg = (guint) w->op->imm;
  int64_t number = 0;
  gboolean constant = w->has->in_a < 0 && gilk_ops_constant (w, w->has->a, &number);
  GilkMem saved;

  if (!gilk_ops_saved_at (w, reg, &saved))
    {
      if (constant)
        gilk_asm_mov_imm (w->as, reg, (uint64_t) number);
      else
        emit_move (w, reg, gilk_ops_in_a (w));
    }
  else if (constant)
    gilk_asm_store_imm (w->as, TRUE, (int32_t) number, saved);
  else
    gilk_asm_store (w->as, 8, gilk_ops_in_a (w), saved);
}

static void
step_value (GilkOpsWriter *w)
{
  guint a;

  switch (w->op->kind)
    {
    case GILK_OP_CONST:
      gilk_asm_mov_imm (w->as, gilk_ops_out (w), (uint64_t) w->op->imm);
      break;
    case GILK_OP_REGISTER:
      step_register (w);
      break;
    case GILK_OP_CLOCK:
      step_clock (w);
      break;
    case GILK_OP_MOVE:
      step_move (w);
      break;
    case GILK_OP_EXTEND:
      a = gilk_ops_in_a (w);
      gilk_asm_extend (w->as, w->op->size, w->op->is_signed, gilk_ops_out (w), a);
      break;
    case GILK_OP_ADD:
      step_add (w);
      break;
    case GILK_OP_MUL:
      step_mul (w);
      break;
    case GILK_OP_SHL: case GILK_OP_SHR: case GILK_OP_SAR:
      step_shift (w);
      break;
    case GILK_OP_DIV: case GILK_OP_MOD:
      step_divide (w);
      break;
    case GILK_OP_BUCKET:
      step_bucket (w);
      break;
    default:
      step_bits (w);
    }
}

static void
step_memory (GilkOpsWriter *w)
{
  switch (w->op->kind)
    {
    case GILK_OP_LOAD: case GILK_OP_STORE:
      if (w->op->is_user)
        gilk_ops_step_user_load (w);
      else
        step_load (w);
      break;
    case GILK_OP_CPU_LOAD:
      step_cpu_load (w);
      break;
    case GILK_OP_MAP_SLOT: case GILK_OP_MAP_FIND:
      gilk_ops_step_map (w);
      break;
    default:
      gilk_ops_step_area (w);
    }
}

static void
step_other (GilkOpsWriter *w)
{
  switch (w->op->kind)
    {
    case GILK_OP_BRANCH:
      step_branch (w);
      break;
    case GILK_OP_ENTER: case GILK_OP_LEAVE:
      gilk_ops_step_critical (w);
      break;
    case GILK_OP_GATE:
      step_gate (w);
      break;
    case GILK_OP_COUNT:
      step_count (w);
      break;
    case GILK_OP_CALL:
      gilk_ops_step_call (w);
      break;
    case GILK_OP_REGISTER_SET:
      step_register_set (w);
      break;
    default:
      gilk_ops_step_sample (w);
    }
}

void
gilk_ops_step (GilkOpsWriter *w)
{
  const GilkLiveRange *to = w->has->to >= 0 ? gilk_ops_range (w->frame, w->has->to) : NULL;

  if (to != NULL && to->constant)
    return;
  if (w->op->kind <= GILK_OP_BUCKET)
    step_value (w);
  else if (w->op->kind >= GILK_OP_LOAD && w->op->kind <= GILK_OP_MAP_FIND)
    step_memory (w);
  else
    step_other (w);

  if (to == NULL)
    return;
  drop_known (w, w->op->to);
  if (to->slot >= 0)
    gilk_asm_store (w->as, 8, gilk_ops_out (w), gilk_ops_slot (to));
}

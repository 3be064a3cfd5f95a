/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-lower-emit.c - emits operations, and allocates their values and labels
 *
 * Unreachable operations are not emitted. The numbers of values are reused only when no new number
 * is left, because a number that is in use for a short time only is easier to keep in a register.
 */
#include "core/program/gilk-lower-private.h"

#include <glib/gi18n.h>

typedef enum { OPERATIONS, VALUES, BRANCHES } Bound;

static void
fail_too_long (GilkLower *lower, Bound bound)
{
  const GilkTextPart here = { lower->place, 0 };
  GilkSource *source = lower->typing->source;

  if (bound == OPERATIONS)
    gilk_source_fail (source, here, _("The program is too long: it exceeds %d operations here."),
                      GILK_OPS_MAX);
  else if (bound == VALUES)
    gilk_source_fail (source, here, _("The program is too long: it exceeds %d values here."),
                      GILK_OPS_VALUES);
  else
    gilk_source_fail (source, here, _("The program is too long: it exceeds %d branches here."),
                      GILK_OPS_LABELS);
}

GilkOp
gilk_lower_op (GilkOpKind kind)
{
  return (GilkOp) {
    .kind = kind, .to = GILK_NO_VALUE, .a = GILK_NO_VALUE, .b = GILK_NO_VALUE, .index = GILK_NO_VALUE,
    .label = GILK_NO_LABEL,
  };
}

void
gilk_lower_add (GilkLower *lower,
                GilkOp     op)
{
  if (lower->dead)
    return;
  if (lower->ops->ops->len == GILK_OPS_MAX)
    {
      fail_too_long (lower, OPERATIONS);
      return;
    }
  op.place = lower->place;
  gilk_ops_add (lower->ops, &op);
}

/* ---- values ---- */

static guint
new_value (GilkLower *lower)
{
  guint value = 0;

  if (lower->ops->n_values < GILK_OPS_VALUES)
    return gilk_ops_value (lower->ops);
  if (lower->spare->len == 0)
    {
      fail_too_long (lower, VALUES);
      return 0;
    }
  value = g_array_index (lower->spare, guint, lower->spare->len - 1);
  g_array_set_size (lower->spare, lower->spare->len - 1);

  return value;
}

guint
gilk_lower_value (GilkLower *lower)
{
  guint value = new_value (lower);

  g_array_append_val (lower->temporary, value);

  return value;
}

guint
gilk_lower_let (GilkLower *lower)
{
  guint value = new_value (lower);

  lower->is_let[value] = TRUE;

  return value;
}

void
gilk_lower_end_statement (GilkLower *lower)
{
  g_array_append_vals (lower->spare, lower->temporary->data, lower->temporary->len);
  g_array_set_size (lower->temporary, 0);
  lower->task = GILK_NO_VALUE;
}

/* If @operand is a temporary value, marks it as free for reuse, because the next operation is the
 * last to read it. */
static void
release_temporary (GilkLower *lower, GilkOperand operand)
{
  if (operand.is_constant || operand.value == lower->task)
    return;
  for (guint i = lower->temporary->len; i-- > 0;)
    if (g_array_index (lower->temporary, guint, i) == operand.value)
      {
        g_array_remove_index_fast (lower->temporary, i);
        g_array_append_val (lower->spare, operand.value);
        return;
      }
}

/* ---- control flow ---- */

guint
gilk_lower_label (GilkLower    *lower,
                  GilkOpTarget *target)
{
  if (lower->dead || target->is_used)
    return target->label;
  target->is_used = TRUE;
  if (lower->ops->n_labels < GILK_OPS_LABELS)
    target->label = gilk_ops_label (lower->ops);
  else
    fail_too_long (lower, BRANCHES);

  return target->label;
}

void
gilk_lower_place_target (GilkLower    *lower,
                         GilkOpTarget *target)
{
  GilkOp op = gilk_lower_op (GILK_OP_LABEL);

  if (!target->is_used)
    return;
  lower->dead = FALSE;
  lower->task = GILK_NO_VALUE;
  op.label = target->label;
  gilk_lower_add (lower, op);
}

void
gilk_lower_jump (GilkLower    *lower,
                 GilkOpTarget *target)
{
  GilkOp op = gilk_lower_op (GILK_OP_JUMP);

  if (lower->dead)
    return;
  op.label = gilk_lower_label (lower, target);
  gilk_lower_add (lower, op);
  lower->dead = TRUE;
}

static gboolean
is_imm32 (GilkOperand operand)
{
  return operand.is_constant && operand.constant == (int32_t) operand.constant;
}

/* Sets the second operand of @op: an immediate if @b is a constant that fits 32 bits, else a
 * value. */
static void
set_second_operand (GilkLower *lower, GilkOp *op, GilkOperand b)
{
  if (is_imm32 (b))
    op->imm = b.constant;
  else
    op->b = gilk_lower_as_value (lower, b);
}

void
gilk_lower_branch (GilkLower    *lower,
                   GilkCompare   compare,
                   GilkOperand   a,
                   GilkOperand   b,
                   GilkOpTarget *target)
{
  GilkOp op = gilk_lower_op (GILK_OP_BRANCH);

  op.compare = compare;
  op.a = gilk_lower_as_value (lower, a);
  set_second_operand (lower, &op, b);
  op.label = gilk_lower_label (lower, target);
  gilk_lower_add (lower, op);
}

/* ---- operands ---- */

GilkOperand
gilk_lower_constant (int64_t constant)
{
  return (GilkOperand) { .is_constant = TRUE, .constant = constant };
}

GilkOperand
gilk_lower_operand (guint value)
{
  return (GilkOperand) { .value = value };
}

guint
gilk_lower_as_value (GilkLower  *lower,
                     GilkOperand operand)
{
  GilkOp op = gilk_lower_op (GILK_OP_CONST);

  if (!operand.is_constant)
    return operand.value;
  op.to = gilk_lower_value (lower);
  op.imm = operand.constant;
  gilk_lower_add (lower, op);

  return op.to;
}

/* Returns the last emitted operation if its result is the temporary value @value; the caller then
 * makes the operation put its result elsewhere. Otherwise returns NULL. */
static GilkOp *
find_maker (GilkLower *lower, guint value)
{
  GilkOp *last;

  if (lower->dead || lower->ops->ops->len == 0 || lower->is_let[value] || value == lower->task)
    return NULL;
  last = &g_array_index (lower->ops->ops, GilkOp, lower->ops->ops->len - 1);

  return last->to == value ? last : NULL;
}

void
gilk_lower_move (GilkLower  *lower,
                 guint       to,
                 GilkOperand from)
{
  GilkOp op = gilk_lower_op (from.is_constant ? GILK_OP_CONST : GILK_OP_MOVE);
  GilkOp *last = from.is_constant ? NULL : find_maker (lower, from.value);

  if (last != NULL)
    {
      last->to = (uint16_t) to;
      return;
    }
  op.to = to;
  if (from.is_constant)
    op.imm = from.constant;
  else
    op.a = from.value;
  gilk_lower_add (lower, op);
}

/* ---- arithmetic ---- */

/* Returns whether operation @kind with @b as its second operand yields its first operand
 * unchanged. */
static gboolean
is_identity (GilkOpKind kind, GilkOperand b)
{
  if (!b.is_constant)
    return FALSE;
  if (kind == GILK_OP_MUL)
    return b.constant == 1;
  if (kind == GILK_OP_AND)
    return b.constant == -1;

  return b.constant == 0;
}

GilkOperand
gilk_lower_compute (GilkLower  *lower,
                    GilkOpKind  kind,
                    GilkOperand a,
                    GilkOperand b)
{
  const gboolean turns = kind == GILK_OP_ADD || kind == GILK_OP_MUL || kind == GILK_OP_AND || kind == GILK_OP_OR ||
                         kind == GILK_OP_XOR;
  GilkOp op = gilk_lower_op (kind);

  if (a.is_constant && turns)
    {
      GilkOperand constant = a;

      a = b;
      b = constant;
    }
  if (is_identity (kind, b))
    return a;
  if (kind == GILK_OP_MUL && b.is_constant && b.constant > 0 && (b.constant & (b.constant - 1)) == 0)
    {
      op.kind = GILK_OP_SHL;
      b.constant = g_bit_nth_lsf ((gulong) b.constant, -1);
    }
  if (op.kind == GILK_OP_SHL || op.kind == GILK_OP_SHR || op.kind == GILK_OP_SAR)
    b.constant &= 63;
  op.a = gilk_lower_as_value (lower, a);
  set_second_operand (lower, &op, b);
  release_temporary (lower, a);
  release_temporary (lower, b);
  op.to = gilk_lower_value (lower);
  gilk_lower_add (lower, op);

  return gilk_lower_operand (op.to);
}

GilkOperand
gilk_lower_divide (GilkLower  *lower,
                   GilkOpKind  kind,
                   GilkOperand a,
                   GilkOperand b,
                   gboolean    is_signed,
                   gboolean    sure)
{
  const gboolean power = b.is_constant && b.constant > 0 && (b.constant & (b.constant - 1)) == 0;
  GilkOp op = gilk_lower_op (kind);
  GilkOpTarget on = { .is_used = FALSE };

  if (power && !is_signed && kind == GILK_OP_DIV)
    return gilk_lower_compute (lower, GILK_OP_SHR, a,
                               gilk_lower_constant (g_bit_nth_lsf ((gulong) b.constant, -1)));
  if (power && !is_signed)
    return gilk_lower_compute (lower, GILK_OP_AND, a, gilk_lower_constant (b.constant - 1));

  op.a = gilk_lower_as_value (lower, a);
  set_second_operand (lower, &op, b);
  op.to = gilk_lower_value (lower);
  op.is_signed = is_signed;
  /* A division branches to its label if it fails. A division that cannot fail must have a label as
   * well, which is placed just after it. As the result must be defined at the label, it is set to 0
   * first. */
  if (sure)
    gilk_lower_move (lower, op.to, gilk_lower_constant (0));
  op.label = gilk_lower_label (lower, sure ? &on : lower->bad);
  gilk_lower_add (lower, op);
  gilk_lower_place_target (lower, &on);

  return gilk_lower_operand (op.to);
}

/* Returns whether a conversion from type @was to @type changes no value; values are kept extended
 * to 64 bits. */
static gboolean
is_within (const GilkCType *was, const GilkCType *type)
{
  const guint64 before = gilk_ctype_size (was), after = gilk_ctype_size (type);
  const gboolean sign_before = gilk_ctype_is_signed (was), sign_after = gilk_ctype_is_signed (type);

  if (after == 8)
    return TRUE;

  return before < after ? !sign_before || sign_after : before == after && sign_before == sign_after;
}

GilkOperand
gilk_lower_narrow (GilkLower       *lower,
                   GilkOperand      from,
                   const GilkCType *was,
                   const GilkCType *type)
{
  GilkOp op = gilk_lower_op (GILK_OP_EXTEND);

  if (is_within (was, type))
    return from;
  op.a = gilk_lower_as_value (lower, from);
  op.size = (uint8_t) gilk_ctype_size (type);
  op.is_signed = gilk_ctype_is_signed (type) != FALSE;
  op.to = gilk_lower_value (lower);
  gilk_lower_add (lower, op);

  return gilk_lower_operand (op.to);
}

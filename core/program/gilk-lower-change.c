/* SPDX-License-Identifier: GPL-2.0-or-later */
/* gilk-lower-change.c - emits operations for statements that change the kernel's behaviour */
#include "core/emit/gilk-asm.h"
#include "core/program/gilk-lower-private.h"

static void
set_register (GilkLower *lower, int64_t number, GilkOperand to)
{
  GilkOp op = gilk_lower_op (GILK_OP_REGISTER_SET);

  op.imm = number;
  op.a = (uint16_t) gilk_lower_as_value (lower, to);
  gilk_lower_add (lower, op);
}

/*
 * Ends the current path of the program by an exit to @where. If the path is in the critical
 * section, leaves it first. The operations emitted afterwards belong to other paths, so
 * lower->inside stays unchanged.
 */
static void
emit_exit (GilkLower *lower, GilkExit where, int64_t function)
{
  GilkOp op = gilk_lower_op (GILK_OP_EXIT);

  if (lower->inside)
    gilk_lower_add (lower, gilk_lower_op (GILK_OP_LEAVE));
  op.imm = where;
  op.imm2 = function;
  gilk_lower_add (lower, op);
  lower->dead = TRUE;
}

void
gilk_lower_exit (GilkLower      *lower,
                 const GilkNode *node)
{
  const GilkExit behind = lower->typing->place->at_entry ? GILK_EXIT_RETURN : GILK_EXIT_NEXT;

  switch (node->kind)
    {
    case GILK_NODE_NULLIFY:
      if (node->first != NULL)
        set_register (lower, GILK_RAX, gilk_lower_converted (lower, node->first, &node->type));
      emit_exit (lower, behind, 0);
      break;
    case GILK_NODE_REPLACE:
      emit_exit (lower, behind, node->value);
      break;
    case GILK_NODE_TAKEN:
      emit_exit (lower, GILK_EXIT_TARGET, 0);
      break;
    default:
      emit_exit (lower, GILK_EXIT_NEXT, 0);
    }
}

/* Returns the new value for the assignment @mark, "+=" or "-=": @was plus or minus @by. */
static GilkOperand
compute_changed (GilkLower *lower, guint mark, GilkOperand was, GilkOperand by, const GilkCType *type)
{
  const GilkOpKind kind = mark == GILK_MARKS ('+', '=') ? GILK_OP_ADD : GILK_OP_SUB;
  const GilkCType whole = gilk_ctype_number (TRUE, 8);

  return gilk_lower_narrow (lower, gilk_lower_compute (lower, kind, was, by), &whole, type);
}

void
gilk_lower_register_set (GilkLower      *lower,
                         const GilkNode *node)
{
  const GilkCType whole = gilk_ctype_number (FALSE, 8);
  GilkOperand to;

  if (node->mark == GILK_MARK ('='))
    to = gilk_lower_converted (lower, node->first, &node->type);
  else
    {
      to = gilk_lower_narrow (lower, gilk_lower_register (lower, (int64_t) node->number), &whole, &node->type);
      to = compute_changed (lower, node->mark, to, gilk_lower_expression (lower, node->first), &node->type);
    }
  set_register (lower, (int64_t) node->number, to);
}

void
gilk_lower_store (GilkLower      *lower,
                  const GilkNode *node)
{
  const GilkCType *type = &node->first->type;
  GilkOp op = gilk_lower_op (GILK_OP_STORE);
  GilkOperand to;
  guint at;

  gilk_lower_address (lower, node->first, &at, &op.imm);
  if (node->mark == GILK_MARK ('='))
    to = gilk_lower_converted (lower, node->second, type);
  else
    {
      to = gilk_lower_load_at (lower, at, op.imm, type);
      to = compute_changed (lower, node->mark, to, gilk_lower_expression (lower, node->second), type);
    }
  op.a = (uint16_t) at;
  op.b = (uint16_t) gilk_lower_as_value (lower, to);
  op.size = (uint8_t) gilk_ctype_size (type);
  op.label = (uint16_t) gilk_lower_label (lower, lower->bad);
  gilk_lower_add (lower, op);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-ops-owner.c - finds, in a hook of a user program, which addresses of loads come from the
 * kernel, and which the process may have chosen
 *
 * One pass over the operations, in order. A value comes from the kernel if it is computed only from
 * numbers in the program, per-CPU variables, and loads through such values. Where paths join, a
 * value comes from the kernel only if it does so on each path. If the program contains a number in
 * the user half, the number is an address in the process.
 */
#include "core/emit/gilk-ops.h"

enum { FIRST_PAGE = 4096 };

typedef enum { OWNER_PROCESS, OWNER_KERNEL, OWNER_NUMBER } Owner;

typedef struct {
  Owner   owner;
  int64_t number;            /* the value itself if @owner is OWNER_NUMBER, a number in the program;
                              * otherwise 0 */
} Value;

typedef struct {
  gboolean reached;
  Value    values[GILK_OPS_VALUES];
} Known;

static Owner
get_owner (const Value *value)
{
  if (value->owner == OWNER_NUMBER)
    return value->number >= FIRST_PAGE ? OWNER_PROCESS : OWNER_KERNEL;

  return value->owner;
}

static void
join_known (Known *known, const Known *other)
{
  if (!other->reached)
    return;
  if (!known->reached)
    {
      *known = *other;
      return;
    }
  for (guint i = 0; i < GILK_OPS_VALUES; i++)
    {
      const Value *a = &known->values[i], *b = &other->values[i];

      if (a->owner != b->owner || a->number != b->number)
        known->values[i] = (Value) { .owner = MIN (get_owner (a), get_owner (b)) };
    }
}

/* Returns whether the kernel or the process determines a result that is computed from @a and @b. */
static Value
compute_owner (const GilkOp *op, const Value *a, const Value *b)
{
  if (a->owner == OWNER_PROCESS || b->owner == OWNER_PROCESS)
    return (Value) { .owner = OWNER_PROCESS };
  if (a->owner == OWNER_NUMBER && b->owner == OWNER_NUMBER && op->kind == GILK_OP_ADD)
    return (Value) { OWNER_NUMBER, (int64_t) ((uint64_t) a->number + (uint64_t) b->number) };

  return (Value) { .owner = OWNER_KERNEL };
}

static Value
compute_result (const GilkOp *op, const Known *known)
{
  const Value number = { OWNER_NUMBER, op->imm };
  const Value *a = op->a < GILK_OPS_VALUES ? &known->values[op->a] : &number;
  const Value *b = op->b < GILK_OPS_VALUES ? &known->values[op->b] : &number;

  switch (op->kind)
    {
    case GILK_OP_CONST:
      return number;
    case GILK_OP_MOVE:
      return *a;
    case GILK_OP_CPU_LOAD:
      return (Value) { .owner = OWNER_KERNEL };
    case GILK_OP_EXTEND: case GILK_OP_LOAD:
      return (Value) { .owner = get_owner (a) };
    case GILK_OP_ADD: case GILK_OP_SUB: case GILK_OP_MUL: case GILK_OP_AND: case GILK_OP_SHL:
      return compute_owner (op, a, b);
    default:
      return (Value) { .owner = OWNER_PROCESS };
    }
}

gboolean *
gilk_ops_given (const GilkOps *ops)
{
  gboolean *given = g_new0 (gboolean, ops->ops->len + 1);
  g_autofree Known *at = g_new0 (Known, MAX (ops->n_labels, 1)), *now = g_new0 (Known, 1);

  now->reached = TRUE;
  for (guint i = 0; i < ops->ops->len; i++)
    {
      const GilkOp *op = &g_array_index (ops->ops, GilkOp, i);

      if (op->kind == GILK_OP_LABEL)
        join_known (now, &at[op->label]);
      else if (gilk_ops_has_label (op))
        join_known (&at[op->label], now);
      given[i] = op->a < GILK_OPS_VALUES && get_owner (&now->values[op->a]) == OWNER_KERNEL;
      if (gilk_ops_ends_path (op))
        now->reached = FALSE;
      else if (gilk_ops_makes_value (op))
        now->values[op->to] = compute_result (op, now);
    }

  return given;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-lower-maps.c - operations on maps, on the current task, and on the clock
 */
#include <math.h>
#include <string.h>

#include "agent/gilk-wire.h"
#include "core/program/gilk-lower-private.h"

static GilkOp
new_element_op (const GilkLower *lower, GilkOpKind kind, guint index)
{
  const GilkProgramMap *map = gilk_map_at (lower->typing->maps, index);
  GilkOp op = gilk_lower_op (kind);

  op.area = (uint16_t) map->area;
  op.imm = map->element;

  return op;
}

void
gilk_lower_area_add (GilkLower  *lower,
                     guint       map,
                     GilkOperand amount)
{
  GilkOp op = new_element_op (lower, GILK_OP_AREA_ADD, map);

  if (amount.is_constant && amount.constant == (int32_t) amount.constant)
    op.imm2 = amount.constant;
  else
    op.a = gilk_lower_as_value (lower, amount);
  gilk_lower_add (lower, op);
}

GilkOperand
gilk_lower_area_load (GilkLower *lower,
                      guint      map)
{
  GilkOp op = new_element_op (lower, GILK_OP_AREA_LOAD, map);

  op.to = gilk_lower_value (lower);
  gilk_lower_add (lower, op);

  return gilk_lower_operand (op.to);
}

void
gilk_lower_area_store (GilkLower  *lower,
                       guint       map,
                       GilkOperand from)
{
  GilkOp op = new_element_op (lower, GILK_OP_AREA_STORE, map);

  op.a = gilk_lower_as_value (lower, from);
  gilk_lower_add (lower, op);
}

/* ---- tables ---- */

GilkOperand
gilk_lower_table_get (GilkLower  *lower,
                      guint       map,
                      GilkOperand key,
                      gboolean    take)
{
  const GilkProgramMap *table = gilk_map_at (lower->typing->maps, map);
  GilkOp find = gilk_lower_op (GILK_OP_MAP_FIND), load = gilk_lower_op (GILK_OP_AREA_LOAD);
  GilkOp give_up = gilk_lower_op (GILK_OP_AREA_STORE);
  GilkOpTarget none = { .is_used = FALSE };

  G_STATIC_ASSERT (GILK_OPS_SLOT_FREE == 0);
  find.a = (uint16_t) gilk_lower_as_value (lower, key);
  load.to = (uint16_t) gilk_lower_value (lower);
  gilk_lower_move (lower, load.to, gilk_lower_constant (0));
  find.to = load.index = give_up.index = (uint16_t) gilk_lower_value (lower);
  find.area = load.area = give_up.area = (uint16_t) table->area;
  load.mask = give_up.mask = table->slots - 1;
  load.imm = 2 * table->slots;
  find.label = (uint16_t) gilk_lower_label (lower, &none);
  gilk_lower_add (lower, find);
  gilk_lower_add (lower, load);
  if (take)
    {
      /* set the removed key's value to 0, because a new key that takes this slot of the table must
       * start at 0 */
      give_up.a = (uint16_t) gilk_lower_as_value (lower, gilk_lower_constant (0));
      give_up.imm = load.imm;
      gilk_lower_add (lower, give_up);
      give_up.imm = 0;
      gilk_lower_add (lower, give_up);
    }
  gilk_lower_place_target (lower, &none);

  return gilk_lower_operand (load.to);
}

/* ---- lowers the conditions every, limit, chance and once ---- */

static void
lower_every (GilkLower *lower, const GilkNode *node, GilkOpTarget *target)
{
  GilkOperand turn = gilk_lower_area_load (lower, node->index);

  turn = gilk_lower_compute (lower, GILK_OP_ADD, turn, gilk_lower_constant (1));
  gilk_lower_area_store (lower, node->index, turn);
  gilk_lower_branch (lower, GILK_IF_BELOW, turn, gilk_lower_constant ((int64_t) node->number), target);
  gilk_lower_area_store (lower, node->index, gilk_lower_constant (0));
}

static void
lower_limit (GilkLower *lower, const GilkNode *node, GilkOpTarget *target)
{
  GilkOperand seen = gilk_lower_area_load (lower, node->index);

  gilk_lower_branch (lower, GILK_IF_NOT_BELOW, seen, gilk_lower_constant ((int64_t) node->number), target);
  gilk_lower_area_store (lower, node->index,
                         gilk_lower_compute (lower, GILK_OP_ADD, seen, gilk_lower_constant (1)));
}

/* Lowers "once". A plain load checks the flag first, so that later hits do not contend for the
 * cache line. */
static void
lower_once (GilkLower *lower, const GilkNode *node, GilkOpTarget *target)
{
  GilkOp claim = new_element_op (lower, GILK_OP_AREA_CLAIM, node->index);

  gilk_lower_branch (lower, GILK_IF_NE, gilk_lower_area_load (lower, node->index), gilk_lower_constant (0), target);
  claim.to = gilk_lower_value (lower);
  gilk_lower_add (lower, claim);
  gilk_lower_branch (lower, GILK_IF_NE, gilk_lower_operand (claim.to), gilk_lower_constant (0), target);
}

/*
 * Lowers "chance". Each CPU has its own random number generator, Knuth's linear congruential one,
 * seeded with the clock so that CPUs differ. Only the upper bits of its numbers are used, because
 * the lower bits are less random.
 */
static void
lower_chance (GilkLower *lower, const GilkNode *node, GilkOpTarget *target)
{
  const guint state = gilk_lower_value (lower);
  GilkOpTarget on = { .is_used = FALSE };
  GilkOperand next;

  gilk_lower_move (lower, state, gilk_lower_area_load (lower, node->index));
  gilk_lower_branch (lower, GILK_IF_NE, gilk_lower_operand (state), gilk_lower_constant (0), &on);
  gilk_lower_move (lower, state, gilk_lower_clock (lower));
  gilk_lower_place_target (lower, &on);
  next = gilk_lower_compute (lower, GILK_OP_MUL, gilk_lower_operand (state), gilk_lower_constant (6364136223846793005));
  next = gilk_lower_compute (lower, GILK_OP_ADD, next, gilk_lower_constant (1442695040888963407));
  gilk_lower_area_store (lower, node->index, next);
  next = gilk_lower_compute (lower, GILK_OP_SHR, next, gilk_lower_constant (34));
  gilk_lower_branch (lower, GILK_IF_NOT_BELOW, next,
                     gilk_lower_constant ((int64_t) ((node->number << 30) / 100)), target);
}

void
gilk_lower_limiter (GilkLower      *lower,
                    const GilkNode *node,
                    GilkOpTarget   *target)
{
  if (node->kind == GILK_NODE_EVERY)
    lower_every (lower, node, target);
  else if (node->kind == GILK_NODE_LIMIT)
    lower_limit (lower, node, target);
  else if (node->kind == GILK_NODE_CHANCE)
    lower_chance (lower, node, target);
  else
    lower_once (lower, node, target);
}

/* ---- driver services ---- */

GilkOperand
gilk_lower_stack (GilkLower      *lower,
                  const GilkNode *node)
{
  GilkOp op = new_element_op (lower, GILK_OP_CALL, node->index);

  op.imm = ILK_SERVICE_STACK;
  op.to = (uint16_t) gilk_lower_value (lower);
  gilk_lower_add (lower, op);

  return gilk_lower_operand (op.to);
}

/* Returns the value of an event counter. If the counter cannot be read, the code branches to
 * lower->bad, the target for bad values. */
GilkOperand
gilk_lower_event (GilkLower      *lower,
                  const GilkNode *node)
{
  GilkOp op = gilk_lower_op (GILK_OP_CALL);

  op.imm = GILK_SERVICE_EVENT;
  op.imm2 = (int64_t) node->number;
  op.to = (uint16_t) gilk_lower_value (lower);
  gilk_lower_add (lower, op);
  gilk_lower_branch (lower, GILK_IF_EQ, gilk_lower_operand (op.to), gilk_lower_constant ((int64_t) GILK_EVENT_BAD), lower->bad);

  return gilk_lower_operand (op.to);
}

/* ---- the task ---- */

GilkOperand
gilk_lower_task (GilkLower *lower,
                 int64_t    current_task)
{
  GilkOp op = gilk_lower_op (GILK_OP_CPU_LOAD);

  if (lower->task != GILK_NO_VALUE)
    return gilk_lower_operand (lower->task);
  op.to = gilk_lower_value (lower);
  op.size = 8;
  op.imm = current_task;
  gilk_lower_add (lower, op);
  if (!lower->dead)
    lower->task = op.to;

  return gilk_lower_operand (op.to);
}

/*
 * Emits a load from the current task's task_struct. This load cannot fault, but every load must
 * have a label to branch to on a fault, so the label is placed just after it. The result is set to
 * 0 first, so that it is defined at the label.
 */
GilkOperand
gilk_lower_task_load (GilkLower *lower,
                      int64_t    offset,
                      guint      size,
                      gboolean   is_signed)
{
  const guint task = gilk_lower_task (lower, lower->typing->place->current_task).value;
  GilkOp op = gilk_lower_op (GILK_OP_LOAD);
  GilkOpTarget on = { .is_used = FALSE };

  op.to = gilk_lower_value (lower);
  gilk_lower_move (lower, op.to, gilk_lower_constant (0));
  op.a = task;
  op.imm = offset;
  op.size = size;
  op.is_signed = is_signed;
  op.label = gilk_lower_label (lower, &on);
  gilk_lower_add (lower, op);
  gilk_lower_place_target (lower, &on);
  if (!lower->dead)
    lower->task = task;

  return gilk_lower_operand (op.to);
}

/*
 * Compares the thread's name only up to its terminating 0, because the bytes after it may be
 * anything.
 */
void
gilk_lower_comm (GilkLower      *lower,
                 const GilkNode *node,
                 GilkOpTarget   *target,
                 gboolean        jump_if)
{
  const gboolean jump_if_same = (node->mark == GILK_MARKS ('=', '=')) == (jump_if != FALSE);
  const gsize length = strlen (node->name) + 1;
  GilkOpTarget on = { .is_used = FALSE };
  uint64_t words[2] = { 0 };

  memcpy (words, node->name, length - 1);
  for (guint i = 0; 8 * i < length; i++)
    {
      const gboolean last = 8 * (i + 1) >= length;
      const uint64_t mask = length >= 8 * (i + 1) ? UINT64_MAX : (UINT64_C (1) << 8 * (length - 8 * i)) - 1;
      GilkOperand word = gilk_lower_task_load (lower, node->meaning->number + 8 * i, 8, FALSE);

      word = gilk_lower_compute (lower, GILK_OP_AND, word, gilk_lower_constant ((int64_t) mask));
      if (last && jump_if_same)
        gilk_lower_branch (lower, GILK_IF_EQ, word, gilk_lower_constant ((int64_t) words[i]), target);
      else
        gilk_lower_branch (lower, GILK_IF_NE, word, gilk_lower_constant ((int64_t) words[i]), jump_if_same ? &on : target);
    }
  gilk_lower_place_target (lower, &on);
}

/* ---- the clock ---- */

GilkOperand
gilk_lower_clock (GilkLower *lower)
{
  GilkOp op = gilk_lower_op (GILK_OP_CLOCK);

  op.to = gilk_lower_value (lower);
  gilk_lower_add (lower, op);

  return gilk_lower_operand (op.to);
}

/*
 * Returns the factor for converting clock ticks to time: nanoseconds = (ticks * factor) >> @shift.
 * Valid for up to 2^42 ticks; rounding of the factor causes an error of at most 0.5 ppm.
 */
static int64_t
compute_ns_factor (uint64_t khz, guint *shift)
{
  const double ns = 1e6 / (double) khz;
  int exponent;

  frexp (ns, &exponent);
  *shift = (guint) CLAMP (21 - exponent, 0, 40);

  return (int64_t) MIN (ldexp (ns, (int) *shift) + 0.5, (double) (1 << 22));
}

GilkOperand
gilk_lower_nanoseconds (GilkLower  *lower,
                        GilkOperand ticks)
{
  guint shift;
  const int64_t factor = compute_ns_factor (lower->typing->place->tsc_khz, &shift);

  return gilk_lower_compute (lower, GILK_OP_SHR,
                             gilk_lower_compute (lower, GILK_OP_MUL, ticks, gilk_lower_constant (factor)),
                             gilk_lower_constant (shift));
}

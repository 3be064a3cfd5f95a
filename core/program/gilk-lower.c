/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-lower.c - statements as operations, and the critical section that some of them need
 *
 * Each path has at most one critical section. It starts as late as possible: after conditions, or
 * leading sides of an "&&", that do not need it, or in only one branch of an "if". Statements that
 * do not need it may follow. So a label is always reached in the same state: branches to the end go
 * either to the end inside, which leaves the critical section, or to the one outside.
 */
#include <string.h>

#include "core/program/gilk-lower-private.h"
#include "ilk/ilk-abi.h"

#include <glib/gi18n.h>

static void lower_list    (GilkLower *lower, const GilkNode *first, gboolean last);
static void lower_simple  (GilkLower *lower, const GilkNode *node, gboolean last);
static void lower_stretch (GilkLower *lower, const GilkNode *node, gboolean last);

static gboolean
needs_stretch (const GilkNode *node)
{
  return node != NULL && (node->needs & GILK_NEEDS_STRETCH) != 0;
}

/* ---- critical sections and ends ---- */

static void
enter (GilkLower *lower)
{
  GilkOp op = gilk_lower_op (GILK_OP_ENTER);

  if ((lower->typing->needs & GILK_NEEDS_LOADS) != 0)
    {
      op.imm = GILK_OPS_GUARD;
      op.label = gilk_lower_label (lower, &lower->end_outside);
    }
  gilk_lower_add (lower, op);
  lower->inside = TRUE;
}

static void
leave (GilkLower *lower)
{
  gilk_lower_add (lower, gilk_lower_op (GILK_OP_LEAVE));
  lower->inside = FALSE;
}

static GilkSpot *
end_here (GilkLower *lower)
{
  return lower->inside ? &lower->end_inside : &lower->end_outside;
}

static GilkSpot *
bad_here (GilkLower *lower)
{
  return lower->inside ? &lower->bad_inside : &lower->bad_outside;
}

static void
count_bad (GilkLower *lower)
{
  gilk_lower_area_add (lower, lower->typing->bad_kept, gilk_lower_constant (1));
}

/* Counts a bad value, then continues at @on. The code emitted so far also continues there. */
static void
place_bad (GilkLower *lower, GilkSpot *bad, GilkSpot *on)
{
  if (!bad->is_used)
    return;
  gilk_lower_jump (lower, on);
  gilk_lower_place (lower, bad);
  count_bad (lower);
}

/* Joins all paths at the end of the hit. */
static void
finish (GilkLower *lower)
{
  if (lower->inside || lower->end_inside.is_used || lower->bad_inside.is_used)
    {
      if (!lower->inside)
        gilk_lower_jump (lower, &lower->end_outside);
      lower->inside = TRUE;
      place_bad (lower, &lower->bad_inside, &lower->end_inside);
      gilk_lower_place (lower, &lower->end_inside);
      leave (lower);
    }
  place_bad (lower, &lower->bad_outside, &lower->end_outside);
  gilk_lower_place (lower, &lower->end_outside);
}

/* ---- conditions ---- */

/*
 * Where the branches of an "if" join, and where a false condition goes. For the last statement of a
 * hit that is the end of the hit.
 */
typedef struct {
  GilkSpot  own, own_bad;
  GilkSpot *behind, *bad;
} Meeting;

static void
meet (GilkLower *lower, Meeting *meeting, gboolean last)
{
  meeting->own = meeting->own_bad = (GilkSpot) { .is_used = FALSE };
  meeting->behind = last ? end_here (lower) : &meeting->own;
  meeting->bad = last ? bad_here (lower) : &meeting->own_bad;
}

static void
met (GilkLower *lower, Meeting *meeting)
{
  place_bad (lower, &meeting->own_bad, meeting->behind);
  gilk_lower_place (lower, &meeting->own);
}

static void
decide (GilkLower *lower, const GilkNode *condition, GilkSpot *no, GilkSpot *bad)
{
  GilkSpot *before = lower->bad;

  lower->place = condition->part.offset;
  lower->bad = bad;
  gilk_lower_condition (lower, condition, no, FALSE);
  lower->bad = before;
  gilk_lower_over (lower);
}

static void
lower_branch (GilkLower *lower, const GilkNode *node, gboolean last)
{
  if (!lower->inside && needs_stretch (node))
    lower_stretch (lower, node, last);
  else
    lower_simple (lower, node, last);
}

/*
 * Lowers an "if" whose condition needs no critical section, or that is already in one. Outside of
 * one, at most one branch needs one.
 */
static void
lower_if (GilkLower *lower, const GilkNode *node, gboolean last)
{
  const gboolean inside = lower->inside;
  GilkSpot no = { .is_used = FALSE };
  Meeting meeting;

  meet (lower, &meeting, last);
  decide (lower, node->first, node->third != NULL ? &no : meeting.behind, meeting.bad);
  lower_branch (lower, node->second, last);
  if (node->third != NULL)
    {
      gilk_lower_jump (lower, last ? end_here (lower) : meeting.behind);
      lower->inside = inside;
      gilk_lower_place (lower, &no);
      lower_branch (lower, node->third, last);
    }
  met (lower, &meeting);
}

/* Collects the operands of the "&&"s that @condition consists of. */
static void
take_sides (const GilkNode *condition, GPtrArray *sides)
{
  if (condition->kind == GILK_NODE_BINARY && condition->mark == GILK_MARKS ('&', '&') && !condition->is_constant)
    {
      take_sides (condition->first, sides);
      take_sides (condition->second, sides);
    }
  else
    g_ptr_array_add (sides, (gpointer) condition);
}

/*
 * Lowers an "if" without "else" that needs a critical section, evaluating the leading sides of its
 * condition that do not need one first.
 */
static void
lower_if_entering (GilkLower *lower, const GilkNode *node, gboolean last)
{
  g_autoptr(GPtrArray) sides = g_ptr_array_new ();
  Meeting outside, within;
  guint i = 0;

  take_sides (node->first, sides);
  meet (lower, &outside, last);
  for (; i < sides->len && !needs_stretch (g_ptr_array_index (sides, i)); i++)
    decide (lower, g_ptr_array_index (sides, i), outside.behind, outside.bad);
  if (i == sides->len)
    lower_branch (lower, node->second, last);
  else
    {
      enter (lower);
      meet (lower, &within, last);
      for (; i < sides->len; i++)
        decide (lower, g_ptr_array_index (sides, i), within.behind, within.bad);
      lower_simple (lower, node->second, last);
      met (lower, &within);
      if (!last)
        leave (lower);
    }
  met (lower, &outside);
}

/*
 * Lowers, outside of one, a statement that needs a critical section. At the end of the hit finish()
 * leaves it.
 */
static void
lower_stretch (GilkLower *lower, const GilkNode *node, gboolean last)
{
  if (node->kind == GILK_NODE_BLOCK)
    lower_list (lower, node->first, last);
  else if (node->kind == GILK_NODE_IF && node->third == NULL)
    lower_if_entering (lower, node, last);
  else if (node->kind == GILK_NODE_IF && !needs_stretch (node->first) &&
           needs_stretch (node->second) != needs_stretch (node->third))
    lower_if (lower, node, last);
  else
    {
      enter (lower);
      lower_simple (lower, node, last);
      if (!last)
        leave (lower);
    }
}

/* ---- one statement ---- */

static void
lower_let (GilkLower *lower, const GilkNode *node)
{
  GilkOperand from = gilk_lower_converted (lower, node->first, &node->meaning->type);

  node->meaning->value = gilk_lower_let (lower);
  gilk_lower_move (lower, node->meaning->value, from);
}

/* Returns the amount to add; in bytes if the variable is a pointer. */
static GilkOperand
amount_of (GilkLower *lower, const GilkNode *node)
{
  const GilkOperand amount = gilk_lower_expression (lower, node->first);

  if (node->scale == 0)
    return amount;
  if (amount.is_constant)
    return gilk_lower_constant ((int64_t) ((uint64_t) amount.constant * node->scale));

  return gilk_lower_compute (lower, GILK_OP_MUL, amount, gilk_lower_constant ((int64_t) node->scale));
}

static void
set_let (GilkLower *lower, const GilkNode *node)
{
  const GilkOpKind kind = node->mark == GILK_MARKS ('+', '=') ? GILK_OP_ADD : GILK_OP_SUB;
  const GilkCType whole = gilk_ctype_number (TRUE, 8);
  GilkOperand to;

  if (node->mark == GILK_MARK ('='))
    to = gilk_lower_converted (lower, node->first, &node->meaning->type);
  else
    {
      to = gilk_lower_compute (lower, kind, gilk_lower_in (node->meaning->value), amount_of (lower, node));
      to = gilk_lower_narrow (lower, to, &whole, &node->meaning->type);
    }
  gilk_lower_move (lower, node->meaning->value, to);
}

static void
set_global (GilkLower *lower, const GilkNode *node)
{
  const int64_t initial = gilk_kept_at (lower->typing->kept, node->meaning->kept)->initial;
  GilkOperand from = gilk_lower_expression (lower, node->first);

  if (node->mark == GILK_MARK ('='))
    {
      if (from.is_constant)
        from.constant = (int64_t) ((uint64_t) from.constant - (uint64_t) initial);
      else
        from = gilk_lower_compute (lower, GILK_OP_SUB, from, gilk_lower_constant (initial));
      gilk_lower_area_store (lower, node->meaning->kept, from);
      return;
    }
  if (node->mark == GILK_MARKS ('-', '=') && from.is_constant)
    from.constant = (int64_t) - (uint64_t) from.constant;
  else if (node->mark == GILK_MARKS ('-', '='))
    from = gilk_lower_compute (lower, GILK_OP_MUL, from, gilk_lower_constant (-1));
  gilk_lower_area_add (lower, node->meaning->kept, from);
}

static void
lower_set (GilkLower *lower, const GilkNode *node)
{
  if (node->meaning->kind == GILK_MEANS_LET)
    set_let (lower, node);
  else
    set_global (lower, node);
}

/* The amount is computed before a slot is taken, so that a bad amount takes none. */
static void
lower_map_set (GilkLower *lower, const GilkNode *node)
{
  const GilkKept *map = gilk_kept_at (lower->typing->kept, node->meaning->kept);
  const GilkOperand key = gilk_lower_expression (lower, node->first);
  const GilkOperand amount = gilk_lower_expression (lower, node->second);
  const gboolean adds = node->mark == GILK_MARKS ('+', '=');
  GilkOp slot = gilk_lower_op (GILK_OP_MAP_SLOT), set = gilk_lower_op (adds ? GILK_OP_AREA_ADD : GILK_OP_AREA_STORE);
  GilkSpot missed = { .is_used = FALSE }, on = { .is_used = FALSE };

  slot.a = (uint16_t) gilk_lower_as_value (lower, key);
  if (adds && amount.is_constant && amount.constant == (int32_t) amount.constant)
    set.imm2 = amount.constant;
  else
    set.a = (uint16_t) gilk_lower_as_value (lower, amount);
  slot.to = set.index = (uint16_t) gilk_lower_value (lower);
  slot.area = set.area = (uint16_t) map->area;
  slot.label = (uint16_t) gilk_lower_label (lower, &missed);
  set.imm = 2 * map->slots;
  set.mask = map->slots - 1;
  gilk_lower_add (lower, slot);
  gilk_lower_add (lower, set);
  gilk_lower_jump (lower, &on);
  gilk_lower_place (lower, &missed);
  gilk_lower_area_add (lower, (guint) node->meaning->number, gilk_lower_constant (1));
  gilk_lower_place (lower, &on);
}

static void
lower_histogram_add (GilkLower *lower, const GilkNode *node)
{
  const GilkKept *histogram = gilk_kept_at (lower->typing->kept, node->meaning->kept);
  GilkOp bucket = gilk_lower_op (GILK_OP_BUCKET), add = gilk_lower_op (GILK_OP_AREA_ADD);

  bucket.a = (uint16_t) gilk_lower_as_value (lower, gilk_lower_expression (lower, node->first));
  bucket.imm = histogram->bits;
  bucket.to = add.index = (uint16_t) gilk_lower_value (lower);
  add.area = (uint16_t) histogram->area;
  add.imm2 = 1;
  add.mask = gilk_kept_mask (histogram->bits);
  gilk_lower_add (lower, bucket);
  gilk_lower_add (lower, add);
}

static void
lower_gate (GilkLower *lower, const GilkNode *node)
{
  GilkOp op = gilk_lower_op (GILK_OP_GATE);

  op.imm = node->index;
  op.imm2 = node->kind == GILK_NODE_START;
  gilk_lower_add (lower, op);
}

/* Lowers a marker, a watchpoint's address, a freeze or a crash. */
static void
lower_call (GilkLower *lower, const GilkNode *node)
{
  GilkOp op = gilk_lower_op (GILK_OP_CALL);

  op.imm = node->kind == GILK_NODE_MARKER ? ILK_SERVICE_MARKER
           : node->kind == GILK_NODE_CRASH ? ILK_SERVICE_CRASH
           : node->kind == GILK_NODE_WATCH ? ILK_SERVICE_WATCH : ILK_SERVICE_FREEZE;
  if (node->kind == GILK_NODE_WATCH)
    {
      op.a = (uint16_t) gilk_lower_as_value (lower, gilk_lower_expression (lower, node->first));
      op.imm2 = node->index;
    }
  if (node->kind == GILK_NODE_MARKER)
    op.a = (uint16_t) gilk_lower_as_value (lower, node->first != NULL ? gilk_lower_expression (lower, node->first)
                                                                       : gilk_lower_constant (0));
  if (node->kind == GILK_NODE_MARKER || node->kind == GILK_NODE_CRASH)
    memcpy (op.text, node->name, strlen (node->name));
  gilk_lower_add (lower, op);
}

/* Lowers a statement inside a critical section, or one that needs none. */
static void
lower_simple (GilkLower *lower, const GilkNode *node, gboolean last)
{
  lower->place = node->part.offset;
  lower->bad = bad_here (lower);
  switch (node->kind)
    {
    case GILK_NODE_BLOCK: lower_list (lower, node->first, last); break;
    case GILK_NODE_IF: lower_if (lower, node, last); break;
    case GILK_NODE_LET: lower_let (lower, node); break;
    case GILK_NODE_SET: lower_set (lower, node); break;
    case GILK_NODE_MAP_SET: lower_map_set (lower, node); break;
    case GILK_NODE_HISTOGRAM_ADD: lower_histogram_add (lower, node); break;
    case GILK_NODE_SAMPLE: gilk_lower_sample (lower, node); break;
    case GILK_NODE_START:
    case GILK_NODE_STOP: lower_gate (lower, node); break;
    case GILK_NODE_STOP_RUN:
    case GILK_NODE_NOTIFY: gilk_lower_area_add (lower, node->index, gilk_lower_constant (1)); break;
    case GILK_NODE_MARKER:
    case GILK_NODE_CRASH:
    case GILK_NODE_WATCH:
    case GILK_NODE_FREEZE: lower_call (lower, node); break;
    case GILK_NODE_COUNT: gilk_lower_add (lower, gilk_lower_op (GILK_OP_COUNT)); break;
    case GILK_NODE_RETURN: gilk_lower_jump (lower, end_here (lower)); break;
    case GILK_NODE_NULLIFY:
    case GILK_NODE_REPLACE:
    case GILK_NODE_TAKEN:
    case GILK_NODE_PASSED: gilk_lower_exit (lower, node); break;
    case GILK_NODE_REGISTER_SET: gilk_lower_register_set (lower, node); break;
    case GILK_NODE_STORE: gilk_lower_store (lower, node); break;
    default: break;
    }
  gilk_lower_over (lower);
}

/* ---- statements in a row ---- */

/* Returns the next statement that does something at a hit; declarations do not. */
static const GilkNode *
acting (const GilkNode *node)
{
  while (node != NULL && node->kind >= GILK_NODE_GLOBAL)
    node = node->next;

  return node;
}

static void
lower_list (GilkLower *lower, const GilkNode *first, gboolean last)
{
  const GilkNode *begin = NULL, *end = NULL;

  for (const GilkNode *node = first; node != NULL && !lower->inside; node = node->next)
    if (needs_stretch (node))
      {
        begin = begin != NULL ? begin : node;
        end = node;
      }
  for (const GilkNode *node = acting (first); node != NULL; node = acting (node->next))
    {
      const gboolean at_end = last && acting (node->next) == NULL;

      if (begin == end && node == begin)
        {
          lower_stretch (lower, node, at_end);
          continue;
        }
      if (node == begin)
        enter (lower);
      lower_simple (lower, node, at_end);
      if (node == end && !at_end)
        leave (lower);
    }
}

GilkOps *
gilk_lower_program (const GilkTyping *typing,
                    const GilkNode   *program)
{
  g_autoptr(GilkOps) ops = gilk_ops_new ();
  g_autoptr(GArray) temporary = g_array_new (FALSE, FALSE, sizeof (guint));
  g_autoptr(GArray) spare = g_array_new (FALSE, FALSE, sizeof (guint));
  GilkLower lower = {
    .typing = typing, .ops = ops, .task = GILK_NO_VALUE, .temporary = temporary, .spare = spare,
  };

  g_array_append_vals (ops->areas, typing->kept->areas->data, typing->kept->areas->len);
  ops->n_gates = typing->gates->len;
  ops->payload = typing->shape.payload;
  lower_list (&lower, program->first, TRUE);
  finish (&lower);

  return typing->source->error == NULL ? g_steal_pointer (&ops) : NULL;
}

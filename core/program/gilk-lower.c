/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-lower.c - lowers statements to operations, and adds the critical section that some
 * statements need
 *
 * Each path through the program has at most one critical section. It starts as late as possible:
 * after conditions that do not need it, after the first operands of an "&&" that do not need it, or
 * in only one branch of an "if". Once started, it may also contain statements that do not need it.
 * The branches to a label are therefore either all in the section or all outside. The end of the
 * program has two labels: code in the critical section branches to the one where the section is
 * left, all other code branches to the one outside the section.
 */
#include <string.h>

#include "core/program/gilk-lower-private.h"
#include "ilk/ilk-abi.h"

#include <glib/gi18n.h>

static void lower_list    (GilkLower *lower, const GilkNode *first, gboolean last);
static void lower_simple  (GilkLower *lower, const GilkNode *node, gboolean last);
static void lower_critical (GilkLower *lower, const GilkNode *node, gboolean last);

static gboolean
needs_critical (const GilkNode *node)
{
  return node != NULL && (node->needs & GILK_NEEDS_CRITICAL) != 0;
}

/* ---- starts critical sections, and places the end of a hit ---- */

static void
enter_critical (GilkLower *lower)
{
  GilkOp op = gilk_lower_op (GILK_OP_ENTER);

  if ((lower->typing->needs & GILK_NEEDS_GUARD) != 0)
    {
      op.imm = GILK_OPS_GUARD;
      op.label = gilk_lower_label (lower, &lower->end_outside);
    }
  gilk_lower_add (lower, op);
  lower->inside = TRUE;
}

static void
leave_critical (GilkLower *lower)
{
  gilk_lower_add (lower, gilk_lower_op (GILK_OP_LEAVE));
  lower->inside = FALSE;
}

static GilkOpTarget *
get_end_target (GilkLower *lower)
{
  return lower->inside ? &lower->end_inside : &lower->end_outside;
}

static GilkOpTarget *
get_bad_target (GilkLower *lower)
{
  return lower->inside ? &lower->bad_inside : &lower->bad_outside;
}

static void
count_bad_value (GilkLower *lower)
{
  gilk_lower_area_add (lower, lower->typing->bad_map, gilk_lower_constant (1));
}

/*
 * Places the target @bad here, if code branches to it, and emits code that counts a bad value and
 * falls through. A jump to @on in front of it lets the path that comes from above skip this code.
 */
static void
place_bad_target (GilkLower *lower, GilkOpTarget *bad, GilkOpTarget *on)
{
  if (!bad->is_used)
    return;
  gilk_lower_jump (lower, on);
  gilk_lower_place_target (lower, bad);
  count_bad_value (lower);
}

/* Joins all paths at the end of the hit. */
static void
finish_hit (GilkLower *lower)
{
  if (lower->inside || lower->end_inside.is_used || lower->bad_inside.is_used)
    {
      if (!lower->inside)
        gilk_lower_jump (lower, &lower->end_outside);
      lower->inside = TRUE;
      place_bad_target (lower, &lower->bad_inside, &lower->end_inside);
      gilk_lower_place_target (lower, &lower->end_inside);
      leave_critical (lower);
    }
  place_bad_target (lower, &lower->bad_outside, &lower->end_outside);
  gilk_lower_place_target (lower, &lower->end_outside);
}

/* ---- conditions ---- */

/*
 * Where the branches of an "if" meet again. @after: branch target after the "if"; @bad: branch
 * target for a bad value in the condition. If the "if" is the program's last statement, both are
 * targets at the end of the program.
 */
typedef struct {
  GilkOpTarget  own, own_bad;
  GilkOpTarget *after, *bad;
} JoinPoint;

static void
open_join (GilkLower *lower, JoinPoint *meeting, gboolean last)
{
  meeting->own = meeting->own_bad = (GilkOpTarget) { .is_used = FALSE };
  meeting->after = last ? get_end_target (lower) : &meeting->own;
  meeting->bad = last ? get_bad_target (lower) : &meeting->own_bad;
}

static void
close_join (GilkLower *lower, JoinPoint *meeting)
{
  place_bad_target (lower, &meeting->own_bad, meeting->after);
  gilk_lower_place_target (lower, &meeting->own);
}

static void
lower_if_condition (GilkLower *lower, const GilkNode *condition, GilkOpTarget *no, GilkOpTarget *bad)
{
  GilkOpTarget *before = lower->bad;

  lower->place = condition->part.offset;
  lower->bad = bad;
  gilk_lower_condition (lower, condition, no, FALSE);
  lower->bad = before;
  gilk_lower_end_statement (lower);
}

static void
lower_branch (GilkLower *lower, const GilkNode *node, gboolean last)
{
  if (!lower->inside && needs_critical (node))
    lower_critical (lower, node, last);
  else
    lower_simple (lower, node, last);
}

/*
 * Lowers an "if" that is already in a critical section, or whose condition does not need one. In
 * the second case the caller must ensure that at most one branch of the "if" needs a critical
 * section.
 */
static void
lower_if (GilkLower *lower, const GilkNode *node, gboolean last)
{
  const gboolean inside = lower->inside;
  GilkOpTarget no = { .is_used = FALSE };
  JoinPoint meeting;

  open_join (lower, &meeting, last);
  lower_if_condition (lower, node->first, node->third != NULL ? &no : meeting.after, meeting.bad);
  lower_branch (lower, node->second, last);
  if (node->third != NULL)
    {
      gilk_lower_jump (lower, last ? get_end_target (lower) : meeting.after);
      lower->inside = inside;
      gilk_lower_place_target (lower, &no);
      lower_branch (lower, node->third, last);
    }
  close_join (lower, &meeting);
}

/* Collects the operands of @condition, a chain of "&&". */
static void
collect_sides (const GilkNode *condition, GPtrArray *sides)
{
  if (condition->kind == GILK_NODE_BINARY && condition->mark == GILK_MARKS ('&', '&') && !condition->is_constant)
    {
      collect_sides (condition->first, sides);
      collect_sides (condition->second, sides);
    }
  else
    g_ptr_array_add (sides, (gpointer) condition);
}

/*
 * Lowers an "if" without "else" that needs a critical section. The first operands of its "&&"
 * condition are evaluated before the section starts, as far as they do not need it.
 */
static void
lower_if_entering (GilkLower *lower, const GilkNode *node, gboolean last)
{
  g_autoptr(GPtrArray) sides = g_ptr_array_new ();
  JoinPoint outside, within;
  guint i = 0;

  collect_sides (node->first, sides);
  open_join (lower, &outside, last);
  for (; i < sides->len && !needs_critical (g_ptr_array_index (sides, i)); i++)
    lower_if_condition (lower, g_ptr_array_index (sides, i), outside.after, outside.bad);
  if (i == sides->len)
    lower_branch (lower, node->second, last);
  else
    {
      enter_critical (lower);
      open_join (lower, &within, last);
      for (; i < sides->len; i++)
        lower_if_condition (lower, g_ptr_array_index (sides, i), within.after, within.bad);
      lower_simple (lower, node->second, last);
      close_join (lower, &within);
      if (!last)
        leave_critical (lower);
    }
  close_join (lower, &outside);
}

/*
 * Lowers a statement that needs a critical section and is not in one yet. Leaves the section after
 * the statement; if it is the last statement, finish_hit() does that.
 */
static void
lower_critical (GilkLower *lower, const GilkNode *node, gboolean last)
{
  if (node->kind == GILK_NODE_BLOCK)
    lower_list (lower, node->first, last);
  else if (node->kind == GILK_NODE_IF && node->third == NULL)
    lower_if_entering (lower, node, last);
  else if (node->kind == GILK_NODE_IF && !needs_critical (node->first) &&
           needs_critical (node->second) != needs_critical (node->third))
    lower_if (lower, node, last);
  else
    {
      enter_critical (lower);
      lower_simple (lower, node, last);
      if (!last)
        leave_critical (lower);
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

/* Returns the amount that "+=" or "-=" adds; in bytes if the variable is a pointer. */
static GilkOperand
lower_amount (GilkLower *lower, const GilkNode *node)
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
      to = gilk_lower_compute (lower, kind, gilk_lower_operand (node->meaning->value), lower_amount (lower, node));
      to = gilk_lower_narrow (lower, to, &whole, &node->meaning->type);
    }
  gilk_lower_move (lower, node->meaning->value, to);
}

static void
set_global (GilkLower *lower, const GilkNode *node)
{
  const int64_t initial = gilk_map_at (lower->typing->maps, node->meaning->map)->initial;
  GilkOperand from = gilk_lower_expression (lower, node->first);

  if (node->mark == GILK_MARK ('='))
    {
      if (from.is_constant)
        from.constant = (int64_t) ((uint64_t) from.constant - (uint64_t) initial);
      else
        from = gilk_lower_compute (lower, GILK_OP_SUB, from, gilk_lower_constant (initial));
      gilk_lower_area_store (lower, node->meaning->map, from);
      return;
    }
  if (node->mark == GILK_MARKS ('-', '=') && from.is_constant)
    from.constant = (int64_t) - (uint64_t) from.constant;
  else if (node->mark == GILK_MARKS ('-', '='))
    from = gilk_lower_compute (lower, GILK_OP_MUL, from, gilk_lower_constant (-1));
  gilk_lower_area_add (lower, node->meaning->map, from);
}

static void
lower_set (GilkLower *lower, const GilkNode *node)
{
  if (node->meaning->kind == GILK_MEANS_LET)
    set_let (lower, node);
  else
    set_global (lower, node);
}

/* Lowers an update of a map. Computes the amount before taking a slot of the map, so that a slot is
 * not wasted if the amount is bad. */
static void
lower_map_set (GilkLower *lower, const GilkNode *node)
{
  const GilkProgramMap *map = gilk_map_at (lower->typing->maps, node->meaning->map);
  guint words[GILK_TEXT_WORDS];
  const GilkOperand key = gilk_lower_key (lower, node->first, words);
  const GilkOperand amount = gilk_lower_expression (lower, node->second);
  const gboolean adds = node->mark == GILK_MARKS ('+', '=');
  GilkOp slot = gilk_lower_op (GILK_OP_MAP_SLOT), set = gilk_lower_op (adds ? GILK_OP_AREA_ADD : GILK_OP_AREA_STORE);
  GilkOpTarget missed = { .is_used = FALSE }, on = { .is_used = FALSE };

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
  gilk_lower_key_text (lower, map, slot.to, words);
  gilk_lower_add (lower, set);
  gilk_lower_jump (lower, &on);
  gilk_lower_place_target (lower, &missed);
  gilk_lower_area_add (lower, (guint) node->meaning->number, gilk_lower_constant (1));
  gilk_lower_place_target (lower, &on);
}

static void
lower_histogram_add (GilkLower *lower, const GilkNode *node)
{
  const GilkProgramMap *histogram = gilk_map_at (lower->typing->maps, node->meaning->map);
  GilkOp bucket = gilk_lower_op (GILK_OP_BUCKET), add = gilk_lower_op (GILK_OP_AREA_ADD);

  bucket.a = (uint16_t) gilk_lower_as_value (lower, gilk_lower_expression (lower, node->first));
  bucket.imm = histogram->bits;
  bucket.to = add.index = (uint16_t) gilk_lower_value (lower);
  add.area = (uint16_t) histogram->area;
  add.imm2 = 1;
  add.mask = gilk_map_mask (histogram->bits);
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

/* Lowers a statement that calls a service of the driver: marker, watch, freeze or crash. */
static void
lower_call (GilkLower *lower, const GilkNode *node)
{
  GilkOp op = gilk_lower_op (GILK_OP_CALL);

  op.imm = node->kind == GILK_NODE_MARKER ? ILK_SERVICE_MARKER
           : node->kind == GILK_NODE_CRASH ? ILK_SERVICE_CRASH
           : node->kind == GILK_NODE_WATCH ? GILK_SERVICE_MOVE : ILK_SERVICE_FREEZE;
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

/* Lowers a statement that is already in a critical section, or that does not need one. */
static void
lower_simple (GilkLower *lower, const GilkNode *node, gboolean last)
{
  lower->place = node->part.offset;
  lower->bad = get_bad_target (lower);
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
    case GILK_NODE_RETURN: gilk_lower_jump (lower, get_end_target (lower)); break;
    case GILK_NODE_NULLIFY:
    case GILK_NODE_REPLACE:
    case GILK_NODE_TAKEN:
    case GILK_NODE_PASSED: gilk_lower_exit (lower, node); break;
    case GILK_NODE_REGISTER_SET: gilk_lower_register_set (lower, node); break;
    case GILK_NODE_STORE: gilk_lower_store (lower, node); break;
    default: break;
    }
  gilk_lower_end_statement (lower);
}

/* ---- sequences of statements ---- */

/* Returns the first statement from @node on that is not a declaration; only such statements do
 * something at a hit. */
static const GilkNode *
skip_declarations (const GilkNode *node)
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
    if (needs_critical (node))
      {
        begin = begin != NULL ? begin : node;
        end = node;
      }
  for (const GilkNode *node = skip_declarations (first); node != NULL; node = skip_declarations (node->next))
    {
      const gboolean at_end = last && skip_declarations (node->next) == NULL;

      if (begin == end && node == begin)
        {
          lower_critical (lower, node, at_end);
          continue;
        }
      if (node == begin)
        enter_critical (lower);
      lower_simple (lower, node, at_end);
      if (node == end && !at_end)
        leave_critical (lower);
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

  g_array_append_vals (ops->areas, typing->maps->areas->data, typing->maps->areas->len);
  ops->n_gates = typing->gates->len;
  ops->payload = typing->layout.payload;
  lower_list (&lower, program->first, TRUE);
  finish_hit (&lower);

  return typing->source->error == NULL ? g_steal_pointer (&ops) : NULL;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-lower-expression.c - lowers expressions to operations
 *
 * All values are kept in 64 bits: narrower ones are sign-extended or zero-extended according to
 * their type.
 */
#include "core/language/gilk-operators.h"
#include "core/program/gilk-lower-private.h"

#define LOAD_REACH (1 << 16)      /* maximum displacement of a load, positive or negative */

/* An address: @offset bytes from @base. */
typedef struct {
  GilkOperand base;
  int64_t     offset;
} Address;

static Address compute_address (GilkLower *lower, const GilkNode *node);

static int64_t
add_wrapping (int64_t a, int64_t b)
{
  return (int64_t) ((uint64_t) a + (uint64_t) b);
}

static int64_t
multiply_scale (int64_t count, uint64_t scale)
{
  return (int64_t) ((uint64_t) count * scale);
}

static gboolean
is_object_kind (const GilkNode *node)
{
  return node->kind == GILK_NODE_MEMBER || node->kind == GILK_NODE_INDEX ||
         (node->kind == GILK_NODE_UNARY && node->mark == GILK_MARK ('*'));
}

/* ---- addresses ---- */

static Address
add_offset (Address at, int64_t bytes)
{
  at.offset = add_wrapping (at.offset, bytes);

  return at;
}

/* Splits @node into @rest and @bytes if it has the form "rest + constant". FALSE: it has another
 * form. */
static gboolean
split_sum (const GilkNode *node, const GilkNode **rest, int64_t *bytes)
{
  const uint64_t scale = node->scale != 0 ? node->scale : 1;

  if (node->kind != GILK_NODE_BINARY || node->is_constant)
    return FALSE;
  if (node->mark == GILK_MARK ('+') && node->second->is_constant && !gilk_ctype_is_pointer (&node->second->type))
    {
      *rest = node->first;
      *bytes = multiply_scale (node->second->value, scale);
      return TRUE;
    }
  if (node->mark == GILK_MARK ('-') && node->second->is_constant && !gilk_ctype_is_pointer (&node->second->type))
    {
      *rest = node->first;
      *bytes = multiply_scale (-(uint64_t) node->second->value, scale);
      return TRUE;
    }

  return FALSE;
}

/* Emits the computation of @node, a pointer or a 64-bit number, and returns it as an address. */
static Address
lower_pointer (GilkLower *lower, const GilkNode *node)
{
  const GilkNode *rest;
  int64_t bytes;

  if (!node->is_loaded && is_object_kind (node))
    return compute_address (lower, node);
  if (node->kind == GILK_NODE_UNARY && node->mark == GILK_MARK ('&'))
    return compute_address (lower, node->first);
  if (node->kind == GILK_NODE_USER)
    return lower_pointer (lower, node->first);
  if (node->kind == GILK_NODE_CAST && gilk_ctype_size (&node->type) == 8 && !node->is_constant)
    return lower_pointer (lower, node->first);
  if (split_sum (node, &rest, &bytes))
    return add_offset (lower_pointer (lower, rest), bytes);

  return (Address) { .base = gilk_lower_expression (lower, node) };
}

static Address
lower_element (GilkLower *lower, const GilkNode *node)
{
  Address at = lower_pointer (lower, node->first);
  GilkOperand index;

  if (node->second->is_constant)
    return add_offset (at, multiply_scale (node->second->value, node->scale));
  index = gilk_lower_expression (lower, node->second);
  index = gilk_lower_compute (lower, GILK_OP_MUL, index, gilk_lower_constant ((int64_t) node->scale));
  at.base = gilk_lower_compute (lower, GILK_OP_ADD, at.base, index);

  return at;
}

/* Returns the address of an object in memory: a variable, member or element. */
static Address
compute_address (GilkLower *lower, const GilkNode *node)
{
  if (node->kind == GILK_NODE_INDEX)
    return lower_element (lower, node);
  if (node->kind == GILK_NODE_UNARY)
    return lower_pointer (lower, node->first);
  if (node->mark == GILK_MARK ('.'))
    return add_offset (compute_address (lower, node->first), node->member.bits > 0 ? 0 : node->member.offset / 8);

  return add_offset (lower_pointer (lower, node->first), node->member.bits > 0 ? 0 : node->member.offset / 8);
}

static GilkOperand
address_to_number (GilkLower *lower, Address at)
{
  return gilk_lower_compute (lower, GILK_OP_ADD, at.base, gilk_lower_constant (at.offset));
}

/* ---- loads ---- */

/* Returns @at with a displacement that fits a load. A larger displacement is added to the base
 * first. */
static Address
fit_displacement (GilkLower *lower, Address at)
{
  if (at.offset > LOAD_REACH || at.offset < -LOAD_REACH || at.base.is_constant)
    return (Address) { .base = address_to_number (lower, at) };

  return at;
}

static GilkOperand
emit_load (GilkLower *lower, Address at, guint size, gboolean is_signed, gboolean is_user)
{
  GilkOp op = gilk_lower_op (GILK_OP_LOAD);

  at = fit_displacement (lower, at);
  op.a = gilk_lower_as_value (lower, at.base);
  op.imm = at.offset;
  op.size = (uint8_t) size;
  op.is_signed = is_signed != FALSE;
  op.is_user = is_user != FALSE;
  op.to = gilk_lower_value (lower);
  op.label = gilk_lower_label (lower, lower->bad);
  gilk_lower_add (lower, op);

  return gilk_lower_operand (op.to);
}

void
gilk_lower_address (GilkLower      *lower,
                    const GilkNode *node,
                    guint          *at,
                    int64_t        *offset)
{
  const Address address = fit_displacement (lower, compute_address (lower, node));

  *at = gilk_lower_as_value (lower, address.base);
  *offset = address.offset;
}

GilkOperand
gilk_lower_load_at (GilkLower       *lower,
                    guint            at,
                    int64_t          offset,
                    const GilkCType *type)
{
  return emit_load (lower, (Address) { gilk_lower_operand (at), offset }, (guint) gilk_ctype_size (type),
                    gilk_ctype_is_signed (type), FALSE);
}

/* Finds which bytes to load for a bit field: the integer of its declared type if that contains the
 * whole field, else only the bytes that the field touches. */
static void
find_bit_word (const GilkNode *node, guint *byte, guint *size, guint *shift)
{
  const guint unit = 8 * (guint) gilk_ctype_size (&node->type);
  const guint offset = node->member.offset, bits = node->member.bits;

  *size = unit / 8;
  *byte = offset / unit * *size;
  *shift = offset % unit;
  if (*shift + bits <= unit)
    return;
  *byte = offset / 8;
  *shift = offset % 8;
  for (*size = 1; *size * 8 < *shift + bits;)
    *size *= 2;
}

static GilkOperand
load_bits (GilkLower *lower, const GilkNode *node)
{
  const gboolean is_signed = gilk_ctype_is_signed (&node->type);
  const guint bits = node->member.bits;
  const Address at = compute_address (lower, node);
  GilkOperand word;
  guint byte, size, shift;

  find_bit_word (node, &byte, &size, &shift);
  if (shift % 8 == 0 && (bits == 8 || bits == 16 || bits == 32 || bits == 64))
    return emit_load (lower, add_offset (at, byte + shift / 8), bits / 8, is_signed, node->is_user);
  word = emit_load (lower, add_offset (at, byte), size, FALSE, node->is_user);
  if (!is_signed && bits < 32)
    {
      word = gilk_lower_compute (lower, GILK_OP_SHR, word, gilk_lower_constant (shift));
      return shift + bits == size * 8 ? word
                                      : gilk_lower_compute (lower, GILK_OP_AND, word,
                                                            gilk_lower_constant ((INT64_C (1) << bits) - 1));
    }
  word = gilk_lower_compute (lower, GILK_OP_SHL, word, gilk_lower_constant (64 - shift - bits));

  return gilk_lower_compute (lower, is_signed ? GILK_OP_SAR : GILK_OP_SHR, word, gilk_lower_constant (64 - bits));
}

static GilkOperand
load_object (GilkLower *lower, const GilkNode *node)
{
  if (node->kind == GILK_NODE_MEMBER && node->member.bits > 0)
    return load_bits (lower, node);

  return emit_load (lower, compute_address (lower, node), (guint) gilk_ctype_size (&node->type),
                    gilk_ctype_is_signed (&node->type), node->is_user);
}

/* ---- names and registers ---- */

GilkOperand
gilk_lower_register (GilkLower *lower,
                     int64_t    number)
{
  GilkOp op = gilk_lower_op (GILK_OP_REGISTER);

  op.imm = number;
  op.to = gilk_lower_value (lower);
  gilk_lower_add (lower, op);

  return gilk_lower_operand (op.to);
}

static GilkOperand
load_fact (GilkLower *lower, int64_t number)
{
  GilkOp op = gilk_lower_op (GILK_OP_FACT);

  op.imm = number;
  op.to = gilk_lower_value (lower);
  gilk_lower_add (lower, op);

  return gilk_lower_operand (op.to);
}

static GilkOperand
load_context (GilkLower *lower, int64_t number)
{
  GilkOp op = gilk_lower_op (GILK_OP_CONTEXT);

  op.imm = number;
  op.to = gilk_lower_value (lower);
  gilk_lower_add (lower, op);

  return gilk_lower_operand (op.to);
}

static GilkOperand
load_cpu_number (GilkLower *lower, int64_t offset)
{
  GilkOp op = gilk_lower_op (GILK_OP_CPU_LOAD);

  op.imm = offset;
  op.size = 4;
  op.to = gilk_lower_value (lower);
  gilk_lower_add (lower, op);

  return gilk_lower_operand (op.to);
}

static GilkOperand
load_global (GilkLower *lower, const GilkMeaning *meaning)
{
  const int64_t initial = gilk_map_at (lower->typing->maps, meaning->map)->initial;

  return gilk_lower_compute (lower, GILK_OP_ADD, gilk_lower_area_load (lower, meaning->map),
                             gilk_lower_constant (initial));
}

static GilkOperand
lower_name (GilkLower *lower, const GilkMeaning *meaning)
{
  const GilkCType whole = gilk_ctype_number (FALSE, 8);

  switch (meaning->kind)
    {
    case GILK_MEANS_LET:
      return gilk_lower_operand (meaning->value);
    case GILK_MEANS_GLOBAL:
      return load_global (lower, meaning);
    case GILK_MEANS_REGISTER:
      return gilk_lower_narrow (lower, gilk_lower_register (lower, meaning->number), &whole, &meaning->type);
    case GILK_MEANS_CONTEXT:
      return gilk_lower_narrow (lower, load_context (lower, meaning->number), &whole, &meaning->type);
    case GILK_MEANS_FACT:
      return load_fact (lower, meaning->number);
    case GILK_MEANS_CPU_NUMBER:
      return load_cpu_number (lower, meaning->number);
    case GILK_MEANS_TASK:
      return gilk_lower_task (lower, meaning->number);
    case GILK_MEANS_TASK_MEMBER:
      return gilk_lower_task_load (lower, meaning->number, 4, TRUE);
    default:
      return gilk_lower_clock (lower);
    }
}

/* ---- operators ---- */

static gboolean
is_once (const GilkNode *node)
{
  return node->kind == GILK_NODE_NAME && node->meaning->kind == GILK_MEANS_ONCE;
}

static gboolean
is_limiter (const GilkNode *node)
{
  return node->kind == GILK_NODE_EVERY || node->kind == GILK_NODE_LIMIT || node->kind == GILK_NODE_CHANCE || is_once (node);
}

static gboolean
is_logical (guint mark)
{
  return mark == GILK_MARKS ('&', '&') || mark == GILK_MARKS ('|', '|');
}

static gboolean
is_boolean (const GilkNode *node)
{
  GilkCompare compare;

  if (node->kind == GILK_NODE_UNARY)
    return node->mark == GILK_MARK ('!');
  if (node->kind == GILK_NODE_BINARY)
    return is_logical (node->mark) || gilk_compare_of (node->mark, &compare);

  return is_limiter (node) || node->kind == GILK_NODE_COMM_IS;
}

/* Returns the truth value of @node, 1 or 0. */
static GilkOperand
lower_boolean (GilkLower *lower, const GilkNode *node)
{
  const guint to = gilk_lower_value (lower);
  GilkOpTarget no = { .is_used = FALSE };

  gilk_lower_move (lower, to, gilk_lower_constant (0));
  gilk_lower_condition (lower, node, &no, FALSE);
  gilk_lower_move (lower, to, gilk_lower_constant (1));
  gilk_lower_place_target (lower, &no);

  return gilk_lower_operand (to);
}

static GilkOperand
lower_pointer_arithmetic (GilkLower *lower, const GilkNode *node)
{
  const gboolean left = gilk_ctype_is_pointer (&node->first->type);
  const gboolean right = gilk_ctype_is_pointer (&node->second->type);
  const GilkOpKind kind = node->mark == GILK_MARK ('+') ? GILK_OP_ADD : GILK_OP_SUB;
  const GilkOperand scale = gilk_lower_constant ((int64_t) node->scale);
  GilkOperand a = gilk_lower_expression (lower, node->first);
  GilkOperand b = gilk_lower_expression (lower, node->second);

  if (left && right)
    {
      a = gilk_lower_compute (lower, GILK_OP_SUB, a, b);
      if ((node->scale & (node->scale - 1)) == 0)
        return gilk_lower_compute (lower, GILK_OP_SAR, a,
                                   gilk_lower_constant (g_bit_nth_lsf ((gulong) node->scale, -1)));
      return gilk_lower_divide (lower, GILK_OP_DIV, a, scale, TRUE, TRUE);
    }
  if (left)
    b = b.is_constant ? gilk_lower_constant (multiply_scale (b.constant, node->scale))
                      : gilk_lower_compute (lower, GILK_OP_MUL, b, scale);
  else
    a = a.is_constant ? gilk_lower_constant (multiply_scale (a.constant, node->scale))
                      : gilk_lower_compute (lower, GILK_OP_MUL, a, scale);

  return gilk_lower_compute (lower, kind, a, b);
}

static GilkOpKind
get_operation (const GilkNode *node)
{
  switch (node->mark)
    {
    case GILK_MARK ('+'): return GILK_OP_ADD;
    case GILK_MARK ('-'): return GILK_OP_SUB;
    case GILK_MARK ('*'): return GILK_OP_MUL;
    case GILK_MARK ('&'): return GILK_OP_AND;
    case GILK_MARK ('|'): return GILK_OP_OR;
    case GILK_MARK ('^'): return GILK_OP_XOR;
    case GILK_MARKS ('<', '<'): return GILK_OP_SHL;
    case GILK_MARKS ('>', '>'): return gilk_ctype_is_signed (&node->first->type) ? GILK_OP_SAR : GILK_OP_SHR;
    case GILK_MARK ('/'): return GILK_OP_DIV;
    default: return GILK_OP_MOD;
    }
}

static GilkOperand
lower_binary (GilkLower *lower, const GilkNode *node)
{
  const GilkOpKind kind = get_operation (node);
  const gboolean is_signed = gilk_ctype_is_signed (&node->type);
  GilkOperand a, b;

  if (node->scale != 0)
    return lower_pointer_arithmetic (lower, node);
  a = gilk_lower_expression (lower, node->first);
  b = gilk_lower_expression (lower, node->second);
  if (kind != GILK_OP_DIV && kind != GILK_OP_MOD)
    return gilk_lower_compute (lower, kind, a, b);

  return gilk_lower_divide (lower, kind, a, b, is_signed,
                            b.is_constant && b.constant != 0 && !(is_signed && b.constant == -1));
}

static GilkOperand
lower_unary (GilkLower *lower, const GilkNode *node)
{
  if (node->mark == GILK_MARK ('&'))
    return address_to_number (lower, compute_address (lower, node->first));
  if (node->mark == GILK_MARK ('-'))
    return gilk_lower_compute (lower, GILK_OP_MUL, gilk_lower_expression (lower, node->first),
                               gilk_lower_constant (-1));

  return gilk_lower_compute (lower, GILK_OP_XOR, gilk_lower_expression (lower, node->first),
                             gilk_lower_constant (-1));
}

GilkOperand
gilk_lower_key (GilkLower      *lower,
                const GilkNode *node,
                guint          *words)
{
  if (gilk_typing_words (node) == 0)
    return gilk_lower_expression (lower, node);

  return gilk_lower_text_key (lower, node, gilk_lower_text_address (lower, node), words);
}

guint
gilk_lower_text_address (GilkLower      *lower,
                         const GilkNode *node)
{
  return node->kind == GILK_NODE_STRING ? gilk_lower_as_value (lower, gilk_lower_expression (lower, node->first)) : GILK_NO_VALUE;
}

GilkOperand
gilk_lower_expression (GilkLower      *lower,
                       const GilkNode *node)
{
  guint words[GILK_TEXT_WORDS];

  if (node->is_constant)
    return gilk_lower_constant (node->value);
  if (node->is_loaded)
    return load_object (lower, node);
  if (is_boolean (node))
    return lower_boolean (lower, node);
  switch (node->kind)
    {
    case GILK_NODE_NAME: return lower_name (lower, node->meaning);
    case GILK_NODE_REGISTER: return gilk_lower_register (lower, (int64_t) node->number);
    case GILK_NODE_CAST: return gilk_lower_converted (lower, node->first, &node->type);
    case GILK_NODE_BINARY: return lower_binary (lower, node);
    case GILK_NODE_NS: return gilk_lower_nanoseconds (lower, gilk_lower_expression (lower, node->first));
    case GILK_NODE_STACK: return gilk_lower_stack (lower, node);
    case GILK_NODE_EVENT: return gilk_lower_event (lower, node);
    case GILK_NODE_SYMBOL:
    case GILK_NODE_USER: return gilk_lower_expression (lower, node->first);
    case GILK_NODE_GET:
    case GILK_NODE_TAKE:
      return gilk_lower_table_get (lower, node->meaning->map, gilk_lower_key (lower, node->first, words),
                                   node->kind == GILK_NODE_TAKE);
    case GILK_NODE_UNARY:
      if (node->mark != GILK_MARK ('*'))
        return lower_unary (lower, node);
      break;
    default:
      break;
    }

  return address_to_number (lower, compute_address (lower, node));
}

GilkOperand
gilk_lower_converted (GilkLower       *lower,
                      const GilkNode  *node,
                      const GilkCType *type)
{
  const gboolean to_bool = type->stars == 0 && type->base.is_bool;
  GilkOperand from;

  if (to_bool && !node->is_constant)
    return lower_boolean (lower, node);
  from = gilk_lower_expression (lower, node);
  if (!from.is_constant)
    return gilk_lower_narrow (lower, from, &node->type, type);

  return gilk_lower_constant (gilk_type_narrowed (type, from.constant));
}

/* ---- conditions ---- */

static void
compare_sides (GilkLower *lower, const GilkNode *node, GilkCompare compare, GilkOpTarget *target, gboolean jump_if)
{
  const gboolean is_signed = gilk_ctype_is_signed (&node->first->type) && gilk_ctype_is_signed (&node->second->type);
  GilkOperand a = gilk_lower_expression (lower, node->first), b = gilk_lower_expression (lower, node->second);

  if (a.is_constant)
    {
      const GilkOperand constant = a;

      a = b;
      b = constant;
      compare = gilk_compare_swapped (compare);
    }
  if (is_signed)
    compare = gilk_compare_signed (compare);
  gilk_lower_branch (lower, jump_if ? compare : gilk_compare_negated (compare), a, b, target);
}

/*
 * Returns @node's value, to be tested for the bits of @mask. If @node is in an argument register,
 * and all bits of @mask are within the argument's type, the register is used as it is, without
 * extension to 64 bits.
 */
static GilkOperand
lower_masked (GilkLower *lower, const GilkNode *node, const GilkNode *mask)
{
  const guint64 size = gilk_ctype_size (&node->type);

  if (node->kind == GILK_NODE_NAME && !node->is_constant && node->meaning->kind == GILK_MEANS_REGISTER &&
      mask->is_constant && size < 8 && (uint64_t) mask->value >> (8 * size) == 0)
    return gilk_lower_register (lower, node->meaning->number);

  return gilk_lower_expression (lower, node);
}

static void
compare_bits (GilkLower *lower, const GilkNode *node, GilkOpTarget *target, gboolean jump_if)
{
  GilkOperand a = lower_masked (lower, node->first, node->second), b = lower_masked (lower, node->second, node->first);

  if (a.is_constant)
    gilk_lower_branch (lower, jump_if ? GILK_IF_BITS : GILK_IF_NO_BITS, b, a, target);
  else
    gilk_lower_branch (lower, jump_if ? GILK_IF_BITS : GILK_IF_NO_BITS, a, b, target);
}

static void
lower_logical (GilkLower *lower, const GilkNode *node, GilkOpTarget *target, gboolean jump_if)
{
  /* the value of the first operand that decides the result: "false" for "&&", "true" for "||" */
  const gboolean decides = node->mark == GILK_MARKS ('|', '|');
  GilkOpTarget on = { .is_used = FALSE };

  gilk_lower_condition (lower, node->first, jump_if == decides ? target : &on, decides);
  gilk_lower_condition (lower, node->second, target, jump_if);
  gilk_lower_place_target (lower, &on);
}

static void
lower_limiter (GilkLower *lower, const GilkNode *node, GilkOpTarget *target, gboolean jump_if)
{
  GilkOpTarget on = { .is_used = FALSE };

  gilk_lower_limiter (lower, node, jump_if ? &on : target);
  if (jump_if)
    gilk_lower_jump (lower, target);
  gilk_lower_place_target (lower, &on);
}

static gboolean
is_zero (const GilkNode *node)
{
  return node->is_constant && node->value == 0;
}

static void
lower_two_sided (GilkLower *lower, const GilkNode *node, GilkOpTarget *target, gboolean jump_if)
{
  GilkCompare compare = GILK_IF_EQ;

  if (is_logical (node->mark))
    lower_logical (lower, node, target, jump_if);
  else if (node->mark == GILK_MARK ('&'))
    compare_bits (lower, node, target, jump_if);
  else if (!gilk_compare_of (node->mark, &compare))
    gilk_lower_branch (lower, jump_if ? GILK_IF_NE : GILK_IF_EQ, gilk_lower_expression (lower, node),
                       gilk_lower_constant (0), target);
  else if (compare <= GILK_IF_NE && is_zero (node->second))
    gilk_lower_condition (lower, node->first, target, jump_if == (compare == GILK_IF_NE));
  else
    compare_sides (lower, node, compare, target, jump_if);
}

void
gilk_lower_condition (GilkLower      *lower,
                      const GilkNode *node,
                      GilkOpTarget   *target,
                      gboolean        jump_if)
{
  if (node->is_constant)
    {
      if ((node->value != 0) == jump_if)
        gilk_lower_jump (lower, target);
    }
  else if (node->kind == GILK_NODE_BINARY)
    lower_two_sided (lower, node, target, jump_if);
  else if (node->kind == GILK_NODE_UNARY && node->mark == GILK_MARK ('!'))
    gilk_lower_condition (lower, node->first, target, !jump_if);
  else if (is_limiter (node))
    lower_limiter (lower, node, target, jump_if);
  else if (node->kind == GILK_NODE_COMM_IS)
    gilk_lower_comm (lower, node, target, jump_if);
  else
    gilk_lower_branch (lower, jump_if ? GILK_IF_NE : GILK_IF_EQ, gilk_lower_expression (lower, node),
                       gilk_lower_constant (0), target);
}

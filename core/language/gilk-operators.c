/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-operators.c - types of operators, constant folding, and forms of comparisons
 *
 * The result of an operator is 64 bits wide, and signed if both operands are. Comparisons give a
 * signed 1 or 0.
 */
#include "core/language/gilk-operators.h"

#include <glib/gi18n.h>

#include "core/language/gilk-names.h"
#include "core/language/gilk-source.h"

static void
set_constant (GilkNode *node, int64_t value)
{
  node->is_constant = TRUE;
  node->value = value;
}

/* ---- unary operators and casts ---- */

gboolean
gilk_type_sign (GilkSource *source,
                GilkNode   *node)
{
  const GilkNode *of = node->first;

  node->needs = of->needs;
  if (node->mark == GILK_MARK ('!'))
    {
      node->type = gilk_ctype_number (TRUE, 8);
      if (of->is_constant)
        set_constant (node, of->value == 0);
      return TRUE;
    }
  if (!gilk_ctype_is_number (&of->type))
    return gilk_source_fail (source, node->part, _("This is a pointer. Cast it to a number first: (u64) p."));
  node->type = gilk_ctype_number (gilk_ctype_is_signed (&of->type), 8);
  if (of->is_constant)
    set_constant (node, node->mark == GILK_MARK ('-') ? (int64_t) - (uint64_t) of->value : ~of->value);

  return TRUE;
}

int64_t
gilk_type_narrowed (const GilkCType *type,
                    int64_t          value)
{
  const guint shift = 64 - 8 * (guint) gilk_ctype_size (type);

  if (type->stars == 0 && type->base.is_bool)
    return value != 0;
  if (gilk_ctype_is_signed (type))
    return (int64_t) ((uint64_t) value << shift) >> shift;

  return (int64_t) ((uint64_t) value << shift >> shift);
}

gboolean
gilk_type_cast (const GilkBtf   *btf,
                GilkSource      *source,
                GilkNode        *node,
                const GilkCType *type)
{
  g_autofree char *name = NULL;

  if (!gilk_ctype_is_number (type) && !gilk_ctype_is_pointer (type))
    {
      name = gilk_ctype_name (btf, type);
      return gilk_source_fail (source, node->at,
                               _("Cannot cast to %s: it is neither a number nor a pointer. Cast "
                                 "to a pointer to that type, and read a member."), name);
    }
  node->type = *type;
  node->needs = node->first->needs;
  if (node->first->is_constant)
    set_constant (node, gilk_type_narrowed (type, node->first->value));

  return TRUE;
}

/* ---- targets of pointers, and conversions without a cast ---- */

gboolean
gilk_type_target (const GilkBtf  *btf,
                  GilkSource     *source,
                  GilkNode       *node,
                  const GilkNode *pointer)
{
  g_autofree char *name = NULL;

  if (gilk_ctype_is_pointer (&pointer->type) && gilk_ctype_target (btf, &pointer->type, &node->type))
    {
      if (node->type.stars > 0 || node->type.base.kind != GILK_TYPE_VOID)
        return TRUE;
      return gilk_source_fail (source, pointer->part, _("Cannot dereference this: the type that it points to is not "
                                                        "known. Cast it to a pointer to another type."));
    }
  name = gilk_ctype_name (btf, &pointer->type);

  return gilk_source_fail (source, pointer->part,
                           _("This is %s, not a pointer. Cast it to one, as in (u32 *) x."), name);
}

gboolean
gilk_type_scale (const GilkBtf  *btf,
                 GilkSource     *source,
                 GilkNode       *node,
                 const GilkNode *pointer)
{
  GilkCType target;
  g_autofree char *name = NULL;

  if (!gilk_ctype_target (btf, &pointer->type, &target))
    return gilk_source_fail (source, pointer->part, _("Cannot dereference this: the type that it points to is not known. "
                                                      "Cast it to a pointer to another type."));
  node->scale = target.stars == 0 && target.base.kind == GILK_TYPE_VOID ? 1 : gilk_ctype_size (&target);
  if (node->scale > 0 && node->scale <= INT32_MAX)
    return TRUE;
  name = gilk_ctype_name (btf, &target);

  return gilk_source_fail (source, pointer->part,
                           _("The size of %s is not known, so pointer arithmetic is not possible. Cast the pointer first."), name);
}

gboolean
gilk_type_fits (const GilkBtf   *btf,
                GilkSource      *source,
                const GilkCType *type,
                const GilkNode  *value)
{
  g_autofree char *wanted = NULL, *found = NULL;

  if (gilk_ctype_is_number (type) == gilk_ctype_is_number (&value->type) &&
      (gilk_ctype_is_number (type) || gilk_ctype_same (btf, type, &value->type)))
    return TRUE;
  wanted = gilk_ctype_name (btf, type);
  found = gilk_ctype_name (btf, &value->type);

  return gilk_source_fail (source, value->part,
                           _("This is %s, but %s is expected. Cast it, as in (u64) p."), found, wanted);
}

/* ---- binary operators ---- */

static gboolean
is_comparison (guint mark)
{
  return mark == GILK_MARK ('<') || mark == GILK_MARK ('>') || mark == GILK_MARKS ('<', '=') ||
         mark == GILK_MARKS ('>', '=') || mark == GILK_MARKS ('=', '=') || mark == GILK_MARKS ('!', '=');
}

/* Returns the comparison operator that is equivalent to @mark when the operands are swapped: ">"
 * for "<". */
static guint
swap_mark (guint mark)
{
  switch (mark)
    {
    case GILK_MARK ('<'): return GILK_MARK ('>');
    case GILK_MARK ('>'): return GILK_MARK ('<');
    case GILK_MARKS ('<', '='): return GILK_MARKS ('>', '=');
    case GILK_MARKS ('>', '='): return GILK_MARKS ('<', '=');
    default: return mark;
    }
}

/*
 * Returns whether "NUMBER @mark @with" is false for each NUMBER from @least to @most. For a signed
 * comparison, the caller adds 2^63 to all numbers, so that they sort like unsigned numbers.
 */
static gboolean
never_holds (guint mark, uint64_t least, uint64_t most, uint64_t with)
{
  switch (mark)
    {
    case GILK_MARK ('<'): return least >= with;
    case GILK_MARKS ('<', '='): return least > with;
    case GILK_MARK ('>'): return most <= with;
    case GILK_MARKS ('>', '='): return most < with;
    case GILK_MARKS ('=', '='): return with < least || with > most;
    default: return FALSE;
    }
}

/* Returns whether @node is a register. A register does not have a declared type: its value counts
 * as unsigned, but may be meant as signed. */
static gboolean
is_untyped (const GilkNode *node)
{
  return node->kind == GILK_NODE_REGISTER ||
         (node->kind == GILK_NODE_NAME && node->meaning != NULL && node->meaning->kind == GILK_MEANS_REGISTER);
}

/* Fails if comparing @of, a number, with @with, a constant, always has the same result. */
static gboolean
check_comparison (const GilkBtf *btf, GilkSource *source, const GilkNode *of, const GilkNode *with, guint mark, GilkTextPart at)
{
  const guint bits = 8 * (guint) gilk_ctype_size (&of->type);
  const gboolean is_signed = gilk_ctype_is_signed (&of->type);
  const uint64_t all = bits < 64 ? (UINT64_C (1) << bits) - 1 : UINT64_MAX, middle = UINT64_C (1) << 63;
  const uint64_t least = is_signed ? middle - (all / 2 + 1) : 0, number = (uint64_t) with->value + (is_signed ? middle : 0);
  g_autofree char *text = NULL, *type = NULL;

  if (!gilk_ctype_is_number (&of->type) || bits == 0 || (is_signed && !gilk_ctype_is_signed (&with->type)))
    return TRUE;
  if (!never_holds (mark, least, least + all, number) &&
      !(mark == GILK_MARKS ('>', '=') && with->value == 0 && !is_signed && is_untyped (of)))
    return TRUE;
  text = gilk_source_quote (source, of->part);
  if (!is_signed && with->value <= 0)
    return gilk_source_fail (source, at,
                             _("This comparison always has the same result: %s is unsigned here. If the value is signed, "
                               "write (int) %s, or (s64) %s for 64 bits."), text, text, text);
  type = gilk_ctype_name (btf, &of->type);

  return gilk_source_fail (source, at, _("This is never true: %s is of type %s, which cannot have this value. Compare "
                                         "with another value, or cast it."), text, type);
}

/* Computes a comparison, "&&" or "||" of two constants. Returns FALSE if @mark is another
 * operator. */
static gboolean
fold_comparison (guint mark, uint64_t a, uint64_t b, gboolean is_signed, int64_t *value)
{
  const gboolean less = is_signed ? (int64_t) a < (int64_t) b : a < b;

  switch (mark)
    {
    case GILK_MARK ('<'): *value = less; return TRUE;
    case GILK_MARKS ('>', '='): *value = !less; return TRUE;
    case GILK_MARK ('>'): *value = !less && a != b; return TRUE;
    case GILK_MARKS ('<', '='): *value = less || a == b; return TRUE;
    case GILK_MARKS ('=', '='): *value = a == b; return TRUE;
    case GILK_MARKS ('!', '='): *value = a != b; return TRUE;
    case GILK_MARKS ('&', '&'): *value = a != 0 && b != 0; return TRUE;
    case GILK_MARKS ('|', '|'): *value = a != 0 || b != 0; return TRUE;
    default: return FALSE;
    }
}

/* Returns @a / @b or @a % @b. @b must not be 0, and the quotient must not overflow. */
static uint64_t
fold_division (guint mark, uint64_t a, uint64_t b, gboolean is_signed)
{
  if (mark == GILK_MARK ('/'))
    return is_signed ? (uint64_t) ((int64_t) a / (int64_t) b) : a / b;

  return is_signed ? (uint64_t) ((int64_t) a % (int64_t) b) : a % b;
}

/*
 * Computes a binary operator on two constants. Returns FALSE if the result is undefined: a division
 * by 0 or an overflow.
 */
static gboolean
fold_binary (const GilkNode *node, gboolean is_signed, int64_t *value)
{
  const uint64_t a = (uint64_t) node->first->value, b = (uint64_t) node->second->value;

  if (fold_comparison (node->mark, a, b, is_signed, value))
    return TRUE;
  switch (node->mark)
    {
    case GILK_MARK ('+'): *value = (int64_t) (a + b); break;
    case GILK_MARK ('-'): *value = (int64_t) (a - b); break;
    case GILK_MARK ('*'): *value = (int64_t) (a * b); break;
    case GILK_MARK ('&'): *value = (int64_t) (a & b); break;
    case GILK_MARK ('|'): *value = (int64_t) (a | b); break;
    case GILK_MARK ('^'): *value = (int64_t) (a ^ b); break;
    case GILK_MARKS ('<', '<'): *value = (int64_t) (a << (b & 63)); break;
    case GILK_MARKS ('>', '>'):
      *value = gilk_ctype_is_signed (&node->first->type) ? (int64_t) a >> (b & 63) : (int64_t) (a >> (b & 63));
      break;
    default:
      if (b == 0 || (is_signed && b == UINT64_MAX && a == (uint64_t) INT64_MIN))
        return FALSE;
      *value = (int64_t) fold_division (node->mark, a, b, is_signed);
      break;
    }

  return TRUE;
}

static gboolean
type_division (GilkSource *source, GilkNode *node)
{
  const GilkNode *by = node->second;

  if (by->is_constant && by->value == 0)
    return gilk_source_fail (source, node->at, _("Division by 0."));
  if (!by->is_constant || (by->value == -1 && gilk_ctype_is_signed (&node->type)))
    node->needs |= GILK_NEEDS_CHECK;

  return TRUE;
}

static gboolean
type_numbers (GilkSource *source, GilkNode *node)
{
  const gboolean shift = node->mark == GILK_MARKS ('<', '<') || node->mark == GILK_MARKS ('>', '>');
  const gboolean is_signed = gilk_ctype_is_signed (&node->first->type) &&
                             (shift || gilk_ctype_is_signed (&node->second->type));

  node->type = gilk_ctype_number (is_signed, 8);
  if ((node->mark == GILK_MARK ('/') || node->mark == GILK_MARK ('%')) && !type_division (source, node))
    return FALSE;
  if (node->first->is_constant && node->second->is_constant && fold_binary (node, is_signed, &node->value))
    {
      node->is_constant = TRUE;
      node->needs = 0;
    }

  return TRUE;
}

/* Checks the operands and sets the type of a binary operator with a pointer on at least one
 * side. */
static gboolean
type_pointers (const GilkBtf *btf, GilkSource *source, GilkNode *node)
{
  const gboolean left = gilk_ctype_is_pointer (&node->first->type);
  const gboolean right = gilk_ctype_is_pointer (&node->second->type);

  if (node->mark == GILK_MARK ('+') && left != right)
    {
      node->type = (left ? node->first : node->second)->type;
      return gilk_type_scale (btf, source, node, left ? node->first : node->second);
    }
  if (node->mark == GILK_MARK ('-') && left && !right)
    {
      node->type = node->first->type;
      return gilk_type_scale (btf, source, node, node->first);
    }
  if (node->mark == GILK_MARK ('-') && left && gilk_ctype_same (btf, &node->first->type, &node->second->type))
    {
      node->type = gilk_ctype_number (TRUE, 8);
      return gilk_type_scale (btf, source, node, node->first);
    }

  return gilk_source_fail (source, node->at, _("This operator does not apply to a pointer. Cast it to a number first: "
                                               "(u64) p."));
}

gboolean
gilk_type_binary (const GilkBtf *btf,
                  GilkSource    *source,
                  GilkNode      *node)
{
  const gboolean logical = node->mark == GILK_MARKS ('&', '&') || node->mark == GILK_MARKS ('|', '|');
  const gboolean is_signed = gilk_ctype_is_signed (&node->first->type) && gilk_ctype_is_signed (&node->second->type);

  node->needs = node->first->needs | node->second->needs;
  if (logical || is_comparison (node->mark))
    {
      node->type = gilk_ctype_number (TRUE, 8);
      if (node->first->is_constant && node->second->is_constant)
        node->is_constant = fold_binary (node, is_signed, &node->value);
      else if (!logical && node->second->is_constant)
        return check_comparison (btf, source, node->first, node->second, node->mark, node->at);
      else if (!logical && node->first->is_constant)
        return check_comparison (btf, source, node->second, node->first, swap_mark (node->mark), node->at);
      return TRUE;
    }
  if (gilk_ctype_is_number (&node->first->type) && gilk_ctype_is_number (&node->second->type))
    return type_numbers (source, node);

  return type_pointers (btf, source, node);
}

/* ---- comparisons: lookup by token, negation, swapped and signed forms ---- */

gboolean
gilk_compare_of (guint        mark,
                 GilkCompare *compare)
{
  static const struct { guint mark; GilkCompare compare; } all[] = {
    { GILK_MARKS ('=', '='), GILK_IF_EQ }, { GILK_MARKS ('!', '='), GILK_IF_NE },
    { GILK_MARK ('<'), GILK_IF_BELOW }, { GILK_MARKS ('<', '='), GILK_IF_NOT_ABOVE },
    { GILK_MARK ('>'), GILK_IF_ABOVE }, { GILK_MARKS ('>', '='), GILK_IF_NOT_BELOW },
  };

  for (guint i = 0; i < G_N_ELEMENTS (all); i++)
    if (all[i].mark == mark)
      {
        *compare = all[i].compare;
        return TRUE;
      }

  return FALSE;
}

GilkCompare
gilk_compare_negated (GilkCompare compare)
{
  static const GilkCompare other[] = {
    [GILK_IF_EQ] = GILK_IF_NE, [GILK_IF_NE] = GILK_IF_EQ,
    [GILK_IF_BELOW] = GILK_IF_NOT_BELOW, [GILK_IF_NOT_BELOW] = GILK_IF_BELOW,
    [GILK_IF_ABOVE] = GILK_IF_NOT_ABOVE, [GILK_IF_NOT_ABOVE] = GILK_IF_ABOVE,
    [GILK_IF_LESS] = GILK_IF_NOT_LESS, [GILK_IF_NOT_LESS] = GILK_IF_LESS,
    [GILK_IF_GREATER] = GILK_IF_NOT_GREATER, [GILK_IF_NOT_GREATER] = GILK_IF_GREATER,
    [GILK_IF_BITS] = GILK_IF_NO_BITS, [GILK_IF_NO_BITS] = GILK_IF_BITS,
  };

  return other[compare];
}

GilkCompare
gilk_compare_swapped (GilkCompare compare)
{
  static const GilkCompare other[] = {
    [GILK_IF_EQ] = GILK_IF_EQ, [GILK_IF_NE] = GILK_IF_NE,
    [GILK_IF_BELOW] = GILK_IF_ABOVE, [GILK_IF_ABOVE] = GILK_IF_BELOW,
    [GILK_IF_NOT_BELOW] = GILK_IF_NOT_ABOVE, [GILK_IF_NOT_ABOVE] = GILK_IF_NOT_BELOW,
  };

  return other[compare];
}

GilkCompare
gilk_compare_signed (GilkCompare compare)
{
  static const GilkCompare other[] = {
    [GILK_IF_EQ] = GILK_IF_EQ, [GILK_IF_NE] = GILK_IF_NE,
    [GILK_IF_BELOW] = GILK_IF_LESS, [GILK_IF_ABOVE] = GILK_IF_GREATER,
    [GILK_IF_NOT_BELOW] = GILK_IF_NOT_LESS, [GILK_IF_NOT_ABOVE] = GILK_IF_NOT_GREATER,
  };

  return other[compare];
}

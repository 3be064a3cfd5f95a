/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-typing-local.c - finds the types of local variables in debug data, and replaces a variable's
 * name by the expression for its value
 *
 * A variable in a register becomes that register, cast to its type; a variable in memory becomes
 * the target of a pointer. So later steps treat local variables like pointers and registers.
 */
#include "core/language/gilk-typing.h"

#include <glib/gi18n.h>

#include "core/language/gilk-operators.h"

static GilkNode *
new_node (GilkTyping *typing, const GilkNode *like, GilkNodeKind kind)
{
  GilkNode *node = g_new0 (GilkNode, 1);

  node->kind = kind;
  node->part = like->part;
  node->at = like->at;
  g_ptr_array_add (typing->names->all, node);

  return node;
}

/* ---- types of variables ---- */

static gboolean
get_number_type (const GilkDwarfType *type, GilkCType *out)
{
  if (type->size != 1 && type->size != 2 && type->size != 4 && type->size != 8)
    return FALSE;
  *out = gilk_ctype_number (type->is_signed, (guint) type->size);

  return TRUE;
}

/* Finds the base type of @type, without pointers. FALSE if programs can use only pointers to it. */
static gboolean
find_base_type (const GilkBtf *btf, const GilkDwarfType *type, GilkCType *out)
{
  switch (type->kind)
    {
    case GILK_DWARF_TYPE_INT:
      return get_number_type (type, out);
    case GILK_DWARF_TYPE_ENUM:
      return (type->name != NULL && gilk_ctype_find (btf, type->name, out) && gilk_ctype_is_number (out) &&
              gilk_ctype_size (out) == type->size) || get_number_type (type, out);
    case GILK_DWARF_TYPE_STRUCT:
      return type->name != NULL && gilk_ctype_find (btf, type->name, out) &&
             (type->size == 0 || gilk_ctype_size (out) == type->size);
    default:
      return FALSE;
    }
}

/*
 * Finds the type of a local variable. Looks up the type's name in BTF, and then in debug data,
 * because the type may be defined inside the function, and BTF may have another type of that name.
 * A pointer to an unknown type becomes a void pointer.
 */
static gboolean
find_type (GilkTyping *typing, const GilkNode *node, const GilkDwarfType *type, GilkCType *out)
{
  if (!find_base_type (typing->place->btf, type, out) &&
      (type->name == NULL || (type->kind != GILK_DWARF_TYPE_STRUCT && type->kind != GILK_DWARF_TYPE_ENUM) ||
       !gilk_names_load_more (typing->names, type->name, node->part) || !find_base_type (typing->place->btf, type, out)))
    {
      if (typing->source->error != NULL || type->stars == 0)
        return FALSE;
      gilk_ctype_plain ("void", out);
    }
  out->stars += type->stars;

  return TRUE;
}

/* ---- errors for variables without a value at the probe point ---- */

/* Returns the variable's name. For a variable of an inlined function, adds that function's name,
 * because the outer function may have a variable of the same name. */
static char *
describe_local (const GilkTyping *typing, const GilkNode *node, const GilkDwarfVariable *local)
{
  if (local->function == NULL || *local->function == '\0' || g_strcmp0 (local->function, typing->place->function) == 0)
    return g_strdup (node->name);

  return g_strdup_printf (_("%s (of %s, inlined here)"), node->name, local->function);
}

static gboolean
fail_optimized_out (GilkTyping *typing, const GilkNode *node, const GilkDwarfVariable *local, const char *name)
{
  const GilkProgramPlace *place = typing->place;
  g_autofree char *before = local->known[0] != 0 && place->address_name != NULL ? place->address_name (local->known[0], place->data) : NULL;
  g_autofree char *behind = local->known[1] != 0 && place->address_name != NULL ? place->address_name (local->known[1], place->data) : NULL;

  if (before != NULL && behind != NULL)
    return gilk_source_fail (typing->source, node->part,
                             _("%s is optimized out at this instruction. It is available nearby at %s and %s."),
                             name, before, behind);
  if (before != NULL || behind != NULL)
    return gilk_source_fail (typing->source, node->part,
                             _("%s is optimized out at this instruction. It is available nearby at %s."), name,
                             before != NULL ? before : behind);

  return gilk_source_fail (typing->source, node->part,
                           _("%s is optimized out by the compiler. Use the values that it is computed from."),
                           name);
}

static gboolean
fail_no_value (GilkTyping *typing, const GilkNode *node, const GilkDwarfVariable *local)
{
  g_autofree char *type = gilk_dwarf_type_text (&local->type), *name = describe_local (typing, node, local);

  switch (local->kind)
    {
    case GILK_DWARF_OPTIMIZED_OUT:
      return fail_optimized_out (typing, node, local, name);
    case GILK_DWARF_PARTS:
      return gilk_source_fail (typing->source, node->part,
                               _("%s is split over several locations at this instruction. Use registers, or another point."),
                               name);
    case GILK_DWARF_COMPUTED:
      return gilk_source_fail (typing->source, node->part,
                               _("%s has no location at this instruction: the debug data compute it from other values. "
                                 "Use those values, or another point."), name);
    default:
      return gilk_source_fail (typing->source, node->part,
                               _("%s is of type %s, which programs cannot read. Use registers such as %%rdi."),
                               name, type);
    }
}

/* ---- variables as expressions ---- */

/* Returns a node for the 64-bit sum of the variable's register and offset (@local->reg +
 * @local->offset). */
static GilkNode *
make_sum (GilkTyping *typing, const GilkNode *node, const GilkDwarfVariable *local)
{
  GilkNode *reg = new_node (typing, node, GILK_NODE_REGISTER);
  GilkNode *number = new_node (typing, node, GILK_NODE_NUMBER);
  GilkNode *sum;

  reg->number = (uint64_t) local->reg;
  number->number = (uint64_t) local->offset;
  number->is_constant = TRUE;
  number->value = local->offset;
  reg->type = number->type = gilk_ctype_number (FALSE, 8);
  if (local->reg == GILK_DWARF_NO_REG)
    return number;
  if (local->offset == 0)
    return reg;
  sum = new_node (typing, node, GILK_NODE_BINARY);
  sum->mark = GILK_MARK ('+');
  sum->first = reg;
  sum->second = number;

  return gilk_type_binary (typing->place->btf, typing->source, sum) ? sum : NULL;
}

/* Makes @node a cast of @of to type @type. */
static gboolean
make_cast (GilkTyping *typing, GilkNode *node, GilkNode *of, const GilkCType *type)
{
  node->kind = GILK_NODE_CAST;
  node->first = of;

  return of != NULL && gilk_type_cast (typing->place->btf, typing->source, node, type);
}

/* Makes @node the object of type @type at address @at. */
static gboolean
make_object (GilkTyping *typing, GilkNode *node, GilkNode *at, const GilkCType *type)
{
  const GilkCType pointer = gilk_ctype_pointer_to (type);
  GilkNode *cast = new_node (typing, node, GILK_NODE_CAST);

  if (!make_cast (typing, cast, at, &pointer))
    return FALSE;
  node->kind = GILK_NODE_UNARY;
  node->mark = GILK_MARK ('*');
  node->first = cast;
  node->type = *type;
  node->needs = cast->needs;
  node->is_object = TRUE;

  return TRUE;
}

gboolean
gilk_typing_local (GilkTyping *typing,
                   GilkNode   *node)
{
  const GilkDwarfVariable *local = node->meaning->local;
  GilkCType type, element;

  if (local->kind != GILK_DWARF_VALUE && local->kind != GILK_DWARF_MEMORY)
    return fail_no_value (typing, node, local);
  if (!find_type (typing, node, &local->type, &type))
    return typing->source->error == NULL && fail_no_value (typing, node, local);
  if (local->type.is_array)
    {
      element = gilk_ctype_pointer_to (&type);
      return local->kind == GILK_DWARF_MEMORY ? make_cast (typing, node, make_sum (typing, node, local), &element)
                                              : fail_no_value (typing, node, local);
    }
  if (local->kind == GILK_DWARF_MEMORY)
    return make_object (typing, node, make_sum (typing, node, local), &type);
  if (!gilk_ctype_is_number (&type) && !gilk_ctype_is_pointer (&type))
    return gilk_source_fail (typing->source, node->part,
                             _("%s is a struct that is in a register here. Use registers such as %%rdi."), node->name);

  return make_cast (typing, node, make_sum (typing, node, local), &type);
}

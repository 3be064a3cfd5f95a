/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-value-meaning.c - finds the meaning of an expression's number, for display
 */
#include "core/language/gilk-value-meaning.h"

#include <string.h>

#include "core/base/gilk-format.h"


/* Returns whether the type is a table of functions. Most pointers to static data point to such
 * tables. The name of the symbol identifies the table. */
static gboolean
is_function_table (const GilkCType *type)
{
  return type->stars == 0 && type->base.kind == GILK_TYPE_STRUCT &&
         (g_str_has_suffix (type->base.name, "_operations") || g_str_has_suffix (type->base.name, "_ops"));
}

static const char *
find_type_meaning (const GilkBtf *btf, const GilkCType *type)
{
  GilkCType target;

  if (gilk_ctype_is_pointer (type))
    return gilk_ctype_target (btf, type, &target) &&
           ((target.stars == 0 && target.base.kind == GILK_TYPE_FUNCTION) || is_function_table (&target)) ? GILK_MEANING_SYMBOL : NULL;
  if (btf != NULL && type->stars == 0 && type->base.kind == GILK_TYPE_ENUM && type->base.id != 0)
    {
      g_autofree char *name = gilk_btf_type_name (btf, type->base.id);

      return name != NULL && g_str_has_prefix (name, GILK_MEANING_ENUM) && gilk_btf_find (btf, name) != 0
             ? g_intern_string (name) : NULL;
    }

  return NULL;
}

static gboolean
is_retval (const GilkNode *value)
{
  return value->kind == GILK_NODE_NAME && value->meaning != NULL && value->meaning->kind == GILK_MEANS_REGISTER &&
         strcmp (value->name, "retval") == 0;
}

const char *
gilk_value_meaning (const GilkBtf  *btf,
                    const GilkNode *value)
{
  const gboolean number = gilk_ctype_is_number (&value->type);

  if (value->kind == GILK_NODE_SYMBOL)
    return GILK_MEANING_SYMBOL;
  if (is_retval (value) && number && value->type.base.kind == GILK_TYPE_INT && gilk_ctype_is_signed (&value->type) &&
      gilk_ctype_size (&value->type) >= 4)
    return GILK_MEANING_ERRNO;

  return find_type_meaning (btf, &value->type);
}

uint16_t
gilk_value_meaning_code (const char *meaning)
{
  if (meaning == NULL)
    return ILK_MEANING_NONE;
  if (strcmp (meaning, GILK_MEANING_SYMBOL) == 0)
    return ILK_MEANING_SYMBOL;
  if (strcmp (meaning, GILK_MEANING_STACK) == 0)
    return ILK_MEANING_STACK;

  return strcmp (meaning, GILK_MEANING_ERRNO) == 0 ? ILK_MEANING_ERRNO : ILK_MEANING_ENUM;
}

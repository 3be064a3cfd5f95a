/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-dwarf-type.c - reads the type of a variable, in the detail that probe programs need
 */
#include <string.h>

#include "core/debug/gilk-dwarf-private.h"

static gboolean
get_next_type (Dwarf_Die *die, Dwarf_Die *type)
{
  Dwarf_Attribute attribute;

  return dwarf_formref_die (dwarf_attr_integrate (die, DW_AT_type, &attribute), type) != NULL;
}

static const char *
get_name (Dwarf_Die *die)
{
  const char *name = dwarf_diename (die);

  return name != NULL && g_utf8_validate (name, -1, NULL) ? name : NULL;
}

/* Sets name, kind and size of a struct, union or enum. A nameless type gets the name of its
 * typedef, which can be looked up in BTF. */
static void
set_aggregate (GilkDwarfType *type, Dwarf_Die *die, const char *word, GilkDwarfTypeKind kind, const char *alias)
{
  const char *name = get_name (die);
  Dwarf_Word size;

  type->kind = kind;
  type->name = name != NULL ? g_strconcat (word, " ", name, NULL) : g_strdup (alias);
  if (dwarf_aggregate_size (die, &size) == 0)
    type->size = size;
}

static void
set_base (GilkDwarfType *type, Dwarf_Die *die, const char *alias)
{
  Dwarf_Attribute attribute;
  Dwarf_Word encoding = 0;
  const char *name = get_name (die);
  const int size = dwarf_bytesize (die);

  dwarf_formudata (dwarf_attr (die, DW_AT_encoding, &attribute), &encoding);
  type->name = g_strdup (alias != NULL ? alias : name);
  type->size = (uint64_t) MAX (size, 0);
  type->is_bool = encoding == DW_ATE_boolean;
  type->is_signed = encoding == DW_ATE_signed || encoding == DW_ATE_signed_char;
  type->kind = type->is_bool || type->is_signed || encoding == DW_ATE_unsigned || encoding == DW_ATE_unsigned_char ||
               encoding == DW_ATE_UTF ? GILK_DWARF_TYPE_INT : GILK_DWARF_TYPE_OTHER;
}

static gboolean
is_signed_enum (Dwarf_Die *die)
{
  Dwarf_Die base;
  Dwarf_Attribute attribute;
  Dwarf_Word encoding = 0;

  return get_next_type (die, &base) && dwarf_formudata (dwarf_attr (&base, DW_AT_encoding, &attribute), &encoding) == 0 &&
         (encoding == DW_ATE_signed || encoding == DW_ATE_signed_char);
}

/* Sets @type to the type at the end of the chain, which is not a pointer, array, qualifier or
 * typedef. */
static void
set_end_of_chain (GilkDwarfType *type, Dwarf_Die *die, const char *alias)
{
  switch (dwarf_tag (die))
    {
    case DW_TAG_base_type:
      set_base (type, die, alias);
      break;
    case DW_TAG_enumeration_type:
      set_aggregate (type, die, "enum", GILK_DWARF_TYPE_ENUM, alias);
      type->is_signed = is_signed_enum (die);
      break;
    case DW_TAG_structure_type:
      set_aggregate (type, die, "struct", GILK_DWARF_TYPE_STRUCT, alias);
      break;
    case DW_TAG_union_type:
      set_aggregate (type, die, "union", GILK_DWARF_TYPE_STRUCT, alias);
      break;
    case DW_TAG_subroutine_type:
      type->kind = GILK_DWARF_TYPE_FUNCTION;
      break;
    default:
      break;
    }
}

/* Records a pointer, array or typedef in the chain of types, and skips a qualifier. Returns FALSE
 * if @at is another type, which ends the chain. */
static gboolean
follow_link (GilkDwarfType *type, Dwarf_Die *at, const char **alias)
{
  switch (dwarf_tag (at))
    {
    case DW_TAG_pointer_type:
      type->stars++;
      *alias = NULL;
      return TRUE;
    case DW_TAG_array_type:
      if (type->stars > 0 || type->is_array)      /* pointers to arrays and arrays of arrays are not
                                                   * supported */
        return FALSE;
      type->is_array = TRUE;
      *alias = NULL;
      return TRUE;
    case DW_TAG_typedef:
      *alias = get_name (at);
      return TRUE;
    case DW_TAG_const_type:
    case DW_TAG_volatile_type:
    case DW_TAG_restrict_type:
    case DW_TAG_atomic_type:
      return TRUE;
    default:
      return FALSE;
    }
}

void
gilk_dwarf_type_of (Dwarf_Die     *die,
                    GilkDwarfType *type)
{
  Dwarf_Die at;
  const char *alias = NULL;
  gboolean more = get_next_type (die, &at);

  *type = (GilkDwarfType) { .kind = GILK_DWARF_TYPE_OTHER };
  for (guint depth = 0; more && depth < GILK_DWARF_DEPTH; depth++)
    {
      if (!follow_link (type, &at, &alias))
        {
          set_end_of_chain (type, &at, alias);
          return;
        }
      more = get_next_type (&at, &at);
    }
  if (!more)
    type->kind = GILK_DWARF_TYPE_VOID;
}

char *
gilk_dwarf_type_text (const GilkDwarfType *type)
{
  GString *text = g_string_new (type->kind == GILK_DWARF_TYPE_VOID ? "void"
                                : type->kind == GILK_DWARF_TYPE_FUNCTION ? "function"
                                : type->name != NULL ? type->name : "?");

  if (type->stars > 0)
    g_string_append_c (text, ' ');
  for (guint i = 0; i < type->stars; i++)
    g_string_append_c (text, '*');
  if (type->is_array)
    g_string_append (text, " []");

  return g_string_free (text, FALSE);
}

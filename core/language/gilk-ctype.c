/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-ctype.c - types of expressions, and comparison of the types of two functions
 *
 * A plain type, such as "u32", is not from BTF. It has the type id 0, which BTF uses for void.
 */
#include "core/language/gilk-ctype.h"

#include <glib/gi18n.h>
#include <string.h>

#define POINTERS_MAX 32

static const struct {
  const char *name;
  uint8_t     size;
  gboolean    is_signed;
} plain_types[] = {
  { "u8", 1, FALSE }, { "u16", 2, FALSE }, { "u32", 4, FALSE }, { "u64", 8, FALSE },
  { "s8", 1, TRUE }, { "s16", 2, TRUE }, { "s32", 4, TRUE }, { "s64", 8, TRUE },
  { "__u8", 1, FALSE }, { "__u16", 2, FALSE }, { "__u32", 4, FALSE }, { "__u64", 8, FALSE },
  { "__s8", 1, TRUE }, { "__s16", 2, TRUE }, { "__s32", 4, TRUE }, { "__s64", 8, TRUE },
  { "uint8_t", 1, FALSE }, { "uint16_t", 2, FALSE }, { "uint32_t", 4, FALSE }, { "uint64_t", 8, FALSE },
  { "int8_t", 1, TRUE }, { "int16_t", 2, TRUE }, { "int32_t", 4, TRUE }, { "int64_t", 8, TRUE },
  { "char", 1, TRUE }, { "short", 2, TRUE }, { "int", 4, TRUE }, { "long", 8, TRUE }, { "long long", 8, TRUE },
  { "signed char", 1, TRUE }, { "unsigned char", 1, FALSE }, { "unsigned short", 2, FALSE },
  { "unsigned", 4, FALSE }, { "unsigned int", 4, FALSE }, { "unsigned long", 8, FALSE },
  { "unsigned long long", 8, FALSE }, { "size_t", 8, FALSE }, { "ssize_t", 8, TRUE }, { "bool", 1, FALSE },
};

gboolean
gilk_ctype_plain (const char *name,
                  GilkCType  *type)
{
  if (strcmp (name, "void") == 0)
    {
      *type = (GilkCType) { .base = { .kind = GILK_TYPE_VOID, .name = "void" } };
      return TRUE;
    }
  for (guint i = 0; i < G_N_ELEMENTS (plain_types); i++)
    if (strcmp (plain_types[i].name, name) == 0)
      {
        *type = (GilkCType) { .base = {
          .kind = GILK_TYPE_INT, .name = plain_types[i].name, .size = plain_types[i].size,
          .is_signed = plain_types[i].is_signed, .is_bool = strcmp (name, "bool") == 0,
        } };
        return TRUE;
      }

  return FALSE;
}

gboolean
gilk_ctype_of (const GilkBtf *btf,
               guint          id,
               GilkCType     *type)
{
  *type = (GilkCType) { .stars = 0 };
  if (id == 0)
    return gilk_ctype_plain ("void", type);

  return gilk_btf_type (btf, id, &type->base);
}

gboolean
gilk_ctype_find (const GilkBtf *btf,
                 const char    *name,
                 GilkCType     *type)
{
  guint id;

  if (gilk_ctype_plain (name, type))
    return TRUE;
  id = btf != NULL ? gilk_btf_find (btf, name) : 0;

  return id != 0 && gilk_ctype_of (btf, id, type);
}

GilkCType
gilk_ctype_number (gboolean is_signed,
                   guint    size)
{
  static const char *const names[2][9] = {
    { [1] = "u8", [2] = "u16", [4] = "u32", [8] = "u64" },
    { [1] = "s8", [2] = "s16", [4] = "s32", [8] = "s64" },
  };
  GilkCType type = { .stars = 0 };

  gilk_ctype_plain (names[is_signed ? 1 : 0][size], &type);

  return type;
}

GilkCType
gilk_ctype_pointer_to (const GilkCType *type)
{
  GilkCType pointer = *type;

  pointer.stars++;
  pointer.to_user = FALSE;

  return pointer;
}

gboolean
gilk_ctype_target (const GilkBtf   *btf,
                   const GilkCType *type,
                   GilkCType       *target)
{
  if (type->stars > 0)
    {
      *target = *type;
      target->stars--;
      target->to_user = FALSE;
      return TRUE;
    }
  if (type->base.kind != GILK_TYPE_POINTER && type->base.kind != GILK_TYPE_ARRAY)
    return FALSE;

  return gilk_ctype_of (btf, type->base.target, target);
}

gboolean
gilk_ctype_is_pointer (const GilkCType *type)
{
  return type->stars > 0 || type->base.kind == GILK_TYPE_POINTER;
}

gboolean
gilk_ctype_is_user (const GilkCType *type)
{
  return gilk_ctype_is_pointer (type) && (type->to_user || (type->stars == 0 && type->base.to_user));
}

gboolean
gilk_ctype_is_number (const GilkCType *type)
{
  const guint size = type->base.size;

  return type->stars == 0 && (type->base.kind == GILK_TYPE_INT || type->base.kind == GILK_TYPE_ENUM) &&
         (size == 1 || size == 2 || size == 4 || size == 8);
}

gboolean
gilk_ctype_is_signed (const GilkCType *type)
{
  return gilk_ctype_is_number (type) && type->base.is_signed;
}

guint64
gilk_ctype_size (const GilkCType *type)
{
  if (gilk_ctype_is_pointer (type))
    return 8;

  return type->base.kind == GILK_TYPE_FUNCTION ? 0 : type->base.size;
}

gboolean
gilk_ctype_same (const GilkBtf   *btf,
                 const GilkCType *one,
                 const GilkCType *other)
{
  GilkCType a = *one, b = *other, next;

  /*
   * Replace both pointer types by the types that they point to, until one is not a pointer. The
   * number of steps is limited, because in damaged BTF a pointer type may point to itself.
   */
  for (guint depth = 0; gilk_ctype_is_pointer (&a) && gilk_ctype_is_pointer (&b); depth++)
    {
      if (depth > POINTERS_MAX)
        return FALSE;
      if (!gilk_ctype_target (btf, &a, &next))
        return FALSE;
      a = next;
      if (!gilk_ctype_target (btf, &b, &next))
        return FALSE;
      b = next;
    }
  if (gilk_ctype_is_pointer (&a) || gilk_ctype_is_pointer (&b))
    return FALSE;
  if (gilk_ctype_is_number (&a) && gilk_ctype_is_number (&b))
    return a.base.size == b.base.size && gilk_ctype_is_signed (&a) == gilk_ctype_is_signed (&b);

  return a.base.kind == b.base.kind && a.base.id == b.base.id;
}

char *
gilk_ctype_name (const GilkBtf   *btf,
                 const GilkCType *type)
{
  g_autofree char *base = NULL;
  GString *out;

  if (type->base.id != 0 && btf != NULL)
    base = gilk_btf_type_name (btf, type->base.id);
  out = g_string_new (base != NULL ? base : type->base.name);
  if (type->stars > 0 && !g_str_has_suffix (out->str, "*"))
    g_string_append_c (out, ' ');
  for (guint i = 0; i < MIN (type->stars, POINTERS_MAX); i++)
    g_string_append_c (out, '*');

  return g_string_free (out, FALSE);
}

/* ---- checks whether one function can be called in place of another ---- */

enum { IN_REGISTERS = 6, DEPTH = 8 };

static gboolean
is_word (const GilkBtf *btf, guint id)
{
  GilkType type;

  return gilk_btf_type (btf, id, &type) && type.size <= 8 &&
         (type.kind == GILK_TYPE_INT || type.kind == GILK_TYPE_ENUM || type.kind == GILK_TYPE_POINTER);
}

static gboolean
is_void (const GilkBtf *btf, guint id)
{
  GilkType type;

  return gilk_btf_type (btf, id, &type) && type.kind == GILK_TYPE_VOID;
}

char *
gilk_prototype_in_registers (const GilkBtf       *btf,
                             const GilkPrototype *prototype,
                             const char          *name)
{
  if (prototype->variadic)
    return g_strdup_printf (_("%s is variadic, so its arguments cannot be passed on."), name);
  if (prototype->n_arguments > IN_REGISTERS)
    return g_strdup_printf (_("%s has more than %d arguments; those on the stack cannot be passed on."), name, IN_REGISTERS);
  for (guint i = 0; i < prototype->n_arguments; i++)
    if (!is_word (btf, prototype->arguments[i]))
      return g_strdup_printf (_("Argument %u of %s is neither an integer nor a pointer, and cannot be passed on."),
                              i + 1, name);
  if (!is_void (btf, prototype->returns) && !is_word (btf, prototype->returns))
    return g_strdup_printf (_("The return value of %s is neither an integer nor a pointer, and "
                              "cannot be passed on."), name);

  return NULL;
}

static gboolean
is_named_alike (const GilkBtf *a, const GilkType *of_a, const GilkBtf *b, const GilkType *of_b)
{
  g_autofree char *name_a = gilk_btf_type_name (a, of_a->id), *name_b = gilk_btf_type_name (b, of_b->id);

  return g_strcmp0 (name_a, name_b) == 0;
}

static gboolean
is_alike (const GilkBtf *a, guint id_a, const GilkBtf *b, guint id_b, guint depth)
{
  GilkType of_a, of_b;

  if (depth == DEPTH || !gilk_btf_type (a, id_a, &of_a) || !gilk_btf_type (b, id_b, &of_b))
    return FALSE;
  /* A module's BTF may have only a forward declaration of the struct, so names are compared, not
   * members. */
  if (of_a.kind == GILK_TYPE_STRUCT || of_b.kind == GILK_TYPE_STRUCT)
    return is_named_alike (a, &of_a, b, &of_b);
  if (of_a.kind != of_b.kind)
    return FALSE;

  switch (of_a.kind)
    {
    case GILK_TYPE_POINTER:
      return is_alike (a, of_a.target, b, of_b.target, depth + 1);
    case GILK_TYPE_ARRAY:
      return of_a.count == of_b.count && is_alike (a, of_a.target, b, of_b.target, depth + 1);
    case GILK_TYPE_INT:
      return of_a.size == of_b.size && of_a.is_signed == of_b.is_signed && of_a.is_bool == of_b.is_bool;
    case GILK_TYPE_ENUM:
      return of_a.size == of_b.size && is_named_alike (a, &of_a, b, &of_b);
    case GILK_TYPE_OTHER:
      return is_named_alike (a, &of_a, b, &of_b);
    default:
      return TRUE;
    }
}

char *
gilk_prototype_differs (const GilkBtf       *btf,
                        const GilkPrototype *prototype,
                        const GilkBtf       *other_btf,
                        const GilkPrototype *other)
{
  g_autofree char *a = NULL, *b = NULL;

  if (prototype->n_arguments != other->n_arguments || prototype->variadic != other->variadic)
    return g_strdup_printf (_("the replacement has %u arguments, not %u"), other->n_arguments, prototype->n_arguments);
  for (guint i = 0; i < prototype->n_arguments; i++)
    if (!is_alike (btf, prototype->arguments[i], other_btf, other->arguments[i], 0))
      {
        a = gilk_btf_type_name (btf, prototype->arguments[i]);
        b = gilk_btf_type_name (other_btf, other->arguments[i]);
        return g_strdup_printf (_("argument %u of the replacement is %s, not %s"), i + 1, b, a);
      }
  if (is_alike (btf, prototype->returns, other_btf, other->returns, 0))
    return NULL;
  a = gilk_btf_type_name (btf, prototype->returns);
  b = gilk_btf_type_name (other_btf, other->returns);

  return g_strdup_printf (_("it returns %s, not %s"), b, a);
}

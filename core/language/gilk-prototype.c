/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-prototype.c - checks whether one function can be called in place of another
 */
#include "core/language/gilk-prototype.h"

#include <glib/gi18n.h>

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
  /* A module may have just a declaration of the struct: compare names, not members. */
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
    return g_strdup_printf (_("it has %u arguments, not %u"), other->n_arguments, prototype->n_arguments);
  for (guint i = 0; i < prototype->n_arguments; i++)
    if (!is_alike (btf, prototype->arguments[i], other_btf, other->arguments[i], 0))
      {
        a = gilk_btf_type_name (btf, prototype->arguments[i]);
        b = gilk_btf_type_name (other_btf, other->arguments[i]);
        return g_strdup_printf (_("its argument %u is %s, not %s"), i + 1, b, a);
      }
  if (is_alike (btf, prototype->returns, other_btf, other->returns, 0))
    return NULL;
  a = gilk_btf_type_name (btf, prototype->returns);
  b = gilk_btf_type_name (other_btf, other->returns);

  return g_strdup_printf (_("it returns %s, not %s"), b, a);
}

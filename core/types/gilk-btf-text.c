/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-btf-text.c - prints types in C syntax
 *
 * A declarator is built from the inside out: "*" for a pointer, "[4]" for an array and "(int)" for
 * a function are added around the text so far, until a named type ends the chain. Pointers can form
 * a cycle, through functions that take pointers to themselves as arguments, so the number of links
 * and the length of the text are bounded.
 */
#include "core/types/gilk-btf-private.h"

#include <string.h>

enum { LINKS = 64, NESTED = 4, TEXT_MAX = 1024 };

static void append_type (const GilkBtf *btf, guint id, guint nested, GString *text);

/* Returns whether @id is a pointer. In C, the qualifiers of a pointer are written after its "*". */
static gboolean
is_of_pointer (const GilkBtf *btf, guint id)
{
  const guint stripped = gilk_btf_strip (btf, id);

  while (id != stripped && gilk_btf_kind (gilk_btf_record (btf, id)) != BTF_KIND_TYPEDEF)
    id = gilk_btf_record (btf, id)->type;

  return id == stripped && id != 0 && gilk_btf_kind (gilk_btf_record (btf, id)) == BTF_KIND_PTR;
}

static void
wrap_qualifier (const GilkBtf *btf, const struct btf_type *record, GString *inner, GString *before)
{
  static const char *const words[] = {
    [BTF_KIND_VOLATILE] = "volatile", [BTF_KIND_CONST] = "const", [BTF_KIND_RESTRICT] = "restrict",
  };
  const guint kind = gilk_btf_kind (record);

  if (kind == BTF_KIND_TYPE_TAG)
    return;
  if (!is_of_pointer (btf, record->type))
    {
      g_string_append_printf (before, "%s ", words[kind]);
      return;
    }
  if (inner->len > 0)
    g_string_prepend_c (inner, ' ');
  g_string_prepend (inner, words[kind]);
}

/* Adds "*", with parentheses for a pointer to an array or a function. */
static void
wrap_pointer (const GilkBtf *btf, const struct btf_type *record, GString *inner)
{
  const guint target = gilk_btf_strip (btf, record->type);
  const guint kind = target != 0 ? gilk_btf_kind (gilk_btf_record (btf, target)) : BTF_KIND_UNKN;
  guint id = record->type;

  g_string_prepend_c (inner, '*');
  while (id != target && gilk_btf_kind (gilk_btf_record (btf, id)) != BTF_KIND_TYPEDEF)
    id = gilk_btf_record (btf, id)->type;
  if (id == target && (kind == BTF_KIND_ARRAY || kind == BTF_KIND_FUNC_PROTO))
    {
      g_string_prepend_c (inner, '(');
      g_string_append_c (inner, ')');
    }
}

static void
wrap_function (const GilkBtf *btf, const struct btf_type *record, guint nested, GString *inner)
{
  const struct btf_param *params = gilk_btf_rest (record);
  const guint n = gilk_btf_vlen (record);

  g_string_append (inner, n > 0 ? "(" : "(void");
  for (guint i = 0; i < n && inner->len < TEXT_MAX; i++)
    {
      if (i > 0)
        g_string_append (inner, ", ");
      if ((i + 1 == n && params[i].type == 0) || nested == NESTED)
        g_string_append (inner, "...");
      else
        append_type (btf, params[i].type, nested + 1, inner);
    }
  g_string_append_c (inner, ')');
}

static void
append_name (const GilkBtf *btf, const struct btf_type *record, GString *text)
{
  const char *name = gilk_btf_string (btf, record->name_off);

  switch (gilk_btf_kind (record))
    {
    case BTF_KIND_STRUCT:
      g_string_append (text, "struct ");
      break;
    case BTF_KIND_UNION:
      g_string_append (text, "union ");
      break;
    case BTF_KIND_ENUM:
    case BTF_KIND_ENUM64:
      g_string_append (text, "enum ");
      break;
    case BTF_KIND_FWD:
      g_string_append (text, GILK_BTF_INFO_FLAG (record->info) ? "union " : "struct ");
      break;
    default:
      break;
    }
  g_string_append (text, name[0] != '\0' ? name : "{...}");
}

/* Adds one layer of type *@id (pointer, array or function) to @inner, or a qualifier to @before.
 * Sets *@id to the type below that layer; returns FALSE after the last layer. */
static gboolean
wrap_layer (const GilkBtf *btf, guint *id, guint nested, GString *inner, GString *before)
{
  const struct btf_type *record = gilk_btf_record (btf, *id);
  const struct btf_array *array = gilk_btf_rest (record);

  switch (gilk_btf_kind (record))
    {
    case BTF_KIND_VOLATILE:
    case BTF_KIND_CONST:
    case BTF_KIND_RESTRICT:
    case BTF_KIND_TYPE_TAG:
      wrap_qualifier (btf, record, inner, before);
      break;
    case BTF_KIND_PTR:
      wrap_pointer (btf, record, inner);
      break;
    case BTF_KIND_ARRAY:
      g_string_append_printf (inner, "[%u]", array->nelems);
      *id = array->type;
      return TRUE;
    case BTF_KIND_FUNC_PROTO:
      wrap_function (btf, record, nested, inner);
      break;
    default:
      return FALSE;
    }
  *id = record->type;

  return TRUE;
}

static void
append_type (const GilkBtf *btf, guint id, guint nested, GString *text)
{
  g_autoptr (GString) inner = g_string_new (NULL);
  g_autoptr (GString) before = g_string_new (NULL);

  for (guint links = 0; id != 0 && links < LINKS && inner->len < TEXT_MAX; links++)
    if (!wrap_layer (btf, &id, nested, inner, before))
      break;
  g_string_append (text, before->str);
  if (id == 0)
    g_string_append (text, "void");
  else
    append_name (btf, gilk_btf_record (btf, id), text);
  if (inner->len > 0 && inner->str[0] != '[')
    g_string_append_c (text, ' ');
  g_string_append (text, inner->str);
}

char *
gilk_btf_type_name (const GilkBtf *btf, guint id)
{
  g_autoptr (GString) text = g_string_new (NULL);
  GilkType type;

  if (!gilk_btf_type (btf, id, &type))
    return NULL;
  append_type (btf, id, 0, text);

  return g_string_free (g_steal_pointer (&text), FALSE);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-btf-debug.c - makes BTF from DWARF, on top of the BTF of the kernel or a module
 *
 * A type that the base BTF also has gets its id from the base, so that probe programs can compare a
 * value of the DWARF type with a value of the base type, and assign one to the other. All other
 * types are validated like any other BTF.
 */
#include "core/types/gilk-btf-private.h"

#include <string.h>

/* ---- formats the layout of a type as text, as in GilkDwarfKnown ---- */

static void
append_name (const GilkBtf *btf, const struct btf_type *record, char letter, GString *text)
{
  g_string_append_c (text, letter);
  g_string_append (text, gilk_btf_string (btf, record->name_off));
}

static void
append_int (const struct btf_type *record, GString *text)
{
  const uint32_t encoding = BTF_INT_ENCODING (*(const uint32_t *) gilk_btf_rest (record));

  g_string_append_printf (text, "i%u%c", record->size, encoding & BTF_INT_BOOL ? 'b' : encoding & BTF_INT_SIGNED ? 's' : 'u');
}

static void
append_end (const GilkBtf *btf, const struct btf_type *record, GString *text)
{
  switch (gilk_btf_kind (record))
    {
    case BTF_KIND_INT:
      append_int (record, text);
      break;
    case BTF_KIND_FLOAT:
      g_string_append_printf (text, "f%u", record->size);
      break;
    case BTF_KIND_TYPEDEF:
      append_name (btf, record, 't', text);
      break;
    case BTF_KIND_STRUCT:
      append_name (btf, record, 's', text);
      break;
    case BTF_KIND_UNION:
      append_name (btf, record, 'u', text);
      break;
    case BTF_KIND_FWD:
      append_name (btf, record, GILK_BTF_INFO_FLAG (record->info) ? 'u' : 's', text);
      break;
    case BTF_KIND_ENUM:
    case BTF_KIND_ENUM64:
      append_name (btf, record, 'e', text);
      break;
    case BTF_KIND_FUNC_PROTO:
      g_string_append_c (text, 'p');
      break;
    default:
      g_string_append_c (text, '?');
      break;
    }
}

/* Appends the text form of type @id. Follows a limited number of references, because pointers can
 * form a cycle. */
static void
append_type (const GilkBtf *btf, guint id, GString *text)
{
  uint64_t count = 1;
  gboolean in_array = FALSE;

  for (guint links = 0; id != 0 && links < 2 * GILK_BTF_CHAIN; links++)
    {
      const struct btf_type *record = gilk_btf_record (btf, id);
      const struct btf_array *array = gilk_btf_rest (record);
      const guint kind = gilk_btf_kind (record);

      if (kind == BTF_KIND_ARRAY)
        {
          in_array = TRUE;
          count = count * array->nelems & G_MAXUINT32;
          id = array->type;
          continue;
        }
      if (gilk_btf_is_link (record) && kind != BTF_KIND_TYPEDEF)
        {
          id = record->type;
          continue;
        }
      if (in_array)
        g_string_append_printf (text, "[%" G_GUINT64_FORMAT "]", count);
      in_array = FALSE;
      count = 1;
      if (kind != BTF_KIND_PTR)
        {
          append_end (btf, record, text);
          return;
        }
      g_string_append_c (text, '*');
      id = record->type;
    }
  g_string_append_c (text, 'v');
}

static void
append_members (const GilkBtf *btf, const struct btf_type *record, uint64_t at, GString *text)
{
  for (guint i = 0; i < gilk_btf_vlen (record); i++)
    {
      const struct btf_type *inner;
      GilkMember member;
      const char *name;
      guint id;

      gilk_btf_nth_member (btf, record, i, &member, &name);
      id = gilk_btf_strip (btf, member.type);
      inner = id != 0 ? gilk_btf_record (btf, id) : NULL;
      if (*name == '\0' && inner != NULL && gilk_btf_is_composite (inner))
        {
          append_members (btf, inner, at + member.offset, text);
          continue;
        }
      g_string_append_printf (text, "%s %" G_GUINT64_FORMAT " %u ", name, at + member.offset, member.bits);
      append_type (btf, member.type, text);
      g_string_append_c (text, '\n');
    }
}

static void
append_constants (const GilkBtf *btf, const struct btf_type *record, GString *text)
{
  for (guint i = 0; i < gilk_btf_vlen (record); i++)
    {
      uint32_t name;
      const int64_t value = gilk_btf_nth_value (record, i, &name);

      g_string_append_printf (text, "%s %" G_GINT64_FORMAT "\n", gilk_btf_string (btf, name), value);
    }
}

/* ---- compares a type of the base with a type from DWARF ---- */

static gboolean
is_same_int (const struct btf_type *record, const GilkDwarfKnown *known)
{
  const uint32_t encoding = BTF_INT_ENCODING (*(const uint32_t *) gilk_btf_rest (record));

  return record->size == known->size && ((encoding & BTF_INT_SIGNED) != 0) == known->is_signed &&
         ((encoding & BTF_INT_BOOL) != 0) == known->is_bool;
}

static gboolean
has_layout (const GilkBtf *btf, const struct btf_type *record, const GilkDwarfKnown *known)
{
  g_autoptr(GString) text = g_string_new (NULL);

  if (record->size != known->size)
    return FALSE;
  if (gilk_btf_is_composite (record))
    append_members (btf, record, 0, text);
  else
    append_constants (btf, record, text);

  return strcmp (text->str, known->layout) == 0;
}

static gboolean
is_same_typedef (const GilkBtf *btf, const struct btf_type *record, const GilkDwarfKnown *known)
{
  const struct btf_type *target = record->type != 0 ? gilk_btf_record (btf, record->type) : NULL;

  if (*known->layout == '\0')
    return record->type == known->target;

  return target != NULL && target->name_off == 0 && gilk_btf_is_composite (target) &&
         (gilk_btf_kind (target) == BTF_KIND_UNION) == known->is_union && has_layout (btf, target, known);
}

static gboolean
is_same (const GilkBtf *btf, const struct btf_type *record, const GilkDwarfKnown *known)
{
  const guint kind = gilk_btf_kind (record);

  switch (known->kind)
    {
    case BTF_KIND_INT:
      return kind == BTF_KIND_INT && is_same_int (record, known);
    case BTF_KIND_FLOAT:
      return kind == BTF_KIND_FLOAT && record->size == known->size;
    case BTF_KIND_TYPEDEF:
      return kind == BTF_KIND_TYPEDEF && is_same_typedef (btf, record, known);
    case BTF_KIND_ENUM:
      return (kind == BTF_KIND_ENUM || kind == BTF_KIND_ENUM64) && has_layout (btf, record, known);
    case BTF_KIND_STRUCT:
    case BTF_KIND_UNION:
      return kind == known->kind && has_layout (btf, record, known);
    default:
      return gilk_btf_is_composite (record) || kind == BTF_KIND_FWD;
    }
}

static guint
find_known (const GilkDwarfKnown *known, gpointer data)
{
  const GilkBtf *btf = data;
  const char *word = "";
  g_autofree char *name = NULL;
  guint id;

  if (known->kind == BTF_KIND_STRUCT || (known->kind == BTF_KIND_FWD && !known->is_union))
    word = "struct ";
  else if (known->kind == BTF_KIND_UNION || known->kind == BTF_KIND_FWD)
    word = "union ";
  else if (known->kind == BTF_KIND_ENUM)
    word = "enum ";
  name = g_strconcat (word, known->name, NULL);
  id = gilk_btf_find (btf, name);

  return id != 0 && is_same (btf, gilk_btf_record (btf, id), known) ? id : 0;
}

static GilkDwarfBase
make_base (GilkBtf *base)
{
  return (GilkDwarfBase) {
    .first = base != NULL ? gilk_btf_end (base) : 1,
    .first_string = base != NULL ? base->string_first + base->strings_length : 0,
    .find = base != NULL ? find_known : NULL,
    .data = base,
  };
}

GilkBtf *
gilk_btf_new_debug (GilkDwarf *dwarf,
                    GilkBtf   *base,
                    uint64_t   unit,
                    GError   **error)
{
  const GilkDwarfBase of = make_base (base);
  g_autoptr(GBytes) bytes = gilk_dwarf_btf (dwarf, &of, unit, error);

  return bytes != NULL ? gilk_btf_new (bytes, base, error) : NULL;
}

GilkBtf *
gilk_btf_new_debug_local (GilkDwarf *dwarf,
                          GilkBtf   *base,
                          uint64_t   addr,
                          GError   **error)
{
  const GilkDwarfBase of = make_base (base);
  g_autoptr(GBytes) bytes = gilk_dwarf_local_btf (dwarf, &of, addr, error);

  return bytes != NULL ? gilk_btf_new (bytes, base, error) : NULL;
}

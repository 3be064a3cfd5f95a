/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-btf.c - loads and describes types of the kernel
 */
#include "core/types/gilk-btf-private.h"

#include <string.h>

#include "core/base/gilk-memory.h"

/* ---- describes types ---- */

static void
describe_int (const struct btf_type *record, GilkType *type)
{
  const uint32_t *word = gilk_btf_rest (record);

  type->kind = GILK_TYPE_INT;
  type->is_signed = (BTF_INT_ENCODING (*word) & BTF_INT_SIGNED) != 0;
  type->is_bool = (BTF_INT_ENCODING (*word) & BTF_INT_BOOL) != 0;
}

static void
describe_array (const struct btf_type *record, GilkType *type)
{
  const struct btf_array *array = gilk_btf_rest (record);

  type->kind = GILK_TYPE_ARRAY;
  type->target = array->type;
  type->count = array->nelems;
}

/* Returns whether a type tag "user" (__user) is among the tags and qualifiers of type @id. */
static gboolean
has_user_tag (const GilkBtf *btf, guint id)
{
  while (id != 0)
    {
      const struct btf_type *record = gilk_btf_record (btf, id);

      if (gilk_btf_kind (record) == BTF_KIND_TYPE_TAG && strcmp (gilk_btf_string (btf, record->name_off), "user") == 0)
        return TRUE;
      if (!gilk_btf_is_link (record))
        break;
      id = record->type;
    }

  return FALSE;
}

static void
describe_pointer (const GilkBtf *btf, const struct btf_type *record, GilkType *type)
{
  type->kind = GILK_TYPE_POINTER;
  type->target = record->type;
  type->to_user = has_user_tag (btf, record->type);
}

/* Describes the type in @record. Returns FALSE if the record is not a type. */
static gboolean
describe_record (const GilkBtf *btf, const struct btf_type *record, GilkType *type)
{
  switch (gilk_btf_kind (record))
    {
    case BTF_KIND_INT:
      describe_int (record, type);
      break;
    case BTF_KIND_PTR:
      describe_pointer (btf, record, type);
      break;
    case BTF_KIND_ARRAY:
      describe_array (record, type);
      break;
    case BTF_KIND_STRUCT:
    case BTF_KIND_UNION:
      type->kind = GILK_TYPE_STRUCT;
      type->is_union = gilk_btf_kind (record) == BTF_KIND_UNION;
      break;
    case BTF_KIND_ENUM:
    case BTF_KIND_ENUM64:
      type->kind = GILK_TYPE_ENUM;
      type->is_signed = GILK_BTF_INFO_FLAG (record->info);
      break;
    case BTF_KIND_FUNC_PROTO:
      type->kind = GILK_TYPE_FUNCTION;
      break;
    case BTF_KIND_FUNC:
    case BTF_KIND_VAR:
    case BTF_KIND_DATASEC:
    case BTF_KIND_DECL_TAG:
      return FALSE;
    default:
      type->kind = GILK_TYPE_OTHER;
      break;
    }

  return TRUE;
}

/* Returns the name of the first typedef in the chain from @id; NULL if there is none. */
static const char *
find_typedef_name (const GilkBtf *btf, guint id)
{
  while (id != 0)
    {
      const struct btf_type *record = gilk_btf_record (btf, id);

      if (gilk_btf_kind (record) == BTF_KIND_TYPEDEF)
        return gilk_btf_string (btf, record->name_off);
      if (!gilk_btf_is_link (record))
        break;
      id = record->type;
    }

  return NULL;
}

gboolean
gilk_btf_type (const GilkBtf *btf, guint id, GilkType *type)
{
  const struct btf_type *record;
  const char *name;

  if (id >= gilk_btf_end (btf))
    return FALSE;
  name = find_typedef_name (btf, id);
  *type = (GilkType) { .id = gilk_btf_strip (btf, id), .kind = GILK_TYPE_VOID, .name = name != NULL ? name : "" };
  if (type->id == 0)
    return TRUE;

  record = gilk_btf_record (btf, type->id);
  if (name == NULL)
    type->name = gilk_btf_string (btf, record->name_off);
  type->size = gilk_btf_size (btf, type->id);

  return describe_record (btf, record, type);
}

/* Returns the name of a value. Also matches negative values in an enum that is not marked as
 * signed, because the enum stores all values as 32 bits. */
const char *
gilk_btf_enumerator (const GilkBtf *btf, guint id, int64_t value)
{
  const struct btf_type *record;
  GilkType type;

  if (!gilk_btf_type (btf, id, &type) || type.kind != GILK_TYPE_ENUM)
    return NULL;
  record = gilk_btf_record (btf, type.id);
  if (gilk_btf_kind (record) == BTF_KIND_ENUM && !type.is_signed && value >= G_MININT32 && value < 0)
    value = (uint32_t) value;
  for (guint i = 0; i < gilk_btf_vlen (record); i++)
    {
      uint32_t name;

      if (gilk_btf_nth_value (record, i, &name) == value)
        return gilk_btf_string (btf, name);
    }

  return NULL;
}

/* Returns whether an enum consists of flags: all constants are single bits, and one of them is at
 * least 4, because 1 and 2 may just be consecutive numbers. */
static gboolean
has_flags (const GilkBtf *btf, const struct btf_type *record)
{
  uint64_t all = 0;
  guint bits = 0;

  for (guint i = 0; i < gilk_btf_vlen (record); i++)
    {
      uint32_t name;
      const uint64_t value = (uint64_t) gilk_btf_nth_value (record, i, &name);

      if ((value & (value - 1)) != 0)
        return FALSE;
      all |= value;
      bits += value != 0;
    }

  return bits >= 2 && all >= 4;
}

char *
gilk_btf_constant_name (const GilkBtf *btf, guint id, int64_t value)
{
  const char *only = gilk_btf_enumerator (btf, id, value);
  g_autoptr(GString) text = g_string_new (NULL);
  uint64_t rest = 0;
  GilkType type;

  if (only != NULL)
    return g_strdup (only);
  if (!gilk_btf_type (btf, id, &type) || type.kind != GILK_TYPE_ENUM ||
      !has_flags (btf, gilk_btf_record (btf, type.id)))
    return NULL;
  for (uint64_t bit = 1, all = type.size == 4 ? (uint32_t) value : (uint64_t) value; bit != 0; bit <<= 1)
    {
      const char *name = all & bit ? gilk_btf_enumerator (btf, id, (int64_t) bit) : NULL;

      if (name != NULL)
        g_string_append_printf (text, "%s%s", text->len > 0 ? "|" : "", name);
      else
        rest |= all & bit;
    }
  if (text->len == 0)
    return NULL;
  if (rest != 0)
    g_string_append_printf (text, "|0x%" G_GINT64_MODIFIER "x", rest);

  return g_string_free (g_steal_pointer (&text), FALSE);
}

/* ---- creates, references and frees a GilkBtf ---- */

GilkBtf *
gilk_btf_new (GBytes *data, GilkBtf *base, GError **error)
{
  g_autoptr (GilkBtf) btf = g_new0 (GilkBtf, 1);
  gsize length;
  const uint8_t *bytes = g_bytes_get_data (data, &length);

  g_return_val_if_fail (base == NULL || base->base == NULL, NULL);

  g_atomic_ref_count_init (&btf->refs);
  btf->first = 1;
  if (base != NULL)
    {
      btf->base = gilk_btf_ref (base);
      btf->first = gilk_btf_end (base);
      btf->string_first = base->string_first + base->strings_length;
    }
  btf->data = g_memdup2 (bytes, MIN (length, GILK_BTF_MAX));
  if (!gilk_btf_check (btf, length, error))
    return NULL;
  gilk_btf_index (btf);

  return g_steal_pointer (&btf);
}

GILK_DEFINE_REF (GilkBtf, gilk_btf, refs)

void
gilk_btf_unref (GilkBtf *btf)
{
  if (btf == NULL || !g_atomic_ref_count_dec (&btf->refs))
    return;
  gilk_btf_unref (btf->base);
  gilk_free_all (btf->data, btf->offsets, btf->names, btf->buckets, btf);
}

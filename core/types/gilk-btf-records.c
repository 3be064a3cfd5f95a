/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-btf-records.c - reads the records of validated BTF
 */
#include "core/types/gilk-btf-private.h"

const struct btf_type *
gilk_btf_record (const GilkBtf *btf, guint id)
{
  while (id < btf->first)
    btf = btf->base;

  return (gconstpointer) (btf->types + btf->offsets[id - btf->first]);
}

const char *
gilk_btf_string (const GilkBtf *btf, uint32_t offset)
{
  while (offset < btf->string_first)
    btf = btf->base;

  return btf->strings + (offset - btf->string_first);
}

guint
gilk_btf_end (const GilkBtf *btf)
{
  return btf->first + btf->n;
}

guint
gilk_btf_strip (const GilkBtf *btf, guint id)
{
  while (id != 0)
    {
      const struct btf_type *record = gilk_btf_record (btf, id);

      if (!gilk_btf_is_link (record))
        break;
      id = record->type;
    }

  return id;
}

uint32_t
gilk_btf_size (const GilkBtf *btf, guint id)
{
  uint32_t count = 1;

  for (id = gilk_btf_strip (btf, id); id != 0; id = gilk_btf_strip (btf, id))
    {
      const struct btf_type *record = gilk_btf_record (btf, id);
      const struct btf_array *array = gilk_btf_rest (record);

      switch (gilk_btf_kind (record))
        {
        case BTF_KIND_PTR:
          return count * 8;
        case BTF_KIND_INT:
        case BTF_KIND_ENUM:
        case BTF_KIND_ENUM64:
        case BTF_KIND_STRUCT:
        case BTF_KIND_UNION:
        case BTF_KIND_FLOAT:
          return count * record->size;
        case BTF_KIND_ARRAY:
          count *= array->nelems;
          id = array->type;
          break;
        default:
          return 0;
        }
    }

  return 0;
}

/* Handles a bit field that is encoded in its integer type: BTF without kind_flag. */
static void
add_bits_of_type (const GilkBtf *btf, GilkMember *member)
{
  const guint id = gilk_btf_strip (btf, member->type);
  const struct btf_type *record = id != 0 ? gilk_btf_record (btf, id) : NULL;
  const uint32_t *word;

  if (record == NULL || gilk_btf_kind (record) != BTF_KIND_INT)
    return;
  word = gilk_btf_rest (record);
  member->offset += BTF_INT_OFFSET (*word);
  if (BTF_INT_BITS (*word) != 8 * record->size)
    member->bits = BTF_INT_BITS (*word);
}

void
gilk_btf_nth_member (const GilkBtf *btf, const struct btf_type *record, guint index, GilkMember *member,
                     const char **name)
{
  const struct btf_member *members = gilk_btf_rest (record);

  *member = (GilkMember) { .type = members[index].type, .offset = members[index].offset };
  *name = gilk_btf_string (btf, members[index].name_off);
  if (GILK_BTF_INFO_FLAG (record->info))
    {
      member->bits = BTF_MEMBER_BITFIELD_SIZE (members[index].offset);
      member->offset = BTF_MEMBER_BIT_OFFSET (members[index].offset);
    }
  else
    add_bits_of_type (btf, member);
}

int64_t
gilk_btf_nth_value (const struct btf_type *record, guint index, uint32_t *name)
{
  const struct btf_enum *narrow = gilk_btf_rest (record);
  const struct btf_enum64 *wide = gilk_btf_rest (record);

  if (gilk_btf_kind (record) == BTF_KIND_ENUM64)
    {
      *name = wide[index].name_off;
      return (int64_t) ((uint64_t) wide[index].val_hi32 << 32 | wide[index].val_lo32);
    }

  *name = narrow[index].name_off;
  return GILK_BTF_INFO_FLAG (record->info) ? narrow[index].val : (int64_t) (uint32_t) narrow[index].val;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-btf-records.c - reads the records of validated BTF, and the members of its structs
 */
#include "core/types/gilk-btf-private.h"

#include <string.h>

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

/* Sets offset and width of a bit field that is encoded in its integer type, as in BTF without
 * kind_flag. */
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

/*
 * Finds members of structs by name or by offset, or lists all of them.
 *
 * Members of a nameless struct or union count as members of the struct that contains it. The total
 * number of members of a type is bounded (gilk-btf-private.h), so each walk is bounded as well.
 */

/* Returns the record of struct or union @id, after typedefs; NULL if @id is neither. */
static const struct btf_type *
find_composite (const GilkBtf *btf, guint id)
{
  const guint stripped = gilk_btf_strip (btf, id);
  const struct btf_type *record = stripped != 0 ? gilk_btf_record (btf, stripped) : NULL;

  return record != NULL && gilk_btf_is_composite (record) ? record : NULL;
}

/* ---- by name ---- */

static gboolean
find_member (const GilkBtf *btf, const struct btf_type *record, const char *name, uint32_t base, GilkMember *found)
{
  for (guint i = 0; i < gilk_btf_vlen (record); i++)
    {
      const struct btf_type *inner;
      GilkMember member;
      const char *own;

      gilk_btf_nth_member (btf, record, i, &member, &own);
      member.offset += base;
      inner = own[0] == '\0' ? find_composite (btf, member.type) : NULL;
      if (inner != NULL && find_member (btf, inner, name, member.offset, found))
        return TRUE;
      if (own[0] != '\0' && strcmp (own, name) == 0)
        {
          *found = member;
          return TRUE;
        }
    }

  return FALSE;
}

gboolean
gilk_btf_member (const GilkBtf *btf, guint id, const char *name, GilkMember *member)
{
  const struct btf_type *record = id < gilk_btf_end (btf) ? find_composite (btf, id) : NULL;

  return record != NULL && find_member (btf, record, name, 0, member);
}

static void
visit_members (const GilkBtf *btf, const struct btf_type *record, const char *prefix,
               void (*visit) (const char *name, guint type, gpointer data), gpointer data)
{
  for (guint i = 0; i < gilk_btf_vlen (record); i++)
    {
      const struct btf_type *inner;
      GilkMember member;
      const char *name;

      gilk_btf_nth_member (btf, record, i, &member, &name);
      inner = name[0] == '\0' ? find_composite (btf, member.type) : NULL;
      if (inner != NULL)
        visit_members (btf, inner, prefix, visit, data);
      else if (name[0] != '\0' && g_str_has_prefix (name, prefix))
        visit (name, member.type, data);
    }
}

void
gilk_btf_members (const GilkBtf *btf, guint id, const char *prefix,
                  void (*visit) (const char *name, guint type, gpointer data), gpointer data)
{
  const struct btf_type *record = id < gilk_btf_end (btf) ? find_composite (btf, id) : NULL;

  if (record != NULL)
    visit_members (btf, record, prefix, visit, data);
}

/* ---- by offset ---- */

/* A search for the member at an offset. If a search fails, it is repeated with weaker
 * conditions. */
typedef struct {
  const GilkBtf *btf;
  GString       *path;
  uint32_t       size;             /* required size of the member in bytes; 0: any size */
  gboolean       whole;            /* the bytes must be a whole member, not only a part of a
                                    * member */
  gboolean       beyond;           /* the bytes may be in a flexible array member at the end */
  /* do not search unions, except those in which all members but one are byte arrays, used as
   * padding */
  gboolean       sure;
  guint          type;             /* type of the member that was found */
} Walk;

static gboolean walk_type (Walk *walk, guint id, uint64_t offset);

/* Ends the search at a scalar of @bytes bytes; the requested offset is @offset bytes after the
 * start of the scalar. Returns whether the scalar meets the conditions of the search. */
static gboolean
is_leaf (Walk *walk, uint32_t bytes, uint64_t offset)
{
  const uint64_t size = MAX (walk->size, 1);

  if (bytes == 0 || offset + size > bytes)
    return FALSE;
  if (walk->whole)
    return offset == 0 && (walk->size == 0 || walk->size == bytes);
  if (offset != 0)
    g_string_append_printf (walk->path, "+%u", (guint) offset);

  return TRUE;
}

static gboolean
walk_array (Walk *walk, const struct btf_array *array, uint64_t offset)
{
  const uint32_t size = gilk_btf_size (walk->btf, array->type);

  if (size == 0 || (array->nelems == 0 ? !walk->beyond : offset / size >= array->nelems))
    return FALSE;
  g_string_append_printf (walk->path, "[%" G_GUINT64_FORMAT "]", offset / size);

  return walk_type (walk, array->type, offset % size);
}

/* Returns whether the requested bytes overlap the member. */
static gboolean
overlaps_member (const Walk *walk, const GilkMember *member, uint64_t offset)
{
  const uint64_t bits = member->bits != 0 ? member->bits : 8 * (uint64_t) gilk_btf_size (walk->btf, member->type);

  return bits != 0 && member->offset / 8 < offset + MAX (walk->size, 1) && (member->offset + bits - 1) / 8 >= offset;
}

/* Returns whether bit field @index shares its bytes with no other member. Bit fields lack a
 * byte offset, so a bit field can only be found if it is alone in its bytes. */
static gboolean
is_alone (const Walk *walk, const struct btf_type *record, guint index, uint64_t offset)
{
  for (guint i = 0; i < gilk_btf_vlen (record); i++)
    {
      GilkMember member;
      const char *name;

      gilk_btf_nth_member (walk->btf, record, i, &member, &name);
      if (i != index && overlaps_member (walk, &member, offset) && (member.bits == 0 || name[0] != '\0'))
        return FALSE;
    }

  return TRUE;
}

static gboolean
walk_bits (Walk *walk, const struct btf_type *record, guint index, const GilkMember *member, const char *name,
           uint64_t offset)
{
  if (walk->whole || name[0] == '\0' || !overlaps_member (walk, member, offset) || !is_alone (walk, record, index, offset))
    return FALSE;
  g_string_append_printf (walk->path, "%s%s", walk->path->len > 0 ? "." : "", name);

  return TRUE;
}

/* Searches some members: if @inner, those whose name starts with "__"; else all others. */
static gboolean
walk_some_members (Walk *walk, const struct btf_type *record, gboolean inner, uint64_t offset)
{
  const guint n = gilk_btf_vlen (record);
  const gsize length = walk->path->len;

  for (guint i = 0; i < n; i++)
    {
      const gboolean last = i + 1 == n || gilk_btf_kind (record) == BTF_KIND_UNION;
      GilkMember member;
      const char *name;

      gilk_btf_nth_member (walk->btf, record, i, &member, &name);
      if (g_str_has_prefix (name, "__") != inner)
        continue;
      if (member.bits != 0 && walk_bits (walk, record, i, &member, name, offset))
        return TRUE;
      if (member.bits != 0 || member.offset / 8 > offset ||
          (offset - member.offset / 8 >= gilk_btf_size (walk->btf, member.type) && !(walk->beyond && last)))
        continue;
      if (name[0] != '\0')
        g_string_append_printf (walk->path, "%s%s", length > 0 ? "." : "", name);
      if (walk_type (walk, member.type, offset - member.offset / 8))
        return TRUE;
      g_string_truncate (walk->path, length);
    }

  return FALSE;
}

/* Searches all members. Members whose name starts with "__" come last, because they are private
 * members of a union. */
static gboolean
walk_members (Walk *walk, const struct btf_type *record, uint64_t offset)
{
  return walk_some_members (walk, record, FALSE, offset) || walk_some_members (walk, record, TRUE, offset);
}

static gboolean
is_bytes (const GilkBtf *btf, guint id)
{
  const guint stripped = gilk_btf_strip (btf, id);
  const struct btf_type *record = stripped != 0 ? gilk_btf_record (btf, stripped) : NULL;
  const struct btf_array *array = record != NULL ? gilk_btf_rest (record) : NULL;

  return array != NULL && gilk_btf_kind (record) == BTF_KIND_ARRAY && gilk_btf_size (btf, array->type) == 1;
}

/* Returns whether all members but one are byte arrays, which pad a union as in struct pcpu_hot. */
static gboolean
is_filled_up (const GilkBtf *btf, const struct btf_type *record)
{
  guint others = 0;

  for (guint i = 0; i < gilk_btf_vlen (record); i++)
    {
      GilkMember member;
      const char *name;

      gilk_btf_nth_member (btf, record, i, &member, &name);
      others += !is_bytes (btf, member.type);
    }

  return others == 1;
}

static gboolean
walk_type (Walk *walk, guint id, uint64_t offset)
{
  const guint stripped = gilk_btf_strip (walk->btf, id);
  const struct btf_type *record = stripped != 0 ? gilk_btf_record (walk->btf, stripped) : NULL;

  if (record == NULL ||
      (walk->sure && gilk_btf_kind (record) == BTF_KIND_UNION && !is_filled_up (walk->btf, record)))
    return FALSE;
  if (gilk_btf_is_composite (record))
    return walk_members (walk, record, offset);
  if (gilk_btf_kind (record) == BTF_KIND_ARRAY)
    return walk_array (walk, gilk_btf_rest (record), offset);

  walk->type = id;

  return is_leaf (walk, gilk_btf_size (walk->btf, stripped), offset);
}

char *
gilk_btf_path_at (const GilkBtf *btf, guint id, uint32_t offset, uint32_t size)
{
  g_autoptr (GString) path = g_string_new (NULL);

  if (id >= gilk_btf_end (btf) || find_composite (btf, id) == NULL)
    return NULL;
  for (guint attempt = 0; attempt < 4; attempt++)
    {
      Walk walk = { .btf = btf, .path = path, .size = size, .whole = attempt < 2, .beyond = attempt % 2 != 0 };

      g_string_truncate (path, 0);
      if (walk_type (&walk, id, offset))
        return g_string_free (g_steal_pointer (&path), FALSE);
    }

  return NULL;
}

gboolean
gilk_btf_type_at (const GilkBtf *btf, guint id, uint32_t offset, uint32_t size, guint *type)
{
  g_autoptr (GString) path = g_string_new (NULL);
  Walk walk = { .btf = btf, .path = path, .size = size, .whole = TRUE, .sure = TRUE };

  if (id >= gilk_btf_end (btf) || find_composite (btf, id) == NULL || !walk_type (&walk, id, offset))
    return FALSE;
  *type = walk.type;

  return TRUE;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-btf-check.c - validates untrusted BTF, so that its readers need no checks
 *
 * Each step relies on the previous ones: header and sections, position of each record, names and
 * ids in each record, chains of typedefs, types that contain other types. Kinds that are newer than
 * this file are skipped if the BTF states their length (struct btf_layout, Linux 7.x).
 */
#include "core/types/gilk-btf-private.h"

#include <glib/gi18n.h>
#include <string.h>

#include "core/base/gilk-error.h"

enum {
  HEAD = 24,                       /* size of struct btf_header in its first version */
  HEAD_LAYOUT = 32,                /* size of the header version that has layout_off and
                                    * layout_len */
  COMPOSITE_MAX = 1 << 28,         /* maximum size of a struct: bit offsets must fit in 32 bits */
  BITS_MAX = 64,                   /* maximum width of a bit field */
};

/* Size in bytes of the data that follow struct btf_type in a record of one kind. */
typedef struct {
  uint8_t fixed;
  uint8_t each;                    /* size of each entry, such as a member; the record's info field
                                    * has the number of entries (vlen) */
} Shape;

/* The same as struct btf_layout, which older kernel headers do not have. */
typedef struct {
  uint8_t  fixed;
  uint8_t  each;
  uint16_t flags;
} Layout;

typedef struct {
  uint64_t size;
  uint32_t parts;
  uint8_t  height;  /* number of levels of nesting, counted from 1; 0: not computed yet */
} Content;

typedef struct {
  GilkBtf    *btf;
  Content    *contents;            /* content of each type by id: its size, parts and nesting */
  const char *fault;               /* sentence that describes the error, not yet translated */
} Check;

static const Shape shapes[] = {
  [BTF_KIND_INT]        = { 4, 0 },
  [BTF_KIND_PTR]        = { 0, 0 },
  [BTF_KIND_ARRAY]      = { sizeof (struct btf_array), 0 },
  [BTF_KIND_STRUCT]     = { 0, sizeof (struct btf_member) },
  [BTF_KIND_UNION]      = { 0, sizeof (struct btf_member) },
  [BTF_KIND_ENUM]       = { 0, sizeof (struct btf_enum) },
  [BTF_KIND_FUNC_PROTO] = { 0, sizeof (struct btf_param) },
  [BTF_KIND_VAR]        = { sizeof (struct btf_var), 0 },
  [BTF_KIND_DATASEC]    = { 0, sizeof (struct btf_var_secinfo) },
  [BTF_KIND_DECL_TAG]   = { sizeof (struct btf_decl_tag), 0 },
  [BTF_KIND_TYPE_TAG]   = { 0, 0 },
  [BTF_KIND_ENUM64]     = { 0, sizeof (struct btf_enum64) },
};

static gboolean
set_fault (Check *check, const char *fault)
{
  check->fault = fault;
  return FALSE;
}

/* ---- header and sections ---- */

static gboolean
find_part (const GilkBtf *btf, const struct btf_header *head, gsize length, uint32_t offset, uint32_t size,
           const uint8_t **part)
{
  *part = btf->data + head->hdr_len + MIN (offset, length - head->hdr_len);

  return offset <= length - head->hdr_len && size <= length - head->hdr_len - offset;
}

static gboolean
find_layout (GilkBtf *btf, const struct btf_header *head, gsize length)
{
  uint32_t offset, size;

  if (head->hdr_len < HEAD_LAYOUT)
    return TRUE;
  memcpy (&offset, btf->data + HEAD, sizeof offset);
  memcpy (&size, btf->data + HEAD + sizeof offset, sizeof size);
  btf->n_layout = size / sizeof (Layout);

  return find_part (btf, head, length, offset, size, &btf->layout);
}

/* Replaces unprintable characters by "?", because names are shown to users. The kernel's string
 * section must start with an empty string, which is the name of nameless types. */
static gboolean
sanitize_strings (GilkBtf *btf, const uint8_t *part)
{
  char *strings = (char *) btf->data + (part - btf->data);

  btf->strings = strings;
  if (btf->strings_length == 0)
    return btf->base != NULL;
  if (strings[btf->strings_length - 1] != '\0' || (btf->base == NULL && strings[0] != '\0'))
    return FALSE;
  for (uint32_t i = 0; i < btf->strings_length; i++)
    if (strings[i] != '\0' && !g_ascii_isprint (strings[i]))
      strings[i] = '?';

  return TRUE;
}

static gboolean
parse_header (GilkBtf *btf, gsize length, GError **error)
{
  struct btf_header head;
  const uint8_t *strings;

  if (length > GILK_BTF_MAX)
    return gilk_fail (error, GILK_ERROR_FORMAT,
        _("The BTF type information is larger than %u MiB, more than any kernel has. Read it again from "
          "/sys/kernel/btf."), GILK_BTF_MAX >> 20);
  memset (&head, 0, sizeof head);
  if (length >= HEAD)
    memcpy (&head, btf->data, HEAD);
  if (head.magic != BTF_MAGIC || head.version != BTF_VERSION || head.hdr_len < HEAD)
    return gilk_fail (error, GILK_ERROR_FORMAT,
        _("This is not BTF type information of an x86-64 kernel; see /sys/kernel/btf/vmlinux and, for "
          "modules, the files next to it."));
  btf->types_length = head.type_len;
  btf->strings_length = head.str_len;
  if (head.hdr_len > length || (head.hdr_len + (uint64_t) head.type_off) % 4 != 0 ||
      !find_part (btf, &head, length, head.type_off, head.type_len, &btf->types) ||
      !find_part (btf, &head, length, head.str_off, head.str_len, &strings) ||
      !find_layout (btf, &head, length) || !sanitize_strings (btf, strings))
    return gilk_fail (error, GILK_ERROR_FORMAT,
        _("The BTF type information is truncated or damaged: its sections are not where the header says. Read "
          "it again from /sys/kernel/btf."));

  return TRUE;
}

/* ---- positions of records ---- */

static gboolean
find_shape (const GilkBtf *btf, guint kind, Shape *shape)
{
  Layout layout;

  *shape = (Shape) { 0, 0 };
  if (kind == BTF_KIND_UNKN)
    return FALSE;
  if (kind < G_N_ELEMENTS (shapes))
    {
      *shape = shapes[kind];
      return TRUE;
    }
  if (kind >= btf->n_layout)
    return FALSE;
  memcpy (&layout, btf->layout + kind * sizeof layout, sizeof layout);
  *shape = (Shape) { layout.fixed, layout.each };

  return TRUE;
}

static gboolean
find_records (Check *check)
{
  GilkBtf *btf = check->btf;
  g_autoptr (GArray) offsets = g_array_sized_new (FALSE, FALSE, sizeof (uint32_t), btf->types_length / 24);
  uint32_t at = 0;

  while (at < btf->types_length)
    {
      const struct btf_type *record = (gconstpointer) (btf->types + at);
      const uint32_t left = btf->types_length - at;
      uint64_t length;
      Shape shape;

      btf->n = offsets->len;
      if (left < sizeof *record)
        return set_fault (check, N_("It is truncated."));
      if (!find_shape (btf, gilk_btf_kind (record), &shape))
        return set_fault (check, N_("The type's kind is not known to this release of Gilk; a "
                                    "newer one may support it."));
      length = sizeof *record + shape.fixed + (uint64_t) gilk_btf_vlen (record) * shape.each;
      if (length > left || length % 4 != 0)
        return set_fault (check, N_("It is truncated."));
      g_array_append_val (offsets, at);
      at += (uint32_t) length;
    }
  btf->n = offsets->len;
  btf->offsets = (uint32_t *) (gpointer) g_array_free (g_steal_pointer (&offsets), FALSE);

  return TRUE;
}

/* ---- checks names and ids in a record ---- */

static gboolean
is_name (Check *check, uint32_t offset)
{
  const GilkBtf *btf = check->btf;

  return (offset >= btf->string_first && offset - btf->string_first < btf->strings_length) ||
         (btf->base != NULL && offset < btf->string_first) ||
         set_fault (check, N_("The type's name lies outside of the string section."));
}

static gboolean
is_id (Check *check, guint id)
{
  return id < gilk_btf_end (check->btf) || set_fault (check,
                                                      N_("The type refers to a type that does "
                                                         "not exist."));
}

/* Fails unless @id is the type of a value, or a type that a pointer can point to. */
static gboolean
is_type (Check *check, guint id)
{
  guint kind;

  if (!is_id (check, id))
    return FALSE;
  if (id == 0)
    return TRUE;
  kind = gilk_btf_kind (gilk_btf_record (check->btf, id));

  return (kind != BTF_KIND_FUNC && kind != BTF_KIND_VAR && kind != BTF_KIND_DATASEC && kind != BTF_KIND_DECL_TAG) ||
         set_fault (check, N_("The type refers to something that is not a type."));
}

static gboolean
is_prototype (Check *check, guint id)
{
  return is_id (check, id) &&
         ((id != 0 && gilk_btf_kind (gilk_btf_record (check->btf, id)) == BTF_KIND_FUNC_PROTO) ||
          set_fault (check, N_("The type is a function, but the function's own type is not a "
                               "function prototype.")));
}

static gboolean
is_int (Check *check, const struct btf_type *record)
{
  const uint32_t *word = gilk_btf_rest (record);
  const uint32_t bits = BTF_INT_BITS (*word);

  return (record->size >= 1 && record->size <= 16 && bits >= 1 && BTF_INT_OFFSET (*word) + bits <= 8 * record->size) ||
         set_fault (check, N_("The type's number of bits does not match its size."));
}

/* Checks the size of a float or an enum. */
static gboolean
is_number (Check *check, const struct btf_type *record)
{
  return (record->size >= 1 && record->size <= 16) || set_fault (check,
                                                                 N_("The type's size is not "
                                                                    "valid for a number."));
}

/* Checks the names and types of all entries of a record: parameters, members or enumerators. */
static gboolean
check_list (Check *check, const struct btf_type *record)
{
  const guint kind = gilk_btf_kind (record);
  const uint8_t *at = gilk_btf_rest (record);

  for (guint i = 0; i < gilk_btf_vlen (record); i++, at += shapes[kind].each)
    {
      uint32_t words[2];

      memcpy (words, at, sizeof words);
      if (kind == BTF_KIND_DATASEC ? !is_id (check, words[0]) : !is_name (check, words[0]))
        return FALSE;
      if ((gilk_btf_is_composite (record) || kind == BTF_KIND_FUNC_PROTO) && !is_type (check, words[1]))
        return FALSE;
    }

  return TRUE;
}

static gboolean
check_record (Check *check, const struct btf_type *record)
{
  const struct btf_array *array = gilk_btf_rest (record);

  if (!is_name (check, record->name_off))
    return FALSE;
  switch (gilk_btf_kind (record))
    {
    case BTF_KIND_INT:
      return is_int (check, record);
    case BTF_KIND_FLOAT:
      return is_number (check, record);
    case BTF_KIND_PTR:
    case BTF_KIND_TYPEDEF:
    case BTF_KIND_VOLATILE:
    case BTF_KIND_CONST:
    case BTF_KIND_RESTRICT:
    case BTF_KIND_TYPE_TAG:
    case BTF_KIND_VAR:
      return is_type (check, record->type);
    case BTF_KIND_ARRAY:
      return is_type (check, array->type) && is_id (check, array->index_type);
    case BTF_KIND_ENUM:
    case BTF_KIND_ENUM64:
      return is_number (check, record) && check_list (check, record);
    case BTF_KIND_FUNC_PROTO:
      return is_type (check, record->type) && check_list (check, record);
    case BTF_KIND_STRUCT:
    case BTF_KIND_UNION:
    case BTF_KIND_DATASEC:
      return check_list (check, record);
    case BTF_KIND_FUNC:
      return is_prototype (check, record->type);
    case BTF_KIND_DECL_TAG:
      return is_id (check, record->type);
    default:
      return TRUE;
    }
}

/* ---- chains of typedefs and qualifiers ---- */

static gboolean
check_chain (Check *check, guint id)
{
  for (guint links = 0; id != 0; links++)
    {
      const struct btf_type *record = gilk_btf_record (check->btf, id);

      if (!gilk_btf_is_link (record))
        break;
      if (links == GILK_BTF_CHAIN)
        return set_fault (check, N_("Typedefs and qualifiers form a cycle, or a chain that is "
                                    "too long."));
      id = record->type;
    }

  return TRUE;
}

/* ---- types that contain other types ---- */

static gboolean measure_type (Check *check, guint id, guint depth, const Content **content);

static gboolean
add_part (Check *check, Content *whole, const Content *part)
{
  if (part->height >= GILK_BTF_DEPTH)
    return set_fault (check, N_("The type contains itself, or is nested too deeply."));
  if (part->parts + whole->parts >= GILK_BTF_PARTS)
    return set_fault (check, N_("The type has too many members."));
  whole->height = MAX (whole->height, part->height + 1);
  whole->parts += part->parts + 1;

  return TRUE;
}

static gboolean
check_place (Check *check, const struct btf_type *record, const GilkMember *member, const Content *part)
{
  const guint id = gilk_btf_strip (check->btf, member->type);
  const guint kind = id != 0 ? gilk_btf_kind (gilk_btf_record (check->btf, id)) : BTF_KIND_UNKN;
  const uint64_t bits = member->bits != 0 ? member->bits : 8 * part->size;

  if (member->bits != 0 && (member->bits > MIN (BITS_MAX, 8 * part->size) ||
                            (kind != BTF_KIND_INT && kind != BTF_KIND_ENUM && kind != BTF_KIND_ENUM64)))
    return set_fault (check, N_("The type has an invalid bit field."));
  if (member->offset + bits > 8 * (uint64_t) record->size || (member->bits == 0 && member->offset % 8 != 0))
    return set_fault (check, N_("The type has a member that lies outside of it, or not at a "
                                "whole byte."));

  return TRUE;
}

static gboolean
measure_members (Check *check, const struct btf_type *record, guint depth, Content *whole)
{
  if (record->size > COMPOSITE_MAX)
    return set_fault (check, N_("The type is larger than 256 MiB."));
  whole->size = record->size;
  for (guint i = 0; i < gilk_btf_vlen (record); i++)
    {
      const Content *part;
      GilkMember member;
      const char *name;

      gilk_btf_nth_member (check->btf, record, i, &member, &name);
      if (!measure_type (check, member.type, depth, &part) || !add_part (check, whole, part) ||
          !check_place (check, record, &member, part))
        return FALSE;
    }

  return TRUE;
}

static gboolean
measure_elements (Check *check, const struct btf_type *record, guint depth, Content *whole)
{
  const struct btf_array *array = gilk_btf_rest (record);
  const Content *part;

  if (!measure_type (check, array->type, depth, &part) || !add_part (check, whole, part))
    return FALSE;
  whole->size = part->size * array->nelems;

  return whole->size <= G_MAXUINT32 || set_fault (check, N_("The type is 4 GiB or larger."));
}

/* Computes size, number of parts and height of type @id, once per type. Fails at the maximum height
 * if a type contains itself. */
static gboolean
measure_type (Check *check, guint id, guint depth, const Content **content)
{
  const guint stripped = gilk_btf_strip (check->btf, id);
  const struct btf_type *record = stripped != 0 ? gilk_btf_record (check->btf, stripped) : NULL;
  Content *stored = &check->contents[stripped];
  Content whole = { .height = 1 };
  gboolean good = TRUE;

  *content = stored;
  if (stored->height != 0)
    return TRUE;
  if (depth > GILK_BTF_DEPTH)
    return set_fault (check, N_("The type contains itself, or is nested too deeply."));

  if (record != NULL && gilk_btf_is_composite (record))
    good = measure_members (check, record, depth + 1, &whole);
  else if (record != NULL && gilk_btf_kind (record) == BTF_KIND_ARRAY)
    good = measure_elements (check, record, depth + 1, &whole);
  else
    whole.size = gilk_btf_size (check->btf, stripped);
  *stored = whole;

  return good;
}

/* ---- all steps ---- */

/* Runs all validation steps. Stops at the first error; @id: (out): type with that error */
static gboolean
check_all (Check *check, guint *id)
{
  const guint first = check->btf->first, end = gilk_btf_end (check->btf);
  const Content *content;

  for (*id = first; *id < end; ++*id)
    if (!check_record (check, gilk_btf_record (check->btf, *id)))
      return FALSE;
  for (*id = first; *id < end; ++*id)
    if (!check_chain (check, *id))
      return FALSE;
  for (*id = first; *id < end; ++*id)
    if (!measure_type (check, *id, 0, &content))
      return FALSE;

  return TRUE;
}

gboolean
gilk_btf_check (GilkBtf *btf, gsize length, GError **error)
{
  Check check = { .btf = btf };
  gboolean good;
  guint id;

  if (!parse_header (btf, length, error))
    return FALSE;
  good = find_records (&check);
  id = gilk_btf_end (btf);
  if (good)
    {
      check.contents = g_new0 (Content, gilk_btf_end (btf));
      good = check_all (&check, &id);
      g_free (check.contents);
    }
  if (!good)
    g_set_error (error, GILK_ERROR, GILK_ERROR_FORMAT,
                 _("The BTF type information is damaged at type %u. %s Read it again from "
                   "/sys/kernel/btf, and read a module's type information together with the "
                   "kernel's."), id, _(check.fault));

  return good;
}

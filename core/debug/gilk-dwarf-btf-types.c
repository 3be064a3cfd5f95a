/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-dwarf-btf-types.c - converts a DIE to a BTF type
 */
#include <string.h>

#include "core/debug/gilk-dwarf-btf-private.h"

/* Special values in the table @entries: the DIE cannot be converted, or it is being converted. */
#define UNREADABLE GUINT_TO_POINTER (G_MAXUINT)
#define BUSY       GUINT_TO_POINTER (G_MAXUINT - 1)

enum { SIZE_MAX_OF_STRUCT = 1 << 28, BITS_OF_OFFSET = 24, NUMBER_MAX = 16 };

static guint
find_known (GilkDwarfBtf *btf, const GilkDwarfKnown *known)
{
  return btf->base->find != NULL && *known->name != '\0' ? btf->base->find (known, btf->base->data) : 0;
}

gboolean
gilk_dwarf_btf_type_of (GilkDwarfBtf *btf,
                        Dwarf_Die    *die,
                        guint         depth,
                        guint        *id)
{
  Dwarf_Attribute attribute;
  Dwarf_Die target;

  *id = 0;
  if (dwarf_attr_integrate (die, DW_AT_type, &attribute) == NULL)
    return TRUE;

  return dwarf_formref_die (&attribute, &target) != NULL && gilk_dwarf_btf_type (btf, &target, depth + 1, id);
}

/* ---- integer and floating-point types ---- */

static gboolean
make_base (GilkDwarfBtf *btf, Dwarf_Die *die, guint *id)
{
  const int size = dwarf_bytesize (die);
  GilkDwarfKnown known = { .kind = BTF_KIND_INT, .name = gilk_dwarf_btf_name (die), .size = (uint64_t) size, .layout = "" };
  Dwarf_Attribute attribute;
  Dwarf_Word encoding = 0;
  GByteArray *record;
  uint32_t word;

  if (size < 1 || size > NUMBER_MAX || dwarf_formudata (dwarf_attr (die, DW_AT_encoding, &attribute), &encoding) != 0)
    return FALSE;
  switch (encoding)
    {
    case DW_ATE_float:
    case DW_ATE_complex_float:
    case DW_ATE_decimal_float:
      known.kind = BTF_KIND_FLOAT;
      break;
    case DW_ATE_signed:
    case DW_ATE_signed_char:
      known.is_signed = TRUE;
      break;
    case DW_ATE_boolean:
      known.is_bool = TRUE;
      break;
    case DW_ATE_unsigned:
    case DW_ATE_unsigned_char:
    case DW_ATE_UTF:
      break;
    default:
      return FALSE;
    }
  *id = find_known (btf, &known);
  if (*id != 0)
    return TRUE;
  record = gilk_dwarf_btf_record (btf, known.kind, known.name, (uint32_t) size);
  word = (uint32_t) (known.is_signed ? BTF_INT_SIGNED << 24 : 0) | (uint32_t) (known.is_bool ? BTF_INT_BOOL << 24 : 0) |
         8 * (uint32_t) size;
  if (known.kind == BTF_KIND_INT)
    gilk_dwarf_btf_words (record, 1, &word);
  *id = gilk_dwarf_btf_intern (btf, record);

  return TRUE;
}

/* ---- pointers, qualifiers, typedefs ---- */

/* Converts a pointer; it points to void if its target cannot be converted. */
static gboolean
make_pointer (GilkDwarfBtf *btf, Dwarf_Die *die, guint depth, guint *id)
{
  guint target;

  if (!gilk_dwarf_btf_type_of (btf, die, depth, &target))
    target = 0;
  *id = gilk_dwarf_btf_intern (btf, gilk_dwarf_btf_record (btf, BTF_KIND_PTR, "", target));

  return TRUE;
}

static gboolean
make_qualified (GilkDwarfBtf *btf, Dwarf_Die *die, guint kind, guint depth, guint *id)
{
  guint target;

  if (!gilk_dwarf_btf_type_of (btf, die, depth, &target))
    return FALSE;
  *id = gilk_dwarf_btf_intern (btf, gilk_dwarf_btf_record (btf, kind, "", target));

  return TRUE;
}

/* Returns the id of the typedef of a nameless struct, as in "typedef struct { int counter; }
 * atomic_t"; 0 for a struct without a typedef. */
static guint
find_nameless (GilkDwarfBtf *btf, Dwarf_Die *die, const char *name)
{
  g_autoptr(GString) layout = g_string_new (NULL), nameless = g_string_new (NULL);
  GilkDwarfKnown known = { .kind = BTF_KIND_TYPEDEF, .name = name };
  Dwarf_Die target;

  if (!gilk_dwarf_btf_target (die, &target) || *gilk_dwarf_btf_name (&target) != '\0' ||
      (dwarf_tag (&target) != DW_TAG_structure_type && dwarf_tag (&target) != DW_TAG_union_type) ||
      !gilk_dwarf_btf_layout (btf, &target, layout, nameless))
    return 0;
  known.is_union = dwarf_tag (&target) == DW_TAG_union_type;
  known.size = (uint64_t) MAX (dwarf_bytesize (&target), 0);
  known.layout = layout->str;

  return layout->len > 0 ? find_known (btf, &known) : 0;
}

static gboolean
make_typedef (GilkDwarfBtf *btf, Dwarf_Die *die, guint depth, guint *id)
{
  GilkDwarfKnown known = { .kind = BTF_KIND_TYPEDEF, .name = gilk_dwarf_btf_name (die), .layout = "" };

  if (*known.name == '\0')
    return FALSE;
  *id = find_nameless (btf, die, known.name);
  if (*id != 0)
    return TRUE;
  if (!gilk_dwarf_btf_type_of (btf, die, depth, &known.target))
    return FALSE;
  *id = find_known (btf, &known);
  if (*id == 0)
    *id = gilk_dwarf_btf_intern (btf, gilk_dwarf_btf_record (btf, BTF_KIND_TYPEDEF, known.name, known.target));

  return TRUE;
}

/* ---- arrays ---- */

static guint
add_array (GilkDwarfBtf *btf, guint element, uint32_t count)
{
  const struct btf_array array = { .type = element, .index_type = 0, .nelems = count };
  GByteArray *record = gilk_dwarf_btf_record (btf, BTF_KIND_ARRAY, "", 0);

  gilk_dwarf_btf_words (record, sizeof array / sizeof (uint32_t), (const uint32_t *) &array);

  return gilk_dwarf_btf_intern (btf, record);
}

/* Converts an array type: [2][3] becomes an array of 2 arrays of 3 elements. An array larger than
 * any struct gets length 0, which means unknown. */
static gboolean
make_array (GilkDwarfBtf *btf, Dwarf_Die *die, guint depth, guint *id)
{
  uint32_t counts[GILK_DWARF_DEPTH];
  Dwarf_Die child, whole = *die;
  Dwarf_Word size;
  guint n = 0;

  if (!gilk_dwarf_btf_type_of (btf, die, depth, id) || *id == 0)
    return FALSE;
  for (int found = dwarf_child (die, &child); found == 0; found = dwarf_siblingof (&child, &child))
    {
      if (!gilk_dwarf_btf_count (btf) || n == G_N_ELEMENTS (counts))
        return FALSE;
      if (dwarf_tag (&child) == DW_TAG_subrange_type)
        counts[n++] = gilk_dwarf_btf_elements (&child);
    }
  if (n == 0)
    counts[n++] = 0;
  if (dwarf_aggregate_size (&whole, &size) == 0 && size > SIZE_MAX_OF_STRUCT)
    counts[0] = 0;
  while (n-- > 0)
    *id = add_array (btf, *id, counts[n]);

  return TRUE;
}

/* ---- functions ---- */

static gboolean
add_parameter (GilkDwarfBtf *btf, Dwarf_Die *die, guint depth, GByteArray *record)
{
  uint32_t words[2] = { 0, 0 };
  guint type;

  if (dwarf_tag (die) == DW_TAG_formal_parameter)
    {
      if (!gilk_dwarf_btf_type_of (btf, die, depth, &type) || type == 0)
        return FALSE;
      words[0] = gilk_dwarf_btf_string (btf, gilk_dwarf_btf_name (die));
      words[1] = type;
    }
  gilk_dwarf_btf_append (record, 2, words);

  return TRUE;
}

gboolean
gilk_dwarf_btf_prototype (GilkDwarfBtf *btf,
                          Dwarf_Die    *die,
                          guint         depth,
                          guint        *id)
{
  g_autoptr(GByteArray) record = NULL;
  Dwarf_Die child;
  guint returns;

  if (!gilk_dwarf_btf_type_of (btf, die, depth, &returns))
    return FALSE;
  record = gilk_dwarf_btf_record (btf, BTF_KIND_FUNC_PROTO, "", returns);
  for (int found = dwarf_child (die, &child); found == 0; found = dwarf_siblingof (&child, &child))
    {
      const int tag = dwarf_tag (&child);

      if (!gilk_dwarf_btf_count (btf))
        return FALSE;
      if ((tag == DW_TAG_formal_parameter || tag == DW_TAG_unspecified_parameters) &&
          !add_parameter (btf, &child, depth, record))
        return FALSE;
    }
  *id = gilk_dwarf_btf_intern (btf, g_steal_pointer (&record));

  return TRUE;
}

/* ---- enums ---- */

/* Converts an enum. Values have 32 bits if all of them fit. The enum is signed if a value is
 * negative. */
static GByteArray *
build_enum (GilkDwarfBtf *btf, const char *name, uint32_t size, const GArray *names, const GArray *values)
{
  gboolean is_signed = FALSE, is_wide = FALSE;
  GByteArray *record;

  for (guint i = 0; i < values->len; i++)
    is_signed |= g_array_index (values, int64_t, i) < 0;
  for (guint i = 0; i < values->len; i++)
    {
      const int64_t value = g_array_index (values, int64_t, i);

      is_wide |= value < G_MININT32 || value > (is_signed ? (int64_t) G_MAXINT32 : (int64_t) G_MAXUINT32);
    }
  record = gilk_dwarf_btf_record (btf, is_wide ? BTF_KIND_ENUM64 : BTF_KIND_ENUM, name, size);
  ((struct btf_type *) (gpointer) record->data)->info |= is_signed ? 1u << 31 : 0;
  for (guint i = 0; i < values->len; i++)
    {
      const uint64_t value = (uint64_t) g_array_index (values, int64_t, i);
      const uint32_t words[] = { g_array_index (names, uint32_t, i), (uint32_t) value, (uint32_t) (value >> 32) };

      gilk_dwarf_btf_append (record, is_wide ? 3 : 2, words);
    }

  return record;
}

static gboolean
read_constants (GilkDwarfBtf *btf, Dwarf_Die *die, GArray *names, GArray *values, GString *layout)
{
  Dwarf_Die child;

  for (int found = dwarf_child (die, &child); found == 0; found = dwarf_siblingof (&child, &child))
    {
      const char *name = gilk_dwarf_btf_name (&child);
      Dwarf_Attribute attribute;
      Dwarf_Word value;
      uint32_t at;

      if (!gilk_dwarf_btf_count (btf))
        return FALSE;
      if (dwarf_tag (&child) != DW_TAG_enumerator || *name == '\0' ||
          dwarf_formudata (dwarf_attr (&child, DW_AT_const_value, &attribute), &value) != 0)
        continue;
      at = gilk_dwarf_btf_string (btf, name);
      g_array_append_val (names, at);
      g_array_append_val (values, value);
      g_string_append_printf (layout, "%s %" G_GINT64_FORMAT "\n", name, (int64_t) value);
    }

  return TRUE;
}

static gboolean
make_enum (GilkDwarfBtf *btf, Dwarf_Die *die, guint *id)
{
  g_autoptr(GArray) names = g_array_new (FALSE, FALSE, sizeof (uint32_t)), values = g_array_new (FALSE, FALSE, sizeof (int64_t));
  g_autoptr(GString) layout = g_string_new (NULL);
  const int size = dwarf_bytesize (die);
  GilkDwarfKnown known = { .kind = BTF_KIND_ENUM, .name = gilk_dwarf_btf_name (die), .size = (uint64_t) size };

  if (size < 1 || size > 8 || !read_constants (btf, die, names, values, layout))
    return FALSE;
  known.layout = layout->str;
  *id = find_known (btf, &known);
  if (*id == 0)
    *id = gilk_dwarf_btf_intern (btf, build_enum (btf, known.name, (uint32_t) size, names, values));

  return TRUE;
}

/* ---- structs ---- */

static guint
get_kind (Dwarf_Die *die)
{
  return dwarf_tag (die) == DW_TAG_union_type ? BTF_KIND_UNION : BTF_KIND_STRUCT;
}

static void
insert_id (GHashTable *table, const char *key, guint id)
{
  if (!g_hash_table_contains (table, key))
    g_hash_table_insert (table, g_strdup (key), GUINT_TO_POINTER (id));
}

static gboolean
make_declared (GilkDwarfBtf *btf, Dwarf_Die *die, guint *id)
{
  const gboolean is_union = get_kind (die) == BTF_KIND_UNION;
  g_autofree char *key = g_strconcat (is_union ? "u" : "s", gilk_dwarf_btf_name (die), NULL);
  gpointer found;
  GByteArray *record;

  if (key[1] == '\0')
    return FALSE;
  if (g_hash_table_lookup_extended (btf->declared, key, NULL, &found))
    {
      *id = GPOINTER_TO_UINT (found);
      return TRUE;
    }
  record = gilk_dwarf_btf_record (btf, BTF_KIND_FWD, key + 1, 0);
  ((struct btf_type *) (gpointer) record->data)->info |= is_union ? 1u << 31 : 0;
  *id = gilk_dwarf_btf_add (btf, record);
  insert_id (btf->declared, key, *id);

  return TRUE;
}

/* Adds the struct or union that @die defines, without its members. */
static guint
add_struct (GilkDwarfBtf *btf, Dwarf_Die *die, const GilkDwarfKnown *known)
{
  GilkDwarfPending pending = { .die = *die };

  pending.id = gilk_dwarf_btf_add (btf, gilk_dwarf_btf_record (btf, known->kind, known->name, (uint32_t) known->size));
  g_array_append_val (btf->pending, pending);

  return pending.id;
}

static gboolean
make_struct (GilkDwarfBtf *btf, Dwarf_Die *die, guint *id)
{
  const int size = dwarf_bytesize (die);
  GilkDwarfKnown known = { .kind = get_kind (die), .name = gilk_dwarf_btf_name (die) };
  g_autoptr(GString) layout = g_string_new (NULL), nameless = g_string_new (NULL);
  g_autofree char *key = NULL, *name = NULL;
  gpointer found;

  known.size = (uint64_t) MAX (size, 0);
  if (known.size > SIZE_MAX_OF_STRUCT || !gilk_dwarf_btf_layout (btf, die, layout, nameless))
    return FALSE;
  known.layout = layout->str;
  key = g_strdup_printf ("%u %s %" G_GUINT64_FORMAT "\n%s%s", known.kind, known.name, known.size, layout->str, nameless->str);
  if (g_hash_table_lookup_extended (btf->layouts, key, NULL, &found))
    {
      *id = GPOINTER_TO_UINT (found);
      return TRUE;
    }
  *id = find_known (btf, &known);
  if (*id == 0)
    *id = add_struct (btf, die, &known);
  btf->bytes += strlen (key);
  insert_id (btf->layouts, key, *id);
  name = g_strconcat (known.kind == BTF_KIND_UNION ? "u" : "s", known.name, NULL);
  if (name[1] != '\0')
    insert_id (btf->complete, name, *id);

  return TRUE;
}

/* ---- structs and enums that several units have ---- */

/*
 * Returns file, line, name and size of a declaration, which identify it, so that headers included
 * in many units are converted once. NULL if the declaration's name or location is missing.
 */
static char *
format_source (Dwarf_Die *die)
{
  const char *name = gilk_dwarf_btf_name (die), *file = *name != '\0' ? dwarf_decl_file (die) : NULL;
  int line;

  if (file == NULL || dwarf_decl_line (die, &line) != 0)
    return NULL;

  return g_strdup_printf ("%d %d %d %s %s", dwarf_tag (die), line, dwarf_bytesize (die), name, file);
}

static gboolean
make_sourced (GilkDwarfBtf *btf, Dwarf_Die *die, guint *id)
{
  g_autofree char *source = NULL;
  const gboolean is_enum = dwarf_tag (die) == DW_TAG_enumeration_type;
  gpointer found;

  if (dwarf_hasattr (die, DW_AT_declaration))
    return !is_enum && make_declared (btf, die, id);
  source = format_source (die);
  if (source != NULL && g_hash_table_lookup_extended (btf->sources, source, NULL, &found))
    {
      *id = GPOINTER_TO_UINT (found);
      return TRUE;
    }
  if (is_enum ? !make_enum (btf, die, id) : !make_struct (btf, die, id))
    return FALSE;
  if (source != NULL)
    insert_id (btf->sources, source, *id);

  return TRUE;
}

/* ---- types of any kind ---- */

static gboolean
make_type (GilkDwarfBtf *btf, Dwarf_Die *die, guint depth, guint *id)
{
  switch (dwarf_tag (die))
    {
    case DW_TAG_base_type:
      return make_base (btf, die, id);
    case DW_TAG_pointer_type:
      return make_pointer (btf, die, depth, id);
    case DW_TAG_const_type:
      return make_qualified (btf, die, BTF_KIND_CONST, depth, id);
    case DW_TAG_volatile_type:
      return make_qualified (btf, die, BTF_KIND_VOLATILE, depth, id);
    case DW_TAG_restrict_type:
      return make_qualified (btf, die, BTF_KIND_RESTRICT, depth, id);
    case DW_TAG_atomic_type:
      return gilk_dwarf_btf_type_of (btf, die, depth, id);
    case DW_TAG_typedef:
      return make_typedef (btf, die, depth, id);
    case DW_TAG_array_type:
      return make_array (btf, die, depth, id);
    case DW_TAG_subroutine_type:
      return gilk_dwarf_btf_prototype (btf, die, depth, id);
    case DW_TAG_structure_type:
    case DW_TAG_union_type:
    case DW_TAG_enumeration_type:
      return make_sourced (btf, die, id);
    default:
      return FALSE;
    }
}

/* Converts a type. A type that refers to itself is malformed, unless it does so through a member of
 * a struct or union. */
gboolean
gilk_dwarf_btf_type (GilkDwarfBtf *btf,
                     Dwarf_Die    *die,
                     guint         depth,
                     guint        *id)
{
  gpointer known = g_hash_table_lookup (btf->entries, die->addr);

  if (known == BUSY || known == UNREADABLE || depth > GILK_DWARF_DEPTH || !gilk_dwarf_btf_count (btf))
    return FALSE;
  if (known != NULL)
    {
      *id = GPOINTER_TO_UINT (known) - 1;
      return TRUE;
    }
  g_hash_table_insert (btf->entries, die->addr, BUSY);
  if (!make_type (btf, die, depth, id))
    {
      g_hash_table_insert (btf->entries, die->addr, UNREADABLE);
      return FALSE;
    }
  g_hash_table_insert (btf->entries, die->addr, GUINT_TO_POINTER (*id + 1));

  return TRUE;
}

/* ---- adds members and replaces declarations, after all types have ids ---- */

/* Returns whether a struct has bit fields. In such a struct, one word stores the offset of a member
 * and its width in bits. */
static gboolean
has_bit_fields (Dwarf_Die *of)
{
  Dwarf_Die die;

  for (int found = dwarf_child (of, &die); found == 0; found = dwarf_siblingof (&die, &die))
    if (dwarf_tag (&die) == DW_TAG_member && dwarf_hasattr (&die, DW_AT_bit_size))
      return TRUE;

  return FALSE;
}

static void
fill_struct (GilkDwarfBtf *btf, GilkDwarfPending *pending)
{
  GByteArray *record = g_ptr_array_index (btf->records, pending->id - btf->base->first);
  const gboolean packed = has_bit_fields (&pending->die);
  const guint before = record->len;
  Dwarf_Die die;

  if (packed)
    ((struct btf_type *) (gpointer) record->data)->info |= 1u << 31;
  for (int found = dwarf_child (&pending->die, &die); found == 0; found = dwarf_siblingof (&die, &die))
    {
      GilkDwarfMember member;
      uint32_t words[3];
      guint type;

      if (!gilk_dwarf_btf_count (btf))
        break;
      if (!gilk_dwarf_btf_member (&die, &member) || (packed && member.offset >> BITS_OF_OFFSET != 0) ||
          !gilk_dwarf_btf_type (btf, &member.type, 0, &type))
        continue;
      words[0] = gilk_dwarf_btf_string (btf, member.name);
      words[1] = type;
      words[2] = (uint32_t) member.offset | (packed ? member.bits << BITS_OF_OFFSET : 0);
      gilk_dwarf_btf_append (record, 3, words);
    }
  btf->bytes += record->len - before;
}

void
gilk_dwarf_btf_fill (GilkDwarfBtf *btf)
{
  while (btf->pending->len > 0 && !btf->over_limit)
    {
      GilkDwarfPending pending = g_array_index (btf->pending, GilkDwarfPending, btf->pending->len - 1);

      g_array_set_size (btf->pending, btf->pending->len - 1);
      fill_struct (btf, &pending);
    }
}

/* Turns each declaration whose complete type is known into a nameless type tag that refers to the
 * complete type; readers skip type tags. */
void
gilk_dwarf_btf_resolve (GilkDwarfBtf *btf)
{
  GHashTableIter iter;
  gpointer key, declared;

  g_hash_table_iter_init (&iter, btf->declared);
  while (g_hash_table_iter_next (&iter, &key, &declared))
    {
      GByteArray *record = g_ptr_array_index (btf->records, GPOINTER_TO_UINT (declared) - btf->base->first);
      struct btf_type *head = (gpointer) record->data;
      const char *name = key;
      const GilkDwarfKnown known = { .kind = BTF_KIND_FWD, .name = name + 1, .is_union = *name == 'u', .layout = "" };
      guint id = GPOINTER_TO_UINT (g_hash_table_lookup (btf->complete, name));

      if (id == 0)
        id = find_known (btf, &known);
      if (id != 0)
        *head = (struct btf_type) { .info = BTF_KIND_TYPE_TAG << 24, .type = id };
    }
}

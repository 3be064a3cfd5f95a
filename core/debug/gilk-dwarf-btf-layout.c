/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-dwarf-btf-layout.c - describes the layout of a DWARF struct as text, to compare it with the
 * layout of a BTF type (see GilkDwarfKnown)
 */
#include <string.h>

#include "core/debug/gilk-dwarf-btf-private.h"

enum { ELEMENTS_MAX = 1 << 28, TEXT_MAX = 8 << 20 };

gboolean
gilk_dwarf_btf_target (Dwarf_Die *die,
                       Dwarf_Die *target)
{
  Dwarf_Attribute attribute;

  return dwarf_formref_die (dwarf_attr_integrate (die, DW_AT_type, &attribute), target) != NULL;
}

/* ---- reads offset, width and type of a struct's member from DWARF ---- */

static gboolean
read_number (Dwarf_Die *die, guint name, uint64_t *number)
{
  Dwarf_Attribute attribute;
  Dwarf_Word word;

  if (dwarf_attr (die, name, &attribute) == NULL || dwarf_formudata (&attribute, &word) != 0)
    return FALSE;
  *number = word;

  return TRUE;
}

/* Reads an offset in bytes: a number, or in DWARF 2 an expression that adds a number. A union's
 * members may lack an offset. */
static gboolean
read_location (Dwarf_Die *die, uint64_t *bytes)
{
  Dwarf_Attribute attribute;
  Dwarf_Op *ops;
  size_t n;

  *bytes = 0;
  if (dwarf_attr (die, DW_AT_data_member_location, &attribute) == NULL ||
      read_number (die, DW_AT_data_member_location, bytes))
    return TRUE;
  if (dwarf_getlocation (&attribute, &ops, &n) != 0 || n != 1 || ops[0].atom != DW_OP_plus_uconst)
    return FALSE;
  *bytes = ops[0].number;

  return TRUE;
}

/* Reads the offset of a bit field. DWARF 4 and 5 count from the start of the struct; earlier
 * versions count from the most significant bit of a storage unit. */
static gboolean
read_bits (Dwarf_Die *die, GilkDwarfMember *member)
{
  uint64_t bits, at, bytes, unit;

  if (!read_number (die, DW_AT_bit_size, &bits))
    return TRUE;
  if (bits == 0 || bits > 64)
    return FALSE;
  member->bits = (uint32_t) bits;
  if (read_number (die, DW_AT_data_bit_offset, &at))
    member->offset = at;
  else if (read_number (die, DW_AT_bit_offset, &at))
    {
      Dwarf_Die type = member->type;

      if (!read_number (die, DW_AT_byte_size, &bytes))
        {
          if (dwarf_aggregate_size (&type, &unit) != 0)
            return FALSE;
          bytes = unit;
        }
      if (bytes > 16 || at > 128 || at + bits > 8 * bytes)
        return FALSE;
      member->offset += 8 * bytes - at - bits;
    }

  return TRUE;
}

gboolean
gilk_dwarf_btf_member (Dwarf_Die       *die,
                       GilkDwarfMember *member)
{
  uint64_t bytes;

  if (dwarf_tag (die) != DW_TAG_member || dwarf_hasattr (die, DW_AT_external) || !read_location (die, &bytes) ||
      bytes >= G_MAXUINT32 / 8)
    return FALSE;
  *member = (GilkDwarfMember) { .name = gilk_dwarf_btf_name (die), .offset = 8 * bytes };

  return gilk_dwarf_btf_target (die, &member->type) && read_bits (die, member) && member->offset < G_MAXUINT32;
}

/* ---- describes the type of a member ---- */

/* Returns the number of elements of an array dimension; 0 if the bound is computed at run time. */
uint32_t
gilk_dwarf_btf_elements (Dwarf_Die *die)
{
  uint64_t count, lower = 0, upper;

  if (!read_number (die, DW_AT_count, &count))
    {
      if (!read_number (die, DW_AT_upper_bound, &upper))
        return 0;
      read_number (die, DW_AT_lower_bound, &lower);
      count = upper - lower + 1;
    }

  return count <= ELEMENTS_MAX ? (uint32_t) count : 0;
}

static gboolean
count_elements (GilkDwarfBtf *btf, Dwarf_Die *array, uint64_t *count)
{
  Dwarf_Die die;

  for (int found = dwarf_child (array, &die); found == 0; found = dwarf_siblingof (&die, &die))
    {
      if (!gilk_dwarf_btf_count (btf))
        return FALSE;
      if (dwarf_tag (&die) == DW_TAG_subrange_type)
        *count = *count * gilk_dwarf_btf_elements (&die) & G_MAXUINT32;
    }

  return TRUE;
}

/* Appends the type's name to @text. For a nameless type, appends a mark to @text and the address of
 * its DIE to @nameless. */
static void
append_name (Dwarf_Die *die, char letter, GString *text, GString *nameless)
{
  const char *name = gilk_dwarf_btf_name (die);

  g_string_append_c (text, letter);
  g_string_append (text, name);
  if (*name == '\0')
    g_string_append_printf (nameless, " %p", die->addr);
}

static void
append_base (Dwarf_Die *die, GString *text)
{
  uint64_t encoding = 0;
  const int size = dwarf_bytesize (die);

  read_number (die, DW_AT_encoding, &encoding);
  if (encoding == DW_ATE_float || encoding == DW_ATE_complex_float || encoding == DW_ATE_decimal_float)
    g_string_append_printf (text, "f%d", size);
  else
    g_string_append_printf (text, "i%d%c", size, encoding == DW_ATE_boolean ? 'b'
                            : encoding == DW_ATE_signed || encoding == DW_ATE_signed_char ? 's' : 'u');
}

/* Appends the type at the end of a chain of pointers and arrays, such as the struct that a pointer
 * points to. Returns FALSE if @die cannot end a chain. */
static gboolean
append_end (Dwarf_Die *die, GString *text, GString *nameless)
{
  switch (dwarf_tag (die))
    {
    case DW_TAG_typedef:
      append_name (die, 't', text, nameless);
      return TRUE;
    case DW_TAG_structure_type:
      append_name (die, 's', text, nameless);
      return TRUE;
    case DW_TAG_union_type:
      append_name (die, 'u', text, nameless);
      return TRUE;
    case DW_TAG_enumeration_type:
      append_name (die, 'e', text, nameless);
      return TRUE;
    case DW_TAG_base_type:
      append_base (die, text);
      return TRUE;
    case DW_TAG_subroutine_type:
      g_string_append_c (text, 'p');
      return TRUE;
    case DW_TAG_pointer_type:
    case DW_TAG_const_type:
    case DW_TAG_volatile_type:
    case DW_TAG_restrict_type:
    case DW_TAG_atomic_type:
    case DW_TAG_array_type:
      return FALSE;
    default:
      g_string_append_c (text, '?');
      return TRUE;
    }
}

static gboolean
append_type (GilkDwarfBtf *btf, Dwarf_Die *type, GString *text, GString *nameless)
{
  Dwarf_Die die = *type, next;
  uint64_t count = 1;
  gboolean in_array = FALSE;

  for (guint depth = 0; depth < GILK_DWARF_DEPTH; depth++)
    {
      const int tag = dwarf_tag (&die);

      if (!gilk_dwarf_btf_count (btf))
        return FALSE;
      if (tag == DW_TAG_array_type)
        {
          in_array = TRUE;
          if (!count_elements (btf, &die, &count))
            return FALSE;
        }
      else if (in_array && tag != DW_TAG_const_type && tag != DW_TAG_volatile_type)
        {
          g_string_append_printf (text, "[%" G_GUINT64_FORMAT "]", count);
          in_array = FALSE;
          count = 1;
        }
      if (append_end (&die, text, nameless))
        return TRUE;
      if (tag == DW_TAG_pointer_type)
        g_string_append_c (text, '*');
      if (!gilk_dwarf_btf_target (&die, &next))
        {
          g_string_append_c (text, 'v');
          return TRUE;
        }
      die = next;
    }

  return FALSE;
}

/* ---- describes all members of a struct ---- */

/* Returns whether the member is a nameless struct or union, possibly through typedefs. The members
 * of such a member count as members of the outer type. */
static gboolean
is_transparent (GilkDwarfMember *member, Dwarf_Die *inner)
{
  *inner = member->type;
  for (guint depth = 0; *member->name == '\0' && depth < GILK_DWARF_DEPTH; depth++)
    switch (dwarf_tag (inner))
      {
      case DW_TAG_structure_type:
      case DW_TAG_union_type:
        return TRUE;
      case DW_TAG_const_type:
      case DW_TAG_volatile_type:
      case DW_TAG_typedef:
        if (!gilk_dwarf_btf_target (inner, inner))
          return FALSE;
        break;
      default:
        return FALSE;
      }

  return FALSE;
}

static gboolean
append_members (GilkDwarfBtf *btf, Dwarf_Die *of, uint64_t at, guint depth, GString *text, GString *nameless)
{
  Dwarf_Die die, inner;

  if (depth == GILK_DWARF_DEPTH)
    return FALSE;
  for (int found = dwarf_child (of, &die); found == 0; found = dwarf_siblingof (&die, &die))
    {
      GilkDwarfMember member;

      btf->over_limit |= text->len + nameless->len > TEXT_MAX;
      if (!gilk_dwarf_btf_count (btf))
        return FALSE;
      if (!gilk_dwarf_btf_member (&die, &member))
        continue;
      if (is_transparent (&member, &inner))
        {
          if (!append_members (btf, &inner, at + member.offset, depth + 1, text, nameless))
            return FALSE;
          continue;
        }
      g_string_append_printf (text, "%s %" G_GUINT64_FORMAT " %u ", member.name, at + member.offset, member.bits);
      if (!append_type (btf, &member.type, text, nameless))
        return FALSE;
      g_string_append_c (text, '\n');
    }

  return TRUE;
}

gboolean
gilk_dwarf_btf_layout (GilkDwarfBtf *btf,
                       Dwarf_Die    *die,
                       GString      *text,
                       GString      *nameless)
{
  return append_members (btf, die, 0, 0, text, nameless);
}

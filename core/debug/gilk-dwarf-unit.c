/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-dwarf-unit.c - finds the unit that defines an address's code, a variable or a type
 *
 * Code is found by the units' address ranges. For variables and types, the outermost DIEs of all
 * units are read, which takes seconds for a kernel.
 */
#include <string.h>

#include "core/debug/gilk-dwarf-private.h"

typedef struct {
  uint64_t    data;            /* address of a variable in the file; 0: none */
  int         tag;             /* DWARF tag of @type */
  const char *type;            /* (nullable): name of a type, without the word "struct" */
} Search;

static void
parse_type (const char *type, Search *search)
{
  static const struct { const char *word; int tag; } words[] = {
    { "struct ", DW_TAG_structure_type }, { "union ", DW_TAG_union_type }, { "enum ", DW_TAG_enumeration_type },
  };

  search->tag = DW_TAG_typedef;
  search->type = type;
  for (guint i = 0; type != NULL && i < G_N_ELEMENTS (words); i++)
    if (g_str_has_prefix (type, words[i].word))
      {
        search->tag = words[i].tag;
        search->type = type + strlen (words[i].word);
      }
}

static gboolean
is_at (Dwarf_Die *die, uint64_t addr)
{
  Dwarf_Attribute attribute;
  Dwarf_Op *ops;
  size_t n;

  return dwarf_tag (die) == DW_TAG_variable && dwarf_attr (die, DW_AT_location, &attribute) != NULL &&
         dwarf_getlocation (&attribute, &ops, &n) == 0 && n == 1 && ops[0].atom == DW_OP_addr && ops[0].number == addr;
}

static gboolean
is_defined_type (Dwarf_Die *die, const Search *search)
{
  return dwarf_tag (die) == search->tag && g_strcmp0 (dwarf_diename (die), search->type) == 0 &&
         !dwarf_hasattr (die, DW_AT_declaration);
}

static gboolean
has_wanted (Dwarf_Die *unit, const Search *search)
{
  guint budget = GILK_DWARF_ENTRIES_MAX;
  Dwarf_Die die;

  for (int found = dwarf_child (unit, &die); found == 0 && budget > 0; found = dwarf_siblingof (&die, &die), budget--)
    if (search->data != 0 ? is_at (&die, search->data) : is_defined_type (&die, search))
      return TRUE;

  return FALSE;
}

static gboolean
search_units (GilkDwarf *dwarf, const Search *search, uint64_t *unit)
{
  gilk_dwarf_index (dwarf);
  for (guint i = 0; i < dwarf->units->len; i++)
    {
      const Dwarf_Off offset = g_array_index (dwarf->units, Dwarf_Off, i);
      Dwarf_Die die;

      if (dwarf_offdie (dwarf->dwarf, offset, &die) == NULL || !has_wanted (&die, search))
        continue;
      *unit = offset;
      return TRUE;
    }

  return FALSE;
}

gboolean
gilk_dwarf_find_unit (GilkDwarf            *dwarf,
                      const GilkDwarfScope *scope,
                      uint64_t             *unit)
{
  Search search = { .data = scope->data != 0 ? scope->data - dwarf->bias : 0 };
  Dwarf_Die die;

  if (scope->code != 0 && gilk_dwarf_unit_at (dwarf, scope->code - dwarf->bias, &die))
    {
      *unit = dwarf_dieoffset (&die);
      return TRUE;
    }
  if (search.data != 0 && search_units (dwarf, &search, unit))
    return TRUE;
  search.data = 0;
  parse_type (scope->type, &search);

  return search.type != NULL && search_units (dwarf, &search, unit);
}

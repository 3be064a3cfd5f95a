/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-dwarf-inlined.c - locations at which a function was inlined
 *
 * A unit in which a function was inlined has one abstract DIE without an address, and at each
 * location a DIE that refers to it. Only units with the abstract DIE are searched.
 */
#include <string.h>

#include "core/debug/gilk-dwarf-private.h"

typedef struct {
  GilkDwarf  *dwarf;
  const char *name;
  GArray     *locations;       /* GilkDwarfLocation */
  guint       budget;          /* DIEs that may still be read in this unit */
  gboolean    more;
} Search;

/* Returns whether @die is the abstract instance of @name and was inlined. */
static gboolean
is_inlined_somewhere (Dwarf_Die *die, const char *name)
{
  Dwarf_Attribute attribute;
  Dwarf_Word how = 0;
  const char *own;

  if (dwarf_tag (die) != DW_TAG_subprogram || dwarf_formudata (dwarf_attr (die, DW_AT_inline, &attribute), &how) != 0 ||
      (how != DW_INL_inlined && how != DW_INL_declared_inlined))
    return FALSE;
  own = dwarf_diename (die);

  return own != NULL && strcmp (own, name) == 0;
}

static gboolean
has_function (Search *search, Dwarf_Die *unit)
{
  Dwarf_Die child;

  for (int found = dwarf_child (unit, &child); found == 0 && search->budget > 0; found = dwarf_siblingof (&child, &child))
    {
      search->budget--;
      if (is_inlined_somewhere (&child, search->name))
        return TRUE;
    }

  return FALSE;
}

/* Finds the first address of @die. Returns FALSE if it is without code. */
static gboolean
find_first_address (Dwarf_Die *die, uint64_t *addr)
{
  Dwarf_Addr base, start, end;

  if (dwarf_entrypc (die, addr) == 0)
    return TRUE;
  if (dwarf_ranges (die, 0, &base, &start, &end) <= 0)
    return FALSE;
  *addr = start;

  return TRUE;
}

static void
add_location (Search *search, Dwarf_Die *die, Dwarf_Die *outer)
{
  const char *into = dwarf_diename (outer);
  GilkDwarfLocation location;
  uint64_t addr;

  if (!find_first_address (die, &addr))
    return;
  if (search->locations->len == GILK_DWARF_LOCATIONS_MAX)
    {
      search->more = TRUE;
      return;
    }
  location = (GilkDwarfLocation) {
    .addr = addr + search->dwarf->bias, .function = g_strdup (search->name),
    .into = g_strdup (into != NULL && g_utf8_validate (into, -1, NULL) ? into : NULL),
  };
  g_array_append_val (search->locations, location);
}

/* Searches the DIEs below @die, which are code of @outer. */
static void
search_children (Search *search, Dwarf_Die *die, Dwarf_Die *outer, guint depth)
{
  Dwarf_Die child;

  for (int found = depth < GILK_DWARF_DEPTH ? dwarf_child (die, &child) : 1; found == 0 && search->budget > 0;
       found = dwarf_siblingof (&child, &child))
    {
      const int tag = dwarf_tag (&child);
      const char *name;

      search->budget--;
      if (tag == DW_TAG_inlined_subroutine)
        {
          name = dwarf_diename (&child);
          if (name != NULL && strcmp (name, search->name) == 0)
            add_location (search, &child, outer);
        }
      if (tag == DW_TAG_inlined_subroutine || tag == DW_TAG_lexical_block || tag == DW_TAG_subprogram)
        search_children (search, &child, tag == DW_TAG_subprogram ? &child : outer, depth + 1);
    }
}

/* Keeps the first of several spots at one address: unrolled recursion may start at the same
 * instruction. */
static void
drop_duplicates (GArray *locations)
{
  for (guint i = locations->len; i-- > 1;)
    if (g_array_index (locations, GilkDwarfLocation, i).addr == g_array_index (locations, GilkDwarfLocation, i - 1).addr)
      g_array_remove_index (locations, i);
}

GArray *
gilk_dwarf_inlined (GilkDwarf  *dwarf,
                    const char *name,
                    gboolean   *more)
{
  Search search = { .dwarf = dwarf, .name = name, .locations = gilk_dwarf_locations_new () };

  gilk_dwarf_index (dwarf);
  for (guint i = 0; i < dwarf->units->len && !search.more; i++)
    {
      Dwarf_Die unit;

      search.budget = GILK_DWARF_ENTRIES_MAX;
      if (dwarf_offdie (dwarf->dwarf, g_array_index (dwarf->units, Dwarf_Off, i), &unit) != NULL &&
          has_function (&search, &unit))
        search_children (&search, &unit, &unit, 0);
    }
  gilk_dwarf_locations_sort (search.locations);
  drop_duplicates (search.locations);
  *more = search.more;

  return search.locations;
}

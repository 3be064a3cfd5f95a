/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-dwarf-inlined.c - finds the locations at which a function was inlined
 *
 * A unit in which a function was inlined has one abstract DIE without an address, and at each
 * location a DIE that refers to it. Only two kinds of units are searched: units with the abstract
 * DIE, and units that import other units (dwz), because these may have the abstract DIE. In C++ the
 * abstract DIE is in a namespace or class, or refers to its declaration there.
 */
#include <string.h>

#include "core/debug/gilk-dwarf-private.h"

typedef struct {
  GilkDwarf  *dwarf;
  const GilkDwarfMatch *match;
  GArray     *locations;       /* (element-type GilkDwarfLocation): locations found so far */
  guint       budget;          /* number of DIEs of this unit that may still be read */
  gboolean    is_scoped;  /* the unit's language can nest functions in namespaces and classes */
  gboolean    more;
} Search;

/* Returns the function's name if its name or linkage name matches, else NULL. */
static const char *
get_wanted_name (const Search *search, Dwarf_Die *die)
{
  const GilkDwarfMatch *match = search->match;
  Dwarf_Attribute attribute;
  const char *name = dwarf_diename (die), *linkage;

  if (name == NULL || !g_utf8_validate (name, -1, NULL))
    return NULL;
  if (strcmp (name, match->name) == 0)
    return name;
  linkage = dwarf_formstring (dwarf_attr_integrate (die, DW_AT_linkage_name, &attribute));

  return linkage != NULL && (strcmp (linkage, match->name) == 0 ||
                             (match->is_linkage != NULL && match->is_linkage (linkage, match->data))) ? name : NULL;
}

/* Returns whether @die is the abstract instance of the function, and the function was inlined. */
static gboolean
is_inlined_somewhere (const Search *search, Dwarf_Die *die)
{
  Dwarf_Attribute attribute;
  Dwarf_Word how = 0;

  return dwarf_tag (die) == DW_TAG_subprogram && dwarf_formudata (dwarf_attr (die, DW_AT_inline, &attribute), &how) == 0 &&
         (how == DW_INL_inlined || how == DW_INL_declared_inlined) && get_wanted_name (search, die) != NULL;
}

static gboolean
is_scope (const Search *search, int tag)
{
  return search->is_scoped && (tag == DW_TAG_namespace || tag == DW_TAG_class_type || tag == DW_TAG_structure_type ||
                               tag == DW_TAG_union_type || tag == DW_TAG_module);
}

static gboolean
has_function (Search *search, Dwarf_Die *die, guint depth)
{
  Dwarf_Die child;

  for (int found = depth < GILK_DWARF_DEPTH ? dwarf_child (die, &child) : 1; found == 0 && search->budget > 0;
       found = dwarf_siblingof (&child, &child))
    {
      search->budget--;
      if (dwarf_tag (&child) == DW_TAG_imported_unit || is_inlined_somewhere (search, &child) ||
          (is_scope (search, dwarf_tag (&child)) && has_function (search, &child, depth + 1)))
        return TRUE;
    }

  return FALSE;
}

/* Finds the first address of @die. Returns FALSE if @die does not have code. */
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
add_location (Search *search, const char *name, Dwarf_Die *die, Dwarf_Die *outer)
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
    .addr = addr + search->dwarf->bias, .function = g_strdup (name),
    .into = g_strdup (into != NULL && g_utf8_validate (into, -1, NULL) ? into : NULL),
  };
  g_array_append_val (search->locations, location);
}

/* Searches the DIEs below @die. @outer: the function that contains @die, or the unit. */
static void
search_children (Search *search, Dwarf_Die *die, Dwarf_Die *outer, guint depth)
{
  Dwarf_Die child;

  for (int found = depth < GILK_DWARF_DEPTH ? dwarf_child (die, &child) : 1; found == 0 && search->budget > 0;
       found = dwarf_siblingof (&child, &child))
    {
      const int tag = dwarf_tag (&child);
      const char *name = tag == DW_TAG_inlined_subroutine ? get_wanted_name (search, &child) : NULL;

      search->budget--;
      if (name != NULL)
        add_location (search, name, &child, outer);
      if (tag == DW_TAG_inlined_subroutine || tag == DW_TAG_lexical_block || tag == DW_TAG_subprogram ||
          tag == DW_TAG_try_block || tag == DW_TAG_catch_block || is_scope (search, tag))
        search_children (search, &child, tag == DW_TAG_subprogram ? &child : outer, depth + 1);
    }
}

/* Removes all but the first of several locations at one address: unrolled recursion may start at
 * the same instruction. */
static void
drop_duplicates (GArray *locations)
{
  for (guint i = locations->len; i-- > 1;)
    if (g_array_index (locations, GilkDwarfLocation, i).addr == g_array_index (locations, GilkDwarfLocation, i - 1).addr)
      g_array_remove_index (locations, i);
}

static gboolean
is_scoped_language (Dwarf_Die *unit)
{
  const int language = dwarf_srclang (unit);

  return language != DW_LANG_C89 && language != DW_LANG_C && language != DW_LANG_C99 && language != DW_LANG_C11;
}

GArray *
gilk_dwarf_inlined (GilkDwarf            *dwarf,
                    const GilkDwarfMatch *match,
                    gboolean             *more)
{
  Search search = { .dwarf = dwarf, .match = match, .locations = gilk_dwarf_locations_new () };

  gilk_dwarf_index (dwarf);
  for (guint i = 0; i < dwarf->units->len && !search.more; i++)
    {
      Dwarf_Die unit;

      search.budget = GILK_DWARF_ENTRIES_MAX;
      if (dwarf_offdie (dwarf->dwarf, g_array_index (dwarf->units, Dwarf_Off, i), &unit) == NULL)
        continue;
      search.is_scoped = is_scoped_language (&unit);
      if (has_function (&search, &unit, 0))
        search_children (&search, &unit, &unit, 0);
    }
  gilk_dwarf_locations_sort (search.locations);
  drop_duplicates (search.locations);
  *more = search.more;

  return search.locations;
}

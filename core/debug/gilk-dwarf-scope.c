/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-dwarf-scope.c - finds the scopes around an address, and the unit that defines code, a
 * variable or a type
 *
 * The search starts at the unit and descends, so that it follows the nesting of the compiled code;
 * the nesting in the source differs where functions are inlined.
 */
#include <string.h>

#include "core/debug/gilk-dwarf-private.h"

gboolean
gilk_dwarf_is_function (Dwarf_Die *die)
{
  const int tag = dwarf_tag (die);

  return tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine;
}

static gboolean
has_address (Dwarf_Die *die, uint64_t addr)
{
  switch (dwarf_tag (die))
    {
    case DW_TAG_subprogram:
    case DW_TAG_inlined_subroutine:
    case DW_TAG_lexical_block:
    case DW_TAG_try_block:
    case DW_TAG_catch_block:
    case DW_TAG_namespace:
      return dwarf_haspc (die, addr) > 0;
    default:
      return FALSE;
    }
}

/* Searches the children of the last scope for a scope that contains @addr, and appends it to the
 * scopes. */
static gboolean
step_down (GilkDwarfScopes *scopes, uint64_t addr, guint *budget)
{
  Dwarf_Die child;
  int found;

  if (scopes->n == GILK_DWARF_DEPTH)
    return FALSE;
  for (found = dwarf_child (&scopes->dies[scopes->n - 1], &child); found == 0 && *budget > 0;
       found = dwarf_siblingof (&child, &child))
    {
      --*budget;
      if (!has_address (&child, addr))
        continue;
      scopes->dies[scopes->n++] = child;
      return TRUE;
    }

  return FALSE;
}

gboolean
gilk_dwarf_scopes (GilkDwarf       *dwarf,
                   uint64_t         addr,
                   GilkDwarfScopes *scopes)
{
  guint budget = GILK_DWARF_ENTRIES_MAX;

  scopes->n = 0;
  if (dwarf->has_last && dwarf_haspc (&dwarf->last_function, addr) > 0)
    {
      scopes->dies[scopes->n++] = dwarf->last_unit;
      scopes->dies[scopes->n++] = dwarf->last_function;
    }
  else if (gilk_dwarf_unit_at (dwarf, addr, &scopes->dies[0]))
    scopes->n = 1;
  else
    return FALSE;
  while (step_down (scopes, addr, &budget))
    continue;
  dwarf->has_last = scopes->n > 1;
  if (dwarf->has_last)
    {
      dwarf->last_unit = scopes->dies[0];
      dwarf->last_function = scopes->dies[1];
    }

  return scopes->n > 1;
}

/* ---- paths of source files ---- */

/* Removes "./" and "x/../" from a path. */
static char *
simplify_path (const char *path)
{
  g_auto (GStrv) parts = g_strsplit (path, "/", -1);
  g_autoptr (GPtrArray) kept = g_ptr_array_new ();
  const gboolean absolute = *path == '/';
  g_autofree char *joined = NULL;

  for (guint i = 0; parts[i] != NULL; i++)
    {
      const char *last = kept->len > 0 ? g_ptr_array_index (kept, kept->len - 1) : NULL;

      if (*parts[i] == '\0' || strcmp (parts[i], ".") == 0)
        continue;
      if (strcmp (parts[i], "..") == 0 && last != NULL && strcmp (last, "..") != 0)
        g_ptr_array_set_size (kept, (gint) kept->len - 1);
      else
        g_ptr_array_add (kept, parts[i]);
    }
  g_ptr_array_add (kept, NULL);
  joined = g_strjoinv ("/", (char **) kept->pdata);

  return absolute ? g_strconcat ("/", joined, NULL) : g_steal_pointer (&joined);
}

/* Returns the rest of @path after a kernel's source or build directory, such as
 * ".../linux-6.1.192/" in ".../linux-6.1.192/fs/pipe.c". */
static const char *
skip_tree (const char *path)
{
  const char *best = path;

  for (const char *at = path; *path == '/' && (at = strstr (at, "/linux-")) != NULL; at++)
    {
      const char *end = strchr (at + 1, '/');

      if (end != NULL && end[1] != '\0')
        best = end + 1;
    }

  return best;
}

char *
gilk_dwarf_file (Dwarf_Die  *unit,
                 const char *path)
{
  Dwarf_Attribute attribute;
  const char *folder = dwarf_formstring (dwarf_attr (unit, DW_AT_comp_dir, &attribute));
  const gsize length = folder != NULL ? strlen (folder) : 0;
  g_autofree char *plain = NULL;

  if (length > 0 && strncmp (path, folder, length) == 0 && path[length] == '/')
    path += length + 1;
  plain = simplify_path (path);

  return g_strdup (skip_tree (plain));
}

/*
 * Finds the unit that defines an address's code, a variable or a type.
 *
 * Code is found by the units' address ranges. For variables and types, the outermost DIEs of all
 * units are read, which takes seconds for a kernel.
 */

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

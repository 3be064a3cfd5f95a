/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-dwarf-variables.c - finds the variables and arguments in scope at an address
 */
#include <string.h>

#include "core/debug/gilk-dwarf-private.h"

enum { VARIABLES_MAX = 4096 };

static void
clear_variable (gpointer data)
{
  GilkDwarfVariable *variable = data;

  g_free (variable->name);
  g_free (variable->function);
  g_free (variable->type.name);
}

/* Returns whether a variable of an inner scope has the same name. As in C, the inner variable hides
 * the outer one, even if a function was inlined into itself. */
static gboolean
is_hidden (const GArray *variables, const char *name)
{
  for (guint i = 0; i < variables->len; i++)
    if (strcmp (g_array_index (variables, GilkDwarfVariable, i).name, name) == 0)
      return TRUE;

  return FALSE;
}

static gboolean
is_declared_elsewhere (Dwarf_Die *die)
{
  Dwarf_Attribute attribute;
  bool is = false;

  return dwarf_formflag (dwarf_attr_integrate (die, DW_AT_declaration, &attribute), &is) == 0 && is;
}

static void
add_variable (GilkDwarf *dwarf, const GilkDwarfScopes *scopes, guint scope, Dwarf_Die *die, uint64_t addr, const char *function,
              GArray *variables)
{
  const char *name = dwarf_diename (die);
  GilkDwarfVariable variable = { .is_argument = dwarf_tag (die) == DW_TAG_formal_parameter, .depth = scopes->n - 1 - scope };

  if (name == NULL || !g_utf8_validate (name, -1, NULL) || is_hidden (variables, name) || is_declared_elsewhere (die))
    return;
  gilk_dwarf_type_of (die, &variable.type);
  gilk_dwarf_locate (dwarf, scopes, scope, die, addr, &variable);
  variable.name = g_strdup (name);
  variable.function = g_strdup (function);
  g_array_append_val (variables, variable);
}

/* Returns the name of the function that contains scope @i. */
static const char *
find_function (GilkDwarfScopes *scopes, guint i)
{
  const char *name;

  while (i > 0 && !gilk_dwarf_is_function (&scopes->dies[i]))
    i--;
  name = i > 0 ? dwarf_diename (&scopes->dies[i]) : NULL;

  return name != NULL && g_utf8_validate (name, -1, NULL) ? name : "";
}

GArray *
gilk_dwarf_variables (GilkDwarf *dwarf,
                      uint64_t   addr)
{
  GArray *variables = g_array_new (FALSE, FALSE, sizeof (GilkDwarfVariable));
  guint budget = GILK_DWARF_ENTRIES_MAX;
  GilkDwarfScopes scopes;

  g_array_set_clear_func (variables, clear_variable);
  addr -= dwarf->bias;
  if (!gilk_dwarf_scopes (dwarf, addr, &scopes))
    return variables;
  for (guint i = scopes.n; i-- > 1;)
    {
      const char *function = find_function (&scopes, i);
      Dwarf_Die die;

      for (int found = dwarf_child (&scopes.dies[i], &die);
           found == 0 && budget > 0 && variables->len < VARIABLES_MAX; found = dwarf_siblingof (&die, &die), budget--)
        if (dwarf_tag (&die) == DW_TAG_variable || dwarf_tag (&die) == DW_TAG_formal_parameter)
          add_variable (dwarf, &scopes, i, &die, addr, function, variables);
    }

  return variables;
}

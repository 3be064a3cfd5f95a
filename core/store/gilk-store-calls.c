/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-store-calls.c - a run's recorded indirect calls as edges of a kernel's call graph
 */
#include "core/store/gilk-store-calls.h"

#include <string.h>

#include "core/store/gilk-store-targets.h"

/* Finds a function by name. In the recorded boot @addr selects among functions of
 * the same name. */
static const GilkFunction *
find_function (GilkFunctions *functions, const char *name, const char *module, uint64_t addr)
{
  const GilkFunction *at = addr != 0 ? gilk_functions_at (functions, addr) : NULL;
  g_autofree char *whole = module != NULL ? g_strdup_printf ("%s [%s]", name, module) : g_strdup (name);

  if (g_str_has_prefix (name, "user:"))
    return NULL;
  if (at != NULL && at->hot.start == addr && strcmp (at->name, name) == 0)
    return at;

  return gilk_functions_lookup (functions, whole, NULL);
}

/* Returns the address of @place: "+0x41" or ".cold+0x3"; 0 for any other form. */
static uint64_t
parse_site (const GilkFunction *function, const char *place)
{
  const char *plus = place != NULL ? strchr (place, '+') : NULL;
  uint64_t start = plus == place ? function->hot.start : function->cold.start;

  return plus != NULL && start != 0 ? start + g_ascii_strtoull (plus + 1, NULL, 16) : 0;
}

GArray *
gilk_store_seen_calls (GilkStore     *store,
                       gint64         run,
                       GilkFunctions *functions,
                       GError       **error)
{
  g_autoptr(GArray) hooks = gilk_store_hooks (store, run, error);
  g_autoptr(GArray) targets = hooks != NULL ? gilk_store_targets (store, run, hooks, error) : NULL;
  g_autoptr(GArray) seen = g_array_new (FALSE, FALSE, sizeof (GilkIndirectCall));

  for (guint i = 0; targets != NULL && i < targets->len; i++)
    {
      const GilkStoredTarget *target = &g_array_index (targets, GilkStoredTarget, i);
      const GilkStoredHook *hook = &g_array_index (hooks, GilkStoredHook, target->hook);
      const GilkFunction *caller = find_function (functions, hook->function, hook->module, 0);
      const GilkFunction *callee = find_function (functions, target->name, target->module, target->address);

      if (caller != NULL && callee != NULL)
        {
          const GilkIndirectCall call = { caller, callee, parse_site (caller, hook->block), target->count };

          g_array_append_val (seen, call);
        }
    }

  return targets != NULL ? g_steal_pointer (&seen) : NULL;
}

GHashTable *
gilk_store_call_hits (GilkStore     *store,
                      gint64         run,
                      GilkFunctions *functions,
                      GError       **error)
{
  g_autoptr(GArray) hooks = gilk_store_hooks (store, run, error);
  g_autoptr(GHashTable) hits = gilk_call_hits_new ();

  for (guint i = 0; hooks != NULL && i < hooks->len; i++)
    {
      const GilkStoredHook *hook = &g_array_index (hooks, GilkStoredHook, i);
      const GilkFunction *function = hook->hits_known && hook->function != NULL
                                     ? find_function (functions, hook->function, hook->module, 0) : NULL;

      if (function != NULL)
        gilk_call_hits_add (hits, function, hook->block, hook->hits);
    }

  return hooks != NULL ? g_steal_pointer (&hits) : NULL;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-store-calls.c - reads the recorded targets of a run's indirect calls, also as edges of a
 * kernel's call graph
 */
#include "core/store/gilk-store-calls.h"

#include <string.h>

#include "core/store/gilk-store-program.h"

/* ---- targets ---- */

static void
clear_target (gpointer data)
{
  GilkStoredTarget *target = data;

  g_free (target->name);
  g_free (target->module);
}

static gboolean
is_of_targets (const GilkStoredMap *kept, GilkMapKind kind)
{
  return kept->kind == kind && strcmp (kept->name, GILK_TARGET_MAP) == 0 &&
         (kind == GILK_MAP_MISSED || g_strcmp0 (kept->meaning, GILK_MEANING_SYMBOL) == 0);
}

static int
compare_targets (gconstpointer one, gconstpointer other)
{
  const GilkStoredTarget *a = one, *b = other;

  if (a->hook != b->hook)
    return a->hook < b->hook ? -1 : 1;
  if (a->count != b->count)
    return a->count > b->count ? -1 : 1;

  return (a->address > b->address) - (a->address < b->address);
}

/* Adds targets. The values must be sorted by key, then CPU. */
static void
add_map_targets (GArray *targets, guint hook, const GilkStoredMap *map, const GilkStoredNames *names)
{
  for (guint i = 0; i < map->values->len;)
    {
      const GilkStoreValue *first = &g_array_index (map->values, GilkStoreValue, i);
      const GilkStoredAddress *found = gilk_stored_address (names, (uint64_t) first->key);
      GilkStoredTarget target = { .hook = hook, .address = (uint64_t) first->key };

      for (; i < map->values->len && g_array_index (map->values, GilkStoreValue, i).key == first->key; i++)
        target.count += (uint64_t) g_array_index (map->values, GilkStoreValue, i).value;
      target.name = gilk_stored_name (names, GILK_MEANING_SYMBOL, target.address);
      if (target.name == NULL)
        target.name = g_strdup_printf ("0x%" G_GINT64_MODIFIER "x", target.address);
      target.module = found != NULL ? g_strdup (found->module) : NULL;
      g_array_append_val (targets, target);
    }
}

GArray *
gilk_store_targets (GilkStore    *store,
                    gint64        run,
                    const GArray *hooks,
                    GError      **error)
{
  g_autoptr(GilkStoredNames) names = gilk_store_names (store, run, error);
  g_autoptr(GArray) targets = g_array_new (FALSE, FALSE, sizeof (GilkStoredTarget));

  g_array_set_clear_func (targets, clear_target);
  for (guint i = 0; names != NULL && i < hooks->len; i++)
    {
      g_autoptr(GArray) kept = gilk_store_maps (store, &g_array_index (hooks, GilkStoredHook, i), error);

      if (kept == NULL)
        return NULL;
      for (guint k = 0; k < kept->len; k++)
        if (is_of_targets (&g_array_index (kept, GilkStoredMap, k), GILK_MAP_HASH))
          add_map_targets (targets, i, &g_array_index (kept, GilkStoredMap, k), names);
    }
  g_array_sort (targets, compare_targets);

  return names != NULL ? g_steal_pointer (&targets) : NULL;
}

gboolean
gilk_store_targets_missed (GilkStore            *store,
                           const GilkStoredHook *hook,
                           uint64_t             *missed,
                           GError              **error)
{
  g_autoptr(GArray) kept = gilk_store_maps (store, hook, error);

  if (kept == NULL)
    return FALSE;
  *missed = 0;
  for (guint k = 0; k < kept->len; k++)
    {
      const GilkStoredMap *thing = &g_array_index (kept, GilkStoredMap, k);

      for (guint i = 0; is_of_targets (thing, GILK_MAP_MISSED) && i < thing->values->len; i++)
        *missed += (uint64_t) g_array_index (thing->values, GilkStoreValue, i).value;
    }

  return TRUE;
}

char *
gilk_stored_targets_text (const GArray *targets,
                          guint         hook)
{
  g_autoptr(GString) text = g_string_new (NULL);

  for (guint i = 0; i < targets->len; i++)
    {
      const GilkStoredTarget *target = &g_array_index (targets, GilkStoredTarget, i);

      if (target->hook == hook)
        g_string_append_printf (text, "%s%s %" G_GUINT64_FORMAT, text->len > 0 ? ", " : "", target->name,
                                (guint64) target->count);
    }

  return text->len > 0 ? g_string_free (g_steal_pointer (&text), FALSE) : NULL;
}

/* ---- edges of the call graph ---- */

/* Finds a function by name. If the kernel has not been rebooted since the recording, @addr selects
 * among functions of the same name. */
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

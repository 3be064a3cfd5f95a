/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-store-graph.c - reads a run's hooked functions as recorded: blocks, edges, disassembly,
 * and targets of indirect calls
 *
 * Checks the values of each row; callers check whether blocks and edges form a graph.
 */
#include "core/store/gilk-store-calls.h"

#include <string.h>

#include "core/base/gilk-array.h"
#include "core/base/gilk-memory.h"
#include "core/store/gilk-sql.h"
#include "core/store/gilk-store-program.h"

GILK_DEFINE_CLEAR (clear_function, GilkStoredFunction, function,
                   gilk_free_all (function->name, function->module))

GILK_DEFINE_CLEAR (clear_block, GilkStoredBlock, block, gilk_free_all (block->name, block->text))

GArray *
gilk_store_functions (GilkStore *store,
                      gint64     run,
                      GError   **error)
{
  g_autoptr(GError) local = NULL;
  GILK_AUTO_STMT stmt = gilk_sql_prepare (store, &local,
    "SELECT f.id, f.name, f.module, f.entry, count (b.position) "
    "FROM function f LEFT JOIN block b ON b.function = f.id WHERE f.run = ? "
    "GROUP BY f.id ORDER BY f.id", "i", run);
  g_autoptr(GArray) functions = gilk_array_new (sizeof (GilkStoredFunction), clear_function);

  while (gilk_sql_next (store, stmt, &local))
    {
      GilkStoredFunction function = { .run = run };

      if (gilk_sql_row (store, stmt, &local, "isSau", &function.id, &function.name,
                        &function.module, &function.entry, &function.n_blocks))
        g_array_append_val (functions, function);
    }

  return gilk_check_end (&local, error) ? g_steal_pointer (&functions) : NULL;
}

static GArray *
read_blocks (GilkStore *store, gint64 function, GError **error)
{
  g_autoptr(GError) local = NULL;
  GILK_AUTO_STMT stmt = gilk_sql_prepare (store, &local,
    "SELECT name, start, end, cold, text FROM block WHERE function = ? ORDER BY position",
    "i", function);
  g_autoptr(GArray) blocks = gilk_array_new (sizeof (GilkStoredBlock), clear_block);

  while (gilk_sql_next (store, stmt, &local))
    {
      GilkStoredBlock block = { NULL };

      if (gilk_sql_row (store, stmt, &local, "saaft", &block.name, &block.start, &block.end,
                        &block.cold, &block.text))
        g_array_append_val (blocks, block);
    }

  return gilk_check_end (&local, error) ? g_steal_pointer (&blocks) : NULL;
}

static GArray *
read_edges (GilkStore *store, gint64 function, GError **error)
{
  g_autoptr(GError) local = NULL;
  GILK_AUTO_STMT stmt = gilk_sql_prepare (store, &local,
    "SELECT from_block, to_block, kind, back FROM edge WHERE function = ? ORDER BY position",
    "i", function);
  g_autoptr(GArray) edges = g_array_new (FALSE, TRUE, sizeof (GilkStoreEdge));

  while (gilk_sql_next (store, stmt, &local))
    {
      GilkStoreEdge edge;
      guint kind;

      if (!gilk_sql_row (store, stmt, &local, "uuuf", &edge.from, &edge.to, &kind, &edge.back))
        break;
      edge.kind = (uint8_t) MIN (kind, G_MAXUINT8);      /* edge kinds that do not fit into 8 bits
                                                          * become G_MAXUINT8, which is an invalid
                                                          * kind, too */
      g_array_append_val (edges, edge);
    }

  return gilk_check_end (&local, error) ? g_steal_pointer (&edges) : NULL;
}

gboolean
gilk_store_function (GilkStore                *store,
                     const GilkStoredFunction *function,
                     GArray                  **blocks,
                     GArray                  **edges,
                     GError                  **error)
{
  g_autoptr(GArray) b = read_blocks (store, function->id, error);
  g_autoptr(GArray) e = b != NULL ? read_edges (store, function->id, error) : NULL;

  if (e == NULL)
    return FALSE;
  *blocks = g_steal_pointer (&b);
  *edges = g_steal_pointer (&e);

  return TRUE;
}

/*
 * Reads the recorded targets of a run's indirect calls, also as edges of a kernel's call graph.
 */

/* ---- targets ---- */

GILK_DEFINE_CLEAR (clear_target, GilkStoredTarget, target,
                   gilk_free_all (target->name, target->module))

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

  return GILK_ORDER (a->hook, b->hook) ?: GILK_ORDER (b->count, a->count) ?:
         GILK_ORDER (a->address, b->address);
}

/* Adds the functions that a hook's map of call targets counts. The values in the map must be sorted
 * by key, then CPU. */
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
  g_autoptr(GArray) targets = gilk_array_new (sizeof (GilkStoredTarget), clear_target);

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

/* ---- reads recorded calls as edges of the call graph ---- */

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

/* Returns the address of @place, an offset in the function such as "+0x41" or ".cold+0x3"; 0 if
 * @place has another form. */
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

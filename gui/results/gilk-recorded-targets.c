/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-recorded-targets.c - targets of a recorded function's indirect calls, as notes
 */
#include "gui/results/gilk-recorded-targets.h"

#include <string.h>

#include "core/store/gilk-store-calls.h"

typedef struct {
  uint64_t addr;
  guint    hook;
} Site;

static int
compare_sites (gconstpointer a, gconstpointer b)
{
  const Site *one = a, *other = b;

  return (one->addr > other->addr) - (one->addr < other->addr);
}

/* Matches "call *%rax" and "jmp __x86_indirect_thunk_r11". */
static gboolean
is_indirect (const char *line)
{
  const char *space = strchr (line, ' ');

  return space != NULL && (g_str_has_prefix (line, "call") || g_str_has_prefix (line, "jmp")) &&
         (space[1] == '*' || g_str_has_prefix (space + 1, "__x86_indirect_"));
}

/* Returns the hooks in front of instructions of the block, sorted by address. */
static GArray *
find_sites (const GArray *hooks, const GilkStoredFunction *function, const GilkStoredBlock *block)
{
  GArray *sites = g_array_new (FALSE, FALSE, sizeof (Site));

  for (guint i = 0; i < hooks->len; i++)
    {
      const GilkStoredHook *hook = &g_array_index (hooks, GilkStoredHook, i);
      const Site site = { hook->addr, i };

      if (g_strcmp0 (hook->where, "at") == 0 && hook->addr >= block->start && hook->addr < block->end &&
          g_strcmp0 (hook->function, function->name) == 0 && g_strcmp0 (hook->module, function->module) == 0)
        g_array_append_val (sites, site);
    }
  g_array_sort (sites, compare_sites);

  return sites;
}

static guint
count_indirect (char **lines)
{
  guint n = 0;

  for (; *lines != NULL; lines++)
    n += is_indirect (*lines);

  return n;
}

static void
add_notes (GPtrArray *notes, const GilkStoredBlock *block, const GArray *sites, const GArray *targets)
{
  g_auto(GStrv) lines = g_strsplit (block->text != NULL ? block->text : "", "\n", -1);
  gboolean in_order = count_indirect (lines) == sites->len;
  guint at = 0;

  for (guint i = 0; lines[i] != NULL; i++)
    {
      gboolean here = at < sites->len && (in_order ? is_indirect (lines[i]) : lines[i + 1] == NULL);

      g_ptr_array_add (notes, here ? gilk_stored_targets_text (targets, g_array_index (sites, Site, at).hook) : NULL);
      at += here;
    }
}

GPtrArray *
gilk_recorded_targets (GilkStore                *store,
                       gint64                    run,
                       const GilkStoredFunction *function,
                       const GArray             *blocks,
                       GError                  **error)
{
  g_autoptr(GArray) hooks = gilk_store_hooks (store, run, error);
  g_autoptr(GArray) targets = hooks != NULL ? gilk_store_targets (store, run, hooks, error) : NULL;
  g_autoptr(GPtrArray) notes = g_ptr_array_new_with_free_func (g_free);

  if (targets == NULL)
    return NULL;
  for (guint i = 0; i < blocks->len; i++)
    {
      const GilkStoredBlock *block = &g_array_index (blocks, GilkStoredBlock, i);
      g_autoptr(GArray) sites = find_sites (hooks, function, block);

      add_notes (notes, block, sites, targets);
    }

  return g_steal_pointer (&notes);
}

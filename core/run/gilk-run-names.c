/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-run-names.c - stores the stacks of a run and the symbols of its addresses when the run ends
 *
 * The driver keeps each distinct stack once, in an area that is read here (ilk/ilk-abi-services.h).
 * An address in a hook's own code is replaced by the text address that leads there: the site of a
 * patch, or the start of a cloned function.
 */
#include <string.h>

#include "core/run/gilk-run-private.h"
#include "core/store/gilk-store-names.h"
#include "core/store/gilk-store-program.h"

/* Code of a hook, which runs in place of the code at @site. @end is exclusive. */
typedef struct {
  uint64_t begin, end, site;
} Slot;

/* ---- reading ---- */

/* Finds the first row with stacks, which all rows share. FALSE: no program takes stacks */
static gboolean
find_stacks (const GilkRun *run, guint *row, const GilkArmedArea **area)
{
  for (*row = 0; *row < run->armed.n_hooks; ++*row)
    {
      const GilkArmedProgram *program = &run->armed.programs[*row];

      for (guint a = 0; a < program->n_areas; a++)
        if (program->areas[a].is_stacks && !program->areas[a].is_repeated)
          {
            *area = &program->areas[a];
            return TRUE;
          }
    }

  return FALSE;
}

static void
list_patch_slots (const GilkArmed *armed, GArray *slots)
{
  for (guint i = 0; i < armed->n_items; i++)
    for (guint k = 0; k < armed->n_patches; k++)
      if (armed->reserved_patches[k].id == armed->patches[i].id && armed->patches[i].code_len > 0)
        {
          const uint64_t begin = armed->reserved_patches[k].slot;
          const Slot slot = { begin, begin + armed->patches[i].code_len, armed->patches[i].site };

          g_array_append_val (slots, slot);
          break;
        }
}

/* Lists the slots of all patches that were ever live. Slots may have been reused, so the latest
 * ones come first. */
static GArray *
list_slots (const GilkRun *run)
{
  GArray *slots = g_array_new (FALSE, FALSE, sizeof (Slot));

  if (run->current != NULL)
    list_patch_slots (&run->current->armed, slots);
  for (guint i = run->past->len; i-- > 0;)
    list_patch_slots (&((GilkLivePlan *) g_ptr_array_index (run->past, i))->armed, slots);
  list_patch_slots (&run->armed, slots);

  return slots;
}

gboolean
gilk_run_read_stacks (GilkRun *run,
                      GError **error)
{
  const GilkArmedArea *area;
  guint row;

  gilk_run_assert_own (run);
  if (!find_stacks (run, &row, &area))
    return TRUE;
  run->slots = list_slots (run);
  run->stacks = gilk_target_memory_read (run->target, &(struct ilk_memory_read) {
                                           .id = area->given.id, .bytes = area->given.bytes,
                                         }, 1, NULL, error);
  if (run->stacks == NULL)
    gilk_run_note_target_loss (run, *error);

  return run->stacks != NULL;
}

/* ---- writing, with the store locked ---- */

gboolean
gilk_run_store_address (GilkRun *run,
                        uint64_t address,
                        gboolean returns,
                        GError **error)
{
  GilkSymbols *symbols = gilk_image_symbols (run->image);
  /* A return address may be the start of the next function, after a call that never returns. */
  const GilkSymbol *symbol = gilk_symbols_covering (symbols, address - (returns ? 1 : 0));

  if (symbol != NULL)
    gilk_run_store_line (run, address, returns);

  return symbol == NULL ||
         gilk_store_add_address (run->store, run->run, address, symbol->name, address - symbol->addr,
                                 gilk_symbols_module (symbols, symbol->module), error);
}

static uint64_t
find_site (const GilkRun *run, uint64_t address)
{
  for (guint i = 0; i < run->slots->len; i++)
    {
      const Slot *slot = &g_array_index (run->slots, Slot, i);

      if (address >= slot->begin && address < slot->end)
        return slot->site;
    }

  return address;
}

static gboolean
store_stack (GilkRun *run, uint64_t id, const uint64_t *addresses, guint n, GError **error)
{
  uint64_t places[ILK_STACK_DEPTH];

  for (guint i = 0; i < n; i++)
    {
      places[i] = find_site (run, addresses[i]);
      if (!gilk_run_store_address (run, places[i], places[i] == addresses[i], error))
        return FALSE;
    }

  return gilk_store_add_stack (run->store, run->run, id, places, n, error);
}

/* Stores how many stacks found no room. */
static gboolean
store_missed (GilkRun *run, guint row, uint64_t missed, GError **error)
{
  const GilkStoreValue value = { .key = 0, .cpu = G_MAXUINT, .value = (gint64) missed };
  guint n_maps;
  const GilkProgramMap *maps = gilk_program_maps (g_array_index (run->bound->hooks, GilkBoundHook, row).program, &n_maps);

  for (guint i = 0; i < n_maps; i++)
    if (maps[i].kind == GILK_MAP_STACKS && missed != 0)
      return gilk_store_put_map (run->store, run->armed.programs[row].row, maps[i].name, GILK_MAP_MISSED, &value, 1,
                                 error);

  return TRUE;
}

gboolean
gilk_run_store_names (GilkRun *run,
                      GError **error)
{
  const uint64_t *words = run->stacks != NULL ? (const uint64_t *) run->stacks->data : NULL;
  const GilkArmedArea *area;
  guint row;

  gilk_run_assert_own (run);
  if (words == NULL || !find_stacks (run, &row, &area))
    return TRUE;
  for (guint entry = 1; entry < run->stacks->len / (8 * ILK_STACK_WORDS); entry++)
    {
      const uint64_t *at = words + entry * ILK_STACK_WORDS;

      if (at[0] != 0 && at[1] > 0 && at[1] <= ILK_STACK_DEPTH &&
          !store_stack (run, entry, at + 2, (guint) at[1], error))
        return FALSE;
    }

  return store_missed (run, row, words[0], error);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-run-names.c - reads a run's stacks and, at the run's end, names addresses and values
 *
 * The driver keeps each distinct stack once, in an area that is read here (ilk/ilk-abi-services.h).
 * An address in a hook's own code is replaced by the text address that leads there: the site of a
 * patch, or the start of a cloned function.
 *
 * Source lines are stored because the debug data are on the client: when the session is read, they
 * may be missing or belong to another kernel. Sample fields and map keys with a meaning
 * (data/schema.sql, "Meanings") are read back from the session, and the values that occur are
 * named, so that a session has all the names it needs and no others.
 */
#include "core/run/gilk-run-metadata.h"

#include <string.h>

#include "core/samples/gilk-samples.h"
#include "core/store/gilk-store-names.h"
#include "core/store/gilk-store-program.h"

#define LOCATIONS_MAX (1u << 14)       /* maximum number of lookups of source lines per run: lookups
                                        * are slow */
#define VALUES_MAX (1u << 16)          /* maximum number of values that get names, per meaning */
#define TEXT_FROM  0xffffffff80000000u /* no symbol has a lower address */

/* A range of a hook's code, which runs instead of the code at @site. @end is excluded. */
typedef struct {
  uint64_t begin, end, site;
} Slot;

void
gilk_run_names_clear (GilkRunNames *names)
{
  g_clear_pointer (&names->stacks, g_byte_array_unref);
  g_clear_pointer (&names->slots, g_array_unref);
}

/* ---- reading stacks ---- */

/* Gets the memory area for stack traces, which all programs share, and the first row whose program
 * has it. Returns FALSE if no program takes stack traces. */
static gboolean
find_stacks (const GilkRunNames *names, guint *row, const GilkArmedArea **area)
{
  for (*row = 0; *row < names->rows->n; ++*row)
    {
      const GilkArmedProgram *program = &names->rows->programs[*row];

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

/* Lists the ranges of hooks' code (slots) in all plans, the latest plan first, because slots may
 * have been reused. */
static GArray *
list_slots (const GPtrArray *armed)
{
  GArray *slots = g_array_new (FALSE, FALSE, sizeof (Slot));

  for (guint i = 0; i < armed->len; i++)
    list_patch_slots (g_ptr_array_index (armed, i), slots);

  return slots;
}

gboolean
gilk_run_names_read (GilkRunNames    *names,
                     const GPtrArray *armed,
                     GError         **error)
{
  const GilkArmedArea *area;
  guint row;

  gilk_run_session_assert_own (names->session);
  if (!find_stacks (names, &row, &area))
    return TRUE;
  names->slots = list_slots (armed);
  names->stacks = gilk_target_memory_read (names->target, &(struct ilk_memory_read) {
                                           .id = area->given.id, .bytes = area->given.bytes,
                                         }, 1, NULL, error);

  return names->stacks != NULL;
}

/* ---- lines and symbols ---- */

void
gilk_run_names_store_line (GilkRunNames *names,
                           uint64_t      address,
                           gboolean      returns)
{
  g_autoptr(GArray) found = NULL;
  GilkStoreLine lines[GILK_LINES_DEEP];
  guint n = 0;

  if (names->n_lines >= LOCATIONS_MAX)
    return;
  found = gilk_debug_lines (gilk_image_debug (names->image), address - (returns ? 1 : 0), NULL, NULL);
  names->n_lines++;
  for (guint i = 0; found != NULL && i < MIN (found->len, GILK_LINES_DEEP); i++)
    {
      const GilkDwarfLine *line = &g_array_index (found, GilkDwarfLine, i);

      if (line->file == NULL || line->line == 0)
        break;
      lines[n++] = (GilkStoreLine) { line->function, line->file, line->line };
    }
  gilk_store_add_lines (names->session->store, names->session->run, address, lines, n, NULL);
}

void
gilk_run_names_store_lines (GilkRunNames *names)
{
  g_autoptr(GArray) hooks = gilk_store_hooks (names->session->store, names->session->run, NULL);

  for (guint i = 0; hooks != NULL && i < hooks->len; i++)
    gilk_run_names_store_line (names, g_array_index (hooks, GilkStoredHook, i).addr, FALSE);
}

/* Stores the symbol of @address, if there is one, and its source lines. @returns: @address is a
 * return address */
static gboolean
store_address (GilkRunNames *names, uint64_t address, gboolean returns, GError **error)
{
  GilkSymbols *symbols = gilk_image_symbols (names->image);
  /* The return address of a call that never returns may be the start of the next function, so look
   * up the byte before it. */
  const GilkSymbol *symbol = gilk_symbols_covering (symbols, address - (returns ? 1 : 0));

  if (symbol != NULL)
    gilk_run_names_store_line (names, address, returns);

  return symbol == NULL ||
         gilk_store_add_address (names->session->store, names->session->run, address, symbol->name, address - symbol->addr,
                                 gilk_symbols_module (symbols, symbol->module), error);
}

/* ---- stacks ---- */

static uint64_t
find_site (const GilkRunNames *names, uint64_t address)
{
  for (guint i = 0; i < names->slots->len; i++)
    {
      const Slot *slot = &g_array_index (names->slots, Slot, i);

      if (address >= slot->begin && address < slot->end)
        return slot->site;
    }

  return address;
}

static gboolean
store_stack (GilkRunNames *names, uint64_t id, const uint64_t *addresses, guint n, GError **error)
{
  uint64_t places[ILK_STACK_DEPTH];

  for (guint i = 0; i < n; i++)
    {
      places[i] = find_site (names, addresses[i]);
      if (!store_address (names, places[i], places[i] == addresses[i], error))
        return FALSE;
    }

  return gilk_store_add_stack (names->session->store, names->session->run, id, places, n, error);
}

/* Stores how many stack traces were not recorded because the memory area for them was full. */
static gboolean
store_missed (GilkRunNames *names, guint row, uint64_t missed, GError **error)
{
  const GilkStoreValue value = { .key = 0, .cpu = G_MAXUINT, .value = (gint64) missed };
  guint n_maps;
  const GilkProgramMap *maps = gilk_program_maps (gilk_bound_hook (names->rows->bound, row)->program, &n_maps);

  for (guint i = 0; i < n_maps; i++)
    if (maps[i].kind == GILK_MAP_STACKS && missed != 0)
      return gilk_store_put_map (names->session->store, names->rows->programs[row].row, maps[i].name, GILK_MAP_MISSED, &value, 1,
                                 error);

  return TRUE;
}

static gboolean
store_stacks (GilkRunNames *names, GError **error)
{
  const uint64_t *words = names->stacks != NULL ? (const uint64_t *) names->stacks->data : NULL;
  const GilkArmedArea *area;
  guint row;

  gilk_run_session_assert_own (names->session);
  if (words == NULL || !find_stacks (names, &row, &area))
    return TRUE;
  for (guint entry = 1; entry < names->stacks->len / (8 * ILK_STACK_WORDS); entry++)
    {
      const uint64_t *at = words + entry * ILK_STACK_WORDS;

      if (at[0] != 0 && at[1] > 0 && at[1] <= ILK_STACK_DEPTH &&
          !store_stack (names, entry, at + 2, (guint) at[1], error))
        return FALSE;
    }

  return store_missed (names, row, words[0], error);
}

/* ---- collects values that need names, and names them ---- */

typedef struct {
  GilkRunNames *names;
  GArray     *hooks;                   /* GilkStoredHook */
  GHashTable *values;                  /* meaning -> set of values to name (gint64) */
  GHashTable *programs;                /* meaning -> GilkProgram that defines the enum (unowned) */
} Values;

static const GilkStoredHook *
hook_at (const Values *found, guint i)
{
  return &g_array_index (found->hooks, GilkStoredHook, i);
}

static gboolean
is_enum (const char *meaning)
{
  return meaning != NULL && g_str_has_prefix (meaning, GILK_MEANING_ENUM);
}

/* Returns whether values with this meaning need names: error numbers do not, and stacks are named
 * by their symbols. */
static gboolean
needs_name (const char *meaning)
{
  return meaning != NULL && (strcmp (meaning, GILK_MEANING_SYMBOL) == 0 || is_enum (meaning));
}

static void
add_value (Values *found, const char *meaning, gint64 value)
{
  GHashTable *set;
  gint64 *key;

  if (!is_enum (meaning) && (uint64_t) value < TEXT_FROM)
    return;
  set = g_hash_table_lookup (found->values, meaning);
  if (set == NULL)
    {
      set = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
      g_hash_table_insert (found->values, g_strdup (meaning), set);
    }
  if (g_hash_table_size (set) >= VALUES_MAX || g_hash_table_contains (set, &value))
    return;
  key = g_new (gint64, 1);
  *key = value;
  g_hash_table_add (set, key);
}

/* ---- recorded values ---- */

static const GilkProgram *
program_of (const Values *found, gint64 hook)
{
  for (guint row = 0; row < found->names->rows->n; row++)
    if (found->names->rows->programs[row].row == hook)
      return gilk_bound_hook (found->names->rows->bound, row)->program;

  return NULL;
}

static void
add_program (Values *found, const char *meaning, const GilkStoredHook *hook)
{
  const GilkProgram *program = is_enum (meaning) ? program_of (found, hook->id) : NULL;

  if (program != NULL && !g_hash_table_contains (found->programs, meaning))
    g_hash_table_insert (found->programs, g_strdup (meaning), (gpointer) program);
}

static gboolean
collect_keys (Values *found, const GilkStoredHook *hook, GError **error)
{
  g_autoptr(GArray) maps = gilk_store_maps (found->names->session->store, hook, error);

  if (maps == NULL)
    return FALSE;
  for (guint i = 0; i < maps->len; i++)
    {
      const GilkStoredMap *map = &g_array_index (maps, GilkStoredMap, i);

      if (!needs_name (map->meaning))
        continue;
      add_program (found, map->meaning, hook);
      for (guint v = 0; v < map->values->len; v++)
        add_value (found, map->meaning, g_array_index (map->values, GilkStoreValue, v).key);
    }

  return TRUE;
}

static gboolean
collect_field (Values *found, const GilkStoredHook *hook, const GilkStoredField *field, GError **error)
{
  g_autoptr(GilkSamples) samples = gilk_samples_new (found->names->session->store, hook, 1, error);
  g_autoptr(GError) local = NULL;
  GilkSampleBlock block;
  guint number, type;

  if (samples == NULL)
    return FALSE;
  gilk_samples_values_only (samples);
  if (!gilk_samples_add_field (samples, field->name, &number, &type, error))
    return FALSE;
  add_program (found, field->meaning, hook);
  while (gilk_samples_next (samples, &block, &local))
    for (guint i = 0; i < block.n; i++)
      if (block.missing == NULL || block.missing[number] == NULL || !block.missing[number][i])
        add_value (found, field->meaning, block.values[number][i]);
  if (local == NULL)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&local));

  return FALSE;
}

static gboolean
collect_samples (Values *found, const GilkStoredHook *hook, GError **error)
{
  g_autoptr(GArray) fields = gilk_store_fields (found->names->session->store, found->names->session->run, hook->instrument, error);

  for (guint i = 0; fields != NULL && i < fields->len; i++)
    {
      const GilkStoredField *field = &g_array_index (fields, GilkStoredField, i);

      if (needs_name (field->meaning) && !collect_field (found, hook, field, error))
        return FALSE;
    }

  return fields != NULL;
}

/* ---- names ---- */

static gboolean
write_address (Values *found, gint64 value, GError **error)
{
  return store_address (found->names, (uint64_t) value, FALSE, error);
}

static gboolean
write_constant (Values *found, const char *meaning, gint64 value, GError **error)
{
  const GilkProgram *program = g_hash_table_lookup (found->programs, meaning);
  g_autofree char *name = program != NULL ? gilk_program_constant (program, meaning, value) : NULL;

  return name == NULL ||
         gilk_store_add_value_name (found->names->session->store, found->names->session->run, meaning, value, name, error);
}

static gboolean
write_values (Values *found, const char *meaning, GHashTable *set, GError **error)
{
  GHashTableIter iter;
  gpointer value;

  g_hash_table_iter_init (&iter, set);
  while (g_hash_table_iter_next (&iter, &value, NULL))
    if (is_enum (meaning) ? !write_constant (found, meaning, *(gint64 *) value, error)
                          : !write_address (found, *(gint64 *) value, error))
      return FALSE;

  return TRUE;
}

static gboolean
store_values (GilkRunNames *names, GError **error)
{
  g_autoptr(GArray) hooks = gilk_store_hooks (names->session->store, names->session->run, error);
  g_autoptr(GHashTable) values = g_hash_table_new_full (g_str_hash, g_str_equal, g_free,
                                                        (GDestroyNotify) g_hash_table_unref);
  g_autoptr(GHashTable) programs = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  Values all = { names, hooks, values, programs };
  GHashTableIter iter;
  gpointer meaning, set;

  for (guint i = 0; hooks != NULL && i < hooks->len; i++)
    if (!collect_keys (&all, hook_at (&all, i), error) || !collect_samples (&all, hook_at (&all, i), error))
      return FALSE;
  g_hash_table_iter_init (&iter, values);
  while (hooks != NULL && g_hash_table_iter_next (&iter, &meaning, &set))
    if (!write_values (&all, meaning, set, error))
      return FALSE;

  return hooks != NULL;
}

/* ---- all names ---- */

gboolean
gilk_run_names_store (GilkRunNames *names, GError **error)
{
  return store_stacks (names, error) && store_values (names, error);
}

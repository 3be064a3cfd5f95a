/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-run-maps.c - reads the memory areas of programs, and stores the maps in them
 *
 * Areas are read as a whole. A hook's areas are written only if one of them has changed.
 */
#include "core/run/gilk-run-metadata.h"

#include <string.h>

#include "core/store/gilk-store-names.h"
#include "core/store/gilk-store-program.h"

void
gilk_run_maps_clear (GilkRunMaps *maps)
{
  g_clear_pointer (&maps->read, g_byte_array_unref);
  g_clear_pointer (&maps->stored, g_byte_array_unref);
  g_clear_pointer (&maps->texts, g_hash_table_unref);
}

static const GilkProgram *
program_of (const GilkRunMaps *maps, guint row)
{
  return gilk_bound_hook (maps->rows->bound, row)->program;
}

/* Returns how many copies of a program's memory area must be read: one per CPU, one, or none. */
static guint
count_copies (const GilkRunMaps *maps, const GilkArmedArea *area)
{
  if (area->is_repeated || area->is_stacks)
    return 0;

  return area->given.flags & ILK_AREA_PER_CPU ? maps->rows->n_cpus : 1;
}

/* ---- reading ---- */

static GArray *
list_reads (const GilkRunMaps *maps)
{
  GArray *reads = g_array_new (FALSE, TRUE, sizeof (struct ilk_memory_read));

  for (guint row = 0; row < maps->rows->n; row++)
    for (guint a = 0; a < maps->rows->programs[row].n_areas; a++)
      {
        const GilkArmedArea *area = &maps->rows->programs[row].areas[a];

        for (guint cpu = 0; cpu < count_copies (maps, area); cpu++)
          {
            const struct ilk_memory_read read = { .id = area->given.id, .cpu = cpu, .bytes = area->given.bytes };

            g_array_append_val (reads, read);
          }
      }

  return reads;
}

gboolean
gilk_run_maps_read (GilkRunMaps *maps, GError **error)
{
  g_autoptr(GArray) reads = list_reads (maps);
  GByteArray *bytes;

  gilk_run_session_assert_own (maps->session);
  if (reads->len == 0)
    return TRUE;
  bytes = gilk_target_memory_read (maps->target, (const struct ilk_memory_read *) reads->data, reads->len, NULL, error);
  if (bytes == NULL)
    return FALSE;
  g_clear_pointer (&maps->read, g_byte_array_unref);
  maps->read = bytes;

  return TRUE;
}

/* ---- values ---- */

/* A CPU's copy of a program's memory area, or the copy that all CPUs share. */
typedef struct {
  const uint64_t *words;
  guint           cpu;          /* number of the CPU; G_MAXUINT: shared by all CPUs */
} Copy;

static void
add_value (GArray *values, const Copy *copy, int64_t key, uint64_t value)
{
  const GilkStoreValue one = { .key = key, .cpu = copy->cpu, .value = (gint64) value };

  if (value != 0)
    g_array_append_val (values, one);
}

static void
add_map (GArray *values, const Copy *copy, guint slots)
{
  const uint64_t *state = copy->words, *keys = state + slots, *sums = keys + slots;

  for (guint slot = 0; slot < slots; slot++)
    if (state[slot] == GILK_OPS_SLOT_TAKEN)
      add_value (values, copy, (int64_t) keys[slot], sums[slot]);
}

static void
add_values (GArray *values, const Copy *copy, const GilkProgramMap *map)
{
  switch (map->kind)
    {
    case GILK_MAP_HISTOGRAM:
      for (guint bucket = 0; bucket < gilk_ops_buckets (map->bits); bucket++)
        add_value (values, copy, bucket, copy->words[map->element + bucket]);
      break;
    case GILK_MAP_HASH:
      add_map (values, copy, map->slots);
      break;
    case GILK_MAP_GLOBAL:
    case GILK_MAP_COUNTER:
    case GILK_MAP_BAD:
    case GILK_MAP_MISSED:
    case GILK_MAP_HIDDEN:
    case GILK_MAP_STACKS:
    default:
      add_value (values, copy, 0, copy->words[map->element] + (uint64_t) map->initial);
    }
}

/* Returns the copies of a map of the hook in row @row. @words: contents of the program's memory
 * areas, in order; a per-CPU area has a copy for each CPU */
static GArray *
list_copies (const GilkRunMaps *maps, guint row, const GilkProgramMap *map, const uint64_t *words)
{
  const GilkArmedProgram *program = &maps->rows->programs[row];
  GArray *copies = g_array_new (FALSE, FALSE, sizeof (Copy));

  for (guint a = 0; a < map->area; a++)
    words += count_copies (maps, &program->areas[a]) * program->areas[a].given.bytes / sizeof *words;
  for (guint cpu = 0; cpu < count_copies (maps, &program->areas[map->area]); cpu++)
    {
      const Copy copy = {
        words + cpu * program->areas[map->area].given.bytes / sizeof *words,
        program->areas[map->area].given.flags & ILK_AREA_PER_CPU ? cpu : G_MAXUINT,
      };

      g_array_append_val (copies, copy);
    }

  return copies;
}

/* Returns the values of a map of the hook in row @row. @words: as for list_copies() */
static GArray *
collect_values (const GilkRunMaps *maps, guint row, const GilkProgramMap *map, const uint64_t *words)
{
  g_autoptr(GArray) copies = list_copies (maps, row, map, words);
  GArray *values = g_array_new (FALSE, FALSE, sizeof (GilkStoreValue));

  for (guint i = 0; i < copies->len; i++)
    add_values (values, &g_array_index (copies, Copy, i), map);

  return values;
}

/* ---- texts of keys ---- */

/* Maximum number of texts that a run stores: the keys of a table come and go. */
enum { TEXTS_MAX = 1 << 17 };

/* Stores the text of the key in @slot as the key's name, once. The driver or BPF writes keys and texts while they are read, so a
 * text that is not the key's is left for the next time. */
static gboolean
store_text (GilkRunMaps *maps, const GilkProgramMap *map, const uint64_t *words, guint slot, GError **error)
{
  const int64_t key = (int64_t) words[map->slots + slot];
  uint64_t text[GILK_TEXT_WORDS + 1] = { 0 };
  g_autofree char *valid = NULL;

  if (words[slot] != GILK_OPS_SLOT_TAKEN || g_hash_table_size (maps->texts) >= TEXTS_MAX || g_hash_table_contains (maps->texts, &key))
    return TRUE;
  for (guint i = 0; i < map->words; i++)
    text[i] = words[gilk_map_text_first (map, i) + slot];
  if (gilk_map_text_key (text, map->words) != key)
    return TRUE;
  g_hash_table_add (maps->texts, g_memdup2 (&key, sizeof key));
  valid = g_utf8_make_valid ((const char *) text, -1);

  return gilk_store_add_value_name (maps->session->store, maps->session->run, GILK_MEANING_TEXT, key, valid, error);
}

/* Stores the texts of a map's keys. @words: as for list_copies() */
static gboolean
store_texts (GilkRunMaps *maps, guint row, const GilkProgramMap *map, const uint64_t *words, GError **error)
{
  g_autoptr(GArray) copies = list_copies (maps, row, map, words);

  if (maps->texts == NULL)
    maps->texts = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  for (guint i = 0; i < copies->len; i++)
    for (guint slot = 0; slot < map->slots; slot++)
      if (!store_text (maps, map, g_array_index (copies, Copy, i).words, slot, error))
        return FALSE;

  return TRUE;
}

/* ---- storing ---- */

static gsize
row_bytes (const GilkRunMaps *maps, guint row)
{
  const GilkArmedProgram *program = &maps->rows->programs[row];
  gsize bytes = 0;

  for (guint a = 0; a < program->n_areas; a++)
    bytes += (gsize) count_copies (maps, &program->areas[a]) * program->areas[a].given.bytes;

  return bytes;
}

static gboolean
store_row (GilkRunMaps *maps, guint row, const uint8_t *bytes, GError **error)
{
  gboolean good = TRUE;
  guint n_maps;
  const GilkProgramMap *map = gilk_program_maps (program_of (maps, row), &n_maps);

  gilk_run_session_lock (maps->session);
  for (guint i = 0; good && i < n_maps; i++)
    {
      g_autoptr(GArray) values = NULL;

      if (map[i].kind == GILK_MAP_HIDDEN || count_copies (maps, &maps->rows->programs[row].areas[map[i].area]) == 0)
        continue;
      values = collect_values (maps, row, &map[i], (const uint64_t *) bytes);
      good = gilk_store_put_map (maps->session->store, maps->rows->programs[row].row, map[i].name, map[i].kind,
                                 (const GilkStoreValue *) values->data, values->len, error) &&
             (map[i].words == 0 || store_texts (maps, row, &map[i], (const uint64_t *) bytes, error));
    }
  gilk_run_session_unlock (maps->session);

  return good;
}

static uint64_t
count_failed_reads (const GilkRunMaps *maps, guint row, const uint64_t *words)
{
  guint n_maps;
  const GilkProgramMap *map = gilk_program_maps (program_of (maps, row), &n_maps);
  uint64_t bad = 0;

  for (guint i = 0; i < n_maps; i++)
    if (map[i].kind == GILK_MAP_BAD)
      {
        g_autoptr(GArray) values = collect_values (maps, row, &map[i], words);

        for (guint k = 0; k < values->len; k++)
          bad += (uint64_t) g_array_index (values, GilkStoreValue, k).value;
      }

  return bad;
}

void
gilk_run_maps_sum_failed_reads (const GilkRunMaps *maps, GilkHookFigures *figures)
{
  gsize at = 0;

  for (guint row = 0; maps->read != NULL && row < maps->rows->n; row++)
    {
      gsize bytes = row_bytes (maps, row);

      if (at + bytes > maps->read->len)
        return;
      if (bytes > 0 && program_of (maps, row) != NULL)
        figures[row].failed_reads = count_failed_reads (maps, row, (const uint64_t *) (gconstpointer) (maps->read->data + at));
      at += bytes;
    }
}

gboolean
gilk_run_maps_store (GilkRunMaps *maps, GError **error)
{
  gboolean good = TRUE;
  gsize at = 0;

  gilk_run_session_assert_own (maps->session);
  for (guint row = 0; good && maps->read != NULL && row < maps->rows->n; row++)
    {
      gsize bytes = row_bytes (maps, row);
      /* If the plan was changed after the last read, maps->read lacks the areas of new hooks. */
      gboolean read = at + bytes <= maps->read->len;
      gboolean same = maps->stored != NULL && at + bytes <= maps->stored->len;

      if (!read)
        break;
      same = same && memcmp (maps->read->data + at, maps->stored->data + at, bytes) == 0;
      if (bytes > 0 && !same)
        good = store_row (maps, row, maps->read->data + at, error);
      at += bytes;
    }
  if (good && maps->read != NULL)
    {
      g_clear_pointer (&maps->stored, g_byte_array_unref);
      maps->stored = g_byte_array_ref (maps->read);
    }

  return good;
}

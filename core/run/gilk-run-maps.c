/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-run-maps.c - copies the maps of programs from the kernel into the session
 *
 * Areas are read whole. A hook's areas that have not changed are not written again.
 */
#include <string.h>

#include "core/run/gilk-run-private.h"
#include "core/store/gilk-store-program.h"

static const GilkProgram *
program_of (const GilkRun *run, guint row)
{
  return g_array_index (run->bound->hooks, GilkBoundHook, row).program;
}

/* Returns how many copies of an area the row has to read. */
static guint
count_copies (const GilkRun *run, const GilkArmedArea *area)
{
  if (area->is_repeated || area->is_stacks)
    return 0;

  return area->given.flags & ILK_AREA_PER_CPU ? gilk_run_n_cpus (run) : 1;
}

/* ---- reading ---- */

static GArray *
list_reads (const GilkRun *run)
{
  GArray *reads = g_array_new (FALSE, TRUE, sizeof (struct ilk_memory_read));

  for (guint row = 0; row < run->armed.n_hooks; row++)
    for (guint a = 0; a < run->armed.programs[row].n_areas; a++)
      {
        const GilkArmedArea *area = &run->armed.programs[row].areas[a];

        for (guint cpu = 0; cpu < count_copies (run, area); cpu++)
          {
            const struct ilk_memory_read read = { .id = area->given.id, .cpu = cpu, .bytes = area->given.bytes };

            g_array_append_val (reads, read);
          }
      }

  return reads;
}

gboolean
gilk_run_read_memory (GilkRun *run,
                      GError **error)
{
  g_autoptr(GArray) reads = list_reads (run);
  GByteArray *bytes;

  gilk_run_assert_own (run);
  if (reads->len == 0)
    return TRUE;
  bytes = gilk_target_memory_read (run->target, (const struct ilk_memory_read *) reads->data, reads->len, NULL, error);
  if (bytes == NULL)
    {
      gilk_run_note_target_loss (run, *error);
      return FALSE;
    }
  g_clear_pointer (&run->memory, g_byte_array_unref);
  run->memory = bytes;

  return TRUE;
}

/* ---- values ---- */

/* The area of one CPU, or the one that all share. */
typedef struct {
  const uint64_t *words;
  guint           cpu;          /* G_MAXUINT: shared by all */
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

/* @words: the row's areas, one copy after another */
static GArray *
collect_values (const GilkRun *run, guint row, const GilkProgramMap *map, const uint64_t *words)
{
  const GilkArmedProgram *program = &run->armed.programs[row];
  GArray *values = g_array_new (FALSE, FALSE, sizeof (GilkStoreValue));

  for (guint a = 0; a < map->area; a++)
    words += count_copies (run, &program->areas[a]) * program->areas[a].given.bytes / sizeof *words;
  for (guint cpu = 0; cpu < count_copies (run, &program->areas[map->area]); cpu++)
    {
      const Copy copy = {
        words + cpu * program->areas[map->area].given.bytes / sizeof *words,
        program->areas[map->area].given.flags & ILK_AREA_PER_CPU ? cpu : G_MAXUINT,
      };

      add_values (values, &copy, map);
    }

  return values;
}

/* ---- storing ---- */

static gsize
row_bytes (const GilkRun *run, guint row)
{
  const GilkArmedProgram *program = &run->armed.programs[row];
  gsize bytes = 0;

  for (guint a = 0; a < program->n_areas; a++)
    bytes += (gsize) count_copies (run, &program->areas[a]) * program->areas[a].given.bytes;

  return bytes;
}

static gboolean
store_row (GilkRun *run, guint row, const uint8_t *bytes, GError **error)
{
  gboolean good = TRUE;
  guint n_maps;
  const GilkProgramMap *map = gilk_program_maps (program_of (run, row), &n_maps);

  gilk_run_lock_store (run);
  for (guint i = 0; good && i < n_maps; i++)
    {
      g_autoptr(GArray) values = NULL;

      if (map[i].kind == GILK_MAP_HIDDEN || count_copies (run, &run->armed.programs[row].areas[map[i].area]) == 0)
        continue;
      values = collect_values (run, row, &map[i], (const uint64_t *) bytes);
      good = gilk_store_put_map (run->store, run->armed.programs[row].row, map[i].name, map[i].kind,
                                 (const GilkStoreValue *) values->data, values->len, error);
    }
  gilk_run_unlock_store (run);

  return good;
}

static uint64_t
count_failed_reads (const GilkRun *run, guint row, const uint64_t *words)
{
  guint n_maps;
  const GilkProgramMap *map = gilk_program_maps (program_of (run, row), &n_maps);
  uint64_t bad = 0;

  for (guint i = 0; i < n_maps; i++)
    if (map[i].kind == GILK_MAP_BAD)
      {
        g_autoptr(GArray) values = collect_values (run, row, &map[i], words);

        for (guint k = 0; k < values->len; k++)
          bad += (uint64_t) g_array_index (values, GilkStoreValue, k).value;
      }

  return bad;
}

void
gilk_run_sum_failed_reads (const GilkRun   *run,
                           GilkHookFigures *figures)
{
  gsize at = 0;

  for (guint row = 0; run->memory != NULL && row < run->armed.n_hooks; row++)
    {
      gsize bytes = row_bytes (run, row);

      if (at + bytes > run->memory->len)
        return;
      if (bytes > 0 && program_of (run, row) != NULL)
        figures[row].failed_reads = count_failed_reads (run, row, (const uint64_t *) (gconstpointer) (run->memory->data + at));
      at += bytes;
    }
}

gboolean
gilk_run_store_memory (GilkRun *run,
                       GError **error)
{
  gboolean good = TRUE;
  gsize at = 0;

  gilk_run_assert_own (run);
  for (guint row = 0; good && run->memory != NULL && row < run->armed.n_hooks; row++)
    {
      gsize bytes = row_bytes (run, row);
      /* Areas added by a change since the last read are not there yet. */
      gboolean read = at + bytes <= run->memory->len;
      gboolean same = run->stored_memory != NULL && at + bytes <= run->stored_memory->len;

      if (!read)
        break;
      same = same && memcmp (run->memory->data + at, run->stored_memory->data + at, bytes) == 0;
      if (bytes > 0 && !same)
        good = store_row (run, row, run->memory->data + at, error);
      at += bytes;
    }
  if (good && run->memory != NULL)
    {
      g_clear_pointer (&run->stored_memory, g_byte_array_unref);
      run->stored_memory = g_byte_array_ref (run->memory);
    }

  return good;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-run-values.c - stores names of a run's values when the run ends
 *
 * Reads back sample fields and map keys that mean more than a number (data/schema.sql, "Meanings")
 * and names the values that occur. So a session has the names it needs and no others.
 */
#include "core/run/gilk-run-private.h"

#include <string.h>

#include "core/samples/gilk-samples.h"
#include "core/store/gilk-store-names.h"
#include "core/store/gilk-store-program.h"

#define VALUES_MAX (1u << 16)          /* distinct values named per meaning */
#define TEXT_FROM  0xffffffff80000000u /* kernel and modules; symbols cover nothing else */

typedef struct {
  GilkRun    *run;
  GArray     *hooks;                   /* GilkStoredHook */
  GHashTable *values;                  /* meaning -> set of gint64 */
  GHashTable *programs;                /* meaning -> (unowned) GilkProgram that has the enum */
} Names;

static const GilkStoredHook *
hook_at (const Names *names, guint i)
{
  return &g_array_index (names->hooks, GilkStoredHook, i);
}

static gboolean
is_enum (const char *meaning)
{
  return meaning != NULL && g_str_has_prefix (meaning, GILK_MEANING_ENUM);
}

/* Errors have their own names, and stacks are named with their symbols. */
static gboolean
needs_name (const char *meaning)
{
  return meaning != NULL && (strcmp (meaning, GILK_MEANING_SYMBOL) == 0 || is_enum (meaning));
}

static void
add_value (Names *names, const char *meaning, gint64 value)
{
  GHashTable *set;
  gint64 *key;

  if (!is_enum (meaning) && (uint64_t) value < TEXT_FROM)
    return;
  set = g_hash_table_lookup (names->values, meaning);
  if (set == NULL)
    {
      set = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
      g_hash_table_insert (names->values, g_strdup (meaning), set);
    }
  if (g_hash_table_size (set) >= VALUES_MAX || g_hash_table_contains (set, &value))
    return;
  key = g_new (gint64, 1);
  *key = value;
  g_hash_table_add (set, key);
}

/* ---- recorded values ---- */

static const GilkProgram *
program_of (const Names *names, gint64 hook)
{
  for (guint row = 0; row < names->run->armed.n_hooks; row++)
    if (names->run->armed.programs[row].row == hook)
      return g_array_index (names->run->bound->hooks, GilkBoundHook, row).program;

  return NULL;
}

static void
add_program (Names *names, const char *meaning, const GilkStoredHook *hook)
{
  const GilkProgram *program = is_enum (meaning) ? program_of (names, hook->id) : NULL;

  if (program != NULL && !g_hash_table_contains (names->programs, meaning))
    g_hash_table_insert (names->programs, g_strdup (meaning), (gpointer) program);
}

static gboolean
collect_keys (Names *names, const GilkStoredHook *hook, GError **error)
{
  g_autoptr(GArray) maps = gilk_store_maps (names->run->store, hook, error);

  if (maps == NULL)
    return FALSE;
  for (guint i = 0; i < maps->len; i++)
    {
      const GilkStoredMap *map = &g_array_index (maps, GilkStoredMap, i);

      if (!needs_name (map->meaning))
        continue;
      add_program (names, map->meaning, hook);
      for (guint v = 0; v < map->values->len; v++)
        add_value (names, map->meaning, g_array_index (map->values, GilkStoreValue, v).key);
    }

  return TRUE;
}

static gboolean
collect_field (Names *names, const GilkStoredHook *hook, const GilkStoredField *field, GError **error)
{
  g_autoptr(GilkSamples) samples = gilk_samples_new (names->run->store, hook, 1, error);
  g_autoptr(GError) local = NULL;
  GilkSampleBlock block;
  guint number, type;

  if (samples == NULL)
    return FALSE;
  gilk_samples_values_only (samples);
  if (!gilk_samples_add_field (samples, field->name, &number, &type, error))
    return FALSE;
  add_program (names, field->meaning, hook);
  while (gilk_samples_next (samples, &block, &local))
    for (guint i = 0; i < block.n; i++)
      if (block.missing == NULL || block.missing[number] == NULL || !block.missing[number][i])
        add_value (names, field->meaning, block.values[number][i]);
  if (local == NULL)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&local));

  return FALSE;
}

static gboolean
collect_samples (Names *names, const GilkStoredHook *hook, GError **error)
{
  g_autoptr(GArray) fields = gilk_store_fields (names->run->store, names->run->run, hook->instrument, error);

  for (guint i = 0; fields != NULL && i < fields->len; i++)
    {
      const GilkStoredField *field = &g_array_index (fields, GilkStoredField, i);

      if (needs_name (field->meaning) && !collect_field (names, hook, field, error))
        return FALSE;
    }

  return fields != NULL;
}

/* ---- names ---- */

static gboolean
write_address (Names *names, gint64 value, GError **error)
{
  return gilk_run_store_address (names->run, (uint64_t) value, FALSE, error);
}

static gboolean
write_constant (Names *names, const char *meaning, gint64 value, GError **error)
{
  const GilkProgram *program = g_hash_table_lookup (names->programs, meaning);
  g_autofree char *name = program != NULL ? gilk_program_constant (program, meaning, value) : NULL;

  return name == NULL ||
         gilk_store_add_value_name (names->run->store, names->run->run, meaning, value, name, error);
}

static gboolean
write_values (Names *names, const char *meaning, GHashTable *set, GError **error)
{
  GHashTableIter iter;
  gpointer value;

  g_hash_table_iter_init (&iter, set);
  while (g_hash_table_iter_next (&iter, &value, NULL))
    if (is_enum (meaning) ? !write_constant (names, meaning, *(gint64 *) value, error)
                          : !write_address (names, *(gint64 *) value, error))
      return FALSE;

  return TRUE;
}

gboolean
gilk_run_store_values (GilkRun *run, GError **error)
{
  g_autoptr(GArray) hooks = gilk_store_hooks (run->store, run->run, error);
  g_autoptr(GHashTable) values = g_hash_table_new_full (g_str_hash, g_str_equal, g_free,
                                                        (GDestroyNotify) g_hash_table_unref);
  g_autoptr(GHashTable) programs = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  Names names = { run, hooks, values, programs };
  GHashTableIter iter;
  gpointer meaning, set;

  for (guint i = 0; hooks != NULL && i < hooks->len; i++)
    if (!collect_keys (&names, hook_at (&names, i), error) || !collect_samples (&names, hook_at (&names, i), error))
      return FALSE;
  g_hash_table_iter_init (&iter, values);
  while (hooks != NULL && g_hash_table_iter_next (&iter, &meaning, &set))
    if (!write_values (&names, meaning, set, error))
      return FALSE;

  return hooks != NULL;
}

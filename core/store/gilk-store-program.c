/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-store-program.c - writes and reads probe programs and their maps
 */
#include "core/store/gilk-store-program.h"

#include <glib/gi18n.h>
#include <inttypes.h>
#include <string.h>

#include "core/base/gilk-array.h"
#include "core/base/gilk-format.h"
#include "core/base/gilk-memory.h"
#include "core/store/gilk-store-names.h"
#include "core/store/gilk-store-recorder.h"
#include "core/store/gilk-store-transaction.h"

#define OF_ALL_CPUS (-1)              /* value of map_value.cpu for a sum over all CPUs */

/* Reads one number. On failure rolls back: when SQLite runs out of memory, it ends the open
 * transaction even for a statement that only reads. */
#define READ(store, error, ...) \
  (gilk_sql_value (store, error, __VA_ARGS__) || (gilk_store_roll_back (store), FALSE))

static const char *const kind_names[] = {
  [GILK_MAP_GLOBAL] = "global", [GILK_MAP_COUNTER] = "counter", [GILK_MAP_HISTOGRAM] = "histogram",
  [GILK_MAP_HASH] = "map", [GILK_MAP_BAD] = "failed_reads", [GILK_MAP_MISSED] = "full",
};

const char *
gilk_stored_map_kind (GilkMapKind kind)
{
  return (guint) kind < G_N_ELEMENTS (kind_names) ? kind_names[kind] : NULL;
}

/* ---- writing ---- */

static gint64
cpu_to_column (guint cpu)
{
  return cpu == G_MAXUINT ? OF_ALL_CPUS : (gint64) cpu;
}

static gboolean
put_value (GilkStoreRecorder *recorder, gint64 map, const GilkStoreValue *value, GError **error)
{
  if (gilk_sql_run_often (recorder->store, &recorder->put_value, error,
                          "INSERT INTO map_value (map, key, cpu, value) VALUES (?, ?, ?, ?)", "iiii", map,
                          value->key, cpu_to_column (value->cpu), value->value))
    return TRUE;
  gilk_store_roll_back (recorder->store);

  return FALSE;
}

/* Encodes the meaning of a map's keys and the unit of its values: "errno" (no unit), "=ns" (no
 * meaning), "errno=ns". (transfer full) (nullable) */
static char *
encode_meaning (const GilkProgramMap *map)
{
  return map->unit == NULL ? g_strdup (map->meaning)
                            : g_strdup_printf ("%s=%s", map->meaning != NULL ? map->meaning : "", map->unit);
}

static void
split_unit (GilkStoredMap *map)
{
  char *equals = map->meaning != NULL ? strrchr (map->meaning, '=') : NULL;

  if (equals == NULL)
    return;
  map->unit = g_strdup (equals + 1);
  *equals = '\0';
  if (*map->meaning == '\0')
    g_clear_pointer (&map->meaning, g_free);
}

static gboolean
add_map (GilkStoreRecorder *recorder, gint64 hook, guint position, const GilkProgramMap *map, GError **error)
{
  const GilkStoreValue begins = { 0, G_MAXUINT, map->initial };
  g_autofree char *meaning = encode_meaning (map);

  if (!gilk_store_write (recorder->store, error, "INSERT INTO map (hook, position, name, kind, bits, slots, signed, meaning) "
                         "VALUES (?, ?, ?, ?, ?, ?, ?, ?)", "iissiiis", hook, (gint64) position, map->name,
                         kind_names[map->kind], (gint64) map->bits, (gint64) map->slots,
                         (gint64) (map->is_signed != FALSE), meaning))
    return FALSE;

  return map->kind != GILK_MAP_GLOBAL || map->initial == 0 ||
         put_value (recorder, gilk_sql_last_id (recorder->store), &begins, error);
}

gboolean
gilk_store_add_program (GilkStore            *store,
                        gint64                hook,
                        const char           *name,
                        const char           *code,
                        const GilkProgramMap *map,
                        guint                 n_maps,
                        GError              **error)
{
  GilkStoreRecorder *recorder;
  guint position = 0;
  gint64 run;

  if (!READ (store, error, &run, 0, "SELECT run FROM hook WHERE id = ?", "i", hook) ||
      (recorder = gilk_store_recorder_get (store, run, error)) == NULL ||
      !gilk_store_write (store, error, "INSERT INTO program (hook, name, code) VALUES (?, ?, ?)", "iss", hook, name, code))
    return FALSE;
  for (guint i = 0; i < n_maps; i++)
    if (map[i].kind != GILK_MAP_HIDDEN && map[i].kind != GILK_MAP_STACKS && !add_map (recorder, hook, position++, &map[i], error))
      return FALSE;

  return gilk_store_count_written (store, 1 + position, error);
}

/* Compares values by key, then by CPU, which is the order of the rows. */
static int
compare_values (const void *a, const void *b)
{
  const GilkStoreValue *one = a, *other = b;

  return GILK_ORDER (one->key, other->key) ?:
         GILK_ORDER (cpu_to_column (one->cpu), cpu_to_column (other->cpu));
}

/* Sorts the values. Adds up values with the same key and CPU, because a map may store a key twice
 * on one CPU. (transfer full) */
static GArray *
merge_values (const GilkStoreValue *values, guint n)
{
  g_autofree GilkStoreValue *sorted = g_memdup2 (values, n * sizeof *values);
  GArray *rows = g_array_sized_new (FALSE, FALSE, sizeof *sorted, n);

  if (n > 0)
    qsort (sorted, n, sizeof *sorted, compare_values);
  for (guint i = 0; i < n; i++)
    {
      GilkStoreValue sum = sorted[i];

      for (; i + 1 < n && compare_values (&sum, &sorted[i + 1]) == 0; i++)
        sum.value = (gint64) ((uint64_t) sum.value + (uint64_t) sorted[i + 1].value);
      if (sum.value != 0)
        g_array_append_val (rows, sum);
    }

  return rows;
}

/* Finds the row of a map of the run being recorded, by the hook, the map's name and its kind. */
static gboolean
find_map (const GilkStoreRecorder *recorder, gint64 hook, const char *name, GilkMapKind kind, gint64 *id, GError **error)
{
  const char *word = gilk_stored_map_kind (kind);

  if (!READ (recorder->store, error, id, 0, "SELECT t.id FROM map t JOIN hook h ON h.id = t.hook "
             "WHERE t.hook = ? AND t.name = ? AND t.kind = ? AND h.run = ?", "issi", hook, name,
             word != NULL ? word : "", recorder->run))
    return FALSE;
  if (*id != 0)
    return TRUE;

  return gilk_fail (error, GILK_ERROR_STORE,
                    _("Hook %" PRId64 " has no map “%s” (%s) in this run. Please report "
                      "this."), hook, name, word != NULL ? word : "?");
}

gboolean
gilk_store_put_map (GilkStore            *store,
                    gint64                hook,
                    const char           *name,
                    GilkMapKind           kind,
                    const GilkStoreValue *values,
                    guint                 n_values,
                    GError              **error)
{
  GilkStoreRecorder *recorder = gilk_store_recorder_get_any (store, error);
  g_autoptr(GArray) rows = NULL;
  gint64 map;

  if (recorder == NULL || !find_map (recorder, hook, name, kind, &map, error) ||
      !gilk_store_write (store, error, "DELETE FROM map_value WHERE map = ?", "i", map))
    return FALSE;
  rows = merge_values (values, n_values);
  for (guint i = 0; i < rows->len; i++)
    if (!put_value (recorder, map, &g_array_index (rows, GilkStoreValue, i), error))
      return FALSE;

  return gilk_store_count_written (store, 1 + rows->len, error);
}

/* ---- reading ---- */

void
gilk_stored_program_free (GilkStoredProgram *program)
{
  if (program == NULL)
    return;

  gilk_free_all (program->name, program->code, program);
}

GilkStoredProgram *
gilk_store_program (GilkStore            *store,
                    const GilkStoredHook *hook,
                    GError              **error)
{
  g_autoptr(GilkStoredProgram) program = NULL;
  g_autoptr(GError) local = NULL;
  GILK_AUTO_STMT stmt = gilk_sql_prepare (store, &local,
    "SELECT name, code FROM program WHERE hook = ?", "i", hook->id);

  if (gilk_sql_next (store, stmt, &local))
    {
      program = g_new0 (GilkStoredProgram, 1);
      if (gilk_sql_row (store, stmt, &local, "St", &program->name, &program->code) &&
          (program->code == NULL || strlen (program->code) > GILK_PROGRAM_TEXT_MAX))
        gilk_fail (&local, GILK_ERROR_FORMAT,
                   _("%s is damaged: the program of hook %s is missing or too long. Use a backup."),
                   gilk_store_path (store), hook->label);
    }

  return gilk_check_end (&local, error) ? g_steal_pointer (&program) : NULL;
}

static gboolean
find_kind (const char *word, GilkMapKind *kind)
{
  for (guint i = 0; i < G_N_ELEMENTS (kind_names); i++)
    if (kind_names[i] != NULL && strcmp (word, kind_names[i]) == 0)
      {
        *kind = (GilkMapKind) i;
        return TRUE;
      }

  return FALSE;
}

GILK_DEFINE_CLEAR (clear_map_decl, GilkStoredMapDecl, decl, g_free (decl->name))

GArray *
gilk_store_map_decls (GilkStore *store,
                      gint64     run,
                      GError   **error)
{
  g_autoptr(GArray) decls = gilk_array_new (sizeof (GilkStoredMapDecl), clear_map_decl);
  g_autoptr(GError) local = NULL;
  GILK_AUTO_STMT stmt = gilk_sql_prepare (store, &local,
    "SELECT t.hook, t.name, t.kind FROM hook h JOIN map t ON t.hook = h.id "
    "WHERE h.run = ? ORDER BY t.hook, t.position", "i", run);

  while (gilk_sql_next (store, stmt, &local))
    {
      GilkStoredMapDecl decl = { 0 };
      g_autofree char *kind = NULL;

      if (!gilk_sql_row (store, stmt, &local, "iss", &decl.hook, &decl.name, &kind))
        break;
      if (!find_kind (kind, &decl.kind))
        gilk_fail (&local, GILK_ERROR_FORMAT,
                           _("%s is damaged: “%s” has the unknown kind %s. Use a backup."),
                           gilk_store_path (store), decl.name, kind);
      if (local != NULL || decl.kind == GILK_MAP_MISSED)
        g_free (decl.name);
      else
        g_array_append_val (decls, decl);
    }

  return gilk_check_end (&local, error) ? g_steal_pointer (&decls) : NULL;
}

static void
clear_map (gpointer data)
{
  GilkStoredMap *map = data;

  gilk_free_all (map->name, map->meaning, map->unit);
  g_clear_pointer (&map->values, g_array_unref);
  g_clear_pointer (&map->names, g_hash_table_unref);
}

static gboolean
are_sizes_valid (const GilkStoredMap *map)
{
  gboolean slots_valid = map->slots >= GILK_OPS_PROBES && map->slots <= GILK_OPS_AREA_MAX &&
                         (map->slots & (map->slots - 1)) == 0;

  return (map->kind == GILK_MAP_HISTOGRAM ? map->bits <= GILK_OPS_BUCKET_BITS : map->bits == 0) &&
         (map->kind == GILK_MAP_HASH ? slots_valid : map->slots == 0);
}

#define MAPS "SELECT id, position, name, kind, bits, slots, signed, meaning FROM map " \
               "WHERE hook = ? ORDER BY position"

/* Reads a row of the table map. The map must be at @position among the hook's maps. */
static gboolean
read_map (GilkStore *store, sqlite3_stmt *stmt, const GilkStoredHook *hook, guint position, GilkStoredMap *map,
          gint64 *id, GError **error)
{
  g_autofree char *kind = NULL;
  guint at;

  if (!gilk_sql_row (store, stmt, error, "iussuufS", id, &at, &map->name, &kind, &map->bits, &map->slots,
                     &map->is_signed, &map->meaning))
    return FALSE;
  split_unit (map);
  if (at != position || !find_kind (kind, &map->kind))
    return gilk_fail (error, GILK_ERROR_FORMAT,
        _("%s is damaged: hook %s has a map “%s” that is out of order or of an unknown kind (%s). "
          "Use a backup."), gilk_store_path (store), hook->label, map->name, kind);

  return are_sizes_valid (map) ||
         gilk_fail (error, GILK_ERROR_FORMAT,
                    _("%s is damaged: hook %s has a map “%s” of an invalid size. Use a backup."),
                    gilk_store_path (store), hook->label, map->name);
}

/* Returns whether the value is valid and comes after @before, the previous row's value (nullable),
 * in the order of rows. */
static gboolean
is_value_valid (const GilkStoredMap *map, gint64 cpu, const GilkStoreValue *value, const GilkStoreValue *before)
{
  gboolean counts = map->kind == GILK_MAP_HISTOGRAM || map->kind == GILK_MAP_BAD ||
                    map->kind == GILK_MAP_MISSED;

  if (cpu < OF_ALL_CPUS || cpu >= (gint64) G_MAXUINT || (counts && value->value < 0) ||
      (before != NULL && compare_values (before, value) >= 0))
    return FALSE;
  if (map->kind == GILK_MAP_HISTOGRAM)
    return value->key >= 0 && value->key < (gint64) gilk_ops_buckets (map->bits);

  return map->kind == GILK_MAP_HASH || value->key == 0;
}

static gboolean
read_values (GilkStore *store, const GilkStoredHook *hook, gint64 id, GilkStoredMap *map, GError **error)
{
  g_autoptr(GError) local = NULL;
  GILK_AUTO_STMT stmt = gilk_sql_prepare (store, &local,
    "SELECT key, cpu, value FROM map_value WHERE map = ? ORDER BY key, cpu", "i", id);
  const GilkStoreValue *before = NULL;

  while (gilk_sql_next (store, stmt, &local))
    {
      GilkStoreValue value;
      gint64 cpu;

      if (!gilk_sql_row (store, stmt, &local, "iii", &value.key, &cpu, &value.value))
        break;
      value.cpu = cpu == OF_ALL_CPUS ? G_MAXUINT : (guint) cpu;
      if (!is_value_valid (map, cpu, &value, before))
        {
          gilk_fail (&local, GILK_ERROR_FORMAT,
              _("%s is damaged: hook %s has a map “%s” with an invalid value (key %" PRId64 ", CPU "
                "%" PRId64 "). Use a backup."), gilk_store_path (store), hook->label, map->name,
              value.key, cpu);
          break;
        }
      g_array_append_val (map->values, value);
      before = &g_array_index (map->values, GilkStoreValue, map->values->len - 1);
    }

  return gilk_check_end (&local, error);
}

/* ---- names of keys ---- */

static void
name_keys (GilkStoredMap *map, const GilkStoredNames *names)
{
  map->names = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, g_free);
  for (guint i = 0; i < map->values->len; i++)
    {
      const gint64 key = g_array_index (map->values, GilkStoreValue, i).key;
      char *name = gilk_stored_name (names, map->meaning, (uint64_t) key);

      if (name != NULL)
        g_hash_table_insert (map->names, g_memdup2 (&key, sizeof key), name);
    }
}

static gboolean
name_all_keys (GilkStore *store, const GilkStoredHook *hook, GArray *all, GError **error)
{
  g_autoptr(GilkStoredNames) names = NULL;

  for (guint i = 0; i < all->len; i++)
    {
      GilkStoredMap *map = &g_array_index (all, GilkStoredMap, i);

      if (map->meaning == NULL || strcmp (map->meaning, GILK_MEANING_NS) == 0)
        continue;
      if (names == NULL)
        names = gilk_store_names (store, hook->run, error);
      if (names == NULL)
        return FALSE;
      name_keys (map, names);
    }

  return TRUE;
}

GArray *
gilk_store_maps (GilkStore            *store,
                 const GilkStoredHook *hook,
                 GError              **error)
{
  g_autoptr(GArray) all = gilk_array_new (sizeof (GilkStoredMap), clear_map);
  g_autoptr(GArray) ids = g_array_new (FALSE, FALSE, sizeof (gint64));
  g_autoptr(GError) local = NULL;
  GILK_AUTO_STMT stmt = gilk_sql_prepare (store, &local, MAPS, "i", hook->id);

  while (gilk_sql_next (store, stmt, &local))
    {
      GilkStoredMap map = { .values = g_array_new (FALSE, FALSE, sizeof (GilkStoreValue)) };
      gint64 id = 0;

      if (read_map (store, stmt, hook, all->len, &map, &id, &local))
        g_array_append_val (ids, id);
      g_array_append_val (all, map);
    }
  if (!gilk_check_end (&local, error))
    return NULL;
  for (guint i = 0; i < all->len; i++)
    if (!read_values (store, hook, g_array_index (ids, gint64, i), &g_array_index (all, GilkStoredMap, i), error))
      return NULL;

  return name_all_keys (store, hook, all, error) ? g_steal_pointer (&all) : NULL;
}

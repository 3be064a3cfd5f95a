/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-store-program.c - writes and reads probe programs and their maps
 */
#include "core/store/gilk-store-program.h"

#include <glib/gi18n.h>
#include <inttypes.h>
#include <string.h>

#include "core/base/gilk-meaning.h"
#include "core/store/gilk-store-names.h"
#include "core/store/gilk-store-private.h"

#define OF_ALL_CPUS (-1)              /* kept_value.cpu */

#define WRITE(store, error, ...) \
  (gilk_store_want_transaction (store, error) && \
   (gilk_sql_run (store, error, __VA_ARGS__) || (gilk_store_roll_back (store), FALSE)))

/* Reads one number. On failure rolls back: when SQLite runs out of memory it ends the open
 * transaction even for a statement that only reads. */
#define READ(store, error, ...) \
  (gilk_sql_value (store, error, __VA_ARGS__) || (gilk_store_roll_back (store), FALSE))

static const char *const kind_names[] = {
  [GILK_KEPT_GLOBAL] = "global", [GILK_KEPT_COUNTER] = "counter", [GILK_KEPT_HISTOGRAM] = "histogram",
  [GILK_KEPT_MAP] = "map", [GILK_KEPT_BAD] = "bad", [GILK_KEPT_MISSED] = "missed",
};

const char *
gilk_stored_kept_kind (GilkKeptKind kind)
{
  return (guint) kind < G_N_ELEMENTS (kind_names) ? kind_names[kind] : NULL;
}

/* ---- writing ---- */

static gint64
cpu_cell (guint cpu)
{
  return cpu == G_MAXUINT ? OF_ALL_CPUS : (gint64) cpu;
}

static gboolean
put_value (GilkStore *store, gint64 kept, const GilkStoreValue *value, GError **error)
{
  if (gilk_sql_run_often (store, &store->put_value, error,
                          "INSERT INTO kept_value (kept, key, cpu, value) VALUES (?, ?, ?, ?)", "iiii", kept,
                          value->key, cpu_cell (value->cpu), value->value))
    return TRUE;
  gilk_store_roll_back (store);

  return FALSE;
}

/* Encodes the meaning of keys and the unit of values: "errno", "=ns", "errno=ns". (transfer full)
 * (nullable) */
static char *
meaning_and_unit (const GilkKept *kept)
{
  return kept->unit == NULL ? g_strdup (kept->meaning)
                            : g_strdup_printf ("%s=%s", kept->meaning != NULL ? kept->meaning : "", kept->unit);
}

static void
split_unit (GilkStoredKept *kept)
{
  char *equals = kept->meaning != NULL ? strrchr (kept->meaning, '=') : NULL;

  if (equals == NULL)
    return;
  kept->unit = g_strdup (equals + 1);
  *equals = '\0';
  if (*kept->meaning == '\0')
    g_clear_pointer (&kept->meaning, g_free);
}

static gboolean
add_thing (GilkStore *store, gint64 hook, guint position, const GilkKept *kept, GError **error)
{
  const GilkStoreValue begins = { 0, G_MAXUINT, kept->initial };
  g_autofree char *meaning = meaning_and_unit (kept);

  if (!WRITE (store, error, "INSERT INTO kept_thing (hook, position, name, kind, bits, slots, signed, meaning) "
              "VALUES (?, ?, ?, ?, ?, ?, ?, ?)", "iissiiis", hook, (gint64) position, kept->name,
              kind_names[kept->kind], (gint64) kept->bits, (gint64) kept->slots,
              (gint64) (kept->is_signed != FALSE), meaning))
    return FALSE;

  return kept->kind != GILK_KEPT_GLOBAL || kept->initial == 0 ||
         put_value (store, sqlite3_last_insert_rowid (store->db), &begins, error);
}

gboolean
gilk_store_add_program (GilkStore       *store,
                        gint64           hook,
                        const char      *name,
                        const char      *code,
                        const GilkKept  *kept,
                        guint            n_kept,
                        GError         **error)
{
  guint position = 0;
  gint64 run;

  if (!READ (store, error, &run, 0, "SELECT run FROM hook WHERE id = ?", "i", hook) ||
      !gilk_store_check_run (store, run, error) ||
      !WRITE (store, error, "INSERT INTO program (hook, name, code) VALUES (?, ?, ?)", "iss", hook, name, code))
    return FALSE;
  for (guint i = 0; i < n_kept; i++)
    if (kept[i].kind != GILK_KEPT_HIDDEN && kept[i].kind != GILK_KEPT_STACKS && !add_thing (store, hook, position++, &kept[i], error))
      return FALSE;

  return gilk_store_wrote (store, 1 + position, error);
}

/* Compares in the order of the rows. */
static int
compare_values (const void *a, const void *b)
{
  const GilkStoreValue *one = a, *other = b;
  gint64 cpu = cpu_cell (one->cpu), cpu_other = cpu_cell (other->cpu);

  if (one->key != other->key)
    return one->key < other->key ? -1 : 1;

  return (cpu > cpu_other) - (cpu < cpu_other);
}

/* Sorts the values and adds up those with the same key and CPU, since a map may have a key in two
 * slots of a CPU. (transfer full) */
static GArray *
gather (const GilkStoreValue *values, guint n)
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

/* Finds the map's row in the run being recorded. */
static gboolean
find_thing (GilkStore *store, gint64 hook, const char *name, GilkKeptKind kind, gint64 *id, GError **error)
{
  const char *word = gilk_stored_kept_kind (kind);

  if (!gilk_store_check_run (store, store->run, error) ||
      !READ (store, error, id, 0, "SELECT t.id FROM kept_thing t JOIN hook h ON h.id = t.hook "
             "WHERE t.hook = ? AND t.name = ? AND t.kind = ? AND h.run = ?", "issi", hook, name,
             word != NULL ? word : "", store->run))
    return FALSE;
  if (*id != 0)
    return TRUE;

  return gilk_store_refuse (error, GILK_ERROR_STORE, _("Hook %" PRId64 " keeps no “%s” (%s) in this run. Please report "
                                                       "this."), hook, name, word != NULL ? word : "?");
}

gboolean
gilk_store_put_kept (GilkStore             *store,
                     gint64                 hook,
                     const char            *name,
                     GilkKeptKind           kind,
                     const GilkStoreValue  *values,
                     guint                  n_values,
                     GError               **error)
{
  g_autoptr(GArray) rows = NULL;
  gint64 kept;

  if (!find_thing (store, hook, name, kind, &kept, error) ||
      !WRITE (store, error, "DELETE FROM kept_value WHERE kept = ?", "i", kept))
    return FALSE;
  rows = gather (values, n_values);
  for (guint i = 0; i < rows->len; i++)
    if (!put_value (store, kept, &g_array_index (rows, GilkStoreValue, i), error))
      return FALSE;

  return gilk_store_wrote (store, 1 + rows->len, error);
}

/* ---- reading ---- */

void
gilk_stored_program_free (GilkStoredProgram *program)
{
  if (program == NULL)
    return;

  g_free (program->name);
  g_free (program->code);
  g_free (program);
}

GilkStoredProgram *
gilk_store_program (GilkStore             *store,
                    const GilkStoredHook  *hook,
                    GError               **error)
{
  g_autoptr(GilkStoredProgram) program = NULL;
  GILK_AUTO_STMT stmt = NULL;
  g_autoptr(GError) local = NULL;

  stmt = gilk_sql_prepare (store, error, "SELECT name, code FROM program WHERE hook = ?", "i", hook->id);
  if (stmt == NULL)
    return NULL;
  if (gilk_sql_next (store, stmt, &local))
    {
      program = g_new0 (GilkStoredProgram, 1);
      if (gilk_sql_row (store, stmt, &local, "St", &program->name, &program->code) &&
          (program->code == NULL || strlen (program->code) > GILK_PROGRAM_TEXT_MAX))
        gilk_store_refuse (&local, GILK_ERROR_FORMAT,
                           _("%s is damaged: the program of hook %s is missing or too long. Use a copy of it."),
                           store->path, hook->label);
    }

  return gilk_sql_ended (&local, error) ? g_steal_pointer (&program) : NULL;
}

static gboolean
find_kind (const char *word, GilkKeptKind *kind)
{
  for (guint i = 0; i < G_N_ELEMENTS (kind_names); i++)
    if (kind_names[i] != NULL && strcmp (word, kind_names[i]) == 0)
      {
        *kind = (GilkKeptKind) i;
        return TRUE;
      }

  return FALSE;
}

static void
clear_keep (gpointer data)
{
  GilkStoredKeep *keep = data;

  g_free (keep->name);
}

GArray *
gilk_store_keeps (GilkStore  *store,
                  gint64      run,
                  GError    **error)
{
  g_autoptr(GArray) keeps = g_array_new (FALSE, TRUE, sizeof (GilkStoredKeep));
  GILK_AUTO_STMT stmt = NULL;
  g_autoptr(GError) local = NULL;

  g_array_set_clear_func (keeps, clear_keep);
  stmt = gilk_sql_prepare (store, error, "SELECT t.hook, t.name, t.kind FROM hook h JOIN kept_thing t ON t.hook = h.id "
                           "WHERE h.run = ? ORDER BY t.hook, t.position", "i", run);
  if (stmt == NULL)
    return NULL;
  while (gilk_sql_next (store, stmt, &local))
    {
      GilkStoredKeep keep = { 0 };
      g_autofree char *kind = NULL;

      if (!gilk_sql_row (store, stmt, &local, "iss", &keep.hook, &keep.name, &kind))
        break;
      if (!find_kind (kind, &keep.kind))
        gilk_store_refuse (&local, GILK_ERROR_FORMAT,
                           _("%s is damaged: “%s” has the unknown kind %s. Use a copy of it."),
                           store->path, keep.name, kind);
      if (local != NULL || keep.kind == GILK_KEPT_MISSED)
        g_free (keep.name);
      else
        g_array_append_val (keeps, keep);
    }

  return gilk_sql_ended (&local, error) ? g_steal_pointer (&keeps) : NULL;
}

static void
clear_kept (gpointer data)
{
  GilkStoredKept *kept = data;

  g_free (kept->name);
  g_free (kept->meaning);
  g_free (kept->unit);
  g_clear_pointer (&kept->values, g_array_unref);
  g_clear_pointer (&kept->names, g_hash_table_unref);
}

static gboolean
sizes_valid (const GilkStoredKept *kept)
{
  gboolean slots_valid = kept->slots >= GILK_OPS_PROBES && kept->slots <= GILK_OPS_AREA_MAX &&
                         (kept->slots & (kept->slots - 1)) == 0;

  return (kept->kind == GILK_KEPT_HISTOGRAM ? kept->bits <= GILK_OPS_BUCKET_BITS : kept->bits == 0) &&
         (kept->kind == GILK_KEPT_MAP ? slots_valid : kept->slots == 0);
}

#define THINGS "SELECT id, position, name, kind, bits, slots, signed, meaning FROM kept_thing " \
               "WHERE hook = ? ORDER BY position"

/* Reads a row of kept_thing, which must be at @position of its hook. */
static gboolean
read_thing (GilkStore *store, sqlite3_stmt *stmt, const GilkStoredHook *hook, guint position, GilkStoredKept *kept,
            gint64 *id, GError **error)
{
  g_autofree char *kind = NULL;
  guint at;

  if (!gilk_sql_row (store, stmt, error, "iussuufS", id, &at, &kept->name, &kind, &kept->bits, &kept->slots,
                     &kept->is_signed, &kept->meaning))
    return FALSE;
  split_unit (kept);
  if (at != position || !find_kind (kind, &kept->kind))
    return gilk_store_refuse (error, GILK_ERROR_FORMAT,
                              _("%s is damaged: hook %s keeps “%s”, which is out of order or of an unknown kind (%s). "
                                "Use a copy of it."), store->path, hook->label, kept->name, kind);

  return sizes_valid (kept) ||
         gilk_store_refuse (error, GILK_ERROR_FORMAT,
                            _("%s is damaged: hook %s keeps “%s” with an invalid size. Use a copy of it."),
                            store->path, hook->label, kept->name);
}

/* Whether the value is valid, and sorted after @before (nullable). */
static gboolean
value_valid (const GilkStoredKept *kept, gint64 cpu, const GilkStoreValue *value, const GilkStoreValue *before)
{
  gboolean counts = kept->kind == GILK_KEPT_HISTOGRAM || kept->kind == GILK_KEPT_BAD ||
                    kept->kind == GILK_KEPT_MISSED;

  if (cpu < OF_ALL_CPUS || cpu >= (gint64) G_MAXUINT || (counts && value->value < 0) ||
      (before != NULL && compare_values (before, value) >= 0))
    return FALSE;
  if (kept->kind == GILK_KEPT_HISTOGRAM)
    return value->key >= 0 && value->key < (gint64) gilk_ops_buckets (kept->bits);

  return kept->kind == GILK_KEPT_MAP || value->key == 0;
}

static gboolean
read_values (GilkStore *store, const GilkStoredHook *hook, gint64 id, GilkStoredKept *kept, GError **error)
{
  GILK_AUTO_STMT stmt = gilk_sql_prepare (store, error,
    "SELECT key, cpu, value FROM kept_value WHERE kept = ? ORDER BY key, cpu", "i", id);
  g_autoptr(GError) local = NULL;
  const GilkStoreValue *before = NULL;

  if (stmt == NULL)
    return FALSE;
  while (gilk_sql_next (store, stmt, &local))
    {
      GilkStoreValue value;
      gint64 cpu;

      if (!gilk_sql_row (store, stmt, &local, "iii", &value.key, &cpu, &value.value))
        break;
      value.cpu = cpu == OF_ALL_CPUS ? G_MAXUINT : (guint) cpu;
      if (!value_valid (kept, cpu, &value, before))
        {
          gilk_store_refuse (&local, GILK_ERROR_FORMAT,
                             _("%s is damaged: hook %s keeps “%s” with an invalid value (key %" PRId64 ", CPU "
                               "%" PRId64 "). Use a copy of it."), store->path, hook->label, kept->name,
                             value.key, cpu);
          break;
        }
      g_array_append_val (kept->values, value);
      before = &g_array_index (kept->values, GilkStoreValue, kept->values->len - 1);
    }

  return gilk_sql_ended (&local, error);
}

/* ---- names of keys ---- */

static void
name_keys (GilkStoredKept *kept, const GilkStoredNames *names)
{
  kept->names = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, g_free);
  for (guint i = 0; i < kept->values->len; i++)
    {
      const gint64 key = g_array_index (kept->values, GilkStoreValue, i).key;
      char *name = gilk_stored_name (names, kept->meaning, (uint64_t) key);

      if (name != NULL)
        g_hash_table_insert (kept->names, g_memdup2 (&key, sizeof key), name);
    }
}

static gboolean
name_all (GilkStore *store, const GilkStoredHook *hook, GArray *all, GError **error)
{
  g_autoptr(GilkStoredNames) names = NULL;

  for (guint i = 0; i < all->len; i++)
    {
      GilkStoredKept *kept = &g_array_index (all, GilkStoredKept, i);

      if (kept->meaning == NULL || strcmp (kept->meaning, GILK_MEANING_NS) == 0)
        continue;
      if (names == NULL)
        names = gilk_store_names (store, hook->run, error);
      if (names == NULL)
        return FALSE;
      name_keys (kept, names);
    }

  return TRUE;
}

GArray *
gilk_store_kept (GilkStore             *store,
                 const GilkStoredHook  *hook,
                 GError               **error)
{
  g_autoptr(GArray) all = g_array_new (FALSE, TRUE, sizeof (GilkStoredKept));
  g_autoptr(GArray) ids = g_array_new (FALSE, FALSE, sizeof (gint64));
  GILK_AUTO_STMT stmt = NULL;
  g_autoptr(GError) local = NULL;

  g_array_set_clear_func (all, clear_kept);
  stmt = gilk_sql_prepare (store, error, THINGS, "i", hook->id);
  if (stmt == NULL)
    return NULL;
  while (gilk_sql_next (store, stmt, &local))
    {
      GilkStoredKept kept = { .values = g_array_new (FALSE, FALSE, sizeof (GilkStoreValue)) };
      gint64 id = 0;

      if (read_thing (store, stmt, hook, all->len, &kept, &id, &local))
        g_array_append_val (ids, id);
      g_array_append_val (all, kept);
    }
  if (!gilk_sql_ended (&local, error))
    return NULL;
  for (guint i = 0; i < all->len; i++)
    if (!read_values (store, hook, g_array_index (ids, gint64, i), &g_array_index (all, GilkStoredKept, i), error))
      return NULL;

  return name_all (store, hook, all, error) ? g_steal_pointer (&all) : NULL;
}

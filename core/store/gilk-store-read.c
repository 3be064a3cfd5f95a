/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-store-read.c - runs, hooks, samples and counts coming out of a session
 */
#include "core/store/gilk-store-private.h"

#include <math.h>
#include <string.h>

/* Ends a loop over rows: @array, or NULL with the error. */
static GArray *
finish (GArray *array, GError *local, GError **error)
{
  if (local == NULL)
    return array;
  g_propagate_error (error, local);
  g_array_unref (array);

  return NULL;
}

/* ---- runs ---- */

static void
clear_run (gpointer data)
{
  GilkStoredRun *run = data;

  g_free (run->title);
  g_free (run->target);
  g_free (run->release);
  g_free (run->build_id);
  g_free (run->end_reason);
  g_free (run->started);
}

GArray *
gilk_store_runs (GilkStore *store,
                 GError   **error)
{
  GILK_AUTO_STMT stmt = gilk_sql_prepare (store, error,
    "SELECT r.id, r.title, r.target, r.release, r.build_id, r.end_reason, r.started, "
    "r.duration_ns, coalesce (sum (c.stored), 0), coalesce (sum (c.lost), 0) "
    "FROM run r LEFT JOIN hook h ON h.run = r.id LEFT JOIN counts c ON c.hook = h.id "
    "GROUP BY r.id ORDER BY r.id", "");
  GArray *runs = g_array_new (FALSE, TRUE, sizeof (GilkStoredRun));
  gboolean recording = gilk_store_is_recording (store);
  GError *local = NULL;

  g_array_set_clear_func (runs, clear_run);
  if (stmt == NULL)
    {
      g_array_unref (runs);
      return NULL;
    }
  while (gilk_sql_step (store, stmt, &local))
    {
      GilkStoredRun run = {
        .id = sqlite3_column_int64 (stmt, 0),
        .title = gilk_sql_text (stmt, 1), .target = gilk_sql_text (stmt, 2),
        .release = gilk_sql_text (stmt, 3), .build_id = gilk_sql_text (stmt, 4),
        .end_reason = gilk_sql_text (stmt, 5), .started = gilk_sql_text (stmt, 6),
        .duration = (double) sqlite3_column_int64 (stmt, 7) / 1e9,
        .samples = (uint64_t) sqlite3_column_int64 (stmt, 8),
        .lost = (uint64_t) sqlite3_column_int64 (stmt, 9),
      };

      if (run.end_reason == NULL)
        run.end_reason = g_strdup (recording ? "being recorded" : "cut off");
      g_array_append_val (runs, run);
    }

  return finish (runs, local, error);
}

/* ---- hooks ---- */

static void
clear_hook (gpointer data)
{
  GilkStoredHook *hook = data;

  g_free (hook->label);
  g_free (hook->function);
  g_free (hook->module);
  g_free (hook->block);
  g_free (hook->where);
  g_free (hook->instrument);
  g_free (hook->tactic);
}

GArray *
gilk_store_hooks (GilkStore *store,
                  gint64     run,
                  GError   **error)
{
  GILK_AUTO_STMT stmt = gilk_sql_prepare (store, error,
    "SELECT h.id, h.iid, h.label, h.function, h.module, h.block, h.place, h.instrument, h.tactic, "
    "h.addr, h.start_ns, h.stop_ns, h.cost, coalesce (sum (c.hits), 0), "
    "coalesce (sum (c.stored), 0), coalesce (sum (c.lost), 0), coalesce (sum (c.dropped), 0), "
    "coalesce (sum (c.hits), 0) > 0 OR h.instrument IN ('count', 'stamp', 'span') OR NOT EXISTS "
    "(SELECT 1 FROM instrument i WHERE i.run = h.run AND i.name = h.instrument "
    "AND i.sample_bytes = 0) "
    "FROM hook h LEFT JOIN counts c ON c.hook = h.id WHERE h.run = ? GROUP BY h.id ORDER BY h.id",
    "i", run);
  GArray *hooks = g_array_new (FALSE, TRUE, sizeof (GilkStoredHook));
  GError *local = NULL;

  g_array_set_clear_func (hooks, clear_hook);
  if (stmt == NULL)
    {
      g_array_unref (hooks);
      return NULL;
    }
  while (gilk_sql_step (store, stmt, &local))
    {
      GilkStoredHook hook = {
        .id = sqlite3_column_int64 (stmt, 0), .run = run,
        .iid = (uint32_t) sqlite3_column_int64 (stmt, 1),
        .label = gilk_sql_text (stmt, 2), .function = gilk_sql_text (stmt, 3),
        .module = gilk_sql_text (stmt, 4), .block = gilk_sql_text (stmt, 5),
        .where = gilk_sql_text (stmt, 6), .instrument = gilk_sql_text (stmt, 7),
        .tactic = gilk_sql_text (stmt, 8),
        .addr = (uint64_t) sqlite3_column_int64 (stmt, 9),
        .start_ns = (uint64_t) sqlite3_column_int64 (stmt, 10),
        .stop_ns = (uint64_t) sqlite3_column_int64 (stmt, 11),
        .cost = (guint) sqlite3_column_int64 (stmt, 12),
        .hits = (uint64_t) sqlite3_column_int64 (stmt, 13),
        .stored = (uint64_t) sqlite3_column_int64 (stmt, 14),
        .lost = (uint64_t) sqlite3_column_int64 (stmt, 15),
        .dropped = (uint64_t) sqlite3_column_int64 (stmt, 16),
        .hits_known = sqlite3_column_int64 (stmt, 17) != 0,
      };

      g_array_append_val (hooks, hook);
    }

  return finish (hooks, local, error);
}

/* ---- fields ---- */

static void
clear_field (gpointer data)
{
  GilkStoredField *field = data;

  g_free (field->name);
  g_free (field->unit);
  g_free (field->help);
}

GArray *
gilk_store_fields (GilkStore  *store,
                   gint64      run,
                   const char *instrument,
                   GError    **error)
{
  GILK_AUTO_STMT stmt = gilk_sql_prepare (store, error,
    "SELECT f.name, f.unit, f.help, f.type FROM field f JOIN instrument i ON i.id = f.instrument "
    "WHERE i.run = ? AND i.name = ? ORDER BY f.position", "is", run, instrument);
  GArray *fields = g_array_new (FALSE, TRUE, sizeof (GilkStoredField));
  GError *local = NULL;

  g_array_set_clear_func (fields, clear_field);
  if (stmt == NULL)
    {
      g_array_unref (fields);
      return NULL;
    }
  while (gilk_sql_step (store, stmt, &local))
    {
      GilkStoredField field = {
        .name = gilk_sql_text (stmt, 0), .unit = gilk_sql_text (stmt, 1), .help = gilk_sql_text (stmt, 2),
        .type = (guint) sqlite3_column_int64 (stmt, 3),
      };

      g_array_append_val (fields, field);
    }

  return finish (fields, local, error);
}

/* Where a hook's samples are. */
typedef struct {
  char  *table;                   /* quoted; NULL: the instrument takes no samples */
  char  *column;                  /* quoted; of the field that was asked for */
  gint64 type;
} Place;

static void
place_clear (Place *place)
{
  g_free (place->table);
  g_free (place->column);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Place, place_clear)

static gboolean
find_table (GilkStore *store, const GilkStoredHook *hook, Place *place, GError **error)
{
  GILK_AUTO_STMT stmt = gilk_sql_prepare (store, error,
    "SELECT sample_table FROM instrument WHERE run = ? AND name = ? AND sample_table IS NOT NULL",
    "is", hook->run, hook->instrument);
  g_autoptr(GError) local = NULL;

  if (stmt == NULL)
    return FALSE;
  if (gilk_sql_step (store, stmt, &local))
    place->table = gilk_sql_quote ((const char *) sqlite3_column_text (stmt, 0));

  return gilk_sql_ended (&local, error);
}

static gboolean
find_column (GilkStore *store, const GilkStoredHook *hook, const char *field, Place *place,
             GError **error)
{
  GILK_AUTO_STMT stmt = gilk_sql_prepare (store, error,
    "SELECT f.column_name, f.type FROM field f JOIN instrument i ON i.id = f.instrument "
    "WHERE i.run = ? AND i.name = ? AND f.name = ?", "iss", hook->run, hook->instrument, field);
  g_autoptr(GError) local = NULL;

  if (stmt == NULL)
    return FALSE;
  if (gilk_sql_step (store, stmt, &local))
    {
      place->column = gilk_sql_quote ((const char *) sqlite3_column_text (stmt, 0));
      place->type = sqlite3_column_int64 (stmt, 1);
      return TRUE;
    }
  if (local != NULL)
    g_propagate_error (error, g_steal_pointer (&local));
  else
    g_set_error (error, GILK_ERROR, GILK_ERROR_NOT_FOUND,
                 "The samples of %s (instrument %s) have no field “%s”. Use one of their fields, "
                 "time or interval.", hook->label, hook->instrument, field);

  return FALSE;
}

static gboolean
need_samples (const GilkStoredHook *hook, const Place *place, GError **error)
{
  if (place->table != NULL)
    return TRUE;
  g_set_error (error, GILK_ERROR, GILK_ERROR_NOT_FOUND,
               "The hook %s counts only (instrument %s), it has no samples. Plot its counts.",
               hook->label, hook->instrument);

  return FALSE;
}

/* ---- series ---- */

static void
append_double (GArray *array, double value)
{
  g_array_append_val (array, value);
}

static double
number_of (sqlite3_stmt *stmt, int column, gint64 type)
{
  gint64 value = sqlite3_column_int64 (stmt, column);

  if (sqlite3_column_type (stmt, column) == SQLITE_NULL)
    return NAN;

  return type == ILK_FIELD_U64 || type == ILK_FIELD_HEX64 ? (double) (uint64_t) value
                                                          : (double) value;
}

typedef enum { VALUES_FIELD, VALUES_TIME, VALUES_INTERVAL } ValuesKind;

static gboolean
read_series (GilkStore *store, const GilkStoredHook *hook, const Place *place, ValuesKind kind,
             GArray *times, GArray *values, GError **error)
{
  g_autofree char *sql = g_strdup_printf ("SELECT t_ns%s%s FROM %s WHERE hook = ? ORDER BY t_ns",
                                          kind == VALUES_FIELD ? ", " : "",
                                          kind == VALUES_FIELD ? place->column : "", place->table);
  GILK_AUTO_STMT stmt = gilk_sql_prepare (store, error, sql, "i", hook->id);
  g_autoptr(GError) local = NULL;
  gint64 before = 0;
  gboolean first = TRUE;

  if (stmt == NULL)
    return FALSE;
  for (; gilk_sql_step (store, stmt, &local); first = FALSE)
    {
      gint64 t = sqlite3_column_int64 (stmt, 0);

      if (kind != VALUES_INTERVAL || !first)
        {
          append_double (times, (double) t / 1e9);
          append_double (values, kind == VALUES_FIELD ? number_of (stmt, 1, place->type)
                                 : kind == VALUES_TIME ? (double) t / 1e9
                                 : (double) (t - before) / 1e9);
        }
      before = t;
    }

  return gilk_sql_ended (&local, error);
}

gboolean
gilk_store_series (GilkStore            *store,
                   const GilkStoredHook *hook,
                   const char           *field,
                   GArray              **times,
                   GArray              **values,
                   GError              **error)
{
  g_autoptr(GArray) t = g_array_new (FALSE, FALSE, sizeof (double));
  g_autoptr(GArray) v = g_array_new (FALSE, FALSE, sizeof (double));
  g_auto(Place) place = { NULL };
  ValuesKind kind = strcmp (field, "time") == 0 ? VALUES_TIME
                    : strcmp (field, "interval") == 0 ? VALUES_INTERVAL : VALUES_FIELD;

  if (!find_table (store, hook, &place, error) || !need_samples (hook, &place, error) ||
      (kind == VALUES_FIELD && !find_column (store, hook, field, &place, error)))
    return FALSE;
  if (kind == VALUES_FIELD && place.type == ILK_FIELD_TEXT)
    {
      g_set_error (error, GILK_ERROR, GILK_ERROR_USAGE,
                   "The field “%s” of %s is text, which has no histogram or series. Group the "
                   "samples by it instead.", field, hook->label);
      return FALSE;
    }
  if (!read_series (store, hook, &place, kind, t, v, error))
    return FALSE;

  *times = g_steal_pointer (&t);
  *values = g_steal_pointer (&v);
  return TRUE;
}

GArray *
gilk_store_frames (GilkStore            *store,
                   const GilkStoredHook *hook,
                   GError              **error)
{
  g_autoptr(GArray) frames = g_array_new (FALSE, FALSE, sizeof (GilkStoredFrame));
  g_auto(Place) place = { NULL };
  g_autofree char *sql = NULL;
  GILK_AUTO_STMT stmt = NULL;
  g_autoptr(GError) local = NULL;

  if (!find_table (store, hook, &place, error) || !need_samples (hook, &place, error) ||
      !find_column (store, hook, "frame", &place, error))
    return NULL;
  sql = g_strdup_printf ("SELECT %s, t_ns, rowid FROM %s WHERE hook = ?", place.column,
                         place.table);
  stmt = gilk_sql_prepare (store, error, sql, "i", hook->id);
  if (stmt == NULL)
    return NULL;
  while (gilk_sql_step (store, stmt, &local))
    {
      const GilkStoredFrame frame = {
        .frame = (uint64_t) sqlite3_column_int64 (stmt, 0),
        .t_ns = sqlite3_column_int64 (stmt, 1),
        .row = sqlite3_column_int64 (stmt, 2),
      };

      g_array_append_val (frames, frame);
    }

  return gilk_sql_ended (&local, error) ? g_steal_pointer (&frames) : NULL;
}

gboolean
gilk_store_count_series (GilkStore            *store,
                         const GilkStoredHook *hook,
                         GArray              **times,
                         GArray              **values,
                         GError              **error)
{
  GILK_AUTO_STMT stmt = gilk_sql_prepare (store, error,
    "SELECT t_ns, hits FROM count_point WHERE hook = ? ORDER BY t_ns", "i", hook->id);
  g_autoptr(GArray) t = g_array_new (FALSE, FALSE, sizeof (double));
  g_autoptr(GArray) v = g_array_new (FALSE, FALSE, sizeof (double));
  g_autoptr(GError) local = NULL;

  if (stmt == NULL)
    return FALSE;
  while (gilk_sql_step (store, stmt, &local))
    {
      append_double (t, (double) sqlite3_column_int64 (stmt, 0) / 1e9);
      append_double (v, (double) sqlite3_column_int64 (stmt, 1));
    }
  if (!gilk_sql_ended (&local, error))
    return FALSE;

  *times = g_steal_pointer (&t);
  *values = g_steal_pointer (&v);
  return TRUE;
}

/* ---- groups ---- */

static void
clear_group (gpointer data)
{
  g_free (((GilkStoredGroup *) data)->value);
}

/* A cell as text: unsigned and hexadecimal fields as they are meant. */
static char *
cell_text (sqlite3_stmt *stmt, int column, gint64 type)
{
  uint64_t value = (uint64_t) sqlite3_column_int64 (stmt, column);

  if (sqlite3_column_type (stmt, column) == SQLITE_NULL)
    return g_strdup ("");
  if (type == ILK_FIELD_U64)
    return g_strdup_printf ("%" G_GUINT64_FORMAT, value);
  if (type == ILK_FIELD_HEX64)
    return g_strdup_printf ("0x%016" G_GINT64_MODIFIER "x", value);

  return gilk_sql_text (stmt, column);
}

GArray *
gilk_store_group (GilkStore            *store,
                  const GilkStoredHook *hook,
                  const char           *field,
                  GError              **error)
{
  g_auto(Place) place = { NULL };
  g_autofree char *sql = NULL;
  GILK_AUTO_STMT stmt = NULL;
  GArray *groups;
  GError *local = NULL;

  if (!find_table (store, hook, &place, error) || !need_samples (hook, &place, error) ||
      !find_column (store, hook, field, &place, error))
    return NULL;
  sql = g_strdup_printf ("SELECT %s, count (*) FROM %s WHERE hook = ? GROUP BY 1 "
                         "ORDER BY 2 DESC, 1", place.column, place.table);
  stmt = gilk_sql_prepare (store, error, sql, "i", hook->id);
  if (stmt == NULL)
    return NULL;

  groups = g_array_new (FALSE, TRUE, sizeof (GilkStoredGroup));
  g_array_set_clear_func (groups, clear_group);
  while (gilk_sql_step (store, stmt, &local))
    {
      GilkStoredGroup group = { cell_text (stmt, 0, place.type),
                                (uint64_t) sqlite3_column_int64 (stmt, 1) };

      g_array_append_val (groups, group);
    }

  return finish (groups, local, error);
}

/* ---- rows ---- */

typedef struct {
  GString   *sql;
  GPtrArray *names;               /* of columns, with units */
  GArray    *types;               /* gint64 */
} Rows;

static void
rows_clear (Rows *rows)
{
  g_string_free (rows->sql, TRUE);
  g_ptr_array_unref (rows->names);
  g_array_unref (rows->types);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Rows, rows_clear)

static void
add_column (Rows *rows, const char *expression, char *name, gint64 type)
{
  g_string_append_printf (rows->sql, "%s%s", rows->names->len > 0 ? ", " : "SELECT ", expression);
  g_ptr_array_add (rows->names, name);
  g_array_append_val (rows->types, type);
}

/* "latency" in ns is the column latency_ns. */
static gboolean
add_fields (GilkStore *store, const GilkStoredHook *hook, Rows *rows, GError **error)
{
  GILK_AUTO_STMT stmt = gilk_sql_prepare (store, error,
    "SELECT f.column_name, f.unit, f.type FROM field f JOIN instrument i ON i.id = f.instrument "
    "WHERE i.run = ? AND i.name = ? ORDER BY f.position", "is", hook->run, hook->instrument);
  g_autoptr(GError) local = NULL;

  if (stmt == NULL)
    return FALSE;
  while (gilk_sql_step (store, stmt, &local))
    {
      const char *column = (const char *) sqlite3_column_text (stmt, 0);
      const char *unit = (const char *) sqlite3_column_text (stmt, 1);
      g_autofree char *quoted = gilk_sql_quote (column);
      g_autofree char *expression = g_strconcat ("s.", quoted, NULL);

      add_column (rows, expression, unit != NULL && *unit != '\0'
                  ? g_strconcat (column, "_", unit, NULL) : g_strdup (column),
                  sqlite3_column_int64 (stmt, 2));
    }

  return gilk_sql_ended (&local, error);
}

static gboolean
build_rows (GilkStore *store, const GilkStoredHook *hook, Rows *rows, GError **error)
{
  g_auto(Place) place = { NULL };

  if (!find_table (store, hook, &place, error))
    return FALSE;

  add_column (rows, "h.label", g_strdup ("hook"), ILK_FIELD_TEXT);
  if (place.table != NULL)
    {
      add_column (rows, "s.cpu", g_strdup ("cpu"), ILK_FIELD_S64);
      add_column (rows, "s.t_ns", g_strdup ("t_ns"), ILK_FIELD_S64);
      if (!add_fields (store, hook, rows, error))
        return FALSE;
    }
  else
    {
      add_column (rows, "s.t_ns", g_strdup ("t_ns"), ILK_FIELD_S64);
      add_column (rows, "s.hits", g_strdup ("hits"), ILK_FIELD_U64);
    }
  g_string_append_printf (rows->sql, " FROM %s s JOIN hook h ON h.id = s.hook WHERE %s "
                          "ORDER BY s.t_ns", place.table != NULL ? place.table : "count_point",
                          hook->id != 0 ? "s.hook = ?" : "h.run = ? AND h.instrument = ?");

  return TRUE;
}

static gboolean
stream (GilkStore *store, sqlite3_stmt *stmt, const Rows *rows, GilkStoreRowFunc func,
        gpointer user_data, GError **error)
{
  guint n = rows->names->len;
  g_autofree char **cells = g_new0 (char *, n + 1);
  g_autoptr(GError) local = NULL;
  gboolean more = func (-1, n, (const char *const *) rows->names->pdata, user_data);

  for (gint64 row = 0; more && gilk_sql_step (store, stmt, &local); row++)
    {
      for (guint i = 0; i < n; i++)
        cells[i] = cell_text (stmt, (int) i, g_array_index (rows->types, gint64, i));
      more = func (row, n, (const char *const *) cells, user_data);
      for (guint i = 0; i < n; i++)
        g_clear_pointer (&cells[i], g_free);
    }

  return gilk_sql_ended (&local, error);
}

gboolean
gilk_store_rows (GilkStore            *store,
                 const GilkStoredHook *hook,
                 GilkStoreRowFunc      func,
                 gpointer              user_data,
                 GError              **error)
{
  g_auto(Rows) rows = {
    .sql = g_string_new (NULL),
    .names = g_ptr_array_new_null_terminated (8, g_free, TRUE),
    .types = g_array_new (FALSE, FALSE, sizeof (gint64)),
  };
  GILK_AUTO_STMT stmt = NULL;

  if (!build_rows (store, hook, &rows, error))
    return FALSE;
  stmt = hook->id != 0
         ? gilk_sql_prepare (store, error, rows.sql->str, "i", hook->id)
         : gilk_sql_prepare (store, error, rows.sql->str, "is", hook->run, hook->instrument);

  return stmt != NULL && stream (store, stmt, &rows, func, user_data, error);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-store-series.c - samples and counter readings of a hook, coming out of a session
 *
 * Where a hook's samples are is found and checked first (Place): a plain table of ours
 * with the columns that the instrument's fields name.
 */
#include "core/store/gilk-store-private.h"

#include <math.h>
#include <string.h>

/* ---- where a hook's samples are ---- */

typedef struct {
  char *name, *unit, *column;
  guint type;
} Field;

typedef struct {
  char   *table;                  /* NULL: the instrument takes no samples */
  GArray *fields;                 /* Field */
} Place;

static void
field_clear (gpointer data)
{
  Field *field = data;

  g_free (field->name);
  g_free (field->unit);
  g_free (field->column);
}

static void
place_clear (Place *place)
{
  g_free (place->table);
  g_clear_pointer (&place->fields, g_array_unref);
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
  if (gilk_sql_next (store, stmt, &local))
    gilk_sql_row (store, stmt, &local, "s", &place->table);

  return gilk_sql_ended (&local, error);
}

static gboolean
find_fields (GilkStore *store, const GilkStoredHook *hook, Place *place, GError **error)
{
  GILK_AUTO_STMT stmt = gilk_sql_prepare (store, error,
    "SELECT f.name, f.unit, f.column_name, f.type FROM field f JOIN instrument i "
    "ON i.id = f.instrument WHERE i.run = ? AND i.name = ? ORDER BY f.position", "is", hook->run,
    hook->instrument);
  g_autoptr(GError) local = NULL;

  if (stmt == NULL)
    return FALSE;
  place->fields = g_array_new (FALSE, TRUE, sizeof (Field));
  g_array_set_clear_func (place->fields, field_clear);
  while (gilk_sql_next (store, stmt, &local))
    {
      Field field = { NULL };

      if (gilk_sql_row (store, stmt, &local, "sssu", &field.name, &field.unit, &field.column,
                        &field.type))
        g_array_append_val (place->fields, field);
    }

  return gilk_sql_ended (&local, error);
}

/* The table as recording made it, and no other that a file may name. */
static gboolean
check_place (GilkStore *store, const Place *place, GError **error)
{
  g_autoptr(GString) wanted = g_string_new ("hook:INTEGER cpu:INTEGER t_ns:INTEGER ");
  g_autofree char *found = NULL;

  for (guint i = 0; i < place->fields->len; i++)
    {
      const Field *field = &g_array_index (place->fields, Field, i);

      g_string_append_printf (wanted, "%s:%s ", field->column,
                              field->type == ILK_FIELD_TEXT ? "TEXT" : "INTEGER");
    }
  found = gilk_guard_columns (store, place->table, error);
  if (found == NULL)
    return FALSE;
  if (g_str_has_prefix (place->table, "sample_") && strcmp (found, wanted->str) == 0)
    return TRUE;
  g_set_error (error, GILK_ERROR, GILK_ERROR_FORMAT,
               "%s is damaged: its table %s does not hold the samples that it should. Use a copy of "
               "it.", store->path, place->table);

  return FALSE;
}

static gboolean
find_place (GilkStore *store, const GilkStoredHook *hook, Place *place, GError **error)
{
  return find_table (store, hook, place, error) && find_fields (store, hook, place, error) &&
         (place->table == NULL || check_place (store, place, error));
}

static const Field *
find_field (const GilkStoredHook *hook, const Place *place, const char *name, GError **error)
{
  for (guint i = 0; i < place->fields->len; i++)
    if (strcmp (g_array_index (place->fields, Field, i).name, name) == 0)
      return &g_array_index (place->fields, Field, i);
  g_set_error (error, GILK_ERROR, GILK_ERROR_NOT_FOUND,
               "The samples of %s (instrument %s) have no field “%s”. Use one of their fields, "
               "time or interval.", hook->label, hook->instrument, name);

  return NULL;
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

/* ---- cells of samples ---- */

/* What a sample's cell may be: NULL where the record was too short for it. */
static gboolean
check_sample (GilkStore *store, sqlite3_stmt *stmt, int column, guint type, GError **error)
{
  int found = sqlite3_column_type (stmt, column);

  if (found == SQLITE_NULL || found == (type == ILK_FIELD_TEXT ? SQLITE_TEXT : SQLITE_INTEGER))
    return TRUE;
  g_set_error (error, GILK_ERROR, GILK_ERROR_FORMAT,
               "%s is damaged: a sample holds what its field %s cannot. Use a copy of it.",
               store->path, sqlite3_column_name (stmt, column));

  return FALSE;
}

static double
number_of (sqlite3_stmt *stmt, int column, guint type)
{
  gint64 value = sqlite3_column_int64 (stmt, column);

  if (sqlite3_column_type (stmt, column) == SQLITE_NULL)
    return NAN;

  return type == ILK_FIELD_U64 || type == ILK_FIELD_HEX64 ? (double) (uint64_t) value
                                                          : (double) value;
}

/* As text: unsigned and hexadecimal fields as they are meant. */
static char *
text_of (sqlite3_stmt *stmt, int column, guint type)
{
  uint64_t value = (uint64_t) sqlite3_column_int64 (stmt, column);

  if (sqlite3_column_type (stmt, column) == SQLITE_NULL)
    return g_strdup ("");
  if (type == ILK_FIELD_TEXT)
    return gilk_sql_text (stmt, column);
  if (type == ILK_FIELD_U64)
    return g_strdup_printf ("%" G_GUINT64_FORMAT, value);
  if (type == ILK_FIELD_HEX64)
    return g_strdup_printf ("0x%016" G_GINT64_MODIFIER "x", value);

  return g_strdup_printf ("%" G_GINT64_FORMAT, (gint64) value);
}

/* ---- series ---- */

typedef enum { VALUES_FIELD, VALUES_TIME } ValuesKind;

static void
append_double (GArray *array, double value)
{
  g_array_append_val (array, value);
}

static sqlite3_stmt *
prepare_samples (GilkStore *store, const GilkStoredHook *hook, const Place *place,
                 const char *columns, const char *tail, GError **error)
{
  g_autofree char *table = gilk_sql_quote (place->table);
  g_autofree char *sql = g_strdup_printf ("SELECT %s FROM %s WHERE hook = ? %s", columns, table,
                                          tail);

  return gilk_sql_prepare (store, error, sql, "i", hook->id);
}

static gboolean
read_series (GilkStore *store, const GilkStoredHook *hook, const Place *place, const Field *field,
             ValuesKind kind, GArray *times, GArray *values, GError **error)
{
  g_autofree char *quoted = field != NULL ? gilk_sql_quote (field->column) : g_strdup ("0");
  g_autofree char *columns = g_strconcat ("t_ns, ", quoted, NULL);
  GILK_AUTO_STMT stmt = prepare_samples (store, hook, place, columns, "ORDER BY t_ns", error);
  g_autoptr(GError) local = NULL;
  gint64 t;

  if (stmt == NULL)
    return FALSE;
  while (gilk_sql_next (store, stmt, &local))
    {
      if (!gilk_sql_row (store, stmt, &local, "i", &t) ||
          (field != NULL && !check_sample (store, stmt, 1, field->type, &local)))
        break;
      append_double (times, (double) t / 1e9);
      append_double (values, kind == VALUES_FIELD ? number_of (stmt, 1, field->type)
                                                  : (double) t / 1e9);
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
  const Field *found = NULL;
  ValuesKind kind = strcmp (field, "time") == 0 ? VALUES_TIME : VALUES_FIELD;

  if (!find_place (store, hook, &place, error) || !need_samples (hook, &place, error))
    return FALSE;
  if (kind == VALUES_FIELD && (found = find_field (hook, &place, field, error)) == NULL)
    return FALSE;
  if (found != NULL && found->type == ILK_FIELD_TEXT)
    {
      g_set_error (error, GILK_ERROR, GILK_ERROR_USAGE,
                   "The field “%s” of %s is text, which has no histogram or series. Group the "
                   "samples by it instead.", field, hook->label);
      return FALSE;
    }
  if (!read_series (store, hook, &place, found, kind, t, v, error))
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
  g_autofree char *columns = NULL, *quoted = NULL;
  GILK_AUTO_STMT stmt = NULL;
  g_autoptr(GError) local = NULL;
  const Field *field;

  if (!find_place (store, hook, &place, error) || !need_samples (hook, &place, error) ||
      (field = find_field (hook, &place, "frame", error)) == NULL)
    return NULL;
  quoted = gilk_sql_quote (field->column);
  columns = g_strconcat (quoted, ", t_ns, rowid", NULL);
  stmt = prepare_samples (store, hook, &place, columns, "", error);
  if (stmt == NULL)
    return NULL;
  while (gilk_sql_next (store, stmt, &local))
    {
      GilkStoredFrame frame;

      if (gilk_sql_row (store, stmt, &local, "aii", &frame.frame, &frame.t_ns, &frame.row))
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
  uint64_t hits;
  gint64 t_ns;

  if (stmt == NULL)
    return FALSE;
  while (gilk_sql_next (store, stmt, &local))
    if (gilk_sql_row (store, stmt, &local, "in", &t_ns, &hits))
      {
        append_double (t, (double) t_ns / 1e9);
        append_double (v, (double) hits);
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

GArray *
gilk_store_group (GilkStore            *store,
                  const GilkStoredHook *hook,
                  const char           *field,
                  GError              **error)
{
  g_autoptr(GArray) groups = g_array_new (FALSE, TRUE, sizeof (GilkStoredGroup));
  g_auto(Place) place = { NULL };
  g_autofree char *columns = NULL, *quoted = NULL;
  GILK_AUTO_STMT stmt = NULL;
  g_autoptr(GError) local = NULL;
  const Field *found;

  if (!find_place (store, hook, &place, error) || !need_samples (hook, &place, error) ||
      (found = find_field (hook, &place, field, error)) == NULL)
    return NULL;
  quoted = gilk_sql_quote (found->column);
  columns = g_strconcat ("count (*), ", quoted, NULL);
  stmt = prepare_samples (store, hook, &place, columns, "GROUP BY 2 ORDER BY 1 DESC, 2", error);
  if (stmt == NULL)
    return NULL;

  g_array_set_clear_func (groups, clear_group);
  while (gilk_sql_next (store, stmt, &local))
    {
      GilkStoredGroup group = { NULL };

      if (!gilk_sql_row (store, stmt, &local, "n", &group.count) ||
          !check_sample (store, stmt, 1, found->type, &local))
        break;
      group.value = text_of (stmt, 1, found->type);
      g_array_append_val (groups, group);
    }

  return gilk_sql_ended (&local, error) ? g_steal_pointer (&groups) : NULL;
}

/* ---- rows ---- */

typedef struct {
  GString   *columns;
  GPtrArray *names;               /* with units; the first is "hook", which is no column */
  GArray    *types;               /* guint, of the columns */
} Rows;

static void
rows_clear (Rows *rows)
{
  g_string_free (rows->columns, TRUE);
  g_ptr_array_unref (rows->names);
  g_array_unref (rows->types);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Rows, rows_clear)

static void
add_column (Rows *rows, const char *column, char *name, guint type)
{
  g_autofree char *quoted = gilk_sql_quote (column);

  g_string_append_printf (rows->columns, "%s%s", rows->types->len > 0 ? ", " : "", quoted);
  g_ptr_array_add (rows->names, name);
  g_array_append_val (rows->types, type);
}

static void
add_columns (Rows *rows, const Place *place)
{
  g_ptr_array_add (rows->names, g_strdup ("hook"));
  if (place->table != NULL)
    add_column (rows, "cpu", g_strdup ("cpu"), ILK_FIELD_S64);
  add_column (rows, "t_ns", g_strdup ("t_ns"), ILK_FIELD_S64);
  if (place->table == NULL)
    add_column (rows, "hits", g_strdup ("hits"), ILK_FIELD_U64);
  for (guint i = 0; place->table != NULL && i < place->fields->len; i++)
    {
      const Field *field = &g_array_index (place->fields, Field, i);

      /* "latency" in ns is the column latency_ns. */
      add_column (rows, field->column, *field->unit != '\0'
                  ? g_strconcat (field->column, "_", field->unit, NULL) : g_strdup (field->column),
                  field->type);
    }
}

static gboolean
stream (GilkStore *store, sqlite3_stmt *stmt, const GilkStoredHook *hook, const Rows *rows,
        GilkStoreRowFunc func, gpointer user_data, GError **error)
{
  guint n = rows->names->len;
  g_autofree const char **cells = g_new0 (const char *, n + 1);
  g_autoptr(GPtrArray) texts = g_ptr_array_new_with_free_func (g_free);
  g_autoptr(GError) local = NULL;
  gboolean more = func (-1, n, (const char *const *) rows->names->pdata, user_data);

  cells[0] = hook->label;
  for (gint64 row = 0; more && gilk_sql_next (store, stmt, &local); row++)
    {
      g_ptr_array_set_size (texts, 0);
      for (guint i = 1; i < n && local == NULL; i++)
        {
          guint type = g_array_index (rows->types, guint, i - 1);

          if (check_sample (store, stmt, (int) i - 1, type, &local))
            g_ptr_array_add (texts, (char *) (cells[i] = text_of (stmt, (int) i - 1, type)));
        }
      more = local == NULL && func (row, n, cells, user_data);
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
    .columns = g_string_new (NULL),
    .names = g_ptr_array_new_null_terminated (8, g_free, TRUE),
    .types = g_array_new (FALSE, FALSE, sizeof (guint)),
  };
  g_auto(Place) place = { NULL };
  GILK_AUTO_STMT stmt = NULL;

  if (!find_place (store, hook, &place, error))
    return FALSE;
  add_columns (&rows, &place);
  if (place.table == NULL)
    place.table = g_strdup ("count_point");
  stmt = prepare_samples (store, hook, &place, rows.columns->str, "ORDER BY t_ns", error);

  return stmt != NULL && stream (store, stmt, hook, &rows, func, user_data, error);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-store-samples.c - a table for each instrument, and records becoming rows
 *
 * An instrument's fields become real columns, so that plain SQL reads them. The
 * table belongs to one run: its index can be built when the run has ended, and
 * another version of the instrument does not disturb it.
 */
#include "core/store/gilk-store-private.h"

#include <string.h>

/* Compound SELECTs of SQLite have at most 500 terms; views cover the latest runs. */
#define VIEW_RUNS_MAX 400

void
gilk_store_table_free (gpointer data)
{
  GilkStoreTable *table = data;

  sqlite3_finalize (table->insert);
  g_free (table->name);
  g_free (table->table);
  g_free (table);
}

/* ---- names ---- */

static char *
sanitise (const char *name)
{
  char *clean = g_ascii_strdown (name, -1);

  g_strcanon (clean, "abcdefghijklmnopqrstuvwxyz0123456789_", '_');
  if (*clean == '\0' || g_ascii_isdigit (*clean))
    {
      char *prefixed = g_strconcat ("f_", clean, NULL);

      g_free (clean);
      return prefixed;
    }

  return clean;
}

/* Columns of ours, and those that come before, keep their names. */
static char *
column_name (const char *field, const GPtrArray *taken)
{
  static const char *const ours[] = { "run", "hook", "function", "block", "place", "cpu", "t",
                                      "t_ns", NULL };
  char *name = sanitise (field);

  while (g_strv_contains (ours, name) ||
         g_ptr_array_find_with_equal_func ((GPtrArray *) taken, name, g_str_equal, NULL))
    {
      char *longer = g_strconcat (name, "_", NULL);

      g_free (name);
      name = longer;
    }

  return name;
}

/* ---- what an instrument says about itself ---- */

static guint
type_size (const struct ilk_field *field)
{
  switch (field->type)
    {
    case ILK_FIELD_U64:
    case ILK_FIELD_S64:
    case ILK_FIELD_HEX64:
      return 8;
    case ILK_FIELD_U32:
    case ILK_FIELD_S32:
      return 4;
    case ILK_FIELD_TEXT:
      return field->size;
    default:
      return 0;
    }
}

static gboolean
terminated (const char *text, gsize size)
{
  return memchr (text, '\0', size) != NULL;
}

static gboolean
valid_field (const struct ilk_field *field, guint sample_bytes)
{
  return terminated (field->name, sizeof field->name) &&
         terminated (field->unit, sizeof field->unit) &&
         terminated (field->help, sizeof field->help) &&
         field->size > 0 && field->size == type_size (field) &&
         (guint) field->offset + field->size <= sample_bytes;
}

static gboolean
valid_desc (const struct ilk_instrument_desc *desc)
{
  if (!terminated (desc->name, sizeof desc->name) || desc->name[0] == '\0' ||
      !terminated (desc->help, sizeof desc->help) ||
      desc->sample_bytes > ILK_SAMPLE_MAX || desc->field_count > ILK_FIELDS_MAX)
    return FALSE;
  for (guint i = 0; i < desc->field_count; i++)
    if (!valid_field (&desc->fields[i], desc->sample_bytes))
      return FALSE;

  return TRUE;
}

static gboolean
insert_fields (GilkStore *store, gint64 instrument, const struct ilk_instrument_desc *desc,
               const GPtrArray *columns, GError **error)
{
  for (guint i = 0; i < desc->field_count; i++)
    {
      const struct ilk_field *field = &desc->fields[i];

      if (!gilk_sql_run (store, error, "INSERT INTO field VALUES (?, ?, ?, ?, ?, ?, ?)", "iissssi",
                         instrument, (gint64) i, field->name, g_ptr_array_index (columns, i),
                         field->unit, field->help, (gint64) field->type))
        return FALSE;
    }

  return TRUE;
}

static gboolean
make_table (GilkStore *store, GilkStoreTable *table, const GPtrArray *columns, GError **error)
{
  g_autoptr(GString) create = g_string_new (NULL);
  g_autoptr(GString) insert = g_string_new (NULL);
  g_autofree char *quoted = gilk_sql_quote (table->table);

  g_string_printf (create, "CREATE TABLE %s (hook INTEGER NOT NULL, cpu INTEGER NOT NULL, "
                   "t_ns INTEGER NOT NULL", quoted);
  g_string_printf (insert, "INSERT INTO %s VALUES (?, ?, ?", quoted);
  for (guint i = 0; i < columns->len; i++)
    {
      g_string_append_printf (create, ", \"%s\" %s", (char *) g_ptr_array_index (columns, i),
                              table->fields[i].type == ILK_FIELD_TEXT ? "TEXT" : "INTEGER");
      g_string_append (insert, ", ?");
    }
  g_string_append_c (create, ')');
  g_string_append_c (insert, ')');

  if (!gilk_sql_run (store, error, create->str, ""))
    return FALSE;
  if (sqlite3_prepare_v3 (store->db, insert->str, -1, SQLITE_PREPARE_PERSISTENT, &table->insert,
                          NULL) != SQLITE_OK)
    return gilk_sql_fail (store, error);

  return TRUE;
}

static gboolean
insert_instrument (GilkStore *store, gint64 run, const struct ilk_instrument_desc *desc,
                   GilkStoreTable *table, GError **error)
{
  g_autoptr(GPtrArray) columns = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < desc->field_count; i++)
    g_ptr_array_add (columns, column_name (desc->fields[i].name, columns));

  return gilk_sql_run (store, error,
                       "INSERT INTO instrument (run, name, help, version, sample_bytes, "
                       "sample_table) VALUES (?, ?, ?, ?, ?, ?)", "issiis", run, desc->name,
                       desc->help, (gint64) desc->version, (gint64) desc->sample_bytes,
                       table->table) &&
         insert_fields (store, sqlite3_last_insert_rowid (store->db), desc, columns, error) &&
         (table->table == NULL || make_table (store, table, columns, error)) &&
         gilk_store_make_views (store, error);
}

/* "count" alone takes no samples; whatever else has none of its own has their times. */
gboolean
gilk_store_add_instrument (GilkStore                        *store,
                           gint64                            run,
                           const struct ilk_instrument_desc *desc,
                           GError                          **error)
{
  g_autofree char *clean = NULL;
  GilkStoreTable *table;

  if (!gilk_store_check_run (store, run, error))
    return FALSE;
  if (!valid_desc (desc))
    {
      g_set_error (error, GILK_ERROR, GILK_ERROR_PROTOCOL,
                   "The instrument “%.31s” describes its samples in a way that cannot be: a field "
                   "lies outside of them or has no name. Correct the instrument.", desc->name);
      return FALSE;
    }
  if (g_hash_table_contains (store->tables, desc->name))
    return TRUE;

  clean = sanitise (desc->name);
  table = g_new0 (GilkStoreTable, 1);
  table->name = g_strdup (desc->name);
  if (strcmp (desc->name, "count") != 0)
    table->table = g_strdup_printf ("sample_%" G_GINT64_FORMAT "_%s", run, clean);
  table->sample_bytes = desc->sample_bytes;
  table->n_fields = desc->field_count;
  memcpy (table->fields, desc->fields, desc->field_count * sizeof *table->fields);

  if (!gilk_store_want_transaction (store, error) ||
      !insert_instrument (store, run, desc, table, error))
    {
      gilk_store_table_free (table);
      gilk_store_roll_back (store);
      return FALSE;
    }
  g_hash_table_insert (store->tables, table->name, table);

  return TRUE;
}

/* ---- views over all runs ---- */

/* How a column is shown: as people expect, not as SQLite keeps it. */
static char *
shown_column (const char *column, gint64 type)
{
  if (type == ILK_FIELD_U64)
    return g_strdup_printf ("CASE WHEN s.\"%s\" < 0 THEN printf ('%%llu', s.\"%s\") "
                            "ELSE s.\"%s\" END",
                            column, column, column);
  if (type == ILK_FIELD_HEX64)
    return g_strdup_printf ("printf ('0x%%016x', s.\"%s\")", column);

  return g_strdup_printf ("s.\"%s\"", column);
}

/* Column names over all runs of an instrument, in order of appearance. */
static gboolean
all_columns (GilkStore *store, const char *instrument, GPtrArray *columns, GError **error)
{
  GILK_AUTO_STMT stmt = gilk_sql_prepare (store, error,
    "SELECT f.column_name FROM field f JOIN instrument i ON i.id = f.instrument "
    "WHERE i.name = ? GROUP BY 1 ORDER BY min (i.id), min (f.position)", "s", instrument);
  g_autoptr(GError) local = NULL;

  if (stmt == NULL)
    return FALSE;
  while (gilk_sql_step (store, stmt, &local))
    g_ptr_array_add (columns, g_strdup ((const char *) sqlite3_column_text (stmt, 0)));

  return gilk_sql_ended (&local, error);
}

/* One run's share: its columns where it has them, NULL where it has not. */
static gboolean
append_share (GilkStore *store, gint64 instrument, const char *table, const GPtrArray *columns,
              GString *sql, GError **error)
{
  g_autofree char *quoted = gilk_sql_quote (table);

  g_string_append (sql, sql->len > 0 ? " UNION ALL " : "");
  g_string_append (sql, "SELECT h.run AS run, h.label AS hook, h.function AS function, "
                   "h.block AS block, h.place AS place, s.cpu AS cpu, s.t_ns / 1e9 AS t");
  for (guint i = 0; i < columns->len; i++)
    {
      const char *column = g_ptr_array_index (columns, i);
      g_autofree char *shown = NULL;
      gint64 type;

      if (!gilk_sql_value (store, error, &type, -1,
                           "SELECT type FROM field WHERE instrument = ? AND column_name = ?", "is",
                           instrument, column))
        return FALSE;
      shown = type < 0 ? g_strdup ("NULL") : shown_column (column, type);
      g_string_append_printf (sql, ", %s AS \"%s\"", shown, column);
    }
  g_string_append_printf (sql, " FROM %s s JOIN hook h ON h.id = s.hook", quoted);

  return TRUE;
}

static gboolean
make_view (GilkStore *store, const char *instrument, GError **error)
{
  GILK_AUTO_STMT stmt = gilk_sql_prepare (store, error,
    "SELECT id, sample_table FROM (SELECT id, sample_table FROM instrument "
    "WHERE name = ? AND sample_table IS NOT NULL ORDER BY id DESC LIMIT ?) ORDER BY id", "si",
    instrument, (gint64) VIEW_RUNS_MAX);
  g_autoptr(GPtrArray) columns = g_ptr_array_new_with_free_func (g_free);
  g_autoptr(GString) body = g_string_new (NULL);
  g_autofree char *clean = sanitise (instrument);
  g_autofree char *drop = g_strdup_printf ("DROP VIEW IF EXISTS \"samples_%s\"", clean);
  g_autofree char *create = NULL;
  g_autoptr(GError) local = NULL;

  if (stmt == NULL || !all_columns (store, instrument, columns, error))
    return FALSE;
  while (gilk_sql_step (store, stmt, &local))
    if (!append_share (store, sqlite3_column_int64 (stmt, 0),
                       (const char *) sqlite3_column_text (stmt, 1), columns, body, error))
      return FALSE;
  if (!gilk_sql_ended (&local, error))
    return FALSE;
  sqlite3_reset (stmt);
  create = g_strdup_printf ("CREATE VIEW \"samples_%s\" AS %s", clean, body->str);

  return gilk_sql_run (store, error, drop, "") && gilk_sql_run (store, error, create, "");
}

static gboolean
collect_texts (GilkStore *store, GPtrArray *out, GError **error, const char *sql, gint64 run)
{
  GILK_AUTO_STMT stmt = gilk_sql_prepare (store, error, sql, "i", run);
  g_autoptr(GError) local = NULL;

  if (stmt == NULL)
    return FALSE;
  while (gilk_sql_step (store, stmt, &local))
    g_ptr_array_add (out, g_strdup ((const char *) sqlite3_column_text (stmt, 0)));

  return gilk_sql_ended (&local, error);
}

/* Of the run that is being recorded; those of other instruments stay as they are. */
gboolean
gilk_store_make_views (GilkStore *store,
                       GError   **error)
{
  g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func (g_free);

  if (!collect_texts (store, names, error,
                      "SELECT name FROM instrument WHERE run = ? AND sample_table IS NOT NULL",
                      store->run))
    return FALSE;
  for (guint i = 0; i < names->len; i++)
    if (!make_view (store, g_ptr_array_index (names, i), error))
      return FALSE;

  return TRUE;
}

/* An index only makes reading faster: on a full disk there is none. */
static gboolean
make_index (GilkStore *store, const char *table, GError **error)
{
  g_autofree char *sql = g_strdup_printf ("CREATE INDEX IF NOT EXISTS \"%s_by_hook\" "
                                          "ON \"%s\" (hook, t_ns)", table, table);
  GError *local = NULL;

  if (gilk_sql_run (store, &local, sql, ""))
    return TRUE;
  if (g_error_matches (local, GILK_ERROR, GILK_ERROR_STORE))
    {
      g_error_free (local);
      return TRUE;
    }
  g_propagate_error (error, local);

  return FALSE;
}

gboolean
gilk_store_make_indexes (GilkStore *store,
                         gint64     run,
                         GError   **error)
{
  g_autoptr(GPtrArray) tables = g_ptr_array_new_with_free_func (g_free);

  if (!collect_texts (store, tables, error, "SELECT sample_table FROM instrument "
                      "WHERE run = ? AND sample_table IS NOT NULL", run))
    return FALSE;
  for (guint i = 0; i < tables->len; i++)
    if (!make_index (store, g_ptr_array_index (tables, i), error))
      return FALSE;

  return TRUE;
}

/* ---- records ---- */

static void
bind_field (sqlite3_stmt *stmt, int index, const struct ilk_field *field, const uint8_t *payload,
            guint length)
{
  const uint8_t *at = payload + field->offset;
  uint32_t u32;
  gint64 s64;

  if ((guint) field->offset + field->size > length)
    {
      sqlite3_bind_null (stmt, index);
      return;
    }

  switch (field->type)
    {
    case ILK_FIELD_U32:
      memcpy (&u32, at, sizeof u32);
      sqlite3_bind_int64 (stmt, index, (gint64) u32);
      break;
    case ILK_FIELD_S32:
      memcpy (&u32, at, sizeof u32);
      sqlite3_bind_int64 (stmt, index, (gint32) u32);
      break;
    case ILK_FIELD_TEXT:
      sqlite3_bind_text (stmt, index, (const char *) at,
                         (int) strnlen ((const char *) at, field->size), SQLITE_STATIC);
      break;
    default:
      memcpy (&s64, at, sizeof s64);
      sqlite3_bind_int64 (stmt, index, s64);
      break;
    }
}

/* TSC to ns: the product needs more than 64 bits after some hours. */
static gint64
tsc_to_ns (const GilkStore *store, uint64_t tsc)
{
  __int128 ticks = (__int128) tsc - (__int128) store->zero_tsc;

  return (gint64) (ticks * 1000000 / (__int128) store->tsc_khz);
}

static gboolean
insert_record (GilkStore *store, const GilkStoreSlot *slot, guint cpu,
               const struct ilk_record *record, GError **error)
{
  const GilkStoreTable *table = slot->table;
  sqlite3_stmt *stmt = table->insert;
  gboolean done;

  sqlite3_bind_int64 (stmt, 1, slot->id);
  sqlite3_bind_int64 (stmt, 2, (gint64) cpu);
  sqlite3_bind_int64 (stmt, 3, tsc_to_ns (store, record->tsc));
  for (guint i = 0; i < table->n_fields; i++)
    bind_field (stmt, 4 + (int) i, &table->fields[i], record->data, record->len);

  done = sqlite3_step (stmt) == SQLITE_DONE;
  if (!done)
    gilk_sql_fail (store, error);
  sqlite3_reset (stmt);

  return done;
}

/* The record at @at if all of it is there; @size is what it takes. */
static const struct ilk_record *
next_record (const uint8_t *at, const uint8_t *end, gsize *size)
{
  const struct ilk_record *record = (const struct ilk_record *) at;

  if ((gsize) (end - at) < sizeof *record || record->len > ILK_SAMPLE_MAX)
    return NULL;
  *size = (gsize) ILK_RECORD_CELLS (record->len) * ILK_CELL;

  return *size <= (gsize) (end - at) ? record : NULL;
}

gboolean
gilk_store_add_records (GilkStore  *store,
                        gint64      run,
                        guint       cpu,
                        const void *cells,
                        gsize       bytes,
                        guint      *stored,
                        GError    **error)
{
  const uint8_t *at = cells, *end = at + bytes;
  gsize size;

  *stored = 0;
  if (run == 0 || run != store->run || cpu >= store->n_cpus)
    {
      g_set_error (error, GILK_ERROR, GILK_ERROR_STORE,
                   "Samples came for a run or a processor that is not being recorded to %s. "
                   "Please report this.", store->path);
      return FALSE;
    }

  for (; at < end; at += size)
    {
      const struct ilk_record *record = next_record (at, end, &size);
      const GilkStoreSlot *slot;

      if (record == NULL)
        {
          g_set_error (error, GILK_ERROR, GILK_ERROR_PROTOCOL,
                       "The samples of processor %u are not whole records. Make sure that Gilk "
                       "and its driver are of the same release.", cpu);
          return FALSE;
        }
      slot = record->iid < store->slots->len
             ? g_ptr_array_index (store->slots, record->iid) : NULL;
      if (slot == NULL || slot->table == NULL || slot->table->insert == NULL)
        continue;
      if (!gilk_store_want_transaction (store, error))
        return FALSE;
      if (!insert_record (store, slot, cpu, record, error))
        {
          gilk_store_roll_back (store);
          return FALSE;
        }
      slot->stored[cpu]++;
      *stored += 1;
      if (!gilk_store_wrote (store, 1, error))
        return FALSE;
    }

  return TRUE;
}

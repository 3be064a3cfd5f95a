/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-samples-sql.c - provides SQLite virtual tables that read samples through a cursor
 *
 * All tables of a connection share one store, which is closed with the module.
 */
#ifdef GILK_LOADABLE
#include <sqlite3ext.h>
SQLITE_EXTENSION_INIT3
#endif
#include "core/base/gilk-array.h"
#include "core/base/gilk-memory.h"
#include "core/samples/gilk-query.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#include "core/samples/gilk-samples.h"
#include "core/store/gilk-sql.h"

enum { COLUMN_RUN, COLUMN_HOOK, COLUMN_FUNCTION, COLUMN_BLOCK, COLUMN_PLACE, COLUMN_CPU, COLUMN_T,
       COLUMN_T_NS, COLUMN_FIELDS };

static const char ours[] = "run INTEGER, hook TEXT, function TEXT, block TEXT, place TEXT, "
                           "cpu INTEGER, t REAL, t_ns INTEGER";

/* A run that has samples of the table's instrument. */
typedef struct {
  gint64  id;
  GArray *hooks;                  /* (element-type GilkStoredHook) */
  GArray *fields;                 /* (element-type GilkStoredField) */
} Run;

typedef struct {
  sqlite3_vtab base;
  GilkStore   *store;             /* (unowned): owned by the SQLite module */
  GArray      *runs;              /* (element-type Run): runs with samples of the instrument */
  GPtrArray   *columns;           /* names of the fields' columns, in all runs */
} Table;

typedef struct {
  sqlite3_vtab_cursor base;
  GilkSamples    *samples;        /* samples of the current run */
  GilkSampleBlock block;
  guint           at;             /* index of the current sample in @block */
  gint64          row;
  gboolean        ended;
  guint           run;            /* index of the next run to read, in the table's @runs */
  guint          *numbers;        /* for each field column: 1 + index of the field in @block's
                                   * arrays; 0: @block does not have the field */
  guint          *types;
  GHashTable     *hooks;          /* hook id -> GilkStoredHook, for the hooks of the current run */

  /* constraints of the SQL query: */
  uint64_t        used;           /* bit mask of the query's columns, as numbered by SQLite */
  gint64          only_run, only_cpu;      /* -1: any */
  char           *only_hook;      /* NULL: any */
  gint64          from_ns, to_ns;
} Cursor;

/* ---- reads runs, hooks and fields from the session ---- */

static void
clear_run (gpointer data)
{
  Run *run = data;

  g_clear_pointer (&run->hooks, g_array_unref);
  g_clear_pointer (&run->fields, g_array_unref);
}

static void
table_free (Table *table)
{
  g_clear_pointer (&table->runs, g_array_unref);
  g_clear_pointer (&table->columns, g_ptr_array_unref);
  sqlite3_free (table->base.zErrMsg);
  g_free (table);
}

static int
set_message (char **message, GError *error)
{
  int code = g_error_matches (error, GILK_ERROR, GILK_ERROR_CANCELLED) ? SQLITE_INTERRUPT
                                                                       : SQLITE_ERROR;

  sqlite3_free (*message);
  *message = sqlite3_mprintf ("%s", error->message);
  g_error_free (error);

  return code;
}

static void
add_columns (Table *table, const GArray *fields)
{
  for (guint i = 0; i < fields->len; i++)
    {
      const char *column = g_array_index (fields, GilkStoredField, i).column;

      if (!g_ptr_array_find_with_equal_func (table->columns, column, g_str_equal, NULL))
        g_ptr_array_add (table->columns, g_strdup (column));
    }
}

/* Returns the hooks of @instrument in a run. */
static GArray *
read_hooks (GilkStore *store, gint64 run, const char *instrument, GError **error)
{
  GArray *hooks = gilk_store_hooks (store, run, error);

  for (guint i = hooks != NULL ? hooks->len : 0; i-- > 0;)
    if (strcmp (g_array_index (hooks, GilkStoredHook, i).instrument, instrument) != 0)
      g_array_remove_index_fast (hooks, i);

  return hooks;
}

static gboolean
find_runs (Table *table, const char *instrument, GError **error)
{
  g_autoptr(GArray) runs = gilk_store_runs (table->store, error);

  for (guint i = 0; runs != NULL && i < runs->len; i++)
    {
      Run run = { .id = g_array_index (runs, GilkStoredRun, i).id };

      run.hooks = read_hooks (table->store, run.id, instrument, error);
      run.fields = run.hooks != NULL ? gilk_store_fields (table->store, run.id, instrument, error)
                                     : NULL;
      if (run.fields == NULL)
        {
          clear_run (&run);
          return FALSE;
        }
      add_columns (table, run.fields);
      if (run.hooks->len > 0)
        g_array_append_val (table->runs, run);
      else
        clear_run (&run);
    }

  return runs != NULL;
}

/* ---- a table ---- */

static int
declare_table (sqlite3 *db, const Table *table)
{
  g_autoptr(GString) sql = g_string_new ("CREATE TABLE samples (");

  g_string_append (sql, ours);
  for (guint i = 0; i < table->columns->len; i++)
    {
      char *column = sqlite3_mprintf (", \"%w\"", g_ptr_array_index (table->columns, i));

      g_string_append (sql, column);
      sqlite3_free (column);
    }
  g_string_append_c (sql, ')');

  return sqlite3_declare_vtab (db, sql->str);
}

/* Unquotes a module argument: SQLite passes it as written, with its quotes. (transfer full)
 * (nullable) */
static char *
unquote_argument (const char *literal)
{
  gsize n = strlen (literal);
  g_autofree char *inner = n >= 2 && literal[0] == '\'' && literal[n - 1] == '\'' ? g_strndup (literal + 1, n - 2) : NULL;
  g_auto(GStrv) parts = inner != NULL ? g_strsplit (inner, "''", -1) : NULL;

  return parts != NULL ? g_strjoinv ("'", parts) : NULL;
}

/* Creates a virtual table. Its argument is the instrument's name as a string literal. */
static int
on_connect (sqlite3 *db, void *aux, int argc, const char *const *argv, sqlite3_vtab **vtab,
            char **message)
{
  g_autofree char *instrument = argc == 4 ? unquote_argument (argv[3]) : NULL;
  Table *table = g_new0 (Table, 1);
  GError *error = NULL;
  int code;

  table->store = aux;
  table->runs = gilk_array_new (sizeof (Run), clear_run);
  table->columns = g_ptr_array_new_with_free_func (g_free);
  code = instrument == NULL ? SQLITE_MISUSE
         : !find_runs (table, instrument, &error) ? set_message (message, error) : declare_table (db, table);
  if (code != SQLITE_OK)
    {
      table_free (table);
      return code;
    }
  *vtab = &table->base;

  return SQLITE_OK;
}

static int
on_disconnect (sqlite3_vtab *vtab)
{
  table_free ((Table *) vtab);

  return SQLITE_OK;
}

/* ---- constraints of a query: idxStr is colUsed in hex, then one letter per argument ---- */

static char
get_constraint_letter (const struct sqlite3_index_constraint *constraint)
{
  gboolean is = constraint->op == SQLITE_INDEX_CONSTRAINT_EQ;
  gboolean from = constraint->op == SQLITE_INDEX_CONSTRAINT_GT ||
                  constraint->op == SQLITE_INDEX_CONSTRAINT_GE;
  gboolean to = constraint->op == SQLITE_INDEX_CONSTRAINT_LT ||
                constraint->op == SQLITE_INDEX_CONSTRAINT_LE;

  switch (constraint->iColumn)
    {
    case COLUMN_RUN:
      return is ? 'r' : 0;
    case COLUMN_HOOK:
      return is ? 'h' : 0;
    case COLUMN_CPU:
      return is ? 'c' : 0;
    case COLUMN_T:
      return is ? 'e' : from ? 'f' : to ? 't' : 0;
    case COLUMN_T_NS:
      return is ? 'E' : from ? 'F' : to ? 'T' : 0;
    default:
      return 0;
    }
}

static int
on_best_index (sqlite3_vtab *vtab, sqlite3_index_info *info)
{
  g_autoptr(GString) plan = g_string_new (NULL);
  double cost = 1e9;
  int n = 0;

  g_string_printf (plan, "%" G_GINT64_MODIFIER "x ", (guint64) info->colUsed);
  for (int i = 0; i < info->nConstraint; i++)
    {
      char letter = info->aConstraint[i].usable ? get_constraint_letter (&info->aConstraint[i]) : 0;

      if (letter == 0)
        continue;
      info->aConstraintUsage[i].argvIndex = ++n;
      g_string_append_c (plan, letter);
      cost /= strchr ("reE", letter) != NULL ? 1000 : 10;
    }
  info->estimatedCost = MAX (cost, 1);
  info->estimatedRows = (sqlite3_int64) MAX (cost, 1);
  info->idxStr = sqlite3_mprintf ("%s", plan->str);
  info->needToFreeIdxStr = 1;

  return info->idxStr != NULL ? SQLITE_OK : SQLITE_NOMEM;
}

/* Converts a time in a query's constraint to ns, moved by @wider ns if it is in seconds. SQLite
 * checks each row again, so the range of times may be too wide but not too narrow. */
static gint64
value_to_ns (sqlite3_value *value, char letter, double wider)
{
  double seconds = sqlite3_value_double (value);

  if (g_ascii_isupper (letter))
    return sqlite3_value_type (value) == SQLITE_INTEGER ? sqlite3_value_int64 (value)
                                                        : (gint64) CLAMP (seconds, -9e18, 9e18);

  return (gint64) CLAMP (seconds * 1e9 + wider, -9e18, 9e18);
}

static void
apply_argument (Cursor *cursor, char letter, sqlite3_value *value)
{
  gint64 from = value_to_ns (value, letter, -1024.0), to = value_to_ns (value, letter, 1024.0);

  to = to < G_MAXINT64 - 1 ? to + 2 : G_MAXINT64;
  if (letter == 'r')
    cursor->only_run = sqlite3_value_int64 (value);
  else if (letter == 'c')
    cursor->only_cpu = sqlite3_value_int64 (value);
  else if (letter == 'h')
    {
      g_free (cursor->only_hook);
      cursor->only_hook = g_strdup ((const char *) sqlite3_value_text (value));
    }
  if (strchr ("eEfF", letter) != NULL)
    cursor->from_ns = MAX (cursor->from_ns, from);
  if (strchr ("eEtT", letter) != NULL)
    cursor->to_ns = MIN (cursor->to_ns, to);
}

/* ---- a cursor ---- */

static int
on_open (sqlite3_vtab *vtab, sqlite3_vtab_cursor **out)
{
  const Table *table = (const Table *) vtab;
  Cursor *cursor = g_new0 (Cursor, 1);

  cursor->numbers = g_new0 (guint, table->columns->len + 1);
  cursor->types = g_new0 (guint, table->columns->len + 1);
  cursor->hooks = g_hash_table_new (g_int64_hash, g_int64_equal);
  *out = &cursor->base;

  return SQLITE_OK;
}

static int
on_close (sqlite3_vtab_cursor *base)
{
  Cursor *cursor = (Cursor *) base;

  gilk_samples_free (cursor->samples);
  g_hash_table_unref (cursor->hooks);
  gilk_free_all (cursor->numbers, cursor->types, cursor->only_hook, cursor);

  return SQLITE_OK;
}

static Table *
get_table (const Cursor *cursor)
{
  return (Table *) cursor->base.pVtab;
}

static gboolean
uses_column (const Cursor *cursor, guint column)
{
  return cursor->used >> MIN (column, 63) & 1;
}

static gboolean
request_fields (Cursor *cursor, const Run *run, GError **error)
{
  const Table *table = get_table (cursor);

  for (guint c = 0; c < table->columns->len; c++)
    {
      cursor->numbers[c] = 0;
      for (guint i = 0; uses_column (cursor, COLUMN_FIELDS + c) && i < run->fields->len; i++)
        {
          const GilkStoredField *field = &g_array_index (run->fields, GilkStoredField, i);

          if (strcmp (field->column, g_ptr_array_index (table->columns, c)) != 0)
            continue;
          if (!gilk_samples_add_field (cursor->samples, field->name, &cursor->numbers[c],
                                       &cursor->types[c], error))
            return FALSE;
          cursor->numbers[c]++;
          break;
        }
    }

  return TRUE;
}

static gboolean
begin_run (Cursor *cursor, const Run *run, GError **error)
{
  g_autoptr(GArray) wanted = g_array_new (FALSE, FALSE, sizeof (GilkStoredHook));

  g_clear_pointer (&cursor->samples, gilk_samples_free);
  g_hash_table_remove_all (cursor->hooks);
  for (guint i = 0; i < run->hooks->len; i++)
    {
      GilkStoredHook *hook = &g_array_index (run->hooks, GilkStoredHook, i);

      if (cursor->only_hook != NULL && strcmp (cursor->only_hook, hook->label) != 0)
        continue;
      g_array_append_vals (wanted, hook, 1);
      g_hash_table_insert (cursor->hooks, &hook->id, hook);
    }
  if (wanted->len == 0)
    return TRUE;
  cursor->samples = gilk_samples_new (get_table (cursor)->store,
                                      (const GilkStoredHook *) (const void *) wanted->data,
                                      wanted->len, error);
  if (cursor->samples == NULL)
    return FALSE;
  gilk_samples_set_range (cursor->samples, cursor->from_ns, cursor->to_ns);
  if (cursor->only_cpu >= 0)
    {
      g_autofree char *condition = g_strdup_printf ("cpu == %" G_GINT64_FORMAT, cursor->only_cpu);

      if (!gilk_samples_add_condition (cursor->samples, condition, error))
        return FALSE;
    }

  return request_fields (cursor, run, error);
}

/* Returns the next run that meets the constraints; NULL at the end. */
static const Run *
find_next_run (Cursor *cursor)
{
  const GArray *runs = get_table (cursor)->runs;

  while (cursor->run < runs->len)
    {
      const Run *run = &g_array_index (runs, Run, cursor->run++);

      if (cursor->only_run < 0 || run->id == cursor->only_run)
        return run;
    }

  return NULL;
}

/* Reads the next block of samples, in the next run if necessary. */
static int
read_next_block (Cursor *cursor)
{
  GError *error = NULL;
  const Run *run;

  cursor->at = 0;
  do
    {
      if (cursor->samples != NULL && gilk_samples_next (cursor->samples, &cursor->block, &error))
        return SQLITE_OK;
      run = error == NULL ? find_next_run (cursor) : NULL;
    }
  while (run != NULL && begin_run (cursor, run, &error));
  cursor->ended = TRUE;

  return error != NULL ? set_message (&cursor->base.pVtab->zErrMsg, error) : SQLITE_OK;
}

static int
on_filter (sqlite3_vtab_cursor *base, int number, const char *plan, int argc, sqlite3_value **argv)
{
  Cursor *cursor = (Cursor *) base;
  char *letters;

  g_clear_pointer (&cursor->samples, gilk_samples_free);
  g_clear_pointer (&cursor->only_hook, g_free);
  cursor->used = g_ascii_strtoull (plan, &letters, 16);
  cursor->only_run = cursor->only_cpu = -1;
  cursor->from_ns = G_MININT64;
  cursor->to_ns = G_MAXINT64;
  cursor->run = 0;
  cursor->row = 0;
  cursor->ended = FALSE;
  for (int i = 0; i < argc; i++)
    {
      /* A comparison with NULL is never true, so the query has no rows. */
      if (sqlite3_value_type (argv[i]) == SQLITE_NULL)
        cursor->ended = TRUE;
      else
        apply_argument (cursor, letters[1 + i], argv[i]);
    }

  return cursor->ended ? SQLITE_OK : read_next_block (cursor);
}

static int
on_next (sqlite3_vtab_cursor *base)
{
  Cursor *cursor = (Cursor *) base;

  cursor->row++;

  return ++cursor->at < cursor->block.n ? SQLITE_OK : read_next_block (cursor);
}

static int
on_eof (sqlite3_vtab_cursor *base)
{
  return ((Cursor *) base)->ended;
}

/* ---- cells ---- */

static void
return_text (sqlite3_context *context, const char *text)
{
  sqlite3_result_text (context, text, -1, SQLITE_TRANSIENT);
}

/* Returns a field's value. Unsigned values beyond SQLite's signed integers become texts. */
static void
return_field (sqlite3_context *context, const Cursor *cursor, guint column)
{
  const GilkSampleBlock *block = &cursor->block;
  guint number = cursor->numbers[column] - 1, i = cursor->at;
  char text[32];

  if (cursor->numbers[column] == 0 ||
      (block->missing[number] != NULL && block->missing[number][i]))
    {
      sqlite3_result_null (context);
      return;
    }
  if (cursor->types[column] == ILK_FIELD_TEXT)
    return_text (context, block->texts[number][i]);
  else if (cursor->types[column] == ILK_FIELD_HEX64)
    {
      g_snprintf (text, sizeof text, "0x%016" G_GINT64_MODIFIER "x", (guint64) block->values[number][i]);
      return_text (context, text);
    }
  else if (cursor->types[column] == ILK_FIELD_U64 && block->values[number][i] < 0)
    {
      g_snprintf (text, sizeof text, "%" G_GUINT64_FORMAT, (guint64) block->values[number][i]);
      return_text (context, text);
    }
  else
    sqlite3_result_int64 (context, block->values[number][i]);
}

static int
on_column (sqlite3_vtab_cursor *base, sqlite3_context *context, int column)
{
  const Cursor *cursor = (const Cursor *) base;
  gint64 t_ns = cursor->block.t_ns[cursor->at];
  const GilkStoredHook *hook =
    g_hash_table_lookup (cursor->hooks, &cursor->block.hook[cursor->at]);

  switch (column)
    {
    case COLUMN_RUN:
      sqlite3_result_int64 (context, hook->run);
      break;
    case COLUMN_HOOK:
      return_text (context, hook->label);
      break;
    case COLUMN_FUNCTION:
      return_text (context, hook->function);
      break;
    case COLUMN_BLOCK:
      return_text (context, hook->block);
      break;
    case COLUMN_PLACE:
      return_text (context, hook->where);
      break;
    case COLUMN_CPU:
      sqlite3_result_int64 (context, cursor->block.cpu[cursor->at]);
      break;
    case COLUMN_T:
      sqlite3_result_double (context, (double) t_ns / 1e9);
      break;
    case COLUMN_T_NS:
      sqlite3_result_int64 (context, t_ns);
      break;
    default:
      return_field (context, cursor, (guint) column - COLUMN_FIELDS);
    }

  return SQLITE_OK;
}

static int
on_rowid (sqlite3_vtab_cursor *base, sqlite3_int64 *row)
{
  *row = ((Cursor *) base)->row;

  return SQLITE_OK;
}

/* ---- the module ---- */

static const sqlite3_module samples_module = {
  .iVersion = 1,
  .xCreate = on_connect, .xConnect = on_connect, .xBestIndex = on_best_index,
  .xDisconnect = on_disconnect, .xDestroy = on_disconnect, .xOpen = on_open, .xClose = on_close,
  .xFilter = on_filter, .xNext = on_next, .xEof = on_eof, .xColumn = on_column, .xRowid = on_rowid,
};

/* ---- makes the tables of a session ---- */

static gboolean
make_table (sqlite3 *db, const char *instrument, GError **error)
{
  g_autofree char *clean = gilk_sql_plain_name (instrument);
  char *sql = sqlite3_mprintf ("CREATE VIRTUAL TABLE temp.\"samples_%w\" USING gilk_samples (%Q)", clean,
                               instrument);
  gboolean good = sqlite3_exec (db, sql, NULL, NULL, NULL) == SQLITE_OK;

  sqlite3_free (sql);
  if (!good)
    g_set_error (error, GILK_ERROR, GILK_ERROR_STORE,
                 _("Cannot show the samples of %s as a table: %s. Use gilk export."), instrument,
                 sqlite3_errmsg (db));

  return good;
}

gboolean
gilk_samples_make_tables (sqlite3      *db,
                          const char   *path,
                          GCancellable *cancellable,
                          GError      **error)
{
  GilkStore *store = gilk_store_open_read (path, cancellable, error);
  g_autoptr(GPtrArray) instruments = store != NULL ? gilk_store_sampling_instruments (store, error) : NULL;

  if (instruments == NULL)
    {
      gilk_store_free (store);
      return FALSE;
    }
  if (sqlite3_create_module_v2 (db, "gilk_samples", &samples_module, store,
                                (void (*) (void *)) gilk_store_free) != SQLITE_OK)
    return gilk_fail (error, GILK_ERROR_STORE,
                      _("SQLite does not support virtual tables: %s. Update SQLite."),
                      sqlite3_errmsg (db));
  for (guint i = 0; i < instruments->len; i++)
    if (!make_table (db, g_ptr_array_index (instruments, i), error))
      return FALSE;

  return TRUE;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-remote-source.c - makes the SQL that selects samples in a store
 */
#include "core/clickhouse/gilk-remote-source.h"

#include <glib/gi18n.h>
#include <inttypes.h>
#include <string.h>

#include "core/base/gilk-array.h"
#include "core/base/gilk-error.h"
#include "core/base/gilk-memory.h"
#include "core/clickhouse/gilk-remote-ledger.h"
#include "core/samples/gilk-samples.h"

#define ID_DIGITS_MIN 4
#define NAMES_SHOWN   20

/* ---- reads the runs and hooks of a store ---- */

gboolean
gilk_remote_contents_read (GilkRemote         *remote,
                           GilkRemoteContents *contents,
                           GError            **error)
{
  contents->runs = gilk_remote_runs (remote, error);
  contents->hooks = contents->runs != NULL ? gilk_remote_hooks (remote, NULL, error) : NULL;

  return contents->hooks != NULL;
}

void
gilk_remote_contents_clear (GilkRemoteContents *contents)
{
  g_clear_pointer (&contents->runs, g_array_unref);
  g_clear_pointer (&contents->hooks, g_array_unref);
}

static const GilkRemoteHook *
get_hook (const GilkRemoteContents *contents, guint i)
{
  return &g_array_index (contents->hooks, GilkRemoteHook, i);
}

static const GilkRemoteRun *
find_run (const GilkRemoteContents *contents, const GilkRemoteHook *hook)
{
  for (guint i = 0; i < contents->runs->len; i++)
    if (g_array_index (contents->runs, GilkRemoteRun, i).id == hook->run)
      return &g_array_index (contents->runs, GilkRemoteRun, i);

  return NULL;
}

const char *
gilk_remote_contents_largest (const GilkRemoteContents *contents)
{
  g_autoptr(GHashTable) sums = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, g_free);
  const char *most = NULL;
  uint64_t greatest = 0;

  for (guint i = 0; i < contents->hooks->len; i++)
    {
      const GilkRemoteHook *hook = get_hook (contents, i);
      uint64_t *sum = g_hash_table_lookup (sums, hook->label);

      if (sum == NULL)
        {
          sum = g_new0 (uint64_t, 1);
          g_hash_table_insert (sums, hook->label, sum);
        }
      *sum += hook->stored;
      if (*sum > greatest)
        {
          greatest = *sum;
          most = hook->label;
        }
    }

  return most;
}

/* ---- selects hooks by name ---- */

/* Returns whether the run matches @place, a host or the start of an id; NULL matches any run. */
static gboolean
is_at_place (const GilkRemoteRun *run, const char *place)
{
  char id[17];

  if (place == NULL || strcmp (run->host, place) == 0)
    return TRUE;
  g_snprintf (id, sizeof id, "%016" G_GINT64_MODIFIER "x", run->id);

  return strlen (place) >= ID_DIGITS_MIN && g_str_has_prefix (id, place);
}

gboolean
gilk_remote_contents_refuse (const GilkRemoteContents *contents,
                             const char               *name,
                             GError                  **error)
{
  g_autoptr(GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr(GString) list = g_string_new (NULL);

  for (guint i = 0; i < contents->hooks->len; i++)
    if (g_hash_table_add (seen, get_hook (contents, i)->label) && g_hash_table_size (seen) <= NAMES_SHOWN)
      g_string_append_printf (list, "%s%s", list->len > 0 ? ", " : "", get_hook (contents, i)->label);
  return gilk_fail (error, GILK_ERROR_NOT_FOUND,
      _("The store has no hook \"%s\". It has %s%s. HOOK@HOST selects one host. "
        "HOOK@RUN selects one run; RUN is at least the first four digits of the run's "
        "name."), name, list->len > 0 ? list->str : _("none"),
      g_hash_table_size (seen) > NAMES_SHOWN ? _(" and more") : "");
}

static gboolean
refuse_mixture (const char *name, const GilkRemoteHook *a, const GilkRemoteHook *b, GError **error)
{
  return gilk_fail (error, GILK_ERROR_AMBIGUOUS,
      _("Hook \"%s\" has samples of %s in run %016" PRIx64 " and of %s in run %016" PRIx64 ". Select one host or "
        "run with HOOK@HOST or HOOK@RUN."), name, a->instrument, a->run, b->instrument, b->run);
}

const GilkRemoteRun *
gilk_remote_contents_find_run (const GilkRemoteContents *contents,
                               guint                     i,
                               const char               *name)
{
  const GilkRemoteHook *hook = get_hook (contents, i);
  const char *at = strchr (name, '@');
  gsize length = at != NULL ? (gsize) (at - name) : strlen (name);
  const GilkRemoteRun *run = strncmp (hook->label, name, length) == 0 && hook->label[length] == '\0'
                             ? find_run (contents, hook) : NULL;

  return run != NULL && is_at_place (run, at != NULL ? at + 1 : NULL) ? run : NULL;
}

/* Returns the hooks that the source's name selects. (transfer container) (element-type
 * GilkRemoteHook) */
static GPtrArray *
find_hooks (const GilkRemoteContents *contents, GilkRemoteSource *source, GError **error)
{
  g_autoptr(GPtrArray) hooks = g_ptr_array_new ();
  gboolean seen = FALSE;

  for (guint i = 0; i < contents->hooks->len; i++)
    {
      const GilkRemoteHook *hook = get_hook (contents, i);
      const GilkRemoteRun *run = gilk_remote_contents_find_run (contents, i, source->name);

      if (run == NULL)
        continue;
      seen = TRUE;
      if (hook->stored == 0)            /* the hook only counts, or was never hit */
        continue;
      source->left_out += !run->complete;
      if (!run->complete)
        continue;
      if (hooks->len > 0 && strcmp (hook->instrument, ((GilkRemoteHook *) hooks->pdata[0])->instrument) != 0)
        {
          refuse_mixture (source->name, hooks->pdata[0], hook, error);
          return NULL;
        }
      g_ptr_array_add (hooks, (gpointer) hook);
      source->stored += hook->stored;
      source->lost += hook->lost;
    }
  source->runs = hooks->len;
  if (hooks->len > 0)
    return g_steal_pointer (&hooks);
  if (seen && source->left_out == 0)
    g_set_error (error, GILK_ERROR, GILK_ERROR_NOT_FOUND,
                 _("Hook \"%s\" has no samples in any run. Choose another one."), source->name);
  else if (seen)
    g_set_error (error, GILK_ERROR, GILK_ERROR_NOT_FOUND,
                 _("All runs with hook \"%s\" are incomplete in the store. Push their sessions again to complete them."),
                 source->name);
  else
    gilk_remote_contents_refuse (contents, source->name, error);

  return NULL;
}

/* ---- reads the fields of samples ---- */

GILK_DEFINE_CLEAR (clear_field, GilkStoredField, field,
                   gilk_free_all (field->name, field->unit, field->column))

/* Returns the instrument's fields by position. The fields must be the same in all runs. */
static GArray *
read_fields (GilkRemote *remote, const GilkRemoteSource *source, const GilkRemoteHook *hook, GError **error)
{
  g_autofree char *counted = gilk_ledger_valid_attempts_sql (remote, GILK_LEDGER_METADATA, source->run_list);
  g_autoptr(GString) sql = g_string_new (NULL);
  g_autoptr(GilkRemoteRows) rows = NULL;
  GArray *fields = gilk_array_new (sizeof (GilkStoredField), clear_field);

  g_string_printf (sql, "SELECT toUInt64(position), any(name), any(unit), toUInt64(any(type)), uniqExact((name, unit, "
                   "type)) FROM %s.gilk_field WHERE (run, attempt) %s AND instrument = ",
                   gilk_remote_url (remote)->database, counted);
  gilk_remote_quote (sql, hook->instrument);
  g_string_append (sql, " GROUP BY position ORDER BY position");
  rows = gilk_remote_query (remote, "ussuu", sql->str, error);
  for (guint i = 0; rows != NULL && i < rows->n; i++)
    {
      const GilkStoredField field = { .name = g_strdup (gilk_remote_rows_text (rows, i, 1)),
                                      .unit = g_strdup (gilk_remote_rows_text (rows, i, 2)),
                                      .type = (guint) MIN (gilk_remote_rows_uint (rows, i, 3), G_MAXUINT) };

      g_array_append_val (fields, field);
      if (gilk_remote_rows_uint (rows, i, 0) == i && i < GILK_REMOTE_FIELDS && gilk_remote_rows_uint (rows, i, 4) == 1)
        continue;
      g_set_error (error, GILK_ERROR, GILK_ERROR_AMBIGUOUS,
                   _("The samples of hook \"%s\" have different fields in different runs: its instrument was changed "
                     "in between. Select one host or run with HOOK@HOST or HOOK@RUN."), source->name);
      g_clear_pointer (&rows, gilk_remote_rows_free);
    }
  if (rows != NULL)
    return fields;
  g_array_unref (fields);

  return NULL;
}

static gboolean
refuse_field (const GilkRemoteSource *source, const GArray *fields, GError **error)
{
  g_autoptr(GString) list = g_string_new ("interval");

  for (guint i = 0; i < fields->len; i++)
    if (g_array_index (fields, GilkStoredField, i).type != ILK_FIELD_TEXT)
      g_string_append_printf (list, ", %s", g_array_index (fields, GilkStoredField, i).name);
  return gilk_fail (error, GILK_ERROR_NOT_FOUND,
                    _("Samples of hook \"%s\" have no numeric field \"%s\". Available: %s."),
                    source->name, source->field, list->str);
}

/* Returns the SQL expression for the sample's column n<i>, with the signedness of the field of
 * @type. */
static char *
make_number_expression (guint i, guint type)
{
  return g_strdup_printf (type == ILK_FIELD_U64 || type == ILK_FIELD_HEX64 ? "toUInt64(n%u)" : "n%u", i);
}

/* Sets the SQL expression for the field's value. @is_there: (out): condition that selects rows with
 * a value */
static gboolean
choose_number (GilkRemoteSource *source, const GArray *fields, char **is_there, GError **error)
{
  if (strcmp (source->field, "interval") == 0 || strcmp (source->field, "time") == 0)
    {
      gboolean interval = *source->field == 'i';

      source->unit = g_strdup ("s");
      source->with = g_strdup_printf ("WITH (%s) AS x", interval ? "(t_ns - before_ns) / 1e9" : "t_ns / 1e9");
      *is_there = g_strdup (interval ? "predecessor = 0" : "1");
      return TRUE;
    }
  for (guint i = 0; i < fields->len; i++)
    {
      const GilkStoredField *field = &g_array_index (fields, GilkStoredField, i);
      g_autofree char *number = NULL;

      if (strcmp (field->name, source->field) != 0 || field->type == ILK_FIELD_TEXT)
        continue;
      number = make_number_expression (i, field->type);
      source->unit = g_strdup (field->unit);
      source->with = g_strdup_printf ("WITH toFloat64(%s) AS x", number);
      *is_there = g_strdup_printf ("bitAnd(has, %u) != 0", 1u << i);
      return TRUE;
    }

  return refuse_field (source, fields, error);
}

/* ---- converts conditions on samples to SQL ---- */

static void
append_number (GString *sql, long double number)
{
  char text[64];

  if (number >= -9223372036854775807.0L && number <= 18446744073709551615.0L && number == (long double) (__int128) number)
    g_snprintf (text, sizeof text, "%.0Lf", number);
  else
    g_ascii_dtostr (text, sizeof text, (double) number);
  g_string_append (sql, text);
}

static void
append_condition (GString *sql, const GArray *fields, const GilkSampleCondition *condition)
{
  static const char *const signs[] = {
    [GILK_IS] = " = ", [GILK_IS_NOT] = " != ", [GILK_BELOW] = " < ", [GILK_AT_MOST] = " <= ", [GILK_ABOVE] = " > ",
    [GILK_AT_LEAST] = " >= ",
  };

  if (condition->field >= 0)
    {
      guint type = g_array_index (fields, GilkStoredField, condition->field).type;
      g_autofree char *number = type == ILK_FIELD_TEXT ? g_strdup_printf ("s%d", condition->field)
                                                       : make_number_expression ((guint) condition->field, type);

      g_string_append_printf (sql, " AND bitAnd(has, %u) != 0 AND %s", 1u << condition->field, number);
    }
  else
    g_string_append (sql, condition->field == GILK_CONDITION_CPU ? " AND cpu" : " AND t_ns");
  g_string_append (sql, signs[condition->relation]);
  if (condition->text != NULL)
    gilk_remote_quote (sql, condition->text);
  else
    append_number (sql, condition->number);
}

/* Appends the conditions in @text (nullable) to @sql. Fails if one of them tests intervals. */
static gboolean
append_conditions (GString *sql, const GArray *fields, const char *text, GError **error)
{
  g_autoptr(GArray) conditions = gilk_array_new (sizeof (GilkSampleCondition),
                                                 gilk_sample_condition_clear);

  if (text != NULL && !gilk_sample_conditions_parse (fields, text, conditions, error))
    return FALSE;
  for (guint i = 0; i < conditions->len; i++)
    {
      const GilkSampleCondition *condition = &g_array_index (conditions, GilkSampleCondition, i);

      if (condition->field == GILK_CONDITION_INTERVAL)
        {
          g_set_error_literal (error, GILK_ERROR, GILK_ERROR_USAGE,
                               _("A store does not keep the order of samples, so it has no "
                                 "intervals. For intervals, use gilk report on the session."));
          return FALSE;
        }
      append_condition (sql, fields, condition);
    }

  return TRUE;
}

static void
list_runs (GilkRemoteSource *source, const GPtrArray *hooks)
{
  GString *list = g_string_new (NULL);

  for (guint i = 0; i < hooks->len; i++)
    g_string_append_printf (list, "%s%" G_GUINT64_FORMAT, i > 0 ? ", " : "", ((GilkRemoteHook *) hooks->pdata[i])->run);
  source->run_list = g_string_free (list, FALSE);
}

static GString *
make_rows_clause (GilkRemote *remote, const GilkRemoteSource *source, const GPtrArray *hooks)
{
  g_autofree char *counted = gilk_ledger_valid_attempts_sql (remote, GILK_LEDGER_SAMPLES, source->run_list);
  GString *sql = g_string_new (NULL);

  g_string_printf (sql, "FROM %s.gilk_sample WHERE run IN (%s) AND (run, hook) IN (", gilk_remote_url (remote)->database,
                   source->run_list);
  for (guint i = 0; i < hooks->len; i++)
    g_string_append_printf (sql, "%s(%" G_GUINT64_FORMAT ", %u)", i > 0 ? ", " : "",
                            ((GilkRemoteHook *) hooks->pdata[i])->run, ((GilkRemoteHook *) hooks->pdata[i])->hook);
  g_string_append_printf (sql, ") AND (run, block, attempt) %s", counted);

  return sql;
}

/* Checks that the server has all rows. Without rows that were lost, or have not arrived yet,
 * statistics would be wrong. */
static gboolean
check_rows (GilkRemote *remote, const GilkRemoteContents *contents, const GilkRemoteSource *source,
            const GPtrArray *hooks, GError **error)
{
  g_autofree char *counted = gilk_ledger_valid_attempts_sql (remote, GILK_LEDGER_SAMPLES, source->run_list);
  g_autofree char *sql = g_strdup_printf ("SELECT count() FROM %s.gilk_sample WHERE run IN (%s) AND (run, block, "
                                          "attempt) %s", gilk_remote_url (remote)->database, source->run_list, counted);
  g_autoptr(GilkRemoteRows) rows = gilk_remote_query (remote, "u", sql, error);
  uint64_t expected = 0, found;

  if (rows == NULL)
    return FALSE;
  for (guint i = 0; i < hooks->len; i++)
    expected += i > 0 && ((GilkRemoteHook *) hooks->pdata[i - 1])->run == ((GilkRemoteHook *) hooks->pdata[i])->run
                ? 0 : find_run (contents, hooks->pdata[i])->stored_samples;
  found = rows->n == 1 ? gilk_remote_rows_uint (rows, 0, 0) : 0;
  if (found == expected)
    return TRUE;
  return gilk_fail (error, GILK_ERROR_STORE,
      _("The store at %s has %" PRIu64 " samples of these runs, but its ledger lists %" PRIu64 ": a server has "
        "lost some, or has not caught up with the others. Try again later; if that does not help, push the "
        "sessions again."), gilk_remote_name (remote), found, expected);
}

static gboolean
make_statements (GilkRemote *remote, GilkRemoteSource *source, const GPtrArray *hooks, const char *condition,
                 GError **error)
{
  g_autoptr(GArray) fields = read_fields (remote, source, hooks->pdata[0], error);
  g_autoptr(GString) rows = make_rows_clause (remote, source, hooks);
  g_autofree char *is_there = NULL;

  if (fields == NULL || !choose_number (source, fields, &is_there, error) ||
      !append_conditions (rows, fields, condition, error))
    return FALSE;
  source->rows = g_strdup (rows->str);
  source->where = g_strdup_printf ("%s AND %s AND isFinite(x)", rows->str, is_there);

  return TRUE;
}

gboolean
gilk_remote_source_make (GilkRemote               *remote,
                         const GilkRemoteContents *contents,
                         const char               *name,
                         const char               *field,
                         const char               *condition,
                         GilkRemoteSource         *source,
                         GError                  **error)
{
  g_auto(GilkRemoteSource) made = { .name = g_strdup (name), .field = g_strdup (field) };
  g_autoptr(GPtrArray) hooks = NULL;

  if (condition != NULL && strcmp (field, "interval") == 0)
    {
      g_set_error_literal (error, GILK_ERROR, GILK_ERROR_USAGE,
                           _("A store has the intervals between all samples of a hook, not "
                             "between those that meet a condition. Leave out --if, name a "
                             "field, or use gilk report on the session."));
      return FALSE;
    }
  hooks = find_hooks (contents, &made, error);
  if (hooks == NULL)
    return FALSE;
  list_runs (&made, hooks);
  if (!make_statements (remote, &made, hooks, condition, error) ||
      !check_rows (remote, contents, &made, hooks, error))
    return FALSE;
  *source = made;
  made = (GilkRemoteSource) { 0 };

  return TRUE;
}

void
gilk_remote_source_clear (GilkRemoteSource *source)
{
  g_clear_pointer (&source->name, g_free);
  g_clear_pointer (&source->field, g_free);
  g_clear_pointer (&source->unit, g_free);
  g_clear_pointer (&source->with, g_free);
  g_clear_pointer (&source->where, g_free);
  g_clear_pointer (&source->rows, g_free);
  g_clear_pointer (&source->run_list, g_free);
}

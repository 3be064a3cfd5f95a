/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-samples-table.c - reads sample tables of sessions before version 4 into parts
 */
#include "core/store/gilk-samples-private.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#define PART_SAMPLES 16384

/* ---- the table ---- */

/* Accepts only a table with exactly the columns that recording made; the file names the table and
 * is not trusted. */
static gboolean
check_table (GilkSamples *samples, GError **error)
{
  g_autoptr(GString) wanted = g_string_new ("hook:INTEGER cpu:INTEGER t_ns:INTEGER ");
  g_autofree char *found = NULL;

  for (guint i = 0; i < samples->fields->len; i++)
    {
      const GilkSampleField *field = &g_array_index (samples->fields, GilkSampleField, i);

      g_string_append_printf (wanted, "%s:%s ", field->column,
                              field->type == ILK_FIELD_TEXT ? "TEXT" : "INTEGER");
    }
  found = gilk_guard_columns (samples->store, samples->table, error);
  if (found == NULL)
    return FALSE;
  if (g_str_has_prefix (samples->table, "sample_") && strcmp (found, wanted->str) == 0)
    return TRUE;
  g_set_error (error, GILK_ERROR, GILK_ERROR_FORMAT,
               _("%s is damaged: its table %s has the wrong columns. Use a copy of it."),
               samples->store->path, samples->table);

  return FALSE;
}

gboolean
gilk_samples_list_rows (GilkSamples *samples,
                        GError     **error)
{
  g_autoptr(GString) sql = g_string_new ("SELECT t_ns, hook, cpu");
  g_autofree char *table = gilk_sql_quote (samples->table);
  gint64 one = samples->hooks->len == 1 ? g_array_index (samples->hooks, gint64, 0) : 0;

  if (!check_table (samples, error))
    return FALSE;
  for (guint i = 0; i < samples->fields->len; i++)
    {
      g_autofree char *column =
        gilk_sql_quote (g_array_index (samples->fields, GilkSampleField, i).column);

      g_string_append_printf (sql, ", %s", column);
    }
  g_string_append_printf (sql, " FROM %s WHERE t_ns >= ? AND t_ns < ?%s%s", table,
                          one != 0 ? " AND hook = ?" : "",
                          samples->ordered ? " ORDER BY t_ns, cpu, rowid" : "");
  samples->list = gilk_sql_prepare (samples->store, error, sql->str, one != 0 ? "iii" : "ii",
                                    samples->from_ns, samples->to_ns, one);

  return samples->list != NULL && gilk_samples_step (samples, samples->ordered, error);
}

/* ---- rows ---- */

/* Checks the type of a cell: NULL where the record was too short for the field. */
static gboolean
check_cell (GilkSamples *samples, guint field, GError **error)
{
  guint type = g_array_index (samples->fields, GilkSampleField, field).type;
  int found = sqlite3_column_type (samples->list, 3 + (int) field);

  if (found == SQLITE_NULL || found == (type == ILK_FIELD_TEXT ? SQLITE_TEXT : SQLITE_INTEGER))
    return TRUE;
  g_set_error (error, GILK_ERROR, GILK_ERROR_FORMAT,
               _("%s is damaged: a sample has an impossible value in its field %s. Use a copy of it."),
               samples->store->path, g_array_index (samples->fields, GilkSampleField, field).name);

  return FALSE;
}

static gboolean
meets (GilkSamples *samples, const GilkSampleCondition *condition, gint64 t_ns, gint64 cpu)
{
  int column = 3 + condition->field;
  guint type;

  if (condition->field == GILK_CONDITION_TIME)
    return gilk_sample_condition_holds (condition, ILK_FIELD_S64, t_ns);
  if (condition->field == GILK_CONDITION_CPU)
    return gilk_sample_condition_holds (condition, ILK_FIELD_S64, cpu);
  if (sqlite3_column_type (samples->list, column) == SQLITE_NULL)
    return FALSE;
  type = g_array_index (samples->fields, GilkSampleField, condition->field).type;
  if (type == ILK_FIELD_TEXT)
    {
      g_autofree char *text = gilk_sql_text (samples->list, column);

      return gilk_sample_condition_fits (condition, text);
    }

  return gilk_sample_condition_holds (condition, type, sqlite3_column_int64 (samples->list, column));
}

static gboolean
meets_all (GilkSamples *samples, gint64 t_ns, gint64 cpu)
{
  for (guint i = 0; i < samples->conditions->len; i++)
    if (!meets (samples, &g_array_index (samples->conditions, GilkSampleCondition, i), t_ns, cpu))
      return FALSE;

  return TRUE;
}

static void
take_field (GilkSamples *samples, GilkSamplePart *part, guint w, guint field)
{
  int column = 3 + (int) field;

  if (sqlite3_column_type (samples->list, column) == SQLITE_NULL)
    {
      if (part->missing[w] == NULL)
        part->missing[w] = g_new0 (uint8_t, PART_SAMPLES);
      part->missing[w][part->n] = 1;
      if (part->values[w] != NULL)
        part->values[w][part->n] = 0;
      else
        part->texts[w][part->n] = NULL;
      return;
    }
  if (part->texts[w] != NULL)
    {
      char *text = gilk_sql_text (samples->list, column);

      g_ptr_array_add (g_ptr_array_index (part->dictionaries, 0), text);
      part->texts[w][part->n] = text;
    }
  else
    part->values[w][part->n] = sqlite3_column_int64 (samples->list, column);
}

static gboolean
take_row (GilkSamples *samples, GilkSamplePart *part, GError **error)
{
  gint64 hook, t_ns;
  guint cpu;

  if (!gilk_sql_row (samples->store, samples->list, error, "iiu", &t_ns, &hook, &cpu))
    return FALSE;
  for (guint f = 0; f < samples->fields->len; f++)
    if (!check_cell (samples, f, error))
      return FALSE;
  if (!gilk_samples_wants_hook (samples, hook) || !meets_all (samples, t_ns, cpu))
    return TRUE;
  if (part->n == 0)
    part->first_cpu = cpu;
  if (part->t_ns != NULL)
    part->t_ns[part->n] = t_ns;
  if (!samples->bare)
    {
      part->hook[part->n] = hook;
      part->cpu[part->n] = cpu;
    }
  for (guint w = 0; w < samples->wanted->len; w++)
    take_field (samples, part, w, g_array_index (samples->wanted, guint, w));
  part->n++;

  return TRUE;
}

GilkSamplePart *
gilk_samples_read_rows (GilkSamples *samples,
                        GError     **error)
{
  GilkSamplePart *part = gilk_sample_part_new (samples, PART_SAMPLES);
  gboolean good = TRUE;

  g_ptr_array_add (part->dictionaries, g_ptr_array_new_with_free_func (g_free));
  while (good && samples->has_next && part->n < PART_SAMPLES)
    good = take_row (samples, part, error) && gilk_samples_step (samples, samples->ordered, error);
  if (good && part->n > 0)
    return part;
  gilk_sample_part_free (samples, part);

  return NULL;
}

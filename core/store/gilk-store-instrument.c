/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-store-instrument.c - checks and stores the description of an instrument
 *
 * Each run has its own instruments, so different versions of an instrument can coexist in a
 * session.
 */
#include "core/emit/gilk-inline.h"
#include "core/store/gilk-store-recorder.h"
#include "core/store/gilk-store-transaction.h"

#include <glib/gi18n.h>
#include <string.h>

/* ---- names ---- */

/* Appends "_" until the name differs from the fixed columns and from earlier fields. */
static char *
make_column_name (const char *field, const GPtrArray *taken)
{
  static const char *const ours[] = { "run", "hook", "function", "block", "place", "cpu", "t",
                                      "t_ns", NULL };
  char *name = gilk_sql_plain_name (field);

  while (g_strv_contains (ours, name) ||
         g_ptr_array_find_with_equal_func ((GPtrArray *) taken, name, g_str_equal, NULL))
    {
      char *longer = g_strconcat (name, "_", NULL);

      g_free (name);
      name = longer;
    }

  return name;
}

/* ---- descriptions ---- */

static guint
get_type_size (const struct ilk_field *field)
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
is_terminated (const char *text, gsize size)
{
  return memchr (text, '\0', size) != NULL;
}

static gboolean
is_valid_field (const struct ilk_field *field, guint sample_bytes)
{
  return is_terminated (field->name, sizeof field->name) &&
         is_terminated (field->unit, sizeof field->unit) &&
         is_terminated (field->help, sizeof field->help) &&
         field->size > 0 && field->size == get_type_size (field) &&
         (guint) field->offset + field->size <= sample_bytes;
}

static gboolean
is_valid_desc (const struct ilk_instrument_desc *desc)
{
  if (!is_terminated (desc->name, sizeof desc->name) || desc->name[0] == '\0' ||
      !is_terminated (desc->help, sizeof desc->help) ||
      desc->sample_bytes > ILK_SAMPLE_MAX || desc->field_count > ILK_FIELDS_MAX)
    return FALSE;
  for (guint i = 0; i < desc->field_count; i++)
    if (!is_valid_field (&desc->fields[i], desc->sample_bytes))
      return FALSE;

  return TRUE;
}

/* Returns the value for the column field.meaning. An enum's name and the names of its constants
 * are stored later. */
static const char *
get_meaning (const struct ilk_field *field)
{
  static const char *const meanings[] = {
    [ILK_MEANING_SYMBOL] = "symbol", [ILK_MEANING_STACK] = "stack", [ILK_MEANING_ERRNO] = "errno",
  };

  return field->meaning < G_N_ELEMENTS (meanings) ? meanings[field->meaning] : NULL;
}

static gboolean
insert_fields (GilkStore *store, gint64 instrument, const struct ilk_instrument_desc *desc,
               const GPtrArray *columns, GError **error)
{
  for (guint i = 0; i < desc->field_count; i++)
    {
      const struct ilk_field *field = &desc->fields[i];

      if (!gilk_store_write (store, error, "INSERT INTO field VALUES (?, ?, ?, ?, ?, ?, ?, ?)", "iissssis",
                             instrument, (gint64) i, field->name, g_ptr_array_index (columns, i),
                             field->unit, field->help, (gint64) field->type, get_meaning (field)))
        return FALSE;
    }

  return TRUE;
}

static gboolean
insert_instrument (GilkStore *store, gint64 run, const struct ilk_instrument_desc *desc,
                   GilkStoreInstrument *instrument, GError **error)
{
  g_autoptr(GPtrArray) columns = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < desc->field_count; i++)
    g_ptr_array_add (columns, make_column_name (desc->fields[i].name, columns));
  if (!gilk_store_write (store, error,
                         "INSERT INTO instrument (run, name, help, version, sample_bytes, "
                         "takes_samples) VALUES (?, ?, ?, ?, ?, ?)", "issiii", run, desc->name,
                         desc->help, (gint64) desc->version, (gint64) desc->sample_bytes,
                         (gint64) instrument->samples))
    return FALSE;
  instrument->id = gilk_sql_last_id (store);

  return insert_fields (store, instrument->id, desc, columns, error);
}

/* Stores an instrument. Pure counters do not take samples. Other instruments without fields take
 * samples that have only a time. */
gboolean
gilk_store_add_instrument (GilkStore                        *store,
                           gint64                            run,
                           const struct ilk_instrument_desc *desc,
                           GError                          **error)
{
  GilkStoreRecorder *recorder = gilk_store_recorder_get (store, run, error);
  GilkStoreInstrument *instrument;

  if (recorder == NULL)
    return FALSE;
  if (!is_valid_desc (desc))
    {
      g_set_error (error, GILK_ERROR, GILK_ERROR_PROTOCOL,
                   _("Instrument “%.31s” describes its samples wrongly: a field lies outside of them or has no name. "
                     "Correct the instrument."), desc->name);
      return FALSE;
    }
  if (g_hash_table_contains (recorder->instruments, desc->name))
    return TRUE;

  instrument = g_new0 (GilkStoreInstrument, 1);
  instrument->name = g_strdup (desc->name);
  instrument->samples = !gilk_inline_is (desc->name, GILK_INLINE_COUNT);
  instrument->n_fields = desc->field_count;
  memcpy (instrument->fields, desc->fields, desc->field_count * sizeof *instrument->fields);

  if (!insert_instrument (store, run, desc, instrument, error))
    {
      gilk_store_recorder_instrument_free (instrument);
      return FALSE;
    }
  g_hash_table_insert (recorder->instruments, instrument->name, instrument);

  return TRUE;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-store-series.c - reads series of counts, divides a hook's samples into parts, and counts
 * samples by value
 */
#include "core/samples/gilk-samples-private.h"
#include "core/base/gilk-array.h"
#include "core/samples/gilk-samples.h"
#include "core/store/gilk-store-names.h"

#include <math.h>
#include <string.h>

/* ---- series ---- */

static void
append_double (GArray *array, double value)
{
  g_array_append_val (array, value);
}

gboolean
gilk_store_count_series (GilkStore            *store,
                         const GilkStoredHook *hook,
                         GArray              **times,
                         GArray              **values,
                         GError              **error)
{
  g_autoptr(GilkReadings) readings = gilk_readings_new (store, hook, 1, G_MININT64, G_MAXINT64, error);
  g_autoptr(GArray) t = g_array_new (FALSE, FALSE, sizeof (double));
  g_autoptr(GArray) v = g_array_new (FALSE, FALSE, sizeof (double));
  g_autoptr(GError) local = NULL;
  GilkReading reading;

  if (readings == NULL)
    return FALSE;
  while (gilk_readings_next (readings, &reading, &local))
    {
      append_double (t, (double) reading.t_ns / 1e9);
      append_double (v, (double) reading.hits);
    }
  if (!gilk_check_end (&local, error))
    return FALSE;

  *times = g_steal_pointer (&t);
  *values = g_steal_pointer (&v);
  return TRUE;
}

/* ---- divides a hook's samples into parts ---- */

gint64 *
gilk_store_part_times (GilkStore            *store,
                       const GilkStoredHook *hook,
                       guint                 n,
                       GError              **error)
{
  g_autofree gint64 *times = g_new (gint64, MAX (n, 1));
  g_autoptr(GilkSamples) samples = gilk_samples_new (store, hook, 1, error);
  g_autoptr(GError) local = NULL;
  GILK_AUTO_STMT stmt = NULL;
  uint64_t seen = 0, total = hook->stored;
  gint64 first_ns;
  guint done = 0, here;

  if (samples == NULL)
    return NULL;
  for (guint i = 0; i < n; i++)
    times[i] = G_MAXINT64;
  stmt = gilk_sql_prepare (store, &local,
    "SELECT first_ns, n FROM chunk WHERE instrument = ? AND (hook = ? OR hook IS NULL) "
    "ORDER BY first_ns, id", "ii", samples->instrument, hook->id);
  while (done + 1 < n && gilk_sql_next (store, stmt, &local) &&
         gilk_sql_row (store, stmt, &local, "iu", &first_ns, &here))
    {
      while (done + 1 < n && seen > 0 && seen >= total / n * (done + 1))
        times[done++] = first_ns;
      seen += here;
    }

  return gilk_check_end (&local, error) ? g_steal_pointer (&times) : NULL;
}

/* ---- samples as text ---- */

/* Formats a value as its field's type: signed, unsigned or hexadecimal. (transfer full) */
static char *
format_number (gint64 value, guint type)
{
  if (type == ILK_FIELD_U64)
    return g_strdup_printf ("%" G_GUINT64_FORMAT, (guint64) value);
  if (type == ILK_FIELD_HEX64)
    return g_strdup_printf ("0x%016" G_GINT64_MODIFIER "x", (guint64) value);

  return g_strdup_printf ("%" G_GINT64_FORMAT, value);
}

static char *
format_value (const GilkSampleBlock *block, guint number, guint type, guint i)
{
  if (block->missing[number] != NULL && block->missing[number][i])
    return g_strdup ("");

  return type == ILK_FIELD_TEXT ? g_strdup (block->texts[number][i])
                                : format_number (block->values[number][i], type);
}

/* ---- groups ---- */

static void
clear_group (gpointer data)
{
  g_free (((GilkStoredGroup *) data)->value);
  g_free (((GilkStoredGroup *) data)->shown);
}

static int
compare_groups (gconstpointer a, gconstpointer b)
{
  const GilkStoredGroup *x = a, *y = b;

  return GILK_ORDER (y->count, x->count) ?: strcmp (x->value, y->value);
}

static void
count_value (GHashTable *counts, char *value)
{
  uint64_t *count = g_hash_table_lookup (counts, value);

  if (count != NULL)
    {
      *count += 1;
      g_free (value);
      return;
    }
  count = g_new (uint64_t, 1);
  *count = 1;
  g_hash_table_insert (counts, value, count);
}

/* Returns @text, which format_value() returned for a value, together with the value's name, if it
 * has one. */
static char *
make_shown_value (const GilkStoredNames *names, const char *meaning, const char *text)
{
  const uint64_t value = *text == '-' ? (uint64_t) g_ascii_strtoll (text, NULL, 10) : g_ascii_strtoull (text, NULL, 0);
  char *shown = names != NULL && *text != '\0' ? gilk_stored_text (names, meaning, value, text) : NULL;

  return shown != NULL ? shown : g_strdup (text);
}

GArray *
gilk_store_group (GilkStore            *store,
                  const GilkStoredHook *hook,
                  const char           *field,
                  GError              **error)
{
  return gilk_store_group_between (store, hook, field, G_MININT64, G_MAXINT64, NULL, error);
}

GArray *
gilk_store_group_between (GilkStore            *store,
                          const GilkStoredHook *hook,
                          const char           *field,
                          gint64                from_ns,
                          gint64                to_ns,
                          const char           *condition,
                          GError              **error)
{
  g_autoptr(GArray) groups = gilk_array_new (sizeof (GilkStoredGroup), clear_group);
  g_autoptr(GHashTable) counts = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  g_autoptr(GilkSamples) samples = gilk_samples_new (store, hook, 1, error);
  g_autoptr(GilkStoredNames) names = NULL;
  const char *meaning;
  GilkSampleBlock block;
  GHashTableIter iter;
  gpointer value, count;
  GError *local = NULL;
  guint number, type;

  if (samples == NULL || !gilk_samples_add_field (samples, field, &number, &type, error))
    return NULL;
  if (from_ns != G_MININT64 || to_ns != G_MAXINT64)
    gilk_samples_set_range (samples, from_ns, to_ns);
  if (condition != NULL && !gilk_samples_add_condition (samples, condition, error))
    return NULL;
  while (gilk_samples_next (samples, &block, &local))
    for (guint i = 0; i < block.n; i++)
      count_value (counts, format_value (&block, number, type, i));
  if (!gilk_check_end (&local, error))
    return NULL;
  meaning = gilk_samples_meaning (samples, field);
  names = meaning != NULL ? gilk_store_names (store, hook->run, error) : NULL;
  if (meaning != NULL && names == NULL)
    return NULL;

  g_hash_table_iter_init (&iter, counts);
  while (g_hash_table_iter_next (&iter, &value, &count))
    {
      const GilkStoredGroup group = { g_strdup (value), make_shown_value (names, meaning, value), *(uint64_t *) count };

      g_array_append_val (groups, group);
    }
  g_array_sort (groups, compare_groups);

  return g_steal_pointer (&groups);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-samples.c - public functions of the cursors: take requests, return blocks of samples, or
 * counter readings
 */
#include "core/samples/gilk-samples.h"

#include <glib/gi18n.h>
#include <string.h>

#include "core/base/gilk-array.h"
#include "core/samples/gilk-samples-private.h"
#include "core/store/gilk-sql.h"
#include "core/store/gilk-store.h"

static void
drop_spent (GilkSamples *samples)
{
  for (guint i = 0; i < samples->spent->len; i++)
    gilk_sample_part_free (samples, g_ptr_array_index (samples->spent, i));
  g_ptr_array_set_size (samples->spent, 0);
}

/* ---- blocks ---- */

static gboolean
read_unordered (GilkSamples *samples, GilkSampleBlock *block, GError **error)
{
  GilkSamplePart *part = NULL;
  g_autoptr(GError) local = NULL;

  while (samples->has_next && part == NULL && local == NULL)
    part = gilk_samples_read_part (samples, &local);
  if (local != NULL)
    g_propagate_error (error, g_steal_pointer (&local));
  if (part == NULL)
    return FALSE;
  g_ptr_array_add (samples->spent, part);
  gilk_sample_part_show (part, block);

  return TRUE;
}

gboolean
gilk_samples_next (GilkSamples     *samples,
                   GilkSampleBlock *block,
                   GError         **error)
{
  gboolean more;

  drop_spent (samples);
  if (samples->ended || (!samples->begun && !gilk_samples_begin (samples, error)))
    return FALSE;
  do
    {
      more = samples->ordered ? gilk_samples_merge (samples, block, error)
                              : read_unordered (samples, block, error);
    }
  while (more && samples->on_intervals->len > 0 && !gilk_samples_meet_intervals (samples, block));
  samples->ended = !more;

  return more;
}

/* ---- requests ---- */

static gboolean
find_instrument (GilkSamples *samples, const GilkStoredHook *hook, GError **error)
{
  if (!gilk_sql_value (samples->store, error, &samples->instrument, 0,
                       "SELECT id FROM instrument WHERE run = ? AND name = ? AND takes_samples", "is", hook->run,
                       hook->instrument))
    return FALSE;
  if (samples->instrument != 0)
    return TRUE;
  return gilk_fail (error, GILK_ERROR_NOT_FOUND,
                    _("Hook %s only counts (instrument %s) and has no samples. Plot its counts."),
                    hook->label, hook->instrument);
}

GilkSamples *
gilk_samples_new (GilkStore            *store,
                  const GilkStoredHook *hooks,
                  guint                 n_hooks,
                  GError              **error)
{
  GilkSamples *samples = g_new0 (GilkSamples, 1);

  g_assert (n_hooks > 0);
  samples->store = store;
  samples->run = hooks[0].run;
  samples->name = g_strdup (hooks[0].instrument);
  samples->from_ns = G_MININT64;
  samples->to_ns = G_MAXINT64;
  samples->hooks = g_array_sized_new (FALSE, FALSE, sizeof (gint64), n_hooks);
  samples->wanted = g_array_new (FALSE, FALSE, sizeof (guint));
  samples->conditions = gilk_array_new (sizeof (GilkSampleCondition), gilk_sample_condition_clear);
  samples->on_intervals = g_array_new (FALSE, TRUE, sizeof (GilkSampleCondition));
  samples->open = g_ptr_array_new ();
  samples->spent = g_ptr_array_new ();
  for (guint i = 0; i < n_hooks; i++)
    {
      g_assert (hooks[i].run == samples->run && strcmp (hooks[i].instrument, samples->name) == 0);
      g_array_append_val (samples->hooks, hooks[i].id);
    }
  g_array_sort (samples->hooks, gilk_order_int64);

  if (find_instrument (samples, hooks, error))
    samples->fields = gilk_store_fields (store, samples->run, samples->name, error);
  if (samples->fields != NULL)
    return samples;
  gilk_samples_free (samples);

  return NULL;
}

void
gilk_samples_free (GilkSamples *samples)
{
  if (samples == NULL)
    return;
  drop_spent (samples);
  for (guint i = 0; i < samples->open->len; i++)
    gilk_sample_part_free (samples, g_ptr_array_index (samples->open, i));
  gilk_samples_merge_free (samples->merge, samples);
  gilk_samples_intervals_free (samples->intervals, samples);
  g_ptr_array_unref (samples->open);
  g_ptr_array_unref (samples->spent);
  sqlite3_finalize (samples->list);
  sqlite3_finalize (samples->column);
  gilk_codec_free (samples->codec);
  g_clear_pointer (&samples->fields, g_array_unref);
  g_array_unref (samples->hooks);
  g_array_unref (samples->wanted);
  g_array_unref (samples->conditions);
  g_array_unref (samples->on_intervals);
  g_free (samples->name);
  g_free (samples);
}

void
gilk_samples_set_range (GilkSamples *samples,
                        gint64       from_ns,
                        gint64       to_ns)
{
  g_assert (!samples->begun);
  samples->from_ns = from_ns;
  samples->to_ns = to_ns;
}

void
gilk_samples_in_order (GilkSamples *samples)
{
  g_assert (!samples->begun);
  samples->ordered = samples->timed = TRUE;
}

void
gilk_samples_values_only (GilkSamples *samples)
{
  g_assert (!samples->begun);
  samples->bare = TRUE;
}

const GArray *
gilk_samples_fields (const GilkSamples *samples)
{
  return samples->fields;
}

const char *
gilk_samples_meaning (const GilkSamples *samples,
                      const char        *name)
{
  const GilkStoredField *field = gilk_stored_field_find (samples->fields, name);

  return field != NULL ? field->meaning : NULL;
}

gboolean
gilk_samples_add_field (GilkSamples *samples,
                        const char  *name,
                        guint       *number,
                        guint       *type,
                        GError     **error)
{
  g_assert (!samples->begun);
  for (guint f = 0; f < samples->fields->len; f++)
    {
      const GilkStoredField *field = &g_array_index (samples->fields, GilkStoredField, f);

      if (strcmp (field->name, name) != 0)
        continue;
      g_array_append_val (samples->wanted, f);
      *number = samples->wanted->len - 1;
      *type = field->type;
      return TRUE;
    }
  return gilk_fail (error, GILK_ERROR_NOT_FOUND,
      _("Samples of instrument %s have no field “%s”. Use one of their fields, time or interval."),
      samples->name, name);
}

/*
 * A cursor that returns the readings of hooks' hit counters, ordered by time.
 *
 * A counter that does not change gets no new reading until it changes again, or the run ends. If a
 * run was cut off, or is being recorded, some counters lack a reading at the end. Their final
 * reading comes from table "counts", which has the last value read from every counter.
 *
 * SQLite sorts the readings, on disk if there are many.
 */

struct _GilkReadings {
  GilkStore     *store;
  GilkHookIndex *index;
  sqlite3_stmt  *rows;
  gboolean       ended;           /* all rows were read; one more sqlite3_step() would restart the
                                   * statement */
};

GilkReadings *
gilk_readings_new (GilkStore            *store,
                   const GilkStoredHook *hooks,
                   guint                 n_hooks,
                   gint64                from_ns,
                   gint64                to_ns,
                   GError              **error)
{
  static const char sql[] =
    "SELECT t_ns, hook, hits FROM (SELECT t_ns, hook, hits FROM count_point WHERE hook >= ?1 AND hook <= ?2 "
    "UNION ALL SELECT ?5, p.hook, sum (c.hits) FROM (SELECT hook, max (t_ns) AS t_ns FROM count_point "
    "WHERE hook >= ?1 AND hook <= ?2 GROUP BY hook) p JOIN counts c ON c.hook = p.hook WHERE p.t_ns < ?5 "
    "GROUP BY p.hook) WHERE t_ns >= ?3 AND t_ns < ?4 ORDER BY t_ns, hook";
  GilkReadings *readings = g_new0 (GilkReadings, 1);
  gint64 looked_ns;

  g_assert (n_hooks > 0);
  readings->store = store;
  readings->index = gilk_hook_index_new (hooks, n_hooks);
  if (gilk_sql_value (store, error, &looked_ns, 0, "SELECT max (c.at_ns) FROM run r JOIN hook h ON h.run = r.id "
                      "JOIN counts c ON c.hook = h.id WHERE r.id = ? AND (r.end_reason IS NULL OR r.end_reason = "
                      "'cut off')", "i", hooks[0].run))
    readings->rows = gilk_sql_prepare (store, error, sql, "iiiii", hooks[0].id, hooks[n_hooks - 1].id, from_ns, to_ns,
                                       looked_ns);
  if (readings->rows != NULL)
    return readings;
  gilk_readings_free (readings);

  return NULL;
}

void
gilk_readings_free (GilkReadings *readings)
{
  if (readings == NULL)
    return;
  sqlite3_finalize (readings->rows);
  gilk_hook_index_free (readings->index);
  g_free (readings);
}

gboolean
gilk_readings_next (GilkReadings *readings,
                    GilkReading  *reading,
                    GError      **error)
{
  GError *local = NULL;
  uint64_t hits;
  gint64 t_ns, hook;

  while (!readings->ended && gilk_sql_next (readings->store, readings->rows, &local))
    {
      int at;

      if (!gilk_sql_row (readings->store, readings->rows, &local, "iin", &t_ns, &hook, &hits))
        break;
      at = gilk_hook_index_find (readings->index, hook);
      if (at < 0)
        continue;
      *reading = (GilkReading) { t_ns, (guint) at, hits };
      return TRUE;
    }
  readings->ended = TRUE;
  if (local != NULL)
    g_propagate_error (error, local);

  return FALSE;
}

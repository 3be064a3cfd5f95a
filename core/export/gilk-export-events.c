/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-export-events.c - merges the samples of all instruments of a job in order of time
 *
 * Each instrument has a cursor. Each step takes the cursor whose next sample is the earliest, and
 * returns that cursor's samples up to the earliest next sample of the other cursors.
 */
#include <string.h>

#include "core/base/gilk-array.h"
#include "core/base/gilk-error.h"
#include "core/emit/gilk-inline.h"
#include "core/export/gilk-export-private.h"
#include "core/samples/gilk-rows.h"

static void
clear_source (gpointer data)
{
  GilkEventSource *source = data;

  gilk_samples_free (source->samples);
  g_clear_pointer (&source->fields, g_array_unref);
  g_clear_pointer (&source->columns, g_ptr_array_unref);
  g_free (source->types);
}

static gboolean
add_fields (GilkEventSource *source, GError **error)
{
  source->columns = g_ptr_array_new_with_free_func (g_free);
  source->types = g_new0 (guint, source->fields->len + 1);
  for (guint f = 0; f < source->fields->len; f++)
    {
      const GilkStoredField *field = &g_array_index (source->fields, GilkStoredField, f);
      guint number;

      if (!gilk_samples_add_field (source->samples, field->name, &number, &source->types[f], error))
        return FALSE;
      g_ptr_array_add (source->columns, gilk_rows_column (field->column, field->unit));
    }

  return TRUE;
}

/* Adds a source, which reads the samples of @hooks. All of @hooks have the same instrument. */
static gboolean
add_source (GilkEvents *events, const GArray *hooks, GError **error)
{
  const GilkExportJob *job = events->job;
  const GilkStoredHook *first = &g_array_index (hooks, GilkStoredHook, 0);
  GilkEventSource source = { .instrument = first->instrument };

  source.is_span = gilk_inline_is (first->instrument, GILK_INLINE_SPAN);
  source.fields = gilk_store_fields (job->store, first->run, first->instrument, error);
  source.samples = source.fields != NULL
                   ? gilk_samples_new (job->store, (const GilkStoredHook *) (const void *) hooks->data,
                                       hooks->len, error) : NULL;
  if (source.samples == NULL)
    {
      clear_source (&source);
      return FALSE;
    }
  g_array_append_val (events->sources, source);
  if (!add_fields (GILK_EVENT_SOURCE (events, events->sources->len - 1), error))
    return FALSE;
  for (guint i = 0; job->conditions != NULL && job->conditions[i] != NULL; i++)
    if (!gilk_samples_add_condition (source.samples, job->conditions[i], error))
      return FALSE;
  gilk_samples_set_range (source.samples, job->from_ns, job->to_ns);
  gilk_samples_in_order (source.samples);

  return TRUE;
}

static gboolean
add_hooks (GilkEvents *events, const GArray *hooks, const GArray *places, GError **error)
{
  gboolean samples;

  if (!gilk_export_has_samples (events->job, &g_array_index (hooks, GilkStoredHook, 0), &samples, error))
    return FALSE;
  if (samples)
    return add_source (events, hooks, error);
  g_array_append_vals (events->counting, hooks->data, hooks->len);
  g_array_append_vals (events->counting_at, places->data, places->len);

  return TRUE;
}

/* Groups the job's hooks by instrument, in order of each instrument's first hook. */
static gboolean
group_hooks (GilkEvents *events, GError **error)
{
  const GilkExportJob *job = events->job;
  g_autoptr(GHashTable) numbers = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr(GPtrArray) hooks = g_ptr_array_new_with_free_func ((GDestroyNotify) g_array_unref);
  g_autoptr(GPtrArray) places = g_ptr_array_new_with_free_func ((GDestroyNotify) g_array_unref);

  for (guint i = 0; i < job->n_hooks; i++)
    {
      guint number = GPOINTER_TO_UINT (g_hash_table_lookup (numbers, job->hooks[i].instrument));

      if (number == 0)
        {
          g_ptr_array_add (hooks, g_array_new (FALSE, FALSE, sizeof (GilkStoredHook)));
          g_ptr_array_add (places, g_array_new (FALSE, FALSE, sizeof (guint)));
          number = hooks->len;
          g_hash_table_insert (numbers, job->hooks[i].instrument, GUINT_TO_POINTER (number));
        }
      g_array_append_vals (hooks->pdata[number - 1], &job->hooks[i], 1);
      g_array_append_val (((GArray *) places->pdata[number - 1]), i);
    }
  for (guint i = 0; i < hooks->len; i++)
    if (!add_hooks (events, hooks->pdata[i], places->pdata[i], error))
      return FALSE;

  return TRUE;
}

static gboolean
read_next_block (GilkEventSource *source, GError **error)
{
  GError *local = NULL;

  source->at = 0;
  source->has = gilk_samples_next (source->samples, &source->block, &local);
  return gilk_check_end (&local, error);
}

GilkEvents *
gilk_events_new (const GilkExportJob *job,
                 GError             **error)
{
  g_autoptr(GilkEvents) events = g_new0 (GilkEvents, 1);

  events->job = job;
  events->sources = gilk_array_new (sizeof (GilkEventSource), clear_source);
  events->counting = g_array_new (FALSE, FALSE, sizeof (GilkStoredHook));
  events->counting_at = g_array_new (FALSE, FALSE, sizeof (guint));
  events->index = gilk_hook_index_new (job->hooks, job->n_hooks);
  gilk_export_progress_init (&events->export_progress, job);
  if (!group_hooks (events, error))
    return NULL;
  for (guint i = 0; i < events->sources->len; i++)
    if (!read_next_block (GILK_EVENT_SOURCE (events, i), error))
      return NULL;

  return g_steal_pointer (&events);
}

void
gilk_events_free (GilkEvents *events)
{
  if (events == NULL)
    return;
  g_array_unref (events->sources);
  g_array_unref (events->counting);
  g_array_unref (events->counting_at);
  gilk_hook_index_free (events->index);
  g_free (events);
}

gboolean
gilk_events_next (GilkEvents   *events,
                  GilkEventRun *run,
                  GError      **error)
{
  GilkEventSource *first = NULL;
  gint64 limit = G_MAXINT64;
  guint at;

  for (guint i = 0; i < events->sources->len; i++)
    {
      GilkEventSource *source = GILK_EVENT_SOURCE (events, i);

      if (source->has && source->at == source->block.n && !read_next_block (source, error))
        return FALSE;
      if (!source->has)
        continue;
      if (first == NULL || source->block.t_ns[source->at] < first->block.t_ns[first->at])
        {
          if (first != NULL)
            limit = MIN (limit, first->block.t_ns[first->at]);
          first = source;
          run->source = i;
        }
      else
        limit = MIN (limit, source->block.t_ns[source->at]);
    }
  if (first == NULL)
    return FALSE;

  for (at = first->at + 1; at < first->block.n && first->block.t_ns[at] <= limit; at++)
    ;
  run->block = &first->block;
  run->from = first->at;
  run->to = at;
  first->at = at;

  return gilk_export_progress_add (&events->export_progress, run->to - run->from, error);
}

int
gilk_event_source_field (const GilkEventSource *source,
                         const char            *name,
                         gboolean               text)
{
  for (guint f = 0; f < source->fields->len; f++)
    if (strcmp (g_array_index (source->fields, GilkStoredField, f).name, name) == 0 &&
        (source->types[f] == ILK_FIELD_TEXT) == text)
      return (int) f;

  return -1;
}

gboolean
gilk_export_is_exit (const GilkStoredHook *hook)
{
  return strcmp (hook->where, "post") == 0;
}

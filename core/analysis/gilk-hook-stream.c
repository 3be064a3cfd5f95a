/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-hook-stream.c - reads a hook's values, one by one, in constant memory: a field of the
 * samples, or a value derived from them
 */
#include "core/analysis/gilk-hook-stream.h"

#include <glib/gi18n.h>
#include <string.h>

#include "core/analysis/gilk-hook-elapsed.h"
#include "core/analysis/gilk-hook-samples.h"
#include "core/base/gilk-error.h"
#include "core/base/gilk-memory.h"
#include "core/samples/gilk-samples.h"

struct _GilkHookStream {
  GilkSamples  *samples;          /* NULL if values are durations of calls, which @elapsed reads */
  GilkHookElapsed *elapsed;
  GilkFieldKind kind;
  guint         number, type;
  const GArray *gaps;
  guint         gap;              /* index of the first gap that ends after @before */
  gboolean      begun;
  double        before;           /* time of the previous sample */
  uint32_t      cpu_before;
  GilkHookCost *cost;             /* (nullable) */
  gsize        *read;             /* (nullable) */
  uint64_t      cut;
  gsize         room;
  double       *times, *values;
  uint32_t     *cpu;
};

gboolean
gilk_hook_ask_calls (const GilkHookAsk *ask,
                     GError           **error)
{
  if (ask->condition == NULL)
    return TRUE;
  return gilk_fail (error, GILK_ERROR_USAGE,
      _("The duration of a call comes from two samples, but the condition “%s” selects "
        "single samples. Omit the condition, or do not ask for durations."),
      ask->condition);
}

static gboolean
open_elapsed (GilkHookStream *stream, GilkStore *store, const GilkStoredHook *hook, const GilkHookAsk *ask, GError **error)
{
  if (!gilk_hook_ask_calls (ask, error))
    return FALSE;
  stream->elapsed = gilk_hook_elapsed_of (store, hook, ask->cost != NULL, error);

  return stream->elapsed != NULL &&
         gilk_hook_elapsed_begin (stream->elapsed, gilk_hook_ask_ns (ask->from, G_MININT64),
                                  gilk_hook_ask_ns (ask->to, G_MAXINT64), error);
}

GilkHookStream *
gilk_hook_stream_new (GilkStore            *store,
                      const GilkStoredHook *hook,
                      const GilkHookAsk    *ask,
                      GError              **error)
{
  g_autoptr(GilkHookStream) stream = g_new0 (GilkHookStream, 1);

  stream->gaps = ask->gaps;
  stream->cost = ask->cost;
  stream->read = ask->read;
  if (stream->cost != NULL)
    stream->cost->clamped = 0;
  stream->kind = gilk_field_kind (ask->field);
  if (stream->kind == GILK_FIELD_ELAPSED)
    return open_elapsed (stream, store, hook, ask, error) ? g_steal_pointer (&stream) : NULL;
  stream->samples = gilk_samples_new (store, hook, 1, error);
  if (stream->samples == NULL)
    return NULL;
  gilk_samples_set_range (stream->samples, gilk_hook_ask_ns (ask->from, G_MININT64),
                          gilk_hook_ask_ns (ask->to, G_MAXINT64));
  if (ask->in_order || stream->kind == GILK_FIELD_INTERVAL)
    gilk_samples_in_order (stream->samples);
  if (stream->kind == GILK_FIELD_OWN &&
      !gilk_samples_add_field (stream->samples, ask->field, &stream->number, &stream->type, error))
    return NULL;
  if (stream->kind == GILK_FIELD_OWN && stream->type == ILK_FIELD_TEXT)
    return gilk_fail_null (error, GILK_ERROR_USAGE,
        _("The field “%s” is a string, which has no distribution. Name a numeric field, or count its values "
          "with --group."), ask->field);
  if (ask->condition != NULL &&
      !gilk_samples_add_condition (stream->samples, ask->condition, error))
    return NULL;

  return g_steal_pointer (&stream);
}

void
gilk_hook_stream_free (GilkHookStream *stream)
{
  if (stream == NULL)
    return;

  gilk_samples_free (stream->samples);
  gilk_hook_elapsed_free (stream->elapsed);
  gilk_free_all (stream->times, stream->values, stream->cpu, stream);
}

static void
make_room (GilkHookStream *stream, guint n)
{
  if (n <= stream->room)
    return;
  stream->room = n;
  stream->times = g_renew (double, stream->times, n);
  stream->values = g_renew (double, stream->values, n);
  stream->cpu = g_renew (uint32_t, stream->cpu, n);
}

/* Returns whether samples may be missing between @from and @to. @from must not decrease from call
 * to call. */
static gboolean
has_gap_between (GilkHookStream *stream, double from, double to)
{
  guint n = stream->gaps != NULL ? stream->gaps->len : 0;

  while (stream->gap < n && g_array_index (stream->gaps, GilkGap, stream->gap).to <= from)
    stream->gap++;

  return stream->gap < n && gilk_gaps_touch (stream->gaps, from, to);
}

static guint
copy_intervals (GilkHookStream *stream, const GilkSampleBlock *from)
{
  guint n = 0;

  for (guint i = 0; i < from->n; i++)
    {
      double now = (double) from->t_ns[i] / 1e9;

      if (stream->begun && has_gap_between (stream, stream->before, now))
        stream->cut++;
      else if (stream->begun)
        {
          stream->times[n] = now;
          stream->values[n] = now - stream->before;
          if (stream->cost != NULL && from->cpu[i] == stream->cpu_before)
            stream->values[n] = gilk_hook_cost_subtract (stream->cost->seconds, stream->values[n], &stream->cost->clamped);
          stream->cpu[n++] = from->cpu[i];
        }
      stream->before = now;
      stream->cpu_before = from->cpu[i];
      stream->begun = TRUE;
    }

  return n;
}

static guint
copy_values (GilkHookStream *stream, const GilkSampleBlock *from)
{
  gboolean is_field = stream->kind == GILK_FIELD_OWN;
  const gint64 *values = is_field ? from->values[stream->number] : NULL;
  const uint8_t *missing = is_field ? from->missing[stream->number] : NULL;
  guint n = 0;

  for (guint i = 0; i < from->n; i++)
    {
      if (missing != NULL && missing[i])
        continue;
      stream->times[n] = (double) from->t_ns[i] / 1e9;
      stream->values[n] = is_field ? gilk_sample_number (values[i], stream->type) : stream->times[n];
      stream->cpu[n++] = from->cpu[i];
    }

  return n;
}

static gboolean
read_elapsed (GilkHookStream *stream, GilkHookBlock *block, GError **error)
{
  GilkElapsedBlock calls;

  while (gilk_hook_elapsed_next (stream->elapsed, &calls, error))
    {
      make_room (stream, calls.n);
      for (guint i = 0; i < calls.n; i++)
        {
          stream->times[i] = (double) calls.t_ns[i] / 1e9;
          stream->values[i] = (double) calls.ns[i] / 1e9;
          stream->cpu[i] = calls.cpu[i];
        }
      if (stream->read != NULL)
        g_atomic_pointer_add (stream->read, calls.n);
      *block = (GilkHookBlock) { calls.n, stream->times, stream->values, stream->cpu };
      if (calls.n > 0)
        return TRUE;
    }
  stream->cut = gilk_hook_elapsed_counts (stream->elapsed).cut;
  if (stream->cost != NULL)
    stream->cost->clamped = gilk_hook_elapsed_counts (stream->elapsed).clamped;

  return FALSE;
}

gboolean
gilk_hook_stream_next (GilkHookStream *stream,
                       GilkHookBlock  *block,
                       GError        **error)
{
  GilkSampleBlock samples;

  if (stream->kind == GILK_FIELD_ELAPSED)
    return read_elapsed (stream, block, error);
  while (gilk_samples_next (stream->samples, &samples, error))
    {
      guint n;

      if (stream->read != NULL)
        g_atomic_pointer_add (stream->read, samples.n);
      make_room (stream, samples.n);
      n = stream->kind == GILK_FIELD_INTERVAL ? copy_intervals (stream, &samples)
                                         : copy_values (stream, &samples);
      *block = (GilkHookBlock) { n, stream->times, stream->values, stream->cpu };
      if (n > 0)
        return TRUE;
    }

  return FALSE;
}

uint64_t
gilk_hook_stream_cut (const GilkHookStream *stream)
{
  return stream->cut;
}

/* ---- the values of a figure: a field of the samples, or a value derived from them ---- */

GilkFieldKind
gilk_field_kind (const char *field)
{
  static const char *const names[] = {
    [GILK_FIELD_TIME] = GILK_TIME, [GILK_FIELD_INTERVAL] = GILK_INTERVAL, [GILK_FIELD_ELAPSED] = GILK_ELAPSED,
  };

  for (GilkFieldKind kind = GILK_FIELD_OWN + 1; kind < G_N_ELEMENTS (names); kind++)
    if (g_strcmp0 (field, names[kind]) == 0)
      return kind;

  return GILK_FIELD_OWN;
}

const char *
gilk_field_name (const char *field)
{
  switch (gilk_field_kind (field))
    {
    case GILK_FIELD_INTERVAL:
      return _("time between hits");
    case GILK_FIELD_ELAPSED:
      return _("duration of calls");
    case GILK_FIELD_OWN:
    case GILK_FIELD_TIME:
    default:
      return field;
    }
}

gboolean
gilk_field_is_duration (const char *field)
{
  return gilk_field_kind (field) == GILK_FIELD_INTERVAL || gilk_field_kind (field) == GILK_FIELD_ELAPSED;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-export-perfetto.c - exports a run as a Perfetto trace of TrackEvents
 *
 * Samples are instants on the track of their thread if they have one, else of their CPU. Spans are
 * slices on the track of the kernel stack that they ran on. Counters, and the losses of each CPU,
 * are counter tracks. Notes on a range of time are slices, those on a single time instants.
 */
#include <string.h>

#include "core/export/gilk-export-spans.h"
#include "core/export/gilk-perfetto-private.h"
#include "core/samples/gilk-readings.h"
#include "core/store/gilk-store-loss.h"

#define LANES_MAX  64             /* tracks for overlapping notes; further notes are instants */
#define TRACKS_MAX (1u << 18)     /* maximum of one kind; further samples are on CPU tracks */

typedef struct {
  const GilkExportJob *job;
  GilkEvents          *events;
  GilkExportSpans      spans;
  GilkCalls           *calls;
  GilkStoredOrigin     origin;
  GilkPerfetto         trace;
  GHashTable          *cpus, *threads, *stacks;   /* int64 -> uint64 *: numbers of tracks */
  GError              *error;     /* the first error of a callback */
} Export;

/* ---- tracks ---- */

static uint64_t *
find_track (GHashTable *table, gint64 key)
{
  return g_hash_table_lookup (table, &key);
}

static uint64_t
add_track (GHashTable *table, gint64 key, uint64_t track)
{
  gint64 *pair = g_new (gint64, 2);

  pair[0] = key;
  pair[1] = (gint64) track;
  g_hash_table_insert (table, pair, pair + 1);

  return track;
}

static uint64_t
ensure_cpu_track (Export *export, guint cpu)
{
  uint64_t *known = find_track (export->cpus, cpu);
  g_autofree char *name = NULL;

  if (known != NULL)
    return *known;
  name = g_strdup_printf ("CPU %u", cpu);

  return add_track (export->cpus, cpu, gilk_perfetto_track (&export->trace, name));
}

static uint64_t
ensure_stack_track (Export *export, uint64_t frame)
{
  uint64_t base = frame / GILK_CALLS_STACK_BYTES * GILK_CALLS_STACK_BYTES;
  uint64_t *known = find_track (export->stacks, (gint64) base);
  g_autofree char *name = NULL;

  if (known == NULL && g_hash_table_size (export->stacks) >= TRACKS_MAX)
    known = find_track (export->stacks, (gint64) (base = 0));
  if (known != NULL)
    return *known;
  name = g_strdup_printf ("Calls on kernel stack 0x%016" G_GINT64_MODIFIER "x", (guint64) base);

  return add_track (export->stacks, (gint64) base, gilk_perfetto_track (&export->trace, name));
}

/* Returns 0 if the sample does not have its thread. */
static uint64_t
ensure_thread_track (Export *export, const GilkSampleBlock *block, int pid, int comm, guint i)
{
  uint64_t *known;
  gint64 tid;

  if (pid < 0 || (block->missing[pid] != NULL && block->missing[pid][i]))
    return 0;
  tid = block->values[pid][i];
  if (tid < 0 || tid > G_MAXINT32)
    return 0;
  known = find_track (export->threads, tid);
  if (known != NULL)
    return *known;
  if (g_hash_table_size (export->threads) >= TRACKS_MAX)
    return 0;

  return add_track (export->threads, tid,
                    gilk_perfetto_thread (&export->trace, (int32_t) tid,
                                          comm >= 0 && (block->missing[comm] == NULL || !block->missing[comm][i])
                                          ? block->texts[comm][i] : NULL));
}

/* ---- samples ---- */

static void
put_fields (Export *export, const GilkEventSource *source, const GilkSampleBlock *block, guint i)
{
  for (guint f = 0; f < source->fields->len; f++)
    {
      const char *label = source->columns->pdata[f];

      if (block->missing[f] != NULL && block->missing[f][i])
        continue;
      if (source->types[f] == ILK_FIELD_TEXT)
        gilk_perfetto_text (&export->trace, label, block->texts[f][i]);
      else
        gilk_perfetto_number (&export->trace, label, source->types[f], block->values[f][i]);
    }
}

static gboolean
put_instant (Export *export, const GilkEventSource *source, const GilkSampleBlock *block, int pid, int comm,
             guint i, GError **error)
{
  const GilkStoredHook *hook =
    &export->job->hooks[gilk_hook_index_find (export->events->index, block->hook[i])];
  uint64_t track = ensure_thread_track (export, block, pid, comm, i), time;

  if (!gilk_export_time (export->job, &export->origin, block->t_ns[i], &time, error))
    return FALSE;
  gilk_perfetto_begin (&export->trace, GILK_PERFETTO_INSTANT,
                       track != 0 ? track : ensure_cpu_track (export, block->cpu[i]));
  gilk_perfetto_name (&export->trace, source->instrument, hook->label);
  if (track != 0)
    gilk_perfetto_number (&export->trace, "on_cpu", ILK_FIELD_U32, block->cpu[i]);
  put_fields (export, source, block, i);

  return gilk_perfetto_end (&export->trace, time, error);
}

/* ---- calls ---- */

static void
put_end (Export *export, gint64 t_ns)
{
  uint64_t time;

  if (export->error == NULL &&
      gilk_export_time (export->job, &export->origin, t_ns, &time, &export->error))
    gilk_perfetto_end (&export->trace, time, &export->error);
}

static void
on_begin (const GilkCallMark *entry, guint depth, gpointer data)
{
  Export *export = data;
  GilkPerfetto *trace = &export->trace;

  gilk_perfetto_begin (trace, GILK_PERFETTO_BEGIN, ensure_stack_track (export, entry->frame));
  gilk_perfetto_name (trace, "span", export->spans.names->pdata[entry->function]);
  gilk_perfetto_number (trace, "on_cpu", ILK_FIELD_U32, entry->cpu);
  gilk_perfetto_number (trace, "frame", ILK_FIELD_HEX64, (gint64) entry->frame);
  gilk_perfetto_text (trace, "entry", export->job->hooks[entry->hook].label);
  put_end (export, entry->t_ns);
}

/* Leaves slices open that have not ended at the end of the run. */
static void
on_end (const GilkCall *call, gint64 now_ns, gpointer data)
{
  Export *export = data;
  GilkPerfetto *trace = &export->trace;

  if (call->end == GILK_CALL_OPEN)
    return;
  gilk_perfetto_begin (trace, GILK_PERFETTO_END, ensure_stack_track (export, call->entry.frame));
  if (call->has_exit)
    {
      gilk_perfetto_text (trace, "exit", export->job->hooks[call->exit.hook].label);
      gilk_perfetto_number (trace, "exit_on_cpu", ILK_FIELD_U32, call->exit.cpu);
    }
  if (call->end == GILK_CALL_CUT)
    gilk_perfetto_text (trace, "cut", call->has_exit ? "samples were lost between its entry and its exit"
                                                     : "its exit was not recorded; ended at the next sample");
  put_end (export, now_ns);
}

static void
on_stray (const GilkCallMark *exit, gpointer data)
{
  Export *export = data;
  GilkPerfetto *trace = &export->trace;

  gilk_perfetto_begin (trace, GILK_PERFETTO_INSTANT, ensure_cpu_track (export, exit->cpu));
  gilk_perfetto_name (trace, "span", export->job->hooks[exit->hook].label);
  gilk_perfetto_number (trace, "frame", ILK_FIELD_HEX64, (gint64) exit->frame);
  put_end (export, exit->t_ns);
}

static gboolean
write_run (Export *export, const GilkEventRun *run, GError **error)
{
  const GilkEventSource *source = GILK_EVENT_SOURCE (export->events, run->source);
  int pid = gilk_event_source_field (source, "pid", FALSE);
  int comm = gilk_event_source_field (source, "comm", TRUE);
  int frame = source->is_span ? gilk_event_source_field (source, "frame", FALSE) : -1;

  for (guint i = run->from; i < run->to; i++)
    {
      if (!gilk_export_spans_has (run->block, frame, i))
        {
          if (!put_instant (export, source, run->block, pid, comm, i, error))
            return FALSE;
          continue;
        }
      const GilkCallMark mark = gilk_export_spans_mark (&export->spans, export->events, run->block,
                                                        (guint) frame, i);

      gilk_calls_add (export->calls, &mark);
      if (export->error != NULL)
        {
          g_propagate_error (error, g_steal_pointer (&export->error));
          return FALSE;
        }
    }

  return TRUE;
}

static gboolean
write_samples (Export *export, GError **error)
{
  GilkEventRun run;
  GError *local = NULL;

  while (gilk_events_next (export->events, &run, &local))
    if (!write_run (export, &run, error))
      return FALSE;
  if (local != NULL)
    g_propagate_error (error, local);

  return local == NULL;
}

/* ---- counters ---- */

static gboolean
put_value (Export *export, uint64_t track, uint64_t time, uint64_t value, GError **error)
{
  gilk_perfetto_begin (&export->trace, GILK_PERFETTO_COUNTER, track);
  gilk_perfetto_value (&export->trace, value);

  return gilk_perfetto_end (&export->trace, time, error);
}

static gboolean
write_counters (Export *export, GError **error)
{
  const GArray *hooks = export->events->counting;
  g_autofree uint64_t *tracks = g_new0 (uint64_t, hooks->len + 1);
  g_autoptr(GilkReadings) readings = NULL;
  GilkReading reading;
  GError *local = NULL;
  uint64_t time;

  if (hooks->len == 0)
    return TRUE;
  readings = gilk_readings_new (export->job->store, (const GilkStoredHook *) (const void *) hooks->data,
                                hooks->len, export->job->from_ns, export->job->to_ns, error);
  if (readings == NULL)
    return FALSE;
  while (gilk_readings_next (readings, &reading, &local))
    {
      if (tracks[reading.hook] == 0)
        tracks[reading.hook] = gilk_perfetto_counter (&export->trace,
                                                      g_array_index (hooks, GilkStoredHook, reading.hook).label);
      if (!gilk_export_time (export->job, &export->origin, reading.t_ns, &time, error) ||
          !put_value (export, tracks[reading.hook], time, reading.hits, error))
        return FALSE;
    }
  if (local != NULL)
    g_propagate_error (error, local);

  return local == NULL;
}

static int
compare_ends (gconstpointer a, gconstpointer b)
{
  const GilkStoredCpuLoss *x = a, *y = b;

  if (x->cpu != y->cpu)
    return x->cpu < y->cpu ? -1 : 1;

  return (x->to_ns > y->to_ns) - (x->to_ns < y->to_ns);
}

/* Losses of unknown time are counted at the end of the run. */
static gboolean
write_losses (Export *export, GError **error)
{
  const GilkExportJob *job = export->job;
  g_autoptr(GArray) losses = gilk_store_losses_by_cpu (job->store, job->hooks, job->n_hooks, error);
  gint64 end = (gint64) MIN (export->origin.duration_ns, (uint64_t) G_MAXINT64);
  uint64_t track = 0, sum = 0;

  if (losses == NULL)
    return FALSE;
  g_array_sort (losses, compare_ends);
  for (guint i = 0; i < losses->len; i++)
    {
      const GilkStoredCpuLoss *loss = &g_array_index (losses, GilkStoredCpuLoss, i);
      gint64 at = loss->to_ns != G_MAXINT64 ? loss->to_ns : MAX (end, 0);

      if (i == 0 || loss->cpu != (loss - 1)->cpu)
        {
          g_autofree char *name = g_strdup_printf ("Samples lost on CPU %u", loss->cpu);

          track = gilk_perfetto_counter (&export->trace, name);
          sum = 0;
          if (!put_value (export, track, gilk_export_clamped_time (&export->origin, 0), 0, error))
            return FALSE;
        }
      if (loss->to_ns < job->from_ns || loss->from_ns >= job->to_ns)
        continue;
      sum += MIN (loss->lost, (uint64_t) G_MAXINT64 - sum);
      if (!put_value (export, track, gilk_export_clamped_time (&export->origin, at), sum, error))
        return FALSE;
    }

  return TRUE;
}

/* ---- notes ---- */

typedef struct { uint64_t track; gint64 end_ns; } Lane;

/* Returns a lane that is free at @from_ns, else the last one. */
static Lane *
find_lane (Export *export, GArray *lanes, gint64 from_ns)
{
  Lane lane = { 0, G_MININT64 };

  for (guint i = 0; i < lanes->len; i++)
    if (g_array_index (lanes, Lane, i).end_ns <= from_ns)
      return &g_array_index (lanes, Lane, i);
  if (lanes->len < LANES_MAX)
    {
      lane.track = gilk_perfetto_track (&export->trace, "Notes");
      g_array_append_val (lanes, lane);
    }

  return &g_array_index (lanes, Lane, lanes->len - 1);
}

static gboolean
put_note (Export *export, const GilkStoredNote *note, Lane *lane, GError **error)
{
  GilkPerfetto *trace = &export->trace;
  gboolean slice = note->to_ns > note->from_ns && lane->end_ns <= note->from_ns;
  const char *hook = gilk_export_label (export->job, note->hook);

  gilk_perfetto_begin (trace, slice ? GILK_PERFETTO_BEGIN : GILK_PERFETTO_INSTANT, lane->track);
  gilk_perfetto_name (trace, "note", note->text);
  if (note->author != NULL)
    gilk_perfetto_text (trace, "author", note->author);
  if (hook != NULL)
    gilk_perfetto_text (trace, "hook", hook);
  if (!gilk_perfetto_end (trace, gilk_export_clamped_time (&export->origin, note->from_ns), error))
    return FALSE;
  if (!slice)
    return TRUE;
  lane->end_ns = note->to_ns;
  gilk_perfetto_begin (trace, GILK_PERFETTO_END, lane->track);

  return gilk_perfetto_end (trace, gilk_export_clamped_time (&export->origin, note->to_ns), error);
}

static gboolean
write_notes (Export *export, GError **error)
{
  g_autoptr(GArray) notes = gilk_export_notes (export->job, error), lanes = g_array_new (FALSE, FALSE, sizeof (Lane));

  for (guint i = 0; notes != NULL && i < notes->len; i++)
    {
      const GilkStoredNote *note = &g_array_index (notes, GilkStoredNote, i);

      if (!put_note (export, note, find_lane (export, lanes, note->from_ns), error))
        return FALSE;
    }

  return notes != NULL;
}

static gboolean
write_trace (Export *export, GError **error)
{
  static const GilkCallsHandler handler = { on_begin, on_end, on_stray };

  if (!gilk_store_origin (export->job->store, export->job->run->id, &export->origin, error) ||
      !gilk_export_spans_init (&export->spans, export->job, error))
    return FALSE;
  export->events = gilk_events_new (export->job, error);
  if (export->events == NULL)
    return FALSE;
  export->calls = gilk_calls_new (&handler, export, export->spans.gaps);
  gilk_perfetto_clocks (&export->trace, export->origin.zero_mono_ns, export->origin.zero_unix_ns);

  return write_samples (export, error) && write_counters (export, error) && write_losses (export, error) &&
         write_notes (export, error);
}

gboolean
gilk_export_perfetto (const GilkExportJob *job,
                      GilkSink            *sink,
                      GError             **error)
{
  Export export = { .job = job };
  gboolean good;

  export.cpus = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  export.threads = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  export.stacks = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  gilk_perfetto_init (&export.trace, sink);
  good = write_trace (&export, error);

  gilk_calls_free (export.calls);
  gilk_events_free (export.events);
  gilk_export_spans_clear (&export.spans);
  gilk_perfetto_clear (&export.trace);
  gilk_stored_origin_clear (&export.origin);
  g_hash_table_unref (export.cpus);
  g_hash_table_unref (export.threads);
  g_hash_table_unref (export.stacks);
  g_clear_error (&export.error);

  return good;
}

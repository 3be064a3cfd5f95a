/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-export-perfetto.c - exports a run as a Perfetto trace of TrackEvents
 *
 * Samples are instants on the track of their thread if they have one, else of their CPU. Spans
 * (calls from entry to exit) are slices on the track of the kernel stack that they ran on.
 * Counters, and the losses of each CPU, are counter tracks. Notes on a range of time are slices;
 * notes on a single time are instants.
 */
#include <string.h>

#include "core/base/gilk-array.h"
#include "core/base/gilk-error.h"
#include "core/export/gilk-export-private.h"
#include "core/export/gilk-export-spans.h"
#include "core/export/gilk-protobuf.h"
#include "core/samples/gilk-samples.h"
#include "core/store/gilk-store-loss.h"

/*
 * All packets belong to one sequence. The packet that first uses a name, category or text also
 * defines it.
 */
typedef enum {
  GILK_PERFETTO_BEGIN = 1, GILK_PERFETTO_END = 2, GILK_PERFETTO_INSTANT = 3, GILK_PERFETTO_COUNTER = 4,
} GilkPerfettoType;

typedef struct {
  GilkSink   *sink;
  GString    *event, *interned, *packet, *scratch;
  GHashTable *names, *categories, *labels, *texts;    /* tables from a text to its interning id
                                                       * (iid) */
  uint64_t    tracks;                                 /* number of tracks so far */
} GilkPerfetto;

#define LANES_MAX  64          /* maximum number of tracks for overlapping notes; further notes are
                                * instants */
#define TRACKS_MAX (1u << 18)  /* maximum number of tracks of one kind; samples that would need more
                                * are put on CPU tracks */

typedef struct {
  const GilkExportJob *job;
  GilkEvents          *events;
  GilkExportSpans      spans;
  GilkCalls           *calls;
  GilkStoredOrigin     origin;
  GilkPerfetto         trace;
  GHashTable          *cpus, *threads, *stacks;   /* tables from a CPU, thread id or stack base
                                                   * (int64) to the number of its track (pointer
                                                   * to uint64) */
  GError              *error;     /* the first error that occurred in a callback */
} Export;

/* ---- writing packets ---- */

/*
 * Field numbers are those of Perfetto's public trace_packet.proto, track_event.proto and the files
 * that these import.
 */

#define SEQUENCE  1
#define TEXTS_MAX 65536             /* maximum number of interned texts; further texts are written
                                     * at each use */

enum { TRACE_PACKET = 1 };
enum { PACKET_CLOCK_SNAPSHOT = 6, PACKET_TIMESTAMP = 8, PACKET_SEQUENCE_ID = 10, PACKET_TRACK_EVENT = 11,
       PACKET_INTERNED_DATA = 12, PACKET_SEQUENCE_FLAGS = 13, PACKET_DEFAULTS = 59,
       PACKET_TRACK_DESCRIPTOR = 60 };
enum { SEQUENCE_CLEARED = 1, SEQUENCE_NEEDS_STATE = 2 };
enum { DEFAULTS_CLOCK_ID = 58 };
enum { SNAPSHOT_CLOCKS = 1, SNAPSHOT_PRIMARY = 2, CLOCK_ID = 1, CLOCK_TIMESTAMP = 2,
       CLOCK_IS_REALTIME = 1, CLOCK_IS_MONOTONIC = 3 };
enum { TRACK_UUID = 1, TRACK_NAME = 2, TRACK_THREAD = 4, TRACK_COUNTER = 8 };
enum { THREAD_PID = 1, THREAD_TID = 2, THREAD_NAME = 5 };
enum { COUNTER_UNIT = 3, COUNTER_UNIT_COUNT = 2 };
enum { EVENT_CATEGORY_IIDS = 3, EVENT_ANNOTATIONS = 4, EVENT_TYPE = 9, EVENT_NAME_IID = 10,
       EVENT_TRACK_UUID = 11, EVENT_COUNTER_VALUE = 30 };
enum { ANNOTATION_NAME_IID = 1, ANNOTATION_UINT = 3, ANNOTATION_INT = 4, ANNOTATION_TEXT = 6,
       ANNOTATION_POINTER = 7, ANNOTATION_TEXT_IID = 17 };
enum { INTERNED_CATEGORIES = 1, INTERNED_NAMES = 2, INTERNED_LABELS = 3, INTERNED_TEXTS = 29,
       INTERNED_IID = 1, INTERNED_TEXT = 2 };

static GHashTable *
make_table (void)
{
  return g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
}

static void
init_trace (GilkPerfetto *perfetto,
            GilkSink     *sink)
{
  *perfetto = (GilkPerfetto) {
    .sink = sink, .event = g_string_new (NULL), .interned = g_string_new (NULL),
    .packet = g_string_new (NULL), .scratch = g_string_new (NULL), .names = make_table (),
    .categories = make_table (), .labels = make_table (), .texts = make_table (),
  };
}

static void
clear_trace (GilkPerfetto *perfetto)
{
  g_string_free (perfetto->event, TRUE);
  g_string_free (perfetto->interned, TRUE);
  g_string_free (perfetto->packet, TRUE);
  g_string_free (perfetto->scratch, TRUE);
  g_hash_table_unref (perfetto->names);
  g_hash_table_unref (perfetto->categories);
  g_hash_table_unref (perfetto->labels);
  g_hash_table_unref (perfetto->texts);
}

static void
put_packet (GilkPerfetto *perfetto)
{
  gilk_protobuf_uint (perfetto->packet, PACKET_SEQUENCE_ID, SEQUENCE);
  gilk_protobuf_message (perfetto->sink->text, TRACE_PACKET, perfetto->packet);
  g_string_truncate (perfetto->packet, 0);
}

/* ---- snapshot of the clocks ---- */

static void
add_clock (GString *snapshot, GString *scratch, guint id, uint64_t ns)
{
  g_string_truncate (scratch, 0);
  gilk_protobuf_uint (scratch, CLOCK_ID, id);
  gilk_protobuf_uint (scratch, CLOCK_TIMESTAMP, ns);
  gilk_protobuf_message (snapshot, SNAPSHOT_CLOCKS, scratch);
}

/* Writes a snapshot of two clocks: @mono_ns and @unix_ns are the same instant. Must be called
 * before any event is written. */
static void
write_clocks (GilkPerfetto *perfetto,
              uint64_t      mono_ns,
              uint64_t      unix_ns)
{
  g_autoptr(GString) snapshot = g_string_new (NULL);

  add_clock (snapshot, perfetto->scratch, CLOCK_IS_MONOTONIC, mono_ns);
  add_clock (snapshot, perfetto->scratch, CLOCK_IS_REALTIME, unix_ns);
  gilk_protobuf_uint (snapshot, SNAPSHOT_PRIMARY, CLOCK_IS_MONOTONIC);
  gilk_protobuf_message (perfetto->packet, PACKET_CLOCK_SNAPSHOT, snapshot);
  g_string_truncate (perfetto->scratch, 0);
  gilk_protobuf_uint (perfetto->scratch, DEFAULTS_CLOCK_ID, CLOCK_IS_MONOTONIC);
  gilk_protobuf_message (perfetto->packet, PACKET_DEFAULTS, perfetto->scratch);
  gilk_protobuf_uint (perfetto->packet, PACKET_SEQUENCE_FLAGS, SEQUENCE_CLEARED);
  put_packet (perfetto);
}

/* ---- definition of tracks ---- */

static uint64_t
put_track (GilkPerfetto *perfetto, GString *track)
{
  gilk_protobuf_uint (track, TRACK_UUID, ++perfetto->tracks);
  gilk_protobuf_message (perfetto->packet, PACKET_TRACK_DESCRIPTOR, track);
  put_packet (perfetto);

  return perfetto->tracks;
}

/* Add a track and return its number. */
static uint64_t
define_track (GilkPerfetto *perfetto,
              const char   *name)
{
  g_autoptr(GString) track = g_string_new (NULL);

  gilk_protobuf_text (track, TRACK_NAME, name);

  return put_track (perfetto, track);
}

static uint64_t
define_thread_track (GilkPerfetto *perfetto,
                     int32_t       tid,
                     const char   *comm)
{
  g_autoptr(GString) track = g_string_new (NULL), thread = g_string_new (NULL);

  gilk_protobuf_uint (thread, THREAD_PID, (uint64_t) (int64_t) tid);
  gilk_protobuf_uint (thread, THREAD_TID, (uint64_t) (int64_t) tid);
  if (comm != NULL)
    gilk_protobuf_text (thread, THREAD_NAME, comm);
  gilk_protobuf_message (track, TRACK_THREAD, thread);

  return put_track (perfetto, track);
}

static uint64_t
define_counter_track (GilkPerfetto *perfetto,
                      const char   *name)
{
  g_autoptr(GString) track = g_string_new (NULL), counter = g_string_new (NULL);

  gilk_protobuf_text (track, TRACK_NAME, name);
  gilk_protobuf_uint (counter, COUNTER_UNIT, COUNTER_UNIT_COUNT);
  gilk_protobuf_message (track, TRACK_COUNTER, counter);

  return put_track (perfetto, track);
}

/* ---- writing of track events ---- */

/* Returns the interning id of @text; a new text is defined in the packet of this event. */
static uint64_t
intern_text (GilkPerfetto *perfetto, GHashTable *table, guint field, const char *text)
{
  guint known = GPOINTER_TO_UINT (g_hash_table_lookup (table, text));

  if (known != 0)
    return known;
  known = g_hash_table_size (table) + 1;
  g_hash_table_insert (table, g_strdup (text), GUINT_TO_POINTER (known));
  g_string_truncate (perfetto->scratch, 0);
  gilk_protobuf_uint (perfetto->scratch, INTERNED_IID, known);
  gilk_protobuf_text (perfetto->scratch, INTERNED_TEXT, text);
  gilk_protobuf_message (perfetto->interned, field, perfetto->scratch);

  return known;
}

/* Starts an event. The caller must fill it in and end it before it starts another event or adds a
 * track. */
static void
begin_event (GilkPerfetto    *perfetto,
             GilkPerfettoType type,
             uint64_t         track)
{
  g_string_truncate (perfetto->event, 0);
  g_string_truncate (perfetto->interned, 0);
  gilk_protobuf_uint (perfetto->event, EVENT_TYPE, type);
  gilk_protobuf_uint (perfetto->event, EVENT_TRACK_UUID, track);
}

static void
name_event (GilkPerfetto *perfetto,
            const char   *category,
            const char   *name)
{
  gilk_protobuf_uint (perfetto->event, EVENT_CATEGORY_IIDS,
                      intern_text (perfetto, perfetto->categories, INTERNED_CATEGORIES, category));
  gilk_protobuf_uint (perfetto->event, EVENT_NAME_IID,
                      intern_text (perfetto, perfetto->names, INTERNED_NAMES, name));
}

static void
put_annotation (GilkPerfetto *perfetto, uint64_t label, guint kind, uint64_t value)
{
  g_string_truncate (perfetto->scratch, 0);
  gilk_protobuf_uint (perfetto->scratch, ANNOTATION_NAME_IID, label);
  gilk_protobuf_uint (perfetto->scratch, kind, value);
  gilk_protobuf_message (perfetto->event, EVENT_ANNOTATIONS, perfetto->scratch);
}

/* Adds a numeric field to the event. @type: ILK_FIELD_* */
static void
put_number (GilkPerfetto *perfetto,
            const char   *label,
            guint         type,
            gint64        value)
{
  uint64_t known = intern_text (perfetto, perfetto->labels, INTERNED_LABELS, label);
  guint kind = type == ILK_FIELD_HEX64 ? ANNOTATION_POINTER
               : type == ILK_FIELD_U64 || type == ILK_FIELD_U32 ? ANNOTATION_UINT : ANNOTATION_INT;

  put_annotation (perfetto, known, kind, (uint64_t) value);
}

static void
put_text (GilkPerfetto *perfetto,
          const char   *label,
          const char   *text)
{
  uint64_t known = intern_text (perfetto, perfetto->labels, INTERNED_LABELS, label);

  if (g_hash_table_size (perfetto->texts) < TEXTS_MAX || g_hash_table_contains (perfetto->texts, text))
    {
      put_annotation (perfetto, known, ANNOTATION_TEXT_IID,
                      intern_text (perfetto, perfetto->texts, INTERNED_TEXTS, text));
      return;
    }
  g_string_truncate (perfetto->scratch, 0);
  gilk_protobuf_uint (perfetto->scratch, ANNOTATION_NAME_IID, known);
  gilk_protobuf_text (perfetto->scratch, ANNOTATION_TEXT, text);
  gilk_protobuf_message (perfetto->event, EVENT_ANNOTATIONS, perfetto->scratch);
}

/* Adds the value of the counter to a counter event. */
static void
put_counter_value (GilkPerfetto *perfetto,
                   uint64_t      value)
{
  gilk_protobuf_uint (perfetto->event, EVENT_COUNTER_VALUE, value);
}

static gboolean
end_event (GilkPerfetto *perfetto,
           uint64_t      time,
           GError      **error)
{
  gilk_protobuf_uint (perfetto->packet, PACKET_TIMESTAMP, time);
  gilk_protobuf_message (perfetto->packet, PACKET_TRACK_EVENT, perfetto->event);
  if (perfetto->interned->len > 0)
    gilk_protobuf_message (perfetto->packet, PACKET_INTERNED_DATA, perfetto->interned);
  gilk_protobuf_uint (perfetto->packet, PACKET_SEQUENCE_FLAGS, SEQUENCE_NEEDS_STATE);
  put_packet (perfetto);

  return gilk_sink_drain (perfetto->sink, error);
}

/* ---- lookup of tracks, which are defined on first use ---- */

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

  return add_track (export->cpus, cpu, define_track (&export->trace, name));
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

  return add_track (export->stacks, (gint64) base, define_track (&export->trace, name));
}

/* Returns the track of the sample's thread; 0 if the sample does not contain a thread id. */
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
                    define_thread_track (&export->trace, (int32_t) tid,
                                         comm >= 0 && (block->missing[comm] == NULL || !block->missing[comm][i])
                                         ? block->texts[comm][i] : NULL));
}

/* ---- samples as instants ---- */

static void
put_fields (Export *export, const GilkEventSource *source, const GilkSampleBlock *block, guint i)
{
  for (guint f = 0; f < source->fields->len; f++)
    {
      const char *label = source->columns->pdata[f];

      if (block->missing[f] != NULL && block->missing[f][i])
        continue;
      if (source->types[f] == ILK_FIELD_TEXT)
        put_text (&export->trace, label, block->texts[f][i]);
      else
        put_number (&export->trace, label, source->types[f], block->values[f][i]);
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
  begin_event (&export->trace, GILK_PERFETTO_INSTANT,
               track != 0 ? track : ensure_cpu_track (export, block->cpu[i]));
  name_event (&export->trace, source->instrument, hook->label);
  if (track != 0)
    put_number (&export->trace, "on_cpu", ILK_FIELD_U32, block->cpu[i]);
  put_fields (export, source, block, i);

  return end_event (&export->trace, time, error);
}

/* ---- calls as slices ---- */

static void
put_end (Export *export, gint64 t_ns)
{
  uint64_t time;

  if (export->error == NULL &&
      gilk_export_time (export->job, &export->origin, t_ns, &time, &export->error))
    end_event (&export->trace, time, &export->error);
}

static void
on_begin (const GilkCallMark *entry, guint depth, gpointer data)
{
  Export *export = data;
  GilkPerfetto *trace = &export->trace;

  begin_event (trace, GILK_PERFETTO_BEGIN, ensure_stack_track (export, entry->frame));
  name_event (trace, "span", export->spans.names->pdata[entry->function]);
  put_number (trace, "on_cpu", ILK_FIELD_U32, entry->cpu);
  put_number (trace, "frame", ILK_FIELD_HEX64, (gint64) entry->frame);
  put_text (trace, "entry", export->job->hooks[entry->hook].label);
  put_end (export, entry->t_ns);
}

/* Ends the slice of @call, unless the call had not returned by the end of the run: such a slice
 * stays open. */
static void
on_end (const GilkCall *call, gint64 now_ns, gpointer data)
{
  Export *export = data;
  GilkPerfetto *trace = &export->trace;

  if (call->end == GILK_CALL_OPEN)
    return;
  begin_event (trace, GILK_PERFETTO_END, ensure_stack_track (export, call->entry.frame));
  if (call->has_exit)
    {
      put_text (trace, "exit", export->job->hooks[call->exit.hook].label);
      put_number (trace, "exit_on_cpu", ILK_FIELD_U32, call->exit.cpu);
    }
  if (call->end == GILK_CALL_CUT)
    put_text (trace, "cut", call->has_exit ? "samples were lost between its entry and its exit"
                                           : "its exit was not recorded; ended at the next sample");
  put_end (export, now_ns);
}

static void
on_stray (const GilkCallMark *exit, gpointer data)
{
  Export *export = data;
  GilkPerfetto *trace = &export->trace;

  begin_event (trace, GILK_PERFETTO_INSTANT, ensure_cpu_track (export, exit->cpu));
  name_event (trace, "span", export->job->hooks[exit->hook].label);
  put_number (trace, "frame", ILK_FIELD_HEX64, (gint64) exit->frame);
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
      if (!gilk_check_end (&export->error, error))
        return FALSE;
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
  return gilk_check_end (&local, error);
}

/* ---- counter readings and losses as counter tracks ---- */

static gboolean
put_value (Export *export, uint64_t track, uint64_t time, uint64_t value, GError **error)
{
  begin_event (&export->trace, GILK_PERFETTO_COUNTER, track);
  put_counter_value (&export->trace, value);

  return end_event (&export->trace, time, error);
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
        tracks[reading.hook] = define_counter_track (&export->trace,
                                                     g_array_index (hooks, GilkStoredHook, reading.hook).label);
      if (!gilk_export_time (export->job, &export->origin, reading.t_ns, &time, error) ||
          !put_value (export, tracks[reading.hook], time, reading.hits, error))
        return FALSE;
    }
  return gilk_check_end (&local, error);
}

static int
compare_ends (gconstpointer a, gconstpointer b)
{
  const GilkStoredCpuLoss *x = a, *y = b;

  return GILK_ORDER (x->cpu, y->cpu) ?: GILK_ORDER (x->to_ns, y->to_ns);
}

/* Writes the lost samples as counters. Losses at an unknown time are counted at the end of the
 * run. */
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

          track = define_counter_track (&export->trace, name);
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

/* ---- notes as slices and instants ---- */

typedef struct { uint64_t track; gint64 end_ns; } Lane;

/* Returns a lane, a track for notes, that is free at @from_ns: an existing lane, a new lane, or if
 * there are too many lanes, the last one. */
static Lane *
find_lane (Export *export, GArray *lanes, gint64 from_ns)
{
  Lane lane = { 0, G_MININT64 };

  for (guint i = 0; i < lanes->len; i++)
    if (g_array_index (lanes, Lane, i).end_ns <= from_ns)
      return &g_array_index (lanes, Lane, i);
  if (lanes->len < LANES_MAX)
    {
      lane.track = define_track (&export->trace, "Notes");
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

  begin_event (trace, slice ? GILK_PERFETTO_BEGIN : GILK_PERFETTO_INSTANT, lane->track);
  name_event (trace, "note", note->text);
  if (note->author != NULL)
    put_text (trace, "author", note->author);
  if (hook != NULL)
    put_text (trace, "hook", hook);
  if (!end_event (trace, gilk_export_clamped_time (&export->origin, note->from_ns), error))
    return FALSE;
  if (!slice)
    return TRUE;
  lane->end_ns = note->to_ns;
  begin_event (trace, GILK_PERFETTO_END, lane->track);

  return end_event (trace, gilk_export_clamped_time (&export->origin, note->to_ns), error);
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
  write_clocks (&export->trace, export->origin.zero_mono_ns, export->origin.zero_unix_ns);

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
  init_trace (&export.trace, sink);
  good = write_trace (&export, error);

  gilk_calls_free (export.calls);
  gilk_events_free (export.events);
  gilk_export_spans_clear (&export.spans);
  clear_trace (&export.trace);
  gilk_stored_origin_clear (&export.origin);
  g_hash_table_unref (export.cpus);
  g_hash_table_unref (export.threads);
  g_hash_table_unref (export.stacks);
  g_clear_error (&export.error);

  return good;
}

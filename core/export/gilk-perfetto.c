/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-perfetto.c - packets of a Perfetto trace
 *
 * Field numbers are those of Perfetto's public trace_packet.proto, track_event.proto and the files
 * that these import.
 */
#include "core/export/gilk-perfetto-private.h"
#include "core/export/gilk-protobuf.h"

#define SEQUENCE  1
#define TEXTS_MAX 65536             /* maximum number of interned texts; others are repeated */

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

void
gilk_perfetto_init (GilkPerfetto *perfetto,
                    GilkSink     *sink)
{
  *perfetto = (GilkPerfetto) {
    .sink = sink, .event = g_string_new (NULL), .interned = g_string_new (NULL),
    .packet = g_string_new (NULL), .scratch = g_string_new (NULL), .names = make_table (),
    .categories = make_table (), .labels = make_table (), .texts = make_table (),
  };
}

void
gilk_perfetto_clear (GilkPerfetto *perfetto)
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

/* ---- clocks ---- */

static void
add_clock (GString *snapshot, GString *scratch, guint id, uint64_t ns)
{
  g_string_truncate (scratch, 0);
  gilk_protobuf_uint (scratch, CLOCK_ID, id);
  gilk_protobuf_uint (scratch, CLOCK_TIMESTAMP, ns);
  gilk_protobuf_message (snapshot, SNAPSHOT_CLOCKS, scratch);
}

void
gilk_perfetto_clocks (GilkPerfetto *perfetto,
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

/* ---- tracks ---- */

static uint64_t
put_track (GilkPerfetto *perfetto, GString *track)
{
  gilk_protobuf_uint (track, TRACK_UUID, ++perfetto->tracks);
  gilk_protobuf_message (perfetto->packet, PACKET_TRACK_DESCRIPTOR, track);
  put_packet (perfetto);

  return perfetto->tracks;
}

uint64_t
gilk_perfetto_track (GilkPerfetto *perfetto,
                     const char   *name)
{
  g_autoptr(GString) track = g_string_new (NULL);

  gilk_protobuf_text (track, TRACK_NAME, name);

  return put_track (perfetto, track);
}

uint64_t
gilk_perfetto_thread (GilkPerfetto *perfetto,
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

uint64_t
gilk_perfetto_counter (GilkPerfetto *perfetto,
                       const char   *name)
{
  g_autoptr(GString) track = g_string_new (NULL), counter = g_string_new (NULL);

  gilk_protobuf_text (track, TRACK_NAME, name);
  gilk_protobuf_uint (counter, COUNTER_UNIT, COUNTER_UNIT_COUNT);
  gilk_protobuf_message (track, TRACK_COUNTER, counter);

  return put_track (perfetto, track);
}

/* ---- events ---- */

/* Returns the iid of @text, which is defined with this event if it is new. */
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

void
gilk_perfetto_begin (GilkPerfetto    *perfetto,
                     GilkPerfettoType type,
                     uint64_t         track)
{
  g_string_truncate (perfetto->event, 0);
  g_string_truncate (perfetto->interned, 0);
  gilk_protobuf_uint (perfetto->event, EVENT_TYPE, type);
  gilk_protobuf_uint (perfetto->event, EVENT_TRACK_UUID, track);
}

void
gilk_perfetto_name (GilkPerfetto *perfetto,
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

void
gilk_perfetto_number (GilkPerfetto *perfetto,
                      const char   *label,
                      guint         type,
                      gint64        value)
{
  uint64_t known = intern_text (perfetto, perfetto->labels, INTERNED_LABELS, label);
  guint kind = type == ILK_FIELD_HEX64 ? ANNOTATION_POINTER
               : type == ILK_FIELD_U64 || type == ILK_FIELD_U32 ? ANNOTATION_UINT : ANNOTATION_INT;

  put_annotation (perfetto, known, kind, (uint64_t) value);
}

void
gilk_perfetto_text (GilkPerfetto *perfetto,
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

void
gilk_perfetto_value (GilkPerfetto *perfetto,
                     uint64_t      value)
{
  gilk_protobuf_uint (perfetto->event, EVENT_COUNTER_VALUE, value);
}

gboolean
gilk_perfetto_end (GilkPerfetto *perfetto,
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

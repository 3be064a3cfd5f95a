/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-perfetto-private.h - packets of a Perfetto trace: tracks, events, interned strings
 *
 * All packets are one sequence. A name, category or text is defined in the packet that uses it
 * first.
 */
#pragma once

#include "core/export/gilk-export-private.h"

typedef enum {
  GILK_PERFETTO_BEGIN = 1, GILK_PERFETTO_END = 2, GILK_PERFETTO_INSTANT = 3, GILK_PERFETTO_COUNTER = 4,
} GilkPerfettoType;

typedef struct {
  GilkSink   *sink;
  GString    *event, *interned, *packet, *scratch;
  GHashTable *names, *categories, *labels, *texts;    /* text -> iid */
  uint64_t    tracks;                                 /* number of tracks so far */
} GilkPerfetto;

void     gilk_perfetto_init     (GilkPerfetto *perfetto, GilkSink *sink);
void     gilk_perfetto_clear    (GilkPerfetto *perfetto);
/* Must be called first: @mono_ns and @unix_ns are the same time. */
void     gilk_perfetto_clocks   (GilkPerfetto *perfetto, uint64_t mono_ns, uint64_t unix_ns);

/* Add a track and return its number. */
uint64_t gilk_perfetto_track    (GilkPerfetto *perfetto, const char *name);
uint64_t gilk_perfetto_thread   (GilkPerfetto *perfetto, int32_t tid, const char *comm);
uint64_t gilk_perfetto_counter  (GilkPerfetto *perfetto, const char *name);

/* An event is started, filled in and ended; no other call may come in between. */
void     gilk_perfetto_begin    (GilkPerfetto *perfetto, GilkPerfettoType type, uint64_t track);
void     gilk_perfetto_name     (GilkPerfetto *perfetto, const char *category, const char *name);
/* @type: ILK_FIELD_* of a numeric field */
void     gilk_perfetto_number   (GilkPerfetto *perfetto, const char *label, guint type, gint64 value);
void     gilk_perfetto_text     (GilkPerfetto *perfetto, const char *label, const char *text);
/* Sets the value of a counter event. */
void     gilk_perfetto_value    (GilkPerfetto *perfetto, uint64_t value);
gboolean gilk_perfetto_end      (GilkPerfetto *perfetto, uint64_t time, GError **error);

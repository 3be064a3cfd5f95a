/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-perfetto-private.h - packets of a Perfetto trace: tracks, events, and names told once
 *
 * One sequence of packets. What a name, a category or a text stands for is told in the packet that
 * needs it first.
 */
#pragma once

#include "core/export/gilk-export-private.h"

typedef enum {
  GILK_PERFETTO_BEGIN = 1, GILK_PERFETTO_END = 2, GILK_PERFETTO_INSTANT = 3, GILK_PERFETTO_COUNTER = 4,
} GilkPerfettoType;

typedef struct {
  GilkSink   *sink;
  GString    *event, *interned, *packet, *scratch;
  GHashTable *names, *categories, *labels, *texts;    /* text -> number */
  uint64_t    tracks;                                 /* numbers given so far */
} GilkPerfetto;

void     gilk_perfetto_init     (GilkPerfetto *perfetto, GilkSink *sink);
void     gilk_perfetto_clear    (GilkPerfetto *perfetto);
/* First of all: @mono_ns and @unix_ns are the same moment. */
void     gilk_perfetto_clocks   (GilkPerfetto *perfetto, uint64_t mono_ns, uint64_t unix_ns);

/* A new track, its number. */
uint64_t gilk_perfetto_track    (GilkPerfetto *perfetto, const char *name);
uint64_t gilk_perfetto_thread   (GilkPerfetto *perfetto, int32_t tid, const char *comm);
uint64_t gilk_perfetto_counter  (GilkPerfetto *perfetto, const char *name);

/* An event is begun, gets what it has, and is ended: nothing else comes between. */
void     gilk_perfetto_begin    (GilkPerfetto *perfetto, GilkPerfettoType type, uint64_t track);
void     gilk_perfetto_name     (GilkPerfetto *perfetto, const char *category, const char *name);
/* @type: ILK_FIELD_*, of a number */
void     gilk_perfetto_number   (GilkPerfetto *perfetto, const char *label, guint type, gint64 value);
void     gilk_perfetto_text     (GilkPerfetto *perfetto, const char *label, const char *text);
/* Of a counter. */
void     gilk_perfetto_value    (GilkPerfetto *perfetto, uint64_t value);
gboolean gilk_perfetto_end      (GilkPerfetto *perfetto, uint64_t time, GError **error);

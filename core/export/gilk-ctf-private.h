/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-ctf-private.h - the parts of a CTF 1.8 trace: packets, and the text that says what is in them
 *
 * Three classes of streams: samples, a file a CPU, readings of counters, one file, and notes, one file where there are
 * some. All is little-endian and byte-packed.
 */
#pragma once

#include "core/export/gilk-export-private.h"
#include "core/store/gilk-store-clock.h"

#define GILK_CTF_SAMPLES  0
#define GILK_CTF_READINGS 1
#define GILK_CTF_NOTES    2

/* ---- gilk-ctf-packet.c ---- */

/* A stream of packets; their times are those of the trace's clock. */
typedef struct {
  const GilkPartFolder *folder;
  const uint8_t        *uuid;
  guint    kind;                  /* GILK_CTF_* */
  guint    cpu;                   /* of samples */
  char    *name;                  /* of its file */
  GString *packet;                /* header, context, and events so far */
  gboolean begun;
  uint64_t begin, end;            /* of the packet: what it stands for; end: not before its events */
  uint64_t sequence, discarded;   /* packets written; events lost up to its end */
} GilkCtfStream;

GilkCtfStream *gilk_ctf_stream_new   (const GilkPartFolder *folder, const uint8_t *uuid, guint kind,
                                      guint cpu);
void           gilk_ctf_stream_free  (gpointer stream);
/* An event of @time, not before any other; its fields follow. */
void           gilk_ctf_stream_event (GilkCtfStream *stream, uint64_t time, uint32_t id);
void           gilk_ctf_put_uint     (GString *packet, uint64_t value, guint bytes);
void           gilk_ctf_put_text     (GString *packet, const char *text);
/* Writes the packet if it is full. */
gboolean       gilk_ctf_stream_fill  (GilkCtfStream *stream, GError **error);
/* Ends the packet that is begun, if any, at @time, and begins one there. */
gboolean       gilk_ctf_stream_cut   (GilkCtfStream *stream, uint64_t time, GError **error);
/* @lost more were lost since the last cut: ends the packet at @time with that, events in it or not. */
gboolean       gilk_ctf_stream_lose  (GilkCtfStream *stream, uint64_t time, uint64_t lost, GError **error);
/* Ends the packet if it has events. */
gboolean       gilk_ctf_stream_end   (GilkCtfStream *stream, GError **error);

/* ---- gilk-ctf-metadata.c ---- */

typedef struct {
  uint32_t id;
  guint    hook;                  /* of the job */
  int      source;                /* of the events; -1: a counter */
  uint64_t missing;               /* bits of fields that its samples are too short for */
} GilkCtfClass;

/* (transfer full) */
char          *gilk_ctf_metadata     (const GilkExportJob *job, const GilkStoredOrigin *origin,
                                      const GilkStoredClock *clock, const uint8_t *uuid,
                                      const GilkEvents *events, const GArray *classes, gboolean notes);

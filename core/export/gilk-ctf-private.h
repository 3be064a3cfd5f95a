/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-ctf-private.h - the parts of a CTF 1.8 trace: packets, and the metadata text that describes
 * them
 *
 * Three classes of streams: samples, with a file for each CPU; readings of counters, in one file;
 * and notes, in one file if there are any. Everything is little-endian and byte-packed.
 */
#pragma once

#include "core/export/gilk-export-private.h"
#include "core/store/gilk-store-clock.h"

#define GILK_CTF_SAMPLES  0
#define GILK_CTF_READINGS 1
#define GILK_CTF_NOTES    2

/* ---- gilk-ctf-packet.c ---- */

/* A stream of packets; their times are on the trace's clock. */
typedef struct {
  const GilkPartFolder *folder;
  const uint8_t        *uuid;
  guint    kind;                  /* GILK_CTF_* */
  guint    cpu;                   /* CPU of a stream of samples */
  char    *name;                  /* name of the stream's file */
  GString *packet;                /* header, context, and events so far */
  gboolean begun;
  uint64_t begin, end;            /* time range of the packet; end: not before its last event */
  uint64_t sequence, discarded;   /* packets written; events lost up to the packet's end */
} GilkCtfStream;

GilkCtfStream *gilk_ctf_stream_new   (const GilkPartFolder *folder, const uint8_t *uuid, guint kind,
                                      guint cpu);
void           gilk_ctf_stream_free  (gpointer stream);
/* Starts an event at @time, which must not be earlier than the previous one; its fields must
 * follow. */
void           gilk_ctf_stream_event (GilkCtfStream *stream, uint64_t time, uint32_t id);
void           gilk_ctf_put_uint     (GString *packet, uint64_t value, guint bytes);
void           gilk_ctf_put_text     (GString *packet, const char *text);
/* Writes the packet if it is full. */
gboolean       gilk_ctf_stream_fill  (GilkCtfStream *stream, GError **error);
/* Ends the current packet, if any, at @time, and starts a new one there. */
gboolean       gilk_ctf_stream_cut   (GilkCtfStream *stream, uint64_t time, GError **error);
/* Ends the packet at @time, with or without events, and adds @lost to its total of lost events. */
gboolean       gilk_ctf_stream_lose  (GilkCtfStream *stream, uint64_t time, uint64_t lost, GError **error);
/* Ends the packet if it has events. */
gboolean       gilk_ctf_stream_end   (GilkCtfStream *stream, GError **error);

/* ---- gilk-ctf-metadata.c ---- */

typedef struct {
  uint32_t id;
  guint    hook;                  /* index in the job's hooks */
  int      source;                /* index of the source in GilkEvents; -1: a counter */
  uint64_t missing;               /* bit mask of fields that the class lacks */
} GilkCtfClass;

/* (transfer full) */
char          *gilk_ctf_metadata     (const GilkExportJob *job, const GilkStoredOrigin *origin,
                                      const GilkStoredClock *clock, const uint8_t *uuid,
                                      const GilkEvents *events, const GArray *classes, gboolean notes);

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-ctf-packet.c - writes events of CTF 1.8 in packets
 *
 * Sizes are in bits. The count of discarded events in a packet's context is the total since the
 * start of the stream, as of the end of the packet. A loss whose time is known therefore has a
 * packet that covers it exactly.
 */
#include "core/export/gilk-ctf-private.h"

#include <string.h>

#define MAGIC         0xc1fc1fc1u
#define PACKET_BYTES  (64 << 10)
#define HEADER_BYTES  (4 + 16 + 4)

static guint
get_context_size (const GilkCtfStream *stream)
{
  return 6 * 8 + (stream->kind == GILK_CTF_SAMPLES ? 4 : 0);
}

void
gilk_ctf_put_uint (GString *packet,
                   uint64_t value,
                   guint    bytes)
{
  uint64_t little = GUINT64_TO_LE (value);

  g_string_append_len (packet, (const char *) &little, bytes);
}

void
gilk_ctf_put_text (GString    *packet,
                   const char *text)
{
  g_string_append_len (packet, text, (gssize) strlen (text) + 1);
}

GilkCtfStream *
gilk_ctf_stream_new (const GilkPartFolder *folder,
                     const uint8_t        *uuid,
                     guint                 kind,
                     guint                 cpu)
{
  GilkCtfStream *stream = g_new0 (GilkCtfStream, 1);

  stream->folder = folder;
  stream->uuid = uuid;
  stream->kind = kind;
  stream->cpu = cpu;
  stream->name = kind == GILK_CTF_SAMPLES ? g_strdup_printf ("samples_%u", cpu)
                 : g_strdup (kind == GILK_CTF_NOTES ? "notes" : "readings");
  stream->packet = g_string_new (NULL);

  return stream;
}

void
gilk_ctf_stream_free (gpointer data)
{
  GilkCtfStream *stream = data;

  g_string_free (stream->packet, TRUE);
  g_free (stream->name);
  g_free (stream);
}

static void
begin_packet (GilkCtfStream *stream, uint64_t time)
{
  static const char zeros[HEADER_BYTES + 6 * 8 + 4];

  stream->begun = TRUE;
  stream->begin = stream->end = MAX (time, stream->end);
  g_string_truncate (stream->packet, 0);
  g_string_append_len (stream->packet, zeros, HEADER_BYTES + get_context_size (stream));
}

static gboolean
write_packet (GilkCtfStream *stream, GError **error)
{
  g_autoptr(GString) head = g_string_sized_new (128);
  uint64_t bits = 8 * (uint64_t) stream->packet->len;

  gilk_ctf_put_uint (head, MAGIC, 4);
  g_string_append_len (head, (const char *) stream->uuid, 16);
  gilk_ctf_put_uint (head, stream->kind, 4);
  gilk_ctf_put_uint (head, stream->begin, 8);
  gilk_ctf_put_uint (head, stream->end, 8);
  gilk_ctf_put_uint (head, bits, 8);
  gilk_ctf_put_uint (head, bits, 8);
  gilk_ctf_put_uint (head, stream->discarded, 8);
  gilk_ctf_put_uint (head, stream->sequence++, 8);
  if (stream->kind == GILK_CTF_SAMPLES)
    gilk_ctf_put_uint (head, stream->cpu, 4);
  memcpy (stream->packet->str, head->str, head->len);
  stream->begun = FALSE;

  return gilk_part_folder_append (stream->folder, stream->name, stream->packet->str, stream->packet->len,
                                  error);
}

void
gilk_ctf_stream_event (GilkCtfStream *stream,
                       uint64_t       time,
                       uint32_t       id)
{
  if (!stream->begun)
    begin_packet (stream, time);
  stream->end = MAX (stream->end, time);
  gilk_ctf_put_uint (stream->packet, id, 4);
  gilk_ctf_put_uint (stream->packet, time, 8);
}

static gboolean
has_events (const GilkCtfStream *stream)
{
  return stream->begun && stream->packet->len > HEADER_BYTES + get_context_size (stream);
}

gboolean
gilk_ctf_stream_fill (GilkCtfStream *stream,
                      GError       **error)
{
  return stream->packet->len < PACKET_BYTES || !stream->begun || write_packet (stream, error);
}

/* Readers attribute discarded events to the time after the end of the previous packet. The first
 * packet of a stream has no predecessor, so it must state 0: it is written even if it is empty. */
gboolean
gilk_ctf_stream_cut (GilkCtfStream *stream,
                     uint64_t       time,
                     GError       **error)
{
  if (!stream->begun)
    begin_packet (stream, stream->sequence > 0 ? stream->end : time);
  stream->end = MAX (stream->end, time);
  if ((has_events (stream) || stream->sequence == 0 || stream->end > stream->begin) &&
      !write_packet (stream, error))
    return FALSE;
  begin_packet (stream, time);

  return TRUE;
}

gboolean
gilk_ctf_stream_lose (GilkCtfStream *stream,
                      uint64_t       time,
                      uint64_t       lost,
                      GError       **error)
{
  if (!stream->begun)
    begin_packet (stream, stream->end);
  stream->end = MAX (stream->end, time);
  stream->discarded += MIN (lost, G_MAXUINT64 - stream->discarded);

  return write_packet (stream, error);
}

gboolean
gilk_ctf_stream_end (GilkCtfStream *stream,
                     GError       **error)
{
  return !has_events (stream) || write_packet (stream, error);
}

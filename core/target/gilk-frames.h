/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-frames.h - the client's half of the framing in agent/gilk-wire.h
 *
 * Private to core/target. Pure: bytes in, verdict out, so that tests and fuzzers
 * need no stream.
 *
 * Threads: any. Of gilk_frame_parse() @head is untouched while it is INCOMPLETE and no
 * header is there.
 */
#pragma once

#include <glib.h>

#include "agent/gilk-wire.h"

G_BEGIN_DECLS

typedef enum {
  GILK_FRAME_INCOMPLETE,
  GILK_FRAME_WHOLE,
  GILK_FRAME_BAD,          /* no agent of ours sends this */
} GilkFrameState;

/* Copies the header to @head as soon as it is there. */
GilkFrameState gilk_frame_parse (const uint8_t *bytes, gsize length, struct gilk_frame *head);

/* Bytes to throw away so that an answer to HELLO @seq, or the start of one, is in front. */
gsize gilk_frame_resync (const uint8_t *bytes, gsize length, uint32_t seq);

/* TRUE if the last thing in @bytes is a BYE event: an agent that began anew in mid-frame. */
gboolean gilk_frame_ends_with_bye (const uint8_t *bytes, gsize length);

/* Header of a request. */
struct gilk_frame gilk_frame_request (guint type, uint32_t seq, gsize length);

/* The agent's sentence as valid text, "" if it said none. (transfer full) */
char *gilk_frame_sentence (const void *bytes, gsize length);

G_END_DECLS

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-frames.h - client side of the framing in agent/gilk-wire.h
 *
 * Private to core/link. Pure functions of bytes, so that tests and fuzzers need no stream.
 *
 * Threads: any. gilk_frame_parse() leaves @head untouched until the whole header has arrived.
 */
#pragma once

#include <glib.h>

#include "agent/gilk-wire.h"

G_BEGIN_DECLS

typedef enum {
  GILK_FRAME_INCOMPLETE,
  GILK_FRAME_COMPLETE,
  GILK_FRAME_BAD,          /* invalid: gilkd never sends this */
} GilkFrameState;

/* Returns whether @bytes starts with a complete frame, a part of a frame, or an invalid one. Copies
 * the header to @head once the header is complete. */
GilkFrameState gilk_frame_parse (const uint8_t *bytes, gsize length, struct gilk_frame *head);

/* Returns how many bytes the caller must discard: those in front of the answer to HELLO @seq. The
 * answer itself may be incomplete. */
gsize gilk_frame_resync (const uint8_t *bytes, gsize length, uint32_t seq);

/* Returns whether @bytes ends with a BYE event. An agent that restarts sends it even within another
 * frame. */
gboolean gilk_frame_ends_with_bye (const uint8_t *bytes, gsize length);

/* Returns the header of a request. */
struct gilk_frame gilk_frame_request (guint type, uint32_t seq, gsize length);

/* Returns the agent's error message as valid UTF-8, "" if it sent none. (transfer full) */
char *gilk_frame_error_text (const void *bytes, gsize length);

G_END_DECLS

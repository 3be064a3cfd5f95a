/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-frames.c - client side of the framing (headers around requests and answers) that
 * agent/gilk-wire.h defines
 *
 * The agent runs as root on another machine and may be older or hostile: nothing that it sends is
 * trusted.
 */
#include "core/link/gilk-stream.h"

#include <string.h>

#define ERRNO_MAX 4095u

GilkFrameState
gilk_frame_parse (const uint8_t     *bytes,
                  gsize              length,
                  struct gilk_frame *head)
{
  if (length < sizeof *head)
    return GILK_FRAME_INCOMPLETE;

  memcpy (head, bytes, sizeof *head);
  if (head->magic != GILK_WIRE_MAGIC ||
      head->length > GILK_WIRE_PAYLOAD_MAX ||
      (head->flags & ~GILK_FRAME_MORE) != 0 ||
      head->status > ERRNO_MAX || (head->status != 0 && head->flags != 0) ||
      head->reserved != 0 ||
      (head->seq == 0 && head->type != GILK_SAMPLES &&
       head->type != GILK_SAMPLES_PACKED && head->type != GILK_BYE))
    return GILK_FRAME_BAD;

  return length - sizeof *head < head->length ? GILK_FRAME_INCOMPLETE : GILK_FRAME_COMPLETE;
}

static gboolean
may_be_answer (const uint8_t *bytes,
               gsize          length,
               uint32_t       seq)
{
  static const uint32_t magic = GILK_WIRE_MAGIC;
  struct gilk_frame head;

  if (memcmp (bytes, &magic, MIN (length, sizeof magic)) != 0)
    return FALSE;
  if (length < sizeof head)
    return TRUE;

  return gilk_frame_parse (bytes, length, &head) != GILK_FRAME_BAD &&
         head.type == GILK_HELLO && head.seq == seq && head.flags == 0 &&
         head.length <= GILK_WIRE_SENTENCE_MAX;
}

gsize
gilk_frame_resync (const uint8_t *bytes,
                   gsize          length,
                   uint32_t       seq)
{
  gsize skip = 0;

  while (skip < length && !may_be_answer (bytes + skip, length - skip, seq))
    skip++;

  return skip;
}

gboolean
gilk_frame_ends_with_bye (const uint8_t *bytes,
                          gsize          length)
{
  struct gilk_frame head;

  return length >= sizeof head &&
         gilk_frame_parse (bytes + length - sizeof head, sizeof head, &head) == GILK_FRAME_COMPLETE &&
         head.seq == 0 && head.type == GILK_BYE;
}

struct gilk_frame
gilk_frame_request (guint    type,
                    uint32_t seq,
                    gsize    length)
{
  struct gilk_frame head = {
    .magic = GILK_WIRE_MAGIC,
    .length = (uint32_t) length,
    .type = (uint16_t) type,
    .seq = seq,
  };

  return head;
}

char *
gilk_frame_error_text (const void *bytes,
                       gsize       length)
{
  char *text = length > 0 ? g_utf8_make_valid (bytes, MIN (length, GILK_WIRE_SENTENCE_MAX))
                          : g_strdup ("");

  for (char *c = text; *c != '\0'; c++)
    if (g_ascii_iscntrl (*c))
      *c = ' ';

  return g_strstrip (text);
}

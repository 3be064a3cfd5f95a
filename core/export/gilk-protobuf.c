/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-protobuf.c - writes fields of a message in the protocol buffers wire format
 */
#include "core/export/gilk-protobuf.h"

#include <string.h>

enum { VARINT = 0, LENGTH = 2 };

static void
append_varint (GString *message, uint64_t value)
{
  char bytes[10];
  guint n = 0;

  for (; value >= 0x80; value >>= 7)
    bytes[n++] = (char) (value | 0x80);
  bytes[n++] = (char) value;
  g_string_append_len (message, bytes, n);
}

static void
append_bytes (GString *message, guint field, const char *bytes, gsize n)
{
  append_varint (message, field << 3 | LENGTH);
  append_varint (message, n);
  g_string_append_len (message, bytes, (gssize) n);
}

void
gilk_protobuf_uint (GString *message,
                    guint    field,
                    uint64_t value)
{
  append_varint (message, field << 3 | VARINT);
  append_varint (message, value);
}

void
gilk_protobuf_text (GString    *message,
                    guint       field,
                    const char *text)
{
  append_bytes (message, field, text, strlen (text));
}

void
gilk_protobuf_message (GString       *message,
                       guint          field,
                       const GString *inner)
{
  append_bytes (message, field, inner->str, inner->len);
}

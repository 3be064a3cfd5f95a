/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-protobuf.h - writes fields of a message in the protocol buffers wire format
 *
 * Threads: any; @message belongs to the caller.
 */
#pragma once

#include <glib.h>
#include <stdint.h>

G_BEGIN_DECLS

/* Appends a field whose value is a number or an enumerator; a negative number is encoded as 64
 * bits. */
void gilk_protobuf_uint    (GString *message, guint field, uint64_t value);
void gilk_protobuf_text    (GString *message, guint field, const char *text);
/* Appends a field whose value is a nested message, or bytes. */
void gilk_protobuf_message (GString *message, guint field, const GString *inner);

G_END_DECLS

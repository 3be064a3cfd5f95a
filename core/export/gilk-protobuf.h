/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-protobuf.h - fields of a message in the wire format of protocol buffers
 *
 * Threads: any; @message is the caller's.
 */
#pragma once

#include <glib.h>
#include <stdint.h>

G_BEGIN_DECLS

/* Numbers and enumerations; a negative number as its 64 bits. */
void gilk_protobuf_uint    (GString *message, guint field, uint64_t value);
void gilk_protobuf_text    (GString *message, guint field, const char *text);
/* Another message, or bytes. */
void gilk_protobuf_message (GString *message, guint field, const GString *inner);

G_END_DECLS

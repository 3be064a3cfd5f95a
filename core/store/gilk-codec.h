/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-codec.h - a chunk's column in less bytes: zstd (RFC 8878)
 *
 * Threads: one at a time.
 */
#pragma once

#include <glib.h>
#include <stdint.h>

G_BEGIN_DECLS

#define GILK_CODEC_PLAIN 0        /* as gilk-column.h has it */
#define GILK_CODEC_ZSTD  1        /* one frame of that, which tells its size */

/* A frame holds at most so many times its own bytes: a stranger's must not ask for much by little. */
#define GILK_CODEC_RATIO_MAX 256

typedef struct _GilkCodec GilkCodec;

GilkCodec *gilk_codec_new    (void);
void       gilk_codec_free   (GilkCodec *codec);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkCodec, gilk_codec_free)

/* FALSE: it would not be much less. Else @packed is good until the next call. */
gboolean   gilk_codec_pack   (GilkCodec *codec, const uint8_t *bytes, gsize size, const uint8_t **packed,
                              gsize *packed_size);
/**
 * gilk_codec_unpack:
 * @most: bytes that there may be in it
 * FALSE: it is no such frame, or of more. Else @plain is good until the next call.
 */
gboolean   gilk_codec_unpack (GilkCodec *codec, const uint8_t *bytes, gsize size, gsize most,
                              const uint8_t **plain, gsize *plain_size);

G_END_DECLS

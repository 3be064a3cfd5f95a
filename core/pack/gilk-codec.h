/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-codec.h - compresses a chunk's column with zstd (RFC 8878)
 *
 * Threads: one at a time.
 */
#pragma once

#include <glib.h>
#include <stdint.h>

G_BEGIN_DECLS

#define GILK_CODEC_PLAIN 0        /* the column encoded as in gilk-column.h */
#define GILK_CODEC_ZSTD  1        /* the encoded column as one zstd frame that declares its size */

/* Maximum compression ratio accepted, so that a small frame in an untrusted file cannot allocate
 * much memory. */
#define GILK_CODEC_RATIO_MAX 256

typedef struct _GilkCodec GilkCodec;

GilkCodec *gilk_codec_new    (void);
void       gilk_codec_free   (GilkCodec *codec);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkCodec, gilk_codec_free)

/* Compresses @bytes. Returns FALSE if compression would save too little; else @packed is valid
 * until the next call. */
gboolean   gilk_codec_pack   (GilkCodec *codec, const uint8_t *bytes, gsize size, const uint8_t **packed,
                              gsize *packed_size);
/**
 * gilk_codec_unpack:
 * @most: maximum size in bytes after decompression
 * Decompresses @bytes. Returns FALSE if @bytes is not a valid frame, or contains more than @most;
 * else @plain is valid until the next call.
 */
gboolean   gilk_codec_unpack (GilkCodec *codec, const uint8_t *bytes, gsize size, gsize most,
                              const uint8_t **plain, gsize *plain_size);

G_END_DECLS

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-column.h - encodes a column of integers or texts as bytes, and compresses the bytes
 *
 * 64-bit integers are encoded in blocks of GILK_COLUMN_BLOCK; the last block may be shorter. A
 * block starts with
 *
 *   u8   how    width in bits, 0 to 64; with GILK_COLUMN_DELTA each value is stored as its
 *               difference to the previous one (the first of the column: to 0)
 *   s64  base   the smallest value or difference, little endian
 *
 * followed by each value minus the base, in width bits, the first value in the lowest bits. Sums
 * and differences wrap modulo 2^64. Ascending times and fields that hardly change thus take a few
 * bits per value, and decode in about a nanosecond per value.
 *
 * Texts are stored as a dictionary and a column of integers: u32 number of texts, each text as a u8
 * length and its bytes, then a column with the dictionary index of each value.
 *
 * Threads: any; nothing is shared.
 */
#pragma once

#include <glib.h>
#include <stdint.h>

#include "ilk/ilk-abi.h"

G_BEGIN_DECLS

#define GILK_COLUMN_BLOCK 128
#define GILK_COLUMN_DELTA 0x80

/* Encodes @n integers as a column, and appends it to @to. */
void     gilk_column_write       (const gint64 *values, gsize n, GByteArray *to);
/* Decodes a column. Returns FALSE if the bytes do not encode exactly @n integers; @values is then
 * undefined. */
gboolean gilk_column_read        (const uint8_t *bytes, gsize size, gint64 *values, gsize n);

/* Encodes @n texts as a column, and appends it to @to. Each text has at most 255 bytes. */
void     gilk_column_write_texts (const char *const *texts, const uint8_t *lengths, gsize n,
                                  GByteArray *to);
/**
 * gilk_column_read_texts:
 * @texts: (out) (transfer full) (element-type utf8): the dictionary, always valid UTF-8
 * @which: (out): array for @n indices into @texts
 * Decodes texts. Returns FALSE, and leaves @texts untouched, if the bytes do not encode exactly @n
 * texts.
 */
gboolean gilk_column_read_texts  (const uint8_t *bytes, gsize size, GPtrArray **texts,
                                  gint64 *which, gsize n);

/* Converts decoded 64-bit values of a numeric field to doubles. @type is the field's type. */
static inline void
gilk_sample_numbers (const gint64 *values, guint type, double *numbers, guint n)
{
  if (type == ILK_FIELD_U64 || type == ILK_FIELD_HEX64)
    for (guint i = 0; i < n; i++)
      numbers[i] = (double) (uint64_t) values[i];
  else
    for (guint i = 0; i < n; i++)
      numbers[i] = (double) values[i];
}

static inline double
gilk_sample_number (gint64 value, guint type)
{
  double number;

  gilk_sample_numbers (&value, type, &number, 1);

  return number;
}

/*
 * Compresses one column of a chunk (a stored batch of samples) with zstd (RFC 8878).
 *
 * Threads: one at a time.
 */

#define GILK_CODEC_PLAIN 0        /* the column as gilk_column_write() or gilk_column_write_texts()
                                   * encoded it */
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

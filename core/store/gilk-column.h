/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-column.h - encoding of a column of integers or texts as bytes
 *
 * 64-bit integers are encoded in blocks of GILK_COLUMN_BLOCK; the last block may be shorter. A
 * block starts with
 *
 *   u8   how    width in bits, 0 to 64; with GILK_COLUMN_DELTA the values are differences, each
 *               to the previous value (the first of the column: to 0)
 *   s64  base   the smallest value or difference, little endian
 *
 * followed by each value minus the base, in that many bits, the first in the lowest bits. Sums and
 * differences wrap. Ascending times and fields that hardly change thus take a few bits each, and
 * decode in about a nanosecond each.
 *
 * Texts are a dictionary and a column of integers: u32 number of texts, each text as u8 length and
 * its bytes, then the dictionary index of each value.
 *
 * Threads: any; nothing is shared.
 */
#pragma once

#include <glib.h>
#include <stdint.h>

G_BEGIN_DECLS

#define GILK_COLUMN_BLOCK 128
#define GILK_COLUMN_DELTA 0x80

/* Appends @n integers. */
void     gilk_column_write       (const gint64 *values, gsize n, GByteArray *to);
/* FALSE: the bytes do not encode exactly @n integers; the contents of @values are then
 * undefined. */
gboolean gilk_column_read        (const uint8_t *bytes, gsize size, gint64 *values, gsize n);

/* Appends @n texts; each of @lengths is at most 255. */
void     gilk_column_write_texts (const char *const *texts, const uint8_t *lengths, gsize n,
                                  GByteArray *to);
/**
 * gilk_column_read_texts:
 * @texts: (out) (transfer full) (element-type utf8): the dictionary, always valid UTF-8
 * @which: out: room for @n indices into @texts
 * FALSE: the bytes do not encode exactly @n texts; @texts is then untouched.
 */
gboolean gilk_column_read_texts  (const uint8_t *bytes, gsize size, GPtrArray **texts,
                                  gint64 *which, gsize n);

G_END_DECLS

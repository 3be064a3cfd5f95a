/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-column.h - a column of integers or texts as bytes
 *
 * Integers, 64 bits, come in blocks of GILK_COLUMN_BLOCK, the last of which may be shorter. A
 * block begins with
 *
 *   u8   how    width in bits, 0 to 64; GILK_COLUMN_DELTA: what follows are differences, each
 *               to the value before it (the first of all: to 0)
 *   s64  base   the least of them, little endian
 *
 * and goes on with what each is more than the base, in as many bits, the first lowest. Sums and
 * differences wrap. Times that ascend and fields that hardly change take a few bits that way,
 * and are read in a nanosecond each.
 *
 * Texts are a dictionary and a column of integers: u32 number of texts, each as u8 length and
 * its bytes, then which text each value is.
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
/* FALSE: the bytes are not a column of just @n integers; @values may hold anything then. */
gboolean gilk_column_read        (const uint8_t *bytes, gsize size, gint64 *values, gsize n);

/* Appends @n texts; each of @lengths is at most 255. */
void     gilk_column_write_texts (const char *const *texts, const uint8_t *lengths, gsize n,
                                  GByteArray *to);
/**
 * gilk_column_read_texts:
 * @texts: out: (element-type utf8): each once; valid UTF-8 whatever there was. (transfer full)
 * @which: out: room for @n indices into @texts
 * FALSE as above, and @texts is untouched.
 */
gboolean gilk_column_read_texts  (const uint8_t *bytes, gsize size, GPtrArray **texts,
                                  gint64 *which, gsize n);

G_END_DECLS

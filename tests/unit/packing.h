/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * packing.h - compresses bytes, with a function for each format that Gilk can read
 */
#pragma once

#include <gio/gio.h>
#include <lzma.h>
#include <zstd.h>

static inline GByteArray *
pack_gzip (const GByteArray *bytes)
{
  g_autoptr(GConverter) gzip = G_CONVERTER (g_zlib_compressor_new (G_ZLIB_COMPRESSOR_FORMAT_GZIP, 9));
  GByteArray *packed = g_byte_array_new ();
  gsize used, made;

  g_byte_array_set_size (packed, bytes->len + 1000);
  g_assert_cmpint (g_converter_convert (gzip, bytes->data, bytes->len, packed->data, packed->len, G_CONVERTER_INPUT_AT_END, &used,
                                        &made, NULL), ==, G_CONVERTER_FINISHED);
  g_byte_array_set_size (packed, (guint) made);

  return packed;
}

static inline GByteArray *
pack_zstd (const GByteArray *bytes)
{
  GByteArray *packed = g_byte_array_new ();

  g_byte_array_set_size (packed, (guint) ZSTD_compressBound (bytes->len));
  g_byte_array_set_size (packed, (guint) ZSTD_compress (packed->data, packed->len, bytes->data, bytes->len, 3));

  return packed;
}

static inline GByteArray *
pack_xz (const GByteArray *bytes)
{
  GByteArray *packed = g_byte_array_new ();
  size_t made = 0;

  g_byte_array_set_size (packed, (guint) lzma_stream_buffer_bound (bytes->len));
  g_assert_cmpint (lzma_easy_buffer_encode (0, LZMA_CHECK_CRC64, NULL, bytes->data, bytes->len, packed->data, &made, packed->len),
                   ==, LZMA_OK);
  g_byte_array_set_size (packed, (guint) made);

  return packed;
}

static const struct {
  const char *suffix;
  GByteArray *(*pack) (const GByteArray *bytes);
} packings[] = { { "gz", pack_gzip }, { "zst", pack_zstd }, { "xz", pack_xz } };

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-codec.c - compresses columns with zstd
 */
#include "core/pack/gilk-codec.h"

#include <zstd.h>

#define LEVEL     3
#define WORTH     32              /* use a frame only if it saves at least 1/WORTH of the size */
#define BYTES_MIN 64              /* size below which columns are not compressed */

struct _GilkCodec {
  ZSTD_CCtx *packing;             /* NULL: not used yet */
  ZSTD_DCtx *unpacking;
  uint8_t   *bytes;
  gsize      room;
};

GilkCodec *
gilk_codec_new (void)
{
  return g_new0 (GilkCodec, 1);
}

void
gilk_codec_free (GilkCodec *codec)
{
  if (codec == NULL)
    return;
  ZSTD_freeCCtx (codec->packing);
  ZSTD_freeDCtx (codec->unpacking);
  g_free (codec->bytes);
  g_free (codec);
}

static void
make_room (GilkCodec *codec, gsize bytes)
{
  if (bytes <= codec->room)
    return;
  g_free (codec->bytes);
  codec->bytes = g_malloc (bytes);
  codec->room = bytes;
}

gboolean
gilk_codec_pack (GilkCodec      *codec,
                 const uint8_t  *bytes,
                 gsize           size,
                 const uint8_t **packed,
                 gsize          *packed_size)
{
  gsize n;

  if (size < BYTES_MIN)
    return FALSE;
  if (codec->packing == NULL && (codec->packing = ZSTD_createCCtx ()) == NULL)
    g_error ("out of memory");
  make_room (codec, ZSTD_compressBound (size));
  n = ZSTD_compressCCtx (codec->packing, codec->bytes, codec->room, bytes, size, LEVEL);
  if (ZSTD_isError (n) || n > size - size / WORTH || n * GILK_CODEC_RATIO_MAX < size)
    return FALSE;
  *packed = codec->bytes;
  *packed_size = n;

  return TRUE;
}

gboolean
gilk_codec_unpack (GilkCodec      *codec,
                   const uint8_t  *bytes,
                   gsize           size,
                   gsize           most,
                   const uint8_t **plain,
                   gsize          *plain_size)
{
  unsigned long long told = ZSTD_getFrameContentSize (bytes, size);

  /* ZSTD_CONTENTSIZE_UNKNOWN and ZSTD_CONTENTSIZE_ERROR are the two largest values. */
  if (told == 0 || told > most || told > (unsigned long long) size * GILK_CODEC_RATIO_MAX)
    return FALSE;
  if (codec->unpacking == NULL && (codec->unpacking = ZSTD_createDCtx ()) == NULL)
    g_error ("out of memory");
  make_room (codec, (gsize) told);
  if (ZSTD_decompressDCtx (codec->unpacking, codec->bytes, (gsize) told, bytes, size) != (gsize) told)
    return FALSE;
  *plain = codec->bytes;
  *plain_size = (gsize) told;

  return TRUE;
}

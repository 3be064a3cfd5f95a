/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-column.c - encodes integers in as few bits as necessary, block by block, and compresses
 * the bytes
 *
 * Frame of reference with bit packing (Goldstein, Ramakrishnan and Shaft, 1998; Lemire and Boytsov,
 * 2015). Each block holds values or differences, whichever is smaller.
 */
#include "core/pack/gilk-column.h"

#include <string.h>
#include <zstd.h>

#define HEAD_BYTES 9
#define BLOCK_BYTES_MAX (GILK_COLUMN_BLOCK * 8)

/* ---- encoding of a column ---- */

/* Returns how many bits are needed for the largest of @values minus the smallest. Sets @base to the
 * smallest. */
static guint
find_width (const gint64 *values, guint n, gint64 *base)
{
  gint64 min = values[0], max = values[0];
  uint64_t span;

  for (guint i = 1; i < n; i++)
    {
      min = MIN (min, values[i]);
      max = MAX (max, values[i]);
    }
  *base = min;
  span = (uint64_t) max - (uint64_t) min;

  return span == 0 ? 0 : 64 - (guint) __builtin_clzll (span);
}

static gsize
get_packed_size (guint n, guint width)
{
  return ((gsize) n * width + 7) / 8;
}

static void
pack_values (const gint64 *values, guint n, gint64 base, guint width, uint8_t *to)
{
  unsigned __int128 bits = 0;
  guint filled = 0;

  for (guint i = 0; i < n; i++)
    {
      bits |= (unsigned __int128) ((uint64_t) values[i] - (uint64_t) base) << filled;
      for (filled += width; filled >= 64; filled -= 64, bits >>= 64)
        {
          const uint64_t word = GUINT64_TO_LE ((uint64_t) bits);

          memcpy (to, &word, 8);
          to += 8;
        }
    }
  for (; filled > 0; filled -= MIN (filled, 8), bits >>= 8)
    *to++ = (uint8_t) bits;
}

static void
write_block (const gint64 *values, guint n, gint64 before, GByteArray *to)
{
  gint64 deltas[GILK_COLUMN_BLOCK], base, delta_base;
  guint width = find_width (values, n, &base), delta_width;
  const gint64 *packed = values;
  uint8_t how;
  gsize at = to->len;

  for (guint i = 0; i < n; i++)
    deltas[i] = (gint64) ((uint64_t) values[i] - (uint64_t) (i > 0 ? values[i - 1] : before));
  delta_width = find_width (deltas, n, &delta_base);
  how = (uint8_t) width;
  if (delta_width < width)
    {
      packed = deltas;
      base = delta_base;
      width = delta_width;
      how = (uint8_t) (width | GILK_COLUMN_DELTA);
    }

  g_byte_array_set_size (to, (guint) (at + HEAD_BYTES + get_packed_size (n, width)));
  to->data[at] = how;
  base = GINT64_TO_LE (base);
  memcpy (to->data + at + 1, &base, sizeof base);
  pack_values (packed, n, GINT64_FROM_LE (base), width, to->data + at + HEAD_BYTES);
}

void
gilk_column_write (const gint64 *values,
                   gsize         n,
                   GByteArray   *to)
{
  gint64 before = 0;

  for (gsize at = 0; at < n; at += GILK_COLUMN_BLOCK)
    {
      guint count = (guint) MIN (n - at, GILK_COLUMN_BLOCK);

      write_block (values + at, count, before, to);
      before = values[at + count - 1];
    }
}

/* ---- decoding of a column ---- */

/* Unpacks @n values. @from must be readable for eight bytes past the packed values. */
static void
unpack_values (const uint8_t *from, guint n, gint64 base, guint width, gint64 *values)
{
  const uint64_t mask = width == 64 ? G_MAXUINT64 : ((uint64_t) 1 << width) - 1;
  gsize bit = 0;

  if (width <= 57)
    {
      for (guint i = 0; i < n; i++, bit += width)
        {
          uint64_t word;

          memcpy (&word, from + bit / 8, 8);
          values[i] = (gint64) ((GUINT64_FROM_LE (word) >> (bit & 7) & mask) + (uint64_t) base);
        }
      return;
    }
  for (guint i = 0; i < n; i++, bit += width)
    {
      guint shift = bit & 7;
      uint64_t word;

      memcpy (&word, from + bit / 8, 8);
      word = GUINT64_FROM_LE (word) >> shift;
      if (shift + width > 64)
        word |= (uint64_t) from[bit / 8 + 8] << (64 - shift);
      values[i] = (gint64) ((word & mask) + (uint64_t) base);
    }
}

static const uint8_t *
read_block (const uint8_t *at, const uint8_t *end, guint n, gint64 before, gint64 *values)
{
  uint8_t copy[BLOCK_BYTES_MAX + 8];
  guint width;
  gint64 base;
  gsize bytes;

  if (end - at < HEAD_BYTES)
    return NULL;
  width = *at & ~GILK_COLUMN_DELTA;
  bytes = get_packed_size (n, width);
  if (width > 64 || (gsize) (end - at) - HEAD_BYTES < bytes)
    return NULL;

  memcpy (&base, at + 1, sizeof base);
  base = GINT64_FROM_LE (base);
  if ((gsize) (end - at) - HEAD_BYTES >= bytes + 8)
    unpack_values (at + HEAD_BYTES, n, base, width, values);
  else
    {
      memcpy (copy, at + HEAD_BYTES, bytes);
      memset (copy + bytes, 0, 8);
      unpack_values (copy, n, base, width, values);
    }
  if (*at & GILK_COLUMN_DELTA)
    for (guint i = 0; i < n; i++)
      before = values[i] = (gint64) ((uint64_t) values[i] + (uint64_t) before);

  return at + HEAD_BYTES + bytes;
}

gboolean
gilk_column_read (const uint8_t *bytes,
                  gsize          size,
                  gint64        *values,
                  gsize          n)
{
  const uint8_t *at = bytes, *end = bytes + size;

  for (gsize i = 0; i < n; i += GILK_COLUMN_BLOCK)
    {
      at = read_block (at, end, (guint) MIN (n - i, GILK_COLUMN_BLOCK), i > 0 ? values[i - 1] : 0,
                       values + i);
      if (at == NULL)
        return FALSE;
    }

  return at == end;
}

/* ---- columns of texts ---- */

static guint
text_hash (gconstpointer key)
{
  const uint8_t *text = key;
  guint hash = 5381;

  for (guint i = 0; i <= text[0]; i++)
    hash = hash * 33 + text[i];

  return hash;
}

static gboolean
text_equal (gconstpointer a, gconstpointer b)
{
  return memcmp (a, b, (gsize) *(const uint8_t *) a + 1) == 0;
}

void
gilk_column_write_texts (const char *const *texts,
                         const uint8_t     *lengths,
                         gsize              n,
                         GByteArray        *to)
{
  /* A key of the table is a text as stored in the column: a length byte, then the bytes. */
  g_autoptr(GHashTable) known = g_hash_table_new_full (text_hash, text_equal, g_free, NULL);
  g_autofree gint64 *which = g_new (gint64, MAX (n, 1));
  gsize head = to->len;
  uint32_t count;

  g_byte_array_set_size (to, to->len + sizeof count);
  for (gsize i = 0; i < n; i++)
    {
      uint8_t key[256];
      gpointer index;

      /* Compare with the previous text before looking into the table: equal texts are usually
       * consecutive. */
      if (i > 0 && lengths[i] == lengths[i - 1] && memcmp (texts[i], texts[i - 1], lengths[i]) == 0)
        {
          which[i] = which[i - 1];
          continue;
        }
      key[0] = lengths[i];
      memcpy (key + 1, texts[i], lengths[i]);
      if (!g_hash_table_lookup_extended (known, key, NULL, &index))
        {
          index = GUINT_TO_POINTER (g_hash_table_size (known));
          g_hash_table_insert (known, g_memdup2 (key, (gsize) lengths[i] + 1), index);
          g_byte_array_append (to, key, (guint) lengths[i] + 1);
        }
      which[i] = GPOINTER_TO_UINT (index);
    }
  count = GUINT32_TO_LE (g_hash_table_size (known));
  memcpy (to->data + head, &count, sizeof count);
  gilk_column_write (which, n, to);
}

gboolean
gilk_column_read_texts (const uint8_t *bytes,
                        gsize          size,
                        GPtrArray    **texts,
                        gint64        *which,
                        gsize          n)
{
  g_autoptr(GPtrArray) found = g_ptr_array_new_with_free_func (g_free);
  const uint8_t *at = bytes, *end = bytes + size;
  uint32_t count;

  if (size < sizeof count)
    return FALSE;
  memcpy (&count, at, sizeof count);
  count = GUINT32_FROM_LE (count);
  at += sizeof count;
  for (uint32_t i = 0; i < count; i++)
    {
      if (at == end || (gsize) (end - at) < (gsize) *at + 1)
        return FALSE;
      g_ptr_array_add (found, g_utf8_make_valid ((const char *) at + 1, *at));
      at += (gsize) *at + 1;
    }
  if (!gilk_column_read (at, (gsize) (end - at), which, n))
    return FALSE;
  for (gsize i = 0; i < n; i++)
    if (which[i] < 0 || which[i] >= (gint64) count)
      return FALSE;
  *texts = g_steal_pointer (&found);

  return TRUE;
}

/* ---- compresses columns with zstd ---- */

#define LEVEL     3
#define WORTH     32              /* a compressed frame is used only if it saves at least 1/WORTH of
                                   * the size */
#define BYTES_MIN 64              /* size in bytes below which columns are not compressed */

struct _GilkCodec {
  ZSTD_CCtx *packing;             /* contexts of zstd; NULL until first used */
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

  /* The second test also excludes ZSTD_CONTENTSIZE_UNKNOWN and ZSTD_CONTENTSIZE_ERROR, which are
   * the two largest values. */
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

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-packed.c - unpacks samples into cells, the 32-byte units of a sample ring
 */
#include "core/link/gilk-answers.h"

#include <string.h>

typedef struct {
  const uint8_t *at, *end;
  uint64_t       tsc;
  uint32_t       iid, len;
  uint64_t       words[GILK_PACKED_WORDS];
} Packed;

/* Reads a little-endian number of at most 8 bytes. */
static gboolean
read_number (Packed *packed, guint bytes, uint64_t *value)
{
  *value = 0;
  if ((gsize) (packed->end - packed->at) < bytes)
    return FALSE;
  memcpy (value, packed->at, bytes);
  *value = GUINT64_FROM_LE (*value);
  packed->at += bytes;

  return TRUE;
}

static gboolean
read_head (Packed *packed)
{
  uint64_t head, value;

  if (!read_number (packed, 1, &head) || (head & 0xf) > 8 ||
      (head & ~(uint64_t) (0xf | GILK_PACKED_IID | GILK_PACKED_LEN)) != 0)
    return FALSE;
  if (head & GILK_PACKED_IID)
    {
      if (!read_number (packed, 4, &value))
        return FALSE;
      packed->iid = (uint32_t) value;
    }
  if (head & GILK_PACKED_LEN)
    {
      if (!read_number (packed, 1, &value) || value > ILK_SAMPLE_MAX)
        return FALSE;
      packed->len = (uint32_t) value;
    }
  if (!read_number (packed, head & 0xf, &value))
    return FALSE;
  packed->tsc += value;

  return TRUE;
}

static gboolean
read_word (Packed *packed, uint64_t *word)
{
  uint64_t form, value;
  guint bytes, skip;

  if (!read_number (packed, 1, &form))
    return FALSE;
  bytes = form & 0xf;
  skip = (guint) (form >> 4);
  if (bytes == 0 || bytes + skip > 8 || !read_number (packed, bytes, &value))
    return FALSE;
  *word ^= value << skip * 8;

  return TRUE;
}

static gboolean
read_payload (Packed *packed)
{
  guint n = (packed->len + 7) / 8, mask_bytes = (n + 7) / 8;
  const uint8_t *masks = packed->at;

  if ((gsize) (packed->end - packed->at) < mask_bytes)
    return FALSE;
  packed->at += mask_bytes;
  for (guint i = 0; i < n; i++)
    if ((masks[i / 8] & 1u << i % 8) && !read_word (packed, &packed->words[i]))
      return FALSE;

  return n % 8 == 0 || masks[mask_bytes - 1] >> n % 8 == 0;
}

gboolean
gilk_unpack_samples (const uint8_t *packed_bytes,
                     gsize          length,
                     uint8_t       *cells,
                     gsize          bytes)
{
  Packed packed = { .at = packed_bytes, .end = packed_bytes + length };
  gsize at = 0;

  while (packed.at < packed.end)
    {
      struct ilk_record *record = (struct ilk_record *) (gpointer) (cells + at);
      gsize size;

      if (!read_head (&packed))
        return FALSE;
      size = (gsize) ILK_RECORD_CELLS (packed.len) * ILK_CELL;
      if (size > bytes - at || !read_payload (&packed))
        return FALSE;
      memset (record, 0, size);
      record->tsc = packed.tsc;
      record->iid = packed.iid;
      record->len = packed.len;
      for (guint i = 0; i < (packed.len + 7) / 8; i++)
        {
          uint64_t word = GUINT64_TO_LE (packed.words[i]);

          memcpy (cells + at + G_STRUCT_OFFSET (struct ilk_record, data) + (gsize) 8 * i, &word,
                  MIN (8, packed.len - 8 * i));
        }
      at += size;
    }

  return at == bytes;
}

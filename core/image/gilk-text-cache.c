/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-text-cache.c - on-disk cache of the text of a boot, compared with the live text
 *
 * The file contains the number of regions of text, the start and end address of each region, and
 * then the text of all regions. All numbers are uint64_t of this machine.
 */
#include "core/image/gilk-text-cache.h"

#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "core/image/gilk-boot-cache.h"

#define TEXT        "text"
#define REGIONS_MAX (1u << 20)

/* A region whose text is cached. */
typedef struct {
  guint          region;        /* index in GilkImage.regions */
  const uint8_t *bytes;
} CachedRegion;

/* Finds the region with exactly these bounds. Returns G_MAXUINT if there is none. */
static guint
find_region (GilkImage *image,
             uint64_t   start,
             uint64_t   end)
{
  for (guint i = 0; i < image->regions->len; i++)
    {
      const GilkRegion *region = &g_array_index (image->regions, GilkRegion, i);

      if (region->start == start && region->end == end)
        return i;
    }

  return G_MAXUINT;
}

/* Finds the image's regions of text that the cache file @file contains. Returns FALSE if the file
 * is malformed. */
static gboolean
parse_file (GilkImage  *image,
            const char *file,
            gsize       length,
            GArray     *found)
{
  uint64_t n, bounds[2];
  gsize at = sizeof n, text;

  if (length < sizeof n)
    return FALSE;
  memcpy (&n, file, sizeof n);
  if (n > REGIONS_MAX || length - sizeof n < n * sizeof bounds)
    return FALSE;
  text = at + n * sizeof bounds;
  for (; n > 0; n--, at += sizeof bounds)
    {
      CachedRegion cached;

      memcpy (bounds, file + at, sizeof bounds);
      if (bounds[0] >= bounds[1] || bounds[1] - bounds[0] > length - text)
        return FALSE;
      cached = (CachedRegion) { find_region (image, bounds[0], bounds[1]), (const uint8_t *) file + text };
      text += bounds[1] - bounds[0];
      if (cached.region != G_MAXUINT)
        g_array_append_val (found, cached);
    }

  return text == length;
}

/* Copies chunks of text from a cached region to the image if they are missing there and their
 * checksums equal those of the live text, @sums. Returns the number of bytes copied. */
static gsize
copy_chunks (GilkRegion     *region,
             const uint8_t  *bytes,
             const uint64_t *sums)
{
  const gsize size = region->end - region->start;
  gsize copied = 0;

  gilk_region_allocate (region);
  for (gsize i = 0; i < gilk_region_count_chunks (region); i++)
    {
      const gsize from = i * GILK_CHUNK, n = MIN (GILK_CHUNK, size - from);

      if (region->valid[i] != GILK_CHUNK_MISSING || XXH64 (bytes + from, n, 0) != sums[i])
        continue;
      memcpy (region->bytes + from, bytes + from, n);
      region->valid[i] = GILK_CHUNK_READ;
      copied += n;
    }

  return copied;
}

gsize
gilk_text_cache_fill (GilkImage    *image,
                      GCancellable *cancellable)
{
  g_autoptr (GArray) found = g_array_new (FALSE, FALSE, sizeof (CachedRegion));
  g_autoptr (GArray) ranges = g_array_new (FALSE, FALSE, sizeof (struct gilk_range));
  g_autofree uint64_t *sums = NULL;
  g_autofree char *file = NULL;
  gsize length, n = 0, copied = 0;

  if (image->boot_key == NULL)
    return 0;
  file = gilk_boot_cache_read (image->boot_key, TEXT, &length);
  if (file == NULL || !parse_file (image, file, length, found))
    return 0;
  for (guint i = 0; i < found->len; i++)
    {
      const GilkRegion *region = &g_array_index (image->regions, GilkRegion, g_array_index (found, CachedRegion, i).region);
      const struct gilk_range range = { region->start, region->end - region->start };

      g_array_append_val (ranges, range);
      n += gilk_region_count_chunks (region);
    }
  sums = g_new (uint64_t, n + 1);
  if (!gilk_target_text_sums (image->target, (const struct gilk_range *) (gpointer) ranges->data, ranges->len, sums, cancellable,
                              NULL))
    return 0;
  g_mutex_lock (&image->lock);
  n = 0;
  for (guint i = 0; i < found->len; i++)
    {
      const CachedRegion *cached = &g_array_index (found, CachedRegion, i);
      GilkRegion *region = &g_array_index (image->regions, GilkRegion, cached->region);

      copied += copy_chunks (region, cached->bytes, sums + n);
      n += gilk_region_count_chunks (region);
    }
  g_mutex_unlock (&image->lock);

  return copied;
}

void
gilk_text_cache_save (GilkImage *image)
{
  g_autoptr (GByteArray) file = g_byte_array_new ();
  const uint64_t n = image->regions->len;
  gsize size = sizeof n;

  for (guint i = 0; i < n && size <= GILK_BOOT_CACHE_CONTENT_MAX; i++)
    {
      const GilkRegion *region = &g_array_index (image->regions, GilkRegion, i);

      size += 2 * sizeof (uint64_t) + (region->end - region->start);
    }
  if (image->boot_key == NULL || size > GILK_BOOT_CACHE_CONTENT_MAX)
    return;
  g_byte_array_append (file, (const guint8 *) &n, sizeof n);
  g_mutex_lock (&image->lock);
  for (guint i = 0; i < n; i++)
    {
      const GilkRegion *region = &g_array_index (image->regions, GilkRegion, i);
      const uint64_t bounds[] = { region->start, region->end };

      g_byte_array_append (file, (const guint8 *) bounds, sizeof bounds);
    }
  for (guint i = 0; i < n; i++)
    {
      const GilkRegion *region = &g_array_index (image->regions, GilkRegion, i);

      g_byte_array_append (file, region->bytes, (guint) (region->end - region->start));
    }
  g_mutex_unlock (&image->lock);
  gilk_boot_cache_write (image->boot_key, TEXT, file->data, file->len);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-image-checksum.c - computes a checksum of all kernel text, to prove that the text was
 * restored
 *
 * Reads the current bytes and masks only bytes that the kernel rewrites by itself.
 */
#include <string.h>

#include "core/image/gilk-image-private.h"

/* Reads the current bytes of @ranges from the target, bypassing the image's cached text. (transfer
 * full) */
static uint8_t *
read_ranges (GilkImage          *image,
             GArray             *ranges,
             gsize               total,
             const GilkProgress *progress,
             GCancellable       *cancellable,
             GError            **error)
{
  g_autofree uint8_t *bytes = g_malloc (total + 1);
  gsize at = 0;

  if (image->target != NULL)
    {
      if (!gilk_target_read_text (image->target, (const struct gilk_range *) (gpointer) ranges->data,
                                  ranges->len, bytes, progress, cancellable, error))
        return NULL;
      return g_steal_pointer (&bytes);
    }

  for (guint i = 0; i < ranges->len; i++)
    {
      const struct gilk_range *range = &g_array_index (ranges, struct gilk_range, i);
      const uint8_t *part = gilk_image_bytes (image, range->addr, range->len, error);

      if (part == NULL)
        return NULL;
      memcpy (bytes + at, part, range->len);
      at += range->len;
    }

  return g_steal_pointer (&bytes);
}

/* Returns the length of the instruction at a static key or static call: a short or long jump or
 * nop. */
static gsize
get_flipped_length (const GilkSite *site,
                    const uint8_t  *bytes)
{
  if (site->kind == GILK_SITE_JUMP_LABEL && (bytes[0] == 0xeb || bytes[0] == 0x66))
    return 2;

  return 5;
}

/*
 * Zeroes code that the kernel may rewrite at any time: static keys, static calls and their
 * trampolines. Gilk never overwrites such code, so zeroing it cannot hide a change made by Gilk.
 */
static void
mask_flipped (GilkImage               *image,
              const struct gilk_range *range,
              uint8_t                 *bytes)
{
  const uint64_t end = range->addr + range->len;
  guint count;
  const GilkSite *sites = gilk_image_sites (image, range->addr, end, &count);
  const GilkSymbol *symbols;
  guint n_symbols;

  for (guint i = 0; i < count; i++)
    {
      uint8_t *at = bytes + (sites[i].addr - range->addr);

      if (sites[i].kind == GILK_SITE_JUMP_LABEL || sites[i].kind == GILK_SITE_STATIC_CALL)
        memset (at, 0, MIN (get_flipped_length (&sites[i], at), end - sites[i].addr));
    }

  symbols = gilk_symbols_all (image->symbols, &n_symbols);
  for (guint i = 0; i < n_symbols; i++)
    if (symbols[i].addr >= range->addr && symbols[i].addr < end &&
        g_str_has_prefix (symbols[i].name, "__SCT__"))
      memset (bytes + (symbols[i].addr - range->addr), 0, MIN (5, end - symbols[i].addr));
}

char *
gilk_image_checksum (GilkImage          *image,
                     const char         *skip,
                     const GilkProgress *progress,
                     GCancellable       *cancellable,
                     GError            **error)
{
  g_autoptr (GArray) ranges = g_array_new (FALSE, FALSE, sizeof (struct gilk_range));
  g_autofree uint8_t *bytes = NULL;
  gsize total = 0;

  for (guint i = 0; i < image->regions->len; i++)
    {
      const GilkRegion *region = &g_array_index (image->regions, GilkRegion, i);
      const struct gilk_range range = { region->start, region->end - region->start };

      if (skip != NULL && g_str_equal (gilk_symbols_module (image->symbols, region->module), skip))
        continue;
      g_array_append_val (ranges, range);
      total += range.len;
    }

  bytes = read_ranges (image, ranges, total, progress, cancellable, error);
  if (bytes == NULL)
    return NULL;

  for (gsize i = 0, at = 0; i < ranges->len; i++)
    {
      const struct gilk_range *range = &g_array_index (ranges, struct gilk_range, i);

      mask_flipped (image, range, bytes + at);
      at += range->len;
    }

  return g_compute_checksum_for_data (G_CHECKSUM_SHA256, bytes, total);
}

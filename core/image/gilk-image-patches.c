/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-image-patches.c - original text at live hooks
 *
 * While hooks of any client are live, the text contains jumps and int3s of the driver. Functions
 * are decoded from the original bytes, which the driver reports.
 */
#include <string.h>

#include "core/image/gilk-image-private.h"

/* Replaces the @len bytes at @site by @old if all of them are within @bytes. If the patch is not
 * @live, replaces them only if they are equal to @new. */
static void
restore_bytes (uint64_t       site,
               guint          len,
               const uint8_t *old,
               const uint8_t *new,
               gboolean       live,
               uint64_t       start,
               gsize          length,
               uint8_t       *bytes)
{
  if (len == 0 || site < start || site + len > start + length)
    return;
  if (live || memcmp (bytes + (site - start), new, len) == 0)
    memcpy (bytes + (site - start), old, len);
}

GArray *
gilk_image_patches (GilkImage    *image,
                    GCancellable *cancellable,
                    GError      **error)
{
  if (image->target == NULL || !gilk_target_has_driver (image->target))
    return g_array_new (FALSE, FALSE, sizeof (struct ilk_patch_status));

  return gilk_target_status (image->target, TRUE, NULL, cancellable, error);
}

void
gilk_image_restore_original (const GArray *hooks,
                             uint64_t      start,
                             gsize         length,
                             uint8_t      *bytes)
{
  for (guint i = 0; i < hooks->len; i++)
    {
      const struct ilk_patch_status *hook = &g_array_index (hooks, struct ilk_patch_status, i);
      const gboolean live = hook->state == ILK_STATE_TRAPPED || hook->state == ILK_STATE_ARMED;

      restore_bytes (hook->site, hook->len, hook->old, hook->new_, live, start, length, bytes);
      if (hook->aux != 0)
        restore_bytes (hook->aux, ILK_BOUNCE_BYTES, hook->aux_old, hook->aux_new,
                       hook->aux_laid_mono_ns != 0 && hook->aux_restored_mono_ns == 0, start, length, bytes);
    }
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-image-hooked.c - the text below hooks
 *
 * While hooks are live, whoever's, there are jumps and int3s of the driver in the text that is read. What a function
 * is made of is what they were put over, which the driver tells.
 */
#include <string.h>

#include "core/target/gilk-image-private.h"

/* What [start, start + length) has of the @len bytes at @site: @new becomes @old. */
static void
put_back (uint64_t       site,
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
gilk_image_hooks (GilkImage     *image,
                  GCancellable  *cancellable,
                  GError       **error)
{
  if (image->target == NULL || !gilk_target_has_driver (image->target))
    return g_array_new (FALSE, FALSE, sizeof (struct ilk_patch_status));

  return gilk_target_status (image->target, TRUE, NULL, cancellable, error);
}

void
gilk_image_see_below (const GArray *hooks,
                      uint64_t      start,
                      gsize         length,
                      uint8_t      *bytes)
{
  for (guint i = 0; i < hooks->len; i++)
    {
      const struct ilk_patch_status *hook = &g_array_index (hooks, struct ilk_patch_status, i);
      const gboolean live = hook->state == ILK_STATE_TRAPPED || hook->state == ILK_STATE_ARMED;

      put_back (hook->site, hook->len, hook->old, hook->new_, live, start, length, bytes);
      if (hook->aux != 0)
        put_back (hook->aux, ILK_BOUNCE_BYTES, hook->aux_old, hook->aux_new,
                  hook->aux_laid_mono_ns != 0 && hook->aux_restored_mono_ns == 0, start, length, bytes);
    }
}

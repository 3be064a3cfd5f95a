/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-image-constants.c - reads constant data that instructions refer to: strings and tables in
 * .rodata
 *
 * Nothing is cached, because a function refers to few constants, and these are read together.
 */
#include <glib/gi18n.h>
#include <string.h>

#include "core/base/gilk-error.h"
#include "core/image/gilk-image-private.h"

#define PAGE 4096u

void
gilk_image_add_constants (GilkImage *image,
                          uint64_t   start,
                          uint64_t   end)
{
  const struct gilk_range range = { start, end - start };

  if (start < end)
    g_array_append_val (image->constants, range);
}

void
gilk_image_set_static_constants (GilkImage *image,
                                 uint64_t   base,
                                 GBytes    *bytes)
{
  gilk_image_add_constants (image, base, base + g_bytes_get_size (bytes));
  g_clear_pointer (&image->static_constants, g_bytes_unref);
  image->static_constants = g_bytes_ref (bytes);
  image->static_constants_base = base;
}

static const struct gilk_range *
find_range (GilkImage *image,
            uint64_t   addr)
{
  for (guint i = 0; i < image->constants->len; i++)
    {
      const struct gilk_range *range = &g_array_index (image->constants, struct gilk_range, i);

      if (addr - range->addr < range->len)
        return range;
    }

  return NULL;
}

gboolean
gilk_image_is_constant (GilkImage *image,
                        uint64_t   addr)
{
  return find_range (image, addr) != NULL;
}

/* ---- reading of constant data ---- */

/* Returns the part of [@addr, @addr + @most) that is constant data; empty if @addr itself is
 * not. */
static struct gilk_range
clip_range (GilkImage *image,
            uint64_t   addr,
            gsize      most)
{
  const struct gilk_range *range = find_range (image, addr);
  const struct gilk_range none = { addr, 0 };

  if (range == NULL)
    return none;

  return (struct gilk_range) { addr, MIN (most, range->len - (addr - range->addr)) };
}

static gboolean
read_static (GilkImage               *image,
             const struct gilk_range *range,
             uint8_t                 *out)
{
  const uint64_t into = range->addr - image->static_constants_base;

  if (image->static_constants == NULL || into + range->len > g_bytes_get_size (image->static_constants))
    return FALSE;
  memcpy (out, (const uint8_t *) g_bytes_get_data (image->static_constants, NULL) + into, range->len);

  return TRUE;
}

static gboolean
read_ranges (GilkImage               *image,
             const struct gilk_range *ranges,
             guint                    n,
             uint8_t                 *out,
             GCancellable            *cancellable,
             GError                 **error)
{
  if (image->target != NULL)
    return gilk_target_read_text (image->target, ranges, n, out, NULL, cancellable, error);

  for (guint i = 0; i < n; out += ranges[i++].len)
    if (!read_static (image, &ranges[i], out))
      return gilk_fail (error, GILK_ERROR_NOT_FOUND,
                        _("Constants at this address are not available."));

  return TRUE;
}

/* Returns whether @error means that all further reads will fail, too, as opposed to an unreadable
 * address. */
static gboolean
is_fatal (const GError *error)
{
  return g_error_matches (error, GILK_ERROR, GILK_ERROR_TARGET) ||
         g_error_matches (error, GILK_ERROR, GILK_ERROR_PROTOCOL) ||
         g_error_matches (error, GILK_ERROR, GILK_ERROR_CANCELLED);
}

/* Reads each range separately, up to the end of its page. Used if reading all ranges together
 * failed: the end of a section is unknown, so a range may end in unreadable memory. */
static gboolean
read_each_range (GilkImage         *image,
                 struct gilk_range *ranges,
                 guint              n,
                 uint8_t           *out,
                 GCancellable      *cancellable,
                 GError           **error)
{
  for (guint i = 0; i < n; i++)
    {
      g_autoptr (GError) local = NULL;

      ranges[i].len = MIN (ranges[i].len, PAGE - ranges[i].addr % PAGE);
      if (read_ranges (image, &ranges[i], 1, out, cancellable, &local))
        {
          out += ranges[i].len;
          continue;
        }
      if (is_fatal (local))
        {
          g_propagate_error (error, g_steal_pointer (&local));
          return FALSE;
        }
      ranges[i].len = 0;
    }

  return TRUE;
}

gboolean
gilk_image_constants (GilkImage      *image,
                      const uint64_t *addrs,
                      guint           n,
                      gsize           most,
                      GBytes        **out,
                      GCancellable   *cancellable,
                      GError        **error)
{
  g_autofree struct gilk_range *ranges = g_new0 (struct gilk_range, n + 1);
  g_autofree uint8_t *bytes = g_malloc (n * most + 1);
  g_autoptr (GError) local = NULL;
  gsize at = 0;

  for (guint i = 0; i < n; i++)
    ranges[i] = clip_range (image, addrs[i], most);
  if (n > 0 && !read_ranges (image, ranges, n, bytes, cancellable, &local))
    {
      if (is_fatal (local))
        {
          g_propagate_error (error, g_steal_pointer (&local));
          return FALSE;
        }
      if (!read_each_range (image, ranges, n, bytes, cancellable, error))
        return FALSE;
    }
  for (guint i = 0; i < n; at += ranges[i++].len)
    out[i] = g_bytes_new (bytes + at, ranges[i].len);

  return TRUE;
}

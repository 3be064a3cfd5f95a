/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-orc.c - adapts unwind entries of the kernel to a patch
 *
 * A patch runs on the frame of the code that it was made for. If the kernel finds the caller's
 * frame from rsp, each push of the patch adds eight to the offset of the frame; if the kernel uses
 * rbp, nothing changes. Other bases (entry code, realigned stacks: r10, r13, rdi, rdx, *rsp) cannot
 * be adapted and are refused.
 */
#include "core/emit/gilk-orc.h"

#include <string.h>

enum { RSP = 4, RBP = 5, RETURN_BYTES = 8 };

gboolean
gilk_orc_shift (uint8_t       entry[GILK_ORC_BYTES],
                GilkFrameBase base,
                guint         depth)
{
  int16_t offset;

  switch (base)
    {
    case GILK_FRAME_SP:
      memcpy (&offset, entry, sizeof offset);
      offset += depth;
      memcpy (entry, &offset, sizeof offset);
      return TRUE;
    case GILK_FRAME_BP:
    case GILK_FRAME_BP_INDIRECT:
      return TRUE;
    case GILK_FRAME_OTHER:
    default:
      return FALSE;
    }
}

gboolean
gilk_orc_at (GilkImage *image,
             uint64_t   addr,
             guint      depth,
             uint8_t    entry[GILK_ORC_BYTES])
{
  GilkFrameBase base;

  return gilk_image_orc (image, addr, entry, &base) && gilk_orc_shift (entry, base, depth);
}

gboolean
gilk_orc_usable (GilkImage *image,
                 uint64_t   addr)
{
  uint8_t entry[GILK_ORC_BYTES];
  GilkFrameBase base;

  /* A saved or hand-made image lacks an unwind table, and does not need it, because its code does
   * not run. */
  if (!gilk_image_orc (image, addr, entry, &base))
    return gilk_image_target (image) == NULL;

  return gilk_orc_shift (entry, base, 0);
}

gboolean
gilk_orc_same (GilkImage *image,
               uint64_t   here,
               uint64_t   there,
               guint      len)
{
  uint8_t mine[GILK_ORC_BYTES], theirs[GILK_ORC_BYTES];
  GilkFrameBase base;

  if (!gilk_image_orc (image, here, mine, &base))
    return gilk_image_target (image) == NULL && !gilk_image_orc (image, there, theirs, &base);

  for (guint i = 0; i < len; i++)
    if (!gilk_image_orc (image, there + i, theirs, &base) || memcmp (mine, theirs, sizeof mine) != 0)
      return FALSE;

  return TRUE;
}

gboolean
gilk_orc_return_slot (GilkImage *image,
                      uint64_t   addr,
                      guint      depth,
                      guint     *reg,
                      int32_t   *offset)
{
  uint8_t entry[GILK_ORC_BYTES];
  GilkFrameBase base;
  int16_t to_frame;

  /* Without an unwind entry, assume that the code has pushed nothing if the image is saved or
   * hand-made; fail if the image is of a live kernel. */
  if (!gilk_image_orc (image, addr, entry, &base))
    {
      *reg = RSP;
      *offset = (int32_t) depth;
      return gilk_image_target (image) == NULL;
    }
  if (!gilk_orc_shift (entry, base, depth) || base == GILK_FRAME_BP_INDIRECT)
    return FALSE;

  memcpy (&to_frame, entry, sizeof to_frame);
  *reg = base == GILK_FRAME_BP ? RBP : RSP;
  *offset = to_frame - RETURN_BYTES;

  return TRUE;
}

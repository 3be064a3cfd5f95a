/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-tiling.c - divides samples into tiles, and tiles into groups
 */
#include "core/pack/gilk-tiling.h"

G_STATIC_ASSERT (GILK_CHUNK_TILE <= 256 && GILK_CHUNK_TILE * GILK_TILING_GROUP <= G_MAXUINT16);

/* Returns where to divide [@first, @end): at the sample after the longest pause; @end if no pause
 * is longer than half of the time. Considers only pauses at @ends, or if @ends is NULL,
 * all pauses. */
static guint
find_division (const gint64 *times, guint first, guint end, const guint *ends, guint n_ends)
{
  guint n = ends != NULL ? n_ends : end - first, at = end;
  gint64 longest = 0, all = times[end - 1] - times[first];

  for (guint k = 0; k + 1 < n; k++)
    {
      guint i = ends != NULL ? ends[k] : first + k + 1;

      if (times[i] - times[i - 1] > longest)
        {
          longest = times[i] - times[i - 1];
          at = i;
        }
    }

  return longest > all / 2 ? at : end;
}

static void
add_tile (GArray *ends, GByteArray *lengths, guint begin, guint end)
{
  const guint8 length = (guint8) (end - begin - 1);

  g_array_append_val (ends, end);
  g_byte_array_append (lengths, &length, 1);
}

static void
add_group (GByteArray *groups, guint begin, guint end)
{
  const guint16 samples = GUINT16_TO_LE ((guint16) (end - begin));

  g_byte_array_append (groups, (const guint8 *) &samples, sizeof samples);
}

void
gilk_tiling_make (const gint64 *times,
                  guint         n,
                  GByteArray   *groups,
                  GByteArray   *lengths)
{
  g_autoptr(GArray) ends = g_array_new (FALSE, FALSE, sizeof (guint));
  guint begin = 0;

  for (guint at = 0; at < n; at += GILK_CHUNK_TILE)
    {
      guint end = MIN (at + GILK_CHUNK_TILE, n), part = find_division (times, at, end, NULL, 0);

      add_tile (ends, lengths, at, part);
      if (part < end)
        add_tile (ends, lengths, part, end);
    }
  for (guint tile = 0; tile < ends->len; tile += GILK_TILING_GROUP)
    {
      const guint *tiles = &g_array_index (ends, guint, tile);
      guint count = MIN (ends->len - tile, GILK_TILING_GROUP);
      guint end = tiles[count - 1], part = find_division (times, begin, end, tiles, count);

      add_group (groups, begin, part);
      if (part < end)
        add_group (groups, part, end);
      begin = end;
    }
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-tiling.h - how the samples of a chunk are parted into tiles, and tiles into groups
 *
 * A tile is GILK_CHUNK_TILE samples, a group GILK_TILING_GROUP tiles, one behind the other. Where a pause is longer
 * than half the time that one takes, it is parted there: so a tile is about as wide as its samples are dense, and
 * who looks from afar finds small ones also where nothing happens for long.
 *
 * Threads: any; nothing is shared.
 */
#pragma once

#include <glib.h>
#include <stdint.h>

G_BEGIN_DECLS

#define GILK_TILING_GROUP 16

/* Both arrays are appended to: @lengths a byte for each tile, how many samples it has less one; @groups 16 bits,
 * little endian, for each group: how many samples it has. @times: of @n samples, at least one */
void gilk_tiling_make (const gint64 *times, guint n, GByteArray *groups, GByteArray *lengths);

static inline guint
gilk_tiling_length (const uint8_t *lengths, guint tile)
{
  return lengths[tile] + 1u;
}

static inline guint
gilk_tiling_group (const uint8_t *groups, guint group)
{
  return groups[2 * group] | (guint) groups[2 * group + 1] << 8;
}

G_END_DECLS

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-tiling.h - divides the samples of a chunk into tiles, and tiles into groups
 *
 * A tile is GILK_CHUNK_TILE consecutive samples; a group is GILK_TILING_GROUP consecutive tiles. If
 * a pause is longer than half the time of a tile or group, the tile or group is divided at the
 * pause. Tiles are thus narrow where samples are dense, even next to long pauses. Zoomed-out views
 * need this.
 *
 * Threads: any; nothing is shared.
 */
#pragma once

#include <glib.h>
#include <stdint.h>

G_BEGIN_DECLS

#define GILK_CHUNK_TILE   256    /* maximum number of samples in a tile */
#define GILK_TILING_GROUP 16

/* Appends one byte per tile to @lengths: the tile's number of samples minus one. Appends 16 bits
 * per group, little endian, to @groups: the group's number of samples. @times: times of @n samples;
 * @n is at least 1 */
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

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-store-chunk.h - writes chunks (stored batches of samples), and defines the layout of their
 * rows and tiles
 *
 * A column is the row of chunk_column with id = chunk * GILK_CHUNK_COLUMNS + position.
 *
 * Threads: only the store's thread.
 */
#pragma once

#include <glib.h>
#include <stdint.h>

#include "core/store/gilk-store.h"

#define GILK_CHUNK_COLUMNS 16
#define GILK_CHUNK_TIMES   0
#define GILK_CHUNK_HOOKS   1      /* column with each sample's hook, if several hooks share the
                                   * chunk */
#define GILK_CHUNK_FIELDS  2      /* column of the first field; a chunk lacks the column of a field
                                   * that its records are too short for */
G_STATIC_ASSERT (GILK_CHUNK_FIELDS + ILK_FIELDS_MAX <= GILK_CHUNK_COLUMNS);

#define GILK_CHUNK_SAMPLES_MAX  (1 << 20)
#define GILK_CHUNK_SKETCHED     1024        /* minimum number of samples for which a sketch is stored */
#define GILK_COLUMN_BYTES_MAX   (32 << 20)  /* maximum size in bytes of a column before
                                             * compression */

typedef struct _GilkChunkWriter GilkChunkWriter;

GilkChunkWriter *gilk_chunk_writer_new  (GilkStore *store, gboolean compress);
void             gilk_chunk_writer_free (GilkChunkWriter *writer);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkChunkWriter, gilk_chunk_writer_free)

/**
 * gilk_chunk_begin:
 * @hook: if 0, several hooks share the chunk
 * @n: 1 to GILK_CHUNK_SAMPLES_MAX
 * @lost_before: samples of any hook lost on that CPU before this chunk
 * Finishes the previous chunk; adds a chunk with @times to the open transaction. The chunk's other
 * columns must be added next, with @n values each.
 */
gboolean gilk_chunk_begin        (GilkChunkWriter *writer, gint64 instrument, gint64 hook, guint cpu,
                                  const gint64 *times, guint n, uint64_t lost_before, GError **error);
gboolean gilk_chunk_add_hooks    (GilkChunkWriter *writer, const gint64 *hooks, guint n, GError **error);
/* Add a column of a field's values to the chunk. @field: position of the field; @type: ILK_FIELD_*;
 * @lengths: at most 255 bytes each */
gboolean gilk_chunk_add_integers (GilkChunkWriter *writer, guint field, guint type, const gint64 *values, guint n,
                                  GError **error);
gboolean gilk_chunk_add_texts    (GilkChunkWriter *writer, guint field, const char *const *texts,
                                  const uint8_t *lengths, guint n, GError **error);
/* Writes the checksum of the last chunk, if it is not yet written. Must be called before a
 * commit. */
gboolean gilk_chunk_finish       (GilkChunkWriter *writer, GError **error);
/* Forgets the chunk that was written last, because the transaction was rolled back. */
void     gilk_chunk_discard      (GilkChunkWriter *writer);

/*
 * Divides the samples of a chunk into tiles, and tiles into groups.
 *
 * A tile is GILK_CHUNK_TILE consecutive samples; a group is GILK_TILING_GROUP consecutive tiles. If
 * a pause is longer than half the time of a tile or group, the tile or group is divided at the
 * pause. Tiles are thus narrow where samples are dense, even next to long pauses. Zoomed-out views
 * need such narrow tiles.
 *
 * Threads: any; nothing is shared.
 */

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

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-store-checksum.h - computes and verifies checksums of a session's rows
 *
 * Threads: only the store's thread.
 */
#pragma once

#include "core/store/gilk-store.h"

/* Initial values of a row's checksum, one for each table that holds rows of chunks. */
enum { GILK_SUM_CHUNK, GILK_SUM_COLUMN, GILK_SUM_GROUPS, GILK_SUM_TILES, GILK_SUM_SKETCH };

/* Return @sum updated with the next value of a row. */
uint64_t gilk_sum_integer (uint64_t sum, gint64 value);
uint64_t gilk_sum_bytes   (uint64_t sum, const void *bytes, gsize size);

static inline uint64_t
gilk_sum_null (uint64_t sum)
{
  return gilk_sum_integer (~sum, -1);
}

/* Returns the checksum of a row of the table chunk_column. */
static inline uint64_t
gilk_column_sum (gint64 id, const void *data, gsize size, gint64 codec)
{
  return gilk_sum_integer (gilk_sum_bytes (gilk_sum_integer (GILK_SUM_COLUMN, id), data, size), codec);
}

/* Updates the checksum of @chunk after a row was replaced. @before, @after: the row's checksums
 * before and after. A chunk's checksum that did not match its rows still does not match
 * afterwards. */
gboolean gilk_chunk_sum_replace (GilkStore *store, gint64 chunk, uint64_t before, uint64_t after, GError **error);

/* Writes the checksums of a run's rows in @table into the open transaction; if @table is NULL, of
 * the rows in all tables. */
gboolean gilk_store_sum_run     (GilkStore *store, gint64 run, const char *table, GError **error);
gboolean gilk_store_sum_schema  (GilkStore *store, GError **error);
gboolean gilk_store_has_sums    (GilkStore *store, gint64 run, gboolean *has, GError **error);
/* Verifies the checksums of @runs. Adds a sentence to @problems for each mismatch. @runs:
 * (element-type GilkStoredRun) */
gboolean gilk_store_verify_sums (GilkStore *store, const GArray *runs, GPtrArray *problems, GError **error);

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-store-chunk.c - writes a chunk into a session: one row for the chunk, and one per column
 */
#include "core/store/gilk-store-private.h"

#include "core/pack/gilk-column.h"
#include "core/pack/gilk-tiling.h"

static gboolean
prepare_statement (GilkStore *store, const char *sql, sqlite3_stmt **stmt, GError **error)
{
  return *stmt != NULL ||
         sqlite3_prepare_v3 (store->db, sql, -1, SQLITE_PREPARE_PERSISTENT, stmt, NULL) == SQLITE_OK ||
         gilk_sql_fail (store, error);
}

static gboolean
finish_statement (GilkStore *store, sqlite3_stmt *stmt, GError **error)
{
  gboolean good = sqlite3_step (stmt) == SQLITE_DONE || gilk_sql_fail (store, error);

  sqlite3_reset (stmt);
  sqlite3_clear_bindings (stmt);

  return good;
}

/* Returns the checksum of a row of chunk_groups or, without @bounds, of chunk_tiles. */
static uint64_t
sum_tiles (GilkStore *store, gint64 id, const gint64 *bounds, const GByteArray *lengths)
{
  uint64_t sum = gilk_sum_integer (bounds != NULL ? GILK_SUM_GROUPS : GILK_SUM_TILES, id);

  if (bounds != NULL)
    sum = gilk_sum_integer (gilk_sum_integer (sum, bounds[0]), bounds[1]);
  sum = lengths != NULL ? gilk_sum_bytes (sum, lengths->data, lengths->len) : gilk_sum_null (sum);

  return gilk_sum_bytes (sum, store->tiles->data, store->tiles->len);
}

/* Writes store->bytes as a column and empties it. */
static gboolean
add_column (GilkStore *store, gint64 chunk, guint position, GError **error)
{
  const uint8_t *bytes = store->bytes->data;
  gsize size = store->bytes->len;
  gboolean good, packed;

  if (!prepare_statement (store, "INSERT INTO chunk_column (id, data, codec) VALUES (?, ?, ?)",
                          &store->add_column, error))
    return FALSE;
  packed = store->codec != NULL && gilk_codec_pack (store->codec, bytes, size, &bytes, &size);
  sqlite3_bind_int64 (store->add_column, 1, chunk * GILK_CHUNK_COLUMNS + position);
  sqlite3_bind_blob (store->add_column, 2, bytes, (int) size, SQLITE_STATIC);
  sqlite3_bind_int (store->add_column, 3, packed ? GILK_CODEC_ZSTD : GILK_CODEC_PLAIN);
  gilk_chunk_sum_add (store, gilk_column_sum (chunk * GILK_CHUNK_COLUMNS + position, bytes, size,
                                              packed ? GILK_CODEC_ZSTD : GILK_CODEC_PLAIN));
  good = finish_statement (store, store->add_column, error);
  g_byte_array_set_size (store->bytes, 0);

  return good;
}

/* Returns the checksum of a row of chunk. */
static uint64_t
sum_chunk (gint64 id, gint64 instrument, gint64 hook, const gint64 *rest, guint n)
{
  uint64_t sum = gilk_sum_integer (gilk_sum_integer (GILK_SUM_CHUNK, id), instrument);

  sum = hook != 0 ? gilk_sum_integer (sum, hook) : gilk_sum_null (sum);
  for (guint i = 0; i < n; i++)
    sum = gilk_sum_integer (sum, rest[i]);

  return sum;
}

/* Finds minimum and maximum. @turn: for unsigned numbers the sign bit, so that signed comparisons
 * work; else 0. */
static void
find_bounds (const gint64 *values, guint n, uint64_t turn, gint64 bounds[2])
{
  gint64 min = G_MAXINT64, max = G_MININT64;

  for (guint i = 0; i < n; i++)
    {
      gint64 value = (gint64) ((uint64_t) values[i] ^ turn);

      min = MIN (min, value);
      max = MAX (max, value);
    }
  bounds[0] = (gint64) ((uint64_t) min ^ turn);
  bounds[1] = (gint64) ((uint64_t) max ^ turn);
}

static void
append_bounds (GByteArray *tiles, const gint64 *values, guint n, uint64_t turn)
{
  gint64 tile[2];

  find_bounds (values, n, turn, tile);
  tile[0] = GINT64_TO_LE (tile[0]);
  tile[1] = GINT64_TO_LE (tile[1]);
  g_byte_array_append (tiles, (const guint8 *) tile, sizeof tile);
}

static void
bind_bytes (sqlite3_stmt *stmt, int position, const GByteArray *bytes)
{
  sqlite3_bind_blob (stmt, position, bytes->data, (int) bytes->len, SQLITE_STATIC);
}

static gboolean
add_groups (GilkStore *store, gint64 id, gboolean is_times, const gint64 *values, guint n, uint64_t turn, GError **error)
{
  gint64 bounds[2];
  guint at = 0;

  if (!prepare_statement (store, "INSERT INTO chunk_groups (id, min_value, max_value, lengths, bounds) VALUES (?, ?, ?, ?, ?)",
                          &store->add_groups, error))
    return FALSE;
  g_byte_array_set_size (store->tiles, 0);
  for (guint i = 0; i < store->groups->len / 2; at += gilk_tiling_group (store->groups->data, i++))
    append_bounds (store->tiles, values + at, gilk_tiling_group (store->groups->data, i), turn);
  find_bounds (values, n, turn, bounds);
  sqlite3_bind_int64 (store->add_groups, 1, id);
  sqlite3_bind_int64 (store->add_groups, 2, bounds[0]);
  sqlite3_bind_int64 (store->add_groups, 3, bounds[1]);
  if (is_times)
    bind_bytes (store->add_groups, 4, store->groups);
  bind_bytes (store->add_groups, 5, store->tiles);
  gilk_chunk_sum_add (store, sum_tiles (store, id, bounds, is_times ? store->groups : NULL));

  return finish_statement (store, store->add_groups, error);
}

static gboolean
add_tiles (GilkStore *store, gint64 id, gboolean is_times, const gint64 *values, uint64_t turn, GError **error)
{
  guint at = 0;

  if (!prepare_statement (store, "INSERT INTO chunk_tiles (id, lengths, bounds) VALUES (?, ?, ?)", &store->add_tiles, error))
    return FALSE;
  g_byte_array_set_size (store->tiles, 0);
  for (guint i = 0; i < store->lengths->len; at += gilk_tiling_length (store->lengths->data, i++))
    append_bounds (store->tiles, values + at, gilk_tiling_length (store->lengths->data, i), turn);
  sqlite3_bind_int64 (store->add_tiles, 1, id);
  if (is_times)
    bind_bytes (store->add_tiles, 2, store->lengths);
  bind_bytes (store->add_tiles, 3, store->tiles);
  gilk_chunk_sum_add (store, sum_tiles (store, id, NULL, is_times ? store->lengths : NULL));

  return finish_statement (store, store->add_tiles, error);
}

/* Adds the sketch of @values, which are of a numeric field. */
static gboolean
add_sketch (GilkStore *store, gint64 chunk, guint field, guint type, const gint64 *values, guint n, GError **error)
{
  const gint64 id = chunk * GILK_CHUNK_COLUMNS + GILK_CHUNK_FIELDS + field;
  double numbers[GILK_CHUNK_SKETCHED];

  if (!prepare_statement (store, "INSERT INTO chunk_sketch (id, data) VALUES (?, ?)", &store->add_sketch, error))
    return FALSE;
  if (store->sketch == NULL)
    store->sketch = gilk_sketch_new ();
  gilk_sketch_clear (store->sketch);
  for (guint at = 0; at < n; at += G_N_ELEMENTS (numbers))
    {
      guint count = MIN (n - at, G_N_ELEMENTS (numbers));

      gilk_sample_numbers (values + at, type, numbers, count);
      gilk_sketch_add (store->sketch, numbers, count);
    }
  g_byte_array_set_size (store->tiles, 0);
  gilk_sketch_write (store->sketch, store->tiles);
  sqlite3_bind_int64 (store->add_sketch, 1, id);
  bind_bytes (store->add_sketch, 2, store->tiles);
  gilk_chunk_sum_add (store, gilk_sum_bytes (gilk_sum_integer (GILK_SUM_SKETCH, id), store->tiles->data, store->tiles->len));

  return finish_statement (store, store->add_sketch, error);
}

static gboolean
add_integers (GilkStore *store, gint64 chunk, guint position, const gint64 *values, guint n,
              gboolean is_unsigned, GError **error)
{
  const uint64_t turn = is_unsigned ? (uint64_t) 1 << 63 : 0;
  const gboolean is_times = position == GILK_CHUNK_TIMES;
  const gint64 id = chunk * GILK_CHUNK_COLUMNS + position;

  gilk_column_write (values, n, store->bytes);

  return add_column (store, chunk, position, error) &&
         (store->groups->len == 0 || (add_groups (store, id, is_times, values, n, turn, error) &&
                                      add_tiles (store, id, is_times, values, turn, error)));
}

gboolean
gilk_chunk_add (GilkStore    *store,
                gint64        instrument,
                gint64        hook,
                guint         cpu,
                const gint64 *times,
                guint         n,
                uint64_t      lost_before,
                gint64       *id,
                GError      **error)
{
  gint64 first = times[0], last = times[0];

  if (!gilk_chunk_sum_write (store, error))
    return FALSE;
  g_assert (n > 0 && n <= GILK_CHUNK_SAMPLES_MAX);
  for (guint i = 1; i < n; i++)
    {
      first = MIN (first, times[i]);
      last = MAX (last, times[i]);
    }

  const gint64 rest[] = { cpu, n, first, last, (gint64) MIN (lost_before, G_MAXINT64) };

  if (!prepare_statement (store, "INSERT INTO chunk (instrument, hook, cpu, n, first_ns, last_ns, lost_before) "
                          "VALUES (?, ?, ?, ?, ?, ?, ?)", &store->add_chunk, error))
    return FALSE;
  sqlite3_bind_int64 (store->add_chunk, 1, instrument);
  if (hook != 0)
    sqlite3_bind_int64 (store->add_chunk, 2, hook);
  for (guint i = 0; i < G_N_ELEMENTS (rest); i++)
    sqlite3_bind_int64 (store->add_chunk, 3 + (int) i, rest[i]);
  if (!finish_statement (store, store->add_chunk, error))
    return FALSE;
  *id = store->chunk = sqlite3_last_insert_rowid (store->db);
  store->chunk_sum = sum_chunk (*id, instrument, hook, rest, G_N_ELEMENTS (rest));
  g_byte_array_set_size (store->groups, 0);
  g_byte_array_set_size (store->lengths, 0);
  if (hook != 0)      /* chunks shared by hooks are never displayed as a whole */
    gilk_tiling_make (times, n, store->groups, store->lengths);

  return add_integers (store, *id, GILK_CHUNK_TIMES, times, n, FALSE, error);
}

gboolean
gilk_chunk_add_hooks (GilkStore    *store,
                      gint64        chunk,
                      const gint64 *hooks,
                      guint         n,
                      GError      **error)
{
  gilk_column_write (hooks, n, store->bytes);

  return add_column (store, chunk, GILK_CHUNK_HOOKS, error);
}

gboolean
gilk_chunk_add_integers (GilkStore    *store,
                         gint64        chunk,
                         guint         field,
                         guint         type,
                         const gint64 *values,
                         guint         n,
                         GError      **error)
{
  return add_integers (store, chunk, GILK_CHUNK_FIELDS + field, values, n,
                       type == ILK_FIELD_U64 || type == ILK_FIELD_HEX64, error) &&
         (store->groups->len == 0 || n < GILK_CHUNK_SKETCHED || add_sketch (store, chunk, field, type, values, n, error));
}

gboolean
gilk_chunk_add_texts (GilkStore         *store,
                      gint64             chunk,
                      guint              field,
                      const char *const *texts,
                      const uint8_t     *lengths,
                      guint              n,
                      GError           **error)
{
  gilk_column_write_texts (texts, lengths, n, store->bytes);

  return add_column (store, chunk, GILK_CHUNK_FIELDS + field, error);
}

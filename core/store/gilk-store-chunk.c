/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-store-chunk.c - writes a chunk into a session: one row for the chunk, and one per column;
 * divides its samples into tiles
 */
#include "core/store/gilk-store-chunk.h"

#include "core/pack/gilk-column.h"
#include "core/pack/gilk-sketch.h"
#include "core/store/gilk-sql.h"
#include "core/store/gilk-store-checksum.h"

struct _GilkChunkWriter {
  GilkStore    *store;            /* (unowned) */
  GilkCodec    *codec;            /* compresses columns; NULL: they are not compressed */
  sqlite3_stmt *add_chunk, *add_column, *add_tiles, *add_groups, *add_sketch, *add_checksum;   /* NULL: unused */

  gint64        chunk;            /* id of the chunk being written; 0: none */
  uint64_t      sum;              /* checksum of the chunk's rows so far */
  GByteArray   *groups, *lengths; /* lengths of the chunk's groups and tiles, as from
                                   * gilk_tiling_make(); empty: a chunk without tiles */

  /* Buffers for the column that is being written. */
  GByteArray   *bytes, *tiles;
  GilkSketch   *sketch;
};

GilkChunkWriter *
gilk_chunk_writer_new (GilkStore *store,
                       gboolean   compress)
{
  GilkChunkWriter *writer = g_new0 (GilkChunkWriter, 1);

  writer->store = store;
  writer->codec = compress ? gilk_codec_new () : NULL;
  writer->groups = g_byte_array_new ();
  writer->lengths = g_byte_array_new ();
  writer->bytes = g_byte_array_new ();
  writer->tiles = g_byte_array_new ();
  writer->sketch = gilk_sketch_new ();

  return writer;
}

void
gilk_chunk_writer_free (GilkChunkWriter *writer)
{
  sqlite3_finalize (writer->add_chunk);
  sqlite3_finalize (writer->add_column);
  sqlite3_finalize (writer->add_tiles);
  sqlite3_finalize (writer->add_groups);
  sqlite3_finalize (writer->add_sketch);
  sqlite3_finalize (writer->add_checksum);
  g_byte_array_unref (writer->groups);
  g_byte_array_unref (writer->lengths);
  g_byte_array_unref (writer->bytes);
  g_byte_array_unref (writer->tiles);
  gilk_sketch_free (writer->sketch);
  gilk_codec_free (writer->codec);
  g_free (writer);
}

/* ---- rows ---- */

/* Returns the checksum of a row of the table chunk_groups or, if @bounds is NULL, of
 * chunk_tiles. */
static uint64_t
sum_tiles (GilkChunkWriter *writer, gint64 id, const gint64 *bounds, const GByteArray *lengths)
{
  uint64_t sum = gilk_sum_integer (bounds != NULL ? GILK_SUM_GROUPS : GILK_SUM_TILES, id);

  if (bounds != NULL)
    sum = gilk_sum_integer (gilk_sum_integer (sum, bounds[0]), bounds[1]);
  sum = lengths != NULL ? gilk_sum_bytes (sum, lengths->data, lengths->len) : gilk_sum_null (sum);

  return gilk_sum_bytes (sum, writer->tiles->data, writer->tiles->len);
}

static gint64
get_column_id (const GilkChunkWriter *writer, guint position)
{
  return writer->chunk * GILK_CHUNK_COLUMNS + position;
}

/* Writes writer->bytes as a column, then empties the buffer. */
static gboolean
add_column (GilkChunkWriter *writer, guint position, GError **error)
{
  const gint64 id = get_column_id (writer, position);
  const uint8_t *bytes = writer->bytes->data;
  gsize size = writer->bytes->len;
  gboolean good, packed;

  if (!gilk_sql_keep (writer->store, &writer->add_column, error,
                      "INSERT INTO chunk_column (id, data, codec) VALUES (?, ?, ?)"))
    return FALSE;
  packed = writer->codec != NULL && gilk_codec_pack (writer->codec, bytes, size, &bytes, &size);
  sqlite3_bind_int64 (writer->add_column, 1, id);
  sqlite3_bind_blob (writer->add_column, 2, bytes, (int) size, SQLITE_STATIC);
  sqlite3_bind_int (writer->add_column, 3, packed ? GILK_CODEC_ZSTD : GILK_CODEC_PLAIN);
  writer->sum += gilk_column_sum (id, bytes, size, packed ? GILK_CODEC_ZSTD : GILK_CODEC_PLAIN);
  good = gilk_sql_finish (writer->store, writer->add_column, error);
  g_byte_array_set_size (writer->bytes, 0);

  return good;
}

/* Returns the checksum of a row of the table "chunk". */
static uint64_t
sum_chunk (gint64 id, gint64 instrument, gint64 hook, const gint64 *rest, guint n)
{
  uint64_t sum = gilk_sum_integer (gilk_sum_integer (GILK_SUM_CHUNK, id), instrument);

  sum = hook != 0 ? gilk_sum_integer (sum, hook) : gilk_sum_null (sum);
  for (guint i = 0; i < n; i++)
    sum = gilk_sum_integer (sum, rest[i]);

  return sum;
}

/* Finds the minimum and maximum of @values. @turn: bits to flip in all values before they are
 * compared: the sign bit if the values are unsigned, so that a signed comparison orders them; else
 * none. */
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
add_groups (GilkChunkWriter *writer, gint64 id, gboolean is_times, const gint64 *values, guint n, uint64_t turn,
            GError **error)
{
  gint64 bounds[2];
  guint at = 0;

  if (!gilk_sql_keep (writer->store, &writer->add_groups, error,
                      "INSERT INTO chunk_groups (id, min_value, max_value, lengths, bounds) VALUES (?, ?, ?, ?, ?)"))
    return FALSE;
  g_byte_array_set_size (writer->tiles, 0);
  for (guint i = 0; i < writer->groups->len / 2; at += gilk_tiling_group (writer->groups->data, i++))
    append_bounds (writer->tiles, values + at, gilk_tiling_group (writer->groups->data, i), turn);
  find_bounds (values, n, turn, bounds);
  sqlite3_bind_int64 (writer->add_groups, 1, id);
  sqlite3_bind_int64 (writer->add_groups, 2, bounds[0]);
  sqlite3_bind_int64 (writer->add_groups, 3, bounds[1]);
  if (is_times)
    bind_bytes (writer->add_groups, 4, writer->groups);
  bind_bytes (writer->add_groups, 5, writer->tiles);
  writer->sum += sum_tiles (writer, id, bounds, is_times ? writer->groups : NULL);

  return gilk_sql_finish (writer->store, writer->add_groups, error);
}

static gboolean
add_tiles (GilkChunkWriter *writer, gint64 id, gboolean is_times, const gint64 *values, uint64_t turn, GError **error)
{
  guint at = 0;

  if (!gilk_sql_keep (writer->store, &writer->add_tiles, error,
                      "INSERT INTO chunk_tiles (id, lengths, bounds) VALUES (?, ?, ?)"))
    return FALSE;
  g_byte_array_set_size (writer->tiles, 0);
  for (guint i = 0; i < writer->lengths->len; at += gilk_tiling_length (writer->lengths->data, i++))
    append_bounds (writer->tiles, values + at, gilk_tiling_length (writer->lengths->data, i), turn);
  sqlite3_bind_int64 (writer->add_tiles, 1, id);
  if (is_times)
    bind_bytes (writer->add_tiles, 2, writer->lengths);
  bind_bytes (writer->add_tiles, 3, writer->tiles);
  writer->sum += sum_tiles (writer, id, NULL, is_times ? writer->lengths : NULL);

  return gilk_sql_finish (writer->store, writer->add_tiles, error);
}

/* Stores a sketch (a compact distribution) of @values, the values of a numeric field. */
static gboolean
add_sketch (GilkChunkWriter *writer, guint field, guint type, const gint64 *values, guint n, GError **error)
{
  const gint64 id = get_column_id (writer, GILK_CHUNK_FIELDS + field);
  double numbers[GILK_CHUNK_SKETCHED];

  if (!gilk_sql_keep (writer->store, &writer->add_sketch, error, "INSERT INTO chunk_sketch (id, data) VALUES (?, ?)"))
    return FALSE;
  gilk_sketch_clear (writer->sketch);
  for (guint at = 0; at < n; at += G_N_ELEMENTS (numbers))
    {
      guint count = MIN (n - at, G_N_ELEMENTS (numbers));

      gilk_sample_numbers (values + at, type, numbers, count);
      gilk_sketch_add (writer->sketch, numbers, count);
    }
  g_byte_array_set_size (writer->tiles, 0);
  gilk_sketch_write (writer->sketch, writer->tiles);
  sqlite3_bind_int64 (writer->add_sketch, 1, id);
  bind_bytes (writer->add_sketch, 2, writer->tiles);
  writer->sum += gilk_sum_bytes (gilk_sum_integer (GILK_SUM_SKETCH, id), writer->tiles->data, writer->tiles->len);

  return gilk_sql_finish (writer->store, writer->add_sketch, error);
}

static gboolean
add_integers (GilkChunkWriter *writer, guint position, const gint64 *values, guint n, gboolean is_unsigned,
              GError **error)
{
  const uint64_t turn = is_unsigned ? (uint64_t) 1 << 63 : 0;
  const gboolean is_times = position == GILK_CHUNK_TIMES;
  const gint64 id = get_column_id (writer, position);

  gilk_column_write (values, n, writer->bytes);

  return add_column (writer, position, error) &&
         (writer->groups->len == 0 || (add_groups (writer, id, is_times, values, n, turn, error) &&
                                       add_tiles (writer, id, is_times, values, turn, error)));
}

gboolean
gilk_chunk_begin (GilkChunkWriter *writer,
                  gint64           instrument,
                  gint64           hook,
                  guint            cpu,
                  const gint64    *times,
                  guint            n,
                  uint64_t         lost_before,
                  GError         **error)
{
  gint64 first = times[0], last = times[0];

  if (!gilk_chunk_finish (writer, error))
    return FALSE;
  g_assert (n > 0 && n <= GILK_CHUNK_SAMPLES_MAX);
  for (guint i = 1; i < n; i++)
    {
      first = MIN (first, times[i]);
      last = MAX (last, times[i]);
    }

  const gint64 rest[] = { cpu, n, first, last, (gint64) MIN (lost_before, G_MAXINT64) };

  if (!gilk_sql_keep (writer->store, &writer->add_chunk, error,
                      "INSERT INTO chunk (instrument, hook, cpu, n, first_ns, last_ns, lost_before) "
                      "VALUES (?, ?, ?, ?, ?, ?, ?)"))
    return FALSE;
  sqlite3_bind_int64 (writer->add_chunk, 1, instrument);
  if (hook != 0)
    sqlite3_bind_int64 (writer->add_chunk, 2, hook);
  for (guint i = 0; i < G_N_ELEMENTS (rest); i++)
    sqlite3_bind_int64 (writer->add_chunk, 3 + (int) i, rest[i]);
  if (!gilk_sql_finish (writer->store, writer->add_chunk, error))
    return FALSE;
  writer->chunk = gilk_sql_last_id (writer->store);
  writer->sum = sum_chunk (writer->chunk, instrument, hook, rest, G_N_ELEMENTS (rest));
  g_byte_array_set_size (writer->groups, 0);
  g_byte_array_set_size (writer->lengths, 0);
  if (hook != 0)      /* chunks that hooks share get no tiles: such chunks are never displayed as a
                       * whole */
    gilk_tiling_make (times, n, writer->groups, writer->lengths);

  return add_integers (writer, GILK_CHUNK_TIMES, times, n, FALSE, error);
}

gboolean
gilk_chunk_add_hooks (GilkChunkWriter *writer,
                      const gint64    *hooks,
                      guint            n,
                      GError         **error)
{
  gilk_column_write (hooks, n, writer->bytes);

  return add_column (writer, GILK_CHUNK_HOOKS, error);
}

gboolean
gilk_chunk_add_integers (GilkChunkWriter *writer,
                         guint            field,
                         guint            type,
                         const gint64    *values,
                         guint            n,
                         GError         **error)
{
  return add_integers (writer, GILK_CHUNK_FIELDS + field, values, n,
                       type == ILK_FIELD_U64 || type == ILK_FIELD_HEX64, error) &&
         (writer->groups->len == 0 || n < GILK_CHUNK_SKETCHED || add_sketch (writer, field, type, values, n, error));
}

gboolean
gilk_chunk_add_texts (GilkChunkWriter   *writer,
                      guint              field,
                      const char *const *texts,
                      const uint8_t     *lengths,
                      guint              n,
                      GError           **error)
{
  gilk_column_write_texts (texts, lengths, n, writer->bytes);

  return add_column (writer, GILK_CHUNK_FIELDS + field, error);
}

gboolean
gilk_chunk_finish (GilkChunkWriter *writer,
                   GError         **error)
{
  gint64 chunk = writer->chunk;

  writer->chunk = 0;

  return chunk == 0 || gilk_sql_run_often (writer->store, &writer->add_checksum, error,
                                           "INSERT INTO chunk_checksum (id, checksum) VALUES (?, ?)", "ii", chunk,
                                           (gint64) writer->sum);
}

void
gilk_chunk_discard (GilkChunkWriter *writer)
{
  writer->chunk = 0;
}

/* ---- divides samples into tiles, and tiles into groups ---- */

G_STATIC_ASSERT (GILK_CHUNK_TILE <= 256 && GILK_CHUNK_TILE * GILK_TILING_GROUP <= G_MAXUINT16);

/* Returns where to divide the samples [@first, @end): the index of the sample after the longest
 * pause; @end if no pause is longer than half of the time that they span. Considers only pauses
 * before a sample in @ends or, if @ends is NULL, all pauses. */
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

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-samples-tiles.c - reads the tiles (summaries of consecutive samples) stored with chunks;
 * reads individual samples in chunks without tiles (shared by hooks), and at the ends of a range
 */
#include "core/samples/gilk-samples-tiles.h"

#include <glib/gi18n.h>
#include <inttypes.h>
#include <string.h>

#include "core/samples/gilk-samples-private.h"
#include "core/store/gilk-store-chunk.h"

#define BATCH       2048

typedef struct {
  GilkSamples            *samples;
  sqlite3_stmt           *stmts[2][2];  /* SQL statements, by level (groups or tiles) and by column
                                         * (times or values) */
  int                     field;    /* index of the field in the instrument; -1: the times are
                                     * viewed */
  guint                   number, type;     /* @number: index of the field in the arrays of a
                                             * GilkSamplePart */
  const GilkSampleViewer *viewer;
  gpointer                data;
  GArray                 *left;     /* (element-type Run): samples of the chunk that are passed to
                                     * the viewer individually */
} Reader;

typedef struct { guint begin, end; } Run;

static void
reader_clear (Reader *reader)
{
  for (guint i = 0; i < 4; i++)
    sqlite3_finalize (reader->stmts[i / 2][i % 2]);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Reader, reader_clear)

enum { TIMES, VALUES };
enum { GROUPS, TILES };
enum { LENGTHS, BOUNDS, LEAST, GREATEST };      /* columns of the SQL statements @stmts */

/* ---- individual samples ---- */

static void
show_samples (Reader *reader, const GilkSamplePart *part, guint begin, guint end)
{
  const gint64 *values = reader->field >= 0 ? part->values[reader->number] : part->t_ns;
  const uint8_t *missing = reader->field >= 0 ? part->missing[reader->number] : NULL;
  gint64 t_ns[BATCH];
  double numbers[BATCH];

  for (guint at = begin; at < end; at += BATCH)
    {
      guint count = MIN (end - at, BATCH), n = 0;

      gilk_sample_numbers (values + at, reader->type, numbers, count);
      if (missing == NULL)
        {
          reader->viewer->samples (part->t_ns + at, numbers, count, reader->data);
          continue;
        }
      for (guint i = 0; i < count; i++)
        {
          t_ns[n] = part->t_ns[at + i];
          numbers[n] = numbers[i];
          n += !missing[at + i];
        }
      if (n > 0)
        reader->viewer->samples (t_ns, numbers, n, reader->data);
    }
}

/* Reads the current chunk and passes the samples in reader->left, or with @all each sample, to the
 * viewer. */
static gboolean
read_part (Reader *reader, gboolean all, GError **error)
{
  GError *local = NULL;
  GilkSamplePart *part = gilk_samples_read_part (reader->samples, &local);

  for (guint i = 0; part != NULL && !all && i < reader->left->len; i++)
    {
      const Run *run = &g_array_index (reader->left, Run, i);

      show_samples (reader, part, MIN (run->begin, part->n), MIN (run->end, part->n));
    }
  if (part != NULL && all)
    show_samples (reader, part, 0, part->n);
  gilk_sample_part_free (reader->samples, part);

  return gilk_check_end (&local, error);
}

/* ---- stored tiles ---- */

typedef struct {
  gint64 id, first_ns, last_ns;
  guint  n;
} ChunkRow;

static gboolean
refuse_damaged (const Reader *reader, const ChunkRow *chunk, GError **error)
{
  return gilk_fail (error, GILK_ERROR_FORMAT,
                    _("%s is damaged: the stored summaries of chunk %" PRId64 " do not match the chunk's samples. "
                      "Use a backup."), gilk_store_path (reader->samples->store),
                    chunk->id);
}

/* Finds the chunk's row of tiles or groups of tiles. Returns FALSE without an error if the row does
 * not exist. */
static gboolean
find_row (Reader *reader, const ChunkRow *chunk, guint size, guint what, GError **error)
{
  guint position = what == VALUES && reader->field >= 0 ? GILK_CHUNK_FIELDS + (guint) reader->field : GILK_CHUNK_TIMES;
  sqlite3_stmt *stmt = reader->stmts[size][what];
  GError *local = NULL;

  sqlite3_reset (stmt);
  sqlite3_bind_int64 (stmt, 1, chunk->id * GILK_CHUNK_COLUMNS + position);
  if (gilk_sql_next (reader->samples->store, stmt, &local))
    return TRUE;
  if (local != NULL)
    g_propagate_error (error, local);

  return FALSE;
}

/* Returns a blob of @n entries of @each bytes. Returns NULL if the cell is not a blob, or if the
 * blob is empty or its size is not a multiple of @each. */
static const uint8_t *
get_blob (sqlite3_stmt *stmt, int column, guint each, guint *n)
{
  const uint8_t *bytes;
  gsize size;

  if (sqlite3_column_type (stmt, column) != SQLITE_BLOB)
    return NULL;
  bytes = sqlite3_column_blob (stmt, column);
  size = (gsize) sqlite3_column_bytes (stmt, column);
  *n = (guint) (size / each);

  return size > 0 && size % each == 0 ? bytes : NULL;
}

/* A chunk's entries of one level: groups of tiles, or tiles. */
typedef struct {
  const uint8_t *sizes;       /* length of each entry: the number of tiles in a group, or of samples
                               * in a tile */
  const uint8_t *bounds[2];   /* minimum and maximum of each entry: [0] of times, [1] of values */
  guint          n;
} Level;

/* Reads a chunk's groups of tiles, or its tiles, from the statements' current rows. Returns FALSE
 * if they are malformed. */
static gboolean
find_level (Reader *reader, guint size, Level *level)
{
  guint n[2];

  level->sizes = get_blob (reader->stmts[size][TIMES], LENGTHS, size == GROUPS ? 2 : 1, &level->n);
  for (guint i = 0; i < 2; i++)
    level->bounds[i] = get_blob (reader->stmts[size][i], BOUNDS, 2 * sizeof (gint64), &n[i]);

  return level->sizes != NULL && level->bounds[0] != NULL && level->bounds[1] != NULL && n[0] == level->n &&
         n[1] == level->n;
}

static void
get_bounds (const Level *level, guint what, guint i, gint64 bounds[2])
{
  memcpy (bounds, level->bounds[what] + i * 2 * sizeof (gint64), 2 * sizeof (gint64));
  bounds[0] = GINT64_FROM_LE (bounds[0]);
  bounds[1] = GINT64_FROM_LE (bounds[1]);
}

/* Passes an entry (a tile, or a group of tiles) to the viewer as a tile. Fails if its times are
 * outside of the chunk's range, on which viewers rely: the file is damaged. */
static gboolean
show_entry (const Reader *reader, const ChunkRow *chunk, const Level *level, guint i, guint n, gboolean *taken)
{
  gint64 times[2], values[2];
  GilkSampleTile tile;

  get_bounds (level, TIMES, i, times);
  get_bounds (level, VALUES, i, values);
  if (times[0] < chunk->first_ns || times[0] > times[1] || times[1] > chunk->last_ns)
    return FALSE;
  tile = (GilkSampleTile) { times[0], times[1], gilk_sample_number (values[0], reader->type),
                            gilk_sample_number (values[1], reader->type), n };
  *taken = reader->viewer->tile (&tile, reader->data);

  return TRUE;
}

static void
add_left (Reader *reader, guint begin, guint end)
{
  const Run run = { begin, end };

  g_array_append_val (reader->left, run);
}

/* Position in the chunk while its tiles are passed to the viewer. */
typedef struct {
  Level level;
  guint tile, at;             /* @tile: index of the next tile; @at: index of the first sample of
                               * that tile */
} Fine;

static gboolean
find_tiles (Reader *reader, const ChunkRow *chunk, Level *level, GError **error)
{
  return find_row (reader, chunk, TILES, TIMES, error) && find_row (reader, chunk, TILES, VALUES, error) &&
         find_level (reader, TILES, level);
}

/* Passes the tiles of one group, which has the samples from @begin to @end, to the viewer. Returns
 * FALSE if the tiles do not match the group, or with @error. */
static gboolean
show_group (Reader *reader, const ChunkRow *chunk, Fine *fine, guint begin, guint end, GError **error)
{
  if (fine->level.sizes == NULL && !find_tiles (reader, chunk, &fine->level, error))
    return FALSE;
  for (; fine->at < begin && fine->tile < fine->level.n; fine->tile++)
    fine->at += gilk_tiling_length (fine->level.sizes, fine->tile);
  if (fine->at != begin)
    return FALSE;
  while (fine->at < end && fine->tile < fine->level.n)
    {
      guint n = gilk_tiling_length (fine->level.sizes, fine->tile);
      gboolean taken;

      if (!show_entry (reader, chunk, &fine->level, fine->tile, n, &taken))
        return FALSE;
      if (!taken)
        add_left (reader, fine->at, fine->at + n);
      fine->at += n;
      fine->tile++;
    }

  return fine->at == end;
}

static gboolean
show_groups (Reader *reader, const ChunkRow *chunk, GError **error)
{
  Fine fine = { { NULL } };
  Level groups;
  guint at = 0;

  if (!find_level (reader, GROUPS, &groups))
    return FALSE;
  for (guint i = 0; i < groups.n; i++)
    {
      guint n = gilk_tiling_group (groups.sizes, i);
      gboolean taken;

      if (n == 0 || n > chunk->n - at || !show_entry (reader, chunk, &groups, i, n, &taken) ||
          (!taken && !show_group (reader, chunk, &fine, at, at + n, error)))
        return FALSE;
      at += n;
    }

  return at == chunk->n;
}

/* Passes the whole chunk to the viewer as one tile. The GROUPS, VALUES statement must be at the
 * chunk's row. */
static gboolean
show_chunk_tile (const Reader *reader, const ChunkRow *chunk)
{
  sqlite3_stmt *stmt = reader->stmts[GROUPS][VALUES];
  const GilkSampleTile tile = {
    chunk->first_ns, chunk->last_ns, gilk_sample_number (sqlite3_column_int64 (stmt, LEAST), reader->type),
    gilk_sample_number (sqlite3_column_int64 (stmt, GREATEST), reader->type), chunk->n,
  };

  return reader->viewer->tile (&tile, reader->data);
}

/* Passes the chunk's tiles to the viewer; reader->left gets the samples of tiles that the viewer
 * refused. Returns FALSE without an error if the chunk lacks tiles. */
static gboolean
show_tiles (Reader *reader, const ChunkRow *chunk, GError **error)
{
  GError *local = NULL;

  g_array_set_size (reader->left, 0);
  if (chunk->first_ns > chunk->last_ns)
    return refuse_damaged (reader, chunk, error);
  if (!find_row (reader, chunk, GROUPS, VALUES, error))
    return FALSE;
  if (show_chunk_tile (reader, chunk))
    return TRUE;
  if (find_row (reader, chunk, GROUPS, TIMES, &local) && show_groups (reader, chunk, &local))
    return TRUE;
  if (local == NULL)
    return refuse_damaged (reader, chunk, error);
  g_propagate_error (error, local);

  return FALSE;
}

/* Passes the chunk at the list's current row to the viewer, as tiles or as samples. */
static gboolean
read_chunk (Reader *reader, GError **error)
{
  GilkSamples *samples = reader->samples;
  gint64 hook, cpu;
  GError *local = NULL;
  ChunkRow chunk;

  if (!gilk_sql_row (samples->store, samples->list, error, "iiiinu", &chunk.first_ns, &chunk.last_ns,
                     &chunk.id, &hook, &cpu, &chunk.n))
    return FALSE;
  if (hook == 0 || chunk.first_ns < samples->from_ns || chunk.last_ns >= samples->to_ns ||
      chunk.n == 0 || chunk.n > GILK_CHUNK_SAMPLES_MAX || chunk.id < 0 ||
      chunk.id > G_MAXINT64 / GILK_CHUNK_COLUMNS - 1)
    return read_part (reader, TRUE, error);
  if (show_tiles (reader, &chunk, &local))
    return reader->left->len > 0 ? read_part (reader, FALSE, error) : gilk_samples_step (samples, error);

  return gilk_check_end (&local, error) && read_part (reader, TRUE, error);
}

static gboolean
request_field (Reader *reader, const GilkStoredHook *hook, const char *field, GError **error)
{
  reader->field = -1;
  reader->type = ILK_FIELD_S64;
  if (strcmp (field, "time") == 0)
    return TRUE;
  if (!gilk_samples_add_field (reader->samples, field, &reader->number, &reader->type, error))
    return FALSE;
  reader->field = (int) g_array_index (reader->samples->wanted, guint, reader->number);
  if (reader->type == ILK_FIELD_TEXT)
    return gilk_fail (error, GILK_ERROR_USAGE,
        _("The field “%s” of %s is a string, which has no histogram or series. Group the samples "
          "by it instead."), field, hook->label);

  return TRUE;
}

static gboolean
read_chunks (Reader *reader, GError **error)
{
  GilkSamples *samples = reader->samples;

  if (!gilk_samples_begin (samples, error))
    return FALSE;
  while (samples->has_next)
    if (!read_chunk (reader, error))
      return FALSE;

  return TRUE;
}

gboolean
gilk_samples_view (GilkStore              *store,
                   const GilkStoredHook   *hook,
                   const char             *field,
                   gint64                  from_ns,
                   gint64                  to_ns,
                   const GilkSampleViewer *viewer,
                   gpointer                data,
                   GError                **error)
{
  static const char *const sql[] = { "SELECT lengths, bounds, min_value, max_value FROM chunk_groups WHERE id = ?",
                                     "SELECT lengths, bounds FROM chunk_tiles WHERE id = ?" };
  g_autoptr(GilkSamples) samples = gilk_samples_new (store, hook, 1, error);
  g_autoptr(GArray) left = g_array_new (FALSE, FALSE, sizeof (Run));
  g_auto(Reader) reader = { .samples = samples, .viewer = viewer, .data = data, .left = left };

  if (samples == NULL || !request_field (&reader, hook, field, error))
    return FALSE;
  gilk_samples_set_range (samples, from_ns, to_ns);
  samples->bare = samples->timed = TRUE;
  for (guint i = 0; i < 4; i++)
    {
      reader.stmts[i / 2][i % 2] = gilk_sql_prepare (store, error, sql[i / 2], "");
      if (reader.stmts[i / 2][i % 2] == NULL)
        return FALSE;
    }

  return read_chunks (&reader, error);
}

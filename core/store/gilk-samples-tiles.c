/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-samples-tiles.c - tiles as they are kept with chunks, or samples where there are none: in
 * chunks of several hooks, at the ends of a range, in tables of older sessions
 */
#include "core/store/gilk-samples-tiles.h"

#include <string.h>

#include "core/store/gilk-samples-private.h"

#define BATCH 2048

typedef struct {
  GilkSamples            *samples;
  sqlite3_stmt           *stmt;     /* tiles of a column */
  int                     field;    /* position; -1: times */
  guint                   number, type;     /* in blocks */
  const GilkSampleViewer *viewer;
  gpointer                data;
  gint64                 *pairs[2]; /* of times and values, as they are kept */
  GilkSampleTile         *tiles;
} Look;

static void
look_clear (Look *look)
{
  g_free (look->pairs[0]);
  g_free (look->pairs[1]);
  g_free (look->tiles);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Look, look_clear)

/* ---- as they came ---- */

static void
show_samples (Look *look, const GilkSamplePart *part)
{
  const gint64 *values = look->field >= 0 ? part->values[look->number] : part->t_ns;
  const uint8_t *missing = look->field >= 0 ? part->missing[look->number] : NULL;
  gint64 t_ns[BATCH];
  double numbers[BATCH];

  for (guint at = 0; at < part->n; at += BATCH)
    {
      guint count = MIN (part->n - at, BATCH), n = 0;

      gilk_sample_numbers (values + at, look->type, numbers, count);
      if (missing == NULL)
        {
          look->viewer->samples (part->t_ns + at, numbers, count, look->data);
          continue;
        }
      for (guint i = 0; i < count; i++)
        {
          t_ns[n] = part->t_ns[at + i];
          numbers[n] = numbers[i];
          n += !missing[at + i];
        }
      if (n > 0)
        look->viewer->samples (t_ns, numbers, n, look->data);
    }
}

static gboolean
read_part (Look *look, GError **error)
{
  GError *local = NULL;
  GilkSamplePart *part = gilk_samples_read_part (look->samples, &local);

  if (part != NULL)
    show_samples (look, part);
  gilk_sample_part_free (look->samples, part);

  return gilk_sql_ended (&local, error);
}

/* ---- as they are kept ---- */

typedef struct {
  gint64 id, first_ns, last_ns;
  guint  n;
} Seen;

static gboolean
damaged (const Look *look, const Seen *chunk, GError **error)
{
  return gilk_store_refuse (error, GILK_ERROR_FORMAT, "%s is damaged: the tiles of its chunk %"
                            G_GINT64_FORMAT " are not those of its samples. Use a copy of it.",
                            look->samples->store->path, chunk->id);
}

/* FALSE without an error: the column has none. The statement stands at them: least, greatest, all. */
static gboolean
find_tiles (Look *look, const Seen *chunk, int field, GError **error)
{
  guint position = field >= 0 ? GILK_CHUNK_FIELDS + (guint) field : GILK_CHUNK_TIMES;
  GError *local = NULL;

  sqlite3_reset (look->stmt);
  sqlite3_bind_int64 (look->stmt, 1, chunk->id * GILK_CHUNK_COLUMNS + position);
  if (gilk_sql_next (look->samples->store, look->stmt, &local))
    return TRUE;
  if (local != NULL)
    g_propagate_error (error, local);

  return FALSE;
}

static gboolean
read_pairs (Look *look, const Seen *chunk, guint n, gint64 *pairs, GError **error)
{
  if (sqlite3_column_type (look->stmt, 2) != SQLITE_BLOB ||
      (gsize) sqlite3_column_bytes (look->stmt, 2) != n * 2 * sizeof *pairs)
    return damaged (look, chunk, error);
  memcpy (pairs, sqlite3_column_blob (look->stmt, 2), n * 2 * sizeof *pairs);
  for (guint i = 0; i < 2 * n; i++)
    pairs[i] = GINT64_FROM_LE (pairs[i]);

  return TRUE;
}

/* Viewers reckon with times: these are of the chunk's. */
static gboolean
check_times (const Look *look, const Seen *chunk, guint n, GError **error)
{
  const gint64 *times = look->pairs[0];

  for (guint i = 0; i < n; i++)
    if (times[2 * i] < chunk->first_ns || times[2 * i] > times[2 * i + 1] ||
        times[2 * i + 1] > chunk->last_ns)
      return damaged (look, chunk, error);

  return TRUE;
}

/* All of the chunk as one tile. The statement stands at the values' tiles. */
static gboolean
show_whole (const Look *look, const Seen *chunk)
{
  const GilkSampleTile tile = {
    chunk->first_ns, chunk->last_ns, gilk_sample_number (sqlite3_column_int64 (look->stmt, 0), look->type),
    gilk_sample_number (sqlite3_column_int64 (look->stmt, 1), look->type), chunk->n,
  };

  return look->viewer->tiles (&tile, 1, look->data);
}

/* FALSE without an error: there are none, or they are not wanted. */
static gboolean
show_tiles (Look *look, const Seen *chunk, GError **error)
{
  guint n = (chunk->n + GILK_CHUNK_TILE - 1) / GILK_CHUNK_TILE;
  const gint64 *times = look->pairs[0], *values = look->pairs[1];

  if (chunk->first_ns > chunk->last_ns)
    return damaged (look, chunk, error);
  if (!find_tiles (look, chunk, look->field, error))
    return FALSE;
  if (show_whole (look, chunk))
    return TRUE;
  if (!read_pairs (look, chunk, n, look->pairs[1], error) ||
      !find_tiles (look, chunk, -1, error) || !read_pairs (look, chunk, n, look->pairs[0], error) ||
      !check_times (look, chunk, n, error))
    return FALSE;
  for (guint i = 0; i < n; i++)
    look->tiles[i] = (GilkSampleTile) {
      times[2 * i], times[2 * i + 1], gilk_sample_number (values[2 * i], look->type),
      gilk_sample_number (values[2 * i + 1], look->type),
      MIN (chunk->n - i * GILK_CHUNK_TILE, GILK_CHUNK_TILE),
    };

  return look->viewer->tiles (look->tiles, n, look->data);
}

/* The chunk that the list stands at. */
static gboolean
look_at_chunk (Look *look, GError **error)
{
  GilkSamples *samples = look->samples;
  gint64 hook, cpu;
  GError *local = NULL;
  Seen chunk;

  if (!gilk_sql_row (samples->store, samples->list, error, "iiiinu", &chunk.first_ns, &chunk.last_ns,
                     &chunk.id, &hook, &cpu, &chunk.n))
    return FALSE;
  if (hook == 0 || chunk.first_ns < samples->from_ns || chunk.last_ns >= samples->to_ns ||
      chunk.n == 0 || chunk.n > GILK_CHUNK_SAMPLES_MAX || chunk.id < 0 ||
      chunk.id > G_MAXINT64 / GILK_CHUNK_COLUMNS - 1)
    return read_part (look, error);
  if (show_tiles (look, &chunk, &local))
    return gilk_samples_step (samples, TRUE, error);

  return gilk_sql_ended (&local, error) && read_part (look, error);
}

static gboolean
ask_for_field (Look *look, const GilkStoredHook *hook, const char *field, GError **error)
{
  look->field = -1;
  look->type = ILK_FIELD_S64;
  if (strcmp (field, "time") == 0)
    return TRUE;
  if (!gilk_samples_add_field (look->samples, field, &look->number, &look->type, error))
    return FALSE;
  look->field = (int) g_array_index (look->samples->wanted, guint, look->number);
  if (look->type == ILK_FIELD_TEXT)
    return gilk_store_refuse (error, GILK_ERROR_USAGE, "The field “%s” of %s is text, which has no "
                              "histogram or series. Group the samples by it instead.", field,
                              hook->label);

  return TRUE;
}

static gboolean
look_at_all (Look *look, GError **error)
{
  GilkSamples *samples = look->samples;
  guint most = GILK_CHUNK_SAMPLES_MAX / GILK_CHUNK_TILE;

  if (!gilk_samples_begin (samples, error))
    return FALSE;
  look->pairs[0] = g_new (gint64, 2 * most);
  look->pairs[1] = g_new (gint64, 2 * most);
  look->tiles = g_new (GilkSampleTile, most);
  while (samples->has_next)
    if (samples->table != NULL ? !read_part (look, error) : !look_at_chunk (look, error))
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
  g_autoptr(GilkSamples) samples = gilk_samples_new (store, hook, 1, error);
  GILK_AUTO_STMT stmt = NULL;
  g_auto(Look) look = { .samples = samples, .viewer = viewer, .data = data };

  if (samples == NULL || !ask_for_field (&look, hook, field, error))
    return FALSE;
  gilk_samples_set_range (samples, from_ns, to_ns);
  samples->bare = samples->timed = TRUE;
  if (samples->table == NULL)
    {
      look.stmt = stmt = gilk_sql_prepare (store, error, "SELECT least, greatest, tiles FROM chunk_tiles WHERE id = ?", "");
      if (stmt == NULL)
        return FALSE;
    }

  return look_at_all (&look, error);
}

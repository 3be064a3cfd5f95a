/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-samples-sketch.c - adds up the sketches (compact distributions of values) stored with
 * chunks; where sketches are missing, reads samples instead
 *
 * Sketches are untrusted: a sketch must count exactly the samples of its chunk, in valid cells,
 * with sums that these cells allow; otherwise the file is reported as damaged. Only
 * gilk_store_verify() checks that a sketch matches its samples.
 */
#include "core/samples/gilk-samples-tiles.h"

#include <glib/gi18n.h>

#include "core/samples/gilk-samples-private.h"

#define BATCH         1024

typedef struct {
  GilkSamples  *samples;
  const GilkStoredHook *hook;
  sqlite3_stmt *find;
  guint         number, type, position;   /* @number: index of the field in a part's arrays;
                                           * @position: column of the field in a chunk */
  uint64_t      left;             /* number of samples that may still be read individually */
  GilkSketch   *sketch;
} Reader;

static void
reader_clear (Reader *reader)
{
  sqlite3_finalize (reader->find);
  gilk_sketch_free (reader->sketch);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Reader, reader_clear)

static gboolean
refuse_damaged (const Reader *reader, GError **error)
{
  return gilk_fail (error, GILK_ERROR_FORMAT,
                    _("%s is damaged: the stored histograms of hook %s do not match the hook's samples. Use a "
                      "backup."), gilk_store_path (reader->samples->store),
                    reader->hook->label);
}

static void
add_part (Reader *reader, const GilkSamplePart *part)
{
  const gint64 *values = part->values[reader->number];
  double numbers[BATCH];

  if (part->missing[reader->number] != NULL)    /* this array exists only if all samples of the part
                                                 * lack the field */
    {
      reader->sketch->ignored += part->n;
      return;
    }
  for (guint at = 0; at < part->n; at += BATCH)
    {
      guint n = MIN (part->n - at, BATCH);

      gilk_sample_numbers (values + at, reader->type, numbers, n);
      gilk_sketch_add (reader->sketch, numbers, n);
    }
}

/* Adds the individual samples of the current chunk to the sketch. Returns FALSE without an error if
 * more samples would be read than permitted. */
static gboolean
read_part (Reader *reader, guint n, GError **error)
{
  GError *local = NULL;
  GilkSamplePart *part;

  if (n > reader->left)
    return FALSE;
  reader->left -= n;
  part = gilk_samples_read_part (reader->samples, &local);
  if (part != NULL)
    add_part (reader, part);
  gilk_sample_part_free (reader->samples, part);

  return gilk_check_end (&local, error);
}

/* Adds the stored sketch (a compact distribution) of a chunk to reader->sketch. Returns FALSE
 * without an error if the chunk lacks a sketch. */
static gboolean
add_sketch (Reader *reader, gint64 chunk, guint n, GError **error)
{
  GilkStore *store = reader->samples->store;
  GError *local = NULL;

  sqlite3_reset (reader->find);
  sqlite3_bind_int64 (reader->find, 1, chunk * GILK_CHUNK_COLUMNS + reader->position);
  if (!gilk_sql_next (store, reader->find, &local))
    {
      if (local != NULL)
        g_propagate_error (error, local);
      return FALSE;
    }

  return (sqlite3_column_type (reader->find, 0) == SQLITE_BLOB &&
          gilk_sketch_read (reader->sketch, sqlite3_column_blob (reader->find, 0),
                            (gsize) sqlite3_column_bytes (reader->find, 0), n)) || refuse_damaged (reader, error);
}

/* Adds the distribution of values in the chunk at the list's current row. */
static gboolean
read_chunk (Reader *reader, GError **error)
{
  GilkSamples *samples = reader->samples;
  gint64 first_ns, last_ns, id, hook, cpu;
  GError *local = NULL;
  guint n;

  if (!gilk_sql_row (samples->store, samples->list, error, "iiiiiu", &first_ns, &last_ns, &id, &hook, &cpu, &n))
    return FALSE;
  if (hook == 0 || first_ns < samples->from_ns || last_ns >= samples->to_ns || n < GILK_CHUNK_SKETCHED || id < 0 ||
      id > G_MAXINT64 / GILK_CHUNK_COLUMNS - 1)
    return read_part (reader, n, error);
  if (add_sketch (reader, id, n, &local))
    return gilk_samples_step (samples, error);

  return gilk_check_end (&local, error) && read_part (reader, n, error);
}

GilkSketch *
gilk_samples_sketch (GilkStore            *store,
                     const GilkStoredHook *hook,
                     const char           *field,
                     gint64                from_ns,
                     gint64                to_ns,
                     uint64_t              most,
                     GError              **error)
{
  g_autoptr(GilkSamples) samples = NULL;
  g_auto(Reader) reader = { .hook = hook, .left = most };

  samples = gilk_samples_new (store, hook, 1, error);
  if (samples == NULL || !gilk_samples_add_field (samples, field, &reader.number, &reader.type, error) ||
      reader.type == ILK_FIELD_TEXT)
    return NULL;
  reader.samples = samples;
  reader.sketch = gilk_sketch_new ();
  reader.position = GILK_CHUNK_FIELDS + g_array_index (samples->wanted, guint, reader.number);
  reader.find = gilk_sql_prepare (store, error, "SELECT data FROM chunk_sketch WHERE id = ?", "");
  gilk_samples_set_range (samples, from_ns, to_ns);
  gilk_samples_values_only (samples);
  if (reader.find == NULL || !gilk_samples_begin (samples, error))
    return NULL;
  while (samples->has_next)
    if (!read_chunk (&reader, error))
      return NULL;
  if (!gilk_sketch_sound (reader.sketch))
    {
      refuse_damaged (&reader, error);
      return NULL;
    }

  return g_steal_pointer (&reader.sketch);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-samples-sketch.c - adds up the sketches stored with chunks; reads samples where there are
 * none
 *
 * Sketches are not trusted: a sketch must count exactly the samples of its chunk, in valid cells,
 * with sums that those allow; otherwise the file is reported as damaged. Only gilk_store_verify()
 * checks that it describes these very samples.
 */
#include "core/samples/gilk-samples-sketch.h"

#include <glib/gi18n.h>

#include "core/samples/gilk-samples-private.h"

#define BATCH         1024

typedef struct {
  GilkSamples  *samples;
  const GilkStoredHook *hook;
  sqlite3_stmt *find;
  guint         number, type, position;   /* of the field: in blocks, among columns */
  uint64_t      left;             /* how many samples may still be read individually */
  GilkSketch   *sketch;
} Look;

static void
look_clear (Look *look)
{
  sqlite3_finalize (look->find);
  gilk_sketch_free (look->sketch);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Look, look_clear)

static gboolean
damaged (const Look *look, GError **error)
{
  return gilk_store_refuse (error, GILK_ERROR_FORMAT, _("%s is damaged: the sketches of hook %s do not match its "
                                                        "samples. Use a copy of it."),
                            look->samples->store->path, look->hook->label);
}

static void
add_part (Look *look, const GilkSamplePart *part)
{
  const gint64 *values = part->values[look->number];
  double numbers[BATCH];

  if (part->missing[look->number] != NULL)    /* the same for all samples of a part */
    {
      look->sketch->ignored += part->n;
      return;
    }
  for (guint at = 0; at < part->n; at += BATCH)
    {
      guint n = MIN (part->n - at, BATCH);

      gilk_sample_numbers (values + at, look->type, numbers, n);
      gilk_sketch_add (look->sketch, numbers, n);
    }
}

/* Adds the samples of the current chunk. FALSE without an error: there are too many. */
static gboolean
read_part (Look *look, guint n, GError **error)
{
  GError *local = NULL;
  GilkSamplePart *part;

  if (n > look->left)
    return FALSE;
  look->left -= n;
  part = gilk_samples_read_part (look->samples, &local);
  if (part != NULL)
    add_part (look, part);
  gilk_sample_part_free (look->samples, part);

  return gilk_sql_ended (&local, error);
}

/* Adds the sketch of a chunk. FALSE without an error: the chunk has none. */
static gboolean
add_sketch (Look *look, gint64 chunk, guint n, GError **error)
{
  GilkStore *store = look->samples->store;
  GError *local = NULL;

  sqlite3_reset (look->find);
  sqlite3_bind_int64 (look->find, 1, chunk * GILK_CHUNK_COLUMNS + look->position);
  if (!gilk_sql_next (store, look->find, &local))
    {
      if (local != NULL)
        g_propagate_error (error, local);
      return FALSE;
    }

  return (sqlite3_column_type (look->find, 0) == SQLITE_BLOB &&
          gilk_sketch_read (look->sketch, sqlite3_column_blob (look->find, 0),
                            (gsize) sqlite3_column_bytes (look->find, 0), n)) || damaged (look, error);
}

/* Adds the chunk at the list's current row. */
static gboolean
look_at_chunk (Look *look, GError **error)
{
  GilkSamples *samples = look->samples;
  gint64 first_ns, last_ns, id, hook, cpu;
  GError *local = NULL;
  guint n;

  if (!gilk_sql_row (samples->store, samples->list, error, "iiiiiu", &first_ns, &last_ns, &id, &hook, &cpu, &n))
    return FALSE;
  if (hook == 0 || first_ns < samples->from_ns || last_ns >= samples->to_ns || n < GILK_CHUNK_SKETCHED || id < 0 ||
      id > G_MAXINT64 / GILK_CHUNK_COLUMNS - 1)
    return read_part (look, n, error);
  if (add_sketch (look, id, n, &local))
    return gilk_samples_step (samples, TRUE, error);

  return gilk_sql_ended (&local, error) && read_part (look, n, error);
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
  g_auto(Look) look = { .hook = hook, .left = most };

  samples = gilk_samples_new (store, hook, 1, error);
  if (samples == NULL || !gilk_samples_add_field (samples, field, &look.number, &look.type, error) ||
      look.type == ILK_FIELD_TEXT)
    return NULL;
  look.samples = samples;
  look.sketch = gilk_sketch_new ();
  look.position = GILK_CHUNK_FIELDS + g_array_index (samples->wanted, guint, look.number);
  look.find = gilk_sql_prepare (store, error, "SELECT data FROM chunk_sketch WHERE id = ?", "");
  gilk_samples_set_range (samples, from_ns, to_ns);
  gilk_samples_values_only (samples);
  if (look.find == NULL || !gilk_samples_begin (samples, error))
    return NULL;
  while (samples->has_next)
    if (!look_at_chunk (&look, error))
      return NULL;
  if (!gilk_sketch_sound (look.sketch))
    {
      damaged (&look, error);
      return NULL;
    }

  return g_steal_pointer (&look.sketch);
}

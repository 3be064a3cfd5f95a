/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-store-chunks.c - converts the rings' records to chunks
 *
 *   1. the records of a CPU are copied unchanged, and each record is checked
 *   2. when the transaction ends or many records are pending, they are grouped into chunks: a chunk
 *      has the records of one hook, or of several hooks with few records
 *   3. each chunk is split by column into rows of the tables chunk and chunk_column
 *
 * A gap among the records ends the current chunks; the chunks after it store the number of lost
 * samples.
 *
 * Records are grouped by hook and otherwise keep their order. All records of a chunk have the same
 * length, so that all of them have a field or none has it.
 */
#include "core/store/gilk-store-recorder.h"

#include <glib/gi18n.h>
#include <string.h>

#define PENDING_BYTES (2 << 20)   /* pending records of a CPU are written once they exceed this size
                                   * in bytes */
#define OWN_SAMPLES   256         /* a hook with fewer samples than this shares a chunk with other
                                   * hooks */

G_STATIC_ASSERT ((PENDING_BYTES + GILK_CHUNKS_ONCE_BYTES) / ILK_CELL <= GILK_CHUNK_SAMPLES_MAX);

typedef struct {
  GilkStoreInstrument *instrument;
  const GilkStoreSlot *slot;      /* the chunk's hook; NULL: several hooks share the chunk */
  guint                len, n, first;   /* @first: index of the chunk's first record; records are
                                         * sorted by chunk */
} Chunk;

/* A gap: samples that a CPU lost after the records received so far. */
typedef struct {
  gboolean open;                  /* no record after the gap has arrived yet */
  gint64   from_ns, to_ns;
  uint64_t lost;
  uint64_t lost_before;           /* number of lost samples, to be stored with the CPU's next
                                   * chunks */
} Gap;

struct _GilkChunks {
  guint         n_cpus;
  Gap          *gaps;             /* the gap of each CPU, indexed by CPU */
  GByteArray  **cells;            /* indexed by CPU: pending records, which may also be of other
                                   * runs */

  /* Buffers for the CPU whose records are being written; reused because they are large. */
  GArray       *chunks;           /* Chunk */
  GPtrArray    *slots;            /* (element-type GilkStoreSlot): the hooks that have records */
  GArray       *records;          /* (element-type const struct ilk_record *): the CPU's pending
                                   * records, sorted by chunk */
  GArray       *values;           /* gint64 */
};

/* ---- records ---- */

/* Returns the record at @at with its @size in bytes; NULL if the record extends beyond @end. */
static const struct ilk_record *
get_record (const uint8_t *at, const uint8_t *end, gsize *size)
{
  const struct ilk_record *record = (const struct ilk_record *) at;

  if ((gsize) (end - at) < sizeof *record || record->len > ILK_SAMPLE_MAX)
    return NULL;
  *size = (gsize) ILK_RECORD_CELLS (record->len) * ILK_CELL;

  return *size <= (gsize) (end - at) ? record : NULL;
}

/* Returns the recorder's entry of the record's hook if that hook is in the current run and takes
 * samples; else NULL. */
static GilkStoreSlot *
find_slot (GilkStoreRecorder *recorder, const struct ilk_record *record)
{
  GilkStoreSlot *slot = gilk_store_recorder_find_slot (recorder, record->iid);

  return slot != NULL && slot->instrument != NULL && slot->instrument->samples ? slot : NULL;
}

/* ---- grouping by hook ---- */

/* Counts each hook's records, and finds out whether all of them have the same length. */
static void
count_by_hook (GilkStoreRecorder *recorder, const GByteArray *cells)
{
  const uint8_t *end = cells->data + cells->len;
  gsize size;

  g_ptr_array_set_size (recorder->chunks->slots, 0);
  for (const uint8_t *at = cells->data; at < end; at += size)
    {
      const struct ilk_record *record = get_record (at, end, &size);
      GilkStoreSlot *slot = find_slot (recorder, record);

      if (slot == NULL)
        continue;
      if (slot->here++ == 0)
        {
          slot->len = record->len;
          slot->even = TRUE;
          g_ptr_array_add (recorder->chunks->slots, slot);
        }
      slot->even &= slot->len == record->len;
    }
}

static guint
add_chunk (GilkChunks *chunks, GilkStoreInstrument *instrument, const GilkStoreSlot *slot, guint len)
{
  const Chunk chunk = { .instrument = instrument, .slot = slot, .len = len };

  g_array_append_val (chunks->chunks, chunk);

  return chunks->chunks->len - 1;
}

/* Returns the index of the chunk that hooks of the instrument share for records of length @len;
 * adds the chunk if necessary. */
static guint
ensure_shared_chunk (GilkChunks *chunks, GilkStoreInstrument *instrument, guint len)
{
  for (guint i = 0; i < chunks->chunks->len; i++)
    {
      const Chunk *chunk = &g_array_index (chunks->chunks, Chunk, i);

      if (chunk->slot == NULL && chunk->instrument == instrument && chunk->len == len)
        return i;
    }

  return add_chunk (chunks, instrument, NULL, len);
}

/* Chooses the chunk of each hook. Adds the chunks that hooks share first: they are few, so a linear
 * search finds them quickly. */
static void
choose_chunks (GilkChunks *chunks)
{
  g_array_set_size (chunks->chunks, 0);
  for (guint i = 0; i < chunks->slots->len; i++)
    {
      GilkStoreSlot *slot = g_ptr_array_index (chunks->slots, i);

      slot->own = slot->even && slot->here >= OWN_SAMPLES;
      if (!slot->own && slot->even)
        slot->chunk = ensure_shared_chunk (chunks, slot->instrument, slot->len);
    }
  for (guint i = 0; i < chunks->slots->len; i++)
    {
      GilkStoreSlot *slot = g_ptr_array_index (chunks->slots, i);

      if (slot->own)
        slot->chunk = add_chunk (chunks, slot->instrument, slot, slot->len);
      slot->here = 0;
    }
}

/* Returns the chunk that a record belongs to. The result is valid until a chunk is added. */
static Chunk *
get_chunk (GilkChunks *chunks, const GilkStoreSlot *slot, const struct ilk_record *record)
{
  guint i = slot->even ? slot->chunk : ensure_shared_chunk (chunks, slot->instrument, record->len);

  return &g_array_index (chunks->chunks, Chunk, i);
}

static void
sort_by_chunk (GilkStoreRecorder *recorder, const GByteArray *cells)
{
  GilkChunks *chunks = recorder->chunks;
  const uint8_t *end = cells->data + cells->len;
  guint first = 0;
  gsize size;

  for (const uint8_t *at = cells->data; at < end; at += size)
    {
      const struct ilk_record *record = get_record (at, end, &size);
      const GilkStoreSlot *slot = find_slot (recorder, record);

      if (slot != NULL)
        get_chunk (chunks, slot, record)->n++;
    }
  for (guint i = 0; i < chunks->chunks->len; i++)
    {
      Chunk *chunk = &g_array_index (chunks->chunks, Chunk, i);

      chunk->first = first;
      first += chunk->n;
      chunk->n = 0;
    }
  g_array_set_size (chunks->records, first);
  for (const uint8_t *at = cells->data; at < end; at += size)
    {
      const struct ilk_record *record = get_record (at, end, &size);
      const GilkStoreSlot *slot = find_slot (recorder, record);

      if (slot != NULL)
        {
          Chunk *chunk = get_chunk (chunks, slot, record);

          g_array_index (chunks->records, const struct ilk_record *, chunk->first + chunk->n++) =
            record;
        }
    }
}

/* ---- splitting by column ---- */

static gint64
read_field_value (const struct ilk_record *record, const struct ilk_field *field)
{
  const uint8_t *at = record->data + field->offset;
  uint32_t u32;
  gint64 s64;

  switch (field->type)
    {
    case ILK_FIELD_U32:
      memcpy (&u32, at, sizeof u32);
      return u32;
    case ILK_FIELD_S32:
      memcpy (&u32, at, sizeof u32);
      return (gint32) u32;
    default:
      memcpy (&s64, at, sizeof s64);
      return s64;
    }
}

static gboolean
write_texts (GilkStoreRecorder *recorder, const Chunk *chunk, guint f, GError **error)
{
  const struct ilk_record *const *records =
    &g_array_index (recorder->chunks->records, const struct ilk_record *, chunk->first);
  const struct ilk_field *field = &chunk->instrument->fields[f];
  g_autofree const char **texts = g_new (const char *, chunk->n);
  g_autofree uint8_t *lengths = g_new (uint8_t, chunk->n);

  for (guint i = 0; i < chunk->n; i++)
    {
      texts[i] = (const char *) records[i]->data + field->offset;
      lengths[i] = (uint8_t) strnlen (texts[i], field->size);
    }

  return gilk_chunk_add_texts (recorder->writer, f, texts, lengths, chunk->n, error);
}

static gboolean
write_numbers (GilkStoreRecorder *recorder, const Chunk *chunk, guint f, GError **error)
{
  const struct ilk_record *const *records =
    &g_array_index (recorder->chunks->records, const struct ilk_record *, chunk->first);
  gint64 *values = (gint64 *) (void *) recorder->chunks->values->data;

  for (guint i = 0; i < chunk->n; i++)
    values[i] = read_field_value (records[i], &chunk->instrument->fields[f]);

  return gilk_chunk_add_integers (recorder->writer, f, chunk->instrument->fields[f].type, values, chunk->n, error);
}

static gboolean
write_fields (GilkStoreRecorder *recorder, const Chunk *chunk, GError **error)
{
  for (guint f = 0; f < chunk->instrument->n_fields; f++)
    {
      const struct ilk_field *field = &chunk->instrument->fields[f];

      if ((guint) field->offset + field->size <= chunk->len &&
          !(field->type == ILK_FIELD_TEXT ? write_texts (recorder, chunk, f, error)
                                          : write_numbers (recorder, chunk, f, error)))
        return FALSE;
    }

  return TRUE;
}

static gboolean
write_hooks (GilkStoreRecorder *recorder, const Chunk *chunk, GError **error)
{
  const struct ilk_record *const *records =
    &g_array_index (recorder->chunks->records, const struct ilk_record *, chunk->first);
  gint64 *values = (gint64 *) (void *) recorder->chunks->values->data;

  if (chunk->slot != NULL)
    return TRUE;
  for (guint i = 0; i < chunk->n; i++)
    values[i] = find_slot (recorder, records[i])->id;

  return gilk_chunk_add_hooks (recorder->writer, values, chunk->n, error);
}

static gboolean
write_chunk (GilkStoreRecorder *recorder, const Chunk *chunk, guint cpu, GError **error)
{
  const struct ilk_record *const *records =
    &g_array_index (recorder->chunks->records, const struct ilk_record *, chunk->first);
  const GilkClock *clock = &recorder->clocks[cpu];
  gint64 *times;

  g_array_set_size (recorder->chunks->values, chunk->n);
  times = (gint64 *) (void *) recorder->chunks->values->data;
  for (guint i = 0; i < chunk->n; i++)
    times[i] = gilk_clock_ns (clock, records[i]->tsc);

  return gilk_chunk_begin (recorder->writer, chunk->instrument->id, chunk->slot != NULL ? chunk->slot->id : 0, cpu,
                           times, chunk->n, recorder->chunks->gaps[cpu].lost_before, error) &&
         write_hooks (recorder, chunk, error) && write_fields (recorder, chunk, error);
}

static gboolean
write_cpu (GilkStoreRecorder *recorder, guint cpu, GError **error)
{
  GilkChunks *chunks = recorder->chunks;
  GByteArray *cells = chunks->cells[cpu];

  if (cells->len == 0)
    return TRUE;
  count_by_hook (recorder, cells);
  choose_chunks (chunks);
  sort_by_chunk (recorder, cells);
  for (guint i = 0; i < chunks->chunks->len; i++)
    if (g_array_index (chunks->chunks, Chunk, i).n > 0 &&
        !write_chunk (recorder, &g_array_index (chunks->chunks, Chunk, i), cpu, error))
      return FALSE;
  /* If no record belongs to the current run, keep the number of lost samples, to store it with the
   * next chunk. */
  if (chunks->chunks->len > 0)
    chunks->gaps[cpu].lost_before = 0;
  g_byte_array_set_size (cells, 0);

  return TRUE;
}

/* ---- gaps ---- */

static gboolean
end_gap (GilkStoreRecorder *recorder, guint cpu, gint64 to_ns, GError **error)
{
  Gap *gap = &recorder->chunks->gaps[cpu];

  if (!gap->open)
    return TRUE;
  gap->open = FALSE;

  return gilk_sql_run (recorder->store, error, "INSERT INTO gap (run, cpu, from_ns, to_ns, lost) "
                       "VALUES (?, ?, ?, ?, ?)", "iiiii", recorder->run, (gint64) cpu, gap->from_ns,
                       MAX (MIN (to_ns, gap->to_ns), gap->from_ns),
                       (gint64) MIN (gap->lost, G_MAXINT64));
}

/* Processes the gap @record (ILK_IID_GAP), after writing the records in front of it. */
static gboolean
begin_gap (GilkStoreRecorder *recorder, guint cpu, const struct ilk_record *record, GError **error)
{
  Gap *gap = &recorder->chunks->gaps[cpu];
  struct ilk_lost lost;

  memcpy (&lost, (const uint8_t *) record + G_STRUCT_OFFSET (struct ilk_record, data), sizeof lost);
  if (!end_gap (recorder, cpu, G_MAXINT64, error) || !write_cpu (recorder, cpu, error))
    return FALSE;
  gap->open = TRUE;
  gap->lost = lost.lost;
  gap->lost_before += MIN (lost.lost, G_MAXINT64 - MIN (gap->lost_before, G_MAXINT64));
  gap->from_ns = lost.since != 0 ? MAX (gilk_clock_ns (&recorder->clocks[cpu], lost.since), 0) : 0;
  gap->to_ns = gilk_clock_ns (&recorder->clocks[cpu], record->tsc);

  return TRUE;
}

/* Processes a range of whole records, among which there may be gaps. */
static gboolean
add_records_with_gaps (GilkStoreRecorder *recorder, guint cpu, const uint8_t *at, const uint8_t *end, GError **error)
{
  gsize size;

  for (; at < end; at += size)
    {
      const struct ilk_record *record = get_record (at, end, &size);

      if (record->iid == ILK_IID_GAP && record->len == sizeof (struct ilk_lost))
        {
          if (!begin_gap (recorder, cpu, record, error))
            return FALSE;
          continue;
        }
      if (!end_gap (recorder, cpu, gilk_clock_ns (&recorder->clocks[cpu], record->tsc), error))
        return FALSE;
      g_byte_array_append (recorder->chunks->cells[cpu], at, (guint) size);
    }

  return TRUE;
}

/* ---- public ---- */

GilkChunks *
gilk_chunks_new (guint n_cpus)
{
  GilkChunks *chunks = g_new0 (GilkChunks, 1);

  chunks->n_cpus = n_cpus;
  chunks->gaps = g_new0 (Gap, n_cpus);
  chunks->cells = g_new (GByteArray *, n_cpus);
  for (guint cpu = 0; cpu < n_cpus; cpu++)
    chunks->cells[cpu] = g_byte_array_new ();
  chunks->chunks = g_array_new (FALSE, FALSE, sizeof (Chunk));
  chunks->slots = g_ptr_array_new ();
  chunks->records = g_array_new (FALSE, FALSE, sizeof (struct ilk_record *));
  chunks->values = g_array_new (FALSE, FALSE, sizeof (gint64));

  return chunks;
}

void
gilk_chunks_free (GilkChunks *chunks)
{
  if (chunks == NULL)
    return;
  for (guint cpu = 0; cpu < chunks->n_cpus; cpu++)
    g_byte_array_unref (chunks->cells[cpu]);
  g_free (chunks->cells);
  g_free (chunks->gaps);
  g_array_unref (chunks->chunks);
  g_ptr_array_unref (chunks->slots);
  g_array_unref (chunks->records);
  g_array_unref (chunks->values);
  g_free (chunks);
}

gboolean
gilk_chunks_write (GilkStoreRecorder *recorder,
                   GError           **error)
{
  for (guint cpu = 0; cpu < recorder->chunks->n_cpus; cpu++)
    if (!write_cpu (recorder, cpu, error) || !end_gap (recorder, cpu, G_MAXINT64, error))
      return FALSE;

  return TRUE;
}

void
gilk_chunks_discard (GilkChunks *chunks)
{
  for (guint cpu = 0; cpu < chunks->n_cpus; cpu++)
    {
      g_byte_array_set_size (chunks->cells[cpu], 0);
      chunks->gaps[cpu] = (Gap) { 0 };
    }
}

/* Counts the records in the range. Returns FALSE with @error if one of them is incomplete. */
static gboolean
count_records (GilkStoreRecorder *recorder, guint cpu, const uint8_t *at, const uint8_t *end, guint *stored,
               gboolean *gaps, GError **error)
{
  gsize size;

  for (; at < end; at += size)
    {
      const struct ilk_record *record = get_record (at, end, &size);
      GilkStoreSlot *slot;

      if (record == NULL)
        return gilk_fail (error, GILK_ERROR_PROTOCOL,
            _("CPU %u has incomplete sample records. Make sure that Gilk and its driver are of "
              "the same release."), cpu);
      slot = find_slot (recorder, record);
      *gaps |= record->iid == ILK_IID_GAP;
      if (slot == NULL)
        continue;
      slot->stored[cpu]++;
      *stored += 1;
    }

  return TRUE;
}

gboolean
gilk_chunks_add (GilkStoreRecorder *recorder,
                 guint              cpu,
                 const void        *cells,
                 gsize              bytes,
                 guint             *stored,
                 gboolean          *many,
                 GError           **error)
{
  const uint8_t *end = (const uint8_t *) cells + bytes;
  gboolean gaps = recorder->chunks->gaps[cpu].open;

  if (!count_records (recorder, cpu, cells, end, stored, &gaps, error))
    return FALSE;
  if (gaps && !add_records_with_gaps (recorder, cpu, cells, end, error))
    return FALSE;
  if (!gaps)
    g_byte_array_append (recorder->chunks->cells[cpu], cells, (guint) bytes);
  *many = recorder->chunks->cells[cpu]->len >= PENDING_BYTES;

  return TRUE;
}

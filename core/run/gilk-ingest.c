/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-ingest.c - sample ingest: moves samples from the target's reader thread into the session
 *
 * A bounded queue connects the reader thread and the writer. When the queue is full, the reader
 * thread waits. Then the stream and the rings fill up, and the driver counts the samples that do
 * not fit. So samples are lost and counted in one place only. Until time zero is known, nothing can
 * be stored, and the queue is unbounded, because the reply with time zero may come after samples.
 *
 * Samples that come in after storing has failed are still counted, so that the totals stay exact.
 */
#include "core/run/gilk-ingest.h"

#include <string.h>

#include "core/bind/gilk-bound-conditions.h"
#include "core/store/gilk-store-write.h"

#define QUEUE_BYTES (32 << 20)
#define CHUNK_BYTES (1 << 18)     /* maximum size in bytes of the records that are stored at once,
                                   * while the store is locked */

typedef struct {
  guint    cpu;
  gsize    bytes;
  uint8_t  cells[];
} Chunk;

struct _GilkIngest {
  GilkRunSession *session;        /* (unowned) */
  gint64     run;
  GilkClock  clock;
  guint      n_hooks, n_cpus, n_iids;
  uint32_t  *hook_of;             /* [iid]: index of the hook with this id + 1; 0: no hook has the
                                   * id */
  GThread   *writer;
  guint      n_requested;         /* number of fields for which gilk_ingest_track_rows() has
                                   * requested statistics */

  GMutex     lock;                /* protects everything below */
  GCond      space, news;
  GQueue     chunks;
  gsize      queued;
  gboolean   closed;
  GError    *error;
  uint64_t  *received;            /* [hook][cpu] */
  GArray    *tracked;             /* (element-type TrackedField) */
  guint     *first_tracked;       /* [hook]: 1 + index in @tracked of the hook's first field; 0:
                                   * none */
  uint64_t   strangers;           /* number of records with an unknown hook id */
  uint64_t   cells;
};

/* A field of a hook's samples, with its statistics. */
typedef struct {
  guint      next;                /* 1 + index of the next field of the same hook in @tracked; 0:
                                   * none */
  GilkFieldStats *stats;
} TrackedField;

/* ---- accounts ---- */

static void
track_record (GilkIngest *ingest, guint hook, const struct ilk_record *record, gsize bytes)
{
  for (guint i = ingest->first_tracked[hook]; i != 0; i = g_array_index (ingest->tracked, TrackedField, i - 1).next)
    gilk_field_stats_add (g_array_index (ingest->tracked, TrackedField, i - 1).stats, &ingest->clock, record->tsc, record->data,
                          MIN (record->len, bytes));
}

/* Counts a chunk's records. Stops at a malformed record, which the store will refuse. */
static void
count_records (GilkIngest *ingest, guint cpu, const uint8_t *cells, gsize bytes)
{
  gsize at = 0;

  while (at + sizeof (struct ilk_record) <= bytes)
    {
      const struct ilk_record *record = (const struct ilk_record *) (cells + at);
      guint hook = record->iid < ingest->n_iids ? ingest->hook_of[record->iid] : 0;

      if (record->len > ILK_SAMPLE_MAX)
        break;
      if (hook != 0 && cpu < ingest->n_cpus)
        {
          ingest->received[(hook - 1) * ingest->n_cpus + cpu]++;
          if (ingest->first_tracked[hook - 1] != 0)
            track_record (ingest, hook - 1, record, bytes - at - G_STRUCT_OFFSET (struct ilk_record, data));
        }
      at += (gsize) ILK_RECORD_CELLS (record->len) * ILK_CELL;
      if (record->iid == ILK_IID_GAP)
        ingest->cells -= ILK_RECORD_CELLS (record->len);
      else if (hook == 0)
        ingest->strangers++;
    }
  ingest->cells += bytes / ILK_CELL;
}

/* ---- the writer thread ---- */

/* Returns the size of the complete records from @at on: as many as fit in about CHUNK_BYTES. */
static gsize
find_portion (const Chunk *chunk, gsize at)
{
  gsize end = at;

  while (end + sizeof (struct ilk_record) <= chunk->bytes && end - at < CHUNK_BYTES)
    {
      const struct ilk_record *record = (const struct ilk_record *) (chunk->cells + end);

      if (record->len > ILK_SAMPLE_MAX)
        return chunk->bytes - at;
      end += (gsize) ILK_RECORD_CELLS (record->len) * ILK_CELL;
    }

  return MIN (end, chunk->bytes) - at;
}

static gboolean
store_chunk (GilkIngest *ingest, const Chunk *chunk, GError **error)
{
  gboolean good = TRUE;

  for (gsize at = 0; good && at < chunk->bytes;)
    {
      gsize bytes = find_portion (chunk, at);
      guint stored;

      if (bytes == 0)
        bytes = chunk->bytes - at;
      g_mutex_lock (&ingest->session->lock);
      good = gilk_store_add_records (ingest->session->store, ingest->run, chunk->cpu, chunk->cells + at, bytes,
                                     &stored, error);
      g_mutex_unlock (&ingest->session->lock);
      at += bytes;
    }

  return good;
}

static Chunk *
pop_chunk (GilkIngest *ingest)
{
  Chunk *chunk;

  g_mutex_lock (&ingest->lock);
  while (ingest->chunks.length == 0 && !ingest->closed)
    g_cond_wait (&ingest->news, &ingest->lock);
  chunk = g_queue_pop_head (&ingest->chunks);
  if (chunk != NULL)
    {
      ingest->queued -= chunk->bytes;
      count_records (ingest, chunk->cpu, chunk->cells, chunk->bytes);
      g_cond_signal (&ingest->space);
    }
  g_mutex_unlock (&ingest->lock);

  return chunk;
}

static gpointer
write_chunks (gpointer data)
{
  GilkIngest *ingest = data;
  gboolean good = TRUE;
  Chunk *chunk;

  while ((chunk = pop_chunk (ingest)) != NULL)
    {
      GError *error = NULL;

      if (good && !store_chunk (ingest, chunk, &error))
        {
          good = FALSE;
          g_mutex_lock (&ingest->lock);
          ingest->error = error;
          g_mutex_unlock (&ingest->lock);
        }
      g_free (chunk);
    }

  return NULL;
}

/* ---- public functions ---- */

static void
tracked_clear (gpointer data)
{
  gilk_field_stats_free (((TrackedField *) data)->stats);
}

void
gilk_ingest_grow (GilkIngest        *ingest,
                  const GilkRunRows *rows)
{
  const uint32_t *iids = rows->iids;
  guint n_hooks = rows->n, n_iids, before;

  g_mutex_lock (&ingest->lock);
  n_iids = ingest->n_iids;
  before = ingest->n_hooks;
  g_assert (n_hooks >= before);
  for (guint i = before; i < n_hooks; i++)
    ingest->n_iids = MAX (ingest->n_iids, iids[i] + 1);
  ingest->hook_of = g_renew (uint32_t, ingest->hook_of, ingest->n_iids);
  memset (ingest->hook_of + n_iids, 0, (ingest->n_iids - n_iids) * sizeof *ingest->hook_of);
  for (guint i = before; i < n_hooks; i++)
    ingest->hook_of[iids[i]] = i + 1;
  ingest->received = g_renew (uint64_t, ingest->received, (gsize) n_hooks * ingest->n_cpus);
  memset (ingest->received + (gsize) before * ingest->n_cpus, 0,
          (gsize) (n_hooks - before) * ingest->n_cpus * sizeof *ingest->received);
  ingest->first_tracked = g_renew (guint, ingest->first_tracked, n_hooks);
  memset (ingest->first_tracked + before, 0, (n_hooks - before) * sizeof *ingest->first_tracked);
  ingest->n_hooks = n_hooks;
  g_mutex_unlock (&ingest->lock);
}

GilkIngest *
gilk_ingest_new (GilkRunSession    *session,
                 const GilkRunRows *rows)
{
  GilkIngest *ingest = g_new0 (GilkIngest, 1);

  ingest->session = session;
  ingest->n_cpus = rows->n_cpus;
  ingest->tracked = g_array_new (FALSE, FALSE, sizeof (TrackedField));
  g_array_set_clear_func (ingest->tracked, tracked_clear);
  g_mutex_init (&ingest->lock);
  g_cond_init (&ingest->space);
  g_cond_init (&ingest->news);
  g_queue_init (&ingest->chunks);
  gilk_ingest_grow (ingest, rows);

  return ingest;
}

void
gilk_ingest_free (GilkIngest *ingest)
{
  if (ingest == NULL)
    return;

  gilk_ingest_close (ingest);
  g_queue_clear_full (&ingest->chunks, g_free);
  g_clear_error (&ingest->error);
  g_mutex_clear (&ingest->lock);
  g_cond_clear (&ingest->space);
  g_cond_clear (&ingest->news);
  g_free (ingest->hook_of);
  g_free (ingest->received);
  g_free (ingest->first_tracked);
  g_array_unref (ingest->tracked);
  g_free (ingest);
}

void
gilk_ingest_push (guint       cpu,
                  const void *cells,
                  gsize       bytes,
                  gpointer    data)
{
  GilkIngest *ingest = data;
  Chunk *chunk = g_malloc (sizeof *chunk + bytes);

  chunk->cpu = cpu;
  chunk->bytes = bytes;
  memcpy (chunk->cells, cells, bytes);

  g_mutex_lock (&ingest->lock);
  while (ingest->writer != NULL && ingest->queued > QUEUE_BYTES && !ingest->closed)
    g_cond_wait (&ingest->space, &ingest->lock);
  if (ingest->closed)
    g_free (chunk);
  else
    {
      g_queue_push_tail (&ingest->chunks, chunk);
      ingest->queued += bytes;
      g_cond_signal (&ingest->news);
    }
  g_mutex_unlock (&ingest->lock);
}

void
gilk_ingest_start (GilkIngest      *ingest,
                   gint64           run,
                   const GilkClock *clock)
{
  g_mutex_lock (&ingest->lock);
  g_assert (ingest->writer == NULL && !ingest->closed && run != 0);
  ingest->run = run;
  ingest->clock = *clock;
  ingest->writer = g_thread_new ("gilk-writer", write_chunks, ingest);
  g_mutex_unlock (&ingest->lock);
}

void
gilk_ingest_close (GilkIngest *ingest)
{
  GThread *writer;

  g_mutex_lock (&ingest->lock);
  g_assert (g_thread_self () != ingest->writer);
  ingest->closed = TRUE;
  writer = g_steal_pointer (&ingest->writer);
  g_cond_broadcast (&ingest->news);
  g_cond_broadcast (&ingest->space);
  g_mutex_unlock (&ingest->lock);
  if (writer != NULL)
    g_thread_join (writer);
}

GError *
gilk_ingest_error (GilkIngest *ingest)
{
  GError *error;

  g_mutex_lock (&ingest->lock);
  error = ingest->error != NULL ? g_error_copy (ingest->error) : NULL;
  g_mutex_unlock (&ingest->lock);

  return error;
}

uint64_t
gilk_ingest_received (GilkIngest *ingest,
                      guint       hook,
                      guint       cpu)
{
  uint64_t received;

  g_mutex_lock (&ingest->lock);
  received = ingest->received[hook * ingest->n_cpus + cpu];
  g_mutex_unlock (&ingest->lock);

  return received;
}

/* Returns the statistics of a hook's field; NULL: the field has none. Must be called with the lock
 * held. */
static GilkFieldStats *
find_tracked (GilkIngest *ingest, guint hook, const char *field)
{
  for (guint i = ingest->first_tracked[hook]; i != 0; i = g_array_index (ingest->tracked, TrackedField, i - 1).next)
    if (strcmp (gilk_field_stats_name (g_array_index (ingest->tracked, TrackedField, i - 1).stats), field) == 0)
      return g_array_index (ingest->tracked, TrackedField, i - 1).stats;

  return NULL;
}

void
gilk_ingest_track_field (GilkIngest             *ingest,
                         guint                   hook,
                         const struct ilk_field *field)
{
  g_mutex_lock (&ingest->lock);
  if (hook < ingest->n_hooks && find_tracked (ingest, hook, field->name) == NULL)
    {
      const TrackedField stats = { ingest->first_tracked[hook], gilk_field_stats_new (field) };

      g_array_append_val (ingest->tracked, stats);
      ingest->first_tracked[hook] = ingest->tracked->len;
    }
  g_mutex_unlock (&ingest->lock);
}

void
gilk_ingest_track_rows (GilkIngest          *ingest,
                        const GilkBoundPlan *rows,
                        guint                from,
                        guint                max)
{
  gilk_run_session_assert_own (ingest->session);
  for (guint row = from; row < rows->hooks->len && ingest->n_requested < max; row++)
    {
      struct ilk_field fields[ILK_FIELDS_MAX], interval;
      guint n = gilk_bound_fields (rows, row, fields);

      for (guint i = 0; i < n && ingest->n_requested < max; i++)
        if (gilk_bound_field_is_amount (&fields[i]))
          {
            gilk_ingest_track_field (ingest, row, &fields[i]);
            ingest->n_requested++;
          }
      if (ingest->n_requested < max && gilk_bound_interval (rows, row, &interval))
        {
          gilk_ingest_track_field (ingest, row, &interval);
          ingest->n_requested++;
        }
    }
}

GilkSketch *
gilk_ingest_sketch (GilkIngest        *ingest,
                    guint              hook,
                    const char        *field,
                    GilkValueHistory **history)
{
  GilkSketch *copy = NULL;
  GilkFieldStats *stats;

  g_mutex_lock (&ingest->lock);
  stats = hook < ingest->n_hooks ? find_tracked (ingest, hook, field) : NULL;
  if (stats != NULL)
    copy = gilk_field_stats_sketch (stats);
  if (history != NULL)
    *history = stats != NULL ? gilk_field_stats_history (stats) : NULL;
  g_mutex_unlock (&ingest->lock);

  return copy;
}

uint64_t
gilk_ingest_unknown_iids (GilkIngest *ingest)
{
  uint64_t strangers;

  g_mutex_lock (&ingest->lock);
  strangers = ingest->strangers;
  g_mutex_unlock (&ingest->lock);

  return strangers;
}

uint64_t
gilk_ingest_cells (GilkIngest *ingest)
{
  uint64_t cells;

  g_mutex_lock (&ingest->lock);
  cells = ingest->cells;
  g_mutex_unlock (&ingest->lock);

  return cells;
}

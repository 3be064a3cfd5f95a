/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-run-inflow.c - sample ingest, from the target's reader thread into the session
 *
 * A bounded queue lies between. When it is full the reader waits, the stream fills, the rings fill,
 * and the driver counts lost samples: loss happens and is counted in one place. Until time zero is
 * known nothing can be stored, and the queue is unbounded, because the reply with time zero comes
 * after samples.
 *
 * Samples that come in after storing has failed are still counted, so that the totals stay exact.
 */
#include "core/run/gilk-run-private.h"

#include <string.h>

#define QUEUE_BYTES (32 << 20)
#define CHUNK_BYTES (1 << 18)     /* stored at once, while the run's thread waits */

typedef struct {
  guint    cpu;
  gsize    bytes;
  uint8_t  cells[];
} Chunk;

struct _GilkInflow {
  GilkStore *store;
  GMutex    *store_lock;
  gint64     run;
  GilkClock  clock;
  guint      n_hooks, n_cpus, n_iids;
  uint32_t  *hook_of;             /* iid -> hook + 1; 0: none */
  GThread   *writer;

  GMutex     lock;                /* protects everything below */
  GCond      space, news;
  GQueue     chunks;
  gsize      queued;
  gboolean   closed;
  GError    *error;
  uint64_t  *received;            /* [hook][cpu] */
  GArray    *gauges;              /* Gauge */
  guint     *first_gauge;         /* [hook]: index + 1; 0: none */
  uint64_t   strangers;           /* records with an unknown hook id */
  uint64_t   cells;
};

/* A field that is summed up. */
typedef struct {
  guint      next;                /* of the same hook, like first_gauge */
  GilkGauge *gauge;
} Gauge;

/* ---- accounts ---- */

static void
sum_up (GilkInflow *inflow, guint hook, const struct ilk_record *record, gsize bytes)
{
  for (guint i = inflow->first_gauge[hook]; i != 0; i = g_array_index (inflow->gauges, Gauge, i - 1).next)
    gilk_gauge_take (g_array_index (inflow->gauges, Gauge, i - 1).gauge, &inflow->clock, record->tsc, record->data,
                     MIN (record->len, bytes));
}

/* Counts a chunk's records. Stops at a malformed one, which the store will refuse. */
static void
count_records (GilkInflow *inflow, guint cpu, const uint8_t *cells, gsize bytes)
{
  gsize at = 0;

  while (at + sizeof (struct ilk_record) <= bytes)
    {
      const struct ilk_record *record = (const struct ilk_record *) (cells + at);
      guint hook = record->iid < inflow->n_iids ? inflow->hook_of[record->iid] : 0;

      if (record->len > ILK_SAMPLE_MAX)
        break;
      if (hook != 0 && cpu < inflow->n_cpus)
        {
          inflow->received[(hook - 1) * inflow->n_cpus + cpu]++;
          if (inflow->first_gauge[hook - 1] != 0)
            sum_up (inflow, hook - 1, record, bytes - at - G_STRUCT_OFFSET (struct ilk_record, data));
        }
      at += (gsize) ILK_RECORD_CELLS (record->len) * ILK_CELL;
      if (record->iid == ILK_IID_GAP)
        inflow->cells -= ILK_RECORD_CELLS (record->len);
      else if (hook == 0)
        inflow->strangers++;
    }
  inflow->cells += bytes / ILK_CELL;
}

/* ---- the writer thread ---- */

/* Returns the size of the whole records from @at on, about CHUNK_BYTES at most. */
static gsize
portion (const Chunk *chunk, gsize at)
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
store_chunk (GilkInflow *inflow, const Chunk *chunk, GError **error)
{
  gboolean good = TRUE;

  for (gsize at = 0; good && at < chunk->bytes;)
    {
      gsize bytes = portion (chunk, at);
      guint stored;

      if (bytes == 0)
        bytes = chunk->bytes - at;
      g_mutex_lock (inflow->store_lock);
      good = gilk_store_add_records (inflow->store, inflow->run, chunk->cpu, chunk->cells + at, bytes,
                                     &stored, error);
      g_mutex_unlock (inflow->store_lock);
      at += bytes;
    }

  return good;
}

static Chunk *
take_chunk (GilkInflow *inflow)
{
  Chunk *chunk;

  g_mutex_lock (&inflow->lock);
  while (inflow->chunks.length == 0 && !inflow->closed)
    g_cond_wait (&inflow->news, &inflow->lock);
  chunk = g_queue_pop_head (&inflow->chunks);
  if (chunk != NULL)
    {
      inflow->queued -= chunk->bytes;
      count_records (inflow, chunk->cpu, chunk->cells, chunk->bytes);
      g_cond_signal (&inflow->space);
    }
  g_mutex_unlock (&inflow->lock);

  return chunk;
}

static gpointer
write_chunks (gpointer data)
{
  GilkInflow *inflow = data;
  gboolean good = TRUE;
  Chunk *chunk;

  while ((chunk = take_chunk (inflow)) != NULL)
    {
      GError *error = NULL;

      if (good && !store_chunk (inflow, chunk, &error))
        {
          good = FALSE;
          g_mutex_lock (&inflow->lock);
          inflow->error = error;
          g_mutex_unlock (&inflow->lock);
        }
      g_free (chunk);
    }

  return NULL;
}

/* ---- public functions ---- */

static void
gauge_clear (gpointer data)
{
  gilk_gauge_free (((Gauge *) data)->gauge);
}

GilkInflow *
gilk_inflow_new (GilkStore      *store,
                 GMutex         *store_lock,
                 const uint32_t *iids,
                 guint           n_hooks,
                 guint           n_cpus)
{
  GilkInflow *inflow = g_new0 (GilkInflow, 1);

  inflow->store = store;
  inflow->store_lock = store_lock;
  inflow->n_hooks = n_hooks;
  inflow->n_cpus = n_cpus;
  for (guint i = 0; i < n_hooks; i++)
    inflow->n_iids = MAX (inflow->n_iids, iids[i] + 1);
  inflow->hook_of = g_new0 (uint32_t, inflow->n_iids);
  for (guint i = 0; i < n_hooks; i++)
    inflow->hook_of[iids[i]] = i + 1;
  inflow->received = g_new0 (uint64_t, (gsize) n_hooks * n_cpus);
  inflow->first_gauge = g_new0 (guint, n_hooks);
  inflow->gauges = g_array_new (FALSE, FALSE, sizeof (Gauge));
  g_array_set_clear_func (inflow->gauges, gauge_clear);
  g_mutex_init (&inflow->lock);
  g_cond_init (&inflow->space);
  g_cond_init (&inflow->news);
  g_queue_init (&inflow->chunks);

  return inflow;
}

void
gilk_inflow_grow (GilkInflow     *inflow,
                  const uint32_t *iids,
                  guint           n_hooks)
{
  guint n_iids, before;

  g_mutex_lock (&inflow->lock);
  n_iids = inflow->n_iids;
  before = inflow->n_hooks;
  g_assert (n_hooks >= before);
  for (guint i = before; i < n_hooks; i++)
    inflow->n_iids = MAX (inflow->n_iids, iids[i] + 1);
  inflow->hook_of = g_renew (uint32_t, inflow->hook_of, inflow->n_iids);
  memset (inflow->hook_of + n_iids, 0, (inflow->n_iids - n_iids) * sizeof *inflow->hook_of);
  for (guint i = before; i < n_hooks; i++)
    inflow->hook_of[iids[i]] = i + 1;
  inflow->received = g_renew (uint64_t, inflow->received, (gsize) n_hooks * inflow->n_cpus);
  memset (inflow->received + (gsize) before * inflow->n_cpus, 0,
          (gsize) (n_hooks - before) * inflow->n_cpus * sizeof *inflow->received);
  inflow->first_gauge = g_renew (guint, inflow->first_gauge, n_hooks);
  memset (inflow->first_gauge + before, 0, (n_hooks - before) * sizeof *inflow->first_gauge);
  inflow->n_hooks = n_hooks;
  g_mutex_unlock (&inflow->lock);
}

void
gilk_inflow_free (GilkInflow *inflow)
{
  if (inflow == NULL)
    return;

  gilk_inflow_close (inflow);
  g_queue_clear_full (&inflow->chunks, g_free);
  g_clear_error (&inflow->error);
  g_mutex_clear (&inflow->lock);
  g_cond_clear (&inflow->space);
  g_cond_clear (&inflow->news);
  g_free (inflow->hook_of);
  g_free (inflow->received);
  g_free (inflow->first_gauge);
  g_array_unref (inflow->gauges);
  g_free (inflow);
}

void
gilk_inflow_put (guint       cpu,
                 const void *cells,
                 gsize       bytes,
                 gpointer    data)
{
  GilkInflow *inflow = data;
  Chunk *chunk = g_malloc (sizeof *chunk + bytes);

  chunk->cpu = cpu;
  chunk->bytes = bytes;
  memcpy (chunk->cells, cells, bytes);

  g_mutex_lock (&inflow->lock);
  while (inflow->writer != NULL && inflow->queued > QUEUE_BYTES && !inflow->closed)
    g_cond_wait (&inflow->space, &inflow->lock);
  if (inflow->closed)
    g_free (chunk);
  else
    {
      g_queue_push_tail (&inflow->chunks, chunk);
      inflow->queued += bytes;
      g_cond_signal (&inflow->news);
    }
  g_mutex_unlock (&inflow->lock);
}

void
gilk_inflow_open (GilkInflow      *inflow,
                  gint64           run,
                  const GilkClock *clock)
{
  g_mutex_lock (&inflow->lock);
  g_assert (inflow->writer == NULL && !inflow->closed && run != 0);
  inflow->run = run;
  inflow->clock = *clock;
  inflow->writer = g_thread_new ("gilk-writer", write_chunks, inflow);
  g_mutex_unlock (&inflow->lock);
}

void
gilk_inflow_close (GilkInflow *inflow)
{
  GThread *writer;

  g_mutex_lock (&inflow->lock);
  g_assert (g_thread_self () != inflow->writer);
  inflow->closed = TRUE;
  writer = g_steal_pointer (&inflow->writer);
  g_cond_broadcast (&inflow->news);
  g_cond_broadcast (&inflow->space);
  g_mutex_unlock (&inflow->lock);
  if (writer != NULL)
    g_thread_join (writer);
}

GError *
gilk_inflow_error (GilkInflow *inflow)
{
  GError *error;

  g_mutex_lock (&inflow->lock);
  error = inflow->error != NULL ? g_error_copy (inflow->error) : NULL;
  g_mutex_unlock (&inflow->lock);

  return error;
}

uint64_t
gilk_inflow_received (GilkInflow *inflow,
                      guint       hook,
                      guint       cpu)
{
  uint64_t received;

  g_mutex_lock (&inflow->lock);
  received = inflow->received[hook * inflow->n_cpus + cpu];
  g_mutex_unlock (&inflow->lock);

  return received;
}

/* Caller holds the lock. NULL: the field is not summed up */
static GilkGauge *
find_gauge (GilkInflow *inflow, guint hook, const char *field)
{
  for (guint i = inflow->first_gauge[hook]; i != 0; i = g_array_index (inflow->gauges, Gauge, i - 1).next)
    if (strcmp (gilk_gauge_name (g_array_index (inflow->gauges, Gauge, i - 1).gauge), field) == 0)
      return g_array_index (inflow->gauges, Gauge, i - 1).gauge;

  return NULL;
}

void
gilk_inflow_measure (GilkInflow             *inflow,
                     guint                   hook,
                     const struct ilk_field *field)
{
  g_mutex_lock (&inflow->lock);
  if (hook < inflow->n_hooks && find_gauge (inflow, hook, field->name) == NULL)
    {
      const Gauge gauge = { inflow->first_gauge[hook], gilk_gauge_new (field) };

      g_array_append_val (inflow->gauges, gauge);
      inflow->first_gauge[hook] = inflow->gauges->len;
    }
  g_mutex_unlock (&inflow->lock);
}

GilkSketch *
gilk_inflow_sketch (GilkInflow        *inflow,
                    guint              hook,
                    const char        *field,
                    GilkValueHistory **history)
{
  GilkSketch *copy = NULL;
  GilkGauge *gauge;

  g_mutex_lock (&inflow->lock);
  gauge = hook < inflow->n_hooks ? find_gauge (inflow, hook, field) : NULL;
  if (gauge != NULL)
    copy = gilk_gauge_sketch (gauge);
  if (history != NULL)
    *history = gauge != NULL ? gilk_gauge_history (gauge) : NULL;
  g_mutex_unlock (&inflow->lock);

  return copy;
}

uint64_t
gilk_inflow_strangers (GilkInflow *inflow)
{
  uint64_t strangers;

  g_mutex_lock (&inflow->lock);
  strangers = inflow->strangers;
  g_mutex_unlock (&inflow->lock);

  return strangers;
}

uint64_t
gilk_inflow_cells (GilkInflow *inflow)
{
  uint64_t cells;

  g_mutex_lock (&inflow->lock);
  cells = inflow->cells;
  g_mutex_unlock (&inflow->lock);

  return cells;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-run-inflow.c - samples from the target's reader thread into the session
 *
 * A bounded queue lies between. When it is full the reader waits, the stream fills,
 * the rings fill, and the driver counts what is lost: loss happens in one place and
 * is counted there. Until time zero is known nothing can be stored and the queue
 * has no bound, because the answer that brings time zero comes behind samples.
 *
 * What comes in after storing has failed is counted, so that accounts stay exact.
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
  guint      n_hooks, n_cpus, n_iids;
  uint32_t  *hook_of;             /* iid -> hook + 1, 0 none */
  GThread   *writer;

  GMutex     lock;                /* all below */
  GCond      room, news;
  GQueue     chunks;
  gsize      queued;
  gboolean   closed;
  GError    *error;
  uint64_t  *received;            /* [hook][cpu] */
  uint64_t   cells;
};

/* ---- accounts ---- */

/* Adds up a chunk's records; what is no record is left to the store to refuse. */
static void
count_records (GilkInflow *flow, guint cpu, const uint8_t *cells, gsize bytes)
{
  gsize at = 0;

  while (at + sizeof (struct ilk_record) <= bytes)
    {
      const struct ilk_record *record = (const struct ilk_record *) (cells + at);
      guint hook = record->iid < flow->n_iids ? flow->hook_of[record->iid] : 0;

      if (record->len > ILK_SAMPLE_MAX)
        break;
      if (hook != 0 && cpu < flow->n_cpus)
        flow->received[(hook - 1) * flow->n_cpus + cpu]++;
      at += (gsize) ILK_RECORD_CELLS (record->len) * ILK_CELL;
    }
  flow->cells += bytes / ILK_CELL;
}

/* ---- the writer's thread ---- */

/* At most CHUNK_BYTES of whole records from @at on. */
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
store_chunk (GilkInflow *flow, const Chunk *chunk, GError **error)
{
  gboolean good = TRUE;

  for (gsize at = 0; good && at < chunk->bytes;)
    {
      gsize bytes = portion (chunk, at);
      guint stored;

      if (bytes == 0)
        bytes = chunk->bytes - at;
      g_mutex_lock (flow->store_lock);
      good = gilk_store_add_records (flow->store, flow->run, chunk->cpu, chunk->cells + at, bytes,
                                     &stored, error);
      g_mutex_unlock (flow->store_lock);
      at += bytes;
    }

  return good;
}

static Chunk *
take_chunk (GilkInflow *flow)
{
  Chunk *chunk;

  g_mutex_lock (&flow->lock);
  while (flow->chunks.length == 0 && !flow->closed)
    g_cond_wait (&flow->news, &flow->lock);
  chunk = g_queue_pop_head (&flow->chunks);
  if (chunk != NULL)
    {
      flow->queued -= chunk->bytes;
      count_records (flow, chunk->cpu, chunk->cells, chunk->bytes);
      g_cond_signal (&flow->room);
    }
  g_mutex_unlock (&flow->lock);

  return chunk;
}

static gpointer
write_chunks (gpointer data)
{
  GilkInflow *flow = data;
  gboolean good = TRUE;
  Chunk *chunk;

  while ((chunk = take_chunk (flow)) != NULL)
    {
      GError *error = NULL;

      if (good && !store_chunk (flow, chunk, &error))
        {
          good = FALSE;
          g_mutex_lock (&flow->lock);
          flow->error = error;
          g_mutex_unlock (&flow->lock);
        }
      g_free (chunk);
    }

  return NULL;
}

/* ---- outside ---- */

GilkInflow *
gilk_inflow_new (GilkStore      *store,
                 GMutex         *store_lock,
                 const uint32_t *iids,
                 guint           n_hooks,
                 guint           n_cpus)
{
  GilkInflow *flow = g_new0 (GilkInflow, 1);

  flow->store = store;
  flow->store_lock = store_lock;
  flow->n_hooks = n_hooks;
  flow->n_cpus = n_cpus;
  for (guint i = 0; i < n_hooks; i++)
    flow->n_iids = MAX (flow->n_iids, iids[i] + 1);
  flow->hook_of = g_new0 (uint32_t, flow->n_iids);
  for (guint i = 0; i < n_hooks; i++)
    flow->hook_of[iids[i]] = i + 1;
  flow->received = g_new0 (uint64_t, (gsize) n_hooks * n_cpus);
  g_mutex_init (&flow->lock);
  g_cond_init (&flow->room);
  g_cond_init (&flow->news);
  g_queue_init (&flow->chunks);

  return flow;
}

void
gilk_inflow_grow (GilkInflow     *flow,
                  const uint32_t *iids,
                  guint           n_hooks)
{
  guint n_iids, before;

  g_mutex_lock (&flow->lock);
  n_iids = flow->n_iids;
  before = flow->n_hooks;
  for (guint i = before; i < n_hooks; i++)
    flow->n_iids = MAX (flow->n_iids, iids[i] + 1);
  flow->hook_of = g_renew (uint32_t, flow->hook_of, flow->n_iids);
  memset (flow->hook_of + n_iids, 0, (flow->n_iids - n_iids) * sizeof *flow->hook_of);
  for (guint i = before; i < n_hooks; i++)
    flow->hook_of[iids[i]] = i + 1;
  flow->received = g_renew (uint64_t, flow->received, (gsize) n_hooks * flow->n_cpus);
  memset (flow->received + (gsize) before * flow->n_cpus, 0,
          (gsize) (n_hooks - before) * flow->n_cpus * sizeof *flow->received);
  flow->n_hooks = n_hooks;
  g_mutex_unlock (&flow->lock);
}

void
gilk_inflow_free (GilkInflow *flow)
{
  if (flow == NULL)
    return;

  gilk_inflow_close (flow);
  g_queue_clear_full (&flow->chunks, g_free);
  g_clear_error (&flow->error);
  g_mutex_clear (&flow->lock);
  g_cond_clear (&flow->room);
  g_cond_clear (&flow->news);
  g_free (flow->hook_of);
  g_free (flow->received);
  g_free (flow);
}

void
gilk_inflow_put (guint       cpu,
                 const void *cells,
                 gsize       bytes,
                 gpointer    data)
{
  GilkInflow *flow = data;
  Chunk *chunk = g_malloc (sizeof *chunk + bytes);

  chunk->cpu = cpu;
  chunk->bytes = bytes;
  memcpy (chunk->cells, cells, bytes);

  g_mutex_lock (&flow->lock);
  while (flow->writer != NULL && flow->queued > QUEUE_BYTES && !flow->closed)
    g_cond_wait (&flow->room, &flow->lock);
  if (flow->closed)
    g_free (chunk);
  else
    {
      g_queue_push_tail (&flow->chunks, chunk);
      flow->queued += bytes;
      g_cond_signal (&flow->news);
    }
  g_mutex_unlock (&flow->lock);
}

void
gilk_inflow_open (GilkInflow *flow,
                  gint64      run)
{
  g_mutex_lock (&flow->lock);
  flow->run = run;
  flow->writer = g_thread_new ("gilk-writer", write_chunks, flow);
  g_mutex_unlock (&flow->lock);
}

void
gilk_inflow_close (GilkInflow *flow)
{
  GThread *writer;

  g_mutex_lock (&flow->lock);
  flow->closed = TRUE;
  writer = g_steal_pointer (&flow->writer);
  g_cond_broadcast (&flow->news);
  g_cond_broadcast (&flow->room);
  g_mutex_unlock (&flow->lock);
  if (writer != NULL)
    g_thread_join (writer);
}

GError *
gilk_inflow_error (GilkInflow *flow)
{
  GError *error;

  g_mutex_lock (&flow->lock);
  error = flow->error != NULL ? g_error_copy (flow->error) : NULL;
  g_mutex_unlock (&flow->lock);

  return error;
}

uint64_t
gilk_inflow_received (GilkInflow *flow,
                      guint       hook,
                      guint       cpu)
{
  uint64_t received;

  g_mutex_lock (&flow->lock);
  received = flow->received[hook * flow->n_cpus + cpu];
  g_mutex_unlock (&flow->lock);

  return received;
}

uint64_t
gilk_inflow_cells (GilkInflow *flow)
{
  uint64_t cells;

  g_mutex_lock (&flow->lock);
  cells = flow->cells;
  g_mutex_unlock (&flow->lock);

  return cells;
}

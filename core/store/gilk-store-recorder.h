/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-store-recorder.h - keeps the state of the run being recorded: its instruments and hooks, its
 * clocks, and data that are not in the file yet
 *
 * gilk_store_begin_run() creates the recorder; the end of the run, or closing the store, frees it.
 *
 * Threads: only the store's thread.
 */
#pragma once

#include "core/base/gilk-clock.h"
#include "core/store/gilk-sql.h"
#include "core/store/gilk-store-chunk.h"
#include "core/store/gilk-store-write.h"

typedef struct {
  gint64   id;
  char    *name;
  gboolean samples;               /* whether the instrument takes samples */
  guint    n_fields;
  struct ilk_field fields[ILK_FIELDS_MAX];
} GilkStoreInstrument;

/* A hook of the run being recorded. */
typedef struct {
  gint64               id;
  GilkStoreInstrument *instrument;
  uint64_t            *stored;    /* number of samples stored per CPU, including those in the open
                                   * transaction */
  uint64_t            *committed; /* number of committed samples per CPU */

  /* Used while one CPU's records are grouped in chunks: gilk-store-chunks.c */
  guint                here, len; /* @here: number of the hook's records; @len: length of each
                                   * record, if all have the same length */
  guint                chunk;
  gboolean             even, own;
} GilkStoreSlot;

/* Samples that are not yet in the file. */
typedef struct _GilkChunks GilkChunks;

typedef struct _GilkStoreRecorder {
  GilkStore       *store;         /* (unowned) */
  gint64           run;
  uint64_t         zero_tsc, tsc_hz, zero_mono_ns;
  guint            n_cpus;
  GilkClock       *clocks;        /* one clock per CPU, which converts the CPU's TSC */
  GHashTable      *instruments;   /* name -> GilkStoreInstrument */
  GPtrArray       *slots;         /* (element-type GilkStoreSlot): hooks, indexed by hook id (iid);
                                   * NULL: no hook has this id */
  GilkChunks      *chunks;
  GilkChunkWriter *writer;
  sqlite3_stmt    *put_counts, *add_point, *put_value;    /* prepared statements; NULL: not used
                                                           * yet */

  /* The journal: gilk-store-journal.c */
  GHashTable      *noted;         /* for each patch: its state in the journal; NULL until first
                                   * used */
  guint            batch;         /* number of batches of changes to kernel text planned so far */
} GilkStoreRecorder;

/* Returns the GilkStoreSlot of hook @iid; NULL: the hook is not in the run. */
static inline GilkStoreSlot *
gilk_store_recorder_find_slot (const GilkStoreRecorder *recorder, uint32_t iid)
{
  return iid < recorder->slots->len ? g_ptr_array_index (recorder->slots, iid) : NULL;
}

/* Makes the recorder of a run, whose row must have been inserted already. */
GilkStoreRecorder *gilk_store_recorder_new     (GilkStore *store, const GilkStoreRun *run);
/* Returns the recorder of @run; NULL with @error if @run is not being recorded. */
GilkStoreRecorder *gilk_store_recorder_get     (GilkStore *store, gint64 run, GError **error);
/* Returns the recorder of the current run; NULL with @error if no run is being recorded. */
GilkStoreRecorder *gilk_store_recorder_get_any (GilkStore *store, GError **error);
/* Returns the GilkStoreSlot of hook @iid; NULL with @error if @run is not being recorded, or does
 * not have the hook. */
GilkStoreSlot     *gilk_store_recorder_get_slot (GilkStore *store, gint64 run, uint32_t iid, GError **error);

/* gilk_store_recorder_write() must be called before a commit, to write pending data;
 * gilk_store_recorder_confirm() after the commit; gilk_store_recorder_discard() after a rollback,
 * to forget the data that the rollback undid. */
gboolean gilk_store_recorder_write   (GilkStoreRecorder *recorder, GError **error);
void     gilk_store_recorder_confirm (GilkStoreRecorder *recorder);
void     gilk_store_recorder_discard (GilkStoreRecorder *recorder);

/* Adds hook @id. If an earlier hook has the same @iid, replaces that hook. @instrument: the
 * instrument's name. (transfer none) */
const GilkStoreSlot *gilk_store_recorder_add_slot (GilkStoreRecorder *recorder, uint32_t iid, gint64 id,
                                                   const char *instrument);
/* Sets up the CPUs' clocks from time zero and rate. @subtracted_offset: (nullable): TSC ticks to
 * subtract, per CPU. */
void     gilk_store_recorder_start_clocks    (GilkStoreRecorder *recorder, const gint64 *subtracted_offset);
void     gilk_store_recorder_instrument_free (gpointer instrument);

/* ---- converts records to chunks: gilk-store-chunks.c ---- */

GilkChunks *gilk_chunks_new     (guint n_cpus);
void        gilk_chunks_free    (GilkChunks *chunks);
/* Maximum size in bytes of the records in one call of gilk_chunks_add(). */
#define GILK_CHUNKS_ONCE_BYTES (16 << 20)
/* Keeps the whole records in @cells until they are written to the file; adds the number of
 * records of the run to @stored. @many: (out): TRUE if the pending records should be written now,
 * because there are many. After an error some records may be counted already: the transaction must be
 * rolled back. */
gboolean    gilk_chunks_add     (GilkStoreRecorder *recorder, guint cpu, const void *cells, gsize bytes, guint *stored,
                                 gboolean *many, GError **error);
/* Writes the pending records into the open transaction. After an error the transaction is lost, and
 * so are the records that were not written yet. */
gboolean    gilk_chunks_write   (GilkStoreRecorder *recorder, GError **error);
void        gilk_chunks_discard (GilkChunks *chunks);

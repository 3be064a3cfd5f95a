/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-store-private.h - the session's state, and helpers for SQL
 */
#pragma once

#include "core/pack/gilk-tiling.h"
#include "core/store/gilk-store.h"

#include <sqlite3.h>

#include "core/base/gilk-clock.h"
#include "core/base/gilk-error.h"
#include "core/pack/gilk-codec.h"
#include "core/pack/gilk-sketch.h"

#define GILK_STORE_APPLICATION_ID 0x47696C6B
#define GILK_STORE_VERSION        1

/* An instrument of the run being recorded. */
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
  uint64_t            *stored;    /* samples per CPU, including the open transaction */
  uint64_t            *committed; /* samples per CPU, committed */

  /* Used while one CPU's records are grouped in chunks: gilk-store-chunks.c */
  guint                here, len; /* number of records; their length if all have the same */
  guint                chunk;
  gboolean             even, own;
} GilkStoreSlot;

/* Samples of the run being recorded that are not yet in the file. */
typedef struct _GilkChunks GilkChunks;

struct _GilkStore {
  sqlite3       *db;
  char          *path;
  gboolean       reading;         /* opened read-only */
  int            lock_fd;         /* descriptor of FILE-recording while recording, else -1 */

  /* the run being recorded; 0: none */
  gint64         run;
  uint64_t       zero_tsc, tsc_hz;
  GilkClock     *clocks;          /* one per CPU, for its TSC */
  uint64_t       zero_mono_ns;
  guint          n_cpus;
  GHashTable    *instruments;     /* name -> GilkStoreInstrument */
  GPtrArray     *slots;           /* indexed by iid; entries may be NULL */
  GilkChunks    *chunks;
  GHashTable    *noted;           /* patch -> its state in the journal; NULL until first used */
  guint          batch;           /* number of the journal's last planned batch */

  sqlite3_stmt  *add_chunk, *add_column, *add_tiles, *add_groups, *add_sketch;   /* NULL: unused */
  sqlite3_stmt  *add_checksum;    /* NULL: unused */
  gint64         chunk;           /* the chunk whose rows are being written; 0: none */
  uint64_t       chunk_sum;       /* checksum of @chunk's rows so far */
  sqlite3_stmt  *put_counts, *add_point, *put_value;    /* NULL: unused */
  GByteArray    *bytes, *tiles;   /* contents of the column being written */
  GilkCodec     *codec;           /* compresses columns; NULL: columns stay uncompressed */
  GByteArray    *groups, *lengths;  /* groups of tiles, lengths of tiles; empty: none */
  GilkSketch    *sketch;          /* sketch of the column being written; NULL until first used */

  gboolean       in_transaction;
  guint          pending;         /* rows since the transaction started */

  /* Work of the last prepared statement, and its limits: gilk-store-limit.c */
  GCancellable  *cancellable;     /* (nullable) */
  uint64_t       ops, rows_read, bytes_read;
  uint64_t       ops_max, rows_max, bytes_max;
  GHashTable    *indexes;         /* set of the names of existing indexes */
};

/* Sets @error with a formatted sentence. Always returns FALSE. */
gboolean gilk_store_refuse (GError **error, GilkErrorCode code, const char *format, ...)
                            G_GNUC_PRINTF (3, 4);

/* ---- untrusted files: gilk-store-guard.c ---- */

/* Returns SQLite's error code. @logged: the file header states that it has a WAL. */
int      gilk_guard_open          (GilkStore *store, gboolean logged);
gboolean gilk_guard_set_up        (GilkStore *store, GCancellable *cancellable, GError **error);
/* Checks that the schema is one of Gilk's and contains nothing that executes code. */
gboolean gilk_guard_check         (GilkStore *store, GError **error);
/* Restricts the connection to reading Gilk's tables. */
gboolean gilk_guard_read_only     (GilkStore *store, GError **error);
/* Limits each statement to the work that a file of the current size can need: gilk-store-limit.c */
void     gilk_guard_set_limits    (GilkStore *store);
/* Removes the limits: from here on the contents are trusted. */
void     gilk_guard_trust         (GilkStore *store);
void     gilk_guard_new_statement (GilkStore *store);
/* Sets @error to the reason why a statement was interrupted. Always returns FALSE. */
gboolean gilk_guard_interrupted   (GilkStore *store, GError **error);
/* Returns "name:type name:type " of a table's columns, "!" appended to generated ones. (transfer
 * full) */
char    *gilk_guard_columns       (GilkStore *store, const char *table, GError **error);

/* ---- SQL; @types: i gint64, d double, s text or NULL, b pointer and int ---- */

sqlite3_stmt *gilk_sql_prepare (GilkStore *store, GError **error, const char *sql,
                                const char *types, ...);
gboolean      gilk_sql_run     (GilkStore *store, GError **error, const char *sql,
                                const char *types, ...);
/* Like gilk_sql_run(), with a statement that is prepared at first use and kept in *@kept. */
gboolean      gilk_sql_run_often (GilkStore *store, sqlite3_stmt **kept, GError **error,
                                  const char *sql, const char *types, ...);
/* Steps to a row. FALSE at the end, with @error, or if @error (not NULL) is already set, so that an
 * error within a loop ends the loop. Stepping again after the end restarts the statement. */
gboolean      gilk_sql_next    (GilkStore *store, sqlite3_stmt *stmt, GError **error);
/**
 * gilk_sql_row:
 * @kinds: one letter per column, for the value that the column must hold and the type of its
 *   argument: i integer, gint64 *; n non-negative integer, uint64_t *; N the same, or NULL for 0;
 *   a any 64-bit integer, uint64_t *; u 32-bit integer, guint *; f boolean, gboolean *;
 *   s one line of text, char ** (transfer full); S the same or NULL; t text or NULL
 * Returns FALSE with an error if the file is damaged; outputs are then untouched.
 */
gboolean      gilk_sql_row     (GilkStore *store, sqlite3_stmt *stmt, GError **error,
                                const char *kinds, ...);
/* Sets @error: the file claims to hold more than fits its size. Always returns FALSE. */
gboolean      gilk_sql_refuse_excess (GilkStore *store, GError **error);
/* Ends a loop of steps: returns TRUE if there was no error; else moves *@local to @error. */
gboolean      gilk_sql_check_end   (GError **local, GError **error);
/* Reads a single value; sets @out to @otherwise if there is no row. FALSE with @error. */
gboolean      gilk_sql_value   (GilkStore *store, GError **error, gint64 *out, gint64 otherwise,
                                const char *sql, const char *types, ...);
/* Sets @error according to SQLite's last error. Always returns FALSE. */
gboolean      gilk_sql_fail    (GilkStore *store, GError **error);
/* Returns a text cell as valid UTF-8, whatever bytes it holds. (transfer full) */
char         *gilk_sql_text    (sqlite3_stmt *stmt, int column);
char         *gilk_sql_quote   (const char *identifier);
/* Returns @name changed to a valid name of a table, view or column. (transfer full) */
char         *gilk_store_plain_name (const char *name);

static inline void
gilk_sql_finalize (sqlite3_stmt **stmt)
{
  sqlite3_finalize (*stmt);
}

#define GILK_AUTO_STMT __attribute__ ((cleanup (gilk_sql_finalize))) sqlite3_stmt *

/* ---- transactions: gilk-store-transaction.c ---- */

gboolean gilk_store_ensure_transaction (GilkStore *store, GError **error);
gboolean gilk_store_count_written      (GilkStore *store, guint rows, GError **error);
void     gilk_store_roll_back          (GilkStore *store);
void     gilk_store_reset_run          (GilkStore *store);

/* Returns whether @run is being recorded; else sets @error. */
gboolean gilk_store_check_run        (GilkStore *store, gint64 run, GError **error);

/* ---- clocks: gilk-store-clock.c ---- */

/* Sets up the CPUs' clocks with time zero and the rate. @subtracted_offset: (nullable): TSC ticks
 * to subtract, per CPU. */
void     gilk_store_start_clocks     (GilkStore *store, const gint64 *subtracted_offset);

/* ---- samples being written: gilk-store-chunks.c ---- */

/* A column is the row of chunk_column with id = chunk * GILK_CHUNK_COLUMNS + position. */
#define GILK_CHUNK_COLUMNS 16
#define GILK_CHUNK_TIMES   0
#define GILK_CHUNK_HOOKS   1      /* hook of each sample; only if several hooks share the chunk */
#define GILK_CHUNK_SAMPLES_MAX (1 << 20)
#define GILK_CHUNK_SKETCHED 1024  /* minimum number of samples for which a sketch is stored */
#define GILK_CHUNK_FIELDS  2      /* first field; fields are absent where records were too short */
G_STATIC_ASSERT (GILK_CHUNK_FIELDS + ILK_FIELDS_MAX <= GILK_CHUNK_COLUMNS);

void        gilk_store_instrument_free (gpointer instrument);

GilkChunks *gilk_chunks_new  (guint n_cpus);
void        gilk_chunks_free (GilkChunks *chunks);
/* Maximum size for one call of gilk_chunks_add(). */
#define GILK_CHUNKS_ONCE_BYTES (16 << 20)
/* Keeps whole records until they are written; adds how many are the run's to @stored.
 * @many: TRUE: write them now. After an error some records may be counted already: the transaction
 * must be rolled back. */
gboolean gilk_chunks_add     (GilkStore *store, guint cpu, const void *cells, gsize bytes,
                              guint *stored, gboolean *many, GError **error);
/* Writes the records into the open transaction; after an error the unwritten ones are lost with
 * it. */
gboolean gilk_chunks_write   (GilkStore *store, GError **error);
void     gilk_chunks_discard (GilkChunks *chunks);


/**
 * gilk_chunk_add: (gilk-store-chunk.c)
 * @hook: 0: several hooks share the chunk
 * @n: 1 to GILK_CHUNK_SAMPLES_MAX
 * @lost_before: samples of any hook lost on that CPU before this chunk
 * Adds a chunk and its times to the open transaction. The other columns must follow.
 */
gboolean gilk_chunk_add          (GilkStore *store, gint64 instrument, gint64 hook, guint cpu,
                                  const gint64 *times, guint n, uint64_t lost_before, gint64 *id,
                                  GError **error);
gboolean gilk_chunk_add_hooks    (GilkStore *store, gint64 chunk, const gint64 *hooks, guint n,
                                  GError **error);
/* Add a column. @field: position of the field; @type: ILK_FIELD_*; @lengths: at most 255 bytes
 * each */
gboolean gilk_chunk_add_integers (GilkStore *store, gint64 chunk, guint field, guint type,
                                  const gint64 *values, guint n, GError **error);
gboolean gilk_chunk_add_texts    (GilkStore *store, gint64 chunk, guint field,
                                  const char *const *texts, const uint8_t *lengths, guint n,
                                  GError **error);

/* ---- checksums: gilk-store-checksum.c ---- */

/* Seed of a row's checksum, one per table. */
enum { GILK_SUM_CHUNK, GILK_SUM_COLUMN, GILK_SUM_GROUPS, GILK_SUM_TILES, GILK_SUM_SKETCH };

/* Return @sum updated with the next value of a row. */
uint64_t gilk_sum_integer (uint64_t sum, gint64 value);
uint64_t gilk_sum_bytes   (uint64_t sum, const void *bytes, gsize size);

static inline uint64_t
gilk_sum_null (uint64_t sum)
{
  return gilk_sum_integer (~sum, -1);
}

/* Returns the checksum of a row of chunk_column. */
static inline uint64_t
gilk_column_sum (gint64 id, const void *data, gsize size, gint64 codec)
{
  return gilk_sum_integer (gilk_sum_bytes (gilk_sum_integer (GILK_SUM_COLUMN, id), data, size), codec);
}

/* Adds @row to the checksum of the chunk being written. */
void     gilk_chunk_sum_add     (GilkStore *store, uint64_t row);
/* Writes the checksum of the last chunk, unless already written. */
gboolean gilk_chunk_sum_write   (GilkStore *store, GError **error);
/* Replaces a row in the checksum of @chunk. A checksum that did not match still does not match
 * afterwards. */
gboolean gilk_chunk_sum_replace (GilkStore *store, gint64 chunk, uint64_t before, uint64_t after, GError **error);
/* Adds checksums of a run's rows in @table, or (NULL) in all tables, to the open transaction. */
gboolean gilk_store_sum_run     (GilkStore *store, gint64 run, const char *table, GError **error);
gboolean gilk_store_sum_schema  (GilkStore *store, GError **error);
gboolean gilk_store_has_sums    (GilkStore *store, gint64 run, gboolean *has, GError **error);
/* Adds a sentence to @problems for each mismatch. @runs: (element-type GilkStoredRun) */
gboolean gilk_store_verify_sums (GilkStore *store, const GArray *runs, GPtrArray *problems, GError **error);

/* Counts the chunks' sketches that do not match their samples: gilk-store-verify-sketch.c */
gboolean gilk_store_verify_sketches (GilkStore *store, uint64_t *wrong, GError **error);

/* SQL condition that the hits of a hook are known: its instrument counts or samples them, or
 * some were counted. For tables h and c, grouped by hook; the schema's view of hooks repeats the
 * condition. The inline instruments are spelled out because a schema is text;
 * tests/unit/test-store.c compares both copies with the table in core/emit/gilk-inline.c. */
#define GILK_HITS_KNOWN \
  "coalesce (sum (c.hits), 0) > 0 OR h.instrument IN ('count', 'stamp', 'span') OR NOT EXISTS " \
  "(SELECT 1 FROM instrument i WHERE i.run = h.run AND i.name = h.instrument " \
  "AND i.sample_bytes = 0)"

/* ---- the lock file beside the session, held while a run is recorded ---- */

gboolean gilk_store_lock   (GilkStore *store, GError **error);
void     gilk_store_unlock (GilkStore *store);
/* Frees the space that the lock file reserves for the last writes of a run. */
void     gilk_store_release_reserve (GilkStore *store);
gboolean gilk_store_is_recording (GilkStore *store);

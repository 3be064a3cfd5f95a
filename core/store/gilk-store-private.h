/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-store-private.h - the session's state, and SQL in one line
 */
#pragma once

#include "core/store/gilk-store.h"

#include <sqlite3.h>

#include "core/base/gilk-clock.h"
#include "core/base/gilk-error.h"
#include "core/store/gilk-codec.h"
#include "core/store/gilk-sketch.h"

#define GILK_STORE_APPLICATION_ID 0x47696C6B
#define GILK_STORE_VERSION        14

/* An instrument of the run that is being recorded. */
typedef struct {
  gint64   id;
  char    *name;
  gboolean samples;               /* it takes some */
  guint    n_fields;
  struct ilk_field fields[ILK_FIELDS_MAX];
} GilkStoreInstrument;

/* A hook of the run that is being recorded. */
typedef struct {
  gint64               id;
  GilkStoreInstrument *instrument;
  uint64_t            *stored;    /* per CPU, open transaction included */
  uint64_t            *committed; /* per CPU */

  /* of the CPU whose records become chunks: gilk-store-chunks.c */
  guint                here, len; /* records, and the length of them if even */
  guint                chunk;
  gboolean             even, own;
} GilkStoreSlot;

/* Samples of the run that is being recorded, on their way into the file. */
typedef struct _GilkChunks GilkChunks;

struct _GilkStore {
  sqlite3       *db;
  char          *path;
  gboolean       reading;         /* nothing may be written */
  int            lock_fd;         /* of FILE-recording while a run is recorded, else -1 */
  gint64         version;         /* of its schema */

  /* the run that is being recorded; 0 none */
  gint64         run;
  uint64_t       zero_tsc, tsc_hz;
  GilkClock     *clocks;          /* per CPU: of its own counter */
  uint64_t       zero_mono_ns;
  guint          n_cpus;
  GHashTable    *instruments;     /* name -> GilkStoreInstrument */
  GPtrArray     *slots;           /* by iid; entries may be NULL */
  GilkChunks    *chunks;
  GHashTable    *noted;           /* patch -> what the journal says of it; NULL: nothing yet */
  guint          batch;           /* of the journal, the last one planned */

  sqlite3_stmt  *add_chunk, *add_column, *add_tiles, *add_groups, *add_sketch;   /* NULL: not yet needed */
  sqlite3_stmt  *add_checksum;    /* the same */
  gint64         chunk;           /* whose rows are being written; 0: none */
  uint64_t       chunk_sum;       /* of its rows so far */
  sqlite3_stmt  *put_counts, *add_point, *put_value;    /* the same */
  GByteArray    *bytes, *tiles;   /* of the column that is made */
  GilkCodec     *codec;           /* columns are packed as they are made; NULL: they are not */
  GByteArray    *groups, *lengths;  /* of tiles of the chunk that is made; empty: it has none */
  GilkSketch    *sketch;          /* of the column that is made; NULL: not yet needed */

  gboolean       in_transaction;
  guint          pending;         /* rows since it began */

  /* of the statement that was prepared last, and what it may come to: gilk-store-limit.c */
  GCancellable  *cancellable;     /* (nullable) */
  uint64_t       ops, rows_read, bytes_read;
  uint64_t       ops_max, rows_max, bytes_max;
  GHashTable    *indexes;         /* names of those there are */
};

/* An error with a sentence, FALSE. */
gboolean gilk_store_refuse (GError **error, GilkErrorCode code, const char *format, ...)
                            G_GNUC_PRINTF (3, 4);

/* ---- a file that may be anybody's ---- */

/* SQLite's code. @logged: its head says that there is a log beside it. */
int      gilk_guard_open          (GilkStore *store, gboolean logged);
gboolean gilk_guard_set_up        (GilkStore *store, GCancellable *cancellable, GError **error);
/* The schema is one of ours, and nothing in it runs. */
gboolean gilk_guard_check         (GilkStore *store, GError **error);
/* From here on: only our tables are read, nothing is written. */
gboolean gilk_guard_read_only     (GilkStore *store, GError **error);
/* gilk-store-limit.c: each statement is held to what a file of the size it has now can hold. */
void     gilk_guard_set_limits    (GilkStore *store);
/* From here on what is in it is what we write: no limits. */
void     gilk_guard_trust         (GilkStore *store);
void     gilk_guard_new_statement (GilkStore *store);
/* What stopped a statement: always FALSE. */
gboolean gilk_guard_interrupted   (GilkStore *store, GError **error);
/* "name:type name:type " of a table's columns; "!" behind what is computed. (transfer full) */
char    *gilk_guard_columns       (GilkStore *store, const char *table, GError **error);

/* ---- SQL: @types says what follows: i gint64, d double, s text or NULL, b pointer and int ---- */

sqlite3_stmt *gilk_sql_prepare (GilkStore *store, GError **error, const char *sql,
                                const char *types, ...);
gboolean      gilk_sql_run     (GilkStore *store, GError **error, const char *sql,
                                const char *types, ...);
/* The same by a statement of the store's, which is made when it is first needed: *@kept. */
gboolean      gilk_sql_run_often (GilkStore *store, sqlite3_stmt **kept, GError **error,
                                  const char *sql, const char *types, ...);
/* TRUE with a row; FALSE at the end, with @error, or if @error (not NULL) is set already, so
 * that a loop ends with what went wrong in it. Behind the end it begins again. */
gboolean      gilk_sql_next    (GilkStore *store, sqlite3_stmt *stmt, GError **error);
/**
 * gilk_sql_row:
 * @kinds: what each column must hold, and what follows for it:
 *   i integer, gint64 *; n not negative, uint64_t *; N the same, or NULL for 0;
 *   a 64 bits without a sign, uint64_t *; u 32 bits, guint *; f boolean, gboolean *;
 *   s text of one line, char ** (transfer full); S the same or NULL; t text or NULL
 * FALSE with an error: the file is damaged, and nothing was given.
 */
gboolean      gilk_sql_row     (GilkStore *store, sqlite3_stmt *stmt, GError **error,
                                const char *kinds, ...);
/* It holds more than its size can, always FALSE. */
gboolean      gilk_sql_refuse_excess (GilkStore *store, GError **error);
/* After a loop of steps: TRUE if it came to the end; else hands on the error. */
gboolean      gilk_sql_ended   (GError **local, GError **error);
/* One value; @otherwise if there is no row. FALSE with @error. */
gboolean      gilk_sql_value   (GilkStore *store, GError **error, gint64 *out, gint64 otherwise,
                                const char *sql, const char *types, ...);
/* The sentence for what SQLite just said, always FALSE. */
gboolean      gilk_sql_fail    (GilkStore *store, GError **error);
/* A text cell as UTF-8, whatever bytes a target put there. (transfer full) */
char         *gilk_sql_text    (sqlite3_stmt *stmt, int column);
char         *gilk_sql_quote   (const char *identifier);
/* As the name of a table, view or column. (transfer full) */
char         *gilk_store_plain_name (const char *name);

static inline void
gilk_sql_finalize (sqlite3_stmt **stmt)
{
  sqlite3_finalize (*stmt);
}

#define GILK_AUTO_STMT __attribute__ ((cleanup (gilk_sql_finalize))) sqlite3_stmt *

/* ---- transactions: gilk-store-transaction.c ---- */

gboolean gilk_store_want_transaction (GilkStore *store, GError **error);
gboolean gilk_store_wrote            (GilkStore *store, guint rows, GError **error);
void     gilk_store_roll_back        (GilkStore *store);
void     gilk_store_forget_run       (GilkStore *store);

/* TRUE if @run is the one being recorded. */
gboolean gilk_store_check_run        (GilkStore *store, gint64 run, GError **error);

/* ---- clocks: gilk-store-clock.c ---- */

/* From time zero and rate; @taken_off: (nullable): ticks, per CPU. */
void     gilk_store_start_clocks     (GilkStore *store, const gint64 *taken_off);

/* ---- samples on their way in: gilk-store-chunks.c ---- */

/* What instrument.sample_table says of samples that are in chunks; else it names a table. */
#define GILK_CHUNKED "chunk"

/* The column of a chunk is the row chunk * GILK_CHUNK_COLUMNS + position of chunk_column. */
#define GILK_CHUNK_COLUMNS 16
#define GILK_CHUNK_TIMES   0
#define GILK_CHUNK_HOOKS   1      /* only of a chunk of several */
#define GILK_CHUNK_SAMPLES_MAX (1 << 20)
#define GILK_CHUNK_TILE    256    /* samples at most, whose least and greatest values are kept */
#define GILK_CHUNK_SKETCHED 1024  /* samples at least: what they look like is kept with fewer numbers */
#define GILK_CHUNK_FIELDS  2      /* and on, by position; not where records were too short */
G_STATIC_ASSERT (GILK_CHUNK_FIELDS + ILK_FIELDS_MAX <= GILK_CHUNK_COLUMNS);

void        gilk_store_instrument_free (gpointer instrument);

GilkChunks *gilk_chunks_new    (guint n_cpus);
void        gilk_chunks_free   (GilkChunks *chunks);
/* Bytes of one gilk_chunks_take() at most. */
#define GILK_CHUNKS_ONCE_BYTES (16 << 20)
/* Keeps whole records until they are written; @stored grows by those of the run. @many: it is time
 * to write. After an error some may be counted: the transaction has to be rolled back. */
gboolean    gilk_chunks_take   (GilkStore *store, guint cpu, const void *cells, gsize bytes,
                                guint *stored, gboolean *many, GError **error);
/* Into the open transaction; what is not written after an error is lost with it. */
gboolean    gilk_chunks_write  (GilkStore *store, GError **error);
void        gilk_chunks_forget (GilkChunks *chunks);


/**
 * gilk_chunk_add: (gilk-store-chunk.c)
 * @hook: 0: of several
 * @n: 1 to GILK_CHUNK_SAMPLES_MAX
 * @lost_before: of any hook, on that CPU
 * Into the open transaction: a chunk with its times. The other columns follow.
 */
gboolean gilk_chunk_add          (GilkStore *store, gint64 instrument, gint64 hook, guint cpu,
                                  const gint64 *times, guint n, uint64_t lost_before, gint64 *id,
                                  GError **error);
gboolean gilk_chunk_add_hooks    (GilkStore *store, gint64 chunk, const gint64 *hooks, guint n,
                                  GError **error);
/* @field: its position; @type: ILK_FIELD_*; at most 255 bytes each of @lengths */
gboolean gilk_chunk_add_integers (GilkStore *store, gint64 chunk, guint field, guint type,
                                  const gint64 *values, guint n, GError **error);
gboolean gilk_chunk_add_texts    (GilkStore *store, gint64 chunk, guint field,
                                  const char *const *texts, const uint8_t *lengths, guint n,
                                  GError **error);

/* ---- checksums: gilk-store-checksum.c ---- */

/* What the checksum of a chunk's row starts from: its table. */
enum { GILK_SUM_CHUNK, GILK_SUM_COLUMN, GILK_SUM_GROUPS, GILK_SUM_TILES, GILK_SUM_SKETCH };

/* Return @sum with the next value of a row taken in. */
uint64_t gilk_sum_integer (uint64_t sum, gint64 value);
uint64_t gilk_sum_bytes   (uint64_t sum, const void *bytes, gsize size);

static inline uint64_t
gilk_sum_null (uint64_t sum)
{
  return gilk_sum_integer (~sum, -1);
}

/* Of a row of chunk_column. */
static inline uint64_t
gilk_column_sum (gint64 id, const void *data, gsize size, gint64 codec)
{
  return gilk_sum_integer (gilk_sum_bytes (gilk_sum_integer (GILK_SUM_COLUMN, id), data, size), codec);
}

/* Adds @row to the checksum of the chunk that is being written. */
void     gilk_chunk_sum_add     (GilkStore *store, uint64_t row);
/* Writes the checksum of the chunk whose rows were written last, if it has none yet. */
gboolean gilk_chunk_sum_write   (GilkStore *store, GError **error);
/* Replaces a row of @chunk in its checksum: one that did not match before does not match after. */
gboolean gilk_chunk_sum_replace (GilkStore *store, gint64 chunk, uint64_t before, uint64_t after, GError **error);
/* Gives chunks of older sessions a checksum. */
gboolean gilk_store_add_chunk_sums (GilkStore *store, gboolean *added, GError **error);
/* Into the open transaction: checksums of a run's rows, of one table or (NULL) of all. */
gboolean gilk_store_sum_run     (GilkStore *store, gint64 run, const char *table, GError **error);
gboolean gilk_store_sum_schema  (GilkStore *store, GError **error);
gboolean gilk_store_has_sums    (GilkStore *store, gint64 run, gboolean *has, GError **error);
/* Adds a sentence to @problems for each thing that is not what was written. @runs: GilkStoredRun */
gboolean gilk_store_verify_sums (GilkStore *store, const GArray *runs, GPtrArray *problems, GError **error);

/* How many sketches of chunks are not of samples that can be read: gilk-store-verify-sketch.c */
gboolean gilk_store_verify_sketches (GilkStore *store, uint64_t *wrong, GError **error);

/* ---- sample tables of versions before 4 ---- */

gboolean gilk_store_make_indexes (GilkStore *store, gint64 run, GError **error);
char    *gilk_store_index_name   (const char *table);
/* Names of a run's sample tables. (transfer full) (element-type utf8) */
GPtrArray *gilk_store_sample_tables (GilkStore *store, gint64 run, GError **error);
/* The latest of the samples that were stored last; 0: none. */
gboolean gilk_store_last_sample  (GilkStore *store, const char *table, gint64 *t_ns, GError **error);

/* A hook's hits are known: its instrument counts or samples them, or it had some. Of tables h
 * and c, grouped by hook; the view of hooks in the schema says the same. The inline
 * instruments are spelled out: a schema is text. tests/unit/test-store.c holds both to the
 * table in core/emit/gilk-inline.c. */
#define GILK_HITS_KNOWN \
  "coalesce (sum (c.hits), 0) > 0 OR h.instrument IN ('count', 'stamp', 'span') OR NOT EXISTS " \
  "(SELECT 1 FROM instrument i WHERE i.run = h.run AND i.name = h.instrument " \
  "AND i.sample_bytes = 0)"

/* ---- the lock beside the file that says a run is being recorded ---- */

gboolean gilk_store_lock   (GilkStore *store, GError **error);
void     gilk_store_unlock (GilkStore *store);
/* Of gilk-store-upgrade.c: the file becomes as small as it can be. */
gboolean gilk_store_give_back_space (GilkStore *store, GError **error);
/* Gives back the space the lock file keeps for the last words. */
void     gilk_store_release_reserve (GilkStore *store);
gboolean gilk_store_is_recording (GilkStore *store);

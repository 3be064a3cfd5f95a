/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-store-private.h - the session's state, and SQL in one line
 */
#pragma once

#include "core/store/gilk-store.h"

#include <sqlite3.h>

#include "core/base/gilk-error.h"

#define GILK_STORE_APPLICATION_ID 0x47696C6B
#define GILK_STORE_VERSION        2

/* Samples of one instrument in the run that is being recorded. */
typedef struct {
  char         *name;
  char         *table;            /* NULL: takes no samples */
  sqlite3_stmt *insert;
  guint         sample_bytes;
  guint         n_fields;
  struct ilk_field fields[ILK_FIELDS_MAX];
} GilkStoreTable;

/* A hook of the run that is being recorded. */
typedef struct {
  gint64          id;
  GilkStoreTable *table;
  uint64_t       *stored;         /* per CPU, open transaction included */
  uint64_t       *committed;      /* per CPU */
} GilkStoreSlot;

struct _GilkStore {
  sqlite3       *db;
  char          *path;
  GilkStoreMode  mode;
  int            lock_fd;         /* of FILE-recording while a run is recorded, else -1 */
  gint64         version;         /* of its schema */

  /* the run that is being recorded; 0 none */
  gint64         run;
  uint64_t       zero_tsc, zero_mono_ns, tsc_khz;
  guint          n_cpus;
  GHashTable    *tables;          /* name -> GilkStoreTable */
  GPtrArray     *slots;           /* by iid; entries may be NULL */
  GHashTable    *noted;           /* patch -> what the journal says of it; NULL: nothing yet */
  guint          batch;           /* of the journal, the last one planned */

  gboolean       in_transaction;
  guint          pending;         /* rows since it began */
};

/* ---- SQL: @types says what follows: i gint64, d double, s text or NULL, b pointer and int ---- */

sqlite3_stmt *gilk_sql_prepare (GilkStore *store, GError **error, const char *sql,
                                const char *types, ...);
gboolean      gilk_sql_run     (GilkStore *store, GError **error, const char *sql,
                                const char *types, ...);
/* TRUE with a row; FALSE at the end or with @error. */
gboolean      gilk_sql_step    (GilkStore *store, sqlite3_stmt *stmt, GError **error);
/* After a loop of steps: TRUE if it came to the end; else hands on the error. */
gboolean      gilk_sql_ended   (GError **local, GError **error);
/* One value; @otherwise if there is no row. FALSE with @error. */
gboolean      gilk_sql_value   (GilkStore *store, GError **error, gint64 *out, gint64 otherwise,
                                const char *sql, const char *types, ...);
/* The sentence for what SQLite just said, always FALSE. */
gboolean      gilk_sql_fail    (GilkStore *store, GError **error);
/* A cell as UTF-8, whatever bytes a target put there; NULL for NULL. (transfer full) */
char         *gilk_sql_text    (sqlite3_stmt *stmt, int column);
char         *gilk_sql_quote   (const char *identifier);

static inline void
gilk_sql_finalize (sqlite3_stmt **stmt)
{
  sqlite3_finalize (*stmt);
}

#define GILK_AUTO_STMT __attribute__ ((cleanup (gilk_sql_finalize))) sqlite3_stmt *

/* ---- transactions ---- */

gboolean gilk_store_want_transaction (GilkStore *store, GError **error);
gboolean gilk_store_wrote            (GilkStore *store, guint rows, GError **error);
void     gilk_store_roll_back        (GilkStore *store);
void     gilk_store_forget_run       (GilkStore *store);

/* TRUE if @run is the one being recorded. */
gboolean gilk_store_check_run        (GilkStore *store, gint64 run, GError **error);

/* ---- sample tables ---- */

void     gilk_store_table_free   (gpointer table);
gboolean gilk_store_make_views   (GilkStore *store, GError **error);
gboolean gilk_store_make_indexes (GilkStore *store, gint64 run, GError **error);

/* ---- the lock beside the file that says a run is being recorded ---- */

gboolean gilk_store_lock   (GilkStore *store, GError **error);
void     gilk_store_unlock (GilkStore *store);
/* Gives back the space the lock file keeps for the last words. */
void     gilk_store_release_reserve (GilkStore *store);
gboolean gilk_store_is_recording (GilkStore *store);

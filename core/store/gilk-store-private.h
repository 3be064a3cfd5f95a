/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-store-private.h - the connection to a session: its state, the guard of untrusted files, and
 * the lock file
 */
#pragma once

#include "core/store/gilk-sql.h"

#define GILK_STORE_APPLICATION_ID 0x47696C6B
#define GILK_STORE_VERSION        1

struct _GilkStore {
  sqlite3       *db;
  char          *path;
  gboolean       reading;         /* the session was opened read-only */
  int            lock_fd;         /* descriptor of FILE-recording while recording, else -1 */
  gboolean       compress;        /* whether columns of chunks are compressed when recorded */

  struct _GilkStoreRecorder *recorder; /* state of the run being recorded; NULL: none */
  gboolean       in_transaction;
  guint          pending;         /* number of rows written in the open transaction */

  /* Amount of work of the last prepared statement, and the limits of that work. */
  GCancellable  *cancellable;     /* (nullable) */
  uint64_t       ops, rows_read, bytes_read;
  uint64_t       ops_max, rows_max, bytes_max;
};

/* ---- opens untrusted files: gilk-store-guard.c ---- */

/* Opens the session's file for reading. Returns SQLite's error code. @logged: the file header
 * states that the file has a WAL. */
int      gilk_guard_open          (GilkStore *store, gboolean logged);
gboolean gilk_guard_set_up        (GilkStore *store, GCancellable *cancellable, GError **error);
/* Checks that the schema is one of Gilk's and contains nothing that executes code. */
gboolean gilk_guard_check         (GilkStore *store, GError **error);
/* Restricts the connection to reading Gilk's tables. */
gboolean gilk_guard_read_only     (GilkStore *store, GError **error);
/* ---- limits the work of a statement: gilk-sql.c ---- */

/* Limits a statement's work to the maximum that a file of the current size can need. */
void     gilk_sql_limit (GilkStore *store);
/* Removes the limits on a statement's work, for contents that are trusted. */
void     gilk_sql_trust (GilkStore *store);

/* Frees the recorder of the run, if there is one: gilk-store-recorder.c */
void     gilk_store_stop_recording (GilkStore *store);
/* Frees the space that the lock file reserves for the last writes of a run: gilk-store-file.c */
void     gilk_store_release_reserve (GilkStore *store);

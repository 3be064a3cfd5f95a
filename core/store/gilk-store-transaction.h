/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-store-transaction.h - locks a session for writing, and writes rows in its open transaction
 *
 * Threads: only the store's thread.
 */
#pragma once

#include "core/store/gilk-sql.h"
#include "core/store/gilk-store-write.h"

/* Lock and unlock the lock file beside the session. The lock is held while a run is recorded. */
gboolean gilk_store_lock         (GilkStore *store, GError **error);
void     gilk_store_unlock       (GilkStore *store);
/* Returns whether this process or another is recording to the session. */
gboolean gilk_store_is_recording (GilkStore *store);

gboolean gilk_store_ensure_transaction (GilkStore *store, GError **error);
/* Runs a statement in the transaction; an error rolls the whole transaction back. */
gboolean gilk_store_write              (GilkStore *store, GError **error, const char *sql, const char *types, ...);
/* Writes a row of @run and counts the row. @run must be the run being recorded. */
gboolean gilk_store_write_row          (GilkStore *store, gint64 run, GError **error, const char *sql,
                                        const char *types, ...);
/* Adds @rows to the number of written rows; commits the transaction if it is large. */
gboolean gilk_store_count_written      (GilkStore *store, guint rows, GError **error);
void     gilk_store_roll_back          (GilkStore *store);

/* Returns whether @run is being recorded; else sets @error. */
gboolean gilk_store_check_run          (GilkStore *store, gint64 run, GError **error);

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-remote-metadata.h - makes rows for a store from a run's metadata (all except its samples)
 *
 * Threads: only the store's thread.
 */
#pragma once

#include "core/clickhouse/gilk-remote-native.h"
#include "core/clickhouse/gilk-remote-runs.h"
#include "core/clickhouse/gilk-remote-url.h"
#include "core/store/gilk-store.h"

G_BEGIN_DECLS

typedef struct {
  const char *table;              /* name of the table, such as "gilk_hook" */
  GilkNative *rows;
  guint       n;
  guint       attempt;            /* index of the attempt column, whose values are not set yet */
} GilkRemoteMetadataPart;

typedef struct {
  uint64_t id;                    /* id of the run: the same at each push, to any store */
  guint    day;                   /* start of the run, in days since 1970 */
  GArray  *hooks;                 /* GilkStoredHook; hooks are numbered by their index */
  GArray  *parts;                 /* GilkRemoteMetadataPart */
  char    *digest;                /* digest of all parts */
} GilkRemoteMetadata;

/* Makes a run's metadata. @number: number of the run in its session, from 1 */
gboolean gilk_remote_metadata_make  (GilkStore *store, const GilkStoredRun *run, guint number, GilkRemoteMetadata *metadata,
                                     GError **error);
void     gilk_remote_metadata_clear (GilkRemoteMetadata *metadata);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (GilkRemoteMetadata, gilk_remote_metadata_clear)

/*
 * Readings of a counter in a store, and the times when its hook was not measuring
 *
 * Gets the same data as gilk_store_count_series() and gilk_hook_gaps() do for the pushed session,
 * so that gilk_count_rates() computes the same rates.
 *
 * Threads: only the GilkRemote's thread.
 */

/**
 * gilk_remote_readings:
 * @run: the run of @hook
 * @times, @counts: (out) (transfer full): doubles, seconds and hits since the run started
 * @off: (out) (transfer full): GilkGap, sorted and disjoint: times when the hook was not measuring
 * Fails with GILK_ERROR_STORE if rows in the ledger are missing; outputs are then untouched.
 */
gboolean gilk_remote_readings (GilkRemote *remote, const GilkRemoteRun *run, const GilkRemoteHook *hook,
                               GArray **times, GArray **counts, GArray **off, GError **error);

/*
 * Cause and remedy of a server's error
 *
 * Threads: any thread.
 */

/**
 * gilk_remote_refusal:
 * @name: name of the server, for messages
 * @status: the HTTP status, not 200
 * @body: the answer; it is untrusted, so at most one line of it is shown
 */
void gilk_remote_refusal (const GilkRemoteUrl *url, const char *name, guint status, const char *body,
                          GError **error);

G_END_DECLS

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-remote-metadata.h - a run's metadata (all but its samples) as rows for a store
 *
 * Threads: only that of the store.
 */
#pragma once

#include "core/clickhouse/gilk-remote-native.h"
#include "core/clickhouse/gilk-remote-runs.h"
#include "core/clickhouse/gilk-remote-url.h"
#include "core/store/gilk-store.h"

G_BEGIN_DECLS

typedef struct {
  const char *table;              /* "gilk_hook" */
  GilkNative *rows;
  guint       n;
  guint       attempt;            /* number of its attempt column, whose values are not set yet */
} GilkRemoteMetadataPart;

typedef struct {
  uint64_t id;                    /* of the run: the same whenever and wherever it is pushed */
  guint    day;                   /* start of the run, days since 1970 */
  GArray  *hooks;                 /* GilkStoredHook; hooks are numbered by their index */
  GArray  *parts;                 /* GilkRemoteMetadataPart */
  char    *digest;                /* of all parts */
} GilkRemoteMetadata;

/* @number: of the run in its session, from 1 */
gboolean gilk_remote_metadata_make  (GilkStore *store, const GilkStoredRun *run, guint number, GilkRemoteMetadata *metadata,
                                     GError **error);
void     gilk_remote_metadata_clear (GilkRemoteMetadata *metadata);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (GilkRemoteMetadata, gilk_remote_metadata_clear)

/*
 * Readings of a counter in a store, and the times when its hook was not measuring
 *
 * The same data as gilk_store_count_series() and gilk_hook_gaps() return for the pushed session, so
 * that gilk_count_rates() computes the same rates.
 *
 * Threads: only that of the GilkRemote.
 */

/**
 * gilk_remote_readings:
 * @run: the run of @hook
 * @times, @counts: (out) (transfer full): doubles, seconds and hits since the run started
 * @off: (out) (transfer full): GilkGap, tidy, of the times when the hook was not measuring
 * GILK_ERROR_STORE if rows in the ledger are missing; outputs are then untouched.
 */
gboolean gilk_remote_readings (GilkRemote *remote, const GilkRemoteRun *run, const GilkRemoteHook *hook,
                               GArray **times, GArray **counts, GArray **off, GError **error);

/*
 * Cause and remedy of a server's error
 *
 * Threads: any.
 */

/**
 * gilk_remote_refusal:
 * @name: of the server, for messages
 * @status: the HTTP status, not 200
 * @body: the answer; not trusted, so at most a line of it is shown
 */
void gilk_remote_refusal (const GilkRemoteUrl *url, const char *name, guint status, const char *body,
                          GError **error);

G_END_DECLS

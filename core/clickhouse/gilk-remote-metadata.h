/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-remote-metadata.h - makes rows for a store from a run's metadata (all except its samples)
 *
 * Threads: only the store's thread.
 */
#pragma once

#include "core/clickhouse/gilk-remote-rows.h"
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
  GArray  *hooks;                 /* (element-type GilkStoredHook): a hook's index is its number in
                                   * the store */
  GArray  *parts;                 /* (element-type GilkRemoteMetadataPart): rows of one table
                                   * each */
  char    *digest;                /* digest of the rows of all parts */
} GilkRemoteMetadata;

/* Makes a run's metadata. @number: number of the run in its session, from 1 */
gboolean gilk_remote_metadata_make  (GilkStore *store, const GilkStoredRun *run, guint number, GilkRemoteMetadata *metadata,
                                     GError **error);
void     gilk_remote_metadata_clear (GilkRemoteMetadata *metadata);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (GilkRemoteMetadata, gilk_remote_metadata_clear)

G_END_DECLS

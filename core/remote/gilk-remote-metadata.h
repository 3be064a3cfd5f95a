/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-remote-metadata.h - a run's metadata (all but its samples) as rows for a store
 *
 * Threads: that of the store.
 */
#pragma once

#include "core/remote/gilk-remote-native.h"
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

G_END_DECLS

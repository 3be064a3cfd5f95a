/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-remote-head.h - what a run is, but for its samples: rows for a store
 *
 * Threads: that of the store.
 */
#pragma once

#include "core/remote/gilk-remote-native.h"
#include "core/store/gilk-store-origin.h"

G_BEGIN_DECLS

typedef struct {
  const char *table;              /* "gilk_hook" */
  GilkNative *rows;
  guint       n;
  guint       attempt;            /* its column, of which no row has a value yet */
} GilkRemoteHeadPart;

typedef struct {
  uint64_t id;                    /* of the run: the same whenever, from wherever it is pushed */
  guint    day;                   /* when it began, days since 1970 */
  GArray  *hooks;                 /* GilkStoredHook; a hook's number is its place */
  GArray  *parts;                 /* GilkRemoteHeadPart */
  char    *digest;                /* of all of it */
} GilkRemoteHead;

/* @number: of the run in its session, from 1 */
gboolean gilk_remote_head_make  (GilkStore *store, const GilkStoredRun *run, guint number, GilkRemoteHead *head,
                                 GError **error);
void     gilk_remote_head_clear (GilkRemoteHead *head);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (GilkRemoteHead, gilk_remote_head_clear)

G_END_DECLS

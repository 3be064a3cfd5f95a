/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-remote-push.h - sends a run to a store: each sample and reading is stored exactly once,
 * however often the run is pushed
 *
 * Uses memory for one block. Rows sent by a failed push stay, and the next push continues
 * after them; gilk-remote-schema.h explains why nothing is stored twice. Samples are read in order
 * of time, and each is sent with the time of the hook's previous sample, because a server does not
 * keep the order.
 *
 * Threads: only the thread that owns the store and the GilkRemote.
 */
#pragma once

#include "core/clickhouse/gilk-remote-blocks.h"
#include "core/store/gilk-store.h"

G_BEGIN_DECLS

typedef struct {
  uint64_t id;                /* id of the run in the store */
  guint    hooks;
  uint64_t samples;           /* number of samples in the run */
  GilkRemoteRowsSent samples_sent, readings_sent;
} GilkRemotePushed;

/**
 * gilk_remote_push:
 * @number: number of the run in its session, from 1
 * @pushed: (out): numbers of rows pushed, also on failure
 * Sends a run to the store. The tables must exist, see gilk_remote_schema_make(). A run that is
 * being recorded is refused with GILK_ERROR_USAGE.
 */
gboolean gilk_remote_push (GilkRemote *remote, GilkStore *store, const GilkStoredRun *run, guint number,
                           const GilkProgress *progress, GilkRemotePushed *pushed, GError **error);

G_END_DECLS

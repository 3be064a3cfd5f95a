/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-remote-push.h - a run into a store, each sample and reading once, however often it is tried
 *
 * Memory for one block. What a push that failed had sent stays, and the next one goes on
 * behind it; gilk-remote-schema.h says why nothing is there twice. Samples come from the cursor by
 * time, and the time to the hook's sample before goes along, for a server has no order of its own.
 *
 * Threads: that of the store and of the GilkRemote.
 */
#pragma once

#include "core/remote/gilk-remote-blocks.h"
#include "core/store/gilk-store.h"

G_BEGIN_DECLS

typedef struct {
  uint64_t id;                /* of the run, there */
  guint    hooks;
  uint64_t samples;           /* that it has */
  GilkRemoteRowsSent samples_sent, readings_sent;
} GilkRemotePushed;

/**
 * gilk_remote_push:
 * @number: of the run in its session, from 1
 * @pushed: (out): on failure too: how far it is
 * The tables have to be there, see gilk_remote_schema_make(). A run that is being recorded is
 * refused with GILK_ERROR_USAGE.
 */
gboolean gilk_remote_push (GilkRemote *remote, GilkStore *store, const GilkStoredRun *run, guint number,
                           const GilkProgress *progress, GilkRemotePushed *pushed, GError **error);

G_END_DECLS

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-remote-push.h - a run into a store, each sample once, however often it is tried
 *
 * Memory for one block of samples. What a push that failed had sent stays, and the next one goes on
 * behind it; gilk-remote-schema.h says why nothing is there twice. Samples come from the cursor by
 * time, and the time to the hook's sample before goes along, for a server has no order of its own.
 *
 * Threads: that of the store and of the GilkRemote.
 */
#pragma once

#include "core/base/gilk-progress.h"
#include "core/remote/gilk-remote.h"
#include "core/store/gilk-store.h"

G_BEGIN_DECLS

/* Rows of one block, so of one request. */
#define GILK_REMOTE_BLOCK (1u << 17)

typedef struct {
  uint64_t id;                /* of the run, there */
  guint    hooks;
  uint64_t samples;           /* that it has */
  uint64_t sent;              /* by this push */
  uint64_t there;             /* and were there before */
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

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-remote-blocks.h - rows of a run on their way into a store, cut into blocks each of which is there once
 *
 * What is sent has to be the same each time a run is pushed: rows in one order, so that blocks have the same
 * rows. gilk-remote-schema.h says why nothing is there twice. Memory for one block.
 *
 * Threads: that of the GilkRemote, which must outlive it as the ledger must.
 */
#pragma once

#include "core/base/gilk-progress.h"
#include "core/remote/gilk-remote-ledger.h"
#include "core/remote/gilk-remote-native.h"

G_BEGIN_DECLS

/* Rows of one block, so of one request. */
#define GILK_REMOTE_BLOCK (1u << 17)

typedef struct {
  uint64_t sent;              /* rows, by this push */
  uint64_t there;             /* and were there before */
} GilkRemoteRowsSent;

typedef struct _GilkRemoteBlocks GilkRemoteBlocks;

/**
 * gilk_remote_blocks_new:
 * @day: when the run began, days since 1970
 * @path: of the session, for errors
 * @progress: (nullable): told of @expected rows in all
 */
GilkRemoteBlocks *gilk_remote_blocks_new  (GilkRemote *remote, GilkLedger *ledger, uint64_t run, guint day,
                                           const char *path, const GilkProgress *progress, uint64_t expected);
void              gilk_remote_blocks_free (GilkRemoteBlocks *blocks);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkRemoteBlocks, gilk_remote_blocks_free)

/* Rows of @table from here on, blocks of @kind, numbered on from those of this kind before. To what is
 * returned columns are added, and values of all rows put: those of run, block, attempt and day are not its
 * caller's. (transfer none) */
GilkNative *gilk_remote_blocks_begin (GilkRemoteBlocks *blocks, GilkLedgerKind kind, const char *table);
/* A row has all its values. */
gboolean    gilk_remote_blocks_row   (GilkRemoteBlocks *blocks, GError **error);
/* No more rows of this table. */
gboolean    gilk_remote_blocks_end   (GilkRemoteBlocks *blocks, GError **error);
/* On failure too: how far it is. */
GilkRemoteRowsSent gilk_remote_blocks_sent (const GilkRemoteBlocks *blocks, GilkLedgerKind kind);

/* Rows that are in no block, @n of them. */
gboolean    gilk_remote_blocks_insert (GilkRemoteBlocks *blocks, const char *table, const GilkNative *rows, guint n,
                                       GError **error);
/* A line of the ledger: all of it is there. */
gboolean    gilk_remote_blocks_note   (GilkRemoteBlocks *blocks, GilkLedgerKind kind, guint32 block, uint64_t attempt,
                                       uint64_t rows, const char *digest, GError **error);
/* What is in the ledger has to be what would be sent: GILK_ERROR_STORE if not. */
gboolean    gilk_remote_blocks_same   (const GilkRemoteBlocks *blocks, const GilkLedgerLine *line, uint64_t rows,
                                       const char *digest, GError **error);

G_END_DECLS

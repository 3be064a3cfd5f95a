/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-remote-blocks.h - sends rows of a run to a store, in blocks that are stored exactly once
 *
 * A run must be sent identically each time it is pushed: rows in the same order, so that blocks
 * have the same rows. gilk-remote-schema.h explains why nothing is stored twice. Uses memory for
 * one block.
 *
 * Threads: only the GilkRemote's thread. The GilkRemote and the ledger must outlive the GilkRemoteBlocks.
 */
#pragma once

#include "core/base/gilk-progress.h"
#include "core/clickhouse/gilk-remote-ledger.h"
#include "core/clickhouse/gilk-remote-rows.h"

G_BEGIN_DECLS

/* Number of rows in a block, and therefore in a request. */
#define GILK_REMOTE_BLOCK (1u << 17)

typedef struct {
  uint64_t sent;              /* number of rows sent by this push */
  uint64_t already_stored;    /* number of rows that an earlier push stored */
} GilkRemoteRowsSent;

typedef struct _GilkRemoteBlocks GilkRemoteBlocks;

/**
 * gilk_remote_blocks_new:
 * @day: start of the run, in days since 1970
 * @path: path of the session, for errors
 * @progress: (nullable): reports progress; @expected: total number of rows
 */
GilkRemoteBlocks *gilk_remote_blocks_new  (GilkRemote *remote, GilkLedger *ledger, uint64_t run, guint day,
                                           const char *path, const GilkProgress *progress, uint64_t expected);
void              gilk_remote_blocks_free (GilkRemoteBlocks *blocks);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkRemoteBlocks, gilk_remote_blocks_free)

/* Starts sending rows of @table in blocks of @kind. Their numbers follow those of earlier blocks of
 * this kind. The caller adds columns to the result, and values for each row; this module adds run,
 * block, attempt and day. (transfer none) */
GilkNative *gilk_remote_blocks_begin (GilkRemoteBlocks *blocks, GilkLedgerKind kind, const char *table);
/* Ends a row, which must have all its values. */
gboolean    gilk_remote_blocks_row   (GilkRemoteBlocks *blocks, GError **error);
/* Ends the rows of the table, and sends the last block. */
gboolean    gilk_remote_blocks_end   (GilkRemoteBlocks *blocks, GError **error);
/* Returns how many rows were sent, also after a failure. */
GilkRemoteRowsSent gilk_remote_blocks_sent (const GilkRemoteBlocks *blocks, GilkLedgerKind kind);

/* Inserts @n rows that are not part of a block. */
gboolean gilk_remote_blocks_insert (GilkRemoteBlocks *blocks, const char *table, const GilkNative *rows, guint n,
                                    GError **error);
/* Records in the ledger, the store's table of pushed blocks, that the rows of a block are
 * stored. */
gboolean gilk_remote_blocks_note   (GilkRemoteBlocks *blocks, GilkLedgerKind kind, guint32 block, uint64_t attempt,
                                    uint64_t rows, const char *digest, GError **error);
/* Checks that @line, which describes a block that an earlier push stored, matches the data to send
 * now. Fails with GILK_ERROR_STORE if not. */
gboolean gilk_remote_blocks_same   (const GilkRemoteBlocks *blocks, const GilkLedgerLine *line, uint64_t rows,
                                    const char *digest, GError **error);

G_END_DECLS

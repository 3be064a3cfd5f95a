/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-remote-ledger.h - lines of a store's ledger: the table of the blocks of rows that were
 * pushed (gilk-remote-schema.h)
 *
 * Threads: only the GilkRemote's thread. The GilkRemote must outlive the ledger.
 */
#pragma once

#include "core/clickhouse/gilk-remote-rows.h"
#include "core/clickhouse/gilk-remote-schema.h"

G_BEGIN_DECLS

typedef struct {
  GilkLedgerKind kind;
  guint32        block;
  uint64_t       attempt, rows;
  gboolean       valid;           /* FALSE: the line was invalidated, because rows of its block are
                                   * missing */
  char           digest[65];
} GilkLedgerLine;

typedef struct _GilkLedger GilkLedger;

GilkLedger *gilk_ledger_read (GilkRemote *remote, uint64_t run, GError **error);
void        gilk_ledger_free (GilkLedger *ledger);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkLedger, gilk_ledger_free)

/* Returns the valid line of a block; NULL if there is none. (transfer none), valid until the next
 * call that adds a line. */
const GilkLedgerLine *gilk_ledger_find (const GilkLedger *ledger, GilkLedgerKind kind, guint32 block);
/* Returns the number of rows in complete blocks of @kind. */
uint64_t    gilk_ledger_rows   (const GilkLedger *ledger, GilkLedgerKind kind);
/* Reads a block's lines again: another push may have sent the block in the meantime. */
gboolean    gilk_ledger_reload   (GilkLedger *ledger, GilkLedgerKind kind, guint32 block, GError **error);
gboolean    gilk_ledger_add    (GilkLedger *ledger, const GilkLedgerLine *line, GError **error);
/* Invalidates the lines of blocks of which the server has fewer rows than the line states. */
gboolean    gilk_ledger_verify (GilkLedger *ledger, GError **error);
/* Returns a new unique number for an attempt to send a block. */
uint64_t    gilk_ledger_attempt (void);

/* Returns the end of an SQL condition, "GLOBAL IN (…)", that selects the rows of valid attempts
 * (each block's one transmission that counts) for the runs in @runs, such as "1, 2", or for all
 * runs if @runs is NULL. The caller puts the columns in front: (run, block, attempt) for samples
 * and readings, (run, attempt) for all else. (transfer full) */
char       *gilk_ledger_valid_attempts_sql (const GilkRemote *remote, GilkLedgerKind kind, const char *runs);

G_END_DECLS

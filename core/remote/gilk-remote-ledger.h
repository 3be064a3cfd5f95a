/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-remote-ledger.h - what of a run is in a store: lines of its ledger (gilk-remote-schema.h)
 *
 * Threads: that of the GilkRemote, which must outlive it.
 */
#pragma once

#include "core/remote/gilk-remote-native.h"
#include "core/remote/gilk-remote-schema.h"

G_BEGIN_DECLS

typedef struct {
  GilkLedgerKind kind;
  guint32        block;
  uint64_t       attempt, rows;
  gboolean       whole;           /* FALSE: counted out */
  char           digest[65];
} GilkLedgerLine;

typedef struct _GilkLedger GilkLedger;

GilkLedger *gilk_ledger_read  (GilkRemote *remote, uint64_t run, GError **error);
void        gilk_ledger_free  (GilkLedger *ledger);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkLedger, gilk_ledger_free)

/* The line that counts; NULL: none. (transfer none), good until the next call that adds. */
const GilkLedgerLine *gilk_ledger_find (const GilkLedger *ledger, GilkLedgerKind kind, guint32 block);
/* In whole blocks of that kind. */
uint64_t    gilk_ledger_rows   (const GilkLedger *ledger, GilkLedgerKind kind);
/* Looks for one block once more: others may have pushed it meanwhile. */
gboolean    gilk_ledger_look   (GilkLedger *ledger, GilkLedgerKind kind, guint32 block, GError **error);
gboolean    gilk_ledger_add    (GilkLedger *ledger, const GilkLedgerLine *line, GError **error);
/* Counts out what has fewer rows than its line says. */
gboolean    gilk_ledger_verify (GilkLedger *ledger, GError **error);
/* A number that no other attempt has. */
uint64_t    gilk_ledger_attempt (void);

/* "GLOBAL IN (…)": the attempts that count, of all runs or of those that @runs lists, "1, 2": of
 * (run, attempt) or, of samples and readings, (run, block, attempt). (transfer full) */
char       *gilk_ledger_counted (const GilkRemote *remote, GilkLedgerKind kind, const char *runs);

G_END_DECLS

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-remote-schema.h - the tables of a store, and how what is pushed is there once
 *
 *   gilk_schema   the version of all this
 *   gilk_ledger   what was pushed: run, kind, block, attempt, rows, digest, whole, at
 *   gilk_run      a run; gilk_hook, gilk_field, gilk_loss, gilk_gap: what belongs to it
 *   gilk_reading  what a counter was: run, hook, t_ns, hits; gilk_off: when a hook was not measured
 *   gilk_sample   a sample a row: run, hook, cpu, t_ns, before_ns, begins, has, n0 to n11, s0 to s11
 *
 * Values of the field at position p are in n<p>, texts in s<p>; bit p of has says that they are
 * there. n<p> has the bits of an unsigned field as a signed number. before_ns is the time of the
 * hook's sample before, on whichever CPU, if begins is 0; 1: it is the first; 2: something may be
 * missing between. The views gilk_runs, gilk_hooks,
 * gilk_readings and gilk_samples are for people.
 *
 * Each once. A server takes a block of rows and may die before it says so; it may take half of one;
 * two may push the same run at once. So no table is believed by itself. What a push sends is cut into
 * blocks, the same whenever it is pushed; it sends each with a number of its own in all rows, the
 * attempt, and when the server has said that all shards have all rows of it, a line into the ledger,
 * with the digest of what it sent. Who reads takes of each block the rows of one attempt that is in
 * the ledger: of several, which hold the same, the least. So the rows of what died half way count
 * for nothing, those of a block that was sent twice count once, and whoever reads while others push
 * sees whole blocks only. A push looks at the ledger and sends what is not there.
 *
 * A server that loses what it had said to have (a machine without power, a disk) leaves attempts in
 * the ledger with fewer rows than it says. A push finds them, counts them out (whole = 0) and sends
 * these blocks again. Rows that do not count cost room, and no more.
 *
 * In a cluster rows are in the tables <name>_shard of the shards, <name> being over all of them, a
 * block on one; replicated where the server has ZooKeeper and the macros shard and replica. Without a
 * cluster <name> holds them itself. Which it is is decided when the tables are made.
 *
 * Threads: that of the GilkRemote.
 */
#pragma once

#include "core/remote/gilk-remote.h"

G_BEGIN_DECLS

#define GILK_REMOTE_SCHEMA  2       /* version; 1 had no readings */
#define GILK_REMOTE_FIELDS  12      /* ILK_FIELDS_MAX */

typedef enum {
  GILK_LEDGER_HEAD, GILK_LEDGER_SAMPLES, GILK_LEDGER_END, GILK_LEDGER_READINGS, GILK_LEDGER_KINDS
} GilkLedgerKind;

/* TRUE: they are there, of this version; a database that was not named is made as well. */
gboolean gilk_remote_schema_make  (GilkRemote *remote, GError **error);
/* FALSE with GILK_ERROR_NOT_FOUND: nothing was pushed there yet. */
gboolean gilk_remote_schema_check (GilkRemote *remote, GError **error);

G_END_DECLS

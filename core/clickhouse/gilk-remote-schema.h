/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-remote-schema.h - the tables of a store, and how each row is stored once
 *
 *   gilk_schema   the version of this schema
 *   gilk_ledger   a line per pushed block of rows: run, kind, block, attempt, rows, digest,
 *   complete, at
 *   gilk_run      a run; gilk_hook, gilk_field, gilk_loss, gilk_gap: parts of a run
 *   gilk_count_point  cumulative hits of a counter: run, hook, t_ns, hits; gilk_off: when a hook was not measuring
 *   gilk_sample   one sample per row: run, hook, cpu, t_ns, before_ns, predecessor, has, n0 to n11,
 *   s0 to s11
 *
 * The value of the field at position p is in n<p> if numeric, in s<p> if a text; bit p of "has" is
 * set if the sample has the field. n<p> holds the bits of an unsigned field as a signed number.
 * "before_ns" is the time of the hook's previous sample, on any CPU, if "predecessor" is 0; 1 means
 * that this is the first sample, 2 that samples may be missing in between. The views gilk_runs,
 * gilk_hooks, gilk_count_points and gilk_samples are for users.
 *
 * How each row is stored once: a server may store a block of rows and die before it acknowledges
 * the block; it may store half of a block; two pushes of the same run may coincide. Therefore
 * the ledger determines which rows are valid. A push divides its rows into blocks, the same ones
 * each time. Each time a block is sent, all its rows have a unique number, the attempt. When the
 * server has acknowledged that the shards have all rows of a block, the push adds a line to the
 * ledger, with a digest of the block. For each block, readers use the rows of one attempt in the
 * ledger: the attempt with the lowest number, as all have the same contents. Thus rows of a push
 * that died half way do not count, a block that was sent twice counts once, and readers see only
 * complete blocks while others push. A push reads the ledger and sends only what is missing.
 *
 * A server that loses acknowledged rows (power failure, broken disk) leaves attempts in the ledger
 * with fewer rows than their lines state. A push finds and invalidates these lines (complete = 0),
 * and sends the blocks again. Rows that do not count only take up space.
 *
 * In a cluster the rows are in tables <name>_shard of the shards, each block on one shard, and
 * <name> is a Distributed table; the shards' tables are replicated if the server has ZooKeeper and
 * the macros shard and replica. Without a cluster <name> holds the rows itself. This is decided
 * when the tables are created.
 *
 * Threads: only the GilkRemote's thread.
 */
#pragma once

#include "core/clickhouse/gilk-remote.h"

G_BEGIN_DECLS

#define GILK_REMOTE_SCHEMA  1       /* version of the schema */
#define GILK_REMOTE_FIELDS  12      /* maximum number of fields, same as ILK_FIELDS_MAX */

typedef enum {
  GILK_LEDGER_METADATA, GILK_LEDGER_SAMPLES, GILK_LEDGER_END, GILK_LEDGER_READINGS, GILK_LEDGER_KINDS
} GilkLedgerKind;

/* Creates the tables, unless they exist in this version; also creates the default database if the
 * URL names none. */
gboolean gilk_remote_schema_make  (GilkRemote *remote, GError **error);
/* Checks the tables. Fails with GILK_ERROR_NOT_FOUND if nothing was pushed to the store yet. */
gboolean gilk_remote_schema_check (GilkRemote *remote, GError **error);

G_END_DECLS

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-samples-sql.h - the samples of a session as tables, for SQL
 *
 * A virtual table for each instrument that took samples in any run:
 *
 *   samples_<instrument> (run, hook, function, block, place, cpu, t, t_ns, <fields>)
 *
 * It reads through GilkSamples. What a query asks of run, hook, cpu, t and t_ns, and which
 * columns it uses, is handed down, so that only those chunks and columns are read.
 *
 * Threads: that of the database connection.
 */
#pragma once

#include <gio/gio.h>
#include <sqlite3.h>

G_BEGIN_DECLS

/**
 * gilk_samples_make_tables:
 * @db: any connection; it gets the tables as temporary ones, which go with it
 * @path: of the session
 * @cancellable: (nullable): ends queries
 */
gboolean gilk_samples_make_tables (sqlite3 *db, const char *path, GCancellable *cancellable,
                                   GError **error);

G_END_DECLS

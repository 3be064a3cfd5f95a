/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-samples-sql.h - makes the samples of a session available to SQL, as tables
 *
 * Provides a virtual table for each instrument that took samples in any run:
 *
 *   samples_<instrument> (run, hook, function, block, place, cpu, t, t_ns, <fields>)
 *
 * The tables use GilkSamples, which gets a query's constraints on run, hook, cpu, t and t_ns, and
 * the columns that the query uses. So only the chunks and columns needed are read.
 *
 * Threads: only the database connection's thread.
 */
#pragma once

#include <gio/gio.h>
#include <sqlite3.h>

G_BEGIN_DECLS

/**
 * gilk_samples_make_tables:
 * @db: any connection; the tables are temporary tables of that connection
 * @path: path of the session
 * @cancellable: (nullable): interrupts queries
 */
gboolean gilk_samples_make_tables (sqlite3 *db, const char *path, GCancellable *cancellable,
                                   GError **error);

G_END_DECLS

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-remote.h - connection to a ClickHouse server, through its HTTP interface
 *
 * Runs one statement at a time. An answer is read completely and checked before any of it is
 * returned. No statement is retried: only the caller can decide which statements may run twice.
 *
 * A server that sends nothing for GILK_REMOTE_PATIENCE seconds is treated as dead; the limit is
 * high because statistics of many samples may take that long, without any output in between.
 *
 * Errors: GILK_ERROR_TARGET if the server cannot be reached or went away, _PERMISSION for a refused
 * user or password, _PROTOCOL if it is not ClickHouse, _NOT_FOUND for an unknown database, _STORE
 * for any other error of the server, _CANCELLED.
 *
 * Threads: one thread at a time.
 */
#pragma once

#include <glib.h>

#include "core/base/gilk-cancellable.h"
#include "core/clickhouse/gilk-remote-rows.h"
#include "core/clickhouse/gilk-remote-url.h"

G_BEGIN_DECLS

#define GILK_REMOTE_PATIENCE    600
#define GILK_REMOTE_ANSWER_MAX  (256u << 20)     /* default of the maximum size of an answer,
                                                  * bytes */

typedef struct _GilkRemote GilkRemote;

/* Connects and checks that the server is ClickHouse and accepts user and password, but not that the
 * server has the database. @cancellable: (nullable): ends each call soon */
GilkRemote *gilk_remote_open (const GilkRemoteUrl *url, GCancellable *cancellable, GError **error);
void        gilk_remote_free (GilkRemote *remote);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkRemote, gilk_remote_free)

/* Returns the server's URL. (transfer none) */
const GilkRemoteUrl *gilk_remote_url     (const GilkRemote *remote);
const char          *gilk_remote_name    (const GilkRemote *remote);     /* HOST:PORT */
/* Sets the limits: a request fails after @seconds without a byte; an answer may have at most
 * @bytes. */
void                 gilk_remote_set_limits (GilkRemote *remote, guint seconds, gsize bytes);

/* Runs a statement. gilk_remote_query() returns its rows; @types: as for
 * gilk_remote_rows_parse(). */
GilkRemoteRows *gilk_remote_query    (GilkRemote *remote, const char *types, const char *sql, GError **error);
gboolean        gilk_remote_execute   (GilkRemote *remote, const char *sql, GError **error);
/**
 * gilk_remote_insert:
 * @into: the start of the statement, "INSERT INTO … FORMAT …"
 * Inserts rows. Returns TRUE if every shard concerned has stored the rows. FALSE: none, some or all
 * rows may have been stored.
 */
gboolean        gilk_remote_insert (GilkRemote *remote, const char *into, const guint8 *rows, gsize size,
                                    GError **error);
/* Appends a string literal for statements, with quotes. */
void            gilk_remote_quote  (GString *sql, const char *text);
/* Connects to another server with the same user and password. @host: a node of the cluster */
GilkRemote     *gilk_remote_open_host (const GilkRemote *remote, const char *host, GError **error);

/**
 * gilk_remote_refusal:
 * Sets @error to the cause of a server's error, and to what to do. May be called by any thread.
 * @name: name of the server, for messages
 * @status: the HTTP status, not 200
 * @body: the answer; it is untrusted, so at most one line of it is shown
 */
void gilk_remote_refusal (const GilkRemoteUrl *url, const char *name, guint status, const char *body,
                          GError **error);

G_END_DECLS

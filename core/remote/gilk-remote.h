/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-remote.h - a ClickHouse server, by its HTTP interface
 *
 * One statement at a time. What a statement answers is read to its end and checked before any of
 * it is returned. Nothing is tried again: who asks knows what may be done twice.
 *
 * A server that sends nothing for GILK_REMOTE_PATIENCE seconds is given up; figures over many
 * samples may take it long, and it sends nothing meanwhile.
 *
 * Errors: GILK_ERROR_TARGET where it cannot be reached or went away, _PERMISSION for users and
 * passwords, _PROTOCOL for what is no ClickHouse, _NOT_FOUND for a database, _STORE for what the
 * server says else, _CANCELLED.
 *
 * Threads: one at a time.
 */
#pragma once

#include <gio/gio.h>

#include "core/remote/gilk-remote-rows.h"
#include "core/remote/gilk-remote-url.h"

G_BEGIN_DECLS

#define GILK_REMOTE_PATIENCE    600
#define GILK_REMOTE_ANSWER_MAX  (256u << 20)     /* bytes of one answer */

typedef struct _GilkRemote GilkRemote;

/* Asks who is there: what is returned is a ClickHouse that took user and password. Whether it has
 * the database is not looked at. @cancellable: (nullable): ends each call soon */
GilkRemote *gilk_remote_open  (const GilkRemoteUrl *url, GCancellable *cancellable, GError **error);
void        gilk_remote_free  (GilkRemote *remote);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkRemote, gilk_remote_free)

/* (transfer none) */
const GilkRemoteUrl *gilk_remote_url     (const GilkRemote *remote);
const char          *gilk_remote_name    (const GilkRemote *remote);     /* HOST:PORT */
const char          *gilk_remote_version (const GilkRemote *remote);     /* "18.16.1" */
/* Seconds without a byte until it is given up; bytes of one answer. */
void                 gilk_remote_set_limits (GilkRemote *remote, guint seconds, gsize bytes);

/* Rows of @types, as of gilk_remote_rows_parse(). */
GilkRemoteRows *gilk_remote_ask    (GilkRemote *remote, const char *types, const char *sql, GError **error);
gboolean        gilk_remote_tell   (GilkRemote *remote, const char *sql, GError **error);
/**
 * gilk_remote_insert:
 * @into: "INSERT INTO … FORMAT …"
 * TRUE: each shard that rows go to has them. Else none, some or all of them may be there.
 */
gboolean        gilk_remote_insert (GilkRemote *remote, const char *into, const guint8 *rows, gsize size,
                                    GError **error);
/* A text as statements have it, with its quotes. */
void            gilk_remote_quote  (GString *sql, const char *text);
/* Another server by the same words. @host: of a cluster's node */
GilkRemote     *gilk_remote_open_beside (const GilkRemote *remote, const char *host, GError **error);

G_END_DECLS

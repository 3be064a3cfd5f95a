/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-remote-url.h - which store, as a user writes it
 *
 *   clickhouse://[USER[:PASSWORD]@]HOST[:PORT][/DATABASE][?cluster=NAME]
 *
 * and clickhouses:// for the same by TLS. The port is that of the HTTP interface. Characters that
 * would mean something in a URL are written as %XX.
 *
 * Threads: any. On failure outputs are untouched.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define GILK_REMOTE_DATABASE "gilk"

typedef struct {
  gboolean tls;
  char    *user, *password;       /* NULL: as the environment has it, else the server's default */
  char    *host;
  guint    port;
  char    *database;              /* a plain name; GILK_REMOTE_DATABASE if none was given */
  gboolean database_given;
  char    *cluster;               /* NULL: the one the server is in; "": none */
} GilkRemoteUrl;

/* TRUE: it means to be one, right or wrong. */
gboolean gilk_remote_url_is    (const char *text);
gboolean gilk_remote_url_parse (const char *text, GilkRemoteUrl *url, GError **error);
void     gilk_remote_url_clear (GilkRemoteUrl *url);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (GilkRemoteUrl, gilk_remote_url_clear)

/* For people: no user, no password. (transfer full) */
char    *gilk_remote_url_name  (const GilkRemoteUrl *url);

G_END_DECLS

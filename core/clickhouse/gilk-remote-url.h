/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-remote-url.h - parses the URL of a store
 *
 *   clickhouse://[USER[:PASSWORD]@]HOST[:PORT][/DATABASE][?cluster=NAME]
 *
 * and clickhouses:// for the same with TLS. The port is the port of the HTTP interface. Reserved
 * characters of URLs are written as %XX.
 *
 * Threads: any. On failure outputs are untouched.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define GILK_REMOTE_DATABASE "gilk"

typedef struct {
  gboolean tls;
  char    *user, *password;       /* NULL: taken from the environment, else the server's default */
  char    *host;
  guint    port;
  char    *database;              /* a plain name; GILK_REMOTE_DATABASE if not given */
  gboolean database_given;
  char    *cluster;               /* NULL: the server's only cluster; "": no cluster */
} GilkRemoteUrl;

/* Returns whether @text has the scheme of a store's URL, even if the rest is invalid. */
gboolean gilk_remote_url_is    (const char *text);
gboolean gilk_remote_url_parse (const char *text, GilkRemoteUrl *url, GError **error);
void     gilk_remote_url_clear (GilkRemoteUrl *url);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (GilkRemoteUrl, gilk_remote_url_clear)

/* Returns HOST:PORT for messages, without user and password. (transfer full) */
char    *gilk_remote_url_name  (const GilkRemoteUrl *url);

G_END_DECLS

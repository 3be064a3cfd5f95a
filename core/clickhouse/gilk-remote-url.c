/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-remote-url.c - parses the URL of a store
 */
#include "core/clickhouse/gilk-remote-url.h"

#include <glib/gi18n.h>
#include <string.h>

#include "core/base/gilk-error.h"

#define PORT_PLAIN 8123
#define PORT_TLS   8443
#define NAME_MAX_BYTES 64

gboolean
gilk_remote_url_is (const char *text)
{
  return g_str_has_prefix (text, "clickhouse://") || g_str_has_prefix (text, "clickhouses://");
}

void
gilk_remote_url_clear (GilkRemoteUrl *url)
{
  g_clear_pointer (&url->user, g_free);
  g_clear_pointer (&url->password, g_free);
  g_clear_pointer (&url->host, g_free);
  g_clear_pointer (&url->database, g_free);
  g_clear_pointer (&url->cluster, g_free);
}

/* Returns whether @text is a safe name: names become parts of SQL statements without further
 * checks. */
static gboolean
is_name (const char *text, const char *others)
{
  gsize n = strlen (text);

  if (n == 0 || n > NAME_MAX_BYTES || g_ascii_isdigit (text[0]))
    return FALSE;
  for (gsize i = 0; i < n; i++)
    if (!g_ascii_isalnum (text[i]) && text[i] != '_' && strchr (others, text[i]) == NULL)
      return FALSE;

  return TRUE;
}

static gboolean
set_url_error (GError **error, const char *why)
{
  return gilk_fail (error, GILK_ERROR_USAGE,
      _("Invalid store URL: %s. Write clickhouse://[USER[:PASSWORD]@]HOST[:PORT][/DATABASE], or "
        "clickhouses:// for TLS."), why);
}

static gboolean
parse_query (GilkRemoteUrl *url, const char *query, GError **error)
{
  if (query == NULL)
    return TRUE;
  if (!g_str_has_prefix (query, "cluster="))
    return set_url_error (error, _("only cluster=NAME may follow \"?\""));
  url->cluster = g_strdup (query + strlen ("cluster="));

  return *url->cluster == '\0' || is_name (url->cluster, ".-") || set_url_error (error, _("invalid cluster name"));
}

static gboolean
parse_database (GilkRemoteUrl *url, const char *path, GError **error)
{
  const char *name = *path == '/' ? path + 1 : path;

  url->database_given = *name != '\0';
  url->database = g_strdup (url->database_given ? name : GILK_REMOTE_DATABASE);

  return is_name (url->database, "") ||
         set_url_error (error, _("a database name has letters, digits and \"_\", and does not start with a digit"));
}

gboolean
gilk_remote_url_parse (const char    *text,
                       GilkRemoteUrl *url,
                       GError       **error)
{
  g_auto(GilkRemoteUrl) found = { 0 };
  g_autoptr(GError) why = NULL;
  g_autoptr(GUri) uri = NULL;
  int port;

  if (!gilk_remote_url_is (text))
    return set_url_error (error, _("the URL does not start with clickhouse:// or clickhouses://"));
  uri = g_uri_parse (text, G_URI_FLAGS_HAS_PASSWORD, &why);
  if (uri == NULL)
    return set_url_error (error, _("invalid host or port, or a \"%\" without two digits after it"));
  if (g_uri_get_host (uri) == NULL || *g_uri_get_host (uri) == '\0')
    return set_url_error (error, _("the URL has no host"));
  if (strpbrk (g_uri_get_host (uri), "/@?#% \t\r\n\\\"'<>") != NULL)
    return set_url_error (error, _("invalid host"));
  if (g_uri_get_fragment (uri) != NULL)
    return set_url_error (error, _("\"#\" is not allowed"));
  port = g_uri_get_port (uri);
  if (port == 0 || port > 65535)
    return set_url_error (error, _("the port must be from 1 to 65535"));

  found.tls = g_str_has_prefix (text, "clickhouses://");
  found.user = g_strdup (g_uri_get_user (uri));
  found.password = g_strdup (g_uri_get_password (uri));
  found.host = g_strdup (g_uri_get_host (uri));
  found.port = port > 0 ? (guint) port : found.tls ? PORT_TLS : PORT_PLAIN;
  if (found.user != NULL && strchr (found.user, ':') != NULL)
    return set_url_error (error, _("a user name must not contain \":\""));
  if (!parse_database (&found, g_uri_get_path (uri), error) || !parse_query (&found, g_uri_get_query (uri), error))
    return FALSE;

  *url = found;
  found = (GilkRemoteUrl) { 0 };

  return TRUE;
}

char *
gilk_remote_url_name (const GilkRemoteUrl *url)
{
  gboolean bare = strchr (url->host, ':') != NULL;      /* an IPv6 address without brackets */

  return g_strdup_printf ("%s%s%s:%u", bare ? "[" : "", url->host, bare ? "]" : "", url->port);
}

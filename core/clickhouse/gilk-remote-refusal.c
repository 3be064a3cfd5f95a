/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-remote-refusal.c - cause and remedy of a server's error
 *
 * ClickHouse answers with "Code: N, e.displayText() = DB::Exception: TEXT, e.what() = …" up to
 * version 20, and with "Code: N. DB::Exception: TEXT (NAME) (version …)" since. The codes have
 * not changed.
 */
#include "core/clickhouse/gilk-remote-metadata.h"

#include <glib/gi18n.h>
#include <string.h>

#include "core/base/gilk-error.h"

#define SHOWN_MAX 200

enum {
  NO_SUCH_TABLE = 60, NO_SUCH_DATABASE = 81, TIMED_OUT = 159, READ_ONLY = 164, NO_SUCH_USER = 192,
  WRONG_PASSWORD = 193, PASSWORD_WANTED = 194, ADDRESS_DENIED = 195, TOO_MANY_QUERIES = 202, SOCKET_TIMED_OUT = 209,
  NO_NETWORK = 210, OUT_OF_MEMORY = 241, ALL_REPLICAS_FAILED = 279, TOO_MANY_PARTS = 252, NO_ROOM = 243,
  NO_KEEPER = 225, REPLICA_READ_ONLY = 242, ACCESS_DENIED = 497, NOT_AUTHENTICATED = 516, KEEPER_FAILED = 999,
};

/* Returns the code, 0 if the body has none. */
static guint
parse_code (const char *body)
{
  const char *at = g_str_has_prefix (body, "Code: ") ? body + strlen ("Code: ") : NULL;
  guint64 code;

  if (at == NULL || !g_ascii_isdigit (*at))
    return 0;
  code = g_ascii_strtoull (at, NULL, 10);

  return code < 100000 ? (guint) code : 0;
}

/* Returns one line of the message, without the text around it and without control characters. */
static char *
extract_text (const char *body)
{
  const char *from = strstr (body, "DB::Exception: ");
  const char *end;
  char *text;

  from = from != NULL ? from + strlen ("DB::Exception: ") : body;
  end = strstr (from, ", e.what()");
  if (end == NULL)
    end = strstr (from, " (version ");
  text = g_utf8_make_valid (from, end != NULL ? end - from : (gssize) strnlen (from, 2 * SHOWN_MAX));
  for (char *at = text; *at != '\0'; at++)
    if (g_ascii_iscntrl (*at))
      *at = ' ';
  if (g_utf8_strlen (text, -1) > SHOWN_MAX)
    strcpy (g_utf8_offset_to_pointer (text, SHOWN_MAX - 3), "...");
  g_strstrip (text);
  if (g_str_has_suffix (text, "."))
    text[strlen (text) - 1] = '\0';

  return text;
}

void
gilk_remote_refusal (const GilkRemoteUrl *url,
                     const char          *name,
                     guint                status,
                     const char          *body,
                     GError             **error)
{
  g_autofree char *text = extract_text (body);
  guint code = parse_code (body);

  switch (code)
    {
    case 0:
      if (status == 401 || status == 403)
        g_set_error (error, GILK_ERROR, GILK_ERROR_PERMISSION,
                     _("The server at %s rejects this user or password. Write them into the URL, or set "
                       "CLICKHOUSE_USER and CLICKHOUSE_PASSWORD."), name);
      else
        g_set_error (error, GILK_ERROR, GILK_ERROR_PROTOCOL,
                     _("%s answers with HTTP status %u, which ClickHouse does not. Check the "
                       "host and the port. The port must be that of ClickHouse's HTTP interface, "
                       "usually 8123."), name, status);
      break;
    case NO_SUCH_USER: case WRONG_PASSWORD: case PASSWORD_WANTED: case NOT_AUTHENTICATED: case ADDRESS_DENIED:
      g_set_error (error, GILK_ERROR, GILK_ERROR_PERMISSION,
                   _("The store at %s denies access to this user: %s. Write USER:PASSWORD@ in front of the host, or "
                     "set CLICKHOUSE_USER and CLICKHOUSE_PASSWORD."), name, text);
      break;
    case READ_ONLY: case ACCESS_DENIED:
      g_set_error (error, GILK_ERROR, GILK_ERROR_PERMISSION,
                   _("The store at %s denies this user a permission: %s. Use a user that may "
                     "create tables and write to them. To read only, a user that may change "
                     "settings (readonly = 2) is enough."), name, text);
      break;
    case NO_SUCH_DATABASE:
      g_set_error (error, GILK_ERROR, GILK_ERROR_NOT_FOUND,
                   _("The store at %s has no database \"%s\". Create it there with CREATE "
                     "DATABASE %s, or write the name of another database after the host: "
                     "HOST/DATABASE."), name, url->database, url->database);
      break;
    case OUT_OF_MEMORY:
      g_set_error (error, GILK_ERROR, GILK_ERROR_STORE,
                   _("The store at %s has too little memory for this: %s. Select fewer runs or hooks, or raise "
                     "max_memory_usage of this user there."), name, text);
      break;
    case NO_NETWORK: case SOCKET_TIMED_OUT: case ALL_REPLICAS_FAILED: case TIMED_OUT:
      g_set_error (error, GILK_ERROR, GILK_ERROR_TARGET,
                   _("The store at %s cannot reach a server of its cluster: %s. Start that server, and try again."),
                   name, text);
      break;
    case NO_KEEPER: case REPLICA_READ_ONLY: case KEEPER_FAILED:
      g_set_error (error, GILK_ERROR, GILK_ERROR_TARGET,
                   _("The store at %s cannot write to its replicated tables: %s. Check that its ZooKeeper is running, "
                     "and try again."), name, text);
      break;
    case TOO_MANY_PARTS: case TOO_MANY_QUERIES:
      g_set_error (error, GILK_ERROR, GILK_ERROR_STORE,
                   _("The store at %s is too busy: %s. Try again later."), name, text);
      break;
    case NO_ROOM:
      g_set_error (error, GILK_ERROR, GILK_ERROR_STORE,
                   _("The store at %s is full: %s. Free some space there, and try again."), name, text);
      break;
    default:
      g_set_error (error, GILK_ERROR, GILK_ERROR_STORE,
                   _("The store at %s reports an error (code %u): %s. See that server's log."), name, code, text);
    }
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-remote.c - connection to a ClickHouse server, through its HTTP interface, and the causes
 * of its errors
 */
#include "core/clickhouse/gilk-remote.h"

#include <curl/curl.h>
#include <gio/gio.h>
#include <glib/gi18n.h>
#include <string.h>

#include "core/base/gilk-error.h"
#include "core/base/gilk-library.h"

#define CONNECT_SECONDS 10
#define GREETING        "gilk"
#define GREETING_MAX    4096

#define CURL_FUNCTIONS(F) \
  F (curl_easy_cleanup) F (curl_easy_getinfo) F (curl_easy_init) F (curl_easy_perform) F (curl_easy_reset) F (curl_easy_setopt) \
  F (curl_easy_strerror) F (curl_global_init) F (curl_slist_append) F (curl_slist_free_all)

CURL_FUNCTIONS (GILK_LIBRARY_POINTER)
static const GilkLibraryFunction curl_functions[] = { CURL_FUNCTIONS (GILK_LIBRARY_ENTRY) };

struct _GilkRemote {
  CURL          *curl;
  GilkRemoteUrl  url;
  GCancellable  *cancellable;
  char          *name;
  guint          patience;
  gsize          most;                  /* maximum size of an answer, bytes */

  GString       *answer;                /* answer to the current request */
  gboolean       too_long;
  gint64         heard;                 /* monotonic time, in microseconds, when bytes were last
                                         * sent or received */
  curl_off_t     moved;                 /* number of bytes sent and received until @heard */
  char           words[CURL_ERROR_SIZE];
};

const GilkRemoteUrl *
gilk_remote_url (const GilkRemote *remote)
{
  return &remote->url;
}

const char *
gilk_remote_name (const GilkRemote *remote)
{
  return remote->name;
}

void
gilk_remote_set_limits (GilkRemote *remote, guint seconds, gsize bytes)
{
  remote->patience = seconds;
  remote->most = bytes;
}

/* ---- HTTP requests ---- */

static size_t
on_bytes (char *bytes, size_t size, size_t n, void *data)
{
  GilkRemote *remote = data;

  remote->too_long = n > remote->most - MIN (remote->most, remote->answer->len);
  if (remote->too_long)
    return 0;
  g_string_append_len (remote->answer, bytes, (gssize) n);

  return n;
}

/* Called by curl about once a second, and more often while data are transferred. Returns a value
 * other than 0 to end the request. */
static int
on_progress (void *data, curl_off_t all_down, curl_off_t down, curl_off_t all_up, curl_off_t up)
{
  GilkRemote *remote = data;
  gint64 now = g_get_monotonic_time ();

  if (down + up != remote->moved)
    {
      remote->moved = down + up;
      remote->heard = now;
    }

  return g_cancellable_is_cancelled (remote->cancellable) ||
         now - remote->heard > (gint64) remote->patience * G_USEC_PER_SEC;
}

static gboolean
make_headers (GilkRemote *remote, struct curl_slist **headers, GError **error)
{
  const char *user = remote->url.user, *password = remote->url.password;
  g_autofree char *user_line = NULL, *password_line = NULL;

  if (user == NULL)
    user = g_getenv ("CLICKHOUSE_USER");
  if (password == NULL)
    password = g_getenv ("CLICKHOUSE_PASSWORD");
  if ((user != NULL && strpbrk (user, "\r\n") != NULL) || (password != NULL && strpbrk (password, "\r\n") != NULL))
    {
      g_set_error_literal (error, GILK_ERROR, GILK_ERROR_USAGE,
                           _("A user name or password must not contain line breaks."));
      return FALSE;
    }
  if (user != NULL && *user != '\0')
    user_line = g_strconcat ("X-ClickHouse-User: ", user, NULL);
  if (password != NULL && *password != '\0')
    password_line = g_strconcat ("X-ClickHouse-Key: ", password, NULL);
  if (user_line != NULL)
    *headers = sym_curl_slist_append (*headers, user_line);
  if (password_line != NULL)
    *headers = sym_curl_slist_append (*headers, password_line);
  *headers = sym_curl_slist_append (*headers, "Expect:");       /* no "Expect: 100-continue", which
                                                             * would cost a round trip per block */
  *headers = sym_curl_slist_append (*headers, "Content-Type: application/octet-stream");

  return TRUE;
}

static void
set_up_request (GilkRemote *remote, const char *address, struct curl_slist *headers, const void *body, gsize size)
{
  CURL *curl = remote->curl;

  sym_curl_easy_reset (curl);               /* resets all options, but does not close connections */
  sym_curl_easy_setopt (curl, CURLOPT_URL, address);
  sym_curl_easy_setopt (curl, CURLOPT_HTTPHEADER, headers);
  sym_curl_easy_setopt (curl, CURLOPT_PROTOCOLS_STR, remote->url.tls ? "https" : "http");
  if (g_getenv ("SSL_CERT_FILE") != NULL)
    sym_curl_easy_setopt (curl, CURLOPT_CAINFO, g_getenv ("SSL_CERT_FILE"));
  sym_curl_easy_setopt (curl, CURLOPT_FOLLOWLOCATION, 0L);
  sym_curl_easy_setopt (curl, CURLOPT_PROXY, "");
  sym_curl_easy_setopt (curl, CURLOPT_NOSIGNAL, 1L);
  sym_curl_easy_setopt (curl, CURLOPT_TCP_KEEPALIVE, 1L);
  sym_curl_easy_setopt (curl, CURLOPT_CONNECTTIMEOUT, (long) MIN (CONNECT_SECONDS, remote->patience));
  sym_curl_easy_setopt (curl, CURLOPT_ERRORBUFFER, remote->words);
  sym_curl_easy_setopt (curl, CURLOPT_POST, 1L);
  sym_curl_easy_setopt (curl, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t) size);
  sym_curl_easy_setopt (curl, CURLOPT_POSTFIELDS, body);
  sym_curl_easy_setopt (curl, CURLOPT_WRITEFUNCTION, on_bytes);
  sym_curl_easy_setopt (curl, CURLOPT_WRITEDATA, remote);
  sym_curl_easy_setopt (curl, CURLOPT_NOPROGRESS, 0L);
  sym_curl_easy_setopt (curl, CURLOPT_XFERINFOFUNCTION, on_progress);
  sym_curl_easy_setopt (curl, CURLOPT_XFERINFODATA, remote);
}

static char *
make_address (const GilkRemote *remote, const char *query, const char *settings)
{
  g_autofree char *escaped = query != NULL ? g_uri_escape_string (query, NULL, FALSE) : NULL;

  return g_strconcat (remote->url.tls ? "https://" : "http://", remote->name, "/?wait_end_of_query=1", settings,
                      escaped != NULL ? "&query=" : "", escaped, NULL);
}

static void
set_reach_error (const GilkRemote *remote, CURLcode code, GError **error)
{
  g_autofree char *why = g_strdup (*remote->words != '\0' ? remote->words : sym_curl_easy_strerror (code));

  for (gsize n = strlen (why); n > 0 && why[n - 1] == '.'; n--)
    why[n - 1] = '\0';
  if (g_cancellable_is_cancelled (remote->cancellable))
    g_set_error_literal (error, GILK_ERROR, GILK_ERROR_CANCELLED, _("Cancelled."));
  else if (remote->too_long)
    g_set_error (error, GILK_ERROR, GILK_ERROR_PROTOCOL,
                 _("The answer of the store at %s is too long. Check that a ClickHouse server is there, and that the port is "
                   "that of its HTTP interface."), remote->name);
  else if (code == CURLE_ABORTED_BY_CALLBACK)
    g_set_error (error, GILK_ERROR, GILK_ERROR_TARGET,
                 _("The store at %s has sent nothing for %u seconds. Check whether it is overloaded, and try again."),
                 remote->name, remote->patience);
  else if (code == CURLE_COULDNT_CONNECT || code == CURLE_COULDNT_RESOLVE_HOST || code == CURLE_OPERATION_TIMEDOUT)
    g_set_error (error, GILK_ERROR, GILK_ERROR_TARGET,
                 _("Cannot reach the store at %s: %s. Check host and port (that of the HTTP interface, usually 8123), "
                   "and that the server is running."), remote->name, why);
  else if (code == CURLE_SSL_CONNECT_ERROR || code == CURLE_PEER_FAILED_VERIFICATION)
    g_set_error (error, GILK_ERROR, GILK_ERROR_TARGET,
                 _("TLS with the store at %s failed: %s. If it does not use TLS, write clickhouse://; otherwise make "
                   "this machine trust the certificate's issuer, or set SSL_CERT_FILE to a file with the issuer's "
                   "certificate."), remote->name, why);
  else if (code == CURLE_SSL_CACERT_BADFILE)
    g_set_error (error, GILK_ERROR, GILK_ERROR_USAGE,
                 _("The file in SSL_CERT_FILE, \"%s\", has no readable certificates. Name a PEM file, or unset it."), g_getenv ("SSL_CERT_FILE"));
  else if (code == CURLE_UNSUPPORTED_PROTOCOL || code == CURLE_WEIRD_SERVER_REPLY)
    g_set_error (error, GILK_ERROR, GILK_ERROR_PROTOCOL,
                 _("%s does not speak HTTP (%s). Use the port of ClickHouse's HTTP interface, usually 8123."),
                 remote->name, why);
  else
    g_set_error (error, GILK_ERROR, GILK_ERROR_TARGET,
                 _("Connection to the store at %s lost: %s. Check that the server is still running%s, and try again."),
                 remote->name,
                 why, remote->url.tls ? "" : _(", and whether its port uses TLS, which needs clickhouses://"));
}

/* Sends a request. On success the answer is in remote->answer. */
static gboolean
send_request (GilkRemote *remote, const char *query, const char *settings, const void *body, gsize size, GError **error)
{
  g_autofree char *address = make_address (remote, query, settings);
  struct curl_slist *headers = NULL;
  gboolean done = FALSE;
  CURLcode code;
  long status = 0;

  if (make_headers (remote, &headers, error))
    {
      g_string_truncate (remote->answer, 0);
      remote->too_long = FALSE;
      remote->moved = 0;
      remote->heard = g_get_monotonic_time ();
      *remote->words = '\0';
      set_up_request (remote, address, headers, body, size);
      code = sym_curl_easy_perform (remote->curl);
      sym_curl_easy_getinfo (remote->curl, CURLINFO_RESPONSE_CODE, &status);
      done = code == CURLE_OK && status == 200;
      if (code != CURLE_OK)
        set_reach_error (remote, code, error);
      else if (!done)
        gilk_remote_refusal (&remote->url, remote->name, (guint) status, remote->answer->str, error);
    }
  sym_curl_slist_free_all (headers);

  return done;
}

/* ---- SQL statements ---- */

GilkRemoteRows *
gilk_remote_query (GilkRemote *remote,
                   const char *types,
                   const char *sql,
                   GError    **error)
{
  g_autofree char *body = g_strconcat (sql, " FORMAT TabSeparated", NULL);
  /* A statement with thousands of ranks exceeds the server's default limits, so raise them. */
  const char *settings = strlen (sql) < 200000 ? "" : "&max_query_size=67108864&max_ast_elements=10000000"
                                                      "&max_expanded_ast_elements=10000000";
  GString *answer;
  gsize size;

  if (!send_request (remote, NULL, settings, body, strlen (body), error))
    return NULL;
  answer = remote->answer;
  size = answer->len;
  remote->answer = g_string_new (NULL);

  return gilk_remote_rows_parse (g_string_free (answer, FALSE), size, types, error);
}

gboolean
gilk_remote_execute (GilkRemote *remote,
                     const char *sql,
                     GError    **error)
{
  return send_request (remote, NULL, "", sql, strlen (sql), error);
}

gboolean
gilk_remote_insert (GilkRemote   *remote,
                    const char   *into,
                    const guint8 *rows,
                    gsize         size,
                    GError      **error)
{
  /* insert_distributed_sync makes a Distributed table answer once the shards have stored the rows,
   * not when it has queued them. */
  return send_request (remote, into, "&insert_distributed_sync=1", rows, size, error);
}

void
gilk_remote_quote (GString    *sql,
                   const char *text)
{
  g_string_append_c (sql, '\'');
  for (const char *at = text; *at != '\0'; at++)
    {
      if (*at == '\'' || *at == '\\')
        g_string_append_c (sql, '\\');
      g_string_append_c (sql, *at);
    }
  g_string_append_c (sql, '\'');
}

/* ---- opens and closes a connection ---- */

static GilkRemote *
remote_new (const GilkRemoteUrl *url, const char *host, GCancellable *cancellable)
{
  GilkRemote *remote = g_new0 (GilkRemote, 1);

  sym_curl_global_init (CURL_GLOBAL_DEFAULT);
  remote->curl = sym_curl_easy_init ();
  remote->url = *url;
  remote->url.user = g_strdup (url->user);
  remote->url.password = g_strdup (url->password);
  remote->url.host = g_strdup (host);
  remote->url.database = g_strdup (url->database);
  remote->url.cluster = g_strdup (url->cluster);
  remote->name = gilk_remote_url_name (&remote->url);
  remote->cancellable = cancellable != NULL ? g_object_ref (cancellable) : NULL;
  remote->answer = g_string_new (NULL);

  return remote;
}

/* Checks that the server is ClickHouse. */
static gboolean
check_server (GilkRemote *remote, GError **error)
{
  g_autoptr(GilkRemoteRows) rows = NULL;
  g_autoptr(GError) why = NULL;

  rows = gilk_remote_query (remote, "s", "SELECT '" GREETING "'", &why);
  if (rows != NULL && rows->n == 1 && strcmp (gilk_remote_rows_text (rows, 0, 0), GREETING) == 0)
    return TRUE;
  if (why != NULL && !g_error_matches (why, GILK_ERROR, GILK_ERROR_PROTOCOL))
    {
      g_propagate_error (error, g_steal_pointer (&why));
      return FALSE;
    }
  return gilk_fail (error, GILK_ERROR_PROTOCOL,
      _("%s is not a ClickHouse server. Check the host and the port. The port must be "
        "that of ClickHouse's HTTP interface, usually 8123."), remote->name);
}

static GilkRemote *
connect_to (const GilkRemoteUrl *url, const char *host, GCancellable *cancellable, guint patience, GError **error)
{
  g_autoptr(GilkRemote) remote = NULL;

  if (!gilk_library_load (GILK_CURL_SONAME, curl_functions, G_N_ELEMENTS (curl_functions), error))
    return NULL;
  remote = remote_new (url, host, cancellable);
  if (remote->curl == NULL)
    {
      g_set_error_literal (error, GILK_ERROR, GILK_ERROR_FAILED,
                           _("Cannot connect: libcurl is out of memory. Free some and try again."));
      return NULL;
    }
  /* A server that does not answer this first request soon will not answer at all. */
  gilk_remote_set_limits (remote, MIN (patience, CONNECT_SECONDS), GREETING_MAX);
  if (!check_server (remote, error))
    return NULL;
  gilk_remote_set_limits (remote, patience, GILK_REMOTE_ANSWER_MAX);

  return g_steal_pointer (&remote);
}

GilkRemote *
gilk_remote_open (const GilkRemoteUrl *url,
                  GCancellable        *cancellable,
                  GError             **error)
{
  return connect_to (url, url->host, cancellable, GILK_REMOTE_PATIENCE, error);
}

GilkRemote *
gilk_remote_open_host (const GilkRemote *remote,
                       const char       *host,
                       GError          **error)
{
  if (*host != '\0' && strspn (host, "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz.:_-") == strlen (host))
    return connect_to (&remote->url, host, remote->cancellable, remote->patience, error);
  return gilk_fail_null (error, GILK_ERROR_PROTOCOL,
      _("The store at %s has an invalid host name for a node of its cluster. Check remote_servers in its "
        "configuration."), remote->name);
}

void
gilk_remote_free (GilkRemote *remote)
{
  if (remote == NULL)
    return;

  g_clear_pointer (&remote->curl, sym_curl_easy_cleanup);
  gilk_remote_url_clear (&remote->url);
  g_clear_object (&remote->cancellable);
  g_string_free (remote->answer, TRUE);
  g_free (remote->name);
  g_free (remote);
}

/*
 * Cause and remedy of a server's error.
 *
 * ClickHouse answers with "Code: N, e.displayText() = DB::Exception: TEXT, e.what() = …" up to
 * version 20, and with "Code: N. DB::Exception: TEXT (NAME) (version …)" since. The codes have
 * not changed.
 */

#define SHOWN_MAX 200

enum {
  NO_SUCH_TABLE = 60, NO_SUCH_DATABASE = 81, TIMED_OUT = 159, READ_ONLY = 164, NO_SUCH_USER = 192,
  WRONG_PASSWORD = 193, PASSWORD_WANTED = 194, ADDRESS_DENIED = 195, TOO_MANY_QUERIES = 202, SOCKET_TIMED_OUT = 209,
  NO_NETWORK = 210, OUT_OF_MEMORY = 241, ALL_REPLICAS_FAILED = 279, TOO_MANY_PARTS = 252, NO_ROOM = 243,
  NO_KEEPER = 225, REPLICA_READ_ONLY = 242, ACCESS_DENIED = 497, NOT_AUTHENTICATED = 516, KEEPER_FAILED = 999,
};

/* Returns the error code in an answer's body; 0 if the body has none. */
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

/* Returns one line of the error message in an answer's body, without the text around the message
 * and without control characters. */
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

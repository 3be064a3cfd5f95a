/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test-remote.c - reads valid and invalid answers of a remote store: URLs, rows, refusals,
 * servers that send arbitrary bytes
 *
 * The server is a thread that answers each connection with the same bytes, whatever the request.
 */
/* Promise: invalid answers of a store are refused */
#include <gio/gio.h>
#include <math.h>
#include <string.h>

#include "core/base/gilk-error.h"
#include "core/clickhouse/gilk-remote-rows.h"
#include "core/clickhouse/gilk-remote.h"

/* ---- tests of URLs of stores ---- */

static void
test_urls (void)
{
  g_auto(GilkRemoteUrl) url = { 0 }, whole = { 0 }, six = { 0 };
  g_autofree char *name = NULL, *name_six = NULL;
  GError *error = NULL;

  g_assert_true (gilk_remote_url_parse ("clickhouse://host", &url, &error));
  g_assert_cmpstr (url.host, ==, "host");
  g_assert_cmpuint (url.port, ==, 8123);
  g_assert_cmpstr (url.database, ==, GILK_REMOTE_DATABASE);
  g_assert_false (url.tls || url.database_given);
  g_assert_null (url.user);
  g_assert_null (url.cluster);

  g_assert_true (gilk_remote_url_parse ("clickhouses://me:p%40ss%3A@h.example:99/my_db?cluster=a-b", &whole, &error));
  name = gilk_remote_url_name (&whole);
  g_assert_true (whole.tls && whole.database_given);
  g_assert_cmpstr (whole.user, ==, "me");
  g_assert_cmpstr (whole.password, ==, "p@ss:");
  g_assert_cmpstr (whole.database, ==, "my_db");
  g_assert_cmpstr (whole.cluster, ==, "a-b");
  g_assert_cmpstr (name, ==, "h.example:99");

  g_assert_true (gilk_remote_url_parse ("clickhouse://[::1]?cluster=", &six, &error));
  name_six = gilk_remote_url_name (&six);
  g_assert_cmpstr (name_six, ==, "[::1]:8123");
  g_assert_cmpstr (six.cluster, ==, "");
}

static void
test_bad_urls (void)
{
  static const char *const bad[] = {
    "", "http://host", "clickhouse:/host", "clickhouse://", "clickhouse://:8123", "clickhouse://h:0", "clickhouse://h:99999",
    "clickhouse://h:x", "clickhouse://h/a/b", "clickhouse://h/1a", "clickhouse://h/a'b", "clickhouse://h/a%27b",
    "clickhouse://h?clutser=x", "clickhouse://h?cluster=a'b", "clickhouse://h#x", "clickhouse://h%00x",
    "clickhouse://a%0d%0ab", "clickhouse://h/%", "clickhouse://a%3ab:c@h",
  };

  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      GilkRemoteUrl url = { .port = 7 };
      g_autoptr(GError) error = NULL;

      if (gilk_remote_url_parse (bad[i], &url, &error))
        g_error ("\"%s\" was taken", bad[i]);
      g_assert_error (error, GILK_ERROR, GILK_ERROR_USAGE);
      g_assert_cmpuint (url.port, ==, 7);
    }
}

/* ---- tests of rows in answers ---- */

static GilkRemoteRows *
parse_rows (const char *text, const char *types, GError **error)
{
  return gilk_remote_rows_parse (g_strdup (text), strlen (text), types, error);
}

static void
test_rows (void)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(GilkRemoteRows) rows =
    parse_rows ("18446744073709551615\t-9223372036854775808\t1.5e-7\ta\\tb\\\\\\n\n0\t7\tnan\t\n", "uids", &error);
  g_autoptr(GilkRemoteRows) none = parse_rows ("", "u", &error);

  g_assert_no_error (error);
  g_assert_cmpuint (rows->n, ==, 2);
  g_assert_cmpuint (gilk_remote_rows_uint (rows, 0, 0), ==, G_MAXUINT64);
  g_assert_cmpint (gilk_remote_rows_int (rows, 0, 1), ==, G_MININT64);
  g_assert_true (gilk_remote_rows_double (rows, 0, 2) == 1.5e-7);
  g_assert_cmpstr (gilk_remote_rows_text (rows, 0, 3), ==, "a\tb\\\n");
  g_assert_true (isnan (gilk_remote_rows_double (rows, 1, 2)));
  g_assert_cmpstr (gilk_remote_rows_text (rows, 1, 3), ==, "");
  g_assert_cmpuint (none->n, ==, 0);
}

static void
test_bad_rows (void)
{
  static const struct { const char *text, *types; } bad[] = {
    { "1", "u" }, { "1\t2\n", "u" }, { "1\n", "uu" }, { "-1\n", "u" }, { "+1\n", "u" }, { " 1\n", "u" }, { "1.0\n", "u" },
    { "18446744073709551616\n", "u" }, { "9223372036854775808\n", "i" }, { "\n", "u" }, { "x\n", "d" }, { "\n", "d" },
    { "1,5\n", "d" }, { " 1\n", "d" }, { "a\\0b\n", "s" }, { "a\\", "s" }, { "a\\\n", "s" }, { "\\q\n", "s" },
    { "\xff\n", "s" }, { "<html>\n<body>\n", "us" }, { "Code: 60\n", "u" }, { "1\n\n1\n", "u" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_autoptr(GError) error = NULL;
      g_autoptr(GilkRemoteRows) rows = parse_rows (bad[i].text, bad[i].types, &error);

      if (rows != NULL)
        g_error ("rows %u were taken", i);
      g_assert_error (error, GILK_ERROR, GILK_ERROR_PROTOCOL);
    }
}

static void
test_native (void)
{
  static const guint8 expected[] = "\x02\x02" "\x01" "a" "\x06" "UInt16" "\x01\x02\xff\xff" "\x01" "s" "\x06" "String"
                                   "\x02" "hi" "\x00";
  g_autoptr(GByteArray) bytes = g_byte_array_new ();
  g_autoptr(GilkNative) native = gilk_native_new ();
  guint a = gilk_native_column (native, "a", GILK_NATIVE_U16), s = gilk_native_column (native, "s", GILK_NATIVE_TEXT);
  g_autofree char *names = gilk_native_names (native), *before = NULL, *after = NULL;

  gilk_native_put (native, a, 0x0201);
  gilk_native_put (native, a, 0xffff);
  gilk_native_put_text (native, s, "hi");
  gilk_native_put_text (native, s, NULL);
  gilk_native_write (native, 2, bytes);
  g_assert_cmpmem (bytes->data, bytes->len, expected, sizeof expected - 1);
  g_assert_cmpstr (names, ==, "(a, s)");
  before = gilk_native_digest (native);
  gilk_native_clear (native);
  after = gilk_native_digest (native);
  g_assert_cmpstr (before, !=, after);
  gilk_native_write (native, 0, bytes);
  g_assert_cmpuint (bytes->len, ==, 20);
}

/* ---- tests of servers that send arbitrary bytes ---- */

typedef struct {
  GSocketService *service;
  char           *url;
  /* Bytes of the answer. If NULL, the server does not answer, and the connection stays open. */
  const char     *answer;
  guint           times;          /* number of times that the answer is sent */
  /* The first @greeted requests get a valid greeting instead of @answer. */
  guint           greeted;
  gint            requests;
  /* Number of connections that were accepted and are not finished. */
  gint            inside;
} Liar;

#define HEAD "HTTP/1.1 200 OK\r\nConnection: close\r\n"
#define GREETING HEAD "Content-Length: 5\r\n\r\ngilk\n"

static gboolean
on_incoming (GSocketService *service, GSocketConnection *connection, GObject *source, gpointer data)
{
  Liar *liar = data;

  (void) service;
  (void) connection;
  (void) source;
  g_atomic_int_inc (&liar->inside);

  return FALSE;
}

static void
answer_client (Liar *liar, GSocketConnection *connection)
{
  GInputStream *in = g_io_stream_get_input_stream (G_IO_STREAM (connection));
  GOutputStream *out = g_io_stream_get_output_stream (G_IO_STREAM (connection));
  gboolean greet = g_atomic_int_add (&liar->requests, 1) < (gint) liar->greeted;
  const char *answer = greet ? GREETING : liar->answer;
  char request[65536];

  if (g_input_stream_read (in, request, sizeof request, NULL, NULL) <= 0)
    return;
  while (answer == NULL)
    /* Without an answer to send, wait until the client closes the connection. */
    if (g_input_stream_read (in, request, sizeof request, NULL, NULL) <= 0)
      return;
  for (guint i = 0; i < (greet ? 1 : liar->times); i++)
    if (!g_output_stream_write_all (out, answer, strlen (answer), NULL, NULL, NULL))
      break;
  /* Read the rest of the request, so that the client gets the answer before the connection ends. */
  g_socket_shutdown (g_socket_connection_get_socket (connection), FALSE, TRUE, NULL);
  while (g_input_stream_read (in, request, sizeof request, NULL, NULL) > 0)
    ;
}

static gboolean
on_connection (GThreadedSocketService *service, GSocketConnection *connection, GObject *source, gpointer data)
{
  Liar *liar = data;

  (void) service;
  (void) source;
  answer_client (liar, connection);
  g_atomic_int_add (&liar->inside, -1);

  return TRUE;
}


static void
lying_server_start (Liar *liar, const char *answer, guint greeted)
{
  GError *error = NULL;
  guint16 port;

  *liar = (Liar) { .service = g_threaded_socket_service_new (4), .answer = answer, .times = 1, .greeted = greeted };
  port = g_socket_listener_add_any_inet_port (G_SOCKET_LISTENER (liar->service), NULL, &error);
  g_assert_no_error (error);
  liar->url = g_strdup_printf ("clickhouse://127.0.0.1:%u", port);
  g_signal_connect (liar->service, "incoming", G_CALLBACK (on_incoming), liar);
  g_signal_connect (liar->service, "run", G_CALLBACK (on_connection), liar);
  g_socket_service_start (liar->service);
}

/* Waits until all connections have ended, so that the answer can be freed. */
static void
lying_server_stop (Liar *liar)
{
  g_socket_service_stop (liar->service);
  g_socket_listener_close (G_SOCKET_LISTENER (liar->service));
  while (g_atomic_int_get (&liar->inside) > 0)
    g_usleep (100);
  g_clear_object (&liar->service);
  g_clear_pointer (&liar->url, g_free);
}

/* The server needs a main loop to accept connections and the client blocks, so the client runs in
 * its own thread. */
typedef struct {
  Liar         *liar;
  GCancellable *cancellable;
  guint         patience;
  gsize         bytes;
  GError       *error;
  GilkErrorCode code;
  double        seconds;
  gint          done;
} Client;

static gpointer
be_client (gpointer data)
{
  Client *client = data;
  g_auto(GilkRemoteUrl) url = { 0 };
  g_autoptr(GilkRemote) remote = NULL;
  gint64 begin = g_get_monotonic_time ();

  g_assert_true (gilk_remote_url_parse (client->liar->url, &url, NULL));
  remote = gilk_remote_open (&url, client->cancellable, &client->error);
  if (remote != NULL)
    {
      g_autoptr(GilkRemoteRows) rows = NULL;

      gilk_remote_set_limits (remote, client->patience, client->bytes);
      rows = gilk_remote_query (remote, "us", "SELECT 1, 'x'", &client->error);
      g_assert_true (rows == NULL || client->error == NULL);
    }
  client->seconds = (double) (g_get_monotonic_time () - begin) / 1e6;
  g_atomic_int_set (&client->done, 1);
  g_main_context_wakeup (NULL);

  return NULL;
}

static void
run_conversation (Client *client)
{
  GThread *thread = g_thread_new ("client", be_client, client);

  while (!g_atomic_int_get (&client->done))
    g_main_context_iteration (NULL, TRUE);
  g_thread_join (thread);
}

static void
test_liars (void)
{
  static const struct { const char *answer; guint greeted; GilkErrorCode code; const char *says; } cases[] = {
    { HEAD "Content-Length: 4\r\n\r\n1\ta\n", 1, 0, NULL },
    { "SSH-2.0-OpenSSH_9.2\r\n", 0, GILK_ERROR_PROTOCOL, "HTTP" },
    { "", 0, GILK_ERROR_TARGET, "Connection to the store" },
    { HEAD "Content-Length: 12\r\n\r\nhello world\n", 0, GILK_ERROR_PROTOCOL, "is not a ClickHouse" },
    { "HTTP/1.1 404 Not Found\r\nContent-Length: 9\r\n\r\nnot found", 0, GILK_ERROR_PROTOCOL, "is not a ClickHouse" },
    { "HTTP/1.1 302 Found\r\nLocation: file:///etc/passwd\r\nContent-Length: 0\r\n\r\n", 0, GILK_ERROR_PROTOCOL,
      "is not a ClickHouse" },
    { "HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\n\r\n", 0, GILK_ERROR_PERMISSION, "user or password" },
    { "HTTP/1.1 500 Internal Server Error\r\nContent-Length: 0\r\n\r\n", 1, GILK_ERROR_PROTOCOL, "status 500" },
    { "HTTP/1.1 500 x\r\nConnection: close\r\n\r\nCode: 241, e.displayText() = DB::Exception: Memory limit, e.what() = x",
      1, GILK_ERROR_STORE, "Memory limit. Select fewer" },
    { "HTTP/1.1 500 x\r\nConnection: close\r\n\r\nCode: 999999999999. DB::Exception: \x1b[31m\xff\n", 1,
      GILK_ERROR_PROTOCOL, "status 500" },
    { "HTTP/1.1 500 x\r\nConnection: close\r\n\r\nCode: 7. DB::Exception: \x1b[31m\xff", 1, GILK_ERROR_STORE, "code 7" },
    { "HTTP/1.1 404 x\r\nConnection: close\r\n\r\nCode: 81. DB::Exception: no. (UNKNOWN_DATABASE) (version 22.1)", 1,
      GILK_ERROR_NOT_FOUND, "no database \"gilk\"" },
    { "HTTP/1.1 500 x\r\nConnection: close\r\n\r\nCode: 242. DB::Exception: read only. (TABLE_IS_READ_ONLY) (version 22.1)", 1,
      GILK_ERROR_TARGET, "its ZooKeeper is running" },
    { HEAD "Content-Length: 100\r\n\r\n1\ta\n", 1, GILK_ERROR_TARGET, "Connection to the store" },
    /* The length does not fit into 64 bits: the answer is read until the connection closes. */
    { HEAD "Content-Length: 99999999999999999999999\r\n\r\n1\ta\n", 1, 0, NULL },
    { HEAD "Transfer-Encoding: chunked\r\n\r\nzz\r\n", 1, GILK_ERROR_TARGET, NULL },
    { HEAD "Content-Length: 4\r\n\r\na\t1\n", 1, GILK_ERROR_PROTOCOL, "row 1" },
    { HEAD "Content-Length: 3\r\n\r\n1\ta", 1, GILK_ERROR_PROTOCOL, "row 1" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      Liar liar;
      Client client = { .liar = &liar, .patience = 20, .bytes = 1 << 20 };

      lying_server_start (&liar, cases[i].answer, cases[i].greeted);
      run_conversation (&client);
      lying_server_stop (&liar);
      if (cases[i].says == NULL && cases[i].code == 0)
        g_assert_no_error (client.error);
      else if (client.error == NULL || client.error->code != (int) cases[i].code ||
               (cases[i].says != NULL && strstr (client.error->message, cases[i].says) == NULL))
        g_error ("case %u: %s", i, client.error != NULL ? client.error->message : "taken");
      if (client.error != NULL)
        for (const char *at = client.error->message; *at != '\0'; at++)
          g_assert_false (g_ascii_iscntrl (*at));
      g_clear_error (&client.error);
    }
}

/* Tests that if an answer never ends, the client stores no more bytes than the limit. */
static void
test_endless (void)
{
  for (guint greeted = 0; greeted < 2; greeted++)
    {
      g_autofree char *much = g_strnfill (1 << 16, 'x');
      g_autofree char *answer = g_strconcat (HEAD "\r\n", much, NULL);
      Liar liar;
      Client client = { .liar = &liar, .patience = 20, .bytes = 1 << 20 };

      lying_server_start (&liar, answer, greeted);
      liar.times = 1000;
      run_conversation (&client);
      lying_server_stop (&liar);
      g_assert_error (client.error, GILK_ERROR, GILK_ERROR_PROTOCOL);
      g_clear_error (&client.error);
    }
}

static void
test_silent (void)
{
  Liar liar;
  Client client = { .liar = &liar, .patience = 1, .bytes = 1 << 20 };

  lying_server_start (&liar, NULL, 1);
  run_conversation (&client);
  lying_server_stop (&liar);
  g_assert_error (client.error, GILK_ERROR, GILK_ERROR_TARGET);
  g_assert_nonnull (strstr (client.error->message, "sent nothing for 1 second"));
  g_assert_cmpfloat (client.seconds, <, 20.0);
  g_clear_error (&client.error);
}

static gpointer
cancel_soon (gpointer data)
{
  g_usleep (200000);
  g_cancellable_cancel (data);

  return NULL;
}

static void
test_cancel (void)
{
  g_autoptr(GCancellable) cancellable = g_cancellable_new ();
  GThread *thread;
  Liar liar;
  Client client = { .liar = &liar, .patience = 600, .bytes = 1 << 20, .cancellable = cancellable };

  lying_server_start (&liar, NULL, 1);
  thread = g_thread_new ("cancel", cancel_soon, cancellable);
  run_conversation (&client);
  g_thread_join (thread);
  lying_server_stop (&liar);
  g_assert_error (client.error, GILK_ERROR, GILK_ERROR_CANCELLED);
  g_assert_cmpfloat (client.seconds, <, 20.0);
  g_clear_error (&client.error);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/remote/urls", test_urls);
  g_test_add_func ("/remote/bad-urls", test_bad_urls);
  g_test_add_func ("/remote/rows", test_rows);
  g_test_add_func ("/remote/bad-rows", test_bad_rows);
  g_test_add_func ("/remote/native", test_native);
  g_test_add_func ("/remote/liars", test_liars);
  g_test_add_func ("/remote/endless", test_endless);
  g_test_add_func ("/remote/silent", test_silent);
  g_test_add_func ("/remote/cancel", test_cancel);

  return g_test_run ();
}

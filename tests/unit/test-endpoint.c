/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test-endpoint.c - tests /metrics with ordinary clients, and with clients that occupy all
 * connections
 */
/* Promise: a client of /metrics gets correct counts, and cannot delay a run */
#include <arpa/inet.h>
#include <errno.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "core/base/gilk-error.h"
#include "core/metrics/gilk-endpoint.h"
#include "core/metrics/gilk-metrics.h"

#define SECONDS 0.5                 /* time limit per client, in seconds */
#define LONG    1000.0              /* time limit in seconds that the tests never reach */
#define ASK     "GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n"
#define MUCH    (64u << 20)         /* bytes: more than the buffers of a connection hold */

static GilkEndpoint *
start_endpoint (double seconds)
{
  GError *error = NULL;
  GilkEndpoint *endpoint = gilk_endpoint_new ("0", GILK_EXPOSITION_TYPE, seconds, &error);

  g_assert_no_error (error);
  g_assert_true (g_str_has_prefix (gilk_endpoint_address (endpoint), "127.0.0.1:"));

  return endpoint;
}

static int
connect_to (const GilkEndpoint *endpoint)
{
  struct sockaddr_in address = { .sin_family = AF_INET };
  int fd = socket (AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const struct timeval patience = { .tv_sec = 60 };

  address.sin_port = htons ((uint16_t) atoi (strrchr (gilk_endpoint_address (endpoint), ':') + 1));
  address.sin_addr.s_addr = htonl (INADDR_LOOPBACK);
  g_assert_cmpint (connect (fd, (struct sockaddr *) &address, sizeof address), ==, 0);
  setsockopt (fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);

  return fd;
}

static void
send_text (int fd, const char *text)
{
  g_assert_cmpint (send (fd, text, strlen (text), MSG_NOSIGNAL), ==, (int) strlen (text));
}

/* Returns everything received until the server closes the connection, which it must. If the server
 * has not read the whole request, the connection is reset. */
static char *
receive_all (int fd)
{
  GString *heard = g_string_new (NULL);
  char part[4096];
  ssize_t n;

  while ((n = recv (fd, part, sizeof part, 0)) > 0)
    g_string_append_len (heard, part, n);
  g_assert_true (n == 0 || errno == ECONNRESET);
  close (fd);

  return g_string_free (heard, FALSE);
}

/* Sends @request and returns the answer. The server may close the connection before it has read all
 * of @request. */
static char *
send_request (const GilkEndpoint *endpoint, const char *request, gsize size)
{
  int fd = connect_to (endpoint);

  for (gssize n; size > 0 && (n = send (fd, request, size, MSG_NOSIGNAL)) > 0; request += n, size -= (gsize) n)
    ;

  return receive_all (fd);
}

static void
expect_served (const GilkEndpoint *endpoint, const char *text)
{
  g_autofree char *heard = send_request (endpoint, ASK, strlen (ASK));

  g_assert_true (g_str_has_prefix (heard, "HTTP/1.1 200 OK\r\n"));
  g_assert_true (g_str_has_suffix (heard, text));
}

/* ---- tests of single requests ---- */

static void
test_ask (void)
{
  static const struct { const char *request, *says; } cases[] = {
    { "GET /metrics HTTP/1.1\r\nHost: x\r\nAccept: */*\r\n\r\n", "200" },
    { "GET /metrics?x=1 HTTP/1.0\r\n\r\n", "200" }, { "\r\n" ASK, "200" },
    { "HEAD /metrics HTTP/1.1\r\nHost: x\r\n\r\n", "200" },
    { "GET / HTTP/1.0\r\n\r\n", "404" }, { "GET /metrics/../x HTTP/1.0\r\n\r\n", "404" },
    { "POST /metrics HTTP/1.0\r\n\r\n", "405" },
    { "POST /metrics HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000000000\r\n\r\nx", "405" },
    { "POST /metrics HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nffffffff\r\nx", "405" },
    { "GET /metrics HTTP/1.1\r\n\r\n", "400" }, { "GET /metrics HTTP/1.1\r\nHost: x\r\nabc\r\n\r\n", "400" },
    { "GET /metrics\r\n\r\n", "400" }, { "GET /metrics SPDY/3\r\n\r\n", "400" },
    { "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "505" },
  };
  g_autoptr(GilkEndpoint) endpoint = start_endpoint (LONG);

  gilk_endpoint_publish (endpoint, g_strdup ("old 1\n"));
  gilk_endpoint_publish (endpoint, g_strdup ("gilk_x 1\n"));
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *heard = send_request (endpoint, cases[i].request, strlen (cases[i].request));
      g_autofree char *says = g_strdup_printf ("HTTP/1.1 %s ", cases[i].says);
      gboolean body = i < 3;

      g_assert_true (g_str_has_prefix (heard, says));
      g_assert_true (g_str_has_suffix (heard, "\r\n\r\ngilk_x 1\n") == body);
      g_assert_nonnull (strstr (heard, "Content-Length: "));
      if (body)
        g_assert_nonnull (strstr (heard, "\r\nContent-Type: " GILK_EXPOSITION_TYPE "\r\n"));
    }
}

/* Tests requests that are not HTTP, and requests that releases of the HTTP library handle
 * differently: refused, disconnected without an answer (""), or accepted in spite of a second space
 * or bytes after a 0 byte. */
static void
test_hostile (void)
{
  static const struct { const char *request; gsize size; const char *says, *says_1; } cases[] = {
#define CASE(request) request, sizeof request - 1
    { CASE ("\r\n\r\n"), "", "" }, { CASE ("\x16\x03\x01\r\n\r\n"), "", "" },
    { CASE ("GET  /metrics HTTP/1.1\r\nHost: x\r\n\r\n"), "HTTP/1.1 200 ", "HTTP/1.1 400 " },
    { CASE ("GET /metrics  HTTP/1.1\r\nHost: x\r\n\r\n"), "", "HTTP/1.1 400 " },
    { CASE ("GET /\0 HTTP/1.1\r\nHost: x\r\n\r\n"), "HTTP/1.1 404 ", "" },
    { CASE ("GET /metrics\0 HTTP/1.1\r\nHost: x\r\n\r\n"), "HTTP/1.1 200 ", "" },
    { CASE ("GET /metrics HTTP/1.1\r\nHost: x\r\na\0b: c\r\n\r\n"), "HTTP/1.1 400 ", "HTTP/1.1 400 " },
#undef CASE
  };
  const gboolean is_1 = MHD_get_version ()[0] != '0';
  g_autoptr(GilkEndpoint) endpoint = start_endpoint (SECONDS);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *heard = send_request (endpoint, cases[i].request, cases[i].size);
      const char *says = is_1 ? cases[i].says_1 : cases[i].says;

      if (*says == '\0')
        g_assert_cmpstr (heard, ==, "");
      else if (!g_str_has_prefix (heard, says))
        g_error ("request %u: %s", i, heard);
    }
}

/* Tests that a request is refused as soon as it does not fit into 8 KiB. */
static void
test_large (void)
{
  g_autoptr(GilkEndpoint) endpoint = start_endpoint (LONG);
  g_autofree char *padding = g_strnfill (1 << 20, 'x');
  g_autofree char *fits = g_strdup_printf ("GET /metrics HTTP/1.1\r\nHost: x\r\na: %.7000s\r\n\r\n", padding);
  g_autofree char *over = g_strdup_printf ("GET /metrics HTTP/1.1\r\nHost: x\r\na: %.9000s\r\n\r\n", padding);
  g_autofree char *path = g_strconcat ("GET /", padding, NULL);
  g_autofree char *header = g_strconcat ("GET /metrics HTTP/1.1\r\nHost: x\r\na: ", padding, NULL);
  g_autoptr(GString) headers = g_string_new ("GET /metrics HTTP/1.1\r\nHost: x\r\n");

  while (headers->len < 1 << 20)
    g_string_append (headers, "a:b\r\n");
  {
    const struct { const char *request, *says; } cases[] = {
      { fits, "HTTP/1.1 200 " }, { over, "HTTP/1.1 431 " }, { path, "HTTP/1.1 414 " }, { header, "HTTP/1.1 431 " },
      { headers->str, "HTTP/1.1 431 " },
    };

    for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
      {
        g_autofree char *heard = send_request (endpoint, cases[i].request, strlen (cases[i].request));

        g_assert_true (g_str_has_prefix (heard, cases[i].says));
      }
  }
}

static guint
count_descriptors (void)
{
  g_autoptr(GDir) dir = g_dir_open ("/proc/self/fd", 0, NULL);
  guint n = 0;

  while (g_dir_read_name (dir) != NULL)
    n++;

  return n;
}

/* Tests that after many clients have sent random bytes and disconnected, the endpoint still serves,
 * and later leaves no descriptor open. */
static void
test_noise (void)
{
  const guint before = count_descriptors ();
  g_autoptr(GilkEndpoint) endpoint = start_endpoint (LONG);

  gilk_endpoint_publish (endpoint, g_strdup ("gilk_x 4\n"));
  for (guint i = 0; i < 500; i++)
    {
      int fd = connect_to (endpoint);
      char noise[4096];
      gsize size = (gsize) g_test_rand_int_range (0, sizeof noise);

      for (gsize at = 0; at < sizeof noise; at++)
        noise[at] = (char) g_test_rand_int_range (0, 256);
      if (i % 2 == 0)
        memcpy (noise, "GET /metrics HTTP/1.1\r\n", 23);
      if (send (fd, noise, size, MSG_NOSIGNAL) < 0)
        g_assert_true (errno == EPIPE || errno == ECONNRESET);
      close (fd);
    }
  expect_served (endpoint, "gilk_x 4\n");
  g_clear_pointer (&endpoint, gilk_endpoint_free);
  g_assert_cmpuint (count_descriptors (), ==, before);
}

/* ---- tests of slow clients ---- */

/* Connects clients that send nothing, that send half a request, or that never read the answer. */
static void
connect_slow (const GilkEndpoint *endpoint, int *fds, guint n)
{
  static const char *const says[] = { "", "GET /metr", ASK };

  for (guint i = 0; i < n; i++)
    {
      fds[i] = connect_to (endpoint);
      send_text (fds[i], says[i % 3]);
    }
}

/* Tests that publishing does not wait for slow clients that hold all connections. Other clients
 * wait until the slow clients have left, whatever the slow clients send. */
static void
test_full (void)
{
  g_autoptr(GilkEndpoint) endpoint = start_endpoint (LONG);
  int slow[GILK_ENDPOINT_CLIENTS], waiting[GILK_ENDPOINT_CLIENTS];
  char byte;

  gilk_endpoint_publish (endpoint, g_strnfill (MUCH, 'y'));
  connect_slow (endpoint, slow, G_N_ELEMENTS (slow));
  for (guint i = 0; i < G_N_ELEMENTS (waiting); i++)
    {
      waiting[i] = connect_to (endpoint);
      send_text (waiting[i], ASK);
    }
  /* This answer comes only after all earlier requests were handled. */
  send_text (slow[0], ASK);
  g_assert_cmpint (recv (slow[0], &byte, 1, 0), ==, 1);
  for (guint i = 0; i < G_N_ELEMENTS (waiting); i++)
    g_assert_true (recv (waiting[i], &byte, 1, MSG_DONTWAIT) < 0 && errno == EAGAIN);
  gilk_endpoint_publish (endpoint, g_strdup ("gilk_x 2\n"));
  g_assert_true (recv (slow[1], &byte, 1, MSG_DONTWAIT) < 0 && errno == EAGAIN);
  for (guint i = 0; i < G_N_ELEMENTS (slow); i++)
    close (slow[i]);
  for (guint i = 0; i < G_N_ELEMENTS (waiting); i++)
    {
      g_autofree char *heard = receive_all (waiting[i]);

      g_assert_true (g_str_has_suffix (heard, "\r\n\r\ngilk_x 2\n"));
    }
}

/* Tests that slow clients, connected or queued, are disconnected: idle clients at once, sending
 * clients when the next counts are published. Then a new client is served. */
static void
test_slow (void)
{
  g_autoptr(GilkEndpoint) endpoint = start_endpoint (SECONDS);
  int slow[2 * GILK_ENDPOINT_CLIENTS];

  gilk_endpoint_publish (endpoint, g_strnfill (MUCH, 'y'));
  connect_slow (endpoint, slow, G_N_ELEMENTS (slow));
  gilk_endpoint_publish (endpoint, g_strdup ("gilk_x 2\n"));
  expect_served (endpoint, "\r\n\r\ngilk_x 2\n");
  g_usleep ((gulong) (SECONDS * G_USEC_PER_SEC));
  gilk_endpoint_publish (endpoint, g_strdup ("gilk_x 2\n"));
  for (guint i = 0; i < G_N_ELEMENTS (slow); i++)
    {
      g_autofree char *heard = receive_all (slow[i]);

      g_assert_cmpuint (strlen (heard), <, MUCH);
      g_assert_true (i % 3 == 2 || *heard == '\0');
    }
}

/* Tests that a client that sends a byte now and then is disconnected when new counts are published,
 * before its request is too large. */
static void
test_trickle (void)
{
  g_autoptr(GilkEndpoint) endpoint = start_endpoint (SECONDS);
  int fd = connect_to (endpoint);
  guint sent = 0;
  char byte;
  ssize_t n;

  do
    {
      if (send (fd, "G", 1, MSG_NOSIGNAL) < 0)
        g_assert_true (errno == EPIPE || errno == ECONNRESET);
      g_assert_cmpuint (++sent, <, 8000);
      g_usleep (10000);
      gilk_endpoint_publish (endpoint, g_strdup ("gilk_x 3\n"));
      n = recv (fd, &byte, 1, MSG_DONTWAIT);
    }
  while (n < 0 && errno == EAGAIN);
  g_assert_true (n == 0 || errno == ECONNRESET);
  close (fd);
  expect_served (endpoint, "gilk_x 3\n");
}

/* ---- tests of the endpoint's address, and of the text of its answers ---- */

static void
test_places (void)
{
  static const char *const bad[] = { "", "x", "70000", "127.0.0.1:", ":9", "localhost:9", "[::1:9", "1.2.3:x", "256.1.1.1:9" };
  g_autoptr(GilkEndpoint) endpoint = start_endpoint (SECONDS);
  g_autoptr(GilkEndpoint) again = NULL;
  g_autoptr(GError) taken = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_autoptr(GError) error = NULL;

      g_assert_null (gilk_endpoint_new (bad[i], "x", SECONDS, &error));
      g_assert_error (error, GILK_ERROR, GILK_ERROR_USAGE);
    }
  again = gilk_endpoint_new (gilk_endpoint_address (endpoint), "x", SECONDS, &taken);
  g_assert_error (taken, GILK_ERROR, GILK_ERROR_FAILED);
}

static void
test_exposition (void)
{
  g_autoptr(GilkExposition) exposition = gilk_exposition_new ();
  const GilkLabel labels[] = { { "a", "x\\\"\n\xff" }, { "b", NULL }, { NULL } };

  gilk_exposition_family (exposition, "n", "gauge", "a \"b\"\nc");
  gilk_exposition_uint (exposition, "_total", labels, G_MAXUINT64);
  gilk_exposition_double (exposition, "", NULL, 0.1);
  gilk_exposition_double (exposition, "", NULL, -G_MAXDOUBLE * 10);
  g_assert_cmpstr (gilk_exposition_text (exposition), ==,
                   "# HELP n a \"b\"\\nc\n# TYPE n gauge\n"
                   "n_total{a=\"x\\\\\\\"\\n\xef\xbf\xbd\",b=\"\"} 18446744073709551615\nn 0.10000000000000001\nn -Inf\n");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/endpoint/ask", test_ask);
  g_test_add_func ("/endpoint/hostile", test_hostile);
  g_test_add_func ("/endpoint/large", test_large);
  g_test_add_func ("/endpoint/noise", test_noise);
  g_test_add_func ("/endpoint/full", test_full);
  g_test_add_func ("/endpoint/slow", test_slow);
  g_test_add_func ("/endpoint/trickle", test_trickle);
  g_test_add_func ("/endpoint/places", test_places);
  g_test_add_func ("/endpoint/exposition", test_exposition);

  return g_test_run ();
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test-endpoint.c - clients that request /metrics, and clients that block connections
 */
/* Promise: a client of /metrics gets correct counts, and cannot delay a run */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "core/base/gilk-error.h"
#include "core/remote/gilk-endpoint.h"
#include "core/remote/gilk-metrics.h"

#define SECONDS 0.5

static GilkEndpoint *
start_endpoint (void)
{
  GError *error = NULL;
  GilkEndpoint *endpoint = gilk_endpoint_new ("0", GILK_EXPOSITION_TYPE, SECONDS, &error);

  g_assert_no_error (error);
  g_assert_true (g_str_has_prefix (gilk_endpoint_place (endpoint), "127.0.0.1:"));

  return endpoint;
}

static int
connect_to (const GilkEndpoint *endpoint)
{
  struct sockaddr_in address = { .sin_family = AF_INET };
  int fd = socket (AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const struct timeval patience = { .tv_sec = 20 };

  address.sin_port = htons ((uint16_t) atoi (strrchr (gilk_endpoint_place (endpoint), ':') + 1));
  address.sin_addr.s_addr = htonl (INADDR_LOOPBACK);
  g_assert_cmpint (connect (fd, (struct sockaddr *) &address, sizeof address), ==, 0);
  setsockopt (fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);

  return fd;
}

/* Returns all data received until the connection is closed. */
static char *
receive_all (int fd)
{
  GString *heard = g_string_new (NULL);
  char part[4096];
  ssize_t n;

  while ((n = recv (fd, part, sizeof part, 0)) > 0)
    g_string_append_len (heard, part, n);
  close (fd);

  return g_string_free (heard, FALSE);
}

static char *
send_request (const GilkEndpoint *endpoint, const char *request, gsize size)
{
  int fd = connect_to (endpoint);

  g_assert_cmpint (send (fd, request, size, MSG_NOSIGNAL), ==, (int) size);

  return receive_all (fd);
}

static void
test_ask (void)
{
  static const struct { const char *request, *says; } cases[] = {
    { "GET /metrics HTTP/1.1\r\nHost: x\r\nAccept: */*\r\n\r\n", "HTTP/1.1 200 OK\r\n" },
    { "GET /metrics?x=1 HTTP/1.0\r\n\r\n", "HTTP/1.1 200 OK\r\n" },
    { "HEAD /metrics HTTP/1.1\r\n\r\n", "HTTP/1.1 200 OK\r\n" },
    { "GET / HTTP/1.1\r\n\r\n", "HTTP/1.1 404 " }, { "GET /metrics/../x HTTP/1.1\r\n\r\n", "HTTP/1.1 404 " },
    { "POST /metrics HTTP/1.1\r\n\r\n", "HTTP/1.1 405 " }, { "\r\n\r\n", "HTTP/1.1 400 " },
    { "GET /metrics\r\n\r\n", "HTTP/1.1 400 " }, { "GET  /metrics HTTP/1.1\r\n\r\n", "HTTP/1.1 400 " },
    { "GET /metrics SPDY/3\r\n\r\n", "HTTP/1.1 400 " }, { "\x16\x03\x01\r\n\r\n", "HTTP/1.1 400 " },
  };
  g_autoptr(GilkEndpoint) endpoint = start_endpoint ();

  gilk_endpoint_publish (endpoint, g_strdup ("old 1\n"));
  gilk_endpoint_publish (endpoint, g_strdup ("gilk_x 1\n"));
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *heard = send_request (endpoint, cases[i].request, strlen (cases[i].request));
      gboolean body = i < 2;

      g_assert_true (g_str_has_prefix (heard, cases[i].says));
      g_assert_true (g_str_has_suffix (heard, "\r\n\r\ngilk_x 1\n") == body);
      g_assert_nonnull (strstr (heard, "Content-Length: "));
      if (body)
        g_assert_nonnull (strstr (heard, "\r\nContent-Type: " GILK_EXPOSITION_TYPE "\r\n"));
    }
}

/* A request with a 0 byte, and a request without an end. */
static void
test_hostile (void)
{
  g_autoptr(GilkEndpoint) endpoint = start_endpoint ();
  g_autofree char *much = g_strnfill (8192, 'x');
  g_autofree char *nought = send_request (endpoint, "GET /\0 HTTP/1.1\r\n\r\n", 19);
  g_autofree char *endless = send_request (endpoint, much, 8192);

  g_assert_true (g_str_has_prefix (nought, "HTTP/1.1 400 "));
  g_assert_true (g_str_has_prefix (endless, "HTTP/1.1 431 "));
}

/* Clients that send nothing or half a request, or read nothing, take all connections: they are
 * disconnected, and a waiting client is served. Publishing does not block. */
static void
test_slow (void)
{
  g_autoptr(GilkEndpoint) endpoint = start_endpoint ();
  int slow[2 * GILK_ENDPOINT_CLIENTS];      /* accepted ones, and ones in the listen queue */
  gint64 begin = g_get_monotonic_time (), published;
  g_autofree char *heard = NULL;

  gilk_endpoint_publish (endpoint, g_strnfill (64 << 20, 'y'));
  for (guint i = 0; i < G_N_ELEMENTS (slow); i++)
    {
      static const char *const says[] = { "", "GET /metr", "GET /metrics HTTP/1.1\r\n\r\n" };

      slow[i] = connect_to (endpoint);
      g_assert_cmpint (send (slow[i], says[i % 3], strlen (says[i % 3]), MSG_NOSIGNAL), ==, (int) strlen (says[i % 3]));
    }
  published = g_get_monotonic_time ();
  gilk_endpoint_publish (endpoint, g_strdup ("gilk_x 2\n"));
  published = g_get_monotonic_time () - published;
  g_assert_cmpint (published, <, 200000);
  heard = send_request (endpoint, "GET /metrics HTTP/1.1\r\n\r\n", 25);
  g_assert_true (g_str_has_suffix (heard, "\r\n\r\ngilk_x 2\n"));
  g_assert_cmpfloat ((double) (g_get_monotonic_time () - begin) / 1e6, <, 20 * SECONDS);
  for (guint i = 0; i < G_N_ELEMENTS (slow); i++)
    close (slow[i]);
}

static void
test_places (void)
{
  static const char *const bad[] = { "", "x", "70000", "127.0.0.1:", ":9", "localhost:9", "[::1:9", "1.2.3:x", "256.1.1.1:9" };
  g_autoptr(GilkEndpoint) endpoint = start_endpoint ();
  g_autoptr(GilkEndpoint) again = NULL;
  g_autoptr(GError) taken = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_autoptr(GError) error = NULL;

      g_assert_null (gilk_endpoint_new (bad[i], "x", SECONDS, &error));
      g_assert_error (error, GILK_ERROR, GILK_ERROR_USAGE);
    }
  again = gilk_endpoint_new (gilk_endpoint_place (endpoint), "x", SECONDS, &taken);
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
  g_test_add_func ("/endpoint/slow", test_slow);
  g_test_add_func ("/endpoint/places", test_places);
  g_test_add_func ("/endpoint/exposition", test_exposition);

  return g_test_run ();
}

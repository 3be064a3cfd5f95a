/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-endpoint.c - serves a text by HTTP, with libmicrohttpd
 */
#include "core/metrics/gilk-endpoint.h"

#include <errno.h>
#include <glib/gi18n.h>
#include <math.h>
#include <microhttpd.h>
#include <netdb.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "core/base/gilk-error.h"
#include "core/base/gilk-library.h"
#include "core/base/gilk-memory.h"

#define REQUEST_MAX 8192

#define HTTP_FUNCTIONS(F) \
  F (MHD_add_response_header) F (MHD_create_response_from_buffer) F (MHD_destroy_response) F (MHD_get_connection_info) \
  F (MHD_get_reason_phrase_for) F (MHD_queue_response) F (MHD_start_daemon) F (MHD_stop_daemon)

HTTP_FUNCTIONS (GILK_LIBRARY_POINTER)
static const GilkLibraryFunction http_functions[] = { HTTP_FUNCTIONS (GILK_LIBRARY_ENTRY) };

typedef struct {
  int    fd;                        /* -1: unused */
  gint64 until;                     /* monotonic time by which the client must be served completely,
                                     * in microseconds */
} Client;

struct _GilkEndpoint {
  int      listener;                /* listening socket; -1: the HTTP daemon owns it */
  char    *address, *type;
  gint64   patience;                /* time within which a client must be served completely, in
                                     * microseconds */
  struct MHD_Daemon *daemon;
  GMutex   lock;                    /* protects all members below */
  struct MHD_Response *text;
  Client   clients[GILK_ENDPOINT_CLIENTS];
};

/* ---- answers to HTTP requests ---- */

/* Makes a response with the given content. @text: (transfer full) */
static struct MHD_Response *
make_response (const char *type, char *text)
{
  struct MHD_Response *response = sym_MHD_create_response_from_buffer (strlen (text), text, MHD_RESPMEM_MUST_FREE);

  if (response == NULL)
    g_error ("out of memory");
  sym_MHD_add_response_header (response, MHD_HTTP_HEADER_CONTENT_TYPE, type);
  sym_MHD_add_response_header (response, MHD_HTTP_HEADER_CONNECTION, "close");

  return response;
}

static enum MHD_Result
refuse_request (struct MHD_Connection *connection, unsigned int status)
{
  struct MHD_Response *response = make_response ("text/plain; charset=utf-8",
                                                 g_strdup_printf ("%u %s\n", status, sym_MHD_get_reason_phrase_for (status)));
  enum MHD_Result result = sym_MHD_queue_response (connection, status, response);

  sym_MHD_destroy_response (response);

  return result;
}

static enum MHD_Result
answer_request (void *data, struct MHD_Connection *connection, const char *path, const char *method,
                const char *version, const char *upload, size_t *upload_size, void **request)
{
  GilkEndpoint *endpoint = data;
  enum MHD_Result result;

  if (strcmp (method, MHD_HTTP_METHOD_GET) != 0 && strcmp (method, MHD_HTTP_METHOD_HEAD) != 0)
    return refuse_request (connection, MHD_HTTP_METHOD_NOT_ALLOWED);
  if (strcmp (path, "/metrics") != 0)
    return refuse_request (connection, MHD_HTTP_NOT_FOUND);
  g_mutex_lock (&endpoint->lock);
  result = sym_MHD_queue_response (connection, MHD_HTTP_OK, endpoint->text);
  g_mutex_unlock (&endpoint->lock);

  return result;
}

/* ---- connections of clients, and their time limit ---- */

static void
on_connection (void *data, struct MHD_Connection *connection, void **client, enum MHD_ConnectionNotificationCode code)
{
  GilkEndpoint *endpoint = data;

  g_mutex_lock (&endpoint->lock);
  if (code == MHD_CONNECTION_NOTIFY_CLOSED && *client != NULL)
    ((Client *) *client)->fd = -1;
  for (guint i = 0; code == MHD_CONNECTION_NOTIFY_STARTED && *client == NULL && i < GILK_ENDPOINT_CLIENTS; i++)
    if (endpoint->clients[i].fd < 0)
      {
        endpoint->clients[i].fd = sym_MHD_get_connection_info (connection, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd;
        endpoint->clients[i].until = g_get_monotonic_time () + endpoint->patience;
        *client = &endpoint->clients[i];
      }
  g_mutex_unlock (&endpoint->lock);
}

/* Shuts down the sockets of clients that exceeded the time limit. The daemon itself only limits the
 * idle time. Must be called with the lock held, so that no descriptor is closed and reused. */
static void
end_slow_clients (GilkEndpoint *endpoint)
{
  const gint64 now = g_get_monotonic_time ();

  for (guint i = 0; i < GILK_ENDPOINT_CLIENTS; i++)
    if (endpoint->clients[i].fd >= 0 && now >= endpoint->clients[i].until)
      shutdown (endpoint->clients[i].fd, SHUT_RDWR);
}

/* ---- address to listen on ---- */

/* Splits @address into @host (out) (transfer full) and port. */
static gboolean
split_address (const char *address, char **host, const char **port)
{
  const char *colon = strrchr (address, ':');
  gboolean bracketed = colon != NULL && *address == '[' && colon > address + 1 && colon[-1] == ']';

  *port = colon != NULL ? colon + 1 : address;
  *host = colon == NULL ? g_strdup ("127.0.0.1")
          : bracketed ? g_strndup (address + 1, (gsize) (colon - address) - 2) : g_strndup (address, (gsize) (colon - address));

  return **port != '\0' && strspn (*port, "0123456789") == strlen (*port) && strlen (*port) <= 5 &&
         g_ascii_strtoull (*port, NULL, 10) <= 65535 && **host != '\0';
}

static gboolean
set_listen_error (const char *address, const char *why, GError **error)
{
  return gilk_fail (error, GILK_ERROR_FAILED,
      _("Cannot listen on %s: %s. Choose another port, or an address of this machine."), address,
      why);
}

static char *
get_socket_address (int fd)
{
  struct sockaddr_storage address;
  socklen_t size = sizeof address;
  char host[NI_MAXHOST], port[NI_MAXSERV];

  if (getsockname (fd, (struct sockaddr *) &address, &size) != 0 ||
      getnameinfo ((struct sockaddr *) &address, size, host, sizeof host, port, sizeof port,
                   NI_NUMERICHOST | NI_NUMERICSERV) != 0)
    return NULL;

  return g_strdup_printf (strchr (host, ':') != NULL ? "[%s]:%s" : "%s:%s", host, port);
}

static gboolean
listen_on (GilkEndpoint *endpoint, const char *address, GError **error)
{
  const struct addrinfo hints = { .ai_flags = AI_NUMERICHOST | AI_NUMERICSERV | AI_PASSIVE, .ai_socktype = SOCK_STREAM };
  g_autofree char *host = NULL;
  struct addrinfo *found = NULL;
  const char *port;
  int one = 1;

  if (!split_address (address, &host, &port) || getaddrinfo (host, port, &hints, &found) != 0)
    return gilk_fail (error, GILK_ERROR_USAGE,
        _("Invalid address \"%s\". Write PORT, ADDRESS:PORT or [ADDRESS]:PORT, with a numeric address."),
        address);
  endpoint->listener = socket (found->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (endpoint->listener >= 0)
    setsockopt (endpoint->listener, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
  if (endpoint->listener < 0 || bind (endpoint->listener, found->ai_addr, found->ai_addrlen) != 0 ||
      listen (endpoint->listener, GILK_ENDPOINT_CLIENTS) != 0)
    {
      set_listen_error (address, g_strerror (errno), error);
      freeaddrinfo (found);
      return FALSE;
    }
  freeaddrinfo (found);
  endpoint->address = get_socket_address (endpoint->listener);

  return endpoint->address != NULL || set_listen_error (address, g_strerror (errno), error);
}

/* ---- creation, publishing and destruction ---- */

/* Starts the HTTP daemon, which takes the listening socket. libmicrohttpd refuses invalid HTTP/1.1,
 * some versions more strictly than others. Uses poll: with epoll, libmicrohttpd 0.9.75 does not
 * notice that a client has left in the middle of a request. */
static gboolean
start_daemon (GilkEndpoint *endpoint, double seconds, GError **error)
{
  endpoint->daemon = sym_MHD_start_daemon (MHD_USE_POLL_INTERNAL_THREAD | MHD_USE_ITC, 0, NULL, NULL, answer_request, endpoint,
                                       MHD_OPTION_LISTEN_SOCKET, (MHD_socket) endpoint->listener,
                                       MHD_OPTION_CONNECTION_LIMIT, (unsigned int) GILK_ENDPOINT_CLIENTS,
                                       MHD_OPTION_CONNECTION_TIMEOUT, (unsigned int) ceil (seconds),
                                       MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t) REQUEST_MAX,
                                       MHD_OPTION_STRICT_FOR_CLIENT, 1,
                                       MHD_OPTION_NOTIFY_CONNECTION, on_connection, endpoint,
                                       MHD_OPTION_END);
  if (endpoint->daemon == NULL)
    return set_listen_error (endpoint->address, g_strerror (errno), error);
  endpoint->listener = -1;

  return TRUE;
}

GilkEndpoint *
gilk_endpoint_new (const char *address,
                   const char *type,
                   double      seconds,
                   GError    **error)
{
  g_autoptr(GilkEndpoint) endpoint = NULL;

  if (!gilk_library_load (GILK_MICROHTTPD_SONAME, http_functions, G_N_ELEMENTS (http_functions), error))
    return NULL;
  endpoint = g_new0 (GilkEndpoint, 1);
  endpoint->listener = -1;
  endpoint->type = g_strdup (type);
  endpoint->patience = (gint64) (seconds * G_USEC_PER_SEC);
  endpoint->text = make_response (type, g_strdup (""));
  g_mutex_init (&endpoint->lock);
  for (guint i = 0; i < GILK_ENDPOINT_CLIENTS; i++)
    endpoint->clients[i].fd = -1;
  if (!listen_on (endpoint, address, error) || !start_daemon (endpoint, seconds, error))
    return NULL;

  return g_steal_pointer (&endpoint);
}

void
gilk_endpoint_free (GilkEndpoint *endpoint)
{
  if (endpoint == NULL)
    return;
  if (endpoint->daemon != NULL)
    sym_MHD_stop_daemon (endpoint->daemon);
  if (endpoint->listener >= 0)
    close (endpoint->listener);
  sym_MHD_destroy_response (endpoint->text);
  g_mutex_clear (&endpoint->lock);
  gilk_free_all (endpoint->address, endpoint->type, endpoint);
}

const char *
gilk_endpoint_address (const GilkEndpoint *endpoint)
{
  return endpoint->address;
}

void
gilk_endpoint_publish (GilkEndpoint *endpoint,
                       char         *text)
{
  struct MHD_Response *before, *now = make_response (endpoint->type, text);

  g_mutex_lock (&endpoint->lock);
  before = endpoint->text;
  endpoint->text = now;
  end_slow_clients (endpoint);
  g_mutex_unlock (&endpoint->lock);
  sym_MHD_destroy_response (before);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-endpoint.c - serves a text by HTTP
 */
#include "core/remote/gilk-endpoint.h"

#include <errno.h>
#include <glib/gi18n.h>
#include <netdb.h>
#include <poll.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include "core/base/gilk-error.h"

#define REQUEST_MAX 8192
#define PATH        "/metrics"

typedef struct {
  int     fd;                       /* -1: unused */
  gint64  until;                    /* deadline, monotonic */
  gsize   n;                        /* size of the received part of the request */
  char    request[REQUEST_MAX];
  GBytes *answer;                   /* NULL: the request is incomplete */
  gsize   sent;
} Client;

struct _GilkEndpoint {
  int      listener, wake;
  char    *place, *type;
  gint64   patience;                /* time limit for a client in microseconds */
  GThread *thread;
  gint     ended;                   /* atomic */
  GMutex   lock;
  GBytes  *text;                    /* protected by @lock */
  Client   clients[GILK_ENDPOINT_CLIENTS];      /* used by the thread only */
};

/* ---- requests ---- */

static GBytes *
make_answer (const char *status, const char *type, GBytes *text, gboolean with_text)
{
  gsize n;
  const char *bytes = g_bytes_get_data (text, &n);
  GString *said = g_string_new (NULL);
  gsize length;
  char *all;

  g_string_printf (said, "HTTP/1.1 %s\r\nContent-Type: %s\r\nContent-Length: %" G_GSIZE_FORMAT "\r\nConnection: close\r\n\r\n",
                   status, type, n);
  if (with_text && n > 0)
    g_string_append_len (said, bytes, (gssize) n);
  length = said->len;
  all = g_string_free (said, FALSE);

  return g_bytes_new_take (all, length);
}

static GBytes *
make_refusal (const char *status)
{
  g_autofree char *line = g_strconcat (status, "\n", NULL);
  g_autoptr(GBytes) text = g_bytes_new (line, strlen (line));

  return make_answer (status, "text/plain; charset=utf-8", text, TRUE);
}

/* Answers a request. @line: its first line, "GET /metrics HTTP/1.1" */
static GBytes *
answer_request_line (GilkEndpoint *endpoint, const char *line)
{
  g_auto(GStrv) words = g_strsplit (line, " ", 4);
  g_autoptr(GBytes) text = NULL;

  if (g_strv_length (words) != 3 || !g_str_has_prefix (words[2], "HTTP/1."))
    return make_refusal ("400 Bad Request");
  if (strcmp (words[0], "GET") != 0 && strcmp (words[0], "HEAD") != 0)
    return make_refusal ("405 Method Not Allowed");
  words[1][strcspn (words[1], "?")] = '\0';
  if (strcmp (words[1], PATH) != 0)
    return make_refusal ("404 Not Found");
  g_mutex_lock (&endpoint->lock);
  text = g_bytes_ref (endpoint->text);
  g_mutex_unlock (&endpoint->lock);

  return make_answer ("200 OK", endpoint->type, text, strcmp (words[0], "GET") == 0);
}

/* Parses the first line of a request once the request has ended with an empty line. */
static void
handle_request (GilkEndpoint *endpoint, Client *client)
{
  const char *end = memmem (client->request, client->n, "\r\n\r\n", 4);
  gsize first = 0;

  if (end == NULL)
    {
      if (client->n == REQUEST_MAX)
        client->answer = make_refusal ("431 Request Header Fields Too Large");
      return;
    }
  while (client->request[first] != '\r')
    first++;
  if (memchr (client->request, '\0', first) != NULL)
    client->answer = make_refusal ("400 Bad Request");
  else
    {
      g_autofree char *line = g_strndup (client->request, first);

      client->answer = answer_request_line (endpoint, line);
    }
}

/* ---- clients ---- */

static void
close_client (Client *client)
{
  if (client->fd >= 0)
    close (client->fd);
  g_clear_pointer (&client->answer, g_bytes_unref);
  *client = (Client) { .fd = -1 };
}

static gboolean
would_block (void)
{
  return errno == EAGAIN || errno == EINTR;
}

static void
accept_client (GilkEndpoint *endpoint, Client *client)
{
  int fd = accept4 (endpoint->listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);

  if (fd < 0)
    {
      if (!would_block ())
        g_usleep (10000);               /* out of descriptors: poll() would return at once */
      return;
    }
  client->fd = fd;
  client->until = g_get_monotonic_time () + endpoint->patience;
}

static void
receive_request (GilkEndpoint *endpoint, Client *client)
{
  gssize n = recv (client->fd, client->request + client->n, REQUEST_MAX - client->n, 0);

  if (n > 0)
    {
      client->n += (gsize) n;
      handle_request (endpoint, client);
    }
  else if (n == 0 || !would_block ())
    close_client (client);
}

static void
send_answer (Client *client)
{
  gsize size;
  const char *bytes = g_bytes_get_data (client->answer, &size);
  gssize n = send (client->fd, bytes + client->sent, size - client->sent, MSG_NOSIGNAL);

  if (n >= 0)
    client->sent += (gsize) n;
  if (client->sent == size || (n < 0 && !would_block ()))
    close_client (client);
}

/* ---- the thread ---- */

static int
compute_timeout (const GilkEndpoint *endpoint, gint64 now)
{
  gint64 first = G_MAXINT64;

  for (guint i = 0; i < GILK_ENDPOINT_CLIENTS; i++)
    if (endpoint->clients[i].fd >= 0)
      first = MIN (first, endpoint->clients[i].until);

  return first == G_MAXINT64 ? -1 : (int) CLAMP ((first - now + 999) / 1000, 0, 60000);
}

static Client *
find_free_client (GilkEndpoint *endpoint)
{
  for (guint i = 0; i < GILK_ENDPOINT_CLIENTS; i++)
    if (endpoint->clients[i].fd < 0)
      return &endpoint->clients[i];

  return NULL;
}

static void
serve_next (GilkEndpoint *endpoint)
{
  struct pollfd fds[GILK_ENDPOINT_CLIENTS + 2];
  Client *seat = find_free_client (endpoint);
  gint64 now;

  fds[0] = (struct pollfd) { .fd = endpoint->wake, .events = POLLIN };
  fds[1] = (struct pollfd) { .fd = seat != NULL ? endpoint->listener : -1, .events = POLLIN };
  for (guint i = 0; i < GILK_ENDPOINT_CLIENTS; i++)
    fds[i + 2] = (struct pollfd) { .fd = endpoint->clients[i].fd,
                                   .events = endpoint->clients[i].answer != NULL ? POLLOUT : POLLIN };
  if (poll (fds, G_N_ELEMENTS (fds), compute_timeout (endpoint, g_get_monotonic_time ())) < 0)
    return;
  now = g_get_monotonic_time ();
  for (guint i = 0; i < GILK_ENDPOINT_CLIENTS; i++)
    {
      Client *client = &endpoint->clients[i];

      if (client->fd < 0)
        continue;
      if (fds[i + 2].revents != 0 && client->answer == NULL)
        receive_request (endpoint, client);
      else if (fds[i + 2].revents != 0)
        send_answer (client);
      if (client->fd >= 0 && now >= client->until)
        close_client (client);
    }
  if (seat != NULL && seat->fd < 0 && fds[1].revents != 0)
    accept_client (endpoint, seat);
}

static gpointer
serve_clients (gpointer data)
{
  GilkEndpoint *endpoint = data;

  while (!g_atomic_int_get (&endpoint->ended))
    serve_next (endpoint);

  return NULL;
}

/* ---- address ---- */

/* Splits @place into @host (out) (transfer full) and port. */
static gboolean
split_place (const char *place, char **host, const char **port)
{
  const char *colon = strrchr (place, ':');
  gboolean bracketed = colon != NULL && *place == '[' && colon > place + 1 && colon[-1] == ']';

  *port = colon != NULL ? colon + 1 : place;
  *host = colon == NULL ? g_strdup ("127.0.0.1")
          : bracketed ? g_strndup (place + 1, (gsize) (colon - place) - 2) : g_strndup (place, (gsize) (colon - place));

  return **port != '\0' && strspn (*port, "0123456789") == strlen (*port) && strlen (*port) <= 5 &&
         g_ascii_strtoull (*port, NULL, 10) <= 65535 && **host != '\0';
}

static gboolean
set_listen_error (const char *place, const char *why, GError **error)
{
  g_set_error (error, GILK_ERROR, GILK_ERROR_FAILED,
               _("Cannot listen at %s: %s. Choose another port, or an address of this machine."), place, why);
  return FALSE;
}

static char *
get_socket_place (int fd)
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
listen_at (GilkEndpoint *endpoint, const char *place, GError **error)
{
  const struct addrinfo hints = { .ai_flags = AI_NUMERICHOST | AI_NUMERICSERV | AI_PASSIVE, .ai_socktype = SOCK_STREAM };
  g_autofree char *host = NULL;
  struct addrinfo *found = NULL;
  const char *port;
  int one = 1;

  if (!split_place (place, &host, &port) || getaddrinfo (host, port, &hints, &found) != 0)
    {
      g_set_error (error, GILK_ERROR, GILK_ERROR_USAGE,
                   _("Invalid address \"%s\". Write PORT, ADDRESS:PORT or [ADDRESS]:PORT, with a numeric address."), place);
      return FALSE;
    }
  endpoint->listener = socket (found->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (endpoint->listener >= 0)
    setsockopt (endpoint->listener, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
  if (endpoint->listener < 0 || bind (endpoint->listener, found->ai_addr, found->ai_addrlen) != 0 ||
      listen (endpoint->listener, GILK_ENDPOINT_CLIENTS) != 0)
    {
      set_listen_error (place, g_strerror (errno), error);
      freeaddrinfo (found);
      return FALSE;
    }
  freeaddrinfo (found);
  endpoint->place = get_socket_place (endpoint->listener);
  endpoint->wake = eventfd (0, EFD_NONBLOCK | EFD_CLOEXEC);

  return (endpoint->place != NULL && endpoint->wake >= 0) || set_listen_error (place, g_strerror (errno), error);
}

/* ---- life ---- */

GilkEndpoint *
gilk_endpoint_new (const char *place,
                   const char *type,
                   double      seconds,
                   GError    **error)
{
  g_autoptr(GilkEndpoint) endpoint = g_new0 (GilkEndpoint, 1);

  endpoint->listener = endpoint->wake = -1;
  endpoint->type = g_strdup (type);
  endpoint->patience = (gint64) (seconds * G_USEC_PER_SEC);
  endpoint->text = g_bytes_new (NULL, 0);
  g_mutex_init (&endpoint->lock);
  for (guint i = 0; i < GILK_ENDPOINT_CLIENTS; i++)
    endpoint->clients[i].fd = -1;
  if (!listen_at (endpoint, place, error))
    return NULL;
  endpoint->thread = g_thread_new ("endpoint", serve_clients, endpoint);

  return g_steal_pointer (&endpoint);
}

void
gilk_endpoint_free (GilkEndpoint *endpoint)
{
  const uint64_t one = 1;

  if (endpoint == NULL)
    return;
  g_atomic_int_set (&endpoint->ended, 1);
  if (endpoint->thread != NULL)
    {
      G_GNUC_UNUSED gssize told = write (endpoint->wake, &one, sizeof one);     /* 1 always fits */

      g_thread_join (endpoint->thread);
    }
  for (guint i = 0; i < GILK_ENDPOINT_CLIENTS; i++)
    close_client (&endpoint->clients[i]);
  if (endpoint->listener >= 0)
    close (endpoint->listener);
  if (endpoint->wake >= 0)
    close (endpoint->wake);
  g_bytes_unref (endpoint->text);
  g_mutex_clear (&endpoint->lock);
  g_free (endpoint->place);
  g_free (endpoint->type);
  g_free (endpoint);
}

const char *
gilk_endpoint_place (const GilkEndpoint *endpoint)
{
  return endpoint->place;
}

void
gilk_endpoint_publish (GilkEndpoint *endpoint,
                       char         *text)
{
  GBytes *before, *now = g_bytes_new_take (text, strlen (text));

  g_mutex_lock (&endpoint->lock);
  before = endpoint->text;
  endpoint->text = now;
  g_mutex_unlock (&endpoint->lock);
  g_bytes_unref (before);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-stream.c - byte stream to an agent, over a child process, ssh or a socket
 *
 * The kinds of streams differ only in how their descriptor is created; after that, all are read and
 * written alike. A child gets a session of its own, so that a ^C that stops a recording does not
 * stop the agent, too. sudo gets only a process group, because its cached credentials are valid in
 * the terminal's session only.
 */
#include "core/link/gilk-stream.h"

#include <errno.h>
#include <fcntl.h>
#include <gio/gio.h>
#include <glib/gi18n.h>
#include <poll.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/base/gilk-error.h"
#include "core/link/gilk-lab.h"

#define WRITE_STALL_MS 60000
#define LAST_OUTPUT_MAX 1000
#define LAST_OUTPUT_MS  500      /* maximum time to wait for the child's error messages after the
                                  * end of the stream */

struct _GilkStream {
  /* functions that replace the descriptors of a stream from gilk_stream_new_fed(); NULL: the stream
   * has descriptors */
  const GilkStreamFuncs *funcs;
  gpointer data;
  int      fd;          /* descriptor for both directions, non-blocking */
  int      err_fd;      /* standard error of the child, or -1 */
  int      wake_fd;
  int      lock_fd;     /* descriptor that holds the lock of a lab's port, or -1 */
  GPid     child;
  GMutex   lock;
  GString *output;       /* what the child last wrote to its standard error; protected by @lock */
};

static GilkStream *
stream_new (int fd)
{
  GilkStream *stream = g_new0 (GilkStream, 1);

  stream->fd = fd;
  stream->err_fd = -1;
  stream->lock_fd = -1;
  stream->wake_fd = -1;
  stream->output = g_string_new (NULL);
  g_mutex_init (&stream->lock);
  if (fd < 0)
    return stream;

  fcntl (fd, F_SETFL, fcntl (fd, F_GETFL) | O_NONBLOCK);
  stream->wake_fd = eventfd (0, EFD_CLOEXEC | EFD_NONBLOCK);
  return stream;
}

GilkStream *
gilk_stream_new_fed (const GilkStreamFuncs *funcs,
                     gpointer               data)
{
  GilkStream *stream = stream_new (-1);

  stream->funcs = funcs;
  stream->data = data;

  return stream;
}

gboolean
gilk_stream_is_fed (GilkStream *stream)
{
  return stream->funcs != NULL;
}

/* Waits for a child that outlives its stream, for example while it restores text. */
static gpointer
reap_child (gpointer data)
{
  while (waitpid (GPOINTER_TO_INT (data), NULL, 0) < 0 && errno == EINTR)
    ;

  return NULL;
}

void
gilk_stream_free (GilkStream *stream)
{
  if (stream->fd >= 0)
    close (stream->fd);
  if (stream->err_fd >= 0)
    close (stream->err_fd);
  if (stream->lock_fd >= 0)
    close (stream->lock_fd);
  if (stream->wake_fd >= 0)
    close (stream->wake_fd);
  if (stream->child != 0 && waitpid (stream->child, NULL, WNOHANG) == 0)
    g_thread_unref (g_thread_new ("gilk-reap", reap_child, GINT_TO_POINTER (stream->child)));
  g_string_free (stream->output, TRUE);
  g_mutex_clear (&stream->lock);
  g_free (stream);
}

/* ---- opening of a stream ---- */

static void
start_session (gpointer data)
{
  setsid ();
}

static void
start_group (gpointer data)
{
  setpgid (0, 0);
}

static GilkStream *
open_child (char   **argv,
            GError **error)
{
  g_autoptr (GError) local = NULL;
  /* Error messages are parsed (gilk-stream-errors.c), so they must not be translated. */
  g_auto (GStrv) environment = g_environ_setenv (g_get_environ (), "LC_ALL", "C", TRUE);
  g_autofree char *program = g_path_get_basename (argv[0]);
  GilkStream *stream;
  int pair[2], out_fd, err_fd;
  gboolean spawned;
  GPid child;

  if (socketpair (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0)
    {
      g_set_error (error, GILK_ERROR, GILK_ERROR_FAILED,
                   _("Cannot create a socket for the agent: %s; close some programs and try again."),
                   g_strerror (errno));
      return NULL;
    }

  out_fd = fcntl (pair[1], F_DUPFD_CLOEXEC, 3);
  spawned = g_spawn_async_with_pipes_and_fds (NULL, (const char * const *) argv,
                                              (const char * const *) environment,
                                              G_SPAWN_SEARCH_PATH | G_SPAWN_DO_NOT_REAP_CHILD |
                                              G_SPAWN_CLOEXEC_PIPES,
                                              g_str_equal (program, "sudo") ? start_group : start_session,
                                              NULL, pair[1], out_fd, -1,
                                              NULL, NULL, 0, &child, NULL, NULL, &err_fd, &local);
  close (pair[1]);
  close (out_fd);
  if (!spawned)
    {
      close (pair[0]);
      g_set_error (error, GILK_ERROR, GILK_ERROR_TARGET,
                   _("Cannot start \"%s\": %s; check that it is installed."),
                   argv[0], local->message);
      return NULL;
    }

  stream = stream_new (pair[0]);
  stream->child = child;
  stream->err_fd = err_fd;
  fcntl (err_fd, F_SETFL, fcntl (err_fd, F_GETFL) | O_NONBLOCK);

  return stream;
}

static GilkStream *
open_local (GError **error)
{
  int fd;
  g_auto (GStrv) argv = gilk_stream_local_command (geteuid (), NULL, &fd, error);

  if (fd >= 0)
    return stream_new (fd);
  return argv != NULL ? open_child (argv, error) : NULL;
}

/* Reaches the agent on the host in the same ways as gilk-agent-launch.c, except for pkexec, which
 * could not show its dialog on the host. */
static GilkStream *
open_ssh (const char *host,
          GError    **error)
{
  static const char remote[] =
    "PATH=$PATH:/usr/local/libexec/gilk:/usr/libexec/gilk:/usr/local/sbin:/usr/sbin; "
    "gilkd=$(command -v gilkd) || { echo 'gilkd is not installed there' >&2; exit 127; }; "
    "if [ \"$(id -u)\" = 0 ]; then exec \"$gilkd\" --stdio; "
    "elif [ -w " GILK_SOCKET " ]; then exec \"$gilkd\" --socket " GILK_SOCKET "; "
    "else exec sudo -n \"$gilkd\" --stdio; fi";
  char *argv[] = { "ssh", "-T", "-e", "none", "--", (char *) host, (char *) remote, NULL };

  /* Refuse a leading dash: old versions of ssh take it for an option even after "--". */
  if (*host == '\0' || *host == '-')
    {
      g_set_error (error, GILK_ERROR, GILK_ERROR_USAGE,
                   _("\"%s\" is not a host name; write ssh:HOST, ssh:USER@HOST or ssh://USER@HOST:PORT."), host);
      return NULL;
    }

  return open_child (argv, error);
}

static GilkStream *
open_lab (const char         *name,
          const GilkProgress *progress,
          GCancellable       *cancellable,
          GError            **error)
{
  GilkStream *stream;
  int lock_fd = -1;
  int fd = gilk_stream_lab_connect (name, &lock_fd, progress, cancellable, error);

  if (fd < 0)
    return NULL;

  stream = stream_new (fd);
  stream->lock_fd = lock_fd;
  return stream;
}

GilkStream *
gilk_stream_open (const char         *spec,
                  const GilkProgress *progress,
                  GCancellable       *cancellable,
                  GError            **error)
{
  if (gilk_lab_name (spec) != NULL)
    return open_lab (gilk_lab_name (spec), progress, cancellable, error);
  if (g_str_equal (spec, "local"))
    return open_local (error);
  if (g_str_has_prefix (spec, "ssh://"))      /* passed on unchanged, because ssh parses such
                                               * URLs */
    return open_ssh (spec, error);
  if (g_str_has_prefix (spec, "ssh:"))
    return open_ssh (spec + strlen ("ssh:"), error);
  if (g_str_has_prefix (spec, "unix:"))
    {
      int fd = gilk_stream_unix_connect (spec + strlen ("unix:"), error);

      return fd >= 0 ? stream_new (fd) : NULL;
    }
  if (g_str_has_prefix (spec, "file:") && spec[strlen ("file:")] != '\0')
    {
      g_auto(GStrv) command = gilk_stream_file_command (spec + strlen ("file:"), error);

      return command != NULL ? open_child (command, error) : NULL;
    }
  if (g_str_has_prefix (spec, "exec:"))
    {
      char *argv[] = { "/bin/sh", "-c", (char *) spec + strlen ("exec:"), NULL };

      return open_child (argv, error);
    }

  g_set_error (error, GILK_ERROR, GILK_ERROR_USAGE,
               _("\"%s\" is not a target; write lab, lab:NAME, local, ssh:HOST, unix:PATH or file:VMLINUX."), spec);
  return NULL;
}

/* ---- reading and writing of a stream ---- */

static void
drain_output (GilkStream *stream)
{
  char text[512];
  gssize got = read (stream->err_fd, text, sizeof text);

  if (got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR))
    {
      close (stream->err_fd);
      stream->err_fd = -1;
    }
  if (got <= 0)
    return;

  g_mutex_lock (&stream->lock);
  g_string_append_len (stream->output, text, got);
  if (stream->output->len > LAST_OUTPUT_MAX)
    g_string_erase (stream->output, 0, stream->output->len - LAST_OUTPUT_MAX);
  g_mutex_unlock (&stream->lock);
}

/* Waits a moment for error messages, because a child may write its last message while it exits. */
static void
await_last_output (GilkStream *stream)
{
  gint64 end = g_get_monotonic_time () + LAST_OUTPUT_MS * 1000;

  while (stream->err_fd >= 0)
    {
      struct pollfd fd = { .fd = stream->err_fd, .events = POLLIN };
      gint64 left = (end - g_get_monotonic_time ()) / 1000;

      if (left <= 0 || poll (&fd, 1, (int) left) == 0)
        return;
      if (fd.revents != 0)
        drain_output (stream);
    }
}

gssize
gilk_stream_read (GilkStream *stream,
                  uint8_t    *out,
                  gsize       length,
                  int         timeout_ms,
                  GError    **error)
{
  if (stream->funcs != NULL)
    return stream->funcs->read (stream->data, out, length);

  for (;;)
    {
      struct pollfd fds[] = {
        { .fd = stream->wake_fd, .events = POLLIN },
        { .fd = stream->fd, .events = POLLIN },
        { .fd = stream->err_fd, .events = POLLIN },
      };
      int ready = poll (fds, G_N_ELEMENTS (fds), timeout_ms);
      gssize got;

      if (ready < 0 && errno == EINTR)
        continue;
      if (ready < 0)
        break;
      if (ready == 0)
        return GILK_STREAM_IDLE;
      if (fds[2].revents != 0)
        drain_output (stream);
      if (fds[0].revents != 0)
        return 0;
      if (fds[1].revents == 0)
        continue;

      got = read (stream->fd, out, length);
      if (got > 0)
        return got;
      if (got < 0 && (errno == EAGAIN || errno == EINTR))
        continue;
      if (got == 0 || errno == ECONNRESET)
        {
          await_last_output (stream);
          return 0;
        }
      break;
    }

  g_set_error (error, GILK_ERROR, GILK_ERROR_TARGET,
               _("Cannot read from the agent: %s; connect again."), g_strerror (errno));

  return -1;
}

gboolean
gilk_stream_write (GilkStream   *stream,
                   struct iovec *parts,
                   guint         count,
                   GError      **error)
{
  if (stream->funcs != NULL)
    {
      if (stream->funcs->write (stream->data, parts, count))
        return TRUE;
      g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_BROKEN_PIPE, g_strerror (EPIPE));
      return FALSE;
    }

  while (count > 0)
    {
      struct pollfd fd = { .fd = stream->fd, .events = POLLOUT };
      struct msghdr message = { .msg_iov = parts, .msg_iovlen = count };
      gssize done;
      int ready = poll (&fd, 1, WRITE_STALL_MS);

      if (ready < 0 && errno == EINTR)
        continue;
      if (ready == 0)
        {
          g_set_error (error, GILK_ERROR, GILK_ERROR_TARGET,
                       _("The agent accepts no more requests; the machine may be stuck: check its console, then connect "
                         "again."));
          return FALSE;
        }

      done = sendmsg (stream->fd, &message, MSG_NOSIGNAL);
      if (done < 0 && (errno == EAGAIN || errno == EINTR))
        continue;
      if (done < 0)
        {
          if (errno == EPIPE || errno == ECONNRESET)
            g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_BROKEN_PIPE, g_strerror (errno));
          else
            g_set_error (error, GILK_ERROR, GILK_ERROR_TARGET,
                         _("Cannot write to the agent: %s; connect again."), g_strerror (errno));
          return FALSE;
        }
      for (; count > 0 && (gsize) done >= parts->iov_len; parts++, count--)
        done -= parts->iov_len;
      if (count > 0)
        {
          parts->iov_base = (uint8_t *) parts->iov_base + done;
          parts->iov_len -= done;
        }
    }

  return TRUE;
}

void
gilk_stream_shut (GilkStream *stream)
{
  const uint64_t one = 1;

  if (stream->fd >= 0)
    shutdown (stream->fd, SHUT_RDWR);
  if (stream->wake_fd >= 0 && write (stream->wake_fd, &one, sizeof one) < 0)
    g_debug ("waking the reader: %s", g_strerror (errno));
}

char *
gilk_stream_last_output (GilkStream *stream)
{
  char *words = NULL;

  g_mutex_lock (&stream->lock);
  if (stream->output->len > 0)
    words = g_utf8_make_valid (stream->output->str, stream->output->len);
  g_mutex_unlock (&stream->lock);

  if (words == NULL)
    return NULL;
  g_strstrip (words);
  return g_strdelimit (words, "\r\n\t", ' ');
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-stream-lab.c - a connection into a lab, booting it first if need be
 *
 * A lab has a few ports with an agent behind each. Whoever holds the flock on
 * port.N.lock owns port.N.sock; the lock ends with its holder, however that dies.
 */
#include "core/target/gilk-stream.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "core/base/gilk-error.h"
#include "core/base/gilk-place.h"

#define PORTS 4
#define DEFAULT_LAB "6.1"

int
gilk_stream_unix_connect (const char  *path,
                          GError     **error)
{
  struct sockaddr_un address = { .sun_family = AF_UNIX };
  int fd;

  if (strlen (path) >= sizeof address.sun_path)
    {
      g_set_error (error, GILK_ERROR, GILK_ERROR_USAGE,
                   _("The socket path \"%s\" is longer than the %zu bytes a socket may have; "
                     "use a shorter folder."), path, sizeof address.sun_path - 1);
      return -1;
    }

  g_strlcpy (address.sun_path, path, sizeof address.sun_path);
  fd = socket (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd >= 0 && connect (fd, (struct sockaddr *) &address, sizeof address) == 0)
    return fd;

  g_set_error (error, GILK_ERROR, GILK_ERROR_TARGET,
               _("The socket \"%s\" cannot be reached: %s; check that the agent's machine is running."),
               path, g_strerror (errno));
  if (fd >= 0)
    close (fd);
  return -1;
}

/* The script that knows everything about labs. */
static char *
find_lab_script (GError **error)
{
  const char *named = g_getenv ("GILK_LAB");
  char *beside;

  if (named != NULL)
    return g_strdup (named);
  beside = gilk_place_source ("lab/lab");
  if (beside != NULL)
    return beside;
#ifdef GILK_DATADIR
  if (g_file_test (GILK_DATADIR "/lab/lab", G_FILE_TEST_IS_EXECUTABLE))
    return g_strdup (GILK_DATADIR "/lab/lab");
#endif

  g_set_error (error, GILK_ERROR, GILK_ERROR_TARGET,
               _("The lab's script was not found; set GILK_LAB to the path of lab/lab."));
  return NULL;
}

static gboolean
name_is_good (const char *name)
{
  return *name != '\0' && *name != '-' && *name != '.' &&
         strspn (name, G_CSET_a_2_z G_CSET_A_2_Z G_CSET_DIGITS "._-") == strlen (name);
}

/* The script's last complaint without its name and full stop, for an error message. */
static char *
complaint (const char *text)
{
  g_auto (GStrv) lines = g_strsplit (text != NULL ? text : "", "\n", -1);
  const char *last = _("it says nothing");

  for (guint i = 0; lines[i] != NULL; i++)
    if (*g_strstrip (lines[i]) != '\0')
      last = lines[i];

  if (g_str_has_prefix (last, "lab: "))
    last += strlen ("lab: ");

  return g_strndup (last, strlen (last) - g_str_has_suffix (last, "."));
}

static char *
socket_dir (const char  *script,
            const char  *name,
            GError     **error)
{
  g_autoptr (GSubprocess) process = NULL;
  g_autofree char *out = NULL;
  g_autofree char *err = NULL;
  g_autofree char *why = NULL;
  g_autoptr (GError) local = NULL;

  process = g_subprocess_new (G_SUBPROCESS_FLAGS_STDOUT_PIPE | G_SUBPROCESS_FLAGS_STDERR_PIPE,
                              &local, script, "socket-dir", name, NULL);
  if (process != NULL &&
      g_subprocess_communicate_utf8 (process, NULL, NULL, &out, &err, &local) &&
      g_subprocess_get_successful (process) && out != NULL && *g_strstrip (out) != '\0')
    return g_steal_pointer (&out);

  why = complaint (local != NULL ? local->message : err);
  g_set_error (error, GILK_ERROR, GILK_ERROR_TARGET, _("The lab \"%s\" was not found: %s."), name, why);
  return NULL;
}

typedef struct {
  int  fd;
  int  lock_fd;
  guint busy;       /* ports that others hold */
} Port;

/* Takes the first free port. Returns FALSE if there is none that answers. */
static gboolean
take_port (const char *dir,
           Port       *port)
{
  port->busy = 0;
  for (guint i = 0; i < PORTS; i++)
    {
      g_autofree char *sock = g_strdup_printf ("%s/port.%u.sock", dir, i);
      g_autofree char *lock = g_strdup_printf ("%s/port.%u.lock", dir, i);

      port->lock_fd = open (lock, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
      if (port->lock_fd < 0)
        continue;
      if (flock (port->lock_fd, LOCK_EX | LOCK_NB) == 0)
        {
          port->fd = gilk_stream_unix_connect (sock, NULL);
          if (port->fd >= 0)
            return TRUE;
        }
      else
        {
          port->busy++;
        }
      close (port->lock_fd);
    }

  return FALSE;
}

/* Passes the script's lines on as progress; the last one explains a failure. */
static gboolean
boot (const char          *script,
      const char          *name,
      const GilkProgress  *progress,
      GCancellable        *cancellable,
      GError             **error)
{
  g_autoptr (GSubprocess) process = NULL;
  g_autoptr (GDataInputStream) lines = NULL;
  g_autoptr (GError) local = NULL;
  g_autofree char *last = NULL;
  g_autofree char *why = NULL;

  gilk_progress (progress, _("Starting the lab"), -1);
  process = g_subprocess_new (G_SUBPROCESS_FLAGS_STDOUT_SILENCE | G_SUBPROCESS_FLAGS_STDERR_PIPE,
                              &local, script, "boot", name, NULL);
  if (process != NULL)
    {
      lines = g_data_input_stream_new (g_subprocess_get_stderr_pipe (process));
      for (;;)
        {
          char *line = g_data_input_stream_read_line_utf8 (lines, NULL, cancellable, &local);

          if (line == NULL)
            break;
          g_free (last);
          last = complaint (line);
          g_free (line);
          gilk_progress (progress, last, -1);
        }
      if (g_cancellable_is_cancelled (cancellable))
        g_subprocess_send_signal (process, SIGTERM);
      else if (g_subprocess_wait (process, cancellable, &local) &&
               g_subprocess_get_successful (process))
        return TRUE;
    }

  if (g_cancellable_is_cancelled (cancellable))
    {
      g_set_error (error, GILK_ERROR, GILK_ERROR_CANCELLED, _("Starting the lab was cancelled."));
      return FALSE;
    }
  why = complaint (last != NULL ? last : local != NULL ? local->message : NULL);
  g_set_error (error, GILK_ERROR, GILK_ERROR_TARGET, _("The lab \"%s\" did not start: %s."), name, why);
  return FALSE;
}

int
gilk_stream_lab_connect (const char          *name,
                         int                 *lock_fd,
                         const GilkProgress  *progress,
                         GCancellable        *cancellable,
                         GError             **error)
{
  g_autofree char *script = NULL;
  g_autofree char *dir = NULL;
  g_autofree char *up = NULL;
  Port port = { -1, -1, 0 };

  if (name == NULL)
    name = DEFAULT_LAB;
  if (!name_is_good (name))
    {
      g_set_error (error, GILK_ERROR, GILK_ERROR_USAGE,
                   _("\"%s\" is no lab; write lab:6.1, lab:6.12 or the name given to lab boot."), name);
      return -1;
    }

  script = find_lab_script (error);
  if (script == NULL)
    return -1;
  dir = socket_dir (script, name, error);
  if (dir == NULL)
    return -1;

  up = g_build_filename (dir, "up", NULL);
  if (!(g_file_test (up, G_FILE_TEST_EXISTS) && take_port (dir, &port)) && port.busy < PORTS)
    {
      if (!boot (script, name, progress, cancellable, error))
        return -1;
      take_port (dir, &port);
    }
  if (port.fd < 0)
    {
      g_set_error (error, GILK_ERROR, GILK_ERROR_TARGET,
                   _("No port of the lab \"%s\" is free (%u of %u in use); close another program "
                     "that is connected to it, or start a second lab with lab/lab boot --name."),
                   name, port.busy, PORTS);
      return -1;
    }

  *lock_fd = port.lock_fd;
  return port.fd;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-stream-lab.c - connects to a lab, which is booted first if necessary
 *
 * A lab (virtual machine) has several ports, each with an agent of its own. The process that holds
 * the flock on port.N.lock owns port.N.sock; the kernel releases the lock when the process ends.
 */
#include "core/link/gilk-stream.h"

#include <errno.h>
#include <fcntl.h>
#include <gio/gio.h>
#include <glib/gi18n.h>
#include <signal.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "core/base/gilk-error.h"
#include "core/link/gilk-lab.h"

#define PORTS 4

int
gilk_stream_unix_connect (const char *path,
                          GError    **error)
{
  struct sockaddr_un address = { .sun_family = AF_UNIX };
  int fd;

  if (strlen (path) >= sizeof address.sun_path)
    {
      g_set_error (error, GILK_ERROR, GILK_ERROR_USAGE,
                   _("The socket path \"%s\" is longer than the limit of %zu bytes; use a folder "
                     "with a shorter path."), path, sizeof address.sun_path - 1);
      return -1;
    }

  g_strlcpy (address.sun_path, path, sizeof address.sun_path);
  fd = socket (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd >= 0 && connect (fd, (struct sockaddr *) &address, sizeof address) == 0)
    return fd;

  g_set_error (error, GILK_ERROR, GILK_ERROR_TARGET,
               _("Cannot reach the socket \"%s\": %s; check that the agent's machine is running."),
               path, g_strerror (errno));
  if (fd >= 0)
    close (fd);
  return -1;
}

static gboolean
is_valid_name (const char *name)
{
  return *name != '\0' && *name != '-' && *name != '.' &&
         strspn (name, G_CSET_a_2_z G_CSET_A_2_Z G_CSET_DIGITS "._-") == strlen (name);
}

typedef struct {
  int  fd;
  int  lock_fd;
  guint busy;       /* number of the lab's ports that are locked by other clients */
} Port;

/* Claims the first free port. Returns FALSE if no port is free and reachable. */
static gboolean
claim_port (const char *dir,
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

/* Puts the script into a process group of its own, so that its children can be stopped together
 * with the script. A virtual machine that is already up has left the group, so it is not
 * stopped. */
static void
lead_group (gpointer data)
{
  setpgid (0, 0);
}

static GSubprocess *
start_boot (const char *script,
            const char *name,
            GError    **error)
{
  g_autoptr (GSubprocessLauncher) launcher =
    g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_STDOUT_SILENCE | G_SUBPROCESS_FLAGS_STDERR_PIPE);

  g_subprocess_launcher_set_child_setup (launcher, lead_group, NULL, NULL);
  return g_subprocess_launcher_spawn (launcher, error, script, "boot", name, NULL);
}

static void
end_boot (GSubprocess *process)
{
  const char *pid = g_subprocess_get_identifier (process);

  if (pid != NULL)
    kill (-(pid_t) g_ascii_strtoll (pid, NULL, 10), SIGTERM);
  g_subprocess_wait (process, NULL, NULL);
}

/* Boots the lab. Reports the script's output as progress; if booting fails, the last line of output
 * is the reason. */
static gboolean
boot_lab (const char         *script,
          const char         *name,
          const GilkProgress *progress,
          GCancellable       *cancellable,
          GError            **error)
{
  g_autoptr (GSubprocess) process = NULL;
  g_autoptr (GDataInputStream) lines = NULL;
  g_autoptr (GError) local = NULL;
  g_autofree char *last = NULL;
  g_autofree char *why = NULL;

  gilk_progress (progress, _("Starting the lab"), -1);
  process = start_boot (script, name, &local);
  if (process != NULL)
    {
      lines = g_data_input_stream_new (g_subprocess_get_stderr_pipe (process));
      for (;;)
        {
          char *line = g_data_input_stream_read_line_utf8 (lines, NULL, cancellable, &local);

          if (line == NULL)
            break;
          g_free (last);
          last = gilk_lab_error_text (line);
          g_free (line);
          gilk_progress (progress, last, -1);
        }
      if (g_cancellable_is_cancelled (cancellable))
        end_boot (process);
      else if (g_subprocess_wait (process, cancellable, &local) &&
               g_subprocess_get_successful (process))
        return TRUE;
    }

  if (g_cancellable_is_cancelled (cancellable))
    {
      g_set_error (error, GILK_ERROR, GILK_ERROR_CANCELLED, _("Starting the lab was cancelled."));
      return FALSE;
    }
  why = gilk_lab_error_text (last != NULL ? last : local != NULL ? local->message : NULL);
  g_set_error (error, GILK_ERROR, GILK_ERROR_TARGET, _("Lab \"%s\" did not start: %s."), name, why);
  return FALSE;
}

int
gilk_stream_lab_connect (const char         *name,
                         int                *lock_fd,
                         const GilkProgress *progress,
                         GCancellable       *cancellable,
                         GError            **error)
{
  g_autofree char *script = NULL;
  g_autofree char *dir = NULL;
  g_autofree char *up = NULL;
  Port port = { -1, -1, 0 };

  if (!is_valid_name (name))
    {
      g_set_error (error, GILK_ERROR, GILK_ERROR_USAGE,
                   _("\"%s\" is not a lab; write lab:6.1, lab:6.12, or lab: with the name that "
                     "was given to \"lab boot\"."), name);
      return -1;
    }

  script = gilk_lab_script (error);
  if (script == NULL)
    return -1;
  dir = gilk_lab_folder (name);
  up = g_build_filename (dir, "up", NULL);
  if (!(g_file_test (up, G_FILE_TEST_EXISTS) && claim_port (dir, &port)) && port.busy < PORTS)
    {
      if (!boot_lab (script, name, progress, cancellable, error))
        return -1;
      claim_port (dir, &port);
    }
  if (port.fd < 0)
    {
      g_set_error (error, GILK_ERROR, GILK_ERROR_TARGET,
                   _("No port of lab \"%s\" is free (%u of %u in use); close another program that is connected to it, or "
                     "start a second lab with lab/lab boot --name."),
                   name, port.busy, PORTS);
      return -1;
    }

  *lock_fd = port.lock_fd;
  return port.fd;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-agent-launch.c - finds out how to reach the agent of this machine
 *
 * The ways are tried in this order: directly, if the user is root; through the socket on which
 * systemd listens for members of group gilk; with sudo, if it needs no password; with pkexec, if
 * there is a desktop for its dialog. If all fail, the error says why, and what to do.
 */
#include "core/link/gilk-stream.h"

#include <errno.h>
#include <glib/gi18n.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "core/base/gilk-error.h"
#include "core/base/gilk-build-dir.h"

/* Returns the path in $GILK_GILKD, or the path of the agent in the build directory; NULL if there
 * is neither. */
static char *
find_own_gilkd (void)
{
  const char *named = g_getenv ("GILK_GILKD");

  return named != NULL ? g_strdup (named) : gilk_build_dir_path ("agent/gilkd");
}

static char *
find_installed_gilkd (void)
{
#ifdef GILK_LIBEXECDIR
  if (g_file_test (GILK_LIBEXECDIR "/gilkd", G_FILE_TEST_IS_EXECUTABLE))
    return g_strdup (GILK_LIBEXECDIR "/gilkd");
#endif
  return g_find_program_in_path ("gilkd");
}

static void
set_missing (GError **error)
{
  g_set_error (error, GILK_ERROR, GILK_ERROR_TARGET,
               _("The agent gilkd is not installed on this machine; run \"apt install gilkd\" as "
                 "root, or use a lab: --target lab."));
}

char **
gilk_stream_file_command (const char *path,
                          GError    **error)
{
  g_autofree char *own = find_own_gilkd ();
  g_autofree char *gilkd = own != NULL ? g_steal_pointer (&own) : find_installed_gilkd ();

  if (gilkd != NULL)
    return g_strdupv ((char *[]) { gilkd, "--kernel", (char *) path, NULL });

  set_missing (error);
  return NULL;
}

static gboolean
is_sudo_passwordless (const char *sudo)
{
  char *check[] = { (char *) sudo, "-n", "true", NULL };
  int status;

  return sudo != NULL &&
         g_spawn_sync (NULL, check, NULL, G_SPAWN_STDOUT_TO_DEV_NULL | G_SPAWN_STDERR_TO_DEV_NULL,
                       NULL, NULL, NULL, NULL, &status, NULL) && status == 0;
}

/* Connects to a socket. A socket without a listener, such as one left by a crashed machine, counts
 * as missing. @forbidden: (out): the user may not connect */
static int
connect_socket (const char *path,
                gboolean   *forbidden)
{
  struct sockaddr_un address = { .sun_family = AF_UNIX };
  int fd = socket (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

  *forbidden = FALSE;
  g_strlcpy (address.sun_path, path, sizeof address.sun_path);
  if (fd >= 0 && connect (fd, (struct sockaddr *) &address, sizeof address) == 0)
    return fd;

  *forbidden = errno == EACCES || errno == EPERM;
  if (fd >= 0)
    close (fd);
  return -1;
}

/* Sets the error for a user who cannot reach the agent in any way. */
static void
set_unreachable (gboolean    forbidden,
                 const char *sudo,
                 const char *pkexec,
                 GError    **error)
{
  const char *words;

  if (forbidden)
    words = _("Access to this machine's own kernel needs root, and gilkd accepts only members "
              "of the group gilk, which you are not in; let an administrator run \"adduser USER "
              "gilk\", then log in again; or run \"sudo -v\" first; or use a lab: --target lab.");
  else if (sudo != NULL)
    words = _("Access to this machine's own kernel needs root, and sudo asks for a password; run \"sudo -v\" first, or "
              "use a lab: --target lab.");
  else if (pkexec != NULL)
    words = _("Access to this machine's own kernel needs root, but pkexec can ask for a password only on a desktop, and "
              "sudo is not installed; start Gilk on a desktop, or install sudo, or use a lab: --target lab.");
  else
    words = _("Access to this machine's own kernel needs root, and neither pkexec nor sudo was found; run \"apt install "
              "pkexec\" as root, or start Gilk as root, or use a lab: --target lab.");

  g_set_error_literal (error, GILK_ERROR, GILK_ERROR_PERMISSION, words);
}

/*
 * Finds out how user @uid can reach the agent of this machine. @socket: path of the socket to try;
 * NULL: systemd's socket, which is not used if $GILK_GILKD or the build directory provides another
 * agent.
 *
 * Returns the command that starts an agent, or NULL with a connected socket in *@fd. On failure,
 * returns NULL with @error and sets *@fd to -1.
 */
char **
gilk_stream_local_command (uint32_t    uid,
                           const char *socket,
                           int        *fd,
                           GError    **error)
{
  g_autofree char *own = find_own_gilkd ();
  g_autofree char *gilkd = own != NULL ? g_strdup (own) : find_installed_gilkd ();
  g_autofree char *sudo = g_find_program_in_path ("sudo");
  g_autofree char *pkexec = g_find_program_in_path ("pkexec");
  gboolean desktop = g_getenv ("DISPLAY") != NULL || g_getenv ("WAYLAND_DISPLAY") != NULL;
  gboolean forbidden = FALSE;

  *fd = -1;
  if (uid != 0 && (own == NULL || socket != NULL))
    *fd = connect_socket (socket != NULL ? socket : GILK_SOCKET, &forbidden);
  if (*fd >= 0)
    return NULL;

  if (gilkd == NULL && !forbidden)
    {
      set_missing (error);
      return NULL;
    }
  if (gilkd == NULL)
    {
      set_unreachable (TRUE, NULL, NULL, error);
      return NULL;
    }
  if (uid == 0)
    return g_strdupv ((char *[]) { gilkd, "--stdio", NULL });
  if (is_sudo_passwordless (sudo))
    return g_strdupv ((char *[]) { sudo, "-n", gilkd, "--stdio", NULL });
  if (pkexec != NULL && desktop)
    return g_strdupv ((char *[]) { pkexec, gilkd, "--stdio", NULL });

  set_unreachable (forbidden, sudo, pkexec, error);
  return NULL;
}

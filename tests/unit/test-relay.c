/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test-relay.c - tests that clients reach an agent's socket through the standard input and output
 * of gilkd --socket, as over ssh
 *
 * The host is this machine, with a /run of its own and three fake commands: ssh runs its argument,
 * id reports an ordinary user, and sudo refuses.
 */
#include <glib/gstdio.h>
#include <sched.h>
#include <sys/mount.h>
#include <unistd.h>

#include "core/base/gilk-error.h"
#include "core/link/gilk-target.h"
#include "tests/unit/false-agent-socket.h"

#define GILKD GILK_BUILD_DIR "/agent/gilkd"

static void
test_through (void)
{
  g_autofree char *big = g_malloc0 (2 << 20), *spec = NULL;
  g_autoptr(GError) error = NULL;
  FalseSocket socket;
  GilkTarget *target;

  false_socket_start (&socket, 2, NULL, NULL);
  spec = g_strdup_printf ("exec:" GILKD " --socket %s", socket.spec + strlen ("unix:"));
  target = gilk_target_open (spec, NULL, NULL, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < 3; i++)
    {
      g_autoptr(GByteArray) answer = gilk_target_request (target, GILK_PING, big, 2 << 20, NULL, &error);

      g_assert_no_error (error);
      g_assert_cmpuint (answer->len, ==, 2 << 20);
    }
  gilk_target_unref (target);
  /* Wait until the agent sees that the connection has ended. */
  while (g_atomic_int_get (&socket.clients) > 0)
    g_usleep (1000);
  false_socket_stop (&socket);
}

static void
test_nobody_listens (void)
{
  g_autoptr(GError) error = NULL;

  g_assert_null (gilk_target_open ("exec:" GILKD " --socket /nowhere/at/all", NULL, NULL, &error));
  g_assert_nonnull (strstr (error->message, "/nowhere/at/all"));
}

/* ---- test of hosts reached by ssh ---- */

static void
write_script (const char *folder, const char *name, const char *text)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);

  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  g_assert_cmpint (g_chmod (path, 0755), ==, 0);
}

/* Tests hosts whose user is, or is not, a member of the group that may use the agent's socket. */
static void
test_ssh (gconstpointer has_socket)
{
  static const struct { const char *name, *text; } scripts[] = {
    { "ssh", "#!/bin/sh\nfor last; do :; done\nexec sh -c \"$last\"\n" },
    { "id", "#!/bin/sh\necho 1000\n" },
    { "sudo", "#!/bin/sh\necho 'sudo: a password is required' >&2\nexit 1\n" },
  };
  g_autofree char *folder = NULL, *path = NULL, *before = g_strdup (g_getenv ("PATH"));
  g_autoptr(GError) error = NULL;
  FalseSocket socket;
  GilkTarget *target;

  if (unshare (CLONE_NEWNS) != 0 || mount (NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0 ||
      mount ("tmpfs", "/run", "tmpfs", 0, NULL) != 0)
    {
      g_test_skip ("no mounts of its own");
      return;
    }
  folder = g_dir_make_tmp ("gilk-ssh-XXXXXX", &error);
  g_assert_no_error (error);
  for (guint i = 0; i < G_N_ELEMENTS (scripts); i++)
    write_script (folder, scripts[i].name, scripts[i].text);
  path = g_strdup_printf ("%s:%s:%s", folder, GILK_BUILD_DIR "/agent", g_getenv ("PATH"));
  g_setenv ("PATH", path, TRUE);
  false_socket_start (&socket, 1, NULL, NULL);
  g_assert_cmpint (g_mkdir_with_parents ("/run/gilk", 0755), ==, 0);
  if (GPOINTER_TO_INT (has_socket))
    g_assert_cmpint (symlink (socket.spec + strlen ("unix:"), GILK_SOCKET), ==, 0);

  target = gilk_target_open ("ssh:there", NULL, NULL, &error);
  if (GPOINTER_TO_INT (has_socket))
    {
      g_assert_no_error (error);
      gilk_target_unref (target);
    }
  else
    {
      g_assert_null (target);
      g_assert_nonnull (strstr (error->message, "ssh:root@there"));
    }
  false_socket_stop (&socket);
  for (guint i = 0; i < G_N_ELEMENTS (scripts); i++)
    {
      g_autofree char *script = g_build_filename (folder, scripts[i].name, NULL);

      g_assert_cmpint (g_unlink (script), ==, 0);
    }
  g_assert_cmpint (g_rmdir (folder), ==, 0);
  g_setenv ("PATH", before, TRUE);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/relay/through", test_through);
  g_test_add_func ("/relay/nobody-listens", test_nobody_listens);
  g_test_add_data_func ("/relay/ssh-with-a-socket", GINT_TO_POINTER (TRUE), test_ssh);
  g_test_add_data_func ("/relay/ssh-with-sudo-alone", GINT_TO_POINTER (FALSE), test_ssh);

  return g_test_run ();
}

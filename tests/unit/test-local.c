/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test-local.c - checks how this machine's own agent is started or reached, and the error if
 * neither is possible
 *
 * sudo and pkexec are scripts in the only folder of $PATH.
 */
#include "core/link/gilk-stream.h"

#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <glib/gstdio.h>

#define USER 1000

typedef struct {
  char *folder;
  char *socket;
} Machine;

static void
machine_begin (Machine *machine)
{
  machine->folder = g_dir_make_tmp ("gilk-local-XXXXXX", NULL);
  machine->socket = g_build_filename (machine->folder, "gilkd.sock", NULL);
  g_setenv ("PATH", machine->folder, TRUE);
  g_setenv ("GILK_GILKD", "/x/gilkd", TRUE);
  g_unsetenv ("DISPLAY");
  g_unsetenv ("WAYLAND_DISPLAY");
}

static void
machine_end (Machine *machine)
{
  const char *const names[] = { "sudo", "pkexec", "gilkd.sock" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *path = g_build_filename (machine->folder, names[i], NULL);

      g_unlink (path);
    }
  g_rmdir (machine->folder);
  g_free (machine->socket);
  g_free (machine->folder);
}

static void
machine_has (Machine    *machine,
             const char *name,
             const char *script)
{
  g_autofree char *path = g_build_filename (machine->folder, name, NULL);

  g_assert_true (g_file_set_contents (path, script, -1, NULL));
  g_assert_cmpint (g_chmod (path, 0755), ==, 0);
}

/* Returns the command that starts this machine's agent, or the text of the error. */
static char *
get_command (Machine *machine,
             guint    uid)
{
  g_autoptr (GError) error = NULL;
  int fd = -1;
  g_auto (GStrv) argv = gilk_stream_local_command (uid, machine->socket, &fd, &error);

  g_assert_true ((argv != NULL) + (fd >= 0) + (error != NULL) == 1);
  if (error != NULL)
    {
      g_assert_true (g_str_has_suffix (error->message, "."));
      return g_strdup (error->message);
    }
  if (fd >= 0)
    {
      close (fd);
      return g_strdup ("socket");
    }

  for (char **word = argv; *word != NULL; word++)
    if (g_str_has_prefix (*word, machine->folder))
      memmove (*word, *word + strlen (machine->folder) + 1,
               strlen (*word + strlen (machine->folder) + 1) + 1);
  return g_strjoinv (" ", argv);
}

static void
assert_way (Machine    *machine,
            guint       uid,
            const char *part)
{
  g_autofree char *text = get_command (machine, uid);

  if (strstr (text, part) == NULL)
    g_error ("\"%s\" is not in \"%s\"", part, text);
}

static void
test_commands (void)
{
  Machine machine;

  machine_begin (&machine);
  assert_way (&machine, 0, "/x/gilkd --stdio");
  assert_way (&machine, USER, "neither pkexec nor sudo was found");

  machine_has (&machine, "pkexec", "#!/bin/sh\nexit 126\n");
  assert_way (&machine, USER, "only on a desktop, and sudo is not installed");
  g_setenv ("DISPLAY", ":7", TRUE);
  assert_way (&machine, USER, "pkexec /x/gilkd --stdio");

  machine_has (&machine, "sudo", "#!/bin/sh\nexit 1\n");
  assert_way (&machine, USER, "pkexec /x/gilkd --stdio");
  g_unsetenv ("DISPLAY");
  assert_way (&machine, USER, "sudo asks for a password; run \"sudo -v\" first");
  machine_has (&machine, "sudo", "#!/bin/sh\nexit 0\n");
  g_setenv ("DISPLAY", ":7", TRUE);
  assert_way (&machine, USER, "sudo -n /x/gilkd --stdio");
  machine_end (&machine);
}

static int
machine_listens (Machine *machine)
{
  struct sockaddr_un address = { .sun_family = AF_UNIX };
  int listener = socket (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

  g_strlcpy (address.sun_path, machine->socket, sizeof address.sun_path);
  g_assert_cmpint (bind (listener, (struct sockaddr *) &address, sizeof address), ==, 0);
  g_assert_cmpint (listen (listener, 4), ==, 0);

  return listener;
}

static void
test_socket (void)
{
  Machine machine;
  int listener;

  machine_begin (&machine);
  machine_has (&machine, "sudo", "#!/bin/sh\nexit 0\n");
  assert_way (&machine, USER, "sudo -n ");

  listener = machine_listens (&machine);
  assert_way (&machine, USER, "socket");
  assert_way (&machine, 0, "gilkd --stdio");
  close (listener);
  /* A socket on which no process listens is not used. */
  assert_way (&machine, USER, "sudo -n ");
  machine_end (&machine);
}

/* Tests a socket that exists, but to which this user may not connect. */
static void
test_forbidden (void)
{
  Machine machine;
  int listener;

  if (geteuid () == 0)
    {
      g_test_skip ("root may connect to any socket");
      return;
    }
  machine_begin (&machine);
  listener = machine_listens (&machine);
  g_assert_cmpint (g_chmod (machine.socket, 0), ==, 0);
  assert_way (&machine, USER, "only members of the group gilk");
  assert_way (&machine, USER, "adduser");
  machine_has (&machine, "sudo", "#!/bin/sh\nexit 0\n");
  assert_way (&machine, USER, "sudo -n ");
  close (listener);
  machine_end (&machine);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/local/commands", test_commands);
  g_test_add_func ("/local/socket", test_socket);
  g_test_add_func ("/local/forbidden", test_forbidden);

  return g_test_run ();
}

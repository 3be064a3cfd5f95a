/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test-agent-files.c - tests that the real agent refuses a client's path if it does not lead to an
 * ordinary program file
 */
/* Promise: Consent: a path from a client can open only an ordinary file, and never a device */
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "core/base/gilk-error.h"
#include "core/link/gilk-target.h"

#define GILKD GILK_BUILD_DIR "/agent/gilkd"

typedef struct {
  GilkTarget *target;
  char       *folder;
} Fixture;

static void
set_up (Fixture *f, gconstpointer data)
{
  g_autoptr(GError) error = NULL;

  f->folder = g_dir_make_tmp ("gilk-files-XXXXXX", &error);
  g_assert_no_error (error);
  f->target = gilk_target_open ("exec:" GILKD " --stdio", NULL, NULL, &error);
  g_assert_no_error (error);
}

static void
tear_down (Fixture *f, gconstpointer data)
{
  gilk_target_unref (f->target);
  g_assert_cmpint (g_rmdir (f->folder), ==, 0);
  g_free (f->folder);
}

static gboolean
was_opened (int notify)
{
  char events[1024];

  return read (notify, events, sizeof events) > 0;
}

/* Checks that the agent refuses @path without opening it, with a message that contains @words. */
static void
assert_left_alone (Fixture *f, const char *path, const char *words)
{
  const int notify = inotify_init1 (IN_NONBLOCK | IN_CLOEXEC);
  const int watch = inotify_add_watch (notify, path, IN_OPEN);
  g_autoptr(GError) error = NULL;
  struct gilk_user_file file;

  g_test_message ("%s", path);
  g_assert_cmpint (watch, >=, 0);
  g_assert_false (gilk_target_program_file (f->target, path, &file, NULL, &error));
  g_assert_false (was_opened (notify));
  g_assert_nonnull (strstr (error->message, words));
  close (notify);
}

static void
test_kinds (Fixture *f, gconstpointer data)
{
  g_autofree char *fifo = g_build_filename (f->folder, "fifo", NULL);
  g_autofree char *link = g_build_filename (f->folder, "link", NULL);
  struct sockaddr_un address = { .sun_family = AF_UNIX };
  const int listener = socket (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

  g_assert_cmpint (mkfifo (fifo, 0600), ==, 0);
  assert_left_alone (f, fifo, "not a regular file");
  g_assert_cmpint (symlink (fifo, link), ==, 0);
  assert_left_alone (f, link, "not a regular file");
  g_snprintf (address.sun_path, sizeof address.sun_path, "%s/socket", f->folder);
  g_assert_cmpint (bind (listener, (struct sockaddr *) &address, sizeof address), ==, 0);
  assert_left_alone (f, address.sun_path, "not a regular file");
  assert_left_alone (f, "/dev/full", "not a regular file");
  assert_left_alone (f, f->folder, "not a regular file");
  close (listener);
  unlink (address.sun_path);
  unlink (link);
  unlink (fifo);
}

/* Tests that the agent refuses files of pseudo file systems, such as /proc, although they have the
 * mode of regular files. */
static void
test_kernel_files (Fixture *f, gconstpointer data)
{
  g_autofree char *limits = g_strdup_printf ("/proc/%d/limits", (int) getpid ());

  assert_left_alone (f, limits, "it is on a pseudo file system");
  assert_left_alone (f, "/sys/kernel/notes", "it is on a pseudo file system");
}

static void
test_programs (Fixture *f, gconstpointer data)
{
  g_autofree char *text = g_build_filename (f->folder, "text", NULL);
  g_autofree char *exe = g_strdup_printf ("/proc/%d/exe", (int) getpid ());
  g_autofree char *mine = g_file_read_link ("/proc/self/exe", NULL);
  g_autofree uint8_t *bytes = NULL;
  g_autofree char *own = NULL;
  g_autoptr(GError) error = NULL;
  struct gilk_user_file file, again;
  gsize size;

  g_assert_true (g_file_get_contents (mine, &own, &size, NULL));
  g_assert_true (gilk_target_program_file (f->target, mine, &file, NULL, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (file.bytes, ==, size);
  bytes = g_malloc (size);
  g_assert_true (gilk_target_program_read (f->target, mine, &file, 0, size, bytes, NULL, &error));
  g_assert_no_error (error);
  g_assert_cmpmem (bytes, size, own, size);
  g_assert_true (gilk_target_program_file (f->target, exe, &again, NULL, &error));
  g_assert_no_error (error);
  g_assert_cmpmem (&again, sizeof again, &file, sizeof file);

  g_assert_true (g_file_set_contents (text, "text\n", -1, NULL));
  g_assert_false (gilk_target_program_file (f->target, text, &file, NULL, &error));
  g_assert_nonnull (strstr (error->message, "not an ELF file"));
  g_unlink (text);
}

/* Tests that if the server of a file system never answers, the process that opens the file is
 * killed, and the agent keeps running. */
static void
test_dead_mount (Fixture *f, gconstpointer data)
{
  const int device = open ("/dev/fuse", O_RDWR | O_CLOEXEC);
  g_autofree char *options = g_strdup_printf ("fd=%d,rootmode=40000,user_id=0,group_id=0,allow_other", device);
  g_autofree char *path = g_build_filename (f->folder, "program", NULL);
  g_autoptr(GByteArray) pong = NULL;
  g_autoptr(GError) error = NULL;
  struct gilk_user_file file;

  if (device < 0 || mount ("gilk-test", f->folder, "fuse", MS_NOSUID | MS_NODEV, options) != 0)
    {
      g_test_skip ("no FUSE may be mounted here");
      if (device >= 0)
        close (device);
      return;
    }
  g_assert_false (gilk_target_program_file (f->target, path, &file, NULL, &error));
  g_assert_nonnull (strstr (error->message, "did not answer"));
  pong = gilk_target_request (f->target, GILK_PING, "still", 5, NULL, &error);
  g_assert_nonnull (pong);
  close (device);
  g_assert_cmpint (umount2 (f->folder, MNT_DETACH), ==, 0);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/agent-files/kinds", Fixture, NULL, set_up, test_kinds, tear_down);
  g_test_add ("/agent-files/kernel-files", Fixture, NULL, set_up, test_kernel_files, tear_down);
  g_test_add ("/agent-files/programs", Fixture, NULL, set_up, test_programs, tear_down);
  g_test_add ("/agent-files/dead-mount", Fixture, NULL, set_up, test_dead_mount, tear_down);

  return g_test_run ();
}

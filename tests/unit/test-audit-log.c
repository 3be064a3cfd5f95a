/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test-audit-log.c - checks the agent's messages in the system's log: which user they name, and
 * what happens when the log does not accept messages
 */
#include "agent/gilkd-audit.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <glib.h>
#include <glib/gstdio.h>

typedef struct {
  struct gilkd_audit audit;
  char             *folder;
  char             *path;
  int               log;
  int               client[2];
} Log;

static void
log_listen (Log *log)
{
  struct sockaddr_un address = { .sun_family = AF_UNIX };

  log->log = socket (AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  g_assert_cmpint (log->log, >=, 0);
  g_strlcpy (address.sun_path, log->path, sizeof address.sun_path);
  g_assert_cmpint (bind (log->log, (struct sockaddr *) &address, sizeof address), ==, 0);
}

static void
log_begin (Log *log)
{
  memset (log, 0, sizeof *log);
  log->folder = g_dir_make_tmp ("gilk-acts-XXXXXX", NULL);
  g_assert_nonnull (log->folder);
  log->path = g_build_filename (log->folder, "log", NULL);
  log_listen (log);
  g_assert_cmpint (socketpair (AF_UNIX, SOCK_STREAM, 0, log->client), ==, 0);
  gilkd_audit_open (&log->audit, log->client[0], log->path);
}

static void
log_end (Log *log)
{
  gilkd_audit_close (&log->audit);
  close (log->log);
  close (log->client[0]);
  close (log->client[1]);
  g_unlink (log->path);
  g_rmdir (log->folder);
  g_free (log->path);
  g_free (log->folder);
}

/* Returns the next datagram, NULL if no datagram is waiting. */
static char *
log_next (Log *log)
{
  char text[2048];
  gssize got = recv (log->log, text, sizeof text, 0);

  return got < 0 ? NULL : g_strndup (text, got);
}

static void
assert_said (Log        *log,
             const char *who,
             const char *what)
{
  g_autofree char *text = log_next (log);
  g_autofree char *begin = g_strdup_printf ("<85>gilkd[%d]: for ", (int) getpid ());

  g_assert_nonnull (text);
  g_assert_true (g_str_has_prefix (text, begin));
  g_assert_nonnull (strstr (text, who));
  g_assert_true (g_str_has_suffix (text, what));
}

static void
test_peer (void)
{
  g_autofree char *uid = g_strdup_printf ("uid %u", (unsigned) getuid ());
  g_autofree char *process = g_strdup_printf (", process %d: ", (int) getpid ());
  Log log;

  log_begin (&log);
  gilkd_audit_log (&log.audit, "loaded the module %s", "/lib/ilk.ko");
  gilkd_audit_log (&log.audit, "armed %u patches", 12u);
  assert_said (&log, uid, ": loaded the module /lib/ilk.ko");
  assert_said (&log, process, ": armed 12 patches");
  g_assert_null (log_next (&log));
  log_end (&log);
}

/* Tests an agent that was started through pkexec, so that its peer may be root: PKEXEC_UID then
 * identifies the user, if it is a number. */
static void
test_starter (void)
{
  Log log;

  g_setenv ("PKEXEC_UID", "4294967290", TRUE);
  log_begin (&log);
  gilkd_audit_log (&log.audit, "session begun");
  assert_said (&log, "for uid 4294967290: ", ": session begun");
  log_end (&log);

  g_setenv ("PKEXEC_UID", "0x10", TRUE);
  log_begin (&log);
  gilkd_audit_log (&log.audit, "session begun");
  assert_said (&log, ", process ", ": session begun");
  log_end (&log);
  g_unsetenv ("PKEXEC_UID");
}

/* Tests that text that a client chooses, such as a module's name, is truncated to the length of a
 * message. */
static void
test_long (void)
{
  g_autofree char *much = g_strnfill (5000, 'x');
  g_autofree char *text = NULL;
  Log log;

  log_begin (&log);
  gilkd_audit_log (&log.audit, "loaded the module %s", much);
  text = log_next (&log);
  g_assert_nonnull (text);
  g_assert_cmpuint (strlen (text), <, 512);
  log_end (&log);
}

/* Tests a log that is full, then missing, then replaced by a new log. The first message in the new
 * log states how many actions were not logged. */
static void
test_untold (void)
{
  guint told = 0;
  gint64 begin;
  Log log;

  log_begin (&log);
  begin = g_get_monotonic_time ();
  while (log.audit.unlogged == 0 && told < 100000)
    {
      errno = ERANGE;
      gilkd_audit_log (&log.audit, "armed %u patches", told++);
      g_assert_cmpint (errno, ==, ERANGE);
    }
  g_assert_cmpuint (log.audit.unlogged, ==, 1);
  g_assert_cmpint (g_get_monotonic_time () - begin, <, 20 * G_USEC_PER_SEC);

  close (log.log);
  g_unlink (log.path);
  gilkd_audit_log (&log.audit, "unloaded the module ilk");
  g_assert_cmpuint (log.audit.unlogged, ==, 2);

  log_listen (&log);
  gilkd_audit_log (&log.audit, "session over");
  assert_said (&log, "(2 earlier actions were not logged)", ": session over");
  gilkd_audit_log (&log.audit, "session begun");
  assert_said (&log, ": session begun", ": session begun");
  log_end (&log);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_unsetenv ("SUDO_UID");
  g_unsetenv ("PKEXEC_UID");

  g_test_add_func ("/acts/peer", test_peer);
  g_test_add_func ("/acts/starter", test_starter);
  g_test_add_func ("/acts/long", test_long);
  g_test_add_func ("/acts/untold", test_untold);

  return g_test_run ();
}

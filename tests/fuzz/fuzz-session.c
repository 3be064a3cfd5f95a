/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fuzz-session.c - feeds hostile sessions to every reader
 *
 *   fuzz-session [--files N] [--seconds N] [--seed N] [--keep FOLDER]
 *   fuzz-session --one FILE [--seed N]
 *
 * Corrupts the bytes, pages, rows and schema of small valid sessions, and reads them. A child reads
 * some thousands of sessions; if the child dies or runs too long after cancellation, the test
 * fails and keeps the file. The same seed makes the same files. It should be built with
 * -Db_sanitize=address,undefined.
 */
/* Promise: no session harms a reader */
#include "tests/fuzz/fuzz-session.h"

#include <fcntl.h>
#include <gio/gio.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#define BATCH         2000
#define CANCEL_AFTER  5          /* seconds of CPU time after which a read is cancelled: more than a
                                    file of this size should take */
#define CANCEL_WITHIN 2          /* seconds of CPU time within which a cancelled read must end */

typedef struct {
  char   *folder, *path, *keep, *one;
  int     files, seconds;
  gint64  seed;
  GPtrArray *valid;
} Fuzz;

/* Cancellable of the file that the child reads; the alarm cancels it. */
static GCancellable *reading;
static volatile sig_atomic_t alarms;

/* Sets a timer that counts CPU time, not wall-clock time, because the machine may be busy. */
static void
set_alarm (guint seconds)
{
  const struct itimerval after = { .it_value = { .tv_sec = seconds } };

  setitimer (ITIMER_PROF, &after, NULL);
}

static void
on_alarm (int number)
{
  if (alarms++ > 0)
    abort ();
  g_cancellable_cancel (reading);
  set_alarm (CANCEL_WITHIN);
}

/* Reads a file. Returns the time taken in seconds. */
static double
read_file (Dice *dice, const char *path)
{
  g_autoptr(GCancellable) cancellable = g_cancellable_new ();
  gint64 begin = g_get_monotonic_time ();

  reading = cancellable;
  alarms = 0;
  set_alarm (CANCEL_AFTER);
  fuzz_read (dice, path, cancellable);
  set_alarm (0);

  return (double) (g_get_monotonic_time () - begin) / 1e6;
}

static void
write_file (const char *path, const GByteArray *bytes)
{
  int fd = open (path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

  g_assert_cmpint (fd, >=, 0);
  g_assert_cmpint (write (fd, bytes->data, bytes->len), ==, bytes->len);
  close (fd);
}

/* Now and then creates a file beside the session, such as a journal, that SQLite reads with the
 * session. */
static void
put_beside (Dice *dice, const Fuzz *fuzz)
{
  static const char *const suffixes[] = { "-wal", "-journal", "-shm" };
  guint which = fuzz_draw (dice, 60);

  for (guint i = 0; i < G_N_ELEMENTS (suffixes); i++)
    {
      g_autofree char *path = g_strconcat (fuzz->path, suffixes[i], NULL);

      if (which != i)
        {
          unlink (path);
          continue;
        }
      g_autoptr(GByteArray) bytes = fuzz_spoil (dice, g_ptr_array_index (fuzz->valid, 0));

      write_file (path, bytes);
    }
}

/* Runs in the child: reads a batch of files, then prints "slowest" and the longest time on the last
 * line. */
static void
read_batch (const Fuzz *fuzz, guint batch, int n)
{
  Dice dice = { (uint64_t) fuzz->seed * 1000003 + batch + 1 };
  double slowest = 0;

  signal (SIGPROF, on_alarm);
  for (int i = 0; i < n; i++)
    {
      GBytes *valid = g_ptr_array_index (fuzz->valid, fuzz_draw (&dice, fuzz->valid->len));
      g_autoptr(GByteArray) spoilt = fuzz_spoil (&dice, valid);

      if (fuzz_draw (&dice, 10) == 0 && spoilt->len > 20)
        /* Change the SQLite header to state that the file uses a write-ahead log. */
        spoilt->data[18] = spoilt->data[19] = 2;
      write_file (fuzz->path, spoilt);
      put_beside (&dice, fuzz);
      slowest = MAX (slowest, read_file (&dice, fuzz->path));
    }
  fprintf (stderr, "slowest %.3f\n", slowest);
}

static void
save_file (const Fuzz *fuzz, guint batch)
{
  g_autofree char *name = g_strdup_printf ("spoilt-%" G_GINT64_FORMAT "-%u.gilk", fuzz->seed, batch);
  g_autofree char *to = g_build_filename (fuzz->keep, name, NULL);
  g_autofree char *bytes = NULL;
  gsize length;

  if (g_file_get_contents (fuzz->path, &bytes, &length, NULL) &&
      g_file_set_contents (to, bytes, (gssize) length, NULL))
    printf ("# kept as %s\n", to);
}

/* Runs a batch in a child. Discards the output of the gilk commands, but shows reports of a
 * sanitizer. */
static gboolean
run_batch (const Fuzz *fuzz, guint batch, int n)
{
  g_autofree char *log = g_build_filename (fuzz->folder, "log", NULL), *said = NULL;
  int status;
  pid_t child;

  fflush (stdout);
  child = fork ();
  if (child == 0)
    {
      g_assert_nonnull (freopen ("/dev/null", "w", stdout));
      g_assert_nonnull (freopen (log, "w", stderr));
      read_batch (fuzz, batch, n);
      exit (0);
    }
  g_assert_cmpint (waitpid (child, &status, 0), ==, child);
  if (WIFEXITED (status) && WEXITSTATUS (status) == 0)
    return TRUE;

  printf ("# batch %u of seed %" G_GINT64_FORMAT ": status %x\n", batch, fuzz->seed, status);
  if (g_file_get_contents (log, &said, NULL, NULL))
    fwrite (said, 1, MIN (strlen (said), 6000), stdout);
  save_file (fuzz, batch);
  return FALSE;
}

static int
run_all (const Fuzz *fuzz)
{
  gint64 begin = g_get_monotonic_time ();
  gint64 end = fuzz->seconds > 0 ? begin + fuzz->seconds * G_USEC_PER_SEC : G_MAXINT64;
  int done = 0, failed = 0;

  for (guint batch = 0; done < fuzz->files && g_get_monotonic_time () < end; batch++)
    {
      int n = MIN (fuzz->seconds > 0 ? BATCH / 80 : BATCH, fuzz->files - done);

      failed += !run_batch (fuzz, batch, n);
      done += n;
      if (batch % 20 == 19 && fuzz->seconds == 0)
        fprintf (stderr, "# %d files, %.0f a second, %d batches failed\n", done,
                 done / ((double) (g_get_monotonic_time () - begin) / 1e6), failed);
    }
  printf ("1..1\n%s 1 - %d spoilt sessions read, %.0f a second, %d batches failed\n",
          failed == 0 ? "ok" : "not ok", done,
          done / ((double) (g_get_monotonic_time () - begin) / 1e6), failed);

  return failed != 0;
}

int
main (int    argc,
      char **argv)
{
  Fuzz fuzz = { .files = G_MAXINT, .seed = 1 };
  const GOptionEntry entries[] = {
    { "files", 0, 0, G_OPTION_ARG_INT, &fuzz.files, "", NULL },
    { "seconds", 0, 0, G_OPTION_ARG_INT, &fuzz.seconds, "", NULL },
    { "seed", 0, 0, G_OPTION_ARG_INT64, &fuzz.seed, "", NULL },
    { "keep", 0, 0, G_OPTION_ARG_FILENAME, &fuzz.keep, "", NULL },
    { "one", 0, 0, G_OPTION_ARG_FILENAME, &fuzz.one, "", NULL },
    { NULL },
  };
  g_autoptr(GOptionContext) context = g_option_context_new (NULL);
  g_autoptr(GError) error = NULL;
  g_autofree char *at = NULL;
  int code;

  g_log_set_always_fatal (G_LOG_LEVEL_CRITICAL | G_LOG_LEVEL_WARNING | G_LOG_FATAL_MASK);
  g_option_context_add_main_entries (context, entries, NULL);
  if (!g_option_context_parse (context, &argc, &argv, &error))
    g_error ("%s", error->message);
  if (fuzz.one != NULL)
    {
      for (guint i = 0; i < 200; i++)
        fuzz_read (&(Dice) { (uint64_t) fuzz.seed + i }, fuzz.one, NULL);
          g_free (fuzz.one);
      return 0;
    }

  at = g_strdup_printf ("%s/gilk-fuzz-XXXXXX", g_file_test ("/dev/shm", G_FILE_TEST_IS_DIR)
                        ? "/dev/shm" : g_get_tmp_dir ());
  fuzz.folder = g_mkdtemp (g_steal_pointer (&at));
  fuzz.path = g_build_filename (fuzz.folder, "s.gilk", NULL);
  fuzz.keep = fuzz.keep != NULL ? fuzz.keep : g_strdup (g_get_tmp_dir ());
  fuzz.valid = fuzz_make_sessions (fuzz.folder);
  code = run_all (&fuzz);

  fuzz_remove_folder (fuzz.folder);
  g_ptr_array_unref (fuzz.valid);
  g_free (fuzz.folder);
  g_free (fuzz.path);
  g_free (fuzz.keep);
  return code;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test-store-faults.c - tests files that are not sessions, damaged sessions, and sessions whose
 * disk or program failed
 *
 * Each case must report one message with cause and remedy, and must not lose recorded data.
 */
/* Promise: damaged sessions and full disks are reported, and do no harm */
#include <gio/gio.h>
#include <sched.h>
#include <signal.h>
#include <sqlite3.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <glib/gstdio.h>

#include "core/base/gilk-error.h"
#include "core/samples/gilk-samples.h"
#include "tests/store-fixture.h"

#define RECORDS 4096

typedef StoreFixture Fixture;

static void
assert_refused (const char *path, gboolean record, int code, const char *says)
{
  g_autoptr(GError) error = NULL;
  GilkStore *store = record ? gilk_store_open (path, &error)
                            : gilk_store_open_read (path, NULL, &error);

  g_assert_null (store);
  g_assert_error (error, GILK_ERROR, code);
  if (strstr (error->message, says) == NULL)
    g_error ("“%s” does not say “%s”", error->message, says);
  g_assert_nonnull (strstr (error->message, path));
  g_assert_true (g_str_has_suffix (error->message, "."));
}

/* ---- recording helpers ---- */

static gboolean
record_samples (GilkStore *store, gint64 run, GError **error)
{
  static struct ilk_record cells[RECORDS];
  static uint64_t tsc, random = 88172645463325252u;
  guint stored;

  for (guint i = 0; i < RECORDS; i++)
    {
      random ^= random << 13;
      random ^= random >> 7;
      random ^= random << 17;
      tsc += 1 + random % 256;      /* times are random, because evenly spaced times would be
                                     * compressed to almost nothing */
      cells[i] = (struct ilk_record) { .commit = 1, .tsc = tsc, .iid = 1 };
    }

  return gilk_store_add_records (store, run, 0, cells, sizeof cells, &stored, error);
}

static void
make_session (const char *path, guint rounds)
{
  g_autoptr(GError) error = NULL;
  GilkStore *store = fixture_open (path);
  gint64 run = fixture_begin_run (store, &error);

  for (guint i = 0; i < rounds; i++)
    g_assert_true (record_samples (store, run, &error));
  fixture_end (store, run, 1);
}

/* ---- tests of files that are not sessions ---- */

static void
test_not_a_session (Fixture *f, gconstpointer unused)
{
  sqlite3 *db;

  assert_refused (f->path, FALSE, GILK_ERROR_NOT_FOUND, "does not exist");
  for (int record = FALSE; record <= TRUE; record++)
    {
      assert_refused (f->dir, record, GILK_ERROR_FORMAT, "folder");
      assert_refused ("/dev/null", record, GILK_ERROR_FORMAT, "device");
      g_assert_true (g_file_set_contents (f->path, "hello", -1, NULL));
      assert_refused (f->path, record, GILK_ERROR_FORMAT, "not a Gilk session");
    }
  g_assert_true (g_file_set_contents (f->path, "", 0, NULL));
  assert_refused (f->path, FALSE, GILK_ERROR_FORMAT, "empty");

  sqlite3_open (f->path, &db);
  sqlite3_exec (db, "CREATE TABLE t (x)", NULL, NULL, NULL);
  sqlite3_close (db);
  assert_refused (f->path, TRUE, GILK_ERROR_FORMAT, "another program");
  g_assert_cmpint (fixture_query (f->path, "SELECT count(*) FROM sqlite_master"), ==, 1);
}

static void
test_newer (Fixture *f, gconstpointer unused)
{
  sqlite3 *db;

  make_session (f->path, 1);
  sqlite3_open (f->path, &db);
  sqlite3_exec (db, "PRAGMA user_version = 99", NULL, NULL, NULL);
  sqlite3_close (db);
  assert_refused (f->path, FALSE, GILK_ERROR_FORMAT, "newer Gilk");
  assert_refused (f->path, TRUE, GILK_ERROR_FORMAT, "newer Gilk");
}

static void
test_no_permission (Fixture *f, gconstpointer unused)
{
  if (geteuid () == 0)
    {
      g_test_skip ("root may read and write everything");
      return;
    }
  make_session (f->path, 1);
  g_chmod (f->path, 0400);
  assert_refused (f->path, TRUE, GILK_ERROR_PERMISSION, "Cannot write");
  gilk_store_free (gilk_store_open_read (f->path, NULL, NULL));
  g_chmod (f->path, 0);
  assert_refused (f->path, FALSE, GILK_ERROR_PERMISSION, "permission denied");
}

/* ---- tests of damaged sessions ---- */

static void
test_truncated (Fixture *f, gconstpointer unused)
{
  struct stat st;

  make_session (f->path, 20);
  g_assert_cmpint (stat (f->path, &st), ==, 0);
  g_assert_cmpint (truncate (f->path, st.st_size / 2), ==, 0);
  assert_refused (f->path, FALSE, GILK_ERROR_FORMAT, "truncated");
  g_assert_cmpint (truncate (f->path, 90), ==, 0);
  assert_refused (f->path, FALSE, GILK_ERROR_FORMAT, "not a Gilk session");
}

/* Overwrites random bytes of the file. Opening it must then give a session, or an error with a
 * message. */
static void
test_garbled (Fixture *f, gconstpointer unused)
{
  g_autofree char *good = NULL;
  gsize length;

  make_session (f->path, 2);
  g_assert_true (g_file_get_contents (f->path, &good, &length, NULL));
  for (guint round = 0; round < 60; round++)
    {
      g_autofree char *bad = g_memdup2 (good, length);
      g_autoptr(GError) error = NULL;
      g_autoptr(GArray) runs = NULL, hooks = NULL;
      gsize at = (gsize) g_test_rand_int_range (100, (int) length - 600);
      GilkStore *store;

      memset (bad + at, g_test_rand_int_range (0, 256), 512);
      g_assert_true (g_file_set_contents (f->path, bad, (gssize) length, NULL));
      store = gilk_store_open_read (f->path, NULL, &error);
      if (store != NULL)
        runs = gilk_store_runs (store, &error);
      if (runs != NULL)
        hooks = gilk_store_hooks (store, 1, &error);
      if (error != NULL)
        g_assert_true (error->domain == GILK_ERROR && strlen (error->message) > 20);
      gilk_store_free (store);
    }
}

/* ---- tests of a session whose program was killed ---- */

/* Runs @body in a child, so that limits and mounts end with the child. Exit code 77: the test
 * cannot run here. */
static int
run_in_child (int (*body) (Fixture *), Fixture *f)
{
  int status;
  pid_t child = fork ();

  if (child == 0)
    _exit (body (f));
  g_assert_cmpint (waitpid (child, &status, 0), ==, child);
  g_assert_true (WIFEXITED (status));

  return WEXITSTATUS (status);
}

/* Records samples and flushes them, then records more samples without a flush. */
static void
record_unfinished (gpointer path)
{
  GilkStore *store = gilk_store_open (path, NULL);
  gint64 run = fixture_begin_run (store, NULL);

  for (guint i = 0; i < 10; i++)
    record_samples (store, run, NULL);
  gilk_store_flush (store, NULL);
  record_samples (store, run, NULL);
}

static int
compare_lines (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

/* Returns: (transfer full): names and checksums of all files in a folder */
static char *
get_folder_state (const char *folder)
{
  g_autoptr(GDir) dir = g_dir_open (folder, 0, NULL);
  g_autoptr(GPtrArray) lines = g_ptr_array_new_with_free_func (g_free);
  const char *name;

  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL), *bytes = NULL, *sum = NULL;
      gsize length;

      g_assert_true (g_file_get_contents (path, &bytes, &length, NULL));
      sum = g_compute_checksum_for_data (G_CHECKSUM_SHA256, (guint8 *) bytes, length);
      g_ptr_array_add (lines, g_strconcat (name, " ", sum, NULL));
    }
  g_ptr_array_sort (lines, compare_lines);
  g_ptr_array_add (lines, NULL);

  return g_strjoinv ("\n", (char **) lines->pdata);
}

static uint64_t
count_samples (GilkStore *store, const GilkStoredHook *hook, GError **error)
{
  g_autoptr(GilkSamples) samples = gilk_samples_new (store, hook, 1, error);
  GilkSampleBlock block;
  uint64_t n = 0;

  if (samples == NULL)
    return 0;
  gilk_samples_in_order (samples);
  while (gilk_samples_next (samples, &block, error))
    n += block.n;

  return n;
}

static void
read_cut_off (const char *path)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(GArray) runs = NULL, hooks = NULL;
  g_autoptr(GilkStore) store = fixture_read (path);
  const GilkStoredRun *run;

  runs = gilk_store_runs (store, &error);
  g_assert_no_error (error);
  run = &g_array_index (runs, GilkStoredRun, 0);
  g_assert_cmpstr (run->end_reason, ==, "cut off");
  g_assert_cmpuint (run->samples, ==, 10 * RECORDS);
  g_assert_cmpfloat (run->duration, >, 0.004);
  hooks = fixture_hooks (store);
  g_assert_cmpuint (count_samples (store, &g_array_index (hooks, GilkStoredHook, 0), &error), ==, 10 * RECORDS);
  g_assert_no_error (error);
}

/* Tests that a reader reads the session after a crash without changing any file, and that the next
 * recording repairs the session. */
static void
test_killed_writer (Fixture *f, gconstpointer unused)
{
  g_autofree char *lock = g_strconcat (f->path, "-recording", NULL);
  g_autofree char *shm = g_strconcat (f->path, "-shm", NULL);
  g_autofree char *before = NULL, *after = NULL;
  g_autoptr(GError) error = NULL;
  GilkStore *store;

  fixture_kill_after (record_unfinished, f->path);
  g_assert_true (g_file_test (lock, G_FILE_TEST_EXISTS));
  before = get_folder_state (f->dir);
  read_cut_off (f->path);
  after = get_folder_state (f->dir);
  g_assert_cmpstr (before, ==, after);

  g_unlink (shm);
  read_cut_off (f->path);
  g_assert_false (g_file_test (shm, G_FILE_TEST_EXISTS));

  store = fixture_open (f->path);
  g_assert_false (g_file_test (lock, G_FILE_TEST_EXISTS));
  g_assert_cmpint (fixture_begin_run (store, &error), ==, 2);
  g_assert_no_error (error);
  gilk_store_free (store);
  g_assert_cmpint (fixture_query (f->path, "SELECT sum(n) FROM chunk"), ==, 10 * RECORDS);
  g_assert_cmpint (fixture_query (f->path, "SELECT sum(stored) FROM counts"), ==, 10 * RECORDS);
  g_assert_cmpint (fixture_query (f->path, "SELECT duration_ns > 4000000 AND end_reason = 'cut off' "
                              "FROM run WHERE id = 1"), ==, 1);
}

/* Runs in a child as a user without write access to the folder. Exit code 77: the test cannot run
 * here. */
static int
read_in_locked_folder (Fixture *f)
{
  if (geteuid () == 0 && (setgid (65534) != 0 || setuid (65534) != 0))
    return 77;
  read_cut_off (f->path);

  return 0;
}

static void
test_locked_folder (Fixture *f, gconstpointer unused)
{
  g_autofree char *wal = g_strconcat (f->path, "-wal", NULL);
  g_autofree char *before = NULL, *after = NULL;
  int result;

  fixture_kill_after (record_unfinished, f->path);
  g_assert_cmpint (g_chmod (f->path, 0444) | g_chmod (wal, 0444) | g_chmod (f->dir, 0555), ==, 0);
  before = get_folder_state (f->dir);
  result = run_in_child (read_in_locked_folder, f);
  after = get_folder_state (f->dir);
  g_chmod (f->dir, 0755);
  if (result == 77)
    g_test_skip ("this user cannot become another");
  else
    g_assert_cmpint (result, ==, 0);
  g_assert_cmpstr (before, ==, after);
}

/* Tests that if a session's write-ahead log is missing, as in a copy of the session file alone,
 * opening the session does not create any other file. */
static void
test_without_log (Fixture *f, gconstpointer unused)
{
  g_autofree char *wal = g_strconcat (f->path, "-wal", NULL);
  g_autofree char *shm = g_strconcat (f->path, "-shm", NULL);
  g_autofree char *before = NULL, *after = NULL;
  g_autoptr(GError) error = NULL;
  g_autoptr(GilkStore) store = NULL;

  fixture_kill_after (record_unfinished, f->path);
  g_unlink (wal);
  g_unlink (shm);
  before = get_folder_state (f->dir);
  store = gilk_store_open_read (f->path, NULL, &error);
  g_assert_true (store != NULL || g_error_matches (error, GILK_ERROR, GILK_ERROR_FORMAT));
  g_clear_pointer (&store, gilk_store_free);
  after = get_folder_state (f->dir);
  g_assert_cmpstr (before, ==, after);
}

/* ---- test that a long read can be cancelled ---- */

static gpointer
cancel_soon (gpointer cancellable)
{
  g_usleep (20000);
  g_cancellable_cancel (cancellable);

  return NULL;
}

static void
test_cancel (Fixture *f, gconstpointer unused)
{
  g_autoptr(GCancellable) cancellable = g_cancellable_new ();
  g_autoptr(GError) error = NULL;
  g_autoptr(GilkStore) store = NULL;
  g_autoptr(GArray) hooks = NULL;
  GThread *thread;
  guint rounds = 0;

  make_session (f->path, 20);
  store = gilk_store_open_read (f->path, cancellable, &error);
  g_assert_no_error (error);
  hooks = fixture_hooks (store);
  thread = g_thread_new ("cancel", cancel_soon, cancellable);
  while (count_samples (store, &g_array_index (hooks, GilkStoredHook, 0), &error) > 0 && error == NULL)
    rounds++;
  g_assert_error (error, GILK_ERROR, GILK_ERROR_CANCELLED);
  g_thread_join (thread);
  g_test_message ("cancelled in read %u", rounds + 1);
}

/* ---- tests of a session on a full disk ---- */

/* Records until recording fails, then ends the run. Returns the number of samples that the file
 * must contain. */
static uint64_t
record_until_full (const char *path, gboolean *ended)
{
  g_autoptr(GError) error = NULL;
  GilkStore *store = fixture_open (path);
  struct ilk_counter counter = { .count = 77 };
  uint64_t stored;
  gint64 run = fixture_begin_run (store, &error);

  g_assert_no_error (error);
  for (guint i = 0; i < 20000 && record_samples (store, run, &error); i++)
    ;
  g_assert_error (error, GILK_ERROR, GILK_ERROR_STORE);
  g_assert_nonnull (strstr (error->message, "disk is full"));
  g_clear_error (&error);

  stored = gilk_store_stored (store, 1, 0);
  g_assert_cmpuint (stored, >, 0);
  *ended = gilk_store_put_counts (store, run, 1, 0, &counter, 5, NULL) &&
           gilk_store_end_run (store, run, 5, "the disk is full", &error);
  if (!*ended)
    g_assert_nonnull (strstr (error->message, "disk is full"));
  gilk_store_close (store, NULL);

  return stored;
}

static void
assert_kept (const char *path, uint64_t stored, const char *end_reason)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(GArray) runs = NULL;
  GilkStore *store = fixture_read (path);

  runs = gilk_store_runs (store, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (g_array_index (runs, GilkStoredRun, 0).end_reason, ==, end_reason);
  g_assert_cmpuint (g_array_index (runs, GilkStoredRun, 0).samples, ==, stored);
  gilk_store_free (store);
  g_assert_cmpint (fixture_query (path, "SELECT sum(n) FROM chunk"), ==, (gint64) stored);
}

static int
fill_small_disk (Fixture *f)
{
  uint64_t stored;
  gboolean ended;

  if ((geteuid () != 0 && unshare (CLONE_NEWUSER) != 0) || unshare (CLONE_NEWNS) != 0 ||
      mount ("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0 ||
      mount ("tmpfs", f->dir, "tmpfs", 0, "size=24m") != 0)
    return 77;
  stored = record_until_full (f->path, &ended);
  g_assert_true (ended);
  assert_kept (f->path, stored, "the disk is full");

  return 0;
}

static void
test_full_disk (Fixture *f, gconstpointer unused)
{
  int result = run_in_child (fill_small_disk, f);

  if (result == 77)
    g_test_skip ("no file system can be mounted here");
  else
    g_assert_cmpint (result, ==, 0);
}

static int
exceed_file_limit (Fixture *f)
{
  const struct rlimit limit = { 8 << 20, RLIM_INFINITY };
  const struct rlimit none = { RLIM_INFINITY, RLIM_INFINITY };
  uint64_t stored;
  gboolean ended;

  signal (SIGXFSZ, SIG_IGN);
  g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &limit), ==, 0);
  stored = record_until_full (f->path, &ended);
  g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &none), ==, 0);
  assert_kept (f->path, stored, ended ? "the disk is full" : "cut off");

  return 0;
}

static void
test_file_limit (Fixture *f, gconstpointer unused)
{
  g_assert_cmpint (run_in_child (exceed_file_limit, f), ==, 0);
}

#define ADD(name, func) g_test_add ("/store-faults/" name, Fixture, NULL, fixture_set_up, func, fixture_tear_down)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD ("not-a-session", test_not_a_session);
  ADD ("newer", test_newer);
  ADD ("no-permission", test_no_permission);
  ADD ("truncated", test_truncated);
  ADD ("garbled", test_garbled);
  ADD ("killed-writer", test_killed_writer);
  ADD ("locked-folder", test_locked_folder);
  ADD ("without-log", test_without_log);
  ADD ("cancel", test_cancel);
  ADD ("full-disk", test_full_disk);
  ADD ("file-limit", test_file_limit);

  return g_test_run ();
}

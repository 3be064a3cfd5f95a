/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test-store-shared.c - tests one session that several programs and connections open at the same
 * time
 *
 * While another program writes, a reader must see the state before or after each change, and must
 * never report the file as damaged. A reader must not release locks that a recording in the same
 * process holds on the file.
 */
#include <glib/gstdio.h>
#include <sqlite3.h>
#include <sys/wait.h>

#include "core/store/gilk-store-notes.h"
#include "tests/store-fixture.h"

enum { NOTES = 200, NOTE_BYTES = 4000, RECORDS = 4096, ROUNDS = 40 };

typedef struct {
  StoreFixture at;
  gint64       run;
} Fixture;

static void
set_up (Fixture *f, gconstpointer unused)
{
  g_autoptr(GError) error = NULL;
  GilkStore *store;

  f->at = fixture_new ();
  store = fixture_open (f->at.path);
  f->run = fixture_begin_run (store, &error);
  fixture_end (store, f->run, 1);
}

static void
tear_down (Fixture *f, gconstpointer unused)
{
  fixture_clear (&f->at);
}

/* ---- the other program: this test, run with two arguments, because a forked child would inherit
 * SQLite's list of held locks ---- */

static GPid
start_other (const char *task, const char *path)
{
  g_autofree char *self = g_file_read_link ("/proc/self/exe", NULL);
  const char *argv[] = { self, task, path, NULL };
  g_autoptr(GError) error = NULL;
  GPid pid;

  g_spawn_async (NULL, (char **) argv, NULL, G_SPAWN_DO_NOT_REAP_CHILD, NULL, NULL, &pid, &error);
  g_assert_no_error (error);

  return pid;
}

/* Opens the session, adds a note and closes the session. Does this NOTES times, so that the file
 * grows. Returns the exit code. */
static int
write_notes (const char *path)
{
  g_autofree char *text = g_strnfill (NOTE_BYTES, 'n');
  GilkStoredNote note = { .run = 1, .from_ns = GILK_NOTE_WHOLE_RUN, .to_ns = GILK_NOTE_WHOLE_RUN, .text = text };

  for (guint i = 0; i < NOTES; i++)
    {
      g_autoptr(GError) error = NULL;
      GilkStore *store = fixture_open (path);
      gboolean good = store != NULL && gilk_store_put_note (store, &note, NULL, &error);

      good = gilk_store_close (store, good ? &error : NULL) && good;
      if (!good)
        {
          g_printerr ("# the writer: %s\n", error->message);
          return 1;
        }
    }

  return 0;
}

/* Opens the session for writing and closes it. When the last connection is closed, SQLite deletes
 * the write-ahead log. Returns the exit code. */
static int
open_and_close (const char *path)
{
  sqlite3 *db;
  const gboolean good = sqlite3_open_v2 (path, &db, SQLITE_OPEN_READWRITE, NULL) == SQLITE_OK &&
                        sqlite3_exec (db, "SELECT count (*) FROM run", NULL, NULL, NULL) == SQLITE_OK;

  sqlite3_close (db);

  return good ? 0 : 1;
}

/* ---- tests of readers while a writer is active ---- */

static void
test_read_while_written (Fixture *f, gconstpointer unused)
{
  const GPid child = start_other ("--write-notes", f->at.path);
  guint reads = 0, seen = 0;
  int status;

  while (waitpid (child, &status, WNOHANG) == 0)
    {
      g_autoptr(GError) error = NULL;
      g_autoptr(GilkStore) store = fixture_read (f->at.path);
      g_autoptr(GArray) notes = store != NULL ? gilk_store_notes (store, f->run, &error) : NULL;

      if (error != NULL)
        g_error ("after %u reads: %s", reads, error->message);
      g_assert_cmpuint (notes->len, >=, seen);
      seen = notes->len;
      reads++;
    }
  g_assert_cmpint (status, ==, 0);
  g_test_message ("%u reads beside %u writes", reads, NOTES);
}

/* ---- test of readers in the recording process and in another process ---- */

static void
add_samples (GilkStore *store, gint64 run)
{
  static struct ilk_record cells[RECORDS];
  static uint64_t tsc;
  g_autoptr(GError) error = NULL;
  guint stored;

  for (guint i = 0; i < RECORDS; i++)
    cells[i] = (struct ilk_record) { .commit = 1, .tsc = tsc += 1 + i % 7, .iid = 1 };
  g_assert_true (gilk_store_add_records (store, run, 0, cells, sizeof cells, &stored, &error));
  g_assert_cmpuint (stored, ==, RECORDS);
  g_assert_true (gilk_store_flush (store, &error));
}

static void
visit_from_elsewhere (const char *path)
{
  const GPid child = start_other ("--visit", path);
  int status;

  g_assert_cmpint (waitpid (child, &status, 0), ==, child);
  g_assert_cmpint (status, ==, 0);
}

static void
test_looked_at_while_recorded (Fixture *f, gconstpointer unused)
{
  g_autofree char *log = g_strconcat (f->at.path, "-wal", NULL);
  g_autoptr(GArray) hooks = NULL;
  g_autoptr(GError) error = NULL;
  GilkStore *store = fixture_open (f->at.path);
  GStatBuf before, after;
  gint64 run = fixture_begin_run (store, &error);

  add_samples (store, run);
  g_assert_cmpint (g_stat (log, &before), ==, 0);
  for (guint i = 0; i < ROUNDS; i++)
    {
      g_autoptr(GilkStore) reader = fixture_read (f->at.path);

      g_clear_pointer (&reader, gilk_store_free);
      visit_from_elsewhere (f->at.path);
      g_assert_cmpint (g_stat (log, &after), ==, 0);
      g_assert_cmpuint (after.st_ino, ==, before.st_ino);
      add_samples (store, run);
    }
  fixture_end (store, run, 1);
  store = fixture_read (f->at.path);
  hooks = gilk_store_hooks (store, run, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (g_array_index (hooks, GilkStoredHook, 0).stored, ==, (ROUNDS + 1) * RECORDS);
  gilk_store_free (store);
}

int
main (int argc, char **argv)
{
  if (argc == 3 && g_str_equal (argv[1], "--write-notes"))
    return write_notes (argv[2]);
  if (argc == 3 && g_str_equal (argv[1], "--visit"))
    return open_and_close (argv[2]);
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/store-shared/read-while-written", Fixture, NULL, set_up, test_read_while_written, tear_down);
  g_test_add ("/store-shared/looked-at-while-recorded", Fixture, NULL, set_up, test_looked_at_while_recorded, tear_down);

  return g_test_run ();
}

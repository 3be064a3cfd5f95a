/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * store-fixture.c - creates sessions for tests
 */
#include "tests/store-fixture.h"

#include <glib/gstdio.h>
#include <signal.h>
#include <sqlite3.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- the folder and files of a session ---- */

StoreFixture
fixture_new (void)
{
  StoreFixture f = { .dir = g_dir_make_tmp ("gilk-test-XXXXXX", NULL) };

  g_assert_nonnull (f.dir);
  f.path = g_build_filename (f.dir, "s.gilk", NULL);

  return f;
}

void
fixture_empty (const char *dir)
{
  g_autoptr(GDir) open = g_dir_open (dir, 0, NULL);
  const char *name;

  while ((name = g_dir_read_name (open)) != NULL)
    {
      g_autofree char *path = g_build_filename (dir, name, NULL);

      g_remove (path);
    }
}

void
fixture_clear (StoreFixture *f)
{
  if (f->dir == NULL)
    return;
  fixture_empty (f->dir);
  g_assert_cmpint (g_rmdir (f->dir), ==, 0);
  g_clear_pointer (&f->dir, g_free);
  g_clear_pointer (&f->path, g_free);
}

void
fixture_set_up (StoreFixture *f, gconstpointer unused)
{
  *f = fixture_new ();
}

void
fixture_tear_down (StoreFixture *f, gconstpointer unused)
{
  fixture_clear (f);
}

/* ---- recording a session ---- */

GilkStore *
fixture_open (const char *path)
{
  g_autoptr(GError) error = NULL;
  GilkStore *store = gilk_store_open (path, &error);

  g_assert_no_error (error);

  return store;
}

GilkStore *
fixture_read (const char *path)
{
  g_autoptr(GError) error = NULL;
  GilkStore *store = gilk_store_open_read (path, NULL, &error);

  g_assert_no_error (error);

  return store;
}

GArray *
fixture_hooks (GilkStore *store)
{
  g_autoptr(GError) error = NULL;
  GArray *hooks = gilk_store_hooks (store, 1, &error);

  g_assert_no_error (error);

  return hooks;
}

gint64
fixture_begin (GilkStore *store, guint n_cpus)
{
  const GilkStoreRun run = { .target = "lab", .plan_text = "", .tsc_khz = 1000000, .n_cpus = n_cpus };
  g_autoptr(GError) error = NULL;
  gint64 id = gilk_store_begin_run (store, &run, &error);

  g_assert_no_error (error);

  return id;
}

static gboolean
add_hook (GilkStore *store, gint64 run, uint32_t iid, const char *label, const char *instrument, gint64 *id, GError **error)
{
  const GilkStoreHook hook = { .iid = iid, .label = label, .function = "f", .module = "kernel", .block = "+0x0",
                               .where = "pre", .instrument = instrument, .tactic = "splice" };

  return gilk_store_add_hook (store, run, &hook, id, error);
}

gint64
fixture_add_hook (GilkStore *store, gint64 run, uint32_t iid, const char *label, const char *instrument)
{
  g_autoptr(GError) error = NULL;
  gint64 id = 0;

  add_hook (store, run, iid, label, instrument, &id, &error);
  g_assert_no_error (error);

  return id;
}

void
fixture_add_sample (GilkStore *store, gint64 run, guint cpu, uint32_t iid, gint64 t_ns, const void *data, guint len)
{
  const struct ilk_record record = { .commit = 1, .tsc = (uint64_t) t_ns, .iid = iid, .len = len };
  g_autoptr(GError) error = NULL;
  uint8_t cells[ILK_RECORD_CELLS (ILK_SAMPLE_MAX) * ILK_CELL] = { 0 };
  guint stored;

  g_assert (len <= ILK_SAMPLE_MAX);
  memcpy (cells, &record, G_STRUCT_OFFSET (struct ilk_record, data));
  if (len > 0)
    memcpy (cells + G_STRUCT_OFFSET (struct ilk_record, data), data, len);
  gilk_store_add_records (store, run, cpu, cells, ILK_RECORD_CELLS (len) * ILK_CELL, &stored, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (stored, ==, 1);
}

void
fixture_end (GilkStore *store, gint64 run, uint64_t duration_ns)
{
  g_autoptr(GError) error = NULL;

  gilk_store_end_run (store, run, duration_ns, "stopped", &error);
  g_assert_no_error (error);
  gilk_store_close (store, &error);
  g_assert_no_error (error);
}

gint64
fixture_begin_run (GilkStore *store, GError **error)
{
  const GilkStoreRun run = { .target = "lab", .plan_text = "p", .tsc_khz = 1000000, .n_cpus = 1 };
  const struct ilk_instrument_desc stamp = { .id = 1, .name = "stamp" };
  gint64 id = gilk_store_begin_run (store, &run, error);

  if (id == 0 || !gilk_store_add_instrument (store, id, &stamp, error) ||
      !add_hook (store, id, 1, "h", "stamp", NULL, error) || !gilk_store_flush (store, error))
    return 0;

  return id;
}

/* ---- running SQL on a session ---- */

gint64
fixture_query (const char *path, const char *sql)
{
  sqlite3 *db;
  sqlite3_stmt *stmt;
  gint64 value;

  g_assert_cmpint (sqlite3_open_v2 (path, &db, SQLITE_OPEN_READONLY, NULL), ==, SQLITE_OK);
  if (sqlite3_prepare_v2 (db, sql, -1, &stmt, NULL) != SQLITE_OK)
    g_error ("%s: %s", sql, sqlite3_errmsg (db));
  g_assert_cmpint (sqlite3_step (stmt), ==, SQLITE_ROW);
  value = sqlite3_column_int64 (stmt, 0);
  sqlite3_finalize (stmt);
  sqlite3_close (db);

  return value;
}

void
fixture_run_sql (const char *path, const char *sql)
{
  sqlite3 *db;

  g_assert_cmpint (sqlite3_open (path, &db), ==, SQLITE_OK);
  if (sqlite3_exec (db, sql, NULL, NULL, NULL) != SQLITE_OK)
    g_error ("%s: %s", sql, sqlite3_errmsg (db));
  sqlite3_close (db);
}

/* ---- makes one allocation of SQLite fail ---- */

static sqlite3_mem_methods true_memory;
static guint               until_failure;       /* 0: never */

static gboolean
must_fail (void)
{
  return until_failure > 0 && --until_failure == 0;
}

static void *
take_memory (int bytes)
{
  return must_fail () ? NULL : true_memory.xMalloc (bytes);
}

static void *
take_again (void *old, int bytes)
{
  return must_fail () ? NULL : true_memory.xRealloc (old, bytes);
}

void
fixture_watch_memory (void)
{
  sqlite3_mem_methods watched;

  g_assert_cmpint (sqlite3_config (SQLITE_CONFIG_GETMALLOC, &true_memory), ==, SQLITE_OK);
  watched = true_memory;
  watched.xMalloc = take_memory;
  watched.xRealloc = take_again;
  g_assert_cmpint (sqlite3_config (SQLITE_CONFIG_MALLOC, &watched), ==, SQLITE_OK);
}

gboolean
fixture_fail_allocation (guint nth)
{
  const gboolean came = until_failure == 0;

  until_failure = nth;

  return came;
}

/* ---- kills a child that runs a function of the test ---- */

void
fixture_kill_after (void (*body) (gpointer data), gpointer data)
{
  int pipes[2], status;
  pid_t child;
  char byte;

  g_assert_cmpint (pipe (pipes), ==, 0);
  child = fork ();
  if (child == 0)
    {
      body (data);
      if (write (pipes[1], "x", 1) == 1)
        pause ();
      _exit (0);
    }
  g_assert_cmpint (read (pipes[0], &byte, 1), ==, 1);
  kill (child, SIGKILL);
  g_assert_cmpint (waitpid (child, &status, 0), ==, child);
  close (pipes[0]);
  close (pipes[1]);
}

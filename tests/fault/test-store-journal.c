/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test-store-journal.c - tests that the journal is on disk before kernel text may be changed
 *
 * Only synced data survive a machine crash.
 */
/* Promise: Journal: the journal is on disk before text may change */
#include <glib/gstdio.h>
#include <string.h>

#include "core/store/gilk-store-write.h"
#include "core/store/gilk-store.h"
#include "tests/fault/synced-copies.h"
#include "tests/store-fixture.h"

typedef struct {
  StoreFixture here, left;          /* @here: files of the session; @left: files that survive a
                                     * machine crash */
} Fixture;

static void
set_up (Fixture *f, gconstpointer unused)
{
  f->here = fixture_new ();
  f->left = fixture_new ();
  survived = f->left.dir;
}

static void
tear_down (Fixture *f, gconstpointer unused)
{
  survived = NULL;
  fixture_clear (&f->here);
  fixture_clear (&f->left);
}

/* ---- recording a run, and reading it after a simulated crash ---- */

static gint64
begin_run (GilkStore *store)
{
  const GilkStoreRun run = { .target = "lab", .plan_text = "p", .tsc_khz = 1000000, .n_cpus = 1,
                             .boot_id = "0f1e2d3c" };
  g_autoptr(GError) error = NULL;
  const GilkStoreHook hook = {
    .iid = 1, .label = "h", .function = "vfs_read", .module = "kernel", .block = "+0x5",
    .where = "pre", .instrument = "count", .tactic = "splice", .addr = 0xffffffff81000100u,
    .site = 0xffffffff81000100u,
  };
  gint64 id = gilk_store_begin_run (store, &run, &error);

  g_assert_no_error (error);
  g_assert_true (gilk_store_add_hook (store, id, &hook, NULL, &error));
  g_assert_true (gilk_store_flush (store, &error));

  return id;
}

/* Fills in two prepared patches. Patch 2 is a bounce, which changes text at two addresses. */
static void
fill_prepared (struct ilk_patch_status patches[2])
{
  patches[0] = (struct ilk_patch_status) {
    .id = 1, .state = ILK_STATE_PREPARED, .tactic = ILK_TACTIC_SPLICE, .len = 5,
    .site = 0xffffffff81000100u, .slot = 0xffffffffc0001000u,
    .old = { 0x48, 0x89, 0xe5, 0x41, 0x57 }, .new_ = { 0xe9, 1, 2, 3, 4 },
  };
  patches[1] = (struct ilk_patch_status) {
    .id = 2, .state = ILK_STATE_PREPARED, .tactic = ILK_TACTIC_BOUNCE, .len = 2,
    .site = 0xffffffff81000200u, .slot = 0xffffffffc0001040u,
    .old = { 0x31, 0xc0 }, .new_ = { 0xeb, 0x10 }, .aux = 0xffffffff81000212u,
    .aux_old = { 0xcc, 0xcc, 0xcc, 0xcc, 0xcc }, .aux_new = { 0xe9, 5, 6, 7, 8 },
  };
}

/* Deletes the copies of files that the session has removed. After a crash these files do not exist
 * either, because file systems perform removals and writes in order. */
static void
note_removed (const Fixture *f)
{
  g_autoptr(GDir) dir = g_dir_open (f->left.dir, 0, NULL);
  const char *name;

  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *there = g_build_filename (f->here.dir, name, NULL);
      g_autofree char *copy = g_build_filename (f->left.dir, name, NULL);

      if (!g_file_test (there, G_FILE_TEST_EXISTS))
        g_unlink (copy);
    }
}

static void
read_survivor (const Fixture *f, GilkStoredJournal *journal)
{
  g_autofree char *path = g_build_filename (f->left.dir, "s.gilk", NULL);
  g_autoptr(GError) error = NULL;
  g_autoptr(GilkStore) store = NULL;

  note_removed (f);
  store = fixture_read (path);
  g_assert_true (gilk_store_journal (store, 1, journal, &error));
  g_assert_no_error (error);
}

/* ---- tests ---- */

static void
test_planned_is_on_disk (Fixture *f, gconstpointer unused)
{
  GilkStore *store = gilk_store_open (f->here.path, NULL);
  g_auto(GilkStoredJournal) journal = { 0 };
  struct ilk_patch_status patches[2];
  gint64 run = begin_run (store);

  fill_prepared (patches);
  g_assert_true (gilk_store_plan_patches (store, run, patches, 2, NULL));
  survived = NULL;
  read_survivor (f, &journal);
  g_assert_cmpuint (journal.n, ==, 3);
  g_assert_cmpuint (journal.n_planned, ==, 3);
  g_assert_cmpstr (journal.boot_id, ==, "0f1e2d3c");
  g_assert_cmpstr (journal.state, ==, "planned");
  g_assert_cmphex (journal.site, ==, 0xffffffff81000200u);
  g_assert_cmpstr (journal.before, ==, "31c0");
  g_assert_cmpstr (journal.after, ==, "eb10");
  gilk_store_free (store);
}

/* Tests that the recorded state of a patch only advances, its times are set once, and its recorded
 * bytes never change. */
static void
test_states (Fixture *f, gconstpointer unused)
{
  GilkStore *store = gilk_store_open (f->here.path, NULL);
  g_auto(GilkStoredJournal) journal = { 0 };
  struct ilk_patch_status patches[2];
  gint64 run = begin_run (store);

  fill_prepared (patches);
  g_assert_true (gilk_store_plan_patches (store, run, patches, 2, NULL));
  g_assert_true (gilk_store_set_zero (store, run, 1000, 500, 1, NULL));
  patches[0].state = ILK_STATE_ARMED;
  patches[0].armed_mono_ns = 600;
  patches[0].spliced_mono_ns = 700;
  memset (patches[0].old, 0xee, sizeof patches[0].old);
  patches[1].aux_laid_mono_ns = 550;
  g_assert_true (gilk_store_note_patches (store, run, patches, 2, FALSE, NULL));
  patches[0].armed_mono_ns = 9000;
  g_assert_true (gilk_store_note_patches (store, run, patches, 2, FALSE, NULL));
  g_assert_true (gilk_store_sync (store, NULL));
  survived = NULL;

  read_survivor (f, &journal);
  g_assert_cmpuint (journal.n_in_text, ==, 2);
  g_assert_cmpuint (journal.n_planned, ==, 1);
  g_assert_cmpstr (journal.before, ==, "31c0");
  gilk_stored_journal_clear (&journal);

  patches[1].state = ILK_STATE_RESTORED;
  patches[1].aux_restored_mono_ns = 800;
  g_assert_true (gilk_store_note_patches (store, run, patches, 2, TRUE, NULL));
  g_assert_true (gilk_store_flush (store, NULL));
  g_assert_true (gilk_store_journal (store, run, &journal, NULL));
  g_assert_cmpuint (journal.n_undone, ==, 2);
  g_assert_cmpuint (journal.n_planned, ==, 0);
  g_assert_cmpstr (journal.tactic, ==, "bounce");
  g_assert_cmpstr (journal.after, ==, "e905060708");
  gilk_store_free (store);
}

static void
test_refused (Fixture *f, gconstpointer unused)
{
  GilkStore *store = gilk_store_open (f->here.path, NULL);
  g_auto(GilkStoredJournal) journal = { 0 };
  struct ilk_patch_status patches[2];
  gint64 run = begin_run (store);

  fill_prepared (patches);
  g_assert_true (gilk_store_plan_patches (store, run, patches, 1, NULL));
  g_assert_true (gilk_store_note_patches (store, run, patches, 1, FALSE, NULL));
  g_assert_true (gilk_store_plan_patches (store, run, patches, 2, NULL));
  g_assert_true (gilk_store_drop_planned (store, run, TRUE, "another owns the bytes", NULL));
  g_assert_true (gilk_store_flush (store, NULL));
  g_assert_true (gilk_store_journal (store, run, &journal, NULL));
  g_assert_cmpuint (journal.n_planned, ==, 1);
  g_assert_cmpuint (journal.n_refused, ==, 2);
  gilk_store_free (store);
}

/* Prints the cost of recording many planned patches; runs only with -m perf. */
static void
test_rate (Fixture *f, gconstpointer unused)
{
  guint n = g_test_perf () ? 50000 : 1000;
  g_autofree struct ilk_patch_status *patches = g_new0 (struct ilk_patch_status, n);
  GilkStore *store = gilk_store_open (f->here.path, NULL);
  struct ilk_patch_status two[2];
  gint64 run = begin_run (store);

  survived = NULL;
  fill_prepared (two);
  for (guint i = 0; i < n; i++)
    {
      patches[i] = two[i % 2];
      patches[i].id = i + 1;
      patches[i].site = 0xffffffff81000000u + i * 16;
    }
  g_test_timer_start ();
  g_assert_true (gilk_store_plan_patches (store, run, patches, n, NULL));
  g_test_minimized_result (g_test_timer_elapsed (), "%u patches planned: %.3f s", n,
                           g_test_timer_elapsed ());
  g_test_timer_start ();
  g_assert_true (gilk_store_note_patches (store, run, patches, n, FALSE, NULL));
  g_test_message ("nothing new noted: %.4f s", g_test_timer_elapsed ());
  gilk_store_free (store);
}

#define ADD(name, func) g_test_add ("/store-journal/" name, Fixture, NULL, set_up, func, tear_down)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD ("planned-is-on-disk", test_planned_is_on_disk);
  ADD ("states", test_states);
  ADD ("refused", test_refused);
  ADD ("rate", test_rate);

  return g_test_run ();
}

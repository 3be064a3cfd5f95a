/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test-store-crash.c - tests that a recording keeps its data if its program is killed, the disk
 * gets full or the machine crashes at a random moment
 *
 * A child records: it plans patches, changes the text of a fake kernel in shared memory,
 * stores samples and flushes. The child is killed at a random moment. Only synced data survive a
 * machine crash. To simulate one, fdatasync() and fsync() are replaced by functions that copy the
 * synced file. After each round it must be possible to open the session, its journal must contain
 * every byte of text that was changed, and no sample stored by the last flush may be missing.
 *
 * The test runs 42 rounds, or 300 with -m slow. Full-disk rounds take longer than crash rounds, so
 * there are fewer of them.
 */
#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/store/gilk-store-write.h"
#include "tests/fault/synced-copies.h"
#include "tests/store-fixture.h"

#define CHANGES_MAX 256
#define FLUSH_STEPS 5
#define STEPS_MAX   120
/* Size of the simulated disk in bytes: slightly more than the space that a recording reserves for
 * its end. */
#define DISK_BYTES  4300000

/* Shared memory that outlives the child: changes to the kernel's text, and the number of samples
 * that were reported as flushed. */
typedef struct {
  volatile guint n_changed, steps;
  volatile uint64_t flushed;
  struct { uint64_t addr; uint8_t before[5], after[5]; } changes[CHANGES_MAX];
} Truth;

typedef struct {
  /* @here: files of the recording; @left: files that survive a machine crash */
  StoreFixture here, left;
  Truth       *truth;
} Fixture;

/* ---- the folders with the files of the recording ---- */

/* Removes the files of the folder that do not exist in @other. */
static void
remove_others (const char *folder, const char *other)
{
  g_autoptr(GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL), *there = g_build_filename (other, name, NULL);

      if (!g_file_test (there, G_FILE_TEST_EXISTS))
        g_unlink (path);
    }
}

static void
set_up (Fixture *f, gconstpointer unused)
{
  f->here = fixture_new ();
  f->left = fixture_new ();
  f->truth = mmap (NULL, sizeof *f->truth, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  g_assert_true (f->truth != MAP_FAILED);
}

static void
tear_down (Fixture *f, gconstpointer unused)
{
  fixture_clear (&f->here);
  fixture_clear (&f->left);
  munmap (f->truth, sizeof *f->truth);
}

/* ---- the child, which records until it is killed ---- */

static gboolean
record_samples (GilkStore *store, gint64 run, guint n)
{
  g_autofree struct ilk_record *cells = g_new0 (struct ilk_record, n);
  guint stored;

  for (guint i = 0; i < n; i++)
    cells[i] = (struct ilk_record) { .commit = 1, .tsc = (uint64_t) g_get_monotonic_time (), .iid = 1 };

  return gilk_store_add_records (store, run, 0, cells, n * sizeof *cells, &stored, NULL);
}

/* Writes the journal, then the kernel text, then the patch states: the same order as in a run. */
static gboolean
arm_some (GilkStore *store, gint64 run, Truth *truth, GRand *rand)
{
  guint n = (guint) g_rand_int_range (rand, 1, 8), first = truth->n_changed;
  struct ilk_patch_status patches[8] = { 0 };

  n = MIN (n, CHANGES_MAX - first);
  for (guint i = 0; i < n; i++)
    {
      patches[i] = (struct ilk_patch_status) {
        .id = first + i + 1, .state = ILK_STATE_PREPARED, .tactic = ILK_TACTIC_SPLICE, .len = 5,
        .site = 0xffffffff81000000u + (first + i) * 64,
      };
      for (guint b = 0; b < 5; b++)
        {
          patches[i].old[b] = (uint8_t) g_rand_int_range (rand, 0, 256);
          patches[i].new_[b] = (uint8_t) g_rand_int_range (rand, 0, 256);
        }
    }
  if (!gilk_store_plan_patches (store, run, patches, n, NULL))
    return FALSE;
  for (guint i = 0; i < n; i++)
    {
      truth->changes[first + i].addr = patches[i].site;
      memcpy (truth->changes[first + i].before, patches[i].old, 5);
      memcpy (truth->changes[first + i].after, patches[i].new_, 5);
      truth->n_changed = first + i + 1;
      patches[i].state = ILK_STATE_ARMED;
      patches[i].armed_mono_ns = first + i + 1;
    }

  return gilk_store_note_patches (store, run, patches, n, FALSE, NULL);
}

static void
record_until_killed (const Fixture *f, guint32 seed, gint32 most)
{
  g_autoptr(GRand) rand = g_rand_new_with_seed (seed);
  GilkStore *store = gilk_store_open (f->here.path, NULL);
  gint64 run = store != NULL ? fixture_begin_run (store, NULL) : 0;
  gboolean good = run != 0 && arm_some (store, run, f->truth, rand);
  uint64_t in_all = 0;

  while (good)
    {
      good = record_samples (store, run, (guint) g_rand_int_range (rand, 1, most));
      if (good && g_rand_int_range (rand, 0, 40) == 0)
        good = arm_some (store, run, f->truth, rand);
      if (good && ++f->truth->steps % FLUSH_STEPS == 0)
        {
          good = gilk_store_sync (store, NULL);
          if (good)
            f->truth->flushed = in_all + gilk_store_stored (store, 1, 0);
        }
      if (good && g_rand_int_range (rand, 0, 200) == 0)
        {
          in_all += gilk_store_stored (store, 1, 0);
          good = gilk_store_end_run (store, run, 1, "stopped", NULL) && (run = fixture_begin_run (store, NULL)) != 0;
        }
    }
  if (store != NULL && run != 0)
    gilk_store_end_run (store, run, 1, "the disk is full", NULL);
  f->truth->steps = G_MAXUINT;
  pause ();
}

/* ---- the parent, which kills the child and checks the session ---- */

static void
check_journal (const char *path, const Truth *truth)
{
  for (guint i = 0; i < truth->n_changed; i++)
    {
      g_autoptr(GString) sql = g_string_new (NULL);

      g_string_printf (sql, "SELECT count(*) FROM patch WHERE site = %" G_GINT64_FORMAT
                       " AND lower (hex (old_bytes) || hex (new_bytes)) = '",
                       (gint64) truth->changes[i].addr);
      for (guint b = 0; b < 10; b++)
        g_string_append_printf (sql, "%02x", b < 5 ? truth->changes[i].before[b]
                                                   : truth->changes[i].after[b - 5]);
      g_string_append_c (sql, '\'');
      g_assert_cmpint (fixture_query (path, sql->str), ==, 1);
    }
}

/* Opens and checks the session as a reader, then opens it for the next recording and checks it
 * again. */
static void
check_session (const char *path, const Truth *truth)
{
  g_autoptr(GError) error = NULL;
  GilkStore *store = gilk_store_open_read (path, NULL, &error);
  g_autoptr(GArray) runs = NULL;
  g_autoptr(GPtrArray) problems = NULL;
  uint64_t samples = 0;

  if (store == NULL && truth->n_changed == 0 && truth->flushed == 0)
    return;                                  /* The child was killed before it stored any data. */
  g_assert_no_error (error);
  runs = gilk_store_runs (store, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < runs->len; i++)
    samples += g_array_index (runs, GilkStoredRun, i).samples;
  g_assert_cmpuint (samples, >=, truth->flushed);
  gilk_store_free (store);

  store = fixture_open (path);
  g_assert_true (gilk_store_close (store, &error));
  problems = gilk_store_verify (path, NULL, NULL, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < problems->len; i++)
    g_test_message ("%s", (const char *) g_ptr_array_index (problems, i));
  g_assert_cmpuint (problems->len, ==, 0);
  check_journal (path, truth);
  g_assert_cmpint (fixture_query (path, "SELECT coalesce (sum (stored), 0) FROM counts"), ==, (gint64) samples);
  g_assert_cmpint (fixture_query (path, "SELECT count(*) FROM run WHERE end_reason IS NULL"), ==, 0);
  g_assert_cmpint (fixture_query (path, "SELECT count(*) FROM pragma_integrity_check WHERE "
                              "integrity_check <> 'ok'"), ==, 0);
}

typedef enum { PROGRAM, MACHINE, DISK } Death;

static void
run_round (Fixture *f, Death death, guint32 seed)
{
  const char *left = death == MACHINE ? f->left.path : f->here.path;
  int status;
  pid_t child;

  memset (f->truth, 0, sizeof *f->truth);
  child = fork ();
  if (child == 0)
    {
      const struct rlimit limit = { DISK_BYTES + seed % 3000000, RLIM_INFINITY };

      survived = death == MACHINE ? f->left.dir : NULL;
      signal (SIGXFSZ, SIG_IGN);
      if (death == DISK)
        setrlimit (RLIMIT_FSIZE, &limit);
      record_until_killed (f, seed, death == DISK ? 8000 : 400);
    }
  /* Kill the child at about the time of its first step in every fifth round, else at a random
   * moment of a random step. */
  if (seed % 5 != 0)
    while (f->truth->steps <= seed / 7 % STEPS_MAX && waitpid (child, &status, WNOHANG) == 0)
      g_usleep (seed % 100);
  g_usleep (seed / 11 % 3000);
  kill (child, SIGKILL);
  g_assert_cmpint (waitpid (child, &status, 0), ==, child);
  if (death == MACHINE)
    /* File systems perform removals and writes in order, so files that the recording has removed do
     * not exist after a machine crash. */
    remove_others (f->left.dir, f->here.dir);
  if (g_file_test (left, G_FILE_TEST_EXISTS))
    check_session (left, f->truth);
  else
    g_assert_cmpuint (f->truth->n_changed + f->truth->flushed, ==, 0);
  fixture_empty (f->here.dir);
  fixture_empty (f->left.dir);
}

static void
test_rounds (Fixture *f, gconstpointer death)
{
  guint rounds = (g_test_slow () ? 140 : 20) / (GPOINTER_TO_INT (death) == DISK ? 7 : 1), changed = 0;
  uint64_t flushed = 0;

  for (guint i = 0; i < rounds; i++)
    {
      run_round (f, GPOINTER_TO_INT (death), (guint32) g_test_rand_int ());
      changed += f->truth->n_changed;
      flushed += f->truth->flushed;
    }
  g_test_message ("%u rounds, %u changes of text, %" G_GUINT64_FORMAT " samples flushed", rounds,
                  changed, flushed);
}

int
main (int argc, char **argv)
{
  static const char *const names[] = { "program", "machine", "disk" };

  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *path = g_strconcat ("/store-crash/", names[i], NULL);

      g_test_add (path, Fixture, GINT_TO_POINTER (i), set_up, test_rounds, tear_down);
    }

  return g_test_run ();
}

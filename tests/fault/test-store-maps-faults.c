/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test-store-maps-faults.c - tests writing the maps of programs while an allocation fails, the disk
 * is full or the program is killed
 *
 * Each reading of the maps replaces the previous reading completely. Whatever fails, the file must
 * contain the last complete reading.
 */
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/base/gilk-error.h"
#include "core/store/gilk-store-program.h"
#include "tests/store-fixture.h"

#define KEYS 100

typedef struct {
  StoreFixture at;
  GilkStore   *store;
  gint64       run, hook;
} Fixture;

/* ---- a run that stores readings of maps ---- */

static void
set_up (Fixture *f, gconstpointer unused)
{
  f->at = fixture_new ();
}

static void
begin_run (Fixture *f)
{
  const GilkProgramMap things[] = { { .name = "m", .kind = GILK_MAP_HASH, .slots = 16384 },
                              { .name = "c", .kind = GILK_MAP_COUNTER } };
  g_autoptr(GError) error = NULL;

  f->store = fixture_open (f->at.path);
  f->run = fixture_begin_run (f->store, &error);
  f->hook = 1;
  g_assert_true (gilk_store_add_program (f->store, f->hook, NULL, "m[0]++", things, G_N_ELEMENTS (things), &error));
  g_assert_true (gilk_store_flush (f->store, &error));
  g_assert_no_error (error);
}

static void
tear_down (Fixture *f, gconstpointer unused)
{
  gilk_store_free (f->store);
  fixture_clear (&f->at);
}

/* Writes one reading of the program's maps. All their keys and the counter get the value @value,
 * which identifies the reading. */
static gboolean
write_reading (Fixture *f, guint keys, gint64 value, GError **error)
{
  g_autofree GilkStoreValue *values = g_new (GilkStoreValue, keys);
  const GilkStoreValue counter = { 0, 0, value };

  for (guint i = 0; i < keys; i++)
    values[i] = (GilkStoreValue) { i, i % 64, value };

  return gilk_store_put_map (f->store, f->hook, "m", GILK_MAP_HASH, values, keys, error) &&
         gilk_store_put_map (f->store, f->hook, "c", GILK_MAP_COUNTER, &counter, 1, error) &&
         gilk_store_flush (f->store, error);
}

/* Checks that the reading of maps in the file is complete. Returns the value that identifies it. */
static gint64
read_number (const char *path, guint *keys)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(GilkStore) store = fixture_read (path);
  g_autoptr(GArray) hooks = store != NULL ? gilk_store_hooks (store, 1, &error) : NULL;
  g_autoptr(GArray) kept = hooks != NULL ? gilk_store_maps (store, &g_array_index (hooks, GilkStoredHook, 0), &error)
                                         : NULL;
  const GArray *map, *counter;
  gint64 value;

  g_assert_no_error (error);
  map = g_array_index (kept, GilkStoredMap, 0).values;
  counter = g_array_index (kept, GilkStoredMap, 1).values;
  g_assert_cmpuint (counter->len, ==, 1);
  value = g_array_index (counter, GilkStoreValue, 0).value;
  for (guint i = 0; i < map->len; i++)
    g_assert_cmpint (g_array_index (map, GilkStoreValue, i).value, ==, value);
  *keys = map->len;

  return value;
}

static void
assert_whole (Fixture *f, gint64 value)
{
  guint keys;

  g_assert_cmpint (read_number (f->at.path, &keys), ==, value);
  g_assert_cmpuint (keys, ==, KEYS);
}

/* ---- test in which the nth allocation fails ---- */

static void
test_memory (Fixture *f, gconstpointer unused)
{
  guint n_failed = 0;

  begin_run (f);
  g_assert_true (write_reading (f, KEYS, 1, NULL));
  for (guint n = 1, value = 2; ; n += 1 + n / 60, value++)
    {
      g_autoptr(GError) error = NULL;
      gboolean good, met;

      fixture_fail_allocation (n);
      good = write_reading (f, KEYS, value, &error);
      met = fixture_fail_allocation (0);
      if (good)
        {
          assert_whole (f, value);
          if (!met)
            break;
          continue;
        }
      n_failed++;
      g_assert_error (error, GILK_ERROR, GILK_ERROR_STORE);
      g_assert_nonnull (strstr (error->message, "out of memory"));
      assert_whole (f, value - 1);
      g_clear_error (&error);
      /* This write succeeds after the earlier failures. */
      write_reading (f, KEYS, value, &error);
      g_assert_no_error (error);
      assert_whole (f, value);
    }
  g_test_message ("%u allocations failed, and each was told", n_failed);
  g_assert_cmpuint (n_failed, >, 5);
}

/* ---- test of writing maps to a full disk ---- */

/* Runs in a child, so that the limit of file sizes applies only to the child. */
static int
exceed_file_limit (Fixture *f)
{
  const struct rlimit limit = { 2 << 20, RLIM_INFINITY }, none = { RLIM_INFINITY, RLIM_INFINITY };
  g_autoptr(GError) error = NULL;
  gint64 last = 0;
  guint keys;

  signal (SIGXFSZ, SIG_IGN);
  begin_run (f);
  g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &limit), ==, 0);
  while (write_reading (f, (guint) (last + 1) * 2000, last + 1, &error))
    last++;
  g_assert_error (error, GILK_ERROR, GILK_ERROR_STORE);
  g_assert_nonnull (strstr (error->message, "disk is full"));
  g_assert_cmpint (last, >, 0);
  g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &none), ==, 0);
  g_assert_cmpint (read_number (f->at.path, &keys), ==, last);
  g_assert_cmpuint (keys, ==, (guint) last * 2000);

  return 0;
}

static void
test_full_disk (Fixture *f, gconstpointer unused)
{
  int status;
  pid_t child = fork ();

  if (child == 0)
    _exit (exceed_file_limit (f));
  g_assert_cmpint (waitpid (child, &status, 0), ==, child);
  g_assert_true (WIFEXITED (status) && WEXITSTATUS (status) == 0);
}

/* ---- test of writing maps until the program is killed ---- */

static void
record_reading (gpointer data)
{
  Fixture *f = data;
  GilkStoreValue late[] = { { 3, 0, 77 } };

  begin_run (f);
  write_reading (f, KEYS, 5, NULL);
  gilk_store_put_map (f->store, f->hook, "m", GILK_MAP_HASH, late, 1, NULL);
}

static void
test_killed (Fixture *f, gconstpointer unused)
{
  fixture_kill_after (record_reading, f);
  assert_whole (f, 5);
}

#define ADD(name, func) g_test_add ("/store-kept-faults/" name, Fixture, NULL, set_up, func, tear_down)

int
main (int argc, char **argv)
{
  fixture_watch_memory ();
  g_test_init (&argc, &argv, NULL);
  ADD ("memory", test_memory);
  ADD ("full-disk", test_full_disk);
  ADD ("killed", test_killed);

  return g_test_run ();
}

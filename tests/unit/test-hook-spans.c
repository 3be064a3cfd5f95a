/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test-hook-spans.c - durations of a recorded function's calls: exact percentiles, in passes over its samples
 */
#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/analysis/gilk-hook-spans.h"

enum { ENTRIES = 1, EXITS, STACKS = 64 };

typedef struct {
  GilkStore *store;
  gint64     run;
} Made;

static char *
begin (Made *made, const char *type)
{
  char *path = g_build_filename (g_get_tmp_dir (), "hook-spans.gilk", NULL);
  const GilkStoreRun row = { .target = "lab", .plan_text = "", .tsc_khz = 1000000, .n_cpus = 2 };
  struct ilk_instrument_desc desc = { .name = "span", .version = 1, .sample_bytes = 8, .field_count = 1 };
  g_autoptr(GError) error = NULL;

  desc.fields[0] = (struct ilk_field) { "frame", "", "", strcmp (type, "text") == 0 ? ILK_FIELD_TEXT : ILK_FIELD_HEX64,
                                        0, 8, 0 };
  g_remove (path);
  made->store = gilk_store_open (path, &error);
  g_assert_no_error (error);
  made->run = gilk_store_begin_run (made->store, &row, &error);
  g_assert_true (gilk_store_add_instrument (made->store, made->run, &desc, &error));
  for (guint iid = ENTRIES; iid <= EXITS; iid++)
    {
      const GilkStoreHook hook = { .iid = iid, .label = iid == EXITS ? "out" : "in", .function = "f", .block = "+0x0",
                                   .where = iid == EXITS ? "post" : "pre", .instrument = "span", .tactic = "splice" };

      g_assert_true (gilk_store_add_hook (made->store, made->run, &hook, NULL, &error));
    }

  return path;
}

static void
put (Made *made, guint cpu, guint iid, uint64_t t_ns, uint64_t frame)
{
  const struct ilk_record record = { .commit = 1, .tsc = t_ns, .iid = iid, .len = 8 };
  g_autoptr(GError) error = NULL;
  uint8_t cells[64] = { 0 };
  guint stored;

  memcpy (cells, &record, 24);
  memcpy (cells + 24, &frame, 8);
  g_assert_true (gilk_store_add_records (made->store, made->run, cpu, cells, ILK_RECORD_CELLS (8) * ILK_CELL, &stored,
                                         &error));
  g_assert_cmpuint (stored, ==, 1);
}

static gboolean
end (Made *made, const char *path, GilkHookSpans *spans, GError **error)
{
  g_autoptr(GilkStore) store = NULL;
  g_autoptr(GArray) hooks = NULL;
  gboolean good;

  g_assert_true (gilk_store_end_run (made->store, made->run, 1000, "stopped", error) &&
                 gilk_store_close (made->store, error));
  store = gilk_store_open_read (path, NULL, error);
  hooks = gilk_store_hooks (store, 1, error);
  g_assert_cmpuint (hooks->len, ==, 2);
  good = gilk_hook_spans (store, (const GilkStoredHook *) (const void *) hooks->data, hooks->len, FALSE, spans, error);
  g_remove (path);

  return good;
}

static void
test_percentiles (void)
{
  g_autoptr(GError) error = NULL;
  GilkHookSpans spans;
  Made made;
  g_autofree char *path = begin (&made, "frame");

  for (guint i = 0; i < 200; i++)
    {
      put (&made, 0, ENTRIES, 1000 * i, 0x1000);
      put (&made, 0, EXITS, 1000 * i + 200 - i, 0x1000);
    }
  g_assert_true (end (&made, path, &spans, &error));
  g_assert_cmpuint (spans.counts.calls, ==, 200);
  g_assert_cmpuint (spans.min, ==, 1);
  g_assert_cmpuint (spans.median, ==, 100);
  g_assert_cmpuint (spans.p90, ==, 180);
  g_assert_cmpuint (spans.p99, ==, 198);
  g_assert_cmpuint (spans.max, ==, 200);
}

static void
test_none (void)
{
  g_autoptr(GError) error = NULL;
  GilkHookSpans spans;
  Made made;
  g_autofree char *path = begin (&made, "frame");

  put (&made, 0, EXITS, 5, 0x1000);
  put (&made, 1, ENTRIES, 7, 0x1000);
  g_assert_true (end (&made, path, &spans, &error));
  g_assert_cmpuint (spans.counts.calls + spans.max, ==, 0);
  g_assert_cmpuint (spans.counts.stray, ==, 1);
  g_assert_cmpuint (spans.counts.open, ==, 1);
}

static int
compare (gconstpointer a, gconstpointer b)
{
  uint64_t x = *(const uint64_t *) a, y = *(const uint64_t *) b;

  return (x > y) - (x < y);
}

/* Calls that change the CPU, of lengths from nothing to long, over many chunks. */
static void
test_many (void)
{
  g_autoptr(GRand) rand = g_rand_new_with_seed (3);
  g_autoptr(GArray) durations = g_array_new (FALSE, FALSE, sizeof (uint64_t));
  g_autoptr(GError) error = NULL;
  uint64_t since[STACKS] = { 0 }, t = 1;
  GilkHookSpans spans;
  Made made;
  g_autofree char *path = begin (&made, "frame");

  for (guint i = 0; i < 200000; i++)
    {
      guint stack = (guint) g_rand_int_range (rand, 0, 1 + g_rand_int_range (rand, 0, STACKS));
      uint64_t took = t - since[stack];

      put (&made, (guint) g_rand_int_range (rand, 0, 2), since[stack] == 0 ? ENTRIES : EXITS, t, 0x10000 + 64 * stack);
      if (since[stack] != 0)
        g_array_append_val (durations, took);
      since[stack] = since[stack] == 0 ? t : 0;
      t += 1 + (uint64_t) g_rand_int_range (rand, 0, 1 << g_rand_int_range (rand, 0, 24));
      if (i % 50000 == 0)
        g_assert_true (gilk_store_flush (made.store, &error));
    }
  g_assert_true (end (&made, path, &spans, &error));
  g_array_sort (durations, compare);
  g_assert_cmpuint (spans.counts.calls, ==, durations->len);
  g_assert_cmpuint (spans.counts.stray + spans.counts.cut, ==, 0);
  g_assert_cmpuint (spans.min, ==, g_array_index (durations, uint64_t, 0));
  g_assert_cmpuint (spans.median, ==, g_array_index (durations, uint64_t, (durations->len * 50 + 99) / 100 - 1));
  g_assert_cmpuint (spans.p90, ==, g_array_index (durations, uint64_t, (durations->len * 90 + 99) / 100 - 1));
  g_assert_cmpuint (spans.p99, ==, g_array_index (durations, uint64_t, (durations->len * 99 + 99) / 100 - 1));
  g_assert_cmpuint (spans.max, ==, g_array_index (durations, uint64_t, durations->len - 1));
}

static void
test_damaged (void)
{
  g_autoptr(GError) error = NULL;
  GilkHookSpans spans;
  Made made;
  g_autofree char *path = begin (&made, "text");

  put (&made, 0, ENTRIES, 5, 0x41);
  g_assert_false (end (&made, path, &spans, &error));
  g_assert_nonnull (strstr (error->message, "are texts"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/hook-spans/percentiles", test_percentiles);
  g_test_add_func ("/hook-spans/none", test_none);
  g_test_add_func ("/hook-spans/many", test_many);
  g_test_add_func ("/hook-spans/damaged", test_damaged);

  return g_test_run ();
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test-hook-spans.c - computes durations of a function's recorded calls: exact percentiles, in
 * several passes over the samples
 */
#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/analysis/gilk-hook-elapsed.h"
#include "core/analysis/gilk-hook-numbers.h"
#include "core/analysis/gilk-hook-samples.h"
#include "core/analysis/gilk-hook-stream.h"
#include "tests/store-fixture.h"
#include "tests/unit/own-path.h"

enum { ENTRIES = 1, EXITS, STACKS = 64 };

typedef struct {
  GilkStore *store;
  gint64     run;
} Made;

static char *
begin_session (Made *made, const char *type)
{
  char *path = own_path ("hook-spans.gilk");
  struct ilk_instrument_desc desc = { .name = "span", .version = 1, .sample_bytes = 8, .field_count = 1 };
  g_autoptr(GError) error = NULL;

  desc.fields[0] = (struct ilk_field) { "frame", "", "", strcmp (type, "text") == 0 ? ILK_FIELD_TEXT : ILK_FIELD_HEX64,
                                        0, 8, 0 };
  g_remove (path);
  made->store = fixture_open (path);
  made->run = fixture_begin (made->store, 2);
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
add_sample (Made *made, guint cpu, guint iid, uint64_t t_ns, uint64_t frame)
{
  fixture_add_sample (made->store, made->run, cpu, iid, (gint64) t_ns, &frame, 8);
}

static gboolean
end_session (Made *made, const char *path, GilkHookSpans *spans, GError **error)
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
  g_autofree char *path = begin_session (&made, "frame");

  for (guint i = 0; i < 200; i++)
    {
      add_sample (&made, 0, ENTRIES, 1000 * i, 0x1000);
      add_sample (&made, 0, EXITS, 1000 * i + 200 - i, 0x1000);
    }
  g_assert_true (end_session (&made, path, &spans, &error));
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
  g_autofree char *path = begin_session (&made, "frame");

  add_sample (&made, 0, EXITS, 5, 0x1000);
  add_sample (&made, 1, ENTRIES, 7, 0x1000);
  g_assert_true (end_session (&made, path, &spans, &error));
  g_assert_cmpuint (spans.counts.calls + spans.max, ==, 0);
  g_assert_cmpuint (spans.counts.stray, ==, 1);
  g_assert_cmpuint (spans.counts.open, ==, 1);
}

/* Sums durations of calls, which are read like a field of samples. The tests read the durations of
 * all calls, or of the calls that ended at one exit, in order and in parts. */
static void
add_up (const double *values, gsize n, gpointer data)
{
  double *sum = data;

  for (gsize i = 0; i < n; i++)
    *sum += values[i];
}

static void
expect_values (GilkStore *store, const GilkStoredHook *hook, guint expected, double expected_sum, double from)
{
  const GilkHookAsk ask = { .field = GILK_ELAPSED, .from = from, .to = NAN };
  g_autoptr(GError) error = NULL;
  g_autoptr(GilkHookStream) stream = gilk_hook_stream_new (store, hook, &ask, &error);
  g_autoptr(GilkHookNumbers) numbers = gilk_hook_numbers_new (store, hook, &ask, 1.0, &error);
  double streamed = 0.0, passed = 0.0;
  gpointer shares[] = { &passed };
  GilkHookBlock block;
  guint n = 0;

  g_assert_no_error (error);
  while (gilk_hook_stream_next (stream, &block, &error))
    {
      add_up (block.values, block.n, &streamed);
      n += block.n;
    }
  g_assert_cmpuint (gilk_hook_numbers_shares (numbers), ==, 1);
  g_assert_true (gilk_hook_numbers_pass (numbers, add_up, shares, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (n, ==, expected);
  g_assert_cmpfloat_with_epsilon (streamed, expected_sum, 1e-12);
  g_assert_cmpfloat_with_epsilon (passed, expected_sum, 1e-12);
}

/* Checks that if the entry block is hooked, a pre-hook of another block does not count as the start
 * of calls. */
static void
expect_ends (const GArray *hooks)
{
  GilkStoredHook four[] = { g_array_index (hooks, GilkStoredHook, 0), g_array_index (hooks, GilkStoredHook, 1),
                            g_array_index (hooks, GilkStoredHook, 0), g_array_index (hooks, GilkStoredHook, 0) };
  g_autoptr(GArray) more = g_array_new (FALSE, FALSE, sizeof (GilkStoredHook));
  g_autoptr(GArray) ends = NULL, without = NULL;

  four[2].block = (char *) "+0x20";
  four[3].function = (char *) "g";
  g_array_append_vals (more, four, G_N_ELEMENTS (four));
  ends = gilk_hook_span_hooks (&four[0], more);
  g_assert_cmpuint (ends->len, ==, 2);
  g_array_remove_index (more, 0);
  without = gilk_hook_span_hooks (&four[2], more);
  g_assert_cmpuint (without->len, ==, 2);
}

static void
test_values (void)
{
  const GilkHookAsk some = { .field = GILK_ELAPSED, .condition = "cpu == 0", .from = NAN, .to = NAN };
  g_autoptr(GilkStore) store = NULL;
  g_autoptr(GArray) hooks = NULL;
  g_autoptr(GError) error = NULL;
  Made made;
  g_autofree char *path = begin_session (&made, "frame");

  for (guint i = 0; i < 10; i++)
    {
      add_sample (&made, 0, ENTRIES, 1000 * i, 0x1000);
      add_sample (&made, 1, EXITS, 1000 * i + 100, 0x1000);
    }
  fixture_end (made.store, made.run, 100000);
  store = fixture_read (path);
  hooks = fixture_hooks (store);
  for (guint i = 0; i < hooks->len; i++)
    {
      const GilkStoredHook *hook = &g_array_index (hooks, GilkStoredHook, i);

      g_assert_true (gilk_hook_has_elapsed (hook, hooks));
      expect_values (store, hook, 10, 1000e-9, NAN);
      expect_values (store, hook, 5, 500e-9, 5e-6);
    }
  g_assert_null (gilk_hook_stream_new (store, &g_array_index (hooks, GilkStoredHook, 0), &some, &error));
  g_assert_nonnull (strstr (error->message, "two samples"));
  expect_ends (hooks);
  g_array_set_size (hooks, 1);
  g_assert_false (gilk_hook_has_elapsed (&g_array_index (hooks, GilkStoredHook, 0), hooks));
  g_remove (path);
}

static int
compare_spans (gconstpointer a, gconstpointer b)
{
  uint64_t x = *(const uint64_t *) a, y = *(const uint64_t *) b;

  return (x > y) - (x < y);
}

/* Tests that computed fields do not hide an instrument's field of the same name. */
static void
test_names (void)
{
  g_assert_cmpint (gilk_field_kind (NULL), ==, GILK_FIELD_OWN);
  g_assert_cmpint (gilk_field_kind ("elapsed"), ==, GILK_FIELD_OWN);
  g_assert_cmpint (gilk_field_kind (GILK_ELAPSED), ==, GILK_FIELD_ELAPSED);
  g_assert_cmpint (gilk_field_kind (GILK_INTERVAL), ==, GILK_FIELD_INTERVAL);
  g_assert_cmpint (gilk_field_kind (GILK_TIME), ==, GILK_FIELD_TIME);
  g_assert_true (gilk_field_is_duration (GILK_ELAPSED) && !gilk_field_is_duration (GILK_TIME));
  g_assert_false (g_regex_match_simple ("^[a-z_][a-z0-9_]*$", GILK_ELAPSED, 0, 0));
}

/* Tests calls that migrate between CPUs, with short and long durations, over many chunks of
 * samples. */
static void
test_many (void)
{
  g_autoptr(GRand) rand = g_rand_new_with_seed (3);
  g_autoptr(GArray) durations = g_array_new (FALSE, FALSE, sizeof (uint64_t));
  g_autoptr(GError) error = NULL;
  uint64_t since[STACKS] = { 0 }, t = 1;
  GilkHookSpans spans;
  Made made;
  g_autofree char *path = begin_session (&made, "frame");

  for (guint i = 0; i < 200000; i++)
    {
      guint stack = (guint) g_rand_int_range (rand, 0, 1 + g_rand_int_range (rand, 0, STACKS));
      uint64_t took = t - since[stack];

      add_sample (&made, (guint) g_rand_int_range (rand, 0, 2), since[stack] == 0 ? ENTRIES : EXITS, t, 0x10000 + 64 * stack);
      if (since[stack] != 0)
        g_array_append_val (durations, took);
      since[stack] = since[stack] == 0 ? t : 0;
      t += 1 + (uint64_t) g_rand_int_range (rand, 0, 1 << g_rand_int_range (rand, 0, 24));
      if (i % 50000 == 0)
        g_assert_true (gilk_store_flush (made.store, &error));
    }
  g_assert_true (end_session (&made, path, &spans, &error));
  g_array_sort (durations, compare_spans);
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
  g_autofree char *path = begin_session (&made, "text");

  add_sample (&made, 0, ENTRIES, 5, 0x41);
  g_assert_false (end_session (&made, path, &spans, &error));
  g_assert_nonnull (strstr (error->message, "are stored as strings"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/hook-spans/names", test_names);
  g_test_add_func ("/hook-spans/percentiles", test_percentiles);
  g_test_add_func ("/hook-spans/none", test_none);
  g_test_add_func ("/hook-spans/values", test_values);
  g_test_add_func ("/hook-spans/many", test_many);
  g_test_add_func ("/hook-spans/damaged", test_damaged);

  return g_test_run ();
}

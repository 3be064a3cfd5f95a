/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test-store-clock.c - tests that sample times are computed from the clock readings of a session,
 * and the errors of these times are reported
 */
#include <glib/gstdio.h>

#include "core/samples/gilk-samples.h"
#include "core/store/gilk-store-clock.h"
#include "tests/store-fixture.h"
#include "tests/unit/own-path.h"

#define IID  7
#define ZERO G_GUINT64_CONSTANT (1000000000)

static char *
path_of (const char *name)
{
  return own_path (name);
}

static gint64
begin_run (GilkStore *store, guint n_cpus)
{
  const GilkStoreRun row = { .target = "lab", .plan_text = "", .tsc_khz = 2000000, .n_cpus = n_cpus };
  const struct ilk_instrument_desc desc = { .name = "stamp", .version = 1 };
  const GilkStoreHook hook = { .iid = IID, .label = "h", .function = "f", .block = "+0x0",
                               .where = "pre", .instrument = "stamp", .tactic = "splice" };
  g_autoptr(GError) error = NULL;
  gint64 run = gilk_store_begin_run (store, &row, &error);

  g_assert_no_error (error);
  g_assert_true (gilk_store_add_instrument (store, run, &desc, &error) &&
                 gilk_store_add_hook (store, run, &hook, NULL, &error) &&
                 gilk_store_set_zero (store, run, ZERO, 50, 0, &error));

  return run;
}

static void
add_sample (GilkStore *store, gint64 run, guint cpu, uint64_t tsc)
{
  const struct ilk_record record = { .commit = 1, .tsc = tsc, .iid = IID };
  g_autoptr(GError) error = NULL;
  guint stored;

  g_assert_true (gilk_store_add_records (store, run, cpu, &record, sizeof record, &stored, &error));
  g_assert_cmpuint (stored, ==, 1);
}

/* Returns: (transfer full): "cpu:time " for each sample, in order */
static char *
get_times (const char *path)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(GilkStore) store = fixture_read (path);
  g_autoptr(GArray) hooks = store != NULL ? gilk_store_hooks (store, 1, &error) : NULL;
  g_autoptr(GilkSamples) samples = NULL;
  GString *text = g_string_new (NULL);
  GilkSampleBlock block;

  g_assert_no_error (error);
  samples = gilk_samples_new (store, (GilkStoredHook *) (void *) hooks->data, 1, &error);
  g_assert_no_error (error);
  gilk_samples_in_order (samples);
  while (gilk_samples_next (samples, &block, &error))
    for (guint i = 0; i < block.n; i++)
      g_string_append_printf (text, "%u:%" G_GINT64_FORMAT " ", block.cpu[i], block.t_ns[i]);
  g_assert_no_error (error);

  return g_string_free (text, FALSE);
}

static void
read_clock (const char *path, GilkStoredClock *clock)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(GilkStore) store = fixture_read (path);

  g_assert_true (gilk_store_clock (store, 1, clock, &error));
  g_assert_no_error (error);
}

/* Tests offsets of TSCs: CPU 1's TSC is certainly ahead, CPU 2's differs by less than the error,
 * and CPU 3's is unknown. */
static void
test_offsets (void)
{
  static const GilkCpuOffset first[] = { { 0, 0, TRUE }, { 4000, 300, TRUE }, { -100, 200, TRUE }, { 0, 0, FALSE } };
  static const GilkCpuOffset last[] = { { 0, 0, TRUE }, { 4600, 200, TRUE }, { -100, 100, TRUE } };
  const GilkTimestampPair moments[] = { { ZERO - 250000000, 0, 100 }, { ZERO, 100000050, 100 },
                                 { ZERO + 2500000000u, 1100000050, 150 } };
  g_autofree char *path = path_of ("store-clock.gilk");
  g_autoptr(GError) error = NULL;
  g_autofree char *told = NULL;
  g_auto(GilkStoredClock) clock = { 0 };
  const GilkStoredCpuClock *cpus;
  GilkStore *store;
  gint64 run;

  g_remove (path);
  store = fixture_open (path);
  run = begin_run (store, 4);
  g_assert_true (gilk_store_set_rate (store, run, 2500000000u, &error));
  for (guint i = 0; i < G_N_ELEMENTS (moments); i++)
    g_assert_true (gilk_store_add_timestamp_pair (store, run, (GilkTimestampPosition) i, &moments[i], &error));
  g_assert_true (gilk_store_add_offsets (store, run, GILK_TIMESTAMP_ZERO, first, 4, &error));
  add_sample (store, run, 0, ZERO + 2500);
  add_sample (store, run, 1, ZERO + 6250);   /* 900 ns: an offset of 4000 ticks is subtracted */
  add_sample (store, run, 2, ZERO + 2400);   /* 960 ns: an offset within its error is ignored */
  add_sample (store, run, 3, ZERO + 2750);
  g_assert_true (gilk_store_add_offsets (store, run, GILK_TIMESTAMP_END, last, 3, &error));
  fixture_end (store, run, 1000000000);

  told = get_times (path);
  g_assert_cmpstr (told, ==, "1:900 2:960 0:1000 3:1100 ");
  read_clock (path, &clock);
  g_assert_cmpuint (clock.hz, ==, 2500000000u);
  g_assert_true (clock.measured && clock.has_zero && clock.has_end && clock.order_at_end);
  g_assert_cmpfloat_with_epsilon (clock.rate_error, 200.0 / 250000000, 1e-9);
  g_assert_cmpfloat_with_epsilon (clock.zero_error_ns, 40, 1e-9);
  g_assert_cmpfloat_with_epsilon (clock.drift, 0, 1e-12);
  g_assert_cmpfloat_with_epsilon (clock.run_error, 250.0 / 2.5e9, 1e-9);
  g_assert_cmpfloat_with_epsilon (clock.end_error_ns, 100, 1e-6);
  g_assert_cmpuint (clock.n_cpus, ==, 4);
  g_assert_cmpuint (clock.cpus->len, ==, 3);
  cpus = (const GilkStoredCpuClock *) (const void *) clock.cpus->data;
  g_assert_true (!cpus[0].subtracted_offset && cpus[1].subtracted_offset && !cpus[2].subtracted_offset);
  g_assert_cmpfloat_with_epsilon (cpus[1].left_ns, (600 + 200) * 0.4, 1e-9);   /* the TSC drifted */
  g_assert_cmpfloat_with_epsilon (cpus[2].left_ns, (100 + 200) * 0.4, 1e-9);
  g_assert_cmpfloat_with_epsilon (clock.order_ns, (800 + 300) * 0.4, 1e-9);
  g_remove (path);
}

/* Tests a TSC that runs faster than the clock. */
static void
test_drift (void)
{
  const GilkTimestampPair zero = { ZERO, 50, 10 }, end = { ZERO + 2000020000u, 1000000050, 10 };
  g_autofree char *path = path_of ("store-drift.gilk");
  g_autoptr(GError) error = NULL;
  g_auto(GilkStoredClock) clock = { 0 };
  GilkStore *store;
  gint64 run;

  g_remove (path);
  store = fixture_open (path);
  run = begin_run (store, 1);
  g_assert_true (gilk_store_set_rate (store, run, 0, &error));
  g_assert_true (gilk_store_add_timestamp_pair (store, run, GILK_TIMESTAMP_ZERO, &zero, &error));
  g_assert_true (gilk_store_add_timestamp_pair (store, run, GILK_TIMESTAMP_END, &end, &error));
  fixture_end (store, run, 1000000000);

  read_clock (path, &clock);
  g_assert_false (clock.measured);
  g_assert_cmpuint (clock.hz, ==, 2000000000);
  g_assert_cmpfloat_with_epsilon (clock.drift, 10e-6, 1e-12);
  g_assert_cmpfloat_with_epsilon (clock.end_error_ns, 10000 + 10, 1e-3);
  g_assert_cmpfloat (clock.order_ns, ==, 0);
  g_remove (path);
}

/* ---- test of damaged sessions ---- */

/* Tests that impossible values in a session are reported or ignored. */
static void
test_damaged (void)
{
  static const struct { const char *sql; gboolean good; } cases[] = {
    { "INSERT INTO timestamp_pair VALUES (1, 0, 5, 5, 5), (1, 1, 4, 4, 4), (1, 2, 3, 3, 3)", TRUE },
    { "INSERT INTO timestamp_pair VALUES (1, 77, 5, 5, 5)", TRUE },
    { "INSERT INTO timestamp_pair VALUES (1, 1, 5, -5, 5)", FALSE },
    { "INSERT INTO timestamp_pair VALUES (1, 1, 'x', 5, 5)", FALSE },
    { "INSERT INTO cpu_clock VALUES (1, 2, 9, 5, 5, 5)", TRUE },
    { "INSERT INTO cpu_clock VALUES (1, 1, 9, 5, -5, 5)", FALSE },
    { "UPDATE run SET tsc_hz = -1", FALSE },
    { "UPDATE run SET tsc_khz = 0", TRUE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = path_of ("store-clock-bad.gilk");
      g_autoptr(GError) error = NULL;
      g_auto(GilkStoredClock) clock = { 0 };
      GilkStore *store;
      gboolean good;

      g_remove (path);
      store = fixture_open (path);
      g_assert_true (gilk_store_end_run (store, begin_run (store, 2), 1, "stopped", &error));
      g_assert_true (gilk_store_close (store, &error));
      fixture_run_sql (path, cases[i].sql);
      store = fixture_read (path);
      g_assert_no_error (error);
      good = gilk_store_clock (store, 1, &clock, &error);
      g_assert_cmpint (good, ==, cases[i].good);
      g_assert_true (good == (error == NULL));
      g_assert_true (!good || !clock.has_end);
      gilk_store_free (store);
      g_remove (path);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/store-clock/offsets", test_offsets);
  g_test_add_func ("/store-clock/drift", test_drift);
  g_test_add_func ("/store-clock/damaged", test_damaged);

  return g_test_run ();
}

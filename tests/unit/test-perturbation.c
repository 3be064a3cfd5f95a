/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test-perturbation.c - tests that confidence intervals of a perturbation have their stated
 * coverage
 */
/* Promise: confidence intervals of a perturbation have their stated coverage */
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

#include "core/analysis/gilk-hook-gaps.h"
#include "core/analysis/gilk-hook-perturbation.h"
#include "core/plan/gilk-plan.h"
#include "core/store/gilk-store-loss.h"
#include "tests/store-fixture.h"
#include "tests/unit/own-path.h"

#define PAIRS 20

/* ---- test of the coverage of the interval ---- */

static double
draw_normal (GRand *rand)
{
  return sqrt (-2 * log (1 - g_rand_double (rand))) * cos (2 * G_PI * g_rand_double (rand));
}

/* Draws pairs of values: one with hooks on, one with hooks off. Both values of a pair have the same
 * drift. */
static void
draw_pairs (GRand *rand, gboolean skewed, double effect, double *on, double *off)
{
  for (guint i = 0; i < PAIRS; i++)
    {
      double drift = 30 * draw_normal (rand);

      off[i] = 1000 + drift + (skewed ? 20 * (-log (1 - g_rand_double (rand)) - 1) : 20 * draw_normal (rand));
      on[i] = (1000 + drift) * (1 + effect) + (skewed ? 20 * (-log (1 - g_rand_double (rand)) - 1) : 20 * draw_normal (rand));
    }
}

static void
expect_cover (gboolean skewed, double effect, double least, double most)
{
  g_autoptr(GRand) rand = g_rand_new_with_seed (skewed ? 3 : 4);
  const guint rounds = 20000;
  guint of_difference = 0, of_quotient = 0;

  for (guint r = 0; r < rounds; r++)
    {
      double on[PAIRS], off[PAIRS];
      GilkPerturbation found;

      draw_pairs (rand, skewed, effect, on, off);
      g_assert_true (gilk_perturbation_of (on, off, PAIRS, 0.95, &found, NULL));
      of_difference += found.low <= 1000 * effect && 1000 * effect <= found.high;
      of_quotient += found.relative_low <= effect && effect <= found.relative_high;
    }
  g_test_message ("%.4f, %.4f", (double) of_difference / rounds, (double) of_quotient / rounds);
  /* Four standard deviations of the coverage are 0.0062 for 20,000 rounds. */
  g_assert_cmpfloat ((double) of_difference / rounds, >, least);
  g_assert_cmpfloat ((double) of_difference / rounds, <, most);
  g_assert_cmpfloat ((double) of_quotient / rounds, >, least);
  g_assert_cmpfloat ((double) of_quotient / rounds, <, most);
}

static void
test_covers (void)
{
  expect_cover (FALSE, 0.0, 0.9438, 0.9562);
  expect_cover (FALSE, -0.2, 0.9438, 0.9562);
  expect_cover (TRUE, 0.01, 0.94, 0.96);
}

static void
test_edges (void)
{
  double on[PAIRS], off[PAIRS];
  g_autoptr(GError) error = NULL;
  GilkPerturbation found = { .pairs = 99 };

  for (guint i = 0; i < PAIRS; i++)
    on[i] = off[i] = 5;
  g_assert_false (gilk_perturbation_of (on, off, GILK_PERTURBATION_PAIRS_MIN - 1, 0.95, &found, &error));
  g_assert_nonnull (strstr (error->message, "too few"));
  g_assert_cmpuint (found.pairs, ==, 99);
  g_assert_true (gilk_perturbation_of (on, off, PAIRS, 0.95, &found, NULL));
  g_assert_true (found.difference == 0 && found.low == 0 && found.high == 0 && found.p == 1 && found.relative == 0);
  for (guint i = 0; i < PAIRS; i++)
    on[i] = 6;
  g_assert_true (gilk_perturbation_of (on, off, PAIRS, 0.95, &found, NULL));
  g_assert_true (found.difference == 1 && found.low == 1 && found.p == 0);
  g_assert_cmpfloat_with_epsilon (found.relative, 0.2, 1e-12);
  for (guint i = 0; i < PAIRS; i++)
    off[i] = i % 2 == 0 ? 1 : -1;
  g_assert_true (gilk_perturbation_of (on, off, PAIRS, 0.95, &found, NULL));
  g_assert_true (isnan (found.relative));
}

/* ---- tests of effects in a recorded session ---- */

#define BLOCKS 60
#define PERIOD 10000000           /* ns; 1 tick = 1 ns */

/* Records a hit every 100 us, but every 125 us while the switched hooks are on. The seventh
 * interval has a loss. */
static char *
make_session (gboolean switched, double *times, double *values, guint *n)
{
  char *path = own_path ("perturbation.gilk");
  const GilkPlanInterleave interleave = { PERIOD, 11 };
  g_autofree uint8_t *on = gilk_interleave_intervals (&interleave, BLOCKS);
  const struct ilk_instrument_desc desc = { .name = "stamp", .version = 1 };
  GilkStoreHook witness = { .iid = 1, .label = "w", .function = "f", .block = "+0x0", .where = "pre",
                            .instrument = "stamp", .tactic = "splice" };
  GilkStoreHook other = witness;
  const GilkStoredLoss loss = { 6 * PERIOD + 100, 6 * PERIOD + 200, 1, 0 };
  g_autoptr(GError) error = NULL;
  GilkStore *store;
  gint64 run;

  g_remove (path);
  store = fixture_open (path);
  run = fixture_begin (store, 1);
  other.iid = 2;
  other.label = "s";
  other.switched = TRUE;
  g_assert_true (gilk_store_add_instrument (store, run, &desc, &error) &&
                 gilk_store_add_hook (store, run, &witness, NULL, &error) &&
                 gilk_store_add_hook (store, run, &other, NULL, &error) &&
                 gilk_store_put_loss (store, run, 1, 0, &loss, &error) &&
                 gilk_store_put_counts (store, run, 1, 0, &(struct ilk_counter) { .lost = 1 }, 1, &error));
  *n = 0;
  for (guint i = 0; i < BLOCKS; i++)
    {
      const GilkStoredInterval block = { (gint64) i * PERIOD, (gint64) (i + 1) * PERIOD, on[i], i + 1 < BLOCKS };

      g_assert_true (!switched || gilk_store_add_interval (store, run, i, &block, &error));
      for (uint64_t t = i * (uint64_t) PERIOD + 50000; t < (i + 1) * (uint64_t) PERIOD; t += on[i] ? 125000 : 100000)
        {
          fixture_add_sample (store, run, 0, 1, (gint64) t, NULL, 0);
          times[*n] = (double) t / 1e9;
          values[(*n)++] = on[i] ? 5 : 4;
        }
    }
  fixture_end (store, run, BLOCKS * (uint64_t) PERIOD);

  return path;
}

static void
test_session (void)
{
  static double times[BLOCKS * 101], values[BLOCKS * 101];
  guint n;
  g_autofree char *path = make_session (TRUE, times, values, &n);
  g_autoptr(GError) error = NULL;
  g_autoptr(GilkStore) store = fixture_read (path);
  g_autoptr(GArray) hooks = fixture_hooks (store);
  const GilkStoredHook *witness = &g_array_index (hooks, GilkStoredHook, 0);
  const GilkStoredHook *other = &g_array_index (hooks, GilkStoredHook, 1);
  g_autoptr(GArray) gaps = gilk_hook_gaps (store, witness, 0.6, &error);
  g_autoptr(GArray) off = gilk_hook_gaps (store, other, 0.6, &error);
  GilkHookPerturbation found;
  double seconds = 0;

  g_assert_no_error (error);
  g_assert_true (!witness->switched && other->switched);
  g_assert_true (gilk_perturbation_control_hook (hooks) == witness);
  g_assert_true (gilk_hook_perturbation (store, witness, NULL, gaps, &found, &error));
  g_assert_cmpuint (found.intervals, ==, BLOCKS);
  /* Two pairs of intervals are left out: one interval has a loss, another one is incomplete. */
  g_assert_cmpuint (found.left_out, ==, 2);
  g_assert_cmpuint (found.found.pairs, ==, BLOCKS / 2 - 2);
  g_assert_cmpfloat_with_epsilon (found.found.on, 8000, 1e-6);
  g_assert_cmpfloat_with_epsilon (found.found.off, 10000, 1e-6);
  g_assert_cmpfloat_with_epsilon (found.found.relative, -0.2, 1e-9);
  g_assert_true (gilk_hook_perturbation (store, witness, "interval", gaps, &found, &error));
  g_assert_cmpfloat_with_epsilon (found.found.on, 125e-6, 1e-9);
  g_assert_cmpfloat_with_epsilon (found.found.off, 100e-6, 1e-9);
  g_assert_true (gilk_outcome_perturbation (store, 1, times, values, n, &found, &error));
  g_assert_cmpuint (found.left_out, ==, 1);
  g_assert_cmpfloat_with_epsilon (found.found.difference, 1, 1e-12);
  g_assert_false (gilk_hook_perturbation (store, other, NULL, off, &found, &error));
  g_assert_nonnull (strstr (error->message, "control"));
  /* The gaps of the switched hook are the times when the hook is off. */
  for (guint i = 0; i < off->len; i++)
    seconds += g_array_index (off, GilkGap, i).to - g_array_index (off, GilkGap, i).from;
  g_assert_cmpfloat_with_epsilon (seconds, 0.3, 1e-9);
  g_remove (path);
}

static void
test_not_switched (void)
{
  static double times[BLOCKS * 101], values[BLOCKS * 101];
  guint n;
  g_autofree char *path = make_session (FALSE, times, values, &n);
  g_autoptr(GError) error = NULL;
  g_autoptr(GilkStore) store = fixture_read (path);
  g_autoptr(GArray) hooks = fixture_hooks (store);
  GilkHookPerturbation found;

  g_assert_false (gilk_hook_perturbation (store, &g_array_index (hooks, GilkStoredHook, 0), NULL, NULL, &found, &error));
  g_assert_nonnull (strstr (error->message, "--interleave"));
  g_remove (path);
}

/* ---- test of the choice of random A/B intervals ---- */

static void
test_blocks (void)
{
  const GilkPlanInterleave a = { PERIOD, 1 }, b = { PERIOD, 2 };
  g_autofree uint8_t *one = gilk_interleave_intervals (&a, 10000), *again = gilk_interleave_intervals (&a, 10000);
  g_autofree uint8_t *two = gilk_interleave_intervals (&b, 10000);
  guint first = 0, alike = 0;

  g_assert_true (memcmp (one, again, 10000) == 0);
  for (guint i = 0; i < 10000; i += 2)
    {
      g_assert_true (one[i] + one[i + 1] == 1 && one[i] <= 1);
      first += one[i];
      alike += one[i] == two[i];
    }
  g_assert_true (first > 2300 && first < 2700 && alike > 2300 && alike < 2700);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/perturbation/covers", test_covers);
  g_test_add_func ("/perturbation/edges", test_edges);
  g_test_add_func ("/perturbation/session", test_session);
  g_test_add_func ("/perturbation/not-switched", test_not_switched);
  g_test_add_func ("/perturbation/blocks", test_blocks);

  return g_test_run ();
}

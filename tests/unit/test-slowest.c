/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test-slowest.c - tests that the threshold for the slowest 1 % is learnt from the first calls and
 * stays at a value that one call in a hundred exceeds
 *
 * Runs the programs that plans use, with calls of random duration.
 */
#include <math.h>
#include <string.h>

#include "cli/base/plan-paths.h"
#include "core/plan/gilk-plan.h"
#include "tests/unit/program-hit.h"

enum { CALLS = 200000, FEW = 10000, LEARNT = 100 };

static double
draw_normal (GRand *rand)
{
  return sqrt (-2.0 * log (1.0 - g_rand_double (rand))) * cos (2.0 * G_PI * g_rand_double (rand));
}

/* ---- duration of the @i-th call in ns, one function per distribution ---- */

static double
lognormal_short (GRand *rand, G_GNUC_UNUSED guint i)
{
  return 250.0 * exp (0.5 * draw_normal (rand));
}

static double
lognormal_long (GRand *rand, G_GNUC_UNUSED guint i)
{
  return 40000.0 * exp (1.5 * draw_normal (rand));
}

/* Draws a duration. One call in 25 includes a wait. */
static double
draw_bimodal (GRand *rand, G_GNUC_UNUSED guint i)
{
  return (g_rand_double (rand) < 0.04 ? 2000000.0 : 1500.0) * exp (0.3 * draw_normal (rand));
}

/* Draws a duration. One call in 1000 includes a wait, so the threshold is among the durations of
 * the other calls. */
static double
draw_rare (GRand *rand, G_GNUC_UNUSED guint i)
{
  return (g_rand_double (rand) < 0.001 ? 2000000.0 : 800.0) * exp (0.3 * draw_normal (rand));
}

/* Draws a duration. One of the calls from which the threshold is learnt lasts a second. */
static double
late_once (GRand *rand, guint i)
{
  return (i == LEARNT / 2 ? 1e9 : 3000.0) * exp (0.6 * draw_normal (rand));
}

static double
draw_drifting (GRand *rand, guint i)
{
  return 5000.0 * exp2 (3.0 * sin (2.0 * G_PI * i / 100000.0)) * exp (0.7 * draw_normal (rand));
}

static const struct {
  const char *name;
  double    (*draw) (GRand *rand, guint i);
} kinds[] = {
  { "lognormal-short", lognormal_short }, { "lognormal-long", lognormal_long }, { "bimodal", draw_bimodal },
  { "seldom", draw_rare }, { "late-once", late_once }, { "drifting", draw_drifting },
};

/* Returns the program's text, in which the expression that reads a call's start time from a table
 * is replaced with now - count. */
static char *
text_of_call (const char *code)
{
  static const char began[] = "let since = take(started, tid);";
  const char *at = strstr (code, began);
  g_autofree char *before = NULL;

  g_assert_nonnull (at);
  before = g_strndup (code, (gsize) (at - code));

  return g_strconcat (before, "let since = now - count;", at + strlen (began), NULL);
}

static int64_t
sum_of_map (const Hit *hit, const char *name)
{
  const GilkProgramMap *map = hit_map (hit, GILK_MAP_HASH, name);
  int64_t sum = 0;

  for (guint slot = 0; slot < map->slots; slot++)
    for (guint cpu = 0; cpu < MODEL_CPUS; cpu++)
      if (hit->model->areas[map->area][cpu][slot] == GILK_OPS_SLOT_TAKEN)
        sum += (int64_t) hit->model->areas[map->area][cpu][2 * map->slots + slot];

  return sum;
}

static void
check_slow (const Hit *hit, const char *kind, gboolean ways, guint calls)
{
  const int64_t slow = ways ? sum_of_map (hit, CLI_PATHS_SLOW) : hit_value (hit, GILK_MAP_COUNTER, "slow_calls");
  const int64_t all = ways ? slow + sum_of_map (hit, CLI_PATHS_FAST) : hit_value (hit, GILK_MAP_COUNTER, "calls");

  g_test_message ("%s: %.3f %% of %u calls", kind, 100.0 * (double) slow / (double) all, calls);
  g_assert_cmpint (all, ==, calls - LEARNT);
  g_assert_cmpfloat ((double) slow, >=, 0.005 * (double) all);
  g_assert_cmpfloat ((double) slow, <=, 0.02 * (double) all);
}

/* Runs the program. @ways: TRUE: slow and fast calls are counted in maps, FALSE: in counters */
static void
check_share (const char *code, gboolean ways)
{
  g_autofree char *text = text_of_call (code);

  for (guint k = 0; k < G_N_ELEMENTS (kinds); k++)
    {
      g_autoptr(GRand) rand = g_rand_new_with_seed (k + 1);
      g_autoptr(Hit) hit = hit_new (text);

      for (guint i = 0; i < CALLS; i++)
        {
          hit->machine.now = UINT64_C (1) << 40;
          hit->machine.registers[2] = (uint64_t) (2.6 * kinds[k].draw (rand, i));
          hit_it (hit);
          if (i + 1 == FEW || i + 1 == CALLS)
            check_slow (hit, kinds[k].name, ways, i + 1);
        }
    }
}

static void
test_ways (void)
{
  g_autofree char *code = g_strdup_printf (CLI_PATHS_END, CLI_PATHS_TO_LEARN);

  check_share (code, TRUE);
}

static void
test_tail (void)
{
  g_autofree char *path = g_build_filename (g_getenv ("G_TEST_SRCDIR"), "..", "..", "data", "recipes", "tail.plan", NULL);
  g_autoptr(GError) error = NULL;
  g_autoptr(GilkPlan) plan = gilk_plan_load (path, &error);

  g_assert_no_error (error);
  check_share (gilk_plan_program (plan, "end")->code, FALSE);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/slowest/ways", test_ways);
  g_test_add_func ("/slowest/tail", test_tail);

  return g_test_run ();
}

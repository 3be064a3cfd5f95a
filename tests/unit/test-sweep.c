/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test-sweep.c - tests that a sweep visits all numbers in ascending order, whatever amount of
 * memory it may use
 */
#include "core/stats/gilk-ranks.h"
#include "core/stats/gilk-sweep.h"
#include "tests/unit/number-shapes.h"

#define FORKS 3
#define HINT  200

typedef struct {
  double    *sorted[2];
  gsize      n[2], at[2];
  uint64_t   every;           /* step between the ranks that are requested from the first side; 0:
                                 all ranks */
  GilkRanks *ranks;
} Look;

static void
start_sweep (const GilkSweepSummary *sides, gpointer data)
{
  Look *look = data;

  for (guint side = 0; side < 2; side++)
    {
      g_assert_cmpuint (sides[side].n, ==, look->n[side]);
      if (look->n[side] == 0)
        continue;
      g_assert_true (sides[side].min == look->sorted[side][0]);
      g_assert_true (sides[side].max == look->sorted[side][look->n[side] - 1]);
    }
  for (uint64_t rank = 0; look->every > 0 && rank < look->n[0]; rank += look->every)
    gilk_ranks_request (look->ranks, rank);
}

static gboolean
is_wanted (double low, double high, const uint64_t *below, const uint64_t *n, gpointer data)
{
  Look *look = data;

  g_assert_true (low <= high);

  return look->every == 0 || gilk_ranks_within (look->ranks, below[0], n[0]);
}

static void
skip_range (double low, double high, const uint64_t *n, gpointer data)
{
  Look *look = data;

  for (guint side = 0; side < 2; side++)
    {
      if (n[side] > 0)
        g_assert_true (look->sorted[side][look->at[side]] >= low &&
                       look->sorted[side][look->at[side] + n[side] - 1] <= high);
      look->at[side] += n[side];
    }
}

static void
add_value (double value, const uint64_t *n, gpointer data)
{
  Look *look = data;

  if (look->every > 0)
    gilk_ranks_step (look->ranks, look->at[0], n[0], value);
  for (guint side = 0; side < 2; side++)
    {
      for (uint64_t i = 0; i < n[side]; i++)
        if (look->at[side] + i >= look->n[side] || look->sorted[side][look->at[side] + i] != value)
          g_error ("%zu of side %u is not %.17g", look->at[side] + i, side, value);
      look->at[side] += n[side];
      if (look->at[side] < look->n[side])
        g_assert_true (look->sorted[side][look->at[side]] > value);
    }
}

static guint
count_passes (GilkSweep *sweep, double *const *values, const gsize *n)
{
  guint passes = 0;

  do
    {
      for (guint side = 0; side < 2; side++)
        {
          gsize share = n[side] / FORKS;

          for (guint f = 0; f < FORKS; f++)
            {
              GilkSweep *fork = gilk_sweep_fork (sweep);

              gilk_sweep_add (fork, side, values[side] + f * share, f + 1 < FORKS ? share : n[side] - f * share);
              gilk_sweep_join (sweep, fork);
            }
        }
      passes++;
    }
  while (gilk_sweep_again (sweep));

  return passes;
}

static void
check_sweep (Shape shape, double *const *values, const gsize *n, double unit, gsize room, uint64_t every)
{
  static const GilkSweepViewer viewer = { start_sweep, is_wanted, add_value, skip_range };
  g_autoptr(GilkRanks) ranks = gilk_ranks_new ();
  Look look = { .every = every, .ranks = ranks };
  g_autoptr(GilkSweep) sweep = gilk_sweep_new (unit, room, values[0], MIN (n[0], HINT), &viewer, &look);
  guint passes, asked = 0;

  for (guint side = 0; side < 2; side++)
    {
      look.sorted[side] = g_new (double, n[side] + 1);
      for (gsize i = 0; i < n[side]; i++)
        if (isfinite (values[side][i]))
          look.sorted[side][look.n[side]++] = values[side][i] + 0.0;
      qsort (look.sorted[side], look.n[side], sizeof (double), compare_doubles);
    }
  passes = count_passes (sweep, values, n);
  g_assert_false (gilk_sweep_is_inconsistent (sweep));
  g_assert_cmpuint (look.at[0], ==, look.n[0]);
  g_assert_cmpuint (look.at[1], ==, look.n[1]);
  if (room >= n[0] + n[1])
    g_assert_cmpuint (passes, <=, 2);
  for (uint64_t rank = 0; every > 0 && rank < look.n[0]; rank += every)
    g_assert_true (gilk_ranks_value (ranks, asked++) == look.sorted[0][rank]);
  g_free (look.sorted[0]);
  g_free (look.sorted[1]);
}

static void
test_shapes (void)
{
  static const gsize sizes[][2] = { { 0, 0 }, { 1, 0 }, { 0, 3 }, { 7, 1 }, { 1000, 900 }, { 30000, 20000 } };

  for (guint round = 0; round < N_SHAPES * G_N_ELEMENTS (sizes); round++)
    {
      Shape shape = (Shape) (round / G_N_ELEMENTS (sizes));
      const gsize *n = sizes[round % G_N_ELEMENTS (sizes)];
      g_autoptr(GRand) rand = g_rand_new_with_seed (round);
      double *values[2];

      for (guint side = 0; side < 2; side++)
        {
          values[side] = g_new (double, n[side] + 1);
          for (gsize i = 0; i < n[side]; i++)
            values[side][i] = draw_number (rand, shape, i, HINT);
        }
      for (guint unit = 0; unit < 2; unit++)
        {
          check_sweep (shape, values, n, unit != 0 ? 1e9 : 1.0, 0, 0);
          check_sweep (shape, values, n, unit != 0 ? 1e9 : 1.0, 3000, 0);
          check_sweep (shape, values, n, unit != 0 ? 1e9 : 1.0, 3000, 777);
        }
      if (n[0] <= 1000)
        check_sweep (shape, values, n, 1.0, 20, 0);
      g_free (values[0]);
      g_free (values[1]);
    }
}

static void
take_step (double value, const uint64_t *n, gpointer data)
{
}

/* Tests that a sweep ends with an error if numbers appear or vanish between its passes. */
static void
test_torn (void)
{
  static const GilkSweepViewer viewer = { NULL, NULL, take_step, NULL };
  g_autoptr(GRand) rand = g_rand_new_with_seed (1);
  g_autofree double *values = g_new (double, 5000);

  for (guint i = 0; i < 5000; i++)
    values[i] = g_rand_double (rand);
  for (gsize later = 3000; later <= 5000; later += 2000)
    {
      g_autoptr(GilkSweep) sweep = gilk_sweep_new (1.0, 1000, values, 100, &viewer, NULL);
      guint passes = 1;

      gilk_sweep_add (sweep, 0, values, 4000);
      for (; gilk_sweep_again (sweep); passes++)
        gilk_sweep_add (sweep, 0, values, later);
      g_assert_true (gilk_sweep_is_inconsistent (sweep));
      g_assert_cmpuint (passes, ==, 2);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/sweep/shapes", test_shapes);
  g_test_add_func ("/sweep/torn", test_torn);

  return g_test_run ();
}

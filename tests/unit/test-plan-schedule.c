/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test-plan-schedule.c - tests that impossible times are refused, bars move within their limits,
 * rows are grouped and folded
 */
#include <string.h>

#include "core/plan/gilk-plan-rows.h"
#include "core/plan/gilk-plan-schedule.h"
#include "core/cost/gilk-forecast.h"

#define S G_GUINT64_CONSTANT (1000000000)

static void
add_hook (GilkPlan *plan, const char *function, const char *block, uint64_t start_ns, uint64_t stop_ns)
{
  g_autofree char *label = gilk_plan_make_label (plan, function, block, GILK_WHERE_PRE);
  GilkPlanHook *hook = gilk_plan_hook_new (label, function, GILK_WHERE_PRE, "count");

  hook->block = g_strdup (block);
  hook->start_ns = start_ns;
  hook->stop_ns = stop_ns;
  g_ptr_array_add (plan->hooks, hook);
}

static GilkPlan *
make_plan (void)
{
  GilkPlan *plan = gilk_plan_new ();

  add_hook (plan, "pipe_write", "+0x10", 0, 0);
  add_hook (plan, "pipe_read", "+0x10", 2 * S, 5 * S);
  add_hook (plan, "pipe_write", "+0x20", 1 * S, 3 * S);

  return plan;
}

static void
test_refused (void)
{
  const struct { GilkPlanTimes times; uint64_t lasts; const char *says; } cases[] = {
    { { 0, 0 }, 0, NULL },
    { { 5 * S, 0 }, 10 * S, NULL },
    { { 5 * S, 10 * S }, 10 * S, NULL },
    { { 5 * S, 5 * S }, 0, "not after its start" },
    { { 5 * S, 4 * S }, 10 * S, "not after its start" },
    { { 10 * S, 0 }, 10 * S, "after the run of 10s has ended" },
    { { 50 * S, 60 * S }, 10 * S, "starts at 50s" },
    { { 5 * S, 50 * S }, 10 * S, "ends after 10s" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr(GError) error = NULL;
      gboolean good = gilk_plan_check_times (NULL, cases[i].times, cases[i].lasts, &error);

      g_assert_cmpint (good, ==, cases[i].says == NULL);
      if (!good)
        g_assert_nonnull (strstr (error->message, cases[i].says));
    }
}

static void
test_plan (void)
{
  g_autoptr(GilkPlan) plan = make_plan ();
  g_autoptr(GError) error = NULL;

  g_assert_true (gilk_plan_check_schedule (plan, 0, &error));
  g_assert_true (gilk_plan_check_schedule (plan, 5 * S, &error));
  g_assert_false (gilk_plan_check_schedule (plan, 2 * S, &error));
  g_assert_nonnull (strstr (error->message, "pipe_read+0x10-pre starts at 2s"));
  g_assert_nonnull (strstr (error->message, "1 more hook"));
}

static void
test_moved (void)
{
  const struct { GilkPlanTimes from; GilkTimesPart part; int64_t by; GilkPlanTimes to; } cases[] = {
    { { 2 * S, 5 * S }, GILK_TIMES_BOTH, S, { 3 * S, 6 * S } },
    { { 2 * S, 5 * S }, GILK_TIMES_BOTH, -5 * (int64_t) S, { 0, 3 * S } },
    { { 2 * S, 5 * S }, GILK_TIMES_BOTH, 50 * (int64_t) S, { 7 * S, 10 * S } },
    /* A hook without a stop time lasts until the end of the run, even after it was moved. */
    { { 2 * S, 0 }, GILK_TIMES_BOTH, S, { 3 * S, 0 } },
    { { 2 * S, 0 }, GILK_TIMES_BOTH, 50 * (int64_t) S, { 9 * S, 0 } },
    { { 2 * S, 5 * S }, GILK_TIMES_START, 10 * (int64_t) S, { 4 * S, 5 * S } },
    { { 2 * S, 5 * S }, GILK_TIMES_START, -10 * (int64_t) S, { 0, 5 * S } },
    { { 2 * S, 5 * S }, GILK_TIMES_STOP, -10 * (int64_t) S, { 2 * S, 3 * S } },
    { { 2 * S, 5 * S }, GILK_TIMES_STOP, 5 * (int64_t) S, { 2 * S, 0 } },
    { { 2 * S, 0 }, GILK_TIMES_STOP, -4 * (int64_t) S, { 2 * S, 6 * S } },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      GilkPlanTimes to = gilk_plan_move_times (cases[i].from, cases[i].part, cases[i].by, S, 10 * S);

      g_assert_cmpuint (to.start_ns, ==, cases[i].to.start_ns);
      g_assert_cmpuint (to.stop_ns, ==, cases[i].to.stop_ns);
    }
}

static void
assert_times (const GArray *times, guint index, uint64_t start_ns, uint64_t stop_ns)
{
  g_assert_cmpuint (g_array_index (times, GilkPlanTimes, index).start_ns, ==, start_ns);
  g_assert_cmpuint (g_array_index (times, GilkPlanTimes, index).stop_ns, ==, stop_ns);
}

static void
test_presets (void)
{
  g_autoptr(GilkPlan) plan = make_plan ();
  g_autoptr(GError) error = NULL;
  g_autoptr(GArray) together = gilk_plan_make_schedule (plan, GILK_SCHEDULE_TOGETHER, 0, FALSE, 0, NULL);
  g_autoptr(GArray) staggered = gilk_plan_make_schedule (plan, GILK_SCHEDULE_STAGGERED, S, FALSE, 0, NULL);
  g_autoptr(GArray) in_turn = gilk_plan_make_schedule (plan, GILK_SCHEDULE_IN_TURN, 0, FALSE, 9 * S, NULL);
  g_autoptr(GArray) functions = gilk_plan_make_schedule (plan, GILK_SCHEDULE_IN_TURN, 2 * S, TRUE, 4 * S, NULL);

  assert_times (together, 1, 0, 0);
  assert_times (staggered, 0, 0, 0);
  assert_times (staggered, 1, S, 4 * S);
  assert_times (staggered, 2, 2 * S, 4 * S);
  assert_times (in_turn, 0, 0, 3 * S);
  assert_times (in_turn, 2, 6 * S, 9 * S);
  assert_times (functions, 0, 0, 2 * S);
  assert_times (functions, 1, 2 * S, 4 * S);
  assert_times (functions, 2, 0, 2 * S);
  g_assert_null (gilk_plan_make_schedule (plan, GILK_SCHEDULE_IN_TURN, 2 * S, FALSE, 4 * S, &error));
  g_assert_nonnull (strstr (error->message, "after the run of 4s has ended"));
  g_clear_error (&error);
  g_assert_null (gilk_plan_make_schedule (plan, GILK_SCHEDULE_STAGGERED, 0, FALSE, 0, &error));
  g_assert_nonnull (strstr (error->message, "step of 0"));
}

static void
test_rows (void)
{
  g_autoptr(GilkPlan) plan = make_plan ();
  g_autoptr(GilkPlanRows) rows = gilk_plan_rows_new ();
  g_autoptr(GArray) hooks = NULL;

  gilk_plan_rows_update (rows, plan);
  /* The rows are: pipe_write and its two hooks, which are three rows; and pipe_read with its only
   * hook, which is one row. */
  g_assert_cmpuint (gilk_plan_rows_count (rows), ==, 4);
  g_assert_cmpint (gilk_plan_rows_get (rows, 0)->hook, ==, -1);
  g_assert_cmpint (gilk_plan_rows_get (rows, 2)->hook, ==, 2);
  g_assert_cmpint (gilk_plan_rows_find (rows, 1), ==, 3);
  g_assert_cmpuint (gilk_plan_rows_group (rows, 0)->stop_ns, ==, 0);
  hooks = gilk_plan_rows_hooks (rows, 0);
  g_assert_cmpuint (hooks->len, ==, 2);

  gilk_plan_rows_fold (rows, 0, TRUE);
  gilk_plan_rows_update (rows, plan);
  g_assert_cmpuint (gilk_plan_rows_count (rows), ==, 2);
  g_assert_cmpint (gilk_plan_rows_find (rows, 2), ==, 0);
  gilk_plan_rows_fold_all (rows, FALSE);
  gilk_plan_rows_search (rows, "WRITE +0x2");
  gilk_plan_rows_update (rows, plan);
  g_assert_cmpuint (gilk_plan_rows_count (rows), ==, 1);
  g_assert_cmpint (gilk_plan_rows_find (rows, 0), ==, -1);
  gilk_plan_rows_search (rows, "nothing");
  gilk_plan_rows_update (rows, plan);
  g_assert_cmpuint (gilk_plan_rows_count (rows), ==, 0);
}

/* Tests that copying a plan with 50,000 hooks copies 50,000 pointers; a hook is copied only when it
 * is edited. */
static void
test_shared (void)
{
  g_autoptr(GilkPlan) plan = make_plan ();
  g_autoptr(GilkPlan) before = gilk_plan_share (plan);
  g_autofree char *text = gilk_plan_to_text (before);
  g_autofree char *now = NULL;

  gilk_plan_edit_hook (plan, 1)->start_ns = 0;
  g_assert_true (g_ptr_array_index (plan->hooks, 0) == g_ptr_array_index (before->hooks, 0));
  g_assert_true (gilk_plan_edit_hook (plan, 1) == g_ptr_array_index (plan->hooks, 1));
  now = gilk_plan_to_text (before);
  g_assert_cmpstr (now, ==, text);
}

/* Tests finding the smallest set of hooks to remove from a plan that costs too much: the costliest
 * are removed first, and hooks of unknown cost stay. */
static void
test_cost (void)
{
  const double shares[] = { 0.01, -1, 0.05, 0.02, 0.05 };
  g_autoptr(GArray) none = gilk_plan_cost_excess_hooks (shares, 5, 0.2);
  g_autoptr(GArray) two = gilk_plan_cost_excess_hooks (shares, 5, 0.04);
  g_autoptr(GArray) all = gilk_plan_cost_excess_hooks (shares, 5, 0);

  g_assert_cmpfloat_with_epsilon (gilk_plan_cost_share (10, 1e6), 0.01, 1e-9);
  g_assert_cmpuint (none->len, ==, 0);
  g_assert_cmpuint (two->len, ==, 2);
  g_assert_cmpuint (g_array_index (two, guint, 0), ==, 4);
  g_assert_cmpuint (g_array_index (two, guint, 1), ==, 2);
  g_assert_cmpuint (all->len, ==, 4);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/run/schedule/refused", test_refused);
  g_test_add_func ("/run/schedule/plan", test_plan);
  g_test_add_func ("/run/schedule/moved", test_moved);
  g_test_add_func ("/run/schedule/presets", test_presets);
  g_test_add_func ("/run/schedule/rows", test_rows);
  g_test_add_func ("/run/schedule/shared", test_shared);
  g_test_add_func ("/run/schedule/cost", test_cost);

  return g_test_run ();
}

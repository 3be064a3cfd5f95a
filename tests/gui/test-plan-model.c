/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test-plan-model.c - tests edits, undo and status of the plan, without a display
 */
#include "gui/plan/gilk-plan-model.h"

static guint
add_hook (GilkPlanModel *model, const char *block, GilkWhere where)
{
  g_autofree char *label = gilk_plan_make_label (gilk_plan_model_plan (model), "f", block, where);
  GilkPlanHook *hook = gilk_plan_hook_new (label, "f", where, "count");

  g_free (hook->block);
  hook->block = g_strdup (block);

  return gilk_plan_model_add (model, hook);
}

static void
count_signal (GilkPlanModel *model, guint *count)
{
  (*count)++;
}

static void
test_find (void)
{
  g_autoptr(GilkPlanModel) model = gilk_plan_model_new ();

  g_assert_cmpuint (add_hook (model, "+0x10", GILK_WHERE_PRE), ==, 0);
  g_assert_cmpuint (add_hook (model, "+0x10", GILK_WHERE_POST), ==, 1);
  g_assert_cmpint (gilk_plan_model_find (model, "f", "+0x10", 0, GILK_WHERE_POST), ==, 1);
  g_assert_cmpint (gilk_plan_model_find (model, "f", "+0x20", 0, GILK_WHERE_POST), ==, -1);
  g_assert_cmpint (gilk_plan_model_find (model, "g", "+0x10", 0, GILK_WHERE_PRE), ==, -1);
  g_assert_cmpstr (gilk_plan_model_hook (model, 0)->label, !=, gilk_plan_model_hook (model, 1)->label);
}

static void
test_undo (void)
{
  g_autoptr(GilkPlanModel) model = gilk_plan_model_new ();
  guint changes = 0;

  g_signal_connect (model, "changed", G_CALLBACK (count_signal), &changes);
  g_assert_false (gilk_plan_model_can_undo (model));
  add_hook (model, "+0x10", GILK_WHERE_PRE);
  gilk_plan_model_set_times (model, 0, 5, 9);
  gilk_plan_model_set_times (model, 0, 5, 9);                 /* no change, hence no undo step */
  gilk_plan_model_set_instrument (model, 0, "stamp");
  g_assert_cmpuint (changes, ==, 3);

  gilk_plan_model_undo (model);
  g_assert_cmpstr (gilk_plan_model_hook (model, 0)->instrument, ==, "count");
  gilk_plan_model_undo (model);
  g_assert_cmpuint (gilk_plan_model_hook (model, 0)->start_ns, ==, 0);
  gilk_plan_model_undo (model);
  g_assert_cmpuint (gilk_plan_model_n_hooks (model), ==, 0);
  g_assert_false (gilk_plan_model_can_undo (model));
  gilk_plan_model_undo (model);                               /* nothing left to undo */

  gilk_plan_model_redo (model);
  gilk_plan_model_redo (model);
  g_assert_cmpuint (gilk_plan_model_hook (model, 0)->stop_ns, ==, 9);
  add_hook (model, "+0x20", GILK_WHERE_PRE);                       /* a new edit discards the undone
                                                                    * steps */
  g_assert_false (gilk_plan_model_can_redo (model));
}

static void
test_params (void)
{
  g_autoptr(GilkPlanModel) model = gilk_plan_model_new ();
  guint changes = 0;

  add_hook (model, "+0x10", GILK_WHERE_PRE);
  g_signal_connect (model, "changed", G_CALLBACK (count_signal), &changes);
  gilk_plan_model_set_param (model, 0, "every", "8");
  gilk_plan_model_set_param (model, 0, "every", "8");         /* no change, hence no undo step */
  g_assert_cmpuint (changes, ==, 1);
  gilk_plan_model_set_param (model, 0, "every", NULL);
  g_assert_cmpuint (g_hash_table_size (gilk_plan_model_hook (model, 0)->params), ==, 0);
  gilk_plan_model_undo (model);
  g_assert_cmpstr (g_hash_table_lookup (gilk_plan_model_hook (model, 0)->params, "every"), ==, "8");
  gilk_plan_model_undo (model);
  g_assert_cmpuint (g_hash_table_size (gilk_plan_model_hook (model, 0)->params), ==, 0);
  gilk_plan_model_set_param (model, 0, "every", "2");
  gilk_plan_model_set_instrument (model, 0, "stamp");         /* "stamp" has no parameter "every" */
  g_assert_cmpuint (g_hash_table_size (gilk_plan_model_hook (model, 0)->params), ==, 0);
}

/* Tests that changing the times of several hooks is one undo step, and that impossible times are
 * rejected. */
static void
test_times (void)
{
  g_autoptr(GilkPlanModel) model = gilk_plan_model_new ();
  g_autoptr(GError) error = NULL;
  const guint both[] = { 0, 1 };
  const GilkPlanTimes times[] = { { 1, 0 }, { 100, 107 } };
  guint changes = 0;

  add_hook (model, "+0x10", GILK_WHERE_PRE);
  add_hook (model, "+0x20", GILK_WHERE_PRE);
  g_signal_connect (model, "changed", G_CALLBACK (count_signal), &changes);
  gilk_plan_model_set_many_times (model, both, times, 2);
  gilk_plan_model_set_many_times (model, both, times, 2);     /* no change, hence no undo step */
  g_assert_cmpuint (changes, ==, 1);
  g_assert_cmpuint (gilk_plan_model_hook (model, 1)->stop_ns, ==, 107);
  gilk_plan_model_undo (model);
  g_assert_cmpuint (gilk_plan_model_hook (model, 0)->start_ns, ==, 0);
  g_assert_cmpuint (gilk_plan_model_hook (model, 1)->start_ns, ==, 0);

  gilk_plan_model_set_length (model, 50);
  g_assert_false (gilk_plan_model_enter_times (model, 0, "50ns", "", &error));
  g_assert_nonnull (error);
  g_assert_true (gilk_plan_model_enter_times (model, 0, "10ns", "50ns", NULL));
}

static void
assert_hook (GilkPlanModel *model, guint index, uint64_t start_ns, uint64_t stop_ns, const char *follows)
{
  const GilkPlanHook *hook = gilk_plan_model_hook (model, index);

  g_assert_cmpuint (hook->start_ns, ==, start_ns);
  g_assert_cmpuint (hook->stop_ns, ==, stop_ns);
  g_assert_cmpstr (hook->leader, ==, follows);
}

/* Tests followers: hooks that start when another hook stops. Followers are entered as text, moved
 * with that hook or separately, and detached. Each edit is one undo step. */
static void
test_follow (void)
{
  g_autoptr(GilkPlanModel) model = gilk_plan_model_new ();
  const guint all[] = { 0, 1, 2 };
  g_autofree char *a = NULL, *b = NULL, *start = NULL;
  g_autoptr(GError) error = NULL;

  add_hook (model, "+0x10", GILK_WHERE_PRE);
  add_hook (model, "+0x20", GILK_WHERE_PRE);
  add_hook (model, "+0x30", GILK_WHERE_PRE);
  gilk_plan_model_set_length (model, 100);
  a = g_strdup (gilk_plan_model_hook (model, 0)->label);
  b = g_strdup (gilk_plan_model_hook (model, 1)->label);
  start = g_strconcat ("after ", a, NULL);
  g_assert_false (gilk_plan_model_enter_times (model, 1, start, "", &error));      /* hook 0 never
                                                                                    * stops */
  g_assert_nonnull (error);
  g_assert_true (gilk_plan_model_enter_times (model, 0, "0", "10ns", NULL));
  g_assert_true (gilk_plan_model_enter_times (model, 1, "20ns", "50ns", NULL));
  g_assert_true (gilk_plan_model_enter_times (model, 1, start, "50ns", NULL));
  assert_hook (model, 1, 10, 40, a);                           /* the follower starts when hook 0
                                                                * stops, and keeps its duration */
  g_free (start);
  start = g_strconcat ("after ", b, " + 5ns", NULL);
  g_assert_true (gilk_plan_model_enter_times (model, 2, start, "", NULL));
  assert_hook (model, 2, 45, 0, b);

  gilk_plan_model_set_times (model, 0, 0, 30);                 /* moves hook 0 and its follower */
  assert_hook (model, 1, 30, 60, a);
  assert_hook (model, 2, 65, 0, b);
  gilk_plan_model_undo (model);
  assert_hook (model, 1, 10, 40, a);
  assert_hook (model, 2, 45, 0, b);
  gilk_plan_model_set_many_times (model, all, (const GilkPlanTimes[]) { { 5, 15 }, { 15, 45 }, { 50, 0 } }, 3);
  g_assert_cmpuint (gilk_plan_model_hook (model, 2)->leader_delay_ns, ==, 5);
  assert_hook (model, 2, 50, 0, b);
  gilk_plan_model_set_times (model, 1, 20, 50);                /* a later start: the hook still
                                                                * follows hook 0 */
  g_assert_cmpuint (gilk_plan_model_hook (model, 1)->leader_delay_ns, ==, 5);
  assert_hook (model, 2, 55, 0, b);
  gilk_plan_model_set_times (model, 1, 8, 38);                 /* a start before hook 0 stops: the
                                                                * hook no longer follows hook 0 */
  assert_hook (model, 1, 8, 38, NULL);
  assert_hook (model, 2, 43, 0, b);
  gilk_plan_model_set_times (model, 1, 8, 0);                  /* a hook that others follow must
                                                                * have a stop time */
  assert_hook (model, 1, 8, 100, NULL);
  gilk_plan_model_undo (model);
  gilk_plan_model_undo (model);
  gilk_plan_model_remove (model, 0);
  assert_hook (model, 0, 20, 50, NULL);
  assert_hook (model, 1, 55, 0, b);
  gilk_plan_model_undo (model);
  assert_hook (model, 1, 20, 50, a);
  g_assert_true (gilk_plan_model_enter_times (model, 1, "3ns", "+30ns", NULL));
  assert_hook (model, 1, 3, 33, NULL);
}

/* Tests hooks that take turns: the hooks of each turn are followers, which start when the first
 * hook of the previous turn stops. */
static void
test_in_turn (void)
{
  g_autoptr(GilkPlanModel) model = gilk_plan_model_new ();
  const GilkPlanInterleave never = { 0 };
  g_autoptr(GArray) times = NULL;

  add_hook (model, "+0x10", GILK_WHERE_PRE);
  add_hook (model, "+0x20", GILK_WHERE_PRE);
  times = gilk_plan_make_schedule (gilk_plan_model_plan (model), GILK_SCHEDULE_IN_TURN, 10, FALSE, 0, NULL);
  gilk_plan_model_set_schedule (model, (const GilkPlanTimes *) times->data, GILK_SCHEDULE_IN_TURN, FALSE, &never);
  assert_hook (model, 1, 10, 20, gilk_plan_model_hook (model, 0)->label);
  gilk_plan_model_set_times (model, 0, 0, 15);
  assert_hook (model, 1, 15, 25, gilk_plan_model_hook (model, 0)->label);
  gilk_plan_model_set_schedule (model, (const GilkPlanTimes *) times->data, GILK_SCHEDULE_STAGGERED, FALSE, &never);
  assert_hook (model, 1, 10, 20, NULL);
  gilk_plan_model_undo (model);
  gilk_plan_model_undo (model);
  gilk_plan_model_undo (model);
  assert_hook (model, 1, 0, 0, NULL);
}

static void
test_many (void)
{
  g_autoptr(GilkPlanModel) model = gilk_plan_model_new ();
  g_autoptr(GPtrArray) hooks = g_ptr_array_new_with_free_func ((GDestroyNotify) gilk_plan_hook_unref);
  const guint gone[] = { 2, 0 };

  add_hook (model, "+0x10", GILK_WHERE_PRE);
  g_ptr_array_add (hooks, gilk_plan_hook_new ("a", "g", GILK_WHERE_PRE, "count"));
  g_ptr_array_add (hooks, gilk_plan_hook_new ("b", "h", GILK_WHERE_PRE, "count"));
  gilk_plan_model_add_many (model, hooks, NULL);
  g_assert_cmpuint (gilk_plan_model_n_hooks (model), ==, 3);
  gilk_plan_model_remove_many (model, gone, 2);
  g_assert_cmpuint (gilk_plan_model_n_hooks (model), ==, 1);
  g_assert_cmpstr (gilk_plan_model_hook (model, 0)->label, ==, "a");
  gilk_plan_model_undo (model);
  g_assert_cmpstr (gilk_plan_model_hook (model, 2)->label, ==, "b");
  gilk_plan_model_undo (model);
  g_assert_cmpuint (gilk_plan_model_n_hooks (model), ==, 1);
}

static void
test_blocks (void)
{
  g_autoptr(GilkPlanModel) model = gilk_plan_model_new ();
  const GilkPlanInterleave each = { 1000000, 7 };
  guint changes = 0;

  g_signal_connect (model, "changed", G_CALLBACK (count_signal), &changes);
  add_hook (model, "+0x10", GILK_WHERE_PRE);
  gilk_plan_model_set_intervals (model, &each);
  gilk_plan_model_set_intervals (model, &each);      /* no change, hence no undo step */
  gilk_plan_model_set_control (model, 0, TRUE);
  gilk_plan_model_set_control (model, 0, TRUE);
  g_assert_cmpuint (changes, ==, 3);
  g_assert_false (gilk_plan_check_interleave (gilk_plan_model_plan (model), NULL));
  gilk_plan_model_undo (model);
  g_assert_true (gilk_plan_check_interleave (gilk_plan_model_plan (model), NULL));
  g_assert_cmpuint (gilk_plan_model_plan (model)->interleave.seed, ==, 7);
  gilk_plan_model_undo (model);
  g_assert_cmpuint (gilk_plan_model_plan (model)->interleave.period_ns, ==, 0);
}

static void
test_replace (void)
{
  g_autoptr(GilkPlanModel) model = gilk_plan_model_new ();

  add_hook (model, "+0x10", GILK_WHERE_PRE);
  gilk_plan_model_replace_plan (model, gilk_plan_new ());
  g_assert_cmpuint (gilk_plan_model_n_hooks (model), ==, 0);
  gilk_plan_model_undo (model);
  g_assert_cmpuint (gilk_plan_model_n_hooks (model), ==, 1);
  g_assert_false (gilk_plan_model_status (model, 0)->bound);
}

/* Returns the result of binding the model's first hook to a kernel, with only the members set that
 * the model reads. */
static GilkBoundPlan *
bind_first (GilkPlanModel *model)
{
  GilkBoundPlan *bound = g_new0 (GilkBoundPlan, 1);
  GilkBoundHook hook = { .hook = gilk_plan_model_hook (model, 0) };

  bound->hooks = g_array_new (FALSE, FALSE, sizeof (GilkBoundHook));
  g_array_append_val (bound->hooks, hook);

  return bound;
}

/* Tests that an update of the run's figures redraws only the rows whose status it changes. */
static void
test_fresh (void)
{
  g_autoptr(GilkPlanModel) model = gilk_plan_model_new ();
  GilkHookFigures figure = { .hits_known = TRUE, .hits = 7, .rate = 1 };
  GilkRunFigures figures = { .state = GILK_RUN_RUNNING, .hooks = &figure, .n_hooks = 1 };
  g_autofree GilkBoundPlan *bound = NULL;

  add_hook (model, "+0x10", GILK_WHERE_PRE);
  add_hook (model, "+0x20", GILK_WHERE_PRE);
  bound = bind_first (model);
  gilk_plan_model_set_bound (model, bound);
  g_assert_true (gilk_plan_model_status_changed (model, 0));
  gilk_plan_model_update_figures (model, bound, &figures);
  g_assert_true (gilk_plan_model_status_changed (model, 0));

  figure.rate = 2;
  gilk_plan_model_update_figures (model, bound, &figures);
  g_assert_false (gilk_plan_model_status_changed (model, 0));
  g_assert_false (gilk_plan_model_status_changed (model, 1));
  figure.lost = 1;
  gilk_plan_model_update_figures (model, bound, &figures);
  g_assert_true (gilk_plan_model_status_changed (model, 0));
  g_assert_false (gilk_plan_model_status_changed (model, 1));
  figures.state = GILK_RUN_DONE;      /* the end of the run does not change the row, because the
                                       * hook was not live before */
  gilk_plan_model_update_figures (model, bound, &figures);
  g_assert_false (gilk_plan_model_status_changed (model, 0));

  gilk_plan_model_set_bound (model, NULL);
  g_assert_true (gilk_plan_model_status_changed (model, 0));
  g_assert_true (gilk_plan_model_status_changed (model, 1));
  g_array_unref (bound->hooks);
}

static void
test_programs (void)
{
  g_autoptr(GilkPlanModel) model = gilk_plan_model_new ();
  g_autoptr(GPtrArray) more = g_ptr_array_new_with_free_func ((GDestroyNotify) gilk_plan_hook_unref);
  const GilkPlan *plan;

  add_hook (model, "+0x10", GILK_WHERE_PRE);
  gilk_plan_model_set_code (model, 0, "count();");
  gilk_plan_model_set_code (model, 0, "count();");             /* no change, hence no undo step */
  plan = gilk_plan_model_plan (model);
  g_assert_true (gilk_plan_model_hook (model, 0)->is_program);
  g_assert_cmpstr (gilk_plan_hook_code (plan, gilk_plan_model_hook (model, 0)), ==, "count();");
  g_assert_true (gilk_plan_check_programs (plan, NULL));
  gilk_plan_model_set_code (model, 0, "sample(pid);");
  g_assert_cmpuint (plan->programs->len, ==, 1);

  gilk_plan_model_undo (model);
  plan = gilk_plan_model_plan (model);
  g_assert_cmpstr (gilk_plan_hook_code (plan, gilk_plan_model_hook (model, 0)), ==, "count();");
  gilk_plan_model_set_instrument (model, 0, "stamp");
  g_assert_false (gilk_plan_model_hook (model, 0)->is_program);
  g_assert_cmpuint (plan->programs->len, ==, 0);      /* the program is removed with its last
                                                       * hook */

  g_ptr_array_add (more, gilk_plan_hook_new ("p", "f", GILK_WHERE_PRE, "count"));
  g_ptr_array_add (more, gilk_plan_hook_new ("q", "f", GILK_WHERE_POST, "count"));
  gilk_plan_model_add_many (model, more, "once;");
  plan = gilk_plan_model_plan (model);
  g_assert_cmpuint (gilk_plan_model_n_hooks (model), ==, 3);
  for (guint i = 1; i < 3; i++)
    g_assert_cmpstr (gilk_plan_hook_code (plan, gilk_plan_model_hook (model, i)), ==, "once;");
  gilk_plan_model_undo (model);
  plan = gilk_plan_model_plan (model);
  g_assert_cmpuint (gilk_plan_model_n_hooks (model), ==, 1);
  g_assert_cmpuint (plan->programs->len, ==, 0);
}

/* Tests that watchpoints can be added and changed, that these edits can be undone, that invalid
 * text changes nothing, and that a watchpoint keeps its instrument. */
static void
test_watches (void)
{
  g_autoptr(GilkPlanModel) model = gilk_plan_model_new ();
  g_autoptr(GError) error = NULL;
  g_autofree char *label = NULL;
  guint changes = 0;

  g_signal_connect (model, "changed", G_CALLBACK (count_signal), &changes);
  g_assert_cmpint (gilk_plan_model_add_watchpoint (model, "jiffies_64:w3", &error), ==, -1);
  g_assert_nonnull (error);
  g_assert_cmpuint (changes, ==, 0);
  g_assert_cmpint (gilk_plan_model_add_watchpoint (model, "jiffies_64:w", NULL), ==, 0);
  label = g_strdup (gilk_plan_model_hook (model, 0)->label);
  gilk_plan_model_set_times (model, 0, 5, 9);
  g_assert_false (gilk_plan_model_set_watchpoint (model, 0, "jiffies_64", NULL));
  g_assert_true (gilk_plan_model_set_watchpoint (model, 0, "jiffies_64:w", NULL));  /* no change */
  g_assert_cmpuint (changes, ==, 2);
  g_assert_true (gilk_plan_model_set_watchpoint (model, 0, "total_forks:rw4,limit=500", NULL));
  g_assert_cmpstr (gilk_plan_model_hook (model, 0)->function, ==, "total_forks");
  g_assert_cmpstr (gilk_plan_model_hook (model, 0)->label, ==, label);
  g_assert_cmpuint (gilk_plan_model_hook (model, 0)->stop_ns, ==, 9);
  gilk_plan_model_set_instrument (model, 0, "stamp");
  g_assert_nonnull (gilk_plan_model_hook (model, 0)->watch);
  g_assert_cmpint (gilk_plan_model_find (model, "total_forks", NULL, 0, GILK_WHERE_POST), ==, -1);

  gilk_plan_model_undo (model);
  g_assert_cmpstr (gilk_plan_model_hook (model, 0)->function, ==, "jiffies_64");
  gilk_plan_model_undo (model);
  gilk_plan_model_undo (model);
  g_assert_cmpuint (gilk_plan_model_n_hooks (model), ==, 0);
  gilk_plan_model_redo (model);
  g_assert_cmpuint (gilk_plan_model_n_hooks (model), ==, 1);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/gui/plan-model/find", test_find);
  g_test_add_func ("/gui/plan-model/undo", test_undo);
  g_test_add_func ("/gui/plan-model/params", test_params);
  g_test_add_func ("/gui/plan-model/times", test_times);
  g_test_add_func ("/gui/plan-model/many", test_many);
  g_test_add_func ("/gui/plan-model/follow", test_follow);
  g_test_add_func ("/gui/plan-model/in-turn", test_in_turn);
  g_test_add_func ("/gui/plan-model/blocks", test_blocks);
  g_test_add_func ("/gui/plan-model/replace", test_replace);
  g_test_add_func ("/gui/plan-model/fresh", test_fresh);
  g_test_add_func ("/gui/plan-model/programs", test_programs);
  g_test_add_func ("/gui/plan-model/watches", test_watches);

  return g_test_run ();
}

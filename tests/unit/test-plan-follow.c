/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test-plan-follow.c - tests that hooks that start when another hook stops are parsed, written and
 * resolved, even in the largest plan; a refusal has a reason
 */
#include <string.h>

#include "core/base/gilk-error.h"
#include "core/plan/gilk-plan-schedule.h"

#define S      G_GUINT64_CONSTANT (1000000000)
#define HEAD   "[gilk-plan]\nversion=2\n"
#define PLACE  "function=vfs_read\nanchor=entry\nwhere=pre\ninstrument=count\n"
#define A(times) "\n[hook a]\n" PLACE times
#define B(times) "\n[hook b]\n" PLACE times
#define C(times) "\n[hook c]\n" PLACE times

static GilkPlan *
parse_plan (const char *text, GError **error)
{
  return gilk_plan_parse (text, strlen (text), "x.plan", error);
}

static GilkPlanHook *
hook_at (GilkPlan *plan, guint index)
{
  return g_ptr_array_index (plan->hooks, index);
}

static void
assert_times (GilkPlan *plan, guint index, uint64_t start_ns, uint64_t stop_ns)
{
  g_assert_cmpuint (hook_at (plan, index)->start_ns, ==, start_ns);
  g_assert_cmpuint (hook_at (plan, index)->stop_ns, ==, stop_ns);
}

/* Tests that hooks can be listed in any order, and that writing reproduces the text. */
static void
test_chain (void)
{
  const char *text = HEAD C ("start=after b + 500ms\n") B ("start=after a\nstop=+2s\n") A ("start=1s\nstop=3s\n");
  g_autoptr(GilkPlan) plan = parse_plan (text, NULL);
  g_autoptr(GilkPlan) copy = gilk_plan_copy (plan);
  g_autofree char *again = gilk_plan_to_text (copy);

  assert_times (plan, 0, 5500 * S / 1000, 0);
  assert_times (plan, 1, 3 * S, 5 * S);
  g_assert_cmpstr (again, ==, text);
}

/* Tests that moving a hook's stop time moves its followers, the hooks that start at that time. The
 * followers keep their durations, and the plan keeps its comments. */
static void
test_moved (void)
{
  const char *text = HEAD A ("start=1s\nstop=3s\n") "\n# Behind it.\n[hook b]\n" PLACE "start=after  a\n# Two.\nstop=+2s\n";
  const char *moved = HEAD A ("start=1s\nstop=4s\n") "\n# Behind it.\n[hook b]\n" PLACE "start=after  a\n# Two.\nstop=+2s\n";
  g_autoptr(GilkPlan) plan = parse_plan (text, NULL);
  g_autoptr(GilkPlan) before = gilk_plan_share (plan);
  g_autofree char *over = NULL;

  gilk_plan_edit_hook (plan, 0)->stop_ns = 4 * S;
  g_assert_true (gilk_plan_compute_starts (plan, NULL));
  assert_times (plan, 1, 4 * S, 6 * S);
  assert_times (before, 1, 3 * S, 5 * S);
  over = gilk_plan_to_text_like (plan, text, strlen (text));
  g_assert_cmpstr (over, ==, moved);
}

/* Tests that if a hook is removed, or never stops, the hooks that started after it keep their start
 * times. */
static void
test_loosened (void)
{
  g_autoptr(GilkPlan) plan = parse_plan (HEAD A ("start=0s\nstop=3s\n") B ("start=after a\nstop=+2s\n") C ("start=after b\n"), NULL);
  g_autoptr(GilkPlan) again = NULL;
  g_autofree char *text = NULL;

  g_ptr_array_remove_index (plan->hooks, 0);
  text = gilk_plan_to_text (plan);
  again = parse_plan (text, NULL);
  g_assert_null (hook_at (again, 0)->leader);
  g_assert_cmpstr (hook_at (again, 1)->leader, ==, "b");
  assert_times (again, 0, 3 * S, 5 * S);
  assert_times (again, 1, 5 * S, 0);
  gilk_plan_compute_or_detach (plan);
  g_assert_null (hook_at (plan, 0)->leader);
  hook_at (plan, 0)->stop_ns = 0;
  gilk_plan_compute_or_detach (plan);
  g_assert_null (hook_at (plan, 1)->leader);
  assert_times (plan, 1, 5 * S, 0);
}

static void
test_refused (void)
{
  const struct { const char *text, *says; } cases[] = {
    { HEAD A ("start=after d\n"), "after d, which is not in the plan. Name" },
    { HEAD A ("start=0s\n") B ("start=after a\n"), "a, which stays armed until the run ends, by time or by a condition. Give a" },
    { HEAD A ("start=after a\nstop=+1s\n"), "circle, so none ever starts: a → a. Give" },
    { HEAD A ("start=after b\nstop=+1s\n") B ("start=after c\nstop=+1s\n") C ("start=after b\nstop=+1s\n"), "b → c → b" },
    { HEAD A ("stop=1s\n") B ("start=after a\nstop=9s\n"), "Write how long the hook stays armed, such as +2s" },
    { HEAD A ("start=1s\nstop=+1s\n"), "is relative to its start" },
    { HEAD A ("stop=1s\n") B ("start=after a\nstop=+0s\n"), "not after its start" },
    { HEAD A ("stop=1s\n") B ("start=after a + \n"), "not a duration" },
    { HEAD A ("stop=1s\n") B ("start=after a b\n"), "names no hook" },
    { HEAD A ("stop=1s\n") B ("start=after\n"), "names no hook" },
    { HEAD A ("stop=2500000h\n") B ("start=after a + 2500000h\n"), "after the end of the longest possible run" },
    { HEAD "interleave=100ms\n" A ("stop=1s\ncontrol=yes\n") B ("start=after a\n"), "switched off and on" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr(GError) error = NULL;
      g_autoptr(GilkPlan) plan = parse_plan (cases[i].text, &error);

      g_assert_null (plan);
      g_assert_error (error, GILK_ERROR, GILK_ERROR_FORMAT);
      if (strstr (error->message, cases[i].says) == NULL)
        g_error ("%s", error->message);
    }
}

/* Tests that a hook that would start after the end of the run is refused, whether it follows
 * another hook or not. */
static void
test_late (void)
{
  g_autoptr(GilkPlan) plan = parse_plan (HEAD A ("stop=9s\n") B ("start=after a + 1s\n"), NULL);
  g_autoptr(GError) error = NULL;

  g_assert_true (gilk_plan_check_schedule (plan, 11 * S, NULL));
  g_assert_false (gilk_plan_check_schedule (plan, 10 * S, &error));
  g_assert_nonnull (strstr (error->message, "starts at 10s, after the run of 10s has ended"));
}

/* Tests that the longest chain a plan can have, in either order, and a cycle of all hooks are
 * resolved without recursion that could overflow the stack. */
static void
test_many (void)
{
  g_autoptr(GilkPlan) plan = gilk_plan_new ();
  g_autoptr(GError) error = NULL;
  const guint n = 50000;
  gint64 began;

  for (guint i = 0; i < n; i++)
    {
      g_autofree char *label = g_strdup_printf ("h%u", i);
      g_autofree char *leader = g_strdup_printf ("h%u", i + 1);
      GilkPlanHook *hook = gilk_plan_hook_new (label, "vfs_read", GILK_WHERE_PRE, "count");

      hook->stop_ns = 1000;
      gilk_plan_hook_set_leader (hook, i + 1 < n ? leader : NULL, 0);
      g_ptr_array_add (plan->hooks, hook);
    }
  began = g_get_monotonic_time ();
  g_assert_true (gilk_plan_compute_starts (plan, NULL));
  g_test_message ("%u hooks in a chain: %" G_GINT64_FORMAT " us", n, g_get_monotonic_time () - began);
  assert_times (plan, 0, (n - 1) * 1000, n * 1000);
  gilk_plan_hook_set_leader (hook_at (plan, n - 1), "h0", 0);
  g_assert_false (gilk_plan_compute_starts (plan, &error));
  g_assert_nonnull (strstr (error->message, "h7 → h8 → … → h0."));
  gilk_plan_compute_or_detach (plan);
  g_assert_null (hook_at (plan, n - 1)->leader);
  g_assert_true (gilk_plan_compute_starts (plan, NULL));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/plan-follow/chain", test_chain);
  g_test_add_func ("/plan-follow/moved", test_moved);
  g_test_add_func ("/plan-follow/loosened", test_loosened);
  g_test_add_func ("/plan-follow/refused", test_refused);
  g_test_add_func ("/plan-follow/late", test_late);
  g_test_add_func ("/plan-follow/many", test_many);

  return g_test_run ();
}

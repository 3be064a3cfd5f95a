/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test-plan-history.c - tests that the stored history of a plan is restored unchanged, or not at
 * all
 */
#include "core/plan/gilk-plan-history.h"

static GilkPlan *
plan_of (guint hooks)
{
  GilkPlan *plan = gilk_plan_new ();

  for (guint i = 0; i < hooks; i++)
    {
      g_autofree char *label = g_strdup_printf ("h%u", i);
      GilkPlanHook *hook = gilk_plan_hook_new (label, "f", GILK_WHERE_PRE, "count");

      hook->block = g_strdup_printf ("+0x%x", i);
      g_ptr_array_add (plan->hooks, hook);
    }

  return plan;
}

static GilkPlanHistory *
history_of (guint steps, guint hooks)
{
  g_autoptr(GPtrArray) undo = g_ptr_array_new_with_free_func ((GDestroyNotify) gilk_plan_unref);
  g_autoptr(GPtrArray) redo = g_ptr_array_new_with_free_func ((GDestroyNotify) gilk_plan_unref);
  GilkPlanHistory *history = gilk_plan_history_new ();

  for (guint i = 0; i < steps; i++)
    g_ptr_array_add (undo, plan_of (hooks + i));
  g_ptr_array_add (redo, plan_of (hooks));
  gilk_plan_history_set_steps (history, undo, redo);

  return history;
}

static void
test_again (void)
{
  g_autoptr(GilkPlanHistory) history = history_of (3, 0);
  g_autoptr(GilkPlanHistory) again = NULL;
  g_autoptr(GBytes) bytes = NULL;
  g_autoptr(GError) error = NULL;

  history->file = g_strdup ("/tmp/a b.plan");
  bytes = gilk_plan_history_pack (history, "text");
  again = gilk_plan_history_read (bytes, "text", &error);
  g_assert_no_error (error);
  g_assert_cmpstr (again->file, ==, "/tmp/a b.plan");
  g_assert_cmpuint (again->undo->len, ==, 3);
  g_assert_cmpuint (again->redo->len, ==, 1);
  for (guint i = 0; i < 3; i++)
    g_assert_cmpuint (((GilkPlan *) again->undo->pdata[i])->hooks->len, ==, i);
}

/* Tests that the history contains only the most recent undo steps. */
static void
test_bounds (void)
{
  g_autoptr(GilkPlanHistory) many = history_of (2 * GILK_PLAN_HISTORY_STEPS, 0);
  g_autoptr(GilkPlanHistory) large = history_of (3, GILK_PLAN_HISTORY_HOOKS / 2 - 2);

  g_assert_cmpuint (many->undo->len, ==, GILK_PLAN_HISTORY_STEPS);
  g_assert_cmpuint (((GilkPlan *) many->undo->pdata[0])->hooks->len, ==, GILK_PLAN_HISTORY_STEPS);
  g_assert_cmpuint (large->undo->len, ==, 2);
}

static void
expect_refused (GBytes *bytes, const char *text)
{
  g_autoptr(GError) error = NULL;

  g_assert_null (gilk_plan_history_read (bytes, text, &error));
  g_assert_nonnull (error);
}

/* Tests that a history that belongs to another plan, is truncated or has a corrupt byte is refused
 * or read, but never causes a crash. */
static void
test_damaged (void)
{
  g_autoptr(GilkPlanHistory) history = history_of (2, 1);
  g_autoptr(GBytes) bytes = gilk_plan_history_pack (history, "text");
  gsize size;
  const uint8_t *data = g_bytes_get_data (bytes, &size);

  expect_refused (bytes, "another");
  for (gsize length = 0; length < size; length += 7)
    {
      g_autoptr(GBytes) cut = g_bytes_new (data, length);

      expect_refused (cut, "text");
    }
  for (gsize i = 0; i < size; i++)
    {
      uint8_t *copy = g_memdup2 (data, size);
      g_autoptr(GBytes) spoilt = NULL;
      g_autoptr(GilkPlanHistory) read = NULL;

      copy[i] ^= 0x80;
      spoilt = g_bytes_new_take (copy, size);
      read = gilk_plan_history_read (spoilt, "text", NULL);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/history/again", test_again);
  g_test_add_func ("/history/bounds", test_bounds);
  g_test_add_func ("/history/damaged", test_damaged);

  return g_test_run ();
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test-plan-text.c - tests that saving keeps the text of a plan file wherever the plan is unchanged
 */
#include <glib/gstdio.h>
#include <string.h>

#include "core/plan/gilk-plan.h"

static const char file[] =
  "# Of the pipes.\n"
  "\n"
  "[gilk-plan]\n"
  "# Which format.\n"
  "version = 2\n"
  "\n"
  "# ---- writers ----\n"
  "\n"
  "# The slow one.\n"
  "[hook b]\n"
  "instrument=count\n"
  "  # where it sleeps\n"
  "function=pipe_write\n"
  "anchor=entry\n"
  "where = pre\n"
  "start=0\n"
  "stop=1500ms\n"
  "# long enough\n"
  "\n"
  "[program large]\n"
  "code=sample(1)\n"
  "\n"
  "# ---- readers ----\n"
  "\n"
  "# The other one.\n"
  "[hook a]\n"
  "function=pipe_read\n"
  "anchor=entry\n"
  "where=pre\n"
  "tactic=auto\n"
  "program=large\n"
  "\n"
  "# The end.\n";

static GilkPlan *
load_plan (void)
{
  g_autoptr(GError) error = NULL;
  GilkPlan *plan = gilk_plan_parse (file, strlen (file), "x.plan", &error);

  g_assert_no_error (error);
  return plan;
}

/* Returns: (transfer full): @file with the first occurrence of @was replaced with @is */
static char *
replace_in_file (const char *was, const char *is)
{
  const char *at = strstr (file, was);

  g_assert_nonnull (at);
  return g_strdup_printf ("%.*s%s%s", (int) (at - file), file, is, at + strlen (was));
}

static void
check_text (const GilkPlan *plan, const char *wanted)
{
  g_autofree char *text = gilk_plan_to_text_like (plan, file, strlen (file));

  g_assert_cmpstr (text, ==, wanted);
}

static void
test_same (void)
{
  g_autoptr(GilkPlan) plan = load_plan ();

  check_text (plan, file);
}

static void
test_keys (void)
{
  g_autoptr(GilkPlan) plan = load_plan ();
  GilkPlanHook *slow = gilk_plan_edit_hook (plan, 0);
  g_autofree char *later = replace_in_file ("stop=1500ms\n", "stop=2s\n");
  g_autofree char *never = replace_in_file ("stop=1500ms\n", "");
  g_autofree char *trap = replace_in_file ("tactic=auto\n", "tactic=trap\n");
  g_autofree char *titled = replace_in_file ("version = 2\n", "version = 2\ntitle=Pipes\n");

  slow->stop_ns = 2000000000;
  check_text (plan, later);
  slow->stop_ns = 0;
  check_text (plan, never);
  slow->stop_ns = 1500000000;
  gilk_plan_edit_hook (plan, 1)->tactic = ILK_TACTIC_TRAP;
  check_text (plan, trap);
  gilk_plan_edit_hook (plan, 1)->tactic = ILK_TACTIC_NONE;
  plan->title = g_strdup ("Pipes");
  check_text (plan, titled);
}

/* Tests that removing a hook also removes the comments attached to it, but no other comments. */
static void
test_less (void)
{
  g_autoptr(GilkPlan) plan = load_plan ();
  g_autofree char *wanted = replace_in_file ("\n# The slow one.\n[hook b]\ninstrument=count\n  # where it sleeps\nfunction=pipe_write\n"
                                             "anchor=entry\nwhere = pre\nstart=0\nstop=1500ms\n# long enough\n", "");

  g_ptr_array_remove_index (plan->hooks, 0);
  check_text (plan, wanted);
}

#define MORE(label, function) "\n[hook " label "]\nfunction=" function "\nblock=+0x0\nwhere=pre\ninstrument=count\nstart=0s\n"

static void
test_more (void)
{
  g_autoptr(GilkPlan) plan = load_plan ();
  g_autofree char *between = replace_in_file ("# long enough\n", "# long enough\n" MORE ("c", "f"));
  g_autofree char *first = replace_in_file ("\n# The slow one.", MORE ("c", "f") "\n# The slow one.");
  g_autofree char *program = replace_in_file ("code=sample(1)\n", "code=sample(1)\n\n[program more]\ncode=sample(2)\n");

  g_ptr_array_insert (plan->hooks, 1, gilk_plan_hook_new ("c", "f", GILK_WHERE_PRE, "count"));
  check_text (plan, between);
  g_ptr_array_insert (plan->hooks, 0, g_ptr_array_steal_index (plan->hooks, 1));
  check_text (plan, first);
  g_ptr_array_remove_index (plan->hooks, 0);
  gilk_plan_add_program (plan, "more", "sample(2)");
  check_text (plan, program);
}

/* Tests that comments move with their hooks. */
static void
test_order (void)
{
  g_autoptr(GilkPlan) plan = load_plan ();
  g_autoptr(GilkPlan) back = NULL;
  g_autofree char *text = NULL;

  g_ptr_array_insert (plan->hooks, 0, g_ptr_array_steal_index (plan->hooks, 1));
  text = gilk_plan_to_text_like (plan, file, strlen (file));
  g_assert_true (strstr (text, "# The other one.\n[hook a]\n") < strstr (text, "# The slow one.\n[hook b]\n"));
  back = gilk_plan_parse (text, strlen (text), "y.plan", NULL);
  g_assert_cmpstr (((GilkPlanHook *) g_ptr_array_index (back->hooks, 0))->label, ==, "a");
}

/* Tests that saving a plan writes all of it, even if another program has replaced the text of the
 * file. */
static void
test_other_files (void)
{
  static const char *const others[] = {
    "", "no plan", "[gilk-plan]\nversion=1\n", "[gilk-plan]\nversion=2\n# no end of line", "[gilk-plan]\r\nversion=2\r\n",
    "[gilk-plan]\nversion=2\nring=1M\n[program x]\ncode=sample(7)\n[hook b]\nfunction=g\nanchor=return\nwhere=post\nprogram=x\n",
  };
  g_autoptr(GilkPlan) plan = load_plan ();
  g_autofree char *wanted = gilk_plan_to_text (plan);

  for (guint i = 0; i < G_N_ELEMENTS (others); i++)
    {
      g_autofree char *text = gilk_plan_to_text_like (plan, others[i], strlen (others[i]));
      g_autoptr(GilkPlan) back = gilk_plan_parse (text, strlen (text), "y.plan", NULL);
      g_autofree char *again = gilk_plan_to_text (back);

      g_assert_cmpstr (again, ==, wanted);
    }
}

static void
test_hostile (void)
{
  g_autoptr(GilkPlan) plan = load_plan ();
  g_autofree char *wanted = gilk_plan_to_text (plan);

  for (guint round = 0; round < 1000; round++)
    {
      gsize length = (gsize) g_test_rand_int_range (0, (int) sizeof file);
      g_autofree char *bytes = g_memdup2 (file, sizeof file);
      g_autoptr(GilkPlan) back = NULL;
      g_autofree char *text = NULL, *again = NULL;

      for (int n = g_test_rand_int_range (0, 3); n > 0; n--)
        bytes[g_test_rand_int_range (0, (int) sizeof file)] = (char) g_test_rand_int_range (1, 127);
      text = gilk_plan_to_text_like (plan, bytes, length);
      back = gilk_plan_parse (text, strlen (text), "y.plan", NULL);
      again = gilk_plan_to_text (back);
      g_assert_cmpstr (again, ==, wanted);
    }
}

static void
test_save (void)
{
  g_autofree char *dir = g_dir_make_tmp ("gilk-plan-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (dir, "a.plan", NULL), *copy = g_build_filename (dir, "b.plan", NULL);
  g_autofree char *text = NULL, *copied = NULL, *fresh = NULL;
  g_autoptr(GilkPlan) plan = load_plan ();
  g_autoptr(GError) error = NULL;

  g_assert_true (g_file_set_contents (path, file, -1, NULL));
  g_assert_true (gilk_plan_save_like (plan, path, path, &error));
  g_assert_true (gilk_plan_save_like (plan, copy, path, &error));
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL) && g_file_get_contents (copy, &copied, NULL, NULL));
  g_assert_cmpstr (text, ==, file);
  g_assert_cmpstr (copied, ==, file);
  g_assert_true (gilk_plan_save_like (plan, copy, NULL, &error));
  g_assert_true (g_file_get_contents (copy, &fresh, NULL, NULL));
  g_assert_null (strchr (fresh, '#'));
  g_assert_cmpint (g_remove (path) | g_remove (copy) | g_rmdir (dir), ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/plan-text/same", test_same);
  g_test_add_func ("/plan-text/keys", test_keys);
  g_test_add_func ("/plan-text/less", test_less);
  g_test_add_func ("/plan-text/more", test_more);
  g_test_add_func ("/plan-text/order", test_order);
  g_test_add_func ("/plan-text/other-files", test_other_files);
  g_test_add_func ("/plan-text/hostile", test_hostile);
  g_test_add_func ("/plan-text/save", test_save);

  return g_test_run ();
}

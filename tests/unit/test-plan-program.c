/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test-plan-program.c - tests that programs in plans are parsed, written and copied; a refusal
 * names the group and the remedy
 */
#include <string.h>

#include "core/base/gilk-error.h"
#include "core/plan/gilk-plan.h"
#include "core/program/gilk-program.h"

static const char example[] =
  "[gilk-plan]\n"
  "version=2\n"
  "\n"
  "[program large]\n"
  "code=if (count > 4096)\\n\tsample(pid, path = \"a\\\\b\")\n"
  "\n"
  "[program nobody]\n"
  "code=count()\n"
  "\n"
  "[hook writes]\n"
  "function=vfs_write\n"
  "anchor=entry\n"
  "where=pre\n"
  "program=large\n"
  "start=0s\n"
  "\n"
  "[hook reads]\n"
  "function=vfs_read\n"
  "anchor=entry\n"
  "where=pre\n"
  "program=large\n"
  "start=0s\n"
  "tactic=trap\n"
  "\n"
  "[hook both]\n"
  "function=vfs_read\n"
  "anchor=entry\n"
  "where=pre\n"
  "instrument=count\n"
  "start=0s\n";

static const GilkPlanHook *
hook_at (const GilkPlan *plan, guint i)
{
  return g_ptr_array_index (plan->hooks, i);
}

static void
test_reads (void)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(GilkPlan) plan = gilk_plan_parse (example, strlen (example), "x.plan", &error);

  g_assert_no_error (error);
  g_assert_cmpuint (plan->programs->len, ==, 2);
  g_assert_cmpstr (gilk_plan_program (plan, "large")->code, ==, "if (count > 4096)\n\tsample(pid, path = \"a\\b\")");
  g_assert_null (gilk_plan_program (plan, "small"));
  g_assert_true (hook_at (plan, 0)->is_program && hook_at (plan, 1)->is_program && !hook_at (plan, 2)->is_program);
  g_assert_cmpstr (hook_at (plan, 1)->instrument, ==, "large");
  g_assert_cmpstr (gilk_plan_hook_code (plan, hook_at (plan, 1)), ==, gilk_plan_program (plan, "large")->code);
  g_assert_null (gilk_plan_hook_code (plan, hook_at (plan, 2)));
}

/* Tests that parsing a plan and writing a copy of it reproduces the text. */
static void
test_round_trip (void)
{
  g_autoptr(GilkPlan) plan = gilk_plan_parse (example, strlen (example), "x.plan", NULL);
  g_autoptr(GilkPlan) copy = gilk_plan_copy (plan);
  g_autofree char *text = gilk_plan_to_text (copy);

  g_assert_cmpstr (text, ==, example);
}

/* Tests programs with leading or trailing blanks, or with characters that key files escape. */
static void
test_texts (void)
{
  static const char *const texts[] = {
    " count()", "count();\n\n", "\tif (arg0) ;", "x = 'a\\n'", "[hook a]\n#no comment", "sample(\xc3\xa4 = 1)", "a=b;c\\s",
  };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autoptr(GilkPlan) plan = gilk_plan_new ();
      g_autoptr(GilkPlan) again = NULL;
      g_autoptr(GError) error = NULL;
      g_autofree char *text = NULL;

      gilk_plan_add_program (plan, "p", texts[i]);
      text = gilk_plan_to_text (plan);
      again = gilk_plan_parse (text, strlen (text), "x.plan", &error);
      g_assert_no_error (error);
      g_assert_cmpstr (gilk_plan_program (again, "p")->code, ==, texts[i]);
    }
}

/* Tests that names that are invalid, too long or already used by a program or instrument are
 * replaced with unique names. */
static void
test_names (void)
{
  static const char *const like[] = {
    "a", "a", "a", "count", "f [mod]", "", "abcdefghijklmnopqrstuvwxyz-0123456789", "abcdefghijklmnopqrstuvwxyz-0123456789",
  };
  static const char *const names[] = {
    "a", "a-2", "a-3", "count-2", "f__mod_", "-2", "abcdefghijklmnopqrstuvwxyz-0123", "abcdefghijklmnopqrstuvwxyz-01-2",
  };
  g_autoptr(GilkPlan) plan = gilk_plan_new ();

  for (guint i = 0; i < G_N_ELEMENTS (like); i++)
    g_assert_cmpstr (gilk_plan_add_program (plan, like[i], "count()"), ==, names[i]);
}

/* ---- tests of refused plans, and of changing the code of hooks ---- */

#define PLAN "[gilk-plan]\nversion=2\n"
#define HOOK "[hook a]\nfunction=f\nanchor=entry\nwhere=pre\n"

typedef struct {
  const char *name, *text, *told;
} Refusal;

static const Refusal refusals[] = {
  { "missing", PLAN HOOK "program=p\n", "x.plan, [gilk-plan]: Hook a has program=p, but there is no [program p]" },
  { "both", PLAN HOOK "program=p\ninstrument=count\n[program p]\ncode=count()\n",
    "x.plan, [hook a]: The hook has both instrument= and program=" },
  { "neither", PLAN HOOK, "x.plan, [hook a]: instrument= is missing" },
  { "as-instrument", PLAN HOOK "instrument=p\n[program p]\ncode=count()\n",
    "but the plan also has a program of that name" },
  { "parameters", PLAN HOOK "program=p\nparam.every=2\n[program p]\ncode=count()\n", "but programs take none" },
  { "no-code", PLAN "[program p]\n", "x.plan, [program p]: code= is missing" },
  { "empty", PLAN "[program p]\ncode=\n", "x.plan, [program p]: The program is empty. Write at least count()" },
  { "other-key", PLAN "[program p]\ncode=count()\nwhere=pre\n", "Unknown key where=. Known keys are code" },
  { "control", PLAN "[program p]\ncode=count()\x01\n", "[program p]: The program contains a control character" },
  { "twice", PLAN "[program p]\ncode=count()\n[program p]\ncode=count()\n", "line 5: Duplicate group [program p]" },
  { "inline-name", PLAN "[program stamp]\ncode=count()\n", "A program's name consists of" },
  { "long-name", PLAN "[program abcdefghijklmnopqrstuvwxyz012345]\ncode=count()\n", "at most 31" },
  { "bad-name", PLAN HOOK "program=p q\n", "program=p q is not a program's name" },
  { "trigger", "[gilk-plan]\nversion=2\nring-mode=overwrite\n" HOOK "program=p\ntrigger=1s\n[program p]\ncode=count()\n",
    "has a trigger, but not the instrument count" },
};

static void
test_refusal (gconstpointer data)
{
  const Refusal *r = data;
  g_autoptr(GError) error = NULL;

  g_assert_null (gilk_plan_parse (r->text, strlen (r->text), "x.plan", &error));
  g_assert_error (error, GILK_ERROR, GILK_ERROR_FORMAT);
  if (strstr (error->message, r->told) == NULL)
    g_error ("%s: %s", r->name, error->message);
}

static void
test_too_long (void)
{
  g_autofree char *code = g_strnfill (GILK_PROGRAM_TEXT_MAX + 1, 'x');
  g_autofree char *text = g_strconcat (PLAN "[program p]\ncode=", code, "\n", NULL);
  g_autoptr(GError) error = NULL;

  g_assert_null (gilk_plan_parse (text, strlen (text), "x.plan", &error));
  g_assert_error (error, GILK_ERROR, GILK_ERROR_FORMAT);
  g_assert_nonnull (strstr (error->message, "longer than 16384 bytes"));
}

static GilkPlanHook *
add_hook (GilkPlan *plan, const char *label, const char *instrument)
{
  GilkPlanHook *hook = gilk_plan_hook_new (label, "vfs_write", GILK_WHERE_PRE, instrument);

  g_ptr_array_add (plan->hooks, hook);

  return hook;
}

/* Tests that setting a hook's code adds a program; hooks with equal code share one program; unused
 * programs and parameters are removed. */
static void
test_set_code (void)
{
  g_autoptr(GilkPlan) plan = gilk_plan_new ();
  GilkPlanHook *a = add_hook (plan, "a", "template"), *b = add_hook (plan, "b", "count");

  g_hash_table_insert (a->params, g_strdup ("every"), g_strdup ("2"));
  gilk_plan_set_code (plan, a, "count()");
  g_assert_true (a->is_program);
  g_assert_cmpuint (g_hash_table_size (a->params), ==, 0);
  gilk_plan_set_code (plan, b, "sample(cpu)");
  g_assert_cmpuint (plan->programs->len, ==, 2);
  g_assert_cmpuint (gilk_plan_count_program_users (plan, a->instrument), ==, 1);

  g_free (b->instrument);
  b->instrument = g_strdup (a->instrument);
  gilk_plan_remove_unused_programs (plan);
  g_assert_cmpuint (plan->programs->len, ==, 1);
  g_assert_cmpuint (gilk_plan_count_program_users (plan, a->instrument), ==, 2);
  gilk_plan_set_code (plan, b, "sample(pid)");
  g_assert_cmpstr (gilk_plan_hook_code (plan, a), ==, "sample(pid)");
  g_assert_true (gilk_plan_check_programs (plan, NULL));

  g_ptr_array_set_size (plan->hooks, 0);
  gilk_plan_remove_unused_programs (plan);
  g_assert_cmpuint (plan->programs->len, ==, 0);
}

/* Tests removing all unused programs of a plan with many programs. */
static void
test_many (void)
{
  g_autoptr(GilkPlan) plan = gilk_plan_new ();

  for (guint i = 0; i < ILK_BATCH_MAX; i++)
    add_hook (plan, "a", i % 2 == 0 ? "p" : "count")->is_program = i % 2 == 0;
  for (guint i = 0; i < ILK_BATCH_MAX; i++)
    {
      g_autofree char *name = g_strdup_printf ("q%u", i);

      gilk_plan_add_program (plan, i == ILK_BATCH_MAX / 2 ? "p" : name, "count()");
    }
  gilk_plan_remove_unused_programs (plan);
  g_assert_cmpuint (plan->programs->len, ==, 1);
  g_assert_nonnull (gilk_plan_program (plan, "p"));
  g_assert_null (gilk_plan_program (plan, "q0"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/plan-program/reads", test_reads);
  g_test_add_func ("/plan-program/round-trip", test_round_trip);
  g_test_add_func ("/plan-program/texts", test_texts);
  g_test_add_func ("/plan-program/names", test_names);
  g_test_add_func ("/plan-program/too-long", test_too_long);
  g_test_add_func ("/plan-program/set-code", test_set_code);
  g_test_add_func ("/plan-program/many", test_many);
  for (gsize i = 0; i < G_N_ELEMENTS (refusals); i++)
    {
      g_autofree char *path = g_strconcat ("/plan-program/refused/", refusals[i].name, NULL);

      g_test_add_data_func (path, &refusals[i], test_refusal);
    }

  return g_test_run ();
}

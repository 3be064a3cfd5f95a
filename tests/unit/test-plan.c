/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test-plan.c - tests that a plan is read exactly as written, or refused with a message that names
 * the file, the group and the remedy
 */
#include <stdio.h>
#include <string.h>

#include "core/base/gilk-error.h"
#include "core/plan/gilk-plan.h"

#define HEAD "[gilk-plan]\nversion=1\n"
#define HOOK HEAD "[hook a]\nfunction=pipe_write\nblock=+0x2b1\nwhere=pre\ninstrument=task\n"

static const char example[] =
  "[gilk-plan]\n"
  "version=2\n"
  "title=Who sleeps in the pipe\n"
  "kernel=6.1.0-56-amd64\n"
  "build-id=8d3ac9c0e1b1f6c5\n"
  "ring=256K\n"
  "ring-mode=overwrite\n"
  "ring-window=2.5s\n"
  "\n"
  "[hook writer-sleeps]\n"
  "function=pipe_write\n"
  "block=+0x2b1\n"
  "where=pre\n"
  "fingerprint=0c5de2a7718ce301:9f31c02b77d0a4e1\n"
  "instrument=task\n"
  "start=1.5s\n"
  "stop=15s\n"
  "param.depth=3\n"
  "param.every=1\n"
  "tactic=trap\n"
  "\n"
  "[hook reader]\n"
  "function=pipe_read [pipes]\n"
  "anchor=call:schedule#2\n"
  "where=post\n"
  "instrument=count\n"
  "start=0s\n"
  "trigger=20ms\n";

static const char switched[] =
  "[gilk-plan]\n"
  "version=2\n"
  "interleave=20ms,42\n"
  "\n"
  "[hook seldom]\n"
  "function=f\n"
  "anchor=entry\n"
  "where=pre\n"
  "instrument=stamp\n"
  "start=2s\n"
  "control=yes\n"
  "\n"
  "[hook often]\n"
  "function=g\n"
  "anchor=entry\n"
  "where=pre\n"
  "instrument=count\n"
  "start=0s\n";

static void
test_switched (void)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(GilkPlan) plan = gilk_plan_parse (switched, strlen (switched), "x.plan", &error);
  g_autoptr(GilkPlan) copy = NULL;
  g_autofree char *text = NULL;

  g_assert_no_error (error);
  g_assert_cmpuint (plan->interleave.period_ns, ==, 20000000);
  g_assert_cmpuint (plan->interleave.seed, ==, 42);
  copy = gilk_plan_copy (plan);
  text = gilk_plan_to_text (copy);
  g_assert_cmpstr (text, ==, switched);
  g_assert_false (gilk_plan_is_switched (copy, g_ptr_array_index (copy->hooks, 0)));
  g_assert_true (gilk_plan_is_switched (copy, g_ptr_array_index (copy->hooks, 1)));
}

static void
test_reads (void)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(GilkPlan) plan = gilk_plan_parse (example, strlen (example), "x.plan", &error);
  const GilkPlanHook *first, *second;

  g_assert_no_error (error);
  g_assert_cmpuint (plan->hooks->len, ==, 2);
  first = g_ptr_array_index (plan->hooks, 0);
  second = g_ptr_array_index (plan->hooks, 1);
  g_assert_cmpstr (first->label, ==, "writer-sleeps");
  g_assert_cmpstr (first->block, ==, "+0x2b1");
  g_assert_cmpstr (first->fingerprint, ==, "0c5de2a7718ce301:9f31c02b77d0a4e1");
  g_assert_cmpuint (first->start_ns, ==, 1500000000);
  g_assert_cmpuint (first->stop_ns, ==, 15000000000);
  g_assert_cmpuint (first->tactic, ==, ILK_TACTIC_TRAP);
  g_assert_cmpstr (g_hash_table_lookup (first->params, "every"), ==, "1");
  g_assert_cmpstr (second->anchor, ==, "call:schedule#2");
  g_assert_cmpint (second->where, ==, GILK_WHERE_POST);
  g_assert_cmpuint (second->stop_ns, ==, 0);
  g_assert_cmpuint (plan->ring.bytes, ==, 256 << 10);
  g_assert_cmpuint (plan->ring.mode, ==, ILK_RING_OVERWRITE);
  g_assert_cmpuint (plan->ring.window_ns, ==, 2500000000);
  g_assert_true (second->triggers && second->trigger_ns == 20000000 && !first->triggers);
}

/* Tests that parsing and writing reproduces the text, and that this also holds for a copy of the
 * plan. */
static void
test_round_trip (void)
{
  g_autoptr(GilkPlan) plan = gilk_plan_parse (example, strlen (example), "x.plan", NULL);
  g_autoptr(GilkPlan) copy = gilk_plan_copy (plan);
  g_autofree char *text = gilk_plan_to_text (copy);

  g_assert_cmpstr (text, ==, example);
}

static void
test_refusals (void)
{
  const struct { const char *text, *says; } cases[] = {
    { "", "not a plan" },
    { "hello", "not a plan" },
    { "\x7f""ELF\xff", "UTF-8" },
    { "[gilk-plan]\n", "version= is missing" },
    { "[gilk-plan]\nversion=3\n", "format version 3" },
    { "[gilk-plan]\nversion=1 # one\n", "format version" },
    { HEAD "colour=red\n", "Unknown key colour=" },
    { HEAD "param.a=1\n", "Unknown key param.a=" },
    { HEAD "title[de]=x\n", "Unknown key" },
    { HEAD "[gilk-plan]\ntitle=x\n", "Duplicate" },
    { HEAD "[probe a]\n", "Unknown group" },
    { HEAD "[hook a b]\nfunction=x\n", "consists of letters" },
    { HEAD "[hook ]\nfunction=x\n", "consists of letters" },
    { HEAD "[hook a]\n", "function= is missing" },
    { HOOK "[hook a]\nfunction=x\n", "Duplicate group" },
    { HOOK "where=post\n", "Duplicate key" },
    { HOOK "anchor=entry\n", "either block= or anchor=" },
    { HOOK "tactic=magic\n", "Unknown tactic \"magic\"." },
    { HOOK "tactic=trap # now\n", "lines of their own" },
    { HOOK "fingerprint=12\n", "two groups of 16 hexadecimal" },
    { HOOK "fingerprint=9f31c02b77d0a4e1:\n", "two groups of 16 hexadecimal" },
    { HOOK "fingerprint=9f31c02b77d0a4e1:twins\n", "two groups of 16 hexadecimal" },
    { HOOK "fingerprint=9f31c02b77d0a4e1:9f31c02b77d0a4e1f\n", "two groups of 16 hexadecimal" },
    { HEAD "build-id=none\n", "not hexadecimal" },
    { HEAD "ring=3M\n", "power of two" },
    { HEAD "ring=32K\n", "power of two" },
    { HEAD "ring=128M\n", "power of two" },
    { HEAD "ring=-1M\n", "power of two" },
    { HEAD "ring=1T\n", "power of two" },
    { HEAD "ring=99999999999999999999M\n", "power of two" },
    { HEAD "ring=1M of it\n", "power of two" },
    { HEAD "ring-mode=newest\n", "not a ring mode" },
    { HEAD "ring-window=1s\n", "Only an overwriting ring" },
    { HEAD "interleave=1us\n", "out of range" },
    { HEAD "interleave=2h\n", "out of range" },
    { HEAD "interleave=10ms,x\n", "not a seed" },
    { HEAD "interleave=10ms,-1\n", "not a seed" },
    { HEAD "interleave=10ms,1,2\n", "not a seed" },
    { HEAD "interleave=,1\n", "not a duration" },
    { HEAD "interleave=10ms\n[hook a]\nfunction=f\nanchor=entry\nwhere=pre\ninstrument=count\ncontrol=yes\n", "All hooks are" },
    { HEAD "interleave=10ms\n[hook a]\nfunction=f\nanchor=entry\nwhere=pre\ninstrument=count\nstop=5s\n", "a start, stop or trigger of its own" },
    { HOOK "control=perhaps\n", "one of no, yes" },
    { HEAD "ring-mode=stop\nring-window=1s\n", "Only an overwriting ring" },
    { HOOK "trigger=1s\n", "ring-mode=overwrite" },
    { HEAD "ring-mode=overwrite\n[hook a]\nfunction=f\nanchor=entry\nwhere=pre\ninstrument=stamp\n"
      "trigger=0\n", "instrument=count" },
    { HOOK "stop=0s\n", "not after its start" },
    { HOOK "start=5s\nstop=4999ms\n", "not after its start" },
    { HOOK "start=5\n", "not a duration" },
    { HOOK "start=-5s\n", "not a duration" },
    { HOOK "start=1e3s\n", "not a duration" },
    { HOOK "start=99999999999999999999s\n", "not a duration" },
    { HOOK "start=\n", "is empty" },
    { HOOK "start=\\n\n", "control character" },
    { HEAD "title=a\\q\n", "does not start an escape" },
    { HEAD "title=a\\\n", "does not start an escape" },
    { HEAD "title=\\q\\\n", "does not start an escape" },
    { HOOK "param.=3\n", "parameter name" },
    { HOOK "param.a=1\nparam.b=1\nparam.c=1\nparam.d=1\nparam.e=1\n", "more than 4" },
    { HEAD "[hook a]\nfunction=0xffffffff81000000\n", "is an address" },
    { HEAD "[hook a]\nfunction=f\nblock=0x10\nwhere=pre\ninstrument=count\n", "block's offset" },
    { HEAD "[hook a]\nfunction=f\nblock=+0x\nwhere=pre\ninstrument=count\n", "block's offset" },
    { HEAD "[hook a]\nfunction=f\nblock=+0x123456789\nwhere=pre\ninstrument=count\n", "offset" },
    { HEAD "[hook a]\nfunction=f\nanchor=call:\nwhere=pre\ninstrument=count\n", "\"call:\" is not a location in a function" },
    { HEAD "[hook a]\nfunction=f\nanchor=call:x#0\nwhere=pre\ninstrument=count\n", "anchor" },
    { HEAD "[hook a]\nfunction=f\nanchor=entry\nwhere=pre\ninstrument=Count\n", "instrument=" },
    { HEAD "[hook a]\nfunction=f\nanchor=entry\nwhere=in\ninstrument=count\n", "pre, post" },
    { HEAD "[hook a]\nfunction=f\nanchor=entry\nfingerprint=9f31c02b77d0a4e1\nwhere=pre\n"
      "instrument=count\n", "belongs to block=" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr(GError) error = NULL;
      g_autoptr(GilkPlan) plan = gilk_plan_parse (cases[i].text, strlen (cases[i].text),
                                                  "bad.plan", &error);

      g_assert_null (plan);
      g_assert_error (error, GILK_ERROR, GILK_ERROR_FORMAT);
      if (strstr (error->message, cases[i].says) == NULL)
        g_error ("case %u: “%s” does not say “%s”", i, error->message, cases[i].says);
      g_assert_nonnull (strstr (error->message, "bad.plan"));
      g_assert_null (strchr (error->message, '\n'));
    }
}

/* Tests that a corrupted plan, even one with NULs, yields a plan or an error, never a crash. */
static void
test_hostile (void)
{
  for (guint round = 0; round < 3000; round++)
    {
      gsize length = (gsize) g_test_rand_int_range (0, (int) sizeof example);
      g_autofree char *text = g_memdup2 (example, sizeof example);
      g_autoptr(GilkPlan) plan = NULL;
      g_autoptr(GError) error = NULL;

      for (int n = g_test_rand_int_range (0, 4); n > 0; n--)
        text[g_test_rand_int_range (0, (int) sizeof example)] = (char) g_test_rand_int_range (0, 256);
      plan = gilk_plan_parse (text, length, "x", &error);
      g_assert_true ((plan == NULL) == (error != NULL));
    }
}

/* Tests reading the ring mode from the plan's text that a session stores. This text may be
 * anything. */
static void
test_overwrites (void)
{
  g_assert_true (gilk_plan_text_overwrites (HEAD "ring-mode=overwrite\n"));
  g_assert_false (gilk_plan_text_overwrites (HEAD "ring-mode=stop\n"));
  g_assert_false (gilk_plan_text_overwrites (HOOK));
  g_assert_false (gilk_plan_text_overwrites ("ring-mode=overwrite"));
  g_assert_false (gilk_plan_text_overwrites (""));
}

static void
test_files (void)
{
  g_autofree char *dir = g_dir_make_tmp ("gilk-plan-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (dir, "a.plan", NULL);
  g_autoptr(GilkPlan) plan = gilk_plan_parse (example, strlen (example), "x.plan", NULL);
  g_autoptr(GilkPlan) back = NULL;
  g_autoptr(GError) error = NULL;
  g_autofree char *text = NULL;

  g_assert_null (gilk_plan_load (path, &error));
  g_assert_error (error, GILK_ERROR, GILK_ERROR_NOT_FOUND);
  g_clear_error (&error);
  g_assert_false (gilk_plan_save (plan, "/nonexistent/a.plan", &error));
  g_assert_error (error, GILK_ERROR, GILK_ERROR_NOT_FOUND);
  g_clear_error (&error);
  g_assert_null (gilk_plan_load (dir, &error));
  g_assert_error (error, GILK_ERROR, GILK_ERROR_FORMAT);
  g_clear_error (&error);

  g_assert_true (gilk_plan_save (plan, path, &error));
  back = gilk_plan_load (path, &error);
  g_assert_no_error (error);
  text = gilk_plan_to_text (back);
  g_assert_cmpstr (text, ==, example);
  g_assert_cmpint (remove (path), ==, 0);
  g_assert_cmpint (remove (dir), ==, 0);
}

static void
test_durations (void)
{
  const struct { const char *text; uint64_t ns; const char *back; } cases[] = {
    { "0", 0, "0s" }, { "0.0", 0, "0s" }, { "1.5s", 1500000000, "1.5s" },
    { "20ms", 20000000, "20ms" }, { "250us", 250000, "250us" }, { "250 µs", 250000, "250us" },
    { "2min", 120000000000, "120s" }, { "1h", 3600000000000, "3600s" }, { "7ns", 7, "7ns" },
    { "0.000000001s", 1, "1ns" }, { "1234.5678ms", 1234567800, "1.2345678s" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr(GError) error = NULL;
      g_autofree char *back = NULL;
      uint64_t ns = 99;

      g_assert_true (gilk_parse_duration (cases[i].text, &ns, &error));
      g_assert_no_error (error);
      g_assert_cmpuint (ns, ==, cases[i].ns);
      back = gilk_format_duration (ns);
      g_assert_cmpstr (back, ==, cases[i].back);
    }
  for (guint i = 0; i < 20000; i++)
    {
      uint64_t ns = (uint64_t) (g_test_rand_double () * 1e12), again = 0;
      g_autofree char *text = gilk_format_duration (ns);

      g_assert_true (gilk_parse_duration (text, &again, NULL));
      g_assert_cmpuint (again, ==, ns);
    }
}

static void
test_bad_durations (void)
{
  const char *const bad[] = { "", "s", "1", "1..2s", ".", ".s", "1 2s", "1d", "0.5ns", "+1s", "1S",
                              "20000000000000h", "0.0000000000000000000s" };

  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_autoptr(GError) error = NULL;
      uint64_t ns = 99;

      g_assert_false (gilk_parse_duration (bad[i], &ns, &error));
      g_assert_error (error, GILK_ERROR, GILK_ERROR_USAGE);
      g_assert_cmpuint (ns, ==, 99);
    }
}

static void
test_labels (void)
{
  g_autoptr(GilkPlan) plan = gilk_plan_new ();
  g_autofree char *first = gilk_plan_make_label (plan, "f [m]", "+0x1f", GILK_WHERE_PRE);
  g_autofree char *second = NULL;

  g_assert_cmpstr (first, ==, "f__m_+0x1f-pre");
  g_ptr_array_add (plan->hooks, gilk_plan_hook_new (first, "f", GILK_WHERE_PRE, "count"));
  second = gilk_plan_make_label (plan, "f [m]", "+0x1f", GILK_WHERE_PRE);
  g_assert_cmpstr (second, ==, "f__m_+0x1f-pre-2");
}

/* Tests that copies of a hook at a pattern have labels with the names of their functions. */
static void
test_copies (void)
{
  g_autofree char *long_name = g_strnfill (300, 'x');
  g_autoptr(GHashTable) labels = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr(GilkPlanHook) hook = gilk_plan_hook_new ("vfs__-entry-pre", "vfs_*", GILK_WHERE_PRE, "count");
  g_autoptr(GilkPlanHook) named = gilk_plan_hook_new ("mine", "vfs_*", GILK_WHERE_PRE, "count");
  g_autoptr(GilkPlanHook) one = gilk_plan_hook_copy_to (hook, "vfs_read", labels, 1);
  g_autoptr(GilkPlanHook) two = gilk_plan_hook_copy_to (hook, "vfs_write [m]", labels, 2);
  g_autoptr(GilkPlanHook) same = gilk_plan_hook_copy_to (hook, "vfs_write@m]", labels, 3);
  g_autoptr(GilkPlanHook) other = gilk_plan_hook_copy_to (named, "vfs_open", labels, 4);

  g_assert_cmpstr (one->label, ==, "vfs_read-entry-pre");
  g_assert_cmpstr (one->function, ==, "vfs_read");
  g_assert_cmpstr (two->label, ==, "vfs_write__m_-entry-pre");
  g_assert_cmpstr (same->label, ==, "vfs_write_m_-entry-pre");
  g_assert_cmpstr (other->label, ==, "mine-4");
  g_free (named->label);
  named->label = g_strdup ("vfs_calls");
  g_clear_pointer (&other, gilk_plan_hook_unref);
  other = gilk_plan_hook_copy_to (named, "vfs_open", labels, 0);
  g_assert_cmpstr (other->label, ==, "vfs_calls");
  g_clear_pointer (&other, gilk_plan_hook_unref);
  other = gilk_plan_hook_copy_to (hook, long_name, labels, 6);
  g_assert_cmpuint (strlen (other->label), ==, 116);
  g_assert_true (g_str_has_suffix (other->label, "x-entry-pre"));
  g_hash_table_add (labels, g_strdup ("vfs_x-entry-pre"));
  g_clear_pointer (&same, gilk_plan_hook_unref);
  same = gilk_plan_hook_copy_to (hook, "vfs_x", labels, 5);
  g_assert_cmpstr (same->label, ==, "vfs_x-entry-pre-2");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/plan/switched", test_switched);
  g_test_add_func ("/plan/reads", test_reads);
  g_test_add_func ("/plan/round-trip", test_round_trip);
  g_test_add_func ("/plan/refusals", test_refusals);
  g_test_add_func ("/plan/hostile", test_hostile);
  g_test_add_func ("/plan/files", test_files);
  g_test_add_func ("/plan/overwrites", test_overwrites);
  g_test_add_func ("/plan/durations", test_durations);
  g_test_add_func ("/plan/bad-durations", test_bad_durations);
  g_test_add_func ("/plan/labels", test_labels);
  g_test_add_func ("/plan/copies", test_copies);

  return g_test_run ();
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test-plan-watchpoint.c - tests that watchpoints are parsed, written, copied, and refused with a
 * remedy; also tests the agent's answers about watchpoints, and recorded accesses
 */
#include <string.h>

#include "core/base/gilk-error.h"
#include "core/bind/gilk-bound-watchpoint.h"
#include "core/link/gilk-answers.h"
#include "core/plan/gilk-plan-point.h"
#include "core/samples/gilk-store-accesses.h"
#include "core/store/gilk-store-names.h"
#include "tests/store-fixture.h"

static void
test_parse (void)
{
  static const struct {
    const char *text, *what;
    GilkPlanWatchpoint watch;
  } cases[] = {
    { "jiffies_64:w", "jiffies_64", { GILK_WATCH_WRITE, 0, GILK_WATCHPOINT_NO_CPU, 0 } },
    { "a.b[3].c:rw4", "a.b[3].c", { GILK_WATCH_ACCESS, 4, GILK_WATCHPOINT_NO_CPU, 0 } },
    { "0xffffffff82a0d040:w8", "0xffffffff82a0d040", { GILK_WATCH_WRITE, 8, GILK_WATCHPOINT_NO_CPU, 0 } },
    { "vfs_write+0x10:x", "vfs_write+0x10", { GILK_WATCH_EXECUTE, 0, GILK_WATCHPOINT_NO_CPU, 0 } },
    { "x:w,cpu=each,limit=500", "x", { GILK_WATCH_WRITE, 0, GILK_WATCHPOINT_EACH_CPU, 500 } },
    { " (struct s) x [m] :rw,cpu=3", "(struct s) x [m]", { GILK_WATCH_ACCESS, 0, 3, 0 } },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *what = NULL;
      g_autoptr(GError) error = NULL;
      GilkPlanWatchpoint watch;

      g_assert_true (gilk_plan_watchpoint_parse (cases[i].text, &what, &watch, &error));
      g_assert_no_error (error);
      g_assert_cmpstr (what, ==, cases[i].what);
      g_assert_cmpuint (watch.access, ==, cases[i].watch.access);
      g_assert_cmpuint (watch.bytes, ==, cases[i].watch.bytes);
      g_assert_cmpint (watch.cpu, ==, cases[i].watch.cpu);
      g_assert_cmpuint (watch.rate_limit, ==, cases[i].watch.rate_limit);
    }
}

static void
test_bad (void)
{
  static const char *const bad[] = {
    "", ":", ":w", "x", "x:", "x:r", "x:w3", "x:w16", "x:w0", "x:x4", "x:w,", "x:w,cpu=", "x:w,cpu=-1", "x:w,cpu=99999999",
    "x:w,limit=1", "x:w,limit=99999999999", "x:w,foo=1", "x\n:w", "\xff\xfe:w", " :w",
  };
  g_autofree char *endless = g_strnfill (4096, 'x');

  for (guint i = 0; i <= G_N_ELEMENTS (bad); i++)
    {
      g_autoptr(GError) error = NULL;
      char *what = NULL;
      GilkPlanWatchpoint watch;

      g_assert_false (gilk_plan_watchpoint_parse (i < G_N_ELEMENTS (bad) ? bad[i] : endless, &what, &watch, &error));
      g_assert_error (error, GILK_ERROR, GILK_ERROR_USAGE);
      g_assert_null (what);
    }
}

static const char example[] =
  "[gilk-plan]\n"
  "version=2\n"
  "\n"
  "[program many]\n"
  "code=count ()\n"
  "\n"
  "[watchpoint ticks]\n"
  "what=jiffies_64:w8,limit=1000\n"
  "start=0s\n"
  "\n"
  "[hook reads]\n"
  "function=vfs_read\n"
  "anchor=entry\n"
  "where=pre\n"
  "instrument=count\n"
  "start=0s\n"
  "\n"
  "[watchpoint owns]\n"
  "what=softnet_data.processed:rw,cpu=each\n"
  "program=many\n"
  "start=1s\n"
  "stop=2s\n";

static void
test_round_trip (void)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(GilkPlan) plan = gilk_plan_parse (example, strlen (example), "x.plan", &error);
  g_autoptr(GilkPlan) copy = NULL;
  g_autofree char *text = NULL;
  const GilkPlanHook *hook;

  g_assert_no_error (error);
  hook = g_ptr_array_index (plan->hooks, 0);
  g_assert_cmpstr (hook->function, ==, "jiffies_64");
  g_assert_cmpstr (hook->instrument, ==, GILK_WATCHPOINT_INSTRUMENT);
  g_assert_null (((const GilkPlanHook *) g_ptr_array_index (plan->hooks, 1))->watch);
  copy = gilk_plan_copy (plan);
  text = gilk_plan_to_text (copy);
  g_assert_cmpstr (text, ==, example);
}

static void
test_bad_plans (void)
{
  static const struct {
    const char *group, *words;
  } bad[] = {
    { "[watchpoint a]\n", "what" }, { "[watchpoint a]\nwhat=x\n", "kind of access is missing" }, { "[watchpoint a b]\nwhat=x:w\n", "letters" },
    { "[watchpoint a]\nwhat=x:w\nfunction=y\n", "Unknown key" }, { "[watchpoint a]\nwhat=?:w8,cpu=0\n", "Remove cpu=" }, { "[watchpoint a]\nwhat=x:w\nstart=2s\nstop=1s\n", "not after" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_autofree char *text = g_strconcat ("[gilk-plan]\nversion=2\n", bad[i].group, NULL);
      g_autoptr(GError) error = NULL;

      g_assert_null (gilk_plan_parse (text, strlen (text), "x.plan", &error));
      g_assert_error (error, GILK_ERROR, GILK_ERROR_FORMAT);
      g_assert_nonnull (strstr (error->message, bad[i].words));
    }
}

/* Tests parsing watchpoints as written on a command line. */
static void
test_lines (void)
{
  static const struct {
    const char *text, *label, *function, *code;
  } good[] = {
    { "jiffies_64:w { if (value > 3) sample (pid) }", "jiffies_64-w", "jiffies_64", "if (value > 3) sample (pid)" },
    { "ticks=jiffies_64:w{count()}", "ticks", "jiffies_64", "count()" },
    { "refs=?:rw8,limit=1000", "refs", "?", NULL },
    { "a-b.c=?:x", "a-b.c", "?", NULL },
  };
  static const char *const bad[] = { "?:w8", "ticks=x:w", "x:w {", "x:w { }", "x:w { count() } y", "=x", "a=:w", "a={ count() }" };
  g_autoptr(GilkPlan) plan = gilk_plan_new ();

  for (guint i = 0; i < G_N_ELEMENTS (good); i++)
    {
      GilkPlanHook *hook = gilk_plan_watchpoint_hook_new_line (plan, good[i].text, NULL);

      g_assert_nonnull (hook);
      g_ptr_array_add (plan->hooks, hook);
      g_assert_cmpstr (hook->label, ==, good[i].label);
      g_assert_cmpstr (hook->function, ==, good[i].function);
      g_assert_cmpint (hook->watch->is_movable, ==, *good[i].function == '?');
      g_assert_cmpstr (gilk_plan_hook_code (plan, hook), ==, good[i].code);
    }
  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_autoptr(GError) error = NULL;

      g_assert_null (gilk_plan_watchpoint_hook_new_line (plan, bad[i], &error));
      g_assert_nonnull (error);
    }
}

static void
test_labels (void)
{
  g_autoptr(GilkPlan) plan = gilk_plan_new ();
  static const char *const labels[] = { "init_task.usage-w", "init_task.usage-w-2" };

  for (guint i = 0; i < 2; i++)
    {
      g_ptr_array_add (plan->hooks, gilk_plan_watchpoint_hook_new (plan, "(struct task_struct) init_task.usage:w", NULL));
      g_assert_cmpstr (((const GilkPlanHook *) g_ptr_array_index (plan->hooks, i))->label, ==, labels[i]);
    }
}

static void
test_answers (void)
{
  struct gilk_watch_point asked = { .patch = 7, .access = GILK_WATCH_WRITE, .address = 64, .bytes = 8 }, got = asked;
  struct gilk_watch_status state = { .iid = 7, .state = GILK_WATCH_LIVE }, out;
  const uint32_t iid = 7;
  g_autoptr(GByteArray) answer = g_byte_array_new ();

  got.refusal = GILK_BPF_REFUSED_WATCH_SLOTS;
  got.error = -28;
  g_byte_array_append (answer, (const guint8 *) &got, sizeof got);
  g_assert_true (gilk_answer_watchpoints (answer, &asked, 1, NULL));
  g_assert_cmpuint (asked.refusal, ==, GILK_BPF_REFUSED_WATCH_SLOTS);
  ((struct gilk_watch_point *) answer->data)->address = 72;
  asked.error = 0;
  asked.refusal = 0;
  g_assert_false (gilk_answer_watchpoints (answer, &asked, 1, NULL));
  ((struct gilk_watch_point *) answer->data)->address = 64;
  ((struct gilk_watch_point *) answer->data)->error = 0;
  g_assert_false (gilk_answer_watchpoints (answer, &asked, 1, NULL));

  g_byte_array_set_size (answer, 0);
  g_byte_array_append (answer, (const guint8 *) &state, sizeof state);
  g_assert_true (gilk_answer_watchpoint_status (answer, &iid, 1, &out, NULL));
  ((struct gilk_watch_status *) answer->data)->state = 9;
  g_assert_false (gilk_answer_watchpoint_status (answer, &iid, 1, &out, NULL));
}

/* ---- test of recorded accesses ---- */

static void
add_sample (GilkStore *store, gint64 run, uint64_t ip, uint64_t value, uint32_t context, const char *comm)
{
  struct gilk_watch_sample sample = { .ip = ip, .value = value, .pid = 3, .context = context };

  g_strlcpy (sample.comm, comm, sizeof sample.comm);
  fixture_add_sample (store, run, 0, 1, 5, &sample, sizeof sample);
}

static void
test_writers (void)
{
  g_auto(StoreFixture) at = fixture_new ();
  const GilkStoreHook hook = { .iid = 1, .label = "h", .function = "jiffies_64", .block = ":w", .where = "post",
                               .instrument = GILK_WATCHPOINT_INSTRUMENT, .tactic = "breakpoint" };
  g_autoptr(GError) error = NULL;
  GilkStore *store = fixture_open (at.path);
  gint64 run = fixture_begin (store, 1);
  struct ilk_instrument_desc desc;
  g_autoptr(GArray) hooks = NULL, writers = NULL;
  const GilkAccessor *first, *second;

  gilk_watchpoint_desc (&desc);
  g_assert_true (gilk_store_add_instrument (store, run, &desc, &error));
  g_assert_true (gilk_store_add_hook (store, run, &hook, NULL, &error));
  g_assert_true (gilk_store_add_value_name (store, run, GILK_MEANING_ACCESSOR, 0x1000, "tick+0x57", &error));
  g_assert_true (gilk_store_add_value_name (store, run, GILK_MEANING_ACCESSOR, 0x1008, "tick+0x57", &error));
  g_assert_true (gilk_store_add_value_name (store, run, GILK_MEANING_ACCESSOR_INSN, 0x1000, "incq (%rdi)", &error));
  add_sample (store, run, 0x1000, 7, GILK_CONTEXT_HARDIRQ, "swapper");
  add_sample (store, run, 0x1008, 9, GILK_CONTEXT_TASK, "sh");
  add_sample (store, run, 0x2000, 3, 77, "sh");
  g_assert_true (gilk_store_flush (store, &error));

  hooks = gilk_store_hooks (store, run, &error);
  g_assert_true (gilk_stored_hook_is_watchpoint (&g_array_index (hooks, GilkStoredHook, 0)));
  writers = gilk_store_accessors (store, &g_array_index (hooks, GilkStoredHook, 0), &error);
  g_assert_no_error (error);
  g_assert_cmpuint (writers->len, ==, 2);
  first = &g_array_index (writers, GilkAccessor, 0);
  second = &g_array_index (writers, GilkAccessor, 1);
  g_assert_cmpstr (first->function, ==, "tick");
  g_assert_cmpstr (first->block, ==, "+0x57");
  g_assert_cmpstr (first->insn, ==, "incq (%rdi)");
  g_assert_cmpuint (first->count, ==, 2);
  g_assert_cmpuint (first->last, ==, 9);
  g_assert_cmpuint (first->least, ==, 7);
  g_assert_cmpuint (first->contexts[GILK_CONTEXT_HARDIRQ], ==, 1);
  g_assert_cmpuint (first->processes->len, ==, 2);
  g_assert_cmpstr (second->name, ==, "0x2000");
  g_assert_null (second->function);
  g_assert_cmpuint (second->contexts[3], ==, 1);

  g_assert_true (gilk_store_close (store, NULL));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/plan-watch/parse", test_parse);
  g_test_add_func ("/plan-watch/bad", test_bad);
  g_test_add_func ("/plan-watch/round-trip", test_round_trip);
  g_test_add_func ("/plan-watch/bad-plans", test_bad_plans);
  g_test_add_func ("/plan-watch/lines", test_lines);
  g_test_add_func ("/plan-watch/labels", test_labels);
  g_test_add_func ("/plan-watch/answers", test_answers);
  g_test_add_func ("/plan-watch/writers", test_writers);

  return g_test_run ();
}

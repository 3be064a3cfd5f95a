/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test-plan-event.c - tests that tracepoints and timers are parsed, written, copied, and refused
 * with a remedy; their programs get arguments, not registers; also tests the agent's answers about
 * them
 */
#include <string.h>

#include "agent/gilk-wire.h"
#include "core/base/gilk-error.h"
#include "core/link/gilk-answers.h"
#include "core/plan/gilk-plan-event.h"
#include "core/plan/gilk-plan-point.h"
#include "tests/unit/program-kernel.h"

static void
test_parse (void)
{
  static const struct { const char *text, *what, *label; guint kind; uint64_t amount; } cases[] = {
    { "tracepoint:sched:sched_switch", "tracepoint:sched:sched_switch", "sched_switch", GILK_EVENT_TRACEPOINT, 0 },
    { "tracepoint:sched_switch", "tracepoint:sched_switch", "sched_switch", GILK_EVENT_TRACEPOINT, 0 },
    { "profile:99hz", "profile:99hz", "profile-99hz", GILK_EVENT_PROFILE, 99 },
    { "profile:99Hz", "profile:99hz", "profile-99hz", GILK_EVENT_PROFILE, 99 },
    { "profile:100000", "profile:100000hz", "profile-100000hz", GILK_EVENT_PROFILE, 100000 },
    { "interval:1s", "interval:1s", "interval-1s", GILK_EVENT_INTERVAL, 1000000000 },
    { "interval:1000us", "interval:1ms", "interval-1ms", GILK_EVENT_INTERVAL, 1000000 },
    { "interval:24h", "interval:86400s", "interval-86400s", GILK_EVENT_INTERVAL, GILK_EVENT_NS_MAX },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *what = NULL, *label = NULL;
      g_autoptr(GError) error = NULL;
      GilkPlanEvent event;

      g_assert_true (gilk_plan_event_is (cases[i].text));
      g_assert_true (gilk_plan_event_parse (cases[i].text, &what, &event, &error));
      g_assert_no_error (error);
      g_assert_cmpuint (event.kind, ==, cases[i].kind);
      g_assert_cmpuint (event.amount, ==, cases[i].amount);
      label = gilk_plan_event_label (what);
      g_assert_cmpstr (label, ==, cases[i].label);
      g_assert_cmpstr (what, ==, cases[i].what);
    }
}

static void
test_bad (void)
{
  static const char *const bad[] = {
    "", "sched:sched_switch", "tracepoint:", "tracepoint::x", "tracepoint:a:b:c", "tracepoint:a b", "tracepoint:9a", "profile:",
    "profile:0hz", "profile:hz", "profile:-1hz", "profile:100001hz", "profile:9.5hz", "profile:99hzhz", "interval:", "interval:0",
    "interval:1us", "interval:25h", "interval:x", "tracepoint:\xff",
  };
  g_autofree char *tail = g_strnfill (GILK_EVENT_NAME_MAX, 'x'), *endless = g_strconcat ("tracepoint:", tail, NULL);

  for (guint i = 0; i <= G_N_ELEMENTS (bad); i++)
    {
      g_autoptr(GError) error = NULL;
      char *what = NULL;
      GilkPlanEvent event = { 7, 7 };

      g_assert_false (gilk_plan_event_parse (i < G_N_ELEMENTS (bad) ? bad[i] : endless, &what, &event, &error));
      g_assert_error (error, GILK_ERROR, GILK_ERROR_USAGE);
      g_assert_null (what);
      g_assert_cmpuint (event.kind, ==, 7);
    }
}

static const char example[] =
  "[gilk-plan]\n"
  "version=2\n"
  "\n"
  "[program who]\n"
  "code=sample (next->pid)\n"
  "\n"
  "[event switches]\n"
  "what=tracepoint:sched:sched_switch\n"
  "program=who\n"
  "start=0s\n"
  "\n"
  "[hook reads]\n"
  "function=vfs_read\n"
  "anchor=entry\n"
  "where=pre\n"
  "instrument=count\n"
  "start=0s\n"
  "\n"
  "[event ticks]\n"
  "what=profile:99hz\n"
  "instrument=stamp\n"
  "start=1s\n"
  "stop=2s\n";

static void
test_round_trip (void)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(GilkPlan) plan = gilk_plan_parse (example, strlen (example), "x.plan", &error);
  g_autoptr(GilkPlan) copy = NULL;
  g_autofree char *text = NULL, *like = NULL;

  g_assert_no_error (error);
  g_assert_false (gilk_plan_hook_has_graph (g_ptr_array_index (plan->hooks, 0)));
  g_assert_true (gilk_plan_hook_has_graph (g_ptr_array_index (plan->hooks, 1)));
  copy = gilk_plan_copy (plan);
  text = gilk_plan_to_text (copy);
  g_assert_cmpstr (text, ==, example);
  like = gilk_plan_to_text_like (copy, example, strlen (example));
  g_assert_cmpstr (like, ==, example);
}

static void
test_bad_plans (void)
{
  static const char *const groups[] = {
    "[event x]\nwhat=vfs_read\ninstrument=count\n", "[event x]\nwhat=profile:99hz\n", "[event x]\ninstrument=count\n",
    "[event x]\nwhat=profile:99hz\ninstrument=count\nblock=+0x0\n", "[event x]\nwhat=profile:99hz\ninstrument=count\ntactic=trap\n",
    "[event x]\nwhat=profile:99hz\ninstrument=count\nprogram=p\n",
  };

  for (guint i = 0; i < G_N_ELEMENTS (groups); i++)
    {
      g_autofree char *text = g_strconcat ("[gilk-plan]\nversion=2\n", groups[i], NULL);
      g_autoptr(GError) error = NULL;

      g_assert_null (gilk_plan_parse (text, strlen (text), "x.plan", &error));
      g_assert_nonnull (strstr (error->message, "[event x]"));
    }
}

/* Tests that probe points given on a command line become hooks, and that writing the hooks
 * reproduces the text. */
static void
test_points (void)
{
  static const struct { const char *text, *label, *instrument; gboolean is_program; } cases[] = {
    { "tracepoint:sched:sched_switch", "sched_switch", "count", FALSE },
    { "tracepoint:sched:sched_switch:stamp", "sched_switch-2", "stamp", FALSE },
    { "profile:99hz:stamp", "profile-99hz", "stamp", FALSE },
    { "profile:99hz { hits[ip]++ }", "profile-99hz-2", "profile-99hz-2", TRUE },
    { "interval:1s { count () }", "interval-1s", "interval-1s", TRUE },
  };
  static const char *const bad[] = {
    "tracepoint:a:b:stamp { count () }", "profile:99hz:trap:x", "profile:99hz { count ()", "interval:1s:STAMP", "tracepoint:a:b:c:d",
  };
  g_autoptr(GilkPlan) plan = gilk_plan_new ();

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_auto(GilkPointText) point = { 0 };
      g_autoptr(GError) error = NULL;
      g_autofree char *text = NULL;
      GilkPlanHook *hook;

      g_assert_true (gilk_point_text_parse (cases[i].text, &point, &error));
      text = gilk_point_text_format (&point);
      g_assert_cmpstr (text, ==, cases[i].text);
      hook = gilk_point_text_to_hook (&point, plan, point.instrument != NULL ? point.instrument : "count");
      g_ptr_array_add (plan->hooks, hook);
      g_assert_cmpstr (hook->label, ==, cases[i].label);
      g_assert_cmpstr (hook->instrument, ==, cases[i].instrument);
      g_assert_cmpint (hook->is_program, ==, cases[i].is_program);
      g_assert_false (gilk_plan_hook_has_graph (hook));
    }
  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_auto(GilkPointText) point = { 0 };
      g_autoptr(GError) error = NULL;

      g_assert_false (gilk_point_text_parse (bad[i], &point, &error));
      g_assert_error (error, GILK_ERROR, GILK_ERROR_USAGE);
    }
}

/* ---- tests of programs of tracepoints and timers ---- */

static void
assert_fails (const GilkProgramPlace *place, const char *text, const char *words)
{
  g_autoptr(GError) error = NULL;

  g_assert_null (gilk_program_new (text, place, NULL, &error));
  if (strstr (error->message, words) == NULL)
    g_error ("%s: %s", text, error->message);
}

static void
assert_ops (const GilkProgramPlace *place, const char *text, const char *operation)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(GilkProgram) program = gilk_program_new (text, place, NULL, &error);
  g_autofree char *ops = NULL;

  g_assert_no_error (error);
  ops = gilk_ops_text (gilk_program_ops (program));
  if (strstr (ops, operation) == NULL)
    g_error ("%s: %s", text, ops);
}

/* Tests that a tracepoint's arguments are read from the words of its context, with the types that
 * its prototype states. */
static void
test_arguments (void)
{
  g_autoptr(GilkBtf) btf = program_btf ();
  GilkProgramPlace place = program_place (btf);
  GilkPrototype arguments;

  g_assert_true (gilk_btf_function (btf, "vfs_write", &arguments));
  place.function = NULL;
  place.at_entry = FALSE;
  place.is_event = place.has_arguments = TRUE;
  place.arguments = &arguments;
  assert_ops (&place, "sample (count)", "context[2]");
  assert_ops (&place, "sample (late)", "context[6]");
  assert_ops (&place, "sample (mode)", "s32 v");
  assert_ops (&place, "sample (flag)", "u8 v");
  assert_ops (&place, "sample (file->f_inode->i_ino)", "load u64 v");
  assert_ops (&place, "sample (arg6)", "context[6]");
  assert_ops (&place, "sample (pid)", "load s32");
  assert_fails (&place, "sample (arg7)", "7 arguments");
  assert_fails (&place, "sample (arg99)", "Unknown name");
  assert_fails (&place, "sample (ip)", "ip is not available");
  assert_fails (&place, "sample (%rdi)", "Registers are not available");
  assert_fails (&place, "sample (retval)", "no return value");
  assert_fails (&place, "sample (cuont)", "count");
  assert_fails (&place, "nullify (0)", "cannot change the kernel");
  place.arguments = NULL;
  assert_ops (&place, "sample (arg11)", "context[11]");
  assert_fails (&place, "sample (arg12)", "Unknown name");
  g_assert_true (gilk_btf_function (btf, "by_value", &arguments));
  place.arguments = &arguments;
  assert_fails (&place, "sample (whole)", "arg0");
  assert_ops (&place, "sample (after)", "context[1]");
}

static void
test_timer (void)
{
  g_autoptr(GilkBtf) btf = program_btf ();
  GilkProgramPlace place = program_place (btf);

  place.function = NULL;
  place.at_entry = FALSE;
  place.is_event = TRUE;
  assert_ops (&place, "sample (ip)", "context[16]");
  assert_ops (&place, "sample (%rdi)", "%rdi");
  assert_fails (&place, "sample (arg0)", "a timer has none");
  assert_fails (&place, "sample (frame)", "frame identifies");
}

/* ---- tests of the arguments that BTF states for a tracepoint ---- */

static void
test_btf (void)
{
  g_autoptr(BtfFile) file = btf_file_new ();
  const guint u32 = btf_int (file, "unsigned int", 4, 0), nothing = btf_to (file, BTF_KIND_PTR, NULL, 0);
  g_autoptr(GilkBtf) btf = NULL;
  g_autoptr(GBytes) bytes = NULL;
  guint proto = btf_proto (file, u32, { "__data", nothing }, { "prev", u32 }, { "next", u32 });
  GilkPrototype found;

  btf_to (file, BTF_KIND_FUNC, "__traceiter_named", proto);
  proto = btf_proto (file, 0, { NULL, nothing }, { NULL, u32 });
  btf_to (file, BTF_KIND_TYPEDEF, "btf_trace_nameless", btf_to (file, BTF_KIND_PTR, NULL, proto));
  btf_to (file, BTF_KIND_TYPEDEF, "btf_trace_number", u32);
  btf_to (file, BTF_KIND_FUNC, "__traceiter_empty", btf_proto_void (file, u32));
  bytes = btf_bytes (file);
  btf = gilk_btf_new (bytes, NULL, NULL);
  g_assert_true (gilk_btf_tracepoint (btf, "named", &found));
  g_assert_cmpuint (found.n_arguments, ==, 2);
  g_assert_cmpstr (found.names[0], ==, "prev");
  g_assert_cmpstr (found.names[1], ==, "next");
  g_assert_true (gilk_btf_tracepoint (btf, "nameless", &found));
  g_assert_cmpuint (found.n_arguments, ==, 1);
  g_assert_cmpuint (found.arguments[0], ==, u32);
  g_assert_cmpstr (found.names[0], ==, "");
  g_assert_false (gilk_btf_tracepoint (btf, "number", &found));
  g_assert_false (gilk_btf_tracepoint (btf, "empty", &found));
  g_assert_false (gilk_btf_tracepoint (btf, "none", &found));
}

/* ---- tests of answers of the agent ---- */

static void
test_answers (void)
{
  struct gilk_event_point events[2] = { { .patch = 1 }, { .patch = 2 } }, given[2];
  g_autoptr(GByteArray) answer = g_byte_array_new ();

  memcpy (given, events, sizeof given);
  given[1].refusal = ILK_REFUSAL_STATE;
  given[1].error = -16;
  g_byte_array_append (answer, (const guint8 *) given, sizeof given);
  g_assert_true (gilk_answer_bind_events (answer, events, 2, NULL));
  g_assert_cmpuint (events[0].refusal, ==, 0);
  g_assert_cmpuint (events[1].refusal, ==, ILK_REFUSAL_STATE);
  g_assert_false (gilk_answer_bind_events (answer, events, 1, NULL));
  ((struct gilk_event_point *) answer->data)[1].patch = 3;
  g_assert_false (gilk_answer_bind_events (answer, events, 2, NULL));
  ((struct gilk_event_point *) answer->data)[1].patch = 2;
  ((struct gilk_event_point *) answer->data)[0].error = -1;
  g_assert_false (gilk_answer_bind_events (answer, events, 2, NULL));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/plan-event/parse", test_parse);
  g_test_add_func ("/plan-event/bad", test_bad);
  g_test_add_func ("/plan-event/round-trip", test_round_trip);
  g_test_add_func ("/plan-event/bad-plans", test_bad_plans);
  g_test_add_func ("/plan-event/points", test_points);
  g_test_add_func ("/plan-event/arguments", test_arguments);
  g_test_add_func ("/plan-event/timer", test_timer);
  g_test_add_func ("/plan-event/btf", test_btf);
  g_test_add_func ("/plan-event/answers", test_answers);

  return g_test_run ();
}

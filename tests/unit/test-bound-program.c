/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test-bound-program.c - tests that each program of a plan is compiled for its hook's location, and
 * that references from programs to other hooks are resolved
 *
 * The kernel has a function vfs_write(), given as bytes with their assembly, and the types of
 * program-kernel.h. It is not a live kernel: no driver reports anything about it.
 */
#include <glib/gstdio.h>

#include "core/base/gilk-error.h"
#include "core/run/gilk-run.h"
#include "program-kernel.h"
#include "splice-fixture.h"

static const uint8_t text[] = {
  FENTRY,                             /* 0 */
  0x48, 0x89, 0xf8,                   /* 5: mov %rdi,%rax */
  0x48, 0x85, 0xff,                   /* 8: test %rdi,%rdi */
  0x74, 0x0b,                         /* b: je 18 */
  0x48, 0x8b, 0x07,                   /* d: mov (%rdi),%rax */
  0x48, 0x83, 0xc0, 0x10,             /* 10: add $0x10,%rax */
  0xc3,                               /* 14: ret */
  0xcc, 0xcc, 0xcc,
  0x48, 0x31, 0xc0,                   /* 18: xor %rax,%rax */
  0x0f, 0x0b,                         /* 1b: ud2, a WARN */
  0x48, 0x83, 0xe8, 0x01,             /* 1d: sub $1,%rax */
  0xc3,                               /* 21: ret */
  0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc,
  FENTRY,                             /* 30: second(), without type information */
  0x48, 0x89, 0xf8,                   /* 35: mov %rdi,%rax */
  0x48, 0x83, 0xc0, 0x10,             /* 38: add $0x10,%rax */
  0xc3,                               /* 3c: ret */
};

static void
open_kernel (Fixture *fixture)
{
  const GilkSite sites[] = {
    FIXTURE_C, { FIXTURE_BASE + 0x1b, 0, GILK_SITE_WARN }, { FIXTURE_BASE + 0x30, 0, GILK_SITE_FENTRY },
  };
  g_autoptr(GilkBtf) btf = program_btf ();

  fixture_init_named (fixture, "vfs_write", FIXTURE_BASE, text, sizeof text, "ffffffff81000030 t second\n", sites, G_N_ELEMENTS (sites));
  gilk_types_set_for_tests (gilk_image_types (fixture->image), NULL, btf);
}

static GilkBoundPlan *
bind_plan (const Fixture *fixture, const GilkBoundPlan *live, const char *groups)
{
  g_autofree char *words = g_strconcat ("[gilk-plan]\nversion=2\n", groups, NULL);
  g_autoptr(GError) error = NULL;
  g_autoptr(GilkPlan) plan = gilk_plan_parse (words, strlen (words), "t.plan", &error);
  GilkBoundPlan *bound;

  g_assert_no_error (error);
  bound = live == NULL ? gilk_bound_plan_new (plan, fixture->functions, fixture->image, NULL, NULL, &error)
                       : gilk_bound_plan_next (plan, live, fixture->functions, fixture->image, NULL, NULL, &error);
  g_assert_no_error (error);

  return bound;
}

static GilkBoundHook *
hook_at (const GilkBoundPlan *bound, guint i)
{
  return &g_array_index (bound->hooks, GilkBoundHook, i);
}

static const GilkWant *
want_at (const GilkBoundPlan *bound, guint i)
{
  const GilkSplicePlan *plan = g_ptr_array_index (bound->splice_plans, hook_at (bound, i)->splice_plan);

  return &plan->wants[hook_at (bound, i)->want_index];
}

#define PROGRAM(name, code)  "[program " name "]\ncode=" code "\n"
#define ENTRY(label, name)   "[hook " label "]\nfunction=vfs_write\nanchor=entry\nwhere=pre\nprogram=" name "\n"
#define RETURN(label, name)  "[hook " label "]\nfunction=vfs_write\nanchor=return#1\nwhere=post\nprogram=" name "\n"
#define SECOND(label, name)  "[hook " label "]\nfunction=second\nanchor=return\nwhere=post\nprogram=" name "\n"
#define BEHIND(label, name)  "[hook " label "]\nfunction=vfs_write\nanchor=return#2\nwhere=post\nprogram=" name "\n"

static void
assert_bound (const GilkBoundPlan *bound)
{
  g_autoptr(GError) error = NULL;

  gilk_bound_plan_check (bound, &error);
  g_assert_no_error (error);
}

static void
test_binds (void)
{
  g_auto(Fixture) fixture = { NULL };
  g_autoptr(GilkBoundPlan) bound = NULL;
  const struct ilk_field *fields;
  guint n;

  open_kernel (&fixture);
  bound = bind_plan (&fixture, NULL, PROGRAM ("p", "if (count > 4096) sample(count, file->f_flags)")
                     PROGRAM ("r", "counter n; n++; if (retval < 0) count()") ENTRY ("a", "p") RETURN ("b", "r"));
  assert_bound (bound);
  g_assert_cmpint (want_at (bound, 0)->kind, ==, GILK_INLINE_PROGRAM);
  g_assert_true (want_at (bound, 0)->ops == gilk_program_ops (hook_at (bound, 0)->program));
  g_assert_true (hook_at (bound, 0)->takes_samples && !hook_at (bound, 1)->takes_samples);
  g_assert_false (gilk_bound_hook_has_op (hook_at (bound, 0), GILK_OP_COUNT));
  g_assert_true (gilk_bound_hook_has_op (hook_at (bound, 1), GILK_OP_COUNT));
  fields = gilk_program_fields (hook_at (bound, 0)->program, &n);
  g_assert_cmpuint (n, ==, 3);
  g_assert_cmpstr (fields[1].name, ==, "f_flags");
}

typedef struct {
  const char *name, *groups, *told;
  /* Position of the error in the program's text, or 0 if the error is elsewhere. */
  guint       line, column;
} Refusal;

static const Refusal refusals[] = {
  { "name", PROGRAM ("p", "counter n;\\n n++; if (cout > 1) n++") ENTRY ("a", "p"),
    "Program p: Line 2, column 11: Unknown name cout. Did you mean count?", 2, 11 },
  { "member", PROGRAM ("p", "sample(file->f_flag)") ENTRY ("a", "p"), "f_flags", 1, 14 },
  { "argument-elsewhere", PROGRAM ("p", "sample(count)") RETURN ("a", "p"), "at the function's entry", 1, 8 },
  { "retval-elsewhere", PROGRAM ("p", "sample(retval)") ENTRY ("a", "p"), "only where the function returns", 1, 8 },
  { "no-driver", PROGRAM ("p", "sample(pid)") ENTRY ("a", "p"), "pid is not available", 1, 8 },
  { "no-hook", PROGRAM ("p", "start(nobody)") ENTRY ("a", "p"), "labelled nobody", 1, 0 },
  { "itself", PROGRAM ("p", "stop(a)") ENTRY ("a", "p"), "its own hook a", 0, 0 },
  { "other-fields", PROGRAM ("p", "sample(v = retval)") RETURN ("a", "p") SECOND ("b", "p"),
    "Samples of program p differ between hooks a and b in field v", 0, 0 },
  { "started-with-time", PROGRAM ("p", "start(b)") PROGRAM ("q", "count()") ENTRY ("a", "p") ENTRY ("b", "q") "start=1s\n",
    "Hook b is started or stopped by program p, so it cannot have a start or stop of its own", 0, 0 },
  { "switched", "interleave=100ms\n" PROGRAM ("p", "start(b)") PROGRAM ("q", "count()") ENTRY ("a", "p") ENTRY ("b", "q"),
    "nor be switched off and on", 0, 0 },
  { "memory", PROGRAM ("p", "map m[65536]; m[arg0]++") ENTRY ("a", "p"), "a power of two from 8 to 32768", 1, 7 },
  { "event", PROGRAM ("p", "sample(event(cycels))") ENTRY ("a", "p"), "Did you mean cycles?", 1, 14 },
  { "events", PROGRAM ("p", "let a = event(1) + event(2) + event(3) + event(4) + event(5) + event(6) + event(7) + event(8)")
    PROGRAM ("q", "let a = event(9)") ENTRY ("a", "p") ENTRY ("b", "q"),
    "The programs read 9 event counters, more than the maximum of 8", 0, 0 },
  { "crash", PROGRAM ("p", "crash(\"x\")") ENTRY ("a", "p"), "Run the plan with --allow-crash", 1, 1 },
  { "common", PROGRAM ("p", "common table t[8]; t[1] = 2") PROGRAM ("q", "common table t[16]; t[1] = 2") ENTRY ("a", "p") RETURN ("b", "q"),
    "t is shared by hooks a and b, but their programs declare it differently", 0, 0 },
  { "common-kind", PROGRAM ("p", "common counter t; t++") PROGRAM ("q", "common global t; t = 2") ENTRY ("a", "p") RETURN ("b", "q"),
    "declare it differently", 0, 0 },
  { "fields", PROGRAM ("p", "sample(x = %rax)") PROGRAM ("q", "sample(x = arg2)") ENTRY ("a", "q") RETURN ("b", "q"),
    "at the function's entry", 1, 12 },
};

static void
test_refusal (gconstpointer data)
{
  const Refusal *r = data;
  g_auto(Fixture) fixture = { NULL };
  g_autoptr(GilkBoundPlan) bound = NULL;
  g_autoptr(GError) error = NULL;
  const GilkBoundHook *failed = NULL;

  open_kernel (&fixture);
  bound = bind_plan (&fixture, NULL, r->groups);
  g_assert_false (gilk_bound_plan_check (bound, &error));
  g_assert_error (error, GILK_ERROR, GILK_ERROR_USAGE);
  if (strstr (error->message, r->told) == NULL)
    g_error ("“%s” does not say “%s”", error->message, r->told);
  for (guint i = bound->hooks->len; i-- > 0;)
    failed = hook_at (bound, i)->error != NULL ? hook_at (bound, i) : failed;
  g_assert_cmpuint (failed->program_error.line, ==, r->line);
  if (r->column != 0)
    g_assert_cmpuint (failed->program_error.column, ==, r->column);
}

/* Tests that sampled fields have the types that their values have at the hook's location. */
static void
test_fields_differ (void)
{
  g_auto(Fixture) fixture = { NULL };
  g_autoptr(GilkBoundPlan) bound = NULL, same = NULL;
  g_autoptr(GError) error = NULL;

  open_kernel (&fixture);
  bound = bind_plan (&fixture, NULL, PROGRAM ("p", "sample(v = %rax)") ENTRY ("a", "p") RETURN ("b", "p") BEHIND ("c", "p"));
  assert_bound (bound);
  g_assert_null (gilk_bound_find_differing_field (hook_at (bound, 0)->program, hook_at (bound, 1)->program));
  same = bind_plan (&fixture, NULL, PROGRAM ("p", "sample(v = count)") PROGRAM ("q", "sample(v = mode)") ENTRY ("a", "p")
                    ENTRY ("b", "q"));
  assert_bound (same);
  g_assert_cmpstr (gilk_bound_find_differing_field (hook_at (same, 0)->program, hook_at (same, 1)->program), ==, "v");
}

/* Tests that a hook that a program starts is off at first, and that hooks that programs start or
 * stop have a gate, a byte by which they are switched. */
static void
test_gates (void)
{
  g_auto(Fixture) fixture = { NULL };
  g_autoptr(GilkBoundPlan) bound = NULL;

  open_kernel (&fixture);
  bound = bind_plan (&fixture, NULL, PROGRAM ("p", "if (count > 9) start(b); else stop(\"c\"); stop(b)")
                     PROGRAM ("q", "count()") ENTRY ("a", "p") ENTRY ("b", "q") RETURN ("c", "q"));
  assert_bound (bound);
  g_assert_cmpint (hook_at (bound, 0)->control, ==, GILK_CONTROL_NONE);
  g_assert_cmpint (hook_at (bound, 1)->control, ==, GILK_CONTROL_STARTED);
  g_assert_cmpint (hook_at (bound, 2)->control, ==, GILK_CONTROL_STOPPED);
  g_assert_false (want_at (bound, 0)->gated);
  g_assert_true (want_at (bound, 1)->gated && want_at (bound, 2)->gated);
}

/* ---- tests of changes to a running plan ---- */

#define TWO PROGRAM ("p", "if (count > 9) stop(b)") PROGRAM ("q", "count()") ENTRY ("a", "p") ENTRY ("b", "q")

static void
assert_was (const Fixture *fixture, const GilkBoundPlan *live, const char *groups, guint a, guint b)
{
  g_autoptr(GilkBoundPlan) next = bind_plan (fixture, live, groups);

  assert_bound (next);
  g_assert_cmpuint (hook_at (next, 0)->live_index, ==, a);
  g_assert_cmpuint (hook_at (next, 1)->live_index, ==, b);
}

static void
test_follows (void)
{
  g_auto(Fixture) fixture = { NULL };
  g_autoptr(GilkBoundPlan) live = NULL;

  open_kernel (&fixture);
  live = bind_plan (&fixture, NULL, TWO);
  assert_bound (live);
  assert_was (&fixture, live, TWO, 0, 1);
  /* If a hook's program changes, the hook counts as new, even if the program keeps its name. */
  assert_was (&fixture, live, PROGRAM ("p", "if (count > 8) stop(b)") PROGRAM ("q", "count()") ENTRY ("a", "p") ENTRY ("b", "q"),
              G_MAXUINT, 1);
  /* A hook whose program now starts or stops a different hook counts as a new hook. */
  assert_was (&fixture, live, PROGRAM ("p", "if (count > 9) stop(b)") PROGRAM ("q", "count();") ENTRY ("a", "p") ENTRY ("b", "q"),
              G_MAXUINT, G_MAXUINT);
  /* A hook counts as new if its program is unchanged but no program starts or stops it any
   * longer. */
  assert_was (&fixture, live, PROGRAM ("p", "count()") PROGRAM ("q", "count()") ENTRY ("a", "p") ENTRY ("b", "q"),
              G_MAXUINT, G_MAXUINT);
}

/* Tests that a function is not cloned for a hook after a WARN, because the clone would run the hook
 * in front of the trap, with other register contents. */
static void
test_no_clone_behind_warn (void)
{
  g_auto(Fixture) fixture = { NULL };
  g_autoptr(GilkBoundPlan) bound = NULL, forced = NULL;
  g_autoptr(GError) error = NULL;

  open_kernel (&fixture);
  bound = bind_plan (&fixture, NULL, PROGRAM ("p", "sample(retval)") ENTRY ("a", "q") RETURN ("b", "p") BEHIND ("c", "p")
                     PROGRAM ("q", "count()"));
  assert_bound (bound);
  for (guint i = 0; i < 3; i++)
    g_assert_cmpuint (hook_at (bound, i)->choice.tactic, !=, ILK_TACTIC_CLONE);
  forced = bind_plan (&fixture, NULL, PROGRAM ("p", "sample(retval)") BEHIND ("c", "p") "tactic=clone\n");
  g_assert_false (gilk_bound_plan_check (forced, &error));
  g_assert_cmpstr (gilk_refusal_name (hook_at (forced, 0)->choice.refusal), ==, "clone-mixed");
}

/* ---- tests of the consent that programs need ---- */

/* Runs the plan with the consent @granted. Returns the error, which always occurs because the
 * kernel is not live. */
static GError *
run_with (const Fixture *fixture, const char *groups, GilkConsent granted)
{
  g_autoptr(GError) error = NULL;
  g_autofree char *path = NULL;
  GilkStore *store;
  GilkRun *run;

  close (g_file_open_tmp ("gilk-consent-XXXXXX", &path, &error));
  g_assert_no_error (error);
  g_unlink (path);
  store = gilk_store_open (path, &error);
  g_assert_no_error (error);
  run = gilk_run_new (bind_plan (fixture, NULL, groups), fixture->image, store, 1, granted);
  gilk_run_start (run);
  while (gilk_run_state (run) != GILK_RUN_DONE && gilk_run_state (run) != GILK_RUN_FAILED)
    g_main_context_iteration (NULL, TRUE);
  while (gilk_run_error (run) == NULL)
    g_usleep (100);
  error = g_error_copy (gilk_run_error (run));
  while (g_atomic_int_get (&G_OBJECT (run)->ref_count) > 1)
    if (!g_main_context_iteration (NULL, FALSE))
      g_usleep (100);
  g_object_unref (run);
  gilk_store_close (store, NULL);
  g_unlink (path);

  return g_steal_pointer (&error);
}

#define ENDS "stop=1s\n"
#define ASKS "changes=yes\ncrash=yes\n"

static const struct {
  const char *groups;
  GilkConsent needed;
  guint       n;
  const char *told[3];
} consents[] = {
  { "changes=yes\n" PROGRAM ("p", "count()") ENTRY ("a", "p"), GILK_CONSENT_NONE, 0, { NULL } },
  { "changes=yes\n" PROGRAM ("p", "if (count > 3)\\n  nullify( 0 )") ENTRY ("a", "p") ENDS, GILK_CONSENT_CHANGES, 1,
    { "vfs_write+0x0:pre): nullify( 0 ): the function is skipped", "--allow-changes" } },
  { "changes=yes\n" PROGRAM ("p", "count = 1; file->f_flags = 0; %rax = 3") ENTRY ("a", "p") ENDS, GILK_CONSENT_CHANGES, 3,
    { ": count = 1: a register", ": file->f_flags = 0: kernel memory", ": %rax = 3: a register" } },
  { ASKS PROGRAM ("p", "nullify(0)") PROGRAM ("q", "crash(\"x\")") ENTRY ("a", "p") ENDS RETURN ("b", "q"),
    GILK_CONSENT_CHANGES | GILK_CONSENT_CRASH, 2, { "nullify(0)", "crash(\"x\"): the kernel panics", "--allow-changes --allow-crash." } },
  { "crash=without-dump\n" PROGRAM ("q", "crash(\"x\")") RETURN ("b", "q"), GILK_CONSENT_CRASH_WITHOUT_DUMP, 1,
    { "even if no crash kernel is loaded", "--allow-crash-without-dump" } },
};

/* Tests that a plan cannot consent to its own requests: if part of the needed consent is missing,
 * the plan is refused with a list of the missing kinds. */
static void
test_consent (void)
{
  g_auto(Fixture) fixture = { NULL };

  open_kernel (&fixture);
  for (guint i = 0; i < G_N_ELEMENTS (consents); i++)
    {
      g_autoptr(GilkBoundPlan) bound = bind_plan (&fixture, NULL, consents[i].groups);
      g_autoptr(GPtrArray) items = gilk_consent_items (bound);
      g_autoptr(GError) refused = run_with (&fixture, consents[i].groups, GILK_CONSENT_NONE);
      g_autoptr(GError) allowed = run_with (&fixture, consents[i].groups, consents[i].needed);

      assert_bound (bound);
      g_assert_cmpuint (items->len, ==, consents[i].n);
      g_assert_cmpuint (gilk_consent_needed (items), ==, consents[i].needed);
      g_assert_error (allowed, GILK_ERROR, GILK_ERROR_TARGET);
      g_assert_error (refused, GILK_ERROR, (consents[i].n > 0 ? GILK_ERROR_CONSENT : GILK_ERROR_TARGET));
      for (guint k = 0; k < G_N_ELEMENTS (consents[i].told) && consents[i].told[k] != NULL; k++)
        if (strstr (refused->message, consents[i].told[k]) == NULL)
          g_error ("“%s” does not say “%s”", refused->message, consents[i].told[k]);
      for (guint bit = 1; bit <= GILK_CONSENT_CRASH_WITHOUT_DUMP; bit *= 2)
        if (consents[i].needed & bit)
          g_assert_false (gilk_consent_check (bound, (GilkConsent) (consents[i].needed & ~bit), NULL));
    }
}

/* Tests that if a running plan is changed, an unchanged hook needs no new consent, but an added
 * hook needs consent. */
static void
test_consent_follows (void)
{
  g_auto(Fixture) fixture = { NULL };
  g_autoptr(GilkBoundPlan) live = NULL, same = NULL, more = NULL;

  open_kernel (&fixture);
  live = bind_plan (&fixture, NULL, "changes=yes\n" PROGRAM ("p", "nullify(0)") ENTRY ("a", "p") ENDS);
  assert_bound (live);
  same = bind_plan (&fixture, live, "changes=yes\n" PROGRAM ("p", "nullify(0)") ENTRY ("a", "p") ENDS);
  more = bind_plan (&fixture, live, "changes=yes\n" PROGRAM ("p", "nullify(0)") PROGRAM ("q", "%rax = 1") ENTRY ("a", "p") ENDS
                    RETURN ("b", "q") ENDS);
  g_assert_true (gilk_consent_check (same, GILK_CONSENT_NONE, NULL));
  g_assert_false (gilk_consent_check (more, GILK_CONSENT_NONE, NULL));
  g_assert_true (gilk_consent_check (more, GILK_CONSENT_CHANGES, NULL));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/bound-program/binds", test_binds);
  for (gsize i = 0; i < G_N_ELEMENTS (refusals); i++)
    {
      g_autofree char *path = g_strconcat ("/bound-program/refused/", refusals[i].name, NULL);

      g_test_add_data_func (path, &refusals[i], test_refusal);
    }
  g_test_add_func ("/bound-program/fields-differ", test_fields_differ);
  g_test_add_func ("/bound-program/gates", test_gates);
  g_test_add_func ("/bound-program/follows", test_follows);
  g_test_add_func ("/bound-program/consent", test_consent);
  g_test_add_func ("/bound-program/consent-follows", test_consent_follows);
  g_test_add_func ("/bound-program/no-clone-behind-warn", test_no_clone_behind_warn);

  return g_test_run ();
}

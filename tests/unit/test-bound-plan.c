/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test-bound-plan.c - tests that the blocks of a plan are found again in another build, or refused,
 * but never confused
 *
 * The functions are arrays of bytes with their assembly: some are from the build for which the plan
 * was made, others from builds in which blocks have moved, are gone, or call other functions.
 */
#include <string.h>

#include "core/base/gilk-error.h"
#include "core/bind/gilk-bound-plan.h"
#include "core/cfg/gilk-cfg.h"

#define BASE   0xffffffff81000000ull
#define CALLEE (BASE + 0x100)

static const uint8_t first_build[] = {
  0x0f, 0x1f, 0x44, 0x00, 0x00,       /* 0: ftrace site */
  0x48, 0x89, 0xf8,                   /* 5: mov %rdi,%rax */
  0x48, 0x85, 0xff,                   /* 8: test %rdi,%rdi */
  0x74, 0x0c,                         /* b: je 19 */
  0x48, 0x8b, 0x07,                   /* d: mov (%rdi),%rax */
  0x48, 0x83, 0xc0, 0x10,             /* 10: add $0x10,%rax */
  0xe8, 0xe7, 0x00, 0x00, 0x00,       /* 14: call 100 */
  0x48, 0x83, 0xc0, 0x01,             /* 19: add $1,%rax */
  0x48, 0x83, 0xe8, 0x02,             /* 1d: sub $2,%rax */
  0xc3,                               /* 21: ret */
};

/* A function with a sequence of branches to one end. The arguments are additional instructions in
 * the first block, which shift the later blocks. */
#define LADDER(...) { \
    0x0f, 0x1f, 0x44, 0x00, 0x00,       /* ftrace site */ \
    __VA_ARGS__ \
    0x48, 0x85, 0xff,                   /* test %rdi,%rdi */ \
    0x74, 0x0e,                         /* je the end */ \
    0x48, 0x8b, 0x07,                   /* mov (%rdi),%rax */ \
    0x48, 0x85, 0xc0,                   /* test %rax,%rax */ \
    0x74, 0x06,                         /* je the end */ \
    0x48, 0x83, 0xc0, 0x10,             /* add $0x10,%rax */ \
    0x66, 0x90, \
    0x48, 0x83, 0xc0, 0x01,             /* the end: add $1,%rax */ \
    0xc3,                               /* ret */ \
  }
static const uint8_t ladder[] = LADDER (0x48, 0x89, 0xf8,);                   /* mov %rdi,%rax */
static const uint8_t ladder_grown[] = LADDER (0x48, 0x89, 0xf8, 0x48, 0xff, 0xc6,);   /* inc %rsi */

/* Two blocks that differ only in their callee. The next array is the same function without the
 * first of these blocks. */
static const uint8_t two_calls[] = {
  0x0f, 0x1f, 0x44, 0x00, 0x00,       /* 0: ftrace site */
  0x48, 0x85, 0xff,                   /* 5: test %rdi,%rdi */
  0x74, 0x06,                         /* 8: je 10 */
  0xe8, 0xf1, 0x00, 0x00, 0x00,       /* a: call 100 */
  0xc3,                               /* f: ret */
  0xe8, 0xfb, 0x00, 0x00, 0x00,       /* 10: call 110 */
  0xc3,                               /* 15: ret */
};
static const uint8_t one_call[] = {
  0x0f, 0x1f, 0x44, 0x00, 0x00,       /* 0: ftrace site */
  0x48, 0x85, 0xff,                   /* 5: test %rdi,%rdi */
  0x74, 0x06,                         /* 8: je 10 */
  0xe8, 0x01, 0x01, 0x00, 0x00,       /* a: call 110 */
  0xc3,                               /* f: ret */
  0xc3,                               /* 10: ret */
};

/* The same two blocks at the same addresses, but with their callees exchanged. */
static const uint8_t calls_swapped[] = {
  0x0f, 0x1f, 0x44, 0x00, 0x00,
  0x48, 0x85, 0xff,
  0x74, 0x06,
  0xe8, 0x01, 0x01, 0x00, 0x00,       /* a: call 110 */
  0xc3,
  0xe8, 0xeb, 0x00, 0x00, 0x00,       /* 10: call 100 */
  0xc3,
};

/* A function with three equal sequences of blocks, two of which also have equal neighbours. */
#define WAYS(...) { \
    0x0f, 0x1f, 0x44, 0x00, 0x00,       /* 0: ftrace site */ \
    __VA_ARGS__ \
    0x48, 0x85, 0xff, 0x74, 0x04,       /* test %rdi,%rdi; je to the next test */ \
    0x48, 0xff, 0xc0, 0xc3,             /* inc %rax; ret */ \
    0x48, 0x85, 0xff, 0x74, 0x04,       /* the same */ \
    0x48, 0xff, 0xc0, 0xc3, \
    0x48, 0x85, 0xff, 0x74, 0x04,       /* and again */ \
    0x48, 0xff, 0xc0, 0xc3, \
    0xc3, \
  }
static const uint8_t ways[] = WAYS ();
static const uint8_t ways_changed[] = WAYS (0x48, 0x89, 0xf8,);

/* A function with two blocks of the same instructions. */
static const uint8_t twins[] = {
  0x0f, 0x1f, 0x44, 0x00, 0x00,       /* 0: ftrace site */
  0x48, 0x89, 0xf8,                   /* 5: mov %rdi,%rax */
  0x48, 0x85, 0xff,                   /* 8: test %rdi,%rdi */
  0x74, 0x0c,                         /* b: je 19 */
  0x48, 0x83, 0xc0, 0x01,             /* d: add $1,%rax */
  0xe8, 0xea, 0x00, 0x00, 0x00,       /* 11: call 100 */
  0xc3,                               /* 16: ret */
  0x66, 0x90,                         /* 17 */
  0x48, 0x83, 0xc0, 0x01,             /* 19: add $1,%rax */
  0xe8, 0xde, 0x00, 0x00, 0x00,       /* 1d: call 100 */
  0xc3,                               /* 22: ret */
};

typedef struct {
  GilkImage     *image;
  GilkFunctions *functions;
} Kernel;

static void
kernel_clear (Kernel *kernel)
{
  gilk_functions_unref (kernel->functions);
  gilk_image_unref (kernel->image);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Kernel, kernel_clear)

/* Makes a kernel. @suffix: appended to the name of the second callee */
static Kernel
make_kernel_named (const uint8_t *bytes, gsize length, const char *suffix)
{
  static const GilkSite site = { BASE, 0, GILK_SITE_FENTRY };
  uint8_t text[0x200];
  g_autofree char *kallsyms =
    g_strdup_printf ("%016llx T _stext\n%016llx t victim\n%016llx t callee\n"
                     "%016llx t alias_of_callee\n%016llx t another%s\n%016llx T _etext\n",
                     BASE, BASE, CALLEE, CALLEE, CALLEE + 0x10, suffix, BASE + sizeof text);
  g_autoptr(GilkSymbols) symbols = gilk_symbols_new_parse (kallsyms, strlen (kallsyms), NULL);
  Kernel kernel;

  memset (text, 0xcc, sizeof text);
  memcpy (text, bytes, length);
  text[0x100] = text[0x110] = 0xc3;
  kernel.image = gilk_image_new_static (symbols, BASE, text, sizeof text, &site, 1);
  kernel.functions = gilk_functions_new (kernel.image);

  return kernel;
}

static Kernel
make_kernel (const uint8_t *bytes, gsize length)
{
  return make_kernel_named (bytes, length, "");
}

static GilkBoundPlan *
bind_plan (const Kernel *kernel, const char *hooks)
{
  g_autofree char *text = g_strconcat ("[gilk-plan]\nversion=1\n", hooks, NULL);
  g_autoptr(GError) error = NULL;
  g_autoptr(GilkPlan) plan = gilk_plan_parse (text, strlen (text), "t.plan", &error);
  GilkBoundPlan *bound;

  g_assert_no_error (error);
  bound = gilk_bound_plan_new (plan, kernel->functions, kernel->image, NULL, NULL, &error);
  g_assert_no_error (error);

  return bound;
}

#define HOOK(label, place) \
  "[hook " label "]\nfunction=victim\n" place "\nwhere=pre\ninstrument=count\n"

static const GilkBoundHook *
hook_at (const GilkBoundPlan *bound, guint i)
{
  return &g_array_index (bound->hooks, GilkBoundHook, i);
}

static void
assert_fails (const Kernel *kernel, const char *hooks, int code, const char *says)
{
  g_autoptr(GilkBoundPlan) bound = bind_plan (kernel, hooks);
  g_autoptr(GError) error = NULL;

  g_assert_false (gilk_bound_plan_check (bound, &error));
  g_assert_error (error, GILK_ERROR, code);
  if (strstr (error->message, says) == NULL)
    g_error ("“%s” does not say “%s”", error->message, says);
}

static void
test_anchors (void)
{
  g_auto(Kernel) kernel = make_kernel (first_build, sizeof first_build);
  g_autoptr(GilkBoundPlan) bound = bind_plan (&kernel,
    HOOK ("a", "anchor=entry") HOOK ("b", "anchor=call:callee") HOOK ("c", "anchor=return")
    HOOK ("d", "anchor=call:alias_of_callee#1") HOOK ("e", "block=+0x19"));
  g_autoptr(GError) error = NULL;

  gilk_bound_plan_check (bound, &error);
  g_assert_no_error (error);
  g_assert_cmphex (hook_at (bound, 0)->addr, ==, BASE);
  g_assert_cmphex (hook_at (bound, 1)->addr, ==, BASE + 0xd);
  g_assert_cmphex (hook_at (bound, 2)->addr, ==, BASE + 0x19);
  g_assert_cmphex (hook_at (bound, 3)->addr, ==, BASE + 0xd);
  g_assert_cmphex (hook_at (bound, 4)->addr, ==, BASE + 0x19);
  g_assert_cmpuint (bound->splice_plans->len, ==, 1);
  g_assert_cmpuint (hook_at (bound, 1)->choice.patch, ==, hook_at (bound, 3)->choice.patch);
}

static void
test_anchor_errors (void)
{
  g_auto(Kernel) kernel = make_kernel (twins, sizeof twins);

  assert_fails (&kernel, HOOK ("a", "anchor=call:callee"), GILK_ERROR_AMBIGUOUS, "2 blocks of the function");
  assert_fails (&kernel, HOOK ("a", "anchor=return"), GILK_ERROR_AMBIGUOUS, "anchor=return#1");
  assert_fails (&kernel, HOOK ("a", "anchor=call:callee#3"), GILK_ERROR_NOT_FOUND, "only 2");
  assert_fails (&kernel, HOOK ("a", "anchor=call:schedule"), GILK_ERROR_NOT_FOUND, "no block");
  assert_fails (&kernel, HOOK ("a", "block=+0x1"), GILK_ERROR_NOT_FOUND, "no block starts at this offset");
  assert_fails (&kernel, "[hook a]\nfunction=victin\nanchor=entry\nwhere=pre\ninstrument=count\n",
                GILK_ERROR_NOT_FOUND, "victin");
  assert_fails (&kernel, HOOK ("a", "block=+0x1") HOOK ("b", "block=+0x2"), GILK_ERROR_NOT_FOUND,
                "1 more hook of the plan");
}

static char *
fingerprint_of (const Kernel *kernel, const char *place)
{
  g_autofree char *hook = g_strdup_printf (HOOK ("a", "%s"), place);
  g_autoptr(GilkBoundPlan) bound = bind_plan (kernel, hook);
  char print[GILK_FINGERPRINT_SIZE];

  g_assert_cmpuint (bound->n_failed, ==, 0);
  gilk_cfg_fingerprint (hook_at (bound, 0)->cfg, hook_at (bound, 0)->block, print);

  return g_strdup (print);
}

static char *
printed_hook (const Kernel *kernel, const char *place)
{
  g_autofree char *print = fingerprint_of (kernel, place);

  return g_strdup_printf (HOOK ("a", "%s\nfingerprint=%s"), place, print);
}

static void
assert_at (const Kernel *kernel, const char *hooks, uint64_t offset, gboolean moved)
{
  g_autoptr(GilkBoundPlan) bound = bind_plan (kernel, hooks);
  g_autofree char *says = gilk_bound_plan_describe_moved (bound);

  if (hook_at (bound, 0)->error != NULL)
    g_error ("%s", hook_at (bound, 0)->error->message);
  g_assert_cmphex (hook_at (bound, 0)->addr, ==, BASE + offset);
  g_assert_cmpint (hook_at (bound, 0)->moved, ==, moved);
  g_assert_cmpint (says != NULL, ==, moved);
}

static void
add_label (const GilkBoundHook *hook, gpointer labels)
{
  g_string_append (labels, hook->hook->label);
}

/* Tests removing the hooks that cannot be bound to this kernel: first from all hooks, so that the
 * rest of the plan can be bound, then only from the hooks with numbers of 2 or more. */
static void
test_rest (void)
{
  g_auto(Kernel) kernel = make_kernel (first_build, sizeof first_build);
  g_autoptr(GilkBoundPlan) bound = bind_plan (&kernel, HOOK ("a", "anchor=entry") HOOK ("b", "anchor=call:schedule")
                                              HOOK ("c", "block=+0x1") HOOK ("d", "anchor=return"));
  g_autoptr(GString) out = g_string_new (NULL), later_out = g_string_new (NULL);
  g_autoptr(GilkPlan) rest = gilk_bound_plan_bindable_subset (bound, 0, add_label, out);
  g_autoptr(GilkPlan) later = gilk_bound_plan_bindable_subset (bound, 2, add_label, later_out);
  g_autoptr(GilkBoundPlan) again = gilk_bound_plan_new (rest, kernel.functions, kernel.image, NULL, NULL, NULL);

  g_assert_cmpuint (bound->n_failed, ==, 2);
  g_assert_cmpstr (out->str, ==, "bc");
  g_assert_cmpstr (later_out->str, ==, "c");
  g_assert_cmpuint (rest->hooks->len, ==, 2);
  g_assert_cmpuint (later->hooks->len, ==, 3);
  g_assert_cmpstr (((GilkPlanHook *) g_ptr_array_index (rest->hooks, 1))->label, ==, "d");
  g_assert_true (gilk_bound_plan_check (again, NULL));
}

/* Tests a plan that needs BPF only for a tracepoint that this kernel lacks: the tracepoint is left
 * out, but not the hook that needs the driver. */
static void
test_rest_by_driver (void)
{
  g_auto(Kernel) kernel = make_kernel (first_build, sizeof first_build);
  g_autoptr(GilkBoundPlan) bound = bind_plan (&kernel, "[event a]\nwhat=tracepoint:no:such\ninstrument=count\n"
                                              HOOK ("b", "anchor=entry\ntactic=splice"));
  g_autoptr(GString) out = g_string_new (NULL);
  g_autoptr(GilkPlan) rest = gilk_bound_plan_bindable_subset (bound, 0, add_label, out);
  g_autoptr(GilkBoundPlan) again = gilk_bound_plan_new (rest, kernel.functions, kernel.image, NULL, NULL, NULL);

  g_assert_cmpuint (bound->n_failed, ==, 2);
  g_assert_cmpstr (out->str, ==, "a");
  g_assert_true (gilk_bound_plan_check (again, NULL));
}

/* Tests that a hook is refused, and not placed at a return, if its anchor (what its location is
 * relative to) is unknown. Only a caller can set such an anchor: plan files and options cannot
 * contain it. */
static void
test_unknown_anchor (void)
{
  static const char *const anchors[] = { "entri", "retrun", "", "call", "return#0", "entry#1", "calls:callee" };
  g_auto(Kernel) kernel = make_kernel (first_build, sizeof first_build);

  for (guint i = 0; i < G_N_ELEMENTS (anchors); i++)
    {
      g_autoptr(GilkPlan) plan = gilk_plan_new ();
      g_autoptr(GilkBoundPlan) bound = NULL;
      g_autoptr(GError) error = NULL;
      GilkPlanHook *hook = gilk_plan_hook_new ("a", "victim", GILK_WHERE_PRE, "count");

      hook->anchor = g_strdup (anchors[i]);
      g_ptr_array_add (plan->hooks, hook);
      bound = gilk_bound_plan_new (plan, kernel.functions, kernel.image, NULL, NULL, &error);
      g_assert_no_error (error);
      g_assert_false (gilk_bound_plan_check (bound, &error));
      g_assert_error (error, GILK_ERROR, GILK_ERROR_USAGE);
      g_assert_nonnull (strstr (error->message, "is not a location in a function"));
    }
}

static void
test_rebinding (void)
{
  g_auto(Kernel) first = make_kernel (ladder, sizeof ladder);
  g_auto(Kernel) second = make_kernel (ladder_grown, sizeof ladder_grown);
  g_autofree char *last = printed_hook (&first, "block=+0x15");
  g_autofree char *entry = printed_hook (&first, "block=+0x0");
  g_autofree char *print = fingerprint_of (&first, "block=+0x15");
  g_autofree char *wrong = g_strdup_printf (HOOK ("a", "block=+0xd\nfingerprint=%s"), print);
  g_autoptr(GilkBoundPlan) there = bind_plan (&second, last);
  g_autofree char *says = gilk_bound_plan_describe_moved (there);

  assert_at (&first, last, 0x15, FALSE);
  assert_at (&second, last, 0x18, TRUE);
  g_assert_nonnull (strstr (says, "a (victim+0x15, now +0x18)"));
  assert_at (&second, entry, 0, FALSE);
  assert_fails (&first, wrong, GILK_ERROR_STALE, "belongs to another block");
}

/* Tests that a pre-hook of a function's entry block is found in another build by the function's
 * name alone, but a post-hook of the entry block is not. */
static void
test_entry_by_name (void)
{
  g_auto(Kernel) first = make_kernel (ladder, sizeof ladder);
  g_auto(Kernel) second = make_kernel (ladder_grown, sizeof ladder_grown);
  g_autofree char *print = fingerprint_of (&first, "block=+0x0");
  g_autofree char *post = g_strdup_printf ("[hook a]\nfunction=victim\nblock=+0x0\nfingerprint=%s\nwhere=post\ninstrument=count\n", print);
  g_autofree char *second_block = printed_hook (&first, "block=+0xd");

  assert_fails (&second, post, GILK_ERROR_STALE, "no block of it matches the planned one");
  assert_fails (&second, second_block, GILK_ERROR_STALE, "no block of it matches the planned one");
  /* This plan was made for another kernel, and does not contain a fingerprint of the block. */
  assert_at (&second, "kernel=6.1.0-1\n" HOOK ("a", "block=+0x0"), 0, FALSE);
}

/* Tests that blocks that differ only in their callee are not confused. */
static void
test_callees (void)
{
  g_auto(Kernel) both = make_kernel (two_calls, sizeof two_calls);
  g_auto(Kernel) one = make_kernel (one_call, sizeof one_call);
  g_auto(Kernel) swapped = make_kernel (calls_swapped, sizeof calls_swapped);
  g_auto(Kernel) renamed = make_kernel_named (two_calls, sizeof two_calls, ".constprop.0");
  g_autofree char *first = printed_hook (&both, "block=+0xa");
  g_autofree char *second = printed_hook (&both, "block=+0x10");

  assert_at (&both, first, 0xa, FALSE);
  assert_fails (&one, first, GILK_ERROR_STALE, "no block of it matches");
  assert_fails (&swapped, first, GILK_ERROR_STALE, "no block of it matches");
  assert_at (&renamed, second, 0x10, FALSE);
}

/* Tests that a block that equals another block is ambiguous if the function has changed. */
static void
test_twins (void)
{
  g_auto(Kernel) before = make_kernel (ways, sizeof ways);
  g_auto(Kernel) after = make_kernel (ways_changed, sizeof ways_changed);
  g_autofree char *middle = printed_hook (&before, "block=+0x13");
  g_autofree char *print = fingerprint_of (&before, "block=+0x13");

  g_assert_true (g_str_has_suffix (print, ":twin"));
  assert_at (&before, middle, 0x13, FALSE);
  assert_fails (&after, middle, GILK_ERROR_AMBIGUOUS, "one of several identical");
}

/* Tests that a version 1 fingerprint, which covers only the block, is accepted only at the plan's
 * offset and in the plan's kernel. */
static void
test_old_prints (void)
{
  g_auto(Kernel) both = make_kernel (two_calls, sizeof two_calls);
  g_auto(Kernel) one = make_kernel (one_call, sizeof one_call);
  g_autoptr(GilkBoundPlan) any = bind_plan (&both, HOOK ("a", "block=+0xa"));
  g_autoptr(GilkBoundPlan) other = bind_plan (&one, HOOK ("a", "block=+0xa"));
  g_autofree char *text = NULL, *no_kernel = NULL;
  g_autoptr(GilkBoundPlan) bound = NULL;
  g_autoptr(GilkPlan) plan = NULL, renewed = NULL;
  g_autoptr(GError) error = NULL;
  char print[17], other_print[17];

  /* Both blocks have the same fingerprint by version 1. */
  gilk_cfg_old_fingerprint (hook_at (other, 0)->cfg, hook_at (other, 0)->block, other_print);
  gilk_cfg_old_fingerprint (hook_at (any, 0)->cfg, hook_at (any, 0)->block, print);
  g_assert_cmpstr (print, ==, other_print);
  no_kernel = g_strdup_printf (HOOK ("a", "block=+0xa\nfingerprint=%s"), print);
  assert_fails (&both, no_kernel, GILK_ERROR_STALE, "gilk plan renew");

  text = g_strdup_printf ("[gilk-plan]\nversion=1\nkernel=6.1\n%s", no_kernel);
  plan = gilk_plan_parse (text, strlen (text), "t.plan", &error);
  g_assert_no_error (error);
  bound = gilk_bound_plan_new (plan, both.functions, both.image, NULL, NULL, &error);
  g_assert_cmphex (hook_at (bound, 0)->addr, ==, BASE + 0xa);
  renewed = gilk_bound_plan_renew (bound, "6.2", "abcd", &error);
  g_assert_no_error (error);
  g_assert_cmpstr (renewed->kernel, ==, "6.2");
  g_assert_cmpstr (renewed->build_id, ==, "abcd");
  g_assert_cmpuint (strlen (((GilkPlanHook *) renewed->hooks->pdata[0])->fingerprint), ==, 33);
}

static void
test_gates (void)
{
  g_auto(Kernel) kernel = make_kernel (first_build, sizeof first_build);
  g_autoptr(GilkBoundPlan) same = bind_plan (&kernel,
    HOOK ("a", "block=+0x19") "start=1s\n" HOOK ("b", "block=+0x19") "start=1s\n");
  g_autoptr(GilkBoundPlan) differ = bind_plan (&kernel,
    HOOK ("a", "block=+0x19") "start=1s\n" HOOK ("b", "block=+0x19") "stop=5s\n"
    HOOK ("c", "block=+0xd") "start=2s\ntactic=splice\n");
  const GilkSplicePlan *plan = g_ptr_array_index (same->splice_plans, 0);

  g_assert_cmpuint (same->n_failed + differ->n_failed, ==, 0);
  g_assert_cmpuint (plan->n_patches, ==, 1);
  g_assert_false (plan->wants[0].gated || plan->wants[1].gated);

  plan = g_ptr_array_index (differ->splice_plans, 0);
  g_assert_true (plan->wants[hook_at (differ, 0)->want_index].gated);
  g_assert_true (plan->wants[hook_at (differ, 1)->want_index].gated);
  g_assert_false (plan->wants[hook_at (differ, 2)->want_index].gated);
}

static void
test_refusals (void)
{
  g_auto(Kernel) kernel = make_kernel (first_build, sizeof first_build);

  assert_fails (&kernel, "[hook a]\nfunction=victim\nanchor=return\nwhere=pre\ninstrument=task\n",
                GILK_ERROR_NOT_FOUND, "live target");
  assert_fails (&kernel, HOOK ("a", "anchor=entry") "param.every=3\n", GILK_ERROR_USAGE,
                "no parameter “every”");
  assert_fails (&kernel, "", GILK_ERROR_USAGE, "no hooks");
}

/* Tests that a refusal by the planner states point, cause and remedy. */
static void
test_planner_refusal (void)
{
  static const uint8_t pinned[] = {
    0x0f, 0x1f, 0x44, 0x00, 0x00,     /* 0: ftrace site */
    0x74, 0x01,                       /* 5: je 8 */
    0xc3,                             /* 7: ret */
    0xc3,                             /* 8: ret */
  };
  g_auto(Kernel) kernel = make_kernel (pinned, sizeof pinned);

  assert_fails (&kernel, HOOK ("a", "block=+0x7") "tactic=splice\n", GILK_ERROR_REFUSED,
                "Cannot hook victim+0x7 (pre): ");
}

#define AT(label, place) \
  "[hook " label "]\nfunction=victim\n" place "\nwhere=at\ninstrument=stamp\n"

static void
assert_before (const GilkBoundPlan *bound, guint i, guint offset, guint block, GilkWhere where)
{
  g_assert_cmphex (hook_at (bound, i)->addr, ==, BASE + offset);
  g_assert_cmphex (hook_at (bound, i)->cfg->blocks[hook_at (bound, i)->block].start, ==, BASE + block);
  g_assert_cmpint (hook_at (bound, i)->where, ==, where);
}

/* Tests that a hook can be placed in front of any instruction; the function's other hooks stay
 * where they are. */
static void
test_at (void)
{
  g_auto(Kernel) kernel = make_kernel (first_build, sizeof first_build);
  g_autoptr(GilkBoundPlan) bound = bind_plan (&kernel,
    AT ("a", "block=+0x10") AT ("b", "anchor=call:callee") AT ("c", "anchor=return") AT ("d", "block=+0xd")
    AT ("e", "anchor=entry") HOOK ("f", "block=+0xd")
    "[hook g]\nfunction=victim\nblock=+0xd\nwhere=post\ninstrument=count\n" AT ("h", "anchor=call:callee#1"));
  g_autoptr(GError) error = NULL;
  g_autoptr(GilkPlan) renewed = NULL;
  char print[GILK_FINGERPRINT_SIZE];

  gilk_bound_plan_check (bound, &error);
  g_assert_no_error (error);
  assert_before (bound, 0, 0x10, 0x10, GILK_WHERE_PRE);
  assert_before (bound, 1, 0x14, 0x14, GILK_WHERE_PRE);
  assert_before (bound, 2, 0x21, 0x19, GILK_WHERE_POST);
  assert_before (bound, 3, 0xd, 0xd, GILK_WHERE_PRE);
  assert_before (bound, 4, 0, 0, GILK_WHERE_PRE);
  assert_before (bound, 5, 0xd, 0xd, GILK_WHERE_PRE);
  assert_before (bound, 6, 0xd, 0x14, GILK_WHERE_POST);
  assert_before (bound, 7, 0x14, 0x14, GILK_WHERE_PRE);
  g_assert_cmpuint (bound->splice_plans->len, ==, 1);

  renewed = gilk_bound_plan_renew (bound, NULL, NULL, &error);
  g_assert_no_error (error);
  gilk_cfg_insn_fingerprint (hook_at (bound, 0)->cfg, BASE + 0x10, print);
  g_assert_cmpstr (((GilkPlanHook *) renewed->hooks->pdata[0])->fingerprint, ==, print);
  g_assert_cmpstr (((GilkPlanHook *) renewed->hooks->pdata[0])->block, ==, "+0x10");
}

/* Tests a hook before inc, three bytes in front of the block's end: too few for a splice. The
 * splice covers the instructions in front of inc, and the hook runs after them. */
static void
test_at_short (void)
{
  static const uint8_t bytes[] = {
    0x0f, 0x1f, 0x44, 0x00, 0x00,     /* 0: ftrace site */
    0x74, 0x0b,                       /* 5: je 12 */
    0x48, 0x83, 0xc0, 0x01,           /* 7: add $1,%rax */
    0x48, 0x83, 0xc0, 0x02,           /* b: add $2,%rax */
    0xff, 0xc7,                       /* f: inc %edi */
    0xc3,                             /* 11: ret */
    0xc3,                             /* 12: ret */
  };
  g_auto(Kernel) kernel = make_kernel (bytes, sizeof bytes);
  g_autoptr(GilkBoundPlan) bound = bind_plan (&kernel, AT ("a", "block=+0xf"));

  g_assert_cmpuint (bound->n_failed, ==, 0);
  assert_before (bound, 0, 0xf, 0x7, GILK_WHERE_POST);
  g_assert_cmpuint (hook_at (bound, 0)->choice.tactic, ==, ILK_TACTIC_SPLICE);
}

static void
test_at_elsewhere (void)
{
  g_auto(Kernel) kernel = make_kernel (ladder, sizeof ladder), grown = make_kernel (ladder_grown, sizeof ladder_grown);
  g_autoptr(GilkBoundPlan) first = bind_plan (&kernel, AT ("a", "block=+0x15"));
  char print[GILK_FINGERPRINT_SIZE];
  g_autofree char *hook = NULL, *spoilt = NULL;
  g_autoptr(GilkBoundPlan) bound = NULL;

  gilk_cfg_insn_fingerprint (hook_at (first, 0)->cfg, BASE + 0x15, print);
  hook = g_strdup_printf (AT ("a", "block=+0x15\nfingerprint=%s"), print);
  bound = bind_plan (&grown, hook);
  g_assert_cmpuint (bound->n_failed, ==, 0);
  g_assert_true (hook_at (bound, 0)->moved);
  g_assert_cmphex (hook_at (bound, 0)->addr, ==, BASE + 0x18);

  spoilt = g_strdup_printf (AT ("a", "block=+0xd\nfingerprint=%s"), print);
  assert_fails (&kernel, spoilt, GILK_ERROR_STALE, "another instruction");
  assert_fails (&kernel, AT ("a", "block=+0x11"), GILK_ERROR_NOT_FOUND, "no instruction starts at this offset");
  assert_fails (&kernel, AT ("a", "anchor=call:callee"), GILK_ERROR_NOT_FOUND, "calls callee");
}

static void
test_param_values (void)
{
  uint64_t value = 0;

  g_assert_true (gilk_param_value ("12", &value));
  g_assert_cmpuint (value, ==, 12);
  g_assert_true (gilk_param_value ("0xff", &value));
  g_assert_cmpuint (value, ==, 255);
  g_assert_true (gilk_param_value ("18446744073709551615", &value));
  g_assert_false (gilk_param_value ("18446744073709551616", &value));
  g_assert_false (gilk_param_value ("-1", &value));
  g_assert_false (gilk_param_value ("1k", &value));
  g_assert_false (gilk_param_value ("", &value));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/bound-plan/anchors", test_anchors);
  g_test_add_func ("/bound-plan/anchor-errors", test_anchor_errors);
  g_test_add_func ("/bound-plan/rebinding", test_rebinding);
  g_test_add_func ("/bound-plan/rest", test_rest);
  g_test_add_func ("/bound-plan/rest-by-driver", test_rest_by_driver);
  g_test_add_func ("/bound-plan/unknown-anchor", test_unknown_anchor);
  g_test_add_func ("/bound-plan/entry-by-name", test_entry_by_name);
  g_test_add_func ("/bound-plan/callees", test_callees);
  g_test_add_func ("/bound-plan/old-prints", test_old_prints);
  g_test_add_func ("/bound-plan/twins", test_twins);
  g_test_add_func ("/bound-plan/gates", test_gates);
  g_test_add_func ("/bound-plan/refusals", test_refusals);
  g_test_add_func ("/bound-plan/planner-refusal", test_planner_refusal);
  g_test_add_func ("/bound-plan/at", test_at);
  g_test_add_func ("/bound-plan/at-short", test_at_short);
  g_test_add_func ("/bound-plan/at-elsewhere", test_at_elsewhere);
  g_test_add_func ("/bound-plan/param-values", test_param_values);

  return g_test_run ();
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test-user.c - checks hooks in a user program that a false agent serves: names, locations,
 * refusals and loads
 */
#include <glib/gstdio.h>

#include "core/base/gilk-error.h"
#include "core/base/gilk-refusal.h"
#include "core/bind/gilk-plan-way.h"
#include "core/cfg/gilk-function.h"
#include "core/emit/gilk-bpf-code.h"
#include "core/image/gilk-image-private.h"
#include "core/image/gilk-image-user.h"
#include "core/link/gilk-answers.h"
#include "core/splice/gilk-splice.h"
#include "tests/unit/false-agent-socket.h"

#define USER "user:" FALSE_PROGRAM_PATH ":"

typedef struct {
  FalseSocket    socket;
  GilkTarget    *target;
  GilkImage     *image;
  GilkFunctions *functions;
} Fixture;

static void
set_up (Fixture *f, gconstpointer data)
{
  g_autoptr(GError) error = NULL;

  f->target = false_socket_open (&f->socket, 2, NULL, NULL);
  f->image = gilk_image_open (f->target, NULL, NULL, &error);
  g_assert_no_error (error);
  f->functions = gilk_functions_new (f->image);
}

static void
tear_down (Fixture *f, gconstpointer data)
{
  gilk_functions_unref (f->functions);
  gilk_image_unref (f->image);
  gilk_target_unref (f->target);
  false_socket_stop (&f->socket);
}

/* ---- test of reading a large piece of a program file ---- */

/* Tests that one answer can hold the largest piece of a file together with the file's
 * attributes. */
static void
test_long_file (Fixture *f, gconstpointer data)
{
  g_autoptr(GBytes) program = false_program_new ();
  g_autofree uint8_t *bytes = g_malloc (FALSE_FILE_BYTES);
  g_autoptr(GError) error = NULL;
  struct gilk_user_file file;

  g_assert_true (gilk_target_program_file (f->target, FALSE_PROGRAM_PATH, &file, NULL, &error));
  g_assert_cmpuint (file.bytes, ==, FALSE_FILE_BYTES);
  g_assert_true (gilk_target_program_read (f->target, FALSE_PROGRAM_PATH, &file, 0, FALSE_FILE_BYTES, bytes, NULL, &error));
  g_assert_no_error (error);
  g_assert_cmpmem (bytes, FALSE_PROGRAM_SIZE, g_bytes_get_data (program, NULL), FALSE_PROGRAM_SIZE);
  g_assert_cmpuint (gilk_answer_bytes_max (GILK_USER_READ), >=, sizeof file + GILK_WIRE_USER_MAX);
  g_assert_cmpuint (gilk_answer_bytes_max (GILK_COUNTERS), >=, GILK_WIRE_COUNTERS_MAX);
  g_assert_cmpuint (gilk_answer_bytes_max (GILK_MEMORY_READ), >=, GILK_WIRE_MEMORY_MAX);
  g_assert_cmpuint (gilk_answer_bytes_max (GILK_USER_BIND), >=, GILK_USER_POINTS_MAX * sizeof (struct gilk_user_point));
}

/* ---- tests of function names in programs ---- */

/* Function names in C++, Rust and Go. */
static const struct { const char *name; guint at; } scoped[] = {
  { USER "shop::Basket::add", 0x140 }, { USER "_ZN4shop6Basket3addEi", 0x140 }, { USER "shop::Basket::sum", 0x150 },
  { USER "shop::Basket::Basket", 0x160 }, { USER "total", 0x190 }, { USER "app::work", 0x1a0 },
  { USER "main.Sum[go.shape.int_0]", 0x1b0 },
};

static void
test_names (Fixture *f, gconstpointer data)
{
  g_autoptr(GError) error = NULL;
  const GilkFunction *function = gilk_functions_lookup (f->functions, USER "branch", &error), *again;
  g_autofree char *name = NULL;

  g_assert_no_error (error);
  g_assert_cmphex (function->hot.start, ==, FALSE_PROGRAM_BASE + 0x20);
  g_assert_cmphex (function->hot.end, ==, FALSE_PROGRAM_BASE + 0x20 + 13);
  name = gilk_functions_name (f->functions, function);
  g_assert_cmpstr (name, ==, USER "branch");
  g_assert_cmpstr (gilk_functions_module_name (f->functions, function), ==, FALSE_PROGRAM_PATH);
  again = gilk_functions_lookup (f->functions, name, &error);
  g_assert_true (again == function);
  g_assert_true (gilk_functions_of (f->functions, function) != f->functions);
  again = gilk_functions_lookup (f->functions, USER "twice@2", &error);
  g_assert_no_error (error);
  g_assert_cmphex (again->hot.start, ==, FALSE_PROGRAM_BASE + 0xc0);
  g_free (name);
  name = gilk_functions_name (f->functions, again);
  g_assert_cmpstr (name, ==, USER "twice@2");
  for (guint i = 0; i < G_N_ELEMENTS (scoped); i++)
    {
      again = gilk_functions_lookup (f->functions, scoped[i].name, &error);
      g_assert_no_error (error);
      g_assert_cmphex (again->hot.start, ==, FALSE_PROGRAM_BASE + scoped[i].at);
    }
  again = gilk_functions_lookup (f->functions, "fn_1", &error);
  g_assert_no_error (error);
  g_assert_cmpstr (gilk_functions_module_name (f->functions, again), ==, "kernel");
}

static const struct { const char *name; int code; const char *words; } wrong_names[] = {
  { USER "none", GILK_ERROR_NOT_FOUND, "none" },
  { USER "twice", GILK_ERROR_AMBIGUOUS, "twice" },
  { USER "shop::open", GILK_ERROR_AMBIGUOUS, "_ZN4shop4openEi, _ZN4shop4openEPKc" },
  { USER "shop::Basket::remove", GILK_ERROR_NOT_FOUND, "remove" },
  { USER "shop::Basket", GILK_ERROR_NOT_FOUND, "Basket" },
  { USER "chosen", GILK_ERROR_REFUSED, "several implementations" },
  { USER, GILK_ERROR_USAGE, "user:PATH:FUNCTION" },
  { "user:", GILK_ERROR_USAGE, "user:PATH:FUNCTION" },
  { "user:bin/x:main", GILK_ERROR_USAGE, "user:PATH:FUNCTION" },
  { "user:/bin/none:main", GILK_ERROR_FAILED, "" },
};

static void
test_wrong_names (Fixture *f, gconstpointer data)
{
  for (guint i = 0; i < G_N_ELEMENTS (wrong_names); i++)
    {
      g_autoptr(GError) error = NULL;

      g_assert_null (gilk_functions_lookup (f->functions, wrong_names[i].name, &error));
      g_assert_nonnull (error);
      if (strstr (error->message, wrong_names[i].words) == NULL ||
          (wrong_names[i].code != GILK_ERROR_FAILED && error->code != wrong_names[i].code))
        g_error ("%s: %d: %s", wrong_names[i].name, error->code, error->message);
    }
}

/* ---- tests of the locations of hooks in a program ---- */

static GilkBoundPlan *
bind_hook (Fixture *f, const char *hook)
{
  g_autofree char *text = g_strdup_printf ("[gilk-plan]\nversion=2\n[program p]\ncode=%s\n[hook a]\n%s\n",
                                           "if (arg1 > 2) sample (arg0, *(u32 *) (arg1 - 8), frame)", hook);
  g_autoptr(GError) error = NULL;
  g_autoptr(GilkPlan) plan = gilk_plan_parse (text, strlen (text), "test", &error);
  GilkBoundPlan *bound;

  g_assert_no_error (error);
  gilk_plan_set_origin (plan, gilk_target_release (f->target), gilk_target_build_id (f->target));
  bound = gilk_bound_plan_new (plan, f->functions, f->image, NULL, NULL, &error);
  g_assert_no_error (error);

  return bound;
}

static const struct { const char *hook; guint at; gboolean returns; guint refusal; const char *words; } places[] = {
  { "function=" USER "plain\nanchor=entry\nwhere=pre\ninstrument=count", 0x00 },
  /* The hook is at the only exit. Where not all exits are known, the hook uses the kernel's return
   * trampoline. */
  { "function=" USER "plain\nanchor=return\nwhere=post\ninstrument=stamp", 0x03 },
  { "function=" USER "branch\nanchor=return\nwhere=post\ninstrument=stamp", 0x2c },
  { "function=" USER "computed\nanchor=return\nwhere=post\ninstrument=stamp", 0x40, TRUE },
  { "function=" USER "plain\nanchor=return#1\nwhere=post\ninstrument=span", 0x03 },
  { "function=" USER "branch\nblock=+0x4\nwhere=pre\ninstrument=count", 0x24 },
  { "function=" USER "branch\nblock=+0x2\nwhere=pre\ninstrument=count", 0x22 },
  { "function=" USER "branch\nblock=+0x0\nwhere=post\ninstrument=count", 0x22 },
  { "function=" USER "branch\nblock=+0xc\nwhere=pre\ninstrument=count", 0x2c },
  { "function=" USER "computed\nblock=+0x2\nwhere=pre\ninstrument=count", 0x42 },
  { "function=" USER "crooked\nanchor=entry\nwhere=pre\ninstrument=count", 0x60 },
  { "function=" USER "branch\nblock=+0x4\nwhere=post\ninstrument=count", .refusal = GILK_REFUSAL_RUNS_ON },
  { "function=" USER "plain\nanchor=entry\nwhere=pre\ninstrument=count\ntactic=splice",
    .refusal = GILK_REFUSAL_USER_TACTIC },
  { "function=" USER "branch\nblock=+0x1\nwhere=pre\ninstrument=count", .words = "no instruction starts at this offset" },
  { "function=" USER "branch\nblock=+0x5\nwhere=pre\ninstrument=count", .words = "no instruction starts at this offset" },
  { "function=" USER "branch\nblock=+0x2\nwhere=post\ninstrument=count", .words = "no instruction starts at this offset" },
};

static void
test_places (Fixture *f, gconstpointer data)
{
  for (guint i = 0; i < G_N_ELEMENTS (places); i++)
    {
      g_autoptr(GilkBoundPlan) bound = bind_hook (f, places[i].hook);
      const GilkBoundHook *hook = &g_array_index (bound->hooks, GilkBoundHook, 0);
      const GilkSplicePlan *plan;

      if (places[i].refusal != 0 || places[i].words != NULL)
        {
          g_assert_nonnull (hook->error);
          g_assert_cmpuint (hook->choice.refusal, ==, places[i].refusal);
          g_assert_true (places[i].words == NULL || strstr (hook->error->message, places[i].words) != NULL);
          continue;
        }
      g_assert_no_error (hook->error);
      plan = g_ptr_array_index (bound->splice_plans, hook->splice_plan);
      g_assert_cmpuint (hook->choice.tactic, ==, GILK_TACTIC_UPROBE);
      g_assert_cmpuint (plan->n_patches, ==, 1);
      g_assert_cmphex (plan->patches[0].site, ==, FALSE_PROGRAM_BASE + places[i].at);
      g_assert_cmpuint (plan->patches[0].len, ==, 0);
      g_assert_cmpint (plan->wants[0].returns, ==, places[i].returns);
    }
}

/* Tests that hooks that need the kernel's return trampoline are refused in programs of languages
 * whose runtime searches the stack for return addresses or moves the stack. */
static void
test_trampolines (Fixture *f, gconstpointer data)
{
  static const guint refusals[] = {
    [GILK_ELF_RETURNS] = 0, [GILK_ELF_UNWINDS] = GILK_REFUSAL_USER_UNWINDS, [GILK_ELF_GO] = GILK_REFUSAL_USER_GO,
  };

  for (guint i = 0; i < G_N_ELEMENTS (refusals); i++)
    {
      g_autoptr(GilkBoundPlan) bound = bind_hook (f, places[3].hook), own = NULL, trampoline = NULL;
      const GilkBoundHook *hook = &g_array_index (bound->hooks, GilkBoundHook, 0);

      hook->cfg->image->user->runtime = i;
      own = bind_hook (f, places[1].hook);
      g_assert_no_error (g_array_index (own->hooks, GilkBoundHook, 0).error);
      trampoline = bind_hook (f, "function=" USER "computed\nanchor=return\nwhere=post\ninstrument=count");
      g_assert_cmpuint (g_array_index (trampoline->hooks, GilkBoundHook, 0).choice.refusal, ==, refusals[i]);
      hook->cfg->image->user->runtime = GILK_ELF_RETURNS;
    }
}

/* ---- tests whether loads read from the process or the kernel ---- */

/* @loads has one letter per load of @code, in order: p reads from the process, k reads from an
 * address that the kernel gave. */
static const struct { const char *code, *loads; } readers[] = {
  { "sample (x = *(u64 *) arg0)", "p" },
  { "sample (x = *(u64 *) (arg0 + 8), y = *(u32 *) (arg0 - 8))", "pp" },
  { "sample (text = string (arg0, 16))", "pp" },
  { "sample (x = *(u64 *) *(u64 *) (%rsp + 8))", "pp" },
  { "let p = arg0; sample (x = *(u64 *) p)", "p" },
  { "global g; g = arg0; let p = g; sample (x = *(u64 *) p)", "p" },
  { "table t[16]; t[1] = arg0; let p = take (t, 1); sample (x = *(u64 *) p)", "p" },
  { "sample (x = *(u64 *) task)", "k" },
  { "sample (x = *(u64 *) *(u64 *) (task + 16))", "kk" },
  { "sample (x = *(u64 *) 0xffffffff81000000)", "k" },
  { "sample (x = *(u64 *) (task + arg0))", "p" },
  { "sample (x = *(u64 *) (0xffffffff81000000 + cpu * 8))", "k" },
  { "sample (x = *(u64 *) (0xffffffff81000000 + (arg0 & 7) * 8))", "p" },
  { "let p = (u64) task; if (arg1 > 2) p = arg0; sample (x = *(u64 *) p)", "p" },
  { "let p = (u64) task; if (arg1 > 2) p = 0xffffffff81000000; sample (x = *(u64 *) p)", "k" },
  { "sample (x = *(u64 *) (arg0 ^ arg0))", "p" },
  { "sample (x = *(u64 *) 0x404040)", "p" },
  { "let p = 0; if (arg1 > 2) p = (u64) task; sample (x = *(u64 *) p)", "k" },
};

static void
check_reader (guint number)
{
  const GilkProgramPlace place = { .at_entry = TRUE, .is_user = TRUE, .current_task = 0x400, .cpu_number = 0x408 };
  g_autoptr(GError) error = NULL;
  g_autoptr(GilkProgram) program = gilk_program_new (readers[number].code, &place, NULL, &error);
  g_autofree gboolean *given = NULL;
  g_autoptr(GString) loads = g_string_new (NULL);

  g_assert_no_error (error);
  given = gilk_ops_given (gilk_program_ops (program));
  for (guint i = 0; i < gilk_program_ops (program)->ops->len; i++)
    if (g_array_index (gilk_program_ops (program)->ops, GilkOp, i).kind == GILK_OP_LOAD)
      g_string_append_c (loads, given[i] ? 'k' : 'p');
  if (strcmp (loads->str, readers[number].loads) != 0)
    {
      g_autofree char *text = gilk_ops_text (gilk_program_ops (program));

      g_error ("%s: %s, not %s:\n%s", readers[number].code, loads->str, readers[number].loads, text);
    }
}

static GArray *
make_bpf_code (const char *text, gboolean is_user, gboolean returns)
{
  static const uint64_t areas[] = { 1, 2, 3 };
  const GilkProgramPlace place = {
    .at_entry = !returns, .at_return = returns, .is_user = TRUE, .current_task = GILK_BPF_GS_CURRENT, .cpu_number = GILK_BPF_GS_CPU,
  };
  const GilkBpfPlace at = { .iid = 1, .n_cpus = 2, .ring_bytes = 65536, .areas = areas, .is_user = is_user, .returns = returns };
  GArray *insns = g_array_new (FALSE, TRUE, sizeof (struct bpf_insn));
  g_autoptr(GError) error = NULL;
  g_autoptr(GilkProgram) program = gilk_program_new (text, &place, NULL, &error);

  g_assert_no_error (error);
  gilk_bpf_code (gilk_program_ops (program), &at, insns, &error);
  g_assert_no_error (error);

  return insns;
}

/* Returns a letter per call of a helper that reads memory, as in @readers. */
static char *
list_reads (const GArray *insns)
{
  GString *reads = g_string_new (NULL);

  for (guint i = 0; i < insns->len; i++)
    {
      const struct bpf_insn *insn = &g_array_index (insns, struct bpf_insn, i);

      if (insn->code == (BPF_JMP | BPF_CALL) && insn->imm == BPF_FUNC_probe_read_kernel)
        g_string_append_c (reads, 'k');
      else if (insn->code == (BPF_JMP | BPF_CALL) && insn->imm == BPF_FUNC_probe_read_user)
        g_string_append_c (reads, 'p');
    }

  return g_string_free (reads, FALSE);
}

/* Checks a BPF program in a hook of a user program: it reads with the helper for the owner of each
 * address, process or kernel. In a hook of the kernel, it reads all addresses as the kernel's. */
static void
check_bpf_reader (guint number)
{
  g_autoptr(GArray) insns = make_bpf_code (readers[number].code, TRUE, FALSE);
  g_autoptr(GArray) in_kernel = make_bpf_code (readers[number].code, FALSE, FALSE);
  g_autofree char *reads = list_reads (insns), *all = list_reads (in_kernel);

  g_assert_cmpstr (reads, ==, readers[number].loads);
  g_assert_cmpuint (strspn (all, "k"), ==, strlen (readers[number].loads));
}

static void
test_readers (Fixture *f, gconstpointer data)
{
  for (guint i = 0; i < G_N_ELEMENTS (readers); i++)
    {
      check_reader (i);
      check_bpf_reader (i);
    }
}

/* Returns a sum over the places where the BPF program reads a register: the constant that the
 * program subtracts from the value it has read, or 1 if it subtracts none. */
static int
sum_offsets (const GArray *insns, int register_offset)
{
  int sum = 0;

  for (guint i = 1; i < insns->len; i++)
    {
      const struct bpf_insn *load = &g_array_index (insns, struct bpf_insn, i - 1), *next = load + 1;

      if (load->code == (BPF_LDX | BPF_MEM | BPF_DW) && load->src_reg == BPF_REG_6 && load->off == register_offset)
        sum += next->code == (BPF_ALU64 | BPF_SUB | BPF_K) && next->dst_reg == load->dst_reg ? next->imm : 1;
    }

  return sum;
}

/* Tests that a program at a return reads the stack pointer as it was before the return address was
 * popped. */
static void
test_stack_pointer (Fixture *f, gconstpointer data)
{
  const int rsp = gilk_pt_regs_offset (GILK_RSP), rax = gilk_pt_regs_offset (GILK_RAX);
  g_autoptr(GArray) entry = make_bpf_code ("sample (a = %rsp, b = %rax)", TRUE, FALSE);
  g_autoptr(GArray) out = make_bpf_code ("sample (a = %rsp, b = %rax)", TRUE, TRUE);

  g_assert_cmpint (sum_offsets (entry, rsp), ==, 1);
  g_assert_cmpint (sum_offsets (out, rsp), ==, 8);
  g_assert_cmpint (sum_offsets (out, rax), ==, 1);
}

static int
first_hook (const char *label, gpointer data)
{
  return 0;
}

static gboolean
always_moves (int hook, gpointer data)
{
  return TRUE;
}

static void
test_watches (Fixture *f, gconstpointer data)
{
  const GilkProgramPlace place = {
    .at_entry = TRUE, .is_user = TRUE, .current_task = 0x400, .hook = first_hook, .moves = always_moves,
  };
  g_autoptr(GError) error = NULL;
  g_autoptr(GilkProgram) good = gilk_program_new ("watch (w, task)", &place, NULL, &error);

  g_assert_no_error (error);
  g_assert_nonnull (good);
  g_assert_null (gilk_program_new ("watch (w, arg0)", &place, NULL, &error));
  g_assert_nonnull (strstr (error->message, "comes from the process"));
}

/* ---- tests of plans with hooks in programs ---- */

static void
test_plan_text (Fixture *f, gconstpointer data)
{
  static const char given[] =
    "[gilk-plan]\nversion=2\n[program p]\ncode=if (arg1 > 2) sample (arg0, *(u32 *) (arg1 - 8), frame)\n"
    "[hook a]\nfunction=" USER "plain\nanchor=entry\nwhere=pre\nprogram=p\n"
    "[hook b]\nfunction=" USER "plain\nanchor=return\nwhere=post\ninstrument=count\n"
    "[hook c]\nfunction=fn_1\nblock=+0x18\nwhere=pre\ninstrument=count\n";
  g_autoptr(GError) error = NULL;
  g_autoptr(GilkPlan) plan = gilk_plan_parse (given, sizeof given - 1, "test", &error), again = NULL;
  g_autofree char *text = NULL, *again_text = NULL;

  g_assert_no_error (error);
  g_assert_true (gilk_plan_needs_bpf (plan));
  text = gilk_plan_to_text (plan);
  again = gilk_plan_parse (text, strlen (text), "again", &error);
  g_assert_no_error (error);
  again_text = gilk_plan_to_text (again);
  g_assert_cmpstr (again_text, ==, text);
  g_assert_nonnull (strstr (text, "function=" USER "plain\n"));
}

/* Tests that a plan with a program that reads event counters needs BPF only if a hook uses the
 * program. */
static void
test_counters (Fixture *f, gconstpointer data)
{
  static const char given[] =
    "[gilk-plan]\nversion=2\n[program p]\ncode=sample (event (page_faults))\n"
    "[hook a]\nfunction=fn_1\nanchor=entry\nwhere=pre\ninstrument=count\n"
    "[hook b]\nfunction=fn_1\nblock=+0x18\nwhere=pre\nprogram=p\n";
  g_autoptr(GError) error = NULL;
  g_autoptr(GilkPlan) plan = gilk_plan_parse (given, sizeof given - 1, "test", &error);

  g_assert_no_error (error);
  g_assert_false (gilk_plan_hook_needs_bpf (plan, g_ptr_array_index (plan->hooks, 0)));
  g_assert_true (gilk_plan_hook_needs_bpf (plan, g_ptr_array_index (plan->hooks, 1)));
  g_assert_true (gilk_plan_needs_bpf (plan));
  g_ptr_array_remove_index (plan->hooks, 1);
  g_assert_false (gilk_plan_needs_bpf (plan));
}

/* Tests replacing instruments that are modules with programs that take the same samples. Hooks of
 * one module share one program. Hooks whose module no program can replace stay unchanged. */
static void
test_modules (Fixture *f, gconstpointer data)
{
  static const char given[] =
    "[gilk-plan]\nversion=2\n[program own]\ncode=count ()\n"
    "[hook a]\nfunction=fn_1\nanchor=entry\nwhere=pre\ninstrument=task\n"
    "[hook b]\nfunction=fn_1\nblock=+0x18\nwhere=pre\ninstrument=task\n"
    "[hook c]\nfunction=fn_1\nblock=+0x18\nwhere=pre\nprogram=own\n"
    "[hook d]\nfunction=fn_1\nblock=+0x18\nwhere=pre\ninstrument=template\n"
    "[hook e]\nfunction=fn_1\nblock=+0x18\nwhere=pre\ninstrument=args\n";
  g_autoptr(GError) error = NULL;
  g_autoptr(GilkPlan) plan = gilk_plan_parse (given, sizeof given - 1, "test", &error), changed = NULL, again = NULL;
  const GilkPlanHook *hooks[5];

  g_assert_no_error (error);
  changed = gilk_plan_without_modules (plan);
  g_assert_true (changed != plan);
  for (guint i = 0; i < G_N_ELEMENTS (hooks); i++)
    {
      hooks[i] = g_ptr_array_index (changed->hooks, i);
      g_assert_cmpint (hooks[i]->is_program, ==, i != 3);
    }
  g_assert_nonnull (strstr (gilk_plan_hook_code (changed, hooks[0]), "comm = comm"));
  g_assert_cmpstr (hooks[1]->instrument, ==, hooks[0]->instrument);
  g_assert_cmpstr (gilk_plan_hook_code (changed, hooks[2]), ==, "count ()");
  g_assert_nonnull (strstr (gilk_plan_hook_code (changed, hooks[4]), "arg5 = %r9"));
  g_assert_cmpuint (changed->programs->len, ==, 3);
  g_assert_false (((GilkPlanHook *) g_ptr_array_index (plan->hooks, 0))->is_program);

  again = gilk_plan_without_modules (changed);
  g_assert_true (again == changed);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/user/counters", Fixture, NULL, set_up, test_counters, tear_down);
  g_test_add ("/user/modules", Fixture, NULL, set_up, test_modules, tear_down);
  g_test_add ("/user/long-file", Fixture, NULL, set_up, test_long_file, tear_down);
  g_test_add ("/user/names", Fixture, NULL, set_up, test_names, tear_down);
  g_test_add ("/user/wrong-names", Fixture, NULL, set_up, test_wrong_names, tear_down);
  g_test_add ("/user/places", Fixture, NULL, set_up, test_places, tear_down);
  g_test_add ("/user/trampolines", Fixture, NULL, set_up, test_trampolines, tear_down);
  g_test_add ("/user/readers", Fixture, NULL, set_up, test_readers, tear_down);
  g_test_add ("/user/stack-pointer", Fixture, NULL, set_up, test_stack_pointer, tear_down);
  g_test_add ("/user/watches", Fixture, NULL, set_up, test_watches, tear_down);
  g_test_add ("/user/plan-text", Fixture, NULL, set_up, test_plan_text, tear_down);

  return g_test_run ();
}

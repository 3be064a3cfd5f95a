/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test-kprobe-plan.c - checks the tactic, refusal and predicted cost of hooks that are kprobes */
/* Promise: a kprobe is predicted to cost a jump only where the kernel can put one */
#include "agent/gilk-wire.h"
#include "core/emit/gilk-kprobe-cost.h"
#include "splice-fixture.h"

static guint
find_insn (const Fixture *fixture, uint64_t offset)
{
  for (guint i = 0; i < fixture->cfg->n_insns; i++)
    if (fixture->cfg->insns[i].addr == FIXTURE_BASE + offset)
      return i;

  return G_MAXUINT;
}

static void
assert_optimised (const Fixture *fixture, uint64_t offset, gboolean optimised)
{
  g_assert_cmpint (gilk_kprobe_is_optimised (fixture->cfg, find_insn (fixture, offset)), ==, optimised);
}

static void
test_room (void)
{
  g_auto(Fixture) fixture = FIXTURE (fixture_typical, FIXTURE_C);

  assert_optimised (&fixture, 0, FALSE);           /* the ftrace site */
  assert_optimised (&fixture, 5, TRUE);
  assert_optimised (&fixture, 8, FALSE);           /* the jump would overwrite a branch */
  assert_optimised (&fixture, 0xb, FALSE);
  assert_optimised (&fixture, 0xd, TRUE);
  assert_optimised (&fixture, 0x18, FALSE);        /* the jump would reach beyond the function's end */
}

/* A loop leads to the second instruction that a jump would overwrite. */
static const uint8_t loop[] = {
  FENTRY,                             /* 0 */
  0x48, 0x89, 0xf8,                   /* 5: mov %rdi,%rax */
  0x48, 0xff, 0xc8,                   /* 8: dec %rax */
  0x48, 0x89, 0xc1,                   /* b: mov %rax,%rcx */
  0x48, 0x85, 0xc0,                   /* e: test %rax,%rax */
  0x75, 0xf5,                         /* 11: jne 8 */
  0xc3,                               /* 13: ret */
};

static void
test_target (void)
{
  g_auto(Fixture) fixture = FIXTURE (loop, FIXTURE_C);

  assert_optimised (&fixture, 5, FALSE);
  assert_optimised (&fixture, 8, TRUE);
}

/* Tests that no kprobe in a function with a fix-up counts as optimised: fix-ups may lead anywhere
 * in the function, so the kernel optimises no kprobe in it. */
static void
test_fixup (void)
{
  g_auto(Fixture) fixture =
    FIXTURE (fixture_typical, FIXTURE_C, { FIXTURE_BASE + 0xd, FIXTURE_BASE + 0x18, GILK_SITE_EXTABLE });

  assert_optimised (&fixture, 5, FALSE);
}

static void
test_cost (void)
{
  g_auto(Fixture) fixture = FIXTURE (fixture_typical, FIXTURE_C);
  const GilkWant wants[] = {
    { .block = fixture_block (&fixture, 0xd), .kind = GILK_INLINE_COUNT },
    { .block = fixture_block (&fixture, 0x18), .kind = GILK_INLINE_COUNT },
    { .block = fixture_block (&fixture, 0xd), .kind = GILK_INSTRUMENT_MODULE },
    { .block = fixture_block (&fixture, 0xd), .kind = GILK_INLINE_COUNT, .force = ILK_TACTIC_TRAP },
  };
  g_autoptr(GilkSplicePlan) plan = gilk_bpf_plan_new (fixture.cfg, wants, G_N_ELEMENTS (wants), NULL, NULL);

  g_assert_cmpuint (plan->choices[0].tactic, ==, GILK_TACTIC_KPROBE);
  g_assert_cmpuint (plan->choices[0].cost, >, GILK_KPROBE_COST);
  g_assert_cmpuint (plan->choices[0].cost, <, GILK_KPROBE_COST + 50);
  g_assert_cmpuint (plan->choices[1].cost - plan->choices[0].cost, ==, GILK_KPROBE_INT3_COST - GILK_KPROBE_COST);
  g_assert_cmpuint (plan->choices[2].refusal, ==, GILK_REFUSAL_BPF_MODULE);
  g_assert_cmpuint (plan->choices[3].refusal, ==, GILK_REFUSAL_BPF_TACTIC);
}

/* A loop leads to the first instruction after the call of ftrace. */
static const uint8_t loop_at_start[] = {
  FENTRY,                             /* 0 */
  0x48, 0xff, 0xcf,                   /* 5: dec %rdi */
  0x75, 0xfb,                         /* 8: jne 5 */
  0xc3,                               /* a: ret */
};

static const GilkPatchPlan *
plan_join (const Fixture *fixture, uint64_t offset, gboolean joins, GilkSplicePlan **plan)
{
  const GilkWant want = { .block = fixture_block (fixture, offset), .kind = GILK_INLINE_COUNT, .joins = joins };

  *plan = gilk_bpf_plan_new (fixture->cfg, &want, 1, NULL, NULL);
  g_assert_cmpuint ((*plan)->n_patches, ==, 1);
  g_assert_cmpint ((*plan)->wants[0].gated, ==, ((*plan)->patches[0].flags & GILK_PATCH_JOINS) != 0);

  return &(*plan)->patches[0];
}

static guint
plan_entry (const Fixture *fixture, uint64_t offset, GilkInstrumentKind kind, const GilkOps *ops)
{
  const GilkWant want = { .block = fixture_block (fixture, offset), .kind = kind, .ops = ops, .entry_type = 5, .entry_words = 1 << 0 | 1 << 2 };
  g_autoptr(GilkSplicePlan) plan = gilk_bpf_plan_new (fixture->cfg, &want, 1, NULL, NULL);

  g_assert_cmpuint (plan->n_patches, ==, 1);
  if (plan->choices[0].tactic == GILK_TACTIC_FENTRY)
    {
      g_assert_cmphex (plan->patches[0].site, ==, FIXTURE_BASE);
      g_assert_cmpuint (plan->patches[0].entry_type, ==, 5);
      g_assert_cmpuint (plan->choices[0].cost, <, GILK_KPROBE_COST);
    }

  return plan->choices[0].tactic;
}

/* Returns operations that count if register @reg is not 0. (transfer full) */
static GilkOps *
make_reader (guint reg)
{
  GilkOps *ops = gilk_ops_new ();
  const guint value = gilk_ops_value (ops), end = gilk_ops_label (ops);

  gilk_ops_add (ops, &(GilkOp) { .kind = GILK_OP_REGISTER, .to = (uint16_t) value, .a = GILK_NO_VALUE, .b = GILK_NO_VALUE, .index = GILK_NO_VALUE, .imm = reg });
  gilk_ops_add (ops, &(GilkOp) { .kind = GILK_OP_BRANCH, .compare = GILK_IF_EQ, .to = GILK_NO_VALUE, .a = (uint16_t) value, .b = (uint16_t) value,
                                 .index = GILK_NO_VALUE, .label = (uint16_t) end });
  gilk_ops_add (ops, &(GilkOp) { .kind = GILK_OP_COUNT, .to = GILK_NO_VALUE, .a = GILK_NO_VALUE, .b = GILK_NO_VALUE, .index = GILK_NO_VALUE });
  gilk_ops_add (ops, &(GilkOp) { .kind = GILK_OP_LABEL, .to = GILK_NO_VALUE, .a = GILK_NO_VALUE, .b = GILK_NO_VALUE, .index = GILK_NO_VALUE, .label = (uint16_t) end });

  return ops;
}

/* Tests that a program is attached to a function's entry only where it runs once in each call, and reads
 * nothing but arguments of 8 bytes. */
static void
test_entry (void)
{
  g_auto(Fixture) fixture = FIXTURE (fixture_typical, FIXTURE_C);
  g_auto(Fixture) loops = FIXTURE (loop_at_start, FIXTURE_C);
  const guint registers[] = { GILK_RDI, GILK_RDX, GILK_RSI, GILK_RAX, GILK_RSP };

  g_assert_cmpuint (plan_entry (&fixture, 0, GILK_INLINE_COUNT, NULL), ==, GILK_TACTIC_FENTRY);
  g_assert_cmpuint (plan_entry (&fixture, 0, GILK_INLINE_STAMP, NULL), ==, GILK_TACTIC_FENTRY);
  g_assert_cmpuint (plan_entry (&fixture, 0, GILK_INLINE_SPAN, NULL), ==, GILK_TACTIC_KPROBE);
  g_assert_cmpuint (plan_entry (&fixture, 0xd, GILK_INLINE_COUNT, NULL), ==, GILK_TACTIC_KPROBE);
  g_assert_cmpuint (plan_entry (&loops, 5, GILK_INLINE_COUNT, NULL), ==, GILK_TACTIC_KPROBE);
  for (guint i = 0; i < G_N_ELEMENTS (registers); i++)
    {
      g_autoptr(GilkOps) ops = make_reader (registers[i]);

      g_assert_cmpuint (plan_entry (&fixture, 0, GILK_INLINE_PROGRAM, ops), ==, i < 2 ? GILK_TACTIC_FENTRY : GILK_TACTIC_KPROBE);
    }
}

/* Tests that the list of BPF tactics for SQL queries has all of them, and no others. */
static void
test_names (void)
{
  g_auto(GStrv) listed = g_strsplit (GILK_TACTICS_OF_BPF, ",", -1);
  guint count = 0;

  for (guint tactic = 0; tactic < GILK_BPF_TACTICS_END; tactic++)
    {
      g_autofree char *quoted = g_strdup_printf ("'%s'", gilk_tactic_name (tactic));

      g_assert_cmpint (strstr (GILK_TACTICS_OF_BPF, quoted) != NULL, ==, gilk_tactic_is_bpf (tactic));
      count += gilk_tactic_is_bpf (tactic);
    }
  g_assert_cmpuint (g_strv_length (listed), ==, count);
}

/* Tests that a hook moves to the start of the function only where it runs once in each call. */
static void
test_join (void)
{
  g_auto(Fixture) fixture = FIXTURE (fixture_typical, FIXTURE_C);
  g_auto(Fixture) loops = FIXTURE (loop_at_start, FIXTURE_C);
  g_autoptr(GilkSplicePlan) joined = NULL;
  g_autoptr(GilkSplicePlan) alone = NULL;
  g_autoptr(GilkSplicePlan) inside = NULL;
  g_autoptr(GilkSplicePlan) in_loop = NULL;
  const GilkPatchPlan *patch = plan_join (&fixture, 0, TRUE, &joined);

  g_assert_cmphex (patch->flags, ==, GILK_PATCH_JOINS);
  g_assert_cmphex (patch->site, ==, FIXTURE_BASE);
  patch = plan_join (&fixture, 0, FALSE, &alone);
  g_assert_cmphex (patch->flags, ==, 0);
  g_assert_cmphex (patch->site, ==, FIXTURE_BASE + 5);
  patch = plan_join (&fixture, 0xd, TRUE, &inside);
  g_assert_cmphex (patch->flags, ==, 0);
  patch = plan_join (&loops, 5, TRUE, &in_loop);
  g_assert_cmphex (patch->flags, ==, 0);
  g_assert_cmphex (patch->site, ==, FIXTURE_BASE + 5);
}

static void
test_preview (void)
{
  g_auto(Fixture) fixture = FIXTURE (fixture_typical, FIXTURE_C);
  const GilkWant want = { .block = fixture_block (&fixture, 0xd), .kind = GILK_INLINE_COUNT };
  g_autoptr(GilkSplicePlan) plan = gilk_bpf_plan_new (fixture.cfg, &want, 1, NULL, NULL);
  GilkChoice choice;

  g_assert_false (gilk_bpf_plan_is (fixture.cfg));       /* a static image has no target */
  gilk_bpf_plan_preview (fixture.cfg, &want, &choice);
  g_assert_cmpuint (choice.tactic, ==, plan->choices[0].tactic);
  g_assert_cmpuint (choice.cost, ==, plan->choices[0].cost);
}

/* Tests that areas that the kernel excludes from probing are refused, and that functions that only
 * ilk excludes are not. */
static void
test_area (void)
{
  g_auto(Fixture) fixture = FIXTURE (fixture_typical, FIXTURE_C);
  g_auto(Fixture) untraced = FIXTURE_BARE (fixture_typical);
  const GilkWant want = { .block = 0, .kind = GILK_INLINE_COUNT };
  GilkChoice choice;

  fixture.cfg->refusal = GILK_REFUSAL_NOINSTR;
  gilk_bpf_plan_preview (fixture.cfg, &want, &choice);
  g_assert_cmpuint (choice.refusal, ==, GILK_REFUSAL_NOINSTR);
  fixture.cfg->refusal = GILK_REFUSAL_ASM;
  gilk_bpf_plan_preview (fixture.cfg, &want, &choice);
  g_assert_cmpuint (choice.refusal, ==, GILK_REFUSAL_ASM);
  fixture.cfg->refusal = GILK_REFUSAL_OWN_PATH;
  gilk_bpf_plan_preview (fixture.cfg, &want, &choice);
  g_assert_cmpuint (choice.refusal, ==, 0);
  gilk_bpf_plan_preview (untraced.cfg, &want, &choice);
  g_assert_cmpuint (choice.refusal, ==, GILK_REFUSAL_BPF_UNTRACED);
}

/* Tests that no kprobe is planned where the kernel itself patches or looks up an instruction. */
static void
test_sites (void)
{
  static const struct { GilkSiteKind kind; guint refusal; } cases[] = {
    { GILK_SITE_JUMP_LABEL, ILK_REFUSAL_JUMP_LABEL }, { GILK_SITE_STATIC_CALL, ILK_REFUSAL_STATIC_CALL },
    { GILK_SITE_WARN, ILK_REFUSAL_BUG }, { GILK_SITE_EXTABLE, 0 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_auto(Fixture) fixture = FIXTURE (fixture_typical, FIXTURE_C, { FIXTURE_BASE + 0xd, FIXTURE_BASE + 0x18, cases[i].kind });
      const GilkWant want = { .block = fixture_block (&fixture, 0xd), .kind = GILK_INLINE_COUNT };
      GilkChoice choice;

      gilk_bpf_plan_preview (fixture.cfg, &want, &choice);
      g_assert_cmpuint (choice.refusal, ==, cases[i].refusal);
    }
}

/* Tests that no kprobe is planned at the instructions from which a kernel with kCFI reads the type of
 * an indirect call, in both forms of its check, and that other such instructions are not refused. */
static void
test_call_types (void)
{
  static const struct { uint8_t check[4]; guint refusal; } cases[] = {
    { { 0x75, 0x01, 0xa8, 0xd6 }, GILK_REFUSAL_BPF_CALL_TYPE },      /* jne to the udb in test $0xd6,%al */
    { { 0x74, 0x02, 0x0f, 0x0b }, GILK_REFUSAL_BPF_CALL_TYPE },      /* je behind ud2 */
    { { 0x74, 0x02, 0x31, 0xc0 }, 0 },                               /* je behind xor %eax,%eax */
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      uint8_t bytes[] = {
        FENTRY,
        0x41, 0xba, 1, 2, 3, 4,             /* 5: mov $0x4030201,%r10d */
        0x45, 0x03, 0x53, 0xf1,             /* b: add -0xf(%r11),%r10d */
        0, 0, 0, 0,                         /* f: the check */
        0x41, 0xff, 0xd3,                   /* 13: call *%r11 */
        0xc3,                               /* 16: ret */
      };
      const GilkWant want = { .block = 0, .kind = GILK_INLINE_COUNT },
        first = { .block = 0, .kind = GILK_INLINE_COUNT, .at = 1 + 1 }, later = { .block = 0, .kind = GILK_INLINE_COUNT, .at = 1 + 2 };
      GilkChoice choice;

      memcpy (bytes + 0xf, cases[i].check, sizeof cases[i].check);
      {
        g_auto(Fixture) fixture = FIXTURE (bytes, FIXTURE_C);

        /* The function's start is left. */
        gilk_bpf_plan_preview (fixture.cfg, &want, &choice);
        g_assert_cmpuint (choice.refusal, ==, 0);
        gilk_bpf_plan_preview (fixture.cfg, &first, &choice);
        g_assert_cmpuint (choice.refusal, ==, cases[i].refusal);
        gilk_bpf_plan_preview (fixture.cfg, &later, &choice);
        g_assert_cmpuint (choice.refusal, ==, cases[i].refusal);
      }
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/kprobe-plan/room", test_room);
  g_test_add_func ("/kprobe-plan/target", test_target);
  g_test_add_func ("/kprobe-plan/fixup", test_fixup);
  g_test_add_func ("/kprobe-plan/cost", test_cost);
  g_test_add_func ("/kprobe-plan/join", test_join);
  g_test_add_func ("/kprobe-plan/entry", test_entry);
  g_test_add_func ("/kprobe-plan/names", test_names);
  g_test_add_func ("/kprobe-plan/preview", test_preview);
  g_test_add_func ("/kprobe-plan/area", test_area);
  g_test_add_func ("/kprobe-plan/sites", test_sites);
  g_test_add_func ("/kprobe-plan/call-types", test_call_types);

  return g_test_run ();
}

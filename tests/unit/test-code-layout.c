/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test-code-layout.c - checks a code layout computed from counts, the code of a clone with this
 * layout, and statistics of the code before and after
 */
#include "clone-verify.h"
#include "core/dataflow/gilk-circulation.h"
#include "core/splice/gilk-clone.h"
#include "core/splice/gilk-code-layout.h"
#include "splice-fixture.h"

static const struct ilk_info info = { .ring_bytes = 1 << 20, .gates = FIXTURE_BASE + 0x100000 };

/* Counts of the blocks that start at the given offsets. */
typedef struct {
  guint    offset;
  uint64_t count;
} Count;

static GilkCodeLayout *
find_position (const Fixture *fixture, const Count *counts, guint n)
{
  g_autofree uint64_t *measured = g_new0 (uint64_t, fixture->cfg->n_blocks + 1);
  g_autoptr(GilkCirculation) circulation = gilk_circulation_new (fixture->cfg, NULL, GILK_CIRCULATION_ALL);
  g_autoptr(GilkCirculationCounts) solved = NULL;

  for (guint i = 0; i < n; i++)
    measured[fixture_block (fixture, counts[i].offset)] = counts[i].count;
  solved = gilk_circulation_solve (circulation, measured);

  return gilk_code_layout_new (circulation, solved);
}

/* Emits a clone without hooks, with its blocks in @order. */
static void
emit_clone (const Fixture *fixture, const guint *order, GilkCode *code)
{
  guint refusal;
  g_autoptr(GilkSplicePlan) plan = gilk_splice_plan_new_bare (fixture->cfg, fixture->decoder, FALSE, &refusal);
  const GilkBinding none = { 0 };
  g_autofree char *wrong = NULL;
  g_autoptr(GError) error = NULL;

  g_assert_cmpuint (refusal, ==, 0);
  g_assert_nonnull (plan);
  g_assert_cmpuint (plan->patches[0].n_hooks, ==, 0);
  if (order != NULL)
    g_assert_true (gilk_clone_set_order (plan, order));
  gilk_emit_code (plan, 0, FIXTURE_SLOT, &info, &none, code, &error);
  g_assert_no_error (error);
  wrong = clone_verify (fixture->cfg, fixture->decoder, code, FIXTURE_SLOT);
  g_assert_cmpstr (wrong, ==, NULL);
}

static void
assert_text (const Fixture *fixture, const GilkCode *code, const char *expected)
{
  g_autofree char *text = fixture_text (fixture->decoder, code->code->data, code->code->len, FIXTURE_SLOT);

  g_assert_cmpstr (text, ==, expected);
}

/* Tests that a branch that is nearly always taken is inverted and becomes short. */
static void
test_branch (void)
{
  static const uint8_t bytes[] = {
    FENTRY,                             /* 0 */
    0x48, 0x85, 0xff,                   /* 5: test %rdi,%rdi */
    0x74, 0x05,                         /* 8: je f */
    0x31, 0xc0,                         /* a: xor %eax,%eax */
    0xc3,                               /* c: ret */
    0xcc, 0xcc,
    0x48, 0x8b, 0x06,                   /* f: mov (%rsi),%rax */
    0xc3,                               /* 12: ret */
  };
  const Count counts[] = { { 0, 1000 }, { 0xa, 4 }, { 0xf, 996 } };
  g_auto(Fixture) fixture = FIXTURE (bytes, FIXTURE_C);
  g_auto(GilkCode) plain = { NULL }, code = { NULL };
  GilkLayoutFigures after;
  g_autoptr(GilkCodeLayout) position = find_position (&fixture, counts, G_N_ELEMENTS (counts));

  g_assert_cmpuint (position->calls, ==, 1000);
  g_assert_cmpuint (position->n_order, ==, 3);
  g_assert_cmpuint (position->order[1], ==, fixture_block (&fixture, 0xf));
  g_assert_true (position->hot[position->order[1]]);
  g_assert_false (position->hot[position->order[2]]);

  emit_clone (&fixture, NULL, &plain);
  assert_text (&fixture, &plain,
               "test %rdi,%rdi\n"
               "je 0xffffffffa000000c\n"
               "xor %eax,%eax\n"
               "ret\n"
               "mov (%rsi),%rax\n"
               "ret\n");
  emit_clone (&fixture, position->order, &code);
  assert_text (&fixture, &code,
               "test %rdi,%rdi\n"
               "jne 0xffffffffa0000009\n"
               "mov (%rsi),%rax\n"
               "ret\n"
               "xor %eax,%eax\n"
               "ret\n");

  gilk_code_layout_after (position, &code, FIXTURE_SLOT, position->calls, &after);
  g_assert_cmpfloat_with_epsilon (position->before.taken, 0.996, 1e-9);
  /* Taken branches: the jump into the clone in each call, and the inverted branch in 0.4 % of
   * calls. */
  g_assert_cmpfloat_with_epsilon (after.taken, 1.004, 1e-9);
  gilk_code_layout_after (position, &code, FIXTURE_SLOT, 0, &after);
  g_assert_cmpfloat_with_epsilon (after.taken, 0.004, 1e-9);
  /* Executed instructions: the ftrace site, two of the first block, and two of the second block. */
  g_assert_cmpfloat_with_epsilon (position->before.insns, 5.0, 1e-9);
  g_assert_cmpfloat_with_epsilon (after.insns, 4.0, 1e-9);
  g_assert_cmpuint (after.hot_bytes, ==, 9);
  g_assert_cmpuint (after.hot_lines, ==, 1);
}

/* Tests that a jump is dropped if its target now follows, and that a jump is added to a block that
 * no longer falls through. */
static void
test_jumps (void)
{
  static const uint8_t bytes[] = {
    FENTRY,                             /* 0 */
    0x48, 0x85, 0xff,                   /* 5: test %rdi,%rdi */
    0x75, 0x06,                         /* 8: jne 10 */
    0x31, 0xc0,                         /* a: xor %eax,%eax */
    0xeb, 0x05,                         /* c: jmp 13 */
    0xcc, 0xcc,
    0x48, 0x8b, 0x06,                   /* 10: mov (%rsi),%rax */
    0x48, 0xff, 0xc0,                   /* 13: inc %rax */
    0xc3,                               /* 16: ret */
  };
  const Count counts[] = { { 0, 1000 }, { 0xa, 999 }, { 0x10, 1 }, { 0x13, 1000 } };
  g_auto(Fixture) fixture = FIXTURE (bytes, FIXTURE_C);
  g_auto(GilkCode) code = { NULL };
  GilkLayoutFigures after;
  g_autoptr(GilkCodeLayout) position = find_position (&fixture, counts, G_N_ELEMENTS (counts));

  emit_clone (&fixture, position->order, &code);
  assert_text (&fixture, &code,
               "test %rdi,%rdi\n"
               "jne 0xffffffffa000000b\n"
               "xor %eax,%eax\n"
               "inc %rax\n"
               "ret\n"
               "mov (%rsi),%rax\n"
               "jmp 0xffffffffa0000007\n");
  gilk_code_layout_after (position, &code, FIXTURE_SLOT, 0, &after);
  g_assert_cmpfloat_with_epsilon (position->before.taken, 1.0, 1e-9);
  g_assert_cmpfloat_with_epsilon (after.taken, 0.002, 1e-9);
}

/* Tests that branches over more than 127 bytes stay long, others are short, and both have the right
 * target. */
static void
test_reach (void)
{
  enum { FILL = 200 };
  uint8_t bytes[5 + 3 + 6 + FILL + 1 + 2];
  guint at = 0;
  static const uint8_t head[] = { FENTRY, 0x48, 0x85, 0xff, 0x0f, 0x84, FILL + 1, 0, 0, 0 };
  g_auto(GilkCode) code = { NULL };

  memcpy (bytes, head, sizeof head);
  at = sizeof head;
  for (guint i = 0; i < FILL; i += 4)
    memcpy (bytes + at + i, (const uint8_t[]) { 0x48, 0x83, 0xc0, 0x01 }, 4);
  at += FILL;
  bytes[at++] = 0xc3;
  bytes[at++] = 0x90;
  bytes[at++] = 0xc3;
  g_auto(Fixture) fixture = FIXTURE (bytes, FIXTURE_C);
  const guint text[] = { 0, 1, 2 }, turned[] = { 0, 2, 1 };

  emit_clone (&fixture, text, &code);
  g_assert_cmphex (code.code->data[3], ==, 0x0f);
  gilk_code_clear (&code);
  emit_clone (&fixture, turned, &code);
  g_assert_cmphex (code.code->data[3], ==, 0x75);
}

static void
test_orders (void)
{
  g_auto(Fixture) fixture = FIXTURE (fixture_typical, FIXTURE_C);
  const guint good[] = { 0, 2, 1 }, twice[] = { 0, 1, 1 }, last[] = { 1, 0, 2 }, beyond[] = { 0, 1, 7 };

  g_assert_cmpuint (gilk_clone_order_length (fixture.cfg), ==, 3);
  g_assert_true (gilk_clone_order_check (fixture.cfg, good, 3));
  g_assert_false (gilk_clone_order_check (fixture.cfg, good, 2));
  g_assert_false (gilk_clone_order_check (fixture.cfg, twice, 3));
  g_assert_false (gilk_clone_order_check (fixture.cfg, last, 3));
  g_assert_false (gilk_clone_order_check (fixture.cfg, beyond, 3));
}

/* Tests that a function that was never called gets no layout. */
static void
test_never (void)
{
  g_auto(Fixture) fixture = FIXTURE (fixture_typical, FIXTURE_C);
  g_autoptr(GilkCodeLayout) position = find_position (&fixture, NULL, 0);

  g_assert_cmpuint (position->calls, ==, 0);
  g_assert_cmpuint (position->n_order, ==, 3);
  g_assert_cmpfloat (position->before.taken, ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/position/branch", test_branch);
  g_test_add_func ("/position/jumps", test_jumps);
  g_test_add_func ("/position/reach", test_reach);
  g_test_add_func ("/position/orders", test_orders);
  g_test_add_func ("/position/never", test_never);

  return g_test_run ();
}

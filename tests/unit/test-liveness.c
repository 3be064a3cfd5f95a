/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test-liveness.c - computes the liveness of registers and flags in graphs that are small enough
 * to check by hand
 */
/* Promise: registers and flags that are live are saved */
#include "core/dataflow/gilk-liveness.h"

#include "splice-fixture.h"

enum {
  RAX = 1 << 0, RCX = 1 << 1, RDX = 1 << 2, RBX = 1 << 3, RSI = 1 << 6, RDI = 1 << 7,
  R8 = 1 << 8, R9 = 1 << 9, R10 = 1 << 10, R11 = 1 << 11,
};

static void
assert_regs (const Fixture *fixture, const GilkLiveness *liveness, guint offset,
             guint live, guint dead)
{
  guint regs = liveness->before[fixture_insn (fixture, offset)].regs;

  g_assert_cmphex (regs & live, ==, live);
  g_assert_cmphex (regs & dead, ==, 0);
}

static guint
flags_at (const Fixture *fixture, const GilkLiveness *liveness, guint offset)
{
  return liveness->before[fixture_insn (fixture, offset)].flags & GILK_FLAGS_ARITH;
}

static void
test_straight (void)
{
  static const uint8_t code[] = {
    FENTRY,                             /* 0 */
    0x48, 0x85, 0xff,                   /* 5: test %rdi,%rdi */
    0x74, 0x06,                         /* 8: je 10 */
    0x8b, 0x07,                         /* a: mov (%rdi),%eax */
    0x31, 0xd2,                         /* c: xor %edx,%edx */
    0xc3,                               /* e: ret */
    0xcc,
    0x31, 0xc0,                         /* 10: xor %eax,%eax */
    0xc3,                               /* 12: ret */
  };
  g_auto(Fixture) fixture = FIXTURE (code, FIXTURE_C);
  g_autoptr(GilkLiveness) liveness = gilk_liveness_new (fixture.cfg, fixture.decoder);

  assert_regs (&fixture, liveness, 5, RDI | RDX, RAX | RCX | RSI | R8 | R9 | R10 | R11);
  assert_regs (&fixture, liveness, 0xc, RAX, RDI | RDX | RCX);
  assert_regs (&fixture, liveness, 0xe, RAX | RDX | RBX, RDI | R11);
  g_assert_cmphex (flags_at (&fixture, liveness, 5), ==, 0);
  g_assert_cmphex (flags_at (&fixture, liveness, 8), ==, GILK_FLAG_ZF);
  g_assert_cmphex (flags_at (&fixture, liveness, 0xa), ==, 0);
  g_assert_cmphex (liveness->after[fixture_block (&fixture, 0)].flags & GILK_FLAGS_ARITH,
                   ==, GILK_FLAG_ZF);
  /* Flags other than the arithmetic flags are never dead. */
  g_assert_cmphex (liveness->before[0].flags & ~GILK_FLAGS_ARITH, ==,
                   GILK_FLAG_DF | GILK_FLAG_IF | GILK_FLAG_AC);
}

static void
test_no_evidence_of_c (void)
{
  static const uint8_t code[] = {
    0x31, 0xc0,                         /* 0: xor %eax,%eax */
    0xc3,                               /* 2: ret */
  };
  g_auto(Fixture) fixture = FIXTURE_BARE (code);
  g_autoptr(GilkLiveness) liveness = gilk_liveness_new (fixture.cfg, fixture.decoder);

  assert_regs (&fixture, liveness, 0, GILK_REGS_ALL & ~RAX, RAX);
  assert_regs (&fixture, liveness, 2, GILK_REGS_ALL, 0);
  g_assert_cmphex (flags_at (&fixture, liveness, 0), ==, 0);
  g_assert_cmphex (flags_at (&fixture, liveness, 2), ==, GILK_FLAGS_ARITH);
}

static void
test_partial_writes (void)
{
  static const uint8_t code[] = {
    FENTRY,                             /* 0 */
    0xb1, 0x01,                         /* 5: mov $1,%cl: the rest of rcx stays live */
    0x48, 0x89, 0xc8,                   /* 7: mov %rcx,%rax */
    0xba, 0x01, 0x00, 0x00, 0x00,       /* a: mov $1,%edx: clears the upper half */
    0xc3,                               /* f: ret */
  };
  g_auto(Fixture) fixture = FIXTURE (code, FIXTURE_C);
  g_autoptr(GilkLiveness) liveness = gilk_liveness_new (fixture.cfg, fixture.decoder);

  assert_regs (&fixture, liveness, 5, RCX, RAX | RDX);
}

static void
test_loop (void)
{
  static const uint8_t code[] = {
    FENTRY,                             /* 0 */
    0x31, 0xc0,                         /* 5: xor %eax,%eax */
    0x48, 0x03, 0x07,                   /* 7: add (%rdi),%rax */
    0x48, 0x83, 0xc7, 0x08,             /* a: add $8,%rdi */
    0x48, 0x39, 0xf7,                   /* e: cmp %rsi,%rdi */
    0x75, 0xf4,                         /* 11: jne 7 */
    0xc3,                               /* 13: ret */
  };
  g_auto(Fixture) fixture = FIXTURE (code, FIXTURE_C);
  g_autoptr(GilkLiveness) liveness = gilk_liveness_new (fixture.cfg, fixture.decoder);

  assert_regs (&fixture, liveness, 5, RDI | RSI, RAX | RCX | R8);
  assert_regs (&fixture, liveness, 0x11, RAX | RDI | RSI, RCX | R8 | R9 | R10 | R11);
}

static void
test_calls (void)
{
  static const uint8_t code[] = {
    FENTRY,                             /* 0 */
    0xe8, 0x0a, 0x00, 0x00, 0x00,       /* 5: call 14, C */
    0xff, 0xd0,                         /* a: call *%rax */
    0x31, 0xc0,                         /* c: xor %eax,%eax */
    0xc3,                               /* e: ret */
    0xcc, 0xcc, 0xcc, 0xcc, 0xcc,
    FENTRY,                             /* 14 */
    0xc3,
  };
  g_auto(Fixture) fixture = FIXTURE (code, FIXTURE_C, { FIXTURE_BASE + 0x14, 0, GILK_SITE_FENTRY });
  g_autoptr(GilkLiveness) liveness = gilk_liveness_new (fixture.cfg, fixture.decoder);

  /* At an indirect call every register may be an argument. */
  assert_regs (&fixture, liveness, 0xa, GILK_REGS_ALL, 0);
  assert_regs (&fixture, liveness, 5, RDI | RSI | RDX | RCX | R8 | R9 | RBX, 0);
  g_assert_cmphex (flags_at (&fixture, liveness, 5), ==, 0);
  g_assert_cmphex (flags_at (&fixture, liveness, 0xa), ==, 0);
}

static void
test_call_to_c (void)
{
  static const uint8_t code[] = {
    FENTRY,                             /* 0 */
    0xe8, 0x06, 0x00, 0x00, 0x00,       /* 5: call 10 */
    0x31, 0xc0,                         /* a: xor %eax,%eax */
    0xc3,                               /* c: ret */
    0xcc, 0xcc, 0xcc,
    FENTRY,                             /* 10 */
    0xc3,
  };
  g_auto(Fixture) fixture = FIXTURE (code, FIXTURE_C, { FIXTURE_BASE + 0x10, 0, GILK_SITE_FENTRY });
  g_autoptr(GilkLiveness) liveness = gilk_liveness_new (fixture.cfg, fixture.decoder);

  assert_regs (&fixture, liveness, 5, RDI | RSI | RDX | RCX | R8 | R9 | RBX, R10 | R11);
}

static void
test_fixup (void)
{
  static const uint8_t code[] = {
    FENTRY,                             /* 0 */
    0x0f, 0x01, 0xcb,                   /* 5: stac */
    0x8b, 0x17,                         /* 8: mov (%rdi),%edx, fix-up 14 */
    0xb9, 0x05, 0x00, 0x00, 0x00,       /* a: mov $5,%ecx */
    0x0f, 0x01, 0xca,                   /* f: clac */
    0x31, 0xc0,                         /* 12: xor %eax,%eax */
    0x89, 0xc8,                         /* 14: mov %ecx,%eax */
    0xc3,                               /* 16: ret */
  };
  g_auto(Fixture) fixture = FIXTURE (code, FIXTURE_C,
                                     { FIXTURE_BASE + 8, FIXTURE_BASE + 0x14, GILK_SITE_EXTABLE });
  g_autoptr(GilkLiveness) liveness = gilk_liveness_new (fixture.cfg, fixture.decoder);

  /* rcx is overwritten on the normal path, but not if the load faults. */
  assert_regs (&fixture, liveness, 8, RCX, R8);
  assert_regs (&fixture, liveness, 5, RCX, R8);

  g_assert_false (liveness->uaccess[fixture_insn (&fixture, 5)]);
  g_assert_true (liveness->uaccess[fixture_insn (&fixture, 8)]);
  g_assert_true (liveness->uaccess[fixture_insn (&fixture, 0xf)]);
  g_assert_false (liveness->uaccess[fixture_insn (&fixture, 0x12)]);
  g_assert_true (liveness->uaccess[fixture_insn (&fixture, 0x14)]);
}

/* Tests that the nop of a static call is treated as a call, because the kernel may patch it to a
 * call at any time. */
static void
test_static_call (void)
{
  static const uint8_t code[] = {
    FENTRY,                             /* 0 */
    0x48, 0x89, 0xfe,                   /* 5: mov %rdi,%rsi */
    0x0f, 0x1f, 0x44, 0x00, 0x00,       /* 8: a static call that does nothing */
    0x31, 0xc0,                         /* d: xor %eax,%eax */
    0xc3,                               /* f: ret */
  };
  g_auto(Fixture) fixture = FIXTURE (code, FIXTURE_C,
                                     { FIXTURE_BASE + 8, 0, GILK_SITE_STATIC_CALL });
  g_autoptr(GilkLiveness) liveness = gilk_liveness_new (fixture.cfg, fixture.decoder);

  assert_regs (&fixture, liveness, 8, RDI | RSI | RDX | RCX | R8 | R9, 0);
  g_assert_cmphex (flags_at (&fixture, liveness, 8), ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/liveness/straight", test_straight);
  g_test_add_func ("/liveness/no-evidence-of-c", test_no_evidence_of_c);
  g_test_add_func ("/liveness/partial-writes", test_partial_writes);
  g_test_add_func ("/liveness/loop", test_loop);
  g_test_add_func ("/liveness/calls", test_calls);
  g_test_add_func ("/liveness/call-to-c", test_call_to_c);
  g_test_add_func ("/liveness/static-call", test_static_call);
  g_test_add_func ("/liveness/fix-up", test_fixup);

  return g_test_run ();
}

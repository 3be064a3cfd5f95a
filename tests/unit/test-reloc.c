/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test-reloc.c - checks each kind of instruction after relocation, byte for byte
 */
#include "core/emit/gilk-reloc.h"

#include "splice-fixture.h"

static void
assert_moved (const Fixture *fixture, guint offset, gboolean goes_on,
              const uint8_t *expected, gsize length)
{
  GilkAsm as = { .base = FIXTURE_SLOT, .code = g_byte_array_new (), .image = fixture->image };
  guint index = fixture_insn (fixture, offset);

  g_assert_cmpuint (gilk_reloc_check (fixture->cfg, index, 1), ==, 0);
  g_assert_cmpint (gilk_reloc_emit (&as, fixture->cfg, index), ==, goes_on);
  g_assert_false (as.too_far);
  g_assert_cmpuint (as.depth, ==, 0);
  fixture_assert_bytes (fixture->decoder, FIXTURE_SLOT, as.code->data, as.code->len,
                        expected, length);
  g_byte_array_unref (as.code);
}

#define ASSERT_MOVED(fixture, offset, goes_on, ...) \
  do \
    { \
      const uint8_t _expected[] = { __VA_ARGS__ }; \
      assert_moved (fixture, offset, goes_on, _expected, sizeof _expected); \
    } \
  while (0)

static void
assert_refused (const Fixture *fixture, guint offset, guint n, guint refusal)
{
  guint got = gilk_reloc_check (fixture->cfg, fixture_insn (fixture, offset), n);

  g_assert_cmpstr (gilk_refusal_name (got), ==, gilk_refusal_name (refusal));
}

/* Tests that a "lock" prefix that the kernel patched to "ds" is restored only at its original
 * address. */
static void
test_lost_lock (void)
{
  static const uint8_t code[] = {
    0x3e, 0xff, 0x07,                   /* 0: ds incl (%rdi) */
    0xf0, 0xff, 0x07,                   /* 3: lock incl (%rdi) */
    0xc3,                               /* 6: ret */
  };
  g_auto(Fixture) fixture = FIXTURE_BARE (code);

  assert_refused (&fixture, 0, 1, ILK_REFUSAL_SMP_LOCK);
  assert_refused (&fixture, 0, 2, ILK_REFUSAL_SMP_LOCK);
  ASSERT_MOVED (&fixture, 3, TRUE, 0xf0, 0xff, 0x07);
}

static void
test_plain (void)
{
  static const uint8_t code[] = {
    0x48, 0x89, 0xf8,                   /* 0: mov %rdi,%rax */
    0x0f, 0x1f, 0x00,                   /* 3: nopl (%rax) */
    0x31, 0xc0,                         /* 6: xor %eax,%eax */
    0xc3,                               /* 8: ret */
  };
  g_auto(Fixture) fixture = FIXTURE_BARE (code);

  ASSERT_MOVED (&fixture, 0, TRUE, 0x48, 0x89, 0xf8);   /* mov %rdi,%rax */
  assert_moved (&fixture, 3, TRUE, NULL, 0);            /* a nop need not be moved into the patch */
  ASSERT_MOVED (&fixture, 8, FALSE, 0xc3);              /* ret */
}

static void
test_rip_relative (void)
{
  static const uint8_t code[] = {
    0x48, 0x8b, 0x05, 0x00, 0x10, 0x00, 0x00,              /* 0: mov 0x1000(%rip),%rax */
    0x65, 0x8b, 0x05, 0xf1, 0x54, 0x03, 0x7f,              /* 7: mov %gs:0x354ff,%eax via rip */
    0x81, 0x3d, 0x00, 0x01, 0x00, 0x00, 4, 3, 2, 1,        /* 14: cmpl $0x1020304,0x100(%rip) */
    0xc3,
  };
  g_auto(Fixture) fixture = FIXTURE_BARE (code);

  /* the new displacement: 81001007 - a0000007 = e1001000 */
  ASSERT_MOVED (&fixture, 0, TRUE, 0x48, 0x8b, 0x05, 0x00, 0x10, 0x00, 0xe1);
  /* the offset from %gs stays 7f0354f1 + 8100000e = 354ff; it needs the displacement
   * 354ff - a0000007 = 600354f8 */
  ASSERT_MOVED (&fixture, 7, TRUE, 0x65, 0x8b, 0x05, 0xf8, 0x54, 0x03, 0x60);
  /* the displacement is relative to the end of the instruction, which is after the immediate:
   * 81000118 - a000000a = e100010e */
  ASSERT_MOVED (&fixture, 14, TRUE,
                0x81, 0x3d, 0x0e, 0x01, 0x00, 0xe1, 4, 3, 2, 1);
}

static void
test_branches (void)
{
  static const uint8_t code[] = {
    0x74, 0x0e,                         /* 0: je 10 */
    0x0f, 0x8f, 0x08, 0x00, 0x00, 0x00, /* 2: jg 10 */
    0xe2, 0x06,                         /* 8: loop 10 */
    0xeb, 0x04,                         /* a: jmp 10 */
    0xcc, 0xcc, 0xcc, 0xcc,
    0xc3,                               /* 10: ret */
  };
  g_auto(Fixture) fixture = FIXTURE_BARE (code);

  ASSERT_MOVED (&fixture, 0, TRUE, 0x0f, 0x84, 0x0a, 0x00, 0x00, 0xe1);  /* je 81000010 */
  ASSERT_MOVED (&fixture, 2, TRUE, 0x0f, 0x8f, 0x0a, 0x00, 0x00, 0xe1);  /* jg 81000010 */
  ASSERT_MOVED (&fixture, 8, FALSE,
                0xe2, 0x05,                            /* loop, which skips the next jmp */
                0xe9, 0x03, 0x00, 0x00, 0xe1,          /* jmp 8100000a */
                0xe9, 0x04, 0x00, 0x00, 0xe1);         /* jmp 81000010 */
  ASSERT_MOVED (&fixture, 10, FALSE, 0xe9, 0x0b, 0x00, 0x00, 0xe1);      /* jmp 81000010 */
}

static void
test_calls (void)
{
  static const uint8_t code[] = {
    0xe8, 0xfb, 0x0f, 0x00, 0x00,       /* 0: call 81001000 */
    0xff, 0xd0,                         /* 5: call *%rax */
    0x41, 0xff, 0x54, 0x24, 0x08,       /* 7: call *8(%r12) */
    0xff, 0x15, 0x00, 0x01, 0x00, 0x00, /* c: call *0x100(%rip) */
    0xff, 0x54, 0x24, 0x08,             /* 12: call *8(%rsp) */
    0xc3,                               /* 16: ret */
  };
  g_auto(Fixture) fixture = FIXTURE_BARE (code);

  ASSERT_MOVED (&fixture, 0, FALSE,
                0x68, 0x05, 0x00, 0x00, 0x81,          /* push $81000005: original return address */
                0xe9, 0xf6, 0x0f, 0x00, 0xe1);         /* jmp 81001000 */
  ASSERT_MOVED (&fixture, 5, FALSE,
                0x68, 0x07, 0x00, 0x00, 0x81,          /* push $81000007 */
                0xff, 0xe0);                           /* jmp *%rax */
  ASSERT_MOVED (&fixture, 7, FALSE,
                0x68, 0x0c, 0x00, 0x00, 0x81,          /* push $8100000c */
                0x41, 0xff, 0x64, 0x24, 0x08);         /* jmp *8(%r12) */
  ASSERT_MOVED (&fixture, 12, FALSE,
                0x68, 0x12, 0x00, 0x00, 0x81,          /* push $81000012 */
                0xff, 0x25, 0x07, 0x01, 0x00, 0xe1);   /* jmp *81000112(%rip) */
  assert_refused (&fixture, 0x12, 1, GILK_REFUSAL_NOT_RELOCATABLE);
  assert_refused (&fixture, 0, 2, GILK_REFUSAL_CALL_INSIDE);
}

static void
test_sites (void)
{
  static const uint8_t code[] = {
    FENTRY,                             /* 0 */
    0x8b, 0x07,                         /* 5: mov (%rdi),%eax, with a fix-up */
    0xe8, 0x00, 0x00, 0x00, 0x00,       /* 7: call c, a static call */
    0x0f, 0x0b,                         /* c: ud2 of WARN */
    0x66, 0x90,                         /* e: jump label, off */
    0xc3,                               /* 10: ret */
  };
  g_auto(Fixture) fixture = FIXTURE (code, FIXTURE_C,
    { FIXTURE_BASE + 5, FIXTURE_BASE + 0x10, GILK_SITE_EXTABLE },
    { FIXTURE_BASE + 7, 0, GILK_SITE_STATIC_CALL },
    { FIXTURE_BASE + 0xc, 0, GILK_SITE_WARN },
    { FIXTURE_BASE + 0xe, FIXTURE_BASE + 0x10, GILK_SITE_JUMP_LABEL });

  assert_refused (&fixture, 0, 1, GILK_REFUSAL_FENTRY);
  g_assert_true (gilk_reloc_may_fault (fixture.cfg, fixture_insn (&fixture, 5)));
  g_assert_false (gilk_reloc_may_fault (fixture.cfg, fixture_insn (&fixture, 7)));
  assert_refused (&fixture, 7, 1, GILK_REFUSAL_SITE_STATIC_CALL);
  assert_refused (&fixture, 0xc, 1, GILK_REFUSAL_SITE_BUG);
  assert_refused (&fixture, 0xe, 1, GILK_REFUSAL_SITE_JUMP_LABEL);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/reloc/plain", test_plain);
  g_test_add_func ("/reloc/rip-relative", test_rip_relative);
  g_test_add_func ("/reloc/branches", test_branches);
  g_test_add_func ("/reloc/lost-lock", test_lost_lock);
  g_test_add_func ("/reloc/calls", test_calls);
  g_test_add_func ("/reloc/sites", test_sites);

  return g_test_run ();
}

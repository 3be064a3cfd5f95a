/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test-splice.c - checks which bytes are overwritten for a probe point, and which probe points
 * are refused
 */
/* Promise: a splice overwrites only bytes that it may overwrite, or is refused */
#include <string.h>

#include "splice-assert.h"

static void
test_pre (void)
{
  g_auto(Fixture) fixture = FIXTURE (fixture_typical, FIXTURE_C);

  /* The splice is after the ftrace site, where two instructions cover the five bytes of the
   * jump. */
  assert_point (&fixture, 0, GILK_WHERE_PRE, ILK_TACTIC_SPLICE, 5, 6, 3);
  assert_point (&fixture, 0xd, GILK_WHERE_PRE, ILK_TACTIC_SPLICE, 0xd, 7, 3);
  /* Only a trap fits, because the return has one byte. The counter is one instruction, because
   * flags are dead there. */
  assert_point (&fixture, 0x18, GILK_WHERE_PRE, ILK_TACTIC_TRAP, 0x18, 1, GILK_TRAP_COST + 1);
}

/* Code with three returns, each followed by filler. */
static const uint8_t ends[] = {
  FENTRY,                             /* 0 */
  0x48, 0x85, 0xff,                   /* 5: test %rdi,%rdi */
  0x74, 0x0b,                         /* 8: je 15 */
  0x79, 0x10,                         /* a: jns 1c */
  0x31, 0xc0,                         /* c: xor %eax,%eax */
  0xc3,                               /* e: ret */
  0xcc, 0xcc, 0xcc, 0xcc,             /* f: rest of a jump to the return thunk */
  0x66, 0x90,                         /* 13: nop */
  0xc3,                               /* 15: ret */
  0x66, 0x0f, 0x1f, 0x44, 0x00, 0x00, /* 16: nop, 6 bytes */
  0x5b,                               /* 1c: pop %rbx */
  0xc3,                               /* 1d: ret */
  0xcc, 0xcc,                         /* 1e: the function ends here */
};

static void
test_filler (void)
{
  g_auto(Fixture) fixture = FIXTURE (ends, FIXTURE_C);

  /* A patch that ends with a return does not need a jump back. A footprint contains only whole
   * instructions of filler. */
  assert_point (&fixture, 0xc, GILK_WHERE_PRE, ILK_TACTIC_SPLICE, 0xc, 5, 2);
  assert_point (&fixture, 0xc, GILK_WHERE_POST, ILK_TACTIC_SPLICE, 0xc, 5, 2);
  assert_point (&fixture, 0x15, GILK_WHERE_PRE, ILK_TACTIC_SPLICE, 0x15, 7, 2);
  /* After the last return there is too little filler for a splice, but enough for a hop. The hop's
   * footprint ends where the bounce's 5-byte jump starts. */
  assert_point (&fixture, 0x1c, GILK_WHERE_POST, ILK_TACTIC_BOUNCE, 0x1c, 2, 3);
}

/* Tests that filler in a footprint cannot hold the jump of a bounce; splices get filler before
 * bounces do. */
static void
test_filler_and_rooms (void)
{
  g_auto(Fixture) fixture = FIXTURE (ends, FIXTURE_C);
  const GilkWant taken[] = {
    { .block = fixture_block (&fixture, 0xc) },
    { .block = fixture_block (&fixture, 0x15) },
    { .block = fixture_block (&fixture, 0x1c) },
  };
  const GilkWant given[] = {
    { .block = fixture_block (&fixture, 0x1c), .force = ILK_TACTIC_BOUNCE },
    { .block = fixture_block (&fixture, 0xc) },
  };
  g_autoptr(GilkSplicePlan) first =
    gilk_splice_plan_new (fixture.cfg, fixture.decoder, taken, G_N_ELEMENTS (taken));
  g_autoptr(GilkSplicePlan) second =
    gilk_splice_plan_new (fixture.cfg, fixture.decoder, given, G_N_ELEMENTS (given));

  assert_planned (first, 0, ILK_TACTIC_SPLICE, 0xc, 5);
  assert_planned (first, 1, ILK_TACTIC_SPLICE, 0x15, 7);
  assert_planned (first, 2, ILK_TACTIC_TRAP, 0x1c, 1);
  assert_planned (second, 0, ILK_TACTIC_BOUNCE, 0x1c, 2);
  g_assert_cmphex (second->patches[1].bounce, ==, FIXTURE_BASE + 0x16);
  assert_planned (second, 1, ILK_TACTIC_SPLICE, 0xc, 5);
}

static void
test_post (void)
{
  g_auto(Fixture) fixture = FIXTURE (fixture_typical, FIXTURE_C);

  /* The footprint includes the branch. The counter is placed in front of the test, because the
   * branch needs the flags of the test. */
  assert_point (&fixture, 0, GILK_WHERE_POST, ILK_TACTIC_SPLICE, 8, 5, 3);
  /* The footprint includes the return, so nothing jumps back. */
  assert_point (&fixture, 0xd, GILK_WHERE_POST, ILK_TACTIC_SPLICE, 0x10, 5, 2);
  assert_point (&fixture, 0x18, GILK_WHERE_POST, ILK_TACTIC_TRAP, 0x18, 1, GILK_TRAP_COST + 1);
}

static void
test_why_not_splice (void)
{
  g_auto(Fixture) fixture = FIXTURE (fixture_typical, FIXTURE_C);
  g_autoptr(GilkSplicePlan) plan = plan_one (&fixture, 0x18, GILK_WHERE_PRE, GILK_INLINE_COUNT);

  g_assert_cmpuint (plan->choices[0].why_not_splice, ==, GILK_REFUSAL_TOO_SHORT);
}

static void
test_shared (void)
{
  g_auto(Fixture) fixture = FIXTURE (fixture_typical, FIXTURE_C);
  const guint block = fixture_block (&fixture, 0xd);
  const GilkWant wants[] = {
    { .block = block, .where = GILK_WHERE_POST, .kind = GILK_INLINE_STAMP },
    { .block = block, .where = GILK_WHERE_PRE, .kind = GILK_INLINE_COUNT },
    { .block = block, .where = GILK_WHERE_PRE, .kind = GILK_INLINE_STAMP },
  };
  g_autoptr(GilkSplicePlan) plan =
    gilk_splice_plan_new (fixture.cfg, fixture.decoder, wants, G_N_ELEMENTS (wants));

  /* There is one patch for the whole block: pre-hooks come first, and hooks at the same end run in
   * the given order. */
  g_assert_cmpuint (plan->n_patches, ==, 1);
  assert_planned (plan, 0, ILK_TACTIC_SPLICE, 0xd, 8);
  assert_planned (plan, 2, ILK_TACTIC_SPLICE, 0xd, 8);
  g_assert_cmpmem (plan->patches[0].hooks, 3 * sizeof (guint),
                   ((const guint[]) { 1, 2, 0 }), 3 * sizeof (guint));
  g_assert_cmpuint (plan->patches[0].cost, ==, plan->choices[0].cost +
                    plan->choices[1].cost + plan->choices[2].cost);
}

static const uint8_t calls[] = {
  FENTRY,                             /* 0 */
  0x53,                               /* 5: push %rbx */
  0xe8, 0x55, 0x00, 0x00, 0x00,       /* 6: call 60 */
  0x85, 0xc0,                         /* b: test %eax,%eax */
  0x74, 0x03,                         /* d: je 12 */
  0xff, 0xd3,                         /* f: call *%rbx */
  0x5b,                               /* 11: pop %rbx */
  0x90,                               /* 12: nop */
  0xe8, 0x48, 0x00, 0x00, 0x00,       /* 13: call 60 */
  0x85, 0xc0,                         /* 18: test %eax,%eax */
  0x75, 0x01,                         /* 1a: jne 1d */
  0xc3,                               /* 1c: ret */
  0xe8, 0x3e, 0x00, 0x00, 0x00,       /* 1d: call 60 */
  0xeb, 0xf8,                         /* 22: jmp 1c */
};

static void
test_calls (void)
{
  g_auto(Fixture) fixture = FIXTURE (calls, FIXTURE_C);

  /* The footprint is push and call, without a jump back, because the call returns to the original
   * code. */
  assert_point (&fixture, 0, GILK_WHERE_PRE, ILK_TACTIC_SPLICE, 5, 6, 2);
  /* After the call, test and je are too short for a splice. A counter can follow the call inside
   * the patch; a call of a module's instrument cannot. */
  assert_point (&fixture, 0, GILK_WHERE_POST, ILK_TACTIC_SPLICE, 6, 5, 3);
  g_autoptr(GilkSplicePlan) count = plan_one (&fixture, 0, GILK_WHERE_POST, GILK_INLINE_COUNT);
  g_autoptr(GilkSplicePlan) post = plan_one (&fixture, 0, GILK_WHERE_POST, GILK_INSTRUMENT_MODULE);
  g_assert_cmpuint (count->patches[0].flags, ==, ILK_PATCH_RETURNS);
  assert_planned (post, 0, ILK_TACTIC_TRAP, 0xd, 2);
  g_assert_cmpuint (post->patches[0].flags, ==, 0);
  g_assert_cmpuint (post->choices[0].why_not_splice, ==, GILK_REFUSAL_POST_AFTER_CALL);
  /* call *%rbx; pop: three bytes are too short for a splice, and the block falls through to the
   * next one. */
  assert_point (&fixture, 0xf, GILK_WHERE_PRE, ILK_TACTIC_TRAP, 0xf, 2, GILK_TRAP_COST + 1);
  assert_point (&fixture, 0xf, GILK_WHERE_POST, ILK_TACTIC_TRAP, 0x11, 1, GILK_TRAP_COST + 2);
  assert_point (&fixture, 0x12, GILK_WHERE_PRE, ILK_TACTIC_SPLICE, 0x12, 6, 2);
}

static void
test_both_edges_around_a_call (void)
{
  g_auto(Fixture) fixture = FIXTURE (calls, FIXTURE_C);
  const guint block = fixture_block (&fixture, 0x1d);
  const GilkWant wants[] = {
    { .block = block, .where = GILK_WHERE_PRE, .kind = GILK_INLINE_COUNT },
    { .block = block, .where = GILK_WHERE_POST, .kind = GILK_INLINE_COUNT },
  };
  g_autoptr(GilkSplicePlan) plan =
    gilk_splice_plan_new (fixture.cfg, fixture.decoder, wants, G_N_ELEMENTS (wants));

  /* The call returns to the patch, which then runs the hook after the call and jumps back to the
   * jmp. */
  g_assert_cmpuint (plan->n_patches, ==, 1);
  assert_planned (plan, 0, ILK_TACTIC_SPLICE, 0x1d, 5);
  assert_planned (plan, 1, ILK_TACTIC_SPLICE, 0x1d, 5);
  g_assert_cmpuint (plan->patches[0].flags, ==, ILK_PATCH_RETURNS);
}

/* Tests a block that is only a call: one int3 serves both the pre-hook and the post-hook, so the
 * call must return to the post-hook. */
static void
test_both_edges_of_a_call_by_trap (void)
{
  static const uint8_t code[] = {
    FENTRY,                             /* 0 */
    0x85, 0xff,                         /* 5: test %edi,%edi */
    0x74, 0x02,                         /* 7: je b */
    0x31, 0xc9,                         /* 9: xor %ecx,%ecx */
    0xe8, 0x50, 0x00, 0x00, 0x00,       /* b: call 60, starts a block */
    0xff, 0xc9,                         /* 10: dec %ecx, starts a block */
    0x75, 0xfc,                         /* 12: jne 10 */
    0xc3,                               /* 14: ret */
  };
  static const GilkInstrumentKind kinds[] = { GILK_INLINE_COUNT, GILK_INLINE_STAMP };
  static const GilkWhere orders[][3] = {
    { GILK_WHERE_POST },
    { GILK_WHERE_PRE, GILK_WHERE_POST },
    { GILK_WHERE_POST, GILK_WHERE_PRE },
    { GILK_WHERE_PRE, GILK_WHERE_PRE, GILK_WHERE_POST },
    { GILK_WHERE_PRE, GILK_WHERE_POST, GILK_WHERE_POST },
  };
  static const guint numbers[] = { 1, 2, 2, 3, 3 };
  const GilkBinding bindings[3] = { { .iid = 0 } };
  const struct ilk_info info = { .ring_bytes = 1 << 20 };
  g_auto(Fixture) fixture = FIXTURE (code, FIXTURE_C);

  for (guint k = 0; k < 2 * G_N_ELEMENTS (orders); k++)
    {
      GilkWant wants[3];
      const guint n = numbers[k / 2];
      g_auto(GilkCode) emitted = { NULL };

      for (guint i = 0; i < n; i++)
        wants[i] = (GilkWant) {
          .block = fixture_block (&fixture, 0xb), .where = orders[k / 2][i], .kind = kinds[k % 2],
          .force = ILK_TACTIC_TRAP,
        };
      g_autoptr(GilkSplicePlan) plan = gilk_splice_plan_new (fixture.cfg, fixture.decoder, wants, n);

      g_assert_cmpuint (plan->n_patches, ==, 1);
      assert_planned (plan, 0, ILK_TACTIC_TRAP, 0xb, 5);
      g_assert_cmpuint (plan->patches[0].flags, ==, ILK_PATCH_RETURNS);
      g_assert_true (gilk_emit_code (plan, 0, FIXTURE_SLOT, &info, bindings, &emitted, NULL));
      /* Each hook adds instructions of its own, in addition to its share of the trap and the
       * jump back. */
      for (guint i = 0; i < n; i++)
        g_assert_cmpuint (emitted.added[i], >, (GILK_TRAP_COST + 1) / n + (i < (GILK_TRAP_COST + 1) % n));
    }
}

static void
test_post_after_call (void)
{
  static const uint8_t code[] = {
    FENTRY,                             /* 0 */
    0x31, 0xc9,                         /* 5: xor %ecx,%ecx */
    0xe8, 0x54, 0x00, 0x00, 0x00,       /* 7: call 60 */
    0xff, 0xc9,                         /* c: dec %ecx, starts a block */
    0x75, 0xfc,                         /* e: jne c */
    0xc3,                               /* 10: ret */
  };
  g_auto(Fixture) fixture = FIXTURE (code, FIXTURE_C);

  assert_point (&fixture, 0, GILK_WHERE_PRE, ILK_TACTIC_SPLICE, 5, 7, 2);
  /* The call is moved into the patch and returns there. The hooks at both ends share this patch. */
  assert_point (&fixture, 0, GILK_WHERE_POST, ILK_TACTIC_SPLICE, 7, 5, 3);
  const GilkWant wants[] = {
    { .where = GILK_WHERE_PRE, .kind = GILK_INSTRUMENT_MODULE },
    { .where = GILK_WHERE_POST, .kind = GILK_INSTRUMENT_MODULE },
  };
  g_autoptr(GilkSplicePlan) both =
    gilk_splice_plan_new (fixture.cfg, fixture.decoder, wants, G_N_ELEMENTS (wants));

  g_assert_cmpuint (both->n_patches, ==, 1);
  assert_planned (both, 0, ILK_TACTIC_SPLICE, 5, 7);
  g_assert_cmpuint (both->patches[0].flags, ==, ILK_PATCH_RETURNS);
}

/* Tests that an instruction that may fault is moved together with its fix-up; a counter is not
 * moved across such an instruction. */
static void
test_fixup (void)
{
  static const uint8_t code[] = {
    FENTRY,                             /* 0 */
    0x48, 0x85, 0xff,                   /* 5: test %rdi,%rdi */
    0x48, 0x8b, 0x07,                   /* 8: mov (%rdi),%rax, which has a fix-up */
    0x74, 0x02,                         /* b: je f */
    0x31, 0xc0,                         /* d: xor %eax,%eax */
    0xc3,                               /* f: ret */
  };
  g_auto(Fixture) fixture = FIXTURE (code, FIXTURE_C,
                                     { .addr = FIXTURE_BASE + 8, .other = FIXTURE_BASE + 0xd,
                                     .kind = GILK_SITE_EXTABLE, .data = 0x123 });
  g_auto(GilkCode) emitted = { NULL };
  const GilkBinding binding = { .counter = 0 };
  const struct ilk_info info = { .ring_bytes = 1 << 20 };
  const struct ilk_fault *fault;
  g_autoptr(GilkSplicePlan) plan = plan_one (&fixture, 0, GILK_WHERE_POST, GILK_INLINE_COUNT);

  assert_planned (plan, 0, ILK_TACTIC_SPLICE, 8, 5);
  g_assert_true (gilk_emit_code (plan, 0, FIXTURE_SLOT, &info, &binding, &emitted, NULL));
  g_assert_cmpuint (emitted.faults->len, ==, 1);
  fault = &g_array_index (emitted.faults, struct ilk_fault, 0);
  g_assert_cmpuint (fault->offset, ==, 0);
  g_assert_cmpint (fault->data, ==, 0x123);
  g_assert_cmphex (fault->fixup, ==, FIXTURE_BASE + 0xd);
}

static void
test_entry (void)
{
  static const uint8_t endbr[] = {
    0xf3, 0x0f, 0x1e, 0xfa,             /* 0: endbr64 */
    FENTRY,                             /* 4 */
    0x48, 0x8d, 0x47, 0x01,             /* 9: lea 1(%rdi),%rax */
    0xc3,                               /* d: ret */
  };
  static const uint8_t leader[] = {
    FENTRY,                             /* 0 */
    0x48, 0xff, 0xcf,                   /* 5: dec %rdi */
    0x75, 0xfb,                         /* 8: jne 5 */
    0xc3,                               /* a: ret */
  };
  g_auto(Fixture) with_endbr = FIXTURE (endbr, { FIXTURE_BASE + 4, 0, GILK_SITE_FENTRY });
  g_auto(Fixture) with_leader = FIXTURE (leader, FIXTURE_C);

  assert_point (&with_endbr, 0, GILK_WHERE_PRE, ILK_TACTIC_SPLICE, 9, 5, 2);
  assert_point_refused (&with_leader, 0, GILK_WHERE_PRE, GILK_INLINE_COUNT, GILK_REFUSAL_FENTRY);
  assert_point (&with_leader, 5, GILK_WHERE_PRE, ILK_TACTIC_SPLICE, 5, 5, 3);
}

static void
test_bug (void)
{
  static const uint8_t code[] = {
    FENTRY,                             /* 0 */
    0x48, 0x85, 0xff,                   /* 5: test %rdi,%rdi */
    0x74, 0x01,                         /* 8: je b */
    0xc3,                               /* a: ret */
    0xbf, 0x01, 0x00, 0x00, 0x00,       /* b: mov $1,%edi */
    0x0f, 0x0b,                         /* 10: ud2 of BUG */
  };
  g_auto(Fixture) fixture = FIXTURE (code, FIXTURE_C, { FIXTURE_BASE + 0x10, 0, GILK_SITE_BUG });

  assert_point (&fixture, 0xb, GILK_WHERE_PRE, ILK_TACTIC_SPLICE, 0xb, 5, 3);
  /* The footprint ends at the ud2, which keeps its address. */
  assert_point (&fixture, 0xb, GILK_WHERE_POST, ILK_TACTIC_SPLICE, 0xb, 5, 3);
}

static void
test_uaccess (void)
{
  static const uint8_t code[] = {
    FENTRY,                             /* 0 */
    0x0f, 0x01, 0xcb,                   /* 5: stac */
    0x31, 0xc0,                         /* 8: xor %eax,%eax */
    0x8b, 0x44, 0x87, 0x04,             /* a: mov 4(%rdi,%rax,4),%eax, starts a block */
    0x83, 0xe8, 0x01,                   /* e: sub $1,%eax */
    0x75, 0xf7,                         /* 11: jne a */
    0x0f, 0x01, 0xca,                   /* 13: clac */
    0xc3,                               /* 16: ret */
  };
  g_auto(Fixture) fixture = FIXTURE (code, FIXTURE_C);

  assert_point (&fixture, 0xa, GILK_WHERE_PRE, ILK_TACTIC_SPLICE, 0xa, 7, 3);
  assert_point_refused (&fixture, 0xa, GILK_WHERE_PRE, GILK_INLINE_STAMP, GILK_REFUSAL_UACCESS);
  assert_point_refused (&fixture, 0xa, GILK_WHERE_POST, GILK_INSTRUMENT_MODULE,
                        GILK_REFUSAL_UACCESS);
  /* User access is still open between the stac and the next block; it is closed in front of the
   * stac. */
  assert_point_refused (&fixture, 0, GILK_WHERE_POST, GILK_INLINE_STAMP, GILK_REFUSAL_UACCESS);
  g_autoptr(GilkSplicePlan) plan = plan_one (&fixture, 0, GILK_WHERE_PRE, GILK_INLINE_STAMP);
  assert_planned (plan, 0, ILK_TACTIC_SPLICE, 5, 5);
}

static void
test_force (void)
{
  g_auto(Fixture) fixture = FIXTURE (fixture_typical, FIXTURE_C);
  const GilkWant wants[] = {
    { .block = fixture_block (&fixture, 0xd), .force = ILK_TACTIC_TRAP },
    { .block = fixture_block (&fixture, 0xd), .force = ILK_TACTIC_SPLICE },
    { .block = fixture_block (&fixture, 0x18), .force = ILK_TACTIC_SPLICE },
    { .block = fixture_block (&fixture, 0), .force = ILK_TACTIC_CLONE },
  };
  g_autoptr(GilkSplicePlan) plan =
    gilk_splice_plan_new (fixture.cfg, fixture.decoder, wants, G_N_ELEMENTS (wants));

  assert_planned (plan, 0, ILK_TACTIC_TRAP, 0xd, 3);
  g_assert_cmpuint (plan->choices[0].why_not_splice, ==, 0);
  assert_refused (plan, 1, GILK_REFUSAL_SHARES_BYTES);
  assert_refused (plan, 2, GILK_REFUSAL_TOO_SHORT);
  assert_refused (plan, 3, GILK_REFUSAL_CLONE_MIXED);
}

static void
test_no_overlap (void)
{
  g_auto(Fixture) fixture = FIXTURE (calls, FIXTURE_C);
  g_autoptr(GArray) wants = g_array_new (FALSE, TRUE, sizeof (GilkWant));

  for (guint block = 0; block < fixture.cfg->n_blocks; block++)
    for (guint where = 0; where < 2; where++)
      {
        const GilkWant want = { .block = block, .where = where, .kind = GILK_INLINE_STAMP };

        g_array_append_val (wants, want);
      }
  g_autoptr(GilkSplicePlan) plan =
    gilk_splice_plan_new (fixture.cfg, fixture.decoder, (GilkWant *) wants->data, wants->len);

  for (guint i = 0; i < plan->n_patches; i++)
    for (guint j = i + 1; j < plan->n_patches; j++)
      g_assert_true (plan->patches[i].site + plan->patches[i].len <= plan->patches[j].site ||
                     plan->patches[j].site + plan->patches[j].len <= plan->patches[i].site);
}

static void
test_preview (void)
{
  g_auto(Fixture) fixture = FIXTURE (fixture_typical, FIXTURE_C);
  GilkChoice choice;
  GilkPatchPlan patch;
  g_autoptr(GilkLiveness) liveness = gilk_liveness_new (fixture.cfg, fixture.decoder);

  gilk_splice_preview (fixture.cfg, liveness, fixture.decoder, fixture_block (&fixture, 0xd),
                       GILK_WHERE_POST, GILK_INLINE_COUNT, &choice, &patch);
  g_assert_cmpuint (choice.refusal, ==, 0);
  g_assert_cmpuint (choice.cost, ==, 2);
  g_assert_cmphex (patch.site, ==, FIXTURE_BASE + 0x10);
  g_assert_null (patch.hooks);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/splice/pre", test_pre);
  g_test_add_func ("/splice/filler", test_filler);
  g_test_add_func ("/splice/filler-and-rooms", test_filler_and_rooms);
  g_test_add_func ("/splice/post", test_post);
  g_test_add_func ("/splice/why-not-splice", test_why_not_splice);
  g_test_add_func ("/splice/shared", test_shared);
  g_test_add_func ("/splice/calls", test_calls);
  g_test_add_func ("/splice/both-edges-around-a-call", test_both_edges_around_a_call);
  g_test_add_func ("/splice/both-edges-of-a-call-by-trap", test_both_edges_of_a_call_by_trap);
  g_test_add_func ("/splice/post-after-call", test_post_after_call);
  g_test_add_func ("/splice/fixup", test_fixup);
  g_test_add_func ("/splice/entry", test_entry);
  g_test_add_func ("/splice/bug", test_bug);
  g_test_add_func ("/splice/uaccess", test_uaccess);
  g_test_add_func ("/splice/force", test_force);
  g_test_add_func ("/splice/no-overlap", test_no_overlap);
  g_test_add_func ("/splice/preview", test_preview);

  return g_test_run ();
}

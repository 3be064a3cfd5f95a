/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test-splice.c - which bytes are taken for which point, and what is refused
 */
#include <string.h>

#include "core/splice/gilk-filler.h"
#include "core/splice/gilk-footprint.h"
#include "splice-fixture.h"

static GilkSplicePlan *
plan_one (const Fixture *fixture, guint offset, GilkWhere where, GilkInstrumentKind kind)
{
  const GilkWant want = {
    .block = fixture_block (fixture, offset), .where = where, .kind = kind,
  };

  return gilk_splice_plan_new (fixture->cfg, fixture->decoder, &want, 1);
}

/* Footprint [@site, @site + @len) in offsets for hook @want of @plan. */
static void
assert_planned (const GilkSplicePlan *plan, guint want, guint tactic, guint site, guint len)
{
  const GilkChoice *choice = &plan->choices[want];
  const GilkPatchPlan *patch;

  g_assert_cmpstr (gilk_refusal_name (choice->refusal), ==, "none");
  g_assert_cmpuint (choice->tactic, ==, tactic);
  g_assert_cmpuint (choice->patch, <, plan->n_patches);
  patch = &plan->patches[choice->patch];
  g_assert_cmphex (patch->site, ==, FIXTURE_BASE + site);
  g_assert_cmpuint (patch->len, ==, len);
  g_assert_cmpuint (patch->tactic, ==, tactic);
  g_assert_cmpuint (patch->code_bound % ILK_GRANULE, ==, 0);
  g_assert_cmpmem (patch->old, len,
                   gilk_image_bytes (plan->cfg->image, patch->site, len, NULL), len);
}

static void
assert_refused (const GilkSplicePlan *plan, guint want, guint refusal)
{
  g_assert_cmpstr (gilk_refusal_name (plan->choices[want].refusal), ==,
                   gilk_refusal_name (refusal));
  g_assert_cmpuint (plan->choices[want].patch, ==, G_MAXUINT);
}

/* A count wanted alone at one point. */
static void
assert_point (const Fixture *fixture, guint offset, GilkWhere where,
              guint tactic, guint site, guint len, guint cost)
{
  g_autoptr(GilkSplicePlan) plan = plan_one (fixture, offset, where, GILK_INLINE_COUNT);

  assert_planned (plan, 0, tactic, site, len);
  g_assert_cmpuint (plan->choices[0].cost, ==, cost);
}

static void
assert_point_refused (const Fixture *fixture, guint offset, GilkWhere where,
                      GilkInstrumentKind kind, guint refusal)
{
  g_autoptr(GilkSplicePlan) plan = plan_one (fixture, offset, where, kind);

  assert_refused (plan, 0, refusal);
  g_assert_cmpuint (plan->n_patches, ==, 0);
}

static void
test_pre (void)
{
  g_auto(Fixture) fixture = { NULL };

  FIXTURE_INIT (&fixture, fixture_typical, FIXTURE_C);
  /* Behind the ftrace site; two instructions make room for five bytes. */
  assert_point (&fixture, 0, GILK_WHERE_PRE, ILK_TACTIC_SPLICE, 5, 6, 3);
  assert_point (&fixture, 0xd, GILK_WHERE_PRE, ILK_TACTIC_SPLICE, 0xd, 7, 3);
  /* A one-byte return: nothing but a trap. Flags are dead there: one instruction. */
  assert_point (&fixture, 0x18, GILK_WHERE_PRE, ILK_TACTIC_TRAP, 0x18, 1, GILK_TRAP_COST + 1);
}

/* Returns at three places, with filler behind. */
static const uint8_t ends[] = {
  FENTRY,                             /* 0 */
  0x48, 0x85, 0xff,                   /* 5: test %rdi,%rdi */
  0x74, 0x0b,                         /* 8: je 15 */
  0x79, 0x10,                         /* a: jns 1c */
  0x31, 0xc0,                         /* c: xor %eax,%eax */
  0xc3,                               /* e: ret */
  0xcc, 0xcc, 0xcc, 0xcc,             /* f: what is left of a jump to the return thunk */
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
  g_auto(Fixture) fixture = { NULL };

  FIXTURE_INIT (&fixture, ends, FIXTURE_C);
  /* No way back behind a return; filler goes by whole instructions. */
  assert_point (&fixture, 0xc, GILK_WHERE_PRE, ILK_TACTIC_SPLICE, 0xc, 5, 2);
  assert_point (&fixture, 0xc, GILK_WHERE_POST, ILK_TACTIC_SPLICE, 0xc, 5, 2);
  assert_point (&fixture, 0x15, GILK_WHERE_PRE, ILK_TACTIC_SPLICE, 0x15, 7, 2);
  /* Too little behind the last one, but a hop fits. It stops short of the room it leads to. */
  assert_point (&fixture, 0x1c, GILK_WHERE_POST, ILK_TACTIC_BOUNCE, 0x1c, 2, 3);
}

/* Filler that is taken is no room for a bounce; a splice has it before a bounce. */
static void
test_filler_and_rooms (void)
{
  g_auto(Fixture) fixture = { NULL };

  FIXTURE_INIT (&fixture, ends, FIXTURE_C);
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
  g_auto(Fixture) fixture = { NULL };

  FIXTURE_INIT (&fixture, fixture_typical, FIXTURE_C);
  /* With the branch, and the count before the test, whose flags are still wanted. */
  assert_point (&fixture, 0, GILK_WHERE_POST, ILK_TACTIC_SPLICE, 8, 5, 3);
  /* With the return: no jump back. */
  assert_point (&fixture, 0xd, GILK_WHERE_POST, ILK_TACTIC_SPLICE, 0x10, 5, 2);
  assert_point (&fixture, 0x18, GILK_WHERE_POST, ILK_TACTIC_TRAP, 0x18, 1, GILK_TRAP_COST + 1);
}

static void
test_why_not_splice (void)
{
  g_auto(Fixture) fixture = { NULL };

  FIXTURE_INIT (&fixture, fixture_typical, FIXTURE_C);
  g_autoptr(GilkSplicePlan) plan = plan_one (&fixture, 0x18, GILK_WHERE_PRE, GILK_INLINE_COUNT);

  g_assert_cmpuint (plan->choices[0].why_not_splice, ==, GILK_REFUSAL_TOO_SHORT);
}

static void
test_shared (void)
{
  g_auto(Fixture) fixture = { NULL };

  FIXTURE_INIT (&fixture, fixture_typical, FIXTURE_C);
  const guint block = fixture_block (&fixture, 0xd);
  const GilkWant wants[] = {
    { .block = block, .where = GILK_WHERE_POST, .kind = GILK_INLINE_STAMP },
    { .block = block, .where = GILK_WHERE_PRE, .kind = GILK_INLINE_COUNT },
    { .block = block, .where = GILK_WHERE_PRE, .kind = GILK_INLINE_STAMP },
  };
  g_autoptr(GilkSplicePlan) plan =
    gilk_splice_plan_new (fixture.cfg, fixture.decoder, wants, G_N_ELEMENTS (wants));

  /* One patch for the whole block, pre-hooks first, each edge in the order given. */
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
  g_auto(Fixture) fixture = { NULL };

  FIXTURE_INIT (&fixture, calls, FIXTURE_C);
  /* push and call: the call is last. No jump back, it returns to the original. */
  assert_point (&fixture, 0, GILK_WHERE_PRE, ILK_TACTIC_SPLICE, 5, 6, 2);
  /* test; je is too short: a count may be right behind the call, a call of a module may not. */
  assert_point (&fixture, 0, GILK_WHERE_POST, ILK_TACTIC_SPLICE, 6, 5, 3);
  g_autoptr(GilkSplicePlan) count = plan_one (&fixture, 0, GILK_WHERE_POST, GILK_INLINE_COUNT);
  g_autoptr(GilkSplicePlan) post = plan_one (&fixture, 0, GILK_WHERE_POST, GILK_INSTRUMENT_MODULE);
  g_assert_cmpuint (count->patches[0].flags, ==, ILK_PATCH_RETURNS);
  assert_planned (post, 0, ILK_TACTIC_TRAP, 0xd, 2);
  g_assert_cmpuint (post->patches[0].flags, ==, 0);
  g_assert_cmpuint (post->choices[0].why_not_splice, ==, GILK_REFUSAL_POST_AFTER_CALL);
  /* call *%rbx; pop: three bytes, runs on into the next block. */
  assert_point (&fixture, 0xf, GILK_WHERE_PRE, ILK_TACTIC_TRAP, 0xf, 2, GILK_TRAP_COST + 1);
  assert_point (&fixture, 0xf, GILK_WHERE_POST, ILK_TACTIC_TRAP, 0x11, 1, GILK_TRAP_COST + 2);
  assert_point (&fixture, 0x12, GILK_WHERE_PRE, ILK_TACTIC_SPLICE, 0x12, 6, 2);
}

static void
test_both_edges_around_a_call (void)
{
  g_auto(Fixture) fixture = { NULL };

  FIXTURE_INIT (&fixture, calls, FIXTURE_C);
  const guint block = fixture_block (&fixture, 0x1d);
  const GilkWant wants[] = {
    { .block = block, .where = GILK_WHERE_PRE, .kind = GILK_INLINE_COUNT },
    { .block = block, .where = GILK_WHERE_POST, .kind = GILK_INLINE_COUNT },
  };
  g_autoptr(GilkSplicePlan) plan =
    gilk_splice_plan_new (fixture.cfg, fixture.decoder, wants, G_N_ELEMENTS (wants));

  /* The call returns to the patch, to the hook behind it, which jumps back to the jmp. */
  g_assert_cmpuint (plan->n_patches, ==, 1);
  assert_planned (plan, 0, ILK_TACTIC_SPLICE, 0x1d, 5);
  assert_planned (plan, 1, ILK_TACTIC_SPLICE, 0x1d, 5);
  g_assert_cmpuint (plan->patches[0].flags, ==, ILK_PATCH_RETURNS);
}

static void
test_post_after_call (void)
{
  static const uint8_t code[] = {
    FENTRY,                             /* 0 */
    0x31, 0xc9,                         /* 5: xor %ecx,%ecx */
    0xe8, 0x54, 0x00, 0x00, 0x00,       /* 7: call 60 */
    0xff, 0xc9,                         /* c: dec %ecx, a leader */
    0x75, 0xfc,                         /* e: jne c */
    0xc3,                               /* 10: ret */
  };
  g_auto(Fixture) fixture = { NULL };

  FIXTURE_INIT (&fixture, code, FIXTURE_C);
  assert_point (&fixture, 0, GILK_WHERE_PRE, ILK_TACTIC_SPLICE, 5, 7, 2);
  /* The call moves for good: it returns to the patch. Both edges share one patch. */
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

/* What may fault moves with its fix-up; a count is not moved past it. */
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
  g_auto(Fixture) fixture = { NULL };
  g_auto(GilkCode) emitted = { NULL };
  const GilkBinding binding = { .counter = 0 };
  const struct ilk_info info = { .ring_bytes = 1 << 20 };
  const struct ilk_fault *fault;

  FIXTURE_INIT (&fixture, code, FIXTURE_C,
                { .addr = FIXTURE_BASE + 8, .other = FIXTURE_BASE + 0xd,
                  .kind = GILK_SITE_EXTABLE, .data = 0x123 });
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
  g_auto(Fixture) with_endbr = { NULL };
  g_auto(Fixture) with_leader = { NULL };

  FIXTURE_INIT (&with_endbr, endbr, { FIXTURE_BASE + 4, 0, GILK_SITE_FENTRY });
  assert_point (&with_endbr, 0, GILK_WHERE_PRE, ILK_TACTIC_SPLICE, 9, 5, 2);

  FIXTURE_INIT (&with_leader, leader, FIXTURE_C);
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
  g_auto(Fixture) fixture = { NULL };

  FIXTURE_INIT (&fixture, code, FIXTURE_C, { FIXTURE_BASE + 0x10, 0, GILK_SITE_BUG });
  assert_point (&fixture, 0xb, GILK_WHERE_PRE, ILK_TACTIC_SPLICE, 0xb, 5, 3);
  /* Ends where the ud2 stands, which keeps its address. */
  assert_point (&fixture, 0xb, GILK_WHERE_POST, ILK_TACTIC_SPLICE, 0xb, 5, 3);
}

static void
test_uaccess (void)
{
  static const uint8_t code[] = {
    FENTRY,                             /* 0 */
    0x0f, 0x01, 0xcb,                   /* 5: stac */
    0x31, 0xc0,                         /* 8: xor %eax,%eax */
    0x8b, 0x44, 0x87, 0x04,             /* a: mov 4(%rdi,%rax,4),%eax, a leader */
    0x83, 0xe8, 0x01,                   /* e: sub $1,%eax */
    0x75, 0xf7,                         /* 11: jne a */
    0x0f, 0x01, 0xca,                   /* 13: clac */
    0xc3,                               /* 16: ret */
  };
  g_auto(Fixture) fixture = { NULL };

  FIXTURE_INIT (&fixture, code, FIXTURE_C);
  assert_point (&fixture, 0xa, GILK_WHERE_PRE, ILK_TACTIC_SPLICE, 0xa, 7, 3);
  assert_point_refused (&fixture, 0xa, GILK_WHERE_PRE, GILK_INLINE_STAMP, GILK_REFUSAL_UACCESS);
  assert_point_refused (&fixture, 0xa, GILK_WHERE_POST, GILK_INSTRUMENT_MODULE,
                        GILK_REFUSAL_UACCESS);
  /* Behind the stac, ahead of the leader: open too. Ahead of the stac it is not. */
  assert_point_refused (&fixture, 0, GILK_WHERE_POST, GILK_INLINE_STAMP, GILK_REFUSAL_UACCESS);
  g_autoptr(GilkSplicePlan) plan = plan_one (&fixture, 0, GILK_WHERE_PRE, GILK_INLINE_STAMP);
  assert_planned (plan, 0, ILK_TACTIC_SPLICE, 5, 5);
}

static void
test_force (void)
{
  g_auto(Fixture) fixture = { NULL };

  FIXTURE_INIT (&fixture, fixture_typical, FIXTURE_C);
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
  g_auto(Fixture) fixture = { NULL };
  g_autoptr(GArray) wants = g_array_new (FALSE, TRUE, sizeof (GilkWant));

  FIXTURE_INIT (&fixture, calls, FIXTURE_C);
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
  g_auto(Fixture) fixture = { NULL };
  GilkChoice choice;
  GilkPatchPlan patch;

  FIXTURE_INIT (&fixture, fixture_typical, FIXTURE_C);
  g_autoptr(GilkLiveness) liveness = gilk_liveness_new (fixture.cfg, fixture.decoder);

  gilk_splice_preview (fixture.cfg, liveness, fixture.decoder, fixture_block (&fixture, 0xd),
                       GILK_WHERE_POST, GILK_INLINE_COUNT, &choice, &patch);
  g_assert_cmpuint (choice.refusal, ==, 0);
  g_assert_cmpuint (choice.cost, ==, 2);
  g_assert_cmphex (patch.site, ==, FIXTURE_BASE + 0x10);
  g_assert_null (patch.hooks);
}

/* A hop of 4 bytes at 0x5, room in the alignment behind a jump and behind the return. */
static const uint8_t hops[] = {
  FENTRY,                             /* 0 */
  0x48, 0x85, 0xff,                   /* 5: test %rdi,%rdi */
  0x74, 0x0d,                         /* 8: je 17 */
  0xeb, 0x0e,                         /* a: jmp 1a */
  0x66, 0x0f, 0x1f, 0x44, 0, 0,       /* c: nop, 6 bytes */
  0x0f, 0x1f, 0x44, 0x00, 0x00,       /* 12: nop, 5 bytes */
  0x31, 0xc0,                         /* 17: xor %eax,%eax */
  0xc3,                               /* 19: ret */
  0x89, 0xf8,                         /* 1a: mov %edi,%eax */
  0x01, 0xf0,                         /* 1c: add %esi,%eax */
  0xc3,                               /* 1e: ret */
  0xcc, 0xcc, 0xcc, 0xcc,             /* 1f */
  0x90, 0x90, 0x90, 0x90,             /* 23 */
};

static void
assert_bounce (const GilkSplicePlan *plan, guint want, guint site, guint len, guint room)
{
  const GilkPatchPlan *patch;

  assert_planned (plan, want, ILK_TACTIC_BOUNCE, site, len);
  patch = &plan->patches[plan->choices[want].patch];
  g_assert_cmphex (patch->bounce, ==, FIXTURE_BASE + room);
  g_assert_cmpmem (patch->bounce_old, ILK_BOUNCE_BYTES, hops + room, ILK_BOUNCE_BYTES);
}

static void
test_bounce (void)
{
  g_auto(Fixture) fixture = { NULL };

  FIXTURE_INIT (&fixture, hops, FIXTURE_C);
  /* The jump there takes two jumps; no way back behind a jump or a return. */
  assert_point (&fixture, 0x0, GILK_WHERE_PRE, ILK_TACTIC_SPLICE, 5, 5, 3);
  assert_point (&fixture, 0xa, GILK_WHERE_PRE, ILK_TACTIC_SPLICE, 0xa, 8, 2);
  assert_point (&fixture, 0x17, GILK_WHERE_PRE, ILK_TACTIC_BOUNCE, 0x17, 2, 4);
  assert_point (&fixture, 0x17, GILK_WHERE_POST, ILK_TACTIC_BOUNCE, 0x17, 3, 3);
}

/* Both edges share a bounce, long blocks come first; without room: trapped, or refused if forced. */
static void
test_bounces_together (void)
{
  g_auto(Fixture) fixture = { NULL };

  FIXTURE_INIT (&fixture, hops, FIXTURE_C);
  const GilkWant wants[] = {
    { .block = fixture_block (&fixture, 0xa), .force = ILK_TACTIC_BOUNCE },
    { .block = fixture_block (&fixture, 0x17) },
    { .block = fixture_block (&fixture, 0x17), .where = GILK_WHERE_POST,
      .force = ILK_TACTIC_BOUNCE },
    { .block = fixture_block (&fixture, 0x1a), .force = ILK_TACTIC_BOUNCE },
    { .block = fixture_block (&fixture, 0x1a), .where = GILK_WHERE_POST,
      .force = ILK_TACTIC_BOUNCE },
    { .block = fixture_block (&fixture, 0), .force = ILK_TACTIC_BOUNCE },
    { .block = fixture_block (&fixture, 0), .where = GILK_WHERE_POST,
      .force = ILK_TACTIC_BOUNCE },
  };
  g_autoptr(GilkSplicePlan) plan =
    gilk_splice_plan_new (fixture.cfg, fixture.decoder, wants, G_N_ELEMENTS (wants));

  assert_bounce (plan, 5, 0x5, 5, 0xc);
  g_assert_cmpuint (plan->choices[6].patch, ==, plan->choices[5].patch);
  assert_bounce (plan, 3, 0x1a, 5, 0x11);
  g_assert_cmpuint (plan->choices[4].patch, ==, plan->choices[3].patch);
  assert_bounce (plan, 0, 0xa, 2, 0x20);
  assert_planned (plan, 1, ILK_TACTIC_TRAP, 0x17, 2);
  assert_refused (plan, 2, GILK_REFUSAL_NO_ROOM);
}

/* What stands in padding and is no filler is somebody's: too little is left around it. */
static void
test_no_room (void)
{
  g_auto(Fixture) fixture = { NULL };
  uint8_t bytes[sizeof hops];

  memcpy (bytes, hops, sizeof hops);
  memset (bytes + 0xc, 0x90, 11);
  bytes[0xd] = 0x55;
  bytes[0x23] = 0xc3;
  FIXTURE_INIT (&fixture, bytes, FIXTURE_C);
  g_autoptr(GilkSplicePlan) plan = plan_one (&fixture, 0xa, GILK_WHERE_PRE, GILK_INLINE_COUNT);
  assert_planned (plan, 0, ILK_TACTIC_TRAP, 0xa, 2);
  g_assert_cmpuint (plan->choices[0].why_not_splice, ==, GILK_REFUSAL_TOO_SHORT);
}

/* A static call of nothing in place of a tail call: a return, and filler that comes and goes. */
static void
test_bounce_beside_static_call (void)
{
  g_auto(Fixture) fixture = { NULL };

  FIXTURE_INIT (&fixture, hops, FIXTURE_C, { FIXTURE_BASE + 0x1e, 0, GILK_SITE_STATIC_CALL });
  const GilkWant wants[] = {
    { .block = fixture_block (&fixture, 0xa), .force = ILK_TACTIC_BOUNCE },
    { .block = fixture_block (&fixture, 0x17), .force = ILK_TACTIC_BOUNCE },
    { .block = fixture_block (&fixture, 0x1a), .force = ILK_TACTIC_BOUNCE },
  };
  g_autoptr(GilkSplicePlan) plan =
    gilk_splice_plan_new (fixture.cfg, fixture.decoder, wants, G_N_ELEMENTS (wants));

  assert_bounce (plan, 2, 0x1a, 2, 0xc);
  assert_bounce (plan, 0, 0xa, 2, 0x11);
  assert_refused (plan, 1, GILK_REFUSAL_NO_ROOM);
}

/* A room counts only where the kernel unwinds as at the site, at all of its bytes. */
static void
test_room_unwinds_alike (void)
{
  static const FixtureFrame alike[] = { { 0, 8 } };
  static const FixtureFrame far_one[] = { { 0, 8 }, { 0xc, 16 }, { 0x17, 8 } };
  static const FixtureFrame last_byte[] = { { 0, 8 }, { 0x10, 16 }, { 0x14, 8 } };
  static const FixtureFrame unknown[] = { { 0, 8 }, { 0xb, 0 }, { 0x17, 8 }, { 0x1f, 0 } };
  g_auto(Fixture) fixture = { NULL };

  FIXTURE_INIT (&fixture, hops, FIXTURE_C);
  const struct {
    const FixtureFrame *frames;
    guint               n, room;
  } cases[] = {
    { alike, G_N_ELEMENTS (alike), 0xc },
    { far_one, G_N_ELEMENTS (far_one), 0x20 },
    { last_byte, G_N_ELEMENTS (last_byte), 0x20 },
    { unknown, G_N_ELEMENTS (unknown), 0 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      fixture_set_frames (&fixture, cases[i].frames, cases[i].n);
      g_autoptr(GilkSplicePlan) plan = plan_one (&fixture, 0x17, GILK_WHERE_PRE, GILK_INLINE_COUNT);

      if (cases[i].room != 0)
        assert_bounce (plan, 0, 0x17, 2, cases[i].room);
      else
        assert_planned (plan, 0, ILK_TACTIC_TRAP, 0x17, 2);
    }
}

/* An overridden weak function is not known, its ftrace site stands where it would begin. */
static void
test_filler_is_no_fentry (void)
{
  static const uint8_t nop[] = { FENTRY, 0xcc };

  g_assert_cmpuint (gilk_filler_length (nop, sizeof nop, FIXTURE_BASE + 0xb), ==, 5);
  g_assert_cmpuint (gilk_filler_length (nop, sizeof nop, FIXTURE_BASE + 0x20), ==, 0);
  g_assert_cmpuint (gilk_filler_length (nop, sizeof nop, FIXTURE_BASE + 0x24), ==, 0);
  g_assert_cmpuint (gilk_filler_length (nop + 5, 1, FIXTURE_BASE + 0x20), ==, 1);
}

/* Five bytes behind a jump that begin no instruction of the splice, in a function of one way. */
static const uint8_t crowd[] = {
  FENTRY,                             /* 0 */
  0x48, 0x85, 0xff,                   /* 5: test %rdi,%rdi */
  0x74, 0x0c,                         /* 8: je 16 */
  0x85, 0xf6,                         /* a: test %esi,%esi */
  0x74, 0x08,                         /* c: je 16 */
  0x85, 0xd2,                         /* e: test %edx,%edx */
  0x74, 0x04,                         /* 10: je 16 */
  0x85, 0xc9,                         /* 12: test %ecx,%ecx */
  0x74, 0x00,                         /* 14: je 16 */
  0x48, 0x8b, 0x47, 0x08,             /* 16: mov 0x8(%rdi),%rax */
  0x48, 0x8b, 0x77, 0x10,             /* 1a: mov 0x10(%rdi),%rsi */
  0x48, 0x8b, 0x57, 0x18,             /* 1e: mov 0x18(%rdi),%rdx */
  0x48, 0x01, 0xf0,                   /* 22: add %rsi,%rax */
  0x48, 0x01, 0xd0,                   /* 25: add %rdx,%rax */
  0x48, 0x03, 0x47, 0x20,             /* 28: add 0x20(%rdi),%rax */
  0xc3,                               /* 2c: ret */
};

static const GilkPatchPlan *
host_of (const GilkSplicePlan *plan, const GilkPatchPlan *guest)
{
  for (const GilkPatchPlan *host = plan->patches; host < guest; host++)
    if (guest->bounce >= host->site && guest->bounce < host->site + host->len)
      return host;

  return NULL;
}

/* No byte has two owners, each room is in reach and behind its host's jump. */
static void
assert_map (const GilkSplicePlan *plan)
{
  guint owner[sizeof crowd] = { 0 };

  for (guint i = 0; i < plan->n_patches; i++)
    {
      const GilkPatchPlan *patch = &plan->patches[i], *host;
      int64_t hop = (int64_t) (patch->bounce - (patch->site + GILK_HOP_BYTES));

      for (guint b = 0; b < patch->len; b++)
        g_assert_cmpuint (owner[patch->site - FIXTURE_BASE + b]++, ==, 0);
      if (patch->bounce == 0)
        continue;
      host = host_of (plan, patch);
      g_assert_nonnull (host);
      g_assert_true (host->houses);
      g_assert_cmpuint (host->tactic, ==, ILK_TACTIC_SPLICE);
      g_assert_cmphex (patch->bounce, >=, host->site + GILK_JUMP_BYTES);
      g_assert_cmphex (patch->bounce + ILK_BOUNCE_BYTES, <=, host->site + host->len);
      g_assert_cmpint (hop, >=, -GILK_HOP_RANGE);
      g_assert_cmpint (hop, <, GILK_HOP_RANGE);
      for (guint n = host->first_insn; n < host->first_insn + host->n_insns; n++)
        g_assert_cmphex (plan->cfg->insns[n].addr, !=, patch->bounce);
      for (guint b = 0; b < ILK_BOUNCE_BYTES; b++)
        {
          g_assert_cmphex (patch->bounce_old[b], ==, 0xcc);
          owner[patch->bounce - FIXTURE_BASE + b] += 100;
        }
      for (guint b = 0; b < sizeof crowd; b++)
        g_assert_cmpuint (owner[b], <, 200);
    }
}

/* All hooks of a function of many short blocks live together, without a trap. */
static void
test_rooms_together (void)
{
  g_auto(Fixture) fixture = { NULL };
  GilkWant wants[12];

  FIXTURE_INIT (&fixture, crowd, FIXTURE_C);
  g_assert_cmpuint (fixture.cfg->n_blocks, ==, 5);
  for (guint i = 0; i < 10; i++)
    wants[i] = (GilkWant) {
      .block = i / 2, .where = i % 2 ? GILK_WHERE_POST : GILK_WHERE_PRE,
    };
  g_autoptr(GilkSplicePlan) plan =
    gilk_splice_plan_new (fixture.cfg, fixture.decoder, wants, 10);

  for (guint i = 0; i < 10; i++)
    {
      g_assert_cmpuint (plan->choices[i].refusal, ==, 0);
      g_assert_cmpuint (plan->choices[i].tactic, ==,
                        i >= 2 && i < 8 ? ILK_TACTIC_BOUNCE : ILK_TACTIC_SPLICE);
    }
  assert_map (plan);
}

/* One short block alone: a splice is made for its room, and it unwinds like the site. */
static void
test_room_is_made (void)
{
  static const FixtureFrame alike[] = { { 0, 8 } };
  static const FixtureFrame pushed[] = { { 0, 8 }, { 0x16, 16 } };
  static const FixtureFrame within[] = { { 0, 8 }, { 0x1a, 16 }, { 0x22, 8 } };
  g_auto(Fixture) fixture = { NULL };

  FIXTURE_INIT (&fixture, crowd, FIXTURE_C);
  fixture_set_frames (&fixture, alike, G_N_ELEMENTS (alike));
  g_autoptr(GilkSplicePlan) made = plan_one (&fixture, 0xa, GILK_WHERE_PRE, GILK_INLINE_COUNT);
  fixture_set_frames (&fixture, pushed, G_N_ELEMENTS (pushed));
  g_autoptr(GilkSplicePlan) none = plan_one (&fixture, 0xa, GILK_WHERE_PRE, GILK_INLINE_COUNT);
  fixture_set_frames (&fixture, within, G_N_ELEMENTS (within));
  g_autoptr(GilkSplicePlan) further = plan_one (&fixture, 0xa, GILK_WHERE_PRE, GILK_INLINE_COUNT);

  g_assert_cmpuint (made->n_patches, ==, 2);
  g_assert_cmpuint (made->patches[0].n_hooks, ==, 0);
  g_assert_cmphex (made->patches[0].site, ==, FIXTURE_BASE + 0x16);
  g_assert_cmphex (made->patches[1].bounce, ==, FIXTURE_BASE + 0x1b);
  assert_planned (made, 0, ILK_TACTIC_BOUNCE, 0xa, 2);
  assert_map (made);
  assert_planned (none, 0, ILK_TACTIC_TRAP, 0xa, 2);
  g_assert_cmpuint (none->n_patches, ==, 1);
  assert_planned (further, 0, ILK_TACTIC_BOUNCE, 0xa, 2);
  g_assert_cmphex (further->patches[1].bounce, >=, FIXTURE_BASE + 0x22);
  assert_map (further);
}

/* A splice with hooks that has rooms also comes without its hooks, for when they are off. */
static void
test_bare (void)
{
  const struct ilk_info info = { .ring_bytes = 1 << 20 };
  const GilkBinding bindings[2] = { { .iid = 1 }, { .iid = 2 } };
  g_auto(Fixture) fixture = { NULL };
  g_auto(GilkCode) code = { NULL };
  g_autoptr(GError) error = NULL;

  FIXTURE_INIT (&fixture, crowd, FIXTURE_C);
  const GilkWant wants[] = {
    { .block = fixture_block (&fixture, 0x16) },
    { .block = fixture_block (&fixture, 0xa) },
  };
  g_autoptr(GilkSplicePlan) plan =
    gilk_splice_plan_new (fixture.cfg, fixture.decoder, wants, G_N_ELEMENTS (wants));

  assert_map (plan);
  g_assert_true (plan->patches[0].houses);
  g_assert_true (gilk_emit_code (plan, 0, FIXTURE_SLOT, &info, bindings, &code, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (code.bare, >, 0);
  /* incq %gs:0 is nine bytes, all that the code with its hook has more. */
  g_assert_cmpuint (code.code->len, ==, 2 * code.bare - 9);
  g_assert_cmpmem (code.code->data + 9, code.bare - 9 - 4, code.code->data + code.bare,
                   code.bare - 9 - 4);
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
  g_test_add_func ("/splice/post-after-call", test_post_after_call);
  g_test_add_func ("/splice/fixup", test_fixup);
  g_test_add_func ("/splice/entry", test_entry);
  g_test_add_func ("/splice/bug", test_bug);
  g_test_add_func ("/splice/uaccess", test_uaccess);
  g_test_add_func ("/splice/force", test_force);
  g_test_add_func ("/splice/no-overlap", test_no_overlap);
  g_test_add_func ("/splice/preview", test_preview);
  g_test_add_func ("/splice/bounce", test_bounce);
  g_test_add_func ("/splice/bounces-together", test_bounces_together);
  g_test_add_func ("/splice/filler-is-no-fentry", test_filler_is_no_fentry);
  g_test_add_func ("/splice/bounce-beside-static-call", test_bounce_beside_static_call);
  g_test_add_func ("/splice/no-room", test_no_room);
  g_test_add_func ("/splice/room-unwinds-alike", test_room_unwinds_alike);

  g_test_add_func ("/splice/rooms-together", test_rooms_together);
  g_test_add_func ("/splice/room-is-made", test_room_is_made);
  g_test_add_func ("/splice/bare", test_bare);

  return g_test_run ();
}

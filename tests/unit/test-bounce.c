/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test-bounce.c - checks bounces: their hops (2-byte jumps), and the space for the 5-byte jumps to
 * which the hops lead
 */
/* Promise: bounces use only bytes that are never executed, or that a splice has freed */
#include <string.h>

#include "core/splice/gilk-splice.h"
#include "core/splice/gilk-footprint.h"
#include "splice-assert.h"

/* Code with padding after the jump at 0xa and after the last return: each has space for a 5-byte
 * jump. */
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
  g_auto(Fixture) fixture = FIXTURE (hops, FIXTURE_C);

  /* The cost of a bounce includes two jumps into the patch: the hop and the 5-byte jump. A patch
   * that ends with a jump or return does not need a jump back. */
  assert_point (&fixture, 0x0, GILK_WHERE_PRE, ILK_TACTIC_SPLICE, 5, 5, 3);
  assert_point (&fixture, 0xa, GILK_WHERE_PRE, ILK_TACTIC_SPLICE, 0xa, 8, 2);
  assert_point (&fixture, 0x17, GILK_WHERE_PRE, ILK_TACTIC_BOUNCE, 0x17, 2, 4);
  assert_point (&fixture, 0x17, GILK_WHERE_POST, ILK_TACTIC_BOUNCE, 0x17, 3, 3);
}

/* Tests that pre- and post-hook share a bounce, that long blocks get space first, and that a hook
 * without space becomes a trap, or is refused if a bounce is forced. */
static void
test_bounces_together (void)
{
  g_auto(Fixture) fixture = FIXTURE (hops, FIXTURE_C);
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

/* Tests that a bounce's 5-byte jump is not placed on padding bytes that are not filler, because
 * they may be in use. The filler on either side of them is too short for a jump. */
static void
test_no_room (void)
{
  uint8_t bytes[sizeof hops];

  memcpy (bytes, hops, sizeof hops);
  memset (bytes + 0xc, 0x90, 11);
  bytes[0xd] = 0x55;
  bytes[0x23] = 0xc3;
  g_auto(Fixture) fixture = FIXTURE (bytes, FIXTURE_C);
  g_autoptr(GilkSplicePlan) plan = plan_one (&fixture, 0xa, GILK_WHERE_PRE, GILK_INLINE_COUNT);
  assert_planned (plan, 0, ILK_TACTIC_TRAP, 0xa, 2);
  g_assert_cmpuint (plan->choices[0].why_not_splice, ==, GILK_REFUSAL_TOO_SHORT);
}

/* Tests a static call that is a tail call and is switched off. The kernel has written a return over
 * it, so the bytes after the return look like filler, but must not be used. */
static void
test_bounce_beside_static_call (void)
{
  g_auto(Fixture) fixture = FIXTURE (hops, FIXTURE_C,
                                     { FIXTURE_BASE + 0x1e, 0, GILK_SITE_STATIC_CALL });
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

/* Tests that filler holds a bounce's jump only if the kernel's unwinder treats each byte of the
 * filler like the hooked site. */
static void
test_room_unwinds_alike (void)
{
  static const FixtureFrame alike[] = { { 0, 8 } };
  static const FixtureFrame far_one[] = { { 0, 8 }, { 0xc, 16 }, { 0x17, 8 } };
  static const FixtureFrame last_byte[] = { { 0, 8 }, { 0x10, 16 }, { 0x14, 8 } };
  static const FixtureFrame unknown[] = { { 0, 8 }, { 0xb, 0 }, { 0x17, 8 }, { 0x1f, 0 } };
  g_auto(Fixture) fixture = FIXTURE (hops, FIXTURE_C);
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

/* Tests that the ftrace site of an overridden weak function is not filler: it has no symbol, but is
 * aligned like a function's start. */
static void
test_filler_is_no_fentry (void)
{
  static const uint8_t nop[] = { FENTRY, 0xcc };

  g_assert_cmpuint (gilk_filler_length (nop, sizeof nop, FIXTURE_BASE + 0xb), ==, 5);
  g_assert_cmpuint (gilk_filler_length (nop, sizeof nop, FIXTURE_BASE + 0x20), ==, 0);
  g_assert_cmpuint (gilk_filler_length (nop, sizeof nop, FIXTURE_BASE + 0x24), ==, 0);
  g_assert_cmpuint (gilk_filler_length (nop + 5, 1, FIXTURE_BASE + 0x20), ==, 1);
}

/* A function without a loop, with many short blocks; the splice at 16 has at least five free bytes
 * after its jump. */
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

/* Checks that no byte of the function is used for two purposes. Also checks each bounce whose
 * 5-byte jump uses bytes that a splice lends: the hop must reach the jump, and the splice's own
 * jump must not overlap it. */
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
      g_assert_true (host->has_bounces);
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

/* Tests that all hooks of a function with many short blocks can be armed together without using
 * traps. */
static void
test_rooms_together (void)
{
  g_auto(Fixture) fixture = FIXTURE (crowd, FIXTURE_C);
  GilkWant wants[12];

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

/* Tests that for a single short block, the planner adds a splice that lends space, but only if
 * the kernel's unwinder treats the lent bytes like the site. */
static void
test_room_is_made (void)
{
  static const FixtureFrame alike[] = { { 0, 8 } };
  static const FixtureFrame pushed[] = { { 0, 8 }, { 0x16, 16 } };
  static const FixtureFrame within[] = { { 0, 8 }, { 0x1a, 16 }, { 0x22, 8 } };
  g_auto(Fixture) fixture = FIXTURE (crowd, FIXTURE_C);

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

/* Tests that a splice that has hooks and lends space also has a copy of its code without the hooks,
 * used when the hooks are off. */
static void
test_bare (void)
{
  const struct ilk_info info = { .ring_bytes = 1 << 20 };
  const GilkBinding bindings[2] = { { .iid = 1 }, { .iid = 2 } };
  g_auto(Fixture) fixture = FIXTURE (crowd, FIXTURE_C);
  g_auto(GilkCode) code = { NULL };
  g_autoptr(GError) error = NULL;
  const GilkWant wants[] = {
    { .block = fixture_block (&fixture, 0x16) },
    { .block = fixture_block (&fixture, 0xa) },
  };
  g_autoptr(GilkSplicePlan) plan =
    gilk_splice_plan_new (fixture.cfg, fixture.decoder, wants, G_N_ELEMENTS (wants));

  assert_map (plan);
  g_assert_true (plan->patches[0].has_bounces);
  g_assert_true (gilk_emit_code (plan, 0, FIXTURE_SLOT, &info, bindings, &code, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (code.bare, >, 0);
  /* The two copies differ only by the hook's counter increment, incq %gs:0, which has nine
   * bytes. */
  g_assert_cmpuint (code.code->len, ==, 2 * code.bare - 9);
  g_assert_cmpmem (code.code->data + 9, code.bare - 9 - 4, code.code->data + code.bare,
                   code.bare - 9 - 4);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/bounce/one", test_bounce);
  g_test_add_func ("/bounce/together", test_bounces_together);
  g_test_add_func ("/bounce/filler-is-no-fentry", test_filler_is_no_fentry);
  g_test_add_func ("/bounce/beside-static-call", test_bounce_beside_static_call);
  g_test_add_func ("/bounce/no-room", test_no_room);
  g_test_add_func ("/bounce/room-unwinds-alike", test_room_unwinds_alike);
  g_test_add_func ("/bounce/rooms-together", test_rooms_together);
  g_test_add_func ("/bounce/room-is-made", test_room_is_made);
  g_test_add_func ("/bounce/bare", test_bare);

  return g_test_run ();
}

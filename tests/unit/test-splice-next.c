/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test-splice-next.c - tests that hooks can be added and removed while others are live
 */
/* Promise: a live footprint does not move when hooks are added or removed */
#include "splice-fixture.h"

#define NEW G_MAXUINT

static GilkSplicePlan *
plan_splices (const Fixture *fixture, const GilkWant *wants, guint n)
{
  return gilk_splice_plan_new (fixture->cfg, fixture->decoder, wants, n);
}

static GilkSplicePlan *
plan_next (const Fixture *fixture, const GilkSplicePlan *live, const GilkWant *wants, const guint *was,
           guint n)
{
  return gilk_splice_plan_next (fixture->cfg, fixture->decoder, wants, n, live, was);
}

static void
assert_patch (const GilkSplicePlan *plan, guint patch, GilkPatchNext what, guint site, guint len,
              guint n_hooks)
{
  g_assert_cmpuint (patch, <, plan->n_patches);
  g_assert_cmpuint (plan->patches[patch].next, ==, what);
  g_assert_cmphex (plan->patches[patch].site, ==, FIXTURE_BASE + site);
  g_assert_cmpuint (plan->patches[patch].len, ==, len);
  g_assert_cmpuint (plan->patches[patch].n_hooks, ==, n_hooks);
}

/* Tests that planning the same hooks again, in any order, changes nothing. */
static void
test_same (void)
{
  g_auto(Fixture) fixture = FIXTURE (fixture_typical, FIXTURE_C);
  const GilkWant wants[] = {
    { .block = fixture_block (&fixture, 0), .where = GILK_WHERE_PRE },
    { .block = fixture_block (&fixture, 0xd), .where = GILK_WHERE_PRE },
  };
  const GilkWant turned[] = { wants[1], wants[0] };
  g_autoptr(GilkSplicePlan) live = plan_splices (&fixture, wants, 2);
  g_autoptr(GilkSplicePlan) after =
    plan_next (&fixture, live, turned, (const guint[]) { 1, 0 }, 2);

  g_assert_cmpuint (after->n_patches, ==, 2);
  assert_patch (after, 0, GILK_PATCH_STAYS, 5, 6, 1);
  assert_patch (after, 1, GILK_PATCH_STAYS, 0xd, 7, 1);
  g_assert_cmpuint (after->choices[0].patch, ==, 1);
  g_assert_cmpuint (after->choices[1].patch, ==, 0);
  g_assert_cmpuint (after->choices[0].cost, ==, live->choices[1].cost);
}

/* Tests that a second instrument at the point of a live hook shares the footprint, and can be
 * removed again. */
static void
test_join_and_leave (void)
{
  g_auto(Fixture) fixture = FIXTURE (fixture_typical, FIXTURE_C);
  const guint block = fixture_block (&fixture, 0xd);
  const GilkWant wants[] = {
    { .block = block, .where = GILK_WHERE_PRE },
    { .block = block, .where = GILK_WHERE_PRE, .kind = GILK_INLINE_STAMP },
  };
  g_autoptr(GilkSplicePlan) live = plan_splices (&fixture, wants, 1);
  g_autoptr(GilkSplicePlan) both =
    plan_next (&fixture, live, wants, (const guint[]) { 0, NEW }, 2);
  g_autoptr(GilkSplicePlan) second =
    plan_next (&fixture, both, &wants[1], (const guint[]) { 1 }, 1);
  g_autoptr(GilkSplicePlan) none = plan_next (&fixture, second, NULL, NULL, 0);

  g_assert_cmpuint (both->n_patches, ==, 1);
  assert_patch (both, 0, GILK_PATCH_FOLLOWS, 0xd, 7, 2);
  g_assert_cmpuint (both->patches[0].live, ==, 0);
  g_assert_cmpuint (both->patches[0].cost, ==, both->choices[0].cost + both->choices[1].cost);
  g_assert_cmpuint (second->n_patches, ==, 1);
  assert_patch (second, 0, GILK_PATCH_FOLLOWS, 0xd, 7, 1);
  g_assert_cmpuint (none->n_patches, ==, 1);
  assert_patch (none, 0, GILK_PATCH_ENDS, 0xd, 7, 0);
}

/* Tests that the next plan can use the bytes of a patch that has ended. */
static void
test_ended (void)
{
  g_auto(Fixture) fixture = FIXTURE (fixture_typical, FIXTURE_C);
  const GilkWant pre = { .block = fixture_block (&fixture, 0xd), .where = GILK_WHERE_PRE };
  const GilkWant trap = {
    .block = pre.block, .where = GILK_WHERE_PRE, .force = ILK_TACTIC_TRAP,
  };
  g_autoptr(GilkSplicePlan) live = plan_splices (&fixture, &pre, 1);
  g_autoptr(GilkSplicePlan) at_once = plan_next (&fixture, live, &trap, (const guint[]) { NEW }, 1);
  g_autoptr(GilkSplicePlan) ended = plan_next (&fixture, live, NULL, NULL, 0);
  g_autoptr(GilkSplicePlan) later = plan_next (&fixture, ended, &trap, (const guint[]) { NEW }, 1);

  g_assert_cmpstr (gilk_refusal_name (at_once->choices[0].refusal), ==, "live-bytes");
  assert_patch (at_once, 0, GILK_PATCH_ENDS, 0xd, 7, 0);
  g_assert_cmpuint (later->n_patches, ==, 1);
  assert_patch (later, 0, GILK_PATCH_NEW, 0xd, 3, 1);
}

/* Tests that hooks added to other blocks get their own sites, and that the live patch does not
 * change. */
static void
test_beside (void)
{
  g_auto(Fixture) fixture = FIXTURE (fixture_typical, FIXTURE_C);
  const GilkWant wants[] = {
    { .block = fixture_block (&fixture, 0xd), .where = GILK_WHERE_PRE },
    { .block = fixture_block (&fixture, 0), .where = GILK_WHERE_PRE },
    { .block = fixture_block (&fixture, 0xd), .where = GILK_WHERE_POST },
  };
  g_autoptr(GilkSplicePlan) live = plan_splices (&fixture, wants, 1);
  g_autoptr(GilkSplicePlan) after =
    plan_next (&fixture, live, wants, (const guint[]) { 0, NEW, NEW }, 3);

  /* If the hooks at both ends of the block were planned together, they would get one splice of 8
   * bytes. The live splice keeps its 7 bytes. */
  assert_patch (after, 0, GILK_PATCH_FOLLOWS, 0xd, 7, 2);
  g_assert_cmpuint (after->n_patches, ==, 2);
  assert_patch (after, 1, GILK_PATCH_NEW, 5, 6, 1);
  g_assert_cmpuint (after->choices[2].refusal, ==, 0);
  g_assert_cmpuint (after->choices[2].patch, ==, 0);
}

/* Tests that if a live footprint ends with a call, a hook after the call can be added only if the
 * call returns to the patch. */
static void
test_behind_call (void)
{
  static const uint8_t code[] = {
    FENTRY,                             /* 0 */
    0x31, 0xc9,                         /* 5: xor %ecx,%ecx */
    0xe8, 0x54, 0x00, 0x00, 0x00,       /* 7: call 60 */
    0xff, 0xc9,                         /* c: dec %ecx, starts a block */
    0x75, 0xfc,                         /* e: jne c */
    0xc3,                               /* 10: ret */
  };
  const GilkWant wants[] = { { .where = GILK_WHERE_POST }, { .where = GILK_WHERE_POST } };
  const GilkWant mixed[] = { { .where = GILK_WHERE_PRE }, { .where = GILK_WHERE_POST } };
  g_auto(Fixture) fixture = FIXTURE (code, FIXTURE_C);
  g_autoptr(GilkSplicePlan) behind = plan_splices (&fixture, wants, 1);
  g_autoptr(GilkSplicePlan) joined = plan_next (&fixture, behind, wants, (const guint[]) { 0, NEW }, 2);
  g_autoptr(GilkSplicePlan) before = plan_splices (&fixture, mixed, 1);
  g_autoptr(GilkSplicePlan) refused = plan_next (&fixture, before, mixed, (const guint[]) { 0, NEW }, 2);

  g_assert_true (behind->patches[0].after_call);
  assert_patch (joined, 0, GILK_PATCH_FOLLOWS, 7, 5, 2);
  g_assert_cmpuint (joined->patches[0].flags, ==, ILK_PATCH_RETURNS);
  g_assert_cmpstr (gilk_refusal_name (refused->choices[1].refusal), ==, "live-bytes");
}

/* Tests that no byte of a live patch is given to another patch, and that the live patch keeps its
 * tactic. */
static void
test_held (void)
{
  g_auto(Fixture) fixture = FIXTURE (fixture_typical, FIXTURE_C);
  const guint block = fixture_block (&fixture, 0xd);
  const GilkWant wants[] = {
    { .block = block, .where = GILK_WHERE_PRE, .force = ILK_TACTIC_TRAP },
    { .block = block, .where = GILK_WHERE_PRE, .force = ILK_TACTIC_SPLICE },
    { .block = block, .where = GILK_WHERE_POST },
  };
  g_autoptr(GilkSplicePlan) live = plan_splices (&fixture, wants, 1);
  g_autoptr(GilkSplicePlan) after =
    plan_next (&fixture, live, wants, (const guint[]) { 0, NEW, NEW }, 3);

  assert_patch (after, 0, GILK_PATCH_STAYS, 0xd, 3, 1);
  g_assert_cmpstr (gilk_refusal_name (after->choices[1].refusal), ==, "live-bytes");
  g_assert_cmpuint (after->choices[1].patch, ==, G_MAXUINT);
  g_assert_cmpuint (after->choices[2].refusal, ==, 0);
  for (guint i = 1; i < after->n_patches; i++)
    g_assert_cmphex (after->patches[i].site, >=, FIXTURE_BASE + 0x10);
}

/* Tests that a hook's gate, which switches the hook on and off, is part of the patch's code: adding
 * a gate makes a new patch. */
static void
test_gated (void)
{
  g_auto(Fixture) fixture = FIXTURE (fixture_typical, FIXTURE_C);
  const GilkWant open = { .block = fixture_block (&fixture, 0xd), .where = GILK_WHERE_PRE };
  const GilkWant gated = { .block = open.block, .where = GILK_WHERE_PRE, .gated = TRUE };
  g_autoptr(GilkSplicePlan) live = plan_splices (&fixture, &open, 1);
  g_autoptr(GilkSplicePlan) after = plan_next (&fixture, live, &gated, (const guint[]) { 0 }, 1);

  assert_patch (after, 0, GILK_PATCH_FOLLOWS, 0xd, 7, 1);
}

/* Tests that a change of hooks replaces a clone with another clone, and that a tactic that cannot
 * coexist with the clone is refused. */
static void
test_clone (void)
{
  g_auto(Fixture) fixture = FIXTURE (fixture_typical, FIXTURE_C);
  const GilkWant wants[] = {
    { .block = fixture_block (&fixture, 0), .where = GILK_WHERE_PRE, .force = ILK_TACTIC_CLONE },
    { .block = fixture_block (&fixture, 0x18), .where = GILK_WHERE_PRE },
    { .block = fixture_block (&fixture, 0xd), .where = GILK_WHERE_PRE, .force = ILK_TACTIC_SPLICE },
  };
  g_autoptr(GilkSplicePlan) live = plan_splices (&fixture, wants, 1);
  g_autoptr(GilkSplicePlan) same = plan_next (&fixture, live, wants, (const guint[]) { 0 }, 1);
  g_autoptr(GilkSplicePlan) more = plan_next (&fixture, live, wants, (const guint[]) { 0, NEW }, 2);
  g_autoptr(GilkSplicePlan) mixed =
    plan_next (&fixture, live, wants, (const guint[]) { 0, NEW, NEW }, 3);
  g_autoptr(GilkSplicePlan) none = plan_next (&fixture, live, NULL, NULL, 0);

  g_assert_cmpuint (live->patches[0].tactic, ==, ILK_TACTIC_CLONE);
  assert_patch (same, 0, GILK_PATCH_STAYS, live->patches[0].site - FIXTURE_BASE,
                live->patches[0].len, 1);
  assert_patch (more, 0, GILK_PATCH_FOLLOWS, live->patches[0].site - FIXTURE_BASE,
                live->patches[0].len, 2);
  g_assert_cmpuint (more->choices[1].tactic, ==, ILK_TACTIC_CLONE);
  g_assert_cmpuint (mixed->choices[2].refusal, !=, 0);
  assert_patch (none, 0, GILK_PATCH_ENDS, live->patches[0].site - FIXTURE_BASE,
                live->patches[0].len, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/splice-next/same", test_same);
  g_test_add_func ("/splice-next/join-and-leave", test_join_and_leave);
  g_test_add_func ("/splice-next/ended", test_ended);
  g_test_add_func ("/splice-next/beside", test_beside);
  g_test_add_func ("/splice-next/behind-call", test_behind_call);
  g_test_add_func ("/splice-next/held", test_held);
  g_test_add_func ("/splice-next/gated", test_gated);
  g_test_add_func ("/splice-next/clone", test_clone);

  return g_test_run ();
}

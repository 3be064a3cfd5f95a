/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test-patch-listing.c - lists code with and without a hook: no byte is repeated or missing, and
 * jumps lead to listed code
 */
#include <string.h>

#include <glib/gstdio.h>

#include "core/plot/gilk-patch-paint.h"
#include "core/splice/gilk-patch-listing.h"
#include "splice-assert.h"

/* Code with a short block, and padding for its bounce. */
static const uint8_t short_block[] = {
  FENTRY,                             /* 0 */
  0x48, 0x85, 0xff,                   /* 5: test %rdi,%rdi */
  0x74, 0x05,                         /* 8: je f */
  0x48, 0x8b, 0x07,                   /* a: mov (%rdi),%rax */
  0xeb, 0x03,                         /* d: jmp 12 */
  0x31, 0xc0,                         /* f: xor %eax,%eax */
  0xc3,                               /* 11: ret */
  0xc3,                               /* 12: ret */
  0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc,
};

static const GilkPatchLine *
line_of (const GArray *lines, GilkPatchLineKind kind)
{
  for (guint i = 0; i < lines->len; i++)
    if (g_array_index (lines, GilkPatchLine, i).kind == kind)
      return &g_array_index (lines, GilkPatchLine, i);

  g_assert_not_reached ();
}

/* Checks that the lines are contiguous. Returns the end of the last line. */
static uint64_t
assert_contiguous (const GArray *lines)
{
  uint64_t at = g_array_index (lines, GilkPatchLine, 0).addr;

  for (guint i = 0; i < lines->len; i++)
    {
      g_assert_cmphex (g_array_index (lines, GilkPatchLine, i).addr, ==, at);
      at += g_array_index (lines, GilkPatchLine, i).length;
    }

  return at;
}

static void
assert_leads (Fixture *fixture, const GilkPatchLine *jump, uint64_t target)
{
  GilkInsn insn;

  g_assert_true (gilk_insn_decode (fixture->decoder, jump->bytes, jump->length, jump->addr, &insn));
  g_assert_cmpuint (insn.len, ==, jump->length);
  g_assert_cmphex (insn.target, ==, target);
}

static GilkPatchListing *
list_one (Fixture *fixture, guint offset, guint tactic)
{
  const GilkWant want = { .block = fixture_block (fixture, offset), .force = tactic };
  g_autoptr(GilkSplicePlan) plan = gilk_splice_plan_new (fixture->cfg, fixture->decoder, &want, 1);
  g_autoptr(GError) error = NULL;
  GilkPatchListing *listing;

  g_assert_cmpuint (plan->choices[0].refusal, ==, 0);
  listing = gilk_patch_listing_new (plan, plan->choices[0].patch, fixture->decoder, FIXTURE_SLOT, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (listing->tactic, ==, tactic);
  g_assert_cmpuint (listing->cost, ==, plan->choices[0].cost);
  g_assert_cmphex (assert_contiguous (listing->before), ==, assert_contiguous (listing->after));
  assert_contiguous (listing->patch);
  return listing;
}

static void
assert_painted (Fixture *fixture, const GilkPatchListing *listing)
{
  g_autofree char *path = g_build_filename (g_get_tmp_dir (), "gilk-test-patch.XXXXXX", NULL), *text = NULL;
  GilkPatchPicture picture = { listing, fixture->cfg, &gilk_plot_dark, "A hook" };
  int fd = g_mkstemp (path);
  double width, height;
  g_autoptr(GError) error = NULL;

  g_assert_cmpint (fd, >=, 0);
  g_close (fd, NULL);
  gilk_patch_picture_size (&picture, &width, &height);
  g_assert_cmpfloat (width, >, 300);
  g_assert_cmpfloat (height, >, 100);
  gilk_plot_to_file (path, GILK_PLOT_SVG, width, height, gilk_patch_paint, &picture, &error);
  g_assert_no_error (error);
  g_assert_true (g_file_get_contents (path, &text, NULL, &error));
  g_assert_nonnull (strstr (text, "<svg"));
  g_unlink (path);
}

static void
test_splice (void)
{
  g_auto(Fixture) fixture = FIXTURE (fixture_typical, FIXTURE_C);
  g_autoptr(GilkPatchListing) listing = NULL;

  listing = list_one (&fixture, 0xd, ILK_TACTIC_SPLICE);
  assert_leads (&fixture, line_of (listing->after, GILK_PATCH_LINE_JUMP), FIXTURE_SLOT);
  g_assert_cmpuint (line_of (listing->after, GILK_PATCH_LINE_FILLER)->length, ==, 2);
  g_assert_cmphex (line_of (listing->after, GILK_PATCH_LINE_FILLER)->bytes[0], ==, 0xcc);
  assert_leads (&fixture, line_of (listing->patch, GILK_PATCH_LINE_BACK), FIXTURE_BASE + 0x14);
  g_assert_cmpstr (line_of (listing->patch, GILK_PATCH_LINE_HOOK)->text, ==, "incq %gs:counter");
  g_assert_cmpstr (line_of (listing->patch, GILK_PATCH_LINE_MOVED)->text, ==,
                   line_of (listing->before, GILK_PATCH_LINE_FOOTPRINT)->text);
  assert_painted (&fixture, listing);
}

static void
test_bounce (void)
{
  g_auto(Fixture) fixture = FIXTURE (short_block, FIXTURE_C);
  g_autoptr(GilkPatchListing) listing = NULL;
  const GilkPatchLine *leap;

  listing = list_one (&fixture, 0x12, ILK_TACTIC_BOUNCE);
  leap = line_of (listing->bounce, GILK_PATCH_LINE_JUMP);
  assert_leads (&fixture, line_of (listing->after, GILK_PATCH_LINE_JUMP), leap->addr);
  assert_leads (&fixture, leap, FIXTURE_SLOT);
  assert_painted (&fixture, listing);
}

static void
test_trap (void)
{
  g_auto(Fixture) fixture = FIXTURE (fixture_typical, FIXTURE_C);
  g_autoptr(GilkPatchListing) listing = NULL;

  listing = list_one (&fixture, 0xd, ILK_TACTIC_TRAP);
  g_assert_cmphex (line_of (listing->after, GILK_PATCH_LINE_JUMP)->bytes[0], ==, 0xcc);
  /* The trap replaces only the first byte of the hooked instruction. */
  g_assert_cmphex (line_of (listing->after, GILK_PATCH_LINE_FILLER)->bytes[0], ==, 0x8b);
  g_assert_cmpuint (listing->bounce->len, ==, 0);
  assert_painted (&fixture, listing);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/patch-listing/splice", test_splice);
  g_test_add_func ("/patch-listing/bounce", test_bounce);
  g_test_add_func ("/patch-listing/trap", test_trap);

  return g_test_run ();
}

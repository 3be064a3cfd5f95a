/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test-recorded.c - builds a graph from data of a session, and from invalid data
 */
#include <glib.h>

#include "core/base/gilk-error.h"
#include "core/plot/gilk-graph-paint.h"

static const GilkRecordedBlock blocks[] = {
  { 0x100, 0x110, 3, GILK_END_JCC, FALSE },
  { 0x110, 0x120, 1, GILK_END_JUMP, FALSE },
  { 0x120, 0x121, 1, GILK_END_RETURN, FALSE },
  { 0x900, 0x904, 2, GILK_END_TRAP, TRUE },
};
static const GilkEdge edges[] = {
  { 0, 1, GILK_EDGE_NOT_TAKEN, FALSE }, { 0, 2, GILK_EDGE_TAKEN, FALSE },
  { 1, 0, GILK_EDGE_JUMP, FALSE }, { 1, 3, GILK_EDGE_FIXUP, FALSE },
};

static void
test_graph (void)
{
  static const char *const titles[] = { "+0x0", "+0x10", "+0x20", ".cold+0x0" };
  static const char *const texts[] = { "mov %rdi,%rax\ntest %rax,%rax\nje +0x20", "jmp +0x0", "ret", "ud2" };
  g_autoptr(GError) error = NULL;
  g_autoptr(GilkCfg) cfg = gilk_cfg_new_recorded ("f", 0x100, blocks, 4, edges, 4, &error);
  g_autoptr(GilkGraph) graph = NULL;

  g_assert_no_error (error);
  g_assert_cmpuint (cfg->n_insns, ==, 7);
  g_assert_true (cfg->edges[2].back);                         /* recomputed */
  g_assert_false (cfg->edges[0].back);
  g_assert_cmpuint (cfg->blocks[0].flags, ==, GILK_BLOCK_ENTRY | GILK_BLOCK_LOOP_HEAD);
  g_assert_cmpuint (cfg->blocks[1].n_out, ==, 2);
  g_assert_cmpint (gilk_cfg_block_at (cfg, 0x900), ==, 3);
  g_assert_cmpstr (cfg->function->name, ==, "f");

  graph = gilk_graph_new_recorded (cfg, titles, texts, &gilk_plot_light, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (graph->lines[1].mnemonic, ==, "test");
  g_assert_cmpstr (graph->lines[1].operands, ==, "%rax,%rax");
  /* The session has fewer lines of disassembly than the block has instructions. */
  g_assert_cmpstr (graph->lines[6].mnemonic, ==, "");
  g_assert_cmpint (graph->layout->blocks[2].y, >, graph->layout->blocks[0].y);
}

static void
assert_finds (const GilkGraphFinder *finder, const char *text, const char *expected)
{
  uint8_t found[7];
  guint n = gilk_graph_finder_find (finder, text, found), marked = 0;

  for (guint i = 0; i < 7; i++)
    {
      g_assert_cmpint (found[i], ==, expected[i] == 'x');
      marked += found[i];
    }
  g_assert_cmpuint (n, ==, marked);
}

static void
test_find (void)
{
  static const char *const titles[] = { "+0x0", "+0x10", "+0x20", ".cold+0x0" };
  static const char *const texts[] = { "mov %rdi,%rax\ntest %rax,%rax\nje +0x20", "jmp +0x0", "ret", "ud2" };
  static const char *const notes[] = { "iov_iter.count", NULL, NULL, NULL, NULL, NULL, NULL };
  g_autoptr(GError) error = NULL;
  g_autoptr(GilkCfg) cfg = gilk_cfg_new_recorded ("f", 0x100, blocks, 4, edges, 4, &error);
  g_autoptr(GilkGraph) graph = gilk_graph_new_recorded (cfg, titles, texts, &gilk_plot_light, notes, NULL, &error);
  g_autoptr(GilkGraphFinder) finder = NULL;
  GilkBox box;

  g_assert_no_error (error);
  finder = gilk_graph_finder_new (graph, NULL);
  assert_finds (finder, "rax", "xx.....");
  assert_finds (finder, "RAX test", ".x.....");
  assert_finds (finder, "je +0x20", "..x....");
  assert_finds (finder, "count", "x......");
  assert_finds (finder, ".cold", ".....x.");
  assert_finds (finder, "  ", ".......");
  assert_finds (finder, "nothing", ".......");

  for (guint insn = 0; insn < 5; insn++)
    {
      int block = gilk_graph_insn_block (graph, insn);

      gilk_graph_insn_box (graph, insn, &box);
      g_assert_cmpint (gilk_graph_insn_at (graph, block, box.y + box.height / 2.0), ==, (int) insn);
    }
  g_assert_cmpint (gilk_graph_insn_at (graph, 0, graph->layout->blocks[0].y), ==, -1);
}

static void
assert_refuses (const GilkRecordedBlock *b, guint n_blocks, const GilkEdge *e, guint n_edges)
{
  g_autoptr(GError) error = NULL;

  g_assert_null (gilk_cfg_new_recorded ("f", 0x100, b, n_blocks, e, n_edges, &error));
  g_assert_error (error, GILK_ERROR, GILK_ERROR_FORMAT);
}

static void
test_nonsense (void)
{
  const GilkRecordedBlock backwards[] = { { 0x20, 0x30, 0, 0, FALSE }, { 0x10, 0x20, 0, 0, FALSE } };
  const GilkRecordedBlock empty[] = { { 0x20, 0x20, 0, 0, FALSE } };
  const GilkEdge nowhere[] = { { 0, 4, 0, FALSE } };
  const GilkEdge unsorted[] = { { 1, 0, 0, FALSE }, { 0, 1, 0, FALSE } };
  const GilkEdge no_kind[] = { { 0, 1, 9, FALSE } };

  assert_refuses (NULL, 0, NULL, 0);
  assert_refuses (backwards, 2, NULL, 0);
  assert_refuses (empty, 1, NULL, 0);
  assert_refuses (blocks, 4, nowhere, 1);
  assert_refuses (blocks, 4, unsorted, 2);
  assert_refuses (blocks, 4, no_kind, 1);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/recorded/graph", test_graph);
  g_test_add_func ("/recorded/find", test_find);
  g_test_add_func ("/recorded/nonsense", test_nonsense);

  return g_test_run ();
}

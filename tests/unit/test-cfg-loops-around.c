/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test-cfg-loops-around.c - finds and folds the loops around a block
 */
#include <glib.h>

#include "core/cfg/gilk-cfg-fold.h"
#include "core/cfg/gilk-cfg.h"

/* A graph in which blocks 1 to 4 form a loop, blocks 2 and 3 form an inner loop, and block 5
 * returns. */
static const GilkRecordedBlock blocks[] = {
  { 0x100, 0x110, 2, GILK_END_FALL, FALSE },
  { 0x110, 0x120, 2, GILK_END_FALL, FALSE },
  { 0x120, 0x130, 2, GILK_END_FALL, FALSE },
  { 0x130, 0x140, 2, GILK_END_JCC, FALSE },
  { 0x140, 0x150, 2, GILK_END_JCC, FALSE },
  { 0x150, 0x151, 1, GILK_END_RETURN, FALSE },
};
static const GilkEdge edges[] = {
  { 0, 1, GILK_EDGE_FALL, FALSE }, { 1, 2, GILK_EDGE_FALL, FALSE }, { 2, 3, GILK_EDGE_FALL, FALSE },
  { 3, 2, GILK_EDGE_TAKEN, FALSE }, { 3, 4, GILK_EDGE_NOT_TAKEN, FALSE },
  { 4, 1, GILK_EDGE_TAKEN, FALSE }, { 4, 5, GILK_EDGE_NOT_TAKEN, FALSE },
};

static void
assert_loops_around (const GilkCfg *cfg, guint block, const char *expected)
{
  g_autoptr(GArray) heads = gilk_cfg_loops_around (cfg, block);
  g_autoptr(GString) found = g_string_new (NULL);

  for (guint i = 0; i < heads->len; i++)
    g_string_append_printf (found, "%s%u", i > 0 ? " " : "", g_array_index (heads, guint, i));
  g_assert_cmpstr (found->str, ==, expected);
}

static void
test_nested (void)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(GilkCfg) cfg = gilk_cfg_new_recorded ("f", 0x100, blocks, G_N_ELEMENTS (blocks), edges, G_N_ELEMENTS (edges), &error);

  g_assert_no_error (error);
  assert_loops_around (cfg, 0, "");
  assert_loops_around (cfg, 1, "1");
  assert_loops_around (cfg, 2, "1 2");
  assert_loops_around (cfg, 3, "1 2");
  assert_loops_around (cfg, 4, "1");
  assert_loops_around (cfg, 5, "");
  assert_loops_around (cfg, 6, "");
}

/* Tests that a block that jumps into the middle of a loop is not part of the loop. */
static void
test_entered_twice (void)
{
  static const GilkRecordedBlock four[] = {
    { 0x100, 0x110, 2, GILK_END_JCC, FALSE },
    { 0x110, 0x120, 2, GILK_END_FALL, FALSE },
    { 0x120, 0x130, 2, GILK_END_JCC, FALSE },
    { 0x130, 0x131, 1, GILK_END_RETURN, FALSE },
  };
  static const GilkEdge ways[] = {
    { 0, 2, GILK_EDGE_TAKEN, FALSE }, { 0, 1, GILK_EDGE_NOT_TAKEN, FALSE }, { 1, 2, GILK_EDGE_FALL, FALSE },
    { 2, 1, GILK_EDGE_TAKEN, FALSE }, { 2, 3, GILK_EDGE_NOT_TAKEN, FALSE },
  };
  g_autoptr(GError) error = NULL;
  g_autoptr(GilkCfg) cfg = gilk_cfg_new_recorded ("f", 0x100, four, G_N_ELEMENTS (four), ways, G_N_ELEMENTS (ways), &error);
  gboolean in[5] = { FALSE };
  guint head = 0;

  g_assert_no_error (error);
  for (guint e = 0; e < cfg->n_edges; e++)
    head = cfg->edges[e].back ? cfg->edges[e].to : head;
  g_assert_cmpuint (head, !=, 0);
  g_assert_cmpuint (gilk_cfg_loop_blocks (cfg, head, in), ==, 2);
  g_assert_true (!in[0] && in[1] && in[2] && !in[3]);
  assert_loops_around (cfg, 0, "");
}

/* Tests that folding a loop absorbs the folds inside it; overlapping folds are joined; unfolding
 * shows the inner folds again. */
static void
test_fold (void)
{
  g_autoptr(GilkCfg) cfg = gilk_cfg_new_recorded ("f", 0x100, blocks, G_N_ELEMENTS (blocks), edges, G_N_ELEMENTS (edges), NULL);
  g_autoptr(GilkCfgFold) fold = gilk_cfg_fold_new (cfg), copy = NULL;
  gboolean in[7] = { FALSE };
  const gboolean overlapping[7] = { FALSE, FALSE, FALSE, FALSE, TRUE, TRUE }, one[7] = { TRUE };
  const gboolean all[7] = { TRUE, TRUE, TRUE, TRUE, TRUE, TRUE }, with_rest[7] = { TRUE, TRUE, FALSE, FALSE, FALSE, TRUE };

  g_assert_cmpuint (gilk_cfg_fold_loops (fold, cfg), ==, 2);
  g_assert_cmpuint (gilk_cfg_fold_loops (fold, cfg), ==, 0);
  g_assert_cmpuint (gilk_cfg_fold_shown (fold, 3), ==, 1);
  g_assert_cmpuint (gilk_cfg_fold_size (fold, 1), ==, 4);
  g_assert_cmpuint (gilk_cfg_fold_shown (fold, 5), ==, 5);
  copy = gilk_cfg_fold_copy (fold);
  g_assert_true (gilk_cfg_fold_open (fold, 1));
  g_assert_cmpuint (gilk_cfg_fold_shown (fold, 3), ==, 2);
  g_assert_cmpuint (gilk_cfg_fold_size (fold, 2), ==, 2);
  g_assert_cmpuint (gilk_cfg_fold_shown (copy, 3), ==, 1);
  g_assert_false (gilk_cfg_fold_open (fold, 1));

  /* This fold is refused. It overlaps another fold, and the two joined would contain the whole
   * function. */
  g_assert_false (gilk_cfg_fold_add (copy, cfg, with_rest));
  g_assert_cmpuint (gilk_cfg_fold_size (copy, 1), ==, 4);
  g_assert_true (gilk_cfg_fold_show (copy, 3));
  g_assert_true (gilk_cfg_fold_is_empty (copy));
  g_clear_pointer (&copy, gilk_cfg_fold_free);
  copy = gilk_cfg_fold_new (cfg);
  g_assert_cmpuint (gilk_cfg_fold_loops (copy, cfg), ==, 2);

  g_assert_true (gilk_cfg_fold_add (copy, cfg, overlapping));
  g_assert_cmpuint (gilk_cfg_fold_shown (copy, 5), ==, 1);
  g_assert_cmpuint (gilk_cfg_fold_size (copy, 1), ==, 5);
  g_assert_true (gilk_cfg_fold_show (copy, 3));
  g_assert_cmpuint (gilk_cfg_fold_shown (copy, 3), ==, 3);

  g_assert_false (gilk_cfg_fold_add (fold, cfg, one));
  g_assert_false (gilk_cfg_fold_add (fold, cfg, all));
  g_assert_cmpuint (gilk_cfg_fold_loop_at (cfg, 3, in), ==, 2);
  g_assert_cmpuint (gilk_cfg_fold_loop_at (cfg, 0, in), ==, 0);
  g_assert_cmpuint (gilk_cfg_fold_dominated (cfg, 3, in), ==, 3);
  g_assert_true (in[3] && in[4] && in[5]);
  gilk_cfg_fold_clear (fold);
  g_assert_true (gilk_cfg_fold_is_empty (fold));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cfg-nest/nested", test_nested);
  g_test_add_func ("/cfg-nest/entered-twice", test_entered_twice);
  g_test_add_func ("/cfg-nest/fold", test_fold);

  return g_test_run ();
}

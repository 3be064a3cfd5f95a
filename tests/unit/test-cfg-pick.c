/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test-cfg-pick.c - selects several blocks by a rule, or the most executed path
 */
#include <glib.h>

#include "core/cfg/gilk-cfg-pick.h"
#include "core/plot/gilk-graph-paint.h"

/* A graph in which blocks 1 and 2 form a loop, which exits to block 3 (returns) or block 4 (traps).
 * Block 5 has no in-edge. */
static const GilkRecordedBlock blocks[] = {
  { 0x100, 0x110, 2, GILK_END_FALL, FALSE },
  { 0x110, 0x120, 2, GILK_END_JCC, FALSE },
  { 0x120, 0x130, 2, GILK_END_JCC, FALSE },
  { 0x130, 0x131, 1, GILK_END_RETURN, FALSE },
  { 0x140, 0x142, 1, GILK_END_TRAP, TRUE },
  { 0x150, 0x151, 1, GILK_END_RETURN, FALSE },
};
static const GilkEdge edges[] = {
  { 0, 1, GILK_EDGE_FALL, FALSE },
  { 1, 2, GILK_EDGE_NOT_TAKEN, FALSE }, { 1, 3, GILK_EDGE_TAKEN, FALSE },
  { 2, 1, GILK_EDGE_TAKEN, FALSE }, { 2, 4, GILK_EDGE_NOT_TAKEN, FALSE }, { 2, 3, GILK_EDGE_FIXUP, FALSE },
};

static GilkCfg *
make_cfg (void)
{
  g_autoptr(GError) error = NULL;
  GilkCfg *cfg = gilk_cfg_new_recorded ("f", 0x100, blocks, G_N_ELEMENTS (blocks), edges, G_N_ELEMENTS (edges), &error);

  g_assert_no_error (error);

  return cfg;
}

static void
assert_picks (const GilkCfg *cfg, GilkPick rule, guint block, const char *expected)
{
  gboolean picked[G_N_ELEMENTS (blocks)];
  guint n = gilk_cfg_pick (cfg, rule, block, picked), marked = 0;

  for (guint i = 0; i < cfg->n_blocks; i++)
    {
      g_assert_cmpint (picked[i], ==, expected[i] == 'x');
      marked += picked[i];
    }
  g_assert_cmpuint (n, ==, marked);
}

static void
test_rules (void)
{
  g_autoptr(GilkCfg) cfg = make_cfg ();

  assert_picks (cfg, GILK_PICK_ALL, 0, "xxxxxx");
  assert_picks (cfg, GILK_PICK_ENDS, 0, "x..xxx");
  g_assert_true (gilk_cfg_returns (cfg, 3) && !gilk_cfg_returns (cfg, 4) && !gilk_cfg_returns (cfg, 0));
  assert_picks (cfg, GILK_PICK_LOOP_HEADS, 0, ".x....");
  assert_picks (cfg, GILK_PICK_REACHED, 1, ".xxxx.");
  assert_picks (cfg, GILK_PICK_REACHED, 3, "...x..");
  assert_picks (cfg, GILK_PICK_REACHING, 4, "xxx.x.");
  assert_picks (cfg, GILK_PICK_REACHING, 0, "x.....");
}

static void
assert_path (const GilkCfg *cfg, guint block, const uint64_t *block_counts, const uint64_t *edge_counts, guint expected)
{
  gboolean on[G_N_ELEMENTS (blocks)], by[G_N_ELEMENTS (edges)];
  guint steps = 0;

  g_assert_cmpuint (gilk_cfg_path (cfg, block, block_counts, edge_counts, on, by), ==, expected);
  for (guint i = 0; i < cfg->n_edges; i++)
    if (by[i])
      {
        g_assert_true (on[cfg->edges[i].from] && on[cfg->edges[i].to]);
        steps++;
      }
  g_assert_cmpuint (steps, ==, expected == 0 ? 0 : expected - 1);
}

static void
test_way (void)
{
  const uint64_t some[] = { 10, 30, 20, 10, 0, 0 };
  const uint64_t rarely[] = { 10, 10, 1, 1, 0, 9 };
  const uint64_t unknown[] = { 10, GILK_COUNT_UNKNOWN, GILK_COUNT_UNKNOWN, 10, GILK_COUNT_UNKNOWN, 0 };
  g_autoptr(GilkCfg) cfg = make_cfg ();

  assert_path (cfg, 0, NULL, NULL, 1);
  assert_path (cfg, 3, NULL, NULL, 3);        /* the shortest path */
  assert_path (cfg, 3, some, NULL, 3);
  assert_path (cfg, 4, some, NULL, 0);        /* block 4 was never executed: no path */
  assert_path (cfg, 5, NULL, NULL, 0);
  assert_path (cfg, 3, some, rarely, 4);      /* the longer path: its edge to the fix-up is hot */
  assert_path (cfg, 4, unknown, NULL, 4);
}

static void
test_edge_at (void)
{
  static const char *const titles[] = { "a", "b", "c", "d", "e", "f" };
  static const char *const texts[] = { "nop\nnop", "nop\nje", "nop\nje", "ret", "ud2", "ret" };
  g_autoptr(GError) error = NULL;
  g_autoptr(GilkCfg) cfg = make_cfg ();
  g_autoptr(GilkGraph) graph = gilk_graph_new_recorded (cfg, titles, texts, &gilk_plot_light, NULL, NULL, &error);
  guint shared = 0;

  g_assert_no_error (error);
  for (guint i = 0; i < graph->layout->n_routes; i++)
    {
      const GilkRoute *route = &graph->layout->routes[i];
      double x = (route->points[0].x + route->points[1].x) / 2.0, y = (route->points[0].y + route->points[1].y) / 2.0;

      g_assert_cmpint (gilk_graph_edge_at (graph, x, y, 3, &shared), ==, (int) route->edge);
      g_assert_cmpuint (shared, >=, 1);
    }
  g_assert_cmpint (gilk_graph_edge_at (graph, -500, -500, 5, &shared), ==, -1);
  g_assert_cmpuint (shared, ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cfg-pick/rules", test_rules);
  g_test_add_func ("/cfg-pick/way", test_way);
  g_test_add_func ("/cfg-pick/edge-at", test_edge_at);

  return g_test_run ();
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test-order.c - compares the computed order of blocks with all orders of small graphs, and
 * checks properties of the order for large graphs
 */
/* Promise: the order of blocks is close to the best of all orders on small graphs */
#include <glib.h>

#include "core/splice/gilk-code-layout.h"

#define SMALL 7
#define LARGE 900

typedef struct {
  GilkOrderBlock blocks[LARGE];
  GilkOrderEdge  edges[2 * LARGE];
  guint          n, n_edges;
} Graph;

static void
add_edge (Graph *g, guint from, guint to, uint64_t count)
{
  if (count > 0)
    g->edges[g->n_edges++] = (GilkOrderEdge) { from, to, count };
  if (to < g->n)
    g->blocks[to].count += count;
}

/* Draws a random graph. Its counts come from calls that take random paths through it. */
static void
make_graph (Graph *g, GRand *rand, guint n)
{
  g->n = n;
  g->n_edges = 0;
  for (guint i = 0; i < n; i++)
    g->blocks[i] = (GilkOrderBlock) { (guint) g_rand_int_range (rand, 2, 60), 0 };
  g->blocks[0].count = 1000;
  for (guint i = 0; i + 1 < n; i++)
    {
      guint forward = (guint) g_rand_int_range (rand, (gint) i + 1, (gint) MIN (n, i + 5));
      uint64_t taken = g->blocks[i].count * (guint) g_rand_int_range (rand, 0, 101) / 100;

      add_edge (g, i, forward, taken);
      if (forward != i + 1)
        add_edge (g, i, i + 1, g->blocks[i].count - taken);
      if (i > 0 && g_rand_int_range (rand, 0, 4) == 0)
        add_edge (g, i, (guint) g_rand_int_range (rand, 0, (gint) i), taken / 3);
    }
}

static void
assert_all_once (const Graph *g, const guint *order)
{
  g_autofree gboolean *seen = g_new0 (gboolean, g->n);

  g_assert_cmpuint (order[0], ==, 0);
  for (guint i = 0; i < g->n; i++)
    {
      g_assert_cmpuint (order[i], <, g->n);
      g_assert_false (seen[order[i]]);
      seen[order[i]] = TRUE;
    }
}

/* Returns the highest score of any order of blocks that starts with the first @fixed blocks of
 * @order. */
static double
best_of (const Graph *g, guint *order, guint fixed)
{
  double best = 0;

  if (fixed == g->n)
    return gilk_order_score (g->blocks, g->n, g->edges, g->n_edges, order, g->n);
  for (guint i = fixed; i < g->n; i++)
    {
      guint other = order[fixed];

      order[fixed] = order[i];
      order[i] = other;
      best = MAX (best, best_of (g, order, fixed + 1));
      order[i] = order[fixed];
      order[fixed] = other;
    }

  return best;
}

static void
test_small (void)
{
  g_autoptr(GRand) rand = g_rand_new_with_seed (2002);
  double sum = 0, least = 1;
  guint whole = 0;

  for (guint round = 0; round < 200; round++)
    {
      g_autofree Graph *g = g_new0 (Graph, 1);
      g_autofree guint *order = NULL;
      guint any[SMALL];
      double share, best;

      make_graph (g, rand, SMALL);
      for (guint i = 0; i < SMALL; i++)
        any[i] = i;
      order = gilk_order_new (g->blocks, g->n, 0, g->edges, g->n_edges, NULL);
      assert_all_once (g, order);
      best = best_of (g, any, 1);
      share = gilk_order_score (g->blocks, g->n, g->edges, g->n_edges, order, g->n);
      share = best > 0 ? share / best : 1;
      g_assert_cmpfloat (share, <=, 1 + 1e-9);
      sum += share;
      least = MIN (least, share);
      whole += share > 1 - 1e-6;
    }
  g_test_message ("%u of 200 are best, %.4f on average, %.4f at least", whole, sum / 200, least);
  g_assert_cmpuint (whole, >=, 140);
  g_assert_cmpfloat (sum / 200, >=, 0.985);
  g_assert_cmpfloat (least, >=, 0.75);
}

static void
test_large (void)
{
  g_autoptr(GRand) rand = g_rand_new_with_seed (1990);
  g_autofree Graph *g = g_new0 (Graph, 1);
  g_autofree gboolean *hot = g_new0 (gboolean, LARGE);
  g_autofree guint *order = NULL, *text = g_new (guint, LARGE);
  gboolean cold = FALSE;

  make_graph (g, rand, LARGE);
  for (guint i = 0; i < LARGE; i++)
    text[i] = i;
  order = gilk_order_new (g->blocks, g->n, 0, g->edges, g->n_edges, hot);
  assert_all_once (g, order);
  g_assert_cmpfloat (gilk_order_score (g->blocks, g->n, g->edges, g->n_edges, order, g->n), >,
                     gilk_order_score (g->blocks, g->n, g->edges, g->n_edges, text, g->n));
  /* Hot blocks come first, and blocks that never run come last. */
  for (guint i = 0; i < LARGE; i++)
    {
      cold |= !hot[order[i]];
      g_assert_true (!cold || !hot[order[i]]);
    }
}

/* Tests that the block on the hot side of a branch comes next, and that the block on the cold side
 * is moved away. */
static void
test_diamond (void)
{
  const GilkOrderBlock blocks[] = { { 10, 1000 }, { 300, 3 }, { 10, 997 }, { 10, 1000 }, { 10, 0 } };
  const GilkOrderEdge edges[] = { { 0, 1, 3 }, { 0, 2, 997 }, { 1, 3, 3 }, { 2, 3, 997 } };
  const guint expected[] = { 0, 2, 3, 1, 4 };
  gboolean hot[5];
  g_autofree guint *order = gilk_order_new (blocks, 5, 0, edges, 4, hot);

  g_assert_cmpmem (order, 5 * sizeof *order, expected, sizeof expected);
  g_assert_true (hot[0] && hot[2] && hot[3] && !hot[1] && !hot[4]);
}

/* Tests that the two blocks of a loop are adjacent, and that the entry comes first, even if another
 * order is better. */
static void
test_loop (void)
{
  const GilkOrderBlock blocks[] = { { 10, 10 }, { 10, 1000 }, { 10, 990 }, { 10, 10 } };
  const GilkOrderEdge edges[] = { { 0, 1, 10 }, { 1, 2, 990 }, { 2, 1, 990 }, { 1, 3, 10 } };
  g_autofree guint *order = gilk_order_new (blocks, 4, 0, edges, 4, NULL);

  g_assert_cmpuint (order[0], ==, 0);
  for (guint i = 0; i < 3; i++)
    if (order[i] == 1)
      g_assert_true (order[i + 1] == 2 || (i > 0 && order[i - 1] == 2));
}

static void
test_nothing (void)
{
  const GilkOrderBlock one = { 10, 0 };
  g_autofree guint *order = gilk_order_new (&one, 1, 0, NULL, 0, NULL);

  g_assert_cmpuint (order[0], ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/order/small", test_small);
  g_test_add_func ("/order/large", test_large);
  g_test_add_func ("/order/diamond", test_diamond);
  g_test_add_func ("/order/loop", test_loop);
  g_test_add_func ("/order/nothing", test_nothing);

  return g_test_run ();
}

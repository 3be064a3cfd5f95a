/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test-layout.c - tests that blocks and lines do not overlap; lines are horizontal or vertical, and
 * run around blocks
 *
 * Uses random graphs shaped like code: a chain of blocks with short branches, a few long branches,
 * loops, and many jumps to one exit. If a graph can be drawn without crossings, the layout has
 * none.
 */
#include "core/cfg/gilk-cfg-private.h"

#include <gio/gio.h>

#include "core/layout/gilk-layout-channel.h"
#include "core/plot/gilk-graph-paint.h"

typedef struct {
  GilkFunction function;
  GilkCfg      cfg;
  GilkLayoutGraph shape;
  GilkBox     *sizes;
} Graph;

static void
add_edge (GArray *edges, guint from, guint to, GilkEdgeKind kind)
{
  GilkEdge edge = { from, to, kind, FALSE };

  g_array_append_val (edges, edge);
}

static guint
choose_target (guint from, guint n)
{
  guint ahead = from + (guint) g_test_rand_int_range (2, 6);

  switch (g_test_rand_int_range (0, 10))
    {
    case 0:
    case 1:  return n - 1;
    case 2:  return (guint) g_test_rand_int_range (0, (int) from + 1);
    case 3:  return (guint) g_test_rand_int_range ((int) from, (int) n);
    default: return MIN (ahead, n - 1);
    }
}

static Graph *
random_graph (guint n)
{
  Graph *g = g_new0 (Graph, 1);
  GArray *edges = g_array_new (FALSE, FALSE, sizeof (GilkEdge));

  g->function.name = "random";
  g->cfg.function = &g->function;
  g->cfg.n_blocks = n;
  g->cfg.blocks = g_new0 (GilkBlock, n);
  g->sizes = g_new0 (GilkBox, n);
  for (guint i = 0; i < n; i++)
    {
      int kind = g_test_rand_int_range (0, 6);

      g->sizes[i].width = g_test_rand_int_range (120, 320);
      g->sizes[i].height = g_test_rand_int_range (30, 300);
      g->cfg.blocks[i].first_out = edges->len;
      if (i + 1 < n && kind == 0)
        add_edge (edges, i, choose_target (i, n), GILK_EDGE_JUMP);
      else if (i + 1 < n)
        add_edge (edges, i, i + 1, kind < 3 ? GILK_EDGE_FALL : GILK_EDGE_NOT_TAKEN);
      if (i + 1 < n && kind >= 3)
        add_edge (edges, i, choose_target (i, n), GILK_EDGE_TAKEN);
      g->cfg.blocks[i].n_out = edges->len - g->cfg.blocks[i].first_out;
      for (guint k = g->cfg.blocks[i].first_out; k < edges->len; k++)
        g->cfg.blocks[g_array_index (edges, GilkEdge, k).to].n_in++;
    }

  g->cfg.n_edges = edges->len;
  g->cfg.edges = (GilkEdge *) (void *) g_array_free (edges, FALSE);
  gilk_cfg_find_loops (&g->cfg);
  gilk_graph_shape_init (&g->shape, &g->cfg);
  return g;
}

static void
graph_free (Graph *g)
{
  gilk_graph_shape_clear (&g->shape);
  g_free (g->cfg.blocks);
  g_free (g->cfg.edges);
  g_free (g->sizes);
  g_free (g);
}

static gboolean
line_crosses_box (const GilkBox *box, GilkXY a, GilkXY b)
{
  return MIN (a.x, b.x) < box->x + box->width && MAX (a.x, b.x) > box->x &&
         MIN (a.y, b.y) < box->y + box->height && MAX (a.y, b.y) > box->y;
}

static void
check_blocks (const Graph *g, const GilkLayout *layout)
{
  for (guint i = 0; i < layout->n_blocks; i++)
    {
      const GilkBox *a = &layout->blocks[i];

      g_assert_cmpint (a->width, ==, g->sizes[i].width);
      g_assert_cmpint (a->height, ==, g->sizes[i].height);
      g_assert_cmpint (a->x, >=, 0);
      g_assert_cmpint (a->y, >=, 0);
      g_assert_cmpint (a->x + a->width, <=, layout->width);
      g_assert_cmpint (a->y + a->height, <=, layout->height);
      g_assert_true (i == g->cfg.entry || a->y > layout->blocks[g->cfg.entry].y);

      for (guint k = i + 1; k < layout->n_blocks; k++)
        {
          const GilkBox *b = &layout->blocks[k];

          g_assert_true (a->x + a->width <= b->x || b->x + b->width <= a->x ||
                         a->y + a->height <= b->y || b->y + b->height <= a->y);
        }
    }
}

static void
check_route (const Graph *g, const GilkLayout *layout, const GilkRoute *route)
{
  const GilkEdge *edge = &g->cfg.edges[route->edge];
  const GilkBox *from = &layout->blocks[edge->from], *to = &layout->blocks[edge->to];
  GilkXY first = route->points[0], last = route->points[route->n_points - 1];

  g_assert_cmpuint (route->n_points, >=, 2);
  g_assert_cmpint (first.y, ==, from->y + from->height);
  g_assert_true (first.x > from->x && first.x < from->x + from->width);
  g_assert_cmpint (last.y, ==, to->y);
  g_assert_true (last.x > to->x && last.x < to->x + to->width);
  /* the line leaves its first block downwards and arrives at the last from above */
  g_assert_cmpint (route->points[1].y, >, first.y);
  g_assert_cmpint (route->points[route->n_points - 2].y, <, last.y);

  for (guint i = 1; i < route->n_points; i++)
    {
      GilkXY a = route->points[i - 1], b = route->points[i];

      g_assert_true ((a.x == b.x) != (a.y == b.y));
      g_assert_true (b.x >= 0 && b.y >= 0 && b.x <= layout->width && b.y <= layout->height);
      for (guint k = 0; k < layout->n_blocks; k++)
        g_assert_false (line_crosses_box (&layout->blocks[k], a, b));
    }
}

/* A straight segment of a line between blocks. Lines to the same block may share segments; lines to
 * different blocks must not. */
typedef struct {
  int   at, from, to;
  guint target;
} Piece;

static int
compare_pieces (gconstpointer a, gconstpointer b)
{
  const Piece *x = a, *y = b;

  if (x->at != y->at)
    return x->at < y->at ? -1 : 1;
  return (x->from > y->from) - (x->from < y->from);
}

static void
check_pieces (GArray *pieces)
{
  g_array_sort (pieces, compare_pieces);
  for (guint i = 0; i < pieces->len; i++)
    for (guint k = i + 1; k < pieces->len; k++)
      {
        const Piece *a = &g_array_index (pieces, Piece, i), *b = &g_array_index (pieces, Piece, k);

        if (b->at != a->at || b->from >= a->to)
          break;
        g_assert_cmpuint (a->target, ==, b->target);
      }
}

static void
check_overlaps (const Graph *g, const GilkLayout *layout)
{
  g_autoptr(GArray) level = g_array_new (FALSE, FALSE, sizeof (Piece));
  g_autoptr(GArray) upright = g_array_new (FALSE, FALSE, sizeof (Piece));

  for (guint i = 0; i < layout->n_routes; i++)
    for (guint k = 1; k < layout->routes[i].n_points; k++)
      {
        GilkXY a = layout->routes[i].points[k - 1], b = layout->routes[i].points[k];
        guint target = g->cfg.edges[i].to;
        Piece piece = a.x == b.x ? (Piece) { a.x, MIN (a.y, b.y), MAX (a.y, b.y), target }
                                 : (Piece) { a.y, MIN (a.x, b.x), MAX (a.x, b.x), target };

        g_array_append_vals (a.x == b.x ? upright : level, &piece, 1);
      }

  check_pieces (level);
  check_pieces (upright);
}

static void
test_shapes (void)
{
  for (guint round = 0; round < 300; round++)
    {
      Graph *g = random_graph ((guint) g_test_rand_int_range (1, 60));
      g_autoptr(GilkLayout) layout = gilk_layout_new (&g->shape, g->sizes, NULL, NULL);

      g_assert_cmpuint (layout->n_blocks, ==, g->cfg.n_blocks);
      g_assert_cmpuint (layout->n_routes, ==, g->cfg.n_edges);
      check_blocks (g, layout);
      for (guint i = 0; i < layout->n_routes; i++)
        {
          g_assert_cmpuint (layout->routes[i].edge, ==, i);
          check_route (g, layout, &layout->routes[i]);
        }
      check_overlaps (g, layout);
      graph_free (g);
    }
}

/* ---- test that graphs are drawn without crossings ---- */

/* Adds a sequence of nested ifs that starts at block @at. Returns the next free block. */
static guint
add_ifs (GArray *edges, guint at, guint depth)
{
  guint n = (guint) g_test_rand_int_range (1, 4);

  for (guint i = 0; i < n; i++)
    {
      guint then = at + 1, end, otherwise;

      if (depth == 0 || g_test_rand_int_range (0, 4) == 0)
        {
          add_edge (edges, at, at + 1, GILK_EDGE_FALL);
          at++;
          continue;
        }
      end = otherwise = add_ifs (edges, then, depth - 1);
      if (g_test_rand_bit ())
        end = add_ifs (edges, otherwise + 1, depth - 1);
      add_edge (edges, at, then, GILK_EDGE_NOT_TAKEN);
      add_edge (edges, at, end == otherwise ? end : otherwise + 1, GILK_EDGE_TAKEN);
      if (end != otherwise)
        add_edge (edges, otherwise, end, GILK_EDGE_JUMP);
      at = end;
    }

  return at;
}

static int
compare_edges (gconstpointer a, gconstpointer b)
{
  const GilkEdge *x = a, *y = b;

  return x->from != y->from ? (x->from > y->from) - (x->from < y->from) : (int) x->kind - (int) y->kind;
}

/* Makes a graph of @n blocks. @edges: (transfer full): the edges; none of them is a back edge */
static Graph *
graph_of (GArray *edges, guint n)
{
  Graph *g = g_new0 (Graph, 1);

  g_array_sort (edges, compare_edges);
  g->function.name = "structured";
  g->cfg.function = &g->function;
  g->cfg.n_blocks = n;
  g->cfg.blocks = g_new0 (GilkBlock, n);
  g->sizes = g_new0 (GilkBox, n);
  for (guint i = edges->len; i-- > 0; )
    {
      g->cfg.blocks[g_array_index (edges, GilkEdge, i).from].first_out = i;
      g->cfg.blocks[g_array_index (edges, GilkEdge, i).from].n_out++;
      g->cfg.blocks[g_array_index (edges, GilkEdge, i).to].n_in++;
    }
  for (guint i = 0; i < n; i++)
    g->sizes[i] = (GilkBox) { 0, 0, g_test_rand_int_range (120, 320), g_test_rand_int_range (30, 300) };
  g->cfg.n_edges = edges->len;
  g->cfg.edges = (GilkEdge *) (void *) g_array_free (edges, FALSE);
  gilk_graph_shape_init (&g->shape, &g->cfg);

  return g;
}

static Graph *
structured_graph (void)
{
  GArray *edges = g_array_new (FALSE, FALSE, sizeof (GilkEdge));
  guint n = add_ifs (edges, 0, 3) + 1;

  return graph_of (edges, n);
}

static gboolean
pieces_cross (GilkXY a, GilkXY b, GilkXY c, GilkXY d)
{
  if (a.y == b.y)
    return c.x == d.x && MIN (a.x, b.x) < c.x && c.x < MAX (a.x, b.x) && MIN (c.y, d.y) < a.y && a.y < MAX (c.y, d.y);

  return c.y == d.y && pieces_cross (c, d, a, b);
}

static guint
count_crossings (const Graph *g, const GilkLayout *layout)
{
  guint crossings = 0;

  for (guint i = 0; i < layout->n_routes; i++)
    for (guint k = 0; k < i; k++)
      if (g->cfg.edges[i].to != g->cfg.edges[k].to)
        for (guint a = 1; a < layout->routes[i].n_points; a++)
          for (guint b = 1; b < layout->routes[k].n_points; b++)
            crossings += pieces_cross (layout->routes[i].points[a - 1], layout->routes[i].points[a],
                                       layout->routes[k].points[b - 1], layout->routes[k].points[b]);

  return crossings;
}

static void
test_nested (void)
{
  for (guint round = 0; round < 200; round++)
    {
      Graph *g = structured_graph ();
      g_autoptr(GilkLayout) layout = gilk_layout_new (&g->shape, g->sizes, NULL, NULL);

      g_assert_cmpuint (count_crossings (g, layout), ==, 0);
      graph_free (g);
    }
}

/* ---- tests of the width of drawings, and of straight lines ---- */

/* Adds comparisons that select one of @n cases, starting at block @at. Returns the next free
 * block. */
static guint
add_search (GArray *edges, guint at, guint n)
{
  guint less = at + 1, more;

  if (n == 1)
    return less;
  more = add_search (edges, less, n / 2);
  add_edge (edges, at, less, GILK_EDGE_NOT_TAKEN);
  add_edge (edges, at, more, GILK_EDGE_TAKEN);

  return add_search (edges, more, n - n / 2);
}

static void
check_wide (GArray *edges, guint n)
{
  Graph *g = graph_of (edges, n);
  g_autoptr(GilkLayout) layout = gilk_layout_new (&g->shape, g->sizes, NULL, NULL);

  check_blocks (g, layout);
  for (guint i = 0; i < layout->n_routes; i++)
    check_route (g, layout, &layout->routes[i]);
  check_overlaps (g, layout);
  g_assert_cmpuint (count_crossings (g, layout), ==, 0);
  g_test_message ("%u blocks: %d x %d", n, layout->width, layout->height);
  g_assert_cmpint (layout->width, <=, 4 * layout->height);
  g_assert_cmpint (layout->height, <=, 3 * layout->width);
  graph_free (g);
}

/* Tests the layout of switches with many cases, made of comparisons or of one jump. Cases are
 * placed in several rows. */
static void
test_wide (void)
{
  GArray *searched = g_array_new (FALSE, FALSE, sizeof (GilkEdge)), *jumped = g_array_new (FALSE, FALSE, sizeof (GilkEdge));
  guint n = add_search (searched, 0, 350);

  check_wide (searched, n);
  for (guint i = 1; i <= 40; i++)
    add_edge (jumped, 0, i, GILK_EDGE_JUMP);
  check_wide (jumped, 41);
}

/* Tests that a chain of blocks is placed so that no line between them bends. */
static void
test_straight (void)
{
  for (guint round = 0; round < 20; round++)
    {
      Graph *g = random_graph (1 + (guint) g_test_rand_int_range (1, 30));
      g_autoptr(GilkLayout) layout = NULL;

      g->cfg.n_edges = 0;
      for (guint i = 0; i < g->cfg.n_blocks; i++)
        {
          gboolean last = i + 1 == g->cfg.n_blocks;

          g->cfg.blocks[i] = (GilkBlock) { .first_out = i, .n_out = !last, .n_in = i > 0 };
          if (!last)
            g->cfg.edges[g->cfg.n_edges++] = (GilkEdge) { i, i + 1, GILK_EDGE_FALL, FALSE };
        }
      gilk_graph_shape_clear (&g->shape);
      gilk_graph_shape_init (&g->shape, &g->cfg);
      layout = gilk_layout_new (&g->shape, g->sizes, NULL, NULL);
      for (guint i = 0; i < layout->n_routes; i++)
        g_assert_cmpuint (layout->routes[i].n_points, ==, 2);
      graph_free (g);
    }
}

/* Tests that a strand, which spans several layers, is moved as a whole. Moving strands must reduce
 * the number of crossings by the number that the tested function returns, and must keep the order
 * valid. */
static void
test_threads (void)
{
  for (guint round = 0; round < 100; round++)
    {
      Graph *g = random_graph ((guint) g_test_rand_int_range (5, 60));
      Layered l;
      GilkCrossings *crossings;
      uint64_t before, work = 1000000;
      int saved;

      gilk_layered_init (&l, &g->shape, g->sizes);
      g_assert_true (gilk_layout_rank (&l, round % 2));
      gilk_layout_init_order (&l);
      crossings = gilk_crossings_new (&l);
      before = gilk_crossings_count (crossings);
      saved = gilk_crossings_move_strands (crossings, &work, NULL);
      g_assert_cmpint (saved, >=, 0);
      g_assert_cmpuint (gilk_crossings_count (crossings), ==, before - (uint64_t) saved);
      for (guint i = 0; i < l.n_layers; i++)
        for (guint k = 0; k < l.layer_sizes[i]; k++)
          g_assert_true (NODE (&l, l.layers[i][k])->layer == i && NODE (&l, l.layers[i][k])->order == k);
      gilk_crossings_free (crossings);
      gilk_layered_clear (&l);
      graph_free (g);
    }
}

/* ---- tests of large graphs, repeated layouts and cancellation ---- */

/* Tests that a graph of the size of the largest kernel functions is laid out within the test's time
 * limit. */
static void
test_large (void)
{
  Graph *g = random_graph (1200);
  g_autoptr(GilkLayout) layout = gilk_layout_new (&g->shape, g->sizes, NULL, NULL);

  check_blocks (g, layout);
  graph_free (g);
}

static void
test_same_again (void)
{
  Graph *g = random_graph (50);
  g_autoptr(GilkLayout) a = gilk_layout_new (&g->shape, g->sizes, NULL, NULL);
  g_autoptr(GilkLayout) b = gilk_layout_new (&g->shape, g->sizes, NULL, NULL);

  g_assert_cmpmem (a->blocks, a->n_blocks * sizeof (GilkBox),
                   b->blocks, b->n_blocks * sizeof (GilkBox));
  graph_free (g);
}

static void
test_cancel (void)
{
  Graph *g = random_graph (200);
  g_autoptr(GCancellable) cancellable = g_cancellable_new ();
  g_autoptr(GError) error = NULL;

  g_cancellable_cancel (cancellable);
  g_assert_null (gilk_layout_new (&g->shape, g->sizes, cancellable, &error));
  g_assert_nonnull (error);
  graph_free (g);
}

/* Tests that a graph with too many vertical lines is refused: each block has a jump over a third of
 * the chain. */
static void
test_too_large (void)
{
  Graph *g = random_graph (9000);
  g_autoptr(GError) error = NULL;

  g_clear_pointer (&g->cfg.edges, g_free);
  g->cfg.edges = g_new0 (GilkEdge, 2 * 9000);
  g->cfg.n_edges = 0;
  for (guint i = 0; i < 9000; i++)
    {
      g->cfg.blocks[i].first_out = g->cfg.n_edges;
      if (i + 1 < 9000)
        g->cfg.edges[g->cfg.n_edges++] = (GilkEdge) { i, i + 1, GILK_EDGE_FALL, FALSE };
      if (i + 3000 < 9000)
        g->cfg.edges[g->cfg.n_edges++] = (GilkEdge) { i, i + 3000, GILK_EDGE_TAKEN, FALSE };
      g->cfg.blocks[i].n_out = g->cfg.n_edges - g->cfg.blocks[i].first_out;
    }
  gilk_graph_shape_clear (&g->shape);
  gilk_graph_shape_init (&g->shape, &g->cfg);

  g_assert_null (gilk_layout_new (&g->shape, g->sizes, NULL, &error));
  g_assert_nonnull (error);
  graph_free (g);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/layout/shapes", test_shapes);
  g_test_add_func ("/layout/nested", test_nested);
  g_test_add_func ("/layout/wide", test_wide);
  g_test_add_func ("/layout/straight", test_straight);
  g_test_add_func ("/layout/threads", test_threads);
  g_test_add_func ("/layout/large", test_large);
  g_test_add_func ("/layout/same-again", test_same_again);
  g_test_add_func ("/layout/cancel", test_cancel);
  g_test_add_func ("/layout/too-large", test_too_large);

  return g_test_run ();
}

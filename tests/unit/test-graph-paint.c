/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test-graph-paint.c - tests that a line for several edges shows the sum of their counts; text is
 * readable on heat colours
 */
#include <math.h>

#include "core/plot/gilk-graph-paint.h"

/* Block 0 leads to blocks 1 and 2, which are folded. Both lead to block 3; block 2 also leads to
 * block 4. */
static const GilkRecordedBlock blocks[] = {
  { 0x100, 0x110, 1, GILK_END_JCC, FALSE },
  { 0x110, 0x120, 1, GILK_END_FALL, FALSE },
  { 0x120, 0x130, 1, GILK_END_JCC, FALSE },
  { 0x130, 0x131, 1, GILK_END_RETURN, FALSE },
  { 0x131, 0x132, 1, GILK_END_RETURN, FALSE },
};
static const GilkEdge edges[] = {
  { 0, 1, GILK_EDGE_NOT_TAKEN, FALSE }, { 0, 2, GILK_EDGE_TAKEN, FALSE }, { 1, 3, GILK_EDGE_JUMP, FALSE },
  { 2, 3, GILK_EDGE_NOT_TAKEN, FALSE }, { 2, 4, GILK_EDGE_TAKEN, FALSE },
};
static const char *const titles[] = { "+0x0", "+0x10", "+0x20", "+0x30", "+0x31" };
static const char *const texts[] = { "jne\t+0x20", "nop", "jne\t+0x31", "ret", "ret" };

static GilkGraph *
whole_graph (void)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(GilkCfg) cfg = gilk_cfg_new_recorded ("f", 0x100, blocks, G_N_ELEMENTS (blocks), edges, G_N_ELEMENTS (edges), &error);
  GilkGraph *graph;

  g_assert_no_error (error);
  graph = gilk_graph_new_recorded (cfg, titles, texts, &gilk_plot_light, NULL, NULL, &error);
  g_assert_no_error (error);

  return graph;
}

static void
test_joined (void)
{
  const gboolean middle[] = { FALSE, TRUE, TRUE, FALSE, FALSE };
  uint64_t counts[] = { 3, 4, 3, 2, 2 }, hits = 0;
  uint8_t lit[] = { 0, 1, 0, 0, 0 };
  const GilkKnownCounts known = { .edges = counts, .n_edges = G_N_ELEMENTS (edges) };
  GilkGraphLook look = { .known = &known, .highlighted = lit };
  g_autoptr(GilkGraph) whole = whole_graph ();
  g_autoptr(GilkCfgFold) fold = gilk_cfg_fold_new (whole->cfg);
  g_autoptr(GilkGraph) graph = NULL;
  guint drawn = 0, sum = 0, n_lit = 0;

  g_assert_true (gilk_graph_edge_hits (whole, &look, 1, &hits));
  g_assert_cmpuint (hits, ==, 4);
  g_assert_true (gilk_cfg_fold_add (fold, whole->cfg, middle));
  graph = gilk_graph_fold (whole, fold, NULL, NULL);
  for (guint i = 0; i < graph->layout->n_routes; i++)
    {
      guint edge = graph->layout->routes[i].edge;

      if (graph->layout->routes[i].n_points == 0)
        continue;
      drawn++;
      g_assert_true (gilk_graph_edge_hits (graph, &look, edge, &hits));
      g_assert_cmpuint (hits, ==, edges[edge].to == 4 ? 2 : edges[edge].from == 0 ? 7 : 5);
      g_assert_cmpuint (gilk_graph_edge_joined (graph, edge), ==, edges[edge].to == 4 ? 1 : 2);
      n_lit += gilk_graph_edge_is_highlighted (graph, &look, edge);
      sum += (guint) hits;
    }
  g_assert_cmpuint (drawn, ==, 3);
  g_assert_cmpuint (sum, ==, 14);
  g_assert_cmpuint (n_lit, ==, 1);

  /* The sum at a line is not shown if one of the summed counts is unknown. */
  counts[0] = GILK_COUNT_UNKNOWN;
  for (guint i = 0; i < graph->layout->n_routes; i++)
    if (graph->layout->routes[i].n_points > 0)
      g_assert_true (gilk_graph_edge_hits (graph, &look, graph->layout->routes[i].edge, &hits) ==
                     (edges[graph->layout->routes[i].edge].from != 0));
}

/* ---- test of the contrast of text on heat colours ---- */

/* Returns the relative luminance of a colour, as WCAG 2.1, 1.4.3 defines it for contrast ratios. */
static double
luminance_of (const GilkColour *colour)
{
  const double channels[] = { colour->r, colour->g, colour->b }, weights[] = { 0.2126, 0.7152, 0.0722 };
  double sum = 0;

  for (guint i = 0; i < 3; i++)
    sum += weights[i] * (channels[i] <= 0.03928 ? channels[i] / 12.92 : exp (2.4 * log ((channels[i] + 0.055) / 1.055)));

  return sum;
}

static void
test_ink (void)
{
  const GilkPlotStyle *const styles[] = { &gilk_plot_light, &gilk_plot_dark };
  double least = 21;

  for (guint i = 0; i < G_N_ELEMENTS (styles); i++)
    for (guint hits = 0; hits <= 1000; hits++)
      {
        const GilkColour fill = gilk_graph_heat (styles[i], hits, 1000, FALSE), ink = gilk_graph_ink_on (&fill);
        const double a = luminance_of (&fill) + 0.05, b = luminance_of (&ink) + 0.05;

        least = MIN (least, MAX (a, b) / MIN (a, b));
      }
  g_test_message ("least contrast %.2f : 1", least);
  g_assert_cmpfloat (least, >=, 4.5);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/graph-paint/joined", test_joined);
  g_test_add_func ("/graph-paint/ink", test_ink);

  return g_test_run ();
}

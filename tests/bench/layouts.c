/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * layouts.c - rates the drawings of a live kernel's functions, and measures the time to make them
 *
 *   layouts TARGET [--every N] [--dot N] [--seconds S] [--open N] [--worst N] [--save FILE]
 *           [FUNCTION...]
 *   layouts --graphs FILE [--every N] [--dot N] [--seconds S] [--worst N] [FUNCTION...]
 *
 * Lays out every Nth function and prints the flaws of the drawings; runs dot (package graphviz) on
 * every Nth of these, and opens every Nth of them in the same way as the workbench, from the click
 * to the picture. The graphs can be saved, and laid out later without the kernel.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "core/cfg/gilk-scan.h"
#include "core/plot/gilk-graph-paint.h"
#include "gui/graph/gilk-graph-data.h"
#include "tests/bench/layout-check.h"

#define WIDTH  900         /* width of the graph in a window */
#define HEIGHT 640

typedef struct {
  char  *name;
  guint  blocks, edges;
  double layout, aspect;
  LayoutCheck check;
} Drawn;

typedef struct {
  GilkImage     *image;
  GilkFunctions *functions;
  GilkDecoder   *decoder;
  GArray        *drawn;    /* Drawn */
  GArray        *opened, *opened_work;    /* doubles: wall-clock and CPU time of each opening */
  GArray        *ratios;
  guint          dot_done, dot_late, dot_worse;
  LayoutCheck    ours, dots;              /* sums over graphs that dot laid out in the time limit */
  FILE          *saved;
  double         layout_sum, dot_sum;
} Bench;

static char *save_to, *graphs;
static int every = 1, dot_every = 0, dot_seconds = 5, open_every = 0, worst = 0;

static const GOptionEntry entries[] = {
  { "every", 0, 0, G_OPTION_ARG_INT, &every, "Lay out every Nth function", "N" },
  { "dot", 0, 0, G_OPTION_ARG_INT, &dot_every, "Compare every Nth of those with dot", "N" },
  { "seconds", 0, 0, G_OPTION_ARG_INT, &dot_seconds, "What dot may take of a processor", "S" },
  { "open", 0, 0, G_OPTION_ARG_INT, &open_every, "Open every Nth of those", "N" },
  { "worst", 0, 0, G_OPTION_ARG_INT, &worst, "List the N slowest", "N" },
  { "save", 0, 0, G_OPTION_ARG_FILENAME, &save_to, "Save the graphs", "FILE" },
  { "graphs", 0, 0, G_OPTION_ARG_FILENAME, &graphs, "Take them from there, not from a target", "FILE" },
  { NULL },
};

static void
check_result (gboolean good, GError *error)
{
  if (!good)
    g_error ("%s", error != NULL ? error->message : "failed");
}

static double
get_seconds (clockid_t clock)
{
  struct timespec now;

  clock_gettime (clock, &now);

  return (double) now.tv_sec + (double) now.tv_nsec * 1e-9;
}

/* ---- measuring the layout of functions ---- */

static void
add_check (LayoutCheck *sum, const LayoutCheck *check)
{
  sum->through += check->through;
  sum->overlaps += check->overlaps;
  sum->shared += check->shared;
  sum->crossings += check->crossings;
  sum->length += check->length;
  sum->bends += check->bends;
}

static void
compare_with_dot (Bench *bench, const GilkLayoutGraph *shape, const GilkLayout *layout, const Drawn *drawn)
{
  LayoutCheck dot;
  double took, ratio;

  if (!layout_check_dot (shape, layout, (guint) dot_seconds, &dot, &took))
    {
      bench->dot_late++;
      return;
    }
  ratio = drawn->layout / MAX (took, 1e-3);
  bench->dot_done++;
  add_check (&bench->ours, &drawn->check);
  add_check (&bench->dots, &dot);
  bench->dot_worse += drawn->check.crossings > dot.crossings;
  bench->layout_sum += drawn->layout;
  bench->dot_sum += took;
  g_array_append_val (bench->ratios, ratio);
}

static void
lay_out_graph (Bench *bench, const GilkLayoutGraph *shape, const GilkBox *sizes, guint number)
{
  g_autoptr(GilkLayout) layout = NULL;
  GError *error = NULL;
  Drawn drawn = { .name = g_strdup (shape->name), .blocks = shape->n_blocks, .edges = shape->n_edges };
  double begun;

  if (bench->saved != NULL)
    layout_file_write (bench->saved, shape, sizes);
  begun = get_seconds (CLOCK_THREAD_CPUTIME_ID);
  layout = gilk_layout_new (shape, sizes, NULL, &error);
  drawn.layout = get_seconds (CLOCK_THREAD_CPUTIME_ID) - begun;
  check_result (layout != NULL, error);
  drawn.aspect = (double) layout->width / layout->height;
  layout_check_ours (shape, layout, &drawn.check);
  if (dot_every > 0 && number % (guint) dot_every == 0)
    compare_with_dot (bench, shape, layout, &drawn);
  g_array_append_val (bench->drawn, drawn);
}

static void
lay_out_function (Bench *bench, GilkCfg *cfg, guint number)
{
  g_autoptr(GilkGraph) graph = NULL;
  g_auto(GilkLayoutGraph) shape = { NULL };
  GError *error = NULL;

  graph = gilk_graph_new (cfg, bench->decoder, &gilk_plot_light, NULL, NULL, &error);
  check_result (graph != NULL, error);
  gilk_graph_shape_init (&shape, cfg);
  lay_out_graph (bench, &shape, graph->layout->blocks, number);
}

/* ---- measuring how long a graph takes to open ---- */

typedef struct {
  GMainLoop     *loop;
  GilkGraphData *data;
} Opening;

static void
on_loaded (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Opening *opening = user_data;
  GError *error = NULL;

  opening->data = gilk_graph_data_load_finish (result, &error);
  check_result (opening->data != NULL, error);
  g_main_loop_quit (opening->loop);
}

/* Paints the first frame at full size, with the entry block at the top. */
static void
paint_first_frame (const GilkGraphData *data)
{
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, WIDTH, HEIGHT);
  cairo_t *cr = cairo_create (surface);
  const GilkBox *entry = &data->graph->layout->blocks[data->cfg->entry];
  GilkBox visible = { entry->x + entry->width / 2 - WIDTH / 2, entry->y - 24, WIDTH, HEIGHT };
  GilkGraphLook look = { .block = (int) data->cfg->entry, .point = 0, .hover = -1 };

  cairo_translate (cr, -visible.x, -visible.y);
  gilk_graph_paint (cr, data->graph, &gilk_plot_light, &look, &visible, 1);
  cairo_identity_matrix (cr);
  gilk_graph_paint_minimap (cr, data->graph, &gilk_plot_light, &look, &visible, 132, 168);
  cairo_destroy (cr);
  cairo_surface_destroy (surface);
}

static void
open_one (Bench *bench, const GilkFunction *function)
{
  Opening opening = { g_main_loop_new (NULL, FALSE), NULL };
  double begun = get_seconds (CLOCK_MONOTONIC), worked = get_seconds (CLOCK_PROCESS_CPUTIME_ID);

  gilk_graph_data_load_async (bench->functions, bench->image, function, &gilk_plot_light, NULL, on_loaded, &opening);
  g_main_loop_run (opening.loop);
  paint_first_frame (opening.data);
  begun = get_seconds (CLOCK_MONOTONIC) - begun;
  worked = get_seconds (CLOCK_PROCESS_CPUTIME_ID) - worked;
  g_array_append_val (bench->opened, begun);
  g_array_append_val (bench->opened_work, worked);
  if (worst > 0 && worked > 0.06)
    printf ("slow to open: %s, %u blocks: %.1f ms\n", function->name, opening.data->cfg->n_blocks, worked * 1e3);
  gilk_graph_data_unref (opening.data);
  g_main_loop_unref (opening.loop);
}

/* ---- output of the results ---- */

static int
compare_doubles (gconstpointer a, gconstpointer b)
{
  double x = *(const double *) a, y = *(const double *) b;

  return (x > y) - (x < y);
}

static double
compute_quantile (GArray *numbers, double share)
{
  return numbers->len > 0 ? g_array_index (numbers, double, (guint) (share * (numbers->len - 1))) : NAN;
}

static GArray *
collect_column (const GArray *drawn, size_t offset)
{
  GArray *numbers = g_array_new (FALSE, FALSE, sizeof (double));

  for (guint i = 0; i < drawn->len; i++)
    {
      double number;

      memcpy (&number, (const char *) &g_array_index (drawn, Drawn, i) + offset, sizeof number);
      g_array_append_val (numbers, number);
    }
  g_array_sort (numbers, compare_doubles);

  return numbers;
}

static void
print_quantiles (const char *what, GArray *numbers, double unit)
{
  g_array_sort (numbers, compare_doubles);
  printf ("%s: median %.3g, 90 %% %.3g, 99 %% %.3g, greatest %.3g\n", what, compute_quantile (numbers, 0.5) * unit,
          compute_quantile (numbers, 0.9) * unit, compute_quantile (numbers, 0.99) * unit, compute_quantile (numbers, 1) * unit);
}

static int
compare_slowest_first (gconstpointer a, gconstpointer b)
{
  const Drawn *x = a, *y = b;

  return (x->layout < y->layout) - (x->layout > y->layout);
}

static void
print_drawn (Bench *bench)
{
  g_autoptr(GArray) layouts = collect_column (bench->drawn, offsetof (Drawn, layout));
  g_autoptr(GArray) aspects = collect_column (bench->drawn, offsetof (Drawn, aspect));
  LayoutCheck sum = { 0 };
  double tall = 0, wide = 0, large = 0;

  for (guint i = 0; i < bench->drawn->len; i++)
    {
      const Drawn *drawn = &g_array_index (bench->drawn, Drawn, i);

      add_check (&sum, &drawn->check);
      tall += drawn->aspect < 1.0 / 3;
      wide += drawn->aspect > 2;
      large += drawn->blocks >= 10;
    }
  printf ("functions %u, of 10 blocks and more %.0f\n", bench->drawn->len, large);
  printf ("lines through blocks %u, blocks that overlap %u, lines on each other %u\n", sum.through, sum.overlaps,
          sum.shared);
  printf ("crossings %" G_GUINT64_FORMAT ", length of lines %.4g px, bends %" G_GUINT64_FORMAT "\n", sum.crossings,
          (double) sum.length, sum.bends);
  printf ("width to height: 10 %% %.2f, median %.2f, 90 %% %.2f; below 1:3 %.1f %%, above 2:1 %.1f %%\n",
          compute_quantile (aspects, 0.1), compute_quantile (aspects, 0.5), compute_quantile (aspects, 0.9),
          100 * tall / bench->drawn->len, 100 * wide / bench->drawn->len);
  print_quantiles ("layout, ms of processor time", layouts, 1e3);
}

static void
print_dot (Bench *bench)
{
  if (bench->dot_done + bench->dot_late == 0)
    return;
  printf ("dot: %u graphs done, %u not within %d s\n", bench->dot_done, bench->dot_late, dot_seconds);
  printf ("crossings there: ours %" G_GUINT64_FORMAT ", dot's %" G_GUINT64_FORMAT "; ours has more in %.1f %%\n",
          bench->ours.crossings, bench->dots.crossings, 100.0 * bench->dot_worse / MAX (bench->dot_done, 1));
  printf ("length of lines there: ours %.4g px, dot's %.4g; bends: ours %" G_GUINT64_FORMAT ", dot's %" G_GUINT64_FORMAT
          "\n", (double) bench->ours.length, (double) bench->dots.length, bench->ours.bends, bench->dots.bends);
  printf ("layout there: ours %.3f s, dot's %.3f s: %.3f of it\n", bench->layout_sum, bench->dot_sum,
          bench->layout_sum / bench->dot_sum);
  print_quantiles ("layout, share of dot's", bench->ratios, 1);
}

static void
print_worst (Bench *bench)
{
  g_array_sort (bench->drawn, compare_slowest_first);
  for (guint i = 0; i < MIN ((guint) worst, bench->drawn->len); i++)
    {
      const Drawn *drawn = &g_array_index (bench->drawn, Drawn, i);

      printf ("slow to lay out: %s, %u blocks, %u edges: %.1f ms, %" G_GUINT64_FORMAT " crossings, %.2f\n", drawn->name,
              drawn->blocks, drawn->edges, drawn->layout * 1e3, drawn->check.crossings, drawn->aspect);
    }
  for (guint i = 0; i < bench->drawn->len; i++)
    {
      const Drawn *drawn = &g_array_index (bench->drawn, Drawn, i);

      if (drawn->check.through + drawn->check.overlaps + drawn->check.shared > 0)
        printf ("wrong: %s: through %u, overlaps %u, shared %u\n", drawn->name, drawn->check.through,
                drawn->check.overlaps, drawn->check.shared);
    }
}

static gboolean
is_wanted (const char *name, char **names, guint number)
{
  return names[0] != NULL ? g_strv_contains ((const char *const *) names, name) : number % (guint) every == 0;
}

static void
take_file (Bench *bench, char **names)
{
  FILE *in = fopen (graphs, "r");
  LayoutRead read;
  guint number = 0;

  if (in == NULL)
    g_error ("%s cannot be read", graphs);
  for (guint i = 0; layout_file_read (in, &read); i++)
    {
      if (is_wanted (read.name, names, i))
        lay_out_graph (bench, &read.graph, read.sizes, number++);
      layout_read_clear (&read);
    }
  fclose (in);
}

static void
take_target (Bench *bench, const char *spec, char **names)
{
  g_autoptr(GilkTarget) target = NULL;
  GError *error = NULL;
  const GilkFunction *all;
  guint count, number = 0;

  target = gilk_target_open (spec, NULL, NULL, &error);
  check_result (target != NULL, error);
  bench->image = gilk_image_open (target, NULL, NULL, &error);
  check_result (bench->image != NULL && gilk_image_load_all (bench->image, NULL, NULL, &error), error);
  bench->functions = gilk_functions_new (bench->image);
  bench->decoder = gilk_decoder_new ();
  all = gilk_functions_all (bench->functions, &count);
  for (guint i = 0; i < count; i++)
    {
      g_autoptr(GilkCfg) cfg = NULL;

      if (!is_wanted (all[i].name, names, i))
        continue;
      cfg = gilk_cfg_new (bench->functions, &all[i], bench->decoder, NULL);
      if (cfg == NULL || cfg->n_blocks == 0)
        continue;
      lay_out_function (bench, cfg, number);
      if (open_every > 0 && number % (guint) open_every == 0)
        open_one (bench, &all[i]);
      number++;
    }
}

int
main (int argc, char **argv)
{
  g_autoptr(GOptionContext) context = g_option_context_new ("[TARGET] [FUNCTION...]");
  g_autofree char *dot = NULL, *part = NULL;
  Bench bench = { 0 };
  GError *error = NULL;

  g_option_context_add_main_entries (context, entries, NULL);
  check_result (g_option_context_parse (context, &argc, &argv, &error), error);
  if (argc < 2 && graphs == NULL)
    {
      fputs ("usage: layouts TARGET|--graphs FILE [FUNCTION...]\n", stderr);
      return 2;
    }
  dot = g_find_program_in_path ("dot");
  if (dot_every > 0 && dot == NULL)
    {
      fputs ("layouts: there is no dot to compare with. Install graphviz.\n", stderr);
      return 2;
    }
  bench.drawn = g_array_new (FALSE, FALSE, sizeof (Drawn));
  bench.opened = g_array_new (FALSE, FALSE, sizeof (double));
  bench.opened_work = g_array_new (FALSE, FALSE, sizeof (double));
  bench.ratios = g_array_new (FALSE, FALSE, sizeof (double));
  /* An interrupted run must not leave a file that looks complete. */
  part = g_strdup_printf ("%s.part", save_to);
  bench.saved = save_to != NULL ? fopen (part, "w") : NULL;
  if (save_to != NULL && bench.saved == NULL)
    g_error ("%s cannot be written", part);

  if (graphs != NULL)
    take_file (&bench, argv + 1);
  else
    take_target (&bench, argv[1], argv + 2);
  if (bench.saved != NULL && (fclose (bench.saved) != 0 || rename (part, save_to) != 0))
    g_error ("%s cannot be written", save_to);

  print_drawn (&bench);
  print_dot (&bench);
  if (bench.opened->len > 0)
    {
      printf ("opened %u functions\n", bench.opened->len);
      print_quantiles ("click to picture, ms by the clock", bench.opened, 1e3);
      print_quantiles ("click to picture, ms of processor time", bench.opened_work, 1e3);
    }
  print_worst (&bench);

  return 0;
}

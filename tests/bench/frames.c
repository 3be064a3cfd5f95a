/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * frames.c - measures the time per frame of the graph canvas, on the largest graphs of a live
 * kernel
 *
 *   frames TARGET [FUNCTION...]
 *
 * Paints each graph like the workbench, including map and legend, with heat and hooks at every
 * block. The heat changes from frame to frame. Pans across the whole drawing at several scales, and
 * zooms from the whole drawing to full size. Prints the CPU time per frame in ms, and the time to
 * find the object under the pointer.
 */
#include <stdio.h>
#include <time.h>

#include "core/cfg/gilk-function.h"
#include "core/plot/gilk-graph-paint.h"

#define WIDTH   1400
#define HEIGHT  900
#define FRAMES  60
#define LARGEST 3

typedef struct {
  GilkGraph *graph;
  uint8_t   *marks;
  uint64_t  *hits;
  cairo_surface_t *surface;
} Scene;

static double
get_milliseconds (void)
{
  struct timespec now;

  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &now);

  return now.tv_sec * 1e3 + now.tv_nsec * 1e-6;
}

static void
check_result (gboolean good, GError *error)
{
  if (!good)
    g_error ("%s", error != NULL ? error->message : "failed");
}

static double
paint_one (Scene *scene, double x, double y, double scale, guint frame)
{
  const GilkGraph *graph = scene->graph;
  const GilkPlotStyle *style = &gilk_plot_light;
  GilkBox visible = { x, y, WIDTH / scale + 1, HEIGHT / scale + 1 };
  GilkGraphLook look = { .marks = scene->marks, .hits = scene->hits, .hits_max = 1000000, .log_heat = TRUE,
                         .block = frame % graph->cfg->n_blocks, .point = -1, .hover = -1, .insn = -1, .focus = TRUE };
  double began = get_milliseconds ();
  cairo_t *cr = cairo_create (scene->surface);

  cairo_set_source_rgb (cr, style->background.r, style->background.g, style->background.b);
  cairo_paint (cr);
  cairo_save (cr);
  cairo_scale (cr, scale, scale);
  cairo_translate (cr, -x, -y);
  gilk_graph_paint (cr, graph, style, &look, &visible, scale);
  cairo_restore (cr);
  gilk_graph_paint_minimap (cr, graph, style, &look, &visible, 120, 156);
  gilk_graph_paint_legend (cr, style, &look, 30);
  cairo_destroy (cr);
  cairo_surface_flush (scene->surface);

  return get_milliseconds () - began;
}

static int
by_size (gconstpointer a, gconstpointer b)
{
  const double *x = a, *y = b;

  return (*x > *y) - (*x < *y);
}

static void
print_times (const char *what, GArray *times)
{
  g_array_sort (times, by_size);
  printf ("  %-22s median %6.2f  99 %% %6.2f  most %6.2f ms\n", what, g_array_index (times, double, times->len / 2),
          g_array_index (times, double, times->len * 99 / 100), g_array_index (times, double, times->len - 1));
}

static void
heat_up (Scene *scene, guint frame)
{
  for (guint i = 0; i < scene->graph->cfg->n_blocks; i++)
    {
      scene->hits[i] = (i * 2654435761u + frame * 977) % 1000000;
      scene->marks[2 * i] = i % 3 == 0 ? GILK_MARK_LIVE : GILK_MARK_PLANNED;
      scene->marks[2 * i + 1] = GILK_MARK_FREE;
    }
}

/* Pans over all blocks, from the first to the last. */
static void
pan_scene (Scene *scene, double scale)
{
  const GilkLayout *layout = scene->graph->layout;
  g_autoptr(GArray) times = g_array_new (FALSE, FALSE, sizeof (double));
  g_autofree char *what = g_strdup_printf ("pan at %.2f", scale);

  for (guint i = 0; i < FRAMES; i++)
    {
      const GilkBox *box = &layout->blocks[(guint64) i * layout->n_blocks / FRAMES];
      double took;

      heat_up (scene, i);
      took = paint_one (scene, box->x + box->width / 2.0 - WIDTH / (2 * scale), box->y - HEIGHT / (2 * scale), scale, i);
      g_array_append_val (times, took);
    }
  print_times (what, times);
}

static double
get_fit (const GilkLayout *layout)
{
  return MIN (1.0, MIN ((WIDTH - 64.0) / layout->width, (HEIGHT - 64.0) / layout->height));
}

static void
zoom_scene (Scene *scene)
{
  const GilkLayout *layout = scene->graph->layout;
  g_autoptr(GArray) times = g_array_new (FALSE, FALSE, sizeof (double));
  double fit = get_fit (layout), scale = fit;

  for (guint i = 0; scale < 1.5; i++, scale *= 1.08)
    {
      double took;

      heat_up (scene, i);
      took = paint_one (scene, layout->width / 2.0 - WIDTH / (2 * scale), layout->height / 2.0 - HEIGHT / (2 * scale), scale, i);
      g_array_append_val (times, took);
    }
  print_times ("zoom from all to 1.5", times);
}

static void
find_under (Scene *scene)
{
  const GilkLayout *layout = scene->graph->layout;
  g_autoptr(GArray) times = g_array_new (FALSE, FALSE, sizeof (double));

  for (guint i = 0; i < 1000; i++)
    {
      double x = (i * 7919) % MAX (layout->width, 1), y = (i * 104729) % MAX (layout->height, 1), took = get_milliseconds ();
      guint shared;

      gilk_graph_point_at (scene->graph, x, y, 11);
      gilk_graph_block_at (scene->graph, x, y);
      gilk_graph_edge_at (scene->graph, x, y, 5, &shared);
      took = get_milliseconds () - took;
      g_array_append_val (times, took);
    }
  print_times ("what is under it", times);
}

static void
run_function (GilkFunctions *functions, const GilkFunction *function, GilkDecoder *decoder)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(GilkCfg) cfg = gilk_cfg_new (functions, function, decoder, &error);
  g_autoptr(GilkGraph) graph = cfg != NULL ? gilk_graph_new (cfg, decoder, &gilk_plot_light, NULL, NULL, &error) : NULL;
  Scene scene = { graph };

  check_result (graph != NULL, error);
  scene.marks = g_new0 (uint8_t, 2 * cfg->n_blocks);
  scene.hits = g_new0 (uint64_t, cfg->n_blocks);
  scene.surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, WIDTH, HEIGHT);
  printf ("%s: %u blocks, %u edges, %u instructions, %d by %d\n", function->name, cfg->n_blocks, cfg->n_edges, cfg->n_insns,
          graph->layout->width, graph->layout->height);
  paint_one (&scene, 0, 0, 1, 0);                       /* loads fonts */
  pan_scene (&scene, get_fit (graph->layout));
  pan_scene (&scene, 0.1);
  pan_scene (&scene, 0.21);
  pan_scene (&scene, 0.35);
  pan_scene (&scene, 0.51);
  pan_scene (&scene, 0.85);
  pan_scene (&scene, 1.5);
  zoom_scene (&scene);
  find_under (&scene);
  cairo_surface_destroy (scene.surface);
  g_free (scene.marks);
  g_free (scene.hits);
}

typedef struct { guint size; const GilkFunction *function; } Sized;

static int
compare_larger_first (gconstpointer a, gconstpointer b)
{
  return (int) ((const Sized *) b)->size - (int) ((const Sized *) a)->size;
}

/* Returns the functions with the most blocks, among the 100 functions with the most bytes. Decoding
 * all functions would take longer than painting. */
static GArray *
find_largest (GilkFunctions *functions, GilkDecoder *decoder)
{
  GArray *sized = g_array_new (FALSE, FALSE, sizeof (Sized));
  guint count;
  const GilkFunction *all = gilk_functions_all (functions, &count);

  for (guint i = 0; i < count; i++)
    g_array_append_val (sized, ((Sized) { all[i].hot.end - all[i].hot.start, &all[i] }));
  g_array_sort (sized, compare_larger_first);
  g_array_set_size (sized, MIN (sized->len, 100));
  for (guint i = 0; i < sized->len; i++)
    {
      Sized *one = &g_array_index (sized, Sized, i);
      g_autoptr(GilkCfg) cfg = gilk_cfg_new (functions, one->function, decoder, NULL);

      one->size = cfg != NULL ? cfg->n_blocks : 0;
    }
  g_array_sort (sized, compare_larger_first);
  g_array_set_size (sized, MIN (sized->len, LARGEST));

  return sized;
}

int
main (int argc, char **argv)
{
  g_autoptr(GilkTarget) target = NULL;
  g_autoptr(GilkDecoder) decoder = gilk_decoder_new ();
  GilkImage *image;
  GilkFunctions *functions;
  GError *error = NULL;

  if (argc < 2)
    {
      fputs ("usage: frames TARGET [FUNCTION...]\n", stderr);
      return 2;
    }
  target = gilk_target_open (argv[1], NULL, NULL, &error);
  check_result (target != NULL, error);
  image = gilk_image_open (target, NULL, NULL, &error);
  check_result (image != NULL && gilk_image_load_all (image, NULL, NULL, &error), error);
  functions = gilk_functions_new (image);
  for (int i = 2; i < argc; i++)
    {
      const GilkFunction *function = gilk_functions_lookup (functions, argv[i], &error);

      check_result (function != NULL, error);
      run_function (functions, function, decoder);
    }
  if (argc == 2)
    {
      g_autoptr(GArray) sized = find_largest (functions, decoder);

      for (guint i = 0; i < sized->len; i++)
        run_function (functions, g_array_index (sized, Sized, i).function, decoder);
    }
  gilk_functions_unref (functions);
  gilk_image_unref (image);

  return 0;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pictures.c - draws the pictures of the user's guide, with the drawing code of the program itself
 *
 *   pictures FOLDER
 *
 * Each build runs this program, so that the guide shows what this version of Gilk does. The
 * pictures show hooks in a small made-up function. This program checks what the guide says about
 * that function (its blocks, tactics and bytes); if the guide is out of date, the build fails.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/plot/gilk-graph-paint.h"
#include "core/plot/gilk-patch-paint.h"
#include "core/splice/gilk-splice.h"

#define BASE 0xffffffff81000000ull
#define SLOT 0xffffffffc0400000ull

/* Machine code of a made-up function that puts an item into a ring buffer, and waits while the ring
 * is full. */
static const uint8_t ring_put[] = {
  0x0f, 0x1f, 0x44, 0x00, 0x00,       /* 0: the function tracer's site */
  0x55,                               /* 5: push %rbp */
  0x53,                               /* 6: push %rbx */
  0x48, 0x89, 0xfb,                   /* 7: mov %rdi,%rbx */
  0x48, 0x89, 0xf5,                   /* a: mov %rsi,%rbp */
  0x8b, 0x43, 0x10,                   /* d: mov 0x10(%rbx),%eax */
  0x2b, 0x43, 0x14,                   /* 10: sub 0x14(%rbx),%eax */
  0x3b, 0x43, 0x18,                   /* 13: cmp 0x18(%rbx),%eax */
  0x72, 0x0e,                         /* 16: jb 26 */
  0x48, 0x89, 0xdf,                   /* 18: mov %rbx,%rdi */
  0xe8, 0x30, 0x00, 0x00, 0x00,       /* 1b: call ring_wait */
  0x85, 0xc0,                         /* 20: test %eax,%eax */
  0x74, 0xe9,                         /* 22: je d */
  0xeb, 0x13,                         /* 24: jmp 39 */
  0x8b, 0x43, 0x10,                   /* 26: mov 0x10(%rbx),%eax */
  0x23, 0x43, 0x1c,                   /* 29: and 0x1c(%rbx),%eax */
  0x48, 0x8b, 0x53, 0x08,             /* 2c: mov 0x8(%rbx),%rdx */
  0x48, 0x89, 0x2c, 0xc2,             /* 30: mov %rbp,(%rdx,%rax,8) */
  0xff, 0x43, 0x10,                   /* 34: incl 0x10(%rbx) */
  0x31, 0xc0,                         /* 37: xor %eax,%eax */
  0x5b,                               /* 39: pop %rbx */
  0x5d,                               /* 3a: pop %rbp */
  0xc3,                               /* 3b: ret */
};

#define RING_WAIT 0x50

/* Number of times that each block ran; the picture colours blocks by these numbers. */
static const struct {
  guint    offset;
  uint64_t hits;
} counts[] = {
  { 0x0, 1000 }, { 0xd, 1240 }, { 0x18, 242 }, { 0x24, 2 }, { 0x26, 998 }, { 0x39, 1000 },
};

typedef struct {
  const char  *folder;
  GilkImage   *image;
  GilkCfg     *cfg;
  GilkDecoder *decoder;
} Studio;

static void
check (gboolean ok, const char *what, GError *error)
{
  if (ok)
    return;
  fprintf (stderr, "pictures: %s\n", error != NULL ? error->message : what);
  exit (EXIT_FAILURE);
}

static void
studio_init (Studio *studio, const char *folder)
{
  const GilkSite sites[] = { { BASE, 0, GILK_SITE_FENTRY } };
  g_autofree uint8_t *text = g_malloc (RING_WAIT + 1);
  g_autofree char *kallsyms =
    g_strdup_printf ("%llx T _stext\n%llx t ring_put\n%llx t ring_wait\n%llx T _etext\n",
                     BASE, BASE, BASE + RING_WAIT, BASE + RING_WAIT + 1);
  g_autoptr(GilkFunctions) functions = NULL;
  g_autoptr(GilkSymbols) symbols = NULL;
  GError *error = NULL;

  memset (text, 0xcc, RING_WAIT);
  memcpy (text, ring_put, sizeof ring_put);
  text[RING_WAIT] = 0xc3;
  symbols = gilk_symbols_new_parse (kallsyms, strlen (kallsyms), &error);
  check (symbols != NULL, "symbols", error);
  studio->folder = folder;
  studio->image = gilk_image_new_static (symbols, BASE, text, RING_WAIT + 1, sites, G_N_ELEMENTS (sites));
  functions = gilk_functions_new (studio->image);
  studio->decoder = gilk_decoder_new ();
  studio->cfg = gilk_cfg_new (functions, gilk_functions_at (functions, BASE), studio->decoder, &error);
  check (studio->cfg != NULL && studio->cfg->refusal == 0, "the function is refused", error);
}

static void
studio_clear (Studio *studio)
{
  gilk_cfg_unref (studio->cfg);
  gilk_decoder_free (studio->decoder);
  gilk_image_unref (studio->image);
}

static guint
block_at (const Studio *studio, guint offset)
{
  int block = gilk_cfg_block_at (studio->cfg, BASE + offset);

  check (block >= 0, "a block of the pages is not there", NULL);
  return (guint) block;
}

static void
keep (const Studio *studio, const char *name, double width, double height, GilkPaintFunc paint, gpointer data)
{
  g_autofree char *path = g_strdup_printf ("%s/%s.svg", studio->folder, name);
  GError *error = NULL;

  check (gilk_plot_to_file (path, GILK_PLOT_SVG, width, height, paint, data, &error), name, error);
}

/* ---- graphs ---- */

static void
draw_graph (const Studio *studio, const char *name, const GilkGraphLook *look)
{
  GError *error = NULL;
  g_autoptr(GilkGraph) graph = gilk_graph_new (studio->cfg, studio->decoder, &gilk_plot_light, NULL, NULL, &error);
  GilkGraphPicture picture = { graph, &gilk_plot_light, look };

  check (graph != NULL, "the graph", error);
  keep (studio, name, graph->layout->width + 2 * GILK_GRAPH_MARGIN, graph->layout->height + 2 * GILK_GRAPH_MARGIN,
        gilk_graph_paint_picture, &picture);
}

static void
draw_graphs (const Studio *studio)
{
  guint n = studio->cfg->n_blocks;
  g_autofree uint8_t *marks = g_new0 (uint8_t, 2 * n);
  g_autofree uint64_t *hits = g_new0 (uint64_t, n);
  GilkGraphLook look = { .marks = marks, .block = -1, .point = -1, .hover = -1, .insn = -1 };

  marks[2 * block_at (studio, 0x18)] = GILK_MARK_PLANNED;
  draw_graph (studio, "graph", &look);

  check (n == G_N_ELEMENTS (counts), "the graph has other blocks than the pages say", NULL);
  for (guint i = 0; i < n; i++)
    hits[block_at (studio, counts[i].offset)] = counts[i].hits;
  memset (marks, GILK_MARK_FREE, 2 * n);
  marks[2 * block_at (studio, 0x18)] = GILK_MARK_LIVE;
  look.hits = hits;
  look.hits_max = 1240;
  draw_graph (studio, "heat", &look);
}

/* ---- patches ---- */

static void
draw_patch (const Studio *studio, const char *name, const char *title, const GilkWant *want, guint tactic, guint cost)
{
  g_autoptr(GilkSplicePlan) plan = gilk_splice_plan_new (studio->cfg, studio->decoder, want, 1);
  g_autoptr(GilkPatchListing) listing = NULL;
  GilkPlotStyle style = gilk_plot_light;
  GilkPatchPicture picture = { NULL, studio->cfg, &style, title };
  double width, height;
  GError *error = NULL;

  check (plan->choices[0].refusal == 0 && plan->choices[0].tactic == tactic && plan->choices[0].cost == cost,
         "a hook has another tactic or cost than the pages say", NULL);
  listing = gilk_patch_listing_new (plan, plan->choices[0].patch, studio->decoder, SLOT, NULL, NULL, NULL, &error);
  check (listing != NULL, name, error);
  picture.listing = listing;
  style.size = 10.5;                    /* small text, so that the picture fits on a page */
  gilk_patch_picture_size (&picture, &width, &height);
  keep (studio, name, width, height, gilk_patch_paint, &picture);
}

static void
draw_patches (const Studio *studio)
{
  const GilkWant splice = { .block = block_at (studio, 0x26), .where = GILK_WHERE_PRE, .kind = GILK_INLINE_COUNT };
  const GilkWant bounce = { .block = block_at (studio, 0x24), .where = GILK_WHERE_PRE, .kind = GILK_INLINE_COUNT };
  const GilkWant trap = { .block = block_at (studio, 0x26), .where = GILK_WHERE_PRE, .kind = GILK_INLINE_COUNT,
                          .force = ILK_TACTIC_TRAP };

  draw_patch (studio, "splice", "A splice: ring_put+0x26, before the block, count", &splice, ILK_TACTIC_SPLICE, 3);
  draw_patch (studio, "bounce", "A bounce: ring_put+0x24, before the block, count", &bounce, ILK_TACTIC_BOUNCE, 3);
  draw_patch (studio, "trap", "A trap: ring_put+0x26, before the block, count", &trap, ILK_TACTIC_TRAP,
              GILK_TRAP_COST + 2);
}

/* ---- a histogram ---- */

typedef struct {
  GilkHistogram *histogram;
  GilkPlotText   text;
} Histogram;

static void
paint_histogram (cairo_t *cr, double width, double height, gpointer data)
{
  const Histogram *histogram = data;

  gilk_plot_histogram (cr, width, height, &gilk_plot_light, &histogram->text, histogram->histogram);
}

/* Draws a histogram of made-up sleep times, with one peak for short sleeps and one for long
 * sleeps. */
static void
draw_histogram (const Studio *studio)
{
  enum { N = 20000 };
  g_autofree double *values = g_new (double, N);
  GRand *chance = g_rand_new_with_seed (2002);
  Histogram histogram = {
    .text = { .title = "Time asleep", .x_label = "time asleep", .x_unit = "ns", .loss_note = "312 lost" },
  };

  for (guint i = 0; i < N; i++)
    {
      double u = g_rand_double_range (chance, 1e-12, 1.0), v = g_rand_double (chance);
      double normal = sqrt (-2.0 * log (u)) * cos (2.0 * G_PI * v);

      values[i] = g_rand_double (chance) < 0.7 ? 2300.0 * exp (0.3 * normal) : 90000.0 * exp (0.4 * normal);
    }
  histogram.histogram = gilk_histogram_new (values, N, 0, TRUE);
  keep (studio, "histogram", 760, 320, paint_histogram, &histogram);
  gilk_histogram_free (histogram.histogram);
  g_rand_free (chance);
}

int
main (int argc, char **argv)
{
  Studio studio;

  if (argc != 2)
    {
      fprintf (stderr, "usage: pictures FOLDER\n");
      return EXIT_FAILURE;
    }
  studio_init (&studio, argv[1]);
  draw_graphs (&studio);
  draw_patches (&studio);
  draw_histogram (&studio);
  studio_clear (&studio);
  return EXIT_SUCCESS;
}

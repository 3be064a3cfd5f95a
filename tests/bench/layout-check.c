/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * layout-check.c - reads graphs from files, and rates their drawings by Gilk or by graphviz dot
 *
 * In Gilk's drawing, lines are horizontal or vertical. If lines to the same block share a segment,
 * the segment is drawn and counted once. In dot's drawing, each line is a curve of its own. A curve
 * bends where its control polygon bends by 10 degrees or more.
 */
#include "tests/bench/layout-check.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* ---- rating of Gilk's drawings ---- */

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
  if (x->target != y->target)
    return x->target < y->target ? -1 : 1;
  return (x->from > y->from) - (x->from < y->from);
}

static void
collect_segments (const GilkLayoutGraph *graph, const GilkLayout *layout, GArray *level, GArray *upright)
{
  for (guint i = 0; i < layout->n_routes; i++)
    for (guint k = 1; k < layout->routes[i].n_points; k++)
      {
        GilkXY a = layout->routes[i].points[k - 1], b = layout->routes[i].points[k];
        guint target = graph->edges[i].to;
        Piece piece = a.x == b.x ? (Piece) { a.x, MIN (a.y, b.y), MAX (a.y, b.y), target }
                                 : (Piece) { a.y, MIN (a.x, b.x), MAX (a.x, b.x), target };

        g_array_append_vals (a.x == b.x ? upright : level, &piece, 1);
      }
}

/* Merges overlapping segments of lines to the same block. */
static GArray *
merge_segments (GArray *pieces)
{
  GArray *merged = g_array_new (FALSE, FALSE, sizeof (Piece));

  g_array_sort (pieces, compare_pieces);
  for (guint i = 0; i < pieces->len; i++)
    {
      const Piece *piece = &g_array_index (pieces, Piece, i);
      Piece *last = merged->len > 0 ? &g_array_index (merged, Piece, merged->len - 1) : NULL;

      if (last != NULL && last->at == piece->at && last->target == piece->target && piece->from <= last->to)
        last->to = MAX (last->to, piece->to);
      else
        g_array_append_val (merged, *piece);
    }
  g_array_unref (pieces);

  return merged;
}

static guint
count_shared (const GArray *pieces)
{
  guint shared = 0;

  for (guint i = 0; i < pieces->len; i++)
    for (guint k = i + 1; k < pieces->len; k++)
      {
        const Piece *a = &g_array_index (pieces, Piece, i), *b = &g_array_index (pieces, Piece, k);

        if (b->at != a->at)
          break;
        shared += a->target != b->target && MAX (a->from, b->from) < MIN (a->to, b->to);
      }

  return shared;
}

static guint
first_from (const GArray *pieces, int at)
{
  guint low = 0, high = pieces->len;

  while (low < high)
    {
      guint middle = (low + high) / 2;

      if (g_array_index (pieces, Piece, middle).at < at)
        low = middle + 1;
      else
        high = middle;
    }

  return low;
}

static uint64_t
count_crossings (const GArray *level, const GArray *upright)
{
  uint64_t crossings = 0;

  for (guint i = 0; i < level->len; i++)
    {
      const Piece *a = &g_array_index (level, Piece, i);

      for (guint k = first_from (upright, a->from + 1); k < upright->len; k++)
        {
          const Piece *b = &g_array_index (upright, Piece, k);

          if (b->at >= a->to)
            break;
          crossings += b->target != a->target && b->from < a->at && b->to > a->at;
        }
    }

  return crossings;
}

static int
compare_tops (gconstpointer a, gconstpointer b)
{
  const GilkBox *x = a, *y = b;

  return (x->y > y->y) - (x->y < y->y);
}

static guint
count_through (const GArray *pieces, gboolean upright, const GilkBox *blocks, guint n)
{
  guint through = 0;

  for (guint i = 0; i < pieces->len; i++)
    {
      const Piece *p = &g_array_index (pieces, Piece, i);
      int left = upright ? p->at : p->from, right = upright ? p->at : p->to;
      int top = upright ? p->from : p->at, bottom = upright ? p->to : p->at;

      for (guint k = 0; k < n && blocks[k].y < bottom + upright; k++)
        through += left < blocks[k].x + blocks[k].width && right > blocks[k].x &&
                   top < blocks[k].y + blocks[k].height && bottom > blocks[k].y;
    }

  return through;
}

static guint
count_overlaps (const GilkBox *blocks, guint n)
{
  guint overlaps = 0;

  for (guint i = 0; i < n; i++)
    for (guint k = i + 1; k < n && blocks[k].y < blocks[i].y + blocks[i].height; k++)
      overlaps += blocks[i].x < blocks[k].x + blocks[k].width && blocks[k].x < blocks[i].x + blocks[i].width;

  return overlaps;
}

static uint64_t
sum_lengths (const GArray *pieces)
{
  uint64_t sum = 0;

  for (guint i = 0; i < pieces->len; i++)
    sum += (uint64_t) (g_array_index (pieces, Piece, i).to - g_array_index (pieces, Piece, i).from);

  return sum;
}

static uint64_t
sum_bends (const GilkLayout *layout)
{
  uint64_t sum = 0;

  for (guint i = 0; i < layout->n_routes; i++)
    sum += layout->routes[i].n_points - 2;

  return sum;
}

void
layout_check_ours (const GilkLayoutGraph *graph, const GilkLayout *layout, LayoutCheck *check)
{
  g_autofree GilkBox *blocks = g_memdup2 (layout->blocks, (layout->n_blocks + 1) * sizeof (GilkBox));
  GArray *level = g_array_new (FALSE, FALSE, sizeof (Piece));
  GArray *upright = g_array_new (FALSE, FALSE, sizeof (Piece));

  collect_segments (graph, layout, level, upright);
  level = merge_segments (level);
  upright = merge_segments (upright);
  qsort (blocks, layout->n_blocks, sizeof *blocks, compare_tops);
  *check = (LayoutCheck) {
    .through = count_through (level, FALSE, blocks, layout->n_blocks) +
               count_through (upright, TRUE, blocks, layout->n_blocks),
    .overlaps = count_overlaps (blocks, layout->n_blocks),
    .shared = count_shared (level) + count_shared (upright),
    .crossings = count_crossings (level, upright),
    .length = sum_lengths (level) + sum_lengths (upright),
    .bends = sum_bends (layout),
  };
  g_array_unref (level);
  g_array_unref (upright);
}

/* ---- rating of dot's drawings ---- */

#define STEPS 6            /* number of straight segments that approximate a curve */
#define BEND  0.17         /* minimum angle of a bend, in radians */
#define INCH  72           /* pixels per inch; dot uses inches for boxes and lines */

typedef struct {
  double x1, y1, x2, y2;
  guint  edge, tail, head;
} Stroke;

static char *
to_dot (const GilkLayoutGraph *graph, const GilkLayout *sizes)
{
  GString *text = g_string_new ("digraph g { node [shape=box fixedsize=true label=\"\"];\n");

  for (guint i = 0; i < graph->n_blocks; i++)
    g_string_append_printf (text, "n%u [width=%g height=%g];\n", i, sizes->blocks[i].width / (double) INCH,
                            sizes->blocks[i].height / (double) INCH);
  for (guint i = 0; i < graph->n_edges; i++)
    g_string_append_printf (text, "n%u -> n%u;\n", graph->edges[i].from, graph->edges[i].to);
  g_string_append (text, "}\n");

  return g_string_free (text, FALSE);
}

static void
on_time_limit (gpointer data)
{
  struct rlimit cpu = { GPOINTER_TO_UINT (data), GPOINTER_TO_UINT (data) };

  setrlimit (RLIMIT_CPU, &cpu);
}

static void
add_curve (GArray *strokes, const double *p, Stroke stroke)
{
  stroke.x2 = p[0];
  stroke.y2 = p[1];
  for (guint i = 1; i <= STEPS; i++)
    {
      double t = (double) i / STEPS, u = 1 - t;

      stroke.x1 = stroke.x2;
      stroke.y1 = stroke.y2;
      stroke.x2 = u * u * u * p[0] + 3 * u * u * t * p[2] + 3 * u * t * t * p[4] + t * t * t * p[6];
      stroke.y2 = u * u * u * p[1] + 3 * u * u * t * p[3] + 3 * u * t * t * p[5] + t * t * t * p[7];
      g_array_append_val (strokes, stroke);
    }
}

/* Counts the bends of a line. @p: @n points, each different from the one before */
static guint
count_bends (const double *p, guint n)
{
  guint bends = 0;

  for (guint i = 2; i < n; i++)
    {
      double x1 = p[2 * i - 2] - p[2 * i - 4], y1 = p[2 * i - 1] - p[2 * i - 3];
      double x2 = p[2 * i] - p[2 * i - 2], y2 = p[2 * i + 1] - p[2 * i - 1];

      bends += fabs (atan2 (x1 * y2 - x2 * y1, x1 * x2 + y1 * y2)) > BEND;
    }

  return bends;
}

/* Parses dot's line for an edge: "edge n1 n2 4 x y x y x y x y ...". */
static guint
add_edge (GArray *strokes, char **words, guint edge)
{
  guint n = (guint) atoi (words[3]);
  g_autofree double *p = g_new (double, 2 * n);

  for (guint i = 0; i < 2 * n; i++)
    p[i] = g_ascii_strtod (words[4 + i], NULL);
  for (guint i = 0; i + 3 < n; i += 3)
    add_curve (strokes, p + 2 * i, (Stroke) { .edge = edge, .tail = (guint) atoi (words[1] + 1),
                                              .head = (guint) atoi (words[2] + 1) });

  return count_bends (p, n);
}

static double
sum_strokes (const GArray *strokes)
{
  double sum = 0;

  for (guint i = 0; i < strokes->len; i++)
    {
      const Stroke *s = &g_array_index (strokes, Stroke, i);

      sum += hypot (s->x2 - s->x1, s->y2 - s->y1);
    }

  return sum;
}

static double
compute_side (const Stroke *s, double x, double y)
{
  return (s->x2 - s->x1) * (y - s->y1) - (s->y2 - s->y1) * (x - s->x1);
}

static gboolean
strokes_cross (const Stroke *a, const Stroke *b)
{
  return compute_side (a, b->x1, b->y1) * compute_side (a, b->x2, b->y2) < 0 && compute_side (b, a->x1, a->y1) * compute_side (b, a->x2, a->y2) < 0;
}

/* Counts crossings of lines. Lines to the same block are not counted as crossing, as in Gilk's
 * drawings. */
static uint64_t
count_strokes (const GArray *strokes)
{
  uint64_t crossings = 0;

  for (guint i = 0; i < strokes->len; i++)
    for (guint k = i + 1; k < strokes->len; k++)
      {
        const Stroke *a = &g_array_index (strokes, Stroke, i), *b = &g_array_index (strokes, Stroke, k);

        crossings += a->edge != b->edge && a->head != b->head && strokes_cross (a, b);
      }

  return crossings;
}

static gboolean
run_dot (const char *input, guint seconds, char **output, double *took)
{
  g_autofree char *path = NULL;
  char *argv[] = { "dot", "-Tplain", NULL, NULL };
  struct rusage before, after;
  int status = 1, fd = g_file_open_tmp ("layouts-XXXXXX", &path, NULL);
  gboolean done;

  close (fd);
  g_file_set_contents (path, input, -1, NULL);
  argv[2] = path;
  getrusage (RUSAGE_CHILDREN, &before);
  done = g_spawn_sync (NULL, argv, NULL, G_SPAWN_SEARCH_PATH | G_SPAWN_STDERR_TO_DEV_NULL, on_time_limit,
                       GUINT_TO_POINTER (seconds), output, NULL, &status, NULL) && status == 0;
  getrusage (RUSAGE_CHILDREN, &after);
  *took = (double) (after.ru_utime.tv_sec - before.ru_utime.tv_sec) +
          (double) (after.ru_utime.tv_usec - before.ru_utime.tv_usec) * 1e-6;
  unlink (path);

  return done;
}

gboolean
layout_check_dot (const GilkLayoutGraph *graph, const GilkLayout *sizes, guint seconds,
                  LayoutCheck *check, double *took)
{
  g_autofree char *input = to_dot (graph, sizes), *output = NULL;
  g_autoptr(GArray) strokes = g_array_new (FALSE, FALSE, sizeof (Stroke));
  g_auto(GStrv) lines = NULL;
  guint edge = 0;

  *check = (LayoutCheck) { 0 };
  if (!run_dot (input, seconds, &output, took))
    return FALSE;

  lines = g_strsplit (output, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    if (g_str_has_prefix (lines[i], "edge "))
      {
        g_auto(GStrv) words = g_strsplit (lines[i], " ", -1);

        check->bends += add_edge (strokes, words, edge++);
      }
  check->crossings = count_strokes (strokes);
  check->length = (uint64_t) (sum_strokes (strokes) * INCH);

  return TRUE;
}

/* ---- reads and writes text files of graphs to be laid out ---- */

#define BLOCKS_MOST 100000u

void
layout_file_write (FILE *out, const GilkLayoutGraph *graph, const GilkBox *sizes)
{
  fprintf (out, "G %s %u %u %u\n", graph->name, graph->entry, graph->n_blocks, graph->n_edges);
  for (guint i = 0; i < graph->n_blocks; i++)
    fprintf (out, "b %d %d\n", sizes[i].width, sizes[i].height);
  for (guint i = 0; i < graph->n_edges; i++)
    fprintf (out, "e %u %u %d %d\n", graph->edges[i].from, graph->edges[i].to, (int) graph->edges[i].side, graph->edges[i].back);
}

static void
read_edges (FILE *in, LayoutRead *read)
{
  GilkLayoutGraph *graph = &read->graph;

  for (guint i = 0; i < graph->n_edges; i++)
    {
      GilkLayoutEdge *edge = &graph->edges[i];
      int side, back;

      if (fscanf (in, " e %u %u %d %d", &edge->from, &edge->to, &side, &back) != 4 || edge->from >= graph->n_blocks ||
          edge->to >= graph->n_blocks || side < GILK_SIDE_LEFT || side > GILK_SIDE_RAREST ||
          (i > 0 && edge->from < edge[-1].from))
        g_error ("edge %u of %s is none", i, read->name);
      edge->side = (GilkSide) side;
      edge->back = back != 0;
      if (graph->blocks[edge->from].n_out++ == 0)
        graph->blocks[edge->from].first_out = i;
      graph->blocks[edge->to].n_in++;
    }
}

gboolean
layout_file_read (FILE *in, LayoutRead *read)
{
  GilkLayoutGraph *graph = &read->graph;
  char name[512];
  int got;

  *read = (LayoutRead) { NULL };
  got = fscanf (in, " G %511s %u %u %u", name, &graph->entry, &graph->n_blocks, &graph->n_edges);
  if (got == EOF)
    return FALSE;
  if (got != 4 || graph->n_blocks > BLOCKS_MOST || graph->n_edges > 4 * BLOCKS_MOST || graph->entry >= graph->n_blocks)
    g_error ("no graph of layouts --save");

  read->name = g_strdup (name);
  graph->name = read->name;
  graph->blocks = g_new0 (GilkLayoutBlock, graph->n_blocks + 1);
  graph->edges = g_new0 (GilkLayoutEdge, graph->n_edges + 1);
  read->sizes = g_new0 (GilkBox, graph->n_blocks + 1);
  for (guint i = 0; i < graph->n_blocks; i++)
    if (fscanf (in, " b %d %d", &read->sizes[i].width, &read->sizes[i].height) != 2)
      g_error ("block %u of %s is none", i, name);
  read_edges (in, read);

  return TRUE;
}

void
layout_read_clear (LayoutRead *read)
{
  g_clear_pointer (&read->name, g_free);
  g_clear_pointer (&read->graph.blocks, g_free);
  g_clear_pointer (&read->graph.edges, g_free);
  g_clear_pointer (&read->sizes, g_free);
}

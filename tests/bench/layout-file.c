/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * layout-file.c - reads and writes text files of graphs to be laid out
 */
#include "tests/bench/layout-file.h"

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

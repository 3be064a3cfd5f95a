/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * layout-check.h - reads graphs from files, and rates their drawings by Gilk or by graphviz dot
 *
 * Threads: any.
 */
#pragma once

#include <stdio.h>

#include "core/layout/gilk-layout.h"

G_BEGIN_DECLS

typedef struct {
  guint    through;      /* number of line segments that pass through a block */
  guint    overlaps;     /* number of pairs of blocks that overlap */
  guint    shared;       /* pairs of line segments that overlap but lead to different blocks */
  uint64_t crossings;    /* number of crossings of lines to different blocks */
  uint64_t length;       /* total length of all lines, each drawn segment counted once */
  uint64_t bends;        /* total number of bends of all edges, each edge counted separately */
} LayoutCheck;

void layout_check_ours (const GilkLayoutGraph *graph, const GilkLayout *layout, LayoutCheck *check);

/* Lays out the boxes and edges of @graph with dot. Sets the crossings, length and bends of @check.
 * Returns FALSE if dot took more than @seconds of CPU time. */
gboolean layout_check_dot (const GilkLayoutGraph *graph, const GilkLayout *sizes, guint seconds,
                           LayoutCheck *check, double *took);

/*
 * Reads and writes text files of graphs, to develop the layout without a kernel.
 *
 *   G NAME ENTRY BLOCKS EDGES
 *   b WIDTH HEIGHT
 *   e FROM TO SIDE BACK
 *
 * The line "G" gives the numbers of lines "b" (blocks) and "e" (edges). Edges are sorted by FROM.
 */

typedef struct {
  char            *name;
  GilkLayoutGraph  graph;
  GilkBox         *sizes;
} LayoutRead;

void     layout_file_write (FILE *out, const GilkLayoutGraph *graph, const GilkBox *sizes);
/* Reads the next graph. Returns FALSE at the end of the file. An invalid file ends the program. */
gboolean layout_file_read  (FILE *in, LayoutRead *read);
void     layout_read_clear (LayoutRead *read);

G_END_DECLS

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * layout-file.h - reads and writes text files of graphs, to develop the layout without a kernel
 *
 *   G NAME ENTRY BLOCKS EDGES
 *   b WIDTH HEIGHT
 *   e FROM TO SIDE BACK
 *
 * The line "G" gives the numbers of lines "b" (blocks) and "e" (edges). Edges are sorted by FROM.
 */
#pragma once

#include <stdio.h>

#include "core/layout/gilk-layout.h"

G_BEGIN_DECLS

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

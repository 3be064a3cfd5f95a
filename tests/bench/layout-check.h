/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * layout-check.h - rates a drawing by Gilk or by graphviz dot
 *
 * Threads: any.
 */
#pragma once

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

G_END_DECLS

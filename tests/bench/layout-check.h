/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * layout-check.h - how good a drawing is, ours or graphviz dot's
 *
 * Threads: any.
 */
#pragma once

#include "core/layout/gilk-layout.h"

G_BEGIN_DECLS

typedef struct {
  guint    through;      /* pieces of lines that run through a block */
  guint    overlaps;     /* pairs of blocks that overlap */
  guint    shared;       /* pairs of pieces of lines to different blocks that lie on each other */
  uint64_t crossings;    /* places where lines to different blocks cross */
  uint64_t length;       /* of all lines together, each piece that is drawn once */
  uint64_t bends;        /* of all edges together, each by itself */
} LayoutCheck;

void layout_check_ours (const GilkLayoutGraph *graph, const GilkLayout *layout, LayoutCheck *check);

/* What dot makes of the same boxes and edges: crossings, length and bends. FALSE: it was not done within @seconds
 * of processor time. */
gboolean layout_check_dot (const GilkLayoutGraph *graph, const GilkLayout *sizes, guint seconds,
                           LayoutCheck *check, double *took);

G_END_DECLS

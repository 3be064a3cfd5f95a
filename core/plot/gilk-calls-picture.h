/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-calls-picture.h - draws the call graph around a function, from left to right: callers, the
 * function, callees
 *
 * Calls through pointers are dotted and labelled with their count, tail calls are dashed, and an
 * edge that closes a cycle is thick and goes around the nodes: colour is never the only sign.
 *
 * Threads: any for making and sharing a picture, which is immutable; painting: only the cairo_t's
 * thread.
 */
#pragma once

#include <cairo.h>

#include "core/cfg/gilk-call-graph.h"
#include "core/plot/gilk-plot.h"

G_BEGIN_DECLS

#define GILK_CALLS_UNKNOWN G_MAXUINT64
#define GILK_CALLS_MARGIN  24

typedef struct {
  GilkCallAround *around;
  GilkLayout     *layout;      /* layout with a block per node and a route per edge */
  char          **names;       /* per node: text such as "pipe_write" or "12 more" */
  char          **modules;     /* per node: the function's module; NULL for a node that stands for
                                * several functions */
  uint64_t       *hits;        /* per node: hits of the function at the time when the picture was
                                * made, or GILK_CALLS_UNKNOWN */
  uint64_t        hits_max;
  GilkPlotStyle   style;       /* fonts and size used for measuring */
  /* private: */
  gatomicrefcount ref_count;
} GilkCallsPicture;

typedef struct {
  int      current, hover;     /* current node, and node under the pointer; -1: none */
  gboolean focus;
} GilkCallsLook;

/* Makes the picture. @hits: (nullable): from gilk_call_hits_new(). Returns NULL if cancelled. */
GilkCallsPicture *gilk_calls_picture_new   (GilkCallAround *around, GilkFunctions *functions, GilkImage *image, GHashTable *hits,
                                            const GilkPlotStyle *style, GCancellable *cancellable, GError **error);
GilkCallsPicture *gilk_calls_picture_ref   (GilkCallsPicture *picture);
void              gilk_calls_picture_unref (GilkCallsPicture *picture);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkCallsPicture, gilk_calls_picture_unref)

/* Returns the node at x,y of the drawing, or -1. */
int               gilk_calls_node_at       (const GilkCallsPicture *picture, double x, double y);
void              gilk_calls_paint         (cairo_t *cr, const GilkCallsPicture *picture, const GilkPlotStyle *style,
                                            const GilkCallsLook *look);

/* User data of gilk_calls_paint_sheet(), a GilkPaintFunc, which paints the whole picture with a
 * margin. */
typedef struct {
  const GilkCallsPicture *picture;
  const GilkPlotStyle    *style;
} GilkCallsSheet;

void              gilk_calls_paint_sheet   (cairo_t *cr, double width, double height, gpointer sheet);

G_END_DECLS

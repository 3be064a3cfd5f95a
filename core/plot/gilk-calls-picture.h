/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-calls-picture.h - the call graph around a function, drawn from left to right: callers, the function, callees
 *
 * Lines that go through pointers are dotted and say how often that was seen, tail calls are dashed, what closes a
 * cycle goes round and is thick: colour is never alone.
 *
 * Threads: any for making and sharing one, which is immutable; painting is for that of the cairo_t.
 */
#pragma once

#include <cairo.h>

#include "core/cfg/gilk-call-around.h"
#include "core/plot/gilk-plot.h"

G_BEGIN_DECLS

#define GILK_CALLS_UNKNOWN G_MAXUINT64
#define GILK_CALLS_MARGIN  24

typedef struct {
  GilkCallAround *around;
  GilkLayout     *layout;      /* a block for each node, a route for each edge */
  char          **names;       /* per node: "pipe_write", "12 more" */
  char          **modules;     /* per node; NULL of what is left out */
  uint64_t       *hits;        /* per node: counts as they were when it was made, or GILK_CALLS_UNKNOWN */
  uint64_t        hits_max;
  GilkPlotStyle   style;       /* fonts and size it was measured with */
  /* private: */
  gatomicrefcount ref_count;
} GilkCallsPicture;

typedef struct {
  int      current, hover;     /* nodes; -1: none */
  gboolean focus;
} GilkCallsLook;

/* @hits: of gilk_call_hits_new(); (nullable). NULL on cancel. */
GilkCallsPicture *gilk_calls_picture_new   (GilkCallAround *around, GilkFunctions *functions, GilkImage *image, GHashTable *hits,
                                            const GilkPlotStyle *style, GCancellable *cancellable, GError **error);
GilkCallsPicture *gilk_calls_picture_ref   (GilkCallsPicture *picture);
void              gilk_calls_picture_unref (GilkCallsPicture *picture);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkCallsPicture, gilk_calls_picture_unref)

/* What is at x,y of the drawing; -1: nothing */
int               gilk_calls_node_at       (const GilkCallsPicture *picture, double x, double y);
void              gilk_calls_paint         (cairo_t *cr, const GilkCallsPicture *picture, const GilkPlotStyle *style,
                                            const GilkCallsLook *look);

/* Whole, with a margin; a GilkPaintFunc over a GilkCallsSheet. */
typedef struct {
  const GilkCallsPicture *picture;
  const GilkPlotStyle    *style;
} GilkCallsSheet;

void              gilk_calls_paint_sheet   (cairo_t *cr, double width, double height, gpointer sheet);

G_END_DECLS

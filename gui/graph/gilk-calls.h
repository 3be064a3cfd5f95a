/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-calls.h - call graph of the connected kernel: its data, its drawing, and the views of it
 */
#pragma once

#include <gtk/gtk.h>

#include "core/cfg/gilk-call-graph.h"
#include "core/plot/gilk-calls-picture.h"
#include "gui/plan/gilk-plan-model.h"

/*
 * Data of the call graph.
 *
 * Kernel code is searched for calls once, in a worker thread, at the first request. Indirect calls
 * and counts come from the open session. Signal "changed": more data is available.
 */

#define GILK_TYPE_CALLS_SOURCE (gilk_calls_source_get_type ())
G_DECLARE_FINAL_TYPE (GilkCallsSource, gilk_calls_source, GILK, CALLS_SOURCE, GObject)

GilkCallsSource *gilk_calls_source_new         (void);
/* Sets the kernel and discards all data of the previous one. NULL: no kernel. */
void             gilk_calls_source_set_kernel  (GilkCallsSource *self, GilkFunctions *functions, GilkImage *image);
/* Reads the last run of the session at @path, unless already read. NULL: no session. */
void             gilk_calls_source_set_session (GilkCallsSource *self, const char *path);

GilkFunctions *gilk_calls_source_functions      (GilkCallsSource *self);
GilkImage     *gilk_calls_source_image          (GilkCallsSource *self);
/* Returns the call graph; NULL until it is built. The first call starts building it. */
GilkCallGraph *gilk_calls_source_graph          (GilkCallsSource *self);
/* Returns the indirect calls that were recorded; immutable; NULL: none known. (element-type
   GilkIndirectCall) */
GArray        *gilk_calls_source_indirect_calls (GilkCallsSource *self);
/* Returns the number of hits of each function, as a table made by gilk_call_hits_new(); immutable;
 * NULL: no hits are known. */
GHashTable    *gilk_calls_source_hits           (GilkCallsSource *self);

/*
 * Drawing of a call graph: pan, zoom and selection of a function.
 *
 * The functions are accessible children. Signal "activated" (int node): the user wants to open the
 * function of the node or, if the node stands for further callers or callees, to see these.
 */

#define GILK_TYPE_CALLS_CANVAS (gilk_calls_canvas_get_type ())
G_DECLARE_FINAL_TYPE (GilkCallsCanvas, gilk_calls_canvas, GILK, CALLS_CANVAS, GtkDrawingArea)

GtkWidget        *gilk_calls_canvas_new         (void);
/* Shows @picture (nullable). @keep: the picture is around the same function as the previous one, so
 * the current node keeps its position on screen */
void              gilk_calls_canvas_set_picture (GilkCallsCanvas *self, GilkCallsPicture *picture, gboolean keep);
GilkCallsPicture *gilk_calls_canvas_picture     (GilkCallsCanvas *self);
/* Zooms by @factor around the centre. Two constants can be given as @factor: GILK_CALLS_ZOOM_ONE
 * sets scale 1, GILK_CALLS_ZOOM_FIT the scale at which the whole graph fits. */
#define GILK_CALLS_ZOOM_ONE -1
#define GILK_CALLS_ZOOM_FIT 0
void  gilk_calls_canvas_zoom     (GilkCallsCanvas *self, double factor);

/*
 * Call graph around the function in view, with the number of levels to show.
 *
 * The layout is computed in a worker thread. Signals: "open" (pointer: const GilkFunction *),
 * "close" (return to the function's own graph).
 */

#define GILK_TYPE_CALLS_VIEW (gilk_calls_view_get_type ())
G_DECLARE_FINAL_TYPE (GilkCallsView, gilk_calls_view, GILK, CALLS_VIEW, GtkBox)

/* Creates the view. @plan: its hit counts colour the functions; functions without a hook get counts
   from the session. @settings: stores the numbers of levels. */
GtkWidget       *gilk_calls_view_new          (GilkCallsSource *source, GilkPlanModel *plan, GSettings *settings);
/* Shows the call graph around @function (nullable), one of the functions given to
 * gilk_calls_source_set_kernel(). Draws nothing until the widget is mapped. */
void             gilk_calls_view_set_function (GilkCallsView *self, const GilkFunction *function);
void             gilk_calls_view_focus        (GilkCallsView *self);
GilkCallsCanvas *gilk_calls_view_canvas       (GilkCallsView *self);

/*
 * Callers and callees of the function in view.
 *
 * Signal "open" (pointer: const GilkFunction *; uint64: address of the call in this function, 0:
 * the function's entry).
 */

#define GILK_TYPE_CALLS_POPOVER (gilk_calls_popover_get_type ())
G_DECLARE_FINAL_TYPE (GilkCallsPopover, gilk_calls_popover, GILK, CALLS_POPOVER, GtkPopover)

GilkCallsPopover *gilk_calls_popover_new  (GtkWidget *relative_to, GilkCallsSource *source);
/* Lists callers and callees of @function, one of the functions of
 * gilk_calls_source_set_kernel(). */
void              gilk_calls_popover_show (GilkCallsPopover *self, const GilkFunction *function);

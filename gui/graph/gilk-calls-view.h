/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-calls-view.h - call graph around the function in view, with the number of levels to show
 *
 * The layout is computed in a worker thread. Signals: "open" (pointer: const GilkFunction *),
 * "close" (return to the function's own graph).
 */
#pragma once

#include <gtk/gtk.h>

#include "gui/graph/gilk-calls-canvas.h"
#include "gui/graph/gilk-calls-source.h"
#include "gui/plan/gilk-plan-model.h"

G_BEGIN_DECLS

#define GILK_TYPE_CALLS_VIEW (gilk_calls_view_get_type ())
G_DECLARE_FINAL_TYPE (GilkCallsView, gilk_calls_view, GILK, CALLS_VIEW, GtkBox)

/* @plan: source of the hit counts for the colours; functions without a hook get counts from the
   session. @settings: stores the levels. */
GtkWidget       *gilk_calls_view_new          (GilkCallsSource *source, GilkPlanModel *plan, GSettings *settings);
/* @function: (nullable): one of the functions given to gilk_calls_source_set_kernel(). Draws
 * nothing until the widget is mapped. */
void             gilk_calls_view_set_function (GilkCallsView *self, const GilkFunction *function);
void             gilk_calls_view_focus        (GilkCallsView *self);
GilkCallsCanvas *gilk_calls_view_canvas       (GilkCallsView *self);

G_END_DECLS

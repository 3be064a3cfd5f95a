/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-calls-view.h - the call graph around the function in view: how many levels of it, and its picture
 *
 * Made off the main thread. Signals: "open" (pointer: const GilkFunction *), "close" (the function's own graph is wanted).
 */
#pragma once

#include <gtk/gtk.h>

#include "gui/gilk-calls-canvas.h"
#include "gui/gilk-calls-source.h"
#include "gui/gilk-plan-model.h"

G_BEGIN_DECLS

#define GILK_TYPE_CALLS_VIEW (gilk_calls_view_get_type ())
G_DECLARE_FINAL_TYPE (GilkCallsView, gilk_calls_view, GILK, CALLS_VIEW, GtkBox)

/* @plan: whose counts colour it, before those of a session; @settings: keep how many levels */
GtkWidget       *gilk_calls_view_new    (GilkCallsSource *source, GilkPlanModel *plan, GSettings *settings);
/* Does nothing until it is shown. @function: of the source's functions, or NULL */
void             gilk_calls_view_set    (GilkCallsView *self, const GilkFunction *function);
void             gilk_calls_view_focus  (GilkCallsView *self);
GilkCallsCanvas *gilk_calls_view_canvas (GilkCallsView *self);

G_END_DECLS

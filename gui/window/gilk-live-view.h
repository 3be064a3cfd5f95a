/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-live-view.h - live view of a running recording: rates of hooks and CPUs, rings, sample
 * values
 */
#pragma once

#include <gtk/gtk.h>

#include "gui/run/gilk-recorder.h"

G_BEGIN_DECLS

#define GILK_TYPE_LIVE_VIEW (gilk_live_view_get_type ())
G_DECLARE_FINAL_TYPE (GilkLiveView, gilk_live_view, GILK, LIVE_VIEW, GtkBox)

/* Follows @recorder. The view is the page "live" of @pages. It is shown from the start of a run to
   its end; then the page "recorded" replaces it. @switcher is visible during the run. Adds the
   action "live", which shows the view, to @actions. @actions must contain the action "mode". */
void gilk_live_view_follow (GilkLiveView *self, GilkRecorder *recorder, GtkStack *pages, GtkWidget *switcher,
                            GActionMap *actions);
/* Returns the first plot. (transfer none) */
GtkWidget *gilk_live_view_plot (GilkLiveView *self);

G_END_DECLS

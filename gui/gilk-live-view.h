/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-live-view.h - a run while it goes on: rates of its hooks and processors, rings, what samples measure
 */
#pragma once

#include <gtk/gtk.h>

#include "gui/gilk-recorder.h"

G_BEGIN_DECLS

#define GILK_TYPE_LIVE_VIEW (gilk_live_view_get_type ())
G_DECLARE_FINAL_TYPE (GilkLiveView, gilk_live_view, GILK, LIVE_VIEW, GtkBox)

/* It is the page "live" of @pages, in view from when a run of @recorder begins until it is over, when "recorded" is; @switcher
 * is there meanwhile. @actions, of which one is "mode", get "live", which shows it. */
void gilk_live_view_follow (GilkLiveView *self, GilkRecorder *recorder, GtkStack *pages, GtkWidget *switcher,
                            GActionMap *actions);
/* The first of its plots. (transfer none) */
GtkWidget *gilk_live_view_plot (GilkLiveView *self);

G_END_DECLS

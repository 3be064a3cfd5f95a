/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-status-bar.h - bars around the content: the work in progress above it, driver and figures
 * of the run below it
 */
#pragma once

#include <gtk/gtk.h>

#include "gui/run/gilk-recorder.h"
#include "gui/run/gilk-target-poll.h"

#define GILK_TYPE_STATUS_BAR (gilk_status_bar_get_type ())
G_DECLARE_FINAL_TYPE (GilkStatusBar, gilk_status_bar, GILK, STATUS_BAR, GtkBox)

/* Makes the bar show the state of the connection, the run and other clients' hooks. @window: its
 * width decides what is shown; it must have been given to gilk_panes_attach() */
void gilk_status_bar_follow       (GilkStatusBar *self, GtkWindow *window, GilkConnection *connection,
                                   GilkRecorder *recorder, GilkTargetPoll *poll);
/* Sets the reason why no run can start. The status bar shows the reason only if the window is
 * narrower than GILK_PANES_REASON_WIDTH. @why: (nullable) */
void gilk_status_bar_set_obstacle (GilkStatusBar *self, const char *why);
/* Sets the number of the current run, counted from 1, and the number @n of consecutive runs. */
void gilk_status_bar_set_run      (GilkStatusBar *self, guint number, guint n);

/* ---- bar above the content: the work in progress, and a button to cancel it ---- */

#define GILK_TYPE_PROGRESS_BOX (gilk_progress_box_get_type ())
G_DECLARE_FINAL_TYPE (GilkProgressBox, gilk_progress_box, GILK, PROGRESS_BOX, GtkBox)

/* Shows the progress of connecting, and of preparing or changing a run. */
void gilk_progress_box_follow      (GilkProgressBox *self, GilkConnection *connection, GilkRecorder *recorder);
/* Sets whether a graph is being loaded. The box shows this unless other work is in progress. */
void gilk_progress_box_set_loading (GilkProgressBox *self, gboolean loading);

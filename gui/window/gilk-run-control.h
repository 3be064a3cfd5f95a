/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-run-control.h - runs of the plan: starting, stopping, the live view, and the report of
 * their end
 *
 * Several runs may follow each other, all in one session. If the plan is edited during a run, the
 * window offers to apply the edits. If the driver refuses hooks when a run starts, these hooks are
 * shown in the same way as hooks that cannot be bound, until the plan is edited or another run
 * starts. A message with the owner "refused" reports them.
 *
 * Signals: "changed": whether an edited plan can be applied to the run may have changed;
 * "finished": the last run ended, see gilk_run_control_report().
 */
#pragma once

#include <gtk/gtk.h>

#include "gui/base/gilk-banner.h"
#include "gui/plan/gilk-plan-panel.h"
#include "gui/run/gilk-recorder.h"
#include "gui/window/gilk-status-bar.h"

#define GILK_TYPE_RUN_CONTROL (gilk_run_control_get_type ())
G_DECLARE_FINAL_TYPE (GilkRunControl, gilk_run_control, GILK, RUN_CONTROL, GObject)

/* Adds the action "drop-refused" to @window. @panel, @page: widgets from which the settings of a
 * run are taken. @status: shows the number of the run. @settings: contains the folder of
 * sessions */
GilkRunControl *gilk_run_control_new       (GtkApplicationWindow *window, GilkPlanModel *model, GilkConnection *connection,
                                            GilkRecorder *recorder, GSettings *settings, GilkPlanPanel *panel,
                                            GilkSchedulePage *page, GilkStatusBar *status, GilkBanner *banner);
/* Returns why no run can start at the moment; NULL: a run can start. (transfer full) */
char           *gilk_run_control_obstacle  (GilkRunControl *self);
/* Starts the runs, or stops the current run. */
void            gilk_run_control_toggle    (GilkRunControl *self);
/* Stops the run, and starts no other. */
void            gilk_run_control_stop      (GilkRunControl *self);
/* Returns whether the plan was edited during the run, and can be applied to the run. */
gboolean        gilk_run_control_may_apply (GilkRunControl *self);
void            gilk_run_control_apply     (GilkRunControl *self);
/* Reports the end of the last run. @seen: the results are shown already, so do not offer them */
void            gilk_run_control_report    (GilkRunControl *self, gboolean seen);
/* Returns a sentence about the data that the last run stored before it was cut off; NULL: the run
 * was not cut off. */
const char     *gilk_run_control_kept      (GilkRunControl *self);
void            gilk_run_control_forget_kept (GilkRunControl *self);

/* ---- live view of a running recording: rates of hooks and CPUs, rings, sample values ---- */

#define GILK_TYPE_LIVE_VIEW (gilk_live_view_get_type ())
G_DECLARE_FINAL_TYPE (GilkLiveView, gilk_live_view, GILK, LIVE_VIEW, GtkBox)

/* Follows @recorder. The view is the page "live" of @pages. It is shown from the start of a run to
   its end; then the page "recorded" replaces it. @switcher is visible during the run. Adds the
   action "live", which shows the view, to @actions. @actions must contain the action "mode". */
void gilk_live_view_follow (GilkLiveView *self, GilkRecorder *recorder, GtkStack *pages, GtkWidget *switcher,
                            GActionMap *actions);
/* Returns the first plot. (transfer none) */
GtkWidget *gilk_live_view_plot (GilkLiveView *self);

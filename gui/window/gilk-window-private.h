/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-window-private.h - definitions shared by the window's source files
 *
 * Each file uses only files listed after it. gilk-window.c constructs the window; -actions.c has
 * its actions; -welcome.c helps new users; -parts.c and -target.c connect the parts that show a
 * function, the plan and its runs, and the target; -close.c takes the window apart; -state.c
 * enables the actions that are possible.
 */
#pragma once

#include "gui/functions/gilk-function-list.h"
#include "gui/plan/gilk-plan-binder.h"
#include "gui/plan/gilk-plan-file.h"
#include "gui/window/gilk-function-view.h"
#include "gui/window/gilk-header-buttons.h"
#include "gui/window/gilk-module-notices.h"
#include "gui/window/gilk-palette.h"
#include "gui/window/gilk-run-control.h"
#include "gui/window/gilk-status-bar.h"
#include "gui/window/gilk-window.h"

struct _GilkWindow {
  GtkApplicationWindow parent_instance;

  GSettings          *settings;
  GilkConnection     *connection;
  GilkPlanModel      *model;
  GilkRecorder       *recorder;
  GilkPlanFile       *plan_file;
  GilkPlanBinder     *binder;
  GilkGraphPlanner   *planner;
  GilkNavigator      *navigator;
  GilkModuleNotices  *module_notices;
  GilkRunControl     *run;
  GilkCostLoader     *measures;
  GilkBanner         *banner;
  GilkTargetPoll     *target_poll;

  GilkConnectionState last_state;         /* state of the connection that was last handled */
  char               *console_tail;       /* last console output of a target whose connection was
                                           * lost; NULL: unknown */
  guint               n_parts;            /* parts constructed so far (gilk_window_make_part()) */
  gboolean            tearing_down;       /* the window is hidden and being taken apart */
  gboolean            closing;            /* the window will close once the run has ended */

  GilkPalette        *palette;
  GtkWidget          *tour;               /* GilkTour; NULL: not running */

  /* Objects that the .ui template creates */
  GilkTargetButton   *target_button;
  GtkEntry           *search;
  GtkMenuButton      *menu_button;
  GilkDisarmButton   *disarm_button;
  GilkRunButton      *run_button;
  GtkLabel           *run_why;            /* why Run is disabled; hidden in narrow windows */
  GilkProgressBox    *progress;
  GilkStatusBar      *status_bar;
  GtkStack           *mode_stack;
  GtkPaned           *functions_paned;
  GilkFunctionList   *function_list;
  GilkFunctionView   *function_view;
  GilkInspector      *inspector;
  GilkPlanPanel      *plan_panel;
  GilkSchedulePage   *schedule_page;
  GilkResultsView    *results;
  GilkLiveView       *live;
  GtkStack           *results_stack;
  GtkWidget          *live_switcher;
};

/* gilk-window-close.c */
/* Releases everything except the widgets; can be called more than once. */
void     gilk_window_release      (GilkWindow *self);
/* Hides the window and takes its widgets apart in steps. */
void     gilk_window_tear_down    (GilkWindow *self);
gboolean gilk_window_delete_event (GtkWidget *widget, GdkEventAny *event);

/* gilk-window-target.c */
void gilk_window_target_init    (GilkWindow *self);
void gilk_window_reconnect      (GilkWindow *self);
/* Changes the way to hook the target's kernel (driver or BPF), and stores the choice for this
 * target. If the kernel cannot be hooked in this way, shows why. */
void gilk_window_choose_way     (GilkWindow *self, enum gilk_way way);
void gilk_window_stop_lab       (GilkWindow *self, const char *name);
void gilk_window_show_lost       (GilkWindow *self);
void gilk_window_show_console_tail (GilkWindow *self);

/* gilk-window-welcome.c: the example, the tour, recent files, the last target */
void gilk_window_welcome_init     (GilkWindow *self);
void gilk_window_resume           (GilkWindow *self);

/* gilk-window-parts.c */
void gilk_window_function_init   (GilkWindow *self);
void gilk_window_plan_init       (GilkWindow *self);
/* Opens the dialog for the watchpoint at @index of the plan; -1: a new one. */
void gilk_window_edit_watchpoint (GilkWindow *self, int index);
void gilk_window_run_init        (GilkWindow *self);

/* gilk-window-actions.c */
void gilk_window_actions_init    (GilkWindow *self);

/* gilk-window-state.c */
gboolean gilk_window_is_results_mode (GilkWindow *self);
void gilk_window_update_run      (GilkWindow *self);
void gilk_window_update_actions  (GilkWindow *self);
/* Returns the graph of the results while results are shown, otherwise the function's graph. */
GilkGraphView *gilk_window_graph_in_view (GilkWindow *self);

/* Callbacks of the window's template that are defined in other files. */
void     gilk_window_function_activated (GilkWindow *self, gpointer function, uint64_t addr);
void     gilk_window_search_changed   (GilkWindow *self);
void     gilk_window_search_activated (GilkWindow *self);
void     gilk_window_search_stopped   (GilkWindow *self);
gboolean gilk_window_search_key       (GilkWindow *self, GdkEventKey *event);

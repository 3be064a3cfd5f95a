/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-window-private.h - definitions shared by the window's source files
 *
 * gilk-window.c constructs it, -target.c handles connecting and disconnecting, -function.c search
 * and graphs, -plan.c editing, checking and marking the plan, -canvas.c plans several blocks at
 * once, -run.c recording, -actions.c the actions.
 */
#pragma once

#include "gui/base/gilk-banner.h"
#include "gui/graph/gilk-calls-popover.h"
#include "gui/graph/gilk-calls-view.h"
#include "gui/run/gilk-connection.h"
#include "gui/functions/gilk-function-list.h"
#include "gui/graph/gilk-graph-view.h"
#include "gui/run/gilk-target-poll.h"
#include "gui/inspector/gilk-inspector.h"
#include "gui/plan/gilk-cost-loader.h"
#include "gui/plan/gilk-plan-binder.h"
#include "gui/plan/gilk-plan-file.h"
#include "gui/window/gilk-graph-planner.h"
#include "gui/window/gilk-live-view.h"
#include "gui/window/gilk-palette.h"
#include "gui/window/gilk-progress-box.h"
#include "gui/window/gilk-status-bar.h"
#include "gui/window/gilk-target-button.h"
#include "gui/plan/gilk-plan-panel.h"
#include "gui/plan/gilk-plan-model.h"
#include "gui/plan/gilk-schedule-page.h"
#include "gui/run/gilk-recorder.h"
#include "gui/results/gilk-results-view.h"
#include "gui/window/gilk-window.h"

G_BEGIN_DECLS

struct _GilkWindow {
  GtkApplicationWindow parent_instance;

  GSettings      *settings;
  GilkConnection *connection;
  GilkPlanModel  *model;
  GilkRecorder   *recorder;
  GilkPlanFile   *plan_file;
  GilkPlanBinder *binder;
  GilkGraphPlanner *planner;
  GilkCostLoader   *measures;
  GilkBanner     *banner;
  GilkTargetPoll *target_poll;

  GilkFunctions  *functions;             /* the table that the pointers below refer to */
  GilkFunctions  *graph_functions;       /* the table that the shown graph refers to */
  GilkConnectionState last_state;        /* last handled state of the connection */
  char           *kept_text;             /* sentence on what a cut-off run has stored */
  gboolean        modules_reported;      /* the last message on modules mentioned planned hooks */
  char           *vanished_function;     /* name of the shown function if it no longer exists; NULL */
  char           *console_tail;          /* of a lost machine's console; NULL: unknown */
  const GilkFunction *function;          /* shown or being loaded; owned by the connection */
  GCancellable   *loading;               /* of a graph */
  char           *requested_function;    /* function to show once connected */
  char           *wanted_place;          /* block and edge to select after loading */
  uint64_t        wanted_addr;           /* address to select after loading; 0: none */
  char           *wanted_hook;           /* label to select after loading */
  GPtrArray      *history;               /* const GilkFunction */
  guint           history_at;            /* index of the current entry plus one */
  gboolean        returning;             /* going back in history: select the previous block */
  gboolean        plan_differs;          /* edited since the run took it */
  gconstpointer   focus_at_load;         /* the focused widget then; only compared */
  GtkWidget      *search_in, *listing;   /* GilkGraphSearch, GilkListingView */
  guint           runs_of, runs_begun;   /* number of runs requested, and started so far */
  char           *runs_path;             /* session of all these runs */
  guint           n_parts;               /* parts constructed so far (gilk_window_make_part()) */
  gboolean        tearing_down;          /* hidden, and being taken apart */
  gboolean        closing;               /* close once the run has ended */

  GilkPalette    *palette;
  GMenu          *recent_menu;           /* (unowned): submenu of the main menu */
  GtkWidget      *tour;                  /* GilkTour; NULL: not running */

  /* Template objects */
  GilkTargetButton *target_button;
  GtkButton      *resume_button, *lab_button;
  GtkEntry       *search;
  GtkMenuButton  *menu_button;
  GtkWidget      *disarm_button, *disarm_image, *disarm_label;
  GtkButton      *run_button;
  GtkImage       *run_image;
  GtkLabel       *run_label, *run_why;  /* why Run is disabled; in the status bar if narrow */
  GilkProgressBox *progress;
  GilkStatusBar  *status_bar;
  GtkStack       *mode_stack;
  GtkPaned       *functions_paned;
  GilkFunctionList *function_list;
  GtkWidget      *canvas_bar;
  GilkCallsPopover *calls;
  GilkCallsSource *calls_source;
  GtkWidget      *calls_view;            /* GilkCallsView */
  GtkLabel       *function_label, *function_facts;
  GtkStack       *canvas_stack;
  GilkGraphView  *graph_view;
  GilkInspector  *inspector;
  GilkPlanPanel  *plan_panel;
  GilkSchedulePage *schedule_page;
  GilkResultsView *results;
  GilkLiveView   *live;
  GtkStack       *results_stack;
  GtkWidget      *live_switcher;
};

/* gilk-window.c */
/* Releases everything but the widgets; may be called again. */
void gilk_window_release         (GilkWindow *self);

/* gilk-window-close.c */
/* Hides the window and takes its widgets apart in steps. */
void     gilk_window_tear_down    (GilkWindow *self);
gboolean gilk_window_delete_event (GtkWidget *widget, GdkEventAny *event);

/* gilk-window-target.c */
void gilk_window_target_init    (GilkWindow *self);
void gilk_window_reconnect      (GilkWindow *self);
void gilk_window_stop_lab       (GilkWindow *self, const char *name);
void gilk_window_show_lost       (GilkWindow *self);
void gilk_window_show_console_tail (GilkWindow *self);

/* gilk-window-modules.c */
void gilk_window_modules_init        (GilkWindow *self);
void gilk_window_show_module_changes (GilkWindow *self);
void gilk_window_show_vanished       (GilkWindow *self, const char *name);
void gilk_window_clear_vanished      (GilkWindow *self);

/* gilk-window-refused.c */
void     gilk_window_refused_init (GilkWindow *self);
/* Shows which hooks the driver refused. Returns FALSE if it refused none; show @error
 * like any other then. */
gboolean gilk_window_show_refused (GilkWindow *self, const GError *error);

/* gilk-window-start.c */
void gilk_window_resume           (GilkWindow *self);
void gilk_window_save_location    (GilkWindow *self);
void gilk_window_restore_location (GilkWindow *self);

/* gilk-window-welcome.c: the example, the tour, recent files */
void gilk_window_welcome_init     (GilkWindow *self);

/* gilk-window-fleet.c: the plan on several targets at once */
void gilk_window_fleet_init     (GilkWindow *self);

/* gilk-window-disarm.c */
void gilk_window_disarm_all     (GilkWindow *self);

/* gilk-window-function.c */
void gilk_window_load_function  (GilkWindow *self, const GilkFunction *function, gboolean remember);
void gilk_window_reload_function (GilkWindow *self, const GilkFunction *function);
void gilk_window_show_facts     (GilkWindow *self);
/* Shows the graph, or what to do to get one. */
void gilk_window_show_page      (GilkWindow *self);
/* Must be called when the connection has other functions, or none: looks up the
 * current ones in them. */
void gilk_window_set_functions (GilkWindow *self);

/* gilk-window-plan.c */
void gilk_window_plan_init       (GilkWindow *self);
/* Opens the dialog for the watchpoint at @index of the plan; -1: a new one. */
void gilk_window_edit_watchpoint (GilkWindow *self, int index);

/* gilk-window-canvas.c */
void gilk_window_canvas_init    (GilkWindow *self);
void gilk_window_calls_init     (GilkWindow *self);
/* Returns whether the call graph is enabled; updates it to the shown function. */
gboolean gilk_window_calls_enabled (GilkWindow *self);
void gilk_window_calls_update   (GilkWindow *self);
/* Return FALSE if the call graph is not visible. */
gboolean gilk_window_calls_zoom   (GilkWindow *self, double factor);
gboolean gilk_window_calls_export (GilkWindow *self, const char *format);
/* Returns the page of the canvas: calls, listing or graph. */
const char *gilk_window_canvas_page (GilkWindow *self);
void gilk_window_canvas_focus   (GilkWindow *self);

/* gilk-window-run.c */
void     gilk_window_run_init       (GilkWindow *self);
void     gilk_window_update_run     (GilkWindow *self);
void     gilk_window_toggle_run     (GilkWindow *self);
/* Must be called after each edit of the plan. */
void     gilk_window_offer_plan     (GilkWindow *self);
void     gilk_window_apply_plan     (GilkWindow *self);
gboolean gilk_window_may_apply      (GilkWindow *self);

/* gilk-window-actions.c */
void gilk_window_actions_init   (GilkWindow *self);
void gilk_window_update_actions (GilkWindow *self);
/* Returns the results' graph while results are shown. */
GilkGraphView *gilk_window_graph_in_view (GilkWindow *self);

/* Template callbacks of the other files. */
void     gilk_window_function_activated (GilkWindow *self, gpointer function, uint64_t addr);
void     gilk_window_point_selected   (GilkWindow *self, int point);
void     gilk_window_point_opened     (GilkWindow *self);
void     gilk_window_search_changed   (GilkWindow *self);
void     gilk_window_search_activated (GilkWindow *self);
void     gilk_window_search_stopped   (GilkWindow *self);
gboolean gilk_window_search_key       (GilkWindow *self, GdkEventKey *event);

G_END_DECLS

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-navigator.h - manages the function that is shown as a graph: loading, history, and looking
 * it up in another kernel
 *
 * Signals: "opened" (pointer: const GilkFunction *, gboolean asked): a function is being loaded;
 * @asked is TRUE if the user asked for the function, FALSE if it is loaded again because the kernel
 * changed; "changed": the history, or whether a function is being loaded, has changed; "loaded"
 * (gboolean focus): the view has the graph; @focus is TRUE if the view should take the focus,
 * because the user has neither moved the focus nor pressed a button during loading;
 * "source-read": the shown graph has its source lines.
 */
#pragma once

#include "gui/base/gilk-banner.h"
#include "gui/run/gilk-connection.h"
#include "gui/window/gilk-graph-planner.h"

#define GILK_TYPE_NAVIGATOR (gilk_navigator_get_type ())
G_DECLARE_FINAL_TYPE (GilkNavigator, gilk_navigator, GILK, NAVIGATOR, GObject)

/* Creates a navigator for @view. @planner: selects a planned hook in the graph. @settings: stores
 * the last "target", "function" and "place". @banner: shows errors, and with the owner "vanished" a
 * message that the shown function no longer exists */
GilkNavigator *gilk_navigator_new (GilkGraphView *view, GilkGraphPlanner *planner, GilkPlanModel *model,
                                   GilkConnection *connection, GSettings *settings, GilkBanner *banner);

/* Returns the function that is shown or being loaded; NULL: none. */
const GilkFunction *gilk_navigator_function  (GilkNavigator *self);
/* Returns the function table that contains the shown function; NULL: none. */
GilkFunctions      *gilk_navigator_functions (GilkNavigator *self);
/* Returns the graph that is shown; NULL: none. (transfer none) */
GilkGraphData      *gilk_navigator_graph     (GilkNavigator *self);

/* Opens @function. @addr: address in the function to select; 0: none */
void     gilk_navigator_open        (GilkNavigator *self, const GilkFunction *function, uint64_t addr);
/* Opens the function now if a target is connected, otherwise once a target is connected. */
void     gilk_navigator_open_name   (GilkNavigator *self, const char *name);
/* Opens the function of a planned hook, and selects the hook. */
void     gilk_navigator_open_hook   (GilkNavigator *self, const GilkPlanHook *hook);
/* Loads the function again and selects the same block, without taking the focus. */
void     gilk_navigator_reload      (GilkNavigator *self);
/* Moves in the history: @step -1: back; 1: forward. */
void     gilk_navigator_step        (GilkNavigator *self, int step);
gboolean gilk_navigator_can_step    (GilkNavigator *self, int step);
gboolean gilk_navigator_is_loading  (GilkNavigator *self);
void     gilk_navigator_cancel      (GilkNavigator *self);

/* Saves the selected point in the settings. */
void     gilk_navigator_save_location    (GilkNavigator *self);
/* Opens the saved function once its target is connected, and selects the saved point. */
void     gilk_navigator_restore_location (GilkNavigator *self);

/* Must be called when the functions of the connection have changed. Looks up the shown function and
 * the history in the new functions, or clears both. */
void     gilk_navigator_update_functions (GilkNavigator *self);
/* Opens the function that was requested before the target was connected. Must be called after
 * gilk_navigator_update_functions(), once the lists have the functions too. */
void     gilk_navigator_open_requested   (GilkNavigator *self);

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-fleet-window.h - fleet window: one plan recorded on several targets at once
 *
 * Targets are added to a list, which shows progress, refusals and losses of each. When all have
 * ended, the hits of their hooks are shown side by side, and each target's session can be opened.
 * Closing the window stops the runs; the program exits only after they have ended.
 */
#pragma once

#include <gtk/gtk.h>

#include "core/link/gilk-target.h"
#include "core/plan/gilk-plan.h"

/* Shows the fleet window. @parent: its action open-path opens sessions; @plan: copied; @target:
   (nullable): first target of the list; @length: length of the run as typed by the user */
void gilk_fleet_window_show (GtkWindow *parent, GSettings *settings, const GilkPlan *plan, const char *target, const char *length);

/*
 * Quick list of targets: running labs, and machines connected before
 *
 * Running labs are looked up each time the list is shown. An empty list takes up no space.
 */

#define GILK_TYPE_TARGET_LIST (gilk_target_list_get_type ())
G_DECLARE_FINAL_TYPE (GilkTargetList, gilk_target_list, GILK, TARGET_LIST, GtkBox)

/* Saves a connected machine in the settings, so that the next start lists it, too. Labs are not
 * saved: they are listed while they run. */
void gilk_target_list_remember (GSettings *settings, const char *spec);
/* Returns the way to hook the target's kernel that the user chose; GILK_WAY_ILK if none. */
enum gilk_way gilk_target_list_way      (GSettings *settings, const char *spec);
void          gilk_target_list_remember_way (GSettings *settings, const char *spec, enum gilk_way way);

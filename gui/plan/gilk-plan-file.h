/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-plan-file.h - the plan's file: open, save, revert
 *
 * A plan without a file is saved automatically as well (gui/plan/gilk-plan-model.h). The user is
 * asked before a changed plan is replaced. Signal "opened": another plan was opened.
 */
#pragma once

#include <gtk/gtk.h>

#include "gui/base/gilk-banner.h"
#include "gui/plan/gilk-plan-model.h"
#include "gui/plan/gilk-time-entries.h"
#include "gui/run/gilk-connection.h"

#define GILK_TYPE_PLAN_FILE (gilk_plan_file_get_type ())
G_DECLARE_FINAL_TYPE (GilkPlanFile, gilk_plan_file, GILK, PLAN_FILE, GObject)

/* Adds "save-plan", "save-plan-as", "revert-plan" and "new-plan" to the actions of @window, and
 * writes the last change when the returned object is disposed. @length: entry for the length of
 * runs, which the shell command shown after saving contains */
GilkPlanFile *gilk_plan_file_new  (GtkApplicationWindow *window, GilkPlanAutosave *autosave, GilkPlanModel *model,
                                   GilkConnection *connection, GSettings *settings, GilkBanner *banner, GtkEntry *length);
/* Opens the plan at @path, but asks first if the current plan has changes. */
void          gilk_plan_file_open (GilkPlanFile *self, const char *path);

/*
 * Button with the name of the plan's file and a menu to save or revert it.
 *
 * It is hidden unless the plan was opened from a file or saved to one. A dot after the name marks
 * unsaved changes.
 */

#define GILK_TYPE_PLAN_FILE_BUTTON (gilk_plan_file_button_get_type ())
G_DECLARE_FINAL_TYPE (GilkPlanFileButton, gilk_plan_file_button, GILK, PLAN_FILE_BUTTON, GtkMenuButton)

void gilk_plan_file_button_follow (GilkPlanFileButton *self, GilkPlanAutosave *autosave);

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-plan-file-button.h - button with the name of the plan's file and a menu to save or revert it
 *
 * It is hidden unless the plan has a named file. A dot after the name marks unsaved changes.
 */
#pragma once

#include <gtk/gtk.h>

#include "gui/plan/gilk-plan-model.h"

G_BEGIN_DECLS

#define GILK_TYPE_PLAN_FILE_BUTTON (gilk_plan_file_button_get_type ())
G_DECLARE_FINAL_TYPE (GilkPlanFileButton, gilk_plan_file_button, GILK, PLAN_FILE_BUTTON, GtkMenuButton)

void gilk_plan_file_button_follow (GilkPlanFileButton *self, GilkPlanAutosave *autosave);

G_END_DECLS

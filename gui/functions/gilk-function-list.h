/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-function-list.h - list of the kernel's functions, filtered by typed text
 *
 * The text may also be a location (gilk-locate.h). Signal "activated" (pointer: GilkFunction, owned
 * by the function table; uint64: address in the function, 0: none): the user opened a function.
 */
#pragma once

#include <gtk/gtk.h>

#include "gui/run/gilk-connection.h"
#include "gui/plan/gilk-plan-model.h"

#define GILK_TYPE_FUNCTION_LIST (gilk_function_list_get_type ())
G_DECLARE_FINAL_TYPE (GilkFunctionList, gilk_function_list, GILK, FUNCTION_LIST, GtkBox)

/* Sets the plan and the settings; must be called once. @plan: its hooks determine which functions
 * are marked as hooked or hot; @settings: stores the recently opened functions */
void gilk_function_list_set_plan      (GilkFunctionList *self, GilkPlanModel *plan, GSettings *settings);
/* Lists @functions of the kernel @image; @functions is NULL if no kernel is connected. */
void gilk_function_list_set_functions (GilkFunctionList *self, GilkImage *image, GilkFunctions *functions);
/* Computes again how much of each function is hookable. Must be called when the way to hook the
 * kernel (driver or BPF) has changed. */
void gilk_function_list_forget_shares (GilkFunctionList *self);
void gilk_function_list_set_pattern   (GilkFunctionList *self, const char *pattern);
/* Selects the row of @function; NULL: none. */
void gilk_function_list_set_current   (GilkFunctionList *self, const GilkFunction *function);
/* Opens the first function that matches the typed text. Returns FALSE if none matches. */
gboolean gilk_function_list_activate_first (GilkFunctionList *self);
void gilk_function_list_focus         (GilkFunctionList *self);

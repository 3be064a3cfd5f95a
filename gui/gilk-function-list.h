/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-function-list.h - all functions of the kernel, narrowed by what is typed
 *
 * What is typed may be a place, too (gilk-locate.h). Signal "activated" (pointer: const GilkFunction *, kept by
 * the function table; uint64: the place in it, 0: none).
 */
#pragma once

#include <gtk/gtk.h>

#include "gui/gilk-connection.h"
#include "gui/gilk-plan-model.h"

G_BEGIN_DECLS

#define GILK_TYPE_FUNCTION_LIST (gilk_function_list_get_type ())
G_DECLARE_FINAL_TYPE (GilkFunctionList, gilk_function_list, GILK, FUNCTION_LIST, GtkBox)

/* Once: whose hooks are marked, and where functions that were opened are kept. */
void gilk_function_list_set_plan      (GilkFunctionList *self, GilkPlanModel *plan, GSettings *settings);
/* @functions NULL: nothing is connected. */
void gilk_function_list_set_functions (GilkFunctionList *self, GilkImage *image, GilkFunctions *functions);
void gilk_function_list_set_pattern   (GilkFunctionList *self, const char *pattern);
/* The row to show as current; NULL for none. */
void gilk_function_list_set_current   (GilkFunctionList *self, const GilkFunction *function);
/* Opens the first match; FALSE if there is none. */
gboolean gilk_function_list_activate_first (GilkFunctionList *self);
void gilk_function_list_focus         (GilkFunctionList *self);

G_END_DECLS

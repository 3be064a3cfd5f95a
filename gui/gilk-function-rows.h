/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-function-rows.h - what the list of functions writes into its rows: names, marks, how much of each can be hooked
 *
 * The last is found for rows in view alone, when nothing else is to be done.
 */
#pragma once

#include <gtk/gtk.h>

#include "gui/gilk-function-marks.h"
#include "gui/gilk-function-model.h"

G_BEGIN_DECLS

typedef struct _GilkFunctionRows GilkFunctionRows;

/* @name, @mark: columns of @tree, which outlives this; its model is a GilkFunctionModel, or none */
GilkFunctionRows *gilk_function_rows_new           (GtkTreeView *tree, GtkTreeViewColumn *name, GtkTreeViewColumn *mark);
void              gilk_function_rows_free          (GilkFunctionRows *self);
/* NULL: there are none. Marks are forgotten, too. */
void              gilk_function_rows_set_functions (GilkFunctionRows *self, GilkFunctions *functions, GilkImage *image);
/* Borrowed, until others are given. */
void              gilk_function_rows_set_marks     (GilkFunctionRows *self, const GilkFunctionMarks *marks);
void              gilk_function_rows_set_typed     (GilkFunctionRows *self, const char *typed);

G_END_DECLS

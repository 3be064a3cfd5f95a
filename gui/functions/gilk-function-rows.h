/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-function-rows.h - cell contents of the function list: names, marks, and how much of each
 * function is hookable
 *
 * How much is hookable is computed for visible rows only, when idle.
 */
#pragma once

#include <gtk/gtk.h>

#include "gui/functions/gilk-function-marks.h"
#include "gui/functions/gilk-function-model.h"

G_BEGIN_DECLS

typedef struct _GilkFunctionRows GilkFunctionRows;

/* @name, @mark: columns of @tree. @tree must outlive this object. The model of @tree must be a
   GilkFunctionModel or NULL. */
GilkFunctionRows *gilk_function_rows_new           (GtkTreeView *tree, GtkTreeViewColumn *name, GtkTreeViewColumn *mark);
void              gilk_function_rows_free          (GilkFunctionRows *self);
/* Sets the functions that the rows show, and drops their marks. @functions: (nullable): NULL: no
 * kernel */
void              gilk_function_rows_set_functions (GilkFunctionRows *self, GilkFunctions *functions, GilkImage *image);
/* @marks: borrowed until the next call of this function or of gilk_function_rows_set_functions() */
void              gilk_function_rows_set_marks     (GilkFunctionRows *self, const GilkFunctionMarks *marks);
void              gilk_function_rows_set_typed     (GilkFunctionRows *self, const char *typed);

G_END_DECLS

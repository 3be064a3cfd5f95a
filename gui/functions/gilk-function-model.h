/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-function-model.h - tree model over an array of functions, with rows created on demand
 *
 * Each change of the typed text makes a new model. A tree view needs 2 us per row when it gets a
 * model, so it is given the first rows at once and the others when idle.
 */
#pragma once

#include <gtk/gtk.h>

#include "core/cfg/gilk-finder.h"
#include "gui/base/gilk-rows.h"

#define GILK_TYPE_FUNCTION_MODEL (gilk_function_model_get_type ())
G_DECLARE_FINAL_TYPE (GilkFunctionModel, gilk_function_model, GILK, FUNCTION_MODEL, GilkRowModel)

typedef struct {
  const GilkFunction *function;
  const char         *name;      /* matching name: the function's own or an alias */
  uint64_t            addr;      /* address in the function; 0: the function itself */
} GilkFunctionRow;

/* Creates a model of the search result @found (transfer full) of @finder, whose functions must
 * outlive the model. */
GilkFunctionModel *gilk_function_model_new_found (GilkFinder *finder, GilkFound *found);
/* Creates a model with the given @rows (transfer full) (element-type GilkFunctionRow). */
GilkFunctionModel *gilk_function_model_new_rows  (GArray *rows);
/* Creates a model of the functions of @module in @order (element-type GilkFunction);
   GILK_ANY_MODULE: all functions. */
GilkFunctionModel *gilk_function_model_new_ordered (const GPtrArray *order, guint module);

guint           gilk_function_model_length (GilkFunctionModel *self);
/* Adds some more of the rows to those that the view has been given. Returns FALSE when the view has
 * all rows. */
gboolean        gilk_function_model_grow   (GilkFunctionModel *self);
GilkFunctionRow gilk_function_model_row    (GilkFunctionModel *self, guint index);
GilkFunctionRow gilk_function_model_at     (GilkFunctionModel *self, const GtkTreeIter *iter);
/* Returns the row of @function; -1: not in the model, or not given to the view yet. */
int             gilk_function_model_index  (GilkFunctionModel *self, const GilkFunction *function);

/* Returns a row's text as Pango markup: the function's name, with the characters that match @typed
 * in bold, and on a second line details that distinguish functions of the same name. (transfer
 * full) */
char           *gilk_function_row_markup   (GilkFunctions *functions, GilkImage *image, const GilkFunctionRow *row,
                                            const char *typed);

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-function-model.h - a list of functions as rows for GTK, over an array: no row is made before it is seen
 *
 * What is typed next is another model. A tree view takes 2 us a row when it is given one: it is given the first
 * of them, and the others while nothing else is to be done.
 */
#pragma once

#include <gtk/gtk.h>

#include "core/cfg/gilk-finder.h"
#include "gui/gilk-row-model.h"

G_BEGIN_DECLS

#define GILK_TYPE_FUNCTION_MODEL (gilk_function_model_get_type ())
G_DECLARE_FINAL_TYPE (GilkFunctionModel, gilk_function_model, GILK, FUNCTION_MODEL, GilkRowModel)

typedef struct {
  const GilkFunction *function;
  const char         *name;      /* that was found: the function's, or another of it */
  uint64_t            addr;      /* a place in it; 0: the function */
} GilkFunctionRow;

/* @found: (transfer full): of @finder, whose functions outlive this */
GilkFunctionModel *gilk_function_model_new_found (GilkFinder *finder, GilkFound *found);
/* @rows: (transfer full): of GilkFunctionRow */
GilkFunctionModel *gilk_function_model_new_rows  (GArray *rows);
/* @order: const GilkFunction, of which those of @module are taken, or of GILK_ANY_MODULE */
GilkFunctionModel *gilk_function_model_new_ordered (const GPtrArray *order, guint module);

guint           gilk_function_model_length (GilkFunctionModel *self);
/* Has some more rows be seen. FALSE: all are. */
gboolean        gilk_function_model_grow   (GilkFunctionModel *self);
GilkFunctionRow gilk_function_model_row    (GilkFunctionModel *self, guint index);
GilkFunctionRow gilk_function_model_at     (GilkFunctionModel *self, const GtkTreeIter *iter);
/* -1 if it is not there, or not seen yet. */
int             gilk_function_model_index  (GilkFunctionModel *self, const GilkFunction *function);

/* For Pango: the name, with what fits @typed in bold, and under it what tells it from others. (transfer full) */
char           *gilk_function_row_markup   (GilkFunctions *functions, GilkImage *image, const GilkFunctionRow *row,
                                            const char *typed);

G_END_DECLS

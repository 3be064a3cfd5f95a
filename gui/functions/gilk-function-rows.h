/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-function-rows.h - contents of the function list: its rows, their marks, and how much of
 * each function is hookable
 */
#pragma once

#include <gio/gio.h>
#include <gtk/gtk.h>

#include "core/cfg/gilk-finder.h"
#include "core/splice/gilk-splice.h"
#include "gui/functions/gilk-function-model.h"
#include "gui/plan/gilk-plan-model.h"

/*
 * Marks of functions.
 *
 * Computed in a worker thread from the plan and the list of recently opened functions; immutable.
 */

enum {
  GILK_MARK_HOOKABLE = 1 << 0,
  GILK_MARK_HOOKED   = 1 << 1,
  GILK_MARK_HOT      = 1 << 2,
  GILK_MARK_RECENT   = 1 << 3,
};

typedef struct {
  GilkFinder *finder;        /* index for searching the marked functions by name; not owned */
  uint8_t    *bits;          /* GILK_MARK_… bits of each function */
  guint       n_with_bit[4]; /* element i: number of functions with bit i set */
  /* const GilkFunction * -> uint64_t *: hits of the function's hooks in the last run */
  GHashTable *hits;
  GPtrArray  *hot, *recent;  /* GilkFunction: @hot: functions that were hit, by descending hits;
                              * @recent: recently opened functions, last opened first */
  guint      *n_in_module;   /* number of functions per module */
} GilkFunctionMarks;

/* Computes the marks of @functions. @recent: (nullable): names of functions, last opened first */
void               gilk_function_marks_load_async  (GilkFunctions *functions, GilkPlanModel *model, const char *const *recent,
                                                    GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data);
GilkFunctionMarks *gilk_function_marks_load_finish (GAsyncResult *result, GError **error);
void               gilk_function_marks_free        (GilkFunctionMarks *marks);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkFunctionMarks, gilk_function_marks_free)

/* Returns the hits of all hooks of @function in the last run; 0: no hits, or unknown. */
uint64_t           gilk_function_marks_hits        (const GilkFunctionMarks *marks, const GilkFunction *function);

/* Puts @function at the front of the list of recently opened functions. */
void               gilk_function_marks_remember    (GSettings *settings, GilkFunctions *functions, const GilkFunction *function);

/*
 * Cache of how much of each function is hookable.
 *
 * A worker thread decodes the functions of visible rows, some at a time. Signal "changed": more
 * results are available.
 */

#define GILK_TYPE_FUNCTION_SHARES (gilk_function_shares_get_type ())
G_DECLARE_FINAL_TYPE (GilkFunctionShares, gilk_function_shares, GILK, FUNCTION_SHARES, GObject)

GilkFunctionShares  *gilk_function_shares_new     (GilkFunctions *functions);
/* Returns how much of @function is hookable; NULL: not computed yet. For a function that cannot be
 * decoded, the result has 0 points. */
const GilkHookShare *gilk_function_shares_lookup  (GilkFunctionShares *self, const GilkFunction *function);
/* Requests how much of each function is hookable. @functions: (element-type GilkFunction) (transfer
 * full): the visible functions. Replaces the previous request, except for the few functions that
 * the worker thread is decoding. */
void                 gilk_function_shares_request (GilkFunctionShares *self, GPtrArray *functions);

/*
 * Finds the functions that contain the code of a source line, or an inlined copy of a function.
 *
 * Reads debug data in a worker thread.
 */

/* Starts the search. @text: "fs/pipe.c:538", or the name of a function that exists only as inlined
 * copies */
void    gilk_function_lines_async  (GilkFunctions *functions, GilkImage *image, const char *text, GCancellable *cancellable,
                                    GAsyncReadyCallback callback, gpointer user_data);
/* Returns a row for each function found, never NULL. @message: (out) (nullable) (transfer full): a
 * message about the result. (transfer full) (element-type GilkFunctionRow) */
GArray *gilk_function_lines_finish (GAsyncResult *result, char **message);

/*
 * Cell contents of the function list: names, marks, and how much of each function is hookable.
 *
 * How much is hookable is computed for visible rows only, when idle.
 */

typedef struct _GilkFunctionRows GilkFunctionRows;

/* Makes the columns @name and @mark of @tree show functions. @tree must outlive this object. The
   model of @tree must be a GilkFunctionModel or NULL. */
GilkFunctionRows *gilk_function_rows_new           (GtkTreeView *tree, GtkTreeViewColumn *name, GtkTreeViewColumn *mark);
void              gilk_function_rows_free          (GilkFunctionRows *self);
/* Sets the functions that the rows show, and drops their marks. @functions: (nullable): NULL: no
 * kernel */
void              gilk_function_rows_set_functions (GilkFunctionRows *self, GilkFunctions *functions, GilkImage *image);
/* Computes again how much of each function is hookable. Must be called when the way to hook the
 * kernel (driver or BPF) has changed. */
void              gilk_function_rows_forget_shares (GilkFunctionRows *self);
/* Sets the marks to show. @marks: borrowed until the next call of this function or of
 * gilk_function_rows_set_functions() */
void              gilk_function_rows_set_marks     (GilkFunctionRows *self, const GilkFunctionMarks *marks);
void              gilk_function_rows_set_typed     (GilkFunctionRows *self, const char *typed);

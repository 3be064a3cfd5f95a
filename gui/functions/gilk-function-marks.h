/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-function-marks.h - marks of functions: hookable, hooked, hot, recently opened
 *
 * Computed in a worker thread from the plan and the list of recently opened functions; immutable.
 */
#pragma once

#include <gio/gio.h>

#include "core/cfg/gilk-finder.h"
#include "gui/plan/gilk-plan-model.h"

G_BEGIN_DECLS

enum {
  GILK_MARK_HOOKABLE = 1 << 0,
  GILK_MARK_HOOKED   = 1 << 1,
  GILK_MARK_HOT      = 1 << 2,
  GILK_MARK_RECENT   = 1 << 3,
};

typedef struct {
  GilkFinder *finder;        /* finder of the marked functions; not owned */
  uint8_t    *bits;          /* GILK_MARK_… bits of each function */
  guint       n_with_bit[4]; /* element i: number of functions with bit i set */
  /* const GilkFunction * -> uint64_t *: hits of the function's hooks in the last run */
  GHashTable *hits;
  GPtrArray  *hot, *recent;  /* GilkFunction: @hot by descending hits, @recent last opened first */
  guint      *n_in_module;   /* number of functions per module */
} GilkFunctionMarks;

/* @recent: (nullable): names of functions, last opened first */
void               gilk_function_marks_load_async  (GilkFunctions *functions, GilkPlanModel *model, const char *const *recent,
                                                    GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data);
GilkFunctionMarks *gilk_function_marks_load_finish (GAsyncResult *result, GError **error);
void               gilk_function_marks_free        (GilkFunctionMarks *marks);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkFunctionMarks, gilk_function_marks_free)

/* Returns the hits of a function's hooks; 0: none or unknown. */
uint64_t           gilk_function_marks_hits        (const GilkFunctionMarks *marks, const GilkFunction *function);

/* Puts @function at the front of the list of recently opened functions. */
void               gilk_function_marks_remember    (GSettings *settings, GilkFunctions *functions, const GilkFunction *function);

G_END_DECLS

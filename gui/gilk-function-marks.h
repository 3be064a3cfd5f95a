/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-function-marks.h - which functions can be hooked, are, were hot and were opened lately
 *
 * Made off the main thread of what the plan and the list of those opened have; immutable.
 */
#pragma once

#include <gio/gio.h>

#include "core/cfg/gilk-finder.h"
#include "gui/gilk-plan-model.h"

G_BEGIN_DECLS

enum {
  GILK_MARK_HOOKABLE = 1 << 0,
  GILK_MARK_HOOKED   = 1 << 1,
  GILK_MARK_HOT      = 1 << 2,
  GILK_MARK_RECENT   = 1 << 3,
};

typedef struct {
  GilkFinder *finder;        /* of the functions that it was made for */
  uint8_t    *bits;          /* a function each */
  guint       n_of[4];       /* functions with bit i */
  GHashTable *hits;          /* const GilkFunction -> uint64_t *: of its hooks, in the run last made */
  GPtrArray  *hot, *recent;  /* const GilkFunction: most hits, or last opened, first */
  guint      *of_module;     /* how many functions a module has */
} GilkFunctionMarks;

/* @recent: (nullable): names of functions, last opened first */
void               gilk_function_marks_load_async  (GilkFunctions *functions, GilkPlanModel *model, const char *const *recent,
                                                    GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data);
GilkFunctionMarks *gilk_function_marks_load_finish (GAsyncResult *result, GError **error);
void               gilk_function_marks_free        (GilkFunctionMarks *marks);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkFunctionMarks, gilk_function_marks_free)

/* Of a function's hooks; 0: none, or none are known. */
uint64_t           gilk_function_marks_hits        (const GilkFunctionMarks *marks, const GilkFunction *function);

/* Puts a function that was opened before all others that were. */
void               gilk_function_marks_remember    (GSettings *settings, GilkFunctions *functions, const GilkFunction *function);

G_END_DECLS

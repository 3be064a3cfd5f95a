/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-plan-rows.h - a plan's hooks as a list of rows: grouped by function, collapsed, searched
 *
 * Functions are in the order of their first hooks. A function with several hooks has a row of its
 * own in front of the rows of its hooks. While it is collapsed, it has only that one row; in long
 * plans all functions are collapsed until the user expands one.
 *
 * Threads: one at a time. No function fails.
 */
#pragma once

#include "core/plan/gilk-plan.h"

G_BEGIN_DECLS

typedef struct {
  char    *function;
  guint    n_hooks;            /* number of hooks that match the search */
  uint64_t start_ns;           /* earliest start of the function's hooks */
  uint64_t stop_ns;            /* latest stop of the function's hooks; 0: at the end of the run */
  gboolean folded;
  /* private: */
  guint    head, tail;
} GilkPlanGroup;

typedef struct {
  guint group;
  int   hook;  /* index of the hook in the plan; -1: this is the row of the function */
} GilkPlanRow;

typedef struct _GilkPlanRows GilkPlanRows;

GilkPlanRows *gilk_plan_rows_new    (void);
void          gilk_plan_rows_free   (GilkPlanRows *rows);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkPlanRows, gilk_plan_rows_free)

/* Rebuilds the rows from the plan. Functions that the user has collapsed or expanded stay so. */
void          gilk_plan_rows_update (GilkPlanRows *rows, const GilkPlan *plan);
/* Selects hooks whose text contains every word of @text; "" selects all hooks. Call
 * gilk_plan_rows_update() after this and after the next two functions. */
void          gilk_plan_rows_search (GilkPlanRows *rows, const char *text);
void          gilk_plan_rows_fold   (GilkPlanRows *rows, guint group, gboolean folded);
void          gilk_plan_rows_fold_all (GilkPlanRows *rows, gboolean folded);

guint         gilk_plan_rows_count  (const GilkPlanRows *rows);
const GilkPlanRow   *gilk_plan_rows_get   (const GilkPlanRows *rows, guint row);
/* Returns the group of hooks (those of one function) that a row belongs to. */
const GilkPlanGroup *gilk_plan_rows_group (const GilkPlanRows *rows, guint row);
/* Returns the row of a hook, or of its function if that is collapsed; -1: the hook does not match
 * the search */
int           gilk_plan_rows_find   (const GilkPlanRows *rows, guint hook);
/* Returns the hooks of a row. (transfer full) (element-type guint) */
GArray       *gilk_plan_rows_hooks  (const GilkPlanRows *rows, guint row);

/* Splits a search text into words; NULL: it contains none. (transfer full) (nullable) */
char        **gilk_plan_search_words (const char *text);
/* Returns TRUE if each of @words is in the hook's function, block, WHERE, instrument or label. */
gboolean      gilk_plan_hook_matches (const GilkPlanHook *hook, char *const *words);

G_END_DECLS

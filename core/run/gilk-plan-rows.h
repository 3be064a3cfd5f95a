/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-plan-rows.h - the rows in which a plan's hooks are shown: gathered by function, folded, searched
 *
 * Functions stand where their first hook does. One that has several hooks has a row of its own before them, and
 * while it is folded that one only; in long plans all are, until one is unfolded.
 *
 * Threads: one at a time. Nothing fails.
 */
#pragma once

#include "core/run/gilk-plan.h"

G_BEGIN_DECLS

typedef struct {
  char    *function;
  guint    n_hooks;            /* of those that were searched for */
  uint64_t start_ns;           /* of the first that starts */
  uint64_t stop_ns;            /* of the last that stops; 0: when the run ends */
  gboolean folded;
  /* private: */
  guint    head, tail;
} GilkPlanGroup;

typedef struct {
  guint group;
  int   hook;                  /* index in the plan; -1: the row of the function */
} GilkPlanRow;

typedef struct _GilkPlanRows GilkPlanRows;

GilkPlanRows *gilk_plan_rows_new    (void);
void          gilk_plan_rows_free   (GilkPlanRows *rows);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkPlanRows, gilk_plan_rows_free)

/* Makes them anew; what was folded by hand stays so. */
void          gilk_plan_rows_update (GilkPlanRows *rows, const GilkPlan *plan);
/* Words that all have to be in a hook's text; "" for all hooks. To be followed by an update, as the next two. */
void          gilk_plan_rows_search (GilkPlanRows *rows, const char *text);
void          gilk_plan_rows_fold   (GilkPlanRows *rows, guint group, gboolean folded);
void          gilk_plan_rows_fold_all (GilkPlanRows *rows, gboolean folded);

guint         gilk_plan_rows_count  (const GilkPlanRows *rows);
guint         gilk_plan_rows_n_hooks (const GilkPlanRows *rows);   /* that were found */
const GilkPlanRow   *gilk_plan_rows_get   (const GilkPlanRows *rows, guint row);
const GilkPlanGroup *gilk_plan_rows_group (const GilkPlanRows *rows, guint row);   /* that the row belongs to */
/* The row of a hook, or of the function in which it is folded; -1: it was not found */
int           gilk_plan_rows_find   (const GilkPlanRows *rows, guint hook);
/* The hooks that a row stands for. (transfer full) (element-type guint) */
GArray       *gilk_plan_rows_hooks  (const GilkPlanRows *rows, guint row);

/* Words as above. NULL: there are none (transfer full) (nullable) */
char        **gilk_plan_search_words (const char *text);
/* Are all in its function, block, edge, instrument or label? */
gboolean      gilk_plan_hook_matches (const GilkPlanHook *hook, char *const *words);

G_END_DECLS

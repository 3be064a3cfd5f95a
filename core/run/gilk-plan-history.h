/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-plan-history.h - the steps of undo and redo of a plan, as bytes to be kept beside it
 *
 * Bytes belong to one text of a plan and say so: with another one, or damaged, they are refused as a whole.
 *
 * Threads: any.
 */
#pragma once

#include "core/run/gilk-plan.h"

G_BEGIN_DECLS

/* As many as are kept: the nearest of them, and of large plans fewer. */
#define GILK_PLAN_HISTORY_STEPS 50
#define GILK_PLAN_HISTORY_HOOKS 20000

typedef struct {
  GPtrArray *undo, *redo;          /* GilkPlan; the nearest step is the last */
  char      *file;                 /* (nullable): which the plan was opened from or saved in */
} GilkPlanHistory;

GilkPlanHistory *gilk_plan_history_new  (void);
void             gilk_plan_history_free (GilkPlanHistory *history);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkPlanHistory, gilk_plan_history_free)

/* Copies the nearest steps; the plans have their hooks in common. */
void             gilk_plan_history_take (GilkPlanHistory *history, const GPtrArray *undo, const GPtrArray *redo);
/* @text: of the plan that it is of. (transfer full) */
GBytes          *gilk_plan_history_pack (const GilkPlanHistory *history, const char *text);
GilkPlanHistory *gilk_plan_history_read (GBytes *bytes, const char *text, GError **error);

G_END_DECLS

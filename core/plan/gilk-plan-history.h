/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-plan-history.h - converts the undo and redo steps of a plan to bytes that are stored with
 * the plan
 *
 * The bytes contain a checksum of the plan's text. Bytes that are damaged, or that belong to
 * another text, are refused as a whole.
 *
 * Threads: any.
 */
#pragma once

#include "core/plan/gilk-plan.h"

G_BEGIN_DECLS

/* Limits of a stored history: GILK_PLAN_HISTORY_STEPS undo steps, as many redo steps, and the total
 * number of hooks in all these steps. The steps nearest to the current plan are stored. */
#define GILK_PLAN_HISTORY_STEPS 50
#define GILK_PLAN_HISTORY_HOOKS 20000

typedef struct {
  GPtrArray *undo, *redo;          /* (element-type GilkPlan): earlier states of the plan for undo,
                                    * and later ones for redo; the last element is the state nearest
                                    * to the current plan */
  char      *file;                 /* (nullable): file that the plan was opened from or saved to */
} GilkPlanHistory;

GilkPlanHistory *gilk_plan_history_new  (void);
void             gilk_plan_history_free (GilkPlanHistory *history);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkPlanHistory, gilk_plan_history_free)

/* Copies to @history the undo and redo steps that are nearest to the current plan, up to the limits
 * above. The copies share their hooks with the originals. */
void             gilk_plan_history_set_steps (GilkPlanHistory *history, const GPtrArray *undo, const GPtrArray *redo);
/* Returns the history as bytes. @text: text of the plan that the history belongs to. (transfer
 * full) */
GBytes          *gilk_plan_history_pack      (const GilkPlanHistory *history, const char *text);
GilkPlanHistory *gilk_plan_history_read      (GBytes *bytes, const char *text, GError **error);

G_END_DECLS

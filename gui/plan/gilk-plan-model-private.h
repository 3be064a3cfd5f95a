/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-plan-model-private.h - definitions shared by the model's two source files
 *
 * gilk-plan-model.c edits the plan, gilk-plan-status.c tracks the status of its hooks.
 */
#pragma once

#include "gui/plan/gilk-plan-model.h"

G_BEGIN_DECLS

struct _GilkPlanModel {
  GObject     parent_instance;

  GilkPlan   *plan;
  GPtrArray  *undo, *redo;     /* GilkPlan */
  uint64_t    length_ns;       /* of the run; 0: until stopped */
  GHashTable *status;          /* label -> GilkHookStatus */
  GPtrArray  *status_at;       /* GilkHookStatus of each hook, or NULL; owned by @status */
  guint       update;          /* number of status updates so far */
  guint       cleared;         /* the update that last cleared all status */
  gboolean    indexed;         /* @by_addr and @by_block are up to date */
  GHashTable *by_addr;         /* address and edge -> index + 1, for hooks with a known address */
  GilkCostHistory *measured;   /* on the current target; NULL: nothing */
  GHashTable *by_block;        /* "EDGE BLOCK" -> GArray of indices, for all other hooks */
};

/* gilk-plan-status.c */
void gilk_plan_model_init_status       (GilkPlanModel *self);
void gilk_plan_model_clear_status      (GilkPlanModel *self);
/* Must be called after hooks were added, removed or reordered. */
void gilk_plan_model_invalidate_index  (GilkPlanModel *self);
/* Clears the status of the hook with this label. */
void gilk_plan_model_remove_status     (GilkPlanModel *self, const char *label);
void gilk_plan_model_remove_all_status (GilkPlanModel *self);
/* gilk-plan-model.c */
void gilk_plan_model_emit_status       (GilkPlanModel *self);

G_END_DECLS

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-plan-model-private.h - what the model's two source files share
 *
 * gilk-plan-model.c edits, gilk-plan-status.c knows what became of the hooks.
 */
#pragma once

#include "gui/gilk-plan-model.h"

G_BEGIN_DECLS

struct _GilkPlanModel {
  GObject     parent_instance;

  GilkPlan   *plan;
  GPtrArray  *undo, *redo;     /* GilkPlan */
  uint64_t    length_ns;       /* of the run; 0: until it is stopped */
  GHashTable *status;          /* label -> GilkHookStatus */
  GPtrArray  *status_at;       /* GilkHookStatus of each hook, or NULL; owned by the table */
  guint       update;          /* of the status of hooks, counted */
  guint       cleared;         /* the update that last forgot all of it */
  gboolean    indexed;         /* are these two as the hooks are? */
  GHashTable *by_addr;         /* address and edge -> index + 1, of hooks whose address is known */
  GilkMeasured *measured;      /* on the target at hand; NULL: nothing */
  GHashTable *by_block;        /* "EDGE BLOCK" -> GArray of indices, of the others */
};

/* gilk-plan-status.c */
void gilk_plan_model_init_status  (GilkPlanModel *self);
void gilk_plan_model_clear_status (GilkPlanModel *self);
/* Hooks came, went or changed places. */
void gilk_plan_model_moved        (GilkPlanModel *self);
/* Nothing is known of that hook any more. */
void gilk_plan_model_forget       (GilkPlanModel *self, const char *label);
void gilk_plan_model_forget_all   (GilkPlanModel *self);
/* gilk-plan-model.c */
void gilk_plan_model_tell_status  (GilkPlanModel *self);

G_END_DECLS

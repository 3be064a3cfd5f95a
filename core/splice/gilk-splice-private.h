/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-splice-private.h - between the parts of the planner of one function
 */
#pragma once

#include "core/splice/gilk-splice.h"
#include "core/splice/gilk-footprint.h"

G_BEGIN_DECLS

/* An edge of the block in hand. */
typedef struct {
  guint       *wants;          /* indices of what is wanted there; room for all of the plan */
  guint        n;
  guint        force;          /* enum ilk_tactic, 0 = ours to choose */
  GilkFootprints  footprints;
  GilkFootprint   chosen;         /* n 0: none */
} GilkPoint;

/* gilk-splice-check.c */
void     gilk_splice_refuse      (GilkSplicePlan *plan, guint want, guint refusal,
                                  guint why_not_splice);
/* GilkRefusal of what can be met nowhere, 0 if it might be. */
guint    gilk_splice_check       (const GilkSplicePlan *plan, const GilkWant *want);

/* gilk-splice-size.c */
/* What a made-up driver gives for all wants: counters far away or near, functions at @fn; areas always are far.
 * To be freed. */
GilkBinding *gilk_splice_trial_new  (const GilkSplicePlan *plan, gboolean far, uint64_t fn);
void     gilk_splice_trial_free  (GilkBinding *bindings);
/* Their code is bounded by its widest form (GilkAsm.widest), and so many bytes more. */
gboolean gilk_splice_has_programs (const GilkSplicePlan *plan);
guint    gilk_splice_widest_slack (const GilkAsm *as);
/* Bytes that ways out of programs of the patch may take more than where it was tried. */
guint    gilk_splice_exits_slack (const GilkSplicePlan *plan, const GilkPatchPlan *patch);
/* ILK_PATCH_* that follow from what its programs change. */
guint    gilk_splice_hook_flags  (const GilkSplicePlan *plan, const GilkPatchPlan *patch);
/* Bytes of code, at most, of a patch whose footprint and hooks are known: whole granules. */
guint    gilk_splice_bound_code  (const GilkSplicePlan *plan, const GilkPatchPlan *patch);
/* That and its cost, and its hooks' costs. */
void     gilk_splice_size_patch  (const GilkSplicePlan *plan, GilkPatchPlan *patch);

/* gilk-clone-size.c */
/* Bytes of code, at most, of a clone: whole granules. */
guint    gilk_clone_bound_code   (const GilkSplicePlan *plan, const GilkPatchPlan *patch);
/* What each hook adds, in the order of the patch. */
void     gilk_clone_cost         (const GilkSplicePlan *plan, const GilkPatchPlan *patch, guint *added);

/* gilk-splice-point.c */
/* Has wants of @block at the edge @where join @point; those that may not are refused. */
void     gilk_point_collect      (GilkSplicePlan *plan, guint block, GilkWhere where,
                                  GilkPoint *point);
/* Finds all footprints that would do. */
void     gilk_points_list        (const GilkSplicePlan *plan, guint block, GilkPoint *pre,
                                  GilkPoint *post);
/* Chooses the cheapest that can be had together; with none, the pre-hooks go first. */
void     gilk_points_choose      (GilkSplicePlan *plan, guint block, GilkPoint *pre,
                                  GilkPoint *post);
/* The same, but only if splices will do for all that is wanted. */
gboolean gilk_points_choose_splices (GilkSplicePlan *plan, guint block, GilkPoint *pre,
                                     GilkPoint *post);
/* Has chosen splices reach to where a count need not save the flags, if they can. */
void     gilk_points_widen       (const GilkSplicePlan *plan, guint block, GilkPoint *pre,
                                  GilkPoint *post);

/* gilk-splice-next.c */
/* Has the footprint no byte of a live footprint, nor of the room of a live bounce? */
gboolean gilk_splice_is_free     (const GilkSplicePlan *plan, const GilkFootprint *footprint);
gboolean gilk_splice_is_cloned   (const GilkSplicePlan *live);
/* Puts the live patches first, with the hooks that stay or can join them. */
void     gilk_splice_seed        (GilkSplicePlan *plan, const GilkSplicePlan *live,
                                  const guint *was);
/* Puts all hooks into a clone that takes the place of the live one. */
void     gilk_splice_clone_again (GilkSplicePlan *plan, const GilkSplicePlan *live,
                                  const guint *was);

G_END_DECLS

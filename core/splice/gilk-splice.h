/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-splice.h - plans the patches of one function
 *
 * Plan, reserve, emit, prepare, arm: planning is pure, and decides the tactic, cost or refusal of
 * each hook. Once the driver has assigned slot addresses, gilk_emit_code() turns each planned patch
 * into bytes. The planner works on all requested hooks of a function at once. A clone serves all of
 * them, see gilk-clone.h.
 *
 * Threads: a plan belongs to one thread at a time; graphs and liveness may be shared.
 */
#pragma once

#include "core/emit/gilk-emit.h"
#include "core/emit/gilk-patch-plan.h"

G_BEGIN_DECLS

/* Makes clones only if requested; see gilk_splice_plan_new_any(). */
GilkSplicePlan *gilk_splice_plan_new  (GilkCfg *cfg, GilkDecoder *decoder,
                                       const GilkWant *wants, guint n_wants);
/* Also makes clones where they are better. */
GilkSplicePlan *gilk_splice_plan_new_any (GilkCfg *cfg, GilkDecoder *decoder,
                                          const GilkWant *wants, guint n_wants);
/**
 * gilk_splice_plan_next:
 * @live: plan of the same function, whose patches are all armed or scheduled
 * @was: index of each want in @live; G_MAXUINT if it is new
 * Live footprints do not move. Hooks that stay keep their footprint; new hooks share a footprint if
 * their point is inside, or get places in the remaining bytes.
 */
GilkSplicePlan *gilk_splice_plan_next (GilkCfg *cfg, GilkDecoder *decoder,
                                       const GilkWant *wants, guint n_wants,
                                       const GilkSplicePlan *live, const guint *was);
/* Makes a clone without hooks; NULL with @refusal if it cannot be made. @inner: see GilkWant */
GilkSplicePlan *gilk_splice_plan_new_bare (GilkCfg *cfg, GilkDecoder *decoder, gboolean inner,
                                           guint *refusal);
/* Refuses all hooks that are not refused yet, and removes all patches. */
void            gilk_splice_plan_refuse (GilkSplicePlan *plan, guint refusal);
/* Refuses the hooks of patch @index, and removes the patch. The plan must not follow a live one. */
void            gilk_splice_plan_refuse_patch (GilkSplicePlan *plan, guint index, guint refusal);
void            gilk_splice_plan_free (GilkSplicePlan *plan);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkSplicePlan, gilk_splice_plan_free)

/* Plans one point alone, without keeping a plan (for views of graphs). */
void gilk_splice_preview (GilkCfg *cfg, const GilkLiveness *liveness, GilkDecoder *decoder,
                          guint block, GilkWhere where, GilkInstrumentKind kind,
                          GilkChoice *choice, GilkPatchPlan *patch /* nullable; hooks unset */);

G_END_DECLS

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-splice.h - planning the patches of one function
 *
 * Plan, reserve, emit, prepare, arm: planning is pure and tells tactic, cost or
 * refusal of each wanted hook; once the driver has given slot addresses,
 * gilk_emit_code() turns each planned patch into bytes. The planner works on the whole
 * set wanted in a function at once. A clone serves the whole set, see gilk-clone.h.
 *
 * Threads: a plan belongs to one at a time; graphs and liveness may be shared.
 */
#pragma once

#include "core/emit/gilk-emit.h"
#include "core/emit/gilk-patch-plan.h"

G_BEGIN_DECLS

/* Clones where they are asked for; see gilk_splice_plan_new_any(). */
GilkSplicePlan *gilk_splice_plan_new  (GilkCfg *cfg, GilkDecoder *decoder,
                                       const GilkWant *wants, guint n_wants);
/* Clones also where they are better. */
GilkSplicePlan *gilk_splice_plan_new_any (GilkCfg *cfg, GilkDecoder *decoder,
                                          const GilkWant *wants, guint n_wants);
/**
 * gilk_splice_plan_next:
 * @live: plan of the same function, of which all patches are armed or scheduled
 * @was: per want: which one it is in @live; G_MAXUINT if it is new
 * Live footprints stay where they are: hooks that stay keep theirs, new hooks share
 * one where their point lies inside, and find places in the bytes that are left.
 */
GilkSplicePlan *gilk_splice_plan_next (GilkCfg *cfg, GilkDecoder *decoder,
                                       const GilkWant *wants, guint n_wants,
                                       const GilkSplicePlan *live, const guint *was);
/* A clone without hooks; NULL with a @refusal if there can be none. @inner: as GilkWant has it */
GilkSplicePlan *gilk_splice_plan_new_bare (GilkCfg *cfg, GilkDecoder *decoder, gboolean inner,
                                           guint *refusal);
/* Refuses all wants that are not refused yet; no patch is left. */
void            gilk_splice_plan_refuse (GilkSplicePlan *plan, guint refusal);
/* Refuses the wants that the patch of that index serves, and takes it out; of a plan that follows none. */
void            gilk_splice_plan_refuse_patch (GilkSplicePlan *plan, guint index, guint refusal);
void            gilk_splice_plan_free (GilkSplicePlan *plan);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkSplicePlan, gilk_splice_plan_free)

/* What would happen at one point alone, without keeping a plan (for cfg views). */
void gilk_splice_preview (GilkCfg *cfg, const GilkLiveness *liveness, GilkDecoder *decoder,
                          guint block, GilkWhere where, GilkInstrumentKind kind,
                          GilkChoice *choice, GilkPatchPlan *patch /* nullable; hooks unset */);

G_END_DECLS

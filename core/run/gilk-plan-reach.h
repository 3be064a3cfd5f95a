/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-plan-reach.h - counters in all that a function reaches: what a plan gets for it
 *
 * Each function that is reached becomes a clone with a counter at its blocks (core/splice/gilk-reach.h says which are,
 * and where it ends).
 *
 * Threads: any; the decoder is the caller's. Blocks on the target.
 */
#pragma once

#include <gio/gio.h>

#include "core/base/gilk-progress.h"
#include "core/run/gilk-plan.h"
#include "core/splice/gilk-reach.h"

G_BEGIN_DECLS

#define GILK_PLAN_REACH_DEPTH 3        /* calls away, unless the user says otherwise */

typedef struct {
  GPtrArray *hooks;                    /* GilkPlanHook, with labels that the plan has not */
  GArray    *reached;                  /* GilkReached, also of what is left as it is */
  guint      n_cloned;                 /* functions with hooks */
} GilkPlanReach;

void gilk_plan_reach_free (GilkPlanReach *reach);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkPlanReach, gilk_plan_reach_free)

typedef struct {
  const char *function;
  guint       depth;                   /* calls away */
  gboolean    fewest;                  /* as few counters as all counts follow from */
} GilkPlanReachWish;

/**
 * gilk_plan_reach:
 * @plan: which it is for; not changed
 *
 * Returns: (transfer full): NULL with GILK_ERROR_REFUSED if the function itself cannot be cloned
 */
GilkPlanReach *gilk_plan_reach (const GilkPlan *plan, const GilkPlanReachWish *wish, GilkFunctions *functions,
                                GilkImage *image, GilkDecoder *decoder, const GilkProgress *progress,
                                GCancellable *cancellable, GError **error);
/* What is left as it is, and why: a sentence for each cause. (transfer full) (element-type utf8) */
GPtrArray     *gilk_plan_reach_left (const GilkPlanReach *reach);

G_END_DECLS

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-plan-reach.h - counts the callees of a function: adds counting clones of them to a plan
 *
 * Each callee becomes a clone with counters in its blocks (core/splice/gilk-reach.h says which
 * functions are included, and where that ends).
 *
 * Threads: any; the decoder is the caller's. Blocks on the target.
 */
#pragma once

#include <gio/gio.h>

#include "core/base/gilk-progress.h"
#include "core/plan/gilk-plan.h"
#include "core/splice/gilk-reach.h"

G_BEGIN_DECLS

#define GILK_PLAN_REACH_DEPTH 3        /* call depth, unless the user chooses another */

typedef struct {
  GPtrArray *hooks;                    /* GilkPlanHook, with labels that are unused in the plan */
  GArray    *reached;                  /* GilkReached, including functions that cannot be cloned */
  guint      n_cloned;                 /* functions with hooks */
} GilkPlanReach;

void gilk_plan_reach_free (GilkPlanReach *reach);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkPlanReach, gilk_plan_reach_free)

typedef struct {
  const char *function;
  guint       depth;                   /* call depth */
  gboolean    fewest;                  /* use the fewest counters that determine all counts */
} GilkPlanReachWish;

/**
 * gilk_plan_reach:
 * @plan: to add the hooks to; not changed
 *
 * Returns: (transfer full): NULL with GILK_ERROR_REFUSED if the function itself cannot be cloned
 */
GilkPlanReach *gilk_plan_reach (const GilkPlan *plan, const GilkPlanReachWish *wish, GilkFunctions *functions,
                                GilkImage *image, GilkDecoder *decoder, const GilkProgress *progress,
                                GCancellable *cancellable, GError **error);
/* Returns a sentence for each reason why callees are not counted. (transfer full) (element-type
 * utf8) */
GPtrArray     *gilk_plan_reach_left (const GilkPlanReach *reach);

G_END_DECLS
